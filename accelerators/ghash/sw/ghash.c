// SPDX-License-Identifier: Apache-2.0
// GHASH on the unit, in place of the portable one; contract in aes_gcm.h.
// Source: NIST SP 800-38D, section 6.4.
//
// The unit's number says whose subkey it holds, 0: nobody's. A call absorbs, reads the hash and
// then asks for the number. Only if that is its key's number was the unit its own all the time, and
// the hash counts; otherwise the call loads the subkey and absorbs again. So calls under one key
// compare once a piece, and an interrupt handler that has used the unit leaves nothing to put back.
// Between calls the unit's hash is zero.
#include "accel_ops.h"
#include "aes_absorb.h"
#include "aes_gcm.h"
#include "aes_forget_registers.h"
#include "aes_hot.h"

#define INLINE static inline __attribute__((always_inline))

// Where a whole message is one call (ABSORB_MESSAGES), pieces of messages are rare.
#ifdef ABSORB_MESSAGES
#define PIECES
#else
#define PIECES HOT
#endif

// What an interrupt may make a call do again, in blocks: as many as aes_gcm.c hashes at a time.
#define PIECE 24u

// The key: the four words of H as they are in memory, and its number.
#define NUMBER 4

// The number of a key that has none of its own: every call loads it.
#define UNNUMBERED 0xffffffu

typedef uint32_t __attribute__((may_alias)) word_t;

static struct {
  volatile uint32_t closed;  // a number is being drawn, or there are no more
  volatile uint32_t last;
} numbers;

// A handler that interrupts this function finds `closed` set and gets no number. `closed` stays set
// after the last number.
static uint32_t draw_number(void) {
  uint32_t number = UNNUMBERED;
  if (!numbers.closed) {
    numbers.closed = 1;
    number = numbers.last + 1;
    numbers.last = number;
    numbers.closed = number == UNNUMBERED - 1u;
  }
  return number;
}

static COLD void load_key(const aes_ghash_key_t *k) {
  (void)gh_begin(k->word[NUMBER]);
  (void)gh_key(k->word[0], k->word[1], 0);
  (void)gh_key(k->word[2], k->word[3], 1);
}

// The first message finds its subkey in the unit.
void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h) {
  const word_t *words = (const word_t *)(const void *)h;
  for (unsigned i = 0; i < 4u; i++) {
    k->word[i] = words[i];
  }
  k->word[NUMBER] = draw_number();
  load_key(k);
  forget_registers();
}

// One piece; the number that the unit's key had at the end. All loads of a block precede its
// operations and run beside the product of the block before.
INLINE uint32_t absorb(uint32_t to[4], const uint32_t state[4], const volatile word_t *w,
                       size_t n) {
  const volatile word_t *const end = w + 4u * n;
  uint32_t w0 = w[0] ^ state[0], w1 = w[1] ^ state[1];
  uint32_t w2 = w[2] ^ state[2], w3 = w[3] ^ state[3];
  for (;;) {
    (void)gh_absorb(w0, w1, 0);
    (void)gh_absorb(w2, w3, 1);
    w += 4;
    if (w == end) {
      break;
    }
    w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  }
  to[0] = gh_read(0, 0);
  to[1] = gh_read(0, 1);
  to[2] = gh_read(0, 2);
  to[3] = gh_read(0, 3);
  return gh_end(0);
}

PIECES void aes_ghash_blocks(const aes_ghash_key_t *k, uint32_t state[4], const uint8_t *data,
                          size_t nblocks) {
  const word_t *w = (const word_t *)(const void *)data;
  const uint32_t number = k->word[NUMBER];
  if (UNLIKELY(number == UNNUMBERED)) {
    load_key(k);
  }
  while (nblocks != 0) {
    const size_t n = nblocks < PIECE ? nblocks : PIECE;
    uint32_t y[4];
    while (absorb(y, state, w, n) != number) {
      load_key(k);
    }
    state[0] = y[0], state[1] = y[1], state[2] = y[2], state[3] = y[3];
    w += 4u * n;
    nblocks -= n;
  }
}

