// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of messages of any length, and HMAC-SHA-256 (FIPS 198-1): sw/hash.
//
// Data have any alignment. Time depends on lengths alone. final wipes the context; secrets on the
// stack are wiped. To abandon a message, call aes_wipe on its context.
//
// One SHA-256 in a program. The curves take hmac_sha256 for the nonces of RFC 6979; linked as an
// object, not from an archive, the one here replaces theirs, and with it their SHA-256. Software
// that brings its own SHA-256 defines hmac_sha256 on it instead and leaves sw/hash out.
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t state[8];
  uint64_t bytes;  // so far
  uint8_t block[64];
} sha256_t;

void sha256_init(sha256_t *s);
void sha256_update(sha256_t *s, const uint8_t *data, size_t n);
void sha256_final(sha256_t *s, uint8_t digest[32]);

// The hook: the compression function on nblocks blocks of 64 bytes (0 allowed). Weak: a unit
// replaces it, and everything here and each stack that calls it runs on the unit. `state` holds
// words as the standard numbers them.
void sha256_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);

// mac = HMAC-SHA-256(key, data[0] || data[1] || ...): `parts` pieces of the given lengths.
void hmac_sha256(uint8_t mac[32], const uint8_t key[32], const uint8_t *const data[],
                 const size_t bytes[], size_t parts);

#endif
