# SPDX-License-Identifier: Apache-2.0
"""The functions of SHA-256 on integers (RISC-V Cryptography Extensions Volume I, Zknh)."""


def _rotated(x: int, n: int) -> int:
    """Rotate a word right."""
    return (x >> n | x << 32 - n) & 0xFFFFFFFF


def sha256sig0(rs1: int) -> int:
    """The first small sigma, of the message schedule."""
    return _rotated(rs1, 7) ^ _rotated(rs1, 18) ^ rs1 >> 3


def sha256sig1(rs1: int) -> int:
    """The second small sigma."""
    return _rotated(rs1, 17) ^ _rotated(rs1, 19) ^ rs1 >> 10


def sha256sum0(rs1: int) -> int:
    """The first capital sigma, of a round."""
    return _rotated(rs1, 2) ^ _rotated(rs1, 13) ^ _rotated(rs1, 22)


def sha256sum1(rs1: int) -> int:
    """The second capital sigma."""
    return _rotated(rs1, 6) ^ _rotated(rs1, 11) ^ _rotated(rs1, 25)


# The same functions in custom-1.
sh_sig0, sh_sig1, sh_sum0, sh_sum1 = sha256sig0, sha256sig1, sha256sum0, sha256sum1
