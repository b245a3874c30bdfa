// SPDX-License-Identifier: Apache-2.0
// What a context of AES-GCM is doing, and the longest text. Private to sw/modes.
#ifndef GCM_PHASES_H
#define GCM_PHASES_H

#define MAX_TEXT 0xfffffffe0u  // bytes: 2^39 - 256 bits, SP 800-38D, section 5.2.1.1

enum {
  PHASE_NONE,
  PHASE_AAD,
  PHASE_ENCRYPT,
  PHASE_VERIFY,
  PHASE_DECRYPT,
  PHASE_UNVERIFIED  // decryption of one pass (aes_gcm_unverified.h)
};

#endif
