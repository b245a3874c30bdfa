// SPDX-License-Identifier: Apache-2.0
// Calls of dma_calls.c, and the portable kernel and modes under the names that the test gives them.
#ifndef DMA_CALLS_H
#define DMA_CALLS_H

#include "aes_async.h"
#include "aes_dma.h"
#include "aes_gcm.h"

enum {
  CALL_SET, CALL_SET_DECRYPT, CALL_SET_GCM, CALL_ENCRYPT, CALL_DECRYPT, CALL_BYTES, CALL_CBC,
  CALL_CBC_DECRYPT, CALL_CTR, CALL_CTR_BYTES, CALL_GCM, CALL_GCM_BYTES, CALL_GCM_PIECES,
  CALL_GCM_DECRYPT, CALL_GCM_DECRYPT_PIECES, CALL_START, CALL_START_DECRYPT, CALL_CLEAR, CALLS,
  // Of a handler only.
  HANDLER_CLEARS_YOURS = CALLS, HANDLER_STARTS, HANDLERS
};

typedef aes_key_t soft_key_t;
typedef aes_gcm_key_t soft_gcm_key_t;

int soft_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits);
int soft_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits);
int soft_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int soft_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int soft_cbc_encrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n);
int soft_cbc_decrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n);
int soft_ctr(const aes_key_t *k, uint8_t *counter, const uint8_t *in, uint8_t *out, size_t n);
int soft_gcm_set_key(aes_gcm_key_t *k, const uint8_t *key, unsigned key_bits);
int soft_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                     const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                     size_t bytes, uint8_t *tag, size_t tag_bytes);

const aes_dma_device_t *kernel_device(void);
void kernel_unopened(void);

void calls_begin(void);
int calls_fault(int call, int fault, unsigned from, int before, int *status);
int calls_interrupt(int call, int handles, unsigned step, int before);

#endif
