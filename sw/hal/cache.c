// SPDX-License-Identifier: Apache-2.0
// A core with a data cache has functions of its own.

#include "hal.h"

__attribute__((weak)) int hal_has_dcache(void) { return 0; }

__attribute__((weak)) void hal_dcache_invalidate(void) {}
