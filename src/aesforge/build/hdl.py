# SPDX-License-Identifier: Apache-2.0
"""What a tool reads of SystemVerilog: preprocessed tokens of the modules that a top module uses.

Comments, blanks, line breaks, file names and the order of files do not count, nor do names that a
design declares for itself. Macros, values of parameters and comments that are commands to a tool
do. slang is the preprocessor, and says what declares a name.
"""

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from aesforge.base import files as whole
from aesforge.base import proc
from aesforge.base.errors import ToolError
from aesforge.base.paths import BUILD

# Macros that the readers define themselves, as far as RTL can ask for them.
VERILATOR = ("VERILATOR=1", "SYSTEMVERILOG=1", "verilator=1", "verilator3=1")
YOSYS = ("YOSYS=1", "SYNTHESIS=1")
YOSYS_FORMAL = ("YOSYS=1", "FORMAL=1")

_UNIT = "$unit"  # text outside of modules and packages
_NAME = re.compile(r"[A-Za-z_][\w$]*\Z")

# A macro that a text asks about or expands; what it defines; settings of the compiler in force.
_ASKS = re.compile(r"`\s*(?:(?:ifn?def|elsif)\s+)?([A-Za-z_]\w*)")
_DEFINES = re.compile(r"`(?:define|undef)\s+([A-Za-z_]\w*)")
_SETTINGS = re.compile(
    r"^[ \t]*`(?:default_nettype|timescale|unconnected_drive|nounconnected_drive|celldefine"
    r"|endcelldefine|resetall|pragma|undefineall)\b[^\n/]*",
    re.MULTILINE,
)
_INCLUDE = re.compile(r"`include\b")
_SHA256 = re.compile(r"[0-9a-f]{64}")
# Reserved in SystemVerilog, but names to Yosys.
_RESERVED = "before|expect|inside|matches|within"
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
    """A module or package: its tokens, and what slang says of the names among them."""

    name: str
    tokens: tuple[str, ...]
    words: frozenset[str]  # every name in it
    declared: frozenset[str] = frozenset()  # names of its own that may be numbered
    fixed: frozenset[str] = frozenset()  # names that keep their text, in every element
    ports: tuple[str, ...] = ()
    params: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()  # packages of `import name::*`
    # By the place of a token: the element that a name belongs to, or what `.*` connects to and
    # which of its ports have connections of their own.
    owners: Mapping[int, str] = field(default_factory=dict)
    short: frozenset[int] = frozenset()  # `.name` for `.name(name)`
    stars: Mapping[int, tuple[str, frozenset[str]]] = field(default_factory=dict)


def digest(
    files: Iterable[Path],
    top: str,
    defines: Iterable[str] = (),
    includes: Iterable[Path] = (),
    texts: Mapping[Path, str] | None = None,
    params: Sequence[str] = (),
) -> str:
    """Return the SHA-256 of what a tool reads of `files` to build `top`.

    `defines` are macros in effect (NAME or NAME=VALUE), `includes` folders of headers; `texts`
    takes the place of files' contents. `params` are parameters of `top` that get values from
    outside, in the order of these. ToolError names a file, a top module or a parameter that is
    missing.
    """
    replaced = texts or {}
    sources = tuple(replaced[path] if path in replaced else _text(path) for path in files)
    folders = tuple(includes)
    headers = _headers(folders) if any(map(_INCLUDE.search, sources)) else ()
    return _digest(sources, top, tuple(dict.fromkeys(defines)), folders, headers, tuple(params))


@lru_cache(maxsize=64)
def _digest(
    sources: tuple[str, ...],
    top: str,
    defines: tuple[str, ...],
    includes: tuple[Path, ...],
    headers: tuple[str, ...],
    params: tuple[str, ...],
) -> str:
    """Return what `digest` does; several questions are asked of one system.

    Reading a system takes a fifth of a second, so what it gives is kept in build/digests.
    """
    key = proc.digest(
        *(_reader(), top),
        *("\0".join(part) for part in (sources, defines, headers, params)),
        "\0".join(map(str, includes)),
    )
    place = BUILD / "digests" / key
    with contextlib.suppress(OSError):
        if _SHA256.fullmatch(kept := place.read_text(encoding="ascii", errors="replace")):
            return kept
    made = _made(sources, top, defines, includes, headers, params)
    place.parent.mkdir(parents=True, exist_ok=True)
    whole.write_text(place, made)
    return made


