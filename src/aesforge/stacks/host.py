# SPDX-License-Identifier: Apache-2.0
"""TLS stacks with our drivers as libraries and programs for the host.

A driver runs on a kernel whose operations are its emulation; undefined behaviour in our C ends
the process.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from aesforge.base import proc
from aesforge.base.paths import BUILD
from aesforge.build import codegen
from aesforge.build.simulate import cached
from aesforge.build.system import ECC, GCM, INCLUDE, MODES, SEALED, STACKS
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.stacks import bearssl, mbedtls, wolfssl

_FLAGS = ("-std=gnu99", "-O1", "-g", "-fPIC", "-ffunction-sections", "-fdata-sections")
_CHECKED = (
    *("-Wall", "-Wextra", "-Wconversion", "-Werror"),
    *("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"),
)
# Of Mbed TLS's tests/src.
_SUITES_NEED = (
    *("asn1_helpers", "fake_external_rng_for_test", "helpers", "psa_crypto_helpers"),
    *("psa_exercise_key", "random"),
)

Job = tuple[Path, Sequence[str]]  # a C file and its flags


def build(
    accelerator: Accelerator,
    variant: Variant,
    folder: Path,
    extra: Sequence[Path],
    version: Path,
    driver: Sequence[Path] | None = None,
) -> Path:
    """Return Mbed TLS's PSA core as a library in `folder`, with `extra` C files.

    Only what the linker's version script names stays, and what that uses. `driver`: instead of our
    files.
    """
    glue = sorted(mbedtls.DRIVER.glob("*.c")) if driver is None else driver
    jobs: list[Job] = [(path, ("-w",)) for path in mbedtls.library(mbedtls.CRYPTO)]
    jobs += [(path, _CHECKED) for path in (*glue, *extra)]
    flags = [*(f"-D{word}" for word in (*mbedtls.DEFINES, "AESFORGE_PSA_COUNT"))]
    flags += [f"-I{path}" for path in mbedtls.includes()]
    ours, own_flags = _ours(accelerator, variant, folder)
    objects = _compile(folder, [*jobs, *ours], [*flags, *own_flags])
    library = folder / "psa.so"
    # Undefined symbols are errors: what was left out of Mbed TLS cannot be called.
    link = ["-shared", "-Wl,-z,defs", f"-Wl,--version-script={version}"]
    _link(library, [*link, *objects])
    return library


def suite_programs(
    accelerator: Accelerator,
    variant: Variant,
    folder: Path,
    names: Sequence[str],
    driver: Sequence[Path] | None = None,
) -> dict[str, Path]:
    """Return suites of Mbed TLS's own tests as programs in `folder`, by name.

    They call the PSA core with our driver, and run in `mbedtls.suites(names)`. `driver`: instead of
    our files.
    """
    tests = mbedtls.suites(names) / "tests"
    glue = sorted(mbedtls.DRIVER.glob("*.c")) if driver is None else driver
    jobs: list[Job] = [(path, ("-w",)) for path in mbedtls.library(mbedtls.CRYPTO)]
    jobs += [(tests / "src" / f"{name}.c", ("-w",)) for name in _SUITES_NEED]
    jobs += [(path, _CHECKED) for path in glue]
    flags = [f"-D{word}" for word in mbedtls.DEFINES]
    flags += [f"-I{path}" for path in (*mbedtls.includes(), tests / "include")]
    ours, own_flags = _ours(accelerator, variant, folder)
    objects = _compile(folder, [*jobs, *ours], [*flags, *own_flags])
    own = [(tests.parent / "gen" / f"test_suite_{name}.c", ("-w",)) for name in names]
    (folder / "suites").mkdir()
    made = _compile(folder / "suites", own, [*flags, *own_flags])
    for name, path in zip(names, made, strict=True):
        _link(folder / name, [path, *objects])
    return {name: folder / name for name in names}


def bearssl_program(
    accelerator: Accelerator,
    variant: Variant,
    folder: Path,
    main: Path,
    driver: Sequence[Path] | None = None,
) -> Path:
    """Return a program in `folder` with BearSSL as an archive; `driver`: instead of our files."""
    glue = sorted(bearssl.DRIVER.glob("*.c")) if driver is None else driver
    tree = bearssl.sources()
    jobs: list[Job] = [(path, _CHECKED) for path in (*glue, *STACKS)]
    jobs.append((main, ("-w", f"-I{tree / 'src'}", f"-I{tree / 'test'}")))
    flags = [f"-I{path}" for path in bearssl.includes()]
    ours, own_flags = _ours(accelerator, variant, folder)
    objects = _compile(folder, [*jobs, *ours], [*flags, *own_flags])
    program = folder / main.stem
    _link(program, [*objects, _bearssl_archive()])
    return program


def wolfssl_program(
    accelerator: Accelerator,
    variant: Variant,
    folder: Path,
    main: Path,
    settings: Path,
    driver: Sequence[Path] | None = None,
) -> Path:
    """Return a program in `folder` with wolfSSL as an archive, configured by `settings`."""
    glue = sorted(wolfssl.DRIVER.glob("*.c")) if driver is None else driver
    jobs: list[Job] = [(path, _CHECKED) for path in (*glue, *STACKS)]
    jobs.append((main, ("-w",)))
    ours, own_flags = _ours(accelerator, variant, folder)
    objects = _compile(folder, [*jobs, *ours], [*wolfssl.flags(settings), *own_flags])
    program = folder / main.stem
    _link(program, [*objects, _wolfssl_archive(settings)])
    return program


def _wolfssl_archive(settings: Path) -> Path:
    """Return wolfSSL for the host in this configuration; made once."""
    compiler = proc.version_line("gcc", "--version")
    configuration = proc.digest(settings / "user_settings.h")
    key = proc.digest(wolfssl.sources().name, compiler, configuration, " ".join(_FLAGS))[:24]

    def make(folder: Path) -> None:
        flags = [*wolfssl.flags(settings), "-w"]
        objects = _compile(folder, [(path, ()) for path in wolfssl.library()], flags)
        target = folder / "libwolfssl.a"
        proc.run(["ar", "rcs", target, *objects], timeout=60, log=folder / "ar.log")

    return cached(BUILD / "stacks" / f"wolfssl-host-{key}", make) / "libwolfssl.a"


def _bearssl_archive() -> Path:
    """Return the whole of BearSSL for the host; made once."""
    tree = bearssl.sources()

    def make(folder: Path) -> None:
        flags = [f"-I{tree / 'inc'}", f"-I{tree / 'src'}", "-w"]
        objects = _compile(folder, [(path, ()) for path in bearssl.library()], flags)
        target = folder / "libbearssl.a"
        proc.run(["ar", "rcs", target, *objects], timeout=60, log=folder / "ar.log")

    compiler = proc.version_line("gcc", "--version")
    key = proc.digest(tree.name, compiler, " ".join(_FLAGS))[:24]
    return cached(BUILD / "stacks" / f"bearssl-host-{key}", make) / "libbearssl.a"


def _ours(accelerator: Accelerator, variant: Variant, folder: Path) -> tuple[list[Job], list[str]]:
    """Return modes, curves, SHA-256 and the kernel with its emulation, and flags for all files."""
    jobs: list[Job] = [
        (path, _CHECKED) for path in (MODES, *GCM, *SEALED, *mbedtls.HASH, *sorted(ECC.glob("*.c")))
    ]
    flags = [f"-D{word}" for word in (*accelerator.manifest.macros(variant), "ACCEL_EMULATE")]
    flags += [f"-I{INCLUDE}", f"-I{ECC}"]
    if accelerator.manifest.rtl is not None or accelerator.manifest.kind == "set":
        made = codegen.generate(folder, accelerator, variant)
        flags.append(f"-I{made.include}")
        jobs += [(path, ("-w",)) for path in made.sources]
        members = accelerator.members(variant)
        for member, path in zip(members, accelerator.emulations(variant), strict=True):
            jobs.append((path, ("-w", *(f"-D{word}" for word in member.variant.defines))))
    for part in accelerator.kernel_parts(variant):
        own = [word for word in part.cflags if word.startswith("-D")]
        own += [f"-D{word}" for word in part.defines]
        jobs += [(path, (*own, "-w")) for path in part.files if path.suffix == ".c"]
    if accelerator.manifest.has_ecc(variant):
        jobs += [(path, ("-w",)) for path in accelerator.ecc_files(variant) if path.suffix == ".c"]
    return jobs, flags


def _compile(folder: Path, jobs: Sequence[Job], common: Sequence[str]) -> list[Path]:
    """Return the objects, made in `folder`."""

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
        return list(pool.map(lambda job: compile_one(*job), numbered))


def _link(target: Path, words: Sequence[str | Path]) -> None:
    command = ["gcc", "-Wl,--gc-sections", *words, "-o", target]
    proc.run(command, timeout=300, log=target.with_name("link.log"))
