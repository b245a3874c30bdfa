// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 on pairs of columns: four aescol_sub, four aescol_mix and the round key, which is
// a third operand (AES_KEY_OPERAND) or four exclusive ors. Four blocks at a time, or one.
// Source: README.md (the instructions); FIPS 197, sections 5.2 and 5.3.5.
//
// A state word holds a column, row r in bits 8r+7..8r. Decryption is the equivalent inverse cipher.
// Its ShiftRows has the opposite direction. Exchanging columns 1 and 3 at loads and stores lets the
// same code serve both directions.
#define ACCEL_OPS_VOLATILE  // the order below is deliberate
#include "accel_ops.h"
#include "aes_in_registers.h"
#include "aes_fused.h"

// Index in memory of column `i` of the code; `dec` is a constant.
#define AT(dec, i) ((dec) ? -(i)&3 : (i))

// ---- operations; `dec` is a constant ------------------------------------------------------------

INLINE uint32_t sub(const int dec, uint32_t x, uint32_t y) {
#ifndef AES_ENCRYPT_ONLY
  if (dec) return aescol_isub(x, y);
#endif
  (void)dec;
  return aescol_sub(x, y);
}

#ifdef AES_KEY_OPERAND

#define KEY_FIRST(statement) statement
#define KEY_LAST(statement)

INLINE uint32_t mid(const int dec, uint32_t x, uint32_t y, uint32_t key) {
  return dec ? aescol_imixk(x, y, key) : aescol_mixk(x, y, key);
}

INLINE uint32_t fin(const int dec, uint32_t x, uint32_t y, uint32_t key) {
  (void)dec;
  return aescol_lastk(x, y, key);
}

#else

#define KEY_FIRST(statement)
#define KEY_LAST(statement) statement

INLINE uint32_t mid(const int dec, uint32_t x, uint32_t y, uint32_t key) {
  (void)key;
#ifndef AES_ENCRYPT_ONLY
  if (dec) return aescol_imix(x, y);
#endif
  (void)dec;
  return aescol_mix(x, y);
}

INLINE uint32_t fin(const int dec, uint32_t x, uint32_t y, uint32_t key) {
  (void)dec, (void)key;
  return aescol_last(x, y);
}

#endif

// ---- rounds -------------------------------------------------------------------------------------

// A round of one block without the key, unless that is an operand. The first sub operation needs a
// spare register; the new column 1 stays there, and its old register is the next block's spare.
// No operation uses the result of the one before it: a pipelined host needs two cycles.
#define ROUND(OP, dec, a0, a1, a2, a3, t) \
  t = sub(dec, a0, a1);                   \
  a1 = sub(dec, a1, a2);                  \
  a2 = sub(dec, a2, a3);                  \
  a3 = sub(dec, a3, a0);                  \
  a0 = OP(dec, t, a2, k0);                \
  a2 = OP(dec, a2, t, k2);                \
  t = OP(dec, a1, a3, k1);                \
  a3 = OP(dec, a3, a1, k3)

#define LOAD_WORD(dec, rk, round, i) LOAD(rk, ((dec) ? -4 : 4) * (round) + AT(dec, i))

#define LOAD_KEY(dec, rk, round)       \
  k0 = LOAD_WORD(dec, rk, round, 0);   \
  k1 = LOAD_WORD(dec, rk, round, 1);   \
  k2 = LOAD_WORD(dec, rk, round, 2);   \
  k3 = LOAD_WORD(dec, rk, round, 3)

// All loads of the data come first: a word is not ready for two cycles after its load.
#define LOAD_BLOCK(dec, in, i, a0, a1, a2, a3) \
  a0 = LOAD(in, (i) + AT(dec, 0));             \
  a1 = LOAD(in, (i) + AT(dec, 1));             \
  a2 = LOAD(in, (i) + AT(dec, 2));             \
  a3 = LOAD(in, (i) + AT(dec, 3))

#define ADD_KEY(a0, a1, a2, a3) a0 ^= k0, a1 ^= k1, a2 ^= k2, a3 ^= k3

