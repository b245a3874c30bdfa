// SPDX-License-Identifier: Apache-2.0
// For assembly: store (`each_saved sw`) or load (`each_saved lw`) every callee-saved register at
// the bottom of the frame.
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
