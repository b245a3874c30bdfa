# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from their definitions (no table).

Sources: Nadehara, Ikekawa, Kuroda 2004, tables 5 and 6 (lane 0 is the paper's bi0 and bo3);
FIPS 197, sections 4.2, 5.1.1, 5.1.3, 5.3.2 and 5.3.3.
"""

from aesforge.model.fips197 import INV_SBOX, SBOX, gmul

# Tables 5 and 6 as printed: for each imm the coefficients of bo3, bo2, bo1, bo0.
TABLE_5 = [(2, 1, 1, 3), (3, 2, 1, 1), (1, 3, 2, 1), (1, 1, 3, 2)]
TABLE_6 = [(14, 9, 13, 11), (11, 14, 9, 13), (13, 11, 14, 9), (9, 13, 11, 14)]


def _lanes(value: int, coefficients: tuple[int, int, int, int]) -> int:
    """A byte times the coefficients of lanes 0 to 3."""
    return sum(gmul(value, c) << 8 * lane for lane, c in enumerate(coefficients))


def aesenc(rs1: int, row: int) -> int:
    """SubBytes and MixColumns of one byte."""
    return _lanes(SBOX[rs1 >> 8 * row & 0xFF], TABLE_5[row])


def aesenc_last(rs1: int, row: int) -> int:
    """SubBytes of one byte, in its own lane (final round of encryption)."""
    return SBOX[rs1 >> 8 * row & 0xFF] << 8 * row


def aesdec(rs1: int, row: int) -> int:
    """InvSubBytes and InvMixColumns of one byte."""
    return _lanes(INV_SBOX[rs1 >> 8 * row & 0xFF], TABLE_6[row])


def aesdec_last(rs1: int, row: int) -> int:
    """InvSubBytes of one byte, in its own lane (final round of decryption)."""
    return INV_SBOX[rs1 >> 8 * row & 0xFF] << 8 * row
