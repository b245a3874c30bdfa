// SPDX-License-Identifier: Apache-2.0
// AES-GCM by the AES bus master; registers: registers.md, "GCM" in README.md. See aes_dma_gcm.h.
#include "aes_dma_gcm.h"

#define GCM_MODE 3u
#define LONGEST (UINT32_MAX - 15u)  // bytes of a job

enum { TEXT = 0, AAD = 1, VERIFY = 2 };

// A message on its way. `bits` of TRIGGER wait for the next job, or for the end.
typedef struct {
  aes_dma_device_t *device;
  uint32_t control;  // CTRL without the part
  uint32_t part;     // what CTRL says
  uint32_t bits;
  uint32_t status;   // STATUS when last it was idle
} run_t;

static void put(aes_dma_device_t *device, size_t to, const uint8_t *in, size_t nbytes)
{
  uint32_t words[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < nbytes; i++)
    words[i / 4] |= (uint32_t)in[i] << (8 * (i % 4));
  for (size_t i = 0; i < 4; i++)
    aes_dma_write(device->base, to + i, words[i]);
}

static void forget(void *bytes, size_t nbytes)
{
  volatile uint8_t *at = bytes;
  while (nbytes--)
    *at++ = 0;
}

// Trigger what has been asked for and wait until the device is idle. A block has sixteen polls,
// twice what it takes.
static int trigger(run_t *run, size_t nbytes)
{
  aes_dma_device_t *device = run->device;
  size_t left = AES_DMA_WAITS + nbytes;
  aes_dma_write(device->base, AES_DMA_WORD(TRIGGER), run->bits);
  run->bits = 0;
  do {
    run->status = aes_dma_read(device->base, AES_DMA_WORD(STATUS));
    if (run->status & AES_DMA__STATUS__IDLE_bm) {
      if (!(run->status & AES_DMA__STATUS__ERROR_bm))
        return AES_DMA_OK;
      const uint32_t errors = aes_dma_read(device->base, AES_DMA_WORD(ERROR));
      return errors & (AES_DMA__ERROR__READ_bm | AES_DMA__ERROR__WRITE_bm) ? AES_DMA_ERR_BUS
                                                                            : AES_DMA_ERR_REFUSED;
    }
  } while (--left != 0);
  return AES_DMA_ERR_TIMEOUT;
}

// One job on aligned buffers.
static int job(run_t *run, uint32_t part, const void *in, void *out, size_t nbytes)
{
  aes_dma_device_t *device = run->device;
  if (part != run->part) {
    aes_dma_write(device->base, AES_DMA_WORD(CTRL), run->control | part << AES_DMA__CTRL__PART_bp);
    run->part = part;
  }
  aes_dma_write(device->base, AES_DMA_WORD(SRC), aes_dma_address(in));
  aes_dma_write(device->base, AES_DMA_WORD(DST), aes_dma_address(out));
  aes_dma_write(device->base, AES_DMA_WORD(LENGTH), (uint32_t)nbytes);
  if (device->flush) {
    device->flush(in, nbytes);
    if (part == TEXT)
      device->flush(out, nbytes);
  }
  run->bits |= AES_DMA__TRIGGER__START_bm;
  const int result = trigger(run, nbytes);
  // Nobody has looked at the output meanwhile: what the cache holds of it is older.
  if (device->invalidate && part == TEXT)
    device->invalidate(out, nbytes);
  return result;
}

// Bytes of one kind; `last` bits of TRIGGER go with the last job. `out` counts for text only.
static int feed(run_t *run, uint32_t part, const uint8_t *in, uint8_t *out, size_t nbytes,
                uint32_t last)
{
  uint8_t *bounce = (uint8_t *)run->device->bounce;
  int status = AES_DMA_OK;
  if (nbytes == 0) {
    run->bits |= last;
    return AES_DMA_OK;
  }
  if ((((uintptr_t)in | (part == TEXT ? (uintptr_t)out : 0u)) & 3u) == 0) {
    run->bits |= last;
    // The device writes nothing of what is only hashed.
    return job(run, part, in, part == TEXT ? (void *)out : (void *)(uintptr_t)in, nbytes);
  }
  for (size_t at = 0; at < nbytes && status == AES_DMA_OK; at += AES_DMA_BOUNCE) {
    const size_t size = nbytes - at < AES_DMA_BOUNCE ? nbytes - at : AES_DMA_BOUNCE;
    for (size_t i = 0; i < size; i++)
      bounce[i] = in[at + i];
    if (size == nbytes - at)
      run->bits |= last;
    status = job(run, part, bounce, bounce, size);
    for (size_t i = 0; i < size && part == TEXT && status == AES_DMA_OK; i++)
      out[at + i] = bounce[i];
  }
  if (part == TEXT)
    forget(bounce, nbytes < AES_DMA_BOUNCE ? nbytes : AES_DMA_BOUNCE);
  return status;
}

// Hash an IV of another length than 12 bytes, filled up to a block, and its length in bits.
static int hash_iv(run_t *run, const aes_dma_gcm_t *message)
{
  uint8_t *bounce = (uint8_t *)run->device->bounce;
  const size_t rest = message->iv_bytes % 16, whole = message->iv_bytes - rest;
  const size_t size = rest != 0 ? 32 : 16;
  int status = feed(run, AAD, message->iv, NULL, whole, 0);
  if (status != AES_DMA_OK)
    return status;
  for (size_t i = 0; i < size; i++)
    bounce[i] = i < rest ? message->iv[whole + i] : 0;
  for (size_t i = 0; i < 8; i++)
    bounce[size - 1 - i] = (uint8_t)(((uint64_t)message->iv_bytes << 3) >> (8 * i));
  return job(run, AAD, bounce, bounce, size);
}

