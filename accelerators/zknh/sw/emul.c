// SPDX-License-Identifier: Apache-2.0
// The functions of SHA-256 in plain C, for hosts and cores without them.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, extension Zknh.
#include "accel_ops.h"

static uint32_t rotate(uint32_t x, unsigned n) { return x >> n | x << (32u - n); }

#ifdef ZKNH_CUSTOM
#define FUNCTION(name) sh_##name
#else
#define FUNCTION(name) sha256##name
#endif

uint32_t FUNCTION(sig0)(uint32_t rs1) { return rotate(rs1, 7) ^ rotate(rs1, 18) ^ rs1 >> 3; }

uint32_t FUNCTION(sig1)(uint32_t rs1) { return rotate(rs1, 17) ^ rotate(rs1, 19) ^ rs1 >> 10; }

uint32_t FUNCTION(sum0)(uint32_t rs1) { return rotate(rs1, 2) ^ rotate(rs1, 13) ^ rotate(rs1, 22); }

uint32_t FUNCTION(sum1)(uint32_t rs1) { return rotate(rs1, 6) ^ rotate(rs1, 11) ^ rotate(rs1, 25); }
