// SPDX-License-Identifier: Apache-2.0
// The data cache of VexRiscv: its instruction 0x500F empties the whole of it
// (DBusCachedPlugin.scala, "flush"), lines that are being written are never dirty.

#include "hal.h"

int hal_has_dcache(void) { return 1; }

void hal_dcache_invalidate(void) {
  __asm__ volatile(".word 0x0000500f" : : : "memory");
}
