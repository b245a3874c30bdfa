// SPDX-License-Identifier: Apache-2.0
// Internals of the curves over binary fields: y^2 + x y = x^3 + a x^2 + b over GF(2^163) and
// GF(2^233).
//
// An element is BINARY_WORDS 32-bit words, least significant first; a field uses its first `words`.
// Between operations an element may be any representative that fits these words, so that a unit
// need not reduce completely. Only `reduce` gives the representative below the field's degree, for
// comparison and output.
#ifndef BINARY_H
#define BINARY_H

#include <stddef.h>
#include <stdint.h>

#define BINARY_WORDS 8

typedef uint32_t binary_element_t[BINARY_WORDS];

// Multiplication of a point by a scalar of steps + 1 bits, in x-coordinates. The two points are
// "the one doubled last" and "the sum". A step then selects one of them instead of exchanging both.
// Units depend on these offsets: see the assertions in binary.c.
typedef struct {
  binary_element_t x;         // of the point
  binary_element_t root_b;    // square root of the curve's b
  binary_element_t toggle;    // bit i: the scalar's bits i and i + 1 differ
  binary_element_t double_x;  // the point doubled last
  binary_element_t double_z;
  binary_element_t sum_x;     // the sum
  binary_element_t sum_z;
  binary_element_t scratch[3];
  uint32_t steps;
  uint32_t b_is_one;
} binary_ladder_t;

// Operands may overlap. mul: r = a b; sqr_n: r = a^(2^n), n > 0; reduce: see above.
typedef struct {
  unsigned words;
  unsigned bits;  // degree of the field
  binary_element_t trace;
  void (*mul)(uint32_t *r, const uint32_t *a, const uint32_t *b);
  void (*sqr_n)(uint32_t *r, const uint32_t *a, unsigned n);
  void (*reduce)(uint32_t *r);
  void (*ladder)(binary_ladder_t *l);
} binary_field_t;

typedef struct {
  const binary_field_t *field;
  binary_element_t a;
  binary_element_t b;
  binary_element_t root_b;
  binary_element_t gx;
  binary_element_t gy;
  binary_element_t n;  // order of the base point, an integer
  unsigned order_bits;
  unsigned cofactor_log2;
} binary_curve_t;

extern const binary_field_t gf2_163;
extern const binary_field_t gf2_233;

// Weak: a unit may override them.
void gf2_163_mul(uint32_t *r, const uint32_t *a, const uint32_t *b);
void gf2_163_sqr_n(uint32_t *r, const uint32_t *a, unsigned n);
void gf2_163_ladder(binary_ladder_t *l);
void gf2_233_mul(uint32_t *r, const uint32_t *a, const uint32_t *b);
void gf2_233_sqr_n(uint32_t *r, const uint32_t *a, unsigned n);
void gf2_233_ladder(binary_ladder_t *l);

// The ladder, with the mul and sqr_n of `f`.
void binary_ladder(const binary_field_t *f, binary_ladder_t *l);

// Public key and ECDH of ecc.h for any of the curves; same results and errors.
int binary_public_key(const binary_curve_t *c, uint8_t *pub, const uint8_t *d);
int binary_ecdh(const binary_curve_t *c, uint8_t *shared, const uint8_t *d, const uint8_t *peer,
                unsigned cofactor_log2);

// check_private, check_public and generate of ecc.h.
int binary_check_private(const binary_curve_t *c, const uint8_t *d);
int binary_check_public(const binary_curve_t *c, const uint8_t *pub);
int binary_generate(const binary_curve_t *c, uint8_t *d, uint8_t *pub,
                    int (*random)(void *context, uint8_t *bytes, size_t n), void *context);

#endif
