# SPDX-License-Identifier: Apache-2.0
"""The checks that may notice a mutant: benches, proofs and tests.

A check knows the design that it reads, so that only those are run that hold the changed operator,
and the hash of it, so that a verdict is kept until something that it depends on changes.
"""

import ast
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import AesforgeError, ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, elaborate, hdl, library, pycode
from aesforge.build.elaborate import Design
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Bench, Variant
from aesforge.verify import cocotb_bench, prove, unit_bench
from aesforge.verify.lint import UNIT_TOP
from aesforge.verify.mutants import Mutant
from aesforge.verify.unit_bench import Outcome

SHARED = prove.SHARED
TEST_SECONDS = 600.0
LIMIT_SECONDS = 100.0  # of a bench, which takes at most a tenth of it
REFUSAL = "aesforge_unknown_"  # how modules that nobody has begin
UNKNOWN_SECONDS = 60.0  # of a proof that was never published

# Their outcome is hashed, not how they are written.
BY_VALUE = (
    *("build.library", "build.codegen", "build.elaborate", "build.hdl", "catalog.manifest"),
    *("catalog.planted", "catalog.model_file"),
)

Texts = Mapping[Path, str]


@dataclass(frozen=True)
class Said:
    """What a check says of a circuit: `noticed` why it is wrong, or nothing.

    `undecided`: a proof that ran into its limit. That kills no mutant.
    """

    noticed: str = ""
    undecided: bool = False


@dataclass(frozen=True)
class Check:
    """A check: its label, what its circuit holds, the hash of it with other texts, how it runs."""

    label: str
    holds: Callable[[Mutant], bool]
    hashed: Callable[[Texts], str]
    run: Callable[[], Said]
    passed: Callable[[], bool] = lambda: False  # whether a published result says that it passes

    def key(self, texts: Texts) -> str:
        """Return the hash of everything that the outcome depends on."""
        return proc.digest(self.label, self.hashed(texts))


def _held(read: Callable[[], Design], mutant: Mutant) -> bool:
    return elaborate.held(read()).holds(mutant.path, mutant.byte)


@lru_cache(maxsize=64)
def of(name: str) -> tuple[Check, ...]:
    """Return the checks of an accelerator, or of the shared RTL, in the order of trying.

    The benches of other accelerators are last: what is shared must be right for any of them.
    """
    every = [found for found in manifest.discover() if found.manifest.rtl is not None]
    others = [check for found in every if found.name != name for check in _benches(found)]
    if name == SHARED:
        return (*_proofs([SHARED]), *_refusals(), *others)
    own = _benches(manifest.find(name))
    return (*own, *_proofs([name, SHARED]), *_refusals(), *others)


def draws(name: str) -> list[Check]:
    """Return the checks whose circuits mutants of a target are drawn from."""
    return [check for check in of(name) if name == SHARED or f"of {name}/" in check.label]


# Benches ------------------------------------------------------------------------------------------


def _benches(accelerator: Accelerator) -> Iterator[Check]:
    """Yield the benches of each variant with a circuit of its own."""
    seen: set[str] = set()
    for variant in accelerator.manifest.variant:
        if accelerator.manifest.is_unit:
            made = codegen.unit_sv(accelerator, variant, False)
            if accelerator.manifest.kind == "set":
                made += codegen.set_sv(accelerator, variant)
            made += codegen.decode_sv(codegen.layout(accelerator, variant))
            if made not in seen:
                seen.add(made)
                yield _unit(accelerator, variant)
        for bench in accelerator.manifest.bench:
            if bench.fast and cocotb_bench.applies(bench, variant):
                yield _bench(accelerator, variant, bench)


def _unit(accelerator: Accelerator, variant: Variant) -> Check:
    @cache
    def read() -> Design:
        folder = BUILD / "mutants" / "generated" / f"{accelerator.name}-{variant.name}"
        made = codegen.generate(folder, accelerator, variant)
        files = library.with_shared([*made.rtl, UNIT_TOP], accelerator)
        return Design(tuple(files), UNIT_TOP.stem)

    def hashed(texts: Texts) -> str:
        design = read()
        listed = [spec.to_json() for spec in unit_bench.specs(accelerator, variant)]
        return proc.digest(
            hdl.digest(design.files, design.top, hdl.VERILATOR, texts=texts),
            json.dumps(listed),
            *(python(path) for path in accelerator.models(variant)),
            pycode.digest(["verify.unit_bench.rtl_equals_model"], BY_VALUE),
            unit_bench.tool_versions(),
        )

    run = partial(unit_bench.rtl_equals_model, accelerator, variant, seconds=LIMIT_SECONDS)
    label = f"unit bench of {accelerator.name}/{variant.name}"
    return Check(label, partial(_held, read), hashed, partial(of_bench, run))


