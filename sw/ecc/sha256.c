// SPDX-License-Identifier: Apache-2.0
// SHA-256 in the order of FIPS 180-4, sections 5 and 6.2; HMAC of FIPS 198-1. Time depends on the
// lengths alone. sw/hash is the same for messages of any length, with a hook for units.
#include "hmac_sha256.h"

#include "words.h"

#define BLOCK 64u
#define DIGEST 32u
#define SHA256_WIPE ecc_wipe
#define SHA256_T short_sha256_t
#define SHA256(name) short_sha256_##name
#define HMAC_LINKAGE ECC_WEAK

#include "sha256_rounds.h"

void short_sha256_init(short_sha256_t *s) {
  // Section 5.3.3.
  static const uint32_t initial[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                      0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  ecc_copy(s->state, initial, 8);
  s->bytes = 0u;
}

void short_sha256_update(short_sha256_t *s, const uint8_t *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    s->block[s->bytes % BLOCK] = data[i];
    if (++s->bytes % BLOCK == 0u) {
      sha256_compress(s->state, s->block);
    }
  }
}

void short_sha256_final(short_sha256_t *s, uint8_t digest[DIGEST]) {
  static const uint8_t end = 0x80u, zero = 0u;
  uint32_t bits = s->bytes * 8u;  // messages here are short
  uint8_t length[8] = {0, 0, 0, 0, (uint8_t)(bits >> 24), (uint8_t)(bits >> 16),
                       (uint8_t)(bits >> 8), (uint8_t)bits};
  short_sha256_update(s, &end, 1);
  while (s->bytes % BLOCK != BLOCK - sizeof length) {
    short_sha256_update(s, &zero, 1);
  }
  short_sha256_update(s, length, sizeof length);
  for (unsigned i = 0; i < DIGEST; i++) {
    digest[i] = (uint8_t)(s->state[i / 4u] >> (24u - 8u * (i % 4u)));
  }
  ecc_wipe(s, sizeof *s);
}

#include "sha256_hmac.h"
