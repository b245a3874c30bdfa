// SPDX-License-Identifier: Apache-2.0
// The unit's state: 72 bits of accumulator, for code that interrupts a sequence of operations.
// Source: README.md (um_shacr, um_shin); sw/include/aes_kernel.h for the contract.
#include "accel_ops.h"
#include "aes_kernel.h"

void aes_unit_save(aes_unit_state_t *state) {
  for (unsigned i = 0; i < 3; i++) state->word[i] = um_shacr(0, 0);
}

void aes_unit_restore(const aes_unit_state_t *state) {
  for (unsigned i = 3; i-- != 0;) (void)um_shin(state->word[i], 0);
}
