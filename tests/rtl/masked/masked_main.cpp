// SPDX-License-Identifier: Apache-2.0
// Drives masked_all with one line of standard input a cycle (both shares, then 128 random bits as
// four words) and prints its outputs after each.
#include <cinttypes>
#include <cstdio>

#include "Vmasked_all.h"
#include "verilated.h"

static bool read(uint32_t& word) { return scanf("%" SCNx32, &word) == 1; }

int main() {
  VerilatedContext context;
  Vmasked_all dut{&context};
  uint32_t share0 = 0, share1 = 0, fresh = 0;
  while (read(share0) && read(share1)) {
    dut.data0_i = share0;
    dut.data1_i = share1;
    for (int at = 0; at < 4; at++) {
      if (!read(fresh)) return 1;
      dut.random_i[at] = at < 3 ? fresh : fresh & 0xffffff;
    }
    dut.clk_i = 0;
    dut.eval();
    dut.clk_i = 1;
    dut.eval();
    printf("%08" PRIx32 " %08" PRIx32 " ", dut.column0_o, dut.column1_o);
    printf("%02x %02x\n", dut.sbox0_o, dut.sbox1_o);
  }
  dut.final();
  return 0;
}
