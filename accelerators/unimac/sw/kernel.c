// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 on the S-box and MixColumns operations, round keys made beforehand.
// Source: FIPS 197, sections 5.1, 5.2 and 5.3.5; columns.h for the rounds.
//
// Two blocks at a time share the loads of the round keys; a single or remaining block runs
// alone. UNIMAC_COMPACT: one block at a time, a round in a loop, small code. UNIMAC_KEYED: a
// MixColumns operation adds the key too.
#include "kernels.h"
#if UNIMAC_KERNEL == UNIMAC_UNIT

#include "aes_fused.h"
#include "columns.h"

#ifdef UNIMAC_COMPACT

// ---- small: one block at a time, a round in a loop ----------------------------------------------

// Round keys are in the order of encryption; decryption reads them backwards.
#define NEXT(dec) ((dec) ? -4 : 4)

// Three registers are enough for a key.
#define ADD_KEY(dec, rk)               \
  k0 = LOAD(rk, AT(dec, 0));           \
  k1 = LOAD(rk, AT(dec, 1));           \
  k2 = LOAD(rk, AT(dec, 2));           \
  a0 ^= k0;                            \
  k0 = LOAD(rk, AT(dec, 3));           \
  a1 = t ^ k1, a2 ^= k2, a3 ^= k0

INLINE void crypt(const int dec, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                  size_t nblocks) {
  const uint32_t *const first = k->rk + (dec ? 4 * k->rounds : 0);
  const uint32_t *const last = k->rk + (dec ? 0 : 4 * k->rounds);
  const word_t *from = (const word_t *)in, *const stop = from + 4 * nblocks;
  word_t *to = (word_t *)out;
  uint32_t a0, a1, a2, a3, k0, k1, k2, t;

  for (; from != stop; from += 4, to += 4) {
    const uint32_t *rk = first;
    LOAD_BLOCK(dec, a, from, 0);
    t = a1;
    for (;;) {
      ADD_KEY(dec, rk);
      rk += NEXT(dec);
      SUB(dec, a, t);
      if (rk == last) break;
      COLUMNS(mix, dec, a, t);
    }
    COLUMNS(join, dec, a, t);
    ADD_KEY(dec, rk);
    STORE_BLOCK(dec, a, to, 0);
  }
}

// FIPS 197, section 5.2, word by word; for decryption all round keys but the first and the last go
// through InvMixColumns (section 5.3.5).
INLINE int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *from = (const word_t *)key;
  const unsigned nk = key_bits / 32;
  uint32_t *w = k->rk, *middle = w + 4;
  uint32_t constant = 1, x = 0;
  unsigned i = 0;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = nk + 6;
  uint32_t *const end = w + 4 * nk + 28;
  for (; i < nk; i++) *w++ = x = *from++;
  while (w != end) {
    if (i == nk) {
      x = um_sboxk(x, constant);
      constant = (constant << 1) ^ (constant >> 7) * 0x11bu;
      i = 0;
    } else if (nk == 8 && i == 4) {
      x = um_sbox4(x, x);
    }
    x ^= w[-(int)nk];
    *w++ = x;
    i++;
  }
  if (dec) {
    for (; middle != end - 4; middle++) *middle = um_imcmuls(*middle, *middle);
  }
  return AES_OK;
}

#else

// ---- fast: ten rounds in a row, two blocks at a time --------------------------------------------

// Round keys are in the order of their use, and the last one at a fixed index: the ten rounds of
// AES-128, which are the last ten of longer keys, find theirs without a pointer.
#define PLACES (4 * (14 + 1))
#define TEN_FROM (PLACES - 4 * (10 + 1))

// Three registers are enough for a key of one block, which takes the words at rk[i].
#define ADD_KEY(dec, rk, i)            \
  k0 = LOAD(rk, (i) + AT(dec, 0));     \
  k1 = LOAD(rk, (i) + AT(dec, 1));     \
  k2 = LOAD(rk, (i) + AT(dec, 2));     \
  a0 ^= k0;                            \
  k0 = LOAD(rk, (i) + AT(dec, 3));     \
  a1 = t ^ k1, a2 ^= k2, a3 ^= k0

#define ADD_KEY_2(dec, rk, i)          \
  k0 = LOAD(rk, (i) + AT(dec, 0));     \
  k1 = LOAD(rk, (i) + AT(dec, 1));     \
  k2 = LOAD(rk, (i) + AT(dec, 2));     \
  k3 = LOAD(rk, (i) + AT(dec, 3));     \
  ADD(a, t, k0, k1, k2, k3);           \
  ADD(b, u, k0, k1, k2, k3)

#ifdef UNIMAC_KEYED

