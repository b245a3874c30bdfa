# SPDX-License-Identifier: Apache-2.0
"""`aesforge ttest`: do toggles of a masked module's mapped netlist differ between two secrets?

Welch's t-test, fixed against random, on simulated traces (toggles.c): G. Goodwill et al., "A
testing methodology for side-channel resistance validation", NIST Non-Invasive Attack Testing
Workshop 2011. Compared are the numbers of toggles

- of all wires together, in each step of a cycle and in each cycle: |t| < 4.5;
- of each wire, in each step and in each cycle: |t| < 6, as there are many more of them.

A draw is one set of delays and one fixed secret. Each is tried twice: in a stream, where other
secrets are in the pipeline too, and alone, where the other cycles bring shares that are all 0.
Equal arguments give equal numbers on every machine.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import ToolError, UsageError
from aesforge.base.files import write_text
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import hdl, pycode
from aesforge.catalog import planted
from aesforge.probing import annotation as annotations
from aesforge.probing import circuit as circuits
from aesforge.probing import probe, toggles
from aesforge.probing.annotation import Annotation
from aesforge.probing.check import Checker
from aesforge.probing.circuit import Circuit
from aesforge.probing.toggles import Netlist
from aesforge.records import record
from aesforge.records.record import How, Record
from aesforge.records.rows import Table
from aesforge.synth.flow import TARGETS, Design, Target

PUBLISHED = ROOT / "results" / "ttest.jsonl"
QUESTION = "ttest"
DEFAULT_TARGETS = ("cmos", "ecp5-85f")

LIMITS = {"sum": 4.5, "wire": 6.0}  # of |t|
OTHERS = ("alone", "stream")  # numbers of toggles.c
MASKS = ("fresh", "constant", "off")  # numbers of toggles.c
MOST_T = 9999.0  # stands for anything above, and for two constants that differ

# Names of what is tested; a planted flaw has its own.
AS_IS = "as it is"
_UNMASKED = {"constant": "constant randomness", "off": "masks off"}

COMPILE_SECONDS = 600.0
RUN_SECONDS = 3600.0
_FLAGS = ("-std=gnu11", "-O2", "-march=native", "-Wall", "-Wextra", "-Wno-psabi")


@dataclass(frozen=True)
class Settings:
    """How much is tried: traces of each draw and side, draws, longest delay of a pin in steps."""

    traces: int = 1_000_000
    draws: int = 16
    steps: int = 4
    seed: int = 1  # of the first draw; the next ones follow


@dataclass(frozen=True)
class Control:
    """What is tested: the module as it is, with a planted flaw, or without its masks."""

    bug: str = ""
    masks: str = MASKS[0]

    @property
    def name(self) -> str:
        """For people and records."""
        return self.bug or _UNMASKED.get(self.masks, AS_IS)


@dataclass(frozen=True)
class Run:
    """|t| of one draw, alone or in a stream: of the sum, and of each wire its largest."""

    sums: tuple[tuple[float, ...], ...]  # a row for each cycle: its steps, at last the whole cycle
    wires: tuple[float, ...]
    cycles: tuple[int, ...]  # in which each wire has its largest
    traces: int

    def worst(self, measure: str) -> float:
        """Return the largest |t| of `sum` or `wire`."""
        return max((max(row) for row in self.sums) if measure == "sum" else self.wires)


@dataclass(frozen=True)
class Result:
    """A module on a target, all draws."""

    module: str
    target: str
    control: Control
    wires: tuple[str, ...]
    runs: Mapping[str, Sequence[Run]]  # by what is in the other cycles: a run for each draw
    settings: Settings
    netlist_sha256: str
    inputs_sha256: str
    seconds: float

    def worst(self, measure: str, others: str) -> float:
        """Return the largest |t| of `sum` or `wire` over the draws."""
        return max(run.worst(measure) for run in self.runs[others])

    @property
    def reason(self) -> str:
        """Why the test fails; empty: no threshold is passed."""
        for measure, limit in LIMITS.items():
            for others in OTHERS:
                draws = [run.worst(measure) for run in self.runs[others]]
                if (most := max(draws)) >= limit:
                    seed = self.settings.seed + draws.index(most)
                    place = self._place(measure, self.runs[others][draws.index(most)])
                    return f"|t| of {place} is {most:.1f} with seed {seed}, {others}"
        return ""

    def _place(self, measure: str, run: Run) -> str:
        """Say where a run has its largest |t|."""
        if measure == "wire":
            at = run.wires.index(max(run.wires))
            return f"{self.wires[at]} in cycle {run.cycles[at]}"
        worst = [max(row) for row in run.sums]
        cycle = worst.index(max(worst))
        step = run.sums[cycle].index(worst[cycle])
        whole = step == len(run.sums[cycle]) - 1
        return f"all wires in cycle {cycle}" + ("" if whole else f", step {step}")

    @property
    def sums(self) -> list[list[float]]:
        """Largest |t| of the sum over all runs: a row for each cycle, a number for each step."""
        runs = [run for others in OTHERS for run in self.runs[others]]
        rows: list[list[float]] = []
        for cycle in range(len(runs[0].sums)):
            found = [run.sums[cycle][:-1] for run in runs]
            most = max(len(row) for row in found)
            padded = [(*row, *[0.0] * (most - len(row))) for row in found]
            rows.append([max(column) for column in zip(*padded, strict=True)])
        return rows

    @property
    def by_wire(self) -> list[float]:
        """Largest |t| of each wire over all runs, in the order of `wires`."""
        runs = [run for others in OTHERS for run in self.runs[others]]
        return [max(found) for found in zip(*(run.wires for run in runs), strict=True)]


class TRecord(Record):
    """The record of a t-test; |t| has one decimal and stops at MOST_T."""

    worst: dict[str, float]  # of `sum` and `wire`, alone and in a stream
    sums: list[list[float]]  # of the sum: a row for each cycle, a number for each step
    wires: list[float]  # of each wire, the largest first


# Measuring ----------------------------------------------------------------------------------------


def welch(fixed: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Return |t| of two classes, each given as number, sum and sum of squares; at most MOST_T."""
    means, errors = [], 0.0
    for number, total, squares in (fixed, other):
        means.append(total / number)
        errors += (number * squares - total * total) / (number * number * (number - 1))
    difference = abs(means[0] - means[1])
    if errors == 0:
        return MOST_T if difference else 0.0
    return min(MOST_T, difference / math.sqrt(errors))


