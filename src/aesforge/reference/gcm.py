# SPDX-License-Identifier: Apache-2.0
"""Question "gcm": AES-GCM and GHASH on a core: vectors, forgeries, cycles, constant time.

Everything is a request to sw/harness/gcm.c and an answer with its cycles: `checks` lists what is
asked, `judge` compares the answers. The host tests send other requests through the same program.
"""

import random
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.base import proc
from aesforge.base.errors import SimulationError
from aesforge.records.record import Figure
from aesforge.reference import gcm_vectors
from aesforge.reference.gcm_vectors import GcmCase

SET_KEY, ENCRYPT, DECRYPT, GHASH = range(1, 5)
OK, BAD_KEY, BAD_LENGTH, BAD_TAG = 0, 1, 3, 4  # results of aes_gcm.h, as positive numbers
UNSUPPORTED = 2
SAME_PLACE = 4  # Request.place: the output takes the place of the input

TAG = 16  # bytes of a whole tag
GUARD = 16  # bytes after the output that must stay unchanged
UNTOUCHED = b"\xa5"
MAX_REPORTED = 3  # wrong answers named in a reason

# What is timed: bytes of text, with 13 bytes of AAD (a TLS record's), IV of 12 and tag of 16 bytes.
SIZES = (0, 16, 64, 256, 1500, 4096)
AAD_BYTES = 13
HASH_BLOCKS = 120  # bulk, as in the question "speed"
_WARM_BYTES = 400  # enough for a whole batch of blocks
_WARM_UPS = 2

# Every n-th group of the vector files (gcm_vectors.samples).
SAMPLES = 55
SAMPLES_SOFTWARE = 127

# Constant time: random keys and data, of an accelerator and of software.
CT_RUNS = 8
CT_RUNS_SOFTWARE = 4
_CT_WARM_UPS = 2
_CT_BYTES = 45

_HEAD = struct.Struct("<8I")
_ANSWER = struct.Struct("<3I")


@dataclass(frozen=True)
class GcmRequest:
    """One call: `tag` is what decryption compares (tag_bytes of it); text is plain or cipher.

    `piece` > 0 gives AAD and text in pieces of so many bytes; `place` is the offset of all buffers
    from a word boundary, plus SAME_PLACE.
    """

    command: int
    key: bytes
    iv: bytes = b""
    aad: bytes = b""
    text: bytes = b""
    tag: bytes = b""
    tag_bytes: int = TAG
    piece: int = 0
    place: int = 0

    def pack(self) -> bytes:
        """Return the request as bytes."""
        lengths = (len(self.iv), len(self.aad), len(self.text))
        head = _HEAD.pack(
            self.command, 8 * len(self.key), *lengths, self.tag_bytes, self.piece, self.place
        )
        data = (_padded(part) for part in (self.iv, self.aad, self.text))
        return head + self.key.ljust(32, b"\0") + b"".join(data) + self.tag.ljust(TAG, b"\0")


@dataclass(frozen=True)
class GcmAnswer:
    """Result of a call; `text` is followed by the guard."""

    status: int
    cycles: int
    instructions: int
    text: bytes
    tag: bytes


@dataclass(frozen=True)
class Check:
    """A request and its expected result: a call that fails writes nothing.

    Answers of one `same_time` group must take the same number of cycles; `figure` (mode, blocks)
    makes an answer's cycles a figure.
    """

    suite: str
    name: str
    request: GcmRequest
    status: int = OK
    text: bytes = b""
    tag: bytes = b""
    same_time: str = ""
    figure: tuple[str, int] | None = None

    def met_by(self, answer: GcmAnswer) -> bool:
        """Compare everything: result, text, tag, and the guard bytes after them."""
        wanted = self.request
        written = self.status == OK
        size = len(wanted.text)
        text = self.text if written else b""
        if len(text) < size:
            text = wanted.text if wanted.place & SAME_PLACE else UNTOUCHED * size
        tag = wanted.tag
        if wanted.command != DECRYPT:
            tag = self.tag if written else b""
            tag = tag.ljust(TAG, UNTOUCHED)
        return (
            answer.status == self.status
            and answer.text == text + UNTOUCHED * GUARD
            and answer.tag == tag.ljust(TAG, b"\0")
        )


