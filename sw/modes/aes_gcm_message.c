// SPDX-License-Identifier: Apache-2.0
// AES-GCM of a message in one call; contract in aes_gcm.h.
// Source: NIST SP 800-38D; section numbers below are of that document.
//
// A message with an IV of 12 bytes and at most two blocks of AAD, as packets and records have,
// needs no context. The tag's mask and the key stream of its last blocks come from one call of the
// cipher; one of GHASH takes these blocks and the lengths. A short message has no other blocks, and
// its AAD goes into the same call. A long one gives whole blocks to kernels that join CTR with the
// cipher. A long text at an unaligned address, and any other IV or AAD, take a context (aes_gcm.c).
#include "gcm_parts.h"
#include "padded.h"
#include "aes_forget_registers.h"

#define AAD_BLOCKS 2u
#define LAST_BLOCKS 16u  // no longer text is short

// Input of GHASH: AAD ends where the ciphertext begins, at word TEXT; a block of lengths follows
// it. What is secret comes last, and is wiped.
#define TEXT (AAD_BLOCKS * BLOCK_WORDS)
typedef struct {
  uint32_t hashed[(AAD_BLOCKS + LAST_BLOCKS + 1u) * BLOCK_WORDS];
  uint32_t state[BLOCK_WORDS];  // of GHASH, then the tag
  uint32_t mask[BLOCK_WORDS];   // of the tag
  uint32_t stream[LAST_BLOCKS * BLOCK_WORDS];
} message_t;

// Blocks ------------------------------------------------------------------------------------------

static COLD void seal_bytes(uint8_t *text, const uint8_t *stream, const uint8_t *in, uint8_t *out,
                            size_t n) {
  for (size_t i = 0; i < n; i++) {
    out[i] = text[i] = (uint8_t)(in[i] ^ stream[i]);
  }
}

// put_padded of in ^ key stream, which goes to `out` too.
static HOT void put_sealed(message_t *m, const uint8_t *in, uint8_t *out, size_t n) {
  uint32_t *text = m->hashed + TEXT;
  const uint32_t *stream = m->stream;
  if (n % AES_BLOCK_BYTES != 0u) {
    zero(text + n / AES_BLOCK_BYTES * BLOCK_WORDS);
  }
  if (LIKELY(aligned(in, out))) {
    for (; n >= AES_BLOCK_BYTES; n -= AES_BLOCK_BYTES) {
      const any_word_t *from = (const any_word_t *)(const void *)in;
      any_word_t *to = (any_word_t *)(void *)out;
      uint32_t x0 = from[0] ^ stream[0], x1 = from[1] ^ stream[1];
      uint32_t x2 = from[2] ^ stream[2], x3 = from[3] ^ stream[3];
      to[0] = text[0] = x0;
      to[1] = text[1] = x1;
      to[2] = text[2] = x2;
      to[3] = text[3] = x3;
      text += BLOCK_WORDS;
      stream += BLOCK_WORDS;
      in += AES_BLOCK_BYTES;
      out += AES_BLOCK_BYTES;
    }
  }
  if (n != 0u) {
    seal_bytes((uint8_t *)text, (const uint8_t *)stream, in, out, n);
  }
}

static COLD void open_bytes(const message_t *m, const uint8_t *in, uint8_t *out, size_t n) {
  combine(out, in, m->stream, n);
}

// The text of a message whose tag is right.
static HOT void open_sealed(const message_t *m, const uint8_t *in, uint8_t *out, size_t n) {
  if (UNLIKELY(!aligned(in, out) || n % AES_BLOCK_BYTES != 0u)) {
    open_bytes(m, in, out, n);
    return;
  }
  for (size_t at = 0; at != n; at += AES_BLOCK_BYTES) {
    combine_block((any_word_t *)(void *)(out + at), (const any_word_t *)(const void *)(in + at),
                  m->stream + at / 4u);
  }
}

