// SPDX-License-Identifier: Apache-2.0
// Instructions of the platform tests' unit (tests/rtl/accel_unit.sv), and the same in C.
#ifndef MIX_H
#define MIX_H

#include <stdint.h>

// For inline assembly: MIX2 "rd, rs1, rs2", MIX3 "rd, rs1, rs2, rs3".
#define MIX2 ".insn r 0x0b, 0, 0x20, "
#define MIX3 ".insn r4 0x0b, 1, 0, "

static inline uint32_t rol32(uint32_t value, unsigned count) {
  return value << count | value >> (32u - count);
}

static inline uint32_t mix2(uint32_t a, uint32_t b) { return rol32(a, 5) ^ (b + 0x9e3779b9u); }

static inline uint32_t mix3(uint32_t a, uint32_t b, uint32_t c) {
  return mix2(a, b) ^ rol32(c, 11);
}

#endif
