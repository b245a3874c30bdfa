# SPDX-License-Identifier: Apache-2.0
"""Records of the build folder beside the published ones, which no command changes."""

import hashlib
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.bench.job import Settings
from aesforge.cli.app import app
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.report import explore, local
from aesforge.synth import synthesis
from explore_support import PLACED, RECORDS, measured, placed


def usual(records: list[Record]) -> list[Record]:
    """Records with the settings of published ones."""
    return [
        entry.model_copy(
            update={
                "how": entry.how.model_copy(
                    update={"flags": Settings().flags(entry.question, entry.kind)}
                )
            }
        )
        for entry in records
    ]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build folder with a unit of my own, measured and synthesised."""
    monkeypatch.setattr(record, "CACHE", tmp_path / "records")
    monkeypatch.setattr(synthesis, "CACHE", tmp_path / "synth")
    for entry in usual(measured("mine", 200, 900)):
        record.store(entry)
    synthesis._keep(placed("mine", "unit", 500, 90.0))
    return tmp_path


@pytest.mark.usefixtures("mine")
def test_my_unit_stands_beside_the_field() -> None:
    """Its row is there, and it alone is marked."""
    records, silicon, labels = local.join(RECORDS, PLACED)
    assert labels == {"mine/only"}
    found = explore.points(records, silicon)
    table = explore.table(found, "ecb", unpublished=labels)
    (place,) = table.marked
    assert table.rows[place][1] == "mine/only" and "+" in table.rows[place][0]
    assert {row[1] for row in table.rows} == {
        f"{n}/only" for n in ("mine", "small", "quick", "plain")
    }


@pytest.mark.usefixtures("mine")
def test_what_is_published_is_not_local() -> None:
    """A record with the hash of a published one, and one with other settings, change nothing."""
    published = [*RECORDS, *usual(measured("mine", 200, 900))]
    slow = usual(measured("small", 999, 1000))[0]
    flags = {**slow.how.flags, "memory": "wait states: fetch 3, data 3, fixed"}
    record.store(
        slow.model_copy(
            update={"how": slow.how.model_copy(update={"flags": flags, "inputs_sha256": "f" * 64})}
        )
    )
    records, _, labels = local.join(published, [*PLACED, placed("mine", "unit", 500, 90.0)])
    assert labels == set()
    assert records == published


def test_a_unit_is_measured_beside_its_rivals() -> None:
    """The best software and the nearest units, said to be published; the unit's crossover."""
    rivals = [
        *measured("near", 70, 1),
        *measured("far", 9000, 1),
        *measured("slow", 5000, 1, kind="software"),
    ]
    shown = local.beside(measured("mine", 75, 900), [*RECORDS, *rivals])
    names = {(entry.accelerator, entry.variant) for entry in shown if entry.question == "speed"}
    assert names == {(name, "only (published)") for name in ("near", "quick", "plain")}
    (crossover,) = (entry for entry in shown if entry.question == "crossover")
    assert (crossover.accelerator, crossover.variant) == ("mine", "only")
    assert local.beside([], RECORDS) == []
    speed = [entry for entry in measured("mine", 75, 900) if entry.question == "speed"]
    assert "gcm" not in {entry.question for entry in local.beside(speed, RECORDS)}


def test_local_views_touch_no_tracked_file(
    mine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands show my unit, and results/ is as it was."""

    def digest() -> list[str]:
        return [
            hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((ROOT / "results").iterdir())
        ]

    before = digest()
    for words in (
        [
            "explore",
            "mine",
            "--local",
            "--device",
            "ecp5-85f",
            "--highlight",
            "mine",
            "--format",
            "csv",
        ],
        ["pick", "--device", "ecp5-85f", "--local", "--bounds", "--format", "csv"],
    ):
        app(words, standalone_mode=False)
        assert "mine/only" in capsys.readouterr().out
    assert digest() == before
