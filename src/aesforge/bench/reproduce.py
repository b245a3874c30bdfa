# SPDX-License-Identifier: Apache-2.0
"""Measure published cells again and compare: the simulators count cycles, so figures are equal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aesforge.records.record import Figure, Record

MAX_REPORTED = 3  # differences of a record that are named


@dataclass(frozen=True)
class Comparison:
    """A record measured here beside the published one."""

    measured: Record
    published: Record | None
    differences: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The cell, as progress lines name it."""
        found = self.measured
        return f"{found.accelerator}/{found.variant} {found.platform} {found.question}"

    @property
    def compared(self) -> bool:
        """Whether there are two records: not of what is skipped or absent here."""
        return self.published is not None and self.measured.status not in ("skipped", "absent")

    @property
    def same(self) -> bool:
        """Whether every figure and count is equal."""
        return self.compared and not self.differences

    @property
    def verdict(self) -> str:
        """One line for people."""
        if self.measured.status in ("skipped", "absent"):
            return f"{self.measured.status}: {self.measured.reason}"
        if self.published is None:
            return "measured; nothing is published of it"
        if not self.differences:
            return f"{len(self.measured.figures)} figures, as published"
        more = len(self.differences) - MAX_REPORTED
        named = "; ".join(self.differences[:MAX_REPORTED])
        return f"DIFFERS: {named}" + (f"; {more} more" if more > 0 else "")


def compare(measured: Record, published: Iterable[Record]) -> Comparison:
    """Compare a record with the published one of its place, figure by figure."""
    known = next((entry for entry in published if entry.place == measured.place), None)
    if known is None or measured.status in ("skipped", "absent"):
        return Comparison(measured, known)
    found: list[str] = []
    if measured.status != known.status:
        found.append(f"{measured.status} ({measured.reason}) instead of {known.status}")
    found += _figures(measured.figures, known.figures)
    for name in sorted(set(measured.counts) | set(known.counts)):
        here, there = measured.counts.get(name), known.counts.get(name)
        if here != there:
            found.append(f"{name} {here} instead of {there}")
    return Comparison(measured, known, tuple(found))


def _figures(measured: Sequence[Figure], published: Sequence[Figure]) -> list[str]:
    """Name the figures that differ, or that only one side has."""
    here = {_call(figure): figure for figure in measured}
    there = {_call(figure): figure for figure in published}
    found = []
    for call in sorted(set(here) | set(there)):
        one, other = here.get(call), there.get(call)
        if one is None or other is None:
            found.append(f"{call} is {'missing' if one is None else 'new'}")
        elif one != other:
            found.append(f"{call}: {one.cycles} cycles instead of {other.cycles}")
    return found


def _call(figure: Figure) -> str:
    blocks = f", {figure.blocks} blocks" if figure.blocks else ""
    return f"{figure.mode}-{figure.key_bits} {figure.direction}{blocks}"
