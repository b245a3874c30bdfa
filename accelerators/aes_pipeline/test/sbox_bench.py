# SPDX-License-Identifier: Apache-2.0
"""The S-box alone, wherever it is cut: all 256 bytes, both directions, in several orders.

Its registers hold nothing beyond its latency, so this is all that it can do.
"""

import random
from typing import Any

import cocotb
from cocotb.triggers import Timer

from aesforge.model import fips197
from aesforge.verify.cocotb_bench import job

ROUNDS = 3  # orders of the 512 inputs
LONGEST = 5  # cycles
KINDS = [f"tower, PipeRegs {d}" for d in range(1, 6)] + [f"lut, PipeRegs {d}" for d in range(1, 5)]
DIRECTIONS = ("fwd", "inv", "both")


@cocotb.test()
async def all_bytes(dut: Any) -> None:
    """For each circuit there is one latency with which every byte is right."""
    rng = random.Random(job().seed)
    inputs: list[tuple[int, int]] = []
    for _ in range(ROUNDS):
        order = [(inverse, byte) for inverse in (0, 1) for byte in range(256)]
        rng.shuffle(order)
        inputs += order
    shown: list[int] = []
    for inverse, byte in [*inputs, *[(0, 0)] * LONGEST]:
        dut.inv_i.value, dut.data_i.value = inverse, byte
        dut.clk_i.value = 0
        await Timer(1, "ns")
        # In the cycle of the input: what has no register answers at once.
        shown.append(int(dut.data_o.value))
        dut.clk_i.value = 1
        await Timer(1, "ns")
    for kind, name in enumerate(KINDS):
        latencies: list[int] = []
        for d, direction in enumerate(DIRECTIONS):
            wanted = [
                (fips197.INV_SBOX if direction == "inv" or (d == 2 and inverse) else fips197.SBOX)[
                    byte
                ]
                for inverse, byte in inputs
            ]
            got = [word >> 8 * (3 * kind + d) & 0xFF for word in shown]
            right = [n for n in range(LONGEST + 1) if got[n : n + len(wanted)] == wanted]
            assert right, f"{name}, {direction}: a byte is wrong"
            latencies += right
        assert len(set(latencies)) == 1, f"{name}: latencies {latencies}"
