# SPDX-License-Identifier: Apache-2.0
"""`aesforge probe`: does a wire of a masked module, as mapped for a target, tell its secrets?"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import hdl, library, pycode
from aesforge.catalog import planted
from aesforge.probing import annotation as annotations
from aesforge.probing import circuit as circuits
from aesforge.probing.annotation import Annotation
from aesforge.probing.check import Checker, Undecided, Value
from aesforge.probing.circuit import Circuit
from aesforge.records.record import How, Record
from aesforge.records.rows import Table
from aesforge.synth.flow import TARGETS, Design, Target, resources

PUBLISHED = ROOT / "results" / "probing.jsonl"
QUESTION = "probe"
KIND = "module"
MODELS = ("glitches", "transitions")  # what a probe sees
DEFAULT_TARGETS = (
    *("cmos", "ecp5-85f", "ecp5-85f-abc", "ice40-hx8k"),
    *("gowin-20k", "nexus-40", "xc7", "xc4v"),
)

# What is hashed by its values, not by its code.
BY_VALUE = ("synth.flow.Design", "synth.flow.Target")


@dataclass(frozen=True)
class Wire:
    """A wire, what its cone ends at, and why it is refused (empty: it is secure)."""

    name: str
    cone: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class Result:
    """A module on a target: every wire of its netlist."""

    module: str
    target: str
    transitions: bool
    luts: int | None  # of a target that has them
    registers: int
    cones: int  # different ones
    wires: tuple[Wire, ...]
    seconds: float
    inputs_sha256: str

    @property
    def refused(self) -> list[Wire]:
        """The wires that are not secure, or not decided."""
        return [wire for wire in self.wires if wire.reason]

    @property
    def model(self) -> str:
        """What a probe sees."""
        return MODELS[self.transitions]


def targets(names: Sequence[str]) -> list[Target]:
    """Return targets by name, those of DEFAULT_TARGETS if there are none."""
    if unknown := sorted(set(names) - set(TARGETS)):
        raise UsageError(
            f"there is no target '{unknown[0]}'", f"known: {', '.join(DEFAULT_TARGETS)}"
        )
    return [TARGETS[name] for name in names or DEFAULT_TARGETS]


def require_published(chosen: Sequence[Path]) -> None:
    """Refuse annotations that are not the repository's."""
    if other := sorted(set(chosen) - set(annotations.discover().values())):
        raise UsageError(f"--publish is for modules of rtl/, which {other[0]} is not")


def design(path: Path, found: Annotation, bug: str = "") -> Design:
    """Return the module's RTL: by name, from the repository and the annotation's folder."""
    folders = [*(ROOT / name for name in library.SHARED), path.resolve().parent]
    known = library.Library(folders)
    known.require_params(found.top, found.params, path.name)
    files: Sequence[Path] = known.files([found.top], owner=path.name)
    if bug:
        files = planted.plant(bug, planted.shared(), files, BUILD / "probe" / "rtl")
    return Design(tuple(files), found.top, params=tuple(found.params.items()))


def inspect(circuit: Circuit, found: Annotation, *, transitions: bool = False) -> list[Wire]:
    """Decide every wire of a netlist."""
    checker = Checker(circuit, found)
    cones = circuit.cones()
    reasons: dict[frozenset[int], str] = {}
    secure: list[frozenset[int]] = []
    # What is secure as a whole is so in part.
    for cone in sorted(set(cones.values()), key=lambda cone: (-len(cone), sorted(cone))):
        if any(cone <= other for other in secure):
            reasons[cone] = ""
            continue
        reasons[cone] = decide(circuit, checker, cone, transitions=transitions)
        if not reasons[cone]:
            secure.append(cone)
    return [
        Wire(
            circuit.name(net),
            tuple(sorted(circuit.name(source) for source in cones[net])),
            reasons[cones[net]],
        )
        for net in sorted(cones, key=circuit.name)
    ]


def decide(
    circuit: Circuit, checker: Checker, cone: frozenset[int], *, transitions: bool = False
) -> str:
    """Return why a cone is refused; empty: it is secure."""
    try:
        return _reason(circuit, checker.leak(cone, transitions=transitions))
    except Undecided:
        return f"undecided: a BDD of more than {checker.max_nodes} nodes"


def _reason(circuit: Circuit, leak: Sequence[Value]) -> str:
    """Say which values depend on secrets together."""
    if not leak:
        return ""
    nets = list(dict.fromkeys(value.net for value in leak))
    before = any(value.age for value in leak)
    told = f"{circuits.names(circuit, nets)} together depend on a secret"
    return f"{told}, now and a cycle before" if before else told


