// SPDX-License-Identifier: Apache-2.0
// wolfCrypt's own tests through our callback, and comparisons with wolfCrypt's own code: places,
// lengths, keys in turn, errors. The argument names a group; lines say how many calls the callback
// took of each kind, and how many cases passed.
#include "wolfcrypt/test/test.c"

#include "aes_kernel.h"
#include "aesforge_wolfssl.h"

enum { OURS = 7 };
enum {
  OF_ECB, OF_CBC, OF_CTR, OF_GCM, OF_CCM, OF_CMAC, OF_SHA256,
  OF_KEYGEN, OF_ECDH, OF_SIGN, OF_VERIFY, OF_KEYGEN_25519, OF_X25519,
  KINDS
};

static const char *const names[KINDS] = {
    "ecb",    "cbc",  "ctr",  "gcm",    "ccm",          "cmac",  "sha256",
    "keygen", "ecdh", "sign", "verify", "keygen-25519", "x25519"};
static unsigned taken[KINDS], cases;

static void want(int right, const char *what) {
  if (!right) {
    fprintf(stderr, "wrong: %s\n", what);
    exit(EXIT_FAILURE);
  }
  cases++;
}

static int kind_of(const wc_CryptoInfo *info) {
  switch (info->algo_type) {
    case WC_ALGO_TYPE_CMAC: return OF_CMAC;
    case WC_ALGO_TYPE_HASH: return OF_SHA256;
    case WC_ALGO_TYPE_CIPHER:
      switch (info->cipher.type) {
        case WC_CIPHER_AES_ECB: return OF_ECB;
        case WC_CIPHER_AES_CBC: return OF_CBC;
        case WC_CIPHER_AES_CTR: return OF_CTR;
        case WC_CIPHER_AES_GCM: return OF_GCM;
        case WC_CIPHER_AES_CCM: return OF_CCM;
        default: return -1;
      }
    case WC_ALGO_TYPE_PK:
      switch (info->pk.type) {
        case WC_PK_TYPE_EC_KEYGEN: return OF_KEYGEN;
        case WC_PK_TYPE_ECDH: return OF_ECDH;
        case WC_PK_TYPE_ECDSA_SIGN: return OF_SIGN;
        case WC_PK_TYPE_ECDSA_VERIFY: return OF_VERIFY;
        case WC_PK_TYPE_CURVE25519_KEYGEN: return OF_KEYGEN_25519;
        case WC_PK_TYPE_CURVE25519: return OF_X25519;
        default: return -1;
      }
    default: return -1;
  }
}

static int counted(int id, wc_CryptoInfo *info, void *context) {
  const int ret = aesforge_wolfssl_cb(id, info, context);
  if (ret == CRYPTOCB_UNAVAILABLE) return ret;
  const int kind = kind_of(info);
  if (kind < 0) {
    fprintf(stderr, "took a call of another kind\n");
    exit(EXIT_FAILURE);
  }
  taken[kind]++;
  return ret;
}

static uint64_t seed = 1;

static void fill(void *to, size_t n) {
  byte *at = to;
  for (size_t i = 0; i < n; i++) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    at[i] = (byte)(seed >> 56);
  }
}

static unsigned below(unsigned n) {
  uint32_t x;
  fill(&x, sizeof x);
  return x % n;
}

// wolfCrypt's own tests ---------------------------------------------------------------------------

static void own(int ret, const char *what) {
  if (ret != 0) fprintf(stderr, "%d: ", ret);
  want(ret == 0, what);
}

static void aes(void) {
  own(aes_test(), "aes_test");
  own(aes192_test(), "aes192_test");
  own(aes256_test(), "aes256_test");
}

static void modes(void) {
  own(aesgcm_test(), "aesgcm_test");
  own(aesgcm_default_test(), "aesgcm_default_test");
  own(gmac_test(), "gmac_test");
  own(aesccm_test(), "aesccm_test");
  own(cmac_test(), "cmac_test");
}

static void hashes(void) {
  own(sha256_test(), "sha256_test");
  own(hmac_sha256_test(), "hmac_sha256_test");
  own(hkdf_test(), "hkdf_test");
}

