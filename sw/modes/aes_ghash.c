// SPDX-License-Identifier: Apache-2.0
// GHASH in portable C; contract in aes_gcm.h. No tables and no branches on data: constant time
// if the core's `mul` is, as on PicoRV32, VexRiscv and CV32E40X.
//
// Source: NIST SP 800-38D, sections 6.3 and 6.4. A block is a polynomial whose coefficient of x^0
// is the most significant bit of its first byte (6.3). With the bits of every byte reversed, the
// words of a block in little-endian memory are 32 coefficients each in natural order, so that a
// shift to the left multiplies by x.
//
// Carry-less products are computed from integer products "with holes" (the technique of T. Pornin's
// BearSSL, ctmul): if only every third bit of two 16-bit factors may be set, a column of the
// product adds at most six terms, and their count does not reach the next column.
#include "aes_gcm.h"
#include "blocks.h"
#include "aes_forget_registers.h"

// Scheduling before register allocation needs more registers than there are and spills.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-schedule-insns")
#endif

#define PRODUCTS 9u  // of 32 bits: Karatsuba twice

// The bits of every byte of a word in reverse order.
static inline uint32_t reverse_in_bytes(uint32_t x) {
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

// Carry-less product of the low halves of x and y.
static inline uint32_t multiply_16(uint32_t x, uint32_t y) {
  uint32_t x0 = x & 0x9249u, x1 = x & 0x2492u, x2 = x & 0x4924u;
  uint32_t y0 = y & 0x9249u, y1 = y & 0x2492u, y2 = y & 0x4924u;
  uint32_t z0 = x0 * y0 ^ x1 * y2 ^ x2 * y1;
  uint32_t z1 = x0 * y1 ^ x1 * y0 ^ x2 * y2;
  uint32_t z2 = x0 * y2 ^ x1 * y1 ^ x2 * y0;
  return (z0 & 0x49249249u) | (z1 & 0x92492492u) | (z2 & 0x24924924u);
}

typedef struct {
  uint32_t low;
  uint32_t high;
} product_t;

// Carry-less product of two words.
static inline product_t multiply_32(uint32_t x, uint32_t y) {
  uint32_t low = multiply_16(x, y);
  uint32_t high = multiply_16(x >> 16, y >> 16);
  uint32_t middle = multiply_16(x ^ x >> 16, y ^ y >> 16) ^ low ^ high;
  return (product_t){low ^ middle << 16, high ^ middle >> 16};
}

// The nine words of a factor that two levels of Karatsuba's formula multiply.
static void spread(uint32_t to[PRODUCTS], const uint32_t from[4]) {
  to[0] = from[0];
  to[1] = from[1];
  to[2] = from[2];
  to[3] = from[3];
  to[4] = from[0] ^ from[1];
  to[5] = from[2] ^ from[3];
  to[6] = from[0] ^ from[2];
  to[7] = from[1] ^ from[3];
  to[8] = to[6] ^ to[7];
}

// The four words of (high, low) products of two words each, by Karatsuba's formula.
static inline void join(uint32_t to[4], product_t low, product_t high, product_t both) {
  to[0] = low.low;
  to[1] = low.high ^ both.low ^ low.low ^ high.low;
  to[2] = high.low ^ both.high ^ low.high ^ high.high;
  to[3] = high.high;
}

// v * x^128 modulo the polynomial: fold is the part in this word, overflow that in the next one.
static inline uint32_t fold(uint32_t v) {
  return v ^ v << 1 ^ v << 2 ^ v << 7;
}

static inline uint32_t overflow(uint32_t v) {
  return v >> 31 ^ v >> 30 ^ v >> 25;
}

// x = the product of the factors that `a` and `b` are spreads of, reduced by
// x^128 + x^7 + x^2 + x + 1.
static void multiply(uint32_t x[4], const uint32_t a[PRODUCTS], const uint32_t b[PRODUCTS],
                     product_t p[PRODUCTS]) {
  uint32_t low[4], high[4], both[4];
  for (unsigned i = 0; i < PRODUCTS; i++) {
    p[i] = multiply_32(a[i], b[i]);
  }
  join(low, p[0], p[1], p[4]);
  join(high, p[2], p[3], p[5]);
  join(both, p[6], p[7], p[8]);
  uint32_t r2 = low[2] ^ high[0], r3 = low[3] ^ high[1];
  uint32_t r4 = r2 ^ high[2] ^ both[2], r5 = r3 ^ high[3] ^ both[3];
  r2 ^= low[0] ^ both[0];
  r3 ^= low[1] ^ both[1];
  // The highest word first: its overflow above x^128 is folded with the lowest of the others.
  r4 ^= overflow(high[3]);
  x[3] = r3 ^ fold(high[3]) ^ overflow(high[2]);
  x[2] = r2 ^ fold(high[2]) ^ overflow(r5);
  x[1] = low[1] ^ fold(r5) ^ overflow(r4);
  x[0] = low[0] ^ fold(r4);
}

// The stack buffers of aes_ghash_blocks. The state reveals H, so all of them are wiped.
typedef struct {
  uint32_t y[4];
  uint32_t factor[PRODUCTS];
  product_t product[PRODUCTS];
} room_t;

static inline void wipe(room_t *room) {
  volatile uint32_t *const words = (volatile uint32_t *)(void *)room;
#pragma GCC unroll 31
  for (unsigned i = 0; i < sizeof *room / sizeof *words; i++) {
    words[i] = 0;
  }
}

// Secrets are computed in place, in *k: the stack has no copy to wipe.
WEAK void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h) {
  const any_word_t *words = (const any_word_t *)(const void *)h;
  for (unsigned i = 0; i < 4u; i++) {
    k->word[i] = reverse_in_bytes(words[i]);
  }
  spread(k->word, k->word);
  forget_registers();
}

WEAK void aes_ghash_blocks(const aes_ghash_key_t *k, uint32_t state[4], const uint8_t *data,
                           size_t nblocks) {
  const any_word_t *words = (const any_word_t *)(const void *)data;
  room_t room;
  uint32_t *const y = room.y;
  if (nblocks == 0u) {
    return;
  }
  for (unsigned i = 0; i < 4u; i++) {
    y[i] = reverse_in_bytes(state[i] ^ words[i]);
  }
  for (;;) {
    spread(room.factor, y);
    multiply(y, room.factor, k->word, room.product);
    if (--nblocks == 0u) {
      break;
    }
    words += 4;
    y[0] ^= reverse_in_bytes(words[0]);
    y[1] ^= reverse_in_bytes(words[1]);
    y[2] ^= reverse_in_bytes(words[2]);
    y[3] ^= reverse_in_bytes(words[3]);
  }
  for (unsigned i = 0; i < 4u; i++) {
    state[i] = reverse_in_bytes(y[i]);
  }
  wipe(&room);
}
