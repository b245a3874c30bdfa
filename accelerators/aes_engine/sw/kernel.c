// SPDX-License-Identifier: Apache-2.0
// The kernel contract over the driver: one engine at a fixed address, a session in each key. The
// kernel waits for results on the bus, by polling (ENGINE_POLLS), or asleep until the engine's
// interrupt (ENGINE_SLEEPS). With ENGINE_GCM the engine also processes AES-GCM messages. With
// ENGINE_GUARDED it is a guarded one, whose alert is AES_ERR_FAULT.
//
// No call changes the key or the message of a session, so an interrupt handler may even use the key
// of the call that it interrupts. A call that fails leaves zeros.
#include "aes_engine.h"
#include "aes_modes.h"
#include "aes_forget_registers.h"
#include "hal.h"

#ifndef AES_ENGINE_BASE
#define AES_ENGINE_BASE 0x90000000u  // where the platforms have it
#endif
#define ENGINE ((volatile uint32_t *)AES_ENGINE_BASE)
#define EVENTS (AES_ENGINE__INTR_STATE__ENC_DONE_bm | AES_ENGINE__INTR_STATE__DEC_DONE_bm)
#define SLEEPS 1000u  // polls of the flag after which an interrupt counts as lost
#if defined ENGINE_SLEEPS || defined ENGINE_POLLS
#define ENGINE_WAITS
#endif

typedef char session_fits_key[sizeof(aes_engine_session_t) <= 4u * AES_KEY_WORDS ? 1 : -1];

// Not open yet, and no session's turn: a key of zeros does not match.
static aes_engine_device_t device = {.turn = AES_ENGINE_FREE};
static volatile int opening, ready;

// Use changes only the word `mark` of a session, even in a const key.
static aes_engine_session_t *session_of(const aes_key_t *k)
{
  return (aes_engine_session_t *)(uintptr_t)k->rk;
}

static int result(int status)
{
  switch (status) {
    case AES_ENGINE_OK:
      return AES_OK;
    case AES_ENGINE_ERR_ABSENT:
    case AES_ENGINE_ERR_UNSUPPORTED:
      return AES_ERR_UNSUPPORTED;
    case AES_ENGINE_ERR_LENGTH:
      return AES_ERR_LENGTH;
    case AES_ENGINE_ERR_BUSY:
      return AES_ERR_BUSY;
    case AES_ENGINE_ERR_KEY:
      return AES_ERR_KEY;
#if defined ENGINE_GUARDED
    case AES_ENGINE_ERR_FAULT:
      return AES_ERR_FAULT;
#endif
    default:
      return AES_ERR_DEVICE;
  }
}

#if defined ENGINE_SLEEPS
static void quiet_line(void)
{
  aes_engine_write(ENGINE, AES_ENGINE_WORD(INTR_STATE), EVENTS);
  // The write has arrived when the read returns.
  (void)aes_engine_read(ENGINE, AES_ENGINE_WORD(INTR_STATE));
}

#include "aes_sleep.h"

static void await(aes_engine_device_t *waiting)
{
  (void)waiting;
  forget_registers();  // a trap handler saves them on the stack
  sleep_until_interrupt();
}
#elif defined ENGINE_POLLS
static void await(aes_engine_device_t *waiting) { (void)waiting; }
#endif

// Open the engine at its first use, and again after a use that found none. An interrupt handler
// that interrupts this gets AES_ERR_BUSY.
static __attribute__((noinline, cold)) int open_engine(void)
{
  int status = AES_ENGINE_OK;
  if (opening)
    return AES_ENGINE_ERR_BUSY;
  opening = 1;
  if (!ready) {  // a handler between the lines above may have opened it
    status = aes_engine_open(&device, ENGINE);
    if (status == AES_ENGINE_OK) {
#ifdef ENGINE_WAITS
      device.wait = await;
#endif
#if defined ENGINE_SLEEPS
      hal_timer_irq(0, on_interrupt);
      aes_engine_write(ENGINE, AES_ENGINE_WORD(INTR_ENABLE), EVENTS);
#endif
      ready = 1;
    }
  }
  opening = 0;
  return status;
}

// Return from a set-up that failed.
static __attribute__((noinline, cold)) int no_key(aes_key_t *k, unsigned key_bits, int driver)
{
  aes_wipe(k, sizeof *k);
  return key_bits == 128 || key_bits == 192 || key_bits == 256 ? result(driver)
                                                               : AES_ERR_KEY_LENGTH;
}

static int set_key(aes_key_t *k, const uint8_t *key, unsigned key_bits, int encrypt)
{
  int driver = __builtin_expect(ready, 1) ? AES_ENGINE_OK : open_engine();
  if (driver == AES_ENGINE_OK) {
    k->rounds = key_bits / 32 + 6;
    driver = aes_engine_set_up(session_of(k), &device, encrypt,
                               (const uint32_t *)(uintptr_t)key, key_bits);
  }
  const int status = driver == AES_ENGINE_OK ? AES_OK : no_key(k, key_bits, driver);
  forget_registers();  // the driver has words of the key there
  return status;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits)
{
  return set_key(k, key, key_bits, 1);
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits)
{
  return set_key(k, key, key_bits, 0);
}

static __attribute__((noinline, cold)) int failed(uint8_t *out, size_t nbytes, int status)
{
  aes_wipe(out, nbytes);
  return status;
}

