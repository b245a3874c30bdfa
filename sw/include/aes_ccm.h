// SPDX-License-Identifier: Apache-2.0
// AES-CCM over the kernel contract: authenticated encryption with associated data.
// Source: NIST SP 800-38C, with the formatting of its appendix A (also RFC 3610). The steps are
// aes_cbc_mac and aes_ctr (aes_modes.h), which a kernel may override.
//
// Keys are of aes_set_encrypt_key, in both directions. Buffers have any alignment; input and output
// of one call are either equal or disjoint, else AES_ERR_OVERLAP. Check every status. A length or
// an overlap that is refused leaves the output unchanged; every other error leaves zeros. The time
// depends on lengths and on the verdict. Copies of secrets on the stack and in registers are wiped.
//
// Never use a nonce twice under one key: that reveals the XOR of two texts.
//
// Lengths, else AES_ERR_LENGTH: a nonce of 7 to 13 bytes; a tag of 4, 6, 8, 10, 12, 14 or 16 bytes;
// less than 2^(8 * (15 - nonce_bytes)) bytes of text, which are 65,535 with a nonce of 13.
#ifndef AES_CCM_H
#define AES_CCM_H

#include "aes_modes.h"

// A message in one call ---------------------------------------------------------------------------

int aes_ccm_encrypt(const aes_key_t *k, const uint8_t *nonce, size_t nonce_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, uint8_t *tag, size_t tag_bytes);

// CCM authenticates the plaintext, so `out` may hold it before the tag is compared. AES_ERR_TAG
// leaves zeros in `out`. To release no plaintext before the verdict, decrypt in pieces.
int aes_ccm_decrypt(const aes_key_t *k, const uint8_t *nonce, size_t nonce_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, const uint8_t *tag, size_t tag_bytes);

// A message in pieces -----------------------------------------------------------------------------
// encrypt: start, aad ..., encrypt_update ..., encrypt_finish
// decrypt: start, aad ..., verify_update ..., verify_finish, decrypt_update ..., decrypt_finish
//
// The start takes all lengths, because CCM authenticates them first. Pieces have any length.
// Decryption reads the whole ciphertext twice and enciphers each counter twice, because no function
// here releases plaintext before authentication. encrypt_finish and decrypt_finish wipe the
// context; to abandon a message, call aes_wipe on it. *k must outlive the context.
// Do not set it up again or assign to it meanwhile: nothing notices.
//
// A call out of order returns AES_ERR_ORDER and changes nothing: text before all AAD, an end before
// all text. So does AES_ERR_LENGTH for more AAD or text than the start announced. Every other error
// wipes the context, which then accepts only a start. A start that fails wipes it too.

typedef struct {
  const aes_key_t *key;
  uint32_t first[4];      // counter block 0, whose encryption hides the tag
  uint32_t counter[4];    // the next counter block
  uint32_t state[4];      // CBC-MAC; the bytes of an incomplete block are XORed into it
  uint32_t stream[4];     // key stream of an incomplete block of text
  uint32_t after_aad[4];  // decryption: CBC-MAC before the text,
  uint32_t verified[4];   //   and of the message whose tag was verified
  uint64_t aad_left;
  uint64_t text_bytes;
  uint64_t text_left;
  uint32_t used;          // bytes of an incomplete block
  uint32_t tag_bytes;
  uint32_t phase;
} aes_ccm_t;

int aes_ccm_start(aes_ccm_t *c, const aes_key_t *k, const uint8_t *nonce, size_t nonce_bytes,
                  uint64_t aad_bytes, uint64_t text_bytes, size_t tag_bytes);
int aes_ccm_aad(aes_ccm_t *c, const uint8_t *aad, size_t n);

// encrypt_finish writes the tag_bytes of the start.
int aes_ccm_encrypt_update(aes_ccm_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aes_ccm_encrypt_finish(aes_ccm_t *c, uint8_t *tag);

// First pass over the ciphertext. After AES_OK of verify_finish the context decrypts; AES_ERR_TAG
// wipes it.
int aes_ccm_verify_update(aes_ccm_t *c, const uint8_t *in, size_t n);
int aes_ccm_verify_finish(aes_ccm_t *c, const uint8_t *tag);

// Second pass. decrypt_finish returns AES_ERR_TAG if the two passes read different ciphertexts:
// discard the plaintext then.
int aes_ccm_decrypt_update(aes_ccm_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aes_ccm_decrypt_finish(aes_ccm_t *c);

#endif
