// SPDX-License-Identifier: Apache-2.0
// AES and GHASH for BearSSL; contract in aesforge_bearssl.h.
#include <string.h>

#include "aes_forget_registers.h"
#include "aesforge.h"
#include "aesforge_bearssl.h"

#define BLOCK AES_BLOCK_BYTES

#define FITS(kind)                                                                     \
  _Static_assert(sizeof(br_aesforge_##kind##_keys) <= sizeof(br_aes_gen_##kind##_keys), \
                 "BearSSL keeps a context in this union")
FITS(cbcenc);
FITS(cbcdec);
FITS(ctr);
FITS(ctrcbc);

__attribute__((weak)) void br_aesforge_failed(int status) {
  (void)status;
  __builtin_trap();
}

// What may be left in the buffer after an error is plaintext.
static void check(int status, void *data, size_t len, void *chain) {
  if (status == AES_OK) return;
  aes_wipe(data, len);
  aes_wipe(chain, BLOCK);
  br_aesforge_failed(status);
}

static uint32_t keep_key(uint32_t to[8], const void *key, size_t len) {
  memset(to, 0, 32);
  if (len != 16u && len != 24u && len != 32u) {
    br_aesforge_failed(AES_ERR_KEY_LENGTH);
    return 0;  // calls with this key fail
  }
  memcpy(to, key, len);
  return 8u * (uint32_t)len;
}

#define KEY(k) (const uint8_t *)(k)->key, (k)->key_bits

// CBC ---------------------------------------------------------------------------------------------

static void cbcenc_init(const br_block_cbcenc_class **context, const void *key, size_t len) {
  br_aesforge_cbcenc_keys *k = (br_aesforge_cbcenc_keys *)(void *)context;
  k->vtable = &br_aesforge_cbcenc_vtable;
  k->key_bits = keep_key(k->key, key, len);
}

static void cbcdec_init(const br_block_cbcdec_class **context, const void *key, size_t len) {
  br_aesforge_cbcdec_keys *k = (br_aesforge_cbcdec_keys *)(void *)context;
  k->vtable = &br_aesforge_cbcdec_vtable;
  k->key_bits = keep_key(k->key, key, len);
}

static void cbcenc_run(const br_block_cbcenc_class *const *context, void *iv, void *data,
                       size_t len) {
  const br_aesforge_cbcenc_keys *k = (const br_aesforge_cbcenc_keys *)(const void *)context;
  check(aesforge_cbc_encrypt(KEY(k), iv, data, data, len / BLOCK), data, len, iv);
}

static void cbcdec_run(const br_block_cbcdec_class *const *context, void *iv, void *data,
                       size_t len) {
  const br_aesforge_cbcdec_keys *k = (const br_aesforge_cbcdec_keys *)(const void *)context;
  check(aesforge_cbc_decrypt(KEY(k), iv, data, data, len / BLOCK), data, len, iv);
}

const br_block_cbcenc_class br_aesforge_cbcenc_vtable = {sizeof(br_aesforge_cbcenc_keys), BLOCK, 4,
                                                         cbcenc_init, cbcenc_run};
const br_block_cbcdec_class br_aesforge_cbcdec_vtable = {sizeof(br_aesforge_cbcdec_keys), BLOCK, 4,
                                                         cbcdec_init, cbcdec_run};

// CTR ---------------------------------------------------------------------------------------------

static void ctr_init(const br_block_ctr_class **context, const void *key, size_t len) {
  br_aesforge_ctr_keys *k = (br_aesforge_ctr_keys *)(void *)context;
  k->vtable = &br_aesforge_ctr_vtable;
  k->key_bits = keep_key(k->key, key, len);
}

// BearSSL's counter has 32 bits here, that of aesforge_ctr 128: a call ends where the 32 bits end.
static uint32_t ctr_run(const br_block_ctr_class *const *context, const void *iv, uint32_t cc,
                        void *data, size_t len) {
  const br_aesforge_ctr_keys *k = (const br_aesforge_ctr_keys *)(const void *)context;
  uint8_t counter[BLOCK], *at = data;
  while (len != 0) {
    const uint64_t most = ((UINT64_C(1) << 32) - cc) * BLOCK;
    const size_t n = len < most ? len : (size_t)most;
    memcpy(counter, iv, BLOCK - 4u);
    for (unsigned i = 0; i < 4u; i++) counter[BLOCK - 4u + i] = (uint8_t)(cc >> (24u - 8u * i));
    check(aesforge_ctr(KEY(k), counter, at, at, n), at, n, counter);
    cc += (uint32_t)((n + BLOCK - 1u) / BLOCK);
    at += n;
    len -= n;
  }
  return cc;
}

const br_block_ctr_class br_aesforge_ctr_vtable = {sizeof(br_aesforge_ctr_keys), BLOCK, 4, ctr_init,
                                                   ctr_run};

// CTR and CBC-MAC ---------------------------------------------------------------------------------

static void ctrcbc_init(const br_block_ctrcbc_class **context, const void *key, size_t len) {
  br_aesforge_ctrcbc_keys *k = (br_aesforge_ctrcbc_keys *)(void *)context;
  k->vtable = &br_aesforge_ctrcbc_vtable;
  k->key_bits = keep_key(k->key, key, len);
}

static void ctrcbc_ctr(const br_block_ctrcbc_class *const *context, void *ctr, void *data,
                       size_t len) {
  const br_aesforge_ctrcbc_keys *k = (const br_aesforge_ctrcbc_keys *)(const void *)context;
  check(aesforge_ctr(KEY(k), ctr, data, data, len), data, len, ctr);
}

// The chaining value of CBC is the state of CBC-MAC; the ciphertext is not wanted.
static void ctrcbc_mac(const br_block_ctrcbc_class *const *context, void *cbcmac, const void *data,
                       size_t len) {
  const br_aesforge_ctrcbc_keys *k = (const br_aesforge_ctrcbc_keys *)(const void *)context;
  uint32_t unwanted[8u * BLOCK / 4u];
  uint8_t *out = (uint8_t *)unwanted;
  const uint8_t *at = data;
  while (len != 0) {
    const size_t n = len < sizeof unwanted ? len : sizeof unwanted;
    check(aesforge_cbc_encrypt(KEY(k), cbcmac, at, out, n / BLOCK), out, n, cbcmac);
    at += n;
    len -= n;
  }
  aes_wipe(unwanted, sizeof unwanted);
}

// CBC-MAC is over the ciphertext.
static void ctrcbc_encrypt(const br_block_ctrcbc_class *const *context, void *ctr, void *cbcmac,
                           void *data, size_t len) {
  ctrcbc_ctr(context, ctr, data, len);
  ctrcbc_mac(context, cbcmac, data, len);
}

static void ctrcbc_decrypt(const br_block_ctrcbc_class *const *context, void *ctr, void *cbcmac,
                           void *data, size_t len) {
  ctrcbc_mac(context, cbcmac, data, len);
  ctrcbc_ctr(context, ctr, data, len);
}

const br_block_ctrcbc_class br_aesforge_ctrcbc_vtable = {
    sizeof(br_aesforge_ctrcbc_keys), BLOCK, 4, ctrcbc_init, ctrcbc_encrypt, ctrcbc_decrypt,
    ctrcbc_ctr, ctrcbc_mac};

// GHASH -------------------------------------------------------------------------------------------

// The kernel reads words; the last block is completed with zeros.
void br_aesforge_ghash(void *y, const void *h, const void *data, size_t len) {
  struct {
    aes_ghash_key_t key;
    uint32_t subkey[4], state[4], copy[4u * BLOCK / 4u];
  } w;
  uint8_t *copy = (uint8_t *)w.copy;
  const uint8_t *at = data;
  memcpy(w.subkey, h, BLOCK);
  memcpy(w.state, y, BLOCK);
  aesforge_lock();
  aes_ghash_set_key(&w.key, (const uint8_t *)w.subkey);
  if ((uintptr_t)at % 4u == 0u) {
    const size_t whole = len / BLOCK;
    aes_ghash_blocks(&w.key, w.state, at, whole);
    at += whole * BLOCK;
    len %= BLOCK;
  }
  while (len != 0) {
    const size_t n = len < sizeof w.copy ? len : sizeof w.copy;
    memcpy(copy, at, n);
    memset(copy + n, 0, sizeof w.copy - n);
    aes_ghash_blocks(&w.key, w.state, copy, (n + BLOCK - 1u) / BLOCK);
    at += n;
    len -= n;
  }
  aesforge_unlock();
  memcpy(y, w.state, BLOCK);
  aes_wipe(&w, sizeof w);
  forget_registers();
}
