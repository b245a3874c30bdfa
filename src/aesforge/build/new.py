# SPDX-License-Identifier: Apache-2.0
"""`aesforge new`: an accelerator to start from, small and complete, of each kind."""

import re
import shutil
from pathlib import Path

from aesforge.base.errors import UsageError
from aesforge.build import codegen
from aesforge.catalog.manifest import ROOTS

TEMPLATES = Path(__file__).parents[1] / "templates" / "new"

# Words that a module of this name would collide with: SystemVerilog's, C's and the generated names.
_TAKEN = {
    *("accel_unit", "accel_decode", "fu_random_delay", "unit_bench_top", "top", "shared", "none"),
    *("module", "logic", "input", "output", "wire", "reg", "bit", "byte", "int", "integer", "real"),
    *("and", "or", "not", "xor", "nand", "nor", "buf", "if", "else", "for", "case", "begin", "end"),
    *("function", "task", "class", "package", "assign", "always", "initial", "generate", "time"),
    *("new", "this", "super", "do", "while", "return", "break", "continue", "default", "static"),
    *("const", "extern", "import", "export", "interface", "program", "property", "sequence"),
    *("string", "struct", "union", "enum", "typedef", "void", "unique", "priority", "virtual"),
    *("checker", "config", "library", "design", "cell", "table", "pure", "rand", "local", "with"),
}


def kinds() -> list[str]:
    """List the kinds that there is a template of."""
    return sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir())


def create(name: str, root: Path, kind: str = "instruction") -> Path:
    """Write accelerators/`name` below `root` and return it; UsageError if name or kind is bad."""
    folder = root / "accelerators" / name
    _refuse(name, root)
    if kind not in kinds():
        raise UsageError(f"there is no template of kind '{kind}'", f"known: {', '.join(kinds())}")
    try:
        for template in sorted((TEMPLATES / kind).rglob("*.j2")):
            relative = template.relative_to(TEMPLATES / kind).with_suffix("")
            target = folder / relative.with_name(relative.name.replace("NAME", name))
            text = codegen.render(
                template.relative_to(TEMPLATES.parent).as_posix(),
                name=name,
            )
            codegen.write_if_changed(target, text)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # all of it or nothing
        raise
    return folder


def _refuse(name: str, root: Path) -> None:
    """Raise UsageError for a name that is malformed or in use."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", name) or "__" in name:
        raise UsageError(
            f"'{name}' is not a name for an accelerator",
            "2 to 31 of a-z, 0-9 and single _, a letter first, as in 'my_unit'",
        )
    if name in _TAKEN or any(path.stem == name for path in (root / "rtl").rglob("*.sv")):
        raise UsageError(f"'{name}' is taken by a module or a language", "choose another name")
    for parent in (*ROOTS, "platforms"):
        if (root / parent / name).exists():
            raise UsageError(f"{parent}/{name} exists already", "choose another name")
