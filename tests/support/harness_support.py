# SPDX-License-Identifier: Apache-2.0
"""Programs of sw/harness on the host: modes, a kernel and its emulation, compiled together."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from aesforge.base.paths import ROOT
from aesforge.build import codegen, integrate
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant

OURS = [found for found in manifest.kernels() if found.manifest.source is None]
BASELINE = next(found for found in OURS if found.manifest.kind == "software")
MODES = ROOT / "sw" / "modes"
SANITIZERS = ("-fsanitize=undefined,address", "-fno-sanitize-recover=all")
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror")


def own_ghash(accelerator: Accelerator) -> bool:
    """Whether a kernel brings its own GHASH."""
    return any(
        "void aes_ghash_blocks(" in path.read_text(encoding="utf-8")
        for variant in accelerator.manifest.variant
        for path in accelerator.kernel_files(variant)
    )


HASHING = [
    (accelerator, variant)
    for accelerator in OURS
    for variant in accelerator.manifest.variant
    if own_ghash(accelerator) and variant.by_default
]


def name_of(value: object) -> str:
    """Name accelerators and variants in the names of tests."""
    return value.name if isinstance(value, Accelerator | Variant) else str(value)


def one_set_of_flags(
    accelerator: Accelerator, variant: Variant, made: Sequence[Path], folder: Path
) -> list[Path]:
    """Return the kernel as files that one command compiles; for a set as an export has them."""
    if accelerator.manifest.kind != "set":
        return accelerator.kernel_files(variant)
    texts = integrate.exported_c(accelerator, variant, made)
    folder.mkdir(parents=True, exist_ok=True)
    for name in (names := integrate.kernel_names(accelerator, variant)):
        (folder / name).write_text(texts[name], encoding="utf-8")
    return [folder / name for name in names]


def compile_c(
    target: Path,
    accelerator: Accelerator,
    variant: Variant,
    extra: Sequence[str | Path],
    modes: Path = MODES,
    kernel: Sequence[Path] | None = None,
) -> Path:
    """Compile modes, kernel and emulation with what `extra` says into `target`."""
    software = accelerator.manifest.sw
    includes = [ROOT / "sw" / "include", ROOT / "sw" / "harness", modes]
    includes += sorted({path.parent for path in accelerator.kernel_files(variant)})
    sources_made: Sequence[Path] = ()
    files = list(kernel or ())
    if accelerator.manifest.is_unit:
        made = codegen.generate(target.parent / "made", accelerator, variant)
        includes.append(made.include)
        sources_made = made.sources
        files += accelerator.emulations(variant)
    if kernel is None:
        files += one_set_of_flags(accelerator, variant, sources_made, target.parent / "kernel")
    macros = (*accelerator.manifest.macros(variant), *variant.defines, "ACCEL_EMULATE")
    own = [word for word in (*software.cflags, *variant.cflags) if word.startswith("-D")]
    command = ["gcc", "-std=gnu99", "-O1", *WARNINGS, *own, *(f"-D{word}" for word in macros)]
    command += [f"-I{path}" for path in includes]
    sources = [*sorted(modes.glob("*.c")), *files]
    subprocess.run([*command, *extra, *sources, "-o", target], check=True, timeout=300)
    return target


def build(
    target: Path,
    accelerator: Accelerator,
    variant: Variant,
    modes: Path = MODES,
    kernel: Sequence[Path] | None = None,
    sanitizers: Sequence[str] = SANITIZERS,
) -> Path:
    """Return the program sw/harness/`target's name`.c for the host, with sanitizers."""
    host = [ROOT / "sw" / "harness" / f"{target.name}.c", ROOT / "sw" / "host" / "hal.c"]
    return compile_c(target, accelerator, variant, [*sanitizers, *host], modes, kernel)
