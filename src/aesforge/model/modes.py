# SPDX-License-Identifier: Apache-2.0
"""Modes of operation of NIST SP 800-38A on the model of FIPS 197: ECB (6.1), CBC (6.2), CTR (6.5).

Keys have 16, 24 or 32 bytes, initialisation vectors and counter blocks 16. ECB and CBC take whole
blocks, CTR any length. ValueError otherwise.
"""

from collections.abc import Iterator

from aesforge.model.fips197 import cipher, inv_cipher


def _blocks(text: bytes) -> Iterator[bytes]:
    """The 16-byte blocks of `text`; ValueError if the last is not whole."""
    if len(text) % 16:
        raise ValueError(f"{len(text)} bytes are not whole blocks of 16")
    return (text[i : i + 16] for i in range(0, len(text), 16))


def _xor(a: bytes, b: bytes) -> bytes:
    """Bytewise sum over the length of the shorter."""
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


def _check_iv(iv: bytes) -> bytes:
    """The initialisation vector or counter block itself; ValueError if it has not 16 bytes."""
    if len(iv) != 16:
        raise ValueError(f"an initialisation vector or counter block has 16 bytes, not {len(iv)}")
    return iv


def ecb_encrypt(key: bytes, plaintext: bytes) -> bytes:
    """Electronic codebook, encryption."""
    return b"".join(cipher(block, key) for block in _blocks(plaintext))


def ecb_decrypt(key: bytes, ciphertext: bytes) -> bytes:
    """Electronic codebook, decryption."""
    return b"".join(inv_cipher(block, key) for block in _blocks(ciphertext))


def cbc_encrypt(key: bytes, iv: bytes, plaintext: bytes) -> bytes:
    """Cipher block chaining, encryption."""
    chain, out = _check_iv(iv), []
    for block in _blocks(plaintext):
        chain = cipher(_xor(block, chain), key)
        out.append(chain)
    return b"".join(out)


def cbc_decrypt(key: bytes, iv: bytes, ciphertext: bytes) -> bytes:
    """Cipher block chaining, decryption."""
    chain, out = _check_iv(iv), []
    for block in _blocks(ciphertext):
        out.append(_xor(inv_cipher(block, key), chain))
        chain = block
    return b"".join(out)


def next_counter(counter: bytes) -> bytes:
    """The standard incrementing function on all 128 bits, big-endian, wrapping (appendix B.1)."""
    return ((int.from_bytes(counter, "big") + 1) % (1 << 128)).to_bytes(16, "big")


def ctr(key: bytes, counter: bytes, text: bytes) -> bytes:
    """Counter mode, which is its own inverse; `counter` is the first counter block."""
    block, out = _check_iv(counter), []
    for i in range(0, len(text), 16):
        out.append(_xor(text[i : i + 16], cipher(block, key)))
        block = next_counter(block)
    return b"".join(out)
