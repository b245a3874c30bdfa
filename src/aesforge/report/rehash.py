# SPDX-License-Identifier: Apache-2.0
"""`python -m aesforge.report.rehash COMMIT...`: carry published figures over to another hash.

What a hash covers may change while nothing does that a tool reads. For each commit the code of
that commit computes the hashes of its own tree; records that have such a hash are shown to be of
that tree. Where the present code gives the same hash for what that tree hands to the tools and for
the present tree, the record keeps its figures and gets that hash. All others keep the hash that
they have and are listed: they are to be measured again. Nothing is written without --write.

Where the same circuit is written in other words, for example `Dir == "both"` for `Decrypt != 0`,
--respelled FILE says so: a TOML file of `[[respelled]] find, replace`, regular expressions that are
applied in their order to the RTL and the parameters of the old tree, after its own hashes were
taken. Whoever reads the file sees that the circuit stays; that nothing else changed, the hash says.

Where only RTL changed that a design does not use, --netlists SECONDS shows that the mapped netlist
stays (`aesforge.report.netlists`): designs alone first, then those inside cores, for that long.
Mappings are kept, so that a second run continues. --only NAME restricts all this to a unit.

Syntheses and proofs are carried over; simulations too with --simulations, which compiles the
firmware of every published cell on each tree.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from aesforge.base import proc, toml
from aesforge.base.errors import AesforgeError, ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.catalog.proof import Proof
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.report import netlists
from aesforge.synth import synthesis
from aesforge.synth.flow import TARGETS, Design, Target
from aesforge.synth.synthesis import SynthRecord
from aesforge.verify import prove
from aesforge.verify.prove import ProofRecord

SECONDS = 1800.0  # bound of an old tree's own hashing
SIMULATIONS_SECONDS = 7200.0  # firmware is compiled for it

# Runs on the code of the commit, and prints what it hands to the tools with the hash of that.
_OLD = """
import functools, json, sys
from dataclasses import asdict
from pathlib import Path
import aesforge
from aesforge.catalog import manifest
from aesforge.synth import synthesis
from aesforge.verify import prove
from aesforge.base.paths import BUILD, ROOT
manifest.discover = functools.cache(manifest.discover)  # the tree does not change meanwhile
assert Path(aesforge.__file__).is_relative_to(ROOT), "not the commit's own code"
def words(paths):
    return [str(path) for path in paths]
found, only = {"synthesis": [], "proofs": []}, sys.argv[1:]
for entry in synthesis.read_published():
    if only and entry.accelerator not in only:
        continue
    job = synthesis.Job(*(getattr(entry, name) for name in synthesis.Job.__dataclass_fields__))
    name = "-".join(filter(None, (job.accelerator, job.variant, job.scope)))
    folder = BUILD / "old" / name
    folder.mkdir(parents=True, exist_ok=True)
    try:
        target = synthesis.TARGETS[job.target]
        design = synthesis.design(job, folder)
        key = synthesis._inputs(design, target, placed=True)
    except Exception as error:
        print(f"{job.title}: {error}", file=sys.stderr)
        continue
    told = asdict(design) | {"files": words(design.files), "includes": words(design.includes)}
    one = {"job": asdict(job), "key": key, "design": told, "target": asdict(target)}
    found["synthesis"].append(one)
for run in prove._asked((), bugs=True, fast_only=False):
    if only and run.owner not in only:
        continue
    one = {"owner": run.owner, "proof": run.proof.model_dump(), "bug": run.bug}
    try:
        one |= {"sources": words(run.sources), "key": prove._key(run)}
    except Exception as error:
        print(f"{run.name}: {error}", file=sys.stderr)
        continue
    found["proofs"].append(one)
