# SPDX-License-Identifier: Apache-2.0
"""`aesforge check`: everything that can be said about an accelerator without a soft core.

A check that passed is remembered under the digest of all its inputs (build/checks); one that failed
is run again every time.
"""

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from rich.markup import escape
from rich.table import Table

from aesforge.base import pool, proc, toml
from aesforge.base.errors import AesforgeError, ManifestError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, ctokens, hdl, library, pycode
from aesforge.catalog import manifest, planted
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.model_file import load_model
from aesforge.verify import cocotb_bench, unit_bench
from aesforge.verify.lint import lint_variant
from aesforge.verify.unit_bench import Outcome

Status = Literal["pass", "fail", "error", "skip"]
Progress = Callable[["CheckResult"], None]

# What a check may read, besides the accelerator's own folder.
_SHARED_INPUTS = ("rtl/**/*.sv", "sim/unit/*.sv", "sw/include/*", "formal/bugs.toml")
# Of a manifest, what is for people.
_PROSE = {"summary", "semantics", "refs", "text", "because", "until", "assumes"}
# Checks of the RTL alone, and what of a variant it does not depend on.
_OF_UNIT = ("lint", "rtl")
_SOFTWARE = {"name", "summary", "defines", "cflags", "by_default", "directions", "key_words", "ecc"}


@dataclass(frozen=True)
class CheckResult:
    """How one check of one variant ended; `variant` is empty where it concerns all of them."""

    accelerator: str
    variant: str
    check: str
    status: Status
    detail: str
    seconds: float
    cached: bool = False

    @property
    def passed(self) -> bool:
        """Tell whether nothing is wrong (an honest skip included)."""
        return self.status in ("pass", "skip")


@dataclass(frozen=True)
class _Step:
    """One check to run: `check` names a function of _CHECKS, `argument` its bug or opcode."""

    folder: Path
    variant: str
    check: str
    argument: str = ""
    slow: bool = False

    @property
    def label(self) -> str:
        """The check as printed."""
        return f"{self.check} {self.argument}".strip()


