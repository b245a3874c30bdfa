// SPDX-License-Identifier: Apache-2.0
// Every call of the kernel, of the modes and of AES-GCM on the model of the registers, with every
// fault and every handler at every access. Never AES_OK with a wrong answer, never text on an
// error, and the next call is right. The reference is the portable kernel under names of its own.
#include <stdio.h>
#include <string.h>

#include "kernel.c"
#include "aes_gcm.h"

extern int model_fault;
extern unsigned model_fault_at, model_accesses, model_interrupt[2];
extern void (*model_handler)(void);
void model_reset(int fault);
int model_holds_key(void);
void bench_expect(int what, const uint8_t *key, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                  size_t n);

enum {
  SET_ENCRYPT, SET_DECRYPT, ENCRYPT_1, ENCRYPT_3, DECRYPT_1, DECRYPT_3, CBC_ENCRYPT, CBC_DECRYPT,
  CTR, ECB_BYTES, GCM_SET, SEAL, UNSEAL, FORGED, PIECES, PIECES_BACK, CLEAR, CALLS
};
enum { TEXT = 75 };  // the longest text
static const size_t sizes[CALLS] = {16, 16, 16, 48, 16, 48, 48, 48, 75,
                                    32, 16, 75, 75, 75, 75, 75, 16};

// One side: the interrupted code or the handler.
typedef struct {
  uint8_t key[16], iv[16], in[TEXT + 1], want[TEXT + 16], out[TEXT + 16];
  uint32_t words[20], result[20];
  aes_gcm_key_t k;
} side_t;
static side_t outer, inner;
static unsigned long operations, right, refused, alerts, bad;

static int set_up(side_t *s, int call)
{
  const uint8_t *key = (const uint8_t *)s->words;
  memcpy(s->words, s->key, 16);
  if (call == DECRYPT_1 || call == DECRYPT_3 || call == CBC_DECRYPT)
    return aes_set_decrypt_key(&s->k.cipher, key, 128);
  return aes_gcm_set_key(&s->k, key, 128);
}

static int pieces(side_t *s, int back)
{
  static const size_t cut[3] = {0, 21, 59};
  aes_gcm_t g;
  size_t given = 0;
  int status = aes_gcm_start(&g, &s->k, s->iv, 12);
  if (status == AES_OK)
    status = aes_gcm_aad(&g, s->iv, 5);
  if (status == AES_OK && back)
    status = aes_gcm_verify_update(&g, s->in, 59);
  if (status == AES_OK && back)
    status = aes_gcm_verify_finish(&g, s->in + 59, 16);
  for (int i = 0; i < 2 && status == AES_OK; i++) {
    const size_t from = cut[i], n = cut[i + 1] - from;
    status = back ? aes_gcm_decrypt_update(&g, s->in + from, s->out + from, n)
                  : aes_gcm_encrypt_update(&g, s->in + from, s->out + from, n);
    given = status == AES_OK ? cut[i + 1] : given;
  }
  if (status == AES_OK)
    status = back ? aes_gcm_decrypt_finish(&g) : aes_gcm_encrypt_finish(&g, s->out + 59, 16);
  if (status != AES_OK)
    memset(s->out, 0, given);  // pieces that were right: a caller discards them
  return status;
}