static void curves(void) {
  own(ecc_test(), "ecc_test");
  own(curve25519_test(), "curve25519_test");
}

// Places and lengths ------------------------------------------------------------------------------

#define MOST 100u
#define AROUND 16u
#define AREA (AROUND + 8u + MOST + AROUND)

static byte area[AREA], before[AREA], from[MOST], theirs[MOST];
static const word32 key_sizes[] = {16, 24, 32};

// Random bytes; ours in the area at any offset, the same for wolfCrypt in `from`.
static byte *data(word32 n, unsigned offset) {
  fill(area, sizeof area);
  memcpy(before, area, sizeof area);
  memcpy(from, area + AROUND + offset, n);
  return area + AROUND + offset;
}

static void same(const byte *ours, word32 n, const char *what) {
  const size_t start = (size_t)(ours - area), end = start + n;
  want(memcmp(ours, theirs, n) == 0, what);
  want(memcmp(before, area, start) == 0 && memcmp(before + end, area + end, AREA - end) == 0, what);
}

static void set(Aes aes[2], const byte *key, word32 bytes, const byte *iv, int direction) {
  want(wc_AesInit(&aes[0], NULL, OURS) == 0 && wc_AesInit(&aes[1], NULL, INVALID_DEVID) == 0 &&
           wc_AesSetKey(&aes[0], key, bytes, iv, direction) == 0 &&
           wc_AesSetKey(&aes[1], key, bytes, iv, direction) == 0, "key");
}

static void ciphers(const byte *key, word32 bytes, const byte *iv, unsigned offset, word32 n) {
  Aes aes[2];
  byte *at;
  for (int direction = AES_ENCRYPTION; direction <= AES_DECRYPTION && n % 16u == 0; direction++) {
    const int encrypt = direction == AES_ENCRYPTION;
    at = data(n, offset);
    set(aes, key, bytes, iv, direction);
    want((encrypt ? wc_AesEcbEncrypt : wc_AesEcbDecrypt)(&aes[0], at, at, n) == 0, "ECB");
    (encrypt ? wc_AesEcbEncrypt : wc_AesEcbDecrypt)(&aes[1], theirs, from, n);
    same(at, n, "ECB");
    at = data(n, offset);
    set(aes, key, bytes, iv, direction);
    for (word32 done = 0; done < n;) {
      const word32 left = n - done, piece = 16u * (1u + below(3));
      const word32 part = piece < left ? piece : left;
      byte *to = at + done;
      want((encrypt ? wc_AesCbcEncrypt : wc_AesCbcDecrypt)(&aes[0], to, to, part) == 0, "CBC");
      done += part;
    }
    (encrypt ? wc_AesCbcEncrypt : wc_AesCbcDecrypt)(&aes[1], theirs, from, n);
    same(at, n, "CBC");
    want(memcmp(aes[0].reg, aes[1].reg, 16) == 0, "IV after CBC");
  }
  at = data(n, offset);
  set(aes, key, bytes, iv, AES_ENCRYPTION);
  memset(aes[0].reg, 0xff, 15);  // the carry goes through all bytes
  memset(aes[1].reg, 0xff, 15);
  for (word32 done = 0; done < n;) {
    const word32 left = n - done, piece = 1u + below(40);
    const word32 part = piece < left ? piece : left;
    want(wc_AesCtrEncrypt(&aes[0], at + done, at + done, part) == 0, "CTR");
    done += part;
  }
  wc_AesCtrEncrypt(&aes[1], theirs, from, n);
  same(at, n, "CTR");
  want(aes[0].left == aes[1].left && memcmp(aes[0].reg, aes[1].reg, 16) == 0, "counter");
}

