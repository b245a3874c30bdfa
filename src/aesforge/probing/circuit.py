# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as look-up tables, gates and registers, and the cone of each of its wires.

The netlist is what a target's recipe of `aesforge synth` leads to. A cell counts as the cells of
the device do: a glitch at one input of a LUT or gate may reach its output, even where the function
ignores that input.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aesforge.base.errors import ToolError, UsageError
from aesforge.synth import flow
from aesforge.synth.flow import Design, Target

# Nets have Yosys's numbers; these two are constants. Undefined bits count as 0.
LOW, HIGH = -2, -1
_CONSTANTS = {"0": LOW, "1": HIGH, "x": LOW, "z": LOW}

# Truth tables of the gates of Yosys, `abc -g cmos`: inputs in order, the first is bit 0 of the row.
_GATES: dict[str, tuple[str, Callable[..., int]]] = {
    "$_BUF_": ("A", lambda a: a),
    "$_NOT_": ("A", lambda a: 1 - a),
    "$_AND_": ("AB", lambda a, b: a & b),
    "$_NAND_": ("AB", lambda a, b: 1 - (a & b)),
    "$_OR_": ("AB", lambda a, b: a | b),
    "$_NOR_": ("AB", lambda a, b: 1 - (a | b)),
    "$_XOR_": ("AB", lambda a, b: a ^ b),
    "$_XNOR_": ("AB", lambda a, b: 1 - (a ^ b)),
    "$_ANDNOT_": ("AB", lambda a, b: a & (1 - b)),
    "$_ORNOT_": ("AB", lambda a, b: a | (1 - b)),
    "$_MUX_": ("ABS", lambda a, b, s: b if s else a),
    "$_NMUX_": ("ABS", lambda a, b, s: 1 - (b if s else a)),
    "$_AOI3_": ("ABC", lambda a, b, c: 1 - (a & b | c)),
    "$_OAI3_": ("ABC", lambda a, b, c: 1 - ((a | b) & c)),
    "$_AOI4_": ("ABCD", lambda a, b, c, d: 1 - (a & b | c & d)),
    "$_OAI4_": ("ABCD", lambda a, b, c, d: 1 - ((a | b) & (c | d))),
    "INV": ("IA", lambda a: 1 - a),  # Xilinx: I, Nexus: A
}
_LUTS = {**{f"LUT{inputs}": inputs for inputs in range(1, 7)}, "SB_LUT4": 4}  # inputs of each
_LUT_INPUTS = (("I0", "I1", "I2", "I3", "I4", "I5"), ("A", "B", "C", "D"))
_SUPPLIES = {"VHI": HIGH, "VLO": LOW, "VCC": HIGH, "GND": LOW}
_OUTPUTS = ("Y", "O", "Z", "F", "LO")


@dataclass(frozen=True)
class _FlipFlop:
    """Pins of a register cell. The pins of `still` are open, or have these values all the time."""

    clock: str
    d: str
    q: str
    still: Mapping[str, int]


_FLIP_FLOPS = {
    "$_DFF_P_": _FlipFlop("C", "D", "Q", {}),
    "TRELLIS_FF": _FlipFlop("CLK", "DI", "Q", {"CE": HIGH, "LSR": LOW}),
    "SB_DFF": _FlipFlop("C", "D", "Q", {}),
    "FDRE": _FlipFlop("C", "D", "Q", {"CE": HIGH, "R": LOW}),
    "DFF": _FlipFlop("CLK", "D", "Q", {}),
    "FD1P3IX": _FlipFlop("CK", "D", "Q", {"SP": HIGH, "CD": LOW}),
}
# Settings under which the cells are other registers than these.
_SETTINGS = {"IS_C_INVERTED": "0", "IS_D_INVERTED": "0", "IS_R_INVERTED": "0", "CLKMUX": "CLK"}


@dataclass(frozen=True)
class Cell:
    """A function of nets: bit n of `table` is the output where the inputs, lowest first, are n."""

    inputs: tuple[int, ...]
    table: int


