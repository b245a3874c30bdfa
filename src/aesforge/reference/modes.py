# SPDX-License-Identifier: Apache-2.0
"""Question "modes": CCM, CMAC, XTS, GMAC, KW, KWP and GCM-SIV on a core.

Everything is a request to sw/harness/modes.c and an answer with its cycles: `checks` lists what is
asked, `judge` compares the answers. The host tests send other requests through the same program.

Constant time is asked as one request for each mode: the core makes random keys, nonces and texts of
its own, and answers with the least and the most cycles of each step.
"""

import random
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from cryptography.hazmat.primitives import cmac, keywrap
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV

from aesforge.base import proc
from aesforge.base.errors import SimulationError
from aesforge.records.record import Figure
from aesforge.reference import mode_vectors
from aesforge.reference.mode_vectors import SealedCase

MODES = ("ccm", "cmac", "xts", "gmac", "kw", "kwp", "kw-inverse", "kwp-inverse", "gcm-siv")
MACS = ("cmac", "gmac")
WRAPS = ("kw", "kwp", "kw-inverse", "kwp-inverse")
IN_PIECES = ("ccm", "cmac", "gmac")

SET_KEY, ENCRYPT, DECRYPT, TIME = range(1, 5)
# Results of aes_kernel.h, as positive numbers.
OK, BAD_KEY, UNSUPPORTED, BAD_LENGTH, BAD_TAG, WEAK_KEY = 0, 1, 2, 3, 4, 9
SAME_PLACE = 4  # ModeCall.place: the output takes the place of the input

TAG = 16  # bytes of a whole tag
HALF = 8  # bytes of a semiblock of a wrapped key
AFTER = 32  # bytes after the text's length in an answer: what a key wrap adds, and a guard
UNTOUCHED = b"\xa5"
MAX_REPORTED = 3  # wrong answers named in a reason

# What is timed: bytes of text, with 13 bytes of AAD, and of wrapped keys.
SIZES = (16, 64, 256, 1500, 4096)
KEY_SIZES = (16, 32)
AAD_BYTES = 13
SAMPLE = 12  # valid and refused cases of each suite on a core
CT_RUNS = 20  # random inputs whose times are compared, on the host; on a core: bench.job.ct_runs
# Bytes of what is timed: a block and a part of one; a wrapped key, with padding 3 bytes less.
_CT_BYTES = 21
_CT_WRAPPED = 16
# CCM of more than 256 bytes takes the code of its calls for pieces; no other mode has two ways.
_CT_PIECES = {"ccm": (0, 11)}
_WARM_UPS = 2
# What a run times, in this order.
STEPS = ("key", "seal", "key back", "open", "forged")

_HEAD = struct.Struct("<9I")
_ANSWER = struct.Struct("<4I")
_TIMES = struct.Struct(f"<{2 * len(STEPS)}I")


@dataclass(frozen=True)
class ModeCall:
    """One call of sw/harness/modes.c: `text` is plain or cipher, `tag` what is compared.

    `piece` > 0 gives AAD and text in pieces of so many bytes; `place` is the offset of all buffers
    from a word boundary, plus SAME_PLACE.
    """

    command: int
    mode: str
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
        head = _HEAD.pack(
            self.command,
            MODES.index(self.mode),
            8 * len(self.key),
            len(self.iv),
            len(self.aad),
            len(self.text),
            self.tag_bytes,
            self.piece,
            self.place,
        )
        data = (part + b"\0" * (-len(part) % 4) for part in (self.iv, self.aad, self.text))
        return head + self.key.ljust(64, b"\0") + b"".join(data) + self.tag.ljust(TAG, b"\0")


@dataclass(frozen=True)
class Answer:
    """Result of a call; `text` is the output and the AFTER bytes after the text's length."""

    status: int
    cycles: int
    instructions: int
    plain_bytes: int
    text: bytes
    tag: bytes


