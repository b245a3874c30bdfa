# SPDX-License-Identifier: Apache-2.0
"""The unit bench: model, emulation, RTL, encodings and kernel of an accelerator, compared.

RTL runs on Verilator under cocotb (unit_bench_test.py). C runs on the host in a process of its own
(host_bench.py), so that a kernel that crashes is a failed check and not the end of the tool.
"""

import json
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import ManifestError, ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import cocotb_sim, codegen, library, simulate
from aesforge.catalog import encoding, planted
from aesforge.catalog.manifest import Accelerator, Operation, Variant
from aesforge.verify.lint import UNIT_TOP
from aesforge.verify.operands import Field, Spec

SEED = 20040114  # any number; fixed, so that a failure can be repeated
SAMPLES = 400  # random requests in each mode of pauses
RUN_SECONDS = 1200.0

_ARCH = ("-march=rv32im", "-misa-spec=2.2", "-mabi=ilp32")
_RETURN = 0x00008067  # jalr x0, 0(x1)
_WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror")


@dataclass(frozen=True)
class Outcome:
    """How a comparison ended: `pass`, `mismatch` (a difference was found) or `error`."""

    status: str
    detail: str
    seconds: float = 0.0


def specs(accelerator: Accelerator, variant: Variant, opcode: str = "") -> list[Spec]:
    """List a variant's operations as the benches see them."""
    layout = codegen.layout(accelerator, variant, opcode)
    found = accelerator.manifest
    latency = {operation.mnemonic: found.latency(operation, variant) for operation in found.op}
    return [
        Spec(
            op.mnemonic,
            op.code,
            op.encoding.mask,
            op.encoding.value,
            op.encoding.registers,
            tuple(Field(i.name, layout.field(i.name).lsb, i.width) for i in op.encoding.immediates),
            tuple(i.lsb for i in op.encoding.immediates),
            latency[op.mnemonic],
        )
        for op in layout.operations
    ]


def tool_versions() -> str:
    """Return the versions of everything that a bench's outcome may depend on."""
    packages = ("cocotb", "cryptography", "pyosys", "pyslang")
    found = [f"{name} {version(name)}" for name in packages]
    programs = ("c++", f"{simulate.CROSS}gcc", f"{simulate.CROSS}objdump")
    found += [proc.version_line(name) for name in programs]
    return "; ".join([*found, simulate.verilator_version()])


# RTL ----------------------------------------------------------------------------------------------