@dataclass(frozen=True)
class Circuit:
    """A netlist with one clock. Sources are what a cone ends at: registers and input bits."""

    cells: Mapping[int, Cell]  # by the net that each drives
    registers: Mapping[int, int]  # net of Q: net of D
    inputs: Mapping[int, tuple[str, int]]  # net: port and bit
    names: Mapping[int, str]
    kinds: Mapping[str, int] = field(default_factory=dict)  # cells by type

    def name(self, net: int) -> str:
        """Return the name of a net as the netlist has it."""
        return self.names.get(net, f"net {net}")

    def wires(self) -> list[int]:
        """Return every net that something drives, but the inputs."""
        return [*self.cells, *self.registers]

    def cones(self) -> dict[int, frozenset[int]]:
        """Return the sources that each wire, and each register's input, sees with glitches."""
        found: dict[int, frozenset[int]] = {LOW: frozenset(), HIGH: frozenset()}
        found |= {net: frozenset((net,)) for net in (*self.inputs, *self.registers)}
        waiting = list(self.cells)
        busy: set[int] = set()
        while waiting:
            net = waiting[-1]
            if net in found:
                waiting.pop()
                continue
            if net not in self.cells:
                raise ToolError(f"nothing drives the net {self.name(net)}")
            missing = [other for other in self.cells[net].inputs if other not in found]
            if missing and net in busy:
                raise ToolError(f"{self.name(net)} is in a combinational loop")
            if missing:
                busy.add(net)
                waiting += missing
                continue
            found[net] = frozenset().union(*(found[other] for other in self.cells[net].inputs))
            waiting.pop()
        return {net: found[net] for net in self.wires()}


def map_design(design: Design, target: Target, folder: Path, log: Path) -> Circuit:
    """Map a design as `aesforge synth` does and read the result.

    UsageError if the recipe lets registers be moved or merged: what is secure before need not be
    so after (docs/probing.md).
    """
    require_fixed_registers(target)
    return mapped(design, target, folder, log)


def require_fixed_registers(target: Target) -> None:
    """Refuse a recipe whose registers are not those of the RTL."""
    if moving := re.search(r"-(dff|retime)\b", f"{target.command} {target.luts}"):
        raise UsageError(
            f"{target.name} maps with {moving[0]}, which moves and merges registers",
            "masking depends on where the registers are: use a target without it",
        )


def mapped(design: Design, target: Target, folder: Path, log: Path) -> Circuit:
    """Map a design and read the result, whatever the recipe does to registers."""
    folder.mkdir(parents=True, exist_ok=True)
    if target.kind == "cells":
        raise UsageError(f"{target.name}: its cells are not known to `probe`", "use cmos")
    read = design.read_commands()
    if target.kind == "cmos":
        flat = [f"{target.command} -top {design.top}", "abc -g cmos", "opt_clean"]
        commands = [*read, *flat]
    else:
        wrapper = folder / f"{flow.WRAPPER}.sv"
        text = flow.wrapper_sv(design.top, flow.ports(design, folder, log))
        wrapper.write_text(text, encoding="utf-8")
        commands = [
            *(*read, f"read_verilog -sv {wrapper.name}"),
            f"hierarchy -check -top {flow.WRAPPER}",
            f"setattr -mod -set keep_hierarchy 1 {design.top}",
            *target.synthesis(flow.WRAPPER),
            "opt_clean",
        ]
    flow.yosys([*commands, "write_json probed.json"], folder, "probe", log)
    modules = json.loads((folder / "probed.json").read_text(encoding="utf-8"))["modules"]
    return read_module(modules[design.top])


