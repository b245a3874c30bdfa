// SPDX-License-Identifier: Apache-2.0
// AES-GCM-SIV over the kernel contract and GHASH; contract in aes_gcm_siv.h.
// Source: RFC 8452; section numbers below are of that document.
//
// POLYVAL is GHASH of blocks with their bytes in reverse order, under the subkey in reverse order
// times x (appendix A). So a unit with GHASH serves this mode too.
#include "aes_gcm_siv.h"
#include "blocks.h"
#include "aes_forget_registers.h"

#define NONCE_BYTES 12u
#define REVERSED_BLOCKS 8u            // hashed at once
#define MOST ((uint64_t)1 << 36)      // bytes of text or AAD, section 6

// What one message has of its own.
typedef struct {
  aes_gcm_key_t key;
  uint32_t state[BLOCK_WORDS];  // of GHASH: reversed POLYVAL
} message_t;

static int lengths_allowed(size_t aad_bytes, size_t bytes) {
  return !exceeds(aad_bytes, MOST) && !exceeds(bytes, MOST);
}

static void reverse_block(uint32_t to[BLOCK_WORDS], const uint32_t from[BLOCK_WORDS]) {
  uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
  to[0] = swap(d);
  to[1] = swap(c);
  to[2] = swap(b);
  to[3] = swap(a);
}

// mulX_GHASH of the reversed subkey: GHASH's x^127 is the last bit of the last byte.
static void set_hash_key(message_t *m, const uint32_t key[BLOCK_WORDS]) {
  uint32_t a = key[3], b = key[2], c = key[1], d = key[0];
  uint32_t product[BLOCK_WORDS] = {
      swap(a >> 1 ^ (0xe1000000u & (0u - (d & 1u)))), swap(b >> 1 | a << 31),
      swap(c >> 1 | b << 31), swap(d >> 1 | c << 31)};
  aes_ghash_set_key(&m->key.hash, (const uint8_t *)product);
  aes_wipe(product, sizeof product);
}

// The keys of a message, section 4: half of each of four or six blocks.
static int derive(message_t *m, const aes_key_t *k, const uint8_t *nonce) {
  uint32_t words[6u * BLOCK_WORDS];
  const unsigned key_bits = k->rounds == 14u ? 256u : 128u;
  const uint32_t nblocks = 2u + key_bits / 64u;
  for (uint32_t i = 0; i < nblocks; i++) {
    words[i * BLOCK_WORDS] = i;
    copy(&words[i * BLOCK_WORDS + 1u], nonce, NONCE_BYTES);
  }
  int status = aes_encrypt_blocks(k, (const uint8_t *)words, (uint8_t *)words, nblocks);
  for (uint32_t i = 1; i < nblocks; i++) {
    words[i * 2u] = words[i * BLOCK_WORDS];
    words[i * 2u + 1u] = words[i * BLOCK_WORDS + 1u];
  }
  m->key.cipher.rounds = 0;
  if (status == AES_OK) {
    status = aes_set_encrypt_key(&m->key.cipher, (const uint8_t *)(words + BLOCK_WORDS), key_bits);
  }
  if (status == AES_OK) {
    set_hash_key(m, words);
  }
  aes_wipe(words, sizeof words);
  return status;
}

// Absorb n bytes and zeros up to the next block.
static void absorb(message_t *m, const uint8_t *data, size_t n) {
  uint32_t batch[REVERSED_BLOCKS * BLOCK_WORDS];
  size_t used = n < sizeof batch ? (n + 15u) & ~(size_t)15u : sizeof batch;
  while (n != 0u) {
    size_t now = least(n, sizeof batch);
    size_t nblocks = (now + 15u) / AES_BLOCK_BYTES;
    copy(batch, data, now);
    for (size_t i = now; i < nblocks * AES_BLOCK_BYTES; i++) {
      ((uint8_t *)batch)[i] = 0;
    }
    for (size_t i = 0; i < nblocks; i++) {
      reverse_block(&batch[i * BLOCK_WORDS], &batch[i * BLOCK_WORDS]);
    }
    aes_ghash_blocks(&m->key.hash, m->state, (const uint8_t *)batch, nblocks);
    data += now;
    n -= now;
  }
  aes_wipe(batch, used);
}

