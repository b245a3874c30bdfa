// SPDX-License-Identifier: Apache-2.0
// AES-GCM by the AES bus master; registers: registers.md, "GCM" in README.md. See aes_dma_gcm.h.
#include "aes_dma_gcm.h"
#include "aes_bytes.h"

#define GCM_MODE 3u
#define RARE __attribute__((noinline))
#define LONGEST (UINT32_MAX - 15u)  // bytes of a job

enum { TEXT = 0, AAD = 1, VERIFY = 2 };

// A message on its way. `bits` of TRIGGER wait for the next job, or for the end.
typedef struct {
  aes_dma_device_t *device;
  uint32_t control;  // CTRL without the part
  uint32_t part;     // what CTRL says
  uint32_t bits;
  uint32_t status;   // STATUS when last it was idle
  int wrote;         // to the output, perhaps
} run_t;

static uint32_t word_of(const uint8_t *bytes) { return WORD_OF_BYTES(bytes); }

// TAG from and to bytes; what is missing is zero.
static void give_tag(volatile uint32_t *base, const uint8_t *tag, size_t nbytes)
{
  uint8_t rest[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < nbytes % 4; i++)
    rest[i] = tag[nbytes - nbytes % 4 + i];
  for (size_t i = 0; i < 4; i++)
    aes_dma_write(base, AES_DMA_WORD(TAG) + i,
                  i < nbytes / 4 ? word_of(tag + 4 * i) : i == nbytes / 4 ? word_of(rest) : 0);
}

// Whether the tag was there to be read.
static int take_tag(volatile uint32_t *base, uint8_t *tag, size_t nbytes)
{
  size_t at = 0;
  for (; at + 4 <= nbytes; at += 4) {
    const uint32_t word = aes_dma_read(base, AES_DMA_WORD(TAG) + at / 4);
    WORD_TO_BYTES(tag + at, word);
  }
  if (at < nbytes) {
    uint32_t word = aes_dma_read(base, AES_DMA_WORD(TAG) + at / 4);
    for (; at < nbytes; at++, word >>= 8)
      tag[at] = (uint8_t)word;
  }
  return aes_dma_well(aes_dma_read(base, AES_DMA_WORD(STATUS)));
}

// Trigger the requested job and wait until the device is idle. A block has sixteen polls,
// twice what it takes.
static int trigger(run_t *run, size_t nbytes)
{
  volatile uint32_t *const base = run->device->base;
  size_t left = AES_DMA_WAITS + nbytes;
  uint32_t status, errors;
  aes_dma_write(base, AES_DMA_WORD(TRIGGER), run->bits);
  run->bits = 0;
  while (!((status = aes_dma_read(base, AES_DMA_WORD(STATUS))) & AES_DMA__STATUS__IDLE_bm))
    if (--left == 0)
      return AES_DMA_ERR_TIMEOUT;
  run->status = status;
  if (aes_dma_ended_well(base, status))
    return AES_DMA_OK;
  errors = aes_dma_read(base, AES_DMA_WORD(ERROR));
  return errors & (AES_DMA__ERROR__READ_bm | AES_DMA__ERROR__WRITE_bm) ? AES_DMA_ERR_BUS
                                                                        : AES_DMA_ERR_REFUSED;
}

