// SPDX-License-Identifier: Apache-2.0
// What the generated functions around a unit's operations call.
#ifndef TRACE_H
#define TRACE_H

#include <stdint.h>

// Note an operation: {immediates, code}, operands, answer. Return the answer that the kernel gets.
uint32_t traced(uint32_t op, uint32_t rs1, uint32_t rs2, uint32_t rs3, uint32_t answer);

#endif
