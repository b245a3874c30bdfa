// SPDX-License-Identifier: Apache-2.0
// The unit's state: 72 bits of accumulator, for code that interrupts a sequence of operations; and
// the end of a key, in memory and in the unit.
// Source: README.md (um_shacr, um_shin); sw/include/aes_kernel.h for the contract.
#include "accel_ops.h"
#include "aes_kernel.h"

void aes_unit_save(aes_unit_state_t *state) {
  for (unsigned i = 0; i < 3; i++) state->word[i] = um_shacr(0, 0);
}

void aes_unit_restore(const aes_unit_state_t *state) {
  for (unsigned i = 3; i-- != 0;) (void)um_shin(state->word[i], 0);
}

// The product of zeros takes the place of the accumulator, of the operands and of the product that
// the unit's registers still hold from the operations before: they may stem from the key.
void aes_clear_key(aes_key_t *k) {
  volatile uint32_t *const words = (volatile uint32_t *)k;
  for (unsigned i = 0; i < sizeof *k / sizeof *words; i++) words[i] = 0;
  (void)um_mulu(0, 0);
}
