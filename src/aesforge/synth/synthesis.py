# SPDX-License-Identifier: Apache-2.0
"""`aesforge synth`: every unit and variant in silicon terms, alone and inside its platform.

A job is one design, one target and one seed of place and route. A design is a unit at the
functional-unit port (`scope` "unit"), or a whole platform with it (`scope` is the platform's name;
accelerator "none" is the core without a unit), so that the cost added to a core can be read off.
Mapped netlists and records are kept by the hash of everything that went into them.
"""

import itertools
import json
import statistics
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from aesforge.base import pool, proc
from aesforge.base.errors import AesforgeError, ToolError, UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, hdl, library, pycode, simulate
from aesforge.build.system import reason_to_skip
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Part, Variant
from aesforge.catalog.platform import Platform
from aesforge.records.record import How, Record, read_lines, write_atomically
from aesforge.records.rows import Table
from aesforge.synth import flow
from aesforge.synth.flow import TARGETS, Design, Mapped, Target

QUESTION = "synth"
UNIT = "unit"  # scope: the unit alone
NONE = "none"  # accelerator: the core without a unit

CACHE = BUILD / "synth"
PUBLISHED = ROOT / "results" / "synthesis.jsonl"
STAND_INS = ROOT / "synth"

# What they hold is hashed, not how they are written.
BY_VALUE = ("synth.flow.Design", "synth.flow.Target")

MAPPED = "mapped.json"  # result of a mapping, stored with its netlist

SEEDS = 5
CONNECT_SECONDS = 10  # to a Dask scheduler
DEFAULT_TARGETS = ("ecp5-85f", "ecp5-85f-abc", "ice40-hx8k", "xc7", "xc4v", "cmos", "osu018")


