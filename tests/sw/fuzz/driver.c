// SPDX-License-Identifier: Apache-2.0
// Runs a stream of calls on one kernel with all modes; tests/support/fuzz_support.py and
// fuzz_sealed.py write the stream and judge the answers. Contracts: sw/include.
//
// Each buffer is a block of the heap of its own that ends where the buffer ends, so that the
// address sanitizer sees the first byte after it; the bytes in front are poisoned or compared.
//
// Request:  request_t, then the bytes of input, IV, AAD and tag
// Response: answer_t, then output (as long as the input), IV and tag as the call left them
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aes_ccm.h"
#include "aes_cmac.h"
#include "aes_gcm.h"
#include "aes_gcm_siv.h"
#include "aes_kw.h"
#include "aes_xts.h"
#include "fuzz.h"

#define KEYS 6u
#define GCM_KEYS 4u
#define CONTEXTS 4u
#define CMAC_KEYS 3u
#define XTS_KEYS 3u
#define FRONT 16u  // poisoned bytes in front of a buffer, as an allocation is aligned to 16 bytes
#define GUARD 0x5au
#define UNTOUCHED 0xa5u

enum {
  NEW_KEY, SET_ENCRYPT, SET_DECRYPT, COPY_KEY, WIPE_KEY, CLEAR_KEY,
  ENCRYPT_BLOCKS, DECRYPT_BLOCKS, ECB_ENCRYPT, ECB_DECRYPT, CBC_ENCRYPT, CBC_DECRYPT, CTR,
  NEW_GCM_KEY, SET_GCM_KEY, COPY_GCM_KEY, WIPE_GCM_KEY, CLEAR_GCM_KEY,
  GCM_ENCRYPT, GCM_DECRYPT,
  START, AAD, ENCRYPT_UPDATE, ENCRYPT_FINISH, VERIFY_UPDATE, VERIFY_FINISH, DECRYPT_UPDATE,
  DECRYPT_FINISH, WIPE_CONTEXT,
  SAVE_UNIT, RESTORE_UNIT, FAIL_AFTER,
  CCM_ENCRYPT, CCM_DECRYPT, SIV_ENCRYPT, SIV_DECRYPT,
  KW_WRAP, KW_UNWRAP, KW_WRAP_INVERSE, KW_UNWRAP_INVERSE, KWP_WRAP, KWP_WRAP_INVERSE,
  KWP_UNWRAP, KWP_UNWRAP_INVERSE,
  SET_CMAC, COPY_CMAC, WIPE_CMAC, CLEAR_CMAC, CMAC, CMAC_VERIFY,
  SET_XTS_ENCRYPT, SET_XTS_DECRYPT, COPY_XTS, WIPE_XTS, CLEAR_XTS, XTS_ENCRYPT, XTS_DECRYPT
};

enum { IN_PLACE = 1, NO_POINTERS = 2, CLAIMED = 4 };

typedef struct {
  uint8_t op, a, b, flags;
  uint8_t at_in, at_out, at_iv, at_aad, at_tag, unused[3];
  // key_bits; of FAIL_AFTER: how many calls of the device succeed before; of a key wrap: how many
  // bytes are wrapped or unwrapped, which are the AAD or, in place, the first bytes of the input
  uint32_t bits;
  int32_t status;  // of FAIL_AFTER
  uint32_t piece;  // of CCM and CMAC: bytes of each piece, 0: one call
  uint64_t claimed;  // with CLAIMED: the length that the call is told, in place of the real one
  uint32_t in, iv, aad, tag;
} request_t;

enum { CONTEXT_SAME = 1, CONTEXT_ZERO = 2, KEY_ZERO = 4, DEVICE_FAILED = 8, SAME_ADDRESS = 16 };

typedef struct {
  int32_t status;
  uint32_t flags;
  uint32_t rounds;  // of the key that the call had; of KWP_UNWRAP: bytes of plaintext
} answer_t;

typedef struct {
  uint8_t *all, *data;
  size_t front, n;
} buffer_t;

// A kernel without faults has no such functions.
__attribute__((weak)) void fuzz_fail_after(uint32_t calls, int status) {
  (void)calls, (void)status;
}

