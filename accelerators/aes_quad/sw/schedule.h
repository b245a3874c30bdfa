// SPDX-License-Identifier: Apache-2.0
// The order of the instructions, for six blocks and for one: C and assembly read the same text.
// Source: quad packing, this accelerator's README.
//
// A block is four words: quads A, C of columns x, y and quads D, B of the other two columns. With
//   A', C' = f(A, B)    D', B' = f(D, C)
// the second operation of a pair overwrites its own first operand, and its second operand is free
// for the next pair's first result. One spare word thus serves any number of blocks, but the words
// B and C of the blocks move by one place in every step. The next step goes through the blocks in
// reverse and brings them back. A step is the packing of the columns (backwards), a middle round
// (forwards and backwards in turn: 9, 11 or 13 of them) or the last round (backwards).
//
// Round keys are in the order of use: two words for the results of A, B, then two for D, C; the
// first operation of a pair takes the even one. AES_FIRST is the first round's key, the keys of the
// 13 middle rounds of AES-256 end before AES_LAST, and shorter keys start later.
//
// The including file defines
//   OP2(f, z, x, y)      z = f(x, y)                   aesq_
//   OP3(f, z, x, y, k)   z = f(x, y) ^ k               aesq3_
//   OPK(f, z, x, y, s)   z = f(x, y) ^ key number s    aesqk_
//   KEY(k, s)            k = word s of the round keys
//   ADD(z, k)            z ^= k
//   GET(z, i)            z = word i of the input
//   PUT(to, z, i)        word i of the output = z
#ifndef AES_QUAD_SCHEDULE_H
#define AES_QUAD_SCHEDULE_H

// A RISC-V core with the unit runs blocks.S; other builds compile the same order as C.
#if defined(__riscv) && !defined(ACCEL_EMULATE)
#define AESQ_ASSEMBLY
#endif

#define AES_FIRST 0  // word numbers of round keys
#define AES_ROUND(r) (4 + 4 * (r))  // middle round r of AES-256
#define AES_LAST 56
#define AES_NUMBER 60  // the keyed form: which key this is

// ---- source of the round keys -------------------------------------------------------------------
//
// PAIR  z = f(x, y), x = g(x, y), with the keys s and s + 1
// TURN  a pair after which the keys change to `next`
// ADD_6, ADD_1  the keys s to s + 3 are added to what a step has made; u is free
// PACK_FROM  the first step of one block whose columns are in a, b and d, t (LOAD_1's order), with
//   half of its key in the registers R0 and R1; PACK_1 has them where LOAD_1 leaves them

#if defined(AESQ_KEYED)

// In the unit.
#define PAIR(f, g, s, z, x, y) OPK(f, z, x, y, s) OPK(g, x, x, y, (s) + 1)
#define TURN(f, g, s, next, z, x, y) PAIR(f, g, s, z, x, y)
#define ADD_6(s, next, u, z1, z2, z3, z4, z5, z6, a1, a2, a3, a4, a5, a6, b1, b2, b3, b4, b5, b6, \
              d1, d2, d3, d4, d5, d6)
#define ADD_1(s, u, z, a, b, d)
#define PACK_FROM(next, a, b, d, t)                                \
  OPK(pc, C1, a, b, AES_FIRST) OPK(pa, A1, a, b, AES_FIRST + 1)    \
  OPK(pc, B1, d, t, AES_FIRST + 2) OPK(pa, D1, d, t, AES_FIRST + 3)

#elif defined(AESQ_THREE)

// In two registers; each is loaded after its last use, two instructions before its next.
#define PAIR(f, g, s, z, x, y) OP3(f, z, x, y, K0) OP3(g, x, x, y, K1)
#define TURN(f, g, s, next, z, x, y) \
  OP3(f, z, x, y, K0) KEY(K0, next) OP3(g, x, x, y, K1) KEY(K1, (next) + 1)
#define ADD_6(s, next, u, z1, z2, z3, z4, z5, z6, a1, a2, a3, a4, a5, a6, b1, b2, b3, b4, b5, b6, \
              d1, d2, d3, d4, d5, d6)
#define ADD_1(s, u, z, a, b, d)
#define PACK_FROM(next, a, b, d, t)                                               \
  OP3(pc, C1, a, b, K0) KEY(K0, next) OP3(pa, A1, a, b, K1) KEY(K1, (next) + 1)   \
  OP3(pc, B1, d, t, R0) OP3(pa, D1, d, t, R1)