@lru_cache(maxsize=1)
def _reader() -> str:
    """Return the hash of what reads: this module and slang."""
    return proc.digest(metadata.version("pyslang"), Path(__file__))


def _made(
    sources: tuple[str, ...],
    top: str,
    defines: tuple[str, ...],
    includes: tuple[Path, ...],
    headers: tuple[str, ...],
    params: tuple[str, ...],
) -> str:
    """Read a system and hash it."""
    found = _elements(sources, defines, includes, headers)
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
    return proc.digest(top, *_Numbered([e for n in used for e in named[n]]).parts(top, params))


class _Numbered:
    """A design with numbers in place of names: the same for designs that differ in names only.

    A name gets a number in the module or package that declares it, by the order in which names
    occur there. Where another module uses it (a connection, `package::name`, an import), it has
    the number of its owner. All other names keep their text: those of modules and packages, of
    cells, members of structures, paths into instances, and what slang cannot tell the owner of.
    A name that keeps its text in one place does so everywhere, else two designs could agree
    where it means two things.
    """

    def __init__(self, elements: Sequence[_Element]) -> None:
        self.elements = sorted(elements, key=lambda e: (e.name, e.tokens))
        self.by_name = {element.name: element for element in self.elements}
        self.fixed = set(self.by_name)
        if len(self.by_name) < len(self.elements):  # two of one name: no owner is certain
            self.fixed.update(*(element.words for element in self.elements))
        for element in self.elements:
            self._fix(element)
        self.numbers: dict[str, dict[str, int]] = {}
        for element in self.elements:
            own: dict[str, int] = {}
            for at, word in enumerate(element.tokens):
                if at not in element.owners and word in element.declared - self.fixed:
                    own.setdefault(word, len(own))
            self.numbers[element.name] = own

    def parts(self, top: str, params: Sequence[str]) -> list[str]:
        """Return what is hashed: all tokens, and what the top module shows to the outside."""
        parts: list[str] = []
        for element in self.elements:
            found = self._tokens(element)
            parts.append(f"{element.name} {proc.digest(*found)}")
        element = self.by_name[top]
        parts += [f"port {port} {self._of(top, port)}" for port in element.ports]
        for name in params:
            if name not in element.params:
                raise ToolError(f"module '{top}' has no parameter '{name}'")
            parts.append(f"parameter {self._of(top, name)}")
        return parts

    def _fix(self, element: _Element) -> None:
        """Collect the names of an element that keep their text."""
        self.fixed |= element.fixed
        if element.name == _UNIT:
            # What it imports is known in every module: no name of it is certain to be a module's.
            self.fixed |= element.words
            for word in element.words & self.by_name.keys():
                self.fixed |= self.by_name[word].words
        for name in element.imports & self.by_name.keys():
            self.fixed |= element.declared & self.by_name[name].words
        for at, word in enumerate(element.tokens):
            if (owner := element.owners.get(at)) is not None:
                if not self._owns(owner, word):
                    self.fixed.add(word)
                if at not in element.short:
                    continue
            if word in element.words and word not in element.declared:
                self._fix_unless_imported(element, word)
        for owner, given in element.stars.values():
            if owner in self.by_name:
                for port in set(self.by_name[owner].ports) - given - element.declared:
                    self._fix_unless_imported(element, port)
            else:
                self.fixed |= element.words

    def _fix_unless_imported(self, element: _Element, word: str) -> None:
        imported = [name for name in element.imports if self._owns(name, word)]
        if len(imported) != 1:
            self.fixed.add(word)

    def _owns(self, owner: str, word: str) -> bool:
        return owner in self.by_name and word in self.by_name[owner].declared

    def _of(self, owner: str, word: str) -> str:
        """Return what stands for a name of `owner`."""
        number = self.numbers.get(owner, {}).get(word)
        return word if number is None else f"\0{owner} {number}"

    def _local(self, element: _Element, word: str) -> str:
        """Return what stands for a name as it is used in an element."""
        if word in self.fixed or word not in element.words:
            return word
        if word in element.declared:
            return self._of(element.name, word)
        (owner,) = (name for name in element.imports if self._owns(name, word))
        return self._of(owner, word)

    def _tokens(self, element: _Element) -> list[str]:
        """Return the tokens of an element; short connections are written out."""
        found: list[str] = []
        for at, word in enumerate(element.tokens):
            if at in element.stars:
                owner, given = element.stars[at]
                if owner in self.by_name:
                    found.pop()  # the dot
                    written: list[str] = []
                    for port in self.by_name[owner].ports:
                        if port not in given:
                            local = self._star(element, port)
                            written += [",", ".", self._of(owner, port), "(", local, ")"]
                    found += written[1:]
                    continue
            if (known := element.owners.get(at)) is None:
                found.append(self._local(element, word))
                continue
            found.append(self._of(known, word))
            if at in element.short:
                found += ["(", self._local(element, word), ")"]
        return found

    def _star(self, element: _Element, port: str) -> str:
        """Return what stands for the name that `.*` connects to a port."""
        if port in element.words:
            return self._local(element, port)
        return port


