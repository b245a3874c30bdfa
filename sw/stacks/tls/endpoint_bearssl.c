// SPDX-License-Identifier: Apache-2.0
// A TLS 1.2 server on a simulated core, with BearSSL: one connection, whose text it sends back. The
// connection is that of sim/tcp/harness.cpp. The run's input: struct request, then the server's key
// and certificate; its output: struct report (phases.h).
//
// Phases are timed by classes that call the driver's, and by a function between the driver's
// SHA-256 and sha256_blocks; the tool compiles the driver with timed_sha256_blocks.
#include <string.h>

#include "aesforge_bearssl.h"
#include "phases.h"
#include "sha256.h"

// Functions of this header assign numbers to shorter ones.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "bearssl.h"
#pragma GCC diagnostic pop

#define PEER_ENDED 0
#include "connection.h"

#define LARGEST_DER 2048u
#define LARGEST_TEXT 4096u  // of a record
// What BearSSL wants beside the text of a record (br_ssl_engine_set_buffers_bidi).
#define MORE_IN 325u
#define MORE_OUT 85u

// The text of an AES-GCM or AES-CCM record begins 13 bytes into BearSSL's buffer. So that it is on
// a word boundary, the buffer begins 3 bytes after one.
#define SHIFT 3u

// Phases ------------------------------------------------------------------------------------------

void timed_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);

void timed_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {
  const unsigned before = enter(SHA);
  sha256_blocks(state, data, nblocks);
  enter(before);
}

static void timed_ghash(void *y, const void *h, const void *data, size_t len) {
  const unsigned before = enter(RECORDS);
  br_aesforge_ghash(y, h, data, len);
  enter(before);
}

// A context's class is ours after the driver's init has set its own.
static const br_block_ctr_class timed_ctr;
static const br_block_ctrcbc_class timed_ctrcbc;

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

static uint32_t mul(unsigned char *point, size_t len, const unsigned char *x, size_t xlen,
                    int curve) {
  const unsigned before = enter(AGREE);
  const uint32_t good = br_aesforge_ec.mul(point, len, x, xlen, curve);
  enter(before);
  return good;
}

static size_t mulgen(unsigned char *point, const unsigned char *x, size_t xlen, int curve) {
  const unsigned before = enter(KEYS);
  const size_t len = br_aesforge_ec.mulgen(point, x, xlen, curve);
  enter(before);
  return len;
}

static size_t sign(const br_ec_impl *impl, const br_hash_class *hf, const void *hash_value,
                   const br_ec_private_key *sk, void *sig) {
  const unsigned before = enter(SIGN);
  const size_t len = br_aesforge_ecdsa_sign_asn1(impl, hf, hash_value, sk, sig);
  enter(before);
  return len;
}

// The connection ----------------------------------------------------------------------------------

// The unit failed: nothing that BearSSL would do with the zeros may reach the peer.
void br_aesforge_failed(int status) { hal_exit((uint32_t)complain("the unit failed", status)); }

static unsigned char der[LARGEST_DER], certificate[LARGEST_DER];
static unsigned char incoming[SHIFT + LARGEST_TEXT + MORE_IN] __attribute__((aligned(4)));
static unsigned char outgoing[SHIFT + LARGEST_TEXT + MORE_OUT] __attribute__((aligned(4)));
static br_skey_decoder_context key;
static br_ssl_server_context server;
static br_ssl_engine_context *const engine = &server.eng;
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

// The server's key and certificate, and the one group and suite: 0, or 1 after a complaint.
static int prepare(const struct request *request) {
  static br_x509_certificate chain;
  const uint16_t suite = (uint16_t)request->suite;
  if (hal_stream_read(der, request->key_bytes) != request->key_bytes) return complain("no key", 0);
  br_skey_decoder_init(&key);
  br_skey_decoder_push(&key, der, request->key_bytes);
  const br_ec_private_key *ec_key = br_skey_decoder_get_ec(&key);
  if (ec_key == NULL) {
    return complain("the key is refused", br_skey_decoder_last_error(&key));
  }
  chain.data = certificate;
  chain.data_len = hal_stream_read(certificate, request->certificate_bytes);
  if (chain.data_len != request->certificate_bytes) return complain("no certificate", 0);
  curves = br_aesforge_ec;
  curves.supported_curves = (uint32_t)1 << request->group;
  curves.mul = mul;
  curves.mulgen = mulgen;
  br_ssl_server_zero(&server);
  br_ssl_engine_set_versions(engine, BR_TLS12, BR_TLS12);
  br_ssl_engine_set_suites(engine, &suite, 1);
  br_ssl_engine_add_flags(engine, BR_OPT_NO_RENEGOTIATION);
  br_ssl_engine_set_hash(engine, br_sha256_ID, &br_sha256_vtable);
  br_ssl_engine_set_prf_sha256(engine, br_tls12_sha256_prf);
  br_ssl_engine_set_aes_ctr(engine, &timed_ctr);
  br_ssl_engine_set_aes_ctrcbc(engine, &timed_ctrcbc);
  br_ssl_engine_set_ghash(engine, timed_ghash);
  br_ssl_engine_set_gcm(engine, &br_sslrec_in_gcm_vtable, &br_sslrec_out_gcm_vtable);
  br_ssl_engine_set_ccm(engine, &br_sslrec_in_ccm_vtable, &br_sslrec_out_ccm_vtable);
  br_ssl_engine_set_ec(engine, &curves);
  br_ssl_engine_set_buffers_bidi(engine, incoming + SHIFT, sizeof incoming - SHIFT,
                                 outgoing + SHIFT, sizeof outgoing - SHIFT);
  br_ssl_engine_inject_entropy(engine, request->seed, sizeof request->seed);
  br_ssl_server_set_single_ec(&server, &chain, 1, ec_key, BR_KEYTYPE_SIGN, BR_KEYTYPE_EC, &curves,
                              sign);
  return 0;
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
  if (br_ssl_server_reset(&server) == 0 || until(BR_SSL_SENDAPP) == 0u) {
    const int error = br_ssl_engine_last_error(engine);
    return error == BR_ERR_OK ? complain("the peer ended in the handshake", 0)
                              : complain("the handshake failed", error);
  }
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
  br_ssl_engine_close(engine);
  (void)until(0);  // sends the alert, and waits until the peer answers or ends
  hal_stream_write(&report, sizeof report);
  return 0;
}
