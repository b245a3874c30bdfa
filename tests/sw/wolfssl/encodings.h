// SPDX-License-Identifier: Apache-2.0
// A part of check.c: signatures that are no DER, or whose numbers are too long.

#include <sys/mman.h>

// Refused are `good` with a changed byte or cut short, and numbers of wrong lengths.
static void encodings(ecc_key *key, const byte *hash, const byte *good, word32 size) {
  static const byte heads[][4] = {
      {0x30, 65, 2, 60},   // r of 60 bytes, s of one
      {0x30, 65, 2, 1},    // r of one byte, s of 60
      {0x30, 39, 2, 34},   // r of 34 bytes, s of one
      {0x30, 5, 2, 0},     // no r
      {0x30, 8, 2, 200},   // longer than the signature
      {0x31, 8, 2, 1},     // no sequence
  };
  byte sig[120];
  int right;
  for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++) {
    memset(sig, 0x11, sizeof sig);
    memcpy(sig, heads[i], 4);
    const word32 s_at = 4u + heads[i][3], total = 2u + heads[i][1];
    if (s_at + 2u < total) {
      sig[s_at] = 2;
      sig[s_at + 1u] = (byte)(total - s_at - 2u);
    }
    right = 1;
    want(wc_ecc_verify_hash(sig, total, hash, 32, &right, key) != 0 && right == 0, "encoding");
  }
  for (word32 i = 0; i < size; i++) {
    right = 1;
    want(wc_ecc_verify_hash(good, i, hash, 32, &right, key) != 0 && right == 0, "cut short");
    memcpy(sig, good, size);
    sig[i] ^= (byte)(1u << below(8));
    wc_ecc_verify_hash(sig, size, hash, 32, &right, key);
    want(right == 0, "a changed byte");
  }
  // r goes on after the last byte that may be read.
  enum { PAGE = 4096 };
  static const byte cut[] = {0x30, 3, 2, 20, 0x11};
  byte *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  want(pages != MAP_FAILED && mprotect(pages + PAGE, PAGE, PROT_NONE) == 0, "pages");
  memcpy(pages + PAGE - sizeof cut, cut, sizeof cut);
  want(wc_ecc_verify_hash(pages + PAGE - sizeof cut, sizeof cut, hash, 32, &right, key) != 0,
       "longer than the signature");
  munmap(pages, 2 * PAGE);
  right = 1;
  memcpy(sig, good, size);
  sig[1]++;
  sig[size] = 0;
  want(wc_ecc_verify_hash(sig, size + 1u, hash, 32, &right, key) != 0 && right == 0, "a byte more");
  // A negative r, and a zero in front that a shorter form would not have.
  static const byte negative[] = {0x30, 6, 2, 1, 0x80, 2, 1, 1};
  static const byte padded[] = {0x30, 7, 2, 2, 0, 1, 2, 1, 1};
  want(wc_ecc_verify_hash(negative, sizeof negative, hash, 32, &right, key) != 0, "negative");
  want(wc_ecc_verify_hash(padded, sizeof padded, hash, 32, &right, key) != 0, "padded");
  want(wc_ecc_verify_hash(good, size, hash, 32, &right, key) == 0 && right == 1, "signature");
}

static void signatures(void) {
  ecc_key key;
  byte hash[32] = {9}, sig[80];
  word32 size = sizeof sig;
  fixed_key(&key);
  want(wc_ecc_sign_hash(hash, 32, sig, &size, NULL, &key) == 0, "signature");
  encodings(&key, hash, sig, size);
  wc_ecc_free(&key);
}
