// SPDX-License-Identifier: Apache-2.0
// For kernels and drivers: word access to byte buffers. Little-endian: the first byte is the lowest
// one of a word, in memory and on the bus.
#ifndef AES_BYTES_H
#define AES_BYTES_H

#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word_t;

// 1 if the address is a multiple of four.
static inline int aligned(const void *bytes) { return ((uintptr_t)bytes & 3u) == 0; }

// A word at any address. These are macros because an inline function changes the order in which the
// compiler schedules the accesses.
#define WORD_OF_BYTES(bytes)                                                       \
  ((uint32_t)(bytes)[0] | (uint32_t)(bytes)[1] << 8 | (uint32_t)(bytes)[2] << 16 | \
   (uint32_t)(bytes)[3] << 24)

#define WORD_TO_BYTES(bytes, word)        \
  do {                                    \
    (bytes)[0] = (uint8_t)(word);         \
    (bytes)[1] = (uint8_t)((word) >> 8);  \
    (bytes)[2] = (uint8_t)((word) >> 16); \
    (bytes)[3] = (uint8_t)((word) >> 24); \
  } while (0)

#endif
