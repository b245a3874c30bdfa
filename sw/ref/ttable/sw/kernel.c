// SPDX-License-Identifier: Apache-2.0
// AES with look-up tables of 32-bit words that join SubBytes and MixColumns: the fast software
// baseline where time that depends on data is acceptable.
// Source: J. Daemen and V. Rijmen, "AES Proposal: Rijndael" (1999), section 5.2 (32-bit
// processors); decryption is the equivalent inverse cipher of FIPS 197, section 5.3.5.
//
// TABLES (from the manifest's variant) is how many of the four rotations of a table are stored:
//   4: 4 KiB a direction, no rotation        2: 2 KiB, one rotation a column
//   1: 1 KiB, three rotations a column (rv32im has no rotate instruction: three operations each)
//
// NOT CONSTANT-TIME where data is cached or memory banks differ: addresses depend on key and data.
#include "aes_kernel.h"
#include "aes_forget_registers.h"
#include "aes_sbox_values.h"

#ifndef TABLES
#define TABLES 4
#endif
#if TABLES != 1 && TABLES != 2 && TABLES != 4
#error "TABLES is 1, 2 or 4"
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "little-endian only: byte r of a column is byte r of a word"
#endif

// Buffers of bytes are read as words.
typedef uint32_t __attribute__((may_alias)) word_t;

// Multiples in GF(2^8) as constant expressions.
#define X2(v) ((((v) << 1) ^ (((v) >> 7) * 0x11bu)) & 0xffu)
#define X4(v) X2(X2(v))
#define X8(v) X2(X4(v))
// A column of the table: byte 0 is the least significant.
#define WORD(b0, b1, b2, b3) \
  ((uint32_t)(b0) | (uint32_t)(b1) << 8 | (uint32_t)(b2) << 16 | (uint32_t)(b3) << 24)

// Table i holds the contribution of a byte in row i: MixColumns' column i times the S-box value
// (FIPS 197, equation 5.6), and InvMixColumns' times the inverse S-box value (equation 5.10).
#define TE0(s) WORD(X2(s), s, s, X2(s) ^ s)
#define TE1(s) WORD(X2(s) ^ s, X2(s), s, s)
#define TE2(s) WORD(s, X2(s) ^ s, X2(s), s)
#define TE3(s) WORD(s, s, X2(s) ^ s, X2(s))
#define X9(s) (X8(s) ^ s)
#define XB(s) (X8(s) ^ X2(s) ^ s)
#define XD(s) (X8(s) ^ X4(s) ^ s)
#define XE(s) (X8(s) ^ X4(s) ^ X2(s))
#define TD0(s) WORD(XE(s), X9(s), XD(s), XB(s))
#define TD1(s) WORD(XB(s), XE(s), X9(s), XD(s))
#define TD2(s) WORD(XD(s), XB(s), XE(s), X9(s))
#define TD3(s) WORD(X9(s), XD(s), XB(s), XE(s))

#define LINES __attribute__((aligned(64)))
static const uint32_t te[TABLES][256] LINES = {
    {AES_SBOX_VALUES(TE0)},
#if TABLES >= 2
    {AES_SBOX_VALUES(TE1)},
#endif
#if TABLES == 4
    {AES_SBOX_VALUES(TE2)}, {AES_SBOX_VALUES(TE3)},
#endif
};
static const uint32_t td[TABLES][256] LINES = {
    {AES_INV_SBOX_VALUES(TD0)},
#if TABLES >= 2
    {AES_INV_SBOX_VALUES(TD1)},
#endif
#if TABLES == 4
    {AES_INV_SBOX_VALUES(TD2)}, {AES_INV_SBOX_VALUES(TD3)},
#endif
};
#define VALUE(x) x
static const uint8_t sbox[256] LINES = {AES_SBOX_VALUES(VALUE)};
static const uint8_t inv_sbox[256] LINES = {AES_INV_SBOX_VALUES(VALUE)};

#define INLINE static inline __attribute__((always_inline))

