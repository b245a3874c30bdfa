// SPDX-License-Identifier: Apache-2.0
// Firmware for a board's system with a bus master: the core uses a region while it is encrypted,
// directly and through the repetition of RAM, and the bus master is sent to ROM. It reports on the
// serial line in place of the console.
#include <stdint.h>

#include "aes_async.h"
#include "aes_kernel.h"

enum { DATA, STATUS, SENDING = 1 };  // boards/soc/soc_uart.sv
enum { BLOCKS = 160, WORDS = 4 };    // of a region; of a block

extern volatile uint32_t uart[4];
extern char ram_bytes[];  // its address is the size of RAM, after which RAM repeats

static const uint8_t key[16] __attribute__((aligned(4))) = {0, 1, 2,  3,  4,  5,  6,  7,
                                                            8, 9, 10, 11, 12, 13, 14, 15};
static aes_key_t session;
static uint32_t wanted[BLOCKS][WORDS], text[BLOCKS][WORDS];

static void say(const char *line) {
  for (; *line; ++line) {
    while (uart[STATUS] & SENDING) continue;
    uart[DATA] = (uint8_t)*line;
  }
}

static void report(const char *what, int right) {
  say(what);
  say(right ? ": right\r\n" : ": WRONG\r\n");
}

static void fill(uint32_t block[BLOCKS][WORDS]) {
  for (uint32_t i = 0; i < BLOCKS * WORDS; ++i) block[i / WORDS][i % WORDS] = i * 0x9e3779b9u;
}

// The core reads and overwrites blocks from the last one on, `distance` bytes after their address.
static int used_meanwhile(uintptr_t distance) {
  fill(text);
  if (aes_encrypt_start(&session, (uint8_t *)text, (uint8_t *)text, BLOCKS) != AES_OK) return 0;
  int right = 1;
  for (unsigned i = BLOCKS; i-- > 0;) {
    volatile uint32_t *block = (volatile uint32_t *)((uintptr_t)text[i] + distance);
    right &= block[2] == wanted[i][2];
    block[1] = i;
  }
  right &= aes_finish(&session) == AES_OK;
  for (unsigned i = 0; i < BLOCKS; ++i) {
    right &= text[i][0] == wanted[i][0] && text[i][1] == i && text[i][3] == wanted[i][3];
  }
  return right;
}

int main(void) {
  fill(wanted);
  report("encrypted", aes_set_encrypt_key(&session, key, 128) == AES_OK &&
                          aes_encrypt_blocks(&session, (uint8_t *)wanted, (uint8_t *)wanted,
                                             BLOCKS) == AES_OK);
  report("used meanwhile", used_meanwhile(0));
  report("used through the repetition", used_meanwhile((uintptr_t)ram_bytes));
  report("no access to ROM", aes_encrypt_blocks(&session, key, (uint8_t *)text, 1) ==
                                 AES_ERR_DEVICE);
  say("> ");
  for (;;) continue;
}
