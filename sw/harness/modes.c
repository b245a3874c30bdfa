// SPDX-License-Identifier: Apache-2.0
// Question "modes": calls of aes_ccm.h, aes_cmac.h, aes_xts.h, aes_kw.h, aes_gcm_siv.h and GMAC,
// counted one by one. Requests arrive by the stream device and results go back; the host compares.
// Little-endian words; data are padded to words.
//
// Request:  command, mode, key_bits, iv_bytes, aad_bytes, text_bytes, tag_bytes, piece_bytes,
//           place, key[16], iv, aad, text, tag (16 bytes)
// Response: status (0, or the result as a positive number), cycles, instructions, plain_bytes of
//           KWP, text_bytes + 32 bytes of output, tag (16 bytes). What was not written is 0xa5.
//
// Command 1 expands the key, 2 encrypts, wraps or makes a tag, 3 decrypts, unwraps or verifies.
// CMAC authenticates the text, GMAC the AAD. piece_bytes is 0 for one call, or the length of pieces
// (CCM, CMAC, GMAC). place is the offset of all buffers from a word boundary, plus 4 if the output
// takes the input's place. Command 0 ends.
//
// Command 4 times random inputs of the given lengths: key[0] starts the random numbers, key[1] is
// the number of runs after CT_WARMUP more. Each run has a key, an IV, AAD and a text of its own; it
// expands the key, seals, expands the key for the way back, opens, and opens again with a random
// bit of the tag or of the wrapped key flipped. The output begins with the least and the most
// cycles of these five, in pairs; of a step that was not taken they are ~0 and 0. The status is
// MISMATCH if a call did not end as it must.
#include "aes_ccm.h"
#include "aes_cmac.h"
#include "aes_gcm.h"
#include "aes_gcm_siv.h"
#include "aes_kw.h"
#include "aes_xts.h"
#include "extremes.h"
#include "hal.h"

#define MAX_IV 512u
#define MAX_AAD 0x10100u  // beyond the shorter encodings of a length in CCM
#define MAX_TEXT 8192u
#define GROWTH_BYTES 16u  // of a wrapped key
#define GUARD_BYTES 16u
#define TAG_BYTES 16u
#define KEY_WORDS 16u
#define EXIT_BAD_REQUEST 2u
#define MAX_TIMED 512u  // bytes of IV, AAD and text of a timed run
#define MISMATCH (-100)
#define NOT_TAKEN 0xffffffffu

enum { CMD_END, CMD_SET_KEY, CMD_ENCRYPT, CMD_DECRYPT, CMD_TIME };
enum { CCM, CMAC, XTS, GMAC, KW, KWP, KW_INVERSE, KWP_INVERSE, GCM_SIV, MODES };

typedef struct {
  uint32_t command;
  uint32_t mode;
  uint32_t key_bits;
  uint32_t iv_bytes;
  uint32_t aad_bytes;
  uint32_t text_bytes;
  uint32_t tag_bytes;
  uint32_t piece_bytes;
  uint32_t place;
  uint32_t key[KEY_WORDS];
} request_t;

typedef struct {
  uint32_t status;
  uint32_t cycles;
  uint32_t instructions;
  uint32_t plain_bytes;
} response_t;

// Buffers for data at any offset. From the start of 4 KiB on, as in the question "speed".
#define ROOM(bytes) [((bytes) + GROWTH_BYTES + GUARD_BYTES + 4u) / 4u]
static struct {
  uint32_t key ROOM(KEY_WORDS * 4u);
  uint32_t iv ROOM(MAX_IV);
  uint32_t tag ROOM(TAG_BYTES);
  union {
    aes_key_t plain;
    aes_cmac_key_t cmac;
    aes_gcm_key_t gcm;
    aes_xts_key_t xts;
  } schedule;
  uint32_t in ROOM(MAX_TEXT);
  uint32_t out ROOM(MAX_TEXT);
  uint32_t aad ROOM(MAX_AAD);
} memory __attribute__((aligned(4096)));