#define STORE_BLOCK(dec, out, i, a0, a1, a2, a3) \
  (out)[(i) + AT(dec, 0)] = a0;                  \
  (out)[(i) + AT(dec, 1)] = a1;                  \
  (out)[(i) + AT(dec, 2)] = a2;                  \
  (out)[(i) + AT(dec, 3)] = a3

// Key addition before and after a round of one block; three registers suffice.
#define ADD_NEXT_KEY(dec, rk, i, a0, a1, a2, a3) \
  k0 = LOAD_WORD(dec, rk, i, 0);                 \
  k1 = LOAD_WORD(dec, rk, i, 1);                 \
  k2 = LOAD_WORD(dec, rk, i, 2);                 \
  a0 ^= k0;                                      \
  k3 = LOAD_WORD(dec, rk, i, 3);                 \
  a1 ^= k1, a2 ^= k2, a3 ^= k3

// Two rounds bring every column back into its register: `rk` is the key before them, `i` the
// distance of their first key.
#define PAIR_OF_ONE(OP, dec, rk, i)                         \
  KEY_FIRST(LOAD_KEY(dec, rk, i);)                          \
  ROUND(mid, dec, a0, a1, a2, a3, t);                       \
  KEY_LAST(ADD_NEXT_KEY(dec, rk, i, a0, t, a2, a3);)        \
  KEY_FIRST(LOAD_KEY(dec, rk, (i) + 1);)                    \
  ROUND(OP, dec, a0, t, a2, a3, a1);                        \
  KEY_LAST(ADD_NEXT_KEY(dec, rk, (i) + 1, a0, a1, a2, a3);)

#define PAIR_OF_FOUR(OP, dec, rk, i)           \
  KEY_FIRST(LOAD_KEY(dec, rk, i);)             \
  ROUND(mid, dec, a0, a1, a2, a3, t);          \
  ROUND(mid, dec, b0, b1, b2, b3, a1);         \
  ROUND(mid, dec, c0, c1, c2, c3, b1);         \
  ROUND(mid, dec, d0, d1, d2, d3, c1);         \
  SECOND_OF_FOUR(OP, dec, rk, i)

// From the end of the first round on: its key, if that is no operand, and the second round.
#define SECOND_OF_FOUR(OP, dec, rk, i)         \
  KEY_LAST(LOAD_KEY(dec, rk, i);               \
           ADD_KEY(a0, t, a2, a3);             \
           ADD_KEY(b0, a1, b2, b3);            \
           ADD_KEY(c0, b1, c2, c3);            \
           ADD_KEY(d0, c1, d2, d3);)           \
  KEY_FIRST(LOAD_KEY(dec, rk, (i) + 1);)       \
  ROUND(OP, dec, d0, c1, d2, d3, d1);          \
  ROUND(OP, dec, c0, b1, c2, c3, c1);          \
  ROUND(OP, dec, b0, a1, b2, b3, b1);          \
  ROUND(OP, dec, a0, t, a2, a3, a1);           \
  KEY_LAST(LOAD_KEY(dec, rk, (i) + 1);         \
           ADD_KEY(a0, a1, a2, a3);            \
           ADD_KEY(b0, b1, b2, b3);            \
           ADD_KEY(c0, c1, c2, c3);            \
           ADD_KEY(d0, d1, d2, d3);)

// The first two rounds of four counters, which differ in column 3 alone: up to the first sub
// operations columns 0 to 2 of block a serve all, and after them t and d1 do.
#define PAIR_OF_COUNTERS(rk)                   \
  KEY_FIRST(LOAD_KEY(0, rk, 1);)               \
  t = sub(0, a0, a1);                          \
  d1 = sub(0, a1, a2);                         \
  d2 = sub(0, a2, d3);                         \
  c2 = sub(0, a2, c3);                         \
  b2 = sub(0, a2, b3);                         \
  a2 = sub(0, a2, a3);                         \
  d3 = sub(0, d3, a0);                         \
  c3 = sub(0, c3, a0);                         \
  b3 = sub(0, b3, a0);                         \
  a3 = sub(0, a3, a0);                         \
  MIX_COUNTER(d0, c1, d2, d3);                 \
  MIX_COUNTER(c0, b1, c2, c3);                 \
  MIX_COUNTER(b0, a1, b2, b3);                 \
  MIX_COUNTER(a0, t, a2, a3);                  \
  SECOND_OF_FOUR(mid, 0, rk, 1)
