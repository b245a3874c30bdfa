// SPDX-License-Identifier: Apache-2.0
// Calls of ecc.h on buffers of the heap that end where the operand ends, for the address sanitizer.
//
// Request:  request_t, then the operands one after the other
// Response: status, then the output. A byte that was not written is 0xa5, or the operand's if the
//           call was told to overwrite its first operand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecc.h"

#define MOST 256u
#define UNTOUCHED 0xa5u

enum { KEY, EXCHANGE, SIGN, VERIFY };

typedef struct {
  int (*call)();  // with the arguments that its shape says
  int shape;
  uint32_t first, output;  // bytes of the first operand and of the output
} function_t;

typedef int (*key_fn)(uint8_t *, const uint8_t *);
typedef int (*exchange_fn)(uint8_t *, const uint8_t *, const uint8_t *);

#define BINARY(curve, size)                                       \
  {(int (*)())curve##_public_key, KEY, size, 2u * (size)},        \
      {(int (*)())curve##_ecdh, EXCHANGE, size, size},            \
      {(int (*)())curve##_ecdh_plain, EXCHANGE, size, size}

static const function_t functions[] = {
    {(int (*)())x25519_base, KEY, 32, 32},
    {(int (*)())x25519, EXCHANGE, 32, 32},
    {(int (*)())p256_public_key, KEY, 32, 64},
    {(int (*)())p256_ecdh, EXCHANGE, 32, 32},
    {(int (*)())p256_ecdsa_sign, SIGN, 32, 64},
    {(int (*)())p256_ecdsa_verify, VERIFY, 64, 0},
    BINARY(b233, 30),
    BINARY(k233, 30),
    BINARY(sect163k1, 21),
    BINARY(sect163r1, 21),
};

typedef struct {
  uint8_t function, at, in_place, unused;
  uint32_t bytes;
} request_t;

static void die(const char *why) {
  fprintf(stderr, "curves driver: %s\n", why);
  exit(3);
}

// A copy of n bytes that is a block of its own.
static uint8_t *part(const uint8_t *from, size_t n, unsigned at) {
  uint8_t *all = malloc(at + n + (at + n == 0u));
  if (all == NULL) die("no memory");
  memset(all, UNTOUCHED, at);
  if (n != 0u) memcpy(all + at, from, n);
  return all;
}

int main(void) {
  request_t q;
  while (fread(&q, sizeof q, 1, stdin) == 1u) {
    uint8_t all[MOST], blank[MOST];
    if (q.function >= sizeof functions / sizeof functions[0]) die("no such function");
    if (q.bytes > MOST || (q.bytes != 0u && fread(all, q.bytes, 1, stdin) != 1u)) die("too short");
    const function_t *f = &functions[q.function];
    if (q.bytes < f->first) die("too few operands");
    unsigned at = q.at;
    size_t rest = q.bytes - f->first;
    memset(blank, UNTOUCHED, sizeof blank);
    if (q.in_place) memcpy(blank, all, f->first);
    // In place, the output begins where the first operand does.
    uint8_t *out = part(blank, f->output, at);
    uint8_t *a = part(all, f->first, at), *b = part(all + f->first, rest, at);
    uint8_t *x = q.in_place && f->first <= f->output ? out + at : a + at;
    int status = 0;
    switch (f->shape) {
      case KEY: status = ((key_fn)f->call)(out + at, x); break;
      case EXCHANGE: status = ((exchange_fn)f->call)(out + at, x, b + at); break;
      case SIGN: status = p256_ecdsa_sign(out + at, x, b + at, rest); break;
      case VERIFY:
        if (rest < 64u) die("too few operands");
        status = p256_ecdsa_verify(a + at, b + at, b + at + 64, rest - 64u);
        break;
      default: die("no such shape");
    }
    for (unsigned i = 0; i < at; i++) {
      if (out[i] != UNTOUCHED || a[i] != UNTOUCHED || b[i] != UNTOUCHED) die("bytes in front");
    }
    int32_t answer = status;
    if (fwrite(&answer, sizeof answer, 1, stdout) != 1u) die("cannot write");
    if (f->output != 0u && fwrite(out + at, f->output, 1, stdout) != 1u) die("cannot write");
    if (fflush(stdout) != 0) die("cannot write");
    free(out), free(a), free(b);
  }
  return 0;
}
