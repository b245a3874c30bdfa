// SPDX-License-Identifier: Apache-2.0
// Bitsliced AES, two blocks at a time: constant-time software for single blocks and chained modes.
// No table, no branch and no address depends on the key or the data.
// Source of the representation: A. Adomnicai and T. Peyrin, "Fixslicing AES-like Ciphers",
// TCHES 2021(1), section 3 (fully fixsliced). Source of the S-box: sbox.h.
//
// The state is eight words, one for each bit of a byte; byte r of a word is row r, and in it bit
// 2 c + k belongs to column c of block k. ShiftRows is never done: after j of them (modulo 4), the
// byte of column c, row r is still in column c + j r, and MixColumns finds the next row j columns
// further on. The round keys are moved in the same way when they are made.
// The constant 63 of the S-box is in the round keys, so one schedule serves both directions.
#ifdef FIXSLICE_PAIR

#include "slices.h"

#if AES_KEY_WORDS < 120
#error "a round key is 8 words, and there are up to 15"
#endif

#define STATE_WORDS 8u
#define GROUP 2u  // blocks

// Each byte to the right by n bits.
INLINE uint32_t ror_bytes(uint32_t w, unsigned n) {
  const uint32_t low = 0x01010101u * ((1u << n) - 1);  // the bits that go round
  return n == 0 ? w : ((w >> n) & ~(low << (8 - n))) | (w & low) << (8 - n);
}

// The next row, j columns further on; and the one after that.
INLINE uint32_t next_row(uint32_t w, unsigned j) { return ror(ror_bytes(w, 2 * j), 8); }
INLINE uint32_t opposite_row(uint32_t w, unsigned j) { return ror(ror_bytes(w, 4 * j & 7), 16); }

// MixColumns: out = 02 (a + next a) + next a + opposite (a + next a). 02 moves bits up by one and
// folds bit 7 into bits 0, 1, 3 and 4.
INLINE void mix_columns(uint32_t x[8], unsigned j) {
  uint32_t next = next_row(x[7], j);
  uint32_t t = x[7] ^ next;
  const uint32_t top = t;
#define STEP(b)                                             \
  {                                                         \
    const uint32_t n = next_row(x[b == 0 ? 0 : b - 1], j);  \
    const uint32_t below = x[b == 0 ? 0 : b - 1] ^ n;       \
    x[b] = next ^ opposite_row(t, j);                       \
    if (b != 0) x[b] ^= below;                              \
    if (b == 0 || b == 1 || b == 3 || b == 4) x[b] ^= top;  \
    next = n;                                               \
    t = below;                                              \
  }
  STEP(7) STEP(6) STEP(5) STEP(4) STEP(3) STEP(2) STEP(1) STEP(0)
#undef STEP
}

// Inverse MixColumns: 04 times the sum of a row and the one opposite added to both, then
// MixColumns. 04 moves bits up by two; x^8 = x^4 + x^3 + x + 1, x^9 = x^5 + x^4 + x^2 + x.
INLINE void inv_mix_columns(uint32_t x[8], unsigned j) {
#define SUM(b) (x[b] ^ opposite_row(x[b], j))
  const uint32_t s6 = SUM(6), s7 = SUM(7), both = s6 ^ s7;
  const uint32_t s5 = SUM(5), s4 = SUM(4), s3 = SUM(3), s2 = SUM(2), s1 = SUM(1), s0 = SUM(0);
#undef SUM
  x[7] ^= s5;
  x[6] ^= s4;
  x[5] ^= s3 ^ s7;
  x[4] ^= s2 ^ both;
  x[3] ^= s1 ^ s6;
  x[2] ^= s0 ^ s7;
  x[1] ^= both;
  x[0] ^= s6;
  mix_columns(x, j);
}

INLINE void add_round_key(uint32_t x[8], const uint32_t *k) {
  x[0] ^= k[0], x[1] ^= k[1], x[2] ^= k[2], x[3] ^= k[3];
  x[4] ^= k[4], x[5] ^= k[5], x[6] ^= k[6], x[7] ^= k[7];
}

// Two ShiftRows, left out by an even number of rounds that four does not divide: rows 1 and 3
// change columns 0 and 2, 1 and 3. It is its own inverse.
INLINE void settle(uint32_t w[8], unsigned rounds) {
  if ((rounds & 2) == 0) return;
#define EXCHANGE(i)                                         \
  {                                                         \
    const uint32_t t = (w[i] ^ w[i + 4]) & 0xff00ff00u;     \
    w[i] ^= t;                                              \
    w[i + 4] ^= t;                                          \
  }
  EXCHANGE(0) EXCHANGE(1) EXCHANGE(2) EXCHANGE(3)
#undef EXCHANGE
}

