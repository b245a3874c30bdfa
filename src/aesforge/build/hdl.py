# SPDX-License-Identifier: Apache-2.0
"""What a tool reads of SystemVerilog: preprocessed tokens of the modules that a top module uses.

Comments, blanks, line breaks, file names and the order of files do not count. Macros, parameters
and comments that are commands to a tool do. slang is the preprocessor.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from aesforge.base import proc
from aesforge.base.errors import ToolError

# Macros that the readers define themselves, as far as RTL can ask for them.
VERILATOR = ("VERILATOR=1", "SYSTEMVERILOG=1", "verilator=1", "verilator3=1")
YOSYS = ("YOSYS=1", "SYNTHESIS=1")
YOSYS_FORMAL = ("YOSYS=1", "FORMAL=1")

_UNIT = "$unit"  # text outside of modules and packages

# A macro that a text asks about or expands; what it defines; settings of the compiler in force.
_ASKS = re.compile(r"`\s*(?:(?:ifn?def|elsif)\s+)?([A-Za-z_]\w*)")
_DEFINES = re.compile(r"`(?:define|undef)\s+([A-Za-z_]\w*)")
_SETTINGS = re.compile(
    r"^[ \t]*`(?:default_nettype|timescale|unconnected_drive|nounconnected_drive|celldefine"
    r"|endcelldefine|resetall|pragma|undefineall)\b[^\n/]*",
    re.MULTILINE,
)
_INCLUDE = re.compile(r"`include\b")
_HEADERS = (".sv", ".svh", ".v", ".vh")

_TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<token>
      "(?:\\.|[^"\\])*"
    | \\\S+
    | [A-Za-z_$`][\w$]*
    | [0-9][\w.]*(?:(?<=[eE])[+-][0-9]+)?
    | '[sS]?[bodhBODH](?=[\s0-9a-fA-FxXzZ?_])
    | <<<=|>>>=|\|->|\|=>|<->|<<<|>>>|===|!==|==\?|!=\?|<<=|>>=|->>
    | \+:|-:|\+\+|--|\*\*|->|=>|\*>|&&&|&&|\|\||~&|~\||~\^|\^~|<<|>>|<=|>=|==|!=
    | \+=|-=|\*=|/=|%=|&=|\|=|\^=|::|:=|:/|\#\#|\#-\#|\#=\#|\(\*|\*\)|'\{|@@
    | \S
    )""",
    re.VERBOSE | re.DOTALL,
)
# A comment that tools obey; what silences lint changes no result.
_COMMAND = re.compile(r"(?:verilator(?!\s+lint_)|synopsys|synthesis|yosys|pragma|cadence)\b")

_ENDS = {
    **{"module": "endmodule", "macromodule": "endmodule", "interface": "endinterface"},
    **{"package": "endpackage", "program": "endprogram", "primitive": "endprimitive"},
}


@dataclass(frozen=True)
class _Element:
    """A module or package: the digest of its tokens, and every name that they mention."""

    name: str
    sha256: str
    words: frozenset[str]


def digest(
    files: Iterable[Path],
    top: str,
    defines: Iterable[str] = (),
    includes: Iterable[Path] = (),
    texts: Mapping[Path, str] | None = None,
) -> str:
    """Return the SHA-256 of what a tool reads of `files` to build `top`.

    `defines` are macros in effect (NAME or NAME=VALUE), `includes` folders of headers; `texts`
    takes the place of files' contents. ToolError names a file or a top module that is missing.
    """
    replaced = texts or {}
    sources = tuple(replaced[path] if path in replaced else _text(path) for path in files)
    found = _elements(sources, tuple(dict.fromkeys(defines)), tuple(includes))
    named: dict[str, list[_Element]] = {}
    for element in found:
        named.setdefault(element.name, []).append(element)
    if top not in named:
        raise ToolError(f"no module '{top}' in the RTL that is to be hashed")
    used: set[str] = set()
    left = {top, _UNIT} & named.keys()
    while left:
        name = left.pop()
        used.add(name)
        for element in named[name]:
            left |= (element.words & named.keys()) - used
    return proc.digest(top, *sorted(f"{e.name} {e.sha256}" for n in used for e in named[n]))


