// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: FIPS 197, sections 5.1.1, 5.1.3, 5.3.2 and 5.3.3; which byte goes where: README.md.
// Not constant-time on a processor with a data cache: the S-box is a table in memory.
#include "accel_ops.h"
#include "aes_sbox_values.h"

#define VALUE(x) x

static const uint8_t sbox[256] = {AES_SBOX_VALUES(VALUE)};

static uint32_t row(uint32_t word, unsigned r) { return (word >> (8 * r)) & 0xffu; }

static uint32_t rotate_right(uint32_t word, unsigned bits) {
  return (word >> bits) | (word << (32 - bits));
}

// Rows 0 and 2 of rs1, rows 1 and 3 of rs2; row r of the result stands in byte r - 1.
static uint32_t substitute(uint32_t rs1, uint32_t rs2, const uint8_t box[256]) {
  return rotate_right((uint32_t)box[row(rs1, 0)] | (uint32_t)box[row(rs2, 1)] << 8 |
                          (uint32_t)box[row(rs1, 2)] << 16 | (uint32_t)box[row(rs2, 3)] << 24,
                      8);
}

// Rows 0 and 1 of rs1, rows 2 and 3 of rs2, which hold row r in byte r - 1.
static uint32_t join(uint32_t rs1, uint32_t rs2) {
  return rotate_right((rs1 & 0xff0000ffu) | (rs2 & 0x00ffff00u), 24);
}

// Multiplication by x in GF(2^8) of four bytes at once (FIPS 197, section 4.2.1).
static uint32_t xtime(uint32_t w) {
  return ((w & 0x7f7f7f7fu) << 1) ^ (((w >> 7) & 0x01010101u) * 0x1bu);
}

static uint32_t mix_column(uint32_t w) {
  const uint32_t next = rotate_right(w, 8);
  return xtime(w ^ next) ^ next ^ rotate_right(w, 16) ^ rotate_right(w, 24);
}

// A variant has the forms with a key or those without; here there are always both.

uint32_t aescol_sub(uint32_t rs1, uint32_t rs2) { return substitute(rs1, rs2, sbox); }

uint32_t aescol_mix(uint32_t rs1, uint32_t rs2) { return mix_column(join(rs1, rs2)); }

uint32_t aescol_last(uint32_t rs1, uint32_t rs2) { return join(rs1, rs2); }

uint32_t aescol_mixk(uint32_t rs1, uint32_t rs2, uint32_t rs3) {
  return aescol_mix(rs1, rs2) ^ rs3;
}

uint32_t aescol_lastk(uint32_t rs1, uint32_t rs2, uint32_t rs3) {
  return aescol_last(rs1, rs2) ^ rs3;
}

#ifndef AES_ENCRYPT_ONLY

static const uint8_t inv_sbox[256] = {AES_INV_SBOX_VALUES(VALUE)};

// (0e 0b 0d 09) = (02 03 01 01) * (05 00 04 00): Daemen and Rijmen, "The Design of Rijndael",
// section 4.1.3.
static uint32_t inv_mix_column(uint32_t w) {
  return mix_column(w ^ xtime(xtime(w ^ rotate_right(w, 16))));
}

uint32_t aescol_isub(uint32_t rs1, uint32_t rs2) { return substitute(rs1, rs2, inv_sbox); }

uint32_t aescol_imix(uint32_t rs1, uint32_t rs2) { return inv_mix_column(join(rs1, rs2)); }

uint32_t aescol_imixk(uint32_t rs1, uint32_t rs2, uint32_t rs3) {
  return aescol_imix(rs1, rs2) ^ rs3;
}

#endif
