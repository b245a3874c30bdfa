// SPDX-License-Identifier: Apache-2.0
// The field of 2^255 - 19 and the Montgomery ladder's step: what a unit may replace.
//
// An element is 8 words, any value below 2^256, and stands for its class modulo p. Results are
// below 2^256 again, and may be operands too.
#ifndef ECC_F25519_H
#define ECC_F25519_H

#include <stdint.h>

typedef uint32_t f25519_t[8];

void f25519_mul(f25519_t r, const f25519_t a, const f25519_t b);

// r = a^(2^n), n > 0.
void f25519_sqr(f25519_t r, const f25519_t a, unsigned n);

// What the ladder keeps: u = x1 of the point, (x2 : z2), (x3 : z3), and room for a step.
typedef struct {
  f25519_t x1, x2, z2, x3, z3;
  f25519_t room[4];
} x25519_ladder_t;

// One step of RFC 7748, section 5. `swap` is 1 if the pairs have to be exchanged first, else 0.
void x25519_step(x25519_ladder_t *s, uint32_t swap);

#endif
