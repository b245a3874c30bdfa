// SPDX-License-Identifier: Apache-2.0
// wolfSSL in endpoint_wolfssl.c: the driver's configuration, one role and one version of TLS, and
// the endpoint's memory, time and random numbers. Macros: AESFORGE_TLS_CLIENT (a client),
// AESFORGE_TLS_1_2 (in place of TLS 1.3), AESFORGE_TLS_SHA384 (suites with SHA-384),
// AESFORGE_TLS_OWN (wolfSSL's own crypto in place of the driver; with AESFORGE_TLS_OWN_SP its P-256
// of fixed size).
#ifndef AESFORGE_TLS_USER_SETTINGS_H
#define AESFORGE_TLS_USER_SETTINGS_H

#include <time.h>

#include "../../wolfssl/user_settings.h"

#ifdef AESFORGE_TLS_OWN
#undef WOLF_CRYPTO_CB
#undef WOLF_CRYPTO_CB_ONLY_ECC
#undef AESFORGE_WOLFSSL_ONLY_AES
#undef XTRANSFORM
#undef HAVE_CURVE25519
#undef HAVE_AESCCM
#define GCM_TABLE_4BIT  // as wolfSSL's configure chooses
#ifdef AESFORGE_TLS_OWN_SP
#define WOLFSSL_HAVE_SP_ECC
#define SP_WORD_SIZE 32
#endif
#endif

#ifdef AESFORGE_TLS_CLIENT
#define NO_WOLFSSL_SERVER
#else
#define NO_WOLFSSL_CLIENT
#endif
#ifdef AESFORGE_TLS_1_2
#undef WOLFSSL_TLS13
#define HAVE_EXTENDED_MASTER
#define HAVE_SERVER_RENEGOTIATION_INFO  // OpenSSL refuses a server without it
#else
#define WOLFSSL_NO_TLS12
#endif
#ifdef AESFORGE_TLS_SHA384
#define WOLFSSL_SHA384
#define USE_SLOW_SHA512  // a loop in place of unrolled rounds: smaller, and faster on small caches
#endif

// Records are AES-GCM or AES-CCM, keys and certificates DER.
#define WOLFSSL_AEAD_ONLY
#define NO_AES_CBC
#undef HAVE_AES_ECB
#undef WOLFSSL_AES_DIRECT
#undef WOLFSSL_AES_COUNTER
#undef WOLFSSL_CMAC
#define NO_CODING

#define WOLFSSL_SET_CIPHER_BYTES
#define HAVE_PKCS8  // the form of the server's key
#define NO_SESSION_CACHE
#define NO_ERROR_STRINGS
#define WOLFSSL_NO_SOCK

// Payloads of records that we send begin on a word. So do those that we receive: wolfSSL reads
// each into an area of its own, without the header.
#define WOLFSSL_GENERAL_ALIGNMENT 4

#define XMALLOC_USER  // arena.c

// XTIME is a function of the endpoint, of this type.
#define USER_TIME
#define HAVE_TIME_T_TYPE
#define HAVE_TM_TYPE

#define WC_NO_HASHDRBG
#define CUSTOM_RAND_GENERATE_BLOCK aesforge_tls_random
int aesforge_tls_random(unsigned char *out, unsigned int bytes);

#endif
