// SPDX-License-Identifier: Apache-2.0
// hal_timer_irq: the handler runs once, at any distance, and the interrupted code does not notice.
// Exit code 0, or the number of the register or rule that was broken.

#include "hal.h"

uint32_t interrupted_loop(uint32_t unused, volatile uint32_t *until);

#define DISTANCES 200u

static volatile uint32_t until[2];
static volatile uint32_t calls;
static volatile uint32_t rearm;

// Changes every register that a C function may change, t and a registers, ra and gp aside.
static void scramble(void) {
  __asm__ volatile(
      "li t0, -1\n li t1, -1\n li t2, -1\n li t3, -1\n li t4, -1\n li t5, -1\n li t6, -1\n"
      "li a0, -1\n li a1, -1\n li a2, -1\n li a3, -1\n li a4, -1\n li a5, -1\n"
      "li a6, -1\n li a7, -1"
      :
      :
      : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7");
}

static void handler(void) {
  calls = calls + 1;
  if (rearm > 0) {
    rearm = rearm - 1;
    hal_timer_irq(1, handler);  // must not interrupt this handler
    for (volatile unsigned i = 0; i < 20; ++i) {
    }
  } else {
    until[0] = 1;
  }
  scramble();
}

static void wait(void) {
  for (volatile unsigned i = 0; i < 200; ++i) {
  }
}

int main(void) {
  for (uint32_t distance = 1; distance <= DISTANCES; ++distance) {
    until[0] = 0;
    calls = 0;
    hal_timer_irq(distance, handler);
    const uint32_t broken = interrupted_loop(0, until);
    if (broken) return (int)broken;
    if (calls != 1) return 40;
    if (distance > 100 && until[1] == 0) return 41;
  }
  // Armed again inside the handler: one after the other.
  until[0] = 0;
  calls = 0;
  rearm = 5;
  hal_timer_irq(50, handler);
  const uint32_t broken = interrupted_loop(0, until);
  if (broken) return (int)broken;
  if (calls != 6) return 42;
  // Disarmed: nothing happens.
  calls = 0;
  hal_timer_irq(100, handler);
  hal_timer_irq(0, handler);
  wait();
  if (calls != 0) return 43;
  // Without a handler: the line is lowered and the program goes on.
  hal_timer_irq(20, 0);
  wait();
  return calls == 0 ? 0 : 44;
}
