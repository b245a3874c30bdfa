# SPDX-License-Identifier: Apache-2.0
"""Ask one question of one accelerator variant on one platform, and make a record of the answer."""

import base64
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.base import proc
from aesforge.base.errors import Absent, AesforgeError, SimulationError
from aesforge.base.paths import BUILD
from aesforge.bench.questions import gcm, secrets
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
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.model import mct
from aesforge.records.record import Figure, How, Record, load_cached, store, write_atomically
from aesforge.reference import vectors
from aesforge.reference.vectors import Case
from aesforge.reference.wire import Answer, Request, unpack_answers

QUESTIONS = ("test", "speed", "ct", "gcm", "irq", "traffic", "secrets", "ecc", "ecc_ct")
# irq, traffic and secrets take their time and are part of the tests; the curves (questions.ecc) are
# asked by name.
DEFAULT_QUESTIONS = ("test", "speed", "ct", "gcm")

RUNS = BUILD / "runs"  # what simulators did

CT_RUNS = 1000  # random keys and plaintexts
CT_RUNS_SOFTWARE = 20  # the same for software baselines
MAX_CYCLES = 2_000_000_000  # ten times the longest question on the slowest core
UNSUPPORTED = 2  # -AES_ERR_UNSUPPORTED
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
        """Which vectors an accelerator of a kind runs."""
        return "all" if kind != "software" or self.every_vector else "core"

    def flags(self, question: str, kind: str) -> dict[str, str]:
        """What goes into the record."""
        how = f"random up to (seed {self.seed})" if self.seed else "fixed"
        flags = {"memory": f"wait states: fetch {self.iwait}, data {self.dwait}, {how}"}
        if question == "test":
            flags["vectors"] = self.suites(kind)
            flags["mct_outer"] = str(self.mct_outer)
        if question == "ct":
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
    """Random keys and plaintexts of the constant-time question, for a kind of accelerator."""
    return CT_RUNS_SOFTWARE if kind == "software" else CT_RUNS


@dataclass(frozen=True)
class Job:
    """One cell of the matrix."""

    accelerator: Accelerator
    variant: Variant
    platform: Platform
    question: str
    settings: Settings
    fresh: bool = False  # simulate even what was simulated before

    @property
    def kind(self) -> str:
        """The manifest's kind."""
        return self.accelerator.manifest.kind

    @property
    def title(self) -> str:
        """For progress lines and logs."""
        return f"{self.accelerator.name}/{self.variant.name} {self.platform.name} {self.question}"

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
    """Versions of everything that makes a figure."""
    return {
        "core": platform.package_version,
        "verilator": simulate.verilator_version(),
        "gcc": proc.version_line(f"{simulate.CROSS}gcc"),
    }


@lru_cache(maxsize=8)
def _cases(mct_outer: int, suites: str) -> tuple[tuple[Case, ...], str]:
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
    *("bench.measure.Job", "bench.measure._cases", "bench.measure._firmware", "build.system"),
    *("records.record", "build.simulate.Firmware"),
    *("reference.vectors.load", "reference.vectors.Case"),
)


def content_hash(job: Job) -> str:
    """SHA-256 of what the answer depends on: what runs, what it is sent, and who judges.

    Firmware counts as the bytes that are loaded, so it is compiled here unless it is kept.
    """
    parts = [
        *(job.accelerator.name, job.kind, job.variant.name, job.platform.name, job.question),
        " ".join(job.variant.directions),
        str(job.accelerator.manifest.claims("ct", job.variant)),
        json.dumps(job.settings.flags(job.question, job.kind), sort_keys=True),
        json.dumps(tool_versions(job.platform), sort_keys=True),
        pycode.digest([f"bench.measure.{_ASK[job.question].__name__}"], BY_VALUE),
        *_what_runs(job),
    ]
    if job.question == "secrets":
        parts.append(json.dumps(job.accelerator.manifest.sw.leaves))
    if job.question == "gcm":
        parts.append(gcm.digest(job.kind))
    if job.question == "test":
        parts.append(_cases(job.settings.mct_outer, job.settings.suites(job.kind))[1])
    return proc.digest(*parts)


