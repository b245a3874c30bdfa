// SPDX-License-Identifier: Apache-2.0
// Real files through a simulated stream accelerator, as fast as the simulator goes.
// Ports: AMBA AXI4-Stream (ARM IHI 0051A): s_axis, m_axis, s_axis_key, s_axis_iv, aclk, aresetn.
//
// Arguments: +in=FILE +out=FILE, +key=HEX once for each slot, +iv=HEX (CTR), +decrypt=0|1|2 (2:
// every second block), +switch=N (the next slot after every N blocks), +idle=N +stall=N (percent of
// cycles without offer, without taking), +seed=N, +max=CYCLES without progress.
// The last line of standard error is one JSON object. Exit status: 0; 101 nothing moves; 102 an
// answer that nobody asked for, or one that changed before it was taken; 104 bad arguments or file.

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

namespace {

constexpr int kStuck = 101;
constexpr int kProtocol = 102;
constexpr int kBadArguments = 104;
constexpr size_t kBlock = 16;
constexpr unsigned kFullKeep = 0xffff;
constexpr unsigned kPercent = 100;
constexpr unsigned kResetCycles = 4;

[[noreturn]] void refuse(const std::string &why) {
  std::fprintf(stderr, "error: %s\n", why.c_str());
  std::exit(kBadArguments);
}

std::vector<uint8_t> from_hex(const std::string &text) {
  std::vector<uint8_t> bytes;
  if (text.size() % 2 != 0) refuse("an odd number of hexadecimal digits");
  for (size_t i = 0; i < text.size(); i += 2) {
    char *end = nullptr;
    const std::string digits = text.substr(i, 2);
    bytes.push_back(static_cast<uint8_t>(std::strtoul(digits.c_str(), &end, 16)));
    if (*end != 0) refuse("'" + digits + "' is not hexadecimal");
  }
  return bytes;
}

struct Options {
  std::string in, out;
  std::vector<std::vector<uint8_t>> keys;
  std::vector<uint8_t> iv;
  uint64_t decrypt = 0, switch_after = 1, idle = 0, stall = 0, seed = 1, max = 100000;
};

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    if (word[0] != '+' || equals == std::string::npos) refuse("unknown argument '" + word + "'");
    const std::string name = word.substr(1, equals - 1), value = word.substr(equals + 1);
    const auto number = [&value, &word] {
      char *end = nullptr;
      const uint64_t result = std::strtoull(value.c_str(), &end, 10);
      if (value.empty() || *end != 0) refuse("'" + word + "' needs a number");
      return result;
    };
    if (name == "in") options.in = value;
    else if (name == "out") options.out = value;
    else if (name == "key") options.keys.push_back(from_hex(value));
    else if (name == "iv") options.iv = from_hex(value);
    else if (name == "decrypt") options.decrypt = number();
    else if (name == "switch") options.switch_after = number();
    else if (name == "idle") options.idle = number();
    else if (name == "stall") options.stall = number();
    else if (name == "seed") options.seed = number();
    else if (name == "max") options.max = number();
    else refuse("unknown argument '" + word + "'");
  }
  if (options.keys.empty() || options.in.empty() || options.out.empty()) {
    refuse("+in, +out and +key are needed");
  }
  for (const auto &key : options.keys) {
    if (key.size() != 16 && key.size() != 24 && key.size() != 32) {
      refuse("a key has 16, 24 or 32 bytes");
    }
  }
  if (!options.iv.empty() && options.iv.size() != kBlock) refuse("a counter has 16 bytes");
  if (options.switch_after == 0 || options.idle >= kPercent || options.stall >= kPercent) {
    refuse("+switch is at least 1, +idle and +stall are less than 100");
  }
  return options;
}

std::vector<uint8_t> read_file(const std::string &path) {
  FILE *file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) refuse("cannot open '" + path + "'");
  std::vector<uint8_t> bytes;
  uint8_t part[1 << 16];
  for (size_t got; (got = std::fread(part, 1, sizeof part, file)) != 0;) {
    bytes.insert(bytes.end(), part, part + got);
  }
  if (std::ferror(file) != 0) refuse("cannot read '" + path + "'");
  std::fclose(file);
  return bytes;
}

// Xorshift, period 2^64 - 1: Marsaglia, Journal of Statistical Software 8(14), 2003.
struct Lot {
  uint64_t state;
  bool draw(uint64_t percent) {
    if (percent == 0) return false;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 32) % kPercent < percent;
  }
};

template <typename Wide> void put(Wide &wide, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < sizeof(wide) / 4; ++i) {
    uint32_t word = 0;
    if (4 * i < count) std::memcpy(&word, bytes + 4 * i, std::min<size_t>(4, count - 4 * i));
    wide[i] = word;
  }
}

struct Bench {
  VerilatedContext context;
  Vtop dut{&context};
  uint64_t cycles = 0;

  void edge() {
    dut.aclk = 1;
    dut.eval();
    dut.aclk = 0;
    ++cycles;
  }
};

