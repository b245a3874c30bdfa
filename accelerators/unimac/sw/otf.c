// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 on the S-box and MixColumns operations, round keys made while they are used: an
// expanded key is the key (encryption) or the last words of its schedule (decryption).
// Source: FIPS 197, sections 5.1 to 5.3; columns.h for the rounds, walk.h for the keys.
//
// Decryption is the inverse cipher of FIPS 197, section 5.3, with the key in front of
// InvMixColumns: then no key goes through it. The key is added to the halves of columns that the
// S-box operation leaves, packed like them: one operation a word.
#include "kernels.h"
#if UNIMAC_KERNEL == UNIMAC_UNIT_OTF

#include "aes_fused.h"
#include "columns.h"
#include "aes_forget_registers.h"

#define SUB_ROT(x, y) um_sboxk(x, y)
#define SUB_WORD(x) um_sbox4(x, x)
#include "walk.h"

// Keys are columns 0 to 3; in decryption variables 1 and 3 hold columns 3 and 1.
#define ADD_COLUMNS(dec, x0, x1, x2, x3) ADD(a, t, x0, (dec) ? x3 : x1, x2, (dec) ? x1 : x3)

#define START(dec, x0, x1, x2, x3) \
  t = a1;                          \
  ADD_COLUMNS(dec, x0, x1, x2, x3)

// The part of a middle round before its key, and the part after it.
#define BEGIN(dec)           \
  SUB(dec, a, t);            \
  if (!(dec)) {              \
    COLUMNS(mix, dec, a, t); \
  }

#define MIDDLE(dec, x0, x1, x2, x3)        \
  if (!(dec)) {                            \
    ADD_COLUMNS(dec, x0, x1, x2, x3);      \
  } else {                                 \
    u0 = um_pack(x2, x0);                  \
    u1 = um_pack(x1, x3);                  \
    u2 = um_pack(x0, x2);                  \
    u3 = um_pack(x3, x1);                  \
    t ^= u0, a1 ^= u1, a2 ^= u2, a3 ^= u3; \
    COLUMNS(mix, dec, a, t);               \
    a1 = t;                                \
  }

#define LAST(dec, x0, x1, x2, x3) \
  COLUMNS(join, dec, a, t);       \
  ADD_COLUMNS(dec, x0, x1, x2, x3)

#ifdef UNIMAC_COMPACT

// ---- small: one loop for all keys ---------------------------------------------------------------

INLINE int crypt(const int dec, const aes_key_t *k, const word_t *in, word_t *out,
                 size_t nblocks) {
  const word_t *const stop = in + 4 * nblocks;
  uint32_t a0, a1, a2, a3, t, u0, u1, u2, u3;

  (void)u0, (void)u1, (void)u2, (void)u3;
  for (; in != stop; in += 4, out += 4) {
    walk_t walk = start_of_walk(dec, k);
    round_key_t x;
    LOAD_BLOCK(dec, a, in, 0);
    START(dec, walk.w0, walk.w1, walk.w2, walk.w3);
    for (unsigned round = k->rounds;;) {
      x = dec ? previous_key(&walk, k->rounds) : next_key(&walk, k->rounds);
      if (--round == 0) break;
      BEGIN(dec);
      MIDDLE(dec, x.k0, x.k1, x.k2, x.k3);
    }
    SUB(dec, a, t);
    LAST(dec, x.k0, x.k1, x.k2, x.k3);
    STORE_BLOCK(dec, a, out, 0);
  }
  return AES_OK;
}

#else

// ---- fast: AES-128 with all rounds in a row, AES-192 and AES-256 with a group of words a loop ---
//
// The same walks as in walk.h; the substitution is before a round, its use after it.
//
// One block after the other, at least one, in the modes of aes_fused.h: from the one at `in` up to
// `stop`, in CBC decryption down to the one at `low`. `chain` is the counter, the last block of CBC
// encryption or the IV of CBC decryption.
#define TEXT                                                                               \
  const word_t *in, word_t *out, const word_t *stop, const word_t *low, word_t *chain

