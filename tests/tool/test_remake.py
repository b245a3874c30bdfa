# SPDX-License-Identifier: Apache-2.0
"""`aesforge papers --measure`: what rows name is run once, and a difference ends red."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aesforge import cli
from aesforge.base.errors import AesforgeError, UsageError
from aesforge.bench import matrix
from aesforge.bench.job import Job
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.report import papers, remake
from aesforge.report.papers import Line, Paper
from aesforge.synth import synthesis
from aesforge.synth.synthesis import SynthRecord

pytestmark = pytest.mark.quick

PLACED = synthesis.read_published()


def read(paper: Paper) -> list[Line]:
    """A paper's lines, of published records."""
    return papers.lines(paper, papers.Evidence(papers.published_records(), kept=False))


def with_kind(kind: str) -> Line:
    """A line of some paper with a measure of a kind."""
    every = (line for paper in papers.discover() for line in read(paper))
    return next(line for line in every if line.measure is not None and line.measure.kind == kind)


def places(found: remake.Work) -> set[tuple[str, str, str]]:
    """Name, core and question of each cell."""
    return {(j.accelerator.name, j.platform.name, j.question) for j in found.cells}


def test_a_speed_up_needs_both_sides() -> None:
    """The unit's cell and the yardstick's; each once, however many lines read it."""
    line = with_kind("speedup")
    assert isinstance(line.measure, papers.Speedup)
    found = remake.work([line, line])
    names = {line.ours.partition("/")[0], line.measure.over.partition("/")[0]}
    assert places(found) == {(name, line.platform, "speed") for name in names}
    assert len(found.cells) == 2 and not found.syntheses
    assert found.minutes == 2 * remake.CELL_MINUTES


def test_a_count_asks_its_question() -> None:
    """Not the speed."""
    line = with_kind("count")
    assert isinstance(line.measure, papers.Count)
    counts = {"speed": "code_bytes", "test": "KAT"}
    for question, count in counts.items():
        measure = line.measure.model_copy(update={"question": question, "count": count})
        found = remake.work([replace(line, measure=measure)])
        assert [job.question for job in found.cells] == [question]


def test_every_published_run_of_a_figure_is_made() -> None:
    """All seeds of the flow, with the time that they took."""
    line = next(
        line
        for paper in papers.discover()
        for line in read(paper)
        if isinstance(line.measure, papers.Synthesis) and line.measured is not None
    )
    assert isinstance(line.measure, papers.Synthesis)
    runs = [r for r in PLACED if r.scope == synthesis.UNIT and r.target == line.platform]
    mine = [r for r in runs if f"{r.accelerator}/{r.variant}" == line.ours]
    found = remake.work([line])
    assert not found.cells and set(found.syntheses) == {synthesis.job_of(r) for r in mine}
    assert found.minutes == pytest.approx(sum(r.seconds for r in mine) / 60)


def test_the_first_seed_speaks_for_a_design() -> None:
    """Unless every one is asked for; each design and flow that a line reads stays."""
    every = [line for paper in papers.discover() for line in read(paper)]
    whole, first = (remake.work(every, every_seed=asked).syntheses for asked in (True, False))

    def design(job: synthesis.Job) -> tuple[str, str, str, str]:
        return job.accelerator, job.variant, job.scope, job.target

    assert {design(job) for job in first} == {design(job) for job in whole}
    assert len({design(job) for job in first}) == len(first) < len(whole)
    assert set(first) < set(whole)


def test_what_a_unit_adds_to_a_core_needs_the_core_alone() -> None:
    """Whole core with the unit, less the core without."""
    every = (line for paper in papers.discover() for line in read(paper))
    line = next(n for n in every if isinstance(n.measure, papers.Synthesis) and n.measure.inside)
    assert isinstance(line.measure, papers.Synthesis)
    found = remake.work([line]).syntheses
    in_core = {job.accelerator for job in found if job.scope == line.measure.inside}
    assert in_core == {line.ours.partition("/")[0], synthesis.NONE}


def test_a_figure_without_a_record_is_made_too() -> None:
    """As the row's command says."""
    every = (line for paper in papers.discover() for line in read(paper))
    line = next(line for line in every if isinstance(line.measure, papers.Synthesis))
    found = remake.work([replace(line, platform="none such")])
    assert {f"{job.accelerator}/{job.variant}" for job in found.syntheses} == {line.ours}


def test_a_synthesis_is_compared() -> None:
    """The time that it took is no difference, a table more is; a failure is one."""
    entry = next(r for r in PLACED if r.lut4)
    more = entry.model_copy(update={"lut4": (entry.lut4 or 0) + 1})
    later = entry.model_copy(update={"seconds": entry.seconds + 1, "inputs_sha256": "0"})
    assert remake.differences(later, entry) == ""
    assert remake.differences(more, entry) == f"DIFFERS: lut4 {more.lut4} instead of {entry.lut4}"
    assert remake.differences(entry, None) == ""
    failed = entry.model_copy(update={"status": "failed", "reason": "it grew"})
    assert remake.differences(failed, entry) == "failed: it grew"


@pytest.mark.parametrize("spoilt", [False, True])
def test_the_command_says_the_time_and_ends_red(
    spoilt: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every cell as published but, if spoilt, one cycle more in each."""
    published = {entry.place: entry for entry in record.read_published()}

    def measured(job: Job, *, fresh: bool = False) -> Record:
        place = (job.accelerator.name, job.variant.name, job.platform.name, job.question)
        known = next(e for e in published.values() if _place(e) == place)
        more = [f.model_copy(update={"cycles": f.cycles + spoilt}) for f in known.figures]
        return known.model_copy(update={"figures": more})

    def synthesised(job: synthesis.Job, *, fresh: bool = False) -> SynthRecord:
        return next(entry for entry in PLACED if synthesis.job_of(entry) == job)

    monkeypatch.setattr(matrix, "measure", measured)
    monkeypatch.setattr(synthesis, "measure", synthesised)
    done = CliRunner().invoke(cli.app, ["papers", "nadehara2004", "--measure"])
    assert done.stderr.startswith("making ") and "of one processor" in done.stderr.splitlines()[0]
    assert "cycles instead of" in done.stderr if spoilt else ": as published" in done.stderr
    if spoilt:
        assert isinstance(done.exception, AesforgeError)
        assert "records are not as published" in str(done.exception)
    else:
        assert done.exit_code == 0, done.exception


def _place(entry: Record) -> tuple[str, str, str, str]:
    return entry.accelerator, entry.variant, entry.platform, entry.question


@pytest.mark.parametrize("words", [["--fresh"], ["--measure", "--records", "some.jsonl"]])
def test_options_that_do_not_fit(words: list[str]) -> None:
    """Fresh without runs; a comparison with records that are not the published ones."""
    done = CliRunner().invoke(cli.app, ["papers", *words])
    assert isinstance(done.exception, UsageError)
