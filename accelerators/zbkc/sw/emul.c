// SPDX-License-Identifier: Apache-2.0
// clmul and clmulh in plain C, for hosts and cores without them.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.7 and 3.8. Time does not
// depend on operands.
#include "accel_ops.h"

static uint64_t product(uint32_t rs1, uint32_t rs2) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 32u; i++) {
    sum ^= (uint64_t)rs1 << i & (0u - (uint64_t)(rs2 >> i & 1u));
  }
  return sum;
}

uint32_t clmul(uint32_t rs1, uint32_t rs2) { return (uint32_t)product(rs1, rs2); }

uint32_t clmulh(uint32_t rs1, uint32_t rs2) { return (uint32_t)(product(rs1, rs2) >> 32); }
