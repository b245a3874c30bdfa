# SPDX-License-Identifier: Apache-2.0
"""Export an accelerator for a bus or a stream: its front end with a variant's parameters.

The front end for a host is the module among the accelerator's sources whose ports hold the host's
`signature`. The bench reads every register whose reset value the register map gives. A register
that is not constant may refuse the read, since a variant may lack it.
"""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aesforge.base.errors import NoSuchRtl, UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import integrate, library, registers
from aesforge.build.system import INCLUDE
from aesforge.catalog.manifest import FOR_SIMULATIONS, Accelerator, Variant
from aesforge.export import figures, hosts, samples
from aesforge.export.request import Asked, render, write_files
from aesforge.synth import flow
from aesforge.synth.flow import Design
from aesforge.verify import cocotb_bench

_LINE_COMMENT = re.compile(r"//.*")
_PARAMETER = re.compile(r"\bparameter\s+(?:\w+\s+)?(\w+)\s*=")
# A link of a page to a file outside its folder: the exported page keeps the words only.
_OUTWARD_LINK = re.compile(r"\[([^\]]+)\]\((?:\.\./)+[^)]*\)")
_AXI = re.compile(r"([sm])_axi_(aw|ar|w|b|r)(\w+)")  # side, channel, signal
_ADDRESS_BITS = 32
_SETTLE = 64  # clocks after reset until registers are read: some peripherals wipe themselves first


@dataclass(frozen=True)
class FrontEnd:
    """The module that a host is attached to."""

    module: str
    file: Path
    parameters: tuple[str, ...]


def front_end(
    accelerator: Accelerator, host: hosts.Host, variant: Variant | None = None
) -> FrontEnd:
    """Return the front end for a host; a UsageError names the hosts that there are some for."""
    found = _front_end(accelerator, host, variant)
    if found is None:
        others = [
            other.name
            for other in hosts.discover()
            if accelerator.manifest.kind in other.kinds and _front_end(accelerator, other)
        ]
        raise UsageError(
            f"{accelerator.name} has no front end for {host.name}",
            f"it has: {', '.join(others) or 'none'}",
        )
    return found


def _front_end(
    accelerator: Accelerator, host: hosts.Host, variant: Variant | None = None
) -> FrontEnd | None:
    top, _ = accelerator.manifest.circuit(variant or accelerator.manifest.variant[0])
    assert top and host.signature
    # The top itself or a module around it.
    sources = sorted((accelerator.folder / "rtl").glob("*.sv"))
    for path in sorted(sources, key=lambda path: path.stem != top):
        text = _plain(path)
        header = re.search(rf"^module {path.stem}\b(.*?)^\);", text, re.DOTALL | re.MULTILINE)
        if header and re.search(rf"\b{host.signature}\b", header[1]):
            return FrontEnd(path.stem, path, tuple(_PARAMETER.findall(header[1])))
    return None


def _plain(path: Path) -> str:
    """Return a source without comments."""
    return _LINE_COMMENT.sub("", path.read_text(encoding="utf-8"))


def make(asked: Asked, out: Path, scratch: Path) -> tuple[list[str], dict[str, Any]]:
    """Write RTL, C and pages into `out`; return RTL files and what the templates may speak of."""
    accelerator, host = asked.accelerator, asked.host
    front = front_end(accelerator, host, asked.variant)
    params = {
        name: value
        for name, value in cocotb_bench.parameters(accelerator, asked.variant).items()
        if name in front.parameters
    }
    sources = library.rtl_files(accelerator, front.module)
    (out / "rtl").mkdir(parents=True)
    copies = [Path(shutil.copy(path, out / "rtl")) for path in sources]
    scratch.mkdir(parents=True, exist_ok=True)
    design = Design(tuple(copies), front.module, params=tuple(params.items()))
    log = BUILD / "logs" / f"export-{asked.label}"
    try:
        ports = flow.ports(design, scratch, log)
    except NoSuchRtl as error:
        chosen = ", ".join(f"{name} = {_literal(value)}" for name, value in params.items())
        raise UsageError(
            f"{accelerator.name}/{asked.variant.name} does not exist for host {host.name}: {error}",
            f"the parameters: {chosen}",
        ) from error
    values: dict[str, Any] = {
        "front": front.module,
        "params": {name: _literal(value) for name, value in params.items()},
        "ports": [_Port(name, way, width) for name, way, width in ports],
    }
    values |= _pages(accelerator, out)
    values |= _checks(accelerator, host, values["ports"])
    values |= _program(asked)
    values |= _instance(host, values["ports"])
    return [path.name for path in copies], values


@dataclass(frozen=True)
class _Port:
    """A port of the front end."""

    name: str
    way: str
    width: int

    @property
    def packed(self) -> str:
        """The range, or empty."""
        return f"[{self.width - 1}:0]" if self.width > 1 else ""


