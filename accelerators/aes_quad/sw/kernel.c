// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 in quad packing: key set-up, and the blocks where operations are emulated. On the
// core the blocks are blocks.S; the order of the operations is schedule.h in both.
// Source: FIPS 197, sections 5.2 (key expansion) and 5.3.5 (equivalent inverse cipher); the packing
// from this accelerator's README.
#define ACCEL_OPS_VOLATILE  // the order below is deliberate
#include "accel_ops.h"
#include "aes_kernel.h"
#include "schedule.h"

typedef uint32_t __attribute__((may_alias)) word_t;  // words that are bytes to the caller

#define INLINE static inline __attribute__((always_inline))

// An operation without a round key.
#if defined(AESQ_KEYED)
#define NO_KEY 63
#define PLAIN(f, x, y) aesqk_##f(x, y, NO_KEY)
#elif defined(AESQ_THREE)
#define PLAIN(f, x, y) aesq3_##f(x, y, 0)
#else
#define PLAIN(f, x, y) aesq_##f(x, y)
#endif

// w ^ SubWord(RotWord(from)), w ^ SubWord(from)
#if defined(AESQ_THREE)
#define SUB_ROT_WORD(w, from) aesq3_ex(from, from, w)
#define SUB_WORD(w, from) aesq3_ey(from, from, w)
#else
#define SUB_ROT_WORD(w, from) ((w) ^ PLAIN(ex, from, from))
#define SUB_WORD(w, from) ((w) ^ PLAIN(ey, from, from))
#endif

// ---- round keys in the unit ----------------------------------------------------------------------

#if defined(AESQ_KEYED)

// The tag names the key in the unit; it is set before the words are loaded, so that code that
// interrupts the loading restores all of them. 0 names none.
INLINE uint32_t tag_of(const aes_key_t *k) { return (uint32_t)(uintptr_t)k; }

#define LOAD_ROUND(k, s)                      \
  do {                                        \
    (void)aesqk_load((k)->rk[(s) + 0], (s) + 0); \
    (void)aesqk_load((k)->rk[(s) + 1], (s) + 1); \
    (void)aesqk_load((k)->rk[(s) + 2], (s) + 2); \
    (void)aesqk_load((k)->rk[(s) + 3], (s) + 3); \
  } while (0)

static __attribute__((noinline)) void load_key(const aes_key_t *k) {
  (void)aesqk_begin(tag_of(k));
  LOAD_ROUND(k, AES_FIRST);
  if (k->rounds > 12) {
    LOAD_ROUND(k, AES_ROUND(0));
    LOAD_ROUND(k, AES_ROUND(1));
  }
  if (k->rounds > 10) {
    LOAD_ROUND(k, AES_ROUND(2));
    LOAD_ROUND(k, AES_ROUND(3));
  }
  LOAD_ROUND(k, AES_ROUND(4));
  LOAD_ROUND(k, AES_ROUND(5));
  LOAD_ROUND(k, AES_ROUND(6));
  LOAD_ROUND(k, AES_ROUND(7));
  LOAD_ROUND(k, AES_ROUND(8));
  LOAD_ROUND(k, AES_ROUND(9));
  LOAD_ROUND(k, AES_ROUND(10));
  LOAD_ROUND(k, AES_ROUND(11));
  LOAD_ROUND(k, AES_ROUND(12));
  LOAD_ROUND(k, AES_LAST);
}

INLINE void use_key(const aes_key_t *k) {
  if (aesqk_tag(0) != tag_of(k)) load_key(k);
}

INLINE void drop_key(const aes_key_t *k) {
  if (aesqk_tag(0) == tag_of(k)) (void)aesqk_begin(0);
}

void aes_unit_save(aes_unit_state_t *state) { state->word[0] = aesqk_tag(0); }

void aes_unit_restore(const aes_unit_state_t *state) {
  const aes_key_t *k = (const aes_key_t *)(uintptr_t)state->word[0];
  if (aesqk_tag(0) == state->word[0]) return;
  if (k) {
    load_key(k);
  } else {
    (void)aesqk_begin(0);
  }
}

#else

INLINE void drop_key(const aes_key_t *k) { (void)k; }

#endif

// ---- blocks --------------------------------------------------------------------------------------

