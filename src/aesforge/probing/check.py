# SPDX-License-Identifier: Apache-2.0
"""First-order probing security with glitches, and with transitions: exact.

A probe on a wire sees the values of all registers and inputs of the wire's cone (glitch-extended
probe), with transitions also their values one cycle before: S. Faust et al., "Composable Masking
Schemes in the Presence of Physical Defaults & the Robust Probing Model", CHES 2018. The wire is
secure if the joint distribution of these values is the same for all secrets.

The values are functions of what the ports carried in the present cycle and those before; they are
found by going back through the pipeline, a register stage at a time. In between, a value that has a
uniform bit as a summand that no other value depends on is removed: whatever the others are, it is
uniform. If secrets are left in the end, uniform bits that are summands of a value are replaced by
that value, which the probe knows. What then remains is counted: a BDD of all values has the known
bits on top, then secrets, then uniform bits, and the share of uniform bits that reach a leaf must
not depend on secrets.

Where a BDD becomes too large the wire is not decided, and counts as refused. Nothing is sampled.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dd import autoref

from aesforge.base.errors import ManifestError, ToolError
from aesforge.probing.annotation import Annotation
from aesforge.probing.circuit import HIGH, LOW, Circuit

try:
    from dd import cudd
except ImportError:  # the package has it compiled for some machines only
    cudd = autoref

MAX_NODES = 30_000  # of a BDD; a larger one is not decided
MAX_STAGES = 64  # registers in a row; more are taken for a feedback path

Node = Any  # of dd, which has no types


class Undecided(Exception):
    """The BDDs have become too large."""


@dataclass(frozen=True)
class Atom:
    """A variable: a register not yet gone back through, or a bit of a port, `age` cycles ago."""

    kind: str  # register, uniform, secret, public, known
    net: int
    age: int

    @property
    def name(self) -> str:
        """The name in the BDDs."""
        return f"{self.kind}_{self.net}_{self.age}"


@dataclass(frozen=True)
class Value:
    """What a probe sees: a source `age` cycles ago, as a function of atoms."""

    net: int
    age: int
    node: Node


class Checker:
    """Decides cones of one circuit."""

    def __init__(
        self, circuit: Circuit, annotation: Annotation, *, max_nodes: int = MAX_NODES
    ) -> None:
        self.circuit = circuit
        self.max_nodes = max_nodes
        self.bdd = _manager()
        self.atoms: dict[str, Atom] = {}
        self._values: dict[tuple[int, int], Node] = {}
        self._roles = _roles(circuit, annotation)

    # Functions ------------------------------------------------------------------------------------

    def _variable(self, kind: str, net: int, age: int) -> Node:
        atom = Atom(kind, net, age)
        if atom.name not in self.atoms:
            self.atoms[atom.name] = atom
            self.bdd.declare(atom.name)
        return self.bdd.var(atom.name)

    def _input(self, net: int, age: int) -> Node:
        """Return an input bit; the last share of a secret is the secret and the other shares."""
        kind, others = self._roles[net]
        node = self._variable(kind, net, age)
        for other in others:
            node = self.bdd.apply("xor", node, self._variable("uniform", other, age))
        return node

    def value(self, net: int, age: int) -> Node:
        """Return a net `age` cycles ago as a function of the registers and inputs of that cycle."""
        waiting = [net]
        while waiting:
            top = waiting[-1]
            if (top, age) in self._values:
                waiting.pop()
            elif top in (LOW, HIGH):
                self._values[top, age] = self.bdd.true if top == HIGH else self.bdd.false
            elif top in self.circuit.registers:
                self._values[top, age] = self._variable("register", top, age)
            elif top in self.circuit.inputs:
                self._values[top, age] = self._input(top, age)
            else:
                cell = self.circuit.cells[top]
                missing = [other for other in cell.inputs if (other, age) not in self._values]
                if missing:
                    waiting += missing
                    continue
                nodes = [self._values[other, age] for other in cell.inputs]
                self._values[top, age] = self._table(nodes, cell.table)
        return self._values[net, age]

    def _table(self, nodes: Sequence[Node], table: int) -> Node:
        """Return the function whose truth table over `nodes`, the first lowest, is `table`."""
        if not nodes:
            return self.bdd.true if table & 1 else self.bdd.false
        half = 1 << (len(nodes) - 1)
        low = self._table(nodes[:-1], table & ((1 << half) - 1))
        high = self._table(nodes[:-1], table >> half)
        return self.bdd.ite(nodes[-1], high, low)

    # One probe ------------------------------------------------------------------------------------

    def leak(self, sources: Iterable[int], *, transitions: bool) -> list[Value]:
        """Return the values that together depend on secrets; none: the cone is secure.

        Undecided if that cannot be found out.
        """
        ages = (0, 1) if transitions else (0,)
        values = [Value(net, a, self.value(net, a)) for net in sorted(sources) for a in ages]
        for age in range(MAX_STAGES):
            values = self._without_masked(values, age)
            present = self._support(values)
            if not any(self.atoms[name].kind in ("register", "secret") for name in present):
                return []
            if not any(self.atoms[name].kind == "register" for name in present):
                return self._count_all(values)
            values = self._gone_back(values, present, age)
        name = self.circuit.name(values[0].net)
        raise ToolError(
            f"{name} is in a feedback path, or has {MAX_STAGES} registers in a row before it",
            "`probe` knows pipelines: probe what is between the registers of the state",
        )

    def _support(self, values: Iterable[Value]) -> set[str]:
        found: set[str] = set()
        for value in values:
            found |= self.bdd.support(value.node)
        return found

    def _gone_back(self, values: Sequence[Value], present: Iterable[str], age: int) -> list[Value]:
        """Replace the registers of a cycle by what they took over in the cycle before it.

        A register that took over a uniform bit plus others is a uniform bit itself, in place of the
        one that it took over: for each value of everything else one follows from the other.
        """
        taken: dict[str, Node] = {}
        for name in sorted(present):
            atom = self.atoms[name]
            if atom.kind == "register" and atom.age == age:
                taken[name] = self.value(self.circuit.registers[atom.net], age + 1)
        supports = {name: set(self.bdd.support(node)) for name, node in taken.items()}
        uses = Counter(name for support in supports.values() for name in support)
        uses.update(self._support(values))
        changed: list[tuple[str, Node]] = []  # uniform bits, as functions of those instead of them
        gone: set[str] = set()
        # First where nothing else depends on the bit, so that nothing else changes.
        for name, support in sorted(
            supports.items(), key=lambda item: min((uses[bit] for bit in item[1]), default=0)
        ):
            node = taken[name]
            for bit, function in changed:
                node = self._composed(node, bit, function)
            for bit in sorted(support - gone, key=lambda bit: (uses[bit], bit)):
                if self._is_mask(node, bit, age + 1):
                    fresh = self._variable("uniform", self.atoms[name].net, age)
                    function = self.bdd.apply("xor", fresh, self._rest(node, bit))
                    node = fresh
                    gone.add(bit)
                    changed.append((bit, function))
                    taken = {r: self._composed(n, bit, function) for r, n in taken.items()}
                    break
            taken[name] = node
        return [self._replace(value, [*changed, *taken.items()]) for value in values]

    def _replace(self, value: Value, replaced: Iterable[tuple[str, Node]]) -> Value:
        """Replace variables by functions, one after the other."""
        node = value.node
        for name, function in replaced:
            node = self._composed(node, name, function)
        return Value(value.net, value.age, node)

    def _composed(self, node: Node, name: str, function: Node) -> Node:
        if name not in self.bdd.support(node):
            return node
        composed = self.bdd.let({name: function}, node)
        if len(composed) > self.max_nodes:
            raise Undecided
        return composed

    def _without_masked(self, values: Sequence[Value], age: int) -> list[Value]:
        """Remove values that are uniform whatever the others are, and those seen twice.

        Registers that are left took over what came before the cycle `age`: they do not depend on
        bits of that cycle or later ones.
        """
        kept = [value for value in values if value.node not in (self.bdd.true, self.bdd.false)]
        kept = list({value.node: value for value in reversed(kept)}.values())[::-1]
        supports = [set(self.bdd.support(value.node)) for value in kept]
        uses = Counter(name for support in supports for name in support)
        done = False
        while not done:
            done = True
            for at in range(len(kept) - 1, -1, -1):
                masks = [name for name in supports[at] if uses[name] == 1]
                if any(self._is_mask(kept[at].node, name, age) for name in masks):
                    uses.subtract(supports[at])
                    del kept[at], supports[at]
                    done = False
        return kept

    def _is_mask(self, node: Node, name: str, age: int) -> bool:
        """Tell whether a function is a uniform bit of cycle `age` or later, plus other bits."""
        atom = self.atoms[name]
        return atom.kind == "uniform" and atom.age <= age and self._rest(node, name) is not None

    def _rest(self, node: Node, name: str) -> Node:
        """Return g if the node is g plus the bit `name`; None if the bit is no summand."""
        low, high = (self.bdd.let({name: bit}, node) for bit in (False, True))
        return low if low == ~high else None

    # What remains ---------------------------------------------------------------------------------

    def _count_all(self, values: Sequence[Value]) -> list[Value]:
        """Decide values that are functions of ports: each group without common bits by itself."""
        for group in self._groups(values):
            support = self._support(group)
            if any(self.atoms[name].kind == "secret" for name in support):
                remaining = self._with_known(group)
                if remaining and self._depends(remaining):
                    return group
        return []

    def _groups(self, values: Sequence[Value]) -> list[list[Value]]:
        """Part values such that two groups have no uniform or secret bit in common."""
        groups: list[tuple[set[str], list[Value]]] = []
        for value in values:
            names = {n for n in self.bdd.support(value.node) if self.atoms[n].kind != "public"}
            members = [value]
            for other in [found for found in groups if found[0] & names]:
                groups.remove(other)
                names |= other[0]
                members = other[1] + members
            groups.append((names, members))
        return [members for _, members in groups]

    def _with_known(self, values: Sequence[Value]) -> list[Value]:
        """Replace uniform bits that are summands of a value by that value, which is seen.

        For each value of everything else, the bit and the value take each other's place one to
        one: the new variable is as uniform as the old one.
        """
        kept = list(values)
        number = 0
        while True:
            kept = self._without_masked(kept, MAX_STAGES)
            kept.sort(key=lambda value: len(value.node))
            step = self._summand(kept)
            if step is None:
                break
            at, name, rest = step
            number += 1
            known = self._variable("known", number, 0)
            replaced = [(name, self.bdd.apply("xor", known, rest))]
            kept = [self._replace(value, replaced) for value in kept[:at] + kept[at + 1 :]]
            if not any(self.atoms[name].kind == "secret" for name in self._support(kept)):
                return []
        return kept

    def _summand(self, values: Sequence[Value]) -> tuple[int, str, Node] | None:
        """Return the first value with a uniform summand, the bit, and the rest of the value."""
        for at, value in enumerate(values):
            for name in sorted(self.bdd.support(value.node)):
                if self.atoms[name].kind == "uniform":
                    rest = self._rest(value.node, name)
                    if rest is not None:
                        return at, name, rest
        return None

    def _depends(self, values: Sequence[Value]) -> bool:
        """Count: tell whether the values' joint distribution depends on secrets."""
        kinds: dict[str, list[str]] = {"seen": [f"seen_{at}" for at in range(len(values))]}
        for name in sorted(self._support(values)):
            kinds.setdefault(self.atoms[name].kind, []).append(name)
        order = [
            name
            for kind in ("public", "known", "seen", "secret", "uniform")
            for name in kinds.get(kind, ())
        ]
        bdd = _manager()
        bdd.declare(*order)
        whole = bdd.true
        for at, value in enumerate(values):
            seen = bdd.apply("equiv", bdd.var(f"seen_{at}"), self.bdd.copy(value.node, bdd))
            whole = whole & seen
            if len(whole) > self.max_nodes:
                raise Undecided
        secrets, uniform = set(kinds.get("secret", ())), set(kinds.get("uniform", ()))
        return _unequal(bdd, whole, secrets, uniform)


