// SPDX-License-Identifier: Apache-2.0
// Driver of the AES engine: sessions under one owner, any alignment, bounded waits.
//
// A session holds its own key and chaining value. Whoever used the engine last owns what is in it;
// another session's next call loads its own key and chaining value first. A call that comes while
// another one is under way (from an interrupt handler) gets AES_ENGINE_ERR_BUSY and changes
// nothing. After any other error of aes_engine_update the engine is wiped.
#ifndef AES_ENGINE_H
#define AES_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "aes_engine_regs.h"

#define AES_ENGINE_OK 0
#define AES_ENGINE_ERR_ABSENT (-1)       // no engine of this version at the address
#define AES_ENGINE_ERR_UNSUPPORTED (-2)  // the instance lacks the key size, mode or direction
#define AES_ENGINE_ERR_LENGTH (-3)       // not whole blocks where they are due
#define AES_ENGINE_ERR_BUSY (-4)         // another call is under way
#define AES_ENGINE_ERR_TIMEOUT (-5)      // no answer in time; the engine was wiped
#define AES_ENGINE_ERR_REFUSED (-6)      // the engine refused an access; it was wiped

enum { AES_ENGINE_ECB = 0, AES_ENGINE_CBC = 1, AES_ENGINE_CTR = 2 };

struct aes_engine_session;

typedef struct aes_engine_device {
  volatile uint32_t *base;
  uint32_t caps;
  const struct aes_engine_session *volatile owner;  // whose key is in the engine
  volatile int busy;                                // a call is under way
  // Called again and again while a result is due, at most AES_ENGINE_WAITS times: to sleep until an
  // interrupt, say. Null: the bus waits (CTRL.HOLD).
  void (*wait)(struct aes_engine_device *device);
} aes_engine_device_t;

typedef struct aes_engine_session {
  aes_engine_device_t *device;
  uint32_t key[8];
  uint32_t iv[4];
  uint32_t control;  // CTRL without HOLD
  uint32_t key_words;
  int mode;
  int encrypt;
} aes_engine_session_t;

// Look for an engine at an address and wipe it.
int aes_engine_open(aes_engine_device_t *device, volatile uint32_t *base);

// Begin a message; `iv` (16 bytes) is the IV of CBC or the first counter of CTR, null for ECB. The
// session must not be copied, and lives until aes_engine_finish. Buffers have any alignment.
int aes_engine_start(aes_engine_session_t *session, aes_engine_device_t *device, int mode,
                     int encrypt, const uint8_t *key, unsigned key_bits, const uint8_t *iv);

// The next piece of the message; `in` and `out` are equal or disjoint. Whole blocks, but for the
// last piece in CTR, which may have any length.
int aes_engine_update(aes_engine_session_t *session, const uint8_t *in, uint8_t *out,
                      size_t nbytes);

// Put the session's key into the engine now instead of with the next piece.
int aes_engine_load(aes_engine_session_t *session);

// Begin another message under the session's key, in another mode perhaps; `iv` as above.
int aes_engine_restart(aes_engine_session_t *session, int mode, const uint8_t *iv);

// The same as aes_engine_update for whole blocks in word-aligned buffers; a session in ECB whose
// mark is in OWNER goes straight to the data registers.
int aes_engine_blocks(aes_engine_session_t *session, const uint32_t *in, uint32_t *out,
                      size_t nblocks);

// Forget the session; the engine is wiped if it holds the session's key.
int aes_engine_finish(aes_engine_session_t *session);

// For parts of the driver that work on the registers themselves (aes_engine_gcm.c): the engine for
// one call, idle, with the session's key and mode in it. Unless AES_ENGINE_OK the call has not
// begun; else it ends with aes_engine_leave, which gives `status` back. Any but AES_ENGINE_OK wipes
// the engine.
int aes_engine_enter(aes_engine_session_t *session);
int aes_engine_leave(const aes_engine_session_t *session, int status);

// Registers ---------------------------------------------------------------------------------------

#define AES_ENGINE_WORD(name) (offsetof(aes_engine_t, name) / 4u)

// With AES_ENGINE_MODEL a program brings its own registers (a test on the host).
#ifdef AES_ENGINE_MODEL
uint32_t aes_engine_read(volatile uint32_t *base, size_t word);
void aes_engine_write(volatile uint32_t *base, size_t word, uint32_t value);
#else
static inline uint32_t aes_engine_read(volatile uint32_t *base, size_t word)
{
  return base[word];
}
static inline void aes_engine_write(volatile uint32_t *base, size_t word, uint32_t value)
{
  base[word] = value;
}
#endif

static inline void aes_engine_give(volatile uint32_t *base, int encrypt, const uint32_t *in)
{
  const size_t to = encrypt ? AES_ENGINE_WORD(ENC_DATA_IN) : AES_ENGINE_WORD(DEC_DATA_IN);
  for (size_t i = 0; i < 4; i++)
    aes_engine_write(base, to + i, in[i]);
}

static inline void aes_engine_take(volatile uint32_t *base, int encrypt, uint32_t *out)
{
  const size_t from = encrypt ? AES_ENGINE_WORD(ENC_DATA_OUT) : AES_ENGINE_WORD(DEC_DATA_OUT);
  for (size_t i = 0; i < 4; i++)
    out[i] = aes_engine_read(base, from + i);
}

// Whole blocks in words, at least one, the next one given while the last one is in work; the bus
// waits for room and results.
static inline void aes_engine_pass(volatile uint32_t *base, int encrypt, const uint32_t *in,
                                   uint32_t *out, size_t nblocks)
{
  aes_engine_give(base, encrypt, in);
  for (; --nblocks != 0; out += 4) {
    in += 4;
    aes_engine_give(base, encrypt, in);
    aes_engine_take(base, encrypt, out);
  }
  aes_engine_take(base, encrypt, out);
}

// What OWNER holds while a session in ECB may go straight to the data registers.
static inline uint32_t aes_engine_mark(const aes_engine_session_t *session)
{
  return (uint32_t)(uintptr_t)session;
}

// A whole block in words while the bus waits for the result; AES_ENGINE_ERR_BUSY: not the session's
// turn, nothing was done, and aes_engine_blocks does what is due. OWNER is read before and after:
// an interrupt handler that used the engine in between has put another mark there, and finds none
// itself while the block is inside.
static inline int aes_engine_block(volatile uint32_t *base, const aes_engine_session_t *session,
                                   int encrypt, const uint32_t *in, uint32_t *out)
{
  const uint32_t mark = aes_engine_mark(session);
  const size_t from = encrypt ? AES_ENGINE_WORD(ENC_DATA_OUT) : AES_ENGINE_WORD(DEC_DATA_OUT);
  if (aes_engine_read(base, AES_ENGINE_WORD(OWNER)) != mark)
    return AES_ENGINE_ERR_BUSY;
  aes_engine_give(base, encrypt, in);
  const uint32_t word0 = aes_engine_read(base, from), word1 = aes_engine_read(base, from + 1);
  const uint32_t word2 = aes_engine_read(base, from + 2), word3 = aes_engine_read(base, from + 3);
  if (aes_engine_read(base, AES_ENGINE_WORD(OWNER)) != mark)
    return AES_ENGINE_ERR_BUSY;
  out[0] = word0;
  out[1] = word1;
  out[2] = word2;
  out[3] = word3;
  return AES_ENGINE_OK;
}

#endif
