// SPDX-License-Identifier: Apache-2.0
// Calls for software stacks; contract in aesforge.h.
//
// A context's message points to an expanded key, which another key may replace between two calls.
// So each call looks the key up again, by the bytes that the context keeps, and sets the pointer.
#include "aesforge.h"
#include "blocks.h"
#include "aes_forget_registers.h"

#ifndef AESFORGE_KEYS
#define AESFORGE_KEYS 4
#endif

// No context has a member that depends on the kernel: a pointer, words and lengths only.
#define WORDS(n) (4u * (n))
_Static_assert(sizeof(void *) != 4u || sizeof(aesforge_ctr_t) == WORDS(9u + 11u),
               "the size of a context is part of the library's interface");
_Static_assert(sizeof(void *) != 4u || sizeof(aesforge_cmac_t) == WORDS(9u + 7u),
               "the size of a context is part of the library's interface");
_Static_assert(sizeof(aesforge_gcm_t) <= WORDS(48u) && sizeof(aesforge_ccm_t) <= WORDS(52u),
               "the size of a context is part of the library's interface");
_Static_assert(AESFORGE_KEYS > 0, "a call needs a place for its key");

// What an expanded key is for; zero is an empty place.
enum { FOR_NOTHING, FOR_ENCRYPT, FOR_DECRYPT, FOR_GCM, FOR_CMAC };

typedef struct {
  aesforge_raw_key_t key;
  uint32_t use;
  uint32_t last;  // when it was used: a number that counts look-ups
  union {
    aes_key_t cipher;
    aes_gcm_key_t gcm;
    aes_cmac_key_t cmac;
  } made;
} place_t;

static place_t places[AESFORGE_KEYS];
static uint32_t lookups;

WEAK void aesforge_lock(void) {}
WEAK void aesforge_unlock(void) {}

static void clear(place_t *p) {
  if (p->use == FOR_GCM) {
    aes_gcm_clear_key(&p->made.gcm);
  } else if (p->use == FOR_CMAC) {
    aes_cmac_clear_key(&p->made.cmac);
  } else if (p->use != FOR_NOTHING) {
    aes_clear_key(&p->made.cipher);
  }
  aes_wipe(p, sizeof *p);
}

static int expand(place_t *p, uint32_t use, const aesforge_raw_key_t *key) {
  const uint8_t *raw = (const uint8_t *)key->raw;
  int status = AES_ERR_ORDER;
  if (use == FOR_ENCRYPT) {
    status = aes_set_encrypt_key(&p->made.cipher, raw, key->key_bits);
  } else if (use == FOR_DECRYPT) {
    status = aes_set_decrypt_key(&p->made.cipher, raw, key->key_bits);
  } else if (use == FOR_GCM) {
    status = aes_gcm_set_key(&p->made.gcm, raw, key->key_bits);
  } else if (use == FOR_CMAC) {
    status = aes_cmac_set_key(&p->made.cmac, raw, key->key_bits);
  }
  if (status == AES_OK) {
    copy(&p->key, key, sizeof *key);
    p->use = use;
  } else {
    aes_wipe(p, sizeof *p);
  }
  return status;
}

// The place with this key for this use, or NULL if it cannot be expanded.
static const place_t *look_up(uint32_t use, const aesforge_raw_key_t *key, int *status) {
  place_t *oldest = &places[0];
  const uint32_t now = ++lookups;
  *status = AES_OK;
  for (place_t *p = places; p != places + AESFORGE_KEYS; p++) {
    // The whole key is compared in each place; only the verdict decides a branch.
    const uint32_t other = unequal(&p->key, key, sizeof *key) | (p->use ^ use);
    if (other == 0u) {
      p->last = now;
      return p;
    }
    if (p->use == FOR_NOTHING || now - p->last > now - oldest->last) {
      oldest = oldest->use == FOR_NOTHING ? oldest : p;
    }
  }
  clear(oldest);
  *status = expand(oldest, use, key);
  oldest->last = now;
  return *status == AES_OK ? oldest : NULL;
}

