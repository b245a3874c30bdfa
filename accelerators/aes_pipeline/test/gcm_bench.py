# SPDX-License-Identifier: Apache-2.0
"""GCM through the pipeline: random messages of interleaved streams, vectors, full speed."""

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import axis
import cocotb
import gcm

from aesforge.reference import gcm_vectors
from aesforge.reference.stream_gcm import TAG, TEXT, Beat, Message, seal
from aesforge.verify.cocotb_bench import job

# (no offer of a beat, no offer of a key, sink stalls, tag's sink stalls, change of stream)
MODES = (
    (0.0, 0.9, 0.0, 0.0, 0.0),
    (0.0, 0.9, 0.0, 0.0, 1.0),
    (0.3, 0.5, 0.3, 0.3, 0.5),
    (0.05, 0.9, 0.7, 0.05, 0.2),
    (0.05, 0.9, 0.05, 0.9, 0.2),
    (0.8, 0.2, 0.05, 0.05, 0.7),
)
MESSAGES = 60  # in each mode
EVERY = 41  # CAVP groups in the selection


@cocotb.test()
async def random_messages(dut: Any) -> None:
    """Both directions, forgeries, IVs of all kinds, keys that change between messages."""
    bench = gcm.GcmBench(dut, job())
    await bench.reset()
    first = [axis.Key(slot, bench.random_key()) for slot in range(bench.slots)]
    for idle, key_idle, stall, tag_stall, mix in MODES:
        keys = deque(first)
        keys.extend(axis.Key(bench.rng.randrange(bench.slots), bench.random_key()) for _ in "1234")
        tasks = bench.spread(MESSAGES, bench.rng.choice((33, 300)))
        await bench.play(
            keys, tasks, idle=idle, key_idle=key_idle, stall=stall, tag_stall=tag_stall, mix=mix
        )
        first = []
    assert bench.refused > 20, "too few forgeries"
    assert bench.accepted > 100, "too few messages"


@cocotb.test()
async def one_beat_a_clock(dut: Any) -> None:
    """Neither a message's beginning or end nor a change of stream, IV or key slot costs a cycle."""
    bench = gcm.GcmBench(dut, job())
    await bench.reset()
    keys = deque(axis.Key(slot, bench.random_key()) for slot in range(bench.slots))
    await bench.play(keys, [deque() for _ in range(bench.streams)])
    await bench.play(deque(), bench.spread(bench.slots * 8, 20))  # all powers are there
    for longest in (2, 40, 400):
        for mix in (0.0, 1.0):
            start, tags = bench.sent, len(bench.tag_at)
            iv = {"iv": bench.rng.randbytes(12)}
            await bench.play(deque(), bench.spread(40, longest, **iv), mix=mix)
            taken, given = bench.taken_at[start:], bench.given_at[start:]
            count = len(taken) - 1
            assert taken[-1] - taken[0] == count, "the input was held back"
            assert given[-1] - given[0] == count, "a bubble came out"
            assert given[0] - taken[0] == bench.latency, f"latency {given[0] - taken[0]}"
            assert len(bench.tag_at) - tags == 40
            wait = bench.tag_at[-1] - given[-1]
            assert wait <= 30 + 8 * bench.streams, f"the last tag came {wait} cycles later"


@cocotb.test()
async def published_vectors(dut: Any) -> None:
    """A selection of CAVP and Wycheproof, wrong tags and empty IVs among them."""
    bench = gcm.GcmBench(dut, job())
    await bench.reset()
    found = [case for case in gcm_vectors.samples(EVERY) if len(case.key) in bench.sizes]
    assert any(not case.valid for case in found)
    for key, task in gcm.cases_of(bench, iter(found)):
        queues: list[deque[gcm.Task]] = [deque() for _ in range(bench.streams)]
        queues[task.stream].append(task)
        await bench.play(deque([key]), [deque() for _ in range(bench.streams)])
        await bench.play(deque(), queues)
    assert bench.refused, "no forgery among the vectors"
    dut._log.warning(f"{bench.accepted} accepted, {bench.refused} refused")


