// SPDX-License-Identifier: Apache-2.0
// Elliptic curves: Diffie-Hellman and signatures in constant time, without heap and C library.
//
// Buffers are bytes at any alignment; input and output may overlap. Every function returns ECC_OK
// or a negative error, and writes nothing to its output on an error. Time and addresses do not
// depend on secrets (scalars, private keys, nonces, shared secrets). They may depend on whether the
// other party's point or signature is valid; verification works on public data alone.
//
// The same code runs on every core. Field arithmetic is weak (sw/ecc): a unit may override it.
// A call does not preserve a unit's accumulator.
#ifndef ECC_H
#define ECC_H

#include <stddef.h>
#include <stdint.h>

#define ECC_OK 0
#define ECC_ERR_SCALAR (-1)     // private key zero or not below the order
#define ECC_ERR_POINT (-2)      // not on the curve, infinity, wrong order, result of small order
#define ECC_ERR_SIGNATURE (-3)  // the signature is not one of this message and key
#define ECC_ERR_RANDOM (-4)     // the caller's random numbers failed, or none was in range

// Fill `bytes` with n random bytes that nobody can guess; 0 if it did, otherwise it failed.
typedef int (*ecc_random_t)(void *context, uint8_t *bytes, size_t n);

// ---- Curve25519 (RFC 7748), 32-byte little-endian strings ---------------------------------------

// out = X25519(scalar, point). The function clamps the scalar, ignores bit 255 of the point and
// reduces the point modulo p (RFC 7748, section 5). ECC_ERR_POINT if the result is zero: the point
// has a small order (section 6.1).
int x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t point[32]);

// out = X25519(scalar, 9): the public key of a private key.
int x25519_base(uint8_t out[32], const uint8_t scalar[32]);

// A new key pair from the caller's random numbers; `pub` may be NULL. The private key is clamped
// already, so that every implementation reads it alike. ECC_ERR_RANDOM leaves both unchanged.
// Every string of 32 bytes is a private key, and a public key of small order shows in x25519, so
// there is nothing to check in advance. The point has no y.
int x25519_generate(uint8_t d[32], uint8_t pub[32], ecc_random_t random, void *context);

// ---- P-256 (SP 800-186), big-endian; a point is x || y ------------------------------------------

// ECC_OK if 0 < d < n, otherwise ECC_ERR_SCALAR: no multiplication.
int p256_check_private(const uint8_t d[32]);

// ECC_OK if the point is on the curve and not infinity, otherwise ECC_ERR_POINT: full validation
// (SP 800-56A, section 5.6.2.3.3; with cofactor 1 every point has order n). No multiplication.
int p256_check_public(const uint8_t pub[64]);

// A new key pair: d by rejection of what is out of range (FIPS 186-5, appendix A.2.2), pub = d G.
// `pub` may be NULL, which saves the multiplication. The random function is called until d is in
// range: again once in 2^32 times. ECC_ERR_RANDOM, which leaves both unchanged, if it fails or no
// candidate is in range.
int p256_generate(uint8_t d[32], uint8_t pub[64], ecc_random_t random, void *context);

// product = d Q, both coordinates, of a fully validated point. For shared secrets take p256_ecdh.
int p256_mul(uint8_t product[64], const uint8_t d[32], const uint8_t point[64]);

// pub = d G. ECC_ERR_SCALAR unless 0 < d < n.
int p256_public_key(uint8_t pub[64], const uint8_t d[32]);

// shared = x-coordinate of d Q (SP 800-56A, section 5.7.1.2; the cofactor is 1). The peer's point
// is fully validated (section 5.6.2.3.3; with cofactor 1 every point of the curve has order n).
int p256_ecdh(uint8_t shared[32], const uint8_t d[32], const uint8_t peer[64]);

// rs = ECDSA signature r || s of a hash (FIPS 186-5, section 6.4.1) with the nonce of RFC 6979,
// HMAC-SHA-256. Only the leftmost 256 bits of a longer hash count.
int p256_ecdsa_sign(uint8_t rs[64], const uint8_t d[32], const uint8_t *hash, size_t hash_len);

// ECC_OK if r || s is a signature of the hash by the key's owner, ECC_ERR_POINT if the key is no
// point of the curve, ECC_ERR_SIGNATURE otherwise (FIPS 186-5, section 6.4.2). Not constant time:
// everything is public.
int p256_ecdsa_verify(const uint8_t rs[64], const uint8_t pub[64], const uint8_t *hash,
                      size_t hash_len);

// ---- Binary curves (SP 800-186, SEC 2), big-endian; a point is x || y ---------------------------
//
// Coordinates have 30 bytes (233 bits) or 21 bytes (163 bits), and so have private keys. The shared
// secret is the x-coordinate of h d Q, h being the cofactor (ECC CDH of SP 800-56A, 5.7.1.2),
// or of d Q in the functions called plain (SEC 1, section 3.3.1; TLS and X.509 software uses this
// one). Both validate the peer's point fully, including its order (section 5.6.2.3.3).

int b233_public_key(uint8_t *pub, const uint8_t *d);
int b233_ecdh(uint8_t *shared, const uint8_t *d, const uint8_t *peer);
int b233_ecdh_plain(uint8_t *shared, const uint8_t *d, const uint8_t *peer);
int k233_public_key(uint8_t *pub, const uint8_t *d);
int k233_ecdh(uint8_t *shared, const uint8_t *d, const uint8_t *peer);
int k233_ecdh_plain(uint8_t *shared, const uint8_t *d, const uint8_t *peer);
int sect163k1_public_key(uint8_t *pub, const uint8_t *d);
int sect163k1_ecdh(uint8_t *shared, const uint8_t *d, const uint8_t *peer);
int sect163k1_ecdh_plain(uint8_t *shared, const uint8_t *d, const uint8_t *peer);
int sect163r1_public_key(uint8_t *pub, const uint8_t *d);
int sect163r1_ecdh(uint8_t *shared, const uint8_t *d, const uint8_t *peer);
int sect163r1_ecdh_plain(uint8_t *shared, const uint8_t *d, const uint8_t *peer);

// As the functions of P-256 of these names; check_public checks the order too. There is no product
// with y: the ladder has none, and Diffie-Hellman, which takes x, is all that these curves do here.
// `generate` draws up to twice on average where the order is little more than a power of two.
int b233_check_private(const uint8_t *d);
int b233_check_public(const uint8_t *pub);
int b233_generate(uint8_t *d, uint8_t *pub, ecc_random_t random, void *context);
int k233_check_private(const uint8_t *d);
int k233_check_public(const uint8_t *pub);
int k233_generate(uint8_t *d, uint8_t *pub, ecc_random_t random, void *context);
int sect163k1_check_private(const uint8_t *d);
int sect163k1_check_public(const uint8_t *pub);
int sect163k1_generate(uint8_t *d, uint8_t *pub, ecc_random_t random, void *context);
int sect163r1_check_private(const uint8_t *d);
int sect163r1_check_public(const uint8_t *pub);
int sect163r1_generate(uint8_t *d, uint8_t *pub, ecc_random_t random, void *context);

#endif