// A pointer into the middle of a table set: all four tables are within the signed 12-bit offset of
// a load, so one register serves them. The empty assembly keeps the compiler from going back to
// one address a table.
typedef const uint8_t *base_t;
#define MIDDLE (TABLES * 512)

INLINE base_t middle(const uint32_t (*t)[256]) {
  base_t b = (base_t)t + MIDDLE;
  __asm__("" : "+r"(b));
  return b;
}

INLINE base_t opaque(const uint8_t *b) {
  __asm__("" : "+r"(b));
  return b;
}

// Entry of table t for the byte in row `row` of w; the index comes out already times four.
INLINE uint32_t entry(base_t b, unsigned t, uint32_t w, unsigned row) {
  const uint32_t offset = row == 0 ? (w << 2) & 0x3fcu : (w >> (8 * row - 2)) & 0x3fcu;
  return *(const word_t *)(b + offset + ((int)t * 1024 - MIDDLE));
}

INLINE uint32_t rol(uint32_t w, unsigned n) { return w << n | w >> (32 - n); }

// One column: key word, and one byte from each of four columns.
INLINE uint32_t column(base_t b, uint32_t k, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
#if TABLES == 4
  return k ^ entry(b, 0, w0, 0) ^ entry(b, 1, w1, 1) ^ entry(b, 2, w2, 2) ^ entry(b, 3, w3, 3);
#elif TABLES == 2
  const uint32_t high = entry(b, 0, w2, 2) ^ entry(b, 1, w3, 3);
  return k ^ entry(b, 0, w0, 0) ^ entry(b, 1, w1, 1) ^ rol(high, 16);
#else
  uint32_t t = entry(b, 0, w3, 3);
  t = rol(t, 8) ^ entry(b, 0, w2, 2);
  t = rol(t, 8) ^ entry(b, 0, w1, 1);
  return k ^ rol(t, 8) ^ entry(b, 0, w0, 0);
#endif
}

// The same for the last round, which has no MixColumns.
INLINE uint32_t last(base_t box, uint32_t k, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
  return k ^ box[w0 & 0xff] ^ (uint32_t)box[(w1 >> 8) & 0xff] << 8 ^
         (uint32_t)box[(w2 >> 16) & 0xff] << 16 ^ (uint32_t)box[w3 >> 24] << 24;
}

typedef struct {
  uint32_t w0, w1, w2, w3;
} state_t;

// ShiftRows takes row r of output column j from column j + r, its inverse from column j - r.
INLINE state_t round_of(base_t b, const uint32_t *k, state_t s, int inverse) {
  const uint32_t w0 = s.w0, w1 = s.w1, w2 = s.w2, w3 = s.w3;
  if (inverse)
    return (state_t){column(b, k[0], w0, w3, w2, w1), column(b, k[1], w1, w0, w3, w2),
                     column(b, k[2], w2, w1, w0, w3), column(b, k[3], w3, w2, w1, w0)};
  return (state_t){column(b, k[0], w0, w1, w2, w3), column(b, k[1], w1, w2, w3, w0),
                   column(b, k[2], w2, w3, w0, w1), column(b, k[3], w3, w0, w1, w2)};
}

INLINE void last_round(base_t box, const uint32_t *k, state_t s, word_t *out, int inverse) {
  const uint32_t w0 = s.w0, w1 = s.w1, w2 = s.w2, w3 = s.w3;
  out[0] = inverse ? last(box, k[0], w0, w3, w2, w1) : last(box, k[0], w0, w1, w2, w3);
  out[1] = inverse ? last(box, k[1], w1, w0, w3, w2) : last(box, k[1], w1, w2, w3, w0);
  out[2] = inverse ? last(box, k[2], w2, w1, w0, w3) : last(box, k[2], w2, w3, w0, w1);
  out[3] = inverse ? last(box, k[3], w3, w2, w1, w0) : last(box, k[3], w3, w0, w1, w2);
}

