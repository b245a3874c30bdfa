// SPDX-License-Identifier: Apache-2.0
// GHASH (NIST SP 800-38D, section 6.4) on the carry-less operations, instead of the portable one.
//
// um_brev8 turns the bits of every byte, so that the words of a block are 32 coefficients each in
// natural order (contract and order of bits: aes_gcm.h and section 6.3). Products are scanned
// column by column; the accumulator carries the rest of a column to the next one. Two blocks at
// a time share one reduction: (Y ^ A) * H^2 ^ B * H. The time depends on the number of blocks only.
#include "kernels.h"
#ifdef UM_GF2

#include "accel_ops.h"
#include "aes_gcm.h"
#include "aes_forget_registers.h"

#define INLINE static inline __attribute__((always_inline))

#define REDUCTION 0x87u  // x^128 = x^7 + x^2 + x + 1

typedef uint32_t __attribute__((may_alias)) word_t;

// Four words of coefficients, lowest first.
typedef struct {
  uint32_t w0, w1, w2, w3;
} poly_t;

#define BREV8(x) um_brev8(x, 0)
#define MAC(x, y) (void)um_gf2mac(x, y)
#define PAIRED(x, y) \
  if (pair) MAC(x, y)

// All loads precede the operations: using a word at once would stall.
INLINE poly_t load(const void *block) {
  const volatile word_t *w = (const volatile word_t *)block;
  const uint32_t w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  return (poly_t){BREV8(w0), BREV8(w1), BREV8(w2), BREV8(w3)};
}

INLINE void store(uint32_t *w, poly_t x) {
  w[0] = BREV8(x.w0);
  w[1] = BREV8(x.w1);
  w[2] = BREV8(x.w2);
  w[3] = BREV8(x.w3);
}

INLINE poly_t add(poly_t x, poly_t y) {
  return (poly_t){x.w0 ^ y.w0, x.w1 ^ y.w1, x.w2 ^ y.w2, x.w3 ^ y.w3};
}

// The word of a complete column; the next column is added to the bits above it. (The operation
// ignores its register operand; one that is not being loaded costs no stall.)
INLINE uint32_t shift(uint32_t any) { return um_shacr(any, any); }

// The last product of a column, and its word.
INLINE uint32_t last(uint32_t x, uint32_t y) {
#ifdef UM_FAST
  return um_gf2macx(x, y);
#else
  MAC(x, y);
  return shift(y);
#endif
}

// b * h, and if `pair` ^ a * g, modulo the field's polynomial. The accumulator is zero before and
// after.
INLINE poly_t multiply(const int pair, poly_t a, poly_t g, poly_t b, poly_t h) {
  const uint32_t p = REDUCTION;

  PAIRED(a.w0, g.w0);
  const uint32_t r0 = last(b.w0, h.w0);

  PAIRED(a.w0, g.w1);
  PAIRED(a.w1, g.w0);
  MAC(b.w0, h.w1);
  const uint32_t r1 = last(b.w1, h.w0);

  PAIRED(a.w0, g.w2);
  PAIRED(a.w1, g.w1);
  PAIRED(a.w2, g.w0);
  MAC(b.w0, h.w2);
  MAC(b.w1, h.w1);
  const uint32_t r2 = last(b.w2, h.w0);

  PAIRED(a.w0, g.w3);
  PAIRED(a.w1, g.w2);
  PAIRED(a.w2, g.w1);
  PAIRED(a.w3, g.w0);
  MAC(b.w0, h.w3);
  MAC(b.w1, h.w2);
  MAC(b.w2, h.w1);
  const uint32_t r3 = last(b.w3, h.w0);

  PAIRED(a.w1, g.w3);
  PAIRED(a.w2, g.w2);
  PAIRED(a.w3, g.w1);
  MAC(b.w1, h.w3);
  MAC(b.w2, h.w2);
  const uint32_t r4 = last(b.w3, h.w1);

  PAIRED(a.w2, g.w3);
  PAIRED(a.w3, g.w2);
  MAC(b.w2, h.w3);
  const uint32_t r5 = last(b.w3, h.w2);

  PAIRED(a.w3, g.w3);
  const uint32_t r6 = last(b.w3, h.w3);
  const uint32_t r7 = shift(p);

  // The highest word first: its overflow above x^128 is folded with the lowest of the others.
  const uint32_t t3 = last(r7, p);
  const uint32_t over = shift(p);
  const uint32_t s3 = r3 ^ t3;
  const uint32_t t0 = last(r4 ^ over, p);
  const uint32_t t1 = last(r5, p);
  const uint32_t t2 = last(r6, p);
  const uint32_t above = shift(p);
  return (poly_t){r0 ^ t0, r1 ^ t1, r2 ^ t2, s3 ^ above};
}

// The key: H^2, then H, as polynomials.
#define SQUARE 0
#define SUBKEY 4

INLINE poly_t keep(uint32_t *w, poly_t x) {
  w[0] = x.w0, w[1] = x.w1, w[2] = x.w2, w[3] = x.w3;
  return x;
}

INLINE poly_t kept(const uint32_t *w) { return (poly_t){w[0], w[1], w[2], w[3]}; }

void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h) {
  const poly_t x = keep(k->word + SUBKEY, load(h));
  (void)um_gf2mul(0, 0);
  (void)keep(k->word + SQUARE, multiply(0, x, x, x, x));
  forget_registers();
}

void aes_ghash_blocks(const aes_ghash_key_t *k, uint32_t state[4], const uint8_t *data,
                      size_t nblocks) {
  const uint8_t *const end = data + 16u * nblocks;
  const poly_t h = kept(k->word + SUBKEY);
  poly_t y = load(state);
  (void)um_gf2mul(0, 0);
  if (nblocks % 2u != 0u) {
    y = add(y, load(data));
    y = multiply(0, y, h, y, h);
    data += 16;
  }
  const poly_t g = kept(k->word + SQUARE);
  while (data != end) {
    const poly_t a = load(data), b = load(data + 16);
    y = multiply(1, add(a, y), g, b, h);
    data += 32;
  }
  store(state, y);
}

#endif
