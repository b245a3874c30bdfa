// SPDX-License-Identifier: Apache-2.0
// AES key wrap over the kernel contract; contract in aes_kw.h.
// Source: NIST SP 800-38F; section numbers below are of that document. A semiblock has 8 bytes.
#include "aes_kw.h"
#include "blocks.h"
#include "aes_forget_registers.h"

#define HALF 8u  // bytes of a semiblock
// Bytes of plaintext, section 5.3.1; the wrapped key's length must be a size_t too.
#define ROOM ((size_t)-1 - AES_BLOCK_BYTES)
#define KW_MOST least_of((((uint64_t)1 << 54) - 1u) * HALF, ROOM)
#define KWP_MOST least_of(0xffffffffu, ROOM)

typedef int (*blocks_fn)(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);

static const uint32_t icv1[2] = {0xa6a6a6a6u, 0xa6a6a6a6u};  // section 6.2
#define ICV2 0xa65959a6u                                     // section 6.3

static inline uint64_t least_of(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static __attribute__((noinline)) int fail(uint8_t *out, size_t nbytes, int status) {
  aes_wipe(out, nbytes);
  return status;
}

// To a higher address in the same buffer, or to another one.
static void move_up(uint8_t *to, const uint8_t *from, size_t n) {
  while (n-- != 0u) {
    to[n] = from[n];
  }
}

// Add the step number to the semiblock before the cipher or after it.
static inline void add_step(uint32_t *half, uint64_t step) {
  half[0] ^= swap((uint32_t)(step >> 32));
  half[1] ^= swap((uint32_t)step);
}

// W, section 6.1, algorithm 1, over `a` and n semiblocks in `r`; n is 2 at least.
static int wrap_steps(blocks_fn cipher, const aes_key_t *k, uint32_t a[2], uint8_t *r, size_t n) {
  uint32_t block[BLOCK_WORDS] = {a[0], a[1], 0, 0};
  uint64_t step = 0;
  int status = AES_OK;
  for (unsigned j = 0; j < 6u && status == AES_OK; j++) {
    for (size_t i = 0; i < n && status == AES_OK; i++) {
      copy(&block[2], r + i * HALF, HALF);
      status = cipher(k, (const uint8_t *)block, (uint8_t *)block, 1);
      add_step(block, ++step);
      copy(r + i * HALF, &block[2], HALF);
    }
  }
  a[0] = block[0];
  a[1] = block[1];
  aes_wipe(block, sizeof block);
  return status;
}

// Its inverse, algorithm 2.
static int unwrap_steps(blocks_fn cipher, const aes_key_t *k, uint32_t a[2], uint8_t *r,
                        size_t n) {
  uint32_t block[BLOCK_WORDS] = {a[0], a[1], 0, 0};
  uint64_t step = (uint64_t)n * 6u;
  int status = AES_OK;
  for (unsigned j = 0; j < 6u && status == AES_OK; j++) {
    for (size_t i = n; i-- != 0u && status == AES_OK;) {
      add_step(block, step--);
      copy(&block[2], r + i * HALF, HALF);
      status = cipher(k, (const uint8_t *)block, (uint8_t *)block, 1);
      copy(r + i * HALF, &block[2], HALF);
    }
  }
  a[0] = block[0];
  a[1] = block[1];
  aes_wipe(block, sizeof block);
  return status;
}

// KW ----------------------------------------------------------------------------------------------

static int kw_wrap(blocks_fn cipher, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                   size_t bytes) {
  uint32_t a[2] = {icv1[0], icv1[1]};
  if (bytes < 2u * HALF || bytes % HALF != 0u || exceeds(bytes, KW_MOST)) {
    return AES_ERR_LENGTH;
  }
  if (overlap(in, bytes, out, bytes + HALF)) {
    return AES_ERR_OVERLAP;
  }
  if (k->rounds == 0u) {
    return fail(out, bytes + HALF, AES_ERR_KEY);
  }
  move_up(out + HALF, in, bytes);
  int status = wrap_steps(cipher, k, a, out + HALF, bytes / HALF);
  if (status != AES_OK) {
    return fail(out, bytes + HALF, status);
  }
  copy(out, a, HALF);
  forget_registers();
  return AES_OK;
}

static int kw_unwrap(blocks_fn cipher, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                     size_t bytes) {
  uint32_t a[2];
  if (bytes < 3u * HALF || bytes % HALF != 0u || exceeds(bytes - HALF, KW_MOST)) {
    return AES_ERR_LENGTH;
  }
  if (overlap(in, bytes, out, bytes - HALF)) {
    return AES_ERR_OVERLAP;
  }
  if (k->rounds == 0u) {
    return fail(out, bytes - HALF, AES_ERR_KEY);
  }
  copy(a, in, HALF);
  copy(out, in + HALF, bytes - HALF);
  int status = unwrap_steps(cipher, k, a, out, bytes / HALF - 1u);
  if (status == AES_OK && unequal(a, icv1, sizeof a) != 0u) {
    status = AES_ERR_TAG;
  }
  aes_wipe(a, sizeof a);
  return status == AES_OK ? AES_OK : fail(out, bytes - HALF, status);
}

// KWP ---------------------------------------------------------------------------------------------

static int kwp_wrap(blocks_fn cipher, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                    size_t bytes) {
  uint32_t a[2] = {swap(ICV2), swap((uint32_t)bytes)};
  if (bytes == 0u || exceeds(bytes, KWP_MOST)) {
    return AES_ERR_LENGTH;
  }
  size_t padded = aes_kwp_wrapped_bytes(bytes) - HALF;
  if (overlap(in, bytes, out, padded + HALF)) {
    return AES_ERR_OVERLAP;
  }
  int status = AES_ERR_KEY;
  if (k->rounds != 0u) {
    move_up(out + HALF, in, bytes);
    for (size_t i = bytes; i < padded; i++) {
      out[HALF + i] = 0;
    }
    if (padded > HALF) {
      status = wrap_steps(cipher, k, a, out + HALF, padded / HALF);
      copy(out, a, HALF);
    } else {
      uint32_t block[BLOCK_WORDS] = {a[0], a[1], 0, 0};
      copy(&block[2], out + HALF, HALF);
      status = cipher(k, (const uint8_t *)block, (uint8_t *)block, 1);
      copy(out, block, AES_BLOCK_BYTES);
      aes_wipe(block, sizeof block);
    }
  }
  forget_registers();
  return status == AES_OK ? AES_OK : fail(out, padded + HALF, status);
}

// Nonzero unless a and the plaintext in `out` are what KWP makes (section 6.3, algorithm 6, steps 3
// to 7), in constant time.
static uint32_t kwp_differs(const uint32_t a[2], const uint8_t *out, size_t padded) {
  uint32_t padding = (uint32_t)padded - swap(a[1]);  // 0 to 7 bytes, else the length is wrong
  uint32_t bits = (a[0] ^ swap(ICV2)) | padding >> 3;
  for (uint32_t i = 1; i < HALF; i++) {
    // All ones if byte i from the end is padding.
    uint32_t mask = 0u - (((i - 1u) - padding) >> 31);
    bits |= out[padded - i] & mask;
  }
  return bits;
}

static int kwp_unwrap(blocks_fn cipher, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                      size_t bytes, size_t *plain_bytes) {
  uint32_t a[2];
  *plain_bytes = 0;
  if (bytes < 2u * HALF || bytes % HALF != 0u || exceeds(bytes - HALF, KWP_MOST + 1u)) {
    return AES_ERR_LENGTH;
  }
  size_t padded = bytes - HALF;
  if (overlap(in, bytes, out, padded)) {
    return AES_ERR_OVERLAP;
  }
  if (k->rounds == 0u) {
    return fail(out, padded, AES_ERR_KEY);
  }
  int status;
  if (padded > HALF) {
    copy(a, in, HALF);
    copy(out, in + HALF, padded);
    status = unwrap_steps(cipher, k, a, out, padded / HALF);
  } else {
    uint32_t block[BLOCK_WORDS];
    copy(block, in, AES_BLOCK_BYTES);
    status = cipher(k, (const uint8_t *)block, (uint8_t *)block, 1);
    copy(a, block, HALF);
    copy(out, &block[2], HALF);
    aes_wipe(block, sizeof block);
  }
  if (status == AES_OK) {
    if (kwp_differs(a, out, padded) != 0u) {
      status = AES_ERR_TAG;
    } else {
      *plain_bytes = swap(a[1]);
    }
  }
  aes_wipe(a, sizeof a);
  return status == AES_OK ? AES_OK : fail(out, padded, status);
}

// Entries -----------------------------------------------------------------------------------------

WEAK int aes_kw_wrap(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes) {
  return kw_wrap(aes_encrypt_blocks, k, in, out, bytes);
}

WEAK int aes_kw_unwrap(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes) {
  return kw_unwrap(aes_decrypt_blocks, k, in, out, bytes);
}

WEAK int aes_kw_wrap_inverse(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes) {
  return kw_wrap(aes_decrypt_blocks, k, in, out, bytes);
}

WEAK int aes_kw_unwrap_inverse(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes) {
  return kw_unwrap(aes_encrypt_blocks, k, in, out, bytes);
}

WEAK int aes_kwp_wrap(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes) {
  return kwp_wrap(aes_encrypt_blocks, k, in, out, bytes);
}

WEAK int aes_kwp_unwrap(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes,
                        size_t *plain_bytes) {
  return kwp_unwrap(aes_decrypt_blocks, k, in, out, bytes, plain_bytes);
}

WEAK int aes_kwp_wrap_inverse(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes) {
  return kwp_wrap(aes_decrypt_blocks, k, in, out, bytes);
}

WEAK int aes_kwp_unwrap_inverse(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes,
                                size_t *plain_bytes) {
  return kwp_unwrap(aes_encrypt_blocks, k, in, out, bytes, plain_bytes);
}
