// SPDX-License-Identifier: Apache-2.0
// Curves of the PSA driver: P-256 and X25519. Formats of keys: PSA Cryptography API, sections
// "Key formats" of psa_export_key and psa_export_public_key.
#include "psa_internal.h"

#include <string.h>

#include "ecc.h"
#include "p256.h"
#include "words.h"

#define SCALAR 32u
#define POINT 65u  // 0x04 || x || y
#define UNCOMPRESSED 4u

enum { NO_CURVE, P256, C25519 };

static psa_status_t to_psa(int status) {
  switch (status) {
    case ECC_OK: return PSA_SUCCESS;
    case ECC_ERR_SIGNATURE: return PSA_ERROR_INVALID_SIGNATURE;
    default: return PSA_ERROR_INVALID_ARGUMENT;
  }
}

static unsigned curve(psa_key_type_t type, size_t bits) {
  if (!PSA_KEY_TYPE_IS_ECC(type)) return NO_CURVE;
  switch (PSA_KEY_TYPE_ECC_GET_FAMILY(type)) {
    case PSA_ECC_FAMILY_SECP_R1: return bits == 256u ? P256 : NO_CURVE;
    case PSA_ECC_FAMILY_MONTGOMERY: return bits == 255u ? C25519 : NO_CURVE;
    default: return NO_CURVE;
  }
}

static unsigned curve_of(const psa_key_attributes_t *attributes) {
  return curve(psa_get_key_type(attributes), psa_get_key_bits(attributes));
}

// Zero if 0 < d < n.
static uint32_t bad_scalar(const uint8_t d[SCALAR]) {
  uint32_t k[8];
  uint32_t bad = p256_read_scalar(k, d);
  ecc_wipe(k, sizeof k);
  return bad;
}

// Zero if the 64 bytes are a point of the curve.
static uint32_t bad_point(const uint8_t xy[2u * SCALAR]) {
  p256_work_t w;
  uint32_t bad = p256_read_point(&w, xy);
  ecc_wipe(&w, sizeof w);
  return bad;
}

psa_status_t aesforge_transparent_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits) {
  const psa_key_type_t type = psa_get_key_type(attributes);
  const int pair = PSA_KEY_TYPE_IS_KEY_PAIR(type);
  // Without a size in the attributes, the data's length says which curve of the family it is.
  size_t size = *bits;
  if (size == 0u && PSA_KEY_TYPE_IS_ECC(type)) {
    size = PSA_KEY_TYPE_ECC_GET_FAMILY(type) == PSA_ECC_FAMILY_MONTGOMERY ? 255u : 256u;
  }
  const unsigned which = curve(type, size);
  if (which == NO_CURVE) return PSA_ERROR_NOT_SUPPORTED;
  if (data_length != (which == P256 && !pair ? POINT : SCALAR)) {
    return *bits == 0u ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
  }
  COUNT(import_key);
  if (which == P256) {
    if (pair ? bad_scalar(data) != 0u : data[0] != UNCOMPRESSED || bad_point(data + 1) != 0u) {
      return PSA_ERROR_INVALID_ARGUMENT;
    }
  }
  if (key_buffer_size < data_length) return PSA_ERROR_BUFFER_TOO_SMALL;
  memcpy(key_buffer, data, data_length);
  if (which == C25519 && pair) {  // exported as it is used (RFC 7748, section 5)
    key_buffer[0] &= 248u;
    key_buffer[31] = (uint8_t)((key_buffer[31] & 127u) | 64u);
  }
  *key_buffer_length = data_length;
  *bits = size;
  return PSA_SUCCESS;
}

psa_status_t aesforge_transparent_export_public_key(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, uint8_t *data,
                                                    size_t data_size, size_t *data_length) {
  const unsigned which = curve_of(attributes);
  if (which == NO_CURVE) return PSA_ERROR_NOT_SUPPORTED;
  const int pair = PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes));
  const size_t bytes = which == P256 ? POINT : SCALAR;
  if (key_buffer_size != (pair ? SCALAR : bytes)) return PSA_ERROR_INVALID_ARGUMENT;
  if (data_size < bytes) return PSA_ERROR_BUFFER_TOO_SMALL;
  COUNT(export_public_key);
  int status = ECC_OK;
  if (!pair) {
    memcpy(data, key_buffer, bytes);
  } else if (which == P256) {
    data[0] = UNCOMPRESSED;
    status = p256_public_key(data + 1, key_buffer);
  } else {
    status = x25519_base(data, key_buffer);
  }
  if (status == ECC_OK) *data_length = bytes;
  return to_psa(status);
}