// One call under the side's key; whole blocks in words.
static int perform(side_t *s, int call)
{
  uint8_t *words = (uint8_t *)s->words, *result = (uint8_t *)s->result;
  uint8_t chain[17];
  int status = AES_OK;
  memset(s->out, 0, sizeof s->out);
  memcpy(words, s->in, TEXT);
  memset(result, 0xa5, TEXT);
  memcpy(chain + 1, s->iv, 16);
  switch (call) {
    case SET_ENCRYPT:
    case SET_DECRYPT: {
      aes_key_t k;
      memcpy(words, s->key, 16);
      status = call == SET_ENCRYPT ? aes_set_encrypt_key(&k, words, 128)
                                   : aes_set_decrypt_key(&k, words, 128);
      memcpy(words, s->in, 16);
      memset(result, 0, 16);
      if (status == AES_OK) {
        status = call == SET_ENCRYPT ? aes_encrypt_blocks(&k, words, result, 1)
                                     : aes_decrypt_blocks(&k, words, result, 1);
      } else {
        const uint8_t *bytes = (const uint8_t *)&k;
        for (size_t i = 0; i < sizeof k; i++)
          bad += bytes[i] != 0;
        bad += aes_encrypt_blocks(&k, words, result, 1) != AES_ERR_KEY;
        bad += aes_ctr(&k, chain, words, result, 16) != AES_ERR_KEY;
        bad += aes_encrypt_blocks(&k, words, result, 0) != AES_ERR_KEY;
      }
      aes_clear_key(&k);
      memcpy(s->out, result, 16);
      break;
    }
    case ENCRYPT_1:
    case ENCRYPT_3:
      status = aes_encrypt_blocks(&s->k.cipher, words, result, sizes[call] / 16);
      memcpy(s->out, result, sizes[call]);
      break;
    case DECRYPT_1:
    case DECRYPT_3:
      status = aes_decrypt_blocks(&s->k.cipher, words, words, sizes[call] / 16);
      memcpy(s->out, words, sizes[call]);
      break;
    case CBC_ENCRYPT:
      status = aes_cbc_encrypt(&s->k.cipher, chain + 1, words, result, 3);
      memcpy(s->out, result, 48);
      bad += status == AES_OK && memcmp(chain + 1, s->want + 32, 16) != 0;
      break;
    case CBC_DECRYPT:
      status = aes_cbc_decrypt(&s->k.cipher, chain + 1, s->in, s->out, 3);
      bad += status == AES_OK && memcmp(chain + 1, s->in + 32, 16) != 0;
      break;
    case CTR:
      status = aes_ctr(&s->k.cipher, chain + 1, s->in, s->out, TEXT);
      break;
    case ECB_BYTES:
      status = aes_ecb_encrypt(&s->k.cipher, s->in + 0, s->out, 2);
      break;
    case GCM_SET: {
      aes_gcm_key_t k;
      memcpy(words, s->key, 16);
      status = aes_gcm_set_key(&k, words, 128);
      if (status != AES_OK)
        bad += k.cipher.rounds != 0;
      k.cipher = status == AES_OK ? k.cipher : (aes_key_t){.rounds = 0};
      memcpy(words, s->in, 16);
      memset(result, 0, 16);
      if (status == AES_OK)
        status = aes_encrypt_blocks(&k.cipher, words, result, 1);
      aes_gcm_clear_key(&k);
      memcpy(s->out, result, 16);
      break;
    }
    case SEAL:
      status = aes_gcm_encrypt(&s->k, s->iv, 12, s->iv, 5, s->in, s->out, 59, s->out + 59, 16);
      break;
    case UNSEAL:
      status = aes_gcm_decrypt(&s->k, s->iv, 12, s->iv, 5, s->in, s->out, 59, s->in + 59, 16);
      break;
    case FORGED:
      s->in[70] ^= 1;
      status = aes_gcm_decrypt(&s->k, s->iv, 12, s->iv, 5, s->in, s->out, 59, s->in + 59, 16);
      s->in[70] ^= 1;
      bad += status == AES_OK;
      break;
    case PIECES:
    case PIECES_BACK:
      status = pieces(s, call == PIECES_BACK);
      break;
    default: {  // a copy under a second name, cleared
      aes_key_t copy = s->k.cipher;
      aes_clear_key(&copy);
      bad += aes_encrypt_blocks(&copy, words, result, 1) != AES_ERR_KEY;
      status = aes_encrypt_blocks(&s->k.cipher, words, result, 1);
      memcpy(s->out, result, 16);
    }
  }
  operations++;
  return status;
}

static int judge(const side_t *s, int call, int status)
{
  static const uint8_t nothing[TEXT + 16];
  const int wrong = status == AES_OK ? memcmp(s->out, s->want, sizes[call]) != 0
                                     : memcmp(s->out, nothing, sizes[call]) != 0;
  right += status == AES_OK;
  refused += status != AES_OK;
  bad += (unsigned long)wrong;
  return wrong;
}

