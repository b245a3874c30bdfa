// SPDX-License-Identifier: Apache-2.0
// Drives trivium with one line of standard input a cycle: a letter (r reset, c clear, s seed,
// b clear and seed, n nothing), then key and IV as three words each, the lowest first. Prints
// valid_o and the words of random_o after each cycle, the lowest first.
#include <cinttypes>
#include <cstdio>

#include "Vtrivium.h"
#include "verilated.h"

int main() {
  VerilatedContext context;
  Vtrivium dut{&context};
  const auto* random = reinterpret_cast<const uint32_t*>(&dut.random_o);
  char what = 0;
  uint32_t word[6];
  while (scanf(" %c", &what) == 1) {
    for (uint32_t& each : word) {
      if (scanf("%" SCNx32, &each) != 1) return 1;
    }
    for (int at = 0; at < 3; at++) {
      dut.key_i[at] = word[at];
      dut.iv_i[at] = word[3 + at];
    }
    dut.rst_ni = what != 'r';
    dut.clear_i = what == 'c' || what == 'b';
    dut.seed_i = what == 's' || what == 'b';
    dut.clk_i = 0;
    dut.eval();
    dut.clk_i = 1;
    dut.eval();
    printf("%d", dut.valid_o);
    for (size_t at = 0; at < sizeof(dut.random_o) / sizeof(*random); at++) {
      printf(" %08" PRIx32, random[at]);
    }
    printf("\n");
  }
  dut.final();
  return 0;
}
