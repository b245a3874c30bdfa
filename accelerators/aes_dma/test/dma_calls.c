// SPDX-License-Identifier: Apache-2.0
// Every call of the kernel contract on the model of the registers, against the portable kernel and
// the modes under other names (soft_): with a fault from any access of the device on, and with an
// interrupt before any access to memory. A call that returns AES_OK must be right; any other must
// leave zeros, or in GCM what was there.
#include "dma_calls.h"

extern int model_fault;
extern unsigned model_from, model_accesses, model_keys;
int model_key_valid(void);
void model_reset(int fault);

extern unsigned steps_interrupt, steps_taken;
extern void (*steps_handler)(void);

#define BLOCKS 4u
#define BYTES (16u * BLOCKS)
#define ODD 55u  // bytes of a message that ends within a block
#define FILL 0xa5u

// Who calls: keys, and a buffer that is compared.
typedef struct {
  aes_key_t enc, dec;
  aes_gcm_key_t gcm;
  uint32_t key[8], iv[4], counter[4], in[BYTES / 4 + 1], sealed[BYTES / 4], tag[4];
  uint32_t expected[CALLS][BYTES / 4], next[4];
  uint32_t out[BYTES / 4 + 1];
  uint8_t out_tag[16];
  aes_gcm_t message;
  unsigned key_bits;
} actor_t;

static actor_t actors[2];
static int last_status;

static uint32_t seed = 1;

static void fill(void *to, size_t n)
{
  for (uint8_t *at = to; n != 0; n--) {
    seed = seed * 1664525u + 1013904223u;
    *at++ = (uint8_t)(seed >> 24);
  }
}

static void copy_bytes(void *to, const void *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}

static int equal(const void *a, const void *b, size_t n)
{
  uint8_t bits = 0;
  for (size_t i = 0; i < n; i++)
    bits |= (uint8_t)(((const uint8_t *)a)[i] ^ ((const uint8_t *)b)[i]);
  return bits == 0;
}

static int all(const void *a, size_t n, uint8_t value)
{
  uint8_t bits = 0;
  for (size_t i = 0; i < n; i++)
    bits |= (uint8_t)(((const uint8_t *)a)[i] ^ value);
  return bits == 0;
}

// What everything must give.
static void expect(actor_t *a)
{
  soft_key_t enc, dec;
  soft_gcm_key_t gcm;
  uint32_t iv[4];
  const uint8_t *in = (const uint8_t *)a->in;
  fill(a->key, sizeof a->key);
  fill(a->iv, sizeof a->iv);
  fill(a->in, sizeof a->in);
  soft_set_encrypt_key(&enc, (const uint8_t *)a->key, a->key_bits);
  soft_set_decrypt_key(&dec, (const uint8_t *)a->key, a->key_bits);
  soft_gcm_set_key(&gcm, (const uint8_t *)a->key, a->key_bits);
  for (int call = 0; call < CALLS; call++) {
    uint8_t *out = (uint8_t *)a->expected[call];
    copy_bytes(iv, a->iv, 16);
    switch (call) {
    case CALL_ENCRYPT: case CALL_START: case CALL_BYTES:
      soft_encrypt_blocks(&enc, in, out, BLOCKS);
      break;
    case CALL_DECRYPT: case CALL_START_DECRYPT: soft_decrypt_blocks(&dec, in, out, BLOCKS); break;
    case CALL_CBC: soft_cbc_encrypt(&enc, (uint8_t *)iv, in, out, BLOCKS); break;
    case CALL_CBC_DECRYPT: soft_cbc_decrypt(&dec, (uint8_t *)iv, in, out, BLOCKS); break;
    case CALL_CTR: case CALL_CTR_BYTES: soft_ctr(&enc, (uint8_t *)iv, in, out, ODD); break;
    case CALL_GCM: case CALL_GCM_BYTES: case CALL_GCM_PIECES:
      soft_gcm_encrypt(&gcm, (uint8_t *)iv, 12, in, 5, in, out, ODD, (uint8_t *)a->tag, 16);
      copy_bytes(a->sealed, out, ODD);
      break;
    case CALL_GCM_DECRYPT: case CALL_GCM_DECRYPT_PIECES: copy_bytes(out, in, ODD); break;
    default: break;
    }
    if (call == CALL_CBC)
      copy_bytes(a->next, iv, 16);
  }
}