@dataclass(frozen=True)
class Module:
    """A module, interface or package: what it instantiates, and packages that its file names.

    Each needed name comes with the line that mentions it first.
    """

    name: str
    parts: tuple[tuple[str, int], ...]
    packages: tuple[tuple[str, int], ...]
    params: frozenset[str] = frozenset()  # of its header


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
    params: dict[str, set[str]] = {}

    def visit(node: Any) -> None:
        match getattr(node, "kind", None):
            case kinds.ModuleDeclaration | kinds.InterfaceDeclaration | kinds.PackageDeclaration:
                found.append((node.header.name.valueText, {}))
            case kinds.ParameterPortList if found:
                for declaration in node.declarations:
                    for each in getattr(declaration, "declarators", ()):
                        if each.kind == kinds.Declarator:
                            params.setdefault(found[-1][0], set()).add(each.name.valueText)
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
    return tuple(
        Module(name, tuple(parts.items()), named, frozenset(params.get(name, ())))
        for name, parts in found
    )


def tokens(text: str) -> list[str]:
    """Return the tokens of preprocessed SystemVerilog, comments only where they are commands."""
    return [word for word, _ in placed(text)]


def placed(text: str) -> list[tuple[str, int]]:
    """Return tokens with the places where they begin."""
    found: list[tuple[str, int]] = []
    for match in _TOKEN.finditer(text):
        if comment := match["comment"]:
            words = comment.strip("/*").split()
            if _COMMAND.match(" ".join(words)):
                found.append((" ".join(["//", *words]), match.start()))
        else:
            found.append((match["token"], match.start()))
    return found


