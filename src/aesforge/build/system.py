# SPDX-License-Identifier: Apache-2.0
"""An accelerator in a platform: the simulator and the firmware that a question needs."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from aesforge.base.errors import UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen
from aesforge.build.simulate import (
    HARNESS as HARNESS_CPP,
)
from aesforge.build.simulate import (
    Firmware,
    Size,
    Sources,
    build_firmware,
    build_model,
    model_inputs,
    model_name,
)
from aesforge.catalog.manifest import Accelerator, Direction, Skip, Variant
from aesforge.catalog.platform import Platform

INCLUDE = ROOT / "sw" / "include"
HARNESS = ROOT / "sw" / "harness"
MODES = ROOT / "sw" / "modes" / "aes_modes.c"
GCM = tuple(
    ROOT / "sw" / "modes" / f"{name}.c" for name in ("aes_gcm", "aes_gcm_message", "aes_ghash")
)
ECC = ROOT / "sw" / "ecc"
SEALED = tuple(
    ROOT / "sw" / "modes" / f"{name}.c"
    for name in ("aes_cbc_mac", "aes_ccm", "aes_cmac", "aes_gcm_siv", "aes_kw", "aes_xts")
)
HASH = tuple(ROOT / "sw" / "hash" / f"{name}.c" for name in ("sha256", "sha256_blocks"))
# For software stacks: pieces of any length, keys as bytes.
STACKS = tuple(
    ROOT / "sw" / "modes" / f"{name}.c" for name in ("aes_ctr", "aes_gcm_unverified", "aesforge")
)
# What programs use beside the modes of aes_modes.h.
MORE_MODES = {
    **dict.fromkeys(("gcm", "irq_gcm", "stream_gcm"), GCM),
    "irq_modes": SEALED[:1],
    "modes": (*GCM, *SEALED),
    "sha256": HASH,
    "secrets": (*GCM, *SEALED, *STACKS),
}
HARNESS_CFLAGS = ("-O2",)
ECC_CFLAGS = ("-O2",)


def reason_to_skip(accelerator: Accelerator, variant: Variant, platform: Platform) -> Skip | None:
    """Say why a variant is not offered on a platform, if so."""
    if skip := accelerator.manifest.skipped(f"platform:{platform.name}"):
        return skip
    operands = platform.manifest.operands
    too_many = [
        operation.mnemonic
        for operation in accelerator.manifest.operations(variant)
        if len(operation.parsed.registers) > operands
    ]
    if too_many:
        return Skip(
            what=f"platform:{platform.name}",
            because=f"{', '.join(too_many)} read more than {operands} registers",
            until=f"the {platform.manifest.port} port feeds a third operand",
        )
    lost = [
        operation.mnemonic
        for operation in accelerator.manifest.operations(variant)
        if platform.opcode and codegen.uses_rs2_bits(operation)
    ]
    if lost:
        return Skip(
            what=f"platform:{platform.name}",
            because=f"the port does not carry bits 24:20, in which {', '.join(lost)} differ",
            until=f"the {platform.manifest.port} port carries the register number of rs2",
        )
    return None


def require_offered(accelerator: Accelerator, variant: Variant, platform: Platform) -> None:
    """Raise a UsageError if the variant does not run on the platform."""
    if not accelerator.manifest.sw.kernel and accelerator.manifest.kind != "set":
        raise UsageError(
            f"{accelerator.name} is of kind '{accelerator.manifest.kind}': no platform holds it",
            f"`aesforge check {accelerator.name}` simulates it",
        )
    if skip := reason_to_skip(accelerator, variant, platform):
        raise UsageError(
            f"{accelerator.name}/{variant.name} does not run on {platform.name}: {skip.because}"
        )


def generated(
    accelerator: Accelerator, variant: Variant, platform: Platform, random_delay: bool = False
) -> codegen.Generated:
    """Write the files that follow from the manifest for this platform's port."""
    has_unit = accelerator.manifest.rtl is not None
    name = f"{accelerator.name}-{variant.name}" if has_unit else "none"
    folder = BUILD / "generated" / f"{name}-{platform.opcode or 'any'}{'-delay' * random_delay}"
    return codegen.generate(
        folder,
        accelerator if has_unit else None,
        variant,
        platform.opcode,
        random_delay=random_delay,
    )


def build_system_model(
    accelerator: Accelerator,
    variant: Variant,
    platform: Platform,
    *,
    random_delay: bool = False,
    trace: bool = False,
    bug: str = "",
    without_cures: Collection[str] = (),
    harness: tuple[Path, ...] = (HARNESS_CPP,),
) -> Path:
    """Return the simulator of the platform with this unit at its adapter.

    Software baselines share one simulator without a unit. `random_delay` puts fu_random_delay
    between adapter and unit; `bug` is a planted bug of the unit or of shared RTL. `harness`: as in
    `build_model`.
    """
    return build_model(
        platform,
        _system_rtl(accelerator, variant, platform, random_delay),
        trace=trace,
        without_cures=without_cures,
        bug=bug,
        accelerator=accelerator,
        harness=harness,
    )


