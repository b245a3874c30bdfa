// SPDX-License-Identifier: Apache-2.0
// AES-GCM in pieces over the kernel contract and GHASH; contract in aes_gcm.h.
// Source: NIST SP 800-38D; section numbers below are of that document.
//
// Unless the IV has 12 bytes, its counter block is a result of GHASH and so secret: nothing here
// branches on such a counter. The counter is modulo 2^32 (section 6.2), unlike that of aes_ctr.
#include "gcm_parts.h"
#include "aes_forget_registers.h"

#define COPIED_BLOCKS 8u  // buffer that aligns data for GHASH

enum { HASH_NOTHING, HASH_INPUT, HASH_OUTPUT };

// Wipe a block; unlike aes_wipe it clears no registers.
static void forget_block(volatile uint32_t block[BLOCK_WORDS]) {
  block[0] = 0;
  block[1] = 0;
  block[2] = 0;
  block[3] = 0;
}

// GHASH -------------------------------------------------------------------------------------------

static void hash_blocks(const aes_gcm_key_t *k, uint32_t *state, const uint8_t *data, size_t n) {
  if (aligned(data, data)) {
    aes_ghash_blocks(&k->hash, state, data, n);
    return;
  }
  uint32_t piece[COPIED_BLOCKS * BLOCK_WORDS];
  while (n != 0u) {
    size_t now = least(n, COPIED_BLOCKS);
    copy(piece, data, now * AES_BLOCK_BYTES);
    aes_ghash_blocks(&k->hash, state, (const uint8_t *)piece, now);
    data += now * AES_BLOCK_BYTES;
    n -= now;
  }
}

// Absorb the last, incomplete block of `used` bytes, padded with zeros.
static void hash_rest(const aes_gcm_key_t *k, uint32_t *state, uint32_t *block, uint64_t bytes) {
  size_t used = (size_t)bytes % AES_BLOCK_BYTES;
  if (used != 0u) {
    for (uint8_t *b = (uint8_t *)block; used < AES_BLOCK_BYTES; used++) {
      b[used] = 0;
    }
    aes_ghash_blocks(&k->hash, state, (const uint8_t *)block, 1);
  }
}

// Absorb n bytes that are only hashed; `before` is the number of bytes absorbed earlier.
static void hash_piece(aes_gcm_t *g, uint64_t before, const uint8_t *data, size_t n) {
  uint8_t *block = (uint8_t *)g->block;
  size_t used = (size_t)before % AES_BLOCK_BYTES;
  if (n == 0u) {
    return;  // `data` may be null
  }
  if (used != 0u) {
    size_t now = least(n, AES_BLOCK_BYTES - used);
    copy(block + used, data, now);
    if (used + now < AES_BLOCK_BYTES) {
      return;
    }
    aes_ghash_blocks(&g->key->hash, g->state, block, 1);
    data += now;
    n -= now;
  }
  hash_blocks(g->key, g->state, data, n / AES_BLOCK_BYTES);
  copy(block, data + (n & ~(size_t)15u), n % AES_BLOCK_BYTES);
}

static void hash_lengths(const aes_gcm_key_t *k, uint32_t *state, uint64_t first,
                         uint64_t second) {
  uint32_t block[BLOCK_WORDS];
  put_lengths(block, first, second);
  aes_ghash_blocks(&k->hash, state, (const uint8_t *)block, 1);
}

// CTR ---------------------------------------------------------------------------------------------

// The next n blocks of key stream in `to`, valid only after AES_OK.
static int key_stream(aes_gcm_t *g, uint32_t *to, size_t n) {
  uint32_t first[3] = {g->first[0], g->first[1], g->first[2]};
  uint32_t *block = to;
  for (size_t i = 0; i < n; i++) {
    block[0] = first[0];
    block[1] = first[1];
    block[2] = first[2];
    block[3] = swap(g->counter + (uint32_t)i);
    block += BLOCK_WORDS;
  }
  g->counter += (uint32_t)n;
  return encrypt(g->key, to, n);
}

// The same as crypt_blocks by a kernel that joins CTR with its cipher.
static int crypt_joined(aes_gcm_t *g, int what, const uint8_t *in, uint8_t *out, size_t nblocks) {
  uint32_t counter[BLOCK_WORDS] = {g->first[0], g->first[1], g->first[2], swap(g->counter)};
  int status;
  if (what == HASH_OUTPUT) {
    status = encrypt_joined(g->key, counter, g->state, in, out, nblocks);
  } else if (g->key->cipher.rounds == 0u) {
    status = AES_ERR_KEY;
  } else {
    if (what == HASH_INPUT) {
      aes_ghash_blocks(&g->key->hash, g->state, in, nblocks);
    }
    status = aes_ctr_blocks(&g->key->cipher, counter, in, out, nblocks);
  }
  g->counter += (uint32_t)nblocks;
  return status;
}

