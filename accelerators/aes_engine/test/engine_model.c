// SPDX-License-Identifier: Apache-2.0
// The engine's registers in C, for tests of the driver on the host: every access as registers.md
// says, work done at once. The cipher is the portable kernel's.
#include <stddef.h>
#include <string.h>

#include "aes_engine.h"
#include "aes_gcm.h"

// What goes wrong: 1 no engine there, 2 the key never becomes valid, 3 results are refused, 4 GCM
// is not built in, 5 text that GCM decrypts is not what it verified.
int model_fault;
unsigned model_accesses, model_wipes, model_keys;

// And from which access on (0: the first) until model_fault is 0 again: 6 nothing answers, reads
// give zeros; 7 the same, and ones; 8 never idle; 9 a refusal at every access from there on;
// 10 this one access is refused; 11 a reset before it; 12 it is the last one that answers.
unsigned model_fault_at;

// Interrupts before these accesses (counted from 1, rising; 0: none) call the handler.
unsigned model_interrupt[2];
void (*model_handler)(void);

static uint32_t control, errors, owner, key[8], input[2][4], output[2][4], iv[2][4];
static unsigned key_written, input_written[2], output_read[2];
static int key_valid, output_valid[2];

// GCM: the hash is sw/modes/aes_ghash.c.
static uint32_t subkey[4], state[4], mask[4], tag[4], given[4], hash_in[4], blocks_of;
static uint64_t aad_bytes, text_bytes;
static unsigned hash_written;
static int gcm_open, tag_valid, tag_equal;
static aes_key_t keys[2];

#define AT(name) (offsetof(aes_engine_t, name) / 4u)

static void refuse(void)
{
  errors |= AES_ENGINE__ERROR__ACCESS_bm;
  owner = 0;
}

static int idle(void)
{
  return input_written[0] == 0 && input_written[1] == 0 && hash_written == 0;
}

static void wipe(void)
{
  memset(key, 0, sizeof key);
  memset(input, 0, sizeof input);
  memset(output, 0, sizeof output);
  memset(iv, 0, sizeof iv);
  memset(keys, 0, sizeof keys);
  owner = 0;
  key_written = input_written[0] = input_written[1] = 0;
  key_valid = output_valid[0] = output_valid[1] = 0;
  output_read[0] = output_read[1] = 0;
  memset(subkey, 0, sizeof subkey);
  memset(state, 0, sizeof state);
  memset(mask, 0, sizeof mask);
  memset(tag, 0, sizeof tag);
  memset(given, 0, sizeof given);
  memset(hash_in, 0, sizeof hash_in);
  hash_written = 0;
  gcm_open = tag_valid = tag_equal = 0;
  model_wipes++;
}

void model_reset(int fault)
{
  wipe();
  control = errors = 0;
  model_fault = fault;
  model_accesses = model_wipes = model_keys = model_interrupt[0] = model_interrupt[1] = 0;
  model_fault_at = 0;
}

// Whether a key is in the engine.
int model_holds_key(void)
{
  return key_valid || key_written != 0;
}

static int faulty(int fault)
{
  return model_fault == fault && model_accesses >= model_fault_at;
}

// Faults of the engine as a whole at this access; true if it takes no part in it.
static int access_fails(void)
{
  if (faulty(11) && model_accesses == model_fault_at) {
    wipe();
    control = errors = 0;
  }
  if (faulty(9) || (faulty(10) && model_accesses == model_fault_at)) {
    refuse();
    return 1;
  }
  return faulty(6) || faulty(7) || (faulty(12) && model_accesses > model_fault_at);
}

