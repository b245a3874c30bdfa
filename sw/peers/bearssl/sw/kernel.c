// SPDX-License-Identifier: Apache-2.0
// BearSSL's AES as a kernel of our contract, through the functions that BearSSL's modes call.
// Source: BearSSL 0.6, declarations and comments in src/inner.h. One of PEER_CT (bitsliced,
// constant-time) and PEER_BIG (tables) chooses the implementation.
#include "aes_kernel.h"
#include "inner.h"

static unsigned key_bytes(unsigned key_bits) {
  return key_bits == 128 || key_bits == 192 || key_bits == 256 ? key_bits / 8 : 0;
}

#if defined(PEER_CT)

#if AES_KEY_WORDS < 120
#error "an expanded key is up to 120 words"
#endif

// Two blocks are worked on together, word i of the first in q[2 i], of the second in q[2 i + 1].
#define PAIR 2u

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  uint32_t compressed[60];
  if (key_bytes(key_bits) == 0) return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = br_aes_ct_keysched(compressed, key, key_bytes(key_bits));
  br_aes_ct_skey_expand(k->rk, k->rounds, compressed);
  return AES_OK;
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return aes_set_encrypt_key(k, key, key_bits);
}

typedef void (*pair_fn)(unsigned rounds, const uint32_t *keys, uint32_t *q);

static inline void crypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                         pair_fn pair) {
  while (nblocks != 0) {
    const unsigned n = nblocks < PAIR ? 1 : PAIR;
    uint32_t q[8] = {0};
    for (unsigned i = 0; i < 4; i++) {
      q[2 * i] = br_dec32le(in + 4 * i);
      if (n == PAIR) q[2 * i + 1] = br_dec32le(in + 16 + 4 * i);
    }
    br_aes_ct_ortho(q);
    pair(k->rounds, k->rk, q);
    br_aes_ct_ortho(q);
    for (unsigned i = 0; i < 4; i++) {
      br_enc32le(out + 4 * i, q[2 * i]);
      if (n == PAIR) br_enc32le(out + 16 + 4 * i, q[2 * i + 1]);
    }
    in += 16 * n;
    out += 16 * n;
    nblocks -= n;
  }
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(k, in, out, nblocks, br_aes_ct_bitslice_encrypt);
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  crypt(k, in, out, nblocks, br_aes_ct_bitslice_decrypt);
  return AES_OK;
}

#elif defined(PEER_BIG)

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  if (key_bytes(key_bits) == 0) return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = br_aes_keysched(k->rk, key, key_bytes(key_bits));
  return AES_OK;
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  if (key_bytes(key_bits) == 0) return aes_no_key(k, AES_ERR_KEY_LENGTH);
  k->rounds = br_aes_big_keysched_inv(k->rk, key, key_bytes(key_bits));
  return AES_OK;
}

// Buffers of bytes are read as words.
typedef uint32_t __attribute__((may_alias)) word_t;

// The library works in place.
static inline void move(uint8_t *to, const uint8_t *from) {
  const word_t *const source = (const word_t *)from;
  word_t *const target = (word_t *)to;
  for (unsigned i = 0; i < 4; i++) target[i] = source[i];
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  for (; nblocks != 0; nblocks--, in += 16, out += 16) {
    if (in != out) move(out, in);
    br_aes_big_encrypt(k->rounds, k->rk, out);
  }
  return AES_OK;
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  for (; nblocks != 0; nblocks--, in += 16, out += 16) {
    if (in != out) move(out, in);
    br_aes_big_decrypt(k->rounds, k->rk, out);
  }
  return AES_OK;
}

#else
#error "define PEER_CT or PEER_BIG"
#endif
