// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 encryption in ECB, CBC and CTR: the unit does whole blocks in two shares and
// keeps the chain. Contracts: aes_kernel.h, aes_modes.h.
//
// There is no entry for GCM: its hash subkey would be a plain word of the processor.
//
// Both shares of a word of the key are never in registers together: all words of share 0 are moved,
// then all words of share 1. No operation has a second operand.
#include "accel_ops.h"
#include "aes_hot.h"
#include "aes_in_registers.h"
#include "aes_kernel.h"
#include "aes_masked_block_random.h"
#include "aes_modes.h"

#define SEED_WORDS 5u
#define SHARE_WORDS 8u
#define AHEAD 4u  // blocks inside

enum { ECB, CBC, CTR };
enum { LOOK_NUMBER, LOOK_SEEDED };
#define CLOSED 0  // mb_begin: wipe only

// A key object: the number that the unit gave the key, and its shares.
#define ALWAYS_LOAD 0xffffffffu  // not loaded yet; or the unit has run out of numbers
typedef struct {
  uint32_t number;
  uint32_t share0[SHARE_WORDS];
  uint32_t share1[SHARE_WORDS];
} masked_key_t;
typedef char key_fits[sizeof(masked_key_t) <= 4u * AES_KEY_WORDS ? 1 : -1];

// Whether a call uses the unit, and whether a handler has used it meanwhile: then the call repeats
// the blocks whose results it has not stored. Their texts are still there, in place too.
static volatile uint32_t active, again;

#ifdef SIMULATION_RANDOM
// A Weyl sequence, mixed as in MurmurHash3 (A. Appleby, public domain), for simulations.
__attribute__((weak)) int aes_masked_block_random(uint32_t *words, size_t count) {
  static uint32_t sum = 0x2545f491u;
  while (count-- != 0) {
    uint32_t mixed = sum += 0x9e3779b9u;
    mixed = (mixed ^ mixed >> 16) * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35u;
    *words++ = mixed ^ mixed >> 16;
  }
  return 0;
}
#endif

static void wipe(volatile uint32_t *words, size_t count) {
  while (count-- != 0) *words++ = 0;
}

static masked_key_t *words_of(const aes_key_t *k) { return (masked_key_t *)(uintptr_t)k->rk; }

// Read again whenever it counts: a handler may clear the key.
static unsigned rounds_of(const aes_key_t *k) {
  const unsigned rounds = ((const volatile aes_key_t *)k)->rounds;
  return rounds == 10 || rounds == 12 || rounds == 14 ? rounds : 0;
}

// ---- the unit's key -----------------------------------------------------------------------------

static COLD int seed(void) {
  uint32_t words[SEED_WORDS];
  if (aes_masked_block_random(words, SEED_WORDS) != 0) return AES_ERR_DEVICE;
  (void)mb_seed(words[0], 0);
  (void)mb_seed(words[1], 1);
  (void)mb_seed(words[2], 2);
  (void)mb_seed(words[3], 3);
  (void)mb_seed(words[4], 4);
  wipe(words, SEED_WORDS);
  return AES_OK;
}

// The unit returns the number with the last word of share 1, or 0 if a handler used it meanwhile.
static __attribute__((noinline)) int load(const aes_key_t *k) {
  masked_key_t *const words = words_of(k);
  uint32_t number;
  do {
    const unsigned rounds = rounds_of(k);
    if (rounds == 0) return AES_ERR_KEY;
    if (mb_look(0, LOOK_SEEDED) == 0 && seed() != AES_OK) return AES_ERR_DEVICE;
    if (rounds == 10) {
      (void)mb_begin(0, 1);
    } else if (rounds == 12) {
      (void)mb_begin(0, 2);
    } else {
      (void)mb_begin(0, 3);
    }
    number = 0;
    for (unsigned i = 0; i < rounds - 6u; i++) (void)mb_key(LOAD(words->share0, i), 0);
    for (unsigned i = 0; i < rounds - 6u; i++) number = mb_key(LOAD(words->share1, i), 1);
  } while (number == 0);
  words->number = number;
  return AES_OK;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  masked_key_t *const words = words_of(k);
  const word_t *const plain = (const word_t *)(const void *)key;
  const unsigned n = key_bits / 32u;
  if (key_bits != 128u && key_bits != 192u && key_bits != 256u) {
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  }
  if (aes_masked_block_random(words->share0, n) != 0) return aes_no_key(k, AES_ERR_DEVICE);
  for (unsigned i = 0; i < n; i++) words->share1[i] = plain[i] ^ words->share0[i];
  for (unsigned i = n; i < SHARE_WORDS; i++) words->share0[i] = words->share1[i] = 0;
  words->number = ALWAYS_LOAD;
  k->rounds = n + 6u;
  return forgetting(AES_OK);
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  (void)key, (void)key_bits;
  return aes_no_key(k, AES_ERR_UNSUPPORTED);
}

