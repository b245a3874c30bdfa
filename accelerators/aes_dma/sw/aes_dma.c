// SPDX-License-Identifier: Apache-2.0
// Driver of the AES bus master; registers: registers.md. See aes_dma.h.
#include "aes_dma.h"
#include "aes_bytes.h"

#define VERSION 0x41454401u
#define ERRORS 0x3fu
#define EVENTS 15u

// For functions that are rare or have many callers. The frequent calls are leaves without a stack
// frame, or call only in tail position. RARE code is small and in a separate section, so that the
// frequent calls fit a small instruction cache.
#define APART static __attribute__((noinline))
#define RARE static __attribute__((noinline, cold))

static void copy(uint8_t *to, const uint8_t *from, size_t nbytes)
{
  for (size_t i = 0; i < nbytes; i++)
    to[i] = from[i];
}

__attribute__((noinline)) void aes_dma_forget(void *bytes, size_t nbytes)
{
  volatile uint8_t *at = bytes;
  for (; nbytes != 0 && ((uintptr_t)at & 3u) != 0; nbytes--)
    *at++ = 0;
  volatile word_t *words = (volatile word_t *)(volatile void *)at;
  for (; nbytes >= 4; nbytes -= 4)
    *words++ = 0;
  at = (volatile uint8_t *)words;
  for (; nbytes != 0; nbytes--)
    *at++ = 0;
}

APART void load_words(uint32_t *words, const uint8_t *bytes, size_t count)
{
  for (; count != 0; count--, bytes += 4)
    *words++ = WORD_OF_BYTES(bytes);
}

// Numbers of sessions, for all devices: a session from before aes_dma_open never has a new one's
// number. There are no atomics: a start that interrupts this function gets 0 while `drawing` is
// set, and so does everyone after the last number.
#ifndef AES_DMA_NUMBERS
#define AES_DMA_NUMBERS (AES_DMA_TAKEN - 1)
#endif

static volatile uint32_t drawn, drawing;

static uint32_t draw(void)
{
  if (drawing != 0 || drawn == AES_DMA_NUMBERS)
    return 0;
  drawing = 1;
  const uint32_t id = drawn + 1;
  drawn = id;
  drawing = 0;
  return id;
}

// The status of a call that failed and wiped the device: FAULT if an alert was the reason.
static inline __attribute__((always_inline)) int blame(int wiped, int status)
{
#ifdef MASTER_GUARDED
  return wiped == AES_DMA_ERR_FAULT ? wiped : status;
#else
  (void)wiped;
  return status;
#endif
}

// Wait until all bits of `mask` in STATUS are set.
static inline int poll(aes_dma_device_t *device, uint32_t mask)
{
  volatile uint32_t *const base = device->base;
  for (size_t left = AES_DMA_WAITS; left != 0; left--) {
    const uint32_t now = aes_dma_read(base, AES_DMA_WORD(STATUS));
    if (aes_dma_alert(now))
      return AES_DMA_ERR_FAULT;
    if ((now & mask) == mask)
      return AES_DMA_OK;
  }
  return AES_DMA_ERR_TIMEOUT;
}

// End a job, except for its status; cached lines of the output are stale.
static void job_ended(aes_dma_device_t *device)
{
  device->job = 0;
  if (device->invalidate)
    device->invalidate(device->out, device->nbytes);
}

// End every job and wipe keys; the device has no owner afterwards.
static inline int wipe_keys(aes_dma_device_t *device)
{
  volatile uint32_t *const base = device->base;
  // In this order: a key forgotten in between is no longer the owner's.
  device->owner = 0;
  device->doomed = 0;
  aes_dma_write(base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__WIPE_bm);
  const int status = poll(device, AES_DMA__STATUS__IDLE_bm);
  aes_dma_write(base, AES_DMA_WORD(ERROR), ERRORS);
  return status;
}

