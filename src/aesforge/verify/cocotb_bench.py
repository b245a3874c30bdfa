# SPDX-License-Identifier: Apache-2.0
"""Benches of accelerators on a bus or a stream: cocotb modules named by `[[bench]]`.

The tool side builds a bench and reads cocotb's verdict; the bench's own side, inside the simulator,
asks `job()` what it was built for.
"""

import json
import os
import shutil
import xml.etree.ElementTree as ET
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from aesforge.base.errors import ManifestError, ToolError
from aesforge.base.paths import BUILD
from aesforge.build import cocotb_sim, codegen, library
from aesforge.build.elaborate import Design
from aesforge.catalog import planted
from aesforge.catalog.manifest import Accelerator, Bench, Variant
from aesforge.verify.unit_bench import Outcome

SEED = 20080401  # any number; fixed, so that a failure can be repeated
RUN_SECONDS = 1800.0

# What a bench raises where the RTL is wrong; everything else means that the bench is.
_FINDINGS = ("AssertionError", "SimTimeoutError", "SimFailure")
_PROBLEMS = ("failure", "error")  # elements of results.xml

_JOB = "AESFORGE_BENCH_JOB"  # environment: the file that holds the job


@dataclass(frozen=True)
class BenchJob:
    """What a bench was built for; `params` are the top's parameters, defaults included."""

    variant: str
    params: dict[str, str | int]
    directions: tuple[str, ...]
    seed: int


@lru_cache(maxsize=1)
def job() -> BenchJob:
    """Return, inside the simulator, what it was built for."""
    found = json.loads(Path(os.environ[_JOB]).read_text(encoding="utf-8"))
    return BenchJob(**{**found, "directions": tuple(found["directions"])})


def bench(accelerator: Accelerator, name: str) -> Bench:
    """Return a `[[bench]]` by name; ManifestError if there is none."""
    for found in accelerator.manifest.bench:
        if found.name == name:
            return found
    raise ManifestError(f"{accelerator.name} has no bench '{name}'")


def applies(found: Bench, variant: Variant) -> bool:
    """Tell whether a bench is made for a variant."""
    return not found.variants or variant.name in found.variants


def parameters(accelerator: Accelerator, variant: Variant) -> dict[str, str | int]:
    """Return the parameters of a variant's top."""
    return accelerator.manifest.circuit(variant)[1]


def design(accelerator: Accelerator, variant: Variant, name: str) -> Design:
    """Return what a bench simulates for a variant; ManifestError if there is no RTL for it."""
    found = bench(accelerator, name)
    if accelerator.manifest.rtl is None:
        raise ManifestError(f"{accelerator.name} has no RTL for the bench '{name}'")
    own, given = accelerator.manifest.circuit(variant)
    top = found.top or own
    # A bench of another module names the parameters that it has.
    params = {**given, **found.params} if top == own else found.params
    return Design(tuple(library.rtl_files(accelerator, top)), top, tuple(params.items()))


def run(
    accelerator: Accelerator,
    variant: Variant,
    name: str,
    *,
    bug: str = "",
    seconds: float = RUN_SECONDS,
) -> Outcome:
    """Build a bench for a variant, with the planted bug `bug` if given, and run all its tests.

    ToolError if it cannot be built or tests nothing; an Outcome otherwise.
    """
    found, read = bench(accelerator, name), design(accelerator, variant, name)
    label = "-".join(filter(None, (accelerator.name, variant.name, name, bug)))
    folder = BUILD / "benches" / label
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    params = {**parameters(accelerator, variant), **found.params}
    sources = planted.plant(bug, accelerator.bugs(), read.files, folder / "planted")
    binary = cocotb_sim.build(sources, read.top, folder, params=dict(read.params))
    module = accelerator.file(found.module)
    described = BenchJob(variant.name, params, tuple(variant.directions), SEED)
    codegen.write_if_changed(folder / "job.json", json.dumps(asdict(described)))
    done = cocotb_sim.run(
        binary,
        read.top,
        module.stem,
        seed=SEED,
        env={_JOB: str(folder / "job.json")},
        seconds=seconds,
        search=[module.parent],
    )
    status, detail = verdict(folder / "results.xml")
    if status == "pass" and done.status != 0:
        status, detail = "error", f"the simulator ended with status {done.status}"
    return Outcome(status, detail, done.seconds)


def verdict(results: Path) -> tuple[str, str]:
    """Read cocotb's results.xml: an Outcome's status and detail; ToolError if it says nothing."""
    try:
        cases = list(ET.parse(results).getroot().iter("testcase"))
    except (OSError, ET.ParseError) as error:
        log = results.with_name("run.log")
        raise ToolError("the bench ended without results", f"log: {log}") from error
    ran = [case for case in cases if case.find("skipped") is None]
    if not ran:
        raise ToolError("the bench holds no test", "write functions with @cocotb.test()")
    for case in ran:
        problem = next((found for tag in _PROBLEMS if (found := case.find(tag)) is not None), None)
        if problem is None:
            continue
        said = (problem.get("message") or "failed").strip().splitlines()[0][:200]
        kind = problem.get("type", "")
        status = "mismatch" if kind in _FINDINGS else "error"
        return status, f"{case.get('name')}: {said}" + (f" ({kind})" if status == "error" else "")
    return "pass", f"{len(ran)} tests"