print(json.dumps(found))
"""

# Runs on some code and some tree, and prints the hashes of the tree's published simulations by that
# code. The argument is the package that judges; without it, the code is the tree's own.
_SIMULATIONS = """
import functools, json, sys
from dataclasses import replace
from pathlib import Path
from aesforge.bench import job as jobs
from aesforge.catalog import manifest, platform
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.report import netlists
manifest.discover = functools.cache(manifest.discover)  # the tree does not change meanwhile
platform.discover = functools.cache(platform.discover)
hashed = jobs.content_hash
if sys.argv[1:]:
    hashed = functools.partial(hashed, package=Path(sys.argv[1]))
accelerators = {found.name: found for found in manifest.on_cores()}
platforms = {found.name: found for found in platform.discover()}
default = jobs.Settings()
found = []
for entry in record.read_published():
    flags = entry.how.flags
    if entry.question == "crossover":  # computed from two others, and has the hash of one
        continue
    settings = replace(
        default,
        mct_outer=int(flags.get("mct_outer", default.mct_outer)),
        every_vector=entry.kind == "software" and flags.get("vectors") == "all",
        curves=tuple(flags.get("curves", "all").replace("all", "").split()),
    )
    if entry.question == "ecc":
        settings = replace(settings, every_vector=flags.get("vectors") == "all")
    if entry.question == "ecc_ct":
        settings = replace(settings, ecc_runs=int(flags["runs"]))
    try:
        unit = accelerators[entry.accelerator]
        variant, where = unit.variant(entry.variant), platforms[entry.platform]
        key = hashed(jobs.Job(unit, variant, where, entry.question, settings))
    except Exception as error:
        print(f"{' '.join(entry.place)}: {error}", file=sys.stderr)
        continue
    found.append([entry.place, key])
print(json.dumps(found))
"""

Place = tuple[object, ...]  # what a record is about


@dataclass(frozen=True)
class Hashes:
    """Of one place: the hash by a commit's own code, and by the present code of what it is of."""

    own: str
    present: str


class Respelled(BaseModel):
    """What an old tree's RTL says in other words than the present one: a regular expression."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    find: str
    replace: str


class Respellings(BaseModel):
    """The file of --respelled."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    respelled: list[Respelled] = []

    def text(self, old: str) -> str:
        """Return a text of the old tree in the present words."""
        for one in self.respelled:
            old = re.sub(one.find, one.replace, old)
        return old

    def files(self, tree: Path) -> None:
        """Rewrite the RTL and the manifests of an old tree, the generated files too."""
        for path in sorted([*tree.rglob("*.sv"), *tree.rglob("accel.toml")]):
            old = path.read_text(encoding="utf-8")
            if (new := self.text(old)) != old:
                path.write_text(new, encoding="utf-8")

    def parameter(self, name: str, value: str | int) -> tuple[str, str | int]:
        """Return a parameter in the present words: it is read as `name = value`, as in TOML."""
        new, _, told = self.text(f"{name} = {json.dumps(value)}").partition(" = ")
        return new, json.loads(told)


@dataclass(frozen=True)
class Carried:
    """What becomes of a published set: hashes by place that change, and what is to be redone."""

    current: list[Place]
    moved: dict[Place, str]
    stale: dict[Place, str]  # why


def decide(
    published: Mapping[Place, str],
    olds: Sequence[Mapping[Place, Hashes]],
    present: Mapping[Place, str],
) -> Carried:
    """Decide by place: `published` and `present` hashes, and those of commits."""
    found = Carried([], {}, {})
    for place, key in published.items():
        now = present.get(place)
        proved = [old[place] for old in olds if place in old and old[place].own == key]
        if now is None:
            found.stale[place] = "nothing asks for it any more"
        elif key == now:
            found.current.append(place)
        elif not proved:
            found.stale[place] = "its hash is not that of any of the commits"
        elif all(old.present != now for old in proved):
            found.stale[place] = "what the tools read has changed since the commit"
        else:
            found.moved[place] = now
    return found


