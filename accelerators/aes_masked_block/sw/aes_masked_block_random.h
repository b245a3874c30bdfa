// SPDX-License-Identifier: Apache-2.0
// What the kernel needs from the system: a source of entropy.
#ifndef AES_MASKED_BLOCK_RANDOM_H
#define AES_MASKED_BLOCK_RANDOM_H

#include <stddef.h>
#include <stdint.h>

// Fill `words` with uniform random words that nobody can predict: the seed of the unit, and share 0
// of each key. Returns 0, or anything else without entropy: then no key is set up.
//
// You implement it. With SIMULATION_RANDOM, which our simulations define and exports do not, the
// kernel has a weak one with a fixed sequence. It protects nothing.
int aes_masked_block_random(uint32_t *words, size_t count);

#endif