#define MIX_COUNTER(x0, x1, x2, x3) \
  x0 = mid(0, t, x2, k0);           \
  x2 = mid(0, x2, t, k2);           \
  x1 = mid(0, d1, x3, k1);          \
  x3 = mid(0, x3, d1, k3)

// The last ten rounds; `tail` is the key before them. `begun`: two of them are done.
#define TEN_ROUNDS(PAIR, dec, tail, begun) \
  if (!(begun)) {                          \
    PAIR(mid, dec, tail, 1)                \
  }                                        \
  PAIR(mid, dec, tail, 3)                  \
  PAIR(mid, dec, tail, 5)                  \
  PAIR(mid, dec, tail, 7)                  \
  PAIR(fin, dec, tail, 9)

// Rounds from the key `first` to the key `tail`, at least two. The barrier keeps the compiler from
// using two pointers instead of one.
#define ROUNDS_UP_TO(PAIR, dec, first, tail) \
  do {                                       \
    const uint32_t *rk = first;              \
    do {                                     \
      PAIR(mid, dec, rk, 1)                  \
      __asm__ volatile("" : "+r"(rk));       \
      rk += (dec) ? -8 : 8;                  \
    } while (rk != tail);                    \
  } while (0)

// The blocks up to `stop` in groups of `blocks`, at least one group. The ten rounds of AES-128 are
// unrolled and its groups stay in the inner loop. Longer keys add two or four rounds before them,
// with one group in each pass of the inner loop. `mode` is that of aes_fused.h; CBC decryption goes
// from the last group down and ends in FINISH. `begun`: START did two rounds.
#define CRYPT_GROUPS(START, PAIR, FINISH, mode, dec, blocks, begun)             \
  do {                                                                          \
    const word_t *until = stop;                                                 \
    START(mode, dec);                                                           \
    if (__builtin_expect(first != tail, 1)) {                                   \
      ROUNDS_UP_TO(PAIR, dec, first + 8 * (begun), tail + 8 * (begun));         \
      until = in;                                                               \
      __asm__ volatile("" : "+r"(until)); /* no sum to be kept in a register */ \
      until += STEP_OF(mode, blocks);                                           \
    }                                                                           \
    for (;;) {                                                                  \
      TEN_ROUNDS(PAIR, dec, tail, begun)                                        \
      FINISH(mode, dec);                                                        \
      in += STEP_OF(mode, blocks);                                              \
      out += STEP_OF(mode, blocks);                                             \
      if (in == until) break;                                                   \
      START(mode, dec);                                                         \
    }                                                                           \
  } while ((mode) == FUSED_CBC_DECRYPT || in != stop)

// Add the words at `text`; the key's variables are free. Without the barrier the compiler adds text
// and last key first and keeps both keys and columns, on the stack too.
#define RESULT(a0, a1, a2, a3) \
  __asm__ volatile("" : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3))
#define ADD_TEXT(dec, text, i, a0, a1, a2, a3) \
  k0 = LOAD(text, (i) + AT(dec, 0));           \
  k1 = LOAD(text, (i) + AT(dec, 1));           \
  k2 = LOAD(text, (i) + AT(dec, 2));           \
  k3 = LOAD(text, (i) + AT(dec, 3));           \
  ADD_KEY(a0, a1, a2, a3)

