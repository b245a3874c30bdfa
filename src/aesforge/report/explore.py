# SPDX-License-Identifier: Apache-2.0
"""`aesforge explore`: cycles, code, area and clock of records joined into design points.

A design point is an accelerator's variant on a platform, on the device of a synthesis flow. Nothing
is measured here: a figure that no record has is None, and a clock says what it is the clock of.
Units: cycles a byte, MHz, Mbit/s (10^6 bits), LUTs and cells, NAND2 equivalents, bytes.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from aesforge.base.errors import UsageError
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Direction
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.records.rows import BLOCK_BYTES, BULK_BLOCKS, Cell, Results, Table
from aesforge.synth import flow, synthesis

SOFTWARE = "software"
GCM_BLOCKS = 256  # the longest text that AES-GCM is timed with: 4096 bytes

# What a clock is the clock of, the most telling first.
ClockOf = Literal["whole", "apart", "core", "unit", "given", ""]
CLOCKS: dict[ClockOf, str] = {
    "whole": "core with the unit, placed together",
    "apart": "the slower of core and unit, each placed alone: an upper bound",
    "core": "core without a unit",
    "unit": "unit alone, the core not synthesised here: an upper bound",
    "given": "given by the user, not checked: no clock of this is recorded",
    "": "no clock known",
}

# What an area is the area of.
AreaOf = Literal["added", "unit", "none", ""]
AREAS: dict[AreaOf, str] = {
    "added": "core with the unit less core without it",
    "unit": "unit alone",
    "none": "software: nothing is added",
    "": "not synthesised for this device",
}


@dataclass(frozen=True)
class Mode:
    """A use of the cipher: its name in records, and its description."""

    name: str
    summary: str
    figure: str  # mode of the figure
    blocks: int
    question: str = "speed"
    one_way: bool = False  # the same in both directions: only encryption is timed, and needed


MODES = {
    mode.name: mode
    for mode in (
        Mode("block", "one 16-byte block a call, ECB", "ecb", 1),
        Mode("ecb", f"ECB, {BULK_BLOCKS} blocks a call", "ecb", BULK_BLOCKS),
        Mode("cbc", f"CBC, {BULK_BLOCKS} blocks a call", "cbc", BULK_BLOCKS),
        Mode("ctr", f"CTR, {BULK_BLOCKS} blocks a call", "ctr", BULK_BLOCKS, one_way=True),
        Mode(
            *("gcm", "AES-GCM, 4096 bytes of text and 13 of AAD a call", "gcm"),
            *(GCM_BLOCKS, "gcm", True),
        ),
    )
}

Way = Literal["encrypt", "decrypt", "both"]  # both: the slower direction, and the code of both
_WAYS: tuple[Way, ...] = ("encrypt", "decrypt", "both")


@dataclass(frozen=True)
class Area:
    """What a design takes of a device; None: no record, or no such thing there."""

    lut: int | None = None
    ff: int | None = None
    bram: int | None = None
    dsp: int | None = None
    gates: float | None = None

    @property
    def size(self) -> float | None:
        """LUTs on an FPGA, NAND2 equivalents elsewhere."""
        return self.gates if self.lut is None else self.lut

    @property
    def cells(self) -> float | None:
        """LUTs and flip-flops on an FPGA, NAND2 equivalents elsewhere."""
        return self.gates if self.lut is None else self.lut + (self.ff or 0)

    def plus(self, other: "Area", sign: int = 1) -> "Area":
        """Return the sum, or with sign -1 the difference, of two areas on the same device."""

        def whole(mine: int | None, theirs: int | None) -> int | None:
            return None if mine is None or theirs is None else mine + sign * theirs

        gates = None
        if self.gates is not None and other.gates is not None:
            gates = round(self.gates + sign * other.gates, 1)
        return Area(
            whole(self.lut, other.lut),
            whole(self.ff, other.ff),
            whole(self.bram, other.bram),
            whole(self.dsp, other.dsp),
            gates,
        )


@dataclass(frozen=True)
class DesignPoint:
    """A variant on a platform on a device ("": no device at all), AES with keys of `key_bits`."""

    accelerator: str
    variant: str
    kind: str
    platform: str
    device: str
    key_bits: int
    cycles_per_byte: Mapping[str, float]  # MODES' names, "-decrypt" after those of decryption
    key_cycles: Mapping[Direction, int]  # key set-up, cycles a call
    instructions_per_byte: float | None  # ECB in bulk
    clock_mhz: float | None
    clock_of: ClockOf
    spread_mhz: float | None  # half the range of the seeds
    area: Area
    area_of: AreaOf
    system: Area  # core with the unit, whole or added up; empty: unknown
    hardware: str  # the variant whose RTL this one has, as synthesised
    critical_path_ns: float | None
    code: Mapping[Way, int]  # kernel's machine code and tables, bytes
    gcm_code: int | None  # the same of what AES-GCM links
    verified: bool
    constant_time: bool | None  # None: not asked
    sources: Mapping[str, str] = field(default_factory=dict)  # what: SHA-256 of the record's inputs

    @property
    def label(self) -> str:
        """Accelerator and variant as one word."""
        return f"{self.accelerator}/{self.variant}"

    @property
    def bound(self) -> bool:
        """Whether its clock is an upper bound: core and unit were not placed together."""
        return self.clock_of in ("apart", "unit")

    @property
    def known(self) -> bool:
        """Whether its area on the device is known (software has none to know)."""
        return self.area_of != ""

    def cycles(self, mode: str, way: Way = "encrypt") -> float | None:
        """Cycles a byte of a mode, the slower direction for both; None if not recorded."""
        forward = self.cycles_per_byte.get(mode)
        backward = self.cycles_per_byte.get(f"{mode}-decrypt")
        if way == "encrypt" or (way == "both" and MODES[mode].one_way):
            return forward
        if way == "decrypt":
            return backward
        return max(forward, backward) if forward and backward else None

    def mbit(self, mode: str, way: Way = "encrypt") -> float | None:
        """Mbit/s of a mode at the point's clock; None if either is unknown."""
        cycles = self.cycles(mode, way)
        return 8 * self.clock_mhz / cycles if cycles and self.clock_mhz else None

    def bytes_of_code(self, mode: str, way: Way = "encrypt") -> int | None:
        """Bytes of the kernel's code and tables that a mode needs; its own code is apart."""
        if mode == "gcm":
            return self.gcm_code
        return self.code.get("encrypt" if way == "both" and MODES[mode].one_way else way)

    def density(self, mode: str, way: Way = "encrypt") -> float | None:
        """Mbit/s for each thousand LUTs or gates of the unit; None for software."""
        rate, size = self.mbit(mode, way), self.area.size
        return 1000 * rate / size if rate and size else None

    def energy_proxy(self, mode: str, way: Way = "encrypt") -> float | None:
        """Cells of core and unit times cycles a byte, in thousands: no activity, no wires, no J."""
        cycles, cells = self.cycles(mode, way), self.system.cells
        return cycles * cells / 1000 if cycles and cells else None

    def at(self, mhz: float) -> "DesignPoint":
        """Return the point at a given clock. One that is slower keeps its own."""
        if self.clock_mhz is None:
            return replace(self, clock_mhz=mhz, clock_of="given", spread_mhz=None)
        return replace(self, clock_mhz=min(mhz, self.clock_mhz))


