// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.1 to 3.4.
#include "accel_ops.h"
#include "aes_emulate.h"

uint32_t aes32esi(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs1 ^ rotate_left(sbox[lane(rs2, bs)], bs);
}

uint32_t aes32esmi(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs1 ^ rotate_left(mix_column(sbox[lane(rs2, bs)]), bs);
}

#ifndef AES_ENCRYPT_ONLY

uint32_t aes32dsi(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs1 ^ rotate_left(inv_sbox[lane(rs2, bs)], bs);
}

uint32_t aes32dsmi(uint32_t rs1, uint32_t rs2, const unsigned bs) {
  return rs1 ^ rotate_left(inv_mix_column(inv_sbox[lane(rs2, bs)]), bs);
}

#endif
