// SPDX-License-Identifier: Apache-2.0
// For kernels that write their walk over blocks once for all modes: a constant chooses the mode,
// and with it what a group takes before the rounds and gives after them.
//   ECB             text, then the result
//   CTR             counters, then the result added to the text
//   CBC encryption  the last result added to the text, then the result; one block at a time
//   CBC decryption  text, then the result added to the text of the block before
// CBC decryption goes from the last block to the first, groups too: in place, the ciphertext that a
// block needs is then not overwritten yet. aes_fused_entries.h has the functions of the contract.
#ifndef AES_FUSED_H
#define AES_FUSED_H

enum { FUSED_ECB, FUSED_CTR, FUSED_CBC_ENCRYPT, FUSED_CBC_DECRYPT };

#define FUSED_NEXT 0x01000000u  // one in a counter's last byte

// Words from a group to the next one.
#define STEP_OF(mode, blocks) ((mode) == FUSED_CBC_DECRYPT ? -4 * (blocks) : 4 * (blocks))

// What may have waited on the stack, or is a constant, is in a register from here on: at its use
// some cores would wait for it.
#define FETCHED(word) __asm__ volatile("" : "+r"(word))

// The block before the one at `in`; the first one, at `low`, has it at `before`.
#define FUSED_PREVIOUS(name, in, low, before) \
  const word_t *name = (in) - 4;              \
  if ((in) == (low)) name = (before);         \
  FETCHED(name)

#endif
