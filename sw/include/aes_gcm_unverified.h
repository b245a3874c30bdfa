// SPDX-License-Identifier: Apache-2.0
// AES-GCM decryption in one pass: plaintext is released BEFORE its tag is verified.
//
// THE CONSEQUENCE: what unverified_update writes may be an attacker's choice. Whoever flips a bit
// of the ciphertext flips that bit of the plaintext, and no status says so until unverified_finish.
// Do not parse, forward, store or execute the text, and let nothing that others can observe depend
// on it, before unverified_finish has returned AES_OK. After any other status wipe all of it.
// NIST SP 800-38D, section 7.2, releases plaintext only after the tag is right.
//
// These functions are for software whose interface wants pieces of plaintext as ciphertext arrives
// (PSA's aead_update, for example) and which keeps the text back itself. Everything else: call
// aes_gcm_decrypt, or the two passes of aes_gcm.h, which release nothing unverified.
//
// aes_gcm_start, aes_gcm_aad ..., aes_gcm_unverified_update ..., aes_gcm_unverified_finish
//
// Rules of aes_gcm.h for pieces hold: any lengths, any alignment, in place or disjoint; a call out
// of order returns AES_ERR_ORDER and an invalid tag length AES_ERR_LENGTH, both without a change;
// every other error wipes the context, and that of an update zeros its `out`. Earlier pieces are
// the caller's to wipe. Encryption and the two passes refuse a context that began here.
//
// A kernel that replaces any call on aes_gcm_t replaces all of them, these two included.
#ifndef AES_GCM_UNVERIFIED_H
#define AES_GCM_UNVERIFIED_H

#include "aes_gcm.h"

int aes_gcm_unverified_update(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n);

// AES_OK: all text that the updates wrote is authentic. AES_ERR_TAG: none of it is. Wipes the
// context.
int aes_gcm_unverified_finish(aes_gcm_t *g, const uint8_t *tag, size_t tag_bytes);

#endif
