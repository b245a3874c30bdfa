// SPDX-License-Identifier: Apache-2.0
// Points of P-256, for Diffie-Hellman and signatures.
#ifndef ECC_P256_H
#define ECC_P256_H

#include "f256.h"

#define P256_MULTIPLES 8u

// P, 3 P, ..., 15 P.
typedef struct {
  f256_t x[P256_MULTIPLES], y[P256_MULTIPLES];
} p256_table_t;

extern const p256_table_t p256_generator;

// Scratch of an inversion.
typedef struct {
  f256_t t[6];
} p256_room_t;

// Working memory of a multiplication; its owner wipes it.
typedef struct {
  p256_table_t table;
  p256_point_t q, twice;
  f256_t x, y;  // operand, then result
  f256_t z[P256_MULTIPLES], product[P256_MULTIPLES];
  uint32_t k[8];
  p256_room_t room;
} p256_work_t;

// A number 0 < k < n from 32 big-endian bytes; returns all ones if it is out of range.
uint32_t p256_read_scalar(uint32_t k[8], const uint8_t bytes[32]);

// Read a point from 64 bytes into w->x and w->y; returns all ones if it is not on the curve.
uint32_t p256_read_point(p256_work_t *w, const uint8_t bytes[64]);

// Odd multiples of the point (w->x, w->y) into w->table. Needs a point of order n.
void p256_make_table(p256_work_t *w);

// (w->x, w->y) = w->k times the point of a table, 0 < k < n, in constant time.
void p256_multiply(p256_work_t *w, const p256_table_t *table);

// (x, y) = q, which must not be infinity.
void p256_to_affine(f256_t x, f256_t y, const p256_point_t *q, p256_room_t *room);

// Convert an element of the field out of Montgomery form.
void p256_plain(f256_t r, const f256_t a);

// 1 in Montgomery form.
extern const f256_t p256_one;

#endif
