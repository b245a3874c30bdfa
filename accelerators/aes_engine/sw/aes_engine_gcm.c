// SPDX-License-Identifier: Apache-2.0
// AES-GCM by the AES engine; registers: registers.md, "GCM" in README.md. See aes_engine_gcm.h.
#include "aes_engine_gcm.h"

// Bound of every wait, in polls.
#ifndef AES_ENGINE_WAITS
#define AES_ENGINE_WAITS 10000u
#endif

#define IDLE AES_ENGINE__STATUS__IDLE_bm
#define GCM_MODE 3u

// Wait until all bits of `mask` in STATUS are set.
static int await(aes_engine_device_t *device, uint32_t mask)
{
  for (uint32_t i = 0; i < AES_ENGINE_WAITS; i++)
    if ((aes_engine_read(device->base, AES_ENGINE_WORD(STATUS)) & mask) == mask)
      return AES_ENGINE_OK;
  return AES_ENGINE_ERR_TIMEOUT;
}

static void unpack(uint8_t *bytes, const uint32_t *words, size_t nbytes)
{
  for (size_t i = 0; i < nbytes; i++)
    bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

static void put(aes_engine_device_t *device, size_t to, const uint8_t *in, size_t nbytes)
{
  uint32_t words[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < nbytes; i++)
    words[i / 4] |= (uint32_t)in[i] << (8 * (i % 4));
  for (size_t i = 0; i < 4; i++)
    aes_engine_write(device->base, to + i, words[i]);
}

// Valid bytes of the blocks that follow; 16 counts as 0.
static int sized(aes_engine_device_t *device, size_t nbytes, uint32_t text)
{
  const int status = await(device, IDLE);
  if (status == AES_ENGINE_OK)
    aes_engine_write(device->base, AES_ENGINE_WORD(GCM),
                     (uint32_t)(nbytes % 16) << AES_ENGINE__GCM__BYTES_bp | text);
  return status;
}

static int trigger(aes_engine_device_t *device, uint32_t bits)
{
  const int status = await(device, IDLE);
  if (status == AES_ENGINE_OK)
    aes_engine_write(device->base, AES_ENGINE_WORD(TRIGGER), bits);
  return status;
}

// Bytes for the hash alone; `text` is 0 or GCM.TEXT.
static int absorb(aes_engine_device_t *device, const uint8_t *in, size_t nbytes, uint32_t text)
{
  const uint32_t ready = AES_ENGINE__STATUS__HASH_INPUT_READY_bm;
  int status = sized(device, 0, text);
  for (size_t at = 0; at < nbytes && status == AES_ENGINE_OK; at += 16) {
    const size_t size = nbytes - at < 16 ? nbytes - at : 16;
    status = size < 16 ? sized(device, size, text) : await(device, ready);
    if (status == AES_ENGINE_OK)
      put(device, AES_ENGINE_WORD(HASH_IN), in + at, size);
  }
  return status == AES_ENGINE_OK ? sized(device, 0, 0) : status;
}

// Open a message: the first counter block, then the associated data.
static int begin(aes_engine_session_t *session, const aes_engine_gcm_t *message)
{
  aes_engine_device_t *device = session->device;
  int status = await(device, IDLE);
  for (size_t i = 0; i < 4 && status == AES_ENGINE_OK; i++)
    aes_engine_write(device->base, AES_ENGINE_WORD(ENC_IV) + i, session->iv[i]);
  if (status == AES_ENGINE_OK)
    status = trigger(device, AES_ENGINE__TRIGGER__START_bm);
  if (status == AES_ENGINE_OK && message->iv_bytes != 12) {
    uint8_t length[16] = {0};
    for (size_t i = 0; i < 8; i++)
      length[15 - i] = (uint8_t)(((uint64_t)message->iv_bytes << 3) >> (8 * i));
    status = absorb(device, message->iv, message->iv_bytes, 0);
    if (status == AES_ENGINE_OK)
      status = absorb(device, length, 16, 0);
    if (status == AES_ENGINE_OK)
      status = trigger(device, AES_ENGINE__TRIGGER__START_bm | AES_ENGINE__TRIGGER__IV_HASH_bm);
  }
  return status == AES_ENGINE_OK ? absorb(device, message->aad, message->aad_bytes, 0) : status;
}

static int take(aes_engine_device_t *device, uint8_t *out, size_t nbytes)
{
  uint32_t words[4];
  const int status = await(device, AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bm);
  if (status == AES_ENGINE_OK) {
    aes_engine_take(device->base, 1, words);
    unpack(out, words, nbytes);
  }
  return status;
}

// Text through the cipher, the next block given while the last one is in work; the last block need
// not be whole.
static int text(aes_engine_device_t *device, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  const size_t rest = nbytes % 16, whole = nbytes - rest;
  int status = AES_ENGINE_OK;
  for (size_t at = 0; at < whole && status == AES_ENGINE_OK; at += 16) {
    if (at == 0)
      put(device, AES_ENGINE_WORD(ENC_DATA_IN), in, 16);
    if (at + 16 < whole)
      put(device, AES_ENGINE_WORD(ENC_DATA_IN), in + at + 16, 16);
    status = take(device, out + at, 16);
  }
  if (status == AES_ENGINE_OK && rest != 0) {
    status = sized(device, rest, 0);
    if (status != AES_ENGINE_OK)
      return status;
    put(device, AES_ENGINE_WORD(ENC_DATA_IN), in + whole, rest);
    status = take(device, out + whole, rest);
  }
  return status;
}

// End a message. The engine compares `expected` if there is one.
static int finish(aes_engine_device_t *device, const uint8_t *expected, size_t tag_bytes)
{
  const uint32_t valid = AES_ENGINE__STATUS__TAG_VALID_bm;
  int status = sized(device, tag_bytes, 0);
  if (status == AES_ENGINE_OK && expected)
    put(device, AES_ENGINE_WORD(TAG), expected, tag_bytes);
  if (status == AES_ENGINE_OK)
    status = trigger(device, AES_ENGINE__TRIGGER__TAG_bm);
  if (status == AES_ENGINE_OK)
    status = await(device, valid);
  if (status != AES_ENGINE_OK)
    return status;
  if (aes_engine_read(device->base, AES_ENGINE_WORD(ERROR)) != 0)
    return AES_ENGINE_ERR_REFUSED;
  if (expected &&
      !(aes_engine_read(device->base, AES_ENGINE_WORD(STATUS)) & AES_ENGINE__STATUS__TAG_EQUAL_bm))
    return AES_ENGINE_ERR_TAG;
  return AES_ENGINE_OK;
}

static void forget(void *bytes, size_t nbytes)
{
  volatile uint8_t *at = bytes;
  while (nbytes--)
    *at++ = 0;
}

// Under a key that is in the engine; `expected` is null to encrypt. *wrote: `out` was written to.
static int run(aes_engine_session_t *session, const aes_engine_gcm_t *message, const uint8_t *in,
               uint8_t *out, size_t nbytes, const uint8_t *expected, size_t tag_bytes, int *wrote)
{
  aes_engine_device_t *device = session->device;
  int status = AES_ENGINE_OK;
  if (expected) {
    status = begin(session, message);
    if (status == AES_ENGINE_OK)
      status = absorb(device, in, nbytes, AES_ENGINE__GCM__TEXT_bm);
    if (status == AES_ENGINE_OK)
      status = finish(device, expected, tag_bytes);
  }
  if (status == AES_ENGINE_OK)
    status = begin(session, message);
  if (status != AES_ENGINE_OK)
    return status;
  *wrote = 1;
  status = text(device, in, out, nbytes);
  return status == AES_ENGINE_OK ? finish(device, expected, tag_bytes) : status;
}

static int whole(aes_engine_device_t *device, const uint8_t *key, unsigned key_bits,
                 const aes_engine_gcm_t *message, const uint8_t *in, uint8_t *out, size_t nbytes,
                 const uint8_t *expected, uint8_t *tag, size_t tag_bytes)
{
  const uint64_t longest = ((uint64_t)1 << 36) - 32;  // section 5.2.1.1
  aes_engine_session_t session;
  uint8_t first[16] = {0};
  int wrote = 0, status;

  if (!(device->caps & AES_ENGINE__CAPS__GCM_bm))
    return AES_ENGINE_ERR_UNSUPPORTED;
  if ((tag_bytes != 4 && tag_bytes != 8 && tag_bytes < 12) || tag_bytes > 16 ||
      message->iv_bytes == 0 || message->iv_bytes > longest || message->aad_bytes > longest ||
      nbytes > longest)
    return AES_ENGINE_ERR_LENGTH;
  if (message->iv_bytes == 12) {
    for (size_t i = 0; i < 12; i++)
      first[i] = message->iv[i];
    first[15] = 1;
  }
  status = aes_engine_start(&session, device, AES_ENGINE_CTR, 1, key, key_bits, first);
  if (status != AES_ENGINE_OK)
    return status;
  session.control = (key_bits / 64 - 2) << AES_ENGINE__CTRL__KEY_LEN_bp |
                    GCM_MODE << AES_ENGINE__CTRL__ENC_MODE_bp |
                    (expected ? AES_ENGINE__CTRL__GCM_DECRYPT_bm : 0u);
  status = aes_engine_load(&session);
  if (status != AES_ENGINE_OK) {
    forget(&session, sizeof session);
    return status;
  }
  // The engine for this call alone. Who interrupted just before may have taken it.
  device->busy = 1;
  if (device->owner == &session)
    status = run(&session, message, in, out, nbytes, expected, tag_bytes, &wrote);
  else
    status = AES_ENGINE_ERR_BUSY;
  if (status == AES_ENGINE_OK && !expected) {
    uint32_t words[4];
    for (size_t i = 0; i < 4; i++)
      words[i] = aes_engine_read(device->base, AES_ENGINE_WORD(TAG) + i);
    unpack(tag, words, tag_bytes);
  }
  if (status != AES_ENGINE_OK && wrote)
    forget(out, nbytes);
  device->busy = 0;
  const int wiped = aes_engine_finish(&session);
  forget(&session, sizeof session);
  return status == AES_ENGINE_OK ? wiped : status;
}

int aes_engine_gcm_encrypt(aes_engine_device_t *device, const uint8_t *key, unsigned key_bits,
                           const aes_engine_gcm_t *message, const uint8_t *in, uint8_t *out,
                           size_t nbytes, uint8_t *tag, size_t tag_bytes)
{
  return whole(device, key, key_bits, message, in, out, nbytes, NULL, tag, tag_bytes);
}

int aes_engine_gcm_decrypt(aes_engine_device_t *device, const uint8_t *key, unsigned key_bits,
                           const aes_engine_gcm_t *message, const uint8_t *in, uint8_t *out,
                           size_t nbytes, const uint8_t *tag, size_t tag_bytes)
{
  return whole(device, key, key_bits, message, in, out, nbytes, tag, NULL, tag_bytes);
}