static void clear(actor_t *a)
{
  aes_clear_key(&a->enc);
  aes_clear_key(&a->dec);
  aes_gcm_clear_key(&a->gcm);
}

// One call; the output becomes FILL before. Returns its status.
static int perform(actor_t *a, int call)
{
  uint8_t *out = (uint8_t *)a->out;
  const uint8_t *in = (const uint8_t *)a->in, *key = (const uint8_t *)a->key;
  uint8_t *iv = (uint8_t *)a->counter, *sealed = (uint8_t *)a->sealed;
  aes_gcm_t *g = &a->message;
  int status;
  for (size_t i = 0; i < sizeof a->out; i++)
    out[i] = FILL;
  for (size_t i = 0; i < 16; i++)
    a->out_tag[i] = FILL;
  copy_bytes(a->counter, a->iv, 16);
  switch (call) {
  case CALL_SET: return aes_set_encrypt_key(&a->enc, key, a->key_bits);
  case CALL_SET_DECRYPT: return aes_set_decrypt_key(&a->dec, key, a->key_bits);
  case CALL_SET_GCM: return aes_gcm_set_key(&a->gcm, key, a->key_bits);
  case CALL_ENCRYPT: return aes_encrypt_blocks(&a->enc, in, out, BLOCKS);
  case CALL_DECRYPT: return aes_decrypt_blocks(&a->dec, in, out, BLOCKS);
  case CALL_BYTES: return aes_ecb_encrypt(&a->enc, in, out + 1, BLOCKS);
  case CALL_CBC: return aes_cbc_encrypt(&a->enc, iv, in, out, BLOCKS);
  case CALL_CBC_DECRYPT: return aes_cbc_decrypt(&a->dec, iv, in, out, BLOCKS);
  case CALL_CTR: return aes_ctr(&a->enc, iv, in, out, ODD);
  case CALL_CTR_BYTES: return aes_ctr(&a->enc, iv, in, out + 1, ODD);
  case CALL_GCM: return aes_gcm_encrypt(&a->gcm, iv, 12, in, 5, in, out, ODD, a->out_tag, 16);
  case CALL_GCM_BYTES:
    return aes_gcm_encrypt(&a->gcm, iv, 12, in, 5, in, out + 1, ODD, a->out_tag, 16);
  case CALL_GCM_DECRYPT:
    return aes_gcm_decrypt(&a->gcm, iv, 12, in, 5, sealed, out, ODD, (uint8_t *)a->tag, 16);
  case CALL_GCM_PIECES:
    status = aes_gcm_start(g, &a->gcm, iv, 12);
    status = status ? status : aes_gcm_aad(g, in, 5);
    status = status ? status : aes_gcm_encrypt_update(g, in, out, 20);
    if (status == AES_OK) {
      status = aes_gcm_encrypt_update(g, in + 20, out + 20, ODD - 20);
      // A piece that was given out is no part of the next call's output.
      for (size_t i = 0; i < 20 && status != AES_OK; i++)
        out[i] = FILL;
      if (status == AES_OK) {
        status = aes_gcm_encrypt_finish(g, a->out_tag, 16);
        for (size_t i = 0; i < ODD && status != AES_OK; i++)
          out[i] = FILL;
      }
    }
    return status;
  case CALL_GCM_DECRYPT_PIECES:
    status = aes_gcm_start(g, &a->gcm, iv, 12);
    status = status ? status : aes_gcm_aad(g, in, 5);
    status = status ? status : aes_gcm_verify_update(g, sealed, ODD);
    status = status ? status : aes_gcm_verify_finish(g, (uint8_t *)a->tag, 16);
    status = status ? status : aes_gcm_decrypt_update(g, sealed, out, ODD);
    if (status == AES_OK) {
      status = aes_gcm_decrypt_finish(g);
      for (size_t i = 0; i < ODD && status != AES_OK; i++)
        out[i] = FILL;  // given out by the call before
    }
    return status;
  case CALL_START: case CALL_START_DECRYPT: {
    const aes_key_t *k = call == CALL_START ? &a->enc : &a->dec;
    status = (call == CALL_START ? aes_encrypt_start : aes_decrypt_start)(k, in, out, BLOCKS);
    return status ? status : aes_finish(k);
  }
  default: clear(a); return AES_OK;
  }
}

