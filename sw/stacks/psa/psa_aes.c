// SPDX-License-Identifier: Apache-2.0
// AES of the PSA driver: ciphers, authenticated encryption, CMAC.
#include "psa_internal.h"

#include <string.h>

#define BLOCK AES_BLOCK_BYTES

enum { NONE, ECB, CBC, CTR, GCM, CCM };

psa_status_t aesforge_psa_status(int status) {
  switch (status) {
    case AES_OK: return PSA_SUCCESS;
    case AES_ERR_TAG: return PSA_ERROR_INVALID_SIGNATURE;
    case AES_ERR_KEY_LENGTH:
    case AES_ERR_LENGTH: return PSA_ERROR_INVALID_ARGUMENT;
    case AES_ERR_UNSUPPORTED: return PSA_ERROR_NOT_SUPPORTED;
    case AES_ERR_ORDER:
    case AES_ERR_KEY: return PSA_ERROR_BAD_STATE;
    default: return PSA_ERROR_HARDWARE_FAILURE;
  }
}

static int is_aes(const psa_key_attributes_t *attributes, size_t key_bytes) {
  return psa_get_key_type(attributes) == PSA_KEY_TYPE_AES &&
         (key_bytes == 16u || key_bytes == 24u || key_bytes == 32u);
}

// The kernel reads keys as words.
static psa_status_t expand(aes_key_t *k, int decrypt, const uint8_t *key, size_t bytes) {
  uint32_t copy[8];
  memcpy(copy, key, bytes);
  const uint8_t *aligned = (const uint8_t *)copy;
  const unsigned bits = 8u * (unsigned)bytes;
  int status =
      decrypt ? aes_set_decrypt_key(k, aligned, bits) : aes_set_encrypt_key(k, aligned, bits);
  aes_wipe(copy, sizeof copy);
  return aesforge_psa_status(status);
}

// Ciphers -----------------------------------------------------------------------------------------

static unsigned cipher_mode(psa_algorithm_t alg) {
  switch (alg) {
    case PSA_ALG_ECB_NO_PADDING: return ECB;
    case PSA_ALG_CBC_NO_PADDING: return CBC;
    case PSA_ALG_CTR: return CTR;
    default: return NONE;
  }
}

static psa_status_t cipher_setup(aesforge_cipher_operation_t *o,
                                 const psa_key_attributes_t *attributes, const uint8_t *key,
                                 size_t key_bytes, psa_algorithm_t alg, int decrypt) {
  const unsigned mode = cipher_mode(alg);
  if (mode == NONE || !is_aes(attributes, key_bytes)) return PSA_ERROR_NOT_SUPPORTED;
  memset(o, 0, sizeof *o);
  psa_status_t status = expand(&o->key, decrypt && mode != CTR, key, key_bytes);
  if (status != PSA_SUCCESS) {
    aes_wipe(o, sizeof *o);
    return status;
  }
  o->mode = mode;
  o->decrypt = (uint32_t)decrypt;
  return PSA_SUCCESS;
}

static int whole_blocks(aesforge_cipher_operation_t *o, const uint8_t *in, uint8_t *out,
                        size_t blocks) {
  uint8_t *chain = (uint8_t *)o->chain;
  if (blocks == 0) return AES_OK;
  if (o->mode == CTR) return aes_ctr(&o->key, chain, in, out, blocks * BLOCK);
  if (o->mode == CBC) {
    return o->decrypt ? aes_cbc_decrypt(&o->key, chain, in, out, blocks)
                      : aes_cbc_encrypt(&o->key, chain, in, out, blocks);
  }
  return o->decrypt ? aes_ecb_decrypt(&o->key, in, out, blocks)
                    : aes_ecb_encrypt(&o->key, in, out, blocks);
}

