# SPDX-License-Identifier: Apache-2.0
"""`aesforge pick`: the cheapest design point that meets a budget, and why others do not.

Cheapest is what takes the fewest LUTs (or gates), then the least block RAM, then the least code,
then the fewest cycles. An impossible request says which one constraint to relax and by how much,
or, if one is not enough, which together.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from aesforge.records.rows import Table
from aesforge.report.explore import CLOCKS, DesignPoint, Way, at_most, lut_name


@dataclass(frozen=True)
class Budget:
    """What is wanted; None: no limit."""

    mode: str = "ecb"
    way: Way = "both"
    min_mbit: float | None = None
    max_cycles_per_byte: float | None = None
    max_lut: int | None = None
    max_gates: float | None = None
    max_ff: int | None = None
    max_bram: int | None = None
    max_code: int | None = None
    clock_mhz: float | None = None
    constant_time: bool = False
    bounds: bool = False  # an upper bound of the clock counts as a clock


@dataclass(frozen=True)
class Miss:
    """One constraint that a point does not meet; without `value` its figure is not known."""

    option: str  # as on the command line
    limit: float
    value: float | None
    unit: str
    reason: str = ""  # what to say if there is no figure

    @property
    def relaxed(self) -> float | None:
        """By what factor the limit would have to give way (> 1)."""
        if self.value is None or not self.option:
            return None
        low, high = sorted((self.value, self.limit))
        return high / low if low > 0 else float("inf")

    @property
    def text(self) -> str:
        """Why the point fell out."""
        if self.value is None or not self.option:
            return self.reason
        return f"{number(self.value)} {self.unit}, {self.option} {number(self.limit)}"

    @property
    def advice(self) -> str:
        """How far to relax it."""
        value = allowed(self.limit if self.value is None else self.value, self.limit)
        return (
            f"{self.option} from {number(self.limit)} to {value:g}"
            f" ({value - self.limit:+.10g} {self.unit})"
        )


@dataclass(frozen=True)
class Verdict:
    """A point and what it misses (nothing: it fits)."""

    point: DesignPoint
    misses: tuple[Miss, ...]

    @property
    def fits(self) -> bool:
        """Whether it meets every constraint."""
        return not self.misses

    @property
    def can_be_relaxed(self) -> bool:
        """Whether other limits would let it in: every miss is one of a known figure."""
        return all(miss.relaxed is not None for miss in self.misses)


@dataclass(frozen=True)
class Choice:
    """The verdicts on all points: those that fit, the cheapest first, then the others."""

    request: Budget
    fitting: tuple[Verdict, ...]
    others: tuple[Verdict, ...]
    bounded: tuple[Verdict, ...] = ()  # would fit if an upper bound of the clock were one

    @property
    def relaxations(self) -> list[Verdict]:
        """The points that would fit first, each for another set of constraints to relax.

        Sets of one constraint come first; larger ones are given only if there is none of one.
        """
        best: dict[tuple[str, ...], Verdict] = {}
        for verdict in self.others:
            if not verdict.can_be_relaxed:
                continue
            options = tuple(miss.option for miss in verdict.misses)
            if options not in best or _strain(verdict) < _strain(best[options]):
                best[options] = verdict
        if not best:
            return []
        fewest = min(map(len, best))
        return sorted((v for k, v in best.items() if len(k) == fewest), key=_strain)


def _strain(verdict: Verdict) -> tuple[float, str, str]:
    """How far all of a point's constraints would have to give way together."""
    product = 1.0
    for miss in verdict.misses:
        product *= miss.relaxed or 1.0
    return product, verdict.point.label, verdict.point.platform


def pick(found: Sequence[DesignPoint], request: Budget) -> Choice:
    """Judge every point."""
    mhz = request.clock_mhz
    verdicts = [
        Verdict(point if mhz is None else point.at(mhz), tuple(_misses(point, request)))
        for point in found
    ]
    fitting = sorted((v for v in verdicts if v.fits), key=lambda v: _price(v.point, request))
    others = sorted((v for v in verdicts if not v.fits), key=lambda v: (len(v.misses), *_strain(v)))
    bounded: tuple[Verdict, ...] = ()
    if not request.bounds:
        names = {(v.point.label, v.point.platform) for v in others if v.point.bound}
        looser = pick(found, replace(request, bounds=True)).fitting
        bounded = tuple(v for v in looser if (v.point.label, v.point.platform) in names)
    return Choice(request, tuple(fitting), tuple(others), bounded)


