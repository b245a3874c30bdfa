# SPDX-License-Identifier: Apache-2.0
"""Whether published syntheses are also those of the present tree: `rehash --netlists`.

RTL may change in a branch that a variant does not use. Then the hash of what the tools read changes
and the circuit does not. Two facts show that a record's figures stay:

- What Yosys counts (LUTs, flip-flops, gates, the path of standard cells) is counted again on the
  present tree. Every figure must be that of the record.
- A clock after place and route follows from netlist, command and seed. So the commit's own code
  maps the commit's design, the present code maps the present one, and the netlists must be equal.

Equal netlists have the same ports, cells, parameters, attributes and nets, with the same names.
Four things are left out, because nextpnr's result does not depend on them: the attribute `src`,
cells of the type `$scopeinfo`, the numbers by which the file joins pins, and what is inside the
black boxes of Yosys's library. Names are not left
out: nextpnr reads cells in the order of their names, so other names give another placement.
"""

import ast
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from aesforge.base import proc
from aesforge.base.paths import BUILD
from aesforge.build import simulate
from aesforge.synth import flow, synthesis
from aesforge.synth.flow import MAP_SECONDS, NETLIST, TARGETS, Mapped, Target
from aesforge.synth.synthesis import Job, SynthRecord

KEPT = BUILD / "rehash" / "netlists"  # of old trees, by their hash
LIBRARY = {"blackbox", "whitebox"}  # attributes of its modules
SCOPE = "$scopeinfo"  # cells that only say which instance a cell is from

# Runs on the code of a commit: maps one of its designs in the current folder.
_MAP = """
import json, sys
from dataclasses import asdict, replace
from pathlib import Path
import aesforge
from aesforge.base.paths import ROOT
from aesforge.synth import flow, synthesis
assert Path(aesforge.__file__).is_relative_to(ROOT), "not the commit's own code"
job, generated, folder = synthesis.Job(**json.loads(sys.argv[1])), Path("generated"), Path("map")
for path in (generated, folder):
    path.mkdir()
target = synthesis.TARGETS[job.target]
design = synthesis.design(job, generated.resolve())
mapped = flow.map_design(design, target, folder.resolve(), Path("log").resolve())
told = {"mapped": asdict(mapped), "target": asdict(target)}
Path("told.json").write_text(json.dumps(told), encoding="utf-8")
"""


def form(netlist: Path) -> str:
    """Return a digest of what place and route depends on in a netlist of Yosys's `write_json`."""
    modules = json.loads(netlist.read_text(encoding="utf-8"))["modules"]
    told = [[name, _module(modules[name])] for name in sorted(modules)]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


_PARTS = ("ports", "cells", "netnames")


def _module(module: dict[str, Any]) -> list[object]:
    """Return a module with its bits numbered in the order of names."""
    numbers: dict[int, int] = {}
    parts = _PARTS[:1] if LIBRARY & module["attributes"].keys() else _PARTS

    def pins(bits: Iterable[int | str]) -> list[int | str]:
        """Constants are texts."""
        return [
            bit if isinstance(bit, str) else numbers.setdefault(bit, len(numbers)) for bit in bits
        ]

    found: list[object] = []
    for kind in parts:
        for name, entry in sorted(module.get(kind, {}).items()):
            if entry.get("type") == SCOPE:
                continue
            told = dict(entry)
            if "bits" in told:
                told["bits"] = pins(told["bits"])
            if "connections" in told:
                joined = sorted(told["connections"].items())
                told["connections"] = [[port, pins(bits)] for port, bits in joined]
            found.append([kind, name, _placeless(told)])
    rest = {
        key: value for key, value in module.items() if key not in ("ports", "cells", "netnames")
    }
    return [_placeless(rest), *found]


def _placeless(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry without the place of its source."""
    attributes = {key: text for key, text in entry.get("attributes", {}).items() if key != "src"}
    return {**entry, "attributes": attributes}


def _gates(modules: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the gates of modules; a hash of parameters in a name does not count."""
    return sorted((re.sub(r"\$paramod\$[0-9a-f]{40}", "", name), n) for name, n in modules.items())


def _same_target(told: dict[str, Any], target: Target) -> bool:
    """Compare a commit's target with the present one; it may lack fields that came later."""
    values = {name: tuple(v) if isinstance(v, list) else v for name, v in told.items()}
    try:
        old = Target(**values)  # type: ignore[arg-type]
    except TypeError:  # a field that is gone
        return False
    return replace(old, summary=target.summary) == target


def routing(package: Path) -> str:
    """Return how the tool in `package` places, routes and reads the clock, without its words."""
    text = (package / "synth" / "flow.py").read_text(encoding="utf-8")
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in ("route", "_pin_arguments"):
            if ast.get_docstring(node) is not None:
                del node.body[0]
            found.append(ast.dump(node))
    return "\n".join(found)


def difference(entry: SynthRecord, tree: Callable[[], Path] | None) -> str:
    """Say why a record is not one of the present tree; nothing if it is.

    `tree` checks out a commit whose own code gives the record's hash; None if none is known.
    """
    job, target = synthesis.job_of(entry), TARGETS[entry.target]
    if entry.tool_versions != flow.tools(target):
        return "other versions of the tools"
    if entry.recipe != target.recipe:
        return "another recipe"
    folder, mapped = _present(job)
    for name, value in synthesis.counted(target, mapped).items():
        if name != "modules" and (old := getattr(entry, name)) != value:
            return f"{name} was {old}, is {value}"
    if _gates(entry.modules) != _gates(mapped.modules):
        return "other gates in a module"
    if not target.tool:
        return ""
    if tree is None:
        return "no commit has its hash"
    package = (code := tree()) / "src" / "aesforge"
    kept = _old(code, job, entry.inputs_sha256)
    told = json.loads((kept / "told.json").read_text(encoding="utf-8"))
    if not _same_target(told["target"], target):
        return "another target"
    if routing(package) != routing(Path(flow.__file__).parents[1]):
        return "placed and routed by another command"
    if Mapped(**told["mapped"]) != mapped or form(kept / "map" / NETLIST) != form(folder / NETLIST):
        return "another netlist"
    return ""


def _present(job: Job) -> tuple[Path, Mapped]:
    """Map a design of the present tree; return the kept folder and the cells."""
    name = "-".join(filter(None, (job.accelerator, job.variant, job.scope)))
    generated = synthesis.CACHE / "generated" / name
    generated.mkdir(parents=True, exist_ok=True)
    target = TARGETS[job.target]
    log = BUILD / "logs" / f"rehash-{name}-{target.name}"
    folder = synthesis._netlist(synthesis.design(job, generated), target, log)
    return folder, synthesis._read_mapped(folder)


def _old(tree: Path, job: Job, key: str) -> Path:
    """Map a design of an old tree with that tree's code; return the folder that `key` keeps."""

    def make(folder: Path) -> None:
        proc.run(
            [sys.executable, "-c", _MAP, json.dumps(asdict(job))],
            timeout=2 * MAP_SECONDS,
            cwd=folder,
            env={
                "PYTHONPATH": str(tree / "src"),
                "AESFORGE_ROOT": str(tree),
                "AESFORGE_BUILD": str(tree / "build"),
            },
        )

    return simulate.cached(KEPT / key[:32], make)
