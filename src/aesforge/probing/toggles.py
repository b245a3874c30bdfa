# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as C, for the program that counts its toggles on simulated traces (toggles.c).

Each cell is a function of its input pins, called on their waveforms; cells with the same truth
table share one. Pins that are constant are left out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aesforge.base.errors import ToolError
from aesforge.probing.annotation import Annotation
from aesforge.probing.circuit import HIGH, LOW, Cell, Circuit

RUNNER = Path(__file__).parent / "toggles.c"
_PINS = "ABCDEF"  # input pins in C; as many as the runner has


@dataclass(frozen=True)
class Netlist:
    """What the C is made from. Nets: 0, 1, input bits, registers, cells in topological order."""

    inputs: tuple[int, ...]  # nets of the circuit, but the clock
    registers: tuple[int, ...]
    cells: tuple[int, ...]
    functions: Mapping[int, Cell]  # without constant pins
    numbers: Mapping[int, int]  # net of the circuit: net of the program
    cycles: int  # of a trace

    @property
    def wires(self) -> tuple[int, ...]:
        """The nets whose toggles are counted, in the program's order."""
        return (*self.registers, *self.cells)


def read(circuit: Circuit, annotation: Annotation) -> Netlist:
    """Order the cells of a circuit and fold constants into them."""
    constants = {LOW: 0, HIGH: 1}
    functions: dict[int, Cell] = {}
    for net in _ordered(circuit):
        cell = _folded(circuit.cells[net], constants)
        if cell.inputs:
            functions[net] = cell
        else:
            constants[net] = cell.table & 1
    clock = annotation.clock
    inputs = tuple(net for net, (port, _) in circuit.inputs.items() if port != clock)
    registers = tuple(circuit.registers)
    numbers = dict(constants)
    for net in (*inputs, *registers, *functions):
        numbers[net] = len(numbers) - len(constants) + 2
    # From the first register to the last one, and one more, in which the secret goes.
    cycles = _stages(circuit) + 2
    return Netlist(inputs, registers, tuple(functions), functions, numbers, cycles)


def _ordered(circuit: Circuit) -> list[int]:
    """Return the cells, each after those that drive it."""
    circuit.cones()  # refuses loops and nets without a driver
    found: dict[int, None] = {}
    waiting = list(circuit.cells)
    while waiting:
        missing = [n for n in circuit.cells[waiting[-1]].inputs if n in circuit.cells]
        missing = [n for n in missing if n not in found]
        if not missing:
            found[waiting.pop()] = None
        waiting += missing
    return list(found)


def _folded(cell: Cell, constants: Mapping[int, int]) -> Cell:
    """Return a cell without its pins that are constant."""
    table, inputs = cell.table, list(cell.inputs)
    for at in range(len(inputs) - 1, -1, -1):
        if (value := constants.get(inputs[at])) is not None:
            table = _half(table, len(inputs), at, value)
            del inputs[at]
    return Cell(tuple(inputs), table)


def _half(table: int, inputs: int, at: int, value: int) -> int:
    """Return the truth table of a function of `inputs` whose input `at` has a value."""
    rows = [row for row in range(1 << inputs) if row >> at & 1 == value]
    return sum((table >> row & 1) << place for place, row in enumerate(rows))


def _stages(circuit: Circuit) -> int:
    """Return the registers in the longest path from a port. ToolError for a feedback path."""
    cones = circuit.cones()
    before: dict[int, frozenset[int]] = {
        q: cones.get(d, frozenset((d,) if d >= 0 else ())) & frozenset(circuit.registers)
        for q, d in circuit.registers.items()
    }
    depths: dict[int, int] = {}
    left = dict(before)
    while left:
        done = [q for q, sources in left.items() if all(s in depths for s in sources)]
        if not done:
            raise ToolError(
                f"{circuit.name(min(left))} is in a feedback path, or follows one",
                "`ttest` knows pipelines: test what is between the registers of the state",
            )
        depths |= {q: 1 + max((depths[s] for s in left[q]), default=0) for q in done}
        left = {q: sources for q, sources in left.items() if q not in depths}
    return max(depths.values(), default=0)


# C ------------------------------------------------------------------------------------------------


