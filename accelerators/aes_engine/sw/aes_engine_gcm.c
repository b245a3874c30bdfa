// SPDX-License-Identifier: Apache-2.0
// AES-GCM by the AES engine; registers: registers.md, "GCM" in README.md. See aes_engine_gcm.h.
//
// With CTRL.HOLD a write of GCM waits until the engine is idle, one of a block until there is room
// and a read until there is a result: STATUS is read where a message ends. What waited too long was
// refused, and STATUS.ERROR says so there.
#include "aes_engine_gcm.h"
#include "aes_bytes.h"

// Bound of the wait for a tag, in polls.
#ifndef AES_ENGINE_WAITS
#define AES_ENGINE_WAITS 10000u
#endif

#define GCM_MODE 3u
#define BLOCK 16u  // bytes

static const uint32_t *words_of(const uint8_t *bytes)
{
  return (const word_t *)(const void *)bytes;
}

// Up to a block of bytes from or to words, which are what a little-endian core makes of four bytes.
static void copy(void *to, const void *from, size_t nbytes)
{
  volatile uint8_t *out = to;  // volatile: no call of the C library's memcpy
  const uint8_t *in = from, *const last = in + nbytes;
  if (aligned(to) && aligned(from))
    for (; last - in >= 4; in += 4, out += 4)
      *(volatile word_t *)(volatile void *)out = *words_of(in);
  for (; in != last; in++, out++)
    *out = *in;
}

// With zeros behind.
static void pack(uint32_t words[4], const uint8_t *in, size_t nbytes)
{
  words[0] = words[1] = words[2] = words[3] = 0;
  copy(words, in, nbytes);
}

static void unpack_block(uint8_t *out, const uint32_t *words)
{
  for (size_t i = 0; i < 4; i++, out += 4)
    WORD_TO_BYTES(out, words[i]);
}

static void forget(void *data, size_t nbytes)
{
  volatile uint8_t *at = data;
  if (aligned(data))
    for (; nbytes >= 4; nbytes -= 4, at += 4)
      *(volatile word_t *)(volatile void *)at = 0;
  while (nbytes-- != 0)
    *at++ = 0;
}

static void put(volatile uint32_t *base, size_t to, const uint32_t *words)
{
  for (size_t i = 0; i < 4; i++)
    aes_engine_write(base, to + i, words[i]);
}

// The same from any alignment. Inlined beside an aligned path, GCC 12 takes the word load of that
// path for both, before the branch.
static __attribute__((noinline)) void put_bytes(volatile uint32_t *base, size_t to,
                                                const uint8_t *in)
{
  for (size_t i = 0; i < 4; i++, in += 4)
    aes_engine_write(base, to + i, WORD_OF_BYTES(in));
}

// Valid bytes of the blocks that follow, 0 for all; `text` is 0 or GCM.TEXT.
static void sized(volatile uint32_t *base, size_t nbytes, uint32_t text)
{
  aes_engine_write(base, AES_ENGINE_WORD(GCM),
                   (uint32_t)nbytes << AES_ENGINE__GCM__BYTES_bp | text);
}

// Bytes for the hash alone.
static void absorb(volatile uint32_t *base, const uint8_t *in, size_t nbytes, uint32_t text)
{
  const size_t hash = AES_ENGINE_WORD(HASH_IN);
  const uint8_t *const end = in + nbytes / BLOCK * BLOCK;
  const size_t rest = nbytes % BLOCK;
  uint32_t words[4];
  if (in != end)
    sized(base, 0, text);
  if (aligned(in)) {
    for (; in != end; in += BLOCK)
      put(base, hash, words_of(in));
  } else {
    for (; in != end; in += BLOCK)
      put_bytes(base, hash, in);
  }
  if (rest != 0) {
    sized(base, rest, text);
    pack(words, in, rest);
    put(base, hash, words);
    forget(words, sizeof words);
  }
}

