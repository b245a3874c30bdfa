// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: FIPS 197, sections 5.1.1, 5.1.3, 5.3.2 and 5.3.3; which byte goes where: README.md.
#include "accel_ops.h"
#include "aes_emulate.h"

// Rows 0 and 2 of rs1, rows 1 and 3 of rs2; row r of the result stands in byte r - 1.
static uint32_t substitute(uint32_t rs1, uint32_t rs2, const uint8_t box[256]) {
  return rotate_left((uint32_t)box[lane(rs1, 0)] | (uint32_t)box[lane(rs2, 1)] << 8 |
                         (uint32_t)box[lane(rs1, 2)] << 16 | (uint32_t)box[lane(rs2, 3)] << 24,
                     3);
}

// Rows 0 and 1 of rs1, rows 2 and 3 of rs2, which hold row r in byte r - 1.
static uint32_t join(uint32_t rs1, uint32_t rs2) {
  return rotate_left((rs1 & 0xff0000ffu) | (rs2 & 0x00ffff00u), 1);
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

uint32_t aescol_isub(uint32_t rs1, uint32_t rs2) { return substitute(rs1, rs2, inv_sbox); }

uint32_t aescol_imix(uint32_t rs1, uint32_t rs2) { return inv_mix_column(join(rs1, rs2)); }

uint32_t aescol_imixk(uint32_t rs1, uint32_t rs2, uint32_t rs3) {
  return aescol_imix(rs1, rs2) ^ rs3;
}

#endif
