// SPDX-License-Identifier: Apache-2.0
// Linked but never run: uses one direction of the kernel (SIZE_ENCRYPT or SIZE_DECRYPT), so that
// the linker reports the size of the kernel for that direction.
#include "aes_kernel.h"

static aes_key_t schedule;
static uint32_t words[8];

int main(void) {
  uint8_t *bytes = (uint8_t *)words;
#if defined SIZE_ENCRYPT
  int status = aes_set_encrypt_key(&schedule, bytes, 128u);
  status |= aes_encrypt_blocks(&schedule, bytes, bytes, 1u);
#elif defined SIZE_DECRYPT
  int status = aes_set_decrypt_key(&schedule, bytes, 128u);
  status |= aes_decrypt_blocks(&schedule, bytes, bytes, 1u);
#else
#error "which direction: SIZE_ENCRYPT or SIZE_DECRYPT"
#endif
  return status;
}
