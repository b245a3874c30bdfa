// SPDX-License-Identifier: Apache-2.0
// TLS between a server and a client in one program, in the configuration of sw/stacks/wolfssl,
// where the driver alone has the curves. wolfSSL must compute nothing that the driver offers.
#define USE_CERT_BUFFERS_256
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aesforge_wolfssl.h"
#include <wolfssl/error-ssl.h>
#include <wolfssl/ssl.h>
#include <wolfssl/certs_test.h>

enum { OURS = 7, TEXT = 5000, ROOM = 40000 };

// What one side has sent and the other has not read.
typedef struct {
  char bytes[ROOM];
  int first, end, flip;
} pipe_t;

static pipe_t pipes[2];
static char text[TEXT], back[TEXT];

static void fail(const char *what, int error) {
  fprintf(stderr, "failed: %s: %d\n", what, error);
  exit(EXIT_FAILURE);
}

static unsigned taken;

static int watched(int id, wc_CryptoInfo *info, void *context) {
  const int ret = aesforge_wolfssl_cb(id, info, context);
  if (ret != CRYPTOCB_UNAVAILABLE) {
    taken++;
  } else if (info->algo_type == WC_ALGO_TYPE_CIPHER || info->algo_type == WC_ALGO_TYPE_PK ||
             info->algo_type == WC_ALGO_TYPE_HASH) {
    fail("left to wolfSSL", info->algo_type);
  }
  return ret;
}

static int put(WOLFSSL *ssl, char *from, int n, void *context) {
  pipe_t *p = context;
  (void)ssl;
  if (n > ROOM - p->end) fail("room", n);
  memcpy(p->bytes + p->end, from, (size_t)n);
  // No message of the handshake is as long as the text.
  if (p->flip && n > TEXT) {
    p->bytes[p->end + n - 1] ^= 1;
    p->flip = 0;
  }
  p->end += n;
  return n;
}

static int get(WOLFSSL *ssl, char *to, int n, void *context) {
  pipe_t *p = context;
  const int have = p->end - p->first;
  (void)ssl;
  if (have == 0) return WOLFSSL_CBIO_ERR_WANT_READ;
  if (n > have) n = have;
  memcpy(to, p->bytes + p->first, (size_t)n);
  p->first += n;
  if (p->first == p->end) p->first = p->end = 0;
  return n;
}

// The certificates are wolfSSL's and have expired; their signatures are checked before that.
static int expired(int right, WOLFSSL_X509_STORE_CTX *store) {
  return right || store->error == ASN_AFTER_DATE_E;
}

static WOLFSSL *side(WOLFSSL_CTX *ctx, pipe_t *in, pipe_t *out) {
  WOLFSSL *ssl = wolfSSL_new(ctx);
  if (ssl == NULL) fail("wolfSSL_new", 0);
  wolfSSL_SetIOReadCtx(ssl, in);
  wolfSSL_SetIOWriteCtx(ssl, out);
  return ssl;
}

static int waits(WOLFSSL *ssl, int ret, const char *what) {
  if (ret > 0) return 0;
  const int error = wolfSSL_get_error(ssl, ret);
  if (error != WOLFSSL_ERROR_WANT_READ) fail(what, error);
  return 1;
}

static void prepare(WOLFSSL_CTX *ctx, const char *suite) {
  wolfSSL_CTX_SetDevId(ctx, OURS);
  wolfSSL_CTX_SetIORecv(ctx, get);
  wolfSSL_CTX_SetIOSend(ctx, put);
  if (wolfSSL_CTX_set_cipher_list(ctx, suite) != WOLFSSL_SUCCESS) fail(suite, 0);
}

