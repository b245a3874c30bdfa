// SPDX-License-Identifier: Apache-2.0
// GF(2^233) = GF(2)[x] / (x^233 + x^74 + 1) (SP 800-186, section 3.2.2; SEC 2, section 3.3).
#include "binary.h"
#include "gf2_words.h"

#define WEAK __attribute__((weak))
#define WORDS 8

// Word i >= 8 is x^(32 i) = x^(32 (i - 8) + 23) + x^(32 (i - 5) + 1).
static void fold(uint32_t *r, uint32_t c[2 * WORDS]) {
#pragma GCC unroll 8
  for (unsigned i = 2 * WORDS - 1; i >= WORDS; i--) {
    const uint32_t t = c[i];
    c[i - 8] ^= t << 23;
    c[i - 7] ^= t >> 9;
    c[i - 5] ^= t << 1;
    c[i - 4] ^= t >> 31;
  }
#pragma GCC unroll 8
  for (unsigned i = 0; i < WORDS; i++) r[i] = c[i];
}

GF2_IN_ORDER static void mul64(uint32_t c[4], const uint32_t a[2], const uint32_t b[2]) {
  gf2_mul64(c, a, b);
}

// Karatsuba on halves of two words.
static void mul128(uint32_t c[8], const uint32_t a[4], const uint32_t b[4]) {
  uint32_t middle[4];
  const uint32_t sum_a[2] = {a[0] ^ a[2], a[1] ^ a[3]};
  const uint32_t sum_b[2] = {b[0] ^ b[2], b[1] ^ b[3]};
  mul64(c, a, b);
  mul64(c + 4, a + 2, b + 2);
  mul64(middle, sum_a, sum_b);
#pragma GCC unroll 8
  for (unsigned i = 0; i < 4; i++) middle[i] ^= c[i] ^ c[i + 4];
#pragma GCC unroll 8
  for (unsigned i = 0; i < 4; i++) c[i + 2] ^= middle[i];
}

WEAK void gf2_233_mul(uint32_t *r, const uint32_t *a, const uint32_t *b) {
  uint32_t c[2 * WORDS], middle[WORDS], sum_a[4], sum_b[4];
#pragma GCC unroll 8
  for (unsigned i = 0; i < 4; i++) {
    sum_a[i] = a[i] ^ a[i + 4];
    sum_b[i] = b[i] ^ b[i + 4];
  }
  mul128(c, a, b);
  mul128(c + 8, a + 4, b + 4);
  mul128(middle, sum_a, sum_b);
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8; i++) middle[i] ^= c[i] ^ c[i + 8];
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8; i++) c[i + 4] ^= middle[i];
  fold(r, c);
}

WEAK void gf2_233_sqr_n(uint32_t *r, const uint32_t *a, unsigned n) {
  for (; n > 0; n--, a = r) {
    uint32_t c[2 * WORDS];
    gf2_sqr_words(c, a, WORDS);
    fold(r, c);
  }
}

WEAK void gf2_233_ladder(binary_ladder_t *l) { binary_ladder(&gf2_233, l); }

static void reduce(uint32_t *r) {
  const uint32_t t = r[7] >> 9;
  r[7] &= 0x1ffu;
  r[0] ^= t;
  r[2] ^= t << 10;
  r[3] ^= t >> 22;
}

// The trace of x^i is one for i = 0 and 159 only (tests/sw/test_ecc_binary.py).
const binary_field_t gf2_233 = {
    .words = WORDS,
    .bits = 233,
    .trace = {[0] = 1u, [4] = 1u << 31},
    .mul = gf2_233_mul,
    .sqr_n = gf2_233_sqr_n,
    .reduce = reduce,
    .ladder = gf2_233_ladder,
};
