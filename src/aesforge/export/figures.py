# SPDX-License-Identifier: Apache-2.0
"""Figures for an exported README, from published records and nothing else."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aesforge.catalog import platform
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.records import record
from aesforge.records.record import Figure, Record
from aesforge.records.rows import BULK_BLOCKS, Cell, Results
from aesforge.synth import synthesis
from aesforge.synth.synthesis import SynthRecord

_NAME_DIGITS = 12  # of a record's hash


def short(inputs_sha256: str) -> str:
    """What names a record."""
    return inputs_sha256[:_NAME_DIGITS]


@dataclass(frozen=True)
class Figures:
    """Rows of the README's tables, lines about size and evidence, and the longest path.

    `area` is of the unit alone, `inside` of whole systems: the unit in a core that the host names.
    """

    speed: tuple[tuple[str, ...], ...] = ()
    sizes: tuple[str, ...] = ()
    area: tuple[tuple[str, ...], ...] = ()
    inside: tuple[tuple[str, ...], ...] = ()
    placed: bool = False
    critical_path: float | None = None  # ns, standard cells
    critical_record: str = ""


def find(
    accelerator: Accelerator,
    variant: Variant,
    port: str,
    records: Sequence[Record] | None = None,
    syntheses: Sequence[SynthRecord] | None = None,
) -> Figures:
    """Return what is published of a variant; a file that is not there gives no figures."""
    if records is None:
        there = record.PUBLISHED.is_file()
        records = record.read_published() if there else ()
    if syntheses is None:
        there = synthesis.PUBLISHED.is_file()
        hint = "run `aesforge synth --publish`"
        syntheses = record.read_lines(SynthRecord, synthesis.PUBLISHED, hint) if there else ()
    speed, sizes = _speed(accelerator, variant, port, Results(records))
    same = {found.name for found in _same_rtl(accelerator, variant)}
    passed = [found for found in syntheses if found.status == "passed"]
    everywhere = [f for f in passed if f.accelerator == accelerator.name and f.variant in same]
    mine = [found for found in everywhere if found.scope == synthesis.UNIT]
    timed = next((found for found in mine if found.critical_path_ns is not None), None)
    return Figures(
        speed,
        sizes,
        tuple(_area(mine)),
        tuple(_inside(accelerator, port, everywhere, passed)),
        any(found.fmax_mhz is not None for found in mine),
        timed.critical_path_ns if timed else None,
        short(timed.inputs_sha256) if timed else "",
    )


def _same_rtl(accelerator: Accelerator, variant: Variant) -> Iterable[Variant]:
    """Variants whose RTL is this one's: kernels may share hardware, and its records."""
    circuit = accelerator.manifest.circuit
    return (v for v in accelerator.manifest.variant if circuit(v) == circuit(variant))


def _speed(
    accelerator: Accelerator, variant: Variant, port: str, results: Results
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    lines: list[tuple[str, ...]] = []
    sizes: list[str] = []
    for host in platform.discover():
        cell = Cell(accelerator.name, variant.name, host.name)
        speed = results.record(cell, "speed")
        if host.manifest.port != port or speed is None or speed.status != "passed":
            continue
        for direction in variant.directions:
            blocks = [
                _cycles(results.figure(cell, direction, "ecb", BULK_BLOCKS, bits))
                for bits in (128, 192, 256)
            ]
            keys = [
                _cycles(results.figure(cell, direction, "key-setup", 0, bits))
                for bits in (128, 256)
            ]
            name = short(speed.how.inputs_sha256)
            lines.append((host.name, direction, *blocks, " / ".join(keys), name))
        counts = speed.counts
        sizes.append(
            f"{host.name}: code {counts['code_bytes']} bytes, tables {counts['table_bytes']} bytes;"
            f" {_vectors(results, cell)}; {_steady(results, cell)}."
        )
    return tuple(lines), tuple(sizes)


def _cycles(figure: Figure | None) -> str:
    return f"{round(figure.cycles / max(1, figure.blocks), 1):g}" if figure else "-"


def _vectors(results: Results, cell: Cell) -> str:
    found = results.record(cell, "test")
    if found is None:
        return "vectors not run"
    return f"vectors {found.status} (record {short(found.how.inputs_sha256)})"


def _steady(results: Results, cell: Cell) -> str:
    found = results.record(cell, "ct")
    if found is None or not found.counts:
        return "constant time not tested"
    verdict = "equal" if found.counts["spread_max"] == 0 else "UNEQUAL"
    runs = found.counts["runs"]
    name = short(found.how.inputs_sha256)
    return f"{verdict} cycle counts over {runs} random keys and texts (record {name})"


def _inside(
    accelerator: Accelerator,
    port: str,
    mine: Sequence[SynthRecord],
    every: Sequence[SynthRecord],
) -> Iterable[tuple[str, ...]]:
    """Rows of the systems with the unit, each followed by the one of the core without it.

    Of a peripheral, which fits every core, those of all cores; of a unit those with its port.
    """
    for host in platform.discover():
        if not (accelerator.manifest.outside_core or host.manifest.port == port):
            continue
        with_unit = [found for found in mine if found.scope == host.name]
        targets = {found.target for found in with_unit}
        bare = [
            found
            for found in every
            if (found.accelerator, found.scope) == (synthesis.NONE, host.name)
            and found.target in targets
        ]
        for label, records in (("inside {}", with_unit), ("{} without it", bare)):
            for target, *rest in _area(records):
                yield f"{label.format(host.name)}: {target}", *rest


def _area(records: Sequence[SynthRecord]) -> Iterable[tuple[str, ...]]:
    """One row a target; place-and-route seeds become a median and a range."""
    for target in dict.fromkeys(found.target for found in records):
        runs = [found for found in records if found.target == target]
        first = runs[0]
        clocks = sorted(found.fmax_mhz for found in runs if found.fmax_mhz is not None)
        fmax = "-"
        if clocks:
            middle = statistics.median(clocks)
            fmax = f"{middle:.1f} ({clocks[0]:.1f} to {clocks[-1]:.1f}, {len(clocks)} seeds)"
        counts = (first.lut4, first.lut6, first.ff, first.bram)
        rest = (first.gates, first.critical_path_ns)
        yield (
            target,
            f"`{first.recipe}`",
            *("-" if found is None else str(found) for found in counts),
            fmax,
            *("-" if found is None else f"{found:g}" for found in rest),
            short(first.inputs_sha256),
        )