@dataclass(frozen=True)
class Verdict:
    """The outcome of a list of checks: passes by suite, figures, and what went wrong."""

    counts: dict[str, int]
    figures: list[Figure]
    reason: str


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def stream(checks: Iterable[Check]) -> bytes:
    """Return the program's input."""
    return b"".join(check.request.pack() for check in checks)


def unpack(requests: Sequence[GcmRequest], output: bytes) -> list[GcmAnswer]:
    """Split the program's output into answers; SimulationError if bytes are missing or left."""
    answers: list[GcmAnswer] = []
    at = 0
    for number, request in enumerate(requests):
        size = len(request.text) + GUARD
        padded = size + -size % 4
        if len(output) < at + _ANSWER.size + padded + TAG:
            raise SimulationError(f"the output ends in answer {number} of {len(requests)}")
        status, cycles, instructions = _ANSWER.unpack_from(output, at)
        at += _ANSWER.size
        text, tag = output[at : at + size], output[at + padded : at + padded + TAG]
        at += padded + TAG
        answers.append(GcmAnswer(status, cycles, instructions, text, tag))
    if at != len(output):
        raise SimulationError(f"the output holds {len(output)} bytes, {at} were expected")
    return answers


# Checks -------------------------------------------------------------------------------------------


def case_checks(case: GcmCase, piece: int = 0, place: int = 0) -> list[Check]:
    """Encrypt and decrypt a valid case, or see it refused."""
    sealed = (case.key, case.iv, case.aad, case.ciphertext, case.tag)
    decrypt = GcmRequest(DECRYPT, *sealed, len(case.tag), piece, place)
    if not case.valid:
        status = BAD_TAG if case.iv else BAD_LENGTH
        return [Check(case.suite, case.name, decrypt, status)]
    opened = (case.key, case.iv, case.aad, case.plaintext, b"")
    encrypt = GcmRequest(ENCRYPT, *opened, len(case.tag), piece, place)
    both = [
        Check(case.suite, case.name, encrypt, OK, case.ciphertext, case.tag),
        Check(case.suite, case.name, decrypt, OK, case.plaintext),
    ]
    wanted = {"encrypt": both[:1], "decrypt": both[1:]}
    return wanted.get(case.direction, both)


def seal(key: bytes, iv: bytes, aad: bytes, plaintext: bytes) -> tuple[bytes, bytes]:
    """Return ciphertext and whole tag by OpenSSL (IVs of 8 to 128 bytes)."""
    encryptor = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    encryptor.authenticate_additional_data(aad)
    ciphertext = encryptor.update(plaintext) + encryptor.finalize()
    return bytes(ciphertext), bytes(encryptor.tag)


def random_case(
    rng: random.Random, size: int, key_bytes: int, aad: int = AAD_BYTES, iv: int = 12
) -> GcmCase:
    """A message of random bytes; lengths in bytes."""
    key, nonce = rng.randbytes(key_bytes), rng.randbytes(iv)
    data, plaintext = rng.randbytes(aad), rng.randbytes(size)
    return GcmCase(
        "random",
        f"random, {8 * key_bytes} bits, {size} bytes",
        "",
        0,
        *(key, nonce, data, plaintext),
        *seal(key, nonce, data, plaintext),
    )


def _flip(data: bytes, place: int) -> bytes:
    """Change one bit of byte `place`."""
    return bytes(byte ^ (0x10 if at == place else 0) for at, byte in enumerate(data))


