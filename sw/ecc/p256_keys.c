// SPDX-License-Identifier: Apache-2.0
// P-256: checks of keys apart from a multiplication, new keys, and products with both coordinates.
#include "ecc.h"
#include "p256.h"
#include "words.h"

#define BYTES 32u
#define CANDIDATES 8u  // each is out of range once in 2^32 times

int p256_check_private(const uint8_t d[32]) {
  uint32_t k[8];
  const int status = p256_read_scalar(k, d) == 0u ? ECC_OK : ECC_ERR_SCALAR;
  ecc_wipe(k, sizeof k);
  ecc_wipe_stack();
  return status;
}

int p256_check_public(const uint8_t pub[64]) {
  p256_work_t w;
  return p256_read_point(&w, pub) == 0u ? ECC_OK : ECC_ERR_POINT;
}

int p256_generate(uint8_t d[32], uint8_t pub[64], ecc_random_t random, void *context) {
  uint8_t candidate[BYTES];
  int status = ECC_ERR_RANDOM;
  for (unsigned i = 0; i < CANDIDATES && status == ECC_ERR_RANDOM; i++) {
    if (random(context, candidate, BYTES) != 0) {
      break;
    }
    // Without `pub` the range is all that is asked for; with it the product asks for it too.
    status = pub == NULL ? p256_check_private(candidate) : p256_public_key(pub, candidate);
    status = status == ECC_OK ? ECC_OK : ECC_ERR_RANDOM;
  }
  for (unsigned i = 0; i < BYTES && status == ECC_OK; i++) {
    d[i] = candidate[i];
  }
  ecc_wipe(candidate, sizeof candidate);
  ecc_wipe_stack();
  return status;
}

int p256_mul(uint8_t product[64], const uint8_t d[32], const uint8_t point[64]) {
  p256_work_t w;
  int status = ECC_OK;
  if (p256_read_scalar(w.k, d) != 0u) {
    status = ECC_ERR_SCALAR;
  } else if (p256_read_point(&w, point) != 0u) {
    status = ECC_ERR_POINT;
  } else {
    p256_make_table(&w);
    p256_multiply(&w, &w.table);
    p256_plain(w.x, w.x);
    p256_plain(w.y, w.y);
    ecc_to_big(product, w.x, 8);
    ecc_to_big(product + BYTES, w.y, 8);
  }
  ecc_wipe(&w, sizeof w);
  ecc_wipe_stack();
  return status;
}
