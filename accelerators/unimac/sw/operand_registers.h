// SPDX-License-Identifier: Apache-2.0
// Registers of two operands of eight words in the assembly. A pointer or count that is not needed
// after the loads gives its register to the word that is loaded last.
#ifndef UNIMAC_OPERAND_REGISTERS_H
#define UNIMAC_OPERAND_REGISTERS_H

#define A0 a3
#define A1 a4
#define A2 a5
#define A3 a6
#define A4 a7
#define A5 t0
#define A6 t1
#define A7 a1
#define B0 t2
#define B1 t3
#define B2 t4
#define B3 t5
#define B4 t6
#define B5 s0
#define B6 s1
#define B7 a2

#endif
