# SPDX-License-Identifier: Apache-2.0
"""How long the cells of the matrix take, before they run and while they do.

A cell's share is estimated from what its simulator is built of and from the cycles that the
published record of the cell has. What has run here says how fast this machine is.
"""

import heapq
import time
from collections.abc import Callable, Iterable, Sequence

from aesforge.bench.job import Job
from aesforge.records.record import Record

# One processor of an AMD EPYC of 2026: Verilator and the C++ compiler over the text of a core,
# firmware and hashes of a cell, and the simulation.
BUILD_SECONDS = 10.0
BUILT_BYTES_A_SECOND = 12_000.0
CELL_SECONDS = 6.0
SIMULATED_CYCLES_A_SECOND = 1.5e6
# A call is counted after two warm-up calls of at most its length; the rest is start-up.
CYCLES_A_FIGURE = 2.4
START_CYCLES = 5e5
# Questions whose records hold no cycles.
QUESTION_SECONDS = {"traffic": 1200.0, "test": 180.0, "ct": 180.0, "irq": 300.0, "ecc_ct": 300.0}
OTHER_SECONDS = 60.0

KEPT = 0.1  # a cell that takes less than this share of its estimate was kept from an earlier run
TRUST = 20.0  # seconds that the estimate counts as if they had been measured


def estimates(jobs: Sequence[Job], published: Iterable[Record]) -> list[float]:
    """Return seconds of one processor that each job takes if nothing is kept."""
    known = {entry.place: entry for entry in published}
    built: set[tuple[str, str, str]] = set()
    found = []
    for job in jobs:
        system = (job.accelerator.name, job.variant.name, job.platform.name)
        place = (job.kind, *system, job.question, "")
        seconds = CELL_SECONDS + _simulation(job, known.get(place))
        # Software is one system on each core; a unit's variants may be, but need not.
        system = ("", "", job.platform.name) if job.accelerator.manifest.rtl is None else system
        if system not in built:
            built.add(system)
            size = sum(path.stat().st_size for path in job.platform.core_files())
            seconds += BUILD_SECONDS + size / BUILT_BYTES_A_SECOND
        found.append(seconds)
    return found


def _simulation(job: Job, known: Record | None) -> float:
    cycles = sum(figure.cycles for figure in known.figures) if known else 0
    if cycles and job.question not in QUESTION_SECONDS:
        return (START_CYCLES + CYCLES_A_FIGURE * cycles) / SIMULATED_CYCLES_A_SECOND
    return QUESTION_SECONDS.get(job.question, OTHER_SECONDS)


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