# The join -----------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def hardware(accelerator: str, variant: str, synthesised: frozenset[str]) -> str:
    """Return which of the variants `synthesised` has a variant's RTL; empty if none.

    Kernels share hardware: variants with equal parameters of the RTL are one.
    """
    if variant in synthesised:
        return variant
    try:
        unit = manifest.find(accelerator)
        params = rtl_params(unit, variant)
    except UsageError:  # records of something that is no longer here
        return ""
    known = {found.name for found in unit.manifest.variant}
    same = [name for name in sorted(synthesised & known) if rtl_params(unit, name) == params]
    return same[0] if same else ""


def rtl_params(unit: manifest.Accelerator, variant: str) -> dict[str, str | int]:
    """Return top and parameters of a variant's RTL; equal ones make equal hardware."""
    top, params = unit.manifest.circuit(unit.variant(variant))
    return {"": top, **params}


class Silicon:
    """Synthesis records by design, scope and device."""

    def __init__(self, records: Iterable[synthesis.SynthRecord]) -> None:
        self._points = {
            (p.first.accelerator, p.first.variant, p.first.scope, p.first.target): p
            for p in synthesis.points(records)
        }
        self._variants: dict[tuple[str, str, str], frozenset[str]] = {}
        for accelerator, variant, scope, device in self._points:
            place = (accelerator, scope, device)
            self._variants[place] = self._variants.get(place, frozenset()) | {variant}

    @property
    def devices(self) -> list[str]:
        """Devices with at least one design, in the flows' order."""
        found = {device for *_, device in self._points}
        return [name for name in flow.TARGETS if name in found]

    def find(
        self, accelerator: str, variant: str, scope: str, device: str
    ) -> synthesis.Point | None:
        """Return the design that has a variant's RTL."""
        keys = self._points
        if accelerator == synthesis.NONE:
            return keys.get((synthesis.NONE, "", scope, device))
        named = self._variants.get((accelerator, scope, device), frozenset())
        name = hardware(accelerator, variant, named)
        return keys.get((accelerator, name, scope, device)) if name else None

    def mhz(self, accelerator: str, variant: str, scope: str, device: str) -> float | None:
        """Return the clock of the design that has a variant's RTL."""
        return _clock(self.find(accelerator, variant, scope, device))


