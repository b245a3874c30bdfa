// SPDX-License-Identifier: Apache-2.0
// The four binary curves: SEC 2 version 2, sections 3.2 (sect163k1, sect163r1) and 3.3 (sect233k1,
// sect233r1); SP 800-186, section 3.2.2 (K-233, B-233). Words, least significant first.
#include "binary.h"
#include "ecc.h"

static const binary_curve_t b233 = {
    .field = &gf2_233,
    .a = {0x00000001u},
    .b = {0x7d8f90adu, 0x81fe115fu, 0x20e9ce42u, 0x213b333bu,
          0x0923bb58u, 0x332c7f8cu, 0x647ede6cu, 0x00000066u},
    .root_b = {0x61da9138u, 0xe5f946d0u, 0x52f21253u, 0x71caaeeau,
               0xee31e06du, 0x7874e747u, 0xf85627b9u, 0x00000187u},
    .gx = {0x71fd558bu, 0xf8f8eb73u, 0x391f8b36u, 0x5fef65bcu,
           0x39f1bb75u, 0x8313bb21u, 0xc9dfcbacu, 0x000000fau},
    .gy = {0x01f81052u, 0x36716f7eu, 0xf867a7cau, 0xbf8a0befu,
           0xe58528beu, 0x03350678u, 0x6a08a419u, 0x00000100u},
    .n = {0x03cfe0d7u, 0x22031d26u, 0xe72f8a69u, 0x0013e974u,
          0x00000000u, 0x00000000u, 0x00000000u, 0x00000100u},
    .order_bits = 233,
    .cofactor_log2 = 1,
};

static const binary_curve_t k233 = {
    .field = &gf2_233,
    .a = {0},
    .b = {0x00000001u},
    .root_b = {0x00000001u},
    .gx = {0xefad6126u, 0x0a4c9d6eu, 0x19c26bf5u, 0x149563a4u,
           0x29f22ff4u, 0x7e731af1u, 0x32ba853au, 0x00000172u},
    .gy = {0x56fae6a3u, 0x56e0c110u, 0xf18aeb9bu, 0x27a8cd9bu,
           0x555a67c4u, 0x19b7f70fu, 0x537dece8u, 0x000001dbu},
    .n = {0xf173abdfu, 0x6efb1ad5u, 0xb915bcd4u, 0x00069d5bu,
          0x00000000u, 0x00000000u, 0x00000000u, 0x00000080u},
    .order_bits = 232,
    .cofactor_log2 = 2,
};

static const binary_curve_t sect163k1 = {
    .field = &gf2_163,
    .a = {0x00000001u},
    .b = {0x00000001u},
    .root_b = {0x00000001u},
    .gx = {0x5c94eee8u, 0xde4e6d5eu, 0xaa07d793u, 0x7bbc11acu, 0xfe13c053u, 0x00000002u},
    .gy = {0xccdaa3d9u, 0x0536d538u, 0x321f2e80u, 0x5d38ff58u, 0x89070fb0u, 0x00000002u},
    .n = {0x99f8a5efu, 0xa2e0cc0du, 0x00020108u, 0x00000000u, 0x00000000u, 0x00000004u},
    .order_bits = 163,
    .cofactor_log2 = 1,
};

static const binary_curve_t sect163r1 = {
    .field = &gf2_163,
    .a = {0xd2782ae2u, 0xbd88e246u, 0x54ff8428u, 0xefa84f95u, 0xb6882caau, 0x00000007u},
    .b = {0xf958afd9u, 0xca91f73au, 0x946bda29u, 0xdcb40aabu, 0x13612dcdu, 0x00000007u},
    .root_b = {0x89b95835u, 0xcd01bfb8u, 0x7ea9a472u, 0x6e1856bcu, 0x9917a255u},
    .gx = {0x7876a654u, 0x567f787au, 0x89566789u, 0xab438977u, 0x69979697u, 0x00000003u},
    .gy = {0xf41ff883u, 0xe3c80988u, 0x9d51fefcu, 0xefafb298u, 0x435edb42u},
    .n = {0xa710279bu, 0xb689c29cu, 0xffff48aau, 0xffffffffu, 0xffffffffu, 0x00000003u},
    .order_bits = 162,
    .cofactor_log2 = 1,
};

#define FUNCTIONS(curve)                                                              \
  int curve##_public_key(uint8_t *pub, const uint8_t *d) {                            \
    return binary_public_key(&curve, pub, d);                                         \
  }                                                                                   \
  int curve##_ecdh(uint8_t *shared, const uint8_t *d, const uint8_t *peer) {          \
    return binary_ecdh(&curve, shared, d, peer, curve.cofactor_log2);                 \
  }                                                                                   \
  int curve##_ecdh_plain(uint8_t *shared, const uint8_t *d, const uint8_t *peer) {    \
    return binary_ecdh(&curve, shared, d, peer, 0);                                   \
  }                                                                                   \
  int curve##_check_private(const uint8_t *d) {                                       \
    return binary_check_private(&curve, d);                                           \
  }                                                                                   \
  int curve##_check_public(const uint8_t *pub) {                                      \
    return binary_check_public(&curve, pub);                                          \
  }                                                                                   \
  int curve##_generate(uint8_t *d, uint8_t *pub, ecc_random_t random, void *context) { \
    return binary_generate(&curve, d, pub, random, context);                          \
  }

FUNCTIONS(b233)
FUNCTIONS(k233)
FUNCTIONS(sect163k1)
FUNCTIONS(sect163r1)
