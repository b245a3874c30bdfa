// SPDX-License-Identifier: Apache-2.0
// A TLS server or client on a simulated core: one connection, whose text it sends back. The
// connection is that of sim/tcp/harness.cpp. The run's input: struct request, then the server's key
// and certificate, or the certificate of the authority that the client trusts; its output: struct
// report (phases.h). aesforge_mbedtls_config.h has the macros that choose role and version.
//
// Phases are timed by functions that take the names of the driver's entry points and of Mbed TLS's
// hashes; the tool compiles the originals with names that begin with timed_. With AESFORGE_TLS_OWN
// these are Mbed TLS's own functions, and the tool gives the driver's names here their names.
#include <string.h>

#include "hal.h"
#include "mbedtls/memory_buffer_alloc.h"
#include "mbedtls/sha256.h"
#include "mbedtls/sha512.h"
#include "mbedtls/ssl.h"
#include "psa/crypto.h"
#ifndef AESFORGE_TLS_OWN
#include "aesforge_psa.h"
#endif
#include "phases.h"

#define LARGEST_DER 2048u
#ifdef AESFORGE_TLS_OWN
#define HEAP_BYTES 43008u  // big numbers are there too
#else
#define HEAP_BYTES 38912u
#endif
#define CHUNK 4096u

psa_status_t timed_generate_key(const psa_key_attributes_t *, uint8_t *, size_t, size_t *);
psa_status_t timed_export_public_key(const psa_key_attributes_t *, const uint8_t *, size_t,
                                     uint8_t *, size_t, size_t *);
psa_status_t timed_key_agreement(const psa_key_attributes_t *, const uint8_t *, size_t,
                                 psa_algorithm_t, const uint8_t *, size_t, uint8_t *, size_t,
                                 size_t *);
psa_status_t timed_sign_hash(const psa_key_attributes_t *, const uint8_t *, size_t, psa_algorithm_t,
                             const uint8_t *, size_t, uint8_t *, size_t, size_t *);
psa_status_t timed_verify_hash(const psa_key_attributes_t *, const uint8_t *, size_t,
                               psa_algorithm_t, const uint8_t *, size_t, const uint8_t *, size_t);
psa_status_t timed_aead_encrypt(const psa_key_attributes_t *, const uint8_t *, size_t,
                                psa_algorithm_t, const uint8_t *, size_t, const uint8_t *, size_t,
                                const uint8_t *, size_t, uint8_t *, size_t, size_t *);
psa_status_t timed_aead_decrypt(const psa_key_attributes_t *, const uint8_t *, size_t,
                                psa_algorithm_t, const uint8_t *, size_t, const uint8_t *, size_t,
                                const uint8_t *, size_t, uint8_t *, size_t, size_t *);

psa_status_t aesforge_transparent_generate_key(const psa_key_attributes_t *a, uint8_t *key,
                                               size_t size, size_t *length) {
  const unsigned before = enter(KEYS);
  psa_status_t status = timed_generate_key(a, key, size, length);
  enter(before);
  return status;
}

psa_status_t aesforge_transparent_export_public_key(const psa_key_attributes_t *a,
                                                    const uint8_t *key, size_t key_size,
                                                    uint8_t *data, size_t size, size_t *length) {
  const unsigned before = enter(KEYS);
  psa_status_t status = timed_export_public_key(a, key, key_size, data, size, length);
  enter(before);
  return status;
}

psa_status_t aesforge_transparent_key_agreement(const psa_key_attributes_t *a, const uint8_t *key,
                                                size_t key_size, psa_algorithm_t alg,
                                                const uint8_t *peer, size_t peer_size,
                                                uint8_t *secret, size_t size, size_t *length) {
  const unsigned before = enter(AGREE);
  psa_status_t status =
      timed_key_agreement(a, key, key_size, alg, peer, peer_size, secret, size, length);
  enter(before);
  return status;
}

psa_status_t aesforge_transparent_sign_hash(const psa_key_attributes_t *a, const uint8_t *key,
                                            size_t key_size, psa_algorithm_t alg,
                                            const uint8_t *hash, size_t hash_size,
                                            uint8_t *signature, size_t size, size_t *length) {
  const unsigned before = enter(SIGN);
  psa_status_t status =
      timed_sign_hash(a, key, key_size, alg, hash, hash_size, signature, size, length);
  enter(before);
  return status;
}

