// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: Nadehara, Ikekawa, Kuroda 2004, tables 5 and 6; the final round is this unit's own.
#include "accel_ops.h"
#include "aes_emulate.h"

uint32_t aesenc(uint32_t rs1, const unsigned row) {
  return rotate_left(mix_column(sbox[lane(rs1, row)]), row);
}

uint32_t aesenc_last(uint32_t rs1, const unsigned row) {
  return rotate_left(sbox[lane(rs1, row)], row);
}

#ifndef AES_ENCRYPT_ONLY

uint32_t aesdec(uint32_t rs1, const unsigned row) {
  return rotate_left(inv_mix_column(inv_sbox[lane(rs1, row)]), row);
}

uint32_t aesdec_last(uint32_t rs1, const unsigned row) {
  return rotate_left(inv_sbox[lane(rs1, row)], row);
}

#endif