@dataclass(frozen=True)
class Check:
    """A request and its expected result; `written` is all that the call may write to the output.

    `figure` (mode, blocks) makes an answer's cycles a figure. A call that times random inputs takes
    `steps`, each in the same number of cycles.
    """

    suite: str
    name: str
    call: ModeCall
    status: int = OK
    written: bytes = b""
    tag: bytes = b""
    plain_bytes: int = 0
    steps: tuple[str, ...] = ()
    figure: tuple[str, int] | None = None

    def met_by(self, answer: Answer) -> bool:
        """Compare everything: result, output and every byte after it, tag."""
        if self.call.command == TIME:
            return answer.status == self.status and tuple(spreads(answer)) == self.steps
        before = self.call.text if self.call.place & SAME_PLACE else b""
        before = before.ljust(len(self.call.text) + AFTER, UNTOUCHED)
        tag = self.call.tag.ljust(TAG, b"\0")
        if self.call.command != DECRYPT:
            tag = self.tag.ljust(TAG, UNTOUCHED)
        return (
            answer.status == self.status
            and answer.plain_bytes == self.plain_bytes
            and answer.text == self.written + before[len(self.written) :]
            and answer.tag == tag
        )


@dataclass(frozen=True)
class Verdict:
    """The outcome of a list of checks: passes by suite, figures, what went wrong, what varied."""

    counts: dict[str, int]
    figures: list[Figure]
    reason: str
    varying: tuple[str, ...] = ()


def stream(checks: Iterable[Check]) -> bytes:
    """Return the program's input."""
    return b"".join(check.call.pack() for check in checks)


def unpack(calls: Sequence[ModeCall], output: bytes) -> list[Answer]:
    """Split the program's output into answers; SimulationError if bytes are missing or left."""
    answers: list[Answer] = []
    at = 0
    for number, call in enumerate(calls):
        size = len(call.text) + AFTER
        padded = size + -size % 4
        if len(output) < at + _ANSWER.size + padded + TAG:
            raise SimulationError(f"the output ends in answer {number} of {len(calls)}")
        status, cycles, instructions, plain = _ANSWER.unpack_from(output, at)
        at += _ANSWER.size
        text, tag = output[at : at + size], output[at + padded : at + padded + TAG]
        answers.append(Answer(status, cycles, instructions, plain, text, tag))
        at += padded + TAG
    if at != len(output):
        raise SimulationError(f"the output holds {len(output)} bytes, {at} were expected")
    return answers


def spreads(answer: Answer) -> dict[str, int]:
    """Return how far apart the cycles of each step are, of those that the runs took."""
    words = _TIMES.unpack_from(answer.text)
    pairs = dict(zip(STEPS, zip(words[::2], words[1::2], strict=True), strict=True))
    return {step: most - least for step, (least, most) in pairs.items() if least <= most}


# Checks -------------------------------------------------------------------------------------------


def refused_length(call: ModeCall) -> bool:
    """Whether a length of a call is one that its mode lacks."""
    size = len(call.text)
    wrapping = call.command == ENCRYPT
    if call.mode == "ccm":
        tags = range(4, TAG + 1, 2)
        nonce = len(call.iv)
        return not 7 <= nonce <= 13 or call.tag_bytes not in tags or size >> 8 * (15 - nonce) > 0
    if call.mode == "cmac":
        return not 4 <= call.tag_bytes <= TAG
    if call.mode == "gmac":
        return not call.iv or call.tag_bytes not in (4, 8, *range(12, TAG + 1))
    if call.mode == "xts":
        return not 16 <= size <= 16 << 20
    if call.mode in ("kw", "kw-inverse"):
        return size % HALF > 0 or size < (2 if wrapping else 3) * HALF
    if call.mode in ("kwp", "kwp-inverse"):
        return size == 0 if wrapping else size % HALF > 0 or size < 2 * HALF
    return False


def _key_refused(call: ModeCall) -> int:
    """The status of a key that its mode lacks."""
    sizes = {"xts": (32, 64), "gcm-siv": (16, 32)}.get(call.mode, (16, 24, 32))
    if len(call.key) not in sizes:
        return BAD_KEY
    half = len(call.key) // 2
    return WEAK_KEY if call.mode == "xts" and call.key[:half] == call.key[half:] else OK


