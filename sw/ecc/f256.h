// SPDX-License-Identifier: Apache-2.0
// The field of P-256 and its point arithmetic. A unit may override the functions.
//
// p = 2^256 - 2^224 + 2^192 + 2^96 - 1. An element is 8 words, least significant first, below p. It
// is in Montgomery form: the words a represent a / 2^256. Results may overlap operands.
#ifndef ECC_F256_H
#define ECC_F256_H

#include <stdint.h>

typedef uint32_t f256_t[8];

// r = a b / 2^256
void f256_mul(f256_t r, const f256_t a, const f256_t b);

// n times r = a^2 / 2^256, n > 0.
void f256_sqr(f256_t r, const f256_t a, unsigned n);

void f256_add(f256_t r, const f256_t a, const f256_t b);
void f256_sub(f256_t r, const f256_t a, const f256_t b);

// A point (x / z^2, y / z^3), z = 0 being infinity; a second operand (ax, ay); and scratch.
typedef struct {
  f256_t x, y, z;
  f256_t ax, ay;
  f256_t t[4];
} p256_point_t;

// n times q = 2 q, n > 0. Infinity stays infinity.
void p256_double(p256_point_t *q, unsigned n);

// q = q + (ax, ay). If q is infinity, the same point or its negative, z becomes zero, which is
// correct only for the negative: the caller excludes the other two.
void p256_add_affine(p256_point_t *q);

// r = a b / 2^256 modulo the order n of the group; all below n.
void p256_order_mul(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);

extern const uint32_t p256_order[8];

#endif
