// SPDX-License-Identifier: Apache-2.0
// A transparent PSA driver over the kernel contract: AES (ECB, CBC, CTR, GCM, CCM, CMAC), ECDH and
// ECDSA on P-256, and X25519. Source of the entry points: "PSA Cryptoprocessor driver interface"
// (docs/proposed/psa-driver-interface.md of Mbed TLS).
//
// An entry point returns PSA_ERROR_NOT_SUPPORTED for keys and algorithms that are not its own, and
// changes nothing then: the core asks the next driver.
#ifndef AESFORGE_PSA_H
#define AESFORGE_PSA_H

#include "psa/crypto.h"

#include "aesforge_psa_types.h"

// Keys --------------------------------------------------------------------------------------------

psa_status_t aesforge_transparent_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits);
psa_status_t aesforge_transparent_export_public_key(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, uint8_t *data,
                                                    size_t data_size, size_t *data_length);
psa_status_t aesforge_transparent_generate_key(const psa_key_attributes_t *attributes,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length);

// Curves ------------------------------------------------------------------------------------------

psa_status_t aesforge_transparent_key_agreement(const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                psa_algorithm_t alg, const uint8_t *peer_key,
                                                size_t peer_key_length, uint8_t *shared_secret,
                                                size_t shared_secret_size,
                                                size_t *shared_secret_length);
psa_status_t aesforge_transparent_sign_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, uint8_t *signature,
                                            size_t signature_size, size_t *signature_length);
psa_status_t aesforge_transparent_verify_hash(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *hash,
                                              size_t hash_length, const uint8_t *signature,
                                              size_t signature_length);

// Ciphers -----------------------------------------------------------------------------------------

psa_status_t aesforge_transparent_cipher_encrypt(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *iv,
                                                 size_t iv_length, const uint8_t *input,
                                                 size_t input_length, uint8_t *output,
                                                 size_t output_size, size_t *output_length);
psa_status_t aesforge_transparent_cipher_decrypt(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, uint8_t *output,
                                                 size_t output_size, size_t *output_length);
psa_status_t aesforge_transparent_cipher_encrypt_setup(aesforge_cipher_operation_t *operation,
                                                       const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t aesforge_transparent_cipher_decrypt_setup(aesforge_cipher_operation_t *operation,
                                                       const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t aesforge_transparent_cipher_set_iv(aesforge_cipher_operation_t *operation,
                                                const uint8_t *iv, size_t iv_length);
psa_status_t aesforge_transparent_cipher_update(aesforge_cipher_operation_t *operation,
                                                const uint8_t *input, size_t input_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length);
psa_status_t aesforge_transparent_cipher_finish(aesforge_cipher_operation_t *operation,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length);
psa_status_t aesforge_transparent_cipher_abort(aesforge_cipher_operation_t *operation);

// Authenticated encryption ------------------------------------------------------------------------
// Multi-part decryption gives plaintext before the tag was verified: this interface wants it so.

psa_status_t aesforge_transparent_aead_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t aesforge_transparent_aead_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length);
psa_status_t aesforge_transparent_aead_encrypt_setup(aesforge_aead_operation_t *operation,
                                                     const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t aesforge_transparent_aead_decrypt_setup(aesforge_aead_operation_t *operation,
                                                     const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t aesforge_transparent_aead_set_nonce(aesforge_aead_operation_t *operation,
                                                 const uint8_t *nonce, size_t nonce_length);
psa_status_t aesforge_transparent_aead_set_lengths(aesforge_aead_operation_t *operation,
                                                   size_t ad_length, size_t plaintext_length);
psa_status_t aesforge_transparent_aead_update_ad(aesforge_aead_operation_t *operation,
                                                 const uint8_t *input, size_t input_length);
psa_status_t aesforge_transparent_aead_update(aesforge_aead_operation_t *operation,
                                              const uint8_t *input, size_t input_length,
                                              uint8_t *output, size_t output_size,
                                              size_t *output_length);
psa_status_t aesforge_transparent_aead_finish(aesforge_aead_operation_t *operation,
                                              uint8_t *ciphertext, size_t ciphertext_size,
                                              size_t *ciphertext_length, uint8_t *tag,
                                              size_t tag_size, size_t *tag_length);
psa_status_t aesforge_transparent_aead_verify(aesforge_aead_operation_t *operation,
                                              uint8_t *plaintext, size_t plaintext_size,
                                              size_t *plaintext_length, const uint8_t *tag,
                                              size_t tag_length);
psa_status_t aesforge_transparent_aead_abort(aesforge_aead_operation_t *operation);

// CMAC --------------------------------------------------------------------------------------------

psa_status_t aesforge_transparent_mac_compute(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_length, uint8_t *mac, size_t mac_size,
                                              size_t *mac_length);
psa_status_t aesforge_transparent_mac_sign_setup(aesforge_mac_operation_t *operation,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg);
psa_status_t aesforge_transparent_mac_verify_setup(aesforge_mac_operation_t *operation,
                                                   const psa_key_attributes_t *attributes,
                                                   const uint8_t *key_buffer,
                                                   size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t aesforge_transparent_mac_update(aesforge_mac_operation_t *operation,
                                             const uint8_t *input, size_t input_length);
psa_status_t aesforge_transparent_mac_sign_finish(aesforge_mac_operation_t *operation, uint8_t *mac,
                                                  size_t mac_size, size_t *mac_length);
psa_status_t aesforge_transparent_mac_verify_finish(aesforge_mac_operation_t *operation,
                                                    const uint8_t *mac, size_t mac_length);
psa_status_t aesforge_transparent_mac_abort(aesforge_mac_operation_t *operation);

#endif