def needs_decryption(call: ModeCall) -> bool:
    """Whether a call deciphers blocks, which encrypt-only variants cannot."""
    forth = call.mode in ("kw-inverse", "kwp-inverse")
    back = call.mode in ("xts", "kw", "kwp")
    return forth if call.command == ENCRYPT else back


def refusal(call: ModeCall) -> int | None:
    """The status of a call whose key or lengths are refused before anything is written."""
    if status := _key_refused(call):
        return status
    return BAD_LENGTH if refused_length(call) else None


def case_checks(
    case: SealedCase, piece: int = 0, place: int = 0, *, both: bool = True
) -> list[Check]:
    """Seal and open a valid case, or see it refused."""
    piece = piece if case.mode in IN_PIECES else 0
    size = len(case.tag) or TAG
    kept = case.plaintext if case.mode == "cmac" else b""
    opened = (case.key, case.iv, case.aad, case.plaintext, b"")
    sealed = (case.key, case.iv, case.aad, case.ciphertext or kept, case.tag)
    encrypt = ModeCall(ENCRYPT, case.mode, *opened, size, piece, place)
    decrypt = ModeCall(DECRYPT, case.mode, *sealed, size, piece, place)
    found = []
    if case.valid or refusal(encrypt):
        status = refusal(encrypt)
        writes = status is None
        found.append(
            Check(
                case.suite,
                case.name,
                encrypt,
                status or OK,
                case.ciphertext if writes else b"",
                case.tag if writes else b"",
            )
        )
    if both and (case.mode not in WRAPS or case.ciphertext):
        status = refusal(decrypt)
        if status is not None:
            found.append(Check(case.suite, case.name, decrypt, status))
        elif case.valid:
            padded = case.mode in ("kwp", "kwp-inverse")
            found.append(
                Check(
                    case.suite,
                    case.name,
                    decrypt,
                    OK,
                    b""
                    if case.mode in MACS
                    else case.plaintext + b"\0" * (-len(case.plaintext) % HALF)
                    if padded
                    else case.plaintext,
                    plain_bytes=len(case.plaintext) if padded else 0,
                )
            )
        else:
            found.append(Check(case.suite, case.name, decrypt, BAD_TAG, _wiped(decrypt)))
    return found


def _wiped(call: ModeCall) -> bytes:
    """What a forged message leaves in the output: zeros, or nothing if it was only read."""
    if call.mode in MACS or call.piece:
        return b""
    return bytes(len(call.text) - (HALF if call.mode in WRAPS else 0))


def without_decryption(found: Iterable[Check]) -> list[Check]:
    """The same checks of a variant that only encrypts: XTS looks at its key before it says so."""
    return [
        replace(check, status=UNSUPPORTED, written=b"", tag=b"", plain_bytes=0, figure=None)
        if needs_decryption(check.call)
        and (check.call.mode in WRAPS or check.status not in (BAD_KEY, WEAK_KEY))
        else check
        for check in found
    ]


# Right answers of OpenSSL -------------------------------------------------------------------------


def seal(mode: str, key: bytes, iv: bytes, aad: bytes, text: bytes) -> tuple[bytes, bytes]:
    """Return ciphertext and whole tag by OpenSSL."""
    if mode == "ccm":
        both = AESCCM(key).encrypt(iv, text, aad)
        return both[:-TAG], both[-TAG:]
    if mode == "gcm-siv":
        both = AESGCMSIV(key).encrypt(iv, text, aad)
        return both[:-TAG], both[-TAG:]
    if mode == "gmac":
        return b"", AESGCM(key).encrypt(iv, b"", aad)
    if mode == "cmac":
        made = cmac.CMAC(algorithms.AES(key))
        made.update(text)
        return b"", made.finalize()
    if mode == "xts":
        encryptor = Cipher(algorithms.AES(key), modes.XTS(iv)).encryptor()
        return encryptor.update(text) + encryptor.finalize(), b""
    if mode == "kw":
        return keywrap.aes_key_wrap(key, text), b""
    if mode == "kwp":
        return keywrap.aes_key_wrap_with_padding(key, text), b""
    return _inverse_wrap(mode, key, text), b""


