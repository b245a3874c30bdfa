// SPDX-License-Identifier: Apache-2.0
// The test bench of every simulated platform: clock, memory, device, watchdog, waves.
// Command line, memory map and exit statuses: docs/architecture.md, section 4.
// Verilator turns platforms/<core>/top.sv into the class Vtop, whose ports are
// clk_i, rst_ni, irq_i and trap_o; the design reaches memory through the functions at the end.

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "Vtop.h"
#include "svdpi.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

namespace {

// Exit statuses in addition to the firmware's own 0..99.
constexpr int kWatchdog = 101;
constexpr int kBadAccess = 102;
constexpr int kTrap = 103;
constexpr int kBadArguments = 104;
constexpr uint32_t kLargestExit = 99;

constexpr uint32_t kDevice = 0x80000000u;
constexpr uint32_t kPageBytes = 4096;  // a cache line never crosses the end of memory
constexpr unsigned kFetchPort = 0;
constexpr uint64_t kNever = ~uint64_t{0};
constexpr unsigned kResetCycles = 8;
constexpr size_t kFileBuffer = 1u << 20;

struct Simulation {
  std::vector<uint32_t> memory;  // one word per entry
  uint32_t memory_bytes = 1u << 20;
  FILE *input = nullptr;
  FILE *output = nullptr;
  uint64_t input_left = 0;
  uint32_t wait_states[2] = {0, 0};  // fetch, data
  uint64_t random = 0;               // state of the generator; 0: fixed wait states
  uint64_t cycles = 0;
  uint64_t limit = 1000000000u;
  uint64_t progress = 0;
  uint64_t timer_at = kNever;
  bool line = false;  // level of the interrupt line
  bool done = false;
  int exit_status = 0;
  const char *status = "exit";
  bool fetch_failed = false;  // the newest fetch was outside memory
  uint32_t fetch_address = 0;  // first one of consecutive failed fetches
  uint32_t trap_pc = 0;
  std::string vcd;
};

Simulation sim;
volatile std::sig_atomic_t stop_signal = 0;

void on_signal(int number) { stop_signal = number; }

// Only the first reason to stop is reported.
void stop(const char *status, int exit_status) {
  if (sim.done) return;
  sim.done = true;
  sim.status = status;
  sim.exit_status = exit_status;
}

void bad_access(const char *what, uint32_t address) {
  if (!sim.done) {
    std::fprintf(stderr,
                 "error: %s at 0x%08" PRIx32 " outside memory and device, cycle %" PRIu64 "\n",
                 what, address, sim.cycles);
  }
  stop("bad-access", kBadAccess);
}

// Prints a message and the final JSON object, then exits: the simulation has not started.
[[noreturn]] void refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::fputs("error: ", stderr);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "\n{\"cycles\": 0, \"status\": \"bad-arguments\", \"exit\": %d}\n",
               kBadArguments);
  std::exit(kBadArguments);
}

// xorshift64* (Marsaglia 2003; multiplier from Vigna 2016).
uint32_t next_random() {
  sim.random ^= sim.random >> 12;
  sim.random ^= sim.random << 25;
  sim.random ^= sim.random >> 27;
  return static_cast<uint32_t>((sim.random * 0x2545f4914f6cdd1dull) >> 32);
}

uint64_t parse_number(const char *name, const char *text, uint64_t largest) {
  char *end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text, &end, 0);
  if (*text == '\0' || *text == '-' || *end != '\0' || errno != 0 || value > largest) {
    refuse("+%s wants a number from 0 to %" PRIu64 ", not '%s'", name, largest, text);
  }
  return value;
}

FILE *open_file(const char *path, const char *mode) {
  FILE *file = std::fopen(path, mode);
  if (file == nullptr) refuse("cannot open '%s': %s", path, std::strerror(errno));
  std::setvbuf(file, nullptr, _IOFBF, kFileBuffer);
  return file;
}

