// SPDX-License-Identifier: Apache-2.0
// AES-128/192/256 in ECB, CBC and CTR, CBC-MAC and GHASH: the unit does whole blocks and keeps the
// chain. Contracts: aes_kernel.h, aes_modes.h, aes_gcm.h.
#include "unit.h"

#include "aes_gcm.h"

// ---- the unit's key -----------------------------------------------------------------------------

ab_call_t ab_call;

// If a handler used the unit between ab_begin and ab_start, ab_start returns 0: begin again.
__attribute__((noinline)) void ab_load(const aes_key_t *k) {
  uint32_t number;
  do {
    (void)ab_begin(0);
    (void)ab_key(k->rk[0], 0);
    (void)ab_key(k->rk[1], 1);
    (void)ab_key(k->rk[2], 2);
    (void)ab_key(k->rk[3], 3);
    if (k->rounds == 10) {
      number = ab_start(0, 0);
    } else {
      (void)ab_key(k->rk[4], 4);
      (void)ab_key(k->rk[5], 5);
      if (k->rounds == 12) {
        number = ab_start(0, 1);
      } else {
        (void)ab_key(k->rk[6], 6);
        (void)ab_key(k->rk[7], 7);
        number = ab_start(0, 2);
      }
    }
  } while (number == 0);
  ((aes_key_t *)(uintptr_t)k)->rk[KEY_NUMBER] = number;
  forget_registers();
}

static int set_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  const word_t *words = (const word_t *)(const void *)key;
  const unsigned n = key_bits / 32u;
  if (key_bits != 128u && key_bits != 192u && key_bits != 256u) {
    return aes_no_key(k, AES_ERR_KEY_LENGTH);
  }
  for (unsigned i = 0; i < 8u; i++) {
    k->rk[i] = i < n ? words[i] : 0u;
  }
  k->rk[KEY_NUMBER] = ALWAYS_LOAD;
  k->rounds = n + 6u;
  return AES_OK;
}

int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return forgetting(set_key(k, key, key_bits));
}

int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {
  return forgetting(set_key(k, key, key_bits));
}

// The unit forgets whatever key it holds: a copy of *k may have another number.
void aes_clear_key(aes_key_t *k) {
  volatile uint32_t *const words = (volatile uint32_t *)k;
  (void)ab_begin(0);
  for (size_t i = 0; i < sizeof *k / sizeof *words; i++) {
    words[i] = 0;
  }
  forget_registers();
}

// ---- interrupts ---------------------------------------------------------------------------------

// A saved state: the call in progress, mode, half a block, result, chaining value, hash. No key.
enum { AT_KEY = 0, AT_SUBKEY = 2, AT_MODE = 4, AT_HALF = 5, AT_RESULT = 7, AT_CHAIN = 11,
       AT_HASH = 15, AT_END = 19 };
typedef char state_fits[AES_UNIT_STATE_WORDS >= AT_END ? 1 : -1];

// Addresses may have 64 bits on a host.
static void keep_address(uint32_t *w, const volatile void *address) {
  const uint64_t bits = (uintptr_t)address;
  w[0] = (uint32_t)bits;
  w[1] = (uint32_t)(bits >> 32);
}

static const void *kept_address(const uint32_t *w) {
  return (const void *)(uintptr_t)((uint64_t)w[1] << 32 | w[0]);
}

INLINE void keep(uint32_t *w, block_t x) {
  w[0] = x.c0, w[1] = x.c1, w[2] = x.c2, w[3] = x.c3;
}

// The handler's calls find an idle unit, and no word of the interrupted call stays in it. Between
// calls there is nothing to save.
void aes_unit_save(aes_unit_state_t *state) {
  uint32_t *const w = state->word;
  keep_address(w + AT_KEY, ab_call.key);
  keep_address(w + AT_SUBKEY, ab_call.subkey);
  if (ab_call.key != NULL || ab_call.subkey != NULL) {
    w[AT_MODE] = ab_look(0, LOOK_MODE);
    w[AT_HALF] = ab_look(0, LOOK_HALF);
    w[AT_HALF + 1] = ab_look(0, LOOK_HALF + 1);
    keep(w + AT_RESULT, get());
    keep(w + AT_CHAIN, look(LOOK_CHAIN));
    keep(w + AT_HASH, look(LOOK_HASH));
    leave();
  }
  forget_registers();
}

#define RESUME(mode)          \
  case mode:                  \
    (void)ab_mode(0, mode);   \
    break