def _area(point: synthesis.Point | None) -> Area:
    """What a synthesised design takes."""
    if point is None:
        return Area()
    entry = point.first
    lut = entry.lut6 if entry.lut4 is None else entry.lut4
    if entry.gates is not None:
        return Area(gates=entry.gates)
    return Area(lut, entry.ff, entry.bram, entry.dsp)


def _clock(point: synthesis.Point | None) -> float | None:
    """MHz of a design: placed and routed, or by its critical path."""
    if point is None:
        return None
    path = point.first.critical_path_ns
    if point.fmax_mhz is None and path:
        return round(1000 / path, 1)
    return point.fmax_mhz


def read_published() -> tuple[list[Record], list[synthesis.SynthRecord]]:
    """Return the published records: measured, and synthesised."""
    placed = synthesis.read_published() if synthesis.PUBLISHED.is_file() else []
    return record.read_published(), placed


def points(
    records: Sequence[Record], placed: Iterable[synthesis.SynthRecord], key_bits: int = 128
) -> list[DesignPoint]:
    """Return every design point: each measured cell on each device, or on none if there is none.

    A unit that is not synthesised for a device is a point there too, with unknown area and clock.
    """
    results, silicon = Results(records), Silicon(placed)
    found = []
    for cell in results.cells:
        speed = results.record(cell, "speed")
        if speed is not None and speed.status == "passed":
            base = _measured(results, cell, speed, key_bits)
            found += [_placed(base, silicon, device) for device in silicon.devices or [""]]
    return found


