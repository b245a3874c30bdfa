// SPDX-License-Identifier: Apache-2.0
// GF(2^163) = GF(2)[x] / (x^163 + x^7 + x^6 + x^3 + 1) (SEC 2, section 3.2).
#include "binary.h"
#include "gf2_words.h"

#define WEAK __attribute__((weak))
#define WORDS 6

// Word i >= 6 is x^(32 i) = x^(32 (i - 6) + 29) + x^(32 (i - 5)) (1 + x^3 + x^4).
static void fold(uint32_t *r, uint32_t c[2 * WORDS]) {
#pragma GCC unroll 8
  for (unsigned i = 2 * WORDS - 1; i >= WORDS; i--) {
    const uint32_t t = c[i];
    c[i - 6] ^= t << 29;
    c[i - 5] ^= (t >> 3) ^ t ^ (t << 3) ^ (t << 4);
    c[i - 4] ^= (t >> 29) ^ (t >> 28);
  }
#pragma GCC unroll 8
  for (unsigned i = 0; i < WORDS; i++) r[i] = c[i];
}

GF2_IN_ORDER static void mul64(uint32_t c[4], const uint32_t a[2], const uint32_t b[2]) {
  gf2_mul64(c, a, b);
}

// c[2 (i + j) ...] ^= (a_i + a_j) (b_i + b_j) on digits of two words: a_i b_i + a_j b_j too much,
// which the caller adds.
static void add_cross(uint32_t *c, const uint32_t *a, const uint32_t *b, unsigned i, unsigned j) {
  uint32_t product[4];
  const uint32_t sum_a[2] = {a[2 * i] ^ a[2 * j], a[2 * i + 1] ^ a[2 * j + 1]};
  const uint32_t sum_b[2] = {b[2 * i] ^ b[2 * j], b[2 * i + 1] ^ b[2 * j + 1]};
  mul64(product, sum_a, sum_b);
  for (unsigned k = 0; k < 4; k++) c[2 * (i + j) + k] ^= product[k];
}

// Three digits of two words, six products (Weimerskirch and Paar, "Generalizations of the Karatsuba
// algorithm", ePrint 2006/224).
WEAK void gf2_163_mul(uint32_t *r, const uint32_t *a, const uint32_t *b) {
  uint32_t c[2 * WORDS], d[3][4];
  for (unsigned i = 0; i < 3; i++) mul64(d[i], a + 2 * i, b + 2 * i);
  for (unsigned k = 0; k < 2; k++) {
    const uint32_t s0 = d[0][k], s1 = d[0][k + 2], t0 = d[1][k], t1 = d[1][k + 2];
    const uint32_t u0 = d[2][k], u1 = d[2][k + 2];
    // d0 + (d0 + d1) X + (d0 + d1 + d2) X^2 + (d1 + d2) X^3 + d2 X^4, X = x^64
    c[k] = s0;
    c[2 + k] = s1 ^ s0 ^ t0;
    c[4 + k] = s1 ^ t1 ^ s0 ^ t0 ^ u0;
    c[6 + k] = s1 ^ t1 ^ u1 ^ t0 ^ u0;
    c[8 + k] = t1 ^ u1 ^ u0;
    c[10 + k] = u1;
  }
  add_cross(c, a, b, 0, 1);
  add_cross(c, a, b, 0, 2);
  add_cross(c, a, b, 1, 2);
  fold(r, c);
}

WEAK void gf2_163_sqr_n(uint32_t *r, const uint32_t *a, unsigned n) {
  for (; n > 0; n--, a = r) {
    uint32_t c[2 * WORDS];
    gf2_sqr_words(c, a, WORDS);
    fold(r, c);
  }
}

WEAK void gf2_163_ladder(binary_ladder_t *l) { binary_ladder(&gf2_163, l); }

static void reduce(uint32_t *r) {
  const uint32_t t = r[5] >> 3;
  r[5] &= 7u;
  r[0] ^= t ^ (t << 3) ^ (t << 6) ^ (t << 7);
  r[1] ^= (t >> 29) ^ (t >> 26) ^ (t >> 25);
}

// The trace of x^i is one for i = 0 and 157 only (tests/sw/test_ecc_binary.py).
const binary_field_t gf2_163 = {
    .words = WORDS,
    .bits = 163,
    .trace = {[0] = 1u, [4] = 1u << 29},
    .mul = gf2_163_mul,
    .sqr_n = gf2_163_sqr_n,
    .reduce = reduce,
    .ladder = gf2_163_ladder,
};
