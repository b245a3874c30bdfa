// SPDX-License-Identifier: Apache-2.0
// P-256, ECDSA and X25519 for wolfSSL.
#include <string.h>

#include "ecc.h"
#include "wolf_parts.h"
#include "words.h"

#define BYTES 32u
#define POINT 65u  // 0x04 || x || y
#define UNCOMPRESSED 4u

#define INTEGER 0x02u  // tags of DER
#define SEQUENCE 0x30u

static int to_wolf(int status) {
  switch (status) {
    case ECC_OK: return 0;
    case ECC_ERR_SCALAR: return ECC_PRIV_KEY_E;
    case ECC_ERR_POINT: return IS_POINT_E;
    case ECC_ERR_RANDOM: return RNG_FAILURE_E;
    default: return WC_HW_E;
  }
}

static int draw(void *rng, uint8_t *bytes, size_t n) {
  return wc_RNG_GenerateBlock(rng, bytes, (word32)n);
}

#ifdef HAVE_ECC
static int is_p256(const ecc_key *key) {
  return key != NULL && key->dp != NULL && key->idx != ECC_CUSTOM_IDX &&
         key->dp->id == ECC_SECP256R1;
}

static int read_private(uint8_t d[BYTES], ecc_key *key) {
  word32 n = BYTES;
  return wc_ecc_export_private_only(key, d, &n);
}

// Store a private key with its point, 0x04 || x || y.
static int store(ecc_key *key, const uint8_t d[BYTES], const uint8_t point[POINT]) {
  return wc_ecc_import_private_key_ex(d, BYTES, point, POINT, key, ECC_SECP256R1);
}

// The public point. A private key that came without one has it from now on, as in wolfSSL.
static int read_public(uint8_t xy[2u * BYTES], ecc_key *key) {
  uint8_t d[BYTES], point[POINT] = {UNCOMPRESSED};
  word32 nx = BYTES, ny = BYTES;
  if (key->type == ECC_PRIVATEKEY_ONLY) {
    int ret = read_private(d, key);
    if (ret == 0) ret = to_wolf(p256_public_key(point + 1, d));
    if (ret == 0) ret = store(key, d, point);
    ecc_wipe(d, sizeof d);
    if (ret != 0) return ret;
  }
  return wc_ecc_export_public_raw(key, xy, &nx, xy + BYTES, &ny);
}

static int generate(wc_CryptoInfo *info) {
  ecc_key *key = info->pk.eckg.key;
  uint8_t d[BYTES], point[POINT] = {UNCOMPRESSED};
  if (!is_p256(key)) return CRYPTOCB_UNAVAILABLE;
  if (info->pk.eckg.rng == NULL) return BAD_FUNC_ARG;
  int ret = to_wolf(p256_generate(d, point + 1, draw, info->pk.eckg.rng));
  if (ret == 0) ret = store(key, d, point);
  ecc_wipe(d, sizeof d);
  return ret;
}

static int shared(wc_CryptoInfo *info) {
  ecc_key *own = info->pk.ecdh.private_key, *peer = info->pk.ecdh.public_key;
  uint8_t d[BYTES], xy[2u * BYTES];
  if (!is_p256(own)) return CRYPTOCB_UNAVAILABLE;
  if (!is_p256(peer)) return ECC_BAD_ARG_E;
  if (*info->pk.ecdh.outlen < BYTES) return BUFFER_E;
  int ret = read_private(d, own);
  if (ret == 0) ret = read_public(xy, peer);
  if (ret == 0) ret = to_wolf(p256_ecdh(info->pk.ecdh.out, d, xy));
  if (ret == 0) *info->pk.ecdh.outlen = BYTES;
  ecc_wipe(d, sizeof d);
  return ret;
}

// Nonces are those of RFC 6979 with HMAC-SHA-256. That is a valid ECDSA of every hash, but what
// wolfSSL calls deterministic takes the hash's own HMAC.
static int fixed_nonce(const ecc_key *key, word32 hash_bytes) {
  int fixed = 0;
#ifdef WOLFSSL_ECDSA_SET_K
  fixed |= key->sign_k != NULL;
#endif
#if defined(WOLFSSL_ECDSA_DETERMINISTIC_K) || defined(WOLFSSL_ECDSA_DETERMINISTIC_K_VARIANT)
  fixed |= key->deterministic && hash_bytes != BYTES;
#endif
  (void)key;
  (void)hash_bytes;
  return fixed;
}

