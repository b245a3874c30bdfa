# SPDX-License-Identifier: Apache-2.0
"""`aesforge faults`: each flip-flop flipped once in each cycle of an operation.

A campaign is a circuit and what a host does with it, from reset to the last word of a result, with
the answers that are right. For a peripheral that is the accesses of its driver: it offers its
operations in test/faults.py, `jobs(params)`. The host speaks AXI4-Lite; for another bus the
peripheral has a module around its front end, `HOSTS` in test/faults.py. For an instruction unit
with state it is the operations of its kernel (aesforge.faults.unit). The outcome of a flip is

- right: the host reads the right result;
- nothing: it waits in vain, and its driver gives up;
- alert: its driver sees an error and returns it, or its kernel begins again;
- wrong: it takes a wrong result for a right one;
- early: wrong, and sooner than the right one: a result before its last round.

What is flipped is one bit of one flip-flop of the RTL, for one clock edge. Gates, several bits at
once, clock and voltage are not part of it.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from aesforge.base import pool, proc
from aesforge.base.errors import AesforgeError, UsageError
from aesforge.base.files import write_text
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, ctokens, gates, hdl, library, pycode, simulate
from aesforge.catalog import manifest, planted
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.model_file import load_model
from aesforge.faults import netlist, outside, unit
from aesforge.faults.step import Job
from aesforge.records import rows
from aesforge.records.record import How, Record
from aesforge.synth.flow import Design

QUESTION = "faults"
PLATFORM = "rtl"
PUBLISHED = ROOT / "results" / "faults.jsonl"
HOST = "test/faults.py"  # of an accelerator's folder
DIRECT = "axil"  # the bus that the host speaks
KEPT = BUILD / "faults" / "results"
RUNNER = Path(__file__).parent / "runner.c"
_RUNNER = (RUNNER, *(RUNNER.with_name(f"{name}_host.h") for name in ("axil", "unit")))
UNIT_TOP = "accel_unit"  # generated: the unit with its variant's parameters

OUTCOMES = ("right", "nothing", "alert", "wrong", "early")
IN = "wrong in "  # begins the counts of a record that are of a register
NAMED = 10  # registers with the most silent errors that a record names
PATIENCE = 200  # further cycles after which an operation that has not ended is given up
COMPILE_SECONDS = 900.0
RUN_SECONDS = 3600.0

FLAGS = ("-std=gnu11", "-O1", "-march=native", "-Wall", "-Wno-psabi")


@dataclass(frozen=True)
class Result:
    """A job's campaign: what flips led to, and how many were wrong in each register of the RTL."""

    job: Job
    cycles: int
    flip_flops: int
    outcomes: Mapping[str, int]
    wrong_in: Mapping[str, int]

    @property
    def faults(self) -> int:
        """Flips."""
        return self.cycles * self.flip_flops

    @property
    def silent(self) -> int:
        """Wrong results that nothing tells."""
        return self.outcomes["wrong"] + self.outcomes["early"]


@dataclass(frozen=True)
class Target:
    """A circuit to try; `bug` is a planted one's name, `host` a bus."""

    accelerator: Accelerator
    variant: Variant
    bug: str = ""
    host: str = DIRECT

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.accelerator.name}/{self.variant.name}{on(self.host)}"


def on(host: str) -> str:
    """Return what a circuit's name ends with on a bus."""
    return "" if host == DIRECT else f" on {host}"


def targets(names: Sequence[str], bug: str = "", host: str = DIRECT) -> list[Target]:
    """Return the variants that NAME or NAME/VARIANT select; the default ones if there is none."""
    able = [found for found in manifest.discover() if _able(found)]
    if not names:
        return [Target(a, v, bug, host) for a in able for v in _able(a) if v.by_default]
    chosen: list[Target] = []
    for entry in names:
        name, _, variant = entry.partition("/")
        found = manifest.find(name)
        if not _able(found):
            known = ", ".join(other.name for other in able)
            raise UsageError(f"{name} keeps no state, or has no {HOST}", f"known: {known}")
        variants = [found.variant(variant)] if variant else _able(found)
        chosen += [Target(found, one, bug, host) for one in variants]
    # Variants that differ in software alone are one circuit.
    return list({_circuit(target): target for target in reversed(chosen)}.values())[::-1]


def _able(accelerator: Accelerator) -> list[Variant]:
    """Return the variants whose operations are known: of a peripheral all or none."""
    found = accelerator.manifest
    if found.kind == "instruction":
        return [variant for variant in found.variant if not found.is_stateless(variant)]
    return list(found.variant) if (accelerator.folder / HOST).is_file() else []


