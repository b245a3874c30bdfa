// SPDX-License-Identifier: Apache-2.0
// Prime fields on the emulated unit: the bodies of prime.inc as C.
#include "prime.h"

#ifndef UNIMAC_ASSEMBLY

#include "accel_ops.h"
#include "f25519.h"
#include "f256.h"
#include "words.h"

#define GET_MASK K = mask;
#include "prime.inc"

void ecc_mul256(uint32_t r[16], const uint32_t a[8], const uint32_t b[8]) {
  um_mul(r, a, b, 0u);
}

void ecc_sqr256(uint32_t r[16], const uint32_t a[8]) {
  um_sqr(r, a, a, 0u);
}

#ifdef UM_FAST

void f25519_mul(f25519_t r, const f25519_t a, const f25519_t b) {
  um_25519_mul(r, a, b, 0u);
}

void f25519_sqr(f25519_t r, const f25519_t a, unsigned n) {
  um_25519_sqr(r, a, a, 0u);
  while (--n != 0u) {
    um_25519_sqr(r, r, r, 0u);
  }
}

void x25519_step(x25519_ladder_t *s, uint32_t swap) {
  uint32_t *BASE = s->x1;
  uint32_t K = 0u, mask = 0u - swap;
  LADDER_STEP
}

void f256_mul(f256_t r, const f256_t a, const f256_t b) {
  um_256_mul(r, a, b, 0u);
}

void f256_sqr(f256_t r, const f256_t a, unsigned n) {
  um_256_sqr(r, a, a, 0u);
  while (--n != 0u) {
    um_256_sqr(r, r, r, 0u);
  }
}

void f256_add(f256_t r, const f256_t a, const f256_t b) {
  um_256_add(r, a, b, 0u);
}

void f256_sub(f256_t r, const f256_t a, const f256_t b) {
  um_256_sub(r, a, b, 0u);
}

void p256_order_mul(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  um_order_mul(r, a, b, 0u);
}

void p256_double(p256_point_t *q, unsigned n) {
  uint32_t *BASE = q->x;
  const uint32_t K = 0u;
  while (n-- != 0u) {
    DOUBLE_STEP
  }
}

void p256_add_affine(p256_point_t *q) {
  uint32_t *BASE = q->x;
  const uint32_t K = 0u;
  ADD_STEP
}

#endif
#endif
