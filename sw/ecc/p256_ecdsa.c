// SPDX-License-Identifier: Apache-2.0
// ECDSA over P-256: FIPS 186-5, section 6.4, with the nonces of RFC 6979, section 3.2.
#include "ecc.h"
#include "p256.h"
#include "hmac_sha256.h"
#include "words.h"

#define BYTES 32u

// Modulo the order n; r may be an operand. a + b, and 1 / a = a^(n - 2) in Montgomery form.
static void order_reduce(uint32_t r[8], uint32_t carry) {
  uint32_t borrow = ecc_sub(r, r, p256_order, 8);
  (void)ecc_add_masked(r, ecc_mask_bit(borrow & (carry ^ 1u)), p256_order, 8);
}

static void order_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  order_reduce(r, ecc_add(r, a, b, 8));
}

static void order_to_montgomery(uint32_t r[8], const uint32_t a[8]) {
  static const uint32_t square_of_radix[8] = {0xbe79eea2u, 0x83244c95u, 0x49bd6fa6u, 0x4699799cu,
                                              0x2b6bec59u, 0x2845b239u, 0xf3d95620u, 0x66e12d94u};
  p256_order_mul(r, a, square_of_radix);
}

// Four bits of the exponent, which is public, at a time. `power` has room for 16 powers.
static void order_invert(uint32_t r[8], const uint32_t a[8], uint32_t power[16][8]) {
  ecc_copy(power[1], a, 8);
  for (unsigned i = 2; i < 16u; i++) {
    p256_order_mul(power[i], power[i - 1u], a);
  }
  ecc_copy(r, power[15], 8);  // the highest digit of n - 2
  for (unsigned i = 63; i-- > 0u;) {
    uint32_t word = p256_order[i / 8u] - (i < 8u ? 2u : 0u);
    uint32_t digit = (word >> (4u * (i % 8u))) & 15u;
    for (unsigned j = 0; j < 4u; j++) {
      p256_order_mul(r, r, r);
    }
    if (digit != 0u) {
      p256_order_mul(r, r, power[digit]);
    }
  }
}

// The leftmost 256 bits of a hash, modulo n.
static void read_hash(uint32_t z[8], const uint8_t *hash, size_t hash_len) {
  uint8_t bytes[BYTES] = {0};
  size_t n = hash_len < BYTES ? hash_len : BYTES;
  for (size_t i = 0; i < n; i++) {
    bytes[BYTES - n + i] = hash[i];
  }
  ecc_from_big(z, bytes, 8);
  order_reduce(z, 0u);
}

typedef struct {
  uint8_t k[BYTES], v[BYTES];
} nonces_t;

// K = HMAC(K, V || byte || rest), V = HMAC(K, V).
static void nonces_update(nonces_t *s, uint8_t byte, const uint8_t *rest, size_t bytes) {
  const uint8_t *const parts[] = {s->v, &byte, rest};
  const size_t lengths[] = {BYTES, 1u, bytes};
  hmac_sha256(s->k, s->k, parts, lengths, bytes != 0u ? 3u : 2u);
  hmac_sha256(s->v, s->k, parts, lengths, 1u);
}

// Steps b to g: seed = private key || hash modulo n.
static void nonces_begin(nonces_t *s, const uint8_t seed[2u * BYTES]) {
  for (unsigned i = 0; i < BYTES; i++) {
    s->v[i] = 1u;
    s->k[i] = 0u;
  }
  nonces_update(s, 0u, seed, 2u * BYTES);
  nonces_update(s, 1u, seed, 2u * BYTES);
}

// Step h: the next candidate; all ones if it is out of range. How often that happens (once in
// 2^32 times) reveals nothing about the nonce that is used.
static uint32_t nonces_next(nonces_t *s, uint32_t k[8]) {
  const uint8_t *const parts[] = {s->v};
  const size_t lengths[] = {BYTES};
  hmac_sha256(s->v, s->k, parts, lengths, 1u);
  return p256_read_scalar(k, s->v);
}

typedef struct {
  p256_work_t point;
  uint32_t d[8], z[8], r[8], s[8], t[8];
  uint32_t power[16][8];
  nonces_t nonces;
  uint8_t seed[2u * BYTES];
} sign_t;

// One attempt with the nonce in point.k; all ones if r or s is zero.
static uint32_t attempt(sign_t *w) {
  order_to_montgomery(w->t, w->point.k);
  order_invert(w->s, w->t, w->power);
  p256_multiply(&w->point, &p256_generator);
  p256_plain(w->r, w->point.x);
  order_reduce(w->r, 0u);
  order_to_montgomery(w->t, w->r);
  p256_order_mul(w->t, w->t, w->d);
  order_add(w->t, w->t, w->z);
  p256_order_mul(w->s, w->s, w->t);
  return ecc_is_zero(w->r, 8) | ecc_is_zero(w->s, 8);
}

