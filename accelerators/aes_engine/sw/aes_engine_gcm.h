// SPDX-License-Identifier: Apache-2.0
// AES-GCM (SP 800-38D) by the AES engine, for instances with CAPS.GCM. The bus waits for the
// engine, whatever the device's `wait` is. A call keeps the engine until its message is done: a
// handler's call gets AES_ENGINE_ERR_BUSY meanwhile.
//
// Lengths and rules are those of sw/include/aes_gcm.h: never use an IV twice under one key; tags of
// 12 to 16 bytes, or 4 or 8 for special uses. Buffers have any alignment; word-aligned ones are
// fastest. `in` and `out` are equal or disjoint. Unless a call returns AES_ENGINE_OK, `out` is
// unchanged, or zero if the engine failed during the call.
#ifndef AES_ENGINE_GCM_H
#define AES_ENGINE_GCM_H

#include "aes_engine.h"

#define AES_ENGINE_ERR_TAG (-7)  // not what the sender authenticated

typedef struct {
  const uint8_t *iv;
  size_t iv_bytes;  // at least 1; 12 is the fast length
  const uint8_t *aad;
  size_t aad_bytes;
} aes_engine_gcm_t;

// Under the key of a session that encrypts, in any mode. The session's own message does not change.
// The key stays in the engine for the next call, except after an error.

// Encrypt and write the tag.
int aes_engine_gcm_seal(aes_engine_session_t *session, const aes_engine_gcm_t *message,
                        const uint8_t *in, uint8_t *out, size_t nbytes, uint8_t *tag,
                        size_t tag_bytes);

// Verify the tag in a first pass over the ciphertext, then decrypt in a second one. A wrong tag
// returns AES_ENGINE_ERR_TAG. So does a ciphertext that changed between the passes, with zeros in
// `out`.
int aes_engine_gcm_unseal(aes_engine_session_t *session, const aes_engine_gcm_t *message,
                          const uint8_t *in, uint8_t *out, size_t nbytes, const uint8_t *tag,
                          size_t tag_bytes);

// The same under a key for one message; the engine is wiped afterwards.
int aes_engine_gcm_encrypt(aes_engine_device_t *device, const uint8_t *key, unsigned key_bits,
                           const aes_engine_gcm_t *message, const uint8_t *in, uint8_t *out,
                           size_t nbytes, uint8_t *tag, size_t tag_bytes);
int aes_engine_gcm_decrypt(aes_engine_device_t *device, const uint8_t *key, unsigned key_bits,
                           const aes_engine_gcm_t *message, const uint8_t *in, uint8_t *out,
                           size_t nbytes, const uint8_t *tag, size_t tag_bytes);

#endif
