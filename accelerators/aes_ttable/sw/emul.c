// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: Foerster 2005, section 4; row 0 of a column is the lowest byte of a word.
#include "accel_ops.h"
#include "aes_emulate.h"

uint32_t tt_ft(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(mix_column(sbox[lane(rs1, bs)]), bs);
}

uint32_t tt_fsb(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(sbox[lane(rs1, bs)], bs);
}

uint32_t tt_fsbr(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(sbox[lane(rs1, bs)], (bs - 1) & 3u);
}

#ifndef AES_ENCRYPT_ONLY

uint32_t tt_rt(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(inv_mix_column(inv_sbox[lane(rs1, bs)]), bs);
}

uint32_t tt_rsb(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(inv_sbox[lane(rs1, bs)], bs);
}

uint32_t tt_kt(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs2 ^ rotate_left(inv_mix_column(lane(rs1, bs)), bs);
}

#endif
