// SPDX-License-Identifier: Apache-2.0
// What the files of AES-GCM share: limits of lengths, the phases of a context, the block of
// lengths, and CTR joined with GHASH. Private to sw/modes.
// Source: NIST SP 800-38D; section numbers below are of that document.
#ifndef GCM_PARTS_H
#define GCM_PARTS_H

#include "aes_absorb.h"
#include "aes_gcm.h"
#include "blocks.h"

#define FAST_IV_BYTES 12u
#define MAX_TEXT 0xfffffffe0u                 // bytes: 2^39 - 256 bits, section 5.2.1.1
#define MAX_OTHER (((uint64_t)1 << 61) - 1u)  // bytes of AAD or IV: 2^64 - 1 bits

enum {
  PHASE_NONE,
  PHASE_AAD,
  PHASE_ENCRYPT,
  PHASE_VERIFY,
  PHASE_DECRYPT,
  PHASE_UNVERIFIED  // decryption of one pass (aes_gcm_unverified.h)
};

// 1 if before + more exceeds most; requires before <= most.
HELPER int beyond(uint64_t before, size_t more, uint64_t most) {
  return (uint64_t)more > most - before;
}

HELPER int tag_length_allowed(size_t n) {
  return n == 4u || n == 8u || (n >= 12u && n <= 16u);
}

HELPER void zero(uint32_t block[BLOCK_WORDS]) {
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    block[i] = 0;
  }
}

// The last block of GHASH's input, from two lengths in bytes (section 7.1, step 5).
HELPER void put_lengths(uint32_t block[BLOCK_WORDS], uint64_t first, uint64_t second) {
  block[0] = swap((uint32_t)(first >> 29));
  block[1] = swap((uint32_t)first << 3);
  block[2] = swap((uint32_t)(second >> 29));
  block[3] = swap((uint32_t)second << 3);
}

// Encrypt blocks in place. The key may have been cleared since the message began.
HELPER int encrypt(const aes_gcm_key_t *k, uint32_t *blocks, size_t n) {
  if (k->cipher.rounds == 0u) {
    return AES_ERR_KEY;
  }
  return aes_encrypt_blocks(&k->cipher, (const uint8_t *)blocks, (uint8_t *)blocks, n);
}

// CTR of whole blocks, and `state` absorbs the result. Only where aes_ctr_blocks is; aligned
// buffers; the counter is public and does not overflow.
HELPER int encrypt_joined(const aes_gcm_key_t *k, uint32_t counter[BLOCK_WORDS],
                          uint32_t state[BLOCK_WORDS], const uint8_t *in, uint8_t *out,
                          size_t nblocks) {
  if (k->cipher.rounds == 0u) {
    return AES_ERR_KEY;
  }
  if (aes_gcm_encrypt_blocks != NULL) {
    return aes_gcm_encrypt_blocks(k, counter, state, in, out, nblocks);
  }
  int status = aes_ctr_blocks(&k->cipher, counter, in, out, nblocks);
  if (status == AES_OK) {
    aes_ghash_blocks(&k->hash, state, out, nblocks);
  }
  return status;
}

// Zero if n bytes are equal, in constant time.
HELPER uint32_t difference(const void *a, const void *b, size_t n) {
  const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
  uint32_t bits = 0;
  if (aligned(x, y)) {
    for (; n >= 4u; n -= 4u, x += 4, y += 4) {
      bits |= *(const any_word_t *)(const void *)x ^ *(const any_word_t *)(const void *)y;
    }
  }
  for (size_t i = 0; i < n; i++) {
    bits |= (uint32_t)(x[i] ^ y[i]);
  }
  return bits;
}

// The text of a message whose tag is verified, in the same call and of the same buffer: unlike
// aes_gcm_decrypt_update this does not hash it again (aes_gcm.c).
int aes_gcm_release(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n);

#endif
