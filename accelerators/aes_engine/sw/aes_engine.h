// SPDX-License-Identifier: Apache-2.0
// Driver of the AES engine: sessions that take turns, any alignment, bounded waits.
//
// A session holds a key and a chaining value. The engine holds the key of one session. The driver
// identifies that session by a number that is new in each aes_engine_start. A call of another
// session first loads that session's key; every call loads its own chaining value. So a session may
// be copied, assigned, overwritten with zeros and freed like any other object. A copy has the same
// key and continues the message from its own chaining value. A session of zeros is refused with
// AES_ENGINE_ERR_KEY. Freeing or overwriting leaves the key in the engine: call aes_engine_finish.
//
// Interrupts: a handler may call everything here in any cycle of another call, on its own session
// or on a copy. The interrupted call gives the correct result. So does the handler's call, or it
// returns AES_ENGINE_ERR_BUSY and changes nothing. If a handler finishes the session of the
// interrupted call, that call returns AES_ENGINE_ERR_KEY, or the result if its work was done.
//
// Check every status. Unless a call returns AES_ENGINE_OK, discard what it wrote to `out`. A call
// that returns AES_ENGINE_ERR_BUSY, or an update that refuses a length or mode, changes nothing.
// After any other error the engine is wiped, and a session's message must begin again with
// aes_engine_restart.
#ifndef AES_ENGINE_H
#define AES_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "aes_engine_regs.h"

#define AES_ENGINE_OK 0
#define AES_ENGINE_ERR_ABSENT (-1)       // no engine of this version at the address
#define AES_ENGINE_ERR_UNSUPPORTED (-2)  // the instance lacks the key size, mode or direction
#define AES_ENGINE_ERR_LENGTH (-3)       // not whole blocks where required, or too many
#define AES_ENGINE_ERR_BUSY (-4)         // in use by code that this call interrupts
#define AES_ENGINE_ERR_TIMEOUT (-5)      // no answer in time; the engine was told to wipe itself
#define AES_ENGINE_ERR_REFUSED (-6)      // the engine refused an access; it was wiped
#define AES_ENGINE_ERR_KEY (-8)          // the session holds no key: not started, or finished
#define AES_ENGINE_ERR_FAULT (-9)        // a guarded engine found a flipped bit; reset it

enum { AES_ENGINE_ECB = 0, AES_ENGINE_CBC = 1, AES_ENGINE_CTR = 2 };

// Values of `turn`: the number of a key load, or one of these two. All numbers, also those of
// sessions, are between them. 0 is no number and never in `turn`.
#define AES_ENGINE_FREE 1u
#define AES_ENGINE_TAKEN 0xffffffffu

typedef struct aes_engine_device {
  // FREE: no call is under way. Number of a load: the same, and ECB blocks under the key of that
  // load may go directly to the data registers. TAKEN: a call is under way.
  volatile uint32_t turn;
  volatile uint32_t mark;     // number of the last load of a key; counts while TAKEN
  volatile uint32_t owner;    // number of the session whose key is in the engine, or 0
  volatile uint32_t drawn;    // the last number drawn
  volatile uint32_t drawing;  // a number is being drawn
  volatile uint32_t forget;   // the key in the engine was finished while the engine was TAKEN
  uint32_t caps;              // 0: not open
  volatile uint32_t *base;
  // Optional. Called repeatedly until a result is ready, at most AES_ENGINE_WAITS times; it may
  // sleep until an interrupt. Null: the bus waits (CTRL.HOLD). Set it after aes_engine_open.
  void (*wait)(struct aes_engine_device *device);
} aes_engine_device_t;

typedef struct aes_engine_session {
  volatile uint32_t mark;  // number of the last load of this key that the session knows of
  uint32_t id;  // 0: numbers are used up; each call loads the key and wipes it afterwards
  aes_engine_device_t *device;  // null: no key
  uint32_t key[8];
  uint32_t iv[4];
  uint32_t control;  // CTRL.KEY_LEN
  uint32_t key_words;
  int mode;
  int encrypt;
} aes_engine_session_t;

// Find an engine at an address and wipe it. Call it once: earlier sessions become invalid.
int aes_engine_open(aes_engine_device_t *device, volatile uint32_t *base);

