# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from their definitions (no table).

Quad packing: quad-packing.md. SubBytes, MixColumns and their inverses: FIPS 197, sections
4.2, 5.1.1, 5.1.3, 5.3.2 and 5.3.3. Words are 32 bits, byte 0 lowest.
"""

from collections.abc import Callable, Sequence
from functools import cache

from aesforge.model.fips197 import INV_SBOX, SBOX, gmul

# ---- SubBytes, MixColumns ------------------------------------------------------------------------

gf_mul = cache(gmul)

Column = Sequence[int]  # four bytes, row 0 first


def _mix(column: Column, coefficients: tuple[int, int, int, int]) -> list[int]:
    """A column times the circulant matrix whose first row is given."""
    return [
        gf_mul(coefficients[0], column[r])
        ^ gf_mul(coefficients[1], column[(r + 1) % 4])
        ^ gf_mul(coefficients[2], column[(r + 2) % 4])
        ^ gf_mul(coefficients[3], column[(r + 3) % 4])
        for r in range(4)
    ]


def mix(column: Column) -> list[int]:
    """MixColumns of one column."""
    return _mix(column, (2, 3, 1, 1))


def inv_mix(column: Column) -> list[int]:
    """InvMixColumns of one column."""
    return _mix(column, (14, 11, 13, 9))


# ---- quads and columns ---------------------------------------------------------------------------
#
# A quad of either kind holds four bytes of a pair of columns x, y. Which (column of the pair, row)
# a lane holds, lane 0 first:
KIND_A = (("y", 0), ("x", 0), ("y", 1), ("x", 3))
KIND_C = (("y", 3), ("x", 1), ("y", 2), ("x", 2))

# The diagonals that become columns x and y of the next round: which (operand, lane) holds row 0 to
# 3 of each. Operand 1 is a quad of kind A, operand 2 one of kind C, two columns away.
DIAGONAL_X = ((1, 1), (1, 2), (2, 3), (2, 0))
DIAGONAL_Y = ((1, 0), (2, 1), (2, 2), (1, 3))


def _bytes(word: int) -> list[int]:
    """The four bytes of a word, lane 0 first."""
    return [word >> 8 * lane & 0xFF for lane in range(4)]


def _word(lanes: Column) -> int:
    """The word of four bytes, lane 0 first."""
    return sum(byte << 8 * lane for lane, byte in enumerate(lanes))


def _diagonal(rs1: int, rs2: int, lanes: Sequence[tuple[int, int]]) -> list[int]:
    """Four bytes of two quads."""
    operands = {1: _bytes(rs1), 2: _bytes(rs2)}
    return [operands[operand][lane] for operand, lane in lanes]


def _pack(x: Column, y: Column, kind: Sequence[tuple[str, int]]) -> int:
    """A quad of a pair of columns."""
    pair = {"x": x, "y": y}
    return _word([pair[column][row] for column, row in kind])


def _round(rs1: int, rs2: int, inverse: bool, kind: Sequence[tuple[str, int]]) -> int:
    """(Inv)SubBytes, (Inv)ShiftRows and (Inv)MixColumns: one quad of the next state."""
    table = INV_SBOX if inverse else SBOX
    columns = []
    for lanes in (DIAGONAL_X, DIAGONAL_Y):
        column = [table[byte] for byte in _diagonal(rs1, rs2, lanes)]
        columns.append(inv_mix(column) if inverse else mix(column))
    return _pack(*columns, kind)


def _last(rs1: int, rs2: int, inverse: bool, lanes: Sequence[tuple[int, int]]) -> int:
    """(Inv)SubBytes and (Inv)ShiftRows: one column of the result."""
    table = INV_SBOX if inverse else SBOX
    return _word([table[byte] for byte in _diagonal(rs1, rs2, lanes)])


# ---- two operands --------------------------------------------------------------------------------


def aesq_ea(rs1: int, rs2: int) -> int:
    """Encryption round, quad of kind A."""
    return _round(rs1, rs2, False, KIND_A)


def aesq_ec(rs1: int, rs2: int) -> int:
    """Encryption round, quad of kind C."""
    return _round(rs1, rs2, False, KIND_C)


def aesq_da(rs1: int, rs2: int) -> int:
    """Decryption round (equivalent inverse cipher), quad of kind A."""
    return _round(rs1, rs2, True, KIND_A)


def aesq_dc(rs1: int, rs2: int) -> int:
    """Decryption round (equivalent inverse cipher), quad of kind C."""
    return _round(rs1, rs2, True, KIND_C)


def aesq_pa(rs1: int, rs2: int) -> int:
    """Pack the columns x = rs1, y = rs2: quad of kind A."""
    return _pack(_bytes(rs1), _bytes(rs2), KIND_A)


def aesq_pc(rs1: int, rs2: int) -> int:
    """Pack the columns x = rs1, y = rs2: quad of kind C."""
    return _pack(_bytes(rs1), _bytes(rs2), KIND_C)


def aesq_ka(rs1: int, rs2: int) -> int:
    """Pack InvMixColumns of the columns x = rs1, y = rs2: quad of kind A."""
    return _pack(inv_mix(_bytes(rs1)), inv_mix(_bytes(rs2)), KIND_A)


def aesq_kc(rs1: int, rs2: int) -> int:
    """Pack InvMixColumns of the columns x = rs1, y = rs2: quad of kind C."""
    return _pack(inv_mix(_bytes(rs1)), inv_mix(_bytes(rs2)), KIND_C)


def aesq_ex(rs1: int, rs2: int) -> int:
    """Last encryption round, column x; of (w, w): SubWord(RotWord(w))."""
    return _last(rs1, rs2, False, DIAGONAL_X)


def aesq_ey(rs1: int, rs2: int) -> int:
    """Last encryption round, column y; of (w, w): SubWord(w)."""
    return _last(rs1, rs2, False, DIAGONAL_Y)


def aesq_dx(rs1: int, rs2: int) -> int:
    """Last decryption round, column x."""
    return _last(rs1, rs2, True, DIAGONAL_X)


def aesq_dy(rs1: int, rs2: int) -> int:
    """Last decryption round, column y."""
    return _last(rs1, rs2, True, DIAGONAL_Y)


# ---- three operands: the same, added to rs3 ------------------------------------------------------

TwoOperands = Callable[[int, int], int]


def _three(function: TwoOperands) -> Callable[[int, int, int], int]:
    """The three-operand form of an operation."""

    def added(rs1: int, rs2: int, rs3: int) -> int:
        return function(rs1, rs2) ^ rs3

    return added


aesq3_ea = _three(aesq_ea)
aesq3_ec = _three(aesq_ec)
aesq3_da = _three(aesq_da)
aesq3_dc = _three(aesq_dc)
aesq3_pa = _three(aesq_pa)
aesq3_pc = _three(aesq_pc)
aesq3_ka = _three(aesq_ka)
aesq3_kc = _three(aesq_kc)
aesq3_ex = _three(aesq_ex)
aesq3_ey = _three(aesq_ey)
aesq3_dx = _three(aesq_dx)
aesq3_dy = _three(aesq_dy)


# ---- keyed: the same, added to a word of the unit's key store ------------------------------------

WORDS = 60  # 4 * (14 + 1): the round keys of AES-256


class _Unit:
    """What the keyed unit remembers."""

    def __init__(self) -> None:
        self.tag = 0
        self.keys = [0] * WORDS

    def key(self, k: int) -> int:
        """Key word k, 0 for an index beyond the store (by convention 63)."""
        return self.keys[k] if k < WORDS else 0


_unit = _Unit()


def reset() -> None:
    """Forget keys and tag."""
    _unit.__init__()  # type: ignore[misc]


def _keyed(function: TwoOperands) -> Callable[[int, int, int], int]:
    """The keyed form of an operation."""

    def added(rs1: int, rs2: int, k: int) -> int:
        return function(rs1, rs2) ^ _unit.key(k)

    return added


aesqk_ea = _keyed(aesq_ea)
aesqk_ec = _keyed(aesq_ec)
aesqk_da = _keyed(aesq_da)
aesqk_dc = _keyed(aesq_dc)
aesqk_pa = _keyed(aesq_pa)
aesqk_pc = _keyed(aesq_pc)
aesqk_ka = _keyed(aesq_ka)
aesqk_kc = _keyed(aesq_kc)
aesqk_ex = _keyed(aesq_ex)
aesqk_ey = _keyed(aesq_ey)
aesqk_dx = _keyed(aesq_dx)
aesqk_dy = _keyed(aesq_dy)


def aesqk_load(rs1: int, k: int) -> int:
    """Set key word k; an index beyond the store changes nothing. Returns 0."""
    if k < WORDS:
        _unit.keys[k] = rs1
    return 0


def aesqk_begin(rs1: int) -> int:
    """Set the tag and all key words to 0. Returns 0."""
    _unit.tag = rs1
    _unit.keys = [0] * WORDS
    return 0


def aesqk_tag(rs1: int) -> int:
    """Return the tag; rs1 is not used."""
    return _unit.tag