// The key of a call, with the bytes that its length does not have as zeros.
static int read_key(aesforge_raw_key_t *to, const uint8_t *key, unsigned key_bits) {
  if (key_bits != 128u && key_bits != 192u && key_bits != 256u) {
    return AES_ERR_KEY_LENGTH;
  }
  for (unsigned i = 0; i < 8u; i++) {
    to->raw[i] = 0;
  }
  copy(to->raw, key, key_bits / 8u);
  to->key_bits = key_bits;
  return AES_OK;
}

// Begin a call: the lock, then the key. NULL, without the lock, unless *status is AES_OK.
static const place_t *begin(uint32_t use, const aesforge_raw_key_t *key, int *status) {
  aesforge_lock();
  const place_t *p = look_up(use, key, status);
  if (p == NULL) {
    aesforge_unlock();
    forget_registers();
  }
  return p;
}

static __attribute__((noinline)) int end(int status) {
  aesforge_unlock();
  forget_registers();
  return status;
}

static const place_t *begin_call(uint32_t use, const uint8_t *key, unsigned key_bits,
                                 int *status) {
  aesforge_raw_key_t raw;
  const place_t *p = NULL;
  *status = read_key(&raw, key, key_bits);
  if (*status == AES_OK) {
    p = begin(use, &raw, status);
  }
  aes_wipe(&raw, sizeof raw);
  return p;
}

WEAK void aesforge_forget(void) {
  aesforge_lock();
  for (unsigned i = 0; i < AESFORGE_KEYS; i++) {
    clear(&places[i]);
  }
  aesforge_unlock();
}

WEAK size_t aesforge_key_bytes(void) { return sizeof(aes_key_t); }
WEAK size_t aesforge_gcm_key_bytes(void) { return sizeof(aes_gcm_key_t); }
WEAK size_t aesforge_cmac_key_bytes(void) { return sizeof(aes_cmac_key_t); }

// Messages in one call ----------------------------------------------------------------------------

// `p->made` is the key of `call`.
#define ONE_CALL(use, call)                                   \
  int status;                                                 \
  const place_t *p = begin_call(use, key, key_bits, &status); \
  if (p == NULL) {                                            \
    return status;                                            \
  }                                                           \
  return end(call)

WEAK int aesforge_ecb_encrypt(const uint8_t *key, unsigned key_bits, const uint8_t *in,
                              uint8_t *out, size_t nblocks) {
  ONE_CALL(FOR_ENCRYPT, aes_ecb_encrypt(&p->made.cipher, in, out, nblocks));
}

WEAK int aesforge_ecb_decrypt(const uint8_t *key, unsigned key_bits, const uint8_t *in,
                              uint8_t *out, size_t nblocks) {
  ONE_CALL(FOR_DECRYPT, aes_ecb_decrypt(&p->made.cipher, in, out, nblocks));
}

WEAK int aesforge_cbc_encrypt(const uint8_t *key, unsigned key_bits, uint8_t iv[16],
                              const uint8_t *in, uint8_t *out, size_t nblocks) {
  ONE_CALL(FOR_ENCRYPT, aes_cbc_encrypt(&p->made.cipher, iv, in, out, nblocks));
}

WEAK int aesforge_cbc_decrypt(const uint8_t *key, unsigned key_bits, uint8_t iv[16],
                              const uint8_t *in, uint8_t *out, size_t nblocks) {
  ONE_CALL(FOR_DECRYPT, aes_cbc_decrypt(&p->made.cipher, iv, in, out, nblocks));
}

WEAK int aesforge_ctr(const uint8_t *key, unsigned key_bits, uint8_t counter[16],
                      const uint8_t *in, uint8_t *out, size_t nbytes) {
  ONE_CALL(FOR_ENCRYPT, aes_ctr(&p->made.cipher, counter, in, out, nbytes));
}

WEAK int aesforge_gcm_encrypt(const uint8_t *key, unsigned key_bits, const uint8_t *iv,
                              size_t iv_bytes, const uint8_t *aad, size_t aad_bytes,
                              const uint8_t *in, uint8_t *out, size_t bytes, uint8_t *tag,
                              size_t tag_bytes) {
  ONE_CALL(FOR_GCM, aes_gcm_encrypt(&p->made.gcm, iv, iv_bytes, aad, aad_bytes, in, out, bytes,
                                    tag, tag_bytes));
}

