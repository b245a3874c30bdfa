// SPDX-License-Identifier: Apache-2.0
// For assembly: the registers that a function of C's convention must leave as they were, each of
// them stored (`each_saved sw`) or loaded (`each_saved lw`) at the bottom of the frame.
#ifndef AES_SAVED_REGISTERS_H
#define AES_SAVED_REGISTERS_H

#define SAVED_BYTES 52

  .macro each_saved access
  \access ra, 0(sp)
  \access s0, 4(sp)
  \access s1, 8(sp)
  \access s2, 12(sp)
  \access s3, 16(sp)
  \access s4, 20(sp)
  \access s5, 24(sp)
  \access s6, 28(sp)
  \access s7, 32(sp)
  \access s8, 36(sp)
  \access s9, 40(sp)
  \access s10, 44(sp)
  \access s11, 48(sp)
  .endm

#endif
