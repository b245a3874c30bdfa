// SPDX-License-Identifier: Apache-2.0
// AES for wolfSSL: ECB, CBC, CTR, GCM, CCM and CMAC. An Aes keeps the raw key for callbacks.
#include <string.h>

#include "aesforge.h"
#include "wolf_parts.h"

#define BLOCK AES_BLOCK_BYTES
#define KEY(aes) (const uint8_t *)(aes)->devKey, 8u * (unsigned)(aes)->keylen

int aesforge_wolfssl_error(int status, int forged) {
  switch (status) {
    case AES_OK: return 0;
    case AES_ERR_TAG: return forged;
    case AES_ERR_KEY_LENGTH:
    case AES_ERR_LENGTH: return BAD_FUNC_ARG;
    case AES_ERR_ORDER: return BAD_STATE_E;
    // Not CRYPTOCB_UNAVAILABLE: data that lie in place may be zeros already.
    default: return WC_HW_E;
  }
}

// Without data there need be no buffers.
static int missing(const byte *in, const byte *out, word32 n) {
  return n != 0u && (in == NULL || out == NULL);
}

#ifdef HAVE_AES_ECB
static int ecb(const wc_CryptoInfo *info) {
  const Aes *aes = info->cipher.aesecb.aes;
  const byte *in = info->cipher.aesecb.in;
  byte *out = info->cipher.aesecb.out;
  const word32 n = info->cipher.aesecb.sz;
  if (aes == NULL || missing(in, out, n)) return BAD_FUNC_ARG;
  return aesforge_wolfssl_error(info->cipher.enc
                                    ? aesforge_ecb_encrypt(KEY(aes), in, out, n / BLOCK)
                                    : aesforge_ecb_decrypt(KEY(aes), in, out, n / BLOCK),
                                WC_HW_E);
}
#endif

#ifdef HAVE_AES_CBC
static int cbc(const wc_CryptoInfo *info) {
  Aes *aes = info->cipher.aescbc.aes;
  const byte *in = info->cipher.aescbc.in;
  byte *out = info->cipher.aescbc.out;
  const word32 n = info->cipher.aescbc.sz;
  if (aes == NULL || missing(in, out, n)) return BAD_FUNC_ARG;
  uint8_t *iv = (uint8_t *)aes->reg;
  return aesforge_wolfssl_error(info->cipher.enc
                                    ? aesforge_cbc_encrypt(KEY(aes), iv, in, out, n / BLOCK)
                                    : aesforge_cbc_decrypt(KEY(aes), iv, in, out, n / BLOCK),
                                WC_HW_E);
}
#endif

#ifdef WOLFSSL_AES_COUNTER
// As in wolfSSL, `reg` is the next counter block, and the last `left` bytes of `tmp` are key stream
// that is not used yet.
static int ctr(const wc_CryptoInfo *info) {
  Aes *aes = info->cipher.aesctr.aes;
  const byte *in = info->cipher.aesctr.in;
  byte *out = info->cipher.aesctr.out;
  const word32 n = info->cipher.aesctr.sz;
  if (aes == NULL || missing(in, out, n)) return BAD_FUNC_ARG;
  uint8_t *counter = (uint8_t *)aes->reg, *stream = (uint8_t *)aes->tmp;
  word32 done = 0;
  while (done < n && aes->left != 0u) {
    out[done] = (byte)(in[done] ^ stream[BLOCK - aes->left--]);
    done++;
  }
  const word32 whole = (n - done) / BLOCK * BLOCK;
  int status = aesforge_ctr(KEY(aes), counter, in + done, out + done, whole);
  done += whole;
  if (status == AES_OK && done < n) {
    memset(stream, 0, BLOCK);
    status = aesforge_ctr(KEY(aes), counter, stream, stream, BLOCK);
    aes->left = BLOCK;
    while (status == AES_OK && done < n) {
      out[done] = (byte)(in[done] ^ stream[BLOCK - aes->left--]);
      done++;
    }
  }
  if (status != AES_OK) {
    aes->left = 0;
    aes_wipe(out, n);
  }
  return aesforge_wolfssl_error(status, WC_HW_E);
}
#endif

#ifdef HAVE_AESGCM
// wolfSSL takes more lengths of tags than SP 800-38D allows.
static int gcm(const wc_CryptoInfo *info) {
  if (info->cipher.enc) {
    const Aes *aes = info->cipher.aesgcm_enc.aes;
    const byte *in = info->cipher.aesgcm_enc.in, *iv = info->cipher.aesgcm_enc.iv;
    const byte *aad = info->cipher.aesgcm_enc.authIn;
    byte *out = info->cipher.aesgcm_enc.out, *tag = info->cipher.aesgcm_enc.authTag;
    const word32 n = info->cipher.aesgcm_enc.sz, aad_bytes = info->cipher.aesgcm_enc.authInSz;
    if (aes == NULL || iv == NULL || tag == NULL || missing(in, out, n) ||
        missing(aad, aad, aad_bytes)) {
      return BAD_FUNC_ARG;
    }
    return aesforge_wolfssl_error(
        aesforge_gcm_encrypt(KEY(aes), iv, info->cipher.aesgcm_enc.ivSz, aad, aad_bytes, in, out, n,
                             tag, info->cipher.aesgcm_enc.authTagSz),
        WC_HW_E);
  }
  const Aes *aes = info->cipher.aesgcm_dec.aes;
  const byte *in = info->cipher.aesgcm_dec.in, *iv = info->cipher.aesgcm_dec.iv;
  const byte *aad = info->cipher.aesgcm_dec.authIn, *tag = info->cipher.aesgcm_dec.authTag;
  byte *out = info->cipher.aesgcm_dec.out;
  const word32 n = info->cipher.aesgcm_dec.sz, aad_bytes = info->cipher.aesgcm_dec.authInSz;
  if (aes == NULL || iv == NULL || tag == NULL || missing(in, out, n) ||
      missing(aad, aad, aad_bytes)) {
    return BAD_FUNC_ARG;
  }
  return aesforge_wolfssl_error(
      aesforge_gcm_decrypt(KEY(aes), iv, info->cipher.aesgcm_dec.ivSz, aad, aad_bytes, in, out, n,
                           tag, info->cipher.aesgcm_dec.authTagSz),
      AES_GCM_AUTH_E);
}
#endif