def _what_runs(job: Job) -> list[str]:
    """Return the hashes of simulator and firmware, or why there are none."""
    if skip := reason_to_skip(job.accelerator, job.variant, job.platform):
        return [f"skipped: {skip.because}"]
    try:
        firmware = _firmware(job)
        sizes = _alone(job) if job.question == "speed" else {}
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
        defines["IRQ_REFUSES"] = int(job.accelerator.manifest.is_block)
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


def _alone(job: Job) -> dict[str, int]:
    """Return what a program takes that needs one direction only: functions and tables."""
    return {
        f"{direction}_bytes": direction_bytes(job.accelerator, job.variant, job.platform, direction)
        for direction in job.variant.directions
    }


# Questions ----------------------------------------------------------------------------------------


def measure(job: Job, *, fresh: bool = False) -> Record:
    """Return the record of a job, from the cache unless `fresh`. Failures are records too."""
    if not fresh and (known := load_cached(content_hash(job))):
        return known
    if skip := reason_to_skip(job.accelerator, job.variant, job.platform):
        return job.record("skipped", reason=f"{skip.because}; until {skip.until}")
    try:
        record = _ASK[job.question](replace(job, fresh=fresh))
    except Absent as absent:
        record = job.record("absent", reason=str(absent))
    except SimulationError as error:
        record = job.record("failed", reason=str(error))
    except AesforgeError as error:
        record = job.record("error", reason=str(error))
    store(record)
    return record


def _run(job: Job, stream: bytes = b"") -> tuple[RunResult, bytes, dict[str, int]]:
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

    What a simulator did is kept under the digests of simulator, firmware and input: it is the same
    whatever code of this package asks, so that only what changes a machine is measured again.
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
    """Return what an equal run gave; a damaged file counts as none."""
    try:
        found = json.loads(kept.with_suffix(".json").read_text(encoding="utf-8"))
        output = base64.b64decode(found.pop("output"))
        return RunResult(**found), output
    except (OSError, ValueError, KeyError, TypeError):
        return None


def run_ecc(job: Job, stream: bytes) -> tuple[bytes, dict[str, int]]:
    """Run sw/harness/ecc.c on requests; return its answers and the bytes of code and tables."""
    firmware = _firmware(job)
    model = build_system_model(job.accelerator, job.variant, job.platform)
    result, output = _simulate(job, model, firmware, stream, 8)
    result.require(job.title)
    return output, _sizes(job, firmware)


def _objects(result: RunResult, question: str) -> list[dict[str, object]]:
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


def _ask_speed(job: Job) -> Record:
    result, _, sizes = _run(job)
    result.require(job.title)
    figures = [Figure.model_validate(entry) for entry in _objects(result, job.title)]
    if not figures:
        raise SimulationError(f"{job.title}: the firmware printed no figures")
    return job.record("passed", figures=figures, counts={**sizes, **_alone(job)})


def _ask_ct(job: Job) -> Record:
    """Constant time: the same number of cycles for all random keys and plaintexts."""
    result, _, _ = _run(job)
    result.require(job.title)
    spreads: dict[str, int] = {}
    for entry in _objects(result, job.title):
        low, high, runs = (int(str(entry[key])) for key in ("min", "max", "n"))
        if runs != ct_runs(job.kind):
            raise SimulationError(f"{job.title}: {entry['what']}: only {runs} runs")
        spreads[str(entry["what"])] = high - low
    if not spreads:
        raise SimulationError(f"{job.title}: the firmware printed no figures")
    counts = {"runs": ct_runs(job.kind), "spread_max": max(spreads.values()), **spreads}
    # Varying times are a finding where nothing else is claimed, and a failure where it is.
    varying = [f"{what} by {spread}" for what, spread in spreads.items() if spread]
    if varying and job.accelerator.manifest.claims("ct", job.variant):
        reason = f"claims constant time, but cycles vary: {', '.join(varying[:MAX_REPORTED])}"
        return job.record("failed", counts=counts, reason=reason)
    return job.record("passed", counts=counts)


