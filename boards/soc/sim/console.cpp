// SPDX-License-Identifier: Apache-2.0
// Connects the system's serial line to standard input and output. It sends a line of input when the
// console has shown its prompt, "> ". It samples bits by its own clock count, independent of the
// system's.
//
// +divisor=N clocks a bit, +max=N clocks at most. Exit status: 0 at the end of the input, 101 after
// +max clocks, 102 for a missing stop bit, 103 when the core has stopped.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "Vsoc.h"
#include "verilated.h"

namespace {

constexpr int kOutOfClocks = 101, kBadFrame = 102, kStopped = 103;
constexpr int kFrameBits = 10;  // start, eight of data, stop

uint64_t argument(int count, char **words, const char *name, uint64_t usual) {
  for (int i = 1; i < count; ++i) {
    if (std::strncmp(words[i], name, std::strlen(name)) == 0) {
      return std::strtoull(words[i] + std::strlen(name), nullptr, 10);
    }
  }
  return usual;
}

// Receives from the system; samples the middle of each bit.
class Receiver {
 public:
  explicit Receiver(uint64_t divisor) : divisor_(divisor) {}

  // Take one clock's level; return a byte, -1 for none, -2 for a frame without a stop bit.
  int clock(bool level) {
    if (left_ == 0) {
      if (!level) {
        left_ = kFrameBits;
        count_ = divisor_ / 2;
      }
      return -1;
    }
    if (count_-- != 0) return -1;
    count_ = divisor_ - 1;
    frame_ = static_cast<uint32_t>(frame_ >> 1 | (level ? 1u << (kFrameBits - 1) : 0u));
    if (--left_ != 0) return -1;
    return level ? static_cast<int>(frame_ >> 1 & 0xff) : -2;
  }

 private:
  uint64_t divisor_, count_ = 0;
  int left_ = 0;
  uint32_t frame_ = 0;
};

// Sends bytes to the system.
class Sender {
 public:
  explicit Sender(uint64_t divisor) : divisor_(divisor) {}

  void send(const std::string &bytes) { waiting_ += bytes; }

  // Return the level of this clock.
  bool clock() {
    if (left_ == 0) {
      if (waiting_.empty()) return true;
      frame_ = static_cast<uint8_t>(waiting_[0]) << 1 | 1u << (kFrameBits - 1);
      waiting_.erase(0, 1);
      left_ = kFrameBits;
      count_ = divisor_;
    }
    const bool level = frame_ & 1u;
    if (--count_ == 0) {
      frame_ >>= 1;
      --left_;
      count_ = divisor_;
    }
    return level;
  }

 private:
  uint64_t divisor_, count_ = 0;
  int left_ = 0;
  uint32_t frame_ = 0;
  std::string waiting_;
};

}  // namespace

int main(int count, char **words) {
  const uint64_t divisor = argument(count, words, "+divisor=", 16);
  const uint64_t most = argument(count, words, "+max=", 100'000'000);
  VerilatedContext context;
  context.commandArgs(count, words);
  Vsoc system(&context);
  Receiver receiver(divisor);
  Sender sender(divisor);
  char before = 0;
  for (uint64_t clock = 0; clock < most; ++clock) {
    system.rst_ni = clock >= 4;
    system.rx_i = sender.clock();
    system.clk_i = 0;
    system.eval();
    system.clk_i = 1;
    system.eval();
    if (system.trap_o) {
      std::fflush(stdout);
      std::fprintf(stderr, "the core stopped after %llu clocks\n",
                   static_cast<unsigned long long>(clock));
      return kStopped;
    }
    if (clock < 4) continue;
    const int byte = receiver.clock(system.tx_o);
    if (byte == -2) {
      std::fflush(stdout);
      std::fprintf(stderr, "a byte has no stop bit\n");
      return kBadFrame;
    }
    if (byte < 0) continue;
    if (byte != '\r') std::putchar(byte);
    if (before == '>' && byte == ' ') {
      std::fflush(stdout);
      std::string line;
      if (!std::getline(std::cin, line)) {
        std::putchar('\n');
        return 0;
      }
      sender.send(line + "\r");
    }
    before = static_cast<char>(byte);
  }
  std::fflush(stdout);
  std::fprintf(stderr, "no end within %llu clocks\n", static_cast<unsigned long long>(most));
  return kOutOfClocks;
}