#define BEGIN_BLOCKS(mode, dec)               \
  if ((mode) == FUSED_CTR) {                  \
    c0 = LOAD(chain, 0), c1 = LOAD(chain, 1); \
    c2 = LOAD(chain, 2), c3 = LOAD(chain, 3); \
  } else if ((mode) == FUSED_CBC_ENCRYPT) {   \
    LOAD_BLOCK(dec, a, chain, 0);             \
  }

#define TAKE_BLOCK(mode, dec)               \
  if ((mode) == FUSED_CTR) {                \
    a0 = c0, a1 = c1, a2 = c2, a3 = c3;     \
    c3 += FUSED_NEXT;                       \
  } else if ((mode) == FUSED_CBC_ENCRYPT) { \
    RESULT(a);                              \
    ADD_TEXT(dec, a, in, 0);                \
  } else {                                  \
    LOAD_BLOCK(dec, a, in, 0);              \
  }

// The result; after the last one, the end of the function.
#define GIVE_BLOCK(mode, dec)                      \
  if ((mode) == FUSED_CTR) {                       \
    RESULT(a);                                     \
    ADD_TEXT(dec, a, in, 0);                       \
  } else if ((mode) == FUSED_CBC_DECRYPT) {        \
    RESULT(a);                                     \
    if (in == low) {                               \
      ADD_TEXT(dec, a, chain, 0);                  \
      STORE_BLOCK(dec, a, out, 0);                 \
      return;                                      \
    }                                              \
    ADD_TEXT(dec, a, in, -4);                      \
  }                                                \
  STORE_BLOCK(dec, a, out, 0);                     \
  in += STEP_OF(mode, 1);                          \
  out += STEP_OF(mode, 1);                         \
  if ((mode) != FUSED_CBC_DECRYPT && in == stop) { \
    if ((mode) == FUSED_CTR) {                     \
      chain[3] = c3;                               \
    } else if ((mode) == FUSED_CBC_ENCRYPT) {      \
      STORE_BLOCK(dec, a, chain, 0);               \
    }                                              \
    return;                                        \
  }

#define ENCRYPT_128(constant)                             \
  w0 = um_sboxk(w3, w0);                                  \
  BEGIN(0);                                               \
  w0 ^= (constant), w1 ^= w0, w2 ^= w1, w3 ^= w2;         \
  MIDDLE(0, w0, w1, w2, w3)

#define DECRYPT_128(constant)                             \
  w3 ^= w2, w2 ^= w1, w1 ^= w0;                           \
  w0 = um_sboxk(w3, w0);                                  \
  BEGIN(1);                                               \
  w0 ^= (constant);                                       \
  MIDDLE(1, w0, w1, w2, w3)

INLINE void crypt_128(const int mode, const int dec, const volatile uint32_t *rk, TEXT) {
  uint32_t a0, a1, a2, a3, c0, c1, c2, c3, t, u0, u1, u2, u3, w0, w1, w2, w3;

  (void)u0, (void)u1, (void)u2, (void)u3;
  (void)c0, (void)c1, (void)c2, (void)c3, (void)low, (void)chain;
  BEGIN_BLOCKS(mode, dec);
  for (;;) {
    w0 = rk[0], w1 = rk[1], w2 = rk[2], w3 = rk[3];
    TAKE_BLOCK(mode, dec);
    START(dec, w0, w1, w2, w3);
    if (!dec) {
      ENCRYPT_128(0x01u);
      ENCRYPT_128(0x02u);
      ENCRYPT_128(0x04u);
      ENCRYPT_128(0x08u);
      ENCRYPT_128(0x10u);
      ENCRYPT_128(0x20u);
      ENCRYPT_128(0x40u);
      ENCRYPT_128(0x80u);
      ENCRYPT_128(0x1bu);
      w0 = um_sboxk(w3, w0);
      SUB(dec, a, t);
      w0 ^= 0x36u, w1 ^= w0, w2 ^= w1, w3 ^= w2;
    } else {
      DECRYPT_128(0x36u);
      DECRYPT_128(0x1bu);
      DECRYPT_128(0x80u);
      DECRYPT_128(0x40u);
      DECRYPT_128(0x20u);
      DECRYPT_128(0x10u);
      DECRYPT_128(0x08u);
      DECRYPT_128(0x04u);
      DECRYPT_128(0x02u);
      w3 ^= w2, w2 ^= w1, w1 ^= w0;
      w0 = um_sboxk(w3, w0);
      SUB(dec, a, t);
      w0 ^= 0x01u;
    }
    LAST(dec, w0, w1, w2, w3);
    GIVE_BLOCK(mode, dec);
  }
}

