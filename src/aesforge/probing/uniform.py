# SPDX-License-Identifier: Apache-2.0
"""Is what leaves a masked module a uniform sharing again? Exact, one cycle.

`probe` takes the sharings at the inputs to be uniform. In a core they are what the same module gave
before. This step shows that share 0 of an output is uniform for each value of everything else: of
all inputs in all cycles (both shares of each secret), of all registers that go on, and of all other
fresh bits. Then it stays so whatever the core does with it, until it is used.

Bits of share 0 are functions of registers and ports. Bits are added to each other until each has a
summand of its own, a mask (Gaussian elimination: sums are as uniform as what they are made from). A
mask is

- a fresh bit of this cycle;
- a register that took over a fresh bit as a summand. These registers together are eliminated in the
  same manner by the fresh bits of the cycle before. No register takes over from one that those bits
  reach, and no output has one of them directly: so nothing else that goes on depends on them;
- where fresh bits do not suffice: the bits of one share that enters in this cycle.

Public inputs of the cycle are tried one assignment after the other.
"""

import itertools
import json
import re
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aesforge.base.errors import UsageError
from aesforge.base.paths import BUILD
from aesforge.probing import annotation as annotations
from aesforge.probing import circuit as circuits
from aesforge.probing import probe
from aesforge.probing.annotation import Annotation
from aesforge.probing.check import Checker
from aesforge.probing.circuit import HIGH, LOW, Circuit
from aesforge.records.rows import Table
from aesforge.synth.flow import Target

MOST_PUBLIC = 8  # public bits that an output may depend on in a cycle
_SHARE_0 = re.compile(r"(.+)0(_o)?")

Node = Any  # of dd, which has no types


@dataclass(frozen=True)
class Output:
    """Share 0 of an output with values of public inputs: what masks it, or why it is refused."""

    port: str
    public: str  # inputs that are 1
    masks: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Result:
    """A module on a target: its outputs that are shares, each with all public values."""

    module: str
    target: str
    outputs: tuple[Output, ...]
    seconds: float

    @property
    def refused(self) -> list[Output]:
        """Those that are not shown to be uniform."""
        return [output for output in self.outputs if output.reason]


def uniform(path: Path, target: Target, *, bug: str = "", folder: Path | None = None) -> Result:
    """Map the module of an annotation for a target and decide its outputs."""
    started = time.monotonic()
    found = annotations.load(path)
    rtl = probe.design(path, found, bug)
    name = path.name.removesuffix(annotations.SUFFIX)
    place = folder or BUILD / "probe" / f"uniform-{name}-{target.name}{bug and '-'}{bug}"
    circuit = circuits.map_design(rtl, target, place, BUILD / "logs" / f"probe-{place.name}")
    outputs = inspect(circuit, found, shares(place / "probed.json", rtl.top))
    return Result(name, target.name, tuple(outputs), round(time.monotonic() - started, 2))


def shares(path: Path, top: str) -> dict[str, list[int]]:
    """Return the nets of each output port that is share 0: another is named like it, with a 1."""
    ports = json.loads(path.read_text(encoding="utf-8"))["modules"][top]["ports"]
    outputs = {name: port for name, port in ports.items() if port["direction"] == "output"}
    found = {}
    for name, port in outputs.items():
        match = _SHARE_0.fullmatch(name)
        if match and f"{match[1]}1{match[2] or ''}" in outputs:
            constants = {"0": LOW, "1": HIGH, "x": LOW, "z": LOW}
            found[name] = [constants.get(bit, bit) for bit in port["bits"]]
    if not found:
        raise UsageError(
            f"{top} has no outputs that are shares", "their names differ in a digit: x0_o, x1_o"
        )
    return found


def inspect(
    circuit: Circuit, found: Annotation, outputs: Mapping[str, Sequence[int]]
) -> list[Output]:
    """Decide share 0 of each output, given as nets by port, for all values of public inputs."""
    decider = _Decider(circuit, found, outputs)
    return [
        output
        for port, nets in outputs.items()
        for output in decider.outputs(port, [decider.checker.value(net, 0) for net in nets])
    ]