static void access_begins(void)
{
  const unsigned now = ++model_accesses;
  for (int i = 0; i < 2; i++)
    if (now == model_interrupt[i]) {
      const unsigned again = model_interrupt[1];
      model_interrupt[0] = model_interrupt[1] = 0;
      model_handler();
      model_accesses = now;  // a handler's accesses are not the call's
      model_interrupt[1] = i == 0 ? again : 0;
    }
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

static int gcm(void)
{
  return ((control >> AES_ENGINE__CTRL__ENC_MODE_bp) & 3) == 3;
}

static int decrypts(void)
{
  return (control & AES_ENGINE__CTRL__GCM_DECRYPT_bm) != 0;
}

static unsigned valid_bytes(void)
{
  return blocks_of & 15 ? blocks_of & 15 : 16;
}

static void hash(const void *block, unsigned nbytes)
{
  uint32_t padded[4] = {0};
  aes_ghash_key_t k;
  memcpy(padded, block, nbytes);
  aes_ghash_set_key(&k, (const uint8_t *)subkey);
  aes_ghash_blocks(&k, state, (const uint8_t *)padded, 1);
}

static void count(uint8_t *counter)
{
  for (int i = 15; i >= 12 && ++counter[i] == 0; i--) {
  }
}

static void gcm_start(int iv_hash)
{
  if (iv_hash)
    memcpy(iv[0], state, 16);
  memset(state, 0, 16);
  memset(subkey, 0, 16);
  aes_encrypt_blocks(&keys[0], (const uint8_t *)subkey, (uint8_t *)subkey, 1);
  aes_encrypt_blocks(&keys[0], (const uint8_t *)iv[0], (uint8_t *)mask, 1);
  count((uint8_t *)iv[0]);
  aad_bytes = text_bytes = 0;
  tag_valid = tag_equal = 0;
  gcm_open = 1;
}

static void gcm_tag(void)
{
  uint8_t lengths[16];
  for (int i = 0; i < 8; i++) {
    lengths[7 - i] = (uint8_t)((aad_bytes * 8) >> (8 * i));
    lengths[15 - i] = (uint8_t)((text_bytes * 8) >> (8 * i));
  }
  hash(lengths, 16);
  for (int i = 0; i < 4; i++)
    tag[i] = state[i] ^ mask[i];
  tag_equal = decrypts() && memcmp(tag, given, valid_bytes()) == 0;
  tag_valid = 1;
  gcm_open = 0;
}

// A block through channel c (0 encryption, 1 decryption); false while the last result is unread.
static void run(int c)
{
  const unsigned mode = (control >> (c ? 8 : 4)) & 3;
  uint32_t block[4];
  if (input_written[c] != 15 || output_valid[c])
    return;
  for (int i = 0; i < 4; i++)
    block[i] = mode >= 2 ? iv[c][i] : input[c][i] ^ (mode == 1 && c == 0 ? iv[c][i] : 0);
  if (c == 0)
    aes_encrypt_blocks(&keys[0], (const uint8_t *)block, (uint8_t *)output[c], 1);
  else
    aes_decrypt_blocks(&keys[1], (const uint8_t *)block, (uint8_t *)output[c], 1);
  for (int i = 0; i < 4; i++) {
    if (mode >= 2)
      output[c][i] ^= input[c][i];
    else if (mode == 1 && c == 1)
      output[c][i] ^= iv[c][i];
  }
  if (mode == 1)
    memcpy(iv[c], c == 0 ? output[c] : input[c], 16);
  if (mode == 3) {
    const unsigned size = valid_bytes();
    memset((uint8_t *)output[c] + size, 0, 16 - size);
    input[c][0] ^= faulty(5);
    hash(decrypts() ? input[c] : output[c], size);
    text_bytes += size;
    count((uint8_t *)iv[c]);
  }
  for (int i = 15; mode == 2 && i >= 0 && ++((uint8_t *)iv[c])[i] == 0; i--) {
  }
  input_written[c] = 0;
  output_valid[c] = 1;
}

uint32_t aes_engine_read(volatile uint32_t *base, size_t word)
{
  (void)base;
  access_begins();
  if (access_fails())
    return faulty(7) ? 0xffffffffu : 0;
  if (word == AT(ID))
    return faulty(1) ? 0 : 0x41455301u;
  if (word == AT(CAPS))
    return faulty(4) ? 0x411fu : 0x413fu;
  if (word == AT(CTRL))
    return control;
  if (word == AT(ERROR))
    return errors;
  if (word == AT(OWNER))
    return idle() && !output_valid[0] && !output_valid[1] ? owner : 0;
  if (word == AT(STATUS))
    return (uint32_t)((idle() && !faulty(8)) << AES_ENGINE__STATUS__IDLE_bp |
                      key_valid << AES_ENGINE__STATUS__KEY_VALID_bp |
                      (errors != 0) << AES_ENGINE__STATUS__ERROR_bp |
                      output_valid[0] << AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bp |
                      output_valid[1] << AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bp |
                      gcm_open << AES_ENGINE__STATUS__HASH_INPUT_READY_bp |
                      tag_valid << AES_ENGINE__STATUS__TAG_VALID_bp |
                      tag_equal << AES_ENGINE__STATUS__TAG_EQUAL_bp);
  if (word - AT(TAG) < 4 && tag_valid && !decrypts())
    return tag[word - AT(TAG)];
  for (int c = 0; c < 2; c++) {
    const size_t out = word - (c ? AT(DEC_DATA_OUT) : AT(ENC_DATA_OUT));
    const size_t chain = word - (c ? AT(DEC_IV) : AT(ENC_IV));
    if (out < 4 && output_valid[c] && !faulty(3)) {
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
  access_begins();
  if (access_fails())
    return;
  if (word == AT(CTRL) && idle() && key_written == 0) {
    control = value;
    gcm_open = 0;
    return;
  }
  if (word == AT(TRIGGER)) {
    if (value & AES_ENGINE__TRIGGER__WIPE_bm)
      wipe();
    else if (!idle())
      refuse();
    else if (value & AES_ENGINE__TRIGGER__KEY_bm && !faulty(2))
      expand();
    else if (value & AES_ENGINE__TRIGGER__START_bm && gcm() && key_valid)
      gcm_start((value & AES_ENGINE__TRIGGER__IV_HASH_bm) != 0);
    else if (value & AES_ENGINE__TRIGGER__TAG_bm && gcm_open)
      gcm_tag();
    else if (value & (AES_ENGINE__TRIGGER__START_bm | AES_ENGINE__TRIGGER__TAG_bm))
      refuse();
    return;
  }
  if (word == AT(ERROR)) {
    errors &= ~value;
    return;
  }
  if (word == AT(OWNER)) {
    owner = value;
    return;
  }
  if (word == AT(GCM) && idle()) {
    blocks_of = value;
    return;
  }
  if (word - AT(TAG) < 4 && decrypts() && idle()) {
    given[word - AT(TAG)] = value;
    return;
  }
  if (word - AT(HASH_IN) < 4 && gcm_open) {
    hash_in[word - AT(HASH_IN)] = value;
    hash_written |= 1u << (word - AT(HASH_IN));
    if (hash_written == 15) {
      hash(hash_in, valid_bytes());
      *(blocks_of & AES_ENGINE__GCM__TEXT_bm ? &text_bytes : &aad_bytes) += valid_bytes();
      hash_written = 0;
    }
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
    if (in < 4 && key_valid && input_written[c] != 15 && !(c == 0 && gcm() && !gcm_open)) {
      input[c][in] = value;
      input_written[c] |= 1u << in;
      run(c);
      return;
    }
    if (chain < 4 && idle()) {
      iv[c][chain] = value;
      gcm_open = 0;
      return;
    }
  }
  refuse();
}

// aes_engine_block, and what is due when it was not the session's turn.
int model_block(aes_engine_session_t *session, const uint32_t *in, uint32_t *out)
{
  if (aes_engine_block(NULL, session, session->encrypt, in, out) == AES_ENGINE_OK)
    return AES_ENGINE_OK;
  return aes_engine_blocks(session, in, out, 1);
}
