// SPDX-License-Identifier: Apache-2.0
// X25519 without a callback, as wolfSSL computes a public key alone: the function that its own
// code calls, in place of its fe_operations.c. Ed25519 needs that file; then leave this one out.
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/fe_operations.h>

#include "ecc.h"

void fe_init(void) {}

int curve25519(byte *q, const byte *n, const byte *p) {
  return x25519(q, n, p) == ECC_OK ? 0 : ECC_OUT_OF_RANGE_E;
}
