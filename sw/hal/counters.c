// SPDX-License-Identifier: Apache-2.0
// The counters of the RISC-V unprivileged specification; cores without them override these.

#include "hal.h"

__attribute__((weak)) uint32_t hal_cycles(void) {
  uint32_t value;
  __asm__ volatile("rdcycle %0" : "=r"(value));
  return value;
}

__attribute__((weak)) uint32_t hal_instret(void) {
  uint32_t value;
  __asm__ volatile("rdinstret %0" : "=r"(value));
  return value;
}
