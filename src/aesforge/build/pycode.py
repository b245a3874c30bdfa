# SPDX-License-Identifier: Apache-2.0
"""Hash the code of this package that decides a result, found by following names.

From the functions that are given, every function, class and constant of the package that they
mention is followed, through imports, and so are the templates that they name. What counts is the
syntax tree: comments, docstrings, formatting, texts of errors and names of modules do not.
"""

import ast
import copy
import re
import symtable
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import ToolError
from aesforge.build import ctokens, hdl

PACKAGE = Path(__file__).parents[1]
_NAME = "aesforge"

# CPython 3.11 counts the depth of syntax trees for all threads together: two that parse at once
# may fail with "AST constructor recursion depth mismatch".
_PARSING = threading.RLock()

# They run programs, name places and tell what went wrong, whatever is asked: no result is theirs.
MACHINERY = ("base.proc", "base.paths", "base.errors")


@dataclass(frozen=True)
class Definition:
    """A function, class or constant of a module; `name` is empty for statements beside them."""

    module: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


@dataclass
class _Module:
    """A module's definitions, what its imports bind, and its other statements."""

    package: Path
    name: str
    nodes: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, Definition] = field(default_factory=dict)
    loose: list[ast.stmt] = field(default_factory=list)
    globals_: dict[str, set[str]] = field(default_factory=dict)  # that each definition reads


def digest(begin: Iterable[str], by_value: Iterable[str] = (), package: Path = PACKAGE) -> str:
    """Return the SHA-256 of the code that `begin` (MODULE.NAME) reaches.

    `by_value` names definitions or modules whose outcome is hashed by who asks: they are not
    followed, and neither is MACHINERY. ToolError names what is not there.
    """
    with _PARSING:
        return _digest(tuple(begin), (*MACHINERY, *by_value), package, _stamp(package))


def reached(
    begin: Iterable[str], by_value: Iterable[str] = (), package: Path = PACKAGE
) -> set[Definition]:
    """Return the definitions that `begin` reaches."""
    with _PARSING:
        return set(_reached(tuple(begin), (*MACHINERY, *by_value), package))


def plain(text: str) -> str:
    """Return the SHA-256 of a module outside of the package, whose imports are not followed."""
    with _PARSING:
        own = _Module(PACKAGE, "")
        imports = (ast.Import, ast.ImportFrom)
        body = [n for n in ast.parse(text).body if not _is_idle(n) and not isinstance(n, imports)]
        return proc.digest(*(_dump(_normal(own, node)) for node in body))


def _stamp(package: Path) -> tuple[tuple[str, int, int], ...]:
    """Tell an edited package from the one that was read before."""
    if package == PACKAGE:
        return ()  # it runs: an edit does not change it any more
    found = [(path, path.stat()) for path in sorted(package.rglob("*")) if path.is_file()]
    return tuple((str(path), stat.st_mtime_ns, stat.st_size) for path, stat in found)


@lru_cache(maxsize=64)
def _digest(
    begin: tuple[str, ...],
    stops: tuple[str, ...],
    package: Path,
    _version: tuple[tuple[str, int, int], ...],
) -> str:
    found = _reached(begin, stops, package)
    dumps = [proc.digest(*map(_dump, nodes)) for nodes in found.values()]
    templates = {name for nodes in found.values() for name in _templates(nodes)}
    dumps += [_template(package / "templates" / name) for name in templates]
    return proc.digest(*sorted(dumps))


def _reached(
    begin: Sequence[str], stops: Sequence[str], package: Path
) -> dict[Definition, list[ast.stmt]]:
    """Return definitions that are reached, each with its syntax without names of modules."""
    modules: dict[str, _Module] = {}

    def module(name: str) -> _Module:
        if name not in modules:
            modules[name] = _load(package, name)
        return modules[name]

    def resolve(wanted: Definition) -> Definition:
        """Follow a name to the module that defines it."""
        found = module(wanted.module)
        if not wanted.name or wanted.name in found.nodes:
            return wanted
        if wanted.name in found.imports:
            return resolve(found.imports[wanted.name])
        raise ToolError(f"{_NAME}.{wanted}, an input of the hash, does not exist")

    def named(text: str) -> Definition:
        if _file(package, text) is not None:
            return Definition(text)
        parent, _, name = text.rpartition(".")
        return resolve(Definition(parent, name))

    ends = {named(text) for text in stops}
    left = [named(text) for text in begin]
    found: dict[Definition, list[ast.stmt]] = {}
    while left:
        wanted = left.pop()
        if wanted in ends or Definition(wanted.module) in ends or wanted in found:
            continue
        own = module(wanted.module)
        if not wanted.name:
            # The whole module, where it is handed on as such, or run.
            found[wanted] = [_normal(own, node) for node in own.loose]
            left += [Definition(wanted.module, name) for name in own.nodes]
            left += list(_references(own, own.loose, None, resolve))
            continue
        nodes = own.nodes[wanted.name]
        left += list(_references(own, nodes, own.globals_.get(wanted.name), resolve))
        found[wanted] = [_normal(own, node) for node in nodes]
        beside = Definition(wanted.module, "\0")
        if own.loose and beside not in found:
            found[beside] = [_normal(own, node) for node in own.loose]
            left += list(_references(own, own.loose, None, resolve))
    return found


