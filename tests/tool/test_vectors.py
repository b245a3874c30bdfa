# SPDX-License-Identifier: Apache-2.0
"""The vector readers: published counts, agreement with OpenSSL, and errors that name the place."""

import time
from collections import Counter
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES

from aesforge.base.errors import UsageError
from aesforge.model import mct
from aesforge.reference import vectors
from aesforge.reference.vectors import VectorError

pytestmark = pytest.mark.quick

# Cases by key size and direction, as AESAVS and the standards publish them.
PUBLISHED = {
    "gfsbox": (7, 6, 5),
    "keysbox": (21, 24, 16),
    "varkey": (128, 192, 256),
    "vartxt": (128, 128, 128),
    "mmt": (10, 10, 10),
    "mct": (100, 100, 100),
}


@pytest.fixture(scope="module")
def cases() -> list[vectors.ModeCase]:
    """Every case there is."""
    return vectors.load()


def test_loading_everything_takes_less_than_two_seconds() -> None:
    """Processor time, so that other work on the machine does not count."""
    started = time.process_time()
    vectors.load()
    assert time.process_time() - started < 2


@pytest.mark.parametrize("mode", ["ecb", "cbc"])
@pytest.mark.parametrize("test", PUBLISHED)
def test_published_counts(mode: str, test: str, cases: list[vectors.ModeCase]) -> None:
    """As many cases by key size and direction as published."""
    have = Counter((8 * len(c.key), c.direction) for c in cases if c.suite == f"{mode}-{test}")
    assert have == {
        (bits, direction): count
        for bits, count in zip((128, 192, 256), PUBLISHED[test], strict=True)
        for direction in ("encrypt", "decrypt")
    }


def test_total_and_names(cases: list[vectors.ModeCase]) -> None:
    """2078 known answers a mode and 5510 in all; names are unique, counts those of SUITES."""
    known = Counter(c.mode for c in cases if c.kind == "KAT" and "38a" not in c.suite)
    assert known == {"ecb": 2078, "cbc": 2078}
    assert len(cases) == 5510
    assert len({c.name for c in cases}) == len(cases)
    assert Counter(c.suite for c in cases) == {s.name: s.count for s in vectors.SUITES.values()}
    assert all(c.source and c.file for c in cases)


def test_multiblock_messages_have_one_to_ten_blocks(cases: list[vectors.ModeCase]) -> None:
    """MMT case n has n + 1 blocks."""
    assert all(len(c.text) == 16 * (c.number + 1) for c in cases if c.kind == "MMT")


def openssl(case: vectors.ModeCase) -> bytes:
    """What OpenSSL makes of a case's text."""
    mode = {"ecb": lambda _: modes.ECB(), "cbc": modes.CBC, "ctr": modes.CTR}[case.mode](case.iv)
    cipher = Cipher(AES(case.key), mode)
    run = cipher.encryptor() if case.direction == "encrypt" else cipher.decryptor()
    return run.update(case.text) + run.finalize()


def test_every_case_agrees_with_openssl(cases: list[vectors.ModeCase]) -> None:
    """All but Monte Carlo, which follows."""
    assert [c.name for c in cases if c.kind != "MCT" and openssl(c) != c.result] == []


@pytest.mark.parametrize("mode", ["ecb", "cbc"])
def test_monte_carlo_chains(mode: str, cases: list[vectors.ModeCase]) -> None:
    """Each outer iteration leads to its result, and its key update to the next one's start.

    For CBC every iteration is NIST's; this is what shows that the algorithm is theirs.
    """
    chain = [c for c in cases if c.suite == f"{mode}-mct"]
    assert len(chain) == 600
    for case, after in zip(chain, [*chain[1:], None], strict=True):
        done = mct.iterate(case.key, case.iv, case.text, case.direction == "encrypt")
        assert (done.last, done.penultimate) == (case.result, case.penultimate), case.name
        if after and after.number:
            assert mct.following(done) == (after.key, after.iv, after.text), case.name


def test_a_wrong_monte_carlo_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computed ECB chains must end where NIST's do."""
    (direction, key, text, last), *rest = vectors._ECB_MCT
    wrong = (direction, key, text, last[:-1] + "0")
    monkeypatch.setattr(vectors, "_ECB_MCT", (wrong, *rest))
    with pytest.raises(VectorError, match=r"ECBMCT128\.rsp, encrypt: the computed test"):
        vectors.load(["ecb-mct"])


def test_outer_iterations_can_be_cut() -> None:
    """`mct_outer` takes the first of each seed and leaves other suites alone."""
    short = vectors.load(["*-mct", "fips197"], mct_outer=3)
    assert Counter(c.suite for c in short) == {"ecb-mct": 18, "cbc-mct": 18, "fips197": 7}
    full = {c.name: c for c in vectors.load(["*-mct"])}
    assert all(full[c.name] == c for c in short if c.kind == "MCT")


def test_selection() -> None:
    """Shell patterns, in the order of SUITES; unknown names and impossible numbers are errors."""
    assert [s.name for s in vectors.select(["ctr-*", "fips197"])] == [
        "fips197",
        "ctr-sp800-38a",
        "ctr-rfc3686",
    ]
    with pytest.raises(UsageError, match="no vector suite is called gcm"):
        vectors.load(["fips197", "gcm"])
    for outer in (0, 101):
        with pytest.raises(UsageError, match=f"1 to 100, not {outer}"):
            vectors.load(["fips197"], mct_outer=outer)


