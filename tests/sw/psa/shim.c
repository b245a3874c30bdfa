// SPDX-License-Identifier: Apache-2.0
// What Python needs of the PSA interface beside its functions: constants, sizes, attributes.
#include <psa/crypto.h>
#include <sys/random.h>

#include "psa_internal.h"

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length) {
  (void)context;
  *output_length = output_size;
  return getrandom(output, output_size, 0) == (ssize_t)output_size
             ? PSA_SUCCESS
             : PSA_ERROR_INSUFFICIENT_ENTROPY;
}

const uint32_t t_ecb = PSA_ALG_ECB_NO_PADDING, t_cbc = PSA_ALG_CBC_NO_PADDING, t_ctr = PSA_ALG_CTR;
const uint32_t t_gcm = PSA_ALG_GCM, t_ccm = PSA_ALG_CCM, t_cmac = PSA_ALG_CMAC;
const uint32_t t_ecdh = PSA_ALG_ECDH, t_ecdsa = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
const uint32_t t_ecdsa_any = PSA_ALG_ECDSA(PSA_ALG_ANY_HASH);
const uint32_t t_deterministic = PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256);
const uint32_t t_aes = PSA_KEY_TYPE_AES;
const uint32_t t_p256 = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
const uint32_t t_p256_public = PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1);
const uint32_t t_c25519 = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY);
const uint32_t t_c25519_public = PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_MONTGOMERY);
const uint32_t t_entries = ENTRIES;

#define X(name) #name,
static const char *const names[] = {ENTRY_POINTS(X)};
#undef X

const char *t_entry_name(uint32_t number) { return names[number]; }

uint32_t t_calls(uint32_t number) { return aesforge_psa_calls[number]; }

// The largest of the three operations: all begin as zeros.
size_t t_operation_bytes(void) {
  size_t most = sizeof(psa_cipher_operation_t);
  if (most < sizeof(psa_aead_operation_t)) most = sizeof(psa_aead_operation_t);
  return most < sizeof(psa_mac_operation_t) ? sizeof(psa_mac_operation_t) : most;
}

uint32_t t_aead_tag(uint32_t alg, size_t bytes) {
  return PSA_ALG_AEAD_WITH_SHORTENED_TAG(alg, bytes);
}

uint32_t t_mac_bytes(uint32_t alg, size_t bytes) { return PSA_ALG_TRUNCATED_MAC(alg, bytes); }

static psa_key_attributes_t attributes_of(uint32_t type, size_t bits, uint32_t alg) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_set_key_type(&attributes, (psa_key_type_t)type);
  psa_set_key_bits(&attributes, bits);
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_ENCRYPT |
                                           PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_SIGN_HASH |
                                           PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_SIGN_MESSAGE |
                                           PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_DERIVE);
  return attributes;
}

psa_status_t t_import(uint32_t type, size_t bits, uint32_t alg, const uint8_t *data, size_t bytes,
                      uint32_t *id) {
  psa_key_attributes_t attributes = attributes_of(type, bits, alg);
  return psa_import_key(&attributes, data, bytes, id);
}

psa_status_t t_generate(uint32_t type, size_t bits, uint32_t alg, uint32_t *id) {
  psa_key_attributes_t attributes = attributes_of(type, bits, alg);
  return psa_generate_key(&attributes, id);
}