def _bench(accelerator: Accelerator, variant: Variant, bench: Bench) -> Check:
    read = cache(partial(cocotb_bench.design, accelerator, variant, bench.name))

    def hashed(texts: Texts) -> str:
        design = read()
        names = [name for name, _ in design.params]
        modules = _reached(accelerator.file(bench.module))
        return proc.digest(
            hdl.digest(design.files, design.top, hdl.VERILATOR, texts=texts, params=names),
            json.dumps([design.params, variant.name, variant.directions]),
            *(python(path) for path in modules),
            pycode.digest(["verify.cocotb_bench.run", *_imported(modules)], BY_VALUE),
            unit_bench.tool_versions(),
        )

    run = partial(cocotb_bench.run, accelerator, variant, bench.name, seconds=LIMIT_SECONDS)
    label = f"bench {bench.name} of {accelerator.name}/{variant.name}"
    return Check(label, partial(_held, read), hashed, partial(of_bench, run))


def of_bench(run: Callable[[], Outcome]) -> Said:
    """Run a bench: it fails, does not build, or does not end."""
    try:
        outcome = run()
    except ToolError as error:
        ended = "did not finish" not in error.message
        return Said("does not build or run" if ended else "does not end")
    except AesforgeError:
        return Said("does not build or run")
    return Said("" if outcome.status == "pass" else "fails")


@lru_cache(maxsize=1024)
def python(path: Path) -> str:
    """Return the hash of a file in Python."""
    return pycode.plain(path.read_text(encoding="utf-8"))


def _reached(module: Path) -> list[Path]:
    """Return a bench and the files of its folder that it imports, directly or not."""
    found: dict[Path, None] = {}
    left = [module]
    while left:
        path = left.pop()
        if path in found or not path.is_file():
            continue
        found[path] = None
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                left.append(path.with_name(f"{node.module}.py"))
            elif isinstance(node, ast.Import):
                left += [path.with_name(f"{alias.name}.py") for alias in node.names]
    return sorted(found)


def _imported(paths: Sequence[Path]) -> list[str]:
    """Return what Python files import from the package."""
    found: set[str] = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("aesforge."):
                module = str(node.module).removeprefix("aesforge.")
                found |= {f"{module}.{alias.name}" for alias in node.names}
    return sorted(found)


# Proofs -------------------------------------------------------------------------------------------


def _proofs(names: Sequence[str]) -> list[Check]:
    """Return the proofs of owners, the quickest first."""
    published = [entry for entry in prove.read_published() if not entry.bug]
    took = {(entry.owner, entry.proof): entry.seconds for entry in published}
    right = {entry.inputs_sha256 for entry in published if entry.outcome == "PASS"}
    runs = prove.plain(names)
    runs.sort(key=lambda run: took.get((run.owner, run.proof.name), UNKNOWN_SECONDS))

    def said(run: "prove.AnyRun") -> Said:
        outcome = prove.result(run).outcome
        # UNKNOWN: an induction step fails, which is no counterexample.
        words = {"PASS": "", "UNKNOWN": "", "FAIL": "fails", "ERROR": "cannot be read"}
        return Said(words.get(outcome, ""), outcome not in words)

    def passed(run: "prove.AnyRun") -> bool:
        return prove.key(run, {}) in right

    return [
        Check(
            f"proof {run.owner} {run.proof.name}",
            partial(_held, partial(prove.design, run)),
            partial(prove.key, run),
            partial(said, run),
            partial(passed, run),
        )
        for run in runs
    ]


# Tests --------------------------------------------------------------------------------------------


def _refusals() -> tuple[Check, ...]:
    """Return the tests of what RTL refuses, units and parameters: no circuit shows it."""
    adapter = ROOT / "rtl" / "adapters" / "fu_to_nios_comb.sv"
    shared = sorted((ROOT / "rtl").rglob("*.sv"))
    every = [path for path in shared if REFUSAL in path.read_text(encoding="utf-8")]

    def hashed(paths: Sequence[Path], texts: Texts) -> str:
        found = [texts.get(path) or path.read_text(encoding="utf-8") for path in paths]
        tokens = [token for text in found for token in hdl.tokens(text)]
        return proc.digest(*tokens, proc.version_line("iverilog", "-V"))

    units = partial(hashed, [adapter])
    params = partial(hashed, every)
    rtl = Path("tests/rtl")
    return (
        of_tests(rtl / "test_nios.py", "test_refusals", lambda m: m.path == adapter, units),
        of_tests(rtl / "test_refusals.py", "refused", lambda m: m.path in every, params),
    )


def of_tests(
    test: Path, chosen: str, holds: Callable[[Mutant], bool], hashed: Callable[[Texts], str]
) -> Check:
    """Return the tests of a file that `-k` chooses as a check.

    A planted bug whose text a mutant removed is an error of its test: choose none of these.
    """

    def key(texts: Texts) -> str:
        beside = sorted((ROOT / "tests" / "support").glob("*.py"))
        plain = [python(path) for path in (ROOT / test, *beside)]
        return proc.digest(hashed(texts), chosen, *plain)

    def run() -> Said:
        words = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        try:
            done = proc.run(
                [*words, "-k", chosen, test], timeout=TEST_SECONDS, cwd=ROOT, check=False
            )
        except ToolError:
            return Said("does not end")
        return Said("" if done.status == 0 else "fails")

    about = chosen.rpartition(" ")[2].rstrip("]-")
    label = f"test {test.name}" + (f" of {about}" if not chosen.startswith("not ") else "")
    return Check(label, holds, key, run)
