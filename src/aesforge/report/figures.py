# SPDX-License-Identifier: Apache-2.0
"""Tables of figures for the README files: what a unit gains, costs, and which units there are."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator
from aesforge.records import rows
from aesforge.records.record import Record
from aesforge.records.rows import BULK_BLOCKS, Table
from aesforge.report import explore
from aesforge.report.explore import SOFTWARE, DesignPoint
from aesforge.synth import synthesis
from aesforge.synth.synthesis import SynthRecord

GAIN_ROWS = 10  # what a reader takes in at a glance
GAIN_MODES = ("ctr", "gcm")


def gain_table(records: Sequence[Record], placed: Sequence[SynthRecord]) -> Table:
    """What a unit gives at the clock that core and unit close together, and what it costs.

    First the best software in each mode, then units by their rate of GCM. A rate is followed by
    how many times as fast that is, in time, as the software on the core alone, a clock by the share
    of the core's that is left. The core and device are those with most such designs; a unit shows
    its fastest variant. If there are more units than rows, those with the largest factor of either
    mode have one.
    """
    here = _gaining(p for p in explore.points(records, placed) if p.verified)
    core, device = here[0].platform, here[0].device
    best = _software(here)
    units = _gainers(here)
    bare = max((p.clock_mhz or 0.0 for p in here if p.kind == SOFTWARE), default=0.0)
    # A phone shows the first three or four columns.
    heads = (
        ("accelerator / variant", False),
        *((f"{mode.upper()}, Mbit/s", True) for mode in GAIN_MODES),
        *(("core MHz", True), (f"{explore.lut_name(device)} added", True), ("block RAM", True)),
    )
    lines = [
        ("best software", *(_gain(v, 0) for v in best.values()), _whole(bare), "0", "0"),
        *(
            (
                f"{p.accelerator} / {p.variant}",
                *(_gain(p.mbit(mode), best[mode]) for mode in GAIN_MODES),
                f"{_whole(p.clock_mhz or 0)} ({_whole(100 * (p.clock_mhz or 0) / bare)}\u00a0%)",
                *(f"{p.area.lut:,}", f"{p.area.bram or 0}"),
            )
            for p in units
        ),
    ]
    title = f"AES-128, 4 KiB of GCM or {BULK_BLOCKS} blocks of CTR, {core} on {device}, routed"
    return Table(title, heads, tuple(lines))


CORE_MODES = ("ecb", *GAIN_MODES)


def core_tables(records: Sequence[Record], placed: Sequence[SynthRecord]) -> list[Table]:
    """One table a core: each design that was routed in it, by its rate of CTR.

    Kernels that share a design are shown by the one whose name the design has. The first row is
    the core alone with the fastest software in each mode.
    """
    device, silicon = explore.usual_device(placed), explore.Silicon(placed)
    lut = explore.lut_name(device)
    heads = (
        ("accelerator / variant", False),
        *((f"{lut} added", True), ("block RAM", True), ("MHz alone", True), ("MHz inside", True)),
        *(("of the core's", True), ("cycles a block, CTR", True)),
        *((f"{mode.upper()}, Mbit/s", True) for mode in CORE_MODES),
    )
    every = [p for p in explore.points(records, placed) if p.verified and p.device == device]
    tables = []
    for core in sorted({p.platform for p in every}):
        here = [p for p in every if p.platform == core]
        whole = [p for p in here if p.clock_of == "whole" and p.hardware == p.variant]
        bare = silicon.mhz(synthesis.NONE, "", core, device)
        if bare is None or not whole:
            continue
        software = [p for p in here if p.kind == SOFTWARE]
        best = [max(p.mbit(mode) or 0.0 for p in software) for mode in CORE_MODES]
        least = min(16 * (p.cycles("ctr") or math.inf) for p in software)
        rates = (_gain(rate, 0) for rate in best)
        lines = [("best software", "0", "0", "-", f"{bare:.1f}", "100 %", f"{least:.0f}", *rates)]
        for p in sorted(whole, key=lambda p: (-(p.mbit("ctr") or 0.0), p.label)):
            mhz, cycles = p.clock_mhz or 0.0, 16 * (p.cycles("ctr") or 0.0)
            alone = silicon.mhz(p.accelerator, p.variant, synthesis.UNIT, device)
            costs = (f"{p.area.lut:,}", f"{p.area.bram or 0}", f"{alone:.1f}" if alone else "-")
            kept = (f"{mhz:.1f}", f"{_whole(100 * mhz / bare)} %")
            each = f"{cycles:.1f}" if cycles < 1000 else f"{cycles:.0f}"
            rates = (_gain(p.mbit(mode), 0) for mode in CORE_MODES)
            lines.append((f"{p.accelerator} / {p.variant}", *costs, *kept, each, *rates))
        title = f"AES-128 in {core} on {device}, routed together; clocks are medians"
        tables.append(Table(title, heads, tuple(lines)))
    return tables


def _whole(value: float) -> str:
    """Return a number without decimals; halves go up, as on the page."""
    return f"{math.floor(value + 0.5)}"


def _gaining(found: Iterable[DesignPoint]) -> list[DesignPoint]:
    """Return the points of the core and device with most designs that were placed whole."""
    every = list(found)
    places = Counter((p.platform, p.device) for p in every if p.clock_of == "whole")
    place, _ = max(places.items(), key=lambda item: (item[1], item[0]))
    return [p for p in every if (p.platform, p.device) == place]


def _software(here: Iterable[DesignPoint]) -> dict[str, float]:
    """Return the best rate of software in each mode, 0 if none is known."""
    software = [p for p in here if p.kind == SOFTWARE and p.clock_mhz]
    return {mode: max((p.mbit(mode) or 0.0 for p in software), default=0.0) for mode in GAIN_MODES}


def _gainers(here: Sequence[DesignPoint]) -> list[DesignPoint]:
    """Return the units that have a row: placed whole, with the largest factors over software."""
    best = _software(here)

    def factor(point: DesignPoint) -> float:
        return max((point.mbit(mode) or 0.0) / (best[mode] or math.inf) for mode in GAIN_MODES)

    units = fastest(p for p in here if p.clock_of == "whole")
    chosen = sorted(units, key=factor, reverse=True)[: GAIN_ROWS - 1]
    return [point for point in units if point in chosen]


def headline(
    records: Sequence[Record], placed: Sequence[SynthRecord]
) -> list[tuple[str, str, str, str]]:
    """Return what the table of gains rests on: accelerator, variant, platform and question.

    All of its rows on their core, in both modes; on each other core the fastest unit and the
    fastest software.
    """
    found = [p for p in explore.points(records, placed) if p.verified]
    here = _gaining(found)
    units = _gainers(here)
    cells: list[tuple[str, str, str, str]] = []
    for mode, question in (("ctr", "speed"), ("gcm", "gcm")):
        chosen = [_quickest(here, mode, software=True), *units]
        cells += [(p.accelerator, p.variant, p.platform, question) for p in chosen]
    for core in sorted({p.platform for p in found} - {here[0].platform}):
        there = [p for p in found if p.platform == core]
        for software in (True, False):
            best = _quickest(there, "ctr", software=software)
            cells.append((best.accelerator, best.variant, core, "speed"))
    return list(dict.fromkeys(cells))


def _quickest(found: Iterable[DesignPoint], mode: str, *, software: bool) -> DesignPoint:
    """Return the point with the fewest cycles a byte; of equal ones the first by name."""
    return min(
        (p for p in found if (p.kind == SOFTWARE) == software and p.cycles(mode)),
        key=lambda p: (p.cycles(mode), p.label),
    )


def _gain(mbit: float | None, software: float) -> str:
    """Return a rate, and in brackets how many times the software's it is."""
    if not mbit:
        return "-"
    factor = f" ({mbit / software:.1f}x)" if software else ""
    return (f"{mbit:.1f}" if mbit < 100 else f"{mbit:.0f}") + factor


