// SPDX-License-Identifier: Apache-2.0
// wolfSSL with all of its own code beside our callback: its tests, and comparisons.
#ifndef AESFORGE_TEST_SETTINGS_H
#define AESFORGE_TEST_SETTINGS_H

#define WOLFCRYPT_ONLY
#define WOLF_CRYPTO_CB
#define NO_MAIN_DRIVER
#define USE_CERT_BUFFERS_256

#define HAVE_AES_ECB
#define WOLFSSL_AES_DIRECT
#define WOLFSSL_AES_COUNTER
#define HAVE_AESGCM
#define GCM_TABLE_4BIT
#define HAVE_AESCCM
#define WOLFSSL_CMAC
#define HAVE_HKDF

#define HAVE_ECC
#define ECC_USER_CURVES
#define HAVE_ECC384
#define ECC_SHAMIR
#define WOLFSSL_ECDSA_SET_K
#define HAVE_CURVE25519
#define ECC_TIMING_RESISTANT
#define TFM_TIMING_RESISTANT
#define WOLFSSL_SP_MATH_ALL
#define WOLFSSL_SHA224
#define WOLFSSL_SHA384
#define WOLFSSL_SHA512

#define NO_DH
#define NO_DSA
#define NO_RSA
#define NO_DES3
#define NO_RC4
#define NO_MD4
#define NO_MD5
#define NO_SHA
#define NO_PSK
#define NO_PWDBASED

#endif