def _text(path: Path) -> str:
    """Read a source; its absence is an error, never an empty part of a hash."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ToolError(f"cannot read {path}, an input of the hash: {error}") from error


def _elements(
    sources: Sequence[str],
    defines: tuple[str, ...],
    includes: tuple[Path, ...],
    headers: tuple[str, ...],
) -> list[_Element]:
    """Return the modules and packages of sources in compile order.

    A file is read alone unless an earlier one defines a macro that it asks for.
    """
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

    options = parsing.PreprocessorOptions()
    options.predefines = list(defines)
    options.additionalIncludePaths = list(includes)
    bag = pyslang.Bag([options])

    def parse(text: str) -> tuple[pyslang.SourceManager, syntax.SyntaxTree, bool]:
        manager = pyslang.SourceManager()
        tree = syntax.SyntaxTree.fromBuffer(manager.assignText("source", text), manager, bag)
        return manager, tree, any(each.isError() for each in tree.diagnostics)

    manager, tree, errors = parse(text)
    if errors and (other := _unreserved(text)) is not None:
        renamed = parse(other)
        if not renamed[2]:
            text, (manager, tree, errors) = other, renamed
    printer = syntax.SyntaxPrinter(manager)
    printer.setExpandMacros(True)
    printer.setExpandIncludes(True)
    printer.setIncludeDirectives(False)
    printer.setIncludeSkipped(True)
    printer.setIncludeTrivia(True)
    printer.setIncludeComments(True)
    printed = printer.print(tree).str()
    located = placed(printed)
    words = [word for word, _ in located]
    cut, rest = _cut(words)
    outside = [words[at] for at in rest]
    outside += [" ".join(setting.split()) for setting in _SETTINGS.findall(text)]
    for each in tree.diagnostics:
        if "CouldNotOpenIncludeFile" in str(each.code):
            raise ToolError(f"an `include is missing: {', '.join(map(str, each.args))}")
    facts: _Facts | None = None
    if errors:
        # slang left something out: then everything that is written counts.
        outside += tokens(text)
    else:
        facts = _facts(printed)
    found = [_element(name, [located[at] for at in own], facts) for name, own in cut]
    return (*found, *([_plain(_UNIT, outside)] if outside else []))


def _unreserved(text: str) -> str | None:
    """Rename names that Yosys takes and SystemVerilog reserves; None if a new name is in use."""
    if re.search(rf"\b(?:{_RESERVED})_name_\b", text):
        return None
    return re.sub(rf"\b({_RESERVED})\b", r"\1_name_", text)


@dataclass
class _Facts:
    """What slang says of a preprocessed text, by places of characters."""

    declared: set[int] = field(default_factory=set)
    ports: set[int] = field(default_factory=set)
    params: set[int] = field(default_factory=set)
    owners: dict[int, str] = field(default_factory=dict)
    short: set[int] = field(default_factory=set)
    stars: dict[int, tuple[str, frozenset[str]]] = field(default_factory=dict)
    imports: set[int] = field(default_factory=set)  # packages of `import name::*`
    outer: set[int] = field(default_factory=set)  # modules and packages
    fixed: set[int] = field(default_factory=set)  # members of structures
    odd: list[range] = field(default_factory=list)  # text whose names keep their text
    strange: set[int] = field(default_factory=set)  # what makes a whole element keep its names


def _facts(printed: str) -> "_Facts | None":
    """Ask slang which names a preprocessed text declares, and whose others are."""
    import pyslang  # as above
    from pyslang import parsing, syntax

    manager = pyslang.SourceManager()
    source = manager.assignText("source", printed)
    tree = syntax.SyntaxTree.fromBuffer(
        source, manager, pyslang.Bag([parsing.PreprocessorOptions()])
    )
    if any(each.isError() for each in tree.diagnostics):
        return None
    if not printed.isascii():  # places are of bytes there, of characters here
        return None
    kinds = syntax.SyntaxKind
    facts = _Facts()

    def at(token: Any) -> int:
        return int(token.location.offset)

    def instantiation(node: Any) -> None:
        kind = node.type.valueText
        if node.parameters is not None:
            for each in node.parameters.parameters:
                if each.kind == kinds.NamedParamAssignment:
                    facts.owners[at(each.name)] = kind
        for instance in node.instances:
            given: set[str] = set()
            stars: list[int] = []
            for each in instance.connections:
                if each.kind == kinds.NamedPortConnection:
                    place = at(each.name)
                    facts.owners[place] = kind
                    given.add(each.name.valueText)
                    if not each.openParen:
                        facts.short.add(place)
                elif each.kind == kinds.WildcardPortConnection:
                    stars.append(at(each.star) if hasattr(each, "star") else at(each.dot) + 1)
            for place in stars:
                facts.stars[place] = (kind, frozenset(given))

    def declarator(node: Any) -> None:
        name, parent = node.name, node.parent.kind
        place = at(name)
        if parent == kinds.StructUnionMember:
            facts.fixed.add(place)
            return
        facts.declared.add(place)
        if parent in (kinds.ImplicitAnsiPort, kinds.PortDeclaration):
            facts.ports.add(place)
        elif parent == kinds.ParameterDeclaration:
            facts.params.add(place)

    def visit(node: Any) -> None:
        match getattr(node, "kind", None):
            case kinds.ModuleDeclaration | kinds.PackageDeclaration:
                facts.outer.add(at(node.header.name))
            case kinds.HierarchyInstantiation:
                instantiation(node)
            case kinds.Declarator:
                declarator(node)
            case kinds.TypedefDeclaration | kinds.InstanceName | kinds.NamedBlockClause:
                facts.declared.add(at(node.name))
            case kinds.NamedLabel:
                facts.declared.add(at(node.name))
            case kinds.FunctionDeclaration | kinds.TaskDeclaration:
                if (name := node.prototype.name).kind == kinds.IdentifierName:
                    facts.declared.add(at(name.identifier))
            case kinds.GenvarDeclaration:
                for each in node.identifiers:
                    if each.kind == kinds.IdentifierName:
                        facts.declared.add(at(each.identifier))
            case kinds.LoopGenerate:
                facts.declared.add(at(node.identifier))
            case kinds.PackageImportItem:
                if node.item.valueText == "*":
                    facts.imports.add(at(node.package))
                else:
                    facts.odd.append(_range(node))
            case kinds.ScopedName if node.separator.valueText == "::":
                if node.left.kind == kinds.IdentifierName:
                    right = node.right.getFirstToken()
                    facts.owners[at(right)] = node.left.identifier.valueText
            case kinds.AttributeSpec:
                facts.fixed.add(at(node.name))
            case kinds.BindDirective | kinds.DPIExport | kinds.DPIImport | kinds.DefParam:
                facts.odd.append(_range(node))
            case (
                kinds.InterfaceDeclaration
                | kinds.ProgramDeclaration
                | kinds.ClassDeclaration
                | kinds.CheckerDeclaration
                | kinds.CovergroupDeclaration
                | kinds.UdpDeclaration
                | kinds.ConfigDeclaration
                | kinds.ExplicitAnsiPort
                | kinds.ExplicitNonAnsiPort
            ):
                facts.strange.add(at(node.getFirstToken()))

    tree.root.visit(visit)
    return facts


def _range(node: Any) -> range:
    """Return the places of a node's characters."""
    found = node.sourceRange
    return range(int(found.start.offset), int(found.end.offset))


