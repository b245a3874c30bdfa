// SPDX-License-Identifier: Apache-2.0
// For kernels: encryption and decryption in groups of four blocks; the kernel supplies the round.
// Four states, a round key and three spare words fill the registers. Each round key is loaded once
// for all four blocks.
//
// The kernel defines first
//   block_t cipher_round(const int dec, const int last, block_t state, block_t key)
//     a round of one block; dec (decryption) and last (the last round) are constants
// and, if loads should mix with operations, KEY_AHEAD and
//   block_t round_and_load(const int dec, block_t state, block_t *key, const uint32_t *rk,
//                          const int i)
//     a middle round of one block that also replaces *key by the words at rk[i]
// and, if its rounds are sums over old columns, SHARED_ROUNDS and
//   uint32_t contribute(const int from, const int to, uint32_t old, uint32_t sum)
//     the part of a middle round of encryption that adds old column `from` to new column `to`
// and with it, in a set with a hash unit (aes_absorb.h), ABSORBS and
//   void absorb_block(block_t x)
//     a block for the hash unit
// This file then defines encrypt() and decrypt() for aes_entries.h, and the bulk entries of CTR and
// CBC (aes_fused_entries.h), with ABSORBS also aes_ctr_absorb.
//
// Round keys are in the order of encryption. Decryption is the equivalent inverse cipher (FIPS 197,
// section 5.3.5) and reads them from last to first; AES_ENCRYPT_ONLY omits it.
#ifndef AES_BY_FOUR_H
#define AES_BY_FOUR_H

#include "aes_in_registers.h"
#include "aes_fused.h"

#ifndef KEY_AHEAD
#define KEY_AHEAD 0

INLINE block_t round_and_load(const int dec, block_t state, block_t *key, const uint32_t *rk,
                              const int i) {
  state = cipher_round(dec, 0, state, *key);
  *key = load_block(rk, i);
  return state;
}
#endif

// Distance in words from one round key to the next.
#define NEXT_KEY(dec) ((dec) ? -4 : 4)

// Advance by two keys here: otherwise the compiler keeps two pointers in registers.
#define STEP_HERE(dec, rk)           \
  do {                               \
    rk += 2 * NEXT_KEY(dec);         \
    __asm__ volatile("" : "+r"(rk)); \
  } while (0)

typedef struct {
  block_t a, b, c, d;
} four_blocks_t;

// The cipher on four blocks. `key` holds the first round key, which is at `rk`; the last one is at
// `last`. A column that was read frees its register for a new column of this block or the next.
// Even rounds visit the blocks in reverse, which returns every column to its register.
//
// This is the part after the addition of the first key and before the last round, whose key is
// loaded.
INLINE four_blocks_t middle_rounds(const int dec, const uint32_t *rk, const uint32_t *last,
                                   block_t *last_key, four_blocks_t x) {
  block_t key = *last_key;
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
  *last_key = key;
  return x;
}

INLINE four_blocks_t rounds_of_four(const int dec, const uint32_t *rk, const uint32_t *last,
                                    block_t key, four_blocks_t x) {
  x = middle_rounds(dec, rk, last, &key, x);
  x.d = cipher_round(dec, 1, x.d, key);
  x.c = cipher_round(dec, 1, x.c, key);
  x.b = cipher_round(dec, 1, x.b, key);
  x.a = cipher_round(dec, 1, x.a, key);
  return x;
}