__attribute__((weak)) int fuzz_failed(void) {
  return 0;
}

static void die(const char *why) {
  fprintf(stderr, "fuzz driver: %s\n", why);
  exit(3);
}

static void get(void *to, size_t n) {
  if (n != 0u && fread(to, 1, n, stdin) != n) die("the requests end early");
}

static void put(const void *from, size_t n) {
  if (n != 0u && fwrite(from, 1, n, stdout) != n) die("cannot write");
}

static buffer_t make(size_t n, unsigned at) {
  buffer_t b = {NULL, NULL, FRONT + at, n};
  b.all = malloc(b.front + n);
  if (b.all == NULL) die("no memory");
  b.data = b.all + b.front;
  memset(b.all, GUARD, b.front);
  memset(b.data, UNTOUCHED, n);
  ASAN_POISON_MEMORY_REGION(b.all, FRONT);
  return b;
}

static buffer_t take(size_t n, unsigned at) {
  buffer_t b = make(n, at);
  get(b.data, n);
  return b;
}

static void drop(buffer_t b) {
  ASAN_UNPOISON_MEMORY_REGION(b.all, FRONT);
  for (size_t i = 0; i < b.front; i++) {
    if (b.all[i] != GUARD) die("bytes in front of a buffer changed");
  }
  free(b.all);
}

static int zero(const void *data, size_t n) {
  const uint8_t *p = data;
  uint8_t bits = 0;
  while (n-- != 0u) bits |= *p++;
  return bits == 0u;
}

static aes_key_t *keys[KEYS];
static aes_gcm_key_t *gcm_keys[GCM_KEYS];
static aes_gcm_t *contexts[CONTEXTS];
static aes_unit_state_t saved;

// A new object of n bytes with random content but no key: what was here is freed first, and the
// allocator, told to, gives the same place again.
static int renew(void **object, size_t n) {
  uintptr_t before = (uintptr_t)*object;
  free(*object);
  *object = malloc(n);
  if (*object == NULL) die("no memory");
  memset(*object, 0, n);
  return before != 0u && before == (uintptr_t)*object;
}

static aes_cmac_key_t *cmac_keys[CMAC_KEYS];
static aes_xts_key_t *xts_keys[XTS_KEYS];

