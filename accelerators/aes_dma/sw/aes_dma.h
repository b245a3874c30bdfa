// SPDX-License-Identifier: Apache-2.0
// Driver of the AES bus master: sessions under one owner, any alignment, bounded waits.
//
// Sessions. A session holds a key and a chaining value. The driver identifies it by a number
// that is new in each aes_dma_start, never by its address: a session without a job may be copied,
// assigned, wiped and freed like any object. Wiping or freeing its memory leaves the key in the
// device until another key is loaded; aes_dma_finish and aes_dma_reset wipe it there too. A session
// of zeros holds no key: every call refuses it with AES_DMA_ERR_KEY.
//
// Jobs. aes_dma_submit starts a job and returns while it runs. The caller may read and write the
// buffers at once and sees them processed. aes_dma_wait ends the job. One job runs at a time:
// until its end, start (for the session of the job), load, restart, submit, update, message,
// region and GCM return AES_DMA_ERR_BUSY and change nothing, for the session of the job as for all
// others; so do wait and abort of another session. finish of another session leaves the job
// running; aes_dma_reset ends every job. The session of a job must stay at its address until the
// job's end. A copy made during the job may end the job instead. So may an earlier copy in ECB; in
// CBC and CTR it gets AES_DMA_ERR_BUSY. The copy then has the new chaining value, and the next call
// of the original returns AES_DMA_ERR_ABORTED once. So does that of a session whose job was
// ended by aes_dma_reset or by finish of a copy.
//
// Errors. A job that fails (TIMEOUT, BUS, REFUSED, FAULT) leaves zeros in its output, and the keys
// in the device are wiped; sessions keep their own copy. A call that is refused before its job
// began (BUSY, KEY, LENGTH, UNSUPPORTED, REFUSED) leaves the output unchanged. A message of CBC or
// CTR cannot continue after an error.
//
// Interrupts. A handler may call everything, on its own sessions: it gets AES_DMA_ERR_BUSY if the
// call that it interrupts is using the device. If it finishes a session (aes_dma_finish) whose key
// the interrupted call has in the device, the memory is wiped at once and the device when that call
// returns. A call whose own session was finished returns AES_DMA_ERR_KEY and leaves zeros.
// Threads that preempt each other need a lock around every call.
//
// Buffers that are not word-aligned are copied piece by piece through a buffer in
// aes_dma_device_t; submit then returns when all pieces are done. Buffers are equal or disjoint.
//
// On a core with a write-through data cache set `invalidate`, which drops the lines of the given
// bytes. The driver calls it after START, so that every later access waits for its block, and again
// after the end. A write-back cache also needs `flush` (write dirty lines to memory), which is
// called before START; then do not access the buffers until the end. Buffers should begin and end
// at cache lines.
#ifndef AES_DMA_H
#define AES_DMA_H

#include <stddef.h>
#include <stdint.h>

#include "aes_dma_regs.h"

#define AES_DMA_OK 0
#define AES_DMA_ERR_ABSENT (-1)       // no bus master of this version at the address
#define AES_DMA_ERR_UNSUPPORTED (-2)  // the instance lacks the key size, mode or direction
#define AES_DMA_ERR_LENGTH (-3)       // not whole blocks where required, or too long
#define AES_DMA_ERR_BUSY (-4)         // a call that this one interrupts, or a job, is under way
#define AES_DMA_ERR_TIMEOUT (-5)      // no end in time; the job was aborted
#define AES_DMA_ERR_REFUSED (-6)      // the device refused: buffers that overlap in part
#define AES_DMA_ERR_BUS (-7)          // a bus error; keys were wiped
#define AES_DMA_ERR_ABORTED (-8)      // by aes_dma_abort, a reset or a copy of the session
#define AES_DMA_ERR_KEY (-10)         // the session holds no key: never started, or forgotten
#define AES_DMA_ERR_FAULT (-11)       // a guarded bus master found a flipped bit; reset it

#define AES_DMA_BOUNCE 256u  // bytes of the buffer for unaligned data

enum { AES_DMA_ECB = 0, AES_DMA_CBC = 1, AES_DMA_CTR = 2 };

#define AES_DMA_TAKEN UINT32_MAX  // of `turn`: a call is under way; never a session's number

struct aes_dma_session;

