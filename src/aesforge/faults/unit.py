# SPDX-License-Identifier: Apache-2.0
"""Operations of an instruction unit with state for fault campaigns: what its kernel asks of it.

The kernel runs on the host with the unit's emulation; trace.c notes each operation, and what
becomes of a wrong answer. So a campaign has the operations of a core that runs the kernel, and
knows which answers the result depends on.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.base import proc
from aesforge.base.errors import AesforgeError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.faults.step import KINDS, Job, Request

HERE = Path(__file__).parent
SECONDS = 600.0

KEY = bytes(range(0x60, 0x80))
IV = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
TEXT = bytes(range(0xA0, 0xC0))
AAD = bytes(range(0x20, 0x30))


def jobs(accelerator: Accelerator, variant: Variant) -> Iterator[Job]:
    """Yield what a variant's kernel offers, with the answers that are right.

    AES in ECB, CBC and CTR if the unit has AES, AES-GCM if its kernel has a GHASH.
    """
    program = _program(accelerator, variant)
    for bits in variant.key_bits:
        for mode, direction in _wanted(accelerator, variant):
            yield _job(program, mode, direction, KEY[: bits // 8])


def _wanted(accelerator: Accelerator, variant: Variant) -> Iterator[tuple[str, str]]:
    if not accelerator.manifest.sw.cipher:
        for direction in variant.directions:
            yield "ecb", direction
            yield "cbc", direction
        if "encrypt" in variant.directions:
            yield "ctr", "encrypt"
    if "encrypt" in variant.directions and _has_ghash(accelerator, variant):
        yield "gcm", "encrypt"
        yield "gcm", "decrypt"


def _has_ghash(accelerator: Accelerator, variant: Variant) -> bool:
    files = accelerator.kernel_files(variant)
    return any("void aes_ghash_blocks(" in path.read_text(encoding="utf-8") for path in files)


def _job(program: Path, mode: str, direction: str, key: bytes) -> Job:
    """Run the kernel on the emulated unit; AesforgeError if its result is not OpenSSL's."""
    given, right = _sample(mode, direction, key)
    words = [key, IV[:12] if mode == "gcm" else IV, given, AAD]
    done = proc.run([program, mode, direction, *(word.hex() for word in words)], timeout=SECONDS)
    first, *lines = done.stdout.splitlines()
    name = f"{mode}-{direction}-{8 * len(key)}"
    if first != f"result {right.hex()}":
        raise AesforgeError(f"{name}: the kernel on the emulated unit gives {first}")
    steps = []
    for line in lines:
        kind, *numbers = (int(word, 16) for word in line.split())
        steps.append(Request(KINDS[kind], *numbers))
    return Job(name, tuple(steps))


def _sample(mode: str, direction: str, key: bytes) -> tuple[bytes, bytes]:
    """Return what the kernel is given and what it must make of it."""
    if mode == "gcm":
        sealed = AESGCM(key).encrypt(IV[:12], TEXT[:16], AAD)
        return (TEXT, sealed) if direction == "encrypt" else (sealed, TEXT[:16])
    chosen: Any = {"ecb": modes.ECB(), "cbc": modes.CBC(IV), "ctr": modes.CTR(IV)}[mode]
    cipher = Cipher(algorithms.AES(key), chosen)
    able = cipher.encryptor() if direction == "encrypt" else cipher.decryptor()
    return TEXT, able.update(TEXT)


def _program(accelerator: Accelerator, variant: Variant) -> Path:
    """Compile the kernel, the modes and the emulation, with each operation noted."""
    folder = BUILD / "faults" / "units" / f"{accelerator.name}-{variant.name}"
    made = codegen.generate(folder / "made", accelerator, variant)
    layout = codegen.layout(accelerator, variant)
    operations = [
        {
            "mnemonic": op.mnemonic,
            "code": op.code,
            "registers": op.encoding.registers,
            "immediates": [layout.field(imm.name) for imm in op.encoding.immediates],
        }
        for op in layout.operations
    ]
    wraps = folder / "unit_trace.c"
    text = codegen.render("unit_trace.c.j2", name=accelerator.name, operations=operations)
    codegen.write_if_changed(wraps, text)

    log = folder / "compile.log"
    include = [f"-I{path}" for path in (HERE, made.include, ROOT / "sw" / "include")]
    sizes = [f"-D{word}" for word in accelerator.manifest.macros(variant)]
    common = ["gcc", "-std=gnu11", "-O1", "-DACCEL_EMULATE", *include, *sizes]
    parts = [
        (part.files, [*part.cflags, *(f"-D{word}" for word in part.defines)])
        for part in accelerator.kernel_parts(variant)
    ]
    own = [*accelerator.manifest.sw.cflags, *variant.cflags]
    own += [f"-D{word}" for word in variant.defines]
    parts.append((tuple(accelerator.emulations(variant)), own))
    rest = sorted((ROOT / "sw" / "modes").glob("*.c"))
    parts.append(((*rest, wraps, HERE / "trace.c"), []))
    objects: list[Path] = []
    for files, flags in parts:
        macros = [word for word in flags if word.startswith("-D")]
        for file in files:
            objects.append(folder / f"{len(objects)}-{file.stem}.o")
            proc.run([*common, *macros, "-c", file, "-o", objects[-1]], timeout=300.0, log=log)
    wrapped = [f"-Wl,--wrap={op.mnemonic}" for op in layout.operations]
    program = folder / "trace"
    proc.run(["gcc", *wrapped, *objects, "-o", program], timeout=300.0, log=log)
    return program
