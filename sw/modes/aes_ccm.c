// SPDX-License-Identifier: Apache-2.0
// AES-CCM over the kernel contract; contract in aes_ccm.h.
// Source: NIST SP 800-38C; section numbers below are of that document.
//
// The counter has 15 - nonce_bytes bytes. The limit of the text keeps it from overflowing, so the
// 128-bit increment of aes_ctr never carries into the nonce.
#include "aes_ccm.h"
#include "blocks.h"
#include "padded.h"
#include "aes_forget_registers.h"

enum { PHASE_NONE, PHASE_AAD, PHASE_ENCRYPT, PHASE_VERIFY, PHASE_DECRYPT };

static const uint32_t nothing[BLOCK_WORDS];

static int lengths_allowed(size_t nonce_bytes, uint64_t text_bytes, size_t tag_bytes) {
  if (nonce_bytes < 7u || nonce_bytes > 13u) {
    return 0;
  }
  unsigned counter_bits = 8u * (15u - (unsigned)nonce_bytes);
  return (counter_bits == 64u || text_bytes >> counter_bits == 0u) && tag_bytes >= 4u &&
         tag_bytes <= AES_BLOCK_BYTES && tag_bytes % 2u == 0u;
}

// Abandon a message after an error: wipe `out` and the context.
static __attribute__((noinline)) int give_up(aes_ccm_t *c, uint8_t *out, size_t n, int status) {
  aes_wipe(c, sizeof *c);
  aes_wipe(out, n);
  return status;
}

// CBC-MAC -----------------------------------------------------------------------------------------

// Encipher the state with the block that was XORed into it.
static int end_block(aes_ccm_t *c) {
  c->used = 0;
  return aes_cbc_mac(c->key, c->state, (const uint8_t *)nothing, 1);
}

// Fill the last, incomplete block with zeros.
static int end_data(aes_ccm_t *c) {
  return c->used == 0u ? AES_OK : end_block(c);
}

// Absorb n bytes that are only authenticated.
static int absorb(aes_ccm_t *c, const uint8_t *data, size_t n) {
  uint8_t *state = (uint8_t *)c->state;
  int status = AES_OK;
  if (c->used != 0u) {
    size_t now = least(n, AES_BLOCK_BYTES - c->used);
    combine(state + c->used, state + c->used, data, now);
    c->used += (uint32_t)now;
    if (c->used < AES_BLOCK_BYTES) {
      return AES_OK;
    }
    status = end_block(c);
    data += now;
    n -= now;
  }
  if (status == AES_OK && n >= AES_BLOCK_BYTES) {
    status = aes_cbc_mac(c->key, c->state, data, n / AES_BLOCK_BYTES);
  }
  if (status == AES_OK) {
    c->used = (uint32_t)(n % AES_BLOCK_BYTES);
    combine(state, state, data + (n - c->used), c->used);
  }
  return status;
}

// B0 (appendix A.2.1), and the length of the AAD (A.2.2) before the AAD.
static int begin(aes_ccm_t *c, unsigned counter_bytes, uint64_t aad_bytes) {
  uint32_t block[BLOCK_WORDS];
  uint8_t *b = (uint8_t *)block;
  uint64_t length = c->text_bytes;
  copy_block(block, c->first);
  b[0] |= (uint8_t)((aad_bytes != 0u ? 0x40u : 0u) | (c->tag_bytes - 2u) << 2);
  for (unsigned i = 0; i < counter_bytes; i++) {
    b[15u - i] = (uint8_t)length;
    length >>= 8;
  }
  copy_block(c->state, nothing);
  int status = aes_cbc_mac(c->key, c->state, b, 1);
  if (status != AES_OK || aad_bytes == 0u) {
    return status;
  }
  b[0] = 0xff;
  b[1] = 0xfe;
  unsigned digits = 2, before = 0;
  if (aad_bytes >= 0xff00u) {
    before = 2;
    digits = 4;
    if (aad_bytes >> 32 != 0u) {
      b[1] = 0xff;
      digits = 8;
    }
  }
  for (unsigned i = digits; i-- != 0u;) {
    b[before + i] = (uint8_t)aad_bytes;
    aad_bytes >>= 8;
  }
  return absorb(c, b, before + digits);
}

