# SPDX-License-Identifier: Apache-2.0
"""The multiplication of GHASH on every pair of basis elements: 128 x 128 products.

This is all of it. The circuit is bilinear: its operands go through sums (gf128_split, gf128_order)
into AND gates, each of which has one bit that depends on one operand alone and one on the other
(gf128_clmul), and from there through sums (gf128_clmul, gf128_join, gf128_reduce); nothing else is
in the files, and its registers keep no state beyond the latency. So is the product of the field.
Two bilinear maps that agree on all pairs of basis elements are equal. Random operands, one pair a
clock, check that bilinearity, and that the pairs of neighbouring clocks do not mix.
"""

import random
from collections import deque
from collections.abc import Iterable
from typing import Any

import cocotb
from cocotb.triggers import Timer

from aesforge.verify.cocotb_bench import job

LATENCY = 4
RANDOM_PAIRS = 2000


def multiply(x: int, y: int) -> int:
    """SP 800-38D, algorithm 1 of section 6.3; bit 127 of a number is the block's first bit."""
    z, v = 0, y
    for i in range(128):
        if x >> (127 - i) & 1:
            z ^= v
        v = v >> 1 ^ (0xE1 << 120 if v & 1 else 0)
    return z


def tdata(number: int) -> int:
    """The block as TDATA: its first byte lowest."""
    return int.from_bytes(number.to_bytes(16, "big"), "little")


async def compare(dut: Any, pairs: Iterable[tuple[int, int, int]]) -> int:
    """Multiply x by y in each clock and compare with z; the number of pairs."""
    due: deque[tuple[int, int, int]] = deque()
    count = 0
    for x, y, z in [*pairs, *[(0, 0, 0)] * LATENCY]:
        dut.a_i.value, dut.b_i.value = tdata(x), tdata(y)
        dut.clk_i.value = 0
        await Timer(1, "ns")
        dut.clk_i.value = 1
        await Timer(1, "ns")
        due.append((x, y, z))
        if len(due) == LATENCY:
            x0, y0, z0 = due.popleft()
            got = int(dut.product_o.value)
            assert got == tdata(z0), f"{x0:032x} * {y0:032x}: {got:032x}"
            count += 1
    return count


@cocotb.test()
async def all_basis_products(dut: Any) -> None:
    """x^i * x^j for all i and j."""
    powers = [1 << 127]  # x^0 up to x^254
    for _ in range(254):
        powers.append(multiply(powers[-1], 1 << 126))
    pairs = [
        (1 << (127 - i), 1 << (127 - j), powers[i + j]) for i in range(128) for j in range(128)
    ]
    assert await compare(dut, pairs) >= 128 * 128


@cocotb.test()
async def random_products(dut: Any) -> None:
    """Random operands, back to back."""
    rng = random.Random(job().seed)
    operands = [(rng.getrandbits(128), rng.getrandbits(128)) for _ in range(RANDOM_PAIRS)]
    await compare(dut, [(x, y, multiply(x, y)) for x, y in operands])
