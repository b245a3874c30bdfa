# SPDX-License-Identifier: Apache-2.0
"""`aesforge montecarlo`: millions of blocks through a unit's RTL, each fed back as the next input.

The accelerator's own kernel runs on the host; every operation that it asks for is performed by the
Verilated unit through its valid/ready handshake, with no core in between. One simulated unit lives
as long as the run. Expected results are OpenSSL's.

Source: the Monte Carlo test of the original AES submissions (NIST, 1998), 400 outer iterations of
10,000 blocks from a zero key and a zero block, whose results are published; AESAVS (NIST, 2002,
section 6.4.1) is the same with 100 x 1000.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from aesforge.base import pool, proc
from aesforge.base.errors import AesforgeError, SimulationError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, ctokens, hdl, library, pycode, simulate
from aesforge.catalog import manifest, planted
from aesforge.catalog.manifest import Accelerator, Direction, Variant
from aesforge.model.mct import next_key
from aesforge.records import record, rows
from aesforge.records.record import How, Record

QUESTION = "montecarlo"
PLATFORM = "rtl"  # no core: the unit alone
PUBLISHED = ROOT / "results" / "montecarlo.jsonl"

OUTER = 400  # of the original submission, with AES-128
OUTER_LONGER_KEYS = 40  # with AES-192 and AES-256, unless said otherwise
INNER = 10_000
KEY_BITS = (128, 192, 256)
BLOCK = 16  # bytes

INCLUDE = ROOT / "sw" / "include"

# What is hashed itself: `pycode` does not follow it.
BY_VALUE = (
    *("bench.montecarlo.Leg", "bench.montecarlo.build"),
    *("bench.montecarlo.checkpoint", "bench.montecarlo._save"),
)
_INCLUDE_LINE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)

# The published results of 400 x 10,000 blocks (NIST, rijndael-vals.zip, ecb_e_m.txt and
# ecb_d_m.txt, I=399), so that a complete run does not rest on OpenSSL alone.
FINAL = {
    ("encrypt", 128): "a04377abe259b0d0b5ba2d40a501971b",
    ("encrypt", 192): "4e46f8c5092b29e29a971a0cd1f610fb",
    ("encrypt", 256): "1f6763df807a7e70960d4cd3118e601a",
    ("decrypt", 128): "f5bf8b37136f2e1f6bec6f572021e3ba",
    ("decrypt", 192): "f1a81b68f6e5a6271a8cb24e7d9491ef",
    ("decrypt", 256): "4de0c6df7cb1697284604d60271bc59a",
}

MAX_CLOCKS = 4096  # watchdog of one operation; manifests allow a latency of 1000
SECONDS_FLOOR = 600.0  # wall-clock bound of a run: ...
SECONDS_PER_BLOCK = 0.005  # ... fifty times what the slowest unit takes

_VERILATOR_FLAGS = (
    *("--cc", "--exe", "-O3", "--top-module", "accel_unit", "--prefix", "Vunit", "-o", "unit"),
    *("--x-assign", "fast", "--x-initial", "fast", "--no-assert", "-Wno-fatal", "-Wno-lint"),
    *("--output-split", "0", "-CFLAGS", "-O3"),
)
_KERNEL_FLAGS = ("-std=gnu99", "-O3", "-fPIC", "-DACCEL_EMULATE")
_LINE = re.compile(r"([0-9a-f]{32}) ([0-9a-f]{32}) (\d+) (\d+)")


@dataclass(frozen=True)
class Settings:
    """Lengths that a user may choose; `outer` 0 means the default of each key size."""

    outer: int = 0
    inner: int = INNER
    key_bits: tuple[int, ...] = KEY_BITS

    def iterations(self, bits: int) -> int:
        """Outer iterations with a key size."""
        return self.outer or (OUTER if bits == 128 else OUTER_LONGER_KEYS)


DEFAULTS = Settings()


@dataclass(frozen=True)
class Leg:
    """One chain of blocks: a variant, a direction, a key size; `bug` is a planted one's name."""

    accelerator: Accelerator
    variant: Variant
    direction: Direction
    bits: int
    outer: int
    inner: int
    bug: str = ""

    @property
    def title(self) -> str:
        """For progress lines, reasons and logs."""
        return f"{self.accelerator.name}/{self.variant.name} {self.direction} {self.bits}"

    @property
    def blocks(self) -> int:
        """Blocks in all."""
        return self.outer * self.inner


