// SPDX-License-Identifier: Apache-2.0
// The AES S-box and its inverse on eight words: word b holds bit b of 32 independent bytes. The
// constant 63 is left out: sbox_slices gives S(x) ^ 63, inv_sbox_slices takes S(x) ^ 63.
// Source of the non-linear part (t2 to t45 and the eighteen products z): J. Boyar and R. Peralta,
// "A new combinational logic minimization technique with applications to cryptology", SEA 2010.
// The linear parts before it (f) and after it (c) were searched anew for both directions with the
// greedy of that paper, those after it as the transpose of a circuit with eight inputs: 113 gates
// forward, 114 inverse. The order of the statements keeps the number of live values near that of
// the registers; tests/sw/test_baselines.py checks all 256 values of both.
#ifndef FIXSLICE_SBOX_H
#define FIXSLICE_SBOX_H

#include <stdint.h>

static inline __attribute__((always_inline)) void sbox_slices(uint32_t *s) {
  const uint32_t x5 = s[5]; const uint32_t x6 = s[6]; const uint32_t x2 = s[2];
  const uint32_t x4 = s[4]; const uint32_t x7 = s[7]; const uint32_t f1 = x5 ^ x6;
  const uint32_t x1 = s[1]; const uint32_t f2 = x2 ^ x4; const uint32_t f3 = x4 ^ x7;
  const uint32_t x0 = s[0]; const uint32_t f4 = x1 ^ x7; const uint32_t f5 = f4 ^ f2;
  const uint32_t x3 = s[3]; const uint32_t f6 = x0 ^ f1; const uint32_t f7 = x1 ^ f6;
  const uint32_t f8 = x3 ^ f5; const uint32_t f9 = x2 ^ f8; const uint32_t f10 = x6 ^ f8;
  const uint32_t f11 = f3 ^ f10; const uint32_t f12 = x0 ^ f9; const uint32_t f13 = x4 ^ f6;
  const uint32_t f14 = f11 ^ f1; const uint32_t t2 = f5 & f9; const uint32_t f15 = x0 ^ f11;
  const uint32_t t7 = f4 & f14; const uint32_t f16 = x7 ^ f6; const uint32_t t8 = f7 & f6;
  const uint32_t f17 = x7 ^ f14; const uint32_t t9 = t8 ^ t7; const uint32_t f18 = f9 ^ f1;
  const uint32_t f19 = x1 ^ f17; const uint32_t t5 = f13 & x0; const uint32_t t10 = f16 & f15;
  const uint32_t f20 = x2 ^ x7; const uint32_t f21 = f20 ^ f7; const uint32_t t11 = t10 ^ t7;
  const uint32_t t3 = f21 & f12; const uint32_t t6 = t5 ^ t2; const uint32_t t4 = t3 ^ t2;
  const uint32_t f22 = f9 ^ f14; const uint32_t t12 = f3 & f11; const uint32_t t13 = f2 & f22;
  const uint32_t t14 = t13 ^ t12; const uint32_t t19 = t9 ^ t14; const uint32_t t17 = t4 ^ t14;
  const uint32_t t21 = t17 ^ f10; const uint32_t t23 = t19 ^ f19; const uint32_t t15 = f20 & f18;
  const uint32_t t16 = t15 ^ t12; const uint32_t t18 = t6 ^ t16; const uint32_t t20 = t11 ^ t16;
  const uint32_t t26 = t21 & t23; const uint32_t f23 = f20 ^ f18; const uint32_t t24 = t20 ^ f17;
  const uint32_t t30 = t23 ^ t24; const uint32_t t22 = t18 ^ f23; const uint32_t t25 = t21 ^ t22;
  const uint32_t t31 = t22 ^ t26; const uint32_t t32 = t31 & t30; const uint32_t t33 = t32 ^ t24;
  const uint32_t t27 = t24 ^ t26; const uint32_t t35 = t27 ^ t33; const uint32_t t36 = t24 & t35;
  const uint32_t t28 = t25 & t27; const uint32_t t38 = t27 ^ t36; const uint32_t t34 = t23 ^ t33;
  const uint32_t t37 = t36 ^ t34; const uint32_t z2 = t33 & x0; const uint32_t t29 = t28 ^ t22;
  const uint32_t z14 = t29 & f16; const uint32_t t39 = t29 & t38; const uint32_t t40 = t25 ^ t39;
  const uint32_t t42 = t29 ^ t33; const uint32_t z15 = t42 & f3; const uint32_t z10 = t37 & f21;
  const uint32_t z6 = t42 & f11; const uint32_t t41 = t40 ^ t37; const uint32_t t45 = t42 ^ t41;
  const uint32_t z17 = t41 & f20; const uint32_t t44 = t33 ^ t37; const uint32_t z8 = t41 & f18;
  const uint32_t z9 = t44 & f5; const uint32_t z13 = t40 & f7; const uint32_t z0 = t44 & f9;
  const uint32_t z16 = t45 & f2; const uint32_t z4 = t40 & f6; const uint32_t t43 = t29 ^ t40;
  const uint32_t z11 = t33 & f13; const uint32_t z1 = t37 & f12; const uint32_t z5 = t29 & f15;
  const uint32_t c1 = z17 ^ z15; const uint32_t c2 = z16 ^ z15; const uint32_t z7 = t45 & f22;
  const uint32_t c3 = z8 ^ z7; const uint32_t z3 = t43 & f14; const uint32_t c4 = z5 ^ z4;
  const uint32_t c5 = z3 ^ z4; const uint32_t c6 = z0 ^ c5; const uint32_t c7 = z2 ^ c6;
  const uint32_t c8 = c3 ^ c7; const uint32_t c9 = z10 ^ c2; const uint32_t c10 = z13 ^ c2;
  const uint32_t c11 = z9 ^ c9; const uint32_t c12 = c4 ^ c7; const uint32_t z12 = t43 & f4;
  const uint32_t c13 = c8 ^ z12; const uint32_t c14 = z6 ^ c5; const uint32_t c15 = c10 ^ c12;
  const uint32_t c16 = c13 ^ c15; s[1] = c16; const uint32_t c17 = c14 ^ z7;
  const uint32_t c18 = c1 ^ c17; const uint32_t c19 = z11 ^ c9; const uint32_t c20 = z1 ^ c6;
  const uint32_t c21 = z14 ^ c13; const uint32_t c22 = z12 ^ c15; s[0] = c22;
  const uint32_t c23 = c20 ^ c11; s[4] = c23; const uint32_t c24 = c19 ^ c21; s[2] = c24;
  const uint32_t c25 = c18 ^ c21; s[5] = c25; const uint32_t c26 = c23 ^ c17; s[6] = c26;
  const uint32_t c27 = c23 ^ c12; s[3] = c27; const uint32_t c28 = c11 ^ c17; s[7] = c28;
}