static request_t r;
static uint8_t *key, *iv, *aad, *in, *out, *tag;

#include "requests.h"

static int receive_all(void) {
  iv = receive(memory.iv, r.iv_bytes);
  aad = receive(memory.aad, r.aad_bytes);
  in = receive(memory.in, r.text_bytes);
  tag = receive(memory.tag, TAG_BYTES);
  for (unsigned i = 0; i < KEY_WORDS; i++) {
    memory.key[i] = r.key[i];
  }
  move_up(memory.key, r.place & PLACE_OFFSET, sizeof r.key);
  key = (uint8_t *)memory.key + (r.place & PLACE_OFFSET);
  if (iv == NULL || aad == NULL || in == NULL || tag == NULL) {
    return 0;
  }
  fill(memory.out, sizeof memory.out);
  out = (uint8_t *)memory.out + (r.place & PLACE_OFFSET);
  if (r.command != CMD_DECRYPT) {
    fill(memory.tag, sizeof memory.tag);
  }
  if (r.place & PLACE_SAME) {
    for (unsigned i = 0; i < GROWTH_BYTES + GUARD_BYTES; i++) {
      in[r.text_bytes + i] = UNTOUCHED;
    }
    out = in;
  }
  return 1;
}

// What the mode calls a key. The inverse key wraps take keys of the other direction.
static int set_key(void) {
  uint32_t words[KEY_WORDS];
  int back = r.command == CMD_DECRYPT;
  switch (r.mode) {
    case CMAC: return aes_cmac_set_key(&memory.schedule.cmac, key, r.key_bits);
    case GMAC: return aes_gcm_set_key(&memory.schedule.gcm, key, r.key_bits);
    case XTS:
      return (back ? aes_xts_set_decrypt_key : aes_xts_set_encrypt_key)(&memory.schedule.xts, key,
                                                                        r.key_bits);
    case CCM:
    case GCM_SIV: back = 0; break;
    case KW_INVERSE:
    case KWP_INVERSE: back = !back; break;
    default: break;
  }
  for (unsigned i = 0; i < KEY_WORDS; i++) {
    words[i] = r.key[i];
  }
  return (back ? aes_set_decrypt_key : aes_set_encrypt_key)(&memory.schedule.plain,
                                                            (const uint8_t *)words, r.key_bits);
}

static uint32_t piece(uint32_t at, uint32_t end) {
  return end - at < r.piece_bytes ? end - at : r.piece_bytes;
}

static int ccm_pieces(void) {
  aes_ccm_t c;
  const int forth = r.command == CMD_ENCRYPT;
  int status = aes_ccm_start(&c, &memory.schedule.plain, iv, r.iv_bytes, r.aad_bytes,
                             r.text_bytes, r.tag_bytes);
  for (uint32_t at = 0; at < r.aad_bytes && status == AES_OK; at += r.piece_bytes) {
    status = aes_ccm_aad(&c, aad + at, piece(at, r.aad_bytes));
  }
  for (uint32_t at = 0; at < r.text_bytes && status == AES_OK; at += r.piece_bytes) {
    uint32_t n = piece(at, r.text_bytes);
    status = forth ? aes_ccm_encrypt_update(&c, in + at, out + at, n)
                   : aes_ccm_verify_update(&c, in + at, n);
  }
  if (status == AES_OK) {
    status = forth ? aes_ccm_encrypt_finish(&c, tag) : aes_ccm_verify_finish(&c, tag);
  }
  if (forth || status != AES_OK) {
    return status;
  }
  for (uint32_t at = 0; at < r.text_bytes && status == AES_OK; at += r.piece_bytes) {
    status = aes_ccm_decrypt_update(&c, in + at, out + at, piece(at, r.text_bytes));
  }
  return status == AES_OK ? aes_ccm_decrypt_finish(&c) : status;
}

