// SPDX-License-Identifier: Apache-2.0
// MBEDTLS_CONFIG_FILE of the tests and of `aesforge tls`: no heap but a static array, no files, no
// clock and no operating system. AESFORGE_TLS adds a TLS 1.3 server; then AESFORGE_TLS_CLIENT makes
// it a client, AESFORGE_TLS_1_2 takes TLS 1.2 instead, and AESFORGE_TLS_SHA384 offers suites with
// SHA-384. AESFORGE_TLS_OWN takes Mbed TLS's own crypto in place of the driver.
#ifndef AESFORGE_MBEDTLS_CONFIG_H
#define AESFORGE_MBEDTLS_CONFIG_H

#define MBEDTLS_PSA_CRYPTO_C
#define MBEDTLS_PSA_CRYPTO_CONFIG
#define MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
#define MBEDTLS_USE_PSA_CRYPTO

#define MBEDTLS_PLATFORM_C
#define MBEDTLS_MD_C
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_OID_C
#define MBEDTLS_CIPHER_C
#define MBEDTLS_PK_C
#define MBEDTLS_PK_PARSE_C

// Version 3.5 offers cipher suites by these names, whoever computes them. The files aes.c, gcm.c
// and ccm.c are not compiled where the driver does it.
#define MBEDTLS_AES_C
#define MBEDTLS_GCM_C
#define MBEDTLS_CCM_C

#ifdef AESFORGE_TLS_OWN
#define MBEDTLS_ECP_NIST_OPTIM  // as Mbed TLS's own configuration has it
#else
// Its compression function is psa_sha256.c.
#define MBEDTLS_SHA256_PROCESS_ALT
#endif

#ifdef AESFORGE_TLS
#define MBEDTLS_PLATFORM_NO_STD_FUNCTIONS
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_MEMORY_BUFFER_ALLOC_C
#define MBEDTLS_X509_USE_C
#define MBEDTLS_X509_CRT_PARSE_C
#define MBEDTLS_SSL_TLS_C
#ifdef AESFORGE_TLS_CLIENT
#define MBEDTLS_SSL_CLI_C
#else
#define MBEDTLS_SSL_SRV_C
#endif
#ifdef AESFORGE_TLS_1_2
#define MBEDTLS_SSL_PROTO_TLS1_2
#define MBEDTLS_KEY_EXCHANGE_ECDHE_ECDSA_ENABLED
#define MBEDTLS_SSL_EXTENDED_MASTER_SECRET
// 3.5.1 forgets TLS 1.2's extensions for curves where a driver computes them all.
#define MBEDTLS_SSL_TLS1_2_SOME_ECC
// It also makes the premaster secret's buffer one byte large then; pre-shared keys give it 68. No
// suite with such keys is offered.
#define MBEDTLS_KEY_EXCHANGE_PSK_ENABLED
#else
#define MBEDTLS_SSL_PROTO_TLS1_3
#define MBEDTLS_SSL_TLS1_3_COMPATIBILITY_MODE
#define MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_EPHEMERAL_ENABLED
#define MBEDTLS_SSL_SESSION_TICKETS  // 3.5.1 does not compile without; the server sends none
#endif
#define MBEDTLS_SSL_KEEP_PEER_CERTIFICATE
#define MBEDTLS_SSL_SERVER_NAME_INDICATION
#define MBEDTLS_SSL_IN_CONTENT_LEN 4096
#define MBEDTLS_SSL_OUT_CONTENT_LEN 4096
#endif

#endif
