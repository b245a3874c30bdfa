// SPDX-License-Identifier: Apache-2.0
// AES-GCM (SP 800-38D) by the AES engine, for instances with CAPS.GCM. The bus waits for it,
// whatever the device's `wait` is, and it keeps the engine until a message is done: a handler's
// call in the middle gets AES_ENGINE_ERR_BUSY.
//
// Lengths and rules are those of sw/include/aes_gcm.h: an IV never serves twice under one key; tags
// of 12 to 16 bytes, or 4 or 8 for special uses. Buffers have any alignment, word-aligned ones are
// the fast ones; `in` and `out` are equal or disjoint. A call that does not return AES_ENGINE_OK
// leaves no text in `out`: either it is as it was, or, if the engine failed in the middle, zero.
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

// Under the key of a session that encrypts; its own message, in
// whatever mode, goes on afterwards. The key stays in the engine for the next call, except after an
// error.

// Encrypt and write the tag.
int aes_engine_gcm_seal(aes_engine_session_t *session, const aes_engine_gcm_t *message,
                        const uint8_t *in, uint8_t *out, size_t nbytes, uint8_t *tag,
                        size_t tag_bytes);

// Let the engine compare the tag first, and decrypt only if it is right: AES_ENGINE_ERR_TAG
// otherwise. A ciphertext that is another one when it is read for the second time gets the same
// answer, and `out` is zero then.
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
