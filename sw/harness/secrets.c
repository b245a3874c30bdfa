// SPDX-License-Identifier: Apache-2.0
// Question "secrets": which secrets does a call leave in memory or registers?
//
// Every public function of the kernel, the modes, AES-GCM and (with SECRETS_CURVES=1) the curves is
// called on a separate stack that was filled with a pattern. An assembly routine stores all
// registers at the return, before any other code runs. Then every byte offset of that stack, of
// static memory and of the registers is compared with the words of every secret. The program's own
// buffers, in `own`, may hold secrets and are not searched: the key, the key objects, the GCM
// context, input and output.
//
// Secrets are the key, its round keys (FIPS 197, and as the kernel packs them), states of the
// cipher, the hash subkey H and what the GHASH key holds, E(J0), key stream, GHASH states,
// plaintext; scalars, nonces and shared secrets. A word counts in both byte orders, and round keys
// also rotated by bytes. They are random: another random word equals one of them with a probability
// of about 2^-20. Of the cipher's states the first and the last one before a round key is added are
// known and searched: with the block they give the key.
//
// Console, one JSON object a line: each kind of secret that a call leaves in a kind of place, with
// the number of words and where they are (registers by name, the first stack offset below the
// caller's stack pointer, the first address of static memory), then the sum:
//   {"question":"secrets","call":"encrypt_128_1","where":"register","secret":"round key",
//    "words":2,"at":"a4 a5"}
//   {"question":"secrets","what":"total","calls":N,"bytes":B,"findings":F,"errors":E}
// `errors` counts calls with an unexpected status, a changed saved register or too much stack.
// Exit 0 if there are neither findings nor errors, else 1.
//
// SECRETS_CONTROL=1: first call functions that leave key words, which the search must report.
// SECRETS_KERNEL=0: the curves only. SECRETS_CURVES=1: include the curves; SECRETS_ONLY="p256"
// those whose names begin so. SECRETS_SIZES=1: 128-bit keys only. SECRETS_MODES=1: CCM, CMAC, XTS,
// key wrap and GCM-SIV in place of the kernel, the other modes and AES-GCM. SECRETS_STACKS=1:
// pieces of CTR, GCM in one pass, and aesforge.h, whose cache keeps keys in static memory until the
// call of aesforge_forget, after which nothing may be there. SECRETS_GROUPS=1: texts of several
// groups of a kernel; what the blocks of CTR and GCM share in the first two rounds is secret too.
#include <stddef.h>
#include <stdint.h>

#include "aes_ccm.h"
#include "aes_cmac.h"
#include "aes_gcm.h"
#include "aes_gcm_siv.h"
#include "aes_kernel.h"
#include "aes_kw.h"
#include "aes_modes.h"
#include "aes_sbox_values.h"
#include "aes_xts.h"
#include "aesforge.h"
#include "hal.h"
#include "say.h"

#ifndef SECRETS_CONTROL
#define SECRETS_CONTROL 0
#endif
#ifndef SECRETS_KERNEL
#define SECRETS_KERNEL 1
#endif
#ifndef SECRETS_CURVES
#define SECRETS_CURVES 0
#endif
#ifndef SECRETS_SIZES
#define SECRETS_SIZES 3
#endif
#ifndef SECRETS_MODES
#define SECRETS_MODES 0
#endif
#ifndef SECRETS_STACKS
#define SECRETS_STACKS 0
#endif
#ifndef SECRETS_GROUPS
#define SECRETS_GROUPS 0
#endif
#ifndef SECRETS_SEED
#define SECRETS_SEED 0x9e3779b9u
#endif

#define BLOCK_WORDS 4u
#define KEY_WORDS 8u
#if SECRETS_GROUPS
#define BLOCKS 20u           // and no short message of AES-GCM
#define PARTIAL_BYTES 317u
#define SCRATCH_WORDS 80u
#else
#define BLOCKS 7u          // one more than the widest group of a kernel
#define PARTIAL_BYTES 77u  // of a text that ends within a block
#define SCRATCH_WORDS 64u  // a text, or the round keys
#endif
#define TEXT_BYTES (BLOCKS * AES_BLOCK_BYTES)
#define AAD_BYTES 21u
#define LONG_AAD_BYTES 31u  // of no short message of AES-CCM
#define LONG_IV_BYTES 19u
#define STACK_WORDS 3072u
#define TABLE_WORDS 8192u  // a power of two, four times the words that are ever in it
#define TABLE_MOST (TABLE_WORDS / 2u)
#define FAR_BYTES 0x4000u  // of this program's own stack, at the end of memory
#define ARGUMENTS 10u
#define FILL 0xa5a5a5a5u
#define REGISTERS 32u
#define A0 10u

typedef enum {
  KEY,
  ROUND_KEY,
  STATE,
  HASH_KEY,
  HASH_STATE,
  MASK,
  KEY_STREAM,
  PLAINTEXT,
  SCALAR,
  NONCE,
  SHARED,
  KINDS
} kind_t;

static const char *const kind_names[KINDS] = {"key",        "round key", "state",     "hash key",
                                              "hash state", "mask",      "key stream", "plaintext",
                                              "scalar",     "nonce",     "shared secret"};

// Where secrets may be. Static memory is searched from `first_datum`, which the linker places first
// of all variables but those of the HAL, to the end of .bss.
_Static_assert(4u * SCRATCH_WORDS >= TEXT_BYTES, "a text fits");
static struct {
  uint32_t key[KEY_WORDS];
  uint32_t plain[TEXT_BYTES / 4u];
  uint32_t cipher[TEXT_BYTES / 4u];
  uint32_t in[TEXT_BYTES / 4u + 1u];
  uint32_t out[TEXT_BYTES / 4u + 1u];
  uint32_t iv[BLOCK_WORDS];
  uint32_t last_key[BLOCK_WORDS];  // of the rounds
  uint32_t chain[BLOCK_WORDS];
  uint32_t aad[BLOCK_WORDS * 2u];
  uint32_t tag[BLOCK_WORDS];
  uint32_t scratch[SCRATCH_WORDS];
  aes_key_t encrypt_key;
  aes_key_t decrypt_key;
  aes_key_t cleared_key;
  aes_gcm_key_t gcm_key;
  aes_gcm_key_t cleared_gcm_key;
  aes_gcm_t gcm;
#if SECRETS_MODES
  aes_ccm_t ccm;
  aes_cmac_key_t cmac_key;
  aes_cmac_t cmac;
  aes_xts_key_t xts_key;
  uint32_t sealed[TEXT_BYTES / 4u + 4u];
  size_t plain_bytes;
#endif
#if SECRETS_STACKS
  aes_ctr_t ctr;
  aesforge_ctr_t raw_ctr;
  aesforge_gcm_t raw_gcm;
#endif
  uint32_t registers[REGISTERS];
  uint32_t stack[STACK_WORDS];
  uint32_t words[TABLE_WORDS];  // 0: free
  uint8_t kinds[TABLE_WORDS];
  uint32_t inserted;
  uint32_t random_state;  // the last word of the last secret
} own;

static uint32_t first_datum[4] __attribute__((section(".data"), used)) = {1u, 2u, 3u, 4u};
extern uint8_t _end[];

static uint32_t calls, bytes_searched, findings, errors;

// xorshift32, G. Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8(14), 2003.
static uint32_t random_word(void) {
  uint32_t x = own.random_state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  own.random_state = x;
  return x;
}

static void random_fill(uint32_t *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    words[i] = random_word();
  }
}

// Secrets -----------------------------------------------------------------------------------------