static inline __attribute__((always_inline)) void inv_sbox_slices(uint32_t *s) {
  const uint32_t x3 = s[3]; const uint32_t x4 = s[4]; const uint32_t x6 = s[6];
  const uint32_t x7 = s[7]; const uint32_t x2 = s[2]; const uint32_t f1 = x3 ^ x4;
  const uint32_t x0 = s[0]; const uint32_t f2 = x6 ^ x7; const uint32_t x1 = s[1];
  const uint32_t f3 = x2 ^ x7; const uint32_t f4 = x0 ^ f1; const uint32_t f5 = x1 ^ f4;
  const uint32_t x5 = s[5]; const uint32_t f6 = x4 ^ f2; const uint32_t f7 = x3 ^ f6;
  const uint32_t f8 = x5 ^ f1; const uint32_t f9 = x4 ^ x6; const uint32_t f10 = f5 ^ f9;
  const uint32_t f11 = x5 ^ f3; const uint32_t f12 = f6 ^ f11; const uint32_t f13 = f1 ^ f10;
  const uint32_t t5 = f13 & f11; const uint32_t f14 = x0 ^ x3; const uint32_t f15 = x5 ^ f13;
  const uint32_t f16 = x4 ^ x7; const uint32_t t8 = f9 & f4; const uint32_t f17 = f5 ^ f7;
  const uint32_t t10 = f10 & f15; const uint32_t f18 = f10 ^ f3; const uint32_t f19 = f4 ^ f15;
  const uint32_t t2 = f17 & f12; const uint32_t t3 = f16 & f6; const uint32_t t7 = f5 & f19;
  const uint32_t f20 = x1 ^ f15; const uint32_t t11 = t10 ^ t7; const uint32_t t9 = t8 ^ t7;
  const uint32_t t6 = t5 ^ t2; const uint32_t f21 = f14 ^ f2; const uint32_t t4 = t3 ^ t2;
  const uint32_t f22 = f1 ^ f18; const uint32_t f23 = f21 ^ f22; const uint32_t t13 = f7 & f23;
  const uint32_t t12 = f1 & f22; const uint32_t t14 = t13 ^ t12; const uint32_t t17 = t4 ^ t14;
  const uint32_t t19 = t9 ^ t14; const uint32_t t21 = t17 ^ f18; const uint32_t t23 = t19 ^ f20;
  const uint32_t t15 = f2 & f21; const uint32_t t16 = t15 ^ t12; const uint32_t t20 = t11 ^ t16;
  const uint32_t t24 = t20 ^ f8; const uint32_t t18 = t6 ^ t16; const uint32_t t26 = t21 & t23;
  const uint32_t t30 = t23 ^ t24; const uint32_t t22 = t18 ^ f14; const uint32_t t27 = t24 ^ t26;
  const uint32_t t31 = t22 ^ t26; const uint32_t t32 = t31 & t30; const uint32_t t33 = t32 ^ t24;
  const uint32_t t35 = t27 ^ t33; const uint32_t t25 = t21 ^ t22; const uint32_t t36 = t24 & t35;
  const uint32_t t28 = t25 & t27; const uint32_t t29 = t28 ^ t22; const uint32_t t42 = t29 ^ t33;
  const uint32_t t34 = t23 ^ t33; const uint32_t t37 = t36 ^ t34; const uint32_t z2 = t33 & f11;
  const uint32_t z14 = t29 & f10; const uint32_t t38 = t27 ^ t36; const uint32_t z6 = t42 & f22;
  const uint32_t z10 = t37 & f16; const uint32_t t39 = t29 & t38; const uint32_t z5 = t29 & f15;
  const uint32_t t44 = t33 ^ t37; const uint32_t t40 = t25 ^ t39; const uint32_t t43 = t29 ^ t40;
  const uint32_t t41 = t40 ^ t37; const uint32_t z15 = t42 & f1; const uint32_t z13 = t40 & f9;
  const uint32_t z9 = t44 & f17; const uint32_t t45 = t42 ^ t41; const uint32_t z16 = t45 & f7;
  const uint32_t z3 = t43 & f19; const uint32_t z4 = t40 & f4; const uint32_t z8 = t41 & f21;
  const uint32_t c1 = z5 ^ z3; const uint32_t z12 = t43 & f5; const uint32_t c2 = z2 ^ c1;
  const uint32_t c3 = z8 ^ c1; const uint32_t z11 = t33 & f13; const uint32_t z17 = t41 & f2;
  const uint32_t c4 = z12 ^ z16; const uint32_t c5 = z6 ^ c4; const uint32_t c6 = z10 ^ z11;
  const uint32_t z0 = t44 & f12; const uint32_t c7 = c2 ^ z0; const uint32_t z7 = t45 & f23;
  const uint32_t c8 = z4 ^ z3; const uint32_t c9 = c5 ^ z13; const uint32_t c10 = c6 ^ c7;
  const uint32_t c11 = c9 ^ z15; const uint32_t c12 = z16 ^ c10; const uint32_t c13 = c12 ^ z17;
  const uint32_t c14 = z14 ^ c10; const uint32_t c15 = c3 ^ c11; s[7] = c15;
  const uint32_t z1 = t37 & f6; const uint32_t c16 = z1 ^ c15; const uint32_t c17 = c16 ^ z0;
  const uint32_t c18 = z7 ^ c11; const uint32_t c19 = c17 ^ c8; s[2] = c19;
  const uint32_t c20 = c18 ^ c8; s[1] = c20; const uint32_t c21 = z9 ^ z11;
  const uint32_t c22 = c15 ^ c7; s[4] = c22; const uint32_t c23 = c21 ^ z17;
  const uint32_t c24 = c14 ^ c19; const uint32_t c25 = c13 ^ c20; s[3] = c25;
  const uint32_t c26 = c4 ^ c24; const uint32_t c27 = c26 ^ c23; s[6] = c27;
  const uint32_t c28 = z15 ^ c23; s[0] = c28; const uint32_t c29 = z13 ^ c24; s[5] = c29;
}

#endif
