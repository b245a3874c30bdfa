// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 on T-table look-ups; four blocks at a time.
// Source: Foerster 2005, section 4.3 (the round); FIPS 197, sections 5.2 (key expansion) and 5.3.5
// (equivalent inverse cipher).
//
// A state word holds a column, row r in bits 8r+7..8r. As in the paper the key word is the first
// word added to, so that AddRoundKey costs nothing. Its nested calls are taken apart: the four
// columns of a block alternate, so that no operation uses the result of the one before it, which a
// pipelined host would wait for.
#define ACCEL_OPS_VOLATILE  // the order below is deliberate
#include "accel_ops.h"
#include "aes_kernel.h"
#include "aes_forget_registers.h"

typedef uint32_t __attribute__((may_alias)) word_t;  // words that are bytes to the caller

#define INLINE static inline __attribute__((always_inline))

// The compiler must neither repeat nor move the loads: one in front of an operation costs two
// cycles on a core that waits for it.
#define LOAD(p, i) (((const volatile word_t *)(p))[i])

// Row of old column `from` in new column `to`: ShiftRows moves row r left by r columns,
// InvShiftRows right.
#define ROW(dec, from, to) ((unsigned)((dec) ? (to) - (from) : (from) - (to)) & 3u)

// One operation of a middle round, or of the last one; `dec` and `row` are constants.
INLINE uint32_t mid(const int dec, uint32_t old, uint32_t sum, const unsigned row) {
#ifndef AES_ENCRYPT_ONLY
  if (dec) return tt_rt(old, sum, row);
#endif
  (void)dec;
  return tt_ft(old, sum, row);
}

INLINE uint32_t fin(const int dec, uint32_t old, uint32_t sum, const unsigned row) {
#ifndef AES_ENCRYPT_ONLY
  if (dec) return tt_rsb(old, sum, row);
#endif
  (void)dec;
  return tt_fsb(old, sum, row);
}

// What old column `from`, in register a, adds to the four new ones, the last of which may be a.
#define SPREAD(OP, dec, from, a, s0, s1, s2, s3, n0, n1, n2, n3) \
  n0 = OP(dec, a, s0, ROW(dec, from, 0));                        \
  n1 = OP(dec, a, s1, ROW(dec, from, 1));                        \
  n2 = OP(dec, a, s2, ROW(dec, from, 2));                        \
  n3 = OP(dec, a, s3, ROW(dec, from, 3))

// A round of one block: columns a0..a3 become t0, t1, t2, a3. The column that is read first makes
// room for the fourth result, so three spare registers do, and a0..a2 are the next block's spares.
#define ROUND(OP, dec, a0, a1, a2, a3, t0, t1, t2)            \
  SPREAD(OP, dec, 3, a3, k0, k1, k2, k3, t0, t1, t2, a3);     \
  SPREAD(OP, dec, 0, a0, t0, t1, t2, a3, t0, t1, t2, a3);     \
  SPREAD(OP, dec, 1, a1, t0, t1, t2, a3, t0, t1, t2, a3);     \
  SPREAD(OP, dec, 2, a2, t0, t1, t2, a3, t0, t1, t2, a3)

#define LOAD_KEY(rk, i)     \
  do {                      \
    k0 = LOAD(rk, (i) + 0); \
    k1 = LOAD(rk, (i) + 1); \
    k2 = LOAD(rk, (i) + 2); \
    k3 = LOAD(rk, (i) + 3); \
  } while (0)

// All loads of the data come first: a word is not ready for two cycles after its load.
#define LOAD_BLOCK(in, i, a0, a1, a2, a3) \
  a0 = LOAD(in, (i) + 0);                 \
  a1 = LOAD(in, (i) + 1);                 \
  a2 = LOAD(in, (i) + 2);                 \
  a3 = LOAD(in, (i) + 3)

#define ADD_KEY(a0, a1, a2, a3) a0 ^= k0, a1 ^= k1, a2 ^= k2, a3 ^= k3

#define STORE_BLOCK(out, i, a0, a1, a2, a3) \
  (out)[(i) + 0] = a0;                      \
  (out)[(i) + 1] = a1;                      \
  (out)[(i) + 2] = a2;                      \
  (out)[(i) + 3] = a3