// Hash up to the block of lengths; the state becomes the whole tag (section 7.1, steps 5 and 6).
// A handler that clears the key meanwhile makes the hash worthless.
static HOT int make_tag(message_t *m, const aes_gcm_key_t *k, const uint32_t *first,
                        const uint32_t *lengths) {
  aes_ghash_blocks(&k->hash, m->state, (const uint8_t *)first,
                   (size_t)(lengths - first) / BLOCK_WORDS + 1u);
  combine_block(m->state, m->state, m->mask);
  return k->cipher.rounds != 0u ? AES_OK : AES_ERR_KEY;
}

static COLD void put_tag_bytes(uint8_t *tag, const message_t *m, size_t tag_bytes) {
  copy(tag, m->state, tag_bytes);
}

static inline void put_tag(uint8_t *tag, const message_t *m, size_t tag_bytes) {
  if (LIKELY(tag_bytes == AES_BLOCK_BYTES && aligned(tag, tag))) {
    move_block((any_word_t *)(void *)tag, m->state);
  } else {
    put_tag_bytes(tag, m, tag_bytes);
  }
}

static HOT int verdict(const message_t *m, const uint8_t *tag, size_t tag_bytes) {
  return difference(m->state, tag, tag_bytes) == 0u ? AES_OK : AES_ERR_TAG;
}

// Wipe state, mask and so many words of key stream.
static inline void forget_message(message_t *m, size_t words) {
  forget_words((uint32_t *)((uint8_t *)m + offsetof(message_t, state)), 2u * BLOCK_WORDS + words);
  forget_registers();
}

// Short messages ----------------------------------------------------------------------------------

// Tag's mask and key stream, for a text of so many words.
static HOT int short_stream(message_t *m, const aes_gcm_key_t *k, const uint8_t *iv, size_t words) {
  uint32_t *block = m->mask, *const last = block + words;
  uint32_t counter = 0;
  copy(block, iv, FAST_IV_BYTES);
  const uint32_t x0 = block[0], x1 = block[1], x2 = block[2];
  for (;; block += BLOCK_WORDS) {
    counter += swap(1u);  // stays below 256, the highest byte in memory
    block[0] = x0;
    block[1] = x1;
    block[2] = x2;
    block[3] = counter;
    if (block == last) {
      return encrypt(k, m->mask, words / BLOCK_WORDS + 1u);
    }
  }
}

// The low word of a length in bits, of 16 bits, big-endian in memory.
static uint32_t short_length(size_t bytes) {
  return ((uint32_t)bytes << 27) | ((uint32_t)bytes >> 5 << 16);
}

static HOT int short_tag(message_t *m, const aes_gcm_key_t *k, const uint8_t *aad, size_t aad_bytes,
                         size_t bytes) {
  uint32_t *const first = m->hashed + TEXT - words_of_blocks(aad_bytes);
  uint32_t *const lengths = m->hashed + TEXT + words_of_blocks(bytes);
  put_padded(first, aad, aad_bytes);
  lengths[0] = 0;
  lengths[1] = short_length(aad_bytes);
  lengths[2] = 0;
  lengths[3] = short_length(bytes);
  m->state[0] = 0;
  m->state[1] = 0;
  m->state[2] = 0;
  m->state[3] = 0;
  return make_tag(m, k, first, lengths);
}

static HOT int encrypt_short(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                             const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                             size_t bytes, uint8_t *tag, size_t tag_bytes) {
  message_t m;
  (void)iv_bytes;
  const size_t words = words_of_blocks(bytes);
  int status = short_stream(&m, k, iv, words);
  if (status == AES_OK) {
    put_sealed(&m, in, out, bytes);
    status = short_tag(&m, k, aad, aad_bytes, bytes);
  }
  if (status == AES_OK) {
    put_tag(tag, &m, tag_bytes);
  } else {
    aes_wipe(out, bytes);
  }
  forget_message(&m, words);
  return status;
}

