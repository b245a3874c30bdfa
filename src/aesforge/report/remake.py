# SPDX-License-Identifier: Apache-2.0
"""Make the records beside papers' rows again, from the present sources, and compare them.

Simulated cells and syntheses only: Monte Carlo tests and proofs have commands of their own.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from aesforge.bench import matrix
from aesforge.bench.job import Job, Settings
from aesforge.bench.reproduce import Comparison, compare
from aesforge.catalog import platform
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.records.rows import Cell
from aesforge.report import papers
from aesforge.report.papers import Count, Line
from aesforge.synth import synthesis
from aesforge.synth.flow import TARGETS
from aesforge.synth.synthesis import SynthRecord

# Minutes of one processor that a cell takes when nothing is kept: simulator, firmware and run.
CELL_MINUTES = 1.0
QUESTION_MINUTES = {"traffic": 20.0, "test": 3.0, "ct": 3.0, "irq": 5.0}
SYNTHESIS_MINUTES = 5.0  # one that has no published record
SEEDS = 5
# How a record was made, not what it says.
_CIRCUMSTANCES = frozenset({"seconds", "tool_versions", "inputs_sha256"})


@dataclass(frozen=True)
class Work:
    """What has to be run for the rows of papers."""

    cells: tuple[Job, ...]
    syntheses: tuple[synthesis.Job, ...]
    minutes: float  # of one processor, if nothing is kept

    @property
    def summary(self) -> str:
        """What is run and how long it takes, before it begins."""
        hours = self.minutes / 60
        time = f"{hours:.1f} hours" if hours >= 2 else f"{max(1.0, self.minutes):.0f} minutes"
        return (
            f"making {len(self.cells)} simulated cells and {len(self.syntheses)} syntheses:"
            f" at most about {time} of one processor; what is kept counts, and takes seconds"
        )


def work(found: Iterable[Line], *, every_seed: bool = True) -> Work:
    """Return what makes the records that lines read; each once.

    A seed of place-and-route repeats exactly, so `every_seed` may be left out: the first published
    one of each design then speaks for the others, whose logic is the same.
    """
    published = synthesis.read_published() if synthesis.PUBLISHED.is_file() else []
    known = published if every_seed else _first_seeds(published)
    lines = [line for line in found if line.measure is not None]
    cells = dict.fromkeys(cell for line in lines for cell in _cells(line))
    asked = dict.fromkeys(job for line in lines for job in _syntheses(line, known))
    seconds = {synthesis.job_of(entry): entry.seconds for entry in published}
    minutes = sum(QUESTION_MINUTES.get(question, CELL_MINUTES) for _, question in cells)
    minutes += sum(seconds.get(job, 60 * SYNTHESIS_MINUTES) / 60 for job in asked)
    jobs = tuple(_job(cell, question) for cell, question in cells)
    return Work(jobs, tuple(asked), minutes)


def _first_seeds(published: Sequence[SynthRecord]) -> list[SynthRecord]:
    """Return one record of each design, scope and target."""
    first: dict[tuple[str, str, str, str], SynthRecord] = {}
    for entry in sorted(published, key=lambda entry: entry.seed):
        first.setdefault((entry.accelerator, entry.variant, entry.scope, entry.target), entry)
    return list(first.values())


def _cells(line: Line) -> Iterator[tuple[Cell, str]]:
    """Yield the cells that a line's figure is read from, with the question asked there."""
    if line.measure is None or not line.measure.per_platform:
        return
    question = line.measure.question if isinstance(line.measure, Count) else "speed"
    over = line.measure.over if isinstance(line.measure, papers.Speedup) else ""
    for label in filter(None, (line.ours, over)):
        name, _, variant = label.partition("/")
        yield Cell(name, variant, line.platform), question


def _job(cell: Cell, question: str) -> Job:
    accelerator, variant = papers.find(f"{cell.accelerator}/{cell.variant}")
    return Job(accelerator, variant, platform.find(cell.platform), question, Settings())


def _syntheses(line: Line, published: Sequence[SynthRecord]) -> list[synthesis.Job]:
    """Return the published runs that a line's figure is read from, and those that are missing."""
    if not isinstance(line.measure, papers.Synthesis):
        return []
    name, _, variant = line.ours.partition("/")
    designs = {(name, variant, synthesis.UNIT)}
    if line.measure.inside:
        designs |= {(name, variant, line.measure.inside), (synthesis.NONE, "", line.measure.inside)}
    runs = [synthesis.job_of(entry) for entry in published if entry.target == line.platform]
    made = [job for job in runs if (job.accelerator, job.variant, job.scope) in designs]
    known = {(job.accelerator, job.variant, job.scope) for job in made}
    targets = [line.platform] if line.platform in TARGETS else line.measure.flows
    for scope in sorted({scope for _, _, scope in designs - known}):
        asked = synthesis.jobs([line.ours], targets, [scope], SEEDS)
        made += [job for job in asked if (job.accelerator, job.variant, scope) not in known]
    return made


# Comparison ---------------------------------------------------------------------------------------


def remake(
    found: Work, workers: int, report: Callable[[str, str, bool], None], *, fresh: bool = False
) -> list[str]:
    """Run the work; `report` gets the title, the verdict and whether it is as published.

    Returns the titles of what is not: figures that differ, and runs that failed.
    """
    wrong: list[str] = []

    def told(title: str, verdict: str, good: bool) -> None:
        if not good:
            wrong.append(title)
        report(title, verdict, good)

    known = record.read_published()
    placed = {synthesis.job_of(entry): entry for entry in synthesis.read_published()}

    def on_cell(_: Job, made: Record | None) -> None:
        if made is not None:
            each: Comparison = compare(made, known)
            good = not each.differences and made.status != "error"
            told(each.title, each.verdict, good)

    def on_synthesis(job: synthesis.Job, made: SynthRecord | None) -> None:
        if made is not None:
            verdict = differences(made, placed.get(job))
            told(job.title, verdict or "as published", not verdict)

    matrix.run(found.cells, workers, on_cell, fresh=fresh)
    synthesis.run(found.syntheses, workers, on_synthesis, fresh=fresh)
    return wrong


def differences(made: SynthRecord, known: SynthRecord | None) -> str:
    """Say in what a synthesis differs from the published one; empty if in nothing."""
    if made.status == "failed":
        return f"failed: {made.reason}"
    if known is None:
        return ""
    here = made.model_dump(exclude=set(_CIRCUMSTANCES))
    there = known.model_dump(exclude=set(_CIRCUMSTANCES))
    named = [
        f"{key} {here[key]} instead of {there[key]}" for key in here if here[key] != there[key]
    ]
    return "DIFFERS: " + "; ".join(named) if named else ""