// The interrupted call's key is loaded again, from its own object, which gets the new number. The
// words of the state are wiped.
void aes_unit_restore(const aes_unit_state_t *state) {
  volatile uint32_t *const wipe = ((aes_unit_state_t *)(uintptr_t)state)->word;
  const uint32_t *const w = state->word;
  const aes_key_t *const key = (const aes_key_t *)kept_address(w + AT_KEY);
  const uint32_t *const subkey = (const uint32_t *)kept_address(w + AT_SUBKEY);
  if (key == NULL && subkey == NULL) {
    return;
  }
  ab_call.subkey = subkey;
  ab_call.key = key;
  if (key != NULL) {
    ab_load(key);
  }
  (void)ab_mode(0, CLEAR | PASS);
  if (subkey != NULL) {
    set_pair(subkey, SET_SUBKEY);
  }
  (void)ab_put(w[AT_RESULT], w[AT_RESULT + 1], 0);
  (void)ab_put(w[AT_RESULT + 2], w[AT_RESULT + 3], 1);
  set_pair(w + AT_CHAIN, SET_CHAIN);
  set_pair(w + AT_HASH, SET_HASH);
  (void)ab_put(w[AT_HALF], w[AT_HALF + 1], 0);
  switch (w[AT_MODE]) {
    RESUME(ECB_ENCRYPT);
    RESUME(CBC_ENCRYPT);
    RESUME(CTR);
    RESUME(ECB_DECRYPT);
    RESUME(CBC_DECRYPT);
    RESUME(HASH);
    RESUME(CTR_HASH);
    default:  // PASS
      break;
  }
  for (unsigned i = 0; i < AES_UNIT_STATE_WORDS; i++) {
    wipe[i] = 0;
  }
  forget_registers();
}

// ---- blocks -------------------------------------------------------------------------------------

#define WORDS_OF(bytes) ((const word_t *)(const void *)(bytes))

// A whole call: `mode` is a constant, `chain` its chaining value or NULL.
INLINE int crypt(const unsigned mode, const aes_key_t *k, uint32_t *chain, const uint8_t *in,
                 uint8_t *out, size_t nblocks) {
  if (!has_key(k)) {
    return aes_no_blocks(out, nblocks, AES_ERR_KEY);
  }
  if (nblocks != 0) {
    enter(k);
    (void)ab_mode(0, CLEAR | mode);
    if (chain != NULL) {
      set_pair(chain, SET_CHAIN);
    }
    ab_crypt(WORDS_OF(in), (word_t *)(void *)out, nblocks * AES_BLOCK_BYTES);
    if (chain != NULL) {
      keep(chain, look(LOOK_CHAIN));
    }
    leave();
  }
  return AES_OK;
}

int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return forgetting(crypt(ECB_ENCRYPT, k, NULL, in, out, nblocks));
}

int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return forgetting(crypt(ECB_DECRYPT, k, NULL, in, out, nblocks));
}

int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t nblocks) {
  return forgetting(crypt(CTR, k, counter, in, out, nblocks));
}

int aes_cbc_encrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks) {
  return forgetting(crypt(CBC_ENCRYPT, k, chain, in, out, nblocks));
}

int aes_cbc_decrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks) {
  return forgetting(crypt(CBC_DECRYPT, k, chain, in, out, nblocks));
}

// CBC encryption whose results nobody reads.
int aes_cbc_mac(const aes_key_t *k, uint32_t state[4], const uint8_t *data, size_t nblocks) {
  if (!has_key(k)) {
    state[0] = state[1] = state[2] = state[3] = 0;
    return AES_ERR_KEY;
  }
  if (nblocks != 0) {
    enter(k);
    (void)ab_mode(0, CLEAR | CBC_ENCRYPT);
    set_pair(state, SET_CHAIN);
    if (aligned(data)) {
      ab_absorb(WORDS_OF(data), nblocks * AES_BLOCK_BYTES);
    } else {
      do {
        const uint32_t w0 = WORD_OF_BYTES(data), w1 = WORD_OF_BYTES(data + 4);
        const uint32_t w2 = WORD_OF_BYTES(data + 8), w3 = WORD_OF_BYTES(data + 12);
        put((block_t){w0, w1, w2, w3});
        data += AES_BLOCK_BYTES;
      } while (--nblocks != 0);
    }
    keep(state, look(LOOK_CHAIN));
    leave();
  }
  return forgetting(AES_OK);
}

// ---- GHASH (SP 800-38D, section 6.4) ------------------------------------------------------------

void aes_ghash_set_key(aes_ghash_key_t *k, const uint8_t *h) {
  const word_t *const words = WORDS_OF(h);
  for (unsigned i = 0; i < 4u; i++) {
    k->word[i] = words[i];
  }
  forget_registers();
}

void aes_ghash_blocks(const aes_ghash_key_t *k, uint32_t state[4], const uint8_t *data,
                      size_t nblocks) {
  ab_call.subkey = k->word;
  (void)ab_mode(0, CLEAR | HASH);
  set_pair(k->word, SET_SUBKEY);
  set_pair(state, SET_HASH);
  ab_absorb(WORDS_OF(data), nblocks * AES_BLOCK_BYTES);
  store_block(state, 0, look(LOOK_HASH));
  leave();
  forget_registers();
}
