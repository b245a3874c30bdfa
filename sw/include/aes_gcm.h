// SPDX-License-Identifier: Apache-2.0
// AES-GCM over the kernel contract: authenticated encryption with associated data.
// Source: NIST SP 800-38D; section numbers below are of that document.
//
// Buffers have any alignment; input and output of one call are either equal or disjoint. Check
// every status. A call that does not return AES_OK leaves no result: its output is as it was, or
// zeros where the device failed on the way (AES_ERR_DEVICE, AES_ERR_BUSY, AES_ERR_KEY). The time
// depends on lengths only. Copies of secrets on the stack and in registers are wiped.
//
// An IV must never serve twice under one key: it would give the authentication key away
// (section 8). IVs of 12 bytes are the fast ones. A unit that brings its own kernel may bring its
// own GHASH too; everything here then runs on it.
#ifndef AES_GCM_H
#define AES_GCM_H

#include "aes_modes.h"

// GHASH, section 6.4 ------------------------------------------------------------------------------
// The two functions are weak; a unit that overrides one overrides both, because what a key holds is
// its own affair.

#define AES_GHASH_KEY_WORDS 16

typedef struct {
  uint32_t word[AES_GHASH_KEY_WORDS];
} aes_ghash_key_t;

// Prepare the hash subkey `h` (16 bytes, 4-byte aligned) for use.
void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h);

// state = (state ^ block) * H for each of nblocks blocks of 16 bytes (0 allowed). `state` is a
// block too, as it stands in memory; `data` is 4-byte aligned. The time depends on nblocks only.
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

// Check the tag, and decrypt only then: AES_ERR_TAG leaves `out` as it was.
int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, const uint8_t *tag, size_t tag_bytes);

// A message in pieces -----------------------------------------------------------------------------
// encrypt: start, aad ..., encrypt_update ..., encrypt_finish
// decrypt: start, aad ..., verify_update ..., verify_finish, decrypt_update ..., decrypt_finish
//
// Pieces have any length. To decrypt, the whole ciphertext is given twice: no function gives
// plaintext that was not verified. finish wipes the context; to give a message up, aes_wipe it. *k
// must outlive the context.
//
// A call out of order returns AES_ERR_ORDER and changes nothing; a tag length that is none returns
// AES_ERR_LENGTH and changes nothing. After every other error the context is wiped and takes
// nothing but a start. A start that fails wipes it too: no message from before goes on.

typedef struct {
  const aes_gcm_key_t *key;
  uint32_t first[4];      // J0, the counter block whose encryption hides the tag
  uint32_t counter;       // the low word of the next counter block
  uint32_t state[4];      // GHASH so far
  uint32_t block[4];      // an incomplete block: what came so far, then unused key stream
  uint32_t after_aad[4];  // decryption: GHASH before the text,
  uint32_t verified[4];   //   and of the message whose tag was right
  uint64_t aad_bytes;
  uint64_t text_bytes;
  uint64_t verified_bytes;
  uint32_t phase;
} aes_gcm_t;

int aes_gcm_start(aes_gcm_t *g, const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes);
int aes_gcm_aad(aes_gcm_t *g, const uint8_t *aad, size_t n);

int aes_gcm_encrypt_update(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n);
int aes_gcm_encrypt_finish(aes_gcm_t *g, uint8_t *tag, size_t tag_bytes);

// The first time through the ciphertext. After AES_OK of verify_finish the context decrypts; after
// AES_ERR_TAG it is wiped.
int aes_gcm_verify_update(aes_gcm_t *g, const uint8_t *in, size_t n);
int aes_gcm_verify_finish(aes_gcm_t *g, const uint8_t *tag, size_t tag_bytes);

// The second time: AES_ERR_LENGTH, without a change, if there are more bytes than were verified.
// decrypt_finish
// returns AES_ERR_TAG if the ciphertext was not the same both times: then the plaintext must not
// be used.
int aes_gcm_decrypt_update(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n);
int aes_gcm_decrypt_finish(aes_gcm_t *g);

#endif