// Text --------------------------------------------------------------------------------------------

// n bytes of an incomplete block, from byte c->used on. Without `out`, only authenticate.
static void crypt_bytes(aes_ccm_t *c, const uint8_t *in, uint8_t *out, size_t n) {
  const uint8_t *stream = (const uint8_t *)c->stream + c->used;
  uint8_t *state = (uint8_t *)c->state + c->used;
  for (size_t i = 0; i < n; i++) {
    uint8_t before = in[i];
    uint8_t after = (uint8_t)(before ^ stream[i]);
    state[i] ^= c->phase == PHASE_ENCRYPT ? before : after;
    if (out != NULL) {
      out[i] = after;
    }
  }
  c->used += (uint32_t)n;
}

// The first pass over ciphertext: plaintext exists only in a batch on the stack.
static int verify_blocks(aes_ccm_t *c, const uint8_t *in, size_t nblocks) {
  batch_t batch;
  uint8_t *plain = (uint8_t *)batch.word;
  size_t used = least(nblocks, BATCH_BLOCKS) * AES_BLOCK_BYTES;
  int status = AES_OK;
  while (nblocks != 0u && status == AES_OK) {
    size_t n = least(nblocks, BATCH_BLOCKS);
    status = aes_ctr(c->key, (uint8_t *)c->counter, in, plain, n * AES_BLOCK_BYTES);
    if (status == AES_OK) {
      status = aes_cbc_mac(c->key, c->state, plain, n);
    }
    in += n * AES_BLOCK_BYTES;
    nblocks -= n;
  }
  aes_wipe(&batch, used);
  return status;
}

// In place, the plaintext is authenticated before it is overwritten or after it has come.
static int crypt_blocks(aes_ccm_t *c, const uint8_t *in, uint8_t *out, size_t nblocks) {
  uint8_t *counter = (uint8_t *)c->counter;
  int status = AES_OK;
  if (c->phase == PHASE_VERIFY) {
    return verify_blocks(c, in, nblocks);
  }
  if (c->phase == PHASE_ENCRYPT) {
    status = aes_cbc_mac(c->key, c->state, in, nblocks);
  }
  if (status == AES_OK) {
    status = aes_ctr(c->key, counter, in, out, nblocks * AES_BLOCK_BYTES);
  }
  if (status == AES_OK && c->phase == PHASE_DECRYPT) {
    status = aes_cbc_mac(c->key, c->state, out, nblocks);
  }
  return status;
}

static int crypt_piece(aes_ccm_t *c, const uint8_t *in, uint8_t *out, size_t n) {
  size_t at = 0;
  int status = AES_OK;
  if (n == 0u) {
    return AES_OK;  // `in` and `out` may be null
  }
  c->text_left -= n;
  if (c->used != 0u) {
    at = least(n, AES_BLOCK_BYTES - c->used);
    crypt_bytes(c, in, out, at);
    if (c->used < AES_BLOCK_BYTES) {
      return AES_OK;
    }
    status = end_block(c);
  }
  size_t rest = (n - at) % AES_BLOCK_BYTES;
  if (status == AES_OK && n - at >= AES_BLOCK_BYTES) {
    uint8_t *to = out == NULL ? NULL : out + at;
    status = crypt_blocks(c, in + at, to, (n - at) / AES_BLOCK_BYTES);
  }
  if (status == AES_OK && rest != 0u) {
    status = aes_ctr(c->key, (uint8_t *)c->counter, (const uint8_t *)nothing,
                     (uint8_t *)c->stream, AES_BLOCK_BYTES);
    if (status == AES_OK) {
      crypt_bytes(c, in + (n - rest), out == NULL ? NULL : out + (n - rest), rest);
    }
  }
  return status == AES_OK ? AES_OK : give_up(c, out, out == NULL ? 0u : n, status);
}

