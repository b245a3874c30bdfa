// SPDX-License-Identifier: Apache-2.0
// The compression function of SHA-256, timed: a function between a driver's SHA-256 and
// sha256_blocks. The tool compiles the driver with timed_sha256_blocks in place of sha256_blocks.
// Included once in a program.
#ifndef TLS_TIMED_SHA256_H
#define TLS_TIMED_SHA256_H

#include "phases.h"
#include "sha256.h"

void timed_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks);

void timed_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t nblocks) {
  const unsigned before = enter(SHA);
  sha256_blocks(state, data, nblocks);
  enter(before);
}

#endif
