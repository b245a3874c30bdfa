// SPDX-License-Identifier: Apache-2.0
// Memory for Mbed TLS's ssl_tls.c, with the payload of records on a word boundary.
//
// A record buffer begins with 8 bytes of counter and 5 of header (RFC 8446, section 5.2). In TLS
// 1.2, 8 bytes of nonce follow (RFC 5288, section 3). If the buffer's address is 3 modulo 4, the
// payload is on a word boundary in both versions, and AES-GCM and memcpy go by words. Compile
// ssl_tls.c with mbedtls_calloc=record_calloc and mbedtls_free=record_free.
#include <stddef.h>
#include <stdint.h>

#include "mbedtls/platform.h"

#define SHIFT 3u

void *record_calloc(size_t count, size_t size);
void record_free(void *memory);

// Only record buffers are that large in ssl_tls.c.
void *record_calloc(size_t count, size_t size) {
  if (count != 1u || size < MBEDTLS_SSL_OUT_CONTENT_LEN || size > SIZE_MAX - SHIFT) {
    return mbedtls_calloc(count, size);
  }
  unsigned char *memory = mbedtls_calloc(1, size + SHIFT);
  return memory == NULL ? NULL : memory + SHIFT;
}

// What mbedtls_calloc gives lies on a word: only a shifted address does not.
void record_free(void *memory) {
  const size_t shift = (uintptr_t)memory % 4u;
  mbedtls_free(shift == SHIFT ? (unsigned char *)memory - SHIFT : memory);
}