// One job on aligned buffers.
static int job(run_t *run, uint32_t part, const void *in, void *out, size_t nbytes)
{
  aes_dma_device_t *device = run->device;
  volatile uint32_t *const base = device->base;
  if (part != run->part) {
    aes_dma_write(base, AES_DMA_WORD(CTRL), run->control | part << AES_DMA__CTRL__PART_bp);
    run->part = part;
  }
  aes_dma_write(base, AES_DMA_WORD(SRC), aes_dma_address(in));
  aes_dma_write(base, AES_DMA_WORD(DST), aes_dma_address(out));
  aes_dma_write(base, AES_DMA_WORD(LENGTH), (uint32_t)nbytes);
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

// What is not aligned, through the device's buffer, piece by piece. Apart from the rest, as are
// other rare things: the usual message shall not save registers for them.
static RARE int bounce(run_t *run, uint32_t part, const uint8_t *in, uint8_t *out, size_t nbytes,
                       uint32_t last)
{
  uint8_t *piece = (uint8_t *)run->device->bounce;
  int status = AES_DMA_OK;
  for (size_t at = 0; at < nbytes && status == AES_DMA_OK; at += AES_DMA_BOUNCE) {
    const size_t size = nbytes - at < AES_DMA_BOUNCE ? nbytes - at : AES_DMA_BOUNCE;
    for (size_t i = 0; i < size; i++)
      piece[i] = in[at + i];
    if (size == nbytes - at)
      run->bits |= last;
    status = job(run, part, piece, piece, size);
    for (size_t i = 0; i < size && part == TEXT && status == AES_DMA_OK; i++)
      out[at + i] = piece[i];
  }
  // After an error the device may still be at work on the piece: message_of wipes it later.
  if (part == TEXT && status == AES_DMA_OK)
    aes_dma_forget(piece, nbytes < AES_DMA_BOUNCE ? nbytes : AES_DMA_BOUNCE);
  return status;
}

// Bytes of one kind; `last` bits of TRIGGER go with the last job. Of what is only hashed the device
// writes nothing: `out` is `in`.
static int feed(run_t *run, uint32_t part, const uint8_t *in, uint8_t *out, size_t nbytes,
                uint32_t last)
{
  if (nbytes != 0 && (((uintptr_t)in | (uintptr_t)out) & 3u) != 0)
    return bounce(run, part, in, out, nbytes, last);
  run->bits |= last;
  return nbytes != 0 ? job(run, part, in, out, nbytes) : AES_DMA_OK;
}

// Bytes for the hash alone.
static int absorb(run_t *run, uint32_t part, const uint8_t *in, size_t nbytes, uint32_t last)
{
  return feed(run, part, in, (uint8_t *)(uintptr_t)in, nbytes, last);
}

// Hash an IV of another length than 12 bytes, filled up to a block, and its length in bits.
static RARE int hash_iv(run_t *run, const aes_dma_gcm_t *message)
{
  uint8_t *piece = (uint8_t *)run->device->bounce;
  const size_t rest = message->iv_bytes % 16, whole = message->iv_bytes - rest;
  const size_t size = rest != 0 ? 32 : 16;
  int status = absorb(run, AAD, message->iv, whole, 0);
  if (status != AES_DMA_OK)
    return status;
  for (size_t i = 0; i < size; i++)
    piece[i] = i < rest ? message->iv[whole + i] : 0;
  for (size_t i = 0; i < 8; i++)
    piece[size - 1 - i] = (uint8_t)(((uint64_t)message->iv_bytes << 3) >> (8 * i));
  return job(run, AAD, piece, piece, size);
}

// A message, or its verification (`part`), from the IV to the tag; `expected` if TAG is to have it.
static int whole(run_t *run, const aes_dma_gcm_t *message, uint32_t part, const uint8_t *in,
                 uint8_t *out, size_t nbytes, const uint8_t *expected, size_t tag_bytes)
{
  volatile uint32_t *const base = run->device->base;
  const int fast = message->iv_bytes == 12;
  int status = AES_DMA_OK;

  // The mode comes before the message can begin.
  run->part = message->aad_bytes != 0 ? (uint32_t)AAD : part;
  aes_dma_write(base, AES_DMA_WORD(CTRL), run->control | run->part << AES_DMA__CTRL__PART_bp);
  if (expected)
    give_tag(base, expected, tag_bytes);
  // The first counter block, or one that is only there to begin with.
  for (size_t i = 0; i < 3; i++)
    aes_dma_write(base, AES_DMA_WORD(IV) + i, fast ? word_of(message->iv + 4 * i) : 0);
  aes_dma_write(base, AES_DMA_WORD(IV) + 3, (uint32_t)1 << 24);
  run->bits = AES_DMA__TRIGGER__BEGIN_bm;
  if (!fast) {
    status = hash_iv(run, message);
    run->bits = AES_DMA__TRIGGER__BEGIN_bm | AES_DMA__TRIGGER__IV_HASH_bm;
  }
  if (status == AES_DMA_OK)
    status = absorb(run, AAD, message->aad, message->aad_bytes, 0);
  if (status == AES_DMA_OK && part == VERIFY)
    status = absorb(run, part, in, nbytes, AES_DMA__TRIGGER__TAG_bm);
  else if (status == AES_DMA_OK)
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
  int status = AES_DMA_OK;
  if (expected)
    status = whole(run, message, VERIFY, in, out, nbytes, expected, tag_bytes);
  if (status != AES_DMA_OK)
    return status;
  run->wrote = 1;
  status = whole(run, message, TEXT, in, out, nbytes, NULL, 0);
  if (status == AES_DMA_OK && tag && !take_tag(run->device->base, tag, tag_bytes))
    status = AES_DMA_ERR_REFUSED;
  return status;
}

static int message_of(aes_dma_session_t *session, const aes_dma_gcm_t *message, const uint8_t *in,
                      uint8_t *out, size_t nbytes, const uint8_t *expected, uint8_t *tag,
                      size_t tag_bytes)
{
  aes_dma_device_t *device = session->device;
  if (device == NULL)
    return AES_DMA_ERR_KEY;
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
  run_t run = {device, 0, 0, 0, 0, 0};
  run.control = (device->control & AES_DMA__CTRL__KEY_LEN_bm) |
                GCM_MODE << AES_DMA__CTRL__MODE_bp |
                (uint32_t)(expected != NULL) << AES_DMA__CTRL__DECRYPT_bp |
                (uint32_t)(tag_bytes % 16) << AES_DMA__CTRL__TAG_BYTES_bp;
  status = crypt(&run, message, in, out, nbytes, expected, tag, tag_bytes);
  const int well = status == AES_DMA_OK || status == AES_DMA_ERR_TAG;
  status = aes_dma_release(device, status, well);
  // No job is under way any more: the CPU would wait for its blocks.
  if (!well)
    aes_dma_forget(device->bounce, sizeof device->bounce);
  if (status != AES_DMA_OK && run.wrote) {
    aes_dma_forget(out, nbytes);
    if (tag)
      aes_dma_forget(tag, tag_bytes);
  }
  return status;
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