static void aead(int ccm, const byte *key, word32 bytes, const byte *iv, unsigned offset,
                 word32 n) {
  Aes aes[2];
  byte aad[48], tags[2][16];
  const word32 aad_bytes = below(40), tag_bytes = ccm ? 4u + 2u * below(7) : 12u + below(5);
  const word32 iv_bytes = ccm ? 7u + below(7) : 1u + below(16);
  const byte *a = aad + below(8);
  byte *at = data(n, offset);
  fill(aad, sizeof aad);
  set(aes, key, bytes, iv, AES_ENCRYPTION);
  if (!ccm) {
    want(wc_AesGcmSetKey(&aes[0], key, bytes) == 0 && wc_AesGcmSetKey(&aes[1], key, bytes) == 0,
         "key");
  }
  want((ccm ? wc_AesCcmEncrypt : wc_AesGcmEncrypt)(&aes[0], at, at, n, iv, iv_bytes, tags[0],
                                                   tag_bytes, a, aad_bytes) == 0, "AEAD");
  want((ccm ? wc_AesCcmEncrypt : wc_AesGcmEncrypt)(&aes[1], theirs, from, n, iv, iv_bytes, tags[1],
                                                   tag_bytes, a, aad_bytes) == 0, "AEAD");
  same(at, n, "AEAD");
  want(memcmp(tags[0], tags[1], tag_bytes) == 0, "tag");
  want((ccm ? wc_AesCcmDecrypt : wc_AesGcmDecrypt)(&aes[0], at, at, n, iv, iv_bytes, tags[0],
                                                   tag_bytes, a, aad_bytes) == 0, "AEAD");
  memcpy(theirs, from, n);
  same(at, n, "AEAD decryption");
}

static void macs(const byte *key, word32 bytes, unsigned offset, word32 n) {
  Cmac cmac[2];
  wc_Sha256 sha[2];
  byte digests[2][32], early[2][32];
  word32 tag_bytes[2] = {16, 16};
  const byte *at = data(n, offset);
  want(wc_InitCmac_ex(&cmac[0], key, bytes, WC_CMAC_AES, NULL, NULL, OURS) == 0 &&
           wc_InitCmac_ex(&cmac[1], key, bytes, WC_CMAC_AES, NULL, NULL, INVALID_DEVID) == 0 &&
           wc_InitSha256_ex(&sha[0], NULL, OURS) == 0 &&
           wc_InitSha256_ex(&sha[1], NULL, INVALID_DEVID) == 0, "start");
  for (word32 done = 0; done < n;) {
    const word32 left = n - done, piece = 1u + below(70);
    const word32 part = piece < left ? piece : left;
    want(wc_CmacUpdate(&cmac[0], at + done, part) == 0 &&
             wc_Sha256Update(&sha[0], at + done, part) == 0, "update");
    want(wc_Sha256GetHash(&sha[0], early[0]) == 0, "hash so far");
    done += part;
    wc_Sha256Update(&sha[1], from + done - part, part);
    wc_Sha256GetHash(&sha[1], early[1]);
    want(memcmp(early[0], early[1], 32) == 0, "hash so far");
  }
  wc_CmacUpdate(&cmac[1], from, n);
  for (unsigned i = 0; i < 2; i++) {
    want(wc_CmacFinal(&cmac[i], digests[i], &tag_bytes[i]) == 0, "CMAC");
  }
  want(tag_bytes[0] == 16 && memcmp(digests[0], digests[1], 16) == 0, "CMAC");
  for (unsigned again = 0; again < 2; again++) {  // a context is ready for the next message
    for (unsigned i = 0; i < 2; i++) want(wc_Sha256Final(&sha[i], digests[i]) == 0, "SHA-256");
    want(memcmp(digests[0], digests[1], 32) == 0, "SHA-256");
  }
}

static void places(void) {
  byte key[40], iv[24];
  for (unsigned offset = 0; offset < 8; offset++) {
    for (word32 n = 0; n <= MOST; n++) {
      const byte *k = key + below(8), *v = iv + below(8);
      const word32 bytes = key_sizes[below(3)];
      fill(key, sizeof key);
      fill(iv, sizeof iv);
      ciphers(k, bytes, v, offset, n);
      aead(0, k, bytes, v, offset, n);
      aead(1, k, bytes, v, offset, n);
      macs(k, bytes, offset, n);
    }
  }
}