// Blocks in groups of four, one group at least. The keys of a round are loaded once for all four;
// even rounds go through the blocks in reverse, which brings every column back into its register.
INLINE void by_four(const int dec, const uint32_t *first, const uint32_t *last, const word_t *in,
                    word_t *out, size_t nblocks) {
  const word_t *const stop = in + 4 * nblocks;
  const int next = dec ? -4 : 4;
  uint32_t k0, k1, k2, k3, t0, t1, t2;
  uint32_t a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3;

  do {
    const uint32_t *rk = first;
    LOAD_KEY(rk, 0);
    LOAD_BLOCK(in, 0, a0, a1, a2, a3);
    LOAD_BLOCK(in, 4, b0, b1, b2, b3);
    LOAD_BLOCK(in, 8, c0, c1, c2, c3);
    LOAD_BLOCK(in, 12, d0, d1, d2, d3);
    ADD_KEY(a0, a1, a2, a3);
    ADD_KEY(b0, b1, b2, b3);
    ADD_KEY(c0, c1, c2, c3);
    ADD_KEY(d0, d1, d2, d3);
    for (;;) {
      LOAD_KEY(rk, next);
      rk += 2 * next;
      ROUND(mid, dec, a0, a1, a2, a3, t0, t1, t2);
      ROUND(mid, dec, b0, b1, b2, b3, a0, a1, a2);
      ROUND(mid, dec, c0, c1, c2, c3, b0, b1, b2);
      ROUND(mid, dec, d0, d1, d2, d3, c0, c1, c2);
      LOAD_KEY(rk, 0);
      if (rk == last) break;
      ROUND(mid, dec, c0, c1, c2, d3, d0, d1, d2);
      ROUND(mid, dec, b0, b1, b2, c3, c0, c1, c2);
      ROUND(mid, dec, a0, a1, a2, b3, b0, b1, b2);
      ROUND(mid, dec, t0, t1, t2, a3, a0, a1, a2);
    }
    ROUND(fin, dec, c0, c1, c2, d3, d0, d1, d2);
    ROUND(fin, dec, b0, b1, b2, c3, c0, c1, c2);
    ROUND(fin, dec, a0, a1, a2, b3, b0, b1, b2);
    ROUND(fin, dec, t0, t1, t2, a3, a0, a1, a2);
    STORE_BLOCK(out, 0, a0, a1, a2, a3);
    STORE_BLOCK(out, 4, b0, b1, b2, b3);
    STORE_BLOCK(out, 8, c0, c1, c2, c3);
    STORE_BLOCK(out, 12, d0, d1, d2, d3);
    in += 16;
    out += 16;
  } while (in != stop);
}

// One block; new columns take the registers of the keys.
INLINE void one_block(const int dec, const uint32_t *first, const uint32_t *last, const word_t *in,
                      word_t *out) {
  const int next = dec ? -4 : 4;
  uint32_t k0, k1, k2, k3, t0, t1, t2, a0, a1, a2, a3;

  LOAD_KEY(first, 0);
  LOAD_BLOCK(in, 0, a0, a1, a2, a3);
  ADD_KEY(a0, a1, a2, a3);
  for (;;) {
    LOAD_KEY(first, next);
    first += 2 * next;
    ROUND(mid, dec, a0, a1, a2, a3, t0, t1, t2);
    LOAD_KEY(first, 0);
    if (first == last) break;
    ROUND(mid, dec, t0, t1, t2, a3, a0, a1, a2);
  }
  ROUND(fin, dec, t0, t1, t2, a3, a0, a1, a2);
  STORE_BLOCK(out, 0, a0, a1, a2, a3);
}

// The one to three blocks that make no group go first, so that the groups, which need every
// register, are a tail call, and a call with a single block saves no register.
#define CRYPT(dec, by_group, first, last, in, out, nblocks)                                \
  do {                                                                                     \
    for (; (nblocks) & 3u; (nblocks)--, (in) += AES_BLOCK_BYTES, (out) += AES_BLOCK_BYTES) \
      one_block(dec, first, last, (const word_t *)(in), (word_t *)(out));                  \
    if (nblocks)                                                                           \
      return by_group(first, last, (const word_t *)(in), (word_t *)(out), nblocks);        \
  } while (0)

static __attribute__((noinline)) int encrypt_by_four(const uint32_t *first, const uint32_t *last,
                                                     const word_t *in, word_t *out,
                                                     size_t nblocks) {
  by_four(0, first, last, in, out, nblocks);
  return AES_OK;
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  const uint32_t *const last = k->rk + 4 * k->rounds;
  CRYPT(0, encrypt_by_four, k->rk, last, in, out, nblocks);
  return AES_OK;
}

// ---- key expansion (FIPS 197, section 5.2) ------------------------------------------------------

// Constants of the first byte; AES-128 uses ten of them, AES-192 eight, AES-256 seven.
static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

// w ^ SubWord(RotWord(from)) ^ constant, in two chains.
INLINE uint32_t sub_rot_word(uint32_t w, uint32_t from, uint32_t constant) {
  w = tt_fsbr(from, w, 0);
  uint32_t x = tt_fsbr(from, constant, 1);
  w = tt_fsbr(from, w, 2);
  x = tt_fsbr(from, x, 3);
  return w ^ x;
}