// Open a message in an idle engine: the first counter block, then the associated data.
static void begin(volatile uint32_t *base, const aes_engine_gcm_t *message)
{
  const size_t iv = AES_ENGINE_WORD(ENC_IV);
  uint32_t words[4];
  if (message->iv_bytes == 12) {
    pack(words, message->iv, 12);
    words[3] = (uint32_t)1 << 24;
    put(base, iv, words);
    aes_engine_write(base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__START_bm);
  } else {
    uint8_t length[BLOCK] = {0};
    for (size_t i = 0; i < 8; i++)
      length[15 - i] = (uint8_t)(((uint64_t)message->iv_bytes << 3) >> (8 * i));
    aes_engine_write(base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__START_bm);
    absorb(base, message->iv, message->iv_bytes, 0);
    absorb(base, length, BLOCK, 0);
    sized(base, 0, 0);
    aes_engine_write(base, AES_ENGINE_WORD(TRIGGER),
                     AES_ENGINE__TRIGGER__START_bm | AES_ENGINE__TRIGGER__IV_HASH_bm);
  }
  absorb(base, message->aad, message->aad_bytes, 0);
}

// Whole blocks of any alignment; aes_engine_pass is the same for words.
static void pass_bytes(volatile uint32_t *base, const uint8_t *in, uint8_t *out, size_t nblocks)
{
  uint32_t words[4];
  put_bytes(base, AES_ENGINE_WORD(ENC_DATA_IN), in);
  for (; nblocks != 0; nblocks--, out += BLOCK) {
    if (nblocks != 1) {
      in += BLOCK;
      put_bytes(base, AES_ENGINE_WORD(ENC_DATA_IN), in);
    }
    aes_engine_take(base, 1, words);
    unpack_block(out, words);
  }
  forget(words, sizeof words);
}

// Text through the cipher.
static void text(volatile uint32_t *base, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  const size_t rest = nbytes % BLOCK, whole = nbytes - rest;
  if (whole != 0) {
    sized(base, 0, 0);
    if (aligned(in) && aligned(out))
      aes_engine_pass(base, 1, words_of(in), (word_t *)(void *)out, whole / BLOCK);
    else
      pass_bytes(base, in, out, whole / BLOCK);
  }
  if (rest != 0) {
    uint32_t words[4];
    sized(base, rest, 0);
    pack(words, in + whole, rest);
    aes_engine_give(base, 1, words);
    aes_engine_take(base, 1, words);
    copy(out + whole, words, rest);
    forget(words, sizeof words);
  }
}

// Whether STATUS says that a tag is there and nothing was refused.
static int ended(uint32_t now)
{
  const uint32_t done = AES_ENGINE__STATUS__TAG_VALID_bm | AES_ENGINE__STATUS__IDLE_bm;
  return (now & (done | AES_ENGINE__STATUS__ERROR_bm)) == done;
}

// End a message. The engine compares `expected` if there is one.
static int end(volatile uint32_t *base, const uint8_t *expected, size_t tag_bytes)
{
  uint32_t words[4];
  sized(base, tag_bytes % BLOCK, 0);
  if (expected) {
    pack(words, expected, tag_bytes);
    put(base, AES_ENGINE_WORD(TAG), words);
  }
  aes_engine_write(base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__TAG_bm);
  for (uint32_t i = 0; i < AES_ENGINE_WAITS; i++) {
    const uint32_t now = aes_engine_read(base, AES_ENGINE_WORD(STATUS));
    if (now & AES_ENGINE__STATUS__ERROR_bm)
      return AES_ENGINE_ERR_REFUSED;
    if (ended(now))
      return !expected || (now & AES_ENGINE__STATUS__TAG_EQUAL_bm) ? AES_ENGINE_OK
                                                                   : AES_ENGINE_ERR_TAG;
  }
  return AES_ENGINE_ERR_TIMEOUT;
}

// A message in an engine that holds the key; `expected` is null to encrypt, `tag` to decrypt.
// Whether `out` was written is in *begun.
static int run(volatile uint32_t *base, const aes_engine_gcm_t *message, const uint8_t *in,
               uint8_t *out, size_t nbytes, const uint8_t *expected, uint32_t *tag,
               size_t tag_bytes, int *begun)
{
  int status;
  if (expected) {
    begin(base, message);
    absorb(base, in, nbytes, AES_ENGINE__GCM__TEXT_bm);
    status = end(base, expected, tag_bytes);
    if (status != AES_ENGINE_OK)
      return status;
  }
  begin(base, message);
  *begun = 1;
  text(base, in, out, nbytes);
  status = end(base, expected, tag_bytes);
  if (status == AES_ENGINE_OK && !expected) {
    for (size_t i = 0; i < 4; i++)
      tag[i] = aes_engine_read(base, AES_ENGINE_WORD(TAG) + i);
    if (aes_engine_read(base, AES_ENGINE_WORD(OWNER)) != AES_ENGINE_FREE)
      status = AES_ENGINE_ERR_REFUSED;
  }
  return status;
}