static HOT int decrypt_short(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                             const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                             size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  message_t m;
  (void)iv_bytes;
  const size_t words = words_of_blocks(bytes);
  int status = short_stream(&m, k, iv, words);
  if (status == AES_OK) {
    put_padded(m.hashed + TEXT, in, bytes);
    status = short_tag(&m, k, aad, aad_bytes, bytes);
  }
  if (status == AES_OK) {
    status = verdict(&m, tag, tag_bytes);
  }
  if (status == AES_OK) {
    open_sealed(&m, in, out, bytes);
  }
  forget_message(&m, words);
  return status;
}

// Long messages -----------------------------------------------------------------------------------

#define LONG_WORDS BLOCK_WORDS  // of key stream: for what is after the whole blocks

// Tag's mask, key stream of the last block, first counter; the state has absorbed the AAD.
static HOT int start_long(message_t *m, uint32_t counter[BLOCK_WORDS], const aes_gcm_key_t *k,
                          const uint8_t *iv, const uint8_t *aad, size_t aad_bytes, size_t bytes) {
  copy(counter, iv, FAST_IV_BYTES);
  counter[3] = swap(1u);
  copy_block(m->mask, counter);
  counter[3] = swap((uint32_t)(bytes / AES_BLOCK_BYTES) + 2u);
  copy_block(m->stream, counter);
  counter[3] = swap(2u);
  zero(m->state);
  put_padded(m->hashed, aad, aad_bytes);
  aes_ghash_blocks(&k->hash, m->state, (const uint8_t *)m->hashed,
                   words_of_blocks(aad_bytes) / BLOCK_WORDS);
  return encrypt(k, m->mask, 1u + (bytes % AES_BLOCK_BYTES != 0u));
}

static HOT int long_tag(message_t *m, const aes_gcm_key_t *k, size_t aad_bytes, size_t bytes) {
  uint32_t *const lengths = m->hashed + TEXT + words_of_blocks(bytes % AES_BLOCK_BYTES);
  put_lengths(lengths, aad_bytes, bytes);
  return make_tag(m, k, m->hashed + TEXT, lengths);
}

static HOT int encrypt_long(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                            const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                            size_t bytes, uint8_t *tag, size_t tag_bytes) {
  message_t m;
  uint32_t counter[BLOCK_WORDS];
  const size_t rest = bytes % AES_BLOCK_BYTES, whole = bytes - rest;
  (void)iv_bytes;
  int status = start_long(&m, counter, k, iv, aad, aad_bytes, bytes);
  if (status == AES_OK) {
    status = encrypt_joined(k, counter, m.state, in, out, whole / AES_BLOCK_BYTES);
  }
  if (status == AES_OK) {
    put_sealed(&m, in + whole, out + whole, rest);
    status = long_tag(&m, k, aad_bytes, bytes);
  }
  if (status == AES_OK) {
    put_tag(tag, &m, tag_bytes);
  } else {
    aes_wipe(out, bytes);
  }
  forget_message(&m, LONG_WORDS);
  return status;
}

static HOT int decrypt_long(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                            const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                            size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  message_t m;
  uint32_t counter[BLOCK_WORDS];
  const size_t rest = bytes % AES_BLOCK_BYTES, whole = bytes - rest;
  (void)iv_bytes;
  int status = start_long(&m, counter, k, iv, aad, aad_bytes, bytes);
  if (status == AES_OK) {
    aes_ghash_blocks(&k->hash, m.state, in, whole / AES_BLOCK_BYTES);
    put_padded(m.hashed + TEXT, in + whole, rest);
    status = long_tag(&m, k, aad_bytes, bytes);
  }
  if (status == AES_OK) {
    status = verdict(&m, tag, tag_bytes);
  }
  if (status == AES_OK) {
    status = aes_ctr_blocks(&k->cipher, counter, in, out, whole / AES_BLOCK_BYTES);
    if (status == AES_OK) {
      combine(out + whole, in + whole, m.stream, rest);
    } else {
      aes_wipe(out, bytes);
    }
  }
  forget_message(&m, LONG_WORDS);
  return status;
}