static uint32_t load(const void *from) {
  const uint8_t *b = (const uint8_t *)from;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint32_t swapped(uint32_t x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

static void forget_secrets(void) {
  for (size_t i = 0; i < TABLE_WORDS; i++) {
    own.words[i] = 0u;
  }
  own.inserted = 0u;
}

// Secrets are random, so their low bits are a hash.
static void insert(kind_t kind, uint32_t word) {
  size_t i = word % TABLE_WORDS;
  while (own.words[i] != 0u && own.words[i] != word) {
    i = (i + 1u) % TABLE_WORDS;
  }
  if (own.words[i] == 0u) {
    own.words[i] = word;
    own.kinds[i] = (uint8_t)kind;
    own.inserted++;
    if (own.inserted > TABLE_MOST) {
      say("{\"question\":\"secrets\",\"error\":\"too many secrets\"}\n");
      hal_exit(2u);
    }
  }
}

// A word of a secret, if it is not one like those of public data: small numbers and addresses.
static void add_word(kind_t kind, uint32_t word) {
  // Bytes of ones and zeros, and pairs of equal bits: slices of a key are not random either.
  uint32_t even = word & 0x01010101u;
  if (word >> 20 == 0u || word >> 20 == 0xfffu || word << 12 == 0u || word == (even << 8) - even ||
      ((word ^ word >> 1) & 0x55555555u) == 0u) {
    return;
  }
  insert(kind, word);
  insert(kind, swapped(word));
}

static __attribute__((unused)) void add_words(kind_t kind, const uint32_t *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    add_word(kind, words[i]);
  }
}

// The kind of a word, or KINDS if it is no secret.
static inline kind_t kind_of(uint32_t word) {
  for (size_t i = word % TABLE_WORDS; own.words[i] != 0u; i = (i + 1u) % TABLE_WORDS) {
    if (own.words[i] == word) {
      return (kind_t)own.kinds[i];
    }
  }
  return KINDS;
}

// Search ------------------------------------------------------------------------------------------

typedef struct {
  uint32_t words[KINDS];
  uint32_t at[KINDS];  // an offset or address; of registers a bit each
} found_t;

static void clear_found(found_t *f) {
  for (unsigned i = 0; i < KINDS; i++) {
    f->words[i] = 0u;
    f->at[i] = 0u;
  }
}

static void note(found_t *f, uint32_t word, uint32_t at) {
  kind_t kind = kind_of(word);
  if (kind != KINDS) {
    if (f->words[kind] == 0u) {
      f->at[kind] = at;
    }
    f->words[kind]++;
  }
}

// The first word from `p` up to `to` that is not `word`. Most memory is searched here: two
// instructions a word.
static const uint32_t *other_than(uint32_t word, const uint32_t *p, const uint32_t *to) {
  while (to - p >= 8 && p[0] == word && p[1] == word && p[2] == word && p[3] == word &&
         p[4] == word && p[5] == word && p[6] == word && p[7] == word) {
    p += 8;
  }
  while (p != to && *p == word) {
    p++;
  }
  return p;
}

// Every byte offset from `from` up to `to`.
static void search(found_t *f, const uint32_t *from, const uint32_t *to) {
  uint32_t before = from == to ? 0u : *from;
  bytes_searched += (uint32_t)(to - from) * 4u;
  for (const uint32_t *p = from; p != to; p++) {
    if (before == 0u || before == FILL) {
      p = other_than(before, p, to);  // offsets between equal words hold the same
      if (p == to) {
        return;
      }
    }
    uint32_t word = *p;
    uint32_t at = (uint32_t)(uintptr_t)p;
    if (p != from) {
      note(f, before >> 8 | word << 24, at - 3u);
      note(f, before >> 16 | word << 16, at - 2u);
      note(f, before >> 24 | word << 8, at - 1u);
    }
    note(f, word, at);
    before = word;
  }
}

static const char *const register_names[REGISTERS] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static void say_head(const char *call) {
  say("{\"question\":\"secrets\",\"call\":\"");
  say(call);
  say("\",");
}

static void say_error(const char *call, const char *what, uint32_t value) {
  errors++;
  say_head(call);
  say("\"error\":\"");
  say(what);
  say("\",\"value\":");
  say_u32(value);
  say("}\n");
}

static void report(const char *call, const char *where, const found_t *f, uint32_t below) {
  for (unsigned kind = 0; kind < KINDS; kind++) {
    if (f->words[kind] == 0u) {
      continue;
    }
    findings++;
    say_head(call);
    say("\"where\":\"");
    say(where);
    say("\",\"secret\":\"");
    say(kind_names[kind]);
    say("\",\"words\":");
    say_u32(f->words[kind]);
    say(",\"at\":\"");
    if (below == REGISTERS) {
      const char *space = "";
      for (unsigned i = 1; i < REGISTERS; i++) {
        if ((f->at[kind] >> i & 1u) != 0u) {
          say(space);
          say(register_names[i]);
          space = " ";
        }
      }
    } else {
      say_u32(below == 0u ? f->at[kind] : below - f->at[kind]);
    }
    say("\"}\n");
  }
}

// Calls -------------------------------------------------------------------------------------------

// Call `function` with ten arguments, on the stack that ends at `top`, and store all registers as
// they are at its return. Registers that hold no argument hold FILL before.
void call_and_save(uintptr_t function, const uint32_t *arguments, uint32_t *registers,
                   uint32_t *top);
__asm__(
    ".pushsection .text.call_and_save,\"ax\",@progbits\n"
    ".globl call_and_save\n"
    "call_and_save:\n"
    "  addi sp, sp, -64\n"
    "  sw ra, 0(sp)\n"
    "  sw s0, 4(sp)\n"
    "  sw s1, 8(sp)\n"
    "  sw s2, 12(sp)\n"
    "  sw s3, 16(sp)\n"
    "  sw s4, 20(sp)\n"
    "  sw s5, 24(sp)\n"
    "  sw s6, 28(sp)\n"
    "  sw s7, 32(sp)\n"
    "  sw s8, 36(sp)\n"
    "  sw s9, 40(sp)\n"
    "  sw s10, 44(sp)\n"
    "  sw s11, 48(sp)\n"
    "  sw sp, 0(a2)\n"
    "  mv s0, a2\n"
    "  mv t0, a0\n"
    "  mv t1, a1\n"
    "  addi sp, a3, -16\n"
    "  lw t2, 32(t1)\n"
    "  sw t2, 0(sp)\n"
    "  lw t2, 36(t1)\n"
    "  sw t2, 4(sp)\n"
    "  lw a0, 0(t1)\n"
    "  lw a1, 4(t1)\n"
    "  lw a2, 8(t1)\n"
    "  lw a3, 12(t1)\n"
    "  lw a4, 16(t1)\n"
    "  lw a5, 20(t1)\n"
    "  lw a6, 24(t1)\n"
    "  lw a7, 28(t1)\n"
    "  li t1, 0xa5a5a5a5\n"
    "  mv t2, t1\n"
    "  mv t3, t1\n"
    "  mv t4, t1\n"
    "  mv t5, t1\n"
    "  mv t6, t1\n"
    "  mv s1, t1\n"
    "  mv s2, t1\n"
    "  mv s3, t1\n"
    "  mv s4, t1\n"
    "  mv s5, t1\n"
    "  mv s6, t1\n"
    "  mv s7, t1\n"
    "  mv s8, t1\n"
    "  mv s9, t1\n"
    "  mv s10, t1\n"
    "  mv s11, t1\n"
    "  jalr t0\n"
    "  sw x1, 4(s0)\n"
    "  sw x2, 8(s0)\n"
    "  sw x3, 12(s0)\n"
    "  sw x4, 16(s0)\n"
    "  sw x5, 20(s0)\n"
    "  sw x6, 24(s0)\n"
    "  sw x7, 28(s0)\n"
    "  sw x8, 32(s0)\n"
    "  sw x9, 36(s0)\n"
    "  sw x10, 40(s0)\n"
    "  sw x11, 44(s0)\n"
    "  sw x12, 48(s0)\n"
    "  sw x13, 52(s0)\n"
    "  sw x14, 56(s0)\n"
    "  sw x15, 60(s0)\n"
    "  sw x16, 64(s0)\n"
    "  sw x17, 68(s0)\n"
    "  sw x18, 72(s0)\n"
    "  sw x19, 76(s0)\n"
    "  sw x20, 80(s0)\n"
    "  sw x21, 84(s0)\n"
    "  sw x22, 88(s0)\n"
    "  sw x23, 92(s0)\n"
    "  sw x24, 96(s0)\n"
    "  sw x25, 100(s0)\n"
    "  sw x26, 104(s0)\n"
    "  sw x27, 108(s0)\n"
    "  sw x28, 112(s0)\n"
    "  sw x29, 116(s0)\n"
    "  sw x30, 120(s0)\n"
    "  sw x31, 124(s0)\n"
    "  lw sp, 0(s0)\n"
    "  lw ra, 0(sp)\n"
    "  lw s0, 4(sp)\n"
    "  lw s1, 8(sp)\n"
    "  lw s2, 12(sp)\n"
    "  lw s3, 16(sp)\n"
    "  lw s4, 20(sp)\n"
    "  lw s5, 24(sp)\n"
    "  lw s6, 28(sp)\n"
    "  lw s7, 32(sp)\n"
    "  lw s8, 36(sp)\n"
    "  lw s9, 40(sp)\n"
    "  lw s10, 44(sp)\n"
    "  lw s11, 48(sp)\n"
    "  addi sp, sp, 64\n"
    "  ret\n"
    ".popsection\n");

static const char *name_stem;
static uint32_t name_bits;
static char name[48];

// The name of a call: with the size of the key, if there is one, and a number of blocks.
static const char *call_name(const char *stem, uint32_t bits, const char *rest) {
  size_t n = 0;
  for (; *stem != '\0'; stem++) {
    name[n++] = *stem;
  }
  if (bits != 0u) {
    name[n++] = '_';
    name[n++] = (char)('0' + (char)(bits / 100u));
    name[n++] = (char)('0' + (char)(bits / 10u % 10u));
    name[n++] = (char)('0' + (char)(bits % 10u));
  }
  for (; *rest != '\0'; rest++) {
    name[n++] = *rest;
  }
  name[n] = '\0';
  return name;
}

static void fill_stack(void) {
  for (size_t i = 0; i < STACK_WORDS; i++) {
    own.stack[i] = FILL;
  }
}

#define POINTER(p) ((uint32_t)(uintptr_t)(p))
#define CALL(function, ...) \
  call((uintptr_t)(function), (const uint32_t[ARGUMENTS]){__VA_ARGS__})

static int call(uintptr_t function, const uint32_t *arguments) {
  calls++;
  call_and_save(function, arguments, own.registers, own.stack + STACK_WORDS);
  return (int)own.registers[A0];
}

// Search memory and registers after a call, and prepare the stack for the next one.
static void search_call(const char *what) {
  static const uint8_t saved[] = {9u, 18u, 19u, 20u, 21u, 22u, 23u, 24u, 25u, 26u, 27u};
  found_t f;
  size_t low;
  clear_found(&f);
  for (unsigned i = 1; i < REGISTERS; i++) {
    kind_t kind = kind_of(own.registers[i]);
    if (kind != KINDS) {
      f.words[kind]++;
      f.at[kind] |= 1u << i;
    }
  }
  bytes_searched += 4u * (REGISTERS - 1u);
  report(what, "register", &f, REGISTERS);
  for (unsigned i = 0; i < sizeof saved; i++) {
    if (own.registers[saved[i]] != FILL) {
      say_error(what, "changed a saved register", saved[i]);
    }
  }

  low = (size_t)(other_than(FILL, own.stack, own.stack + STACK_WORDS) - own.stack);
  if (low == 0u) {
    say_error(what, "used the whole stack", 4u * STACK_WORDS);
  }
  clear_found(&f);
  search(&f, own.stack + low, own.stack + STACK_WORDS);
  report(what, "stack", &f, POINTER(own.stack + STACK_WORDS));
  for (; low < STACK_WORDS; low++) {
    own.stack[low] = FILL;
  }

  clear_found(&f);
  search(&f, first_datum, (const uint32_t *)(const void *)&own);
  search(&f, (const uint32_t *)(const void *)(&own + 1), (const uint32_t *)(const void *)_end);
  report(what, "static", &f, 0u);
}

static void judge(const char *rest, int status, int expected) {
  const char *what = call_name(name_stem, name_bits, rest);
  if (status != expected) {
    say_error(what, "status", (uint32_t)-status);
  }
  search_call(what);
}

// Search the rest of memory up to the stack of this program: nothing may write there.
static void search_far(void) {
  found_t f;
  clear_found(&f);
  search(&f, (const uint32_t *)(const void *)_end,
         (const uint32_t *)(uintptr_t)(hal_mem_size() - FAR_BYTES));
  report("all", "other", &f, 0u);
}

// Controls ----------------------------------------------------------------------------------------

#if SECRETS_CONTROL
static volatile uint32_t left_static[BLOCK_WORDS];

static void control_stack(const uint32_t *key) {
  volatile uint32_t left[BLOCK_WORDS];
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    left[i] = key[i];
  }
  (void)left[0];
}

