// SPDX-License-Identifier: Apache-2.0
// Modes of operation over the kernel contract. Source: NIST SP 800-38A, sections 6.2 (CBC) and 6.5
// (CTR, with the 128-bit big-endian increment of appendix B.1).
//
// Buffers have any alignment and are either equal or disjoint. Chaining values are updated, so that
// a message may be processed in pieces. Every function is weak: a kernel may override it with a
// faster one. The functions wipe secrets from the stack and from registers before they return.
//
// Check every status. Unless a call returns AES_OK, `out` holds zeros and the message must begin
// again with its first chaining value. AES_ERR_KEY: *k holds no key. AES_ERR_LENGTH: more bytes
// than a buffer can have. Only devices on the bus return AES_ERR_BUSY, AES_ERR_DEVICE and
// AES_ERR_FAULT.
//
// Not checked: a key of the wrong direction, and a key that is replaced between two pieces of a
// message. The output is then wrong and the status AES_OK, except from some devices.
#ifndef AES_MODES_H
#define AES_MODES_H

#include "aes_kernel.h"

// CBC over whole blocks; `iv` (16 bytes) becomes the chaining value for the next piece.
int aes_cbc_encrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                    size_t nblocks);
int aes_cbc_decrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                    size_t nblocks);

// CTR over any number of bytes, with an encryption key in both directions. `counter` (16 bytes)
// advances by the blocks used, a last incomplete one included: only the last piece of a message
// may have a length that is no multiple of 16.
int aes_ctr(const aes_key_t *k, uint8_t *counter, const uint8_t *in, uint8_t *out,
            size_t nbytes);

// CBC-MAC, the chain of CMAC (aes_cmac.h) and CCM (aes_ccm.h): state = E(state ^ block) for each of
// nblocks blocks (0 allowed). `state` is a block in memory order; unless AES_OK it holds zeros.
// In aes_cbc_mac.c. Not a MAC by itself: messages of several lengths can be forged.
int aes_cbc_mac(const aes_key_t *k, uint32_t state[4], const uint8_t *data, size_t nblocks);

// ECB for buffers of any alignment (aes_encrypt_blocks needs 4-byte alignment).
int aes_ecb_encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int aes_ecb_decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);

// Overwrite n bytes with zeros; the compiler cannot remove it. For keys and copies of data.
void aes_wipe(void *data, size_t n);

#endif
