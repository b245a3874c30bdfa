// SPDX-License-Identifier: Apache-2.0
// SHA-256 for wolfSSL over the compression function of sha256.h, which a unit may replace. The
// state is wolfSSL's, in its form.
#include <string.h>

#include "aes_modes.h"
#include "sha256.h"
#include "wolf_parts.h"

#define BLOCK 64u
#define LENGTH_AT 56u

static const uint32_t first[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                  0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};

static void to_big(uint8_t *bytes, const uint32_t *words, unsigned n) {
  for (unsigned i = 0; i < 4u * n; i++) {
    bytes[i] = (uint8_t)(words[i / 4u] >> (24u - 8u * (i % 4u)));
  }
}

// For wolfSSL's own code of SHA-224 and SHA-256 (XTRANSFORM in user_settings.h). A little-endian
// core has changed the block to words already.
int aesforge_wolfssl_transform(wc_Sha256 *s, const byte *block) {
#ifdef LITTLE_ENDIAN_ORDER
  uint32_t words[BLOCK / 4u];
  uint8_t bytes[BLOCK];
  memcpy(words, block, sizeof words);
  to_big(bytes, words, BLOCK / 4u);
  sha256_blocks(s->digest, bytes, 1);
  aes_wipe(words, sizeof words);
  aes_wipe(bytes, sizeof bytes);
#else
  sha256_blocks(s->digest, block, 1);
#endif
  return 0;
}

static void update(wc_Sha256 *s, const byte *data, word32 n) {
  uint8_t *held = (uint8_t *)s->buffer;
  s->loLen += n;
  s->hiLen += s->loLen < n;
  if (s->buffLen != 0u) {
    const word32 part = n < BLOCK - s->buffLen ? n : BLOCK - s->buffLen;
    memcpy(held + s->buffLen, data, part);
    s->buffLen += part;
    data += part;
    n -= part;
    if (s->buffLen < BLOCK) return;
    sha256_blocks(s->digest, held, 1);
  }
  sha256_blocks(s->digest, data, n / BLOCK);
  s->buffLen = n % BLOCK;
  memcpy(held, data + (n - s->buffLen), s->buffLen);
}

static void final(wc_Sha256 *s, byte *digest) {
  uint8_t *held = (uint8_t *)s->buffer;
  const uint32_t bits[2] = {s->hiLen << 3 | s->loLen >> 29, s->loLen << 3};
  held[s->buffLen++] = 0x80u;
  memset(held + s->buffLen, 0, BLOCK - s->buffLen);
  if (s->buffLen > LENGTH_AT) {
    sha256_blocks(s->digest, held, 1);
    memset(held, 0, LENGTH_AT);
  }
  to_big(held + LENGTH_AT, bits, 2);
  sha256_blocks(s->digest, held, 1);
  to_big(digest, s->digest, 8);
  // Ready for the next message, as after wolfSSL's own code.
  memcpy(s->digest, first, sizeof first);
  aes_wipe(held, BLOCK);
  s->buffLen = s->loLen = s->hiLen = 0;
}

int aesforge_wolfssl_hash(wc_CryptoInfo *info) {
  wc_Sha256 *s = info->hash.sha256;
  if (info->hash.type != WC_HASH_TYPE_SHA256 || s == NULL) return CRYPTOCB_UNAVAILABLE;
  if (info->hash.in != NULL) update(s, info->hash.in, info->hash.inSz);
  if (info->hash.digest != NULL) final(s, info->hash.digest);
  return 0;
}
