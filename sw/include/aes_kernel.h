// SPDX-License-Identifier: Apache-2.0
// The kernel contract: the functions that every accelerator's and baseline's C code implements.
// Source: FIPS 197 for the cipher; docs/architecture.md, section 3, for the rules.
#ifndef AES_KERNEL_H
#define AES_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define AES_BLOCK_BYTES 16u

// Results. Every function with one returns AES_OK or one of these.
#define AES_OK 0
#define AES_ERR_KEY_LENGTH (-1)   // key_bits is none of 128, 192, 256
#define AES_ERR_UNSUPPORTED (-2)  // the variant lacks the direction, or there is no device
#define AES_ERR_LENGTH (-3)       // no IV, invalid tag length, or more bytes than the mode allows
#define AES_ERR_TAG (-4)          // key, IV, AAD, text or tag differ from what was authenticated
#define AES_ERR_ORDER (-5)        // the context does not accept this call now
#define AES_ERR_KEY (-6)          // *k holds no key: it was never set up, or it was cleared
#define AES_ERR_BUSY (-7)         // the device is in use by code that this call interrupts
#define AES_ERR_DEVICE (-8)       // the device refused the work, failed or gave no answer in time
#define AES_ERR_WEAK_KEY (-9)     // the two halves of an XTS key are equal
#define AES_ERR_FAULT (-10)       // the device found a fault in itself and works after a reset only
#define AES_ERR_OVERLAP (-11)     // input and output overlap and do not begin at one address

// Words of an expanded key in the kernel's own packing; the manifest's sw.key_words.
#ifndef AES_KEY_WORDS
#define AES_KEY_WORDS 64
#endif

// Words of state that a unit keeps between operations; the variant's state_words.
#ifndef AES_UNIT_STATE_WORDS
#define AES_UNIT_STATE_WORDS 1
#endif

// An expanded key. Only the kernel that made it may read `rk`. rounds is 10, 12 or 14.
//
// A key may be copied, assigned, overwritten and freed like any other object. A unit that holds
// round keys identifies them by a number that is new in each set-up, never by an address, so it
// never uses a key that was at this address before.
typedef struct {
  uint32_t rk[AES_KEY_WORDS];
  uint32_t rounds;
} aes_key_t;

// Expand `key` (key_bits / 8 bytes, 4-byte aligned) for encryption or decryption.
// Returns AES_OK, AES_ERR_KEY_LENGTH, AES_ERR_UNSUPPORTED or, from a device, AES_ERR_BUSY,
// AES_ERR_DEVICE or AES_ERR_FAULT. Unless AES_OK, *k holds no key: its rounds is 0. Words of a
// former key may remain; clear it before.
int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits);
int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits);

// ECB over nblocks blocks of 16 bytes (0 allowed). `in` and `out` are 4-byte aligned and either
// equal or disjoint. The time depends on nblocks and k->rounds only, unless the manifest declares
// the unit not constant-time. Unless AES_OK, `out` holds zeros. A kernel without state assumes that
// *k is set up and always succeeds; with another *k it may read outside it or run for hours. The
// modes and AES-GCM check it. Only some devices check that *k is for this direction; elsewhere the
// output is wrong and the status AES_OK.
//
// No secret stays on the stack. Registers may keep words of a round key, of a state and of the
// output, which reveal the key: call a mode instead, or forget_registers() after the last call
// (aes_forget_registers.h).
int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);

// Bulk entries of the modes, optional: a kernel that joins a mode with its cipher replaces the weak
// defaults (sw/modes/aes_modes.c), which call aes_encrypt_blocks and aes_decrypt_blocks. Buffers as
// above, registers too: the caller forgets them. `counter` and `chain` are a block in memory order,
// outside both buffers. After AES_OK they continue the message, after an error they are
// unspecified.
//
// CTR with an encryption key: the last four bytes of `counter` are a big-endian number modulo 2^32,
// which advances by nblocks. The counter is public: the time may depend on it.
int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t nblocks);

// CBC; `chain` is the IV, then the last block of ciphertext.
int aes_cbc_encrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks);
int aes_cbc_decrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                           size_t nblocks);

// CBC-MAC: state = E(state ^ block) for each block. The weak default is in sw/modes/aes_cbc_mac.c.
int aes_cbc_mac_blocks(const aes_key_t *k, uint32_t state[4], const uint8_t *in, size_t nblocks);

// For kernels: return from a set-up or a call that failed.
static inline int aes_no_key(aes_key_t *k, int status) {
  k->rounds = 0;
  return status;
}

static inline int aes_no_blocks(uint8_t *out, size_t nblocks, int status) {
  volatile uint8_t *at = out;
  while (nblocks-- != 0) {
    for (unsigned i = 0; i < AES_BLOCK_BYTES; i++) *at++ = 0;
  }
  return status;
}

// Wipe a key: *k and the unit's copy of it become zero. A device in use by code that this call
// interrupts is wiped when that code's call ends. (The weak default wipes *k.)
void aes_clear_key(aes_key_t *k);

// Cycles since the start, modulo 2^32, in which calls only waited for hardware outside the core, so
// that other code could have run. (The weak default returns 0.)
uint32_t aes_waited(void);

// Interrupts. A handler may call every function of the kernel and of the modes, on its own keys,
// contexts and buffers, in any cycle of an interrupted call. Both calls give correct results; if
// the unit is a device on the bus, the handler's call may return AES_ERR_BUSY instead.
//
// A handler that calls a kernel saves the unit's state first and restores it afterwards; so does a
// context switch. For a unit without state the two functions do nothing (sw/hal/unit_state.c,
// weak). Keys are never part of a saved state. Threads that preempt each other inside a call need a
// lock around every call of a device and around key set-up.
typedef struct {
  uint32_t word[AES_UNIT_STATE_WORDS];
} aes_unit_state_t;

void aes_unit_save(aes_unit_state_t *state);
void aes_unit_restore(const aes_unit_state_t *state);

#endif
