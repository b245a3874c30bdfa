// SPDX-License-Identifier: Apache-2.0
// P-256: multiplication of points by secret numbers, key pairs and Diffie-Hellman.
//
// A number is made odd (k or n - k) and written with 64 odd digits from -15 to 15, so that every
// digit takes four doublings, one look-up that reads the whole table, and one addition. Additions
// meet neither infinity nor equal points, except possibly the last one, which then selects the
// doubled point instead. docs/ecc.md gives the proof.
#include "p256.h"

#include "ecc.h"
#include "words.h"

#define DIGITS 64u

const f256_t p256_one = {0x00000001u, 0x00000000u, 0x00000000u, 0xffffffffu,
                         0xffffffffu, 0xffffffffu, 0xfffffffeu, 0x00000000u};

static const f256_t square_of_radix = {0x00000003u, 0x00000000u, 0xffffffffu, 0xfffffffbu,
                                       0xfffffffeu, 0xffffffffu, 0xfffffffdu, 0x00000004u};

// SP 800-186, section 3.2.1.3, in Montgomery form like everything below.
static const f256_t curve_b = {0x29c4bddfu, 0xd89cdf62u, 0x78843090u, 0xacf005cdu,
                               0xf7212ed6u, 0xe5a220abu, 0x04874834u, 0xdc30061du};

static const uint32_t prime[8] = {0xffffffffu, 0xffffffffu, 0xffffffffu, 0u,
                                  0u,          0u,          1u,          0xffffffffu};

// Odd multiples of the generator.
const p256_table_t p256_generator = {
    {{0x18a9143cu, 0x79e730d4u, 0x5fedb601u, 0x75ba95fcu,
      0x77622510u, 0x79fb732bu, 0xa53755c6u, 0x18905f76u},
     {0x4eebc127u, 0xffac3f90u, 0x087d81fbu, 0xb027f84au,
      0x87cbbc98u, 0x66ad77ddu, 0xb6ff747eu, 0x26936a3fu},
     {0xc45c61f5u, 0xbe1b8aaeu, 0x94b9537du, 0x90ec649au,
      0xd076c20cu, 0x941cb5aau, 0x890523c8u, 0xc9079605u},
     {0xa0173b4fu, 0x0746354eu, 0xd23c00f7u, 0x2bd20213u,
      0x0c23bb08u, 0xf43eaab5u, 0xc3123e03u, 0x13ba5119u},
     {0x264e20e8u, 0x75c96e8fu, 0x59a7a841u, 0xabe6bfedu,
      0x44c8eb00u, 0x2cc09c04u, 0xf0c4e16bu, 0xe05b3080u},
     {0x6245e404u, 0xea7d260au, 0x6e7fdfe0u, 0x9de40795u,
      0x8dac1ab5u, 0x1ff3a415u, 0x649c9073u, 0x3e7090f1u},
     {0x4b2ed709u, 0xccc42563u, 0x856fd30du, 0x0e356769u,
      0x559e9811u, 0xbcbcd43fu, 0x5395b759u, 0x738477acu},
     {0xbc60055bu, 0x72bcd8b7u, 0x56e27e4bu, 0x03cc23eeu,
      0xe4819370u, 0xee337424u, 0x0ad3da09u, 0xe2aa0e43u}},
    {{0xce95560au, 0xddf25357u, 0xba19e45cu, 0x8b4ab8e4u,
      0xdd21f325u, 0xd2e88688u, 0x25885d85u, 0x8571ff18u},
     {0xc983a7ebu, 0xb04c5c1fu, 0x0861fe1au, 0x583e47adu,
      0x1a2ee98eu, 0x78820831u, 0xe587cc07u, 0xd5f06a29u},
     {0xe7ba4f10u, 0xeb309b4au, 0xe5eb882bu, 0x73c568efu,
      0x7e7a1f68u, 0x3540a987u, 0x2dd1e916u, 0x73a076bbu},
     {0x3f5b9d4du, 0x2847d030u, 0x5da67bddu, 0x6742f2f2u,
      0x77c94195u, 0xef933bdcu, 0x6e240867u, 0xeaedd915u},
     {0xa45f3314u, 0x1eb7777au, 0xce5d45e3u, 0x56af7bedu,
      0x88b12f1au, 0x2b6e019au, 0xfd835f9bu, 0x086659cdu},
     {0x2b944e88u, 0x1a768561u, 0xe57f61c8u, 0x250f939eu,
      0x1ead643du, 0x0c0daa89u, 0xe125b88eu, 0x68930023u},
     {0xc00ee17fu, 0x35752b90u, 0x742ed2e3u, 0x68748390u,
      0xbd1f5bc1u, 0x7cd06422u, 0xc9e7b797u, 0xfbc08769u},
     {0x6383c45du, 0x40b8524fu, 0x42a41b25u, 0xd7663554u,
      0x778a4797u, 0x64efa6deu, 0x7079adf4u, 0x2042170au}},
};