// w ^ SubWord(from)
INLINE uint32_t sub_word(uint32_t w, uint32_t from) {
  w = tt_fsb(from, w, 0);
  uint32_t x = tt_fsb(from, 0, 1);
  w = tt_fsb(from, w, 2);
  x = tt_fsb(from, x, 3);
  return w ^ x;
}

#ifndef AES_ENCRYPT_ONLY

// w ^ InvMixColumns(from)
INLINE uint32_t inv_mix_column(uint32_t w, uint32_t from) {
  w = tt_kt(from, w, 0);
  uint32_t x = tt_kt(from, 0, 1);
  w = tt_kt(from, w, 2);
  x = tt_kt(from, x, 3);
  return w ^ x;
}

#else
#define inv_mix_column(w, from) (w)  // never evaluated
#endif

// The first four words of a step, from g = w0 ^ (the word nk before it), and their store.
#define NEXT_FOUR(dec)                  \
  w1 ^= w0, w2 ^= w1, w3 ^= w2;         \
  if (!(dec) || rk == end) {            \
    STORE_BLOCK(rk, 0, w0, w1, w2, w3); \
    if (rk == end) return AES_OK;       \
  } else {                              \
    v0 = inv_mix_column(v0, g);         \
    v1 ^= v0, v2 ^= v1, v3 ^= v2;       \
    STORE_BLOCK(rk, 0, v0, v1, v2, v3); \
  }

// w0 of the next step; its first term g = SubWord(RotWord(from)) ^ constant apart if it is needed.
#define FIRST_WORD(dec, from)                      \
  if (dec) {                                       \
    g = sub_rot_word(0, from, *constant++);        \
    w0 ^= g;                                       \
  } else {                                         \
    w0 = sub_rot_word(w0, from, *constant++);      \
  }

// Encryption keys, or the keys of the equivalent inverse cipher in the same order: all but the
// first and the last round's through InvMixColumns. That is linear, so words v0..v7 follow the
// recurrence of w0..w7 with one InvMixColumns for each SubWord, not one for each word.
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
  STORE_BLOCK(rk, 0, w0, w1, w2, w3);
  if (dec) {
    v0 = inv_mix_column(0, w0), v1 = inv_mix_column(0, w1);
    v2 = inv_mix_column(0, w2), v3 = inv_mix_column(0, w3);
  }
  if (key_bits == 128) {
    for (;;) {
      FIRST_WORD(dec, w3);
      rk += 4;
      NEXT_FOUR(dec);
    }
  }
  w4 = words[4], w5 = words[5];
  if (dec) v4 = inv_mix_column(0, w4), v5 = inv_mix_column(0, w5);
  if (key_bits == 192) {
    for (;;) {
      rk[4] = dec ? v4 : w4, rk[5] = dec ? v5 : w5;
      FIRST_WORD(dec, w5);
      rk += 6;
      NEXT_FOUR(dec);
      w4 ^= w3, w5 ^= w4;
      if (dec) v4 ^= v3, v5 ^= v4;
    }
  }
  w6 = words[6], w7 = words[7];
  if (dec) v6 = inv_mix_column(0, w6), v7 = inv_mix_column(0, w7);
  for (;;) {
    STORE_BLOCK(rk, 4, dec ? v4 : w4, dec ? v5 : w5, dec ? v6 : w6, dec ? v7 : w7);
    FIRST_WORD(dec, w7);
    rk += 8;
    NEXT_FOUR(dec);
    if (dec) {
      g = sub_word(0, w3);
      w4 ^= g;
      v4 = inv_mix_column(v4, g);
      v5 ^= v4, v6 ^= v5, v7 ^= v6;
    } else {
      w4 = sub_word(w4, w3);
    }
    w5 ^= w4, w6 ^= w5, w7 ^= w6;
  }
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return forgetting(expand(0, k, key, key_bits));
}

#ifdef AES_ENCRYPT_ONLY

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  (void)key, (void)key_bits;
  return aes_no_key(k, AES_ERR_UNSUPPORTED);
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  (void)k, (void)in;
  return aes_no_blocks(out, nblocks, AES_ERR_UNSUPPORTED);
}

#else

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return forgetting(expand(1, k, key, key_bits));
}

static __attribute__((noinline)) int decrypt_by_four(const uint32_t *first, const uint32_t *last,
                                                     const word_t *in, word_t *out,
                                                     size_t nblocks) {
  by_four(1, first, last, in, out, nblocks);
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  const uint32_t *const first = k->rk + 4 * k->rounds;
  CRYPT(1, decrypt_by_four, first, k->rk, in, out, nblocks);
  return AES_OK;
}

#endif
