// SPDX-License-Identifier: Apache-2.0
// Question "speed": cycles and instructions of every entry of the kernel contract.
//
// Each figure is one call between two reads of the core's own counter, after warm-up calls, with
// the cost of reading the counters measured and subtracted. ECB works in place on a buffer of the
// given length; call, loop, loads and stores are all inside. One JSON object a line:
//   {"direction":"encrypt","key_bits":128,"mode":"ecb","blocks":64,"cycles":N,"instructions":N,
//    "waited":N}
// mode "key-setup" has blocks 0. `waited` cycles of the call were free for other code (aes_waited).
#include "aes_modes.h"
#include "hal.h"
#include "say.h"

#define MAX_BLOCKS 1024u   // 16 KiB, the end of the message-length curve
#define BULK_BLOCKS 120u   // bulk figures of all key sizes and modes: a multiple of 2, 3, 4, 5, 6
                           // and 8, so that no kernel's groups leave a remainder
#define LONG_BLOCKS 256u   // 4 KiB
#define EXIT_FAILED 1u
#define WARM_UPS 2u
#define SHORT_BLOCKS 16u   // up to here the best of several callers counts
#define SLOW_BLOCKS 64u    // 1 KiB, the end of the curve of a kernel slower than
#define SLOW_CYCLES 4000u  // this, a block

enum { MODE_KEY, MODE_ECB, MODE_CBC, MODE_CTR };
static const char *const mode_name[] = {"key-setup", "ecb", "cbc", "ctr"};

typedef struct {
  unsigned mode;
  int decrypt;
  unsigned key_bits;
  size_t blocks;
} question_t;

static const uint32_t key[8] = {0x16157e2bu, 0xa6d2ae28u, 0x8815f7abu, 0x3c4fcf09u,
                                0x10cabe71u, 0xf0ad8b5au, 0x2c6f1d3bu, 0xd7087235u};

// From the start of 4 KiB on: key, bulk data and the stack, which ends where memory does, share no
// lines of a direct-mapped cache of that size.
static struct {
  uint32_t iv[4];
  aes_key_t schedule;
  uint32_t buffer[MAX_BLOCKS * AES_BLOCK_BYTES / 4u];
} memory __attribute__((aligned(4096)));

static int set_up(const question_t *q) {
  const uint8_t *bytes = (const uint8_t *)key;
  aes_key_t *k = &memory.schedule;
  return q->decrypt && q->mode != MODE_CTR ? aes_set_decrypt_key(k, bytes, q->key_bits)
                                           : aes_set_encrypt_key(k, bytes, q->key_bits);
}

typedef struct {
  uint32_t cycles;
  uint32_t instructions;
  uint32_t waited;
} cost_t;

// The counters of the unprivileged specification are read in place: a function of their own would
// share lines of a small cache with some calls and not with others. A core without them defines
// HAL_OWN_COUNTERS and is asked by the HAL.
#if defined __riscv && !defined HAL_OWN_COUNTERS
static inline __attribute__((always_inline)) uint32_t cycles_now(void) {
  uint32_t value;
  __asm__ volatile("rdcycle %0" : "=r"(value) : : "memory");
  return value;
}

// The same after a call whose status is still in its register, so that the time excludes a move.
// The line number keeps the compiler from merging the ends of several calls by a jump.
static inline __attribute__((always_inline)) uint32_t cycles_after(int *status, int line) {
  register int result __asm__("a0") = *status;
  uint32_t value;
  __asm__ volatile("rdcycle %0  # %2" : "=r"(value), "+r"(result) : "i"(line) : "memory");
  *status = result;
  return value;
}

static inline __attribute__((always_inline)) uint32_t instructions_now(void) {
  uint32_t value;
  __asm__ volatile("rdinstret %0" : "=r"(value) : : "memory");
  return value;
}
#else
#define cycles_now hal_cycles
#define cycles_after(status, line) ((void)(status), (void)(line), hal_cycles())
#define instructions_now hal_instret
#endif

// The status of a call, in the register that returns it, so that the time excludes a move.
#if defined __riscv && defined __riscv_zicsr || defined __riscv
#define RESULT(name) register int name __asm__("a0")
#define KEEP(name) __asm__ volatile("" : "+r"(name))
#else
#define RESULT(name) int name
#define KEEP(name) (void)name
#endif

// Counters are read around one call; the cycle counter is the inner one.
#define TIMED(cost, status, call)                               \
  do {                                                          \
    uint32_t instructions_ = instructions_now();                \
    uint32_t cycles_ = cycles_now();                            \
    int result_ = (call);                                       \
    (cost).cycles = cycles_after(&result_, __LINE__) - cycles_; \
    (cost).instructions = instructions_now() - instructions_;   \
    (status) = result_;                                         \
  } while (0)

typedef int (*blocks_fn)(const aes_key_t *, const uint8_t *, uint8_t *, size_t);
typedef int (*chain_fn)(const aes_key_t *, uint8_t *, const uint8_t *, uint8_t *, size_t);
typedef int (*key_fn)(aes_key_t *, const uint8_t *, unsigned);