// r = 1 / a = a^(p - 2); 0 for 0. The exponent is 2^32 - 1, 1, 0, 0, 0, 2^32 - 1, 2^32 - 1,
// 2^32 - 3 in words from the highest; x30 and the like are a^(2^30 - 1). 255 squarings and 12
// multiplications.
static void invert(f256_t r, const f256_t a, p256_room_t *room) {
  uint32_t *x2 = room->t[0], *x3 = room->t[1], *t = room->t[2], *x15 = room->t[3];
  uint32_t *x30 = room->t[4], *x32 = room->t[5];
  f256_sqr(t, a, 1);
  f256_mul(x2, t, a);
  f256_sqr(t, x2, 1);
  f256_mul(x3, t, a);
  f256_sqr(t, x3, 3);
  f256_mul(x15, t, x3);  // x6
  f256_sqr(t, x15, 6);
  f256_mul(x15, t, x15);  // x12
  f256_sqr(t, x15, 3);
  f256_mul(x15, t, x3);
  f256_sqr(t, x15, 15);
  f256_mul(x30, t, x15);
  f256_sqr(t, x30, 2);
  f256_mul(x32, t, x2);
  f256_sqr(t, x32, 32);
  f256_mul(t, t, a);
  f256_sqr(t, t, 128);
  f256_mul(t, t, x32);
  f256_sqr(t, t, 32);
  f256_mul(t, t, x32);
  f256_sqr(t, t, 30);
  f256_mul(t, t, x30);
  f256_sqr(t, t, 2);
  f256_mul(r, t, a);
}

void p256_plain(f256_t r, const f256_t a) {
  static const f256_t one = {1u};
  f256_mul(r, a, one);
}

void p256_to_affine(f256_t x, f256_t y, const p256_point_t *q, p256_room_t *room) {
  invert(x, q->z, room);
  uint32_t *square = room->t[0];
  f256_sqr(square, x, 1);
  f256_mul(y, q->y, x);
  f256_mul(y, y, square);
  f256_mul(x, q->x, square);
}

uint32_t p256_read_scalar(uint32_t k[8], const uint8_t bytes[32]) {
  ecc_from_big(k, bytes, 8);
  return ecc_is_zero(k, 8) | ~ecc_is_less(k, p256_order, 8);
}

// Both coordinates below p, and y^2 = x^3 - 3 x + b. Infinity has no coordinates.
uint32_t p256_read_point(p256_work_t *w, const uint8_t bytes[64]) {
  uint32_t *t = w->room.t[0], *u = w->room.t[1];
  ecc_from_big(w->x, bytes, 8);
  ecc_from_big(w->y, bytes + 32, 8);
  uint32_t good = ecc_is_less(w->x, prime, 8) & ecc_is_less(w->y, prime, 8);
  if (good == 0u) {
    return ~good;
  }
  f256_mul(w->x, w->x, square_of_radix);
  f256_mul(w->y, w->y, square_of_radix);
  f256_sqr(t, w->x, 1);
  f256_mul(t, t, w->x);
  f256_sub(t, t, w->x);
  f256_sub(t, t, w->x);
  f256_sub(t, t, w->x);
  f256_add(t, t, curve_b);
  f256_sqr(u, w->y, 1);
  f256_sub(t, t, u);
  return ~ecc_is_zero(t, 8);
}

// Scaling by z gives an isomorphic curve, on which 2 P = (x, y, z) is the affine point (x, y) and P
// is (x z^2, y z^3). The addition formulas do not depend on the curve. So each multiple is a sum
// P + 2 P + ... with an affine second operand, and z is multiplied in at the end. With
// Montgomery's trick all of them need one inversion.
void p256_make_table(p256_work_t *w) {
  p256_point_t *q = &w->q, *twice = &w->twice;
  uint32_t *t = w->room.t[0];
  ecc_copy(w->table.x[0], w->x, 8);
  ecc_copy(w->table.y[0], w->y, 8);
  ecc_copy(twice->x, w->x, 8);
  ecc_copy(twice->y, w->y, 8);
  ecc_copy(twice->z, p256_one, 8);
  p256_double(twice, 1);
  f256_sqr(t, twice->z, 1);
  f256_mul(q->x, w->x, t);
  f256_mul(q->y, w->y, t);
  f256_mul(q->y, q->y, twice->z);
  ecc_copy(q->z, p256_one, 8);
  ecc_copy(q->ax, twice->x, 8);
  ecc_copy(q->ay, twice->y, 8);
  for (unsigned i = 1; i < P256_MULTIPLES; i++) {
    p256_add_affine(q);
    ecc_copy(w->table.x[i], q->x, 8);
    ecc_copy(w->table.y[i], q->y, 8);
    f256_mul(w->z[i], q->z, twice->z);
    if (i == 1u) {
      ecc_copy(w->product[i], w->z[i], 8);
    } else {
      f256_mul(w->product[i], w->product[i - 1u], w->z[i]);
    }
  }
  uint32_t *inverse = w->product[0];
  invert(inverse, w->product[P256_MULTIPLES - 1u], &w->room);
  for (unsigned i = P256_MULTIPLES - 1u; i != 0u; i--) {
    uint32_t *own = w->z[0], *square = w->room.t[0];
    if (i == 1u) {
      ecc_copy(own, inverse, 8);
    } else {
      f256_mul(own, inverse, w->product[i - 1u]);
      f256_mul(inverse, inverse, w->z[i]);
    }
    f256_sqr(square, own, 1);
    f256_mul(own, own, square);
    f256_mul(w->table.x[i], w->table.x[i], square);
    f256_mul(w->table.y[i], w->table.y[i], own);
  }
}

