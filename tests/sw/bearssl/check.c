// SPDX-License-Identifier: Apache-2.0
// BearSSL's own tests of its algorithms on our classes, and comparisons with BearSSL's AES: places,
// lengths, keys in turn, errors. The argument names a group; a line says how many cases passed.
#include "aes_kernel.h"
#include "aesforge_bearssl.h"
#include "bearssl.h"

// The tests of GCM take one implementation by name.
#define main bearssl_main
#define br_aes_ct_ctr_keys br_aesforge_ctr_keys
#define br_aes_ct_ctr_init(context, key, len) \
  br_aesforge_ctr_vtable.init(&(context)->vtable, key, len)
#define br_gcm_init(context, ctr, ghash) (br_gcm_init)(context, ctr, br_aesforge_ghash)
#include "test_crypto.c"
#undef main

#define ROWS(table, columns) ((unsigned)(sizeof(table) / sizeof *(table) / (columns)))
#define P256_ONLY ((uint32_t)1 << BR_EC_secp256r1)
#define X25519_ONLY ((uint32_t)1 << BR_EC_curve25519)

static unsigned cases;

static void want(int right, const char *what) {
  if (!right) {
    fprintf(stderr, "wrong: %s\n", what);
    exit(EXIT_FAILURE);
  }
  cases++;
}

static int failures, last_failure;

void br_aesforge_failed(int status) {
  failures++;
  last_failure = status;
}

static br_hmac_drbg_context rng;

static unsigned below(unsigned n) {
  uint32_t x;
  br_hmac_drbg_generate(&rng, &x, sizeof x);
  return x % n;
}

// BearSSL's own tests -----------------------------------------------------------------------------

static void aes(void) {
  test_AES_generic("AES", &br_aesforge_cbcenc_vtable, &br_aesforge_cbcdec_vtable,
                   &br_aesforge_ctr_vtable, 1, 1);
  cases = ROWS(KAT_AES, 3) + ROWS(KAT_AES_CBC, 4) + ROWS(KAT_AES_CTR, 4) + 2 * 35 + 6;
}

static void modes(void) {
  test_AES_CTRCBC_inner("aesforge", &br_aesforge_ctrcbc_vtable);
  test_CCM_inner("aesforge", &br_aesforge_ctrcbc_vtable);
  test_EAX_inner("aesforge", &br_aesforge_ctrcbc_vtable);
  cases = 3 * 33 * 17 + ROWS(KAT_CCM, 6) + ROWS(KAT_EAX, 6);
}

static void gcm(void) {
  test_GHASH("GHASH", br_aesforge_ghash);
  test_GCM();
  cases = ROWS(KAT_GHASH, 4) + 1025 + ROWS(KAT_GCM, 6);
}

static void curves(void) {
  test_EC_KAT("P-256", &br_aesforge_ec, P256_ONLY);
  test_EC_c25519("X25519", &br_aesforge_ec);
  test_EC_keygen("both", &br_aesforge_ec, P256_ONLY | X25519_ONLY);
  cases = 1 + 10 * 3 + 2 + ROWS(C25519_KAT, 1) - 1 + 1000 + 37;
}

static void hashes(void) {
  test_SHA224();
  test_SHA256();
  test_multihash();
  test_HMAC();
  test_HKDF();
  test_HMAC_DRBG();
  test_PRF();
  cases = 7;
}

// BearSSL's tests of ECDSA have three curves and five hashes. Its own code computes on our P-256;
// ours signs and verifies where it is offered, and every signature is verified by the other one.
static int raw;