// Begin a message; `iv` (16 bytes) is the IV of CBC or the first counter of CTR, null for ECB.
// Buffers have any alignment. Unless AES_ENGINE_OK, the session holds no key.
int aes_engine_start(aes_engine_session_t *session, aes_engine_device_t *device, int mode,
                     int encrypt, const uint8_t *key, unsigned key_bits, const uint8_t *iv);

// aes_engine_start in ECB and aes_engine_load in one call, for a word-aligned key that is used at
// once. Unless AES_ENGINE_OK, the session holds no key.
int aes_engine_set_up(aes_engine_session_t *session, aes_engine_device_t *device, int encrypt,
                      const uint32_t *key, unsigned key_bits);

// The next piece of the message; `in` and `out` are equal or disjoint. Whole blocks, except the
// last piece in CTR, which may have any length.
int aes_engine_update(aes_engine_session_t *session, const uint8_t *in, uint8_t *out,
                      size_t nbytes);

// Put the session's key into the engine now instead of with the next piece.
int aes_engine_load(aes_engine_session_t *session);

// Begin another message under the session's key, in any mode; `iv` as above.
int aes_engine_restart(aes_engine_session_t *session, int mode, const uint8_t *iv);

// Process a piece under the session's key, with the caller's mode and chaining value (four words in
// memory order, updated; null in ECB). The session's own message does not change, so several
// callers, including interrupt handlers, may share the session.
int aes_engine_crypt(aes_engine_session_t *session, int mode, uint32_t *chain,
                     const uint8_t *in, uint8_t *out, size_t nbytes);

// The same in ECB for word-aligned buffers. If the session used the engine last, blocks go directly
// to the data registers.
int aes_engine_blocks(aes_engine_session_t *session, const uint32_t *in, uint32_t *out,
                      size_t nblocks);

// Wipe the session in every case, and the engine if it holds the session's key.
// AES_ENGINE_ERR_BUSY: code that this call interrupts uses the engine with that key; the engine is
// wiped when that code's call ends.
int aes_engine_finish(aes_engine_session_t *session);

// For code that accesses the registers directly (aes_engine_gcm.c): enter reserves the engine for
// one call, idle, with the session's key, `mode` and `chain` in it. After AES_ENGINE_OK, and only
// then, end the call with aes_engine_leave; its `mode` is that in CTRL. It returns `status`, or
// AES_ENGINE_ERR_KEY if a handler finished the session. Any but AES_ENGINE_OK wipes the engine.
int aes_engine_enter(aes_engine_session_t *session, int mode, const uint32_t *chain);
int aes_engine_leave(aes_engine_device_t *device, aes_engine_session_t *session, int mode,
                     int status);

// Registers ---------------------------------------------------------------------------------------

// What a guarded engine (compile with ENGINE_GUARDED) returns for every read after an alert. It is
// no number of a load, so the comparisons of OWNER below find an alert without a further read.
#define AES_ENGINE_ALERT 0xffffffffu

#define AES_ENGINE_WORD(name) (offsetof(aes_engine_t, name) / 4u)

// With AES_ENGINE_MODEL a test on the host replaces the registers by a model.
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

// A whole block in ECB, in words, while the bus waits for the result; AES_ENGINE_ERR_BUSY: not the
// session's turn, or something came in between. Nothing was written to `out` then, and
// aes_engine_blocks does what is due. `base` is the device's.
//
// The session's number in OWNER says that the engine is idle and set up for this session; 0 is no
// number, so a session of zeros never matches. The same number afterwards says that nothing was
// refused and no part of a block is left in the engine, and that nobody wiped it in between: each
// load of a key has a number of its own.
static inline int aes_engine_block(volatile uint32_t *base, const aes_engine_session_t *session,
                                   int encrypt, const uint32_t *in, uint32_t *out)
{
  const uint32_t mark = session->mark;
  const size_t from = encrypt ? AES_ENGINE_WORD(ENC_DATA_OUT) : AES_ENGINE_WORD(DEC_DATA_OUT);
  if (aes_engine_read(base, AES_ENGINE_WORD(OWNER)) != mark || mark == 0)
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