@dataclass(frozen=True)
class _Commit:
    """The hashes of syntheses, proofs and simulations at a commit."""

    syntheses: dict[Place, Hashes]
    proofs: dict[Place, Hashes]
    simulations: dict[Place, Hashes]


def _old_hashes(
    commit: str,
    respellings: Respellings,
    stale: Collection[str],
    only: Sequence[str],
    *,
    simulations: bool,
) -> _Commit:
    """Return a commit's hashes; of syntheses and proofs only those that are `stale` now."""
    with _worktree(commit) as tree:
        done = proc.run(
            [sys.executable, "-c", _OLD, *only],
            timeout=SECONDS,
            cwd=tree,
            env={
                "PYTHONPATH": str(tree / "src"),
                "AESFORGE_ROOT": str(tree),
                "AESFORGE_BUILD": str(tree / "build"),
            },
        )
        sys.stderr.write(done.stderr)
        told = json.loads(done.stdout.splitlines()[-1])
        package = tree / "src" / "aesforge"
        own = _simulations(tree, tree) if simulations else {}
        respellings.files(tree)
        now = _simulations(ROOT, tree, package) if simulations else {}
        syntheses = {
            _synthesis_place(entry["job"]): Hashes(
                entry["key"], _synthesis_key(entry, package, respellings)
            )
            for entry in told["synthesis"]
            if entry["key"] in stale
        }
        proofs: dict[Place, Hashes] = {
            (entry["owner"], entry["proof"]["name"], entry["bug"]): Hashes(
                entry["key"], _proof_key(entry, package)
            )
            for entry in told["proofs"]
            if entry["key"] in stale
        }
    both = own.keys() & now.keys()
    return _Commit(syntheses, proofs, {place: Hashes(own[place], now[place]) for place in both})


def _simulations(code: Path, tree: Path, judge: Path | None = None) -> dict[Place, str]:
    """Return the hashes of a tree's published simulations by the code of `code`."""
    done = proc.run(
        [sys.executable, "-c", _SIMULATIONS, *([str(judge)] if judge else [])],
        timeout=SIMULATIONS_SECONDS,
        cwd=tree,
        env={
            "PYTHONPATH": str(code / "src"),
            "AESFORGE_ROOT": str(tree),
            "AESFORGE_BUILD": str(BUILD / "rehash"),
        },
    )
    sys.stderr.write(done.stderr)
    return {tuple(place): key for place, key in json.loads(done.stdout.splitlines()[-1])}


def _synthesis_place(job: Mapping[str, object]) -> Place:
    return tuple(job[field.name] for field in fields(synthesis.Job))


def _synthesis_key(
    entry: Mapping[str, dict[str, object]],
    package: Path,
    respellings: Respellings,
) -> str:
    """Return the present kind of hash of what a commit's code hands to Yosys."""
    told = entry["design"]
    paths = {name: tuple(map(Path, _list(told[name]))) for name in ("files", "includes")}
    params = tuple(respellings.parameter(*_list(pair)) for pair in _list(told["params"]))
    design = Design(**{**told, **paths, "params": params})  # type: ignore[arg-type]
    told = {name: tuple(v) if isinstance(v, list) else v for name, v in entry["target"].items()}
    target = Target(**told)  # type: ignore[arg-type]
    try:
        return synthesis._inputs(design, target, placed=True, package=package)
    except AesforgeError as error:
        return f"none: {error}"


def _list(value: object) -> list[str]:
    """Return a list as JSON has it."""
    assert isinstance(value, list)
    return value


def _proof_key(entry: Mapping[str, object], package: Path) -> str:
    """Return the present kind of hash of what a commit's code hands to SymbiYosys."""
    proof = entry["proof"]
    assert isinstance(proof, dict)
    run = prove._Run(
        str(entry["owner"]),
        Proof.model_construct(**proof),  # names of variants are in it, which no manifest may have
        str(entry["bug"]),
        tuple(map(Path, _list(entry["sources"]))),
    )
    try:
        return prove._key(run, package)
    except AesforgeError as error:
        return f"none: {error}"


