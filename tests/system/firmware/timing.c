// SPDX-License-Identifier: Apache-2.0
// Cycles of single instructions, by the slope between 32 and 96 of them in a row, each from the
// third run, caches warm. For each measurement it prints the name and writes one word to the
// stream: the cycles of 64 repetitions. platforms/<name>/timing.toml says what they should be.

#include "hal.h"
#include "mix.h"

#define CLOBBERS "t0", "t1", "t2", "t3", "t4", "memory"

#define RUN(count, code)                                                                     \
  ({                                                                                         \
    uint32_t begin, end;                                                                     \
    __asm__ volatile(".balign 32\n"                                                          \
                     "li t1, 12345\n li t2, 777\n li t3, 9\n li t4, 3\n"                     \
                     "rdcycle %0\n"                                                          \
                     ".rept " #count "\n" code "\n.endr\n"                                   \
                     "rdcycle %1"                                                            \
                     : "=&r"(begin), "=&r"(end)                                              \
                     : "r"(scratch)                                                          \
                     : CLOBBERS);                                                            \
    end - begin;                                                                             \
  })

#define MEASURE(name, code)                          \
  do {                                               \
    uint32_t few = 0, many = 0;                      \
    for (unsigned run = 0; run < 3; ++run) {         \
      few = RUN(32, code);                           \
      many = RUN(96, code);                          \
    }                                                \
    const uint32_t slope = many - few;               \
    hal_stream_write(&slope, sizeof slope);          \
    print(name "\n");                                \
  } while (0)

static uint32_t scratch_words[4];

static void print(const char *text) {
  while (*text) hal_putc(*text++);
}

int main(void) {
  uint32_t *scratch = scratch_words;
  MEASURE("add", "add t0, t1, t2");
  MEASURE("add_dependent", "add t1, t1, t2");
  MEASURE("slli", "slli t0, t1, 8");
  MEASURE("slli_dependent", "slli t1, t1, 1");
  MEASURE("mul", "mul t0, t1, t2");
  MEASURE("mul_dependent", "mul t1, t1, t2");
  MEASURE("mulhu", "mulhu t0, t1, t2");
  MEASURE("divu", "divu t0, t1, t4");
  MEASURE("lw", "lw t0, 0(%2)");
  MEASURE("lw_use", "lw t0, 0(%2)\n add t3, t0, t0");
  MEASURE("sw", "sw t1, 4(%2)");
  MEASURE("branch_not_taken", "bne x0, x0, .+8");
  MEASURE("branch_taken", "beq x0, x0, .+4");
  MEASURE("jal", "jal x0, .+4");
#ifdef HAVE_MIX2
  MEASURE("custom2", MIX2 "t0, t1, t2");
  MEASURE("custom2_dependent", MIX2 "t1, t1, t2");
#endif
#ifdef HAVE_MIX3
  MEASURE("custom3", MIX3 "t0, t1, t2, t3");
  MEASURE("custom3_dependent_rs1", MIX3 "t1, t1, t2, t3");
  MEASURE("custom3_dependent_rs3", MIX3 "t1, t2, t3, t1");
#endif
  return 0;
}
