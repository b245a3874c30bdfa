// SPDX-License-Identifier: Apache-2.0
// The kernel contract over the driver: one engine at a fixed place, a session in each key. How
// results are awaited: on the bus, or by polling (ENGINE_POLLS), or in sleep until the engine's
// interrupt (ENGINE_SLEEPS). With ENGINE_GCM messages of AES-GCM are the engine's too. A call that
// fails leaves zeros.
#include "aes_engine.h"
#include "aes_modes.h"
#include "hal.h"

#define ENGINE ((volatile aes_engine_t *)0x90000000u)
#define EVENTS (AES_ENGINE__INTR_STATE__ENC_DONE_bm | AES_ENGINE__INTR_STATE__DEC_DONE_bm)
#define SLEEPS 100000u  // looks at the flag before a lost interrupt is given up

typedef char session_fits_key[sizeof(aes_engine_session_t) <= 4u * AES_KEY_WORDS ? 1 : -1];

static aes_engine_device_t device;

// A session keeps its chaining value and place in the engine, whoever calls its key constant.
static aes_engine_session_t *session_of(const aes_key_t *k)
{
  return (aes_engine_session_t *)(uintptr_t)k->rk;
}

#if defined ENGINE_SLEEPS
static volatile int finished;
static uint32_t waited;

static void on_interrupt(void)
{
  ENGINE->INTR_STATE = EVENTS;
  (void)ENGINE->INTR_STATE;  // the write has arrived when the read returns: the line is low
  finished = 1;
}

static void await(aes_engine_device_t *waiting)
{
  (void)waiting;
  const uint32_t since = hal_cycles();
  for (uint32_t i = 0; !finished && i < SLEEPS; i++) {
  }
  finished = 0;
  waited += hal_cycles() - since;
}

uint32_t aes_waited(void) { return waited; }
#elif defined ENGINE_POLLS
static void await(aes_engine_device_t *waiting) { (void)waiting; }
#endif

static int open_engine(void)
{
  const int status = aes_engine_open(&device, (volatile uint32_t *)ENGINE);
#if defined ENGINE_SLEEPS || defined ENGINE_POLLS
  device.wait = await;
#endif
#if defined ENGINE_SLEEPS
  hal_timer_irq(0, on_interrupt);
  ENGINE->INTR_ENABLE = EVENTS;
#endif
  return status;
}

static int set_key(aes_key_t *k, const uint8_t *key, unsigned key_bits, int encrypt)
{
  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return AES_ERR_KEY_LENGTH;
  if (device.base == NULL && open_engine() != AES_ENGINE_OK)
    return AES_ERR_UNSUPPORTED;
  aes_engine_session_t *session = session_of(k);
  k->rounds = key_bits / 32 + 6;
  if (aes_engine_start(session, &device, AES_ENGINE_ECB, encrypt, key, key_bits, NULL) ||
      aes_engine_load(session))
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

// More or less than a block, another session's turn, another mode, a refusal.
static __attribute__((noinline)) void blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out,
                                             size_t nblocks)
{
  aes_engine_session_t *session = session_of(k);
  int status = AES_ENGINE_OK;
  if (session->mode != AES_ENGINE_ECB)
    status = aes_engine_restart(session, AES_ENGINE_ECB, NULL);
  if (status == AES_ENGINE_OK)
    status = aes_engine_blocks(session, (const uint32_t *)(uintptr_t)in,
                               (uint32_t *)(uintptr_t)out, nblocks);
  if (status != AES_ENGINE_OK)
    aes_wipe(out, nblocks * AES_BLOCK_BYTES);
}

static inline __attribute__((always_inline)) void crypt(const aes_key_t *k, int encrypt,
                                                        const uint8_t *in, uint8_t *out,
                                                        size_t nblocks)
{
  volatile uint32_t *base = (volatile uint32_t *)ENGINE;
  const uint32_t *from = (const uint32_t *)(uintptr_t)in;
  uint32_t *to = (uint32_t *)(uintptr_t)out;
  if (__builtin_expect(nblocks != 1, 0) ||
      __builtin_expect(aes_engine_block(base, session_of(k), encrypt, from, to), AES_ENGINE_OK))
    blocks(k, in, out, nblocks);
}

void aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  crypt(k, 1, in, out, nblocks);
}

void aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  crypt(k, 0, in, out, nblocks);
}

// A message or a piece of it in one of the chaining modes.
static void chained(const aes_key_t *k, int mode, uint8_t *iv, const uint8_t *in, uint8_t *out,
                    size_t nbytes)
{
  aes_engine_session_t *session = session_of(k);
  int status = aes_engine_restart(session, mode, iv);
  if (status == AES_ENGINE_OK)
    status = aes_engine_update(session, in, out, nbytes);
  if (status != AES_ENGINE_OK) {
    aes_wipe(out, nbytes);
    return;
  }
  for (size_t i = 0; i < 16; i++)
    iv[i] = (uint8_t)(session->iv[i / 4] >> (8 * (i % 4)));
}

void aes_cbc_encrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                     size_t nblocks)
{
  chained(k, AES_ENGINE_CBC, iv, in, out, nblocks * AES_BLOCK_BYTES);
}

void aes_cbc_decrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                     size_t nblocks)
{
  chained(k, AES_ENGINE_CBC, iv, in, out, nblocks * AES_BLOCK_BYTES);
}

void aes_ctr(const aes_key_t *k, uint8_t *counter, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  chained(k, AES_ENGINE_CTR, counter, in, out, nbytes);
}

void aes_clear_key(aes_key_t *k)
{
  (void)aes_engine_finish(session_of(k));
  aes_wipe(k, sizeof *k);
}

#if defined ENGINE_GCM
// Messages in one call. The key is the one that aes_gcm_set_key has made of aes_set_encrypt_key, so
// that messages in pieces and aes_ghash_blocks, which are software, have it too.
#include "aes_engine_gcm.h"
#include "aes_gcm.h"

// An engine that failed, or is in use by whom this call interrupts, has no result of aes_gcm.h.
static int gcm_result(int status)
{
  if (status == AES_ENGINE_OK)
    return AES_OK;
  if (status == AES_ENGINE_ERR_TAG)
    return AES_ERR_TAG;
  return status == AES_ENGINE_ERR_LENGTH ? AES_ERR_LENGTH : AES_ERR_UNSUPPORTED;
}

int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                    size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes, uint8_t *tag,
                    size_t tag_bytes)
{
  const aes_engine_gcm_t message = {iv, iv_bytes, aad, aad_bytes};
  return gcm_result(aes_engine_gcm_seal(session_of(&k->cipher), &message, in, out, bytes, tag,
                                        tag_bytes));
}

int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                    size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes,
                    const uint8_t *tag, size_t tag_bytes)
{
  const aes_engine_gcm_t message = {iv, iv_bytes, aad, aad_bytes};
  return gcm_result(aes_engine_gcm_unseal(session_of(&k->cipher), &message, in, out, bytes, tag,
                                          tag_bytes));
}
#endif