#else

// Added after all operations of a step: no load is right before an operation, which would stall on
// some cores, and none right before its use. Six blocks alternate two registers, with K0 loaded
// ahead; one block loads its four keys together.
#define PAIR(f, g, s, z, x, y) OP2(f, z, x, y) OP2(g, x, x, y)
#define TURN(f, g, s, next, z, x, y) PAIR(f, g, s, z, x, y)
#define ADD_TO_6(k, z1, z2, z3, z4, z5, z6) \
  ADD(z1, k) ADD(z2, k) ADD(z3, k) ADD(z4, k) ADD(z5, k) ADD(z6, k)
#define ADD_6(s, next, u, z1, z2, z3, z4, z5, z6, a1, a2, a3, a4, a5, a6, b1, b2, b3, b4, b5, b6, \
              d1, d2, d3, d4, d5, d6)                                                             \
  KEY(u, (s) + 1)                                                                                 \
  ADD_TO_6(K0, z1, z2, z3, z4, z5, z6)                                                            \
  KEY(K0, (s) + 2)                                                                                \
  ADD_TO_6(u, a1, a2, a3, a4, a5, a6)                                                             \
  KEY(u, (s) + 3)                                                                                 \
  ADD_TO_6(K0, b1, b2, b3, b4, b5, b6)                                                            \
  KEY(K0, next)                                                                                   \
  ADD_TO_6(u, d1, d2, d3, d4, d5, d6)
#define ADD_1(s, u, z, a, b, d)                                \
  KEY(K0, s) KEY(K1, (s) + 1) KEY(K2, (s) + 2) KEY(u, (s) + 3) \
  ADD(z, K0) ADD(a, K1) ADD(b, K2) ADD(d, u)
#define PACK_FROM(next, a, b, d, t)         \
  OP2(pc, C1, a, b) OP2(pa, A1, a, b)       \
  OP2(pc, B1, d, t) OP2(pa, D1, d, t)       \
  KEY(K0, AES_FIRST) KEY(K1, AES_FIRST + 1) \
  ADD(B1, R0) ADD(D1, R1) ADD(C1, K0) ADD(A1, K1)

#endif

// ---- steps --------------------------------------------------------------------------------------
//
// f makes C' (or column x), g makes A' (or column y); s is the step's key, `next` the next step's.

#define FORTH_6(f, g, s, next)          \
  PAIR(f, g, s, T, A1, B1)              \
  PAIR(f, g, s, B1, A2, B2)             \
  PAIR(f, g, s, B2, A3, B3)             \
  PAIR(f, g, s, B3, A4, B4)             \
  PAIR(f, g, s, B4, A5, B5)             \
  TURN(f, g, s, (s) + 2, B5, A6, B6)    \
  PAIR(f, g, (s) + 2, B6, D1, C1)       \
  PAIR(f, g, (s) + 2, C1, D2, C2)       \
  PAIR(f, g, (s) + 2, C2, D3, C3)       \
  PAIR(f, g, (s) + 2, C3, D4, C4)       \
  PAIR(f, g, (s) + 2, C4, D5, C5)       \
  TURN(f, g, (s) + 2, next, C5, D6, C6) \
  ADD_6(s, next, C6,                    \
        T, B1, B2, B3, B4, B5,          \
        A1, A2, A3, A4, A5, A6,         \
        B6, C1, C2, C3, C4, C5,         \
        D1, D2, D3, D4, D5, D6)

#define BACK_6(f, g, s, next)          \
  PAIR(f, g, s, C6, A6, C5)            \
  PAIR(f, g, s, C5, A5, C4)            \
  PAIR(f, g, s, C4, A4, C3)            \
  PAIR(f, g, s, C3, A3, C2)            \
  PAIR(f, g, s, C2, A2, C1)            \
  TURN(f, g, s, (s) + 2, C1, A1, B6)   \
  PAIR(f, g, (s) + 2, B6, D6, B5)      \
  PAIR(f, g, (s) + 2, B5, D5, B4)      \
  PAIR(f, g, (s) + 2, B4, D4, B3)      \
  PAIR(f, g, (s) + 2, B3, D3, B2)      \
  PAIR(f, g, (s) + 2, B2, D2, B1)      \
  TURN(f, g, (s) + 2, next, B1, D1, T) \
  ADD_6(s, next, T,                    \
        C6, C5, C4, C3, C2, C1,        \
        A6, A5, A4, A3, A2, A1,        \
        B6, B5, B4, B3, B2, B1,        \
        D6, D5, D4, D3, D2, D1)

