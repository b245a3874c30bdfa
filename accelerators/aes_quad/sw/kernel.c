// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 in quad packing: key set-up, and the blocks as C for the emulated unit and for
// cores that are not RISC-V. On RISC-V they are blocks.S; both take their order from schedule.h.
// Source: FIPS 197, sections 5.2 (key expansion) and 5.3.5 (equivalent inverse cipher); the packing
// from this accelerator's README.
#define ACCEL_OPS_VOLATILE  // the order below is deliberate
#include "accel_ops.h"
#include "aes_in_registers.h"
#include "schedule.h"

// An operation without a round key.
#if defined(AESQ_KEYED)
#define NO_KEY 63
#define PLAIN(f, x, y) aesqk_##f(x, y, NO_KEY)
#elif defined(AESQ_THREE)
#define PLAIN(f, x, y) aesq3_##f(x, y, 0)
#else
#define PLAIN(f, x, y) aesq_##f(x, y)
#endif

// ---- round keys in the unit ---------------------------------------------------------------------

#if defined(AESQ_KEYED)

// The unit's tag is the number of the key whose words it holds, 0 for none. The first load of a key
// gives it a number that no other key has. A copy made later has the same number, an earlier copy
// gets a new one; addresses do not matter.
//
// The blocks run first and compare the tag before they store. If it is not their key's number,
// aesq_load loads the key and they run again. Repeated calls under one key cost one comparison, and
// an interrupt handler that has used the unit has nothing to restore.

typedef char number_fits_key[AES_KEY_WORDS > AES_NUMBER ? 1 : -1];

// The number of a key that has none yet. Without one aesq_load gives the unit a tag for one call.
#define UNNUMBERED 0xffffffffu

static struct {
  volatile uint32_t closed;  // a number is being drawn, or there are no more
  volatile uint32_t last;
} numbers;

// A handler that interrupts this function finds `closed` set and gets no number. After 2^31 numbers
// `closed` stays set.
INLINE uint32_t draw_number(void) {
  uint32_t number = UNNUMBERED;
  if (!numbers.closed) {
    numbers.closed = 1;
    number = numbers.last + 1;
    numbers.last = number;
    numbers.closed = number >> 31;
  }
  return number;
}

INLINE void forget_number(aes_key_t *k) { k->rk[AES_NUMBER] = UNNUMBERED; }

#define LOAD_ROUND(k, s)                         \
  do {                                           \
    (void)aesqk_load((k)->rk[(s) + 0], (s) + 0); \
    (void)aesqk_load((k)->rk[(s) + 1], (s) + 1); \
    (void)aesqk_load((k)->rk[(s) + 2], (s) + 2); \
    (void)aesqk_load((k)->rk[(s) + 3], (s) + 3); \
  } while (0)

static __attribute__((noinline)) void load_words(const aes_key_t *k, uint32_t tag) {
  (void)aesqk_begin(tag);
  LOAD_ROUND(k, AES_FIRST);
  if (k->rounds > 12) {
    LOAD_ROUND(k, AES_ROUND(0));
    LOAD_ROUND(k, AES_ROUND(1));
  }
  if (k->rounds > 10) {
    LOAD_ROUND(k, AES_ROUND(2));
    LOAD_ROUND(k, AES_ROUND(3));
  }
  LOAD_ROUND(k, AES_ROUND(4));
  LOAD_ROUND(k, AES_ROUND(5));
  LOAD_ROUND(k, AES_ROUND(6));
  LOAD_ROUND(k, AES_ROUND(7));
  LOAD_ROUND(k, AES_ROUND(8));
  LOAD_ROUND(k, AES_ROUND(9));
  LOAD_ROUND(k, AES_ROUND(10));
  LOAD_ROUND(k, AES_ROUND(11));
  LOAD_ROUND(k, AES_ROUND(12));
  LOAD_ROUND(k, AES_LAST);
}

// Load a key into the unit; return its tag, or 0 if *k holds no key. This writes the number into
// the key, although it is const. A tag for one call is an address on the stack, so that an
// interrupting call has another one.
uint32_t aesq_load(const aes_key_t *k);
uint32_t aesq_load(const aes_key_t *k) {
  uint32_t tag = k->rk[AES_NUMBER];
  if (k->rounds != 10 && k->rounds != 12 && k->rounds != 14) return 0;
  if (tag == UNNUMBERED) {
    tag = draw_number();
    ((aes_key_t *)(uintptr_t)k)->rk[AES_NUMBER] = tag;
    if (tag == UNNUMBERED) tag = 0x80000001u | (uint32_t)(uintptr_t)&tag >> 1;
  }
  load_words(k, tag);
  return tag;
}

