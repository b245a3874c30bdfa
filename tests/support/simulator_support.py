# SPDX-License-Identifier: Apache-2.0
"""A shared module of the RTL on Verilator, under a test's own main function in C++."""

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from aesforge.base import proc
from aesforge.build import library
from aesforge.build.simulate import verilator_root
from aesforge.catalog import planted


@cache
def program(
    main: Path,
    top: str,
    bug: str = "",
    *options: str,
    wrapper: Path | None = None,
    module: str = "",
) -> Path:
    """Return the simulation of `top`, with a bug of formal/bugs.toml planted; built once.

    `wrapper` is a file of the test that holds `top`, around `module` of the library. `options` are
    Verilator's.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{top}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    root = verilator_root()
    sources = library.library().files([module or top])
    read = planted.plant(bug, planted.shared(), sources, folder)
    proc.run(
        [
            *(root / "bin" / "verilator", "--cc", "--exe", "--build", "-Wno-fatal", *options),
            *("-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"),
            *("--top-module", top, "-Mdir", folder / "obj", main, *([wrapper] if wrapper else [])),
            *read,
        ],
        timeout=300,
        env={"VERILATOR_ROOT": str(root)},
    )
    return folder / "obj" / f"V{top}"


def run(
    simulation: Path, scratch: Path, lines: Iterable[str], *, check: bool = True
) -> list[list[str]]:
    """Give a simulation lines of standard input; return the words of each line that it prints.

    Without `check` it may end with an error: a planted bug can make it give up.
    """
    file = scratch / "stimuli"
    file.write_text("".join(f"{line}\n" for line in lines))
    command = ["bash", "-c", '"$0" < "$1"', simulation, file]
    done = proc.run(command, cwd=scratch, timeout=120, check=check)
    return [line.split() for line in done.stdout.splitlines()]