def _measured(results: Results, cell: Cell, speed: Record, bits: int) -> DesignPoint:
    """Return a point without a device."""
    asked = {q: r for q in ("speed", "test", "ct", "gcm") if (r := results.record(cell, q))}
    ct, gcm = asked.get("ct"), asked.get("gcm")
    bulk = results.figure(cell, "encrypt", bits=bits)
    counts = speed.counts
    tables = counts.get("table_bytes", 0)
    named: dict[Way, str] = {
        "both": "code_bytes",
        "encrypt": "encrypt_bytes",
        "decrypt": "decrypt_bytes",
    }
    set_up: dict[Direction, int] = {}
    ways: tuple[Direction, Direction] = ("encrypt", "decrypt")
    for way in ways:
        if call := results.figure(cell, way, "key-setup", 0, bits):
            set_up[way] = call.cycles
    return DesignPoint(
        *(cell.accelerator, cell.variant, speed.kind, cell.platform, "", bits),
        cycles_per_byte=dict(_cycles(results, cell, bits)),
        key_cycles=set_up,
        instructions_per_byte=bulk.instructions / bulk.blocks / BLOCK_BYTES if bulk else None,
        clock_mhz=None,
        clock_of="",
        spread_mhz=None,
        area=Area(),
        area_of="",
        system=Area(),
        hardware="",
        critical_path_ns=None,
        code={way: counts[name] + tables for way, name in named.items() if counts.get(name)},
        gcm_code=gcm.counts["code_bytes"] + gcm.counts["table_bytes"]
        if gcm and "code_bytes" in gcm.counts
        else None,
        verified=results.verified(cell),
        constant_time=ct.counts.get("spread_max") == 0 if ct and ct.counts else None,
        sources={question: found.how.inputs_sha256 for question, found in asked.items()},
    )


def _cycles(results: Results, cell: Cell, bits: int) -> Iterator[tuple[str, float]]:
    """Yield cycles a byte of each mode and direction that was measured."""
    for mode in MODES.values():
        for direction, suffix in (("encrypt", ""), ("decrypt", "-decrypt")):
            found = results.figure(
                *(cell, direction, mode.figure, mode.blocks, bits, mode.question)
            )
            if found is not None:
                yield mode.name + suffix, found.cycles / found.blocks / BLOCK_BYTES


def _placed(point: DesignPoint, silicon: Silicon, device: str) -> DesignPoint:
    """Return a point on a device."""
    core = silicon.find(synthesis.NONE, "", point.platform, device)
    sources = dict(point.sources)
    if core is not None:
        sources["core"] = core.first.inputs_sha256
    if point.kind == SOFTWARE:
        nothing = Area(gates=0.0) if device and lut_name(device) == "GE" else Area(0, 0, 0, 0)
        mhz = _clock(core)
        return replace(
            point,
            device=device,
            clock_mhz=mhz,
            clock_of="" if mhz is None else "core",
            spread_mhz=core.spread_mhz if core else None,
            area=nothing,
            area_of="none",
            system=_area(core),
            sources=sources,
        )
    unit = silicon.find(point.accelerator, point.variant, synthesis.UNIT, device)
    whole = silicon.find(point.accelerator, point.variant, point.platform, device)
    for name, found in (("unit", unit), ("whole", whole)):
        if found is not None:
            sources[name] = found.first.inputs_sha256
    mhz, clock_of, spread = _clock_of(unit, whole, core)
    area, area_of, system = _area_of(unit, whole, core)
    named = unit or whole
    return replace(
        point,
        device=device,
        clock_mhz=mhz,
        clock_of=clock_of,
        spread_mhz=spread,
        area=area,
        area_of=area_of,
        system=system,
        hardware=named.first.variant if named else "",
        critical_path_ns=unit.first.critical_path_ns if unit else None,
        sources=sources,
    )


def _clock_of(
    unit: synthesis.Point | None, whole: synthesis.Point | None, core: synthesis.Point | None
) -> tuple[float | None, ClockOf, float | None]:
    """Return the most telling clock of a unit in a core, whose it is, and its spread."""
    if whole is not None and (together := _clock(whole)) is not None:
        return together, "whole", whole.spread_mhz
    alone, bare = _clock(unit), _clock(core)
    if unit is None or alone is None:
        return None, "", None
    if core is None or bare is None:
        return alone, "unit", unit.spread_mhz
    return (alone, "apart", unit.spread_mhz) if alone < bare else (bare, "apart", core.spread_mhz)