def system_model_name(
    accelerator: Accelerator, variant: Variant, platform: Platform, harness: tuple[Path, ...]
) -> str:
    """Return the name of the folder that `build_system_model` returns a simulator of."""
    rtl = _system_rtl(accelerator, variant, platform)
    return model_name(platform, rtl, accelerator, harness)


def system_model_inputs(accelerator: Accelerator, variant: Variant, platform: Platform) -> str:
    """Return the hash of what the simulator of a unit in a platform is built from."""
    return model_inputs(platform, _system_rtl(accelerator, variant, platform), accelerator)


def _system_rtl(
    accelerator: Accelerator, variant: Variant, platform: Platform, random_delay: bool = False
) -> list[Path]:
    """Return the generated RTL of a unit in a platform."""
    files = generated(accelerator, variant, platform, random_delay)
    package, block = codegen.generate_peripheral(files.folder, accelerator, variant)
    return [*files.rtl[:-2], package, *files.rtl[-2:], block]


def kernel_sources(accelerator: Accelerator, variant: Variant, platform: Platform) -> list[Sources]:
    """Return the kernel with its flags; a peer's sources are fetched first."""
    manifest = accelerator.manifest
    files = generated(accelerator, variant, platform)
    parts = accelerator.kernel_parts(variant)
    cflags, defines = parts[-1].cflags, parts[-1].defines
    groups: list[Sources] = []
    includes: tuple[Path, ...] = (files.include,)
    if manifest.source is not None:
        from aesforge.build import peers

        tree = peers.ensure(manifest.source)
        includes += tuple(tree / folder for folder in manifest.source.includes)
        peer_files = tuple(tree / name for name in manifest.source.files)
        groups.append(Sources(peer_files, cflags, defines, includes, strict=False))
    own = manifest.source is None
    kernel = [Sources(p.files, p.cflags, p.defines, includes, strict=own) for p in parts]
    if files.sources:
        kernel.append(Sources(files.sources, cflags, manifest.macros(variant)))
    return [*kernel, *groups]


def build_system_firmware(
    accelerator: Accelerator,
    variant: Variant,
    platform: Platform,
    question: str,
    defines: Sequence[str] = (),
) -> Firmware:
    """Return sw/harness/<question>.c linked with the kernel and the modes of operation."""
    macros = accelerator.manifest.macros(variant)
    main = Sources(
        (HARNESS / f"{question}.c", MODES, *MORE_MODES.get(question, ())),
        HARNESS_CFLAGS,
        (*macros, *defines),
        (HARNESS, ECC) if question == "secrets" else (HARNESS,),
    )
    groups = [main, *kernel_sources(accelerator, variant, platform)]
    if question == "secrets" and accelerator.manifest.has_ecc(variant):
        groups[1:1] = ecc_sources(accelerator, variant, platform)
    return build_firmware(platform, groups, name=f"{question}-{accelerator.name}-{variant.name}")


def ecc_sources(accelerator: Accelerator, variant: Variant, platform: Platform) -> list[Sources]:
    """Return the curves in C, and what replaces parts of them on the unit."""
    owners = [part.owner for part in accelerator.kernel_parts(variant)]
    at = owners.index(accelerator.curves(variant).name)
    kernel = kernel_sources(accelerator, variant, platform)[at]
    files = tuple(accelerator.ecc_files(variant))
    own = replace(kernel, files=files, includes=(*kernel.includes, ECC, INCLUDE))
    return [Sources(tuple(sorted(ECC.glob("*.c"))), ECC_CFLAGS), *([own] if own.files else [])]


def build_ecc_firmware(accelerator: Accelerator, variant: Variant, platform: Platform) -> Firmware:
    """Return sw/harness/ecc.c linked with the curves."""
    curves = ecc_sources(accelerator, variant, platform)
    main = Sources((HARNESS / "ecc.c", MODES), HARNESS_CFLAGS, includes=(HARNESS,))
    groups = [main, *curves, *kernel_sources(accelerator, variant, platform)]
    return build_firmware(platform, groups, name=f"ecc-{accelerator.name}-{variant.name}")


def kernel_size(
    accelerator: Accelerator, variant: Variant, platform: Platform, firmware: Firmware
) -> Size:
    """Return what the kernel (and its peer's sources) contribute to a linked firmware, in bytes."""
    groups = kernel_sources(accelerator, variant, platform)
    files = [path for group in groups for path in group.files]
    return firmware.size(files, accelerator.manifest.sw.tables)


def direction_bytes(
    accelerator: Accelerator, variant: Variant, platform: Platform, direction: Direction
) -> int:
    """Return what the kernel takes, code and tables, where one direction alone is linked."""
    firmware = build_system_firmware(
        accelerator, variant, platform, "size", [f"SIZE_{direction.upper()}"]
    )
    size = kernel_size(accelerator, variant, platform, firmware)
    return size.code_bytes + size.table_bytes
