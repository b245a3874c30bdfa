// SPDX-License-Identifier: Apache-2.0
// CBC-MAC over the kernel contract; contract in aes_modes.h.
// Source: NIST SP 800-38B, section 6.2, step 6; SP 800-38C, section 6.1, steps 2 and 3.
#include "aes_modes.h"
#include "blocks.h"
#include "aes_forget_registers.h"

WEAK int aes_cbc_mac(const aes_key_t *k, uint32_t state[4], const uint8_t *data, size_t nblocks) {
  int status = k->rounds == 0u ? AES_ERR_KEY : AES_OK;
  for (; nblocks != 0u && status == AES_OK; nblocks--) {
    combine(state, state, data, AES_BLOCK_BYTES);
    status = aes_encrypt_blocks(k, (const uint8_t *)state, (uint8_t *)state, 1);
    data += AES_BLOCK_BYTES;
  }
  if (status != AES_OK) {
    aes_wipe(state, AES_BLOCK_BYTES);
  }
  forget_registers();
  return status;
}