#define LOAD_KEY(dec, rk, i)       \
  k0 = LOAD(rk, (i) + AT(dec, 0)); \
  k1 = LOAD(rk, (i) + AT(dec, 1)); \
  k2 = LOAD(rk, (i) + AT(dec, 2)); \
  k3 = LOAD(rk, (i) + AT(dec, 3))

#define ROUND(OP, dec, rk, i) \
  LOAD_KEY(dec, rk, i);       \
  SUB(dec, a, t);             \
  KEYED_COLUMNS(OP, dec, a, t, k0, k1, k2, k3)

#define ROUND_2(OP, dec, rk, i)                 \
  LOAD_KEY(dec, rk, i);                         \
  SUB(dec, a, t);                               \
  KEYED_COLUMNS(OP, dec, a, t, k0, k1, k2, k3); \
  SUB(dec, b, u);                               \
  KEYED_COLUMNS(OP, dec, b, u, k0, k1, k2, k3)

#define ROUND_OF_COUNTERS(rk, i)             \
  LOAD_KEY(0, rk, i);                        \
  SUB_COUNTERS;                              \
  b0 = keyed_mix(0, b2, t, k0);              \
  b2 = keyed_mix(0, t, b2, k2);              \
  b1 = keyed_mix(0, b3, a1, k1);             \
  b3 = keyed_mix(0, a1, b3, k3);             \
  KEYED_COLUMNS(mix, 0, a, t, k0, k1, k2, k3)

#else

#define ROUND(OP, dec, rk, i) \
  SUB(dec, a, t);             \
  COLUMNS(OP, dec, a, t);     \
  ADD_KEY(dec, rk, i)

#define ROUND_2(OP, dec, rk, i) \
  SUB(dec, a, t);               \
  COLUMNS(OP, dec, a, t);       \
  SUB(dec, b, u);               \
  COLUMNS(OP, dec, b, u);       \
  ADD_KEY_2(dec, rk, i)

#define ROUND_OF_COUNTERS(rk, i) \
  SUB_COUNTERS;                  \
  b0 = mix(0, b2, t);            \
  b2 = mix(0, t, b2);            \
  u = mix(0, b3, a1);            \
  b3 = mix(0, a1, b3);           \
  COLUMNS(mix, 0, a, t);         \
  ADD_KEY_2(0, rk, i)

#endif

// Two counters differ in column 3 alone: up to the first S-boxes the columns of block a serve both,
// and after them t and a1.
#define SUB_COUNTERS    \
  t = sub(0, a0, a1);   \
  a1 = sub(0, a1, a2);  \
  b2 = sub(0, a2, b3);  \
  a2 = sub(0, a2, a3);  \
  b3 = sub(0, b3, a0);  \
  a3 = sub(0, a3, a0)

#define TEN_ROUNDS(ROUND, dec, rk)       \
  ROUND(mix, dec, rk, TEN_FROM + 4);     \
  NINE_ROUNDS(ROUND, dec, rk)

#define NINE_ROUNDS(ROUND, dec, rk)      \
  ROUND(mix, dec, rk, TEN_FROM + 8);     \
  ROUND(mix, dec, rk, TEN_FROM + 12);    \
  ROUND(mix, dec, rk, TEN_FROM + 16);    \
  ROUND(mix, dec, rk, TEN_FROM + 20);    \
  ROUND(mix, dec, rk, TEN_FROM + 24);    \
  ROUND(mix, dec, rk, TEN_FROM + 28);    \
  ROUND(mix, dec, rk, TEN_FROM + 32);    \
  ROUND(mix, dec, rk, TEN_FROM + 36);    \
  ROUND(join, dec, rk, TEN_FROM + 40)

// The first key, and the rounds that AES-128 does not have: `more` of them.
#define START(ADD_KEY, ROUND, dec, rk)                  \
  if (__builtin_expect(more == 0, 1)) {                 \
    ADD_KEY(dec, rk, TEN_FROM);                         \
  } else {                                              \
    const uint32_t *next = (rk) + TEN_FROM - 4 * more;  \
    ADD_KEY(dec, next, 0);                              \
    do {                                                \
      next += 4;                                        \
      ROUND(mix, dec, next, 0);                         \
    } while (next != (rk) + TEN_FROM);                  \
  }

// The same for two counters, and one round more for all keys.
#define START_COUNTERS(rk)                                  \
  if (__builtin_expect(more == 0, 1)) {                     \
    ADD_KEY_COUNTERS(rk, TEN_FROM);                         \
    ROUND_OF_COUNTERS(rk, TEN_FROM + 4);                    \
  } else {                                                  \
    const uint32_t *next = (rk) + TEN_FROM - 4 * more;      \
    ADD_KEY_COUNTERS(next, 0);                              \
    ROUND_OF_COUNTERS(next, 4);                             \
    do {                                                    \
      next += 4;                                            \
      ROUND_2(mix, 0, next, 4);                             \
    } while (next != (rk) + TEN_FROM);                      \
  }
