# SPDX-License-Identifier: Apache-2.0
"""CCM, CMAC, XTS, GMAC, KW, KWP and GCM-SIV on the host: whole vector files, OpenSSL, faults.

Programs are sw/harness/modes.c with the modes and a kernel, a unit's operations being its
emulation; undefined behaviour and accesses outside an object end them.
"""

import json
import random
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from aesforge.base.errors import SimulationError
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.reference import mode_vectors, modes
from aesforge.reference.mode_vectors import COUNTS
from aesforge.reference.modes import Check, ModeCall, Verdict
from aesforge.reference.vectors import VectorError
from fuzz_support import subjects
from harness_support import BASELINE, HASHING, MODES, build, name_of

Build = Callable[[Accelerator, Variant], Path]
PLAIN = (BASELINE, BASELINE.variant(""))
EVERY = subjects()
HASHED = ("gmac", "gcm-siv")  # modes that stand on GHASH


def run(program: Path, checks: Sequence[Check]) -> Verdict:
    """Send checks through a program."""
    done = subprocess.run(
        [program], input=modes.stream(checks), capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[:2000]
    return modes.judge(checks, done.stdout)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The program of an accelerator's variant, compiled once."""

    @cache
    def made(accelerator: str, variant: str) -> Path:
        found = manifest.find(accelerator)
        folder = tmp_path_factory.mktemp(f"{accelerator}-{variant}")
        return build(folder / "modes", found, found.variant(variant))

    return lambda accelerator, variant: made(accelerator.name, variant.name)


# --- what is right --------------------------------------------------------------------------------


WHOLE = [
    pytest.param(subject, suite, id=f"{subject[0].name}-{subject[1].name}-{suite}")
    for subject, suites in ((PLAIN, COUNTS), *((found, HASHED) for found in HASHING))
    for suite in suites
]


@pytest.mark.parametrize(("subject", "suite"), WHOLE)
def test_whole_files(program: Build, subject: tuple[Accelerator, Variant], suite: str) -> None:
    """Every case of every file: each is asked for at least once, and none is answered wrong."""
    cases = mode_vectors.load(suite)
    checks = [check for case in cases for check in modes.case_checks(case)]
    assert len({check.name for check in checks}) == COUNTS[suite]
    verdict = run(program(*subject), checks)
    assert verdict.reason == ""
    asked = {name: 0 for name in verdict.counts}
    for check in checks:
        asked[check.suite] += 1
    assert verdict.counts == asked | {"wrong": 0}


def test_published_counts() -> None:
    """What the standards' and Wycheproof's files hold."""
    assert COUNTS == {
        "ccm": 2880 + 552,
        "cmac": 12 + 311,
        "xts": 2800,
        "gmac": 9450,
        "kw": 6000 + 165,
        "kwp": 6000 + 254,
        "gcm-siv": 46 + 46,
    }


@pytest.mark.parametrize(("accelerator", "variant"), EVERY, ids=name_of)
def test_every_kernel(program: Build, accelerator: Accelerator, variant: Variant) -> None:
    """What the question asks on a core: vectors of each suite, forgeries, refusals."""
    wanted = modes.checks(accelerator.manifest.kind, tuple(variant.directions))
    assert run(program(accelerator, variant), wanted).reason == ""


@pytest.mark.parametrize("mode", modes.MODES)
def test_equals_openssl(program: Build, mode: str) -> None:
    """Random lengths of everything, at random places, whole and in pieces; forgeries of some."""
    rng = random.Random(f"{mode} against OpenSSL")
    checks: list[Check] = []
    for number in range(200):
        size = rng.choice([rng.randrange(80), rng.randrange(1200)])
        if mode == "xts":
            size += 16
        elif mode in ("kw", "kw-inverse"):
            size = 8 * rng.randrange(2, 40)
        elif mode in modes.WRAPS:
            size = rng.choice([rng.randrange(1, 18), rng.randrange(1, 300)])
        key = rng.choice([16, 32] if mode in ("xts", "gcm-siv") else [16, 24, 32])
        case = modes.random_case(
            rng,
            mode,
            size,
            key,
            aad=rng.randrange(70),
            iv=rng.randrange(7, 14) if mode == "ccm" else 12,
            tag=rng.choice([4, 6, 8, 10, 12, 14, 16]) if mode == "ccm" else 16,
        )
        case = replace(case, name=f"{case.name}, {number}")
        piece = rng.choice([0, 0, rng.randrange(1, 40), rng.randrange(16, 700)])
        place = rng.randrange(4) + modes.SAME_PLACE * rng.randrange(2)
        checks += modes.case_checks(case, piece, place)
        if number % 10 == 0:
            checks += modes.forgery_checks(case, piece, place)
    assert run(program(*PLAIN), checks).reason == ""


@pytest.mark.parametrize("aad", [0, 1, 13, 14, 15, 16, 0xFEFF, 0xFF00, 0xFF01, 0x10001])
def test_every_encoding_of_a_length_of_aad(program: Build, aad: int) -> None:
    """CCM writes the length of the AAD in two or six bytes; ten bytes are test_sealed_misuse's."""
    rng = random.Random(aad)
    case = modes.random_case(rng, "ccm", 33, aad=aad)
    checks = [*modes.case_checks(case), *modes.case_checks(case, piece=4099)]
    assert run(program(*PLAIN), checks).reason == ""


def test_counters_that_wrap() -> None:
    """GCM-SIV counts in 32 bits of the tag: two of the RFC's examples go beyond their end."""
    chosen = [case for case in mode_vectors.gcm_siv() if case.tag[:4] == b"\xff" * 4 and case.valid]
    assert [len(case.plaintext) > 16 for case in chosen] == [True, True]


def test_the_yardstick_of_the_inverse_wrap() -> None:
    """The model of wrapping with the inverse cipher gives what NIST's files say."""
    for suite, mode in (("kw", "kw-inverse"), ("kwp", "kwp-inverse")):
        cases = [c for c in mode_vectors.load(suite) if c.mode == mode and c.valid][::250]
        assert len(cases) > 5
        for case in cases:
            sealed, _ = modes.seal(mode, case.key, b"", b"", case.plaintext)
            assert sealed == case.ciphertext


def test_samples_cover_what_there_is() -> None:
    """On the cores: every mode and key length, valid and refused."""
    for every in (1, 3):
        chosen = modes.samples(every)
        assert {case.mode for case in chosen} == set(modes.MODES)
        for mode in ("ccm", "cmac", "gmac", "kw", "kwp"):
            some = [case for case in chosen if case.mode.startswith(mode)]
            assert {case.valid for case in some} == {True, False}
            if every == 1:
                assert {len(case.key) for case in some} >= {16, 24, 32}


# --- planted faults -------------------------------------------------------------------------------

FAULTS = {
    "CBC-MAC that forgets its state": (
        "aes_cbc_mac.c",
        "status = aes_cbc_encrypt_blocks(k, state, in, (uint8_t *)piece, n);",
        "copy(state, in, AES_BLOCK_BYTES);\n"
        "    status = aes_cbc_encrypt_blocks(k, state, in, (uint8_t *)piece, n);",
    ),
    "a subkey of the other polynomial": ("aes_cmac.c", "0x87u &", "0x1bu &"),
    "the other subkey": ("aes_cmac.c", "subkey = c->key->k2;", "subkey = c->key->k1;"),
    "CMAC compared without its last byte": (
        "aes_cmac.c",
        "unequal(c->state, tag, tag_bytes)",
        "unequal(c->state, tag, tag_bytes - 1u)",
    ),
    "a whole block padded": (
        "aes_cmac.c",
        "if (c->used != AES_BLOCK_BYTES) {\n    ((uint8_t *)c->state)[c->used]",
        "if (c->used != AES_BLOCK_BYTES || c->phase == 9u) {\n    ((uint8_t *)c->state)[0]",
    ),
    "a counter one byte too wide": (
        "aes_ccm.c",
        "((uint8_t *)c->first)[0] = (uint8_t)(14u - nonce_bytes);",
        "((uint8_t *)c->first)[0] = (uint8_t)(15u - nonce_bytes);",
    ),
    "a length one byte too narrow": (
        "aes_ccm.c",
        "for (unsigned i = 0; i < counter_bytes; i++) {",
        "for (unsigned i = 0; i < 1u && i < counter_bytes; i++) {",
    ),
    "text from counter 0 on": (
        "aes_ccm.c",
        "((uint8_t *)c->counter)[15] = 1;",
        "((uint8_t *)c->counter)[15] = 0;",
    ),
    "the flag of AAD": ("aes_ccm.c", "aad_bytes != 0u ? 0x40u", "aad_bytes == 0u ? 0x40u"),
    "the limit of the short length": ("aes_ccm.c", "aad_bytes >= 0xff00u", "aad_bytes > 0xff00u"),
    "no padding after AAD": (
        "aes_ccm.c",
        "    status = end_data(c);\n    copy_block(c->after_aad, c->state);",
        "    copy_block(c->after_aad, c->state);",
    ),
    "a flipped bit of the tag accepted": (
        "aes_ccm.c",
        "unequal(whole, tag, tag_bytes) != 0u",
        "(unequal(whole, tag, tag_bytes) & 0x0fu) != 0u",
    ),
    "a forged text left": (
        "aes_ccm.c",
        "  aes_wipe(&c, sizeof c);\n  if (status != AES_OK) {",
        "  aes_wipe(&c, sizeof c);\n  if (status != AES_OK && status != AES_ERR_TAG) {",
    ),
    "short: the flag of AAD": ("aes_ccm.c", "flags |= 0x40u;", "flags |= 0x20u;"),
    "short: a length one byte too narrow": (
        "aes_ccm.c",
        "block[3] = swap((uint32_t)bytes);",
        "block[3] = swap((uint32_t)bytes & 0xffu);",
    ),
    "short: a counter one byte too wide": (
        "aes_ccm.c",
        "| (14u - (uint32_t)nonce_bytes);",
        "| (15u - (uint32_t)nonce_bytes);",
    ),
    "short: text from counter 0 on": (
        "aes_ccm.c",
        "block += BLOCK_WORDS, counter += swap(1u)",
        "block += BLOCK_WORDS, counter += swap(block != m->stream)",
    ),
    "short: padding that is not zero": (
        "aes_ccm.c",
        "      copy_block(text + words - BLOCK_WORDS, nothing);",
        "      copy_block(text + words - BLOCK_WORDS, m.mask);",
    ),
    "short: a flipped bit of the tag accepted": (
        "aes_ccm.c",
        "unequal(m.state, tag, tag_bytes) != 0u",
        "(unequal(m.state, tag, tag_bytes) & 0x0fu) != 0u",
    ),
    "short: a forged text left": (
        "aes_ccm.c",
        "  if (status == AES_OK) {\n    copy(out, text, bytes);",
        "  if (status == AES_OK || status == AES_ERR_TAG) {\n    copy(out, text, bytes);",
    ),
    "text of CCM in pieces before the verdict": (
        "aes_ccm.c",
        "return update(c, PHASE_VERIFY, in, NULL, n);",
        "return update(c, PHASE_VERIFY, in, (uint8_t *)(uintptr_t)in, n);",
    ),
    "no stealing": (
        "aes_xts.c",
        "if (status == AES_OK && rest != 0u) {",
        "if (status == AES_OK && rest > AES_BLOCK_BYTES) {",
    ),
    "stolen masks in one order": (
        "aes_xts.c",
        "const unsigned first = k->decrypts ? 1u : 0u;",
        "const unsigned first = 0u;",
    ),
    "a tweak times x without its carry": ("aes_xts.c", "a << 1 ^ (0x87u &", "a << 1 ^ (0x00u &"),
    "keys of equal halves": (
        "aes_xts.c",
        "return no_key(k, AES_ERR_WEAK_KEY);",
        "(void)0;",
    ),
    "keys exchanged": (
        "aes_xts.c",
        "copy(words, key + half / 8u, half / 8u);",
        "copy(words, key, half / 8u);",
    ),
    "steps counted from zero": ("aes_kw.c", "add_step(block, ++step);", "add_step(block, step++);"),
    "five rounds of steps": (
        "aes_kw.c",
        "for (unsigned j = 0; j < 6u && status == AES_OK; j++) {\n    for (size_t i = 0; i < n",
        "for (unsigned j = 0; j < 5u && status == AES_OK; j++) {\n    for (size_t i = 0; i < n",
    ),
    "half of the check": ("aes_kw.c", "unequal(a, icv1, sizeof a)", "unequal(a, icv1, 4)"),
    "padding that is not zero": (
        "aes_kw.c",
        "bits |= out[padded - i] & mask;",
        "bits |= out[padded - i] & mask & 0u;",
    ),
    "any length of padding": ("aes_kw.c", "| padding >> 3;", "| padding >> 31;"),
    "a counter of GCM-SIV that stays": (
        "aes_gcm_siv.c",
        "block[0] = counter++;",
        "block[0] = counter;",
    ),
    "a counter without its highest bit": ("aes_gcm_siv.c", "tag[3] | 0x80000000u;", "tag[3];"),
    "POLYVAL with GHASH's subkey": (
        "aes_gcm_siv.c",
        "swap(a >> 1 ^ (0xe1000000u &",
        "swap(a >> 1 ^ (0xc2000000u &",
    ),
    "a nonce that is not in the tag": (
        "aes_gcm_siv.c",
        "combine(tag, tag, nonce, NONCE_BYTES);",
        "combine(tag, tag, nonce, 4);",
    ),
    "a key of 192 bits": ("aes_gcm_siv.c", "k->rounds == 12u", "k->rounds == 13u"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_of_the_modes(tmp_path: Path, fault: str) -> None:
    """Each of them gives wrong answers to what the question asks."""
    file, old, new = FAULTS[fault]
    folder = tmp_path / "folder"
    shutil.copytree(MODES, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    program = build(tmp_path / "modes", *PLAIN, modes=folder, sanitizers=())
    rng = random.Random("planted")
    long = modes.random_case(rng, "ccm", 20, aad=0xFF00)
    wide = modes.random_case(rng, "ccm", 300)
    short = modes.random_case(rng, "ccm", 256)
    checks = [*modes.checks("software"), *modes.case_checks(long), *modes.case_checks(wide)]
    checks += [*modes.case_checks(short), *modes.forgery_checks(wide)]
    for mode in modes.IN_PIECES:
        case = modes.random_case(rng, mode, 100)
        checks += [*modes.case_checks(case, piece=23), *modes.forgery_checks(case, piece=23)]
    # Checks and paddings that are almost right.
    wraps = [case for suite in ("kw", "kwp") for case in mode_vectors.load(suite)]
    for case in wraps:
        if case.suite == "Wycheproof" and not case.valid:
            checks += modes.case_checks(case)
    assert "answers wrong" in run(program, checks).reason


# --- answers --------------------------------------------------------------------------------------

NOT_TAKEN = (0xFFFFFFFF, 0)
TIMED = {"timed": 9, "wrong": 0}


def answer(status: int, cycles: int, text: bytes = b"", tag: bytes = b"\xa5" * 16) -> bytes:
    """One answer as the program sends it."""
    data = text + modes.UNTOUCHED * modes.AFTER
    return struct.pack("<4I", status, cycles, 1, 0) + data + b"\0" * (-len(data) % 4) + tag


def times(
    pair: tuple[int, int], forged: tuple[int, int] = NOT_TAKEN, status: int = 0, text: int = 0
) -> bytes:
    """What a request for times answers: four steps alike, and that of forgeries."""
    size = text or (16 if forged != NOT_TAKEN else 21)
    words = struct.pack("<10I", *(*pair * 4, *forged))
    data = words.ljust(size + modes.AFTER, modes.UNTOUCHED)
    return struct.pack("<4I", status, 0, 0, 0) + data + b"\0" * (-len(data) % 4) + b"\xa5" * 16


def test_times_that_differ_are_seen() -> None:
    """The verdict names the steps that did not take the same time, and has the widest spread."""
    checks = [check for check in modes.time_checks(9) if check.call.mode in ("xts", "kw")]
    assert [(check.name, check.call.key[4]) for check in checks] == [("xts", 9), ("kw", 9)]
    even = modes.judge(checks, times((5, 5)) + times((5, 5), (6, 6)))
    assert (even.reason, even.varying, even.counts) == ("", (), {**TIMED, "spread_max": 0})
    odd = modes.judge(checks, times((5, 7)) + times((5, 5), (6, 9)))
    assert (odd.reason, odd.counts) == ("", {**TIMED, "spread_max": 3})
    assert odd.varying == (*(f"xts, {step} by 2" for step in modes.STEPS[:4]), "kw, forged by 3")


def test_steps_that_are_missing() -> None:
    """A step that was not timed, one that should not have been, and another status are wrong."""
    checks = [check for check in modes.time_checks(9) if check.call.mode == "kw"]
    assert modes.judge(checks, times((5, 5), (6, 6), text=16)).reason == ""
    for bad in (
        times((5, 5), text=16),
        times((5, 5), (6, 6), status=modes.UNSUPPORTED, text=16),
        times((5, 5), (6, 6), status=100, text=16),
    ):
        assert "1 of 1 answers wrong: kw" in modes.judge(checks, bad).reason
    lacking = modes.time_checks(9, decrypts=False)
    assert {check.name: len(check.steps) for check in lacking} == {
        **{"ccm": 5, "ccm in pieces": 5, "cmac": 5, "gmac": 5, "gcm-siv": 5},
        **{"xts": 2, "kw": 2, "kwp": 2, "kw-inverse": 0, "kwp-inverse": 0},
    }


def test_answers_that_are_damaged() -> None:
    """Too short, too long, something left where zeros are due, a status that is none."""
    call = ModeCall(modes.DECRYPT, "ccm", bytes(16), b"1234567", b"", b"abc", bytes(16))
    refused = [Check("forged", "it", call, modes.BAD_TAG, bytes(3))]
    good = answer(modes.BAD_TAG, 5, bytes(3), bytes(16))
    assert modes.judge(refused, good).reason == ""
    for output in (good[:-1], good + b"\0"):
        with pytest.raises(SimulationError):
            modes.judge(refused, output)
    for bad in (
        answer(modes.BAD_TAG, 5, b"abc", bytes(16)),
        answer(modes.OK, 5, bytes(3), bytes(16)),
        answer(modes.BAD_TAG, 5, bytes(3), b"\1" * 16),
    ):
        assert "1 of 1 answers wrong: it" in modes.judge(refused, bad).reason


# --- vector files ---------------------------------------------------------------------------------

GOOD = "# CAVS\n[PLAINTEXT LENGTH = 64]\n" + "\n".join(
    f"COUNT = {n}\nK = {'00' * 16}\nC = {'01' * 16}\nP = {'02' * 8}\n" for n in range(3)
)
NAMES = ("K", "C", "P", "FAIL")


def parsed(text: str) -> list[mode_vectors.SealedCase]:
    """All cases of a text."""
    wrap = mode_vectors._wrap("kw")
    return [wrap(one) for one in mode_vectors.parse(text, "file", NAMES)]


def test_a_response_file() -> None:
    """Cases with and without FAIL; groups that go on counting and that begin again."""
    assert [case.valid for case in parsed(GOOD)] == [True] * 3
    failed = parsed(GOOD.replace(f"P = {'02' * 8}\n", "FAIL\n", 1))
    assert [case.valid for case in failed] == [False, True, True]
    assert len(parsed(GOOD + GOOD)) == 6
    assert len(parsed(GOOD + GOOD.replace("COUNT = 0", "COUNT = 3").split("COUNT = 1")[0])) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f"C = {'01' * 16}\n", "", "lacks C"),
        (f"P = {'02' * 8}\n", "", "neither P nor FAIL"),
        (f"P = {'02' * 8}\n", f"P = {'02' * 8}\nFAIL\n", "or both"),
        ("P = 02", "P = ", "has 56 bits, not 64"),
        ("C = 01", "C = 0x", "not hexadecimal"),
        ("COUNT = 1\n", "COUNT = 2\n", "COUNT 2 where 1 was due"),
        ("K = 00", "nonsense", "cannot be read"),
        ("K = 00", "X = 00", "cannot be read"),
    ],
)
def test_a_damaged_response_file(old: str, new: str, message: str) -> None:
    """The message says where and what."""
    assert old in GOOD
    with pytest.raises(VectorError, match=message):
        parsed(GOOD.replace(old, new, 1))


def test_a_file_that_vanishes_or_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shorter file is an error, and so is one that is not there."""
    whole = mode_vectors._text
    cut = {
        "VADT192.rsp": lambda text: text[: text.rindex("Count")],
        "aes_cmac_test.json": lambda text: json.dumps(
            json.loads(text) | {"testGroups": json.loads(text)["testGroups"][:-1]}
        ),
        "XTSGenAES256.rsp": lambda text: text[: text.index("[DECRYPT]")],
        "KW_AD_128_inv.txt": lambda text: text[: text.rindex("COUNT")],
        "openssl.txt": lambda text: text[: text.rindex("COUNT")],
    }

    def shorter(package: str, path: str) -> str:
        text = whole(package, path)
        change = cut.get(path.rpartition("/")[2])
        return change(text) if change else text

    monkeypatch.setattr(mode_vectors, "_text", shorter)
    for read in (
        mode_vectors.ccm,
        mode_vectors.cmac,
        mode_vectors.xts,
        lambda: mode_vectors.key_wrap.__wrapped__("kw"),
        mode_vectors.gcm_siv,
    ):
        with pytest.raises(VectorError, match="are published"):
            getattr(read, "__wrapped__", read)()
    monkeypatch.undo()
    with pytest.raises(VectorError, match="is not installed"):
        mode_vectors._text("cryptography_vectors", "ciphers/AES/CCM/none.rsp")
