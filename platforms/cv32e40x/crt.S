// SPDX-License-Identifier: Apache-2.0
// Start-up and trap entry of CV32E40X. The trap vector is aligned to 128 bytes and the counters
// stand still after reset (user manual, mtvec and mcountinhibit).

#include "start.inc"

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
  csrw  mcountinhibit, zero
  run_main

  .section .note.GNU-stack, "", @progbits  // no executable stack