@dataclass(frozen=True)
class Module:
    """A module, interface or package: what it instantiates, and packages that its file names.

    Each needed name comes with the line that mentions it first.
    """

    name: str
    parts: tuple[tuple[str, int], ...]
    packages: tuple[tuple[str, int], ...]


@lru_cache(maxsize=4096)
def modules(text: str, defines: tuple[str, ...] = ()) -> tuple[Module, ...]:
    """Return what a source declares; instances in every branch of a generate condition count."""
    import pyslang  # as below
    from pyslang import parsing, syntax

    manager = pyslang.SourceManager()
    options = parsing.PreprocessorOptions()
    options.predefines = list(defines)
    tree = syntax.SyntaxTree.fromBuffer(
        manager.assignText("source", text), manager, pyslang.Bag([options])
    )
    kinds = syntax.SyntaxKind
    packages: dict[str, int] = {}
    found: list[tuple[str, dict[str, int]]] = []

    def visit(node: Any) -> None:
        match getattr(node, "kind", None):
            case kinds.ModuleDeclaration | kinds.InterfaceDeclaration | kinds.PackageDeclaration:
                found.append((node.header.name.valueText, {}))
            # Without an instance name it is slang's guess at text that it could not read: names
            # that newer editions reserve, in properties that only Yosys reads.
            case kinds.HierarchyInstantiation if found and node.instances[0].decl is not None:
                line = manager.getLineNumber(manager.getFullyExpandedLoc(node.type.location))
                found[-1][1].setdefault(node.type.valueText, line)
            case kinds.PackageImportItem:
                line = manager.getLineNumber(node.package.location)
                packages.setdefault(node.package.valueText, line)
            case kinds.ScopedName if node.separator.valueText == "::":
                left = node.left
                if left.kind == kinds.IdentifierName:  # no $unit::, no class with parameters
                    token = left.identifier
                    packages.setdefault(token.valueText, manager.getLineNumber(token.location))

    tree.root.visit(visit)
    if any(each.isError() for each in tree.diagnostics):
        # slang did not understand something: then every module may need what any of them needs.
        every = {name: line for _, parts in found for name, line in parts.items()}
        found = [(name, every) for name, _ in found]
    named = tuple(packages.items())
    return tuple(Module(name, tuple(parts.items()), named) for name, parts in found)


def tokens(text: str) -> list[str]:
    """Return the tokens of preprocessed SystemVerilog, comments only where they are commands."""
    found: list[str] = []
    for match in _TOKEN.finditer(text):
        if comment := match["comment"]:
            words = comment.strip("/*").split()
            if _COMMAND.match(" ".join(words)):
                found.append(" ".join(["//", *words]))
        else:
            found.append(match["token"])
    return found