// Two steps are three rounds.
#define ENCRYPT_192                           \
  for (const uint8_t *c = rcon;;) {           \
    w0 = um_sboxk(w5, w0);                    \
    BEGIN(0);                                 \
    w0 ^= *c++, w1 ^= w0;                     \
    MIDDLE(0, w4, w5, w0, w1);                \
    BEGIN(0);                                 \
    w2 ^= w1, w3 ^= w2, w4 ^= w3, w5 ^= w4;   \
    MIDDLE(0, w2, w3, w4, w5);                \
    w0 = um_sboxk(w5, w0);                    \
    w0 ^= *c++, w1 ^= w0, w2 ^= w1, w3 ^= w2; \
    if (c == rcon + 8) break;                 \
    BEGIN(0);                                 \
    MIDDLE(0, w0, w1, w2, w3);                \
    w4 ^= w3, w5 ^= w4;                       \
  }                                           \
  SUB(0, a, t);                               \
  LAST(0, w0, w1, w2, w3)

// A step is two rounds.
#define ENCRYPT_256                                       \
  for (const uint8_t *c = rcon;;) {                       \
    w0 = um_sboxk(w7, w0);                                \
    BEGIN(0);                                             \
    MIDDLE(0, w4, w5, w6, w7);                            \
    w0 ^= *c++, w1 ^= w0, w2 ^= w1, w3 ^= w2;             \
    if (c == rcon + 7) break;                             \
    BEGIN(0);                                             \
    MIDDLE(0, w0, w1, w2, w3);                            \
    w4 ^= um_sbox4(w3, w3), w5 ^= w4, w6 ^= w5, w7 ^= w6; \
  }                                                       \
  SUB(0, a, t);                                           \
  LAST(0, w0, w1, w2, w3)

// Starts with the six words of the last step but two: w0 to w3 are the last round's key.
#define DECRYPT_192                     \
  for (const uint8_t *c = rcon + 8;;) { \
    w3 ^= w2, w2 ^= w1, w1 ^= w0;       \
    w0 = um_sboxk(w5, w0);              \
    BEGIN(1);                           \
    w0 ^= *--c;                         \
    MIDDLE(1, w2, w3, w4, w5);          \
    w5 ^= w4, w4 ^= w3;                 \
    BEGIN(1);                           \
    MIDDLE(1, w4, w5, w0, w1);          \
    w3 ^= w2, w2 ^= w1, w1 ^= w0;       \
    w0 = um_sboxk(w5, w0);              \
    w0 ^= *--c;                         \
    if (c == rcon) break;               \
    BEGIN(1);                           \
    MIDDLE(1, w0, w1, w2, w3);          \
    w5 ^= w4, w4 ^= w3;                 \
  }                                     \
  SUB(1, a, t);                         \
  LAST(1, w0, w1, w2, w3)

// Starts with w0 to w3 of the last step, which are the last round's key, and w4 to w7 of the one
// before.
#define DECRYPT_256                                       \
  for (const uint8_t *c = rcon + 7;;) {                   \
    w3 ^= w2, w2 ^= w1, w1 ^= w0;                         \
    w0 = um_sboxk(w7, w0);                                \
    BEGIN(1);                                             \
    w0 ^= *--c;                                           \
    MIDDLE(1, w4, w5, w6, w7);                            \
    if (c == rcon) break;                                 \
    BEGIN(1);                                             \
    MIDDLE(1, w0, w1, w2, w3);                            \
    w7 ^= w6, w6 ^= w5, w5 ^= w4, w4 ^= um_sbox4(w3, w3); \
  }                                                       \
  SUB(1, a, t);                                           \
  LAST(1, w0, w1, w2, w3)

