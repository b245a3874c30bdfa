// SPDX-License-Identifier: Apache-2.0
// A shape: sha256_blocks of sha256.h, over sha256_rounds.h, whose macros come before it; and
// SHA256_LINKAGE, what is written before the function: nothing or an attribute.
#ifndef SHA256_ENTRY_H
#define SHA256_ENTRY_H

#include "aes_forget_registers.h"
#include "sha256.h"
#include "sha256_rounds.h"

#define BELOW_WORDS 64u
#include "aes_wipe_below.h"

static __attribute__((noinline)) void sha256_walk(uint32_t state[8], const uint8_t *data,
                                                  size_t nblocks) {
  for (; nblocks != 0u; nblocks--) {
    sha256_compress(state, data);
    data += 64;
  }
}

SHA256_LINKAGE void sha256_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {
  sha256_walk(state, data, nblocks);
  (void)wiped_below();
  forget_registers();
}

#endif
