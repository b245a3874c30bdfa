// SPDX-License-Identifier: Apache-2.0
// AES-GCM (SP 800-38D) by the AES bus master, for instances with CAPS.GCM: a message a call, under
// the key of a session (aes_dma_start, encrypting, in any mode), which goes on afterwards as if
// nothing had been. A call keeps the device until its message is done and polls, whatever the
// device's `wait` is; a handler's calls get AES_DMA_ERR_BUSY meanwhile. While a job is under way
// the functions return AES_DMA_ERR_BUSY, for the session of the job too: wait for it first.
//
// Lengths and rules are those of sw/include/aes_gcm.h: an IV never serves twice under one key; tags
// of 12 to 16 bytes, or 4 or 8 for special uses. `in` and `out` are equal or disjoint and have any
// alignment; what is not aligned to words goes through the device's buffer. A call that does not
// return AES_DMA_OK leaves no text in `out`, in `tag` and in the device's buffer: `out` and `tag`
// are as they were, or zero.
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

// Let the device hash everything and compare the tag first, and decrypt only if it is right:
// AES_DMA_ERR_TAG otherwise. A ciphertext that is another one when it is read for the second time
// gets the same answer, and `out` is zero then.
int aes_dma_gcm_decrypt(aes_dma_session_t *session, const aes_dma_gcm_t *message,
                        const uint8_t *in, uint8_t *out, size_t nbytes, const uint8_t *tag,
                        size_t tag_bytes);

#endif
