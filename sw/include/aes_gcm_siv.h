// SPDX-License-Identifier: Apache-2.0
// AES-GCM-SIV over the kernel contract and GHASH: authenticated encryption that survives a repeated
// nonce. Source: RFC 8452.
//
// *k is the key-generating key, of aes_set_encrypt_key with 128 or 256 bits, in both directions.
// Each message has keys of its own, so each call expands a key; none stays in memory or in a unit.
// A nonce has 12 bytes, a tag 16. A nonce that repeats under one key reveals only whether the whole
// message repeats.
//
// Buffers have any alignment; input and output are either equal or disjoint. Check every status.
// AES_ERR_LENGTH (more than 2^36 bytes of text or AAD), AES_ERR_OVERLAP (other buffers) and
// AES_ERR_KEY_LENGTH (a key of 192 bits) leave the output unchanged; every other error leaves
// zeros. The time depends on lengths and on the verdict. Secrets on the stack and in registers are
// wiped.
//
// There is no call for pieces: encryption reads the whole text before it writes the first byte.
#ifndef AES_GCM_SIV_H
#define AES_GCM_SIV_H

#include "aes_gcm.h"

int aes_gcm_siv_encrypt(const aes_key_t *k, const uint8_t *nonce, const uint8_t *aad,
                        size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes,
                        uint8_t *tag);

// The tag authenticates the plaintext, so `out` holds it before the tag is compared. AES_ERR_TAG
// leaves zeros in `out`.
int aes_gcm_siv_decrypt(const aes_key_t *k, const uint8_t *nonce, const uint8_t *aad,
                        size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes,
                        const uint8_t *tag);

#endif
