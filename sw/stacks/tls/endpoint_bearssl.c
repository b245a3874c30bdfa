// SPDX-License-Identifier: Apache-2.0
// A TLS 1.2 server or client on a simulated core, with BearSSL: one connection, whose text it sends
// back. The connection is that of sim/tcp/harness.cpp. The run's input: struct request, then the
// server's key and certificate, or the certificate of the authority that the client trusts and the
// time (seconds since 1970, 32 bits); its output: struct report (phases.h). Macros:
// AESFORGE_TLS_CLIENT (a client), AESFORGE_TLS_HOST (the server's name), AESFORGE_TLS_CCM (AES-CCM
// in place of AES-GCM), AESFORGE_TLS_SHA384 (for AES-256), AESFORGE_TLS_OWN (BearSSL's own crypto
// in place of the driver).
//
// Phases are timed by classes that call the driver's, and by timed_sha256.h; the tool compiles
// BearSSL's SHA-384 with untimed_sha384_vtable in place of br_sha384_vtable, and likewise its own
// SHA-256.
#include <string.h>

#ifdef AESFORGE_TLS_OWN
#include "phases.h"
#else
#include "aesforge_bearssl.h"
#include "timed_sha256.h"
#endif

// Functions of this header assign numbers to shorter ones.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "bearssl.h"
#pragma GCC diagnostic pop

#ifdef AESFORGE_TLS_OWN
// What BearSSL takes by default on 32 bits; of its AES and GHASH those of constant time.
#define br_aesforge_ghash br_ghash_ctmul
#define br_aesforge_ctr_keys br_aes_ct_ctr_keys
#define br_aesforge_ctr_vtable br_aes_ct_ctr_vtable
#define br_aesforge_ctrcbc_keys br_aes_ct_ctrcbc_keys
#define br_aesforge_ctrcbc_vtable br_aes_ct_ctrcbc_vtable
#define br_aesforge_ec br_ec_p256_m31
#define br_aesforge_ecdsa_sign_asn1 br_ecdsa_i31_sign_asn1

// Its signatures multiply by the curves that they are given.
#define MULTIPLIES_FOR(next) (phase == SIGN ? SIGN : (next))
#else
#define MULTIPLIES_FOR(next) (next)
#endif

#define PEER_ENDED 0
#include "connection.h"

#define LARGEST_DER 2048u
#define LARGEST_TEXT 4096u  // of a record
// What BearSSL wants beside the text of a record (br_ssl_engine_set_buffers_bidi).
#define MORE_IN 325u
#define MORE_OUT 85u
#define LARGEST_NAME 256u   // of an authority
#define DAYS_TO_1970 719528u  // from 1 January of year 0: how BearSSL counts days
#define SECONDS_OF_DAY 86400u

// The text of an AES-GCM or AES-CCM record begins 13 bytes into BearSSL's buffer. So that it is on
// a word boundary, the buffer begins 3 bytes after one.
#define SHIFT 3u

// Phases ------------------------------------------------------------------------------------------

// A class of BearSSL's own hash function; a context's class is ours after its init has set its own.
#define TIMED_HASH(sha, description)                                                           \
  extern const br_hash_class untimed_##sha##_vtable;                                           \
  static void sha##_init(const br_hash_class **context) {                                      \
    untimed_##sha##_vtable.init(context);                                                      \
    *context = &br_##sha##_vtable;                                                             \
  }                                                                                            \
  static void sha##_update(const br_hash_class **context, const void *data, size_t len) {      \
    const unsigned before = enter(SHA);                                                        \
    untimed_##sha##_vtable.update(context, data, len);                                         \
    enter(before);                                                                             \
  }                                                                                            \
  static void sha##_out(const br_hash_class *const *context, void *digest) {                   \
    const unsigned before = enter(SHA);                                                        \
    untimed_##sha##_vtable.out(context, digest);                                               \
    enter(before);                                                                             \
  }                                                                                            \
  static uint64_t sha##_state(const br_hash_class *const *context, void *to) {                 \
    return untimed_##sha##_vtable.state(context, to);                                          \
  }                                                                                            \
  static void sha##_set_state(const br_hash_class **context, const void *from, uint64_t n) {   \
    untimed_##sha##_vtable.set_state(context, from, n);                                        \
  }                                                                                            \
  const br_hash_class br_##sha##_vtable = {sizeof(br_##sha##_context),                         \
                                           (description) | BR_HASHDESC_MD_PADDING |            \
                                               BR_HASHDESC_MD_PADDING_BE,                      \
                                           sha##_init,                                         \
                                           sha##_update,                                       \
                                           sha##_out,                                          \
                                           sha##_state,                                        \
                                           sha##_set_state};