class State(BaseModel):
    """Progress of a leg: `done` outer iterations agree with OpenSSL, the next starts here."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    done: int = Field(ge=0)
    key: str  # hexadecimal
    text: str
    operations: int = 0
    clocks: int = 0
    seconds: float = 0.0  # wall time so far, builds left out


class _Checkpoint(BaseModel):
    """A state as it is kept, with a digest against half-written and edited files."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    state: State
    sha256: str


@dataclass(frozen=True)
class Result:
    """How a leg ended; `reason` is empty if all of it agrees."""

    leg: Leg
    state: State
    reason: str = ""
    error: bool = False  # it could not be run: a build that failed, a damaged checkpoint

    @property
    def status(self) -> Literal["passed", "failed", "error"]:
        """As records say it."""
        return "error" if self.error else "failed" if self.reason else "passed"

    @property
    def outer(self) -> int:
        """Requested outer iterations; more if an earlier run was longer."""
        return max(self.leg.outer, self.state.done)

    @property
    def blocks(self) -> int:
        """Blocks that agree."""
        return self.state.done * self.leg.inner

    @property
    def rate(self) -> int:
        """Blocks a second."""
        return round(self.blocks / self.state.seconds) if self.state.done else 0


class _Difference(Exception):
    """The unit's result is not OpenSSL's."""


# What is built ------------------------------------------------------------------------------------


def _glue(accelerator: Accelerator, variant: Variant) -> str:
    """Return the C++ that performs the kernel's operations on the Verilated unit."""
    found = accelerator.manifest
    return codegen.render(
        "montecarlo.cpp.j2",
        name=accelerator.name,
        layout=codegen.layout(accelerator, variant),
        combinational=found.is_stateless(variant)
        and not any(found.latency(op, variant) for op in found.operations(variant)),
        max_clocks=MAX_CLOCKS,
    )


def _defines(accelerator: Accelerator, variant: Variant) -> list[str]:
    """Return the macros that the kernel is compiled with."""
    flags = [*accelerator.manifest.sw.cflags, *variant.cflags]
    macros = [*variant.defines, *accelerator.manifest.macros(variant)]
    return [*(flag for flag in flags if flag.startswith("-D")), *(f"-D{word}" for word in macros)]


def kernel_sources(accelerator: Accelerator, variant: Variant | None = None) -> list[Path]:
    """Return the kernel's sources and the headers of this project that they reach by #include.

    A generated header is none of these: what it is made of is.
    """
    found: dict[Path, None] = dict.fromkeys(accelerator.kernel_files(variant))
    left = list(found)
    while left:
        source = left.pop()
        for name in _INCLUDE_LINE.findall(source.read_text(encoding="utf-8")):
            for header in (source.parent / name, INCLUDE / name):
                if header.is_file() and header not in found:
                    found[header] = None
                    left.append(header)
    return sorted(found)


def build_key(accelerator: Accelerator, variant: Variant, bug: str = "") -> str:
    """Return the digest of all that the program is made of."""
    words = [*_VERILATOR_FLAGS, *_KERNEL_FLAGS, *_defines(accelerator, variant), bug]
    made = {
        Path("package"): "".join(codegen.inner_sv(accelerator, variant).values()),
        Path("unit"): codegen.unit_sv(accelerator, variant, random_delay=False),
    }
    return proc.digest(
        *(simulate.verilator_version(), proc.version_line("c++"), proc.version_line("gcc")),
        "\0".join(words),
        hdl.digest(
            [*made, *_rtl(accelerator, variant, bug)], "accel_unit", hdl.VERILATOR, texts=made
        ),
        *ctokens.tokens(_glue(accelerator, variant)),
        *ctokens.tokens(codegen.ops_h(accelerator, variant)),
        ctokens.digest(kernel_sources(accelerator, variant)),
    )[:24]


def _rtl(accelerator: Accelerator, variant: Variant, bug: str) -> list[Path]:
    """Return the unit's RTL, with the planted bug if given."""
    files = library.rtl_files(accelerator, variant=variant)
    return planted.plant(bug, accelerator.bugs(), files, BUILD / "planted")