def _inverse_wrap(mode: str, key: bytes, text: bytes) -> bytes:
    """SP 800-38F, algorithms 1, 3 and 5, with the inverse cipher."""
    cipher = Cipher(algorithms.AES(key), modes.ECB()).decryptor()
    a = b"\xa6" * HALF
    if mode == "kwp-inverse":
        a = b"\xa6\x59\x59\xa6" + len(text).to_bytes(4, "big")
        text += b"\0" * (-len(text) % HALF)
        if len(text) == HALF:
            return cipher.update(a + text)
    r = [text[at : at + HALF] for at in range(0, len(text), HALF)]
    for step in range(6 * len(r)):
        block = cipher.update(a + r[step % len(r)])
        a = (int.from_bytes(block[:HALF], "big") ^ (step + 1)).to_bytes(HALF, "big")
        r[step % len(r)] = block[HALF:]
    return a + b"".join(r)


def random_case(
    rng: random.Random,
    mode: str,
    size: int,
    key_bytes: int = 16,
    *,
    aad: int = AAD_BYTES,
    iv: int = 12,
    tag: int = TAG,
) -> SealedCase:
    """A message of random bytes; lengths in bytes. XTS has two keys of `key_bytes`."""
    key = rng.randbytes(key_bytes * (2 if mode == "xts" else 1))
    nonce = b"" if mode in ("cmac", *WRAPS) else rng.randbytes(16 if mode == "xts" else iv)
    data = rng.randbytes(aad) if mode in ("ccm", "gmac", "gcm-siv") else b""
    text = b"" if mode == "gmac" else rng.randbytes(size)
    if mode == "gmac":
        data = rng.randbytes(size)
    if mode == "ccm":
        both = AESCCM(key, tag_length=tag).encrypt(nonce, text, data)
        ciphertext, whole = both[: len(text)], both[len(text) :]
    else:
        ciphertext, whole = seal(mode, key, nonce, data, text)
    name = f"random {mode}, {8 * key_bytes} bits, {size} bytes"
    return SealedCase("random", name, mode, key, nonce, data, text, ciphertext, whole[:tag])


def _flip(data: bytes, place: int) -> bytes:
    """Change one bit of byte `place`."""
    return bytes(byte ^ (0x10 if at == place else 0) for at, byte in enumerate(data))


