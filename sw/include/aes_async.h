// SPDX-License-Identifier: Apache-2.0
// What a kernel offers beside aes_kernel.h if its hardware has a way of its own to memory: the
// caller goes on while blocks are processed. From the return of a start on, every access of the
// buffers finds what it would find had all blocks been processed at once (docs/architecture.md,
// section 3).
#ifndef AES_ASYNC_H
#define AES_ASYNC_H

#include "aes_kernel.h"

// Like aes_encrypt_blocks and aes_decrypt_blocks, but they return when the work has begun: AES_OK,
// or another result of aes_kernel.h if it has not. One call is under way at a time: while it is,
// every other call of the kernel or a mode returns AES_ERR_BUSY, under the same key too.
int aes_encrypt_start(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int aes_decrypt_start(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);

// Is the work still under way? 1 or 0.
int aes_running(const aes_key_t *k);

// Wait for its end: AES_OK, or another result if something went wrong; `out` holds zeros then.
int aes_finish(const aes_key_t *k);

#endif
