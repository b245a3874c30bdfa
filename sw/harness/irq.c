// SPDX-License-Identifier: Apache-2.0
// Question "irq": is every kernel call right whichever cycle an interrupt arrives in?
//
// For each entry of the kernel: measure the call, then for each offset 1, 1 + IRQ_STEP, ... up
// to the call's length plus IRQ_MARGIN cycles arm the timer, call, and compare with what the
// call gave without interrupts. Calls with several blocks take steps of IRQ_BULK_STEP. In every
// second offset the handler encrypts a block under another key through the same kernel and
// compares that too: custom instructions in the handler between custom instructions of the
// interrupted call.
//
// Console, one JSON object a line, then the sum over all lines:
//   {"question":"irq","what":"encrypt_128_1","offsets":N,"fired":N,"inside":I,"refused":0,"bad":0}
//   {"question":"irq","what":"total","offsets":N,"fired":M,"inside":I,"refused":R,"bad":K}
// `fired` counts handler runs, `inside` those before the call returned (the core may take an
// interrupt at an offset just below the call's length after the return), `bad` the offsets with a
// wrong result, a wrong block in the handler, or an interrupt that was lost or taken twice. Exit
// 0 if every interrupt fired once and nothing was bad, else 1. The first bad offsets are
// printed: {"question":"irq","bad_offset":N,...}.
//
// A unit with state is saved before and restored after (aes_unit_save, aes_unit_restore). Where the
// unit is a device (IRQ_REFUSES), the handler's call may be refused: AES_ERR_BUSY, and zeros.
// `refused` counts these.
//
// IRQ_GCM (irq_gcm.c): messages of AES-GCM instead, in the handler too.
// IRQ_MODES (irq_modes.c): the bulk entries of CTR, CBC and CBC-MAC instead, from a counter whose
// last byte overflows on the way. IRQ_KEY_BITS: key size (128).
#include <stddef.h>
#include <stdint.h>

#ifdef IRQ_GCM
#include "aes_gcm.h"
#endif
#ifdef IRQ_MODES
#include "aes_modes.h"
#endif
#include "aes_kernel.h"
#include "hal.h"
#include "say.h"

#ifndef IRQ_KEY_BITS
#define IRQ_KEY_BITS 128u
#endif
#ifndef IRQ_STEP
#define IRQ_STEP 1u
#endif
#ifndef IRQ_BULK_STEP
#define IRQ_BULK_STEP 7u  // prime: in the end every place of a loop whose length is no multiple
#endif
#ifndef IRQ_MARGIN
#define IRQ_MARGIN 48u
#endif
#ifndef IRQ_REFUSES
#define IRQ_REFUSES 0
#endif

#define BLOCK_WORDS (AES_BLOCK_BYTES / 4u)
#define KEY_WORDS_MAX 8u
#ifdef IRQ_GCM
#define TEXT_BLOCKS 20u  // several groups of a kernel that hashes and enciphers in one pass
#define BLOCKS_MAX (TEXT_BLOCKS + 1u)  // with the tag
#define HANDLER_WORDS (2u * BLOCK_WORDS)
#define AAD_BYTES 13u
#define IV_BYTES 12u
#else
#define BLOCKS_MAX 7u  // one more than the widest group of a kernel here
#define HANDLER_WORDS BLOCK_WORDS
#endif
#define LOST_AFTER 20000u  // cycles without the interrupt before it counts as lost
#define BAD_PRINTED 5u

typedef enum {
  CALL_SET_ENCRYPT,
  CALL_SET_DECRYPT,
  CALL_ENCRYPT,
  CALL_CTR,
  CALL_CBC_ENCRYPT,
  CALL_CBC_DECRYPT,
  CALL_GCM,
  CALL_DECRYPT,
  CALL_CBC_MAC
} call_t;

typedef struct {
  call_t call;
  const char *name;
  size_t nblocks;
} subject_t;

