// SPDX-License-Identifier: Apache-2.0
// Generated from aes_engine.rdl by PeakRDL.
//  https://github.com/SystemRDL/PeakRDL-cheader

#ifndef AES_ENGINE_REGS_H
#define AES_ENGINE_REGS_H

#ifdef __cplusplus
extern "C" {
#endif
#include <stdint.h>

// reg - aes_engine::ID
#define AES_ENGINE__ID__VALUE_bm 0xffffffff
#define AES_ENGINE__ID__VALUE_bp 0
#define AES_ENGINE__ID__VALUE_bw 32
#define AES_ENGINE__ID__VALUE_reset 0x41455301

// reg - aes_engine::CAPS
#define AES_ENGINE__CAPS__KEY192_bm 0x1
#define AES_ENGINE__CAPS__KEY192_bp 0
#define AES_ENGINE__CAPS__KEY192_bw 1
#define AES_ENGINE__CAPS__KEY256_bm 0x2
#define AES_ENGINE__CAPS__KEY256_bp 1
#define AES_ENGINE__CAPS__KEY256_bw 1
#define AES_ENGINE__CAPS__ENC_bm 0x4
#define AES_ENGINE__CAPS__ENC_bp 2
#define AES_ENGINE__CAPS__ENC_bw 1
#define AES_ENGINE__CAPS__DEC_bm 0x8
#define AES_ENGINE__CAPS__DEC_bp 3
#define AES_ENGINE__CAPS__DEC_bw 1
#define AES_ENGINE__CAPS__PARALLEL_bm 0x10
#define AES_ENGINE__CAPS__PARALLEL_bp 4
#define AES_ENGINE__CAPS__PARALLEL_bw 1
#define AES_ENGINE__CAPS__GCM_bm 0x20
#define AES_ENGINE__CAPS__GCM_bp 5
#define AES_ENGINE__CAPS__GCM_bw 1
#define AES_ENGINE__CAPS__ROUNDS_bm 0x300
#define AES_ENGINE__CAPS__ROUNDS_bp 8
#define AES_ENGINE__CAPS__ROUNDS_bw 2
#define AES_ENGINE__CAPS__WIDTH_bm 0x7000
#define AES_ENGINE__CAPS__WIDTH_bp 12
#define AES_ENGINE__CAPS__WIDTH_bw 3

// reg - aes_engine::CTRL
#define AES_ENGINE__CTRL__KEY_LEN_bm 0x3
#define AES_ENGINE__CTRL__KEY_LEN_bp 0
#define AES_ENGINE__CTRL__KEY_LEN_bw 2
#define AES_ENGINE__CTRL__KEY_LEN_reset 0x0
#define AES_ENGINE__CTRL__BIG_ENDIAN_bm 0x4
#define AES_ENGINE__CTRL__BIG_ENDIAN_bp 2
#define AES_ENGINE__CTRL__BIG_ENDIAN_bw 1
#define AES_ENGINE__CTRL__BIG_ENDIAN_reset 0x0
#define AES_ENGINE__CTRL__HOLD_bm 0x8
#define AES_ENGINE__CTRL__HOLD_bp 3
#define AES_ENGINE__CTRL__HOLD_bw 1
#define AES_ENGINE__CTRL__HOLD_reset 0x0
#define AES_ENGINE__CTRL__ENC_MODE_bm 0x30
#define AES_ENGINE__CTRL__ENC_MODE_bp 4
#define AES_ENGINE__CTRL__ENC_MODE_bw 2
#define AES_ENGINE__CTRL__ENC_MODE_reset 0x0
#define AES_ENGINE__CTRL__DEC_MODE_bm 0x300
#define AES_ENGINE__CTRL__DEC_MODE_bp 8
#define AES_ENGINE__CTRL__DEC_MODE_bw 2
#define AES_ENGINE__CTRL__DEC_MODE_reset 0x0
#define AES_ENGINE__CTRL__GCM_DECRYPT_bm 0x1000
#define AES_ENGINE__CTRL__GCM_DECRYPT_bp 12
#define AES_ENGINE__CTRL__GCM_DECRYPT_bw 1
#define AES_ENGINE__CTRL__GCM_DECRYPT_reset 0x0

// reg - aes_engine::TRIGGER
#define AES_ENGINE__TRIGGER__KEY_bm 0x1
#define AES_ENGINE__TRIGGER__KEY_bp 0
#define AES_ENGINE__TRIGGER__KEY_bw 1
#define AES_ENGINE__TRIGGER__KEY_reset 0x0
#define AES_ENGINE__TRIGGER__WIPE_bm 0x2
#define AES_ENGINE__TRIGGER__WIPE_bp 1
#define AES_ENGINE__TRIGGER__WIPE_bw 1
#define AES_ENGINE__TRIGGER__WIPE_reset 0x0
#define AES_ENGINE__TRIGGER__START_bm 0x4
#define AES_ENGINE__TRIGGER__START_bp 2
#define AES_ENGINE__TRIGGER__START_bw 1
#define AES_ENGINE__TRIGGER__START_reset 0x0
#define AES_ENGINE__TRIGGER__IV_HASH_bm 0x8
#define AES_ENGINE__TRIGGER__IV_HASH_bp 3
#define AES_ENGINE__TRIGGER__IV_HASH_bw 1
#define AES_ENGINE__TRIGGER__IV_HASH_reset 0x0
#define AES_ENGINE__TRIGGER__TAG_bm 0x10
#define AES_ENGINE__TRIGGER__TAG_bp 4
#define AES_ENGINE__TRIGGER__TAG_bw 1
#define AES_ENGINE__TRIGGER__TAG_reset 0x0

// reg - aes_engine::STATUS
#define AES_ENGINE__STATUS__IDLE_bm 0x1
#define AES_ENGINE__STATUS__IDLE_bp 0
#define AES_ENGINE__STATUS__IDLE_bw 1
#define AES_ENGINE__STATUS__KEY_VALID_bm 0x2
#define AES_ENGINE__STATUS__KEY_VALID_bp 1
#define AES_ENGINE__STATUS__KEY_VALID_bw 1
#define AES_ENGINE__STATUS__WIPING_bm 0x4
#define AES_ENGINE__STATUS__WIPING_bp 2
#define AES_ENGINE__STATUS__WIPING_bw 1
#define AES_ENGINE__STATUS__ERROR_bm 0x8
#define AES_ENGINE__STATUS__ERROR_bp 3
#define AES_ENGINE__STATUS__ERROR_bw 1
#define AES_ENGINE__STATUS__ENC_INPUT_READY_bm 0x10
#define AES_ENGINE__STATUS__ENC_INPUT_READY_bp 4
#define AES_ENGINE__STATUS__ENC_INPUT_READY_bw 1
#define AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bm 0x20
#define AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bp 5
#define AES_ENGINE__STATUS__ENC_OUTPUT_VALID_bw 1
#define AES_ENGINE__STATUS__DEC_INPUT_READY_bm 0x40
#define AES_ENGINE__STATUS__DEC_INPUT_READY_bp 6
#define AES_ENGINE__STATUS__DEC_INPUT_READY_bw 1
#define AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bm 0x80
#define AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bp 7
#define AES_ENGINE__STATUS__DEC_OUTPUT_VALID_bw 1
#define AES_ENGINE__STATUS__GCM_OPEN_bm 0x100
#define AES_ENGINE__STATUS__GCM_OPEN_bp 8
#define AES_ENGINE__STATUS__GCM_OPEN_bw 1
#define AES_ENGINE__STATUS__HASH_INPUT_READY_bm 0x200
#define AES_ENGINE__STATUS__HASH_INPUT_READY_bp 9
#define AES_ENGINE__STATUS__HASH_INPUT_READY_bw 1
#define AES_ENGINE__STATUS__TAG_VALID_bm 0x400
#define AES_ENGINE__STATUS__TAG_VALID_bp 10
#define AES_ENGINE__STATUS__TAG_VALID_bw 1
#define AES_ENGINE__STATUS__TAG_EQUAL_bm 0x800
#define AES_ENGINE__STATUS__TAG_EQUAL_bp 11
#define AES_ENGINE__STATUS__TAG_EQUAL_bw 1

// reg - aes_engine::ERROR
#define AES_ENGINE__ERROR__ACCESS_bm 0x1
#define AES_ENGINE__ERROR__ACCESS_bp 0
#define AES_ENGINE__ERROR__ACCESS_bw 1
#define AES_ENGINE__ERROR__ACCESS_reset 0x0
#define AES_ENGINE__ERROR__KEY_bm 0x2
#define AES_ENGINE__ERROR__KEY_bp 1
#define AES_ENGINE__ERROR__KEY_bw 1
#define AES_ENGINE__ERROR__KEY_reset 0x0

// reg - aes_engine::INTR_STATE
#define AES_ENGINE__INTR_STATE__ENC_DONE_bm 0x1
#define AES_ENGINE__INTR_STATE__ENC_DONE_bp 0
#define AES_ENGINE__INTR_STATE__ENC_DONE_bw 1
#define AES_ENGINE__INTR_STATE__ENC_DONE_reset 0x0
#define AES_ENGINE__INTR_STATE__DEC_DONE_bm 0x2
#define AES_ENGINE__INTR_STATE__DEC_DONE_bp 1
#define AES_ENGINE__INTR_STATE__DEC_DONE_bw 1
#define AES_ENGINE__INTR_STATE__DEC_DONE_reset 0x0
#define AES_ENGINE__INTR_STATE__KEY_DONE_bm 0x4
#define AES_ENGINE__INTR_STATE__KEY_DONE_bp 2
#define AES_ENGINE__INTR_STATE__KEY_DONE_bw 1
#define AES_ENGINE__INTR_STATE__KEY_DONE_reset 0x0
#define AES_ENGINE__INTR_STATE__ERROR_bm 0x8
#define AES_ENGINE__INTR_STATE__ERROR_bp 3
#define AES_ENGINE__INTR_STATE__ERROR_bw 1
#define AES_ENGINE__INTR_STATE__ERROR_reset 0x0

// reg - aes_engine::INTR_ENABLE
#define AES_ENGINE__INTR_ENABLE__ENC_DONE_bm 0x1
#define AES_ENGINE__INTR_ENABLE__ENC_DONE_bp 0
#define AES_ENGINE__INTR_ENABLE__ENC_DONE_bw 1
#define AES_ENGINE__INTR_ENABLE__ENC_DONE_reset 0x0
#define AES_ENGINE__INTR_ENABLE__DEC_DONE_bm 0x2
#define AES_ENGINE__INTR_ENABLE__DEC_DONE_bp 1
#define AES_ENGINE__INTR_ENABLE__DEC_DONE_bw 1
#define AES_ENGINE__INTR_ENABLE__DEC_DONE_reset 0x0
#define AES_ENGINE__INTR_ENABLE__KEY_DONE_bm 0x4
#define AES_ENGINE__INTR_ENABLE__KEY_DONE_bp 2
#define AES_ENGINE__INTR_ENABLE__KEY_DONE_bw 1
#define AES_ENGINE__INTR_ENABLE__KEY_DONE_reset 0x0
#define AES_ENGINE__INTR_ENABLE__ERROR_bm 0x8
#define AES_ENGINE__INTR_ENABLE__ERROR_bp 3
#define AES_ENGINE__INTR_ENABLE__ERROR_bw 1
#define AES_ENGINE__INTR_ENABLE__ERROR_reset 0x0

// reg - aes_engine::INTR_TEST
#define AES_ENGINE__INTR_TEST__ENC_DONE_bm 0x1
#define AES_ENGINE__INTR_TEST__ENC_DONE_bp 0
#define AES_ENGINE__INTR_TEST__ENC_DONE_bw 1
#define AES_ENGINE__INTR_TEST__ENC_DONE_reset 0x0
#define AES_ENGINE__INTR_TEST__DEC_DONE_bm 0x2
#define AES_ENGINE__INTR_TEST__DEC_DONE_bp 1
#define AES_ENGINE__INTR_TEST__DEC_DONE_bw 1
#define AES_ENGINE__INTR_TEST__DEC_DONE_reset 0x0
#define AES_ENGINE__INTR_TEST__KEY_DONE_bm 0x4
#define AES_ENGINE__INTR_TEST__KEY_DONE_bp 2
#define AES_ENGINE__INTR_TEST__KEY_DONE_bw 1
#define AES_ENGINE__INTR_TEST__KEY_DONE_reset 0x0
#define AES_ENGINE__INTR_TEST__ERROR_bm 0x8
#define AES_ENGINE__INTR_TEST__ERROR_bp 3
#define AES_ENGINE__INTR_TEST__ERROR_bw 1
#define AES_ENGINE__INTR_TEST__ERROR_reset 0x0

// reg - aes_engine::GCM
#define AES_ENGINE__GCM__BYTES_bm 0xf
#define AES_ENGINE__GCM__BYTES_bp 0
#define AES_ENGINE__GCM__BYTES_bw 4
#define AES_ENGINE__GCM__BYTES_reset 0x0
#define AES_ENGINE__GCM__TEXT_bm 0x10
#define AES_ENGINE__GCM__TEXT_bp 4
#define AES_ENGINE__GCM__TEXT_bw 1
#define AES_ENGINE__GCM__TEXT_reset 0x0

// reg - aes_engine::OWNER
#define AES_ENGINE__OWNER__WORD_bm 0xffffffff
#define AES_ENGINE__OWNER__WORD_bp 0
#define AES_ENGINE__OWNER__WORD_bw 32
#define AES_ENGINE__OWNER__WORD_reset 0x0

// reg - aes_engine::key_word
#define AES_ENGINE__KEY_WORD__WORD_bm 0xffffffff
#define AES_ENGINE__KEY_WORD__WORD_bp 0
#define AES_ENGINE__KEY_WORD__WORD_bw 32
#define AES_ENGINE__KEY_WORD__WORD_reset 0x0

// reg - aes_engine::data_in
#define AES_ENGINE__DATA_IN__WORD_bm 0xffffffff
#define AES_ENGINE__DATA_IN__WORD_bp 0
#define AES_ENGINE__DATA_IN__WORD_bw 32
#define AES_ENGINE__DATA_IN__WORD_reset 0x0

// reg - aes_engine::data_out
#define AES_ENGINE__DATA_OUT__WORD_bm 0xffffffff
#define AES_ENGINE__DATA_OUT__WORD_bp 0
#define AES_ENGINE__DATA_OUT__WORD_bw 32

// reg - aes_engine::iv
#define AES_ENGINE__IV__WORD_bm 0xffffffff
#define AES_ENGINE__IV__WORD_bp 0
#define AES_ENGINE__IV__WORD_bw 32
#define AES_ENGINE__IV__WORD_reset 0x0

// reg - aes_engine::hash_in
#define AES_ENGINE__HASH_IN__WORD_bm 0xffffffff
#define AES_ENGINE__HASH_IN__WORD_bp 0
#define AES_ENGINE__HASH_IN__WORD_bw 32
#define AES_ENGINE__HASH_IN__WORD_reset 0x0

// reg - aes_engine::tag
#define AES_ENGINE__TAG__WORD_bm 0xffffffff
#define AES_ENGINE__TAG__WORD_bp 0
#define AES_ENGINE__TAG__WORD_bw 32
#define AES_ENGINE__TAG__WORD_reset 0x0

// addrmap - aes_engine
typedef struct __attribute__ ((__packed__)) {
    uint32_t ID;
    uint32_t CAPS;
    uint32_t CTRL;
    uint32_t TRIGGER;
    uint32_t STATUS;
    uint32_t ERROR;
    uint32_t INTR_STATE;
    uint32_t INTR_ENABLE;
    uint32_t INTR_TEST;
    uint32_t GCM;
    uint32_t OWNER;
    uint8_t RESERVED_2c_3f[0x14];
    uint32_t KEY[8];
    uint8_t RESERVED_60_7f[0x20];
    uint32_t ENC_DATA_IN[4];
    uint32_t ENC_DATA_OUT[4];
    uint32_t ENC_IV[4];
    uint8_t RESERVED_b0_bf[0x10];
    uint32_t DEC_DATA_IN[4];
    uint32_t DEC_DATA_OUT[4];
    uint32_t DEC_IV[4];
    uint8_t RESERVED_f0_ff[0x10];
    uint32_t HASH_IN[4];
    uint32_t TAG[4];
} aes_engine_t;

#ifdef __cplusplus
}
#endif

#endif /* AES_ENGINE_REGS_H */
