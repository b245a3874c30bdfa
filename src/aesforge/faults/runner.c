// SPDX-License-Identifier: Apache-2.0
// A fault campaign: a host performs its steps on 512 copies of a circuit at a time, each copy with
// another flip-flop flipped. The host is in axil_host.h or, with HOST_UNIT, in unit_host.h.
//
// Arguments: the file of the steps (a line each: kind and FIELDS numbers of the host, hexadecimal)
// and the number of further cycles that a copy may take. First the operation without a fault: its
// length in cycles. Then, for every cycle of it and every flip-flop, what the flip led to. Output:
// "length N", then "FLIP_FLOP right nothing alert wrong early" (counts over the cycles) a line.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 8
typedef uint64_t vec __attribute__((vector_size(8 * WORDS)));
#include "netlist.h"

enum kind { WRITE, WAIT, READ, CHECK, KINDS };
enum outcome { RIGHT, NOTHING, ALERT, WRONG, EARLY, OUTCOMES };

#define FIELDS 5
struct step {
  enum kind kind;
  uint32_t field[FIELDS];  // the host names them
};

#define MOST_STEPS 16384
static struct step steps[MOST_STEPS];
static unsigned step_count;

// All copies: nets, and where each host is. `at[i]` has the copies that are at step i.
struct machine {
  vec nets[NETS];
  vec taken[2];  // parts of the access that the circuit has taken; the host names them
  vec wrong, alert, early;
  unsigned first, last;  // steps with copies are in first..last
  vec at[MOST_STEPS + 1];
};

static struct machine now, golden;

// What of a machine is in use.
static size_t used(void) {
  return offsetof(struct machine, at) + (step_count + 1) * sizeof(vec);
}

static int any(vec v) {
  uint64_t sum = 0;
  for (int i = 0; i < WORDS; i++) sum |= v[i];
  return sum != 0;
}

static vec all_of(int bit) {
  vec v;
  for (int i = 0; i < WORDS; i++) v[i] = bit ? ~0ull : 0ull;
  return v;
}

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(2);
}

#define WIDTH(port) (sizeof port / sizeof port[0])

// A port takes a value in the copies of `where`.
static void put(vec *nets, const int *port, size_t width, uint32_t value, vec where) {
  for (size_t i = 0; i < width; i++)
    if (value >> i & 1u) nets[port[i]] |= where;
}

static void clear(vec *nets, const int *port, size_t width) {
  for (size_t i = 0; i < width; i++) nets[port[i]] = all_of(0);
}

// Copies in which a port differs from a value in the bits of `mask`.
static vec differs(const vec *nets, const int *port, size_t width, uint32_t value, uint32_t mask) {
  vec v = all_of(0);
  for (size_t i = 0; i < width; i++)
    if (mask >> i & 1u) v |= nets[port[i]] ^ all_of(value >> i & 1u);
  return v;
}

#ifdef HOST_UNIT
#include "unit_host.h"
#else
#include "axil_host.h"
#endif

static void advance(struct machine *m, vec moved) {
  for (unsigned i = m->last + 1; i-- > m->first;) {
    const vec going = m->at[i] & moved;
    if (i == step_count || !any(going)) continue;
    m->at[i] &= ~going;
    m->at[i + 1] |= going;
    if (i == m->last) m->last = i + 1;
  }
  while (m->first < step_count && !any(m->at[m->first])) m->first++;
}

static void clock_edge(vec *n) {
  static vec next[FLIP_FLOPS + 1];
  for (int i = 0; i < FLIP_FLOPS; i++) {
    const vec d = n[d_of[i]];
    if (reset_of[i] < 0)
      next[i] = d;
    else
      next[i] = reset_value_of[i] ? d | ~n[reset_of[i]] : d & n[reset_of[i]];
  }
  memcpy(n + 2, next, FLIP_FLOPS * sizeof *n);
}

static int finished(const struct machine *m) { return m->first == step_count; }

// A cycle; the copies of `moved` are at their next step after it.
static vec cycle(struct machine *m) {
  inputs(m);
  evaluate(m->nets);
  const vec moved = outputs(m);
  clock_edge(m->nets);
  advance(m, moved);
  return moved;
}

static void begin(struct machine *m) {
  memset(m, 0, used());
  m->nets[1] = all_of(1);
  inputs(m);
  for (int i = 0; i < 4; i++) {
    evaluate(m->nets);
    clock_edge(m->nets);
  }
  m->nets[RESET_PORT[0]] = all_of(1);
  m->at[0] = all_of(1);
}

static void load(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) fail("no file of steps");
  unsigned kind;
  while (fscanf(file, "%x", &kind) == 1) {
    if (step_count == MOST_STEPS || kind >= KINDS) fail("too many steps, or an unknown one");
    struct step *s = &steps[step_count++];
    s->kind = (enum kind)kind;
    for (unsigned i = 0; i < FIELDS; i++)
      if (fscanf(file, "%x", &s->field[i]) != 1) fail("a step is not complete");
  }
  fclose(file);
}

static unsigned counts[FLIP_FLOPS + WORDS * 64][OUTCOMES];

// Run to the end what began in `golden` with flip-flops first, first + 1, ... flipped.
static void inject(unsigned first, unsigned cycles_left, unsigned patience) {
  memcpy(&now, &golden, used());
  const unsigned last = first + WORDS * 64 < FLIP_FLOPS ? first + WORDS * 64 : FLIP_FLOPS;
  for (unsigned i = first; i < last; i++)
    now.nets[2 + i][(i - first) / 64] ^= 1ull << (i - first) % 64;
  for (unsigned i = 0; i < cycles_left + patience && !finished(&now); i++) {
    cycle(&now);
    if (i + 1 < cycles_left) now.early = now.at[step_count];
  }
  for (unsigned i = first; i < last; i++) {
    const unsigned word = (i - first) / 64, bit = (i - first) % 64;
    const int ended = now.at[step_count][word] >> bit & 1u;
    const int wrong = now.wrong[word] >> bit & 1u;
    enum outcome what = RIGHT;
    if (now.alert[word] >> bit & 1u)
      what = ALERT;
    else if (!ended)
      what = NOTHING;
    else if (wrong)
      what = now.early[word] >> bit & 1u ? EARLY : WRONG;
    counts[i][what]++;
  }
}

int main(int argc, char **argv) {
  if (argc != 3) fail("usage: runner STEPS PATIENCE");
  load(argv[1]);
  const unsigned patience = (unsigned)strtoul(argv[2], NULL, 10);
  unsigned length = 0;
  for (begin(&golden); !finished(&golden); length++) {
    if (length > 1000000u) fail("the operation does not end");
    cycle(&golden);
  }
  if (any(golden.wrong) || any(golden.alert)) fail("the operation fails without a fault");
  printf("length %u\n", length);
  begin(&golden);
  for (unsigned t = 0; t < length; t++) {
    for (unsigned first = 0; first < FLIP_FLOPS; first += WORDS * 64)
      inject(first, length - t, patience);
    cycle(&golden);
    fprintf(stderr, "%u\n", t + 1);
  }
  for (unsigned i = 0; i < FLIP_FLOPS; i++) {
    printf("%u", i);
    for (int j = 0; j < OUTCOMES; j++) printf(" %u", counts[i][j]);
    putchar('\n');
  }
  return 0;
}