#ifdef AESFORGE_TLS_OWN
TIMED_HASH(sha256, BR_HASHDESC_ID(br_sha256_ID) | BR_HASHDESC_OUT(32) | BR_HASHDESC_STATE(32) |
                       BR_HASHDESC_LBLEN(6))
#endif
#ifdef AESFORGE_TLS_SHA384
TIMED_HASH(sha384, BR_HASHDESC_ID(br_sha384_ID) | BR_HASHDESC_OUT(48) | BR_HASHDESC_STATE(64) |
                       BR_HASHDESC_LBLEN(7) | BR_HASHDESC_MD_PADDING_128)
#endif

// A context's class is ours after the driver's init has set its own.
#ifdef AESFORGE_TLS_CCM

static const br_block_ctrcbc_class timed_ctrcbc;

static void ctrcbc_init(const br_block_ctrcbc_class **context, const void *key, size_t len) {
  br_aesforge_ctrcbc_vtable.init(context, key, len);
  *context = &timed_ctrcbc;
}

static void ctrcbc_encrypt(const br_block_ctrcbc_class *const *context, void *ctr, void *cbcmac,
                           void *data, size_t len) {
  const unsigned before = enter(RECORDS);
  br_aesforge_ctrcbc_vtable.encrypt(context, ctr, cbcmac, data, len);
  enter(before);
}

static void ctrcbc_decrypt(const br_block_ctrcbc_class *const *context, void *ctr, void *cbcmac,
                           void *data, size_t len) {
  const unsigned before = enter(RECORDS);
  br_aesforge_ctrcbc_vtable.decrypt(context, ctr, cbcmac, data, len);
  enter(before);
}

static void ctrcbc_ctr(const br_block_ctrcbc_class *const *context, void *ctr, void *data,
                       size_t len) {
  const unsigned before = enter(RECORDS);
  br_aesforge_ctrcbc_vtable.ctr(context, ctr, data, len);
  enter(before);
}

static void ctrcbc_mac(const br_block_ctrcbc_class *const *context, void *cbcmac, const void *data,
                       size_t len) {
  const unsigned before = enter(RECORDS);
  br_aesforge_ctrcbc_vtable.mac(context, cbcmac, data, len);
  enter(before);
}

static const br_block_ctrcbc_class timed_ctrcbc = {
    sizeof(br_aesforge_ctrcbc_keys), 16, 4, ctrcbc_init, ctrcbc_encrypt, ctrcbc_decrypt,
    ctrcbc_ctr, ctrcbc_mac};

#else

static void timed_ghash(void *y, const void *h, const void *data, size_t len) {
  const unsigned before = enter(RECORDS);
  br_aesforge_ghash(y, h, data, len);
  enter(before);
}

static const br_block_ctr_class timed_ctr;

static void ctr_init(const br_block_ctr_class **context, const void *key, size_t len) {
  br_aesforge_ctr_vtable.init(context, key, len);
  *context = &timed_ctr;
}

static uint32_t ctr_run(const br_block_ctr_class *const *context, const void *iv, uint32_t cc,
                        void *data, size_t len) {
  const unsigned before = enter(RECORDS);
  cc = br_aesforge_ctr_vtable.run(context, iv, cc, data, len);
  enter(before);
  return cc;
}

static const br_block_ctr_class timed_ctr = {sizeof(br_aesforge_ctr_keys), 16, 4, ctr_init,
                                             ctr_run};

#endif