def rtl_equals_model(
    accelerator: Accelerator,
    variant: Variant,
    *,
    bug: str = "",
    seed: int = SEED,
    samples: int = SAMPLES,
    seconds: float = RUN_SECONDS,
) -> Outcome:
    """Compare a variant's RTL, with the planted bug `bug` if given, with test/model.py.

    ToolError if the bench cannot be built; an Outcome otherwise.
    """
    folder = BUILD / "unit" / "-".join(filter(None, (accelerator.name, variant.name, bug)))
    shutil.rmtree(folder, ignore_errors=True)
    generated = codegen.generate(folder / "generated", accelerator, variant)
    sources = library.with_shared([*generated.rtl, UNIT_TOP], accelerator)
    sources = planted.plant(bug, accelerator.bugs(), sources, folder / "planted")
    binary = cocotb_sim.build(sources, UNIT_TOP.stem, folder)
    result = folder / "outcome.json"
    job = {
        "operations": [spec.to_json() for spec in specs(accelerator, variant)],
        "models": [str(path) for path in accelerator.models(variant)],
        "seed": seed,
        "samples": samples,
        "outcome": str(result),
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    done = cocotb_sim.run(
        binary,
        UNIT_TOP.stem,
        "aesforge.verify.unit_bench_test",
        seed=seed,
        env={"AESFORGE_UNIT_BENCH": str(folder / "job.json")},
        seconds=seconds,
    )
    if not result.is_file():
        raise ToolError(f"the unit bench ended with status {done.status}", f"log: {folder}/run.log")
    found = json.loads(result.read_text(encoding="utf-8"))
    status, detail = str(found["status"]), str(found["detail"])
    if status == "pass":
        detail = f"{found['requests']} requests in {found['cycles']} cycles"
        if done.status != 0:
            status, detail = "error", f"the simulator ended with status {done.status}"
    return Outcome(status, detail, done.seconds)


# C on the host ------------------------------------------------------------------------------------


def emulation_equals_model(accelerator: Accelerator, variant: Variant) -> Outcome:
    """Compare sw/emul.c, compiled for the host, with test/model.py."""
    folder = BUILD / "host" / f"{accelerator.name}-{variant.name}-emul"
    generated = codegen.generate(folder, accelerator, variant)
    emulation = accelerator.emulations(variant)
    library = _host_library(accelerator, variant, folder, [((), emulation)], [generated.include])
    return _host_job(
        folder,
        {
            "what": "emulation",
            "library": str(library),
            "models": [str(path) for path in accelerator.models(variant)],
            "operations": [spec.to_json() for spec in specs(accelerator, variant)],
        },
    )


def kernel_on_host(accelerator: Accelerator, variant: Variant) -> Outcome:
    """Compare the kernel on the emulated unit with FIPS 197, all key sizes and lengths 0 to 9."""
    folder = BUILD / "host" / f"{accelerator.name}-{variant.name}-kernel"
    files: list[tuple[tuple[str, ...], Sequence[Path]]] = [
        (part.defines, part.files) for part in accelerator.kernel_parts(variant)
    ]
    includes: list[Path] = []
    if accelerator.manifest.is_unit:
        made = codegen.generate(folder, accelerator, variant)
        includes.append(made.include)
        files.append(((), [*made.sources, *accelerator.emulations(variant)]))
    library = _host_library(accelerator, variant, folder, files, includes)
    return _host_job(
        folder,
        {
            "what": "kernel",
            "library": str(library),
            "key_words": accelerator.manifest.key_words(variant),
            "directions": list(variant.directions),
            "checks_key": accelerator.manifest.checks_key(variant),
        },
    )


def _host_library(
    accelerator: Accelerator,
    variant: Variant,
    folder: Path,
    files: Sequence[tuple[tuple[str, ...], Sequence[Path]]],
    includes: Sequence[Path],
) -> Path:
    """Compile C for the host, with every undefined behaviour a trap.

    `files` are macros and what is compiled with these, beside those of the variant.
    """
    software = accelerator.manifest.sw
    library = folder / "host.so"
    flags = [word for word in (*software.cflags, *variant.cflags) if word.startswith("-D")]
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "compile.log"
    sanitized = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
    macros = (*accelerator.manifest.macros(variant), *variant.defines)
    objects: list[Path] = []
    for more, file in ((more, file) for more, listed in files for file in listed):
        objects.append(folder / f"{len(objects)}_{file.stem}.o")
        proc.run(
            [
                *("gcc", "-std=gnu99", "-O2", "-g", "-fPIC", *_WARNINGS, *sanitized),
                "-DACCEL_EMULATE",
                *flags,
                *(f"-D{word}" for word in dict.fromkeys((*macros, *more))),
                *(f"-I{path}" for path in (*includes, ROOT / "sw" / "include")),
                *("-c", file, "-o", objects[-1]),
            ],
            timeout=300,
            log=log,
        )
    proc.run(["gcc", "-shared", *sanitized, *objects, "-o", library], timeout=300, log=log)
    return library


def _host_job(folder: Path, job: dict[str, object]) -> Outcome:
    """Run host_bench.py in a process of its own on a job."""
    result = folder / "outcome.json"
    result.unlink(missing_ok=True)
    description = folder / "job.json"
    job = {**job, "seed": SEED, "outcome": str(result)}
    description.write_text(json.dumps(job), encoding="utf-8")
    done = proc.run(
        [sys.executable, "-m", "aesforge.verify.host_bench", description],
        timeout=RUN_SECONDS,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        log=folder / "run.log",
        check=False,
    )
    if not result.is_file():
        if done.status < 0:
            return Outcome(
                "mismatch", f"the C code was killed by signal {-done.status}", done.seconds
            )
        raise ToolError(f"the host bench ended with status {done.status}", f"log: {folder}/run.log")
    found = json.loads(result.read_text(encoding="utf-8"))
    return Outcome(str(found["status"]), str(found["detail"]), done.seconds)


# Encodings ----------------------------------------------------------------------------------------

_FROZEN = re.compile(r"(\w+)((?: +\w+=\d+)+) *-> *0x([0-9a-f]{8})")


def frozen_encodings(accelerator: Accelerator) -> Outcome:
    """Compare the manifest's encodings with test/encodings.txt; every operation must be there."""
    path = accelerator.file("test/encodings.txt")
    operations = {operation.mnemonic: operation for operation in accelerator.manifest.op}
    seen: set[str] = set()
    count = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        found = _FROZEN.fullmatch(line)
        if found is None:
            raise ManifestError(
                f"{accelerator.name}: test/encodings.txt line {number} cannot be read: {line}",
                "mnemonic rd=1 rs1=2 rs2=3 name=0 -> 0x00000000",
            )
        mnemonic, arguments, word = found[1], found[2], int(found[3], 16)
        if mnemonic not in operations:
            return Outcome("mismatch", f"line {number}: the manifest has no {mnemonic}")
        try:
            right = encode(operations[mnemonic], arguments)
        except (KeyError, ValueError) as error:
            return Outcome("mismatch", f"line {number}: {mnemonic}: {error}")
        if word != right:
            return Outcome(
                "mismatch",
                f"line {number}: 0x{word:08x} is frozen, the manifest gives 0x{right:08x}",
            )
        seen.add(mnemonic)
        count += 1
    if missing := sorted(set(operations) - seen):
        return Outcome("mismatch", f"test/encodings.txt has no word of {', '.join(missing)}")
    return Outcome("pass", f"{count} frozen words")


def encode(operation: Operation, arguments: str) -> int:
    """Encode `rd=1 rs1=2 name=3`; ValueError if arguments are missing or left over."""
    parsed = operation.parsed
    values = {name: int(value) for name, value in (pair.split("=") for pair in arguments.split())}
    names = {"rd", *parsed.registers, *(imm.name for imm in parsed.immediates)}
    if set(values) != names:
        raise ValueError(f"needs {', '.join(sorted(names))}, got {', '.join(sorted(values))}")
    sources = {name: values[name] for name in parsed.registers}
    immediates = {imm.name: values[imm.name] for imm in parsed.immediates}
    return parsed.encode(values["rd"], sources, immediates)


def intrinsics_equal_encodings(
    accelerator: Accelerator, variant: Variant, opcode: str = ""
) -> Outcome:
    """Compile every intrinsic with every immediate for the core and read the words back.

    `opcode` names the only major opcode that a port offers (empty: encodings as they are).
    """
    port = opcode or "own"
    folder = BUILD / "host" / f"{accelerator.name}-{variant.name}-intrinsics-{port}"
    generated = codegen.generate(folder, accelerator, variant, opcode)
    operations = specs(accelerator, variant, opcode)
    lines = ["#include <stdint.h>", '#include "accel_ops.h"']
    expected: list[tuple[str, int]] = []
    # Arguments arrive in a0 to a5; three choices give each operand several register numbers.
    choices = ((0, 1, 2), (3, 1, 4), (5, 0, 2))
    for spec in operations:
        parsed = encoding.Encoding("", spec.mask, spec.value, spec.registers, ())
        for number, immediates in enumerate(_every_immediate([f.width for f in spec.immediates])):
            chosen = choices[number % len(choices)][: len(spec.registers)]
            name = f"{spec.mnemonic}_{number}"
            parameters = ", ".join(f"uint32_t a{i}" for i in range(6))
            arguments = ", ".join([*(f"a{i}" for i in chosen), *(f"{v}u" for v in immediates)])
            unused = " ".join(f"(void)a{i};" for i in range(6))
            lines.append(f"uint32_t {name}({parameters}) {{ {unused}")
            lines.append(f"  return {spec.mnemonic}({arguments}); }}")
            word = parsed.encode(
                10, dict(zip(spec.registers, (10 + i for i in chosen), strict=True)), {}
            )
            for value, lsb in zip(immediates, spec.instruction_lsb, strict=True):
                word |= value << lsb
            expected.append((name, word))
    source = folder / "intrinsics.c"
    codegen.write_if_changed(source, "\n".join(lines) + "\n")
    compiler = f"{simulate.CROSS}gcc"
    proc.run(
        [
            *(compiler, "--specs=picolibc.specs", *_ARCH, "-std=gnu99", "-O2", *_WARNINGS),
            *(f"-I{generated.include}", "-c", source, "-o", folder / "intrinsics.o"),
        ],
        timeout=300,
        log=folder / "intrinsics.log",
    )
    listing = proc.run(
        [f"{simulate.CROSS}objdump", "-d", "-z", "--show-raw-insn", folder / "intrinsics.o"],
        timeout=60,
    ).stdout
    return _compare_listing(listing, expected)


def _every_immediate(widths: Sequence[int]) -> list[tuple[int, ...]]:
    """All combinations of immediates (at most 12 bits, since they share the instruction word)."""
    values: list[tuple[int, ...]] = [()]
    for width in widths:
        values = [(*head, value) for head in values for value in range(1 << width)]
    return values


_FUNCTION = re.compile(r"^[0-9a-f]+ <(\w+)>:$")
_INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s+([0-9a-f]{8})\s")


def _compare_listing(listing: str, expected: Sequence[tuple[str, int]]) -> Outcome:
    """Each function must be its instruction and a return."""
    words: dict[str, list[int]] = {}
    current = ""
    for line in listing.splitlines():
        if found := _FUNCTION.match(line):
            current = found[1]
            words[current] = []
        elif found := _INSTRUCTION.match(line):
            words[current].append(int(found[1], 16))
    for name, word in expected:
        got = words.get(name, [])
        if got != [word, _RETURN]:
            shown = " ".join(f"{item:08x}" for item in got) or "nothing"
            return Outcome("mismatch", f"{name}: compiled to {shown}, not {word:08x} {_RETURN:08x}")
    return Outcome("pass", f"{len(expected)} compiled intrinsics")
