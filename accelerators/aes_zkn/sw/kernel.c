// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 with aes32esi, aes32esmi, aes32dsi, aes32dsmi; four blocks at a time.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1 (the instructions); FIPS 197, sections 5.2
// (key expansion) and 5.3.5 (equivalent inverse cipher).
//
// A state word holds a column, row r in bits 8r+7..8r. The key word is the first rs1, so that
// AddRoundKey costs nothing. The four columns of a block alternate, so that no operation uses the
// result of the one before it: a pipelined host needs two cycles.
#define ACCEL_OPS_VOLATILE  // the order below is deliberate
#include "accel_ops.h"
#include "aes_in_registers.h"

// One operation; all but the first two parameters as the instruction has them.
INLINE uint32_t operation(const int dec, const int last, uint32_t sum, uint32_t old,
                          const unsigned row) {
#ifndef AES_ENCRYPT_ONLY
  if (dec) return last ? aes32dsi(sum, old, row) : aes32dsmi(sum, old, row);
#endif
  (void)dec;
  return last ? aes32esi(sum, old, row) : aes32esmi(sum, old, row);
}

// The contribution of old column `from`, in a, to new column `to`; `dec` and `last` as in a round.
#define FROM(from, a, to, sum) operation(dec, last, sum, a, ROW(dec, from, to))

// The column read first frees its register for the fourth result: three spare registers suffice.
// The order within four operations on one old column is free. This one, with the registers that the
// compiler chooses, seldom has the last result's number in bits 31:27 of an instruction (bs and a
// constant), where a host with three register operands finds the third one and would wait for it.
INLINE block_t cipher_round(const int dec, const int last, block_t a, block_t key) {
  block_t x;

  x.c0 = FROM(3, a.c3, 0, key.c0);
  x.c2 = FROM(3, a.c3, 2, key.c2);
  x.c1 = FROM(3, a.c3, 1, key.c1);
  x.c3 = FROM(3, a.c3, 3, key.c3);
  x.c2 = FROM(0, a.c0, 2, x.c2);
  x.c0 = FROM(0, a.c0, 0, x.c0);
  x.c1 = FROM(0, a.c0, 1, x.c1);
  x.c3 = FROM(0, a.c0, 3, x.c3);
  x.c1 = FROM(1, a.c1, 1, x.c1);
  x.c2 = FROM(1, a.c1, 2, x.c2);
  x.c0 = FROM(1, a.c1, 0, x.c0);
  x.c3 = FROM(1, a.c1, 3, x.c3);
  x.c0 = FROM(2, a.c2, 0, x.c0);
  x.c3 = FROM(2, a.c2, 3, x.c3);
  x.c2 = FROM(2, a.c2, 2, x.c2);
  x.c1 = FROM(2, a.c2, 1, x.c1);
  return x;
}

// For CTR (aes_by_four.h), and beside a hash unit in the same set.
#define SHARED_ROUNDS
INLINE uint32_t contribute(const int from, const int to, uint32_t old, uint32_t sum) {
  return operation(0, 0, sum, old, ROW(0, from, to));
}

#ifdef ACCEL_HAS_GH_ABSORB
#define ABSORBS
INLINE void absorb_block(block_t x) {
  (void)gh_absorb(x.c0, x.c1, 0);
  (void)gh_absorb(x.c2, x.c3, 1);
}
#endif

#include "aes_by_four.h"

// ---- key expansion (FIPS 197, section 5.2) ------------------------------------------------------

// w ^ SubWord(RotWord(from)) ^ constant, in two chains. RotWord is a rotation right by 8 here:
// lanes 0 to 2 are from the shifted word, lane 3 from the word's lowest byte. The shifts are
// between the load of the constant and the operations, which would stall for it.
INLINE uint32_t sub_rot_word(uint32_t w, uint32_t from, uint32_t constant) {
  uint32_t low = from >> 8, high = from << 24;
  __asm__ volatile("" : "+r"(low), "+r"(high));
  uint32_t x = aes32esi(constant, low, 0);
  w = aes32esi(w, low, 1);
  x = aes32esi(x, low, 2);
  w = aes32esi(w, high, 3);
  return w ^ x;
}

// w ^ SubWord(from)
INLINE uint32_t sub_word(uint32_t w, uint32_t from) {
  uint32_t x = aes32esi(0, from, 0);
  w = aes32esi(w, from, 1);
  x = aes32esi(x, from, 2);
  w = aes32esi(w, from, 3);
  return w ^ x;
}

#ifndef AES_ENCRYPT_ONLY

// w ^ InvMixColumns(from): the S-box, then InvSubBytes and InvMixColumns. Byte 0 and byte
// 2 of the S-box's result stay in one word, bytes 1 and 3 in another.
INLINE uint32_t inv_mix_column(uint32_t w, uint32_t from) {
  uint32_t x = aes32esi(0, from, 0);
  uint32_t y = aes32esi(0, from, 1);
  x = aes32esi(x, from, 2);
  y = aes32esi(y, from, 3);
  uint32_t z = aes32dsmi(0, x, 0);
  w = aes32dsmi(w, y, 1);
  z = aes32dsmi(z, x, 2);
  w = aes32dsmi(w, y, 3);
  return w ^ z;
}

#endif

#define OPERATIONS_ADD 1
#include "aes_expand.h"
#include "aes_entries.h"
