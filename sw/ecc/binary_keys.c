// SPDX-License-Identifier: Apache-2.0
// Curves over binary fields: checks of keys apart from a multiplication, and new keys.
#include "binary_parts.h"
#include "ecc.h"

#define MOST_BYTES 30u
#define CANDIDATES 128u  // each is in range with a probability of a half at least

int binary_check_private(const binary_curve_t *c, const uint8_t *d) {
  binary_element_t k;
  const int status = get_scalar(c, k, d) ? ECC_OK : ECC_ERR_SCALAR;
  ecc_wipe(k, sizeof k);
  ecc_wipe_stack();
  return status;
}

int binary_check_public(const binary_curve_t *c, const uint8_t *pub) {
  const unsigned bytes = coordinate_bytes(c->field);
  binary_element_t x, y;
  get(x, pub, bytes);
  get(y, pub + bytes, bytes);
  return is_valid(c, x, y) ? ECC_OK : ECC_ERR_POINT;
}

int binary_generate(const binary_curve_t *c, uint8_t *d, uint8_t *pub, ecc_random_t random,
                    void *context) {
  const unsigned bytes = coordinate_bytes(c->field), over = 8u * bytes - c->order_bits;
  uint8_t candidate[MOST_BYTES];
  int status = ECC_ERR_RANDOM;
  for (unsigned i = 0; i < CANDIDATES && status == ECC_ERR_RANDOM; i++) {
    if (random(context, candidate, bytes) != 0) {
      break;
    }
    // As many bits as the order has: the others of its first bytes are zero.
    for (unsigned bit = 0; bit < over; bit++) {
      candidate[bit / 8u] &= (uint8_t)~(0x80u >> (bit % 8u));
    }
    status = binary_check_private(c, candidate) == ECC_OK ? ECC_OK : ECC_ERR_RANDOM;
  }
  if (status == ECC_OK && pub != NULL) {
    status = binary_public_key(c, pub, candidate);
  }
  for (unsigned i = 0; i < bytes && status == ECC_OK; i++) {
    d[i] = candidate[i];
  }
  ecc_wipe(candidate, sizeof candidate);
  ecc_wipe_stack();
  return status;
}
