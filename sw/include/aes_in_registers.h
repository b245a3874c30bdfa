// SPDX-License-Identifier: Apache-2.0
// For kernels: a block in registers, and how it is loaded and stored.
#ifndef AES_IN_REGISTERS_H
#define AES_IN_REGISTERS_H

#include "aes_bytes.h"
#include "aes_forget_registers.h"
#include "aes_kernel.h"

#define INLINE static inline __attribute__((always_inline))

// Volatile, so that the compiler neither repeats nor moves a load: an operation right after a load
// stalls some cores for two cycles.
#define LOAD(p, i) (((const volatile word_t *)(p))[i])

// Four columns, row r in bits 8r+7..8r. By value: the compiler keeps them in registers.
typedef struct {
  uint32_t c0, c1, c2, c3;
} block_t;

// The block at word `i`, a constant. All loads precede the first use: a word is ready two cycles
// after its load.
INLINE block_t load_block(const void *words, const int i) {
  block_t x;
  x.c0 = LOAD(words, i + 0);
  x.c1 = LOAD(words, i + 1);
  x.c2 = LOAD(words, i + 2);
  x.c3 = LOAD(words, i + 3);
  return x;
}

INLINE void store_block(word_t *words, const int i, block_t x) {
  words[i + 0] = x.c0;
  words[i + 1] = x.c1;
  words[i + 2] = x.c2;
  words[i + 3] = x.c3;
}

INLINE block_t add_block(block_t x, block_t y) {
  return (block_t){x.c0 ^ y.c0, x.c1 ^ y.c1, x.c2 ^ y.c2, x.c3 ^ y.c3};
}

// The row that moves from old column `from` to new column `to`: ShiftRows moves row r left by r
// columns, InvShiftRows right.
#define ROW(dec, from, to) ((unsigned)((dec) ? (to) - (from) : (from) - (to)) & 3u)

#endif
