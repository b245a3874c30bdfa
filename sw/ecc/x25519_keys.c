// SPDX-License-Identifier: Apache-2.0
// X25519: new keys.
#include "ecc.h"
#include "words.h"

#define BYTES 32u

int x25519_generate(uint8_t d[32], uint8_t pub[32], ecc_random_t random, void *context) {
  uint8_t fresh[BYTES];
  int status = ECC_ERR_RANDOM;
  if (random(context, fresh, BYTES) == 0) {
    fresh[0] &= 248u;  // RFC 7748, section 5
    fresh[31] = (uint8_t)((fresh[31] & 127u) | 64u);
    status = pub == NULL ? ECC_OK : x25519_base(pub, fresh);
  }
  for (unsigned i = 0; i < BYTES && status == ECC_OK; i++) {
    d[i] = fresh[i];
  }
  ecc_wipe(fresh, sizeof fresh);
  ecc_wipe_stack();
  return status;
}
