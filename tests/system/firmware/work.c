// SPDX-License-Identifier: Apache-2.0
// A self-checking mixture of everything: loads and stores of all sizes, multiplications, divisions,
// calls, branches and, with HAVE_MIX2 / HAVE_MIX3, custom instructions between them. Writes a
// checksum of the results, which depends on nothing but the round count in the first input word.

#include "hal.h"
#include "mix.h"

#define WORDS 64u

typedef uint16_t __attribute__((may_alias)) half_t;

static uint32_t table[WORDS];

static uint32_t custom2(uint32_t a, uint32_t b) {
#ifdef HAVE_MIX2
  uint32_t d;
  __asm__ volatile(MIX2 "%0, %1, %2" : "=r"(d) : "r"(a), "r"(b));
  return d;
#else
  return mix2(a, b);
#endif
}

static uint32_t custom3(uint32_t a, uint32_t b, uint32_t c) {
#ifdef HAVE_MIX3
  uint32_t d;
  __asm__ volatile(MIX3 "%0, %1, %2, %3" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
#else
  return mix3(a, b, c);
#endif
}

static __attribute__((noinline)) uint32_t step(uint32_t a, uint32_t b) {
  volatile uint8_t *const bytes = (volatile uint8_t *)table;
  volatile half_t *const halves = (volatile half_t *)table;
  const uint32_t at = b % WORDS;
  uint32_t c = custom2(table[at], a / (b | 1u));
  bytes[a % (4u * WORDS)] = (uint8_t)c;
  c = custom2(c, (uint32_t)((uint64_t)a * b >> 32));
  halves[c % (2u * WORDS)] = (uint16_t)(c >> 7);
  c = custom3(c, table[c % WORDS], a % (b | 3u));
  c = custom3(table[(at + 1u) % WORDS], c, c * b);
  table[at] = c;
  return custom2(c, table[at]) + (c & 1u ? custom2(a, c) : custom3(b, a, c));
}

int main(void) {
  uint32_t rounds = 0;
  hal_stream_read(&rounds, sizeof rounds);
  for (uint32_t i = 0; i < WORDS; ++i) table[i] = i * 0x01000193u;
  uint32_t a = 1, b = 2;
  for (uint32_t i = 0; i < rounds; ++i) {
    const uint32_t next = step(a, b);
    a = b ^ hal_mem_size();
    b = next;
  }
  hal_stream_write(table, sizeof table);
  hal_stream_write(&b, sizeof b);
  return 0;
}
