// SPDX-License-Identifier: Apache-2.0
// The HAL functions of the test bench's device, which is the same on every platform.

#include "device.h"

#include "hal.h"

// May alias: buffers are of any type.
typedef uint32_t __attribute__((may_alias)) word_t;

static hal_irq_handler_t timer_handler;

static volatile uint32_t *reg(uint32_t offset) {
  return (volatile uint32_t *)(DEVICE_BASE + offset);
}

void hal_putc(char c) { *reg(DEVICE_PUTC) = (uint8_t)c; }

_Noreturn void hal_exit(uint32_t code) {
  *reg(DEVICE_EXIT) = code;
  for (;;) {
  }
}

uint32_t hal_mem_size(void) { return *reg(DEVICE_MEM_SIZE); }

uint32_t hal_stream_avail(void) { return *reg(DEVICE_AVAIL); }

size_t hal_stream_read(void *buf, size_t n) {
  const uint32_t avail = hal_stream_avail();
  if (n > avail) n = avail;
  word_t *words = buf;
  size_t i;
  for (i = 0; i + 4 <= n; i += 4) *words++ = *reg(DEVICE_READ);
  uint8_t *bytes = (uint8_t *)words;
  for (; i < n; ++i) *bytes++ = (uint8_t)*reg(DEVICE_READ_BYTE);
  return n;
}

void hal_stream_write(const void *buf, size_t n) {
  const word_t *words = buf;
  size_t i;
  for (i = 0; i + 4 <= n; i += 4) *reg(DEVICE_WRITE_WORD) = *words++;
  const uint8_t *bytes = (const uint8_t *)words;
  for (; i < n; ++i) *reg(DEVICE_WRITE_BYTE) = *bytes++;
}

// The start-up code leaves the interrupt enabled: the line rises only after the timer was armed. A
// handler may arm the timer again; the interrupt waits until the handler returns.
void hal_timer_irq(uint32_t cycles, hal_irq_handler_t handler) {
  *reg(DEVICE_TIMER) = 0;
  timer_handler = handler;
  *reg(DEVICE_TIMER) = cycles;
}

// Called by the interrupt entry in crt.S, which has saved the registers that C may change.
void hal_irq_dispatch(void);
void hal_irq_dispatch(void) {
  *reg(DEVICE_TIMER) = 0;
  (void)*reg(DEVICE_LINE);  // the write has arrived when the read returns: the line is low
  const hal_irq_handler_t handler = timer_handler;
  if (handler) handler();
}