def _price(point: DesignPoint, request: Budget) -> tuple[bool, float, int, int, float, str]:
    """The order of what fits: what was measured in its core first."""
    code = point.bytes_of_code(request.mode, request.way)
    cycles = point.cycles(request.mode, request.way)
    infinite = float("inf")
    return (
        point.bound and not request.bounds,
        point.area.size if point.area.size is not None else infinite,
        point.area.bram or 0,
        code or 0,
        cycles or infinite,
        point.label,
    )


def _misses(point: DesignPoint, request: Budget) -> list[Miss]:
    """List the constraints that a point does not meet."""
    found: list[Miss] = []
    mode, way, area = request.mode, request.way, point.area

    def why_not(reason: str) -> None:
        found.append(Miss("", 0, None, "", reason))

    def at_most(option: str, limit: float | None, value: float | None, unit: str) -> None:
        if limit is None:
            return
        if value is None:
            why_not(f"{unit} not recorded")
        elif value > limit:
            found.append(Miss(option, limit, value, unit))

    if not point.verified:
        why_not("not verified with every vector on this core")
    if request.constant_time and not point.constant_time:
        why_not("time depends on data" if point.constant_time is False else "time not examined")
    if not point.known:
        why_not(f"not synthesised: aesforge synth {point.label} -t {point.device} --publish")
        return found
    cycles = point.cycles(mode, way)
    if cycles is None:
        why_not(f"{mode}, {way}: no cycles recorded")
        return found
    fpga = lut_name(point.device) != "GE"
    at_most("--max-lut", request.max_lut, area.lut, lut_name(point.device) if fpga else "LUT")
    at_most("--max-gates", request.max_gates, area.gates, "GE")
    at_most("--max-ff", request.max_ff, area.ff, "FF")
    at_most("--max-bram", request.max_bram, area.bram, "BRAM")
    at_most("--max-code", request.max_code, point.bytes_of_code(mode, way), "bytes of code")
    at_most("--max-cycles", request.max_cycles_per_byte, cycles, "cycles/byte")
    wanted = request.clock_mhz
    if point.bound and not request.bounds and (wanted, request.min_mbit) != (None, None):
        how = f"aesforge synth {point.label} -t {point.device} --in {point.platform} --publish"
        why_not(f"clock known as an upper bound only: {how}, or --bounds")
        return found
    if wanted is not None and point.clock_mhz is not None and point.clock_mhz < wanted:
        found.append(Miss("--clock-mhz", wanted, point.clock_mhz, "MHz"))
    if request.min_mbit is not None:
        rate = (point if wanted is None else point.at(wanted)).mbit(mode, way)
        if rate is None:
            why_not("no clock known: give --clock-mhz")
        elif rate < request.min_mbit:
            found.append(Miss("--min-mbit", request.min_mbit, rate, "Mbit/s"))
    return found


# Output -------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """Return a figure as the answer prints it: whole from 100 on, three digits below."""
    digits = 0 if abs(value) >= 100 or float(value).is_integer() else 1 if abs(value) >= 10 else 2
    return f"{value:.{digits}f}"


def allowed(value: float, limit: float) -> float:
    """Return a figure to three digits, rounded away from the limit that it breaks.

    Given as the new limit, it lets the figure in.
    """
    if not value or float(value).is_integer():
        return value
    step = 10.0 ** (math.floor(math.log10(abs(value))) - 2)
    towards = math.ceil if value > limit else math.floor
    return round(towards(value / step) * step, 10)


def sentence(verdict: Verdict, request: Budget) -> str:
    """Return all that the answer says of a point that fits, in one line."""
    point = verdict.point
    area = point.area
    parts = [f"{point.label} on {point.platform}"]
    if area.lut is not None:
        parts.append(f"{area.lut} {lut_name(point.device)}")
        parts.append(f"{area.ff} FF")
        parts += [f"{area.bram} BRAM"] if area.bram else []
    elif area.gates is not None:
        parts.append(f"{number(area.gates)} GE")
    code = point.bytes_of_code(request.mode, request.way)
    parts += [f"{code} bytes of code"] if code is not None else []
    parts.append(f"{number(point.cycles(request.mode, request.way) or 0)} cycles/byte")
    rate = point.mbit(request.mode, request.way)
    if rate is not None and point.clock_mhz is not None:
        limits = at_most(point, number(rate)), at_most(point, number(point.clock_mhz))
        parts.append(f"{limits[0]} Mbit/s at {limits[1]} MHz")
    return ", ".join(parts)


