// SPDX-License-Identifier: Apache-2.0
// The field of 2^255 - 19 in C. 2^256 = 38 modulo p: the upper half of a product, times 38, is
// added to the lower half; the overflow above 2^256 is folded in the same way.
#include "f25519.h"

#include "words.h"

#define A24 121665u  // (486662 - 2) / 4, RFC 7748, section 5

// r += 38 c, for c below 2^26. After the second carry the number is below 2^32, so adding 38 gives
// no further carry.
static void fold(f25519_t r, uint32_t c) {
  uint64_t sum = (uint64_t)c * 38u;
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8u; i++) {
    sum += r[i];
    r[i] = (uint32_t)sum;
    sum >>= 32;
  }
  r[0] += (0u - (uint32_t)sum) & 38u;
}

static void reduce(f25519_t r, const uint32_t t[16]) {
  uint32_t carry = 0u;
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8u; i++) {
    uint64_t sum = (uint64_t)t[i + 8u] * 38u + t[i] + carry;
    r[i] = (uint32_t)sum;
    carry = (uint32_t)(sum >> 32);
  }
  fold(r, carry);
}

ECC_WEAK void f25519_mul(f25519_t r, const f25519_t a, const f25519_t b) {
  uint32_t t[16];
  ecc_mul256(t, a, b);
  reduce(r, t);
}

ECC_WEAK void f25519_sqr(f25519_t r, const f25519_t a, unsigned n) {
  uint32_t t[16];
  ecc_sqr256(t, a);
  reduce(r, t);
  while (--n != 0u) {
    ecc_sqr256(t, r);
    reduce(r, t);
  }
}

static void add(f25519_t r, const f25519_t a, const f25519_t b) {
  fold(r, ecc_add(r, a, b, 8));
}

// a - b: a borrow of 2^256 is a borrow of 38, twice at most.
static void sub(f25519_t r, const f25519_t a, const f25519_t b) {
  uint32_t borrow = ecc_sub(r, a, b, 8) * 38u;
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8u; i++) {
    uint32_t difference = r[i] - borrow;
    borrow = r[i] < borrow;
    r[i] = difference;
  }
  r[0] -= (0u - borrow) & 38u;
}

// r = a + A24 b
static void add_a24(f25519_t r, const f25519_t a, const f25519_t b) {
  uint32_t carry = 0u;
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8u; i++) {
    uint64_t sum = (uint64_t)b[i] * A24 + a[i] + carry;
    r[i] = (uint32_t)sum;
    carry = (uint32_t)(sum >> 32);
  }
  fold(r, carry);
}

// Source: RFC 7748, section 5. Exchanging the pairs leaves x3 and z3 as they are (D A and C B
// change places: the square of their difference stays), so only what is doubled is selected.
ECC_WEAK void x25519_step(x25519_ladder_t *s, uint32_t swap) {
  uint32_t mask = ecc_mask_bit(swap);
  uint32_t *a = s->room[0], *b = s->room[1], *c = s->room[2], *d = s->room[3];
  add(a, s->x2, s->z2);
  sub(b, s->x2, s->z2);
  add(c, s->x3, s->z3);
  sub(d, s->x3, s->z3);
  f25519_mul(s->x3, d, a);
  f25519_mul(s->z3, c, b);
  ecc_select(a, mask, a, c, 8);
  ecc_select(b, mask, b, d, 8);
  f25519_sqr(a, a, 1);
  f25519_sqr(b, b, 1);
  add(c, s->x3, s->z3);
  sub(d, s->x3, s->z3);
  f25519_sqr(s->x3, c, 1);
  f25519_sqr(d, d, 1);
  f25519_mul(s->z3, s->x1, d);
  f25519_mul(s->x2, a, b);
  sub(b, a, b);
  add_a24(a, a, b);
  f25519_mul(s->z2, a, b);
}
