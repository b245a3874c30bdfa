// SPDX-License-Identifier: Apache-2.0
// GF(2^233) and GF(2^163) on the unit: one order of operations, read by C and by assembly.
//
// A product goes through its columns in three runs, so that what is reduced is known before the
// columns that it is added to. So the reduction is only more terms of these columns: the topmost
// words first, then the other high words, then the low ones. The carry of a run (the high word of
// its last column) is added to the word where the previous run began. An element is any polynomial
// of 256 or 192 bits (sw/ecc/binary.h), so no further reduction is needed at the end.
//
//   x^(32 i) = 2^23 x^(32 (i - 8)) + 2 x^(32 (i - 5))        modulo x^233 + x^74 + 1
//   x^(32 i) = 2^29 x^(32 (i - 6)) + 0x19 x^(32 (i - 5))     modulo x^163 + x^7 + x^6 + x^3 + 1
// (numbers as bit vectors). The accumulator is zero before and after everything here.
//
// The including file defines, r being a register or a variable,
//   MAC(a, b)      ACC ^= a b
//   OUT(r, a, b)   ACC ^= a b; r = low word of ACC, which moves down by a word
//   HIGH(r)        r = low word of ACC, which moves down by a word
//   ADD(r, a)      r ^= a
//   XOR(r, a, b)   r = a ^ b
//   AND(r, a)      r &= a
//   GET(r, v, i)   r = word i of v, a word offset from the pointer (binary_ladder_t)
//   PUT(v, i, r)   word i of v = r
#ifndef BINARY_SCHEDULE_H
#define BINARY_SCHEDULE_H

// Word offsets in binary_ladder_t.
#define BASE_X 0
#define ROOT_B 8
#define TOGGLE 16
#define DOUBLE_X 24
#define DOUBLE_Z 32
#define SUM_X 40
#define SUM_Z 48
#define SCRATCH_0 56
#define SCRATCH_1 64
#define SCRATCH_2 72
#define STEPS 80
#define B_IS_ONE 81

#define TAPS_233_LOW 0x800000  // 2^23
#define TAPS_233_HIGH 2
#define TAPS_163_LOW 0x20000000  // 2^29
#define TAPS_163_HIGH 0x19

// ---- products -----------------------------------------------------------------------------------
//
// Word i of the result is in a7 (a5), and b7 (b5) is free: FETCH(i, free) and STORE(i, r, free)
// say what happens to it.

#define MUL_233(a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7, FETCH, STORE)    \
  MAC(a4, b7) MAC(a5, b6) MAC(a6, b5) OUT(W11, a7, b4)                                           \
  MAC(a5, b7) MAC(a6, b6) OUT(W12, a7, b5)                                                       \
  MAC(a6, b7) OUT(W13, a7, b6)                                                                   \
  OUT(W14, a7, b7) HIGH(W15)                                                                     \
  MAC(a0, b7) MAC(a1, b6) MAC(a2, b5) MAC(a3, b4) MAC(a4, b3) MAC(a5, b2) MAC(a6, b1)            \
  MAC(a7, b0) MAC(W12, TAP_HIGH) OUT(W7, W15, TAP_LOW)                                           \
  MAC(a1, b7) MAC(a2, b6) MAC(a3, b5) MAC(a4, b4) MAC(a5, b3) MAC(a6, b2) MAC(a7, b1)            \
  OUT(W8, W13, TAP_HIGH)                                                                         \
  MAC(a2, b7) MAC(a3, b6) MAC(a4, b5) MAC(a5, b4) MAC(a6, b3) MAC(a7, b2) OUT(W9, W14, TAP_HIGH) \
  MAC(a3, b7) MAC(a4, b6) MAC(a5, b5) MAC(a6, b4) MAC(a7, b3) OUT(W10, W15, TAP_HIGH)            \
  HIGH(a7) MAC(a0, b0) ADD(W11, a7)                                                              \
  FETCH(0, b7) OUT(a7, W8, TAP_LOW)                                                              \
  MAC(a0, b1) MAC(a1, b0) STORE(0, a7, b7) FETCH(1, b7) OUT(a7, W9, TAP_LOW)                     \
  MAC(a0, b2) MAC(a1, b1) MAC(a2, b0) STORE(1, a7, b7) FETCH(2, b7) OUT(a7, W10, TAP_LOW)        \
  MAC(a0, b3) MAC(a1, b2) MAC(a2, b1) MAC(a3, b0) MAC(W8, TAP_HIGH) STORE(2, a7, b7)             \
  FETCH(3, b7) OUT(a7, W11, TAP_LOW)                                                             \
  MAC(a0, b4) MAC(a1, b3) MAC(a2, b2) MAC(a3, b1) MAC(a4, b0) MAC(W9, TAP_HIGH)                  \
  STORE(3, a7, b7) FETCH(4, b7) OUT(a7, W12, TAP_LOW)                                            \
  MAC(a0, b5) MAC(a1, b4) MAC(a2, b3) MAC(a3, b2) MAC(a4, b1) MAC(a5, b0) MAC(W10, TAP_HIGH)     \
  STORE(4, a7, b7) FETCH(5, b7) OUT(a7, W13, TAP_LOW)                                            \
  MAC(a0, b6) MAC(a1, b5) MAC(a2, b4) MAC(a3, b3) MAC(a4, b2) MAC(a5, b1) MAC(a6, b0)            \
  MAC(W11, TAP_HIGH) STORE(5, a7, b7) FETCH(6, b7) OUT(a7, W14, TAP_LOW)                         \
  HIGH(a6) STORE(6, a7, b7) FETCH(7, b7) ADD(a6, W7) STORE(7, a6, b7)