static uint32_t vrfy(const br_ec_impl *impl, const void *hash, size_t hash_len,
                     const br_ec_public_key *pk, const void *sig, size_t sig_len) {
  if (pk->curve != BR_EC_secp256r1) {
    return (raw ? br_ecdsa_i31_vrfy_raw : br_ecdsa_i31_vrfy_asn1)(&br_ec_prime_i31, hash, hash_len,
                                                                  pk, sig, sig_len);
  }
  const uint32_t theirs = (raw ? br_ecdsa_i31_vrfy_raw : br_ecdsa_i31_vrfy_asn1)(
      &br_aesforge_ec, hash, hash_len, pk, sig, sig_len);
  const uint32_t ours = (raw ? br_aesforge_ecdsa_vrfy_raw : br_aesforge_ecdsa_vrfy_asn1)(
      impl, hash, hash_len, pk, sig, sig_len);
  want(ours == theirs, "verification");
  return ours;
}

static size_t sign(const br_ec_impl *impl, const br_hash_class *hf, const void *hash,
                   const br_ec_private_key *sk, void *sig) {
  const size_t hash_len = (hf->desc >> BR_HASHDESC_OUT_OFF) & BR_HASHDESC_OUT_MASK;
  unsigned char ours[80];
  if (sk->curve != BR_EC_secp256r1) {
    return (raw ? br_ecdsa_i31_sign_raw : br_ecdsa_i31_sign_asn1)(&br_ec_prime_i31, hf, hash, sk,
                                                                  sig);
  }
  const size_t len = (raw ? br_aesforge_ecdsa_sign_raw : br_aesforge_ecdsa_sign_asn1)(
      impl, hf, hash, sk, ours);
  want(len != 0 && (raw ? br_ecdsa_i31_vrfy_raw : br_ecdsa_i31_vrfy_asn1)(
                       &br_ec_prime_i31, hash, hash_len, &EC_P256_PUB, ours, len) == 1,
       "our signature by BearSSL's verification");
  const size_t wanted = (raw ? br_ecdsa_i31_sign_raw : br_ecdsa_i31_sign_asn1)(&br_aesforge_ec, hf,
                                                                               hash, sk, sig);
  if (hf == &br_sha256_vtable) {
    want(len == wanted && memcmp(ours, sig, len) == 0, "deterministic signature of SHA-256");
  }
  return wanted;
}

static void ecdsa(void) {
  raw = 1;
  test_ECDSA_KAT(&br_aesforge_ec, sign, vrfy, 0);
  raw = 0;
  test_ECDSA_KAT(&br_aesforge_ec, sign, vrfy, 1);
}

// Places and lengths ------------------------------------------------------------------------------

#define MOST 200u
#define AROUND 16u

static unsigned char area[2][AROUND + 8u + MOST + AROUND];

// The same random bytes in two places: ours is at any offset.
static unsigned char *pair(size_t len, unsigned offset, unsigned char **other) {
  br_hmac_drbg_generate(&rng, area[0], sizeof area[0]);
  memcpy(area[1] + AROUND, area[0] + AROUND + offset, len);
  *other = area[1] + AROUND;
  return area[0] + AROUND + offset;
}

static void kept(const unsigned char before[sizeof area[0]], size_t len, unsigned offset) {
  const size_t end = AROUND + offset + len;
  want(memcmp(before, area[0], AROUND + offset) == 0 &&
           memcmp(before + end, area[0] + end, sizeof area[0] - end) == 0,
       "bytes around the data");
}

