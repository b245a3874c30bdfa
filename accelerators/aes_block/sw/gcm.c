// SPDX-License-Identifier: Apache-2.0
// AES-GCM in one call: the unit enciphers and hashes each block. Contract: aes_gcm.h.
// Source: NIST SP 800-38D; section numbers below are of that document.
//
// The hash subkey is in the unit during a call only. Messages in pieces (sw/modes/aes_gcm.c) use
// GHASH and CTR of this unit one after the other.
//
// No secret is on the stack: the tag and the counter stay in the unit, and words of text are in
// registers of functions that call nothing but leaves.
#include "unit.h"

#include "aes_gcm.h"

// An IV of 12 bytes is the first words of the counter; the last one counts from 1, big-endian.
#define FAST_IV_BYTES 12u
#define FIRST_COUNT 0x01000000u
#define NEXT_COUNT 0x02000000u

// A test marks secrets and looks for branches that depend on them. Whether two tags are equal is
// public, because the status says it: the test defines AES_PUBLIC to mark it so.
#ifndef AES_PUBLIC
#define AES_PUBLIC(x)
#endif

#define MAX_TEXT 0xfffffffe0u  // bytes: 2^39 - 256 bits, section 5.2.1.1
#define BLOCK_MASK (AES_BLOCK_BYTES - 1u)

// ---- pieces of a message ------------------------------------------------------------------------

// The bytes of word `i` among the first n of a block.
#define OF_WORD(n, i) ((n) > 4u * (i) ? (n) - 4u * (i) : 0u)

// A word of the first n bytes, the rest zero.
static COLD uint32_t few_bytes(const uint8_t *bytes, size_t n) {
  uint32_t word = 0;
  if (n > 0) word = bytes[0];
  if (n > 1u) word |= (uint32_t)bytes[1] << 8;
  if (n > 2u) word |= (uint32_t)bytes[2] << 16;
  if (n > 3u) word |= (uint32_t)bytes[3] << 24;
  return word;
}

static COLD void put_few_bytes(uint8_t *bytes, uint32_t word, size_t n) {
  if (n >= 4u) {
    WORD_TO_BYTES(bytes, word);
    return;
  }
  if (n > 0) bytes[0] = (uint8_t)word;
  if (n > 1u) bytes[1] = (uint8_t)(word >> 8);
  if (n > 2u) bytes[2] = (uint8_t)(word >> 16);
}

static COLD void put_any_part(const uint8_t *bytes, size_t n) {
  const uint32_t w0 = few_bytes(bytes, n), w1 = few_bytes(bytes + 4, OF_WORD(n, 1u));
  (void)ab_put(w0, w1, 0);
  const uint32_t w2 = few_bytes(bytes + 8, OF_WORD(n, 2u));
  const uint32_t w3 = few_bytes(bytes + 12, OF_WORD(n, 3u));
  (void)ab_put(w2, w3, 1);
}

// A block at any address.
INLINE block_t any_block(const uint8_t *bytes) {
  return (block_t){WORD_OF_BYTES(bytes), WORD_OF_BYTES(bytes + 4), WORD_OF_BYTES(bytes + 8),
                   WORD_OF_BYTES(bytes + 12)};
}

static COLD void absorb_any(const uint8_t *bytes, size_t n) {
  for (const uint8_t *const end = bytes + (n & ~(size_t)BLOCK_MASK); bytes != end;
       bytes += AES_BLOCK_BYTES) {
    put(any_block(bytes));
  }
  if ((n & BLOCK_MASK) != 0) {
    put_any_part(bytes, n & BLOCK_MASK);
  }
}

// Write n bytes and zeros up to a whole block, in the mode that the unit has.
INLINE void absorb(const uint8_t *bytes, size_t n) {
  if (UNLIKELY(!aligned(bytes))) {
    absorb_any(bytes, n);
  } else {
    ab_absorb((const word_t *)(const void *)bytes, n);
  }
}