WEAK int aesforge_gcm_decrypt(const uint8_t *key, unsigned key_bits, const uint8_t *iv,
                              size_t iv_bytes, const uint8_t *aad, size_t aad_bytes,
                              const uint8_t *in, uint8_t *out, size_t bytes, const uint8_t *tag,
                              size_t tag_bytes) {
  ONE_CALL(FOR_GCM, aes_gcm_decrypt(&p->made.gcm, iv, iv_bytes, aad, aad_bytes, in, out, bytes,
                                    tag, tag_bytes));
}

WEAK int aesforge_ccm_encrypt(const uint8_t *key, unsigned key_bits, const uint8_t *nonce,
                              size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                              const uint8_t *in, uint8_t *out, size_t bytes, uint8_t *tag,
                              size_t tag_bytes) {
  ONE_CALL(FOR_ENCRYPT, aes_ccm_encrypt(&p->made.cipher, nonce, nonce_bytes, aad, aad_bytes, in,
                                        out, bytes, tag, tag_bytes));
}

WEAK int aesforge_ccm_decrypt(const uint8_t *key, unsigned key_bits, const uint8_t *nonce,
                              size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                              const uint8_t *in, uint8_t *out, size_t bytes, const uint8_t *tag,
                              size_t tag_bytes) {
  ONE_CALL(FOR_ENCRYPT, aes_ccm_decrypt(&p->made.cipher, nonce, nonce_bytes, aad, aad_bytes, in,
                                        out, bytes, tag, tag_bytes));
}

WEAK int aesforge_cmac(const uint8_t *key, unsigned key_bits, const uint8_t *data, size_t bytes,
                       uint8_t *tag, size_t tag_bytes) {
  ONE_CALL(FOR_CMAC, aes_cmac(&p->made.cmac, data, bytes, tag, tag_bytes));
}

WEAK int aesforge_cmac_verify(const uint8_t *key, unsigned key_bits, const uint8_t *data,
                              size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  ONE_CALL(FOR_CMAC, aes_cmac_verify(&p->made.cmac, data, bytes, tag, tag_bytes));
}

// Messages in pieces ------------------------------------------------------------------------------

// The message of a context begins with `key` and has `phase`, which is 0 if there is none: after
// the end, after an error, and in a context that was wiped. Only then is the raw key not needed.
#define STARTED(use, member, call)                     \
  int status = read_key(&c->key, key, key_bits);       \
  if (status == AES_OK) {                              \
    const place_t *p = begin(use, &c->key, &status);   \
    if (p != NULL) {                                   \
      const void *const made = &p->made.member;        \
      status = end(call);                              \
    }                                                  \
  }                                                    \
  if (status != AES_OK) {                              \
    aes_wipe(c, sizeof *c);                            \
  }                                                    \
  return status

#define CONTINUED(use, member, call, out, n)           \
  int status;                                          \
  if (c->message.phase == 0u) {                        \
    return AES_ERR_ORDER;                              \
  }                                                    \
  const place_t *p = begin(use, &c->key, &status);     \
  if (p != NULL) {                                     \
    c->message.key = &p->made.member;                  \
    status = end(call);                                \
  } else {                                             \
    aes_wipe(&c->message, sizeof c->message);          \
    aes_wipe(out, n);                                  \
  }                                                    \
  if (c->message.phase == 0u) {                        \
    aes_wipe(c, sizeof *c);                            \
  }                                                    \
  return status

WEAK int aesforge_ctr_start(aesforge_ctr_t *c, const uint8_t *key, unsigned key_bits,
                            const uint8_t counter[16]) {
  STARTED(FOR_ENCRYPT, cipher, aes_ctr_start(&c->message, made, counter));
}

WEAK int aesforge_ctr_update(aesforge_ctr_t *c, const uint8_t *in, uint8_t *out, size_t n) {
  CONTINUED(FOR_ENCRYPT, cipher, aes_ctr_update(&c->message, in, out, n), out, n);
}

WEAK int aesforge_ctr_finish(aesforge_ctr_t *c) {
  CONTINUED(FOR_ENCRYPT, cipher, aes_ctr_finish(&c->message), NULL, 0);
}