class _Differs(Exception):
    """A count that depends on a secret."""


def _unequal(bdd: Any, whole: Node, secrets: Collection[str], uniform: Collection[str]) -> bool:
    """Tell whether, below a path through the other variables, secrets change a count."""
    shares: dict[Node, Fraction] = {bdd.true: Fraction(1), bdd.false: Fraction(0)}
    try:
        _share(whole, shares, secrets, uniform)
    except _Differs:
        return True
    return False


def _share(
    node: Node,
    shares: dict[Node, Fraction],
    secrets: Collection[str],
    uniform: Collection[str],
) -> Fraction:
    """Return the share of assignments of uniform bits that reach true; _Differs by a secret."""
    if node not in shares:
        children = (~n if node.negated else n for n in (node.low, node.high))
        low, high = (_share(child, shares, secrets, uniform) for child in children)
        if node.var in uniform:
            shares[node] = (low + high) / 2
        elif node.var in secrets and low != high:
            raise _Differs
        else:
            shares[node] = low  # above the secrets: not used
    return shares[node]


def _manager() -> Any:
    """Return a BDD manager that keeps the order in which variables are declared."""
    manager = cudd.BDD()
    manager.configure(reordering=False)
    return manager


def _roles(circuit: Circuit, annotation: Annotation) -> dict[int, tuple[str, tuple[int, ...]]]:
    """Return the kind of each input bit, and for the last share of a secret the others' nets."""
    nets: dict[str, list[int]] = {}
    for net, (port, _) in circuit.inputs.items():
        nets.setdefault(port, []).append(net)
    named = [*annotation.random, *annotation.public]
    named += [port for found in annotation.secret for port in found.shares]
    if odd := sorted(set(named) - set(nets)):
        raise ManifestError(f"{annotation.top} has no input '{odd[0]}'", "correct the annotation")
    if odd := sorted(set(nets) - {*named, annotation.clock}):
        raise ManifestError(
            f"nothing says what the input '{odd[0]}' of {annotation.top} carries",
            "name it in the annotation: a share, random or public",
        )
    roles: dict[int, tuple[str, tuple[int, ...]]] = {}
    for kind, ports in (("uniform", annotation.random), ("public", annotation.public)):
        roles |= {net: (kind, ()) for port in ports for net in nets[port]}
    for found in annotation.secret:
        if len({len(nets[port]) for port in found.shares}) > 1:
            raise ManifestError(f"the shares {', '.join(found.shares)} differ in width")
        *others, last = (nets[port] for port in found.shares)
        roles |= {net: ("uniform", ()) for share in others for net in share}
        roles |= {net: ("secret", tuple(s[at] for s in others)) for at, net in enumerate(last)}
    return roles