#define PACK_6(next) BACK_6(pc, pa, AES_FIRST, next)
#define PACK_1(next) PACK_FROM(next, A1, B1, D1, T)

#define FORTH_1(f, g, s, next)          \
  TURN(f, g, s, (s) + 2, T, A1, B1)     \
  TURN(f, g, (s) + 2, next, B1, D1, C1) \
  ADD_1(s, C1, T, A1, B1, D1)

#define BACK_1(f, g, s, next)          \
  TURN(f, g, s, (s) + 2, C1, A1, B1)   \
  TURN(f, g, (s) + 2, next, B1, D1, T) \
  ADD_1(s, T, C1, A1, B1, D1)

// All rounds of AES-128; `ec`, `ea` are the operations of a round, `ex`, `ey` those of the last
// round. After the last step the first key is loaded again.
#define ROUNDS(FORTH, BACK, ec, ea, ex, ey)   \
  FORTH(ec, ea, AES_ROUND(4), AES_ROUND(5))   \
  BACK(ec, ea, AES_ROUND(5), AES_ROUND(6))    \
  FORTH(ec, ea, AES_ROUND(6), AES_ROUND(7))   \
  BACK(ec, ea, AES_ROUND(7), AES_ROUND(8))    \
  FORTH(ec, ea, AES_ROUND(8), AES_ROUND(9))   \
  BACK(ec, ea, AES_ROUND(9), AES_ROUND(10))   \
  FORTH(ec, ea, AES_ROUND(10), AES_ROUND(11)) \
  BACK(ec, ea, AES_ROUND(11), AES_ROUND(12))  \
  FORTH(ec, ea, AES_ROUND(12), AES_LAST)      \
  BACK(ex, ey, AES_LAST, AES_FIRST)

// Two of the additional rounds of longer keys, before those of AES-128.
#define TWO_ROUNDS(FORTH, BACK, ec, ea, r)        \
  FORTH(ec, ea, AES_ROUND(r), AES_ROUND((r) + 1)) \
  BACK(ec, ea, AES_ROUND((r) + 1), AES_ROUND((r) + 2))

// Columns of blocks at IN, where the packing step expects them, and the result, where the last step
// leaves it. FLIP is 1 where x is the higher column of a pair, in decryption. D6 is last: its
// register may be the pointer.
#define LOAD_BLOCK(n, a, b, c, d)                           \
  GET(a, 4 * (n) + (0 ^ FLIP)) GET(b, 4 * (n) + (1 ^ FLIP)) \
  GET(c, 4 * (n) + (3 ^ FLIP)) GET(d, 4 * (n) + (2 ^ FLIP))
#define LOAD_5                  \
  LOAD_BLOCK(0, A1, B6, T, D1)  \
  LOAD_BLOCK(1, A2, C1, B1, D2) \
  LOAD_BLOCK(2, A3, C2, B2, D3) \
  LOAD_BLOCK(3, A4, C3, B3, D4) \
  LOAD_BLOCK(4, A5, C4, B4, D5)
#define LOAD_SIXTH LOAD_BLOCK(5, A6, C5, B5, D6)
#define LOAD_6 LOAD_5 LOAD_SIXTH
#define LOAD_1 LOAD_BLOCK(0, A1, B1, T, D1)

#define STORE_BLOCK(to, n, a, b, c, d)                              \
  PUT(to, c, 4 * (n) + (0 ^ FLIP)) PUT(to, a, 4 * (n) + (1 ^ FLIP)) \
  PUT(to, b, 4 * (n) + (2 ^ FLIP)) PUT(to, d, 4 * (n) + (3 ^ FLIP))
#define STORE_FIRST(to) STORE_BLOCK(to, 0, A1, B1, C1, D1)
#define STORE_OTHERS(to)             \
  STORE_BLOCK(to, 1, A2, B2, C2, D2) \
  STORE_BLOCK(to, 2, A3, B3, C3, D3) \
  STORE_BLOCK(to, 3, A4, B4, C4, D4) \
  STORE_BLOCK(to, 4, A5, B5, C5, D5) \
  STORE_BLOCK(to, 5, A6, B6, C6, D6)
#define STORE_6(to) STORE_FIRST(to) STORE_OTHERS(to)
#define STORE_1(to) STORE_FIRST(to)

#endif
