// SPDX-License-Identifier: Apache-2.0
// AES in portable C, byte by byte and in the order of the standard: the oracle that everything else
// is compared with. Written to be read, not to be fast.
// Source: FIPS 197 (the section of each function is given); S-box values from aes_sbox_values.h.
// Not constant-time on a processor with a data cache: the S-box is a table in memory.
#include "aes_bytes.h"
#include "aes_kernel.h"
#include "aes_sbox_values.h"
#include "aes_forget_registers.h"

#define VALUE(x) x
static const uint8_t sbox[256] = {AES_SBOX_VALUES(VALUE)};
static const uint8_t inv_sbox[256] = {AES_INV_SBOX_VALUES(VALUE)};

// Multiplication by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (section 4.2).
static uint8_t xtime(uint8_t a) { return (uint8_t)((a << 1) ^ ((a >> 7) * 0x1b)); }

// The state is a 4x4 array s[row][column]; byte i of a block is s[i % 4][i / 4] (section 3.4).
typedef uint8_t state_t[4][4] __attribute__((aligned(4)));

static void load(state_t s, const uint8_t *in) {
  for (unsigned i = 0; i < 16; i++) s[i % 4][i / 4] = in[i];
}

static void store(uint8_t *out, state_t s) {
  for (unsigned i = 0; i < 16; i++) out[i] = s[i % 4][i / 4];
}

// No state stays on the stack; the compiler must not leave this out.
static void wipe(state_t s) {
  volatile word_t *const rows = (volatile word_t *)(void *)s;
  rows[0] = 0;
  rows[1] = 0;
  rows[2] = 0;
  rows[3] = 0;
}

// Section 5.1.4. A word of the key is a column; its first byte is the least significant one here.
static void add_round_key(state_t s, const uint32_t *w) {
  for (unsigned c = 0; c < 4; c++)
    for (unsigned r = 0; r < 4; r++) s[r][c] ^= (uint8_t)(w[c] >> (8 * r));
}

// Section 5.1.1 with the S-box, section 5.3.2 with its inverse.
static void sub_bytes(state_t s, const uint8_t *box) {
  for (unsigned r = 0; r < 4; r++)
    for (unsigned c = 0; c < 4; c++) s[r][c] = box[s[r][c]];
}

// Section 5.1.2: row r moves left by r columns. Section 5.3.1, the inverse: left by 4 - r.
static void shift_rows(state_t s, unsigned inverse) {
  for (unsigned r = 1; r < 4; r++) {
    const unsigned by = inverse ? 4 - r : r;
    const uint8_t row[4] = {s[r][0], s[r][1], s[r][2], s[r][3]};
    for (unsigned c = 0; c < 4; c++) s[r][c] = row[(c + by) % 4];
  }
}

// Section 5.1.3: each column times 03 x^3 + 01 x^2 + 01 x + 02 modulo x^4 + 1.
static void mix_columns(state_t s) {
  for (unsigned c = 0; c < 4; c++) {
    const uint8_t a[4] = {s[0][c], s[1][c], s[2][c], s[3][c]};
    for (unsigned r = 0; r < 4; r++) {
      const uint8_t b = a[(r + 1) % 4];
      s[r][c] = (uint8_t)(xtime(a[r]) ^ xtime(b) ^ b ^ a[(r + 2) % 4] ^ a[(r + 3) % 4]);
    }
  }
}

// Section 5.3.3. 0b x^3 + 0d x^2 + 09 x + 0e is the polynomial above times 04 x^2 + 05: one more
// step in front of MixColumns.
static void inv_mix_columns(state_t s) {
  for (unsigned c = 0; c < 4; c++) {
    const uint8_t u = xtime(xtime((uint8_t)(s[0][c] ^ s[2][c])));
    const uint8_t v = xtime(xtime((uint8_t)(s[1][c] ^ s[3][c])));
    s[0][c] ^= u;
    s[1][c] ^= v;
    s[2][c] ^= u;
    s[3][c] ^= v;
  }
  mix_columns(s);
}

static uint32_t sub_word(uint32_t w) {
  return (uint32_t)sbox[w & 0xff] | (uint32_t)sbox[(w >> 8) & 0xff] << 8 |
         (uint32_t)sbox[(w >> 16) & 0xff] << 16 | (uint32_t)sbox[w >> 24] << 24;
}

// KeyExpansion, section 5.2. RotWord moves the first byte to the end: to the right by eight bits in
// a word whose first byte is the least significant one.
FORGETS int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  const unsigned nk = key_bits / 32;
  const unsigned rounds = nk + 6;
  for (unsigned i = 0; i < nk; i++) {
    k->rk[i] = (uint32_t)key[4 * i] | (uint32_t)key[4 * i + 1] << 8 |
               (uint32_t)key[4 * i + 2] << 16 | (uint32_t)key[4 * i + 3] << 24;
  }
  uint8_t rcon = 1;
  unsigned phase = 0;  // i mod nk
  for (unsigned i = nk; i < 4 * (rounds + 1); i++) {
    uint32_t t = k->rk[i - 1];
    if (phase == 0) {
      t = sub_word(t >> 8 | t << 24) ^ rcon;
      rcon = xtime(rcon);
    } else if (nk > 6 && phase == 4) {
      t = sub_word(t);
    }
    k->rk[i] = k->rk[i - nk] ^ t;
    phase = phase + 1 == nk ? 0 : phase + 1;
  }
  k->rounds = rounds;
  return FORGOTTEN(AES_OK);
}

// The inverse cipher of section 5.3 walks the same schedule backwards.
int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return aes_set_encrypt_key(k, key, key_bits);
}

// Cipher, section 5.1.
int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  state_t s = {{0}};
  for (; nblocks != 0; nblocks--, in += 16, out += 16) {
    load(s, in);
    add_round_key(s, k->rk);
    for (unsigned round = 1; round < k->rounds; round++) {
      sub_bytes(s, sbox);
      shift_rows(s, 0);
      mix_columns(s);
      add_round_key(s, k->rk + 4 * round);
    }
    sub_bytes(s, sbox);
    shift_rows(s, 0);
    add_round_key(s, k->rk + 4 * k->rounds);
    store(out, s);
  }
  wipe(s);
  forget_registers();
  return AES_OK;
}

// InvCipher, section 5.3.
int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  state_t s = {{0}};
  for (; nblocks != 0; nblocks--, in += 16, out += 16) {
    load(s, in);
    add_round_key(s, k->rk + 4 * k->rounds);
    for (unsigned round = k->rounds - 1; round > 0; round--) {
      shift_rows(s, 1);
      sub_bytes(s, inv_sbox);
      add_round_key(s, k->rk + 4 * round);
      inv_mix_columns(s);
    }
    shift_rows(s, 1);
    sub_bytes(s, inv_sbox);
    add_round_key(s, k->rk);
    store(out, s);
  }
  wipe(s);
  forget_registers();
  return AES_OK;
}
