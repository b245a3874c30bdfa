// SPDX-License-Identifier: Apache-2.0
// CTR, CBC and CBC-MAC with an interrupt in every cycle, and a block under another key in every
// second handler: irq.c with the modes' bulk entries in place of blocks.
#define IRQ_MODES
#include "irq.c"