void AESQ_ENCRYPT(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
void AESQ_DECRYPT(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);

#if defined(ACCEL_EMULATE)

#define OP2(f, z, x, y) z = aesq_##f(x, y);
#define OP3(f, z, x, y, k) z = aesq3_##f(x, y, k);
#define OPK(f, z, x, y, s) z = aesqk_##f(x, y, s);
#define KEY(k, s) k = key[s];
#define ADD(z, k) z ^= k;
#define GET(z, i) z = from[i];
#define PUT(z, i) to[i] = z;

// Words change their places, not all are used in all forms.
#define STATE                                                               \
  uint32_t A1, B1, C1, D1, A2, B2, C2, D2, A3, B3, C3, D3, A4, B4, C4, D4;  \
  uint32_t A5, B5, C5, D5, A6, B6, C6, D6, T, K0 = key[0], K1 = key[1], K2; \
  (void)K0, (void)K1, (void)K2

#define GROUP(N, ec, ea, ex, ey)                                        \
  do {                                                                  \
    LOAD_##N BACK_##N(pc, pa, AES_FIRST, AES_ROUND(4));                 \
    if (k->rounds > 12) {                                               \
      KEY(K0, AES_ROUND(0)) KEY(K1, AES_ROUND(0) + 1)                   \
      TWO_ROUNDS(FORTH_##N, BACK_##N, ec, ea, 0)                        \
    }                                                                   \
    if (k->rounds > 10) {                                               \
      KEY(K0, AES_ROUND(2)) KEY(K1, AES_ROUND(2) + 1)                   \
      TWO_ROUNDS(FORTH_##N, BACK_##N, ec, ea, 2)                        \
    }                                                                   \
    ROUNDS(FORTH_##N, BACK_##N, ec, ea, ex, ey) STORE_##N;              \
    from += 4 * N, to += 4 * N, nblocks -= N;                           \
  } while (0)

#define EMULATE(ec, ea, ex, ey)             \
  const uint32_t *const key = k->rk;        \
  const word_t *from = (const word_t *)in;  \
  word_t *to = (word_t *)out;               \
  STATE;                                    \
  while (nblocks >= 6) GROUP(6, ec, ea, ex, ey); \
  while (nblocks >= 1) GROUP(1, ec, ea, ex, ey)

#define FLIP 0
void AESQ_ENCRYPT(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  EMULATE(ec, ea, ex, ey);
}
#undef FLIP

#ifndef AES_ENCRYPT_ONLY
#define FLIP 1
void AESQ_DECRYPT(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  EMULATE(dc, da, dx, dy);
}
#undef FLIP
#endif

#endif

#ifdef AESQ_KEYED

void aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  use_key(k);
  aesq_encrypt(k, in, out, nblocks);
}

void aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  use_key(k);
  aesq_decrypt(k, in, out, nblocks);
}

#endif

// ---- key expansion (FIPS 197, section 5.2) ------------------------------------------------------

// Where a round key goes: the first one of the direction is packed as it is; those of the middle
// rounds are packed, in decryption through InvMixColumns; the last one's columns remain columns. In
// decryption the order is reversed, and x is the higher column of a pair.
enum { FIRST, MIDDLE, LAST };

INLINE void put_pair(const int dec, const int place, uint32_t *p, uint32_t w0, uint32_t w1) {
  const uint32_t x = dec ? w1 : w0, y = dec ? w0 : w1;
  if (place == LAST) {
    p[0] = x, p[1] = y;
#ifndef AES_ENCRYPT_ONLY
  } else if (dec && place == MIDDLE) {
    const uint32_t c = PLAIN(kc, x, y), a = PLAIN(ka, x, y);
    p[0] = c, p[1] = a;
#endif
  } else {
    const uint32_t c = PLAIN(pc, x, y), a = PLAIN(pa, x, y);
    p[0] = c, p[1] = a;
  }
}

#define PUT_ROUND(dec, place, p, w0, w1, w2, w3) \
  put_pair(dec, place, p, w0, w1), put_pair(dec, place, (p) + 2, w2, w3)

// Constants of the first byte; AES-128 uses ten of them, AES-192 eight, AES-256 seven.
static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

#define NEXT_4(from) \
  w0 ^= *constant++, w0 = SUB_ROT_WORD(w0, from), w1 ^= w0, w2 ^= w1, w3 ^= w2

INLINE int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *words = (const word_t *)key;
  const uint8_t *constant = rcon;
  const int next = dec ? -4 : 4;  // from one middle round's key to that of the following one
  uint32_t w0, w1, w2, w3, w4, w5, w6, w7;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256) return AES_ERR_KEY_LENGTH;
  drop_key(k);
  const uint32_t rounds = key_bits / 32 + 6;
  k->rounds = rounds;
  uint32_t *const start = k->rk + (dec ? AES_LAST : AES_FIRST);  // the cipher key's first four words
  uint32_t *const end = k->rk + (dec ? AES_FIRST : AES_LAST);    // the last four words
  uint32_t *p = k->rk + AES_LAST - (dec ? 4 : 4 * (rounds - 1));

  w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3];
  PUT_ROUND(dec, dec ? LAST : FIRST, start, w0, w1, w2, w3);
  if (key_bits == 128) {
    for (const uint8_t *const last = rcon + 9;;) {
      NEXT_4(w3);
      if (constant > last) break;
      PUT_ROUND(dec, MIDDLE, p, w0, w1, w2, w3);
      p += next;
    }
  } else if (key_bits == 192) {
    // Three round keys in two steps of six words.
    w4 = words[4], w5 = words[5];
    put_pair(dec, MIDDLE, p, w4, w5);
    for (const uint8_t *const last = rcon + 7;;) {
      NEXT_4(w5), w4 ^= w3, w5 ^= w4;
      put_pair(dec, MIDDLE, p + 2, w0, w1), p += next;
      PUT_ROUND(dec, MIDDLE, p, w2, w3, w4, w5), p += next;
      NEXT_4(w5);
      if (constant > last) break;
      PUT_ROUND(dec, MIDDLE, p, w0, w1, w2, w3), p += next;
      w4 ^= w3, w5 ^= w4;
      put_pair(dec, MIDDLE, p, w4, w5);
    }
  } else {
    w4 = words[4], w5 = words[5], w6 = words[6], w7 = words[7];
    for (const uint8_t *const last = rcon + 6;;) {
      PUT_ROUND(dec, MIDDLE, p, w4, w5, w6, w7), p += next;
      NEXT_4(w7);
      if (constant > last) break;
      PUT_ROUND(dec, MIDDLE, p, w0, w1, w2, w3), p += next;
      w4 = SUB_WORD(w4, w3), w5 ^= w4, w6 ^= w5, w7 ^= w6;
    }
  }
  PUT_ROUND(dec, dec ? FIRST : LAST, end, w0, w1, w2, w3);
  return AES_OK;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return expand(0, k, key, key_bits);
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

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return expand(1, k, key, key_bits);
}

#endif
