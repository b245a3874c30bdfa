// SPDX-License-Identifier: Apache-2.0
// AES, GHASH, curves and ECDSA for BearSSL 0.6, in its own interfaces. Give them to
// br_ssl_engine_set_* or to br_gcm_init, br_ccm_init and the like.
//
// Contexts hold the raw key, so their size depends on no kernel, and each fits the union that
// BearSSL keeps for it. Expanded keys are in the cache of aesforge.h: call aesforge_forget when a
// session ends, and wipe contexts. Keys, IVs and data have any alignment.
//
// The time depends on lengths alone, unless the kernel says otherwise. Points and signatures of the
// other party are public: the time may depend on whether they are valid.
#ifndef AESFORGE_BEARSSL_H
#define AESFORGE_BEARSSL_H

#include "bearssl_block.h"
#include "bearssl_ec.h"

// BearSSL's interfaces of ciphers return no status, but a unit may fail or lack a direction. Then
// the data and the chaining value become zeros, and this function is called. Weak; the default ends
// the program with a trap. Replace it by a function that does not return to BearSSL, which would
// take zeros for a result: a tag of zeros would pass. `status` is an error of aes_kernel.h.
void br_aesforge_failed(int status);

#define BR_AESFORGE_KEYS(kind)          \
  typedef struct {                      \
    const br_block_##kind##_class *vtable; \
    uint32_t key[8];                    \
    uint32_t key_bits;                  \
  } br_aesforge_##kind##_keys

BR_AESFORGE_KEYS(cbcenc);
BR_AESFORGE_KEYS(cbcdec);
BR_AESFORGE_KEYS(ctr);
BR_AESFORGE_KEYS(ctrcbc);

// AES with keys of 16, 24 and 32 bytes. ctrcbc is what CCM and EAX want.
extern const br_block_cbcenc_class br_aesforge_cbcenc_vtable;
extern const br_block_cbcdec_class br_aesforge_cbcdec_vtable;
extern const br_block_ctr_class br_aesforge_ctr_vtable;
extern const br_block_ctrcbc_class br_aesforge_ctrcbc_vtable;

void br_aesforge_ghash(void *y, const void *h, const void *data, size_t len);

// P-256 and X25519. A multiplier out of range is an error: mul and muladd return 0, and so does
// mulgen. X25519 refuses points of small order, and has no muladd, as in BearSSL.
extern const br_ec_impl br_aesforge_ec;

// ECDSA on P-256. Nonces are those of RFC 6979 with HMAC-SHA-256, whatever the hash of the message.
// `impl` is not used.
size_t br_aesforge_ecdsa_sign_raw(const br_ec_impl *impl, const br_hash_class *hf,
                                  const void *hash_value, const br_ec_private_key *sk, void *sig);
size_t br_aesforge_ecdsa_sign_asn1(const br_ec_impl *impl, const br_hash_class *hf,
                                   const void *hash_value, const br_ec_private_key *sk, void *sig);
uint32_t br_aesforge_ecdsa_vrfy_raw(const br_ec_impl *impl, const void *hash, size_t hash_len,
                                    const br_ec_public_key *pk, const void *sig, size_t sig_len);
uint32_t br_aesforge_ecdsa_vrfy_asn1(const br_ec_impl *impl, const void *hash, size_t hash_len,
                                     const br_ec_public_key *pk, const void *sig, size_t sig_len);

#endif
