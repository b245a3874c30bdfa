// SPDX-License-Identifier: Apache-2.0
// Prime fields on a core with the unit: what sw/ecc declares weak, around the bodies of prime.inc.
#include "prime.h"

#ifdef UNIMAC_ASSEMBLY

#include "accel_ops.h"
#include "aes_saved_registers.h"

// The frame: thirteen registers, and a mask or a count.
#define MASK_SLOT SAVED_BYTES
#define COUNT_SLOT 56
#define FRAME 64

  // A function of C's convention in a section of its own.
  .macro enter name
  .globl \name
  .type \name, @function
\name:
  addi sp, sp, -FRAME
  each_saved sw
  .endm

  .macro leave name
  each_saved lw
  addi sp, sp, FRAME
  ret
  .size \name, . - \name
  .endm

  // link.ld puts this section between the two prime fields of sw/ecc. Inside it the functions of a
  // loop are neighbours, each group less than 4 KiB: no two of them share a line of such a cache.
  .section .text.ecc_prime, "ax", @progbits

  .subsection 1
#define GET_MASK lw K, MASK_SLOT(sp);
#include "prime.inc"

#ifdef UM_FAST

  // a1 = number of doublings
  enter p256_double
  mv BASE, a0
  sw a1, COUNT_SLOT(sp)
1:
  DOUBLE_STEP
  lw T0, COUNT_SLOT(sp)
  addi T0, T0, -1
  sw T0, COUNT_SLOT(sp)
  bnez T0, 1b
  leave p256_double

  enter p256_add_affine
  mv BASE, a0
  ADD_STEP
  leave p256_add_affine

#endif

  enter ecc_mul256
  jal um_mul
  leave ecc_mul256

  enter ecc_sqr256
  jal um_sqr
  leave ecc_sqr256

#ifdef UM_FAST

  .subsection 0
  enter f25519_mul
  jal um_25519_mul
  leave f25519_mul

  // a2 = number of squarings
  enter f25519_sqr
  mv BASE, a2
  GET_A
  LI(K, 38)
1:
  SQR_25519
  addi BASE, BASE, -1
  bnez BASE, 1b
  PUT_A(0)
  leave f25519_sqr

  enter x25519_step
  mv BASE, a0
  neg a1, a1
  sw a1, MASK_SLOT(sp)
  LADDER_STEP
  sw zero, MASK_SLOT(sp)
  leave x25519_step

  .subsection 1
  enter f256_mul
  jal um_256_mul
  leave f256_mul

  // a2 = number of squarings
  enter f256_sqr
  mv BASE, a2
  GET_A
1:
  SQR_256
  addi BASE, BASE, -1
  bnez BASE, 1b
  PUT_A(0)
  leave f256_sqr

  enter f256_add
  jal um_256_add
  leave f256_add

  enter f256_sub
  jal um_256_sub
  leave f256_sub

  enter p256_order_mul
  jal um_order_mul
  leave p256_order_mul

#endif
#endif

  .section .note.GNU-stack, "", @progbits  // no executable stack