// The same where a job may be under way. It has no result then.
APART int wipe(aes_dma_device_t *device)
{
  const int status = wipe_keys(device);
  if (device->job != 0) {
    job_ended(device);
    aes_dma_forget(device->out, device->nbytes);
  }
  return status;
}

// The device for one call at a time. An interrupt between the first two lines uses it whole and
// leaves it.
static int claim(aes_dma_device_t *device, aes_dma_session_t *session, uint32_t id)
{
  if (device->turn == AES_DMA_TAKEN)
    return 0;
  device->turn = AES_DMA_TAKEN;
  device->user = id;
  device->session = session;
  return 1;
}

RARE void settle(aes_dma_device_t *device)
{
  while (device->doomed && claim(device, NULL, 0)) {
    (void)wipe(device);
    device->user = 0;
    device->turn = 0;
  }
}

// Give the device to whoever may go straight to it. A handler that forgot a key before that left
// the device to this call; one that comes later finds it free.
static inline void release(aes_dma_device_t *device, uint32_t turn)
{
  device->user = 0;
  device->session = NULL;
  device->turn = turn;
  if (device->doomed)
    settle(device);
}

// 1 if the session still holds the key with which the call began; a handler may have finished it.
static int holds(const aes_dma_device_t *device)
{
  const volatile aes_dma_session_t *session = device->session;
  return session->device == device && session->id == device->user;
}

// Leave a call whose session was finished or has no number: wipe the key, unless a job of another
// session is under way.
RARE int leave_wiped(aes_dma_device_t *device, int status)
{
  const int forgotten = !holds(device);
  if (forgotten || device->job == 0)
    (void)wipe(device);
  release(device, 0);
  return forgotten ? AES_DMA_ERR_KEY : status;
}

RARE int leave_doomed(aes_dma_device_t *device, int status)
{
  settle(device);
  return status;
}

static int leave(aes_dma_device_t *device, int status)
{
  const uint32_t id = device->user;
  uint32_t turn = 0;
  if (!holds(device) || id == 0)
    return leave_wiped(device, status);
  if (device->owner == id && device->job == 0 && !(device->control & AES_DMA__CTRL__MODE_bm) &&
      !device->wait && !device->flush && !device->invalidate)
    turn = id;
  device->user = 0;
  device->session = NULL;
  device->turn = turn;
  return device->doomed ? leave_doomed(device, status) : status;
}

// The device for a call of the session, or null: `refusal` says why. Device and number are read
// once. A handler may forget the session at any time: leave finds that.
static aes_dma_device_t *enter(aes_dma_session_t *session)
{
  aes_dma_device_t *device = session->device;
  return device != NULL && claim(device, session, session->id) ? device : NULL;
}

static int refusal(const aes_dma_session_t *session)
{
  return session->device == NULL ? AES_DMA_ERR_KEY : AES_DMA_ERR_BUSY;
}

__attribute__((cold)) int aes_dma_open(aes_dma_device_t *device, volatile uint32_t *base)
{
  device->turn = AES_DMA_TAKEN;
  device->base = base;
  device->owner = device->user = device->doomed = 0;
  device->job = device->jobs = 0;
  device->job_of = device->session = NULL;
  device->out = NULL;
  device->nbytes = 0;
  device->caps = device->control = 0;
  device->wait = NULL;
  device->flush = NULL;
  device->invalidate = NULL;
  const uint32_t version = aes_dma_read(base, AES_DMA_WORD(ID));
  int status = aes_dma_alert(version) ? AES_DMA_ERR_FAULT : AES_DMA_ERR_ABSENT;
  if (version == VERSION) {
    device->caps = aes_dma_read(base, AES_DMA_WORD(CAPS));
    status = wipe(device);
  }
  device->turn = 0;
  return status;
}

RARE int start_refused(aes_dma_session_t *session)
{
  aes_dma_forget(session, sizeof *session);
  return AES_DMA_ERR_UNSUPPORTED;
}

