// SPDX-License-Identifier: Apache-2.0
// TLS 1.2 between a server and a client of BearSSL in one program, both on our classes: three
// cipher suites, two groups, and a record that was changed on its way. With an argument: a key that
// is refused. No other ciphers or curves of BearSSL are named here, so the linker takes none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aesforge_bearssl.h"
#include "bearssl.h"

#define TEXT 5000u

static const unsigned char secret[32] = {1, 2, 3, 4};
static unsigned char public_point[65], text[TEXT], back[TEXT];
static unsigned char buffers[2][BR_SSL_BUFSIZE_BIDI];

static void fail(const char *what, int error) {
  fprintf(stderr, "%s: %d\n", what, error);
  exit(EXIT_FAILURE);
}

static void prepare(br_ssl_engine_context *engine, const br_ec_impl *ec, uint16_t suite,
                    unsigned char *buffer) {
  br_ssl_engine_set_versions(engine, BR_TLS12, BR_TLS12);
  br_ssl_engine_set_suites(engine, &suite, 1);
  br_ssl_engine_set_hash(engine, br_sha256_ID, &br_sha256_vtable);
  br_ssl_engine_set_prf_sha256(engine, br_tls12_sha256_prf);
  br_ssl_engine_set_aes_cbc(engine, &br_aesforge_cbcenc_vtable, &br_aesforge_cbcdec_vtable);
  br_ssl_engine_set_aes_ctr(engine, &br_aesforge_ctr_vtable);
  br_ssl_engine_set_aes_ctrcbc(engine, &br_aesforge_ctrcbc_vtable);
  br_ssl_engine_set_ghash(engine, br_aesforge_ghash);
  br_ssl_engine_set_ec(engine, ec);
  br_ssl_engine_set_ecdsa(engine, br_aesforge_ecdsa_vrfy_asn1);
  br_ssl_engine_set_cbc(engine, &br_sslrec_in_cbc_vtable, &br_sslrec_out_cbc_vtable);
  br_ssl_engine_set_gcm(engine, &br_sslrec_in_gcm_vtable, &br_sslrec_out_gcm_vtable);
  br_ssl_engine_set_ccm(engine, &br_sslrec_in_ccm_vtable, &br_sslrec_out_ccm_vtable);
  br_ssl_engine_set_buffer(engine, buffer, BR_SSL_BUFSIZE_BIDI, 1);
  br_ssl_engine_inject_entropy(engine, text, 32);
}

// Carry a piece of a record from one side to the other. If *flip, change a bit of a long one: no
// message of the client's handshake is as long as its text.
#define LONG 1024u

static int carry(br_ssl_engine_context *from, br_ssl_engine_context *to, int *flip) {
  size_t have, room;
  unsigned char *source = br_ssl_engine_sendrec_buf(from, &have);
  unsigned char *target = br_ssl_engine_recvrec_buf(to, &room);
  if (source == NULL || target == NULL) return 0;
  if (have > room) have = room;
  memcpy(target, source, have);
  if (*flip && have >= LONG) {
    target[have - 1u] ^= 1u;
    *flip = 0;
  }
  br_ssl_engine_recvrec_ack(to, have);
  br_ssl_engine_sendrec_ack(from, have);
  return 1;
}

// Read application data of one side into `to` from *done on.
static void take(br_ssl_engine_context *engine, unsigned char *to, size_t *done) {
  size_t n;
  const unsigned char *got = br_ssl_engine_recvapp_buf(engine, &n);
  if (got == NULL) return;
  if (n > TEXT - *done) fail("more text than was sent", (int)n);
  memcpy(to + *done, got, n);
  *done += n;
  br_ssl_engine_recvapp_ack(engine, n);
}

static void give(br_ssl_engine_context *engine, const unsigned char *from, size_t limit,
                 size_t *done) {
  size_t room;
  unsigned char *target = br_ssl_engine_sendapp_buf(engine, &room);
  if (target == NULL || *done == limit) return;
  if (room > limit - *done) room = limit - *done;
  memcpy(target, from + *done, room);
  br_ssl_engine_sendapp_ack(engine, room);
  br_ssl_engine_flush(engine, 0);
  *done += room;
}

