// SPDX-License-Identifier: Apache-2.0
// AES-GCM decryption that releases unverified text; contract in aes_gcm_unverified.h.
//
// It is the second pass of aes_gcm.c, which hashes what it decrypts, before the first one's end,
// which makes the tag.
#include "aes_gcm_unverified.h"
#include "gcm_parts.h"

// From the AAD to the text; AES_OK if the context decrypts in one pass.
static int enter(aes_gcm_t *g) {
  if (g->phase == PHASE_AAD) {
    const int status = aes_gcm_verify_update(g, NULL, 0);  // hashes the rest of the AAD
    if (status != AES_OK) {
      return status;
    }
    g->verified_bytes = MAX_TEXT;  // of a text of which nothing is verified: no bound but GCM's
    g->phase = PHASE_UNVERIFIED;
  }
  return g->phase == PHASE_UNVERIFIED ? AES_OK : AES_ERR_ORDER;
}

WEAK int aes_gcm_unverified_update(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n) {
  int status = enter(g);
  if (status != AES_OK) {
    return status;
  }
  if (beyond(g->text_bytes, n, MAX_TEXT)) {
    aes_wipe(g, sizeof *g);
    return AES_ERR_LENGTH;
  }
  g->phase = PHASE_DECRYPT;
  status = aes_gcm_decrypt_update(g, in, out, n);
  if (status == AES_OK) {
    g->phase = PHASE_UNVERIFIED;
  }
  return status;
}

WEAK int aes_gcm_unverified_finish(aes_gcm_t *g, const uint8_t *tag, size_t tag_bytes) {
  if (!tag_length_allowed(tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  int status = enter(g);
  if (status != AES_OK) {
    return status;
  }
  g->phase = PHASE_VERIFY;
  status = aes_gcm_verify_finish(g, tag, tag_bytes);
  aes_wipe(g, sizeof *g);
  return status;
}
