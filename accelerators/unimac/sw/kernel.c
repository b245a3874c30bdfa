// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 on the S-box and MixColumns operations, round keys made beforehand.
// Source: FIPS 197, sections 5.1, 5.2 and 5.3.5; columns.h for the rounds.
//
// Two blocks at a time share the loads of the round keys; a single one, or the one that is left
// over, goes alone. UNIMAC_COMPACT: one block at a time, a round in a loop, small code.
#include "kernels.h"
#if UNIMAC_KERNEL == UNIMAC_UNIT

#include "columns.h"

#define NEXT(dec) ((dec) ? -4 : 4)  // from a round key to the next one to be used, in words

// ---- one block ----------------------------------------------------------------------------------

// Three registers are enough for a key.
#define ADD_KEY(dec, b, t, rk, i)                      \
  k0 = LOAD(rk, (i)*NEXT(dec) + AT(dec, 0));           \
  k1 = LOAD(rk, (i)*NEXT(dec) + AT(dec, 1));           \
  k2 = LOAD(rk, (i)*NEXT(dec) + AT(dec, 2));           \
  b##0 ^= k0;                                          \
  k0 = LOAD(rk, (i)*NEXT(dec) + AT(dec, 3));           \
  b##1 = t ^ k1, b##2 ^= k2, b##3 ^= k0

#define ROUND(OP, dec, rk, i) \
  SUB(dec, a, t);             \
  COLUMNS(OP, dec, a, t);     \
  ADD_KEY(dec, a, t, rk, i)

#ifdef UNIMAC_COMPACT
#define LOOPED(rounds) ((rounds)-1)
#define IN_A_ROW(dec, rk) ROUND(join, dec, rk, 1)
#else
// Rounds that AES-128 does not have go by in a loop; its ten stand in a row.
#define LOOPED(rounds) ((rounds)-10)
#define IN_A_ROW(dec, rk)  \
  ROUND(mix, dec, rk, 1);  \
  ROUND(mix, dec, rk, 2);  \
  ROUND(mix, dec, rk, 3);  \
  ROUND(mix, dec, rk, 4);  \
  ROUND(mix, dec, rk, 5);  \
  ROUND(mix, dec, rk, 6);  \
  ROUND(mix, dec, rk, 7);  \
  ROUND(mix, dec, rk, 8);  \
  ROUND(mix, dec, rk, 9);  \
  ROUND(join, dec, rk, 10)
#endif

// Blocks up to `stop`, at least one. `first` is the key in front of all rounds, `tail` the one in
// front of those in a row.
INLINE void singly(const int dec, const uint32_t *first, const uint32_t *tail, const word_t *in,
                   word_t *out, const word_t *stop) {
  uint32_t a0, a1, a2, a3, k0, k1, k2, t;

  do {
    const uint32_t *rk = first;
    LOAD_BLOCK(dec, a, in, 0);
    t = a1;
    ADD_KEY(dec, a, t, rk, 0);
    while (rk != tail) {
      SUB(dec, a, t);
      COLUMNS(mix, dec, a, t);
      rk += NEXT(dec);
      ADD_KEY(dec, a, t, rk, 0);
    }
    IN_A_ROW(dec, rk);
    STORE_BLOCK(dec, a, out, 0);
    in += 4;
    out += 4;
  } while (in != stop);
}

// ---- two blocks ---------------------------------------------------------------------------------

#ifndef UNIMAC_COMPACT

#define ADD_KEY_2(dec, rk, i)                \
  k0 = LOAD(rk, (i)*NEXT(dec) + AT(dec, 0)); \
  k1 = LOAD(rk, (i)*NEXT(dec) + AT(dec, 1)); \
  k2 = LOAD(rk, (i)*NEXT(dec) + AT(dec, 2)); \
  k3 = LOAD(rk, (i)*NEXT(dec) + AT(dec, 3)); \
  ADD(a, t, k0, k1, k2, k3);                 \
  ADD(b, u, k0, k1, k2, k3)

#define ROUND_2(OP, dec, rk, i) \
  SUB(dec, a, t);               \
  COLUMNS(OP, dec, a, t);       \
  SUB(dec, b, u);               \
  COLUMNS(OP, dec, b, u);       \
  ADD_KEY_2(dec, rk, i)

