// SPDX-License-Identifier: Apache-2.0
// Wipes what functions have left on the stack: include it after BELOW_WORDS, the words of the
// largest frame that may hold a secret, with its caller's. A multiple of eight.
//
// The functions with the secrets are not inlined, and the caller calls wiped_below() after them, or
// last: `return wiped_below();`.
#ifndef AES_WIPE_BELOW_H
#define AES_WIPE_BELOW_H

#include <stdint.h>

typedef char below_is_whole[BELOW_WORDS % 8u == 0u ? 1 : -1];

// AES_OK. Eight stores a turn: the loop's own instructions would cost more than single stores.
static __attribute__((noinline)) int wiped_below(void) {
  uint32_t room[BELOW_WORDS];
  for (volatile uint32_t *at = room; at != room + BELOW_WORDS; at += 8) {
    at[0] = 0;
    at[1] = 0;
    at[2] = 0;
    at[3] = 0;
    at[4] = 0;
    at[5] = 0;
    at[6] = 0;
    at[7] = 0;
  }
  return 0;
}

#endif
