// SPDX-License-Identifier: Apache-2.0
// Kernel and modes on secrets that Valgrind's memcheck knows as undefined: it reports each
// branch and each address that depends on one. Keys, texts and AAD are secret; lengths, IVs and
// counters are public, and so are ciphertext and tag once a call has returned them.
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "aes_ccm.h"
#include "aes_cmac.h"
#include "aes_gcm.h"
#include "aes_gcm_siv.h"
#include "aes_kw.h"
#include "aes_xts.h"
#include "aesforge.h"

#define SECRET(x, n) VALGRIND_MAKE_MEM_UNDEFINED(x, n)
#define PUBLIC(x, n) VALGRIND_MAKE_MEM_DEFINED(x, n)
#define MOST 400u

static uint32_t space[8][MOST / 4u + 4u];

static void require(int good) {
  if (!good) exit(4);
}

// For kernels, as AES_PUBLIC: what a comparison of tags says is the status.
void now_public(const void *data, unsigned long n);
void now_public(const void *data, unsigned long n) { PUBLIC(data, n); }

// A buffer at a place, of bytes that say little.
static uint8_t *bytes(unsigned number, unsigned at) {
  uint8_t *p = (uint8_t *)space[number];
  PUBLIC(p, sizeof space[number]);
  for (unsigned i = 0; i < sizeof space[number]; i++) p[i] = (uint8_t)(i * 7u + number);
  return p + at;
}

static void run_modes(unsigned bits, unsigned at) {
  static const unsigned lengths[] = {0, 1, 2, 3, 5, 8, 24, 25};
  aes_key_t forth, back;
  uint8_t *key = bytes(0, 0);
  SECRET(key, bits / 8u);
  require(aes_set_encrypt_key(&forth, key, bits) == AES_OK);
#ifndef ENCRYPT_ONLY
  require(aes_set_decrypt_key(&back, key, bits) == AES_OK);
#endif
  for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    unsigned n = lengths[i];
    uint8_t *in = bytes(1, at), *out = bytes(2, at), *iv = bytes(3, at);
    SECRET(in, n * 16u);
    require(aes_ecb_encrypt(&forth, in, out, n) == AES_OK);
    require(aes_cbc_encrypt(&forth, iv, in, out, n) == AES_OK);
    PUBLIC(iv, 16);
    require(aes_ctr(&forth, iv, in, out, n * 16u - (n != 0u ? 3u : 0u)) == AES_OK);
#ifndef ENCRYPT_ONLY
    PUBLIC(out, n * 16u);
    require(aes_ecb_decrypt(&back, out, in, n) == AES_OK);
    require(aes_cbc_decrypt(&back, iv, out, in, n) == AES_OK);
#endif
  }
  aes_clear_key(&forth);
#ifndef ENCRYPT_ONLY
  aes_clear_key(&back);
#else
  (void)back;
#endif
}

