// SPDX-License-Identifier: Apache-2.0
// Rounds on the unit's S-box and MixColumns operations: four of each, on columns.
// Source: FIPS 197, sections 5.1 to 5.3; S. Tillich, J. Grossschaedl, "VLSI Implementation of a
// Functional Unit to Accelerate ECC and AES on 32-bit Processors" (2007), section 6 (operands).
//
// A state word holds a column, row r in bits 8r+7..8r. The S-box operation takes rows 0 and 2 of
// one column and rows 1 and 3 of the next: half of two columns of the shifted state. MixColumns
// takes the upper half of one such word and the lower half of another. InvShiftRows has the
// opposite direction, so decryption exchanges columns 1 and 3 only where a block is loaded or
// stored and where a key is added. `dec` is a constant everywhere.
#ifndef UNIMAC_COLUMNS_H
#define UNIMAC_COLUMNS_H

#include "accel_ops.h"
#include "aes_in_registers.h"

// Index in memory of the column of variable `i`.
#define AT(dec, i) ((dec) ? -(i)&3 : (i))

INLINE uint32_t sub(const int dec, uint32_t x, uint32_t y) {
  return dec ? um_isbox4(x, y) : um_sbox4(x, y);
}

INLINE uint32_t mix(const int dec, uint32_t high, uint32_t low) {
  return dec ? um_imcmuls(high, low) : um_mcmuls(high, low);
}

INLINE uint32_t join(const int dec, uint32_t high, uint32_t low) {
  (void)dec;
  return um_pack(high, low);
}

// SubBytes and ShiftRows of the block b: halves of columns 0 and 2 in t and b2, of 1 and 3 in b1
// and b3.
#define SUB(dec, b, t)       \
  t = sub(dec, b##0, b##1);    \
  b##1 = sub(dec, b##1, b##2); \
  b##2 = sub(dec, b##2, b##3); \
  b##3 = sub(dec, b##3, b##0)

// Columns of these halves, through `OP`: mix or join. Column 1 is in t at the end. No operation
// uses the result of the one before it, for which a pipelined core would stall.
#define COLUMNS(OP, dec, b, t)  \
  b##0 = OP(dec, b##2, t);      \
  b##2 = OP(dec, t, b##2);      \
  t = OP(dec, b##3, b##1);      \
  b##3 = OP(dec, b##1, b##3)

#ifdef UNIMAC_KEYED

INLINE uint32_t keyed_mix(const int dec, uint32_t high, uint32_t low, uint32_t key) {
  return dec ? um_imckey(high, low, key) : um_mckey(high, low, key);
}

INLINE uint32_t keyed_join(const int dec, uint32_t high, uint32_t low, uint32_t key) {
  return join(dec, high, low) ^ key;
}

// COLUMNS and the key. Column 1 is in b1 at the end; in a row of rounds that costs no move.
#define KEYED_COLUMNS(OP, dec, b, t, k0, k1, k2, k3) \
  b##0 = keyed_##OP(dec, b##2, t, k0);               \
  b##2 = keyed_##OP(dec, t, b##2, k2);               \
  t = keyed_##OP(dec, b##3, b##1, k1);               \
  b##3 = keyed_##OP(dec, b##1, b##3, k3);            \
  b##1 = t

#endif

// Key words in the order of the variables; column 1 returns from t.
#define ADD(b, t, k0, k1, k2, k3) b##0 ^= (k0), b##1 = t ^ (k1), b##2 ^= (k2), b##3 ^= (k3)

// All loads precede the first use: a word is not ready in the cycle after its load.
#define LOAD_BLOCK(dec, b, in, i)    \
  b##0 = LOAD(in, (i) + AT(dec, 0)); \
  b##1 = LOAD(in, (i) + AT(dec, 1)); \
  b##2 = LOAD(in, (i) + AT(dec, 2)); \
  b##3 = LOAD(in, (i) + AT(dec, 3))

#define STORE_BLOCK(dec, b, out, i) \
  (out)[(i) + AT(dec, 0)] = b##0;   \
  (out)[(i) + AT(dec, 1)] = b##1;   \
  (out)[(i) + AT(dec, 2)] = b##2;   \
  (out)[(i) + AT(dec, 3)] = b##3

// A block after the last round. The barrier keeps the compiler from adding text to the last key.
#define RESULT(b) \
  __asm__ volatile("" : "+r"(b##0), "+r"(b##1), "+r"(b##2), "+r"(b##3))

#define ADD_TEXT(dec, b, text, i)                     \
  do {                                                \
    const uint32_t x0 = LOAD(text, (i) + AT(dec, 0)); \
    const uint32_t x1 = LOAD(text, (i) + AT(dec, 1)); \
    const uint32_t x2 = LOAD(text, (i) + AT(dec, 2)); \
    const uint32_t x3 = LOAD(text, (i) + AT(dec, 3)); \
    b##0 ^= x0, b##1 ^= x1, b##2 ^= x2, b##3 ^= x3;   \
  } while (0)

#endif