#define START_ONE(mode, dec)                 \
  LOAD_KEY(dec, first, 0);                   \
  if ((mode) == FUSED_CBC_ENCRYPT) {         \
    ADD_KEY(a0, a1, a2, a3);                 \
    ADD_TEXT(dec, in, 0, a0, a1, a2, a3);    \
  } else if ((mode) == FUSED_CTR) {          \
    a0 = LOAD(chain, 0);                     \
    a1 = LOAD(chain, 1);                     \
    a2 = LOAD(chain, 2);                     \
    a3 = count;                              \
    count += one;                            \
    ADD_KEY(a0, a1, a2, a3);                 \
  } else if ((mode) == FUSED_CBC_DECRYPT) {  \
    a0 = k0 ^ x0;                            \
    a1 = k1 ^ x1;                            \
    a2 = k2 ^ x2;                            \
    a3 = k3 ^ x3;                            \
  } else {                                   \
    LOAD_BLOCK(dec, in, 0, a0, a1, a2, a3);  \
    ADD_KEY(a0, a1, a2, a3);                 \
  }

// CBC decryption loads a block's text once: it is added to the result of the block after it, and
// decrypted next.
#define ADD_BEFORE(dec, text, i)               \
  LOAD_BLOCK(dec, text, i, x0, x1, x2, x3);    \
  a0 ^= x0, a1 ^= x1, a2 ^= x2, a3 ^= x3
#define FINISH_ONE(mode, dec)                                     \
  if ((mode) == FUSED_CTR || (mode) == FUSED_CBC_DECRYPT) {       \
    RESULT(a0, a1, a2, a3);                                       \
  }                                                               \
  if ((mode) == FUSED_CTR) {                                      \
    ADD_TEXT(dec, in, 0, a0, a1, a2, a3);                         \
  } else if ((mode) == FUSED_CBC_DECRYPT) {                       \
    if (in == low) {                                              \
      ADD_BEFORE(dec, chain, 0);                                  \
      STORE_BLOCK(dec, out, 0, a0, a1, a2, a3);                   \
      return;                                                     \
    }                                                             \
    ADD_BEFORE(dec, in, -4);                                      \
  }                                                               \
  STORE_BLOCK(dec, out, 0, a0, a1, a2, a3)

INLINE void singly(const int mode, const int dec, const uint32_t *first, const uint32_t *tail,
                   const word_t *in, word_t *out, const word_t *stop, const word_t *low,
                   word_t *chain) {
  uint32_t k0, k1, k2, k3, t, a0, a1, a2, a3, x0, x1, x2, x3, count = 0, one = FUSED_NEXT;

  (void)low, (void)chain, (void)count, (void)one, (void)x0, (void)x1, (void)x2, (void)x3;
  if (mode == FUSED_CTR) {
    count = LOAD(chain, 3);
    FETCHED(one);
  } else if (mode == FUSED_CBC_ENCRYPT) {
    LOAD_BLOCK(dec, chain, 0, a0, a1, a2, a3);
  } else if (mode == FUSED_CBC_DECRYPT) {
    LOAD_BLOCK(dec, in, 0, x0, x1, x2, x3);
  }
  CRYPT_GROUPS(START_ONE, PAIR_OF_ONE, FINISH_ONE, mode, dec, 1, 0);
  if (mode == FUSED_CTR) {
    chain[3] = count;
  } else if (mode == FUSED_CBC_ENCRYPT) {
    STORE_BLOCK(dec, chain, 0, a0, a1, a2, a3);
  }
}

#define START_FOUR(mode, dec)                    \
  LOAD_KEY(dec, first, 0);                       \
  if ((mode) == FUSED_CTR) {                     \
    LOAD_BLOCK(dec, chain, 0, a0, a1, a2, a3);   \
    t = FUSED_NEXT;                              \
    FETCHED(t);                                  \
    b3 = a3 + t;                                 \
    c3 = b3 + t;                                 \
    d3 = c3 + t;                                 \
    chain[3] = d3 + t;                           \
    ADD_KEY(a0, a1, a2, a3);                     \
    b3 ^= k3, c3 ^= k3, d3 ^= k3;                \
    PAIR_OF_COUNTERS(first);                     \
  } else {                                       \
    LOAD_BLOCK(dec, in, 0, a0, a1, a2, a3);      \
    LOAD_BLOCK(dec, in, 4, b0, b1, b2, b3);      \
    LOAD_BLOCK(dec, in, 8, c0, c1, c2, c3);      \
    LOAD_BLOCK(dec, in, 12, d0, d1, d2, d3);     \
    ADD_KEY(a0, a1, a2, a3);                     \
    ADD_KEY(b0, b1, b2, b3);                     \
    ADD_KEY(c0, c1, c2, c3);                     \
    ADD_KEY(d0, d1, d2, d3);                     \
  }

