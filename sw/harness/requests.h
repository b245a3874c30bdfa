// SPDX-License-Identifier: Apache-2.0
// Shared by the programs whose requests place their buffers at any offset: gcm.c and modes.c. Each
// includes this after its request `r`, which has a member `place`.
#ifndef REQUESTS_H
#define REQUESTS_H

#include "hal.h"

#define UNTOUCHED 0xa5u

enum { PLACE_OFFSET = 3, PLACE_SAME = 4 };

static uint32_t padded(uint32_t n) {
  return (n + 3u) & ~3u;
}

static void fill(uint32_t *words, uint32_t n) {
  for (uint32_t i = 0; i < n / 4u; i++) {
    words[i] = UNTOUCHED * 0x01010101u;
  }
}

// Move n bytes up or down by less than a word, from the end or from the start.
static void move_up(uint32_t *room, uint32_t offset, uint32_t n) {
  uint8_t *bytes = (uint8_t *)room;
  while (offset != 0u && n-- != 0u) {
    bytes[offset + n] = bytes[n];
  }
}

static void move_down(uint32_t *room, uint32_t offset, uint32_t n) {
  uint8_t *bytes = (uint8_t *)room;
  for (uint32_t i = 0; offset != 0u && i < n; i++) {
    bytes[i] = bytes[offset + i];
  }
}

// Read n bytes to their offset in a room; nothing if there are too few.
static uint8_t *receive(uint32_t *room, uint32_t n) {
  uint32_t offset = r.place & PLACE_OFFSET;
  if (hal_stream_read(room, padded(n)) != padded(n)) {
    return NULL;
  }
  move_up(room, offset, n);
  return (uint8_t *)room + offset;
}

// Counters are read around one statement; the cycle counter is the inner one.
#define TIMED(response, statement)                               \
  do {                                                           \
    uint32_t instructions_ = hal_instret();                      \
    uint32_t cycles_ = hal_cycles();                             \
    statement;                                                   \
    (response).cycles = hal_cycles() - cycles_;                  \
    (response).instructions = hal_instret() - instructions_;     \
  } while (0)

#endif
