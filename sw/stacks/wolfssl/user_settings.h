// SPDX-License-Identifier: Apache-2.0
// A complete configuration of wolfSSL (WOLFSSL_USER_SETTINGS) in which AES, P-256, X25519 and
// SHA-256 are ours alone.
#ifndef AESFORGE_USER_SETTINGS_H
#define AESFORGE_USER_SETTINGS_H

#define WOLF_CRYPTO_CB
#define WOLF_CRYPTO_CB_ONLY_ECC
#define AESFORGE_WOLFSSL_ONLY_AES  // wolf_only_aes.c in place of wolfSSL's aes.c

#define HAVE_AES_ECB
#define WOLFSSL_AES_DIRECT
#define WOLFSSL_AES_COUNTER
#define HAVE_AESGCM
#define HAVE_AESCCM
#define WOLFSSL_CMAC
#define HAVE_HKDF

#define HAVE_ECC
#define ECC_USER_CURVES  // P-256 alone
#define HAVE_CURVE25519
#define ECC_TIMING_RESISTANT
#define TFM_TIMING_RESISTANT
#define WOLFSSL_SP_MATH_ALL  // reads and writes the numbers of keys
#define SP_INT_BITS 256

// SHA-256 without a callback, and SHA-224: wolfSSL's code around our compression function.
#define WOLFSSL_SHA224
#define XTRANSFORM(S, D) aesforge_wolfssl_transform((S), (D))
struct wc_Sha256;
int aesforge_wolfssl_transform(struct wc_Sha256 *s, const unsigned char *block);

// Set these for your system; wolfSSL also wants a seed (CUSTOM_RAND_GENERATE_SEED) and the time.
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define NO_WRITEV
#define WOLFSSL_USER_IO

#define WOLFSSL_TLS13
#define HAVE_TLS_EXTENSIONS
#define HAVE_SUPPORTED_CURVES
#define HAVE_SNI
#define NO_OLD_TLS
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