#define ADD_KEY_COUNTERS(rk, i)     \
  k0 = LOAD(rk, i);                 \
  k1 = LOAD(rk, (i) + 1);           \
  k2 = LOAD(rk, (i) + 2);           \
  k3 = LOAD(rk, (i) + 3);           \
  a0 ^= k0, a1 ^= k1, a2 ^= k2;     \
  a3 ^= k3, b3 ^= k3

// Blocks from `in` to `stop`, at least one, in the modes of aes_fused.h; those of CBC decryption
// from the last one down to the one at `low`.
INLINE void singly(const int mode, const int dec, const uint32_t *rk, uint32_t more,
                   const word_t *in, word_t *out, const word_t *stop, const word_t *low,
                   word_t *chain) {
  uint32_t a0, a1, a2, a3, k0, k1, k2, k3, t;

  (void)k3, (void)low, (void)chain;
  if (mode == FUSED_CBC_ENCRYPT) {
    LOAD_BLOCK(dec, a, chain, 0);
  }
  do {
    if (mode == FUSED_CBC_ENCRYPT) {
      RESULT(a);
      ADD_TEXT(dec, a, in, 0);
    } else if (mode == FUSED_CTR) {
      LOAD_BLOCK(dec, a, chain, 0);
      chain[3] = a3 + FUSED_NEXT;
    } else {
      LOAD_BLOCK(dec, a, in, 0);
    }
    t = a1;
    START(ADD_KEY, ROUND, dec, rk);
    TEN_ROUNDS(ROUND, dec, rk);
    if (mode == FUSED_CTR || mode == FUSED_CBC_DECRYPT) {
      RESULT(a);
    }
    if (mode == FUSED_CTR) {
      ADD_TEXT(dec, a, in, 0);
    } else if (mode == FUSED_CBC_DECRYPT) {
      FUSED_PREVIOUS(text, in, low, chain);
      ADD_TEXT(dec, a, text, 0);
    }
    STORE_BLOCK(dec, a, out, 0);
    in += STEP_OF(mode, 1);
    out += STEP_OF(mode, 1);
  } while (mode != FUSED_ECB && in != stop);
  if (mode == FUSED_CBC_ENCRYPT) {
    STORE_BLOCK(dec, a, chain, 0);
  }
}

// Pairs of blocks, the same.
INLINE void by_two(const int mode, const int dec, const uint32_t *rk, uint32_t more,
                   const word_t *in, word_t *out, const word_t *stop, const word_t *low,
                   word_t *chain) {
  uint32_t a0, a1, a2, a3, b0, b1, b2, b3, k0, k1, k2, k3, t, u;

  (void)low, (void)chain;
  for (;;) {
    if (mode == FUSED_CTR) {
      LOAD_BLOCK(dec, a, chain, 0);
      u = FUSED_NEXT;
      FETCHED(u);
      b3 = a3 + u;
      chain[3] = b3 + u;
      START_COUNTERS(rk);
      NINE_ROUNDS(ROUND_2, dec, rk);
    } else {
      LOAD_BLOCK(dec, a, in, 0);
      LOAD_BLOCK(dec, b, in, 4);
      t = a1, u = b1;
      START(ADD_KEY_2, ROUND_2, dec, rk);
      TEN_ROUNDS(ROUND_2, dec, rk);
    }
    if (mode != FUSED_ECB) {
      RESULT(a);
      RESULT(b);
    }
    if (mode == FUSED_CBC_DECRYPT) {
      ADD_TEXT(dec, b, in, 0);
      STORE_BLOCK(dec, b, out, 4);
      if (in == low) {
        ADD_TEXT(dec, a, chain, 0);
        STORE_BLOCK(dec, a, out, 0);
        return;
      }
      ADD_TEXT(dec, a, in, -4);
      STORE_BLOCK(dec, a, out, 0);
    } else {
      if (mode == FUSED_CTR) {
        ADD_TEXT(dec, a, in, 0);
      }
      STORE_BLOCK(dec, a, out, 0);
      if (mode == FUSED_CTR) {
        ADD_TEXT(dec, b, in, 4);
      }
      STORE_BLOCK(dec, b, out, 4);
    }
    in += STEP_OF(mode, 2);
    out += STEP_OF(mode, 2);
    if (mode != FUSED_CBC_DECRYPT && in == stop) return;
  }
}