// Phases ------------------------------------------------------------------------------------------

static int in_phase(const aes_ccm_t *c, uint32_t phase) {
  return c->phase == phase || (c->phase == PHASE_AAD && c->aad_left == 0u);
}

// Enter a phase of the text from that of the AAD.
static int enter(aes_ccm_t *c, uint32_t phase) {
  int status = AES_OK;
  if (c->phase == PHASE_AAD) {
    status = end_data(c);
    copy_block(c->after_aad, c->state);
    c->phase = phase;
  }
  return status;
}

static int update(aes_ccm_t *c, uint32_t phase, const uint8_t *in, uint8_t *out, size_t n) {
  if (!in_phase(c, phase)) {
    return AES_ERR_ORDER;
  }
  if (n > c->text_left) {
    return AES_ERR_LENGTH;
  }
  if (out != NULL && overlap(in, n, out, n)) {
    return AES_ERR_OVERLAP;
  }
  int status = enter(c, phase);
  if (status != AES_OK) {
    return give_up(c, out, out == NULL ? 0u : n, status);
  }
  status = crypt_piece(c, in, out, n);
  forget_registers();
  return status;
}

// The state becomes that of the whole message (section 6.1, steps 1 to 4), and `tag` the whole tag.
static int make_tag(aes_ccm_t *c, uint32_t phase, uint32_t tag[BLOCK_WORDS]) {
  uint32_t first[BLOCK_WORDS];
  int status = enter(c, phase);
  if (status == AES_OK) {
    status = end_data(c);
  }
  copy_block(first, c->first);
  if (status == AES_OK) {
    status = aes_ctr(c->key, (uint8_t *)first, (const uint8_t *)c->state, (uint8_t *)tag,
                     AES_BLOCK_BYTES);
  }
  return status;
}

// Counter block 1 is that of the first block of text.
static void restart_text(aes_ccm_t *c) {
  copy_block(c->counter, c->first);
  ((uint8_t *)c->counter)[15] = 1;
  c->text_left = c->text_bytes;
  c->used = 0;
}

// Entries -----------------------------------------------------------------------------------------

WEAK int aes_ccm_start(aes_ccm_t *c, const aes_key_t *k, const uint8_t *nonce, size_t nonce_bytes,
                       uint64_t aad_bytes, uint64_t text_bytes, size_t tag_bytes) {
  if (!lengths_allowed(nonce_bytes, text_bytes, tag_bytes)) {
    return give_up(c, NULL, 0, AES_ERR_LENGTH);
  }
  c->key = k;
  copy_block(c->first, nothing);
  ((uint8_t *)c->first)[0] = (uint8_t)(14u - nonce_bytes);
  copy((uint8_t *)c->first + 1, nonce, nonce_bytes);
  c->aad_left = aad_bytes;
  c->text_bytes = text_bytes;
  c->tag_bytes = (uint32_t)tag_bytes;
  restart_text(c);
  int status = begin(c, 15u - (unsigned)nonce_bytes, aad_bytes);
  if (status != AES_OK) {
    return give_up(c, NULL, 0, status);
  }
  c->phase = PHASE_AAD;
  forget_registers();
  return AES_OK;
}

WEAK int aes_ccm_aad(aes_ccm_t *c, const uint8_t *aad, size_t n) {
  if (c->phase != PHASE_AAD) {
    return AES_ERR_ORDER;
  }
  if (n > c->aad_left) {
    return AES_ERR_LENGTH;
  }
  if (n == 0u) {
    return AES_OK;  // `aad` may be null
  }
  c->aad_left -= n;
  int status = absorb(c, aad, n);
  if (status != AES_OK) {
    return give_up(c, NULL, 0, status);
  }
  forget_registers();
  return AES_OK;
}

