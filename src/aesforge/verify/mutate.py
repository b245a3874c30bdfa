# SPDX-License-Identifier: Apache-2.0
"""`aesforge mutate`: one operator of RTL or C changed at a time, and whether a check notices.

A mutant is killed by the first check that fails, of those whose circuit holds the changed operator:
the benches of each variant, then the proofs, the quickest first. In C these are emulations and
kernels on the host, then tests of the modes. One that nothing kills has
survived: either it is equivalent, and formal/equivalent.toml says why, or a check is missing. A
bench that never ends is stopped by its own limit, which counts as killed.

Each mutant is judged in a tree of links of its own, in a child process, so that the repository is
never touched. What a check said of a circuit is kept in build/, so that a campaign that was stopped
goes on where it was. A check that fails without a mutant kills nothing: it ends the campaign.
"""

import json
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

from aesforge.base import pool, proc
from aesforge.base.errors import AesforgeError, ToolError, UsageError
from aesforge.base.files import write_text
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import library
from aesforge.catalog import manifest
from aesforge.records import record, rows
from aesforge.verify import killers, killers_c, mutants, prove, unit_bench
from aesforge.verify.killers import Check, Said
from aesforge.verify.mutants import Mutant

SHARED = killers.SHARED
PUBLISHED = ROOT / "results" / "mutants.jsonl"
JUDGE_SECONDS = 7200.0

_SHARED_FOLDERS = ("rtl/adapters", "rtl/bus")
_COPIED = (
    *("accelerators", "boards", "formal", "platforms", "rtl", "sim", "sw", "tests", "vectors"),
    "pyproject.toml",
)
_LENT = (
    "runtime",
    "digests",
    "objects",
    "proofs/cache",
)  # of build/: what is kept under its contents

Code = Literal["rtl", "c"]
Verdict = Literal["killed", "survived", "equivalent", "error"]


@dataclass(frozen=True)
class Judged:
    """A mutant, what became of it, and which check or reason says so."""

    mutant: Mutant
    verdict: Verdict
    by: str
    keys: tuple[str, ...] = ()  # hashes of the checks that the verdict depends on


# Choosing -----------------------------------------------------------------------------------------


def targets(names: Sequence[str], code: Code = "rtl") -> list[str]:
    """Return what `names` lists, or everything shared and every accelerator that has the code."""
    has = killers_c.able if code == "c" else (lambda found: found.manifest.rtl is not None)
    able = [SHARED, *(found.name for found in manifest.discover() if has(found))]
    for name in names:
        if name not in able:
            if name in {a.name for a in manifest.discover()}:
                what = "RTL to change" if code == "rtl" else "C that a bench runs on the host"
                raise UsageError(f"{name} has no {what}", f"known: {', '.join(able)}")
            raise UsageError(f"no accelerator '{name}'", f"known: {', '.join(able)}")
    return list(names) or able


def checks(name: str, code: Code) -> tuple[Check, ...]:
    """Return the checks of a target in the order of trying."""
    return killers_c.of(name) if code == "c" else killers.of(name)


def choose(name: str, count: int, seed: int, code: Code = "rtl") -> list[Mutant]:
    """Return `count` mutants of the circuits that an accelerator's benches hold, or all of them.

    Of the shared RTL: adapters and buses, as far as any check holds them. Of C: what a check
    compiles to other code; of the shared C: the modes. Each file in turn. The choice depends on the
    seed and on the sources alone.
    """
    asked = killers.draws(name) if code == "rtl" else killers_c.of(name)

    def live(mutant: Mutant) -> bool:
        return any(check.holds(mutant) for check in asked)

    def worth(mutant: Mutant) -> bool:
        return code == "rtl" or killers_c.changes_code(name, mutant)

    groups = killers_c.files(name) if code == "c" else _groups(name)
    return mutants.choose(groups, live, count, f"{name} {seed}", worth)


def _groups(name: str) -> list[list[Path]]:
    """Return the RTL that is mutated for a target, without benches and proofs.

    That of accelerators and what they share take turns, so that S-boxes do not crowd out the rest.
    """
    if name == SHARED:
        return [[path for path in (ROOT / folder).glob("*.sv")] for folder in _SHARED_FOLDERS]
    found = library.all_files(manifest.find(name))
    parts = {path: path.relative_to(ROOT).parts for path in found if path.is_relative_to(ROOT)}
    own = [path for path, part in parts.items() if (part[0], part[2]) == ("accelerators", "rtl")]
    return [own, [path for path, part in parts.items() if part[0] == "rtl"]]


# Judging ------------------------------------------------------------------------------------------