// The part of aes_dma_start for modes other than ECB and for unaligned keys.
RARE int start_bytes(aes_dma_session_t *session, const uint8_t *key, const uint8_t *iv)
{
  load_words(session->key, key, session->key_words);
  if (session->mode != AES_DMA_ECB)
    load_words(session->iv, iv, 4);
  return AES_DMA_OK;
}

int aes_dma_start(aes_dma_session_t *session, aes_dma_device_t *device, int mode, int encrypt,
                  const uint8_t *key, unsigned key_bits, const uint8_t *iv)
{
  const uint32_t caps = device->caps;
  const int backward = !encrypt && mode != AES_DMA_CTR;
  if (device->job != 0 && device->job_of == session)
    return AES_DMA_ERR_BUSY;
  if ((unsigned)mode > AES_DMA_CTR ||
      !(key_bits == 128 || (key_bits == 192 && caps & AES_DMA__CAPS__KEY192_bm) ||
        (key_bits == 256 && caps & AES_DMA__CAPS__KEY256_bm)) ||
      !(caps & (backward ? AES_DMA__CAPS__DEC_bm : AES_DMA__CAPS__ENC_bm)))
    return start_refused(session);
  session->device = device;
  session->id = draw();
  session->key_words = key_bits / 32;
  session->control = (key_bits / 64 - 2) << AES_DMA__CTRL__KEY_LEN_bp |
                     (uint32_t)mode << AES_DMA__CTRL__MODE_bp |
                     (uint32_t)backward << AES_DMA__CTRL__DECRYPT_bp;
  session->mode = mode;
  session->job = 0;
  session->done = 0;
  for (size_t i = 0; i < 4; i++)
    session->iv[i] = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (mode == AES_DMA_ECB && aligned(key)) {
    const word_t *from = (const word_t *)(const void *)key, *end = from + key_bits / 32;
    for (uint32_t *to = session->key; from != end; from += 2, to += 2) {
      const uint32_t first = from[0], second = from[1];
      to[0] = first;
      to[1] = second;
    }
    return AES_DMA_OK;
  }
#endif
  return start_bytes(session, key, iv);
}

// Load the session's key and mode into the device.
APART int own(aes_dma_device_t *device)
{
  const aes_dma_session_t *session = device->session;
  volatile uint32_t *const base = device->base;
  int status = wipe_keys(device);
  if (status != AES_DMA_OK)
    return status;
  const uint32_t control = session->control;
  device->control = control;
  aes_dma_write(base, AES_DMA_WORD(CTRL), control);
  const size_t words = session->key_words;
  for (size_t i = 0; i < words; i++)
    aes_dma_write(base, AES_DMA_WORD(KEY) + i, session->key[i]);
  aes_dma_write(base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__KEY_bm);
  status = poll(device, AES_DMA__STATUS__KEY_VALID_bm);
  // A reset after the first write would have left another mode.
  if (status == AES_DMA_OK && aes_dma_read(base, AES_DMA_WORD(CTRL)) != control)
    status = AES_DMA_ERR_REFUSED;
  if (status != AES_DMA_OK)
    status = blame(wipe(device), status);
  else
    device->owner = device->user;
  return status;
}

// The same, but keep a key that is already loaded. A copy of the session may have another mode.
static int load(aes_dma_device_t *device)
{
  if (device->user == 0 || device->owner != device->user)
    return own(device);
  if (device->control != device->session->control) {
    device->control = device->session->control;
    aes_dma_write(device->base, AES_DMA_WORD(CTRL), device->control);
  }
  return AES_DMA_OK;
}

// Is the job under way the session's? A copy from before it may end it where no chaining value is
// involved.
static int owns_job(const aes_dma_device_t *device, const aes_dma_session_t *session, uint32_t id)
{
  const int copied = id != 0 && id == device->owner && !(device->control & AES_DMA__CTRL__MODE_bm);
  return device->job != 0 && (session->job == device->job || copied);
}