static void place(unsigned offset, size_t len) {
  static const size_t key_lens[] = {16, 24, 32};
  const size_t key_len = key_lens[below(3)];
  unsigned char key[40], ivs[2][24], before[sizeof area[0]], *ours, *theirs;
  unsigned char *k = key + below(8), *iv = ivs[0] + below(8), *iv2 = ivs[1];
  const uint32_t starts[] = {1, 0xfffffffdu, 0xffffffffu, 0};
  const uint32_t cc = starts[below(4)];
  br_hmac_drbg_generate(&rng, key, sizeof key);
  br_hmac_drbg_generate(&rng, ivs, sizeof ivs);
  memcpy(iv2, iv, 16);

  br_aes_gen_ctr_keys ctr;
  br_aes_big_ctr_keys big_ctr;
  ours = pair(len, offset, &theirs);
  memcpy(before, area[0], sizeof before);
  br_aesforge_ctr_vtable.init(&ctr.vtable, k, key_len);
  br_aes_big_ctr_init(&big_ctr, k, key_len);
  const uint32_t after = br_aesforge_ctr_vtable.run(&ctr.vtable, iv, cc, ours, len);
  want(after == br_aes_big_ctr_run(&big_ctr, iv, cc, theirs, len), "counter");
  want(memcmp(ours, theirs, len) == 0, "CTR");
  kept(before, len, offset);

  unsigned char y[2][24], *at = y[0] + below(8);
  ours = pair(len, offset, &theirs);
  br_hmac_drbg_generate(&rng, y, sizeof y);
  memcpy(y[1], at, 16);
  br_aesforge_ghash(at, k, ours, len);
  br_ghash_ctmul32(y[1], k, theirs, len);
  want(memcmp(at, y[1], 16) == 0, "GHASH");
  if (len % 16u != 0) return;

  br_aes_gen_cbcenc_keys enc;
  br_aes_gen_cbcdec_keys dec;
  br_aes_big_cbcenc_keys big_enc;
  ours = pair(len, offset, &theirs);
  memcpy(before, area[0], sizeof before);
  br_aesforge_cbcenc_vtable.init(&enc.vtable, k, key_len);
  br_aesforge_cbcdec_vtable.init(&dec.vtable, k, key_len);
  br_aes_big_cbcenc_init(&big_enc, k, key_len);
  br_aesforge_cbcenc_vtable.run(&enc.vtable, iv, ours, len);
  br_aes_big_cbcenc_run(&big_enc, iv2, theirs, len);
  want(memcmp(ours, theirs, len) == 0 && memcmp(iv, iv2, 16) == 0, "CBC encryption");
  memcpy(iv, ivs[1] + 1, 16);
  memcpy(iv2, iv, 16);
  br_aesforge_cbcenc_vtable.run(&enc.vtable, iv, ours, len);
  br_aesforge_cbcdec_vtable.run(&dec.vtable, iv2, ours, len);
  want(memcmp(ours, theirs, len) == 0 && memcmp(iv, iv2, 16) == 0, "CBC decryption");
  kept(before, len, offset);

  br_aes_gen_ctrcbc_keys both;
  br_aes_big_ctrcbc_keys big_both;
  unsigned char mac[2][16];
  memcpy(mac[1], mac[0], 16);
  memcpy(iv2, iv, 16);
  ours = pair(len, offset, &theirs);
  br_aesforge_ctrcbc_vtable.init(&both.vtable, k, key_len);
  br_aes_big_ctrcbc_init(&big_both, k, key_len);
  br_aesforge_ctrcbc_vtable.encrypt(&both.vtable, iv, mac[0], ours, len);
  br_aes_big_ctrcbc_encrypt(&big_both, iv2, mac[1], theirs, len);
  want(memcmp(ours, theirs, len) == 0 && memcmp(iv, iv2, 16) == 0 &&
           memcmp(mac[0], mac[1], 16) == 0, "CTR and CBC-MAC");
}

static void places(void) {
  for (unsigned offset = 0; offset < 8; offset++) {
    for (size_t len = 0; len <= MOST; len++) place(offset, len);
  }
}

