// SPDX-License-Identifier: Apache-2.0
// For kernels: key expansion (FIPS 197, section 5.2) into round keys in the order of encryption, or
// those of the equivalent inverse cipher (section 5.3.5). The kernel supplies the substitutions.
//
// The kernel defines first
//   uint32_t sub_rot_word(uint32_t w, uint32_t from, uint32_t constant)
//     w ^ SubWord(RotWord(from)) ^ constant; RotWord is a rotation right by 8 here
//   uint32_t sub_word(uint32_t w, uint32_t from)
//     w ^ SubWord(from)
//   uint32_t inv_mix_column(uint32_t w, uint32_t from), unless AES_ENCRYPT_ONLY
//     w ^ InvMixColumns(from)
//   OPERATIONS_ADD: 1 if the unit's instructions include the XOR with w, 0 if it costs an xor
// This file then defines expand() for aes_entries.h.
#ifndef AES_EXPAND_H
#define AES_EXPAND_H

#include "aes_in_registers.h"

#ifdef AES_ENCRYPT_ONLY
#define inv_mix_column(w, from) (w)  // never evaluated
#endif

// Every second round constant of AES-128, added to byte 0; the one after it is its double. AES-192
// uses the first eight powers of two, AES-256 the first seven.
static const uint8_t rcon[5] = {0x01, 0x04, 0x10, 0x40, 0x1b};

// g is the output of SubWord, w the word that it is added to. Decryption needs g separately.
#define ADD_TERM(dec, w, make, ...)    \
  if ((dec) || !OPERATIONS_ADD) {      \
    g = make(0, __VA_ARGS__);          \
    w ^= g;                            \
  } else {                             \
    w = make(w, __VA_ARGS__);          \
  }

// The first four words of a step.
#define STEP(dec, from, constant)                   \
  ADD_TERM(dec, w0, sub_rot_word, from, constant)   \
  w1 ^= w0, w2 ^= w1, w3 ^= w2

// They are a middle round's key, words `at` of the schedule.
#define MIDDLE(dec, at)                               \
  if (!(dec)) {                                       \
    store_block(rk, at, (block_t){w0, w1, w2, w3});   \
  } else {                                            \
    v0 = inv_mix_column(v0, g);                       \
    v1 ^= v0, v2 ^= v1, v3 ^= v2;                     \
    store_block(rk, at, (block_t){v0, v1, v2, v3});   \
  }

// They are the last round's key.
#define LAST(at) store_block(rk, at, (block_t){w0, w1, w2, w3})

// Words 4 and 5 of AES-192.
#define PAIR(dec) rk[4] = (dec) ? v4 : w4, rk[5] = (dec) ? v5 : w5
#define NEXT_PAIR(dec) \
  w4 ^= w3, w5 ^= w4;  \
  if (dec) v4 ^= v3, v5 ^= v4

// For decryption InvMixColumns applies to all round keys except the first and the last. It is
// linear, so words v0..v7 follow the recurrence of w0..w7 with one InvMixColumns for each SubWord
// instead of one for each word.
#define BEGIN(dec)                                                          \
  const word_t *const words = (const word_t *)key;                          \
  uint32_t *rk = k->rk;                                                     \
  uint32_t w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3], g;   \
  uint32_t v0 = 0, v1 = 0, v2 = 0, v3 = 0;                                  \
  LAST(0);                                                                  \
  if (dec) {                                                                \
    v0 = inv_mix_column(0, w0), v1 = inv_mix_column(0, w1);                 \
    v2 = inv_mix_column(0, w2), v3 = inv_mix_column(0, w3);                 \
  }                                                                         \
  (void)g, (void)v0, (void)v1, (void)v2, (void)v3

INLINE int expand_128(const int dec, aes_key_t *k, const uint8_t *key) {
  const uint8_t *constant = rcon;
  const uint32_t *const end = k->rk + 40;
  BEGIN(dec);
  for (;;) {
    uint32_t c = *constant;
    __asm__ volatile("" : "+r"(c));  // the load comes first: its use would stall right after it
    STEP(dec, w3, c);
    MIDDLE(dec, 4);
    constant++;
    STEP(dec, w3, c << 1);
    rk += 8;
    if (rk == end) break;
    MIDDLE(dec, 0);
  }
  LAST(0);
  return AES_OK;
}

INLINE int expand_192(const int dec, aes_key_t *k, const uint8_t *key) {
  const uint32_t *const end = k->rk + 48;
  BEGIN(dec);
  uint32_t w4 = words[4], w5 = words[5], v4 = 0, v5 = 0;
  if (dec) v4 = inv_mix_column(0, w4), v5 = inv_mix_column(0, w5);
  for (uint32_t c = 1;; c <<= 2) {
    PAIR(dec);
    STEP(dec, w5, c);
    rk += 6;
    MIDDLE(dec, 0);
    NEXT_PAIR(dec);
    PAIR(dec);
    STEP(dec, w5, c << 1);
    rk += 6;
    if (rk == end) break;
    MIDDLE(dec, 0);
    NEXT_PAIR(dec);
  }
  LAST(0);
  return AES_OK;
}

INLINE int expand_256(const int dec, aes_key_t *k, const uint8_t *key) {
  const uint32_t *const end = k->rk + 56;
  BEGIN(dec);
  uint32_t w4 = words[4], w5 = words[5], w6 = words[6], w7 = words[7];
  uint32_t v4 = 0, v5 = 0, v6 = 0, v7 = 0;
  if (dec) {
    v4 = inv_mix_column(0, w4), v5 = inv_mix_column(0, w5);
    v6 = inv_mix_column(0, w6), v7 = inv_mix_column(0, w7);
  }
  for (uint32_t c = 1;; c <<= 1) {
    store_block(rk, 4, dec ? (block_t){v4, v5, v6, v7} : (block_t){w4, w5, w6, w7});
    STEP(dec, w7, c);
    rk += 8;
    if (rk == end) break;
    MIDDLE(dec, 0);
    ADD_TERM(dec, w4, sub_word, w3)
    if (dec) {
      v4 = inv_mix_column(v4, g);
      v5 ^= v4, v6 ^= v5, v7 ^= v6;
    }
    w5 ^= w4, w6 ^= w5, w7 ^= w6;
  }
  LAST(0);
  return AES_OK;
}

#undef ADD_TERM
#undef STEP
#undef MIDDLE
#undef LAST
#undef PAIR
#undef NEXT_PAIR
#undef BEGIN

#include "aes_by_length.h"

#endif
