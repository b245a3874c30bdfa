# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves over GF(2^m), y^2 + x y = x^3 + a x^2 + b: the group law as printed, on integers.

Elements are integers whose bit i is the coefficient of x^i; a point is a pair, infinity is None.
Affine formulas (SEC 1, section 2.2.2), schoolbook products and Euclid's inverse: nothing in common
with the C and assembly that are compared with it. Constants: SEC 2, sections 3.2 and 3.3.
"""

import random
from dataclasses import dataclass

Point = tuple[int, int] | None


@dataclass(frozen=True)
class Curve:
    """A curve: reduction polynomial, coefficients, base point, its order n and the cofactor h."""

    name: str
    polynomial: int
    a: int
    b: int
    base: tuple[int, int]
    n: int
    h: int

    @property
    def degree(self) -> int:
        """The field's degree m."""
        return self.polynomial.bit_length() - 1

    @property
    def size(self) -> int:
        """Bytes of a coordinate and of a private key."""
        return (self.degree + 7) // 8

    def times(self, x: int, y: int) -> int:
        """The product of two elements."""
        product = 0
        while y:
            if y & 1:
                product ^= x
            x, y = x << 1, y >> 1
        return self.reduce(product)

    def reduce(self, x: int) -> int:
        """The remainder modulo the field's polynomial."""
        while (excess := x.bit_length() - self.polynomial.bit_length()) >= 0:
            x ^= self.polynomial << excess
        return x

    def inverse(self, x: int) -> int:
        """1 / x, x not zero."""
        u, v, g, h = x, self.polynomial, 1, 0
        while u != 1:
            if u.bit_length() < v.bit_length():
                u, v, g, h = v, u, h, g
            shift = u.bit_length() - v.bit_length()
            u, g = u ^ (v << shift), g ^ (h << shift)
        return self.reduce(g)

    def trace(self, x: int) -> int:
        """The sum of x^(2^i), i < m: 0 or 1."""
        total = 0
        for _ in range(self.degree):
            total, x = total ^ x, self.times(x, x)
        return total

    def sqrt(self, x: int) -> int:
        """The square root of an element."""
        for _ in range(self.degree - 1):
            x = self.times(x, x)
        return x

    def contains(self, point: tuple[int, int]) -> bool:
        """Tell whether a pair of elements is on the curve."""
        x, y = point
        return self.times(y, y ^ x) == self.times(self.times(x, x), x ^ self.a) ^ self.b

    def add(self, p: Point, q: Point) -> Point:
        """The sum of two points of the curve."""
        if p is None:
            return q
        if q is None:
            return p
        if p[0] == q[0]:
            if p[1] != q[1] or p[0] == 0:
                return None
            slope = p[0] ^ self.times(p[1], self.inverse(p[0]))
            x = self.times(slope, slope) ^ slope ^ self.a
        else:
            slope = self.times(p[1] ^ q[1], self.inverse(p[0] ^ q[0]))
            x = self.times(slope, slope) ^ slope ^ p[0] ^ q[0] ^ self.a
        return x, self.times(slope, p[0] ^ x) ^ x ^ p[1]

    def multiply(self, k: int, p: Point) -> Point:
        """The k-fold of a point, k >= 0."""
        result: Point = None
        for digit in f"{k:b}":
            result = self.add(result, result)
            if digit == "1":
                result = self.add(result, p)
        return result

    def random_point(self, rng: random.Random) -> tuple[int, int]:
        """Any point of the curve, of whatever order, but not the one with x = 0."""
        while True:
            x = rng.randrange(1, 1 << self.degree)
            c = x ^ self.a ^ self.times(self.b, self.inverse(self.times(x, x)))
            root = power = c  # the half-trace solves z^2 + z = c if Tr(c) = 0
            for _ in range(self.degree // 2):
                power = self.times(power, power)
                power = self.times(power, power)
                root ^= power
            if self.times(root, root) ^ root == c:
                return x, self.times(root ^ rng.getrandbits(1), x)

    def encode(self, point: tuple[int, int]) -> bytes:
        """x || y, big-endian."""
        return b"".join(value.to_bytes(self.size, "big") for value in point)


_F163 = 1 << 163 | 1 << 7 | 1 << 6 | 1 << 3 | 1
_F233 = 1 << 233 | 1 << 74 | 1

CURVES = {
    curve.name: curve
    for curve in (
        Curve(
            name="b233",
            polynomial=_F233,
            a=1,
            b=0x066_647EDE6C_332C7F8C_0923BB58_213B333B_20E9CE42_81FE115F_7D8F90AD,
            base=(
                0x0FA_C9DFCBAC_8313BB21_39F1BB75_5FEF65BC_391F8B36_F8F8EB73_71FD558B,
                0x100_6A08A419_03350678_E58528BE_BF8A0BEF_F867A7CA_36716F7E_01F81052,
            ),
            n=0x100_00000000_00000000_00000000_0013E974_E72F8A69_22031D26_03CFE0D7,
            h=2,
        ),
        Curve(
            name="k233",
            polynomial=_F233,
            a=0,
            b=1,
            base=(
                0x172_32BA853A_7E731AF1_29F22FF4_149563A4_19C26BF5_0A4C9D6E_EFAD6126,
                0x1DB_537DECE8_19B7F70F_555A67C4_27A8CD9B_F18AEB9B_56E0C110_56FAE6A3,
            ),
            n=0x080_00000000_00000000_00000000_00069D5B_B915BCD4_6EFB1AD5_F173ABDF,
            h=4,
        ),
        Curve(
            name="sect163k1",
            polynomial=_F163,
            a=1,
            b=1,
            base=(
                0x2_FE13C053_7BBC11AC_AA07D793_DE4E6D5E_5C94EEE8,
                0x2_89070FB0_5D38FF58_321F2E80_0536D538_CCDAA3D9,
            ),
            n=0x4_00000000_00000000_00020108_A2E0CC0D_99F8A5EF,
            h=2,
        ),
        Curve(
            name="sect163r1",
            polynomial=_F163,
            a=0x7_B6882CAA_EFA84F95_54FF8428_BD88E246_D2782AE2,
            b=0x7_13612DCD_DCB40AAB_946BDA29_CA91F73A_F958AFD9,
            base=(
                0x3_69979697_AB438977_89566789_567F787A_7876A654,
                0x0_435EDB42_EFAFB298_9D51FEFC_E3C80988_F41FF883,
            ),
            n=0x3_FFFFFFFF_FFFFFFFF_FFFF48AA_B689C29C_A710279B,
            h=2,
        ),
    )
}
