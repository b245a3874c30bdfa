// SPDX-License-Identifier: Apache-2.0
// In place of wolfSSL's aes.c: its functions for ECB, CBC, CTR, GCM and CCM, which keep the key and
// let the callback compute. So wolfSSL's own AES and its tables are not linked. Version 5.5.4 has
// such a switch for elliptic curves (WOLF_CRYPTO_CB_ONLY_ECC), none for AES. An Aes without the
// number of a callback gives NO_VALID_DEVID. Our user_settings.h asks for this file; it is empty
// for settings that do not.
#include <wolfssl/wolfcrypt/settings.h>

#ifdef AESFORGE_WOLFSSL_ONLY_AES
#include <string.h>

#include "aes_modes.h"
#include "wolf_parts.h"

#define BLOCK AES_BLOCK_BYTES

static int by_callback(int ret) { return ret == CRYPTOCB_UNAVAILABLE ? NO_VALID_DEVID : ret; }

// Keys, as bytes ----------------------------------------------------------------------------------

int wc_AesInit(Aes *aes, void *heap, int devId) {
  if (aes == NULL) return BAD_FUNC_ARG;
  aes->heap = heap;
  aes->devId = devId;
  aes->devCtx = NULL;
  aes->keylen = 0;
  return 0;
}

void wc_AesFree(Aes *aes) {
  if (aes != NULL) aes_wipe(aes->devKey, sizeof aes->devKey);
}

int wc_AesSetIV(Aes *aes, const byte *iv) {
  if (aes == NULL) return BAD_FUNC_ARG;
  memset(aes->reg, 0, BLOCK);
  if (iv != NULL) memcpy(aes->reg, iv, BLOCK);
#ifdef WOLFSSL_AES_COUNTER
  aes->left = 0;
#endif
  return 0;
}

int wc_AesSetKey(Aes *aes, const byte *key, word32 len, const byte *iv, int dir) {
  (void)dir;
  if (aes == NULL || key == NULL || (len != 16u && len != 24u && len != 32u)) return BAD_FUNC_ARG;
  memcpy(aes->devKey, key, len);
  aes->keylen = (int)len;
  return wc_AesSetIV(aes, iv);
}

int wc_AesGetKeySize(Aes *aes, word32 *len) {
  if (aes == NULL || len == NULL) return BAD_FUNC_ARG;
  *len = (word32)aes->keylen;
  return aes->keylen != 0 ? 0 : BAD_FUNC_ARG;
}

#if defined(WOLFSSL_AES_DIRECT) || defined(WOLFSSL_AES_COUNTER)
int wc_AesSetKeyDirect(Aes *aes, const byte *key, word32 len, const byte *iv, int dir) {
  return wc_AesSetKey(aes, key, len, iv, dir);
}
#endif

// Blocks ------------------------------------------------------------------------------------------

#ifdef HAVE_AES_ECB
int wc_AesEcbEncrypt(Aes *aes, byte *out, const byte *in, word32 n) {
  return aes != NULL ? by_callback(wc_CryptoCb_AesEcbEncrypt(aes, out, in, n)) : BAD_FUNC_ARG;
}

int wc_AesEcbDecrypt(Aes *aes, byte *out, const byte *in, word32 n) {
  return aes != NULL ? by_callback(wc_CryptoCb_AesEcbDecrypt(aes, out, in, n)) : BAD_FUNC_ARG;
}

#ifdef WOLFSSL_AES_DIRECT
int wc_AesEncryptDirect(Aes *aes, byte *out, const byte *in) {
  return wc_AesEcbEncrypt(aes, out, in, BLOCK);
}

int wc_AesDecryptDirect(Aes *aes, byte *out, const byte *in) {
  return wc_AesEcbDecrypt(aes, out, in, BLOCK);
}
#endif
#endif

#ifdef HAVE_AES_CBC
int wc_AesCbcEncrypt(Aes *aes, byte *out, const byte *in, word32 n) {
  return aes != NULL ? by_callback(wc_CryptoCb_AesCbcEncrypt(aes, out, in, n)) : BAD_FUNC_ARG;
}

