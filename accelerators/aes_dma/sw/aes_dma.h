// SPDX-License-Identifier: Apache-2.0
// Driver of the AES bus master: sessions under one owner, any alignment, bounded waits.
//
// A session holds its own key and chaining value. aes_dma_submit starts a job and comes back while
// it runs; from then on the caller may read and write the buffers, and finds them processed.
// aes_dma_wait ends it; the next submit does so too. One job runs at a time: while it does, calls
// of other sessions get AES_DMA_ERR_BUSY, as does a call inside a call (from an interrupt handler).
// After a bus error or a time-out the keys in the device are wiped; sessions go on with their own
// copy.
//
// Buffers that are not aligned to words go through a buffer of the device, piece by piece; submit
// comes back when that is done. Buffers are equal or apart.
//
// On a core with a data cache that writes through set `invalidate` (forget the lines of these
// bytes): it is called behind START, so that nothing older is left and every later access waits for
// its block, and again behind the end. One that writes back needs `flush` too (write dirty lines to
// memory), called before START; then leave the buffers alone until the end. Buffers should begin
// and end at cache lines.
#ifndef AES_DMA_H
#define AES_DMA_H

#include <stddef.h>
#include <stdint.h>

#include "aes_dma_regs.h"

#define AES_DMA_OK 0
#define AES_DMA_ERR_ABSENT (-1)       // no bus master of this version at the address
#define AES_DMA_ERR_UNSUPPORTED (-2)  // the instance lacks the key size, mode or direction
#define AES_DMA_ERR_LENGTH (-3)       // not whole blocks where they are due, or too long
#define AES_DMA_ERR_BUSY (-4)         // another call or another session's job is under way
#define AES_DMA_ERR_TIMEOUT (-5)      // no end in time; the job was aborted
#define AES_DMA_ERR_REFUSED (-6)      // the device refused: buffers that overlap in part
#define AES_DMA_ERR_BUS (-7)          // a bus error; keys were wiped
#define AES_DMA_ERR_ABORTED (-8)      // by aes_dma_abort; `done` blocks had been processed

#define AES_DMA_BOUNCE 256u  // bytes of the buffer for what is not aligned

enum { AES_DMA_ECB = 0, AES_DMA_CBC = 1, AES_DMA_CTR = 2 };

struct aes_dma_session;

typedef struct aes_dma_device {
  volatile uint32_t *base;
  uint32_t caps;
  struct aes_dma_session *volatile owner;   // whose key is in the device
  struct aes_dma_session *volatile active;  // whose job may be under way
  // Who may go straight to the registers (aes_dma_region), or null; the device itself while a call
  // is under way.
  const void *volatile turn;
  // Called again and again while the end of a job is due, at most AES_DMA_WAITS times and once for
  // each block: to sleep until an interrupt, say. Null: STATUS is read instead.
  void (*wait)(struct aes_dma_device *device);
  void (*flush)(const void *bytes, size_t nbytes);
  void (*invalidate)(const void *bytes, size_t nbytes);
  uint32_t bounce[AES_DMA_BOUNCE / 4];
} aes_dma_device_t;

typedef struct aes_dma_session {
  aes_dma_device_t *device;
  uint32_t key[8];
  uint32_t iv[4];
  uint32_t control;  // CTRL
  uint32_t key_words;
  int mode;
  uint8_t *out;   // of the job under way
  size_t nbytes;
  size_t done;    // blocks of the last job without a gap from its beginning, if it was aborted
} aes_dma_session_t;

// Look for a bus master at an address and wipe it.
int aes_dma_open(aes_dma_device_t *device, volatile uint32_t *base);

// Begin a message; `iv` (16 bytes) is the IV of CBC or the first counter of CTR, null for ECB. The
// session must not be copied, and lives until aes_dma_finish.
int aes_dma_start(aes_dma_session_t *session, aes_dma_device_t *device, int mode, int encrypt,
                  const uint8_t *key, unsigned key_bits, const uint8_t *iv);

// Put the session's key into the device now instead of with the first piece.
int aes_dma_load(aes_dma_session_t *session);