INLINE void crypt(const aes_key_t *key, base_t b, base_t box, const uint8_t *in, uint8_t *out,
                  size_t nblocks, int inverse) {
  const uint32_t *const end = key->rk + 4 * key->rounds;
  const uint8_t *const stop = in + 16 * nblocks;
  for (; in != stop; in += 16, out += 16) {
    const word_t *const src = (const word_t *)in;
    const uint32_t *k = key->rk;
    state_t s = {src[0] ^ k[0], src[1] ^ k[1], src[2] ^ k[2], src[3] ^ k[3]};
    // An even number of rounds: two an iteration, the last pair has no MixColumns at its end.
    state_t t = round_of(b, k + 4, s, inverse);
    for (k += 8; k != end; k += 8) {
      s = round_of(b, k, t, inverse);
      t = round_of(b, k + 4, s, inverse);
    }
    last_round(box, k, t, (word_t *)out, inverse);
  }
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(k, middle(te), opaque(sbox), in, out, nblocks, 0);
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(k, middle(td), opaque(inv_sbox), in, out, nblocks, 1);
  return AES_OK;
}

INLINE uint32_t sub_word(base_t box, uint32_t w) { return last(box, 0, w, w, w, w); }

// FIPS 197, section 5.2, nk words at a time; the last group may be cut short.
INLINE void expand(uint32_t *w, const word_t *key, base_t box, unsigned nk) {
  const uint32_t *const end = w + 4 * (nk + 7);
  uint32_t last_word = 0;
  for (unsigned i = 0; i < nk; i++) w[i] = last_word = key[i];
  for (uint32_t rcon = 1;; rcon = X2(rcon)) {
    // RotWord moves byte 0, the least significant one, to the top.
    uint32_t t = w[0] ^ sub_word(box, rol(last_word, 24)) ^ rcon;
    w[nk] = t;
    w[nk + 1] = t ^= w[1];
    w[nk + 2] = t ^= w[2];
    w[nk + 3] = t ^= w[3];
    if (w + nk + 4 == end) return;
    if (nk == 8) t = sub_word(box, t);
    for (unsigned i = 4; i < nk; i++) w[nk + i] = t ^= w[i];
    last_word = t;
    w += nk;
  }
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *const src = (const word_t *)key;
  const base_t box = opaque(sbox);
  if (key_bits == 128) {
    expand(k->rk, src, box, 4);
  } else if (key_bits == 192) {
    expand(k->rk, src, box, 6);
  } else if (key_bits == 256) {
    expand(k->rk, src, box, 8);
  } else {
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  }
  k->rounds = key_bits / 32 + 6;
  forget_registers();
  return AES_OK;
}

// Times 02 in each byte; a byte whose top bit is set gets a mask of ones below it.
INLINE uint32_t times2(uint32_t w) {
  const uint32_t high = w & 0x80808080u;
  return ((w ^ high) << 1) ^ ((high - (high >> 7)) & 0x1b1b1b1bu);
}

// InvMixColumns of one word without tables, which hold the S-box as well: MixColumns after 04 times
// the sum of a byte and the one opposite has been added to both,
// {0e,0b,0d,09} = {02,03,01,01}{05,00,04,00}.
INLINE uint32_t inv_mix(uint32_t w) {
  w ^= times2(times2(w ^ rol(w, 16)));
  const uint32_t next = rol(w, 24);
  const uint32_t pair = w ^ next;
  return times2(pair) ^ next ^ rol(pair, 16);
}

// The equivalent inverse cipher: keys in reverse order, InvMixColumns on all but the outer two.
int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const int status = aes_set_encrypt_key(k, key, key_bits);
  if (status != AES_OK) return status;
  uint32_t *low = k->rk;
  uint32_t *high = low + 4 * k->rounds;
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t t = low[i];
    low[i] = high[i];
    high[i] = t;
  }
  // rounds is even: the middle key meets itself.
  for (low += 4, high -= 4; low != high; low += 4, high -= 4) {
    for (unsigned i = 0; i < 4; i++) {
      const uint32_t t = inv_mix(low[i]);
      low[i] = inv_mix(high[i]);
      high[i] = t;
    }
  }
  for (unsigned i = 0; i < 4; i++) low[i] = inv_mix(low[i]);
  forget_registers();
  return AES_OK;
}
