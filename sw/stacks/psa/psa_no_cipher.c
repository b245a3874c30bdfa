// SPDX-License-Identifier: Apache-2.0
// Where the driver does everything, Mbed TLS's cipher.c is not linked, but the built-in code after
// the driver still looks algorithms up there. It finds none and says PSA_ERROR_NOT_SUPPORTED.
#include <stddef.h>

#include "mbedtls/cipher.h"

__attribute__((weak)) const mbedtls_cipher_info_t *mbedtls_cipher_info_from_values(
    const mbedtls_cipher_id_t cipher_id, int key_bitlen, const mbedtls_cipher_mode_t mode) {
  (void)cipher_id;
  (void)key_bitlen;
  (void)mode;
  return NULL;
}
