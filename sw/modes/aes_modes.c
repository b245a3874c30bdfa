// SPDX-License-Identifier: Apache-2.0
// Modes of operation over the kernel contract; contract and sources in aes_modes.h.
//
// The modes call the bulk entries of the kernel contract; the weak defaults here are for kernels
// without their own. Unaligned data and key stream go through a small aligned buffer on the stack,
// in batches large enough for kernels that interleave blocks. Aligned pointers are accessed by
// words.
#include "aes_modes.h"

#include "blocks.h"
#include "aes_forget_registers.h"

WEAK void aes_wipe(void *data, size_t n) {
  volatile uint8_t *p = (volatile uint8_t *)data;
  while (n != 0u && ((uintptr_t)p & 3u) != 0u) {
    *p++ = 0;
    n--;
  }
  volatile uint32_t *words = (volatile uint32_t *)(uintptr_t)p;
  for (; n >= 16u; n -= 16u, words += 4) {
    words[0] = 0;
    words[1] = 0;
    words[2] = 0;
    words[3] = 0;
  }
  for (; n >= 4u; n -= 4u) {
    *words++ = 0;
  }
  p = (volatile uint8_t *)words;
  while (n-- != 0u) {
    *p++ = 0;
  }
  forget_registers();
}

WEAK void aes_clear_key(aes_key_t *k) {
  aes_wipe(k, sizeof *k);
}

typedef int (*blocks_fn)(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);

// Return from a call that failed: wipe the output.
static __attribute__((noinline)) int fail(uint8_t *out, size_t nbytes, int status) {
  aes_wipe(out, nbytes);
  return status;
}

static int any_alignment(blocks_fn blocks, const aes_key_t *k, const uint8_t *in, uint8_t *out,
                         size_t nblocks) {
  if (k->rounds == 0u) {
    return fail(out, nblocks * AES_BLOCK_BYTES, AES_ERR_KEY);
  }
  if (nblocks == 0u) {
    return AES_OK;  // pointers may be NULL, which allows no arithmetic
  }
  if (aligned(in, out)) {
    int result = blocks(k, in, out, nblocks);
    forget_registers();
    return result;
  }
  batch_t batch;
  uint8_t *bytes = (uint8_t *)batch.word;
  int status = AES_OK;
  size_t done = 0;
  while (done < nblocks && status == AES_OK) {
    size_t n = least(nblocks - done, BATCH_BLOCKS);
    copy(bytes, in, n * AES_BLOCK_BYTES);
    status = blocks(k, bytes, bytes, n);
    copy(out, bytes, n * AES_BLOCK_BYTES);
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    done += n;
  }
  aes_wipe(&batch, sizeof batch);
  return status == AES_OK ? AES_OK
                          : fail(out - done * AES_BLOCK_BYTES, nblocks * AES_BLOCK_BYTES, status);
}

WEAK int aes_ecb_encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return any_alignment(aes_encrypt_blocks, k, in, out, nblocks);
}

WEAK int aes_ecb_decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  return any_alignment(aes_decrypt_blocks, k, in, out, nblocks);
}

// Bulk entries ------------------------------------------------------------------------------------

// The chaining value is the newest ciphertext block in `out` itself: only the last one is copied.
WEAK int aes_cbc_encrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in,
                                uint8_t *out, size_t nblocks) {
  const any_word_t *last = chain;
  uint8_t *to = out;
  for (size_t left = nblocks; left != 0u; left--) {
    combine_block((any_word_t *)(void *)to, last, (const any_word_t *)(const void *)in);
    int status = aes_encrypt_blocks(k, to, to, 1);
    if (status != AES_OK) {
      return fail(out, nblocks * AES_BLOCK_BYTES, status);
    }
    last = (const any_word_t *)(const void *)to;
    in += AES_BLOCK_BYTES;
    to += AES_BLOCK_BYTES;
  }
  move_block(chain, last);
  return AES_OK;
}