class _Decider:
    """Decides the outputs of one circuit."""

    def __init__(
        self, circuit: Circuit, found: Annotation, outputs: Mapping[str, Sequence[int]]
    ) -> None:
        self.circuit = circuit
        self.found = found
        self.checker = Checker(circuit, found)
        self.bdd = self.checker.bdd
        # What each register takes over, in the cycle before.
        self.taken = {q: self.checker.value(d, 1) for q, d in circuit.registers.items()}
        self.followed = {
            net
            for node in self.taken.values()
            for net in self._nets(self.bdd.support(node), "register")
        }
        direct = [self.checker.value(net, 1) for nets in outputs.values() for net in nets]
        self.direct = {name for node in direct for name in self.bdd.support(node)}

    def _nets(self, names: Collection[str], kind: str) -> set[int]:
        atoms = [self.checker.atoms[name] for name in names]
        return {atom.net for atom in atoms if atom.kind == kind}

    def _of_ports(self, names: Collection[str], ports: Collection[str]) -> set[str]:
        """Return the variables that are bits of some ports."""
        atoms = self.checker.atoms
        return {n for n in names if self.circuit.inputs.get(atoms[n].net, ("",))[0] in ports}

    def outputs(self, port: str, nodes: Sequence[Node]) -> list[Output]:
        """Decide a port for each assignment of the public bits that it depends on."""
        support = {name for node in nodes for name in self.bdd.support(node)}
        public = sorted(
            (name for name in support if self.checker.atoms[name].kind == "public"),
            key=lambda name: self.circuit.inputs[self.checker.atoms[name].net],
        )
        if len(public) > MOST_PUBLIC:
            raise UsageError(
                f"{port} depends on {len(public)} public bits", f"at most {MOST_PUBLIC} are tried"
            )
        decided = []
        for values in itertools.product((False, True), repeat=len(public)):
            given = dict(zip(public, values, strict=True))
            high = [
                self.circuit.name(self.checker.atoms[name].net) for name in public if given[name]
            ]
            chosen = [self.bdd.let(given, node) for node in nodes] if given else nodes
            masks, reason = self._decide(chosen)
            decided.append(Output(port, ", ".join(high), masks, reason))
        return decided

    def _decide(self, nodes: Sequence[Node]) -> tuple[str, str]:
        """Return what masks functions of this cycle, or why they are refused."""
        support = {name for node in nodes for name in self.bdd.support(node)}
        fresh = self._of_ports(support, self.found.random)
        registers = {name for name in support if self.checker.atoms[name].kind == "register"}
        left, pivots = self._eliminated(nodes, fresh | registers)
        reason = self._refused(pivots - fresh, support) if not left else ""
        if not left and not reason:
            return f"fresh bits {' and '.join(self._told(pivots & fresh, pivots - fresh))}", ""
        for secret in self.found.secret:
            port = secret.shares[0]
            if not self._eliminated(nodes, self._of_ports(support, (port,)))[0]:
                return port, ""
        return "", reason or f"{len(left)} of {len(nodes)} bits have no mask of their own"

    def _told(self, fresh: Collection[str], registers: Collection[str]) -> list[str]:
        """Say of which cycles fresh bits are, and whether registers take over bits of this one."""
        nets = self._nets(fresh, "uniform")
        every = {name for node in self.taken.values() for name in self.bdd.support(node)}
        shared = bool(nets & self._nets(every, "uniform"))
        told = ["of this cycle" + ", which registers take too" * shared] * bool(fresh)
        return [*told, *["of the cycle before"] * bool(registers)]

    def _refused(self, pivots: Collection[str], support: Collection[str]) -> str:
        """Say why registers are not fresh; empty: they are uniform, and nothing else knows them.

        `support`: every register that the output depends on.
        """
        nets = sorted(self.checker.atoms[name].net for name in pivots)
        functions = [self.taken[net] for net in nets]
        bits = {name for node in functions for name in self.bdd.support(node)}
        fresh = self._of_ports(bits, self.found.random)
        left, masks = self._eliminated(functions, fresh)
        if left:
            return f"{len(left)} of {len(nets)} registers have no fresh bit of their own"
        if masks & self.direct:
            return "a mask of the cycle before was in an output itself"
        reached = {net for net, node in self.taken.items() if masks & set(self.bdd.support(node))}
        if twice := sorted((reached - set(nets)) & self._nets(support, "register")):
            return f"{circuits.names(self.circuit, twice)} has a mask of another register"
        if on := sorted(reached & self.followed):
            return f"a register takes over from {circuits.names(self.circuit, on)}"
        return ""

    def _eliminated(
        self, nodes: Sequence[Node], masks: Collection[str]
    ) -> tuple[list[Node], set[str]]:
        """Return the functions that keep no mask of their own, and the masks of the others."""
        left, used = list(nodes), set()
        done = False
        while not done:
            done = True
            for at, node in enumerate(left):
                own = sorted(set(self.bdd.support(node)) & set(masks), key=self._rank)
                found = next((name for name in own if self._is_pivot(name, node, left)), None)
                if found is None:
                    continue
                del left[at]
                left = [
                    self.bdd.apply("xor", other, node)
                    if found in self.bdd.support(other)
                    else other
                    for other in left
                ]
                used.add(found)
                done = False
                break
        return left, used

    def _rank(self, name: str) -> tuple[bool, str]:
        """Order masks: bits of ports before registers."""
        return self.checker.atoms[name].kind == "register", name

    def _is_pivot(self, name: str, node: Node, left: Sequence[Node]) -> bool:
        """Tell whether a bit is a summand of a function, and of each other one that has it."""
        return self._is_summand(name, node) and all(
            self._is_summand(name, other) for other in left if name in self.bdd.support(other)
        )

    def _is_summand(self, name: str, node: Node) -> bool:
        low, high = (self.bdd.let({name: bit}, node) for bit in (False, True))
        return bool(low == ~high)


# Results ------------------------------------------------------------------------------------------


def table(results: Sequence[Result]) -> Table:
    """Return a row for each output and assignment of public inputs."""
    names = ("module", "target", "share", "public inputs at 1", "verdict")
    heads = tuple((name, False) for name in names)
    rows = tuple(
        (
            *(result.module, result.target, output.port, output.public or "-"),
            f"refused: {output.reason}" if output.reason else f"uniform by {output.masks}",
        )
        for result in results
        for output in result.outputs
    )
    return Table("Share 0 of each output, for each value of everything but its masks", heads, rows)


def json_rows(results: Sequence[Result]) -> list[Mapping[str, object]]:
    """Return a row for each output and assignment of public inputs (docs/json.md)."""
    return [
        {
            "accelerator": result.module,
            "platform": result.target,
            "port": output.port,
            "public": output.public,
            "status": "failed" if output.reason else "passed",
            "masks": output.masks,
            "reason": output.reason,
        }
        for result in results
        for output in result.outputs
    ]
