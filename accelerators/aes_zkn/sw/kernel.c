// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 with aes32esi, aes32esmi, aes32dsi, aes32dsmi; four blocks at a time.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1 (the instructions); FIPS 197, sections 5.2
// (key expansion) and 5.3.5 (equivalent inverse cipher).
//
// A state word holds a column, row r in bits 8r+7..8r. The key word is the first rs1, so that
// AddRoundKey costs nothing. Blocks interleave no further than four columns: every operation
// depends on the fourth one before it, more than the two cycles that a pipelined host needs.
#define ACCEL_OPS_VOLATILE  // the order below is deliberate
#include "accel_ops.h"
#include "aes_kernel.h"

typedef uint32_t __attribute__((may_alias)) word_t;  // words that are bytes to the caller

#define INLINE static inline __attribute__((always_inline))

// The compiler must neither repeat nor move the loads: one in front of an operation costs two cycles
// on a core that waits for it.
#define LOAD(p, i) (((const volatile word_t *)(p))[i])

// Row of old column `from` in new column `to`: ShiftRows moves row r left by r columns, InvShiftRows
// right.
#define ROW(dec, from, to) ((unsigned)((dec) ? (to) - (from) : (from) - (to)) & 3u)

// One operation of a middle round, or of the last one; `dec` and `row` are constants.
INLINE uint32_t mid(const int dec, uint32_t acc, uint32_t old, const unsigned row) {
#ifndef AES_ENCRYPT_ONLY
  if (dec) return aes32dsmi(acc, old, row);
#endif
  (void)dec;
  return aes32esmi(acc, old, row);
}

INLINE uint32_t fin(const int dec, uint32_t acc, uint32_t old, const unsigned row) {
#ifndef AES_ENCRYPT_ONLY
  if (dec) return aes32dsi(acc, old, row);
#endif
  (void)dec;
  return aes32esi(acc, old, row);
}

// What old column `x` adds to the four new columns y0..y3.
#define SPREAD(OP, dec, from, x, y0, y1, y2, y3) \
  y0 = OP(dec, y0, x, ROW(dec, from, 0));        \
  y1 = OP(dec, y1, x, ROW(dec, from, 1));        \
  y2 = OP(dec, y2, x, ROW(dec, from, 2));        \
  y3 = OP(dec, y3, x, ROW(dec, from, 3))

// A round of one block: columns a0..a3 become t0, t1, t2, a3. The column that is read first makes
// room for the fourth result, so three spare registers do, and a0..a2 are the next block's spares.
#define ROUND(OP, dec, a0, a1, a2, a3, t0, t1, t2)  \
  t0 = OP(dec, k0, a3, ROW(dec, 3, 0));             \
  t1 = OP(dec, k1, a3, ROW(dec, 3, 1));             \
  t2 = OP(dec, k2, a3, ROW(dec, 3, 2));             \
  a3 = OP(dec, k3, a3, ROW(dec, 3, 3));             \
  SPREAD(OP, dec, 0, a0, t0, t1, t2, a3);           \
  SPREAD(OP, dec, 1, a1, t0, t1, t2, a3);           \
  SPREAD(OP, dec, 2, a2, t0, t1, t2, a3)

#define LOAD_KEY(rk, i)      \
  do {                       \
    k0 = LOAD(rk, (i) + 0);   \
    k1 = LOAD(rk, (i) + 1);   \
    k2 = LOAD(rk, (i) + 2);   \
    k3 = LOAD(rk, (i) + 3);   \
  } while (0)

// All loads of the data come first: a word is not ready for two cycles after its load.
#define LOAD_BLOCK(in, i, a0, a1, a2, a3) \
  a0 = LOAD(in, (i) + 0);                  \
  a1 = LOAD(in, (i) + 1);                  \
  a2 = LOAD(in, (i) + 2);                  \
  a3 = LOAD(in, (i) + 3)

#define ADD_KEY(a0, a1, a2, a3) a0 ^= k0, a1 ^= k1, a2 ^= k2, a3 ^= k3

#define STORE_BLOCK(out, i, a0, a1, a2, a3) \
  (out)[(i) + 0] = a0;                      \
  (out)[(i) + 1] = a1;                      \
  (out)[(i) + 2] = a2;                      \
  (out)[(i) + 3] = a3

// Blocks in groups of four. The keys of a round are loaded once for all four; even rounds go through
// the blocks in reverse, which brings every column back into its register.
INLINE void by_four(const int dec, const uint32_t *first, const uint32_t *last, const word_t *in,
                    word_t *out, size_t nblocks) {
  const int next = dec ? -4 : 4;
  uint32_t k0, k1, k2, k3, t0, t1, t2;
  uint32_t a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3;

  for (; nblocks > 0; nblocks -= 4, in += 16, out += 16) {
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
  }
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
    if (nblocks) by_group(first, last, (const word_t *)(in), (word_t *)(out), nblocks);    \
  } while (0)

static __attribute__((noinline)) void encrypt_by_four(const uint32_t *first, const uint32_t *last,
                                                      const word_t *in, word_t *out,
                                                      size_t nblocks) {
  by_four(0, first, last, in, out, nblocks);
}

void aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  const uint32_t *const last = k->rk + 4 * k->rounds;
  CRYPT(0, encrypt_by_four, k->rk, last, in, out, nblocks);
}

// ---- key expansion (FIPS 197, section 5.2) -------------------------------------------------------

// Constants of the first byte; AES-128 uses ten of them, AES-192 eight, AES-256 seven.
static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

// w ^ SubWord(RotWord(from)) ^ constant, in two chains. RotWord is a rotation right by 8 here: lanes
// 0 to 2 come from the shifted word, lane 3 from the word's lowest byte.
INLINE uint32_t sub_rot_word(uint32_t w, uint32_t from, uint32_t constant) {
  const uint32_t low = from >> 8, high = from << 24;
  uint32_t x = aes32esi(constant, low, 0);
  w = aes32esi(w, low, 1);
  x = aes32esi(x, low, 2);
  w = aes32esi(w, high, 3);
  return w ^ x;
}

// w ^ SubWord(from)
INLINE uint32_t sub_word(uint32_t w, uint32_t from) {
  uint32_t x = aes32esi(0, from, 0);
  w = aes32esi(w, from, 1);
  x = aes32esi(x, from, 2);
  w = aes32esi(w, from, 3);
  return w ^ x;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *words = (const word_t *)key;
  const uint8_t *constant = rcon;
  uint32_t *rk = k->rk;
  uint32_t w0, w1, w2, w3, w4, w5, w6, w7;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256) return AES_ERR_KEY_LENGTH;
  k->rounds = key_bits / 32 + 6;
  const uint32_t *const end = k->rk + 4 * k->rounds;  // the last round's key

  w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3];
  STORE_BLOCK(rk, 0, w0, w1, w2, w3);
  if (key_bits == 128) {
    do {
      w0 = sub_rot_word(w0, w3, *constant++);
      w1 ^= w0, w2 ^= w1, w3 ^= w2;
      rk += 4;
      STORE_BLOCK(rk, 0, w0, w1, w2, w3);
    } while (rk != end);
    return AES_OK;
  }
  w4 = words[4], w5 = words[5];
  if (key_bits == 192) {
    for (;;) {
      rk[4] = w4, rk[5] = w5;
      w0 = sub_rot_word(w0, w5, *constant++);
      w1 ^= w0, w2 ^= w1, w3 ^= w2;
      rk += 6;
      STORE_BLOCK(rk, 0, w0, w1, w2, w3);
      if (rk == end) return AES_OK;
      w4 ^= w3, w5 ^= w4;
    }
  }
  w6 = words[6], w7 = words[7];
  for (;;) {
    STORE_BLOCK(rk, 4, w4, w5, w6, w7);
    w0 = sub_rot_word(w0, w7, *constant++);
    w1 ^= w0, w2 ^= w1, w3 ^= w2;
    rk += 8;
    STORE_BLOCK(rk, 0, w0, w1, w2, w3);
    if (rk == end) return AES_OK;
    w4 = sub_word(w4, w3);
    w5 ^= w4, w6 ^= w5, w7 ^= w6;
  }
}

#ifdef AES_ENCRYPT_ONLY

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  (void)k, (void)key, (void)key_bits;
  return AES_ERR_UNSUPPORTED;
}

void aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  (void)k, (void)in, (void)out, (void)nblocks;
}

#else

// The keys of the equivalent inverse cipher, in the order of encryption: decryption reads backwards.
// InvMixColumns of a word is the S-box in place, then InvSubBytes with InvMixColumns.
int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const int status = aes_set_encrypt_key(k, key, key_bits);
  if (status != AES_OK) return status;
  const uint32_t *const end = k->rk + 4 * k->rounds;
  for (uint32_t *rk = k->rk + 4; rk != end; rk += 4) {
    const uint32_t w[4] = {rk[0], rk[1], rk[2], rk[3]};
    uint32_t x[4] = {0, 0, 0, 0}, y[4] = {0, 0, 0, 0};
#define FOUR(OP, to, from, row)          \
  to[0] = OP(to[0], from[0], row);       \
  to[1] = OP(to[1], from[1], row);       \
  to[2] = OP(to[2], from[2], row);       \
  to[3] = OP(to[3], from[3], row)
    FOUR(aes32esi, x, w, 0);
    FOUR(aes32esi, x, w, 1);
    FOUR(aes32esi, x, w, 2);
    FOUR(aes32esi, x, w, 3);
    FOUR(aes32dsmi, y, x, 0);
    FOUR(aes32dsmi, y, x, 1);
    FOUR(aes32dsmi, y, x, 2);
    FOUR(aes32dsmi, y, x, 3);
    STORE_BLOCK(rk, 0, y[0], y[1], y[2], y[3]);
  }
  return AES_OK;
}

static __attribute__((noinline)) void decrypt_by_four(const uint32_t *first, const uint32_t *last,
                                                      const word_t *in, word_t *out,
                                                      size_t nblocks) {
  by_four(1, first, last, in, out, nblocks);
}

void aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  const uint32_t *const first = k->rk + 4 * k->rounds;
  CRYPT(1, decrypt_by_four, first, k->rk, in, out, nblocks);
}

#endif
