// SPDX-License-Identifier: Apache-2.0
// Driver of the masked AES peripheral. See aes_masked.h.
#include "aes_masked.h"

// Bound of every wait, in polls.
#ifndef AES_MASKED_WAITS
#define AES_MASKED_WAITS 1000u
#endif

#define WORD(name) (offsetof(aes_masked_t, name) / 4u)
#define ERRORS                                                          \
  (AES_MASKED__ERROR__ACCESS_bm | AES_MASKED__ERROR__KEY_bm |           \
   AES_MASKED__ERROR__UNSEEDED_bm)
#define AHEAD 4u  // blocks that may be inside, those not yet read included

// Buffers are bytes to their owners.
typedef uint32_t __attribute__((may_alias)) text_t;

// Wait until all bits of `mask` in STATUS are as in `value`.
static int poll(volatile uint32_t *base, uint32_t mask, uint32_t value)
{
  uint32_t now = 0;
  for (uint32_t i = 0; i < AES_MASKED_WAITS; i++) {
    now = base[WORD(STATUS)];
    if ((now & mask) == value)
      return AES_MASKED_OK;
  }
  if (!(now & AES_MASKED__STATUS__SEEDED_bm))
    return AES_MASKED_ERR_UNSEEDED;
  return now & AES_MASKED__STATUS__ERROR_bm ? AES_MASKED_ERR_REFUSED : AES_MASKED_ERR_TIMEOUT;
}

static int idle(volatile uint32_t *base)
{
  return poll(base, AES_MASKED__STATUS__IDLE_bm | AES_MASKED__STATUS__ERROR_bm,
              AES_MASKED__STATUS__IDLE_bm);
}

int aes_masked_find(volatile uint32_t *base)
{
  return base[WORD(ID)] == AES_MASKED__ID__VALUE_reset ? AES_MASKED_OK : AES_MASKED_ERR_ABSENT;
}

int aes_masked_seed(volatile uint32_t *base, const uint32_t seed[AES_MASKED_SEED_WORDS])
{
  for (size_t i = 0; i < AES_MASKED_SEED_WORDS; i++)
    base[WORD(SEED) + i] = seed[i];
  base[WORD(ERROR)] = ERRORS;
  return idle(base);
}

int aes_masked_wipe(volatile uint32_t *base)
{
  base[WORD(TRIGGER)] = AES_MASKED__TRIGGER__WIPE_bm;
  base[WORD(ERROR)] = ERRORS;
  return idle(base);
}

// CTRL.KEY_LEN of a key, or 3, which is none.
static uint32_t length_of(unsigned key_bits)
{
  return key_bits == 128 ? 0u : key_bits == 192 ? 1u : key_bits == 256 ? 2u : 3u;
}

// The share's words in one loop: the shares of a word never follow each other.
static void move(volatile uint32_t *to, const uint32_t *share, size_t words)
{
  for (size_t i = 0; i < words; i++)
    to[i] = share[i];
}

int aes_masked_load(volatile uint32_t *base, const uint32_t *share0, const uint32_t *share1,
                    unsigned key_bits)
{
  const uint32_t length = length_of(key_bits);
  if (length > 2)
    return AES_MASKED_ERR_LENGTH;
  base[WORD(CTRL)] = length << AES_MASKED__CTRL__KEY_LEN_bp;
  move(&base[WORD(KEY0)], share0, key_bits / 32);
  move(&base[WORD(KEY1)], share1, key_bits / 32);
  return poll(base, AES_MASKED__STATUS__KEY_VALID_bm | AES_MASKED__STATUS__ERROR_bm,
              AES_MASKED__STATUS__KEY_VALID_bm);
}

int aes_masked_sideload(volatile uint32_t *base, unsigned key_bits)
{
  const uint32_t length = length_of(key_bits);
  if (length > 2)
    return AES_MASKED_ERR_LENGTH;
  const int status = idle(base);
  if (status != AES_MASKED_OK)
    return status;
  base[WORD(CTRL)] = length << AES_MASKED__CTRL__KEY_LEN_bp;
  base[WORD(TRIGGER)] = AES_MASKED__TRIGGER__SIDELOAD_bm;
  return poll(base,
              AES_MASKED__STATUS__IDLE_bm | AES_MASKED__STATUS__KEY_VALID_bm |
                  AES_MASKED__STATUS__ERROR_bm,
              AES_MASKED__STATUS__IDLE_bm | AES_MASKED__STATUS__KEY_VALID_bm);
}

void aes_masked_split(uint32_t *share1, const uint32_t *key, const uint32_t *share0, size_t words)
{
  for (size_t i = 0; i < words; i++)
    share1[i] = key[i] ^ share0[i];
}

static inline void give(volatile uint32_t *base, const text_t *in)
{
  const uint32_t word0 = in[0], word1 = in[1], word2 = in[2], word3 = in[3];
  base[WORD(DATA_IN)] = word0;
  base[WORD(DATA_IN) + 1] = word1;
  base[WORD(DATA_IN) + 2] = word2;
  base[WORD(DATA_IN) + 3] = word3;
}

static inline void take(volatile uint32_t *base, text_t *out)
{
  const uint32_t word0 = base[WORD(DATA_OUT)], word1 = base[WORD(DATA_OUT) + 1];
  const uint32_t word2 = base[WORD(DATA_OUT) + 2], word3 = base[WORD(DATA_OUT) + 3];
  out[0] = word0;
  out[1] = word1;
  out[2] = word2;
  out[3] = word3;
}

// Two blocks share their rounds, and two more wait inside while the last two are read.
static void pass(volatile uint32_t *base, const text_t *in, text_t *out, size_t nblocks)
{
  size_t inside = nblocks < AHEAD ? nblocks : AHEAD, left = nblocks - inside;
  for (size_t i = 0; i < inside; i++, in += 4)
    give(base, in);
  for (; left >= 2; left -= 2, in += 8, out += 8) {
    take(base, out);
    take(base, out + 4);
    give(base, in);
    give(base, in + 4);
  }
  if (left != 0) {
    take(base, out);
    give(base, in);
    out += 4;
  }
  for (; inside != 0; inside--, out += 4)
    take(base, out);
}

int aes_masked_crypt(volatile uint32_t *base, unsigned key_bits, int mode, const uint32_t *iv,
                     const uint32_t *in, uint32_t *out, size_t nblocks)
{
  const uint32_t mask = AES_MASKED__STATUS__SEEDED_bm | AES_MASKED__STATUS__KEY_VALID_bm |
                        AES_MASKED__STATUS__ERROR_bm;
  base[WORD(CTRL)] = length_of(key_bits) << AES_MASKED__CTRL__KEY_LEN_bp |
                     (uint32_t)mode << AES_MASKED__CTRL__MODE_bp | AES_MASKED__CTRL__PAIR_bm;
  if (mode != AES_MASKED_ECB)
    move(&base[WORD(IV)], iv, 4);
  pass(base, (const text_t *)in, (text_t *)out, nblocks);
  const uint32_t now = base[WORD(STATUS)];
  if ((now & mask) == (AES_MASKED__STATUS__SEEDED_bm | AES_MASKED__STATUS__KEY_VALID_bm))
    return AES_MASKED_OK;
  return now & AES_MASKED__STATUS__SEEDED_bm ? AES_MASKED_ERR_REFUSED : AES_MASKED_ERR_UNSEEDED;
}
