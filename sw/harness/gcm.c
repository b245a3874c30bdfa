// SPDX-License-Identifier: Apache-2.0
// Question "gcm": calls of aes_gcm.h, counted one by one. Requests arrive by the stream device and
// results go back; the host compares. Little-endian words; data are padded to words.
//
// Request:  command, key_bits, iv_bytes, aad_bytes, text_bytes, tag_bytes, piece_bytes, place,
//           key[8], iv, aad, text, tag (16 bytes)
// Response: status (0, or the result as a positive number), cycles, instructions,
//           text_bytes + 16 bytes of output, tag (16 bytes). What was not written is 0xa5.
//
// Command 1 expands the key, 2 encrypts, 3 decrypts, 4 hashes the text with the key as hash subkey
// (into the tag). piece_bytes is 0 for one call, or the length of pieces of AAD and text. place is
// the offset of all buffers from a word boundary, plus 4 if the output takes the input's place.
// Command 0 ends.
#include "aes_gcm.h"
#include "hal.h"

#define MAX_IV 512u
#define MAX_AAD 2048u
#define MAX_TEXT 8192u
#define GUARD_BYTES 16u
#define TAG_BYTES 16u
#define EXIT_BAD_REQUEST 2u

enum { CMD_END, CMD_SET_KEY, CMD_ENCRYPT, CMD_DECRYPT, CMD_GHASH };

typedef struct {
  uint32_t command;
  uint32_t key_bits;
  uint32_t iv_bytes;
  uint32_t aad_bytes;
  uint32_t text_bytes;
  uint32_t tag_bytes;
  uint32_t piece_bytes;
  uint32_t place;
  uint32_t key[8];
} request_t;

typedef struct {
  uint32_t status;
  uint32_t cycles;
  uint32_t instructions;
} response_t;

// Buffers for data at any offset. From the start of 4 KiB on, as in the question "speed".
#define ROOM(bytes) [((bytes) + GUARD_BYTES + 4u) / 4u]
static struct {
  uint32_t key ROOM(32u);
  uint32_t iv ROOM(MAX_IV);
  uint32_t aad ROOM(MAX_AAD);
  uint32_t tag ROOM(TAG_BYTES);
  aes_gcm_key_t schedule;
  uint32_t in ROOM(MAX_TEXT);
  uint32_t out ROOM(MAX_TEXT);
} memory __attribute__((aligned(4096)));

static request_t r;
static uint8_t *key, *iv, *aad, *in, *out, *tag;

#include "requests.h"

static int receive_all(void) {
  iv = receive(memory.iv, r.iv_bytes);
  aad = receive(memory.aad, r.aad_bytes);
  in = receive(memory.in, r.text_bytes);
  tag = receive(memory.tag, TAG_BYTES);
  for (unsigned i = 0; i < 8u; i++) {
    memory.key[i] = r.key[i];
  }
  move_up(memory.key, r.place & PLACE_OFFSET, sizeof r.key);
  key = (uint8_t *)memory.key + (r.place & PLACE_OFFSET);
  if (iv == NULL || aad == NULL || in == NULL || tag == NULL) {
    return 0;
  }
  fill(memory.out, padded(r.text_bytes + GUARD_BYTES + PLACE_OFFSET));
  out = (uint8_t *)memory.out + (r.place & PLACE_OFFSET);
  if (r.command != CMD_DECRYPT) {
    fill(memory.tag, sizeof memory.tag);
  }
  if (r.place & PLACE_SAME) {
    for (unsigned i = 0; i < GUARD_BYTES; i++) {
      in[r.text_bytes + i] = UNTOUCHED;
    }
    out = in;
  }
  return 1;
}

static uint32_t piece(uint32_t at, uint32_t end) {
  return end - at < r.piece_bytes ? end - at : r.piece_bytes;
}

typedef int (*crypt_fn)(aes_gcm_t *g, const uint8_t *in, uint8_t *out, size_t n);

