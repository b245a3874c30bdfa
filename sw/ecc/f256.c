// SPDX-License-Identifier: Apache-2.0
// The field of P-256 in C. Montgomery's reduction suits this prime: -1/p = 1 modulo 2^32, so the
// multiple of p that clears a word is the word itself. p times a word needs only additions and a
// subtraction.
#include "f256.h"

#include "words.h"

static const uint32_t prime[8] = {0xffffffffu, 0xffffffffu, 0xffffffffu, 0u,
                                  0u,          0u,          1u,          0xffffffffu};

// r += p if the mask is all ones; a carry is dropped.
static inline void add_prime(f256_t r, uint32_t mask) {
  uint64_t sum = 0u;
  __asm__("" : "+r"(mask));
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8u; i++) {
    sum += (uint64_t)r[i] + (prime[i] & mask);
    r[i] = (uint32_t)sum;
    sum >>= 32;
  }
}

// r + 2^256 c - p, or r + 2^256 c if that is below zero; r + 2^256 c is below 2 p.
static inline void reduce_once(f256_t r, uint32_t c) {
  int64_t sum = 0;
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8u; i++) {
    sum += (int64_t)r[i] - (int64_t)prime[i];
    r[i] = (uint32_t)sum;
    sum >>= 32;
  }
  add_prime(r, (uint32_t)sum + c);
}

// r = t / 2^256. Adding p times word k of t at place k clears that word. What remains of p is an
// addition at each of the places k + 3, k + 6 and k + 8 and a subtraction at k + 7.
static void reduce(f256_t r, const uint32_t t[16]) {
  uint32_t m[8];
  int64_t sum = 0;
#pragma GCC unroll 16
  for (unsigned k = 0; k < 16u; k++) {
    sum += t[k];
    if (k >= 3u && k < 11u) {
      sum += m[k - 3u];
    }
    if (k >= 6u && k < 14u) {
      sum += m[k - 6u];
    }
    if (k >= 7u && k < 15u) {
      sum -= m[k - 7u];
    }
    if (k >= 8u) {
      sum += m[k - 8u];
      r[k - 8u] = (uint32_t)sum;
    } else {
      m[k] = (uint32_t)sum;
    }
    sum >>= 32;
  }
  reduce_once(r, (uint32_t)sum);
}

ECC_WEAK void f256_mul(f256_t r, const f256_t a, const f256_t b) {
  uint32_t t[16];
  ecc_mul256(t, a, b);
  reduce(r, t);
}

ECC_WEAK void f256_sqr(f256_t r, const f256_t a, unsigned n) {
  uint32_t t[16];
  ecc_sqr256(t, a);
  reduce(r, t);
  while (--n != 0u) {
    ecc_sqr256(t, r);
    reduce(r, t);
  }
}

ECC_WEAK void f256_add(f256_t r, const f256_t a, const f256_t b) {
  uint64_t sum = 0u;
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8u; i++) {
    sum += (uint64_t)a[i] + b[i];
    r[i] = (uint32_t)sum;
    sum >>= 32;
  }
  reduce_once(r, (uint32_t)sum);
}

ECC_WEAK void f256_sub(f256_t r, const f256_t a, const f256_t b) {
  int64_t sum = 0;
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8u; i++) {
    sum += (int64_t)a[i] - (int64_t)b[i];
    r[i] = (uint32_t)sum;
    sum >>= 32;
  }
  add_prime(r, (uint32_t)sum);
}

// r = a / 2: a or a + p, whichever is even.
static void half(f256_t r, const f256_t a) {
  uint32_t top = a[0] & 1u;
  ecc_copy(r, a, 8);
  top = ecc_add_masked(r, ecc_mask_bit(top), prime, 8);
  for (unsigned i = 8; i-- > 0u;) {
    uint32_t low = r[i] & 1u;
    r[i] = (r[i] >> 1) | (top << 31);
    top = low;
  }
}