def _zero(beats: list[Beat]) -> list[Beat]:
    """What comes out of beats that are not to be trusted: no text."""
    return [replace(b, want=bytes(len(b.data)) if b.kind == TEXT else b.data) for b in beats]


def _hole(beat: Beat) -> Beat:
    return replace(beat, keep=beat.keep & ~4)


# A message of Head, two of Aad, three of Text (the last ones not full), which end it.
BROKEN: dict[str, Callable[[list[Beat]], list[Beat]]] = {
    "no head": lambda b: _zero(b[1:]),
    "begins with text": lambda b: _zero(b[3:]),
    "second head": lambda b: [*b[:3], *_zero([replace(b[0], last=False), *b[3:]])],
    "data after text": lambda b: [*b[:4], *_zero([b[2], *b[4:]])],
    "data after short data": lambda b: [*b[:3], *_zero([b[1], *b[3:]])],
    "text after short text": lambda b: [*b[:5], *[replace(b[5], last=False)], *_zero(b[5:])],
    "hole in data": lambda b: [b[0], *_zero([_hole(b[1]), *b[2:]])],
    "hole in text": lambda b: [*b[:3], *_zero([_hole(b[3]), *b[4:]])],
    "half a head": lambda b: _zero([replace(b[0], keep=0xFF), *b[1:]]),
    "head of a hash that is not there": lambda b: _zero([replace(b[0], keep=0), *b[1:]]),
    "no such kind": lambda b: [*b[:3], *_zero([replace(b[3], kind=5), *b[4:]])],
    "tag to encrypt": lambda b: [*b[:5], *_zero([replace(b[4], kind=TAG, last=True)])],
}


@cocotb.test()
async def broken_messages(dut: Any) -> None:
    """Beats out of order: refused, no text from there on, and the next message is well."""
    bench = gcm.GcmBench(dut, job())
    await bench.reset()
    keys = deque(axis.Key(slot, bench.random_key()) for slot in range(bench.slots))
    tasks = [deque[gcm.Task]() for _ in range(bench.streams)]
    for spoil in BROKEN.values():
        iv, text = bench.rng.randbytes(12), bench.rng.randbytes(3 * bench.width - 5)

        def make(key: bytes, iv: bytes = iv, text: bytes = text) -> Message:
            return replace(seal(key, iv, text[bench.width :], text), valid=False)

        stream = bench.rng.randrange(bench.streams)
        queue = tasks[stream]
        queue.append(bench.random_task(stream, 60))
        queue.append(replace(bench.random_task(stream, 60), make=make, spoil=spoil))
        queue.append(bench.random_task(stream, 60))
    await bench.play(keys, tasks, idle=0.1, stall=0.1)
    assert bench.refused >= len(BROKEN)


@cocotb.test()
async def reset_in_the_middle(dut: Any) -> None:
    """After a reset no beat and no tag comes out, and none is taken before a new key."""
    bench = gcm.GcmBench(dut, job())
    for cycles in (1, 7):
        await bench.reset()
        keys = deque(axis.Key(slot, bench.random_key()) for slot in range(bench.slots))
        await bench.play(keys, bench.spread(20, 100))
        bench.drive(m_axis_tready=1, m_axis_tag_tready=1, s_axis_tvalid=1)
        for _ in range(5 * cycles):
            await bench.edge()
        await bench.reset(cycles)
        bench.drive(m_axis_tready=1, m_axis_tag_tready=1, s_axis_tvalid=1)
        for _ in range(bench.latency + 40):
            await bench.edge()
            assert not bench.read("m_axis_tvalid"), "a beat survived the reset"
            assert not bench.read("m_axis_tag_tvalid"), "a tag survived the reset"
            assert not bench.read("s_axis_tready"), "a beat is taken without a key"
