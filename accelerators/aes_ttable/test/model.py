# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from their definitions (no table of the unit).

Sources: Foerster 2005, section 4; FIPS 197, sections 4.2, 5.1.1, 5.1.3, 5.2, 5.3.2 and 5.3.3.
Row 0 of a column is the lowest byte of a word.
"""

from aesforge.model.fips197 import INV_SBOX, SBOX, gmul

MIX = (2, 1, 1, 3)  # column 0 of MixColumns, row 0 first
INV_MIX = (14, 9, 13, 11)  # and of InvMixColumns
ONLY = (1, 0, 0, 0)  # the last round


def _byte(word: int, bs: int) -> int:
    """Byte bs of a word, 0 the lowest."""
    return word >> 8 * bs & 0xFF


def _add(rs2: int, value: int, coefficients: tuple[int, int, int, int], lanes: int) -> int:
    """Add a byte times a column, rotated upwards by a number of bytes, to rs2."""
    word = sum(gmul(value, c) << 8 * row for row, c in enumerate(coefficients))
    bits = 8 * (lanes % 4)
    return rs2 ^ (word << bits | word >> (32 - bits)) & 0xFFFFFFFF


def tt_ft(rs1: int, rs2: int, bs: int) -> int:
    """SubBytes and MixColumns of one byte (table FT)."""
    return _add(rs2, SBOX[_byte(rs1, bs)], MIX, bs)


def tt_fsb(rs1: int, rs2: int, bs: int) -> int:
    """SubBytes of one byte (table FSb)."""
    return _add(rs2, SBOX[_byte(rs1, bs)], ONLY, bs)


def tt_rt(rs1: int, rs2: int, bs: int) -> int:
    """InvSubBytes and InvMixColumns of one byte (table RT)."""
    return _add(rs2, INV_SBOX[_byte(rs1, bs)], INV_MIX, bs)


def tt_rsb(rs1: int, rs2: int, bs: int) -> int:
    """InvSubBytes of one byte (table RSb)."""
    return _add(rs2, INV_SBOX[_byte(rs1, bs)], ONLY, bs)


def tt_kt(rs1: int, rs2: int, bs: int) -> int:
    """InvMixColumns of one byte (table KT)."""
    return _add(rs2, _byte(rs1, bs), INV_MIX, bs)


def tt_fsbr(rs1: int, rs2: int, bs: int) -> int:
    """SubBytes of one byte, moved as RotWord moves it (table FSb)."""
    return _add(rs2, SBOX[_byte(rs1, bs)], ONLY, bs - 1)