def fastest(found: Iterable[DesignPoint]) -> list[DesignPoint]:
    """Return the fastest verified unit of each accelerator, by AES-GCM, then CTR, then cycles.

    One that was placed in its core goes before one with a bound of its clock, however fast.
    """
    best: dict[str, DesignPoint] = {}
    for point in found:
        if point.kind != SOFTWARE and point.verified:
            rival = best.get(point.accelerator)
            if rival is None or _merit(point) > _merit(rival):
                best[point.accelerator] = point
    return sorted(best.values(), key=_merit, reverse=True)


def _merit(point: DesignPoint) -> tuple[bool, float, float, float]:
    gcm, ctr = (point.mbit(mode) or 0.0 for mode in ("gcm", "ctr"))
    return point.clock_of == "whole", gcm, ctr, -(point.cycles("ctr") or float("inf"))


def recommended(accelerator: Accelerator, port: str) -> DesignPoint | None:
    """Return an accelerator's fastest variant in a core with this port, by published records.

    Only variants that were routed in the core count. On a bus, which no core's port is: those in
    any core. None: the first variant is as good a guess as any.
    """
    cores = [found.name for found in platform.discover() if found.manifest.port == port]
    if not cores and not accelerator.manifest.outside_core:
        return None
    placed = [
        point
        for point in explore.points(*explore.read_published())
        if point.accelerator == accelerator.name
        and point.clock_of == "whole"
        and (not cores or point.platform in cores)
    ]
    return next(iter(fastest(placed)), None)


# How an accelerator is attached, and the kinds that are: the rows of the table of choices.
ATTACHED = {"instruction": ("instruction", "set"), "on the bus": ("mmio", "dma")}


