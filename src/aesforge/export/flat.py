# SPDX-License-Identifier: Apache-2.0
"""One file of plain Verilog-2001 from the SystemVerilog sources, hierarchy and names kept.

Yosys elaborates and turns processes into expressions and registers; nothing is optimised or mapped.
Modules that it made for a set of parameters get their source's name, numbered if there are several.
"""

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from aesforge.base.paths import BUILD
from aesforge.synth import flow

_DERIVED = re.compile(r"\\(\$paramod\S+)")


def verilog(
    files: Sequence[Path], top: str, params: Mapping[str, int], scratch: Path, title: str
) -> str:
    """Return the text of the one file; `params` are set on the top module."""
    scratch.mkdir(parents=True, exist_ok=True)
    # Names that Yosys makes up hold the file's: no place on this machine may be among them.
    copies = [Path(shutil.copy(path, scratch)).name for path in files]
    parameters = [f"chparam -set {name} {value} {top}" for name, value in params.items()]
    commands = [
        f"read_verilog -sv {' '.join(copies)}",
        *parameters,
        f"hierarchy -check -top {top}",
        "proc",
        "opt_clean",
        "rename -hide */w:*$func$*",  # the arguments of functions
        "write_verilog -noattr flat.v",
    ]
    flow.yosys(commands, scratch, "flat", BUILD / "logs" / f"export-flat-{top}")
    text = (scratch / "flat.v").read_text(encoding="utf-8")
    body = "\n".join(line.rstrip() for line in text.splitlines()[1:]).strip("\n")
    head = f"// SPDX-License-Identifier: Apache-2.0\n// {title}\n"
    return f"{head}\n{_renamed(body)}\n"


def _source_name(derived: str) -> str:
    r"""Return the module's name in `$paramod\name\A=1` or `$paramod$hash\name`."""
    parts = derived.split("\\")
    return parts[1]


def _renamed(text: str) -> str:
    """Give derived modules readable names."""
    taken = set(re.findall(r"^module ([A-Za-z_]\w*)", text, re.MULTILINE))
    names: dict[str, str] = {}
    # In the order of their definition, so that the same sources give the same names.
    for derived in re.findall(r"^module \\(\$paramod\S+)", text, re.MULTILINE):
        base = _source_name(derived)
        number, name = 1, base
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        names[derived] = name
    return _DERIVED.sub(lambda found: names.get(found[1], found[0]), text)
