// SPDX-License-Identifier: Apache-2.0
// Carry-less products and squares of words in plain C, for cores without such an instruction.
//
// Multiplication with holes: bits at a distance of three leave room for a column's count of up to
// seven, and an operand of 16 bits has at most six of them. The integer product then holds the
// parity that a carry-less product asks for in the lowest bit of each group of three (T. Pornin,
// BearSSL, "Constant-Time Crypto", has the idea with 32 bits and a distance of four). Above 16 bits
// Karatsuba. No branch and no address depends on an operand.
#ifndef GF2_WORDS_H
#define GF2_WORDS_H

#include <stdint.h>

#ifdef __GNUC__
#define GF2_INLINE static inline __attribute__((always_inline, unused))
// GCC's first scheduler would mix the products until their words no longer fit the registers.
#define GF2_IN_ORDER __attribute__((optimize("no-schedule-insns")))
#else
#define GF2_INLINE static inline
#define GF2_IN_ORDER
#endif

// Operands of 16 bits.
GF2_INLINE uint32_t gf2_mul16(uint32_t a, uint32_t b) {
  const uint32_t a0 = a & 0x9249u, a1 = a & 0x2492u, a2 = a & 0x4924u;
  const uint32_t b0 = b & 0x9249u, b1 = b & 0x2492u, b2 = b & 0x4924u;
  const uint32_t c0 = (a0 * b0) ^ (a1 * b2) ^ (a2 * b1);
  const uint32_t c1 = (a0 * b1) ^ (a1 * b0) ^ (a2 * b2);
  const uint32_t c2 = (a0 * b2) ^ (a1 * b1) ^ (a2 * b0);
  return (c0 & 0x49249249u) | (c1 & 0x92492492u) | (c2 & 0x24924924u);
}

// c[0..1] = a b
GF2_INLINE void gf2_mul32(uint32_t *c, uint32_t a, uint32_t b) {
  const uint32_t low = gf2_mul16(a & 0xffffu, b & 0xffffu);
  const uint32_t high = gf2_mul16(a >> 16, b >> 16);
  const uint32_t cross = gf2_mul16((a ^ (a >> 16)) & 0xffffu, (b ^ (b >> 16)) & 0xffffu);
  const uint32_t middle = cross ^ low ^ high;
  c[0] = low ^ (middle << 16);
  c[1] = high ^ (middle >> 16);
}

// c[0..3] = a[0..1] b[0..1]
GF2_INLINE void gf2_mul64(uint32_t c[4], const uint32_t a[2], const uint32_t b[2]) {
  uint32_t low[2], middle[2], high[2];
  gf2_mul32(low, a[0], b[0]);
  gf2_mul32(high, a[1], b[1]);
  gf2_mul32(middle, a[0] ^ a[1], b[0] ^ b[1]);
  c[0] = low[0];
  c[1] = low[1] ^ middle[0] ^ low[0] ^ high[0];
  c[2] = high[0] ^ middle[1] ^ low[1] ^ high[1];
  c[3] = high[1];
}

// The square has a zero between any two bits.
GF2_INLINE uint32_t gf2_sqr16(uint32_t a) {
  a = (a ^ (a << 8)) & 0x00ff00ffu;
  a = (a ^ (a << 4)) & 0x0f0f0f0fu;
  a = (a ^ (a << 2)) & 0x33333333u;
  return (a ^ (a << 1)) & 0x55555555u;
}

// c[0..2n-1] = a[0..n-1] squared
GF2_INLINE void gf2_sqr_words(uint32_t *c, const uint32_t *a, unsigned n) {
#pragma GCC unroll 8
  for (unsigned i = 0; i < n; i++) {
    c[2 * i] = gf2_sqr16(a[i] & 0xffffu);
    c[2 * i + 1] = gf2_sqr16(a[i] >> 16);
  }
}

#endif
