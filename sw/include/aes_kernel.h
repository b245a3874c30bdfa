// SPDX-License-Identifier: Apache-2.0
// The kernel contract: what every accelerator's (and baseline's) C code offers.
// Source: FIPS 197 for the cipher; docs/architecture.md, section 3, for the rules.
#ifndef AES_KERNEL_H
#define AES_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define AES_BLOCK_BYTES 16u

// Results of the set-up functions.
#define AES_OK 0
#define AES_ERR_KEY_LENGTH (-1)   // key_bits is none of 128, 192, 256
#define AES_ERR_UNSUPPORTED (-2)  // this variant lacks the direction

// Words of an expanded key in the kernel's own packing; the manifest's sw.key_words.
#ifndef AES_KEY_WORDS
#define AES_KEY_WORDS 64
#endif

// Words of what a unit with state keeps between operations; the variant's state_words.
#ifndef AES_UNIT_STATE_WORDS
#define AES_UNIT_STATE_WORDS 1
#endif

// An expanded key. Only the kernel that made it may read `rk`. rounds is 10, 12 or 14. A copy is a
// key of its own. No key is put in the place of another by assignment, but by set-up: a unit that
// holds round keys knows them by their address.
typedef struct {
  uint32_t rk[AES_KEY_WORDS];
  uint32_t rounds;
} aes_key_t;

// Expand `key` (key_bits / 8 bytes, 4-byte aligned) for encryption or decryption.
// Returns AES_OK, AES_ERR_KEY_LENGTH or AES_ERR_UNSUPPORTED; *k is unusable unless AES_OK.
int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits);
int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits);

// ECB over nblocks blocks of 16 bytes (0 allowed). `in` and `out` are 4-byte aligned and either
// equal or disjoint. The time depends on nblocks and k->rounds only, unless the manifest says so.
void aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
void aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);

// Forget a key: *k becomes zero, and so does whatever a unit holds of it. (Weak; for a unit without
// round keys of its own it wipes memory.)
void aes_clear_key(aes_key_t *k);

// Cycles since the start, modulo 2^32, in which calls had nothing to do but wait until hardware
// beside the core was ready, and other code could have run. (Weak: none.)
uint32_t aes_waited(void);

// What a unit keeps between operations. Code that interrupts other code and uses the unit too (an
// interrupt handler, a context switch) saves it first and restores it afterwards; an expanded key
// in use by the interrupted code must still be in memory then. A unit without state needs neither:
// its functions do nothing (sw/hal/unit_state.c, weak). Keys are never part of a saved state.
typedef struct {
  uint32_t word[AES_UNIT_STATE_WORDS];
} aes_unit_state_t;

void aes_unit_save(aes_unit_state_t *state);
void aes_unit_restore(const aes_unit_state_t *state);

#endif
