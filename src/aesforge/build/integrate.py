# SPDX-License-Identifier: Apache-2.0
"""Hand out one accelerator for a host's port: RTL in compile order and C sources."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aesforge.base.errors import ManifestError, UsageError
from aesforge.base.paths import ROOT
from aesforge.build import codegen, library, op_numbers
from aesforge.catalog.manifest import Accelerator, Variant, require_unit
from aesforge.catalog.platform import Platform, discover

_PORT = re.compile(r"(input|output)\s+logic\s*(\[[^\]]+\])?\s*(\w+)")
_PARAMETER = re.compile(r"parameter\s+(?:\w+\s+)?(\w+)\s*=\s*([^,\n)]+)")
# Parameters of adapters that follow from the unit (accel_traits_pkg).
TRAITS = {
    "Speculative": "accel_traits_pkg::Stateless",
    "Stateless": "accel_traits_pkg::Stateless",
    "Registered": "accel_traits_pkg::Registered",
}
# Ports that name an operation by a number of 8 bits instead of an instruction, with two operands.
NUMBERED = ("nios", "nios_comb")
_NUMBER_WIDTH = 8
_INNER = ("dec_", "req_", "rsp_")  # between adapter, decoder and unit


@dataclass(frozen=True)
class Port:
    """A port of an adapter; `width` is the packed range or empty."""

    direction: str
    width: str
    name: str

    @property
    def inner(self) -> bool:
        """Whether it leads to decoder or unit rather than to the host."""
        return self.name.startswith(_INNER)

    @property
    def wire(self) -> str:
        """Name of the wire that joins adapter, decoder and unit."""
        return re.sub(r"_[io]$", "", self.name)


@dataclass(frozen=True)
class Adapter:
    """What the header of rtl/adapters/fu_to_<port>.sv says."""

    file: Path
    parameters: tuple[tuple[str, str], ...]
    ports: tuple[Port, ...]


def read_adapter(port: str) -> Adapter:
    """Read an adapter's parameters and ports; a UsageError lists the ports there are."""
    file = ROOT / "rtl" / "adapters" / f"fu_to_{port}.sv"
    if not file.is_file():
        known = sorted(path.stem.removeprefix("fu_to_") for path in file.parent.glob("fu_to_*.sv"))
        raise UsageError(f"there is no adapter for port '{port}'", f"known: {', '.join(known)}")
    text = re.sub(r"//.*", "", file.read_text(encoding="utf-8"))
    header = re.search(rf"module fu_to_{port}\b(.*?)\);", text, re.DOTALL)
    if header is None:
        raise ManifestError(f"{file}: no module fu_to_{port}")
    parameters = tuple((name, value.strip()) for name, value in _PARAMETER.findall(header[1]))
    ports = tuple(Port(*found) for found in _PORT.findall(header[1]))
    return Adapter(file, parameters, ports)


def coprocessor_sv(accelerator: Accelerator, port: str) -> str:
    """Return accel_<port>.sv: decoder, adapter and unit with the host's ports."""
    adapter = read_adapter(port)
    parameters = [(n, TRAITS.get(n, v)) for n, v in adapter.parameters]
    if port in NUMBERED:
        clocked = any(p.name == "clk_i" for p in adapter.ports)
        return codegen.render(
            "accel_nios.sv.j2",
            port=port,
            name=accelerator.name,
            parameters=parameters,
            clocked=clocked,
        )
    return codegen.render(
        "accel_port.sv.j2",
        port=port,
        name=accelerator.name,
        parameters=parameters,
        host=[p for p in adapter.ports if not p.inner],
        inner=[p for p in adapter.ports if p.inner],
    )


def opcode_of(port: str) -> str:
    """Return the only major opcode that a port offers, as the platforms with that port say."""
    return next((p.opcode for p in discover() if p.manifest.port == port), "")


def hand_out(accelerator: Accelerator, variant: Variant, port: str, folder: Path) -> list[Path]:
    """Write everything that an integration needs into `folder`, which must be new or empty.

    RTL files are numbered by nothing but `rtl/files.f`, which lists them in compile order.
    """
    require_fit(accelerator, variant, port)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not an empty folder", "choose another one")
    rtl, sw = folder / "rtl", folder / "sw"
    try:
        rtl.mkdir(parents=True)
        sw.mkdir()
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from error
    made = codegen.generate(rtl, accelerator, variant, opcode_of(port))
    (rtl / "accel_ops.h").rename(sw / "accel_ops.h")
    decode, unit = made.rtl[-2:]
    if port in NUMBERED:
        decode.unlink()
        decode = rtl / "accel_known.sv"
        layout = codegen.layout(accelerator, variant)
        decode.write_text(op_numbers.known_sv(layout), encoding="utf-8")
        header = op_numbers.nios_h(accelerator.name, layout)
        (sw / "accel_ops.h").write_text(header, encoding="utf-8")
    wrapper = rtl / f"accel_{port}.sv"
    wrapper.write_text(coprocessor_sv(accelerator, port), encoding="utf-8")
    needed = library.with_shared([*made.rtl[:-2], decode, unit, wrapper], accelerator)
    files = [path if path.parent == rtl else Path(shutil.copy(path, rtl)) for path in needed]
    listing = "".join(f"{path.name}\n" for path in files)
    (rtl / "files.f").write_text(listing, encoding="utf-8")
    sources = exported_c(accelerator, variant, made.sources)
    for path in made.sources:
        path.unlink()  # C beside the RTL
    for name, text in sources.items():
        (sw / name).write_text(text, encoding="utf-8")
    beside = {path.parent for path in accelerator.kernel_files(variant)}
    for path in (
        *(path for place in sorted(beside) for path in place.glob("*.h")),
        *(path for place in sorted(beside) for path in place.glob("*.inc")),
        *contract(),
    ):
        shutil.copy(path, sw)
    if accelerator.manifest.has_ecc(variant):
        shutil.copytree(ROOT / "sw" / "ecc", sw / "ecc")
        shutil.copy(ROOT / "sw" / "include" / "ecc.h", sw / "ecc")
        for path in accelerator.ecc_files(variant):
            shutil.copy(path, sw / "ecc" / f"{_OF_UNIT}{path.name}")
    shutil.copy(ROOT / "LICENSE", folder)
    return files


