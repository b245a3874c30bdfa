// SPDX-License-Identifier: Apache-2.0
// Blocks through the unit, for kernel.c and gcm.c. Contracts: unit.h.
#include "unit.h"

#define FOUR_BLOCKS (4u * AES_BLOCK_BYTES)

// Write block i, read the result before it.
INLINE block_t turn(block_t x) {
  block_t y;
  y.c0 = ab_turn(x.c0, x.c1, 0);
  y.c1 = ab_get(0, 1);
  y.c2 = ab_get(0, 2);
  y.c3 = ab_turn(x.c2, x.c3, 1);
  return y;
}

#define TURN(i) store_block(out, 4 * (i), turn(load_block(in, 4 * (i) + 4)))

// Long and short messages apart: the short way takes little room in a cache. absorb_long is first
// of all that is HOT: with a program that is larger than its cache, lines of the first and the last
// function take each other's place.
static __attribute__((noinline)) void crypt_long(const word_t *in, word_t *out, size_t bytes) {
  const size_t rest = bytes - AES_BLOCK_BYTES;
  const word_t *const end = in + rest / AES_BLOCK_BYTES * 4u;
  const word_t *const many = in + rest / FOUR_BLOCKS * 16u;
  put(load_block(in, 0));
  do {
    TURN(0);
    TURN(1);
    TURN(2);
    TURN(3);
    in += 16;
    out += 16;
  } while (in != many);
  while (in != end) {
    TURN(0);
    in += 4;
    out += 4;
  }
  store_block(out, 0, get());
}

static HOT void absorb_long(const word_t *in, size_t bytes) {
  const word_t *const end = in + bytes / AES_BLOCK_BYTES * 4u;
  const word_t *const many = in + bytes / FOUR_BLOCKS * 16u;
  while (in != many) {
    put(load_block(in, 0));
    put(load_block(in, 4));
    put(load_block(in, 8));
    put(load_block(in, 12));
    in += 16;
  }
  while (in != end) {
    put(load_block(in, 0));
    in += 4;
  }
  if (bytes % AES_BLOCK_BYTES != 0) {
    ab_absorb(in, bytes % AES_BLOCK_BYTES);
  }
}

HOT void ab_crypt(const word_t *in, word_t *out, size_t bytes) {
  if (UNLIKELY(bytes > FOUR_BLOCKS)) {
    crypt_long(in, out, bytes);
    return;
  }
  const word_t *const last = in + bytes / AES_BLOCK_BYTES * 4u - 4;
  put(load_block(in, 0));
  while (in != last) {
    TURN(0);
    in += 4;
    out += 4;
  }
  store_block(out, 0, get());
}

// An incomplete block of n bytes. Words beyond them are not read.
INLINE void put_part(const word_t *w, size_t n) {
  const uint8_t *const b = (const uint8_t *)(w + n / 4u);
  uint32_t first = 0, second = 0;  // words of a half of the block
  if ((n & 3u) != 0) {
    first = b[0];
    if (UNLIKELY((n & 2u) != 0)) {
      first |= (uint32_t)b[1] << 8;
      if ((n & 1u) != 0) first |= (uint32_t)b[2] << 16;
    }
  }
  if ((n & 4u) != 0) {
    second = first;
    first = LOAD(b, -1);
  }
  if ((n & 8u) != 0) {
    const uint32_t w0 = LOAD(w, 0), w1 = LOAD(w, 1);
    (void)ab_put(w0, w1, 0);
    (void)ab_put(first, second, 1);
  } else {
    (void)ab_put(first, second, 0);
    (void)ab_put(0, 0, 1);
  }
}

HOT void ab_absorb(const word_t *in, size_t bytes) {
  if (bytes >= AES_BLOCK_BYTES) {
    absorb_long(in, bytes);
  } else if (LIKELY(bytes != 0)) {
    put_part(in, bytes);
  }
}
