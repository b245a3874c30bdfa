// SPDX-License-Identifier: Apache-2.0
// The kernel contract over the driver: one device at a fixed address. An aes_key_t holds a number
// and the two shares of a key; the device knows whose key it has by that number. The device is
// seeded at its first use.
//
// Encryption only. There is no entry for GCM: its hash subkey would be a plain word of the
// processor. Source: docs/architecture.md, section 3, for the rules.
#include "aes_kernel.h"
#include "aes_modes.h"
#include "aes_forget_registers.h"
#include "aes_masked.h"
#include "aes_masked_random.h"

#ifndef AES_MASKED_BASE
#define AES_MASKED_BASE 0x90000000u  // where the platforms have it
#endif
#define DEVICE ((volatile uint32_t *)AES_MASKED_BASE)
#define SHARE_WORDS 8u

// The words of a key.
typedef struct {
  uint32_t id;  // new in each set-up; 0: numbers are used up, each call loads the key and wipes it
  uint32_t share0[SHARE_WORDS];
  uint32_t share1[SHARE_WORDS];
} masked_key_t;

typedef char key_fits[sizeof(masked_key_t) <= 4u * AES_KEY_WORDS ? 1 : -1];

// The number of the key that is in the device, or on its way there (0: none); whether a call uses
// the device, and whether a handler has cleared that call's key meanwhile.
static volatile uint32_t loaded;
static volatile int busy, forget;
static uint32_t next_id = 1;

#ifdef SIMULATION_RANDOM
// A xorshift generator (G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8, 2003)
// from a fixed value, for simulations.
__attribute__((weak)) int aes_masked_random(uint32_t *words, size_t count)
{
  static uint32_t state = 0x2545f491u;
  for (size_t i = 0; i < count; i++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    words[i] = 0x9e3779b1u * state;  // odd; the state itself is no word that was given out
  }
  return 0;
}
#endif

static masked_key_t *words_of(const aes_key_t *k)
{
  return (masked_key_t *)(uintptr_t)k->rk;
}

static int holds_key(const aes_key_t *k)
{
  return k->rounds == 10 || k->rounds == 12 || k->rounds == 14;
}

static unsigned bits_of(const aes_key_t *k)
{
  return 32u * (k->rounds - 6u);
}

static int result(int status)
{
  return status == AES_MASKED_OK           ? AES_OK
         : status == AES_MASKED_ERR_ABSENT ? AES_ERR_UNSUPPORTED
                                           : AES_ERR_DEVICE;
}

// A device that is idle, without errors, and seeded.
static __attribute__((noinline)) int prepare(void)
{
  const uint32_t mask = AES_MASKED__STATUS__IDLE_bm | AES_MASKED__STATUS__ERROR_bm;
  uint32_t seed[AES_MASKED_SEED_WORDS];
  int status = aes_masked_find(DEVICE);
  if (status != AES_MASKED_OK)
    return status;
  const uint32_t now = DEVICE[offsetof(aes_masked_t, STATUS) / 4u];
  if (now & AES_MASKED__STATUS__SEEDED_bm)
    return (now & mask) == AES_MASKED__STATUS__IDLE_bm ? AES_MASKED_OK : aes_masked_wipe(DEVICE);
  if (aes_masked_random(seed, AES_MASKED_SEED_WORDS) != 0)
    return AES_MASKED_ERR_UNSEEDED;
  status = aes_masked_seed(DEVICE, seed);
  aes_wipe(seed, sizeof seed);
  return status;
}

// The key into a device that is busy with this call.
static __attribute__((noinline)) int load(const aes_key_t *k)
{
  const masked_key_t *words = words_of(k);
  int status = prepare();
  loaded = words->id;
  if (status == AES_MASKED_OK)
    status = aes_masked_load(DEVICE, words->share0, words->share1, bits_of(k));
  return status;
}

static __attribute__((noinline, cold)) void empty(void)
{
  loaded = 0;
  (void)aes_masked_wipe(DEVICE);
}