def _params(target: Target) -> dict[str, str | int]:
    """Return the parameters of the circuit."""
    return target.accelerator.manifest.circuit(target.variant)[1]


def _circuit(target: Target) -> tuple[object, ...]:
    top, params = target.accelerator.manifest.circuit(target.variant)
    return (target.accelerator.name, target.bug, target.host, top, *sorted(params.items()))


def jobs(target: Target, words: Sequence[str] = ()) -> list[Job]:
    """Return the accelerator's operations, or those whose names have one of the words."""
    every: list[Job]
    if target.accelerator.manifest.is_unit:
        every = list(unit.jobs(target.accelerator, target.variant))
    else:
        every = list(load_model(target.accelerator.file(HOST)).jobs(_params(target)))
    found = [job for job in every if not words or any(word in job.name for word in words)]
    if not found:
        known = ", ".join(job.name for job in every)
        raise UsageError(f"{target.name} has no operation '{words[0]}'", f"known: {known}")
    return found


# What is built ------------------------------------------------------------------------------------


def _design(target: Target, folder: Path) -> Design:
    """Return the circuit's RTL; generated files, and those with a planted bug, are in `folder`."""
    top, params = circuit(target)
    if target.accelerator.manifest.is_unit:
        made = codegen.generate(folder / "made", target.accelerator, target.variant)
        wrapper = next(path for path in made.rtl if path.stem == UNIT_TOP)
        packages = [path for path in made.rtl if path.stem.endswith("_pkg")]
        files = library.with_shared([*packages, wrapper], target.accelerator)
    else:
        files = library.rtl_files(target.accelerator, top)
    if target.bug:
        known = target.accelerator.bugs()
        files = planted.plant(target.bug, known, files, folder)
    return Design(tuple(files), top, params=tuple(params.items()))


def circuit(target: Target) -> tuple[str, dict[str, str | int]]:
    """Return the module that the host sees, and its parameters.

    A UsageError names the buses that there are.
    """
    own, params = target.accelerator.manifest.circuit(target.variant)
    if target.accelerator.manifest.is_unit:
        own, params = UNIT_TOP, {}
    told = _told(target)
    tops: dict[str, str] = {DIRECT: own, **getattr(told, "HOSTS", {})}
    if target.host not in tops:
        raise UsageError(
            f"{target.accelerator.name} has no campaign on '{target.host}'",
            f"known: {', '.join(tops)}",
        )
    if target.host != DIRECT:
        params["Host"] = target.host
    return tops[target.host], params | getattr(told, "AROUND", {}).get(own, {})


def _told(target: Target) -> object:
    """Return what a peripheral's test/faults.py says; of a unit there is none."""
    if target.accelerator.manifest.is_unit:
        return None
    return load_model(target.accelerator.file(HOST))


def _outside(target: Target) -> str:
    """Return the instance around the circuit whose flip-flops are not flipped, if there is one."""
    return str(getattr(_told(target), "OUTSIDE", ""))


def build_key(target: Target, scratch: Path) -> str:
    """Return the hash of what the simulated circuit is made of."""
    found = _design(target, scratch)
    names = [name for name, _ in found.params]
    instance = _outside(target)
    apart = [instance, pycode.digest(["faults.outside.apart"])] if instance else []
    return proc.digest(
        hdl.digest(found.files, found.top, hdl.YOSYS, params=names),
        str(found.params),
        pycode.digest(["faults.netlist.make", "faults.netlist.c_text"]),
        ctokens.digest(_RUNNER),
        *_flags(target),
        proc.version_line("gcc"),
        *apart,
    )


def _scratch(target: Target) -> Path:
    """Return the folder of a circuit's generated files, made if need be."""
    folder = BUILD / "faults" / "rtl" / f"{target.accelerator.name}-{target.bug or 'as-is'}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def build(target: Target) -> tuple[Path, list[str]]:
    """Return the program that runs a campaign, and the flip-flops' names."""
    scratch = _scratch(target)
    key = build_key(target, scratch)
    log = BUILD / "logs" / f"faults-{re.sub('[/ ]', '-', target.name)}.log"

    def make(folder: Path) -> None:
        design, flags = _design(target, scratch), _flags(target)
        compile_program(design, folder, log, flags, _outside(target))

    folder = simulate.cached(BUILD / "faults" / "programs" / key[:24], make)
    return folder / "campaign", (folder / "names").read_text(encoding="utf-8").splitlines()


