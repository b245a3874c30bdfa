// SPDX-License-Identifier: Apache-2.0
// The callback for wolfSSL; contract in aesforge_wolfssl.h.
#include "wolf_parts.h"

int aesforge_wolfssl_cb(int devId, wc_CryptoInfo *info, void *context) {
  (void)devId;
  (void)context;
  if (info == NULL) return BAD_FUNC_ARG;
  switch (info->algo_type) {
    case WC_ALGO_TYPE_CIPHER: return aesforge_wolfssl_cipher(info);
#ifdef WOLFSSL_CMAC
    case WC_ALGO_TYPE_CMAC: return aesforge_wolfssl_cmac(info);
#endif
    case WC_ALGO_TYPE_HASH: return aesforge_wolfssl_hash(info);
    case WC_ALGO_TYPE_PK: return aesforge_wolfssl_curve(info);
    default: return CRYPTOCB_UNAVAILABLE;
  }
}