def _ask_irq(job: Job) -> Record:
    result, _, _ = _run(job)
    total = next((o for o in _objects(result, job.title) if o.get("what") == "total"), None)
    if total is None:
        result.require(job.title)
        raise SimulationError(f"{job.title}: the firmware printed no total")
    counts = {key: int(str(total[key])) for key in ("offsets", "fired", "inside", "refused", "bad")}
    good = result.exit == 0 and counts["bad"] == 0 and counts["offsets"] > 0
    reason = "" if good else f"{counts['bad']} of {counts['offsets']} interrupt offsets went wrong"
    return job.record("passed" if good else "failed", counts=counts, reason=reason)


def _ask_traffic(job: Job) -> Record:
    """The core in the buffers of a bus master at work, against a plain reference memory."""
    result, _, _ = _run(job)
    printed = _objects(result, job.title)
    if not printed:
        result.require(job.title)
        raise SimulationError(f"{job.title}: the firmware printed no counts")
    names = ("accesses", "inside", "jobs", "bad", "shortest", "longest")
    counts = {name: int(str(printed[0][name])) for name in names}
    good = result.exit == 0 and counts["bad"] == 0 and counts["inside"] > 0
    reason = "" if good else f"{counts['bad']} of {counts['accesses']} accesses went wrong"
    return job.record("passed" if good else "failed", counts=counts, reason=reason)


@dataclass(frozen=True)
class _Check:
    """A request, what must come back, and where it is from."""

    suite: str
    name: str
    request: Request
    expected: Answer


def _ask_test(job: Job) -> Record:
    checks = _vector_checks(job) + _length_checks(job)
    if "decrypt" not in job.variant.directions:
        checks.append(_refusal_check())
    requests = [check.request for check in checks]
    stream = b"".join(request.pack() for request in requests)
    result, output, sizes = _run(job, stream)
    result.require(job.title)
    passed: Counter[str] = Counter()
    wrong: list[str] = []
    for check, answer in zip(checks, unpack_answers(requests, output), strict=True):
        same = answer.status == check.expected.status and (
            answer.status != 0
            or (
                answer.data == check.expected.data
                and (
                    not check.expected.before_last
                    or answer.before_last == check.expected.before_last
                )
            )
        )
        if same:
            passed[check.suite] += 1
        else:
            wrong.append(check.name)
    counts = {**dict(sorted(passed.items())), "wrong": len(wrong), **sizes}
    if wrong:
        named = ", ".join(wrong[:MAX_REPORTED]) + (", ..." if len(wrong) > MAX_REPORTED else "")
        reason = f"{len(wrong)} of {len(checks)} vectors wrong: {named}"
        return job.record("failed", counts=counts, reason=reason)
    return job.record("passed", counts=counts)


def _offered(job: Job, mode: str, direction: str) -> bool:
    """Tell whether a variant can run a case: CTR needs encryption only."""
    return mode == "ctr" or direction in job.variant.directions


def _vector_checks(job: Job) -> list[_Check]:
    """Every published vector that applies."""
    checks: list[_Check] = []
    for case in _cases(job.settings.mct_outer, job.settings.suites(job.kind))[0]:
        if not _offered(job, case.mode, case.direction):
            continue
        decrypt = case.direction == "decrypt"
        iterations = mct.INNER if case.kind == "MCT" else 0
        request = Request(case.mode, decrypt, case.key, case.iv, case.text, iterations)
        expected = Answer(0, case.result, case.penultimate)
        checks.append(_Check(case.kind, case.name, request, expected))
    return checks