// A key word at an unaligned address.
static void control_offset(const uint8_t *key) {
  volatile uint8_t left[3u * BLOCK_WORDS];
  for (unsigned i = 0; i < 2u * BLOCK_WORDS; i++) {
    left[i + 1u] = key[i];
  }
  (void)left[0];
}

static void control_static(const uint32_t *key) {
  left_static[1] = key[1];
}

static void control_register(const uint32_t *key) {
  __asm__ volatile("lw t6, 0(%0)" : : "r"(key) : "t6");
}

static void control_swapped(const uint32_t *key) {
  __asm__ volatile("mv t5, %0" : : "r"(swapped(key[0])) : "t5");
}

static void controls(void) {
  name_bits = 0u;
  name_stem = "control_stack";
  (void)CALL(control_stack, POINTER(own.key));
  judge("", 0, 0);
  name_stem = "control_offset";
  (void)CALL(control_offset, POINTER(own.key));
  judge("", 0, 0);
  name_stem = "control_static";
  (void)CALL(control_static, POINTER(own.key));
  judge("", 0, 0);
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    left_static[i] = 0u;
  }
  name_stem = "control_register";
  (void)CALL(control_register, POINTER(own.key));
  judge("", 0, 0);
  name_stem = "control_swapped";
  (void)CALL(control_swapped, POINTER(own.key));
  judge("", 0, 0);
}
#endif

// The kernel and the modes ------------------------------------------------------------------------

#if SECRETS_KERNEL
#define VALUE(x) x
static const uint8_t sbox[256] = {AES_SBOX_VALUES(VALUE)};

static uint32_t sub_word(uint32_t x) {
  return (uint32_t)sbox[x & 0xffu] | (uint32_t)sbox[x >> 8 & 0xffu] << 8 |
         (uint32_t)sbox[x >> 16 & 0xffu] << 16 | (uint32_t)sbox[x >> 24] << 24;
}

static void copy_bytes(void *to, const void *from, size_t n) {
  uint8_t *t = (uint8_t *)to;
  const uint8_t *f = (const uint8_t *)from;
  for (size_t i = 0; i < n; i++) {
    t[i] = f[i];
  }
}

static uint32_t reversed_in_bytes(uint32_t x) {
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

// A round-key word, and what kernels hold instead of it: rotated by bytes.
static void add_round_key(uint32_t word) {
  for (unsigned i = 0; i < 4u; i++) {
    add_word(ROUND_KEY, word);
    word = word >> 8 | word << 24;
  }
}

// FIPS 197, section 5.2.
static void add_round_keys(unsigned key_bits) {
  uint32_t *w = own.scratch;
  unsigned nk = key_bits / 32u;
  uint32_t constant = 1u;
  for (unsigned i = 0; i < 4u * (nk + 7u); i++) {
    if (i < nk) {
      w[i] = own.key[i];
      continue;
    }
    uint32_t t = w[i - 1u];
    if (i % nk == 0u) {
      t = sub_word(t >> 8 | t << 24) ^ constant;
      constant = (constant << 1) ^ (constant >> 7) * 0x11bu;
    } else if (nk > 6u && i % nk == 4u) {
      t = sub_word(t);
    }
    w[i] = w[i - nk] ^ t;
    add_round_key(w[i]);
  }
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    own.last_key[i] = w[4u * (nk + 6u) + i];
  }
}

#if SECRETS_GROUPS
// {3,1,1,2} times the S-box of a column's byte, in the column that ShiftRows moves it to.
static uint32_t product(uint32_t column, unsigned row) {
  const uint32_t one = sbox[column >> 8u * row & 0xffu];
  const uint32_t two = (one << 1) ^ (one >> 7) * 0x11bu;
  const uint32_t all = two | one << 8 | one << 16 | (one ^ two) << 24;
  return row == 0u ? all : all << 8u * row | all >> (32u - 8u * row);
}