// Process whole blocks and hash the ciphertext of each batch at once. Unless AES_OK, the rest of
// `out` is not written, or zeros.
static int crypt_blocks(aes_gcm_t *g, int what, const uint8_t *in, uint8_t *out, size_t nblocks) {
  batch_t batch;
  size_t used = nblocks < BATCH_BLOCKS ? nblocks * AES_BLOCK_BYTES : sizeof batch;
  int status = AES_OK;
  if (aes_ctr_blocks != NULL && g->open_counter != 0u && nblocks != 0u && aligned(in, out)) {
    return crypt_joined(g, what, in, out, nblocks);
  }
  while (nblocks != 0u) {
    size_t n = least(nblocks, BATCH_BLOCKS);
    status = key_stream(g, batch.word, n);
    if (status != AES_OK) {
      break;
    }
    if (what == HASH_INPUT) {
      hash_blocks(g->key, g->state, in, n);
    }
    combine(out, in, batch.word, n * AES_BLOCK_BYTES);
    if (what == HASH_OUTPUT) {
      hash_blocks(g->key, g->state, out, n);
    }
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    nblocks -= n;
  }
  aes_wipe(&batch, used);
  return status;
}

// n bytes of an incomplete block: ciphertext replaces its key stream from byte `at` on.
static void crypt_bytes(uint8_t *block, size_t at, int what, const uint8_t *in, uint8_t *out,
                        size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint8_t before = in[i];
    uint8_t after = (uint8_t)(before ^ block[at + i]);
    out[i] = after;
    block[at + i] = what == HASH_INPUT ? before : after;
  }
}

// Abandon a message after an error: wipe `out` and the context.
static __attribute__((noinline)) int give_up(aes_gcm_t *g, uint8_t *out, size_t n, int status) {
  aes_wipe(g, sizeof *g);
  aes_wipe(out, n);
  return status;
}

static int crypt_piece(aes_gcm_t *g, int what, const uint8_t *in, uint8_t *out, size_t n) {
  uint8_t *block = (uint8_t *)g->block;
  size_t used = (size_t)g->text_bytes % AES_BLOCK_BYTES;
  size_t at = 0;
  if (n == 0u) {
    return AES_OK;  // `in` and `out` may be null
  }
  g->text_bytes += n;
  if (used != 0u) {
    at = least(n, AES_BLOCK_BYTES - used);
    crypt_bytes(block, used, what, in, out, at);
    if (used + at < AES_BLOCK_BYTES) {
      return AES_OK;
    }
    aes_ghash_blocks(&g->key->hash, g->state, block, 1);
  }
  size_t rest = (n - at) % AES_BLOCK_BYTES;
  int status = crypt_blocks(g, what, in + at, out + at, (n - at) / AES_BLOCK_BYTES);
  if (status == AES_OK && rest != 0u) {
    status = key_stream(g, g->block, 1);
    if (status == AES_OK) {
      crypt_bytes(block, 0, what, in + (n - rest), out + (n - rest), rest);
    }
  }
  return status == AES_OK ? AES_OK : give_up(g, out, n, status);
}

// Phases ------------------------------------------------------------------------------------------

// Enter a phase of the text from that of the AAD; 1 if the context is in that phase.
static int enter(aes_gcm_t *g, uint32_t phase) {
  if (g->phase == PHASE_AAD) {
    hash_rest(g->key, g->state, g->block, g->aad_bytes);
    copy_block(g->after_aad, g->state);
    g->phase = phase;
  }
  return g->phase == phase;
}

// The state becomes the whole tag (section 7.1, steps 4 to 6); `hash` gets the GHASH value.
static int make_tag(aes_gcm_t *g, uint32_t hash[BLOCK_WORDS]) {
  uint32_t mask[BLOCK_WORDS];
  hash_rest(g->key, g->state, g->block, g->text_bytes);
  hash_lengths(g->key, g->state, g->aad_bytes, g->text_bytes);
  copy_block(hash, g->state);
  copy_block(mask, g->first);
  int status = encrypt(g->key, mask, 1);
  combine_block(g->state, hash, mask);
  aes_wipe(mask, sizeof mask);
  return status;
}

// Entries -----------------------------------------------------------------------------------------

WEAK int aes_gcm_set_key(aes_gcm_key_t *k, const uint8_t *key, unsigned key_bits) {
  uint32_t words[8];
  if (key_bits != 128u && key_bits != 192u && key_bits != 256u) {
    k->cipher.rounds = 0;
    return AES_ERR_KEY_LENGTH;
  }
  int status;
  if (aligned(key, key)) {
    status = aes_set_encrypt_key(&k->cipher, key, key_bits);
  } else {
    copy(words, key, key_bits / 8u);
    status = aes_set_encrypt_key(&k->cipher, (const uint8_t *)words, key_bits);
    aes_wipe(words, sizeof words);
  }
  if (status != AES_OK) {
    return status;
  }
  zero(words);
  status = aes_encrypt_blocks(&k->cipher, (const uint8_t *)words, (uint8_t *)words, 1);
  if (status != AES_OK) {
    aes_clear_key(&k->cipher);  // and registers
    return status;
  }
  aes_ghash_set_key(&k->hash, (const uint8_t *)words);  // and clears registers
  forget_block(words);
  return AES_OK;
}

WEAK void aes_gcm_clear_key(aes_gcm_key_t *k) {
  aes_clear_key(&k->cipher);
  aes_wipe(&k->hash, sizeof k->hash);
}

