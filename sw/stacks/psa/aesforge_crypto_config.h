// SPDX-License-Identifier: Apache-2.0
// MBEDTLS_PSA_CRYPTO_CONFIG_FILE of the tests and of `aesforge tls`: what the driver offers, and
// SHA-256 with HMAC and HKDF from Mbed TLS. aesforge_mbedtls_config.h has the macros for TLS.
#ifndef AESFORGE_CRYPTO_CONFIG_H
#define AESFORGE_CRYPTO_CONFIG_H

#define PSA_WANT_KEY_TYPE_AES 1
#define PSA_WANT_ALG_ECB_NO_PADDING 1
#define PSA_WANT_ALG_CBC_NO_PADDING 1
#define PSA_WANT_ALG_CTR 1
#define PSA_WANT_ALG_GCM 1
#define PSA_WANT_ALG_CCM 1
#ifndef AESFORGE_TLS  // no cipher suite has it
#define PSA_WANT_ALG_CMAC 1
#endif

#define PSA_WANT_ECC_SECP_R1_256 1
#ifndef AESFORGE_TLS_OWN
#define PSA_WANT_ECC_MONTGOMERY_255 1
#endif
#define PSA_WANT_ALG_ECDH 1
#define PSA_WANT_ALG_ECDSA 1
#define PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_EXPORT 1
#define PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE 1

#define PSA_WANT_ALG_SHA_256 1
#define PSA_WANT_KEY_TYPE_HMAC 1
#define PSA_WANT_ALG_HMAC 1
#define PSA_WANT_KEY_TYPE_DERIVE 1
#define PSA_WANT_ALG_HKDF 1
#define PSA_WANT_ALG_HKDF_EXTRACT 1
#define PSA_WANT_ALG_HKDF_EXPAND 1

#ifdef AESFORGE_TLS_1_2
#define PSA_WANT_ALG_TLS12_PRF 1
#endif
#ifdef AESFORGE_TLS_SHA384
#define PSA_WANT_ALG_SHA_384 1
#endif

#ifndef AESFORGE_TLS_OWN
#include "aesforge_psa_accel.h"
#endif

#endif