WEAK int aesforge_gcm_start(aesforge_gcm_t *c, const uint8_t *key, unsigned key_bits,
                            const uint8_t *iv, size_t iv_bytes) {
  STARTED(FOR_GCM, gcm, aes_gcm_start(&c->message, made, iv, iv_bytes));
}

WEAK int aesforge_ccm_start(aesforge_ccm_t *c, const uint8_t *key, unsigned key_bits,
                            const uint8_t *nonce, size_t nonce_bytes, uint64_t aad_bytes,
                            uint64_t text_bytes, size_t tag_bytes) {
  STARTED(FOR_ENCRYPT, cipher,
          aes_ccm_start(&c->message, made, nonce, nonce_bytes, aad_bytes, text_bytes, tag_bytes));
}

WEAK int aesforge_cmac_start(aesforge_cmac_t *c, const uint8_t *key, unsigned key_bits) {
  STARTED(FOR_CMAC, cmac, aes_cmac_start(&c->message, made));
}

// The calls between start and end, by what they take.
#define READS(mode, use, member, name)                                                       \
  WEAK int aesforge_##mode##_##name(aesforge_##mode##_t *c, const uint8_t *in, size_t n) {   \
    CONTINUED(use, member, aes_##mode##_##name(&c->message, in, n), NULL, 0);                \
  }

#define WRITES(mode, use, member, name)                                                      \
  WEAK int aesforge_##mode##_##name(aesforge_##mode##_t *c, const uint8_t *in, uint8_t *out, \
                                    size_t n) {                                              \
    CONTINUED(use, member, aes_##mode##_##name(&c->message, in, out, n), out, n);            \
  }

READS(gcm, FOR_GCM, gcm, aad)
WRITES(gcm, FOR_GCM, gcm, encrypt_update)
READS(gcm, FOR_GCM, gcm, verify_update)
READS(gcm, FOR_GCM, gcm, verify_finish)
WRITES(gcm, FOR_GCM, gcm, decrypt_update)
WRITES(gcm, FOR_GCM, gcm, unverified_update)
READS(gcm, FOR_GCM, gcm, unverified_finish)

READS(ccm, FOR_ENCRYPT, cipher, aad)
WRITES(ccm, FOR_ENCRYPT, cipher, encrypt_update)
READS(ccm, FOR_ENCRYPT, cipher, verify_update)
WRITES(ccm, FOR_ENCRYPT, cipher, decrypt_update)

READS(cmac, FOR_CMAC, cmac, update)
READS(cmac, FOR_CMAC, cmac, verify_finish)

WEAK int aesforge_gcm_encrypt_finish(aesforge_gcm_t *c, uint8_t *tag, size_t tag_bytes) {
  CONTINUED(FOR_GCM, gcm, aes_gcm_encrypt_finish(&c->message, tag, tag_bytes), NULL, 0);
}

WEAK int aesforge_gcm_decrypt_finish(aesforge_gcm_t *c) {
  CONTINUED(FOR_GCM, gcm, aes_gcm_decrypt_finish(&c->message), NULL, 0);
}

WEAK int aesforge_ccm_encrypt_finish(aesforge_ccm_t *c, uint8_t *tag) {
  CONTINUED(FOR_ENCRYPT, cipher, aes_ccm_encrypt_finish(&c->message, tag), NULL, 0);
}

WEAK int aesforge_ccm_verify_finish(aesforge_ccm_t *c, const uint8_t *tag) {
  CONTINUED(FOR_ENCRYPT, cipher, aes_ccm_verify_finish(&c->message, tag), NULL, 0);
}

WEAK int aesforge_ccm_decrypt_finish(aesforge_ccm_t *c) {
  CONTINUED(FOR_ENCRYPT, cipher, aes_ccm_decrypt_finish(&c->message), NULL, 0);
}

WEAK int aesforge_cmac_finish(aesforge_cmac_t *c, uint8_t *tag, size_t tag_bytes) {
  CONTINUED(FOR_CMAC, cmac, aes_cmac_finish(&c->message, tag, tag_bytes), NULL, 0);
}

#define ABORT(mode) \
  WEAK void aesforge_##mode##_abort(aesforge_##mode##_t *c) { aes_wipe(c, sizeof *c); }

ABORT(ctr)
ABORT(gcm)
ABORT(ccm)
ABORT(cmac)
