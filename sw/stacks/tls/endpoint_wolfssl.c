// SPDX-License-Identifier: Apache-2.0
// A TLS server or client on a simulated core, with wolfSSL: one connection, whose text it sends
// back. The connection is that of sim/tcp/harness.cpp. The run's input: struct request, then the
// server's key and certificate, or the certificate of the authority that the client trusts and the
// time (seconds since 1970, 32 bits); its output: struct report (phases.h). Macros:
// wolfssl/user_settings.h, and AESFORGE_TLS_HOST (the server's name). With AESFORGE_TLS_OWN wolfSSL
// computes itself, and functions that take the names of its own are timed in the same manner.
//
// Phases are timed by a callback that calls the driver's, by timed_sha256.h, and by functions that
// take the names of X25519 and wolfSSL's SHA-384; the tool compiles the driver's X25519 without a
// callback, and SHA-384, with names that begin with timed_.
#include <string.h>

// Functions of these headers assign numbers to shorter ones.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#ifdef AESFORGE_TLS_OWN
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/sha256.h>
#else
#include "aesforge_wolfssl.h"
#endif
#include <wolfssl/error-ssl.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/hash.h>
#pragma GCC diagnostic pop

#ifdef AESFORGE_TLS_OWN
#include "phases.h"
#else
#include "ecc.h"
#include "timed_sha256.h"
#endif

#define SHA256_OF(data, bytes, digest) wc_Sha256Hash(data, bytes, digest)
#include "seeded.h"

#define PEER_ENDED WOLFSSL_CBIO_ERR_CONN_CLOSE
#include "connection.h"

#define LARGEST_DER 2048u
#define LARGEST_TEXT 4096u  // of a record that is sent
#define DRIVER 1            // the callback's number

// Phases ------------------------------------------------------------------------------------------

#ifdef AESFORGE_TLS_OWN
#define TIMED(name, in_phase, parameters, arguments) \
  int timed_##name parameters;                       \
  int name parameters {                              \
    const unsigned before = enter(in_phase);         \
    const int status = timed_##name arguments;       \
    enter(before);                                   \
    return status;                                   \
  }

TIMED(wc_AesGcmSetKey, RECORDS, (Aes *aes, const byte *key, word32 n), (aes, key, n))
TIMED(wc_AesGcmEncrypt, RECORDS,
      (Aes *aes, byte *out, const byte *in, word32 n, const byte *iv, word32 iv_n, byte *tag,
       word32 tag_n, const byte *aad, word32 aad_n),
      (aes, out, in, n, iv, iv_n, tag, tag_n, aad, aad_n))
TIMED(wc_AesGcmEncrypt_ex, RECORDS,
      (Aes *aes, byte *out, const byte *in, word32 n, byte *iv, word32 iv_n, byte *tag,
       word32 tag_n, const byte *aad, word32 aad_n),
      (aes, out, in, n, iv, iv_n, tag, tag_n, aad, aad_n))
TIMED(wc_AesGcmDecrypt, RECORDS,
      (Aes *aes, byte *out, const byte *in, word32 n, const byte *iv, word32 iv_n, const byte *tag,
       word32 tag_n, const byte *aad, word32 aad_n),
      (aes, out, in, n, iv, iv_n, tag, tag_n, aad, aad_n))
TIMED(wc_ecc_make_key_ex, KEYS, (WC_RNG *rng, int size, ecc_key *key, int curve),
      (rng, size, key, curve))
TIMED(wc_ecc_shared_secret, AGREE,
      (ecc_key *own, ecc_key *peer, byte *out, word32 *n), (own, peer, out, n))
TIMED(wc_ecc_sign_hash, SIGN,
      (const byte *in, word32 n, byte *out, word32 *out_n, WC_RNG *rng, ecc_key *key),
      (in, n, out, out_n, rng, key))
TIMED(wc_ecc_verify_hash, VERIFY,
      (const byte *sig, word32 n, const byte *hash, word32 hash_n, int *good, ecc_key *key),
      (sig, n, hash, hash_n, good, key))