// ---- the cipher's blocks in the same pass -------------------------------------------------------

#ifdef ABSORB_GROUP

// The first block is alone, because its hash takes the state in; then whole groups.
#define HEAD 1u
#define TOO_SHORT (2u * ABSORB_GROUP)  // for groups

// Whole groups in n < 256 blocks, without a division.
#define GROUPS_IN(n) ((n) * (0x10000u / ABSORB_GROUP + 1u) >> 16)

static PIECES int encrypt_groups(const aes_gcm_key_t *k, uint32_t counter[4], uint32_t state[4],
                              const uint8_t *in, uint8_t *out, size_t groups) {
  const uint32_t number = k->hash.word[NUMBER];
  const word_t *w = (const word_t *)(const void *)out;
  int status = aes_ctr_blocks(&k->cipher, counter, in, out, HEAD);
  if (status != AES_OK) {
    return status;
  }
  if (gh_end(0) != number || number == UNNUMBERED) {
    load_key(&k->hash);
  }
  (void)gh_absorb(w[0] ^ state[0], w[1] ^ state[1], 0);
  (void)gh_absorb(w[2] ^ state[2], w[3] ^ state[3], 1);
  status = aes_ctr_absorb(&k->cipher, in + HEAD * AES_BLOCK_BYTES, out + HEAD * AES_BLOCK_BYTES,
                          groups * ABSORB_GROUP, counter);
  const uint32_t y0 = gh_read(0, 0), y1 = gh_read(0, 1), y2 = gh_read(0, 2), y3 = gh_read(0, 3);
  if (gh_end(0) == number) {
    state[0] = y0, state[1] = y1, state[2] = y2, state[3] = y3;
  } else if (status == AES_OK) {
    aes_ghash_blocks(&k->hash, state, out, HEAD + groups * ABSORB_GROUP);
  }
  return status;
}

#else
#define TOO_SHORT 1u
#endif

PIECES int aes_gcm_encrypt_blocks(const aes_gcm_key_t *k, uint32_t counter[4], uint32_t state[4],
                               const uint8_t *in, uint8_t *out, size_t nblocks) {
  int status = AES_OK;
  while (nblocks != 0 && status == AES_OK) {
    // Groups leave the counter's last byte below its overflow, which aes_ctr_blocks carries.
    const size_t room = 255u - (counter[3] >> 24);
    size_t n = nblocks < room || nblocks < TOO_SHORT ? nblocks : room;
#ifdef ABSORB_GROUP
    if (aes_ctr_absorb != NULL && n >= TOO_SHORT) {
      const size_t groups = GROUPS_IN(n - HEAD);
      n = HEAD + groups * ABSORB_GROUP;
      status = encrypt_groups(k, counter, state, in, out, groups);
    } else
#endif
    {
      n += n < nblocks;
      status = aes_ctr_blocks(&k->cipher, counter, in, out, n);
      if (status == AES_OK) {
        aes_ghash_blocks(&k->hash, state, out, n);
      }
    }
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    nblocks -= n;
  }
  return status;
}

// Weak: a program that links no mode has neither this function nor a key to clear.
__attribute__((weak)) void aes_clear_key(aes_key_t *k);

#ifdef ABSORB_MESSAGES

// Whether two tags differ is public, because the status says it: the test defines AES_PUBLIC to
// mark it so.
#ifndef AES_PUBLIC
#define AES_PUBLIC(x)
#endif

// ---- a message ----------------------------------------------------------------------------------

// A message under way, on the stack: a register of its own would cost each argument more.
typedef struct {
  const aes_gcm_key_t *k;
  const uint8_t *aad, *in;
  uint8_t *out, *tag;
  size_t aad_bytes, bytes;
  uint32_t counter[4];
  uint32_t block[4];
  uint32_t mask[4];    // of the tag: secret
  uint32_t stream[4];  // key stream of the last, incomplete block: secret
} message_t;