def measure(netlist: Netlist, program: Path, control: Control, settings: Settings) -> Iterator[Run]:
    """Yield a run for each draw: all of them alone, then in a stream."""
    masks = MASKS.index(control.masks)
    for others in range(len(OTHERS)):
        for draw in range(settings.draws):
            words = (settings.traces, settings.seed + draw, settings.steps, masks, others)
            done = proc.run([program, *map(str, words)], timeout=RUN_SECONDS)
            yield parse(done.stdout, netlist)


def parse(text: str, netlist: Netlist) -> Run:
    """Read the output of the program."""
    numbers: dict[str, int] = {}
    sums: list[list[float]] = [[] for _ in range(netlist.cycles)]
    wires = [0.0] * len(netlist.wires)
    cycles = [0] * len(netlist.wires)
    for line in text.splitlines():
        kind, *words = line.split()
        if kind == "secret":
            continue
        values = [int(word) for word in words]
        if kind in ("fixed", "random", "steps"):
            numbers[kind] = values[0]
            continue
        cycle, at, *rest = values
        if kind == "pulse":  # at most one toggle in a step: its square is itself
            rest = [rest[0], rest[0], rest[1], rest[1]]
        found = welch((numbers["fixed"], rest[0], rest[1]), (numbers["random"], rest[2], rest[3]))
        if kind in ("step", "cycle"):
            sums[cycle].append(found)
        elif found > wires[at]:
            wires[at], cycles[at] = found, cycle
    if any(len(row) != numbers["steps"] + 1 for row in sums):
        raise ToolError("the simulation of toggles ended early")
    traces = numbers["fixed"] + numbers["random"]
    return Run(tuple(map(tuple, sums)), tuple(wires), tuple(cycles), traces)


def compile_program(text: str, folder: Path) -> Path:
    """Make the program of a netlist's C in a folder."""
    write_text(folder / "circuit.h", text)
    command: list[str | Path] = ["gcc", *_FLAGS, "-I.", toggles.RUNNER, "-o", "toggles"]
    proc.run(command, timeout=COMPILE_SECONDS, cwd=folder, log=folder / "gcc.log")
    return folder / "toggles"


