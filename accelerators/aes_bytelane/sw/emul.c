// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: Nadehara, Ikekawa, Kuroda 2004, tables 5 and 6; the final round is this unit's own.
// Not constant-time on a processor with a data cache: the S-box is a table in memory.
#include "accel_ops.h"
#include "aes_sbox_values.h"

#define VALUE(x) x

static const uint8_t sbox[256] = {AES_SBOX_VALUES(VALUE)};

// Multiplication by x in GF(2^8) (FIPS 197, section 4.2.1).
static uint32_t xtime(uint32_t a) { return ((a << 1) ^ ((a >> 7) * 0x11bu)) & 0xffu; }

static uint32_t select_byte(uint32_t word, unsigned row) { return (word >> (8 * row)) & 0xffu; }

static uint32_t rotate_left(uint32_t word, unsigned row) {
  return row == 0 ? word : (word << (8 * row)) | (word >> (32 - 8 * row));
}

uint32_t aesenc(uint32_t rs1, const unsigned row) {
  const uint32_t s = sbox[select_byte(rs1, row)];
  const uint32_t s2 = xtime(s);
  return rotate_left(((s2 ^ s) << 24) | (s << 16) | (s << 8) | s2, row);
}

uint32_t aesenc_last(uint32_t rs1, const unsigned row) {
  return (uint32_t)sbox[select_byte(rs1, row)] << (8 * row);
}

#ifndef AES_ENCRYPT_ONLY

static const uint8_t inv_sbox[256] = {AES_INV_SBOX_VALUES(VALUE)};

uint32_t aesdec(uint32_t rs1, const unsigned row) {
  const uint32_t s = inv_sbox[select_byte(rs1, row)];
  const uint32_t s2 = xtime(s), s4 = xtime(s2), s8 = xtime(s4);
  const uint32_t column =
      ((s8 ^ s2 ^ s) << 24) | ((s8 ^ s4 ^ s) << 16) | ((s8 ^ s) << 8) | (s8 ^ s4 ^ s2);
  return rotate_left(column, row);
}

uint32_t aesdec_last(uint32_t rs1, const unsigned row) {
  return (uint32_t)inv_sbox[select_byte(rs1, row)] << (8 * row);
}

#endif