class SynthRecord(BaseModel):
    """What one target's flow made of one design with one seed (0: nothing was placed)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    accelerator: str
    variant: str
    scope: str
    target: str
    seed: int
    status: Literal["passed", "failed"]
    reason: str = ""
    lut4: int | None = None
    lut6: int | None = None
    ff: int | None = None
    bram: int | None = None
    dsp: int | None = None
    fmax_mhz: float | None = None
    gates: float | None = None  # NAND2 equivalents
    critical_path_ns: float | None = None
    modules: dict[str, float] = {}  # gates by module, each mapped apart
    recipe: str
    tool_versions: dict[str, str]
    inputs_sha256: str
    seconds: float


@dataclass(frozen=True)
class Job:
    """One design, one target, one seed, by name: any process that has the repository can do it."""

    accelerator: str
    variant: str
    scope: str
    target: str
    seed: int

    @property
    def title(self) -> str:
        """For progress lines and reasons."""
        what = f"{self.accelerator}/{self.variant}" if self.variant else self.accelerator
        where = "" if self.scope == UNIT else f" in {self.scope}"
        return f"{what}{where} {self.target}" + (f" seed {self.seed}" if self.seed else "")


def everywhere() -> tuple[list[str], list[str]]:
    """All targets and all scopes: alone, and inside every platform."""
    return list(TARGETS), [UNIT, *(found.name for found in platform.discover())]


# What is asked ------------------------------------------------------------------------------------


def jobs(
    names: Collection[str],
    targets: Collection[str],
    scopes: Collection[str],
    seeds: int,
) -> list[Job]:
    """Return the jobs of units (NAME, NAME/VARIANT, NAME/PART; all if empty) in scopes on targets.

    A platform as scope brings the core without a unit too. UsageError for unknown names.
    """
    all_targets, all_scopes = everywhere()
    for what, given, known in (
        ("target", targets, all_targets),
        ("scope", scopes, all_scopes),
    ):
        if unknown := sorted(set(given) - set(known)):
            raise UsageError(f"there is no {what} '{unknown[0]}'", f"known: {', '.join(known)}")
    units = choose(names)
    asked: list[Job] = []
    for scope in scopes or (UNIT,):
        designs = [
            (unit.name, variant.name) for unit, variant in units if _fits(unit, variant, scope)
        ]
        if scope != UNIT:
            designs.insert(0, (NONE, ""))
        for (unit_name, variant_name), target in itertools.product(
            designs, targets or DEFAULT_TARGETS
        ):
            placed = range(1, seeds + 1) if TARGETS[target].tool else (0,)
            asked += [Job(unit_name, variant_name, scope, target, seed) for seed in placed]
    return asked


def choose(names: Collection[str]) -> list[tuple[Accelerator, Variant]]:
    """Return units and variants; all variants whose RTL differs if there are no names.

    Parts are included only by name.
    """
    found: list[tuple[Accelerator, Variant]] = []
    if not names:
        for unit in manifest.discover():
            if unit.manifest.rtl is not None:
                found += [(unit, variant) for variant in _distinct(unit)]
        return found
    for name in names:
        unit_name, _, variant_name = name.partition("/")
        unit = manifest.find(unit_name)
        if unit.manifest.rtl is None:
            raise UsageError(f"{unit_name} is software: there is nothing to synthesise")
        chosen = [unit.hardware(variant_name)] if variant_name else _distinct(unit)
        found += [(unit, variant) for variant in chosen]
    return found


def _distinct(unit: Accelerator) -> list[Variant]:
    """The variants of a unit that are hardware of their own: kernels may share one."""
    seen: set[tuple[object, ...]] = set()
    kept: list[Variant] = []
    for variant in unit.manifest.variant:
        top, params = unit.manifest.circuit(variant)
        if (circuit := (top, *sorted(params.items()))) not in seen:
            seen.add(circuit)
            kept.append(variant)
    return kept


def _fits(unit: Accelerator, variant: Variant, scope: str) -> bool:
    """Tell whether a scope can include a variant."""
    if scope == UNIT:
        return True
    if unit.manifest.outside_core:
        return unit.manifest.on_bus and not isinstance(variant, Part)
    return reason_to_skip(unit, variant, platform.find(scope)) is None


# Designs ------------------------------------------------------------------------------------------


def design(job: Job, folder: Path) -> Design:
    """Write the generated RTL of a job's design into `folder`; return all of it."""
    unit = None if job.accelerator == NONE else manifest.find(job.accelerator)
    variant = unit.hardware(job.variant) if unit else None
    if unit and variant and unit.manifest.outside_core and job.scope == UNIT:
        top, params = unit.manifest.circuit(variant)
        return Design(tuple(library.rtl_files(unit, top)), top, params=tuple(params.items()))
    opcode = "" if job.scope == UNIT else platform.find(job.scope).opcode
    *packages, decoder, wrapper = codegen.generate(folder, unit, variant, opcode).rtl
    if job.scope == UNIT:
        return Design(tuple(library.with_shared([*packages, wrapper], unit)), "accel_unit")
    generated = [*packages, *codegen.generate_peripheral(folder, unit, variant), decoder, wrapper]
    return _system(platform.find(job.scope), generated, unit, folder)


def _system(
    where: Platform, generated: Sequence[Path], unit: Accelerator | None, folder: Path
) -> Design:
    """Return a platform with stand-ins for the simulated memory."""
    core = where.core_files()
    for path, text in where.cured().items():
        codegen.write_if_changed(folder / path.name, text)
        if path in core:
            core[core.index(path)] = folder / path.name
    stand_ins = sorted(STAND_INS.glob("*.sv"))
    given = [*generated, *where.system_files()]
    files = (*core, *library.with_shared(given, unit, core, stand_ins))
    includes = (folder, *where.include_folders())
    # Yosys's own reader knows Verilog cores; SystemVerilog ones want slang.
    modern = any(path.suffix == ".sv" for path in core)
    return Design(files, "top", modern, includes, wrapped=False)


def _inputs(found: Design, target: Target, *, placed: bool, package: Path = pycode.PACKAGE) -> str:
    """Return the hash of what a mapping, or its placement too, reads, and of how it is counted.

    `package` holds the code that counts.
    """
    names = ["synth.flow.map_design"]
    recipe = [target.kind, target.pads, target.oscillator, *target.synthesis(found.top)]
    if placed:
        names += ["synth.flow.resources", "synth.flow.route"]
        recipe += [target.name, target.recipe, *target.pins]
    # Parameters count by their place in the RTL, not by name.
    names_of = [name for name, _ in found.params]
    values = tuple((str(at), value) for at, (_, value) in enumerate(found.params))
    nameless = replace(found, files=(), includes=(), params=values)
    return proc.digest(
        *(*recipe, "", *nameless.read_commands(), str(found.wrapped)),
        *(f"{name}={version}" for name, version in sorted(flow.tools(target).items())),
        hdl.digest(found.files, found.top, hdl.YOSYS, found.includes, params=names_of),
        pycode.digest(names, BY_VALUE, package),
    )


