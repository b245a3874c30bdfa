# SPDX-License-Identifier: Apache-2.0
"""Register maps in SystemRDL (Accellera, SystemRDL 2.0): the one source of a unit's RTL constants,
C header, data sheet and of the model that its benches use.

A unit with a `<name>.rdl` in its folder has three files made from it: `rtl/<name>_regs_pkg.sv`,
`sw/<name>_regs.h` and `registers.md`. `aesforge registers` writes them again.
"""

import importlib
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.build.codegen import write_if_changed

_WORD = 4  # bytes of a register


class RegisterError(AesforgeError):
    """A register description that cannot be read or used; the message names the file."""

    exit_status = 6


@dataclass(frozen=True)
class Field:
    """Bits `lsb` to `lsb + width - 1` of a register; `reset` is None if hardware alone decides."""

    name: str
    lsb: int
    width: int
    readable: bool
    writable: bool
    clears: bool  # a 1 written clears
    reset: int | None

    @property
    def mask(self) -> int:
        """The field's bits in the register."""
        return ((1 << self.width) - 1) << self.lsb

    def of(self, word: int) -> int:
        """Take the field's value out of a register's word."""
        return (word & self.mask) >> self.lsb


@dataclass(frozen=True)
class Register:
    """A register, or `count` of them four bytes apart."""

    name: str
    address: int  # bytes
    count: int
    fields: tuple[Field, ...]

    @property
    def readable(self) -> bool:
        """Tell whether software can read some of its bits."""
        return any(field.readable for field in self.fields)

    @property
    def writable(self) -> bool:
        """Tell whether software can write some of its bits."""
        return any(field.writable for field in self.fields)

    @property
    def reset(self) -> int | None:
        """The word after reset; None if hardware decides about some bit."""
        word = 0
        for field in self.fields:
            if field.reset is None:
                return None
            word |= field.reset << field.lsb
        return word

    def field(self, name: str) -> Field:
        """Return a field by name."""
        return next(field for field in self.fields if field.name == name)

    def word(self, **values: int) -> int:
        """Return a word with the named fields set; ValueError if one does not fit."""
        word = 0
        for name, value in values.items():
            field = self.field(name)
            if value << field.lsb & ~field.mask:
                raise ValueError(f"{self.name}.{name} has {field.width} bits, not room for {value}")
            word |= value << field.lsb
        return word


@dataclass(frozen=True)
class RegisterMap:
    """All registers of one `addrmap`, by address."""

    name: str
    registers: tuple[Register, ...]

    def __getitem__(self, name: str) -> Register:
        """Return a register by name; KeyError if there is none."""
        for register in self.registers:
            if register.name == name:
                return register
        raise KeyError(name)

    def at(self, address: int) -> Register | None:
        """Return the register whose bytes include an address, if any."""
        for register in self.registers:
            if register.address <= address < register.address + _WORD * register.count:
                return register
        return None


def _package(name: str) -> Any:
    """Import a package of the SystemRDL tools; RegisterError if it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise RegisterError(f"the Python package {name} is missing", "run `make setup`") from None


def _compile(path: Path) -> Any:
    """Compile a SystemRDL file; RegisterError if it is wrong or the compiler is not installed."""
    compiler = _package("systemrdl").RDLCompiler()
    wrong = _package("systemrdl.messages").RDLCompileError
    try:
        compiler.compile_file(str(path))
        return compiler.elaborate()
    except wrong as error:
        raise RegisterError(f"{path}: {error}") from None


def load(path: Path) -> RegisterMap:
    """Read the one addrmap of a SystemRDL file; RegisterError if it is wrong."""
    top = _compile(path).top
    registers = []
    for node in top.descendants(unroll=False):
        if not isinstance(node, _package("systemrdl.node").RegNode):
            continue
        if node.is_array and (len(node.array_dimensions) != 1 or node.array_stride != _WORD):
            raise RegisterError(f"{path}: {node.inst_name} is not a row of words")
        registers.append(
            Register(
                name=node.inst_name,
                address=node.raw_address_offset,
                count=node.array_dimensions[0] if node.is_array else 1,
                fields=tuple(_field(field) for field in node.fields()),
            )
        )
    return RegisterMap(top.inst_name, tuple(sorted(registers, key=lambda item: item.address)))


def _field(node: Any) -> Field:
    """One field as software sees it."""
    onwrite = node.get_property("onwrite")
    return Field(
        name=node.inst_name,
        lsb=node.lsb,
        width=node.width,
        readable=node.is_sw_readable,
        writable=node.is_sw_writable,
        clears=onwrite is not None and onwrite.name == "woclr",
        reset=node.get_property("reset"),
    )


# Files made from a map ----------------------------------------------------------------------------


def sv_package(registers: RegisterMap, source: str) -> str:
    """Return a SystemVerilog package: byte addresses, field positions, constant registers."""
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        f"// Generated from {source} by aesforge.build.registers.",
        f"package {registers.name}_regs_pkg;",
    ]
    for register in registers.registers:
        lines.append(
            f"  localparam logic [11:0] ADDR_{register.name} = 12'h{register.address:03x};"
        )
        if not register.writable and register.reset is not None:
            lines.append(
                f"  localparam logic [31:0] {register.name}_RESET = 32'h{register.reset:08x};"
            )
        for field in register.fields:
            if field.width < 8 * _WORD:
                lines.append(f"  localparam {register.name}_{field.name}_LSB = {field.lsb};")
    return "\n".join([*lines, "endpackage", ""])


def c_header(path: Path) -> str:
    """Return PeakRDL's C header of a map: a struct of the registers and masks of the fields."""
    root = _compile(path)
    exporter = _package("peakrdl_cheader.exporter").CHeaderExporter()
    standard = _package("peakrdl_cheader.c_standards").CStandard.gnu99
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{path.stem}_regs.h"
        exporter.export(root, path=str(made), std=standard)
        text = made.read_text(encoding="utf-8")
    head = f"// SPDX-License-Identifier: Apache-2.0\n// Generated from {path.name} by PeakRDL.\n"
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith("// Generated by")]
    return head + re.sub(r"\n{3,}", "\n\n", "\n".join(lines).strip()) + "\n"


def data_sheet(path: Path) -> str:
    """Return PeakRDL's Markdown description of a map."""
    root = _compile(path)
    exporter = _package("peakrdl_markdown").MarkdownExporter()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "registers.md"
        exporter.export(root, str(made))
        text = made.read_text(encoding="utf-8")
    head = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(map(str.rstrip, text.splitlines())).strip())
    return f"{head}\n<!-- Generated from {path.name} by PeakRDL. -->\n\n{body}\n"


def maps(root: Path = ROOT) -> list[Path]:
    """List the register descriptions of all accelerators."""
    return sorted(root.glob("accelerators/*/*.rdl"))


def made_from(path: Path) -> dict[Path, Callable[[], str]]:
    """Map each file that is made from a description to what makes its text."""
    folder, name = path.parent, path.stem
    return {
        folder / "rtl" / f"{name}_regs_pkg.sv": lambda: sv_package(load(path), path.name),
        folder / "sw" / f"{name}_regs.h": lambda: c_header(path),
        folder / "registers.md": lambda: data_sheet(path),
    }


def stale(path: Path) -> list[Path]:
    """List the files of a description that are missing or are not what it says now."""
    return [
        target
        for target, text in made_from(path).items()
        if not target.is_file() or target.read_text(encoding="utf-8") != text()
    ]


def write(path: Path) -> list[Path]:
    """Write what is made from a description; return the files that changed."""
    changed = stale(path)
    for target, text in made_from(path).items():
        write_if_changed(target, text())
    return changed
