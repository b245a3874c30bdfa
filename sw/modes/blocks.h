// SPDX-License-Identifier: Apache-2.0
// Shared by the modes of operation: a batch of blocks; copy, XOR and byte order in buffers of any
// alignment. Private to sw/modes.
#ifndef BLOCKS_H
#define BLOCKS_H

#include "aes_kernel.h"

#define BLOCK_WORDS 4u
#define BATCH_BLOCKS 24u  // a multiple of 2, 3, 4, 6 and 8: no kernel's groups leave a remainder

#define WEAK __attribute__((weak))
#define HELPER static __attribute__((unused))  // inlined where it pays

typedef struct {
  uint32_t word[BATCH_BLOCKS * BLOCK_WORDS];
} batch_t;

// A word that may alias any object: buffers are bytes to their owners.
typedef uint32_t __attribute__((may_alias)) any_word_t;

HELPER int aligned(const void *a, const void *b) {
  return (((uintptr_t)a | (uintptr_t)b) & 3u) == 0u;
}

HELPER size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

// Of a length, also where size_t has 32 bits and no length reaches the limit.
HELPER int exceeds(uint64_t n, uint64_t most) {
  return n > most;
}

// Whether input and output share bytes and yet differ in their first one.
static inline int overlap(const void *in, size_t in_bytes, const void *out, size_t out_bytes) {
  uintptr_t a = (uintptr_t)in, b = (uintptr_t)out;
  return a != b && (b - a < in_bytes || a - b < out_bytes);
}

HELPER void copy(void *to, const void *from, size_t n) {
  if (aligned(to, from) && (n & 3u) == 0u) {
    any_word_t *t = (any_word_t *)to;
    const any_word_t *f = (const any_word_t *)from;
    for (size_t i = 0; i < n / 4u; i++) {
      t[i] = f[i];
    }
  } else {
    uint8_t *t = (uint8_t *)to;
    const uint8_t *f = (const uint8_t *)from;
    for (size_t i = 0; i < n; i++) {
      t[i] = f[i];
    }
  }
}

static inline void move_block(any_word_t *to, const any_word_t *from) {
  uint32_t x0 = from[0], x1 = from[1], x2 = from[2], x3 = from[3];
  to[0] = x0;
  to[1] = x1;
  to[2] = x2;
  to[3] = x3;
}

HELPER void copy_any_block(void *to, const void *from) {
  if (aligned(to, from)) {
    move_block((any_word_t *)to, (const any_word_t *)from);
  } else {
    copy(to, from, AES_BLOCK_BYTES);
  }
}

static inline void copy_block(uint32_t *to, const uint32_t *from) {
  uint32_t x0 = from[0], x1 = from[1], x2 = from[2], x3 = from[3];
  to[0] = x0;
  to[1] = x1;
  to[2] = x2;
  to[3] = x3;
}

// out = a ^ b over one block of aligned words; out may equal a or b.
static inline void combine_block(any_word_t *out, const any_word_t *a, const any_word_t *b) {
  uint32_t x0 = a[0] ^ b[0], x1 = a[1] ^ b[1], x2 = a[2] ^ b[2], x3 = a[3] ^ b[3];
  out[0] = x0;
  out[1] = x1;
  out[2] = x2;
  out[3] = x3;
}

// out = a ^ b over n bytes; out may equal a or b.
HELPER void combine(void *out, const void *a, const void *b, size_t n) {
  uint8_t *t = (uint8_t *)out;
  const uint8_t *x = (const uint8_t *)a;
  const uint8_t *y = (const uint8_t *)b;
  if (aligned(a, b) && aligned(out, out)) {
    for (; n >= AES_BLOCK_BYTES; n -= AES_BLOCK_BYTES) {
      combine_block((any_word_t *)(void *)t, (const any_word_t *)(const void *)x,
                    (const any_word_t *)(const void *)y);
      t += AES_BLOCK_BYTES;
      x += AES_BLOCK_BYTES;
      y += AES_BLOCK_BYTES;
    }
  }
  for (size_t i = 0; i < n; i++) {
    t[i] = (uint8_t)(x[i] ^ y[i]);
  }
}

// Zero if n bytes are equal, in constant time.
HELPER uint32_t unequal(const void *a, const void *b, size_t n) {
  const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
  uint32_t bits = 0;
  for (size_t i = 0; i < n; i++) {
    bits |= (uint32_t)(x[i] ^ y[i]);
  }
  return bits;
}

HELPER uint32_t load_be(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

HELPER void store_be(uint8_t *p, uint32_t x) {
  p[0] = (uint8_t)(x >> 24);
  p[1] = (uint8_t)(x >> 16);
  p[2] = (uint8_t)(x >> 8);
  p[3] = (uint8_t)x;
}

// Reverse the bytes of a word: big-endian value to or from little-endian memory.
HELPER uint32_t swap(uint32_t x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

#endif