static uint32_t mul(unsigned char *point, size_t len, const unsigned char *x, size_t xlen,
                    int curve) {
  const unsigned before = enter(MULTIPLIES_FOR(AGREE));
  const uint32_t good = br_aesforge_ec.mul(point, len, x, xlen, curve);
  enter(before);
  return good;
}

static size_t mulgen(unsigned char *point, const unsigned char *x, size_t xlen, int curve) {
  const unsigned before = enter(MULTIPLIES_FOR(KEYS));
  const size_t len = br_aesforge_ec.mulgen(point, x, xlen, curve);
  enter(before);
  return len;
}

#ifdef AESFORGE_TLS_CLIENT
static uint32_t verify(const br_ec_impl *impl, const void *hash, size_t hash_len,
                       const br_ec_public_key *pk, const void *sig, size_t sig_len) {
  const unsigned before = enter(VERIFY);
  const uint32_t good = br_aesforge_ecdsa_vrfy_asn1(impl, hash, hash_len, pk, sig, sig_len);
  enter(before);
  return good;
}
#else
static size_t sign(const br_ec_impl *impl, const br_hash_class *hf, const void *hash_value,
                   const br_ec_private_key *sk, void *sig) {
  const unsigned before = enter(SIGN);
  const size_t len = br_aesforge_ecdsa_sign_asn1(impl, hf, hash_value, sk, sig);
  enter(before);
  return len;
}
#endif

// The connection ----------------------------------------------------------------------------------

// The unit failed: nothing that BearSSL would do with the zeros may reach the peer.
void br_aesforge_failed(int status) { hal_exit((uint32_t)complain("the unit failed", status)); }

static unsigned char certificate[LARGEST_DER];
static unsigned char incoming[SHIFT + LARGEST_TEXT + MORE_IN] __attribute__((aligned(4)));
static unsigned char outgoing[SHIFT + LARGEST_TEXT + MORE_OUT] __attribute__((aligned(4)));
#ifdef AESFORGE_TLS_CLIENT
static br_ssl_client_context side;
#else
static br_ssl_server_context side;
#endif
static br_ssl_engine_context *const engine = &side.eng;
static br_ec_impl curves;

// Exchange records until the engine can do one of these things; 0 if the connection has ended.
static unsigned until(unsigned wanted) {
  for (;;) {
    const unsigned state = br_ssl_engine_current_state(engine);
    size_t n;
    if ((state & BR_SSL_CLOSED) != 0u) return 0;
    if ((state & BR_SSL_SENDREC) != 0u) {
      const unsigned char *from = br_ssl_engine_sendrec_buf(engine, &n);
      (void)to_peer(NULL, from, n);
      br_ssl_engine_sendrec_ack(engine, n);
    } else if ((state & wanted) != 0u) {
      return state;
    } else {
      unsigned char *to = br_ssl_engine_recvrec_buf(engine, &n);
      const int got = to == NULL ? PEER_ENDED : from_peer(NULL, to, n);
      if (got == PEER_ENDED) return 0;
      br_ssl_engine_recvrec_ack(engine, (size_t)got);
    }
  }
}

static int echo(uint32_t bytes) {
  const int bounded = bytes != UNTIL_THE_END;
  while (!bounded || bytes != 0) {
    size_t n, room;
    if (until(BR_SSL_RECVAPP) == 0u) {
      const int error = br_ssl_engine_last_error(engine);
      if (error != BR_ERR_OK) return complain("a record was refused", error);
      return bounded ? complain("the peer ended before it had sent the whole text", 0) : 0;
    }
    const unsigned char *from = br_ssl_engine_recvapp_buf(engine, &n);
    if (until(BR_SSL_SENDAPP) == 0u) {
      return complain("cannot send", br_ssl_engine_last_error(engine));
    }
    unsigned char *to = br_ssl_engine_sendapp_buf(engine, &room);
    if (n > room) n = room;
    memcpy(to, from, n);
    br_ssl_engine_recvapp_ack(engine, n);
    br_ssl_engine_sendapp_ack(engine, n);
    br_ssl_engine_flush(engine, 0);
    if (bounded) bytes = n < bytes ? bytes - (uint32_t)n : 0u;
  }
  // What was sent last waits in the buffer.
  return until(BR_SSL_SENDAPP) != 0u || !bounded
             ? 0
             : complain("cannot send", br_ssl_engine_last_error(engine));
}