// Return from a call without a valid key.
int aesq_no_key(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int aesq_no_key(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  (void)k, (void)in;
  return aes_no_blocks(out, nblocks, AES_ERR_KEY);
}

// Wipe both copies of the round keys. Clearing the store makes its words invalid; writing zeros
// also overwrites its cells.
void aes_clear_key(aes_key_t *k) {
  volatile uint32_t *const words = (volatile uint32_t *)k;
  const uint32_t number = k->rk[AES_NUMBER];
  if (aesqk_tag(0) == number || number == UNNUMBERED) {
    static const aes_key_t nothing = {.rounds = 14};
    load_words(&nothing, 0);
    (void)aesqk_begin(0);
  }
  for (size_t i = 0; i < sizeof *k / sizeof *words; i++) words[i] = 0;
  forget_registers();
}

// Without a tag the next call loads its key, and so does the interrupted call. The interrupt may
// arrive between the tag and the words of a key that is being loaded: the handler must not treat
// them as loaded.
void aes_unit_save(aes_unit_state_t *state) {
  state->word[0] = 0;
  (void)aesqk_begin(0);
}

void aes_unit_restore(const aes_unit_state_t *state) {
  (void)aesqk_begin(state->word[0]);
}

#else

INLINE void forget_number(aes_key_t *k) { (void)k; }

#endif

// ---- blocks -------------------------------------------------------------------------------------

#ifndef AESQ_ASSEMBLY

#define OP2(f, z, x, y) z = aesq_##f(x, y);
#define OP3(f, z, x, y, k) z = aesq3_##f(x, y, k);
#define OPK(f, z, x, y, s) z = aesqk_##f(x, y, s);
#define KEY(k, s) k = key[s];
#define ADD(z, k) z ^= k;
#define GET(z, i) z = from[i];
#define PUT(to, z, i) to[i] = z;

// Words change registers; not every form uses all of them.
#define STATE                                                               \
  uint32_t A1, B1, C1, D1, A2, B2, C2, D2, A3, B3, C3, D3, A4, B4, C4, D4;  \
  uint32_t A5, B5, C5, D5, A6, B6, C6, D6, T, K0 = key[0], K1 = key[1], K2; \
  const uint32_t R0 = key[AES_FIRST + 2], R1 = key[AES_FIRST + 3];          \
  (void)K0, (void)K1, (void)K2, (void)R0, (void)R1

#if defined(AESQ_KEYED)
#define TAG uint32_t tag = key[AES_NUMBER]
#define ANOTHER_KEY (aesqk_tag(0) != tag || k->rounds == 0)
#else
#define TAG uint32_t tag
#define ANOTHER_KEY 0
#define aesq_load(k) 0
#define aesq_no_key(k, in, out, nblocks) AES_ERR_KEY
#endif

#define GROUP(N, ec, ea, ex, ey)                               \
  {                                                            \
    LOAD_##N PACK_##N(AES_ROUND(4));                           \
    if (k->rounds > 12) {                                      \
      KEY(K0, AES_ROUND(0)) KEY(K1, AES_ROUND(0) + 1)          \
      TWO_ROUNDS(FORTH_##N, BACK_##N, ec, ea, 0)               \
    }                                                          \
    if (k->rounds > 10) {                                      \
      KEY(K0, AES_ROUND(2)) KEY(K1, AES_ROUND(2) + 1)          \
      TWO_ROUNDS(FORTH_##N, BACK_##N, ec, ea, 2)               \
    }                                                          \
    ROUNDS(FORTH_##N, BACK_##N, ec, ea, ex, ey)                \
    if (ANOTHER_KEY) {                                         \
      if ((tag = aesq_load(k)) != 0) continue;                 \
      return aesq_no_key(k, in, out, all);                     \
    }                                                          \
    STORE_##N(to);                                             \
    from += 4 * N, to += 4 * N, nblocks -= N;                  \
  }

#define EMULATE(ec, ea, ex, ey)                                  \
  const uint32_t *const key = k->rk;                             \
  const word_t *from = (const word_t *)in;                       \
  word_t *to = (word_t *)out;                                    \
  const size_t all = nblocks;                                    \
  STATE;                                                         \
  TAG;                                                           \
  (void)tag, (void)all;                                          \
  if (INTERLEAVE) while (nblocks >= 6) GROUP(6, ec, ea, ex, ey); \
  while (nblocks >= 1) GROUP(1, ec, ea, ex, ey);                 \
  return AES_OK

#ifdef AES_NO_INTERLEAVE
#define INTERLEAVE 0
#else
#define INTERLEAVE 1
#endif

#define FLIP 0
int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  EMULATE(ec, ea, ex, ey);
}
#undef FLIP

#ifndef AES_ENCRYPT_ONLY
#define FLIP 1
int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  EMULATE(dc, da, dx, dy);
}
#undef FLIP
#endif

#endif

// ---- key expansion (FIPS 197, section 5.2) ------------------------------------------------------
//
// The first round's key is packed as it is, those of the middle rounds too, in decryption through
// InvMixColumns; the last round's stay columns. In decryption the order is reversed and x is the
// higher column of a pair.
//
// Operations precede stores and the chain of XORs follows them: on some cores an operation stalls
// after a store, and here no instruction stalls for an operation's result.

// f makes SubWord(RotWord(from)) (ex) or SubWord(from) (ey), for START; w has it, and the round's
// constant c added, after FINISH.
#if defined(AESQ_THREE)
#define START(f, w, from, c) w ^= (c), w = aesq3_##f(from, from, w)
#define FINISH(w) (void)t
#else
#define START(f, w, from, c) t = PLAIN(f, from, from), w ^= (c)
#define FINISH(w) w ^= t
#endif

#ifdef AES_ENCRYPT_ONLY
#define MIXED(f, x, y) 0
#else
#define MIXED(f, x, y) PLAIN(f, x, y)
#endif

// Two columns of a middle round's key as quads.
INLINE uint32_t quad_c(const int dec, uint32_t w0, uint32_t w1) {
  return dec ? MIXED(kc, w1, w0) : PLAIN(pc, w0, w1);
}

INLINE uint32_t quad_a(const int dec, uint32_t w0, uint32_t w1) {
  return dec ? MIXED(ka, w1, w0) : PLAIN(pa, w0, w1);
}

#define PACK(q, w0, w1, w2, w3)                           \
  q##0 = quad_c(dec, w0, w1), q##1 = quad_a(dec, w0, w1), \
  q##2 = quad_c(dec, w2, w3), q##3 = quad_a(dec, w2, w3)
#define STORE(p, q0, q1, q2, q3) (p)[0] = q0, (p)[1] = q1, (p)[2] = q2, (p)[3] = q3

// The same for the keys that do not go through InvMixColumns.
#define PUT_FIRST(w0, w1, w2, w3)                          \
  do {                                                     \
    const uint32_t x0 = dec ? w1 : w0, y0 = dec ? w0 : w1; \
    const uint32_t x1 = dec ? w3 : w2, y1 = dec ? w2 : w3; \
    q0 = PLAIN(pc, x0, y0), q1 = PLAIN(pa, x0, y0);        \
    q2 = PLAIN(pc, x1, y1), q3 = PLAIN(pa, x1, y1);        \
    STORE(k->rk + AES_FIRST, q0, q1, q2, q3);              \
  } while (0)
#define PUT_LAST(w0, w1, w2, w3)             \
  do {                                       \
    uint32_t *const last = k->rk + AES_LAST; \
    last[0 ^ dec] = w0, last[1 ^ dec] = w1;  \
    last[2 ^ dec] = w2, last[3 ^ dec] = w3;  \
  } while (0)

#define CHAIN(w0, w1, w2, w3) FINISH(w0), w1 ^= w0, w2 ^= w1, w3 ^= w2

#define ROUND_128(next_constant)    \
  CHAIN(w0, w1, w2, w3);            \
  PACK(q, w0, w1, w2, w3);          \
  START(ex, w0, w3, next_constant); \
  STORE(p, q0, q1, q2, q3), p += next

INLINE int expand(const int dec, aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *words = (const word_t *)key;
  const int next = dec ? -4 : 4;  // from one middle round's key to that of the following one
  uint32_t w0, w1, w2, w3, w4, w5, w6, w7, q0, q1, q2, q3, q4, q5, t = 0, c;

  if (key_bits != 128 && key_bits != 192 && key_bits != 256)
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  forget_number(k);
  const uint32_t rounds = key_bits / 32 + 6;
  uint32_t *p = k->rk + (dec ? AES_ROUND(12) : AES_ROUND(14 - rounds));
  k->rounds = rounds;

  w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3];
  if (dec) {
    PUT_LAST(w0, w1, w2, w3);
  } else {
    PUT_FIRST(w0, w1, w2, w3);
  }
  if (key_bits == 128) {
    START(ex, w0, w3, 0x01);
    ROUND_128(0x02);
    ROUND_128(0x04);
    ROUND_128(0x08);
    ROUND_128(0x10);
    ROUND_128(0x20);
    ROUND_128(0x40);
    ROUND_128(0x80);
    ROUND_128(0x1b);
    ROUND_128(0x36);
    CHAIN(w0, w1, w2, w3);
  } else if (key_bits == 192) {
    // Three round keys are two steps of six words.
    w4 = words[4], w5 = words[5];
    q0 = quad_c(dec, w4, w5), q1 = quad_a(dec, w4, w5);
    START(ex, w0, w5, 0x01);
    p[0] = q0, p[1] = q1;
    for (c = 0x02;; c <<= 2) {
      CHAIN(w0, w1, w2, w3), w4 ^= w3, w5 ^= w4;
      q4 = quad_c(dec, w0, w1), q5 = quad_a(dec, w0, w1);
      PACK(q, w2, w3, w4, w5);
      START(ex, w0, w5, c);
      p[2] = q4, p[3] = q5, p += next;
      STORE(p, q0, q1, q2, q3), p += next;
      CHAIN(w0, w1, w2, w3);
      if (c == 0x80) break;
      w4 ^= w3, w5 ^= w4;
      PACK(q, w0, w1, w2, w3);
      q4 = quad_c(dec, w4, w5), q5 = quad_a(dec, w4, w5);
      START(ex, w0, w5, c << 1);
      STORE(p, q0, q1, q2, q3), p += next;
      p[0] = q4, p[1] = q5;
    }
  } else {
    w4 = words[4], w5 = words[5], w6 = words[6], w7 = words[7];
    for (c = 0x01;; c <<= 1) {
      PACK(q, w4, w5, w6, w7);
      START(ex, w0, w7, c);
      STORE(p, q0, q1, q2, q3), p += next;
      CHAIN(w0, w1, w2, w3);
      if (c == 0x40) break;
      PACK(q, w0, w1, w2, w3);
      START(ey, w4, w3, 0);
      STORE(p, q0, q1, q2, q3), p += next;
      CHAIN(w4, w5, w6, w7);
    }
  }
  if (dec) {
    PUT_FIRST(w0, w1, w2, w3);
  } else {
    PUT_LAST(w0, w1, w2, w3);
  }
  return AES_OK;
}

#if defined(AESQ_ASSEMBLY) && defined(ACCEL_HAS_GH_ABSORB)
// In one run of addresses with what a message runs: elsewhere, the first message under a key might
// find its own code out of a small cache.
__attribute__((section(".text.hot.aes_set_encrypt_key"))) int aes_set_encrypt_key(
    aes_key_t *k, const uint8_t *key, unsigned key_bits);
#endif

#define OWN_BLOCKS
#include "aes_entries.h"

// ---- modes --------------------------------------------------------------------------------------

#ifdef AESQ_ASSEMBLY

int aesq_ctr(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
             uint32_t counter[4]);
int aesq_cbc_encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                     uint32_t chain[4]);