INLINE void crypt_longer(const int mode, const int dec, const aes_key_t *k, TEXT) {
  const volatile uint32_t *rk = k->rk;
  uint32_t a0, a1, a2, a3, c0, c1, c2, c3, t, u0, u1, u2, u3, w0, w1, w2, w3, w4, w5, w6, w7;

  (void)u0, (void)u1, (void)u2, (void)u3;
  (void)c0, (void)c1, (void)c2, (void)c3, (void)low, (void)chain;
  BEGIN_BLOCKS(mode, dec);
  for (;;) {
    w0 = rk[0], w1 = rk[1], w2 = rk[2], w3 = rk[3], w4 = rk[4], w5 = rk[5];
    TAKE_BLOCK(mode, dec);
    START(dec, w0, w1, w2, w3);
    if (k->rounds == 12) {
      if (!dec) {
        ENCRYPT_192;
      } else {
        DECRYPT_192;
      }
    } else {
      w6 = rk[6], w7 = rk[7];
      if (!dec) {
        ENCRYPT_256;
      } else {
        DECRYPT_256;
      }
    }
    GIVE_BLOCK(mode, dec);
  }
}

// Out of line: AES-128 saves no register for them.
#define LONGER(name, mode, dec)                                                    \
  static __attribute__((noinline)) void name(const aes_key_t *k, TEXT) {           \
    crypt_longer(mode, dec, k, in, out, stop, low, chain);                         \
  }

LONGER(encrypt_longer, FUSED_ECB, 0)
LONGER(decrypt_longer, FUSED_ECB, 1)
LONGER(ctr_longer, FUSED_CTR, 0)
LONGER(cbc_encrypt_longer, FUSED_CBC_ENCRYPT, 0)
LONGER(cbc_decrypt_longer, FUSED_CBC_DECRYPT, 1)

#define CRYPT(name, mode, dec, k, ...)                     \
  do {                                                     \
    if (__builtin_expect((k)->rounds == 10, 1)) {          \
      crypt_128(mode, dec, (k)->rk, __VA_ARGS__);          \
    } else {                                               \
      name##_longer(k, __VA_ARGS__);                       \
    }                                                      \
    return AES_OK;                                         \
  } while (0)

INLINE int crypt(const int dec, const aes_key_t *k, const word_t *in, word_t *out,
                 size_t nblocks) {
  const word_t *const stop = in + 4 * nblocks;

  if (nblocks == 0) return AES_OK;
  if (dec) CRYPT(decrypt, FUSED_ECB, 1, k, in, out, stop, 0, 0);
  CRYPT(encrypt, FUSED_ECB, 0, k, in, out, stop, 0, 0);
}

INLINE int fused_ctr(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                     uint32_t *counter) {
  const word_t *const from = (const word_t *)in, *const stop = from + 4 * nblocks;

  CRYPT(ctr, FUSED_CTR, 0, k, from, (word_t *)out, stop, 0, (word_t *)counter);
}

INLINE int fused_cbc_encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                             uint32_t *chain) {
  const word_t *const from = (const word_t *)in, *const stop = from + 4 * nblocks;

  CRYPT(cbc_encrypt, FUSED_CBC_ENCRYPT, 0, k, from, (word_t *)out, stop, 0, (word_t *)chain);
}

INLINE int fused_cbc_decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                             uint32_t *chain) {
  const word_t *const from = (const word_t *)in, *const last = from + 4 * (nblocks - 1);
  word_t *const to = (word_t *)out + 4 * (nblocks - 1);

  CRYPT(cbc_decrypt, FUSED_CBC_DECRYPT, 1, k, last, to, 0, from, (word_t *)chain);
}

#include "aes_fused_entries.h"

#endif

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return crypt(0, k, (const word_t *)in, (word_t *)out, nblocks);
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return crypt(1, k, (const word_t *)in, (word_t *)out, nblocks);
}

FORGETS int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return FORGOTTEN(set_key(0, k, key, key_bits));
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return forgetting(set_key(1, k, key, key_bits));
}

#endif