def ttest(
    path: Path,
    target: Target,
    control: Control,
    settings: Settings,
    report: Callable[[], None] = lambda: None,
    folder: Path | None = None,
) -> Result:
    """Map the module of an annotation for a target and test it; `report` is called after a run."""
    started = time.monotonic()
    found = annotations.load(path)
    rtl = probe.design(path, found, control.bug)
    name = path.name.removesuffix(annotations.SUFFIX)
    place = folder or BUILD / "ttest" / f"{name}-{target.name}{control.bug and '-'}{control.bug}"
    circuit = circuits.map_design(rtl, target, place, BUILD / "logs" / f"ttest-{place.name}")
    Checker(circuit, found)  # refuses ports whose meaning is not clear
    netlist = toggles.read(circuit, found)
    text = toggles.c_text(netlist, circuit, found)
    program = compile_program(text, place)
    runs: list[Run] = []
    for run in measure(netlist, program, control, settings):
        runs.append(run)
        report()
    return Result(
        name,
        target.name,
        control,
        _names(circuit, netlist),
        {others: runs[at * settings.draws :][: settings.draws] for at, others in enumerate(OTHERS)},
        settings,
        proc.digest(text),
        inputs(rtl, target, found, control, settings),
        round(time.monotonic() - started, 2),
    )


def _names(circuit: Circuit, netlist: Netlist) -> tuple[str, ...]:
    return tuple(circuit.name(net) for net in netlist.wires)


def inputs(
    rtl: Design, target: Target, found: Annotation, control: Control, settings: Settings
) -> str:
    """Return the hash of what a result follows from."""
    names = [name for name, _ in rtl.params]
    return proc.digest(
        *(target.kind, *target.synthesis(rtl.top), tools()["yosys"], control.masks, str(settings)),
        found.model_dump_json(),
        hdl.digest(rtl.files, rtl.top, hdl.YOSYS, params=names),
        pycode.digest(
            ["probing.ttest.parse", "probing.toggles.c_text", "probing.circuit.map_design"],
            probe.BY_VALUE,
        ),
        toggles.RUNNER,
    )


def present_inputs(entry: Record) -> str:
    """Return the hash that a published record would have by this tree; UsageError if it is gone."""
    path, to = annotations.find(entry.accelerator), targets([entry.platform])[0]
    found, flags = annotations.load(path), entry.how.flags
    known = {one.name: one for one in (Control(), *controls(path))}
    if entry.variant not in known:
        raise UsageError(f"{entry.accelerator} has no control '{entry.variant}'")
    control = known[entry.variant]
    settings = Settings(draws=int(flags["draws"]), seed=int(flags["seed"]))
    return inputs(probe.design(path, found, control.bug), to, found, control, settings)


def tools() -> dict[str, str]:
    """Versions of the programs that were used; numbers do not depend on the compiler."""
    return {"yosys": f"pyosys {version('pyosys')}", "gcc": proc.version_line("gcc")}


# What is asked ------------------------------------------------------------------------------------


def targets(names: Sequence[str]) -> list[Target]:
    """Return targets by name, those of DEFAULT_TARGETS if there are none."""
    return probe.targets(names or DEFAULT_TARGETS)


def controls(path: Path) -> list[Control]:
    """Return what must fail: no masks, constant ones, and each planted leak of the module's RTL."""
    files = {file.resolve() for file in probe.design(path, annotations.load(path)).files}
    bugs = planted.shared()
    leaks = [
        name
        for name in planted.leaks()
        if {file.resolve() for file, _ in bugs[name].edits} <= files
    ]
    return [*(Control(masks=masks) for masks in _UNMASKED), *(Control(bug=bug) for bug in leaks)]


def require(settings: Settings) -> None:
    """Refuse settings that no t follows from."""
    if settings.traces < 1024:
        raise UsageError("--traces wants 1024 or more", "t needs many traces of each class")


# Results ------------------------------------------------------------------------------------------


