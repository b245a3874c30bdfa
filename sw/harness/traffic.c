// SPDX-License-Identifier: Apache-2.0
// Question "traffic": may the core read and write the buffers while hardware processes them?
//
// A buffer between two guards, and a plain copy of all of it in which every job is done before it
// starts. While the hardware is at work on the buffer the core reads and writes bytes, halfwords
// and words at random places, does the same to the copy, and compares: each value read, and every
// few jobs and at the end everything; the next job spreads an error over its whole block. To the
// core a job must look as if it had been complete when it was started.
//
// Console: {"question":"traffic","accesses":N,"inside":I,"jobs":J,"bad":B,"shortest":S,"longest":L}
// `inside` counts the accesses that began while a job was under way; shortest and longest are
// cycles of one access with the reading of the counter. Exit 0 if nothing was bad, else 1.
#include "aes_async.h"
#include "hal.h"
#include "say.h"

#ifndef TRAFFIC_ACCESSES
#define TRAFFIC_ACCESSES 1000000u
#endif
#define BLOCKS 256u
#define GUARD_WORDS 16u
#define WORDS (BLOCKS * AES_BLOCK_BYTES / 4u)
#define ALL_WORDS (WORDS + 2u * GUARD_WORDS)
#define BEHIND 2u     // accesses after the end of each job
#define BETWEEN 256u  // jobs from one look at everything to the next

// A cache line of 32 bytes never holds buffer and other data.
static uint32_t shared[ALL_WORDS] __attribute__((aligned(64)));
static uint32_t plain[ALL_WORDS] __attribute__((aligned(64)));
static aes_key_t encryption, decryption;

typedef uint8_t byte_t;
typedef uint16_t __attribute__((may_alias)) half_t;
typedef uint32_t word_t;

static uint32_t random_state = 2463534242u;

// xorshift32 (Marsaglia 2003).
static uint32_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

static uint32_t bad, shortest = UINT32_MAX, longest;

static void note(uint32_t cycles) {
  if (cycles < shortest) shortest = cycles;
  if (cycles > longest) longest = cycles;
}

#define TIMED(statement)               \
  do {                                 \
    uint32_t before_ = hal_cycles();   \
    statement;                         \
    note(hal_cycles() - before_);      \
  } while (0)

// Do one access of a type to both; `at` is a byte offset that is aligned to it.
#define ACCESS(type, at, value, writes)                                             \
  do {                                                                              \
    volatile type *real_ = (volatile type *)((volatile uint8_t *)shared + (at));    \
    type *copy_ = (type *)((uint8_t *)plain + (at));                                \
    if (writes) {                                                                   \
      TIMED(*real_ = (type)(value));                                                \
      *copy_ = (type)(value);                                                       \
    } else {                                                                        \
      type got_;                                                                    \
      TIMED(got_ = *real_);                                                         \
      if (got_ != *copy_) bad++;                                                    \
    }                                                                               \
  } while (0)

static void access_once(void) {
  const uint32_t choice = next_random(), value = choice * 0x9e3779b9u;
  const uint32_t at = (choice & 0xffffu) * (ALL_WORDS * 4u) >> 16;
  const int writes = (choice >> 24 & 1u) != 0;
  switch (choice >> 25 & 3u) {
    case 0: ACCESS(byte_t, at, value, writes); break;
    case 1: ACCESS(half_t, at & ~1u, value, writes); break;
    default: ACCESS(word_t, at & ~3u, value, writes); break;
  }
}

static void compare(void) {
  for (size_t i = 0; i < ALL_WORDS; i++) {
    bad += shared[i] != plain[i];
  }
}

static void say_count(const char *name, uint32_t value) {
  say(name);
  say_u32(value);
}

int main(void) {
  static const uint32_t key[4] = {0x03020100u, 0x07060504u, 0x0b0a0908u, 0x0f0e0d0cu};
  if (aes_set_encrypt_key(&encryption, (const uint8_t *)key, 128) != AES_OK ||
      aes_set_decrypt_key(&decryption, (const uint8_t *)key, 128) != AES_OK) {
    return 1;
  }
  for (size_t i = 0; i < ALL_WORDS; i++) {
    shared[i] = plain[i] = next_random();
  }
  uint32_t accesses = 0, inside = 0, jobs = 0;
  uint8_t *real = (uint8_t *)(shared + GUARD_WORDS), *copy = (uint8_t *)(plain + GUARD_WORDS);
  while (accesses < TRAFFIC_ACCESSES && bad == 0) {
    const size_t blocks = 1u + next_random() % BLOCKS;
    const int decrypts = (next_random() >> 8 & 1u) != 0;
    const aes_key_t *k = decrypts ? &decryption : &encryption;
    if ((decrypts ? aes_decrypt_blocks : aes_encrypt_blocks)(k, copy, copy, blocks) != AES_OK ||
        (decrypts ? aes_decrypt_start : aes_encrypt_start)(k, real, real, blocks) != AES_OK) {
      return 1;
    }
    jobs++;
    for (uint32_t behind = 0; behind < BEHIND; accesses++) {
      if (aes_running(k)) {
        inside++;
      } else {
        behind++;
      }
      access_once();
    }
    if (aes_finish(k) != AES_OK) {
      return 1;
    }
    if (jobs % BETWEEN == 0) {
      compare();
    }
  }
  compare();
  say_count("{\"question\":\"traffic\",\"accesses\":", accesses);
  say_count(",\"inside\":", inside);
  say_count(",\"jobs\":", jobs);
  say_count(",\"bad\":", bad);
  say_count(",\"shortest\":", shortest);
  say_count(",\"longest\":", longest);
  say("}\n");
  return bad != 0;
}
