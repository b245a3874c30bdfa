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
  const struct aes_engine_session *owner;  // whose key is in the engine
  volatile int busy;
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

// Forget the session; the engine is wiped if it holds the session's key.
int aes_engine_finish(aes_engine_session_t *session);

#endif