WEAK int aes_ccm_encrypt_update(aes_ccm_t *c, const uint8_t *in, uint8_t *out, size_t n) {
  return update(c, PHASE_ENCRYPT, in, out, n);
}

WEAK int aes_ccm_encrypt_finish(aes_ccm_t *c, uint8_t *tag) {
  uint32_t whole[BLOCK_WORDS];
  if (!in_phase(c, PHASE_ENCRYPT) || c->text_left != 0u) {
    return AES_ERR_ORDER;
  }
  int status = make_tag(c, PHASE_ENCRYPT, whole);
  if (status == AES_OK) {
    copy(tag, whole, c->tag_bytes);
  }
  aes_wipe(whole, sizeof whole);
  return give_up(c, NULL, 0, status);
}

WEAK int aes_ccm_verify_update(aes_ccm_t *c, const uint8_t *in, size_t n) {
  return update(c, PHASE_VERIFY, in, NULL, n);
}

WEAK int aes_ccm_verify_finish(aes_ccm_t *c, const uint8_t *tag) {
  uint32_t whole[BLOCK_WORDS];
  if (!in_phase(c, PHASE_VERIFY) || c->text_left != 0u) {
    return AES_ERR_ORDER;
  }
  int status = make_tag(c, PHASE_VERIFY, whole);
  if (status == AES_OK && unequal(whole, tag, c->tag_bytes) != 0u) {
    status = AES_ERR_TAG;
  }
  aes_wipe(whole, sizeof whole);
  if (status != AES_OK) {
    return give_up(c, NULL, 0, status);
  }
  copy_block(c->verified, c->state);
  copy_block(c->state, c->after_aad);
  restart_text(c);
  c->phase = PHASE_DECRYPT;
  forget_registers();
  return AES_OK;
}

WEAK int aes_ccm_decrypt_update(aes_ccm_t *c, const uint8_t *in, uint8_t *out, size_t n) {
  return c->phase == PHASE_DECRYPT ? update(c, PHASE_DECRYPT, in, out, n) : AES_ERR_ORDER;
}

WEAK int aes_ccm_decrypt_finish(aes_ccm_t *c) {
  if (c->phase != PHASE_DECRYPT || c->text_left != 0u) {
    return AES_ERR_ORDER;
  }
  int status = end_data(c);
  if (status == AES_OK && unequal(c->state, c->verified, sizeof c->state) != 0u) {
    status = AES_ERR_TAG;
  }
  return give_up(c, NULL, 0, status);
}

// Short messages ----------------------------------------------------------------------------------
//
// One call of CBC-MAC takes all blocks, and one of the cipher gives the tag's mask and the key
// stream; no context is filled and wiped.

#define SHORT_AAD_BYTES 30u  // two blocks with its length
#define SHORT_TEXT_BLOCKS 16u

// Input of CBC-MAC: B0 and AAD end where the plaintext begins, at word TEXT. What is secret comes
// from there on, and is wiped.
#define TEXT (3u * BLOCK_WORDS)
typedef struct {
  uint32_t input[TEXT + SHORT_TEXT_BLOCKS * BLOCK_WORDS];
  uint32_t state[BLOCK_WORDS];  // of CBC-MAC, then the tag
  uint32_t mask[BLOCK_WORDS];   // of the tag
  uint32_t stream[SHORT_TEXT_BLOCKS * BLOCK_WORDS];
} short_message_t;

static int is_short(size_t aad_bytes, size_t bytes) {
  return aad_bytes <= SHORT_AAD_BYTES && bytes <= SHORT_TEXT_BLOCKS * AES_BLOCK_BYTES;
}

