// SPDX-License-Identifier: Apache-2.0
// Drives masked_cipher by the commands of standard input; numbers are hexadecimal.
//
//   s SEED             fresh bits from this seed on; 0: all bits are 0
//   k LENGTH WORDS     a key: 4, 6 or 8 words of share 0, then those of share 1
//   b N BLOCKS         N blocks: cycles until it is offered, 4 words of share 0, 4 of share 1
//   a CYCLES           a block of zeros is offered so long
//   w                  wipe; waits until it is done
//   v BIT              random_valid_i
//   n CYCLES           nothing
//   d                  print all bits of the model
//
// Prints a line a result: "key CYCLES", "out FIRST_TAKE FIRST_OUT LAST_OUT SUM", "ready COUNT" (the
// words that were taken), "wiped CYCLES", "state BYTES". Outputs that are not zero without
// out_valid_o end it with an error, as 4,000 cycles of waiting do.
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "Vmasked_cipher.h"
#include "verilated.h"
#include "verilated_save.h"

namespace {

VerilatedContext context;
Vmasked_cipher dut{&context};
std::mt19937 fresh;
bool zero = true;
long cycle = 0;

struct Block {
  uint32_t gap;
  std::array<uint32_t, 8> words;
};
struct Result {
  long take, first;
  std::array<uint32_t, 4> sum;
};
std::deque<Result> inside;

uint32_t number() {
  uint32_t word = 0;
  if (scanf("%" SCNx32, &word) != 1) exit(2);
  return word;
}

void fail(const char* what) {
  printf("error: %s in cycle %ld\n", what, cycle);
  exit(1);
}

// One cycle; the inputs are set. What leaves is printed when its last word is there.
void tick() {
  dut.clk_i = 1;
  dut.eval();
  cycle++;
  for (int at = 0; at < 4; at++) dut.random_i[at] = zero ? 0 : fresh();
  dut.random_i[3] &= 0xffffff;
  dut.clk_i = 0;
  dut.eval();
  if (!dut.out_valid_o) {
    if (dut.out0_o || dut.out1_o) fail("an output without out_valid_o");
    return;
  }
  if (inside.empty()) fail("a result without a block");
  Result& result = inside.front();
  if (dut.out_word_o == 0) result.first = cycle;
  result.sum[dut.out_word_o] = dut.out0_o ^ dut.out1_o;
  if (dut.out_word_o == 3) {
    printf("out %lx %lx %lx", result.take, result.first, cycle);
    for (uint32_t word : result.sum) printf(" %08" PRIx32, word);
    printf("\n");
    inside.pop_front();
  }
}

template <typename Condition>
void wait(Condition condition, const char* what) {
  for (int left = 4000; !condition(); left--) {
    if (left == 0) fail(what);
    tick();
  }
}

void key() {
  uint32_t length = number();
  std::vector<uint32_t> words(2 * (4 + 2 * length));
  for (uint32_t& word : words) word = number();
  wait([] { return dut.idle_o; }, "not idle");
  long from = cycle;
  dut.key_start_i = 1;
  dut.key_length_i = length;
  tick();
  dut.key_start_i = 0;
  dut.key_length_i = 0;
  for (size_t at = 0; at < words.size() / 2; at++) {
    dut.key_valid_i = 1;
    dut.key0_i = words[at];
    dut.key1_i = words[words.size() / 2 + at];
    dut.eval();
    wait([] { return dut.key_ready_o; }, "no key word is taken");
    tick();
  }
  dut.key_valid_i = 0;
  dut.key0_i = dut.key1_i = 0;
  dut.eval();
  wait([] { return dut.idle_o; }, "the key is never ready");
  printf("key %lx\n", cycle - from);
}

// Offers blocks until all are taken; returns the number of words taken.
void blocks() {
  std::vector<Block> every(number());
  for (Block& block : every) {
    block.gap = number();
    for (uint32_t& word : block.words) word = number();
  }
  for (const Block& block : every) {
    for (uint32_t left = block.gap; left > 0; left--) tick();
    dut.block_valid_i = 1;
    dut.eval();
    wait([] { return dut.block_take_o; }, "a block is not taken");
    inside.push_back({cycle, 0, {}});
    for (int word = 0; word < 4; word++) {
      if (!dut.block_take_o || dut.block_word_o != word) fail("not the next word");
      dut.data0_i = block.words[word];
      dut.data1_i = block.words[4 + word];
      tick();
      dut.block_valid_i = 0;  // read with the first word only
      dut.eval();
    }
    dut.data0_i = dut.data1_i = 0;
    dut.eval();
  }
  wait([] { return inside.empty(); }, "a block does not leave");
}

void offer() {
  int taken = 0;
  dut.block_valid_i = 1;
  dut.key_valid_i = 1;
  dut.eval();
  for (uint32_t left = number(); left > 0; left--) {
    taken += dut.block_take_o + dut.key_ready_o;
    if (dut.block_take_o && dut.block_word_o == 0) inside.push_back({cycle, 0, {}});
    tick();
  }
  dut.block_valid_i = 0;
  dut.key_valid_i = 0;
  dut.eval();
  printf("ready %x\n", taken);
}

void state() {
  const char* name = "state.bin";
  {
    VerilatedSave file;
    file.open(name);
    file << dut;
  }
  std::ifstream file(name, std::ios::binary);
  printf("state ");
  for (char byte : std::vector<char>(std::istreambuf_iterator<char>(file), {}))
    printf("%02x", static_cast<unsigned char>(byte));
  printf("\n");
}

}  // namespace

int main() {
  dut.rst_ni = 0;
  dut.random_valid_i = 1;
  tick();
  tick();
  dut.rst_ni = 1;
  dut.eval();
  char what = 0;
  while (scanf(" %c", &what) == 1) {
    if (what == 's') {
      uint32_t seed = number();
      zero = seed == 0;
      fresh.seed(seed);
      tick();
    } else if (what == 'k') {
      key();
    } else if (what == 'b') {
      blocks();
    } else if (what == 'a') {
      offer();
    } else if (what == 'w') {
      long from = cycle;
      dut.wipe_i = 1;
      tick();
      dut.wipe_i = 0;
      dut.eval();
      inside.clear();
      wait([] { return !dut.wiping_o; }, "the wipe has no end");
      printf("wiped %lx\n", cycle - from - 1);
    } else if (what == 'v') {
      dut.random_valid_i = number();
      dut.eval();
    } else if (what == 'n') {
      for (uint32_t left = number(); left > 0; left--) tick();
    } else if (what == 'd') {
      state();
    }
  }
  dut.final();
  return 0;
}
