# SPDX-License-Identifier: Apache-2.0
"""RTL on Verilator under cocotb: how every bench in Python is built and run."""

import contextlib
import fcntl
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import cocotb_tools.config
import find_libpython

from aesforge.base import proc
from aesforge.base.errors import ToolError
from aesforge.base.paths import BUILD
from aesforge.build import simulate
from aesforge.build.simulate import verilator_root

BUILD_SECONDS = 900.0

_RUNTIME = ("verilated.o", "verilated_vpi.o", "verilated_threads.o")


def build(
    sources: Sequence[Path],
    top: str,
    folder: Path,
    *,
    params: Mapping[str, str | int] | None = None,
) -> Path:
    """Verilate and compile `top` with cocotb's main function in `folder`; return the simulator.

    The ports of `top` can be reached from Python, nothing below. ToolError with the log's place if
    it does not build.
    """
    libraries = cocotb_tools.config.libs_dir
    root = verilator_root()
    environment = {"VERILATOR_ROOT": str(root)}
    settings = [
        f"-G{name}=" + (f'"{value}"' if isinstance(value, str) else str(value))
        for name, value in (params or {}).items()
    ]
    proc.run(
        [
            *(root / "bin" / "verilator", "--cc", "--exe", "--vpi", "--public-depth", "1"),
            *("--top-module", top, "--prefix", "Vtop", "-o", "bench", "-Mdir", folder),
            *settings,
            *("-Wno-fatal", "--output-split", "0", "--x-initial", "unique", "--x-assign", "unique"),
            *("-LDFLAGS", f"-Wl,-rpath,{libraries} -L{libraries} -lcocotbvpi_verilator"),
            *sources,
            cocotb_tools.config.share_dir / "lib" / "verilator" / "verilator.cpp",
        ],
        timeout=BUILD_SECONDS,
        env=environment,
        log=folder / "build.log",
    )
    with _lent_runtime(folder):
        proc.run(
            ["make", "-C", folder, "-f", "Vtop.mk", "VM_PARALLEL_BUILDS=0", "OPT_FAST=-O1"],
            timeout=BUILD_SECONDS,
            env=environment,
            log=folder / "make.log",
        )
    return folder / "bench"


def run(
    binary: Path,
    top: str,
    module: str,
    *,
    seed: int,
    env: Mapping[str, str],
    seconds: float,
    search: Sequence[Path] = (),
) -> proc.Finished:
    """Run the tests of a Python module on a simulator that `build` made, in its folder.

    `search` are folders where Python looks for modules first.

    Registers start with random values made from `seed`; cocotb's verdict is in results.xml and
    everything printed in run.log. ToolError after `seconds`.
    """
    return proc.run(
        [binary, "+verilator+rand+reset+2", f"+verilator+seed+{seed % 2**31}"],
        timeout=seconds,
        cwd=binary.parent,
        env={**_environment(binary.parent, top, module, seed, search), **env},
        log=binary.parent / "run.log",
        check=False,
    )


@contextlib.contextmanager
def _lent_runtime(folder: Path) -> Iterator[None]:
    """Lend the compiled parts that many benches share to a build, and keep them after it.

    Verilator's own sources depend on the tools alone; cocotb's main function also on Vtop.h, which
    is the same for a unit and for its planted bugs.
    """
    versions = simulate.verilator_version(), proc.version_line("c++"), version("cocotb")
    runtime = BUILD / "runtime" / f"unit-{proc.digest(*versions)[:24]}"
    main = BUILD / "runtime" / f"main-{proc.digest(*versions, folder / 'Vtop.h')[:24]}"
    kept = [*(runtime / name for name in _RUNTIME), main / "verilator.o"]
    with _first_alone(runtime):
        for path in kept:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file():
                shutil.copyfile(path, folder / path.name)
        yield
        for path in kept:
            if (folder / path.name).is_file() and not path.is_file():
                with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as copy:
                    copy.write((folder / path.name).read_bytes())
                Path(copy.name).replace(path)


@contextlib.contextmanager
def _first_alone(runtime: Path) -> Iterator[None]:
    """Hold other builds back until the first one has compiled Verilator's runtime."""
    if all((runtime / name).is_file() for name in _RUNTIME):
        yield
        return
    runtime.parent.mkdir(parents=True, exist_ok=True)
    with runtime.with_suffix(".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@lru_cache(maxsize=1)
def _libpython() -> str:
    """Return the shared library of this Python, which the simulator loads."""
    found = find_libpython.find_libpython()
    if found is None:
        raise ToolError(
            "this Python has no shared library (libpython)", "use a Python built with it"
        )
    return str(found)


def _environment(
    folder: Path, top: str, module: str, seed: int, search: Sequence[Path]
) -> dict[str, str]:
    """What cocotb 2.1 wants to know (the same as cocotb_tools.runner gives it)."""
    return {
        "COCOTB_TEST_MODULES": module,
        "COCOTB_TOPLEVEL": top,
        "COCOTB_RESULTS_FILE": str(folder / "results.xml"),
        "COCOTB_RANDOM_SEED": str(seed),
        "COCOTB_TRUST_INERTIAL_WRITES": "1",
        "COCOTB_LOG_LEVEL": "WARNING",
        "TOPLEVEL_LANG": "verilog",
        "PYTHONPATH": ":".join([*map(str, search), *(path for path in sys.path if path)]),
        "PYGPI_PYTHON_BIN": sys.executable,
        "GPI_USERS": f"{_libpython()};{cocotb_tools.config.pygpi_entry_point()}",
    }
