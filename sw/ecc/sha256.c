// SPDX-License-Identifier: Apache-2.0
// SHA-256 in the order of FIPS 180-4, sections 5 and 6.2; HMAC of FIPS 198-1. Time depends on the
// lengths alone.
#include "sha256.h"

#include "words.h"

#define ROUNDS 64u
#define BLOCK 64u
#define DIGEST 32u

// Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first primes.
static const uint32_t constant[ROUNDS] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u,
    0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu,
    0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu,
    0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
    0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
    0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
    0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u,
    0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u,
    0xc67178f2u};

static inline uint32_t rotate(uint32_t x, unsigned n) {
  return (x >> n) | (x << (32u - n));
}

// Section 6.2.2, steps 3 and 2. The names of the working variables rotate instead of their values,
// and the message schedule is a ring of 16 words.
#define ROUND(a, b, c, d, e, f, g, h, i)                                                     \
  do {                                                                                       \
    (h) += (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((g) ^ ((e) & ((f) ^ (g)))) +    \
           constant[t + (i)] + w[i];                                                         \
    (d) += (h);                                                                              \
    (h) += (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + (((a) & (b)) | ((c) & ((a) | (b)))); \
  } while (0)

#define ROUNDS_8(i)                              \
  do {                                           \
    ROUND(a, b, c, d, e, f, g, h, (i) + 0u);     \
    ROUND(h, a, b, c, d, e, f, g, (i) + 1u);     \
    ROUND(g, h, a, b, c, d, e, f, (i) + 2u);     \
    ROUND(f, g, h, a, b, c, d, e, (i) + 3u);     \
    ROUND(e, f, g, h, a, b, c, d, (i) + 4u);     \
    ROUND(d, e, f, g, h, a, b, c, (i) + 5u);     \
    ROUND(c, d, e, f, g, h, a, b, (i) + 6u);     \
    ROUND(b, c, d, e, f, g, h, a, (i) + 7u);     \
  } while (0)

static void compress(uint32_t state[8], const uint8_t block[BLOCK]) {
  uint32_t w[16];
  for (unsigned i = 0; i < 16u; i++, block += 4) {
    w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
           (uint32_t)block[3];
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (unsigned t = 0; t < ROUNDS; t += 16u) {
    if (t != 0u) {
#pragma GCC unroll 16
      for (unsigned i = 0; i < 16u; i++) {
        uint32_t w2 = w[(i + 14u) % 16u], w15 = w[(i + 1u) % 16u];
        w[i] += (rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >> 10)) + w[(i + 9u) % 16u] +
                (rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >> 3));
      }
    }
    ROUNDS_8(0u);
    ROUNDS_8(8u);
  }
  const uint32_t worked[8] = {a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8u; i++) {
    state[i] += worked[i];
  }
  ecc_wipe(w, sizeof w);
}

void sha256_init(sha256_t *s) {
  // Section 5.3.3.
  static const uint32_t initial[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                      0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  ecc_copy(s->state, initial, 8);
  s->bytes = 0u;
}

void sha256_update(sha256_t *s, const uint8_t *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    s->block[s->bytes % BLOCK] = data[i];
    if (++s->bytes % BLOCK == 0u) {
      compress(s->state, s->block);
    }
  }
}

void sha256_final(sha256_t *s, uint8_t digest[DIGEST]) {
  static const uint8_t end = 0x80u, zero = 0u;
  uint32_t bits = s->bytes * 8u;  // messages here are short
  uint8_t length[8] = {0, 0, 0, 0, (uint8_t)(bits >> 24), (uint8_t)(bits >> 16),
                       (uint8_t)(bits >> 8), (uint8_t)bits};
  sha256_update(s, &end, 1);
  while (s->bytes % BLOCK != BLOCK - sizeof length) {
    sha256_update(s, &zero, 1);
  }
  sha256_update(s, length, sizeof length);
  for (unsigned i = 0; i < DIGEST; i++) {
    digest[i] = (uint8_t)(s->state[i / 4u] >> (24u - 8u * (i % 4u)));
  }
  ecc_wipe(s, sizeof *s);
}

static void keyed(sha256_t *s, const uint8_t key[DIGEST], uint8_t pad) {
  uint8_t block[BLOCK];
  for (unsigned i = 0; i < BLOCK; i++) {
    block[i] = (uint8_t)((i < DIGEST ? key[i] : 0u) ^ pad);
  }
  sha256_init(s);
  sha256_update(s, block, BLOCK);
  ecc_wipe(block, sizeof block);
}

ECC_WEAK void hmac_sha256(uint8_t mac[DIGEST], const uint8_t key[DIGEST],
                          const uint8_t *const data[], const size_t bytes[], size_t parts) {
  sha256_t s;
  uint8_t inner[DIGEST];
  keyed(&s, key, 0x36u);
  for (size_t i = 0; i < parts; i++) {
    sha256_update(&s, data[i], bytes[i]);
  }
  sha256_final(&s, inner);
  keyed(&s, key, 0x5cu);
  sha256_update(&s, inner, DIGEST);
  sha256_final(&s, mac);
  ecc_wipe(inner, sizeof inner);
}