#ifdef IRQ_MODES
static const subject_t subjects[] = {
    {CALL_CTR, "ctr", 1u},
    {CALL_CTR, "ctr", BLOCKS_MAX},
    {CALL_CBC_ENCRYPT, "cbc_encrypt", 1u},
    {CALL_CBC_ENCRYPT, "cbc_encrypt", BLOCKS_MAX},
    {CALL_CBC_DECRYPT, "cbc_decrypt", 1u},
    {CALL_CBC_DECRYPT, "cbc_decrypt", BLOCKS_MAX},
    {CALL_CBC_MAC, "cbc_mac", 1u},
    {CALL_CBC_MAC, "cbc_mac", BLOCKS_MAX},
};
static uint32_t chain_words[BLOCK_WORDS];
#elif defined(IRQ_GCM)
static const subject_t subjects[] = {
    {CALL_GCM, "gcm_encrypt", 1u},
    {CALL_GCM, "gcm_encrypt", TEXT_BLOCKS},
};
#else
static const subject_t subjects[] = {
    {CALL_SET_ENCRYPT, "set_encrypt_key", 0u}, {CALL_ENCRYPT, "encrypt", 1u},
    {CALL_ENCRYPT, "encrypt", BLOCKS_MAX},     {CALL_SET_DECRYPT, "set_decrypt_key", 0u},
    {CALL_DECRYPT, "decrypt", 1u},             {CALL_DECRYPT, "decrypt", BLOCKS_MAX},
};
#endif

typedef struct {
  uint32_t offsets;
  uint32_t fired;
  uint32_t inside;
  uint32_t refused;
  uint32_t bad;
} tally_t;

// The interrupted side.
static uint32_t key_words[KEY_WORDS_MAX];
static uint32_t in_words[BLOCKS_MAX * BLOCK_WORDS];
static uint32_t out_words[BLOCKS_MAX * BLOCK_WORDS];
static uint32_t expected_words[BLOCKS_MAX * BLOCK_WORDS];
static aes_key_t schedule;
#ifdef IRQ_GCM
static aes_gcm_key_t gcm_schedule;
static aes_gcm_key_t handler_gcm_schedule;
#endif

// The handler's side.
static aes_key_t handler_schedule;
static uint32_t handler_in[BLOCK_WORDS];
static uint32_t handler_out[HANDLER_WORDS];
static uint32_t handler_expected[HANDLER_WORDS];
static const uint32_t nothing[HANDLER_WORDS];
static volatile uint32_t handler_runs;
static volatile uint32_t handler_bad;
static volatile uint32_t handler_refused;
static volatile int handler_encrypts;

static uint32_t differs(const uint32_t *a, const uint32_t *b, size_t n) {
  uint32_t d = 0;
  for (size_t i = 0; i < n; i++) {
    d |= a[i] ^ b[i];
  }
  return d;
}

// What the handler computes: a block, or a message of one block and its tag.
static int handle(uint32_t *out) {
  const uint8_t *in = (const uint8_t *)handler_in;
#ifdef IRQ_GCM
  return aes_gcm_encrypt(&handler_gcm_schedule, in, IV_BYTES, NULL, 0u, in, (uint8_t *)out,
                         AES_BLOCK_BYTES, (uint8_t *)out + AES_BLOCK_BYTES, AES_BLOCK_BYTES);
#else
  return aes_encrypt_blocks(&handler_schedule, in, (uint8_t *)out, 1u);
#endif
}

static void handler(void) {
  if (handler_encrypts) {
    aes_unit_state_t interrupted;
    aes_unit_save(&interrupted);
    for (size_t i = 0; i < HANDLER_WORDS; i++) {
      handler_out[i] = ~0u;
    }
    int status = handle(handler_out);
    if (IRQ_REFUSES && status == AES_ERR_BUSY) {
      handler_refused = handler_refused + 1u;
    }
    if (!(status == AES_OK && differs(handler_out, handler_expected, HANDLER_WORDS) == 0u) &&
        !(IRQ_REFUSES && status == AES_ERR_BUSY &&
          differs(handler_out, nothing, HANDLER_WORDS) == 0u)) {
      handler_bad = handler_bad + 1u;
    }
    aes_unit_restore(&interrupted);
  }
  handler_runs = handler_runs + 1u;
}

// Bytes that are easy to recognise in a memory dump and differ between the two sides.
static void pattern(uint32_t *words, size_t n, uint32_t step) {
  uint32_t value = step;
  for (size_t i = 0; i < n; i++) {
    words[i] = value;
    value = (value << 7 | value >> 25) + step;
  }
}

static void clear(void *to, size_t n) {
  uint32_t *words = to;
  for (size_t i = 0; i < n / 4u; i++) {
    words[i] = 0u;
  }
}