def check(
    accelerator: Accelerator,
    variants: Sequence[Variant],
    *,
    bugs: bool = True,
    proofs: bool = False,
    slow: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[CheckResult]:
    """Run every check of some variants of an accelerator; results in the order of the steps.

    `bugs` also builds the unit with each planted bug, which the bench must notice; `proofs` also
    runs its formal proofs, `slow` the benches that take long; `jobs` checks run at a time;
    `progress` gets each result as it comes.
    """
    steps_of = _bench_steps if accelerator.manifest.outside_core else _steps
    steps = steps_of(accelerator, variants, bugs)
    chosen = [step for step in steps if slow or not step.slow]
    results = _run_all(chosen, jobs, progress)
    if proofs and accelerator.manifest.proof:
        for result in _proofs(accelerator, bugs, jobs):
            results.append(result)
            if progress is not None:
                progress(result)
    return results


def _steps(accelerator: Accelerator, variants: Sequence[Variant], bugs: bool) -> Iterator[_Step]:
    """List the checks that apply."""
    folder = accelerator.folder
    instruction = accelerator.manifest.is_unit
    yield _Step(folder, "", "folder")
    if accelerator.manifest.kind == "instruction":
        yield _Step(folder, "", "encodings")
    for variant in variants:
        if instruction:
            yield _Step(folder, variant.name, "lint")
            yield from (_Step(folder, variant.name, "intrinsics", o) for o in ("", *port_opcodes()))
            yield _Step(folder, variant.name, "emulation")
        yield _Step(folder, variant.name, "kernel")
        if instruction:
            yield _Step(folder, variant.name, "rtl")
    if instruction and bugs:
        chosen = {variant.name for variant in variants}
        for bug in accelerator.manifest.bug:
            variant_name = accelerator.variant(bug.variant).name
            if variant_name in chosen and bug.bench != "none":
                yield _Step(folder, variant_name, "bug", bug.name)


def _bench_steps(
    accelerator: Accelerator, variants: Sequence[Variant], bugs: bool
) -> Iterator[_Step]:
    """List the checks of an accelerator on a bus or a stream."""
    folder, found = accelerator.folder, accelerator.manifest
    yield _Step(folder, "", "folder")
    for variant in variants:
        yield _Step(folder, variant.name, "lint")
        for bench in found.bench:
            if cocotb_bench.applies(bench, variant):
                yield _Step(folder, variant.name, "bench", bench.name, not bench.fast)
    chosen = {variant.name for variant in variants}
    for bug in found.bug if bugs else ():
        if bug.bench == "none":
            continue
        bench, variant = (
            cocotb_bench.bench(accelerator, bug.bench),
            accelerator.variant(bug.variant),
        )
        if variant.name in chosen:
            yield _Step(folder, variant.name, "bug", bug.name, not bench.fast)


@lru_cache(maxsize=1)
def port_opcodes() -> tuple[str, ...]:
    """List the opcodes to which some platform's port is limited."""
    found: set[str] = set()
    for path in toml.below(ROOT / "platforms", "platform.toml"):
        data = toml.read(path)
        found |= {str(data["opcode"])} if data.get("opcode") else set()
    return tuple(sorted(found))


# Running ------------------------------------------------------------------------------------------


def _run_all(steps: Sequence[_Step], jobs: int, progress: Progress | None) -> list[CheckResult]:
    """Run steps, `jobs` at a time, in processes of their own."""

    def ended(_: _Step, result: CheckResult) -> None:
        if progress is not None:
            progress(result)

    return pool.ordered(_run, steps, jobs, ended, processes=jobs > 1)


def _run(step: _Step) -> CheckResult:
    """Run one step, or remember that it passed with the same inputs."""
    started = time.monotonic()

    def result(status: Status, detail: str) -> CheckResult:
        seconds = time.monotonic() - started
        name, variant = step.folder.name, step.variant
        return CheckResult(name, variant, step.label, status, detail, seconds)

    try:
        accelerator = manifest.load(step.folder)
        kept = BUILD / "checks" / f"{step.folder.name}-{_key(step)}.json"
        if kept.is_file():
            with contextlib.suppress(ValueError, TypeError):  # damaged: as if there were none
                found = CheckResult(**json.loads(kept.read_text(encoding="utf-8")))
                return replace(found, variant=step.variant, cached=True)
        status, detail = _CHECKS[step.check](accelerator, step)
        done = result(status, detail)
    except AesforgeError as error:
        return result("error", str(error))
    if done.status == "pass":
        codegen.write_if_changed(kept, json.dumps(asdict(done)))
    return done


def _key(step: _Step) -> str:
    """Return the digest of everything that a step depends on."""
    # Linters obey comments.
    exact = step.check == "lint"
    accelerator = manifest.load(step.folder)
    units = accelerator.units()
    folders = dict.fromkeys([step.folder, *(unit.folder for unit in units)])
    own = [path for one in folders for path in sorted(one.rglob("*")) if _is_input(path)]
    about = _unit(accelerator, step) if step.check in _OF_UNIT else step.variant
    parts = [about, step.check, step.argument, _shared_key(exact)]
    parts.append(pycode.digest([f"verify.check.{_CHECKS[step.check].__name__}"]))
    for path in own:
        parts += [str(path.relative_to(step.folder.parent)), _content(path, exact)]
    return proc.digest(*parts)[:24]


def _unit(accelerator: Accelerator, step: _Step) -> str:
    """Return what a variant's RTL depends on: variants that differ in software have one unit."""
    return _variant(accelerator, step).model_dump_json(exclude=_SOFTWARE)


def _is_input(path: Path) -> bool:
    """Tell whether a file of the accelerator's folder may matter to a check."""
    return path.is_file() and path.suffix != ".pyc"


def _content(path: Path, exact: bool) -> str:
    """Return the digest of what a tool reads of a file: of all of RTL if `exact`."""
    if path.suffix == ".md":
        return ""  # must be there
    if path.suffix == ".toml":
        return _without_prose(toml.read(path))
    known = (".c", ".h", ".cpp", ".py", *(() if exact else (".sv", ".svh", ".v")))
    if path.suffix in known:
        return _tokens(path.suffix, path.read_text(encoding="utf-8"))
    return proc.digest(path)


@lru_cache(maxsize=1024)
def _tokens(suffix: str, text: str) -> str:
    """Return the digest of a source without comments and blanks."""
    if suffix == ".py":
        return pycode.plain(text)
    return proc.digest(*(ctokens if suffix in (".c", ".h", ".cpp") else hdl).tokens(text))


def _without_prose(data: object) -> str:
    """Return a manifest as text without what is for people."""
    if isinstance(data, dict):
        kept = {key: _without_prose(data[key]) for key in sorted(data) if key not in _PROSE}
        if "name" in kept:  # what a planted bug does, in words; a skip's `what` has no name
            kept.pop("what", None)
        return json.dumps(kept)
    return json.dumps([*map(_without_prose, data)]) if isinstance(data, list) else json.dumps(data)


@lru_cache(maxsize=2)
def _shared_key(exact: bool) -> str:
    """Return the digest of tools and shared sources."""
    parts = [
        *("gcc", proc.version_line("gcc"), proc.version_line("iverilog", "-V")),
        unit_bench.tool_versions(),
        ",".join(port_opcodes()),
    ]
    for pattern in _SHARED_INPUTS:
        files = [path for path in sorted(ROOT.glob(pattern)) if path.is_file()]
        if not files:
            raise AesforgeError(f"there is no {pattern}, an input of every check")
        parts += sorted(_content(path, exact) for path in files)
    return proc.digest(*parts)


# The checks ---------------------------------------------------------------------------------------

Verdict = tuple[Status, str]


def _of(outcome: Outcome) -> Verdict:
    """Translate a comparison's outcome: a difference is a failure."""
    names: dict[str, Status] = {"pass": "pass", "mismatch": "fail"}
    return names.get(outcome.status, "error"), outcome.detail


def _variant(accelerator: Accelerator, step: _Step) -> Variant:
    return accelerator.variant(step.variant)


def _folder(accelerator: Accelerator, step: _Step) -> Verdict:
    """The folder is complete and says nothing that is not there."""
    problems = list(folder_problems(accelerator))
    return ("fail", "; ".join(problems)) if problems else ("pass", "complete")


def folder_problems(accelerator: Accelerator, root: Path = ROOT) -> Iterator[str]:
    """List what an accelerator's folder lacks or states wrongly."""
    found = accelerator.manifest
    wanted = ["README.md"]
    if found.source is None:
        wanted += found.sw.kernel
    if found.kind == "instruction":
        wanted += [found.sw.emul, "test/model.py", "test/encodings.txt"]
    for bench in found.bench:
        wanted.append(bench.module)
    for name in wanted:
        if not (accelerator.folder / name).is_file():
            yield f"{name} is missing"
    for source in dict.fromkeys(source for proof in found.proof for source in proof.sources):
        if not (accelerator.folder / source).is_file() and not (root / source).is_file():
            yield f"{source} is missing"
    questions = {path.stem for path in (root / "sw" / "harness").glob("*.c")}
    known = {"check", *questions, *(proof.name for proof in found.proof)}
    benches = {bench.name for bench in found.bench}
    known |= benches if found.outside_core else set(_unit_proofs(root))
    for claim in found.claim:
        if claim.about == "power":
            if not list(root.glob(f"rtl/*/{claim.test}.probe.toml")):
                yield f"claim '{claim.text}': there is no masked module '{claim.test}'"
        elif claim.test and claim.test not in known:
            yield f"claim '{claim.text}': there is no question or proof '{claim.test}'"
    if found.rtl is None:
        return
    try:
        yield from _bug_problems(accelerator, library.all_files(accelerator), root)
    except ManifestError as error:
        yield str(error)
    path = accelerator.folder / "test" / "model.py"
    if found.kind == "instruction" and path.is_file():
        try:
            model = load_model(path)
        except ManifestError as error:
            yield str(error)
            return
        missing = [op.mnemonic for op in found.op if not hasattr(model, op.mnemonic)]
        if missing:
            yield f"test/model.py lacks {', '.join(missing)}"


def _bug_problems(accelerator: Accelerator, read: Sequence[Path], root: Path) -> Iterator[str]:
    """List planted bugs that do not fit the RTL `read` any more, or that nobody declares."""
    found = accelerator.manifest
    if all(bug.bench == "none" for bug in found.bug):
        yield "no planted bug: nobody has seen the unit bench fail"
    try:
        bugs = planted.known(found.bug, accelerator.folder, root)
    except ManifestError as error:
        yield str(error)
        return
    for bug in found.bug:
        try:
            changed = bugs[bug.name].texts()
        except ManifestError as error:
            yield str(error)
            continue
        if bug.bench != "none" and not {path.resolve() for path in read} & {
            path.resolve() for path in changed
        }:
            yield f"{bug.name} changes none of the RTL sources"
    for proof in found.proof:
        for name in proof.bugs:
            if name not in bugs:
                yield f"proof {proof.name}: there is no planted bug '{name}'"


def _unit_proofs(root: Path) -> list[str]:
    """List the proofs that are made of every unit."""
    from aesforge.verify import prove

    path = root / prove.PROOFS_FILE
    return [proof.name for proof in prove.load(path) if proof.each_unit] if path.is_file() else []


def _encodings(accelerator: Accelerator, step: _Step) -> Verdict:
    """Frozen instruction words."""
    return _of(unit_bench.frozen_encodings(accelerator))


def _lint(accelerator: Accelerator, step: _Step) -> Verdict:
    """Four tools have nothing to say."""
    results = lint_variant(accelerator, _variant(accelerator, step))
    loud = [result for result in results if not result.ok]
    if loud:
        shown = [f"{result.tool}: {result.messages[0]}" for result in loud]
        return "fail", "; ".join(shown)
    return "pass", ", ".join(result.tool for result in results)


def _intrinsics(accelerator: Accelerator, step: _Step) -> Verdict:
    """Compiled intrinsics; a port whose one opcode makes encodings collide is an honest hole."""
    variant = _variant(accelerator, step)
    if step.argument:
        try:
            found = codegen.layout(accelerator, variant, step.argument)
        except ManifestError as error:
            return "skip", error.message
        if not found.operations:
            return "skip", f"no operation fits the port that offers only {step.argument}"
    return _of(unit_bench.intrinsics_equal_encodings(accelerator, variant, step.argument))


def _emulation(accelerator: Accelerator, step: _Step) -> Verdict:
    """emul.c = model."""
    return _of(unit_bench.emulation_equals_model(accelerator, _variant(accelerator, step)))


def _kernel(accelerator: Accelerator, step: _Step) -> Verdict:
    """The kernel on the host = the `cryptography` package."""
    if accelerator.manifest.source is not None:
        return "skip", "the source is fetched when firmware is built; the vectors run on the cores"
    return _of(unit_bench.kernel_on_host(accelerator, _variant(accelerator, step)))


def _rtl(accelerator: Accelerator, step: _Step) -> Verdict:
    """RTL = model."""
    return _of(unit_bench.rtl_equals_model(accelerator, _variant(accelerator, step)))


def _bench(accelerator: Accelerator, step: _Step) -> Verdict:
    """A cocotb module finds no difference in a peripheral or a stream unit."""
    return _of(cocotb_bench.run(accelerator, _variant(accelerator, step), step.argument))


def _bug(accelerator: Accelerator, step: _Step) -> Verdict:
    """The bench notices a planted bug, as a difference and not because something does not build."""
    variant, name = _variant(accelerator, step), step.argument
    if accelerator.manifest.outside_core:
        bug = next(found for found in accelerator.manifest.bug if found.name == name)
        found = cocotb_bench.run(accelerator, variant, bug.bench, bug=name)
    else:
        found = unit_bench.rtl_equals_model(accelerator, variant, bug=name)
    if found.status == "mismatch":
        return "pass", f"caught: {found.detail}"
    if found.status == "pass":
        return "fail", "NOT caught: the unit bench passes with it"
    return "error", found.detail


_CHECKS: dict[str, Callable[[Accelerator, _Step], Verdict]] = {
    "folder": _folder,
    "encodings": _encodings,
    "lint": _lint,
    "intrinsics": _intrinsics,
    "emulation": _emulation,
    "kernel": _kernel,
    "rtl": _rtl,
    "bench": _bench,
    "bug": _bug,
}


def _proofs(accelerator: Accelerator, bugs: bool, jobs: int) -> list[CheckResult]:
    """Run the unit's formal proofs."""
    from aesforge.verify import prove

    return [
        CheckResult(
            accelerator.name,
            "",
            f"proof {found.proof}" + (f" with {found.bug}" if found.bug else ""),
            "pass" if found.passed else "fail",
            f"{found.outcome} {found.detail}".strip(),
            found.seconds,
            found.cached,
        )
        for found in prove.prove_all([accelerator.name], bugs=bugs, jobs=jobs)
    ]


# Printing -----------------------------------------------------------------------------------------

_COLOURS = {"pass": "green", "fail": "bold red", "error": "bold red", "skip": "yellow"}


def render(accelerator: Accelerator, results: Iterable[CheckResult]) -> Table:
    """Return a table of results for a terminal."""
    listed = list(results)
    passed = sum(result.passed for result in listed)
    table = Table(title=f"{accelerator.name}: {passed} of {len(listed)} checks pass", box=None)
    for column in ("variant", "check", "result"):
        table.add_column(column, no_wrap=True)
    table.add_column("s", justify="right")
    table.add_column("detail", overflow="fold")
    for result in listed:
        seconds = "cached" if result.cached else f"{result.seconds:.1f}"
        colour = _COLOURS[result.status]
        table.add_row(
            result.variant or "all",
            result.check,
            f"[{colour}]{result.status}[/]",
            seconds,
            escape(result.detail),
        )
    return table
