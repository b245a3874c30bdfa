// SPDX-License-Identifier: Apache-2.0
// Messages of AES-GCM with an interrupt in every cycle, and another message in every second
// handler: irq.c with AES-GCM in place of blocks.
#define IRQ_GCM
#include "irq.c"