// CTR: first the key stream that is left over, then whole blocks, then a part of one more.
static int stream_bytes(aesforge_cipher_operation_t *o, const uint8_t *in, uint8_t *out, size_t n) {
  uint8_t *stream = (uint8_t *)o->pending;
  while (n != 0 && o->held != 0) {
    *out++ = *in++ ^ stream[BLOCK - o->held];
    o->held--;
    n--;
  }
  const size_t whole = n / BLOCK;
  int status = whole_blocks(o, in, out, whole);
  in += whole * BLOCK;
  out += whole * BLOCK;
  n %= BLOCK;
  if (status != AES_OK || n == 0) return status;
  memset(stream, 0, BLOCK);
  status = whole_blocks(o, stream, stream, 1);
  if (status != AES_OK) return status;
  for (size_t i = 0; i < n; i++) out[i] = in[i] ^ stream[i];
  o->held = (uint32_t)(BLOCK - n);
  return AES_OK;
}

// ECB and CBC: bytes that were held come first. In place the output of a block then lies where the
// next input begins, so that is read before.
static int block_bytes(aesforge_cipher_operation_t *o, const uint8_t *in, uint8_t *out, size_t n) {
  uint8_t *held = (uint8_t *)o->pending;
  const size_t before = o->held;
  if (before == 0) {
    const size_t whole = n / BLOCK;
    uint8_t rest[BLOCK];
    memcpy(rest, in + whole * BLOCK, n % BLOCK);
    int status = whole_blocks(o, in, out, whole);
    memcpy(held, rest, n % BLOCK);
    aes_wipe(rest, sizeof rest);
    o->held = (uint32_t)(n % BLOCK);
    return status;
  }
  uint8_t block[BLOCK];
  int status = AES_OK;
  while (status == AES_OK && n + before >= BLOCK) {
    memcpy(block, held, before);
    memcpy(block + before, in, BLOCK - before);
    in += BLOCK - before;
    n -= BLOCK - before;
    const size_t next = n < before ? n : before;
    memcpy(held, in, next);
    in += next;
    n -= next;
    status = whole_blocks(o, block, out, 1);
    out += BLOCK;
    o->held = (uint32_t)next;
    if (next < before) break;  // the input is used up
  }
  if (status == AES_OK && n != 0) {
    memcpy(held + o->held, in, n);
    o->held += (uint32_t)n;
  }
  aes_wipe(block, sizeof block);
  return status;
}

static psa_status_t cipher_update(aesforge_cipher_operation_t *o, const uint8_t *in, size_t n,
                                  uint8_t *out, size_t out_size, size_t *out_bytes) {
  *out_bytes = 0;
  if (o->mode == NONE) return PSA_ERROR_BAD_STATE;
  if (n == 0) return PSA_SUCCESS;
  if (n > SIZE_MAX - BLOCK) return PSA_ERROR_INVALID_ARGUMENT;
  const size_t made = o->mode == CTR ? n : (o->held + n) / BLOCK * BLOCK;
  if (out_size < made) return PSA_ERROR_BUFFER_TOO_SMALL;
  int status = o->mode == CTR ? stream_bytes(o, in, out, n) : block_bytes(o, in, out, n);
  if (status == AES_OK) *out_bytes = made;
  return aesforge_psa_status(status);
}

psa_status_t aesforge_transparent_cipher_encrypt_setup(aesforge_cipher_operation_t *operation,
                                                       const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size,
                                                       psa_algorithm_t alg) {
  psa_status_t status =
      cipher_setup(operation, attributes, key_buffer, key_buffer_size, alg, 0);
  if (status == PSA_SUCCESS) COUNT(cipher_encrypt_setup);
  return status;
}

psa_status_t aesforge_transparent_cipher_decrypt_setup(aesforge_cipher_operation_t *operation,
                                                       const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size,
                                                       psa_algorithm_t alg) {
  psa_status_t status =
      cipher_setup(operation, attributes, key_buffer, key_buffer_size, alg, 1);
  if (status == PSA_SUCCESS) COUNT(cipher_decrypt_setup);
  return status;
}

