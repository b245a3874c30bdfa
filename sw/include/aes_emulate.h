// SPDX-License-Identifier: Apache-2.0
// For emulations of units in plain C: the steps of AES on a column, row r in byte r of a word.
// Source: FIPS 197, sections 4.2, 5.1.1, 5.1.3, 5.3.2 and 5.3.3.
// Not constant-time on a processor with a data cache: the S-box is a table in memory.
#ifndef AES_EMULATE_H
#define AES_EMULATE_H

#include <stdint.h>

#include "aes_sbox_values.h"

#define VALUE(x) x

static const uint8_t sbox[256] = {AES_SBOX_VALUES(VALUE)};
#ifndef AES_ENCRYPT_ONLY
static const uint8_t inv_sbox[256] = {AES_INV_SBOX_VALUES(VALUE)};
#endif

static inline uint32_t lane(uint32_t word, unsigned i) { return (word >> (8 * i)) & 0xffu; }

static inline uint32_t rotate_left(uint32_t word, unsigned bytes) {
  return bytes == 0 ? word : (word << (8 * bytes)) | (word >> (32 - 8 * bytes));
}

// Multiplication by x in GF(2^8) of four bytes at once.
static inline uint32_t xtime(uint32_t word) {
  return ((word & 0x7f7f7f7fu) << 1) ^ (((word >> 7) & 0x01010101u) * 0x1bu);
}

// Row r: {02} a_r + {03} a_(r+1) + a_(r+2) + a_(r+3). Of a byte in row 0: the T-table's entry.
static inline uint32_t mix_column(uint32_t a) {
  const uint32_t next = rotate_left(a, 3);
  return xtime(a ^ next) ^ next ^ rotate_left(a, 2) ^ rotate_left(a, 1);
}

// MixColumns after a_r + {04} (a_r + a_(r+2)): J. Daemen, V. Rijmen, "The Design of Rijndael",
// section 4.1.3.
static inline uint32_t inv_mix_column(uint32_t a) {
  return mix_column(a ^ xtime(xtime(a ^ rotate_left(a, 2))));
}

#endif
