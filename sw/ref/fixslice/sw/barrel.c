// SPDX-License-Identifier: Apache-2.0
// Bitsliced AES, eight blocks at a time: constant-time software for bulk data.
// No table, no branch and no address depends on the key or the data.
// Source of the representation: A. Adomnicai and T. Peyrin, "Fixslicing AES-like Ciphers",
// TCHES 2021(1), section 4.3 (barrel-shiftrows). Source of the S-box: sbox.h.
//
// The state is 32 words: word 8 r + b holds bit b of row r, byte c of it column c, and bit k of
// that byte block k. ShiftRows is then a rotation of words by whole bytes, and MixColumns needs no
// rotation at all. Groups of less than eight blocks are filled with zeros: one block costs as much
// as eight.
//
// The constant 63 of the S-box is not added to the state but is in the round keys: MixColumns and
// ShiftRows leave a state of equal bytes as it is. For the same reason one schedule serves both
// directions.
#ifndef FIXSLICE_PAIR

#include "slices.h"

#if AES_KEY_WORDS < 480
#error "a round key is 32 words, and there are up to 15"
#endif

#define STATE_WORDS 32u
#define GROUP 8u  // blocks

// 4x4 bytes: byte j of word i and byte i of word j change places.
INLINE void transpose_bytes(uint32_t *w0, uint32_t *w1, uint32_t *w2, uint32_t *w3) {
  swap_bits(w0, w1, 8, 0x00ff00ffu);
  swap_bits(w2, w3, 8, 0x00ff00ffu);
  swap_bits(w0, w2, 16, 0x0000ffffu);
  swap_bits(w1, w3, 16, 0x0000ffffu);
}

#define STORE8(to, step, w)                                                                 \
  do {                                                                                      \
    (to)[0 * step] = w[0], (to)[1 * step] = w[1], (to)[2 * step] = w[2], (to)[3 * step] = w[3]; \
    (to)[4 * step] = w[4], (to)[5 * step] = w[5], (to)[6 * step] = w[6], (to)[7 * step] = w[7]; \
  } while (0)

// Eight blocks into slices, the first round key added.
NOINLINE void pack(uint32_t *s, const uint32_t *k, const word_t *in) {
  for (unsigned c = 0; c < 4; c++) {
    uint32_t w[8] = {in[c],      in[4 + c],  in[8 + c],  in[12 + c],
                     in[16 + c], in[20 + c], in[24 + c], in[28 + c]};
    transpose_bits(w);
    STORE8(s + 8 * c, 1, w);
  }
  for (const uint32_t *const end = s + 8; s != end; s++, k++) {
    uint32_t w0 = s[0], w1 = s[8], w2 = s[16], w3 = s[24];
    transpose_bytes(&w0, &w1, &w2, &w3);
    s[0] = w0 ^ k[0];
    s[8] = w1 ^ k[8];
    s[16] = w2 ^ k[16];
    s[24] = w3 ^ k[24];
  }
}

// The way back, with the last round's ShiftRows (or its inverse) and key in front.
INLINE void unpack(uint32_t *s, const uint32_t *k, word_t *out, int inverse) {
  uint32_t *const start = s;
  for (const uint32_t *const end = s + 8; s != end; s++, k++) {
    uint32_t w0 = s[0] ^ k[0];
    uint32_t w1 = ror(s[8], inverse ? 24 : 8) ^ k[8];
    uint32_t w2 = ror(s[16], 16) ^ k[16];
    uint32_t w3 = ror(s[24], inverse ? 8 : 24) ^ k[24];
    transpose_bytes(&w0, &w1, &w2, &w3);
    s[0] = w0;
    s[8] = w1;
    s[16] = w2;
    s[24] = w3;
  }
  s = start;
  for (const uint32_t *const end = s + STATE_WORDS; s != end; s += 8, out++) {
    uint32_t w[8] = {s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]};
    transpose_bits(w);
    STORE8(out, 4, w);
  }
}

// The same bit of the four rows.
typedef struct {
  uint32_t r0, r1, r2, r3;
} rows_t;

