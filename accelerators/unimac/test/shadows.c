// SPDX-License-Identifier: Apache-2.0
// Does every operation change the accumulator exactly once? Each routine of shadows.S adds a * b a
// known number of times, undisturbed and with an interrupt in every cycle of it whose handler uses
// the unit too. docs/interrupts.md says what cores do with instructions that they have begun.
//
// Console: {"checks":N,"inside":I,"bad":B}, before it the first bad ones; exit 0 if none is bad.
// `inside` counts interrupts that came before the routine had returned.
#include "accel_ops.h"
#include "aes_kernel.h"
#include "hal.h"
#include "say.h"

#define ROUNDS 24u
#define MARGIN 24u        // offsets after the measured length
#define LOST_AFTER 20000u  // cycles without the interrupt
#define BAD_PRINTED 5u

typedef void routine_t(uint32_t a, uint32_t b, uint32_t *mem, uint32_t bits);

routine_t shadow_taken, shadow_untaken, shadow_loop, shadow_data, shadow_loaded, shadow_jumps,
    shadow_loads, shadow_divisions, shadow_answers;

#define ONES 0u  // as many as `bits` has ones

static const struct {
  routine_t *run;
  uint32_t times;
} routines[] = {
    {shadow_taken, 3},     {shadow_untaken, 4}, {shadow_loop, 10}, {shadow_data, ONES},
    {shadow_loaded, 2},    {shadow_jumps, 3},   {shadow_loads, 6}, {shadow_divisions, 5},
    {shadow_answers, 2},
};
#define ROUTINES (sizeof routines / sizeof *routines)

static uint32_t checks, inside, bad;
static volatile uint32_t fired;

static void handler(void) {
  aes_unit_state_t interrupted;
  aes_unit_save(&interrupted);
  (void)um_muls(0x89abcdefu, fired);
  (void)um_macu(0xfedcba98u, 0xffffffffu);
  aes_unit_restore(&interrupted);
  fired = fired + 1u;
}

// Marsaglia's xorshift, 13, 17, 5 ("Xorshift RNGs", 2003).
static uint32_t noise(void) {
  static uint32_t x = 2463534242u;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

static uint32_t ones(uint32_t bits) {
  uint32_t n = 0;
  for (; bits != 0u; bits &= bits - 1u) n++;
  return n;
}

static void check(size_t which, uint32_t offset) {
  const uint32_t a = noise() | 1u, b = noise(), bits = noise();
  const uint32_t start[3] = {noise(), noise(), noise() & 0x7fu};
  uint32_t mem[4] = {0u, 1u, a, 0u};
  const uint32_t times = routines[which].times == ONES ? ones(bits) : routines[which].times;

  uint64_t low = (uint64_t)start[1] << 32 | start[0];
  uint32_t high = start[2];
  for (uint32_t i = 0; i < times; i++) {
    low += (uint64_t)a * b;
    high += low < (uint64_t)a * b;
  }

  for (unsigned i = 3; i-- != 0u;) (void)um_shin(start[i], 0u);
  const uint32_t before = fired;
  if (offset != 0u) hal_timer_irq(offset, handler);
  routines[which].run(a, b, mem, bits);
  inside += fired - before;
  const uint32_t now = hal_cycles();
  while (offset != 0u && fired == before && hal_cycles() - now < LOST_AFTER) {
  }
  uint32_t wrong = fired - before != (offset != 0u);
  wrong |= um_shacr(0u, 0u) ^ (uint32_t)low;
  wrong |= um_shacr(0u, 0u) ^ (uint32_t)(low >> 32);
  // Eight bits, the highest one the sign.
  wrong |= um_shacr(0u, 0u) ^ ((high & 0x80u) != 0u ? (high & 0xffu) | 0xffffff00u : high & 0xffu);
  checks++;
  if (wrong != 0u && bad++ < BAD_PRINTED) {
    say("{\"routine\":");
    say_u32(which);
    say(",\"offset\":");
    say_u32(offset);
    say("}\n");
  }
}

int main(void) {
  for (uint32_t round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < ROUTINES; i++) check(i, 0u);
  }
  for (size_t i = 0; i < ROUTINES; i++) {
    const uint32_t start = hal_cycles();
    check(i, 0u);
    const uint32_t length = hal_cycles() - start;
    for (uint32_t offset = 1u; offset < length + MARGIN; offset += SHADOWS_STEP) check(i, offset);
  }
  say("{\"checks\":");
  say_u32(checks);
  say(",\"inside\":");
  say_u32(inside);
  say(",\"bad\":");
  say_u32(bad);
  say("}\n");
  hal_exit(bad != 0u);
}