#define MUL_163(a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5, FETCH, STORE)                 \
  MAC(a4, b5) OUT(W9, a5, b4)                                                                 \
  OUT(W10, a5, b5) HIGH(W11)                                                                  \
  MAC(a0, b5) MAC(a1, b4) MAC(a2, b3) MAC(a3, b2) MAC(a4, b1) MAC(a5, b0) MAC(W10, TAP_HIGH)  \
  OUT(W5, W11, TAP_LOW)                                                                       \
  MAC(a1, b5) MAC(a2, b4) MAC(a3, b3) MAC(a4, b2) MAC(a5, b1) OUT(W6, W11, TAP_HIGH)          \
  MAC(a2, b5) MAC(a3, b4) MAC(a4, b3) OUT(W7, a5, b2)                                         \
  MAC(a3, b5) MAC(a4, b4) OUT(W8, a5, b3)                                                     \
  HIGH(a5) MAC(a0, b0) ADD(W9, a5)                                                            \
  FETCH(0, b5) OUT(a5, W6, TAP_LOW)                                                           \
  MAC(a0, b1) MAC(a1, b0) MAC(W6, TAP_HIGH) STORE(0, a5, b5) FETCH(1, b5)                     \
  OUT(a5, W7, TAP_LOW)                                                                        \
  MAC(a0, b2) MAC(a1, b1) MAC(a2, b0) MAC(W7, TAP_HIGH) STORE(1, a5, b5) FETCH(2, b5)         \
  OUT(a5, W8, TAP_LOW)                                                                        \
  MAC(a0, b3) MAC(a1, b2) MAC(a2, b1) MAC(a3, b0) MAC(W8, TAP_HIGH) STORE(2, a5, b5)          \
  FETCH(3, b5) OUT(a5, W9, TAP_LOW)                                                           \
  MAC(a0, b4) MAC(a1, b3) MAC(a2, b2) MAC(a3, b1) MAC(a4, b0) MAC(W9, TAP_HIGH)               \
  STORE(3, a5, b5) FETCH(4, b5) OUT(a5, W10, TAP_LOW)                                         \
  HIGH(a4) STORE(4, a5, b5) FETCH(5, b5) ADD(a4, W5) STORE(5, a4, b5)

// ---- squares, in place --------------------------------------------------------------------------
//
// The order of the result words is that in which operands become free: SHUFFLED.

#define SQR_233(a0, a1, a2, a3, a4, a5, a6, a7)                                                    \
  OUT(W12, a6, a6) HIGH(W13) OUT(W14, a7, a7) HIGH(W15)                                            \
  MAC(W12, TAP_HIGH) OUT(W7, W15, TAP_LOW)                                                         \
  MAC(a4, a4) OUT(W8, W13, TAP_HIGH) OUT(W9, W14, TAP_HIGH)                                        \
  MAC(a5, a5) OUT(W10, W15, TAP_HIGH) HIGH(W11)                                                    \
  MAC(a0, a0) OUT(a0, W8, TAP_LOW) OUT(a4, W9, TAP_LOW)                                            \
  MAC(a1, a1) OUT(a1, W10, TAP_LOW) MAC(W8, TAP_HIGH) OUT(a5, W11, TAP_LOW)                        \
  MAC(a2, a2) MAC(W9, TAP_HIGH) OUT(a2, W12, TAP_LOW) MAC(W10, TAP_HIGH) OUT(a6, W13, TAP_LOW)     \
  MAC(a3, a3) MAC(W11, TAP_HIGH) OUT(a3, W14, TAP_LOW) HIGH(a7)
