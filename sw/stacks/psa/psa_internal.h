// SPDX-License-Identifier: Apache-2.0
// What the driver's files share.
#ifndef AESFORGE_PSA_INTERNAL_H
#define AESFORGE_PSA_INTERNAL_H

#include "aesforge_psa.h"

// Calls that an entry point did work for, counted on request: the tests want every one called.
#ifdef AESFORGE_PSA_COUNT
#define ENTRY_POINTS(X)                                                                  \
  X(import_key) X(export_public_key) X(generate_key) X(key_agreement) X(sign_hash)        \
  X(verify_hash) X(cipher_encrypt) X(cipher_decrypt) X(cipher_encrypt_setup)              \
  X(cipher_decrypt_setup) X(cipher_set_iv) X(cipher_update) X(cipher_finish)              \
  X(cipher_abort) X(aead_encrypt) X(aead_decrypt) X(aead_encrypt_setup)                   \
  X(aead_decrypt_setup) X(aead_set_nonce) X(aead_set_lengths) X(aead_update_ad)           \
  X(aead_update) X(aead_finish) X(aead_verify) X(aead_abort) X(mac_compute)               \
  X(mac_sign_setup) X(mac_verify_setup) X(mac_update) X(mac_sign_finish)                  \
  X(mac_verify_finish) X(mac_abort)

enum {
#define X(name) ENTRY_##name,
  ENTRY_POINTS(X)
#undef X
  ENTRIES
};

extern uint32_t aesforge_psa_calls[ENTRIES];
#define COUNT(name) ((void)aesforge_psa_calls[ENTRY_##name]++)
#else
#define COUNT(name) ((void)0)
#endif

psa_status_t aesforge_psa_status(int status);

#endif
