// SPDX-License-Identifier: Apache-2.0
// What the driver asks of a kernel that fails on purpose (faulty.c).
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>

// The device does `calls` more set-ups or runs of blocks; the next one fails, once, with `status`.
// AES_OK: no failure.
void fuzz_fail_after(uint32_t calls, int status);

// Whether it has failed since the last question.
int fuzz_failed(void);

#endif
