// SPDX-License-Identifier: Apache-2.0
// Shared by the programs that time calls with random inputs: ct.c and modes.c. Extremes are kept
// without branches, so that the measuring loop runs the same path in every iteration. Random
// numbers: xorshift32, G. Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8(14), 2003.
#ifndef EXTREMES_H
#define EXTREMES_H

#include <stddef.h>
#include <stdint.h>

#ifndef CT_WARMUP
#define CT_WARMUP 4u
#endif
#ifndef CT_SEED
#define CT_SEED 0x2545f491u
#endif

typedef struct {
  uint32_t min;
  uint32_t max;
  uint32_t first;
} extremes_t;

static uint32_t random_state = CT_SEED;

static uint32_t random_word(void) {
  uint32_t x = random_state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  random_state = x;
  return x;
}

static void random_fill(uint32_t *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    words[i] = random_word();
  }
}

// All ones if a < b, else zero; no branch, for any a and b.
static uint32_t less_mask(uint32_t a, uint32_t b) {
  return 0u - (uint32_t)(a < b);
}

// Take `t` into the extremes if `counts` is all ones, and as the first if `is_first` is.
static void note(extremes_t *e, uint32_t t, uint32_t counts, uint32_t is_first) {
  uint32_t below = less_mask(t, e->min) & counts;
  uint32_t above = less_mask(e->max, t) & counts;
  e->min = (t & below) | (e->min & ~below);
  e->max = (t & above) | (e->max & ~above);
  e->first = (t & is_first) | (e->first & ~is_first);
}

#endif
