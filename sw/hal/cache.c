// SPDX-License-Identifier: Apache-2.0
// Defaults for a core without a data cache; platforms with one override them.

#include "hal.h"

__attribute__((weak)) int hal_has_dcache(void) { return 0; }

__attribute__((weak)) void hal_dcache_invalidate(void) {}
