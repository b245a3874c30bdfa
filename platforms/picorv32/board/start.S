// SPDX-License-Identifier: Apache-2.0
// Start-up code in ROM.

#include "start.inc"

  .section .text.start, "ax"
  .globl _start
_start:
  run_from_rom

  .section .note.GNU-stack, "", @progbits  // no executable stack
