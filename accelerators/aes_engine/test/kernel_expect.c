// SPDX-License-Identifier: Apache-2.0
// What kernel_bench.c expects, by the portable kernel and the modes under other names.
#include <string.h>

#include "aes_gcm.h"

void bench_expect(int what, const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                  size_t n);

// ECB in both directions, CBC in both, CTR; or AES-GCM with 12 bytes of `iv`, 5 of it as AAD, and
// the tag after the text.
void bench_expect(int what, const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                  size_t n)
{
  uint32_t words[4];
  uint8_t chain[16];
  aes_gcm_key_t k;
  memcpy(words, key, 16);
  if (iv)
    memcpy(chain, iv, 16);
  if (what == 1 || what == 3)
    (void)aes_set_decrypt_key(&k.cipher, (const uint8_t *)words, 128);
  else
    (void)aes_gcm_set_key(&k, (const uint8_t *)words, 128);
  switch (what) {
    case 0:
      (void)aes_ecb_encrypt(&k.cipher, in, out, n / 16);
      break;
    case 1:
      (void)aes_ecb_decrypt(&k.cipher, in, out, n / 16);
      break;
    case 2:
      (void)aes_cbc_encrypt(&k.cipher, chain, in, out, n / 16);
      break;
    case 3:
      (void)aes_cbc_decrypt(&k.cipher, chain, in, out, n / 16);
      break;
    case 4:
      (void)aes_ctr(&k.cipher, chain, in, out, n);
      break;
    default:
      (void)aes_gcm_encrypt(&k, iv, 12, iv, 5, in, out, n, out + n, 16);
  }
}