def read_module(module: Mapping[str, Any]) -> Circuit:
    """Read a module of Yosys's JSON. ToolError for a cell that is not known."""
    cells: dict[int, Cell] = {}
    registers: dict[int, int] = {}
    clocks: set[int] = set()
    every = module["cells"].items()
    still = {  # nets that cells hold at a constant
        bits[0]: _SUPPLIES[cell["type"]]
        for _, cell in every
        if cell["type"] in _SUPPLIES
        for bits in cell["connections"].values()
    }

    def net(bit: int | str) -> int:
        return _CONSTANTS[bit] if isinstance(bit, str) else still.get(bit, bit)

    for name, cell in every:
        if cell["type"] == "$scopeinfo" or cell["type"] in _SUPPLIES:
            continue
        pins = {pin: net(bits[0]) for pin, bits in cell["connections"].items() if bits}
        if (found := _FLIP_FLOPS.get(cell["type"])) is not None:
            _require_plain(name, cell, found, pins)
            registers[pins[found.q]] = pins[found.d]
            clocks.add(pins[found.clock])
            continue
        output = next((pin for pin in _OUTPUTS if pin in pins), None)
        if output is None or not (cell["type"] in _LUTS or cell["type"] in _GATES):
            raise ToolError(
                f"{name}: the cell {cell['type']} is not known to `probe`",
                "masked units are LUTs, gates and registers without reset and enable",
            )
        cells[pins[output]] = _cell(cell, pins)
    if len(clocks) > 1:
        raise ToolError("`probe` knows circuits with one clock only")
    inputs = {
        bit: (name, at)
        for name, port in module["ports"].items()
        if port["direction"] == "input"
        for at, bit in enumerate(port["bits"])
    }
    kinds = Counter(cell["type"] for _, cell in every if cell["type"] != "$scopeinfo")
    return Circuit(cells, registers, inputs, _names(module), kinds)


def _require_plain(
    name: str, cell: Mapping[str, Any], kind: _FlipFlop, pins: Mapping[str, int]
) -> None:
    """Refuse a register with a reset, an enable or the other clock edge."""
    for pin, value in kind.still.items():
        # Yosys writes a blank after a text that could be a number.
        always = cell["parameters"].get(f"{pin}MUX", "").strip() == "1" and value == HIGH
        if pins.get(pin, value) != value and not always:
            raise ToolError(
                f"{name}: a {cell['type']} that uses {pin}",
                "`probe` knows registers that take a value in each cycle, without reset",
            )
    for setting, usual in _SETTINGS.items():
        given = str(cell["parameters"].get(setting, usual)).strip()
        if (given.lstrip("0") or "0") != usual:
            raise ToolError(f"{name}: a {cell['type']} with {setting} = {given}")


def _cell(cell: Mapping[str, Any], pins: Mapping[str, int]) -> Cell:
    """Return the function of a LUT or gate."""
    if cell["type"] in _LUTS:
        used = next(names for names in _LUT_INPUTS if any(name in pins for name in names))
        inputs = [pins.get(name, LOW) for name in used[: _LUTS[cell["type"]]]]
        init = cell["parameters"].get("INIT", cell["parameters"].get("LUT_INIT"))
        given = str(init).strip()
        table = int(given, 16) if given.lower().startswith("0x") else int(given, 2)
        return Cell(tuple(inputs), table)
    order, function = _GATES[cell["type"]]
    inputs = [pins[name] for name in order if name in pins]
    values = [[row >> at & 1 for at in range(len(inputs))] for row in range(1 << len(inputs))]
    return Cell(tuple(inputs), sum(function(*row) << at for at, row in enumerate(values)))


def _names(module: Mapping[str, Any]) -> dict[int, str]:
    """Return a name of each net: one of the RTL where there is one, the shortest of these."""
    found: dict[int, str] = {}
    for name, net in module["netnames"].items():
        for at, bit in enumerate(net["bits"]):
            text = f"{name}[{at}]" if len(net["bits"]) > 1 else name
            if isinstance(bit, int) and _rank(text) < _rank(found.get(bit, "$" * 999)):
                found[bit] = text
    return found


def _rank(name: str) -> tuple[bool, bool, int]:
    """Order the names of a net: those of registers first, those that Yosys makes last."""
    return name.startswith("$"), not re.search(r"_q\b", name), len(name)


def names(circuit: Circuit, nets: Sequence[int], most: int = 6) -> str:
    """Return names of nets for people, the first of many."""
    shown = ", ".join(circuit.name(net) for net in nets[:most])
    return f"{shown} and {len(nets) - most} more" if len(nets) > most else shown