// In CTR from the first block, in CBC decryption from the last one (aes_fused.h).
#define FINISH_FOUR(mode, dec)                    \
  if ((mode) != FUSED_ECB) {                      \
    RESULT(d0, d1, d2, d3);                       \
    RESULT(c0, c1, c2, c3);                       \
    RESULT(b0, b1, b2, b3);                       \
    RESULT(a0, a1, a2, a3);                       \
  }                                               \
  if ((mode) == FUSED_CBC_DECRYPT) {              \
    ADD_TEXT(dec, in, 8, d0, d1, d2, d3);         \
    STORE_BLOCK(dec, out, 12, d0, d1, d2, d3);    \
    ADD_TEXT(dec, in, 4, c0, c1, c2, c3);         \
    STORE_BLOCK(dec, out, 8, c0, c1, c2, c3);     \
    lowest = kept_low;                            \
    ADD_TEXT(dec, in, 0, b0, b1, b2, b3);         \
    STORE_BLOCK(dec, out, 4, b0, b1, b2, b3);     \
    if (in == lowest) {                           \
      lowest = kept_chain;                        \
      ADD_TEXT(dec, lowest, 0, a0, a1, a2, a3);   \
      STORE_BLOCK(dec, out, 0, a0, a1, a2, a3);   \
      return;                                     \
    }                                             \
    ADD_TEXT(dec, in, -4, a0, a1, a2, a3);        \
    STORE_BLOCK(dec, out, 0, a0, a1, a2, a3);     \
  } else if ((mode) == FUSED_CTR) {               \
    ADD_TEXT(dec, in, 0, a0, a1, a2, a3);         \
    STORE_BLOCK(dec, out, 0, a0, a1, a2, a3);     \
    ADD_TEXT(dec, in, 4, b0, b1, b2, b3);         \
    STORE_BLOCK(dec, out, 4, b0, b1, b2, b3);     \
    ADD_TEXT(dec, in, 8, c0, c1, c2, c3);         \
    STORE_BLOCK(dec, out, 8, c0, c1, c2, c3);     \
    ADD_TEXT(dec, in, 12, d0, d1, d2, d3);        \
    STORE_BLOCK(dec, out, 12, d0, d1, d2, d3);    \
  } else {                                        \
    STORE_BLOCK(dec, out, 0, a0, a1, a2, a3);     \
    STORE_BLOCK(dec, out, 4, b0, b1, b2, b3);     \
    STORE_BLOCK(dec, out, 8, c0, c1, c2, c3);     \
    STORE_BLOCK(dec, out, 12, d0, d1, d2, d3);    \
  }

// Each round key is loaded once for all four blocks. Rounds of 48 instructions are in a loop, two a
// pass; those of 32 are unrolled.
INLINE void by_four(const int mode, const int dec, const uint32_t *first, const uint32_t *tail,
                    const word_t *in, word_t *out, const word_t *stop, const word_t *low,
                    word_t *chain) {
  uint32_t k0, k1, k2, k3, t;
  uint32_t a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3;
  // On the stack: the rounds need the registers.
  const word_t *volatile kept_low = low, *volatile kept_chain = chain, *lowest;

  (void)kept_low, (void)kept_chain, (void)lowest, (void)chain;
#ifdef __riscv
  __asm__ volatile("" : : : "ra");  // so that ra is saved and holds data from here on
#endif
#ifdef AES_KEY_OPERAND
  CRYPT_GROUPS(START_FOUR, PAIR_OF_FOUR, FINISH_FOUR, mode, dec, 4, (mode) == FUSED_CTR);
#else
  tail += dec ? -32 : 32;
  do {
    START_FOUR(mode, dec);
    ROUNDS_UP_TO(PAIR_OF_FOUR, dec, first + ((mode) == FUSED_CTR ? 8 : 0), tail);
    PAIR_OF_FOUR(fin, dec, tail, 1)
    FINISH_FOUR(mode, dec);
    in += STEP_OF(mode, 4);
    out += STEP_OF(mode, 4);
  } while ((mode) == FUSED_CBC_DECRYPT || in != stop);
#endif
}

