// SPDX-License-Identifier: Apache-2.0
// CTR in pieces of any length, over the kernel contract. Source: NIST SP 800-38A, section 6.5, with
// the 128-bit big-endian increment of appendix B.1, as aes_ctr (aes_modes.h).
//
// start, update ..., finish. One message may be encrypted or decrypted: CTR does not tell them
// apart. Buffers have any alignment; input and output are equal or disjoint. *k, an encryption key,
// must outlive the context, which holds key stream: finish wipes it. To abandon a message, call
// finish or aes_wipe.
//
// Check every status. A call out of order returns AES_ERR_ORDER, and one whose buffers overlap
// otherwise AES_ERR_OVERLAP: both change nothing. Every other error leaves zeros in `out` and wipes
// the context, which then accepts only a start.
//
// Never use a counter block twice under one key. CTR has no tag: whoever changes the ciphertext
// changes the plaintext as they like.
#ifndef AES_CTR_H
#define AES_CTR_H

#include "aes_modes.h"

typedef struct {
  const aes_key_t *key;
  uint32_t counter[4];  // the next counter block
  uint32_t stream[4];   // the last block of key stream,
  uint32_t used;        //   and how many of its bytes are used; 16 before the first one
  uint32_t phase;
} aes_ctr_t;

int aes_ctr_start(aes_ctr_t *c, const aes_key_t *k, const uint8_t counter[16]);
int aes_ctr_update(aes_ctr_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aes_ctr_finish(aes_ctr_t *c);

#endif
