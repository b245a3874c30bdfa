// SPDX-License-Identifier: Apache-2.0
// Counters of PicoRV32: only `cycle` and `instret` and their upper halves exist.

#include "hal.h"

uint32_t hal_cycles(void) {
  uint32_t value;
  __asm__ volatile("rdcycle %0" : "=r"(value));
  return value;
}

uint32_t hal_instret(void) {
  uint32_t value;
  __asm__ volatile("rdinstret %0" : "=r"(value));
  return value;
}