static void *zeros(size_t n) {
  void *object = calloc(1, n);
  if (object == NULL) die("no memory");
  return object;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

// A pointer to the byte `at` of a buffer that may be NULL if it is empty.
static const uint8_t *from(const uint8_t *p, size_t at) {
  return at == 0u ? p : p + at;
}

// A message of CCM in pieces, also empty ones: the status of the first call that fails.
static int ccm_pieces(const aes_key_t *k, const request_t *q, const uint8_t *nonce,
                      const uint8_t *aad, const uint8_t *in, uint8_t *out, uint8_t *tag) {
  aes_ccm_t c;
  const int back = q->op == CCM_DECRYPT;
  const size_t n = q->in;
  size_t at, now;
  memset(&c, UNTOUCHED, sizeof c);
  int status = aes_ccm_start(&c, k, nonce, q->iv, q->aad, n, q->tag);
  for (at = 0; status == AES_OK && at < q->aad; at += now) {
    now = least(q->aad - at, q->piece);
    status = aes_ccm_aad(&c, from(aad, at), now);
  }
  for (at = 0; status == AES_OK && back && at < n; at += now) {
    now = least(n - at, q->piece);
    status = aes_ccm_verify_update(&c, from(in, at), now);
  }
  if (status == AES_OK && back) status = aes_ccm_verify_finish(&c, tag);
  for (at = 0; status == AES_OK && at < n; at += now) {
    now = least(n - at, q->piece);
    const uint8_t *x = from(in, at);
    uint8_t *y = out + at;
    status = back ? aes_ccm_decrypt_update(&c, x, y, now) : aes_ccm_encrypt_update(&c, x, y, now);
  }
  if (status == AES_OK) {
    status = back ? aes_ccm_decrypt_finish(&c) : aes_ccm_encrypt_finish(&c, tag);
  }
  if (!zero(&c, sizeof c)) die("a context of CCM is not wiped");
  return status;
}

static int cmac_pieces(const aes_cmac_key_t *k, const request_t *q, const uint8_t *data,
                       uint8_t *tag) {
  aes_cmac_t c;
  size_t now;
  memset(&c, UNTOUCHED, sizeof c);
  int status = aes_cmac_start(&c, k);
  for (size_t at = 0; status == AES_OK && at < q->in; at += now) {
    now = least(q->in - at, q->piece);
    status = aes_cmac_update(&c, from(data, at), now);
  }
  if (status != AES_OK) {
    if (!zero(&c, sizeof c)) die("a context of CMAC is not wiped");
    return status;
  }
  status = q->op == CMAC ? aes_cmac_finish(&c, tag, q->tag)
                         : aes_cmac_verify_finish(&c, tag, q->tag);
  if (status != AES_ERR_LENGTH && !zero(&c, sizeof c)) die("a context of CMAC is not wiped");
  return status;
}

typedef int (*wrap_fn)(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t bytes);
static const wrap_fn wraps[] = {aes_kw_wrap,         aes_kw_unwrap, aes_kw_wrap_inverse,
                                aes_kw_unwrap_inverse, aes_kwp_wrap,  aes_kwp_wrap_inverse};

int main(void) {
  request_t q;
  for (unsigned i = 0; i < CMAC_KEYS; i++) cmac_keys[i] = zeros(sizeof *cmac_keys[i]);
  for (unsigned i = 0; i < XTS_KEYS; i++) xts_keys[i] = zeros(sizeof *xts_keys[i]);
  for (unsigned i = 0; i < CONTEXTS; i++) {
    contexts[i] = zeros(sizeof *contexts[i]);
  }
  while (fread(&q, sizeof q, 1, stdin) == 1u) {
    buffer_t in = take(q.in, q.at_in), iv = take(q.iv, q.at_iv);
    buffer_t aad = take(q.aad, q.at_aad), tag = take(q.tag, q.at_tag);
    buffer_t out = make(q.in, q.at_out), same = make(q.in, 0), same_aad = make(q.aad, 0);
    memcpy(same.data, in.data, q.in);
    memcpy(same_aad.data, aad.data, q.aad);
    int apart = (q.flags & IN_PLACE) == 0;
    uint8_t *x = in.data, *y = apart ? out.data : in.data, *v = iv.data, *d = aad.data,
            *t = tag.data;
    size_t n = q.in, blocks = q.in / AES_BLOCK_BYTES, iv_bytes = q.iv, aad_bytes = q.aad;
    if (q.flags & NO_POINTERS) {
      if (n == 0u) x = y = NULL;
      if (q.aad == 0u) d = NULL;
    }
    if (q.flags & CLAIMED) {
      x = y = NULL;
      n = (size_t)q.claimed;
      if (q.op == START) iv_bytes = n;
      if (q.op == AAD) aad_bytes = n, d = NULL;
    }
    aes_key_t **key = &keys[q.a % KEYS];
    aes_gcm_key_t **gcm = &gcm_keys[q.a % GCM_KEYS];
    aes_gcm_t *g = contexts[q.a % CONTEXTS], before = *g;
    aes_cmac_key_t *cmac_key = cmac_keys[q.a % CMAC_KEYS];
    aes_xts_key_t *xts_key = xts_keys[q.a % XTS_KEYS];
    const uint8_t *wrap_from = apart ? d : x;
    size_t plain_bytes = 0;
    int status = AES_OK, moved = 0;
    switch (q.op) {
      case NEW_KEY: moved = renew((void **)key, sizeof **key); break;
      case SET_ENCRYPT: status = aes_set_encrypt_key(*key, x, q.bits); break;
      case SET_DECRYPT: status = aes_set_decrypt_key(*key, x, q.bits); break;
      case COPY_KEY: **key = *keys[q.b % KEYS]; break;
      case WIPE_KEY: aes_wipe(*key, sizeof **key); break;
      case CLEAR_KEY: aes_clear_key(*key); break;
      case ENCRYPT_BLOCKS: status = aes_encrypt_blocks(*key, x, y, blocks); break;
      case DECRYPT_BLOCKS: status = aes_decrypt_blocks(*key, x, y, blocks); break;
      case ECB_ENCRYPT: status = aes_ecb_encrypt(*key, x, y, blocks); break;
      case ECB_DECRYPT: status = aes_ecb_decrypt(*key, x, y, blocks); break;
      case CBC_ENCRYPT: status = aes_cbc_encrypt(*key, v, x, y, blocks); break;
      case CBC_DECRYPT: status = aes_cbc_decrypt(*key, v, x, y, blocks); break;
      case CTR: status = aes_ctr(*key, v, x, y, n); break;
      case NEW_GCM_KEY: moved = renew((void **)gcm, sizeof **gcm); break;
      case SET_GCM_KEY: status = aes_gcm_set_key(*gcm, x, q.bits); break;
      case COPY_GCM_KEY: **gcm = *gcm_keys[q.b % GCM_KEYS]; break;
      case WIPE_GCM_KEY: aes_wipe(*gcm, sizeof **gcm); break;
      case CLEAR_GCM_KEY: aes_gcm_clear_key(*gcm); break;
      case GCM_ENCRYPT:
        status = aes_gcm_encrypt(*gcm, v, iv_bytes, d, aad_bytes, x, y, n, t, q.tag);
        break;
      case GCM_DECRYPT:
        status = aes_gcm_decrypt(*gcm, v, iv_bytes, d, aad_bytes, x, y, n, t, q.tag);
        break;
      case START: status = aes_gcm_start(g, gcm_keys[q.b % GCM_KEYS], v, iv_bytes); break;
      case AAD: status = aes_gcm_aad(g, d, aad_bytes); break;
      case ENCRYPT_UPDATE: status = aes_gcm_encrypt_update(g, x, y, n); break;
      case ENCRYPT_FINISH: status = aes_gcm_encrypt_finish(g, t, q.tag); break;
      case VERIFY_UPDATE: status = aes_gcm_verify_update(g, x, n); break;
      case VERIFY_FINISH: status = aes_gcm_verify_finish(g, t, q.tag); break;
      case DECRYPT_UPDATE: status = aes_gcm_decrypt_update(g, x, y, n); break;
      case DECRYPT_FINISH: status = aes_gcm_decrypt_finish(g); break;
      case WIPE_CONTEXT: aes_wipe(g, sizeof *g); break;
      case SAVE_UNIT: aes_unit_save(&saved); break;
      case RESTORE_UNIT: aes_unit_restore(&saved); break;
      case FAIL_AFTER: fuzz_fail_after(q.bits, q.status); break;
      case CCM_ENCRYPT:
        status = q.piece != 0u
                     ? ccm_pieces(*key, &q, v, d, x, y, t)
                     : aes_ccm_encrypt(*key, v, iv_bytes, d, aad_bytes, x, y, n, t, q.tag);
        break;
      case CCM_DECRYPT:
        status = q.piece != 0u
                     ? ccm_pieces(*key, &q, v, d, x, y, t)
                     : aes_ccm_decrypt(*key, v, iv_bytes, d, aad_bytes, x, y, n, t, q.tag);
        break;
      case SIV_ENCRYPT: status = aes_gcm_siv_encrypt(*key, v, d, aad_bytes, x, y, n, t); break;
      case SIV_DECRYPT: status = aes_gcm_siv_decrypt(*key, v, d, aad_bytes, x, y, n, t); break;
      case KW_WRAP:
      case KW_UNWRAP:
      case KW_WRAP_INVERSE:
      case KW_UNWRAP_INVERSE:
      case KWP_WRAP:
      case KWP_WRAP_INVERSE: status = wraps[q.op - KW_WRAP](*key, wrap_from, y, q.bits); break;
      case KWP_UNWRAP: status = aes_kwp_unwrap(*key, wrap_from, y, q.bits, &plain_bytes); break;
      case KWP_UNWRAP_INVERSE:
        status = aes_kwp_unwrap_inverse(*key, wrap_from, y, q.bits, &plain_bytes);
        break;
      case SET_CMAC: status = aes_cmac_set_key(cmac_key, x, q.bits); break;
      case COPY_CMAC: *cmac_key = *cmac_keys[q.b % CMAC_KEYS]; break;
      case WIPE_CMAC: aes_wipe(cmac_key, sizeof *cmac_key); break;
      case CLEAR_CMAC: aes_cmac_clear_key(cmac_key); break;
      case CMAC:
        status = q.piece != 0u ? cmac_pieces(cmac_key, &q, x, t)
                               : aes_cmac(cmac_key, x, n, t, q.tag);
        break;
      case CMAC_VERIFY:
        status = q.piece != 0u ? cmac_pieces(cmac_key, &q, x, t)
                               : aes_cmac_verify(cmac_key, x, n, t, q.tag);
        break;
      case SET_XTS_ENCRYPT: status = aes_xts_set_encrypt_key(xts_key, x, q.bits); break;
      case SET_XTS_DECRYPT: status = aes_xts_set_decrypt_key(xts_key, x, q.bits); break;
      case COPY_XTS: *xts_key = *xts_keys[q.b % XTS_KEYS]; break;
      case WIPE_XTS: aes_wipe(xts_key, sizeof *xts_key); break;
      case CLEAR_XTS: aes_xts_clear_key(xts_key); break;
      case XTS_ENCRYPT: status = aes_xts_encrypt(xts_key, v, x, y, n); break;
      case XTS_DECRYPT: status = aes_xts_decrypt(xts_key, v, x, y, n); break;
      default: die("no such call");
    }
    if (apart && memcmp(in.data, same.data, q.in) != 0) die("a call changed its input");
    if (memcmp(aad.data, same_aad.data, q.aad) != 0) die("a call changed its AAD");
    answer_t r = {status, 0, 0};
    if (memcmp(&before, g, sizeof *g) == 0) r.flags |= CONTEXT_SAME;
    if (zero(g, sizeof *g)) r.flags |= CONTEXT_ZERO;
    if (q.op != FAIL_AFTER && fuzz_failed()) r.flags |= DEVICE_FAILED;
    if (moved) r.flags |= SAME_ADDRESS;
    if (q.op <= CTR && *key != NULL) {
      r.rounds = (*key)->rounds;
      if (zero(*key, sizeof **key)) r.flags |= KEY_ZERO;
    } else if (q.op >= NEW_GCM_KEY && q.op <= GCM_DECRYPT && *gcm != NULL) {
      r.rounds = (*gcm)->cipher.rounds;
      if (zero(*gcm, sizeof **gcm)) r.flags |= KEY_ZERO;
    } else if (q.op == KWP_UNWRAP || q.op == KWP_UNWRAP_INVERSE) {
      r.rounds = (uint32_t)plain_bytes;
    } else if (q.op >= SET_CMAC && q.op <= CMAC_VERIFY) {
      r.rounds = cmac_key->cipher.rounds;
      if (zero(cmac_key, sizeof *cmac_key)) r.flags |= KEY_ZERO;
    } else if (q.op >= SET_XTS_ENCRYPT && q.op <= XTS_DECRYPT) {
      r.rounds = xts_key->data.rounds;
      if (r.rounds != xts_key->tweak.rounds) die("half a key of XTS");
      if (zero(xts_key, sizeof *xts_key)) r.flags |= KEY_ZERO;
    }
    put(&r, sizeof r);
    put(apart ? out.data : in.data, q.in);
    put(iv.data, q.iv);
    put(tag.data, q.tag);
    if (fflush(stdout) != 0) die("cannot write");
    drop(in), drop(out), drop(iv), drop(aad), drop(tag), drop(same), drop(same_aad);
  }
  for (unsigned i = 0; i < KEYS; i++) free(keys[i]);
  for (unsigned i = 0; i < GCM_KEYS; i++) free(gcm_keys[i]);
  for (unsigned i = 0; i < CONTEXTS; i++) free(contexts[i]);
  for (unsigned i = 0; i < CMAC_KEYS; i++) free(cmac_keys[i]);
  for (unsigned i = 0; i < XTS_KEYS; i++) free(xts_keys[i]);
  return 0;
}