def table(results: Sequence[Result]) -> Table:
    """Return a row for each result."""
    heads = (
        *(("module", False), ("target", False), ("tested", False), ("wires", True)),
        *((f"{measure}, {others}", True) for others in OTHERS for measure in LIMITS),
        *(("verdict", False), ("traces", True), ("s", True)),
    )
    rows = tuple(
        (
            *(result.module, result.target, result.control.name, str(len(result.wires))),
            *(f"{result.worst(m, others):.1f}" for others in OTHERS for m in LIMITS),
            *("leaks" if result.reason else "passes", f"{_traces(result):,}"),
            f"{result.seconds:.1f}",
        )
        for result in results
    )
    title = "Largest |t| of toggles, fixed against random: sum of all wires, and each wire"
    return Table(title, heads, rows, spare=("s", "wires", "traces"))


def _traces(result: Result) -> int:
    return sum(run.traces for runs in result.runs.values() for run in runs)


def _short(value: float) -> float:
    """Return |t| as records have it."""
    return round(value, 1)


def make_record(result: Result) -> TRecord:
    """Return the record of a result."""
    settings = result.settings
    return TRecord(
        accelerator=result.module,
        kind=probe.KIND,
        variant=result.control.name,
        platform=result.target,
        question=QUESTION,
        status="failed" if result.reason else "passed",
        reason=result.reason,
        how=How(
            inputs_sha256=result.inputs_sha256,
            tools=tools(),
            flags={
                "recipe": TARGETS[result.target].mapping,
                "seed": str(settings.seed),
                "draws": str(settings.draws),
                "delays": f"each input pin: uniform, 1 to {settings.steps} steps",
                "limits": ", ".join(f"{name} {limit:g}" for name, limit in LIMITS.items()),
                "netlist_sha256": result.netlist_sha256,
            },
        ),
        counts={"wires": len(result.wires), "traces": _traces(result)},
        worst={
            f"{measure} {others}": _short(result.worst(measure, others))
            for measure in LIMITS
            for others in OTHERS
        },
        sums=[[_short(value) for value in row] for row in result.sums],
        wires=sorted(map(_short, result.by_wire), reverse=True),
    )


def json_rows(results: Sequence[Result]) -> list[Mapping[str, object]]:
    """Return the record of each result, with its wires by name (docs/json.md)."""
    return [
        {
            **make_record(result).model_dump(exclude={"wires"}, exclude_defaults=True),
            "seconds": result.seconds,
            "wires": {
                name: _short(value)
                for name, value in zip(result.wires, result.by_wire, strict=True)
            },
        }
        for result in results
    ]


def read_published(path: Path = PUBLISHED) -> list[TRecord]:
    """Read the published set."""
    return record.read_lines(TRecord, path, "run `aesforge ttest --publish`")


def joined(old: Sequence[TRecord], new: Sequence[TRecord]) -> list[TRecord]:
    """Return old records and new ones, which take the places of those that ask the same."""
    return in_order(list({entry.place: entry for entry in (*old, *new)}.values()))


def page_table(published: Sequence[TRecord]) -> str:
    """Return the table of published tests: a row for each module, target and control."""
    heads = ["module", "target", "tested", "wires", "traces"]
    heads += [f"{measure}, {others}" for others in OTHERS for measure in LIMITS]
    lines = [
        f"| {' | '.join([*heads, 'verdict'])} |",
        f"|---|---|---|---:|---:|{'---:|' * (len(LIMITS) * len(OTHERS))}---|",
    ]
    for entry in in_order(published):
        figures = [f"{entry.worst[f'{m} {o}']:.1f}" for o in OTHERS for m in LIMITS]
        name = entry.variant if " " in entry.variant else f"`{entry.variant}`"
        counts = [f"{entry.counts[count]:,}" for count in ("wires", "traces")]
        cells = (f"`{entry.accelerator}`", entry.platform, name, *counts)
        verdict = "passes" if entry.status == "passed" else "leaks"
        lines.append(f"| {' | '.join((*cells, *figures, verdict))} |")
    return "\n".join([*lines, ""])


def in_order(published: Sequence[TRecord]) -> list[TRecord]:
    """Return records by module and target, the module as it is first."""
    order = [AS_IS, *_UNMASKED.values()]

    def place(entry: TRecord) -> tuple[str, str, int, str]:
        known = entry.variant in order
        at = order.index(entry.variant) if known else len(order)
        return entry.accelerator, entry.platform, at, entry.variant

    return sorted(published, key=place)