psa_status_t aesforge_transparent_verify_hash(const psa_key_attributes_t *a, const uint8_t *key,
                                              size_t key_size, psa_algorithm_t alg,
                                              const uint8_t *hash, size_t hash_size,
                                              const uint8_t *signature, size_t size) {
  const unsigned before = enter(VERIFY);
  psa_status_t status =
      timed_verify_hash(a, key, key_size, alg, hash, hash_size, signature, size);
  enter(before);
  return status;
}

psa_status_t aesforge_transparent_aead_encrypt(const psa_key_attributes_t *a, const uint8_t *key,
                                               size_t key_size, psa_algorithm_t alg,
                                               const uint8_t *nonce, size_t nonce_size,
                                               const uint8_t *aad, size_t aad_size,
                                               const uint8_t *in, size_t in_size, uint8_t *out,
                                               size_t size, size_t *length) {
  const unsigned before = enter(RECORDS);
  psa_status_t status = timed_aead_encrypt(a, key, key_size, alg, nonce, nonce_size, aad, aad_size,
                                           in, in_size, out, size, length);
  enter(before);
  return status;
}

psa_status_t aesforge_transparent_aead_decrypt(const psa_key_attributes_t *a, const uint8_t *key,
                                               size_t key_size, psa_algorithm_t alg,
                                               const uint8_t *nonce, size_t nonce_size,
                                               const uint8_t *aad, size_t aad_size,
                                               const uint8_t *in, size_t in_size, uint8_t *out,
                                               size_t size, size_t *length) {
  const unsigned before = enter(RECORDS);
  psa_status_t status = timed_aead_decrypt(a, key, key_size, alg, nonce, nonce_size, aad, aad_size,
                                           in, in_size, out, size, length);
  enter(before);
  return status;
}

// Update and finish of a hash.
#define TIMED_HASH(sha)                                                                        \
  int timed_##sha##_update(mbedtls_##sha##_context *, const unsigned char *, size_t);          \
  int timed_##sha##_finish(mbedtls_##sha##_context *, unsigned char *);                        \
  int mbedtls_##sha##_update(mbedtls_##sha##_context *c, const unsigned char *in, size_t n) {  \
    const unsigned before = enter(SHA);                                                        \
    const int status = timed_##sha##_update(c, in, n);                                         \
    enter(before);                                                                             \
    return status;                                                                             \
  }                                                                                            \
  int mbedtls_##sha##_finish(mbedtls_##sha##_context *c, unsigned char *out) {                 \
    const unsigned before = enter(SHA);                                                        \
    const int status = timed_##sha##_finish(c, out);                                           \
    enter(before);                                                                             \
    return status;                                                                             \
  }

TIMED_HASH(sha256)
#ifdef AESFORGE_TLS_SHA384
TIMED_HASH(sha512)
#endif