static void run_gcm(unsigned bits, unsigned at, unsigned n, unsigned iv_bytes) {
  static aes_gcm_key_t k;
  static aes_gcm_t g;
  uint8_t *key = bytes(0, at), *text = bytes(1, at), *out = bytes(2, at), *iv = bytes(3, at);
  uint8_t *aad = bytes(4, at), *tag = bytes(5, at), *clear = bytes(6, at);
  SECRET(key, bits / 8u);
  SECRET(text, n);
  SECRET(aad, 21);
  require(aes_gcm_set_key(&k, key, bits) == AES_OK);
  require(aes_gcm_encrypt(&k, iv, iv_bytes, aad, 21, text, out, n, tag, 16) == AES_OK);
  PUBLIC(out, n);
  PUBLIC(tag, 16);
  require(aes_gcm_decrypt(&k, iv, iv_bytes, aad, 21, out, clear, n, tag, 16) == AES_OK);
  tag[15] ^= 1u;
  require(aes_gcm_decrypt(&k, iv, iv_bytes, aad, 21, out, clear, n, tag, 16) == AES_ERR_TAG);
  tag[15] ^= 1u;
  unsigned half = n / 2u;
  require(aes_gcm_start(&g, &k, iv, iv_bytes) == AES_OK);
  require(aes_gcm_aad(&g, aad, 21) == AES_OK);
  require(aes_gcm_encrypt_update(&g, text, out, half) == AES_OK);
  require(aes_gcm_encrypt_update(&g, text + half, out + half, n - half) == AES_OK);
  require(aes_gcm_encrypt_finish(&g, tag, 12) == AES_OK);
  PUBLIC(out, n);
  PUBLIC(tag, 12);
  require(aes_gcm_start(&g, &k, iv, iv_bytes) == AES_OK);
  require(aes_gcm_aad(&g, aad, 21) == AES_OK);
  require(aes_gcm_verify_update(&g, out, half) == AES_OK);
  require(aes_gcm_verify_update(&g, out + half, n - half) == AES_OK);
  require(aes_gcm_verify_finish(&g, tag, 12) == AES_OK);
  require(aes_gcm_decrypt_update(&g, out, clear, half) == AES_OK);
  require(aes_gcm_decrypt_update(&g, out + half, clear + half, n - half) == AES_OK);
  require(aes_gcm_decrypt_finish(&g) == AES_OK);
  aes_gcm_clear_key(&k);
}

// Good and forged messages: `call` decrypts or verifies, `check` is a byte that is authenticated.
#define BOTH_VERDICTS(call, check)   \
  do {                               \
    require((call) == AES_OK);       \
    (check) ^= 1u;                   \
    require((call) == AES_ERR_TAG);  \
    (check) ^= 1u;                   \
  } while (0)

static void run_ccm(const aes_key_t *k, unsigned at, unsigned n) {
  uint8_t *text = bytes(1, at), *out = bytes(2, at), *nonce = bytes(3, at), *aad = bytes(4, at);
  uint8_t *tag = bytes(5, at), *clear = bytes(6, at);
  aes_ccm_t c;
  const unsigned half = n / 2u;
  SECRET(text, n);
  SECRET(aad, 21);
  require(aes_ccm_encrypt(k, nonce, 13, aad, 21, text, out, n, tag, 8) == AES_OK);
  PUBLIC(out, n);
  PUBLIC(tag, 8);
  BOTH_VERDICTS(aes_ccm_decrypt(k, nonce, 13, aad, 21, out, clear, n, tag, 8), tag[7]);
  require(aes_ccm_start(&c, k, nonce, 13, 21, n, 8) == AES_OK);
  require(aes_ccm_aad(&c, aad, 21) == AES_OK);
  require(aes_ccm_encrypt_update(&c, text, clear, half) == AES_OK);
  require(aes_ccm_encrypt_update(&c, text + half, clear + half, n - half) == AES_OK);
  require(aes_ccm_encrypt_finish(&c, tag) == AES_OK);
  PUBLIC(tag, 8);
  require(aes_ccm_start(&c, k, nonce, 13, 21, n, 8) == AES_OK);
  require(aes_ccm_aad(&c, aad, 21) == AES_OK);
  require(aes_ccm_verify_update(&c, out, half) == AES_OK);
  require(aes_ccm_verify_update(&c, out + half, n - half) == AES_OK);
  require(aes_ccm_verify_finish(&c, tag) == AES_OK);
  require(aes_ccm_decrypt_update(&c, out, clear, half) == AES_OK);
  require(aes_ccm_decrypt_update(&c, out + half, clear + half, n - half) == AES_OK);
  require(aes_ccm_decrypt_finish(&c) == AES_OK);
}