// The tag of AAD and plaintext, section 4.
static int make_tag(message_t *m, const uint8_t *nonce, const uint8_t *aad, size_t aad_bytes,
                    const uint8_t *text, size_t bytes, uint32_t tag[BLOCK_WORDS]) {
  uint64_t first = (uint64_t)aad_bytes * 8u, second = (uint64_t)bytes * 8u;
  uint32_t lengths[BLOCK_WORDS] = {(uint32_t)first, (uint32_t)(first >> 32), (uint32_t)second,
                                   (uint32_t)(second >> 32)};
  for (unsigned i = 0; i < BLOCK_WORDS; i++) {
    m->state[i] = 0;
  }
  absorb(m, aad, aad_bytes);
  absorb(m, text, bytes);
  absorb(m, (const uint8_t *)lengths, sizeof lengths);
  reverse_block(tag, m->state);
  combine(tag, tag, nonce, NONCE_BYTES);
  tag[3] &= 0x7fffffffu;
  return aes_encrypt_blocks(&m->key.cipher, (const uint8_t *)tag, (uint8_t *)tag, 1);
}

// The counter is the first word, little-endian and modulo 2^32 (section 4): not that of aes_ctr.
static int crypt(message_t *m, const uint32_t tag[BLOCK_WORDS], const uint8_t *in, uint8_t *out,
                 size_t bytes) {
  batch_t batch;
  uint32_t counter = tag[0];
  size_t used = bytes < sizeof batch ? (bytes + 15u) & ~(size_t)15u : sizeof batch;
  int status = AES_OK;
  while (bytes != 0u && status == AES_OK) {
    size_t now = least(bytes, sizeof batch);
    size_t nblocks = (now + 15u) / AES_BLOCK_BYTES;
    for (size_t i = 0; i < nblocks; i++) {
      uint32_t *block = &batch.word[i * BLOCK_WORDS];
      block[0] = counter++;
      block[1] = tag[1];
      block[2] = tag[2];
      block[3] = tag[3] | 0x80000000u;
    }
    status = aes_encrypt_blocks(&m->key.cipher, (const uint8_t *)batch.word, (uint8_t *)batch.word,
                                nblocks);
    if (status == AES_OK) {
      combine(out, in, batch.word, now);
    }
    in += now;
    out += now;
    bytes -= now;
  }
  aes_wipe(&batch, used);
  return status;
}

// End a message: its keys go, also those in units, and the output unless all is well.
static int finish(message_t *m, uint8_t *out, size_t bytes, int status) {
  if (m->key.cipher.rounds != 0u) {
    aes_gcm_clear_key(&m->key);
  }
  aes_wipe(m, sizeof *m);
  if (status != AES_OK) {
    aes_wipe(out, bytes);
  }
  return status;
}

WEAK int aes_gcm_siv_encrypt(const aes_key_t *k, const uint8_t *nonce, const uint8_t *aad,
                             size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes,
                             uint8_t *tag) {
  message_t m;
  uint32_t whole[BLOCK_WORDS];
  if (!lengths_allowed(aad_bytes, bytes)) {
    return AES_ERR_LENGTH;
  }
  if (overlap(in, bytes, out, bytes)) {
    return AES_ERR_OVERLAP;
  }
  if (k->rounds == 12u) {
    return AES_ERR_KEY_LENGTH;
  }
  m.key.cipher.rounds = 0;
  int status = k->rounds == 0u ? AES_ERR_KEY : derive(&m, k, nonce);
  if (status == AES_OK) {
    status = make_tag(&m, nonce, aad, aad_bytes, in, bytes, whole);
  }
  if (status == AES_OK) {
    status = crypt(&m, whole, in, out, bytes);
  }
  if (status == AES_OK) {
    copy(tag, whole, sizeof whole);
  }
  aes_wipe(whole, sizeof whole);
  return finish(&m, out, bytes, status);
}

WEAK int aes_gcm_siv_decrypt(const aes_key_t *k, const uint8_t *nonce, const uint8_t *aad,
                             size_t aad_bytes, const uint8_t *in, uint8_t *out, size_t bytes,
                             const uint8_t *tag) {
  message_t m;
  uint32_t given[BLOCK_WORDS], whole[BLOCK_WORDS];
  if (!lengths_allowed(aad_bytes, bytes)) {
    return AES_ERR_LENGTH;
  }
  if (overlap(in, bytes, out, bytes)) {
    return AES_ERR_OVERLAP;
  }
  if (k->rounds == 12u) {
    return AES_ERR_KEY_LENGTH;
  }
  m.key.cipher.rounds = 0;
  copy(given, tag, sizeof given);
  int status = k->rounds == 0u ? AES_ERR_KEY : derive(&m, k, nonce);
  if (status == AES_OK) {
    status = crypt(&m, given, in, out, bytes);
  }
  if (status == AES_OK) {
    status = make_tag(&m, nonce, aad, aad_bytes, out, bytes, whole);
    if (status == AES_OK && unequal(whole, given, sizeof whole) != 0u) {
      status = AES_ERR_TAG;
    }
    aes_wipe(whole, sizeof whole);
  }
  return finish(&m, out, bytes, status);
}
