# SPDX-License-Identifier: Apache-2.0
"""The AES Monte Carlo tests of AESAVS (NIST, 2002, section 6.4), on OpenSSL.

An outer iteration starts from (key, iv, text), calls the cipher 1000 times with feedback, and gives
the last result and the last but one. These determine key, iv and text of the next iteration, so
each of the 100 outer iterations can be checked alone. `text` is the input, plaintext or ciphertext.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, ECB

INNER = 1000
OUTER = 100


@dataclass(frozen=True, slots=True)
class Iteration:
    """One outer iteration: start (key, iv, text) and end (last result, last but one); iv is b"" for
    ECB."""

    key: bytes
    iv: bytes
    text: bytes
    last: bytes
    penultimate: bytes


def next_key(key: bytes, last: bytes, penultimate: bytes) -> bytes:
    """The key of the next outer iteration: XOR with as many of the latest result bits as the key is
    long."""
    recent = (penultimate + last)[-len(key) :]
    return bytes(a ^ b for a, b in zip(key, recent, strict=True))


def iterate(key: bytes, iv: bytes, text: bytes, encrypt: bool) -> Iteration:
    """Run the inner loop once; an empty iv means ECB (6.4.1), else 16 bytes and CBC (6.4.2)."""
    cipher = Cipher(AES(key), CBC(iv) if iv else ECB())
    update = (cipher.encryptor() if encrypt else cipher.decryptor()).update
    penultimate, last = b"", update(text)
    if iv:
        # The text that follows the first is the iv, then each result two steps late; the chaining
        # itself is in the OpenSSL context.
        penultimate, last = last, update(iv)
        for _ in range(INNER - 2):
            penultimate, last = last, update(penultimate)
    else:
        for _ in range(INNER - 1):
            penultimate, last = last, update(last)
    return Iteration(key, iv, text, last, penultimate)


def following(done: Iteration) -> tuple[bytes, bytes, bytes]:
    """(key, iv, text) with which the next outer iteration starts."""
    key = next_key(done.key, done.last, done.penultimate)
    return (key, done.last, done.penultimate) if done.iv else (key, b"", done.last)


def monte_carlo(
    key: bytes, iv: bytes, text: bytes, encrypt: bool, outer: int = OUTER
) -> Iterator[Iteration]:
    """The first `outer` outer iterations from a seed."""
    for _ in range(outer):
        done = iterate(key, iv, text, encrypt)
        yield done
        key, iv, text = following(done)