INLINE rows_t fetch(const uint32_t *s, unsigned b) {
  return (rows_t){s[b], s[8 + b], s[16 + b], s[24 + b]};
}

INLINE void put(uint32_t *s, unsigned b, rows_t v) {
  s[b] = v.r0;
  s[8 + b] = v.r1;
  s[16 + b] = v.r2;
  s[24 + b] = v.r3;
}

INLINE rows_t add(rows_t v, rows_t w) {
  return (rows_t){v.r0 ^ w.r0, v.r1 ^ w.r1, v.r2 ^ w.r2, v.r3 ^ w.r3};
}

INLINE rows_t shift_rows(rows_t v) {
  return (rows_t){v.r0, ror(v.r1, 8), ror(v.r2, 16), ror(v.r3, 24)};
}

INLINE rows_t inv_shift_rows(rows_t v) {
  return (rows_t){v.r0, ror(v.r1, 24), ror(v.r2, 16), ror(v.r3, 8)};
}

// Each row plus the next.
INLINE rows_t pairs(rows_t a) {
  return (rows_t){a.r0 ^ a.r1, a.r1 ^ a.r2, a.r2 ^ a.r3, a.r3 ^ a.r0};
}

// One bit of MixColumns: row r of the result is 02 (a[r] + a[r+1]) + a[r+1] + (a[r+2] + a[r+3]).
// 02 moves bits up by one and folds bit 7 into bits 0, 1, 3 and 4. t are the pairs of this bit,
// `below` those of the next lower one, `top` those of bit 7.
INLINE rows_t mix_bit(unsigned b, rows_t a, rows_t t, rows_t below, rows_t top) {
  rows_t v = {a.r1 ^ t.r2, a.r2 ^ t.r3, a.r3 ^ t.r0, a.r0 ^ t.r1};
  if (b != 0) v = add(v, below);
  if (b == 0 || b == 1 || b == 3 || b == 4) v = add(v, top);
  return v;
}

#define EACH_BIT(STEP) STEP(7) STEP(6) STEP(5) STEP(4) STEP(3) STEP(2) STEP(1) STEP(0)

// ShiftRows, MixColumns, AddRoundKey.
INLINE void linear_layer(uint32_t *s, const uint32_t *k) {
  rows_t a = shift_rows(fetch(s, 7));
  rows_t t = pairs(a);
  const rows_t top = t;
#define STEP(b)                                                     \
  {                                                                 \
    const rows_t next = shift_rows(fetch(s, b == 0 ? 0 : b - 1));   \
    const rows_t below = pairs(next);                               \
    put(s, b, add(mix_bit(b, a, t, below, top), fetch(k, b)));      \
    a = next;                                                       \
    t = below;                                                      \
  }
  EACH_BIT(STEP)
#undef STEP
}

// Times 04, modulo the polynomial: bits move up by two; x^8 = x^4 + x^3 + x + 1 takes bit 6,
// x^9 = x^5 + x^4 + x^2 + x takes bit 7.
INLINE void times4(uint32_t x[8]) {
  const uint32_t x6 = x[6], x7 = x[7], both = x6 ^ x7;
  x[7] = x[5];
  x[6] = x[4];
  x[5] = x[3] ^ x7;
  x[4] = x[2] ^ both;
  x[3] = x[1] ^ x6;
  x[2] = x[0] ^ x7;
  x[1] = both;
  x[0] = x6;
}

