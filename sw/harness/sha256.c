// SPDX-License-Identifier: Apache-2.0
// Question "sha256": digests of messages, counted one by one. Messages arrive by the stream device
// and digests go back; the host compares. Little-endian words; a message is padded to words.
//
// Request:  bytes, message
// Response: cycles, instructions, digest (32 bytes). Counted: init, one update, final.
#include "hal.h"
#include "sha256.h"

#define MOST 8192u
#define EXIT_BAD_REQUEST 2u

int main(void) {
  static uint32_t message[MOST / 4u];
  static uint32_t bytes;
  static struct {
    uint32_t cycles;
    uint32_t instructions;
    uint32_t digest[8];
  } answer;
  static sha256_t s;
  while (hal_stream_read(&bytes, sizeof bytes) == sizeof bytes) {
    const size_t padded = (bytes + 3u) & ~(size_t)3u;
    if (bytes > MOST || hal_stream_read(message, padded) != padded) {
      return EXIT_BAD_REQUEST;
    }
    const uint32_t instructions = hal_instret(), cycles = hal_cycles();
    sha256_init(&s);
    sha256_update(&s, (const uint8_t *)message, bytes);
    sha256_final(&s, (uint8_t *)answer.digest);
    answer.cycles = hal_cycles() - cycles;
    answer.instructions = hal_instret() - instructions;
    hal_stream_write(&answer, sizeof answer);
  }
  return 0;
}