// Source: Explicit-Formulas Database, shortw/jacobian-3, "dbl-2001-b" with 2y in place of y:
//   d = z^2, g = (2y)^2, b = x g, a = 3 (x - d)(x + d)
//   x' = a^2 - 2b, z' = 2y z, y' = a (b - x') - g^2 / 2
ECC_WEAK void p256_double(p256_point_t *q, unsigned n) {
  uint32_t *a = q->t[0], *b = q->t[1], *d = q->t[2], *g = q->t[3];
  for (; n != 0u; n--) {
    f256_sqr(d, q->z, 1);
    f256_sub(a, q->x, d);
    f256_add(d, q->x, d);
    f256_mul(a, a, d);
    f256_add(d, a, a);
    f256_add(a, a, d);
    f256_add(d, q->y, q->y);
    f256_mul(q->z, q->z, d);
    f256_sqr(g, d, 1);
    f256_mul(b, q->x, g);
    f256_sqr(q->x, a, 1);
    f256_sub(q->x, q->x, b);
    f256_sub(q->x, q->x, b);
    f256_sqr(g, g, 1);
    half(g, g);
    f256_sub(b, b, q->x);
    f256_mul(b, a, b);
    f256_sub(q->y, b, g);
  }
}

// Source: Explicit-Formulas Database, shortw/jacobian, addition with z2 = 1 ("madd"):
//   h = x2 z1^2 - x1, r = y2 z1^3 - y1, v = x1 h^2
//   x' = r^2 - h^3 - 2v, y' = r (v - x') - y1 h^3, z' = z1 h
ECC_WEAK void p256_add_affine(p256_point_t *q) {
  uint32_t *h = q->t[0], *r = q->t[1], *t = q->t[2], *v = q->t[3];
  f256_sqr(t, q->z, 1);
  f256_mul(h, q->ax, t);
  f256_mul(t, t, q->z);
  f256_mul(r, q->ay, t);
  f256_sub(h, h, q->x);
  f256_sub(r, r, q->y);
  f256_mul(q->z, q->z, h);
  f256_sqr(t, h, 1);
  f256_mul(v, q->x, t);
  f256_mul(t, t, h);
  f256_sqr(q->x, r, 1);
  f256_sub(q->x, q->x, t);
  f256_sub(q->x, q->x, v);
  f256_sub(q->x, q->x, v);
  f256_mul(t, t, q->y);
  f256_sub(v, v, q->x);
  f256_mul(v, v, r);
  f256_sub(q->y, v, t);
}

// SP 800-186, section 3.2.1.3.
const uint32_t p256_order[8] = {0xfc632551u, 0xf3b9cac2u, 0xa7179e84u, 0xbce6faadu,
                                0xffffffffu, 0xffffffffu, 0u,          0xffffffffu};

#define ORDER_0 0xee00bc4fu  // -1 / n modulo 2^32

// The product, then Montgomery's reduction: one word of it is cleared at a time.
ECC_WEAK void p256_order_mul(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  uint32_t t[16];
  uint32_t top = 0u;
  ecc_mul256(t, a, b);
  for (unsigned i = 0; i < 8u; i++) {
    uint32_t m = t[i] * ORDER_0;
    uint64_t sum = 0u;
#pragma GCC unroll 8
    for (unsigned j = 0; j < 8u; j++) {
      sum += (uint64_t)m * p256_order[j] + t[i + j];
      t[i + j] = (uint32_t)sum;
      sum >>= 32;
    }
    sum += (uint64_t)t[i + 8u] + top;
    t[i + 8u] = (uint32_t)sum;
    top = (uint32_t)(sum >> 32);
  }
  uint32_t borrow = ecc_sub(r, t + 8, p256_order, 8);
  (void)ecc_add_masked(r, ecc_mask_bit(borrow & (top ^ 1u)), p256_order, 8);
}
