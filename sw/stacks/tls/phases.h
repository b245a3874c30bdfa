// SPDX-License-Identifier: Apache-2.0
// What the tool gives to an endpoint and gets back, and the cycles of each phase of a connection.
// Included once in a program.
#ifndef TLS_PHASES_H
#define TLS_PHASES_H

#include <stdint.h>

#include "hal.h"

#define UNTIL_THE_END 0u  // request.text_bytes: send back whatever comes

enum { NONE, KEYS, AGREE, SIGN, VERIFY, RECORDS, SHA, PHASES };

struct request {
  uint32_t key_bytes, certificate_bytes, text_bytes;
  uint32_t group, suite;  // IANA's numbers; the only ones that are offered, see groups
  uint32_t seed[8];
};

struct report {
  uint32_t handshake, bulk;
  uint32_t in_handshake[PHASES], in_bulk[PHASES];
};

static struct report report;
static uint32_t spent[PHASES];
static unsigned phase;
static uint32_t phase_began;

// Cycles belong to the innermost phase that runs.
static unsigned enter(unsigned next) {
  const uint32_t now = hal_cycles();
  const unsigned before = phase;
  spent[phase] += now - phase_began;
  phase = next;
  phase_began = now;
  return before;
}

#endif
