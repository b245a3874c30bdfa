# SPDX-License-Identifier: Apache-2.0
"""What is exported, and the templates that its files are made from."""

import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from aesforge import __version__
from aesforge.catalog.manifest import FOR_SIMULATIONS, Accelerator, Variant
from aesforge.export.hosts import TEMPLATES, Host

VENDOR = "aesforge:crypto"


@dataclass(frozen=True)
class Asked:
    """What to export."""

    accelerator: Accelerator
    variant: Variant
    host: Host
    flat: bool

    @property
    def label(self) -> str:
        """As one word."""
        return f"{self.accelerator.name}-{self.variant.name}-{self.host.name}"

    @property
    def vlnv(self) -> str:
        """The FuseSoC core's name."""
        return f"{VENDOR}:{self.label}:{__version__}"

    @property
    def macros(self) -> list[str]:
        """Compiler flags of the kernel's macros, without what is for our simulations alone."""
        words = (*self.accelerator.manifest.macros(self.variant), *self.variant.defines)
        return [f"-D{word}" for word in words if not word.startswith(FOR_SIMULATIONS)]


@lru_cache(maxsize=1)
def _templates() -> Environment:
    """The export's templates; a misspelt name is an error."""
    made = Environment(
        loader=PackageLoader("aesforge.export", "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    made.filters["capitalize_first"] = _sentence
    return made


def _sentence(text: str) -> str:
    """Begin with a capital letter, unless the first word is the name of a unit."""
    return text if "_" in text.split(" ", 1)[0] else text[:1].upper() + text[1:]


def render(template: str, values: dict[str, Any]) -> str:
    """Fill a template."""
    return _templates().get_template(template).render(**values)


def write_files(host: Host, values: dict[str, Any], out: Path) -> None:
    """Write the host's own files into an export: templates filled, others as they are."""
    for folder in host.files:
        for path in sorted(found for found in folder.rglob("*") if found.is_file()):
            place = out / path.relative_to(folder)
            place = place.with_name(place.name.replace("NAME", values["name"]))
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".j2":
                text = render(path.relative_to(TEMPLATES).as_posix(), values)
                place.with_suffix("").write_text(text, encoding="utf-8")
            else:
                shutil.copy(path, place)
