// SPDX-License-Identifier: Apache-2.0
// Question "stream_gcm": seal or open a whole file that arrives by the stream device.
//
// Input: decrypt, key_bits, iv_bytes, aad_bytes, text_bytes, key[8] as little-endian words; IV and
// AAD, each padded to words; the text. To open: the whole tag, then the text twice. Output: the
// text, followed by its tag when sealing. Exit codes below.
#include "aes_gcm.h"
#include "hal.h"

#define CHUNK_BYTES 4096u
#define TAG_BYTES 16u

enum { EXIT_OK, EXIT_HEADER = 2, EXIT_KEY = 4, EXIT_TAG };

typedef struct {
  uint32_t decrypt;
  uint32_t key_bits;
  uint32_t iv_bytes;
  uint32_t aad_bytes;
  uint32_t text_bytes;
  uint32_t key[8];
} header_t;

static header_t h;
static uint32_t chunk[CHUNK_BYTES / 4u];
static uint8_t *const data = (uint8_t *)chunk;

// IV or AAD into the chunk.
static int receive(uint32_t n) {
  uint32_t padded = (n + 3u) & ~3u;
  return n <= CHUNK_BYTES && hal_stream_read(chunk, padded) == padded;
}

enum { ENCRYPT, VERIFY, DECRYPT };

// The whole text, once.
static int pass(aes_gcm_t *g, int what) {
  int status = AES_OK;
  uint32_t left = h.text_bytes;
  while (left != 0u && status == AES_OK) {
    size_t n = hal_stream_read(chunk, left < CHUNK_BYTES ? left : CHUNK_BYTES);
    left -= (uint32_t)n;
    if (n == 0u) {
      return AES_ERR_LENGTH;
    }
    if (what == VERIFY) {
      status = aes_gcm_verify_update(g, data, n);
    } else {
      status = what == ENCRYPT ? aes_gcm_encrypt_update(g, data, data, n)
                               : aes_gcm_decrypt_update(g, data, data, n);
      hal_stream_write(chunk, n);
    }
  }
  return status;
}

static int seal(aes_gcm_t *g) {
  uint32_t tag[TAG_BYTES / 4u];
  int status = pass(g, ENCRYPT);
  if (status == AES_OK) {
    status = aes_gcm_encrypt_finish(g, (uint8_t *)tag, sizeof tag);
  }
  if (status == AES_OK) {
    hal_stream_write(tag, sizeof tag);
  }
  return status;
}

static int open(aes_gcm_t *g) {
  uint32_t tag[TAG_BYTES / 4u];
  int status = hal_stream_read(tag, sizeof tag) == sizeof tag ? AES_OK : AES_ERR_LENGTH;
  if (status == AES_OK) {
    status = pass(g, VERIFY);
  }
  if (status == AES_OK) {
    status = aes_gcm_verify_finish(g, (const uint8_t *)tag, sizeof tag);
  }
  if (status == AES_OK) {
    status = pass(g, DECRYPT);
  }
  return status == AES_OK ? aes_gcm_decrypt_finish(g) : status;
}

int main(void) {
  static aes_gcm_key_t key;
  static aes_gcm_t g;
  if (hal_stream_read(&h, sizeof h) != sizeof h) {
    return EXIT_HEADER;
  }
  int status = aes_gcm_set_key(&key, (const uint8_t *)h.key, h.key_bits);
  aes_wipe(h.key, sizeof h.key);
  if (status != AES_OK) {
    return EXIT_KEY;
  }
  if (!receive(h.iv_bytes) || aes_gcm_start(&g, &key, data, h.iv_bytes) != AES_OK ||
      !receive(h.aad_bytes) || aes_gcm_aad(&g, data, h.aad_bytes) != AES_OK) {
    return EXIT_HEADER;
  }
  status = (h.decrypt ? open : seal)(&g);
  aes_gcm_clear_key(&key);
  aes_wipe(&g, sizeof g);
  aes_wipe(chunk, sizeof chunk);
  return status == AES_OK ? EXIT_OK : status == AES_ERR_TAG ? EXIT_TAG : EXIT_HEADER;
}