psa_status_t aesforge_transparent_cipher_set_iv(aesforge_cipher_operation_t *operation,
                                                const uint8_t *iv, size_t iv_length) {
  if (operation->mode != CBC && operation->mode != CTR) return PSA_ERROR_BAD_STATE;
  if (iv_length != BLOCK) return PSA_ERROR_INVALID_ARGUMENT;
  memcpy(operation->chain, iv, BLOCK);
  COUNT(cipher_set_iv);
  return PSA_SUCCESS;
}

psa_status_t aesforge_transparent_cipher_update(aesforge_cipher_operation_t *operation,
                                                const uint8_t *input, size_t input_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length) {
  COUNT(cipher_update);
  return cipher_update(operation, input, input_length, output, output_size, output_length);
}

psa_status_t aesforge_transparent_cipher_finish(aesforge_cipher_operation_t *operation,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length) {
  (void)output;
  (void)output_size;
  COUNT(cipher_finish);
  *output_length = 0;
  if (operation->mode == NONE) return PSA_ERROR_BAD_STATE;
  if (operation->mode != CTR && operation->held != 0) return PSA_ERROR_INVALID_ARGUMENT;
  return PSA_SUCCESS;
}

psa_status_t aesforge_transparent_cipher_abort(aesforge_cipher_operation_t *operation) {
  COUNT(cipher_abort);
  if (operation->mode != NONE) aes_clear_key(&operation->key);
  aes_wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

static psa_status_t cipher_message(const psa_key_attributes_t *attributes, const uint8_t *key,
                                   size_t key_bytes, psa_algorithm_t alg, int decrypt,
                                   const uint8_t *iv, size_t iv_bytes, const uint8_t *in, size_t n,
                                   uint8_t *out, size_t out_size, size_t *out_bytes) {
  aesforge_cipher_operation_t o;
  psa_status_t status = cipher_setup(&o, attributes, key, key_bytes, alg, decrypt);
  if (status != PSA_SUCCESS) return status;
  if (iv_bytes != (o.mode == ECB ? 0u : BLOCK)) {
    status = PSA_ERROR_INVALID_ARGUMENT;
  } else {
    if (iv_bytes != 0) memcpy(o.chain, iv, iv_bytes);  // ECB: the core gives a null pointer
    status = cipher_update(&o, in, n, out, out_size, out_bytes);
    if (status == PSA_SUCCESS && o.mode != CTR && o.held != 0) status = PSA_ERROR_INVALID_ARGUMENT;
  }
  aes_clear_key(&o.key);
  aes_wipe(&o, sizeof o);
  return status;
}

psa_status_t aesforge_transparent_cipher_encrypt(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *iv,
                                                 size_t iv_length, const uint8_t *input,
                                                 size_t input_length, uint8_t *output,
                                                 size_t output_size, size_t *output_length) {
  psa_status_t status =
      cipher_message(attributes, key_buffer, key_buffer_size, alg, 0, iv, iv_length, input,
                     input_length, output, output_size, output_length);
  if (status != PSA_ERROR_NOT_SUPPORTED) COUNT(cipher_encrypt);
  return status;
}

// The IV is the beginning of the input.
psa_status_t aesforge_transparent_cipher_decrypt(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, uint8_t *output,
                                                 size_t output_size, size_t *output_length) {
  const unsigned mode = cipher_mode(alg);
  if (mode == NONE) return PSA_ERROR_NOT_SUPPORTED;
  const size_t iv = mode == ECB ? 0u : BLOCK;
  if (input_length < iv) return PSA_ERROR_INVALID_ARGUMENT;
  psa_status_t status =
      cipher_message(attributes, key_buffer, key_buffer_size, alg, 1, input, iv, input + iv,
                     input_length - iv, output, output_size, output_length);
  if (status != PSA_ERROR_NOT_SUPPORTED) COUNT(cipher_decrypt);
  return status;
}

// Authenticated encryption ------------------------------------------------------------------------

static unsigned aead_mode(psa_algorithm_t alg) {
  switch (PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg)) {
    case PSA_ALG_GCM: return GCM;
    case PSA_ALG_CCM: return CCM;
    default: return NONE;
  }
}

typedef struct {
  aes_gcm_key_t gcm;
  aes_key_t ccm;
} aead_key_t;

