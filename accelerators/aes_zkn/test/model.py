# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from their definitions (no table).

Sources: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.1 to 3.4; FIPS 197, sections
4.2, 5.1.1, 5.1.3, 5.3.2 and 5.3.3.
"""

from aesforge.model.fips197 import INV_SBOX, SBOX, gmul


def _rotate_left(word: int, bits: int) -> int:
    """Rotate a 32-bit word left."""
    return (word << bits | word >> (32 - bits)) & 0xFFFFFFFF


def _lane(rs1: int, value: int, bs: int, coefficients: tuple[int, int, int, int]) -> int:
    """Add a byte, times the coefficients of lanes 0 to 3, to rs1, rotated by bs lanes."""
    word = sum(gmul(value, c) << 8 * lane for lane, c in enumerate(coefficients))
    return rs1 ^ _rotate_left(word, 8 * bs)


def aes32esi(rs1: int, rs2: int, bs: int) -> int:
    """SubBytes of one byte (final round of encryption)."""
    return _lane(rs1, SBOX[rs2 >> 8 * bs & 0xFF], bs, (1, 0, 0, 0))


def aes32esmi(rs1: int, rs2: int, bs: int) -> int:
    """SubBytes and MixColumns of one byte."""
    return _lane(rs1, SBOX[rs2 >> 8 * bs & 0xFF], bs, (2, 1, 1, 3))


def aes32dsi(rs1: int, rs2: int, bs: int) -> int:
    """InvSubBytes of one byte (final round of decryption)."""
    return _lane(rs1, INV_SBOX[rs2 >> 8 * bs & 0xFF], bs, (1, 0, 0, 0))


def aes32dsmi(rs1: int, rs2: int, bs: int) -> int:
    """InvSubBytes and InvMixColumns of one byte."""
    return _lane(rs1, INV_SBOX[rs2 >> 8 * bs & 0xFF], bs, (14, 9, 13, 11))
