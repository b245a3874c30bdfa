// SPDX-License-Identifier: Apache-2.0
// AES-GCM in one pass, where a cipher's unit and a hash unit are in one set: one multiplies while
// the other works on the next blocks. All functions are optional.
#ifndef AES_ABSORB_H
#define AES_ABSORB_H

// The compiler flags of a set hold ABSORB_GROUP, the blocks in a group, from its cipher's manifest
// (sw.absorb_group). Without it the cipher's kernel has no aes_ctr_absorb.

#include "aes_gcm.h"

// aes_kernel.h has the contract. Optional here: AES-GCM may be linked without aes_modes.c.
__attribute__((weak)) int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4],
                                         const uint8_t *in, uint8_t *out, size_t nblocks);

// A cipher's kernel: CTR like aes_ctr_blocks, but aligned buffers and whole groups, at least one.
// Only the last byte of the counter changes, and does not overflow before the last block. The hash
// unit absorbs the result. A kernel that takes a group twice leaves the hash unit without a key.
__attribute__((weak)) int aes_ctr_absorb(const aes_key_t *k, const uint8_t *in, uint8_t *out,
                                         size_t nblocks, uint32_t counter[4]);

#if defined(ABSORB_GROUP) && ABSORB_GROUP == 1
#define ABSORB_MESSAGES

// A cipher's kernel that takes any number of blocks, none too: the same after the tag's mask, which
// is the counter block itself, encrypted and not absorbed. Without a key it returns AES_ERR_KEY.
int aes_ctr_absorb_masked(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                          uint32_t counter[4], uint32_t mask[4]);
#endif

// A hash unit's kernel: CTR like aes_ctr_blocks, and `state` absorbs the result as by
// aes_ghash_blocks. Registers as in both: the caller forgets them.
__attribute__((weak)) int aes_gcm_encrypt_blocks(const aes_gcm_key_t *k, uint32_t counter[4],
                                                 uint32_t state[4], const uint8_t *in,
                                                 uint8_t *out, size_t nblocks);

// The functions of aes_gcm.h for all messages: what a hash unit's own leave to them.
__attribute__((weak)) int aes_gcm_encrypt_any(const aes_gcm_key_t *k, const uint8_t *iv,
                                              size_t iv_bytes, const uint8_t *aad,
                                              size_t aad_bytes, const uint8_t *in, uint8_t *out,
                                              size_t bytes, uint8_t *tag, size_t tag_bytes);
__attribute__((weak)) int aes_gcm_decrypt_any(const aes_gcm_key_t *k, const uint8_t *iv,
                                              size_t iv_bytes, const uint8_t *aad,
                                              size_t aad_bytes, const uint8_t *in, uint8_t *out,
                                              size_t bytes, const uint8_t *tag, size_t tag_bytes);

#endif