def _references(
    own: _Module, nodes: Sequence[ast.stmt], allowed: set[str] | None, resolve: object
) -> Iterator[Definition]:
    """Yield what statements of a module mention of the package."""
    assert callable(resolve)
    for node in nodes:
        bound = {**own.imports, **_inner_imports(node, own.package)}
        local = set(bound) - set(own.imports)
        handled: set[int] = set()
        for each in _walk(node):
            if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                target = bound.get(each.value.id)
                if target is None or target.name or not _visible(each.value.id, allowed, local):
                    continue
                handled.add(id(each.value))
                if not each.attr.startswith("__"):
                    yield resolve(Definition(target.module, each.attr))
            elif isinstance(each, ast.Name) and id(each) not in handled:
                if not _visible(each.id, allowed, local):
                    continue
                if each.id in own.nodes and each.id not in local:
                    yield Definition(own.name, each.id)
                elif each.id in bound:
                    yield resolve(bound[each.id])
            elif isinstance(each, ast.Constant) and (name := _named(each.value)):
                yield Definition(name)  # a module that another process runs


def _named(value: object) -> str:
    """Return the module of the package that a text names, or nothing."""
    found = re.fullmatch(rf"{_NAME}\.([a-z_][\w.]*)", value) if isinstance(value, str) else None
    return found[1] if found else ""


def _visible(name: str, allowed: set[str] | None, local: set[str]) -> bool:
    """Tell whether a name means what the module binds to it, and not a variable."""
    return allowed is None or name in allowed or name in local


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a tree, parents first, and what texts in annotations say."""
    for each in ast.walk(node):
        yield each
        for name in ("annotation", "returns"):
            told = getattr(each, name, None)
            for part in ast.walk(told) if told is not None else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    try:
                        yield from ast.walk(ast.parse(part.value, mode="eval"))
                    except SyntaxError:
                        continue


@lru_cache(maxsize=1024)
def _parse(text: str, name: str, package: Path) -> _Module:
    """Cut a module into definitions."""
    tree = ast.parse(text)
    found = _Module(package, name)
    body = list(tree.body)
    while body:
        node = body.pop(0)
        if isinstance(node, ast.If) and _is_typing(node.test):
            body = [*node.body, *body]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.nodes.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.imports |= dict(_bindings(node, package))
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            words = [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            for word in words:
                found.nodes.setdefault(word, []).append(node)
            if not words:
                found.loose.append(node)
        elif not _is_idle(node):
            found.loose.append(node)
    for scope in symtable.symtable(text, name, "exec").get_children():
        found.globals_.setdefault(scope.get_name(), set()).update(_globals(scope))
    # Decorators, bases, defaults and annotations are read outside of the scope.
    for word, nodes in found.nodes.items():
        if word in found.globals_:
            for node in nodes:
                outer = {
                    n.id for part in _outside(node) for n in _walk(part) if isinstance(n, ast.Name)
                }
                found.globals_[word] |= outer
    return found


def _outside(node: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a definition that are read in the scope around it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from node.decorator_list
        yield from (each for each in (*node.args.defaults, *node.args.kw_defaults) if each)
        every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        for arg in (*every, node.args.vararg, node.args.kwarg):
            if arg is not None and arg.annotation is not None:
                yield ast.Expression(_unquoted(arg.annotation))
        if node.returns is not None:
            yield ast.Expression(_unquoted(node.returns))
    elif isinstance(node, ast.ClassDef):
        yield from (*node.decorator_list, *node.bases, *(word.value for word in node.keywords))
        for inner in node.body:
            yield from _outside(inner)
            if isinstance(inner, ast.AnnAssign):
                yield ast.Expression(_unquoted(inner.annotation))


def _unquoted(annotation: ast.expr) -> ast.expr:
    """Return an annotation with its texts as expressions."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def _globals(scope: symtable.SymbolTable) -> set[str]:
    """Return the names that a scope, and those inside it, read from the module."""
    own = {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global()}
    return own.union(*map(_globals, scope.get_children()))


