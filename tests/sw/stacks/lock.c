// SPDX-License-Identifier: Apache-2.0
// The lock of aesforge.h with counters that a test reads.
#include "aesforge.h"

int lock_depth, lock_taken, lock_double;

void aesforge_lock(void) {
  lock_double += lock_depth != 0;
  lock_depth++;
  lock_taken++;
}

void aesforge_unlock(void) { lock_depth--; }
