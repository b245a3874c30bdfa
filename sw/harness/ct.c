// SPDX-License-Identifier: Apache-2.0
// Question "ct": do the kernel's cycle counts depend on keys or data?
//
// For every key size and every entry of the kernel: CT_RUNS calls with fresh random key and
// data, each timed between two reads of the core's own counter. One JSON object a line goes to
// the console:
//   {"question":"ct","what":"encrypt_128_1","min":M,"max":M,"first":M,"n":N}
// A constant-time kernel on a core without other sources of jitter shows min == max. The verdict
// is the reader's: this program exits 0 when it could measure, 1 when a set-up function failed.
//
// The measuring loop itself runs the same path in every iteration (extremes.h), so that caches are
// in the same state before each timed call; CT_WARMUP iterations come first.
//
// CT_MODE: 1 asks CTR, with the same last word of the counter, and CBC decryption instead of ECB; 2
// CBC encryption.
#include <stddef.h>
#include <stdint.h>

#include "aes_kernel.h"
#include "extremes.h"
#include "hal.h"
#include "say.h"

#ifndef CT_RUNS
#define CT_RUNS 1000u
#endif

// One group of the widest interleaved kernel, and one block more.
#define BULK_BLOCKS 7u
#define KEY_BYTES_MAX 32u

enum {
  WHAT_KEY_ENCRYPT,
  WHAT_ENCRYPT_1,
  WHAT_ENCRYPT_BULK,
  WHAT_KEY_DECRYPT,
  WHAT_DECRYPT_1,
  WHAT_DECRYPT_BULK,
  WHAT_COUNT
};

static uint32_t key_words[KEY_BYTES_MAX / 4u];
static uint32_t in_words[BULK_BLOCKS * AES_BLOCK_BYTES / 4u];
static uint32_t out_words[BULK_BLOCKS * AES_BLOCK_BYTES / 4u];
static aes_key_t schedule;
// What reading the counter twice costs; subtracted from every figure.
static uint32_t counter_overhead(void) {
  uint32_t least = 0xffffffffu;
  for (unsigned i = 0; i < 8u; i++) {
    uint32_t start = hal_cycles();
    uint32_t t = hal_cycles() - start;
    least = t < least ? t : least;
  }
  return least;
}

static int time_set_up(unsigned key_bits, int decrypt, uint32_t *t) {
  const uint8_t *key = (const uint8_t *)key_words;
  uint32_t start;
  int status;
  random_fill(key_words, KEY_BYTES_MAX / 4u);
  if (decrypt) {
    start = hal_cycles();
    status = aes_set_decrypt_key(&schedule, key, key_bits);
    *t = hal_cycles() - start;
  } else {
    start = hal_cycles();
    status = aes_set_encrypt_key(&schedule, key, key_bits);
    *t = hal_cycles() - start;
  }
  return status;
}

static int time_blocks(int decrypt, size_t nblocks, uint32_t *t) {
  const uint8_t *in = (const uint8_t *)in_words;
  uint8_t *out = (uint8_t *)out_words;
  uint32_t start;
  int status;
  random_fill(in_words, BULK_BLOCKS * AES_BLOCK_BYTES / 4u);
#ifdef CT_MODE
  uint32_t chain[4] = {random_word(), random_word(), random_word(), 0xfdffff0cu};
  start = hal_cycles();
  if (decrypt) {
    status = aes_cbc_decrypt_blocks(&schedule, chain, in, out, nblocks);
  } else if (CT_MODE == 1) {
    status = aes_ctr_blocks(&schedule, chain, in, out, nblocks);
  } else {
    status = aes_cbc_encrypt_blocks(&schedule, chain, in, out, nblocks);
  }
  *t = hal_cycles() - start;
  return status;
#endif
  start = hal_cycles();
  if (decrypt) {
    status = aes_decrypt_blocks(&schedule, in, out, nblocks);
  } else {
    status = aes_encrypt_blocks(&schedule, in, out, nblocks);
  }
  *t = hal_cycles() - start;
  return status;
}

// One round of all measurements of a direction into t[0..2]; a status of the kernel.
static int measure(unsigned key_bits, int decrypt, uint32_t *t) {
  int status = time_set_up(key_bits, decrypt, &t[0]);
  if (status == AES_OK) {
    status = time_blocks(decrypt, 1u, &t[1]);
  }
  if (status == AES_OK) {
    status = time_blocks(decrypt, BULK_BLOCKS, &t[2]);
  }
  return status;
}

static void report(const char *what, unsigned key_bits, const char *suffix, const extremes_t *e) {
  say("{\"question\":\"ct\",\"what\":\"");
  say(what);
  say_u32(key_bits);
  say(suffix);
  say("\",\"min\":");
  say_u32(e->min);
  say(",\"max\":");
  say_u32(e->max);
  say(",\"first\":");
  say_u32(e->first);
  say(",\"n\":");
  say_u32(CT_RUNS);
  say("}\n");
}

static const char *const names[WHAT_COUNT] = {
    "set_encrypt_key_", "encrypt_", "encrypt_", "set_decrypt_key_", "decrypt_", "decrypt_",
};
static const char *const suffixes[WHAT_COUNT] = {"", "_1", "_7", "", "_1", "_7"};

int main(void) {
  static const unsigned sizes[] = {128u, 192u, 256u};
  uint32_t overhead = counter_overhead();
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    for (int decrypt = 0; decrypt < 2; decrypt++) {
      extremes_t e[3] = {{~0u, 0u, 0u}, {~0u, 0u, 0u}, {~0u, 0u, 0u}};
      uint32_t t[3] = {0u, 0u, 0u};
      int status = measure(sizes[s], decrypt, t);
      if (status == AES_ERR_UNSUPPORTED) {
        continue;  // the variant lacks this direction
      }
      // One loop for warm-up and runs: other code between them would leave other lines in a cache.
      for (uint32_t i = 0; i < CT_WARMUP + CT_RUNS && status == AES_OK; i++) {
        uint32_t counts = less_mask(CT_WARMUP, i + 1u);
        uint32_t is_first = counts & less_mask(i, CT_WARMUP + 1u);
        status = measure(sizes[s], decrypt, t);
        for (unsigned w = 0; w < 3u; w++) {
          note(&e[w], t[w] - overhead, counts, is_first);
        }
      }
      if (status != AES_OK) {
        say("{\"question\":\"ct\",\"error\":\"a call failed\"}\n");
        hal_exit(1u);
      }
      for (unsigned w = 0; w < 3u; w++) {
        unsigned what = (decrypt ? (unsigned)WHAT_KEY_DECRYPT : (unsigned)WHAT_KEY_ENCRYPT) + w;
        report(names[what], sizes[s], suffixes[what], &e[w]);
      }
    }
  }
  hal_exit(0u);
}