def _area_of(
    unit: synthesis.Point | None, whole: synthesis.Point | None, core: synthesis.Point | None
) -> tuple[Area, AreaOf, Area]:
    """Return what a unit takes, how that is known, and what core and unit take together."""
    if whole is not None and core is not None:
        return _area(whole).plus(_area(core), -1), "added", _area(whole)
    if unit is None:
        return Area(), "", _area(whole)
    together = _area(whole) if whole else _area(core).plus(_area(unit))
    return _area(unit), "unit", together


# What is best -------------------------------------------------------------------------------------

Measure = Callable[[DesignPoint], float | None]


def front(found: Iterable[DesignPoint], costs: Sequence[Measure]) -> list[DesignPoint]:
    """Return the Pareto front: points that no other beats in one cost without losing in another.

    A cost is the smaller the better; a point with an unknown cost is left out.
    """
    priced = [
        (point, values)
        for point in found
        if None not in (values := tuple(cost(point) for cost in costs))
    ]
    return [
        point for point, mine in priced if not any(_dominates(other, mine) for _, other in priced)
    ]


def _dominates(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    """Tell whether one point is nowhere dearer than another, and somewhere cheaper."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


def cheap_and_fast(mode: str, way: Way = "encrypt") -> tuple[Measure, Measure]:
    """Costs of the usual front: area and time a byte (cycles where no clock is known)."""

    def time(point: DesignPoint) -> float | None:
        cycles = point.cycles(mode, way)
        return cycles / point.clock_mhz if cycles and point.clock_mhz else cycles

    return (lambda point: point.area.size), time


def fronts(
    found: Sequence[DesignPoint], mode: str, way: Way = "encrypt", *, bounds: bool = True
) -> list[DesignPoint]:
    """Return the fronts of area and time of each platform and device.

    Where only some points of a group have a clock, cycles are compared: a rate and a count are not.
    Without `bounds` a clock that is an upper bound decides nothing: its point is left out beside
    units placed in their core, and cycles are compared where there is none of these.
    """
    kept: list[DesignPoint] = []
    groups: dict[tuple[str, str], list[DesignPoint]] = {}
    for point in found:
        groups.setdefault((point.platform, point.device), []).append(point)
    for group in groups.values():
        if not bounds and any(p.clock_of == "whole" for p in group):
            group = [p for p in group if not p.bound]
        elif not bounds and any(p.bound for p in group):
            best = front([replace(p, clock_mhz=None) for p in group], cheap_and_fast(mode, way))
            names = {p.label for p in best}
            kept += [p for p in group if p.label in names]
            continue
        timed = all(p.clock_mhz is not None for p in group if p.known)
        plain = group if timed else [replace(p, clock_mhz=None) for p in group]
        best = front(plain, cheap_and_fast(mode, way))
        kept += [p for p, q in zip(group, plain, strict=True) if any(q is b for b in best)]
    return kept


# Choice and output --------------------------------------------------------------------------------


def way(direction: str) -> Way:
    """Return the way that a user's word means; UsageError if none."""
    for known in _WAYS:
        if direction == known:
            return known
    raise UsageError(f"there is no direction '{direction}'", f"known: {', '.join(_WAYS)}")


def check(mode: str, direction: str, key_bits: int) -> None:
    """Raise a UsageError for a mode, direction or key size that there is not."""
    way(direction)
    if mode not in MODES:
        raise UsageError(f"there is no mode '{mode}'", f"known: {', '.join(MODES)}")
    if key_bits not in (128, 192, 256):
        raise UsageError(f"there is no AES-{key_bits}", "key sizes: 128, 192, 256")


def devices(asked: str, silicon: Sequence[synthesis.SynthRecord]) -> str:
    """Return the device that a name or the beginning of one stands for, the first with records.

    UsageError if there is no such device, or nothing was synthesised for it.
    """
    known = list(flow.TARGETS)
    named = [name for name in known if name == asked or name.startswith(f"{asked}-")]
    if not named:
        raise UsageError(f"there is no device '{asked}'", f"known: {', '.join(known)}")
    placed = {entry.target for entry in silicon if entry.status == "passed"}
    if ready := [name for name in named if name in placed]:
        return ready[0]
    raise UsageError(
        f"no synthesis for {named[0]} is recorded",
        f"run `aesforge synth -t {named[0]} --publish`; recorded: "
        + (", ".join(name for name in known if name in placed) or "none"),
    )


def usual_device(placed: Sequence[synthesis.SynthRecord]) -> str:
    """Return the device that tables show by themselves: the first with most records, or none."""
    ready = Counter(entry.target for entry in placed if entry.status == "passed")
    return max((name for name in flow.TARGETS if name in ready), key=ready.__getitem__, default="")


def lut_name(device: str) -> str:
    """What areas of a device are in: LUT4, LUT6 or GE (gates)."""
    if device and flow.TARGETS[device].kind != "fpga":
        return "GE"
    return "LUT6" if device == "xc7" else "LUT4"


def json_row(point: DesignPoint, on_front: Mapping[str, bool]) -> dict[str, object]:
    """Return a point's stable row (docs/json.md); `on_front` by mode."""
    area, whole = point.area, point.system
    ways: tuple[tuple[Direction, str], ...] = (("encrypt", ""), ("decrypt", "-decrypt"))

    def by_mode(value: Callable[[str, Way], float | None]) -> dict[str, float]:
        return {
            mode + suffix: round(found, 3)
            for mode in MODES
            for way, suffix in ways
            if (found := value(mode, way)) is not None
        }

    return {
        "accelerator": point.accelerator,
        "variant": point.variant,
        "kind": point.kind,
        "platform": point.platform,
        "device": point.device,
        "key_bits": point.key_bits,
        "cycles_per_byte": by_mode(point.cycles),
        "key_setup_cycles": dict(point.key_cycles),
        "instructions_per_byte": _rounded(point.instructions_per_byte),
        "clock_mhz": point.clock_mhz,
        "clock_of": point.clock_of,
        "clock_spread_mhz": point.spread_mhz,
        "mbit_s": by_mode(point.mbit),
        "area_of": point.area_of,
        "lut": area.lut,
        "lut_kind": lut_name(point.device).lower() if area.lut is not None else "",
        "ff": area.ff,
        "bram": area.bram,
        "dsp": area.dsp,
        "gates": area.gates,
        "critical_path_ns": point.critical_path_ns,
        "hardware": point.hardware,
        "system_lut": whole.lut,
        "system_ff": whole.ff,
        "system_gates": whole.gates,
        "mbit_s_per_1000": by_mode(point.density),
        "energy_proxy_kcell_cycles_per_byte": by_mode(point.energy_proxy),
        "code_bytes": dict(point.code),
        "gcm_code_bytes": point.gcm_code,
        "verified": point.verified,
        "constant_time": point.constant_time,
        "pareto": [mode for mode, is_on in on_front.items() if is_on],
        "sources": dict(point.sources),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def json_rows(found: Sequence[DesignPoint], *, bounds: bool = True) -> list[dict[str, object]]:
    """Return the rows of points; fronts are those of each platform and device."""
    on = {mode: {id(point) for point in fronts(found, mode, bounds=bounds)} for mode in MODES}
    return [json_row(p, {mode: id(p) in on[mode] for mode in MODES}) for p in found]


def table(
    found: Sequence[DesignPoint],
    mode: str,
    way: Way = "encrypt",
    *,
    bounds: bool = True,
    marked: Collection[str] = (),
    unpublished: Collection[str] = (),
) -> Table:
    """Return points of one device as a table; '*': on its core's front (with `bounds` as there).

    Of each core those whose clock was measured come first, the cheapest before the others. Rows of
    the labels `marked` and `unpublished` stand out; the latter have a '+'.
    """
    device = found[0].device if found else ""
    best = {id(point) for point in fronts(found, mode, way, bounds=bounds)}
    unit = lut_name(device)
    shown = [name for name in ("block", "ecb", "ctr", "gcm") if name != mode]
    heads = (
        *(("", False), ("design", False), ("core", False), (f"{mode} c/B", True)),
        *((f"{name} c/B", True) for name in shown),
        *(("MHz", True), ("clock of", False), ("Mbit/s", True), (unit, True)),
        *((("FF", True), ("BRAM", True)) if unit != "GE" else (("path ns", True),)),
        *(("area of", False), (f"Mbit/s per 1000 {unit}", True), ("code B", True)),
        *(("energy proxy", True), ("const. time", False)),
    )
    lines = []
    in_order = sorted(found, key=lambda p: _order(p, mode, way))
    for point in in_order:
        area = point.area
        extra = (area.ff, area.bram) if unit != "GE" else (point.critical_path_ns,)
        lines.append(
            (
                ("*" if id(point) in best else "") + ("+" if point.label in unpublished else ""),
                point.label,
                point.platform,
                _text(point.cycles(mode, way)),
                *(_text(point.cycles(name)) for name in shown),
                at_most(point, _text(point.clock_mhz)),
                point.clock_of or "unknown",
                at_most(point, _text(point.mbit(mode, way))),
                _text(area.size, 0),
                *(_text(value, 1 if isinstance(value, float) else 0) for value in extra),
                point.area_of or "unknown",
                at_most(point, _text(point.density(mode, way))),
                _text(point.bytes_of_code(mode, way), 0),
                _text(point.energy_proxy(mode, way), 0),
                {True: "yes", False: "NO", None: "not tested"}[point.constant_time],
            )
        )
    bits = found[0].key_bits if found else 128
    where = f" on {device}" if device else ""
    title = f"Design points{where}: AES-{bits}, {MODES[mode].summary}, {_said(way, mode)}"
    spare = ("const. time", "FF", "code B", "clock of", *(f"{name} c/B" for name in shown))
    rest = ("path ns", "BRAM", "area of", f"Mbit/s per 1000 {unit}", "energy proxy")
    stand_out = frozenset(n for n, p in enumerate(in_order) if p.label in {*marked, *unpublished})
    return Table(title, heads, tuple(lines), (*spare, *rest), stand_out)


def _said(way: Way, mode: str) -> str:
    if way == "both":
        return "one direction serves both" if MODES[mode].one_way else "the slower direction"
    return way


def at_most(point: DesignPoint, text: str) -> str:
    """Return a figure that rests on a point's clock, marked if that is an upper bound."""
    return f"<={text}" if point.bound and text != "-" else text


def _order(point: DesignPoint, mode: str, way: Way) -> tuple[str, bool, bool, float, float]:
    size, cycles = point.area.size, point.cycles(mode, way)
    return (point.platform, point.bound, size is None, size or 0.0, cycles or float("inf"))


def _text(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def legend(found: Sequence[DesignPoint]) -> list[str]:
    """Return what the words in a table's columns mean, those that occur."""
    clocks = {point.clock_of for point in found}
    areas = {point.area_of for point in found}
    texts = [
        f"clock of {name or 'unknown'}: {text}" for name, text in CLOCKS.items() if name in clocks
    ]
    texts += [
        f"area of {name or 'unknown'}: {text}" for name, text in AREAS.items() if name in areas
    ]
    if any(point.bound for point in found):
        texts.append("<=: an upper bound, which decides no * unless --bounds is given.")
    return [
        *texts,
        "+: from records of this build folder, which are not published (--local).",
        "c/B: cycles a byte, counted in simulation; Mbit/s: computed from that and the clock.",
        "energy proxy: thousands of cells of core and unit, times cycles a byte; not joules.",
        "*: nothing on the same core and device is both smaller and faster (in time where every"
        " clock is known, in cycles otherwise).",
    ]