static int perform(const subject_t *s) {
  const uint8_t *key = (const uint8_t *)key_words;
  const uint8_t *in = (const uint8_t *)in_words;
  uint8_t *out = (uint8_t *)out_words;
  int status = AES_OK;
#ifdef IRQ_MODES
  chain_words[0] = 0x03020100u;
  chain_words[1] = 0x07060504u;
  chain_words[2] = 0x0b0a0908u;
  chain_words[3] = 0xfdffff0cu;
#endif
  switch (s->call) {
    case CALL_SET_ENCRYPT:
      status = aes_set_encrypt_key(&schedule, key, IRQ_KEY_BITS);
      break;
    case CALL_SET_DECRYPT:
      status = aes_set_decrypt_key(&schedule, key, IRQ_KEY_BITS);
      break;
    case CALL_ENCRYPT:
      status = aes_encrypt_blocks(&schedule, in, out, s->nblocks);
      break;
#ifdef IRQ_MODES
    case CALL_CTR:
      status = aes_ctr_blocks(&schedule, chain_words, in, out, s->nblocks);
      break;
    case CALL_CBC_ENCRYPT:
      status = aes_cbc_encrypt_blocks(&schedule, chain_words, in, out, s->nblocks);
      break;
    case CALL_CBC_DECRYPT:
      status = aes_cbc_decrypt_blocks(&schedule, chain_words, in, out, s->nblocks);
      break;
    case CALL_CBC_MAC:
      status = aes_cbc_mac(&schedule, chain_words, in, s->nblocks);
      for (size_t i = 0; i < BLOCK_WORDS; i++) {
        out_words[i] = chain_words[i];
      }
      break;
#endif
#ifdef IRQ_GCM
    case CALL_GCM:
      status = aes_gcm_encrypt(&gcm_schedule, key, IV_BYTES, key, AAD_BYTES, in, out,
                               s->nblocks * AES_BLOCK_BYTES, out + s->nblocks * AES_BLOCK_BYTES,
                               AES_BLOCK_BYTES);
      break;
#endif
    default:
      status = aes_decrypt_blocks(&schedule, in, out, s->nblocks);
      break;
  }
  return status;
}

// One block under the key that a set-up has made. (Its words may differ: some units number keys.)
static int use_key(const subject_t *s) {
  const uint8_t *in = (const uint8_t *)in_words;
  uint8_t *out = (uint8_t *)out_words;
  return s->call == CALL_SET_DECRYPT ? aes_decrypt_blocks(&schedule, in, out, 1u)
                                     : aes_encrypt_blocks(&schedule, in, out, 1u);
}

// Compare the call's result with that of the uninterrupted call.
static int right(const subject_t *s) {
  if (s->call == CALL_SET_ENCRYPT || s->call == CALL_SET_DECRYPT) {
    clear(out_words, sizeof out_words);
    if (use_key(s) != AES_OK) {
      return 0;
    }
  }
  return differs(out_words, expected_words, BLOCKS_MAX * BLOCK_WORDS) == 0u;
}

static void wipe_result(const subject_t *s) {
  clear(out_words, sizeof out_words);
  if (s->call == CALL_SET_ENCRYPT || s->call == CALL_SET_DECRYPT) {
    clear(&schedule, sizeof schedule);
  }
}

static void say_pair(const char *key, uint32_t value) {
  say(",\"");
  say(key);
  say("\":");
  say_u32(value);
}

static void say_what(const subject_t *s) {
  say(s->name);
  say("_");
  say_u32(IRQ_KEY_BITS);
  if (s->nblocks != 0u) {
    say("_");
    say_u32((uint32_t)s->nblocks);
  }
}

static void report(const subject_t *s, const tally_t *t) {
  say("{\"question\":\"irq\",\"what\":\"");
  if (s == NULL) {
    say("total");
  } else {
    say_what(s);
  }
  say("\"");
  say_pair("offsets", t->offsets);
  say_pair("fired", t->fired);
  say_pair("inside", t->inside);
  say_pair("refused", t->refused);
  say_pair("bad", t->bad);
  say("}\n");
}

static void report_bad(const subject_t *s, uint32_t offset, uint32_t runs, uint32_t in_handler) {
  say("{\"question\":\"irq\",\"what\":\"");
  say_what(s);
  say("\"");
  say_pair("bad_offset", offset);
  say_pair("handler_runs", runs);
  say_pair("handler_bad", in_handler);
  say("}\n");
}

// One call with the interrupt `offset` cycles after the timer was armed.
static void disturb(const subject_t *s, uint32_t offset, tally_t *t) {
  uint32_t inside;
  uint32_t start;
  int bad;
  wipe_result(s);
  handler_runs = 0u;
  handler_bad = 0u;
  handler_refused = 0u;
  handler_encrypts = (t->offsets & 1u) == 0u;
  hal_timer_irq(offset, handler);
  bad = perform(s) != AES_OK;
  inside = handler_runs;
  start = hal_cycles();
  while (handler_runs == 0u && hal_cycles() - start < LOST_AFTER) {
  }
  hal_timer_irq(0u, NULL);
  bad = bad || !right(s) || handler_runs != 1u || handler_bad != 0u;
  t->offsets += 1u;
  t->fired += handler_runs;
  t->inside += inside;
  t->refused += handler_refused;
  if (bad) {
    t->bad += 1u;
    if (t->bad <= BAD_PRINTED) {
      report_bad(s, offset, handler_runs, handler_bad);
    }
  }
}