// More keys than the cache has places, one piece of a message of each in turn. Two keys differ in
// one bit, and two more only in their length.
static void keys_in_turn(void) {
  enum { KEYS = 8, STEPS = 30 };
  static Aes cbc[KEYS][2], back[KEYS], ctr[KEYS][2], gcm[KEYS][2];
  static Cmac cmac[KEYS][2];
  static const word32 sizes[KEYS] = {16, 16, 16, 32, 24, 32, 16, 24};
  byte keys[KEYS][32], iv[16], plain[64], ours[64], other[64], tags[2][16];
  fill(keys, sizeof keys);
  fill(iv, sizeof iv);
  memcpy(keys[1], keys[0], 32);
  keys[1][15] ^= 1;
  memset(keys[2] + 16, 0, 16);
  memcpy(keys[3], keys[2], 32);
  for (unsigned i = 0; i < KEYS; i++) {
    set(cbc[i], keys[i], sizes[i], iv, AES_ENCRYPTION);
    set(ctr[i], keys[i], sizes[i], iv, AES_ENCRYPTION);
    set(gcm[i], keys[i], sizes[i], iv, AES_ENCRYPTION);
    for (unsigned j = 0; j < 2; j++) {
      want(wc_AesGcmSetKey(&gcm[i][j], keys[i], sizes[i]) == 0 &&
               wc_InitCmac_ex(&cmac[i][j], keys[i], sizes[i], WC_CMAC_AES, NULL, NULL,
                              j == 0 ? OURS : INVALID_DEVID) == 0, "key");
    }
    want(wc_AesInit(&back[i], NULL, OURS) == 0 &&
             wc_AesSetKey(&back[i], keys[i], sizes[i], iv, AES_DECRYPTION) == 0, "key");
  }
  for (unsigned step = 0; step < STEPS; step++) {
    for (unsigned at = 0; at < KEYS; at++) {
      const unsigned i = step % 2 == 0 ? at : below(KEYS);
      const word32 blocks = 16u * below(5), n = below(65);
      fill(plain, sizeof plain);
      want(wc_AesCbcEncrypt(&cbc[i][0], ours, plain, blocks) == 0, "CBC");
      wc_AesCbcEncrypt(&cbc[i][1], other, plain, blocks);
      want(memcmp(ours, other, blocks) == 0, "CBC, keys in turn");
      want(wc_AesCbcDecrypt(&back[i], ours, ours, blocks) == 0 &&
               memcmp(ours, plain, blocks) == 0, "CBC decryption, keys in turn");
      want(wc_AesCtrEncrypt(&ctr[i][0], ours, plain, n) == 0, "CTR");
      wc_AesCtrEncrypt(&ctr[i][1], other, plain, n);
      want(memcmp(ours, other, n) == 0, "CTR, keys in turn");
      want(wc_AesGcmEncrypt(&gcm[i][0], ours, plain, n, iv, 12, tags[0], 16, plain, n) == 0, "GCM");
      wc_AesGcmEncrypt(&gcm[i][1], other, plain, n, iv, 12, tags[1], 16, plain, n);
      want(memcmp(ours, other, n) == 0 && memcmp(tags[0], tags[1], 16) == 0, "GCM, keys in turn");
      want(wc_CmacUpdate(&cmac[i][0], plain, n) == 0, "CMAC");
      wc_CmacUpdate(&cmac[i][1], plain, n);
    }
  }
  for (unsigned i = 0; i < KEYS; i++) {
    for (unsigned j = 0; j < 2; j++) {
      word32 bytes = 16;
      want(wc_CmacFinal(&cmac[i][j], tags[j], &bytes) == 0, "CMAC");
    }
    want(memcmp(tags[0], tags[1], 16) == 0, "CMAC, keys in turn");
  }
}

// Curves against wolfCrypt's own ------------------------------------------------------------------

