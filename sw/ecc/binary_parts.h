// SPDX-License-Identifier: Apache-2.0
// Shared by the files on binary curves: sums, byte strings, traces, inversion, and what is a valid
// key. Validation: SP 800-56A revision 3, section 5.6.2.3.3; see is_valid. Inversion: T. Itoh, S.
// Tsujii, Information and Computation 78 (1988). Private to sw/ecc.
#ifndef BINARY_PARTS_H
#define BINARY_PARTS_H

#include "binary.h"
#include "words.h"

#define PART static __attribute__((unused))

PART void add(uint32_t *r, const uint32_t *a, const uint32_t *b) {
  for (unsigned i = 0; i < BINARY_WORDS; i++) r[i] = a[i] ^ b[i];
}

PART unsigned coordinate_bytes(const binary_field_t *f) { return (f->bits + 7u) / 8u; }

// Read n <= 32 big-endian bytes.
PART void get(uint32_t *r, const uint8_t *bytes, unsigned n) {
  ecc_set(r, 0u, BINARY_WORDS);
  for (unsigned i = 0; i < n; i++) r[i / 4] |= (uint32_t)bytes[n - 1 - i] << (8 * (i % 4));
}

PART void put(uint8_t *bytes, const uint32_t *a, unsigned n) {
  for (unsigned i = 0; i < n; i++) bytes[n - 1 - i] = (uint8_t)(a[i / 4] >> (8 * (i % 4)));
}

PART uint32_t bit(const uint32_t *a, unsigned i) { return (a[i / 32] >> (i % 32)) & 1u; }

// All ones if a is zero. Reduces a.
PART uint32_t is_zero(const binary_field_t *f, uint32_t *a) {
  f->reduce(a);
  return ecc_is_zero(a, f->words);
}

PART uint32_t trace(const binary_field_t *f, uint32_t *a) {
  uint32_t sum = 0u;
  f->reduce(a);
  for (unsigned i = 0; i < BINARY_WORDS; i++) sum ^= a[i] & f->trace[i];
  for (unsigned i = 16; i > 0; i /= 2) sum ^= sum >> i;
  return sum & 1u;
}

// r = 1 / a, and 0 of 0: a^(2^m - 2), along the bits of m - 1. r is not a.
PART void invert(const binary_field_t *f, uint32_t *r, const uint32_t *a) {
  const unsigned target = f->bits - 1u;
  binary_element_t power;  // a^(2^done - 1)
  unsigned done = 1u, top = 0u;
  while ((target >> top) > 1u) top++;
  ecc_copy(r, a, BINARY_WORDS);
  while (top-- > 0u) {
    ecc_copy(power, r, BINARY_WORDS);
    f->sqr_n(r, r, done);
    f->mul(r, r, power);
    done *= 2u;
    if ((target >> top) & 1u) {
      f->sqr_n(r, r, 1u);
      f->mul(r, r, a);
      done++;
    }
  }
  f->sqr_n(r, r, 1u);
  ecc_wipe(power, sizeof power);
}

// The sum of a's powers 4^i, i <= (m - 1) / 2, along the bits of (m + 1) / 2: for Tr(a) = 0 it
// solves l^2 + l = a. r is not a.
PART void half_trace(const binary_field_t *f, uint32_t *r, const uint32_t *a) {
  const unsigned target = (f->bits + 1u) / 2u;
  binary_element_t sum;  // of the first `done` powers
  unsigned done = 1u, top = 0u;
  while ((target >> top) > 1u) top++;
  ecc_copy(r, a, BINARY_WORDS);
  while (top-- > 0u) {
    ecc_copy(sum, r, BINARY_WORDS);
    f->sqr_n(r, r, 2u * done);
    add(r, r, sum);
    done *= 2u;
    if ((target >> top) & 1u) {
      f->sqr_n(r, r, 2u);
      add(r, r, a);
      done++;
    }
  }
}

// Is (x, y) a point of the curve of order n? Public values, but the time is the same anyway.
//
// SP 800-56A asks whether n Q is infinity. The group is cyclic of order h n with h = 2 or 4: the
// points of order n, and infinity, are h times the others; and a point is twice another one
// exactly if Tr(x) = Tr(a) (E. Knudsen, "Elliptic scalar multiplication using point halving",
// ASIACRYPT 1999). The x-coordinate u of a half has u^2 = y + x (l + 1) with l^2 + l = x + a: for
// h = 4 a half must be twice another one, too. Solutions l and l + 1 give the same trace. Infinity
// has no coordinates, and the points of order 2 and 4 fail (tests/sw/test_ecc_binary.py compares
// with n Q). All of it costs little more than an inversion.
PART uint32_t is_valid(const binary_curve_t *c, const uint32_t *x, const uint32_t *y) {
  const binary_field_t *f = c->field;
  binary_element_t left, right, t;
  // Coordinates in range
  uint32_t bad = (x[f->words - 1] | y[f->words - 1]) >> (f->bits % 32u);
  // y (y + x) = x^2 (x + a) + b
  add(t, x, y);
  f->mul(left, t, y);
  add(t, x, c->a);
  f->sqr_n(right, x, 1u);
  f->mul(right, right, t);
  add(right, right, c->b);
  add(left, left, right);
  bad |= ~is_zero(f, left);
  ecc_copy(t, c->a, BINARY_WORDS);
  ecc_copy(left, x, BINARY_WORDS);
  bad |= trace(f, left) ^ trace(f, t);
  if (c->cofactor_log2 == 2u) {
    add(right, x, c->a);
    half_trace(f, t, right);
    f->mul(t, t, x);
    add(t, t, y);
    add(t, t, x);
    ecc_copy(left, c->a, BINARY_WORDS);
    bad |= trace(f, t) ^ trace(f, left);
  }
  return ecc_mask_zero(bad);
}

// Read a private key; all ones if 0 < d < n.
PART uint32_t get_scalar(const binary_curve_t *c, uint32_t *k, const uint8_t *d) {
  get(k, d, coordinate_bytes(c->field));
  return ~ecc_is_zero(k, BINARY_WORDS) & ecc_is_less(k, c->n, BINARY_WORDS);
}

#endif
