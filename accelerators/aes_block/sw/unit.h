// SPDX-License-Identifier: Apache-2.0
// For this unit's kernels: whose key the unit holds, and blocks through it.
#ifndef UNIT_H
#define UNIT_H

#include "accel_ops.h"
#include "aes_hot.h"
#include "aes_in_registers.h"
#include "aes_kernel.h"

// Modes of the unit (rtl/aes_block.sv).
#define PASS 0u
#define ECB_ENCRYPT 1u
#define CBC_ENCRYPT 2u
#define CTR 3u
#define ECB_DECRYPT 5u
#define CBC_DECRYPT 6u
#define HASH 8u
#define CTR_HASH 27u  // and hash the result
#define CLEAR 32u     // everything but the key

// Halves for ab_set, words for ab_look.
#define SET_CHAIN 0u
#define SET_HASH 2u
#define SET_SUBKEY 4u
#define LOOK_CHAIN 0u
#define LOOK_HASH 4u
#define LOOK_HALF 8u
#define LOOK_NUMBER 10u
#define LOOK_MODE 11u

// A key object: the words of the key, and the number that the unit gave it.
#define KEY_NUMBER 8
#define ALWAYS_LOAD 0xffffffffu  // not loaded yet; or the unit has run out of numbers
typedef char number_fits_key[AES_KEY_WORDS > KEY_NUMBER ? 1 : -1];

// The call in progress: the key and the hash subkey that it needs in the unit, or NULL. A handler
// that uses the unit finds here what to put back (aes_unit_restore); both objects live as long as
// the call.
typedef struct {
  const aes_key_t *volatile key;
  const uint32_t *volatile subkey;
} ab_call_t;
extern ab_call_t ab_call;

// Load a key into the unit, and write its new number into the key, although it is const.
void ab_load(const aes_key_t *k);

// 10 and 14 rounds are one comparison.
INLINE int is_key_of(unsigned rounds) {
  return LIKELY(rounds == 10 || rounds == 14) || rounds == 12;
}

INLINE int has_key(const aes_key_t *k) { return is_key_of(k->rounds); }

INLINE void set_pair(const uint32_t *w, const unsigned item) {
  const block_t x = load_block(w, 0);
  (void)ab_set(x.c0, x.c1, item);
  (void)ab_set(x.c2, x.c3, item + 1);
}

INLINE block_t look(const unsigned word) {
  block_t x;
  x.c0 = ab_look(0, word);
  x.c1 = ab_look(0, word + 1);
  x.c2 = ab_look(0, word + 2);
  x.c3 = ab_look(0, word + 3);
  return x;
}

INLINE void put(block_t x) {
  (void)ab_put(x.c0, x.c1, 0);
  (void)ab_put(x.c2, x.c3, 1);
}

INLINE block_t get(void) {
  block_t x;
  x.c0 = ab_get(0, 0);
  x.c1 = ab_get(0, 1);
  x.c2 = ab_get(0, 2);
  x.c3 = ab_get(0, 3);
  return x;
}

// The unit is this call's until leave(). 1 if it holds another key than *k.
INLINE int enter_unloaded(const aes_key_t *k, const uint32_t *subkey) {
  ab_call.subkey = subkey;
  ab_call.key = k;
  const uint32_t wanted = ((const volatile aes_key_t *)k)->rk[KEY_NUMBER];
  const uint32_t number = ab_look(0, LOOK_NUMBER);
  return UNLIKELY(number != wanted) || UNLIKELY(number == ALWAYS_LOAD);
}

INLINE void enter(const aes_key_t *k) {
  if (enter_unloaded(k, NULL)) {
    ab_load(k);
  }
}

INLINE void leave(void) {
  (void)ab_mode(0, CLEAR | PASS);
  ab_call.key = NULL;
  ab_call.subkey = NULL;
}

// Whole blocks, at least one, through the unit in the mode that it has. A block is written while
// the result of the one before is read: its rounds are hidden by loads and stores.
void ab_crypt(const word_t *in, word_t *out, size_t bytes);

// Blocks of which only what the unit keeps of them counts; the last one is filled up with zeros.
void ab_absorb(const word_t *in, size_t bytes);

#endif