// More than 2^39 - 256 bits (section 5.2.1.1), where size_t has so many.
INLINE int too_long(uint64_t bytes) { return bytes > 0xfffffffe0u; }

INLINE void absorb_block(const volatile word_t *w) {
  const uint32_t w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  (void)gh_absorb(w0, w1, 0);
  (void)gh_absorb(w2, w3, 1);
}

INLINE uint32_t swapped(uint32_t x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

INLINE void zero(volatile uint32_t block[4]) {
  block[0] = 0, block[1] = 0, block[2] = 0, block[3] = 0;
}

// n < 16 bytes: whole words, then the others. No call of memcpy.
INLINE void copy_bytes(uint8_t *to, const uint8_t *from, size_t n) {
  for (; n >= 4u; n -= 4u, to += 4, from += 4) {
    *(volatile word_t *)(void *)to = *(const volatile word_t *)(const void *)from;
  }
  for (; n != 0; n--) *(volatile uint8_t *)to++ = *from++;
}

// n < 16 bytes as a block, the rest zeros.
INLINE void pad(uint32_t block[4], const uint8_t *from, size_t n) {
  zero(block);
  copy_bytes((uint8_t *)block, from, n);
}

// The block of lengths (section 7.1, step 5).
INLINE void put_lengths(uint32_t block[4], uint64_t aad_bytes, uint64_t bytes) {
  block[0] = swapped((uint32_t)(aad_bytes >> 29));
  block[1] = swapped((uint32_t)aad_bytes << 3);
  block[2] = swapped((uint32_t)(bytes >> 29));
  block[3] = swapped((uint32_t)bytes << 3);
}

// The low word of a length in bits, below 2^16.
INLINE uint32_t short_length(size_t bytes) {
  return (uint32_t)bytes << 27 | (uint32_t)bytes >> 5 << 16;
}

// ---- parts of a message ----

// Up to and with the AAD. The unit keeps the hash from here on.
INLINE void begin_message(message_t *m, const aes_gcm_key_t *k, const uint8_t *iv) {
  const volatile message_t *const v = m;
  const word_t *const nonce = (const word_t *)(const void *)iv;
  m->counter[0] = nonce[0], m->counter[1] = nonce[1], m->counter[2] = nonce[2];
  m->counter[3] = swapped(1);
  if (UNLIKELY(gh_end(0) != k->hash.word[NUMBER] || k->hash.word[NUMBER] == UNNUMBERED)) {
    load_key(&k->hash);
  }
  const uint8_t *aad = v->aad;
  size_t n = v->aad_bytes;
  for (; UNLIKELY(n >= AES_BLOCK_BYTES); n -= AES_BLOCK_BYTES, aad += AES_BLOCK_BYTES) {
    absorb_block((const word_t *)(const void *)aad);
  }
  if (n != 0) {
    pad(m->block, aad, n);
    absorb_block(m->block);
  }
}

static COLD void absorb_long_lengths(message_t *m) {
  put_lengths(m->block, m->aad_bytes, m->bytes);
  absorb_block(m->block);
}

INLINE void absorb_lengths(message_t *m) {
  const volatile message_t *const v = m;
  const size_t aad_bytes = v->aad_bytes, bytes = v->bytes;
  if (LIKELY((aad_bytes | bytes) < 0x2000u)) {
    (void)gh_absorb(0, short_length(aad_bytes), 0);
    (void)gh_absorb(0, short_length(bytes), 1);
  } else {
    absorb_long_lengths(m);
  }
}

// The whole tag in m->block, if the unit has lost the hash of `text`; x is the tag's mask.
static COLD int hash_again(message_t *m, const uint8_t *text, uint32_t x0, uint32_t x1, uint32_t x2,
                           uint32_t x3) {
  const aes_ghash_key_t *const h = &m->k->hash;
  const uint8_t *const block = (const uint8_t *)m->block;
  const size_t aad_rest = m->aad_bytes % AES_BLOCK_BYTES, rest = m->bytes % AES_BLOCK_BYTES;
  volatile uint32_t *const mask = m->mask;
  uint32_t y[4] = {0, 0, 0, 0};
  mask[0] = x0, mask[1] = x1, mask[2] = x2, mask[3] = x3;
  aes_ghash_blocks(h, y, m->aad, m->aad_bytes / AES_BLOCK_BYTES);
  pad(m->block, m->aad + (m->aad_bytes - aad_rest), aad_rest);
  aes_ghash_blocks(h, y, block, aad_rest != 0);
  aes_ghash_blocks(h, y, text, m->bytes / AES_BLOCK_BYTES);
  pad(m->block, text + (m->bytes - rest), rest);
  aes_ghash_blocks(h, y, block, rest != 0);
  put_lengths(m->block, m->aad_bytes, m->bytes);
  aes_ghash_blocks(h, y, block, 1);
  for (unsigned i = 0; i < 4u; i++) m->block[i] = mask[i] ^ y[i];
  zero(y), zero(m->mask);
  return m->k->cipher.rounds != 0u ? AES_OK : AES_ERR_KEY;
}

// Blocks from the first overflow of the counter's last byte on.
#define ROOM 254u  // blocks before it: counters from 2 to 255
static COLD int more_blocks(message_t *m) {
  const size_t nblocks = m->bytes / AES_BLOCK_BYTES;
  size_t done = ROOM;
  int status = AES_OK;
  while (done != nblocks && status == AES_OK) {
    const size_t left = nblocks - done, n = left < 256u ? left : 256u;
    m->counter[3] = swapped((uint32_t)done + 2u);
    status = aes_ctr_absorb(&m->k->cipher, m->in + done * AES_BLOCK_BYTES,
                            m->out + done * AES_BLOCK_BYTES, n, m->counter);
    done += n;
  }
  return status;
}

// The incomplete block after the whole ones.
static HOT int last_bytes(message_t *m) {
  const size_t nblocks = m->bytes / AES_BLOCK_BYTES, n = m->bytes % AES_BLOCK_BYTES;
  m->counter[3] = swapped((uint32_t)nblocks + 2u);
  const int status =
      aes_ctr_absorb_masked(&m->k->cipher, NULL, NULL, 0, m->counter, m->stream);
  if (status == AES_OK) {
    pad(m->block, m->in + nblocks * AES_BLOCK_BYTES, n);
    for (unsigned i = 0; i < 4u; i++) m->stream[i] ^= m->block[i];
    pad(m->block, (const uint8_t *)m->stream, n);
    absorb_block(m->block);
    copy_bytes(m->out + nblocks * AES_BLOCK_BYTES, (const uint8_t *)m->block, n);
  }
  zero(m->stream), zero(m->block);
  return status;
}

INLINE int end_text(message_t *m, int status) {
  const volatile message_t *const v = m;
  if (UNLIKELY(v->bytes >= (ROOM + 1u) * AES_BLOCK_BYTES) && status == AES_OK) {
    status = more_blocks(m);
  }
  if (UNLIKELY(v->bytes % AES_BLOCK_BYTES != 0) && status == AES_OK) {
    status = last_bytes(m);
  }
  return status;
}

static COLD int fail(const message_t *m, int status) {
  for (size_t i = 0; i != m->bytes; i++) *((volatile uint8_t *)m->out + i) = 0;
  forget_registers();
  return status;
}

// The end of a message whose hash is lost, or that has failed. Apart, so that calls here cost other
// messages no saved registers.
static COLD int seal_again(message_t *m, uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3,
                           int status) {
  if (status == AES_OK) status = hash_again(m, m->out, x0, x1, x2, x3);
  if (status != AES_OK) return fail(m, status);
  for (unsigned i = 0; i < 4u; i++) ((word_t *)(void *)m->tag)[i] = m->block[i];
  forget_registers();
  return AES_OK;
}

// An IV of 12 bytes, a whole tag, aligned buffers: with one branch.
INLINE int is_usual(size_t iv_bytes, size_t tag_bytes, const void *a, const void *b, const void *c,
                    const void *d, const void *e, size_t bytes) {
  const uintptr_t all = (uintptr_t)a | (uintptr_t)b | (uintptr_t)c | (uintptr_t)d | (uintptr_t)e;
  return ((all & 3u) | (iv_bytes ^ 12u) | (tag_bytes ^ AES_BLOCK_BYTES)) == 0 && !too_long(bytes);
}

// A function that begins with a line of a cache.
#define LINE_ALIGNED __attribute__((aligned(32)))

// ---- entries ----

// The subkey comes from the code that messages run, which is in a small cache then.
int aes_gcm_set_key(aes_gcm_key_t *k, const uint8_t *key, unsigned key_bits) {
  uint32_t words[8], counter[4];
  const uint8_t *from = key;
  if (key_bits != 128u && key_bits != 192u && key_bits != 256u) {
    k->cipher.rounds = 0;
    return AES_ERR_KEY_LENGTH;
  }
  if (((uintptr_t)key & 3u) != 0) {
    for (unsigned i = 0; i < key_bits / 8u; i++) ((volatile uint8_t *)words)[i] = key[i];
    from = (const uint8_t *)words;
  }
  int status = aes_set_encrypt_key(&k->cipher, from, key_bits);
  if (status == AES_OK) {
    zero(counter);
    status = aes_ctr_absorb_masked(&k->cipher, NULL, NULL, 0, counter, words);
    if (status == AES_OK) {
      aes_ghash_set_key(&k->hash, (const uint8_t *)words);
    } else {
      aes_clear_key(&k->cipher);
    }
  }
  zero(words), zero(words + 4);
  forget_registers();
  return status;
}

// The unit holds the hash from the first block to the last. Only if it was used in between are all
// blocks hashed again.
HOT LINE_ALIGNED int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                                     const uint8_t *aad, size_t aad_bytes, const uint8_t *in,
                                     uint8_t *out, size_t bytes, uint8_t *tag, size_t tag_bytes) {
  message_t m;
  const volatile message_t *const v = &m;
  if (UNLIKELY(!is_usual(iv_bytes, tag_bytes, iv, aad, in, out, tag, bytes))) {
    return aes_gcm_encrypt_any(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
  }
  m.k = k, m.aad = aad, m.aad_bytes = aad_bytes, m.in = in, m.out = out, m.bytes = bytes;
  m.tag = tag;
  begin_message(&m, k, iv);
  const size_t nblocks = v->bytes / AES_BLOCK_BYTES;
  int status = aes_ctr_absorb_masked(&v->k->cipher, v->in, v->out,
                                     nblocks < ROOM ? nblocks : ROOM, m.counter, m.mask);
  status = end_text(&m, status);
  absorb_lengths(&m);
  // While the unit multiplies.
  word_t *const t = (word_t *)(void *)v->tag;
  k = v->k;
  const uint32_t x0 = v->mask[0], x1 = v->mask[1], x2 = v->mask[2], x3 = v->mask[3];
  zero(m.mask);
  const uint32_t number = *(const volatile uint32_t *)&k->hash.word[NUMBER];
  const uint32_t rounds = *(const volatile uint32_t *)&k->cipher.rounds;
  const uint32_t y0 = gh_read(0, 0), y1 = gh_read(0, 1), y2 = gh_read(0, 2), y3 = gh_read(0, 3);
  if (UNLIKELY(gh_end(0) != number || rounds == 0u || status != AES_OK)) {
    return seal_again(&m, x0, x1, x2, x3, status);
  }
  t[0] = x0 ^ y0, t[1] = x1 ^ y1, t[2] = x2 ^ y2, t[3] = x3 ^ y3;
  forget_registers();
  return AES_OK;
}

// The text is decrypted after the verdict, by the code that encrypts; what the unit absorbs then is
// thrown away.
HOT LINE_ALIGNED int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                                     const uint8_t *aad, size_t aad_bytes, const uint8_t *in,
                                     uint8_t *out, size_t bytes, const uint8_t *tag,
                                     size_t tag_bytes) {
  message_t m;
  const volatile message_t *const v = &m;
  if (UNLIKELY(!is_usual(iv_bytes, tag_bytes, iv, aad, in, out, tag, bytes))) {
    return aes_gcm_decrypt_any(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
  }
  m.k = k, m.aad = aad, m.aad_bytes = aad_bytes, m.in = in, m.out = out, m.bytes = bytes;
  m.tag = (uint8_t *)(uintptr_t)tag;
  begin_message(&m, k, iv);
  const word_t *w = (const word_t *)(const void *)v->in;
  bytes = v->bytes;
  for (size_t n = bytes / AES_BLOCK_BYTES; n != 0; n--, w += 4) absorb_block(w);
  if (UNLIKELY(bytes % AES_BLOCK_BYTES != 0)) {
    pad(m.block, (const uint8_t *)w, bytes % AES_BLOCK_BYTES);
    absorb_block(m.block);
  }
  absorb_lengths(&m);
  int status = aes_ctr_absorb_masked(&v->k->cipher, NULL, NULL, 0, m.counter, m.mask);
  const word_t *const t = (const word_t *)(const void *)v->tag;
  const uint32_t x0 = v->mask[0] ^ t[0], x1 = v->mask[1] ^ t[1];
  const uint32_t x2 = v->mask[2] ^ t[2], x3 = v->mask[3] ^ t[3];
  zero(m.mask);
  k = v->k;
  const uint32_t number = *(const volatile uint32_t *)&k->hash.word[NUMBER];
  const uint32_t rounds = *(const volatile uint32_t *)&k->cipher.rounds;
  const uint32_t y0 = gh_read(0, 0), y1 = gh_read(0, 1), y2 = gh_read(0, 2), y3 = gh_read(0, 3);
  uint32_t difference = (x0 ^ y0) | (x1 ^ y1) | (x2 ^ y2) | (x3 ^ y3);
  if (rounds == 0u) status = AES_ERR_KEY;
  if (UNLIKELY(gh_end(0) != number) && status == AES_OK) {
    status = hash_again(&m, v->in, x0, x1, x2, x3);
    difference = m.block[0] | m.block[1] | m.block[2] | m.block[3];
    zero(m.block);
  }
  AES_PUBLIC(difference);
  if (status == AES_OK && difference != 0) {
    status = AES_ERR_TAG;
  }
  if (LIKELY(status == AES_OK)) {
    const size_t nblocks = v->bytes / AES_BLOCK_BYTES;
    m.counter[3] = swapped(2);
    if (nblocks != 0) {
      status = aes_ctr_absorb(&m.k->cipher, v->in, v->out, nblocks < ROOM ? nblocks : ROOM,
                              m.counter);
    }
    status = end_text(&m, status);
    (void)gh_end(0);
    if (UNLIKELY(status != AES_OK)) {
      return fail(&m, status);
    }
  }
  forget_registers();
  return status;
}

#endif

// Wipe both copies of a subkey. The unit may hold a key without a number only if this one has none.
void aes_gcm_clear_key(aes_gcm_key_t *k) {
  volatile uint32_t *const words = (volatile uint32_t *)(void *)&k->hash;
  if (gh_end(0) == k->hash.word[NUMBER]) {
    (void)gh_begin(0);
  }
  aes_clear_key(&k->cipher);
  for (unsigned i = 0; i < AES_GHASH_KEY_WORDS; i++) {
    words[i] = 0;
  }
}

// The interrupted call finds no number, and starts its piece again. The interrupt may arrive
// between the number and the words of a subkey that is being loaded: the handler must not take them
// as loaded. No word of the interrupted call stays in the unit.
void aes_unit_save(aes_unit_state_t *state) {
  state->word[0] = 0;
  (void)gh_begin(0);
}

void aes_unit_restore(const aes_unit_state_t *state) {
  (void)gh_begin(state->word[0]);
}