static psa_status_t aead_key(aead_key_t *k, const psa_key_attributes_t *attributes,
                             const uint8_t *key, size_t key_bytes, unsigned mode) {
  if (mode == NONE || !is_aes(attributes, key_bytes)) return PSA_ERROR_NOT_SUPPORTED;
  if (mode == CCM) return expand(&k->ccm, 0, key, key_bytes);
  return aesforge_psa_status(aes_gcm_set_key(&k->gcm, key, 8u * (unsigned)key_bytes));
}

static void aead_forget(aead_key_t *k, unsigned mode) {
  if (mode == CCM) {
    aes_clear_key(&k->ccm);
  } else {
    aes_gcm_clear_key(&k->gcm);
  }
  aes_wipe(k, sizeof *k);
}

psa_status_t aesforge_transparent_aead_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length) {
  const unsigned mode = aead_mode(alg);
  const size_t tag = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  aead_key_t k;
  psa_status_t status = aead_key(&k, attributes, key_buffer, key_buffer_size, mode);
  if (status != PSA_SUCCESS) return status;
  COUNT(aead_encrypt);
  if (ciphertext_size < tag || ciphertext_size - tag < plaintext_length) {
    status = PSA_ERROR_BUFFER_TOO_SMALL;
  } else if (mode == GCM) {
    status = aesforge_psa_status(
        aes_gcm_encrypt(&k.gcm, nonce, nonce_length, additional_data, additional_data_length,
                        plaintext, ciphertext, plaintext_length, ciphertext + plaintext_length,
                        tag));
  } else {
    status = aesforge_psa_status(
        aes_ccm_encrypt(&k.ccm, nonce, nonce_length, additional_data, additional_data_length,
                        plaintext, ciphertext, plaintext_length, ciphertext + plaintext_length,
                        tag));
  }
  if (status == PSA_SUCCESS) *ciphertext_length = plaintext_length + tag;
  aead_forget(&k, mode);
  return status;
}

psa_status_t aesforge_transparent_aead_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length) {
  const unsigned mode = aead_mode(alg);
  const size_t tag = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  aead_key_t k;
  psa_status_t status = aead_key(&k, attributes, key_buffer, key_buffer_size, mode);
  if (status != PSA_SUCCESS) return status;
  COUNT(aead_decrypt);
  const size_t text = ciphertext_length - tag;
  if (ciphertext_length < tag) {
    status = PSA_ERROR_INVALID_ARGUMENT;
  } else if (plaintext_size < text) {
    status = PSA_ERROR_BUFFER_TOO_SMALL;
  } else if (mode == GCM) {
    status = aesforge_psa_status(aes_gcm_decrypt(&k.gcm, nonce, nonce_length, additional_data,
                                                 additional_data_length, ciphertext, plaintext,
                                                 text, ciphertext + text, tag));
  } else {
    status = aesforge_psa_status(aes_ccm_decrypt(&k.ccm, nonce, nonce_length, additional_data,
                                                 additional_data_length, ciphertext, plaintext,
                                                 text, ciphertext + text, tag));
  }
  if (status == PSA_SUCCESS) *plaintext_length = text;
  aead_forget(&k, mode);
  return status;
}

static psa_status_t aead_setup(aesforge_aead_operation_t *o, const psa_key_attributes_t *attributes,
                               const uint8_t *key, size_t key_bytes, psa_algorithm_t alg,
                               int decrypt) {
  const unsigned mode = aead_mode(alg);
  if (mode == NONE || !is_aes(attributes, key_bytes)) return PSA_ERROR_NOT_SUPPORTED;
  memset(o, 0, sizeof *o);
  psa_status_t status =
      mode == CCM
          ? expand(&o->u.ccm.key, 0, key, key_bytes)
          : aesforge_psa_status(aes_gcm_set_key(&o->u.gcm.key, key, 8u * (unsigned)key_bytes));
  if (status != PSA_SUCCESS) {
    aes_wipe(o, sizeof *o);
    return status;
  }
  o->mode = mode;
  o->decrypt = (uint32_t)decrypt;
  o->tag_bytes = PSA_ALG_AEAD_GET_TAG_LENGTH(alg);
  return PSA_SUCCESS;
}

