# SPDX-License-Identifier: Apache-2.0
"""Tower fields for inversion in GF(2^8): the source of every basis-change matrix of rtl/field/.

GF(2^8) of FIPS 197 is isomorphic to any other field of 256 elements. In a tower, elements are pairs
over a smaller field, and one inversion of 8 bits becomes one of 4 bits and a few small products. To
move between the two, each basis vector of the tower is named as an element of the FIPS 197 field; a
linear map follows.

A matrix here is 8 bytes: `matrix[j]` is the image of input bit j (a column). The RTL holds rows,
see `rows`: bit i of the result is the parity of `rows[i] & input`.
"""

from dataclasses import dataclass

from aesforge.model.fips197 import affine, gmul

Matrix = tuple[int, ...]


def apply(matrix: Matrix, value: int) -> int:
    """Image of the byte `value` under a matrix of columns."""
    total = 0
    for j, column in enumerate(matrix):
        if value >> j & 1:
            total ^= column
    return total


def rows(matrix: Matrix) -> Matrix:
    """The same matrix as row masks: bit j of rows[i] is bit i of matrix[j]."""
    return tuple(
        sum((matrix[j] >> i & 1) << j for j in range(len(matrix))) for i in range(len(matrix))
    )


def packed(matrix: Matrix) -> int:
    """Row masks as one 64-bit number, row i in bits 8*i+7 to 8*i: the form of the RTL constants."""
    return sum(row << 8 * i for i, row in enumerate(rows(matrix)))


def compose(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix of outer(inner(x))."""
    return tuple(apply(outer, column) for column in inner)


def invert(matrix: Matrix) -> Matrix:
    """The inverse matrix; ValueError if there is none (256 images are simply tabulated)."""
    preimage = {apply(matrix, value): value for value in range(256)}
    if len(preimage) != 256:
        raise ValueError("the matrix is singular")
    return tuple(preimage[1 << i] for i in range(8))


def weight(matrix: Matrix) -> int:
    """Number of ones: the two-input XORs of a naive circuit are this less 8."""
    return sum(column.bit_count() for column in matrix)


AFFINE: Matrix = tuple(affine(1 << j) ^ affine(0) for j in range(8))
"""The linear part of the S-box's affine map (FIPS 197, 5.1.1); its constant is {63}."""


@dataclass(frozen=True)
class Tower:
    """Where a tower sits in the FIPS 197 field: the matrices between the two, and the S-box's
    output maps."""

    to_tower: Matrix  # FIPS 197 byte -> tower byte
    from_tower: Matrix  # tower byte -> FIPS 197 byte

    @property
    def out_forward(self) -> Matrix:
        """Tower byte -> linear part of the forward S-box (way out and affine map in one)."""
        return compose(AFFINE, self.from_tower)

    @property
    def in_inverse(self) -> Matrix:
        """Byte + {63} -> tower byte, for the inverse S-box (inverse affine map and way in)."""
        return invert(self.out_forward)


def _powers(a: int, count: int) -> list[int]:
    """1, a, a^2, ... in the FIPS 197 field."""
    out = [1]
    for _ in range(count - 1):
        out.append(gmul(out[-1], a))
    return out


def _polynomial_towers() -> list[Tower]:
    """All embeddings of GF((2^4)^2) with Q(z) = z^4 + z + 1, P(y) = y^2 + y + 13 (Kale 2021,
    section 2.2).

    A tower byte is h*y + l: bits 7 to 4 are h, 3 to 0 are l, bit i of each the coefficient of z^i;
    13 is z^3 + z^2 + 1. Any root z of Q and root y of P in the FIPS 197 field give one embedding: 4
    * 2 of them.
    """
    found = []
    for z in range(256):
        z_powers = _powers(z, 5)
        if z_powers[4] ^ z ^ 1:
            continue
        thirteen = z_powers[3] ^ z_powers[2] ^ 1
        for y in range(256):
            if gmul(y, y) ^ y ^ thirteen:
                continue
            from_tower = tuple(z_powers[:4] + [gmul(y, p) for p in z_powers[:4]])
            found.append(Tower(invert(from_tower), from_tower))
    return found


def _ones(tower: Tower) -> tuple[int, Matrix]:
    """Order in which embeddings are preferred: fewest ones in the four maps, then a fixed order."""
    maps = (tower.to_tower, tower.from_tower, tower.out_forward, tower.in_inverse)
    return sum(weight(m) for m in maps), tower.from_tower


def kale_tower() -> Tower:
    """The embedding used by rtl/field/aes_sbox_tower.sv: of the eight, the one with the fewest
    ones."""
    return min(_polynomial_towers(), key=_ones)


def canright_tower() -> Tower:
    """GF(((2^2)^2)^2) in normal bases, the case that Canright's search found best (CHES 2005,
    section 4).

    W, Z, Y of the FIPS 197 field span GF(4), GF(16), GF(256) as [W^2, W], [Z^4, Z], [Y^16, Y], with
    W = {bd}, Z = {5c}, Y = {ff}. A tower byte is g1*Y^16 + g0*Y, each nibble h1*Z^4 + h0*Z, each
    pair j1*W^2 + j0*W, the higher index in the higher bits.
    """
    w, z, y = 0xBD, 0x5C, 0xFF
    w2, z4, y16 = gmul(w, w), _powers(z, 5)[4], _powers(y, 17)[16]
    from_tower = tuple(gmul(a, gmul(b, c)) for a in (y, y16) for b in (z, z4) for c in (w, w2))
    return Tower(invert(from_tower), from_tower)