# One job ------------------------------------------------------------------------------------------


def _written(job: Job) -> tuple[str, Design]:
    """Return the name of a job's design, and the design with its generated files written."""
    name = "-".join(filter(None, (job.accelerator, job.variant, job.scope)))
    folder = CACHE / "generated" / name
    folder.mkdir(parents=True, exist_ok=True)
    return name, design(job, folder)


def present_inputs(entry: SynthRecord) -> str:
    """Return the hash that a published record would have by this tree; UsageError if it is gone."""
    if entry.target not in TARGETS:
        raise UsageError(f"there is no target '{entry.target}'")
    return _inputs(_written(job_of(entry))[1], TARGETS[entry.target], placed=True)


def measure(job: Job, *, fresh: bool = False) -> SynthRecord:
    """Return the record of a job, kept or new. A design that fails is a record that says why."""
    target = TARGETS[job.target]
    name, found = _written(job)
    inputs = _inputs(found, target, placed=True)
    if not fresh and (old := _load(_kept(inputs, job.seed))) is not None:
        # Kernels may share hardware: the record keeps its figures under this job's name.
        return old.model_copy(update=asdict(job))
    started = time.monotonic()
    values: dict[str, object] = {"status": "passed"}
    log = BUILD / "logs" / f"synth-{name}-{target.name}"
    try:
        folder = _netlist(found, target, log)
        mapped = _read_mapped(folder)
        values |= counted(target, mapped)
        if target.tool:
            values["fmax_mhz"] = flow.route(target, folder, job.seed, log)
    except ToolError as error:
        values |= {"status": "failed", "reason": str(error)}
    record = SynthRecord.model_validate(
        {
            **asdict(job),
            **values,
            "recipe": target.recipe,
            "tool_versions": flow.tools(target),
            "inputs_sha256": inputs,
            "seconds": round(time.monotonic() - started, 2),
        }
    )
    _keep(record)
    return record


def counted(target: Target, mapped: Mapped) -> dict[str, object]:
    """Return the figures of a record that follow from a mapping alone."""
    return {
        **asdict(flow.resources(target, mapped.cells)),
        "gates": mapped.gates and round(mapped.gates, 1),
        "critical_path_ns": mapped.critical_path_ns,
        "modules": mapped.modules,
    }


def _kept(inputs: str, seed: int) -> Path:
    """Where a record is kept."""
    return CACHE / "records" / f"{inputs[:32]}-{seed}.json"


def _keep(record: SynthRecord) -> None:
    """Keep a record unless it failed: another time the machine may have more memory."""
    if record.status == "passed":
        text = record.model_dump_json(exclude_defaults=True)
        write_atomically(_kept(record.inputs_sha256, record.seed), text + "\n")


def _netlist(found: Design, target: Target, log: Path) -> Path:
    """Return the folder of the mapped netlist: one for all seeds and devices of a family."""
    key = _inputs(found, target, placed=False)[:32]

    def make(folder: Path) -> None:
        mapped = flow.map_design(found, target, folder, log)
        (folder / MAPPED).write_text(json.dumps(asdict(mapped)), encoding="utf-8")
        for path in folder.iterdir():
            if path.name not in (MAPPED, flow.NETLIST):
                path.unlink()

    return simulate.cached(CACHE / "netlists" / key, make)


def _read_mapped(folder: Path) -> Mapped:
    """Return what _netlist has kept."""
    return Mapped(**json.loads((folder / MAPPED).read_text(encoding="utf-8")))


def _load(path: Path) -> SynthRecord | None:
    """Return a kept record; a damaged file counts as none and is removed."""
    try:
        return SynthRecord.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, ValidationError):
        path.unlink(missing_ok=True)
        return None


# Many jobs ----------------------------------------------------------------------------------------

# Reports a job that starts (no record yet) or has ended.
Report = Callable[[Job, SynthRecord | None], None]


