// SPDX-License-Identifier: Apache-2.0
// AES-GCM in one call, and GHASH: the unit enciphers and hashes each block. Contract: aes_gcm.h.
// Source: NIST SP 800-38D; section numbers below are of that document.
//
// The hash subkey is in the unit during a call only. Messages in pieces (sw/modes/aes_gcm.c) use
// GHASH and CTR of this unit one after the other.
//
// No secret is on the stack: the tag stays in the unit until it is used, and words of text are in
// registers of functions that call nothing but leaves. Only calls with an IV that has not 12 bytes
// have a secret beside them, J0, and wipe what is below.
#include "unit.h"

#include "aes_gcm.h"

#define BELOW_WORDS 64u  // of the functions *_any_iv and what they call
#include "aes_wipe_below.h"

#define FAST_IV_BYTES 12u
// A test marks secrets and looks for branches that depend on them. Whether two tags are equal is
// public, because the status says it: the test defines AES_PUBLIC to mark it so.
#ifndef AES_PUBLIC
#define AES_PUBLIC(x)
#endif

#define MAX_TEXT 0xfffffffe0u  // bytes: 2^39 - 256 bits, section 5.2.1.1
#define BLOCK_MASK (AES_BLOCK_BYTES - 1u)

// Paths for unaligned buffers and rare lengths are elsewhere: they take no room in a cache.
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((noinline, cold))

// ---- GHASH, section 6.4 -------------------------------------------------------------------------

void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h) {
  const word_t *const words = (const word_t *)(const void *)h;
  for (unsigned i = 0; i < 4u; i++) {
    k->word[i] = words[i];
  }
  forget_registers();
}

void aes_ghash_blocks(const aes_ghash_key_t *k, uint32_t state[4], const uint8_t *data,
                      size_t nblocks) {
  enter(NULL, k->word);
  (void)ab_mode(0, CLEAR | HASH);
  set_pair(k->word, SET_SUBKEY);
  set_pair(state, SET_HASH);
  ab_absorb((const word_t *)(const void *)data, nblocks);
  store_block(state, 0, look(LOOK_HASH));
  leave();
  forget_registers();
}

// ---- pieces of a message ------------------------------------------------------------------------

// The bytes of word `i` among the first n of a block.
#define OF_WORD(n, i) ((n) > 4u * (i) ? (n) - 4u * (i) : 0u)

