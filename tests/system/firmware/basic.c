// SPDX-License-Identifier: Apache-2.0
// What a platform must do for any firmware: one case a run, chosen by the first input word.

#include "hal.h"

enum {
  CASE_HELLO,      // prints, and ends with code 7
  CASE_STREAM,     // copies the rest of the input in pieces of all small sizes
  CASE_LOOP,       // never ends
  CASE_ILLEGAL,    // executes an illegal instruction
  CASE_LOAD,       // loads from, ...
  CASE_STORE,      // ... stores to, ...
  CASE_CALL,       // ... and calls the address in the second word
  CASE_STORE_BYTE, // stores a byte to that address
  CASE_MEMORY,     // checks the whole memory above the program
  CASE_LAST_WORD,  // runs a function that ends in the last word of memory
  CASE_EXIT_CODE,  // ends with the second word
};

extern uint32_t _end[];

static void print(const char *text) {
  while (*text) hal_putc(*text++);
}

static uint32_t copy_stream(void) {
  static uint8_t piece[64] __attribute__((aligned(4)));
  for (size_t size = 1; hal_stream_avail() > 0; size = size % sizeof piece + 1) {
    const uint32_t before = hal_stream_avail();
    const size_t got = hal_stream_read(piece, size);
    if (got != (before < size ? before : size) || hal_stream_avail() != before - got) return 1;
    hal_stream_write(piece, got);
  }
  return hal_stream_read(piece, 4) == 0 ? 0 : 2;
}

// Leaves the stack alone: 4 KiB below the stack pointer of main.
static uint32_t check_memory(void) {
  uint32_t stack;
  __asm__("mv %0, sp" : "=r"(stack));
  volatile uint32_t *const end = (volatile uint32_t *)(stack - 4096);
  volatile uint32_t *const begin = _end;
  for (volatile uint32_t *word = begin; word < end; ++word) *word = (uint32_t)word * 0x9e3779b9u;
  for (volatile uint32_t *word = begin; word < end; ++word) {
    if (*word != (uint32_t)word * 0x9e3779b9u) return 1;
  }
  return stack <= hal_mem_size() && stack > hal_mem_size() - 4096 ? 0 : 2;
}

// The last words belong to the oldest stack frame, so they are put back.
static uint32_t run_last_word(void) {
  volatile uint32_t *const last = (volatile uint32_t *)hal_mem_size() - 2;
  const uint32_t saved[2] = {last[0], last[1]};
  last[0] = 0x00150513;  // addi a0, a0, 1
  last[1] = 0x00008067;  // ret
  const uint32_t answer = ((uint32_t(*)(uint32_t))last)(41);
  last[0] = saved[0];
  last[1] = saved[1];
  return answer == 42 ? 0 : 1;
}

int main(void) {
  uint32_t what = 0, address = 0;
  hal_stream_read(&what, sizeof what);
  if (what != CASE_STREAM) hal_stream_read(&address, sizeof address);
  switch (what) {
    case CASE_HELLO: print("hello\nworld\n"); hal_exit(7);
    case CASE_STREAM: hal_exit(copy_stream());
    case CASE_LOOP:
      print("forever\n");
      for (;;) {
      }
    case CASE_ILLEGAL: __asm__ volatile(".word 0xffffffff"); break;
    case CASE_LOAD: (void)*(volatile uint32_t *)address; break;
    case CASE_STORE: *(volatile uint32_t *)address = 1; break;
    case CASE_CALL: ((void (*)(void))address)(); break;
    case CASE_STORE_BYTE: *(volatile uint8_t *)address = 1; break;
    case CASE_MEMORY: hal_exit(check_memory());
    case CASE_LAST_WORD: hal_exit(run_last_word());
    case CASE_EXIT_CODE: hal_exit(address);
    default: break;
  }
  // A store may be under way when the next instructions run.
  for (volatile unsigned i = 0; i < 1000; ++i) {
  }
  hal_exit(99);
}