// The remainder of one to three blocks is first, so that the groups, which need every register, are
// a tail call and a call with a single block saves no register.
#ifdef AES_NO_INTERLEAVE
#define ALONE(nblocks) (nblocks)
#else
#define ALONE(nblocks) ((nblocks) & 3u)
#endif

#define CRYPT(dec, by_group, first, tail, in, out, nblocks)                  \
  do {                                                                       \
    const uint32_t *const key_0 = (first), *const key_10 = (tail);           \
    const word_t *from = (const word_t *)(in);                               \
    word_t *to = (word_t *)(out);                                            \
    const size_t alone = ALONE(nblocks), grouped = (nblocks)-alone;          \
    if (alone) singly(FUSED_ECB, dec, key_0, key_10, from, to, from + 4 * alone, 0, 0); \
    from += 4 * alone, to += 4 * alone;                                      \
    if (grouped)                                                             \
      return by_group(key_0, key_10, from, to, from + 4 * grouped);          \
  } while (0)

static __attribute__((noinline)) int encrypt_by_four(const uint32_t *first, const uint32_t *tail,
                                                     const word_t *in, word_t *out,
                                                     const word_t *stop) {
  by_four(FUSED_ECB, 0, first, tail, in, out, stop, 0, 0);
  return AES_OK;
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  CRYPT(0, encrypt_by_four, k->rk, k->rk + 4 * (k->rounds - 10), in, out, nblocks);
  return AES_OK;
}

// ---- key expansion (FIPS 197, section 5.2) ------------------------------------------------------

// Every second constant of AES-128, in byte 3; the one after it is its double. AES-192 uses the
// first eight powers of two, AES-256 the first seven.
static const uint32_t rcon[5] = {0x01u << 24, 0x04u << 24, 0x10u << 24, 0x40u << 24, 0x1bu << 24};

// For decryption the words w0..w7 are held rotated by one byte towards row 0, w' = RotWord(w), as
// sub leaves them: aescol_imix(w', w') is then InvMixColumns(w), without further rotations. In
// both cases aescol_sub(w, w) is the next word's SubWord(RotWord(w)), held like w; the constant
// belongs to byte 0 of a word, to byte 3 of a rotated one.
#define CONSTANT(dec, p) \
  ((dec) ? *(const volatile uint32_t *)(p) : ((const volatile uint8_t *)(p))[3])
#define FIRST_CONSTANT(dec) ((dec) ? 0x01u << 24 : 0x01u)

INLINE uint32_t rot_word(uint32_t w) { return (w >> 8) | (w << 24); }

#ifdef AES_KEY_OPERAND
INLINE uint32_t unrotate(uint32_t w) { return aescol_lastk(w, w, 0); }
#else
INLINE uint32_t unrotate(uint32_t w) { return aescol_last(w, w); }
#endif

// v ^ InvMixColumns(w) of a rotated w in two steps, with room for other work between them.
#if defined AES_ENCRYPT_ONLY
INLINE uint32_t inv_mix_column(uint32_t v, uint32_t w) { return v ^ w; }  // never called
INLINE uint32_t added(uint32_t v, uint32_t x) { return v ^ x; }
#elif defined AES_KEY_OPERAND
INLINE uint32_t inv_mix_column(uint32_t v, uint32_t w) { return aescol_imixk(w, w, v); }
INLINE uint32_t added(uint32_t v, uint32_t x) { return (void)v, x; }
#else
INLINE uint32_t inv_mix_column(uint32_t v, uint32_t w) { return (void)v, aescol_imix(w, w); }
INLINE uint32_t added(uint32_t v, uint32_t x) { return v ^ x; }
#endif