// A call that changes or uses the device needs it without a job. A job that was ended elsewhere is
// reported once.
static int quiet(const aes_dma_device_t *device, aes_dma_session_t *session)
{
  if (device->job != 0)
    return AES_DMA_ERR_BUSY;
  if (session->job == 0)
    return AES_DMA_OK;
  session->job = 0;
  return AES_DMA_ERR_ABORTED;
}

// Add a number of blocks to a big-endian counter.
static void count(uint32_t *iv, uint32_t blocks)
{
  for (size_t i = 4; i-- > 0 && blocks != 0;) {
    const uint32_t before = __builtin_bswap32(iv[i]), after = before + blocks;
    iv[i] = __builtin_bswap32(after);
    blocks = after < before;
  }
}

// Status of a job that failed.
RARE int judge(aes_dma_device_t *device)
{
  volatile uint32_t *const base = device->base;
  const uint32_t errors = aes_dma_read(base, AES_DMA_WORD(ERROR));
  device->session->done = aes_dma_read(base, AES_DMA_WORD(FRONT));
  if (errors == AES_DMA__ERROR__ABORTED_bm) {
    job_ended(device);
    aes_dma_write(base, AES_DMA_WORD(ERROR), ERRORS);
    return AES_DMA_ERR_ABORTED;
  }
  return blame(wipe(device), errors & (AES_DMA__ERROR__READ_bm | AES_DMA__ERROR__WRITE_bm)
                                 ? AES_DMA_ERR_BUS
                                 : AES_DMA_ERR_REFUSED);
}

RARE int late(aes_dma_device_t *device)
{
  return blame(wipe(device), AES_DMA_ERR_TIMEOUT);
}

// Read the chaining value after a job that succeeded. A refused read is an error too, and a device
// that was reset has no key.
APART int chain(aes_dma_device_t *device)
{
  aes_dma_session_t *session = device->session;
  volatile uint32_t *const base = device->base;
  uint32_t next[4];
  for (size_t i = 0; i < 4; i++)
    next[i] = session->mode == AES_DMA_CBC ? aes_dma_read(base, AES_DMA_WORD(IV) + i)
                                           : session->iv[i];
  if (!aes_dma_well(aes_dma_read(base, AES_DMA_WORD(STATUS))))
    return judge(device);
  job_ended(device);
  if (session->mode == AES_DMA_CTR)
    count(next, (uint32_t)((device->nbytes + 15) / 16));
  for (size_t i = 0; i < 4; i++)
    session->iv[i] = next[i];
  return AES_DMA_OK;
}

// Wait for the end of the session's job.
static int end(aes_dma_device_t *device)
{
  volatile uint32_t *const base = device->base;
  aes_dma_session_t *session = device->session;
  size_t left = AES_DMA_WAITS + device->nbytes / 16;
  uint32_t status;
  session->job = 0;
  while ((status = aes_dma_read(base, AES_DMA_WORD(STATUS))) & AES_DMA__STATUS__ACTIVE_bm) {
    if (--left == 0 || aes_dma_alert(status))
      return late(device);
    if (device->wait)
      device->wait(device);
  }
  if (session->mode != AES_DMA_ECB)
    return chain(device);
  if (!aes_dma_ended_well(base, status))
    return judge(device);
  job_ended(device);
  return AES_DMA_OK;
}

APART int join(aes_dma_device_t *device)
{
  aes_dma_session_t *session = device->session;
  if (owns_job(device, session, device->user))
    return end(device);
  const int lost = session->job != 0;
  session->job = 0;
  return lost ? AES_DMA_ERR_ABORTED : device->job != 0 ? AES_DMA_ERR_BUSY : AES_DMA_OK;
}