// More keys than the cache has places, one piece of a message of each in turn. Two keys differ in
// one bit, and two more only in their length.
static void keys_in_turn(void) {
  enum { KEYS = 8, STEPS = 40 };
  static const size_t key_lens[KEYS] = {16, 16, 16, 32, 24, 32, 16, 24};
  br_aes_gen_cbcenc_keys enc[KEYS];
  br_aes_gen_cbcdec_keys dec[KEYS];
  br_aes_gen_ctr_keys ctr[KEYS];
  br_aes_big_cbcenc_keys big[KEYS];
  br_aes_big_ctr_keys big_ctr[KEYS];
  unsigned char keys[KEYS][32], iv[3][KEYS][16], data[64], wanted[64];
  uint32_t counters[KEYS];
  br_hmac_drbg_generate(&rng, keys, sizeof keys);
  br_hmac_drbg_generate(&rng, iv[0], sizeof iv[0]);
  memcpy(keys[1], keys[0], 32);
  keys[1][15] ^= 1;
  memset(keys[2] + 16, 0, 16);
  memcpy(keys[3], keys[2], 32);
  for (unsigned i = 0; i < KEYS; i++) {
    memcpy(iv[1][i], iv[0][i], 16);
    memcpy(iv[2][i], iv[0][i], 16);
    counters[i] = i;
    br_aesforge_cbcenc_vtable.init(&enc[i].vtable, keys[i], key_lens[i]);
    br_aesforge_cbcdec_vtable.init(&dec[i].vtable, keys[i], key_lens[i]);
    br_aesforge_ctr_vtable.init(&ctr[i].vtable, keys[i], key_lens[i]);
    br_aes_big_cbcenc_init(&big[i], keys[i], key_lens[i]);
    br_aes_big_ctr_init(&big_ctr[i], keys[i], key_lens[i]);
  }
  for (unsigned step = 0; step < STEPS; step++) {
    for (unsigned n = 0; n < KEYS; n++) {
      const unsigned i = step % 2 == 0 ? n : below(KEYS);
      const size_t len = 16u * below(5);
      unsigned char plain[64];
      br_hmac_drbg_generate(&rng, plain, sizeof plain);
      memcpy(data, plain, sizeof data);
      memcpy(wanted, plain, sizeof wanted);
      br_aesforge_cbcenc_vtable.run(&enc[i].vtable, iv[0][i], data, len);
      br_aes_big_cbcenc_run(&big[i], iv[1][i], wanted, len);
      want(memcmp(data, wanted, sizeof data) == 0, "CBC encryption, keys in turn");
      br_aesforge_cbcdec_vtable.run(&dec[i].vtable, iv[2][i], data, len);
      want(memcmp(data, plain, sizeof data) == 0, "CBC decryption, keys in turn");
      memcpy(wanted, plain, sizeof wanted);
      const uint32_t next = br_aesforge_ctr_vtable.run(&ctr[i].vtable, keys[i], counters[i], data,
                                                       len);
      want(br_aes_big_ctr_run(&big_ctr[i], keys[i], counters[i], wanted, len) == next &&
               memcmp(data, wanted, sizeof data) == 0, "CTR, keys in turn");
      counters[i] = next;
    }
  }
}

// What must fail ----------------------------------------------------------------------------------

static int zeros(const unsigned char *data, size_t len) {
  unsigned char any = 0;
  for (size_t i = 0; i < len; i++) any |= data[i];
  return any == 0;
}

static void ciphers_fail(void) {
  br_aes_gen_ctr_keys ctr;
  br_aes_gen_cbcenc_keys enc;
  br_aes_gen_cbcdec_keys dec;
  br_aes_gen_ctrcbc_keys both;
  unsigned char key[32] = {0}, data[32], iv[16], mac[16];
  br_aesforge_ctr_vtable.init(&ctr.vtable, key, 15);
  br_aesforge_cbcenc_vtable.init(&enc.vtable, key, 0);
  br_aesforge_cbcdec_vtable.init(&dec.vtable, key, 33);
  br_aesforge_ctrcbc_vtable.init(&both.vtable, key, 20);
  want(failures == 4 && last_failure == AES_ERR_KEY_LENGTH, "keys that are refused");
  for (unsigned call = 0; call < 5; call++) {
    memset(data, 1, sizeof data);
    memset(iv, 1, sizeof iv);
    memset(mac, 1, sizeof mac);
    failures = 0;
    switch (call) {
      case 0: br_aesforge_ctr_vtable.run(&ctr.vtable, iv, 1, data, 32); break;
      case 1: br_aesforge_cbcenc_vtable.run(&enc.vtable, iv, data, 32); break;
      case 2: br_aesforge_cbcdec_vtable.run(&dec.vtable, iv, data, 32); break;
      case 3: br_aesforge_ctrcbc_vtable.ctr(&both.vtable, iv, data, 32); break;
      default: br_aesforge_ctrcbc_vtable.mac(&both.vtable, mac, data, 32); break;
    }
    want(failures == 1 && last_failure == AES_ERR_KEY_LENGTH, "a call that fails");
    want(zeros(call == 4 ? mac : data, call == 4 ? 16 : 32), "plaintext after a failure");
  }
}

