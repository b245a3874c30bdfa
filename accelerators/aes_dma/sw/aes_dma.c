// SPDX-License-Identifier: Apache-2.0
// Driver of the AES bus master; registers: registers.md. See aes_dma.h.
#include "aes_dma.h"

#define VERSION 0x41454401u
#define ERRORS 0x3fu
#define EVENTS 15u

static void copy(uint8_t *to, const uint8_t *from, size_t nbytes)
{
  for (size_t i = 0; i < nbytes; i++)
    to[i] = from[i];
}

static void load_words(uint32_t *words, const uint8_t *bytes, size_t count)
{
  for (size_t i = 0; i < count; i++, bytes += 4)
    words[i] = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
               (uint32_t)bytes[3] << 24;
}

// Wait until all bits of `mask` in STATUS are as in `value`.
static int poll(aes_dma_device_t *device, uint32_t mask, uint32_t value, size_t more)
{
  for (size_t i = 0; i < AES_DMA_WAITS + more; i++) {
    if ((aes_dma_read(device->base, AES_DMA_WORD(STATUS)) & mask) == value)
      return AES_DMA_OK;
    if (device->wait && mask == AES_DMA__STATUS__ACTIVE_bm)
      device->wait(device);
  }
  return AES_DMA_ERR_TIMEOUT;
}

// End whatever is under way and wipe keys; nobody owns the device then.
static int wipe(aes_dma_device_t *device)
{
  device->owner = NULL;
  device->active = NULL;
  aes_dma_write(device->base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__WIPE_bm);
  const int status = poll(device, AES_DMA__STATUS__IDLE_bm, AES_DMA__STATUS__IDLE_bm, 0);
  aes_dma_write(device->base, AES_DMA_WORD(ERROR), ERRORS);
  return status;
}

int aes_dma_open(aes_dma_device_t *device, volatile uint32_t *base)
{
  device->base = base;
  device->owner = NULL;
  device->active = NULL;
  device->turn = NULL;
  device->wait = NULL;
  device->flush = NULL;
  device->invalidate = NULL;
  if (aes_dma_read(base, AES_DMA_WORD(ID)) != VERSION)
    return AES_DMA_ERR_ABSENT;
  device->caps = aes_dma_read(base, AES_DMA_WORD(CAPS));
  return wipe(device);
}

int aes_dma_start(aes_dma_session_t *session, aes_dma_device_t *device, int mode, int encrypt,
                  const uint8_t *key, unsigned key_bits, const uint8_t *iv)
{
  const uint32_t caps = device->caps;
  const int backward = !encrypt && mode != AES_DMA_CTR;
  if (mode < AES_DMA_ECB || mode > AES_DMA_CTR ||
      !(key_bits == 128 || (key_bits == 192 && caps & AES_DMA__CAPS__KEY192_bm) ||
        (key_bits == 256 && caps & AES_DMA__CAPS__KEY256_bm)) ||
      !(caps & (backward ? AES_DMA__CAPS__DEC_bm : AES_DMA__CAPS__ENC_bm)))
    return AES_DMA_ERR_UNSUPPORTED;
  session->device = device;
  session->mode = mode;
  session->key_words = key_bits / 32;
  session->control = (key_bits / 64 - 2) << AES_DMA__CTRL__KEY_LEN_bp |
                     (uint32_t)mode << AES_DMA__CTRL__MODE_bp |
                     (uint32_t)backward << AES_DMA__CTRL__DECRYPT_bp;
  session->out = NULL;
  session->nbytes = 0;
  session->done = 0;
  load_words(session->key, key, session->key_words);
  for (size_t i = 0; i < 4; i++)
    session->iv[i] = 0;
  if (mode != AES_DMA_ECB)
    load_words(session->iv, iv, 4);
  // A session at the same place before this one is not its owner.
  if (device->owner == session)
    device->owner = NULL;
  if (device->turn == session)
    device->turn = NULL;
  return AES_DMA_OK;
}

