// SPDX-License-Identifier: Apache-2.0
// GHASH on the unit, in place of the portable one; contract in aes_gcm.h.
// Source: NIST SP 800-38D, section 6.4.
//
// The unit's number says whose subkey it holds, 0: nobody's. A call absorbs, reads the hash and
// then asks for the number. Only if that is its key's number was the unit its own all the time, and
// the hash counts; otherwise the call loads the subkey and absorbs again. So calls under one key
// compare once a piece, and an interrupt handler that has used the unit leaves nothing to put back.
// Between calls the unit's hash is zero.
#include "accel_ops.h"
#include "aes_absorb.h"
#include "aes_gcm.h"
#include "aes_forget_registers.h"
#include "aes_hot.h"

#define INLINE static inline __attribute__((always_inline))

// What an interrupt may make a call do again, in blocks: as many as aes_gcm.c hashes at a time.
#define PIECE 24u

// The key: the four words of H as they are in memory, and its number.
#define NUMBER 4

// The number of a key that has none of its own: every call loads it.
#define UNNUMBERED 0xffffffu

typedef uint32_t __attribute__((may_alias)) word_t;

static struct {
  volatile uint32_t closed;  // a number is being drawn, or there are no more
  volatile uint32_t last;
} numbers;

// A handler that interrupts this function finds `closed` set and gets no number. `closed` stays set
// after the last number.
static uint32_t draw_number(void) {
  uint32_t number = UNNUMBERED;
  if (!numbers.closed) {
    numbers.closed = 1;
    number = numbers.last + 1;
    numbers.last = number;
    numbers.closed = number == UNNUMBERED - 1u;
  }
  return number;
}

static COLD void load_key(const aes_ghash_key_t *k) {
  (void)gh_begin(k->word[NUMBER]);
  (void)gh_key(k->word[0], k->word[1], 0);
  (void)gh_key(k->word[2], k->word[3], 1);
}

// The first message finds its subkey in the unit.
void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h) {
  const word_t *words = (const word_t *)(const void *)h;
  for (unsigned i = 0; i < 4u; i++) {
    k->word[i] = words[i];
  }
  k->word[NUMBER] = draw_number();
  load_key(k);
  forget_registers();
}

// One piece; the number that the unit's key had at the end. All loads of a block precede its
// operations and run beside the product of the block before.
INLINE uint32_t absorb(uint32_t to[4], const uint32_t state[4], const volatile word_t *w,
                       size_t n) {
  const volatile word_t *const end = w + 4u * n;
  uint32_t w0 = w[0] ^ state[0], w1 = w[1] ^ state[1];
  uint32_t w2 = w[2] ^ state[2], w3 = w[3] ^ state[3];
  for (;;) {
    (void)gh_absorb(w0, w1, 0);
    (void)gh_absorb(w2, w3, 1);
    w += 4;
    if (w == end) {
      break;
    }
    w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  }
  to[0] = gh_read(0, 0);
  to[1] = gh_read(0, 1);
  to[2] = gh_read(0, 2);
  to[3] = gh_read(0, 3);
  return gh_end(0);
}

HOT void aes_ghash_blocks(const aes_ghash_key_t *k, uint32_t state[4], const uint8_t *data,
                          size_t nblocks) {
  const word_t *w = (const word_t *)(const void *)data;
  const uint32_t number = k->word[NUMBER];
  if (UNLIKELY(number == UNNUMBERED)) {
    load_key(k);
  }
  while (nblocks != 0) {
    const size_t n = nblocks < PIECE ? nblocks : PIECE;
    uint32_t y[4];
    while (absorb(y, state, w, n) != number) {
      load_key(k);
    }
    state[0] = y[0], state[1] = y[1], state[2] = y[2], state[3] = y[3];
    w += 4u * n;
    nblocks -= n;
  }
}

// ---- the cipher's blocks in the same pass -------------------------------------------------------

#ifdef ABSORB_GROUP