static void run_siv(const aes_key_t *k, unsigned at, unsigned n) {
  uint8_t *text = bytes(1, at), *out = bytes(2, at), *nonce = bytes(3, at), *aad = bytes(4, at);
  uint8_t *tag = bytes(5, at), *clear = bytes(6, at);
  SECRET(text, n);
  SECRET(aad, 21);
  require(aes_gcm_siv_encrypt(k, nonce, aad, 21, text, out, n, tag) == AES_OK);
  PUBLIC(out, n);
  PUBLIC(tag, 16);
  BOTH_VERDICTS(aes_gcm_siv_decrypt(k, nonce, aad, 21, out, clear, n, tag), tag[15]);
}

static void run_cmac(unsigned bits, unsigned at, unsigned n) {
  static aes_cmac_key_t k;
  aes_cmac_t c;
  uint8_t *key = bytes(0, at), *data = bytes(1, at), *tag = bytes(5, at);
  SECRET(key, bits / 8u);
  SECRET(data, n);
  require(aes_cmac_set_key(&k, key, bits) == AES_OK);
  require(aes_cmac(&k, data, n, tag, 16) == AES_OK);
  PUBLIC(tag, 16);
  BOTH_VERDICTS(aes_cmac_verify(&k, data, n, tag, 16), tag[15]);
  require(aes_cmac_start(&c, &k) == AES_OK);
  require(aes_cmac_update(&c, data, n / 3u) == AES_OK);
  require(aes_cmac_update(&c, data + n / 3u, n - n / 3u) == AES_OK);
  require(aes_cmac_finish(&c, tag, 16) == AES_OK);
  aes_cmac_clear_key(&k);
}

// Wrapping and unwrapping with a pair of keys of the two directions.
static void run_wrap(const aes_key_t *forth, const aes_key_t *back, unsigned at, unsigned n) {
  uint8_t *text = bytes(1, at), *out = bytes(2, at), *clear = bytes(6, at);
  size_t plain_bytes;
  SECRET(text, n);
  require(aes_kw_wrap(forth, text, out, n) == AES_OK);
  PUBLIC(out, n + 8u);
  BOTH_VERDICTS(aes_kw_unwrap(back, out, clear, n + 8u), out[0]);
  for (unsigned less = 0; less < 8u; less++) {
    require(aes_kwp_wrap(forth, text, out, n - less) == AES_OK);
    PUBLIC(out, n + 8u);
    BOTH_VERDICTS(aes_kwp_unwrap(back, out, clear, n + 8u, &plain_bytes), out[0]);
  }
  require(aes_kwp_wrap(forth, text, out, 5) == AES_OK);
  PUBLIC(out, 16);
  BOTH_VERDICTS(aes_kwp_unwrap(back, out, clear, 16, &plain_bytes), out[0]);
}

static void run_xts(unsigned bits, unsigned at, unsigned n) {
  static aes_xts_key_t k;
  uint8_t *key = bytes(0, at), *text = bytes(1, at), *out = bytes(2, at), *tweak = bytes(3, at);
  SECRET(key, bits / 8u);
  SECRET(text, n);
  require(aes_xts_set_encrypt_key(&k, key, bits) == AES_OK);
  require(aes_xts_encrypt(&k, tweak, text, out, n) == AES_OK);
#ifndef ENCRYPT_ONLY
  PUBLIC(out, n);
  require(aes_xts_set_decrypt_key(&k, key, bits) == AES_OK);
  require(aes_xts_decrypt(&k, tweak, out, text, n) == AES_OK);
#endif
  aes_xts_clear_key(&k);
}

static void run_sealed(unsigned bits, unsigned at, unsigned n) {
  aes_key_t forth;
  uint8_t *key = bytes(0, 0);
  SECRET(key, bits / 8u);
  require(aes_set_encrypt_key(&forth, key, bits) == AES_OK);
  run_ccm(&forth, at, n);
  if (bits != 192u) run_siv(&forth, at, n);
#ifndef ENCRYPT_ONLY
  aes_key_t back;
  require(aes_set_decrypt_key(&back, key, bits) == AES_OK);
  run_wrap(&forth, &back, at, 40);
  aes_clear_key(&back);
#else
  (void)run_wrap;
#endif
  aes_clear_key(&forth);
  run_cmac(bits, at, n);
  if (bits != 192u) run_xts(2u * bits, at, n + 16u);
}