static void pair(ecc_key *ours, ecc_key *other, WC_RNG *rng) {
  byte d[32], pub[65];
  word32 nd = sizeof d, np = sizeof pub;
  want(wc_ecc_init_ex(ours, NULL, OURS) == 0 && wc_ecc_init_ex(other, NULL, INVALID_DEVID) == 0 &&
           wc_ecc_make_key_ex(rng, 32, ours, ECC_SECP256R1) == 0, "key generation");
  want(wc_ecc_export_private_only(ours, d, &nd) == 0 &&
           wc_ecc_export_x963(ours, pub, &np) == 0 &&
           wc_ecc_import_private_key_ex(d, nd, pub, np, other, ECC_SECP256R1) == 0 &&
           wc_ecc_check_key(other) == 0, "a key that wolfCrypt takes");
}

static void exchange(void) {
  WC_RNG rng;
  ecc_key keys[2][2], bare;
  byte secrets[2][32], hash[64], sig[80], d[32];
  want(wc_InitRng_ex(&rng, NULL, INVALID_DEVID) == 0, "random numbers");
  for (unsigned round = 0; round < 3; round++) {
    word32 n[2] = {32, 32}, bytes = 32;
    for (unsigned i = 0; i < 2; i++) {
      pair(&keys[i][0], &keys[i][1], &rng);
      want(wc_ecc_set_rng(&keys[i][1], &rng) == 0, "random numbers");
    }
    want(wc_ecc_shared_secret(&keys[0][0], &keys[1][0], secrets[0], &n[0]) == 0 &&
             wc_ecc_shared_secret(&keys[1][1], &keys[0][1], secrets[1], &n[1]) == 0 &&
             n[0] == 32 && memcmp(secrets[0], secrets[1], 32) == 0, "ECDH");
    // A private key without its public one.
    want(wc_ecc_export_private_only(&keys[0][0], d, &bytes) == 0 &&
             wc_ecc_init_ex(&bare, NULL, OURS) == 0 &&
             wc_ecc_import_private_key_ex(d, 32, NULL, 0, &bare, ECC_SECP256R1) == 0, "key");
    for (word32 length = 20; length <= 64; length += 11) {
      for (unsigned j = 0; j < 2; j++) {
        word32 size = sizeof sig;
        int right = 0;
        fill(hash, sizeof hash);
        want(wc_ecc_sign_hash(hash, length, sig, &size, &rng, &keys[0][j]) == 0, "signature");
        for (unsigned k = 0; k < 3; k++) {
          ecc_key *key = k == 2 ? &bare : &keys[0][k];
          want(wc_ecc_verify_hash(sig, size, hash, length, &right, key) == 0 && right == 1,
               "verification");
          hash[below(length < 32 ? length : 32)] ^= 1;
          want(wc_ecc_verify_hash(sig, size, hash, length, &right, key) == 0 && right == 0,
               "another hash");
          fill(hash, 1);
          size = sizeof sig;
          want(wc_ecc_sign_hash(hash, length, sig, &size, &rng, &keys[0][j]) == 0, "signature");
        }
      }
    }
    wc_ecc_free(&bare);
    for (unsigned i = 0; i < 4; i++) wc_ecc_free(&keys[i / 2][i % 2]);
  }
  wc_FreeRng(&rng);
}

static void fixed_key(ecc_key *key) {
  byte d[32];
  for (unsigned i = 0; i < sizeof d; i++) d[i] = (byte)(i + 1u);
  want(wc_ecc_init_ex(key, NULL, OURS) == 0 &&
           wc_ecc_import_private_key_ex(d, 32, NULL, 0, key, ECC_SECP256R1) == 0, "key");
}

// Two hashes whose signatures by this key have an r, or an s, of less than 32 bytes.
static void short_numbers(void) {
  static const byte hashes_of[] = {65, 147};
  ecc_key key;
  byte hash[32] = {0}, sig[80], r[32], s[32];
  fixed_key(&key);
  for (unsigned i = 0; i < 2; i++) {
    word32 size = sizeof sig, nr = sizeof r, ns = sizeof s;
    int right = 0;
    hash[1] = hashes_of[i];
    want(wc_ecc_sign_hash(hash, 32, sig, &size, NULL, &key) == 0 &&
             wc_ecc_sig_to_rs(sig, size, r, &nr, s, &ns) == 0 &&
             (i == 0 ? nr < 32 && ns == 32 : nr == 32 && ns < 32), "a short number");
    for (unsigned own_code = 0; own_code < 2; own_code++) {
      key.devId = own_code ? INVALID_DEVID : OURS;
      want(wc_ecc_verify_hash(sig, size, hash, 32, &right, &key) == 0 && right == 1,
           "verification of a short number");
    }
    key.devId = OURS;
  }
  wc_ecc_free(&key);
}

