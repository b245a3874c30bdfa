// SPDX-License-Identifier: Apache-2.0
// The bus master's registers in C, for tests of the driver on the host: every access as
// registers.md says; a job is done at once and seems to run for a few reads of STATUS. Memory is an
// arena whose addresses begin with 0x1000, and what is elsewhere (a stack, the driver's own data)
// in regions of 16 MiB around the first address seen of each. The cipher is the portable kernel's,
// the hash the portable GHASH.
#include <stddef.h>
#include <string.h>

#include "aes_dma_regs.h"
#include "aes_gcm.h"

#define BASE 0x1000u

uint8_t model_memory[65536] __attribute__((aligned(16)));

// What goes wrong: 1 no device there, 2 the key never becomes valid, 3 a read error at the second
// block, 4 a job never ends, 5 an abort finds one block done, 6 text that was verified changes, 7
// no GCM, 8 the device is reset (once), 9 a read error at the first block, 10 a job is refused, 11
// a write error after the last block, 12 the device never becomes idle, 13 a right tag counts as
// wrong, 14 an access error (once), 15 an alert of a guarded bus master.
int model_fault;
unsigned model_from;  // the access from which on it does
int model_key_valid(void);
unsigned model_accesses, model_wipes, model_keys, model_jobs;

static uint32_t control, errors, events, enable, key[8], iv[4], src, dst, length, front;
static unsigned key_written, running;
static int key_valid;
static aes_key_t keys[2];

// GCM: the message, the hash, and what TAG holds.
static uint32_t counter[4], state[4], mask[4], given[4], tag[4], bytes_aad, bytes_text;
static unsigned fresh;
static int opened, opens, valid, equal, text_seen, aad_cut, text_cut;
static aes_ghash_key_t subkey;

#define AT(name) (offsetof(aes_dma_t, name) / 4u)

static const uint8_t *middles[8];

#define HALF 0x800000

uint32_t aes_dma_address(const void *bytes)
{
  const uint8_t *at = bytes;
  if (at >= model_memory && at < model_memory + sizeof model_memory)
    return (uint32_t)(at - model_memory) + BASE;
  for (uint32_t i = 0; i < 8; i++) {
    if (!middles[i])
      middles[i] = at;
    const ptrdiff_t off = at - middles[i];
    if (off >= -HALF && off < HALF)
      return ((i + 1) << 24) + (uint32_t)(off + HALF);
  }
  return 0;
}

static uint8_t *at(uint32_t address)
{
  if (address < 1u << 24)
    return model_memory + (address - BASE);
  return (uint8_t *)(uintptr_t)middles[(address >> 24) - 1] + (address & 0xffffff) - HALF;
}

static int faulty(int number)
{
  return model_fault == number && model_accesses >= model_from;
}

static int idle(void)
{
  return running == 0 && !faulty(12);
}

int model_key_valid(void)
{
  return key_valid || key_written != 0;
}

static void wipe(void)
{
  memset(key, 0, sizeof key);
  memset(iv, 0, sizeof iv);
  memset(keys, 0, sizeof keys);
  key_written = running = 0;
  key_valid = 0;
  fresh = 0;
  opened = valid = equal = 0;
  memset(given, 0, sizeof given);
  model_wipes++;
}

void model_reset(int fault)
{
  wipe();
  control = errors = events = enable = src = dst = length = front = 0;
  model_fault = fault;
  model_from = 0;
  model_accesses = model_wipes = model_keys = model_jobs = 0;
}

static void expand(void)
{
  const unsigned words = (control & 3) * 2 + 4;
  if (key_written != (1u << words) - 1) {
    wipe();
    errors |= AES_DMA__ERROR__KEY_bm;
    return;
  }
  aes_set_encrypt_key(&keys[0], (const uint8_t *)key, words * 32);
  aes_set_decrypt_key(&keys[1], (const uint8_t *)key, words * 32);
  memset(key, 0, sizeof key);
  key_written = 0;
  key_valid = 1;
  model_keys++;
}

static void block(const uint8_t *from, uint8_t *to, uint32_t size, unsigned mode, int backward)
{
  uint8_t in[16] = {0}, out[16], chain[16];
  memcpy(in, from, size);
  memcpy(chain, iv, 16);
  if (mode == 2) {
    aes_encrypt_blocks(&keys[0], chain, out, 1);
    for (int i = 0; i < 16; i++)
      out[i] ^= in[i];
    for (int i = 15; i >= 0 && ++((uint8_t *)iv)[i] == 0; i--) {
    }
  } else if (backward) {
    aes_decrypt_blocks(&keys[1], in, out, 1);
    for (int i = 0; i < 16 && mode == 1; i++)
      out[i] ^= chain[i];
    memcpy(iv, in, 16);
  } else {
    for (int i = 0; i < 16 && mode == 1; i++)
      in[i] ^= chain[i];
    aes_encrypt_blocks(&keys[0], in, out, 1);
    memcpy(iv, out, 16);
  }
  memcpy(to, out, size);
}

