// SPDX-License-Identifier: Apache-2.0
// AES-CMAC over the kernel contract; contract in aes_cmac.h.
// Source: NIST SP 800-38B; section numbers below are of that document.
//
// The last block of a message is enciphered with a subkey, so a complete block waits until more
// bytes follow.
#include "aes_cmac.h"
#include "blocks.h"
#include "aes_forget_registers.h"

enum { PHASE_NONE, PHASE_DATA };

static const uint32_t nothing[BLOCK_WORDS];

static int tag_length_allowed(size_t n) {
  return n >= 4u && n <= AES_BLOCK_BYTES;
}

// The block times x in GF(2^128), section 5.3: its first byte holds the highest coefficients.
static void times_x(uint32_t to[BLOCK_WORDS], const uint32_t from[BLOCK_WORDS]) {
  uint32_t a = swap(from[0]), b = swap(from[1]), c = swap(from[2]), d = swap(from[3]);
  to[0] = swap(a << 1 | b >> 31);
  to[1] = swap(b << 1 | c >> 31);
  to[2] = swap(c << 1 | d >> 31);
  to[3] = swap(d << 1 ^ (0x87u & (0u - (a >> 31))));
}

WEAK int aes_cmac_set_key(aes_cmac_key_t *k, const uint8_t *key, unsigned key_bits) {
  uint32_t words[8];
  if (key_bits != 128u && key_bits != 192u && key_bits != 256u) {
    return aes_no_key(&k->cipher, AES_ERR_KEY_LENGTH);
  }
  copy(words, key, key_bits / 8u);
  int status = aes_set_encrypt_key(&k->cipher, (const uint8_t *)words, key_bits);
  if (status == AES_OK) {
    copy_block(words, nothing);
    status = aes_encrypt_blocks(&k->cipher, (const uint8_t *)words, (uint8_t *)words, 1);
    times_x(k->k1, words);
    times_x(k->k2, k->k1);
    if (status != AES_OK) {
      aes_cmac_clear_key(k);
    }
  }
  aes_wipe(words, sizeof words);
  return status;
}

WEAK void aes_cmac_clear_key(aes_cmac_key_t *k) {
  aes_clear_key(&k->cipher);
  aes_wipe(k->k1, sizeof k->k1);
  aes_wipe(k->k2, sizeof k->k2);
}

// Abandon a message after an error.
static __attribute__((noinline)) int give_up(aes_cmac_t *c, int status) {
  aes_wipe(c, sizeof *c);
  return status;
}

WEAK int aes_cmac_start(aes_cmac_t *c, const aes_cmac_key_t *k) {
  if (k->cipher.rounds == 0u) {
    return give_up(c, AES_ERR_KEY);
  }
  c->key = k;
  copy_block(c->state, nothing);
  c->used = 0;
  c->phase = PHASE_DATA;
  return AES_OK;
}

static void absorb(aes_cmac_t *c, const uint8_t *data, size_t n) {
  uint8_t *at = (uint8_t *)c->state + c->used;
  combine(at, at, data, n);
  c->used += (uint32_t)n;
}

WEAK int aes_cmac_update(aes_cmac_t *c, const uint8_t *data, size_t n) {
  if (c->phase != PHASE_DATA) {
    return AES_ERR_ORDER;
  }
  if (n == 0u) {
    return AES_OK;  // `data` may be null
  }
  if (c->used != 0u) {
    size_t now = least(n, AES_BLOCK_BYTES - c->used);
    absorb(c, data, now);
    data += now;
    n -= now;
  }
  int status = AES_OK;
  if (n != 0u) {
    size_t before = (n - 1u) / AES_BLOCK_BYTES;  // blocks before the last one
    if (c->used != 0u) {
      status = aes_cbc_mac(&c->key->cipher, c->state, (const uint8_t *)nothing, 1);
    }
    if (status == AES_OK && before != 0u) {
      status = aes_cbc_mac(&c->key->cipher, c->state, data, before);
    }
    if (status != AES_OK) {
      return give_up(c, status);
    }
    c->used = 0;
    absorb(c, data + before * AES_BLOCK_BYTES, n - before * AES_BLOCK_BYTES);
  }
  forget_registers();
  return AES_OK;
}

// The state becomes the whole tag (section 6.2, steps 4 to 7).
static int make_tag(aes_cmac_t *c) {
  const uint32_t *subkey = c->key->k1;
  if (c->used != AES_BLOCK_BYTES) {
    ((uint8_t *)c->state)[c->used] ^= 0x80u;
    subkey = c->key->k2;
  }
  return aes_cbc_mac(&c->key->cipher, c->state, (const uint8_t *)subkey, 1);
}

WEAK int aes_cmac_finish(aes_cmac_t *c, uint8_t *tag, size_t tag_bytes) {
  if (!tag_length_allowed(tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  if (c->phase != PHASE_DATA) {
    return AES_ERR_ORDER;
  }
  int status = make_tag(c);
  if (status == AES_OK) {
    copy(tag, c->state, tag_bytes);
  }
  aes_wipe(c, sizeof *c);
  return status;
}

WEAK int aes_cmac_verify_finish(aes_cmac_t *c, const uint8_t *tag, size_t tag_bytes) {
  if (!tag_length_allowed(tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  if (c->phase != PHASE_DATA) {
    return AES_ERR_ORDER;
  }
  int status = make_tag(c);
  if (status == AES_OK && unequal(c->state, tag, tag_bytes) != 0u) {
    status = AES_ERR_TAG;
  }
  aes_wipe(c, sizeof *c);
  return status;
}

WEAK int aes_cmac(const aes_cmac_key_t *k, const uint8_t *data, size_t bytes, uint8_t *tag,
                  size_t tag_bytes) {
  aes_cmac_t c;
  if (!tag_length_allowed(tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  int status = aes_cmac_start(&c, k);
  if (status == AES_OK) {
    status = aes_cmac_update(&c, data, bytes);
  }
  return status == AES_OK ? aes_cmac_finish(&c, tag, tag_bytes) : status;
}

WEAK int aes_cmac_verify(const aes_cmac_key_t *k, const uint8_t *data, size_t bytes,
                         const uint8_t *tag, size_t tag_bytes) {
  aes_cmac_t c;
  if (!tag_length_allowed(tag_bytes)) {
    return AES_ERR_LENGTH;
  }
  int status = aes_cmac_start(&c, k);
  if (status == AES_OK) {
    status = aes_cmac_update(&c, data, bytes);
  }
  return status == AES_OK ? aes_cmac_verify_finish(&c, tag, tag_bytes) : status;
}