// One job on aligned buffers, the session's key and mode being in the device.
APART int run(aes_dma_device_t *device, const void *in, void *out, size_t nbytes)
{
  aes_dma_session_t *session = device->session;
  volatile uint32_t *const base = device->base;
  if (session->mode != AES_DMA_ECB)
    for (size_t i = 0; i < 4; i++)
      aes_dma_write(base, AES_DMA_WORD(IV) + i, session->iv[i]);
  aes_dma_write(base, AES_DMA_WORD(SRC), aes_dma_address(in));
  aes_dma_write(base, AES_DMA_WORD(DST), aes_dma_address(out));
  aes_dma_write(base, AES_DMA_WORD(LENGTH), (uint32_t)nbytes);
  if (device->flush) {
    device->flush(in, nbytes);
    device->flush(out, nbytes);
  }
  aes_dma_write(base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__START_bm);
  device->out = out;
  device->nbytes = nbytes;
  device->job_of = session;
  device->jobs += device->jobs == UINT32_MAX ? 2u : 1u;  // never 0
  device->job = device->jobs;
  // When this read returns the job has begun, even if the read reports an error.
  if (aes_dma_read(base, AES_DMA_WORD(ERROR)) &
      (AES_DMA__ERROR__JOB_bm | AES_DMA__ERROR__ACCESS_bm))
    return blame(wipe(device), AES_DMA_ERR_REFUSED);
  session->job = device->jobs;
  // Drop lines from before START; a line fetched from now on waits for its block.
  if (device->invalidate)
    device->invalidate(out, nbytes);
  return AES_DMA_OK;
}

// Copy piece by piece through the buffer in aes_dma_device_t.
RARE int bounce(aes_dma_device_t *device, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  uint32_t *words = device->bounce;
  int status = AES_DMA_OK;
  size_t at = 0;
  for (; at < nbytes && status == AES_DMA_OK; at += AES_DMA_BOUNCE) {
    const size_t size = nbytes - at < AES_DMA_BOUNCE ? nbytes - at : AES_DMA_BOUNCE;
    copy((uint8_t *)words, in + at, size);
    status = run(device, words, words, size);
    if (status == AES_DMA_OK)
      status = join(device);
    if (status == AES_DMA_OK)
      copy(out + at, (const uint8_t *)words, size);
  }
  aes_dma_forget(words, AES_DMA_BOUNCE);
  if (status != AES_DMA_OK)
    aes_dma_forget(out, nbytes);
  return status;
}

static int submit(aes_dma_device_t *device, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  if (nbytes == 0)
    return AES_DMA_OK;
  const int in_words = (((uintptr_t)in | (uintptr_t)out) & 3u) == 0;
  // Output would overwrite input that was not read yet.
  if (in != out && in < out + nbytes && out < in + nbytes)
    return AES_DMA_ERR_REFUSED;
  const int status = load(device);
  if (status != AES_DMA_OK)
    return status;
  return in_words ? run(device, in, out, nbytes) : bounce(device, in, out, nbytes);
}

// The session's key in a device with nothing under way.
static inline int load_quiet(aes_dma_device_t *device, aes_dma_session_t *session)
{
  const int status = quiet(device, session);
  return status == AES_DMA_OK ? load(device) : status;
}

int aes_dma_load(aes_dma_session_t *session)
{
  aes_dma_device_t *device = enter(session);
  return device == NULL ? refusal(session) : leave(device, load_quiet(device, session));
}

// Begin another message, unless a handler finished the session and perhaps started it again.
APART int begin(const aes_dma_device_t *device, aes_dma_session_t *session, int mode,
                const uint8_t *iv)
{
  const int backward = (session->control & AES_DMA__CTRL__DECRYPT_bm) != 0;
  if (!holds(device))
    return AES_DMA_ERR_KEY;
  if (mode < AES_DMA_ECB || mode > AES_DMA_CTR || (backward && mode == AES_DMA_CTR))
    return AES_DMA_ERR_UNSUPPORTED;
  session->mode = mode;
  session->control = (session->control & ~(uint32_t)AES_DMA__CTRL__MODE_bm) |
                     (uint32_t)mode << AES_DMA__CTRL__MODE_bp;
  if (mode != AES_DMA_ECB)
    load_words(session->iv, iv, 4);
  return AES_DMA_OK;
}