// Two rounds of a counter block as far as its last byte does not matter: after add_round_keys.
static void add_shared(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3) {
  const uint32_t *const w = own.scratch;
  const uint32_t x[BLOCK_WORDS] = {c0 ^ w[0], c1 ^ w[1], c2 ^ w[2], c3 ^ w[3]};
  uint32_t y[BLOCK_WORDS], z[BLOCK_WORDS];
  for (unsigned to = 0; to < BLOCK_WORDS; to++) {
    y[to] = w[4u + to];
    for (unsigned row = 0; row < 4u; row++) {
      const unsigned from = (to + row) % 4u;
      y[to] ^= from == 3u && row == 3u ? 0u : product(x[from], row);
    }
  }
  add_word(STATE, y[0]);
  for (unsigned to = 0; to < BLOCK_WORDS; to++) {
    z[to] = w[8u + to];
    for (unsigned row = 0; row < 4u; row++) {
      const unsigned from = (to + row) % 4u;
      z[to] ^= from == 0u ? 0u : product(y[from], row);
    }
  }
  add_words(STATE, z, BLOCK_WORDS);
}
#endif

// A block, also by rows, as a kernel in the order of the standard holds it.
static void add_block(kind_t kind, const uint32_t *block) {
  const uint8_t *b = (const uint8_t *)block;
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    add_word(kind, block[i]);
    add_word(kind, (uint32_t)b[i] | (uint32_t)b[i + 4u] << 8 | (uint32_t)b[i + 8u] << 16 |
                       (uint32_t)b[i + 12u] << 24);
  }
}

static void add_blocks(kind_t kind, const uint32_t *blocks, size_t n) {
  for (size_t i = 0; i < n; i++) {
    add_block(kind, blocks + i * BLOCK_WORDS);
  }
}

// Blocks with a round key added to each of them.
static void add_states(const uint32_t *blocks, const uint32_t *round_key) {
  for (unsigned i = 0; i < BLOCKS; i++) {
    uint32_t state[BLOCK_WORDS];
    for (unsigned j = 0; j < BLOCK_WORDS; j++) {
      state[j] = blocks[i * BLOCK_WORDS + j] ^ round_key[j];
    }
    add_block(STATE, state);
  }
}

// What GHASH holds: bytes, or coefficients in natural order.
static void add_hash(kind_t kind, const uint32_t *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    add_word(kind, words[i]);
    add_word(kind, reversed_in_bytes(words[i]));
  }
}

// The key stream that made `after` of `before`, and sums of plaintext and a chaining value.
static void add_difference(kind_t kind, const void *before, const void *after, size_t n) {
  const uint8_t *a = (const uint8_t *)before, *b = (const uint8_t *)after;
  for (size_t i = 0; i + 4u <= n; i += 4u) {
    add_word(kind, load(a + i) ^ load(b + i));
  }
}

// The text of a call at an aligned address (0) or another one (1).
static uint8_t *input(const uint32_t *text, unsigned offset) {
  copy_bytes((uint8_t *)own.in + offset, text, TEXT_BYTES);
  return (uint8_t *)own.in + offset;
}

static uint8_t *output(unsigned offset) {
  return (uint8_t *)own.out + offset;
}

static void new_chain(void) {
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    own.chain[i] = own.iv[i];
  }
}

// Set-up, blocks and the end of a key; whether the variant decrypts.
static int kernel_calls(unsigned key_bits) {
  uint8_t *const key = (uint8_t *)own.key;
  int status, decrypts;

  name_stem = "set_encrypt_key";
  status = CALL(aes_set_encrypt_key, POINTER(&own.encrypt_key), POINTER(key), key_bits);
  add_words(ROUND_KEY, own.encrypt_key.rk, AES_KEY_WORDS);
  judge("", status, AES_OK);
  name_stem = "set_decrypt_key";
  status = CALL(aes_set_decrypt_key, POINTER(&own.decrypt_key), POINTER(key), key_bits);
  decrypts = status != AES_ERR_UNSUPPORTED;
  if (decrypts) {
    add_words(ROUND_KEY, own.decrypt_key.rk, AES_KEY_WORDS);
  }
  judge("", status, decrypts ? AES_OK : AES_ERR_UNSUPPORTED);

  (void)aes_encrypt_blocks(&own.encrypt_key, (const uint8_t *)own.plain, (uint8_t *)own.cipher,
                           BLOCKS);
  add_states(own.plain, own.key);
  add_states(own.cipher, own.last_key);

  name_stem = "encrypt";
  for (unsigned i = 0; i < 2u; i++) {
    status = CALL(aes_encrypt_blocks, POINTER(&own.encrypt_key), POINTER(input(own.plain, 0)),
                  POINTER(own.cipher), i == 0u ? 1u : BLOCKS);
    judge(i == 0u ? "_1" : "_7", status, AES_OK);
  }
  name_stem = "decrypt";
  for (unsigned i = 0; decrypts && i < 2u; i++) {
    status = CALL(aes_decrypt_blocks, POINTER(&own.decrypt_key), POINTER(input(own.cipher, 0)),
                  POINTER(output(0)), i == 0u ? 1u : BLOCKS);
    judge(i == 0u ? "_1" : "_7", status, AES_OK);
  }

  name_stem = "clear_key";
  own.cleared_key = own.encrypt_key;
  (void)CALL(aes_clear_key, POINTER(&own.cleared_key));
  judge("", AES_OK, AES_OK);
  return decrypts;
}

static void mode_calls(int decrypts, unsigned offset) {
  const char *const suffix = offset == 0u ? "" : "_unaligned";
  aes_key_t *const e = &own.encrypt_key, *const d = &own.decrypt_key;
  uint8_t *const out = output(offset);
  int status;

  name_stem = "ecb_encrypt";
  status = CALL(aes_ecb_encrypt, POINTER(e), POINTER(input(own.plain, offset)), POINTER(out),
                BLOCKS);
  judge(suffix, status, AES_OK);

  name_stem = "cbc_encrypt";
  new_chain();
  status = CALL(aes_cbc_encrypt, POINTER(e), POINTER(own.chain),
                POINTER(input(own.plain, offset)), POINTER(out), BLOCKS);
  copy_bytes(own.scratch, out, TEXT_BYTES);
  add_difference(PLAINTEXT, own.plain, own.iv, AES_BLOCK_BYTES);
  add_difference(PLAINTEXT, own.plain + BLOCK_WORDS, own.scratch, TEXT_BYTES - AES_BLOCK_BYTES);
  judge(suffix, status, AES_OK);

  if (decrypts) {
    name_stem = "cbc_decrypt";
    new_chain();
    status = CALL(aes_cbc_decrypt, POINTER(d), POINTER(own.chain),
                  POINTER(input(own.scratch, offset)), POINTER(out), BLOCKS);
    judge(suffix, status, AES_OK);

    name_stem = "ecb_decrypt";
    status = CALL(aes_ecb_decrypt, POINTER(d), POINTER(input(own.cipher, offset)), POINTER(out),
                  BLOCKS);
    judge(suffix, status, AES_OK);
  }

  name_stem = "ctr";
  new_chain();
  status = CALL(aes_ctr, POINTER(e), POINTER(own.chain), POINTER(input(own.plain, offset)),
                POINTER(out), PARTIAL_BYTES);
  add_difference(KEY_STREAM, own.plain, out, PARTIAL_BYTES);
  judge(suffix, status, AES_OK);
}

// J0 and E(J0) of an IV of twelve bytes; the first counter of the text follows.
static void add_mask(void) {
  uint32_t mask[BLOCK_WORDS] = {own.iv[0], own.iv[1], own.iv[2], swapped(1u)};
  (void)aes_encrypt_blocks(&own.gcm_key.cipher, (const uint8_t *)mask, (uint8_t *)mask, 1u);
  add_block(MASK, mask);
}

// GHASH of a message, which tag and E(J0) give.
static void add_last_hash(void) {
  uint32_t mask[BLOCK_WORDS] = {own.iv[0], own.iv[1], own.iv[2], swapped(1u)};
  (void)aes_encrypt_blocks(&own.gcm_key.cipher, (const uint8_t *)mask, (uint8_t *)mask, 1u);
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    mask[i] ^= own.tag[i];
  }
  add_hash(HASH_STATE, mask, BLOCK_WORDS);
}

static void judge_context(const char *rest, int status) {
  add_hash(HASH_STATE, own.gcm.state, BLOCK_WORDS);
  judge(rest, status, AES_OK);
}

// After key stream was used: the rest of its last block. Before that, the block has ciphertext, and
// after other calls AAD or ciphertext only: these are public.
static void judge_text(const char *rest, int status) {
  const unsigned first = (unsigned)own.gcm.text_bytes % AES_BLOCK_BYTES / 4u;
  add_hash(KEY_STREAM, own.gcm.block + first, BLOCK_WORDS - first);
  judge_context(rest, status);
}

