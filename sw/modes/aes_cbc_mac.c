// SPDX-License-Identifier: Apache-2.0
// CBC-MAC over the kernel contract; contract in aes_modes.h.
// Source: NIST SP 800-38B, section 6.2, step 6; SP 800-38C, section 6.1, steps 2 and 3.
#include "aes_modes.h"
#include "blocks.h"

#define PIECE_BLOCKS 8u

// CBC encryption whose ciphertext nobody needs: a kernel may keep the state in registers.
WEAK int aes_cbc_mac_blocks(const aes_key_t *k, uint32_t state[4], const uint8_t *in,
                            size_t nblocks) {
  uint32_t piece[PIECE_BLOCKS * BLOCK_WORDS];
  size_t used = least(nblocks, PIECE_BLOCKS) * AES_BLOCK_BYTES;
  int status = AES_OK;
  while (nblocks != 0u && status == AES_OK) {
    size_t n = least(nblocks, PIECE_BLOCKS);
    status = aes_cbc_encrypt_blocks(k, state, in, (uint8_t *)piece, n);
    in += n * AES_BLOCK_BYTES;
    nblocks -= n;
  }
  aes_wipe(piece, used);
  return status;
}

WEAK int aes_cbc_mac(const aes_key_t *k, uint32_t state[4], const uint8_t *data, size_t nblocks) {
  int status = k->rounds == 0u ? AES_ERR_KEY : AES_OK;
  if (nblocks == 0u && status == AES_OK) {
    return AES_OK;  // `data` may be NULL, which allows no arithmetic
  }
  if (status == AES_OK && aligned(data, data)) {
    status = aes_cbc_mac_blocks(k, state, data, nblocks);
  } else if (status == AES_OK) {
    uint32_t piece[PIECE_BLOCKS * BLOCK_WORDS];
    size_t used = least(nblocks, PIECE_BLOCKS) * AES_BLOCK_BYTES;
    while (nblocks != 0u && status == AES_OK) {
      size_t n = least(nblocks, PIECE_BLOCKS);
      copy(piece, data, n * AES_BLOCK_BYTES);
      status = aes_cbc_mac_blocks(k, state, (const uint8_t *)piece, n);
      data += n * AES_BLOCK_BYTES;
      nblocks -= n;
    }
    aes_wipe(piece, used);
  }
  if (status != AES_OK) {
    aes_wipe(state, AES_BLOCK_BYTES);
  }
  return status;
}
