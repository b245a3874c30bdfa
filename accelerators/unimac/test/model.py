# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from their definitions.

Tillich and Grossschaedl 2007, sections 4 and 6; FIPS 197, sections 4.2, 5.1.1, 5.1.3, 5.2, 5.3.2
and 5.3.3. Operands and answers are words of 32 bits, byte 0 lowest.
"""

from aesforge.model.fips197 import INV_SBOX, SBOX, gmul

ACC_BITS = 72
ACC_MASK = (1 << ACC_BITS) - 1
WORD = 0xFFFFFFFF


class _Unit:
    """The accumulator, 72 bits."""

    def __init__(self) -> None:
        self.acc = 0

    def put(self, value: int) -> int:
        """Store the lowest 72 bits of a value and give the lowest 32."""
        self.acc = value & ACC_MASK
        return self.acc & WORD

    def shift(self) -> int:
        """Give the lowest word and move the others down, the sign filling."""
        low = self.acc & WORD
        self.put(_signed(self.acc, ACC_BITS) >> 32)
        return low


_unit = _Unit()


def reset() -> None:
    """Forget everything, as the unit does on reset."""
    _unit.acc = 0


def _signed(value: int, bits: int) -> int:
    """A word of so many bits as two's complement."""
    return value - (1 << bits) if value >> (bits - 1) else value


def _times(rs1: int, rs2: int) -> int:
    """Signed product of two words."""
    return _signed(rs1, 32) * _signed(rs2, 32)


def _carryless(rs1: int, rs2: int) -> int:
    """Product of two words as binary polynomials: at most 63 bits."""
    product = 0
    for i in range(32):
        if rs2 >> i & 1:
            product ^= rs1 << i
    return product


def _bytes(word: int) -> list[int]:
    """The four bytes of a word, byte 0 first."""
    return [word >> 8 * i & 0xFF for i in range(4)]


def _word(values: list[int]) -> int:
    """The word of four bytes, byte 0 first."""
    return sum(value << 8 * i for i, value in enumerate(values))


def _mix(rs1: int, rs2: int, coefficients: tuple[int, int, int, int]) -> int:
    """A column joined from two halves, times the circulant matrix whose first row is given."""
    column = _bytes(um_pack(rs1, rs2))
    rows = [0, 0, 0, 0]
    for row in range(4):
        for k in range(4):
            rows[row] ^= gmul(column[(row + k) % 4], coefficients[k])
    return _word(rows)


def _four(rs1: int, rs2: int, box: bytes) -> int:
    """The even bytes of rs1 and the odd bytes of rs2, substituted."""
    even, odd = _bytes(rs1), _bytes(rs2)
    return _word([box[even[0]], box[odd[1]], box[even[2]], box[odd[3]]])


# ---- multiplication ------------------------------------------------------------------------------


def um_mulu(rs1: int, rs2: int) -> int:
    """Unsigned product."""
    return _unit.put(rs1 * rs2)


def um_muls(rs1: int, rs2: int) -> int:
    """Signed product."""
    return _unit.put(_times(rs1, rs2))


def um_macu(rs1: int, rs2: int) -> int:
    """Add the unsigned product."""
    _unit.put(_unit.acc + rs1 * rs2)
    return 0


def um_macs(rs1: int, rs2: int) -> int:
    """Add the signed product."""
    _unit.put(_unit.acc + _times(rs1, rs2))
    return 0


def um_gf2mul(rs1: int, rs2: int) -> int:
    """Carry-less product."""
    return _unit.put(_carryless(rs1, rs2))


def um_gf2mac(rs1: int, rs2: int) -> int:
    """Add the carry-less product."""
    _unit.put(_unit.acc ^ _carryless(rs1, rs2))
    return 0


def um_shacr(_rs1: int, _rs2: int) -> int:
    """Take the lowest word out of the accumulator."""
    return _unit.shift()


