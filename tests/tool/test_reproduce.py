# SPDX-License-Identifier: Apache-2.0
"""`aesforge reproduce`: published cells measured again, and what a difference does."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from aesforge import cli
from aesforge.base.errors import AesforgeError
from aesforge.bench import matrix
from aesforge.bench.job import Job
from aesforge.bench.reproduce import compare
from aesforge.records import record
from aesforge.records.record import Figure, How, Record
from aesforge.report import figures
from aesforge.synth import synthesis

pytestmark = pytest.mark.quick

FIGURE = Figure(direction="encrypt", key_bits=128, mode="ecb", blocks=120, cycles=9, instructions=5)


def a_record(**changes: object) -> Record:
    """Return a record of a cell."""
    values: dict[str, object] = {
        **{"accelerator": "unit", "kind": "instruction", "variant": "full", "platform": "core"},
        **{"question": "speed", "status": "passed", "how": How(inputs_sha256="0")},
        **{"figures": [FIGURE], "counts": {"code_bytes": 100}},
    }
    return Record.model_validate({**values, **changes})


def test_equal_figures_are_as_published() -> None:
    """Another hash of the inputs is no difference: the figures are compared."""
    found = compare(a_record(how=How(inputs_sha256="1")), [a_record(platform="other"), a_record()])
    assert found.same and found.verdict == "1 figures, as published"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"figures": [FIGURE.model_copy(update={"cycles": 8})]}, "8 cycles instead of 9"),
        ({"figures": [FIGURE.model_copy(update={"instructions": 4})]}, "ecb-128 encrypt"),
        ({"figures": []}, "ecb-128 encrypt, 120 blocks is missing"),
        ({"figures": [FIGURE, FIGURE.model_copy(update={"blocks": 1})]}, "1 blocks is new"),
        ({"counts": {"code_bytes": 99}}, "code_bytes 99 instead of 100"),
        ({"status": "failed", "reason": "hung"}, "failed (hung) instead of passed"),
    ],
)
def test_a_difference_is_named(changes: dict[str, object], named: str) -> None:
    """One cycle, one byte and a missing figure are differences."""
    found = compare(a_record(**changes), [a_record()])
    assert found.compared and not found.same
    assert found.verdict.startswith("DIFFERS") and named in found.verdict


@pytest.mark.parametrize("status", ["skipped", "absent"])
def test_what_is_not_here_is_not_compared(status: str) -> None:
    """A peer that cannot be fetched, a unit that the core cannot take."""
    found = compare(a_record(status=status, figures=[], reason="because"), [a_record()])
    assert not found.compared and not found.differences and "because" in found.verdict


def test_what_is_not_published_is_no_difference() -> None:
    """A new unit."""
    found = compare(a_record(), [])
    assert not found.compared and not found.differences


@pytest.mark.parametrize("spoilt", [False, True])
def test_the_command_ends_red_on_a_difference(
    spoilt: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One cycle more in the published record of one cell."""
    entry = next(r for r in record.read_published() if r.question == "speed" and r.figures)
    first, *rest = entry.figures
    other = first.model_copy(update={"cycles": first.cycles + spoilt})
    known = entry.model_copy(update={"figures": [other, *rest]})
    record.write_lines([known], tmp_path / "records.jsonl")
    real = record.read_published
    published = tmp_path / "records.jsonl"
    monkeypatch.setattr(record, "read_published", lambda: real(published))

    def measured(job: Job, *, fresh: bool = False) -> Record:
        return entry

    monkeypatch.setattr(matrix, "measure", measured)
    words = ["--only", f"{entry.accelerator}/{entry.variant}", "--platform", entry.platform]
    done = CliRunner().invoke(cli.app, ["reproduce", *words])
    assert "Published, not measured here" in done.stdout
    assert "measuring 1 cells here" in done.stderr and " from nothing" in done.stderr
    assert done.stderr.splitlines()[-1].endswith(" left)")
    if spoilt:
        assert isinstance(done.exception, AesforgeError) and "1 of 1 records differ" in str(
            done.exception
        )
        assert "reproduced 0 of 1" in done.stdout
    else:
        assert done.exit_code == 0 and "reproduced 1 of 1 records exactly" in done.stdout


def test_the_headline_is_the_table_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its rows, in both modes; every core; few cells, so that it ends in minutes."""
    published, placed = record.read_published(), synthesis.read_published()
    cells = figures.headline(published, placed)
    rows = {row[0] for row in figures.gain_table(published, placed).rows[1:]}
    for question in ("speed", "gcm"):
        assert rows <= {f"{a} / {v}" for a, v, _, asked in cells if asked == question}
    assert {p for _, _, p, _ in cells} == {entry.platform for entry in published}
    assert len(cells) <= 30
    asked: list[str] = []

    def run(jobs: list[Job], workers: int, report: object, *, fresh: bool) -> None:
        asked.extend(f"{j.accelerator.name} {j.platform.name} {j.question}" for j in jobs)

    monkeypatch.setattr(matrix, "run", run)
    assert CliRunner().invoke(cli.app, ["reproduce"]).exit_code == 0
    assert sorted(asked) == sorted(f"{a} {p} {question}" for a, _, p, question in cells)
    few = len(asked)
    asked.clear()
    assert CliRunner().invoke(cli.app, ["reproduce", "--all"]).exit_code == 0
    assert len(asked) > 2 * few