// End a call. `forget` is read after `busy` is written: a handler that comes later wipes the device
// itself.
static int leave(const aes_key_t *k, uint32_t id, int status)
{
  if (status != AES_OK || id == 0)
    empty();
  busy = 0;
  while (__builtin_expect(forget, 0)) {
    busy = 1;
    forget = 0;
    empty();
    busy = 0;
  }
  if (status == AES_OK && (!holds_key(k) || words_of(k)->id != id))
    return AES_ERR_KEY;  // a handler cleared it, perhaps while it was on its way
  return status;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits)
{
  masked_key_t *const words = words_of(k);
  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  if (busy)
    return aes_no_key(k, AES_ERR_BUSY);
  busy = 1;
  const uint32_t id = next_id;
  next_id += id != 0;
  words->id = id;
  k->rounds = key_bits / 32 + 6;
  int status = AES_ERR_DEVICE;
  if (aes_masked_random(words->share0, key_bits / 32) == 0) {
    aes_masked_split(words->share1, (const uint32_t *)(uintptr_t)key, words->share0,
                     key_bits / 32);
    status = result(load(k));
  }
  status = leave(k, id, status);
  if (status != AES_OK)
    (void)aes_no_key(k, status);
  forget_registers();  // words of the key are there
  return status;
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits)
{
  (void)key;
  const int known = key_bits == 128 || key_bits == 192 || key_bits == 256;
  return aes_no_key(k, known ? AES_ERR_UNSUPPORTED : AES_ERR_KEY_LENGTH);
}

static int crypt(const aes_key_t *k, int mode, const uint32_t *iv, const uint8_t *in,
                 uint8_t *out, size_t nblocks)
{
  if (nblocks > SIZE_MAX / AES_BLOCK_BYTES)
    return AES_ERR_LENGTH;
  if (!holds_key(k))
    return aes_no_blocks(out, nblocks, AES_ERR_KEY);
  if (nblocks == 0)
    return AES_OK;
  if (busy)
    return aes_no_blocks(out, nblocks, AES_ERR_BUSY);
  busy = 1;
  const uint32_t id = words_of(k)->id;
  const unsigned key_bits = bits_of(k);
  int status = AES_MASKED_OK;
  if (__builtin_expect(id == 0 || loaded != id, 0))
    status = load(k);
  if (status == AES_MASKED_OK)
    status = aes_masked_crypt(DEVICE, key_bits, mode, iv, (const uint32_t *)(uintptr_t)in,
                              (uint32_t *)(uintptr_t)out, nblocks);
  status = leave(k, id, result(status));
  if (status != AES_OK)
    (void)aes_no_blocks(out, nblocks, status);
  forget_registers();  // words of the text are there
  return status;
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  return crypt(k, AES_MASKED_ECB, NULL, in, out, nblocks);
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  (void)k;
  (void)in;
  return aes_no_blocks(out, nblocks, AES_ERR_UNSUPPORTED);
}

static uint32_t swapped(uint32_t x)
{
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t nblocks)
{
  const int status = crypt(k, AES_MASKED_CTR, counter, in, out, nblocks);
  counter[3] = swapped(swapped(counter[3]) + (uint32_t)nblocks);
  return status;
}

int aes_cbc_encrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks)
{
  const int status = crypt(k, AES_MASKED_CBC, chain, in, out, nblocks);
  if (status == AES_OK && nblocks != 0) {
    const uint8_t *last = out + (nblocks - 1u) * AES_BLOCK_BYTES;
    __builtin_memcpy(chain, __builtin_assume_aligned(last, 4), AES_BLOCK_BYTES);
  }
  return status;
}

void aes_clear_key(aes_key_t *k)
{
  // No set-up, or one that failed: the words may be any.
  const uint32_t id = holds_key(k) ? words_of(k)->id : 0;
  aes_wipe(k, sizeof *k);
  if (id == 0 || loaded != id)
    return;
  if (busy) {
    forget = 1;
    return;
  }
  busy = 1;
  empty();
  busy = 0;
}
