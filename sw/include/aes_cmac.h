// SPDX-License-Identifier: Apache-2.0
// AES-CMAC over the kernel contract: authentication of a message of any length.
// Source: NIST SP 800-38B. A kernel may override the chain of blocks, aes_cbc_mac (aes_modes.h).
//
// Data have any alignment. Check every status: unless AES_OK there is no tag. The time depends on
// lengths only. Secrets on the stack and in registers are wiped.
#ifndef AES_CMAC_H
#define AES_CMAC_H

#include "aes_modes.h"

typedef struct {
  aes_key_t cipher;
  uint32_t k1[4];  // the subkey of messages whose last block is complete,
  uint32_t k2[4];  //   and of all others
} aes_cmac_key_t;

// Expand `key` (key_bits / 8 bytes). Unless AES_OK, *k holds no key.
int aes_cmac_set_key(aes_cmac_key_t *k, const uint8_t *key, unsigned key_bits);

// Forget a key.
void aes_cmac_clear_key(aes_cmac_key_t *k);

// A message in one call ---------------------------------------------------------------------------
// tag_bytes is 4 to 16, other lengths return AES_ERR_LENGTH. SP 800-38B, appendix A, advises 8 at
// least; LoRaWAN takes 4.

int aes_cmac(const aes_cmac_key_t *k, const uint8_t *data, size_t bytes, uint8_t *tag,
             size_t tag_bytes);

// AES_OK or AES_ERR_TAG.
int aes_cmac_verify(const aes_cmac_key_t *k, const uint8_t *data, size_t bytes, const uint8_t *tag,
                    size_t tag_bytes);

// A message in pieces -----------------------------------------------------------------------------
// start, update ..., finish or verify_finish. Pieces have any length. *k must outlive the context.
// Do not set it up again or assign to it meanwhile: nothing notices.
//
// Both ends wipe the context; to abandon a message, call aes_wipe on it. A call out of order
// returns AES_ERR_ORDER, an invalid tag length AES_ERR_LENGTH, and both change nothing. Every other
// error wipes the context, which then accepts only a start.

typedef struct {
  const aes_cmac_key_t *key;
  uint32_t state[4];  // of the chain; the bytes of the last block are XORed into it
  uint32_t used;      // how many these are: 0 to 16
  uint32_t phase;
} aes_cmac_t;

int aes_cmac_start(aes_cmac_t *c, const aes_cmac_key_t *k);
int aes_cmac_update(aes_cmac_t *c, const uint8_t *data, size_t n);
int aes_cmac_finish(aes_cmac_t *c, uint8_t *tag, size_t tag_bytes);
int aes_cmac_verify_finish(aes_cmac_t *c, const uint8_t *tag, size_t tag_bytes);

#endif
