// SPDX-License-Identifier: Apache-2.0
// GF(2^233), GF(2^163) and the ladders on the core: registers and functions for the order of
// binary_schedule.h. A ladder keeps its vectors in binary_ladder_t and nothing on the stack but the
// caller's registers.
#if defined UM_GF2 && defined __riscv && !defined ACCEL_EMULATE

#include "accel_ops.h"
#include "aes_saved_registers.h"
#include "binary_schedule.h"
#include "operand_registers.h"

#define MAC(a, b) um_gf2mac x0, a, b;
#ifdef UM_FAST
#define OUT(r, a, b) um_gf2macx r, a, b;
#else
#define OUT(r, a, b) um_gf2mac x0, a, b; um_shacr r, x0, x0;
#endif
#define HIGH(r) um_shacr r, x0, x0;
#define ADD(r, a) xor r, r, a;
#define AND(r, a) and r, r, a;
#define XOR(r, a, b) xor r, a, b;
#define GET(r, v, i) lw r, 4 * ((v) + (i))(POINTER);
#define PUT(v, i, r) sw r, 4 * ((v) + (i))(a0);
#define TO_RESULT(i, r, free) PUT(0, i, r)

  .macro function name
  .section .text.\name, "ax", @progbits
  .globl \name
  .type \name, @function
  .balign 4
\name:
  .endm

  .macro end name
  ret
  .size \name, . - \name
  .endm

// The mask of the next step in W7: the shift brings the bit to the top.
#define NEXT_MASK             \
  lw W8, 4 * STEPS(a0);       \
  addi W8, W8, -1;            \
  sw W8, 4 * STEPS(a0);       \
  srli W7, W8, 5;             \
  slli W7, W7, 2;             \
  add W7, W7, a0;             \
  lw W7, 4 * TOGGLE(W7);      \
  not W8, W8;                 \
  sll W7, W7, W8;             \
  srai W7, W7, 31;

// The loop of a ladder; a0 is the only pointer.
#define LADDER(F)             \
1:                            \
  CROSS_PRODUCTS(F)           \
  NEXT_MASK                   \
  CHOOSE(F)                   \
  lw W7, 4 * B_IS_ONE(a0);    \
  beqz W7, 2f;                \
  DOUBLE_ONE(F)               \
  j 3f;                       \
2:                            \
  DOUBLE_ANY(F)               \
3:                            \
  DOUBLE_END(F)               \
  SUM(F)                      \
  lw W7, 4 * STEPS(a0);       \
  bnez W7, 1b;

// ---- GF(2^233) ----------------------------------------------------------------------------------

#define W7 s2
#define W8 s3
#define W9 s4
#define W10 s5
#define W11 s6
#define W12 s7
#define W13 s8
#define W14 s9
#define W15 s10
#define TAP_HIGH s11
#define TAP_LOW ra
#define LAST_A A7
#define LAST_B B7

  .macro begin_233
  addi sp, sp, -64
  each_saved sw
  um_gf2mul x0, x0, x0
  li TAP_LOW, TAPS_233_LOW
  li TAP_HIGH, TAPS_233_HIGH
  .endm

  .macro finish_233
  each_saved lw
  addi sp, sp, 64
  .endm

function gf2_233_mul
  begin_233
#define POINTER a1
  GET_233(A, 0)
#undef POINTER
#define POINTER a2
  GET_233(B, 0)
#undef POINTER
  MUL(233, WORDS_233(A), WORDS_233(B), NO_FETCH, TO_RESULT)
  finish_233
  end gf2_233_mul

function gf2_233_sqr_n
  begin_233
#define POINTER a1
  GET_233(A, 0)
#undef POINTER
1:
  CALL(SQR_233, WORDS_233(A)) SQR_233_END(A7)
  mv W7, A1
  mv A1, A4
  mv A4, A2
  mv A2, W7
  mv W7, A3
  mv A3, A5
  mv A5, A6
  mv A6, W7
  addi a2, a2, -1
  bnez a2, 1b
  CALL(PUT_233, 0, WORDS_233(A))
  finish_233
  end gf2_233_sqr_n

#define POINTER a0
function gf2_233_ladder
  begin_233
  LADDER(233)
  finish_233
  end gf2_233_ladder
#undef POINTER

// ---- GF(2^163) ----------------------------------------------------------------------------------

#undef A0
#undef A1
#undef A2
#undef A3
#undef A4
#undef A5
#undef A6
#undef A7
#undef B0
#undef B1
#undef B2
#undef B3
#undef B4
#undef B5
#undef B6
#undef B7
#undef W7
#undef W8
#undef W9
#undef W10
#undef W11
#undef W12
#undef W13
#undef W14
#undef W15
#undef TAP_HIGH
#undef TAP_LOW
#undef LAST_A
#undef LAST_B

#define A0 a3
#define A1 a4
#define A2 a5
#define A3 a6
#define A4 a7
#define A5 a1  // a pointer until it is loaded
#define B0 t0
#define B1 t1
#define B2 t2
#define B3 t3
#define B4 t4
#define B5 a2  // a pointer until it is loaded, or the number of squarings
#define W5 t5
#define W6 t6
#define W7 s0
#define W8 s1
#define W9 s2
#define W10 s3
#define W11 s4
#define TAP_HIGH s5
#define TAP_LOW s6
#define LAST_A A5
#define LAST_B B5

  .macro saved_163 access
  \access s0, 0(sp)
  \access s1, 4(sp)
  \access s2, 8(sp)
  \access s3, 12(sp)
  \access s4, 16(sp)
  \access s5, 20(sp)
  \access s6, 24(sp)
  .endm

  .macro begin_163
  addi sp, sp, -32
  saved_163 sw
  um_gf2mul x0, x0, x0
  li TAP_LOW, TAPS_163_LOW
  li TAP_HIGH, TAPS_163_HIGH
  .endm

  .macro finish_163
  saved_163 lw
  addi sp, sp, 32
  .endm

function gf2_163_mul
  begin_163
#define POINTER a1
  GET_163(A, 0)
#undef POINTER
#define POINTER a2
  GET_163(B, 0)
#undef POINTER
  MUL(163, WORDS_163(A), WORDS_163(B), NO_FETCH, TO_RESULT)
  finish_163
  end gf2_163_mul

function gf2_163_sqr_n
  begin_163
#define POINTER a1
  GET_163(A, 0)
#undef POINTER
1:
  CALL(SQR_163, WORDS_163(A)) SQR_163_END(A5)
  mv W5, A1
  mv A1, A3
  mv A3, A4
  mv A4, A2
  mv A2, W5
  addi a2, a2, -1
  bnez a2, 1b
  CALL(PUT_163, 0, WORDS_163(A))
  finish_163
  end gf2_163_sqr_n

#define POINTER a0
function gf2_163_ladder
  begin_163
  LADDER(163)
  finish_163
  end gf2_163_ladder
#undef POINTER

#endif

  .section .note.GNU-stack, "", @progbits  // no executable stack