// Read a DER file of the run's input: 0, or 1 after a complaint.
static int take_der(unsigned char der[LARGEST_DER], uint32_t bytes, const char *what) {
  return hal_stream_read(der, bytes) == bytes ? 0 : complain(what, 0);
}

#ifdef AESFORGE_TLS_CLIENT
// An authority's name (DER), as long as it fits; its length anyway.
struct name {
  unsigned char der[LARGEST_NAME];
  size_t bytes;
};

static void add_to_name(void *context, const void *data, size_t bytes) {
  struct name *name = context;
  if (bytes <= LARGEST_NAME && name->bytes <= LARGEST_NAME - bytes) {
    memcpy(name->der + name->bytes, data, bytes);
  }
  name->bytes += bytes;
}

// Whom the client trusts, and the time: 0, or 1 after a complaint.
static int prepare_side(const struct request *request) {
  static br_x509_minimal_context verifier;
  static br_x509_decoder_context decoder;
  static br_x509_trust_anchor anchor;
  static struct name name;
  uint32_t now;
  if (take_der(certificate, request->certificate_bytes, "no certificate") != 0) return 1;
  if (hal_stream_read(&now, sizeof now) != sizeof now) return complain("no time", 0);
  br_x509_decoder_init(&decoder, add_to_name, &name);
  br_x509_decoder_push(&decoder, certificate, request->certificate_bytes);
  const br_x509_pkey *authority = br_x509_decoder_get_pkey(&decoder);
  if (authority == NULL || !br_x509_decoder_isCA(&decoder) || name.bytes > LARGEST_NAME) {
    return complain("the authority's certificate is refused",
                    br_x509_decoder_last_error(&decoder));
  }
  anchor.dn.data = name.der;
  anchor.dn.len = name.bytes;
  anchor.flags = BR_X509_TA_CA;
  anchor.pkey = *authority;
  br_x509_minimal_init(&verifier, &br_sha256_vtable, &anchor, 1);
  br_x509_minimal_set_hash(&verifier, br_sha256_ID, &br_sha256_vtable);
  br_x509_minimal_set_ecdsa(&verifier, &br_aesforge_ec, verify);
  br_x509_minimal_set_time(&verifier, DAYS_TO_1970 + now / SECONDS_OF_DAY, now % SECONDS_OF_DAY);
  br_ssl_engine_set_x509(engine, &verifier.vtable);
  br_ssl_engine_set_ecdsa(engine, verify);
  // Of TLS 1.2: the groups that a client offers are also those of the keys in certificates.
  curves.supported_curves |= (uint32_t)1 << BR_EC_secp256r1;
  return 0;
}

static int begin(void) { return br_ssl_client_reset(&side, AESFORGE_TLS_HOST, 0); }

static int handshake_failed(int error) {
  switch (error) {
    case BR_ERR_X509_EXPIRED:
      return complain("the certificate has expired or is not valid yet", error);
    case BR_ERR_X509_BAD_SERVER_NAME:
      return complain("the certificate is of another host", error);
    case BR_ERR_X509_NOT_TRUSTED:
      return complain("the certificate is not signed by the authority", error);
    default:
      return complain("the handshake failed", error);
  }
}
#else
// The server's key and certificate: 0, or 1 after a complaint.
static int prepare_side(const struct request *request) {
  static unsigned char der[LARGEST_DER];
  static br_skey_decoder_context key;
  static br_x509_certificate chain;
  if (take_der(der, request->key_bytes, "no key") != 0) return 1;
  br_skey_decoder_init(&key);
  br_skey_decoder_push(&key, der, request->key_bytes);
  const br_ec_private_key *ec_key = br_skey_decoder_get_ec(&key);
  if (ec_key == NULL) {
    return complain("the key is refused", br_skey_decoder_last_error(&key));
  }
  if (take_der(certificate, request->certificate_bytes, "no certificate") != 0) return 1;
  chain.data = certificate;
  chain.data_len = request->certificate_bytes;
  br_ssl_server_set_single_ec(&side, &chain, 1, ec_key, BR_KEYTYPE_SIGN, BR_KEYTYPE_EC, &curves,
                              sign);
  return 0;
}

