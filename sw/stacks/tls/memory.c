// SPDX-License-Identifier: Apache-2.0
// memcpy, memmove and memset by words: those of the C library for small cores go byte by byte, and
// a record layer copies each record several times. Time depends on addresses and lengths alone.
#include <stddef.h>
#include <stdint.h>

#define WORD 4u

typedef uint32_t __attribute__((may_alias)) word_t;

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);

static size_t offset(const void *p) { return (uintptr_t)p % WORD; }

// From the first byte to the last: also for areas that overlap, if the target lies before.
static void forwards(uint8_t *to, const uint8_t *from, size_t n) {
  if (n >= 4u * WORD) {
    for (; offset(to) != 0; n--) *to++ = *from++;
    word_t *target = (word_t *)(void *)to;
    const unsigned shift = 8u * (unsigned)offset(from);
    const size_t words = n / WORD;
    const word_t *source = (const word_t *)(const void *)(from - offset(from));
    size_t i = 0;
    if (shift == 0) {
      for (; i + 4u <= words; i += 4u) {
        const uint32_t a = source[i], b = source[i + 1u], c = source[i + 2u], d = source[i + 3u];
        target[i] = a;
        target[i + 1u] = b;
        target[i + 2u] = c;
        target[i + 3u] = d;
      }
      for (; i < words; i++) target[i] = source[i];
    } else {
      // A word of the target lies in two of the source (little-endian).
      uint32_t low = source[0];
      for (; i < words; i++) {
        const uint32_t high = source[i + 1u];
        target[i] = low >> shift | high << (32u - shift);
        low = high;
      }
    }
    to += words * WORD;
    from += words * WORD;
    n %= WORD;
  }
  for (; n != 0; n--) *to++ = *from++;
}

static void backwards(uint8_t *to, const uint8_t *from, size_t n) {
  to += n;
  from += n;
  if (offset(to) == offset(from)) {
    for (; n != 0 && offset(to) != 0; n--) *--to = *--from;
    for (; n >= WORD; n -= WORD) {
      to -= WORD;
      from -= WORD;
      *(word_t *)(void *)to = *(const word_t *)(const void *)from;
    }
  }
  for (; n != 0; n--) *--to = *--from;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  forwards(to, from, n);
  return to;
}

void *memmove(void *to, const void *from, size_t n) {
  if ((uintptr_t)to - (uintptr_t)from >= n) {
    forwards(to, from, n);
  } else {
    backwards(to, from, n);
  }
  return to;
}

void *memset(void *to, int value, size_t n) {
  uint8_t *at = to;
  const uint8_t byte = (uint8_t)value;
  if (n >= 2u * WORD) {
    for (; offset(at) != 0; n--) *at++ = byte;
    const uint32_t word = 0x01010101u * byte;
    for (; n >= WORD; n -= WORD) {
      *(word_t *)(void *)at = word;
      at += WORD;
    }
  }
  for (; n != 0; n--) *at++ = byte;
  return to;
}