// The session's key and mode into the device.
static int own(aes_dma_session_t *session)
{
  aes_dma_device_t *device = session->device;
  int status = wipe(device);
  if (status != AES_DMA_OK)
    return status;
  aes_dma_write(device->base, AES_DMA_WORD(CTRL), session->control);
  for (size_t i = 0; i < session->key_words; i++)
    aes_dma_write(device->base, AES_DMA_WORD(KEY) + i, session->key[i]);
  aes_dma_write(device->base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__KEY_bm);
  status = poll(device, AES_DMA__STATUS__KEY_VALID_bm, AES_DMA__STATUS__KEY_VALID_bm, 0);
  if (status == AES_DMA_OK)
    device->owner = session;
  return status;
}

// Add a number of blocks to a counter whose first byte is the highest.
static void count(uint32_t *iv, size_t blocks)
{
  uint64_t carry = blocks;
  for (size_t i = 16; i-- > 0;) {
    const unsigned shift = 8 * (i % 4);
    carry += (iv[i / 4] >> shift) & 0xffu;
    iv[i / 4] = (iv[i / 4] & ~(0xffu << shift)) | (uint32_t)(carry & 0xffu) << shift;
    carry >>= 8;
  }
}

// The session's chaining value behind a job that was completed.
static void chain(aes_dma_session_t *session)
{
  if (session->mode == AES_DMA_CTR)
    count(session->iv, (session->nbytes + 15) / 16);
  else if (session->mode == AES_DMA_CBC)
    for (size_t i = 0; i < 4; i++)
      session->iv[i] = aes_dma_read(session->device->base, AES_DMA_WORD(IV) + i);
}

// What became of the job that has ended.
static int judge(aes_dma_session_t *session)
{
  aes_dma_device_t *device = session->device;
  const uint32_t errors = aes_dma_read(device->base, AES_DMA_WORD(ERROR));
  device->active = NULL;
  if (device->invalidate)
    device->invalidate(session->out, session->nbytes);
  if (errors == 0) {
    chain(session);
    return AES_DMA_OK;
  }
  session->done = aes_dma_read(device->base, AES_DMA_WORD(FRONT));
  aes_dma_write(device->base, AES_DMA_WORD(ERROR), ERRORS);
  if (errors & (AES_DMA__ERROR__READ_bm | AES_DMA__ERROR__WRITE_bm)) {
    device->owner = NULL;
    (void)poll(device, AES_DMA__STATUS__IDLE_bm, AES_DMA__STATUS__IDLE_bm, 0);
    return AES_DMA_ERR_BUS;
  }
  return errors & AES_DMA__ERROR__ABORTED_bm ? AES_DMA_ERR_ABORTED : AES_DMA_ERR_REFUSED;
}

static int join(aes_dma_session_t *session)
{
  aes_dma_device_t *device = session->device;
  if (device->active != session)
    return AES_DMA_OK;
  const int status = poll(device, AES_DMA__STATUS__ACTIVE_bm, 0, session->nbytes / 16);
  if (status != AES_DMA_OK) {
    (void)wipe(device);
    return status;
  }
  return judge(session);
}