def um_shin(rs1: int, _rs2: int) -> int:
    """Put a word in below."""
    _unit.put(_unit.acc << 32 | rs1)
    return 0


# ---- AES -----------------------------------------------------------------------------------------


def um_mcmuls(rs1: int, rs2: int) -> int:
    """MixColumns."""
    return _mix(rs1, rs2, (2, 3, 1, 1))


def um_imcmuls(rs1: int, rs2: int) -> int:
    """InvMixColumns."""
    return _mix(rs1, rs2, (14, 11, 13, 9))


def um_mcmacs(rs1: int, rs2: int) -> int:
    """MixColumns, added to the lowest word."""
    _unit.put(_unit.acc ^ um_mcmuls(rs1, rs2))
    return 0


def um_imcmacs(rs1: int, rs2: int) -> int:
    """InvMixColumns, added to the lowest word."""
    _unit.put(_unit.acc ^ um_imcmuls(rs1, rs2))
    return 0


def um_mckey(rs1: int, rs2: int, rs3: int) -> int:
    """MixColumns and AddRoundKey."""
    return um_mcmuls(rs1, rs2) ^ rs3


def um_imckey(rs1: int, rs2: int, rs3: int) -> int:
    """InvMixColumns and AddRoundKey."""
    return um_imcmuls(rs1, rs2) ^ rs3


def um_pack(rs1: int, rs2: int) -> int:
    """Two halves of a column."""
    return (rs1 & 0xFFFF0000) | (rs2 & 0xFFFF)


def um_sbox4(rs1: int, rs2: int) -> int:
    """SubBytes and half of ShiftRows."""
    return _four(rs1, rs2, SBOX)


def um_isbox4(rs1: int, rs2: int) -> int:
    """InvSubBytes and half of InvShiftRows."""
    return _four(rs1, rs2, INV_SBOX)


def um_sboxk(rs1: int, rs2: int) -> int:
    """SubWord(RotWord(rs1)) + rs2 of the key expansion."""
    b = _bytes(rs1)
    return _word([SBOX[b[1]], SBOX[b[2]], SBOX[b[3]], SBOX[b[0]]]) ^ rs2


# ---- multi-precision forms -----------------------------------------------------------------------


def um_macux(rs1: int, rs2: int) -> int:
    """Add the unsigned product and take the lowest word out."""
    um_macu(rs1, rs2)
    return _unit.shift()


def um_mac2u(rs1: int, rs2: int) -> int:
    """Add twice the unsigned product."""
    _unit.put(_unit.acc + 2 * rs1 * rs2)
    return 0


def um_mac2ux(rs1: int, rs2: int) -> int:
    """Add twice the unsigned product and take the lowest word out."""
    um_mac2u(rs1, rs2)
    return _unit.shift()


def um_gf2macx(rs1: int, rs2: int) -> int:
    """Add the carry-less product and take the lowest word out."""
    um_gf2mac(rs1, rs2)
    return _unit.shift()


def um_addx(rs1: int, rs2: int) -> int:
    """Add two unsigned words and take the lowest word out."""
    um_add(rs1, rs2)
    return _unit.shift()


def um_subx(rs1: int, rs2: int) -> int:
    """Add the difference of two unsigned words and take the lowest word out."""
    um_sub(rs1, rs2)
    return _unit.shift()


def um_add(rs1: int, rs2: int) -> int:
    """Add two unsigned words."""
    _unit.put(_unit.acc + rs1 + rs2)
    return 0


def um_sub(rs1: int, rs2: int) -> int:
    """Add the difference of two unsigned words."""
    _unit.put(_unit.acc + rs1 - rs2)
    return 0


# ---- bits ----------------------------------------------------------------------------------------


def um_brev8(rs1: int, rs2: int) -> int:
    """The bits of each byte of rs1 ^ rs2 in reverse order."""
    return _word([int(f"{value:08b}"[::-1], 2) for value in _bytes(rs1 ^ rs2)])