// Every other message -----------------------------------------------------------------------------

static COLD int encrypt_other(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                              const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                              size_t bytes, uint8_t *tag, size_t tag_bytes) {
  aes_gcm_t g;
  if (!tag_length_allowed(tag_bytes) || beyond(0, bytes, MAX_TEXT)) {
    return AES_ERR_LENGTH;
  }
  int status = aes_gcm_start(&g, k, iv, iv_bytes);
  if (status == AES_OK) {
    status = aes_gcm_aad(&g, aad, aad_bytes);
  }
  if (status == AES_OK) {
    status = aes_gcm_encrypt_update(&g, in, out, bytes);
  }
  if (status == AES_OK) {
    status = aes_gcm_encrypt_finish(&g, tag, tag_bytes);
    if (status != AES_OK) {
      aes_wipe(out, bytes);
    }
  }
  return status;
}

static COLD int decrypt_other(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                              const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                              size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  aes_gcm_t g;
  if (!tag_length_allowed(tag_bytes) || beyond(0, bytes, MAX_TEXT)) {
    return AES_ERR_LENGTH;
  }
  int status = aes_gcm_start(&g, k, iv, iv_bytes);
  if (status == AES_OK) {
    status = aes_gcm_aad(&g, aad, aad_bytes);
  }
  if (status == AES_OK) {
    status = aes_gcm_verify_update(&g, in, bytes);
  }
  if (status == AES_OK) {
    status = aes_gcm_verify_finish(&g, tag, tag_bytes);
  }
  if (status == AES_OK) {
    status = aes_gcm_release(&g, in, out, bytes);
  }
  aes_wipe(&g, sizeof g);
  return status;
}

// Entries -----------------------------------------------------------------------------------------

static inline int needs_no_context(size_t iv_bytes, size_t aad_bytes, size_t tag_bytes) {
  return iv_bytes == FAST_IV_BYTES && aad_bytes <= AAD_BLOCKS * AES_BLOCK_BYTES &&
         tag_length_allowed(tag_bytes);
}

static inline int joins(const uint8_t *in, const uint8_t *out, size_t bytes) {
  return aes_ctr_blocks != NULL && aligned(in, out) && !beyond(0, bytes, MAX_TEXT);
}

HOT int aes_gcm_encrypt_any(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                            const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                            size_t bytes, uint8_t *tag, size_t tag_bytes) {
  if (needs_no_context(iv_bytes, aad_bytes, tag_bytes)) {
    if (bytes <= LAST_BLOCKS * AES_BLOCK_BYTES) {
      return encrypt_short(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
    }
    if (joins(in, out, bytes)) {
      return encrypt_long(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
    }
  }
  return encrypt_other(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
}

HOT int aes_gcm_decrypt_any(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                            const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                            size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  if (needs_no_context(iv_bytes, aad_bytes, tag_bytes)) {
    if (bytes <= LAST_BLOCKS * AES_BLOCK_BYTES) {
      return decrypt_short(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
    }
    if (joins(in, out, bytes)) {
      return decrypt_long(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
    }
  }
  return decrypt_other(k, iv, iv_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
}

// A hash unit's kernel may have its own, and leave messages to the functions above.
WEAK HOT int aes_gcm_encrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                             const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                             size_t bytes, uint8_t *tag, size_t tag_bytes)
    __attribute__((alias("aes_gcm_encrypt_any")));
WEAK HOT int aes_gcm_decrypt(const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes,
                             const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                             size_t bytes, const uint8_t *tag, size_t tag_bytes)
    __attribute__((alias("aes_gcm_decrypt_any")));
