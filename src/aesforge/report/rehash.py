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

Syntheses and proofs are carried over: they take days, simulations take hours.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from aesforge.base import proc, toml
from aesforge.base.errors import AesforgeError, ToolError
from aesforge.base.paths import ROOT
from aesforge.catalog.proof import Proof
from aesforge.records import record
from aesforge.synth import synthesis
from aesforge.synth.flow import TARGETS, Design, Target
from aesforge.synth.synthesis import SynthRecord
from aesforge.verify import prove
from aesforge.verify.prove import ProofRecord

SECONDS = 1800.0  # bound of an old tree's own hashing

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
found = {"synthesis": [], "proofs": []}
for entry in synthesis.read_published():
    job = synthesis.job_of(entry)
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
    one = {"owner": run.owner, "proof": run.proof.model_dump(), "bug": run.bug}
    try:
        one |= {"sources": words(run.sources), "key": prove._key(run)}
    except Exception as error:
        print(f"{run.name}: {error}", file=sys.stderr)
        continue
    found["proofs"].append(one)
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
        """Rewrite the RTL of an old tree, the generated files too."""
        for path in sorted(tree.rglob("*.sv")):
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


def _old_hashes(
    commit: str, respellings: Respellings
) -> tuple[dict[Place, Hashes], dict[Place, Hashes]]:
    """Return the hashes of syntheses and of proofs at a commit."""
    with _worktree(commit) as tree:
        done = proc.run(
            [sys.executable, "-c", _OLD],
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
        respellings.files(tree)
        syntheses = {
            _synthesis_place(entry["job"]): Hashes(
                entry["key"], _synthesis_key(entry, package, respellings)
            )
            for entry in told["synthesis"]
        }
        proofs: dict[Place, Hashes] = {
            (entry["owner"], entry["proof"]["name"], entry["bug"]): Hashes(
                entry["key"], _proof_key(entry, package)
            )
            for entry in told["proofs"]
        }
    return syntheses, proofs


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


def _present_syntheses(published: Sequence[SynthRecord]) -> dict[Place, str]:
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


def _present_proofs() -> dict[Place, str]:
    """Return the hashes of all present proofs and planted bugs."""
    runs = prove._asked((), bugs=True, fast_only=False)
    return {(run.owner, run.proof.name, run.bug): prove._key(run) for run in runs}


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
    parser.add_argument("--respelled", type=Path, metavar="FILE", help="other words, same circuit")
    parser.add_argument("--write", action="store_true", help="write the new hashes")
    asked = parser.parse_args(arguments)
    respellings = Respellings()
    if asked.respelled:
        respellings = toml.load(asked.respelled, Respellings, "list [[respelled]] find, replace")
    with ThreadPoolExecutor(max_workers=asked.jobs) as pool:
        olds = list(pool.map(lambda commit: _old_hashes(commit, respellings), asked.commit))

    syntheses = synthesis.read_published()
    at: dict[Place, SynthRecord] = {
        _synthesis_place(asdict(synthesis.job_of(e))): e for e in syntheses
    }
    keys = {place: entry.inputs_sha256 for place, entry in at.items()}
    mapped = decide(keys, [old for old, _ in olds], _present_syntheses(syntheses))
    _tell("syntheses", mapped)
    proofs: dict[Place, ProofRecord] = {
        (e.owner, e.proof, e.bug): e for e in prove.read_published()
    }
    keys = {place: entry.inputs_sha256 for place, entry in proofs.items()}
    proved = decide(keys, [old for _, old in olds], _present_proofs())
    _tell("proofs", proved)
    if asked.write:
        record.write_lines(
            [e.model_copy(update=_new(mapped, place)) for place, e in at.items()],
            synthesis.PUBLISHED,
        )
        record.write_lines(
            [e.model_copy(update=_new(proved, place)) for place, e in proofs.items()],
            prove.PUBLISHED,
        )
    return 0


def _new(found: Carried, place: Place) -> dict[str, str]:
    """Return what changes in the record of a place."""
    return {"inputs_sha256": found.moved[place]} if place in found.moved else {}


if __name__ == "__main__":
    sys.exit(main())
