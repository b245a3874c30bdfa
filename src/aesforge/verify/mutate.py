# SPDX-License-Identifier: Apache-2.0
"""`aesforge mutate`: one operator of the RTL changed at a time, and whether a check notices.

A mutant is killed by the first of: the unit bench or the fast benches of any default variant that
holds the file, then the proofs that read it. One that nothing kills has survived: either it is
equivalent, and formal/equivalent.toml says why, or a check is missing. A bench that never ends is
stopped by its own limit, which counts as killed.

Each mutant is judged in a tree of links of its own, in a child process, so that the repository is
never touched.
"""

import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from aesforge.base import pool, proc, toml
from aesforge.base.errors import AesforgeError, ToolError
from aesforge.base.files import write_text
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import hdl, library
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.records import rows
from aesforge.verify import cocotb_bench, prove, unit_bench

EQUIVALENT = Path("formal/equivalent.toml")
JUDGE_SECONDS = 3600.0

# A token, and what may stand in its place.
OPERATORS: dict[str, tuple[str, ...]] = {
    "&&": ("||",),
    "||": ("&&",),
    "==": ("!=",),
    "!=": ("==",),
    "<": (">=",),
    ">": ("<=",),
    ">=": ("<",),
    "+": ("-",),
    "-": ("+",),
    "&": ("|",),
    "|": ("&",),
    "^": ("|", "&"),
    "<<": (">>",),
    ">>": ("<<",),
    "!": ("",),
    "~": ("",),
    "1'b0": ("1'b1",),
    "1'b1": ("1'b0",),
}
# Lines that declare (a change there is another interface, not another operator), and those that
# name what nobody reads.
_DECLARES = re.compile(
    r"^\s*(module|import|parameter|localparam|input|output|inout|logic|wire|typedef|genvar|`|\)|//"
    r"|assign unused)"
)
_RANGE = re.compile(r"\[[^][]*\]")
_COPIED = ("accelerators", "formal", "platforms", "rtl", "sim", "sw", "pyproject.toml")

Verdict = Literal["killed", "survived", "equivalent", "error"]


@dataclass(frozen=True)
class Mutant:
    """A token of a file (from ROOT), at an offset, and its replacement."""

    file: str
    offset: int
    old: str
    new: str

    @property
    def line(self) -> int:
        """The line number, from 1."""
        return (ROOT / self.file).read_text(encoding="utf-8").count("\n", 0, self.offset) + 1

    @property
    def source(self) -> str:
        """The line without blanks around it."""
        return (ROOT / self.file).read_text(encoding="utf-8").splitlines()[self.line - 1].strip()

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.file}:{self.line}: {self.old} -> {self.new or 'nothing'}"

    def text(self) -> str:
        """The file with the change."""
        whole = (ROOT / self.file).read_text(encoding="utf-8")
        assert whole[self.offset : self.offset + len(self.old)] == self.old
        return whole[: self.offset] + self.new + whole[self.offset + len(self.old) :]


@dataclass(frozen=True)
class Judged:
    """A mutant, what became of it, and which check or reason says so."""

    mutant: Mutant
    verdict: Verdict
    by: str


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Equivalent(_Table):
    """A change that makes no difference: file, line without blanks, token, and the reason."""

    file: str
    line: str
    old: str
    new: str
    because: str = Field(min_length=1)


class _Listed(_Table):
    mutant: list[Equivalent] = []


def equivalent(root: Path = ROOT) -> list[Equivalent]:
    """Return the changes that are known to make no difference; each must still be possible."""
    path = root / EQUIVALENT
    found = toml.load(path, _Listed, "docs/soundness.md lists the keys").mutant
    for entry in found:
        file = root / entry.file
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        if entry.line not in (line.strip() for line in lines):
            raise AesforgeError(
                f"{EQUIVALENT}: {entry.file} has no line '{entry.line}'", "adapt or remove it"
            )
    return found


