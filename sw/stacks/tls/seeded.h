// SPDX-License-Identifier: Apache-2.0
// Randomness: SHA-256 of the seed and a counter, for a demonstration whose seed the tool makes.
// Included once in a program, which defines SHA256_OF(data, bytes, digest): 0, or what else it
// returns after a failure.
#ifndef TLS_SEEDED_H
#define TLS_SEEDED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint32_t seed[9];

static int random_bytes(void *context, unsigned char *out, size_t bytes) {
  (void)context;
  while (bytes != 0) {
    unsigned char block[32];
    seed[8]++;
    if (SHA256_OF((const unsigned char *)seed, sizeof seed, block) != 0) return -1;
    const size_t n = bytes < sizeof block ? bytes : sizeof block;
    memcpy(out, block, n);
    out += n;
    bytes -= n;
  }
  return 0;
}

#endif
