# SPDX-License-Identifier: Apache-2.0
"""GCM messages as beats of a stream, and the expected output: SP 800-38D, with OpenSSL as oracle.

A message is a Head (the IV), Aad, Text and, to decrypt, a Tag; an IV of another length than
96 bits is a separate message before it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.reference.gcm_vectors import GcmCase

TEXT, AAD, HEAD, TAG, IV = range(5)  # kinds of beats
BLOCK = 16  # bytes
SHORT_IV = 12  # bytes: an IV that fits the Head
FORGERIES = ("tag", "text", "aad", "short", "untagged")


@dataclass(frozen=True, slots=True)
class Beat:
    """One beat; `data` fills all lanes, `keep` is its TKEEP; `want` None: any output."""

    kind: int
    data: bytes
    keep: int
    last: bool
    want: bytes | None


@dataclass(frozen=True, slots=True)
class Message:
    """A message and its expected output: `result` for `text` (None: unknown), `tag`, or a refusal.

    `tag` is input when decrypting and expected output when encrypting.
    """

    iv: bytes
    aad: bytes
    text: bytes
    result: bytes | None
    tag: bytes
    decrypt: bool
    valid: bool = True


def seal(key: bytes, iv: bytes, aad: bytes, text: bytes) -> Message:
    """Return a message to encrypt; OpenSSL computes the output (IV of 8 to 128 bytes)."""
    worker = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    worker.authenticate_additional_data(aad)
    result = worker.update(text) + worker.finalize()
    return Message(iv, aad, text, result, worker.tag, decrypt=False)


def to_open(sealed: Message) -> Message:
    """Return the message to decrypt that gives the plaintext of one to encrypt."""
    assert sealed.result is not None
    return replace(sealed, text=sealed.result, result=sealed.text, decrypt=True)


def _flip(data: bytes, bit: int) -> bytes:
    number = int.from_bytes(data, "little") ^ (1 << bit % (8 * len(data)))
    return number.to_bytes(len(data), "little")


def forge(message: Message, how: str, bit: int) -> Message:
    """Return a message to decrypt with one bit changed, a tag of 3 bytes ("short"), or no tag."""
    if how == "text" and message.text:
        assert message.result is not None
        changed = _flip(message.text, bit), _flip(message.result, bit)
        return replace(message, text=changed[0], result=changed[1], valid=False)
    if how == "aad" and message.aad:
        return replace(message, aad=_flip(message.aad, bit), valid=False)
    if how == "short":
        return replace(message, tag=message.tag[:3], valid=False)
    if how == "untagged":
        return replace(message, tag=b"", valid=False)
    return replace(message, tag=_flip(message.tag, bit), valid=False)


def of_case(case: GcmCase, *, decrypt: bool) -> Message:
    """Return a published case as a message; whoever encrypts gets the tag's first bytes."""
    plain: bytes | None = case.plaintext
    if len(case.plaintext) != len(case.ciphertext):
        plain = None  # the file does not tell
    if decrypt:
        return Message(case.iv, case.aad, case.ciphertext, plain, case.tag, True, case.valid)
    return Message(case.iv, case.aad, case.plaintext, case.ciphertext, case.tag, False, case.valid)


def _cut(
    kind: int, data: bytes, want: bytes | None, width: int, rng: random.Random
) -> Iterator[Beat]:
    """Cut bytes into beats; bytes after the last one are noise, 0 in the output text."""
    for i in range(0, len(data), width):
        part = data[i : i + width]
        shown = part + rng.randbytes(width - len(part))
        wanted = shown if want is data else None if want is None else want[i : i + width]
        if wanted is not None:
            wanted = wanted.ljust(width, b"\0")
        yield Beat(kind, shown, (1 << len(part)) - 1, False, wanted)


def beats(message: Message, width: int, rng: random.Random) -> tuple[list[Beat], list[Beat]]:
    """Return the beats of the IV's own message, if it needs one, and those of the message."""
    ahead: list[Beat] = []
    if len(message.iv) == SHORT_IV:
        found = list(_cut(HEAD, message.iv, message.iv, width, rng))
    else:
        # An empty IV is one beat without bytes.
        noise = rng.randbytes(width)
        ahead = list(_cut(IV, message.iv, message.iv, width, rng)) or [
            Beat(IV, noise, 0, False, noise)
        ]
        ahead[-1] = replace(ahead[-1], last=True)
        found = [Beat(HEAD, noise, 0, False, noise)]
    refused_at_once = not message.iv or (
        message.decrypt and not message.tag and not message.text and not message.aad
    )
    want = message.result
    if refused_at_once:
        want = bytes(len(message.text))
    found += _cut(AAD, message.aad, message.aad, width, rng)
    found += _cut(TEXT, message.text, want, width, rng)
    if message.decrypt:
        found += _cut(TAG, message.tag, message.tag, width, rng)
    found[-1] = replace(found[-1], last=True)
    return ahead, found
