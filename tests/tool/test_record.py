# SPDX-License-Identifier: Apache-2.0
"""Records on disk: nothing is lost, nothing half-written, damage is said."""

from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError
from aesforge.records import record
from aesforge.records.record import How, Record

pytestmark = pytest.mark.quick


def a_record(status: str = "passed", key: str = "ab" * 32) -> Record:
    """A record of an imaginary unit."""
    return Record.model_validate(
        {
            "accelerator": "unit",
            "kind": "instruction",
            "variant": "full",
            "platform": "core",
            "question": "speed",
            "status": status,
            "how": How(inputs_sha256=key),
            "counts": {"code_bytes": 4},
        }
    )


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "CACHE", tmp_path / "records")


@pytest.mark.parametrize(
    ("status", "kept"),
    [("passed", True), ("failed", True), ("error", False), ("absent", False), ("skipped", False)],
)
def test_only_final_records_are_cached(status: str, kept: bool) -> None:
    """What may change by installing something is asked again."""
    one = a_record(status)
    record.store(one)
    assert record.load_cached(one.how.inputs_sha256) == (one if kept else None)


def test_a_damaged_cache_file_counts_as_none() -> None:
    """It is removed, so that the next run repairs it."""
    one = a_record()
    record.store(one)
    path = record.CACHE / f"{one.how.inputs_sha256}.json"
    path.write_text(path.read_text()[:40])
    assert record.load_cached(one.how.inputs_sha256) is None
    assert not path.exists()


def test_published_records_come_back(tmp_path: Path) -> None:
    """Sorted, one a line, the same again after a second write."""
    path = tmp_path / "records.jsonl"
    both = [a_record(key="cd" * 32), a_record("failed")]
    record.write_lines(record.in_order(both), path)
    first = path.read_bytes()
    assert {r.status for r in record.read_published(path)} == {"passed", "failed"}
    record.write_lines(record.in_order(reversed(record.read_published(path))), path)
    assert len(first.splitlines()) == 2
    assert sorted(path.read_bytes().splitlines()) == sorted(first.splitlines())


@pytest.mark.parametrize("text", ["not json\n", '{"accelerator": "x"}\n'])
def test_an_unreadable_line_is_named(tmp_path: Path, text: str) -> None:
    """File and line number are in the message."""
    path = tmp_path / "records.jsonl"
    path.write_text(text)
    with pytest.raises(AesforgeError, match=r"records\.jsonl:1: not a record"):
        record.read_published(path)


def test_later_records_take_the_places_of_earlier_ones() -> None:
    """The same question is answered once; questions about single curves are side by side."""

    def curves(names: str, runs: int) -> Record:
        how = How(inputs_sha256="ab" * 32, flags={"curves": names})
        return a_record().model_copy(update={"how": how, "counts": {"runs": runs}})

    old = [curves("x25519", 3), curves("all", 3)]
    found = record.joined(old, [curves("x25519", 200), a_record("failed")])
    assert [(r.how.flags.get("curves"), r.counts.get("runs")) for r in found] == [
        ("x25519", 200),
        (None, None),
    ]
