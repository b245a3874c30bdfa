# SPDX-License-Identifier: Apache-2.0
"""clmul and clmulh on Python integers (RISC-V Cryptography Extensions Volume I, 3.7 and 3.8)."""


def _product(rs1: int, rs2: int) -> int:
    """The product of two polynomials over GF(2)."""
    product = 0
    for i in range(32):
        if rs2 >> i & 1:
            product ^= rs1 << i
    return product


def clmul(rs1: int, rs2: int) -> int:
    """The lower word of the product."""
    return _product(rs1, rs2) & 0xFFFFFFFF


def clmulh(rs1: int, rs2: int) -> int:
    """The upper word of the product."""
    return _product(rs1, rs2) >> 32
