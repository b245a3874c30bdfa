// SPDX-License-Identifier: Apache-2.0
// AES-XTS over the kernel contract: encryption of the sectors of a storage device.
// Source: NIST SP 800-38E, which approves IEEE Std 1619-2007.
//
// A data unit, a sector for example, is enciphered by itself, under a tweak that is its place. It
// has 16 bytes to 2^20 blocks, other lengths return AES_ERR_LENGTH. If it does not end with a
// complete block, ciphertext stealing keeps its length.
//
// XTS authenticates nothing: a changed ciphertext decrypts to random blocks, without an error.
//
// Buffers have any alignment and are either equal or disjoint, else AES_ERR_OVERLAP. Check every
// status. A length or an overlap that is refused leaves the output unchanged; every other error
// leaves zeros. The time depends on lengths only. Secrets on the stack and in registers are wiped.
#ifndef AES_XTS_H
#define AES_XTS_H

#include "aes_modes.h"

#define AES_XTS_MAX_BYTES ((size_t)16u << 20)  // of a data unit

typedef struct {
  aes_key_t data;
  aes_key_t tweak;
  uint32_t decrypts;  // the direction that `data` is for
} aes_xts_key_t;

// Expand `key`: two keys of key_bits / 16 bytes, for data and for tweaks. key_bits is 256 (AES-128)
// or 512 (AES-256). AES_ERR_WEAK_KEY: the two are equal (FIPS 140-3, implementation guidance C.I).
// Variants that only encrypt return AES_ERR_UNSUPPORTED for decryption. Unless AES_OK, *k holds no
// key.
int aes_xts_set_encrypt_key(aes_xts_key_t *k, const uint8_t *key, unsigned key_bits);
int aes_xts_set_decrypt_key(aes_xts_key_t *k, const uint8_t *key, unsigned key_bits);

// Forget a key.
void aes_xts_clear_key(aes_xts_key_t *k);

// One data unit. `tweak` (16 bytes) is never secret and must not repeat under one key for other
// data. AES_ERR_KEY: *k holds no key for this direction.
int aes_xts_encrypt(const aes_xts_key_t *k, const uint8_t *tweak, const uint8_t *in, uint8_t *out,
                    size_t bytes);
int aes_xts_decrypt(const aes_xts_key_t *k, const uint8_t *tweak, const uint8_t *in, uint8_t *out,
                    size_t bytes);

// The tweak of a data unit that is known by its number: little-endian.
static inline void aes_xts_number(uint8_t tweak[16], uint64_t number) {
  for (unsigned i = 0; i < 16u; i++) {
    tweak[i] = (uint8_t)number;
    number >>= 8;
  }
}

// For kernels, which may override these weak functions: whole blocks, each XORed with *tweak before
// and after the cipher; *tweak is multiplied by x after each. Unless AES_OK, `out` holds zeros.
int aes_xts_encrypt_blocks(const aes_key_t *k, uint32_t tweak[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks);
int aes_xts_decrypt_blocks(const aes_key_t *k, uint32_t tweak[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks);

#endif
