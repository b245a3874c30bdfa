// SPDX-License-Identifier: Apache-2.0
// Whole blocks from data of any length and alignment. Private to sw/modes.
#ifndef PADDED_H
#define PADDED_H

#include "aes_hot.h"
#include "blocks.h"

static inline size_t words_of_blocks(size_t bytes) {
  return (bytes + AES_BLOCK_BYTES - 1u) / AES_BLOCK_BYTES * BLOCK_WORDS;
}

// Copy n bytes to whole blocks, the rest zeros.
static HOT void put_padded(uint32_t *to, const uint8_t *from, size_t n) {
  uint32_t *const end = to + words_of_blocks(n);
  if (LIKELY(aligned(from, from))) {
    for (; n >= 4u; n -= 4u, from += 4) {
      *to++ = *(const any_word_t *)(const void *)from;
    }
  }
  if (to != end) {
    uint8_t *bytes = (uint8_t *)to;
    do {
      *(volatile uint32_t *)to++ = 0;  // no call of memset
    } while (to != end);
    for (; n != 0u; n--) {
      *bytes++ = *from++;
    }
  }
}

// Fill n words with zeros, which no compiler leaves out: a multiple of four, not zero.
static inline void forget_words(volatile uint32_t *w, size_t n) {
  volatile uint32_t *const end = w + n;
  do {
    w[0] = 0;
    w[1] = 0;
    w[2] = 0;
    w[3] = 0;
    w += BLOCK_WORDS;
  } while (w != end);
}

#endif