psa_status_t aesforge_transparent_aead_encrypt_setup(aesforge_aead_operation_t *operation,
                                                     const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, psa_algorithm_t alg) {
  psa_status_t status = aead_setup(operation, attributes, key_buffer, key_buffer_size, alg, 0);
  if (status == PSA_SUCCESS) COUNT(aead_encrypt_setup);
  return status;
}

psa_status_t aesforge_transparent_aead_decrypt_setup(aesforge_aead_operation_t *operation,
                                                     const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, psa_algorithm_t alg) {
  psa_status_t status = aead_setup(operation, attributes, key_buffer, key_buffer_size, alg, 1);
  if (status == PSA_SUCCESS) COUNT(aead_decrypt_setup);
  return status;
}

psa_status_t aesforge_transparent_aead_set_nonce(aesforge_aead_operation_t *operation,
                                                 const uint8_t *nonce, size_t nonce_length) {
  aesforge_aead_operation_t *o = operation;
  COUNT(aead_set_nonce);
  if (o->mode == NONE || o->nonce_bytes != 0) return PSA_ERROR_BAD_STATE;
  if (o->mode == CCM) {
    if (nonce_length < 7u || nonce_length > 13u) return PSA_ERROR_INVALID_ARGUMENT;
    memcpy(o->nonce, nonce, nonce_length);
  } else {
    int status = aes_gcm_start(&o->u.gcm.message, &o->u.gcm.key, nonce, nonce_length);
    if (status == AES_OK && o->decrypt) {
      status = aes_gcm_start(&o->u.gcm.stream, &o->u.gcm.key, nonce, nonce_length);
    }
    if (status != AES_OK) return aesforge_psa_status(status);
    o->started = 1u;
  }
  o->nonce_bytes = (uint32_t)nonce_length;
  return PSA_SUCCESS;
}

psa_status_t aesforge_transparent_aead_set_lengths(aesforge_aead_operation_t *operation,
                                                   size_t ad_length, size_t plaintext_length) {
  COUNT(aead_set_lengths);
  if (operation->mode == NONE) return PSA_ERROR_BAD_STATE;
  operation->aad_bytes = ad_length;
  operation->text_bytes = plaintext_length;
  return PSA_SUCCESS;
}

// CCM starts when both nonce and lengths are known; the caller sets them before everything else.
// The second context of a decryption gives the text alone: it announces no AAD.
static psa_status_t started(aesforge_aead_operation_t *o) {
  if (o->mode == NONE || o->nonce_bytes == 0) return PSA_ERROR_BAD_STATE;
  if (o->started) return PSA_SUCCESS;
  int status = aes_ccm_start(&o->u.ccm.message, &o->u.ccm.key, o->nonce, o->nonce_bytes,
                             o->aad_bytes, o->text_bytes, o->tag_bytes);
  if (status == AES_OK && o->decrypt) {
    status = aes_ccm_start(&o->u.ccm.stream, &o->u.ccm.key, o->nonce, o->nonce_bytes, 0,
                           o->text_bytes, o->tag_bytes);
  }
  o->started = status == AES_OK;
  return aesforge_psa_status(status);
}

psa_status_t aesforge_transparent_aead_update_ad(aesforge_aead_operation_t *operation,
                                                 const uint8_t *input, size_t input_length) {
  aesforge_aead_operation_t *o = operation;
  psa_status_t status = started(o);
  COUNT(aead_update_ad);
  if (status != PSA_SUCCESS) return status;
  return aesforge_psa_status(o->mode == GCM ? aes_gcm_aad(&o->u.gcm.message, input, input_length)
                                            : aes_ccm_aad(&o->u.ccm.message, input, input_length));
}

