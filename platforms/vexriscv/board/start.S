// SPDX-License-Identifier: Apache-2.0
// Start-up code in ROM. Custom instructions are illegal until bit 31 of CSR 0xBC0 is set (CfuPlugin
// of VexRiscv). The trap vector is where soc_core.sv sees a trap.

#include "start.inc"

#define CSR_CFU_ENABLE 0xbc0
#define TRAP_VECTOR    0x40000000

  .section .text.start, "ax"
  .globl _start
_start:
  li    t0, TRAP_VECTOR
  csrw  mtvec, t0
  li    t0, 1 << 31
  csrw  CSR_CFU_ENABLE, t0
  run_from_rom

  .section .note.GNU-stack, "", @progbits  // no executable stack