// The first four words of a step. A constant that `fetch` loads is loaded neither right before an
// operation nor right before its use, because both would stall.
#define STEP(dec, from, fetch)        \
  g = aescol_sub(from, from);         \
  fetch;                              \
  g ^= c;                             \
  if (dec) x = inv_mix_column(v0, g); \
  w0 ^= g, w1 ^= w0, w2 ^= w1, w3 ^= w2

// They are a middle round's key, words `at` of the schedule.
#define MIDDLE(dec, at)                      \
  if (!(dec)) {                              \
    STORE_BLOCK(0, rk, at, w0, w1, w2, w3);  \
  } else {                                   \
    v0 = added(v0, x);                       \
    v1 ^= v0, v2 ^= v1, v3 ^= v2;            \
    STORE_BLOCK(0, rk, at, v0, v1, v2, v3);  \
  }

// They are the last round's key.
#define LAST(dec)                                                                            \
  if (dec) {                                                                                 \
    STORE_BLOCK(0, rk, 0, unrotate(w0), unrotate(w1), unrotate(w2), unrotate(w3));           \
  } else {                                                                                   \
    STORE_BLOCK(0, rk, 0, w0, w1, w2, w3);                                                   \
  }

// Take a key word: in decryption keep it rotated, and its InvMixColumns.
#define TAKE(dec, w, v, word)                      \
  w = (word);                                      \
  if (dec) w = rot_word(w), v = inv_mix_column(0, w)

// Encryption keys, or the keys of the equivalent inverse cipher in the same order: InvMixColumns of
// all round keys except the first and the last. It is linear, so words v0..v7 follow the recurrence
// of w0..w7 with one InvMixColumns for each SubWord instead of one for each word.
#define BEGIN(dec, nrounds)                                          \
  const word_t *const words = (const word_t *)key;                   \
  const uint32_t *const end = k->rk + 4 * (nrounds);                 \
  uint32_t *rk = k->rk;                                              \
  uint32_t w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3]; \
  uint32_t v0 = 0, v1 = 0, v2 = 0, v3 = 0, g, c, x;                  \
  (void)v0, (void)v1, (void)v2, (void)v3, (void)x;                   \
  STORE_BLOCK(0, rk, 0, w0, w1, w2, w3);                             \
  TAKE(dec, w0, v0, w0);                                             \
  TAKE(dec, w1, v1, w1);                                             \
  TAKE(dec, w2, v2, w2);                                             \
  TAKE(dec, w3, v3, w3)

INLINE int expand_128(const int dec, aes_key_t *k, const uint8_t *key) {
  const uint32_t *constant = rcon;
  BEGIN(dec, 10);
  for (;;) {
    STEP(dec, w3, (c = CONSTANT(dec, constant), constant++));
    MIDDLE(dec, 4);
    STEP(dec, w3, c <<= 1);
    rk += 8;
    if (rk == end) break;
    MIDDLE(dec, 0);
  }
  LAST(dec);
  return AES_OK;
}

INLINE int expand_192(const int dec, aes_key_t *k, const uint8_t *key) {
  uint32_t w4, w5, v4 = 0, v5 = 0;
  BEGIN(dec, 12);
  TAKE(dec, w4, v4, words[4]);
  TAKE(dec, w5, v5, words[5]);
  c = FIRST_CONSTANT(dec);
  for (;;) {
    rk[4] = dec ? v4 : w4, rk[5] = dec ? v5 : w5;
    STEP(dec, w5, rk += 6);
    if (rk == end) break;
    MIDDLE(dec, 0);
    w4 ^= w3, w5 ^= w4, c <<= 1;
    if (dec) v4 ^= v3, v5 ^= v4;
  }
  LAST(dec);
  return AES_OK;
}

