// SPDX-License-Identifier: Apache-2.0
// For kernels: the functions of the contract. A kernel defines first, then includes this,
//   int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits)
//   int encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
//   int decrypt(...)    the same, unless AES_ENCRYPT_ONLY
// A kernel that defines aes_encrypt_blocks and aes_decrypt_blocks itself, in assembly for example,
// defines OWN_BLOCKS instead of encrypt() and decrypt().
//
// A key set-up clears the registers at its end; a call on blocks does not (aes_kernel.h). A kernel
// whose expand() clears them defines EXPAND_FORGETS.
#ifndef AES_ENTRIES_H
#define AES_ENTRIES_H

#include "aes_forget_registers.h"
#include "aes_kernel.h"

#ifdef EXPAND_FORGETS
#define EXPANDED(status) (status)
#else
#define EXPANDED(status) forgetting(status)
#endif

#ifndef OWN_BLOCKS
int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return encrypt(k, in, out, nblocks);
}
#endif

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return EXPANDED(expand(0, k, key, key_bits));
}

#ifdef AES_ENCRYPT_ONLY

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  (void)key, (void)key_bits;
  return aes_no_key(k, AES_ERR_UNSUPPORTED);
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  (void)k, (void)in;
  return aes_no_blocks(out, nblocks, AES_ERR_UNSUPPORTED);
}

#else

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return EXPANDED(expand(1, k, key, key_bits));
}

#ifndef OWN_BLOCKS
int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return decrypt(k, in, out, nblocks);
}
#endif

#endif

#endif
