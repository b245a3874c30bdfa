# SPDX-License-Identifier: Apache-2.0
"""`aesforge stale`: published records that follow from another text than the present tree.

A record names the hash of everything that it follows from: RTL, firmware, tools, the code that
judges. Here each hash is computed again. Of a simulation that is the firmware as it is loaded, so
firmware is compiled; nothing is simulated, placed or proved.

Mutants are left out: a record of them is a sample of the text that it was drawn from.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeVar

from aesforge.base import pool
from aesforge.base.errors import ManifestError, UsageError
from aesforge.bench import job, montecarlo
from aesforge.boards import bitstream
from aesforge.export import litex
from aesforge.faults import campaign
from aesforge.probing import probe, ttest
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.records.rows import Row, Table
from aesforge.stacks import tls_figures
from aesforge.synth import synthesis
from aesforge.verify import prove

State = Literal["current", "earlier", "gone"]
STATES: tuple[State, ...] = ("current", "earlier", "gone")


@dataclass(frozen=True)
class Published:
    """A record: its file in results/, what it is about, its hash, and how that is computed.

    The first word of `about` is the accelerator or module.
    """

    file: str
    about: tuple[str, ...]
    hash: str
    present: Callable[[], str]


@dataclass(frozen=True)
class Judged:
    """Whether a record's hash is that of the present tree; `reason` says what is gone."""

    file: str
    about: str
    state: State
    reason: str = ""


def published(names: Sequence[str] = ()) -> list[Published]:
    """Return all published records, or those of some accelerators; UsageError for unknown ones."""
    every = list(_every())
    known = {one.about[0] for one in every}
    for name in names:
        if name not in known:
            raise UsageError(f"no record is about '{name}'", f"known: {', '.join(sorted(known))}")
    return [one for one in every if not names or one.about[0] in names]


def _every() -> Iterator[Published]:
    for entry in record.read_published():
        if entry.question != "crossover":  # computed from two others
            yield _record(record.PUBLISHED, entry, _simulated)
    for placed in synthesis.read_published():
        where = (placed.accelerator, placed.variant, placed.scope, placed.target)
        yield _one(synthesis.PUBLISHED, where, placed, synthesis.present_inputs)
    for proved in prove.read_published():
        what = (proved.owner, proved.proof, proved.bug)
        yield _one(prove.PUBLISHED, what, proved, prove.present_inputs)
    for made in record.read_published(campaign.PUBLISHED):
        yield _record(campaign.PUBLISHED, made, campaign.present_inputs)
    for made in record.read_published(montecarlo.PUBLISHED):
        yield _record(montecarlo.PUBLISHED, made, montecarlo.present_inputs)
    for made in record.read_published(probe.PUBLISHED):
        yield _record(probe.PUBLISHED, made, probe.present_inputs)
    for made in ttest.read_published():
        yield _record(ttest.PUBLISHED, made, ttest.present_inputs)
    for made in record.read_published(tls_figures.PUBLISHED):
        yield _record(tls_figures.PUBLISHED, made, tls_figures.present_inputs)
    for built in bitstream.read_published():
        of = litex if built.system == litex.SYSTEM else bitstream
        board = (built.board, built.device, built.system, f"{built.clock_mhz:g} MHz")
        words = (built.accelerator, built.variant, built.platform, *board)
        yield _one(bitstream.PUBLISHED, words, built, of.present_inputs)


def _simulated(entry: Record) -> str:
    return job.content_hash(job.of_record(entry))


def _record(path: Path, entry: Record, present: Callable[[Record], str]) -> Published:
    key = entry.how.inputs_sha256
    return Published(path.name, entry.place[1:], key, lambda: present(entry))


Entry = TypeVar("Entry", synthesis.SynthRecord, prove.ProofRecord, bitstream.BitstreamRecord)


def _one(
    path: Path, about: tuple[str, ...], entry: Entry, present: Callable[[Entry], str]
) -> Published:
    return Published(path.name, about, entry.inputs_sha256, lambda: present(entry))


def judge(
    every: Sequence[Published],
    workers: int,
    report: Callable[[Published, list[Judged]], None] = lambda one, found: None,
) -> list[Judged]:
    """Compute the hashes again, `workers` at a time; `report` has each place as it is judged.

    Records about the same, as the seeds of one placement, have one hash, which is computed once.
    """
    groups: dict[tuple[str, ...], list[Published]] = {}
    for one in every:
        groups.setdefault((one.file, *one.about), []).append(one)

    def compared(group: list[Published]) -> list[Judged]:
        reason = key = ""
        try:
            key = group[0].present()
        except (UsageError, ManifestError) as error:
            reason = error.message
        return [
            Judged(
                one.file,
                " ".join(filter(None, one.about)),
                "gone" if reason else "current" if one.hash == key else "earlier",
                reason,
            )
            for one in group
        ]

    found = pool.ordered(
        compared, list(groups.values()), workers, lambda group, judged: report(group[0], judged)
    )
    return [one for judged in found for one in judged]


def summary(found: Sequence[Judged]) -> Table:
    """Return a row for each file of results/."""
    heads = (("results/", False), ("records", True), *((state, True) for state in STATES))
    files = dict.fromkeys(one.file for one in found)
    lines = []
    for file in files:
        states = Counter(one.state for one in found if one.file == file)
        counts = (str(states[state]) for state in STATES)
        lines.append((file, str(states.total()), *counts))
    return Table("Published records", heads, tuple(lines))


def listing(found: Sequence[Judged]) -> Table:
    """Return a row for each place whose records are not of the present tree."""
    old = Counter(one for one in found if one.state != "current")
    heads = (("results/", False), ("about", False), ("records", True), ("state", False))
    lines = tuple(
        (one.file, one.about, str(count), one.reason or one.state) for one, count in old.items()
    )
    return Table("To be measured again", heads, lines)


def json_rows(found: Sequence[Judged]) -> list[Row]:
    """Return one row for each record (docs/json.md)."""
    return [asdict(one) for one in found]