#ifdef HAVE_AESCCM
static int ccm(const wc_CryptoInfo *info) {
  if (info->cipher.enc) {
    const Aes *aes = info->cipher.aesccm_enc.aes;
    const byte *in = info->cipher.aesccm_enc.in, *nonce = info->cipher.aesccm_enc.nonce;
    const byte *aad = info->cipher.aesccm_enc.authIn;
    byte *out = info->cipher.aesccm_enc.out, *tag = info->cipher.aesccm_enc.authTag;
    const word32 n = info->cipher.aesccm_enc.sz, aad_bytes = info->cipher.aesccm_enc.authInSz;
    if (aes == NULL || nonce == NULL || tag == NULL || missing(in, out, n) ||
        missing(aad, aad, aad_bytes)) {
      return BAD_FUNC_ARG;
    }
    return aesforge_wolfssl_error(
        aesforge_ccm_encrypt(KEY(aes), nonce, info->cipher.aesccm_enc.nonceSz, aad, aad_bytes, in,
                             out, n, tag, info->cipher.aesccm_enc.authTagSz),
        WC_HW_E);
  }
  const Aes *aes = info->cipher.aesccm_dec.aes;
  const byte *in = info->cipher.aesccm_dec.in, *nonce = info->cipher.aesccm_dec.nonce;
  const byte *aad = info->cipher.aesccm_dec.authIn, *tag = info->cipher.aesccm_dec.authTag;
  byte *out = info->cipher.aesccm_dec.out;
  const word32 n = info->cipher.aesccm_dec.sz, aad_bytes = info->cipher.aesccm_dec.authInSz;
  if (aes == NULL || nonce == NULL || tag == NULL || missing(in, out, n) ||
      missing(aad, aad, aad_bytes)) {
    return BAD_FUNC_ARG;
  }
  return aesforge_wolfssl_error(
      aesforge_ccm_decrypt(KEY(aes), nonce, info->cipher.aesccm_dec.nonceSz, aad, aad_bytes, in,
                           out, n, tag, info->cipher.aesccm_dec.authTagSz),
      AES_CCM_AUTH_E);
}
#endif

int aesforge_wolfssl_cipher(wc_CryptoInfo *info) {
  switch (info->cipher.type) {
#ifdef HAVE_AES_ECB
    case WC_CIPHER_AES_ECB: return ecb(info);
#endif
#ifdef HAVE_AES_CBC
    case WC_CIPHER_AES_CBC: return cbc(info);
#endif
#ifdef WOLFSSL_AES_COUNTER
    case WC_CIPHER_AES_CTR: return ctr(info);
#endif
#ifdef HAVE_AESGCM
    case WC_CIPHER_AES_GCM: return gcm(info);
#endif
#ifdef HAVE_AESCCM
    case WC_CIPHER_AES_CCM: return ccm(info);
#endif
    default: return CRYPTOCB_UNAVAILABLE;
  }
}

#ifdef WOLFSSL_CMAC
// Our context is in the Cmac, in the place of the expanded key that wolfSSL does not make. A Cmac
// that was set up without a callback has devId 0; its devCtx is not ours.
static char ours;

int aesforge_wolfssl_cmac(wc_CryptoInfo *info) {
  Cmac *cmac = info->cmac.cmac;
  aesforge_cmac_t c;
  int status = AES_OK;
  _Static_assert(sizeof c <= sizeof cmac->aes.key, "a Cmac has room for our context");
  if (cmac == NULL) return BAD_FUNC_ARG;
  if (info->cmac.key == NULL && cmac->devCtx != &ours) return CRYPTOCB_UNAVAILABLE;
  if (info->cmac.key != NULL) {
    status = aesforge_cmac_start(&c, info->cmac.key, 8u * info->cmac.keySz);
    cmac->devCtx = status == AES_OK ? &ours : NULL;
  } else {
    memcpy(&c, cmac->aes.key, sizeof c);
  }
  if (status == AES_OK && info->cmac.in != NULL) {
    status = aesforge_cmac_update(&c, info->cmac.in, info->cmac.inSz);
  }
  if (status == AES_OK && info->cmac.out != NULL) {
    status = aesforge_cmac_finish(&c, info->cmac.out, *info->cmac.outSz);
  }
  memcpy(cmac->aes.key, &c, sizeof c);
  aes_wipe(&c, sizeof c);
  return aesforge_wolfssl_error(status, WC_HW_E);
}
#endif