struct Answer {
  uint32_t data[4];
  uint32_t keep;
  bool last;
  bool operator==(const Answer &other) const {
    return std::memcmp(data, other.data, sizeof data) == 0 && keep == other.keep &&
           last == other.last;
  }
};

}  // namespace

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  const std::vector<uint8_t> input = read_file(options.in);
  const uint64_t blocks = (input.size() + kBlock - 1) / kBlock;
  std::vector<uint8_t> output;
  output.reserve(input.size());

  const auto bench = std::make_unique<Bench>();
  Vtop &dut = bench->dut;
  dut.aresetn = 0;
  dut.s_axis_tvalid = dut.s_axis_key_tvalid = dut.s_axis_iv_tvalid = dut.m_axis_tready = 0;
  for (unsigned i = 0; i < kResetCycles; ++i) {
    dut.eval();
    bench->edge();
  }
  dut.aresetn = 1;

  Lot lot{options.seed * 0x9e3779b97f4a7c15u + 1};
  uint64_t sent = 0, received = 0, quiet = 0, first_sent = 0, last_received = 0;
  size_t keys = 0;
  bool offered = false, held = false, iv_taken = options.iv.empty();
  Answer before{};
  const auto start = std::chrono::steady_clock::now();

  if (!options.iv.empty()) put(dut.s_axis_iv_tdata, options.iv.data(), kBlock);
  while (received < blocks) {
    // Keys first: a block of a slot waits for them by itself.
    if (keys < options.keys.size()) {
      const auto &key = options.keys[keys];
      put(dut.s_axis_key_tdata, key.data(), key.size());
      dut.s_axis_key_tuser = static_cast<decltype(dut.s_axis_key_tuser + 0)>(
          (keys << 2) | (key.size() / 8 - 2));
      dut.s_axis_key_tvalid = 1;
    } else {
      dut.s_axis_key_tvalid = 0;
    }
    const bool all_keys = keys == options.keys.size();
    const bool data_on = all_keys && sent < blocks && (offered || !lot.draw(options.idle));
    dut.s_axis_tvalid = data_on;
    if (data_on && !offered) {
      const size_t left = std::min<size_t>(kBlock, input.size() - kBlock * sent);
      const uint64_t slot = (sent / options.switch_after) % options.keys.size();
      const bool decrypt = options.decrypt == 2 ? (sent & 1) != 0 : options.decrypt != 0;
      put(dut.s_axis_tdata, input.data() + kBlock * sent, left);
      dut.s_axis_tkeep = static_cast<uint16_t>(kFullKeep >> (kBlock - left));
      dut.s_axis_tlast = sent + 1 == blocks;
      dut.s_axis_tid = 0;
      dut.s_axis_tuser = static_cast<decltype(dut.s_axis_tuser + 0)>((slot << 1) | decrypt);
    }
    dut.s_axis_iv_tvalid = !iv_taken;
    dut.m_axis_tready = !lot.draw(options.stall);
    dut.eval();
    const bool data_fire = data_on && dut.s_axis_tready;
    const bool key_fire = dut.s_axis_key_tvalid && dut.s_axis_key_tready;
    if (dut.s_axis_iv_tvalid && dut.s_axis_iv_tready) iv_taken = true;
    const bool shown = dut.m_axis_tvalid, out_fire = shown && dut.m_axis_tready;
    if (held || shown) {
      const Answer now{{dut.m_axis_tdata[0], dut.m_axis_tdata[1], dut.m_axis_tdata[2],
                        dut.m_axis_tdata[3]},
                       dut.m_axis_tkeep,
                       dut.m_axis_tlast != 0};
      if ((held && (!shown || !(now == before))) || received >= sent) {
        std::fprintf(stderr, "error: block %" PRIu64 " changed, vanished or was never sent\n",
                     received);
        return kProtocol;
      }
      before = now;
      held = shown && !out_fire;
    }
    if (out_fire) {
      const size_t left = std::min<size_t>(kBlock, input.size() - kBlock * received);
      const auto *bytes = reinterpret_cast<const uint8_t *>(before.data);
      if (before.keep != kFullKeep >> (kBlock - left) ||
          before.last != (received + 1 == blocks)) {
        std::fprintf(stderr, "error: block %" PRIu64 " has another TKEEP or TLAST\n", received);
        return kProtocol;
      }
      output.insert(output.end(), bytes, bytes + left);
      ++received;
      last_received = bench->cycles;
    }
    if (data_fire && sent++ == 0) first_sent = bench->cycles;
    if (key_fire) ++keys;
    offered = data_on && !data_fire;
    quiet = data_fire || key_fire || out_fire ? 0 : quiet + 1;
    if (quiet > options.max) {
      std::fprintf(stderr, "error: nothing moves; %" PRIu64 " of %" PRIu64 " blocks came out\n",
                   received, blocks);
      return kStuck;
    }
    bench->edge();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  FILE *file = std::fopen(options.out.c_str(), "wb");
  if (file == nullptr) refuse("cannot open '" + options.out + "'");
  const bool written = std::fwrite(output.data(), 1, output.size(), file) == output.size();
  if (std::fclose(file) != 0 || !written) refuse("cannot write '" + options.out + "'");
  std::fprintf(stderr,
               "{\"blocks\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"seconds\": %.3f}\n", blocks,
               blocks == 0 ? 0 : last_received - first_sent + 1, seconds.count());
  return 0;
}
