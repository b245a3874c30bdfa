# SPDX-License-Identifier: Apache-2.0
"""Records of this build folder that are not published, beside those that are."""

from collections.abc import Sequence

from aesforge.bench.job import QUESTIONS, Settings
from aesforge.records import record, rows
from aesforge.records.record import Record
from aesforge.records.rows import Cell, Results
from aesforge.synth import synthesis
from aesforge.synth.synthesis import SynthRecord

RIVALS = 2  # units shown beside one that was measured, the nearest in cycles
PUBLISHED = "published"


def join(
    records: Sequence[Record], placed: Sequence[SynthRecord]
) -> tuple[list[Record], list[SynthRecord], set[str]]:
    """Return published records with the build folder's in their places, and whose those are.

    Of each question the newest counts, if it was asked with the settings of published records.
    The labels are NAME/VARIANT of what has a record that is not published.
    """
    published = {entry.how.inputs_sha256 for entry in records}
    newest = {entry.place: entry for entry in record.kept(record.CACHE, Record) if _usual(entry)}
    fresh = [entry for entry in newest.values() if entry.how.inputs_sha256 not in published]
    known = {(entry.inputs_sha256, entry.seed) for entry in placed}
    mapped = [
        entry
        for entry in record.kept(synthesis.CACHE / "records", SynthRecord)
        if entry.status == "passed" and (entry.inputs_sha256, entry.seed) not in known
    ]
    labels = {f"{entry.accelerator}/{entry.variant}" for entry in fresh}
    labels |= {f"{entry.accelerator}/{entry.variant}" for entry in mapped}
    return record.joined(records, fresh), synthesis.joined(placed, mapped), labels


def _usual(entry: Record) -> bool:
    """Tell whether a record was made with the settings that published ones have."""
    if entry.status != "passed" or entry.question not in QUESTIONS:
        return False
    wanted = Settings().flags(entry.question, entry.kind)
    return all(entry.how.flags.get(name) == value for name, value in wanted.items())


def beside(measured: Sequence[Record], published: Sequence[Record]) -> list[Record]:
    """Return published records to show with measured ones: the best software, the nearest units.

    Their variants say that they are published. Records of their own say which
    software a measured unit beats, and from which length.
    """
    mine, theirs = Results(measured), Results(published)
    shown: dict[Cell, None] = {}
    for cell in mine.cells:
        figure = mine.figure(cell, "encrypt")
        if figure is None or mine.any_record(cell).kind == "software":
            continue
        near: dict[Cell, float] = {}
        soft: dict[Cell, float] = {}
        for other in theirs.cells:
            found = theirs.figure(other, "encrypt")
            if other.platform != cell.platform or other in mine.cells or found is None:
                continue
            if not theirs.verified(other):
                continue
            if theirs.any_record(other).kind == "software":
                soft[other] = found.cycles
            else:
                ratio = found.cycles / figure.cycles
                near[other] = max(ratio, 1 / ratio)
        shown |= dict.fromkeys(sorted(soft, key=soft.__getitem__)[:1])
        shown |= dict.fromkeys(sorted(near, key=near.__getitem__)[:RIVALS])
    software = [r for r in published if r.kind == "software" and _cell(r) not in mine.cells]
    derived = [r for r in rows.crossovers([*measured, *software]) if _cell(r) in mine.cells]
    asked = {"test", "ct", *(entry.question for entry in measured)}
    copies = [
        entry.model_copy(update={"variant": f"{entry.variant} ({PUBLISHED})"})
        for entry in published
        if _cell(entry) in shown and entry.question in asked
    ]
    return derived + copies


def _cell(entry: Record) -> Cell:
    return Cell(entry.accelerator, entry.variant, entry.platform)