// GCM -------------------------------------------------------------------------------------------

static uint32_t swapped(uint32_t word)
{
  return __builtin_bswap32(word);
}

static void begin(int iv_hash)
{
  uint32_t zero[4] = {0, 0, 0, 0};
  memcpy(counter, iv_hash ? state : iv, 16);
  aes_encrypt_blocks(&keys[0], (uint8_t *)zero, (uint8_t *)zero, 1);
  aes_ghash_set_key(&subkey, (uint8_t *)zero);
  aes_encrypt_blocks(&keys[0], (uint8_t *)counter, (uint8_t *)mask, 1);
  memset(state, 0, sizeof state);
  opens = (control & AES_DMA__CTRL__DECRYPT_bm) != 0;
  bytes_aad = bytes_text = fresh = 0;
  valid = equal = text_seen = aad_cut = text_cut = 0;
  opened = 1;
}

static void hash(const uint8_t *bytes, uint32_t size)
{
  uint32_t padded[4] = {0, 0, 0, 0};
  memcpy(padded, bytes, size);
  aes_ghash_blocks(&subkey, state, (uint8_t *)padded, 1);
}

static void finish(void)
{
  const unsigned size = ((control >> AES_DMA__CTRL__TAG_BYTES_bp) + 15) % 16 + 1;
  const uint32_t lengths[4] = {swapped(bytes_aad >> 29), swapped(bytes_aad << 3),
                               swapped(bytes_text >> 29), swapped(bytes_text << 3)};
  hash((const uint8_t *)lengths, 16);
  for (int i = 0; i < 4; i++)
    tag[i] = state[i] ^ mask[i];
  opened = 0;
  valid = 1;
  equal = opens && memcmp(tag, given, size) == 0;
  if (faulty(13))
    equal = 0;
  if (faulty(6) && equal && src >= BASE)
    *at(src) ^= 1;
}

static int part_allowed(unsigned part, int backward)
{
  if (!opened || backward != opens || (part != 0 && src != dst))
    return 0;
  return part == 1 ? !text_seen && !aad_cut : part < 3 && !text_cut && (part == 0 || opens);
}

static void gcm_block(const uint8_t *from, uint8_t *to, uint32_t size, unsigned part)
{
  uint8_t text[16], stream[16];
  memcpy(text, from, size);
  *(part == 1 ? &bytes_aad : &bytes_text) += size;
  if (part != 0 || opens)
    hash(text, size);
  if (part != 0)
    return;
  counter[3] = swapped(swapped(counter[3]) + 1);
  aes_encrypt_blocks(&keys[0], (uint8_t *)counter, stream, 1);
  for (uint32_t i = 0; i < size; i++)
    text[i] ^= stream[i];
  if (!opens)
    hash(text, size);
  memcpy(to, text, size);
}

static void start(void)
{
  const unsigned part = (control >> AES_DMA__CTRL__PART_bp) & 3;
  const unsigned mode = (control >> AES_DMA__CTRL__MODE_bp) & 3;
  const int backward = (control & AES_DMA__CTRL__DECRYPT_bm) != 0;
  const uint64_t end = ((uint64_t)length + 3) & ~3ull;
  const uint32_t first[4] = {iv[0], iv[1], iv[2], iv[3]};
  if (!key_valid || length == 0 || (length % 16 && mode < 2) || src % 4 || dst % 4 ||
      (src != dst && src < dst + end && dst < src + end) || src < BASE || dst < BASE ||
      (mode == 3 && !part_allowed(part, backward)) || faulty(10)) {
    errors |= AES_DMA__ERROR__JOB_bm;
    return;
  }
  model_jobs++;
  if (mode == 3) {
    text_seen |= part != 1;
    *(part == 1 ? &aad_cut : &text_cut) |= length % 16 != 0;
  }
  front = 0;
  running = faulty(4) ? 1u << 30 : 3;
  for (uint32_t done = 0; done < length; done += 16) {
    if ((faulty(3) && done == 16) || (faulty(9) && done == 0)) {
      errors |= AES_DMA__ERROR__READ_bm;
      wipe();
      return;
    }
    if (faulty(5) && done == 16)
      return;
    const uint32_t size = length - done < 16 ? length - done : 16;
    uint8_t *from = at(src) + done, *to = at(dst) + done;
    if (mode == 3)
      gcm_block(from, to, size, part);
    else
      block(from, to, size, mode, backward);
    front++;
  }
  if (mode == 2)
    memcpy(iv, first, 16);
  if (faulty(11)) {
    errors |= AES_DMA__ERROR__WRITE_bm;
    wipe();
  }
}

