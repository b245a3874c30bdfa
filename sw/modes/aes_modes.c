// SPDX-License-Identifier: Apache-2.0
// Modes of operation over the kernel contract; contract and sources in aes_modes.h.
//
// Unaligned data and key stream go through a small aligned buffer on the stack, in batches large
// enough for kernels that interleave blocks. Aligned pointers are accessed by words.
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

// Unaligned buffers go block by block through an aligned one.
static __attribute__((noinline)) int cbc_copied(const aes_key_t *k, const uint8_t *chain,
                                                const uint8_t *in, uint8_t *out, size_t nblocks) {
  uint32_t block[BLOCK_WORDS];
  int status = AES_OK;
  for (; nblocks != 0u && status == AES_OK; nblocks--) {
    combine(block, chain, in, AES_BLOCK_BYTES);
    status = aes_encrypt_blocks(k, (const uint8_t *)block, (uint8_t *)block, 1);
    copy(out, block, AES_BLOCK_BYTES);
    chain = out;
    in += AES_BLOCK_BYTES;
    out += AES_BLOCK_BYTES;
  }
  aes_wipe(block, sizeof block);
  return status;
}

// The chaining value is the newest ciphertext block in `out` itself: only the last one is copied.
WEAK int aes_cbc_encrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                         size_t nblocks) {
  if (nblocks == 0u) {
    return k->rounds == 0u ? AES_ERR_KEY : AES_OK;
  }
  uint8_t *const end = out + nblocks * AES_BLOCK_BYTES;
  int status = AES_OK;
  if (k->rounds == 0u) {
    status = AES_ERR_KEY;
  } else if (aligned(in, out) && aligned(iv, iv)) {
    const uint8_t *chain = iv;
    do {
      combine_block((any_word_t *)(void *)out, (const any_word_t *)(const void *)chain,
                    (const any_word_t *)(const void *)in);
      status = aes_encrypt_blocks(k, out, out, 1);
      chain = out;
      in += AES_BLOCK_BYTES;
      out += AES_BLOCK_BYTES;
    } while (status == AES_OK && out != end);
  } else {
    status = cbc_copied(k, iv, in, out, nblocks);
  }
  if (status != AES_OK) {
    return fail(end - nblocks * AES_BLOCK_BYTES, nblocks * AES_BLOCK_BYTES, status);
  }
  copy_any_block(iv, end - AES_BLOCK_BYTES);
  forget_registers();
  return AES_OK;
}

// In-place decryption must not overwrite ciphertext that is still a chaining value: the batch holds
// the deciphered blocks, and the XOR runs from the last block to the first.
WEAK int aes_cbc_decrypt(const aes_key_t *k, uint8_t *iv, const uint8_t *in, uint8_t *out,
                         size_t nblocks) {
  batch_t batch;
  uint32_t next[BLOCK_WORDS];
  uint8_t *plain = (uint8_t *)batch.word;
  size_t used = least(nblocks, BATCH_BLOCKS) * AES_BLOCK_BYTES;
  int status = k->rounds == 0u ? AES_ERR_KEY : AES_OK;
  size_t done = 0;
  while (done < nblocks && status == AES_OK) {
    size_t n = least(nblocks - done, BATCH_BLOCKS);
    size_t last = (n - 1u) * AES_BLOCK_BYTES;
    if (aligned(in, in)) {
      status = aes_decrypt_blocks(k, in, plain, n);
    } else {
      copy(plain, in, n * AES_BLOCK_BYTES);
      status = aes_decrypt_blocks(k, plain, plain, n);
    }
    if (status != AES_OK) {
      break;
    }
    copy_any_block(next, in + last);
    if (aligned(in, out)) {
      for (size_t at = last; at != 0u; at -= AES_BLOCK_BYTES) {
        combine_block((any_word_t *)(void *)(out + at),
                      (const any_word_t *)(const void *)(plain + at),
                      (const any_word_t *)(const void *)(in + at - AES_BLOCK_BYTES));
      }
    } else {
      for (size_t at = last; at != 0u; at -= AES_BLOCK_BYTES) {
        combine(out + at, plain + at, in + at - AES_BLOCK_BYTES, AES_BLOCK_BYTES);
      }
    }
    combine(out, plain, iv, AES_BLOCK_BYTES);
    copy_any_block(iv, next);
    in += n * AES_BLOCK_BYTES;
    out += n * AES_BLOCK_BYTES;
    done += n;
  }
  aes_wipe(&batch, used);
  if (status != AES_OK && nblocks != 0u) {
    (void)fail(out - done * AES_BLOCK_BYTES, nblocks * AES_BLOCK_BYTES, status);
  }
  return status;
}

// Add `n` to the 128-bit big-endian counter, whose last word is `low`. The counter is public; only
// its carry decides a branch.
static void advance(uint8_t *counter, uint32_t low, uint32_t n) {
  uint32_t sum = low + n;
  store_be(counter + 12, sum);
  if (sum < low) {
    for (unsigned i = 12; i-- != 0u;) {
      counter[i] = (uint8_t)(counter[i] + 1u);
      if (counter[i] != 0u) {
        break;
      }
    }
  }
}

WEAK int aes_ctr(const aes_key_t *k, uint8_t *counter, const uint8_t *in, uint8_t *out,
                 size_t nbytes) {
  batch_t batch;
  size_t left = nbytes;
  size_t used = nbytes < sizeof batch ? (nbytes + 15u) & ~(size_t)15u : sizeof batch;
  int status = k->rounds == 0u ? AES_ERR_KEY : AES_OK;
  while (left != 0u && status == AES_OK) {
    size_t bytes = least(left, sizeof batch);
    size_t n = (bytes + 15u) / AES_BLOCK_BYTES;
    uint32_t low = load_be(counter + 12);
    // The upper 96 bits are constant until the low word overflows: end the batch there.
    n = least(n, low == 0u ? BATCH_BLOCKS : (size_t)(0u - low));
    bytes = least(bytes, n * AES_BLOCK_BYTES);
    uint32_t head[3];
    copy(head, counter, sizeof head);
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
    combine(out, in, batch.word, bytes);
    advance(counter, low, (uint32_t)n);
    in += bytes;
    out += bytes;
    left -= bytes;
  }
  aes_wipe(&batch, used);
  if (status != AES_OK && nbytes != 0u) {
    (void)fail(out - (nbytes - left), nbytes, status);
  }
  return status;
}
