// SPDX-License-Identifier: Apache-2.0
// The engine's registers in C, for tests of the driver on the host: every access as registers.md
// says, work done at once. The cipher is the portable kernel's.
#include <stddef.h>
#include <string.h>

#include "aes_engine_regs.h"
#include "aes_kernel.h"

// What goes wrong: 1 no engine there, 2 the key never becomes valid, 3 results are refused.
int model_fault;
unsigned model_accesses, model_wipes, model_keys;

static uint32_t control, errors, key[8], input[2][4], output[2][4], iv[2][4];
static unsigned key_written, input_written[2], output_read[2];
static int key_valid, output_valid[2];
static aes_key_t keys[2];

#define AT(name) (offsetof(aes_engine_t, name) / 4u)

static void refuse(void)
{
  errors |= AES_ENGINE__ERROR__ACCESS_bm;
}

static int idle(void)
{
  return input_written[0] == 0 && input_written[1] == 0;
}

static void wipe(void)
{
  memset(key, 0, sizeof key);
  memset(input, 0, sizeof input);
  memset(output, 0, sizeof output);
  memset(iv, 0, sizeof iv);
  memset(keys, 0, sizeof keys);
  key_written = input_written[0] = input_written[1] = 0;
  key_valid = output_valid[0] = output_valid[1] = 0;
  model_wipes++;
}

void model_reset(int fault)
{
  wipe();
  control = errors = 0;
  model_fault = fault;
  model_accesses = model_wipes = model_keys = 0;
}

static void expand(void)
{
  const unsigned words = (control & 3) * 2 + 4;
  if (key_written != (1u << words) - 1) {
    wipe();
    errors |= AES_ENGINE__ERROR__KEY_bm;
    return;
  }
  aes_set_encrypt_key(&keys[0], (const uint8_t *)key, words * 32);
  aes_set_decrypt_key(&keys[1], (const uint8_t *)key, words * 32);
  memset(key, 0, sizeof key);
  key_written = 0;
  key_valid = 1;
  model_keys++;
}

// A block through channel c (0 encryption, 1 decryption); false while the last result is unread.
static void run(int c)
{
  const unsigned mode = (control >> (c ? 8 : 4)) & 3;
  uint32_t block[4];
  if (input_written[c] != 15 || output_valid[c])
    return;
  for (int i = 0; i < 4; i++)
    block[i] = mode == 2 ? iv[c][i] : input[c][i] ^ (mode == 1 && c == 0 ? iv[c][i] : 0);
  if (c == 0)
    aes_encrypt_blocks(&keys[0], (const uint8_t *)block, (uint8_t *)output[c], 1);
  else
    aes_decrypt_blocks(&keys[1], (const uint8_t *)block, (uint8_t *)output[c], 1);
  for (int i = 0; i < 4; i++) {
    if (mode == 2)
      output[c][i] ^= input[c][i];
    else if (mode == 1 && c == 1)
      output[c][i] ^= iv[c][i];
  }
  if (mode == 1)
    memcpy(iv[c], c == 0 ? output[c] : input[c], 16);
  for (int i = 15; mode == 2 && i >= 0 && ++((uint8_t *)iv[c])[i] == 0; i--) {
  }
  input_written[c] = 0;
  output_valid[c] = 1;
}

uint32_t aes_engine_read(volatile uint32_t *base, size_t word)
{
  (void)base;
  model_accesses++;
  if (word == AT(ID))
    return model_fault == 1 ? 0 : 0x41455301u;
  if (word == AT(CAPS))
    return 0x411fu;
  if (word == AT(CTRL))
    return control;
  if (word == AT(ERROR))
    return errors;
  if (word == AT(STATUS))
    return (uint32_t)(idle() << AES_ENGINE__STATUS__IDLE_bp |
                      key_valid << AES_ENGINE__STATUS__KEY_VALID_bp |
                      output_valid[0] << AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bp |
                      output_valid[1] << AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bp);
  for (int c = 0; c < 2; c++) {
    const size_t out = word - (c ? AT(DEC_DATA_OUT) : AT(ENC_DATA_OUT));
    const size_t chain = word - (c ? AT(DEC_IV) : AT(ENC_IV));
    if (out < 4 && output_valid[c] && model_fault != 3) {
      const uint32_t value = output[c][out];
      output_read[c] |= 1u << out;
      if (output_read[c] == 15) {
        output_read[c] = 0;
        output_valid[c] = 0;
        run(c);
      }
      return value;
    }
    if (chain < 4 && idle())
      return iv[c][chain];
  }
  refuse();
  return 0;
}

void aes_engine_write(volatile uint32_t *base, size_t word, uint32_t value)
{
  (void)base;
  model_accesses++;
  if (word == AT(CTRL) && idle() && key_written == 0) {
    control = value;
    return;
  }
  if (word == AT(TRIGGER)) {
    if (value & AES_ENGINE__TRIGGER__WIPE_bm)
      wipe();
    else if (!idle())
      refuse();
    else if (value & AES_ENGINE__TRIGGER__KEY_bm && model_fault != 2)
      expand();
    return;
  }
  if (word == AT(ERROR)) {
    errors &= ~value;
    return;
  }
  if (word - AT(KEY) < 8) {
    key[word - AT(KEY)] = value;
    key_written |= 1u << (word - AT(KEY));
    return;
  }
  for (int c = 0; c < 2; c++) {
    const size_t in = word - (c ? AT(DEC_DATA_IN) : AT(ENC_DATA_IN));
    const size_t chain = word - (c ? AT(DEC_IV) : AT(ENC_IV));
    if (in < 4 && key_valid && input_written[c] != 15) {
      input[c][in] = value;
      input_written[c] |= 1u << in;
      run(c);
      return;
    }
    if (chain < 4 && idle()) {
      iv[c][chain] = value;
      return;
    }
  }
  refuse();
}
