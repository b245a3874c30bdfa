// SPDX-License-Identifier: Apache-2.0
// The field of P-256 and the doubling of points: what a unit may replace.
//
// p = 2^256 - 2^224 + 2^192 + 2^96 - 1. An element is its least residue, 8 words, below p; a stands
// for a / 2^256 (Montgomery form). Results may be operands too.
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

// A point (x / z^2, y / z^3); z = 0 is infinity.
typedef struct {
  f256_t x, y, z;
} p256_point_t;

// Room for intermediate results of the functions below; it holds secrets afterwards.
typedef struct {
  f256_t t[6];
} p256_room_t;

// n times q = 2 q, n > 0. Infinity stays infinity.
void p256_double(p256_point_t *q, unsigned n, p256_room_t *room);

// q = q + (x, y), the latter not infinity. Returns all ones if q was the same point (the result is
// then to be had by doubling), or its negative, or infinity; zero if the result is right.
uint32_t p256_add_affine(p256_point_t *q, const f256_t x, const f256_t y, p256_room_t *room);

// r = a b / 2^256 modulo the order n of the group; all below n.
void p256_order_mul(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);

extern const uint32_t p256_order[8];

#endif
