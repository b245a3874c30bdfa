// SPDX-License-Identifier: Apache-2.0
// Generated from aes_masked.rdl by PeakRDL.
//  https://github.com/SystemRDL/PeakRDL-cheader

#ifndef AES_MASKED_REGS_H
#define AES_MASKED_REGS_H

#ifdef __cplusplus
extern "C" {
#endif
#include <stdint.h>

// reg - aes_masked::ID
#define AES_MASKED__ID__VALUE_bm 0xffffffff
#define AES_MASKED__ID__VALUE_bp 0
#define AES_MASKED__ID__VALUE_bw 32
#define AES_MASKED__ID__VALUE_reset 0x41454d01

// reg - aes_masked::CAPS
#define AES_MASKED__CAPS__SIDELOAD_bm 0x1
#define AES_MASKED__CAPS__SIDELOAD_bp 0
#define AES_MASKED__CAPS__SIDELOAD_bw 1

// reg - aes_masked::CTRL
#define AES_MASKED__CTRL__KEY_LEN_bm 0x3
#define AES_MASKED__CTRL__KEY_LEN_bp 0
#define AES_MASKED__CTRL__KEY_LEN_bw 2
#define AES_MASKED__CTRL__KEY_LEN_reset 0x0
#define AES_MASKED__CTRL__MODE_bm 0x30
#define AES_MASKED__CTRL__MODE_bp 4
#define AES_MASKED__CTRL__MODE_bw 2
#define AES_MASKED__CTRL__MODE_reset 0x0
#define AES_MASKED__CTRL__PAIR_bm 0x100
#define AES_MASKED__CTRL__PAIR_bp 8
#define AES_MASKED__CTRL__PAIR_bw 1
#define AES_MASKED__CTRL__PAIR_reset 0x0

// reg - aes_masked::TRIGGER
#define AES_MASKED__TRIGGER__WIPE_bm 0x1
#define AES_MASKED__TRIGGER__WIPE_bp 0
#define AES_MASKED__TRIGGER__WIPE_bw 1
#define AES_MASKED__TRIGGER__WIPE_reset 0x0
#define AES_MASKED__TRIGGER__SIDELOAD_bm 0x2
#define AES_MASKED__TRIGGER__SIDELOAD_bp 1
#define AES_MASKED__TRIGGER__SIDELOAD_bw 1
#define AES_MASKED__TRIGGER__SIDELOAD_reset 0x0

// reg - aes_masked::STATUS
#define AES_MASKED__STATUS__IDLE_bm 0x1
#define AES_MASKED__STATUS__IDLE_bp 0
#define AES_MASKED__STATUS__IDLE_bw 1
#define AES_MASKED__STATUS__SEEDED_bm 0x2
#define AES_MASKED__STATUS__SEEDED_bp 1
#define AES_MASKED__STATUS__SEEDED_bw 1
#define AES_MASKED__STATUS__WIPING_bm 0x4
#define AES_MASKED__STATUS__WIPING_bp 2
#define AES_MASKED__STATUS__WIPING_bw 1
#define AES_MASKED__STATUS__KEY_VALID_bm 0x8
#define AES_MASKED__STATUS__KEY_VALID_bp 3
#define AES_MASKED__STATUS__KEY_VALID_bw 1
#define AES_MASKED__STATUS__INPUT_READY_bm 0x10
#define AES_MASKED__STATUS__INPUT_READY_bp 4
#define AES_MASKED__STATUS__INPUT_READY_bw 1
#define AES_MASKED__STATUS__OUTPUT_VALID_bm 0x20
#define AES_MASKED__STATUS__OUTPUT_VALID_bp 5
#define AES_MASKED__STATUS__OUTPUT_VALID_bw 1
#define AES_MASKED__STATUS__ERROR_bm 0x40
#define AES_MASKED__STATUS__ERROR_bp 6
#define AES_MASKED__STATUS__ERROR_bw 1

// reg - aes_masked::ERROR
#define AES_MASKED__ERROR__ACCESS_bm 0x1
#define AES_MASKED__ERROR__ACCESS_bp 0
#define AES_MASKED__ERROR__ACCESS_bw 1
#define AES_MASKED__ERROR__ACCESS_reset 0x0
#define AES_MASKED__ERROR__KEY_bm 0x2
#define AES_MASKED__ERROR__KEY_bp 1
#define AES_MASKED__ERROR__KEY_bw 1
#define AES_MASKED__ERROR__KEY_reset 0x0
#define AES_MASKED__ERROR__UNSEEDED_bm 0x4
#define AES_MASKED__ERROR__UNSEEDED_bp 2
#define AES_MASKED__ERROR__UNSEEDED_bw 1
#define AES_MASKED__ERROR__UNSEEDED_reset 0x0

// reg - aes_masked::INTR_ENABLE
#define AES_MASKED__INTR_ENABLE__OUTPUT_bm 0x1
#define AES_MASKED__INTR_ENABLE__OUTPUT_bp 0
#define AES_MASKED__INTR_ENABLE__OUTPUT_bw 1
#define AES_MASKED__INTR_ENABLE__OUTPUT_reset 0x0
#define AES_MASKED__INTR_ENABLE__ERROR_bm 0x2
#define AES_MASKED__INTR_ENABLE__ERROR_bp 1
#define AES_MASKED__INTR_ENABLE__ERROR_bw 1
#define AES_MASKED__INTR_ENABLE__ERROR_reset 0x0

// reg - aes_masked::seed_word
#define AES_MASKED__SEED_WORD__WORD_bm 0xffffffff
#define AES_MASKED__SEED_WORD__WORD_bp 0
#define AES_MASKED__SEED_WORD__WORD_bw 32
#define AES_MASKED__SEED_WORD__WORD_reset 0x0

// reg - aes_masked::key_share
#define AES_MASKED__KEY_SHARE__WORD_bm 0xffffffff
#define AES_MASKED__KEY_SHARE__WORD_bp 0
#define AES_MASKED__KEY_SHARE__WORD_bw 32
#define AES_MASKED__KEY_SHARE__WORD_reset 0x0

// reg - aes_masked::data_in
#define AES_MASKED__DATA_IN__WORD_bm 0xffffffff
#define AES_MASKED__DATA_IN__WORD_bp 0
#define AES_MASKED__DATA_IN__WORD_bw 32
#define AES_MASKED__DATA_IN__WORD_reset 0x0

// reg - aes_masked::data_out
#define AES_MASKED__DATA_OUT__WORD_bm 0xffffffff
#define AES_MASKED__DATA_OUT__WORD_bp 0
#define AES_MASKED__DATA_OUT__WORD_bw 32

// reg - aes_masked::iv
#define AES_MASKED__IV__WORD_bm 0xffffffff
#define AES_MASKED__IV__WORD_bp 0
#define AES_MASKED__IV__WORD_bw 32
#define AES_MASKED__IV__WORD_reset 0x0

// addrmap - aes_masked
typedef struct __attribute__ ((__packed__)) {
    uint32_t ID;
    uint32_t CAPS;
    uint32_t CTRL;
    uint32_t TRIGGER;
    uint32_t STATUS;
    uint32_t ERROR;
    uint32_t INTR_ENABLE;
    uint8_t RESERVED_1c_1f[0x4];
    uint32_t SEED[5];
    uint8_t RESERVED_34_3f[0xc];
    uint32_t KEY0[8];
    uint32_t KEY1[8];
    uint32_t DATA_IN[4];
    uint32_t DATA_OUT[4];
    uint32_t IV[4];
} aes_masked_t;

#ifdef __cplusplus
}
#endif

#endif /* AES_MASKED_REGS_H */
