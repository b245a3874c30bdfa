# SPDX-License-Identifier: Apache-2.0
"""Programs of sw/harness on the host: modes, a kernel and its emulation, compiled together."""

import hashlib
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, integrate
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant

OURS = [found for found in manifest.kernels() if found.manifest.source is None]
# For what any unit shows: builds are shared between the tests that take this one.
SMALLEST = min(manifest.aes_units(), key=lambda found: (len(found.manifest.op), found.name))
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


def compile_object(source: Path, flags: Sequence[str], included: Iterable[Path]) -> Path:
    """Compile one file; an object made before of the same texts and flags is used again.

    `included` is all that the file may include. Folders have names that differ from run to run, so
    the texts in them count, not the flags that name them.
    """
    said = [flag for flag in flags if not flag.startswith("-I")]
    digest = hashlib.sha256("\0".join(said).encode())
    for path in (source, *sorted(included)):
        digest.update(str(path.name).encode() + path.read_bytes())
    target = BUILD / "objects" / f"{source.stem}-{digest.hexdigest()[:20]}.o"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_suffix(f".{os.getpid()}.o")
        subprocess.run([*flags, "-c", source, "-o", fresh], check=True, timeout=300)
        fresh.rename(target)
    return target


def headers_in(folders: Iterable[Path], suffixes: Sequence[str] = (".h", ".inc")) -> list[Path]:
    """Return what a file may include from these folders."""
    return [path for place in folders for path in place.iterdir() if path.suffix in suffixes]


def compile_c(
    target: Path,
    accelerator: Accelerator,
    variant: Variant,
    extra: Sequence[str | Path],
    modes: Path = MODES,
    kernel: Sequence[Path] | None = None,
) -> Path:
    """Compile modes, kernel and emulation with what `extra` says into `target`.

    `extra` are flags and files. Files that are the same for each kernel are compiled once for each
    size of the contract's types.
    """
    software = accelerator.manifest.sw
    common = [ROOT / "sw" / "include", ROOT / "sw" / "harness", modes]
    own = sorted({path.parent for path in accelerator.kernel_files(variant)})
    sources_made: Sequence[Path] = ()
    files = list(kernel or ())
    if accelerator.manifest.is_unit:
        made = codegen.generate(target.parent / "made", accelerator, variant)
        own.append(made.include)
        sources_made = made.sources
        files += accelerator.emulations(variant)
    if kernel is None:
        files += one_set_of_flags(accelerator, variant, sources_made, target.parent / "kernel")
    sizes = [f"-D{word}" for word in accelerator.manifest.macros(variant)]
    macros = [word for word in (*software.cflags, *variant.cflags) if word.startswith("-D")]
    macros += [f"-D{word}" for word in (*variant.defines, "ACCEL_EMULATE")]
    flags = [str(word) for word in extra if not isinstance(word, Path)]
    command = ["gcc", "-std=gnu99", "-O1", *WARNINGS, *sizes, *flags]
    search = [f"-I{path}" for path in common]
    shared = [*sorted(modes.glob("*.c")), *(path for path in extra if isinstance(path, Path))]
    headers = headers_in(common)
    objects = [compile_object(path, [*command, *search], headers) for path in shared]
    named = {Path(flag[2:]) for flag in flags if flag.startswith("-I")}
    places = {*own, *named, *(path.parent for path in files)}
    texts = [*headers, *headers_in(places, (".h", ".inc", ".c", ".S"))]
    search += [f"-I{path}" for path in own]
    objects += [compile_object(path, [*command, *macros, *search], texts) for path in files]
    subprocess.run([*command, *objects, "-o", target], check=True, timeout=300)
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
