// SPDX-License-Identifier: Apache-2.0
// The same as field_tb.sv for Verilator: stimulus lines on standard input, output lines on standard
// output.
#include <cinttypes>
#include <cstdio>

#include "Vfield_all.h"
#include "verilated.h"

static void print(const VlWide<4>& wide) {
  printf("%06" PRIx32 "%08" PRIx32 "%08" PRIx32, wide[3], wide[2], wide[1]);
  printf("%08" PRIx32 " ", wide[0]);
}

static void print(const VlWide<3>& wide) {
  printf("%08" PRIx32 "%08" PRIx32 "%08" PRIx32 " ", wide[2], wide[1], wide[0]);
}

int main() {
  VerilatedContext context;
  Vfield_all dut{&context};
  uint64_t line = 0;
  while (scanf("%" SCNx64, &line) == 1) {
    dut.inv_i = line >> 48 & 1;
    dut.a_i = line >> 40 & 0xff;
    dut.b_i = line >> 32 & 0xff;
    dut.column_i = static_cast<uint32_t>(line);
    dut.eval();
    print(dut.sbox_o);
    printf("%06" PRIx32 " %04x %02x %04x ", static_cast<uint32_t>(dut.inverse_o), dut.affine_o,
           dut.xtime_o, dut.product_o);
    print(dut.column_o);
    putchar('\n');
  }
  dut.final();
  return 0;
}
