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

// ---- Curve25519 (RFC 7748), 32-byte little-endian strings ---------------------------------------

// out = X25519(scalar, point). The function clamps the scalar, ignores bit 255 of the point and
// reduces the point modulo p (RFC 7748, section 5). ECC_ERR_POINT if the result is zero: the point
// has a small order (section 6.1).
int x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t point[32]);

// out = X25519(scalar, 9): the public key of a private key.
int x25519_base(uint8_t out[32], const uint8_t scalar[32]);

// ---- P-256 (SP 800-186), big-endian; a point is x || y ------------------------------------------

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

#endif
