# SPDX-License-Identifier: Apache-2.0
"""Question "test": published vectors, lengths around every boundary, and refusals."""

from collections import Counter
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.base import proc
from aesforge.bench.job import MAX_REPORTED, Job, mode_cases, run
from aesforge.catalog.manifest import KEY_BITS
from aesforge.model import mct
from aesforge.records.record import Record
from aesforge.reference.wire import ModeAnswer, ModeRequest, unpack_answers

UNSUPPORTED = 2  # -AES_ERR_UNSUPPORTED


@dataclass(frozen=True)
class _Check:
    """A request, its expected answer, and its source."""

    suite: str
    name: str
    request: ModeRequest
    expected: ModeAnswer


def ask(job: Job) -> Record:
    """Every case that the variant offers."""
    checks = _vector_checks(job) + _length_checks(job)
    if "decrypt" not in job.variant.directions:
        checks.append(_refusal_check())
    requests = [check.request for check in checks]
    stream = b"".join(request.pack() for request in requests)
    result, output, sizes = run(job, stream)
    result.require(job.title)
    passed: Counter[str] = Counter()
    wrong: list[str] = []
    for check, answer in zip(checks, unpack_answers(requests, output), strict=True):
        same = answer.status == check.expected.status and (
            answer.status != 0
            or (
                answer.data == check.expected.data
                and (
                    not check.expected.before_last
                    or answer.before_last == check.expected.before_last
                )
            )
        )
        if same:
            passed[check.suite] += 1
        else:
            wrong.append(check.name)
    counts = {**dict(sorted(passed.items())), "wrong": len(wrong), **sizes}
    if wrong:
        named = ", ".join(wrong[:MAX_REPORTED]) + (", ..." if len(wrong) > MAX_REPORTED else "")
        reason = f"{len(wrong)} of {len(checks)} vectors wrong: {named}"
        return job.record("failed", counts=counts, reason=reason)
    return job.record("passed", counts=counts)


def ask_fewer(job: Job) -> Record:
    """The same of a variant that lacks key lengths: these are refused, their cases left out."""
    every = _vector_checks(job) + _length_checks(job)
    checks = [check for check in every if 8 * len(check.request.key) in job.variant.key_bits]
    left_out = len(every) - len(checks)
    checks += [_lacking_check(bits) for bits in KEY_BITS if bits not in job.variant.key_bits]
    if "decrypt" not in job.variant.directions:
        checks.append(_refusal_check())
    requests = [check.request for check in checks]
    result, output, sizes = run(job, b"".join(request.pack() for request in requests))
    result.require(job.title)
    answered = list(zip(checks, unpack_answers(requests, output), strict=True))
    passed = Counter(check.suite for check, answer in answered if _met(check, answer))
    wrong = [check.name for check, answer in answered if not _met(check, answer)]
    counts = {**dict(sorted(passed.items())), "wrong": len(wrong), "left_out": left_out, **sizes}
    reason = f"{len(wrong)} of {len(checks)} vectors wrong: " if wrong else ""
    reason += ", ".join(wrong[:MAX_REPORTED])
    return job.record("failed" if wrong else "passed", counts=counts, reason=reason)


def _met(check: _Check, answer: ModeAnswer) -> bool:
    """Compare the data only of a call that succeeds, and `before_last` where it is known."""
    right = check.expected
    if right.status or answer.status:
        return answer.status == right.status
    return answer.data == right.data and right.before_last in (b"", answer.before_last)


def _lacking_check(bits: int) -> _Check:
    """A variant must refuse a key of a length that it lacks."""
    request = ModeRequest("ecb", False, bytes(bits // 8), b"", bytes(16))
    return _Check("refusal", f"AES-{bits} refused", request, ModeAnswer(UNSUPPORTED, b""))


def _offered(job: Job, mode: str, direction: str) -> bool:
    """Tell whether a variant can run a case: CTR needs encryption only."""
    return mode == "ctr" or direction in job.variant.directions


def _vector_checks(job: Job) -> list[_Check]:
    """Every published vector that applies."""
    checks: list[_Check] = []
    for case in mode_cases(job.settings.mct_outer, job.settings.suites(job.kind))[0]:
        if not _offered(job, case.mode, case.direction):
            continue
        decrypt = case.direction == "decrypt"
        iterations = mct.INNER if case.kind == "MCT" else 0
        request = ModeRequest(case.mode, decrypt, case.key, case.iv, case.text, iterations)
        expected = ModeAnswer(0, case.result, case.penultimate)
        checks.append(_Check(case.kind, case.name, request, expected))
    return checks


def _length_checks(job: Job) -> list[_Check]:
    """Lengths that exercise every remainder of interleaved kernels; expected values by OpenSSL."""
    checks: list[_Check] = []
    for key_bytes in (16, 24, 32):
        key = bytes.fromhex(proc.digest(f"length check {key_bytes}"))[:key_bytes]
        iv = bytes.fromhex(proc.digest("length check iv"))[:12] + b"\xff\xff\xff\xfa"
        for mode, lengths in (
            ("ecb", [16 * blocks for blocks in (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17)]),
            ("cbc", [16 * blocks for blocks in (1, 2, 5, 16, 17)]),
            ("ctr", [0, 1, 15, 16, 17, 63, 64, 65, 255, 257, 300]),
        ):
            for length in lengths:
                seed = "".join(proc.digest(f"{mode} {length} {i}") for i in range(length // 32 + 1))
                plain = bytes.fromhex(seed)[:length]
                cipher = _openssl(mode, key, iv, plain)
                for direction in ("encrypt", "decrypt"):
                    if not _offered(job, mode, direction):
                        continue
                    decrypt = direction == "decrypt"
                    start, end = (cipher, plain) if decrypt else (plain, cipher)
                    request = ModeRequest(mode, decrypt, key, b"" if mode == "ecb" else iv, start)
                    name = f"{mode} {8 * key_bytes} {direction} {length} bytes"
                    checks.append(_Check("lengths", name, request, ModeAnswer(0, end)))
    return checks


def _openssl(mode: str, key: bytes, iv: bytes, plain: bytes) -> bytes:
    """Encrypt with the `cryptography` package, OpenSSL underneath."""
    chosen: modes.Mode = modes.ECB()
    if mode != "ecb":
        chosen = modes.CBC(iv) if mode == "cbc" else modes.CTR(iv)
    encryptor = Cipher(algorithms.AES(key), chosen).encryptor()  # type: ignore[misc]
    return bytes(encryptor.update(plain) + encryptor.finalize())


def _refusal_check() -> _Check:
    """An encrypt-only variant must say so."""
    request = ModeRequest("ecb", True, bytes(16), b"", bytes(16))
    return _Check("refusal", "decryption set-up refused", request, ModeAnswer(UNSUPPORTED, b""))