// B0 and AAD (appendix A.2.1 and A.2.2); returns where they begin.
static HOT const uint32_t *put_head(short_message_t *m, const uint8_t *nonce, size_t nonce_bytes,
                                    const uint8_t *aad, size_t aad_bytes, size_t bytes,
                                    size_t tag_bytes) {
  uint32_t *block = m->input + TEXT, *const end = block;
  uint8_t flags = (uint8_t)((tag_bytes - 2u) << 2 | (14u - nonce_bytes));
  if (aad_bytes != 0u) {
    block -= words_of_blocks(aad_bytes + 2u);
    flags |= 0x40u;
    forget_words(block, (size_t)(end - block));
    uint8_t *b = (uint8_t *)block;
    b[1] = (uint8_t)aad_bytes;
    for (size_t i = 0; i < aad_bytes; i++) {
      b[2u + i] = aad[i];
    }
  }
  block -= BLOCK_WORDS;
  uint8_t *b0 = (uint8_t *)block;
  block[1] = 0;
  block[2] = 0;
  block[3] = swap((uint32_t)bytes);
  b0[0] = flags;
  for (size_t i = 0; i < nonce_bytes; i++) {
    b0[1u + i] = nonce[i];
  }
  return block;
}

// Tag's mask and key stream, for a text of so many words: counter blocks differ from B0 in flags
// and in the length's two bytes, the last ones.
static HOT int short_stream(short_message_t *m, const aes_key_t *k, const uint32_t *b0,
                            size_t nonce_bytes, size_t words) {
  uint32_t *block = m->mask, *const last = block + words;
  const uint32_t x0 = (b0[0] & ~0xffu) | (14u - (uint32_t)nonce_bytes);
  const uint32_t x1 = b0[1], x2 = b0[2];
  uint32_t counter = b0[3] & 0xffffu;
  if (k->rounds == 0u) {
    return AES_ERR_KEY;
  }
  for (;; block += BLOCK_WORDS, counter += swap(1u)) {
    block[0] = x0;
    block[1] = x1;
    block[2] = x2;
    block[3] = counter;
    if (block == last) {
      return aes_encrypt_blocks(k, (const uint8_t *)m->mask, (uint8_t *)m->mask,
                                words / BLOCK_WORDS + 1u);
    }
  }
}

// The state becomes the whole tag (section 6.1, steps 2 to 4 and 8).
static HOT int short_tag(short_message_t *m, const aes_key_t *k, const uint32_t *b0,
                         size_t words) {
  const size_t blocks = ((size_t)(m->input + TEXT - b0) + words) / BLOCK_WORDS;
  m->state[0] = 0;
  m->state[1] = 0;
  m->state[2] = 0;
  m->state[3] = 0;
  int status = aes_cbc_mac(k, m->state, (const uint8_t *)b0, blocks);
  combine_block(m->state, m->state, m->mask);
  return status;
}

static inline void forget_message(short_message_t *m, size_t words) {
  if (words != 0u) {
    forget_words(m->input + TEXT, words);
  }
  forget_words((uint32_t *)((uint8_t *)m + offsetof(short_message_t, state)),
               2u * BLOCK_WORDS + words);
  forget_registers();
}

static HOT int encrypt_short(const aes_key_t *k, const uint8_t *nonce, size_t nonce_bytes,
                             const uint8_t *aad, size_t aad_bytes, const uint8_t *in,
                             uint8_t *out, size_t bytes, uint8_t *tag, size_t tag_bytes) {
  short_message_t m;
  const size_t words = words_of_blocks(bytes);
  const uint32_t *b0 = put_head(&m, nonce, nonce_bytes, aad, aad_bytes, bytes, tag_bytes);
  int status = short_stream(&m, k, b0, nonce_bytes, words);
  if (status == AES_OK) {
    put_padded(m.input + TEXT, in, bytes);
    status = short_tag(&m, k, b0, words);
  }
  if (status == AES_OK) {
    combine(out, in, m.stream, bytes);
    copy(tag, m.state, tag_bytes);
  } else {
    aes_wipe(out, bytes);
  }
  forget_message(&m, words);
  return status;
}