int aes_dma_restart(aes_dma_session_t *session, int mode, const uint8_t *iv)
{
  aes_dma_device_t *device = enter(session);
  if (device == NULL)
    return refusal(session);
  int status = quiet(device, session);
  if (status == AES_DMA_OK)
    status = begin(device, session, mode, iv);
  return leave(device, status);
}

static int length_allowed(int mode, size_t nbytes)
{
  return (nbytes % 16 == 0 || mode == AES_DMA_CTR) && nbytes <= UINT32_MAX - 15u;
}

int aes_dma_submit(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  aes_dma_device_t *device = enter(session);
  if (device == NULL)
    return refusal(session);
  int status = quiet(device, session);
  if (status == AES_DMA_OK && !length_allowed(session->mode, nbytes))
    status = AES_DMA_ERR_LENGTH;
  if (status == AES_DMA_OK)
    status = submit(device, in, out, nbytes);
  return leave(device, status);
}

int aes_dma_running(const aes_dma_session_t *session)
{
  const aes_dma_device_t *device = session->device;
  if (device == NULL || !owns_job(device, session, session->id))
    return 0;
  const uint32_t now = aes_dma_read(device->base, AES_DMA_WORD(STATUS));
  return (now & AES_DMA__STATUS__ACTIVE_bm) != 0 && !aes_dma_alert(now);
}

int aes_dma_wait(aes_dma_session_t *session)
{
  aes_dma_device_t *device = enter(session);
  if (device == NULL)
    return refusal(session);
  const int mine = owns_job(device, session, device->user);
  const int joined = join(device);
  uint8_t *out = device->out;
  const size_t nbytes = device->nbytes;
  const int status = leave(device, joined);
  // Forgotten meanwhile.
  if (mine && status != joined)
    aes_dma_forget(out, nbytes);
  return status;
}

int aes_dma_abort(aes_dma_session_t *session)
{
  aes_dma_device_t *device = enter(session);
  if (device == NULL)
    return refusal(session);
  if (owns_job(device, session, device->user))
    aes_dma_write(device->base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__ABORT_bm);
  return leave(device, join(device));
}

int aes_dma_update(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  const int status = aes_dma_submit(session, in, out, nbytes);
  return status == AES_DMA_OK ? aes_dma_wait(session) : status;
}

static void store_iv(uint8_t *bytes, const uint32_t *words)
{
  for (size_t i = 0; i < 4; i++, bytes += 4)
    WORD_TO_BYTES(bytes, words[i]);
}

// Leave a call that ended a job: zero the output if the session was finished meanwhile.
static int leave_whole(aes_dma_device_t *device, int status, uint8_t *out, size_t nbytes)
{
  const int left = leave(device, status);
  if (left != status)
    aes_dma_forget(out, nbytes);
  return left;
}

APART int leave_chained(aes_dma_device_t *device, int status, uint8_t *iv, uint8_t *out,
                        size_t nbytes)
{
  uint32_t next[4];
  for (size_t i = 0; i < 4; i++)
    next[i] = device->session->iv[i];
  status = leave_whole(device, status, out, nbytes);
  if (status == AES_DMA_OK)
    store_iv(iv, next);
  return status;
}

int aes_dma_message(aes_dma_session_t *session, int mode, uint8_t *iv, const uint8_t *in,
                    uint8_t *out, size_t nbytes)
{
  aes_dma_device_t *device = enter(session);
  if (device == NULL)
    return refusal(session);
  int status = quiet(device, session);
  if (status == AES_DMA_OK && !length_allowed(mode, nbytes))
    status = AES_DMA_ERR_LENGTH;
  if (status == AES_DMA_OK && (mode != AES_DMA_ECB || session->mode != mode))
    status = begin(device, session, mode, iv);
  if (status != AES_DMA_OK)
    return leave(device, status);
  status = submit(device, in, out, nbytes);
  if (status == AES_DMA_OK && device->job != 0)
    status = end(device);
  return mode != AES_DMA_ECB ? leave_chained(device, status, iv, out, nbytes)
                             : leave_whole(device, status, out, nbytes);
}