INLINE four_blocks_t crypt_four(const int dec, const uint32_t *rk, const uint32_t *last,
                                block_t key, four_blocks_t x) {
  x.a = add_block(x.a, key);
  x.b = add_block(x.b, key);
  x.c = add_block(x.c, key);
  x.d = add_block(x.d, key);
  return rounds_of_four(dec, rk, last, key, x);
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

// `nblocks` is a multiple of four, not zero.
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

// The remainder of one to three blocks is first, so that the groups, which need every register, are
// a tail call and a call with a single block saves no register.
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

// ---- modes (aes_fused_entries.h) ----------------------------------------------------------------

#ifndef SHARED_ROUNDS

// Four blocks of CTR differ in the last column alone before the rounds: the first key is added to
// the other three columns once.

static __attribute__((noinline)) void ctr_by_four(const uint32_t *first, const uint32_t *last,
                                                  const word_t *in, word_t *out, size_t nblocks,
                                                  word_t *counter) {
  const word_t *const stop = in + 4 * nblocks;

  do {
    const block_t key = load_block(first, 0);
    four_blocks_t x;
    x.a = load_block(counter, 0);
    uint32_t one = FUSED_NEXT, count = x.a.c3;
    FETCHED(one);
    x.a = add_block(x.a, key);
    x.b = x.c = x.d = x.a;
    x.b.c3 = (count += one) ^ key.c3;
    x.c.c3 = (count += one) ^ key.c3;
    x.d.c3 = (count += one) ^ key.c3;
    counter[3] = count + one;
    x = rounds_of_four(0, first, last, key, x);
    store_block(out, 0, add_block(x.a, load_block(in, 0)));
    store_block(out, 4, add_block(x.b, load_block(in, 4)));
    store_block(out, 8, add_block(x.c, load_block(in, 8)));
    store_block(out, 12, add_block(x.d, load_block(in, 12)));
    in += 16;
    out += 16;
  } while (in != stop);
}

#else

// The counters of a call differ in the last byte only: row 3 of column 3, which the first round
// moves to new column 0. So only one contribution of the first round differs from block to block,
// and four of the second, those of old column 0. The others are added up once a call, with the keys
// of both rounds. They are secret: the call wipes them.
// Source: Bernstein and Schwabe, "New AES software speed records", INDOCRYPT 2008, section 3
// (counter-mode caching).
#define FIRST_SUM 4  // of new column 0 in the first round; before it four words of the second
#define SHARED_WORDS 5

INLINE block_t contribute_all(const int from, uint32_t old, block_t sum) {
  sum.c0 = contribute(from, 0, old, sum.c0);
  sum.c1 = contribute(from, 1, old, sum.c1);
  sum.c2 = contribute(from, 2, old, sum.c2);
  sum.c3 = contribute(from, 3, old, sum.c3);
  return sum;
}

static __attribute__((noinline)) void share_rounds(const uint32_t *first, const word_t *counter,
                                                   word_t *shared) {
  const block_t x = add_block(load_block(counter, 0), load_block(first, 0));
  block_t y = load_block(first, 4);
  y = contribute_all(0, x.c0, y);
  y = contribute_all(1, x.c1, y);
  y = contribute_all(2, x.c2, y);
  shared[FIRST_SUM] = y.c0;
  y.c1 = contribute(3, 1, x.c3, y.c1);
  y.c2 = contribute(3, 2, x.c3, y.c2);
  y.c3 = contribute(3, 3, x.c3, y.c3);
  block_t z = load_block(first, 8);
  z = contribute_all(1, y.c1, z);
  z = contribute_all(2, y.c2, z);
  z = contribute_all(3, y.c3, z);
  store_block(shared, 0, z);
}

// The last round of a block, whose key carries the text.
INLINE void finish_ctr(const int absorbs, block_t x, block_t key, const word_t *in, word_t *out,
                       const int i) {
  x = cipher_round(0, 1, x, add_block(load_block(in, i), key));
  store_block(out, i, x);
#ifdef ABSORBS
  if (absorbs) absorb_block(x);
#else
  (void)absorbs;
#endif
}

INLINE void ctr_groups(const int absorbs, const uint32_t *first, const uint32_t *last,
                       const word_t *in, word_t *out, size_t nblocks, word_t *counter) {
  const word_t *const stop = in + 4 * nblocks;
  word_t shared[SHARED_WORDS];

  share_rounds(first, counter, shared);
  do {
    uint32_t one = FUSED_NEXT, count = LOAD(counter, 3);
    const uint32_t key_3 = LOAD(first, 3), sum = LOAD(shared, FIRST_SUM);
    block_t key = load_block(shared, 0);
    FETCHED(one);
    const uint32_t a = contribute(3, 0, count ^ key_3, sum);
    const uint32_t b = contribute(3, 0, (count += one) ^ key_3, sum);
    const uint32_t c = contribute(3, 0, (count += one) ^ key_3, sum);
    const uint32_t d = contribute(3, 0, (count += one) ^ key_3, sum);
    counter[3] = count + one;
    four_blocks_t x;
    x.a = contribute_all(0, a, key);
    x.b = contribute_all(0, b, key);
    x.c = contribute_all(0, c, key);
    x.d = contribute_all(0, d, key);
    x = middle_rounds(0, first + 8, last, &key, x);
    finish_ctr(absorbs, x.a, key, in, out, 0);
    finish_ctr(absorbs, x.b, key, in, out, 4);
    finish_ctr(absorbs, x.c, key, in, out, 8);
    finish_ctr(absorbs, x.d, key, in, out, 12);
    in += 16;
    out += 16;
  } while (in != stop);
  for (unsigned i = 0; i < SHARED_WORDS; i++) ((volatile word_t *)shared)[i] = 0;
}

static __attribute__((noinline)) void ctr_by_four(const uint32_t *first, const uint32_t *last,
                                                  const word_t *in, word_t *out, size_t nblocks,
                                                  word_t *counter) {
  ctr_groups(0, first, last, in, out, nblocks, counter);
}

#ifdef ABSORBS

int aes_ctr_absorb(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                   uint32_t counter[4]) {
  ctr_groups(1, k->rk, k->rk + 4 * k->rounds, (const word_t *)in, (word_t *)out, nblocks,
             (word_t *)counter);
  return AES_OK;
}

#endif

#endif

INLINE int fused_ctr(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                     uint32_t *counter) {
  const uint32_t *const first = k->rk, *const last = k->rk + 4 * k->rounds;
  const word_t *from = (const word_t *)in;
  word_t *to = (word_t *)out, *const count = (word_t *)counter;

  for (; nblocks & 3u; nblocks--, from += 4, to += 4) {
    block_t x = load_block(count, 0);
    x = crypt_one(0, first, last, load_block(first, 0), x);
    count[3] += FUSED_NEXT;
    store_block(to, 0, add_block(x, load_block(from, 0)));
  }
  if (nblocks) ctr_by_four(first, last, from, to, nblocks, count);
  return AES_OK;
}

INLINE int fused_cbc_encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                             uint32_t *chain) {
  const uint32_t *const first = k->rk, *const last = k->rk + 4 * k->rounds;
  const word_t *from = (const word_t *)in, *const stop = from + 4 * nblocks;
  word_t *to = (word_t *)out;
  block_t x = load_block(chain, 0);

  do {
    x = add_block(x, load_block(from, 0));
    x = crypt_one(0, first, last, load_block(first, 0), x);
    store_block(to, 0, x);
    from += 4, to += 4;
  } while (from != stop);
  store_block((word_t *)chain, 0, x);
  return AES_OK;
}

