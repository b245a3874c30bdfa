// SPDX-License-Identifier: Apache-2.0
// A shape: HMAC-SHA-256 with keys of 32 bytes, FIPS 198-1.
//
// Include it after SHA256_T, the type of a hash in progress; SHA256(init), SHA256(update) and
// SHA256(final), the names of its functions; SHA256_WIPE(data, bytes); and HMAC_LINKAGE, what is
// written before hmac_sha256: nothing or an attribute.
#ifndef SHA256_HMAC_H
#define SHA256_HMAC_H

#include <stddef.h>
#include <stdint.h>

static void hmac_keyed(SHA256_T *s, const uint8_t key[32u], uint8_t pad) {
  uint8_t block[64u];
  for (unsigned i = 0; i < 64u; i++) {
    block[i] = (uint8_t)((i < 32u ? key[i] : 0u) ^ pad);
  }
  SHA256(init)(s);
  SHA256(update)(s, block, 64u);
  SHA256_WIPE(block, sizeof block);
}

HMAC_LINKAGE void hmac_sha256(uint8_t mac[32u], const uint8_t key[32u],
                          const uint8_t *const data[], const size_t bytes[], size_t parts) {
  SHA256_T s;
  uint8_t inner[32u];
  hmac_keyed(&s, key, 0x36u);
  for (size_t i = 0; i < parts; i++) {
    SHA256(update)(&s, data[i], bytes[i]);
  }
  SHA256(final)(&s, inner);
  hmac_keyed(&s, key, 0x5cu);
  SHA256(update)(&s, inner, 32u);
  SHA256(final)(&s, mac);
  SHA256_WIPE(inner, sizeof inner);
}

#endif
