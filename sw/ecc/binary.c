// SPDX-License-Identifier: Apache-2.0
// Curves over binary fields: validation of points, the ladder, public keys and ECC CDH.
//
// Ladder: J. Lopez, R. Dahab, "Fast multiplication on elliptic curves over GF(2^m) without
// precomputation", CHES 1999: x-coordinates only, 5 or 6 multiplications and 4 squarings a step.
// Inversion: T. Itoh, S. Tsujii, Information and Computation 78 (1988).
// Validation: SP 800-56A revision 3, section 5.6.2.3.3; see is_valid.
#include "binary.h"

#include <stddef.h>

#include "ecc.h"
#include "words.h"

#define OFFSET(member, words) \
  _Static_assert(offsetof(binary_ladder_t, member) == 4 * (words), "units rely on the offsets")
OFFSET(x, 0);
OFFSET(root_b, 8);
OFFSET(toggle, 16);
OFFSET(double_x, 24);
OFFSET(double_z, 32);
OFFSET(sum_x, 40);
OFFSET(sum_z, 48);
OFFSET(scratch, 56);
OFFSET(steps, 80);
OFFSET(b_is_one, 81);

static void add(uint32_t *r, const uint32_t *a, const uint32_t *b) {
  for (unsigned i = 0; i < BINARY_WORDS; i++) r[i] = a[i] ^ b[i];
}

static unsigned coordinate_bytes(const binary_field_t *f) { return (f->bits + 7u) / 8u; }

// Big-endian bytes of any number up to 32.
static void get(uint32_t *r, const uint8_t *bytes, unsigned n) {
  ecc_set(r, 0u, BINARY_WORDS);
  for (unsigned i = 0; i < n; i++) r[i / 4] |= (uint32_t)bytes[n - 1 - i] << (8 * (i % 4));
}

static void put(uint8_t *bytes, const uint32_t *a, unsigned n) {
  for (unsigned i = 0; i < n; i++) bytes[n - 1 - i] = (uint8_t)(a[i / 4] >> (8 * (i % 4)));
}

static uint32_t bit(const uint32_t *a, unsigned i) { return (a[i / 32] >> (i % 32)) & 1u; }

// All ones for the element zero. Changes a's representative.
static uint32_t is_zero(const binary_field_t *f, uint32_t *a) {
  f->reduce(a);
  return ecc_is_zero(a, f->words);
}

static uint32_t trace(const binary_field_t *f, uint32_t *a) {
  uint32_t sum = 0u;
  f->reduce(a);
  for (unsigned i = 0; i < BINARY_WORDS; i++) sum ^= a[i] & f->trace[i];
  for (unsigned i = 16; i > 0; i /= 2) sum ^= sum >> i;
  return sum & 1u;
}