static void exchange_25519(void) {
  WC_RNG rng;
  want(wc_InitRng_ex(&rng, NULL, INVALID_DEVID) == 0, "random numbers");
  for (unsigned round = 0; round < 4; round++) {
    const int endian = round % 2 == 0 ? EC25519_BIG_ENDIAN : EC25519_LITTLE_ENDIAN;
    curve25519_key keys[2];
    byte secrets[2][32];
    word32 n[2] = {32, 32};
    for (unsigned i = 0; i < 2; i++) {
      want(wc_curve25519_init_ex(&keys[i], NULL, i == 0 ? OURS : INVALID_DEVID) == 0 &&
               wc_curve25519_make_key(&rng, 32, &keys[i]) == 0, "key generation");
    }
    want(wc_curve25519_shared_secret_ex(&keys[0], &keys[1], secrets[0], &n[0], endian) == 0 &&
             wc_curve25519_shared_secret_ex(&keys[1], &keys[0], secrets[1], &n[1], endian) == 0 &&
             n[0] == 32 && memcmp(secrets[0], secrets[1], 32) == 0, "X25519");
    byte pub[32];
    want(wc_curve25519_make_pub(32, pub, 32, keys[0].k) == 0 &&
             memcmp(pub, keys[0].p.point, 32) == 0, "public key");
  }
  wc_FreeRng(&rng);
}

static void against(void) {
  exchange();
  short_numbers();
  exchange_25519();
}

// What must fail, and what is wolfSSL's -----------------------------------------------------------

static int zeros(const byte *at, word32 n) {
  byte any = 0;
  for (word32 i = 0; i < n; i++) any |= at[i];
  return any == 0;
}

static void forged(int ccm) {
  enum { TEXT = 40, AAD = 20, TAG = 16, IV = 12 };
  Aes aes;
  byte key[16], good[IV + AAD + TEXT + TAG], bad[sizeof good], plain[TEXT], out[TEXT];
  byte bad_text[TEXT];
  byte *iv = bad, *aad = bad + IV, *text = aad + AAD, *tag = text + TEXT;
  fill(key, sizeof key);
  fill(good, sizeof good);
  fill(plain, sizeof plain);
  want(wc_AesInit(&aes, NULL, OURS) == 0 &&
           (ccm ? wc_AesCcmSetKey(&aes, key, 16) : wc_AesGcmSetKey(&aes, key, 16)) == 0 &&
           (ccm ? wc_AesCcmEncrypt : wc_AesGcmEncrypt)(&aes, good + IV + AAD, plain, TEXT, good, IV,
                                                       good + IV + AAD + TEXT, TAG, good + IV,
                                                       AAD) == 0, "AEAD");
  for (unsigned i = 0; i <= sizeof good; i++) {
    memcpy(bad, good, sizeof good);
    if (i < sizeof good) bad[i] ^= (byte)(1u << below(8));
    memcpy(bad_text, text, TEXT);
    for (unsigned in_place = 0; in_place < 2; in_place++) {
      byte *to = in_place ? text : out;
      byte earlier[TEXT];
      memset(out, 1, sizeof out);
      memcpy(earlier, to, TEXT);
      const int ret = (ccm ? wc_AesCcmDecrypt : wc_AesGcmDecrypt)(&aes, to, text, TEXT, iv, IV, tag,
                                                                  TAG, aad, AAD);
      if (i == sizeof good) {
        want(ret == 0 && memcmp(to, plain, TEXT) == 0, "decryption");
        memcpy(text, good + IV + AAD, TEXT);
      } else {
        want(ret == (ccm ? AES_CCM_AUTH_E : AES_GCM_AUTH_E) &&
                 (zeros(to, TEXT) || memcmp(to, earlier, TEXT) == 0), "a forged message");
        memcpy(text, bad_text, TEXT);
      }
    }
  }
}

