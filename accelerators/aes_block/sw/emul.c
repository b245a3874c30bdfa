// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it.
// Sources: FIPS 197, sections 5.1 to 5.3; SP 800-38A; SP 800-38D, sections 6.2 to 6.5.
// Not constant-time on a processor with a data cache: the S-box is a table in memory.
#include "accel_ops.h"
#include "aes_emulate.h"

#define WORDS 4u
#define KEY_WORDS 8u
#define MOST_ROUNDS 14u

// As in the unit's mode.
#define CIPHER 3u
#define CBC 2u
#define CTR 3u
#define INVERSE 4u
#define HASH 8u
#define HASH_RESULT 16u
#define CLEAR 32u

typedef struct {
  uint32_t w[WORDS];
} words_t;

static struct {
  uint32_t number, mode;
  unsigned open, rounds;  // rounds: 0 without a key
  uint32_t key[KEY_WORDS];
  uint32_t expanded[(MOST_ROUNDS + 1u) * WORDS];
  words_t half, result, chain, hash, subkey;
} unit;

static words_t add(words_t x, words_t y) {
  for (unsigned i = 0; i < WORDS; i++) x.w[i] ^= y.w[i];
  return x;
}

static words_t round_key(words_t x, unsigned round) {
  for (unsigned i = 0; i < WORDS; i++) x.w[i] ^= unit.expanded[WORDS * round + i];
  return x;
}

static uint32_t substituted(uint32_t word, const uint8_t box[256]) {
  uint32_t sum = 0;
  for (unsigned row = 0; row < 4u; row++) sum |= (uint32_t)box[lane(word, row)] << (8u * row);
  return sum;
}

// ShiftRows and SubBytes; `step` is 1, or 3 for the inverse: row r moves by step * r columns.
static words_t moved(words_t x, unsigned step, const uint8_t box[256]) {
  words_t y;
  for (unsigned i = 0; i < WORDS; i++) {
    uint32_t word = 0;
    for (unsigned row = 0; row < 4u; row++) {
      word |= x.w[(i + step * row) % WORDS] & 0xffu << (8u * row);
    }
    y.w[i] = substituted(word, box);
  }
  return y;
}

static words_t encrypted(words_t x) {
  x = round_key(x, 0);
  for (unsigned round = 1; round <= unit.rounds; round++) {
    x = moved(x, 1, sbox);
    for (unsigned i = 0; round < unit.rounds && i < WORDS; i++) x.w[i] = mix_column(x.w[i]);
    x = round_key(x, round);
  }
  return x;
}

static words_t decrypted(words_t x) {
  x = round_key(x, unit.rounds);
  for (unsigned round = unit.rounds; round-- > 0;) {
    x = round_key(moved(x, 3, inv_sbox), round);
    for (unsigned i = 0; round > 0 && i < WORDS; i++) x.w[i] = inv_mix_column(x.w[i]);
  }
  return x;
}

