// SPDX-License-Identifier: Apache-2.0
// Firmware of somebody else's system: the exported FIPS 197 examples, and a line that says how they
// went. Without a C library.
#include <stdint.h>

#include "fips197.h"

// From the linker script: the console, and a word that ends the simulation.
extern volatile uint32_t console_data[], finish[];

__attribute__((naked, section(".start"), used)) void start(void);
void start(void) {
  __asm__ volatile(
      "la sp, stack_end\n"
      "call run\n"
      "1: j 1b\n");
}

static void say(const char *text) {
  for (; *text; ++text) {
    console_data[0] = (uint8_t)*text;
  }
}

void run(void);
void run(void) {
  const int step = fips197();
  char wrong[] = "FIPS 197: wrong at 0\n";
  wrong[sizeof wrong - 3] = (char)('0' + step);
  say(step ? wrong : "FIPS 197: right\n");
  finish[0] = (uint32_t)step;
}

// The compiler may call these.
void *memcpy(void *to, const void *from, unsigned long n);
void *memcpy(void *to, const void *from, unsigned long n) {
  uint8_t *t = to;
  const uint8_t *f = from;
  while (n--) *t++ = *f++;
  return to;
}

void *memset(void *to, int value, unsigned long n);
void *memset(void *to, int value, unsigned long n) {
  uint8_t *t = to;
  while (n--) *t++ = (uint8_t)value;
  return to;
}
