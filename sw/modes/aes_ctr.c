// SPDX-License-Identifier: Apache-2.0
// CTR in pieces; contract in aes_ctr.h. Whole blocks take aes_ctr, which a kernel may replace.
#include "aes_ctr.h"
#include "blocks.h"
#include "aes_forget_registers.h"

enum { PHASE_NONE, PHASE_TEXT };

static __attribute__((noinline)) int give_up(aes_ctr_t *c, uint8_t *out, size_t n, int status) {
  aes_wipe(c, sizeof *c);
  aes_wipe(out, n);
  return status;
}

WEAK int aes_ctr_start(aes_ctr_t *c, const aes_key_t *k, const uint8_t counter[16]) {
  if (k->rounds == 0u) {
    return give_up(c, NULL, 0, AES_ERR_KEY);
  }
  c->key = k;
  copy(c->counter, counter, AES_BLOCK_BYTES);
  c->used = AES_BLOCK_BYTES;
  c->phase = PHASE_TEXT;
  return AES_OK;
}

// Key stream that an earlier piece left; returns the bytes that it serves.
static size_t take_rest(aes_ctr_t *c, const uint8_t *in, uint8_t *out, size_t n) {
  const size_t now = least(n, AES_BLOCK_BYTES - c->used);
  combine(out, in, (const uint8_t *)c->stream + c->used, now);
  c->used += (uint32_t)now;
  return now;
}

WEAK int aes_ctr_update(aes_ctr_t *c, const uint8_t *in, uint8_t *out, size_t n) {
  int status = AES_OK;
  if (c->phase != PHASE_TEXT) {
    return AES_ERR_ORDER;
  }
  if (overlap(in, n, out, n)) {
    return AES_ERR_OVERLAP;
  }
  if (c->key->rounds == 0u) {
    return give_up(c, out, n, AES_ERR_KEY);
  }
  if (n == 0u) {
    return AES_OK;  // `in` and `out` may be NULL
  }
  size_t at = take_rest(c, in, out, n);
  const size_t whole = (n - at) & ~(size_t)(AES_BLOCK_BYTES - 1u);
  if (whole != 0u) {
    status = aes_ctr(c->key, (uint8_t *)c->counter, in + at, out + at, whole);
    at += whole;
  }
  if (status == AES_OK && at != n) {
    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
      c->stream[i] = 0;
    }
    uint8_t *const stream = (uint8_t *)c->stream;
    status = aes_ctr(c->key, (uint8_t *)c->counter, stream, stream, AES_BLOCK_BYTES);
    if (status == AES_OK) {
      c->used = 0;
      (void)take_rest(c, in + at, out + at, n - at);
    }
  }
  if (status != AES_OK) {
    return give_up(c, out, n, status);
  }
  forget_registers();
  return AES_OK;
}

WEAK int aes_ctr_finish(aes_ctr_t *c) {
  if (c->phase != PHASE_TEXT) {
    return AES_ERR_ORDER;
  }
  aes_wipe(c, sizeof *c);
  return AES_OK;
}