// Decryption in place: authenticate the ciphertext before it is overwritten.
psa_status_t aesforge_transparent_aead_update(aesforge_aead_operation_t *operation,
                                              const uint8_t *input, size_t input_length,
                                              uint8_t *output, size_t output_size,
                                              size_t *output_length) {
  aesforge_aead_operation_t *o = operation;
  psa_status_t status = started(o);
  COUNT(aead_update);
  if (status != PSA_SUCCESS) return status;
  if (output_size < input_length) return PSA_ERROR_BUFFER_TOO_SMALL;
  int done;
  if (o->mode == GCM) {
    aes_gcm_t *text = o->decrypt ? &o->u.gcm.stream : &o->u.gcm.message;
    done = o->decrypt ? aes_gcm_verify_update(&o->u.gcm.message, input, input_length) : AES_OK;
    if (done == AES_OK) done = aes_gcm_encrypt_update(text, input, output, input_length);
  } else {
    aes_ccm_t *text = o->decrypt ? &o->u.ccm.stream : &o->u.ccm.message;
    done = o->decrypt ? aes_ccm_verify_update(&o->u.ccm.message, input, input_length) : AES_OK;
    if (done == AES_OK) done = aes_ccm_encrypt_update(text, input, output, input_length);
  }
  if (done == AES_OK) *output_length = input_length;
  return aesforge_psa_status(done);
}

psa_status_t aesforge_transparent_aead_finish(aesforge_aead_operation_t *operation,
                                              uint8_t *ciphertext, size_t ciphertext_size,
                                              size_t *ciphertext_length, uint8_t *tag,
                                              size_t tag_size, size_t *tag_length) {
  aesforge_aead_operation_t *o = operation;
  (void)ciphertext;
  (void)ciphertext_size;
  psa_status_t status = started(o);
  COUNT(aead_finish);
  if (status != PSA_SUCCESS) return status;
  if (o->decrypt) return PSA_ERROR_BAD_STATE;
  if (tag_size < o->tag_bytes) return PSA_ERROR_BUFFER_TOO_SMALL;
  int done = o->mode == GCM ? aes_gcm_encrypt_finish(&o->u.gcm.message, tag, o->tag_bytes)
                            : aes_ccm_encrypt_finish(&o->u.ccm.message, tag);
  if (done == AES_OK) {
    *ciphertext_length = 0;
    *tag_length = o->tag_bytes;
  }
  return aesforge_psa_status(done);
}

psa_status_t aesforge_transparent_aead_verify(aesforge_aead_operation_t *operation,
                                              uint8_t *plaintext, size_t plaintext_size,
                                              size_t *plaintext_length, const uint8_t *tag,
                                              size_t tag_length) {
  aesforge_aead_operation_t *o = operation;
  (void)plaintext;
  (void)plaintext_size;
  psa_status_t status = started(o);
  COUNT(aead_verify);
  if (status != PSA_SUCCESS) return status;
  if (!o->decrypt) return PSA_ERROR_BAD_STATE;
  if (tag_length != o->tag_bytes) return PSA_ERROR_INVALID_SIGNATURE;
  *plaintext_length = 0;
  return aesforge_psa_status(o->mode == GCM
                                 ? aes_gcm_verify_finish(&o->u.gcm.message, tag, tag_length)
                                 : aes_ccm_verify_finish(&o->u.ccm.message, tag));
}