// Begin another message under the session's key, in another mode perhaps; `iv` as above.
int aes_dma_restart(aes_dma_session_t *session, int mode, const uint8_t *iv);

// Start on the next piece of the message. Whole blocks, but for the last piece in CTR.
int aes_dma_submit(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes);

// Is the session's job still under way? 1 or 0.
int aes_dma_running(const aes_dma_session_t *session);

// Wait for the end of the session's job, if there is one.
int aes_dma_wait(aes_dma_session_t *session);

// End the session's job early. AES_DMA_OK if it was complete; AES_DMA_ERR_ABORTED otherwise, and
// the message cannot go on.
int aes_dma_abort(aes_dma_session_t *session);

// Submit and wait.
int aes_dma_update(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes);

// Forget the session, whose job ends first; the device is wiped if it holds the session's key.
int aes_dma_finish(aes_dma_session_t *session);

// End whatever is under way and wipe the keys in the device; sessions go on with their own copy.
int aes_dma_reset(aes_dma_device_t *device);

// The device for what goes straight to its registers (aes_dma_gcm.c), with the session's key in it,
// from hold to release. Only where hold returned AES_DMA_OK; `well` says that the device is idle
// and its key still there, otherwise it is wiped. Release returns `status`.
int aes_dma_hold(aes_dma_session_t *session);
int aes_dma_release(aes_dma_session_t *session, int status, int well);

// Clear the interrupt line; to be called by the handler. Returns what had happened (INTR_STATE).
uint32_t aes_dma_acknowledge(const aes_dma_device_t *device);

// Let the end of a job, and errors, raise the interrupt line.
void aes_dma_interrupts(const aes_dma_device_t *device, int enable);

// Registers ---------------------------------------------------------------------------------------

// Bound of every wait, in polls or calls of `wait`; a job has one more for each block.
#ifndef AES_DMA_WAITS
#define AES_DMA_WAITS 10000u
#endif

#define AES_DMA_WORD(name) (offsetof(aes_dma_t, name) / 4u)

// Tests put a model in the place of the device.
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

// A whole region in ECB, awaited by polling, in a fifth of the instructions of aes_dma_update.
// AES_DMA_ERR_BUSY: nothing was done, for it is not the session's turn: it has to be the last one
// that used the device, in ECB, with no `wait`, `flush` and `invalidate`; aes_dma_update does what
// is due. AES_DMA_ERR_REFUSED: `out` is not to be used, and aes_dma_reset has to follow.
static inline int aes_dma_region(aes_dma_device_t *device, volatile uint32_t *base,
                                 const aes_dma_session_t *session, const uint8_t *in, uint8_t *out,
                                 size_t nbytes)
{
  if (device->turn != session || nbytes == 0 || ((uintptr_t)in | (uintptr_t)out | nbytes) & 3u)
    return AES_DMA_ERR_BUSY;
  device->turn = device;
  // An interrupt between the two lines above may have put another key there.
  if (device->owner != session) {
    device->turn = NULL;
    return AES_DMA_ERR_BUSY;
  }
  aes_dma_write(base, AES_DMA_WORD(SRC), aes_dma_address(in));
  aes_dma_write(base, AES_DMA_WORD(DST), aes_dma_address(out));
  aes_dma_write(base, AES_DMA_WORD(LENGTH), (uint32_t)nbytes);
  aes_dma_write(base, AES_DMA_WORD(TRIGGER), AES_DMA__TRIGGER__START_bm);
  // A poll is one cycle at least: a block has sixteen of them, twice what it takes.
  size_t left = AES_DMA_WAITS + nbytes;
  while (aes_dma_read(base, AES_DMA_WORD(STATUS)) & AES_DMA__STATUS__ACTIVE_bm)
    if (--left == 0)
      break;
  device->turn = session;
  return left == 0 || aes_dma_read(base, AES_DMA_WORD(ERROR)) != 0 ? AES_DMA_ERR_REFUSED
                                                                     : AES_DMA_OK;
}

#endif