// In-place decryption must not overwrite ciphertext that is still a chaining value: the batch holds
// the deciphered blocks, and the XOR runs from the last block to the first.
WEAK int aes_cbc_decrypt_blocks(const aes_key_t *k, uint32_t chain[4], const uint8_t *in,
                                uint8_t *out, size_t nblocks) {
  batch_t batch;
  uint32_t next[BLOCK_WORDS];
  size_t used = least(nblocks, BATCH_BLOCKS) * AES_BLOCK_BYTES;
  int status = AES_OK;
  size_t done = 0;
  while (done < nblocks) {
    size_t n = least(nblocks - done, BATCH_BLOCKS);
    const any_word_t *from = (const any_word_t *)(const void *)in;
    any_word_t *to = (any_word_t *)(void *)out;
    status = aes_decrypt_blocks(k, in, (uint8_t *)batch.word, n);
    if (status != AES_OK) {
      break;
    }
    size_t at = (n - 1u) * BLOCK_WORDS;
    move_block(next, from + at);
    for (; at != 0u; at -= BLOCK_WORDS) {
      combine_block(to + at, &batch.word[at], from + at - BLOCK_WORDS);
    }
    combine_block(to, batch.word, chain);
    move_block(chain, next);
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    done += n;
  }
  aes_wipe(&batch, used);
  return status == AES_OK ? AES_OK
                          : fail(out - done * AES_BLOCK_BYTES, nblocks * AES_BLOCK_BYTES, status);
}

WEAK int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                        size_t nblocks) {
  batch_t batch;
  size_t used = least(nblocks, BATCH_BLOCKS) * AES_BLOCK_BYTES;
  any_word_t *const block_0 = counter;
  const uint32_t head[3] = {block_0[0], block_0[1], block_0[2]};
  uint32_t low = swap(block_0[3]);
  int status = AES_OK;
  size_t done = 0;
  while (done < nblocks) {
    size_t n = least(nblocks - done, BATCH_BLOCKS);
    for (size_t i = 0; i < n; i++) {
      uint32_t *block = &batch.word[i * BLOCK_WORDS];
      block[0] = head[0];
      block[1] = head[1];
      block[2] = head[2];
      block[3] = swap(low + (uint32_t)i);
    }
    status = aes_encrypt_blocks(k, (const uint8_t *)batch.word, (uint8_t *)batch.word, n);
    if (status != AES_OK) {
      break;
    }
    combine(out, in, batch.word, n * AES_BLOCK_BYTES);
    low += (uint32_t)n;
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    done += n;
  }
  block_0[3] = swap(low);
  aes_wipe(&batch, used);
  return status == AES_OK ? AES_OK
                          : fail(out - done * AES_BLOCK_BYTES, nblocks * AES_BLOCK_BYTES, status);
}

// CBC ---------------------------------------------------------------------------------------------

typedef int (*chain_fn)(const aes_key_t *k, uint32_t chain[4], const uint8_t *in, uint8_t *out,
                        size_t nblocks);

// The same for buffers of any alignment, and for calls without blocks or key.
static __attribute__((noinline)) int chain_any(chain_fn blocks, const aes_key_t *k, uint8_t *iv,
                                               const uint8_t *in, uint8_t *out, size_t nblocks) {
  batch_t batch;
  uint32_t chain[BLOCK_WORDS];
  size_t used = least(nblocks, BATCH_BLOCKS) * AES_BLOCK_BYTES;
  uint8_t *bytes = (uint8_t *)batch.word;
  int status = k->rounds == 0u ? AES_ERR_KEY : AES_OK;
  size_t done = 0;
  if (nblocks == 0u) {
    return status;  // pointers may be NULL, which allows no arithmetic
  }
  copy(chain, iv, sizeof chain);
  while (done < nblocks && status == AES_OK) {
    size_t n = least(nblocks - done, BATCH_BLOCKS);
    copy(bytes, in, n * AES_BLOCK_BYTES);
    status = blocks(k, chain, bytes, bytes, n);
    copy(out, bytes, n * AES_BLOCK_BYTES);
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    done += n;
  }
  aes_wipe(&batch, used);
  if (status != AES_OK) {
    return fail(out - done * AES_BLOCK_BYTES, nblocks * AES_BLOCK_BYTES, status);
  }
  copy(iv, chain, sizeof chain);
  return AES_OK;
}

// The words of an aligned block; whoever uses them reads and writes words that may alias bytes.
static uint32_t *words_of(uint8_t *block) {
  return (uint32_t *)(void *)block;
}

WEAK int aes_cbc_encrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                         size_t nblocks) {
  if (!aligned(in, out) || !aligned(iv, iv) || nblocks == 0u || k->rounds == 0u) {
    return chain_any(aes_cbc_encrypt_blocks, k, iv, in, out, nblocks);
  }
  int status = aes_cbc_encrypt_blocks(k, words_of(iv), in, out, nblocks);
  forget_registers();
  return status;
}

