// SPDX-License-Identifier: Apache-2.0
// Question "stream": encrypt or decrypt a whole file that arrives by the stream device.
//
// Input: mode (0 ECB, 1 CBC, 2 CTR), decrypt, key_bits, key[8], iv[4] as little-endian words, then
// the data to the end. Output: the result, byte for byte. Exit codes below.
#include "aes_modes.h"
#include "hal.h"

#define CHUNK_BYTES 4096u

enum { EXIT_OK, EXIT_HEADER = 2, EXIT_LENGTH, EXIT_KEY, EXIT_DEVICE };
enum { MODE_ECB, MODE_CBC, MODE_CTR };

typedef struct {
  uint32_t mode;
  uint32_t decrypt;
  uint32_t key_bits;
  uint32_t key[8];
  uint32_t iv[4];
} header_t;

int main(void) {
  static header_t h;
  static aes_key_t schedule;
  static uint32_t chunk[CHUNK_BYTES / 4u];
  uint8_t *data = (uint8_t *)chunk;
  if (hal_stream_read(&h, sizeof h) != sizeof h || h.mode > MODE_CTR) {
    return EXIT_HEADER;
  }
  const uint8_t *key = (const uint8_t *)h.key;
  int status = h.decrypt && h.mode != MODE_CTR
                   ? aes_set_decrypt_key(&schedule, key, h.key_bits)
                   : aes_set_encrypt_key(&schedule, key, h.key_bits);
  aes_wipe(h.key, sizeof h.key);
  if (status != AES_OK) {
    return EXIT_KEY;
  }
  int result = EXIT_OK;
  for (;;) {
    size_t n = hal_stream_read(data, CHUNK_BYTES);
    if (n == 0u) {
      break;
    }
    if (h.mode == MODE_CTR) {
      status = aes_ctr(&schedule, (uint8_t *)h.iv, data, data, n);
    } else if (n % AES_BLOCK_BYTES != 0u) {
      result = EXIT_LENGTH;
      break;
    } else if (h.mode == MODE_CBC) {
      status = (h.decrypt ? aes_cbc_decrypt : aes_cbc_encrypt)(
          &schedule, (uint8_t *)h.iv, data, data, n / AES_BLOCK_BYTES);
    } else {
      status = (h.decrypt ? aes_decrypt_blocks : aes_encrypt_blocks)(&schedule, data, data,
                                                                     n / AES_BLOCK_BYTES);
    }
    if (status != AES_OK) {
      result = EXIT_DEVICE;
      break;
    }
    hal_stream_write(data, n);
  }
  aes_clear_key(&schedule);
  aes_wipe(chunk, sizeof chunk);
  return result;
}
