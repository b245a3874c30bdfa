# SPDX-License-Identifier: Apache-2.0
"""RTL to a program that simulates 512 copies of it at a time, one in each bit of a vector.

Yosys turns the flattened design into gates of two inputs, multiplexers and flip-flops without
enable. Registers that hold the same value are not merged and constants are not moved across
registers: what is flipped are the flip-flops that the RTL has. The gates become C, one line each,
in topological order, on vectors of 512 bits (GCC's vector extension).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aesforge.base.errors import ToolError
from aesforge.synth import flow
from aesforge.synth.flow import Design

LANES = 512  # copies: bits of a vector
_PIECE = 400  # gates in one C function: compilers take much longer for large ones

# What a gate computes of its inputs A, B and S.
_GATES = {
    "$_BUF_": "{A}",
    "$_NOT_": "~{A}",
    "$_AND_": "{A} & {B}",
    "$_OR_": "{A} | {B}",
    "$_XOR_": "{A} ^ {B}",
    "$_XNOR_": "~({A} ^ {B})",
    "$_NAND_": "~({A} & {B})",
    "$_NOR_": "~({A} | {B})",
    "$_ANDNOT_": "{A} & ~{B}",
    "$_ORNOT_": "{A} | ~{B}",
    "$_MUX_": "{A} ^ (({A} ^ {B}) & {S})",
}
# Flip-flops: the value while the reset input R is 0, or None without reset.
_FLIP_FLOPS = {"$_DFF_P_": None, "$_DFF_PN0_": 0, "$_DFF_PN1_": 1}

_YOSYS = (
    *(
        "proc",
        "flatten -noscopeinfo",
        "opt_expr",
        "opt_clean",
        "memory_collect",
        "memory_map",
        "opt_expr",
    ),
    *("techmap", "opt_expr", "simplemap"),
    "dfflegalize -cell $_DFF_P_ 01 -cell $_DFF_PN0_ 01 -cell $_DFF_PN1_ 01",
    *("opt_expr", "abc -g AND,OR,XOR,MUX,ANDNOT,ORNOT", "opt_clean"),
)


@dataclass(frozen=True)
class FlipFlop:
    """A register bit: its net, what it takes over, the net of its reset (-1: none), its name."""

    q: int
    d: int
    reset: int
    reset_value: int
    name: str


@dataclass(frozen=True)
class Netlist:
    """Gates in an order in which each follows its inputs. Nets 0 and 1 are the constants."""

    nets: int
    gates: tuple[str, ...]  # C assignments
    flip_flops: tuple[FlipFlop, ...]
    ports: Mapping[str, tuple[int, ...]]  # nets, the lowest bit first

    @property
    def registers(self) -> list[str]:
        """Names of the flip-flops without bit numbers, each once, in order."""
        return list(dict.fromkeys(register_of(found.name) for found in self.flip_flops))


def register_of(name: str) -> str:
    """Return a flip-flop's name without the bits' numbers at its end."""
    return re.sub(r"(\[\d+\])+$", "", name)


def make(design: Design, folder: Path, log: Path) -> Netlist:
    """Read a design with one clock and map it to gates."""
    folder.mkdir(parents=True, exist_ok=True)
    flow.yosys([*design.read_commands(), *_YOSYS, "write_json gates.json"], folder, "gates", log)
    text = (folder / "gates.json").read_text(encoding="utf-8")
    return read(json.loads(text)["modules"][design.top])


def read(module: Mapping[str, Any]) -> Netlist:
    """Read a module of Yosys's JSON that has only cells of the above kinds."""
    cells = list(module["cells"].values())
    if unknown := {cell["type"] for cell in cells} - set(_GATES) - set(_FLIP_FLOPS):
        raise ToolError(f"the gates of {sorted(unknown)} are not known to the fault simulator")
    clocked = [cell for cell in cells if cell["type"] in _FLIP_FLOPS]
    if len({cell["connections"]["C"][0] for cell in clocked}) != 1:
        raise ToolError("the fault simulator knows circuits with one clock only")
    # The runner finds bit i of the state in net 2 + i.
    numbers: dict[int | str, int] = {"0": 0, "1": 1, "x": 0, "z": 0}
    numbers |= {cell["connections"]["Q"][0]: 2 + at for at, cell in enumerate(clocked)}
    used = [bit for cell in cells for bits in cell["connections"].values() for bit in bits]
    used += [bit for port in module["ports"].values() for bit in port["bits"]]
    others = dict.fromkeys(bit for bit in used if bit not in numbers)
    numbers |= {bit: 2 + len(clocked) + at for at, bit in enumerate(others)}

    names = _names(module)
    flip_flops = tuple(_flip_flop(cell, numbers, names) for cell in clocked)
    ports = {
        name: tuple(numbers[bit] for bit in port["bits"]) for name, port in module["ports"].items()
    }
    known = {0, 1, *(found.q for found in flip_flops)}
    for port in module["ports"].values():
        if port["direction"] == "input":
            known |= {numbers[bit] for bit in port["bits"]}
    nets = 2 + len(clocked) + len(others)
    return Netlist(nets, tuple(_ordered(cells, numbers, known)), flip_flops, ports)


