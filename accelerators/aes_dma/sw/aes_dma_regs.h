// SPDX-License-Identifier: Apache-2.0
// Generated from aes_dma.rdl by PeakRDL.
//  https://github.com/SystemRDL/PeakRDL-cheader

#ifndef AES_DMA_REGS_H
#define AES_DMA_REGS_H

#ifdef __cplusplus
extern "C" {
#endif
#include <stdint.h>

// reg - aes_dma::ID
#define AES_DMA__ID__VALUE_bm 0xffffffff
#define AES_DMA__ID__VALUE_bp 0
#define AES_DMA__ID__VALUE_bw 32
#define AES_DMA__ID__VALUE_reset 0x41454401

// reg - aes_dma::CAPS
#define AES_DMA__CAPS__KEY192_bm 0x1
#define AES_DMA__CAPS__KEY192_bp 0
#define AES_DMA__CAPS__KEY192_bw 1
#define AES_DMA__CAPS__KEY256_bm 0x2
#define AES_DMA__CAPS__KEY256_bp 1
#define AES_DMA__CAPS__KEY256_bw 1
#define AES_DMA__CAPS__ENC_bm 0x4
#define AES_DMA__CAPS__ENC_bp 2
#define AES_DMA__CAPS__ENC_bw 1
#define AES_DMA__CAPS__DEC_bm 0x8
#define AES_DMA__CAPS__DEC_bp 3
#define AES_DMA__CAPS__DEC_bw 1
#define AES_DMA__CAPS__GCM_bm 0x10
#define AES_DMA__CAPS__GCM_bp 4
#define AES_DMA__CAPS__GCM_bw 1
#define AES_DMA__CAPS__ROUNDS_bm 0x300
#define AES_DMA__CAPS__ROUNDS_bp 8
#define AES_DMA__CAPS__ROUNDS_bw 2
#define AES_DMA__CAPS__WINDOW_bm 0xffff0000
#define AES_DMA__CAPS__WINDOW_bp 16
#define AES_DMA__CAPS__WINDOW_bw 16

// reg - aes_dma::CTRL
#define AES_DMA__CTRL__KEY_LEN_bm 0x3
#define AES_DMA__CTRL__KEY_LEN_bp 0
#define AES_DMA__CTRL__KEY_LEN_bw 2
#define AES_DMA__CTRL__KEY_LEN_reset 0x0
#define AES_DMA__CTRL__MODE_bm 0x30
#define AES_DMA__CTRL__MODE_bp 4
#define AES_DMA__CTRL__MODE_bw 2
#define AES_DMA__CTRL__MODE_reset 0x0
#define AES_DMA__CTRL__DECRYPT_bm 0x100
#define AES_DMA__CTRL__DECRYPT_bp 8
#define AES_DMA__CTRL__DECRYPT_bw 1
#define AES_DMA__CTRL__DECRYPT_reset 0x0
#define AES_DMA__CTRL__PART_bm 0x3000
#define AES_DMA__CTRL__PART_bp 12
#define AES_DMA__CTRL__PART_bw 2
#define AES_DMA__CTRL__PART_reset 0x0
#define AES_DMA__CTRL__TAG_BYTES_bm 0xf0000
#define AES_DMA__CTRL__TAG_BYTES_bp 16
#define AES_DMA__CTRL__TAG_BYTES_bw 4
#define AES_DMA__CTRL__TAG_BYTES_reset 0x0

// reg - aes_dma::TRIGGER
#define AES_DMA__TRIGGER__KEY_bm 0x1
#define AES_DMA__TRIGGER__KEY_bp 0
#define AES_DMA__TRIGGER__KEY_bw 1
#define AES_DMA__TRIGGER__KEY_reset 0x0
#define AES_DMA__TRIGGER__START_bm 0x2
#define AES_DMA__TRIGGER__START_bp 1
#define AES_DMA__TRIGGER__START_bw 1
#define AES_DMA__TRIGGER__START_reset 0x0
#define AES_DMA__TRIGGER__ABORT_bm 0x4
#define AES_DMA__TRIGGER__ABORT_bp 2
#define AES_DMA__TRIGGER__ABORT_bw 1
#define AES_DMA__TRIGGER__ABORT_reset 0x0
#define AES_DMA__TRIGGER__WIPE_bm 0x8
#define AES_DMA__TRIGGER__WIPE_bp 3
#define AES_DMA__TRIGGER__WIPE_bw 1
#define AES_DMA__TRIGGER__WIPE_reset 0x0
#define AES_DMA__TRIGGER__RING_bm 0x10
#define AES_DMA__TRIGGER__RING_bp 4
#define AES_DMA__TRIGGER__RING_bw 1
#define AES_DMA__TRIGGER__RING_reset 0x0
#define AES_DMA__TRIGGER__BEGIN_bm 0x20
#define AES_DMA__TRIGGER__BEGIN_bp 5
#define AES_DMA__TRIGGER__BEGIN_bw 1
#define AES_DMA__TRIGGER__BEGIN_reset 0x0
#define AES_DMA__TRIGGER__IV_HASH_bm 0x40
#define AES_DMA__TRIGGER__IV_HASH_bp 6
#define AES_DMA__TRIGGER__IV_HASH_bw 1
#define AES_DMA__TRIGGER__IV_HASH_reset 0x0
#define AES_DMA__TRIGGER__TAG_bm 0x80
#define AES_DMA__TRIGGER__TAG_bp 7
#define AES_DMA__TRIGGER__TAG_bw 1
#define AES_DMA__TRIGGER__TAG_reset 0x0

// reg - aes_dma::STATUS
#define AES_DMA__STATUS__IDLE_bm 0x1
#define AES_DMA__STATUS__IDLE_bp 0
#define AES_DMA__STATUS__IDLE_bw 1
#define AES_DMA__STATUS__KEY_VALID_bm 0x2
#define AES_DMA__STATUS__KEY_VALID_bp 1
#define AES_DMA__STATUS__KEY_VALID_bw 1
#define AES_DMA__STATUS__WIPING_bm 0x4
#define AES_DMA__STATUS__WIPING_bp 2
#define AES_DMA__STATUS__WIPING_bw 1
#define AES_DMA__STATUS__ERROR_bm 0x8
#define AES_DMA__STATUS__ERROR_bp 3
#define AES_DMA__STATUS__ERROR_bw 1
#define AES_DMA__STATUS__ACTIVE_bm 0x10
#define AES_DMA__STATUS__ACTIVE_bp 4
#define AES_DMA__STATUS__ACTIVE_bw 1
#define AES_DMA__STATUS__RING_bm 0x20
#define AES_DMA__STATUS__RING_bp 5
#define AES_DMA__STATUS__RING_bw 1
#define AES_DMA__STATUS__GCM_OPEN_bm 0x40
#define AES_DMA__STATUS__GCM_OPEN_bp 6
#define AES_DMA__STATUS__GCM_OPEN_bw 1
#define AES_DMA__STATUS__TAG_VALID_bm 0x80
#define AES_DMA__STATUS__TAG_VALID_bp 7
#define AES_DMA__STATUS__TAG_VALID_bw 1
#define AES_DMA__STATUS__TAG_EQUAL_bm 0x100
#define AES_DMA__STATUS__TAG_EQUAL_bp 8
#define AES_DMA__STATUS__TAG_EQUAL_bw 1

// reg - aes_dma::ERROR
#define AES_DMA__ERROR__ACCESS_bm 0x1
#define AES_DMA__ERROR__ACCESS_bp 0
#define AES_DMA__ERROR__ACCESS_bw 1
#define AES_DMA__ERROR__ACCESS_reset 0x0
#define AES_DMA__ERROR__KEY_bm 0x2
#define AES_DMA__ERROR__KEY_bp 1
#define AES_DMA__ERROR__KEY_bw 1
#define AES_DMA__ERROR__KEY_reset 0x0
#define AES_DMA__ERROR__JOB_bm 0x4
#define AES_DMA__ERROR__JOB_bp 2
#define AES_DMA__ERROR__JOB_bw 1
#define AES_DMA__ERROR__JOB_reset 0x0
#define AES_DMA__ERROR__READ_bm 0x8
#define AES_DMA__ERROR__READ_bp 3
#define AES_DMA__ERROR__READ_bw 1
#define AES_DMA__ERROR__READ_reset 0x0
#define AES_DMA__ERROR__WRITE_bm 0x10
#define AES_DMA__ERROR__WRITE_bp 4
#define AES_DMA__ERROR__WRITE_bw 1
#define AES_DMA__ERROR__WRITE_reset 0x0
#define AES_DMA__ERROR__ABORTED_bm 0x20
#define AES_DMA__ERROR__ABORTED_bp 5
#define AES_DMA__ERROR__ABORTED_bw 1
#define AES_DMA__ERROR__ABORTED_reset 0x0

// reg - aes_dma::INTR_STATE
#define AES_DMA__INTR_STATE__DONE_bm 0x1
#define AES_DMA__INTR_STATE__DONE_bp 0
#define AES_DMA__INTR_STATE__DONE_bw 1
#define AES_DMA__INTR_STATE__DONE_reset 0x0
#define AES_DMA__INTR_STATE__KEY_DONE_bm 0x2
#define AES_DMA__INTR_STATE__KEY_DONE_bp 1
#define AES_DMA__INTR_STATE__KEY_DONE_bw 1
#define AES_DMA__INTR_STATE__KEY_DONE_reset 0x0
#define AES_DMA__INTR_STATE__ERROR_bm 0x4
#define AES_DMA__INTR_STATE__ERROR_bp 2
#define AES_DMA__INTR_STATE__ERROR_bw 1
#define AES_DMA__INTR_STATE__ERROR_reset 0x0
#define AES_DMA__INTR_STATE__EMPTY_bm 0x8
#define AES_DMA__INTR_STATE__EMPTY_bp 3
#define AES_DMA__INTR_STATE__EMPTY_bw 1
#define AES_DMA__INTR_STATE__EMPTY_reset 0x0

// reg - aes_dma::INTR_ENABLE
#define AES_DMA__INTR_ENABLE__DONE_bm 0x1
#define AES_DMA__INTR_ENABLE__DONE_bp 0
#define AES_DMA__INTR_ENABLE__DONE_bw 1
#define AES_DMA__INTR_ENABLE__DONE_reset 0x0
#define AES_DMA__INTR_ENABLE__KEY_DONE_bm 0x2
#define AES_DMA__INTR_ENABLE__KEY_DONE_bp 1
#define AES_DMA__INTR_ENABLE__KEY_DONE_bw 1
#define AES_DMA__INTR_ENABLE__KEY_DONE_reset 0x0
#define AES_DMA__INTR_ENABLE__ERROR_bm 0x4
#define AES_DMA__INTR_ENABLE__ERROR_bp 2
#define AES_DMA__INTR_ENABLE__ERROR_bw 1
#define AES_DMA__INTR_ENABLE__ERROR_reset 0x0
#define AES_DMA__INTR_ENABLE__EMPTY_bm 0x8
#define AES_DMA__INTR_ENABLE__EMPTY_bp 3
#define AES_DMA__INTR_ENABLE__EMPTY_bw 1
#define AES_DMA__INTR_ENABLE__EMPTY_reset 0x0

// reg - aes_dma::INTR_TEST
#define AES_DMA__INTR_TEST__DONE_bm 0x1
#define AES_DMA__INTR_TEST__DONE_bp 0
#define AES_DMA__INTR_TEST__DONE_bw 1
#define AES_DMA__INTR_TEST__DONE_reset 0x0
#define AES_DMA__INTR_TEST__KEY_DONE_bm 0x2
#define AES_DMA__INTR_TEST__KEY_DONE_bp 1
#define AES_DMA__INTR_TEST__KEY_DONE_bw 1
#define AES_DMA__INTR_TEST__KEY_DONE_reset 0x0
#define AES_DMA__INTR_TEST__ERROR_bm 0x4
#define AES_DMA__INTR_TEST__ERROR_bp 2
#define AES_DMA__INTR_TEST__ERROR_bw 1
#define AES_DMA__INTR_TEST__ERROR_reset 0x0
#define AES_DMA__INTR_TEST__EMPTY_bm 0x8
#define AES_DMA__INTR_TEST__EMPTY_bp 3
#define AES_DMA__INTR_TEST__EMPTY_bw 1
#define AES_DMA__INTR_TEST__EMPTY_reset 0x0

// reg - aes_dma::job_word
#define AES_DMA__JOB_WORD__VALUE_bm 0xffffffff
#define AES_DMA__JOB_WORD__VALUE_bp 0
#define AES_DMA__JOB_WORD__VALUE_bw 32
#define AES_DMA__JOB_WORD__VALUE_reset 0x0

// reg - aes_dma::FRONT
#define AES_DMA__FRONT__BLOCKS_bm 0xfffffff
#define AES_DMA__FRONT__BLOCKS_bp 0
#define AES_DMA__FRONT__BLOCKS_bw 28

// reg - aes_dma::FAULT
#define AES_DMA__FAULT__ADDRESS_bm 0xffffffff
#define AES_DMA__FAULT__ADDRESS_bp 0
#define AES_DMA__FAULT__ADDRESS_bw 32

// reg - aes_dma::WAITED
#define AES_DMA__WAITED__CYCLES_bm 0xffffffff
#define AES_DMA__WAITED__CYCLES_bp 0
#define AES_DMA__WAITED__CYCLES_bw 32

// reg - aes_dma::key_word
#define AES_DMA__KEY_WORD__WORD_bm 0xffffffff
#define AES_DMA__KEY_WORD__WORD_bp 0
#define AES_DMA__KEY_WORD__WORD_bw 32
#define AES_DMA__KEY_WORD__WORD_reset 0x0

// reg - aes_dma::iv
#define AES_DMA__IV__WORD_bm 0xffffffff
#define AES_DMA__IV__WORD_bp 0
#define AES_DMA__IV__WORD_bw 32
#define AES_DMA__IV__WORD_reset 0x0

// reg - aes_dma::RING_BASE
#define AES_DMA__RING_BASE__BASE_bm 0xffffffe0
#define AES_DMA__RING_BASE__BASE_bp 5
#define AES_DMA__RING_BASE__BASE_bw 27
#define AES_DMA__RING_BASE__BASE_reset 0x0

// reg - aes_dma::RING_AT
#define AES_DMA__RING_AT__AT_bm 0xffffffe0
#define AES_DMA__RING_AT__AT_bp 5
#define AES_DMA__RING_AT__AT_bw 27

// reg - aes_dma::tag
#define AES_DMA__TAG__WORD_bm 0xffffffff
#define AES_DMA__TAG__WORD_bp 0
#define AES_DMA__TAG__WORD_bw 32
#define AES_DMA__TAG__WORD_reset 0x0

// reg - aes_dma::done_bits
#define AES_DMA__DONE_BITS__BITS_bm 0xffffffff
#define AES_DMA__DONE_BITS__BITS_bp 0
#define AES_DMA__DONE_BITS__BITS_bw 32

// addrmap - aes_dma
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
    uint32_t SRC;
    uint32_t DST;
    uint32_t LENGTH;
    uint32_t FRONT;
    uint32_t FAULT;
    uint32_t WAITED;
    uint8_t RESERVED_3c_3f[0x4];
    uint32_t KEY[8];
    uint32_t IV[4];
    uint32_t RING_BASE;
    uint32_t RING_AT;
    uint8_t RESERVED_78_7f[0x8];
    uint32_t TAG[4];
    uint8_t RESERVED_90_ff[0x70];
    uint32_t DONE[64];
} aes_dma_t;

#ifdef __cplusplus
}
#endif

#endif /* AES_DMA_REGS_H */
