// SPDX-License-Identifier: Apache-2.0
// AES-XTS over the kernel contract; contract in aes_xts.h.
// Source: IEEE Std 1619-2007, as NIST SP 800-38E approves it; clause numbers below are of the
// former.
#include "aes_xts.h"
#include "blocks.h"
#include "aes_forget_registers.h"

typedef int (*blocks_fn)(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
typedef int (*tweaked_fn)(const aes_key_t *k, uint32_t tweak[BLOCK_WORDS], const uint8_t *in,
                          uint8_t *out, size_t nblocks);

static __attribute__((noinline)) int fail(uint8_t *out, size_t nbytes, int status) {
  aes_wipe(out, nbytes);
  return status;
}

// The tweak times x in GF(2^128), clause 5.2: its last byte holds the highest coefficients.
static inline void times_x(uint32_t to[BLOCK_WORDS], const uint32_t from[BLOCK_WORDS]) {
  uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
  to[0] = a << 1 ^ (0x87u & (0u - (d >> 31)));
  to[1] = b << 1 | a >> 31;
  to[2] = c << 1 | b >> 31;
  to[3] = d << 1 | c >> 31;
}

static inline __attribute__((always_inline)) int tweaked(blocks_fn blocks, const aes_key_t *k,
                                                         uint32_t tweak[BLOCK_WORDS],
                                                         const uint8_t *in, uint8_t *out,
                                                         size_t nblocks) {
  batch_t masks, batch;
  uint8_t *data = (uint8_t *)batch.word;
  size_t used = least(nblocks, BATCH_BLOCKS) * AES_BLOCK_BYTES;
  size_t done = 0;
  int status = k->rounds == 0u ? AES_ERR_KEY : AES_OK;
  while (done < nblocks && status == AES_OK) {
    size_t n = least(nblocks - done, BATCH_BLOCKS);
    for (size_t i = 0; i < n; i++) {
      copy_block(&masks.word[i * BLOCK_WORDS], tweak);
      times_x(tweak, tweak);
    }
    combine(data, in, masks.word, n * AES_BLOCK_BYTES);
    status = blocks(k, data, data, n);
    combine(out, data, masks.word, n * AES_BLOCK_BYTES);
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    done += n;
  }
  aes_wipe(&masks, used);
  aes_wipe(&batch, used);
  return status == AES_OK || nblocks == 0u
             ? status
             : fail(out - done * AES_BLOCK_BYTES, nblocks * AES_BLOCK_BYTES, status);
}

WEAK int aes_xts_encrypt_blocks(const aes_key_t *k, uint32_t tweak[4], const uint8_t *in,
                                uint8_t *out, size_t nblocks) {
  return tweaked(aes_encrypt_blocks, k, tweak, in, out, nblocks);
}

WEAK int aes_xts_decrypt_blocks(const aes_key_t *k, uint32_t tweak[4], const uint8_t *in,
                                uint8_t *out, size_t nblocks) {
  return tweaked(aes_decrypt_blocks, k, tweak, in, out, nblocks);
}

static int no_key(aes_xts_key_t *k, int status) {
  k->tweak.rounds = 0;
  return aes_no_key(&k->data, status);
}

static int set_key(aes_xts_key_t *k, const uint8_t *key, unsigned key_bits, uint32_t decrypts) {
  uint32_t words[8];
  if (key_bits != 256u && key_bits != 512u) {
    return no_key(k, AES_ERR_KEY_LENGTH);
  }
  unsigned half = key_bits / 2u;
  if (unequal(key, key + half / 8u, half / 8u) == 0u) {
    return no_key(k, AES_ERR_WEAK_KEY);
  }
  copy(words, key, half / 8u);
  k->decrypts = decrypts;
  int status = decrypts ? aes_set_decrypt_key(&k->data, (const uint8_t *)words, half)
                        : aes_set_encrypt_key(&k->data, (const uint8_t *)words, half);
  if (status == AES_OK) {
    copy(words, key + half / 8u, half / 8u);
    status = aes_set_encrypt_key(&k->tweak, (const uint8_t *)words, half);
    if (status != AES_OK) {
      aes_clear_key(&k->data);
    }
  }
  aes_wipe(words, sizeof words);
  return status == AES_OK ? AES_OK : no_key(k, status);
}

WEAK int aes_xts_set_encrypt_key(aes_xts_key_t *k, const uint8_t *key, unsigned key_bits) {
  return set_key(k, key, key_bits, 0);
}

WEAK int aes_xts_set_decrypt_key(aes_xts_key_t *k, const uint8_t *key, unsigned key_bits) {
  return set_key(k, key, key_bits, 1);
}

WEAK void aes_xts_clear_key(aes_xts_key_t *k) {
  aes_clear_key(&k->data);
  aes_clear_key(&k->tweak);
  k->decrypts = 0;
}

// The last complete block and the `rest` bytes after it, clauses 5.3.2 and 5.4.2. Decryption takes
// the two masks in the other order.
static int steal(tweaked_fn crypt, const aes_xts_key_t *k, const uint32_t tweak[BLOCK_WORDS],
                 const uint8_t *in, uint8_t *out, size_t rest) {
  uint32_t masks[2][BLOCK_WORDS], block[BLOCK_WORDS], last[BLOCK_WORDS];
  const unsigned first = k->decrypts ? 1u : 0u;
  copy_block(masks[0], tweak);
  times_x(masks[1], tweak);
  int status = crypt(&k->data, masks[first], in, (uint8_t *)block, 1);
  if (status == AES_OK) {
    copy_block(last, block);
    copy(last, in + AES_BLOCK_BYTES, rest);
    copy(out + AES_BLOCK_BYTES, block, rest);
    status = crypt(&k->data, masks[1u - first], (const uint8_t *)last, out, 1);
  }
  aes_wipe(masks, sizeof masks);
  aes_wipe(block, sizeof block);
  aes_wipe(last, sizeof last);
  return status;
}

static int data_unit(tweaked_fn crypt, uint32_t decrypts, const aes_xts_key_t *k,
                     const uint8_t *tweak, const uint8_t *in, uint8_t *out, size_t bytes) {
  uint32_t mask[BLOCK_WORDS];
  if (bytes < AES_BLOCK_BYTES || bytes > AES_XTS_MAX_BYTES) {
    return AES_ERR_LENGTH;
  }
  if (overlap(in, bytes, out, bytes)) {
    return AES_ERR_OVERLAP;
  }
  if (k->data.rounds == 0u || k->tweak.rounds == 0u || k->decrypts != decrypts) {
    return fail(out, bytes, AES_ERR_KEY);
  }
  size_t rest = bytes % AES_BLOCK_BYTES;
  size_t whole = bytes / AES_BLOCK_BYTES - (rest != 0u ? 1u : 0u);
  copy(mask, tweak, AES_BLOCK_BYTES);
  int status = aes_encrypt_blocks(&k->tweak, (const uint8_t *)mask, (uint8_t *)mask, 1);
  if (status == AES_OK && whole != 0u) {
    status = crypt(&k->data, mask, in, out, whole);
  }
  if (status == AES_OK && rest != 0u) {
    size_t at = whole * AES_BLOCK_BYTES;
    status = steal(crypt, k, mask, in + at, out + at, rest);
  }
  aes_wipe(mask, sizeof mask);
  return status == AES_OK ? AES_OK : fail(out, bytes, status);
}

WEAK int aes_xts_encrypt(const aes_xts_key_t *k, const uint8_t *tweak, const uint8_t *in,
                         uint8_t *out, size_t bytes) {
  return data_unit(aes_xts_encrypt_blocks, 0, k, tweak, in, out, bytes);
}

WEAK int aes_xts_decrypt(const aes_xts_key_t *k, const uint8_t *tweak, const uint8_t *in,
                         uint8_t *out, size_t bytes) {
  return data_unit(aes_xts_decrypt_blocks, 1, k, tweak, in, out, bytes);
}
