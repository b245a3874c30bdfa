// SPDX-License-Identifier: Apache-2.0
// Shared by both arrangements of the state: moving bits into slices and back, and the key
// expansion, which is constant-time as well.
// Source: FIPS 197, section 5.2, for the expansion.
#ifndef FIXSLICE_SLICES_H
#define FIXSLICE_SLICES_H

#include "aes_kernel.h"
#include "aes_forget_registers.h"
#include "sbox.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "little-endian only: byte r of a column is byte r of a word"
#endif

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

// The constant of the S-box, in each byte of a word.
#define SBOX_CONSTANT 0x63636363u

// The longest schedule: four words for each of 15 round keys.
#define SCHEDULE_WORDS 60u

// Buffers of bytes are read as words.
typedef uint32_t __attribute__((may_alias)) word_t;

INLINE uint32_t ror(uint32_t w, unsigned n) { return n == 0 ? w : w >> n | w << (32 - n); }

// Exchange the bits of b in `mask` with the bits of a that are n places higher.
INLINE void swap_bits(uint32_t *a, uint32_t *b, unsigned n, uint32_t mask) {
  const uint32_t t = ((*a >> n) ^ *b) & mask;
  *b ^= t;
  *a ^= t << n;
}

// 8x8 bits in each of the four byte lanes: bit b of word k and bit k of word b change places.
INLINE void transpose_bits(uint32_t w[8]) {
#define SWAP(i, n, mask) swap_bits(&w[i], &w[i + n], n, mask);
  SWAP(0, 1, 0x55555555u) SWAP(2, 1, 0x55555555u) SWAP(4, 1, 0x55555555u) SWAP(6, 1, 0x55555555u)
  SWAP(0, 2, 0x33333333u) SWAP(1, 2, 0x33333333u) SWAP(4, 2, 0x33333333u) SWAP(5, 2, 0x33333333u)
  SWAP(0, 4, 0x0f0f0f0fu) SWAP(1, 4, 0x0f0f0f0fu) SWAP(2, 4, 0x0f0f0f0fu) SWAP(3, 4, 0x0f0f0f0fu)
#undef SWAP
}

// Overwrite words, a multiple of four, in a way that the compiler keeps.
NOINLINE void wipe(volatile uint32_t *w, unsigned n) {
  for (volatile uint32_t *const end = w + n; w != end; w += 4) {
    w[0] = 0;
    w[1] = 0;
    w[2] = 0;
    w[3] = 0;
  }
}

#define BELOW_WORDS 32u  // the frames of slice_key and expand

NOINLINE void wipe_below(void) {
  uint32_t room[BELOW_WORDS];
  wipe(room, BELOW_WORDS);
}

// End a key set-up: wipe the schedule, the stack below it, and registers.
INLINE int forget_schedule(uint32_t w[SCHEDULE_WORDS]) {
  wipe(w, SCHEDULE_WORDS);
  wipe_below();
  forget_registers();
  return AES_OK;
}

// SubWord with the slices of one word: bit b of the four bytes, one bit in each byte of word b.
INLINE uint32_t sub_word(uint32_t w) {
#define BIT(b) ((w >> b) & 0x01010101u)
  uint32_t s[8] = {BIT(0), BIT(1), BIT(2), BIT(3), BIT(4), BIT(5), BIT(6), BIT(7)};
#undef BIT
  sbox_slices(s);
  return (s[0] | s[1] << 1 | s[2] << 2 | s[3] << 3 | s[4] << 4 | s[5] << 5 | s[6] << 6 |
          s[7] << 7) ^
         SBOX_CONSTANT;
}

// KeyExpansion. Returns the number of rounds, or 0 for a key length that AES does not have.
NOINLINE unsigned expand(uint32_t w[SCHEDULE_WORDS], const word_t *key, unsigned key_bits) {
  if (key_bits != 128 && key_bits != 192 && key_bits != 256) return 0;
  const unsigned nk = key_bits / 32;
  const uint32_t *const end = w + 4 * (nk + 7);
  uint32_t rcon = 1;
  uint32_t t = 0;
  for (unsigned i = 0; i < nk; i++) *w++ = t = key[i];
  for (unsigned phase = 0; w != end; w++) {
    if (phase == 0 || (nk == 8 && phase == 4)) {
      t = sub_word(t);
      if (phase == 0) {
        t = ror(t, 8) ^ rcon;  // RotWord, which may as well come second
        rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11bu);
      }
    }
    *w = t ^= *(w - nk);
    if (++phase == nk) phase = 0;
  }
  return nk + 6;
}

#endif