// One job on aligned buffers.
static int run(aes_dma_session_t *session, const void *in, void *out, size_t nbytes)
{
  aes_dma_device_t *device = session->device;
  int status = AES_DMA_OK;
  if (device->owner != session)
    status = own(session);
  if (status != AES_DMA_OK)
    return status;
  if (session->mode != AES_DMA_ECB)
    for (size_t i = 0; i < 4; i++)
      aes_dma_write(device->base, AES_DMA_WORD(IV) + i, session->iv[i]);
  aes_dma_write(device->base, AES_DMA_WORD(SRC), aes_dma_address(in));
  aes_dma_write(device->base, AES_DMA_WORD(DST), aes_dma_address(out));
  aes_dma_write(device->base, AES_DMA_WORD(LENGTH), (uint32_t)nbytes);
  if (device->flush) {
    device->flush(in, nbytes);
    device->flush(out, nbytes);
  }
  session->out = out;
  session->nbytes = nbytes;
  aes_dma_write(device->base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__START_bm);
  // The job has begun when this read returns.
  if (aes_dma_read(device->base, AES_DMA_WORD(ERROR)) &
      (AES_DMA__ERROR__JOB_bm | AES_DMA__ERROR__ACCESS_bm)) {
    aes_dma_write(device->base, AES_DMA_WORD(ERROR), ERRORS);
    return AES_DMA_ERR_REFUSED;
  }
  device->active = session;
  // What the cache took in before START it forgets; what it takes in now waits for its block.
  if (device->invalidate)
    device->invalidate(out, nbytes);
  return AES_DMA_OK;
}

// Through the device's own buffer, piece by piece.
static int bounce(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  uint32_t *words = session->device->bounce;
  int status = AES_DMA_OK;
  for (size_t at = 0; at < nbytes && status == AES_DMA_OK; at += AES_DMA_BOUNCE) {
    const size_t size = nbytes - at < AES_DMA_BOUNCE ? nbytes - at : AES_DMA_BOUNCE;
    copy((uint8_t *)words, in + at, size);
    status = run(session, words, words, size);
    if (status == AES_DMA_OK)
      status = join(session);
    if (status == AES_DMA_OK)
      copy(out + at, (const uint8_t *)words, size);
  }
  for (size_t i = 0; i < AES_DMA_BOUNCE / 4; i++)
    ((volatile uint32_t *)words)[i] = 0;
  return status;
}

static int submit(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  if (session->device->active != NULL && session->device->active != session)
    return AES_DMA_ERR_BUSY;
  const int status = join(session);
  if (status != AES_DMA_OK || nbytes == 0)
    return status;
  if ((((uintptr_t)in | (uintptr_t)out) & 3u) == 0)
    return run(session, in, out, nbytes);
  // Pieces would destroy input that is still to come.
  if (in != out && in < out + nbytes && out < in + nbytes)
    return AES_DMA_ERR_REFUSED;
  return bounce(session, in, out, nbytes);
}

// The device for one call at a time. An interrupt between the two lines uses it whole and leaves
// it.
static int enter(aes_dma_device_t *device)
{
  if (device->turn == device)
    return 0;
  device->turn = device;
  return 1;
}

static int leave(const aes_dma_session_t *session, int status)
{
  aes_dma_device_t *device = session->device;
  const int plain = !device->wait && !device->flush && !device->invalidate;
  const int direct = device->owner == session && device->active == NULL &&
                     session->mode == AES_DMA_ECB && plain;
  device->turn = direct ? session : NULL;
  return status;
}

int aes_dma_load(aes_dma_session_t *session)
{
  aes_dma_device_t *device = session->device;
  if (!enter(device))
    return AES_DMA_ERR_BUSY;
  int status = AES_DMA_OK;
  if (device->active != NULL)
    status = AES_DMA_ERR_BUSY;
  else if (device->owner != session)
    status = own(session);
  return leave(session, status);
}

int aes_dma_restart(aes_dma_session_t *session, int mode, const uint8_t *iv)
{
  aes_dma_device_t *device = session->device;
  const int backward = (session->control & AES_DMA__CTRL__DECRYPT_bm) != 0;
  if (mode < AES_DMA_ECB || mode > AES_DMA_CTR || (backward && mode == AES_DMA_CTR))
    return AES_DMA_ERR_UNSUPPORTED;
  if (!enter(device))
    return AES_DMA_ERR_BUSY;
  const int status = join(session);
  session->mode = mode;
  session->control = (session->control & ~(uint32_t)AES_DMA__CTRL__MODE_bm) |
                     (uint32_t)mode << AES_DMA__CTRL__MODE_bp;
  if (mode != AES_DMA_ECB)
    load_words(session->iv, iv, 4);
  // The key stays where it is.
  if (status == AES_DMA_OK && device->owner == session)
    aes_dma_write(device->base, AES_DMA_WORD(CTRL), session->control);
  return leave(session, status);
}

