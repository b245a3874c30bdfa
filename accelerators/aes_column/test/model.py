# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from their definitions (no table).

Sources: FIPS 197, sections 4.2, 5.1.1, 5.1.3, 5.3.2 and 5.3.3; Tillich and Grossschaedl, CHES
2006 and 2007 (which instructions); which byte goes where is this unit's own, see its README.
"""

from aesforge.model.fips197 import INV_SBOX, SBOX, gmul


def _rows(word: int) -> list[int]:
    """The bytes of a word; row r is byte r."""
    return [word >> 8 * row & 0xFF for row in range(4)]


def _word(rows: list[int]) -> int:
    """The word of four bytes, row 0 lowest."""
    return sum(value << 8 * row for row, value in enumerate(rows))


def _substitute(rs1: int, rs2: int, box: bytes) -> int:
    """Substitute rows 0, 2 of rs1 and rows 1, 3 of rs2; row r of it becomes row r - 1."""
    even, odd = _rows(rs1), _rows(rs2)
    column = [box[even[0]], box[odd[1]], box[even[2]], box[odd[3]]]
    return _word(column[1:] + column[:1])


def _join(rs1: int, rs2: int) -> list[int]:
    """Rows 0, 1 of rs1 and rows 2, 3 of rs2, each of which holds row r in byte r - 1."""
    upper, lower = _rows(rs1), _rows(rs2)
    return [upper[3], upper[0], lower[1], lower[2]]


def _multiply(column: list[int], coefficients: tuple[int, int, int, int]) -> int:
    """Product of a column and a circulant matrix with this first row."""
    rows = [0, 0, 0, 0]
    for row in range(4):
        for k in range(4):
            rows[row] ^= gmul(column[(row + k) % 4], coefficients[k])
    return _word(rows)


def aescol_sub(rs1: int, rs2: int) -> int:
    """SubBytes and the first half of ShiftRows."""
    return _substitute(rs1, rs2, SBOX)


def aescol_isub(rs1: int, rs2: int) -> int:
    """InvSubBytes and the first half of InvShiftRows."""
    return _substitute(rs1, rs2, INV_SBOX)


def aescol_mix(rs1: int, rs2: int) -> int:
    """Second half of ShiftRows, and MixColumns."""
    return _multiply(_join(rs1, rs2), (2, 3, 1, 1))


def aescol_imix(rs1: int, rs2: int) -> int:
    """Second half of InvShiftRows, and InvMixColumns."""
    return _multiply(_join(rs1, rs2), (14, 11, 13, 9))


def aescol_last(rs1: int, rs2: int) -> int:
    """Second half of ShiftRows or InvShiftRows (last round)."""
    return _word(_join(rs1, rs2))


def aescol_mixk(rs1: int, rs2: int, rs3: int) -> int:
    """As aescol_mix, and AddRoundKey."""
    return aescol_mix(rs1, rs2) ^ rs3


def aescol_imixk(rs1: int, rs2: int, rs3: int) -> int:
    """As aescol_imix, and AddRoundKey."""
    return aescol_imix(rs1, rs2) ^ rs3


def aescol_lastk(rs1: int, rs2: int, rs3: int) -> int:
    """As aescol_last, and AddRoundKey."""
    return aescol_last(rs1, rs2) ^ rs3
