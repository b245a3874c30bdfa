// SPDX-License-Identifier: Apache-2.0
// Question "test": run vectors that arrive by the stream device and send the results back; the host
// compares. All words little-endian.
//
// Request:  command, mode, decrypt, key_bits, nbytes, key[8], iv[4], data (nbytes, padded to words)
// Response: status (0, or the set-up's result as a positive number), data (padded to words), iv[4]
//
// Command 1 processes the data once. Command 2 is the inner loop of the Monte Carlo test of the
// AESAVS, sections 6.4.1 (ECB) and 6.4.2 (CBC): nbytes counts the iterations (at least 2), the data
// are one block, and the response holds the last output and the one before. Command 0 ends.
#include "aes_modes.h"
#include "hal.h"

#define MAX_BYTES 16384u
#define EXIT_BAD_REQUEST 2u

enum { CMD_END, CMD_CRYPT, CMD_MONTE_CARLO };
enum { MODE_ECB, MODE_CBC, MODE_CTR };

typedef struct {
  uint32_t command;
  uint32_t mode;
  uint32_t decrypt;
  uint32_t key_bits;
  uint32_t nbytes;
  uint32_t key[8];
  uint32_t iv[4];
} request_t;

static aes_key_t schedule;
static uint32_t data[MAX_BYTES / 4u];

static int crypt(const request_t *r, uint8_t *iv) {
  uint8_t *d = (uint8_t *)data;
  size_t nblocks = r->nbytes / AES_BLOCK_BYTES;
  if (r->mode == MODE_CTR) {
    return aes_ctr(&schedule, iv, d, d, r->nbytes);
  }
  if (r->mode == MODE_CBC) {
    return (r->decrypt ? aes_cbc_decrypt : aes_cbc_encrypt)(&schedule, iv, d, d, nblocks);
  }
  return (r->decrypt ? aes_decrypt_blocks : aes_encrypt_blocks)(&schedule, d, d, nblocks);
}

static void copy_block(uint32_t *to, const uint32_t *from) {
  for (unsigned i = 0; i < 4u; i++) {
    to[i] = from[i];
  }
}

// In CBC encryption chains over outputs, decryption over inputs; in both the next input is the
// output before this one, and the IV stands in for the one before the first (AESAVS 6.4.2).
static int monte_carlo(const request_t *r) {
  int status = AES_OK;
  uint32_t in[4], out[4], last[4], before_last[4], chain[4], iv[4];
  copy_block(in, data);
  copy_block(last, r->iv);
  copy_block(chain, r->iv);
  for (uint32_t j = 0; j < r->nbytes && status == AES_OK; j++) {
    if (r->mode == MODE_CBC) {
      copy_block(iv, chain);
      status = (r->decrypt ? aes_cbc_decrypt : aes_cbc_encrypt)(
          &schedule, (uint8_t *)iv, (const uint8_t *)in, (uint8_t *)out, 1);
    } else {
      status = (r->decrypt ? aes_decrypt_blocks : aes_encrypt_blocks)(
          &schedule, (const uint8_t *)in, (uint8_t *)out, 1);
    }
    copy_block(chain, r->decrypt ? in : out);
    copy_block(before_last, last);
    copy_block(last, out);
    copy_block(in, r->mode == MODE_CBC ? before_last : out);
  }
  copy_block(data, last);
  copy_block(data + 4, before_last);
  return status;
}

int main(void) {
  static request_t r;
  for (;;) {
    if (hal_stream_read(&r, sizeof r.command) != sizeof r.command || r.command == CMD_END) {
      return 0;
    }
    hal_stream_read(&r.mode, sizeof r - sizeof r.command);
    uint32_t nbytes = r.command == CMD_MONTE_CARLO ? AES_BLOCK_BYTES : r.nbytes;
    uint32_t padded = (nbytes + 3u) & ~3u;
    if (padded > MAX_BYTES || r.command > CMD_MONTE_CARLO || r.mode > MODE_CTR ||
        hal_stream_read(data, padded) != padded) {
      return EXIT_BAD_REQUEST;
    }
    const uint8_t *key = (const uint8_t *)r.key;
    int status = r.decrypt && r.mode != MODE_CTR
                     ? aes_set_decrypt_key(&schedule, key, r.key_bits)
                     : aes_set_encrypt_key(&schedule, key, r.key_bits);
    if (status == AES_OK) {
      if (r.command == CMD_CRYPT) {
        status = crypt(&r, (uint8_t *)r.iv);
      } else {
        status = monte_carlo(&r);
        padded = 2u * AES_BLOCK_BYTES;
      }
    }
    uint32_t answer = (uint32_t)-status;
    hal_stream_write(&answer, sizeof answer);
    hal_stream_write(data, padded);
    hal_stream_write(r.iv, sizeof r.iv);
  }
}