// Inverse ShiftRows, AddRoundKey, inverse MixColumns. The last is MixColumns after 04 times the sum
// of a row and the one opposite has been added to both: {0e,0b,0d,09} = {02,03,01,01}{05,00,04,00}.
INLINE void inv_linear_layer(uint32_t *s, const uint32_t *k) {
  uint32_t u[8], v[8];
#define STEP(b)                                                            \
  {                                                                        \
    const rows_t x = add(inv_shift_rows(fetch(s, b)), fetch(k, b));        \
    u[b] = x.r0 ^ x.r2;                                                    \
    v[b] = x.r1 ^ x.r3;                                                    \
    put(s, b, x);                                                          \
  }
  EACH_BIT(STEP)
#undef STEP
  times4(u);
  times4(v);
#define OPERAND(b) add(fetch(s, b), (rows_t){u[b], v[b], u[b], v[b]})
  rows_t a = OPERAND(7);
  rows_t t = pairs(a);
  const rows_t top = t;
#define STEP(b)                                                     \
  {                                                                 \
    const rows_t next = OPERAND((b == 0 ? 0 : b - 1));              \
    const rows_t below = pairs(next);                               \
    put(s, b, mix_bit(b, a, t, below, top));                        \
    a = next;                                                       \
    t = below;                                                      \
  }
  EACH_BIT(STEP)
#undef STEP
#undef OPERAND
}

NOINLINE void encrypt_group(const aes_key_t *key, const word_t *in, word_t *out) {
  uint32_t s[STATE_WORDS];
  const uint32_t *k = key->rk;
  const uint32_t *const end = k + STATE_WORDS * key->rounds;
  pack(s, k, in);
  for (;;) {
    for (unsigned row = 0; row < STATE_WORDS; row += 8) sbox_slices(s + row);
    k += STATE_WORDS;
    if (k == end) break;
    linear_layer(s, k);
  }
  unpack(s, k, out, 0);
}

NOINLINE void decrypt_group(const aes_key_t *key, const word_t *in, word_t *out) {
  uint32_t s[STATE_WORDS];
  const uint32_t *k = key->rk + STATE_WORDS * key->rounds;
  pack(s, k, in);
  for (;;) {
    for (unsigned row = 0; row < STATE_WORDS; row += 8) inv_sbox_slices(s + row);
    k -= STATE_WORDS;
    if (k == key->rk) break;
    inv_linear_layer(s, k);
  }
  unpack(s, k, out, 1);
}

typedef void (*group_fn)(const aes_key_t *, const word_t *, word_t *);

INLINE void crypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                  group_fn group) {
  for (; nblocks >= GROUP; nblocks -= GROUP, in += 16 * GROUP, out += 16 * GROUP)
    group(k, (const word_t *)in, (word_t *)out);
  if (nblocks == 0) return;
  word_t rest[4 * GROUP];
  for (size_t i = 0; i < 4 * GROUP; i++)
    rest[i] = i < 4 * nblocks ? ((const word_t *)in)[i] : 0;
  group(k, rest, rest);
  for (size_t i = 0; i < 4 * nblocks; i++) ((word_t *)out)[i] = rest[i];
  wipe(rest, 4 * GROUP);
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(k, in, out, nblocks, encrypt_group);
  forget_registers();
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(k, in, out, nblocks, decrypt_group);
  forget_registers();
  return AES_OK;
}

// One round key, four columns, into slices: every block has the same key, so a bit becomes a byte
// of ones or zeros. `constant` is what is to be added to every byte.
NOINLINE void slice_key(uint32_t *k, const uint32_t *w, uint32_t constant) {
  uint32_t row[4] = {w[0] ^ constant, w[1] ^ constant, w[2] ^ constant, w[3] ^ constant};
  transpose_bytes(&row[0], &row[1], &row[2], &row[3]);
  for (unsigned r = 0; r < 4; r++, k += 8) {
#define STEP(b)                                               \
  {                                                           \
    const uint32_t ones = (row[r] >> b) & 0x01010101u;        \
    k[b] = (ones << 8) - ones;                                \
  }
    EACH_BIT(STEP)
#undef STEP
  }
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  uint32_t w[SCHEDULE_WORDS];
  k->rounds = expand(w, (const word_t *)key, key_bits);
  if (k->rounds == 0) return AES_ERR_KEY_LENGTH;
  uint32_t *rk = k->rk;
  slice_key(rk, w, 0);
  for (unsigned round = 1; round <= k->rounds; round++)
    slice_key(rk + STATE_WORDS * round, w + 4 * round, SBOX_CONSTANT);
  return forget_schedule(w);
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return aes_set_encrypt_key(k, key, key_bits);
}

#endif
