// SPDX-License-Identifier: Apache-2.0
// A shape: the compression function of SHA-256, sha256_compress. Source: FIPS 180-4, sections 4 and
// 6.2. Time depends on nothing.
//
// Include it after SHA256_WIPE(data, bytes), and after SHA256_SUM0, _SUM1, _SIG0 and _SIG1 where
// instructions compute the four functions of section 4.1.2.
#ifndef SHA256_ROUNDS_H
#define SHA256_ROUNDS_H

#include <stdint.h>


// Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first primes.
static const uint32_t sha256_constant[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u,
    0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu,
    0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu,
    0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
    0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
    0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
    0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u,
    0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u,
    0xc67178f2u};

// Section 4.1.2, formulas 4.4 to 4.7.
#ifndef SHA256_SUM0
static inline uint32_t sha256_rotate(uint32_t x, unsigned n) {
  return (x >> n) | (x << (32u - n));
}
#define SHA256_SUM0(x) (sha256_rotate(x, 2) ^ sha256_rotate(x, 13) ^ sha256_rotate(x, 22))
#define SHA256_SUM1(x) (sha256_rotate(x, 6) ^ sha256_rotate(x, 11) ^ sha256_rotate(x, 25))
#define SHA256_SIG0(x) (sha256_rotate(x, 7) ^ sha256_rotate(x, 18) ^ ((x) >> 3))
#define SHA256_SIG1(x) (sha256_rotate(x, 17) ^ sha256_rotate(x, 19) ^ ((x) >> 10))
#endif

// Section 6.2.2, steps 3 and 2. The names of the working variables rotate instead of their values,
// and the message schedule is a ring of 16 words.
#define SHA256_ROUND(a, b, c, d, e, f, g, h, i)                                                    \
  do {                                                                                             \
    (h) += SHA256_SUM1(e) + ((g) ^ ((e) & ((f) ^ (g)))) +    \
           sha256_constant[t + (i)] + w[i];                                                        \
    (d) += (h);                                                                                    \
    (h) += SHA256_SUM0(a) + (((a) & (b)) | ((c) & ((a) | (b)))); \
  } while (0)

#define SHA256_ROUNDS_8(i)                              \
  do {                                           \
    SHA256_ROUND(a, b, c, d, e, f, g, h, (i) + 0u);     \
    SHA256_ROUND(h, a, b, c, d, e, f, g, (i) + 1u);     \
    SHA256_ROUND(g, h, a, b, c, d, e, f, (i) + 2u);     \
    SHA256_ROUND(f, g, h, a, b, c, d, e, (i) + 3u);     \
    SHA256_ROUND(e, f, g, h, a, b, c, d, (i) + 4u);     \
    SHA256_ROUND(d, e, f, g, h, a, b, c, (i) + 5u);     \
    SHA256_ROUND(c, d, e, f, g, h, a, b, (i) + 6u);     \
    SHA256_ROUND(b, c, d, e, f, g, h, a, (i) + 7u);     \
  } while (0)

static void sha256_compress(uint32_t state[8], const uint8_t block[64]) {
  uint32_t w[16];
  for (unsigned i = 0; i < 16u; i++, block += 4) {
    w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
           (uint32_t)block[3];
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (unsigned t = 0; t < 64u; t += 16u) {
    if (t != 0u) {
#pragma GCC unroll 16
      for (unsigned i = 0; i < 16u; i++) {
        uint32_t w2 = w[(i + 14u) % 16u], w15 = w[(i + 1u) % 16u];
        w[i] += SHA256_SIG1(w2) + w[(i + 9u) % 16u] +
                SHA256_SIG0(w15);
      }
    }
    SHA256_ROUNDS_8(0u);
    SHA256_ROUNDS_8(8u);
  }
  const uint32_t worked[8] = {a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8u; i++) {
    state[i] += worked[i];
  }
  SHA256_WIPE(w, sizeof w);
}

#endif