def run(
    asked: Sequence[Job],
    workers: int,
    report: Report,
    *,
    fresh: bool = False,
    scheduler: str = "",
) -> list[SynthRecord]:
    """Do jobs and return their records in the jobs' order.

    They run on `workers` threads here (the work is in child processes), or on a Dask cluster whose
    `scheduler` address is given; its workers need this repository, set up, at the same path. After
    an interruption, or when the cluster is lost, finished records are kept.
    """
    found = dict(
        _here(asked, workers, report, fresh=fresh)
        if not scheduler
        else _on_cluster(asked, scheduler, report, fresh=fresh)
    )
    return [found[number] for number in sorted(found)]


def _here(
    asked: Sequence[Job], workers: int, report: Report, *, fresh: bool
) -> Iterator[tuple[int, SynthRecord]]:
    """Yield (number, record) of jobs as they end; on Ctrl-C the children are stopped at once."""

    def work(job: Job) -> SynthRecord:
        report(job, None)
        return measure(job, fresh=fresh)

    for number, found in pool.each(work, asked, workers):
        report(asked[number], found)
        yield number, found


def _on_cluster(
    asked: Sequence[Job], scheduler: str, report: Report, *, fresh: bool
) -> Iterator[tuple[int, SynthRecord]]:
    """Yield (number, record) of jobs that the workers of a Dask scheduler do, as they end."""
    from distributed import Client, as_completed

    try:
        client: Any = Client(  # type: ignore[no-untyped-call]
            scheduler, timeout=CONNECT_SECONDS, set_as_default=False
        )
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(
            f"no Dask scheduler answers at {scheduler}: {error}",
            "start `dask scheduler` and `dask worker`, or leave --scheduler out",
        ) from error
    finished = 0
    with client, client.as_current():
        numbers = {
            client.submit(measure, job, fresh=fresh, pure=False): number
            for number, job in enumerate(asked)
        }
        for future in as_completed(numbers):  # type: ignore[no-untyped-call]
            number = numbers[future]
            try:
                record = SynthRecord.model_validate(future.result().model_dump())
            except AesforgeError:
                raise
            except Exception as error:  # a killed worker, a lost scheduler: Dask has many words
                raise AesforgeError(
                    f"{asked[number].title}: the cluster gave no result:"
                    f" {type(error).__name__}; {finished} of {len(asked)} runs are finished",
                    "they are kept: run the command again",
                ) from error
            finished += 1
            _keep(record)  # the workers' build folder may be another
            report(asked[number], record)
            yield number, record


# Results ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """A design on a target, all seeds together: median clock, and half its range as spread."""

    first: SynthRecord
    seeds: int
    fmax_mhz: float | None
    spread_mhz: float | None


def points(records: Iterable[SynthRecord]) -> list[Point]:
    """Join the seeds of each design and target; failed ones are left out."""
    groups: dict[tuple[str, str, str, str], list[SynthRecord]] = {}
    for entry in records:
        if entry.status == "passed":
            key = (entry.accelerator, entry.variant, entry.scope, entry.target)
            groups.setdefault(key, []).append(entry)
    found = []
    for group in groups.values():
        clocks = [entry.fmax_mhz for entry in group if entry.fmax_mhz is not None]
        middle = round(statistics.median(clocks), 1) if clocks else None
        spread = round((max(clocks) - min(clocks)) / 2, 1) if clocks else None
        found.append(Point(group[0], len(group), middle, spread))
    return found


def table(records: Sequence[SynthRecord]) -> Table:
    """Return one row a design and target."""
    heads = ("design", "in", "target", "LUT4", "LUT6", "FF", "BRAM", "GE", "MHz", "+-", "path ns")
    rows = []
    for point in points(records):
        entry = point.first
        figures = (entry.lut4, entry.lut6, entry.ff, entry.bram, entry.gates)
        clock = (point.fmax_mhz, point.spread_mhz, entry.critical_path_ns)
        name = f"{entry.accelerator}/{entry.variant}" if entry.variant else entry.accelerator
        rows.append((name, entry.scope, entry.target, *map(_text, (*figures, *clock))))
    numbers = tuple((head, at > 2) for at, head in enumerate(heads))
    return Table("Synthesis: median of the seeds", numbers, tuple(rows))


