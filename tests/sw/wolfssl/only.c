// SPDX-License-Identifier: Apache-2.0
// wolfSSL's AES functions that the driver has in place of aes.c, in the configuration of
// sw/stacks/wolfssl: against the driver's calls, and what must fail. The argument is not used.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aesforge.h"
#include "aesforge_wolfssl.h"
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/error-crypt.h>

enum { OURS = 7, NOBODY = 9, BYTES = 64, AAD = 13, TAG = 16 };

static unsigned cases;
static byte key[32], start[16], text[BYTES], aad[AAD];

static void want(int right, const char *what, int line) {
  if (!right) {
    fprintf(stderr, "wrong in line %d: %s\n", line, what);
    exit(EXIT_FAILURE);
  }
  cases++;
}

#define WANT(right) want((right), #right, __LINE__)
#define SAME(a, b, n) WANT(memcmp((a), (b), (n)) == 0)

static Aes ready(word32 key_bytes) {
  Aes aes;
  memset(&aes, 0xa5, sizeof aes);
  WANT(wc_AesInit(&aes, NULL, OURS) == 0);
  WANT(wc_AesSetKey(&aes, key, key_bytes, start, AES_ENCRYPTION) == 0);
  return aes;
}

static void blocks(word32 n) {
  byte got[BYTES], right[BYTES], iv[16];
  word32 size;
  Aes aes = ready(n);
  WANT(wc_AesGetKeySize(&aes, &size) == 0 && size == n);
  aesforge_ecb_encrypt(key, 8u * n, text, right, BYTES / 16);
  WANT(wc_AesEcbEncrypt(&aes, got, text, BYTES) == 0);
  SAME(got, right, BYTES);
  WANT(wc_AesEncryptDirect(&aes, got, text + 16) == 0);
  SAME(got, right + 16, 16);
  WANT(wc_AesDecryptDirect(&aes, got, right + 16) == 0);
  SAME(got, text + 16, 16);
  WANT(wc_AesEcbDecrypt(&aes, got, right, BYTES) == 0);
  SAME(got, text, BYTES);

  memcpy(iv, start, sizeof iv);
  aesforge_cbc_encrypt(key, 8u * n, iv, text, right, BYTES / 16);
  WANT(wc_AesCbcEncrypt(&aes, got, text, BYTES) == 0);
  SAME(got, right, BYTES);
  WANT(wc_AesSetIV(&aes, start) == 0);
  WANT(wc_AesCbcDecrypt(&aes, got, right, BYTES) == 0);
  SAME(got, text, BYTES);

  // Pieces of a counter's key stream; a new IV forgets what was left of it.
  memcpy(iv, start, sizeof iv);
  aesforge_ctr(key, 8u * n, iv, text, right, BYTES);
  for (int again = 0; again < 2; again++) {
    WANT(wc_AesSetIV(&aes, start) == 0);
    WANT(wc_AesCtrEncrypt(&aes, got, text, 21) == 0);
    SAME(got, right, 21);
  }
  WANT(wc_AesCtrEncrypt(&aes, got, text + 21, BYTES - 21) == 0);
  SAME(got, right + 21, BYTES - 21);
  WANT(wc_AesSetIV(&aes, NULL) == 0);
  memset(iv, 0, sizeof iv);
  aesforge_cbc_encrypt(key, 8u * n, iv, text, right, 1);
  WANT(wc_AesCbcEncrypt(&aes, got, text, 16) == 0);
  SAME(got, right, 16);
  wc_AesFree(&aes);
  memset(right, 0, 32);
  SAME(aes.devKey, right, 32);
}

