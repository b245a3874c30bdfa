// SPDX-License-Identifier: Apache-2.0
// AES-GCM over the kernel contract: authenticated encryption with associated data.
// Source: NIST SP 800-38D; section numbers below are of that document.
//
// Buffers have any alignment; input and output of one call are either equal or disjoint. Check
// every status. Unless a call returns AES_OK, its output is unchanged, or zeros if the device
// failed during the call (AES_ERR_DEVICE, AES_ERR_BUSY, AES_ERR_KEY). The time depends on lengths
// only. Copies of secrets on the stack and in registers are wiped.
//
// Never use an IV twice under one key: that reveals the authentication key (section 8). IVs of 12
// bytes are fastest. A unit's kernel may override GHASH; everything here then runs on it.
#ifndef AES_GCM_H
#define AES_GCM_H

#include "aes_modes.h"

// GHASH, section 6.4 ------------------------------------------------------------------------------
// The two functions are weak. A unit that overrides one must override both, because they share the
// contents of aes_ghash_key_t.

#define AES_GHASH_KEY_WORDS 16

typedef struct {
  uint32_t word[AES_GHASH_KEY_WORDS];
} aes_ghash_key_t;

// Prepare the hash subkey `h` (16 bytes, 4-byte aligned) for use.
void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h);

// state = (state ^ block) * H for each of nblocks blocks of 16 bytes (0 allowed). `state` is a
// block in memory order; `data` is 4-byte aligned. The time depends on nblocks only.
void aes_ghash_blocks(const aes_ghash_key_t *k, uint32_t state[4], const uint8_t *data,
                      size_t nblocks);

// Keys --------------------------------------------------------------------------------------------

typedef struct {
  aes_key_t cipher;
  aes_ghash_key_t hash;
} aes_gcm_key_t;

// Expand `key` (key_bits / 8 bytes) for both directions. Unless AES_OK, *k holds no key.
int aes_gcm_set_key(aes_gcm_key_t *k, const uint8_t *key, unsigned key_bits);

// Forget a key.
void aes_gcm_clear_key(aes_gcm_key_t *k);

// A message in one call ---------------------------------------------------------------------------
// iv_bytes >= 1. tag_bytes is 12 to 16, or 4 or 8 for the special uses of appendix C. The text
// has at most 2^36 - 32 bytes.

// Encrypt in one pass and write the tag.
int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, uint8_t *tag, size_t tag_bytes);

// Verify the tag first, then decrypt. AES_ERR_TAG leaves `out` unchanged.
int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, const uint8_t *tag, size_t tag_bytes);

// GMAC, section 3: GCM without a text -------------------------------------------------------------
// In pieces: start, aad ..., encrypt_finish; or start, aad ..., verify_finish, decrypt_finish.

static inline int aes_gmac(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                           const uint8_t *data, size_t bytes, uint8_t *tag, size_t tag_bytes) {
  return aes_gcm_encrypt(k, iv, iv_bytes, data, bytes, NULL, NULL, 0, tag, tag_bytes);
}

// AES_OK or AES_ERR_TAG.
static inline int aes_gmac_verify(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                                  const uint8_t *data, size_t bytes, const uint8_t *tag,
                                  size_t tag_bytes) {
  return aes_gcm_decrypt(k, iv, iv_bytes, data, bytes, NULL, NULL, 0, tag, tag_bytes);
}

// A message in pieces -----------------------------------------------------------------------------
// encrypt: start, aad ..., encrypt_update ..., encrypt_finish
// decrypt: start, aad ..., verify_update ..., verify_finish, decrypt_update ..., decrypt_finish
//
// Pieces have any length. Decryption reads the whole ciphertext twice, because no function releases
// plaintext before authentication. encrypt_finish and decrypt_finish wipe the context; to abandon a
// message, call aes_wipe on it. *k must outlive the context. Do not set it up again or assign to it
// meanwhile: nothing notices, and the message would go on under the new key.
//
// A call out of order returns AES_ERR_ORDER and changes nothing; an invalid tag length returns
// AES_ERR_LENGTH and changes nothing. Every other error wipes the context, which then accepts only
// a start. A start that fails wipes it too.

typedef struct {
  const aes_gcm_key_t *key;
  uint32_t first[4];      // J0, the counter block whose encryption hides the tag
  uint32_t counter;       // the low word of the next counter block
  uint32_t state[4];      // GHASH so far
  uint32_t block[4];      // an incomplete block: input so far, then unused key stream
  uint32_t after_aad[4];  // decryption: GHASH before the text,
  uint32_t verified[4];   //   and of the message whose tag was verified
  uint64_t aad_bytes;
  uint64_t text_bytes;
  uint64_t verified_bytes;
  uint32_t phase;
  uint32_t open_counter;  // the counter is public: the IV has 12 bytes
} aes_gcm_t;

int aes_gcm_start(aes_gcm_t *g, const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes);
int aes_gcm_aad(aes_gcm_t *g, const uint8_t *aad, size_t n);

int aes_gcm_encrypt_update(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n);
int aes_gcm_encrypt_finish(aes_gcm_t *g, uint8_t *tag, size_t tag_bytes);

// First pass over the ciphertext. After AES_OK of verify_finish the context decrypts; AES_ERR_TAG
// wipes it.
int aes_gcm_verify_update(aes_gcm_t *g, const uint8_t *in, size_t n);
int aes_gcm_verify_finish(aes_gcm_t *g, const uint8_t *tag, size_t tag_bytes);

// Second pass. AES_ERR_LENGTH, without a change, if there are more bytes than were verified.
// decrypt_finish returns AES_ERR_TAG if the two passes read different ciphertexts: discard the
// plaintext then.
int aes_gcm_decrypt_update(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n);
int aes_gcm_decrypt_finish(aes_gcm_t *g);

#endif