static int cmac_pieces(void) {
  aes_cmac_t c;
  int status = aes_cmac_start(&c, &memory.schedule.cmac);
  for (uint32_t at = 0; at < r.text_bytes && status == AES_OK; at += r.piece_bytes) {
    status = aes_cmac_update(&c, in + at, piece(at, r.text_bytes));
  }
  if (status != AES_OK) {
    return status;
  }
  return r.command == CMD_ENCRYPT ? aes_cmac_finish(&c, tag, r.tag_bytes)
                                  : aes_cmac_verify_finish(&c, tag, r.tag_bytes);
}

static int gmac_pieces(void) {
  aes_gcm_t g;
  int status = aes_gcm_start(&g, &memory.schedule.gcm, iv, r.iv_bytes);
  for (uint32_t at = 0; at < r.aad_bytes && status == AES_OK; at += r.piece_bytes) {
    status = aes_gcm_aad(&g, aad + at, piece(at, r.aad_bytes));
  }
  if (status != AES_OK) {
    return status;
  }
  if (r.command == CMD_ENCRYPT) {
    return aes_gcm_encrypt_finish(&g, tag, r.tag_bytes);
  }
  status = aes_gcm_verify_finish(&g, tag, r.tag_bytes);
  return status == AES_OK ? aes_gcm_decrypt_finish(&g) : status;
}

static int in_pieces(void) {
  switch (r.mode) {
    case CCM: return ccm_pieces();
    case CMAC: return cmac_pieces();
    default: return gmac_pieces();
  }
}

static int forth(void) {
  const aes_key_t *k = &memory.schedule.plain;
  switch (r.mode) {
    case CCM:
      return aes_ccm_encrypt(k, iv, r.iv_bytes, aad, r.aad_bytes, in, out, r.text_bytes, tag,
                             r.tag_bytes);
    case CMAC: return aes_cmac(&memory.schedule.cmac, in, r.text_bytes, tag, r.tag_bytes);
    case XTS: return aes_xts_encrypt(&memory.schedule.xts, iv, in, out, r.text_bytes);
    case GMAC:
      return aes_gmac(&memory.schedule.gcm, iv, r.iv_bytes, aad, r.aad_bytes, tag, r.tag_bytes);
    case KW: return aes_kw_wrap(k, in, out, r.text_bytes);
    case KWP: return aes_kwp_wrap(k, in, out, r.text_bytes);
    case KW_INVERSE: return aes_kw_wrap_inverse(k, in, out, r.text_bytes);
    case KWP_INVERSE: return aes_kwp_wrap_inverse(k, in, out, r.text_bytes);
    default:
      return aes_gcm_siv_encrypt(k, iv, aad, r.aad_bytes, in, out, r.text_bytes, tag);
  }
}

static int back(size_t *plain_bytes) {
  const aes_key_t *k = &memory.schedule.plain;
  switch (r.mode) {
    case CCM:
      return aes_ccm_decrypt(k, iv, r.iv_bytes, aad, r.aad_bytes, in, out, r.text_bytes, tag,
                             r.tag_bytes);
    case CMAC: return aes_cmac_verify(&memory.schedule.cmac, in, r.text_bytes, tag, r.tag_bytes);
    case XTS: return aes_xts_decrypt(&memory.schedule.xts, iv, in, out, r.text_bytes);
    case GMAC:
      return aes_gmac_verify(&memory.schedule.gcm, iv, r.iv_bytes, aad, r.aad_bytes, tag,
                             r.tag_bytes);
    case KW: return aes_kw_unwrap(k, in, out, r.text_bytes);
    case KWP: return aes_kwp_unwrap(k, in, out, r.text_bytes, plain_bytes);
    case KW_INVERSE: return aes_kw_unwrap_inverse(k, in, out, r.text_bytes);
    case KWP_INVERSE: return aes_kwp_unwrap_inverse(k, in, out, r.text_bytes, plain_bytes);
    default:
      return aes_gcm_siv_decrypt(k, iv, aad, r.aad_bytes, in, out, r.text_bytes, tag);
  }
}

