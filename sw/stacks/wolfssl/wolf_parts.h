// SPDX-License-Identifier: Apache-2.0
// What the callback calls. Each function returns what the callback does.
#ifndef AESFORGE_WOLF_PARTS_H
#define AESFORGE_WOLF_PARTS_H

#include "aesforge_wolfssl.h"

#include <wolfssl/wolfcrypt/error-crypt.h>

// wolfSSL's error for one of aes_kernel.h; `forged` is that of a wrong tag.
int aesforge_wolfssl_error(int status, int forged);

int aesforge_wolfssl_cipher(wc_CryptoInfo *info);
int aesforge_wolfssl_cmac(wc_CryptoInfo *info);
int aesforge_wolfssl_hash(wc_CryptoInfo *info);
int aesforge_wolfssl_curve(wc_CryptoInfo *info);

#endif