// Members that every call reads are first, to share few cache lines.
typedef struct aes_dma_device {
  volatile uint32_t *base;
  // Numbers of sessions, 0 for none. owner: its key is in the device; turn: it may access the
  // registers directly (aes_dma_region), or AES_DMA_TAKEN; user: it makes the call under way.
  volatile uint32_t owner, turn, user;
  struct aes_dma_session *volatile session;  // of that call
  volatile uint32_t doomed;  // a handler forgot the key: to be wiped when the call returns
  // The job that may be under way: its number, or 0; its output; the last number. The address of
  // its session only serves to refuse a start there.
  volatile uint32_t job;
  size_t nbytes;
  uint8_t *out;
  uint32_t jobs;
  const void *job_of;
  uint32_t control;  // what CTRL holds, while there is an owner
  uint32_t caps;
  // Optional. Called repeatedly until a job ends, at most AES_DMA_WAITS times plus once for each
  // block; it may sleep until an interrupt. Null: the driver polls STATUS.
  void (*wait)(struct aes_dma_device *device);
  void (*flush)(const void *bytes, size_t nbytes);
  void (*invalidate)(const void *bytes, size_t nbytes);
  uint32_t bounce[AES_DMA_BOUNCE / 4];
} aes_dma_device_t;

typedef struct aes_dma_session {
  aes_dma_device_t *device;
  uint32_t id;  // 0: numbers are used up, and each call loads the key
  int mode;
  uint32_t job;      // number of its job until aes_dma_wait, or 0
  uint32_t control;  // CTRL
  uint32_t key_words;
  size_t done;  // if the last job was aborted: its contiguous finished blocks from the beginning
  uint32_t key[8];
  uint32_t iv[4];
} aes_dma_session_t;

// Find a bus master at an address and wipe it. Earlier sessions of this device become invalid.
int aes_dma_open(aes_dma_device_t *device, volatile uint32_t *base);

// Begin a message; `iv` (16 bytes) is the IV of CBC or the first counter of CTR, null for ECB.
// Unless AES_DMA_OK, the session holds no key; AES_DMA_ERR_BUSY leaves it unchanged.
int aes_dma_start(aes_dma_session_t *session, aes_dma_device_t *device, int mode, int encrypt,
                  const uint8_t *key, unsigned key_bits, const uint8_t *iv);

// Put the session's key into the device now instead of with the first piece.
int aes_dma_load(aes_dma_session_t *session);

// Begin another message under the session's key, in any mode; `iv` as above. Unless AES_DMA_OK, the
// session is unchanged.
int aes_dma_restart(aes_dma_session_t *session, int mode, const uint8_t *iv);

// Start the next piece of the message. Whole blocks, except the last piece in CTR.
int aes_dma_submit(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes);

// 1 while the session's job runs, else 0.
int aes_dma_running(const aes_dma_session_t *session);

// Wait for the end of the session's job, if there is one.
int aes_dma_wait(aes_dma_session_t *session);

// End the session's job early. AES_DMA_OK if it was complete; AES_DMA_ERR_ABORTED otherwise, and
// the message cannot continue.
int aes_dma_abort(aes_dma_session_t *session);

// Submit and wait.
int aes_dma_update(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes);

// Restart, submit and wait in one call, for a message or a piece of one. `iv` becomes the chaining
// value for the next piece.
int aes_dma_message(aes_dma_session_t *session, int mode, uint8_t *iv, const uint8_t *in,
                    uint8_t *out, size_t nbytes);

// Wait for the session's job, wipe the session, and wipe the device if it holds the session's key.
// The session becomes zero in every case. AES_DMA_ERR_BUSY: the device is wiped when the
// interrupted call returns.
int aes_dma_finish(aes_dma_session_t *session);

// End every job and wipe the keys in the device; sessions keep their own copy. The output of a job
// that this call ends becomes zero.
int aes_dma_reset(aes_dma_device_t *device);

// For code that accesses the registers directly (aes_dma_gcm.c): the device, with the session's key
// in it, from hold to release. Call release only after AES_DMA_OK of hold. `well`: the device is
// idle and its key valid, otherwise release wipes it. Release returns `status`, or AES_DMA_ERR_KEY
// if the session was finished meanwhile.
int aes_dma_hold(aes_dma_session_t *session);
int aes_dma_release(aes_dma_device_t *device, int status, int well);

// Overwrite bytes with zeros.
void aes_dma_forget(void *bytes, size_t nbytes);

// Clear the interrupt line; call it from the handler. Returns the events (INTR_STATE).
uint32_t aes_dma_acknowledge(const aes_dma_device_t *device);

// Enable or disable the interrupt line for the end of a job and for errors.
void aes_dma_interrupts(const aes_dma_device_t *device, int enable);

// Registers ---------------------------------------------------------------------------------------

// Bound of every wait, in polls or calls of `wait`; a job adds one for each block.
#ifndef AES_DMA_WAITS
#define AES_DMA_WAITS 10000u
#endif

#define AES_DMA_WORD(name) (offsetof(aes_dma_t, name) / 4u)