def build(accelerator: Accelerator, variant: Variant, bug: str = "") -> Path:
    """Return the program of a variant, with the planted bug `bug` if given.

    ToolError if Verilator or a compiler fails; its hint names the log.
    """
    key = build_key(accelerator, variant, bug)
    words = _defines(accelerator, variant)
    roots = {"VERILATOR_ROOT": str(simulate.verilator_root())}

    def make(folder: Path) -> None:
        *packages, _, wrapper = codegen.generate(folder, accelerator, variant).rtl
        driver = folder / "montecarlo.cpp"
        driver.write_text(_glue(accelerator, variant), encoding="utf-8")
        log = BUILD / "logs" / f"montecarlo-{accelerator.name}-{variant.name}-{key}.log"
        includes = [f"-I{folder}", f"-I{INCLUDE}"]
        objects: list[Path] = []
        parts = accelerator.kernel_parts(variant)
        for part, source in ((one, source) for one in parts for source in one.files):
            objects.append(folder / f"{len(objects)}_{source.stem}.o")
            own = [word for name in part.defines if (word := f"-D{name}") not in words]
            compiler: list[str | Path] = ["gcc", *_KERNEL_FLAGS, *words, *own, *includes]
            proc.run(
                [*compiler, "-c", source, "-o", objects[-1]],
                timeout=simulate.COMPILE_SECONDS,
                log=log,
            )
        verilator: list[str | Path] = [simulate.verilator_root() / "bin" / "verilator"]
        verilator += [*_VERILATOR_FLAGS, "-Mdir", folder]
        for word in (*includes, *words, "-DACCEL_EMULATE"):
            verilator += ["-CFLAGS", word]
        sources = [*packages, *_rtl(accelerator, variant, bug), wrapper, driver, *objects]
        proc.run([*verilator, *sources], timeout=simulate.BUILD_SECONDS, env=roots, log=log)
        build_it: list[str | Path] = ["make", "-C", folder, "-f", "Vunit.mk"]
        with simulate.runtime(folder, trace=False):
            proc.run(
                [*build_it, "OPT_FAST=-O3", "VM_PARALLEL_BUILDS=0"],
                timeout=simulate.BUILD_SECONDS,
                env=roots,
                log=log,
            )
        for path in folder.iterdir():
            if path.name != "unit":
                path.unlink()
        simulate.unchanged(key, build_key(accelerator, variant, bug))

    name = "-".join(filter(None, ("montecarlo", accelerator.name, variant.name, bug, key)))
    return simulate.cached(BUILD / "models" / name, make) / "unit"


# What is right ------------------------------------------------------------------------------------


def openssl(key: bytes, text: bytes, direction: Direction, inner: int) -> tuple[bytes, bytes]:
    """Return OpenSSL's (last result, last but one) of `inner` blocks, each fed back as the next."""
    cipher = Cipher(AES(key), ECB())
    update = (cipher.encryptor() if direction == "encrypt" else cipher.decryptor()).update
    penultimate, last = b"", text
    for _ in range(inner):
        penultimate, last = last, update(last)
    return last, penultimate


def _follow(leg: Leg, state: State, line: str, seconds: float, before: State) -> State:
    """Compare an outer iteration's line with OpenSSL; return the state after it."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise SimulationError(line.removeprefix("error: ")[:200])
    key, text = bytes.fromhex(state.key), bytes.fromhex(state.text)
    last, penultimate = openssl(key, text, leg.direction, leg.inner)
    if (found[1], found[2]) != (last.hex(), penultimate.hex()):
        raise _Difference(
            f"outer iteration {state.done} (key {state.key}, text {state.text}):"
            f" the unit gives {found[1]}, OpenSSL {last.hex()}"
        )
    known = FINAL[leg.direction, leg.bits]
    if (state.done + 1, leg.inner) == (OUTER, INNER) and last.hex() != known:
        raise _Difference(f"the end is {last.hex()}, the published one {known}")
    return State(
        done=state.done + 1,
        key=next_key(key, last, penultimate).hex(),
        text=last.hex(),
        operations=before.operations + int(found[3]),
        clocks=before.clocks + int(found[4]),
        seconds=before.seconds + seconds,
    )


# Checkpoints --------------------------------------------------------------------------------------


def _start(leg: Leg) -> State:
    """The beginning of every chain: a zero key and a zero block."""
    return State(done=0, key=bytes(leg.bits // 8).hex(), text=bytes(BLOCK).hex())


def checkpoint(leg: Leg) -> Path:
    """The file of a leg's state: a longer run continues a shorter one."""
    name = f"{leg.accelerator.name}-{leg.variant.name}-{leg.direction}-{leg.bits}-{leg.inner}"
    key = build_key(leg.accelerator, leg.variant, leg.bug)
    return BUILD / "montecarlo" / f"{name}-{key}.json"