TIMED(wc_Sha256Update, SHA, (wc_Sha256 *s, const byte *data, word32 n), (s, data, n))
TIMED(wc_Sha256Final, SHA, (wc_Sha256 *s, byte *digest), (s, digest))
TIMED(wc_Sha256GetHash, SHA, (wc_Sha256 *s, byte *digest), (s, digest))
#else
static unsigned phase_of(const wc_CryptoInfo *info) {
  switch (info->algo_type) {
    case WC_ALGO_TYPE_CIPHER: return RECORDS;
    case WC_ALGO_TYPE_HASH: return SHA;
    case WC_ALGO_TYPE_PK:
      switch (info->pk.type) {
        case WC_PK_TYPE_EC_KEYGEN:
        case WC_PK_TYPE_CURVE25519_KEYGEN: return KEYS;
        case WC_PK_TYPE_ECDH:
        case WC_PK_TYPE_CURVE25519: return AGREE;
        case WC_PK_TYPE_ECDSA_SIGN: return SIGN;
        case WC_PK_TYPE_ECDSA_VERIFY: return VERIFY;
        default: return phase;
      }
    default: return phase;
  }
}

static int timed(int id, wc_CryptoInfo *info, void *context) {
  const unsigned before = enter(phase_of(info));
  const int status = aesforge_wolfssl_cb(id, info, context);
  enter(before);
  return status;
}

// In TLS 1.3 wolfSSL's keys of X25519 have no number of a callback.
int timed_x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t point[32]);

int timed_x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t point[32]) {
  static const uint8_t base[32] = {9};
  const unsigned before = enter(memcmp(point, base, sizeof base) == 0 ? KEYS : AGREE);
  const int status = x25519(out, scalar, point);
  enter(before);
  return status;
}
#endif

#ifdef AESFORGE_TLS_SHA384
int timed_sha384_update(wc_Sha384 *s, const byte *data, word32 bytes);
int timed_sha384_final(wc_Sha384 *s, byte *digest);
int timed_sha384_digest(wc_Sha384 *s, byte *digest);

int wc_Sha384Update(wc_Sha384 *s, const byte *data, word32 bytes) {
  const unsigned before = enter(SHA);
  const int status = timed_sha384_update(s, data, bytes);
  enter(before);
  return status;
}

int wc_Sha384Final(wc_Sha384 *s, byte *digest) {
  const unsigned before = enter(SHA);
  const int status = timed_sha384_final(s, digest);
  enter(before);
  return status;
}

int wc_Sha384GetHash(wc_Sha384 *s, byte *digest) {
  const unsigned before = enter(SHA);
  const int status = timed_sha384_digest(s, digest);
  enter(before);
  return status;
}
#endif

// What wolfSSL asks for ---------------------------------------------------------------------------

static uint32_t now;

time_t XTIME(time_t *timer) {
  (void)timer;
  return (time_t)now;
}

int aesforge_tls_random(byte *out, word32 bytes) { return random_bytes(NULL, out, bytes); }

static int put(WOLFSSL *ssl, char *from, int n, void *context) {
  (void)ssl;
  return to_peer(context, (const unsigned char *)from, (size_t)n);
}

static int get(WOLFSSL *ssl, char *to, int n, void *context) {
  (void)ssl;
  return from_peer(context, (unsigned char *)to, (size_t)n);
}

// The connection ----------------------------------------------------------------------------------

static unsigned char der[LARGEST_DER] __attribute__((aligned(4)));
static unsigned char text[LARGEST_TEXT] __attribute__((aligned(4)));
static WOLFSSL_CTX *context;
static WOLFSSL *ssl;