def _text(path: Path) -> str:
    """Read a source; its absence is an error, never an empty part of a hash."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ToolError(f"cannot read {path}, an input of the hash: {error}") from error


def _elements(
    sources: Sequence[str], defines: tuple[str, ...], includes: tuple[Path, ...]
) -> list[_Element]:
    """Return the modules and packages of sources in compile order.

    A file is read alone unless an earlier one defines a macro that it asks for.
    """
    headers = _headers(includes) if any(map(_INCLUDE.search, sources)) else ()
    changed: set[str] = set()
    first, last = len(sources), 0
    for at, text in enumerate(sources):
        asks = set(_ASKS.findall(text))
        fetched = headers if _INCLUDE.search(text) else ()
        if changed & asks.union(*map(_ASKS.findall, fetched)):
            last = at + 1
        defined = set(_DEFINES.findall(text)).union(*map(_DEFINES.findall, fetched))
        if defined and first == len(sources):
            first = at
        changed |= defined
    groups = [[text] for text in sources]
    if first < last:
        groups[first:last] = [["\n".join(sources[first:last])]]
    found: list[_Element] = []
    for (text,) in groups:
        fetched = headers if _INCLUDE.search(text) else ()
        asks = set(_ASKS.findall(text)).union(*map(_ASKS.findall, fetched))
        asked = tuple(sorted(word for word in defines if word.partition("=")[0] in asks))
        found += _read(text, asked, includes if fetched else (), proc.digest(*fetched))
    return found


def _headers(includes: Iterable[Path]) -> tuple[str, ...]:
    """Return the texts that an `include may fetch."""
    paths = [path for folder in includes for path in sorted(folder.rglob("*"))]
    return tuple(_text(path) for path in paths if path.suffix in _HEADERS)


@lru_cache(maxsize=2048)
def _read(
    text: str, defines: tuple[str, ...], includes: tuple[Path, ...], _headers_sha256: str
) -> tuple[_Element, ...]:
    """Preprocess a text and cut it into modules and packages."""
    import pyslang  # takes a seventh of a second, which commands that show records do not need
    from pyslang import parsing, syntax

    manager = pyslang.SourceManager()
    options = parsing.PreprocessorOptions()
    options.predefines = list(defines)
    options.additionalIncludePaths = list(includes)
    bag = pyslang.Bag([options])
    tree = syntax.SyntaxTree.fromBuffer(manager.assignText("source", text), manager, bag)
    printer = syntax.SyntaxPrinter(manager)
    printer.setExpandMacros(True)
    printer.setExpandIncludes(True)
    printer.setIncludeDirectives(False)
    printer.setIncludeSkipped(True)
    printer.setIncludeTrivia(True)
    printer.setIncludeComments(True)
    found, outside = _cut(tokens(printer.print(tree).str()))
    outside += [" ".join(setting.split()) for setting in _SETTINGS.findall(text)]
    for each in tree.diagnostics:
        if "CouldNotOpenIncludeFile" in str(each.code):
            raise ToolError(f"an `include is missing: {', '.join(map(str, each.args))}")
    if any(each.isError() for each in tree.diagnostics):
        # slang left something out: then everything that is written counts.
        outside += tokens(text)
    return (*found, *([_element(_UNIT, outside)] if outside else []))


def _cut(found: Sequence[str]) -> tuple[list[_Element], list[str]]:
    """Cut tokens into modules and packages; return these and the text outside of them."""
    elements: list[_Element] = []
    outside: list[str] = []
    at = 0
    while at < len(found):
        end = _ENDS.get(found[at])
        if end is None or found[at + 1 : at + 2] == ["class"]:
            outside.append(found[at])
            at += 1
            continue
        stop = _stop(found, at, found[at], end)
        begin = _attributes(outside)
        own = [*outside[begin:], *found[at:stop]]
        del outside[begin:]
        names = [word for word in found[at + 1 : at + 3] if word not in ("automatic", "static")]
        elements.append(_element(names[0].lstrip("\\") if names else "", own))
        at = stop
        if found[at : at + 1] == [":"]:  # endmodule : name
            at += 2
    return elements, outside


def _stop(found: Sequence[str], start: int, begin: str, end: str) -> int:
    """Return the place after the end of an element that begins at `start`; elements may nest."""
    depth = 0
    for at in range(start, len(found)):
        # `virtual interface` and `interface` ports declare nothing.
        if found[at] == begin and (at == start or begin != "interface"):
            depth += 1
        elif found[at] == end:
            depth -= 1
            if depth == 0:
                return at + 1
    return len(found)


def _attributes(outside: Sequence[str]) -> int:
    """Return where attributes begin that end a token list: they belong to what follows."""
    begin = len(outside)
    while begin and outside[begin - 1] == "*)":
        at = begin - 1
        while at and outside[at] != "(*":
            at -= 1
        begin = at
    return begin


def _element(name: str, own: Sequence[str]) -> _Element:
    """Digest the tokens of an element."""
    words = frozenset(word.lstrip("\\") for word in own if word[0].isalpha() or word[0] in "_\\")
    return _Element(name, proc.digest(*own), words)