def forgery_checks(case: GcmCase, place: int = 0) -> list[Check]:
    """A valid case with one bit changed: every byte of the tag, and everything authenticated."""
    good = case_checks(replace(case, direction="decrypt"), place=place)[0].request
    forged = [replace(good, tag=_flip(case.tag, at)) for at in range(len(case.tag))]
    forged += [replace(good, text=_flip(case.ciphertext, len(case.ciphertext) // 2))]
    forged += [replace(good, aad=_flip(case.aad, 0)), replace(good, iv=_flip(case.iv, 0))]
    forged += [replace(good, key=_flip(case.key, 0))]
    return [
        Check("forged", f"{case.name}, forgery {number}", request, BAD_TAG)
        for number, request in enumerate(forged)
    ]


def refusal_checks(case: GcmCase) -> list[Check]:
    """Keys, IVs and tags of lengths that there are not."""
    decrypt = GcmRequest(DECRYPT, case.key, case.iv, case.aad, case.ciphertext, case.tag)
    found = []
    for command in (ENCRYPT, DECRYPT):
        call = replace(decrypt, command=command, tag=case.tag if command == DECRYPT else b"")
        wrong = [(replace(call, key=case.key[:12]), BAD_KEY), (replace(call, iv=b""), BAD_LENGTH)]
        wrong += [(replace(call, tag_bytes=n), BAD_LENGTH) for n in (0, 1, 3, 5, 7, 9, 11, 17)]
        found += [
            Check("refused", f"refusal {number} of command {command}", request, status)
            for number, (request, status) in enumerate(wrong)
        ]
    return found


def ghash(subkey: bytes, blocks: bytes) -> bytes:
    """GHASH of whole blocks, bit by bit as SP 800-38D, sections 6.3 and 6.4, say it."""
    h, y = int.from_bytes(subkey, "big"), 0
    for at in range(0, len(blocks), 16):
        y ^= int.from_bytes(blocks[at : at + 16], "big")
        z, v = 0, h
        for bit in range(127, -1, -1):
            z ^= v * (y >> bit & 1)
            v = v >> 1 ^ (v & 1) * (0xE1 << 120)
        y = z
    return y.to_bytes(16, "big")


def ghash_check(subkey: bytes, blocks: bytes) -> Check:
    """GHASH alone, from a zero state."""
    request = GcmRequest(GHASH, subkey, text=blocks)
    return Check("GHASH", f"GHASH {len(blocks) // 16}", request, tag=ghash(subkey, blocks))


def _timed_checks(unit: bool) -> list[Check]:
    """Calls whose cycles are figures, each after warm-up calls."""
    rng = random.Random("timed")
    found: list[Check] = []

    def add(check: Check, warm: Check, mode: str, blocks: int) -> None:
        found.extend([warm] * _WARM_UPS)
        found.append(replace(check, figure=(mode, blocks)))

    for key_bytes in (16, 24, 32) if unit else (16,):
        key = Check("timed", "set-up", GcmRequest(SET_KEY, rng.randbytes(key_bytes)))
        add(key, key, "gcm-key-setup", 0)
        for size in SIZES if key_bytes == 16 else SIZES[-1:]:
            message = case_checks(random_case(rng, size, key_bytes))
            warm = case_checks(random_case(rng, min(size, _WARM_BYTES), key_bytes))
            # What tells nothing new: decryption of the longest by software and with longer keys.
            last = 2 if size < SIZES[-1] or (unit and key_bytes == 16) else 1
            for check, before in list(zip(message, warm, strict=True))[:last]:
                add(check, before, "gcm", (size + 15) // 16)
    subkey, blocks = rng.randbytes(16), rng.randbytes(16 * HASH_BLOCKS)
    add(ghash_check(subkey, blocks), ghash_check(subkey, blocks[:384]), "ghash", HASH_BLOCKS)
    return found


def _same_time_checks(runs: int) -> list[Check]:
    """Random keys, IVs and data of equal lengths; forgeries too, wherever the tag differs."""
    rng = random.Random("same time")
    found: list[Check] = []
    for iv in (12, 16):
        for run in range(-_CT_WARM_UPS, runs):
            both = case_checks(random_case(rng, _CT_BYTES, 16, iv=iv))
            forged = replace(
                both[1], request=replace(both[1].request, tag=rng.randbytes(TAG)), status=BAD_TAG
            )
            for check, what in zip((*both, forged), ("encrypt", "decrypt", "forged"), strict=True):
                found.append(replace(check, same_time=f"{what} iv {iv}" if run >= 0 else ""))
    for run in range(-_CT_WARM_UPS, runs):
        check = Check("timed", "set-up", GcmRequest(SET_KEY, rng.randbytes(16)))
        found.append(replace(check, same_time="key set-up" if run >= 0 else ""))
    return found


@lru_cache(maxsize=2)
def checks(kind: str) -> tuple[Check, ...]:
    """Everything that a kind of accelerator is asked on a core."""
    unit = kind != "software"
    rng = random.Random("gcm")
    message = random_case(rng, 40, 16)
    cases = gcm_vectors.samples(SAMPLES if unit else SAMPLES_SOFTWARE)
    found = [check for case in cases for check in case_checks(case)]
    found += forgery_checks(message)
    found += case_checks(message, place=1) + case_checks(message, piece=7)
    found += case_checks(message, place=SAME_PLACE) + forgery_checks(message, SAME_PLACE)[:1]
    found += refusal_checks(message)
    found += [ghash_check(rng.randbytes(16), rng.randbytes(16 * blocks)) for blocks in range(8)]
    found += _timed_checks(unit)
    found += _same_time_checks(CT_RUNS if unit else CT_RUNS_SOFTWARE)
    return tuple(found)


def fewer(found: Iterable[Check], key_bits: Collection[int]) -> list[Check]:
    """The checks of a unit that only takes keys of `key_bits`: all others it must refuse."""
    lacking = [bits for bits in gcm_vectors.KEY_BITS if bits not in key_bits]
    kept = [
        check
        for check in found
        if check.request.command == GHASH or 8 * len(check.request.key) not in lacking
    ]
    return kept + [
        Check("refused", f"AES-{bits}", GcmRequest(SET_KEY, bytes(bits // 8)), UNSUPPORTED)
        for bits in lacking
    ]


def digest(kind: str) -> str:
    """SHA-256 of what is asked and expected."""
    wanted = checks(kind)
    return proc.digest(stream(wanted).hex(), *(f"{c.status} {c.text!r} {c.tag!r}" for c in wanted))


def judge(wanted: Sequence[Check], output: bytes) -> Verdict:
    """Compare the program's answers with the checks."""
    answers = unpack([check.request for check in wanted], output)
    passed: Counter[str] = Counter()
    wrong: list[str] = []
    figures: list[Figure] = []
    times: dict[str, set[int]] = {}
    for check, answer in zip(wanted, answers, strict=True):
        if not check.met_by(answer):
            wrong.append(check.name)
            continue
        passed[check.suite] += 1
        if check.same_time:
            times.setdefault(check.same_time, set()).add(answer.cycles)
        if check.figure:
            mode, blocks = check.figure
            figures.append(
                Figure(
                    direction="decrypt" if check.request.command == DECRYPT else "encrypt",
                    key_bits=8 * len(check.request.key),
                    mode=mode,
                    blocks=blocks,
                    cycles=answer.cycles,
                    instructions=answer.instructions,
                )
            )
    spreads = {what: max(seen) - min(seen) for what, seen in times.items()}
    counts = {**dict(sorted(passed.items())), "wrong": len(wrong)}
    reason = ""
    if spreads:
        counts["spread_max"] = max(spreads.values())
    if wrong:
        named = ", ".join(wrong[:MAX_REPORTED]) + (", ..." if len(wrong) > MAX_REPORTED else "")
        reason = f"{len(wrong)} of {len(wanted)} answers wrong: {named}"
    return Verdict(counts, figures, reason)