static void gcm_calls(unsigned key_bits) {
  aes_gcm_key_t *const k = &own.gcm_key;
  aes_gcm_t *const g = &own.gcm;
  uint8_t *const tag = (uint8_t *)own.tag;
  int status;

  name_stem = "gcm_set_key";
  status = CALL(aes_gcm_set_key, POINTER(k), POINTER(own.key), key_bits);
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    own.scratch[i] = 0u;
  }
  (void)aes_encrypt_blocks(&k->cipher, (const uint8_t *)own.scratch, (uint8_t *)own.scratch, 1u);
  add_block(HASH_KEY, own.scratch);
  add_hash(HASH_KEY, own.scratch, BLOCK_WORDS);
  add_hash(HASH_KEY, k->hash.word, AES_GHASH_KEY_WORDS);
  add_words(ROUND_KEY, k->cipher.rk, AES_KEY_WORDS);
  judge("", status, AES_OK);
  add_mask();

  for (unsigned offset = 0; offset < 2u; offset++) {
    const char *const suffix = offset == 0u ? "" : "_unaligned";
    const uint8_t *const aad = (const uint8_t *)own.aad + offset;
    uint8_t *const out = output(offset);
    name_stem = "gcm_encrypt";
    status = CALL(aes_gcm_encrypt, POINTER(k), POINTER(own.iv), 12u, POINTER(aad), AAD_BYTES,
                  POINTER(input(own.plain, offset)), POINTER(out), PARTIAL_BYTES, POINTER(tag),
                  16u);
    add_difference(KEY_STREAM, own.plain, out, PARTIAL_BYTES);
    add_last_hash();
    judge(suffix, status, AES_OK);

    name_stem = "gcm_decrypt";
    copy_bytes(own.scratch, out, TEXT_BYTES);
    status = CALL(aes_gcm_decrypt, POINTER(k), POINTER(own.iv), 12u, POINTER(aad), AAD_BYTES,
                  POINTER(input(own.scratch, offset)), POINTER(out), PARTIAL_BYTES, POINTER(tag),
                  16u);
    judge(suffix, status, AES_OK);

    name_stem = "gcm_start";
    status = CALL(aes_gcm_start, POINTER(g), POINTER(k), POINTER(own.iv), 12u);
    judge_context(suffix, status);
    name_stem = "gcm_aad";
    status = CALL(aes_gcm_aad, POINTER(g), POINTER(aad), AAD_BYTES);
    judge_context(suffix, status);
    name_stem = "gcm_encrypt_update";
    status = CALL(aes_gcm_encrypt_update, POINTER(g), POINTER(input(own.plain, offset)),
                  POINTER(out), PARTIAL_BYTES);
    judge_text(suffix, status);
    name_stem = "gcm_encrypt_finish";
    status = CALL(aes_gcm_encrypt_finish, POINTER(g), POINTER(tag), 16u);
    judge(suffix, status, AES_OK);

    copy_bytes(own.scratch, out, TEXT_BYTES);
    name_stem = "gcm_start";
    status = CALL(aes_gcm_start, POINTER(g), POINTER(k), POINTER(own.iv), 12u);
    judge_context(suffix, status);
    status = CALL(aes_gcm_aad, POINTER(g), POINTER(aad), AAD_BYTES);
    name_stem = "gcm_aad";
    judge_context(suffix, status);
    name_stem = "gcm_verify_update";
    status = CALL(aes_gcm_verify_update, POINTER(g), POINTER(input(own.scratch, offset)),
                  PARTIAL_BYTES);
    judge_context(suffix, status);
    name_stem = "gcm_verify_finish";
    status = CALL(aes_gcm_verify_finish, POINTER(g), POINTER(tag), 16u);
    judge_context(suffix, status);
    name_stem = "gcm_decrypt_update";
    status = CALL(aes_gcm_decrypt_update, POINTER(g), POINTER(own.in) + offset, POINTER(out),
                  PARTIAL_BYTES);
    judge_text(suffix, status);
    name_stem = "gcm_decrypt_finish";
    status = CALL(aes_gcm_decrypt_finish, POINTER(g));
    judge(suffix, status, AES_OK);
  }

  // J0 of a long IV is a result of GHASH.
  name_stem = "gcm_start";
  status = CALL(aes_gcm_start, POINTER(g), POINTER(k), POINTER(own.iv), LONG_IV_BYTES);
  add_hash(HASH_STATE, g->first, BLOCK_WORDS);
  judge_context("_long_iv", status);

  // A wrong tag.
  name_stem = "gcm_decrypt";
  own.tag[0] ^= 1u;
  status = CALL(aes_gcm_decrypt, POINTER(k), POINTER(own.iv), 12u, POINTER(own.aad), AAD_BYTES,
                POINTER(input(own.scratch, 0)), POINTER(output(0)), PARTIAL_BYTES, POINTER(tag),
                16u);
  judge("_wrong", status, AES_ERR_TAG);

  name_stem = "gcm_clear_key";
  own.cleared_gcm_key = own.gcm_key;
  (void)CALL(aes_gcm_clear_key, POINTER(&own.cleared_gcm_key));
  judge("", AES_OK, AES_OK);
}

#if SECRETS_MODES
// The encryption of a block, and E(0) times x and x^2 are secrets that several modes hold.
static void add_encrypted(kind_t kind, const aes_key_t *k, uint32_t block[BLOCK_WORDS]) {
  (void)aes_encrypt_blocks(k, (const uint8_t *)block, (uint8_t *)block, 1u);
  add_block(kind, block);
}

static void judge_ccm(const char *rest, int status) {
  add_block(HASH_STATE, own.ccm.state);
  add_block(KEY_STREAM, own.ccm.stream);
  judge(rest, status, AES_OK);
}

// A message in one call, right and forged. `rest` ends its name.
static void ccm_message(unsigned offset, unsigned aad_bytes, const char *rest) {
  aes_key_t *const k = &own.encrypt_key;
  uint8_t *const tag = (uint8_t *)own.tag, *const out = output(offset);
  const uint8_t *const aad = (const uint8_t *)own.aad + offset;
  uint32_t mask[BLOCK_WORDS] = {0, 0, 0, 0};
  int status;
  ((uint8_t *)mask)[0] = 1u;
  copy_bytes((uint8_t *)mask + 1u, own.iv, 13u);
  add_encrypted(MASK, k, mask);

  name_stem = "ccm_encrypt";
  status = CALL(aes_ccm_encrypt, POINTER(k), POINTER(own.iv), 13u, POINTER(aad), aad_bytes,
                POINTER(input(own.plain, offset)), POINTER(out), PARTIAL_BYTES, POINTER(tag), 16u);
  add_difference(KEY_STREAM, own.plain, out, PARTIAL_BYTES);
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    mask[i] ^= own.tag[i];
  }
  add_block(HASH_STATE, mask);
  copy_bytes(own.sealed, out, PARTIAL_BYTES);
  judge(rest, status, AES_OK);

  name_stem = "ccm_decrypt";
  status = CALL(aes_ccm_decrypt, POINTER(k), POINTER(own.iv), 13u, POINTER(aad), aad_bytes,
                POINTER(input(own.sealed, offset)), POINTER(out), PARTIAL_BYTES, POINTER(tag), 16u);
  judge(rest, status, AES_OK);
  own.tag[0] ^= 1u;
  status = CALL(aes_ccm_decrypt, POINTER(k), POINTER(own.iv), 13u, POINTER(aad), aad_bytes,
                POINTER(input(own.sealed, offset)), POINTER(out), PARTIAL_BYTES, POINTER(tag), 16u);
  judge("_wrong", status, AES_ERR_TAG);
  own.tag[0] ^= 1u;
}

