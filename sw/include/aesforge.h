// SPDX-License-Identifier: Apache-2.0
// AES for software stacks: calls that take the key as bytes, contexts of one size, a lock.
//
// A library of these functions can be built once for each accelerator and its users compiled
// without knowing which. No type here depends on the kernel: contexts hold the key itself and the
// state of the message. Expanded keys, whose size is the kernel's, stay in a cache inside the
// library, so that a stack may hand over the same key for each record and pays one expansion.
//
// The cache has AESFORGE_KEYS places (4 unless the library is built with another number) and
// replaces the key that was used longest ago. It finds a key by all of its bytes, its length and
// its use, compared in constant time. Time therefore tells whether a key is in the cache, and
// nothing else about it. An expanded key that is replaced is wiped. aesforge_forget wipes all: call
// it when a session ends. Contexts and the cache hold raw keys, so wipe what you abandon.
//
// Keys, IVs and buffers have any alignment; input and output are equal or disjoint. key_bits is
// 128, 192 or 256, other values return AES_ERR_KEY_LENGTH. Otherwise each call does and returns
// what the function of the same name in aes_modes.h, aes_ctr.h, aes_gcm.h, aes_gcm_unverified.h,
// aes_ccm.h and aes_cmac.h does. Read there what holds for IVs, tags and lengths. Unless AES_OK,
// `out` holds zeros or is unchanged. A start that fails wipes its context.
//
// Lock. Each call holds aesforge_lock() while it uses the cache and the unit. The two functions are
// weak and do nothing. Replace them where threads share the library (a mutex), or where an
// interrupt handler calls it (mask the interrupt); a lock is never taken twice. A context belongs
// to one thread. The functions of the other headers take no lock: they share no data, and
// aes_kernel.h says how a context switch keeps a unit's state. The curves (ecc.h) take none either:
// a call may last millions of cycles: hold the lock around it if your unit's state is not saved.
#ifndef AESFORGE_H
#define AESFORGE_H

#include "aes_ccm.h"
#include "aes_cmac.h"
#include "aes_ctr.h"
#include "aes_gcm_unverified.h"

void aesforge_lock(void);
void aesforge_unlock(void);

// Wipe every key of the cache.
void aesforge_forget(void);

// Bytes of aes_key_t, aes_gcm_key_t and aes_cmac_key_t in this library, for users of the other
// headers who take memory for keys at run time.
size_t aesforge_key_bytes(void);
size_t aesforge_gcm_key_bytes(void);
size_t aesforge_cmac_key_bytes(void);

// Messages in one call ----------------------------------------------------------------------------

int aesforge_ecb_encrypt(const uint8_t *key, unsigned key_bits, const uint8_t *in, uint8_t *out,
                         size_t nblocks);
int aesforge_ecb_decrypt(const uint8_t *key, unsigned key_bits, const uint8_t *in, uint8_t *out,
                         size_t nblocks);
int aesforge_cbc_encrypt(const uint8_t *key, unsigned key_bits, uint8_t iv[16], const uint8_t *in,
                         uint8_t *out, size_t nblocks);
int aesforge_cbc_decrypt(const uint8_t *key, unsigned key_bits, uint8_t iv[16], const uint8_t *in,
                         uint8_t *out, size_t nblocks);
int aesforge_ctr(const uint8_t *key, unsigned key_bits, uint8_t counter[16], const uint8_t *in,
                 uint8_t *out, size_t nbytes);

int aesforge_gcm_encrypt(const uint8_t *key, unsigned key_bits, const uint8_t *iv, size_t iv_bytes,
                         const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                         size_t bytes, uint8_t *tag, size_t tag_bytes);
int aesforge_gcm_decrypt(const uint8_t *key, unsigned key_bits, const uint8_t *iv, size_t iv_bytes,
                         const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                         size_t bytes, const uint8_t *tag, size_t tag_bytes);
int aesforge_ccm_encrypt(const uint8_t *key, unsigned key_bits, const uint8_t *nonce,
                         size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                         const uint8_t *in, uint8_t *out, size_t bytes, uint8_t *tag,
                         size_t tag_bytes);