static uint32_t reversed(uint32_t x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

// hash = (hash ^ block) * subkey: algorithm 1 of SP 800-38D, section 6.3. The highest bit of the
// first byte is the first of a block.
static void absorb(words_t block) {
  words_t z = {{0}}, v = unit.subkey;
  block = add(block, unit.hash);
  for (unsigned i = 0; i < WORDS; i++) v.w[i] = reversed(v.w[i]);
  for (unsigned i = 0; i < 128u; i++) {
    const uint32_t bit = reversed(block.w[i / 32u]) >> (31u - i % 32u) & 1u;
    const uint32_t last = v.w[3] & 1u;
    for (unsigned j = 0; j < WORDS; j++) z.w[j] ^= v.w[j] & (0u - bit);
    for (unsigned j = WORDS; j-- > 0;) v.w[j] = v.w[j] >> 1 | (j > 0 ? v.w[j - 1] << 31 : 0u);
    v.w[0] ^= 0xe1000000u & (0u - last);
  }
  for (unsigned i = 0; i < WORDS; i++) unit.hash.w[i] = reversed(z.w[i]);
}

static void block(words_t text) {
  const unsigned cipher = unit.mode & CIPHER, inverse = unit.mode & INVERSE;
  const words_t none = {{0}}, chain = unit.chain;
  if (cipher != 0 && unit.rounds == 0) {
    unit.result = none;
    return;
  }
  if (cipher == 0) {
    unit.result = text;
  } else if (cipher == CTR) {
    unit.result = add(text, encrypted(chain));
    unit.chain.w[3] = reversed(reversed(chain.w[3]) + 1u);
  } else if (inverse != 0) {
    unit.result = add(decrypted(text), cipher == CBC ? chain : none);
    if (cipher == CBC) unit.chain = text;
  } else {
    unit.result = encrypted(cipher == CBC ? add(text, chain) : text);
    if (cipher == CBC) unit.chain = unit.result;
  }
  if ((unit.mode & HASH) != 0 && (cipher == 0 || cipher == CTR)) {
    absorb((unit.mode & HASH_RESULT) != 0 ? unit.result : text);
  }
}

static void erase(void) {
  const words_t none = {{0}};
  unit.half = unit.result = unit.chain = unit.hash = unit.subkey = none;
}

uint32_t ab_begin(uint32_t rs1) {
  (void)rs1;
  erase();
  for (unsigned i = 0; i < KEY_WORDS; i++) unit.key[i] = 0;
  for (unsigned i = 0; i < sizeof unit.expanded / sizeof *unit.expanded; i++) unit.expanded[i] = 0;
  unit.mode = unit.rounds = 0;
  unit.number += unit.number != 0xffffffffu;
  unit.open = 1;
  return 0;
}

uint32_t ab_key(uint32_t rs1, const unsigned item) {
  if (unit.open != 0) unit.key[item] = rs1;
  return 0;
}

// FIPS 197, section 5.2. The key's own words do not remain.
uint32_t ab_start(uint32_t rs1, const unsigned item) {
  const unsigned words = item > 1u ? 8u : 4u + 2u * item;
  uint32_t power = 1;
  (void)rs1;
  if (unit.open == 0) return 0;
  unit.open = 0;
  unit.rounds = words + 6u;
  for (unsigned i = 0; i < WORDS * (unit.rounds + 1u); i++) {
    uint32_t word = i < words ? unit.key[i] : unit.expanded[i - 1u];
    if (i >= words && i % words == 0) {
      word = substituted(rotate_left(word, 3), sbox) ^ power;
      power = xtime(power);
    } else if (i >= words && words == 8u && i % words == 4u) {
      word = substituted(word, sbox);
    }
    unit.expanded[i] = i < words ? word : word ^ unit.expanded[i - words];
  }
  for (unsigned i = 0; i < KEY_WORDS; i++) unit.key[i] = 0;
  return unit.number;
}

uint32_t ab_mode(uint32_t rs1, const unsigned item) {
  (void)rs1;
  if ((item & CLEAR) != 0) erase();
  unit.mode = item & 31u;
  return 0;
}

uint32_t ab_set(uint32_t rs1, uint32_t rs2, const unsigned item) {
  words_t *const to[] = {&unit.chain, &unit.hash, &unit.subkey};
  if (item < 6u) {
    to[item / 2u]->w[2u * (item % 2u)] = rs1;
    to[item / 2u]->w[2u * (item % 2u) + 1u] = rs2;
  }
  return 0;
}

uint32_t ab_put(uint32_t rs1, uint32_t rs2, const unsigned item) {
  if (item == 0) {
    unit.half.w[0] = rs1;
    unit.half.w[1] = rs2;
  } else {
    block((words_t){{unit.half.w[0], unit.half.w[1], rs1, rs2}});
  }
  return 0;
}

uint32_t ab_turn(uint32_t rs1, uint32_t rs2, const unsigned item) {
  const uint32_t answer = unit.result.w[3u * item];
  (void)ab_put(rs1, rs2, item);
  return answer;
}

uint32_t ab_get(uint32_t rs1, const unsigned item) {
  (void)rs1;
  return unit.result.w[item];
}

uint32_t ab_look(uint32_t rs1, const unsigned item) {
  (void)rs1;
  if (item < 4u) return unit.chain.w[item];
  if (item < 8u) return unit.hash.w[item - 4u];
  if (item < 10u) return unit.half.w[item - 8u];
  return item == 10u ? unit.number : item == 11u ? unit.mode : 0u;
}
