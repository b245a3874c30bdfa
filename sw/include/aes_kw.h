// SPDX-License-Identifier: Apache-2.0
// AES key wrap, KW and KWP (with padding), over the kernel contract: keys encrypted and
// authenticated without a nonce. Source: NIST SP 800-38F (also RFC 3394 and RFC 5649).
//
// Buffers have any alignment; input and output of one call are either disjoint or begin at one
// address, else AES_ERR_OVERLAP. Check every status. A length or an overlap that is refused leaves
// the output unchanged; every other error leaves zeros. No plaintext of a forged input stays:
// AES_ERR_TAG zeros `out`, which holds unverified plaintext until then. The time depends on lengths
// and on the verdict. Secrets on the stack and in registers are wiped.
//
// Wrapping takes a key of aes_set_encrypt_key, unwrapping one of aes_set_decrypt_key. The functions
// with _inverse in their names have the inverse cipher as SP 800-38F's designated cipher function:
// wrapping takes a decryption key, and a unit that only encrypts can unwrap.
#ifndef AES_KW_H
#define AES_KW_H

#include "aes_modes.h"

#define AES_KW_EXTRA_BYTES 8u  // that a wrapped key is longer

// KW. Plaintext of 16 bytes at least and a multiple of 8, else AES_ERR_LENGTH. `out` gets bytes + 8
// when wrapping and bytes - 8 when unwrapping.
int aes_kw_wrap(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes);
int aes_kw_unwrap(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes);

// KWP. Plaintext of 1 to 2^32 - 1 bytes. `out` gets aes_kwp_wrapped_bytes(bytes) when wrapping. It
// has room for bytes - 8 when unwrapping: *plain_bytes of them are the plaintext, the others zeros.
// Unless AES_OK, *plain_bytes is 0.
int aes_kwp_wrap(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes);
int aes_kwp_unwrap(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes,
                   size_t *plain_bytes);

static inline size_t aes_kwp_wrapped_bytes(size_t bytes) {
  return (bytes + 7u) / 8u * 8u + AES_KW_EXTRA_BYTES;
}

int aes_kw_wrap_inverse(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes);
int aes_kw_unwrap_inverse(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes);
int aes_kwp_wrap_inverse(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes);
int aes_kwp_unwrap_inverse(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes,
                           size_t *plain_bytes);

#endif