// First blocks without their hash, of which aes_ctr_absorb absorbs all but one, then whole groups.
#define HEAD (ABSORB_BEHIND + 1u)
#define TOO_SHORT (2u * ABSORB_GROUP)  // for groups

// Whole groups in n < 256 blocks, without a division.
#define GROUPS_IN(n) ((n) * (0x10000u / ABSORB_GROUP + 1u) >> 16)

static HOT int encrypt_groups(const aes_gcm_key_t *k, uint32_t counter[4], uint32_t state[4],
                              const uint8_t *in, uint8_t *out, size_t groups) {
  const uint32_t number = k->hash.word[NUMBER];
  const word_t *w = (const word_t *)(const void *)out;
  int status = aes_ctr_blocks(&k->cipher, counter, in, out, HEAD);
  if (status != AES_OK) {
    return status;
  }
  if (gh_end(0) != number || number == UNNUMBERED) {
    load_key(&k->hash);
  }
  (void)gh_absorb(w[0] ^ state[0], w[1] ^ state[1], 0);
  (void)gh_absorb(w[2] ^ state[2], w[3] ^ state[3], 1);
  status = aes_ctr_absorb(&k->cipher, in + HEAD * AES_BLOCK_BYTES, out + HEAD * AES_BLOCK_BYTES,
                          groups * ABSORB_GROUP, counter);
  const uint32_t y0 = gh_read(0, 0), y1 = gh_read(0, 1), y2 = gh_read(0, 2), y3 = gh_read(0, 3);
  if (gh_end(0) == number) {
    state[0] = y0, state[1] = y1, state[2] = y2, state[3] = y3;
  } else if (status == AES_OK) {
    aes_ghash_blocks(&k->hash, state, out, HEAD + groups * ABSORB_GROUP);
  }
  return status;
}

#else
#define TOO_SHORT 1u
#endif

HOT int aes_gcm_encrypt_blocks(const aes_gcm_key_t *k, uint32_t counter[4], uint32_t state[4],
                               const uint8_t *in, uint8_t *out, size_t nblocks) {
  int status = AES_OK;
  while (nblocks != 0 && status == AES_OK) {
    // Groups leave the counter's last byte below its overflow, which aes_ctr_blocks carries.
    const size_t room = 255u - (counter[3] >> 24);
    size_t n = nblocks < room || nblocks < TOO_SHORT ? nblocks : room;
#ifdef ABSORB_GROUP
    if (aes_ctr_absorb != NULL && n >= TOO_SHORT) {
      const size_t groups = GROUPS_IN(n - HEAD);
      n = HEAD + groups * ABSORB_GROUP;
      status = encrypt_groups(k, counter, state, in, out, groups);
    } else
#endif
    {
      n += n < nblocks;
      status = aes_ctr_blocks(&k->cipher, counter, in, out, n);
      if (status == AES_OK) {
        aes_ghash_blocks(&k->hash, state, out, n);
      }
    }
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    nblocks -= n;
  }
  return status;
}

// Weak: a program that links no mode has neither this function nor a key to clear.
__attribute__((weak)) void aes_clear_key(aes_key_t *k);

// Wipe both copies of a subkey. The unit may hold a key without a number only if this one has none.
void aes_gcm_clear_key(aes_gcm_key_t *k) {
  volatile uint32_t *const words = (volatile uint32_t *)(void *)&k->hash;
  if (gh_end(0) == k->hash.word[NUMBER]) {
    (void)gh_begin(0);
  }
  aes_clear_key(&k->cipher);
  for (unsigned i = 0; i < AES_GHASH_KEY_WORDS; i++) {
    words[i] = 0;
  }
}

// The interrupted call finds no number, and starts its piece again. The interrupt may arrive
// between the number and the words of a subkey that is being loaded: the handler must not take them
// as loaded. No word of the interrupted call stays in the unit.
void aes_unit_save(aes_unit_state_t *state) {
  state->word[0] = 0;
  (void)gh_begin(0);
}

void aes_unit_restore(const aes_unit_state_t *state) {
  (void)gh_begin(state->word[0]);
}
