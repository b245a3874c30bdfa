// SPDX-License-Identifier: Apache-2.0
// For kernels and drivers: words in buffers that are bytes to their owners. The first byte is the
// lowest one of a word, in memory and on the bus.
#ifndef AES_BYTES_H
#define AES_BYTES_H

#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word_t;

// Whether a buffer may be accessed by words.
static inline int aligned(const void *bytes) { return ((uintptr_t)bytes & 3u) == 0; }

// A word at any address. Macros: in an inline function the compiler may order the accesses and the
// steps of a loop around them differently.
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
