# SPDX-License-Identifier: Apache-2.0
"""What the ports of a masked module carry: NAME.probe.toml beside the module's RTL."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from aesforge.base import toml
from aesforge.base.errors import ManifestError, UsageError
from aesforge.base.paths import ROOT

SUFFIX = ".probe.toml"
_KEYS = "docs/probing.md lists the keys"
_FOLDERS = ("rtl", "accelerators")


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Secret(_Table):
    """Ports whose sum, bit by bit, is a secret; a uniform sharing of it, new in each cycle."""

    shares: Annotated[list[str], Field(min_length=2)]


class Annotation(_Table):
    """A module and its input ports, each once."""

    top: str = Field(min_length=1)
    params: dict[str, str | int] = {}
    clock: str = "clk_i"
    secret: Annotated[list[Secret], Field(min_length=1)]
    random: list[str] = []  # uniform, new in each cycle
    public: list[str] = []  # known to the attacker

    @model_validator(mode="after")
    def _once(self) -> Self:
        """Refuse a port with two meanings."""
        shares = [port for found in self.secret for port in found.shares]
        every = [self.clock, *shares, *self.random, *self.public]
        if twins := sorted({port for port in every if every.count(port) > 1}):
            raise ValueError(f"{twins[0]} is named twice")
        return self


def load(path: Path) -> Annotation:
    """Read an annotation; ManifestError says what is wrong with it."""
    return toml.load(path, Annotation, _KEYS)


def discover(root: Path = ROOT) -> dict[str, Path]:
    """Return the repository's annotations, by the names of their files."""
    found: dict[str, Path] = {}
    for folder in _FOLDERS:
        for path in sorted((root / folder).rglob(f"*{SUFFIX}")):
            name = path.name.removesuffix(SUFFIX)
            if name in found:
                raise ManifestError(f"two files are named {path.name}", "rename one of them")
            found[name] = path
    return found


def find(name: str) -> Path:
    """Return the annotation of a name, or a file that is named by its path."""
    if name.endswith(".toml"):
        return Path(name)
    known = discover()
    if name not in known:
        raise UsageError(
            f"there is no masked module '{name}'", f"known: {', '.join(known)}; or FILE{SUFFIX}"
        )
    return known[name]
