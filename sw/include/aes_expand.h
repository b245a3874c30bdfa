// SPDX-License-Identifier: Apache-2.0
// For kernels: key expansion (FIPS 197, section 5.2) into round keys in the order of encryption, or
// those of the equivalent inverse cipher (section 5.3.5); the substitutions are the unit's part.
//
// The kernel defines first
//   uint32_t sub_rot_word(uint32_t w, uint32_t from, const uint8_t *constant)
//     w ^ SubWord(RotWord(from)) ^ *constant; RotWord is a rotation right by 8 here
//   uint32_t sub_word(uint32_t w, uint32_t from)
//     w ^ SubWord(from)
//   uint32_t inv_mix_column(uint32_t w, uint32_t from), unless AES_ENCRYPT_ONLY
//     w ^ InvMixColumns(from)
//   OPERATIONS_ADD: 1 if the unit's operations add to a word, so that w costs nothing; 0 if not
// and gets expand() for aes_entries.h.
#ifndef AES_EXPAND_H
#define AES_EXPAND_H

#include "aes_block.h"

#ifdef AES_ENCRYPT_ONLY
#define inv_mix_column(w, from) (w)  // never evaluated
#endif

// Constants of the first byte; AES-128 uses ten of them, AES-192 eight, AES-256 seven.
static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

// g is the term that SubWord makes, w the word that it is added to. Decryption needs g apart.
#define ADD_TERM(dec, w, make, ...)    \
  if ((dec) || !OPERATIONS_ADD) {      \
    g = make(0, __VA_ARGS__);          \
    w ^= g;                            \
  } else {                             \
    w = make(w, __VA_ARGS__);          \
  }

// The first four words of a step of nk words, and their store.
#define STEP(dec, nk, from)                              \
  ADD_TERM(dec, w0, sub_rot_word, from, constant++)      \
  rk += nk;                                              \
  w1 ^= w0, w2 ^= w1, w3 ^= w2;                          \
  if (!(dec) || rk == end) {                             \
    store_block(rk, 0, (block_t){w0, w1, w2, w3});       \
    if (rk == end) return AES_OK;                        \
  } else {                                               \
    v0 = inv_mix_column(v0, g);                          \
    v1 ^= v0, v2 ^= v1, v3 ^= v2;                        \
    store_block(rk, 0, (block_t){v0, v1, v2, v3});       \
  }

// For decryption all keys but the first and the last round's go through InvMixColumns. That is
// linear, so words v0..v7 follow the recurrence of w0..w7 with one InvMixColumns for each SubWord,
// not one for each word.
INLINE int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *words = (const word_t *)key;
  const uint8_t *constant = rcon;
  uint32_t *rk = k->rk;
  uint32_t w0, w1, w2, w3, w4, w5, w6, w7, g = 0;
  uint32_t v0 = 0, v1 = 0, v2 = 0, v3 = 0, v4 = 0, v5 = 0, v6 = 0, v7 = 0;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = key_bits / 32 + 6;
  const uint32_t *const end = k->rk + 4 * k->rounds;  // the last round's key

  w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3];
  store_block(rk, 0, (block_t){w0, w1, w2, w3});
  if (dec) {
    v0 = inv_mix_column(0, w0), v1 = inv_mix_column(0, w1);
    v2 = inv_mix_column(0, w2), v3 = inv_mix_column(0, w3);
  }
  if (key_bits == 128) {
    for (;;) {
      STEP(dec, 4, w3);
    }
  }
  w4 = words[4], w5 = words[5];
  if (dec) v4 = inv_mix_column(0, w4), v5 = inv_mix_column(0, w5);
  if (key_bits == 192) {
    for (;;) {
      rk[4] = dec ? v4 : w4, rk[5] = dec ? v5 : w5;
      STEP(dec, 6, w5);
      w4 ^= w3, w5 ^= w4;
      if (dec) v4 ^= v3, v5 ^= v4;
    }
  }
  w6 = words[6], w7 = words[7];
  if (dec) v6 = inv_mix_column(0, w6), v7 = inv_mix_column(0, w7);
  for (;;) {
    store_block(rk, 4, dec ? (block_t){v4, v5, v6, v7} : (block_t){w4, w5, w6, w7});
    STEP(dec, 8, w7);
    ADD_TERM(dec, w4, sub_word, w3)
    if (dec) {
      v4 = inv_mix_column(v4, g);
      v5 ^= v4, v6 ^= v5, v7 ^= v6;
    }
    w5 ^= w4, w6 ^= w5, w7 ^= w6;
  }
}

#undef ADD_TERM
#undef STEP

#endif
