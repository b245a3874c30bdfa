// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 in C with the S-box in a table of 256 bytes: what the unit is compared with, and
// the same with the unit's MixColumns (UNIMAC_MIX), which may add the round key in the accumulator
// (UNIMAC_MACS). Round keys are made beforehand, or while they are used.
// Source: FIPS 197, sections 5.1 to 5.3; S. Tillich, J. Grossschaedl, "VLSI Implementation of a
// Functional Unit to Accelerate ECC and AES on 32-bit Processors" (2007), section 6.2 (what is
// compared there).
//
// NOT CONSTANT-TIME where data is cached: the table is looked up at addresses that depend on key
// and data. Decryption has the key in front of InvMixColumns, so that both directions share one
// schedule.
#include "kernels.h"
#if UNIMAC_KERNEL == UNIMAC_SOFT || UNIMAC_KERNEL == UNIMAC_SOFT_OTF

#ifdef UNIMAC_MIX
#include "accel_ops.h"
#endif
#include "aes_in_registers.h"
#include "aes_sbox_values.h"

#define VALUE(x) x
#define LINES __attribute__((aligned(64)))
static const uint8_t sbox[256] LINES = {AES_SBOX_VALUES(VALUE)};
static const uint8_t inv_sbox[256] LINES = {AES_INV_SBOX_VALUES(VALUE)};

// ---- columns; row r of a column is in bits 8r+7..8r of its word ---------------------------------

// One address register for a table: the compiler would make the address again for every use.
INLINE const uint8_t *box_of(const int dec) {
  const uint8_t *box = dec ? inv_sbox : sbox;
  __asm__("" : "+r"(box));
  return box;
}

INLINE uint32_t ror(uint32_t w, unsigned n) { return w >> n | w << (32 - n); }

// Row r of the result is the table's value for row r of word r.
INLINE uint32_t look_up(const uint8_t *box, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
  return box[w0 & 0xff] | (uint32_t)box[(w1 >> 8) & 0xff] << 8 |
         (uint32_t)box[(w2 >> 16) & 0xff] << 16 | (uint32_t)box[w3 >> 24] << 24;
}

// With UNIMAC_MACS, columns are mixed in the accumulator.
#if defined UNIMAC_MIX && !defined UNIMAC_MACS

INLINE uint32_t mix(const int dec, uint32_t w) {
  return dec ? um_imcmuls(w, w) : um_mcmuls(w, w);
}

#elif !defined UNIMAC_MIX

// Times 02 in each byte: a byte whose top bit is set gets ones below it, and of these 1b.
INLINE uint32_t times2(uint32_t w) {
  const uint32_t high = w & 0x80808080u;
  return ((w ^ high) << 1) ^ ((high - (high >> 7)) & 0x1b1b1b1bu);
}

// MixColumns; the inverse is the same after 04 times the sum of a byte and the one opposite has
// been added to both: {0e,0b,0d,09} = {02,03,01,01} {05,00,04,00}.
INLINE uint32_t mix(const int dec, uint32_t w) {
  if (dec) w ^= times2(times2(w ^ ror(w, 16)));
  const uint32_t next = ror(w, 8);
  const uint32_t pair = w ^ next;
  return times2(pair) ^ next ^ ror(pair, 16);
}

#endif

typedef struct {
  uint32_t w0, w1, w2, w3;
} state_t;

// ShiftRows takes row r of output column j from column j + r, its inverse from column j - r.
INLINE state_t substituted(const int dec, const uint8_t *box, state_t s) {
  const uint32_t w0 = s.w0, w1 = s.w1, w2 = s.w2, w3 = s.w3;
  if (dec)
    return (state_t){look_up(box, w0, w3, w2, w1), look_up(box, w1, w0, w3, w2),
                     look_up(box, w2, w1, w0, w3), look_up(box, w3, w2, w1, w0)};
  return (state_t){look_up(box, w0, w1, w2, w3), look_up(box, w1, w2, w3, w0),
                   look_up(box, w2, w3, w0, w1), look_up(box, w3, w0, w1, w2)};
}

INLINE state_t plus(state_t s, uint32_t k0, uint32_t k1, uint32_t k2, uint32_t k3) {
  return (state_t){s.w0 ^ k0, s.w1 ^ k1, s.w2 ^ k2, s.w3 ^ k3};
}

#ifdef UNIMAC_MACS

// The accumulator's lowest word is zero between columns of a decryption: see clear_sum().
INLINE uint32_t mixed_and_added(const int dec, uint32_t w, uint32_t k) {
  if (dec) {  // InvMixColumns is linear: the sum of both results is that of the sum
    (void)um_imcmacs(w, w);
    (void)um_imcmacs(k, k);
  } else {
    (void)um_shin(k, 0);
    (void)um_mcmacs(w, w);
  }
  return um_shacr(0, 0);
}

INLINE void clear_sum(void) { (void)um_mulu(0, 0); }

INLINE state_t middle(const int dec, const uint8_t *box, state_t s, uint32_t k0, uint32_t k1,
                      uint32_t k2, uint32_t k3) {
  s = substituted(dec, box, s);
  return (state_t){mixed_and_added(dec, s.w0, k0), mixed_and_added(dec, s.w1, k1),
                   mixed_and_added(dec, s.w2, k2), mixed_and_added(dec, s.w3, k3)};
}

