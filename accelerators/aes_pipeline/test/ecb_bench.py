# SPDX-License-Identifier: Apache-2.0
"""Blocks through the pipeline: published vectors, random traffic, full speed, reset."""

from collections import deque
from typing import Any

import axis
import cocotb

from aesforge.reference import vectors
from aesforge.verify.cocotb_bench import job

RANDOM_BLOCKS = 600  # in each mode of pauses
# (no offer of a block, no offer of a key, sink stalls)
MODES = (
    (0.0, 0.9, 0.0),
    (0.5, 0.5, 0.0),
    (0.0, 0.9, 0.5),
    (0.3, 0.0, 0.3),
    (0.05, 0.8, 0.9),
    (0.9, 0.2, 0.05),
)


@cocotb.test()
async def random_traffic(dut: Any) -> None:
    """Keys change on their stream while blocks of all slots and directions run."""
    bench = axis.Bench(dut, job())
    await bench.reset()
    first = [axis.Key(slot, bench.random_key()) for slot in range(bench.slots)]
    for idle, key_idle, stall in MODES:
        more = RANDOM_BLOCKS // 12 if bench.agile else 6
        keys = deque(first)
        keys.extend(
            axis.Key(bench.rng.randrange(bench.slots), bench.random_key()) for _ in range(more)
        )
        beats = deque(bench.random_beat() for _ in range(RANDOM_BLOCKS))
        await bench.run(keys, beats, idle=idle, key_idle=key_idle, stall=stall)
        first = []
    assert bench.received == len(MODES) * RANDOM_BLOCKS


@cocotb.test()
async def one_block_a_clock(dut: Any) -> None:
    """With nobody waiting there is no bubble, and the latency is what the README says."""
    bench = axis.Bench(dut, job())
    await bench.reset()
    keys = deque(axis.Key(slot, bench.random_key()) for slot in range(bench.slots))
    # Key set-up may take a while; after it everything runs at full speed.
    await bench.run(keys, deque(bench.random_beat(slot=s) for s in range(bench.slots)))
    for decrypt in bench.directions:
        each = deque(bench.random_beat(slot=s, decrypt=decrypt) for s in range(bench.slots))
        await bench.run(deque(), each)
    start = bench.sent
    await bench.run(deque(), deque(bench.random_beat() for _ in range(300)))
    taken, given = bench.taken_at[start:], bench.given_at[start:]
    assert taken[-1] - taken[0] == 299, "the input was held back"
    assert given[-1] - given[0] == 299, "a bubble came out"
    assert given[0] - taken[0] == bench.latency, f"latency {given[0] - taken[0]}"


@cocotb.test()
async def one_key_a_block(dut: Any) -> None:
    """A slot is loaded again as soon as its block has gone in: the block keeps its key."""
    bench = axis.Bench(dut, job())
    await bench.reset()
    for _ in range(40 if bench.agile else 6):
        slot = bench.rng.randrange(bench.slots)
        await bench.run(deque([axis.Key(slot, bench.random_key())]), deque())
        last = bench.random_beat(slot=slot)
        await bench.run(deque(), deque([last]), stop=bench.sent + 1)
    await bench.run(deque(), deque())


@cocotb.test()
async def published_vectors(dut: Any) -> None:
    """FIPS 197, CAVS known answers and multi-block messages of the sizes and directions built."""
    bench = axis.Bench(dut, job())
    await bench.reset()
    cases = [
        case
        for case in vectors.load(mct_outer=1)
        if case.mode == "ecb"
        and case.kind != "MCT"
        and len(case.key) in bench.sizes
        and (case.direction == "decrypt") in bench.directions
    ]
    held: dict[int, bytes] = {}
    slot = 0
    for case in cases:
        if case.key not in held.values():
            slot = (slot + 1) % bench.slots
            held[slot] = case.key
            await bench.run(deque([axis.Key(slot, case.key)]), deque(), stop=bench.sent + 1)
            assert bench.keys[slot if bench.agile else 0] == case.key
        place = next(s for s, key in held.items() if key == case.key)
        text, result = case.text, case.result
        beats = deque(
            axis.Beat(
                text[i : i + 16],
                slot=place,
                decrypt=case.direction == "decrypt",
                last=i + 16 == len(text),
                known=result[i : i + 16],
            )
            for i in range(0, len(text), 16)
        )
        # All blocks are taken; what is inside comes out with the next ones.
        await bench.run(deque(), beats, stop=bench.sent + len(beats))
    await bench.run(deque(), deque())
    assert bench.received == sum(len(case.text) // 16 for case in cases)
    dut._log.warning(f"{len(cases)} vectors, {bench.received} blocks")


@cocotb.test()
async def reset_in_the_middle(dut: Any) -> None:
    """After a reset nothing comes out, and no block is taken before a new key."""
    bench = axis.Bench(dut, job())
    for cycles in (1, 5, 17):
        await bench.reset()
        keys = deque(axis.Key(slot, bench.random_key()) for slot in range(bench.slots))
        beats = deque(bench.random_beat() for _ in range(100))
        await bench.run(keys, beats, stall=0.3, stop=bench.sent + 5 * cycles)
        await bench.reset(cycles)
        bench.drive(m_axis_tready=1, s_axis_tvalid=1)
        for slot in range(bench.slots):
            bench.drive(s_axis_tuser=(slot << 1) | int(bench.directions[-1]))
            for _ in range(bench.latency):
                await bench.edge()
                assert not bench.read("m_axis_tvalid"), "a block survived the reset"
                assert not bench.read("s_axis_tready"), "a block is taken without a key"