// Pairs of blocks up to `stop`, at least one.
INLINE void by_two(const int dec, const uint32_t *first, const uint32_t *tail, const word_t *in,
                   word_t *out, const word_t *stop) {
  uint32_t a0, a1, a2, a3, b0, b1, b2, b3, k0, k1, k2, k3, t, u;

  do {
    const uint32_t *rk = first;
    LOAD_BLOCK(dec, a, in, 0);
    LOAD_BLOCK(dec, b, in, 4);
    t = a1, u = b1;
    ADD_KEY_2(dec, rk, 0);
    while (rk != tail) {
      ROUND_2(mix, dec, rk, 1);
      rk += NEXT(dec);
    }
    ROUND_2(mix, dec, rk, 1);
    ROUND_2(mix, dec, rk, 2);
    ROUND_2(mix, dec, rk, 3);
    ROUND_2(mix, dec, rk, 4);
    ROUND_2(mix, dec, rk, 5);
    ROUND_2(mix, dec, rk, 6);
    ROUND_2(mix, dec, rk, 7);
    ROUND_2(mix, dec, rk, 8);
    ROUND_2(mix, dec, rk, 9);
    ROUND_2(join, dec, rk, 10);
    STORE_BLOCK(dec, a, out, 0);
    STORE_BLOCK(dec, b, out, 4);
    in += 8;
    out += 8;
  } while (in != stop);
}

#endif

INLINE void crypt(const int dec, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                  size_t nblocks) {
  const uint32_t *const first = k->rk + (dec ? 4 * k->rounds : 0);
  const uint32_t *const tail =
      k->rk + 4 * (dec ? k->rounds - LOOPED(k->rounds) : LOOPED(k->rounds));
  const word_t *from = (const word_t *)in;
  word_t *to = (word_t *)out;

#ifndef UNIMAC_COMPACT
  if (nblocks & 1u) {
    singly(dec, first, tail, from, to, from + 4);
    from += 4, to += 4, nblocks--;
  }
  if (nblocks) by_two(dec, first, tail, from, to, from + 4 * nblocks);
#else
  if (nblocks) singly(dec, first, tail, from, to, from + 4 * nblocks);
#endif
}

void aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(0, k, in, out, nblocks);
}

// ---- key expansion (FIPS 197, section 5.2) ------------------------------------------------------

// Round keys for encryption, or those of the equivalent inverse cipher in the same order: all but
// the first and the last through InvMixColumns.
#ifdef UNIMAC_COMPACT

INLINE int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *from = (const word_t *)key;
  const unsigned nk = key_bits / 32;
  uint32_t *w = k->rk, *middle = w + 4;
  uint32_t constant = 1, x = 0;
  unsigned i = 0;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256) return AES_ERR_KEY_LENGTH;
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

// The words of a step as they are stored: rk[i].
INLINE uint32_t stored(const int dec, uint32_t w) { return dec ? um_imcmuls(w, w) : w; }

static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

#define STORE_4(dec, i, x0, x1, x2, x3)                                                 \
  t0 = stored(dec, x0), t1 = stored(dec, x1), t2 = stored(dec, x2), t3 = stored(dec, x3); \
  rk[i] = t0, rk[(i) + 1] = t1, rk[(i) + 2] = t2, rk[(i) + 3] = t3

// w0 to w3 of a step, whose SubWord is of `from`; the last ones are not transformed.
#define STEP(dec, from)                       \
  w0 = um_sboxk(from, w0);                    \
  t0 = *constant++;                           \
  rk += nk;                                   \
  w0 ^= t0, w1 ^= w0, w2 ^= w1, w3 ^= w2;     \
  if (rk == end) break;                       \
  STORE_4(dec, 0, w0, w1, w2, w3)

INLINE int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *words = (const word_t *)key;
  const uint8_t *constant = rcon;
  uint32_t *rk = k->rk;
  uint32_t w0, w1, w2, w3, w4, w5, w6, w7, t0, t1, t2, t3;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256) return AES_ERR_KEY_LENGTH;
  k->rounds = key_bits / 32 + 6;
  const uint32_t *const end = k->rk + 4 * k->rounds;  // the last round's key

  w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3];
  STORE_4(0, 0, w0, w1, w2, w3);
  if (key_bits == 128) {
    enum { nk = 4 };
    for (;;) {
      STEP(dec, w3);
    }
  } else if (key_bits == 192) {
    enum { nk = 6 };
    w4 = words[4], w5 = words[5];
    for (;;) {
      t0 = stored(dec, w4), t1 = stored(dec, w5);
      rk[4] = t0, rk[5] = t1;
      STEP(dec, w5);
      w4 ^= w3, w5 ^= w4;
    }
  } else {
    enum { nk = 8 };
    w4 = words[4], w5 = words[5], w6 = words[6], w7 = words[7];
    for (;;) {
      STORE_4(dec, 4, w4, w5, w6, w7);
      STEP(dec, w7);
      t0 = um_sbox4(w3, w3);
      w4 ^= t0, w5 ^= w4, w6 ^= w5, w7 ^= w6;
    }
  }
  STORE_4(0, 0, w0, w1, w2, w3);
  return AES_OK;
}

#endif

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return expand(0, k, key, key_bits);
}

#ifdef UNIMAC_ENCRYPT_ONLY

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  (void)k, (void)key, (void)key_bits;
  return AES_ERR_UNSUPPORTED;
}

void aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  (void)k, (void)in, (void)out, (void)nblocks;
}

#else

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return expand(1, k, key, key_bits);
}

void aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(1, k, in, out, nblocks);
}

#endif

#endif