// `out` gets no plaintext of a forged message.
static HOT int decrypt_short(const aes_key_t *k, const uint8_t *nonce, size_t nonce_bytes,
                             const uint8_t *aad, size_t aad_bytes, const uint8_t *in,
                             uint8_t *out, size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  short_message_t m;
  const size_t words = words_of_blocks(bytes);
  const uint32_t *b0 = put_head(&m, nonce, nonce_bytes, aad, aad_bytes, bytes, tag_bytes);
  uint32_t *const text = m.input + TEXT;
  int status = short_stream(&m, k, b0, nonce_bytes, words);
  if (status == AES_OK) {
    if (bytes % AES_BLOCK_BYTES != 0u) {
      copy_block(text + words - BLOCK_WORDS, nothing);
    }
    combine(text, in, m.stream, bytes);
    status = short_tag(&m, k, b0, words);
  }
  if (status == AES_OK && unequal(m.state, tag, tag_bytes) != 0u) {
    status = AES_ERR_TAG;
  }
  if (status == AES_OK) {
    copy(out, text, bytes);
  } else {
    aes_wipe(out, bytes);
  }
  forget_message(&m, words);
  return status;
}

// A message in one call ---------------------------------------------------------------------------

// Start, AAD and text of one call.
static int whole_message(aes_ccm_t *c, uint32_t phase, const aes_key_t *k, const uint8_t *nonce,
                         size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                         const uint8_t *in, uint8_t *out, size_t bytes, size_t tag_bytes) {
  int status = aes_ccm_start(c, k, nonce, nonce_bytes, aad_bytes, bytes, tag_bytes);
  if (status == AES_OK) {
    status = aes_ccm_aad(c, aad, aad_bytes);
  }
  return status == AES_OK ? update(c, phase, in, out, bytes) : status;
}

WEAK int aes_ccm_encrypt(const aes_key_t *k, const uint8_t *nonce, size_t nonce_bytes,
                         const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                         size_t bytes, uint8_t *tag, size_t tag_bytes) {
  aes_ccm_t c;
  if (!lengths_allowed(nonce_bytes, bytes, tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  if (overlap(in, bytes, out, bytes)) {
    return AES_ERR_OVERLAP;
  }
  if (is_short(aad_bytes, bytes)) {
    return encrypt_short(k, nonce, nonce_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
  }
  int status = whole_message(&c, PHASE_ENCRYPT, k, nonce, nonce_bytes, aad, aad_bytes, in, out,
                             bytes, tag_bytes);
  if (status == AES_OK) {
    status = aes_ccm_encrypt_finish(&c, tag);
  }
  if (status != AES_OK) {
    aes_wipe(out, bytes);
  }
  return status;
}

WEAK int aes_ccm_decrypt(const aes_key_t *k, const uint8_t *nonce, size_t nonce_bytes,
                         const uint8_t *aad, size_t aad_bytes, const uint8_t *in, uint8_t *out,
                         size_t bytes, const uint8_t *tag, size_t tag_bytes) {
  aes_ccm_t c;
  uint32_t whole[BLOCK_WORDS];
  if (!lengths_allowed(nonce_bytes, bytes, tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  if (overlap(in, bytes, out, bytes)) {
    return AES_ERR_OVERLAP;
  }
  if (is_short(aad_bytes, bytes)) {
    return decrypt_short(k, nonce, nonce_bytes, aad, aad_bytes, in, out, bytes, tag, tag_bytes);
  }
  int status = whole_message(&c, PHASE_DECRYPT, k, nonce, nonce_bytes, aad, aad_bytes, in, out,
                             bytes, tag_bytes);
  if (status == AES_OK) {
    status = make_tag(&c, PHASE_DECRYPT, whole);
    if (status == AES_OK && unequal(whole, tag, tag_bytes) != 0u) {
      status = AES_ERR_TAG;
    }
    aes_wipe(whole, sizeof whole);
  }
  aes_wipe(&c, sizeof c);
  if (status != AES_OK) {
    aes_wipe(out, bytes);
  }
  return status;
}