static int crypt_pieces(aes_gcm_t *g, crypt_fn crypt) {
  int status = AES_OK;
  for (uint32_t at = 0; at < r.text_bytes && status == AES_OK; at += r.piece_bytes) {
    status = crypt(g, in + at, out + at, piece(at, r.text_bytes));
  }
  return status;
}

static int in_pieces(void) {
  aes_gcm_t g;
  int status = aes_gcm_start(&g, &memory.schedule, iv, r.iv_bytes);
  for (uint32_t at = 0; at < r.aad_bytes && status == AES_OK; at += r.piece_bytes) {
    status = aes_gcm_aad(&g, aad + at, piece(at, r.aad_bytes));
  }
  if (status == AES_OK && r.command == CMD_ENCRYPT) {
    status = crypt_pieces(&g, aes_gcm_encrypt_update);
    return status == AES_OK ? aes_gcm_encrypt_finish(&g, tag, r.tag_bytes) : status;
  }
  for (uint32_t at = 0; at < r.text_bytes && status == AES_OK; at += r.piece_bytes) {
    status = aes_gcm_verify_update(&g, in + at, piece(at, r.text_bytes));
  }
  if (status == AES_OK) {
    status = aes_gcm_verify_finish(&g, tag, r.tag_bytes);
  }
  if (status == AES_OK) {
    status = crypt_pieces(&g, aes_gcm_decrypt_update);
  }
  return status == AES_OK ? aes_gcm_decrypt_finish(&g) : status;
}

static int crypt(void) {
  if (r.piece_bytes != 0u) {
    return in_pieces();
  }
  if (r.command == CMD_ENCRYPT) {
    return aes_gcm_encrypt(&memory.schedule, iv, r.iv_bytes, aad, r.aad_bytes, in, out,
                           r.text_bytes, tag, r.tag_bytes);
  }
  return aes_gcm_decrypt(&memory.schedule, iv, r.iv_bytes, aad, r.aad_bytes, in, out,
                         r.text_bytes, tag, r.tag_bytes);
}

static response_t answer(void) {
  response_t a = {0, 0, 0};
  int status;
  if (r.command == CMD_GHASH) {
    uint32_t *state = (uint32_t *)(void *)tag;
    for (unsigned i = 0; i < 4u; i++) {
      state[i] = 0;
    }
    aes_ghash_set_key(&memory.schedule.hash, key);
    TIMED(a, aes_ghash_blocks(&memory.schedule.hash, state, in, r.text_bytes / AES_BLOCK_BYTES));
    return a;
  }
  if (r.command == CMD_SET_KEY) {
    TIMED(a, status = aes_gcm_set_key(&memory.schedule, key, r.key_bits));
  } else {
    status = aes_gcm_set_key(&memory.schedule, key, r.key_bits);
    if (status == AES_OK) {
      TIMED(a, status = crypt());
    }
  }
  a.status = (uint32_t)-status;
  return a;
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
    hal_stream_read(&r.key_bits, sizeof r - sizeof r.command);
    int aligned = (r.place & PLACE_OFFSET) == 0u;
    if (r.command > CMD_GHASH || r.iv_bytes > MAX_IV || r.aad_bytes > MAX_AAD ||
        r.text_bytes > MAX_TEXT || (r.command == CMD_GHASH && !aligned) || !receive_all()) {
      return EXIT_BAD_REQUEST;
    }
    response_t a = answer();
    if (a.cycles != 0u) {
      a.cycles -= empty.cycles;
      a.instructions -= empty.instructions;
    }
    uint32_t *sent = r.place & PLACE_SAME ? memory.in : memory.out;
    move_down(sent, r.place & PLACE_OFFSET, r.text_bytes + GUARD_BYTES);
    move_down(memory.tag, r.place & PLACE_OFFSET, TAG_BYTES);
    hal_stream_write(&a, sizeof a);
    hal_stream_write(sent, padded(r.text_bytes + GUARD_BYTES));
    hal_stream_write(memory.tag, TAG_BYTES);
  }
}