// Tests replace the device by a model.
#ifdef AES_DMA_MODEL
uint32_t aes_dma_read(volatile uint32_t *base, size_t word);
void aes_dma_write(volatile uint32_t *base, size_t word, uint32_t value);
uint32_t aes_dma_address(const void *bytes);
#else
static inline uint32_t aes_dma_read(volatile uint32_t *base, size_t word)
{
  return base[word];
}

static inline void aes_dma_write(volatile uint32_t *base, size_t word, uint32_t value)
{
  base[word] = value;
}

static inline uint32_t aes_dma_address(const void *bytes)
{
  return (uint32_t)(uintptr_t)bytes;
}
#endif

// What a guarded bus master (compile with MASTER_GUARDED) returns for every read after an alert.
#define AES_DMA_ALERT 0xffffffffu

// 1 after an alert; `word` is any register's. Nothing of it is compiled without MASTER_GUARDED.
static inline __attribute__((always_inline)) int aes_dma_alert(uint32_t word)
{
#ifdef MASTER_GUARDED
  return word == AES_DMA_ALERT;
#else
  (void)word;
  return 0;
#endif
}

// 1 if STATUS shows no error and a valid key.
static inline int aes_dma_well(uint32_t status)
{
  return (status & (AES_DMA__STATUS__ERROR_bm | AES_DMA__STATUS__KEY_VALID_bm)) ==
         AES_DMA__STATUS__KEY_VALID_bm;
}

// The same of a STATUS that ended a wait. The bit that ended it may be the one that was flipped: a
// guarded bus master is read once more, and has raised its alert by then.
static inline __attribute__((always_inline)) int aes_dma_ended_well(volatile uint32_t *base,
                                                                   uint32_t status)
{
#ifdef MASTER_GUARDED
  return aes_dma_well(status) && aes_dma_well(aes_dma_read(base, AES_DMA_WORD(STATUS)));
#else
  (void)base;
  return aes_dma_well(status);
#endif
}

// The rare cases of aes_dma_direct. Unless that returned AES_DMA_OK, this call must follow.
int aes_dma_rest(aes_dma_device_t *device, aes_dma_session_t *session, const uint8_t *in,
                 uint8_t *out, size_t nbytes, int why);

#define AES_DMA_DOOMED 1  // of aes_dma_direct: done, and aes_dma_rest wipes the device

// The short path of aes_dma_region, if it is the session's turn: it used the device last, in ECB,
// without `wait`, `flush` and `invalidate`. It calls no function, so that a caller needs no stack.
// The number is read again after the claim, because an interrupt between the two lines may have
// loaded another key.
static inline int aes_dma_direct(aes_dma_device_t *device, volatile uint32_t *base,
                                 const aes_dma_session_t *session, const uint8_t *in, uint8_t *out,
                                 size_t nbytes)
{
  const uint32_t id = session->id, turn = device->turn;
  if (((uintptr_t)in | (uintptr_t)out | nbytes) & 3u || nbytes == 0 || id == 0 || turn != id)
    return AES_DMA_ERR_BUSY;
  device->turn = AES_DMA_TAKEN;
  if (device->owner != id) {
    device->turn = 0;
    return AES_DMA_ERR_BUSY;
  }
  aes_dma_write(base, AES_DMA_WORD(SRC), aes_dma_address(in));
  aes_dma_write(base, AES_DMA_WORD(DST), aes_dma_address(out));
  aes_dma_write(base, AES_DMA_WORD(LENGTH), (uint32_t)nbytes);
  aes_dma_write(base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__START_bm);
  // A poll takes at least one cycle. Sixteen polls a block are twice the time that it takes.
  size_t left = AES_DMA_WAITS + nbytes;
  uint32_t status = aes_dma_read(base, AES_DMA_WORD(STATUS));
  for (; status & AES_DMA__STATUS__ACTIVE_bm; status = aes_dma_read(base, AES_DMA_WORD(STATUS)))
    if (__builtin_expect(--left == 0, 0) || aes_dma_alert(status))
      return AES_DMA_ERR_TIMEOUT;
  // ERROR of a job is valid before ACTIVE falls. A device that was reset has no key.
  if (!aes_dma_ended_well(base, status))
    return AES_DMA_ERR_REFUSED;
  device->turn = id;
  return device->doomed ? AES_DMA_DOOMED : AES_DMA_OK;
}

// A whole region in ECB, whatever the session's mode, awaited by polling: a fifth of the
// instructions of aes_dma_message in the usual case.
static inline int aes_dma_region(aes_dma_device_t *device, volatile uint32_t *base,
                                 aes_dma_session_t *session, const uint8_t *in, uint8_t *out,
                                 size_t nbytes)
{
  const int status = aes_dma_direct(device, base, session, in, out, nbytes);
  return status == AES_DMA_OK ? status : aes_dma_rest(device, session, in, out, nbytes, status);
}

#endif
