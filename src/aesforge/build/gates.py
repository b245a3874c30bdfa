# SPDX-License-Identifier: Apache-2.0
"""A netlist of simple gates as Yosys writes it: gates of two inputs, multiplexers and flip-flops.

Registers that hold the same value are not merged and constants are not moved across registers: the
flip-flops are those that the RTL has. One clock.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aesforge.base.errors import ToolError

# Inputs of each kind of gate; the output is Y.
GATES = {
    **dict.fromkeys(("$_BUF_", "$_NOT_"), "A"),
    **dict.fromkeys(("$_AND_", "$_OR_", "$_XOR_", "$_XNOR_"), "AB"),
    **dict.fromkeys(("$_NAND_", "$_NOR_", "$_ANDNOT_", "$_ORNOT_"), "AB"),
    "$_MUX_": "ABS",
}
# Flip-flops: the value while the reset input R is 0, or None without reset.
_FLIP_FLOPS = {"$_DFF_P_": None, "$_DFF_PN0_": 0, "$_DFF_PN1_": 1}

# From RTL that has been read to these cells.
_FLAT = ("proc", "flatten -noscopeinfo")
_MEMORIES = ("opt_expr", "opt_clean", "memory_collect", "memory_map")
_SIMPLE = (
    *("opt_expr", "techmap", "opt_expr", "simplemap"),
    "dfflegalize -cell $_DFF_P_ 01 -cell $_DFF_PN0_ 01 -cell $_DFF_PN1_ 01",
    *("opt_expr", "opt_clean"),
)
# What drives no output is left out, and the gates are fewer.
SMALLER = (*_FLAT, *_MEMORIES, *_SIMPLE, "abc -g AND,OR,XOR,MUX,ANDNOT,ORNOT", "opt_clean")
# Every flip-flop and word of memory is there.
_KEEP = "setattr -set keep 1 t:*dff* t:$mem*"
WHOLE = (*_FLAT, _KEEP, "memory_collect", "memory_map", _KEEP, *_SIMPLE)


@dataclass(frozen=True)
class Gate:
    """A gate: its kind, the net that it drives, the nets at its inputs in the order of GATES."""

    kind: str
    output: int
    inputs: tuple[int, ...]


@dataclass(frozen=True)
class FlipFlop:
    """A register bit: its net, what it takes over, the net of its reset (-1: none), its name.

    `initial` is 0, 1 or x: what it holds before the first clock.
    """

    q: int
    d: int
    reset: int
    reset_value: int
    name: str
    initial: str = "x"


@dataclass(frozen=True)
class Netlist:
    """Gates in an order in which each follows its inputs. Nets 0 and 1 are the constants."""

    nets: int
    gates: tuple[Gate, ...]
    flip_flops: tuple[FlipFlop, ...]
    ports: Mapping[str, tuple[int, ...]]  # nets, the lowest bit first

    @property
    def registers(self) -> list[str]:
        """Names of the flip-flops without bit numbers, each once, in order."""
        return list(dict.fromkeys(register_of(found.name) for found in self.flip_flops))


def register_of(name: str) -> str:
    """Return a flip-flop's name without the bits' numbers at its end."""
    return re.sub(r"(\[\d+\])+$", "", name)


def read(module: Mapping[str, Any]) -> Netlist:
    """Read a module of Yosys's JSON that has only cells of the above kinds."""
    cells = list(module["cells"].values())
    if unknown := {cell["type"] for cell in cells} - set(GATES) - set(_FLIP_FLOPS):
        raise ToolError(f"the gates of {sorted(unknown)} are not known")
    clocked = [cell for cell in cells if cell["type"] in _FLIP_FLOPS]
    if len({cell["connections"]["C"][0] for cell in clocked}) != 1:
        raise ToolError("only circuits with one clock can be simulated")
    # The runner finds bit i of the state in net 2 + i.
    numbers: dict[int | str, int] = {"0": 0, "1": 1, "x": 0, "z": 0}
    numbers |= {cell["connections"]["Q"][0]: 2 + at for at, cell in enumerate(clocked)}
    used = [bit for cell in cells for bits in cell["connections"].values() for bit in bits]
    used += [bit for port in module["ports"].values() for bit in port["bits"]]
    others = dict.fromkeys(bit for bit in used if bit not in numbers)
    numbers |= {bit: 2 + len(clocked) + at for at, bit in enumerate(others)}

    names = _names(module)
    initial = _initial(module)
    flip_flops = tuple(_flip_flop(cell, numbers, names, initial) for cell in clocked)
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


def _initial(module: Mapping[str, Any]) -> dict[int | str, str]:
    """Return the value before the first clock of each net that has one."""
    found: dict[int | str, str] = {}
    for net in module["netnames"].values():
        values = reversed(str(net["attributes"].get("init", "")))
        found |= {bit: value for bit, value in zip(net["bits"], values, strict=False)}
    return found


def _rank(name: str) -> tuple[bool, bool, int]:
    """Order the names of one net: a register's own comes before those of ports that it drives."""
    return name.startswith("$"), not re.search(r"_q\b", name), -name.count(".")


def _flip_flop(
    cell: Mapping[str, Any],
    numbers: Mapping[int | str, int],
    names: Mapping[int | str, str],
    initial: Mapping[int | str, str],
) -> FlipFlop:
    wires = {port: bits[0] for port, bits in cell["connections"].items()}
    value = _FLIP_FLOPS[cell["type"]]
    reset = -1 if value is None else numbers[wires["R"]]
    q = wires["Q"]
    return FlipFlop(
        numbers[q], numbers[wires["D"]], reset, value or 0, names[q], initial.get(q, "x")
    )


def _ordered(
    cells: Sequence[Mapping[str, Any]], numbers: Mapping[int | str, int], known: set[int]
) -> Iterator[Gate]:
    """Yield the gates, each after its inputs."""
    waiting: dict[int, list[int]] = {}  # net: gates that miss it
    missing: dict[int, int] = {}
    gates: dict[int, Gate] = {}
    ready: list[int] = []
    for at, cell in enumerate(cells):
        if cell["type"] in _FLIP_FLOPS:
            continue
        wires = {port: numbers[bits[0]] for port, bits in cell["connections"].items()}
        output = wires.pop("Y")
        inputs = tuple(wires[port] for port in GATES[cell["type"]])
        gates[at] = Gate(cell["type"], output, inputs)
        absent = {net for net in wires.values() if net not in known}
        missing[at] = len(absent)
        for net in absent:
            waiting.setdefault(net, []).append(at)
        if not absent:
            ready.append(at)
    done = 0
    while ready:
        gate = gates[ready.pop()]
        yield gate
        done += 1
        for at in waiting.pop(gate.output, []):
            missing[at] -= 1
            if not missing[at]:
                ready.append(at)
    if done != len(gates):
        raise ToolError("the netlist has a combinational loop or a net without a driver")