_OF_UNIT = "unit_"  # begins the names of a unit's own sources for the curves in an export


def contract() -> list[Path]:
    """Return the shared C of an export: headers, shapes, modes, SHA-256."""
    sw = ROOT / "sw"
    headers = [path for stem in ("aes", "sha256") for path in (sw / "include").glob(f"{stem}*.h")]
    return [*sorted(headers), *sorted((sw / "modes").iterdir()), *sorted((sw / "hash").iterdir())]


def curve_names(accelerator: Accelerator, variant: Variant) -> list[str]:
    """Return the sources of the curves in an export, a unit's own first; empty if it has none."""
    if not accelerator.manifest.has_ecc(variant):
        return []
    shared = sorted(path.name for path in (ROOT / "sw" / "ecc").glob("*.c"))
    own = [f"{_OF_UNIT}{path.name}" for path in accelerator.ecc_files(variant)]
    return [f"ecc/{name}" for name in (*own, *shared)]


def kernel_names(accelerator: Accelerator, variant: Variant) -> list[str]:
    """Return the names of the kernel's sources in an export."""
    several = len(accelerator.with_state(variant)) > 1
    found = [
        _exported(accelerator, part.owner, path.name)
        for part in accelerator.kernel_parts(variant)
        for path in part.files
    ]
    return [*found, *(["accel_states.c"] if several else [])]


def emulation_names(accelerator: Accelerator, variant: Variant) -> list[str]:
    """Return the names of the emulations of the operations in an export."""
    members = accelerator.members(variant)
    return [
        _exported(accelerator, m.accelerator.name, path.name)
        for m, path in zip(members, accelerator.emulations(variant), strict=True)
    ]


def exported_c(accelerator: Accelerator, variant: Variant, made: Sequence[Path]) -> dict[str, str]:
    """Return kernel and emulation as an export holds them, by name.

    An export has one set of flags. So macros with which a set compiles one unit alone are written
    at the beginning of its C.
    """
    found = {path.name: path.read_text(encoding="utf-8") for path in made}
    shared = {*accelerator.manifest.macros(variant), *variant.defines}
    for part in accelerator.kernel_parts(variant):
        own = [word.partition("=") for word in part.defines if word not in shared]
        lines = "".join(f"#define {name} {value}\n" for name, _, value in own)
        for path in part.files:
            first, _, rest = path.read_text(encoding="utf-8").partition("\n")
            text = f"{first}\n{lines if path.suffix == '.c' else ''}{rest}"
            found[_exported(accelerator, part.owner, path.name)] = text
    names = emulation_names(accelerator, variant)
    for name, path in zip(names, accelerator.emulations(variant), strict=True):
        found[name] = path.read_text(encoding="utf-8")
    return found


def _exported(accelerator: Accelerator, owner: str, name: str) -> str:
    """Return a source's name in an export; units of a set may have files of the same name."""
    return f"{owner}_{name}" if accelerator.manifest.kind == "set" else name


def require_fit(accelerator: Accelerator, variant: Variant, port: str) -> None:
    """Raise a UsageError if a port cannot serve a variant."""
    require_unit(accelerator, "there is no unit to integrate")
    read_adapter(port)
    _require_operands(accelerator, variant, port)
    if port in NUMBERED:
        require_numbers(accelerator, variant, port)


def _require_operands(accelerator: Accelerator, variant: Variant, port: str) -> None:
    """Refuse operations that need more registers than every host of this port can feed."""
    hosts: list[Platform] = [p for p in discover() if p.manifest.port == port]
    most = max((p.manifest.operands for p in hosts), default=2 if port in NUMBERED else 3)
    for operation in accelerator.manifest.operations(variant):
        if len(operation.parsed.registers) > most:
            raise UsageError(
                f"{operation.mnemonic} reads {len(operation.parsed.registers)} registers,"
                f" port {port} feeds {most}"
            )


def require_numbers(accelerator: Accelerator, variant: Variant, port: str) -> None:
    """Refuse variants whose operations a numbered port cannot name or, unclocked, not perform."""
    bits = op_numbers.width(codegen.layout(accelerator, variant))
    if bits > _NUMBER_WIDTH:
        raise UsageError(
            f"{accelerator.name}/{variant.name}: code and immediates take {bits} bits,"
            f" port {port} has {_NUMBER_WIDTH}"
        )
    manifest = accelerator.manifest
    slow = any(manifest.latency(op, variant) > 0 for op in manifest.operations(variant))
    joined = manifest.kind == "set"  # fu_join has registers, and this port no reset for them
    if port == "nios_comb" and (slow or joined or not manifest.is_stateless(variant)):
        raise UsageError(
            f"{accelerator.name}/{variant.name} is not combinational", "use the port nios"
        )
