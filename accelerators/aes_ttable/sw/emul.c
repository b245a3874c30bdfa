// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: Foerster 2005, section 4; row 0 of a column is the lowest byte of a word.
// Not constant-time on a processor with a data cache: the S-box is a table in memory.
#include "accel_ops.h"
#include "aes_sbox_values.h"

#define VALUE(x) x

static const uint8_t sbox[256] = {AES_SBOX_VALUES(VALUE)};

// Multiplication by x in GF(2^8) (FIPS 197, section 4.2.1).
static uint32_t xtime(uint32_t a) { return ((a << 1) ^ ((a >> 7) * 0x11bu)) & 0xffu; }

static uint32_t select_byte(uint32_t word, unsigned bs) { return (word >> (8 * bs)) & 0xffu; }

static uint32_t rotate_left(uint32_t word, unsigned bytes) {
  return bytes == 0 ? word : (word << (8 * bytes)) | (word >> (32 - 8 * bytes));
}

uint32_t tt_ft(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  const uint32_t s = sbox[select_byte(rs1, bs)];
  const uint32_t s2 = xtime(s);
  return rs2 ^ rotate_left(((s2 ^ s) << 24) | (s << 16) | (s << 8) | s2, bs);
}

uint32_t tt_fsb(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(sbox[select_byte(rs1, bs)], bs);
}

uint32_t tt_fsbr(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(sbox[select_byte(rs1, bs)], (bs - 1) & 3u);
}

#ifndef AES_ENCRYPT_ONLY

static const uint8_t inv_sbox[256] = {AES_INV_SBOX_VALUES(VALUE)};

// The first column of InvMixColumns (FIPS 197, section 5.3.3) times a byte.
static uint32_t inv_mix(uint32_t s) {
  const uint32_t s2 = xtime(s), s4 = xtime(s2), s8 = xtime(s4);
  return ((s8 ^ s2 ^ s) << 24) | ((s8 ^ s4 ^ s) << 16) | ((s8 ^ s) << 8) | (s8 ^ s4 ^ s2);
}

uint32_t tt_rt(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(inv_mix(inv_sbox[select_byte(rs1, bs)]), bs);
}

uint32_t tt_rsb(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(inv_sbox[select_byte(rs1, bs)], bs);
}

uint32_t tt_kt(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(inv_mix(select_byte(rs1, bs)), bs);
}

#endif
