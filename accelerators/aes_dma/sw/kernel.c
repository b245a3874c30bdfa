// SPDX-License-Identifier: Apache-2.0
// The kernel contract over the driver: one bus master at a fixed place, a session in each key. The
// end of a job is polled for, or slept for until the interrupt (MASTER_SLEEPS). A call that fails
// leaves zeros. With MASTER_GCM a message of AES-GCM in one call is the device's; pieces of
// messages and GHASH alone remain software under the same key.
#include "aes_async.h"
#include "aes_dma.h"
#ifdef MASTER_GCM
#include "aes_dma_gcm.h"
#include "aes_gcm.h"
#endif
#include "aes_modes.h"
#include "hal.h"

#define MASTER ((volatile uint32_t *)0x90000000u)
#define SLEEPS 1000000u  // looks at the flag before a lost interrupt is given up

typedef char session_fits_key[sizeof(aes_dma_session_t) <= 4u * AES_KEY_WORDS ? 1 : -1];

static aes_dma_device_t device;
// A session keeps its chaining value and place in the device, whoever calls its key constant.
static aes_dma_session_t *session_of(const aes_key_t *k)
{
  return (aes_dma_session_t *)(uintptr_t)k->rk;
}

#ifdef MASTER_SLEEPS
static volatile int finished;
static uint32_t waited;

static void on_interrupt(void)
{
  (void)aes_dma_acknowledge(&device);
  finished = 1;
}

static void sleep_on(aes_dma_device_t *waiting)
{
  (void)waiting;
  const uint32_t since = hal_cycles();
  for (uint32_t i = 0; !finished && i < SLEEPS; i++) {
  }
  finished = 0;
  waited += hal_cycles() - since;
}

uint32_t aes_waited(void) { return waited; }
#endif

static void invalidate(const void *bytes, size_t nbytes)
{
  (void)bytes;
  (void)nbytes;
  hal_dcache_invalidate();
}

static int open_master(void)
{
  const int status = aes_dma_open(&device, MASTER);
  if (hal_has_dcache())
    device.invalidate = invalidate;
#ifdef MASTER_SLEEPS
  device.wait = sleep_on;
  hal_timer_irq(0, on_interrupt);
  aes_dma_interrupts(&device, 1);
#endif
  return status;
}

static int set_key(aes_key_t *k, const uint8_t *key, unsigned key_bits, int encrypt)
{
  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return AES_ERR_KEY_LENGTH;
  if (device.base == NULL && open_master() != AES_DMA_OK)
    return AES_ERR_UNSUPPORTED;
  aes_dma_session_t *session = session_of(k);
  k->rounds = key_bits / 32 + 6;
  if (aes_dma_start(session, &device, AES_DMA_ECB, encrypt, key, key_bits, NULL) ||
      aes_dma_load(session))
    return AES_ERR_UNSUPPORTED;
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

static int start(const aes_key_t *k, int mode, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                 size_t nbytes)
{
  aes_dma_session_t *session = session_of(k);
  int status = AES_DMA_OK;
  if (session->mode != mode || iv != NULL)
    status = aes_dma_restart(session, mode, iv);
#ifdef MASTER_SLEEPS
  finished = 0;
#endif
  return status == AES_DMA_OK ? aes_dma_submit(session, in, out, nbytes) : status;
}

static __attribute__((noinline)) int whole(const aes_key_t *k, int mode, const uint8_t *iv,
                                           const uint8_t *in, uint8_t *out, size_t nbytes)
{
  int status = start(k, mode, iv, in, out, nbytes);
  if (status == AES_DMA_OK)
    status = aes_dma_wait(session_of(k));
  if (status != AES_DMA_OK)
    aes_wipe(out, nbytes);
  return status;
}

static inline void blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  const size_t nbytes = nblocks * AES_BLOCK_BYTES;
  const int status = aes_dma_region(&device, MASTER, session_of(k), in, out, nbytes);
  if (status == AES_DMA_ERR_BUSY) {
    (void)whole(k, AES_DMA_ECB, NULL, in, out, nbytes);
  } else if (status != AES_DMA_OK) {
    (void)aes_dma_reset(&device);
    aes_wipe(out, nbytes);
  }
}

void aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  blocks(k, in, out, nblocks);
}

void aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  blocks(k, in, out, nblocks);
}

int aes_encrypt_start(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  return start(k, AES_DMA_ECB, NULL, in, out, nblocks * AES_BLOCK_BYTES);
}

int aes_decrypt_start(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  return start(k, AES_DMA_ECB, NULL, in, out, nblocks * AES_BLOCK_BYTES);
}

int aes_running(const aes_key_t *k) { return aes_dma_running(session_of(k)); }

int aes_finish(const aes_key_t *k) { return aes_dma_wait(session_of(k)); }

// A message or a piece of it in one of the chaining modes.
static void chained(const aes_key_t *k, int mode, uint8_t *iv, const uint8_t *in, uint8_t *out,
                    size_t nbytes)
{
  const aes_dma_session_t *session = session_of(k);
  if (whole(k, mode, iv, in, out, nbytes) != AES_DMA_OK)
    return;
  for (size_t i = 0; i < 16; i++)
    iv[i] = (uint8_t)(session->iv[i / 4] >> (8 * (i % 4)));
}

void aes_cbc_encrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                     size_t nblocks)
{
  chained(k, AES_DMA_CBC, iv, in, out, nblocks * AES_BLOCK_BYTES);
}

void aes_cbc_decrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                     size_t nblocks)
{
  chained(k, AES_DMA_CBC, iv, in, out, nblocks * AES_BLOCK_BYTES);
}

void aes_ctr(const aes_key_t *k, uint8_t *counter, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  chained(k, AES_DMA_CTR, counter, in, out, nbytes);
}

void aes_clear_key(aes_key_t *k)
{
  (void)aes_dma_finish(session_of(k));
  aes_wipe(k, sizeof *k);
}

#ifdef MASTER_GCM
static int gcm_result(int status)
{
  switch (status) {
  case AES_DMA_OK: return AES_OK;
  case AES_DMA_ERR_LENGTH: return AES_ERR_LENGTH;
  case AES_DMA_ERR_TAG: return AES_ERR_TAG;
  default: return AES_ERR_UNSUPPORTED;
  }
}

int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, uint8_t *tag, size_t tag_bytes)
{
  const aes_dma_gcm_t message = {iv, iv_bytes, aad, aad_bytes};
  return gcm_result(aes_dma_gcm_encrypt(session_of(&k->cipher), &message, in, out, bytes, tag,
                                        tag_bytes));
}

int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
  const aes_dma_gcm_t message = {iv, iv_bytes, aad, aad_bytes};
  return gcm_result(aes_dma_gcm_decrypt(session_of(&k->cipher), &message, in, out, bytes, tag,
                                        tag_bytes));
}
#endif