// A call and what it left: 0 right, 1 refused with nothing left, or what is wrong (2 and more).
static int judged(actor_t *a, int call)
{
  const int status = perform(a, call);
  const int in_gcm = call >= CALL_GCM && call <= CALL_GCM_DECRYPT_PIECES;
  const int tagged = call >= CALL_GCM && call <= CALL_GCM_PIECES;
  const int shifted = call == CALL_BYTES || call == CALL_CTR_BYTES || call == CALL_GCM_BYTES;
  const uint8_t *out = (const uint8_t *)a->out + shifted;
  const size_t n = in_gcm || call == CALL_CTR || call == CALL_CTR_BYTES ? ODD : BYTES;
  last_status = status;
  if (call == CALL_SET || call == CALL_SET_DECRYPT || call == CALL_SET_GCM) {
    const aes_key_t *gcm = &a->gcm.cipher;
    const aes_key_t *k = call == CALL_SET ? &a->enc : call == CALL_SET_GCM ? gcm : &a->dec;
    if (status == AES_OK)
      return 0;
    return k->rounds == 0 && all(k, sizeof *k, 0) ? 1 : 2;
  }
  if (call == CALL_CLEAR)
    return 0;
  if (!all(out + n, sizeof a->out - n - (size_t)shifted, FILL))
    return 3;
  if (status == AES_OK) {
    if (!equal(out, a->expected[call], n))
      return 4;
    if (tagged && !equal(a->out_tag, a->tag, 16))
      return 5;
    return call == CALL_CBC && !equal(a->counter, a->next, 16) ? 6 : 0;
  }
  // The two pieces of a message in pieces are calls of their own.
  const size_t cut = call == CALL_GCM_PIECES ? 20 : 0;
  if (!all(out + cut, n - cut, 0) && !(in_gcm && all(out + cut, n - cut, FILL)))
    return 7;
  if (!all(out, cut, 0) && !all(out, cut, FILL))
    return 7;
  if (tagged && !all(a->out_tag, 16, 0) && !all(a->out_tag, 16, FILL))
    return 8;
  return (call == CALL_CBC || call == CALL_CTR) && !equal(a->counter, a->iv, 16) ? 9 : 1;
}

// Between calls: the device is free, holds no key that nobody is known to have put there, and no
// text.
static int at_rest(void)
{
  const aes_dma_device_t *device = kernel_device();
  return device->turn != AES_DMA_TAKEN && device->job == 0 && device->doomed == 0 &&
         (!model_key_valid() || device->owner != 0) &&
         all(device->bounce, sizeof device->bounce, 0);
}

// The number of a key's session.
static uint32_t number(const aes_key_t *k)
{
  return ((const aes_dma_session_t *)(const void *)k->rk)->id;
}

static int set_up(actor_t *a)
{
  return judged(a, CALL_SET) || judged(a, CALL_SET_DECRYPT) || judged(a, CALL_SET_GCM);
}

void calls_begin(void)
{
  actors[0].key_bits = 128;
  actors[1].key_bits = 256;
  expect(&actors[0]);
  expect(&actors[1]);
}