#else

INLINE void clear_sum(void) {}

INLINE state_t mixed(const int dec, state_t s) {
  return (state_t){mix(dec, s.w0), mix(dec, s.w1), mix(dec, s.w2), mix(dec, s.w3)};
}

INLINE state_t middle(const int dec, const uint8_t *box, state_t s, uint32_t k0, uint32_t k1,
                      uint32_t k2, uint32_t k3) {
  s = substituted(dec, box, s);
  return dec ? mixed(dec, plus(s, k0, k1, k2, k3)) : plus(mixed(dec, s), k0, k1, k2, k3);
}

#endif

INLINE state_t last(const int dec, const uint8_t *box, state_t s, uint32_t k0, uint32_t k1,
                    uint32_t k2, uint32_t k3) {
  return plus(substituted(dec, box, s), k0, k1, k2, k3);
}

INLINE state_t loaded(const word_t *in) { return (state_t){in[0], in[1], in[2], in[3]}; }

INLINE void store(state_t s, word_t *out) {
  out[0] = s.w0, out[1] = s.w1, out[2] = s.w2, out[3] = s.w3;
}

static __attribute__((noinline)) uint32_t sub_word(uint32_t x) {
  return look_up(sbox, x, x, x, x);
}
#define SUB_WORD(x) sub_word(x)
#define SUB_ROT(x, y) ((y) ^ sub_word(ror(x, 8)))

#if UNIMAC_KERNEL == UNIMAC_SOFT

// ---- round keys made beforehand -----------------------------------------------------------------

#define FOUR(p) (p)[0], (p)[1], (p)[2], (p)[3]

INLINE void crypt(const int dec, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                  size_t nblocks) {
  const uint8_t *const box = box_of(dec);
  const int next = dec ? -4 : 4;
  const uint32_t *const first = k->rk + (dec ? 4 * k->rounds : 0);
  const uint32_t *const end = k->rk + (dec ? 0 : 4 * k->rounds);

  clear_sum();
  for (const uint8_t *const stop = in + 16 * nblocks; in != stop; in += 16, out += 16) {
    const uint32_t *rk = first;
    state_t s = plus(loaded((const word_t *)in), FOUR(rk));
    for (rk += next; rk != end; rk += next) s = middle(dec, box, s, FOUR(rk));
    store(last(dec, box, s, FOUR(rk)), (word_t *)out);
  }
}

// FIPS 197, section 5.2, nk words at a time; the last step has four.
int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *from = (const word_t *)key;
  const unsigned nk = key_bits / 32;
  uint32_t *w = k->rk;
  uint32_t constant = 1, x = 0;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = nk + 6;
  const uint32_t *const end = w + 4 * nk + 28;
  for (unsigned i = 0; i < nk; i++) w[i] = x = from[i];
  for (;;) {
    w[nk] = x = SUB_ROT(x, w[0]) ^ constant;
    w[nk + 1] = x ^= w[1];
    w[nk + 2] = x ^= w[2];
    w[nk + 3] = x ^= w[3];
    if (w + nk + 4 == end) break;
    if (nk == 8) x = SUB_WORD(x);
    for (unsigned i = 4; i < nk; i++) w[nk + i] = x ^= w[i];
    constant = (constant << 1) ^ ((constant >> 7) * 0x11bu);
    w += nk;
  }
  forget_registers();
  return AES_OK;
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return aes_set_encrypt_key(k, key, key_bits);
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(0, k, in, out, nblocks);
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(1, k, in, out, nblocks);
  return AES_OK;
}

#else

// ---- round keys made while they are used --------------------------------------------------------

#include "walk.h"

// The walk needs more registers than there are: words of the key are in the frames of these
// functions when they return.
#define APART static __attribute__((noinline))

#define BELOW_WORDS 40u
#include "aes_wipe_below.h"

INLINE void crypt(const int dec, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                  size_t nblocks) {
  const uint8_t *const box = box_of(dec);
  const unsigned rounds = k->rounds;

  clear_sum();
  for (const uint8_t *const stop = in + 16 * nblocks; in != stop; in += 16, out += 16) {
    walk_t walk = start_of_walk(dec, k);
    round_key_t x = {walk.w0, walk.w1, walk.w2, walk.w3};
    state_t s = plus(loaded((const word_t *)in), x.k0, x.k1, x.k2, x.k3);
    for (unsigned round = rounds;;) {
      x = dec ? previous_key(&walk, rounds) : next_key(&walk, rounds);
      if (--round == 0) break;
      s = middle(dec, box, s, x.k0, x.k1, x.k2, x.k3);
    }
    store(last(dec, box, s, x.k0, x.k1, x.k2, x.k3), (word_t *)out);
  }
}

APART void encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(0, k, in, out, nblocks);
}

APART void decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(1, k, in, out, nblocks);
}

APART int set_last_words(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return set_key(1, k, key, key_bits);
}

FORGETS int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return FORGOTTEN(set_key(0, k, key, key_bits));
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const int status = set_last_words(k, key, key_bits);
  (void)wiped_below();
  return forgetting(status);
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  encrypt(k, in, out, nblocks);
  return wiped_below();
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  decrypt(k, in, out, nblocks);
  return wiped_below();
}

#endif

#endif