#ifndef AES_ENCRYPT_ONLY

// Groups from the end, at `in` and `out`, down to `stop`. `before` is the block before that one.
// x.d begins as the ciphertext between two groups, which is loaded once: it is added to the first
// block of the one and is the last block of the next.
static __attribute__((noinline)) void cbc_by_four(const uint32_t *first, const uint32_t *last,
                                                  const word_t *in, word_t *out,
                                                  const word_t *stop, const word_t *before) {
  const uint32_t *key_0 = first;
  const word_t *from = in;
  const word_t *end;
  four_blocks_t x;
  x.d = load_block(from, -4);

  do {
    const block_t key = load_block(key_0, 0);
    x.d = add_block(x.d, key);
    x.c = add_block(load_block(from, -8), key);
    x.b = add_block(load_block(from, -12), key);
    x.a = add_block(load_block(from, -16), key);
    in = from - 16;
    x = rounds_of_four(1, key_0, last, key, x);
    from = in;
    FETCHED(from);
    out -= 16;
    store_block(out, 12, add_block(x.d, load_block(from, 8)));
    store_block(out, 8, add_block(x.c, load_block(from, 4)));
    end = stop;
    FETCHED(end);
    store_block(out, 4, add_block(x.b, load_block(from, 0)));
    FUSED_PREVIOUS(previous, from, end, before);
    x.d = load_block(previous, 0);
    key_0 = first;
    FETCHED(key_0);
    store_block(out, 0, add_block(x.a, x.d));
  } while (from != end);
}

INLINE int fused_cbc_decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                             const uint32_t *chain) {
  const uint32_t *const first = k->rk + 4 * k->rounds, *const last = k->rk;
  const size_t alone = nblocks & 3u;
  const word_t *const before = (const word_t *)chain, *from = (const word_t *)in + 4 * alone;
  word_t *to = (word_t *)out + 4 * alone;

  if (nblocks != alone) {
    const size_t words = 4 * (nblocks - alone);
    cbc_by_four(first, last, from + words, to + words, from, alone ? from - 4 : before);
  }
  while (from != (const word_t *)in) {
    from -= 4, to -= 4;
    const block_t x = crypt_one(1, first, last, load_block(first, 0), load_block(from, 0));
    store_block(to, 0, add_block(x, load_block(from == (const word_t *)in ? before : from - 4, 0)));
  }
  return AES_OK;
}

#endif

#include "aes_fused_entries.h"

#endif