// Faults that happen once, between two accesses.
static void happen(void)
{
  model_accesses++;
  if (faulty(8)) {
    wipe();
    control = errors = events = enable = src = dst = length = front = 0;
    model_fault = 0;
  } else if (faulty(15)) {
    wipe();
    control = errors = events = enable = src = dst = length = front = 0;
  } else if (faulty(14)) {
    errors |= AES_DMA__ERROR__ACCESS_bm;
    model_fault = 0;
  }
}

uint32_t aes_dma_read(volatile uint32_t *base, size_t word)
{
  (void)base;
  happen();
  if (faulty(15))
    return 0xffffffffu;
  if (word == AT(ID))
    return faulty(1) ? 0 : 0x41454401u;
  if (word == AT(CAPS))
    return 256u << AES_DMA__CAPS__WINDOW_bp | (faulty(7) ? 0x20f : 0x21f);
  if (word == AT(CTRL))
    return control;
  if (word == AT(ERROR))
    return errors;
  if (word == AT(INTR_STATE))
    return events;
  if (word == AT(INTR_ENABLE))
    return enable;
  if (word == AT(FRONT))
    return front;
  if (word == AT(STATUS)) {
    const uint32_t now = (uint32_t)(idle() << AES_DMA__STATUS__IDLE_bp |
                                    key_valid << AES_DMA__STATUS__KEY_VALID_bp |
                                    !idle() << AES_DMA__STATUS__ACTIVE_bp |
                                    (errors != 0) << AES_DMA__STATUS__ERROR_bp |
                                    opened << AES_DMA__STATUS__GCM_OPEN_bp |
                                    (valid && idle()) << AES_DMA__STATUS__TAG_VALID_bp |
                                    (equal && idle()) << AES_DMA__STATUS__TAG_EQUAL_bp);
    if (running && --running == 0)
      events |= AES_DMA__INTR_STATE__DONE_bm;
    return now;
  }
  if (word - AT(IV) < 4 && idle())
    return iv[word - AT(IV)];
  if (word - AT(TAG) < 4 && idle() && valid && !opens)
    return tag[word - AT(TAG)];
  errors |= AES_DMA__ERROR__ACCESS_bm;
  return 0;
}

void aes_dma_write(volatile uint32_t *base, size_t word, uint32_t value)
{
  (void)base;
  happen();
  if (faulty(15))
    return;
  if (word == AT(CTRL) && idle() && key_written == 0)
    control = value;
  else if (word == AT(TRIGGER) && value & AES_DMA__TRIGGER__WIPE_bm)
    wipe();
  else if (word == AT(TRIGGER) && value & AES_DMA__TRIGGER__ABORT_bm) {
    if (running && faulty(5))
      errors |= AES_DMA__ERROR__ABORTED_bm;
    running = 0;
    opened = valid = equal = 0;
  } else if (word == AT(TRIGGER) && idle()) {
    const int begins = (value & AES_DMA__TRIGGER__BEGIN_bm) != 0;
    const int hashed = (value & AES_DMA__TRIGGER__IV_HASH_bm) != 0;
    const int ends = (value & AES_DMA__TRIGGER__TAG_bm) != 0;
    if ((begins && ((control >> AES_DMA__CTRL__MODE_bp & 3) != 3 || !key_valid ||
                    !(hashed ? opened : fresh == 15))) ||
        (ends && !begins && !opened)) {
      errors |= AES_DMA__ERROR__ACCESS_bm;
      return;
    }
    if (value & AES_DMA__TRIGGER__KEY_bm && !faulty(2)) {
      opened = 0;
      expand();
    }
    if (begins)
      begin(hashed);
    if (value & AES_DMA__TRIGGER__START_bm)
      start();
    if (ends && opened && errors == 0)
      finish();
  } else if (word == AT(ERROR))
    errors &= ~value;
  else if (word == AT(INTR_STATE))
    events &= ~value;
  else if (word == AT(INTR_ENABLE))
    enable = value;
  else if (word - AT(KEY) < 8) {
    key[word - AT(KEY)] = value;
    key_written |= 1u << (word - AT(KEY));
  } else if (word - AT(IV) < 4 && idle()) {
    iv[word - AT(IV)] = value;
    fresh |= 1u << (word - AT(IV));
    opened = 0;
  } else if (word - AT(TAG) < 4 && idle() && control & AES_DMA__CTRL__DECRYPT_bm)
    given[word - AT(TAG)] = value;
  else if (word == AT(SRC) && idle())
    src = value;
  else if (word == AT(DST) && idle())
    dst = value;
  else if (word == AT(LENGTH) && idle())
    length = value;
  else
    errors |= AES_DMA__ERROR__ACCESS_bm;
}