def load(path: Path, leg: Leg) -> State:
    """Return the kept state, or the beginning; AesforgeError if the file is damaged."""
    try:
        kept = _Checkpoint.model_validate_json(path.read_text(encoding="utf-8"))
        if kept.sha256 != proc.digest(kept.state.model_dump_json()):
            raise ValueError("its digest is wrong")
    except FileNotFoundError:
        return _start(leg)
    except (OSError, ValueError) as error:
        reason = "it is not one" if isinstance(error, ValidationError) else str(error)
        raise AesforgeError(
            f"{leg.title}: the checkpoint {path} cannot be used: {reason}",
            "remove the file, or give --fresh, to start this chain again",
        ) from error
    return kept.state


def _save(path: Path, state: State) -> None:
    kept = _Checkpoint(state=state, sha256=proc.digest(state.model_dump_json()))
    record.write_atomically(path, kept.model_dump_json() + "\n")


# Runs ---------------------------------------------------------------------------------------------

# Reports blocks of a leg that newly agree (0: it starts).
Report = Callable[[Leg, int], None]


def run_leg(leg: Leg, report: Report, *, fresh: bool = False) -> Result:
    """Resume a leg; save every outer iteration that agrees at once."""
    program, path = build(leg.accelerator, leg.variant, leg.bug), checkpoint(leg)
    if fresh:
        path.unlink(missing_ok=True)
    state = before = load(path, leg)
    report(leg, min(state.done, leg.outer) * leg.inner)
    if state.done >= leg.outer:
        return Result(leg, state)
    started = time.monotonic()

    def on_line(line: str) -> None:
        nonlocal state
        state = _follow(leg, state, line, time.monotonic() - started, before)
        _save(path, state)
        report(leg, leg.inner)

    left = leg.outer - state.done
    try:
        done = proc.run(
            [program, leg.direction, state.key, state.text, str(left), str(leg.inner)],
            timeout=SECONDS_FLOOR + SECONDS_PER_BLOCK * left * leg.inner,
            check=False,
            on_stderr=on_line,
        )
    except (_Difference, SimulationError) as error:
        return Result(leg, state, str(error))
    if state.done < leg.outer:
        return Result(leg, state, f"the simulation ended with status {done.status}")
    return Result(leg, state)


def _tried(leg: Leg, report: Report, fresh: bool) -> Result:
    """Run a leg, or return why it cannot run."""
    try:
        return run_leg(leg, report, fresh=fresh)
    except AesforgeError as error:
        return Result(leg, _start(leg), str(error), error=True)


def choose(names: Sequence[str]) -> list[tuple[Accelerator, Variant]]:
    """Return the variants that NAME or NAME/VARIANT select; without names all whose RTL differs.

    Of variants that differ in the kernel alone the first is enough: a chain is one block a call.
    Units without AES have no chain, and a set's is that of its unit.
    """
    units = [found for found in manifest.aes_units() if found.manifest.kind == "instruction"]
    if not names:
        every = [(unit, one) for unit in units for one in unit.manifest.variant if one.by_default]
        rtl = {codegen.unit_sv(unit, one, False): (unit, one) for unit, one in reversed(every)}
        return [pair for pair in every if pair in rtl.values()]
    chosen: list[tuple[Accelerator, Variant]] = []
    for entry in names:
        name, _, variant = entry.partition("/")
        found = manifest.find(name)
        manifest.require_unit(found, "it has no operations to run")
        manifest.require_aes(found, "it has no block to feed back")
        variants = [found.variant(variant)] if variant else found.manifest.variant
        chosen += [(found, one) for one in variants if (found, one) not in chosen]
    return chosen


def legs(
    accelerator: Accelerator, variant: Variant, settings: Settings = DEFAULTS, bug: str = ""
) -> list[Leg]:
    """Return a variant's chains: each key size in each direction that it has."""
    return [
        Leg(accelerator, variant, direction, bits, settings.iterations(bits), settings.inner, bug)
        for bits in settings.key_bits
        if bits in variant.key_bits
        for direction in variant.directions
    ]


def run(every: Sequence[Leg], workers: int, report: Report, *, fresh: bool = False) -> list[Result]:
    """Run legs on `workers` threads (the work is in child processes); results in order.

    A leg that cannot be run is a result too, and does not stop the others. On Ctrl-C the children
    are stopped at once; what they had checked by then is kept.
    """
    return pool.ordered(lambda leg: _tried(leg, report, fresh), every, workers)


# Records ------------------------------------------------------------------------------------------


