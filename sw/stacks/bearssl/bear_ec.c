// SPDX-License-Identifier: Apache-2.0
// P-256, X25519 and ECDSA for BearSSL; contract in aesforge_bearssl.h.
#include <string.h>

#include "aesforge_bearssl.h"
#include "ecc.h"
#include "p256.h"
#include "words.h"

#define BYTES 32u
#define POINT 65u  // 0x04 || x || y
#define UNCOMPRESSED 4u

// BearSSL's functions of two formats: a signature may have leading zeros, and its raw form up to
// twice the length of the other one.
#define MOST_ASN1 144u

// SP 800-186, section 3.2.1.3.
static const unsigned char p256_g[POINT] = {
    0x04, 0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5,
    0x63, 0xa4, 0x40, 0xf2, 0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4,
    0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96, 0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a,
    0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16, 0x2b, 0xce, 0x33,
    0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5};
static const unsigned char p256_n[BYTES] = {
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};

// RFC 7748, section 4.1. BearSSL draws private keys below `order`; here any string is one.
static const unsigned char c25519_g[BYTES] = {9};
static const unsigned char c25519_n[BYTES] = {
    0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

// A big-endian number of any length as 32 bytes; all ones if it needs more.
static uint32_t read_number(uint8_t to[BYTES], const unsigned char *from, size_t len) {
  uint32_t high = 0;
  memset(to, 0, BYTES);
  for (; len > BYTES; len--) high |= *from++;
  memcpy(to + BYTES - len, from, len);
  return ~ecc_mask_zero(high);
}

static int is_point(const unsigned char *encoded, size_t len) {
  return len == POINT && encoded[0] == UNCOMPRESSED;
}

// product = x times a point of P-256, NULL being the generator; an error of ecc.h.
static int multiple(uint8_t product[2u * BYTES], const unsigned char *x, size_t xlen,
                    const unsigned char *point) {
  uint8_t d[BYTES];
  int status = ECC_ERR_SCALAR;
  if (read_number(d, x, xlen) == 0u) {
    status = point == NULL ? p256_public_key(product, d) : p256_mul(product, d, point + 1);
  }
  ecc_wipe(d, sizeof d);
  return status;
}

// sum = a + b; 0 if it is infinity. The formula of the sum gives infinity also for equal points:
// then the result is 2 a.
static uint32_t add(uint8_t sum[2u * BYTES], const uint8_t a[2u * BYTES],
                    const uint8_t b[2u * BYTES]) {
  p256_work_t w;
  uint32_t other = p256_read_point(&w, b);
  ecc_copy(w.q.ax, w.x, 8);
  ecc_copy(w.q.ay, w.y, 8);
  other |= p256_read_point(&w, a);
  ecc_copy(w.q.x, w.x, 8);
  ecc_copy(w.q.y, w.y, 8);
  ecc_copy(w.q.z, p256_one, 8);
  w.twice = w.q;
  p256_double(&w.twice, 1);
  for (unsigned i = 0; i < 8u; i++) {
    other |= (w.q.x[i] ^ w.q.ax[i]) | (w.q.y[i] ^ w.q.ay[i]);
  }
  p256_add_affine(&w.q);
  const uint32_t same = ecc_mask_zero(other);
  ecc_select(w.q.x, same, w.q.x, w.twice.x, 8);
  ecc_select(w.q.y, same, w.q.y, w.twice.y, 8);
  ecc_select(w.q.z, same, w.q.z, w.twice.z, 8);
  const uint32_t finite = ~ecc_is_zero(w.q.z, 8) & 1u;
  p256_to_affine(w.x, w.y, &w.q, &w.room);
  p256_plain(w.x, w.x);
  p256_plain(w.y, w.y);
  ecc_to_big(sum, w.x, 8);
  ecc_to_big(sum + BYTES, w.y, 8);
  ecc_wipe(&w, sizeof w);
  ecc_wipe_stack();
  return finite;
}

// Curves ------------------------------------------------------------------------------------------

static const unsigned char *generator(int curve, size_t *len) {
  *len = curve == BR_EC_curve25519 ? BYTES : POINT;
  return curve == BR_EC_curve25519 ? c25519_g : p256_g;
}

static const unsigned char *order(int curve, size_t *len) {
  *len = BYTES;
  return curve == BR_EC_curve25519 ? c25519_n : p256_n;
}

static size_t xoff(int curve, size_t *len) {
  *len = BYTES;
  return curve == BR_EC_curve25519 ? 0u : 1u;
}

// The multiplier of Curve25519 is little-endian, as BearSSL's own code takes it.
static uint32_t mul_25519(unsigned char *point, size_t len, const unsigned char *x, size_t xlen) {
  uint8_t k[BYTES] = {0};
  if (len != BYTES || xlen > BYTES) return 0;
  memcpy(k, x, xlen);
  const int status = x25519(point, k, point);
  ecc_wipe(k, sizeof k);
  return status == ECC_OK;
}

static uint32_t mul(unsigned char *point, size_t len, const unsigned char *x, size_t xlen,
                    int curve) {
  if (curve == BR_EC_curve25519) return mul_25519(point, len, x, xlen);
  if (curve != BR_EC_secp256r1 || !is_point(point, len)) return 0;
  return multiple(point + 1, x, xlen, point) == ECC_OK;
}

static size_t mulgen(unsigned char *point, const unsigned char *x, size_t xlen, int curve) {
  if (curve == BR_EC_curve25519) {
    memcpy(point, c25519_g, BYTES);
    return mul_25519(point, BYTES, x, xlen) == 1u ? BYTES : 0u;
  }
  if (curve != BR_EC_secp256r1) return 0;
  point[0] = UNCOMPRESSED;
  return multiple(point + 1, x, xlen, NULL) == ECC_OK ? POINT : 0u;
}

static uint32_t muladd(unsigned char *a, const unsigned char *b, size_t len,
                       const unsigned char *x, size_t xlen, const unsigned char *y, size_t ylen,
                       int curve) {
  uint8_t product[2][2u * BYTES];
  uint32_t good = 0;
  if (curve != BR_EC_secp256r1 || !is_point(a, len) || (b != NULL && !is_point(b, len))) return 0;
  if (multiple(product[0], x, xlen, a) == ECC_OK && multiple(product[1], y, ylen, b) == ECC_OK) {
    good = add(a + 1, product[0], product[1]);
  }
  ecc_wipe(product, sizeof product);
  return good;
}

const br_ec_impl br_aesforge_ec = {
    (uint32_t)1 << BR_EC_secp256r1 | (uint32_t)1 << BR_EC_curve25519,
    generator, order, xoff, mul, mulgen, muladd};

// ECDSA -------------------------------------------------------------------------------------------

size_t br_aesforge_ecdsa_sign_raw(const br_ec_impl *impl, const br_hash_class *hf,
                                  const void *hash_value, const br_ec_private_key *sk, void *sig) {
  uint8_t d[BYTES];
  const size_t hash_len = (hf->desc >> BR_HASHDESC_OUT_OFF) & BR_HASHDESC_OUT_MASK;
  int status = ECC_ERR_SCALAR;
  (void)impl;
  if (sk->curve == BR_EC_secp256r1 && read_number(d, sk->x, sk->xlen) == 0u) {
    status = p256_ecdsa_sign(sig, d, hash_value, hash_len);
  }
  ecc_wipe(d, sizeof d);
  return status == ECC_OK ? 2u * BYTES : 0u;
}

size_t br_aesforge_ecdsa_sign_asn1(const br_ec_impl *impl, const br_hash_class *hf,
                                   const void *hash_value, const br_ec_private_key *sk, void *sig) {
  unsigned char raw[2u * BYTES + 9u];  // br_ecdsa_raw_to_asn1 adds up to 9 bytes
  size_t len = br_aesforge_ecdsa_sign_raw(impl, hf, hash_value, sk, raw);
  if (len != 0u) len = br_ecdsa_raw_to_asn1(raw, len);
  memcpy(sig, raw, len);
  return len;
}

uint32_t br_aesforge_ecdsa_vrfy_raw(const br_ec_impl *impl, const void *hash, size_t hash_len,
                                    const br_ec_public_key *pk, const void *sig, size_t sig_len) {
  const unsigned char *r = sig;
  const size_t half = sig_len / 2u;
  uint8_t rs[2u * BYTES];
  (void)impl;
  if (pk->curve != BR_EC_secp256r1 || !is_point(pk->q, pk->qlen) || sig_len % 2u != 0u) return 0;
  if ((read_number(rs, r, half) | read_number(rs + BYTES, r + half, half)) != 0u) return 0;
  return p256_ecdsa_verify(rs, pk->q + 1, hash, hash_len) == ECC_OK;
}

uint32_t br_aesforge_ecdsa_vrfy_asn1(const br_ec_impl *impl, const void *hash, size_t hash_len,
                                     const br_ec_public_key *pk, const void *sig, size_t sig_len) {
  unsigned char raw[2u * MOST_ASN1];
  if (sig_len > MOST_ASN1) return 0;
  memcpy(raw, sig, sig_len);
  sig_len = br_ecdsa_asn1_to_raw(raw, sig_len);
  return sig_len == 0u ? 0u
                       : br_aesforge_ecdsa_vrfy_raw(impl, hash, hash_len, pk, raw, sig_len);
}
