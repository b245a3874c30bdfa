// SPDX-License-Identifier: Apache-2.0
// The kernel with a view of its device.
#include "kernel.c"

#include "dma_calls.h"

const aes_dma_device_t *kernel_device(void)
{
  return &device;
}

// As before the first set-up.
void kernel_unopened(void)
{
  opened = 0;
}