#define SHA256_OF(data, bytes, digest) mbedtls_sha256(data, bytes, digest, 0)
#include "seeded.h"

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length) {
  (void)context;
  *output_length = output_size;
  return random_bytes(NULL, output, output_size) == 0 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

#define PEER_ENDED MBEDTLS_ERR_SSL_CONN_EOF
#include "connection.h"

static unsigned char heap[HEAP_BYTES] __attribute__((aligned(16)));
static unsigned char der[LARGEST_DER] __attribute__((aligned(4)));
static unsigned char text[CHUNK] __attribute__((aligned(4)));
static mbedtls_x509_crt certificate;
static mbedtls_pk_context key;
static mbedtls_ssl_config config;
static mbedtls_ssl_context ssl;

static uint16_t groups[3];  // of ephemeral keys; P-256, which TLS 1.2 wants for certificates; 0
static int suites[2];

static int echo(uint32_t bytes) {
  const int bounded = bytes != UNTIL_THE_END;
  while (!bounded || bytes != 0) {
    const int got = mbedtls_ssl_read(&ssl, text, sizeof text);
    if (got == MBEDTLS_ERR_SSL_WANT_READ || got == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET) {
      continue;
    }
    if (got == 0 || got == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY || got == MBEDTLS_ERR_SSL_CONN_EOF) {
      return bounded ? complain("the peer ended before it had sent the whole text", got) : 0;
    }
    if (got < 0) return complain("a record was refused", got);
    size_t done = 0;
    while (done < (size_t)got) {
      const int put = mbedtls_ssl_write(&ssl, text + done, (size_t)got - done);
      if (put < 0) return complain("cannot send", put);
      done += (size_t)put;
    }
    if (bounded) bytes = (uint32_t)got < bytes ? bytes - (uint32_t)got : 0u;
  }
  return 0;
}

// Read a DER file of the run's input: 0, or 1 after a complaint.
static int take_der(uint32_t bytes, const char *what) {
  return hal_stream_read(der, bytes) == bytes ? 0 : complain(what, 0);
}

// Who we are: the server's key and certificate, or whom the client trusts, and which host it wants.
static int prepare(const struct request *request) {
  int status = 0;
#ifdef AESFORGE_TLS_CLIENT
  if (take_der(request->certificate_bytes, "no certificate") != 0) return 1;
  status = mbedtls_x509_crt_parse_der(&certificate, der, request->certificate_bytes);
  if (status != 0) return complain("the certificate is refused", status);
  mbedtls_ssl_conf_ca_chain(&config, &certificate, NULL);
  mbedtls_ssl_conf_authmode(&config, MBEDTLS_SSL_VERIFY_REQUIRED);
  status = mbedtls_ssl_set_hostname(&ssl, AESFORGE_TLS_HOST);
#else
  if (take_der(request->key_bytes, "no key") != 0) return 1;
  status = mbedtls_pk_parse_key(&key, der, request->key_bytes, NULL, 0, random_bytes, NULL);
  if (status != 0) return complain("the key is refused", status);
  if (take_der(request->certificate_bytes, "no certificate") != 0) return 1;
  status = mbedtls_x509_crt_parse_der(&certificate, der, request->certificate_bytes);
  if (status != 0) return complain("the certificate is refused", status);
  status = mbedtls_ssl_conf_own_cert(&config, &certificate, &key);
#endif
  return status == 0 ? 0 : complain("mbedtls_ssl_conf", status);
}

int main(void) {
  struct request request;
  int status;
  if (hal_stream_read(&request, sizeof request) != sizeof request ||
      request.key_bytes > LARGEST_DER || request.certificate_bytes > LARGEST_DER) {
    return complain("no request", 0);
  }
  memcpy(seed, request.seed, sizeof request.seed);
  mbedtls_memory_buffer_alloc_init(heap, sizeof heap);
  status = psa_crypto_init();
  if (status != 0) return complain("psa_crypto_init", status);
  mbedtls_pk_init(&key);
  mbedtls_x509_crt_init(&certificate);
  mbedtls_ssl_config_init(&config);
  mbedtls_ssl_init(&ssl);
#ifdef AESFORGE_TLS_CLIENT
  const int role = MBEDTLS_SSL_IS_CLIENT;
#else
  const int role = MBEDTLS_SSL_IS_SERVER;
#endif
  status = mbedtls_ssl_config_defaults(&config, role, MBEDTLS_SSL_TRANSPORT_STREAM,
                                       MBEDTLS_SSL_PRESET_DEFAULT);
  if (status != 0) return complain("mbedtls_ssl_config_defaults", status);
  mbedtls_ssl_conf_rng(&config, random_bytes, NULL);
  groups[0] = (uint16_t)request.group;
  groups[1] = MBEDTLS_SSL_IANA_TLS_GROUP_SECP256R1;
  suites[0] = (int)request.suite;
  mbedtls_ssl_conf_groups(&config, groups);
  mbedtls_ssl_conf_ciphersuites(&config, suites);
  if (prepare(&request) != 0) return 1;
  status = mbedtls_ssl_setup(&ssl, &config);
  if (status != 0) return complain("mbedtls_ssl_setup", status);
  mbedtls_ssl_set_bio(&ssl, NULL, to_peer, from_peer, NULL);

  say("ready\n");
  memset(spent, 0, sizeof spent);
  phase_began = hal_cycles();
  const uint32_t began = phase_began;
  do {
    status = mbedtls_ssl_handshake(&ssl);
  } while (status == MBEDTLS_ERR_SSL_WANT_READ || status == MBEDTLS_ERR_SSL_WANT_WRITE);
  if (status != 0) return complain("the handshake failed", status);
  enter(NONE);
  report.handshake = hal_cycles() - began;
  memcpy(report.in_handshake, spent, sizeof spent);
  memset(spent, 0, sizeof spent);
  say("handshake done\n");

  const uint32_t connected = hal_cycles();
  phase_began = connected;
  if (echo(request.text_bytes) != 0) return 1;
  enter(NONE);
  report.bulk = hal_cycles() - connected;
  memcpy(report.in_bulk, spent, sizeof spent);
  (void)mbedtls_ssl_close_notify(&ssl);
  (void)*at(WAITING);  // everything is sent when the peer answers or ends
  hal_stream_write(&report, sizeof report);
  return 0;
}
