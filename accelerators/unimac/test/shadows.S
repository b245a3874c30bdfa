// SPDX-License-Identifier: Apache-2.0
// Multiply-accumulate where a core may begin an instruction that it then does not want, or begin it
// twice: in the shadow of branches and jumps, after loads, divisions and stores. (uint32_t a,
// uint32_t b, uint32_t mem[4] = {0, 1, a, any}, uint32_t bits); how often each adds a * b is in
// shadows.c. Registers that operations should not write are loaded with noise first.
#include "accel_ops.h"

  .macro ONCE
  um_macu t6, a0, a1
  .endm
  .macro ONCE_NOWHERE
  um_macu x0, a0, a1
#ifdef SHADOWS_TWICE  // what the program is for: it must see this
  um_macu x0, a0, a1
#endif
  .endm
  // What must never happen, in three ways.
  .macro RUIN
  um_macu t6, a0, a1
  um_shacr t5, x0, x0
  um_mulu t4, a1, a1
  .endm

  .text
  .macro ROUTINE name
  .globl \name
  .balign 16
\name:
  .endm

ROUTINE shadow_taken  // 3
  beq a0, a0, 1f
  RUIN
1:
  ONCE
  beq a0, a0, 2f
  um_shin t4, a1, x0
2:
  ONCE_NOWHERE
  bgeu a0, x0, 3f
  um_gf2mul t5, a1, a1
  RUIN
3:
  ONCE
  ret
  RUIN

ROUTINE shadow_untaken  // 4
  bne a0, a0, 1f
  ONCE
  bne a1, a1, 1f
  ONCE
  ONCE_NOWHERE
  bltu a0, x0, 1f
  ONCE
1:
  ret

ROUTINE shadow_loop  // 10
  li t0, 9
1:
  ONCE
  addi t0, t0, -1
  bnez t0, 1b
  ONCE
  ret

ROUTINE shadow_data  // as many as `bits` has ones
  li t0, 32
1:
  andi t1, a3, 1
  beqz t1, 2f
  ONCE
2:
  srli a3, a3, 1
  addi t0, t0, -1
  bnez t0, 1b
  ret

ROUTINE shadow_loaded  // 2
  lw t1, 0(a2)
  beqz t1, 1f
  RUIN
1:
  lw t1, 4(a2)
  beqz t1, 2f
  ONCE
2:
  lw t1, 4(a2)
  bnez t1, 3f
  RUIN
3:
  ONCE
  ret

ROUTINE shadow_jumps  // 3
  j 1f
  RUIN
1:
  ONCE
  la t0, 2f
  jr t0
  RUIN
2:
  ONCE
  mv t3, ra
  jal 3f
  RUIN
3:
  mv ra, t3
  ONCE
  ret
  RUIN

ROUTINE shadow_loads  // 6
  lw t1, 8(a2)
  um_macu t6, t1, a1
  ONCE
  lw t2, 8(a2)
  nop
  um_macu x0, t2, a1
  sw a0, 12(a2)
  ONCE
  lw t1, 12(a2)
  um_macu t1, t1, a1
  sw x0, 12(a2)
  lw t1, 8(a2)
  lw t2, 8(a2)
  um_macu t2, t1, a1
  ret

ROUTINE shadow_divisions  // 5
  li t1, 1
  divu t2, a1, a0
  ONCE
  divu t2, a0, t1
  um_macu t6, t2, a1
  ONCE
  mul t2, a0, t1
  um_macu t6, t2, a1
  remu t2, a1, a0
  ONCE_NOWHERE
  ret

ROUTINE shadow_answers  // 2: each answer is needed at once
  um_shacr t0, x0, x0   // three words out, and back in
  um_shacr t1, x0, x0
  um_shacr t2, x0, x0
  um_mulu t3, a0, t1    // ACC does not matter now
  add t3, t3, t3
  um_shin t4, t2, t3
  um_shin t4, t1, t4    // t4 is 0
  um_shin t4, t0, t4
  bnez t4, 1f
  ONCE
1:
  um_macu t4, a0, a1
  beqz t4, 2f
  RUIN
2:
  ret

  .section .note.GNU-stack, "", @progbits  // no executable stack
