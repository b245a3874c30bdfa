// SPDX-License-Identifier: Apache-2.0
// The language of prime.inc: each statement is RISC-V assembly on a core with the unit and C
// elsewhere, so that the same text runs under the sanitizers of the host.
//
// Registers: operands A0..A7 and B0..B7, words T0..T7, a constant K, pointers OUT, IN, IN2, BASE.
//   UM(op, x, y)      an operation whose answer is not needed
//   UMD(op, z, x, y)  z = answer
//   GET(z, P, i)      z = word i at P            PUT(P, i, z)  the reverse
//   LI(z, n)          z = n                      ...           as the core's instructions
//   LOCAL(f) RETURN   a function of OUT, IN, IN2 and K that saves no register
//   CALL(f, o, x, y)  such a function on words o, x, y of what BASE points to
#ifndef UNIMAC_PRIME_H
#define UNIMAC_PRIME_H

#if defined(__riscv) && !defined(ACCEL_EMULATE)
#define UNIMAC_ASSEMBLY
#endif

#ifdef __ASSEMBLER__

#include "operand_registers.h"

#define OUT a0
#define IN a1
#define IN2 a2
#define T0 s2
#define T1 s3
#define T2 s4
#define T3 s5
#define T4 s6
#define T5 s7
#define T6 s8
#define T7 s9
#define K s10
#define BASE s11
#define ZERO zero

#define UM(op, x, y) um_##op zero, x, y;
#define UMD(op, z, x, y) um_##op z, x, y;
#define GET(z, p, i) lw z, 4 * (i)(p);
#define PUT(p, i, z) sw z, 4 * (i)(p);
#define LI(z, n) li z, n;
#define ADD(z, x, y) add z, x, y;
#define MUL(z, x, y) mul z, x, y;
#define AND(z, x, y) and z, x, y;
#define ANDI(z, x, n) andi z, x, n;
#define OR(z, x, y) or z, x, y;
#define XOR(z, x, y) xor z, x, y;
#define NEG(z, x) neg z, x;
#define SLLI(z, x, n) slli z, x, n;
#define SRLI(z, x, n) srli z, x, n;
#define LOCAL(f) f:
#define RETURN ret;
#define CALL(f, o, x, y) \
  addi OUT, BASE, 4 * (o); addi IN, BASE, 4 * (x); addi IN2, BASE, 4 * (y); jal f;

#else

#define ZERO 0u
#define UM(op, x, y) (void)um_##op(x, y);
#define UMD(op, z, x, y) z = um_##op(x, y);
#define GET(z, p, i) z = p[i];
#define PUT(p, i, z) p[i] = z;
#define LI(z, n) z = (uint32_t)(n);
#define ADD(z, x, y) z = x + y;
#define MUL(z, x, y) z = x * y;
#define AND(z, x, y) z = x & y;
#define ANDI(z, x, n) z = x & n;
#define OR(z, x, y) z = x | y;
#define XOR(z, x, y) z = x ^ y;
#define NEG(z, x) z = 0u - x;
#define SLLI(z, x, n) z = x << n;
#define SRLI(z, x, n) z = x >> n;
#define LOCAL(f)                                                                            \
  static void f(uint32_t *OUT, const uint32_t *IN, const uint32_t *IN2, uint32_t K) {       \
    uint32_t A0, A1, A2, A3, A4, A5, A6, A7, B0, B1, B2, B3, B4, B5, B6, B7;                \
    uint32_t T0, T1, T2, T3, T4, T5, T6, T7;                                                \
    (void)IN2, (void)K;                                                                     \
    B0 = B1 = B2 = B3 = B4 = B5 = B6 = B7 = T0 = T1 = T2 = T3 = T4 = T5 = T6 = T7 = 0u;
#define RETURN                                                                              \
    (void)B0, (void)B1, (void)B2, (void)B3, (void)B4, (void)B5, (void)B6, (void)B7;         \
    (void)T0, (void)T1, (void)T2, (void)T3, (void)T4, (void)T5, (void)T6, (void)T7;         \
  }
#define CALL(f, o, x, y) f(BASE + (o), BASE + (x), BASE + (y), K);

#endif
#endif
