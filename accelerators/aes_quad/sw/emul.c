// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Source: quad-packing.md; FIPS 197, sections 4.2, 5.1 and 5.3.
#include "accel_ops.h"
#include "aes_emulate.h"

static uint32_t word(uint32_t b0, uint32_t b1, uint32_t b2, uint32_t b3) {
  return b0 | (b1 << 8) | (b2 << 16) | (b3 << 24);
}

static uint32_t substitute(const uint8_t *table, uint32_t w) {
  return word(table[lane(w, 0)], table[lane(w, 1)], table[lane(w, 2)], table[lane(w, 3)]);
}

// The diagonals of two quads, and the quads of two columns.
static uint32_t diagonal_x(uint32_t rs1, uint32_t rs2) {
  return word(lane(rs1, 1), lane(rs1, 2), lane(rs2, 3), lane(rs2, 0));
}

static uint32_t diagonal_y(uint32_t rs1, uint32_t rs2) {
  return word(lane(rs1, 0), lane(rs2, 1), lane(rs2, 2), lane(rs1, 3));
}

static uint32_t pack_a(uint32_t x, uint32_t y) {
  return word(lane(y, 0), lane(x, 0), lane(y, 1), lane(x, 3));
}

static uint32_t pack_c(uint32_t x, uint32_t y) {
  return word(lane(y, 3), lane(x, 1), lane(y, 2), lane(x, 2));
}

// The functions that all forms have: two quads or two columns in, one word out.
static uint32_t ex(uint32_t a, uint32_t b) { return substitute(sbox, diagonal_x(a, b)); }
static uint32_t ey(uint32_t a, uint32_t b) { return substitute(sbox, diagonal_y(a, b)); }

static uint32_t ea(uint32_t a, uint32_t b) {
  return pack_a(mix_column(ex(a, b)), mix_column(ey(a, b)));
}

static uint32_t ec(uint32_t a, uint32_t b) {
  return pack_c(mix_column(ex(a, b)), mix_column(ey(a, b)));
}

static uint32_t pa(uint32_t x, uint32_t y) { return pack_a(x, y); }
static uint32_t pc(uint32_t x, uint32_t y) { return pack_c(x, y); }

#ifndef AES_ENCRYPT_ONLY

static uint32_t dx(uint32_t a, uint32_t b) { return substitute(inv_sbox, diagonal_x(a, b)); }
static uint32_t dy(uint32_t a, uint32_t b) { return substitute(inv_sbox, diagonal_y(a, b)); }
static uint32_t ka(uint32_t x, uint32_t y) { return pack_a(inv_mix_column(x), inv_mix_column(y)); }
static uint32_t kc(uint32_t x, uint32_t y) { return pack_c(inv_mix_column(x), inv_mix_column(y)); }
static uint32_t da(uint32_t a, uint32_t b) { return ka(dx(a, b), dy(a, b)); }
static uint32_t dc(uint32_t a, uint32_t b) { return kc(dx(a, b), dy(a, b)); }

#define FOR_EACH_OP(X) X(ea) X(ec) X(da) X(dc) X(pa) X(pc) X(ka) X(kc) X(ex) X(ey) X(dx) X(dy)

#else

#define FOR_EACH_OP(X) X(ea) X(ec) X(pa) X(pc) X(ex) X(ey)

#endif

#if defined AESQ_THREE

#define DEFINE(op)                                                \
  uint32_t aesq3_##op(uint32_t rs1, uint32_t rs2, uint32_t rs3) { \
    return op(rs1, rs2) ^ rs3;                                    \
  }
FOR_EACH_OP(DEFINE)

#elif defined AESQ_KEYED

#define WORDS 60u  // 4 * (14 + 1): the round keys of AES-256

static struct {
  uint32_t tag;
  uint32_t keys[WORDS];
} unit;

#define DEFINE(op)                                                    \
  uint32_t aesqk_##op(uint32_t rs1, uint32_t rs2, const unsigned k) { \
    return op(rs1, rs2) ^ (k < WORDS ? unit.keys[k] : 0u);            \
  }
FOR_EACH_OP(DEFINE)

uint32_t aesqk_load(uint32_t rs1, const unsigned k) {
  if (k < WORDS) unit.keys[k] = rs1;
  return 0;
}

uint32_t aesqk_begin(uint32_t rs1) {
  for (unsigned i = 0; i < WORDS; i++) unit.keys[i] = 0;
  unit.tag = rs1;
  return 0;
}

uint32_t aesqk_tag(uint32_t rs1) {
  (void)rs1;
  return unit.tag;
}

#else

#define DEFINE(op) \
  uint32_t aesq_##op(uint32_t rs1, uint32_t rs2) { return op(rs1, rs2); }
FOR_EACH_OP(DEFINE)

#endif
