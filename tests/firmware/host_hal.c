// SPDX-License-Identifier: Apache-2.0
// The HAL on the host: a harness program reads standard input and writes standard output.
#include <stdio.h>
#include <stdlib.h>

#include "hal.h"

void hal_putc(char c) { (void)fputc(c, stderr); }

_Noreturn void hal_exit(uint32_t code) { exit((int)code); }

uint32_t hal_cycles(void) { return 0; }

uint32_t hal_instret(void) { return 0; }

size_t hal_stream_read(void *buf, size_t n) { return fread(buf, 1, n, stdin); }

void hal_stream_write(const void *buf, size_t n) { (void)fwrite(buf, 1, n, stdout); }