def _cut(found: Sequence[str]) -> tuple[list[tuple[str, list[int]]], list[int]]:
    """Cut tokens into modules and packages; return places of these and of what is outside."""
    elements: list[tuple[str, list[int]]] = []
    outside: list[int] = []
    at = 0
    while at < len(found):
        end = _ENDS.get(found[at])
        if end is None or found[at + 1 : at + 2] == ["class"]:
            outside.append(at)
            at += 1
            continue
        stop = _stop(found, at, found[at], end)
        begin = _attributes([found[place] for place in outside])
        own = [*outside[begin:], *range(at, stop)]
        del outside[begin:]
        names = [word for word in found[at + 1 : at + 3] if word not in ("automatic", "static")]
        elements.append((names[0].lstrip("\\") if names else "", own))
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


def _names(own: Iterable[str]) -> frozenset[str]:
    """Return the names among tokens, keywords among them."""
    return frozenset(word.lstrip("\\") for word in own if word[0].isalpha() or word[0] in "_\\")


def _plain(name: str, own: Sequence[str]) -> _Element:
    """Return an element all of whose names keep their text."""
    words = _names(own)
    return _Element(name, tuple(own), words, fixed=words)


def _element(name: str, placed: Sequence[tuple[str, int]], facts: _Facts | None) -> _Element:
    """Return an element with what slang says of its names."""
    own = [word for word, _ in placed]
    if facts is None or not placed:
        return _plain(name, own)
    where = {place: at for at, (_, place) in enumerate(placed)}
    commands = any(word.startswith("//") and "public" in word for word in own)
    # Yosys reads `\\u_dut.state_q` as a path into an instance.
    paths = [word[1:] for word in own if word.startswith("\\")]
    escaped = any("." not in path for path in paths)
    if commands or escaped or facts.strange & where.keys() or len(facts.outer & where.keys()) != 1:
        return _plain(name, own)
    words = _names(own)
    owners = {where[place]: owner for place, owner in facts.owners.items() if place in where}
    fixed = {placed[where[place]][0] for place in facts.fixed & where.keys()}
    fixed.update(*(re.findall(r"\w+", path) for path in paths))
    for span in facts.odd:
        fixed |= {word for word, place in placed if place in span} & words
    fixed |= {
        word
        for at, word in enumerate(own)
        if at and own[at - 1] in (".", "::") and at not in owners and _NAME.match(word)
    }

    def told(found: Iterable[int]) -> list[str]:
        return [word for word, place in placed if place in found]

    return _Element(
        name,
        tuple(own),
        words,
        frozenset(told(facts.declared)),
        frozenset(fixed),
        tuple(dict.fromkeys(told(facts.ports))),
        frozenset(told(facts.params)),
        frozenset(told(facts.imports)),
        owners,
        frozenset(where[place] for place in facts.short if place in where),
        {where[place]: star for place, star in facts.stars.items() if place in where},
    )