void load_image(const std::string &path) {
  FILE *file = open_file(path.c_str(), "rb");
  const size_t got = std::fread(sim.memory.data(), 1, sim.memory_bytes, file);
  if (std::ferror(file)) refuse("cannot read '%s': %s", path.c_str(), std::strerror(errno));
  if (got == 0) refuse("the image '%s' is empty", path.c_str());
  if (std::fgetc(file) != EOF) {
    refuse("the image '%s' does not fit into %" PRIu32 " bytes of memory", path.c_str(),
           sim.memory_bytes);
  }
  std::fclose(file);
}

void open_input(const std::string &path) {
  sim.input = open_file(path.c_str(), "rb");
  struct stat facts;
  if (fstat(fileno(sim.input), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    refuse("the input '%s' is not a regular file", path.c_str());
  }
  sim.input_left = static_cast<uint64_t>(facts.st_size);
}

void parse_arguments(int count, char **words) {
  std::string image, input, output;
  uint64_t seed = 0;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const size_t equals = word.find('=');
    if (word.empty() || word[0] != '+' || equals == std::string::npos) {
      refuse("'%s' is not an argument (+name=value)", words[i]);
    }
    const std::string name = word.substr(1, equals - 1);
    const char *value = words[i] + equals + 1;
    if (name == "image") {
      image = value;
    } else if (name == "mem") {
      sim.memory_bytes = static_cast<uint32_t>(parse_number("mem", value, kDevice));
    } else if (name == "in") {
      input = value;
    } else if (name == "out") {
      output = value;
    } else if (name == "max") {
      sim.limit = parse_number("max", value, kNever - 1);
    } else if (name == "iwait") {
      sim.wait_states[0] = static_cast<uint32_t>(parse_number("iwait", value, 255));
    } else if (name == "dwait") {
      sim.wait_states[1] = static_cast<uint32_t>(parse_number("dwait", value, 255));
    } else if (name == "seed") {
      seed = parse_number("seed", value, INT32_MAX);
    } else if (name == "vcd") {
      sim.vcd = value;
    } else if (name == "progress") {
      sim.progress = parse_number("progress", value, kNever - 1);
    } else {
      refuse("there is no argument '+%s'", name.c_str());
    }
  }
  if (image.empty()) refuse("+image=FILE is missing");
  if (sim.memory_bytes == 0 || sim.memory_bytes % kPageBytes != 0) {
    refuse("+mem wants a multiple of %" PRIu32 ", not %" PRIu32, kPageBytes, sim.memory_bytes);
  }
#if !VM_TRACE
  if (!sim.vcd.empty()) refuse("+vcd wants a simulator that was built with tracing");
#endif
  // An odd multiplier keeps different seeds different; the state is never zero.
  sim.random = seed * 0x9e3779b97f4a7c15ull;
  sim.memory.assign(sim.memory_bytes / 4, 0);
  load_image(image);
  if (!input.empty()) open_input(input);
  if (!output.empty()) sim.output = open_file(output.c_str(), "wb");
}

// Up to `most` (1..4) input bytes, little-endian, zeros after the end.
uint32_t read_stream(size_t most) {
  unsigned char bytes[4] = {0, 0, 0, 0};
  const size_t wanted = sim.input_left < most ? static_cast<size_t>(sim.input_left) : most;
  const size_t got = wanted == 0 ? 0 : std::fread(bytes, 1, wanted, sim.input);
  if (got != wanted) {
    std::fprintf(stderr, "error: the input ended early\n");
    stop("file-error", kBadArguments);
  }
  sim.input_left -= wanted;
  return bytes[0] | static_cast<uint32_t>(bytes[1]) << 8 | static_cast<uint32_t>(bytes[2]) << 16 |
         static_cast<uint32_t>(bytes[3]) << 24;
}