static int begin(void) { return br_ssl_server_reset(&side); }

static int handshake_failed(int error) { return complain("the handshake failed", error); }
#endif

// The one group and suite, and what a server or a client has: 0, or 1 after a complaint.
static int prepare(const struct request *request) {
  const uint16_t suite = (uint16_t)request->suite;
  curves = br_aesforge_ec;
  curves.supported_curves = (uint32_t)1 << request->group;
  curves.mul = mul;
  curves.mulgen = mulgen;
#ifdef AESFORGE_TLS_CLIENT
  br_ssl_client_zero(&side);
#else
  br_ssl_server_zero(&side);
#endif
  br_ssl_engine_set_versions(engine, BR_TLS12, BR_TLS12);
  br_ssl_engine_set_suites(engine, &suite, 1);
  br_ssl_engine_add_flags(engine, BR_OPT_NO_RENEGOTIATION);
  br_ssl_engine_set_hash(engine, br_sha256_ID, &br_sha256_vtable);
  br_ssl_engine_set_prf_sha256(engine, br_tls12_sha256_prf);
#ifdef AESFORGE_TLS_SHA384
  br_ssl_engine_set_hash(engine, br_sha384_ID, &br_sha384_vtable);
  br_ssl_engine_set_prf_sha384(engine, br_tls12_sha384_prf);
#endif
#ifdef AESFORGE_TLS_CCM
  br_ssl_engine_set_aes_ctrcbc(engine, &timed_ctrcbc);
  br_ssl_engine_set_ccm(engine, &br_sslrec_in_ccm_vtable, &br_sslrec_out_ccm_vtable);
#else
  br_ssl_engine_set_aes_ctr(engine, &timed_ctr);
  br_ssl_engine_set_ghash(engine, timed_ghash);
  br_ssl_engine_set_gcm(engine, &br_sslrec_in_gcm_vtable, &br_sslrec_out_gcm_vtable);
#endif
  br_ssl_engine_set_ec(engine, &curves);
  br_ssl_engine_set_buffers_bidi(engine, incoming + SHIFT, sizeof incoming - SHIFT,
                                 outgoing + SHIFT, sizeof outgoing - SHIFT);
  br_ssl_engine_inject_entropy(engine, request->seed, sizeof request->seed);
  return prepare_side(request);
}

int main(void) {
  struct request request;
  if (hal_stream_read(&request, sizeof request) != sizeof request ||
      request.key_bytes > LARGEST_DER || request.certificate_bytes > LARGEST_DER) {
    return complain("no request", 0);
  }
  if (prepare(&request) != 0) return 1;
  say("ready\n");
  phase_began = hal_cycles();
  memset(spent, 0, sizeof spent);
  const uint32_t began = phase_began;
  if (begin() == 0 || until(BR_SSL_SENDAPP) == 0u) {
    const int error = br_ssl_engine_last_error(engine);
    return error == BR_ERR_OK ? complain("the peer ended in the handshake", 0)
                              : handshake_failed(error);
  }
  enter(NONE);
  report.handshake = hal_cycles() - began;
  memcpy(report.in_handshake, spent, sizeof spent);
  memset(spent, 0, sizeof spent);
  const int group = br_ssl_engine_get_ecdhe_curve(engine);
  if (group != (int)request.group) return complain("the peer has chosen another group", group);
  say("handshake done\n");

  const uint32_t connected = hal_cycles();
  phase_began = connected;
  if (echo(request.text_bytes) != 0) return 1;
  enter(NONE);
  report.bulk = hal_cycles() - connected;
  memcpy(report.in_bulk, spent, sizeof spent);
  br_ssl_engine_close(engine);
  (void)until(0);  // sends the alert, and waits until the peer answers or ends
  hal_stream_write(&report, sizeof report);
  return 0;
}
