// SPDX-License-Identifier: Apache-2.0
// A fault campaign: a host performs its steps on 512 copies of a circuit at a time, each copy with
// another flip-flop flipped. The host is in axil_host.h or, with HOST_UNIT, in unit_host.h.
//
// Arguments: the file of the steps (a line each: kind and FIELDS numbers of the host, hexadecimal)
// and the number of further cycles that a copy may take. First the operation without a fault: its
// length in cycles. Then, for every cycle of it and every flip-flop, what the flip led to. Output:
// "length N", then "FLIP_FLOP right nothing alert wrong early" (counts over the cycles) a line.
//
// Cycles are tried from the last to the first. Most flips are gone after a cycle, or are then the
// flip of one flip-flop, the same or the next one, in a circuit and a host that are otherwise as
// without a fault: what that led to is known already. Only the others run on, until they are so too
// or their end is clear. With TO_THE_END all run on: the same outcomes, in many times the time.
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

static struct machine now;

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

static void cycle(struct machine *m) {
  inputs(m);
  evaluate(m->nets);
  const vec moved = outputs(m);
  clock_edge(m->nets);
  advance(m, moved);
}

static void begin(struct machine *m) {
  memset(m, 0, sizeof *m);
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

// --- without a fault ---

// The state at the beginning of each cycle: flip-flops, nets that are held, where the host is.
#define BITS (FLIP_FLOPS + HELD)
struct moment {
  unsigned step;
  uint8_t taken[2];
  uint8_t bits[BITS];
};
static struct moment *golden;
static unsigned length;

static int net_of(unsigned bit) {
  return bit < FLIP_FLOPS ? (int)(2 + bit) : held_of[bit - FLIP_FLOPS];
}

static void keep(struct moment *at, const struct machine *m) {
  at->step = m->first;
  for (unsigned i = 0; i < 2; i++) at->taken[i] = m->taken[i][0] & 1u;
  for (unsigned i = 0; i < BITS; i++) at->bits[i] = m->nets[net_of(i)][0] & 1u;
}

// All copies as they were without a fault at the beginning of a cycle.
static void restore(struct machine *m, const struct moment *at) {
  for (unsigned i = 0; i < BITS; i++) m->nets[net_of(i)] = all_of(at->bits[i]);
  for (unsigned i = 0; i < 2; i++) m->taken[i] = all_of(at->taken[i]);
  m->wrong = m->alert = m->early = all_of(0);
  for (unsigned i = m->first; i <= m->last; i++) m->at[i] = all_of(0);
  m->first = m->last = at->step;
  m->at[at->step] = all_of(1);
}

static void record(void) {
  unsigned room = 1024;
  golden = malloc(room * sizeof *golden);
  for (begin(&now); golden && !finished(&now); length++) {
    if (length > 1000000u) fail("the operation does not end");
    if (length == room) golden = realloc(golden, (room *= 2) * sizeof *golden);
    if (golden) keep(&golden[length], &now);
    cycle(&now);
  }
  if (golden == NULL) fail("no memory for an operation of this length");
  if (any(now.wrong) || any(now.alert)) fail("the operation fails without a fault");
}

// --- with faults ---

#ifdef TO_THE_END
enum { LOOKS = 0 };
#else
enum { LOOKS = 1 };
#endif

static uint8_t *led_to;  // outcomes, of each cycle those of all flip-flops

static unsigned at_most(unsigned count) { return count < WORDS * 64 ? count : WORDS * 64; }

static int in(vec v, unsigned copy) { return v[copy / 64] >> copy % 64 & 1u; }

// Take the first copy of a set out of it. Return its number, or all there are if there is none.
static unsigned take(vec *v) {
  for (unsigned word = 0; word < WORDS; word++) {
    const uint64_t bits = (*v)[word];
    if (bits == 0) continue;
    (*v)[word] = bits & (bits - 1);
    return 64 * word + (unsigned)__builtin_ctzll(bits);
  }
  return WORDS * 64;
}

// Enter the outcomes of the copies whose end is clear at the beginning of cycle t; return them.
static vec decide(uint8_t *outcome[], vec open, unsigned t) {
  const vec ended = now.at[step_count];
  vec same = open & ~now.alert & ~ended, other = all_of(0), more = all_of(0);
  if (LOOKS && t < length) {
    const struct moment *g = &golden[t];
    same &= now.at[g->step];
    for (unsigned i = 0; i < 2; i++) same &= ~(now.taken[i] ^ all_of(g->taken[i]));
    for (unsigned i = 0; i < BITS; i++) {
      const vec v = now.nets[net_of(i)] ^ all_of(g->bits[i]);
      more |= i < FLIP_FLOPS ? other & v : v;
      other |= v;
    }
    same &= ~more;
  } else {
    same = all_of(0);
  }
  const vec clear_now = open & (now.alert | ended | same);
  vec rest = clear_now;
  for (unsigned copy; (copy = take(&rest)) < WORDS * 64;) {
    if (in(now.alert, copy))
      *outcome[copy] = ALERT;
    else if (in(now.wrong, copy))
      *outcome[copy] = in(now.early, copy) ? EARLY : WRONG;
    else
      *outcome[copy] = RIGHT;
  }
  // One flip-flop differs: its flip in this cycle led to that.
  const vec one = same & other;
  for (unsigned i = 0; any(one) && i < FLIP_FLOPS; i++) {
    const uint8_t what = led_to[(size_t)t * FLIP_FLOPS + i];
    if (what == RIGHT) continue;  // what was wrong before stays so
    vec here = one & (now.nets[2 + i] ^ all_of(golden[t].bits[i]));
    for (unsigned copy; (copy = take(&here)) < WORDS * 64;) *outcome[copy] = what;
  }
  return clear_now;
}

static struct machine before;  // copies as they were at some cycle of theirs

static void remember(void) {
  for (unsigned i = 0; i < BITS; i++) before.nets[net_of(i)] = now.nets[net_of(i)];
  memcpy(before.taken, now.taken, sizeof now.taken);
  memcpy(before.at, now.at, (step_count + 1) * sizeof now.at[0]);
  before.wrong = now.wrong;
}

// Copies in which circuit and host are as they were when `remember` was called: they repeat for
// ever what they did since then, and their driver waits in vain.
static vec repeats(void) {
  vec differ = now.wrong ^ before.wrong;
  for (unsigned i = 0; i < 2; i++) differ |= now.taken[i] ^ before.taken[i];
  for (unsigned i = 0; i <= step_count; i++) differ |= now.at[i] ^ before.at[i];
  for (unsigned i = 0; i < BITS; i++) differ |= now.nets[net_of(i)] ^ before.nets[net_of(i)];
  return ~differ;
}

// Flip flip-flops in cycle t, each in its copy, and run for some cycles at most. Those whose end is
// not clear by then go to `left`; return their number.
static unsigned inject(const unsigned *which, unsigned count, unsigned t, unsigned most,
                       unsigned *left) {
  uint8_t *outcome[WORDS * 64];
  vec open = all_of(0);
  restore(&now, &golden[t]);
  for (unsigned copy = 0; copy < count; copy++) {
    const uint64_t bit = 1ull << copy % 64;
    now.nets[2 + which[copy]][copy / 64] ^= bit;
    open[copy / 64] |= bit;
    outcome[copy] = &led_to[(size_t)t * FLIP_FLOPS + which[copy]];
    *outcome[copy] = NOTHING;
  }
  for (unsigned i = 0; i < most && any(open); i++) {
    cycle(&now);
    if (t + i + 1 < length) now.early = now.at[step_count];
    if (i + 1 == most || (LOOKS && (i < 4 || i % 4 == 0)))
      open &= ~decide(outcome, open, t + i + 1);
    if (LOOKS && i > 16 && i % 4 == 0 && any(open)) open &= ~repeats();
    if (i >= 16 && (i & (i - 1)) == 0) remember();
  }
  unsigned found = 0;
  for (unsigned copy = 0; copy < count; copy++)
    if (in(open, copy)) left[found++] = which[copy];
  return found;
}

int main(int argc, char **argv) {
  if (argc != 3) fail("usage: runner STEPS PATIENCE");
  load(argv[1]);
  const unsigned patience = (unsigned)strtoul(argv[2], NULL, 10);
  record();
  printf("length %u\n", length);
  led_to = calloc(length, FLIP_FLOPS);
  if (led_to == NULL) fail("no memory for the outcomes");
  static unsigned every[FLIP_FLOPS], left[FLIP_FLOPS], none[WORDS * 64];
  for (unsigned i = 0; i < FLIP_FLOPS; i++) every[i] = i;
  for (unsigned t = length; t-- > 0;) {
    unsigned count = 0;
    for (unsigned i = 0; i < FLIP_FLOPS; i += WORDS * 64)
      count += inject(every + i, at_most(FLIP_FLOPS - i), t, 1, left + count);
    for (unsigned i = 0; i < count; i += WORDS * 64)
      inject(left + i, at_most(count - i), t, length - t + patience, none);
    fprintf(stderr, "%u\n", length - t);
  }
  for (unsigned i = 0; i < FLIP_FLOPS; i++) {
    unsigned counts[OUTCOMES] = {0};
    for (unsigned t = 0; t < length; t++) counts[led_to[(size_t)t * FLIP_FLOPS + i]]++;
    printf("%u", i);
    for (int j = 0; j < OUTCOMES; j++) printf(" %u", counts[j]);
    putchar('\n');
  }
  return 0;
}