void write_stream(uint32_t data, unsigned count) {
  if (sim.output == nullptr) {
    std::fprintf(stderr, "error: the firmware writes to the stream, but there is no +out=FILE\n");
    stop("file-error", kBadArguments);
    return;
  }
  for (unsigned i = 0; i < count; ++i) {
    std::fputc(static_cast<int>(data >> (8 * i) & 0xff), sim.output);
  }
}

uint32_t read_device(uint32_t address) {
  switch (address - kDevice) {
    case 0x08:
      return sim.input_left > INT32_MAX ? INT32_MAX : static_cast<uint32_t>(sim.input_left);
    case 0x0c: return read_stream(4);
    case 0x18: return sim.memory_bytes;
    case 0x20: return sim.line;
    case 0x24: return static_cast<uint32_t>(sim.cycles);
    case 0x30: return read_stream(1);
    default: bad_access("read", address); return 0;
  }
}

// An exception of a core that has a trap vector; its handler writes mepc, then mcause.
void report_trap(uint32_t cause) {
  if (sim.trap_pc >= sim.memory_bytes) {
    bad_access("instruction fetch", sim.trap_pc);
  } else {
    std::fprintf(stderr, "error: exception %" PRIu32 " at 0x%08" PRIx32 ", cycle %" PRIu64 "\n",
                 cause, sim.trap_pc, sim.cycles);
    stop("trap", kTrap);
  }
}

void write_device(uint32_t address, uint32_t data) {
  switch (address - kDevice) {
    case 0x00: std::fputc(static_cast<int>(data & 0xff), stdout); break;
    case 0x04:
      if (data > kLargestExit) {
        std::fprintf(stderr, "error: exit code %" PRIu32 " is not in 0..%" PRIu32 "\n", data,
                     kLargestExit);
        data = kLargestExit;
      }
      stop("exit", static_cast<int>(data));
      break;
    case 0x10: write_stream(data, 4); break;
    case 0x14: write_stream(data, 1); break;
    case 0x1c:
      sim.line = false;
      sim.timer_at = data == 0 ? kNever : sim.cycles + data;
      break;
    case 0x28: sim.trap_pc = data; break;
    case 0x2c: report_trap(data); break;
    default: bad_access("write", address); break;
  }
}

// Cores without a trap vector stop by themselves; their last access gives the reason.
void core_stopped() {
  if (sim.fetch_failed) {
    bad_access("instruction fetch", sim.fetch_address);
  } else {
    if (!sim.done) {
      std::fprintf(stderr, "error: the core stopped itself, cycle %" PRIu64 "\n", sim.cycles);
    }
    stop("trap", kTrap);
  }
}

void print_progress() {
  std::fprintf(stderr, "progress: %" PRIu64 " cycles, %" PRIu64 " bytes left\n", sim.cycles,
               sim.input_left);
}

// Runs until something stops the simulation.
void run(Vtop &top, VerilatedContext &context) {
#if VM_TRACE
  std::unique_ptr<VerilatedVcdC> trace;
  if (!sim.vcd.empty()) {
    context.traceEverOn(true);
    trace = std::make_unique<VerilatedVcdC>();
    top.trace(trace.get(), 99);
    trace->open(sim.vcd.c_str());
    if (!trace->isOpen()) refuse("cannot open '%s'", sim.vcd.c_str());
  }
#endif
  uint64_t half_cycles = 0;
  const auto half_cycle = [&](bool level) {
    top.clk_i = level;
    top.eval();
#if VM_TRACE
    if (trace) trace->dump(static_cast<uint64_t>(half_cycles));
#endif
    context.time(++half_cycles);
  };
  top.irq_i = 0;
  top.rst_ni = 0;
  for (unsigned i = 0; i < kResetCycles; ++i) {
    half_cycle(false);
    half_cycle(true);
  }
  half_cycle(false);
  top.rst_ni = 1;
  uint64_t next_progress = sim.progress == 0 ? kNever : sim.progress;
  while (true) {
    half_cycle(true);
    ++sim.cycles;
    if (sim.cycles >= sim.timer_at) {
      sim.timer_at = kNever;
      sim.line = true;
    }
    top.irq_i = sim.line;
    half_cycle(false);
    if (top.trap_o) core_stopped();
    if (sim.done) break;
    if (sim.limit != 0 && sim.cycles >= sim.limit) {
      std::fprintf(stderr, "error: the watchdog stopped the run after %" PRIu64 " cycles\n",
                   sim.cycles);
      stop("watchdog", kWatchdog);
      break;
    }
    if (stop_signal != 0) {
      std::fprintf(stderr, "error: stopped by signal %d\n", static_cast<int>(stop_signal));
      stop("interrupted", 128 + static_cast<int>(stop_signal));
      break;
    }
    if (sim.cycles >= next_progress) {
      print_progress();
      next_progress += sim.progress;
    }
  }
#if VM_TRACE
  if (trace) trace->close();
#endif
}

}  // namespace

