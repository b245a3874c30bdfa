// SPDX-License-Identifier: Apache-2.0
// AES-GCM (SP 800-38D) by the AES bus master, for instances with CAPS.GCM: one message a call,
// under the key of a session (aes_dma_start, encrypting, in any mode). The session's own message
// does not change. A call keeps the device until its message is done and polls, whatever the
// device's `wait` is; a handler's calls get AES_DMA_ERR_BUSY meanwhile. While a job is under way
// the functions return AES_DMA_ERR_BUSY, also for the session of the job: wait for the job first.
//
// Lengths and rules are those of sw/include/aes_gcm.h: never use an IV twice under one key; tags
// of 12 to 16 bytes, or 4 or 8 for special uses. `in` and `out` are equal or disjoint and have any
// alignment; unaligned data is copied through the buffer in aes_dma_device_t. Unless a call returns
// AES_DMA_OK, `out` and `tag` are unchanged or zero, and the device's buffer holds no text.
#ifndef AES_DMA_GCM_H
#define AES_DMA_GCM_H

#include "aes_dma.h"

#define AES_DMA_ERR_TAG (-9)  // not what the sender authenticated

typedef struct {
  const uint8_t *iv;
  size_t iv_bytes;  // at least 1; 12 is the fast length
  const uint8_t *aad;
  size_t aad_bytes;
} aes_dma_gcm_t;

// Encrypt and write the tag.
int aes_dma_gcm_encrypt(aes_dma_session_t *session, const aes_dma_gcm_t *message,
                        const uint8_t *in, uint8_t *out, size_t nbytes, uint8_t *tag,
                        size_t tag_bytes);

// Verify the tag in a first pass over the ciphertext, then decrypt in a second one. A wrong tag
// returns AES_DMA_ERR_TAG. So does a ciphertext that changed between the passes, with zeros in
// `out`.
int aes_dma_gcm_decrypt(aes_dma_session_t *session, const aes_dma_gcm_t *message,
                        const uint8_t *in, uint8_t *out, size_t nbytes, const uint8_t *tag,
                        size_t tag_bytes);

#endif
