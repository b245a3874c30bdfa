// SPDX-License-Identifier: Apache-2.0
// SHA-256 and SHA-224 of BearSSL over the compression function of sha256.h, which a unit may
// replace. Compile it in place of BearSSL's src/hash/sha2small.c: this file defines the same
// functions, and BearSSL's HMAC, random numbers and TLS 1.2 take them by name.
#include <string.h>

#include "aes_modes.h"
#include "bearssl_hash.h"
#include "sha256.h"

#define BLOCK 64u
#define LENGTH_AT 56u

static const uint32_t first_224[8] = {0xc1059ed8u, 0x367cd507u, 0x3070dd17u, 0xf70e5939u,
                                      0xffc00b31u, 0x68581511u, 0x64f98fa7u, 0xbefa4fa4u};
static const uint32_t first_256[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                      0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};

static void to_big(uint8_t *bytes, const uint32_t *words, unsigned n) {
  for (unsigned i = 0; i < 4u * n; i++) {
    bytes[i] = (uint8_t)(words[i / 4u] >> (24u - 8u * (i % 4u)));
  }
}

void br_sha224_init(br_sha224_context *ctx) {
  ctx->vtable = &br_sha224_vtable;
  memcpy(ctx->val, first_224, sizeof ctx->val);
  ctx->count = 0;
}

void br_sha256_init(br_sha256_context *ctx) {
  ctx->vtable = &br_sha256_vtable;
  memcpy(ctx->val, first_256, sizeof ctx->val);
  ctx->count = 0;
}

void br_sha224_update(br_sha224_context *ctx, const void *data, size_t len) {
  const uint8_t *at = data;
  const size_t held = (size_t)(ctx->count % BLOCK);
  if (len == 0u) return;
  ctx->count += len;
  if (held != 0u) {
    const size_t n = len < BLOCK - held ? len : BLOCK - held;
    memcpy(ctx->buf + held, at, n);
    at += n;
    len -= n;
    if (held + n < BLOCK) return;
    sha256_blocks(ctx->val, ctx->buf, 1);
  }
  sha256_blocks(ctx->val, at, len / BLOCK);
  memcpy(ctx->buf, at + len / BLOCK * BLOCK, len % BLOCK);
}

static void out(const br_sha224_context *ctx, void *digest, unsigned words) {
  struct {
    uint32_t state[8];
    uint8_t block[BLOCK];
  } w;
  size_t held = (size_t)(ctx->count % BLOCK);
  const uint64_t bits = ctx->count << 3;
  const uint32_t length[2] = {(uint32_t)(bits >> 32), (uint32_t)bits};
  memcpy(w.state, ctx->val, sizeof w.state);
  memcpy(w.block, ctx->buf, held);
  w.block[held++] = 0x80u;
  memset(w.block + held, 0, BLOCK - held);
  if (held > LENGTH_AT) {
    sha256_blocks(w.state, w.block, 1);
    memset(w.block, 0, LENGTH_AT);
  }
  to_big(w.block + LENGTH_AT, length, 2);
  sha256_blocks(w.state, w.block, 1);
  to_big(digest, w.state, words);
  aes_wipe(&w, sizeof w);
}

void br_sha224_out(const br_sha224_context *ctx, void *digest) { out(ctx, digest, 7); }

void br_sha256_out(const br_sha256_context *ctx, void *digest) { out(ctx, digest, 8); }

uint64_t br_sha224_state(const br_sha224_context *ctx, void *state) {
  to_big(state, ctx->val, 8);
  return ctx->count;
}

void br_sha224_set_state(br_sha224_context *ctx, const void *state, uint64_t count) {
  const uint8_t *bytes = state;
  memset(ctx->val, 0, sizeof ctx->val);
  for (unsigned i = 0; i < 32u; i++) {
    ctx->val[i / 4u] |= (uint32_t)bytes[i] << (24u - 8u * (i % 4u));
  }
  ctx->count = count;
}

// The classes: a context begins with its class.

#define CONTEXT(type, from) (type *)(void *)(from)
#define CONSTANT(type, from) (const type *)(const void *)(from)

static void init_224(const br_hash_class **c) { br_sha224_init(CONTEXT(br_sha224_context, c)); }

static void init_256(const br_hash_class **c) { br_sha256_init(CONTEXT(br_sha256_context, c)); }

static void update(const br_hash_class **c, const void *data, size_t len) {
  br_sha224_update(CONTEXT(br_sha224_context, c), data, len);
}

static void out_224(const br_hash_class *const *c, void *digest) {
  out(CONSTANT(br_sha224_context, c), digest, 7);
}

static void out_256(const br_hash_class *const *c, void *digest) {
  out(CONSTANT(br_sha256_context, c), digest, 8);
}

static uint64_t state(const br_hash_class *const *c, void *to) {
  return br_sha224_state(CONSTANT(br_sha224_context, c), to);
}

static void set_state(const br_hash_class **c, const void *from, uint64_t count) {
  br_sha224_set_state(CONTEXT(br_sha224_context, c), from, count);
}

#define DESCRIPTION(id, bytes)                                                              \
  (BR_HASHDESC_ID(id) | BR_HASHDESC_OUT(bytes) | BR_HASHDESC_STATE(32) | BR_HASHDESC_LBLEN(6) | \
   BR_HASHDESC_MD_PADDING | BR_HASHDESC_MD_PADDING_BE)

const br_hash_class br_sha224_vtable = {
    sizeof(br_sha224_context), DESCRIPTION(br_sha224_ID, 28), init_224, update, out_224, state,
    set_state};
const br_hash_class br_sha256_vtable = {
    sizeof(br_sha256_context), DESCRIPTION(br_sha256_ID, 32), init_256, update, out_256, state,
    set_state};