static int echo(uint32_t bytes) {
  const int bounded = bytes != UNTIL_THE_END;
  uint32_t left = bytes;
  while (!bounded || left != 0u) {
    const int got = wolfSSL_read(ssl, text, sizeof text);
    if (got <= 0) {
      const int error = wolfSSL_get_error(ssl, got);
      if (error != WOLFSSL_ERROR_ZERO_RETURN && error != SOCKET_PEER_CLOSED_E) {
        return complain("a record was refused", error);
      }
      return bounded ? complain("the peer ended before it had sent the whole text", error) : 0;
    }
    const int put_back = wolfSSL_write(ssl, text, got);
    if (put_back != got) return complain("cannot send", wolfSSL_get_error(ssl, put_back));
    left = (uint32_t)got < left ? left - (uint32_t)got : 0u;
  }
  return 0;
}

// Read a DER file of the run's input: 0, or 1 after a complaint.
static int take_der(uint32_t bytes, const char *what) {
  return hal_stream_read(der, bytes) == bytes ? 0 : complain(what, 0);
}

#ifdef AESFORGE_TLS_CLIENT
static WOLFSSL_METHOD *method(void) {
#ifdef AESFORGE_TLS_1_2
  return wolfTLSv1_2_client_method();
#else
  return wolfTLSv1_3_client_method();
#endif
}

// Whom the client trusts, and the time: 0, or 1 after a complaint.
static int prepare_side(const struct request *request) {
  if (take_der(request->certificate_bytes, "no certificate") != 0) return 1;
  if (hal_stream_read(&now, sizeof now) != sizeof now) return complain("no time", 0);
  // The dates of what the client was told to trust do not matter.
  const int status = wolfSSL_CTX_load_verify_buffer_ex(
      context, der, (long)request->certificate_bytes, WOLFSSL_FILETYPE_ASN1, 0,
      WOLFSSL_LOAD_FLAG_DATE_ERR_OKAY);
  if (status != WOLFSSL_SUCCESS) return complain("the authority's certificate is refused", status);
  wolfSSL_CTX_set_verify(context, WOLFSSL_VERIFY_PEER, NULL);
  return 0;
}

// Which host the client wants, and what it offers: 0, or 1 after a complaint.
static int prepare_connection(const struct request *request) {
  static const char host[] = AESFORGE_TLS_HOST;
  int good = wolfSSL_check_domain_name(ssl, host) == WOLFSSL_SUCCESS;
  good &= wolfSSL_UseSNI(ssl, WOLFSSL_SNI_HOST_NAME, host, sizeof host - 1u) == WOLFSSL_SUCCESS;
#ifdef AESFORGE_TLS_1_2
  // The groups that a client offers are also those of the keys in certificates.
  good &= wolfSSL_UseSupportedCurve(ssl, (word16)request->group) == WOLFSSL_SUCCESS;
  good &= wolfSSL_UseSupportedCurve(ssl, WOLFSSL_ECC_SECP256R1) == WOLFSSL_SUCCESS;
#else
  int group = (int)request->group;
  good &= wolfSSL_set_groups(ssl, &group, 1) == WOLFSSL_SUCCESS;
#endif
  return good ? 0 : complain("wolfSSL refuses host or group", 0);
}

static int shake_hands(void) { return wolfSSL_connect(ssl); }

static int handshake_failed(int error) {
  switch (error) {
    case ASN_BEFORE_DATE_E:
    case ASN_AFTER_DATE_E:
      return complain("the certificate has expired or is not valid yet", error);
    case DOMAIN_NAME_MISMATCH: return complain("the certificate is of another host", error);
    case ASN_NO_SIGNER_E:
    case ASN_SIG_CONFIRM_E:
      return complain("the certificate is not signed by the authority", error);
    default: return complain("the handshake failed", error);
  }
}
#else
static WOLFSSL_METHOD *method(void) {
#ifdef AESFORGE_TLS_1_2
  return wolfTLSv1_2_server_method();
#else
  return wolfTLSv1_3_server_method();
#endif
}

