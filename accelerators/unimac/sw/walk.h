// SPDX-License-Identifier: Apache-2.0
// The key schedule as a walk of a few words, one round key a step: forwards for encryption and key
// set-up, backwards from its last words for decryption.
// Source: FIPS 197, section 5.2; the walk back solves its recurrence for the older word.
//
// Who includes this defines, in front of it, SUB_WORD(x) = SubWord(x) and
// SUB_ROT(x, y) = SubWord(RotWord(x)) ^ y. Branches depend on the key's size alone.
#ifndef UNIMAC_WALK_H
#define UNIMAC_WALK_H

// Constants of the steps: 10 for AES-128, 8 for AES-192, 7 for AES-256.
static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

// Words w0 to w3, w5 or w7, each the newest of those whose number is congruent to its own; the next
// constant; and how far a group of words has come, which is no multiple of a round key.
typedef struct {
  uint32_t w0, w1, w2, w3, w4, w5, w6, w7;
  const uint8_t *constant;
  unsigned phase;
} walk_t;

typedef struct {
  uint32_t k0, k1, k2, k3;
} round_key_t;

#define FORTH_4 s->w1 ^= s->w0, s->w2 ^= s->w1, s->w3 ^= s->w2
#define BACK_4 s->w3 ^= s->w2, s->w2 ^= s->w1, s->w1 ^= s->w0
#define FIRST_4 ((round_key_t){s->w0, s->w1, s->w2, s->w3})

// Words that a key size does not have are zero.
INLINE void take_words(walk_t *s, const word_t *from, unsigned rounds) {
  s->phase = 0;
  s->w4 = s->w5 = s->w6 = s->w7 = 0;
  s->w0 = from[0], s->w1 = from[1], s->w2 = from[2], s->w3 = from[3];
  if (rounds != 10) s->w4 = from[4], s->w5 = from[5];
  if (rounds == 14) s->w6 = from[6], s->w7 = from[7];
}

// The round key after the one that the last call gave; the first call is for the second one.
INLINE round_key_t next_key(walk_t *s, unsigned rounds) {
  const unsigned phase = s->phase++;
  if (rounds == 10) {
    s->w0 = SUB_ROT(s->w3, s->w0) ^ *s->constant++, FORTH_4;
    return FIRST_4;
  }
  if (rounds == 12) {  // two groups of six words are three round keys
    if (phase == 1) {
      s->w2 ^= s->w1, s->w3 ^= s->w2, s->w4 ^= s->w3, s->w5 ^= s->w4;
      return (round_key_t){s->w2, s->w3, s->w4, s->w5};
    }
    if (phase == 3) {
      s->phase = 1;
      s->w4 ^= s->w3, s->w5 ^= s->w4;
    }
    s->w0 = SUB_ROT(s->w5, s->w0) ^ *s->constant++;
    if (phase == 2) {
      FORTH_4;
      return FIRST_4;
    }
    s->w1 ^= s->w0;
    return (round_key_t){s->w4, s->w5, s->w0, s->w1};
  }
  if (phase == 1) {
    s->w0 = SUB_ROT(s->w7, s->w0) ^ *s->constant++, FORTH_4;
    return FIRST_4;
  }
  if (phase == 2) {
    s->phase = 1;
    s->w4 ^= SUB_WORD(s->w3), s->w5 ^= s->w4, s->w6 ^= s->w5, s->w7 ^= s->w6;
  }
  return (round_key_t){s->w4, s->w5, s->w6, s->w7};
}

// The round key in front of the one that the last call gave; the first call is for the last but
// one.
INLINE round_key_t previous_key(walk_t *s, unsigned rounds) {
  const unsigned phase = s->phase++;
  if (rounds == 10) {
    BACK_4, s->w0 = SUB_ROT(s->w3, s->w0) ^ *--s->constant;
    return FIRST_4;
  }
  if (rounds == 12) {
    if (phase == 1 || phase == 3) s->w5 ^= s->w4, s->w4 ^= s->w3;
    if (phase == 1) return (round_key_t){s->w4, s->w5, s->w0, s->w1};
    BACK_4, s->w0 = SUB_ROT(s->w5, s->w0) ^ *--s->constant;
    if (phase == 2) return FIRST_4;
    s->phase = 1;
    return (round_key_t){s->w2, s->w3, s->w4, s->w5};
  }
  if (phase == 1) return FIRST_4;
  if (phase == 2) s->w7 ^= s->w6, s->w6 ^= s->w5, s->w5 ^= s->w4, s->w4 ^= SUB_WORD(s->w3);
  s->phase = 1;
  BACK_4, s->w0 = SUB_ROT(s->w7, s->w0) ^ *--s->constant;
  return (round_key_t){s->w4, s->w5, s->w6, s->w7};
}

// The words that a walk forwards or backwards (dec) starts from, in an expanded key of eight words.
INLINE walk_t start_of_walk(const int dec, const aes_key_t *k) {
  walk_t s;
  take_words(&s, k->rk, k->rounds);
  s.constant = rcon;
  if (dec) s.constant += k->rounds == 10 ? 10 : k->rounds == 12 ? 8 : 7;
  return s;
}

// Such an expanded key: the key itself, or (dec) the words that the whole schedule ends with.
INLINE int set_key(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  walk_t s;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = key_bits / 32 + 6;
  take_words(&s, (const word_t *)key, k->rounds);
  s.constant = rcon;
  if (dec) {
    for (unsigned i = 0; i != k->rounds; i++) (void)next_key(&s, k->rounds);
  }
  k->rk[0] = s.w0, k->rk[1] = s.w1, k->rk[2] = s.w2, k->rk[3] = s.w3;
  k->rk[4] = s.w4, k->rk[5] = s.w5, k->rk[6] = s.w6, k->rk[7] = s.w7;
  return AES_OK;
}

#endif
