// SPDX-License-Identifier: Apache-2.0
// Prime fields on the emulated unit: the bodies of prime.inc as C.
#include "prime.h"

#if !defined(UNIMAC_ASSEMBLY) && defined(UM_FAST)

#include "accel_ops.h"
#include "f25519.h"

#define GET_MASK K = mask;
#include "prime.inc"

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

#endif