int aes_dma_submit(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  if ((nbytes % 16 != 0 && session->mode != AES_DMA_CTR) || nbytes > UINT32_MAX - 15u)
    return AES_DMA_ERR_LENGTH;
  if (!enter(session->device))
    return AES_DMA_ERR_BUSY;
  const int status = submit(session, in, out, nbytes);
  return leave(session, status);
}

int aes_dma_running(const aes_dma_session_t *session)
{
  const aes_dma_device_t *device = session->device;
  if (device->active != session)
    return 0;
  return (aes_dma_read(device->base, AES_DMA_WORD(STATUS)) & AES_DMA__STATUS__ACTIVE_bm) != 0;
}

int aes_dma_wait(aes_dma_session_t *session)
{
  if (!enter(session->device))
    return AES_DMA_ERR_BUSY;
  const int status = join(session);
  return leave(session, status);
}

int aes_dma_abort(aes_dma_session_t *session)
{
  if (!enter(session->device))
    return AES_DMA_ERR_BUSY;
  if (session->device->active == session)
    aes_dma_write(session->device->base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__ABORT_bm);
  const int status = join(session);
  return leave(session, status);
}

int aes_dma_update(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  const int status = aes_dma_submit(session, in, out, nbytes);
  return status == AES_DMA_OK ? aes_dma_wait(session) : status;
}

int aes_dma_finish(aes_dma_session_t *session)
{
  if (!enter(session->device))
    return AES_DMA_ERR_BUSY;
  int status = join(session);
  if (session->device->owner == session) {
    const int wiped = wipe(session->device);
    status = status == AES_DMA_OK ? wiped : status;
  }
  session->device->turn = NULL;
  volatile uint32_t *words = (volatile uint32_t *)session->key;
  for (size_t i = 0; i < 8; i++)
    words[i] = 0;
  words = (volatile uint32_t *)session->iv;
  for (size_t i = 0; i < 4; i++)
    words[i] = 0;
  return status;
}

int aes_dma_reset(aes_dma_device_t *device)
{
  if (!enter(device))
    return AES_DMA_ERR_BUSY;
  const int status = wipe(device);
  device->turn = NULL;
  return status;
}

int aes_dma_hold(aes_dma_session_t *session)
{
  aes_dma_device_t *device = session->device;
  if (!enter(device))
    return AES_DMA_ERR_BUSY;
  int status = AES_DMA_OK;
  if (device->active != NULL && device->active != session)
    status = AES_DMA_ERR_BUSY;
  else
    status = join(session);
  if (status == AES_DMA_OK && device->owner != session)
    status = own(session);
  return status == AES_DMA_OK ? status : leave(session, status);
}

int aes_dma_release(aes_dma_session_t *session, int status, int well)
{
  if (well)
    aes_dma_write(session->device->base, AES_DMA_WORD(CTRL), session->control);
  else
    (void)wipe(session->device);
  return leave(session, status);
}

uint32_t aes_dma_acknowledge(const aes_dma_device_t *device)
{
  const uint32_t events = aes_dma_read(device->base, AES_DMA_WORD(INTR_STATE));
  aes_dma_write(device->base, AES_DMA_WORD(INTR_STATE), events);
  return events;
}

void aes_dma_interrupts(const aes_dma_device_t *device, int enable)
{
  const uint32_t chosen = AES_DMA__INTR_ENABLE__DONE_bm | AES_DMA__INTR_ENABLE__ERROR_bm;
  aes_dma_write(device->base, AES_DMA_WORD(INTR_STATE), EVENTS);
  aes_dma_write(device->base, AES_DMA_WORD(INTR_ENABLE), enable ? chosen : 0u);
}