static int call(size_t *plain_bytes) {
  if (r.piece_bytes != 0u) {
    return in_pieces();
  }
  return r.command == CMD_ENCRYPT ? forth() : back(plain_bytes);
}

static int timed_set_key(response_t *a) {
  int status;
  TIMED(*a, status = set_key());
  return status;
}

// The only caller of `call`, so that the compiler joins the two and no cycles of its own are added.
static int timed_call(response_t *a, size_t *plain_bytes) {
  int status;
  TIMED(*a, status = call(plain_bytes));
  return status;
}

// --- random inputs, timed ---

enum { T_KEY_FORTH, T_FORTH, T_KEY_BACK, T_BACK, T_FORGED, TIMES };

static uint32_t plain_words ROOM(MAX_TIMED);

static int is_mac(void) {
  return r.mode == CMAC || r.mode == GMAC;
}

static int wraps(void) {
  return KW <= r.mode && r.mode <= KWP_INVERSE;
}

static void copy_words(uint32_t *to, const uint32_t *from, uint32_t bytes) {
  for (uint32_t i = 0; i < padded(bytes) / 4u; i++) {
    to[i] = from[i];
  }
}

// Whether the output is the text, or zeros, in every byte.
static int output_is(const uint32_t *text, uint32_t bytes) {
  const uint8_t *expected = (const uint8_t *)text;
  uint8_t wrong = 0;
  for (uint32_t i = 0; i < bytes; i++) {
    wrong |= (uint8_t)(out[i] ^ (text != NULL ? expected[i] : 0u));
  }
  return wrong == 0u;
}

// The way back from what the forward call has left: as it is, or with a bit flipped. MACs and calls
// in pieces that are refused write nothing.
static int open_sealed(uint32_t plain, int forged, uint32_t *t) {
  response_t a;
  size_t plain_bytes = 0;
  uint32_t kept[TAG_BYTES / 4u];
  uint8_t *sealed = wraps() ? in : tag;
  const uint32_t size = wraps() ? r.text_bytes : r.tag_bytes;
  const uint32_t where = random_word() % size;
  const uint32_t bit = (forged ? 1u : 0u) << (random_word() & 7u);
  int status;
  copy_words(kept, memory.tag, TAG_BYTES);
  fill(memory.out, padded(r.text_bytes));
  for (uint32_t i = 0; i < size; i++) {  // every byte: a cache does not learn which one
    sealed[i] ^= (uint8_t)(bit & ~(less_mask(i, where) | less_mask(where, i)));
  }
  status = timed_call(&a, &plain_bytes);
  *t = a.cycles;
  copy_words(memory.tag, kept, TAG_BYTES);
  if (status != (forged ? AES_ERR_TAG : AES_OK)) {
    return status == AES_OK || status == AES_ERR_TAG ? MISMATCH : status;
  }
  if (is_mac() || (forged && r.piece_bytes != 0u)) {
    return AES_OK;
  }
  return output_is(forged ? NULL : plain_words, plain) ? AES_OK : MISMATCH;
}

// One run of all steps; AES_ERR_UNSUPPORTED if the variant lacks a direction.
static int one_run(uint32_t *t) {
  const uint32_t plain = r.text_bytes;
  response_t a;
  size_t none = 0;
  int status;
  for (unsigned w = 0; w < TIMES; w++) {
    t[w] = NOT_TAKEN;
  }
  random_fill(r.key, KEY_WORDS);
  copy_words(memory.key, r.key, sizeof r.key);
  random_fill(memory.iv, padded(r.iv_bytes) / 4u);
  random_fill(memory.aad, padded(r.aad_bytes) / 4u);
  random_fill(memory.in, padded(plain) / 4u);
  copy_words(plain_words, memory.in, plain);
  r.command = CMD_ENCRYPT;
  status = timed_set_key(&a);
  if (status == AES_OK) {
    t[T_KEY_FORTH] = a.cycles;
    status = timed_call(&a, &none);
    t[T_FORTH] = a.cycles;
  }
  r.command = CMD_DECRYPT;
  if (wraps()) {
    r.text_bytes = ((plain + 7u) & ~7u) + 8u;
  }
  if (!is_mac()) {
    copy_words(memory.in, memory.out, r.text_bytes);
  }
  if (status == AES_OK) {
    status = timed_set_key(&a);
  }
  if (status == AES_OK) {
    t[T_KEY_BACK] = a.cycles;
    status = open_sealed(plain, 0, &t[T_BACK]);
  }
  if (status == AES_OK && r.mode != XTS) {
    status = open_sealed(plain, 1, &t[T_FORGED]);
  }
  r.text_bytes = plain;
  return status;
}

