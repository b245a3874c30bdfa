# SPDX-License-Identifier: Apache-2.0
"""Messages whose SHA-256 digests are compared: NIST's CAVP, and random ones whose time counts.

CAVP (byte-oriented): SHA256ShortMsg.rsp and what of SHA256LongMsg.rsp the harness takes, in
`cryptography_vectors`. Random messages are judged by OpenSSL (hashlib).
"""

import hashlib
import random
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

MOST = 8192  # bytes of a message, as in sw/harness/sha256.c
TIMED = (64, 1500, 4096)  # bytes of the messages whose time counts
RUNS = 8  # random messages of each, of which all must take the same time; one before fills caches
_AROUND = (*range(53, 66), 119, 120, 127, 128, 1000)  # ends of padded blocks
_FILES = ("SHA256ShortMsg.rsp", "SHA256LongMsg.rsp")
_CASE = re.compile(r"^Len = (\d+)\nMsg = ([0-9a-f]+)\nMD = ([0-9a-f]{64})$", re.MULTILINE)
_ANSWER = struct.Struct("<2I32s")


@dataclass(frozen=True)
class DigestCase:
    """A message, its SHA-256, and where both are from."""

    source: str
    message: bytes
    digest: bytes


@dataclass(frozen=True)
class Judged:
    """What came back: numbers, and why it is wrong (or empty)."""

    counts: dict[str, int]
    reason: str


def cases() -> list[DigestCase]:
    """Return all cases; the timed ones are the last, by length."""
    found: list[DigestCase] = []
    for name in _FILES:
        place = resources.files("cryptography_vectors") / "hashes" / "SHA2" / name
        for bits, text, digest in _CASE.findall(place.read_text(encoding="utf-8")):
            message = bytes.fromhex(text)[: int(bits) // 8]
            if len(message) <= MOST:
                found.append(DigestCase(f"CAVP {name}", message, bytes.fromhex(digest)))
    rng = random.Random("digests")
    for length in (*_AROUND, *(length for length in TIMED for _ in range(1 + RUNS))):
        message = rng.randbytes(length)
        found.append(DigestCase("random", message, hashlib.sha256(message).digest()))
    return found


def stream(wanted: Sequence[DigestCase]) -> bytes:
    """Return what the harness reads."""
    words = [(len(case.message), case.message) for case in wanted]
    return b"".join(struct.pack("<I", n) + text + bytes(-n % 4) for n, text in words)


def judge(wanted: Sequence[DigestCase], output: bytes) -> Judged:
    """Compare digests; of each timed length count cycles and instructions, and how they vary.

    counts: right, wrong, spread_max (cycles between two messages of one length), and
    <bytes>_cycles and <bytes>_instructions of the first message of each timed length.
    """
    size = _ANSWER.size
    if len(output) != size * len(wanted):
        return Judged({}, f"{len(output)} bytes of answers, {size * len(wanted)} wanted")
    answers = list(_ANSWER.iter_unpack(output))
    wrong = [c for c, (_, _, made) in zip(wanted, answers, strict=True) if made != c.digest]
    counts = {"right": len(wanted) - len(wrong), "wrong": len(wrong), "spread_max": 0}
    timed = answers[-len(TIMED) * (1 + RUNS) :]
    for number, length in enumerate(TIMED):
        warm = timed[number * (1 + RUNS) + 1 : (number + 1) * (1 + RUNS)]
        cycles = [entry[0] for entry in warm]
        counts[f"{length}_cycles"] = cycles[0]
        counts[f"{length}_instructions"] = warm[0][1]
        counts["spread_max"] = max(counts["spread_max"], max(cycles) - min(cycles))
    reason = ""
    if wrong:
        first = wrong[0]
        reason = (
            f"{len(wrong)} of {len(wanted)} digests wrong: {first.source}, {len(first.message)}"
            " bytes"
        )
    return Judged(counts, reason)
