# SPDX-License-Identifier: Apache-2.0
"""The curves on the host: sw/harness/ecc.c with standard input and output as its stream device.

The same sources as on the cores, a unit's operations being its emulation; every undefined behaviour
and every access outside an object is an error.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import SimulationError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen
from aesforge.build.system import ECC, HARNESS, INCLUDE, MODES
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.reference.ecc import CurveAnswer, CurveCase, unpack

RUN_SECONDS = 600.0
_FLAGS = ("-std=gnu99", "-O2", "-g", "-Wall", "-Wextra", "-Wconversion", "-Werror")
_SANITIZERS = ("-fsanitize=undefined,address", "-fno-sanitize-recover=all")


def build(
    accelerator: Accelerator,
    variant: Variant,
    *,
    extra: Sequence[Path] = (),
    sources: Path = ECC,
    sanitize: bool = True,
) -> Path:
    """Return the program, made of the curves in `sources` and what a unit replaces of them.

    Functions of the `extra` C files replace weak ones. Without `sanitize` it is made faster.
    """
    name = f"{accelerator.name}-{variant.name}"
    software = accelerator.manifest.sw
    files = [HARNESS / "ecc.c", ROOT / "sw" / "host" / "hal.c", MODES, *sorted(sources.glob("*.c"))]
    files += [*accelerator.kernel_files(variant), *accelerator.ecc_files(variant), *extra]
    includes = [HARNESS, INCLUDE, sources]
    folder = (
        BUILD
        / "ecc-host"
        / f"{name}-{proc.digest(str(sanitize), *map(str, (*extra, sources)))[:12]}"
    )
    folder.mkdir(parents=True, exist_ok=True)
    if accelerator.manifest.rtl is not None:
        includes.append(codegen.generate(folder, accelerator, variant).include)
        files += accelerator.emulations(variant)
    program = folder / "ecc"
    own = [word for word in (*software.cflags, *variant.cflags) if word.startswith("-D")]
    macros = (*accelerator.manifest.macros(variant), *variant.defines, "ACCEL_EMULATE")
    checked = _SANITIZERS if sanitize else ()
    objects = [folder / f"{number}.o" for number, _ in enumerate(files)]
    flags = [*own, *(f"-D{word}" for word in macros), *(f"-I{path}" for path in includes)]

    def compile_one(file: Path, target: Path) -> None:
        log = folder / f"{target.stem}.log"
        proc.run(["gcc", *_FLAGS, *checked, *flags, "-c", file, "-o", target], timeout=300, log=log)

    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(compile_one, files, objects))
    log = folder / "link.log"
    proc.run(["gcc", *checked, *objects, "-o", program], timeout=300, log=log)
    return program


def run(program: Path, checks: Sequence[CurveCase]) -> list[CurveAnswer]:
    """Run calls; SimulationError if the program ends badly or answers too little."""
    requests, answers = program.with_name("requests"), program.with_name("answers")
    requests.write_bytes(b"".join(case.pack() for case in checks))
    done = proc.run([program, requests, answers], timeout=RUN_SECONDS, check=False)
    if done.status != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[0]
        raise SimulationError(f"{program.name} ended with status {done.status}: {last[:200]}")
    return unpack(answers.read_bytes(), len(checks))
