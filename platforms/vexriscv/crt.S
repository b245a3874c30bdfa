// SPDX-License-Identifier: Apache-2.0
// Start-up and trap entry of VexRiscv. Custom instructions are illegal until bit 31 of CSR 0xBC0 is
// set (CfuPlugin of VexRiscv; the number is also that of the external-interrupt mask).

#include "start.inc"

#define CSR_CFU_ENABLE 0xbc0

  .section .text.vectors, "ax"
  .globl _start
_start:
  j     reset

  .balign 128
trap_entry:
  machine_trap_entry

reset:
  init_c
  machine_enable_timer trap_entry
  li    t0, 1 << 31
  csrw  CSR_CFU_ENABLE, t0
  run_main

  .section .note.GNU-stack, "", @progbits  // no executable stack
