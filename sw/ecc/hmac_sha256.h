// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 (FIPS 198-1) with 32-byte keys, for the nonces of RFC 6979.
//
// hmac_sha256 is weak. Link sw/hash/sha256.c, or define it on the SHA-256 of your own software, and
// the program holds one SHA-256: the linker drops the other.
#ifndef ECC_HMAC_SHA256_H
#define ECC_HMAC_SHA256_H

#include <stddef.h>
#include <stdint.h>

// A hash of a short message, below 2^29 bytes.
typedef struct {
  uint32_t state[8];
  uint8_t block[64];
  uint32_t bytes;  // so far
} short_sha256_t;

void short_sha256_init(short_sha256_t *s);
void short_sha256_update(short_sha256_t *s, const uint8_t *data, size_t bytes);
void short_sha256_final(short_sha256_t *s, uint8_t digest[32]);

// mac = HMAC-SHA-256(key, data[0] || data[1] || ...): `parts` pieces of the given lengths.
void hmac_sha256(uint8_t mac[32], const uint8_t key[32], const uint8_t *const data[],
                 const size_t bytes[], size_t parts);

#endif