static void lengths(void) {
  Aes aes;
  byte key[16] = {0}, iv[16] = {0}, in[32] = {0}, out[32], tag[16] = {0};
  // Tags that SP 800-38D does not allow, and keys that were never set.
  want(wc_AesInit(&aes, NULL, OURS) == 0 && wc_AesGcmSetKey(&aes, key, 16) == 0, "key");
  want(wc_AesGcmDecrypt(&aes, out, in, 32, iv, 12, tag, 7, NULL, 0) == BAD_FUNC_ARG, "7-byte tag");
  want(wc_AesGcmEncrypt(&aes, out, in, 32, NULL, 12, tag, 16, NULL, 0) == BAD_FUNC_ARG, "no IV");
  want(wc_AesGcmEncrypt(&aes, out, NULL, 32, iv, 12, tag, 16, NULL, 0) == BAD_FUNC_ARG, "no text");
  want(wc_AesGcmEncrypt(&aes, out, in, 32, iv, 12, tag, 16, NULL, 9) == BAD_FUNC_ARG, "no AAD");
  want(wc_AesGcmEncrypt(&aes, NULL, NULL, 0, iv, 12, tag, 16, in, 32) == 0, "AAD alone");
  memset(&aes, 0, sizeof aes);
  want(wc_AesInit(&aes, NULL, OURS) == 0, "no key");
  memset(out, 1, sizeof out);
  want(wc_AesCbcEncrypt(&aes, out, in, 32) == BAD_FUNC_ARG, "no key");
  want(wc_AesEcbEncrypt(&aes, out, in, 32) == BAD_FUNC_ARG, "no key");
  aes.left = 3;
  want(wc_AesCtrEncrypt(&aes, out, in, 32) == BAD_FUNC_ARG && zeros(out, 32) && aes.left == 0,
       "no key");
  Cmac cmac;
  want(wc_InitCmac_ex(&cmac, key, 15, WC_CMAC_AES, NULL, NULL, OURS) == BAD_FUNC_ARG, "15 bytes");
  want(wc_InitCmac_ex(&cmac, NULL, 0, WC_CMAC_AES, NULL, NULL, OURS) == BAD_FUNC_ARG, "no key");
  want(aesforge_wolfssl_cb(OURS, NULL, NULL) == BAD_FUNC_ARG, "no call");
  // A Cmac without a callback has devId 0.
  byte tags[2][16];
  word32 n = 16, m = 16;
  want(wc_CryptoCb_RegisterDevice(0, counted, NULL) == 0 &&
           wc_InitCmac(&cmac, key, 16, WC_CMAC_AES, NULL) == 0 &&
           wc_CmacUpdate(&cmac, in, 20) == 0 && wc_CmacFinal(&cmac, tags[0], &n) == 0, "CMAC");
  wc_CryptoCb_UnRegisterDevice(0);
  want(wc_AesCmacGenerate(tags[1], &m, in, 20, key, 16) == 0 && memcmp(tags[0], tags[1], 16) == 0,
       "CMAC of wolfSSL");
}