def _text(value: float | None) -> str:
    """Return a figure as tables show it."""
    return "-" if value is None else f"{value:g}"


def as_records(records: Iterable[SynthRecord]) -> list[Record]:
    """Return designs alone as records of the question "synth": counts, the target as platform.

    ge, lut and ff are numbers, mhz the median clock, ps the critical path, memory_bits the
    capacity of the block RAMs. `ge:NAME` is a module with all that is inside it, and
    `lut:in CORE` what the unit adds to a core. What a target does not tell is left out.
    """
    found = points(records)
    inside = {_place(point.first): point.first for point in found if point.first.scope != UNIT}
    return [
        Record(
            accelerator=point.first.accelerator,
            kind="instruction",
            variant=point.first.variant,
            platform=point.first.target,
            question=QUESTION,
            status="passed",
            how=How(
                inputs_sha256=point.first.inputs_sha256,
                tools=point.first.tool_versions,
                flags={"recipe": point.first.recipe, "seeds": str(point.seeds)},
            ),
            counts=_counts(point) | _module_counts(point.first) | _added(point.first, inside),
        )
        for point in found
        if point.first.scope == UNIT
    ]


def _place(entry: SynthRecord) -> tuple[str, str, str, str]:
    """A design and where it is placed."""
    return entry.accelerator, entry.variant, entry.scope, entry.target


def _counts(point: Point) -> dict[str, int]:
    """Return a point's figures as whole numbers."""
    entry = point.first
    path = entry.critical_path_ns
    block = flow.block_ram_bits(TARGETS[entry.target])
    found: dict[str, float | None] = {
        "ge": entry.gates,
        "lut": entry.lut6 if entry.lut4 is None else entry.lut4,
        "ff": entry.ff if entry.gates is None else None,
        "memory_bits": None if block is None or entry.bram is None else entry.bram * block,
        "mhz": point.fmax_mhz,
        "ps": None if path is None else 1000 * path,
    }
    return {name: round(value) for name, value in found.items() if value is not None}


def _module_counts(entry: SynthRecord) -> dict[str, int]:
    """Return the gates of each module, its instances and all that is inside them added up.

    Only where a target counts what is inside, which is where it maps cells of a library.
    """
    if entry.critical_path_ns is None:
        return {}
    gates: dict[str, float] = {}
    for name, area in entry.modules.items():
        # Yosys names what it makes of a parametrised module $paramod$HASH\NAME or
        # $paramod\NAME\PARAMETER=VALUE...
        module = name.split("\\")[1] if name.startswith("$paramod") else name
        gates[module] = gates.get(module, 0.0) + area
    return {f"ge:{module}": round(area) for module, area in gates.items()}


def _added(
    entry: SynthRecord, inside: Mapping[tuple[str, str, str, str], SynthRecord]
) -> dict[str, int]:
    """Return the tables that a unit adds to each core that it is placed in, adapter included."""
    found: dict[str, int] = {}
    for (accelerator, variant, scope, target), whole in inside.items():
        bare = inside.get((NONE, "", scope, target))
        mine = (accelerator, variant, target) == (entry.accelerator, entry.variant, entry.target)
        if mine and bare is not None and whole.lut4 is not None and bare.lut4 is not None:
            found[f"lut:in {scope}"] = whole.lut4 - bare.lut4
    return found


def job_of(entry: SynthRecord) -> Job:
    """The job that made a record."""
    return Job(entry.accelerator, entry.variant, entry.scope, entry.target, entry.seed)


def joined(old: Iterable[SynthRecord], new: Iterable[SynthRecord]) -> list[SynthRecord]:
    """Return old records and new ones that passed, which take the places of old, sorted."""
    known = {job_of(entry): entry for entry in old}
    known |= {job_of(entry): entry for entry in new if entry.status == "passed"}
    keys = tuple(Job.__dataclass_fields__)
    return sorted(known.values(), key=lambda r: [getattr(r, key) for key in keys])


def read_published(path: Path = PUBLISHED) -> list[SynthRecord]:
    """Read the published set; an unreadable line is an error that names its number."""
    return read_lines(SynthRecord, path, "run `aesforge synth --publish`")