@cache
def expression(table: int, names: str) -> str:
    """Return the C expression of a truth table over variables of one letter, the first lowest."""
    rows = 1 << len(names)
    every = (1 << rows) - 1
    if table in (0, every):
        return "all_of(1)" if table else "all_of(0)"
    choices = []
    for at, name in enumerate(names):
        rest = names[:at] + names[at + 1 :]
        low, high = (_half(table, len(names), at, value) for value in (0, 1))
        choices.append(_joined(name, low, high, rest))
    return min(choices, key=lambda text: (len(text), text))


def _joined(name: str, low: int, high: int, rest: str) -> str:
    """Return a variable's choice between two functions of the other variables."""
    every = (1 << (1 << len(rest))) - 1
    if low == high:
        return expression(low, rest)
    if low == every ^ high:
        return (
            name if not low else f"~{name}" if not high else f"({name} ^ {expression(low, rest)})"
        )
    if low in (0, every):
        other = expression(high, rest)
        return f"({name} & {other})" if not low else f"(~{name} | {other})"
    if high in (0, every):
        other = expression(low, rest)
        return f"(~{name} & {other})" if not high else f"({name} | {other})"
    return f"(({name} & {expression(high, rest)}) | (~{name} & {expression(low, rest)}))"


def c_text(found: Netlist, circuit: Circuit, annotation: Annotation) -> str:
    """Return circuit.h: a function for each truth table, and the tables of nets and pins."""
    numbers = found.numbers
    used = dict.fromkeys((len(cell.inputs), cell.table) for cell in found.functions.values())
    kinds = {kind: at for at, kind in enumerate(used)}
    ports: dict[str, list[int]] = {}
    for net in found.inputs:
        ports.setdefault(circuit.inputs[net][0], []).append(numbers[net])
    randoms = [net for port in annotation.random for net in ports[port]]
    publics = [net for port in annotation.public for net in ports[port]]
    secrets = [
        [*bits, -1]
        for secret in annotation.secret
        for bits in zip(*(ports[port] for port in secret.shares), strict=True)
    ]
    cells = [found.functions[net] for net in found.cells]
    most = max((len(secret) for secret in secrets), default=1)
    lines = [
        f"#define INPUTS {len(found.inputs)}",
        f"#define REGISTERS {len(found.registers)}",
        f"#define CELLS {len(cells)}",
        f"#define CYCLES {found.cycles}",
        f"#define RANDOMS {len(randoms)}",
        f"#define PUBLICS {len(publics)}",
        f"#define SECRETS {len(secrets)}",
        *(_function(at, *kind) for kind, at in kinds.items()),
        f"static function *const functions[] = {_list(f'f_{at}' for at in kinds.values())};",
        _column("function_of", [kinds[len(cell.inputs), cell.table] for cell in cells]),
        _column("pins", [len(cell.inputs) for cell in cells]),
        f"static const int pin[][MOST_PINS] = "
        f"{_list(_list(str(numbers[net]) for net in cell.inputs) for cell in cells)};",
        _column("taken", [numbers[circuit.registers[net]] for net in found.registers]),
        _column("random_net", randoms),
        _column("public_net", publics),
        f"static const int share_net[][{most}] = "
        f"{_list(_list(str(net) for net in secret) for secret in secrets)};",
    ]
    return "\n".join([*lines, ""])


def _function(at: int, inputs: int, table: int) -> str:
    """Return a function of waveforms."""
    names = _PINS[:inputs]
    taken = "".join(f"\n  const vec *{name} = in[{place}];" for place, name in enumerate(names))
    text = re.sub(r"[A-F]", r"\g<0>[t]", expression(table, names))
    return (
        f"static void f_{at}(const vec *const *in, vec *restrict out, int length) {{{taken}\n"
        f"  for (int t = 0; t < length; t++) out[t] = {text};\n}}"
    )


def _column(name: str, values: Sequence[int]) -> str:
    return f"static const int {name}[] = {_list(map(str, values))};"


def _list(texts: Iterable[str]) -> str:
    """Return a list of initial values; C has none without a value."""
    return f"{{{', '.join(texts) or '0'}}}"