def relax(verdict: Verdict) -> str:
    """Return which constraints to relax, by how much, and what then fits."""
    advice = " and ".join(miss.advice for miss in verdict.misses)
    return f"relax {advice}: {verdict.point.label} on {verdict.point.platform} fits"


def summary(answer: Choice) -> list[str]:
    """Return the answer in words."""
    if answer.fitting:
        first = answer.fitting[0]
        lines = [f"cheapest: {sentence(first, answer.request)}"]
        lines.append(f"clock of {first.point.clock_of or 'unknown'}: {_clock(first.point)}")
        if answer.others:
            lines.append(f"{len(answer.others)} designs do not fit: --why lists them with reasons")
        return lines
    lines = ["nothing fits"]
    lines += [relax(verdict) for verdict in answer.relaxations]
    if answer.bounded:
        told = sentence(answer.bounded[0], answer.request)
        lines.append(f"if its clock is what core and unit reach apart (--bounds): {told}")
    if answer.others:
        lines.append("--why says what each design lacks")
    return lines


def _clock(point: DesignPoint) -> str:
    return CLOCKS[point.clock_of]


def fitting_table(answer: Choice, unpublished: Collection[str] = ()) -> Table:
    """Return what fits as a table, the cheapest first; labels in `unpublished` have a '+'."""
    request = answer.request
    heads = (
        *(("", True), ("design", False), ("core", False), ("area", True), ("FF", True)),
        *(("BRAM", True), ("code B", True), ("c/B", True), ("MHz", True), ("clock of", False)),
        *(("Mbit/s", True), ("area of", False)),
    )
    lines = []
    for place, verdict in enumerate(answer.fitting, 1):
        point = verdict.point
        area = point.area
        rate = point.mbit(request.mode, request.way)
        size = "-" if area.size is None else f"{number(area.size)} {lut_name(point.device)}"
        values = (area.ff, area.bram, point.bytes_of_code(request.mode, request.way))
        lines.append(
            (
                f"{place}{'+' if point.label in unpublished else ''}",
                *(point.label, point.platform, size),
                *("-" if value is None else str(value) for value in values),
                number(point.cycles(request.mode, request.way) or 0),
                "-" if point.clock_mhz is None else at_most(point, number(point.clock_mhz)),
                point.clock_of or "unknown",
                "-" if rate is None else at_most(point, number(rate)),
                point.area_of or "unknown",
            )
        )
    spare = ("code B", "FF", "clock of", "BRAM", "area of")
    fits = enumerate(answer.fitting)
    marked = frozenset(n for n, v in fits if v.point.label in unpublished)
    return Table(
        "Fits, measured in its core first, then the cheapest", heads, tuple(lines), spare, marked
    )


def others_table(answer: Choice) -> Table:
    """Return what does not fit and why, the nearest first."""
    heads = (("design", False), ("core", False), ("falls out", False))
    lines = [
        (v.point.label, v.point.platform, "; ".join(miss.text for miss in v.misses))
        for v in answer.others
    ]
    return Table("Does not fit", heads, tuple(lines))


def json_answer(answer: Choice) -> dict[str, object]:
    """Return the whole answer (docs/json.md)."""

    def shown(verdict: Verdict) -> dict[str, object]:
        point, request = verdict.point, answer.request
        return {
            "accelerator": point.accelerator,
            "variant": point.variant,
            "platform": point.platform,
            "device": point.device,
            "lut": point.area.lut,
            "ff": point.area.ff,
            "bram": point.area.bram,
            "gates": point.area.gates,
            "area_of": point.area_of,
            "code_bytes": point.bytes_of_code(request.mode, request.way),
            "cycles_per_byte": _rounded(point.cycles(request.mode, request.way)),
            "clock_mhz": point.clock_mhz,
            "clock_of": point.clock_of,
            "mbit_s": _rounded(point.mbit(request.mode, request.way)),
            "misses": [
                {
                    "option": miss.option,
                    "limit": miss.limit if miss.option else None,
                    "value": _rounded(miss.value),
                    "unit": miss.unit,
                    "text": miss.text,
                }
                for miss in verdict.misses
            ],
        }

    return {
        "request": vars(answer.request),
        "fits": [shown(verdict) for verdict in answer.fitting],
        "falls_out": [shown(verdict) for verdict in answer.others],
        "bounded": [shown(verdict) for verdict in answer.bounded],
        "relax": [
            {**shown(verdict), "text": relax(verdict)}
            for verdict in ([] if answer.fitting else answer.relaxations)
        ],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
