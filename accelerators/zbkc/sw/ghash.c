// SPDX-License-Identifier: Apache-2.0
// GHASH on clmul and clmulh, in place of the portable one; contract in aes_gcm.h.
// Source: NIST SP 800-38D, sections 6.3 and 6.4; Karatsuba and Ofman 1962 for the products.
//
// A block is a number of 128 bits as the standard writes it: bit 127 - i is the coefficient of x^i.
// In words with the lowest first, the words of a block in memory are in reverse order and so are
// their bytes. The product of two such numbers has its coefficient of x^i in bit 254 - i. With the
// subkey divided by x it is bit 255 - i, and the upper four of eight words need no shift.
#define ACCEL_OPS_VOLATILE  // the order below needs few registers
#include "accel_ops.h"
#include "aes_gcm.h"
#include "aes_forget_registers.h"

#define INLINE static inline __attribute__((always_inline))

// x^-1 = x^127 + x^6 + x + 1, and x^7 + x^2 + x (of x^128) in the bits of a word's upper neighbour.
#define FOLD 0xc2000000u

typedef uint32_t __attribute__((may_alias)) word_t;

// Words, lowest first.
typedef struct {
  uint32_t w0, w1, w2, w3;
} poly_t;

INLINE uint32_t reverse_bytes(uint32_t x) {
  const uint32_t odd = x >> 8 & 0x00ff00ffu, even = (x & 0x00ff00ffu) << 8;
  x = odd | even;
  return x << 16 | x >> 16;
}

INLINE poly_t load(const volatile word_t *w) {
  const uint32_t w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  return (poly_t){reverse_bytes(w3), reverse_bytes(w2), reverse_bytes(w1), reverse_bytes(w0)};
}

INLINE poly_t add(poly_t x, poly_t y) {
  return (poly_t){x.w0 ^ y.w0, x.w1 ^ y.w1, x.w2 ^ y.w2, x.w3 ^ y.w3};
}

// The product of two words each, by three products of a word; h2 = h0 ^ h1.
INLINE poly_t multiply_two(uint32_t y0, uint32_t y1, uint32_t h0, uint32_t h1, uint32_t h2) {
  const uint32_t both = y0 ^ y1;
  const uint32_t a0 = clmul(y0, h0), a1 = clmulh(y0, h0);
  const uint32_t b0 = clmul(y1, h1), b1 = clmulh(y1, h1);
  const uint32_t c0 = clmul(both, h2), c1 = clmulh(both, h2);
  const uint32_t middle = a1 ^ b0;
  return (poly_t){a0, middle ^ c0 ^ a0, middle ^ c1 ^ b1, b1};
}

// Fold a word of x^128 and above into its neighbours.
#define REDUCE(low, next, over)  \
  do {                           \
    next ^= clmul(low, FOLD);    \
    over ^= clmulh(low, FOLD);   \
    over ^= low;                 \
  } while (0)

// The words of the key: H/x (lowest word first), then the sums that Karatsuba's formula multiplies.
INLINE poly_t multiply(poly_t y, const uint32_t *h) {
  const uint32_t s0 = y.w0 ^ y.w2, s1 = y.w1 ^ y.w3;
  const poly_t low = multiply_two(y.w0, y.w1, h[0], h[1], h[4]);
  const poly_t high = multiply_two(y.w2, y.w3, h[2], h[3], h[5]);
  const poly_t both = multiply_two(s0, s1, h[6], h[7], h[8]);
  uint32_t r0 = low.w0, r1 = low.w1;
  const uint32_t inner2 = low.w2 ^ high.w0, inner3 = low.w3 ^ high.w1;
  uint32_t r2 = inner2 ^ both.w0 ^ low.w0, r3 = inner3 ^ both.w1 ^ low.w1;
  uint32_t r4 = inner2 ^ both.w2 ^ high.w2, r5 = inner3 ^ both.w3 ^ high.w3;
  uint32_t r6 = high.w2, r7 = high.w3;
  REDUCE(r0, r3, r4);
  REDUCE(r1, r4, r5);
  REDUCE(r2, r5, r6);
  REDUCE(r3, r6, r7);
  return (poly_t){r4, r5, r6, r7};
}

void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h) {
  const poly_t x = load((const volatile word_t *)(const volatile void *)h);
  uint32_t *const w = k->word;
  const uint32_t top = 0u - (x.w3 >> 31);
  w[0] = x.w0 << 1 ^ (top & 1u);
  w[1] = x.w1 << 1 | x.w0 >> 31;
  w[2] = x.w2 << 1 | x.w1 >> 31;
  w[3] = (x.w3 << 1 | x.w2 >> 31) ^ (top & FOLD);
  w[4] = w[0] ^ w[1];
  w[5] = w[2] ^ w[3];
  w[6] = w[0] ^ w[2];
  w[7] = w[1] ^ w[3];
  w[8] = w[6] ^ w[7];
  forget_registers();
}

// A block needs more registers than there are: words of the subkey and of products are in this
// function's frame when it returns.
static __attribute__((noinline)) void hash(const aes_ghash_key_t *k, uint32_t state[4],
                                           const uint8_t *data, size_t nblocks) {
  const volatile word_t *w = (const volatile word_t *)(const volatile void *)data;
  const volatile word_t *const end = w + 4u * nblocks;
  poly_t y = load(state);
  for (; w != end; w += 4) {
    y = multiply(add(y, load(w)), k->word);
  }
  state[0] = reverse_bytes(y.w3);
  state[1] = reverse_bytes(y.w2);
  state[2] = reverse_bytes(y.w1);
  state[3] = reverse_bytes(y.w0);
}

#define BELOW_WORDS 24u
#include "aes_wipe_below.h"

void aes_ghash_blocks(const aes_ghash_key_t *k, uint32_t state[4], const uint8_t *data,
                      size_t nblocks) {
  hash(k, state, data, nblocks);
  (void)wiped_below();
}