def _flags(target: Target) -> tuple[str, ...]:
    return (*FLAGS, "-DHOST_UNIT") if target.accelerator.manifest.is_unit else FLAGS


def compile_program(
    design: Design,
    folder: Path,
    log: Path,
    flags: Sequence[str] = FLAGS,
    outside_of: str = "",
) -> tuple[Path, list[str]]:
    """Make the program of a design in a folder; return it, and the names of what it flips.

    That is all flip-flops, except those of the instance `outside_of`.
    """
    found = netlist.make(design, folder, log)
    if outside_of:
        found = outside.apart(found, f"{outside_of}.")
    (folder / "netlist.h").write_text(netlist.c_text(found), encoding="utf-8")
    names = [flip_flop.name for flip_flop in found.flip_flops]
    (folder / "names").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    command: list[str | Path] = ["gcc", *flags, "-I.", RUNNER, "-o", "campaign"]
    proc.run(command, timeout=COMPILE_SECONDS, cwd=folder, log=log)
    (folder / "gates.json").unlink()
    return folder / "campaign", names


# Running ------------------------------------------------------------------------------------------


def run_job(program: Path, names: Sequence[str], job: Job) -> Result:
    """Flip everything once in every cycle of an operation."""
    steps = BUILD / "faults" / "steps" / f"{proc.digest(*(s.text for s in job.steps))[:24]}.txt"
    steps.parent.mkdir(parents=True, exist_ok=True)
    steps.write_text("".join(f"{step.text}\n" for step in job.steps), encoding="utf-8")
    done = proc.run([program, steps, str(PATIENCE)], timeout=RUN_SECONDS)
    first, *lines = done.stdout.splitlines()
    totals: Counter[str] = Counter()
    wrong_in: Counter[str] = Counter()
    for line in lines:
        at, *counts = map(int, line.split())
        found = dict(zip(OUTCOMES, counts, strict=True))
        totals.update(found)
        if silent := found["wrong"] + found["early"]:
            wrong_in[gates.register_of(names[at])] += silent
    cycles = int(first.split()[1])
    if len(lines) != len(names) or totals.total() != cycles * len(names):
        raise AesforgeError(f"{job.name}: the campaign is not complete: {first}")
    outcomes = {name: totals[name] for name in OUTCOMES}
    return Result(job, cycles, len(names), outcomes, dict(wrong_in.most_common()))


Report = Callable[[Target, Result], None]


def run(
    target: Target, chosen: Sequence[Job], workers: int, report: Report, *, fresh: bool = False
) -> list[Result]:
    """Run a circuit's operations, `workers` at a time; `report` has each as it ends.

    Each result is kept, and nothing is built or run where one is there, unless `fresh`.
    """
    code = _code(target)
    places = {job: KEPT / f"{_hash(code, [job])}.json" for job in chosen}
    known = {} if fresh else {job: _load(path) for job, path in places.items()}
    needed = not all(known.get(job) for job in chosen)
    program, names = build(target) if needed else (Path(), [])
    KEPT.mkdir(parents=True, exist_ok=True)

    def done(job: Job) -> Result:
        if (old := known.get(job)) is not None:
            return replace(old, job=job)
        result, path = run_job(program, names, job), places[job]
        bare = replace(result, job=Job(job.name, ()))  # its steps are in the hash
        write_text(path, json.dumps(asdict(bare)) + "\n")
        return result

    return pool.ordered(done, chosen, workers, lambda job, result: report(target, result))


def _load(path: Path) -> Result | None:
    """Return a kept result; a damaged file counts as none."""
    try:
        return TypeAdapter(Result).validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError):
        return None


# Records ------------------------------------------------------------------------------------------

# What is hashed itself: `pycode` does not follow it.
BY_VALUE = ("faults.campaign.build", "faults.campaign.Target")


def _code(target: Target) -> tuple[str, str]:
    """Return the hashes of the circuit and of the code that counts what happens in it."""
    counting = pycode.digest(["faults.campaign.run_job"], BY_VALUE)
    return build_key(target, _scratch(target)), counting


def _hash(code: tuple[str, str], every: Sequence[Job]) -> str:
    """Return the hash of all that the outcomes of operations follow from."""
    return proc.digest(*code, str(PATIENCE), *(step.text for job in every for step in job.steps))


def present_inputs(entry: Record) -> str:
    """Return the hash that a published record would have by this tree; UsageError if it is gone."""
    found = manifest.find(entry.accelerator)
    target = Target(found, found.variant(entry.variant), host=host_of(entry))
    return _hash(_code(target), jobs(target))