static void ccm_calls(unsigned offset) {
  const char *const suffix = offset == 0u ? "" : "_unaligned";
  aes_key_t *const k = &own.encrypt_key;
  aes_ccm_t *const c = &own.ccm;
  uint8_t *const tag = (uint8_t *)own.tag, *const out = output(offset);
  const uint8_t *const aad = (const uint8_t *)own.aad + offset;
  int status;
  ccm_message(offset, LONG_AAD_BYTES, "_long_aad");
  ccm_message(offset, AAD_BYTES, suffix);

  // The lengths take two words each; the tag's is the tenth.
  for (unsigned back = 0; back < 2u; back++) {
    name_stem = "ccm_start";
    status = CALL(aes_ccm_start, POINTER(c), POINTER(k), POINTER(own.iv), 13u, AAD_BYTES, 0u,
                  PARTIAL_BYTES, 0u, 16u);
    judge_ccm(suffix, status);
    name_stem = "ccm_aad";
    status = CALL(aes_ccm_aad, POINTER(c), POINTER(aad), AAD_BYTES);
    judge_ccm(suffix, status);
    if (back == 0u) {
      name_stem = "ccm_encrypt_update";
      status = CALL(aes_ccm_encrypt_update, POINTER(c), POINTER(input(own.plain, offset)),
                    POINTER(out), PARTIAL_BYTES);
      judge_ccm(suffix, status);
      name_stem = "ccm_encrypt_finish";
      status = CALL(aes_ccm_encrypt_finish, POINTER(c), POINTER(tag));
      judge(suffix, status, AES_OK);
    }
  }
  name_stem = "ccm_verify_update";
  status = CALL(aes_ccm_verify_update, POINTER(c), POINTER(input(own.sealed, offset)),
                PARTIAL_BYTES);
  judge_ccm(suffix, status);
  name_stem = "ccm_verify_finish";
  status = CALL(aes_ccm_verify_finish, POINTER(c), POINTER(tag));
  judge_ccm(suffix, status);
  name_stem = "ccm_decrypt_update";
  status = CALL(aes_ccm_decrypt_update, POINTER(c), POINTER(own.in) + offset, POINTER(out),
                PARTIAL_BYTES);
  judge_ccm(suffix, status);
  name_stem = "ccm_decrypt_finish";
  status = CALL(aes_ccm_decrypt_finish, POINTER(c));
  judge(suffix, status, AES_OK);
}

static void cmac_calls(unsigned key_bits, unsigned offset) {
  const char *const suffix = offset == 0u ? "" : "_unaligned";
  aes_cmac_key_t *const k = &own.cmac_key;
  aes_cmac_t *const c = &own.cmac;
  uint8_t *const tag = (uint8_t *)own.tag;
  uint32_t zero[BLOCK_WORDS] = {0, 0, 0, 0};
  int status;
  name_stem = "cmac_set_key";
  status = CALL(aes_cmac_set_key, POINTER(k), POINTER(own.key), key_bits);
  add_encrypted(HASH_KEY, &k->cipher, zero);
  add_block(HASH_KEY, k->k1);
  add_block(HASH_KEY, k->k2);
  add_words(ROUND_KEY, k->cipher.rk, AES_KEY_WORDS);
  judge(suffix, status, AES_OK);
  name_stem = "cmac_start";
  status = CALL(aes_cmac_start, POINTER(c), POINTER(k));
  judge(suffix, status, AES_OK);
  name_stem = "cmac_update";
  status = CALL(aes_cmac_update, POINTER(c), POINTER(input(own.plain, offset)), PARTIAL_BYTES);
  add_block(HASH_STATE, c->state);
  judge(suffix, status, AES_OK);
  name_stem = "cmac_finish";
  status = CALL(aes_cmac_finish, POINTER(c), POINTER(tag), 16u);
  judge(suffix, status, AES_OK);
  name_stem = "cmac_verify";
  status = CALL(aes_cmac_verify, POINTER(k), POINTER(input(own.plain, offset)), PARTIAL_BYTES,
                POINTER(tag), 16u);
  judge(suffix, status, AES_OK);
  name_stem = "cmac_clear_key";
  (void)CALL(aes_cmac_clear_key, POINTER(k));
  judge(suffix, AES_OK, AES_OK);
}

// The masks of a data unit are E(tweak) times x, x^2 and so on.
static void add_xts_masks(void) {
  uint32_t t[BLOCK_WORDS] = {own.iv[0], own.iv[1], own.iv[2], own.iv[3]};
  (void)aes_encrypt_blocks(&own.xts_key.tweak, (const uint8_t *)t, (uint8_t *)t, 1u);
  for (unsigned i = 0; i < BLOCKS; i++) {
    const uint32_t high = t[3] >> 31;
    add_block(MASK, t);
    for (unsigned j = 0; j < BLOCK_WORDS; j++) {
      add_word(STATE, t[j] ^ own.plain[i * BLOCK_WORDS + j]);
    }
    for (unsigned j = BLOCK_WORDS - 1u; j != 0u; j--) {
      t[j] = t[j] << 1 | t[j - 1u] >> 31;
    }
    t[0] = t[0] << 1 ^ (0x87u & (0u - high));
  }
}

static void xts_calls(int decrypts, unsigned offset) {
  const char *const suffix = offset == 0u ? "" : "_unaligned";
  aes_xts_key_t *const k = &own.xts_key;
  uint8_t *const out = output(offset);
  int status;
  add_words(KEY, own.key, KEY_WORDS);
  name_stem = "xts_set_encrypt_key";
  status = CALL(aes_xts_set_encrypt_key, POINTER(k), POINTER(own.key), 256u);
  add_words(ROUND_KEY, k->data.rk, AES_KEY_WORDS);
  add_words(ROUND_KEY, k->tweak.rk, AES_KEY_WORDS);
  judge(suffix, status, AES_OK);
  add_xts_masks();
  name_stem = "xts_encrypt";
  status = CALL(aes_xts_encrypt, POINTER(k), POINTER(own.iv), POINTER(input(own.plain, offset)),
                POINTER(out), PARTIAL_BYTES);
  copy_bytes(own.sealed, out, PARTIAL_BYTES);
  judge(suffix, status, AES_OK);
  if (decrypts) {
    name_stem = "xts_set_decrypt_key";
    status = CALL(aes_xts_set_decrypt_key, POINTER(k), POINTER(own.key), 256u);
    add_words(ROUND_KEY, k->data.rk, AES_KEY_WORDS);
    judge(suffix, status, AES_OK);
    name_stem = "xts_decrypt";
    status = CALL(aes_xts_decrypt, POINTER(k), POINTER(own.iv),
                  POINTER(input(own.sealed, offset)), POINTER(out), PARTIAL_BYTES);
    judge(suffix, status, AES_OK);
  }
  name_stem = "xts_clear_key";
  (void)CALL(aes_xts_clear_key, POINTER(k));
  judge(suffix, AES_OK, AES_OK);
}

static void wrap_calls(int decrypts, unsigned offset) {
  const char *const suffix = offset == 0u ? "" : "_unaligned";
  aes_key_t *const e = &own.encrypt_key, *const d = &own.decrypt_key;
  uint8_t *const out = output(offset);
  int status;
  name_stem = "kw_wrap";
  status = CALL(aes_kw_wrap, POINTER(e), POINTER(input(own.plain, offset)), POINTER(out), 40u);
  copy_bytes(own.sealed, out, 48u);
  judge(suffix, status, AES_OK);
  if (decrypts) {
    name_stem = "kw_unwrap";
    status = CALL(aes_kw_unwrap, POINTER(d), POINTER(input(own.sealed, offset)), POINTER(out), 48u);
    judge(suffix, status, AES_OK);
    own.sealed[0] ^= 1u;
    status = CALL(aes_kw_unwrap, POINTER(d), POINTER(input(own.sealed, offset)), POINTER(out), 48u);
    judge("_wrong", status, AES_ERR_TAG);
  }
  for (unsigned n = 5u; n <= 37u; n += 32u) {
    name_stem = "kwp_wrap";
    status = CALL(aes_kwp_wrap, POINTER(e), POINTER(input(own.plain, offset)), POINTER(out), n);
    copy_bytes(own.sealed, out, 48u);
    judge(suffix, status, AES_OK);
    if (decrypts) {
      name_stem = "kwp_unwrap";
      status = CALL(aes_kwp_unwrap, POINTER(d), POINTER(input(own.sealed, offset)), POINTER(out),
                    aes_kwp_wrapped_bytes(n), POINTER(&own.plain_bytes));
      judge(suffix, status, AES_OK);
    }
  }
}

