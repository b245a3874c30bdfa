// SPDX-License-Identifier: Apache-2.0
// Arithmetic on arrays of 32-bit words, in constant time. Multiplication is product scanning (a
// column of the result at a time, Comba 1990) with a sum of three words: on RV32 one product costs
// mul, mulhu and six additions and comparisons, and each operand word is in a register.
#include "words.h"

#include "aes_forget_registers.h"

ECC_WEAK uint32_t ecc_add(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n) {
  uint32_t carry = 0u;
  for (size_t i = 0; i < n; i++) {
    uint32_t sum = a[i] + b[i];
    uint32_t out = sum < a[i];
    r[i] = sum + carry;
    carry = out | (r[i] < sum);
  }
  return carry;
}

ECC_WEAK uint32_t ecc_sub(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n) {
  uint32_t borrow = 0u;
  for (size_t i = 0; i < n; i++) {
    uint32_t difference = a[i] - b[i];
    uint32_t out = a[i] < b[i];
    out |= difference < borrow;
    r[i] = difference - borrow;
    borrow = out;
  }
  return borrow;
}

uint32_t ecc_add_masked(uint32_t *r, uint32_t mask, const uint32_t *m, size_t n) {
  uint32_t carry = 0u;
  for (size_t i = 0; i < n; i++) {
    uint32_t added = m[i] & mask;
    uint32_t sum = r[i] + added;
    uint32_t out = sum < added;
    r[i] = sum + carry;
    carry = out | (r[i] < sum);
  }
  return carry;
}

uint32_t ecc_is_zero(const uint32_t *a, size_t n) {
  uint32_t any = 0u;
  for (size_t i = 0; i < n; i++) {
    any |= a[i];
  }
  return ecc_mask_zero(any);
}

uint32_t ecc_is_less(const uint32_t *a, const uint32_t *b, size_t n) {
  uint32_t borrow = 0u;
  for (size_t i = 0; i < n; i++) {
    uint32_t difference = a[i] - b[i];
    borrow = (uint32_t)(a[i] < b[i]) | (uint32_t)(difference < borrow);
  }
  return ecc_mask_bit(borrow);
}

// (c2, c1, c0) += x y
#define MAC(x, y)                           \
  do {                                      \
    uint64_t p_ = (uint64_t)(x) * (y);      \
    uint32_t lo_ = (uint32_t)p_;            \
    uint32_t hi_ = (uint32_t)(p_ >> 32);    \
    c0 += lo_;                              \
    hi_ += (uint32_t)(c0 < lo_);            \
    c1 += hi_;                              \
    c2 += (uint32_t)(c1 < hi_);             \
  } while (0)

// The next word of the result.
#define OUT(k)    \
  do {            \
    r[k] = c0;    \
    c0 = c1;      \
    c1 = c2;      \
    c2 = 0u;      \
  } while (0)

ECC_WEAK void ecc_mul256(uint32_t r[16], const uint32_t a[8], const uint32_t b[8]) {
  uint32_t c0 = 0u, c1 = 0u, c2 = 0u;
#pragma GCC unroll 8
  for (size_t k = 0; k < 8u; k++) {
#pragma GCC unroll 8
    for (size_t i = 0; i <= k; i++) {
      MAC(a[i], b[k - i]);
    }
    OUT(k);
  }
#pragma GCC unroll 8
  for (size_t k = 8; k < 15u; k++) {
#pragma GCC unroll 8
    for (size_t i = k - 7u; i < 8u; i++) {
      MAC(a[i], b[k - i]);
    }
    OUT(k);
  }
  r[15] = c0;
}

// Twice the sum of the products of different words, plus a square: the sum of a column is doubled
// once. (d2, d1, d0) is the carry from the column before, (c2, c1, c0) this column's sum.
#define COLUMN(k, from, to)                            \
  do {                                                 \
    uint32_t d0 = c0, d1 = c1, d2 = c2;                \
    c0 = c1 = c2 = 0u;                                 \
    for (size_t i = (from); i < (to); i++) {           \
      MAC(a[i], a[(k) - i]);                           \
    }                                                  \
    c2 = (c2 << 1) | (c1 >> 31);                       \
    c1 = (c1 << 1) | (c0 >> 31);                       \
    c0 <<= 1;                                          \
    if ((k) % 2u == 0u) {                              \
      MAC(a[(k) / 2u], a[(k) / 2u]);                   \
    }                                                  \
    c0 += d0;                                          \
    d1 += (uint32_t)(c0 < d0);                         \
    d2 += (uint32_t)(d1 < (uint32_t)(c0 < d0));        \
    c1 += d1;                                          \
    c2 += d2 + (uint32_t)(c1 < d1);                    \
    OUT(k);                                            \
  } while (0)

ECC_WEAK void ecc_sqr256(uint32_t r[16], const uint32_t a[8]) {
  uint32_t c0 = 0u, c1 = 0u, c2 = 0u;
#pragma GCC unroll 8
  for (size_t k = 0; k < 8u; k++) {
    COLUMN(k, 0u, (k + 1u) / 2u);
  }
#pragma GCC unroll 8
  for (size_t k = 8; k < 15u; k++) {
    COLUMN(k, k - 7u, (k + 1u) / 2u);
  }
  r[15] = c0;
}

void ecc_from_little(uint32_t *r, const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; i++, bytes += 4) {
    r[i] = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
  }
}

void ecc_to_little(uint8_t *bytes, const uint32_t *a, size_t n) {
  for (size_t i = 0; i < 4u * n; i++) {
    bytes[i] = (uint8_t)(a[i / 4u] >> (8u * (i % 4u)));
  }
}

void ecc_from_big(uint32_t *r, const uint8_t *bytes, size_t n) {
  for (size_t i = n; i-- > 0u; bytes += 4) {
    r[i] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           (uint32_t)bytes[3];
  }
}

void ecc_to_big(uint8_t *bytes, const uint32_t *a, size_t n) {
  for (size_t i = 0; i < 4u * n; i++) {
    size_t from_low = 4u * n - 1u - i;
    bytes[i] = (uint8_t)(a[from_low / 4u] >> (8u * (from_low % 4u)));
  }
}

typedef uint32_t __attribute__((may_alias)) any_word_t;

void ecc_wipe(void *data, size_t bytes) {
  volatile uint8_t *p = data;
  for (; bytes != 0u && (uintptr_t)p % sizeof(any_word_t) != 0u; bytes--) {
    *p++ = 0u;
  }
  volatile any_word_t *words = (volatile any_word_t *)(volatile void *)p;
  for (; bytes >= sizeof(any_word_t); bytes -= sizeof(any_word_t)) {
    *words++ = 0u;
  }
  for (p = (volatile uint8_t *)words; bytes != 0u; bytes--) {
    *p++ = 0u;
  }
}

#define STACK_WORDS 192u  // more than any field operation and HMAC use

__attribute__((noinline)) void ecc_wipe_stack(void) {
  uint32_t below[STACK_WORDS];
  ecc_wipe(below, sizeof below);
  forget_registers();
}
