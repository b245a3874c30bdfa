# SPDX-License-Identifier: Apache-2.0
"""A module whose registers have parity bits, made from the plain module.

Beside each `always_ff` block stands a second one that writes, under the same conditions, the parity
of what the first one writes. A register and its parity bit together hold an odd number of ones; if
they do not, `wrong_o` is high in this cycle. So one flipped flip-flop, whichever it is, is seen in
the cycle in which its value is wrong.

The next value's parity comes from the logic that makes the value: this sees flips of flip-flops,
not faults of gates. A memory gets a parity bit a word, which nobody checks here: the register that
takes a word also takes its bit (`known`).
"""

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from aesforge.base.errors import AesforgeError

WIDTH = 100  # of a line

_FORMAL = re.compile(r"\n`ifdef FORMAL\n.*?\n`endif", re.DOTALL)
_LITERAL = re.compile(r"\d*'(?:([bdh])([0-9a-f_]+)|0)")
_STRIDE = re.compile(r"(\d+)\*(\w+) \+: \1\]")
_BASE = {"b": 2, "d": 10, "h": 16}


class ParityFault(AesforgeError):
    """A module that this cannot read; the message names the place."""

    exit_status = 6


def _parity_name(register: str) -> str:
    return f"{register.removesuffix('_q')}_p"


def _value(text: str) -> int | None:
    """Return the value of a literal of known bits."""
    match = _LITERAL.fullmatch(text)
    return match and (int(match[2], _BASE[match[1]]) if match[1] else 0)


def _less_one(text: str) -> str:
    return str(int(text) - 1) if text.isdigit() else f"{text}-1"


def _broken(text: str) -> str:
    """Break the assignments that are longer than a line."""
    lines = []
    for line in text.split("\n"):
        if len(line) > WIDTH and " <= " in line:
            left, right = line.split(" <= ", 1)
            lines += [left.rstrip(), f"{' ' * (len(line) - len(line.lstrip()) + 4)}<= {right}"]
        else:
            lines.append(line)
    return "\n".join(lines)


class _Elements(NamedTuple):
    """A register that is written in elements, which have a parity bit each."""

    top: str  # index of the last one
    width: int  # of an element in a vector of bits; 0: an element of an array

    def of(self, value: str) -> str:
        """Return element k of a value of the register's type."""
        return f"{value}[{self.width}*k +: {self.width}]" if self.width else f"{value}[k]"


