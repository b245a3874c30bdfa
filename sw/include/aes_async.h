// SPDX-License-Identifier: Apache-2.0
// Asynchronous calls, offered by kernels whose hardware is a bus master: the caller continues while
// blocks are processed. Once a start has returned, every access to the buffers sees the finished
// result: an access to an unfinished block waits for it (docs/architecture.md, section 3).
#ifndef AES_ASYNC_H
#define AES_ASYNC_H

#include "aes_kernel.h"

// Start aes_encrypt_blocks or aes_decrypt_blocks and return: AES_OK if the work has begun, another
// result of aes_kernel.h otherwise. One job runs at a time. Until aes_finish, every other call of
// the kernel or of a mode returns AES_ERR_BUSY, also under the same key, and *k must neither move
// nor be overwritten.
int aes_encrypt_start(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int aes_decrypt_start(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);

// 1 while the job runs, else 0.
int aes_running(const aes_key_t *k);

// Wait for the end of the job. Unless AES_OK, `out` holds zeros.
int aes_finish(const aes_key_t *k);

#endif