psa_status_t aesforge_transparent_aead_abort(aesforge_aead_operation_t *operation) {
  COUNT(aead_abort);
  if (operation->mode == GCM) aes_gcm_clear_key(&operation->u.gcm.key);
  if (operation->mode == CCM) aes_clear_key(&operation->u.ccm.key);
  aes_wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

// CMAC --------------------------------------------------------------------------------------------

// Without PSA_WANT_ALG_CMAC its code is not linked.
#ifdef PSA_WANT_ALG_CMAC
#define HAS_CMAC 1
#else
#define HAS_CMAC 0
#endif

static int is_cmac(const psa_key_attributes_t *attributes, size_t key_bytes, psa_algorithm_t alg) {
  return HAS_CMAC && PSA_ALG_FULL_LENGTH_MAC(alg) == PSA_ALG_CMAC && is_aes(attributes, key_bytes);
}

static psa_status_t mac_setup(aesforge_mac_operation_t *o, const psa_key_attributes_t *attributes,
                              const uint8_t *key, size_t key_bytes, psa_algorithm_t alg) {
  if (!is_cmac(attributes, key_bytes, alg)) return PSA_ERROR_NOT_SUPPORTED;
  memset(o, 0, sizeof *o);
  int status = aes_cmac_set_key(&o->key, key, 8u * (unsigned)key_bytes);
  if (status == AES_OK) status = aes_cmac_start(&o->message, &o->key);
  if (status == AES_OK) {
    o->running = 1u;
  } else {
    aes_wipe(o, sizeof *o);
  }
  return aesforge_psa_status(status);
}

psa_status_t aesforge_transparent_mac_sign_setup(aesforge_mac_operation_t *operation,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg) {
  psa_status_t status = mac_setup(operation, attributes, key_buffer, key_buffer_size, alg);
  if (status == PSA_SUCCESS) COUNT(mac_sign_setup);
  return status;
}

psa_status_t aesforge_transparent_mac_verify_setup(aesforge_mac_operation_t *operation,
                                                   const psa_key_attributes_t *attributes,
                                                   const uint8_t *key_buffer,
                                                   size_t key_buffer_size, psa_algorithm_t alg) {
  psa_status_t status = mac_setup(operation, attributes, key_buffer, key_buffer_size, alg);
  if (status == PSA_SUCCESS) COUNT(mac_verify_setup);
  return status;
}

psa_status_t aesforge_transparent_mac_update(aesforge_mac_operation_t *operation,
                                             const uint8_t *input, size_t input_length) {
  COUNT(mac_update);
  if (!HAS_CMAC || !operation->running) return PSA_ERROR_BAD_STATE;
  return aesforge_psa_status(aes_cmac_update(&operation->message, input, input_length));
}

psa_status_t aesforge_transparent_mac_sign_finish(aesforge_mac_operation_t *operation, uint8_t *mac,
                                                  size_t mac_size, size_t *mac_length) {
  COUNT(mac_sign_finish);
  if (!HAS_CMAC || !operation->running) return PSA_ERROR_BAD_STATE;
  psa_status_t status = aesforge_psa_status(aes_cmac_finish(&operation->message, mac, mac_size));
  if (status == PSA_SUCCESS) *mac_length = mac_size;
  return status;
}

psa_status_t aesforge_transparent_mac_verify_finish(aesforge_mac_operation_t *operation,
                                                    const uint8_t *mac, size_t mac_length) {
  COUNT(mac_verify_finish);
  if (!HAS_CMAC || !operation->running) return PSA_ERROR_BAD_STATE;
  return aesforge_psa_status(aes_cmac_verify_finish(&operation->message, mac, mac_length));
}

psa_status_t aesforge_transparent_mac_abort(aesforge_mac_operation_t *operation) {
  COUNT(mac_abort);
  if (HAS_CMAC && operation->running) aes_cmac_clear_key(&operation->key);
  aes_wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

psa_status_t aesforge_transparent_mac_compute(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_length, uint8_t *mac, size_t mac_size,
                                              size_t *mac_length) {
  if (!is_cmac(attributes, key_buffer_size, alg)) return PSA_ERROR_NOT_SUPPORTED;
  const size_t bytes = PSA_MAC_LENGTH(PSA_KEY_TYPE_AES, 8u * key_buffer_size, alg);
  if (mac_size < bytes) return PSA_ERROR_BUFFER_TOO_SMALL;
  COUNT(mac_compute);
  aes_cmac_key_t k;
  int status = aes_cmac_set_key(&k, key_buffer, 8u * (unsigned)key_buffer_size);
  if (status == AES_OK) {
    status = aes_cmac(&k, input, input_length, mac, bytes);
    aes_cmac_clear_key(&k);
  }
  if (status == AES_OK) *mac_length = bytes;
  return aesforge_psa_status(status);
}
