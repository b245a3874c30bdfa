// SPDX-License-Identifier: Apache-2.0
// Plays a script of beats through a simulated stream accelerator at the simulator's full speed, and
// records its output. Ports: AMBA AXI4-Stream (ARM IHI 0051A): s_axis, s_axis_key, m_axis, aclk,
// aresetn; s_axis_iv and m_axis_tag if the top has them.
//
// Arguments: +script=FILE, +out=FILE, +width=BYTES of a beat's data, +idle=N (percent of cycles
// without a valid input), +stall=N (percent of cycles without a ready), +seed=N, +max=CYCLES
// without progress.
//
// Records, in script and output: 8 bytes (stream; TLAST; TID, 2; TUSER, 2; two unused), width/8
// bytes of TKEEP, then TDATA in max(width, 32) bytes. Streams: 0 s_axis or m_axis, 1 key, 2 first
// counter block, 3 tag. Records after a key wait until the key is accepted. A counter block is
// offered in parallel with the beats after it.
//
// The last line of standard error is one JSON object. Exit status: 0; 101 no progress; 102 an
// unexpected output, or one that changed before it was accepted; 104 bad arguments or file.

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

namespace {

constexpr int kStuck = 101;
constexpr int kProtocol = 102;
constexpr int kBadArguments = 104;
constexpr size_t kHeader = 8;
constexpr size_t kLeastData = 32;  // room for a key
constexpr size_t kTag = 16;
constexpr unsigned kPercent = 100;
constexpr unsigned kResetCycles = 4;
constexpr uint64_t kDrain = 1000;  // cycles without a transfer after which the output is complete

enum Stream : uint8_t { kData, kKey, kIv, kTagOut };

[[noreturn]] void refuse(const std::string &why) {
  std::fprintf(stderr, "error: %s\n", why.c_str());
  std::exit(kBadArguments);
}

struct Options {
  std::string script, out;
  uint64_t width = 16, idle = 0, stall = 0, seed = 1, max = 100000;
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
    if (name == "script") options.script = value;
    else if (name == "out") options.out = value;
    else if (name == "width") options.width = number();
    else if (name == "idle") options.idle = number();
    else if (name == "stall") options.stall = number();
    else if (name == "seed") options.seed = number();
    else if (name == "max") options.max = number();
    else refuse("unknown argument '" + word + "'");
  }
  if (options.script.empty() || options.out.empty()) refuse("+script and +out are needed");
  if (options.idle >= kPercent || options.stall >= kPercent) {
    refuse("+idle and +stall are less than 100");
  }
  if (options.width != sizeof(Vtop::s_axis_tdata)) refuse("+width is not that of the stream");
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

// Ports are little-endian memory on every machine that Verilator's types and this file know.
template <typename Port> void put(Port &port, const uint8_t *bytes, size_t count) {
  std::memset(static_cast<void *>(&port), 0, sizeof port);
  std::memcpy(static_cast<void *>(&port), bytes, std::min(count, sizeof port));
}

template <typename Port> void get(const Port &port, uint8_t *bytes, size_t count) {
  std::memcpy(bytes, static_cast<const void *>(&port), std::min(count, sizeof port));
}

// Offsets of a record's parts.
struct Layout {
  size_t keep, data, size;
  explicit Layout(size_t width)
      : keep(kHeader), data(kHeader + width / 8), size(data + std::max(width, kLeastData)) {}
};

// The streams that a top may lack.
template <typename Top, typename = void> struct HasIv : std::false_type {};
template <typename Top>
struct HasIv<Top, std::void_t<decltype(std::declval<Top &>().s_axis_iv_tvalid)>> : std::true_type {
};
template <typename Top, typename = void> struct HasTag : std::false_type {};
template <typename Top>
struct HasTag<Top, std::void_t<decltype(std::declval<Top &>().m_axis_tag_tvalid)>>
    : std::true_type {};

// A template, so that code for a stream that the top lacks is never compiled.
template <typename Top> int play(const Options &options) {
  const std::vector<uint8_t> script = read_file(options.script);
  const Layout layout(options.width);
  const uint64_t records = script.size() / layout.size;
  if (script.size() % layout.size != 0) refuse("the script ends in the middle of a record");
  FILE *file = std::fopen(options.out.c_str(), "wb");
  if (file == nullptr) refuse("cannot open '" + options.out + "'");

  VerilatedContext context;
  const auto top = std::make_unique<Top>(&context);
  Top &dut = *top;
  uint64_t cycles = 0;
  const auto edge = [&dut, &cycles] {
    dut.aclk = 1;
    dut.eval();
    dut.aclk = 0;
    ++cycles;
  };
  dut.aresetn = 0;
  dut.s_axis_tvalid = dut.s_axis_key_tvalid = 0;
  dut.m_axis_tready = 0;
  if constexpr (HasIv<Top>::value) dut.s_axis_iv_tvalid = 0;
  if constexpr (HasTag<Top>::value) dut.m_axis_tag_tready = 0;
  for (unsigned i = 0; i < kResetCycles; ++i) {
    dut.eval();
    edge();
  }
  dut.aresetn = 1;

  Lot lot{options.seed * 0x9e3779b97f4a7c15u + 1};
  uint64_t next = 0, sent = 0, received = 0, quiet = 0, first_sent = 0, last_received = 0;
  bool offered = false, iv_on = false, ok = true;
  std::vector<uint8_t> now(layout.size), held(layout.size), tag_now(layout.size),
      tag_held(layout.size);
  bool is_held = false, tag_is_held = false;
  const auto start = std::chrono::steady_clock::now();

  const auto at = [&script, &layout](uint64_t record) { return &script[record * layout.size]; };
  const auto id_of = [](const uint8_t *record) { return record[2] | record[3] << 8; };
  const auto user_of = [](const uint8_t *record) { return record[4] | record[5] << 8; };
  using Id = decltype(dut.s_axis_tid + 0);
  using User = decltype(dut.s_axis_tuser + 0);

  // Stop when everything is sent and nothing has moved for kDrain cycles.
  while (next < records || iv_on || received < sent || quiet < kDrain) {
    if (next < records && at(next)[0] == kIv && !iv_on) {
      if constexpr (HasIv<Top>::value) put(dut.s_axis_iv_tdata, at(next) + layout.data, kTag);
      else refuse("a counter block for a stream that has no s_axis_iv");
      iv_on = true;
      ++next;
    }
    const uint8_t stream = next < records ? at(next)[0] : static_cast<uint8_t>(kIv);
    const bool on = stream != kIv && (offered || !lot.draw(options.idle));
    if (on && !offered) {
      const uint8_t *record = at(next);
      if (stream == kKey) {
        put(dut.s_axis_key_tdata, record + layout.data, kLeastData);
        dut.s_axis_key_tuser = static_cast<decltype(dut.s_axis_key_tuser + 0)>(user_of(record));
      } else {
        put(dut.s_axis_tdata, record + layout.data, options.width);
        put(dut.s_axis_tkeep, record + layout.keep, options.width / 8);
        dut.s_axis_tlast = record[1];
        dut.s_axis_tid = static_cast<Id>(id_of(record));
        dut.s_axis_tuser = static_cast<User>(user_of(record));
      }
    }
    dut.s_axis_tvalid = on && stream == kData;
    dut.s_axis_key_tvalid = on && stream == kKey;
    if constexpr (HasIv<Top>::value) dut.s_axis_iv_tvalid = iv_on;
    dut.m_axis_tready = !lot.draw(options.stall);
    if constexpr (HasTag<Top>::value) dut.m_axis_tag_tready = !lot.draw(options.stall);
    dut.eval();

    const bool data_fire = dut.s_axis_tvalid && dut.s_axis_tready;
    const bool key_fire = dut.s_axis_key_tvalid && dut.s_axis_key_tready;
    if constexpr (HasIv<Top>::value) iv_on = iv_on && !dut.s_axis_iv_tready;
    const bool shown = dut.m_axis_tvalid, out_fire = shown && dut.m_axis_tready;
    bool tag_shown = false, tag_fire = false;
    if constexpr (HasTag<Top>::value) {
      tag_shown = dut.m_axis_tag_tvalid;
      tag_fire = tag_shown && dut.m_axis_tag_tready;
      if (tag_shown) {
        tag_now[0] = kTagOut;
        tag_now[2] = static_cast<uint8_t>(dut.m_axis_tag_tid);
        tag_now[3] = static_cast<uint8_t>(dut.m_axis_tag_tid >> 8);
        tag_now[4] = static_cast<uint8_t>(dut.m_axis_tag_tuser);
        tag_now[5] = static_cast<uint8_t>(dut.m_axis_tag_tuser >> 8);
        get(dut.m_axis_tag_tdata, &tag_now[layout.data], kTag);
      }
    }
    if (shown) {
      now[0] = kData;
      now[1] = dut.m_axis_tlast;
      now[2] = static_cast<uint8_t>(dut.m_axis_tid);
      now[3] = static_cast<uint8_t>(dut.m_axis_tid >> 8);
      now[4] = static_cast<uint8_t>(dut.m_axis_tuser);
      now[5] = static_cast<uint8_t>(dut.m_axis_tuser >> 8);
      get(dut.m_axis_tkeep, &now[layout.keep], options.width / 8);
      get(dut.m_axis_tdata, &now[layout.data], options.width);
    }
    if ((is_held && (!shown || now != held)) || (shown && received >= sent) ||
        (tag_is_held && (!tag_shown || tag_now != tag_held))) {
      std::fprintf(stderr, "error: beat %" PRIu64 " or a tag changed, vanished or was never sent\n",
                   received);
      return kProtocol;
    }
    is_held = shown && !out_fire;
    tag_is_held = tag_shown && !tag_fire;
    if (is_held) held = now;
    if (tag_is_held) tag_held = tag_now;
    if (out_fire) {
      ok = ok && std::fwrite(now.data(), now.size(), 1, file) == 1;
      ++received;
      last_received = cycles;
    }
    if (tag_fire) ok = ok && std::fwrite(tag_now.data(), tag_now.size(), 1, file) == 1;
    if (data_fire && sent++ == 0) first_sent = cycles;
    if (data_fire || key_fire) ++next;
    offered = on && !data_fire && !key_fire;
    quiet = data_fire || key_fire || out_fire || tag_fire ? 0 : quiet + 1;
    if (quiet > options.max) {
      std::fprintf(stderr, "error: nothing moves; %" PRIu64 " of %" PRIu64 " beats came out\n",
                   received, sent);
      return kStuck;
    }
    edge();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (std::fclose(file) != 0 || !ok) refuse("cannot write '" + options.out + "'");
  std::fprintf(stderr, "{\"beats\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"seconds\": %.3f}\n",
               received, received == 0 ? 0 : last_received - first_sent + 1, seconds.count());
  return 0;
}

}  // namespace

int main(int argc, char **argv) { return play<Vtop>(parse(argc, argv)); }