INLINE void crypt(const int dec, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                  size_t nblocks) {
  const uint32_t rounds = LOAD(&k->rounds, 0);  // long before its use
  const word_t *from = (const word_t *)in;
  word_t *to = (word_t *)out;

  if (nblocks & 1u) {
    singly(FUSED_ECB, dec, k->rk, rounds - 10, from, to, 0, 0, 0);
    if (--nblocks == 0) return;
    from += 4, to += 4;
  }
  if (nblocks) {
    by_two(FUSED_ECB, dec, k->rk, rounds - 10, from, to, from + 4 * nblocks, 0, 0);
  }
}

static __attribute__((noinline)) void ctr_by_two(const uint32_t *rk, uint32_t more,
                                                 const word_t *in, word_t *out,
                                                 const word_t *stop, word_t *counter) {
  by_two(FUSED_CTR, 0, rk, more, in, out, stop, 0, counter);
}

INLINE int fused_ctr(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                     uint32_t *counter) {
  const uint32_t more = k->rounds - 10;
  const size_t alone = nblocks & 1u;
  const word_t *from = (const word_t *)in, *const stop = from + 4 * nblocks;
  word_t *to = (word_t *)out, *const count = (word_t *)counter;

  if (alone) singly(FUSED_CTR, 0, k->rk, more, from, to, from + 4, 0, count);
  from += 4 * alone, to += 4 * alone;
  if (from != stop) ctr_by_two(k->rk, more, from, to, stop, count);
  return AES_OK;
}

INLINE int fused_cbc_encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                             uint32_t *chain) {
  const word_t *const from = (const word_t *)in;

  singly(FUSED_CBC_ENCRYPT, 0, k->rk, k->rounds - 10, from, (word_t *)out, from + 4 * nblocks, 0,
         (word_t *)chain);
  return AES_OK;
}

static __attribute__((noinline)) void cbc_by_two(const uint32_t *rk, uint32_t more,
                                                 const word_t *in, word_t *out,
                                                 const word_t *low, word_t *before) {
  by_two(FUSED_CBC_DECRYPT, 1, rk, more, in, out, 0, low, before);
}

INLINE int fused_cbc_decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                             uint32_t *chain) {
  const uint32_t more = k->rounds - 10;
  const size_t alone = nblocks & 1u;
  word_t *const start = (word_t *)(uintptr_t)in, *const iv = (word_t *)chain;
  word_t *const low = start + 4 * alone, *const to = (word_t *)out;

  if (nblocks != alone) {
    cbc_by_two(k->rk, more, start + 4 * nblocks - 8, to + 4 * nblocks - 8, low,
               alone ? start : iv);
  }
  if (alone) singly(FUSED_CBC_DECRYPT, 1, k->rk, more, start, to, start - 4, start, iv);
  return AES_OK;
}

#include "aes_fused_entries.h"

#define SUB_ROT(x, y) um_sboxk(x, y)
#define SUB_WORD(x) um_sbox4(x, x)
#include "walk.h"

INLINE void put(uint32_t *to, round_key_t x) {
  to[0] = x.k0, to[1] = x.k1, to[2] = x.k2, to[3] = x.k3;
}

// InvMixColumns of a round key's words.
INLINE round_key_t inverse_mixed(round_key_t x) {
  return (round_key_t){um_imcmuls(x.k0, x.k0), um_imcmuls(x.k1, x.k1), um_imcmuls(x.k2, x.k2),
                       um_imcmuls(x.k3, x.k3)};
}

// Round keys for encryption, or those of the equivalent inverse cipher (FIPS 197, section 5.3.5):
// all but the first and the last through InvMixColumns.
INLINE void expand_to(const int dec, uint32_t *to, const word_t *key, const unsigned rounds) {
  const int next = dec ? -4 : 4;
  walk_t s;

  take_words(&s, key, rounds);
  s.constant = rcon;
  put(to, (round_key_t){s.w0, s.w1, s.w2, s.w3});
  for (unsigned i = rounds;;) {
    const round_key_t x = next_key(&s, rounds);
    to += next;
    if (--i == 0) {
      put(to, x);
      return;
    }
    put(to, dec ? inverse_mixed(x) : x);
  }
}

INLINE int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *words = (const word_t *)key;
  const unsigned rounds = key_bits / 32 + 6;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = rounds;
  uint32_t *const first = k->rk + (PLACES - 4) - (dec ? 0 : 4 * rounds);
  if (rounds == 10) {
    expand_to(dec, first, words, 10);
  } else {
    expand_to(dec, first, words, rounds);
  }
  return AES_OK;
}

#endif

INLINE int encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(0, k, in, out, nblocks);
  return AES_OK;
}

INLINE int decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(1, k, in, out, nblocks);
  return AES_OK;
}

#include "aes_entries.h"

#endif
