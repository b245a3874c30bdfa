// SPDX-License-Identifier: Apache-2.0
// Instruction sequences that a core with a faulty coprocessor interface gets wrong: one case a run,
// chosen by the first input word, with operands from the next two. Ends with 0 if it was right; a
// core that is wrong ends with 1, traps, or hangs. tests/system/test_cures.py names the cases.

#include "hal.h"
#include "mix.h"

static uint32_t memory[4];

#define PAUSE "nop\n nop\n nop\n nop\n"

// A custom instruction right after another one, which writes t0: it must not lose its result, ...
#define BEHIND(before)                                                                         \
  ({                                                                                           \
    uint32_t result;                                                                           \
    __asm__ volatile(PAUSE "li %0, 0x0badf00d\n" before "\n" MIX2 "%0, %1, %2\n" PAUSE         \
                     : "=&r"(result)                                                           \
                     : "r"(a), "r"(b), "r"(memory)                                             \
                     : "t0", "memory");                                                        \
    result != mix2(a, b);                                                                      \
  })

// ... and it must see t0's new value.
#define DEPENDENT(before, value)                                                               \
  ({                                                                                           \
    uint32_t result;                                                                           \
    __asm__ volatile("li t0, 0x0badf00d\n" PAUSE before "\n" MIX2 "%0, t0, %2\n" PAUSE         \
                     : "=&r"(result)                                                           \
                     : "r"(a), "r"(b), "r"(memory)                                             \
                     : "t0", "memory");                                                        \
    result != mix2(value, b);                                                                  \
  })

// The third operand comes from t0, written so many instructions before.
#define THIRD(before, between, value)                                                          \
  ({                                                                                           \
    uint32_t result;                                                                           \
    __asm__ volatile("li t0, 0x0badf00d\n" PAUSE before "\n" between MIX3 "%0, %1, %2, t0\n" PAUSE \
                     : "=&r"(result)                                                           \
                     : "r"(a), "r"(b), "r"(memory)                                             \
                     : "t0", "memory");                                                        \
    result != mix3(a, b, value);                                                               \
  })

// A jump whose target a custom instruction computes: rol(ror(label, 5), 5) ^ (-k + k).
#define JUMP(between)                                                                          \
  ({                                                                                           \
    uint32_t result;                                                                           \
    __asm__ volatile("la t0, 1f\n srli t1, t0, 5\n slli t0, t0, 27\n or t0, t0, t1\n"          \
                     "li t1, 0x61c88647\n la t2, 2f\n li %0, 1\n" PAUSE                        \
                     MIX2 "t2, t0, t1\n" between "jalr x0, 0(t2)\n"                            \
                     "nop\n nop\n2: nop\n nop\n j 3f\n1: li %0, 0\n3:"                         \
                     : "=&r"(result)                                                           \
                     :                                                                         \
                     : "t0", "t1", "t2");                                                      \
    result;                                                                                    \
  })

// Loads and stores all around custom instructions, results in memory and registers.
static uint32_t between_accesses(uint32_t a, uint32_t b) {
  uint32_t first, second, loaded;
  memory[0] = a;
  memory[1] = b;
  __asm__ volatile("sw x0, 8(%5)\n lw t0, 0(%5)\n lw t1, 4(%5)\n" MIX2 "%0, %3, %4\n"
                   "sw %0, 8(%5)\n" MIX2 "%1, t0, t1\n lw %2, 8(%5)\n" MIX2 "t2, %1, %2\n"
                   "sw t2, 12(%5)\n lw t0, 4(%5)\n" MIX2 "t0, t0, t0\n lw t1, 0(%5)\n" PAUSE
                   : "=&r"(first), "=&r"(second), "=&r"(loaded)
                   : "r"(a), "r"(b), "r"(memory)
                   : "t0", "t1", "t2", "memory");
  return first != mix2(a, b) || second != first || loaded != first ||
         memory[3] != mix2(second, loaded);
}

// A custom instruction of unknown latency in front of accesses that may happen only once: the
// device gives the next input word with each read, and takes a character with each write.
static uint32_t single_accesses(uint32_t a, uint32_t b) {
  volatile uint32_t *const device = (volatile uint32_t *)0x80000000;
  for (uint32_t i = 0; i < 20; ++i) {
    uint32_t result, word;
    __asm__ volatile(PAUSE MIX2 "%0, %2, %3\n lw %1, 0x0c(%4)\n" PAUSE
                     : "=&r"(result), "=&r"(word)
                     : "r"(a + i), "r"(b), "r"(device)
                     : "memory");
    if (result != mix2(a + i, b) || word != i) return 1;
    __asm__ volatile(PAUSE MIX2 "%0, %1, %2\n sw %3, 0x10(%4)\n" PAUSE
                     : "=&r"(result)
                     : "r"(a), "r"(b + i), "r"(i), "r"(device)
                     : "memory");
    if (result != mix2(a, b + i)) return 1;
  }
  return 0;
}

int main(void) {
  uint32_t given[3] = {0};
  if (hal_stream_read(given, sizeof given) != sizeof given) return 3;
  const uint32_t a = given[1], b = given[2];
  memory[0] = a + b;
  memory[1] = a ^ b;
  const uint32_t shifted = (a + b) >> 8 | (a ^ b) << 24;
  switch (given[0]) {
    case 0: return BEHIND("divu t0, %1, %2");
    case 1: return DEPENDENT("divu t0, %1, %2", b ? a / b : 0xffffffffu);
    case 2: return BEHIND("mulhu t0, %1, %2");
    case 3: return DEPENDENT("mulhu t0, %1, %2", (uint32_t)((uint64_t)a * b >> 32));
    case 4: return BEHIND("lw t0, 1(%3)");
    case 5: return DEPENDENT("lw t0, 1(%3)", shifted);
    case 6: return BEHIND("csrr t0, cycle");
    case 7: return BEHIND("csrr t0, instret");
    case 8: return BEHIND("lw t0, 0(%3)\n lw t0, 4(%3)");
    case 9: return BEHIND("sw %1, 8(%3)\n sw %2, 8(%3)");
    case 10: return DEPENDENT("lw t0, 0(%3)\n lw t0, 4(%3)", a ^ b);
    case 20: return THIRD("addi t0, %1, 7", "", a + 7u);
    case 21: return THIRD("addi t0, %1, 7", "nop\n", a + 7u);
    case 22: return THIRD("lw t0, 0(%3)", "", a + b);
    case 23: return THIRD("lw t0, 0(%3)", "nop\n", a + b);
    case 24: return THIRD("mul t0, %1, %2", "", a * b);
    case 25: return THIRD("mul t0, %1, %2", "nop\n", a * b);
    case 26: return THIRD(MIX2 "t0, %2, %1", "", mix2(b, a));
    case 27: return THIRD(MIX2 "t0, %2, %1", "nop\n", mix2(b, a));
    case 28: return THIRD("divu t0, %1, %2", "", b ? a / b : 0xffffffffu);
    case 29: return THIRD("addi t0, %1, 7", "nop\n nop\n", a + 7u);
    case 40: return (int)JUMP("");
    case 41: return (int)JUMP("nop\n");
    case 42: return (int)JUMP("nop\n nop\n");
    case 60: return (int)between_accesses(a, b);
    case 61: return (int)single_accesses(a, b);
    default: return 2;
  }
}