// r = 1 / a, and 0 of 0: a^(2^m - 2), along the bits of m - 1. r is not a.
static void invert(const binary_field_t *f, uint32_t *r, const uint32_t *a) {
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
static void half_trace(const binary_field_t *f, uint32_t *r, const uint32_t *a) {
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
static uint32_t is_valid(const binary_curve_t *c, const uint32_t *x, const uint32_t *y) {
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

// One step makes of D (the point that was doubled last) and S (the sum), which differ by the point
// P, the sum D + S and the double of one of both, chosen by the scalar's next bit.
void binary_ladder(const binary_field_t *f, binary_ladder_t *l) {
  uint32_t *const x = l->scratch[0], *const z = l->scratch[1], *const t = l->scratch[2];
  for (unsigned i = l->steps; i-- > 0u;) {
    const uint32_t mask = ecc_mask_bit(bit(l->toggle, i));
    ecc_select(x, mask, l->double_x, l->sum_x, BINARY_WORDS);
    ecc_select(z, mask, l->double_z, l->sum_z, BINARY_WORDS);
    // Sum: z = (x1 z2 + x2 z1)^2, x = P.x z + (x1 z2) (x2 z1)
    f->mul(t, l->double_x, l->sum_z);
    f->mul(l->sum_x, l->sum_x, l->double_z);
    add(l->sum_z, t, l->sum_x);
    f->sqr_n(l->sum_z, l->sum_z, 1u);
    f->mul(l->sum_x, l->sum_x, t);
    f->mul(t, l->x, l->sum_z);
    add(l->sum_x, l->sum_x, t);
    // Double: z = x^2 z^2, x = x^4 + b z^4
    f->sqr_n(x, x, 1u);
    f->sqr_n(z, z, 1u);
    f->mul(l->double_z, x, z);
    if (!l->b_is_one) f->mul(z, z, l->root_b);
    add(x, x, z);
    f->sqr_n(l->double_x, x, 1u);
  }
}

// d P in x-coordinates, P of order n. The scalar is k = d + n or d + 2 n, whichever has
// order_bits + 1 bits, so that the ladder begins with P and 2 P and has the same length for any d.
static void multiply(const binary_curve_t *c, binary_ladder_t *l, const uint32_t *d,
                     const uint32_t *x) {
  const binary_field_t *f = c->field;
  binary_element_t k;
  ecc_add(k, d, c->n, BINARY_WORDS);
  const uint32_t is_short = ecc_mask_bit(bit(k, c->order_bits) ^ 1u);
  ecc_add_masked(k, is_short, c->n, BINARY_WORDS);

  ecc_copy(l->x, x, BINARY_WORDS);
  ecc_copy(l->root_b, c->root_b, BINARY_WORDS);
  l->steps = c->order_bits;
  l->b_is_one = c->b[0] == 1u;
  for (unsigned i = 0; i < BINARY_WORDS; i++) {
    const uint32_t above = i + 1 < BINARY_WORDS ? k[i + 1] << 31 : 0u;
    l->toggle[i] = k[i] ^ (k[i] >> 1) ^ above;
  }
  // 2 P, which the leading one doubled, and P: z = x^2, x = x^4 + b.
  f->sqr_n(l->double_z, x, 1u);
  f->sqr_n(l->double_x, x, 2u);
  add(l->double_x, l->double_x, c->b);
  ecc_copy(l->sum_x, x, BINARY_WORDS);
  ecc_set(l->sum_z, 1u, BINARY_WORDS);
  for (unsigned i = 0; i < 3; i++) ecc_set(l->scratch[i], 0u, BINARY_WORDS);
  f->ladder(l);

  // The last bit says which is k P; the other one is (k + 1) P.
  const uint32_t odd = ecc_mask_bit(bit(k, 0u));
  uint32_t *const x1 = l->scratch[0], *const z1 = l->scratch[1];
  ecc_select(x1, odd, l->double_x, l->sum_x, BINARY_WORDS);
  ecc_select(z1, odd, l->double_z, l->sum_z, BINARY_WORDS);
  ecc_select(l->sum_x, odd, l->sum_x, l->double_x, BINARY_WORDS);
  ecc_select(l->sum_z, odd, l->sum_z, l->double_z, BINARY_WORDS);
  ecc_copy(l->double_x, x1, BINARY_WORDS);
  ecc_copy(l->double_z, z1, BINARY_WORDS);
  ecc_wipe(k, sizeof k);
}

// Reads a private key; all ones if 0 < d < n.
static uint32_t get_scalar(const binary_curve_t *c, uint32_t *k, const uint8_t *d) {
  get(k, d, coordinate_bytes(c->field));
  return ~ecc_is_zero(k, BINARY_WORDS) & ecc_is_less(k, c->n, BINARY_WORDS);
}

int binary_public_key(const binary_curve_t *c, uint8_t *pub, const uint8_t *d) {
  const binary_field_t *f = c->field;
  const unsigned bytes = coordinate_bytes(f);
  binary_element_t k, t, u, v, inverse;
  binary_ladder_t l;
  int error = ECC_ERR_SCALAR;
  if (get_scalar(c, k, d)) {
    multiply(c, &l, k, c->gx);
    // x1 = X1 / Z1; y1 = (x1 + x) ((X1 + x Z1) (X2 + x Z2) + (x^2 + y) Z1 Z2) / (x Z1 Z2) + y
    // (Lopez and Dahab, section 4.3). For d = n - 1 there is no second point: k G = -G.
    const uint32_t minus_g = is_zero(f, l.sum_z);
    f->mul(u, c->gx, l.sum_z);
    f->mul(v, u, l.double_z);  // x Z1 Z2
    invert(f, inverse, v);
    f->mul(t, c->gx, l.double_z);
    add(t, t, l.double_x);  // X1 + x Z1
    add(v, u, l.sum_x);     // X2 + x Z2
    f->mul(t, t, v);
    f->sqr_n(v, c->gx, 1u);
    add(v, v, c->gy);
    f->mul(v, v, l.double_z);
    f->mul(v, v, l.sum_z);
    add(t, t, v);
    f->mul(t, t, inverse);
    f->mul(u, u, inverse);  // 1 / Z1
    f->mul(u, u, l.double_x);
    add(v, u, c->gx);
    f->mul(t, t, v);
    add(t, t, c->gy);
    f->reduce(u);
    f->reduce(t);
    add(v, c->gx, c->gy);
    ecc_select(u, minus_g, u, c->gx, BINARY_WORDS);
    ecc_select(t, minus_g, t, v, BINARY_WORDS);
    put(pub, u, bytes);
    put(pub + bytes, t, bytes);
    error = ECC_OK;
  }
  ecc_wipe(k, sizeof k);
  ecc_wipe(t, sizeof t);
  ecc_wipe(u, sizeof u);
  ecc_wipe(v, sizeof v);
  ecc_wipe(inverse, sizeof inverse);
  ecc_wipe(&l, sizeof l);
  ecc_wipe_stack();
  return error;
}

int binary_ecdh(const binary_curve_t *c, uint8_t *shared, const uint8_t *d, const uint8_t *peer,
                unsigned cofactor_log2) {
  const binary_field_t *f = c->field;
  const unsigned bytes = coordinate_bytes(f);
  binary_element_t k, x, y;
  binary_ladder_t l;
  int error = ECC_ERR_SCALAR;
  if (get_scalar(c, k, d)) {
    error = ECC_ERR_POINT;
    get(x, peer, bytes);
    get(y, peer + bytes, bytes);
    if (is_valid(c, x, y)) {
      multiply(c, &l, k, x);
      for (unsigned i = 0; i < cofactor_log2; i++) {
        f->sqr_n(l.double_x, l.double_x, 1u);
        f->sqr_n(l.double_z, l.double_z, 1u);
        f->mul(x, l.double_z, c->root_b);
        add(x, x, l.double_x);
        f->mul(l.double_z, l.double_z, l.double_x);
        f->sqr_n(l.double_x, x, 1u);
      }
      // Infinity cannot be: the point has order n, and neither d nor h is a multiple of n.
      if (!is_zero(f, l.double_z)) {
        invert(f, y, l.double_z);
        f->mul(x, l.double_x, y);
        f->reduce(x);
        put(shared, x, bytes);
        error = ECC_OK;
      }
    }
  }
  ecc_wipe(k, sizeof k);
  ecc_wipe(x, sizeof x);
  ecc_wipe(y, sizeof y);
  ecc_wipe(&l, sizeof l);
  ecc_wipe_stack();
  return error;
}
