// SPDX-License-Identifier: Apache-2.0
// uint32_t interrupted_loop(uint32_t unused, volatile uint32_t *until): fills every register with a
// value of its own and counts until *until is not zero, then returns 0 if no other register has
// changed, else the number of one that has. A handler that runs meanwhile must leave no trace.
// The counter, s0, ends up in *until's neighbour, so that the caller sees that each step ran once.

  .macro fill number, name
  li    \name, 0x5a000000 + \number * 0x10101
  .endm

  .macro check number, name
  li    s1, 0x5a000000 + \number * 0x10101
  li    a0, \number
  bne   s1, \name, 9f
  .endm

  .text
  .globl interrupted_loop
interrupted_loop:
  addi  sp, sp, -64
  sw    ra,  0(sp)
  sw    s0,  4(sp)
  sw    s1,  8(sp)
  sw    s2, 12(sp)
  sw    s3, 16(sp)
  sw    s4, 20(sp)
  sw    s5, 24(sp)
  sw    s6, 28(sp)
  sw    s7, 32(sp)
  sw    s8, 36(sp)
  sw    s9, 40(sp)
  sw    s10, 44(sp)
  sw    s11, 48(sp)
  sw    gp, 52(sp)
  sw    tp, 56(sp)
  sw    a1, 60(sp)
  fill  1, ra
  fill  3, gp
  fill  4, tp
  fill  5, t0
  fill  6, t1
  fill  7, t2
  fill  12, a2
  fill  13, a3
  fill  14, a4
  fill  15, a5
  fill  16, a6
  fill  17, a7
  fill  18, s2
  fill  19, s3
  fill  20, s4
  fill  21, s5
  fill  22, s6
  fill  23, s7
  fill  24, s8
  fill  25, s9
  fill  26, s10
  fill  27, s11
  fill  28, t3
  fill  29, t4
  fill  30, t5
  fill  31, t6
  li    s0, 0
1:
  // Every instruction of the loop must run exactly once a round, wherever the interrupt falls.
  addi  s0, s0, 1
  xori  t0, t0, -1
  xori  t0, t0, -1
  mul   s1, s0, a2
  addi  t6, t6, 5
  lw    s1, 0(a1)
  beqz  s1, 1b
  sw    s0, 4(a1)
  li    s1, 5
  mul   s1, s1, s0
  sub   t6, t6, s1
  check 1, ra
  check 3, gp
  check 4, tp
  check 5, t0
  check 6, t1
  check 7, t2
  check 12, a2
  check 13, a3
  check 14, a4
  check 15, a5
  check 16, a6
  check 17, a7
  check 18, s2
  check 19, s3
  check 20, s4
  check 21, s5
  check 22, s6
  check 23, s7
  check 24, s8
  check 25, s9
  check 26, s10
  check 27, s11
  check 28, t3
  check 29, t4
  check 30, t5
  check 31, t6
  li    a0, 11
  lw    s1, 60(sp)
  bne   s1, a1, 9f
  li    a0, 0
9:
  lw    ra,  0(sp)
  lw    s0,  4(sp)
  lw    s1,  8(sp)
  lw    s2, 12(sp)
  lw    s3, 16(sp)
  lw    s4, 20(sp)
  lw    s5, 24(sp)
  lw    s6, 28(sp)
  lw    s7, 32(sp)
  lw    s8, 36(sp)
  lw    s9, 40(sp)
  lw    s10, 44(sp)
  lw    s11, 48(sp)
  lw    gp, 52(sp)
  lw    tp, 56(sp)
  addi  sp, sp, 64
  ret

  .section .note.GNU-stack, "", @progbits  // no executable stack
