// SPDX-License-Identifier: Apache-2.0
// Mbed TLS's AES as a kernel of our contract.
// Source: Mbed TLS 2.28, declarations and comments in include/mbedtls/aes.h. The library is
// configured by the manifest's macros alone (MBEDTLS_CONFIG_FILE names a header that says nothing).
#include "aes_kernel.h"
#include "mbedtls/aes.h"

// The library's context lives in our key, but points into itself: its round keys begin at `buf`.
// The blocks are worked on through a second context that points there, so that a key may be copied.
_Static_assert(sizeof(mbedtls_aes_context) <= 4 * AES_KEY_WORDS, "sw.key_words is too small");
#define KEYS_AT (offsetof(mbedtls_aes_context, buf) / 4)

static mbedtls_aes_context *inside(aes_key_t *k) { return (mbedtls_aes_context *)(void *)k->rk; }

static mbedtls_aes_context view(const aes_key_t *k) {
  mbedtls_aes_context v;
  v.nr = (int)k->rounds;
  v.rk = (uint32_t *)(uintptr_t)(k->rk + KEYS_AT);
  return v;
}

static int finish(aes_key_t *k, unsigned key_bits, int status) {
  k->rounds = key_bits / 32 + 6;
  return status == 0 ? AES_OK : aes_no_key(k, AES_ERR_UNSUPPORTED);
}

static int known(unsigned key_bits) {
  return key_bits == 128 || key_bits == 192 || key_bits == 256;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  if (!known(key_bits)) return aes_no_key(k, AES_ERR_KEY_LENGTH);
  mbedtls_aes_init(inside(k));
  return finish(k, key_bits, mbedtls_aes_setkey_enc(inside(k), key, key_bits));
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  if (!known(key_bits)) return aes_no_key(k, AES_ERR_KEY_LENGTH);
  mbedtls_aes_init(inside(k));
  return finish(k, key_bits, mbedtls_aes_setkey_dec(inside(k), key, key_bits));
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  mbedtls_aes_context v = view(k);
  for (; nblocks != 0; nblocks--, in += 16, out += 16) {
    (void)mbedtls_internal_aes_encrypt(&v, in, out);
  }
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  mbedtls_aes_context v = view(k);
  for (; nblocks != 0; nblocks--, in += 16, out += 16) {
    (void)mbedtls_internal_aes_decrypt(&v, in, out);
  }
  return AES_OK;
}
