# SPDX-License-Identifier: Apache-2.0
"""How long measuring takes: what is said before it begins, and what is left while it runs."""

import heapq
import random
from collections.abc import Sequence

import pytest

from aesforge.bench import forecast, matrix
from aesforge.bench.forecast import Watch, estimates, longest_first, spoken
from aesforge.bench.job import Job
from aesforge.records import record
from aesforge.report import figures
from aesforge.synth import synthesis

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def jobs() -> list[Job]:
    """The cells that `make bench` measures."""
    published = record.read_published()
    cells = figures.headline(published, synthesis.read_published())
    found = [
        job
        for accelerator, variant, core, question in sorted(cells)
        for job in matrix.matrix((f"{accelerator}/{variant}",), (core,), (question,))
    ]
    return longest_first(found, published)


class Machine:
    """A machine that takes a given time for each cell, `workers` at a time."""

    def __init__(self, jobs: Sequence[Job], seconds: Sequence[float], workers: int) -> None:
        self.now = 0.0
        self._jobs, self._seconds, self._workers = jobs, seconds, workers

    def run(self, watch: Watch) -> list[tuple[float, str]]:
        """Return when each cell ended, and what was said then of the time that is left."""
        said: list[tuple[float, str]] = []
        running: list[tuple[float, int]] = []
        waiting = list(range(len(self._jobs)))
        while waiting or running:
            while waiting and len(running) < self._workers:
                place = waiting.pop(0)
                watch.begin(self._jobs[place])
                heapq.heappush(running, (self.now + self._seconds[place], place))
            self.now, place = heapq.heappop(running)
            watch.end(self._jobs[place])
            said.append((self.now, watch.left))
        return said


def read(text: str) -> float:
    """Seconds of "12 min left"."""
    number, unit, _ = text.split()
    return float(number) * {"s": 1.0, "min": 60.0, "hours": 3600.0}[unit]


def wrong_by_more_than_a_third(
    jobs: Sequence[Job], slowness: float, workers: int, kept: int = 0
) -> list[tuple[float, float, str]]:
    """(when, what was left, what was said), from the first tenth of the work to the last."""
    published = record.read_published()
    draw = random.Random(f"{slowness} {workers} {kept}")
    real = [slowness * s * draw.uniform(0.75, 1.25) for s in estimates(jobs, published)]
    real[:kept] = [0.2] * kept
    machine = Machine(jobs, real, workers)
    said = machine.run(Watch(jobs, published, workers, now=lambda: machine.now))
    end = machine.now
    return [
        (at, end - at, text)
        for at, text in said
        if 0.1 * end <= at <= 0.9 * end and not 2 / 3 <= read(text) / (end - at) <= 4 / 3
    ]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("slowness", [0.5, 1.0, 4.0])
def test_what_is_left_is_right_within_a_third(
    jobs: list[Job], slowness: float, workers: int
) -> None:
    """On a machine of another speed, whose cells take a quarter more or less each."""
    assert wrong_by_more_than_a_third(jobs, slowness, workers) == []


