# SPDX-License-Identifier: Apache-2.0
"""Which text of which files a design holds: slang elaborates it, and branches that it leaves out
of generate conditions, or loops without a turn, are no part of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from aesforge.base.errors import ToolError

Params = tuple[tuple[str, str | int], ...]
Span = tuple[int, int]


@dataclass(frozen=True)
class Design:
    """Files in compile order, the top, its parameters, and macros (NAME or NAME=VALUE)."""

    files: tuple[Path, ...]
    top: str
    params: Params = ()
    defines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Held:
    """What a design holds: by file the spans of modules, each without spans that are left out."""

    spans: Mapping[Path, frozenset[tuple[Span, tuple[Span, ...]]]]

    def holds(self, path: Path, at: int) -> bool:
        """Tell whether the byte `at` of a file is part of the design."""
        return any(
            begin <= at < end and not any(first <= at < last for first, last in out)
            for (begin, end), out in self.spans.get(path, ())
        )


@lru_cache(maxsize=1024)
def held(design: Design) -> Held:
    """Elaborate a design; ToolError if it has no such top.

    Text that slang does not understand (properties that only Yosys reads) is taken as held.
    """
    import pyslang  # takes a seventh of a second, which other commands do not need
    from pyslang import ast, parsing, syntax

    manager = pyslang.SourceManager()
    reading = parsing.PreprocessorOptions()
    reading.predefines = list(design.defines)
    asked = ast.CompilationOptions()
    asked.topModules = {design.top}
    asked.paramOverrides = [
        f"{name}=" + (f'"{value}"' if isinstance(value, str) else str(value))
        for name, value in design.params
    ]
    found = ast.Compilation(pyslang.Bag([asked]))
    paths: dict[str, Path] = {}
    for path in design.files:
        tree = syntax.SyntaxTree.fromFile(str(path), manager, pyslang.Bag([reading]))
        paths[str(manager.getFullPath(tree.root.sourceRange.start.buffer))] = path
        found.addSyntaxTree(tree)
    root = found.getRoot()
    tops = list(root.topInstances)
    if [top.name for top in tops] != [design.top]:
        raise ToolError(f"no module '{design.top}' in the RTL that is to be elaborated")
    spans: dict[Path, set[tuple[Span, tuple[Span, ...]]]] = {}

    def note(node: Any, out: Sequence[Span]) -> None:
        begin, end = node.sourceRange.start, node.sourceRange.end
        path = paths[str(manager.getFullPath(begin.buffer))]
        spans.setdefault(path, set()).add(((begin.offset, end.offset), tuple(sorted(out))))

    def left_out(scope: Any, inner: list[Any]) -> list[Span]:
        """Return the spans that an instance leaves out; collect the instances in it."""
        out: list[Span] = []
        for member in scope:
            kind = member.kind
            if kind == ast.SymbolKind.Instance:
                inner.append(member)
            elif kind == ast.SymbolKind.InstanceArray:
                inner += [one for one in member if one.kind == ast.SymbolKind.Instance]
            elif kind == ast.SymbolKind.GenerateBlock:
                if member.isUninstantiated:
                    range_ = member.syntax.sourceRange
                    out.append((range_.start.offset, range_.end.offset))
                else:
                    out += left_out(member, inner)
            elif kind == ast.SymbolKind.GenerateBlockArray:
                blocks = [one for one in member if one.kind == ast.SymbolKind.GenerateBlock]
                turns = [left_out(one, inner) for one in blocks if not one.isUninstantiated]
                if not turns:
                    range_ = member.syntax.block.sourceRange
                    out.append((range_.start.offset, range_.end.offset))
                # A span counts as left out only if every turn leaves it out.
                if turns:
                    out += [span for span in turns[0] if all(span in one for one in turns)]
        return out

    queue = tops
    while queue:
        instance = queue.pop()
        inner: list[Any] = []
        out = left_out(instance.body, inner)
        note(instance.definition.syntax, out)
        queue += inner
    for tree in found.getSyntaxTrees():
        for node in _packages(tree.root, syntax):
            note(node, ())
    return Held({path: frozenset(one) for path, one in spans.items()})


def _packages(root: Any, syntax: Any) -> list[Any]:
    """Return the packages of a file."""
    members = root.members if root.kind == syntax.SyntaxKind.CompilationUnit else [root]
    return [node for node in members if node.kind == syntax.SyntaxKind.PackageDeclaration]
