// SPDX-License-Identifier: Apache-2.0
// Curves with private keys and hashes that memcheck knows as secret; points are public.
#include <stdlib.h>
#include <valgrind/memcheck.h>

#include "ecc.h"

static uint8_t key[32], point[64], out[64], hash[32];

static void require(int good) {
  if (!good) exit(4);
}

static void fresh(void) {
  for (unsigned i = 0; i < 32u; i++) {
    key[i] = (uint8_t)(i < 8u ? 0u : 11u * i + 3u);
    hash[i] = (uint8_t)(29u * i + 1u);
  }
  VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
  VALGRIND_MAKE_MEM_UNDEFINED(hash, sizeof hash);
}

// A public key is public once it is made; it is the point of the exchange that follows.
static void publish(void) {
  VALGRIND_MAKE_MEM_DEFINED(out, sizeof out);
  for (unsigned i = 0; i < sizeof out; i++) point[i] = out[i];
  fresh();
}

// Random numbers are as secret as the key that is made of them.
static int fresh_bytes(void *context, uint8_t *bytes, size_t n) {
  (void)context;
  for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)(i < 8u ? 0u : 13u * i + 5u);
  VALGRIND_MAKE_MEM_UNDEFINED(bytes, n);
  return 0;
}

#define BINARY(curve)                                                     \
  fresh();                                                                \
  require(curve##_check_private(key) == ECC_OK);                          \
  require(curve##_generate(key, out, fresh_bytes, NULL) == ECC_OK);       \
  publish();                                                              \
  require(curve##_check_public(point) == ECC_OK);                         \
  fresh();                                                                \
  require(curve##_public_key(out, key) == ECC_OK);                        \
  publish();                                                              \
  require(curve##_ecdh(out, key, point) == ECC_OK);                       \
  fresh();                                                                \
  require(curve##_ecdh_plain(out, key, point) == ECC_OK)

int main(void) {
  require(RUNNING_ON_VALGRIND != 0);
  fresh();
  require(x25519_base(out, key) == ECC_OK);
  publish();
  require(x25519(out, key, point) == ECC_OK);
  fresh();
  require(p256_public_key(out, key) == ECC_OK);
  publish();
  require(p256_ecdh(out, key, point) == ECC_OK);
  fresh();
  require(p256_ecdsa_sign(out, key, hash, sizeof hash) == ECC_OK);
  fresh();
  require(p256_check_private(key) == ECC_OK);
  require(p256_generate(key, NULL, fresh_bytes, NULL) == ECC_OK);
  require(p256_generate(key, out, fresh_bytes, NULL) == ECC_OK);
  publish();
  require(p256_check_public(point) == ECC_OK);
  require(p256_mul(out, key, point) == ECC_OK);
  require(x25519_generate(key, out, fresh_bytes, NULL) == ECC_OK);
  BINARY(b233);
  BINARY(k233);
  BINARY(sect163k1);
  BINARY(sect163r1);
  return 0;
}
