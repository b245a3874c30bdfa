// SPDX-License-Identifier: Apache-2.0
// Toggles of a mapped netlist on simulated traces, 512 at a time, one in each bit of a vector.
//
// Time is in steps. Each input pin of a cell sees its driver's waveform later, by a delay of its
// own: uniform from 1 to STEPS, drawn from the seed. Nothing swallows a short pulse. The ports and
// registers change at step 0 of a cycle, and a cycle lasts until nothing changes any more.
//
// A trace has CYCLES cycles. In the first one the ports get the secret: one value in all traces of
// the class `fixed`, another in each of the class `random`. In the other cycles they get random
// secrets, or nothing: shares that are all 0.
//
// Arguments: traces (rounded up to 512), seed, STEPS, masks: 0 fresh, 1 constant, 2 off (random
// ports are 0, and the last share alone is the secret), others: 0 nothing, 1 random secrets.
// Output, a line each, numbers decimal:
//
//   fixed N, random N         traces of a class
//   steps N                   of the longest cycle
//   secret BITS               the fixed one, the lowest bit first
//   cell CYCLE CELL S Q S Q   sum and sum of squares of its toggles, of fixed and random traces;
//                             numbers count registers first, then cells
//   pulse CYCLE CELL S S      toggles of a cell in one step, a line for each step, in order
//   step CYCLE STEP S Q S Q   the sums of the toggles of all registers and cells in a step
//   cycle CYCLE 0 S Q S Q     and in a cycle
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __AVX512VPOPCNTDQ__
#include <immintrin.h>
#endif

#define WORDS 8
#define LANES (64 * WORDS)
typedef uint64_t vec __attribute__((vector_size(8 * WORDS)));
typedef void function(const vec *const *in, vec *restrict out, int length);
#define MOST_PINS 6
#include "circuit.h"

#define FIRST_INPUT 2  // nets 0 and 1 are the constants
#define FIRST_REGISTER (FIRST_INPUT + INPUTS)
#define FIRST_CELL (FIRST_REGISTER + REGISTERS)
#define NETS (FIRST_CELL + CELLS)
#define WIRES (REGISTERS + CELLS)

enum masks { FRESH, CONSTANT, OFF };

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(2);
}

static void *room(size_t bytes) {
  void *found = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
  if (found == NULL) fail("no memory");
  memset(found, 0, (bytes + 63) / 64 * 64 + 64);
  return found;
}

static vec all_of(int bit) { return (vec){0} - (uint64_t)bit; }

static vec ones(vec v) {
#ifdef __AVX512VPOPCNTDQ__
  return (vec)_mm512_popcnt_epi64((__m512i)v);
#else
  vec found;
  for (int i = 0; i < WORDS; i++) found[i] = (uint64_t)__builtin_popcountll(v[i]);
  return found;
#endif
}

static uint64_t total(vec v) {
  uint64_t sum = 0;
  for (int i = 0; i < WORDS; i++) sum += v[i];
  return sum;
}

// Random bits -------------------------------------------------------------------------------------
//
// xoshiro256** 1.0 and splitmix64 as their authors define them (D. Blackman, S. Vigna, "Scrambled
// Linear Pseudorandom Number Generators", ACM TOMS 47(4), 2021). Each word of a vector has its own
// generator, 2^128 numbers after the one before it.