// Column c of block k is word 2 c + k before the bits are moved into slices.
INLINE void load(uint32_t w[8], const word_t *a, const word_t *b) {
  w[0] = a[0], w[2] = a[1], w[4] = a[2], w[6] = a[3];
  w[1] = b[0], w[3] = b[1], w[5] = b[2], w[7] = b[3];
}

INLINE void store(word_t *a, word_t *b, const uint32_t w[8]) {
  a[0] = w[0], a[1] = w[2], a[2] = w[4], a[3] = w[6];
  b[0] = w[1], b[1] = w[3], b[2] = w[5], b[3] = w[7];
}

INLINE void encrypt_pair(const aes_key_t *key, uint32_t x[8]) {
  const uint32_t *k = key->rk;
  const uint32_t *const end = k + STATE_WORDS * key->rounds;
  transpose_bits(x);
  add_round_key(x, k);
  for (unsigned round = 1;; round++) {
    sbox_slices(x);
    k += STATE_WORDS;
    if (k == end) break;
    if (round & 1) {
      if (round & 2) mix_columns(x, 3);
      else mix_columns(x, 1);
    } else {
      if (round & 2) mix_columns(x, 2);
      else mix_columns(x, 0);
    }
    add_round_key(x, k);
  }
  add_round_key(x, k);
  transpose_bits(x);
  settle(x, key->rounds);
}

INLINE void decrypt_pair(const aes_key_t *key, uint32_t x[8]) {
  const uint32_t *k = key->rk + STATE_WORDS * key->rounds;
  settle(x, key->rounds);
  transpose_bits(x);
  add_round_key(x, k);
  for (unsigned round = key->rounds - 1;; round--) {
    inv_sbox_slices(x);
    k -= STATE_WORDS;
    add_round_key(x, k);
    if (round == 0) break;
    if (round & 1) {
      if (round & 2) inv_mix_columns(x, 3);
      else inv_mix_columns(x, 1);
    } else {
      if (round & 2) inv_mix_columns(x, 2);
      else inv_mix_columns(x, 0);
    }
  }
  transpose_bits(x);
}

typedef void (*pair_fn)(const aes_key_t *, uint32_t x[8]);

// The last of an odd number of blocks is worked on twice.
INLINE void crypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                  pair_fn pair) {
  while (nblocks != 0) {
    const size_t second = nblocks == 1 ? 0 : 16;
    uint32_t x[8];
    load(x, (const word_t *)in, (const word_t *)(in + second));
    pair(k, x);
    store((word_t *)out, (word_t *)(out + second), x);
    nblocks -= nblocks == 1 ? 1 : GROUP;
    in += 16 * GROUP;
    out += 16 * GROUP;
  }
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(k, in, out, nblocks, encrypt_pair);
  forget_registers();
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(k, in, out, nblocks, decrypt_pair);
  forget_registers();
  return AES_OK;
}

// Four columns of a round key into slices, for a round with j ShiftRows left out: what belongs to
// column c of row r goes where the state has it, to column c + j r. Both blocks get the same.
INLINE uint32_t column(const uint32_t *w, unsigned c, unsigned j) {
  return (w[c] & 0x000000ffu) | (w[(c - j) & 3] & 0x0000ff00u) |
         (w[(c - 2 * j) & 3] & 0x00ff0000u) | (w[(c - 3 * j) & 3] & 0xff000000u);
}

NOINLINE void slice_key(uint32_t *k, const uint32_t *w, unsigned j, uint32_t constant) {
  const uint32_t c0 = constant ^ column(w, 0, j), c1 = constant ^ column(w, 1, j);
  const uint32_t c2 = constant ^ column(w, 2, j), c3 = constant ^ column(w, 3, j);
  uint32_t x[8] = {c0, c0, c1, c1, c2, c2, c3, c3};
  transpose_bits(x);
  k[0] = x[0], k[1] = x[1], k[2] = x[2], k[3] = x[3];
  k[4] = x[4], k[5] = x[5], k[6] = x[6], k[7] = x[7];
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  uint32_t w[SCHEDULE_WORDS];
  k->rounds = expand(w, (const word_t *)key, key_bits);
  if (k->rounds == 0) return AES_ERR_KEY_LENGTH;
  uint32_t *rk = k->rk;
  slice_key(rk, w, 0, 0);
  for (unsigned round = 1; round <= k->rounds; round++)
    slice_key(rk + STATE_WORDS * round, w + 4 * round, round & 3, SBOX_CONSTANT);
  return forget_schedule(w);
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return aes_set_encrypt_key(k, key, key_bits);
}

#endif
