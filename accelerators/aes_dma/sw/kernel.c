// SPDX-License-Identifier: Apache-2.0
// The kernel contract over the driver: one bus master at a fixed place, a session in each key. The
// kernel polls for the end of a job, or sleeps until the interrupt (MASTER_SLEEPS). A call that
// fails leaves zeros, except in the output of a job under way (aes_encrypt_start). Do not overwrite
// the key of a job before aes_finish: otherwise aes_finish, set-up or aes_clear_key at the same
// address ends the job and zeroes its output. With MASTER_GCM the device processes AES-GCM messages
// in one call; messages in pieces and GHASH alone are software under the same key. With
// MASTER_GUARDED it is a guarded one, whose alert is AES_ERR_FAULT.
#include "aes_async.h"
#include "aes_dma.h"
#include "aes_dma_gcm.h"
#ifdef MASTER_GCM
#include "aes_gcm.h"
#endif
#include "aes_modes.h"
#include "hal.h"

#ifndef AES_DMA_BASE
#define AES_DMA_BASE 0x90000000u  // where the platforms have it
#endif
#define MASTER ((volatile uint32_t *)AES_DMA_BASE)
#define SLEEPS 1000000u  // polls of the flag after which an interrupt counts as lost

typedef char session_fits_key[sizeof(aes_dma_session_t) <= 4u * AES_KEY_WORDS ? 1 : -1];

static aes_dma_device_t device __attribute__((aligned(32)));  // few lines of a cache
static volatile int opened, opening;

// A session keeps its chaining value and its place in the device, even in a const key.
static aes_dma_session_t *session_of(const aes_key_t *k)
{
  return (aes_dma_session_t *)(uintptr_t)k->rk;
}

#ifdef MASTER_SLEEPS
static void quiet_line(void) { (void)aes_dma_acknowledge(&device); }

#include "aes_sleep.h"

static void sleep_on(aes_dma_device_t *waiting)
{
  (void)waiting;
  sleep_until_interrupt();
}
#endif

static void invalidate(const void *bytes, size_t nbytes)
{
  (void)bytes;
  (void)nbytes;
  hal_dcache_invalidate();
}

// Comparisons, because the compiler makes a table in memory of a switch.
static int result(int status)
{
  return status == AES_DMA_OK                                                  ? AES_OK
         : status == AES_DMA_ERR_BUSY                                          ? AES_ERR_BUSY
         : status == AES_DMA_ERR_KEY                                           ? AES_ERR_KEY
         : status == AES_DMA_ERR_LENGTH                                        ? AES_ERR_LENGTH
         : status == AES_DMA_ERR_TAG                                           ? AES_ERR_TAG
#ifdef MASTER_GUARDED
         : status == AES_DMA_ERR_FAULT                                         ? AES_ERR_FAULT
#endif
         : status == AES_DMA_ERR_ABSENT || status == AES_DMA_ERR_UNSUPPORTED ? AES_ERR_UNSUPPORTED
                                                                               : AES_ERR_DEVICE;
}

// Each set-up looks for the device until one has found and wiped it.
static __attribute__((noinline, cold)) int open_master(void)
{
  if (opening)
    return AES_DMA_ERR_BUSY;
  opening = 1;
  const int status = aes_dma_open(&device, MASTER);
  if (status == AES_DMA_OK) {
    if (hal_has_dcache())
      device.invalidate = invalidate;
#ifdef MASTER_SLEEPS
    device.wait = sleep_on;
    hal_timer_irq(0, on_interrupt);
    aes_dma_interrupts(&device, 1);
#endif
    opened = 1;
  }
  opening = 0;
  return status;
}

static int holds_key(const aes_key_t *k)
{
  return k->rounds != 0 && session_of(k)->device == &device;
}

// End the job that was started with the key at this address, even if that was overwritten. 1 if
// there was one.
static int abandon(aes_key_t *k)
{
  if (device.job == 0 || device.job_of != session_of(k))
    return 0;
  // Called by a handler while the device is in use: the session is still what it was.
  if (aes_dma_reset(&device) != AES_DMA_OK)
    (void)aes_dma_finish(session_of(k));
  return 1;
}

// Return from a set-up that failed. The earlier key at this address does not stay in the device.
static __attribute__((noinline, cold)) int no_key(aes_key_t *k, unsigned key_bits, int status)
{
  aes_wipe(k, sizeof *k);
  if (opened && device.job == 0)
    (void)aes_dma_reset(&device);
  return key_bits == 128 || key_bits == 192 || key_bits == 256 ? result(status)
                                                                 : AES_ERR_KEY_LENGTH;
}

// A set-up of a key whose job is under way ends the job, and fails.
static __attribute__((noinline, cold)) int prepare(aes_key_t *k)
{
  if (abandon(k))
    return AES_DMA_ERR_BUSY;
  return opened ? AES_DMA_OK : open_master();
}

static int set_key(aes_key_t *k, const uint8_t *key, unsigned key_bits, int encrypt)
{
  aes_dma_session_t *session = session_of(k);
  int status = AES_DMA_OK;
  if (!opened || device.job != 0)
    status = prepare(k);
  if (status == AES_DMA_OK)
    status = aes_dma_start(session, &device, AES_DMA_ECB, encrypt, key, key_bits, NULL);
  if (status == AES_DMA_OK)
    status = aes_dma_load(session);
  if (status != AES_DMA_OK)
    return no_key(k, key_bits, status);
  k->rounds = key_bits / 32 + 6;
  return AES_OK;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits)
{
  return set_key(k, key, key_bits, 1);
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits)
{
  return set_key(k, key, key_bits, 0);
}

