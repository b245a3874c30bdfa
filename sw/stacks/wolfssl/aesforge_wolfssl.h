// SPDX-License-Identifier: Apache-2.0
// AES, SHA-256, P-256 and X25519 for wolfSSL 5.5.4, as a callback of its CryptoCb.
//
// Register it once, for a number of your choice that is neither 0 nor INVALID_DEVID, and give that
// number to wc_AesInit, wc_ecc_init_ex and the like, or to wolfSSL_CTX_SetDevId:
//
//   wc_CryptoCb_RegisterDevice(1, aesforge_wolfssl_cb, NULL);
//
// State is in wolfSSL's own contexts, so `context` is not used. Expanded keys are in the cache of
// aesforge.h: call aesforge_forget when a session ends. Keys, IVs and data have any alignment.
//
// The time depends on lengths alone, unless the kernel says otherwise. Points and signatures of the
// other party are public: the time may depend on whether they are valid.
#ifndef AESFORGE_WOLFSSL_H
#define AESFORGE_WOLFSSL_H

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/cryptocb.h>

// CRYPTOCB_UNAVAILABLE for all that is not offered: wolfSSL then computes itself.
int aesforge_wolfssl_cb(int devId, wc_CryptoInfo *info, void *context);

#endif