WEAK int aes_cbc_decrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                         size_t nblocks) {
  if (!aligned(in, out) || !aligned(iv, iv) || nblocks == 0u || k->rounds == 0u) {
    return chain_any(aes_cbc_decrypt_blocks, k, iv, in, out, nblocks);
  }
  int status = aes_cbc_decrypt_blocks(k, words_of(iv), in, out, nblocks);
  forget_registers();
  return status;
}

// CTR ---------------------------------------------------------------------------------------------

// Unaligned data and a last, incomplete block: key stream, which CTR makes of zeros, then bytes.
static __attribute__((noinline)) int ctr_bytes(const aes_key_t *k, uint32_t counter[4],
                                               const uint8_t *in, uint8_t *out, size_t nbytes) {
  batch_t batch;
  uint8_t *bytes = (uint8_t *)batch.word;
  size_t used = nbytes < sizeof batch ? (nbytes + 15u) & ~(size_t)15u : sizeof batch;
  int status = AES_OK;
  while (nbytes != 0u && status == AES_OK) {
    size_t now = least(nbytes, sizeof batch);
    size_t n = (now + 15u) / AES_BLOCK_BYTES;
    for (size_t i = 0; i < n * BLOCK_WORDS; i++) {
      batch.word[i] = 0;
    }
    status = aes_ctr_blocks(k, counter, bytes, bytes, n);
    if (status == AES_OK) {
      combine(out, in, bytes, now);
    }
    in += now;
    out += now;
    nbytes -= now;
  }
  aes_wipe(&batch, used);
  return status;
}

// One more in the 96-bit big-endian number before the low word.
static __attribute__((noinline)) void carry(uint32_t *block) {
  any_word_t *counter = block;
  for (unsigned i = 3; i-- != 0u;) {
    counter[i] = swap(swap(counter[i]) + 1u);
    if (counter[i] != 0u) {
      break;
    }
  }
}

// The bulk entry counts modulo 2^32; this counts the blocks up to there. The counter is public;
// only its carry decides a branch.
static __attribute__((noinline)) int ctr_any(const aes_key_t *k, uint8_t *counter,
                                             const uint8_t *in, uint8_t *out, size_t nbytes) {
  uint32_t block[BLOCK_WORDS];
  size_t left = nbytes;
  int status = k->rounds == 0u ? AES_ERR_KEY : AES_OK;
  if (nbytes == 0u) {
    return status;  // pointers may be NULL, which allows no arithmetic
  }
  copy(block, counter, sizeof block);
  while (left != 0u && status == AES_OK) {
    const uint32_t rest = ~swap(block[3]);  // blocks after this one, without overflow
    size_t bytes = left;
    if (exceeds((left - 1u) / AES_BLOCK_BYTES, rest)) {
      bytes = ((size_t)rest + 1u) * AES_BLOCK_BYTES;
    }
    size_t whole = aligned(in, out) ? bytes / AES_BLOCK_BYTES : 0u;
    if (whole != 0u) {
      bytes = whole * AES_BLOCK_BYTES;
      status = aes_ctr_blocks(k, block, in, out, whole);
    } else {
      status = ctr_bytes(k, block, in, out, bytes);
    }
    if (block[3] == 0u) {
      carry(block);
    }
    in += bytes;
    out += bytes;
    left -= bytes;
  }
  if (status != AES_OK) {
    return fail(out - (nbytes - left), nbytes, status);
  }
  copy(counter, block, sizeof block);
  forget_registers();
  return AES_OK;
}

// Short and aligned calls must not pay for the others.
WEAK int aes_ctr(const aes_key_t *k, uint8_t *counter, const uint8_t *in, uint8_t *out,
                 size_t nbytes) {
  size_t nblocks = nbytes / AES_BLOCK_BYTES;
  any_word_t *block = words_of(counter);
  if (!aligned(in, out) || !aligned(counter, counter) || nbytes % AES_BLOCK_BYTES != 0u ||
      nblocks == 0u || k->rounds == 0u || exceeds(nblocks, ~swap(block[3]))) {
    return ctr_any(k, counter, in, out, nbytes);
  }
  int status = aes_ctr_blocks(k, words_of(counter), in, out, nblocks);
  forget_registers();
  return status;
}
