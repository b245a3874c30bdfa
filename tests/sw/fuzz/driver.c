// SPDX-License-Identifier: Apache-2.0
// Runs a stream of calls on one kernel with the modes and AES-GCM; tests/support/fuzz_support.py
// writes the stream and judges the answers. Contracts: aes_kernel.h, aes_modes.h, aes_gcm.h.
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

#include "aes_gcm.h"
#include "fuzz.h"

#define KEYS 6u
#define GCM_KEYS 4u
#define CONTEXTS 4u
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
  SAVE_UNIT, RESTORE_UNIT, FAIL_AFTER
};

enum { IN_PLACE = 1, NO_POINTERS = 2, CLAIMED = 4 };

typedef struct {
  uint8_t op, a, b, flags;
  uint8_t at_in, at_out, at_iv, at_aad, at_tag, unused[3];
  uint32_t bits;  // key_bits; of FAIL_AFTER: how many calls of the device succeed before
  int32_t status;  // of FAIL_AFTER
  uint32_t also_unused;
  uint64_t claimed;  // with CLAIMED: the length that the call is told, in place of the real one
  uint32_t in, iv, aad, tag;
} request_t;

enum { CONTEXT_SAME = 1, CONTEXT_ZERO = 2, KEY_ZERO = 4, DEVICE_FAILED = 8, SAME_ADDRESS = 16 };

typedef struct {
  int32_t status;
  uint32_t flags;
  uint32_t rounds;  // of the key that the call had
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

int main(void) {
  request_t q;
  for (unsigned i = 0; i < CONTEXTS; i++) {
    contexts[i] = calloc(1, sizeof *contexts[i]);
    if (contexts[i] == NULL) die("no memory");
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
  return 0;
}