static int time_runs(void) {
  extremes_t e[TIMES];
  uint32_t t[TIMES];
  const uint32_t runs = r.key[1];
  int status = AES_OK;
  random_state = r.key[0] | 1u;
  for (unsigned w = 0; w < TIMES; w++) {
    e[w] = (extremes_t){~0u, 0u, 0u};
  }
  for (uint32_t i = 0; i < CT_WARMUP + runs; i++) {
    const uint32_t counts = less_mask(CT_WARMUP, i + 1u);
    status = one_run(t);
    if (status != AES_OK && status != AES_ERR_UNSUPPORTED) {
      break;
    }
    for (unsigned w = 0; w < TIMES; w++) {
      note(&e[w], t[w], counts & less_mask(t[w], NOT_TAKEN), 0u);
    }
  }
  for (unsigned w = 0; w < TIMES; w++) {
    memory.out[2u * w] = e[w].min;
    memory.out[2u * w + 1u] = e[w].max;
  }
  r.command = CMD_TIME;
  return status;
}

static response_t answer(void) {
  response_t a = {0, 0, 0, 0};
  size_t plain_bytes = 0;
  int status;
  if (r.command == CMD_TIME) {
    status = time_runs();
  } else if (r.command == CMD_SET_KEY) {
    status = timed_set_key(&a);
  } else {
    status = set_key();
    if (status == AES_OK) {
      status = timed_call(&a, &plain_bytes);
    }
  }
  a.status = (uint32_t)-status;
  a.plain_bytes = (uint32_t)plain_bytes;
  return a;
}

static int acceptable(void) {
  int streams = r.mode == CCM || r.mode == CMAC || r.mode == GMAC;
  int timed = r.command != CMD_TIME ||
              (r.place == 0u && r.iv_bytes <= MAX_TIMED && r.aad_bytes <= MAX_TIMED &&
               r.text_bytes <= MAX_TIMED && r.text_bytes >= 8u && r.tag_bytes - 1u < TAG_BYTES);
  return r.command <= CMD_TIME && r.mode < MODES && r.iv_bytes <= MAX_IV &&
         r.aad_bytes <= MAX_AAD && r.text_bytes <= MAX_TEXT && (streams || r.piece_bytes == 0u) &&
         timed;
}

int main(void) {
  response_t empty;
  for (unsigned i = 0; i < 2u; i++) {
    TIMED(empty, (void)0);
  }
  for (;;) {
    if (hal_stream_read(&r, sizeof r.command) != sizeof r.command || r.command == CMD_END) {
      return 0;
    }
    hal_stream_read(&r.mode, sizeof r - sizeof r.command);
    if (!acceptable() || !receive_all()) {
      return EXIT_BAD_REQUEST;
    }
    response_t a = answer();
    if (a.cycles != 0u) {
      a.cycles -= empty.cycles;
      a.instructions -= empty.instructions;
    }
    uint32_t *sent = r.place & PLACE_SAME ? memory.in : memory.out;
    const uint32_t n = r.text_bytes + GROWTH_BYTES + GUARD_BYTES;
    move_down(sent, r.place & PLACE_OFFSET, n);
    move_down(memory.tag, r.place & PLACE_OFFSET, TAG_BYTES);
    hal_stream_write(&a, sizeof a);
    hal_stream_write(sent, padded(n));
    hal_stream_write(memory.tag, TAG_BYTES);
  }
}