// The unit forgets whatever key it holds: a copy of *k may have another number.
void aes_clear_key(aes_key_t *k) {
  (void)mb_begin(0, CLOSED);
  wipe((uint32_t *)k, sizeof *k / sizeof(uint32_t));
  forget_registers();
}

// ---- interrupts ---------------------------------------------------------------------------------

// Nothing that is in the unit can be read back, so nothing is saved but whether a call was there.
// That call finds a unit without a key and begins again with the first block that is not stored.
void aes_unit_save(aes_unit_state_t *state) {
  state->word[0] = active;
  active = 0;
}

void aes_unit_restore(const aes_unit_state_t *state) {
  if (state->word[0] != 0) {
    (void)mb_begin(0, CLOSED);
    again = 1;
    active = 1;
    ((aes_unit_state_t *)(uintptr_t)state)->word[0] = 0;
  }
}

// ---- blocks -------------------------------------------------------------------------------------

INLINE void put(const word_t *in) {
  const block_t x = load_block(in, 0);
  (void)mb_put(x.c0);
  (void)mb_put(x.c1);
  (void)mb_put(x.c2);
  (void)mb_put(x.c3);
}

INLINE block_t get(void) {
  block_t y;
  y.c0 = mb_get(0);
  y.c1 = mb_get(0);
  y.c2 = mb_get(0);
  y.c3 = mb_get(0);
  return y;
}

// Write a block and read the one that was written four blocks before.
INLINE block_t turn(const word_t *in) {
  const block_t x = load_block(in, 0);
  block_t y;
  y.c0 = mb_turn(x.c0);
  y.c1 = mb_turn(x.c1);
  y.c2 = mb_turn(x.c2);
  y.c3 = mb_turn(x.c3);
  return y;
}

// Blocks from `in` to `out` until the end or an interrupt; returns where the results end. They are
// stored when it is sure that they are whole.
static __attribute__((noinline)) word_t *pass(const word_t *in, word_t *out, size_t nblocks) {
  const word_t *const end = in + 4u * nblocks;
  const size_t inside = nblocks < AHEAD ? nblocks : AHEAD;
  const word_t *const first = in + 4u * inside;
  do {
    put(in);
    in += 4;
  } while (in != first);
  while (end - in >= 8) {
    const block_t x = turn(in), y = turn(in + 4);
    if (UNLIKELY(again != 0)) return out;
    store_block(out, 0, x);
    store_block(out, 4, y);
    in += 8;
    out += 8;
  }
  if (in != end) {
    const block_t x = turn(in);
    if (UNLIKELY(again != 0)) return out;
    store_block(out, 0, x);
    out += 4;
  }
  for (size_t i = inside; i != 0; i--) {
    const block_t x = get();
    if (UNLIKELY(again != 0)) return out;
    store_block(out, 0, x);
    out += 4;
  }
  return out;
}

static uint32_t turned(uint32_t x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

// A block as chaining value or counter; the counter of `blocks` blocks later.
INLINE void start(const unsigned mode, const word_t *chain, uint32_t blocks) {
  (void)mb_mode(0, mode);
  if (mode != ECB) {
    (void)mb_iv(chain[0]);
    (void)mb_iv(chain[1]);
    (void)mb_iv(chain[2]);
    (void)mb_iv(mode == CTR ? turned(turned(chain[3]) + blocks) : chain[3]);
  }
}

INLINE int crypt(const unsigned mode, const aes_key_t *k, uint32_t *chain, const uint8_t *in,
                 uint8_t *out, size_t nblocks) {
  const word_t *const text = (const word_t *)(const void *)in;
  word_t *const result = (word_t *)(void *)out;
  const size_t words = 4u * nblocks;
  size_t done = 0;
  int status = rounds_of(k) == 0 ? AES_ERR_KEY : AES_OK;
  active = 1;
  while (status == AES_OK && done != words) {
    again = 0;
    const uint32_t number = mb_look(0, LOOK_NUMBER);
    if (UNLIKELY(number != ((const volatile aes_key_t *)k)->rk[0]) ||
        UNLIKELY(number == ALWAYS_LOAD)) {
      status = load(k);
      if (status != AES_OK) break;
    }
    start(mode, mode == CBC && done != 0 ? result + done - 4 : chain, (uint32_t)(done / 4u));
    done = (size_t)(pass(text + done, result + done, (words - done) / 4u) - result);
  }
  active = 0;
  if (status != AES_OK) return aes_no_blocks(out, nblocks, status);
  if (mode == CBC && words != 0) store_block(chain, 0, load_block(result + words - 4, 0));
  if (mode == CTR) chain[3] = turned(turned(chain[3]) + (uint32_t)nblocks);
  return AES_OK;
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return forgetting(crypt(ECB, k, NULL, in, out, nblocks));
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  (void)k;
  (void)in;
  return aes_no_blocks(out, nblocks, AES_ERR_UNSUPPORTED);
}

int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t nblocks) {
  return forgetting(crypt(CTR, k, counter, in, out, nblocks));
}

int aes_cbc_encrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks) {
  return forgetting(crypt(CBC, k, chain, in, out, nblocks));
}
