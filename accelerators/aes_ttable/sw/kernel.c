// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 on T-table look-ups; four blocks at a time.
// Source: Foerster 2005, section 4.3 (the round); FIPS 197, sections 5.2 (key expansion) and 5.3.5
// (equivalent inverse cipher).
//
// A state word holds a column, row r in bits 8r+7..8r. As in the paper the key word is the first
// word added to, so that AddRoundKey costs nothing. Unlike its nested calls, the four columns
// of a block alternate here, so that no operation uses the result of the one before it, for which a
// pipelined host would stall.
#define ACCEL_OPS_VOLATILE  // the order below is deliberate
#include "accel_ops.h"
#include "aes_in_registers.h"

// One operation; dec, last and row are constants.
INLINE uint32_t operation(const int dec, const int last, uint32_t old, uint32_t sum,
                          const unsigned row) {
#ifndef AES_ENCRYPT_ONLY
  if (dec) return last ? tt_rsb(old, sum, row) : tt_rt(old, sum, row);
#endif
  (void)dec;
  return last ? tt_fsb(old, sum, row) : tt_ft(old, sum, row);
}

// The contribution of old column `from`, in `old`, to the four new ones.
INLINE block_t spread(const int dec, const int last, const int from, uint32_t old, block_t x) {
  x.c0 = operation(dec, last, old, x.c0, ROW(dec, from, 0));
  x.c1 = operation(dec, last, old, x.c1, ROW(dec, from, 1));
  x.c2 = operation(dec, last, old, x.c2, ROW(dec, from, 2));
  x.c3 = operation(dec, last, old, x.c3, ROW(dec, from, 3));
  return x;
}

// The column read first frees its register for the fourth result: three spare registers suffice.
INLINE block_t cipher_round(const int dec, const int last, block_t a, block_t key) {
  block_t x = spread(dec, last, 3, a.c3, key);
  x = spread(dec, last, 0, a.c0, x);
  x = spread(dec, last, 1, a.c1, x);
  return spread(dec, last, 2, a.c2, x);
}

#include "aes_by_four.h"

// ---- key expansion (FIPS 197, section 5.2) ------------------------------------------------------

// w ^ SubWord(RotWord(from)) ^ constant, in two chains.
INLINE uint32_t sub_rot_word(uint32_t w, uint32_t from, uint32_t constant) {
  w = tt_fsbr(from, w, 0);
  uint32_t x = tt_fsbr(from, constant, 1);
  w = tt_fsbr(from, w, 2);
  x = tt_fsbr(from, x, 3);
  return w ^ x;
}

// w ^ SubWord(from)
INLINE uint32_t sub_word(uint32_t w, uint32_t from) {
  w = tt_fsb(from, w, 0);
  uint32_t x = tt_fsb(from, 0, 1);
  w = tt_fsb(from, w, 2);
  x = tt_fsb(from, x, 3);
  return w ^ x;
}

#ifndef AES_ENCRYPT_ONLY

// w ^ InvMixColumns(from)
INLINE uint32_t inv_mix_column(uint32_t w, uint32_t from) {
  w = tt_kt(from, w, 0);
  uint32_t x = tt_kt(from, 0, 1);
  w = tt_kt(from, w, 2);
  x = tt_kt(from, x, 3);
  return w ^ x;
}

#endif

#define OPERATIONS_ADD 1
#include "aes_expand.h"
#include "aes_entries.h"