// A word of the first n bytes, the rest zero.
static __attribute__((noinline)) uint32_t few_bytes(const uint8_t *bytes, size_t n) {
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

// Write an incomplete block of n bytes, the rest zero. No word is waiting while a function runs.
INLINE void put_part(const uint8_t *bytes, size_t n) {
  if (UNLIKELY(!aligned(bytes))) {
    put_any_part(bytes, n);
    return;
  }
  const size_t whole = n / 4u;
  const uint32_t last = few_bytes(bytes + 4u * whole, n % 4u);
  const word_t *const w = (const word_t *)(const void *)bytes;
  (void)ab_put(whole > 0 ? w[0] : last, whole > 1u ? w[1] : whole == 1u ? last : 0u, 0);
  (void)ab_put(whole > 2u ? w[2] : whole == 2u ? last : 0u, whole == 3u ? last : 0u, 1);
}

// A block at any address.
INLINE block_t any_block(const uint8_t *bytes) {
  return (block_t){WORD_OF_BYTES(bytes), WORD_OF_BYTES(bytes + 4), WORD_OF_BYTES(bytes + 8),
                   WORD_OF_BYTES(bytes + 12)};
}

static COLD void hash_any(const uint8_t *bytes, size_t whole) {
  for (const uint8_t *const end = bytes + whole; bytes != end; bytes += AES_BLOCK_BYTES) {
    put(any_block(bytes));
  }
}

// Hash n bytes and zeros up to a whole block (mode HASH).
INLINE void hash_bytes(const uint8_t *bytes, size_t n) {
  const size_t whole = n & ~(size_t)BLOCK_MASK;
  if (whole != 0) {
    if (UNLIKELY(!aligned(bytes))) {
      hash_any(bytes, whole);
    } else {
      ab_absorb((const word_t *)(const void *)bytes, whole / AES_BLOCK_BYTES);
    }
    bytes += whole;
  }
  if (n != whole) {
    put_part(bytes, n - whole);
  }
}

INLINE uint32_t big_endian(uint32_t x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

// Two lengths of bytes as numbers of bits. They are public, and most have high words of zero.
INLINE uint32_t high_word(size_t n) {
  const uint32_t high = (uint32_t)((uint64_t)n >> 29);
  return UNLIKELY(high != 0) ? big_endian(high) : 0u;
}

INLINE block_t lengths(size_t first, size_t second) {
  return (block_t){high_word(first), big_endian((uint32_t)first << 3), high_word(second),
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

// The incomplete last block. Bytes after the text are neither output nor hashed.
static COLD void put_text(const uint8_t *bytes, size_t n) { put_part(bytes, n); }

static COLD void give_text(uint8_t *bytes, size_t n) {
  put_few_bytes(bytes, ab_get(0, 0), n);
  put_few_bytes(bytes + 4, ab_get(0, 1), OF_WORD(n, 1u));
  put_few_bytes(bytes + 8, ab_get(0, 2), OF_WORD(n, 2u));
  put_few_bytes(bytes + 12, ab_get(0, 3), OF_WORD(n, 3u));
}

static COLD void crypt_rest(const int hash, const uint8_t *in, uint8_t *out, size_t rest) {
  (void)ab_mode(0, CTR);
  put_text(in, rest);
  give_text(out, rest);
  if (hash) {
    (void)ab_mode(0, HASH);
    put_text(out, rest);
  }
}

// The text in counter mode. hash: the result is hashed too.
INLINE void crypt_bytes(const int hash, const uint8_t *in, uint8_t *out, size_t n) {
  const size_t whole = n & ~(size_t)BLOCK_MASK;
  if (whole != 0) {
    if (UNLIKELY(!(aligned(in) && aligned(out)))) {
      crypt_any(in, out, whole);
    } else {
      ab_crypt((const word_t *)(const void *)in, (word_t *)(void *)out, whole / AES_BLOCK_BYTES);
    }
  }
  if (n != whole) {
    crypt_rest(hash, in + whole, out + whole, n - whole);
  }
}

// Of an IV that has not 12 bytes.
static COLD block_t hashed_counter(const uint8_t *iv, size_t iv_bytes) {
  hash_bytes(iv, iv_bytes);
  put(lengths(0, iv_bytes));
  const block_t j = look(LOOK_HASH);
  (void)ab_set(0, 0, SET_HASH);
  (void)ab_set(0, 0, SET_HASH + 1);
  return j;
}

// The counter block J0 (section 7.1, step 2), as words of memory, with the unit in mode HASH.
INLINE block_t first_counter(const uint8_t *iv, size_t iv_bytes) {
  block_t j;
  if (UNLIKELY(iv_bytes != FAST_IV_BYTES)) {
    return hashed_counter(iv, iv_bytes);
  }
  if (UNLIKELY(!aligned(iv))) {
    j.c0 = few_bytes(iv, 4), j.c1 = few_bytes(iv + 4, 4), j.c2 = few_bytes(iv + 8, 4);
  } else {
    const word_t *const w = (const word_t *)(const void *)iv;
    j.c0 = w[0], j.c1 = w[1], j.c2 = w[2];
  }
  j.c3 = 0x01000000u;
  return j;
}

INLINE void set_counter(block_t j, size_t iv_bytes) {
  const uint32_t next = iv_bytes == FAST_IV_BYTES ? 0x02000000u
                                                  : big_endian(big_endian(j.c3) + 1u);
  (void)ab_set(j.c0, j.c1, SET_CHAIN);
  (void)ab_set(j.c2, next, SET_CHAIN + 1);
}

// ---- the tag (section 7.1, steps 5 and 6) -------------------------------------------------------

// The unit has E(J0) as its result, and the whole hash.
INLINE void finish(block_t j, size_t aad_bytes, size_t bytes) {
  (void)ab_mode(0, HASH);
  put(lengths(aad_bytes, bytes));
  (void)ab_mode(0, ECB_ENCRYPT);
  put(j);
}

INLINE uint32_t tag_word(const unsigned i) { return ab_get(0, i) ^ ab_look(0, LOOK_HASH + i); }

static COLD void give_short_tag(uint8_t *tag, size_t n) {
  put_few_bytes(tag, tag_word(0), n);
  put_few_bytes(tag + 4, tag_word(1), OF_WORD(n, 1u));
  put_few_bytes(tag + 8, tag_word(2), OF_WORD(n, 2u));
  put_few_bytes(tag + 12, tag_word(3), OF_WORD(n, 3u));
}

INLINE int is_whole(const uint8_t *tag, size_t n) { return n == AES_BLOCK_BYTES && aligned(tag); }

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
  // A word at a time: all at once are too many for the registers.
  const word_t *const words = (const word_t *)(const void *)tag;
  uint32_t bits = tag_word(0) ^ words[0];
  bits |= tag_word(1) ^ words[1];
  bits |= tag_word(2) ^ words[2];
  bits |= tag_word(3) ^ words[3];
  AES_PUBLIC(bits);
  return bits;
}

// ---- messages -----------------------------------------------------------------------------------

// Also where size_t has 32 bits and no length reaches the limit.
static int exceeds(uint64_t n, uint64_t most) { return n > most; }

// Check what a call was given; AES_OK if it may begin.
INLINE int check(const aes_gcm_key_t *k, size_t iv_bytes, size_t bytes, size_t tag_bytes) {
  const int tag_is_allowed = tag_bytes == 4u || tag_bytes == 8u ||
                             (tag_bytes >= 12u && tag_bytes <= AES_BLOCK_BYTES);
  if (!tag_is_allowed || exceeds(bytes, MAX_TEXT) || iv_bytes == 0) {
    return AES_ERR_LENGTH;
  }
  return has_key(&k->cipher) ? AES_OK : AES_ERR_KEY;
}

INLINE void begin(const aes_gcm_key_t *k) {
  enter(&k->cipher, k->hash.word);
  (void)ab_mode(0, CLEAR | HASH);
  set_pair(k->hash.word, SET_SUBKEY);
}

INLINE int encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                   size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes, uint8_t *tag,
                   size_t tag_bytes) {
  const int status = check(k, iv_bytes, bytes, tag_bytes);
  if (status != AES_OK) {
    return status;
  }
  begin(k);
  const block_t j = first_counter(iv, iv_bytes);
  hash_bytes(aad, aad_bytes);
  if (bytes != 0) {
    (void)ab_mode(0, CTR_HASH);
    set_counter(j, iv_bytes);
    crypt_bytes(1, in, out, bytes);
  }
  finish(j, aad_bytes, bytes);
  give_tag(tag, tag_bytes);
  leave();
  return forgetting(AES_OK);
}

INLINE int decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes, const uint8_t *aad,
                   size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes,
                   const uint8_t *tag, size_t tag_bytes) {
  int status = check(k, iv_bytes, bytes, tag_bytes);
  if (status != AES_OK) {
    return status;
  }
  begin(k);
  const block_t j = first_counter(iv, iv_bytes);
  hash_bytes(aad, aad_bytes);
  hash_bytes(in, bytes);
  finish(j, aad_bytes, bytes);
  if (tag_differs(tag, tag_bytes) != 0) {
    status = AES_ERR_TAG;
  } else if (bytes != 0) {
    (void)ab_mode(0, CTR);
    set_counter(j, iv_bytes);
    crypt_bytes(0, in, out, bytes);
  }
  leave();
  return forgetting(status);
}

static COLD int encrypt_any_iv(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                               const uint8_t *aad, size_t aad_bytes, const uint8_t *in,
                               uint8_t *out, size_t bytes, uint8_t *tag, size_t tag_bytes) {
  return encrypt(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
}

static COLD int decrypt_any_iv(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                               const uint8_t *aad, size_t aad_bytes, const uint8_t *in,
                               uint8_t *out, size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  return decrypt(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
}

int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, uint8_t *tag, size_t tag_bytes) {
  if (UNLIKELY(iv_bytes != FAST_IV_BYTES)) {
    const int status = encrypt_any_iv(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag,
                                      tag_bytes);
    (void)wiped_below();
    return status;
  }
  return encrypt(k, iv, FAST_IV_BYTES, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
}

int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                    const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                    size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  if (UNLIKELY(iv_bytes != FAST_IV_BYTES)) {
    const int status = decrypt_any_iv(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag,
                                      tag_bytes);
    (void)wiped_below();
    return status;
  }
  return decrypt(k, iv, FAST_IV_BYTES, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
}