// A session of the other direction is no key for this call.
static int session_fits(const aes_engine_session_t *session, int encrypt)
{
  return session->device != NULL && session->encrypt == encrypt;
}

// The rare cases: more or less than one block, another session's turn, a refusal. An engine with a
// `wait` has no direct path.
static __attribute__((noinline)) int blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out,
                                            size_t nblocks, int encrypt)
{
  aes_engine_session_t *session = session_of(k);
  if (nblocks > SIZE_MAX / AES_BLOCK_BYTES)
    return AES_ERR_LENGTH;
  if (!session_fits(session, encrypt))
    return failed(out, nblocks * AES_BLOCK_BYTES, AES_ERR_KEY);
#ifdef ENGINE_WAITS
  const int status = aes_engine_crypt(session, AES_ENGINE_ECB, NULL, in, out,
                                      nblocks * AES_BLOCK_BYTES);
#else
  const int status = aes_engine_blocks(session, (const uint32_t *)(uintptr_t)in,
                                       (uint32_t *)(uintptr_t)out, nblocks);
#endif
  return status == AES_ENGINE_OK ? AES_OK
                                 : failed(out, nblocks * AES_BLOCK_BYTES, result(status));
}

static inline __attribute__((always_inline)) int crypt(const aes_key_t *k, int encrypt,
                                                       const uint8_t *in, uint8_t *out,
                                                       size_t nblocks)
{
#ifndef ENGINE_WAITS
  const uint32_t *from = (const uint32_t *)(uintptr_t)in;
  uint32_t *to = (uint32_t *)(uintptr_t)out;
  if (__builtin_expect(nblocks == 1, 1) &&
      __builtin_expect(aes_engine_block(ENGINE, session_of(k), encrypt, from, to) ==
                           AES_ENGINE_OK,
                       1))
    return AES_OK;
#endif
  return blocks(k, in, out, nblocks, encrypt);
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  return crypt(k, 1, in, out, nblocks);
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  return crypt(k, 0, in, out, nblocks);
}

// A message or a piece of it in one of the chaining modes.
static int chained(const aes_key_t *k, int mode, int encrypt, uint8_t *iv, const uint8_t *in,
                   uint8_t *out, size_t nbytes)
{
  aes_engine_session_t *session = session_of(k);
  const int in_words = ((uintptr_t)iv & 3u) == 0;
  uint32_t words[4], *chain = in_words ? (uint32_t *)(uintptr_t)iv : words;
  if (!session_fits(session, encrypt))
    return failed(out, nbytes, AES_ERR_KEY);
  for (size_t i = 0; i < 4 && !in_words; i++)
    words[i] = (uint32_t)iv[4 * i] | (uint32_t)iv[4 * i + 1] << 8 | (uint32_t)iv[4 * i + 2] << 16 |
               (uint32_t)iv[4 * i + 3] << 24;
  const int status = aes_engine_crypt(session, mode, chain, in, out, nbytes);
  if (status != AES_ENGINE_OK)
    return failed(out, nbytes, result(status));
  for (size_t i = 0; i < 16 && !in_words; i++)
    iv[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
  return AES_OK;
}

static int cbc(const aes_key_t *k, int encrypt, uint8_t *iv, const uint8_t *in, uint8_t *out,
               size_t nblocks)
{
  if (nblocks > SIZE_MAX / AES_BLOCK_BYTES)
    return AES_ERR_LENGTH;
  return chained(k, AES_ENGINE_CBC, encrypt, iv, in, out, nblocks * AES_BLOCK_BYTES);
}

int aes_cbc_encrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                    size_t nblocks)
{
  return cbc(k, 1, iv, in, out, nblocks);
}

int aes_cbc_decrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                    size_t nblocks)
{
  return cbc(k, 0, iv, in, out, nblocks);
}

int aes_ctr(const aes_key_t *k, uint8_t *counter, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  return chained(k, AES_ENGINE_CTR, 1, counter, in, out, nbytes);
}

void aes_clear_key(aes_key_t *k)
{
  // No set-up, or one that failed: the session may be any words.
  if (k->rounds != 0)
    (void)aes_engine_finish(session_of(k));
  aes_wipe(k, sizeof *k);
}

#if defined ENGINE_GCM
// Messages in one call. The key is the one that aes_gcm_set_key has made of aes_set_encrypt_key, so
// that messages in pieces and aes_ghash_blocks, which are software, have it too.
#include "aes_engine_gcm.h"
#include "aes_gcm.h"

static int gcm_result(int status)
{
  return status == AES_ENGINE_ERR_TAG ? AES_ERR_TAG : result(status);
}

int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                    size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes, uint8_t *tag,
                    size_t tag_bytes)
{
  const aes_engine_gcm_t message = {iv, iv_bytes, aad, aad_bytes};
  if (!session_fits(session_of(&k->cipher), 1))
    return AES_ERR_KEY;
  return gcm_result(aes_engine_gcm_seal(session_of(&k->cipher), &message, in, out, bytes, tag,
                                        tag_bytes));
}

int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                    size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes,
                    const uint8_t *tag, size_t tag_bytes)
{
  const aes_engine_gcm_t message = {iv, iv_bytes, aad, aad_bytes};
  if (!session_fits(session_of(&k->cipher), 1))
    return AES_ERR_KEY;
  return gcm_result(aes_engine_gcm_unseal(session_of(&k->cipher), &message, in, out, bytes, tag,
                                          tag_bytes));
}
#endif
