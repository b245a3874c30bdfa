// SPDX-License-Identifier: Apache-2.0
// Constant-time arithmetic on numbers of n 32-bit words, least significant first.
#ifndef ECC_WORDS_H
#define ECC_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define ECC_WEAK __attribute__((weak))

// All ones if the argument is zero, otherwise zero. The empty statement hides the mask's two values
// from the compiler, which could otherwise branch on them.
static inline uint32_t ecc_mask_zero(uint32_t x) {
  uint32_t mask = (uint32_t)0 - (((x | (0u - x)) >> 31) ^ 1u);
  __asm__("" : "+r"(mask));
  return mask;
}

// All ones for 1, zero for 0.
static inline uint32_t ecc_mask_bit(uint32_t bit) {
  uint32_t mask = 0u - bit;
  __asm__("" : "+r"(mask));
  return mask;
}

// r = mask ? b : a, n words.
static inline void ecc_select(uint32_t *r, uint32_t mask, const uint32_t *a, const uint32_t *b,
                              size_t n) {
  for (size_t i = 0; i < n; i++) {
    r[i] = a[i] ^ (mask & (a[i] ^ b[i]));
  }
}

static inline void ecc_copy(uint32_t *r, const uint32_t *a, size_t n) {
  for (size_t i = 0; i < n; i++) {
    r[i] = a[i];
  }
}

static inline void ecc_set(uint32_t *r, uint32_t value, size_t n) {
  for (size_t i = 1; i < n; i++) {
    r[i] = 0u;
  }
  r[0] = value;
}

// r = a + b, n words; returns the carry.
uint32_t ecc_add(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);

// r = a - b, n words; returns the borrow.
uint32_t ecc_sub(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);

// r += mask & m, n words; returns the carry.
uint32_t ecc_add_masked(uint32_t *r, uint32_t mask, const uint32_t *m, size_t n);

// All ones if a = 0, n words.
uint32_t ecc_is_zero(const uint32_t *a, size_t n);

// All ones if a < b, n words.
uint32_t ecc_is_less(const uint32_t *a, const uint32_t *b, size_t n);

// r = a b; r has 16 words, a and b have 8. r overlaps neither.
void ecc_mul256(uint32_t r[16], const uint32_t a[8], const uint32_t b[8]);
void ecc_sqr256(uint32_t r[16], const uint32_t a[8]);

// Byte strings and words; `bytes` needs no alignment, n words.
void ecc_from_little(uint32_t *r, const uint8_t *bytes, size_t n);
void ecc_to_little(uint8_t *bytes, const uint32_t *a, size_t n);
void ecc_from_big(uint32_t *r, const uint8_t *bytes, size_t n);
void ecc_to_big(uint8_t *bytes, const uint32_t *a, size_t n);

// Overwrite secrets with zeros; the compiler cannot remove it.
void ecc_wipe(void *data, size_t bytes);

// Overwrite the stack below this call and the registers, which earlier calls used. Call it last.
void ecc_wipe_stack(void);

#endif