def _inputs(of: Sequence[Leg], flags: Mapping[str, str]) -> str:
    """Return the hash of what the chains of a variant follow from."""
    leg = of[0]
    return proc.digest(
        pycode.digest(["bench.montecarlo.run_leg", "bench.montecarlo.Result"], BY_VALUE),
        *(build_key(leg.accelerator, leg.variant, leg.bug), str(sorted(flags.items()))),
        *sorted(f"{one.direction}{one.bits}" for one in of),
    )


def present_inputs(entry: Record) -> str:
    """Return the hash that a published record would have by this tree; UsageError if it is gone."""
    found = manifest.find(entry.accelerator)
    return _inputs(legs(found, found.variant(entry.variant)), entry.how.flags)


def make_record(results: Sequence[Result]) -> Record:
    """Return the record of one variant's legs, and keep it."""
    leg = results[0].leg
    wrong = [f"{r.leg.direction}ion, {r.leg.bits} bits: {r.reason}" for r in results if r.reason]
    flags = {
        "start": "zero key, zero block",
        "inner": str(leg.inner),
        "outer": ", ".join(f"{bits}: {outer}" for bits, outer in _lengths(results).items()),
    }
    tools = {"verilator": simulate.verilator_version(), "c++": proc.version_line("c++")}
    inputs = _inputs([result.leg for result in results], flags)
    counts = _counts(results)
    made = Record(
        accelerator=leg.accelerator.name,
        kind=leg.accelerator.manifest.kind,
        variant=leg.variant.name,
        platform=PLATFORM,
        question=QUESTION,
        status=min((r.status for r in results), key=("error", "failed", "passed").index),
        reason="; ".join(wrong),
        how=How(inputs_sha256=inputs, tools=tools, flags=flags),
        counts=counts,
    )
    record.store(made)
    return made


def _counts(results: Sequence[Result]) -> dict[str, int]:
    """Return what was done: blocks that agree, operations and clocks of each chain."""
    counts: dict[str, int] = {}
    for result in results:
        name = f"{result.leg.direction}_{result.leg.bits}"
        counts[name] = result.blocks
        counts[f"{name}_operations"] = result.state.operations
        counts[f"{name}_clocks"] = result.state.clocks
    return counts


def kept(accelerator: Accelerator, variant: Variant) -> dict[str, int]:
    """Return the counts of what earlier runs have checked of the sources as they are now."""
    found = [Result(leg, load(checkpoint(leg), leg)) for leg in legs(accelerator, variant)]
    return _counts([result for result in found if result.state.done])


def _lengths(results: Sequence[Result]) -> dict[int, int]:
    """Outer iterations by key size."""
    return {result.leg.bits: result.outer for result in results}


def records(results: Sequence[Result]) -> list[Record]:
    """Return one record for each variant, in the order of the results."""
    by_variant: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        cell = (result.leg.accelerator.name, result.leg.variant.name)
        by_variant.setdefault(cell, []).append(result)
    return [make_record(found) for found in by_variant.values()]


def json_rows(results: Sequence[Result]) -> list[rows.Row]:
    """Return one row for each chain (docs/json.md)."""
    return [
        {
            "accelerator": result.leg.accelerator.name,
            "variant": result.leg.variant.name,
            "direction": result.leg.direction,
            "key_bits": result.leg.bits,
            "outer": result.outer,
            "inner": result.leg.inner,
            "blocks": result.blocks,
            "operations": result.state.operations,
            "clocks": result.state.clocks,
            "seconds": round(result.state.seconds, 3),
            "blocks_per_second": result.rate,
            "status": result.status,
            "reason": result.reason,
        }
        for result in results
    ]


def table(results: Sequence[Result]) -> rows.Table:
    """Return the results for people."""
    heads = (
        *(("accelerator / variant", False), ("direction", False), ("key bits", True)),
        *(("outer", True), ("inner", True), ("blocks that agree", True)),
        *(("operations/block", True), ("blocks/s", True), ("status", False)),
    )
    lines = [
        (
            f"{result.leg.accelerator.name} / {result.leg.variant.name}",
            *(result.leg.direction, str(result.leg.bits)),
            *(str(result.outer), str(result.leg.inner)),
            str(result.blocks),
            f"{result.state.operations / max(1, result.blocks):.1f}",
            *(str(result.rate), result.status),
        )
        for result in results
    ]
    return rows.Table("Monte Carlo test on RTL, against OpenSSL", heads, tuple(lines))
