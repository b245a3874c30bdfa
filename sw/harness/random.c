// SPDX-License-Identifier: Apache-2.0
// Question "random": run the random programs that the host has placed after this firmware in the
// image (src/aesforge/programs/randprog.py makes them, bench/questions/random.py lays them out).
//
// At RANDOM_BASE, words:
//   magic, number of programs, frame, irq_least, irq_span, irq_seed, then for each program its
//   entry, its scratch memory's address and that memory's words
// Each program is entered with sp = frame and leaves register xN in word N of the frame. Output
// for each program: RANDOM_BEGIN | index, the 32 frame words, the scratch memory. At the end:
// RANDOM_END, the number of interrupts, the number of wrong blocks in the handler.
//
// With irq_span > 0 the timer interrupts every irq_least to irq_least + irq_span - 1 cycles, at
// random; the handler encrypts a block through the kernel and compares it with an earlier one.
// Random numbers: xorshift32, G. Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8(14), 2003.
#include <stddef.h>
#include <stdint.h>

#include "aes_kernel.h"
#include "hal.h"

#ifndef RANDOM_BASE
#define RANDOM_BASE 0x40000u
#endif
#define RANDOM_MAGIC 0x52414e44u
#define RANDOM_BEGIN 0x5eed0000u
#define RANDOM_END 0x0e0d0e0du

#define FRAME_REGISTERS 32u
#define BLOCK_WORDS (AES_BLOCK_BYTES / 4u)
#define EXIT_NO_PROGRAMS 2u
#define EXIT_NO_KEY 3u

typedef struct {
  uint32_t entry;
  uint32_t scratch;
  uint32_t scratch_words;
} program_t;

typedef struct {
  uint32_t magic;
  uint32_t count;
  uint32_t frame;
  uint32_t irq_least;
  uint32_t irq_span;
  uint32_t irq_seed;
  program_t programs[];
} header_t;

// Calls `entry` with sp = `frame`. Frame words 32 and 33 hold the caller's sp and return address;
// both are above the program's sp, so interrupts do not overwrite them.
void random_enter(uint32_t entry, uint32_t frame);
__asm__(
    "  .text\n"
    "  .globl random_enter\n"
    "random_enter:\n"
    "  addi sp, sp, -64\n"
    "  sw   ra, 0(sp)\n"
    "  sw   gp, 4(sp)\n"
    "  sw   tp, 8(sp)\n"
    "  sw   s0, 12(sp)\n"
    "  sw   s1, 16(sp)\n"
    "  sw   s2, 20(sp)\n"
    "  sw   s3, 24(sp)\n"
    "  sw   s4, 28(sp)\n"
    "  sw   s5, 32(sp)\n"
    "  sw   s6, 36(sp)\n"
    "  sw   s7, 40(sp)\n"
    "  sw   s8, 44(sp)\n"
    "  sw   s9, 48(sp)\n"
    "  sw   s10, 52(sp)\n"
    "  sw   s11, 56(sp)\n"
    "  sw   sp, 128(a1)\n"
    "  la   t0, 1f\n"
    "  sw   t0, 132(a1)\n"
    "  mv   sp, a1\n"
    "  jr   a0\n"
    "1:\n"
    "  lw   sp, 128(sp)\n"
    "  lw   ra, 0(sp)\n"
    "  lw   gp, 4(sp)\n"
    "  lw   tp, 8(sp)\n"
    "  lw   s0, 12(sp)\n"
    "  lw   s1, 16(sp)\n"
    "  lw   s2, 20(sp)\n"
    "  lw   s3, 24(sp)\n"
    "  lw   s4, 28(sp)\n"
    "  lw   s5, 32(sp)\n"
    "  lw   s6, 36(sp)\n"
    "  lw   s7, 40(sp)\n"
    "  lw   s8, 44(sp)\n"
    "  lw   s9, 48(sp)\n"
    "  lw   s10, 52(sp)\n"
    "  lw   s11, 56(sp)\n"
    "  addi sp, sp, 64\n"
    "  ret\n");

static aes_key_t schedule;
static uint32_t block[BLOCK_WORDS];
static uint32_t expected[BLOCK_WORDS];
static uint32_t encrypted[BLOCK_WORDS];
static uint32_t random_state;
static volatile uint32_t interrupts;
static volatile uint32_t wrong_blocks;

static const header_t *header(void) {
  return (const header_t *)RANDOM_BASE;
}

static void handler(void);

static void arm(void) {
  const header_t *h = header();
  uint32_t x = random_state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  random_state = x;
  hal_timer_irq(h->irq_least + x % h->irq_span, handler);
}

static void handler(void) {
  uint32_t difference = 0;
  (void)aes_encrypt_blocks(&schedule, (const uint8_t *)block, (uint8_t *)encrypted, 1u);
  for (size_t i = 0; i < BLOCK_WORDS; i++) {
    difference |= encrypted[i] ^ expected[i];
    encrypted[i] = 0u;
  }
  if (difference != 0u) {
    wrong_blocks = wrong_blocks + 1u;
  }
  interrupts = interrupts + 1u;
  arm();
}

static void prepare_interrupts(void) {
  static const uint32_t key[4] = {0x16157e2bu, 0xa6d2ae28u, 0x8815f7abu, 0x3c4fcf09u};
  for (size_t i = 0; i < BLOCK_WORDS; i++) {
    block[i] = key[i] ^ 0x5a5a5a5au;
  }
  if (aes_set_encrypt_key(&schedule, (const uint8_t *)key, 128u) != AES_OK) {
    hal_exit(EXIT_NO_KEY);
  }
  if (aes_encrypt_blocks(&schedule, (const uint8_t *)block, (uint8_t *)expected, 1u) != AES_OK) {
    hal_exit(EXIT_NO_KEY);
  }
  random_state = header()->irq_seed | 1u;
}

int main(void) {
  const header_t *h = header();
  uint32_t *frame = (uint32_t *)h->frame;
  if (h->magic != RANDOM_MAGIC) {
    hal_exit(EXIT_NO_PROGRAMS);
  }
  if (h->irq_span != 0u) {
    prepare_interrupts();
  }
  for (uint32_t i = 0; i < h->count; i++) {
    const program_t *p = &h->programs[i];
    uint32_t mark = RANDOM_BEGIN | i;
    hal_stream_write(&mark, sizeof mark);
    for (uint32_t n = 0; n < FRAME_REGISTERS; n++) {
      frame[n] = 0u;
    }
    if (h->irq_span != 0u) {
      arm();
    }
    random_enter(p->entry, h->frame);
    hal_timer_irq(0u, NULL);
    hal_stream_write(frame, 4u * FRAME_REGISTERS);
    hal_stream_write((const void *)p->scratch, 4u * p->scratch_words);
  }
  uint32_t end[3] = {RANDOM_END, interrupts, wrong_blocks};
  hal_stream_write(end, sizeof end);
  return 0;
}