// The server's key and certificate: 0, or 1 after a complaint.
static int prepare_side(const struct request *request) {
  if (take_der(request->key_bytes, "no key") != 0) return 1;
  int status = wolfSSL_CTX_use_PrivateKey_buffer(context, der, (long)request->key_bytes,
                                                 WOLFSSL_FILETYPE_ASN1);
  if (status != WOLFSSL_SUCCESS) return complain("the key is refused", status);
  if (take_der(request->certificate_bytes, "no certificate") != 0) return 1;
  status = wolfSSL_CTX_use_certificate_buffer(context, der, (long)request->certificate_bytes,
                                              WOLFSSL_FILETYPE_ASN1);
  return status == WOLFSSL_SUCCESS ? 0 : complain("the certificate is refused", status);
}

// A server takes the group from what the client offers.
static int prepare_connection(const struct request *request) {
  (void)request;
  return 0;
}

static int shake_hands(void) { return wolfSSL_accept(ssl); }

static int handshake_failed(int error) { return complain("the handshake failed", error); }
#endif

// The one suite, the driver, and what a server or a client has: 0, or 1 after a complaint.
static int prepare(const struct request *request) {
  const byte suite[] = {(byte)(request->suite >> 8), (byte)request->suite};
  int status = wolfSSL_Init();
  if (status != WOLFSSL_SUCCESS) return complain("wolfSSL_Init", status);
#ifndef AESFORGE_TLS_OWN
  status = wc_CryptoCb_RegisterDevice(DRIVER, timed, NULL);
  if (status != 0) return complain("wc_CryptoCb_RegisterDevice", status);
#endif
  context = wolfSSL_CTX_new(method());
  if (context == NULL) return complain("wolfSSL_CTX_new", 0);
#ifndef AESFORGE_TLS_OWN
  wolfSSL_CTX_SetDevId(context, DRIVER);
#endif
  wolfSSL_CTX_SetIORecv(context, get);
  wolfSSL_CTX_SetIOSend(context, put);
  if (prepare_side(request) != 0) return 1;
  if (wolfSSL_CTX_set_cipher_list_bytes(context, suite, sizeof suite) != WOLFSSL_SUCCESS) {
    return complain("wolfSSL has no suite", (int)request->suite);
  }
  ssl = wolfSSL_new(context);
  return ssl != NULL ? prepare_connection(request) : complain("wolfSSL_new", 0);
}

// 0, or 1 after a complaint: a server whose client offers two groups may take the other one.
static int check_group(uint32_t group) {
  const char *wanted = group == WOLFSSL_ECC_X25519 ? "X25519" : "SECP256R1";
  const char *chosen = wolfSSL_get_curve_name(ssl);
  return chosen != NULL && strcmp(chosen, wanted) == 0
             ? 0
             : complain("the peer has chosen another group", 0);
}

int main(void) {
  struct request request;
  if (hal_stream_read(&request, sizeof request) != sizeof request ||
      request.key_bytes > LARGEST_DER || request.certificate_bytes > LARGEST_DER) {
    return complain("no request", 0);
  }
  memcpy(seed, request.seed, sizeof request.seed);
  if (prepare(&request) != 0) return 1;
  say("ready\n");
  memset(spent, 0, sizeof spent);
  const uint32_t began = hal_cycles();
  phase_began = began;
  const int status = shake_hands();
  if (status != WOLFSSL_SUCCESS) return handshake_failed(wolfSSL_get_error(ssl, status));
  enter(NONE);
  report.handshake = hal_cycles() - began;
  memcpy(report.in_handshake, spent, sizeof spent);
  if (check_group(request.group) != 0) return 1;
  say("handshake done\n");

  memset(spent, 0, sizeof spent);
  const uint32_t connected = hal_cycles();
  phase_began = connected;
  if (echo(request.text_bytes) != 0) return 1;
  enter(NONE);
  report.bulk = hal_cycles() - connected;
  memcpy(report.in_bulk, spent, sizeof spent);
  (void)wolfSSL_shutdown(ssl);
  (void)*at(WAITING);  // everything is sent when the peer answers or ends
  hal_stream_write(&report, sizeof report);
  return 0;
}