int wc_AesCbcDecrypt(Aes *aes, byte *out, const byte *in, word32 n) {
  return aes != NULL ? by_callback(wc_CryptoCb_AesCbcDecrypt(aes, out, in, n)) : BAD_FUNC_ARG;
}
#endif

#ifdef WOLFSSL_AES_COUNTER
int wc_AesCtrEncrypt(Aes *aes, byte *out, const byte *in, word32 n) {
  return aes != NULL ? by_callback(wc_CryptoCb_AesCtrEncrypt(aes, out, in, n)) : BAD_FUNC_ARG;
}
#endif

// Messages ----------------------------------------------------------------------------------------
// The functions whose names end with _ex count up the IV that the Aes keeps, as TLS wants it.

#if (defined(HAVE_AESGCM) || defined(HAVE_AESCCM)) && !defined(WC_NO_RNG)
// `left`: the high half of minus the number of messages.
static void keep_iv(Aes *aes, word32 iv_bytes, word32 left) {
  aes->nonceSz = iv_bytes;
  aes->invokeCtr[0] = 0;
  aes->invokeCtr[1] = left;
}

// 0 if the Aes has messages left.
static int used_up(Aes *aes) { return ++aes->invokeCtr[0] == 0u && ++aes->invokeCtr[1] == 0u; }

static void next_iv(Aes *aes) {
  byte *iv = (byte *)aes->reg;
  for (word32 i = aes->nonceSz; i != 0u && ++iv[i - 1u] == 0u; i--) {
  }
}
#endif

#ifdef HAVE_AESGCM
int wc_AesGcmSetKey(Aes *aes, const byte *key, word32 len) {
  return wc_AesSetKey(aes, key, len, NULL, AES_ENCRYPTION);
}

int wc_AesGcmEncrypt(Aes *aes, byte *out, const byte *in, word32 n, const byte *iv, word32 iv_bytes,
                     byte *tag, word32 tag_bytes, const byte *aad, word32 aad_bytes) {
  if (aes == NULL || iv_bytes == 0u || tag_bytes < WOLFSSL_MIN_AUTH_TAG_SZ) return BAD_FUNC_ARG;
  return by_callback(wc_CryptoCb_AesGcmEncrypt(aes, out, in, n, iv, iv_bytes, tag, tag_bytes, aad,
                                               aad_bytes));
}

int wc_AesGcmDecrypt(Aes *aes, byte *out, const byte *in, word32 n, const byte *iv, word32 iv_bytes,
                     const byte *tag, word32 tag_bytes, const byte *aad, word32 aad_bytes) {
  if (aes == NULL || iv_bytes == 0u || tag_bytes < WOLFSSL_MIN_AUTH_TAG_SZ) return BAD_FUNC_ARG;
  return by_callback(wc_CryptoCb_AesGcmDecrypt(aes, out, in, n, iv, iv_bytes, tag, tag_bytes, aad,
                                               aad_bytes));
}

#ifndef WC_NO_RNG
// SP 800-38D, section 8.3: 2^32 messages, if the IV has not 96 bits.
static int gcm_iv(Aes *aes, word32 iv_bytes) {
  if (iv_bytes != GCM_NONCE_MIN_SZ && iv_bytes != GCM_NONCE_MID_SZ &&
      iv_bytes != GCM_NONCE_MAX_SZ) {
    return BAD_FUNC_ARG;
  }
  keep_iv(aes, iv_bytes, iv_bytes == GCM_NONCE_MID_SZ ? 0u : 0xffffffffu);
  return 0;
}

int wc_AesGcmSetExtIV(Aes *aes, const byte *iv, word32 iv_bytes) {
  if (aes == NULL || iv == NULL || gcm_iv(aes, iv_bytes) != 0) return BAD_FUNC_ARG;
  memcpy(aes->reg, iv, iv_bytes);
  return 0;
}

