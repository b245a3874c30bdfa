// SPDX-License-Identifier: Apache-2.0
// For kernels: blocks in groups of four, with the round as the unit's part. Four states, a round
// key and three spare words fill the registers; each round key is loaded once for all four blocks.
//
// The kernel defines first
//   block_t cipher_round(const int dec, const int last, block_t state, block_t key)
//     a round of one block; dec (decryption) and last (the last round) are constants
// and, if loads should mix with operations, KEY_AHEAD and
//   block_t round_and_load(const int dec, block_t state, block_t *key, const uint32_t *rk,
//                          const int i)
//     a middle round of one block, the words at rk[i] in the place of its key
// It gets encrypt() and decrypt() for aes_entries.h. crypt_four() and crypt_one() are the cipher
// without the loads and stores of data, for kernels that join it with a mode of operation.
//
// Round keys are in the order of encryption. Decryption is the equivalent inverse cipher (FIPS 197,
// section 5.3.5) and takes them from the last to the first; AES_ENCRYPT_ONLY leaves it out.
#ifndef AES_BY_FOUR_H
#define AES_BY_FOUR_H

#include "aes_block.h"

#ifndef KEY_AHEAD
#define KEY_AHEAD 0

INLINE block_t round_and_load(const int dec, block_t state, block_t *key, const uint32_t *rk,
                              const int i) {
  state = cipher_round(dec, 0, state, *key);
  *key = load_block(rk, i);
  return state;
}
#endif

// Words from one round's key to the next.
#define NEXT_KEY(dec) ((dec) ? -4 : 4)

// Two keys on, in this place: the compiler would keep two pointers where one does.
#define STEP_HERE(dec, rk)           \
  do {                               \
    rk += 2 * NEXT_KEY(dec);         \
    __asm__ volatile("" : "+r"(rk)); \
  } while (0)

typedef struct {
  block_t a, b, c, d;
} four_blocks_t;

// The cipher on four blocks; the words of the first key, at `rk`, are in `key`, the last key is at
// `last`. A column that is read makes room for a new one of the same block or of the next one. Even
// rounds go through the blocks in reverse, which brings every column back into its register.
INLINE four_blocks_t crypt_four(const int dec, const uint32_t *rk, const uint32_t *last,
                                block_t key, four_blocks_t x) {
  x.a = add_block(x.a, key);
  x.b = add_block(x.b, key);
  x.c = add_block(x.c, key);
  x.d = add_block(x.d, key);
  if (KEY_AHEAD) key = load_block(rk, NEXT_KEY(dec));
  for (;;) {
    if (!KEY_AHEAD) {
      key = load_block(rk, NEXT_KEY(dec));
      rk += 2 * NEXT_KEY(dec);
    }
    x.a = cipher_round(dec, 0, x.a, key);
    x.b = cipher_round(dec, 0, x.b, key);
    x.c = cipher_round(dec, 0, x.c, key);
    if (KEY_AHEAD) STEP_HERE(dec, rk);
    x.d = round_and_load(dec, x.d, &key, rk, 0);
    if (rk == last) break;
    x.d = cipher_round(dec, 0, x.d, key);
    x.c = cipher_round(dec, 0, x.c, key);
    x.b = cipher_round(dec, 0, x.b, key);
    x.a = KEY_AHEAD ? round_and_load(dec, x.a, &key, rk, NEXT_KEY(dec))
                    : cipher_round(dec, 0, x.a, key);
  }
  x.d = cipher_round(dec, 1, x.d, key);
  x.c = cipher_round(dec, 1, x.c, key);
  x.b = cipher_round(dec, 1, x.b, key);
  x.a = cipher_round(dec, 1, x.a, key);
  return x;
}

// The same on one block.
INLINE block_t crypt_one(const int dec, const uint32_t *rk, const uint32_t *last, block_t key,
                         block_t x) {
  x = add_block(x, key);
  if (KEY_AHEAD) key = load_block(rk, NEXT_KEY(dec));
  for (;;) {
    if (KEY_AHEAD) {
      STEP_HERE(dec, rk);
    } else {
      key = load_block(rk, NEXT_KEY(dec));
      rk += 2 * NEXT_KEY(dec);
    }
    x = round_and_load(dec, x, &key, rk, 0);
    if (rk == last) break;
    x = KEY_AHEAD ? round_and_load(dec, x, &key, rk, NEXT_KEY(dec))
                  : cipher_round(dec, 0, x, key);
  }
  return cipher_round(dec, 1, x, key);
}

// One group at least.
INLINE void by_four(const int dec, const uint32_t *first, const uint32_t *last, const word_t *in,
                    word_t *out, size_t nblocks) {
  const word_t *const stop = in + 4 * nblocks;

  do {
    const block_t key = load_block(first, 0);
    four_blocks_t x;
    x.a = load_block(in, 0);
    x.b = load_block(in, 4);
    x.c = load_block(in, 8);
    x.d = load_block(in, 12);
    x = crypt_four(dec, first, last, key, x);
    store_block(out, 0, x.a);
    store_block(out, 4, x.b);
    store_block(out, 8, x.c);
    store_block(out, 12, x.d);
    in += 16;
    out += 16;
  } while (in != stop);
}

INLINE void one_block(const int dec, const uint32_t *first, const uint32_t *last, const word_t *in,
                      word_t *out) {
  const block_t key = load_block(first, 0);
  store_block(out, 0, crypt_one(dec, first, last, key, load_block(in, 0)));
}

// The one to three blocks that make no group go first, so that the groups, which need every
// register, are a tail call, and a call with a single block saves no register.
typedef int groups_t(const uint32_t *first, const uint32_t *last, const word_t *in, word_t *out,
                     size_t nblocks);

INLINE int crypt(const int dec, groups_t *groups, const uint32_t *first, const uint32_t *last,
                 const uint8_t *in, uint8_t *out, size_t nblocks) {
  for (; nblocks & 3u; nblocks--, in += AES_BLOCK_BYTES, out += AES_BLOCK_BYTES)
    one_block(dec, first, last, (const word_t *)in, (word_t *)out);
  if (nblocks) return groups(first, last, (const word_t *)in, (word_t *)out, nblocks);
  return AES_OK;
}

static __attribute__((noinline)) int encrypt_by_four(const uint32_t *first, const uint32_t *last,
                                                     const word_t *in, word_t *out,
                                                     size_t nblocks) {
  by_four(0, first, last, in, out, nblocks);
  return AES_OK;
}

INLINE int encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return crypt(0, encrypt_by_four, k->rk, k->rk + 4 * k->rounds, in, out, nblocks);
}

#ifndef AES_ENCRYPT_ONLY

static __attribute__((noinline)) int decrypt_by_four(const uint32_t *first, const uint32_t *last,
                                                     const word_t *in, word_t *out,
                                                     size_t nblocks) {
  by_four(1, first, last, in, out, nblocks);
  return AES_OK;
}

INLINE int decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return crypt(1, decrypt_by_four, k->rk + 4 * k->rounds, k->rk, in, out, nblocks);
}

#endif

#endif