static int crypt(aes_engine_session_t *session, const aes_engine_gcm_t *message,
                 const uint8_t *in, uint8_t *out, size_t nbytes, const uint8_t *expected,
                 uint8_t *tag, size_t tag_bytes)
{
  const uint64_t longest = ((uint64_t)1 << 36) - 32;  // section 5.2.1.1
  aes_engine_device_t *device = session->device;
  const uint32_t control = session->control;
  uint32_t words[4];
  int begun = 0;

  if (device == NULL)
    return AES_ENGINE_ERR_KEY;
  if (!(device->caps & AES_ENGINE__CAPS__GCM_bm) || !session->encrypt)
    return AES_ENGINE_ERR_UNSUPPORTED;
  if ((tag_bytes != 4 && tag_bytes != 8 && tag_bytes < 12) || tag_bytes > 16 ||
      message->iv_bytes == 0 || message->iv_bytes > longest || message->aad_bytes > longest ||
      nbytes > longest)
    return AES_ENGINE_ERR_LENGTH;
  int status = aes_engine_enter(session, AES_ENGINE_ECB, NULL);
  if (status != AES_ENGINE_OK)
    return status;
  volatile uint32_t *base = device->base;
  aes_engine_write(base, AES_ENGINE_WORD(CTRL),
                   control | AES_ENGINE__CTRL__HOLD_bm |
                       GCM_MODE << AES_ENGINE__CTRL__ENC_MODE_bp |
                       (expected ? AES_ENGINE__CTRL__GCM_DECRYPT_bm : 0u));
  status = run(base, message, in, out, nbytes, expected, words, tag_bytes, &begun);
  if (status == AES_ENGINE_OK)
    aes_engine_write(base, AES_ENGINE_WORD(CTRL),
                     control | (device->wait ? 0u : AES_ENGINE__CTRL__HOLD_bm));
  status = aes_engine_leave(device, session, AES_ENGINE_ECB, status);
  if (status == AES_ENGINE_OK && tag)
    copy(tag, words, tag_bytes);
  if (status != AES_ENGINE_OK && begun)
    forget(out, nbytes);
  return status;
}

int aes_engine_gcm_seal(aes_engine_session_t *session, const aes_engine_gcm_t *message,
                        const uint8_t *in, uint8_t *out, size_t nbytes, uint8_t *tag,
                        size_t tag_bytes)
{
  return crypt(session, message, in, out, nbytes, NULL, tag, tag_bytes);
}

int aes_engine_gcm_unseal(aes_engine_session_t *session, const aes_engine_gcm_t *message,
                          const uint8_t *in, uint8_t *out, size_t nbytes, const uint8_t *tag,
                          size_t tag_bytes)
{
  return crypt(session, message, in, out, nbytes, tag, NULL, tag_bytes);
}

static int once(aes_engine_device_t *device, const uint8_t *key, unsigned key_bits,
                const aes_engine_gcm_t *message, const uint8_t *in, uint8_t *out, size_t nbytes,
                const uint8_t *expected, uint8_t *tag, size_t tag_bytes)
{
  aes_engine_session_t session;
  int status = aes_engine_start(&session, device, AES_ENGINE_ECB, 1, key, key_bits, NULL);
  if (status != AES_ENGINE_OK)
    return status;
  status = crypt(&session, message, in, out, nbytes, expected, tag, tag_bytes);
  const int wiped = aes_engine_finish(&session);
  if (status == AES_ENGINE_OK && wiped != AES_ENGINE_OK) {
    forget(out, nbytes);
    status = wiped;
  }
  return status;
}

int aes_engine_gcm_encrypt(aes_engine_device_t *device, const uint8_t *key, unsigned key_bits,
                           const aes_engine_gcm_t *message, const uint8_t *in, uint8_t *out,
                           size_t nbytes, uint8_t *tag, size_t tag_bytes)
{
  return once(device, key, key_bits, message, in, out, nbytes, NULL, tag, tag_bytes);
}

int aes_engine_gcm_decrypt(aes_engine_device_t *device, const uint8_t *key, unsigned key_bits,
                           const aes_engine_gcm_t *message, const uint8_t *in, uint8_t *out,
                           size_t nbytes, const uint8_t *tag, size_t tag_bytes)
{
  return once(device, key, key_bits, message, in, out, nbytes, tag, NULL, tag_bytes);
}
