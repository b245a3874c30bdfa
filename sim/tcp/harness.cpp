// SPDX-License-Identifier: Apache-2.0
// The test bench with one TCP connection, for `aesforge tls`: sim/harness.cpp, and at the end of
// its device the registers below. While the core waits for the peer, simulated time stands still:
// cycles are the core's work alone.
//
// offset  read                                            write
// 0x40    bytes that wait; waits for one; 0: peer ended   -
// 0x44    next four bytes (as many as wait)               four bytes to the peer
// 0x48    next byte                                       one byte to the peer
//
// Arguments: +listen=PORT (of 127.0.0.1; 0: a free one) or +connect=PORT, and +patience=SECONDS
// without a byte of the peer, or until it listens. Standard error says "listening: PORT" when a
// peer may connect.

#define main harness_main
#define sim_read harness_sim_read
#define sim_write harness_sim_write
#include "../harness.cpp"
#undef main
#undef sim_read
#undef sim_write

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace {

constexpr uint32_t kWaiting = kDevice + 0x40;
constexpr uint32_t kWord = kDevice + 0x44;
constexpr uint32_t kByte = kDevice + 0x48;
constexpr size_t kBuffer = 1u << 16;

struct Connection {
  int listener = -1;
  int peer = -1;
  uint64_t patience = 30;
  bool ended = false;
  std::vector<unsigned char> received, sent;
  size_t taken = 0;  // of `received`
};

Connection connection;

void failed(const char *what) {
  if (!sim.done) std::fprintf(stderr, "error: %s\n", what);
  stop("connection", kBadArguments);
}

// Wait until a socket has something to read: false after a failure, which is reported.
bool wait_for(int socket, const char *late) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(connection.patience);
  while (stop_signal == 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) {
      failed(late);
      return false;
    }
    pollfd asked{socket, POLLIN, 0};
    const int got = poll(&asked, 1, static_cast<int>(left < 200 ? left : 200));
    if (got > 0) return true;
    if (got < 0 && errno != EINTR) {
      failed("poll failed");
      return false;
    }
  }
  stop("interrupted", 128 + static_cast<int>(stop_signal));
  return false;
}

void send_at_once() {
  const int on = 1;
  setsockopt(connection.peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void flush() {
  size_t done = 0;
  while (done < connection.sent.size() && connection.peer >= 0) {
    const ssize_t got = send(connection.peer, connection.sent.data() + done,
                             connection.sent.size() - done, MSG_NOSIGNAL);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      connection.ended = true;  // the firmware sees it when it reads
      break;
    }
    done += static_cast<size_t>(got);
  }
  connection.sent.clear();
}

uint32_t waiting() {
  if (connection.peer < 0 && connection.listener < 0) {
    failed("the firmware wants a connection, but there is no +listen=PORT and no +connect=PORT");
    return 0;
  }
  if (connection.peer < 0) {
    if (!wait_for(connection.listener, "nobody has connected within the time limit")) return 0;
    connection.peer = accept(connection.listener, nullptr, nullptr);
    if (connection.peer < 0) {
      failed("accept failed");
      return 0;
    }
    send_at_once();
  }
  flush();
  if (connection.taken == connection.received.size() && !connection.ended) {
    connection.received.resize(kBuffer);
    connection.taken = 0;
    ssize_t got = 0;
    if (wait_for(connection.peer, "the peer has sent nothing within the time limit")) {
      got = recv(connection.peer, connection.received.data(), kBuffer, 0);
    }
    connection.received.resize(got > 0 ? static_cast<size_t>(got) : 0);
    connection.ended = got <= 0;
  }
  return static_cast<uint32_t>(connection.received.size() - connection.taken);
}

uint32_t take(size_t most) {
  uint32_t value = 0;
  for (size_t i = 0; i < most && connection.taken < connection.received.size(); ++i) {
    value |= static_cast<uint32_t>(connection.received[connection.taken++]) << (8 * i);
  }
  return value;
}

void give(uint32_t data, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    connection.sent.push_back(static_cast<unsigned char>(data >> (8 * i)));
  }
  if (connection.sent.size() >= kBuffer) flush();
}

sockaddr_in here(uint64_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

// Connect, and wait for a peer that does not listen yet.
void connect_to(uint64_t port) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(connection.patience);
  sockaddr_in address = here(port);
  while (connection.peer < 0) {
    connection.peer = socket(AF_INET, SOCK_STREAM, 0);
    const auto *place = reinterpret_cast<sockaddr *>(&address);
    if (connect(connection.peer, place, sizeof address) == 0) break;
    const int reason = errno;
    close(connection.peer);
    connection.peer = -1;
    if (Clock::now() >= end) {
      refuse("cannot connect to port %" PRIu64 " of 127.0.0.1: %s", port, std::strerror(reason));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  send_at_once();
}

void listen_at(uint64_t port) {
  connection.listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = here(port);
  const int on = 1;
  setsockopt(connection.listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  auto *place = reinterpret_cast<sockaddr *>(&address);
  if (connection.listener < 0 || bind(connection.listener, place, sizeof address) != 0 ||
      listen(connection.listener, 1) != 0) {
    refuse("cannot listen at port %" PRIu64 " of 127.0.0.1: %s", port, std::strerror(errno));
  }
  socklen_t size = sizeof address;
  getsockname(connection.listener, place, &size);
  std::fprintf(stderr, "listening: %u\n", static_cast<unsigned>(ntohs(address.sin_port)));
}

}  // namespace

extern "C" int sim_read(int port, int unsigned_address) {
  const uint32_t address = static_cast<uint32_t>(unsigned_address) & ~uint32_t{3};
  if (static_cast<unsigned>(port) != kFetchPort) {
    if (address == kWaiting) return static_cast<int>(waiting());
    if (address == kWord) return static_cast<int>(take(4));
    if (address == kByte) return static_cast<int>(take(1));
  }
  return harness_sim_read(port, unsigned_address);
}

extern "C" void sim_write(int unsigned_address, int unsigned_data, int strobe) {
  const uint32_t address = static_cast<uint32_t>(unsigned_address) & ~uint32_t{3};
  if ((address == kWord || address == kByte) && (strobe & 15) == 15) {
    give(static_cast<uint32_t>(unsigned_data), address == kWord ? 4 : 1);
  } else {
    harness_sim_write(unsigned_address, unsigned_data, strobe);
  }
}

int main(int argc, char **argv) {
  std::vector<char *> rest;
  uint64_t port = 0;
  bool listens = false, connects = false;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("+listen=", 0) == 0) {
      port = parse_number("listen", argv[i] + 8, 65535);
      listens = true;
    } else if (word.rfind("+connect=", 0) == 0) {
      port = parse_number("connect", argv[i] + 9, 65535);
      connects = true;
    } else if (word.rfind("+patience=", 0) == 0) {
      connection.patience = parse_number("patience", argv[i] + 10, 86400);
    } else {
      rest.push_back(argv[i]);
    }
  }
  rest.push_back(nullptr);
  if (listens) listen_at(port);
  if (connects) connect_to(port);
  const int status = harness_main(static_cast<int>(rest.size()) - 1, rest.data());
  flush();
  if (connection.peer >= 0) close(connection.peer);
  if (connection.listener >= 0) close(connection.listener);
  return status;
}