def test_digest_depends_on_what_is_asked(cases: list[vectors.ModeCase]) -> None:
    """Any byte of a case and the order change the digest; where it was read from does not."""
    some = cases[:3]
    base = vectors.digest(some)
    assert base == vectors.digest([replace(c, source="elsewhere", file="x") for c in some])
    assert base != vectors.digest(some[::-1])
    assert base != vectors.digest(some[:2])
    for field in ("key", "iv", "plaintext", "ciphertext", "penultimate"):
        changed = replace(some[0], **{field: getattr(some[0], field) + b"\0"})
        assert base != vectors.digest([changed, *some[1:]]), field


# Damaged files ------------------------------------------------------------------------------------

GOOD = """# CAVS 11.1

[ENCRYPT]

COUNT = 0
KEY = 00000000000000000000000000000000
IV = 00000000000000000000000000000000
PLAINTEXT = f34481ec3cc627bacd5dc3fb08f273e6
CIPHERTEXT = 0336763e966d92595a567cc9ce537f5e

COUNT = 1
KEY = 00000000000000000000000000000000
IV = 00000000000000000000000000000000
PLAINTEXT = 9798c4640bad75c7c3227db910174e72
CIPHERTEXT = a9a1631bf4996954ebc093957b234589
"""


def parse(
    text: str, kind: vectors.Kind = "KAT", mode: vectors.Mode = "cbc"
) -> list[vectors.ModeCase]:
    """The text as if it were CBCGFSbox128.rsp."""
    return vectors.parse_rsp(text, "CBCGFSbox128.rsp", "cbc-gfsbox", "test", kind, mode)


def test_a_good_file_is_read() -> None:
    """The text that the next test damages is in order."""
    assert [c.number for c in parse(GOOD)] == [0, 1]
    assert [c.number for c in parse(GOOD.replace("\n", "\r\n"))] == [0, 1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("KEY = 0000", "KEY = 00g0", ":6: KEY is not hexadecimal"),
        ("KEY = 0000", "KEY = 000", ":6: KEY is not hexadecimal"),
        ("KEY = 0000", "KEY = 00", ":5: COUNT 0: KEY has 120 bits, not 128"),
        ("KEY = 0000", "KEY : 0000", ":6: neither a section nor NAME = VALUE"),
        ("IV = 0000", "IV = 00", ":5: COUNT 0: IV has 15 bytes, not 16"),
        ("IV = 0000", "IC = 0000", ":7: unknown field IC"),
        ("IV = 0000", "KEY = 0000", ":7: second KEY in COUNT 0"),
        ("IV = 00000000000000000000000000000000\n", "", ":5: COUNT 0 lacks IV"),
        ("CIPHERTEXT = a9a1631bf4996954ebc093957b234589\n", "", ":11: COUNT 1 lacks CIPHERTEXT"),
        ("CIPHERTEXT = a9a1", "CIPHERTEXT = ", ":11: COUNT 1: PLAINTEXT has 16 bytes, CIPH"),
        ("COUNT = 1", "COUNT = 2", ":11: COUNT 2 where 1 was due"),
        ("COUNT = 0", "COUNT = ", ":5: COUNT  where 0 was due"),
        ("COUNT = 0\n", "", ":5: KEY outside a COUNT paragraph"),
        ("[ENCRYPT]\n", "", ":4: COUNT before"),
    ],
)
def test_a_damaged_file_is_refused(old: str, new: str, message: str) -> None:
    """The message names file, line and fault."""
    assert old in GOOD
    with pytest.raises(VectorError) as caught:
        parse(GOOD.replace(old, new, 1))
    assert str(caught.value).startswith("CBCGFSbox128.rsp" + message)
    assert caught.value.exit_status == 6


def test_lengths_by_mode() -> None:
    """Whole blocks but in CTR; one block in a Monte Carlo test; the key size from the name."""
    longer = GOOD.replace("TEXT = ", "TEXT = 00")
    with pytest.raises(VectorError, match="17 bytes of text are not whole blocks"):
        parse(longer)
    assert len(parse(longer, "CTR", "ctr")) == 2
    double = GOOD.replace("TEXT = ", "TEXT = " + "00" * 16)
    assert len(parse(double)) == 2
    with pytest.raises(VectorError, match="an MCT text has 16 bytes, not 32"):
        parse(double, "MCT")
    with pytest.raises(VectorError, match="the name lacks the key size"):
        vectors.parse_rsp(GOOD, "CBC.rsp", "x", "test", "KAT", "cbc")


def test_a_lost_case_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that ends early is well-formed; the published count finds it."""
    whole = vectors._package_file

    def shorter(package: str, path: str) -> str:
        text = whole(package, path)
        return text[: text.rindex("COUNT")] if path.endswith("ECBGFSbox192.rsp") else text

    monkeypatch.setattr(vectors, "_package_file", shorter)
    with pytest.raises(VectorError, match="suite ecb-gfsbox has 35 cases, 36 are published"):
        vectors.load(["ecb-gfsbox"])


def test_a_missing_package_is_named() -> None:
    """The message says what to install."""
    with pytest.raises(VectorError, match="no_such_package/x is not installed"):
        vectors._package_file("no_such_package", "x")