// A message, or its verification (`part`), from the IV to the tag; `expected` if TAG is to have it.
static int whole(run_t *run, const aes_dma_gcm_t *message, uint32_t part, const uint8_t *in,
                 uint8_t *out, size_t nbytes, const uint8_t *expected, size_t tag_bytes)
{
  aes_dma_device_t *device = run->device;
  uint8_t counter[16] = {0};
  int status = AES_DMA_OK;

  for (size_t i = 0; i < 12 && message->iv_bytes == 12; i++)
    counter[i] = message->iv[i];
  counter[15] = 1;
  // The mode comes before the message can begin.
  run->part = message->aad_bytes != 0 ? (uint32_t)AAD : part;
  aes_dma_write(device->base, AES_DMA_WORD(CTRL),
                run->control | run->part << AES_DMA__CTRL__PART_bp);
  if (expected)
    put(device, AES_DMA_WORD(TAG), expected, tag_bytes);
  put(device, AES_DMA_WORD(IV), counter, 16);
  run->bits = AES_DMA__TRIGGER__BEGIN_bm;
  if (message->iv_bytes != 12) {
    status = hash_iv(run, message);
    run->bits = AES_DMA__TRIGGER__BEGIN_bm | AES_DMA__TRIGGER__IV_HASH_bm;
  }
  if (status == AES_DMA_OK)
    status = feed(run, AAD, message->aad, NULL, message->aad_bytes, 0);
  if (status == AES_DMA_OK)
    status = feed(run, part, in, out, nbytes, AES_DMA__TRIGGER__TAG_bm);
  // An end that no job took along.
  if (status == AES_DMA_OK && run->bits != 0)
    status = trigger(run, 0);
  if (status == AES_DMA_OK && (run->control & AES_DMA__CTRL__DECRYPT_bm) &&
      !(run->status & AES_DMA__STATUS__TAG_EQUAL_bm))
    status = AES_DMA_ERR_TAG;
  return status;
}

static int crypt(run_t *run, const aes_dma_gcm_t *message, const uint8_t *in, uint8_t *out,
                 size_t nbytes, const uint8_t *expected, uint8_t *tag, size_t tag_bytes)
{
  aes_dma_device_t *device = run->device;
  int status = AES_DMA_OK;
  if (expected)
    status = whole(run, message, VERIFY, in, out, nbytes, expected, tag_bytes);
  if (status != AES_DMA_OK)
    return status;
  status = whole(run, message, TEXT, in, out, nbytes, NULL, 0);
  if (status != AES_DMA_OK) {
    forget(out, nbytes);
  } else if (tag) {
    uint32_t words[4];
    for (size_t i = 0; i < 4; i++)
      words[i] = aes_dma_read(device->base, AES_DMA_WORD(TAG) + i);
    for (size_t i = 0; i < tag_bytes; i++)
      tag[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
  }
  return status;
}

static int message_of(aes_dma_session_t *session, const aes_dma_gcm_t *message, const uint8_t *in,
                      uint8_t *out, size_t nbytes, const uint8_t *expected, uint8_t *tag,
                      size_t tag_bytes)
{
  aes_dma_device_t *device = session->device;
  if (!(device->caps & AES_DMA__CAPS__GCM_bm))
    return AES_DMA_ERR_UNSUPPORTED;
  if ((tag_bytes != 4 && tag_bytes != 8 && tag_bytes < 12) || tag_bytes > 16 ||
      message->iv_bytes == 0 || message->iv_bytes > LONGEST || message->aad_bytes > LONGEST ||
      nbytes > LONGEST)
    return AES_DMA_ERR_LENGTH;
  if (in != out && in < out + nbytes && out < in + nbytes)
    return AES_DMA_ERR_REFUSED;
  int status = aes_dma_hold(session);
  if (status != AES_DMA_OK)
    return status;
  run_t run = {device, 0, 0, 0, 0};
  run.control = (session->control & AES_DMA__CTRL__KEY_LEN_bm) |
                GCM_MODE << AES_DMA__CTRL__MODE_bp |
                (uint32_t)(expected != NULL) << AES_DMA__CTRL__DECRYPT_bp |
                (uint32_t)(tag_bytes % 16) << AES_DMA__CTRL__TAG_BYTES_bp;
  status = crypt(&run, message, in, out, nbytes, expected, tag, tag_bytes);
  return aes_dma_release(session, status, status == AES_DMA_OK || status == AES_DMA_ERR_TAG);
}

int aes_dma_gcm_encrypt(aes_dma_session_t *session, const aes_dma_gcm_t *message,
                        const uint8_t *in, uint8_t *out, size_t nbytes, uint8_t *tag,
                        size_t tag_bytes)
{
  return message_of(session, message, in, out, nbytes, NULL, tag, tag_bytes);
}

int aes_dma_gcm_decrypt(aes_dma_session_t *session, const aes_dma_gcm_t *message,
                        const uint8_t *in, uint8_t *out, size_t nbytes, const uint8_t *tag,
                        size_t tag_bytes)
{
  return message_of(session, message, in, out, nbytes, tag, NULL, tag_bytes);
}