// Cycles from the arming to the end of the call, with the timer far away and caches warm.
static uint32_t length_of(const subject_t *s) {
  uint32_t t = 0;
  for (unsigned i = 0; i < 3u; i++) {
    uint32_t start = hal_cycles();
    hal_timer_irq(0x40000000u, handler);
    (void)perform(s);
    t = hal_cycles() - start;
  }
  hal_timer_irq(0u, NULL);
  return t;
}

// The state that the subject's call needs, and its undisturbed result; a status of the kernel.
static int prepare(const subject_t *s) {
  const uint8_t *key = (const uint8_t *)key_words;
#ifdef IRQ_MODES
  int decrypt = s->call == CALL_CBC_DECRYPT;
#elif defined(IRQ_GCM)
  int decrypt = 0;
#else
  int decrypt = s->call == CALL_SET_DECRYPT || s->call == CALL_DECRYPT;
#endif
  int status;
  wipe_result(s);
  clear(&schedule, sizeof schedule);
  status = decrypt ? aes_set_decrypt_key(&schedule, key, IRQ_KEY_BITS)
                   : aes_set_encrypt_key(&schedule, key, IRQ_KEY_BITS);
#ifdef IRQ_GCM
  if (status == AES_OK) {
    status = aes_gcm_set_key(&gcm_schedule, key, IRQ_KEY_BITS);
  }
#endif
  if (status != AES_OK) {
    return status;
  }
  status = perform(s);
  if (status == AES_OK && (s->call == CALL_SET_ENCRYPT || s->call == CALL_SET_DECRYPT)) {
    status = use_key(s);
  }
  if (status != AES_OK) {
    return status;
  }
  for (size_t i = 0; i < BLOCKS_MAX * BLOCK_WORDS; i++) {
    expected_words[i] = out_words[i];
  }
  return AES_OK;
}

int main(void) {
  tally_t total = {0u, 0u, 0u, 0u, 0u};
  pattern(key_words, KEY_WORDS_MAX, 0x2b7e1516u);
  pattern(in_words, BLOCKS_MAX * BLOCK_WORDS, 0x3243f6a8u);
  pattern(handler_in, BLOCK_WORDS, 0x6bc1bee2u);
  {
    uint32_t other_key[KEY_WORDS_MAX];
    const uint8_t *other = (const uint8_t *)other_key;
    pattern(other_key, KEY_WORDS_MAX, 0x603deb10u);
    int status = aes_set_encrypt_key(&handler_schedule, other, IRQ_KEY_BITS);
#ifdef IRQ_GCM
    if (status == AES_OK) {
      status = aes_gcm_set_key(&handler_gcm_schedule, other, IRQ_KEY_BITS);
    }
#endif
    if (status != AES_OK) {
      say("{\"question\":\"irq\",\"error\":\"key set-up failed\"}\n");
      hal_exit(1u);
    }
  }
  if (handle(handler_expected) != AES_OK) {
    say("{\"question\":\"irq\",\"error\":\"a call failed\"}\n");
    hal_exit(1u);
  }
  for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
    const subject_t *s = &subjects[i];
    tally_t t = {0u, 0u, 0u, 0u, 0u};
    uint32_t step = s->nblocks > 1u ? IRQ_BULK_STEP : IRQ_STEP;
    uint32_t last;
    int status = prepare(s);
    if (status == AES_ERR_UNSUPPORTED) {
      continue;  // the variant lacks this direction
    }
    if (status != AES_OK) {
      say("{\"question\":\"irq\",\"error\":\"key set-up failed\"}\n");
      hal_exit(1u);
    }
    last = length_of(s) + IRQ_MARGIN;
    for (uint32_t offset = 1u; offset <= last; offset += step) {
      disturb(s, offset, &t);
    }
    report(s, &t);
    total.offsets += t.offsets;
    total.fired += t.fired;
    total.inside += t.inside;
    total.refused += t.refused;
    total.bad += t.bad;
  }
  report(NULL, &total);
  hal_exit(total.bad == 0u && total.fired == total.offsets && total.inside != 0u ? 0u : 1u);
}
