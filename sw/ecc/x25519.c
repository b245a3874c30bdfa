// SPDX-License-Identifier: Apache-2.0
// X25519: the Montgomery ladder of RFC 7748, section 5, over f25519.
#include "ecc.h"
#include "f25519.h"
#include "words.h"

// r = 1 / a = a^(p - 2); 0 for 0. 254 squarings and 11 multiplications: exponents 2^n - 1 for
// n = 5, 10, 20, 40, 50, 100, 200, 250, then 2^255 - 21 = 32 (2^250 - 1) + 11.
static void invert(f25519_t r, const f25519_t a, f25519_t room[4]) {
  uint32_t *t = room[0], *a11 = room[1], *e50 = room[2], *e = room[3];
  f25519_sqr(t, a, 1);         // 2
  f25519_sqr(e, t, 2);         // 8
  f25519_mul(e, e, a);         // 9
  f25519_mul(a11, e, t);       // 11
  f25519_sqr(t, a11, 1);       // 22
  f25519_mul(e, e, t);         // 2^5 - 1
  f25519_sqr(t, e, 5);
  f25519_mul(e, t, e);         // 2^10 - 1
  f25519_sqr(t, e, 10);
  f25519_mul(e50, t, e);       // 2^20 - 1
  f25519_sqr(t, e50, 20);
  f25519_mul(t, t, e50);       // 2^40 - 1
  f25519_sqr(t, t, 10);
  f25519_mul(e50, t, e);       // 2^50 - 1
  f25519_sqr(t, e50, 50);
  f25519_mul(e, t, e50);       // 2^100 - 1
  f25519_sqr(t, e, 100);
  f25519_mul(t, t, e);         // 2^200 - 1
  f25519_sqr(t, t, 50);
  f25519_mul(t, t, e50);       // 2^250 - 1
  f25519_sqr(t, t, 5);
  f25519_mul(r, t, a11);
}

// The least residue: bit 255 is worth 19, and a + 19 reaches 2^255 exactly if a is not below p.
static void freeze(f25519_t a) {
  f25519_t t;
  uint32_t top = a[7] >> 31;
  a[7] &= 0x7fffffffu;
  ecc_set(t, 19u, 8);
  (void)ecc_add_masked(a, ecc_mask_bit(top), t, 8);
  (void)ecc_add(t, t, a, 8);
  uint32_t mask = ecc_mask_bit(t[7] >> 31);
  t[7] &= 0x7fffffffu;
  ecc_select(a, mask, a, t, 8);
  ecc_wipe(t, sizeof t);
}

int x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t point[32]) {
  x25519_ladder_t s;
  uint32_t k[8];
  ecc_from_little(k, scalar, 8);
  ecc_from_little(s.x1, point, 8);
  k[0] &= ~7u;
  k[7] = (k[7] & 0x7fffffffu) | 0x40000000u;
  s.x1[7] &= 0x7fffffffu;
  ecc_set(s.x2, 1u, 8);
  ecc_set(s.z2, 0u, 8);
  ecc_copy(s.x3, s.x1, 8);
  ecc_set(s.z3, 1u, 8);
  uint32_t last = 0u;
  for (unsigned t = 255; t-- > 0u;) {
    uint32_t bit = (k[t / 32u] >> (t % 32u)) & 1u;
    x25519_step(&s, last ^ bit);
    last = bit;
  }
  // The lowest bit of a clamped scalar is 0: nothing remains to be exchanged.
  invert(s.z2, s.z2, s.room);
  f25519_mul(s.x2, s.x2, s.z2);
  freeze(s.x2);
  int status = ecc_is_zero(s.x2, 8) != 0u ? ECC_ERR_POINT : ECC_OK;
  if (status == ECC_OK) {
    ecc_to_little(out, s.x2, 8);
  }
  ecc_wipe(&s, sizeof s);
  ecc_wipe(k, sizeof k);
  ecc_wipe_stack();
  return status;
}

int x25519_base(uint8_t out[32], const uint8_t scalar[32]) {
  static const uint8_t base[32] = {9};
  return x25519(out, scalar, base);
}