int wc_AesGcmSetIV(Aes *aes, word32 iv_bytes, const byte *fixed, word32 fixed_bytes, WC_RNG *rng) {
  if (aes == NULL || rng == NULL || fixed_bytes != (fixed != NULL ? AES_IV_FIXED_SZ : 0u) ||
      gcm_iv(aes, iv_bytes) != 0) {
    return BAD_FUNC_ARG;
  }
  byte *iv = (byte *)aes->reg;
  if (fixed != NULL) memcpy(iv, fixed, fixed_bytes);
  return wc_RNG_GenerateBlock(rng, iv + fixed_bytes, iv_bytes - fixed_bytes);
}

int wc_AesGcmEncrypt_ex(Aes *aes, byte *out, const byte *in, word32 n, byte *iv, word32 iv_bytes,
                        byte *tag, word32 tag_bytes, const byte *aad, word32 aad_bytes) {
  if (aes == NULL || iv == NULL || iv_bytes != aes->nonceSz) return BAD_FUNC_ARG;
  if (used_up(aes)) return AES_GCM_OVERFLOW_E;
  memcpy(iv, aes->reg, iv_bytes);
  const int ret =
      wc_AesGcmEncrypt(aes, out, in, n, iv, iv_bytes, tag, tag_bytes, aad, aad_bytes);
  if (ret == 0) next_iv(aes);
  return ret;
}
#endif
#endif

#ifdef HAVE_AESCCM
int wc_AesCcmSetKey(Aes *aes, const byte *key, word32 len) {
  return wc_AesSetKey(aes, key, len, NULL, AES_ENCRYPTION);
}

int wc_AesCcmEncrypt(Aes *aes, byte *out, const byte *in, word32 n, const byte *iv, word32 iv_bytes,
                     byte *tag, word32 tag_bytes, const byte *aad, word32 aad_bytes) {
  if (aes == NULL) return BAD_FUNC_ARG;
  return by_callback(wc_CryptoCb_AesCcmEncrypt(aes, out, in, n, iv, iv_bytes, tag, tag_bytes, aad,
                                               aad_bytes));
}

int wc_AesCcmDecrypt(Aes *aes, byte *out, const byte *in, word32 n, const byte *iv, word32 iv_bytes,
                     const byte *tag, word32 tag_bytes, const byte *aad, word32 aad_bytes) {
  if (aes == NULL) return BAD_FUNC_ARG;
  return by_callback(wc_CryptoCb_AesCcmDecrypt(aes, out, in, n, iv, iv_bytes, tag, tag_bytes, aad,
                                               aad_bytes));
}

#ifndef WC_NO_RNG
// SP 800-38C, section 5.3: at most 2^61 blocks with a key, so no more messages.
int wc_AesCcmSetNonce(Aes *aes, const byte *iv, word32 iv_bytes) {
  if (aes == NULL || iv == NULL || iv_bytes < CCM_NONCE_MIN_SZ || iv_bytes > CCM_NONCE_MAX_SZ) {
    return BAD_FUNC_ARG;
  }
  memcpy(aes->reg, iv, iv_bytes);
  keep_iv(aes, iv_bytes, 0xe0000000u);
  return 0;
}

int wc_AesCcmEncrypt_ex(Aes *aes, byte *out, const byte *in, word32 n, byte *iv, word32 iv_bytes,
                        byte *tag, word32 tag_bytes, const byte *aad, word32 aad_bytes) {
  if (aes == NULL || iv == NULL || iv_bytes != aes->nonceSz) return BAD_FUNC_ARG;
  if (used_up(aes)) return AES_CCM_OVERFLOW_E;
  memcpy(iv, aes->reg, iv_bytes);
  const int ret =
      wc_AesCcmEncrypt(aes, out, in, n, iv, iv_bytes, tag, tag_bytes, aad, aad_bytes);
  if (ret == 0) next_iv(aes);
  return ret;
}
#endif
#endif
#endif