static void curves_fail(void) {
  const br_ec_impl *ec = &br_aesforge_ec;
  unsigned char p[65], q[65], x[40] = {0}, order[32];
  size_t len;
  const unsigned char *g = ec->generator(BR_EC_secp256r1, &len);
  want(len == 65, "length of the generator");
  memcpy(order, ec->order(BR_EC_secp256r1, &len), 32);
  x[39] = 3;
  memcpy(p, g, 65);
  memcpy(q, g, 65);
  want(ec->mul(p, 65, x + 39, 1, BR_EC_secp256r1) == 1, "one byte");
  want(ec->mul(q, 65, x, 40, BR_EC_secp256r1) == 1 && memcmp(p, q, 65) == 0, "leading zeros");
  x[0] = 1;
  want(ec->mul(q, 65, x, 40, BR_EC_secp256r1) == 0, "more than 32 bytes");
  want(ec->mulgen(q, x, 40, BR_EC_secp256r1) == 0, "more than 32 bytes");
  memcpy(p, g, 65);
  want(ec->mul(p, 65, order, 32, BR_EC_secp256r1) == 0, "the order");
  want(ec->mul(p, 65, x + 1, 38, BR_EC_secp256r1) == 0, "zero");
  want(ec->mul(p, 64, x + 39, 1, BR_EC_secp256r1) == 0, "a short point");
  p[0] = 2;
  want(ec->mul(p, 65, x + 39, 1, BR_EC_secp256r1) == 0, "a compressed point");
  p[0] = 4;
  p[64] ^= 1;
  want(ec->mul(p, 65, x + 39, 1, BR_EC_secp256r1) == 0, "not on the curve");
  want(ec->muladd(p, NULL, 65, x + 39, 1, x + 39, 1, BR_EC_secp256r1) == 0, "not on the curve");
  memcpy(q, g, 65);
  want(ec->muladd(q, p, 65, x + 39, 1, x + 39, 1, BR_EC_secp256r1) == 0, "not on the curve");
  memcpy(q, g, 65);
  want(ec->muladd(q, NULL, 65, x + 39, 1, x + 39, 1, BR_EC_secp256r1) == 1, "equal points");
  order[31] -= 3;
  memcpy(q, g, 65);
  want(ec->muladd(q, NULL, 65, x + 39, 1, order, 32, BR_EC_secp256r1) == 0, "infinity");
  memcpy(q, g, 65);
  want(ec->muladd(q, NULL, 65, x + 39, 1, x + 1, 1, BR_EC_secp256r1) == 0, "a zero");
  memcpy(q, g, 65);
  want(ec->mul(q, 65, x + 39, 1, BR_EC_secp384r1) == 0, "another curve");
  want(ec->mulgen(q, x + 39, 1, BR_EC_secp384r1) == 0, "another curve");
  memset(p, 0, 32);
  want(ec->mul(p, 32, x + 8, 32, BR_EC_curve25519) == 0, "a point of small order");
  want(ec->mul(p, 32, x + 7, 33, BR_EC_curve25519) == 0, "33 bytes");
  want(ec->mul(p, 31, x + 8, 32, BR_EC_curve25519) == 0, "31 bytes");
  want(ec->muladd(p, NULL, 32, x + 8, 32, x + 8, 32, BR_EC_curve25519) == 0, "no muladd");
  want(ec->xoff(BR_EC_curve25519, &len) == 0 && len == 32, "x of X25519");
  want(ec->xoff(BR_EC_secp256r1, &len) == 1 && len == 32, "x of P-256");
}