static void fill(side_t *s, int call, unsigned seed)
{
  uint32_t x = seed * 2654435761u + 1;
  uint8_t plain[TEXT];
  for (size_t i = 0; i < 16; i++)
    s->key[i] = (uint8_t)((x = x * 1664525u + 1013904223u) >> 24);
  for (size_t i = 0; i < 16; i++)
    s->iv[i] = (uint8_t)((x = x * 1664525u + 1013904223u) >> 24);
  for (size_t i = 0; i < TEXT; i++)
    plain[i] = s->in[i] = (uint8_t)((x = x * 1664525u + 1013904223u) >> 24);
  memset(s->want, 0, sizeof s->want);
  switch (call) {
    case SET_DECRYPT:
    case DECRYPT_1:
    case DECRYPT_3:
      bench_expect(1, s->key, s->iv, s->in, s->want, sizes[call]);
      break;
    case CBC_ENCRYPT:
      bench_expect(2, s->key, s->iv, s->in, s->want, 48);
      break;
    case CBC_DECRYPT:
      bench_expect(3, s->key, s->iv, s->in, s->want, 48);
      break;
    case CTR:
      bench_expect(4, s->key, s->iv, s->in, s->want, TEXT);
      break;
    case SEAL:
    case PIECES:
      bench_expect(5, s->key, s->iv, s->in, s->want, 59);
      break;
    case UNSEAL:
    case FORGED:
    case PIECES_BACK:
      bench_expect(5, s->key, s->iv, plain, s->in, 59);
      memcpy(s->want, plain, 59);
      break;
    default:
      bench_expect(0, s->key, s->iv, s->in, s->want, sizes[call] / 16 * 16);
  }
}

static void begin(void)
{
  model_reset(0);
  memset(&device, 0, sizeof device);
  device.turn = AES_ENGINE_FREE;
  ready = opening = 0;
}

// The engine belongs to the side, to another key, or to nobody.
static void place(int whose, side_t *s, int call)
{
  static side_t other;
  bad += set_up(s, call) != AES_OK;
  if (whose == 1) {
    memcpy(other.key, s->iv, 16);
    bad += set_up(&other, ENCRYPT_1) != AES_OK;
  } else if (whose == 2) {
    memcpy(other.key, s->iv, 16);
    bad += set_up(&other, ENCRYPT_1) != AES_OK;
    aes_gcm_clear_key(&other.k);
  }
}

static void complain(const char *what, int a, int b, int c, unsigned at, int status)
{
  static int said;
  if (said++ < 12)
    printf("bad: %s call %d with %d, %d at access %u: status %d\n", what, a, b, c, at, status);
}

static unsigned length_of(int call, int whose)
{
  begin();
  fill(&outer, call, 1);
  place(whose, &outer, call);
  const unsigned from = model_accesses;
  (void)perform(&outer, call);
  return model_accesses - from;
}

static void faults(void)
{
  for (int call = 0; call < CALLS; call++)
    for (int whose = 0; whose < 3; whose++)
      for (int fault = 2; fault <= 12; fault++) {
        const unsigned length = length_of(call, whose);
        for (unsigned at = 0; at <= length; at++) {
          if (fault == 4)
            continue;
          const unsigned long before = bad;
          begin();
          place(whose, &outer, call);
          model_fault = fault;
          model_fault_at = model_accesses + at;
          int status = perform(&outer, call);
          judge(&outer, call, status);
#if defined ENGINE_GUARDED
          bad += fault == 7 && status != AES_ERR_FAULT &&
                 status != (call == FORGED ? AES_ERR_TAG : AES_OK);
          alerts += status == AES_ERR_FAULT;
#endif
          model_fault = 0;
          if (bad != before)
            complain("fault", call, fault, whose, at, status);
          int again = perform(&outer, call);
          judge(&outer, call, again);
          // A reset between a call's last look and its mark is seen by the next call.
          if (fault == 11 && again == AES_ERR_DEVICE) {
            again = perform(&outer, call);
            judge(&outer, call, again);
          }
          bad += again != (call == FORGED ? AES_ERR_TAG : AES_OK);
          if (bad != before)
            complain("after fault", call, fault, whose, at, again);
        }
      }
  // The first set-up finds no engine, or one that fails; the second is right.
  for (int fault = 1; fault <= 12; fault++)
    for (unsigned at = 0; at < 40; at++) {
      const unsigned long before = bad;
      begin();
      fill(&outer, SET_ENCRYPT, 2);
      model_fault = fault;
      model_fault_at = at;
      const int status = perform(&outer, SET_ENCRYPT);
      judge(&outer, SET_ENCRYPT, status);
      bad += fault == 1 && at == 0 && status != AES_ERR_UNSUPPORTED;
      model_fault = 0;
      const int again = perform(&outer, SET_ENCRYPT);
      bad += again != AES_OK;
      judge(&outer, SET_ENCRYPT, again);
      if (bad != before)
        complain("first", SET_ENCRYPT, fault, status, at, again);
    }
}

