// SPDX-License-Identifier: Apache-2.0
// For kernels: the bulk entries of CTR and CBC (aes_kernel.h) over functions that join mode and
// cipher. The kernel defines first, with aligned buffers and nblocks > 0,
//   int fused_ctr(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
//                 uint32_t counter[4])
//     CTR in which only the last byte of the counter changes: at most up to its overflow, after
//     which that byte alone is 0
//   int fused_cbc_encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
//                         uint32_t chain[4])
//     CBC encryption; `chain` becomes the last block
//   int fused_cbc_decrypt(...)   the same parameters, unless AES_ENCRYPT_ONLY, or OWN_CBC_DECRYPT:
//                                the kernel has aes_cbc_decrypt_blocks
//     CBC decryption from the last block to the first, so that in place too no block is needed that
//     was overwritten; `chain` is the IV and keeps its value
// They return a status; unless it is AES_OK, what they wrote does not matter.
//
// A fused_ctr() that is inlined leaves round keys in callee-saved registers, which a function for
// groups of blocks stores in its frame. So it calls that function first, and defines
// FUSED_BELOW_WORDS, at least the words of that frame, for calls after an overflow.
#ifndef AES_FUSED_ENTRIES_H
#define AES_FUSED_ENTRIES_H

#include "aes_kernel.h"

#ifdef FUSED_BELOW_WORDS
#define BELOW_WORDS FUSED_BELOW_WORDS
#include "aes_wipe_below.h"
#else
#define wiped_below() AES_OK
#endif

// A word that may alias any object: buffers are bytes to their owners.
typedef uint32_t __attribute__((may_alias)) fused_word_t;

// The counter's last word after its last byte has become 0: 1 more in the three bytes before.
static __attribute__((noinline)) uint32_t counter_carry(uint32_t word) {
  const uint32_t high = (word << 16 | (word & 0xff00u) | (word >> 16 & 0xffu)) + 1u;
  return (high & 0xffu) << 16 | (high & 0xff00u) | (high >> 16 & 0xffu);
}

int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t nblocks) {
  fused_word_t *const word = (fused_word_t *)counter + 3;
  size_t done = 0;
  int overflowed = 0;
  while (done != nblocks) {
    const size_t room = 256u - (*word >> 24), left = nblocks - done;
    const size_t n = left < room ? left : room;
    int status = fused_ctr(k, in, out, n, counter);
    done += n;
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    if (status != AES_OK) return aes_no_blocks(out - done * AES_BLOCK_BYTES, nblocks, status);
    if (n == room) *word = counter_carry(*word), overflowed = 1;
  }
  return overflowed ? wiped_below() : AES_OK;
}

int aes_cbc_encrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks) {
  if (nblocks == 0) return AES_OK;
  int status = fused_cbc_encrypt(k, in, out, nblocks, chain);
  return status == AES_OK ? AES_OK : aes_no_blocks(out, nblocks, status);
}

#if !defined(AES_ENCRYPT_ONLY) && !defined(OWN_CBC_DECRYPT)

int aes_cbc_decrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks) {
  if (nblocks == 0) return AES_OK;
  const fused_word_t *const last = (const fused_word_t *)in + 4 * (nblocks - 1);
  fused_word_t *const next = (fused_word_t *)chain;
  const uint32_t c0 = last[0], c1 = last[1], c2 = last[2], c3 = last[3];
  int status = fused_cbc_decrypt(k, in, out, nblocks, chain);
  next[0] = c0, next[1] = c1, next[2] = c2, next[3] = c3;
  return status == AES_OK ? AES_OK : aes_no_blocks(out, nblocks, status);
}

#endif

#endif
