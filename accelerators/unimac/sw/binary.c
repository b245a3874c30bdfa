// SPDX-License-Identifier: Apache-2.0
// GF(2^233), GF(2^163) and the ladders with the unit emulated: the order of binary_schedule.h in C.
// On a core with the unit binary.S has the same functions.
#include "binary.h"

#include "accel_ops.h"
#include "binary_schedule.h"

#if defined UM_GF2 && !(defined __riscv && !defined ACCEL_EMULATE)

#define MAC(a, b) (void)um_gf2mac(a, b);
#ifdef UM_FAST
#define OUT(r, a, b) r = um_gf2macx(a, b);
#else
#define OUT(r, a, b) (void)um_gf2mac(a, b), r = um_shacr(0, 0);
#endif
#define HIGH(r) r = um_shacr(0, 0);
#define ADD(r, a) r ^= a;
#define AND(r, a) r &= a;
#define XOR(r, a, b) r = a ^ b;
#define GET(r, v, i) r = p[(v) + (i)];
#define PUT(v, i, r) p[(v) + (i)] = r;

#define VARIABLES_233                                                                        \
  uint32_t A0, A1, A2, A3, A4, A5, A6, A7;                                                   \
  uint32_t W7, W8, W9, W10, W11, W12, W13, W14, W15;                                         \
  const uint32_t TAP_LOW = TAPS_233_LOW, TAP_HIGH = TAPS_233_HIGH;                           \
  (void)um_gf2mul(0, 0);
#define VARIABLES_163                                                                        \
  uint32_t A0, A1, A2, A3, A4, A5;                                                           \
  uint32_t W5, W6, W7, W8, W9, W10, W11;                                                     \
  const uint32_t TAP_LOW = TAPS_163_LOW, TAP_HIGH = TAPS_163_HIGH;                           \
  (void)um_gf2mul(0, 0);

#define OPERAND_B_233 uint32_t B0, B1, B2, B3, B4, B5, B6, B7;
#define OPERAND_B_163 uint32_t B0, B1, B2, B3, B4, B5;

#define MASK(p) \
  (0u - ((p[TOGGLE + (p[STEPS] - 1u) / 32u] >> ((p[STEPS] - 1u) % 32u)) & 1u))

#define TO_RESULT(i, r, free) result[i] = r;

#define FIELD(F)                                                                             \
  void gf2_##F##_mul(uint32_t *result, const uint32_t *a, const uint32_t *b) {               \
    const uint32_t *p = a;                                                                   \
    VARIABLES_##F                                                                            \
    OPERAND_B_##F                                                                            \
    GET_##F(A, 0)                                                                            \
    p = b;                                                                                   \
    GET_##F(B, 0)                                                                            \
    MUL(F, WORDS_##F(A), WORDS_##F(B), NO_FETCH, TO_RESULT)                                  \
  }                                                                                          \
                                                                                             \
  void gf2_##F##_sqr_n(uint32_t *p, const uint32_t *a, unsigned n) {                         \
    VARIABLES_##F                                                                            \
    for (unsigned i = 0; i < WORDS_IN_##F; i++) p[i] = a[i];                                 \
    for (; n > 0; n--) {                                                                     \
      GET_##F(A, 0)                                                                          \
      CALL(SQR_##F, WORDS_##F(A)) SQR_##F##_END(LAST_A)                                      \
      CALL(PUT_##F, 0, SHUFFLED_##F(A))                                                      \
    }                                                                                        \
  }                                                                                          \
                                                                                             \
  void gf2_##F##_ladder(binary_ladder_t *l) {                                                \
    uint32_t *const p = l->x;                                                                \
    VARIABLES_##F                                                                            \
    OPERAND_B_##F                                                                            \
    for (; p[STEPS] > 0; p[STEPS]--) {                                                       \
      CROSS_PRODUCTS(F)                                                                      \
      W7 = MASK(p);                                                                          \
      CHOOSE(F)                                                                              \
      if (p[B_IS_ONE]) {                                                                     \
        DOUBLE_ONE(F)                                                                        \
      } else {                                                                               \
        DOUBLE_ANY(F)                                                                        \
      }                                                                                      \
      DOUBLE_END(F)                                                                          \
      SUM(F)                                                                                 \
    }                                                                                        \
  }

#define WORDS_IN_233 8
#define LAST_A A7
#define LAST_B B7
FIELD(233)
#undef LAST_A
#undef LAST_B

#define WORDS_IN_163 6
#define LAST_A A5
#define LAST_B B5
FIELD(163)

#endif