// What the handler does.
static int handled, handled_twice;
static uint32_t given_up;  // number of the key that the handler cleared
static void handle(void)
{
  for (int i = 0; i <= handled_twice; i++) {
    if (handled == CALLS) {  // give up the key of the interrupted call
      given_up = session_of(&outer.k.cipher)->id;
      aes_gcm_clear_key(&outer.k);
      return;
    }
    if (handled == CALLS + 1) {  // a copy of the interrupted call's key
      aes_key_t copy = outer.k.cipher;
      uint32_t words[4], back[4];
      memcpy(words, inner.in, 16);
      int status = aes_encrypt_blocks(&copy, (uint8_t *)words, (uint8_t *)words, 1);
      operations++;
      if (status == AES_OK) {
        bench_expect(0, outer.key, NULL, inner.in, (uint8_t *)back, 16);
        bad += memcmp(words, back, 16) != 0;
        right++;
      } else {
        bad += (words[0] | words[1] | words[2] | words[3]) != 0;
        bad += status != AES_ERR_BUSY && status != AES_ERR_KEY;
        refused++;
      }
      continue;
    }
    const int status = perform(&inner, handled);
    judge(&inner, handled, status);
    bad += status != AES_OK && status != AES_ERR_BUSY &&
           !(handled == FORGED && status == AES_ERR_TAG);
  }
}

static void interrupts(void)
{
  model_handler = handle;
  for (int call = 0; call < CALLS; call++)
    for (int whose = 0; whose < 3; whose++)
      for (handled = 0; handled < CALLS + 2; handled++) {
        const unsigned length = length_of(call, whose);
        fill(&inner, handled < CALLS ? handled : ENCRYPT_1, 3);
        if (handled == CALLS + 1 && (call == DECRYPT_1 || call == DECRYPT_3 || call == CBC_DECRYPT))
          continue;
        for (unsigned at = 1; at <= length + 8; at++)
          for (unsigned again = 0; again < 8; again++) {
            const unsigned long before = bad;
            const unsigned later = again % 4;
            handled_twice = again >= 4;
            begin();
            if (whose == 1) {
              place(0, &outer, call);
              place(0, &inner, handled);
            } else {
              place(0, &inner, handled);
              place(whose, &outer, call);
            }
            model_interrupt[0] = model_accesses + at;
            model_interrupt[1] = later ? model_accesses + at + later : 0;
            const int status = perform(&outer, call);
            model_interrupt[0] = model_interrupt[1] = 0;
            judge(&outer, call, status);
            if (handled != CALLS)
              bad += status != (call == FORGED ? AES_ERR_TAG : AES_OK);
            else
              bad += status != AES_OK && status != AES_ERR_KEY &&
                     !(call == FORGED && status == AES_ERR_TAG);
            bad += model_holds_key() && device.owner == 0;
            if (handled == CALLS && given_up != 0)  // its key is in no engine that is free
              bad += model_holds_key() && device.owner == given_up;
            given_up = 0;
            if (bad != before)
              complain("interrupt", call, handled, whose * 10 + handled_twice, at * 10 + again,
                       status);
          }
      }
}

int main(void)
{
  faults();
  const unsigned long of_faults = operations;
  interrupts();
  printf("operations %lu faults %lu right %lu refused %lu alerts %lu bad %lu\n", operations,
         of_faults, right, refused, alerts, bad);
  return bad != 0;
}
