// SPDX-License-Identifier: Apache-2.0
// Defaults for kernels of stateless units and of software.
#include "aes_kernel.h"

#define WEAK __attribute__((weak))

WEAK void aes_unit_save(aes_unit_state_t *state) {
  (void)state;
}

WEAK void aes_unit_restore(const aes_unit_state_t *state) {
  (void)state;
}

// The unit is in the core: no call waits for hardware outside of it.
WEAK uint32_t aes_waited(void) {
  return 0u;
}