// The keys of a message, RFC 8452, section 4.
static void add_siv_keys(const aes_key_t *k, unsigned key_bits) {
  uint32_t halves[12];
  for (uint32_t i = 0; i < 2u + key_bits / 64u; i++) {
    uint32_t block[BLOCK_WORDS] = {i, own.iv[0], own.iv[1], own.iv[2]};
    add_encrypted(KEY, k, block);
    halves[2u * i] = block[0];
    halves[2u * i + 1u] = block[1];
  }
  // POLYVAL's key for GHASH: in reverse order, times x (RFC 8452, appendix A).
  aes_ghash_key_t *const hash = &own.cleared_gcm_key.hash;
  uint32_t subkey[BLOCK_WORDS];
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    const uint32_t carry = i == 0u ? 0u : halves[4u - i] << 31;
    subkey[i] = halves[3u - i] >> 1 | carry;
  }
  subkey[0] ^= 0xe1000000u & (0u - (halves[0] & 1u));
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    subkey[i] = swapped(subkey[i]);
  }
  aes_ghash_set_key(hash, (const uint8_t *)subkey);
  add_hash(HASH_KEY, halves, BLOCK_WORDS);
  add_hash(HASH_KEY, subkey, BLOCK_WORDS);
  add_hash(HASH_KEY, hash->word, AES_GHASH_KEY_WORDS);
  aes_wipe(hash, sizeof *hash);
  (void)aes_set_encrypt_key(&own.cleared_key, (const uint8_t *)(halves + BLOCK_WORDS), key_bits);
  add_words(ROUND_KEY, own.cleared_key.rk, AES_KEY_WORDS);
  aes_clear_key(&own.cleared_key);
}

static void siv_calls(unsigned key_bits, unsigned offset) {
  const char *const suffix = offset == 0u ? "" : "_unaligned";
  aes_key_t *const k = &own.encrypt_key;
  uint8_t *const tag = (uint8_t *)own.tag, *const out = output(offset);
  const uint8_t *const aad = (const uint8_t *)own.aad + offset;
  int status;
  add_siv_keys(k, key_bits);
  name_stem = "gcm_siv_encrypt";
  status = CALL(aes_gcm_siv_encrypt, POINTER(k), POINTER(own.iv), POINTER(aad), AAD_BYTES,
                POINTER(input(own.plain, offset)), POINTER(out), PARTIAL_BYTES, POINTER(tag));
  add_difference(KEY_STREAM, own.plain, out, PARTIAL_BYTES);
  copy_bytes(own.sealed, out, PARTIAL_BYTES);
  judge(suffix, status, AES_OK);
  for (unsigned wrong = 0; wrong < 2u; wrong++) {
    name_stem = "gcm_siv_decrypt";
    own.sealed[0] ^= wrong;
    status = CALL(aes_gcm_siv_decrypt, POINTER(k), POINTER(own.iv), POINTER(aad), AAD_BYTES,
                  POINTER(input(own.sealed, offset)), POINTER(out), PARTIAL_BYTES, POINTER(tag));
    judge(wrong == 0u ? suffix : "_wrong", status, wrong == 0u ? AES_OK : AES_ERR_TAG);
  }
}

static void sealed_calls(unsigned key_bits) {
  const uint8_t *const key = (const uint8_t *)own.key;
  (void)aes_set_encrypt_key(&own.encrypt_key, key, key_bits);
  const int decrypts = aes_set_decrypt_key(&own.decrypt_key, key, key_bits) == AES_OK;
  add_words(ROUND_KEY, own.encrypt_key.rk, AES_KEY_WORDS);
  if (decrypts) {
    add_words(ROUND_KEY, own.decrypt_key.rk, AES_KEY_WORDS);
  }
  for (unsigned offset = 0; offset < 2u; offset++) {
    ccm_calls(offset);
    cmac_calls(key_bits, offset);
    wrap_calls(decrypts, offset);
    if (key_bits != 192u) {
      siv_calls(key_bits, offset);
      xts_calls(decrypts, offset);
    }
  }
}
#endif

#if SECRETS_STACKS
// CTR and decryption in one pass, in two pieces that end within a block.
static void piece_calls(unsigned offset) {
  const char *const suffix = offset == 0u ? "" : "_unaligned";
  aes_ctr_t *const c = &own.ctr;
  aes_gcm_t *const g = &own.gcm;
  aes_gcm_key_t *const k = &own.gcm_key;
  uint8_t *const out = output(offset), *const tag = (uint8_t *)own.tag;
  int status;
  (void)aes_gcm_encrypt(k, (const uint8_t *)own.iv, 12u, (const uint8_t *)own.aad, AAD_BYTES,
                        (const uint8_t *)own.plain, (uint8_t *)own.cipher, PARTIAL_BYTES, tag, 16u);
  name_stem = "ctr_start";
  status = CALL(aes_ctr_start, POINTER(c), POINTER(&k->cipher), POINTER(own.iv));
  judge(suffix, status, AES_OK);
  for (unsigned at = 0; at < PARTIAL_BYTES; at += 35u) {
    const unsigned n = PARTIAL_BYTES - at < 35u ? PARTIAL_BYTES - at : 35u;
    name_stem = "ctr_update";
    status = CALL(aes_ctr_update, POINTER(c), POINTER(input(own.plain, offset) + at),
                  POINTER(out + at), n);
    add_difference(KEY_STREAM, own.plain, out, at + n);
    add_block(KEY_STREAM, c->stream);
    judge(suffix, status, AES_OK);
  }
  name_stem = "ctr_finish";
  judge(suffix, CALL(aes_ctr_finish, POINTER(c)), AES_OK);
  for (unsigned wrong = 0; wrong < 2u; wrong++) {
    tag[0] ^= (uint8_t)wrong;
    (void)aes_gcm_start(g, k, (const uint8_t *)own.iv, 12u);
    (void)aes_gcm_aad(g, (const uint8_t *)own.aad, AAD_BYTES);
    for (unsigned at = 0; at < PARTIAL_BYTES; at += 35u) {
      const unsigned n = PARTIAL_BYTES - at < 35u ? PARTIAL_BYTES - at : 35u;
      name_stem = "gcm_unverified_update";
      status = CALL(aes_gcm_unverified_update, POINTER(g),
                    POINTER(input(own.cipher, offset) + at), POINTER(out + at), n);
      add_difference(KEY_STREAM, own.cipher, out, at + n);
      judge_text(suffix, status);
    }
    name_stem = "gcm_unverified_finish";
    status = CALL(aes_gcm_unverified_finish, POINTER(g), POINTER(tag), 16u);
    judge(wrong == 0u ? suffix : "_wrong", status, wrong == 0u ? AES_OK : AES_ERR_TAG);
  }
}

// Keys as bytes: what these calls leave in static memory is in the cache.
static void raw_calls(unsigned key_bits, unsigned offset) {
  const char *const suffix = offset == 0u ? "" : "_unaligned";
  uint8_t *const key = (uint8_t *)own.scratch + offset, *const out = output(offset);
  uint8_t *const tag = (uint8_t *)own.tag;
  aesforge_ctr_t *const c = &own.raw_ctr;
  aesforge_gcm_t *const g = &own.raw_gcm;
  int status;
  copy_bytes(key, own.key, key_bits / 8u);
  name_stem = "aesforge_ecb_encrypt";
  status = CALL(aesforge_ecb_encrypt, POINTER(key), key_bits, POINTER(input(own.plain, offset)),
                POINTER(out), BLOCKS);
  judge(suffix, status, AES_OK);
  name_stem = "aesforge_ctr_start";
  status = CALL(aesforge_ctr_start, POINTER(c), POINTER(key), key_bits, POINTER(own.iv));
  judge(suffix, status, AES_OK);
  name_stem = "aesforge_ctr_update";
  status = CALL(aesforge_ctr_update, POINTER(c), POINTER(input(own.plain, offset)), POINTER(out),
                PARTIAL_BYTES);
  add_difference(KEY_STREAM, own.plain, out, PARTIAL_BYTES);
  judge(suffix, status, AES_OK);
  name_stem = "aesforge_ctr_finish";
  judge(suffix, CALL(aesforge_ctr_finish, POINTER(c)), AES_OK);
  name_stem = "aesforge_gcm_start";
  status = CALL(aesforge_gcm_start, POINTER(g), POINTER(key), key_bits, POINTER(own.iv), 12u);
  judge(suffix, status, AES_OK);
  name_stem = "aesforge_gcm_encrypt_update";
  status = CALL(aesforge_gcm_encrypt_update, POINTER(g), POINTER(input(own.plain, offset)),
                POINTER(out), PARTIAL_BYTES);
  add_difference(KEY_STREAM, own.plain, out, PARTIAL_BYTES);
  judge(suffix, status, AES_OK);
  name_stem = "aesforge_gcm_encrypt_finish";
  status = CALL(aesforge_gcm_encrypt_finish, POINTER(g), POINTER(tag), 16u);
  judge(suffix, status, AES_OK);
  name_stem = "aesforge_cmac";
  status = CALL(aesforge_cmac, POINTER(key), key_bits, POINTER(input(own.plain, offset)),
                PARTIAL_BYTES, POINTER(tag), 16u);
  judge(suffix, status, AES_OK);
  name_stem = "forget";
  (void)CALL(aesforge_forget, 0u);
  judge(suffix, AES_OK, AES_OK);
}

