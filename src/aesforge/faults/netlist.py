# SPDX-License-Identifier: Apache-2.0
"""RTL to a program that simulates 512 copies of it at a time, one in each bit of a vector.

Yosys turns the flattened design into gates (aesforge.build.gates): what is flipped are the
flip-flops that the RTL has. The gates become C, one line each, in topological order, on vectors of
512 bits (GCC's vector extension).
"""

import json
from pathlib import Path

from aesforge.build import gates
from aesforge.build.gates import Gate, Netlist
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


def make(design: Design, folder: Path, log: Path) -> Netlist:
    """Read a design with one clock and map it to gates."""
    folder.mkdir(parents=True, exist_ok=True)
    flow.yosys(
        [*design.read_commands(), *gates.SMALLER, "write_json gates.json"], folder, "gates", log
    )
    text = (folder / "gates.json").read_text(encoding="utf-8")
    return gates.read(json.loads(text)["modules"][design.top])


# C ------------------------------------------------------------------------------------------------


def c_text(found: Netlist) -> str:
    """Return the C that the runner includes: tables of ports and flip-flops, and `evaluate`."""
    pieces = [found.gates[at : at + _PIECE] for at in range(0, len(found.gates), _PIECE)]
    functions = [
        f"static void piece_{at}(vec *n) {{\n  "
        + "\n  ".join(_assignment(gate) for gate in piece)
        + "\n}\n"
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

    held = _held(found)
    return (
        f"#define NETS {found.nets}\n#define FLIP_FLOPS {len(found.flip_flops)}\n"
        + f"#define HELD {len(held)}\n"
        + f"static const int held_of[] = {{{', '.join(map(str, held or [-1]))}}};\n"
        + ports
        + column("d")
        + column("reset")
        + column("reset_value")
        + "\n".join(functions)
        + f"static void evaluate(vec *n) {{\n  {calls}\n}}\n"
    )


def _held(found: Netlist) -> list[int]:
    """Return the nets beside flip-flops that keep a value from one cycle to the next.

    Gates read them before other gates write them (aesforge.faults.outside).
    """
    written = {gate.output for gate in found.gates}
    seen: set[int] = set()
    early: set[int] = set()
    for gate in found.gates:
        early.update(net for net in gate.inputs if net in written and net not in seen)
        seen.add(gate.output)
    return sorted(early)


def _assignment(gate: Gate) -> str:
    """Return a gate as a C assignment."""
    ports = gates.GATES[gate.kind]
    values = {port: f"n[{net}]" for port, net in zip(ports, gate.inputs, strict=True)}
    return f"n[{gate.output}] = {_GATES[gate.kind].format(**values)};"