static uint64_t splitmix(uint64_t *x) {
  uint64_t z = (*x += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static vec rotated(vec v, int by) { return v << by | v >> (64 - by); }

static vec step(vec s[4]) {
  const vec result = rotated(s[1] * 5, 7) * 9;
  const vec t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotated(s[3], 45);
  return result;
}

static vec state[4];

static vec draw(void) { return step(state); }

static void jump(vec s[4]) {
  static const uint64_t polynomial[] = {0x180ec6d33cfd0abau, 0xd5a61266f0c9392cu,
                                        0xa9582618e03fc9aau, 0x39abdc4529b1661cu};
  vec found[4] = {{0}};
  for (int i = 0; i < 4; i++)
    for (int bit = 0; bit < 64; bit++) {
      if (polynomial[i] >> bit & 1u)
        for (int j = 0; j < 4; j++) found[j] ^= s[j];
      step(s);
    }
  memcpy(s, found, sizeof found);
}

static void seed_with(const uint64_t first[4]) {
  vec s[4];
  for (int j = 0; j < 4; j++) s[j] = (vec){0} + first[j];
  for (int i = 0; i < WORDS; i++) {
    for (int j = 0; j < 4; j++) state[j][i] = s[j][0];
    jump(s);
  }
}

// Uniform below n.
static unsigned below(unsigned n) {
  const uint64_t limit = UINT64_MAX - UINT64_MAX % n;
  uint64_t found;
  do found = draw()[0];
  while (found >= limit);
  return (unsigned)(found % n);
}

// The circuit in time ----------------------------------------------------------------------------

static int delay[CELLS + 1][MOST_PINS];
// A net changes at steps low..high. Its waveform holds steps begin..end, for those who look later.
static int low[NETS], high[NETS], begin[NETS], end[NETS];
static vec *wave[NETS];
static vec now[NETS], before[NETS];  // last values of the present cycle, and of the one before
static int steps;                    // of the longest cycle

static void place(unsigned most) {
  for (int c = 0; c < CELLS; c++) {
    const int net = FIRST_CELL + c;
    low[net] = 1 << 30;
    for (int i = 0; i < pins[c]; i++) {
      const int from = pin[c][i];
      delay[c][i] = 1 + (int)below(most);
      if (low[from] + delay[c][i] < low[net]) low[net] = low[from] + delay[c][i];
      if (high[from] + delay[c][i] > high[net]) high[net] = high[from] + delay[c][i];
    }
    if (high[net] + 1 > steps) steps = high[net] + 1;
  }
  if (steps == 0) steps = 1;
  for (int net = 0; net < NETS; net++) begin[net] = low[net], end[net] = high[net];
  for (int c = 0; c < CELLS; c++)
    for (int i = 0; i < pins[c]; i++) {
      const int from = pin[c][i], net = FIRST_CELL + c;
      if (low[net] - delay[c][i] < begin[from]) begin[from] = low[net] - delay[c][i];
      if (high[net] - delay[c][i] > end[from]) end[from] = high[net] - delay[c][i];
    }
  for (int net = 0; net < NETS; net++)
    wave[net] = room((size_t)(end[net] - begin[net] + 1) * sizeof(vec));
}

// Sums over traces -------------------------------------------------------------------------------

struct tally {
  vec sum[2], square[2];  // of all traces, and of the class `fixed`
};

static int width_of(int most) {
  int width = 0;
  while (most >> width) width++;
  return width;
}

// Add numbers, bit i of each in planes[i].
static void add(struct tally *to, const vec *planes, int width, vec fixed) {
  for (int i = 0; i < width; i++)
    for (int j = i; j < width; j++) {
      const vec both = planes[i] & planes[j];
      const vec every = ones(both), part = ones(both & fixed);
      if (i == j) {
        to->sum[0] += every << i;
        to->sum[1] += part << i;
      }
      to->square[0] += every << (i + j + (i != j));
      to->square[1] += part << (i + j + (i != j));
    }
}

#define MOST_WIDTH 24
static int sum_width;  // bits of the toggles in a step

static struct tally *of_wire[CYCLES], *of_step[CYCLES], of_cycle[CYCLES];
// Of each step from low: toggles in all traces, and from bit 32 on in those of the class `fixed`.
static vec *pulses[CYCLES][WIRES];
static vec *sums;  // of each step, sum_width planes

// Toggles of a few wires by step, before they go to the sums.
#define GROUP 7
static vec *waiting[GROUP];
static int group, group_low, group_high;

static void full(vec *a, vec b, vec c, vec *carry) {
  const vec x = *a ^ b;
  *carry = (*a & b) | (x & c);
  *a = x ^ c;
}

static void flush(void) {
  for (int t = group_low; t <= group_high; t++) {
    vec a = waiting[0][t], b = waiting[3][t], c0, c1, c2;
    full(&a, waiting[1][t], waiting[2][t], &c0);
    full(&b, waiting[4][t], waiting[5][t], &c1);
    full(&a, b, waiting[6][t], &c2);
    vec high_bit;
    full(&c0, c1, c2, &high_bit);
    const vec more[3] = {a, c0, high_bit};
    vec carry = all_of(0), *to = sums + (size_t)t * (size_t)sum_width;
    for (int i = 0; i < sum_width; i++) full(&to[i], i < 3 ? more[i] : all_of(0), carry, &carry);
    for (int i = 0; i < GROUP; i++) waiting[i][t] = all_of(0);
  }
  group = 0, group_low = 1 << 30, group_high = -1;
}

// The toggles of a wire in a cycle, whose waveform after `old` is at its steps low..high.
static void count(int wire, int net, vec old, vec fixed, int cycle) {
  const vec *at = wave[net] + (low[net] - begin[net]);
  const int length = high[net] - low[net] + 1, width = width_of(length);
  vec planes[MOST_WIDTH] = {{0}};
  vec *to = waiting[group] + low[net], *pulse = pulses[cycle][wire];
  for (int t = 0; t < length; t++) {
    vec carry = at[t] ^ old;
    old = at[t];
    to[t] = carry;
    pulse[t] += ones(carry) | ones(carry & fixed) << 32;
    for (int i = 0; i < width; i++) {
      const vec both = planes[i] & carry;
      planes[i] ^= carry;
      carry = both;
    }
  }
  add(&of_wire[cycle][wire], planes, width, fixed);
  if (low[net] < group_low) group_low = low[net];
  if (high[net] > group_high) group_high = high[net];
  if (++group == GROUP) flush();
}

// A cycle ----------------------------------------------------------------------------------------

static enum masks masks;
static int others;  // whether other cycles carry secrets
static vec constant[INPUTS + 1];
static vec secret[SECRETS + 1];  // of the class `fixed`

static void drive(int cycle, vec fixed) {
  for (int i = 0; i < RANDOMS; i++)
    now[random_net[i]] = masks == FRESH ? draw() : masks == CONSTANT ? constant[i] : all_of(0);
  for (int i = 0; i < PUBLICS; i++) now[public_net[i]] = draw();
  for (int i = 0; i < SECRETS; i++) {
    vec value = draw();
    if (cycle == 0) value = (value & ~fixed) | (secret[i] & fixed);
    const int *share = share_net[i];
    for (; share[1] >= 0; share++) {
      now[*share] = masks == OFF ? all_of(0) : draw();
      value ^= now[*share];
    }
    now[*share] = value;
    if (cycle != 0 && !others)
      for (share = share_net[i]; *share >= 0; share++) now[*share] = all_of(0);
  }
}

static void evaluate(int cycle, vec fixed, int counted) {
  memcpy(before, now, sizeof now);
  for (int i = 0; i < REGISTERS; i++) now[FIRST_REGISTER + i] = before[taken[i]];
  drive(cycle, fixed);
  for (int net = FIRST_INPUT; net < FIRST_CELL; net++) {
    for (int t = begin[net]; t <= end[net]; t++)
      wave[net][t - begin[net]] = t < 0 ? before[net] : now[net];
    if (counted && net >= FIRST_REGISTER)
      count(net - FIRST_REGISTER, net, before[net], fixed, cycle);
  }
  for (int c = 0; c < CELLS; c++) {
    const int net = FIRST_CELL + c;
    const vec *in[MOST_PINS];
    for (int i = 0; i < pins[c]; i++) {
      const int from = pin[c][i];
      in[i] = wave[from] + (low[net] - delay[c][i] - begin[from]);
    }
    vec *out = wave[net] + (low[net] - begin[net]);
    functions[function_of[c]](in, out, high[net] - low[net] + 1);
    now[net] = out[high[net] - low[net]];
    for (int t = begin[net]; t < low[net]; t++) wave[net][t - begin[net]] = before[net];
    for (int t = high[net] + 1; t <= end[net]; t++) wave[net][t - begin[net]] = now[net];
    if (counted) count(REGISTERS + c, net, before[net], fixed, cycle);
  }
  if (!counted) return;
  flush();
  vec whole[MOST_WIDTH] = {{0}};
  for (int t = 0; t < steps; t++) {
    vec *from = sums + (size_t)t * (size_t)sum_width, carry = all_of(0);
    add(&of_step[cycle][t], from, sum_width, fixed);
    for (int i = 0; i < MOST_WIDTH; i++)
      full(&whole[i], i < sum_width ? from[i] : all_of(0), carry, &carry);
    memset(from, 0, (size_t)sum_width * sizeof(vec));
  }
  add(&of_cycle[cycle], whole, MOST_WIDTH, fixed);
}

static void print(const char *name, int cycle, int at, const struct tally *found) {
  const uint64_t sum = total(found->sum[1]), square = total(found->square[1]);
  printf("%s %d %d %llu %llu %llu %llu\n", name, cycle, at, (unsigned long long)sum,
         (unsigned long long)square, (unsigned long long)(total(found->sum[0]) - sum),
         (unsigned long long)(total(found->square[0]) - square));
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "numbers") == 0) {  // of the state 1, 2, 3, 4: for a test
    seed_with((const uint64_t[4]){1, 2, 3, 4});
    for (int i = 0; i < 10; i++) printf("%llu\n", (unsigned long long)draw()[0]);
    return 0;
  }
  if (argc != 6) fail("usage: toggles TRACES SEED STEPS MASKS OTHERS");
  const uint64_t rounds = (strtoull(argv[1], NULL, 10) + LANES - 1) / LANES;
  uint64_t seed = strtoull(argv[2], NULL, 10), first[4];
  for (int i = 0; i < 4; i++) first[i] = splitmix(&seed);
  seed_with(first);
  if (rounds > UINT32_MAX / 64) fail("too many traces");
  masks = (enum masks)strtoul(argv[4], NULL, 10);
  others = strtoul(argv[5], NULL, 10) != 0;
  place((unsigned)strtoul(argv[3], NULL, 10));
  sum_width = width_of(WIRES);
  if (width_of(steps) + sum_width > MOST_WIDTH) fail("too many wires for the sums");
  sums = room((size_t)steps * (size_t)sum_width * sizeof(vec));
  for (int i = 0; i < GROUP; i++) waiting[i] = room((size_t)steps * sizeof(vec));
  for (int i = 0; i < CYCLES; i++) {
    of_wire[i] = room(WIRES * sizeof(struct tally));
    of_step[i] = room((size_t)steps * sizeof(struct tally));
    for (int j = 0; j < WIRES; j++) {
      const int net = FIRST_REGISTER + j;
      pulses[i][j] = room((size_t)(high[net] - low[net] + 1) * sizeof(vec));
    }
  }
  now[1] = all_of(1);
  flush();
  for (int i = 0; i < RANDOMS; i++) constant[i] = all_of(draw()[0] >> 63);
  for (int i = 0; i < SECRETS; i++) secret[i] = all_of(draw()[0] >> 63);

  uint64_t fixed_traces = 0;
  for (int i = 0; i < CYCLES; i++) evaluate(i, all_of(0), 0);  // fills the pipeline
  for (uint64_t round = 0; round < rounds; round++) {
    const vec fixed = draw();
    fixed_traces += total(ones(fixed));
    for (int i = 0; i < CYCLES; i++) evaluate(i, fixed, 1);
  }
  printf("fixed %llu\nrandom %llu\nsteps %d\nsecret ", (unsigned long long)fixed_traces,
         (unsigned long long)(rounds * LANES - fixed_traces), steps);
  for (int i = 0; i < SECRETS; i++) putchar(secret[i][0] ? '1' : '0');
  putchar('\n');
  for (int i = 0; i < CYCLES; i++) {
    for (int j = 0; j < WIRES; j++) {
      print("cell", i, j, &of_wire[i][j]);
      const int net = FIRST_REGISTER + j;
      for (int t = 0; t <= high[net] - low[net]; t++) {
        const uint64_t sum = total(pulses[i][j][t] >> 32);
        const uint64_t every = total(pulses[i][j][t] & (uint64_t)UINT32_MAX);
        printf("pulse %d %d %llu %llu\n", i, j, (unsigned long long)sum,
               (unsigned long long)(every - sum));
      }
    }
    for (int j = 0; j < steps; j++) print("step", i, j, &of_step[i][j]);
    print("cycle", i, 0, &of_cycle[i]);
  }
  return 0;
}