def _length_checks(job: Job) -> list[_Check]:
    """Lengths that exercise every remainder of interleaved kernels; expected values by OpenSSL."""
    checks: list[_Check] = []
    for key_bytes in (16, 24, 32):
        key = bytes.fromhex(proc.digest(f"length check {key_bytes}"))[:key_bytes]
        iv = bytes.fromhex(proc.digest("length check iv"))[:12] + b"\xff\xff\xff\xfa"
        for mode, lengths in (
            ("ecb", [16 * blocks for blocks in (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17)]),
            ("cbc", [16 * blocks for blocks in (1, 2, 5, 16, 17)]),
            ("ctr", [0, 1, 15, 16, 17, 63, 64, 65, 255, 257, 300]),
        ):
            for length in lengths:
                seed = "".join(proc.digest(f"{mode} {length} {i}") for i in range(length // 32 + 1))
                plain = bytes.fromhex(seed)[:length]
                cipher = _openssl(mode, key, iv, plain)
                for direction in ("encrypt", "decrypt"):
                    if not _offered(job, mode, direction):
                        continue
                    decrypt = direction == "decrypt"
                    start, end = (cipher, plain) if decrypt else (plain, cipher)
                    request = Request(mode, decrypt, key, b"" if mode == "ecb" else iv, start)
                    name = f"{mode} {8 * key_bytes} {direction} {length} bytes"
                    checks.append(_Check("lengths", name, request, Answer(0, end)))
    return checks


def _openssl(mode: str, key: bytes, iv: bytes, plain: bytes) -> bytes:
    """Encrypt with the `cryptography` package, OpenSSL underneath."""
    chosen: modes.Mode = modes.ECB()
    if mode != "ecb":
        chosen = modes.CBC(iv) if mode == "cbc" else modes.CTR(iv)
    encryptor = Cipher(algorithms.AES(key), chosen).encryptor()  # type: ignore[misc]
    return bytes(encryptor.update(plain) + encryptor.finalize())


def _refusal_check() -> _Check:
    """An encrypt-only variant must say so."""
    request = Request("ecb", True, bytes(16), b"", bytes(16))
    return _Check("refusal", "decryption set-up refused", request, Answer(UNSUPPORTED, b""))


def _ask_gcm(job: Job) -> Record:
    """AES-GCM and GHASH: vectors, forgeries, cycles, constant time."""
    wanted = gcm.checks(job.kind)
    result, output, sizes = _run(job, gcm.stream(wanted))
    result.require(job.title)
    found = gcm.judge(wanted, output)
    reason, spread = found.reason, found.counts["spread_max"]
    claimed = job.accelerator.manifest.claims("ct", job.variant)
    if spread and claimed and not reason:
        reason = f"claims constant time, but cycles vary by {spread}"
    return job.record(
        "failed" if reason else "passed",
        reason=reason,
        figures=found.figures,
        counts={**found.counts, **sizes},
    )


def _ask_secrets(job: Job) -> Record:
    """What calls leave on the stack, in memory and in registers."""
    result, _, _ = _run(job)
    if result.status != "exit":
        result.require(job.title)
    found = secrets.unpack(_objects(result, job.title), job.title)
    wrong = found.wrong(job.accelerator.manifest.sw.leaves)
    counts = {"calls": found.calls, "bytes": found.bytes, "findings": len(found.findings)}
    reason = "; ".join(wrong[: secrets.MAX_REPORTED])
    status = "failed" if wrong else "passed"
    return job.record(status, counts={**counts, "wrong": len(wrong)}, reason=reason)


def _ask_ecc(job: Job) -> Record:
    from aesforge.bench.questions import ecc

    return ecc.ask(job)


_ASK: dict[str, Callable[[Job], Record]] = {
    "test": _ask_test,
    "speed": _ask_speed,
    "ct": _ask_ct,
    "gcm": _ask_gcm,
    "irq": _ask_irq,
    "traffic": _ask_traffic,
    "secrets": _ask_secrets,
    "ecc": _ask_ecc,
    "ecc_ct": _ask_ecc,
}