def forged_cases(case: SealedCase) -> list[SealedCase]:
    """A valid case with one bit changed: every byte of the tag, and everything authenticated."""
    if case.mode == "xts":
        return []
    forged = [replace(case, tag=_flip(case.tag, at)) for at in range(len(case.tag))]
    if case.mode in WRAPS:
        forged = [
            replace(case, ciphertext=_flip(case.ciphertext, at))
            for at in range(len(case.ciphertext))
        ]
    elif case.ciphertext:
        middle = len(case.ciphertext) // 2
        forged.append(replace(case, ciphertext=_flip(case.ciphertext, middle)))
    if case.mode == "cmac" and case.plaintext:
        forged.append(replace(case, plaintext=_flip(case.plaintext, len(case.plaintext) // 2)))
    forged += [replace(case, iv=_flip(case.iv, 0))] if case.iv else []
    forged += [replace(case, aad=_flip(case.aad, 0))] if case.aad else []
    forged += [replace(case, key=_flip(case.key, 0))]
    return [
        replace(one, suite="forged", name=f"{case.name}, forgery {n}", valid=False)
        for n, one in enumerate(forged)
    ]


def forgery_checks(case: SealedCase, piece: int = 0, place: int = 0) -> list[Check]:
    """See the forgeries of a valid case refused."""
    return [check for forged in forged_cases(case) for check in case_checks(forged, piece, place)]


def refusal_checks() -> list[Check]:
    """Keys, nonces, texts and tags of lengths that a mode lacks; equal halves of an XTS key."""
    rng = random.Random("refused")
    wrong: list[ModeCall] = []
    for mode in MODES:
        case = random_case(rng, mode, 32)
        kept = case.plaintext if mode == "cmac" else b""
        for command in (ENCRYPT, DECRYPT):
            text = case.plaintext if command == ENCRYPT else case.ciphertext or kept
            tag = case.tag if command == DECRYPT else b""
            call = ModeCall(command, mode, case.key, case.iv, case.aad, text, tag)
            wrong += [replace(call, key=case.key[:n]) for n in (0, 8, 15) if mode != "xts"]
            if mode == "gcm-siv":
                wrong.append(replace(call, key=rng.randbytes(24)))
            if mode in IN_PIECES:
                lengths = [n for n in range(18) if n not in (4, 8, 12, 16)]
                tags = [replace(call, tag_bytes=n) for n in lengths]
                wrong += [one for one in tags if refused_length(one)]
            if mode == "ccm":
                wrong += [replace(call, iv=rng.randbytes(n)) for n in (0, 6, 14, 16)]
            if mode == "gmac":
                wrong.append(replace(call, iv=b""))
            if mode == "xts":
                wrong += [replace(call, key=rng.randbytes(n)) for n in (0, 16, 24, 48, 63)]
                wrong += [replace(call, key=2 * rng.randbytes(n)) for n in (16, 32)]
                wrong += [replace(call, text=rng.randbytes(n)) for n in (0, 1, 15)]
            if mode in WRAPS:
                sizes = (0, 8, 17, 23, 28) if mode.startswith("kw-") or mode == "kw" else (0, 9)
                calls = [replace(call, text=rng.randbytes(n)) for n in sizes]
                wrong += [one for one in calls if refused_length(one)]
    found = []
    for number, call in enumerate(wrong):
        status = refusal(call)
        assert status is not None
        found.append(Check("refused", f"refusal {number} of {call.mode}", call, status))
    return found


def samples(every: int = 1) -> list[SealedCase]:
    """A selection for the cores: of each suite's valid and refused cases some, spread evenly."""
    chosen: list[SealedCase] = []
    for suite in mode_vectors.COUNTS:
        cases = mode_vectors.load(suite)
        for valid in (True, False):
            some = [c for c in cases if c.valid == valid and len(c.ciphertext) <= _LONGEST_SAMPLE]
            step = max(1, len(some) // (SAMPLE // every or 1))
            chosen += some[step // 2 :: step]
    return chosen


_LONGEST_SAMPLE = 300  # bytes: a wrapped key of 512 takes 384 blocks


def _timed_checks() -> list[Check]:
    """Calls whose cycles are figures, each after warm-up calls."""
    rng = random.Random("timed modes")
    found: list[Check] = []
    for mode in MODES:
        for size in KEY_SIZES if mode in WRAPS else SIZES:
            for check in case_checks(random_case(rng, mode, size)):
                found += [check] * _WARM_UPS
                found.append(replace(check, figure=(mode, (size + 15) // 16)))
    return found


def time_checks(runs: int, *, decrypts: bool = True) -> list[Check]:
    """Random keys, nonces and data of equal lengths, sealed, opened and forged."""
    found: list[Check] = []
    for mode in MODES:
        for piece in _CT_PIECES.get(mode, (0,)):
            size = _CT_WRAPPED - 3 * mode.startswith("kwp") if mode in WRAPS else _CT_BYTES
            pattern = random_case(random.Random("lengths"), mode, size)
            call = ModeCall(
                TIME,
                mode,
                struct.pack("<2I", len(found) + 1, runs).ljust(len(pattern.key), b"\0"),
                bytes(len(pattern.iv)),
                bytes(len(pattern.aad)),
                bytes(size),
                piece=piece,
            )
            taken = _steps(mode, decrypts)
            lacks = len(taken) < len(_steps(mode, decrypts=True))
            name = f"{mode} in pieces" if piece else mode
            status = UNSUPPORTED if lacks else OK
            found.append(Check("timed", name, call, status, steps=taken))
    return found


def _steps(mode: str, decrypts: bool) -> tuple[str, ...]:
    """What the runs of a mode time: XTS refuses nothing; some need the inverse cipher."""
    if decrypts or mode not in ("xts", *WRAPS):
        return STEPS[:4] if mode == "xts" else STEPS
    return () if mode.endswith("-inverse") else STEPS[:2]


@lru_cache(maxsize=4)
def checks(
    kind: str, directions: tuple[str, ...] = ("encrypt", "decrypt"), runs: int = CT_RUNS
) -> tuple[Check, ...]:
    """Everything that a kind of accelerator is asked on a core, with `runs` timed inputs."""
    unit = kind != "software"
    rng = random.Random("modes")
    found = [check for case in samples(1 if unit else 3) for check in case_checks(case)]
    for mode in MODES:
        message = random_case(rng, mode, 40)
        found += case_checks(message, place=1) + case_checks(message, place=SAME_PLACE)
        found += case_checks(message, piece=7) if mode in IN_PIECES else []
        found += forgery_checks(message) + forgery_checks(message, place=SAME_PLACE)[:1]
    found += refusal_checks()
    found += _timed_checks()
    decrypts = "decrypt" in directions
    found = found if decrypts else without_decryption(found)
    return (*found, *time_checks(runs, decrypts=decrypts))


def fewer(found: Iterable[Check], key_bits: Collection[int]) -> list[Check]:
    """The checks of a unit that only takes keys of `key_bits`: all others it must refuse."""

    def lacks(call: ModeCall) -> bool:
        bits = 8 * len(call.key) // (2 if call.mode == "xts" else 1)
        return bits in mode_vectors.KEY_BITS and bits not in key_bits

    kept = [check for check in found if check.call.command == TIME or not lacks(check.call)]
    rng = random.Random("lacking")  # XTS refuses two equal keys first
    for mode in MODES:
        for bits in mode_vectors.KEY_BITS:
            call = ModeCall(SET_KEY, mode, rng.randbytes(bits // (4 if mode == "xts" else 8)))
            if lacks(call) and not _key_refused(call):
                kept.append(Check("refused", f"{mode}, AES-{bits}", call, UNSUPPORTED))
    return kept


def digest(kind: str, directions: Collection[str], runs: int) -> str:
    """SHA-256 of what is asked and expected."""
    wanted = checks(kind, tuple(directions), runs)
    return proc.digest(
        stream(wanted).hex(), *(f"{c.status} {c.written!r} {c.tag!r} {c.steps}" for c in wanted)
    )


def judge(wanted: Sequence[Check], output: bytes) -> Verdict:
    """Compare the program's answers with the checks."""
    answers = unpack([check.call for check in wanted], output)
    passed: Counter[str] = Counter()
    wrong: list[str] = []
    figures: list[Figure] = []
    times: dict[str, int] = {}
    for check, answer in zip(wanted, answers, strict=True):
        if not check.met_by(answer):
            wrong.append(check.name)
            continue
        passed[check.suite] += 1
        if check.call.command == TIME:
            passed[check.suite] += len(check.steps) - 1
            times |= {f"{check.name}, {step}": n for step, n in spreads(answer).items()}
        if check.figure:
            mode, blocks = check.figure
            figures.append(
                Figure(
                    direction="decrypt" if check.call.command == DECRYPT else "encrypt",
                    key_bits=8 * len(check.call.key) // (2 if mode == "xts" else 1),
                    mode=mode,
                    blocks=blocks,
                    cycles=answer.cycles,
                    instructions=answer.instructions,
                )
            )
    counts = {**dict(sorted(passed.items())), "wrong": len(wrong)}
    if times:
        counts["spread_max"] = max(times.values())
    reason = ""
    if wrong:
        named = ", ".join(wrong[:MAX_REPORTED]) + (", ..." if len(wrong) > MAX_REPORTED else "")
        reason = f"{len(wrong)} of {len(wanted)} answers wrong: {named}"
    varying = tuple(f"{what} by {spread}" for what, spread in times.items() if spread)
    return Verdict(counts, figures, reason, varying)
