// SPDX-License-Identifier: Apache-2.0
// The connection of sim/tcp/harness.cpp, lines for the tool, and the program's end. Included once
// in a program, which defines PEER_ENDED: what from_peer returns after the peer's last byte.
#ifndef TLS_CONNECTION_H
#define TLS_CONNECTION_H

#include <stddef.h>
#include <stdint.h>

#include "hal.h"

#define WAITING 0x80000040u
#define WORD 0x80000044u
#define BYTE 0x80000048u

// The C library's end of a program.
_Noreturn void _exit(int code);
_Noreturn void _exit(int code) { hal_exit((uint32_t)code); }

static volatile uint32_t *at(uint32_t address) { return (volatile uint32_t *)address; }

// A word of memory, whatever the bytes in it are; address 0 modulo 4.
typedef uint32_t __attribute__((may_alias)) word_t;

// Bytes before the first word of an area.
static size_t before_words(const void *data, size_t bytes) {
  const size_t n = -(uintptr_t)data % sizeof(word_t);
  return n < bytes ? n : bytes;
}

static int to_peer(void *context, const unsigned char *data, size_t bytes) {
  (void)context;
  const unsigned char *const end = data + bytes;
  for (size_t n = before_words(data, bytes); n != 0; n--) *at(BYTE) = *data++;
  for (; (size_t)(end - data) >= sizeof(word_t); data += sizeof(word_t)) {
    *at(WORD) = *(const word_t *)(const void *)data;
  }
  while (data != end) *at(BYTE) = *data++;
  return (int)bytes;
}

static int from_peer(void *context, unsigned char *data, size_t bytes) {
  (void)context;
  const uint32_t there = *at(WAITING);
  if (there == 0) return PEER_ENDED;
  if (bytes > there) bytes = there;
  unsigned char *const end = data + bytes;
  for (size_t n = before_words(data, bytes); n != 0; n--) *data++ = (unsigned char)*at(BYTE);
  for (; (size_t)(end - data) >= sizeof(word_t); data += sizeof(word_t)) {
    *(word_t *)(void *)data = *at(WORD);
  }
  while (data != end) *data++ = (unsigned char)*at(BYTE);
  return (int)bytes;
}

static void say(const char *text) {
  while (*text != '\0') hal_putc(*text++);
}

// One line that the tool shows.
static int complain(const char *what, int status) {
  static const char digits[] = "0123456789abcdef";
  const unsigned code = status < 0 ? (unsigned)-status : (unsigned)status;
  say(what);
  say(status < 0 ? ": -0x" : ": 0x");
  for (int shift = 12; shift >= 0; shift -= 4) hal_putc(digits[(code >> shift) & 15u]);
  hal_putc('\n');
  return 1;
}

#endif