INLINE int expand_256(const int dec, aes_key_t *k, const uint8_t *key) {
  uint32_t w4, w5, w6, w7, v4 = 0, v5 = 0, v6 = 0, v7 = 0;
  BEGIN(dec, 14);
  TAKE(dec, w4, v4, words[4]);
  TAKE(dec, w5, v5, words[5]);
  TAKE(dec, w6, v6, words[6]);
  TAKE(dec, w7, v7, words[7]);
  c = FIRST_CONSTANT(dec);
  for (;;) {
    STORE_BLOCK(0, rk, 4, dec ? v4 : w4, dec ? v5 : w5, dec ? v6 : w6, dec ? v7 : w7);
    STEP(dec, w7, rk += 8);
    if (rk == end) break;
    MIDDLE(dec, 0);
    g = unrotate(aescol_sub(w3, w3));  // SubWord(w3), held like w3
    if (dec) x = inv_mix_column(v4, g);
    w4 ^= g, w5 ^= w4, w6 ^= w5, w7 ^= w6, c <<= 1;
    if (dec) v4 = added(v4, x), v5 ^= v4, v6 ^= v5, v7 ^= v6;
  }
  LAST(dec);
  return AES_OK;
}

#include "aes_by_length.h"

#define OWN_BLOCKS
#include "aes_entries.h"

#ifndef AES_ENCRYPT_ONLY

static __attribute__((noinline)) int decrypt_by_four(const uint32_t *first, const uint32_t *tail,
                                                     const word_t *in, word_t *out,
                                                     const word_t *stop) {
  by_four(FUSED_ECB, 1, first, tail, in, out, stop, 0, 0);
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  CRYPT(1, decrypt_by_four, k->rk + 4 * k->rounds, k->rk + 40, in, out, nblocks);
  return AES_OK;
}

#endif

// ---- modes --------------------------------------------------------------------------------------

static __attribute__((noinline)) void ctr_by_four(const uint32_t *first, const uint32_t *tail,
                                                  const word_t *in, word_t *out,
                                                  const word_t *stop, word_t *counter) {
  by_four(FUSED_CTR, 0, first, tail, in, out, stop, 0, counter);
}

INLINE int fused_ctr(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                     uint32_t *counter) {
  const uint32_t *const first = k->rk, *const tail = k->rk + 4 * (k->rounds - 10);
  const word_t *from = (const word_t *)in;
  word_t *to = (word_t *)out, *const count = (word_t *)counter;
  const size_t alone = ALONE(nblocks), grouped = nblocks - alone;

  if (grouped) ctr_by_four(first, tail, from, to, from + 4 * grouped, count);
  from += 4 * grouped, to += 4 * grouped;
  if (alone) singly(FUSED_CTR, 0, first, tail, from, to, from + 4 * alone, 0, count);
  return AES_OK;
}

INLINE int fused_cbc_encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                             uint32_t *chain) {
  const word_t *const from = (const word_t *)in;

  singly(FUSED_CBC_ENCRYPT, 0, k->rk, k->rk + 4 * (k->rounds - 10), from, (word_t *)out,
         from + 4 * nblocks, 0, (word_t *)chain);
  return AES_OK;
}

#ifndef AES_ENCRYPT_ONLY

static __attribute__((noinline)) void cbc_by_four(const uint32_t *first, const uint32_t *tail,
                                                  const word_t *in, word_t *out,
                                                  const word_t *low, word_t *before) {
  by_four(FUSED_CBC_DECRYPT, 1, first, tail, in, out, low - 16, low, before);
}

INLINE int fused_cbc_decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                             uint32_t *chain) {
  const uint32_t *const first = k->rk + 4 * k->rounds, *const tail = k->rk + 40;
  const size_t alone = ALONE(nblocks), grouped = nblocks - alone;
  const word_t *const start = (const word_t *)in, *const low = start + 4 * alone;
  word_t *const to = (word_t *)out, *const iv = (word_t *)chain;

  if (grouped) {
    cbc_by_four(first, tail, start + 4 * nblocks - 16, to + 4 * nblocks - 16, low,
                alone ? (word_t *)(uintptr_t)(low - 4) : iv);
  }
  if (alone) {
    singly(FUSED_CBC_DECRYPT, 1, first, tail, low - 4, to + 4 * alone - 4, start - 4, start, iv);
  }
  return AES_OK;
}

#endif

#define FUSED_BELOW_WORDS 24u
#include "aes_fused_entries.h"