// The pointers hide the callee from the compiler: the measured call is a call.
static inline __attribute__((always_inline)) cost_t measured(const question_t *q) {
  uint32_t waited = aes_waited();
  uint8_t *data = (uint8_t *)memory.buffer;
  uint8_t *chain = (uint8_t *)memory.iv;
  cost_t cost;
  int status;
  if (q->mode == MODE_KEY) {
    key_fn volatile set_up_key = q->decrypt ? aes_set_decrypt_key : aes_set_encrypt_key;
    key_fn entry = set_up_key;
    TIMED(cost, status, entry(&memory.schedule, (const uint8_t *)key, q->key_bits));
  } else if (q->mode == MODE_ECB) {
    blocks_fn volatile blocks = q->decrypt ? aes_decrypt_blocks : aes_encrypt_blocks;
    blocks_fn entry = blocks;
    TIMED(cost, status, entry(&memory.schedule, data, data, q->blocks));
  } else {
    int ctr = q->mode == MODE_CTR;
    chain_fn volatile mode = ctr ? aes_ctr : q->decrypt ? aes_cbc_decrypt : aes_cbc_encrypt;
    chain_fn entry = mode;
    size_t n = ctr ? q->blocks * AES_BLOCK_BYTES : q->blocks;
    TIMED(cost, status, entry(&memory.schedule, chain, data, data, n));
  }
  cost.waited = aes_waited() - waited;
  if (status != AES_OK) {
    hal_exit(EXIT_FAILED);  // a failed call has no valid time
  }
  return cost;
}

// The caller's own code must not decide what a short call costs: these are in the four quarters of
// a 4 KiB cache, and one of them at least shares no lines with the path of the call.
#define MEASURE(n)                                                                              \
  static __attribute__((noinline, aligned(1024))) cost_t measure_##n(const question_t *q) { \
    return measured(q);                                                                     \
  }
MEASURE(0)
MEASURE(1)
MEASURE(2)
MEASURE(3)

static cost_t (*const measures[])(const question_t *) = {measure_0, measure_1, measure_2,
                                                         measure_3};
#define CALLERS (sizeof measures / sizeof measures[0])

static cost_t measure_nothing(void) {
  uint32_t instructions = instructions_now();
  uint32_t cycles = cycles_now();
  cost_t cost;
  cost.cycles = cycles_now() - cycles;
  cost.instructions = instructions_now() - instructions;
  cost.waited = 0;
  return cost;
}

// Print the figures of one call, the best of its callers if it is short; return its cycles.
static uint32_t answer(const question_t *q) {
  cost_t empty = {0, 0, 0}, cost = {UINT32_MAX, 0, 0};
  size_t warm_blocks = q->blocks > BULK_BLOCKS ? BULK_BLOCKS : q->blocks;
  question_t warm = {q->mode, q->decrypt, q->key_bits, warm_blocks};
  for (size_t caller = 0; caller < (q->blocks > SHORT_BLOCKS ? 1u : CALLERS); caller++) {
    cost_t found;
    for (unsigned i = 0; i < WARM_UPS; i++) {
      empty = measure_nothing();
      (void)measures[caller](&warm);
    }
    found = measures[caller](q);
    if (found.cycles < cost.cycles) {
      cost = found;
    }
  }
  say("{\"direction\":\"");
  say(q->decrypt ? "decrypt" : "encrypt");
  say("\",\"key_bits\":");
  say_u32(q->key_bits);
  say(",\"mode\":\"");
  say(mode_name[q->mode]);
  say("\",\"blocks\":");
  say_u32((uint32_t)q->blocks);
  say(",\"cycles\":");
  say_u32(cost.cycles - empty.cycles);
  say(",\"instructions\":");
  say_u32(cost.instructions - empty.instructions);
  say(",\"waited\":");
  say_u32(cost.waited);
  say("}\n");
  return cost.cycles;
}

static void all_modes(int decrypt, unsigned key_bits) {
  question_t q = {MODE_KEY, decrypt, key_bits, 0};
  if (set_up(&q) != AES_OK) {
    return;  // the variant lacks this direction
  }
  (void)answer(&q);
  q.mode = MODE_ECB;
  for (q.blocks = 1; q.blocks <= (key_bits == 128u ? MAX_BLOCKS : 1u); q.blocks *= 2u) {
    uint32_t cycles = answer(&q);
    if (q.blocks == SLOW_BLOCKS && cycles > SLOW_CYCLES * SLOW_BLOCKS) {
      break;
    }
  }
  q.blocks = BULK_BLOCKS;
  (void)answer(&q);
  for (q.mode = MODE_CBC; q.mode <= (decrypt ? MODE_CBC : MODE_CTR); q.mode++) {
    for (q.blocks = 1; q.blocks <= BULK_BLOCKS; q.blocks *= BULK_BLOCKS) {
      (void)set_up(&q);
      (void)answer(&q);
    }
  }
}

// The modes at 4 KiB, AES-128, unless the kernel is slow. Cold: the rest of the program keeps its
// place in a small cache.
static __attribute__((noinline, cold)) int long_messages(void) {
  for (int decrypt = 0; decrypt < 2; decrypt++) {
    question_t q = {MODE_ECB, decrypt, 128, 1};
    if (set_up(&q) != AES_OK || measures[0](&q).cycles > SLOW_CYCLES) continue;
    q.blocks = LONG_BLOCKS;
    for (q.mode = MODE_CBC; q.mode <= (decrypt ? MODE_CBC : MODE_CTR); q.mode++) {
      (void)set_up(&q);
      (void)answer(&q);
    }
  }
  return 0;
}

int main(void) {
  for (unsigned key_bits = 128; key_bits <= 256u; key_bits += 64u) {
    all_modes(0, key_bits);
    all_modes(1, key_bits);
  }
  return long_messages();
}