// A call with a fault from its access `from` on. 0 if it has fewer accesses; otherwise 1 + 2 * what
// was wrong (0: nothing) + (was the call refused). `before`: the other actor had the device.
int calls_fault(int call, int fault, unsigned from, int before, int *status)
{
  actor_t *a = &actors[0], *other = &actors[1];
  kernel_unopened();
  model_reset(0);
  if (set_up(a) || set_up(other) || (before == 0 && judged(a, CALL_ENCRYPT)))
    return 1 + 2 * 20;
  // The first set-up of all.
  if (before == 2 && call <= CALL_SET_GCM) {
    kernel_unopened();
    model_reset(0);
  }
  model_accesses = 0;
  model_from = from;
  model_fault = fault;
  const int found = judged(a, call);
  const unsigned taken = model_accesses;
  *status = last_status;
  model_fault = 0;
  copy_bytes(a->sealed, a->expected[CALL_GCM], ODD);  // a fault may have changed it
  if (found < 2 && taken < from)
    return 0;
  int wrong = found > 1 ? found : 0;
  if (!wrong && !at_rest())
    wrong = 10;
  // Without the fault: the same again, a set-up first if there is no key, and a call of another
  // context.
  if (!wrong && (call == CALL_CLEAR || !a->enc.rounds || !a->dec.rounds || !a->gcm.cipher.rounds) &&
      set_up(a))
    wrong = 11;
  // What happened after the last look at the device is found by the next call.
  if (!wrong && judged(a, call) && (found == 1 || judged(a, call)))
    wrong = 12;
  if (!wrong && judged(other, CALL_ENCRYPT))
    wrong = 13;
  return 1 + 2 * wrong + (found == 1);
}

// Interrupts ------------------------------------------------------------------------------------

static int handled, handler_found, handler_status, handler_runs;

static void handler(void)
{
  handler_runs++;
  if (handled == HANDLER_CLEARS_YOURS)
    clear(&actors[0]);
  else if (handled == HANDLER_STARTS)
    handler_status = aes_encrypt_start(&actors[1].enc, (const uint8_t *)actors[1].in,
                                       (uint8_t *)actors[1].out, BLOCKS);
  else
    handler_found = judged(&actors[1], handled);
}

// A call with an interrupt before its access `step` to memory. 0 if it has fewer; otherwise 1 + 4 *
// what was wrong + 2 * (was the handler refused) + (was the call refused).
int calls_interrupt(int call, int handles, unsigned step, int before)
{
  actor_t *a = &actors[0], *other = &actors[1];
  kernel_unopened();
  model_reset(0);
  steps_handler = handler;
  if (set_up(a) || set_up(other) || (before == 0 && judged(a, CALL_ENCRYPT)))
    return 1 + 4 * 20;
  const uint32_t ids[3] = {number(&a->enc), number(&a->dec), number(&a->gcm.cipher)};
  handled = handles;
  handler_found = handler_status = handler_runs = 0;
  steps_taken = 0;
  steps_interrupt = step;
  uint8_t saved[sizeof other->out];
  const int found = judged(a, call);
  const int status = last_status;
  steps_interrupt = 0;
  if (handler_runs == 0)
    return found ? 1 + 4 * 21 : 0;
  int wrong = found > 1 ? found : 0;
  const int cleared = handles == HANDLER_CLEARS_YOURS;
  // Only where the handler forgets the key or leaves a job may the interrupted call fail.
  if (found == 1 && !(cleared && (status == AES_ERR_KEY || status == AES_ERR_TAG)) &&
      !(handles == HANDLER_STARTS && status == AES_ERR_BUSY))
    wrong = 14;
  if (handler_found > 1)
    wrong = 30 + handler_found;
  if (handles == HANDLER_STARTS && handler_status == AES_OK) {
    copy_bytes(saved, other->out, sizeof saved);
    if (aes_finish(&other->enc) != AES_OK || !equal(other->out, other->expected[CALL_START], BYTES))
      wrong = 15;
  }
  if (!wrong && !at_rest())
    wrong = 10;
  // A key that was forgotten is nowhere.
  for (int i = 0; i < 3 && cleared; i++)
    if (!wrong && model_key_valid() && kernel_device()->owner == ids[i])
      wrong = 16;
  if (!wrong && (set_up(a) || set_up(other)))
    wrong = 11;
  if (!wrong && (judged(a, call) || judged(other, CALL_CTR) || set_up(a) || judged(a, CALL_BYTES)))
    wrong = 12;
  return 1 + 4 * wrong + 2 * (handler_found == 1 || handler_status != AES_OK) + (found == 1);
}