// Return from a call that failed: zero the output, unless a job under way writes it or `nbytes` is
// more than a buffer can have.
static __attribute__((noinline, cold)) int fail(uint8_t *out, size_t nbytes, int status)
{
  const int apart = out >= device.out + device.nbytes || device.out >= out + nbytes;
  if (status != AES_DMA_ERR_LENGTH && (device.job == 0 || apart))
    aes_wipe(out, nbytes);
  return result(status);
}

// A message or a piece of it. No buffer in 32 bits of address is longer than the device takes.
static __attribute__((noinline)) int whole(const aes_key_t *k, int mode, uint8_t *iv,
                                           const uint8_t *in, uint8_t *out, size_t nbytes)
{
  int status = AES_DMA_ERR_KEY;
#ifdef MASTER_SLEEPS
  finished = 0;
#endif
  if (holds_key(k))
    status = aes_dma_message(session_of(k), mode, iv, in, out, nbytes);
  return status == AES_DMA_OK ? AES_OK : fail(out, nbytes, status);
}

// More blocks than the device takes are more than a buffer can have.
static int too_many(size_t nblocks)
{
  return nblocks >> 28 != 0;
}

#ifdef MASTER_SLEEPS
// aes_dma_direct refuses a device with a `wait`.
int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  return too_many(nblocks) ? AES_ERR_LENGTH
                           : whole(k, AES_DMA_ECB, NULL, in, out, nblocks * AES_BLOCK_BYTES);
}
#else
// After a direct call that failed, or whose key was forgotten meanwhile.
static __attribute__((noinline, cold)) int rest(const aes_key_t *k, const uint8_t *in, uint8_t *out,
                                                size_t nblocks, int why)
{
  return result(aes_dma_rest(&device, session_of(k), in, out, nblocks * AES_BLOCK_BYTES, why));
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  if (__builtin_expect(too_many(nblocks), 0))
    return AES_ERR_LENGTH;
  const size_t nbytes = nblocks * AES_BLOCK_BYTES;
  const int why = aes_dma_direct(&device, MASTER, session_of(k), in, out, nbytes);
  if (why == AES_DMA_ERR_BUSY)
    return whole(k, AES_DMA_ECB, NULL, in, out, nbytes);
  return why == AES_DMA_OK ? AES_OK : rest(k, in, out, nblocks, why);
}
#endif

// The session knows its direction.
int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
    __attribute__((alias("aes_encrypt_blocks")));

int aes_encrypt_start(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  aes_dma_session_t *session = session_of(k);
  const size_t nbytes = nblocks * AES_BLOCK_BYTES;
  if (too_many(nblocks))
    return AES_ERR_LENGTH;
  int status = AES_DMA_ERR_KEY;
#ifdef MASTER_SLEEPS
  finished = 0;
#endif
  if (holds_key(k))
    status = session->mode == AES_DMA_ECB ? AES_DMA_OK
                                          : aes_dma_restart(session, AES_DMA_ECB, NULL);
  if (status == AES_DMA_OK)
    status = aes_dma_submit(session, in, out, nbytes);
  return status == AES_DMA_OK ? AES_OK : fail(out, nbytes, status);
}

int aes_decrypt_start(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
    __attribute__((alias("aes_encrypt_start")));

int aes_running(const aes_key_t *k) { return holds_key(k) && aes_dma_running(session_of(k)); }

int aes_finish(const aes_key_t *k)
{
  const int status = holds_key(k) ? aes_dma_wait(session_of(k)) : AES_DMA_ERR_KEY;
  // The job of this place, whose key was overwritten.
  if ((status == AES_DMA_ERR_BUSY || status == AES_DMA_ERR_KEY) && device.job != 0 &&
      device.job_of == session_of(k))
    (void)aes_dma_reset(&device);
  return result(status);
}

int aes_cbc_encrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                    size_t nblocks)
{
  return too_many(nblocks) ? AES_ERR_LENGTH
                           : whole(k, AES_DMA_CBC, iv, in, out, nblocks * AES_BLOCK_BYTES);
}

int aes_cbc_decrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                    size_t nblocks) __attribute__((alias("aes_cbc_encrypt")));

int aes_ctr(const aes_key_t *k, uint8_t *counter, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  return whole(k, AES_DMA_CTR, counter, in, out, nbytes);
}

void aes_clear_key(aes_key_t *k)
{
  (void)abandon(k);
  if (holds_key(k))
    (void)aes_dma_finish(session_of(k));
  aes_wipe(k, sizeof *k);
}

#ifdef MASTER_GCM
int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, uint8_t *tag, size_t tag_bytes)
{
  const aes_dma_gcm_t message = {iv, iv_bytes, aad, aad_bytes};
  return holds_key(&k->cipher)
             ? result(aes_dma_gcm_encrypt(session_of(&k->cipher), &message, in, out, bytes, tag,
                                          tag_bytes))
             : AES_ERR_KEY;
}

int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
  const aes_dma_gcm_t message = {iv, iv_bytes, aad, aad_bytes};
  return holds_key(&k->cipher)
             ? result(aes_dma_gcm_decrypt(session_of(&k->cipher), &message, in, out, bytes, tag,
                                          tag_bytes))
             : AES_ERR_KEY;
}
#endif
