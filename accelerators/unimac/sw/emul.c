// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Sources: Tillich and Grossschaedl 2007, sections 4 and 6; FIPS 197, sections 5.1 to 5.3.
// Not constant-time on a processor with a data cache or a multiplier whose time depends on data.
#include "accel_ops.h"
#include "aes_emulate.h"

// The accumulator, 72 bits: two's complement for integers, plain bits for polynomials.
static struct {
  uint64_t low;
  uint8_t high;
} acc;

static void add(uint64_t value, uint8_t high) {
  acc.low += value;
  acc.high = (uint8_t)(acc.high + high + (acc.low < value));
}

// A value of 64 bits in two's complement.
static void add_signed(uint64_t value) { add(value, (value >> 63) ? 0xffu : 0u); }

static void clear(void) {
  acc.low = 0;
  acc.high = 0;
}

static uint32_t shift(void) {
  const uint32_t word = (uint32_t)acc.low;
  const uint32_t fill = (acc.high & 0x80u) ? 0xffffff00u : 0u;
  acc.low = acc.low >> 32 | (uint64_t)(fill | acc.high) << 32;
  acc.high = (uint8_t)(fill >> 8);
  return word;
}

static uint64_t times_unsigned(uint32_t a, uint32_t b) { return (uint64_t)a * b; }

static uint64_t times_signed(uint32_t a, uint32_t b) {
  return (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
}

uint32_t um_mulu(uint32_t rs1, uint32_t rs2) {
  clear();
  add(times_unsigned(rs1, rs2), 0);
  return (uint32_t)acc.low;
}

uint32_t um_muls(uint32_t rs1, uint32_t rs2) {
  clear();
  add_signed(times_signed(rs1, rs2));
  return (uint32_t)acc.low;
}

uint32_t um_macu(uint32_t rs1, uint32_t rs2) {
  add(times_unsigned(rs1, rs2), 0);
  return 0;
}

uint32_t um_macs(uint32_t rs1, uint32_t rs2) {
  add_signed(times_signed(rs1, rs2));
  return 0;
}

uint32_t um_shacr(uint32_t rs1, uint32_t rs2) {
  (void)rs1;
  (void)rs2;
  return shift();
}

uint32_t um_shin(uint32_t rs1, uint32_t rs2) {
  (void)rs2;
  acc.high = (uint8_t)(acc.low >> 32);
  acc.low = acc.low << 32 | rs1;
  return 0;
}

static uint64_t times_carryless(uint32_t a, uint32_t b) {
  uint64_t product = 0;
  for (unsigned i = 0; i < 32; i++) {
    product ^= ((uint64_t)a << i) & ((uint64_t)0 - ((b >> i) & 1u));
  }
  return product;
}

uint32_t um_gf2mul(uint32_t rs1, uint32_t rs2) {
  acc.low = times_carryless(rs1, rs2);
  acc.high = 0;
  return (uint32_t)acc.low;
}

uint32_t um_gf2mac(uint32_t rs1, uint32_t rs2) {
  acc.low ^= times_carryless(rs1, rs2);
  return 0;
}

uint32_t um_brev8(uint32_t rs1, uint32_t rs2) {
  uint32_t w = rs1 ^ rs2;
  w = ((w >> 4) & 0x0f0f0f0fu) | ((w & 0x0f0f0f0fu) << 4);
  w = ((w >> 2) & 0x33333333u) | ((w & 0x33333333u) << 2);
  return ((w >> 1) & 0x55555555u) | ((w & 0x55555555u) << 1);
}

static uint32_t four(uint32_t a, uint32_t b, const uint8_t box[256]) {
  return (uint32_t)box[lane(a, 0)] | (uint32_t)box[lane(b, 1)] << 8 |
         (uint32_t)box[lane(a, 2)] << 16 | (uint32_t)box[lane(b, 3)] << 24;
}

uint32_t um_pack(uint32_t rs1, uint32_t rs2) { return (rs1 & 0xffff0000u) | (rs2 & 0xffffu); }

uint32_t um_mcmuls(uint32_t rs1, uint32_t rs2) { return mix_column(um_pack(rs1, rs2)); }

uint32_t um_imcmuls(uint32_t rs1, uint32_t rs2) { return inv_mix_column(um_pack(rs1, rs2)); }

uint32_t um_mcmacs(uint32_t rs1, uint32_t rs2) {
  acc.low ^= um_mcmuls(rs1, rs2);
  return 0;
}

uint32_t um_imcmacs(uint32_t rs1, uint32_t rs2) {
  acc.low ^= um_imcmuls(rs1, rs2);
  return 0;
}

uint32_t um_mckey(uint32_t rs1, uint32_t rs2, uint32_t rs3) { return um_mcmuls(rs1, rs2) ^ rs3; }

uint32_t um_imckey(uint32_t rs1, uint32_t rs2, uint32_t rs3) {
  return um_imcmuls(rs1, rs2) ^ rs3;
}

uint32_t um_sbox4(uint32_t rs1, uint32_t rs2) { return four(rs1, rs2, sbox); }

uint32_t um_isbox4(uint32_t rs1, uint32_t rs2) { return four(rs1, rs2, inv_sbox); }

uint32_t um_sboxk(uint32_t rs1, uint32_t rs2) {
  const uint32_t w = rotate_left(rs1, 3);
  return four(w, w, sbox) ^ rs2;
}

uint32_t um_macux(uint32_t rs1, uint32_t rs2) {
  (void)um_macu(rs1, rs2);
  return shift();
}

uint32_t um_mac2u(uint32_t rs1, uint32_t rs2) {
  (void)um_macu(rs1, rs2);
  return um_macu(rs1, rs2);
}

uint32_t um_mac2ux(uint32_t rs1, uint32_t rs2) {
  (void)um_mac2u(rs1, rs2);
  return shift();
}

uint32_t um_gf2macx(uint32_t rs1, uint32_t rs2) {
  (void)um_gf2mac(rs1, rs2);
  return shift();
}

uint32_t um_add(uint32_t rs1, uint32_t rs2) {
  add((uint64_t)rs1 + rs2, 0);
  return 0;
}

uint32_t um_sub(uint32_t rs1, uint32_t rs2) {
  add_signed((uint64_t)rs1 - rs2);
  return 0;
}

uint32_t um_addx(uint32_t rs1, uint32_t rs2) {
  (void)um_add(rs1, rs2);
  return shift();
}

uint32_t um_subx(uint32_t rs1, uint32_t rs2) {
  (void)um_sub(rs1, rs2);
  return shift();
}