def _names(module: Mapping[str, Any]) -> dict[int | str, str]:
    """Return the name of each net as the RTL has it: hierarchical, with the number of its bit."""
    found: dict[int | str, str] = {}
    for name, net in module["netnames"].items():
        shown = net["bits"]
        for at, bit in enumerate(shown):
            text = f"{name}[{at}]" if len(shown) > 1 else name
            if bit not in found or _rank(name) < _rank(found[bit]):
                found[bit] = text
    return found


def _rank(name: str) -> tuple[bool, bool, int]:
    """Order the names of one net: a register's own comes before those of ports that it drives."""
    return name.startswith("$"), not re.search(r"_q\b", name), -name.count(".")


def _flip_flop(
    cell: Mapping[str, Any], numbers: Mapping[int | str, int], names: Mapping[int | str, str]
) -> FlipFlop:
    wires = {port: bits[0] for port, bits in cell["connections"].items()}
    value = _FLIP_FLOPS[cell["type"]]
    reset = -1 if value is None else numbers[wires["R"]]
    return FlipFlop(numbers[wires["Q"]], numbers[wires["D"]], reset, value or 0, names[wires["Q"]])


def _ordered(
    cells: Sequence[Mapping[str, Any]], numbers: Mapping[int | str, int], known: set[int]
) -> Iterator[str]:
    """Yield the gates as C assignments, each after its inputs."""
    waiting: dict[int, list[int]] = {}  # net: gates that miss it
    missing: dict[int, int] = {}
    texts: dict[int, tuple[int, str]] = {}
    ready: list[int] = []
    for at, cell in enumerate(cells):
        if cell["type"] in _FLIP_FLOPS:
            continue
        wires = {port: numbers[bits[0]] for port, bits in cell["connections"].items()}
        output = wires.pop("Y")
        values = {port: f"n[{net}]" for port, net in wires.items()}
        texts[at] = output, f"n[{output}] = {_GATES[cell['type']].format(**values)};"
        absent = {net for net in wires.values() if net not in known}
        missing[at] = len(absent)
        for net in absent:
            waiting.setdefault(net, []).append(at)
        if not absent:
            ready.append(at)
    done = 0
    while ready:
        output, text = texts[ready.pop()]
        yield text
        done += 1
        for at in waiting.pop(output, []):
            missing[at] -= 1
            if not missing[at]:
                ready.append(at)
    if done != len(texts):
        raise ToolError("the netlist has a combinational loop or a net without a driver")


# C ------------------------------------------------------------------------------------------------


def c_text(found: Netlist) -> str:
    """Return the C that the runner includes: tables of ports and flip-flops, and `evaluate`."""
    pieces = [found.gates[at : at + _PIECE] for at in range(0, len(found.gates), _PIECE)]
    functions = [
        f"static void piece_{at}(vec *n) {{\n  " + "\n  ".join(piece) + "\n}\n"
        for at, piece in enumerate(pieces)
    ]
    calls = "\n  ".join(f"piece_{at}(n);" for at in range(len(pieces)))
    ports = "".join(
        f"static const int port_{name}[] = {{{', '.join(map(str, nets))}}};\n"
        for name, nets in found.ports.items()
    )

    def column(name: str) -> str:
        values = ", ".join(str(getattr(flip_flop, name)) for flip_flop in found.flip_flops)
        return f"static const int {name}_of[] = {{{values}}};\n"

    return (
        f"#define NETS {found.nets}\n#define FLIP_FLOPS {len(found.flip_flops)}\n"
        + ports
        + column("d")
        + column("reset")
        + column("reset_value")
        + "\n".join(functions)
        + f"static void evaluate(vec *n) {{\n  {calls}\n}}\n"
    )
