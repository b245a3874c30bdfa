// SPDX-License-Identifier: Apache-2.0
// Driver of the AES engine; registers: registers.md. See aes_engine.h.
#include "aes_engine.h"

// Bound of every wait, in polls or calls of `wait`.
#ifndef AES_ENGINE_WAITS
#define AES_ENGINE_WAITS 10000u
#endif

#define VERSION 0x41455301u

typedef uint32_t __attribute__((may_alias)) word_t;

static int aligned(const void *bytes)
{
  return ((uintptr_t)bytes & 3u) == 0;
}

static void load_words(uint32_t *words, const uint8_t *bytes, size_t count)
{
  if (aligned(bytes)) {
    for (size_t i = 0; i < count; i++)
      words[i] = ((const word_t *)(const void *)bytes)[i];
    return;
  }
  for (size_t i = 0; i < count; i++, bytes += 4)
    words[i] = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
               (uint32_t)bytes[3] << 24;
}

static void store_words(uint8_t *bytes, const uint32_t *words, size_t nbytes)
{
  for (size_t i = 0; i < nbytes; i++)
    bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

// Wait until all bits of `mask` in STATUS are as in `value`.
static int poll(aes_engine_device_t *device, uint32_t mask, uint32_t value)
{
  for (uint32_t i = 0; i < AES_ENGINE_WAITS; i++)
    if ((aes_engine_read(device->base, AES_ENGINE_WORD(STATUS)) & mask) == value)
      return AES_ENGINE_OK;
  return AES_ENGINE_ERR_TIMEOUT;
}

// Empty the engine; nobody owns it then.
static int wipe(aes_engine_device_t *device)
{
  device->owner = NULL;
  aes_engine_write(device->base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__WIPE_bm);
  int status = poll(device, AES_ENGINE__STATUS__IDLE_bm, AES_ENGINE__STATUS__IDLE_bm);
  aes_engine_write(device->base, AES_ENGINE_WORD(ERROR),
                   AES_ENGINE__ERROR__ACCESS_bm | AES_ENGINE__ERROR__KEY_bm);
  return status;
}

// The engine for one call at a time, aes_engine_block in an interrupted one included: that one is
// seen by its block. A refused access before this call was its too, of a block that came too late
// and is done again.
static int enter(aes_engine_device_t *device)
{
  const uint32_t results = AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bm |
                           AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bm;
  int status = AES_ENGINE_OK;
  if (device->busy)
    return AES_ENGINE_ERR_BUSY;
  // An interrupt between the two lines uses the engine whole and leaves it; `owner` is read after.
  device->busy = 1;
  const uint32_t now = aes_engine_read(device->base, AES_ENGINE_WORD(STATUS));
  if (now & AES_ENGINE__STATUS__ERROR_bm)
    status = wipe(device);
  else if (!(now & AES_ENGINE__STATUS__IDLE_bm) || (now & results))
    status = AES_ENGINE_ERR_BUSY;
  else
    aes_engine_write(device->base, AES_ENGINE_WORD(OWNER), 0);
  if (status != AES_ENGINE_OK)
    device->busy = 0;
  return status;
}

int aes_engine_leave(const aes_engine_session_t *session, int status)
{
  aes_engine_device_t *device = session->device;
  if (status != AES_ENGINE_OK)
    (void)wipe(device);
  if (device->owner == session && session->mode == AES_ENGINE_ECB && !device->wait)
    aes_engine_write(device->base, AES_ENGINE_WORD(OWNER), aes_engine_mark(session));
  device->busy = 0;
  return status;
}

int aes_engine_open(aes_engine_device_t *device, volatile uint32_t *base)
{
  device->base = base;
  device->owner = NULL;
  device->busy = 0;
  device->wait = NULL;
  if (aes_engine_read(base, AES_ENGINE_WORD(ID)) != VERSION)
    return AES_ENGINE_ERR_ABSENT;
  device->caps = aes_engine_read(base, AES_ENGINE_WORD(CAPS));
  return wipe(device);
}

int aes_engine_start(aes_engine_session_t *session, aes_engine_device_t *device, int mode,
                     int encrypt, const uint8_t *key, unsigned key_bits, const uint8_t *iv)
{
  // Both directions of CTR encrypt the counter.
  const int encrypts = encrypt || mode == AES_ENGINE_CTR;
  const uint32_t channel = encrypts ? AES_ENGINE__CAPS__ENC_bm : AES_ENGINE__CAPS__DEC_bm;
  uint32_t needs = channel;
  if (key_bits == 192)
    needs |= AES_ENGINE__CAPS__KEY192_bm;
  else if (key_bits == 256)
    needs |= AES_ENGINE__CAPS__KEY256_bm;
  else if (key_bits != 128)
    return AES_ENGINE_ERR_UNSUPPORTED;
  if ((device->caps & needs) != needs || mode < AES_ENGINE_ECB || mode > AES_ENGINE_CTR)
    return AES_ENGINE_ERR_UNSUPPORTED;

  session->device = device;
  session->mode = mode;
  session->encrypt = encrypts;
  session->key_words = key_bits / 32;
  session->control = (key_bits / 64 - 2) << AES_ENGINE__CTRL__KEY_LEN_bp |
                     (uint32_t)mode << (encrypts ? AES_ENGINE__CTRL__ENC_MODE_bp
                                                 : AES_ENGINE__CTRL__DEC_MODE_bp);
  load_words(session->key, key, session->key_words);
  if (mode != AES_ENGINE_ECB)
    load_words(session->iv, iv, 4);
  // A session at the same place before this one is not its owner.
  if (device->owner == session) {
    device->owner = NULL;
    aes_engine_write(device->base, AES_ENGINE_WORD(OWNER), 0);
  }
  return AES_ENGINE_OK;
}

// Put a session's mode and chaining value into an idle engine.
static int configure(const aes_engine_session_t *session)
{
  aes_engine_device_t *device = session->device;
  const size_t iv = session->encrypt ? AES_ENGINE_WORD(ENC_IV) : AES_ENGINE_WORD(DEC_IV);
  const int status = poll(device, AES_ENGINE__STATUS__IDLE_bm, AES_ENGINE__STATUS__IDLE_bm);
  if (status != AES_ENGINE_OK)
    return status;
  aes_engine_write(device->base, AES_ENGINE_WORD(CTRL),
                   session->control | (device->wait ? 0u : AES_ENGINE__CTRL__HOLD_bm));
  if (session->mode != AES_ENGINE_ECB)
    for (uint32_t i = 0; i < 4; i++)
      aes_engine_write(device->base, iv + i, session->iv[i]);
  return AES_ENGINE_OK;
}

// Put a session's key and chaining value into the engine.
static int own(aes_engine_session_t *session)
{
  aes_engine_device_t *device = session->device;
  const uint32_t ready = AES_ENGINE__STATUS__IDLE_bm | AES_ENGINE__STATUS__KEY_VALID_bm;
  int status = wipe(device);
  if (status == AES_ENGINE_OK)
    status = configure(session);
  if (status != AES_ENGINE_OK)
    return status;
  for (uint32_t i = 0; i < session->key_words; i++)
    aes_engine_write(device->base, AES_ENGINE_WORD(KEY) + i, session->key[i]);
  aes_engine_write(device->base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__KEY_bm);
  status = poll(device, ready, ready);
  if (status == AES_ENGINE_OK)
    device->owner = session;
  return status;
}

static int await_result(aes_engine_session_t *session)
{
  aes_engine_device_t *device = session->device;
  const uint32_t valid = session->encrypt ? AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bm
                                          : AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bm;
  if (!device->wait)
    return AES_ENGINE_OK;
  for (uint32_t i = 0; i < AES_ENGINE_WAITS; i++) {
    if (aes_engine_read(device->base, AES_ENGINE_WORD(STATUS)) & valid)
      return AES_ENGINE_OK;
    device->wait(device);
  }
  return AES_ENGINE_ERR_TIMEOUT;
}

// The direction is a constant in each call, so that the registers' addresses are.
static void give_words(const aes_engine_session_t *session, const uint32_t *words)
{
  if (session->encrypt)
    aes_engine_give(session->device->base, 1, words);
  else
    aes_engine_give(session->device->base, 0, words);
}

static void take_words(const aes_engine_session_t *session, uint32_t *words)
{
  if (session->encrypt)
    aes_engine_take(session->device->base, 1, words);
  else
    aes_engine_take(session->device->base, 0, words);
}

static void give(const aes_engine_session_t *session, const uint8_t *in, size_t nbytes)
{
  if (nbytes == 16 && aligned(in)) {
    give_words(session, (const word_t *)(const void *)in);
    return;
  }
  uint32_t words[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < nbytes; i++)
    words[i / 4] |= (uint32_t)in[i] << (8 * (i % 4));
  give_words(session, words);
}

static void take(const aes_engine_session_t *session, uint8_t *out, size_t nbytes)
{
  if (nbytes == 16 && aligned(out)) {
    take_words(session, (word_t *)(void *)out);
    return;
  }
  uint32_t words[4];
  take_words(session, words);
  store_words(out, words, nbytes);
}

static void direct(const aes_engine_session_t *session, const uint32_t *in, uint32_t *out,
                   size_t nblocks)
{
  volatile uint32_t *base = session->device->base;
  if (session->encrypt)
    aes_engine_pass(base, 1, in, out, nblocks);
  else
    aes_engine_pass(base, 0, in, out, nblocks);
}

// Bytes through the engine, the next block given while the last one is in work.
static int blocks(aes_engine_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  size_t given = 0, taken = 0;
  if (!session->device->wait && nbytes >= 16 && aligned(in) && aligned(out)) {
    given = taken = nbytes / 16 * 16;
    direct(session, (const uint32_t *)(const void *)in, (uint32_t *)(void *)out, nbytes / 16);
  }
  while (taken < nbytes) {
    if (given < nbytes) {
      const size_t size = nbytes - given < 16 ? nbytes - given : 16;
      give(session, in + given, size);
      given += size;
      if (given < nbytes && given - taken <= 16)
        continue;
    }
    const size_t size = nbytes - taken < 16 ? nbytes - taken : 16;
    const int status = await_result(session);
    if (status != AES_ENGINE_OK)
      return status;
    take(session, out + taken, size);
    taken += size;
  }
  return AES_ENGINE_OK;
}

static int update(aes_engine_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  aes_engine_device_t *device = session->device;
  int status = blocks(session, in, out, nbytes);
  if (status == AES_ENGINE_OK && aes_engine_read(device->base, AES_ENGINE_WORD(ERROR)) != 0)
    status = AES_ENGINE_ERR_REFUSED;
  // The chaining value is the session's, whoever uses the engine next.
  if (status == AES_ENGINE_OK && session->mode != AES_ENGINE_ECB) {
    const size_t iv = session->encrypt ? AES_ENGINE_WORD(ENC_IV) : AES_ENGINE_WORD(DEC_IV);
    status = poll(device, AES_ENGINE__STATUS__IDLE_bm, AES_ENGINE__STATUS__IDLE_bm);
    for (size_t i = 0; i < 4 && status == AES_ENGINE_OK; i++)
      session->iv[i] = aes_engine_read(device->base, iv + i);
  }
  return status;
}

int aes_engine_enter(aes_engine_session_t *session)
{
  int status = enter(session->device);
  if (status != AES_ENGINE_OK)
    return status;
  // The chaining value is put there again: a block that came too late may have changed it.
  status = session->device->owner == session ? configure(session) : own(session);
  return status == AES_ENGINE_OK ? status : aes_engine_leave(session, status);
}

int aes_engine_update(aes_engine_session_t *session, const uint8_t *in, uint8_t *out,
                      size_t nbytes)
{
  if (nbytes % 16 != 0 && session->mode != AES_ENGINE_CTR)
    return AES_ENGINE_ERR_LENGTH;
  if (nbytes == 0)
    return AES_ENGINE_OK;
  const int status = aes_engine_enter(session);
  return status == AES_ENGINE_OK ? aes_engine_leave(session, update(session, in, out, nbytes))
                                 : status;
}

int aes_engine_load(aes_engine_session_t *session)
{
  const int status = aes_engine_enter(session);
  return status == AES_ENGINE_OK ? aes_engine_leave(session, status) : status;
}

int aes_engine_restart(aes_engine_session_t *session, int mode, const uint8_t *iv)
{
  aes_engine_device_t *device = session->device;
  if (mode < AES_ENGINE_ECB || mode > AES_ENGINE_CTR)
    return AES_ENGINE_ERR_UNSUPPORTED;
  if (mode == AES_ENGINE_CTR && !session->encrypt)
    return AES_ENGINE_ERR_UNSUPPORTED;
  const int status = enter(device);
  if (status != AES_ENGINE_OK)
    return status;
  if (mode != AES_ENGINE_ECB)
    load_words(session->iv, iv, 4);
  if (mode != session->mode) {
    const unsigned at = session->encrypt ? AES_ENGINE__CTRL__ENC_MODE_bp
                                         : AES_ENGINE__CTRL__DEC_MODE_bp;
    session->control = (session->control & ~(3u << at)) | (uint32_t)mode << at;
    session->mode = mode;
  }
  // The key stays where it is; a mark in OWNER wants the mode to be there too.
  return aes_engine_leave(session, device->owner == session ? configure(session) : AES_ENGINE_OK);
}

int aes_engine_blocks(aes_engine_session_t *session, const uint32_t *in, uint32_t *out,
                      size_t nblocks)
{
  aes_engine_device_t *device = session->device;
  const uint32_t mark = aes_engine_mark(session);
  if (device->busy || nblocks == 0)
    return aes_engine_update(session, (const uint8_t *)in, (uint8_t *)out, nblocks * 16);
  // Busy before OWNER is read: nobody changes it then.
  device->busy = 1;
  if (aes_engine_read(device->base, AES_ENGINE_WORD(OWNER)) != mark) {
    device->busy = 0;
    return aes_engine_update(session, (const uint8_t *)in, (uint8_t *)out, nblocks * 16);
  }
  direct(session, in, out, nblocks);
  if (aes_engine_read(device->base, AES_ENGINE_WORD(OWNER)) != mark)
    return aes_engine_leave(session, AES_ENGINE_ERR_REFUSED);
  device->busy = 0;
  return AES_ENGINE_OK;
}

int aes_engine_finish(aes_engine_session_t *session)
{
  aes_engine_device_t *device = session->device;
  int status = enter(device);
  if (status != AES_ENGINE_OK)
    return status;
  if (device->owner == session)
    status = wipe(device);
  device->busy = 0;
  volatile uint32_t *words = (volatile uint32_t *)session->key;
  for (size_t i = 0; i < 8; i++)
    words[i] = 0;
  words = (volatile uint32_t *)session->iv;
  for (size_t i = 0; i < 4; i++)
    words[i] = 0;
  return status;
}