@contextmanager
def _worktree(commit: str) -> Iterator[Path]:
    """Check a commit out into a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="aesforge-") as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        done = subprocess.run(
            [*git, "add", "--quiet", "--detach", str(tree), commit],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise ToolError(f"cannot check out {commit}: {done.stderr.strip()}")
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=False)


def _present_syntheses(published: Iterable[SynthRecord]) -> dict[Place, str]:
    """Return the hashes that the present tree gives to published syntheses."""
    found: dict[Place, str] = {}
    for entry in published:
        job = synthesis.job_of(entry)
        name = "-".join(filter(None, (job.accelerator, job.variant, job.scope)))
        folder = synthesis.CACHE / "generated" / name
        folder.mkdir(parents=True, exist_ok=True)
        try:
            target = TARGETS[job.target]
            found[_synthesis_place(asdict(job))] = synthesis._inputs(
                synthesis.design(job, folder), target, placed=True
            )
        except (AesforgeError, KeyError) as error:
            print(f"{job.title}: {error}", file=sys.stderr)
    return found


def _present_proofs(only: Sequence[str] = ()) -> dict[Place, str]:
    """Return the hashes of present proofs and planted bugs, all or `only` of these owners."""
    runs = prove._asked(only, bugs=True, fast_only=False)
    return {(run.owner, run.proof.name, run.bug): prove._key(run) for run in runs}


def _by_netlist(
    found: Carried,
    records: Mapping[Place, SynthRecord],
    olds: Mapping[str, _Commit],
    present: Mapping[Place, str],
    seconds: float,
) -> Carried:
    """Carry over stale syntheses that the present tree makes too; `olds` are commits by name."""
    designs: dict[tuple[bool, str, str], list[Place]] = {}  # all seeds of a design together
    for place in found.stale:
        if place in present:
            entry = records[place]
            job = replace(synthesis.job_of(entry), seed=0)
            key = (entry.scope != synthesis.UNIT, job.title, entry.inputs_sha256)
            designs.setdefault(key, []).append(place)
    moved, stale, end = dict(found.moved), dict(found.stale), time.monotonic() + seconds
    with ExitStack() as stack:
        trees: dict[str, Path] = {}

        def tree(commit: str) -> Path:
            if commit not in trees:
                trees[commit] = stack.enter_context(_worktree(commit))
            return trees[commit]

        for number, places in enumerate((designs[key] for key in sorted(designs)), 1):
            entry = records[places[0]]
            title = replace(synthesis.job_of(entry), seed=0).title
            if time.monotonic() > end:
                why = "no time was left to map it"
            else:
                commit = _commit_of(places[0], entry.inputs_sha256, olds)
                try:
                    why = netlists.difference(entry, partial(tree, commit) if commit else None)
                except AesforgeError as error:
                    why = str(error)
            print(f"[{number}/{len(designs)}] {title}: {why or 'the same'}", file=sys.stderr)
            for place in places:
                stale[place] = why
                if not why:
                    del stale[place]
                    moved[place] = present[place]
    return Carried(found.current, moved, stale)


def _commit_of(place: Place, key: str, olds: Mapping[str, _Commit]) -> str:
    """Return a commit at which a published hash was current; nothing if none is known."""
    for name, old in olds.items():
        if place in old.syntheses and old.syntheses[place].own == key:
            return name
    return ""


def _tell(what: str, found: Carried) -> None:
    """Print what becomes of a published set."""
    print(
        f"{what}: {len(found.current)} current, {len(found.moved)} carried over,"
        f" {len(found.stale)} to be measured again"
    )
    for place, why in found.stale.items():
        print("  " + " ".join(str(part) for part in place if part != "") + f": {why}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m aesforge.report.rehash", description=__doc__)
    parser.add_argument("commit", nargs="+", help="at which published hashes were valid")
    parser.add_argument("--jobs", type=int, default=2, help="commits at a time (default 2)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="an accelerator, or 'shared'"
    )
    parser.add_argument("--respelled", type=Path, metavar="FILE", help="other words, same circuit")
    parser.add_argument(
        "--netlists", type=float, default=0, metavar="SECONDS", help="map what has other RTL"
    )
    parser.add_argument("--simulations", action="store_true", help="of simulations too (minutes)")
    parser.add_argument("--write", action="store_true", help="write the new hashes")
    asked = parser.parse_args(arguments)
    respellings = Respellings()
    if asked.respelled:
        respellings = toml.load(asked.respelled, Respellings, "list [[respelled]] find, replace")
    syntheses = synthesis.read_published()
    at: dict[Place, SynthRecord] = {
        _synthesis_place(asdict(synthesis.job_of(e))): e for e in syntheses
    }
    proofs: dict[Place, ProofRecord] = {
        (e.owner, e.proof, e.bug): e for e in prove.read_published()
    }
    only = asked.only
    mine = {p: e for p, e in at.items() if not only or e.accelerator in only}
    bound = {p: e for p, e in proofs.items() if not only or e.owner in only}
    present, provable = _present_syntheses(mine.values()), _present_proofs(only)
    stale = {e.inputs_sha256 for p, e in mine.items() if present.get(p) != e.inputs_sha256}
    stale |= {e.inputs_sha256 for p, e in bound.items() if provable.get(p) != e.inputs_sha256}
    with ThreadPoolExecutor(max_workers=asked.jobs) as pool:
        work = partial(
            _old_hashes,
            respellings=respellings,
            stale=stale,
            only=only,
            simulations=asked.simulations,
        )
        olds = list(pool.map(work, asked.commit))
    keys = {place: entry.inputs_sha256 for place, entry in mine.items()}
    mapped = decide(keys, [old.syntheses for old in olds], present)
    if asked.netlists:
        known = dict(zip(asked.commit, olds, strict=True))
        mapped = _by_netlist(mapped, at, known, present, asked.netlists)
    _tell("syntheses", mapped)
    keys = {place: entry.inputs_sha256 for place, entry in bound.items()}
    proved = decide(keys, [old.proofs for old in olds], provable)
    _tell("proofs", proved)
    measured = record.read_published()
    cells: dict[Place, Record] = {e.place: e for e in measured if e.question != "crossover"}
    keys = {place: entry.how.inputs_sha256 for place, entry in cells.items()}
    counted = Carried([], {}, {})
    if asked.simulations:
        now = _simulations(ROOT, ROOT, ROOT / "src" / "aesforge")
        counted = decide(keys, [old.simulations for old in olds], now)
        _tell("simulations", counted)
    if asked.write:
        renewed = {keys[place]: key for place, key in counted.moved.items()}
        hows = [e.how.model_copy(update=_renewed(renewed, e.how.inputs_sha256)) for e in measured]
        record.write_lines(
            [e.model_copy(update={"how": how}) for e, how in zip(measured, hows, strict=True)],
            record.PUBLISHED,
        )
        record.write_lines(
            [e.model_copy(update=_new(mapped, place)) for place, e in at.items()],
            synthesis.PUBLISHED,
        )
        record.write_lines(
            [e.model_copy(update=_new(proved, place)) for place, e in proofs.items()],
            prove.PUBLISHED,
        )
    return 0


def _renewed(moved: Mapping[str, str], key: str) -> dict[str, str]:
    """Return what changes where a record, or the one it is computed from, has a hash that moved."""
    return {"inputs_sha256": moved[key]} if key in moved else {}


def _new(found: Carried, place: Place) -> dict[str, str]:
    """Return what changes in the record of a place."""
    return {"inputs_sha256": found.moved[place]} if place in found.moved else {}


if __name__ == "__main__":
    sys.exit(main())
