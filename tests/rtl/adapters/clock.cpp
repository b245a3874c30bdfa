// SPDX-License-Identifier: Apache-2.0
// Clocks a bench until it says done; exit status 0 only then. +cycles=N bounds the run.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "Vbench.h"
#include "verilated.h"

int main(int argc, char **argv) {
  auto context = std::make_unique<VerilatedContext>();
  context->commandArgs(argc, argv);
  const char *text = context->commandArgsPlusMatch("cycles=");
  const long limit = *text ? std::strtol(std::strchr(text, '=') + 1, nullptr, 10) : 100000;
  auto bench = std::make_unique<Vbench>(context.get());
  for (long half = 0; half < 2 * limit && !bench->done_o; half++) {
    bench->clk_i = half & 1;
    bench->rst_ni = half >= 6;
    bench->eval();
    context->timeInc(1);
  }
  bench->final();
  if (!bench->done_o) std::fprintf(stderr, "bench did not finish\n");
  return bench->done_o ? 0 : 1;
}
