// SPDX-License-Identifier: Apache-2.0
// Drives aes_tables with commands of standard input, one a line, words in hexadecimal, the first
// byte of a block lowest:
//   k LENGTH WORD...             a key: 4, 6 or 8 words; prints the cycles until it is valid
//   b SEED COUNT PORT WORDS...   blocks for both ports (0 encrypts) in order, each port's own;
//                                SEED 0: no pauses; prints "PORT CYCLE words" for each result and
//                                "end CYCLE" when all have left
//   w CYCLES                     a wipe so many cycles after a block entered; prints its cycles
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include "Vaes_tables.h"
#include "verilated.h"

using Block = std::array<uint32_t, 4>;

static VerilatedContext context;
static Vaes_tables dut{&context};
static uint32_t state = 0;

static void tick() {
  dut.clk_i = 1;
  dut.eval();
  dut.clk_i = 0;
  dut.eval();
}

// True once in 2, 4, ... times, as many as `mask` has bits; without a seed always. xorshift.
static bool chance(uint32_t mask) {
  if (state == 0) return true;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return (state & mask) == 0;
}

static uint32_t word() {
  uint32_t read = 0;
  if (scanf("%" SCNx32, &read) != 1) exit(1);
  return read;
}

static void key() {
  const uint32_t length = word();
  dut.key_length_i = length;
  for (uint32_t at = 0; at < 4 + 2 * length; at++) {
    dut.key_write_i = 1;
    dut.key_word_i = at;
    dut.key_data_i = word();
    tick();
  }
  dut.key_write_i = 0;
  dut.key_start_i = 1;
  int cycles = 0;
  do {
    tick();
    dut.key_start_i = 0;
  } while (cycles++ < 1000 && !dut.key_valid_o);
  printf("key %d\n", cycles);
}

static void blocks() {
  state = word();
  std::deque<Block> waiting[2];
  size_t left = word();
  for (size_t i = 0; i < left; i++) {
    const uint32_t port = word();
    waiting[port].push_back({word(), word(), word(), word()});
  }
  bool offered[2] = {false, false};
  int cycle = 0;
  for (; left != 0 && cycle < 100000; cycle++) {
    for (int port = 0; port < 2; port++) {
      if (!waiting[port].empty()) offered[port] = offered[port] || chance(0x700);
      const Block block = offered[port] ? waiting[port].front() : Block{};
      for (int at = 0; at < 4; at++) {
        (port ? dut.dec_data_i : dut.enc_data_i)[at] = block[at];
      }
    }
    dut.enc_valid_i = offered[0];
    dut.dec_valid_i = offered[1];
    dut.enc_ready_i = chance(0xf00);
    dut.dec_ready_i = chance(0xf00);
    dut.eval();
    const bool taken[2] = {offered[0] && dut.enc_ready_o, offered[1] && dut.dec_ready_o};
    for (int port = 0; port < 2; port++) {
      if (taken[port]) {
        waiting[port].pop_front();
        offered[port] = false;
      }
      if (port ? dut.dec_valid_o && dut.dec_ready_i : dut.enc_valid_o && dut.enc_ready_i) {
        const auto& data = port ? dut.dec_data_o : dut.enc_data_o;
        printf("%d %d %08x %08x %08x %08x\n", port, cycle, data[0], data[1], data[2], data[3]);
        left--;
      }
    }
    tick();
  }
  dut.enc_valid_i = dut.dec_valid_i = 0;
  printf("end %d\n", cycle);
}

static void wipe() {
  int cycles = static_cast<int>(word());
  dut.enc_valid_i = 1;
  dut.enc_ready_i = 0;
  tick();
  dut.enc_valid_i = 0;
  while (cycles-- > 0) tick();
  dut.wipe_i = 1;
  tick();
  dut.wipe_i = 0;
  int wiping = 0;
  for (; dut.wiping_o && wiping < 1000; wiping++) tick();
  printf("wiped %d %d\n", wiping, dut.enc_valid_o || dut.dec_valid_o || dut.key_valid_o);
}

int main() {
  dut.rst_ni = 0;
  tick();
  dut.rst_ni = 1;
  for (int at = 0; dut.wiping_o && at < 1000; at++) tick();
  char what = 0;
  while (scanf(" %c", &what) == 1) {
    if (what == 'k') key();
    if (what == 'b') blocks();
    if (what == 'w') wipe();
  }
  dut.final();
  return 0;
}
