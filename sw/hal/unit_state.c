// SPDX-License-Identifier: Apache-2.0
// What kernels of units without state and of software need not bring themselves.
#include "aes_kernel.h"

#define WEAK __attribute__((weak))

WEAK void aes_unit_save(aes_unit_state_t *state) {
  (void)state;
}

WEAK void aes_unit_restore(const aes_unit_state_t *state) {
  (void)state;
}

// The unit is part of the core, which waits for nothing else.
WEAK uint32_t aes_waited(void) {
  return 0u;
}
