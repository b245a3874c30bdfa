// SPDX-License-Identifier: Apache-2.0
// Units without state have nothing to save; a kernel whose unit keeps something brings its own.
#include "aes_kernel.h"

#define WEAK __attribute__((weak))

WEAK void aes_unit_save(aes_unit_state_t *state) {
  (void)state;
}

WEAK void aes_unit_restore(const aes_unit_state_t *state) {
  (void)state;
}
