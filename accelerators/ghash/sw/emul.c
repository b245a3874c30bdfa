// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: NIST SP 800-38D, sections 6.3 and 6.4. Time does not depend on operands.
#include "accel_ops.h"

#define WORDS 4u
#define NUMBER_MASK 0xffffffu

static struct {
  uint32_t number;
  uint32_t key[WORDS];
  uint32_t block[WORDS];
  uint32_t hash[WORDS];
} unit;

static void clear(uint32_t words[WORDS]) {
  for (unsigned i = 0; i < WORDS; i++) words[i] = 0;
}

// Coefficient i of x is bit i % 32 with the bits of its byte reversed.
static uint32_t coefficient(const uint32_t words[WORDS], unsigned i) {
  return words[i / 32u] >> (i % 32u ^ 7u) & 1u;
}

// Times x, modulo x^128 + x^7 + x^2 + x + 1: bytes shift to the right, because the coefficient of
// x^0 is the highest bit of the first byte.
static void times_x(uint32_t v[WORDS]) {
  const uint32_t top = 0u - coefficient(v, 127u);
  uint32_t carry = 0;
  for (unsigned i = 0; i < WORDS; i++) {
    const uint32_t w = v[i];
    v[i] = (w >> 1 & 0x7f7f7f7fu) | (w & 0x00010101u) << 15 | carry;
    carry = w >> 24 << 7 & 0x80u;
  }
  v[0] ^= top & 0xe1u;
}

static void multiply(void) {
  uint32_t v[WORDS];
  for (unsigned i = 0; i < WORDS; i++) v[i] = unit.key[i];
  clear(unit.hash);
  for (unsigned i = 0; i < 128u; i++) {
    const uint32_t mask = 0u - coefficient(unit.block, i);
    for (unsigned j = 0; j < WORDS; j++) unit.hash[j] ^= v[j] & mask;
    times_x(v);
  }
  clear(unit.block);
}

uint32_t gh_begin(uint32_t rs1) {
  unit.number = rs1 & NUMBER_MASK;
  clear(unit.key);
  clear(unit.block);
  clear(unit.hash);
  return 0;
}

uint32_t gh_key(uint32_t rs1, uint32_t rs2, const unsigned half) {
  unit.key[2u * half] = rs1;
  unit.key[2u * half + 1u] = rs2;
  return 0;
}

uint32_t gh_absorb(uint32_t rs1, uint32_t rs2, const unsigned half) {
  unit.block[2u * half] = unit.hash[2u * half] ^ rs1;
  unit.block[2u * half + 1u] = unit.hash[2u * half + 1u] ^ rs2;
  if (half != 0) multiply();
  return 0;
}

uint32_t gh_read(uint32_t rs1, const unsigned word) {
  (void)rs1;
  return unit.hash[word];
}

uint32_t gh_end(uint32_t rs1) {
  (void)rs1;
  clear(unit.block);
  clear(unit.hash);
  return unit.number;
}