#define SQR_233_END(a7) ADD(a7, W7)
#define SHUFFLED_233(v) v##0, v##4, v##1, v##5, v##2, v##6, v##3, v##7

#define SQR_163(a0, a1, a2, a3, a4, a5)                                              \
  OUT(W10, a5, a5) HIGH(W11)                                                         \
  MAC(W10, TAP_HIGH) OUT(W5, W11, TAP_LOW)                                           \
  MAC(a3, a3) OUT(W6, W11, TAP_HIGH) HIGH(W7)                                        \
  OUT(W8, a4, a4) HIGH(W9)                                                           \
  MAC(a0, a0) OUT(a0, W6, TAP_LOW)                                                   \
  MAC(W6, TAP_HIGH) OUT(a3, W7, TAP_LOW)                                             \
  MAC(a1, a1) MAC(W7, TAP_HIGH) OUT(a1, W8, TAP_LOW)                                 \
  MAC(W8, TAP_HIGH) OUT(a4, W9, TAP_LOW)                                             \
  MAC(a2, a2) MAC(W9, TAP_HIGH) OUT(a2, W10, TAP_LOW) HIGH(a5)
#define SQR_163_END(a5) ADD(a5, W5)
#define SHUFFLED_163(v) v##0, v##3, v##1, v##4, v##2, v##5

// ---- words of vectors ---------------------------------------------------------------------------

#define WORDS_233(v) v##0, v##1, v##2, v##3, v##4, v##5, v##6, v##7
#define WORDS_163(v) v##0, v##1, v##2, v##3, v##4, v##5

#define GET_233(v, from) GET_ALL_233(from, WORDS_233(v))
#define GET_163(v, from) GET_ALL_163(from, WORDS_163(v))
#define GET_ALL_233(...) GET_8(__VA_ARGS__)
#define GET_ALL_163(...) GET_6(__VA_ARGS__)
#define GET_6(from, r0, r1, r2, r3, r4, r5)                                      \
  GET(r0, from, 0) GET(r1, from, 1) GET(r2, from, 2) GET(r3, from, 3)            \
  GET(r4, from, 4) GET(r5, from, 5)
#define GET_8(from, r0, r1, r2, r3, r4, r5, r6, r7) \
  GET_6(from, r0, r1, r2, r3, r4, r5) GET(r6, from, 6) GET(r7, from, 7)
#define PUT_6(to, r0, r1, r2, r3, r4, r5)                                        \
  PUT(to, 0, r0) PUT(to, 1, r1) PUT(to, 2, r2) PUT(to, 3, r3)                    \
  PUT(to, 4, r4) PUT(to, 5, r5)
#define PUT_8(to, r0, r1, r2, r3, r4, r5, r6, r7) \
  PUT_6(to, r0, r1, r2, r3, r4, r5) PUT(to, 6, r6) PUT(to, 7, r7)
#define PUT_233(...) PUT_8(__VA_ARGS__)
#define PUT_163(...) PUT_6(__VA_ARGS__)

// Two words of v: those of `first` where the mask W7 is zero, of `second` where it is all ones.
#define SELECT_2(r0, r1, first, second, i)                                             \
  GET(r0, first, i) GET(W8, second, i) GET(r1, first, (i) + 1) GET(W9, second, (i) + 1) \
  ADD(W8, r0) ADD(W9, r1) AND(W8, W7) AND(W9, W7) ADD(r0, W8) ADD(r1, W9)
