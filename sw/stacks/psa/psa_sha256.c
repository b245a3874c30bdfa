// SPDX-License-Identifier: Apache-2.0
// Mbed TLS's SHA-256 over the compression function of sha256.h, which a unit may replace. Mbed TLS
// asks for it with MBEDTLS_SHA256_PROCESS_ALT.
#include "mbedtls/sha256.h"
#include "sha256.h"

int mbedtls_internal_sha256_process(mbedtls_sha256_context *context, const unsigned char data[64]) {
  sha256_blocks(context->MBEDTLS_PRIVATE(state), data, 1);
  return 0;
}