def make_record(target: Target, results: Sequence[Result]) -> Record:
    """Return the record of a circuit: outcomes of each operation, which all must be without fault.

    A record says what was found; `passed` means that the campaign is complete.
    """
    inputs = _hash(_code(target), [result.job for result in results])
    counts: dict[str, int] = {}
    for result in results:
        counts[f"{result.job.name}_cycles"] = result.cycles
        for name, number in result.outcomes.items():
            counts[f"{result.job.name}_{name}"] = number
    inside: Counter[str] = Counter()
    for result in results:
        inside.update(result.wrong_in)
    counts |= {f"{IN}{name}": number for name, number in inside.most_common(NAMED)}
    return Record(
        accelerator=target.accelerator.name,
        kind=target.accelerator.manifest.kind,
        variant=target.variant.name,
        platform=PLATFORM if target.host == DIRECT else f"{PLATFORM}-{target.host}",
        question=QUESTION,
        status="passed",
        how=How(
            inputs_sha256=inputs,
            tools={"gcc": proc.version_line("gcc")},
            flags={"patience": str(PATIENCE), "flip_flops": str(results[0].flip_flops)},
        ),
        counts=counts,
    )


_HEADS = (
    *(("accelerator / variant", False), ("operation", False), ("cycles", True)),
    *(("flip-flops", True), ("faults", True), ("right", True), ("nothing", True)),
    *(("alert", True), ("wrong", True), ("early", True)),
)


def table(found: Sequence[tuple[Target, Result]]) -> rows.Table:
    """Return the results for people."""
    lines = [
        (
            target.name,
            result.job.name,
            *(str(result.cycles), str(result.flip_flops), f"{result.faults:,}"),
            *(f"{result.outcomes[name]:,}" for name in OUTCOMES),
        )
        for target, result in found
    ]
    return rows.Table(
        "One flip-flop flipped in one cycle: what the host sees", _HEADS, tuple(lines)
    )


def json_rows(found: Sequence[tuple[Target, Result]]) -> list[rows.Row]:
    """Return one row for each operation (docs/json.md)."""
    return [
        {
            "accelerator": target.accelerator.name,
            "variant": target.variant.name,
            "host": target.host,
            "operation": result.job.name,
            "cycles": result.cycles,
            "flip_flops": result.flip_flops,
            "faults": result.faults,
            **result.outcomes,
            "wrong_in": json.dumps(dict(list(result.wrong_in.items())[:10])),
        }
        for target, result in found
    ]


def _short(name: str) -> str:
    """Return a register's path without the blocks of `generate` that have no name."""
    return re.sub(r"\bgenblk\d+\.", "", name.removeprefix(IN))


def host_of(entry: Record) -> str:
    """Return the bus of a campaign."""
    return entry.platform.removeprefix(PLATFORM).removeprefix("-") or DIRECT


def outcomes(entry: Record) -> dict[str, int]:
    """Return how often each outcome came, over all operations of a campaign."""
    total = dict.fromkeys(OUTCOMES, 0)
    for name, number in entry.counts.items():
        outcome = name.rpartition("_")[2]
        if not name.startswith(IN) and outcome in total:
            total[outcome] += number
    return total


def page_table(published: Sequence[Record]) -> str:
    """Return the table of published campaigns, a row for each circuit, and where errors sit."""
    lines = [
        "| accelerator / variant | flip-flops | operations | faults | right | nothing | alert "
        "| **wrong** | **early** |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    where: list[str] = []
    for entry in published:
        total = outcomes(entry)
        operations = sum(name.endswith("_cycles") for name in entry.counts)
        faults = sum(total.values())
        name = f"{entry.accelerator} / {entry.variant}{on(host_of(entry))}"
        shares = [f"{100 * total[name] / faults:.1f} %" for name in OUTCOMES[:3]]
        wrong = f"{total['wrong']:,} ({100 * total['wrong'] / faults:.2f} %)"
        cells = (
            name,
            *(entry.how.flags["flip_flops"], str(operations), f"{faults:,}", *shares),
            *(wrong, f"{total['early']:,}"),
        )
        lines.append(f"| {' | '.join(cells)} |")
        inside = [name for name in entry.counts if name.startswith(IN)]
        worst = sorted(inside, key=lambda name: (-entry.counts[name], name))[:3]
        told = ", ".join(f"`{_short(name)}` {entry.counts[name]:,}" for name in worst)
        where.append(f"- {name}: {told or 'none'}")
    return "\n".join([*lines, "", "Registers with the most wrong results:", "", *where, ""])