static void stack_calls(unsigned key_bits) {
  aes_gcm_key_t *const k = &own.gcm_key;
  (void)aes_gcm_set_key(k, (const uint8_t *)own.key, key_bits);
  add_words(ROUND_KEY, k->cipher.rk, AES_KEY_WORDS);
  add_hash(HASH_KEY, k->hash.word, AES_GHASH_KEY_WORDS);
  add_mask();
  for (unsigned offset = 0; offset < 2u; offset++) {
    piece_calls(offset);
    raw_calls(key_bits, offset);
  }
}
#endif

static void kernel(unsigned key_bits) {
  int decrypts;
  if (aes_set_encrypt_key(&own.encrypt_key, (const uint8_t *)own.key, key_bits) ==
      AES_ERR_UNSUPPORTED) {
    return;  // the variant lacks keys of this length
  }
  aes_clear_key(&own.encrypt_key);
  forget_secrets();
  name_bits = key_bits;
  random_fill(own.key, KEY_WORDS);
  random_fill(own.plain, TEXT_BYTES / 4u);
  random_fill(own.iv, BLOCK_WORDS);
  random_fill(own.aad, sizeof own.aad / 4u);
  add_words(KEY, own.key, key_bits / 32u);
  add_round_keys(key_bits);
#if SECRETS_GROUPS
  own.iv[3] &= swapped(0xffffff00u);  // no overflow of the counter's last byte
  add_shared(own.iv[0], own.iv[1], own.iv[2], own.iv[3]);
  add_shared(own.iv[0], own.iv[1], own.iv[2], swapped(2u));
#endif
  add_blocks(PLAINTEXT, own.plain, BLOCKS);
#if SECRETS_STACKS
  stack_calls(key_bits);
#elif SECRETS_MODES
  sealed_calls(key_bits);
#endif
#if SECRETS_STACKS || SECRETS_MODES
  (void)decrypts;
  (void)kernel_calls;
  (void)mode_calls;
  (void)gcm_calls;
  return;
#endif
  decrypts = kernel_calls(key_bits);
  mode_calls(decrypts, 0u);
  mode_calls(decrypts, 1u);
  gcm_calls(key_bits);
}
#endif

// The curves --------------------------------------------------------------------------------------

#if SECRETS_CURVES
#include "ecc.h"
#include "hmac_sha256.h"

#define P256_BYTES 32u

// A byte string: the words at all of its offsets.
static void add_bytes(kind_t kind, const void *bytes, size_t n) {
  for (size_t i = 0; i + 4u <= n; i++) {
    add_word(kind, load((const uint8_t *)bytes + i));
  }
}

// The nonce of RFC 6979, section 3.2, for a hash of 32 bytes below the order.
static void add_nonce(const uint8_t *d, const uint8_t *hash) {
  uint8_t k[P256_BYTES], v[P256_BYTES];
  for (unsigned i = 0; i < P256_BYTES; i++) {
    k[i] = 0u;
    v[i] = 1u;
  }
  for (uint8_t round = 0; round < 2u; round++) {
    const uint8_t *const parts[] = {v, &round, d, hash};
    const size_t lengths[] = {P256_BYTES, 1u, P256_BYTES, P256_BYTES};
    hmac_sha256(k, k, parts, lengths, 4u);
    hmac_sha256(v, k, parts, lengths, 1u);
  }
  const uint8_t *const last[] = {v};
  const size_t length[] = {P256_BYTES};
  hmac_sha256(v, k, last, length, 1u);
  add_bytes(NONCE, v, P256_BYTES);
  add_bytes(NONCE, k, P256_BYTES);
}

// A private key of n bytes below the order of every curve with so many: it begins with `first`.
static uint8_t *new_scalar(size_t n, uint8_t first) {
  uint8_t *d = (uint8_t *)own.key;
  forget_secrets();
  random_fill(own.key, KEY_WORDS);
  d[0] = first;
  if (first == 0u) {
    d[1] &= 0x7fu;
  }
  add_bytes(SCALAR, d, n);
  return d;
}

typedef struct {
  const char *public_name;
  const char *shared_name;
  int (*public_key)(uint8_t *, const uint8_t *);
  int (*shared)(uint8_t *, const uint8_t *, const uint8_t *);
  size_t bytes;
  uint8_t first;  // byte of a private key
} curve_t;

static const curve_t curves[] = {
    {"x25519_base", "x25519", x25519_base, x25519, 32u, 0x58u},
    {"p256_public_key", "p256_ecdh", p256_public_key, p256_ecdh, 32u, 0x58u},
    {"b233_public_key", "b233_ecdh", b233_public_key, b233_ecdh, 30u, 0u},
    {"k233_public_key", "k233_ecdh", k233_public_key, k233_ecdh, 30u, 0u},
    {"sect163k1_public_key", "sect163k1_ecdh", sect163k1_public_key, sect163k1_ecdh, 21u, 2u},
    {"sect163r1_public_key", "sect163r1_ecdh", sect163r1_public_key, sect163r1_ecdh, 21u, 2u},
};

// Whether a name begins with SECRETS_ONLY, if there is such a choice.
#ifndef SECRETS_ONLY
#define SECRETS_ONLY ""
#endif
static int chosen(const char *function) {
  for (const char *p = SECRETS_ONLY; *p != '\0'; p++, function++) {
    if (*p != *function) {
      return 0;
    }
  }
  return 1;
}

// A key pair, then Diffie-Hellman of another private key with its public one.
static void curve_calls(const curve_t *c) {
  uint8_t *const pub = (uint8_t *)own.in + 1, *const shared = (uint8_t *)own.out + 1;
  int status;
  uint8_t *d = new_scalar(c->bytes, c->first);
  name_stem = c->public_name;
  status = CALL(c->public_key, POINTER(pub), POINTER(d));
  judge("", status, ECC_OK);
  d = new_scalar(c->bytes, c->first);
  name_stem = c->shared_name;
  status = CALL(c->shared, POINTER(shared), POINTER(d), POINTER(pub));
  add_bytes(SHARED, shared, c->bytes);
  judge("", status, ECC_OK);
}

static void sign(void) {
  uint8_t *const hash = (uint8_t *)own.plain, *const signature = (uint8_t *)own.out + 1;
  uint8_t *const d = new_scalar(P256_BYTES, 0x58u);
  int status;
  random_fill(own.plain, P256_BYTES / 4u);
  hash[0] = 0x17u;
  add_nonce(d, hash);
  name_stem = "p256_ecdsa_sign";
  status = CALL(p256_ecdsa_sign, POINTER(signature), POINTER(d), POINTER(hash), P256_BYTES);
  judge("", status, ECC_OK);
}

static void all_curves(void) {
  name_bits = 0u;
  for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
    if (chosen(curves[i].public_name)) {
      curve_calls(&curves[i]);
    }
  }
  if (chosen("p256_ecdsa_sign")) {
    sign();
  }
}
#endif

int main(void) {
  own.random_state = SECRETS_SEED;
  fill_stack();
#if SECRETS_CONTROL
  random_fill(own.key, KEY_WORDS);
  add_words(KEY, own.key, KEY_WORDS);
  controls();
#endif
#if SECRETS_KERNEL
  kernel(128u);
#if SECRETS_SIZES > 1
  kernel(192u);
  kernel(256u);
#endif
#endif
#if SECRETS_CURVES
  all_curves();
#endif
  search_far();
  say("{\"question\":\"secrets\",\"what\":\"total\",\"calls\":");
  say_u32(calls);
  say(",\"bytes\":");
  say_u32(bytes_searched);
  say(",\"findings\":");
  say_u32(findings);
  say(",\"errors\":");
  say_u32(errors);
  say("}\n");
  hal_exit(findings == 0u && errors == 0u ? 0u : 1u);
}