def probe(
    path: Path,
    target: Target,
    *,
    transitions: bool = False,
    bug: str = "",
    folder: Path | None = None,
) -> Result:
    """Map the module of an annotation for a target and decide every wire."""
    started = time.monotonic()
    found = annotations.load(path)
    rtl = design(path, found, bug)
    name = path.name.removesuffix(annotations.SUFFIX)
    place = folder or BUILD / "probe" / f"{name}-{target.name}{bug and '-'}{bug}"
    circuit = circuits.map_design(rtl, target, place, BUILD / "logs" / f"probe-{place.name}")
    wires = inspect(circuit, found, transitions=transitions)
    used = resources(target, dict(circuit.kinds))
    return Result(
        name,
        target.name,
        transitions,
        used.lut6 if used.lut4 is None else used.lut4,
        len(circuit.registers),
        len(set(circuit.cones().values())),
        tuple(wires),
        round(time.monotonic() - started, 2),
        inputs(rtl, target, found, transitions=transitions),
    )


def inputs(rtl: Design, target: Target, found: Annotation, *, transitions: bool) -> str:
    """Return the hash of what a verdict follows from."""
    names = [name for name, _ in rtl.params]
    return proc.digest(
        *(target.kind, *target.synthesis(rtl.top), *tools().values(), str(transitions)),
        found.model_dump_json(),
        hdl.digest(rtl.files, rtl.top, hdl.YOSYS, params=names),
        pycode.digest(["probing.probe.inspect", "probing.circuit.map_design"], BY_VALUE),
    )


def present_inputs(entry: Record) -> str:
    """Return the hash that a published record would have by this tree; UsageError if it is gone."""
    path, to = annotations.find(entry.accelerator), targets([entry.platform])[0]
    found = annotations.load(path)
    return inputs(design(path, found, ""), to, found, transitions=entry.variant == MODELS[True])


def tools() -> dict[str, str]:
    """Versions of the programs that a verdict follows from."""
    return {"yosys": f"pyosys {version('pyosys')}", "dd": version("dd")}


# Results ------------------------------------------------------------------------------------------


def table(results: Sequence[Result]) -> Table:
    """Return a row for each module and target."""
    heads = (
        *(("module", False), ("target", False), ("probes see", False), ("LUTs", True)),
        ("registers", True),
        *(("wires", True), ("cones", True), ("refused", True), ("verdict", False), ("s", True)),
    )
    rows = tuple(
        (
            *(result.module, result.target, result.model),
            *("-" if result.luts is None else str(result.luts), str(result.registers)),
            *(str(len(result.wires)), str(result.cones), str(len(result.refused))),
            "refused" if result.refused else "secure",
            f"{result.seconds:.1f}",
        )
        for result in results
    )
    return Table("First-order probing of mapped netlists", heads, rows, spare=("s", "cones"))


def wire_table(results: Sequence[Result], *, every: bool = False) -> Table:
    """Return a row for each refused wire, or for every wire."""
    heads = (("target", False), ("wire", False), ("cone", False), ("verdict", False))
    rows = tuple(
        (
            result.target,
            wire.name,
            " ".join(wire.cone),
            f"refused: {wire.reason}" if wire.reason else "secure",
        )
        for result in results
        for wire in result.wires
        if every or wire.reason
    )
    return Table("Wires", heads, rows)


def make_record(result: Result) -> Record:
    """Return the record of a module on a target."""
    first = result.refused[0] if result.refused else None
    return Record(
        accelerator=result.module,
        kind=KIND,
        variant=result.model,
        platform=result.target,
        question=QUESTION,
        status="failed" if first else "passed",
        reason=f"{first.name}: {first.reason}" if first else "",
        how=How(
            inputs_sha256=result.inputs_sha256,
            tools=tools(),
            flags={"recipe": TARGETS[result.target].mapping},
        ),
        counts={
            **({} if result.luts is None else {"lut": result.luts}),
            "registers": result.registers,
            "wires": len(result.wires),
            "cones": result.cones,
            "refused": len(result.refused),
        },
    )


def json_rows(results: Sequence[Result]) -> list[Mapping[str, object]]:
    """Return the record of each result, with its refused wires (docs/json.md)."""
    return [
        {
            **make_record(result).model_dump(exclude_defaults=True),
            "seconds": result.seconds,
            "refused_wires": [
                {"wire": wire.name, "cone": list(wire.cone), "reason": wire.reason}
                for wire in result.refused
            ],
        }
        for result in results
    ]


def page_table(published: Sequence[Record]) -> str:
    """Return the table of published verdicts: a row for each module and target."""
    lines = [
        "| module | target | LUTs | registers | wires | " + " | ".join(MODELS) + " |",
        "|---|---|---:|---:|---:|" + "---|" * len(MODELS),
    ]
    cells = {(entry.accelerator, entry.platform, entry.variant): entry for entry in published}
    for module, target in dict.fromkeys((entry.accelerator, entry.platform) for entry in published):
        found = [cells.get((module, target, model)) for model in MODELS]
        counts = next(entry.counts for entry in found if entry is not None)
        verdicts = ["not tried" if entry is None else _verdict(entry) for entry in found]
        luts = str(counts.get("lut", "-"))
        lines.append(
            f"| `{module}` | {target} | {luts} | {counts['registers']} | {counts['wires']}"
            f" | {' | '.join(verdicts)} |"
        )
    return "\n".join([*lines, ""])


def _verdict(entry: Record) -> str:
    refused = entry.counts["refused"]
    return f"{refused} refused" if refused else "secure"
