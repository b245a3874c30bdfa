# SPDX-License-Identifier: Apache-2.0
"""Mbed TLS's PSA core with our driver as a shared library for the host.

The driver runs on a kernel whose operations are its emulation; undefined behaviour in our C ends
the process.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from aesforge.base import proc
from aesforge.build import codegen
from aesforge.build.system import ECC, GCM, INCLUDE, MODES, SEALED
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.stacks import mbedtls

_FLAGS = ("-std=gnu99", "-O1", "-g", "-fPIC", "-ffunction-sections", "-fdata-sections")
_CHECKED = (
    *("-Wall", "-Wextra", "-Wconversion", "-Werror"),
    *("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"),
)


def build(
    accelerator: Accelerator,
    variant: Variant,
    folder: Path,
    extra: Sequence[Path],
    version: Path,
    driver: Sequence[Path] | None = None,
) -> Path:
    """Return the library, made in `folder`; `extra` C files and a linker's version script join.

    Only what the version script names stays, and what that uses. `driver`: instead of our files.
    """
    macros = (*accelerator.manifest.macros(variant), *mbedtls.DEFINES, "AESFORGE_PSA_COUNT")
    includes = [*mbedtls.includes(), INCLUDE, ECC]
    jobs: list[tuple[Path, Sequence[str]]] = [
        (path, ("-w",)) for path in mbedtls.library(mbedtls.CRYPTO)
    ]
    glue = sorted(mbedtls.DRIVER.glob("*.c")) if driver is None else driver
    ours = (*glue, *extra, MODES, *GCM, *SEALED, *mbedtls.HASH, *sorted(ECC.glob("*.c")))
    jobs += [(path, _CHECKED) for path in ours]
    if accelerator.manifest.rtl is not None or accelerator.manifest.kind == "set":
        made = codegen.generate(folder, accelerator, variant)
        includes.append(made.include)
        jobs += [(path, ("-w",)) for path in made.sources]
        members = accelerator.members(variant)
        for member, path in zip(members, accelerator.emulations(variant), strict=True):
            jobs.append((path, ("-w", *(f"-D{word}" for word in member.variant.defines))))
    for part in accelerator.kernel_parts(variant):
        own = [word for word in part.cflags if word.startswith("-D")]
        flags = (*own, *(f"-D{word}" for word in part.defines), "-w")
        jobs += [(path, flags) for path in part.files if path.suffix == ".c"]
    if accelerator.manifest.has_ecc(variant):
        jobs += [(path, ("-w",)) for path in accelerator.ecc_files() if path.suffix == ".c"]
    common = [*(f"-D{word}" for word in (*macros, "ACCEL_EMULATE")), *(f"-I{p}" for p in includes)]

    def compile_one(number: int, path: Path, flags: Sequence[str]) -> Path:
        target = folder / f"{number}_{path.stem}.o"
        proc.run(
            ["gcc", *_FLAGS, *common, *flags, "-c", path, "-o", target],
            timeout=300,
            log=target.with_suffix(".log"),
        )
        return target

    with ThreadPoolExecutor(max_workers=2) as pool:
        numbered = [(number, path, flags) for number, (path, flags) in enumerate(jobs)]
        objects = list(pool.map(lambda job: compile_one(*job), numbered))
    library = folder / "psa.so"
    # Undefined symbols are errors: what was left out of Mbed TLS cannot be called.
    link = ["gcc", "-shared", "-Wl,--gc-sections", "-Wl,-z,defs"]
    link.append(f"-Wl,--version-script={version}")
    proc.run([*link, *objects, "-o", library], timeout=300, log=folder / "link.log")
    return library