# Choosing -----------------------------------------------------------------------------------------


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every change of one operator of a file of RTL."""
    text = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT))
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for token, offset in hdl.placed(text):
        if token not in OPERATORS:
            continue
        begin = max(start for start in starts if start <= offset)
        line = text[begin : text.find("\n", begin)]
        at = offset - begin
        inside = any(m.start() < at < m.end() for m in _RANGE.finditer(line))
        if _DECLARES.match(line) or inside:
            continue
        for new in OPERATORS[token]:
            yield Mutant(name, offset, token, new)


def choose(accelerator: Accelerator, count: int, seed: int) -> list[Mutant]:
    """Return `count` mutants of the RTL that an accelerator is made of, or all if there are fewer.

    The choice depends on the seed and on the sources alone.
    """
    files = [path for path in library.all_files(accelerator) if path.is_relative_to(ROOT)]
    every = [found for path in sorted(files) for found in mutants(path)]
    draw = random.Random(f"{accelerator.name} {seed}")
    return sorted(
        draw.sample(every, min(count, len(every))), key=lambda found: (found.file, found.offset)
    )


# Judging ------------------------------------------------------------------------------------------


def run(
    accelerator: Accelerator,
    chosen: Sequence[Mutant],
    workers: int,
    ended: Callable[[Judged], None] = lambda judged: None,
) -> list[Judged]:
    """Judge mutants, `workers` at a time; results in order."""
    known = equivalent()

    def judged(mutant: Mutant) -> Judged:
        for entry in known:
            if (entry.file, entry.line, entry.old, entry.new) == (
                *(mutant.file, mutant.source),
                *(mutant.old, mutant.new),
            ):
                return Judged(mutant, "equivalent", entry.because)
        return _judged(accelerator, mutant)

    return pool.ordered(judged, chosen, workers, lambda _, result: ended(result))


def _judged(accelerator: Accelerator, mutant: Mutant) -> Judged:
    """Judge one in a tree and with a build folder of its own."""
    place = BUILD / "mutants"
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place) as folder:
        tree = Path(folder) / "tree"
        _copy(tree)
        (tree / mutant.file).unlink()
        write_text(tree / mutant.file, mutant.text())
        program = "import sys; from aesforge.verify import mutate; mutate.judge(*sys.argv[1:])"
        try:
            done = proc.run(
                [sys.executable, "-c", program, accelerator.name, mutant.file],
                timeout=JUDGE_SECONDS,
                cwd=tree,
                env={
                    "AESFORGE_ROOT": str(tree),
                    "AESFORGE_BUILD": str(Path(folder) / "build"),
                    "PYTHONPATH": os.pathsep.join(sys.path),
                },
            )
        except ToolError as error:
            return Judged(mutant, "error", str(error))
        said = json.loads(done.stdout.splitlines()[-1])
        return Judged(mutant, said["verdict"], said["by"])


def _copy(tree: Path) -> None:
    """Make a tree of hard links: only what is replaced in it differs."""
    ignored = shutil.ignore_patterns("__pycache__", "build")
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, copy_function=os.link, ignore=ignored)
        else:
            tree.mkdir(exist_ok=True)
            os.link(source, tree / name)


def judge(name: str, file: str) -> None:
    """Print a verdict on the tree in which this runs: {"verdict": ..., "by": ...}."""
    accelerator = manifest.find(name)
    by = next(_killers(accelerator, ROOT / file), "")
    print(json.dumps({"verdict": "killed" if by else "survived", "by": by}))


def _killers(accelerator: Accelerator, path: Path) -> Iterator[str]:
    """Yield the checks that fail, the cheapest first."""
    seen: set[tuple[object, ...]] = set()
    for variant in accelerator.manifest.variant:
        rtl = accelerator.manifest.rtl
        assert rtl is not None
        circuit = (*sorted({**rtl.params, **variant.params}.items()), *variant.ops)
        if circuit not in seen:
            seen.add(circuit)
            yield from _benches(accelerator, variant)
    names = [accelerator.name, prove.SHARED]
    for found in prove.failing(names, path):
        yield f"proof {found}"


def _benches(accelerator: Accelerator, variant: Variant) -> Iterator[str]:
    """Yield the benches of a variant that fail."""
    benches: dict[str, Callable[[], unit_bench.Outcome]] = {}
    if accelerator.manifest.is_unit:
        benches["unit bench"] = partial(unit_bench.rtl_equals_model, accelerator, variant)
    for bench in accelerator.manifest.bench:
        if bench.fast and cocotb_bench.applies(bench, variant):
            found = partial(cocotb_bench.run, accelerator, variant, bench.name)
            benches[f"bench {bench.name}"] = found
    for label, judged in benches.items():
        try:
            if judged().status != "pass":
                yield f"{label} of {variant.name}"
        except AesforgeError as error:  # it does not build, or never ends
            yield f"{label} of {variant.name}: {error.message[:80]}"


# For people ---------------------------------------------------------------------------------------


def table(accelerator: Accelerator, found: Sequence[Judged]) -> rows.Table:
    """Return what survived, and how many were killed by what."""
    killed = sum(judged.verdict == "killed" for judged in found)
    same = sum(judged.verdict == "equivalent" for judged in found)
    title = f"{accelerator.name}: {killed} of {len(found)} killed, {same} known as equivalent"
    lines = [
        (judged.verdict, judged.mutant.name, judged.by, judged.mutant.source)
        for judged in found
        if judged.verdict != "killed"
    ]
    heads = (("verdict", False), ("mutant", False), ("by", False), ("line", False))
    return rows.Table(title, heads, tuple(lines), ("line",))


def json_rows(accelerator: Accelerator, found: Sequence[Judged]) -> list[rows.Row]:
    """Return one row for each mutant (docs/json.md)."""
    return [
        {
            "accelerator": accelerator.name,
            "file": judged.mutant.file,
            "line": judged.mutant.line,
            "old": judged.mutant.old,
            "new": judged.mutant.new,
            "verdict": judged.verdict,
            "by": judged.by,
        }
        for judged in found
    ]
