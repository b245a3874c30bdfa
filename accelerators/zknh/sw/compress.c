// SPDX-License-Identifier: Apache-2.0
// The compression function of SHA-256 on the unit, in place of the one in C; contract in sha256.h.
#include "accel_ops.h"

#include <stddef.h>

static void wipe(uint32_t *words, size_t bytes) {
  for (volatile uint32_t *at = words; bytes != 0u; bytes -= 4u) *at++ = 0;
}

#define SHA256_WIPE wipe
#define SHA256_LINKAGE
#ifdef ZKNH_CUSTOM
#define SHA256_SUM0 sh_sum0
#define SHA256_SUM1 sh_sum1
#define SHA256_SIG0 sh_sig0
#define SHA256_SIG1 sh_sig1
#else
#define SHA256_SUM0 sha256sum0
#define SHA256_SUM1 sha256sum1
#define SHA256_SIG0 sha256sig0
#define SHA256_SIG1 sha256sig1
#endif
#include "sha256_entry.h"
