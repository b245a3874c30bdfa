// SPDX-License-Identifier: Apache-2.0
// For kernels of a device: sleep until its interrupt, and count the cycles (aes_waited).
//
// The kernel defines first SLEEPS, the looks at the flag before a lost interrupt is given up, and
//   void quiet_line(void)    the device's interrupt line is low when it returns
// and gives on_interrupt to hal_timer_irq.
#ifndef AES_SLEEP_H
#define AES_SLEEP_H

#include "aes_kernel.h"
#include "hal.h"

static volatile int finished;
static uint32_t waited;

static void on_interrupt(void) {
  quiet_line();
  finished = 1;
}

static inline void sleep_until_interrupt(void) {
  const uint32_t since = hal_cycles();
  for (uint32_t i = 0; !finished && i < SLEEPS; i++) {
  }
  finished = 0;
  waited += hal_cycles() - since;
}

uint32_t aes_waited(void) { return waited; }

#endif