static void points(void) {
  static const byte order[32] = {0xff, 0xff, 0xff, 0xff, 0,    0,    0,    0,    0xff, 0xff, 0xff,
                                 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17,
                                 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
  WC_RNG rng;
  ecc_key key, other, far;
  byte out[48], pub[65], hash[32] = {9}, sig[120];
  word32 n = 32, np = 65, size = sizeof sig;
  int right = 1;
  want(wc_InitRng_ex(&rng, NULL, INVALID_DEVID) == 0, "random numbers");
  pair(&key, &other, &rng);
  n = 31;
  want(wc_ecc_shared_secret(&key, &other, out, &n) == BUFFER_E, "a short buffer");
  n = 32;
  want(wc_ecc_export_x963(&key, pub, &np) == 0, "point");
  pub[64] ^= 1;
  want(wc_ecc_import_x963_ex(pub, 65, &other, ECC_SECP256R1) == 0 &&
           wc_ecc_shared_secret(&key, &other, out, &n) == IS_POINT_E, "not on the curve");
  want(wc_ecc_init_ex(&other, NULL, OURS) == 0 &&
           wc_ecc_import_private_key_ex(order, 32, NULL, 0, &other, ECC_SECP256R1) == 0 &&
           wc_ecc_sign_hash(hash, 32, sig, &size, &rng, &other) == ECC_PRIV_KEY_E, "the order");
  size = sizeof sig;
  want(wc_ecc_sign_hash(hash, 32, sig, &size, &rng, &key) == 0, "signature");
  want(wc_ecc_verify_hash(sig, size, hash, 32, &right, &key) == 0 && right == 1, "signature");
  sig[size - 1u] ^= 1;
  want(wc_ecc_verify_hash(sig, size, hash, 32, &right, &key) == 0 && right == 0, "changed");
  // A public key cannot sign. Another curve is wolfSSL's, and so is a nonce of the caller.
  want(wc_ecc_init_ex(&far, NULL, OURS) == 0, "key");
  pub[64] ^= 1;
  want(wc_ecc_import_x963_ex(pub, 65, &far, ECC_SECP256R1) == 0, "point");
  size = sizeof sig;
  want(wc_ecc_sign_hash(hash, 32, sig, &size, &rng, &far) != 0, "a public key");
  const unsigned signs = taken[OF_SIGN], keygens = taken[OF_KEYGEN], verifies = taken[OF_VERIFY];
  want(wc_ecc_make_key_ex(&rng, 48, &far, ECC_SECP384R1) == 0, "P-384");
  n = 32;
  want(wc_ecc_shared_secret(&key, &far, out, &n) == ECC_BAD_ARG_E, "two curves");
  size = sizeof sig;
  want(wc_ecc_sign_hash(hash, 32, sig, &size, &rng, &far) == 0 &&
           wc_ecc_verify_hash(sig, size, hash, 32, &right, &far) == 0 && right == 1, "P-384");
  size = sizeof sig;
  want(wc_ecc_sign_set_k(hash, 32, &key) == 0 &&
           wc_ecc_sign_hash(hash, 32, sig, &size, &rng, &key) == 0, "a nonce of the caller");
  want(taken[OF_SIGN] == signs && taken[OF_KEYGEN] == keygens && taken[OF_VERIFY] == verifies,
       "wolfSSL's");

  curve25519_key mine, zero;
  const byte none[32] = {0};
  n = 32;
  want(wc_curve25519_init_ex(&mine, NULL, OURS) == 0 && wc_curve25519_init(&zero) == 0 &&
           wc_curve25519_make_key(&rng, 32, &mine) == 0 &&
           wc_curve25519_make_key(&rng, 31, &mine) == ECC_BAD_ARG_E, "X25519 key");
  want(wc_curve25519_import_public_ex(none, 32, &zero, EC25519_LITTLE_ENDIAN) == 0 &&
           wc_curve25519_shared_secret(&mine, &zero, out, &n) == ECC_OUT_OF_RANGE_E,
       "a point of small order");
  wc_FreeRng(&rng);
}

#include "encodings.h"

static void errors(void) {
  forged(0);
  forged(1);
  lengths();
  points();
  signatures();
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } groups[] = {
      {"aes", aes},       {"modes", modes},       {"hashes", hashes},   {"curves", curves},
      {"places", places}, {"keys", keys_in_turn}, {"against", against}, {"errors", errors},
  };
  devId = OURS;
  if (argc < 2 || wolfCrypt_Init() != 0) return 2;
  if (wc_CryptoCb_RegisterDevice(OURS, counted, NULL) != 0) return 2;
  for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
    if (strcmp(argv[1], groups[i].name) != 0) continue;
    groups[i].run();
    for (unsigned kind = 0; kind < KINDS; kind++) {
      if (taken[kind] != 0) printf("%s: %u\n", names[kind], taken[kind]);
    }
    printf("right: %u\n", cases);
    return EXIT_SUCCESS;
  }
  return 2;
}