int aes_dma_rest(aes_dma_device_t *device, aes_dma_session_t *session, const uint8_t *in,
                 uint8_t *out, size_t nbytes, int why)
{
  if (why == AES_DMA_ERR_BUSY)
    return aes_dma_message(session, AES_DMA_ECB, NULL, in, out, nbytes);
  if (why == AES_DMA_DOOMED) {
    release(device, 0);
    return AES_DMA_OK;
  }
  // The device is still this call's.
  const uint32_t bus = AES_DMA__ERROR__READ_bm | AES_DMA__ERROR__WRITE_bm;
  if (aes_dma_read(device->base, AES_DMA_WORD(ERROR)) & bus)
    why = AES_DMA_ERR_BUS;
  why = blame(wipe(device), why);
  aes_dma_forget(out, nbytes);
  release(device, 0);
  return why;
}

int aes_dma_finish(aes_dma_session_t *session)
{
  const uint32_t id = session->id;
  aes_dma_device_t *device = session->device;
  if (device == NULL) {
    aes_dma_forget(session, sizeof *session);
    return AES_DMA_ERR_KEY;
  }
  if (!claim(device, session, id)) {
    // Whose the key in the device is by the end of the call under way: its owner's or user's.
    const int known = id != 0 && (id == device->owner || id == device->user);
    if (device->job != 0 ? owns_job(device, session, id) : known || session == device->session)
      device->doomed = 1;
    aes_dma_forget(session, sizeof *session);
    return AES_DMA_ERR_BUSY;
  }
  int status = join(device);
  if (status == AES_DMA_ERR_BUSY)
    status = AES_DMA_OK;  // the job of another session
  if (id != 0 ? device->owner == id : device->job == 0) {
    const int wiped = wipe(device);
    status = status == AES_DMA_OK ? wiped : status;
  }
  aes_dma_forget(session, sizeof *session);
  release(device, 0);
  return status;
}

int aes_dma_reset(aes_dma_device_t *device)
{
  if (!claim(device, NULL, 0))
    return AES_DMA_ERR_BUSY;
  const int status = wipe(device);
  release(device, 0);
  return status;
}

int aes_dma_hold(aes_dma_session_t *session)
{
  aes_dma_device_t *device = enter(session);
  if (device == NULL)
    return refusal(session);
  const int status = load_quiet(device, session);
  return status == AES_DMA_OK ? status : leave(device, status);
}

int aes_dma_release(aes_dma_device_t *device, int status, int well)
{
  if (well)
    aes_dma_write(device->base, AES_DMA_WORD(CTRL), device->control);
  else
    status = blame(wipe(device), status);
  return leave(device, status);
}

uint32_t aes_dma_acknowledge(const aes_dma_device_t *device)
{
  const uint32_t events = aes_dma_read(device->base, AES_DMA_WORD(INTR_STATE));
  // The line of an alert stays until it is disabled.
  if (aes_dma_alert(events))
    aes_dma_write(device->base, AES_DMA_WORD(INTR_ENABLE), 0);
  aes_dma_write(device->base, AES_DMA_WORD(INTR_STATE), events);
  return events;
}

void aes_dma_interrupts(const aes_dma_device_t *device, int enable)
{
  const uint32_t chosen = AES_DMA__INTR_ENABLE__DONE_bm | AES_DMA__INTR_ENABLE__ERROR_bm;
  aes_dma_write(device->base, AES_DMA_WORD(INTR_STATE), EVENTS);
  aes_dma_write(device->base, AES_DMA_WORD(INTR_ENABLE), enable ? chosen : 0u);
}
