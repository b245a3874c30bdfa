// SPDX-License-Identifier: Apache-2.0
// Driver of the AES engine; registers: registers.md. See aes_engine.h.
#include "aes_engine.h"
#include "aes_bytes.h"

// Bound of every wait, in polls or calls of `wait`.
#ifndef AES_ENGINE_WAITS
#define AES_ENGINE_WAITS 10000u
#endif

#define VERSION 0x41455301u
#define LAST (AES_ENGINE_TAKEN - 1)  // the last number of a load marks none

// In a separate section, so that the frequent calls fit a small instruction cache.
#define RARE static __attribute__((noinline, cold))

static void load_words(uint32_t *words, const uint8_t *bytes, size_t count)
{
  if (aligned(bytes)) {
    for (size_t i = 0; i < count; i++)
      words[i] = ((const word_t *)(const void *)bytes)[i];
    return;
  }
  for (size_t i = 0; i < count; i++, bytes += 4)
    words[i] = WORD_OF_BYTES(bytes);
}

static void store_words(uint8_t *bytes, const uint32_t *words, size_t nbytes)
{
  for (size_t i = 0; i < nbytes; i++)
    bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

// Wipe a copy of text on the stack.
static void clean(volatile uint32_t *words)
{
  for (size_t i = 0; i < 4; i++)
    words[i] = 0;
}

// With ENGINE_GUARDED: an alert of a guarded engine, after which every read returns ones.
static inline __attribute__((always_inline)) int is_alert(uint32_t status)
{
#ifdef ENGINE_GUARDED
  return status == AES_ENGINE_ALERT;
#else
  (void)status;
  return 0;
#endif
}

// Wait until all bits of `mask` in STATUS are as in `value`.
static inline __attribute__((always_inline)) int poll(volatile uint32_t *base, uint32_t mask,
                                                      uint32_t value)
{
  for (uint32_t i = 0; i < AES_ENGINE_WAITS; i++) {
    const uint32_t now = aes_engine_read(base, AES_ENGINE_WORD(STATUS));
    if (is_alert(now))
      return AES_ENGINE_ERR_FAULT;
    if ((now & mask) == value)
      return AES_ENGINE_OK;
  }
  return AES_ENGINE_ERR_TIMEOUT;
}

// Wipe the engine; it has no owner afterwards.
static int wipe(aes_engine_device_t *device)
{
  const uint32_t mask = AES_ENGINE__STATUS__IDLE_bm | AES_ENGINE__STATUS__KEY_VALID_bm;
  volatile uint32_t *base = device->base;
  device->owner = 0;
  aes_engine_write(base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__WIPE_bm);
  const int status = poll(base, mask, AES_ENGINE__STATUS__IDLE_bm);
  aes_engine_write(base, AES_ENGINE_WORD(ERROR),
                   AES_ENGINE__ERROR__ACCESS_bm | AES_ENGINE__ERROR__KEY_bm);
  return status;
}

// A handler finished the key while the engine was TAKEN: the first call that leaves the engine
// wipes it here, even if that call is in an interrupt between two lines.
RARE int catch_up(aes_engine_device_t *device, int status)
{
  while (device->forget) {
    device->turn = AES_ENGINE_TAKEN;
    device->forget = 0;
    (void)wipe(device);
    device->turn = AES_ENGINE_FREE;
  }
  return status;
}

// `forget` is read after `turn` is written: a handler that comes later wipes the engine itself.
static inline int release(aes_engine_device_t *device, uint32_t turn, int status)
{
  device->turn = turn;
  return device->forget ? catch_up(device, status) : status;
}

// Leave a call that failed, or whose session has no number or was wiped by a handler, perhaps
// during the load of its key: wipe the engine, because no session could name the key.
RARE int leave_wiped(aes_engine_device_t *device, const aes_engine_session_t *session, int status)
{
  if (session->device != device || (status == AES_ENGINE_OK && session->id != device->owner))
    status = AES_ENGINE_ERR_KEY;
  const int wiped = wipe(device);
#ifdef ENGINE_GUARDED
  if (wiped == AES_ENGINE_ERR_FAULT)
    status = wiped;
#endif
  return release(device, AES_ENGINE_FREE, status == AES_ENGINE_OK ? wiped : status);
}

int aes_engine_leave(aes_engine_device_t *device, aes_engine_session_t *session, int mode,
                     int status)
{
  const uint32_t owner = device->owner;
  uint32_t turn = AES_ENGINE_FREE;
  if (status != AES_ENGINE_OK || session->device != device || owner == 0 || session->id != owner)
    return leave_wiped(device, session, status);
  if (mode == AES_ENGINE_ECB && !device->wait && device->mark < LAST) {
    turn = device->mark;
    session->mark = turn;
    aes_engine_write(device->base, AES_ENGINE_WORD(OWNER), turn);
  }
  return release(device, turn, AES_ENGINE_OK);
}

__attribute__((cold)) int aes_engine_open(aes_engine_device_t *device, volatile uint32_t *base)
{
  device->turn = AES_ENGINE_FREE;
  device->mark = AES_ENGINE_FREE;
  device->owner = 0;
  device->drawn = AES_ENGINE_FREE;
  device->drawing = 0;
  device->forget = 0;
  device->caps = 0;
  device->base = base;
  device->wait = NULL;
  const uint32_t version = aes_engine_read(base, AES_ENGINE_WORD(ID));
  if (is_alert(version))
    return AES_ENGINE_ERR_FAULT;
  if (version != VERSION)
    return AES_ENGINE_ERR_ABSENT;
  const uint32_t caps = aes_engine_read(base, AES_ENGINE_WORD(CAPS));
  int status = wipe(device);
  if (status == AES_ENGINE_OK && !(caps & (AES_ENGINE__CAPS__ENC_bm | AES_ENGINE__CAPS__DEC_bm)))
    status = AES_ENGINE_ERR_REFUSED;
  if (status == AES_ENGINE_OK)
    device->caps = caps;
  return status;
}

// A new number. Returns 0 to a handler that interrupts this function, and after the last number.
static inline uint32_t draw(aes_engine_device_t *device)
{
  uint32_t id = 0;
  if (__builtin_expect(!device->drawing, 1)) {
    device->drawing = 1;
    const uint32_t drawn = device->drawn;
    if (__builtin_expect(drawn < LAST, 1)) {
      id = drawn + 1;
      device->drawn = id;
    }
    device->drawing = 0;
  }
  return id;
}

static void forget(aes_engine_session_t *session)
{
  volatile uint32_t *words = (volatile uint32_t *)(void *)session;
  for (size_t i = 0; i < sizeof *session / 4; i++)
    words[i] = 0;
}

static int mode_known(int mode, const uint8_t *iv)
{
  return mode >= AES_ENGINE_ECB && mode <= AES_ENGINE_CTR && (mode == AES_ENGINE_ECB || iv);
}

int aes_engine_start(aes_engine_session_t *session, aes_engine_device_t *device, int mode,
                     int encrypt, const uint8_t *key, unsigned key_bits, const uint8_t *iv)
{
  // Both directions of CTR encrypt the counter.
  const int encrypts = encrypt || mode == AES_ENGINE_CTR;
  uint32_t needs = encrypts ? AES_ENGINE__CAPS__ENC_bm : AES_ENGINE__CAPS__DEC_bm;
  if (key_bits == 192)
    needs |= AES_ENGINE__CAPS__KEY192_bm;
  else if (key_bits == 256)
    needs |= AES_ENGINE__CAPS__KEY256_bm;
  if ((key_bits != 128 && key_bits != 192 && key_bits != 256) ||
      (device->caps & needs) != needs || !mode_known(mode, iv)) {
    forget(session);
    return AES_ENGINE_ERR_UNSUPPORTED;
  }
  session->mark = 0;
  session->id = draw(device);
  session->device = device;
  session->mode = mode;
  session->encrypt = encrypts;
  session->key_words = key_bits / 32;
  session->control = (key_bits / 64 - 2) << AES_ENGINE__CTRL__KEY_LEN_bp;
  load_words(session->key, key, session->key_words);
  if (mode != AES_ENGINE_ECB)
    load_words(session->iv, iv, 4);
  return AES_ENGINE_OK;
}

// Load a key into an engine whose CTRL has its length. The session is the owner from the first word
// on, so that aes_engine_finish in a handler requests the wipe.
static int load(aes_engine_device_t *device, const aes_engine_session_t *session)
{
  const uint32_t ready = AES_ENGINE__STATUS__IDLE_bm | AES_ENGINE__STATUS__KEY_VALID_bm;
  volatile uint32_t *base = device->base;
  const uint32_t *key = session->key, *const last = key + session->key_words;
  device->owner = session->id;
  if (device->mark < LAST)
    device->mark++;
  for (size_t to = AES_ENGINE_WORD(KEY); key != last; to++)
    aes_engine_write(base, to, *key++);
  aes_engine_write(base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__KEY_bm);
  return poll(base, ready, ready);
}

// CTRL and the chaining value of a call.
static inline void configure(aes_engine_device_t *device, const aes_engine_session_t *session,
                             int mode, const uint32_t *chain)
{
  volatile uint32_t *base = device->base;
  const int encrypt = session->encrypt;
  aes_engine_write(base, AES_ENGINE_WORD(CTRL),
                   session->control | (device->wait ? 0u : AES_ENGINE__CTRL__HOLD_bm) |
                       (uint32_t)mode << (encrypt ? AES_ENGINE__CTRL__ENC_MODE_bp
                                                  : AES_ENGINE__CTRL__DEC_MODE_bp));
  if (mode != AES_ENGINE_ECB) {
    const size_t iv = encrypt ? AES_ENGINE_WORD(ENC_IV) : AES_ENGINE_WORD(DEC_IV);
    for (size_t i = 0; i < 4; i++)
      aes_engine_write(base, iv + i, chain[i]);
  }
}

// The session's key into an engine that is TAKEN. The wipe takes the number out of OWNER for good.
static __attribute__((noinline)) int enter_anew(aes_engine_device_t *device,
                                                aes_engine_session_t *session, int mode,
                                                const uint32_t *chain)
{
  int status = wipe(device);
  aes_engine_write(device->base, AES_ENGINE_WORD(OWNER), AES_ENGINE_FREE);
  if (status == AES_ENGINE_OK) {
    configure(device, session, mode, chain);
    status = load(device, session);
  }
  return status == AES_ENGINE_OK ? status : aes_engine_leave(device, session, mode, status);
}

// One call at a time. A block in the engine is from an interrupted direct call or from a call that
// failed, and so is an earlier refused access. The engine is then wiped, and the interrupted call
// repeats its block.
int aes_engine_enter(aes_engine_session_t *session, int mode, const uint32_t *chain)
{
  const uint32_t mask = AES_ENGINE__STATUS__IDLE_bm | AES_ENGINE__STATUS__ERROR_bm |
                        AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bm |
                        AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bm;
  aes_engine_device_t *device = session->device;
  if (device == NULL)
    return AES_ENGINE_ERR_KEY;
  if (device->turn == AES_ENGINE_TAKEN)
    return AES_ENGINE_ERR_BUSY;
  // An interrupt between the two lines uses the engine whole and leaves it; `owner` is read after.
  device->turn = AES_ENGINE_TAKEN;
  volatile uint32_t *base = device->base;
  const uint32_t now = aes_engine_read(base, AES_ENGINE_WORD(STATUS));
  // Without a key: reset from outside.
  if ((now & (mask | AES_ENGINE__STATUS__KEY_VALID_bm)) !=
      (AES_ENGINE__STATUS__IDLE_bm | AES_ENGINE__STATUS__KEY_VALID_bm))
    return enter_anew(device, session, mode, chain);
  aes_engine_write(base, AES_ENGINE_WORD(OWNER), AES_ENGINE_FREE);
  const uint32_t owner = device->owner;
  if (owner == 0 || owner != session->id)
    return enter_anew(device, session, mode, chain);
  configure(device, session, mode, chain);
  return AES_ENGINE_OK;
}

typedef char lengths_are_caps[AES_ENGINE__CAPS__KEY192_bm == 1 && AES_ENGINE__CAPS__KEY256_bm == 2
                                  ? 1
                                  : -1];

// The rare cases of a set-up: no number or mark is left, a handler finished the session, the device
// has a `wait`, or (not `answered`) the engine failed.
RARE int give_up(aes_engine_device_t *device,
                                             aes_engine_session_t *session, int answered)
{
  int status = AES_ENGINE_OK;
  if (!answered) {
    const uint32_t now = aes_engine_read(device->base, AES_ENGINE_WORD(STATUS));
    status = now & AES_ENGINE__STATUS__ERROR_bm ? AES_ENGINE_ERR_REFUSED : AES_ENGINE_ERR_TIMEOUT;
  }
  status = aes_engine_leave(device, session, AES_ENGINE_ECB, status);
  if (status != AES_ENGINE_OK)
    forget(session);
  return status;
}

int aes_engine_set_up(aes_engine_session_t *session, aes_engine_device_t *device, int encrypt,
                      const uint32_t *key, unsigned key_bits)
{
  const uint32_t idle = AES_ENGINE__STATUS__IDLE_bm, valid = AES_ENGINE__STATUS__KEY_VALID_bm;
  const uint32_t mask = idle | valid | AES_ENGINE__STATUS__ERROR_bm;
  const uint32_t length = key_bits / 64 - 2;
  const uint32_t needs = length | (encrypt ? AES_ENGINE__CAPS__ENC_bm : AES_ENGINE__CAPS__DEC_bm);
  // A handler may forget the session at any line: the number is written first and read again at the
  // end, so no other member is lost unnoticed.
  volatile aes_engine_session_t *const filled = session;
  if (key_bits % 64 != 0 || length > 2 || (device->caps & needs) != needs) {
    forget(session);
    return AES_ENGINE_ERR_UNSUPPORTED;
  }
  if (device->turn == AES_ENGINE_TAKEN) {
    forget(session);
    return AES_ENGINE_ERR_BUSY;
  }
  // As in aes_engine_enter. Whatever the engine holds, it is wiped, and OWNER is then 0.
  device->turn = AES_ENGINE_TAKEN;
  device->owner = 0;
  volatile uint32_t *base = device->base;
  aes_engine_write(base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__WIPE_bm);
  aes_engine_write(base, AES_ENGINE_WORD(ERROR),
                   AES_ENGINE__ERROR__ACCESS_bm | AES_ENGINE__ERROR__KEY_bm);

  // The wipe takes 16 or 33 cycles; fill the session meanwhile.
  const uint32_t id = draw(device);
  const uint32_t word0 = key[0], word1 = key[1], word2 = key[2], word3 = key[3];
  filled->id = id;
  filled->device = device;
  filled->mode = AES_ENGINE_ECB;
  filled->encrypt = encrypt;
  filled->control = length << AES_ENGINE__CTRL__KEY_LEN_bp;
  filled->key_words = 2 * length + 4;
  filled->key[0] = word0;
  filled->key[1] = word1;
  filled->key[2] = word2;
  filled->key[3] = word3;
  if (poll(base, mask, idle) != AES_ENGINE_OK)
    return give_up(device, session, 0);

  uint32_t mark = device->mark;
  device->owner = id;
  if (__builtin_expect(mark < LAST, 1))
    device->mark = ++mark;
  aes_engine_write(base, AES_ENGINE_WORD(CTRL),
                   length << AES_ENGINE__CTRL__KEY_LEN_bp |
                       (device->wait ? 0u : AES_ENGINE__CTRL__HOLD_bm));
  aes_engine_write(base, AES_ENGINE_WORD(KEY), word0);
  aes_engine_write(base, AES_ENGINE_WORD(KEY) + 1, word1);
  aes_engine_write(base, AES_ENGINE_WORD(KEY) + 2, word2);
  aes_engine_write(base, AES_ENGINE_WORD(KEY) + 3, word3);
  for (size_t i = 4; i < 2 * length + 4; i++) {
    const uint32_t word = key[i];
    filled->key[i] = word;
    aes_engine_write(base, AES_ENGINE_WORD(KEY) + i, word);
  }
  aes_engine_write(base, AES_ENGINE_WORD(TRIGGER), AES_ENGINE__TRIGGER__KEY_bm);

  filled->mark = mark;  // OWNER is 0: it matches nothing yet
  // STATUS.ERROR shows whether CTRL or a word of the key was refused.
  if (poll(base, mask, idle | valid) != AES_ENGINE_OK)
    return give_up(device, session, 0);
  // The number shows whether a handler forgot the session.
  if (__builtin_expect(id == 0 || filled->id != id || device->wait || mark == LAST, 0))
    return give_up(device, session, 1);
  aes_engine_write(base, AES_ENGINE_WORD(OWNER), mark);
  return release(device, mark, AES_ENGINE_OK);
}

static inline int await_result(aes_engine_device_t *device, volatile uint32_t *base,
                               void (*wait)(aes_engine_device_t *), uint32_t valid)
{
  if (!wait)
    return AES_ENGINE_OK;
  for (uint32_t i = 0; i < AES_ENGINE_WAITS; i++) {
    if (aes_engine_read(base, AES_ENGINE_WORD(STATUS)) & valid)
      return AES_ENGINE_OK;
    wait(device);
  }
  return AES_ENGINE_ERR_TIMEOUT;
}

// The direction is a constant in each call, so that the registers' addresses are.
static void give_words(volatile uint32_t *base, int encrypt, const uint32_t *words)
{
  if (encrypt)
    aes_engine_give(base, 1, words);
  else
    aes_engine_give(base, 0, words);
}

static void take_words(volatile uint32_t *base, int encrypt, uint32_t *words)
{
  if (encrypt)
    aes_engine_take(base, 1, words);
  else
    aes_engine_take(base, 0, words);
}

static void give(volatile uint32_t *base, int encrypt, const uint8_t *in, size_t nbytes)
{
  if (nbytes == 16 && aligned(in)) {
    give_words(base, encrypt, (const word_t *)(const void *)in);
    return;
  }
  uint32_t words[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < nbytes; i++)
    words[i / 4] |= (uint32_t)in[i] << (8 * (i % 4));
  give_words(base, encrypt, words);
  clean(words);
}

static void take(volatile uint32_t *base, int encrypt, uint8_t *out, size_t nbytes)
{
  if (nbytes == 16 && aligned(out)) {
    take_words(base, encrypt, (word_t *)(void *)out);
    return;
  }
  uint32_t words[4];
  take_words(base, encrypt, words);
  store_words(out, words, nbytes);
  clean(words);
}

static void direct(volatile uint32_t *base, int encrypt, const uint32_t *in, uint32_t *out,
                   size_t nblocks)
{
  if (encrypt)
    aes_engine_pass(base, 1, in, out, nblocks);
  else
    aes_engine_pass(base, 0, in, out, nblocks);
}

// Process bytes; the next block is written while the engine processes the last one.
static int pass(aes_engine_device_t *device, int encrypt, const uint8_t *in, uint8_t *out,
                size_t nbytes)
{
  const uint32_t valid = encrypt ? AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bm
                                 : AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bm;
  volatile uint32_t *const base = device->base;
  void (*const wait)(aes_engine_device_t *) = device->wait;
  size_t given = 0, taken = 0;
  if (!wait && nbytes >= 16 && aligned(in) && aligned(out)) {
    given = taken = nbytes / 16 * 16;
    direct(base, encrypt, (const uint32_t *)(const void *)in, (uint32_t *)(void *)out,
           nbytes / 16);
  }
  while (taken < nbytes) {
    if (given < nbytes) {
      const size_t size = nbytes - given < 16 ? nbytes - given : 16;
      give(base, encrypt, in + given, size);
      given += size;
      if (given < nbytes && given - taken <= 16)
        continue;
    }
    const size_t size = nbytes - taken < 16 ? nbytes - taken : 16;
    const int status = await_result(device, base, wait, valid);
    if (status != AES_ENGINE_OK)
      return status;
    take(base, encrypt, out + taken, size);
    taken += size;
  }
  return AES_ENGINE_OK;
}

// Whether everything that was given came out, nothing was refused, and no reset came in between:
// OWNER is still what it was at the beginning of the call.
static int settle(volatile uint32_t *base)
{
  for (uint32_t i = 0; i < AES_ENGINE_WAITS; i++) {
    if (aes_engine_read(base, AES_ENGINE_WORD(OWNER)) == AES_ENGINE_FREE)
      return AES_ENGINE_OK;
    if (aes_engine_read(base, AES_ENGINE_WORD(STATUS)) & AES_ENGINE__STATUS__ERROR_bm)
      return AES_ENGINE_ERR_REFUSED;
  }
  return AES_ENGINE_ERR_TIMEOUT;
}

int aes_engine_crypt(aes_engine_session_t *session, int mode, uint32_t *chain,
                     const uint8_t *in, uint8_t *out, size_t nbytes)
{
  aes_engine_device_t *device = session->device;
  const int encrypt = session->encrypt;
  uint32_t next[4];
  if (device == NULL)
    return AES_ENGINE_ERR_KEY;
  if (mode < AES_ENGINE_ECB || mode > AES_ENGINE_CTR || (mode == AES_ENGINE_CTR && !encrypt))
    return AES_ENGINE_ERR_UNSUPPORTED;
  if (nbytes % 16 != 0 && mode != AES_ENGINE_CTR)
    return AES_ENGINE_ERR_LENGTH;
  if (nbytes == 0)
    return AES_ENGINE_OK;
  int status = aes_engine_enter(session, mode, chain);
  if (status != AES_ENGINE_OK)
    return status;
  volatile uint32_t *base = device->base;
  status = pass(device, encrypt, in, out, nbytes);
  if (status == AES_ENGINE_OK)
    status = settle(base);
  // The caller keeps the chaining value: another session may use the engine next.
  if (status == AES_ENGINE_OK && mode != AES_ENGINE_ECB) {
    const size_t iv = encrypt ? AES_ENGINE_WORD(ENC_IV) : AES_ENGINE_WORD(DEC_IV);
    for (size_t i = 0; i < 4; i++)
      next[i] = aes_engine_read(base, iv + i);
    status = settle(base);
  }
  status = aes_engine_leave(device, session, mode, status);
  if (status == AES_ENGINE_OK && mode != AES_ENGINE_ECB)
    for (size_t i = 0; i < 4; i++)
      chain[i] = next[i];
  return status;
}

int aes_engine_update(aes_engine_session_t *session, const uint8_t *in, uint8_t *out,
                      size_t nbytes)
{
  return aes_engine_crypt(session, session->mode, session->iv, in, out, nbytes);
}

int aes_engine_load(aes_engine_session_t *session)
{
  aes_engine_device_t *device = session->device;
  const int mode = session->mode;
  int status = aes_engine_enter(session, mode, session->iv);
  if (status != AES_ENGINE_OK)
    return status;
  status = settle(device->base);
  return aes_engine_leave(device, session, mode, status);
}

int aes_engine_restart(aes_engine_session_t *session, int mode, const uint8_t *iv)
{
  if (session->device == NULL)
    return AES_ENGINE_ERR_KEY;
  if (!mode_known(mode, iv) || (mode == AES_ENGINE_CTR && !session->encrypt))
    return AES_ENGINE_ERR_UNSUPPORTED;
  session->mode = mode;
  if (mode != AES_ENGINE_ECB)
    load_words(session->iv, iv, 4);
  return AES_ENGINE_OK;
}

int aes_engine_blocks(aes_engine_session_t *session, const uint32_t *in, uint32_t *out,
                      size_t nblocks)
{
  aes_engine_device_t *device = session->device;
  const uint32_t mark = session->mark;
  const int encrypt = session->encrypt;  // now: a handler may wipe the session
  if (device == NULL)
    return AES_ENGINE_ERR_KEY;
  if (nblocks > SIZE_MAX / 16)
    return AES_ENGINE_ERR_LENGTH;
  if (device->turn != mark || nblocks == 0)
    return aes_engine_crypt(session, AES_ENGINE_ECB, NULL, (const uint8_t *)in, (uint8_t *)out,
                            nblocks * 16);
  // A handler between the two lines may have left the engine to another session.
  device->turn = AES_ENGINE_TAKEN;
  volatile uint32_t *base = device->base;
  if (aes_engine_read(base, AES_ENGINE_WORD(OWNER)) != mark) {
    (void)release(device, AES_ENGINE_FREE, AES_ENGINE_OK);
    return aes_engine_crypt(session, AES_ENGINE_ECB, NULL, (const uint8_t *)in, (uint8_t *)out,
                            nblocks * 16);
  }
  direct(base, encrypt, in, out, nblocks);
  if (aes_engine_read(base, AES_ENGINE_WORD(OWNER)) != mark)
    return aes_engine_leave(device, session, AES_ENGINE_ECB, AES_ENGINE_ERR_REFUSED);
  return release(device, mark, AES_ENGINE_OK);
}

int aes_engine_finish(aes_engine_session_t *session)
{
  aes_engine_device_t *device = session->device;
  const uint32_t id = session->id;
  int status = AES_ENGINE_OK;
  forget(session);
  if (device == NULL || id == 0 || device->owner != id)
    return AES_ENGINE_OK;
  if (device->turn == AES_ENGINE_TAKEN) {
    device->forget = 1;
    return AES_ENGINE_ERR_BUSY;
  }
  device->turn = AES_ENGINE_TAKEN;
  status = wipe(device);
  return release(device, AES_ENGINE_FREE, status);
}