static void signatures_fail(void) {
  unsigned char hash[32] = {7}, sig[160], wide[80] = {0};
  br_ec_private_key sk = EC_P256_PRIV;
  br_ec_public_key pk = EC_P256_PUB;
  unsigned char zero[32] = {0};
  want(br_aesforge_ecdsa_sign_raw(NULL, &br_sha256_vtable, hash, &sk, sig) == 64, "signature");
  want(br_aesforge_ecdsa_vrfy_raw(NULL, hash, 32, &pk, sig, 64) == 1, "verification");
  memcpy(wide + 8, sig, 32);
  memcpy(wide + 48, sig + 32, 32);
  want(br_aesforge_ecdsa_vrfy_raw(NULL, hash, 32, &pk, wide, 80) == 1, "leading zeros");
  wide[0] = 1;
  want(br_aesforge_ecdsa_vrfy_raw(NULL, hash, 32, &pk, wide, 80) == 0, "r of 40 bytes");
  want(br_aesforge_ecdsa_vrfy_raw(NULL, hash, 32, &pk, sig, 63) == 0, "an odd length");
  for (unsigned bit = 0; bit < 512; bit++) {
    sig[bit / 8] ^= (unsigned char)(1u << bit % 8);
    want(br_aesforge_ecdsa_vrfy_raw(NULL, hash, 32, &pk, sig, 64) == 0, "a changed signature");
    sig[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  want(br_aesforge_ecdsa_vrfy_asn1(NULL, hash, 32, &pk, sig, 160) == 0, "a long signature");
  want(br_aesforge_ecdsa_vrfy_asn1(NULL, hash, 32, &pk, sig, 64) == 0, "no DER");
  pk.qlen = 64;
  want(br_aesforge_ecdsa_vrfy_raw(NULL, hash, 32, &pk, sig, 64) == 0, "a short key");
  pk.qlen = 65;
  pk.curve = BR_EC_secp384r1;
  want(br_aesforge_ecdsa_vrfy_raw(NULL, hash, 32, &pk, sig, 64) == 0, "another curve");
  sk.curve = BR_EC_secp384r1;
  want(br_aesforge_ecdsa_sign_raw(NULL, &br_sha256_vtable, hash, &sk, sig) == 0, "another curve");
  want(br_aesforge_ecdsa_sign_asn1(NULL, &br_sha256_vtable, hash, &sk, sig) == 0, "another curve");
  sk.curve = BR_EC_secp256r1;
  sk.x = zero;
  want(br_aesforge_ecdsa_sign_raw(NULL, &br_sha256_vtable, hash, &sk, sig) == 0, "a zero key");
}

static void errors(void) {
  ciphers_fail();
  curves_fail();
  signatures_fail();
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } groups[] = {{"aes", aes},       {"modes", modes},   {"gcm", gcm},
                {"curves", curves}, {"hashes", hashes}, {"ecdsa", ecdsa},
                {"places", places}, {"keys", keys_in_turn}, {"errors", errors}};
  br_hmac_drbg_init(&rng, &br_sha256_vtable, "aesforge", 8);
  for (unsigned i = 0; argc == 2 && i < sizeof groups / sizeof *groups; i++) {
    if (strcmp(argv[1], groups[i].name) != 0) continue;
    groups[i].run();
    printf("\n%s: %u right\n", argv[1], cases);
    return 0;
  }
  return 2;
}
