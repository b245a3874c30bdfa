// SPDX-License-Identifier: Apache-2.0
// The field of p = 2^255 - 19 and the Montgomery ladder's step. A unit may override the functions.
//
// An element is 8 words, least significant first: any value below 2^256, modulo p. Results are
// below 2^256 too and may overlap operands.
#ifndef ECC_F25519_H
#define ECC_F25519_H

#include <stdint.h>

typedef uint32_t f25519_t[8];

void f25519_mul(f25519_t r, const f25519_t a, const f25519_t b);

// r = a^(2^n), n > 0.
void f25519_sqr(f25519_t r, const f25519_t a, unsigned n);

// State of the ladder: x1 = u of the point, (x2 : z2), (x3 : z3), and scratch for a step.
typedef struct {
  f25519_t x1, x2, z2, x3, z3;
  f25519_t room[4];
} x25519_ladder_t;

// One step of RFC 7748, section 5. `swap` is 1 to exchange the pairs first, else 0.
void x25519_step(x25519_ladder_t *s, uint32_t swap);

#endif