// The second operand = digit times the point. `window` is 16 + digit.
static void look_up(p256_work_t *w, const p256_table_t *table, uint32_t window) {
  uint32_t positive = ecc_mask_bit((window >> 4) & 1u);
  uint32_t index = ((window >> 1) ^ ~positive) & (P256_MULTIPLES - 1u);
  uint32_t *x = w->q.ax, *y = w->q.ay, *minus = w->room.t[0];
  ecc_set(x, 0u, 8);
  ecc_set(y, 0u, 8);
  for (uint32_t i = 0; i < P256_MULTIPLES; i++) {
    uint32_t mask = ecc_mask_zero(i ^ index);
    for (unsigned j = 0; j < 8u; j++) {
      x[j] |= table->x[i][j] & mask;
      y[j] |= table->y[i][j] & mask;
    }
  }
  (void)ecc_sub(minus, prime, y, 8);
  ecc_select(y, positive, minus, y, 8);
}

void p256_multiply(p256_work_t *w, const p256_table_t *table) {
  uint32_t odd = ecc_mask_bit(w->k[0] & 1u);
  uint32_t *minus = w->room.t[0];
  (void)ecc_sub(minus, p256_order, w->k, 8);
  ecc_select(w->k, odd, minus, w->k, 8);

  look_up(w, table, 16u | (w->k[7] >> 28));
  ecc_copy(w->q.x, w->q.ax, 8);
  ecc_copy(w->q.y, w->q.ay, 8);
  ecc_copy(w->q.z, p256_one, 8);
  for (unsigned i = DIGITS - 1u; i-- > 0u;) {
    uint32_t window = (w->k[i / 8u] >> (4u * (i % 8u))) & 15u;
    uint32_t next = w->k[(i + 1u) / 8u] >> (4u * ((i + 1u) % 8u));
    p256_double(&w->q, 4);
    look_up(w, table, window | (next & 1u) << 4);
    if (i == 0u) {
      ecc_copy(w->twice.x, w->q.ax, 8);
      ecc_copy(w->twice.y, w->q.ay, 8);
      ecc_copy(w->twice.z, p256_one, 8);
      p256_double(&w->twice, 1);
    }
    p256_add_affine(&w->q);
    if (i == 0u) {
      uint32_t same = ecc_is_zero(w->q.z, 8);
      ecc_select(w->q.x, same, w->q.x, w->twice.x, 8);
      ecc_select(w->q.y, same, w->q.y, w->twice.y, 8);
      ecc_select(w->q.z, same, w->q.z, w->twice.z, 8);
    }
  }
  p256_to_affine(w->x, w->y, &w->q, &w->room);
  (void)ecc_sub(minus, prime, w->y, 8);
  ecc_select(w->y, odd, minus, w->y, 8);
}

static void write_element(uint8_t bytes[32], const f256_t a) {
  f256_t plain;
  p256_plain(plain, a);
  ecc_to_big(bytes, plain, 8);
  ecc_wipe(plain, sizeof plain);
}

int p256_public_key(uint8_t pub[64], const uint8_t d[32]) {
  p256_work_t w;
  int status = ECC_ERR_SCALAR;
  if (p256_read_scalar(w.k, d) == 0u) {
    p256_multiply(&w, &p256_generator);
    write_element(pub, w.x);
    write_element(pub + 32, w.y);
    status = ECC_OK;
  }
  ecc_wipe(&w, sizeof w);
  ecc_wipe_stack();
  return status;
}

int p256_ecdh(uint8_t shared[32], const uint8_t d[32], const uint8_t peer[64]) {
  p256_work_t w;
  int status = ECC_OK;
  if (p256_read_scalar(w.k, d) != 0u) {
    status = ECC_ERR_SCALAR;
  } else if (p256_read_point(&w, peer) != 0u) {
    status = ECC_ERR_POINT;
  } else {
    p256_make_table(&w);
    p256_multiply(&w, &w.table);
    write_element(shared, w.x);
  }
  ecc_wipe(&w, sizeof w);
  ecc_wipe_stack();
  return status;
}