def test_kept_cells_say_nothing_of_the_machine(jobs: list[Job]) -> None:
    """A run that goes on after Ctrl-C: half of the cells end at once."""
    assert wrong_by_more_than_a_third(jobs, 1.0, 2, kept=len(jobs) // 2) == []


def test_a_forecast_that_never_learns_is_seen(
    jobs: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check has been seen to fail: with the estimate alone, and with kept cells counted."""
    monkeypatch.setattr(forecast, "TRUST", 1e9)
    assert wrong_by_more_than_a_third(jobs, 4.0, 2)
    monkeypatch.undo()
    monkeypatch.setattr(forecast, "KEPT", 0.0)
    assert wrong_by_more_than_a_third(jobs, 1.0, 2, kept=len(jobs) // 2)


def test_a_system_is_built_once(jobs: list[Job]) -> None:
    """The first cell of a system pays for its simulator; more published cycles take longer."""
    published = record.read_published()
    one, again = estimates([jobs[0], jobs[0]], published)
    assert one - again > forecast.BUILD_SECONDS
    slower = [
        entry.model_copy(
            update={
                "figures": [f.model_copy(update={"cycles": 9 * f.cycles}) for f in entry.figures]
            }
        )
        for entry in published
    ]
    assert sum(estimates(jobs, slower)) > sum(estimates(jobs, published))
    assert estimates(jobs, [])[0] >= forecast.CELL_SECONDS + forecast.OTHER_SECONDS


@pytest.mark.parametrize("question", ["test", "ct"])
def test_checks_take_as_long_as_the_cell_is_slow(question: str) -> None:
    """Vectors and runs cost the cell's own cycles; sizes in a record are no cases."""
    published = record.read_published()
    entry = next(r for r in published if r.question == question and r.status == "passed")
    label = f"{entry.accelerator}/{entry.variant}"
    (job,) = matrix.matrix((label,), (entry.platform,), (question,))

    def seconds(factor: int, **counts: int) -> float:
        changed = [
            r.model_copy(
                update={
                    "figures": [
                        f.model_copy(update={"cycles": factor * f.cycles}) for f in r.figures
                    ],
                    "counts": {**r.counts, **(counts if r.question == question else {})},
                }
            )
            for r in published
        ]
        return estimates([job], changed)[0]

    assert seconds(2) - seconds(1) == pytest.approx(seconds(3) - seconds(2))
    assert seconds(2) > 1.2 * seconds(1)
    assert seconds(1, code_bytes=10**9) == seconds(1)
    assert seconds(1, **{"runs" if question == "ct" else "KAT": 10**6}) > 9 * seconds(1)


def test_interrupts_take_as_long_as_their_offsets() -> None:
    """By the published offsets; without a record by the calls' cycles, as good within a third."""
    published = record.read_published()
    cells = {r.place: r for r in published}
    asked = [r for r in published if r.question == "irq" and r.status == "passed"]
    for entry in asked:
        *cell, _, _ = entry.place
        of_calls = forecast._offsets(cells[(*cell, "speed", "")])
        assert 2 / 3 <= of_calls / entry.counts["offsets"] <= 4 / 3, entry.place
    entry = asked[0]
    label = f"{entry.accelerator}/{entry.variant}"
    (job,) = matrix.matrix((label,), (entry.platform,), ("irq",))
    slow = entry.model_copy(update={"counts": {"offsets": 9 * entry.counts["offsets"]}})
    kept = [r for r in published if r is not entry]
    with_it, more, without = (estimates([job], [*kept, *own])[0] for own in ([entry], [slow], []))
    assert more > 9 * with_it and 0.5 <= without / with_it <= 1.5


def test_what_a_core_cannot_take_costs_no_simulation() -> None:
    """A cell that is skipped is not simulated, whatever is asked."""
    published = record.read_published()
    entry = next(r for r in published if (r.question, r.status) == ("speed", "skipped"))
    label = f"{entry.accelerator}/{entry.variant}"
    (job,) = matrix.matrix((label,), (entry.platform,), ("irq",))
    cost, again = estimates([job, job], published)
    assert again == forecast.CELL_SECONDS < cost


def test_a_larger_core_is_simulated_more_slowly(jobs: list[Job]) -> None:
    """As fitted: the smallest of three cores is more than ten times as fast as the largest."""
    sizes = {job.platform.name: forecast._size(job.platform) for job in jobs}
    assert len(sizes) == 3 and min(sizes.values()) == pytest.approx(
        forecast.SIMULATED_BYTES, rel=0.05
    )
    assert (max(sizes.values()) / min(sizes.values())) ** forecast.POWER > 10


def test_the_time_is_said_shortly() -> None:
    """Seconds, minutes, hours; never nothing."""
    told = {-3: "1 s", 0.2: "1 s", 299: "299 s", 301: "5 min", 3600: "60 min", 9000: "2.5 hours"}
    assert {value: spoken(value) for value in told} == told


def test_the_longest_cell_bounds_what_is_left(jobs: list[Job]) -> None:
    """More workers than cells do not end it sooner."""
    published = record.read_published()
    two = Watch(jobs[:2], published, 8, now=lambda: 0.0)
    assert two.seconds == max(estimates(jobs[:2], published))
