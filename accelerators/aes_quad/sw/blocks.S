// SPDX-License-Identifier: Apache-2.0
// The kernel's blocks on the core: registers of schedule.h, and both directions of blocks.inc.
// Six blocks and one spare word take every register that code under interrupts may take: all but
// sp, gp and tp, so that handlers need no stack of their own. Pointers wait on the stack meanwhile.
#include "schedule.h"

#ifdef AESQ_ASSEMBLY

#include "accel_ops.h"
#include "aes_saved_registers.h"

#define OP2(f, z, x, y) aesq_##f z, x, y;
#define OP3(f, z, x, y, k) aesq3_##f z, x, y, k;
#define OPK(f, z, x, y, s) aesqk_##f z, x, y, s;
#define KEY(k, s) lw k, 4 * (s)(KEYS);
#define ADD(z, k) xor z, z, k;
#define GET(z, i) lw z, 4 * (i) - BEHIND(FROM);
#define PUT(to, z, i) sw z, 4 * (i) - PASSED(to);

// What one block needs may be changed without saving it. IN is also the word that is loaded last.
#define KEYS a0
#define IN a1
#define OUT a2
#define COUNT a3  // bytes
#define T a3
#define K0 t0
#define K1 t1
#define K2 t2
#define A1 a4
#define B1 a5
#define C1 a6
#define D1 a7
#define END t3
#define LONG_END t4
#define R0 t5
#define R1 t6
#ifdef AESQ_KEYED
// No round keys in registers, but whose they are in the unit.
#define NUMBER_1 t5
#endif

#define A2 s0
#define B2 s1
#define C2 s2
#define D2 s3
#define A3 s4
#define B3 s5
#define C3 s6
#define D3 s7
#define A4 s8
#define B4 s9
#define C4 s10
#define D4 s11
#define A5 t2
#define B5 t3
#define C5 t4
#define D5 t5
#define A6 t6
#define B6 ra
#define D6 a1
#ifdef AESQ_THREE
#define C6 a2
#define OUT_6 T  // waits on the stack meanwhile
#else
#define OUT_6 OUT
#define C6 t1  // no K1
#endif

// What waits on the stack until the first block's words are stored.
#define LIMIT A1
#ifdef AESQ_KEYED
// Two registers that round keys take elsewhere.
#define NUMBER_6 K0
#define DELTA KEYS
#define FETCH_POINTERS lw LIMIT, LIMIT_SLOT(sp);
#else
#define DELTA B1
#define FETCH_POINTERS lw LIMIT, LIMIT_SLOT(sp); lw DELTA, DELTA_SLOT(sp);
#endif

// The frame: pointers, no secrets.
#define OUT_SLOT SAVED_BYTES
#define LIMIT_SLOT 56
#define LONG_LIMIT_SLOT 60
#define DELTA_SLOT 64
#define LONG_SLOT 68
#define KEYS_SLOT 72
#define FRAME 80

// ROUND and LAST_ROUND are two arguments each.
#define STEP(step, ...) step(__VA_ARGS__)
// The first rounds of AES-192 and AES-256, one block.
#define LONGER_1                               \
  lw T, 4 * AES_KEY_WORDS(KEYS);               \
  addi T, T, -12;                              \
  beqz T, 4f;                                  \
  STEP(TWO_ROUNDS, FORTH_1, BACK_1, ROUND, 0)  \
4:                                             \
  STEP_KEYS_1(AES_ROUND(2))                    \
  STEP(TWO_ROUNDS, FORTH_1, BACK_1, ROUND, 2)

#define FROM IN
#define BEHIND 0
#define NAME aes_encrypt_blocks
#define ROUND ec, ea
#define LAST_ROUND ex, ey
#define FLIP 0
#include "blocks.inc"
#undef NAME
#undef ROUND
#undef LAST_ROUND
#undef FLIP

#ifndef AES_ENCRYPT_ONLY
#define NAME aes_decrypt_blocks
#define ROUND dc, da
#define LAST_ROUND dx, dy
#define FLIP 1
#include "blocks.inc"
#undef NAME
#undef ROUND
#undef LAST_ROUND
#undef FLIP
#endif

// ---- modes --------------------------------------------------------------------------------------

#define CBC_ENCRYPT 1
#define CBC_MAC 2

// Saved, because one block leaves no other register: then s0 is no word of a block.
#define CHAIN s0
#define CHAIN_SAVED 4  // where each_saved has it

#define IN_SLOT DELTA_SLOT
#define START_SLOT 76
#define COUNT_SLOT 80
#define END_SLOT 84
#define NUMBER_SLOT 88
#define FUSED_FRAME 96

#define STORE_TO(at, to, c, a, b, d)  \
  sw c, (at) + 4 * (0 ^ FLIP)(to);    \
  sw a, (at) + 4 * (1 ^ FLIP)(to);    \
  sw b, (at) + 4 * (2 ^ FLIP)(to);    \
  sw d, (at) + 4 * (3 ^ FLIP)(to);

#ifdef AESQ_KEYED
  // Another key is in the unit: load this one for single blocks. Without one NUMBER_1 becomes 0.
  .macro load_for_one
  sw ra, 0(sp)
  sw KEYS, KEYS_SLOT(sp)
  sw IN, IN_SLOT(sp)
  sw OUT, OUT_SLOT(sp)
  sw END, LIMIT_SLOT(sp)
  sw LONG_END, LONG_LIMIT_SLOT(sp)
  call aesq_load
  mv NUMBER_1, a0
  lw ra, 0(sp)
  lw KEYS, KEYS_SLOT(sp)
  lw IN, IN_SLOT(sp)
  lw OUT, OUT_SLOT(sp)
  lw END, LIMIT_SLOT(sp)
  lw LONG_END, LONG_LIMIT_SLOT(sp)
  .endm
#endif

#define ROUND ec, ea
#define LAST_ROUND ex, ey
#define FLIP 0
#define NAME aesq_cbc_encrypt
#define MODE CBC_ENCRYPT
#include "cbc.inc"
#undef NAME
#undef MODE
#define NAME aesq_cbc_mac
#define MODE CBC_MAC
#include "cbc.inc"
#undef NAME
#undef MODE
#define NAME aesq_ctr
#ifdef AESQ_KEYED
#include "ctr_keyed.inc"
#else
#include "ctr_six.inc"
#endif
#undef NAME
#ifdef ACCEL_HAS_GH_ABSORB
#define NAME aes_ctr_absorb
#define MASKED aes_ctr_absorb_masked
#ifdef AESQ_KEYED
#include "ctr_keyed.inc"
#else
#include "ctr_six.inc"
#endif
#undef NAME
#endif
#undef ROUND
#undef LAST_ROUND
#undef FLIP

#ifndef AES_ENCRYPT_ONLY
#define ROUND dc, da
#define LAST_ROUND dx, dy
#define FLIP 1
#define NAME aes_cbc_decrypt_blocks
#include "cbc_decrypt.inc"
#endif

#endif

  .section .note.GNU-stack, "", @progbits  // no executable stack