class _Module:
    """One module: what is put where in its text."""

    def __init__(
        self,
        text: str,
        guarded: Sequence[str],
        plain: Sequence[str],
        known: Mapping[str, str],
        refused: Sequence[str],
        own: Mapping[str, str],
    ) -> None:
        import pyslang  # as in hdl.py
        from pyslang import parsing, syntax

        self.text, self.guarded, self.plain, self.known = text, guarded, plain, known
        self.refused = list(refused)
        self.inside = set[str]()
        self.own, self.by_hand = own, {*own, *own.values()}
        self.kinds = syntax.SyntaxKind
        self.edits: list[tuple[int, int, str]] = []
        self.parts = 0
        self.manager = pyslang.SourceManager()
        buffer = self.manager.assignText("source", text)
        options = pyslang.Bag([parsing.PreprocessorOptions()])
        self.tree = syntax.SyntaxTree.fromBuffer(buffer, self.manager, options)  # owns the nodes
        root: Any = self.tree.root
        (self.module,) = root.members
        self.memories: dict[str, str] = {}  # their unpacked dimensions
        self.module.visit(self._declared)

    def _declared(self, node: Any) -> None:
        if getattr(node, "kind", None) == self.kinds.Declarator and len(node.dimensions):
            self.memories[node.name.valueText] = "".join(self.listed(node.dimensions))

    def of(self, node: Any) -> str:
        """Return a node's text."""
        return str(self.text[node.sourceRange.start.offset : node.sourceRange.end.offset])

    def listed(self, nodes: Any) -> list[str]:
        """Return the texts of a list without its commas."""
        return [self.of(each) for each in nodes if hasattr(each, "sourceRange")]

    def indent(self, node: Any) -> str:
        """Return the blanks before a node that begins a line."""
        start = node.sourceRange.start.offset
        return " " * int(start - self.text.rfind("\n", 0, start) - 1)

    def part(self) -> str:
        """Return a new name."""
        self.parts += 1
        return f"part_{self.parts}"

    # ---- registers ------------------------------------------------------------------------------

    def block(self, node: Any, genvars: Sequence[str]) -> list[str]:
        """Write the parity of an always_ff block; return what is high with a fault."""
        found: list[Any] = []

        def visit(each: Any) -> None:
            if getattr(each, "kind", None) == self.kinds.NonblockingAssignmentExpression:
                found.append(each)

        node.visit(visit)
        elements: dict[str, _Elements] = {}
        for each in found:
            name, _, index = self.of(each.left).partition("[")
            if index and index.removesuffix("]") not in genvars and name not in self.memories:
                elements[name] = self.elements(name, _STRIDE.fullmatch(index))
        if all(self.of(each.left).partition("[")[0] in self.by_hand for each in found):
            return []
        text, start = self.of(node), node.sourceRange.start.offset
        names: dict[str, None] = {}
        for each in reversed(found):
            lines, registers = self.assignment(each, elements, genvars)
            names = dict.fromkeys(registers) | names
            begin, end = (x.offset - start for x in (each.sourceRange.start, each.sourceRange.end))
            text = text[:begin] + lines + text[end:]
        blanks = self.indent(node)
        terms, declared, single = [], [], []
        for name in names:
            bare = name.partition("[")[0]
            bit = _parity_name(bare)
            if bare in self.memories:
                declared.append(f"logic {bit} {self.memories[bare]};")
            elif bare in elements:
                top = elements[bare].top
                declared.append(f"(* keep *) logic [{top}:0] {bit};")
                terms.append(f"^{{{bare}, {bit}, 1'({top} + 1)}}")
            else:
                single.append(bit)
                terms.append(f"~^{{{name}, {bit}}}")
        if single:
            line = f"(* keep *) logic {', '.join(single)};"
            blank = f"\n{blanks}{' ' * len('(* keep *) logic ')}"
            declared.append(blank.join(textwrap.wrap(line, WIDTH - len(blank))))
        put = "".join(f"\n{blanks}{each}" for each in [*declared, _broken(blanks + text).lstrip()])
        self.edits.append((node.sourceRange.end.offset, node.sourceRange.end.offset, put))
        return terms

    def elements(self, name: str, stride: re.Match[str] | None) -> _Elements:
        """Return the elements of a register, by the type that it is declared with."""
        declared = re.search(rf"\blogic\s*\[([^]:]*):0\][^;]*?\b{name}\b", self.text)
        if declared is None:
            raise ParityFault(f"{name} is written in parts and not declared as an array")
        if stride is None:
            return _Elements(declared[1], 0)
        return _Elements(str((int(declared[1]) + 1) // int(stride[1]) - 1), int(stride[1]))

    def assignment(
        self, node: Any, elements: Mapping[str, _Elements], genvars: Sequence[str]
    ) -> tuple[str, list[str]]:
        """Return the assignment of parity that belongs to one, and the registers that it writes."""
        left, right = self.of(node.left), self.of(node.right)
        arrow = self.text[node.left.sourceRange.end.offset : node.right.sourceRange.start.offset]
        value = _value(right)
        if node.left.kind == self.kinds.ConcatenationExpression:
            parts = self.listed(node.left.expressions)
            bits = "{" + ", ".join(map(_parity_name, parts)) + "}"
            if right in self.known:
                return f"{bits}{arrow}{self.known[right]}", parts
            if value == 0:
                return f"{bits}{arrow}'1", parts
            if value is not None and right.startswith(f"{len(parts)}'b"):
                inverse = f"{value ^ (1 << len(parts)) - 1:0{len(parts)}b}"
                return f"{bits}{arrow}{len(parts)}'b{inverse}", parts
            if node.right.kind == self.kinds.ConcatenationExpression:
                values = self.listed(node.right.expressions)
                if len(values) == len(parts):
                    return f"{bits}{arrow}{{{', '.join(map(self.parity, values))}}}", parts
            raise ParityFault(
                f"{left} <= {right}: which part of the value does each register take?"
            )
        name, _, index = left.partition("[")
        bit = _parity_name(name)
        if index.removesuffix("]") in genvars:
            return f"{bit}{arrow}{self.parity(right)}", [left]
        if index:
            stride = _STRIDE.fullmatch(index)
            if stride is None and ":" in re.sub(r"\[[^]]*\]", "", index):
                raise ParityFault(f"{left} is a part of a register, and no element")
            place = f"{stride[2]}]" if stride else index
            return f"{bit}[{place}{arrow}{self.parity(right)}", [name]
        if name not in elements:
            return f"{bit}{arrow}{self.parity(right)}", [name]
        if value == 0:
            return f"{bit}{arrow}'1", [name]
        if re.fullmatch(r"\w+", right):
            loop = f"for (int k = 0; k <= {elements[name].top}; k++)"
            return f"{loop} {bit}[k] <= ~^{elements[name].of(right)}", [name]
        raise ParityFault(f"{left} <= {right}: not the elements of an array")

    def parity(self, value: str) -> str:
        """Return the expression of a value's parity bit."""
        if value in self.known:
            return self.known[value]
        number = _value(value)
        if number is not None:
            return f"1'b{1 - number.bit_count() % 2}"
        return f"~^{value}" if re.fullmatch(r"\w+", value) else f"~^({value})"

    # ---- scopes ---------------------------------------------------------------------------------

    def instance(self, node: Any) -> list[str]:
        """Take the guarded module; return its fault."""
        kind = node.type.valueText
        if kind in self.plain or kind.startswith("aesforge_"):  # no register, or no such module
            return []
        if kind not in self.guarded:
            raise ParityFault(f"is {kind} `guarded`, or `plain`, without a register?")
        self.inside.add(kind)
        (instance,) = node.instances
        name, blanks = self.part(), self.indent(node)
        start, end = node.sourceRange.start.offset, node.type.range.end.offset
        self.edits.append((start, start, f"logic {name};\n{blanks}"))
        self.edits.append((end, end, "_guarded"))
        port = instance.openParen.range.end.offset
        put = f"\n{blanks}  .wrong_o({name})," if self.text[port] == "\n" else f".wrong_o({name}), "
        self.edits.append((port, port, put))
        return [name]

    def loop(self, node: Any, genvars: Sequence[str]) -> list[str]:
        """A `for` of copies: a bit for each."""
        counter = node.identifier.valueText
        stop = self.of(node.stopExpr)
        match = re.fullmatch(rf"{counter} (<=?) (.*)", stop)
        if match is None or self.of(node.initialExpr) != "0":
            raise ParityFault(f"a loop from {self.of(node.initialExpr)} while {stop}")
        terms = self.scope(node.block.members, [*genvars, counter])
        if not terms:
            return []
        name = self.part()
        top = match[2] if match[1] == "<=" else _less_one(match[2])
        start = node.sourceRange.start.offset
        self.edits.append((start, start, f"logic [{top}:0] {name};\n{self.indent(node)}"))
        self.close(node.block, f"{name}[{counter}]", terms, self.indent(node))
        return [name]

    def choice(self, node: Any, genvars: Sequence[str]) -> list[str]:
        """An `if` of circuits: one bit, whichever is there."""
        branches, last, blanks = [], node, self.indent(node)
        while True:
            branches.append(last.block)
            if last.elseClause is None:
                break
            clause = last.elseClause.clause
            if clause.kind == self.kinds.IfGenerate:
                last = clause
                continue
            branches.append(clause)
            break
        terms = [
            [] if self.refuse(each) else self.scope(each.members, genvars) for each in branches
        ]
        if not any(terms):
            return []
        name = self.part()
        start, end = node.sourceRange.start.offset, node.sourceRange.end.offset
        self.edits.append((start, start, f"logic {name};\n{blanks}"))
        for branch, each in zip(branches, terms, strict=True):
            self.close(branch, name, each, blanks)
        if last.elseClause is None:
            put = f" else begin : gen_{name}\n{blanks}  assign {name} = 1'b0;\n{blanks}end"
            self.edits.append((end, end, put))
        return [name]

    def refuse(self, block: Any) -> bool:
        """Put an unknown module in the place of a circuit that has no form with parity."""
        name = block.beginName.name.valueText
        if name not in self.refused:
            return False
        self.refused.remove(name)
        start, end = block.beginName.sourceRange.end.offset, block.end.location.offset
        blanks = self.text[self.text.rfind("\n", 0, end) : end]
        self.edits.append((start, end, f"{blanks}  aesforge_unknown_impl u_unknown ();{blanks}"))
        return True

    def close(self, block: Any, name: str, terms: Sequence[str], blanks: str) -> None:
        """Say at the end of a block what a name is there."""
        at = self.text.rfind("\n", 0, block.end.location.offset) + 1
        self.edits.append((at, at, f"{_sum(name, terms, f'{blanks}  ')}\n"))

    def scope(self, members: Any, genvars: Sequence[str]) -> list[str]:
        """Return what is high with a fault in a module or in a block of it."""
        terms: list[str] = []
        for node in members:
            match node.kind:
                case self.kinds.AlwaysFFBlock:
                    terms += self.block(node, genvars)
                case self.kinds.HierarchyInstantiation:
                    terms += self.instance(node)
                case self.kinds.LoopGenerate:
                    terms += self.loop(node, genvars)
                case self.kinds.IfGenerate:
                    terms += self.choice(node, genvars)
                case self.kinds.GenerateRegion | self.kinds.CaseGenerate | self.kinds.AlwaysBlock:
                    raise ParityFault(f"{node.kind.name} is not read")
        return terms

    def written(self) -> str:
        """Return the module with parity."""
        terms = self.scope(self.module.members, [])
        terms += [f"~^{{{register}, {bit}}}" for register, bit in self.own.items()]
        end = self.module.endmodule.range.start.offset
        self.edits.append((end, end, f"\n{_sum('wrong_o', terms, '  ')}\n"))
        name = self.module.header.name.range.end.offset
        self.edits.append((name, name, "_guarded"))
        ports = {
            each.declarator.name.valueText: each
            for each in self.module.header.ports.ports
            if hasattr(each, "declarator")
        }
        port = self.of(ports.get("rst_ni", ports["clk_i"]))
        port_of_it = re.sub(r"input (.*) \w+", r"output\1 wrong_o", port)
        end = self.text.index(port) + len(port)
        self.edits.append((end, end, f",\n  {port_of_it}"))
        text = self.text
        for start, stop, put in sorted(self.edits, key=lambda each: each[0], reverse=True):
            text = text[:start] + put + text[stop:]
        return text


def _sum(name: str, terms: Sequence[str], blanks: str) -> str:
    """Return the assignment of a sum of terms."""
    if len(terms) < 2:
        (term,) = terms or ("1'b0",)
        return f"{blanks}assign {name} = {term};"
    lines, line = [], f"{blanks}assign {name} = |{{"
    for term in (*(f"{each}," for each in terms[:-1]), f"{terms[-1]}}};"):
        if len(line) + len(term) + 1 > WIDTH:
            lines.append(line)
            line = f"{blanks}  "
        line += term if line.endswith(("{", "  ")) else f" {term}"
    return "\n".join([*lines, line])


def with_parity(
    text: str,
    guarded: Sequence[str] = (),
    plain: Sequence[str] = (),
    replace: Sequence[tuple[str, str]] = (),
    known: Mapping[str, str] | None = None,
    refused: Sequence[str] = (),
    own: Mapping[str, str] | None = None,
) -> str:
    """Return a module with parity, from `module` to `endmodule`, under the name NAME_guarded.

    `guarded` names modules inside it that have such a form, `plain` those without a register,
    `replace` texts that are exactly once in it and what stands in their place, `known` values whose
    parity is known otherwise, `refused` blocks of generate conditions that this form does not
    offer, `own` registers whose parity bit is written in `replace`, with its name.

    Errors: ParityFault for a text that is not there once, and for what this cannot read.
    """
    text = _FORMAL.sub("", text[text.index("\nmodule ") + 1 :])
    if taken := re.search(r"\b\w+_p\b", text):
        raise ParityFault(f"{taken[0]} is like the name of a parity bit")
    for old, new in replace:
        if text.count(old) != 1:
            raise ParityFault(f"{text.count(old)} times in the module: {old}")
        text = text.replace(old, new)
    module = _Module(text, guarded, plain, known or {}, refused, own or {})
    written = module.written()
    if module.refused:
        raise ParityFault(f"no block {' or '.join(module.refused)}")
    if unused := sorted(set(guarded) - module.inside):
        raise ParityFault(f"no module inside is {' or '.join(unused)}")
    return written.rstrip("\n")