// Returns the server's error.
static int connect(int tls13, const char *suite, int group, int flip) {
  WOLFSSL_CTX *servers =
      wolfSSL_CTX_new(tls13 ? wolfTLSv1_3_server_method() : wolfTLSv1_2_server_method());
  WOLFSSL_CTX *clients =
      wolfSSL_CTX_new(tls13 ? wolfTLSv1_3_client_method() : wolfTLSv1_2_client_method());
  if (servers == NULL || clients == NULL) fail("contexts", 0);
  memset(pipes, 0, sizeof pipes);
  memset(back, 0, sizeof back);
  prepare(servers, suite);
  prepare(clients, suite);
  if (wolfSSL_CTX_use_certificate_buffer(servers, serv_ecc_der_256, sizeof serv_ecc_der_256,
                                         WOLFSSL_FILETYPE_ASN1) != WOLFSSL_SUCCESS ||
      wolfSSL_CTX_use_PrivateKey_buffer(servers, ecc_key_der_256, sizeof ecc_key_der_256,
                                        WOLFSSL_FILETYPE_ASN1) != WOLFSSL_SUCCESS) {
    fail("the server's certificate and key", 0);
  }
  const int loaded = wolfSSL_CTX_load_verify_buffer_ex(
      clients, ca_ecc_cert_der_256, sizeof ca_ecc_cert_der_256, WOLFSSL_FILETYPE_ASN1, 0,
      WOLFSSL_LOAD_FLAG_DATE_ERR_OKAY);
  if (loaded != WOLFSSL_SUCCESS) fail("the authority's certificate", loaded);
  wolfSSL_CTX_set_verify(clients, WOLFSSL_VERIFY_PEER, expired);
  WOLFSSL *server = side(servers, &pipes[0], &pipes[1]);
  WOLFSSL *client = side(clients, &pipes[1], &pipes[0]);
  if (tls13 ? wolfSSL_UseKeyShare(client, (word16)group) != WOLFSSL_SUCCESS
            : wolfSSL_UseSupportedCurve(client, (word16)group) != WOLFSSL_SUCCESS) {
    fail("group", group);
  }
  if (!tls13 && wolfSSL_UseSupportedCurve(client, WOLFSSL_ECC_SECP256R1) != WOLFSSL_SUCCESS) {
    fail("group", group);
  }
  for (int waiting = 3; waiting != 0;) {
    waiting = waits(client, wolfSSL_connect(client), "client");
    waiting |= waits(server, wolfSSL_accept(server), "server") << 1;
  }
  pipes[0].flip = flip;
  if (wolfSSL_write(client, text, TEXT) != TEXT) fail("client's text", 0);
  int error = 0;
  for (int n = 0, done = 0; done < TEXT; done += n) {
    n = wolfSSL_read(server, back + done, TEXT - done);
    if (n <= 0) {
      error = wolfSSL_get_error(server, n);
      break;
    }
  }
  if (error == 0) {
    if (wolfSSL_write(server, back, TEXT) != TEXT) fail("server's text", 0);
    memset(back, 0, sizeof back);
    for (int n = 0, done = 0; done < TEXT; done += n) {
      n = wolfSSL_read(client, back + done, TEXT - done);
      if (n <= 0) fail("echo", wolfSSL_get_error(client, n));
    }
    if (memcmp(text, back, TEXT) != 0) fail("another text", 0);
  }
  wolfSSL_free(server);
  wolfSSL_free(client);
  wolfSSL_CTX_free(servers);
  wolfSSL_CTX_free(clients);
  return error;
}

int main(void) {
  static const struct {
    int tls13;
    const char *suite;
  } suites[] = {{1, "TLS13-AES128-GCM-SHA256"},
                {1, "TLS13-AES128-CCM-SHA256"},
                {0, "ECDHE-ECDSA-AES128-GCM-SHA256"},
                {0, "ECDHE-ECDSA-AES128-CCM"}};
  static const int groups[] = {WOLFSSL_ECC_SECP256R1, WOLFSSL_ECC_X25519};
  unsigned connections = 0;
  for (unsigned i = 0; i < TEXT; i++) text[i] = (char)(i * 7u + i / 256u);
  if (wolfSSL_Init() != WOLFSSL_SUCCESS) fail("wolfSSL_Init", 0);
  if (wc_CryptoCb_RegisterDevice(OURS, watched, NULL) != 0) fail("device", 0);
  for (unsigned i = 0; i < sizeof suites / sizeof *suites; i++) {
    for (unsigned j = 0; j < 2; j++, connections++) {
      const int error = connect(suites[i].tls13, suites[i].suite, groups[j], 0);
      if (error != 0) fail("server", error);
    }
    const int error = connect(suites[i].tls13, suites[i].suite, groups[0], 1);
    if (error != AES_GCM_AUTH_E && error != AES_CCM_AUTH_E && error != VERIFY_MAC_ERROR &&
        error != DECRYPT_ERROR) {
      fail("a changed record", error);
    }
  }
  if (taken == 0) fail("no call", 0);
  printf("handshake: %u right\n", connections);
  return EXIT_SUCCESS;
}