// Messages whose IV counts up, with a carry, and what they are in one call.
static void messages(word32 n) {
  byte got[BYTES], right[BYTES], tag[TAG], right_tag[TAG], iv[12], used[12];
  Aes aes = ready(n);
  memset(iv, 0xff, sizeof iv);
  iv[0] = 0;
  WANT(wc_AesGcmSetKey(&aes, key, n) == 0);
  WANT(wc_AesGcmSetExtIV(&aes, iv, sizeof iv) == 0);
  for (int i = 0; i < 2; i++) {
    aesforge_gcm_encrypt(key, 8u * n, iv, sizeof iv, aad, AAD, text, right, BYTES, right_tag, TAG);
    WANT(wc_AesGcmEncrypt_ex(&aes, got, text, BYTES, used, sizeof used, tag, TAG, aad, AAD) == 0);
    SAME(used, iv, sizeof iv);
    SAME(got, right, BYTES);
    SAME(tag, right_tag, TAG);
    memset(iv, 0, sizeof iv);
    iv[0] = 1;
  }
  WANT(wc_AesGcmDecrypt(&aes, got, right, BYTES, used, 12, tag, TAG, aad, AAD) == 0);
  SAME(got, text, BYTES);
  tag[3] ^= 1;
  WANT(wc_AesGcmDecrypt(&aes, got, right, BYTES, used, 12, tag, TAG, aad, AAD) == AES_GCM_AUTH_E);
  WANT(wc_AesGcmEncrypt(&aes, got, text, BYTES, used, 12, tag, 11, aad, AAD) == BAD_FUNC_ARG);
  WANT(wc_AesGcmDecrypt(&aes, got, text, BYTES, used, 12, tag, 11, aad, AAD) == BAD_FUNC_ARG);
  WANT(wc_AesGcmEncrypt_ex(&aes, got, text, 16, used, 11, tag, TAG, aad, AAD) == BAD_FUNC_ARG);
  aes.invokeCtr[0] = aes.invokeCtr[1] = ~0u;
  WANT(wc_AesGcmEncrypt_ex(&aes, got, text, 1, used, 12, tag, TAG, NULL, 0) == AES_GCM_OVERFLOW_E);
  WANT(wc_AesGcmSetExtIV(&aes, start, 16) == 0 && aes.invokeCtr[1] == ~0u);
  WANT(wc_AesGcmSetExtIV(&aes, start, 9) == BAD_FUNC_ARG);

  memset(iv, 0xff, sizeof iv);
  iv[0] = 0;
  WANT(wc_AesCcmSetKey(&aes, key, n) == 0);
  WANT(wc_AesCcmSetNonce(&aes, iv, sizeof iv) == 0);
  for (int i = 0; i < 2; i++) {
    aesforge_ccm_encrypt(key, 8u * n, iv, sizeof iv, aad, AAD, text, right, BYTES, right_tag, TAG);
    WANT(wc_AesCcmEncrypt_ex(&aes, got, text, BYTES, used, sizeof used, tag, TAG, aad, AAD) == 0);
    SAME(used, iv, sizeof iv);
    SAME(got, right, BYTES);
    SAME(tag, right_tag, TAG);
    memset(iv, 0, sizeof iv);
    iv[0] = 1;
  }
  WANT(wc_AesCcmDecrypt(&aes, got, right, BYTES, used, 12, tag, TAG, aad, AAD) == 0);
  SAME(got, text, BYTES);
  tag[3] ^= 1;
  WANT(wc_AesCcmDecrypt(&aes, got, right, BYTES, used, 12, tag, TAG, aad, AAD) == AES_CCM_AUTH_E);
  WANT(wc_AesCcmEncrypt_ex(&aes, got, text, 16, used, 11, tag, TAG, aad, AAD) == BAD_FUNC_ARG);
  aes.invokeCtr[0] = aes.invokeCtr[1] = ~0u;
  WANT(wc_AesCcmEncrypt_ex(&aes, got, text, 1, used, 12, tag, TAG, NULL, 0) == AES_CCM_OVERFLOW_E);
  WANT(wc_AesCcmSetNonce(&aes, iv, 6) == BAD_FUNC_ARG);
}

// The fixed part of a random IV is the caller's.
static void random_iv(void) {
  byte tag[TAG], used[12], other[12];
  WC_RNG rng;
  Aes aes = ready(16);
  WANT(wc_InitRng(&rng) == 0);
  WANT(wc_AesGcmSetIV(&aes, 12, start, 4, &rng) == 0);
  WANT(wc_AesGcmEncrypt_ex(&aes, NULL, NULL, 0, used, 12, tag, TAG, aad, AAD) == 0);
  WANT(wc_AesGcmSetIV(&aes, 12, start, 4, &rng) == 0);
  WANT(wc_AesGcmEncrypt_ex(&aes, NULL, NULL, 0, other, 12, tag, TAG, aad, AAD) == 0);
  SAME(used, start, 4);
  SAME(other, start, 4);
  WANT(memcmp(used + 4, other + 4, 8) != 0);
  WANT(wc_AesGcmSetIV(&aes, 12, NULL, 0, &rng) == 0);
  WANT(wc_AesGcmSetIV(&aes, 12, NULL, 4, &rng) == BAD_FUNC_ARG);
  WANT(wc_AesGcmSetIV(&aes, 12, start, 5, &rng) == BAD_FUNC_ARG);
  WANT(wc_FreeRng(&rng) == 0);
}