#define SELECT_163(v, first, second)                                        \
  SELECT_2(v##0, v##1, first, second, 0) SELECT_2(v##2, v##3, first, second, 2) \
  SELECT_2(v##4, v##5, first, second, 4)
#define SELECT_233(v, first, second) \
  SELECT_163(v, first, second) SELECT_2(v##6, v##7, first, second, 6)

// ---- a step of the ladder (binary.c) ------------------------------------------------------------
//
// F is the field (233 or 163); the step's mask is in W7 before CHOOSE.

#define NO_FETCH(i, free)
#define TO_SCRATCH_1(i, r, free) PUT(SCRATCH_1, i, r)
#define TO_SCRATCH_2(i, r, free) PUT(SCRATCH_2, i, r)
#define TO_DOUBLE_X(i, r, free) PUT(DOUBLE_X, i, r)
#define TO_DOUBLE_Z(i, r, free) PUT(DOUBLE_Z, i, r)
#define FETCH_X2(i, free) GET(free, SCRATCH_0, i)
#define ADD_X2(i, r, free) ADD(r, free) PUT(DOUBLE_X, i, r)
#define FETCH_PRODUCT(i, free) GET(free, SCRATCH_1, i)
#define ADD_PRODUCT(i, r, free) ADD(r, free) PUT(SUM_X, i, r)

#define CALL(name, ...) name(__VA_ARGS__)
#define MUL(F, a, b, FETCH, STORE) CALL(MUL_##F, a, b, FETCH, STORE)

// x1 z2 and x2 z1
#define CROSS_PRODUCTS(F)                                                  \
  GET_##F(A, DOUBLE_X) GET_##F(B, SUM_Z)                                   \
  MUL(F, WORDS_##F(A), WORDS_##F(B), NO_FETCH, TO_SCRATCH_1)               \
  GET_##F(A, SUM_X) GET_##F(B, DOUBLE_Z)                                   \
  MUL(F, WORDS_##F(A), WORDS_##F(B), NO_FETCH, TO_SCRATCH_2)

// Squares of the coordinates that are to be doubled, in A and B, shuffled.
#define CHOOSE(F)                                        \
  SELECT_##F(A, DOUBLE_X, SUM_X)                         \
  SELECT_##F(B, DOUBLE_Z, SUM_Z)                         \
  CALL(SQR_##F, WORDS_##F(A)) SQR_##F##_END(LAST_A)      \
  CALL(SQR_##F, WORDS_##F(B)) SQR_##F##_END(LAST_B)

// z = x^2 z^2 and x = (x^2 + sqrt(b) z^2)^2, for b = 1 and any other.
#define DOUBLE_ONE(F)                                                                \
  PUT_SUM_##F(SCRATCH_0, SHUFFLED_##F(A), SHUFFLED_##F(B))                           \
  MUL(F, SHUFFLED_##F(A), SHUFFLED_##F(B), NO_FETCH, TO_DOUBLE_Z)                    \
  GET_##F(A, SCRATCH_0)
#define DOUBLE_ANY(F)                                                                \
  CALL(PUT_##F, SCRATCH_0, SHUFFLED_##F(A)) CALL(PUT_##F, DOUBLE_X, SHUFFLED_##F(B)) \
  MUL(F, SHUFFLED_##F(A), SHUFFLED_##F(B), NO_FETCH, TO_DOUBLE_Z)                    \
  GET_##F(A, DOUBLE_X) GET_##F(B, ROOT_B)                                            \
  MUL(F, WORDS_##F(A), WORDS_##F(B), FETCH_X2, ADD_X2)                               \
  GET_##F(A, DOUBLE_X)
#define DOUBLE_END(F)                                \
  CALL(SQR_##F, WORDS_##F(A)) SQR_##F##_END(LAST_A)  \
  CALL(PUT_##F, DOUBLE_X, SHUFFLED_##F(A))

// z = (x1 z2 + x2 z1)^2 and x = P.x z + x1 z2 x2 z1
#define SUM(F)                                                              \
  GET_##F(A, SCRATCH_1) GET_##F(B, SCRATCH_2)                               \
  PUT_SUM_##F(SCRATCH_0, WORDS_##F(A), WORDS_##F(B))                        \
  MUL(F, WORDS_##F(A), WORDS_##F(B), NO_FETCH, TO_SCRATCH_1)                \
  GET_##F(A, SCRATCH_0)                                                     \
  CALL(SQR_##F, WORDS_##F(A)) SQR_##F##_END(LAST_A)                         \
  CALL(PUT_##F, SUM_Z, SHUFFLED_##F(A))                                     \
  GET_##F(B, BASE_X)                                                        \
  MUL(F, SHUFFLED_##F(A), WORDS_##F(B), FETCH_PRODUCT, ADD_PRODUCT)

// Sums go through the W words, of which none is in use between products.
#define PUT_SUM_233(to, ...) CALL(PUT_SUM_8, to, __VA_ARGS__)
#define PUT_SUM_163(to, ...) CALL(PUT_SUM_6, to, __VA_ARGS__)
#define PUT_SUM_6(to, a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5)              \
  XOR(W5, a0, b0) XOR(W6, a1, b1) XOR(W7, a2, b2) XOR(W8, a3, b3) XOR(W9, a4, b4)  \
  XOR(W10, a5, b5) PUT_6(to, W5, W6, W7, W8, W9, W10)
#define PUT_SUM_8(to, a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7) \
  XOR(W7, a0, b0) XOR(W8, a1, b1) XOR(W9, a2, b2) XOR(W10, a3, b3) XOR(W11, a4, b4)   \
  XOR(W12, a5, b5) XOR(W13, a6, b6) XOR(W14, a7, b7)                                  \
  PUT_8(to, W7, W8, W9, W10, W11, W12, W13, W14)

#endif