// Called from SystemVerilog (sim/sim_pkg.sv) -----------------------------------------------------

// A word from memory or device. A fetch outside memory gives zero, which is an illegal instruction:
// cores fetch ahead, so it matters only if the word is executed, and then the core traps.
extern "C" int sim_read(int port, int unsigned_address) {
  const uint32_t address = static_cast<uint32_t>(unsigned_address) & ~uint32_t{3};
  const bool fetch = static_cast<unsigned>(port) == kFetchPort;
  if (address < sim.memory_bytes) {
    if (fetch) sim.fetch_failed = false;
    return static_cast<int>(sim.memory[address >> 2]);
  }
  if (fetch) {
    if (!sim.fetch_failed) sim.fetch_address = address;
    sim.fetch_failed = true;
    return 0;
  }
  return static_cast<int>(read_device(address));
}

// Writes the bytes of a word that `strobe` selects; the device takes whole words only.
extern "C" void sim_write(int unsigned_address, int unsigned_data, int strobe) {
  const uint32_t address = static_cast<uint32_t>(unsigned_address) & ~uint32_t{3};
  const uint32_t data = static_cast<uint32_t>(unsigned_data);
  if (address >= sim.memory_bytes) {
    if ((strobe & 15) == 15) {
      write_device(address, data);
    } else {
      bad_access("write of less than a word", address);
    }
    return;
  }
  uint32_t mask = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    if (strobe >> lane & 1) mask |= 0xffu << (8 * lane);
  }
  uint32_t &word = sim.memory[address >> 2];
  word = (word & ~mask) | (data & mask);
}

// Wait states of the next access through a port.
extern "C" int sim_wait(int port) {
  const uint32_t most = sim.wait_states[port & 1];
  if (most == 0 || sim.random == 0) return static_cast<int>(most);
  return static_cast<int>(next_random() % (most + 1));
}

// The same, divided for a bus with an address and a data phase: {before the grant, after it}, 16
// bits each. Fixed wait states all come after the grant.
extern "C" int sim_wait_phases(int port) {
  const uint32_t total = static_cast<uint32_t>(sim_wait(port));
  const uint32_t before = total == 0 || sim.random == 0 ? 0 : next_random() % (total + 1);
  return static_cast<int>(before << 16 | (total - before));
}

int main(int argc, char **argv) {
  parse_arguments(argc, argv);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  VerilatedContext context;
  context.commandArgs(argc, argv);
  {
    Vtop top{&context};
    run(top, context);
    top.final();
  }
  if (sim.input != nullptr) std::fclose(sim.input);
  if (sim.output != nullptr && (std::ferror(sim.output) | std::fclose(sim.output)) != 0) {
    std::fprintf(stderr, "error: the output could not be written\n");
    sim.status = "file-error";
    sim.exit_status = kBadArguments;
  }
  std::fflush(stdout);
  std::fprintf(stderr, "{\"cycles\": %" PRIu64 ", \"status\": \"%s\", \"exit\": %d}\n", sim.cycles,
               sim.status, sim.exit_status);
  return sim.exit_status;
}