// Pieces of CTR, decryption in one pass, and keys as bytes, some of them in the cache already.
static void run_pieces(unsigned bits, unsigned at, unsigned n) {
  static aes_gcm_key_t k;
  aes_gcm_t g;
  aes_ctr_t c;
  uint8_t *key = bytes(0, 0), *text = bytes(1, at), *out = bytes(2, at), *iv = bytes(3, at);
  uint8_t *aad = bytes(4, at), *tag = bytes(5, at), *clear = bytes(6, at);
  const unsigned half = n / 2u;
  SECRET(key, bits / 8u);
  SECRET(text, n);
  SECRET(aad, 21);
  require(aes_gcm_set_key(&k, key, bits) == AES_OK);
  require(aes_ctr_start(&c, &k.cipher, iv) == AES_OK);
  require(aes_ctr_update(&c, text, out, half) == AES_OK);
  require(aes_ctr_update(&c, text + half, out + half, n - half) == AES_OK);
  require(aes_ctr_finish(&c) == AES_OK);
  require(aes_gcm_encrypt(&k, iv, 12, aad, 21, text, out, n, tag, 16) == AES_OK);
  PUBLIC(out, n);
  PUBLIC(tag, 16);
  for (uint8_t wrong = 0; wrong < 2u; wrong++) {
    tag[0] ^= wrong;
    require(aes_gcm_start(&g, &k, iv, 12) == AES_OK);
    require(aes_gcm_aad(&g, aad, 21) == AES_OK);
    require(aes_gcm_unverified_update(&g, out, clear, half) == AES_OK);
    require(aes_gcm_unverified_update(&g, out + half, clear + half, n - half) == AES_OK);
    require(aes_gcm_unverified_finish(&g, tag, 16) == (wrong ? AES_ERR_TAG : AES_OK));
  }
  aes_gcm_clear_key(&k);
}

static void run_raw(unsigned bits, unsigned at, unsigned n) {
  aesforge_gcm_t g;
  uint8_t *key = bytes(0, at), *text = bytes(1, at), *out = bytes(2, at), *iv = bytes(3, at);
  uint8_t *aad = bytes(4, at), *tag = bytes(5, at), *clear = bytes(6, at);
  SECRET(key, bits / 8u);
  SECRET(text, n);
  require(aesforge_gcm_encrypt(key, bits, iv, 12, aad, 21, text, out, n, tag, 16) == AES_OK);
  PUBLIC(out, n);
  PUBLIC(tag, 16);
  require(aesforge_gcm_start(&g, key, bits, iv, 12) == AES_OK);
  require(aesforge_gcm_aad(&g, aad, 21) == AES_OK);
  require(aesforge_gcm_unverified_update(&g, out, clear, n) == AES_OK);
  require(aesforge_ecb_encrypt(key, bits, text, clear, 2) == AES_OK);
  require(aesforge_gcm_unverified_finish(&g, tag, 16) == AES_OK);
  require(aesforge_cmac(key, bits, text, n, tag, 16) == AES_OK);
  aesforge_forget();
}

int main(void) {
  require(RUNNING_ON_VALGRIND != 0);
  for (unsigned bits = 128; bits <= 256; bits += 64) {
    run_modes(bits, 0);
    run_modes(bits, 1);
    run_gcm(bits, 0, 0, 12);
    run_gcm(bits, 1, 33, 12);
    run_gcm(bits, 0, 400, 12);
    run_gcm(bits, 0, 50, 20);
    run_sealed(bits, 0, 0);
    run_sealed(bits, 1, 33);
    run_sealed(bits, 0, 384);
    run_pieces(bits, 0, 65);
    run_pieces(bits, 3, 46);
    run_raw(bits, 1, 50);
  }
  return 0;
}