def choice_table(records: Sequence[Record], placed: Sequence[SynthRecord]) -> Table:
    """Of each core and way to attach: the smallest design, and the fastest in each mode.

    Where designs were routed in the core, these alone are named, with Mbit/s at the clock that
    both close; elsewhere all are, with cycles a byte, which no clock changes. The smallest must
    beat the software of the core in CTR. Only verified designs are named.
    """
    device = explore.usual_device(placed)
    found = [p for p in explore.points(records, placed) if p.device == device and p.verified]
    lut = explore.lut_name(device)
    heads = ("core", "attached as", "least area", *(f"fastest in {m.upper()}" for m in GAIN_MODES))
    lines = []
    for core in sorted({p.platform for p in found}):
        here = [p for p in found if p.platform == core]
        for name, kinds in ATTACHED.items():
            units = [p for p in here if p.kind in kinds]
            whole = [p for p in units if p.clock_of == "whole"]
            rate = _per_second if whole else _per_cycle
            software = max(rate(p, "ctr") for p in here if p.kind == SOFTWARE)
            quicker = [p for p in whole or units if p.area.lut and rate(p, "ctr") > software]
            least = min(quicker, key=lambda p: (p.area.lut, p.label), default=None)
            cells = [_choice(least, "ctr", lut)]
            for mode in GAIN_MODES:
                asked = sorted((p for p in whole or units if p.cycles(mode)), key=lambda p: p.label)
                best = max(asked, key=partial(rate, mode=mode), default=None)
                cells.append(_choice(best, mode, lut))
            lines.append((core, name, *cells))
    title = (
        f"Designs by core: {lut} added on {device}, Mbit/s (of the smallest, in CTR);"
        " c/B: cycles a byte, where none was routed in the core"
    )
    return Table(title, tuple((head, False) for head in heads), tuple(lines))


def _per_second(point: DesignPoint, mode: str) -> float:
    return point.mbit(mode) or 0.0


def _per_cycle(point: DesignPoint, mode: str) -> float:
    return 1 / (point.cycles(mode) or math.inf)


def _choice(point: DesignPoint | None, mode: str, lut: str) -> str:
    """Return a design with what it takes, if that is known, and its rate or cycles a byte."""
    if point is None:
        return "-"
    area = f"{point.area.lut:,} {lut}, " if point.area.lut else ""
    ram = f"{point.area.bram} block RAM, " if point.area.bram else ""
    whole = point.clock_of == "whole"
    rate = _gain(point.mbit(mode), 0) + " Mbit/s" if whole else f"{point.cycles(mode):.1f} c/B"
    return f"{point.label}: {area}{ram}{rate}"


def units_table() -> str:
    """Return every accelerator with its kind and summary, linked to its page."""
    lines = ["| accelerator | kind | what it is |", "|---|---|---|"]
    for unit in manifest.discover():
        if unit.manifest.kind != SOFTWARE:
            link = f"[{unit.name}](accelerators/{unit.name}/README.md)"
            lines.append(f"| {link} | {unit.manifest.kind} | {unit.manifest.summary} |")
    return "\n".join(lines) + "\n"


def unit_tables(
    unit: Accelerator,
    records: Sequence[Record],
    placed: Sequence[SynthRecord],
    platforms: Sequence[str],
) -> str:
    """Return the figures of one accelerator: cycles, modes, area and clock, where recorded.

    SHA-256 is beside that of the software.
    """
    mine = [entry for entry in records if entry.accelerator == unit.name]
    asked = {entry.question for entry in mine}
    tables: list[Table] = []
    if "speed" in asked:
        tables.append(rows.speed_table(mine, platforms))
    if "gcm" in asked:
        tables += rows.gcm_tables(mine, platforms)
    if "sha256" in asked:
        software = [entry for entry in records if entry.kind == explore.SOFTWARE]
        tables += rows.hash_tables([*mine, *software], platforms)
    if silicon := [entry for entry in placed if entry.accelerator == unit.name]:
        tables.append(area_table(silicon))
    return "\n".join(table.markdown() for table in tables)


def area_table(placed: Sequence[SynthRecord]) -> Table:
    """Area and clock of each design and target; the clock is the median of the seeds."""
    heads = (
        *(("variant or part", False), ("inside", False), ("target", False), ("LUT", True)),
        *(("FF", True), ("BRAM", True), ("GE", True), ("MHz", True), ("slowest to fastest", True)),
        ("seeds", True),
    )
    lines = []
    for point in synthesis.points(placed):
        entry = point.first
        lut = entry.lut6 if entry.lut4 is None else entry.lut4
        group = [e.fmax_mhz for e in placed if _same(e, entry) and e.fmax_mhz is not None]
        lines.append(
            (
                *(entry.variant, "-" if entry.scope == synthesis.UNIT else entry.scope),
                *(entry.target, _text(lut), _text(entry.ff), _text(entry.bram)),
                *(_text(entry.gates), _text(point.fmax_mhz)),
                f"{min(group):.1f} to {max(group):.1f}" if len(group) > 1 else "-",
                str(len(group)) if group else "-",
            )
        )
    title = "Area and clock (a row inside a core counts core, adapter and unit)"
    return Table(title, heads, tuple(sorted(lines)))


def _same(one: SynthRecord, other: SynthRecord) -> bool:
    """Whether two records are seeds of the same design on the same target."""
    key = ("accelerator", "variant", "scope", "target")
    return one.status == "passed" and all(getattr(one, k) == getattr(other, k) for k in key)


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:,g}" if value < 1e6 else f"{value:,.0f}"