static int sign(wc_CryptoInfo *info) {
  ecc_key *key = info->pk.eccsign.key;
  uint8_t d[BYTES], rs[2u * BYTES];
  if (!is_p256(key) || fixed_nonce(key, info->pk.eccsign.inlen)) return CRYPTOCB_UNAVAILABLE;
  int ret = read_private(d, key);
  if (ret == 0) ret = to_wolf(p256_ecdsa_sign(rs, d, info->pk.eccsign.in, info->pk.eccsign.inlen));
  ecc_wipe(d, sizeof d);
  if (ret != 0) return ret;
  return wc_ecc_rs_raw_to_sig(rs, BYTES, rs + BYTES, BYTES, info->pk.eccsign.out,
                              info->pk.eccsign.outlen);
}

// Read an INTEGER of DER (X.690, sections 8.3 and 8.9) as 32 bytes; 0 if it is none or too long.
static int read_number(uint8_t to[BYTES], const byte **at, const byte *end) {
  const byte *from = *at;
  if (end - from < 2 || from[0] != INTEGER) return 0;
  size_t n = from[1];
  from += 2;
  if (n == 0u || n > (size_t)(end - from) || (from[0] & 0x80u) != 0u) return 0;
  *at = from + n;
  if (from[0] == 0u && n > 1u) {
    if ((from[1] & 0x80u) == 0u) return 0;
    from++;
    n--;
  }
  if (n > BYTES) return 0;
  memset(to, 0, BYTES);
  memcpy(to + BYTES - n, from, n);
  return 1;
}

// r || s of a signature. wolfSSL's wc_ecc_sig_to_rs would write numbers of any length.
static int read_signature(uint8_t rs[2u * BYTES], const byte *sig, word32 n) {
  const byte *at = sig + 2, *end = sig + n;
  if (n < 2u || sig[0] != SEQUENCE || sig[1] != n - 2u) return 0;
  return read_number(rs, &at, end) && read_number(rs + BYTES, &at, end) && at == end;
}

static int verify(wc_CryptoInfo *info) {
  ecc_key *key = info->pk.eccverify.key;
  uint8_t rs[2u * BYTES], xy[2u * BYTES];
  if (!is_p256(key)) return CRYPTOCB_UNAVAILABLE;
  *info->pk.eccverify.res = 0;
  if (!read_signature(rs, info->pk.eccverify.sig, info->pk.eccverify.siglen)) {
    return ASN_ECC_KEY_E;
  }
  const int ret = read_public(xy, key);
  if (ret != 0) return ret;
  const int status =
      p256_ecdsa_verify(rs, xy, info->pk.eccverify.hash, info->pk.eccverify.hashlen);
  *info->pk.eccverify.res = status == ECC_OK;
  // A signature that is not one of this key is no error of the call.
  return status == ECC_ERR_SIGNATURE ? 0 : to_wolf(status);
}
#endif

#ifdef HAVE_CURVE25519
static int generate_25519(wc_CryptoInfo *info) {
  curve25519_key *key = info->pk.curve25519kg.key;
  WC_RNG *rng = info->pk.curve25519kg.rng;
  if (key == NULL || rng == NULL) return BAD_FUNC_ARG;
  if (info->pk.curve25519kg.size != CURVE25519_KEYSIZE) return ECC_BAD_ARG_E;
  const int ret = to_wolf(x25519_generate(key->k, key->p.point, draw, rng));
  key->privSet = key->pubSet = ret == 0;
  return ret;
}

static int shared_25519(wc_CryptoInfo *info) {
  curve25519_key *own = info->pk.curve25519.private_key;
  curve25519_key *peer = info->pk.curve25519.public_key;
  byte *out = info->pk.curve25519.out;
  uint8_t little[BYTES];
  const int status = x25519(little, own->k, peer->p.point);
  if (status == ECC_OK) {
    for (unsigned i = 0; i < BYTES; i++) {
      out[i] = little[info->pk.curve25519.endian == EC25519_BIG_ENDIAN ? BYTES - 1u - i : i];
    }
    *info->pk.curve25519.outlen = BYTES;
  }
  ecc_wipe(little, sizeof little);
  return status == ECC_ERR_POINT ? ECC_OUT_OF_RANGE_E : to_wolf(status);
}
#endif

int aesforge_wolfssl_curve(wc_CryptoInfo *info) {
  switch (info->pk.type) {
#ifdef HAVE_ECC
    case WC_PK_TYPE_EC_KEYGEN: return generate(info);
    case WC_PK_TYPE_ECDH: return shared(info);
    case WC_PK_TYPE_ECDSA_SIGN: return sign(info);
    case WC_PK_TYPE_ECDSA_VERIFY: return verify(info);
#endif
#ifdef HAVE_CURVE25519
    case WC_PK_TYPE_CURVE25519_KEYGEN: return generate_25519(info);
    case WC_PK_TYPE_CURVE25519: return shared_25519(info);
#endif
    default: return CRYPTOCB_UNAVAILABLE;
  }
}
