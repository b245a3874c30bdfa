// SPDX-License-Identifier: Apache-2.0
// A kernel as a device on the bus is one: the portable cipher, but a call that was chosen fails
// with AES_ERR_DEVICE or AES_ERR_BUSY and leaves what aes_kernel.h promises, zeros and no key.
#include "aes_modes.h"
#include "fuzz.h"

#define aes_set_encrypt_key sound_set_encrypt_key
#define aes_set_decrypt_key sound_set_decrypt_key
#define aes_encrypt_blocks sound_encrypt_blocks
#define aes_decrypt_blocks sound_decrypt_blocks
#include "kernel.c"
#undef aes_set_encrypt_key
#undef aes_set_decrypt_key
#undef aes_encrypt_blocks
#undef aes_decrypt_blocks

static uint32_t left;
static int chosen, failed;

void fuzz_fail_after(uint32_t calls, int status) {
  left = calls;
  chosen = status;
}

int fuzz_failed(void) {
  int was = failed;
  failed = 0;
  return was;
}

static int device(void) {
  int status = left == 0u ? chosen : AES_OK;
  if (status != AES_OK) {
    chosen = AES_OK;
    failed = 1;
  } else if (left != 0u) {
    left--;
  }
  return status;
}

static int blocks(int (*sound)(const aes_key_t *, const uint8_t *, uint8_t *, size_t),
                  const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  int status = device();
  if (status == AES_OK) return sound(k, in, out, nblocks);
  aes_wipe(out, nblocks * AES_BLOCK_BYTES);
  return status;
}

static int set_up(int (*sound)(aes_key_t *, const uint8_t *, unsigned), aes_key_t *k,
                  const uint8_t *key, unsigned key_bits) {
  int status = device();
  if (status == AES_OK) return sound(k, key, key_bits);
  k->rounds = 0;
  return status;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return set_up(sound_set_encrypt_key, k, key, key_bits);
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return set_up(sound_set_decrypt_key, k, key, key_bits);
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return blocks(sound_encrypt_blocks, k, in, out, nblocks);
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return blocks(sound_decrypt_blocks, k, in, out, nblocks);
}