def run(
    name: str,
    chosen: Sequence[Mutant],
    workers: int,
    ended: Callable[[Judged], None] = lambda judged: None,
    code: Code = "rtl",
) -> list[Judged]:
    """Judge mutants, `workers` at a time; results in order."""
    known = mutants.equivalent()

    def judged(mutant: Mutant) -> Judged:
        for entry in known:
            if entry.says(mutant):
                return Judged(mutant, "equivalent", entry.because)
        return _judged(name, mutant, code)

    return pool.ordered(judged, chosen, workers, lambda _, result: ended(result))


def _judged(name: str, mutant: Mutant, code: Code = "rtl") -> Judged:
    """Judge one: by what is kept, then by the checks of which nothing is."""
    texts = {mutant.path: mutant.text()}
    asked = [check for check in checks(name, code) if check.holds(mutant)]
    open_, keys = False, []
    for place, check in enumerate(asked):
        said = _kept(check.key(texts))
        if said is None:
            try:
                fresh = _ask(name, code, texts, asked[place:])
            except ToolError as error:
                return Judged(mutant, "error", str(error))
            pairs = list(zip(asked[place:], fresh, strict=False))
            for one, heard in pairs:
                _keep(one.key(texts), heard)
        else:
            pairs = [(check, said)]
        for one, heard in pairs:
            keys.append(one.key(texts))
            if heard.noticed:
                _require_sound(name, code, one)
                return Judged(mutant, "killed", f"{one.label}: {heard.noticed}", (keys[-1],))
            open_ = open_ or heard.undecided
        if said is None:
            break
    return Judged(mutant, "survived", "a proof ran into its limit" if open_ else "", tuple(keys))


