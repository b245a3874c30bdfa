// SPDX-License-Identifier: Apache-2.0
// The end of a function that worked on secrets: no register keeps one of them.
#ifndef AES_FORGET_REGISTERS_H
#define AES_FORGET_REGISTERS_H

// Clear every register that a RISC-V function may leave changed, except a0, which holds the result
// (calling convention of the RISC-V ELF psABI). Elsewhere nothing happens. Call it last: what the
// compiler still needs after it is in a0, in a saved register or in memory.
static inline __attribute__((always_inline)) void forget_registers(void) {
#ifdef __riscv
  __asm__ volatile(
      "li t0, 0\n li t1, 0\n li t2, 0\n li a1, 0\n li a2, 0\n li a3, 0\n li a4, 0\n li a5, 0"
      :
      :
      : "t0", "t1", "t2", "a1", "a2", "a3", "a4", "a5");
#ifndef __riscv_32e
  __asm__ volatile("li a6, 0\n li a7, 0\n li t3, 0\n li t4, 0\n li t5, 0\n li t6, 0"
                   :
                   :
                   : "a6", "a7", "t3", "t4", "t5", "t6");
#endif
#endif
}

// The same as a tail call: `return forgetting(status);`. A function whose registers were given out
// with care pays for it at its end alone.
#ifdef __riscv
static __attribute__((naked, noinline, unused)) int forgetting(int status) {
  (void)status;
  forget_registers();
  __asm__ volatile("ret");
}
#else
static inline int forgetting(int status) { return status; }
#endif

// `FORGETS int name(...)` with `return FORGOTTEN(status);` clears only what the function itself
// used: for one that uses few registers and calls no other.
#if defined __riscv && defined __has_attribute
#if __has_attribute(zero_call_used_regs)
#define FORGETS __attribute__((zero_call_used_regs("used-gpr")))
#define FORGOTTEN(status) (status)
#endif
#endif
#ifndef FORGETS
#define FORGETS
#define FORGOTTEN(status) forgetting(status)
#endif

#endif
