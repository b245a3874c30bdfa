// SPDX-License-Identifier: Apache-2.0
// Curves over binary fields: validation of points, the ladder, public keys and ECC CDH.
//
// Ladder: J. Lopez, R. Dahab, "Fast multiplication on elliptic curves over GF(2^m) without
// precomputation", CHES 1999: x-coordinates only, 5 or 6 multiplications and 4 squarings a step.
#include "binary.h"

#include <stddef.h>

#include "binary_parts.h"
#include "ecc.h"

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

// D is the point doubled last and S the sum; they differ by the point P. A step computes D + S and
// the double of D or S, which the scalar's next bit selects.
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