// Without a callback nothing is computed, and nothing comes out.
static void nobody(void) {
  byte out[BYTES], zeros[BYTES] = {0}, tag[TAG] = {0};
  word32 size = TAG;
  Aes aes;
  static const int numbers[] = {INVALID_DEVID, NOBODY};
  memset(out, 0, sizeof out);
  for (int i = 0; i < 2; i++) {
    WANT(wc_AesInit(&aes, NULL, numbers[i]) == 0);
    WANT(wc_AesGetKeySize(&aes, &size) == BAD_FUNC_ARG);
    WANT(wc_AesSetKey(&aes, key, 16, start, AES_ENCRYPTION) == 0);
    WANT(wc_AesEcbEncrypt(&aes, out, text, 16) == NO_VALID_DEVID);
    WANT(wc_AesEcbDecrypt(&aes, out, text, 16) == NO_VALID_DEVID);
    WANT(wc_AesEncryptDirect(&aes, out, text) == NO_VALID_DEVID);
    WANT(wc_AesCbcEncrypt(&aes, out, text, 16) == NO_VALID_DEVID);
    WANT(wc_AesCbcDecrypt(&aes, out, text, 16) == NO_VALID_DEVID);
    WANT(wc_AesCtrEncrypt(&aes, out, text, 16) == NO_VALID_DEVID);
    WANT(wc_AesGcmEncrypt(&aes, out, text, 16, start, 12, tag, TAG, aad, AAD) == NO_VALID_DEVID);
    WANT(wc_AesGcmDecrypt(&aes, out, text, 16, start, 12, tag, TAG, aad, AAD) == NO_VALID_DEVID);
    WANT(wc_AesCcmEncrypt(&aes, out, text, 16, start, 12, tag, TAG, aad, AAD) == NO_VALID_DEVID);
    WANT(wc_AesCcmDecrypt(&aes, out, text, 16, start, 12, tag, TAG, aad, AAD) == NO_VALID_DEVID);
    SAME(out, zeros, BYTES);
  }
  size = TAG;
  WANT(wc_AesCmacGenerate(tag, &size, text, 16, key, 16) != 0);
  SAME(tag, zeros, TAG);
  WANT(wc_AesSetKey(&aes, key, 17, start, AES_ENCRYPTION) == BAD_FUNC_ARG);
  WANT(wc_AesGcmSetKey(&aes, key, 0) == BAD_FUNC_ARG);
  WANT(wc_AesCcmSetKey(&aes, key, 33) == BAD_FUNC_ARG);
  WANT(wc_AesSetKey(&aes, NULL, 16, start, AES_ENCRYPTION) == BAD_FUNC_ARG);
  WANT(wc_AesInit(NULL, NULL, OURS) == BAD_FUNC_ARG);
  WANT(wc_AesEcbEncrypt(NULL, out, text, 16) == BAD_FUNC_ARG);
}

int main(void) {
  for (unsigned i = 0; i < sizeof text; i++) text[i] = (byte)(i * 7u);
  for (unsigned i = 0; i < sizeof key; i++) key[i] = (byte)(i * 5u + 1u);
  memset(start, 0xff, sizeof start);
  memset(aad, 0x5a, sizeof aad);
  wc_CryptoCb_Init();
  WANT(wc_CryptoCb_RegisterDevice(OURS, aesforge_wolfssl_cb, NULL) == 0);
  for (word32 n = 16; n <= 32; n += 8) {
    blocks(n);
    messages(n);
  }
  random_iv();
  nobody();
  printf("right: %u\n", cases);
  return EXIT_SUCCESS;
}
