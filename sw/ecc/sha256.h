// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (FIPS 198-1) with 32-byte keys, for the nonces of RFC 6979.
#ifndef ECC_SHA256_H
#define ECC_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t state[8];
  uint8_t block[64];
  uint32_t bytes;  // so far
} sha256_t;

void sha256_init(sha256_t *s);
void sha256_update(sha256_t *s, const uint8_t *data, size_t bytes);
void sha256_final(sha256_t *s, uint8_t digest[32]);

// mac = HMAC-SHA-256(key, data[0] || data[1] || ...): `parts` pieces of the given lengths.
void hmac_sha256(uint8_t mac[32], const uint8_t key[32], const uint8_t *const data[],
                 const size_t bytes[], size_t parts);

#endif
