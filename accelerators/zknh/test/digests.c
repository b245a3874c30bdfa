// SPDX-License-Identifier: Apache-2.0
// Reads messages from the stream device (a length, then the bytes, filled to words), writes each
// digest, and prints what 8 blocks in one call of sha256_blocks take:
//   {"cycles":N,"instructions":N}
#include "hal.h"
#include "say.h"
#include "sha256.h"

#define MOST 4096u
#define TIMED_BLOCKS 8u

static uint32_t data[MOST / 4u + 1u];

int main(void) {
  static uint32_t length, digest[8];
  uint8_t *const message = (uint8_t *)data + 1;
  static uint32_t state[8];
  while (hal_stream_read(&length, sizeof length) == sizeof length) {
    static uint32_t words[MOST / 4u];
    sha256_t s;
    if (length > MOST || hal_stream_read(words, (length + 3u) & ~3u) != ((length + 3u) & ~3u)) {
      return 2;
    }
    for (uint32_t i = 0; i < length; i++) {
      message[i] = ((const uint8_t *)words)[i];
    }
    sha256_init(&s);
    sha256_update(&s, message, length / 3u);
    sha256_update(&s, message + length / 3u, length - length / 3u);
    sha256_final(&s, (uint8_t *)digest);
    hal_stream_write(digest, sizeof digest);
  }
  sha256_blocks(state, (const uint8_t *)data, TIMED_BLOCKS);  // fills caches
  const uint32_t instructions = hal_instret(), cycles = hal_cycles();
  sha256_blocks(state, (const uint8_t *)data, TIMED_BLOCKS);
  const uint32_t taken = hal_cycles() - cycles;
  say("{\"cycles\":");
  say_u32(taken);
  say(",\"instructions\":");
  say_u32(hal_instret() - instructions);
  say("}\n");
  return 0;
}