// The client sends the text and the server sends it back. Returns the server's error.
static int connect(uint16_t suite, int curve, int flip) {
  static br_ssl_server_context server;
  static br_ssl_client_context client;
  static unsigned char seen[TEXT];
  br_ec_impl ec = br_aesforge_ec;
  br_x509_knownkey_context known;
  br_x509_certificate chain = {(unsigned char *)"not read", 8};
  br_ec_private_key key = {BR_EC_secp256r1, (unsigned char *)secret, 32};
  br_ec_public_key peer = {BR_EC_secp256r1, public_point, 65};
  size_t sent = 0, received = 0, returned = 0, compared = 0;
  int untouched = 0;
  ec.supported_curves = (uint32_t)1 << curve | (uint32_t)1 << BR_EC_secp256r1;
  br_ssl_server_zero(&server);
  br_ssl_client_zero(&client);
  prepare(&server.eng, &ec, suite, buffers[0]);
  prepare(&client.eng, &ec, suite, buffers[1]);
  br_ssl_server_set_single_ec(&server, &chain, 1, &key, BR_KEYTYPE_SIGN, 0, &ec,
                              br_aesforge_ecdsa_sign_asn1);
  br_x509_knownkey_init_ec(&known, &peer, BR_KEYTYPE_SIGN);
  br_ssl_engine_set_x509(&client.eng, &known.vtable);
  if (!br_ssl_client_reset(&client, "core.aesforge.test", 0)) fail("client", client.eng.err);
  if (!br_ssl_server_reset(&server)) fail("server", server.eng.err);
  while (compared < TEXT) {
    const int moved = carry(&client.eng, &server.eng, &flip) |
                      carry(&server.eng, &client.eng, &untouched);
    if (br_ssl_engine_current_state(&server.eng) == BR_SSL_CLOSED) {
      return br_ssl_engine_last_error(&server.eng);
    }
    if (br_ssl_engine_current_state(&client.eng) == BR_SSL_CLOSED) {
      fail("client", br_ssl_engine_last_error(&client.eng));
    }
    const size_t before = sent + received + returned + compared;
    give(&client.eng, text, TEXT, &sent);
    take(&server.eng, seen, &received);
    give(&server.eng, seen, received, &returned);
    take(&client.eng, back, &compared);
    if (!moved && before == sent + received + returned + compared) fail("nothing moves", 0);
  }
  if (memcmp(text, back, TEXT) != 0) fail("another text", 0);
  if (curve != br_ssl_engine_get_ecdhe_curve(&server.eng)) fail("another group", curve);
  return 0;
}

int main(int argc, char **argv) {
  static const uint16_t suites[] = {BR_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
                                    BR_TLS_ECDHE_ECDSA_WITH_AES_128_CCM,
                                    BR_TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256};
  static const int groups[] = {BR_EC_secp256r1, BR_EC_curve25519};
  unsigned connections = 0;
  (void)argv;
  if (argc > 1) {
    br_aesforge_ctr_keys keys;
    br_aesforge_ctr_vtable.init(&keys.vtable, secret, 15);
  }
  for (unsigned i = 0; i < TEXT; i++) text[i] = (unsigned char)(i * 7u + i / 256u);
  if (br_aesforge_ec.mulgen(public_point, secret, 32, BR_EC_secp256r1) != 65) fail("key", 0);
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned j = 0; j < 2; j++, connections++) {
      const int error = connect(suites[i], groups[j], 0);
      if (error != 0) fail("server", error);
    }
    const int error = connect(suites[i], BR_EC_secp256r1, 1);
    if (error != BR_ERR_BAD_MAC) fail("a changed record", error);
  }
  printf("handshake: %u right\n", connections);
  return 0;
}
