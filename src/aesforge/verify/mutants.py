# SPDX-License-Identifier: Apache-2.0
"""What a mutant is, and which there are: one operator of a file of RTL or C changed."""

import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from aesforge.base import toml
from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.build import ctokens, hdl

EQUIVALENT = Path("formal/equivalent.toml")

# A token, and what may stand in its place.
OPERATORS: dict[str, tuple[str, ...]] = {
    "&&": ("||",),
    "||": ("&&",),
    "==": ("!=",),
    "!=": ("==",),
    "<": (">=",),
    ">": ("<=",),
    ">=": ("<",),
    "+": ("-",),
    "-": ("+",),
    "&": ("|",),
    "|": ("&",),
    "^": ("|", "&"),
    "<<": (">>",),
    ">>": ("<<",),
    "!": ("",),
    "~": ("",),
    "1'b0": ("1'b1",),
    "1'b1": ("1'b0",),
}
# The same of C.
OPERATORS_OF_C: dict[str, tuple[str, ...]] = {
    **{old: OPERATORS[old] for old in ("&&", "||", "==", "!=", "<", ">", ">=", "+", "-")},
    **{old: OPERATORS[old] for old in ("&", "|", "^", "<<", ">>", "!", "~")},
    "<=": (">",),
    "+=": ("-=",),
    "-=": ("+=",),
    "^=": ("|=",),
    "|=": ("&=",),
    "&=": ("|=",),
    "<<=": (">>=",),
    ">>=": ("<<=",),
}
# What a binary operator follows; after anything else these are signs and addresses.
_OPERAND = re.compile(r"(?!return$|case$)[\w.']+$|\)$|\]$")
_UNARY = {"&", "+", "-"}
# Lines that declare (a change there is another interface, not another operator), and those that
# name what nobody reads.
_DECLARES = re.compile(
    r"^\s*(module|import|parameter|localparam|input|output|inout|logic|wire|typedef|genvar|`|\)|//"
    r"|assign unused)"
)
_RANGE = re.compile(r"\[[^][]*\]")


@dataclass(frozen=True)
class Mutant:
    """A token of a file (from ROOT), at an offset, and its replacement."""

    file: str
    offset: int
    old: str
    new: str

    @property
    def path(self) -> Path:
        """The file."""
        return ROOT / self.file

    @property
    def byte(self) -> int:
        """The offset in bytes."""
        return len(self._whole()[: self.offset].encode())

    @property
    def line(self) -> int:
        """The line number, from 1."""
        return self._whole().count("\n", 0, self.offset) + 1

    @property
    def source(self) -> str:
        """The line without blanks around it."""
        return self._whole().splitlines()[self.line - 1].strip()

    @property
    def nth(self) -> int:
        """Which of the equal tokens on its line, from 1."""
        whole = self._whole()
        begin = whole.rfind("\n", 0, self.offset) + 1
        line = whole[begin : whole.find("\n", begin)]
        placed = hdl.placed if self.path.suffix == ".sv" else ctokens.placed
        places = [begin + at for token, at in placed(line) if token == self.old]
        return places.index(self.offset) + 1

    @property
    def change(self) -> str:
        """The tokens, for people."""
        several = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.old}{several} -> {self.new or 'nothing'}"

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.file}:{self.line}: {self.change}"

    def text(self) -> str:
        """The file with the change."""
        whole = self._whole()
        assert whole[self.offset : self.offset + len(self.old)] == self.old
        return whole[: self.offset] + self.new + whole[self.offset + len(self.old) :]

    def _whole(self) -> str:
        return self.path.read_text(encoding="utf-8")


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every change of one operator of a file of RTL or C."""
    text = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT))
    if path.suffix != ".sv":
        yield from _mutants_of_c(name, text)
        return
    for token, offset in hdl.placed(text):
        if token not in OPERATORS:
            continue
        begin = text.rfind("\n", 0, offset) + 1
        line = text[begin : text.find("\n", begin)]
        at = offset - begin
        inside = any(m.start() < at < m.end() for m in _RANGE.finditer(line))
        if _DECLARES.match(line) or inside:
            continue
        for new in OPERATORS[token]:
            yield Mutant(name, offset, token, new)


def _mutants_of_c(name: str, text: str) -> Iterator[Mutant]:
    """Yield every change of one operator of C, but not of directives."""
    before, directive = "\n", False
    for token, offset in ctokens.placed(text):
        begins = not text[text.rfind("\n", 0, offset) + 1 : offset].strip()
        directive = token != "\n" and (directive or (begins and token == "#"))
        unary = token in _UNARY and not _OPERAND.match(before)
        unary = unary or (before + token == ")&" and text[offset + 1] != " ")  # after a cast
        if not directive and not unary:
            for new in OPERATORS_OF_C.get(token, ()):
                yield Mutant(name, offset, token, new)
        before = token


def choose(
    groups: Sequence[Iterable[Path]],
    live: Callable[[Mutant], bool],
    count: int,
    words: str,
    worth: Callable[[Mutant], bool] = lambda _: True,
) -> list[Mutant]:
    """Return `count` mutants that are `live` and `worth` it, or all if there are fewer.

    Groups of files take turns, and so do the files of a group. The choice depends on the sources
    and on `words`, the seed, alone. `worth` is asked only of those whose turn it is.
    """
    draw = random.Random(words)
    rows = []
    for files in groups:
        decks = [list(filter(live, mutants(path))) for path in sorted(files)]
        draw.shuffle(decks)
        for deck in decks:
            draw.shuffle(deck)
        rows.append(_turns(decks))
    chosen = itertools.islice(filter(worth, _turns(rows)), count)
    return sorted(chosen, key=lambda found: (found.file, found.offset, found.new))


def _turns(decks: Sequence[Sequence[Mutant]]) -> list[Mutant]:
    """Return the first of each, then the second of each, and so on."""
    longest = max(map(len, decks), default=0)
    return [deck[turn] for turn in range(longest) for deck in decks if turn < len(deck)]


# Those that make no difference --------------------------------------------------------------------


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Equivalent(_Table):
    """A change that makes no difference: file, line without blanks, token, and the reason."""

    file: str
    line: str
    old: str
    new: str
    nth: int = Field(default=1, ge=1)
    because: str = Field(min_length=1)

    def says(self, mutant: Mutant) -> bool:
        """Tell whether this is the mutant."""
        same = (mutant.file, mutant.source, mutant.old, mutant.new)
        return same == (self.file, self.line, self.old, self.new) and mutant.nth == self.nth


class _Listed(_Table):
    mutant: list[Equivalent] = []


def equivalent(root: Path = ROOT) -> list[Equivalent]:
    """Return the changes that are known to make no difference; each must still be possible.

    Those of shared files are in formal/, those of an accelerator in its own folder's formal/.
    """
    found: list[Equivalent] = []
    for path in (root / EQUIVALENT, *sorted(root.glob(f"accelerators/*/{EQUIVALENT}"))):
        listed = toml.load(path, _Listed, "docs/soundness.md lists the keys").mutant
        for entry in listed:
            file = root / entry.file
            lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
            if entry.line not in (line.strip() for line in lines):
                raise AesforgeError(
                    f"{path.relative_to(root)}: {entry.file} has no line '{entry.line}'",
                    "adapt or remove it",
                )
        found += listed
    return found
