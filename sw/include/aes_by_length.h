// SPDX-License-Identifier: Apache-2.0
// For kernels: expand() of aes_entries.h over one function a key length, so that each saves and
// clears only the registers that it uses. The kernel defines first
//   INLINE int expand_128(const int dec, aes_key_t *k, const uint8_t *key)
//   INLINE int expand_192(...), INLINE int expand_256(...)   the same parameters
// which make the round keys and return AES_OK.
#ifndef AES_BY_LENGTH_H
#define AES_BY_LENGTH_H

#include "aes_in_registers.h"

#define EXPAND_FORGETS

#define EXPANSION(name, expansion, dec)                                                 \
  static __attribute__((noinline)) FORGETS int name(aes_key_t *k, const uint8_t *key) { \
    return FORGOTTEN(expansion(dec, k, key));                                           \
  }

EXPANSION(forward_128, expand_128, 0)
EXPANSION(forward_192, expand_192, 0)
EXPANSION(forward_256, expand_256, 0)
#ifndef AES_ENCRYPT_ONLY
EXPANSION(inverse_128, expand_128, 1)
EXPANSION(inverse_192, expand_192, 1)
EXPANSION(inverse_256, expand_256, 1)
#endif

INLINE int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = key_bits / 32 + 6;
#ifndef AES_ENCRYPT_ONLY
  if (dec) {
    if (key_bits == 128) return inverse_128(k, key);
    return key_bits == 192 ? inverse_192(k, key) : inverse_256(k, key);
  }
#endif
  (void)dec;
  if (key_bits == 128) return forward_128(k, key);
  return key_bits == 192 ? forward_192(k, key) : forward_256(k, key);
}

#undef EXPANSION

#endif
