// SPDX-License-Identifier: Apache-2.0
// A product of two numbers of eight words, column by column in the accumulator, interrupted at
// every cycle by a handler that multiplies too. Exit 0 if every product is right, 1 if not, 2 if no
// interrupt came inside a product. Without SAVED the handler keeps the accumulator to itself.
#include "accel_ops.h"
#include "aes_kernel.h"
#include "hal.h"

#define WORDS 8u
#define LOST_AFTER 20000u  // cycles without the interrupt before it counts as lost

static uint32_t a[WORDS], b[WORDS], product[2u * WORDS], expected[2u * WORDS];
static volatile uint32_t calls, handler_bad;

// What the handler computes: a signed product, which fills the accumulator to its last bit.
static void multiply(void) {
  const uint32_t low = um_muls(0x80000000u, 0x7fffffffu);
  const uint32_t first = um_shacr(0, 0), second = um_shacr(0, 0), third = um_shacr(0, 0);
  if (low != 0x80000000u || first != low || second != 0xc0000000u || third != 0xffffffffu) {
    handler_bad = 1;
  }
}

static void handler(void) {
#ifdef SAVED
  aes_unit_state_t state;
  aes_unit_save(&state);
#endif
  multiply();
#ifdef SAVED
  aes_unit_restore(&state);
#endif
  calls = 1;
}

// Product scanning: the sum of a column has up to 67 bits.
static void scan(uint32_t *out) {
  (void)um_mulu(0, 0);
  for (unsigned column = 0; column < 2u * WORDS - 1u; column++) {
    const unsigned from = column < WORDS ? 0u : column - WORDS + 1u;
    const unsigned to = column < WORDS ? column : WORDS - 1u;
    for (unsigned i = from; i <= to; i++) (void)um_macu(a[i], b[column - i]);
    out[column] = um_shacr(0, 0);
  }
  out[2u * WORDS - 1u] = um_shacr(0, 0);
}

// The same with the core's own multiplier, word by word.
static void reference(uint32_t *out) {
  for (unsigned i = 0; i < 2u * WORDS; i++) out[i] = 0;
  for (unsigned i = 0; i < WORDS; i++) {
    uint32_t carry = 0;
    for (unsigned j = 0; j < WORDS; j++) {
      const uint64_t sum = (uint64_t)a[i] * b[j] + out[i + j] + carry;
      out[i + j] = (uint32_t)sum;
      carry = (uint32_t)(sum >> 32);
    }
    out[i + WORDS] = carry;
  }
}

static int right(const uint32_t *out) {
  int same = 1;
  for (unsigned i = 0; i < 2u * WORDS; i++) same &= out[i] == expected[i];
  return same;
}

int main(void) {
  unsigned bad = 0, inside = 0;
  uint32_t length = 0;

  for (unsigned i = 0; i < WORDS; i++) {
    a[i] = 0xfffffff0u + i;  // large words: the third word of the accumulator is in use
    b[i] = 0xffffff00u - 7u * i;
  }
  reference(expected);
  for (unsigned i = 0; i < 3u; i++) {  // the last one with warm caches
    const uint32_t start = hal_cycles();
    hal_timer_irq(0x40000000u, handler);
    scan(product);
    length = hal_cycles() - start;
  }
  for (uint32_t offset = 1; offset < length; offset++) {
    calls = 0;
    hal_timer_irq(offset, handler);
    scan(product);
    inside += calls;
    const uint32_t start = hal_cycles();
    while (calls == 0 && hal_cycles() - start < LOST_AFTER) {
    }
    hal_timer_irq(0, NULL);
    bad += !right(product) || calls == 0;
  }
  return bad != 0 || handler_bad != 0 ? 1 : inside == 0 ? 2 : 0;
}
