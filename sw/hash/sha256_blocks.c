// SPDX-License-Identifier: Apache-2.0
// The compression function of SHA-256 in C, which a unit replaces; contract in sha256.h.
#include "aes_modes.h"

#define SHA256_WIPE aes_wipe
#define SHA256_LINKAGE __attribute__((weak))
#include "sha256_entry.h"
