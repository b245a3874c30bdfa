// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 with aesenc, aesdec and their final-round forms; four blocks at a time.
// Source: Nadehara, Ikekawa, Kuroda 2004, table 3 (a column is four operations and three XORs);
// FIPS 197, sections 5.2 (key expansion) and 5.3.5 (equivalent inverse cipher).
//
// A state word holds a column, row r in bits 8r+7..8r. Operations of four columns alternate, and no
// instruction uses the result of the one before it: a pipelined host needs two cycles.
#define ACCEL_OPS_VOLATILE  // the order below is deliberate
#include "accel_ops.h"
#include "aes_in_registers.h"

// The barrier keeps this XOR here: otherwise the compiler gathers the XORs and runs out of
// registers.
INLINE uint32_t added(uint32_t sum, uint32_t x) {
  sum ^= x;
  __asm__ volatile("" : "+r"(sum));
  return sum;
}

// One operation; dec, last and row are constants.
INLINE uint32_t operation(const int dec, const int last, uint32_t old, const unsigned row) {
#ifndef AES_ENCRYPT_ONLY
  if (dec) return last ? aesdec_last(old, row) : aesdec(old, row);
#endif
  (void)dec;
  return last ? aesenc_last(old, row) : aesenc(old, row);
}

// The contribution of old column `from`, in `old`, to the four new ones.
INLINE block_t spread(const int dec, const int last, const int from, uint32_t old, block_t x) {
  const uint32_t x0 = operation(dec, last, old, ROW(dec, from, 0));
  const uint32_t x1 = operation(dec, last, old, ROW(dec, from, 1));
  x.c0 = added(x.c0, x0);
  const uint32_t x2 = operation(dec, last, old, ROW(dec, from, 2));
  x.c1 = added(x.c1, x1);
  const uint32_t x3 = operation(dec, last, old, ROW(dec, from, 3));
  x.c2 = added(x.c2, x2);
  x.c3 = added(x.c3, x3);
  return x;
}

// The contributions of column 3, the round key, column 0 and column 1. The column read first frees
// its register for the fourth result, so three spare registers suffice.
INLINE block_t round_but_column_2(const int dec, const int last, block_t a, block_t key) {
  block_t x;

  x.c0 = operation(dec, last, a.c3, ROW(dec, 3, 0));
  x.c1 = operation(dec, last, a.c3, ROW(dec, 3, 1));
  x.c2 = operation(dec, last, a.c3, ROW(dec, 3, 2));
  x.c3 = operation(dec, last, a.c3, ROW(dec, 3, 3));
  x.c0 = added(x.c0, key.c0);
  x.c1 = added(x.c1, key.c1);
  x.c2 = added(x.c2, key.c2);
  x.c3 = added(x.c3, key.c3);
  x = spread(dec, last, 0, a.c0, x);
  return spread(dec, last, 1, a.c1, x);
}

INLINE block_t cipher_round(const int dec, const int last, block_t a, block_t key) {
  return spread(dec, last, 2, a.c2, round_but_column_2(dec, last, a, key));
}

// The next round's key is loaded before the last four XORs: an operation right after the loads
// would stall.
#define KEY_AHEAD 1

INLINE block_t round_and_load(const int dec, block_t a, block_t *key, const uint32_t *rk,
                              const int i) {
  block_t x = round_but_column_2(dec, 0, a, *key);
  const uint32_t x0 = operation(dec, 0, a.c2, ROW(dec, 2, 0));
  const uint32_t x1 = operation(dec, 0, a.c2, ROW(dec, 2, 1));
  const uint32_t x2 = operation(dec, 0, a.c2, ROW(dec, 2, 2));
  const uint32_t x3 = operation(dec, 0, a.c2, ROW(dec, 2, 3));

  *key = load_block(rk, i);
  x.c0 = added(x.c0, x0);
  x.c1 = added(x.c1, x1);
  x.c2 = added(x.c2, x2);
  x.c3 = added(x.c3, x3);
  return x;
}

#include "aes_by_four.h"

// ---- key expansion (FIPS 197, section 5.2) ------------------------------------------------------

// w ^ SubWord(RotWord(from)) ^ constant. Lanes 0 to 2 are from the shifted word, lane 3 from the
// word's lowest byte.
INLINE uint32_t sub_rot_word(uint32_t w, uint32_t from, uint32_t constant) {
  const uint32_t low = from >> 8, high = from << 24;
  const uint32_t x0 = aesenc_last(low, 0);
  const uint32_t x1 = aesenc_last(low, 1);
  const uint32_t x2 = aesenc_last(low, 2);
  const uint32_t x3 = aesenc_last(high, 3);
  return w ^ constant ^ x0 ^ x1 ^ x2 ^ x3;
}

// w ^ SubWord(from)
INLINE uint32_t sub_word(uint32_t w, uint32_t from) {
  const uint32_t x0 = aesenc_last(from, 0);
  const uint32_t x1 = aesenc_last(from, 1);
  const uint32_t x2 = aesenc_last(from, 2);
  const uint32_t x3 = aesenc_last(from, 3);
  return w ^ (x0 ^ x1 ^ x2 ^ x3);
}

#ifndef AES_ENCRYPT_ONLY

// w ^ InvMixColumns(from): the S-box, then InvSubBytes and InvMixColumns, byte by byte.
INLINE uint32_t inv_mix_column(uint32_t w, uint32_t from) {
  uint32_t x0 = aesenc_last(from, 0);
  uint32_t x1 = aesenc_last(from, 1);
  uint32_t x2 = aesenc_last(from, 2);
  uint32_t x3 = aesenc_last(from, 3);
  x0 = aesdec(x0, 0);
  x1 = aesdec(x1, 1);
  x2 = aesdec(x2, 2);
  x3 = aesdec(x3, 3);
  return w ^ x0 ^ x1 ^ x2 ^ x3;
}

#endif

#define OPERATIONS_ADD 0
#include "aes_expand.h"
#include "aes_entries.h"