int aesforge_ccm_decrypt(const uint8_t *key, unsigned key_bits, const uint8_t *nonce,
                         size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                         const uint8_t *in, uint8_t *out, size_t bytes, const uint8_t *tag,
                         size_t tag_bytes);

int aesforge_cmac(const uint8_t *key, unsigned key_bits, const uint8_t *data, size_t bytes,
                  uint8_t *tag, size_t tag_bytes);
int aesforge_cmac_verify(const uint8_t *key, unsigned key_bits, const uint8_t *data, size_t bytes,
                         const uint8_t *tag, size_t tag_bytes);

// Messages in pieces ------------------------------------------------------------------------------
// The members are private. Each family has an abort, which wipes the context at any time.

typedef struct {
  uint32_t raw[8];
  uint32_t key_bits;
} aesforge_raw_key_t;

typedef struct {
  aesforge_raw_key_t key;
  aes_ctr_t message;
} aesforge_ctr_t;

typedef struct {
  aesforge_raw_key_t key;
  aes_gcm_t message;
} aesforge_gcm_t;

typedef struct {
  aesforge_raw_key_t key;
  aes_ccm_t message;
} aesforge_ccm_t;

typedef struct {
  aesforge_raw_key_t key;
  aes_cmac_t message;
} aesforge_cmac_t;

int aesforge_ctr_start(aesforge_ctr_t *c, const uint8_t *key, unsigned key_bits,
                       const uint8_t counter[16]);
int aesforge_ctr_update(aesforge_ctr_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aesforge_ctr_finish(aesforge_ctr_t *c);
void aesforge_ctr_abort(aesforge_ctr_t *c);

int aesforge_gcm_start(aesforge_gcm_t *c, const uint8_t *key, unsigned key_bits, const uint8_t *iv,
                       size_t iv_bytes);
int aesforge_gcm_aad(aesforge_gcm_t *c, const uint8_t *aad, size_t n);
int aesforge_gcm_encrypt_update(aesforge_gcm_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aesforge_gcm_encrypt_finish(aesforge_gcm_t *c, uint8_t *tag, size_t tag_bytes);
int aesforge_gcm_verify_update(aesforge_gcm_t *c, const uint8_t *in, size_t n);
int aesforge_gcm_verify_finish(aesforge_gcm_t *c, const uint8_t *tag, size_t tag_bytes);
int aesforge_gcm_decrypt_update(aesforge_gcm_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aesforge_gcm_decrypt_finish(aesforge_gcm_t *c);
int aesforge_gcm_unverified_update(aesforge_gcm_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aesforge_gcm_unverified_finish(aesforge_gcm_t *c, const uint8_t *tag, size_t tag_bytes);
void aesforge_gcm_abort(aesforge_gcm_t *c);

int aesforge_ccm_start(aesforge_ccm_t *c, const uint8_t *key, unsigned key_bits,
                       const uint8_t *nonce, size_t nonce_bytes, uint64_t aad_bytes,
                       uint64_t text_bytes, size_t tag_bytes);
int aesforge_ccm_aad(aesforge_ccm_t *c, const uint8_t *aad, size_t n);
int aesforge_ccm_encrypt_update(aesforge_ccm_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aesforge_ccm_encrypt_finish(aesforge_ccm_t *c, uint8_t *tag);
int aesforge_ccm_verify_update(aesforge_ccm_t *c, const uint8_t *in, size_t n);
int aesforge_ccm_verify_finish(aesforge_ccm_t *c, const uint8_t *tag);
int aesforge_ccm_decrypt_update(aesforge_ccm_t *c, const uint8_t *in, uint8_t *out, size_t n);
int aesforge_ccm_decrypt_finish(aesforge_ccm_t *c);
void aesforge_ccm_abort(aesforge_ccm_t *c);

int aesforge_cmac_start(aesforge_cmac_t *c, const uint8_t *key, unsigned key_bits);
int aesforge_cmac_update(aesforge_cmac_t *c, const uint8_t *data, size_t n);
int aesforge_cmac_finish(aesforge_cmac_t *c, uint8_t *tag, size_t tag_bytes);
int aesforge_cmac_verify_finish(aesforge_cmac_t *c, const uint8_t *tag, size_t tag_bytes);
void aesforge_cmac_abort(aesforge_cmac_t *c);

#endif