WEAK int aes_gcm_start(aes_gcm_t *g, const aes_gcm_key_t *k, const uint8_t *iv, size_t iv_bytes) {
  g->phase = PHASE_NONE;
  if (iv_bytes == 0u || beyond(0, iv_bytes, MAX_OTHER)) {
    return give_up(g, NULL, 0, AES_ERR_LENGTH);
  }
  if (k->cipher.rounds == 0u) {
    return give_up(g, NULL, 0, AES_ERR_KEY);
  }
  g->key = k;
  zero(g->first);
  g->open_counter = iv_bytes == FAST_IV_BYTES;
  if (iv_bytes == FAST_IV_BYTES) {
    copy(g->first, iv, FAST_IV_BYTES);
    g->first[3] = swap(1);
  } else {
    zero(g->state);
    hash_piece(g, 0, iv, iv_bytes);
    hash_rest(k, g->state, g->block, iv_bytes);
    hash_lengths(k, g->state, 0, iv_bytes);
    copy_block(g->first, g->state);
    forget_registers();
  }
  g->counter = swap(g->first[3]) + 1u;
  zero(g->state);
  g->aad_bytes = 0;
  g->text_bytes = 0;
  g->phase = PHASE_AAD;
  return AES_OK;
}

WEAK int aes_gcm_aad(aes_gcm_t *g, const uint8_t *aad, size_t n) {
  if (g->phase != PHASE_AAD) {
    return AES_ERR_ORDER;
  }
  if (beyond(g->aad_bytes, n, MAX_OTHER)) {
    return give_up(g, NULL, 0, AES_ERR_LENGTH);
  }
  hash_piece(g, g->aad_bytes, aad, n);
  g->aad_bytes += n;
  forget_registers();
  return AES_OK;
}

WEAK int aes_gcm_encrypt_update(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n) {
  if (!enter(g, PHASE_ENCRYPT)) {
    return AES_ERR_ORDER;
  }
  if (beyond(g->text_bytes, n, MAX_TEXT)) {
    return give_up(g, NULL, 0, AES_ERR_LENGTH);
  }
  int status = crypt_piece(g, HASH_OUTPUT, in, out, n);
  forget_registers();
  return status;
}

WEAK int aes_gcm_encrypt_finish(aes_gcm_t *g, uint8_t *tag, size_t tag_bytes) {
  uint32_t hash[BLOCK_WORDS];
  if (!tag_length_allowed(tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  if (!enter(g, PHASE_ENCRYPT)) {
    return AES_ERR_ORDER;
  }
  int status = make_tag(g, hash);
  if (status == AES_OK) {
    copy(tag, g->state, tag_bytes);
  }
  aes_wipe(hash, sizeof hash);
  aes_wipe(g, sizeof *g);
  return status;
}

WEAK int aes_gcm_verify_update(aes_gcm_t *g, const uint8_t *in, size_t n) {
  if (!enter(g, PHASE_VERIFY)) {
    return AES_ERR_ORDER;
  }
  if (beyond(g->text_bytes, n, MAX_TEXT)) {
    return give_up(g, NULL, 0, AES_ERR_LENGTH);
  }
  hash_piece(g, g->text_bytes, in, n);
  g->text_bytes += n;
  forget_registers();
  return AES_OK;
}

WEAK int aes_gcm_verify_finish(aes_gcm_t *g, const uint8_t *tag, size_t tag_bytes) {
  if (!tag_length_allowed(tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  if (!enter(g, PHASE_VERIFY)) {
    return AES_ERR_ORDER;
  }
  int status = make_tag(g, g->verified);
  if (status == AES_OK && difference(g->state, tag, tag_bytes) != 0u) {
    status = AES_ERR_TAG;
  }
  if (status != AES_OK) {
    aes_wipe(g, sizeof *g);
    return status;
  }
  copy_block(g->state, g->after_aad);
  g->verified_bytes = g->text_bytes;
  g->text_bytes = 0;
  g->phase = PHASE_DECRYPT;
  forget_registers();
  return AES_OK;
}

WEAK int aes_gcm_decrypt_update(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n) {
  if (g->phase != PHASE_DECRYPT) {
    return AES_ERR_ORDER;
  }
  if (beyond(g->text_bytes, n, g->verified_bytes)) {
    return AES_ERR_LENGTH;
  }
  int status = crypt_piece(g, HASH_INPUT, in, out, n);
  forget_registers();
  return status;
}

int aes_gcm_release(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n) {
  return crypt_piece(g, HASH_NOTHING, in, out, n);
}

WEAK int aes_gcm_decrypt_finish(aes_gcm_t *g) {
  if (g->phase != PHASE_DECRYPT) {
    return AES_ERR_ORDER;
  }
  hash_rest(g->key, g->state, g->block, g->text_bytes);
  hash_lengths(g->key, g->state, g->aad_bytes, g->text_bytes);
  uint32_t bits = difference(g->state, g->verified, sizeof g->state);
  aes_wipe(g, sizeof *g);
  return bits == 0u ? AES_OK : AES_ERR_TAG;
}
