// SPDX-License-Identifier: Apache-2.0
// SHA-256 and HMAC over the compression function; contract in sha256.h. FIPS 180-4, section 5.
#include "sha256.h"

#include "aes_forget_registers.h"
#include "aes_modes.h"

#define BLOCK 64u
#define LENGTH_AT 56u  // in the last block, section 5.1.1

#define SHA256_WIPE aes_wipe
#define SHA256_T sha256_t
#define SHA256(name) sha256_##name
#define HMAC_LINKAGE

void sha256_init(sha256_t *s) {
  // Section 5.3.3: the square roots of the first eight primes.
  s->state[0] = 0x6a09e667u;
  s->state[1] = 0xbb67ae85u;
  s->state[2] = 0x3c6ef372u;
  s->state[3] = 0xa54ff53au;
  s->state[4] = 0x510e527fu;
  s->state[5] = 0x9b05688cu;
  s->state[6] = 0x1f83d9abu;
  s->state[7] = 0x5be0cd19u;
  s->bytes = 0;
}

void sha256_update(sha256_t *s, const uint8_t *data, size_t n) {
  size_t used = (size_t)(s->bytes % BLOCK);
  s->bytes += n;
  for (; n != 0u && used != 0u; n--) {
    s->block[used++] = *data++;
    if (used == BLOCK) {
      sha256_blocks(s->state, s->block, 1);
      used = 0;
    }
  }
  if (n >= BLOCK) {
    sha256_blocks(s->state, data, n / BLOCK);
    data += n & ~(size_t)(BLOCK - 1u);
    n %= BLOCK;
  }
  for (; n != 0u; n--) {
    s->block[used++] = *data++;
  }
  forget_registers();
}

void sha256_final(sha256_t *s, uint8_t digest[32]) {
  size_t used = (size_t)(s->bytes % BLOCK);
  const uint64_t bits = s->bytes << 3;
  s->block[used++] = 0x80u;
  while (used != LENGTH_AT) {
    if (used == BLOCK) {
      sha256_blocks(s->state, s->block, 1);
      used = 0;
    } else {
      s->block[used++] = 0;
    }
  }
  for (unsigned i = 0; i < 8u; i++) {
    s->block[LENGTH_AT + i] = (uint8_t)(bits >> (56u - 8u * i));
  }
  sha256_blocks(s->state, s->block, 1);
  for (unsigned i = 0; i < 32u; i++) {
    digest[i] = (uint8_t)(s->state[i / 4u] >> (24u - 8u * (i % 4u)));
  }
  aes_wipe(s, sizeof *s);
  forget_registers();
}

#include "sha256_hmac.h"
