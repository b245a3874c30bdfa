# SPDX-License-Identifier: Apache-2.0
"""How long the cells of the matrix take, before they run and while they do.

A cell's share is estimated from what its simulator is built of and from the cycles that the
published record of the cell has. What has run here says how fast this machine is.
"""

import heapq
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from aesforge.bench.job import Job
from aesforge.catalog.platform import Platform
from aesforge.records.record import Record
from aesforge.records.rows import BULK_BLOCKS

# Of one processor (AMD EPYC, 2026): Verilator and the C++ compiler over the text of a core, then
# firmware and hashes of a cell, then cycles of a core with this many bytes of RTL. A core of
# another size is slower or faster by this power of the sizes' ratio: fitted to three cores.
BUILD_SECONDS = 5.0
BUILT_BYTES_A_SECOND = 35_000.0
CELL_SECONDS = 3.0
SIMULATED_CYCLES_A_SECOND = 4.9e6
SIMULATED_BYTES = 95_000.0
POWER = 1.5
# A call is counted after two warm-up calls of at most its length; the rest is start-up.
CYCLES_A_FIGURE = 2.4
START_CYCLES = 5e5
# Blocks of a case of each vector suite; calls of a run of `ct`: each direction and key size, one
# block and seven.
SUITES = {"FIPS": 1, "KAT": 1, "MMT": 6, "MCT": 1000, "CTR": 4, "lengths": 9}
CT_CALLS = 6
CT_BULK = 7
# An interrupt at each offset is a call that is interrupted: cycles for the square of the offsets'
# number, fitted to cells of two cores. Offsets go beyond the end of each of the six calls.
IRQ_CYCLES = 2.1
IRQ_BEYOND = 6 * 48
# Questions whose records say nothing of their cycles.
QUESTION_SECONDS = {"traffic": 1200.0, "ecc_ct": 300.0}
OTHER_SECONDS = 60.0

KEPT = 0.1  # a cell that takes less than this share of its estimate was kept from an earlier run
TRUST = 2.0  # seconds that the estimate counts as if they had been measured


def estimates(jobs: Sequence[Job], published: Iterable[Record]) -> list[float]:
    """Return seconds of one processor that each job takes if nothing is kept."""
    known = {entry.place: entry for entry in published}
    built: set[tuple[str, str, str]] = set()
    found = []
    for job in jobs:
        system = (job.accelerator.name, job.variant.name, job.platform.name)
        seconds = CELL_SECONDS + _simulation(job, known)
        # Software is one system on each core; a unit's variants may be, but need not.
        system = ("", "", job.platform.name) if job.accelerator.manifest.rtl is None else system
        if system not in built:
            built.add(system)
            seconds += BUILD_SECONDS + _size(job.platform) / BUILT_BYTES_A_SECOND
        found.append(seconds)
    return found


def longest_first(jobs: Sequence[Job], published: Iterable[Record]) -> list[Job]:
    """Return jobs so that no worker is left with a long one while the others have none."""
    seconds = estimates(jobs, published)
    return [jobs[at] for at in sorted(range(len(jobs)), key=lambda at: -seconds[at])]


def _simulation(job: Job, known: Mapping[tuple[str, ...], Record]) -> float:
    """Seconds of the simulation alone."""
    cell = (job.kind, job.accelerator.name, job.variant.name, job.platform.name)
    mine, speed = known.get((*cell, job.question, "")), known.get((*cell, "speed", ""))
    cycles = CYCLES_A_FIGURE * sum(figure.cycles for figure in mine.figures) if mine else 0.0
    if speed and speed.status == "skipped":
        return 0.0
    if mine and speed and job.question in ("test", "ct"):
        cycles = _checked(mine.counts, speed)
    if speed and job.question == "irq":
        offsets = mine.counts.get("offsets") if mine else None
        cycles = IRQ_CYCLES * (offsets or _offsets(speed)) ** 2
    if not cycles or job.question in QUESTION_SECONDS:
        return QUESTION_SECONDS.get(job.question, OTHER_SECONDS)
    slowness = math.pow(_size(job.platform) / SIMULATED_BYTES, POWER)
    return slowness * (START_CYCLES + cycles) / SIMULATED_CYCLES_A_SECOND


def _size(core: Platform) -> int:
    """Bytes of a core's RTL."""
    return sum(path.stat().st_size for path in core.core_files())


def _checked(counts: Mapping[str, int], speed: Record) -> float:
    """Cycles of vectors, or of runs for constant time, at the cell's own speed."""
    set_up = max((f.cycles for f in speed.figures if f.mode == "key-setup"), default=0)
    ecb = [f for f in speed.figures if f.mode == "ecb" and f.blocks]
    block = max((f.cycles for f in ecb if f.blocks == 1), default=0)
    bulk = max((f.cycles / f.blocks for f in ecb if f.blocks == BULK_BLOCKS), default=0.0)
    if runs := counts.get("runs"):
        return CT_CALLS * runs * (set_up + block + CT_BULK * bulk)
    cases = {name: count for name, count in counts.items() if name in SUITES}
    blocks = sum(count * SUITES[name] for name, count in cases.items())
    return float(set_up * sum(cases.values()) + block * blocks)


def _offsets(speed: Record) -> float:
    """Cycles of the calls that are interrupted; seven blocks are one call in seven cycles."""
    found = [f for f in speed.figures if f.key_bits == 128]
    calls = [f for f in found if f.mode == "key-setup" or (f.mode == "ecb" and f.blocks == 1)]
    bulk = [f for f in found if f.mode == "ecb" and f.blocks == BULK_BLOCKS]
    return sum(f.cycles for f in calls) + sum(f.cycles / f.blocks for f in bulk) + IRQ_BEYOND


class Watch:
    """A forecast of jobs that run: told of each that starts and ends, it says what is left.

    Cells that have ended say how much slower or faster than the estimate this machine is.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        published: Iterable[Record],
        workers: int,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        titles = [job.title for job in jobs]
        self._waiting = dict(zip(titles, estimates(jobs, published), strict=True))
        self._running: dict[str, tuple[float, float]] = {}  # estimate, when it began
        self._workers = max(1, workers)
        self._now = now
        self._expected = self._taken = TRUST

    def begin(self, job: Job) -> None:
        """Note that a job starts."""
        self._running[job.title] = self._waiting.pop(job.title), self._now()

    def end(self, job: Job) -> None:
        """Note that a job has ended."""
        expected, begun = self._running.pop(job.title)
        taken = self._now() - begun
        if taken >= KEPT * expected:
            self._expected += expected
            self._taken += taken

    @property
    def seconds(self) -> float:
        """Seconds until all have ended: each worker that is free takes the next cell."""
        slowness = self._taken / self._expected
        now = self._now()
        ends = [max(0.0, begun + slowness * s - now) for s, begun in self._running.values()]
        free = [*ends, *[0.0] * (self._workers - len(ends))]
        heapq.heapify(free)
        for expected in self._waiting.values():
            heapq.heappush(free, heapq.heappop(free) + slowness * expected)
        return max(free)

    @property
    def left(self) -> str:
        """The time that is left, in words."""
        return f"{spoken(self.seconds)} left"


def spoken(seconds: float) -> str:
    """Return a length of time as one says it; never less than a second."""
    if seconds < 300:
        return f"{max(1.0, seconds):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} hours"
