// SPDX-License-Identifier: Apache-2.0
// Round keys made while they are used: the key schedule as a walk of a few words, forwards for
// encryption and backwards from its last words for decryption.
// Source: FIPS 197, section 5.2; the walk back solves its recurrence for the older word.
//
// The words are w0 to w3, w5 or w7, each holding the newest of the schedule's words whose number is
// congruent to its own. Who includes this defines
//   SUB_ROT(x, y)        y ^ SubWord(RotWord(x))
//   SUB_WORD(x)          SubWord(x)
//   WALK_NEEDS           declarations that these two need
//   BEGIN(dec)           what of a middle round comes in front of its key
//   MIDDLE(dec, k0, k1, k2, k3)  the key, and the rest of the round
//   BEGIN_LAST(dec), LAST(dec, k0, k1, k2, k3)   the same for the last round
#ifndef UNIMAC_WALK_H
#define UNIMAC_WALK_H

// Constants of the steps: 10 for AES-128, 8 for AES-192, 7 for AES-256.
static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

// A step forwards begins with w0 and goes on with the words behind it; a step backwards takes them
// in the opposite order. The substitution stands apart from its use: it may take a while.
#define FORTH_4 w1 ^= w0, w2 ^= w1, w3 ^= w2
#define BACK_4 w3 ^= w2, w2 ^= w1, w1 ^= w0

// ---- encryption ---------------------------------------------------------------------------------

#define ENCRYPT_128(constant)   \
  w0 = SUB_ROT(w3, w0);         \
  BEGIN(0);                     \
  w0 ^= (constant), FORTH_4;    \
  MIDDLE(0, w0, w1, w2, w3)

#define ENCRYPT_128_LAST        \
  w0 = SUB_ROT(w3, w0);         \
  BEGIN_LAST(0);                \
  w0 ^= 0x36u, FORTH_4;         \
  LAST(0, w0, w1, w2, w3)

// Two steps are three rounds.
#define ENCRYPT_192                                 \
  for (const uint8_t *c = rcon;;) {                 \
    w0 = SUB_ROT(w5, w0);                           \
    BEGIN(0);                                       \
    w0 ^= *c++, w1 ^= w0;                           \
    MIDDLE(0, w4, w5, w0, w1);                      \
    BEGIN(0);                                       \
    w2 ^= w1, w3 ^= w2, w4 ^= w3, w5 ^= w4;         \
    MIDDLE(0, w2, w3, w4, w5);                      \
    w0 = SUB_ROT(w5, w0);                           \
    w0 ^= *c++, FORTH_4;                            \
    if (c == rcon + 8) break;                       \
    BEGIN(0);                                       \
    MIDDLE(0, w0, w1, w2, w3);                      \
    w4 ^= w3, w5 ^= w4;                             \
  }                                                 \
  BEGIN_LAST(0);                                    \
  LAST(0, w0, w1, w2, w3)

// A step is two rounds.
#define ENCRYPT_256                                 \
  for (const uint8_t *c = rcon;;) {                 \
    w0 = SUB_ROT(w7, w0);                           \
    BEGIN(0);                                       \
    MIDDLE(0, w4, w5, w6, w7);                      \
    w0 ^= *c++, FORTH_4;                            \
    if (c == rcon + 7) break;                       \
    BEGIN(0);                                       \
    MIDDLE(0, w0, w1, w2, w3);                      \
    w4 ^= SUB_WORD(w3), w5 ^= w4, w6 ^= w5, w7 ^= w6; \
  }                                                 \
  BEGIN_LAST(0);                                    \
  LAST(0, w0, w1, w2, w3)

// ---- decryption ---------------------------------------------------------------------------------

#define DECRYPT_128(constant)   \
  BACK_4;                       \
  w0 = SUB_ROT(w3, w0);         \
  BEGIN(1);                     \
  w0 ^= (constant);             \
  MIDDLE(1, w0, w1, w2, w3)

#define DECRYPT_128_LAST        \
  BACK_4;                       \
  w0 = SUB_ROT(w3, w0);         \
  BEGIN_LAST(1);                \
  w0 ^= 0x01u;                  \
  LAST(1, w0, w1, w2, w3)

// Starts with the six words of the last step but two: w0 to w3 are the last round's key.
#define DECRYPT_192                                 \
  for (const uint8_t *c = rcon + 8;;) {             \
    BACK_4;                                         \
    w0 = SUB_ROT(w5, w0);                           \
    BEGIN(1);                                       \
    w0 ^= *--c;                                     \
    MIDDLE(1, w2, w3, w4, w5);                      \
    w5 ^= w4, w4 ^= w3;                             \
    BEGIN(1);                                       \
    MIDDLE(1, w4, w5, w0, w1);                      \
    BACK_4;                                         \
    w0 = SUB_ROT(w5, w0);                           \
    w0 ^= *--c;                                     \
    if (c == rcon) break;                           \
    BEGIN(1);                                       \
    MIDDLE(1, w0, w1, w2, w3);                      \
    w5 ^= w4, w4 ^= w3;                             \
  }                                                 \
  BEGIN_LAST(1);                                    \
  LAST(1, w0, w1, w2, w3)

// Starts with w0 to w3 of the last step, which are the last round's key, and w4 to w7 of the one
// before.
#define DECRYPT_256                                 \
  for (const uint8_t *c = rcon + 7;;) {             \
    BACK_4;                                         \
    w0 = SUB_ROT(w7, w0);                           \
    BEGIN(1);                                       \
    w0 ^= *--c;                                     \
    MIDDLE(1, w4, w5, w6, w7);                      \
    if (c == rcon) break;                           \
    BEGIN(1);                                       \
    MIDDLE(1, w0, w1, w2, w3);                      \
    w7 ^= w6, w6 ^= w5, w5 ^= w4, w4 ^= SUB_WORD(w3); \
  }                                                 \
  BEGIN_LAST(1);                                    \
  LAST(1, w0, w1, w2, w3)

// ---- key set-up ---------------------------------------------------------------------------------

// Where the walk starts: the key itself, or (dec) the words that the whole schedule ends with.
INLINE int set_key(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *from = (const word_t *)key;
  const unsigned nk = key_bits / 32;
  const uint8_t *c = rcon;
  WALK_NEEDS;
  uint32_t w0, w1, w2, w3, w4 = 0, w5 = 0, w6 = 0, w7 = 0;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256) return AES_ERR_KEY_LENGTH;
  k->rounds = nk + 6;
  w0 = from[0], w1 = from[1], w2 = from[2], w3 = from[3];
  if (nk != 4) w4 = from[4], w5 = from[5];
  if (nk == 8) w6 = from[6], w7 = from[7];
  if (dec) {
    const uint8_t *const end = rcon + (nk == 4 ? 10 : nk == 6 ? 8 : 7);
    for (;;) {
      w0 = SUB_ROT(nk == 4 ? w3 : nk == 6 ? w5 : w7, w0);
      w0 ^= *c++, FORTH_4;
      if (c == end) break;
      if (nk == 6) w4 ^= w3, w5 ^= w4;
      if (nk == 8) w4 ^= SUB_WORD(w3), w5 ^= w4, w6 ^= w5, w7 ^= w6;
    }
  }
  k->rk[0] = w0, k->rk[1] = w1, k->rk[2] = w2, k->rk[3] = w3;
  if (nk != 4) k->rk[4] = w4, k->rk[5] = w5;
  if (nk == 8) k->rk[6] = w6, k->rk[7] = w7;
  return AES_OK;
}

#endif