#define fused_ctr aesq_ctr
#define fused_cbc_encrypt aesq_cbc_encrypt
#define OWN_CBC_DECRYPT
#include "aes_fused_entries.h"

int aesq_cbc_mac(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                 uint32_t chain[4]);

int aes_cbc_mac_blocks(const aes_key_t *k, uint32_t state[4], const uint8_t *in, size_t nblocks) {
  return nblocks == 0 ? AES_OK : aesq_cbc_mac(k, in, NULL, nblocks, state);
}

#elif defined(ACCEL_HAS_GH_ABSORB)

#include "aes_absorb.h"

// What ctr_keyed.inc and ctr_six.inc do.
int aes_ctr_absorb(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                   uint32_t counter[4]) {
  const word_t *from = (const word_t *)in;
  word_t *to = (word_t *)out;
  for (; nblocks != 0; nblocks--, from += 4, to += 4) {
    uint32_t x[4];
    const int status = aes_encrypt_blocks(k, (const uint8_t *)counter, (uint8_t *)x, 1);
    if (status != AES_OK) return status;
    for (unsigned i = 0; i < 4; i++) to[i] = x[i] ^= from[i];
    (void)gh_absorb(x[0], x[1], 0);
    (void)gh_absorb(x[2], x[3], 1);
    counter[3] += 0x01000000;
  }
  return AES_OK;
}

int aes_ctr_absorb_masked(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                          uint32_t counter[4], uint32_t mask[4]) {
  const int status = aes_encrypt_blocks(k, (const uint8_t *)counter, (uint8_t *)mask, 1);
  counter[3] += 0x01000000;
  return status == AES_OK ? aes_ctr_absorb(k, in, out, nblocks, counter) : status;
}

#endif
