# SPDX-License-Identifier: Apache-2.0
"""Planted bugs: texts replaced in copies of the RTL, so that benches and proofs are seen to fail.

A bug of a file in an accelerator's folder is declared in its accel.toml, a bug of any other file in
formal/bugs.toml. The RTL itself never mentions them: a bugged design is built from copies.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from aesforge.base import proc, toml
from aesforge.base.errors import ManifestError
from aesforge.base.files import state_of, write_text
from aesforge.base.paths import ROOT

BUGS_FILE = Path("formal/bugs.toml")
_KEYS = "docs/architecture.md section 1.2 lists the keys"


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Edit(_Table):
    """A text that occurs exactly once in a file, and the replacement that is the bug."""

    file: str = Field(min_length=1)
    find: str = Field(min_length=1)
    replace: str


class Fault(_Table):
    """A bug as TOML declares it: one edit beside its name, or several as `[[bug.edit]]`."""

    name: Annotated[str, Field(pattern=r"^BUG_[A-Z][A-Z0-9_]*$")]
    what: str = ""
    file: str = ""
    find: str = ""
    replace: str | None = None
    edit: list[Edit] = []

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """Refuse half an edit, and one beside a list of edits."""
        given = [bool(self.file), bool(self.find), self.replace is not None]
        if any(given) and (self.edit or not all(given)):
            raise ValueError(f"{self.name}: file, find and replace, or [[bug.edit]] with these")
        return self

    @property
    def edits(self) -> list[Edit]:
        """All edits; none if the bug is declared elsewhere."""
        if self.replace is None:
            return self.edit
        return [Edit(file=self.file, find=self.find, replace=self.replace)]


class _SharedFault(Fault):
    """A bug of formal/bugs.toml."""

    what: str = Field(min_length=1)
    leak: bool = False  # a masked module then leaks: `aesforge ttest --controls` tries it

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.edits:
            raise ValueError(f"{self.name}: no edit")
        return self


class _BugsFile(_Table):
    """The contents of formal/bugs.toml."""

    bug: list[_SharedFault]


@dataclass(frozen=True)
class Bug:
    """A bug and the files that it changes."""

    name: str
    edits: tuple[tuple[Path, Edit], ...]

    def texts(self) -> dict[Path, str]:
        """Return path and broken text of each file that the bug changes.

        ManifestError if a file is missing or does not hold the text to replace exactly once: then
        the RTL has changed and the bug has not.
        """
        found: dict[Path, str] = {}
        for path, edit in self.edits:
            if path not in found:
                if not path.is_file():
                    raise ManifestError(f"{self.name}: there is no file {edit.file}")
                found[path] = path.read_text(encoding="utf-8")
            if (count := found[path].count(edit.find)) != 1:
                raise ManifestError(
                    f"{self.name}: {edit.file} holds the text to replace {count} times, not once",
                    "adapt the bug's `find` to the file",
                )
            found[path] = found[path].replace(edit.find, edit.replace)
        return found


def leaks(root: Path = ROOT) -> list[str]:
    """Return the names of the shared bugs that make a masked module leak, in the file's order."""
    return [bug.name for bug in toml.load(root / BUGS_FILE, _BugsFile, _KEYS).bug if bug.leak]


def shared(root: Path = ROOT) -> dict[str, Bug]:
    """Return the bugs of shared files, by name."""
    path = root / BUGS_FILE
    if not toml.there(path):
        return {}
    return {bug.name: bug for bug in _of_file(path, state_of(path), root)}


@lru_cache(maxsize=16)
def _of_file(path: Path, _state: tuple[int, ...], root: Path) -> tuple[Bug, ...]:
    """Read the bugs of shared files once for each version of the file."""
    found = toml.load(path, _BugsFile, _KEYS).bug
    require_once(path, found)
    named = [(f"{bug.name}: file", edit.file) for bug in found for edit in bug.edits]
    toml.require_below(path, named, "the repository")
    return tuple(Bug(b.name, tuple((root / e.file, e) for e in b.edits)) for b in found)


def known(own: Sequence[Fault], folder: Path, root: Path = ROOT) -> dict[str, Bug]:
    """Return the shared bugs and an accelerator's `own`, by name.

    If an own bug has the name of a shared one, its `[[bug.edit]]` tables extend that bug's edits.
    """
    found = shared(root)
    for fault in own:
        if fault.name in found and fault.file:
            raise ManifestError(
                f"{folder}/accel.toml: {fault.name} is also in {BUGS_FILE}", "choose another name"
            )
        edits = tuple((folder / edit.file, edit) for edit in fault.edits)
        before = found[fault.name].edits if fault.name in found else ()
        if not before and not (edits and fault.what):
            raise ManifestError(
                f"{folder}/accel.toml: {fault.name} is not in {BUGS_FILE} and lacks"
                f" {'what' if edits else 'an edit'}",
                "write what, file, find and replace",
            )
        found[fault.name] = Bug(fault.name, before + edits)
    return found


def require_once(path: Path, faults: Iterable[Fault]) -> None:
    """Refuse a name that occurs twice in a file."""
    names = [fault.name for fault in faults]
    if twins := sorted({name for name in names if names.count(name) > 1}):
        raise ManifestError(f"{path}: bug named twice: {', '.join(twins)}")


def plant(
    name: str, bugs: Mapping[str, Bug], files: Sequence[Path], folder: Path, what: str = ""
) -> list[Path]:
    """Return `files` with copies below `folder` in place of those that the bug changes.

    No name: the files as they are. ManifestError, which begins with `what`, if there is no such bug
    or it changes none of the files.
    """
    if not name:
        return list(files)
    if name not in bugs:
        raise ManifestError(
            f"{what}there is no planted bug '{name}'", f"declare it in accel.toml or {BUGS_FILE}"
        )
    texts = {path.resolve(): text for path, text in bugs[name].texts().items()}
    chosen: list[Path] = []
    for path in files:
        if (text := texts.get(path.resolve())) is None:
            chosen.append(path)
            continue
        # Named after its contents: a copy never changes while somebody reads it.
        copy = folder / proc.digest(text)[:12] / path.name
        if not copy.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_text(copy, text)
        chosen.append(copy)
    if chosen == list(files):
        raise ManifestError(f"{what}{name} changes none of the files that are read")
    return chosen
