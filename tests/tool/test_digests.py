# SPDX-License-Identifier: Apache-2.0
"""SHA-256 on a core: which messages, and how answers are judged."""

import hashlib
import struct

from aesforge.reference import digests


def answers(cases: list[digests.DigestCase], cycles: int = 1000) -> list[bytes]:
    """What a core answers that is right in equal time."""
    return [struct.pack("<2I32s", cycles, 500, case.digest) for case in cases]


def test_the_cases() -> None:
    """NIST's, and lengths around the end of a block; every digest is OpenSSL's too."""
    cases = digests.cases()
    assert sum(case.source.startswith("CAVP") for case in cases) > 100
    assert {len(case.message) for case in cases} >= {0, 55, 56, 63, 64, 119, *digests.TIMED}
    assert max(len(case.message) for case in cases) <= digests.MOST
    for case in cases:
        assert hashlib.sha256(case.message).digest() == case.digest


def test_right_wrong_and_varying() -> None:
    """One wrong digest is named; another time of one message is counted, except the first's."""
    cases = digests.cases()
    right = answers(cases)
    judged = digests.judge(cases, b"".join(right))
    assert judged.reason == "" and judged.counts["right"] == len(cases)
    assert judged.counts["4096_cycles"] == 1000 and judged.counts["64_instructions"] == 500
    wrong = [bytes(40), *right[1:]]
    judged = digests.judge(cases, b"".join(wrong))
    assert judged.counts["wrong"] == 1 and "1 of" in judged.reason and "CAVP" in judged.reason
    late = answers(cases, 1007)
    cold = len(cases) - (1 + digests.RUNS)
    for place, spread in ((-1, 7), (cold, 0), (0, 0)):
        mixed = list(right)
        mixed[place] = late[place]
        assert digests.judge(cases, b"".join(mixed)).counts["spread_max"] == spread
    short = digests.judge(cases, b"".join(right[1:]))
    assert short.counts == {} and "bytes of answers" in short.reason
