// SPDX-License-Identifier: Apache-2.0
// The platform's interface for firmware, implemented by platforms/<core>/ over sw/hal/.
// Registers: docs/architecture.md, section 4.
#ifndef HAL_H
#define HAL_H

#include <stddef.h>
#include <stdint.h>

void hal_putc(char c);                          // one character to the simulator's standard output
_Noreturn void hal_exit(uint32_t code);         // end the run; code 0..99 is the exit status
uint32_t hal_cycles(void);                      // core clock cycles, modulo 2^32
uint32_t hal_instret(void);                     // instructions retired, modulo 2^32
uint32_t hal_mem_size(void);                    // bytes of RAM

// 1 if the core has a data cache (write-through), else 0; and invalidate all of its lines.
int hal_has_dcache(void);
void hal_dcache_invalidate(void);

// The stream device: input and output bytes of the simulation. Buffers are 4-byte aligned.
uint32_t hal_stream_avail(void);                // bytes left in the input
size_t hal_stream_read(void *buf, size_t n);    // up to n bytes; returns how many there were
void hal_stream_write(const void *buf, size_t n);

// One-shot timer interrupt: the handler (may be NULL) runs once, `cycles` clock cycles from now
// (0 disarms). The line is low again before the handler runs.
typedef void (*hal_irq_handler_t)(void);
void hal_timer_irq(uint32_t cycles, hal_irq_handler_t handler);

#endif