int p256_ecdsa_sign(uint8_t rs[64], const uint8_t d[32], const uint8_t *hash, size_t hash_len) {
  sign_t w;
  int status = ECC_ERR_SCALAR;
  if (p256_read_scalar(w.d, d) == 0u) {
    read_hash(w.z, hash, hash_len);
    ecc_to_big(w.seed, w.d, 8);
    ecc_to_big(w.seed + BYTES, w.z, 8);
    nonces_begin(&w.nonces, w.seed);
    while ((nonces_next(&w.nonces, w.point.k) != 0u) || (attempt(&w) != 0u)) {
      nonces_update(&w.nonces, 0u, NULL, 0u);
    }
    ecc_to_big(rs, w.r, 8);
    ecc_to_big(rs + BYTES, w.s, 8);
    status = ECC_OK;
  }
  ecc_wipe(&w, sizeof w);
  ecc_wipe_stack();
  return status;
}

// ---- verification: everything is public ---------------------------------------------------------

#define MAX_DIGITS 257u

// Digits of k, odd from -15 to 15 or zero, at most every fifth one other than zero: width-5
// non-adjacent form (Handbook of Elliptic and Hyperelliptic Curve Cryptography, section 9.1.4).
static void recode(int8_t digits[MAX_DIGITS], const uint32_t number[8]) {
  uint32_t k[9];
  ecc_copy(k, number, 8);
  k[8] = 0u;
  for (unsigned i = 0; i < MAX_DIGITS; i++) {
    digits[i] = 0;
    if ((k[0] & 1u) != 0u) {
      uint32_t low = k[0] & 31u;
      digits[i] = (int8_t)(low < 16u ? (int)low : (int)low - 32);
      k[0] &= ~31u;
      if (low >= 16u) {
        for (unsigned j = 0, carry = 32u; carry != 0u; j++) {
          k[j] += carry;
          carry = k[j] < carry;
        }
      }
    }
    for (unsigned j = 0; j < 8u; j++) {
      k[j] = (k[j] >> 1) | (k[j + 1u] << 31);
    }
    k[8] >>= 1;
  }
}

typedef struct {
  p256_work_t key;
  p256_point_t before;
  uint32_t r[8], s[8], z[8], u[8];
  uint32_t power[16][8];
  int8_t digits[2][MAX_DIGITS];
} verify_t;

// q += digit times the point of a table; handles infinity and equal points.
static void add_digit(verify_t *w, p256_point_t *q, const p256_table_t *table, int digit) {
  static const f256_t zero;
  unsigned index = (unsigned)(digit < 0 ? -digit : digit) / 2u;
  ecc_copy(q->ax, table->x[index], 8);
  if (digit < 0) {
    f256_sub(q->ay, zero, table->y[index]);
  } else {
    ecc_copy(q->ay, table->y[index], 8);
  }
  w->before = *q;
  p256_add_affine(q);
  if (ecc_is_zero(q->z, 8) == 0u) {
    return;
  }
  if (ecc_is_zero(w->before.z, 8) != 0u) {
    ecc_copy(q->x, q->ax, 8);
    ecc_copy(q->y, q->ay, 8);
    ecc_copy(q->z, p256_one, 8);
    return;
  }
  // The same point if y agrees; otherwise its negative, and infinity is right.
  uint32_t *t = w->key.room.t[0];
  f256_sqr(t, w->before.z, 1);
  f256_mul(t, t, w->before.z);
  f256_mul(t, t, q->ay);
  f256_sub(t, t, w->before.y);
  if (ecc_is_zero(t, 8) != 0u) {
    *q = w->before;
    p256_double(q, 1);
  }
}

// All ones if the signature is not that of z: u = z / s, v = r / s; x of u G + v Q is not r.
static uint32_t wrong(verify_t *w) {
  p256_point_t *q = &w->key.q;
  order_to_montgomery(w->s, w->s);
  order_invert(w->s, w->s, w->power);
  p256_order_mul(w->u, w->z, w->s);
  recode(w->digits[0], w->u);
  p256_order_mul(w->u, w->r, w->s);
  recode(w->digits[1], w->u);
  p256_make_table(&w->key);
  ecc_copy(q->x, p256_one, 8);
  ecc_copy(q->y, p256_one, 8);
  ecc_set(q->z, 0u, 8);
  for (unsigned i = MAX_DIGITS; i-- > 0u;) {
    p256_double(q, 1);
    if (w->digits[0][i] != 0) {
      add_digit(w, q, &p256_generator, w->digits[0][i]);
    }
    if (w->digits[1][i] != 0) {
      add_digit(w, q, &w->key.table, w->digits[1][i]);
    }
  }
  if (ecc_is_zero(q->z, 8) != 0u) {
    return ~0u;
  }
  p256_to_affine(w->key.x, w->key.y, q, &w->key.room);
  p256_plain(w->u, w->key.x);
  order_reduce(w->u, 0u);
  (void)ecc_sub(w->u, w->u, w->r, 8);
  return ~ecc_is_zero(w->u, 8);
}

int p256_ecdsa_verify(const uint8_t rs[64], const uint8_t pub[64], const uint8_t *hash,
                      size_t hash_len) {
  verify_t w;
  if (p256_read_point(&w.key, pub) != 0u) {
    return ECC_ERR_POINT;
  }
  if ((p256_read_scalar(w.r, rs) | p256_read_scalar(w.s, rs + BYTES)) != 0u) {
    return ECC_ERR_SIGNATURE;
  }
  read_hash(w.z, hash, hash_len);
  return wrong(&w) != 0u ? ECC_ERR_SIGNATURE : ECC_OK;
}
