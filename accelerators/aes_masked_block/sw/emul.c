// SPDX-License-Identifier: Apache-2.0
// The instructions of this unit in plain C, for hosts and cores without it. Nothing is masked here.
// Sources: FIPS 197, sections 5.1 and 5.2; SP 800-38A, sections 6.1, 6.2 and 6.5.
// Not constant-time on a processor with a data cache: the S-box is a table in memory.
#define AES_ENCRYPT_ONLY
#include "accel_ops.h"
#include "aes_emulate.h"

#ifndef SIMULATION_RANDOM  // a program on a host, which has entropy
#include <stdio.h>
#include "aes_masked_block_random.h"

__attribute__((weak)) int aes_masked_block_random(uint32_t *words, size_t count) {
  FILE *const source = fopen("/dev/urandom", "rb");
  const size_t got = source != NULL ? fread(words, sizeof *words, count, source) : 0;
  if (source != NULL) (void)fclose(source);
  return got == count ? 0 : -1;
}
#endif

#define SEED_WORDS 5u
#define KEY_WORDS 8u
#define MOST 16u  // words inside
#define CBC 1u
#define LAST 0xffffffffu  // of the numbers of keys

static struct {
  unsigned seeded, seed, mode, keyed;
  uint32_t number;
  unsigned words, open;            // of a key; of them not written yet, both shares counted
  uint32_t key[KEY_WORDS];
  uint32_t chain[4], queue[MOST];  // results, then words of a text
  unsigned written, read;
} unit = {.number = LAST - 1u};

static void restart(void) {
  unit.written = unit.read = 0;
  for (unsigned i = 0; i < 4u; i++) unit.chain[i] = 0;
  for (unsigned i = 0; i < MOST; i++) unit.queue[i] = 0;
}

static void wipe(void) {
  for (unsigned i = 0; i < KEY_WORDS; i++) unit.key[i] = 0;
  unit.keyed = unit.open = 0;
  restart();
}

static uint32_t boxes(uint32_t word) {
  return (uint32_t)sbox[word & 0xffu] | (uint32_t)sbox[word >> 8 & 0xffu] << 8 |
         (uint32_t)sbox[word >> 16 & 0xffu] << 16 | (uint32_t)sbox[word >> 24] << 24;
}

// FIPS 197, section 5.1, with the key expansion on the way: w[i % 8] is word i of it.
static void encrypt(uint32_t state[4]) {
  const unsigned words = unit.words, last = 4u * (words + 7u);
  uint32_t w[KEY_WORDS], power = 1;
  for (unsigned i = 0; i < last; i++) {
    uint32_t next = i < words ? unit.key[i] : w[(i - 1u) % KEY_WORDS];
    if (i >= words && i % words == 0) {
      next = boxes(next << 24 | next >> 8) ^ power;
      power = xtime(power);
    } else if (i >= words && words == 8u && i % 4u == 0) {
      next = boxes(next);
    }
    if (i >= words) next ^= w[(i - words) % KEY_WORDS];
    w[i % KEY_WORDS] = next;
    state[i % 4u] ^= next;
    if (i % 4u == 3u && i + 1u < last) {
      const uint32_t a = boxes(state[0]), b = boxes(state[1]);
      const uint32_t c = boxes(state[2]), d = boxes(state[3]);
      const uint32_t from[7] = {a, b, c, d, a, b, c};
      for (unsigned j = 0; j < 4u; j++) {
        const uint32_t shifted = (from[j] & 0xffu) | (from[j + 1u] & 0xff00u) |
                                 (from[j + 2u] & 0xff0000u) |
                                 (from[(j + 3u) % 4u] & 0xff000000u);
        state[j] = i + 5u < last ? mix_column(shifted) : shifted;
      }
    }
  }
}

static uint32_t after(uint32_t count) {
  const uint32_t number = count << 24 | (count & 0xff00u) << 8 | (count >> 8 & 0xff00u) |
                          count >> 24;
  const uint32_t next = number + 1u;
  return next << 24 | (next & 0xff00u) << 8 | (next >> 8 & 0xff00u) | next >> 24;
}

// The text becomes its result in its place.
static void block(uint32_t text[4]) {
  uint32_t state[4];
  for (unsigned i = 0; i < 4u; i++) {
    state[i] = unit.mode > CBC ? unit.chain[i] : text[i];
    if (unit.mode == CBC) state[i] ^= unit.chain[i];
  }
  encrypt(state);
  for (unsigned i = 0; i < 4u; i++) {
    text[i] = unit.mode > CBC ? text[i] ^ state[i] : state[i];
    if (unit.mode == CBC) unit.chain[i] = state[i];
  }
  if (unit.mode > CBC) unit.chain[3] = after(unit.chain[3]);
}

uint32_t mb_seed(uint32_t rs1, const unsigned item) {
  (void)rs1;
  if (item == 0 || item == unit.seed) {
    unit.seed = (item + 1u) % SEED_WORDS;
    if (unit.seed == 0) {
      wipe();
      unit.seeded = 1;
    }
  }
  return 0;
}

uint32_t mb_begin(uint32_t rs1, const unsigned item) {
  (void)rs1;
  wipe();
  unit.mode = 0;
  if (unit.number != LAST) {
    const uint32_t n = unit.number;
    unit.number = n << 1 | ((n >> 31 ^ n >> 21 ^ n >> 1 ^ n) & 1u);
  }
  if (unit.seeded != 0 && item != 0) {
    unit.words = 2u + 2u * item;
    unit.open = 2u * unit.words;
  }
  return 0;
}

uint32_t mb_key(uint32_t rs1, const unsigned item) {
  if (unit.open == 0 || item != (unit.open <= unit.words)) return 0;
  unit.key[(2u * unit.words - unit.open) % unit.words] ^= rs1;
  if (--unit.open != 0) return 0;
  unit.keyed = 1;
  return unit.number;
}

uint32_t mb_mode(uint32_t rs1, const unsigned item) {
  (void)rs1;
  restart();
  unit.mode = item;
  return 0;
}

uint32_t mb_iv(uint32_t rs1) {
  if (unit.written != unit.read || (unit.open != 0 && unit.open != 2u * unit.words)) return 0;
  for (unsigned i = 0; i < 3u; i++) unit.chain[i] = unit.chain[i + 1u];
  unit.chain[3] = rs1;
  return 0;
}

uint32_t mb_put(uint32_t rs1) {
  if (unit.keyed == 0 || unit.written - unit.read == MOST) return 0;
  unit.queue[unit.written++ % MOST] = rs1;
  if (unit.written % 4u == 0) block(unit.queue + (unit.written - 4u) % MOST);
  return 0;
}

uint32_t mb_get(uint32_t rs1) {
  (void)rs1;
  return unit.written / 4u != unit.read / 4u ? unit.queue[unit.read++ % MOST] : 0u;
}

uint32_t mb_turn(uint32_t rs1) {
  const uint32_t answer = mb_get(0);
  (void)mb_put(rs1);
  return answer;
}

uint32_t mb_look(uint32_t rs1, const unsigned item) {
  (void)rs1;
  return item != 0 ? unit.seeded : unit.keyed != 0 ? unit.number : 0u;
}
