// SPDX-License-Identifier: Apache-2.0
// Driver of the masked AES peripheral; registers: registers.md. Every wait is bounded.
//
// One caller at a time; sw/kernel.c adds what several callers and interrupt handlers need. Check
// every status. After any but AES_MASKED_OK the output is not valid: wipe the device and begin with
// the key.
//
// A key is in two shares whose sum (XOR) it is. No function here reads both shares of a word into
// registers one after the other: all words of share 0 are moved, then all words of share 1.
#ifndef AES_MASKED_H
#define AES_MASKED_H

#include <stddef.h>
#include <stdint.h>

#include "aes_masked_regs.h"

#define AES_MASKED_OK 0
#define AES_MASKED_ERR_ABSENT (-1)    // there is no such device at the address
#define AES_MASKED_ERR_UNSEEDED (-2)  // the generator has no seed
#define AES_MASKED_ERR_REFUSED (-3)   // an access was refused: no key, or a reset came in between
#define AES_MASKED_ERR_TIMEOUT (-4)   // no answer
#define AES_MASKED_ERR_LENGTH (-5)    // key_bits is none of 128, 192, 256

enum { AES_MASKED_ECB, AES_MASKED_CBC, AES_MASKED_CTR };

#define AES_MASKED_SEED_WORDS 5u

// Find the device at an address.
int aes_masked_find(volatile uint32_t *base);

// Wipe everything, then seed the generator and wait until it gives fresh bits. The five words are
// new ones from a source of entropy: never a constant, never twice.
int aes_masked_seed(volatile uint32_t *base, const uint32_t seed[AES_MASKED_SEED_WORDS]);

// Overwrite key, blocks and results with fresh bits, and clear the errors.
int aes_masked_wipe(volatile uint32_t *base);

// Load a key in shares of key_bits / 32 words.
int aes_masked_load(volatile uint32_t *base, const uint32_t *share0, const uint32_t *share1,
                    unsigned key_bits);

// Load the key of a key manager (CAPS.SIDELOAD); it passes no register of the processor.
int aes_masked_sideload(volatile uint32_t *base, unsigned key_bits);

// Share 1 of a plain key whose share 0 are random words. A plain key in the processor is not
// protected: this is for keys that are there anyway.
void aes_masked_split(uint32_t *share1, const uint32_t *key, const uint32_t *share0, size_t words);

// Encrypt whole blocks under the device's key, in AES_MASKED_CTR in both directions; `iv` is four
// words in memory order (null in ECB) and does not change. `in` and `out` are equal or disjoint.
int aes_masked_crypt(volatile uint32_t *base, unsigned key_bits, int mode, const uint32_t *iv,
                     const uint32_t *in, uint32_t *out, size_t nblocks);

#endif