def _literal(value: str | int) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _pages(accelerator: Accelerator, out: Path) -> dict[str, Any]:
    """Copy C sources, register map and the accelerator's own page; return what there is."""
    driver = sorted(
        path for path in (accelerator.folder / "sw").glob("*") if path.suffix in (".c", ".h")
    )
    # The kernel contract and its modes: all files that the driver's kernel includes.
    contract = [*integrate.contract(), INCLUDE / "hal.h"]
    for path in [*driver, *contract] if driver else []:
        (out / "sw").mkdir(exist_ok=True)
        shutil.copy(path, out / "sw")
    (out / "docs").mkdir()
    sheet = accelerator.folder / "registers.md"
    if sheet.is_file():
        shutil.copy(sheet, out / "docs" / "registers.md")
    page = accelerator.folder / "README.md"
    if page.is_file():
        text = _OUTWARD_LINK.sub(r"\1", page.read_text(encoding="utf-8"))
        (out / "docs" / f"{accelerator.name}.md").write_text(text, encoding="utf-8")
    for picture in accelerator.folder.glob("*.svg"):
        shutil.copy(picture, out / "docs")
    shutil.copy(ROOT / "LICENSE", out)
    return {
        "driver": [path.name for path in driver],
        "sheet": sheet.is_file(),
        "page": page.is_file(),
    }


def _program(asked: Asked) -> dict[str, Any]:
    """Return what a program with vectors of every mode is made of."""
    accelerator, variant = asked.accelerator, asked.variant
    modes = sorted(path.name for path in integrate.contract() if path.suffix == ".c")
    return {
        "kernel": [path.name for path in accelerator.kernel_files(variant)],
        "curves": [],
        "examples": ["vectors.c", *modes],
        "cflags": [*accelerator.manifest.sw.cflags, *variant.cflags, *asked.macros],
        "decrypts": "decrypt" in variant.directions,
        "entropy": any(word.startswith(FOR_SIMULATIONS) for word in variant.defines),
    }


def _instance(host: hosts.Host, ports: Sequence[_Port]) -> dict[str, Any]:
    """Return the ports as arguments of Migen's `Instance`, on AXI; other inputs are tied off."""
    attached: list[str] = []
    for port in ports:
        found = _AXI.fullmatch(port.name)
        way = port.way[0]
        if found:
            bus, channel, signal = found.groups()
            part = f"[:{port.width}]" if signal == "addr" and port.width < _ADDRESS_BITS else ""
            attached.append(
                f"{way}_{port.name}={'memory' if bus == 'm' else 'bus'}.{channel}.{signal}{part}"
            )
        elif port.name == "irq_o":
            attached.append("o_irq_o=self.ev.accel.trigger")
        elif port.way == "input" and port.name not in (host.clock, host.reset):
            attached.append(f"i_{port.name}=0")
    masters = any(port.name.startswith("m_axi_") for port in ports)
    return {"attached": attached, "masters": masters}


def _checks(accelerator: Accelerator, host: hosts.Host, ports: Sequence[_Port]) -> dict[str, Any]:
    """Return (address, word, name, constant) of registers to read, and ports to tie off."""
    if not host.address:
        return {"reads": []}
    read: list[tuple[int, int, str, bool]] = []
    for path in sorted(accelerator.folder.glob("*.rdl")):
        for register in registers.load(path).registers:
            known = all(field.readable for field in register.fields)
            if known and register.reset is not None:
                constant = not register.writable and register.count == 1
                read.append((register.address, register.reset, register.name, constant))
    driver = (hosts.TEMPLATES / host.driver).read_text(encoding="utf-8")
    driven = {host.clock, host.reset, *re.findall(r"\.(\w+)\(", driver)}
    others = [
        f".{port.name}({'' if port.way == 'output' else chr(39) + '0'})"
        for port in ports
        if port.name not in driven
    ]
    return {
        "reads": read,
        "settle": _SETTLE,
        "others": "".join(f",\n    {other}" for other in others),
        "address_bits": next(port.width for port in ports if port.name == host.address),
    }


def write(asked: Asked, out: Path, rtl: Sequence[str], values: dict[str, Any]) -> None:
    """Write what the templates make of an export whose RTL is in its place."""
    host = asked.host
    measured = figures.find(asked.accelerator, asked.variant, host.name)
    values |= {
        "rtl": list(rtl),
        "flags": " ".join(["-std=gnu99", *asked.macros]),
        "area": measured.area,
        "inside": measured.inside,
        "alone": "",
        "placed": measured.placed,
        "simulators": host.simulators if values["reads"] else [],
    }
    values["notes"] = render(f"hosts/{host.name}/notes.md.j2", values)
    files = {
        "example/instance.sv": "front_end/instance.sv.j2",
        f"constraints/{host.top}.sdc": "front_end/constraints.sdc.j2",
        "lint/waivers.vlt": "waivers.vlt.j2",
        f"{asked.label}.core": "front_end/core.j2",
        "README.md": "front_end/readme.md.j2",
    }
    if values["reads"]:
        files["tb/accel_tb.sv"] = "front_end/tb.sv.j2"
    for name, template in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(template, values), encoding="utf-8")
    if values["driver"]:
        values["rows"] = samples.rows(asked.accelerator, asked.variant)
        write_files(host, values, out)


def wrapper_sv(values: dict[str, Any]) -> str:
    """Return the module to instantiate: the front end with the variant's parameters."""
    return render("front_end/wrapper.sv.j2", values)