INLINE uint32_t big_endian(uint32_t x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

// Two lengths of bytes as numbers of bits.
INLINE block_t lengths(size_t first, size_t second) {
  return (block_t){big_endian((uint32_t)((uint64_t)first >> 29)), big_endian((uint32_t)first << 3),
                   big_endian((uint32_t)((uint64_t)second >> 29)),
                   big_endian((uint32_t)second << 3)};
}

static COLD void crypt_any(const uint8_t *in, uint8_t *out, size_t whole) {
  for (size_t at = 0; at != whole; at += AES_BLOCK_BYTES) {
    put(any_block(in + at));
    const block_t y = get();
    WORD_TO_BYTES(out + at, y.c0);
    WORD_TO_BYTES(out + at + 4, y.c1);
    WORD_TO_BYTES(out + at + 8, y.c2);
    WORD_TO_BYTES(out + at + 12, y.c3);
  }
}

static COLD void give_text(uint8_t *bytes, size_t n) {
  put_few_bytes(bytes, ab_get(0, 0), n);
  put_few_bytes(bytes + 4, ab_get(0, 1), OF_WORD(n, 1u));
  put_few_bytes(bytes + 8, ab_get(0, 2), OF_WORD(n, 2u));
  put_few_bytes(bytes + 12, ab_get(0, 3), OF_WORD(n, 3u));
}

// The incomplete last block. Bytes after the text are neither output nor hashed.
static COLD void crypt_rest(const int hash, const uint8_t *in, uint8_t *out, size_t rest) {
  (void)ab_mode(0, CTR);
  absorb(in, rest);
  give_text(out, rest);
  if (hash) {
    (void)ab_mode(0, HASH);
    absorb(out, rest);
  }
}

// The text in counter mode. hash: the result is hashed too.
INLINE void crypt_bytes(const int hash, const uint8_t *in, uint8_t *out, size_t n) {
  const size_t whole = n & ~(size_t)BLOCK_MASK;
  if (LIKELY(whole != 0)) {
    if (UNLIKELY(!(aligned(in) && aligned(out)))) {
      crypt_any(in, out, whole);
    } else {
      ab_crypt((const word_t *)(const void *)in, (word_t *)(void *)out, whole);
    }
  }
  if (UNLIKELY(n != whole)) {
    crypt_rest(hash, in + whole, out + whole, n - whole);
  }
}

// ---- the counter (section 7.1, steps 2 and 3) ---------------------------------------------------
// The chaining value is the counter: inc32(J0) before the text. J0, which is secret unless the IV
// has 12 bytes, has no other copy: the tag gets it back from there.

static COLD void set_any_counter(const uint8_t *iv, size_t iv_bytes) {
  block_t j = {0, 0, 0, FIRST_COUNT};
  if (iv_bytes == FAST_IV_BYTES) {
    j.c0 = few_bytes(iv, 4), j.c1 = few_bytes(iv + 4, 4), j.c2 = few_bytes(iv + 8, 4);
  } else {
    absorb(iv, iv_bytes);
    put(lengths(0, iv_bytes));
    j = look(LOOK_HASH);
    (void)ab_set(0, 0, SET_HASH);
    (void)ab_set(0, 0, SET_HASH + 1);
  }
  (void)ab_set(j.c0, j.c1, SET_CHAIN);
  (void)ab_set(j.c2, big_endian(big_endian(j.c3) + 1u), SET_CHAIN + 1);
}

// ---- the tag (section 7.1, steps 5 and 6) -------------------------------------------------------

// Of any IV and lengths. The counter is modulo 2^32, as in the unit.
static COLD void finish_any(size_t aad_bytes, size_t bytes, size_t crypted) {
  const uint32_t blocks = (uint32_t)(crypted / AES_BLOCK_BYTES + (crypted % AES_BLOCK_BYTES != 0));
  put(lengths(aad_bytes, bytes));
  (void)ab_mode(0, ECB_ENCRYPT);
  block_t j = look(LOOK_CHAIN);
  j.c3 = big_endian(big_endian(j.c3) - 1u - blocks);
  put(j);
}

// Of less than 2^13 bytes, as the low word of a number of bits.
INLINE uint32_t few_bits(size_t n) {
  return ((uint32_t)n << 11 & 0xffff0000u) | (uint32_t)n << 27;
}

// The unit gets E(J0) as its result, and the whole hash. `crypted` bytes of text took counters
// after J0.
INLINE void finish(size_t iv_bytes, size_t aad_bytes, size_t bytes, size_t crypted) {
  (void)ab_mode(0, HASH);
  const uint32_t c0 = ab_look(0, LOOK_CHAIN), c1 = ab_look(0, LOOK_CHAIN + 1);
  const uint32_t c2 = ab_look(0, LOOK_CHAIN + 2);
  if (UNLIKELY(iv_bytes != FAST_IV_BYTES) || UNLIKELY((aad_bytes | bytes) >> 13 != 0)) {
    finish_any(aad_bytes, bytes, crypted);
    return;
  }
  put((block_t){0, few_bits(aad_bytes), 0, few_bits(bytes)});
  (void)ab_mode(0, ECB_ENCRYPT);
  put((block_t){c0, c1, c2, FIRST_COUNT});
}

INLINE uint32_t tag_word(const unsigned i) { return ab_get(0, i) ^ ab_look(0, LOOK_HASH + i); }

static COLD void give_short_tag(uint8_t *tag, size_t n) {
  put_few_bytes(tag, tag_word(0), n);
  put_few_bytes(tag + 4, tag_word(1), OF_WORD(n, 1u));
  put_few_bytes(tag + 8, tag_word(2), OF_WORD(n, 2u));
  put_few_bytes(tag + 12, tag_word(3), OF_WORD(n, 3u));
}

INLINE int is_whole(const uint8_t *tag, size_t n) {
  return ((n ^ AES_BLOCK_BYTES) | ((uintptr_t)tag & 3u)) == 0;
}

INLINE void give_tag(uint8_t *tag, size_t n) {
  if (UNLIKELY(!is_whole(tag, n))) {
    give_short_tag(tag, n);
  } else {
    store_block((word_t *)(void *)tag, 0, add_block(get(), look(LOOK_HASH)));
  }
}

// Zero if the first n bytes of the tag's word i are those of `tag`.
INLINE uint32_t differs(const uint8_t *tag, size_t n, const unsigned i) {
  const size_t of_word = OF_WORD(n, i);
  const uint32_t given = few_bytes(tag + 4u * i, of_word), word = tag_word(i);
  return given ^ (of_word >= 4u ? word : word & ((1u << (8u * of_word)) - 1u));
}

static COLD uint32_t short_tag_differs(const uint8_t *tag, size_t n) {
  uint32_t bits = differs(tag, n, 0);
  bits |= differs(tag, n, 1);
  bits |= differs(tag, n, 2);
  bits |= differs(tag, n, 3);
  AES_PUBLIC(bits);
  return bits;
}

// Zero if the first n bytes of the tag are those of `tag`, in constant time.
INLINE uint32_t tag_differs(const uint8_t *tag, size_t n) {
  if (UNLIKELY(!is_whole(tag, n))) {
    return short_tag_differs(tag, n);
  }
  // A word of ours at a time: all at once are too many for the registers.
  const block_t given = load_block(tag, 0);
  uint32_t bits = tag_word(0) ^ given.c0;
  bits |= tag_word(1) ^ given.c1;
  bits |= tag_word(2) ^ given.c2;
  bits |= tag_word(3) ^ given.c3;
  AES_PUBLIC(bits);
  return bits;
}

// ---- messages -----------------------------------------------------------------------------------

// Also where size_t has 32 bits and no length reaches the limit.
static int exceeds(uint64_t n, uint64_t most) { return n > most; }

INLINE int tag_may_have(size_t n) { return n == 4u || n == 8u || (n >= 12u && n <= 16u); }

// Check what a call was given; AES_OK if it may begin.
INLINE int check(const aes_gcm_key_t *k, size_t iv_bytes, size_t bytes, size_t tag_bytes) {
  const unsigned rounds = ((const volatile aes_key_t *)&k->cipher)->rounds;
  if (UNLIKELY(tag_bytes != AES_BLOCK_BYTES && !tag_may_have(tag_bytes)) ||
      UNLIKELY(exceeds(bytes, MAX_TEXT)) || UNLIKELY(iv_bytes == 0)) {
    return AES_ERR_LENGTH;
  }
  return UNLIKELY(!is_key_of(rounds)) ? AES_ERR_KEY : AES_OK;
}

static COLD void begin_any(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                           const uint8_t *aad, size_t aad_bytes) {
  set_pair(k->hash.word, SET_SUBKEY);
  set_any_counter(iv, iv_bytes);
  absorb(aad, aad_bytes);
}

// With its key in the unit.
INLINE void begin_loaded(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                         const uint8_t *aad, size_t aad_bytes) {
  (void)ab_mode(0, CLEAR | HASH);
  if (UNLIKELY(iv_bytes != FAST_IV_BYTES) || UNLIKELY(!aligned(iv))) {
    begin_any(k, iv, iv_bytes, aad, aad_bytes);
    return;
  }
  const block_t h = load_block(k->hash.word, 0);
  const uint32_t c0 = LOAD(iv, 0), c1 = LOAD(iv, 1), c2 = LOAD(iv, 2);
  (void)ab_set(h.c0, h.c1, SET_SUBKEY);
  (void)ab_set(h.c2, h.c3, SET_SUBKEY + 1);
  (void)ab_set(c0, c1, SET_CHAIN);
  (void)ab_set(c2, NEXT_COUNT, SET_CHAIN + 1);
  absorb(aad, aad_bytes);
}

static COLD void begin_unloaded(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                                const uint8_t *aad, size_t aad_bytes) {
  ab_load(&k->cipher);
  begin_loaded(k, iv, iv_bytes, aad, aad_bytes);
}

// The unit gets key, subkey and counter, and hashes the AAD. What this calls, it calls last: it
// saves no register.
static HOT void begin(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                      const uint8_t *aad, size_t aad_bytes) {
  if (enter_unloaded(&k->cipher, k->hash.word)) {
    begin_unloaded(k, iv, iv_bytes, aad, aad_bytes);
  } else {
    begin_loaded(k, iv, iv_bytes, aad, aad_bytes);
  }
}

// Ends a call, and clears registers.
static HOT int leaving(int status) {
  leave();
  forget_registers();
  return status;
}

HOT int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                        const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                        size_t bytes, uint8_t *tag, size_t tag_bytes) {
  const int status = check(k, iv_bytes, bytes, tag_bytes);
  if (UNLIKELY(status != AES_OK)) {
    return status;
  }
  begin(k, iv, iv_bytes, aad, aad_bytes);
  if (LIKELY(bytes != 0)) {
    (void)ab_mode(0, CTR_HASH);
    crypt_bytes(1, in, out, bytes);
  }
  finish(iv_bytes, aad_bytes, bytes, bytes);
  give_tag(tag, tag_bytes);
  return leaving(AES_OK);
}

HOT int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                        const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                        size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  int status = check(k, iv_bytes, bytes, tag_bytes);
  if (UNLIKELY(status != AES_OK)) {
    return status;
  }
  begin(k, iv, iv_bytes, aad, aad_bytes);
  absorb(in, bytes);
  finish(iv_bytes, aad_bytes, bytes, 0);
  if (UNLIKELY(tag_differs(tag, tag_bytes) != 0)) {
    status = AES_ERR_TAG;
  } else if (LIKELY(bytes != 0)) {
    (void)ab_mode(0, CTR);
    crypt_bytes(0, in, out, bytes);
  }
  return leaving(status);
}
