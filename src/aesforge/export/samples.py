# SPDX-License-Identifier: Apache-2.0
"""Vectors that an export carries: a sample of each suite, for `make -C sw test`."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.reference import ecc_vectors, gcm_vectors, modes, vectors
from aesforge.reference.ecc import OK, CurveCase

EACH = 12  # vectors of a mode and direction, of a function of curves
LONGEST = 300  # bytes of text or AAD
_SUITES_OF_BLOCKS = ("FIPS", "KAT", "MMT", "CTR")
_SHA256_BYTES = (0, 1, 3, 55, 56, 63, 64, 119, 200)  # around the ends of padded blocks
# Lengths of the operands of a curve's function, in the order of the C call; 0: what is left.
_OPERANDS = {
    "x25519": (32, 32),
    "x25519_base": (32,),
    "p256_public_key": (32,),
    "p256_ecdh": (32, 64),
    "p256_ecdsa_sign": (32, 0),
    "p256_ecdsa_verify": (64, 64, 0),
}

T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One line of vectors.h, texts as hexadecimal digits.

    `valid`: the call succeeds and gives `result`; otherwise it must be refused. Of a curve's
    function `key`, `iv` and `text` are the operands in the order of the C call.
    """

    source: str
    mode: str
    decrypts: bool = False
    valid: bool = True
    key: str = ""
    iv: str = ""
    aad: str = ""
    text: str = ""
    result: str = ""
    tag: str = ""


def rows(accelerator: Accelerator, variant: Variant) -> list[Row]:
    """Return the vectors that a variant can run."""
    found = [*_blocks(variant), *_gcm(), *_sealed(variant)]
    found = [row for row in found if _key_bits(row) in variant.key_bits] + [*_hashes()]
    return [*found, *_curves()] if accelerator.manifest.has_ecc(variant) else found


def _key_bits(row: Row) -> int:
    """Return the bits of the cipher's key; XTS has two keys."""
    return len(row.key) * 4 // (2 if row.mode == "xts" else 1)


def _spread(cases: Iterable[T], most: int = EACH) -> Sequence[T]:
    """Return up to `most` of them, from the whole range."""
    found = list(cases)
    step = max(1, len(found) // most)
    return found[step // 2 :: step][:most]


def _blocks(variant: Variant) -> Iterator[Row]:
    """ECB, CBC and CTR, each in the directions that the variant has."""
    known = [
        case
        for case in vectors.load(mct_outer=1)
        if case.kind in _SUITES_OF_BLOCKS and len(case.plaintext) <= LONGEST
    ]
    for mode in ("ecb", "cbc", "ctr"):
        for direction in ("encrypt", "decrypt"):
            if mode != "ctr" and direction not in variant.directions:
                continue
            some = [case for case in known if (case.mode, case.direction) == (mode, direction)]
            for case in _spread(some):
                texts = (case.key, case.iv, b"", case.text, case.result)
                key, iv, aad, text, result = (part.hex() for part in texts)
                decrypts = direction == "decrypt"
                yield Row(case.name, mode, decrypts, True, key, iv, aad, text, result)


def _gcm() -> Iterator[Row]:
    """AES-GCM, valid and forged."""
    for valid in (True, False):
        every = (*gcm_vectors.cavp(), *gcm_vectors.wycheproof())
        some = [c for c in every if c.valid == valid and len(c.plaintext + c.aad) <= LONGEST]
        for case in _spread(some):
            texts = (case.key, case.iv, case.aad, case.plaintext, case.ciphertext, case.tag)
            yield Row(f"{case.suite} {case.name}", "gcm", True, valid, *(t.hex() for t in texts))


def _sealed(variant: Variant) -> Iterator[Row]:
    """The modes of aes_ccm.h, aes_cmac.h, aes_xts.h, aes_kw.h, aes_gcm_siv.h, and GMAC."""
    opens = "decrypt" in variant.directions
    for case in modes.samples():
        if case.mode in ("kw-inverse", "kwp-inverse"):
            continue
        check = modes.case_checks(case)[-1].call
        if modes.needs_decryption(check) and not opens:
            continue
        texts = (case.key, case.iv, case.aad, case.plaintext, case.ciphertext, case.tag)
        name = f"{case.suite} {case.name}"
        yield Row(name, case.mode, True, case.valid, *(text.hex() for text in texts))


def _hashes() -> Iterator[Row]:
    """SHA-256 by OpenSSL."""
    for count in _SHA256_BYTES:
        text = bytes(number % 251 for number in range(count))
        digest = hashlib.sha256(text).hexdigest()
        yield Row(f"{count} bytes, by OpenSSL", "sha256", text=text.hex(), result=digest)


def _curves() -> Iterator[Row]:
    """X25519 and P-256."""
    every = ecc_vectors.cases()
    for function in _OPERANDS:
        for valid in (True, False):
            some = [c for c in every if c.function == function and (c.status == OK) == valid]
            for case in _spread(some, EACH // 2):
                yield _curve(case, valid)


def _curve(case: CurveCase, valid: bool) -> Row:
    """One call; its operands are taken apart."""
    parts: list[str] = []
    rest = case.operands
    for size in _OPERANDS[case.function]:
        parts.append((rest[:size] if size else rest).hex())
        rest = rest[size:] if size else b""
    key, iv, text = (*parts, "", "")[:3]
    if case.function == "p256_ecdsa_sign":
        iv, text = "", iv
    name = f"{case.suite} {case.name}"
    return Row(name, case.function, False, valid, key, iv, "", text, case.output.hex())
