# SPDX-License-Identifier: Apache-2.0
"""Published records of two commits, cell by cell: the same, changed, new and gone.

A cell is one value of a record: the cycles of one call, a count, LUTs, a clock, the outcome of a
proof. Records are read as plain JSON, because an old commit may have other fields. How and when a
record was made is no cell: hashes, tools, recipes, seconds.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from aesforge.base import proc
from aesforge.base.errors import AesforgeError, UsageError
from aesforge.base.paths import ROOT
from aesforge.records.rows import Table

FOLDER = "results"
SECONDS = 60.0  # bound of one git command

# What a record is about. A question about some curves only has a place of its own.
_PLACE = (
    *("owner", "proof", "bug", "accelerator", "variant", "platform", "board"),
    *("question", "scope", "target", "seed"),
)
_CIRCUMSTANCES = {
    *("kind", "how", "reason", "detail", "recipe", "tools", "tool_versions", "seconds"),
    *("inputs_sha256", "bitstream_sha256"),
}
_CALL = ("mode", "key_bits", "direction", "blocks")

Value = str | int | float
Cell = tuple[str, str]  # what the record is about, name of the value


@dataclass(frozen=True)
class Changes:
    """Cells of one file by what became of them; pairs are (before, after)."""

    file: str
    same: int
    changed: dict[Cell, tuple[Value, Value]]
    new: dict[Cell, Value]
    gone: dict[Cell, Value]

    @property
    def kept(self) -> bool:
        """Whether every cell of before is there as it was."""
        return not self.changed and not self.gone


def compare(old: str, new: str = "", root: Path = ROOT) -> list[Changes]:
    """Compare the published records of two commits; without `new` those of the working tree."""
    before, after = (_files(commit, root) for commit in (old, new))
    return [
        _changes(file, _cells(before.get(file, ""), file), _cells(after.get(file, ""), file))
        for file in sorted({*before, *after})
    ]


def _changes(file: str, before: Mapping[Cell, Value], after: Mapping[Cell, Value]) -> Changes:
    both = [cell for cell in before if cell in after]
    changed = {c: (before[c], after[c]) for c in both if before[c] != after[c]}
    return Changes(
        file,
        len(both) - len(changed),
        changed,
        {cell: value for cell, value in after.items() if cell not in before},
        {cell: value for cell, value in before.items() if cell not in after},
    )


def _files(commit: str, root: Path) -> dict[str, str]:
    """Return the files of records of a commit, or of the working tree, by name."""
    if not commit:
        found = {path.name: path.read_text("utf-8") for path in (root / FOLDER).glob("*.jsonl")}
    else:
        # The name may be an option's: --end-of-options makes it a commit in any case.
        tree = f"{commit}^{{commit}}"
        known = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", tree)
        if known is None:
            raise UsageError(f"there is no commit '{commit}'", "name one as git does: HEAD~1, main")
        listed = _git(root, "ls-tree", "--name-only", known.strip(), f"{FOLDER}/") or ""
        names = [Path(line).name for line in listed.splitlines() if line.endswith(".jsonl")]
        found = {
            name: _git(root, "show", f"{known.strip()}:{FOLDER}/{name}") or "" for name in names
        }
    if not found:
        raise AesforgeError(f"{commit or 'the working tree'} has no published records")
    return found


def _git(root: Path, *words: str) -> str | None:
    """Return what git prints; nothing if it refuses."""
    done = proc.run(["git", "-C", str(root), *words], timeout=SECONDS, check=False)
    return done.stdout if done.status == 0 else None


def _cells(text: str, file: str) -> dict[Cell, Value]:
    """Return the values of all records of a file."""
    found: dict[Cell, Value] = {}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            entry = json.loads(line)
            place = " ".join(str(entry[name]) for name in _PLACE if entry.get(name, "") != "")
            curves = entry.get("how", {}).get("flags", {}).get("curves", "all")
            place += "" if curves == "all" else f" {curves}"
            found |= {(place, name): value for name, value in _values(entry)}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise AesforgeError(f"{file}:{number}: not a record") from error
    return found


def _values(entry: Mapping[str, Any]) -> Iterator[tuple[str, Value]]:
    """Yield the values of one record with their names."""
    for name, value in entry.items():
        if name in _PLACE or name in _CIRCUMSTANCES:
            continue
        if name == "figures":
            for figure in value:
                call = " ".join(str(figure[part]) for part in _CALL)
                told = {"waited": 0, **figure}
                yield from ((f"{call} {part}", told[part]) for part in told if part not in _CALL)
        elif isinstance(value, dict):
            yield from ((f"{name} {part}", inner) for part, inner in value.items())
        else:
            yield name, value


# Tables -------------------------------------------------------------------------------------------


def _ratio(pair: tuple[Value, Value]) -> float | None:
    """Return by what part a number grew; nothing of texts and of what was zero."""
    before, after = pair
    if isinstance(before, str) or isinstance(after, str) or before == 0:
        return None
    return after / before - 1


def _percent(part: float | None) -> str:
    return "-" if part is None else f"{100 * part:+.1f} %"


def summary(found: Sequence[Changes]) -> Table:
    """Return the counts of every file, with the spread of what changed."""
    heads = ("file", "same", "changed", "new", "gone", "lowest", "median", "highest")
    rows = []
    for one in found:
        ratios = [part for pair in one.changed.values() if (part := _ratio(pair)) is not None]
        spread = (min(ratios), median(ratios), max(ratios)) if ratios else (None, None, None)
        counts = (one.same, len(one.changed), len(one.new), len(one.gone))
        rows.append((one.file, *(f"{n:,}" for n in counts), *map(_percent, spread)))
    return Table(
        "Cells of the published records, and the spread of the changes",
        tuple((head, head != "file") for head in heads),
        tuple(rows),
    )


def listing(found: Sequence[Changes], most: int) -> Table:
    """Return cells that are gone, and those that changed: texts first, then the largest change."""

    def size(pair: tuple[Value, Value]) -> float:
        part = _ratio(pair)
        return float("inf") if part is None else abs(part)

    gone = [
        (one.file, *cell, str(old), "gone", "-") for one in found for cell, old in one.gone.items()
    ]
    pairs = [(one.file, *cell, pair) for one in found for cell, pair in one.changed.items()]
    pairs.sort(key=lambda row: size(row[-1]), reverse=True)
    changed = [
        (file, place, name, str(pair[0]), str(pair[1]), _percent(_ratio(pair)))
        for file, place, name, pair in pairs
    ]
    rows = [*changed, *gone]
    title = f"Changed or gone: {min(most, len(rows)):,} of {len(rows):,} cells"
    heads = ("file", "record", "value", "before", "after", "change")
    return Table(
        title,
        tuple((head, head in ("before", "after", "change")) for head in heads),
        tuple(rows[:most]),
        ("file",),
    )


def json_rows(found: Sequence[Changes]) -> Iterator[dict[str, Value | None]]:
    """Yield each cell that is not the same, with its value before and after."""
    for one in found:
        pairs: dict[Cell, tuple[Value | None, Value | None]] = {
            **one.changed,
            **{cell: (None, value) for cell, value in one.new.items()},
            **{cell: (value, None) for cell, value in one.gone.items()},
        }
        for (place, name), (before, after) in pairs.items():
            yield {
                "file": one.file,
                "record": place,
                "value": name,
                "before": before,
                "after": after,
            }
