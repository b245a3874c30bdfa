// SPDX-License-Identifier: Apache-2.0
// A program that the BIOS starts: the examples of FIPS 197 on the unit, with LiteX's own libraries.
#include <generated/csr.h>
#include <irq.h>
#include <libbase/uart.h>
#include <stdio.h>

#include "fips197.h"

int main(void) {
  irq_setmask(0);
  irq_setie(1);
  uart_init();

  // Until software sets this bit, every instruction of the unit is illegal.
  __asm__ volatile("csrs 0xbc0, %0" : : "r"(1u << 31));

  const int step = fips197();
  if (step == 0) {
    printf("FIPS 197: right\n");
  } else {
    printf("FIPS 197: wrong at %d\n", step);
  }
  uart_sync();
#ifdef CSR_SIM_FINISH_BASE
  sim_finish_finish_write(1);
#endif
  for (;;) {
  }
}
