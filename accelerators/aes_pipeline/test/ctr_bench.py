# SPDX-License-Identifier: Apache-2.0
"""Packets through the pipeline in CTR mode: published vectors, then random traffic."""

from collections import deque
from typing import Any

import axis
import cocotb

from aesforge.reference import vectors
from aesforge.verify.cocotb_bench import job

MODES = ((0.0, 0.9, 0.0), (0.3, 0.5, 0.3), (0.05, 0.8, 0.9), (0.9, 0.2, 0.05))
PACKETS = 60  # in each mode of pauses
FULL = 0xFFFF


def packet(bench: axis.Bench, text: bytes, slot: int, known: bytes = b"") -> list[axis.Beat]:
    """Cut a message into beats; the last one may have fewer bytes."""
    beats: list[axis.Beat] = []
    for i in range(0, len(text), bench.width):
        part = text[i : i + bench.width]
        beats.append(
            axis.Beat(
                part + bench.rng.randbytes(bench.width - len(part)),
                slot=slot,
                last=i + bench.width >= len(text),
                keep=(1 << len(part)) - 1,
                ident=bench.rng.getrandbits(8),
                extra=bench.rng.getrandbits(8),
                known=known[i : i + bench.width] if known else None,
            )
        )
    return beats


@cocotb.test()
async def random_packets(dut: Any) -> None:
    """Packets of 1 to 200 bytes, counters near every carry, slots loaded while others run."""
    bench = axis.Bench(dut, job())
    await bench.reset()
    first = [axis.Key(slot, bench.random_key()) for slot in range(bench.slots)]
    for idle, key_idle, stall in MODES:
        keys = deque(first)
        keys.extend(
            axis.Key(bench.rng.randrange(bench.slots), bench.random_key()) for _ in range(20)
        )
        beats: deque[axis.Beat] = deque()
        ivs: deque[bytes] = deque()
        for _ in range(PACKETS):
            low = bench.rng.choice((16, 32, 64, 96, 128))
            near = (bench.rng.getrandbits(128) | ((1 << low) - 1)) - bench.rng.randrange(4)
            ivs.append(near.to_bytes(16, "big"))
            length = bench.rng.randrange(1, 200)
            beats.extend(
                packet(bench, bench.rng.randbytes(length), bench.rng.randrange(bench.slots))
            )
        await bench.run(keys, beats, ivs, idle=idle, key_idle=key_idle, stall=stall)
        first = []


@cocotb.test()
async def published_vectors(dut: Any) -> None:
    """SP 800-38A and RFC 3686."""
    bench = axis.Bench(dut, job())
    await bench.reset()
    cases = [
        case
        for case in vectors.load(mct_outer=1)
        if case.mode == "ctr" and len(case.key) in bench.sizes
    ]
    assert cases
    for case in cases:
        await bench.run(deque([axis.Key(0, case.key)]), deque())
        beats = packet(bench, case.text, 0, case.result)
        await bench.run(deque(), deque(beats), deque([case.iv]))


@cocotb.test()
async def one_block_a_clock(dut: Any) -> None:
    """A new packet, counter and key slot cost no cycle."""
    bench = axis.Bench(dut, job())
    await bench.reset()
    keys = deque(axis.Key(slot, bench.random_key()) for slot in range(bench.slots))
    await bench.run(keys, deque())
    beats: deque[axis.Beat] = deque()
    ivs: deque[bytes] = deque()
    while len(beats) < 300:
        ivs.append(bench.rng.randbytes(16))
        text = bench.rng.randbytes(bench.rng.randrange(1, 65))
        beats.extend(packet(bench, text, bench.rng.randrange(bench.slots)))
    await bench.run(deque(), beats, ivs)
    count = len(bench.taken_at)
    assert bench.taken_at[-1] - bench.taken_at[0] == count - 1, "the input was held back"
    assert bench.given_at[-1] - bench.given_at[0] == count - 1, "a bubble came out"
    assert bench.given_at[0] - bench.taken_at[0] == bench.latency