def _ask(name: str, code: Code, texts: Mapping[Path, str], asked: Sequence[Check]) -> list[Said]:
    """Run checks, until one notices something, in a tree and with a build folder of their own."""
    place = BUILD / "mutants"
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place, prefix="tree-") as folder:
        tree, build = Path(folder) / "tree", Path(folder) / "build"
        _copy(tree)
        for path, text in texts.items():
            copy = tree / path.relative_to(ROOT)
            copy.unlink()
            write_text(copy, text)
        for lent in _LENT:
            (BUILD / lent).mkdir(parents=True, exist_ok=True)
            (build / lent).parent.mkdir(parents=True, exist_ok=True)
            (build / lent).symlink_to(BUILD / lent)
        program = "import sys; from aesforge.verify import mutate; mutate.judge(*sys.argv[1:])"
        done = proc.run(
            [sys.executable, "-c", program, name, code, json.dumps([c.label for c in asked])],
            timeout=JUDGE_SECONDS,
            cwd=tree,
            env={
                "AESFORGE_ROOT": str(tree),
                "AESFORGE_BUILD": str(build),
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
        )
        return [Said(**found) for found in json.loads(done.stdout.splitlines()[-1])]


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


def judge(name: str, code: Code, labels: str) -> None:
    """Print what checks say of the tree in which this runs, up to the first that notices."""
    known = {check.label: check for check in checks(name, code)}
    found: list[Said] = []
    for label in json.loads(labels):
        found.append(known[label].run())
        if found[-1].noticed:
            break
    print(json.dumps([vars(said) for said in found]))


_SOUND: set[str] = set()
_LOCK = threading.Lock()


def _require_sound(name: str, code: Code, check: Check) -> None:
    """Refuse a check that fails without a mutant."""
    with _LOCK:
        if check.label in _SOUND or check.passed():
            _SOUND.add(check.label)
            return
        said = _kept(check.key({}))
        if said is None:
            (said,) = _ask(name, code, {}, [check])
            _keep(check.key({}), said)
        if said.noticed or said.undecided:
            raise AesforgeError(f"{check.label} fails without a mutant", "mend that first")
        _SOUND.add(check.label)


def _place(key: str) -> Path:
    return BUILD / "mutants" / "said" / f"{key}.json"


def _kept(key: str) -> Said | None:
    """Return what a check said; a damaged file counts as none."""
    try:
        return Said(**json.loads(_place(key).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _keep(key: str, said: Said) -> None:
    """Keep what a check said, unless more time could change it."""
    if not said.undecided:
        record.write_atomically(_place(key), json.dumps(vars(said)))


# Records ------------------------------------------------------------------------------------------


class MutantsRecord(BaseModel):
    """The mutants of one accelerator, or of the shared RTL, and what became of each."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    accelerator: str
    question: Code = "rtl"  # what was changed
    seed: int
    asked: int  # how many were to be drawn; fewer if there are not that many
    tools: dict[str, str]
    inputs_sha256: str
    mutants: dict[str, str]  # "file: `line`: old -> new": "killed by ...", or another verdict

    @model_validator(mode="after")
    def _whole(self) -> "MutantsRecord":
        if not 0 < len(self.mutants) <= self.asked:
            raise ValueError(f"{self.accelerator}: {len(self.mutants)} of {self.asked} mutants")
        for mutant, said in self.mutants.items():
            if _verdict(said) == "error":
                raise ValueError(f"{self.accelerator}: {mutant}: no verdict: '{said}'")
        return self

    def count(self, verdict: str) -> int:
        """Return how many mutants have a verdict."""
        return sum(_verdict(said) == verdict for said in self.mutants.values())


def make_record(
    name: str, asked: int, seed: int, found: Sequence[Judged], code: Code = "rtl"
) -> MutantsRecord:
    """Return the record of a target; AesforgeError if a mutant has no verdict."""
    said: dict[str, str] = {}
    for judged in found:
        if judged.verdict == "error":
            raise AesforgeError(f"{judged.mutant.name}: {judged.by}", "repeat the campaign")
        mutant = judged.mutant
        title = f"{mutant.file}: `{mutant.source}`: {mutant.change}"
        while title in said:  # the same line further down
            title += ", again"
        words = f"{judged.verdict} by {judged.by}" if judged.verdict == "killed" else judged.verdict
        said[title] = words
    return MutantsRecord(
        accelerator=name,
        question=code,
        seed=seed,
        asked=asked,
        tools={"benches": unit_bench.tool_versions(), **(prove.tools() if code == "rtl" else {})},
        inputs_sha256=proc.digest(*said, *(key for judged in found for key in judged.keys)),
        mutants=said,
    )


def read_published() -> list[MutantsRecord]:
    """Return what results/mutants.jsonl holds; nothing if there is no such file."""
    if not PUBLISHED.is_file():
        return []
    return record.read_lines(MutantsRecord, PUBLISHED, "run `aesforge mutate --publish`")


def joined(old: Iterable[MutantsRecord], new: Iterable[MutantsRecord]) -> list[MutantsRecord]:
    """Return old records and new ones, which take the places of those of the same target."""
    found = {(entry.question, entry.accelerator): entry for entry in (*old, *new)}
    return [found[place] for place in sorted(found, reverse=True)]


def page_table(published: Sequence[MutantsRecord]) -> str:
    """Return the tables of published campaigns, and below each what survived."""
    parts: list[str] = []
    for code, name, last in (("rtl", "RTL", "proofs or tests"), ("c", "C", "tests")):
        chosen = sorted((e for e in published if e.question == code), key=lambda e: e.accelerator)
        if not chosen:
            continue
        heads = (f"killed by {found}" for found in ("benches", last))
        parts += [
            f"| {name} | mutants | {' | '.join(heads)} | equivalent | **survived** |",
            "|---|---:|---:|---:|---:|---:|",
        ]
        totals = [0] * 5
        alive: list[str] = []
        for entry in chosen:
            killers_ = [said.split()[2] for said in entry.mutants.values() if " by " in said]
            late = sum(word in ("proof", "test") for word in killers_)
            counts = [len(entry.mutants), entry.count("killed") - late, late]
            counts += [entry.count("equivalent"), entry.count("survived")]
            totals = [total + count for total, count in zip(totals, counts, strict=True)]
            parts.append(f"| {entry.accelerator} | {' | '.join(map(str, counts))} |")
            found = entry.mutants.items()
            alive += [f"- {mutant}" for mutant, said in found if _verdict(said) == "survived"]
        parts += [f"| **all** | {' | '.join(map(str, totals))} |", ""]
        parts += ["Survivors:", "", *alive, ""] if alive else []
    return "\n".join(parts)


def _verdict(said: str) -> Verdict:
    """Return the verdict that a record's words begin with."""
    known: dict[str, Verdict] = {"survived": "survived", "equivalent": "equivalent"}
    if said.startswith("killed by ") and ": " in said:
        return "killed"
    return known.get(said, "error")


# For people ---------------------------------------------------------------------------------------


def table(name: str, found: Sequence[Judged]) -> rows.Table:
    """Return what survived, and how many were killed by what."""
    killed = sum(judged.verdict == "killed" for judged in found)
    same = sum(judged.verdict == "equivalent" for judged in found)
    title = f"{name}: {killed} of {len(found)} killed, {same} known as equivalent"
    lines = [
        (judged.verdict, judged.mutant.name, judged.by, judged.mutant.source)
        for judged in found
        if judged.verdict != "killed"
    ]
    heads = (("verdict", False), ("mutant", False), ("by", False), ("line", False))
    return rows.Table(title, heads, tuple(lines), ("line",))


def json_rows(name: str, found: Sequence[Judged]) -> list[rows.Row]:
    """Return one row for each mutant (docs/json.md)."""
    return [
        {
            "accelerator": name,
            "file": judged.mutant.file,
            "line": judged.mutant.line,
            "nth": judged.mutant.nth,
            "old": judged.mutant.old,
            "new": judged.mutant.new,
            "verdict": judged.verdict,
            "by": judged.by,
        }
        for judged in found
    ]
