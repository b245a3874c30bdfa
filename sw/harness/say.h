// SPDX-License-Identifier: Apache-2.0
// Printing for harness programs over hal_putc: strings and decimal numbers, without a C library.
#ifndef SAY_H
#define SAY_H

#include <stdint.h>

#include "hal.h"

static inline void say(const char *s) {
  while (*s != '\0') {
    hal_putc(*s++);
  }
}

static inline void say_u32(uint32_t value) {
  char digits[10];
  unsigned n = 0;
  do {
    digits[n++] = (char)('0' + (char)(value % 10u));
    value /= 10u;
  } while (value != 0u);
  while (n != 0u) {
    hal_putc(digits[--n]);
  }
}

#endif