psa_status_t aesforge_transparent_generate_key(const psa_key_attributes_t *attributes,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length) {
  const unsigned which = curve_of(attributes);
  if (which == NO_CURVE) return PSA_ERROR_NOT_SUPPORTED;
  if (key_buffer_size < SCALAR) return PSA_ERROR_BUFFER_TOO_SMALL;
  COUNT(generate_key);
  // A candidate is out of range once in 2^32 times; that reveals nothing about the next one
  // (FIPS 186-5, appendix A.2.2).
  do {
    psa_status_t status = psa_generate_random(key_buffer, SCALAR);
    if (status != PSA_SUCCESS) return status;
  } while (which == P256 && bad_scalar(key_buffer) != 0u);
  if (which == C25519) {
    key_buffer[0] &= 248u;
    key_buffer[31] = (uint8_t)((key_buffer[31] & 127u) | 64u);
  }
  *key_buffer_length = SCALAR;
  return PSA_SUCCESS;
}

psa_status_t aesforge_transparent_key_agreement(const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                psa_algorithm_t alg, const uint8_t *peer_key,
                                                size_t peer_key_length, uint8_t *shared_secret,
                                                size_t shared_secret_size,
                                                size_t *shared_secret_length) {
  const unsigned which = curve_of(attributes);
  if (which == NO_CURVE || !PSA_ALG_IS_ECDH(alg)) return PSA_ERROR_NOT_SUPPORTED;
  if (key_buffer_size != SCALAR || peer_key_length != (which == P256 ? POINT : SCALAR)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (which == P256 && peer_key[0] != UNCOMPRESSED) return PSA_ERROR_INVALID_ARGUMENT;
  if (shared_secret_size < SCALAR) return PSA_ERROR_BUFFER_TOO_SMALL;
  COUNT(key_agreement);
  int status = which == P256 ? p256_ecdh(shared_secret, key_buffer, peer_key + 1)
                             : x25519(shared_secret, key_buffer, peer_key);
  if (status == ECC_OK) *shared_secret_length = SCALAR;
  return to_psa(status);
}

// Nonces are those of RFC 6979 with HMAC-SHA-256. That is a valid ECDSA of any hash, but
// deterministic ECDSA only of SHA-256.
static int is_ecdsa(psa_algorithm_t alg) {
  return PSA_ALG_IS_ECDSA(alg) && (!PSA_ALG_ECDSA_IS_DETERMINISTIC(alg) ||
                                   PSA_ALG_SIGN_GET_HASH(alg) == PSA_ALG_SHA_256);
}

psa_status_t aesforge_transparent_sign_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, uint8_t *signature,
                                            size_t signature_size, size_t *signature_length) {
  if (curve_of(attributes) != P256 || !is_ecdsa(alg)) return PSA_ERROR_NOT_SUPPORTED;
  if (key_buffer_size != SCALAR) return PSA_ERROR_INVALID_ARGUMENT;
  if (signature_size < 2u * SCALAR) return PSA_ERROR_BUFFER_TOO_SMALL;
  COUNT(sign_hash);
  int status = p256_ecdsa_sign(signature, key_buffer, hash, hash_length);
  if (status == ECC_OK) *signature_length = 2u * SCALAR;
  return to_psa(status);
}

psa_status_t aesforge_transparent_verify_hash(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *hash,
                                              size_t hash_length, const uint8_t *signature,
                                              size_t signature_length) {
  // A verifier cannot tell how the nonce was made.
  if (curve_of(attributes) != P256 || !PSA_ALG_IS_ECDSA(alg)) return PSA_ERROR_NOT_SUPPORTED;
  if (signature_length != 2u * SCALAR) return PSA_ERROR_INVALID_SIGNATURE;
  COUNT(verify_hash);
  if (!PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes))) {
    if (key_buffer_size != POINT) return PSA_ERROR_INVALID_ARGUMENT;
    return to_psa(p256_ecdsa_verify(signature, key_buffer + 1, hash, hash_length));
  }
  uint8_t own[2u * SCALAR];
  if (key_buffer_size != SCALAR) return PSA_ERROR_INVALID_ARGUMENT;
  int status = p256_public_key(own, key_buffer);
  if (status == ECC_OK) status = p256_ecdsa_verify(signature, own, hash, hash_length);
  return to_psa(status);
}

#ifdef AESFORGE_PSA_COUNT
uint32_t aesforge_psa_calls[ENTRIES];
#endif
