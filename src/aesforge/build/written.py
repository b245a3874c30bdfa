# SPDX-License-Identifier: Apache-2.0
"""RTL that is made from templates: `NAME.sv.j2` beside `NAME.sv`.

Some circuits share lines that no module of their own can hold, for example a function that needs
another register in its middle. These lines are a macro in a file `*.j2`. The modules are in the
repository as plain SystemVerilog, which every tool reads; `aesforge modules` writes them again.
"""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.build import parity
from aesforge.build.codegen import write_if_changed
from aesforge.model import tower

_SUFFIX = ".sv.j2"


class TemplateFault(AesforgeError):
    """A template that cannot be read; the message names the file."""

    exit_status = 6


def templates(root: Path = ROOT) -> list[Path]:
    """List the templates of modules."""
    folders = (root / "rtl", root / "accelerators", root / "boards")
    return sorted(path for folder in folders for path in folder.rglob(f"*{_SUFFIX}"))


def target(template: Path) -> Path:
    """Return the module's file."""
    return template.with_suffix("")


def complemented(block: str) -> str:
    """Return a block of assignments to registers `NAME_q` as one to `NAME_r`, their complements.

    What follows `<=` in a line that begins with a register is its new value, up to the semicolon.
    """
    return re.sub(r"\b(\w+)_q(\[[^;]*?\])?(\s*)<= ([^;]*);", r"\1_r\2\3<= ~(\4);", block)


def text(template: Path) -> str:
    """Return the module that a template describes.

    Macros are imported from the folder of the template, or by a path in rtl/. Blocks are <% %>,
    values ${ } and comments <# #>: SystemVerilog has other uses for double braces.
    `with_parity(FILE, ...)` is a module of the folder with parity (aesforge.build.parity).
    """

    def with_parity(name: str, **choices: Any) -> str:
        source = (template.parent / name).read_text(encoding="utf-8")
        return parity.with_parity(source, **choices)

    environment = Environment(
        loader=FileSystemLoader([template.parent, ROOT / "rtl"]),
        undefined=StrictUndefined,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="${",
        variable_end_string="}",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.globals["tower"] = tower
    environment.globals["with_parity"] = with_parity
    environment.filters["complemented"] = complemented
    try:
        return environment.get_template(template.name).render(source=template.name)
    except (TemplateError, parity.ParityFault, OSError) as error:
        raise TemplateFault(f"{template}: {error}") from error


def stale(root: Path = ROOT) -> list[Path]:
    """List the modules that are missing or are not what their templates say now."""
    found = []
    for template in templates(root):
        path = target(template)
        if not path.is_file() or path.read_text(encoding="utf-8") != text(template):
            found.append(path)
    return found


def write(root: Path = ROOT) -> list[Path]:
    """Write all modules that have a template; return the files that changed."""
    changed = stale(root)
    for path in changed:
        write_if_changed(path, text(path.with_name(f"{path.name}.j2")))
    return changed
