// SPDX-License-Identifier: Apache-2.0
// Questions "ecc" and "ecc_ct": calls of the curves' functions, counted one by one.
//
// Operands arrive by the stream device and results go back; the host compares. Little-endian words.
//
// Request:  length of the operands (bytes), name of the function (28 bytes, filled with zeros),
//           operands, concatenated (padded to words)
// Response: status (0, or the error as a positive number), cycles, instructions, length of the
//           output (bytes), output (padded to words). An output that was not written is all 0xa5.
//
// The calls see buffers at odd addresses. A curve registers its functions in the table below.
#include "ecc.h"
#include "hal.h"

#define MAX_OPERANDS 512u
#define MAX_OUTPUT 64u
#define NAME_BYTES 28u
#define EXIT_BAD_REQUEST 2u
#define UNTOUCHED 0xa5u

typedef struct {
  uint32_t length;
  char name[NAME_BYTES];
} request_t;

typedef struct {
  uint32_t status;
  uint32_t cycles;
  uint32_t instructions;
  uint32_t length;
} response_t;

// `in` holds the operands of a call, n bytes.
typedef int (*call_t)(uint8_t *out, const uint8_t *in, size_t n);

typedef struct {
  const char *name;
  call_t call;
  uint32_t in_bytes;  // at least: a hash at the end has any length
  uint32_t out_bytes;
} function_t;

// int name(out, private key)
#define PUBLIC_KEY(name)                                              \
  static int call_##name(uint8_t *out, const uint8_t *in, size_t n) { \
    (void)n;                                                          \
    return name(out, in);                                             \
  }
// int name(out, private key of `bytes`, point)
#define SHARED_SECRET(name, bytes)                                    \
  static int call_##name(uint8_t *out, const uint8_t *in, size_t n) { \
    (void)n;                                                          \
    return name(out, in, in + (bytes));                               \
  }
// int name(out, private key of `bytes`, hash of any length)
#define SIGN(name, bytes)                                             \
  static int call_##name(uint8_t *out, const uint8_t *in, size_t n) { \
    return name(out, in, in + (bytes), n - (bytes));                  \
  }
// int name(signature and public key of `bytes` each, hash of any length)
#define VERIFY(name, bytes)                                                   \
  static int call_##name(uint8_t *out, const uint8_t *in, size_t n) {         \
    (void)out;                                                                \
    return name(in, in + (bytes), in + 2u * (bytes), n - 2u * (bytes));       \
  }
#define FUNCTION(name, in_bytes, out_bytes) {#name, call_##name, in_bytes, out_bytes}

SHARED_SECRET(x25519, 32)
PUBLIC_KEY(x25519_base)
PUBLIC_KEY(p256_public_key)
SHARED_SECRET(p256_ecdh, 32)
SIGN(p256_ecdsa_sign, 32)
VERIFY(p256_ecdsa_verify, 64)
PUBLIC_KEY(b233_public_key)
SHARED_SECRET(b233_ecdh, 30)
PUBLIC_KEY(k233_public_key)
SHARED_SECRET(k233_ecdh, 30)
PUBLIC_KEY(sect163k1_public_key)
SHARED_SECRET(sect163k1_ecdh, 21)
PUBLIC_KEY(sect163r1_public_key)
SHARED_SECRET(sect163r1_ecdh, 21)

static const function_t functions[] = {
    FUNCTION(x25519, 64, 32),
    FUNCTION(x25519_base, 32, 32),
    FUNCTION(p256_public_key, 32, 64),
    FUNCTION(p256_ecdh, 96, 32),
    FUNCTION(p256_ecdsa_sign, 32, 64),
    FUNCTION(p256_ecdsa_verify, 128, 0),
    FUNCTION(b233_public_key, 30, 60),
    FUNCTION(b233_ecdh, 90, 30),
    FUNCTION(k233_public_key, 30, 60),
    FUNCTION(k233_ecdh, 90, 30),
    FUNCTION(sect163k1_public_key, 21, 42),
    FUNCTION(sect163k1_ecdh, 63, 21),
    FUNCTION(sect163r1_public_key, 21, 42),
    FUNCTION(sect163r1_ecdh, 63, 21),
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

static int same_name(const char *a, const char *b) {
  size_t i = 0;
  while (i < NAME_BYTES - 1u && a[i] == b[i] && a[i] != '\0') {
    i++;
  }
  return a[i] == b[i];
}

static const function_t *find(const char *name) {
  for (size_t i = 0; i < FUNCTIONS; i++) {
    if (same_name(functions[i].name, name)) {
      return &functions[i];
    }
  }
  return NULL;
}

// The pointer is read once and hides the callee from the compiler: the measured call is a call.
static void timed(response_t *r, const function_t *f, uint8_t *out, const uint8_t *in, size_t n) {
  call_t const call = f->call;
  uint32_t instructions = hal_instret();
  uint32_t cycles = hal_cycles();
  int status = call(out, in, n);
  r->cycles = hal_cycles() - cycles;
  r->instructions = hal_instret() - instructions;
  r->status = (uint32_t)-status;
}

int main(void) {
  static request_t q;
  static uint32_t operands[MAX_OPERANDS / 4u], results[MAX_OUTPUT / 4u];
  static uint8_t in[MAX_OPERANDS + 1u], out[MAX_OUTPUT + 1u];
  uint8_t *bytes = (uint8_t *)results;
  while (hal_stream_read(&q, sizeof q) == sizeof q) {
    const function_t *f = find(q.name);
    uint32_t padded = (q.length + 3u) & ~3u;
    response_t r;
    if (f == NULL || q.length > MAX_OPERANDS || q.length < f->in_bytes ||
        hal_stream_read(operands, padded) != padded) {
      return EXIT_BAD_REQUEST;
    }
    for (uint32_t i = 0; i < q.length; i++) {
      in[i + 1u] = ((const uint8_t *)operands)[i];
    }
    for (uint32_t i = 0; i < sizeof out; i++) {
      out[i] = UNTOUCHED;
    }
    timed(&r, f, out + 1, in + 1, q.length);
    r.length = f->out_bytes;
    for (uint32_t i = 0; i < r.length; i++) {
      bytes[i] = out[i + 1u];
    }
    hal_stream_write(&r, sizeof r);
    hal_stream_write(results, (r.length + 3u) & ~3u);
  }
  return 0;
}
