// SPDX-License-Identifier: Apache-2.0
// Start-up and interrupt entry of PicoRV32. The core has no trap vector: an illegal instruction
// stops it. Interrupt instructions: README of PicoRV32, "Custom Instructions for IRQ Handling".

#include "start.inc"

#define CUSTOM0 0x0b
#define FUNCT7_RETIRQ 2
#define FUNCT7_MASKIRQ 3

  .section .text.vectors, "ax"
  .globl _start
_start:
  j     reset

  // PROGADDR_IRQ. The return address is in q0, which only `retirq` reads; the core takes no second
  // interrupt before that.
  .balign 16
irq_entry:
  save_registers
  load_gp
  call  hal_irq_dispatch
  restore_registers
  .insn r CUSTOM0, 0, FUNCT7_RETIRQ, x0, x0, x0

reset:
  init_c
  .insn r CUSTOM0, 0, FUNCT7_MASKIRQ, x0, x0, x0  // no line is masked
  run_main

  .section .note.GNU-stack, "", @progbits  // no executable stack
