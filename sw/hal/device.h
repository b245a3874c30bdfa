// SPDX-License-Identifier: Apache-2.0
// Registers of the test bench's device: docs/architecture.md, section 4. Assembler includes it too.
#ifndef DEVICE_H
#define DEVICE_H

#define DEVICE_BASE 0x80000000
#define DEVICE_PUTC 0x00
#define DEVICE_EXIT 0x04
#define DEVICE_AVAIL 0x08
#define DEVICE_READ 0x0c
#define DEVICE_WRITE_WORD 0x10
#define DEVICE_WRITE_BYTE 0x14
#define DEVICE_MEM_SIZE 0x18
#define DEVICE_TIMER 0x1c
#define DEVICE_LINE 0x20
#define DEVICE_CYCLES 0x24
#define DEVICE_TRAP_PC 0x28
#define DEVICE_TRAP 0x2c
#define DEVICE_READ_BYTE 0x30

#endif
