// SPDX-License-Identifier: Apache-2.0
// What the kernel needs from the system: a source of entropy.
#ifndef AES_MASKED_RANDOM_H
#define AES_MASKED_RANDOM_H

#include <stddef.h>
#include <stdint.h>

// Fill `words` with uniform random words that nobody can predict: the seed of the device, and share
// 0 of each key. Returns 0, or anything else if there is no entropy; no key is set up then.
//
// You implement it. With SIMULATION_RANDOM, which our simulations define and exports do not, the
// kernel has a weak one of its own: a fixed sequence. It protects nothing; never build a product
// with it.
int aes_masked_random(uint32_t *words, size_t count);

#endif