def _load(package: Path, name: str) -> _Module:
    """Read a module of the package; one that is not there is an error."""
    path = _file(package, name)
    if path is None:
        raise ToolError(f"module {_NAME}.{name}, an input of the hash, does not exist")
    return _parse(path.read_text(encoding="utf-8"), name, package)


def _file(package: Path, name: str) -> Path | None:
    """Return the file of a module of the package."""
    place = package.joinpath(*name.split("."))
    return next((p for p in (place.with_suffix(".py"), place / "__init__.py") if p.is_file()), None)


def _bindings(node: ast.stmt, package: Path) -> Iterator[tuple[str, Definition]]:
    """Yield what an import binds to things of the package; `name` is empty for a module."""
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        first, _, rest = node.module.partition(".")
        if first == _NAME:
            for alias in node.names:
                whole = f"{rest}.{alias.name}" if rest else alias.name
                is_module = not rest or _file(package, whole) is not None
                bound = Definition(whole) if is_module else Definition(rest, alias.name)
                yield alias.asname or alias.name, bound
    elif isinstance(node, ast.Import):
        for alias in node.names:
            first, _, rest = alias.name.partition(".")
            if first == _NAME:
                if alias.asname is None:
                    raise ToolError(f"import {alias.name} as a name: else it cannot be followed")
                yield alias.asname, Definition(rest)
    elif isinstance(node, ast.ImportFrom) and node.level:
        raise ToolError("relative imports cannot be followed")


def _inner_imports(node: ast.stmt, package: Path) -> dict[str, Definition]:
    """Return what imports inside a definition bind."""
    inner = (each for each in ast.walk(node) if isinstance(each, ast.Import | ast.ImportFrom))
    return dict(pair for each in inner for pair in _bindings(each, package))


def _is_typing(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _is_idle(node: ast.stmt) -> bool:
    """Tell whether a statement is a docstring or what runs as a program only."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


class _Normal(ast.NodeTransformer):
    """Removes what decides nothing: docstrings, texts of errors, import paths."""

    def __init__(self, own: _Module) -> None:
        self._bound = own.imports
        self._package = own.package

    def visit(self, node: ast.AST) -> ast.AST:
        """Drop docstrings and imports from every block."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = self._bound
            self._bound = {**inner, **_inner_imports(node, self._package)}
            node.body = [each for each in node.body if not _is_idle(each)] or [ast.Pass()]
            node = self.generic_visit(node)
            self._bound = inner
            return node
        visited = super().visit(node)
        assert isinstance(visited, ast.AST)
        return visited

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """MODULE.name becomes name."""
        if isinstance(node.value, ast.Name):
            bound = self._bound.get(node.value.id)
            if bound is not None and not bound.name:
                return ast.Name(node.attr, node.ctx)
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """The name of a module that is run is followed, not dumped."""
        return ast.Constant(_NAME) if _named(node.value) else node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        """Where a name comes from is followed, not dumped."""
        return ast.Pass()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """Where a name comes from is followed, not dumped."""
        return ast.Pass()

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """What an error says is for people."""
        if isinstance(node.exc, ast.Call):
            node.exc = node.exc.func
        return self.generic_visit(node)


def _normal(own: _Module, node: ast.stmt) -> ast.stmt:
    """Return a copy of a statement (a parsed module is shared) without what decides nothing."""
    found = _Normal(own).visit(copy.deepcopy(node))
    assert isinstance(found, ast.stmt)
    return found


def _dump(node: ast.AST) -> str:
    return ast.dump(node, annotate_fields=False)


def _templates(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of templates that definitions mention."""
    for node in nodes:
        for each in ast.walk(node):
            value = each.value if isinstance(each, ast.Constant) else None
            if isinstance(value, str) and value.endswith(".j2"):
                yield value


def _template(path: Path) -> str:
    """Digest a template as the language that it makes."""
    if not path.is_file():
        raise ToolError(f"template {path.name}, an input of the hash, does not exist")
    text = path.read_text(encoding="utf-8")
    hardware = path.name.endswith((".sv.j2", ".v.j2"))
    return proc.digest(*(hdl.tokens(text) if hardware else ctokens.tokens(text)))
