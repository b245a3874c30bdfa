// SPDX-License-Identifier: Apache-2.0
// Contexts of the multi-part operations, for the unions of psa/crypto_driver_contexts_*.h.
// AES_KEY_WORDS must be the same in every file that includes this (aes_kernel.h).
#ifndef AESFORGE_PSA_TYPES_H
#define AESFORGE_PSA_TYPES_H

#include "aes_ccm.h"
#include "aes_cmac.h"
#include "aes_gcm.h"

// ECB, CBC and CTR.
typedef struct {
  aes_key_t key;
  uint32_t chain[4];    // IV, chaining value or next counter block
  uint32_t pending[4];  // ECB, CBC: an incomplete block of input; CTR: unused key stream at its end
  uint32_t held;        // how many bytes these are
  uint32_t mode;        // of psa_driver.c; 0: no operation
  uint32_t decrypt;
} aesforge_cipher_operation_t;

typedef struct {
  uint32_t mode;
  uint32_t decrypt;
  uint32_t tag_bytes;
  uint32_t nonce_bytes;  // 0: not set
  uint32_t started;
  uint8_t nonce[16];     // CCM: kept until both nonce and lengths are known
  size_t aad_bytes;
  size_t text_bytes;
  union {
    struct {
      aes_gcm_key_t key;
      aes_gcm_t message;
      aes_gcm_t stream;  // decryption: gives the text while `message` authenticates
    } gcm;
    struct {
      aes_key_t key;
      aes_ccm_t message;
      aes_ccm_t stream;
    } ccm;
  } u;
} aesforge_aead_operation_t;

typedef struct {
  aes_cmac_key_t key;
  aes_cmac_t message;
  uint32_t running;
} aesforge_mac_operation_t;

#endif
