# SPDX-License-Identifier: Apache-2.0
"""Boards, and the system that is built for them: RTL, firmware image, simulator.

A board is a folder `boards/<name>/` with `board.toml`, the module `top` and the pins; what boards
share is `boards/soc/`. The core is a platform that has `platforms/<name>/board/core.toml`: the
module `soc_core` (core with accelerator and a memory port without wait states) and start-up code.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from aesforge.base import proc, toml
from aesforge.base.errors import ManifestError, ToolError, UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, ctokens, hdl, integrate, library, simulate, system
from aesforge.build.simulate import CROSS, WARNINGS, Sources
from aesforge.catalog import manifest, planted
from aesforge.catalog import platform as platforms
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform

BOARDS = ROOT / "boards"
SHARED = BOARDS / "soc"
CONSOLE = SHARED / "sw" / "console.c"
LINK = SHARED / "sw" / "link.ld"
HARNESS = SHARED / "sim" / "console.cpp"
MODES = ROOT / "sw" / "modes" / "aes_modes.c"
CACHE = ROOT / "sw" / "hal" / "cache.c"  # of a core that has none

IMAGE = "firmware.hex"
WORD = 4  # bytes
ROM_STEP = 256  # words: the ROM is a multiple of it; two block RAMs of an iCE40
BAUD = 115200
SIM_DIVISOR = 104  # clocks a bit in simulation: BAUD at 12 MHz, the fewest of any board

# The system: everything except pins and clock, the same on every board and in simulation.
_SOC = ("soc_uart.sv", "soc_block.sv", "soc.sv")
_SOC_MASTER = ("soc_uart.sv", "soc_master.sv", "soc_dma.sv")  # with a bus master
_BOARD = ("soc_board.sv",)

_PAGE = "docs/boards.md"
Mhz = Annotated[float, Field(gt=0, le=400)]


class _Table(BaseModel):
    """A TOML table: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Device(_Table):
    """One FPGA that the board is sold with, as nextpnr names it, and what it holds."""

    name: str = Field(pattern=r"^[a-z0-9]+$")
    place: list[str] = Field(min_length=1)
    luts: int = Field(gt=0)
    brams: int = Field(gt=0)
    litex: str = ""  # its name in LiteX; empty: LiteX's system is not offered


class BoardManifest(_Table):
    """board.toml."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    summary: str = Field(min_length=1)
    family: Literal["ecp5", "ice40"]
    oscillator_mhz: Mhz
    clock_mhz: Mhz  # of the system, unless asked otherwise; another than the oscillator's: PLL
    ram: str  # in boards/soc/: module soc_ram
    ram_words: int = Field(ge=1024)
    rom_words: int = Field(ge=ROM_STEP)  # at most
    pins: str
    load: str  # the command that loads FILE into the board
    litex: str = ""  # the script in litex/ of an export that builds LiteX's system for the board
    device: list[Device] = Field(min_length=1)


class CoreManifest(_Table):
    """core.toml of a platform that boards can use."""

    start: str
    arch: list[str] = Field(min_length=1)


@dataclass(frozen=True)
class Board:
    """A board with one of its devices."""

    folder: Path
    manifest: BoardManifest
    device: Device

    @property
    def title(self) -> str:
        """NAME/DEVICE."""
        return f"{self.manifest.name}/{self.device.name}"

    def files(self) -> list[Path]:
        """The board's own RTL and its pins, which must be there."""
        return [_there(self.folder / "top.sv"), _there(self.folder / self.manifest.pins)]

    def ram(self) -> Path:
        """The file of module soc_ram."""
        return _there(SHARED / self.manifest.ram)


@dataclass(frozen=True)
class Core:
    """A platform whose core boards can use."""

    platform: Platform
    manifest: CoreManifest

    @property
    def folder(self) -> Path:
        """Where its files for boards are."""
        return self.platform.folder / "board"

    def files(self) -> list[Path]:
        """The RTL of module soc_core."""
        return [_there(self.folder / "soc_core.sv")]


def _there(path: Path) -> Path:
    if not path.is_file():
        raise ManifestError(f"{path} does not exist", "docs/boards.md lists a board's files")
    return path


def boards(root: Path = BOARDS) -> list[BoardManifest]:
    """Every board, sorted by name."""
    found = []
    for path in toml.below(root, "board.toml"):
        board = toml.load(path, BoardManifest, _PAGE)
        if board.name != path.parent.name:
            raise ManifestError(f"{path}: name '{board.name}' differs from the folder's name")
        toml.require_inside(path, [("pins", board.pins)])
        toml.require_inside(path, [("ram", board.ram)], SHARED)
        found.append(board)
    return found


def find_board(name: str, root: Path = BOARDS) -> Board:
    """Return BOARD or BOARD/DEVICE (the first device if none is named); UsageError lists all."""
    board_name, _, device_name = name.partition("/")
    known = boards(root)
    titles = [f"{board.name}/{device.name}" for board in known for device in board.device]
    for board in known:
        for device in board.device:
            if board.name == board_name and device_name in ("", device.name):
                return Board(root / board.name, board, device)
    raise UsageError(f"there is no board '{name}'", f"known: {', '.join(titles)}")


def cores() -> list[Core]:
    """Every core that boards can use, by name: platforms with a folder board/."""
    found = []
    for known in platforms.discover():
        path = known.folder / "board" / "core.toml"
        if toml.there(path):
            core = toml.load(path, CoreManifest, _PAGE)
            toml.require_inside(path, [("start", core.start)])
            found.append(Core(known, core))
    return found


def find_core(name: str = "") -> Core:
    """Return a core by its platform's name, or the first; a UsageError lists all."""
    known = cores()
    for found in known:
        if name in ("", found.platform.name):
            return found
    names = ", ".join(found.platform.name for found in known)
    raise UsageError(f"no core '{name}' for boards", f"known: {names}")


def require_fit(accelerator: Accelerator, variant: Variant, core: Core) -> None:
    """Raise a UsageError if a variant cannot be attached to the core, or has no AES to talk to."""
    manifest.require_aes(accelerator, "the console has nothing to ask it")
    found = accelerator.manifest
    if found.outside_core and not found.on_bus:
        raise UsageError(
            f"{accelerator.name} is of kind '{found.kind}': these systems have no place for it",
            "instruction units, peripherals (mmio) and bus masters (dma) have one",
        )
    if not found.on_bus:
        integrate.require_fit(accelerator, variant, core.platform.manifest.port)


# RTL ----------------------------------------------------------------------------------------------


def rtl(accelerator: Accelerator, variant: Variant, core: Core, ram: Path) -> list[Path]:
    """Return the system's RTL in compile order, `soc` last; generated files are in build/."""
    port = core.platform.manifest.port
    folder = BUILD / "generated" / f"board-{accelerator.name}-{variant.name}-{port}"
    made = codegen.generate(folder, accelerator, variant, core.platform.opcode).rtl
    package, block = codegen.generate_peripheral(folder, accelerator, variant)
    wrapper = folder / f"accel_{port}.sv"
    codegen.write_if_changed(wrapper, integrate.coprocessor_sv(accelerator, port))
    master = accelerator.manifest.kind == "dma"
    shared = [SHARED / name for name in (_SOC_MASTER if master else _SOC)]
    cores = core.platform.core_files()
    given = [package, *made, wrapper, block, *core.files(), ram, *shared]
    return [*cores, *library.with_shared(given, accelerator, cores)]


def board_rtl(board: Board) -> list[Path]:
    """Return what a board adds to the system; module `top` is last."""
    return [*(SHARED / name for name in _BOARD), *board.files()[:-1]]


# Firmware -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Image:
    """The console's firmware: IMAGE of `folder` holds `words` of ROM, `bytes` of them are used."""

    folder: Path
    words: int
    bytes: int


def firmware(accelerator: Accelerator, variant: Variant, core: Core, board: BoardManifest) -> Image:
    """Compile the console with the accelerator's kernel; UsageError if the ROM is too small."""
    macros = (*accelerator.manifest.macros(variant), *variant.defines)
    title = f"{accelerator.name}/{variant.name}"
    console = Sources((CONSOLE, MODES), ("-Os",), (*macros, f'CONSOLE_NAME="{title}"'))
    start = Sources((_there(core.folder / core.manifest.start),), includes=(LINK.parent,))
    own = [path for path in core.platform.software_files() if path.suffix == ".c"]
    cache = Sources((CACHE, *own), ("-Os",))
    groups = [start, console, *system.kernel_sources(accelerator, variant, core.platform), cache]
    groups = [replace(group, includes=(*group.includes, system.INCLUDE)) for group in groups]
    sizes = {"rom_bytes": board.rom_words * WORD, "ram_bytes": board.ram_words * WORD}
    key = proc.digest(
        proc.version_line(f"{CROSS}gcc"),
        "\0".join([*core.manifest.arch, *WARNINGS, str(sizes)]),
        *(part for group in groups for part in simulate._group_parts(group)),
        LINK,
    )[:24]

    def make(folder: Path) -> None:
        _compile(groups, core, sizes, folder, title)

    folder = simulate.cached(BUILD / "boards" / "firmware" / key, make)
    used = (folder / "firmware.bin").stat().st_size
    words = len((folder / IMAGE).read_text(encoding="ascii").split())
    return Image(folder, words, used)


def _compile(
    groups: Sequence[Sources], core: Core, sizes: dict[str, int], folder: Path, title: str
) -> None:
    """Compile and link into `folder`; the image is whole ROM_STEPs of words in hexadecimal."""
    log = BUILD / "logs" / f"console-{title.replace('/', '-')}.log"
    gcc = [f"{CROSS}gcc", "--specs=picolibc.specs", *core.manifest.arch]
    objects: list[str] = []
    for group in groups:
        for source in group.files:
            objects.append(f"{len(objects)}_{source.stem}.o")
            words: list[str | Path] = [*gcc, "-std=gnu99", "-ffunction-sections", "-fdata-sections"]
            words += [*group.cflags, *(WARNINGS if group.strict else ("-w",))]
            words += [f"-D{word}" for word in group.defines]
            words += [f"-I{path.resolve()}" for path in group.includes]
            words += ["-c", source.resolve(), "-o", objects[-1]]
            proc.run(words, timeout=simulate.COMPILE_SECONDS, cwd=folder, log=log)
    link = [*gcc, "-nostartfiles", "-T", str(LINK), "-Wl,--gc-sections"]
    link += ["-Wl,--no-warn-rwx-segments"]
    link += [f"-Wl,--defsym={name}={value}" for name, value in sizes.items()]
    try:
        proc.run(
            [*link, *objects, "-o", "firmware.elf"],
            timeout=simulate.COMPILE_SECONDS,
            cwd=folder,
            log=log,
        )
    except ToolError as error:
        text = log.read_text(encoding="utf-8")
        if "undefined reference to `hal_" in text:
            raise UsageError(
                f"the kernel of {title} waits for interrupts, which this system does not have",
                "choose another variant",
            ) from error
        if "overflowed by" in text:
            raise UsageError(
                f"console and kernel of {title} are larger than the board's ROM of"
                f" {sizes['rom_bytes']} bytes",
                "choose another variant or another board",
            ) from error
        raise
    proc.run(
        [f"{CROSS}objcopy", "-O", "binary", "firmware.elf", "firmware.bin"],
        timeout=simulate.COMPILE_SECONDS,
        cwd=folder,
        log=log,
    )
    image = (folder / "firmware.bin").read_bytes()
    image += bytes(-len(image) % (ROM_STEP * WORD))
    lines = [image[at : at + WORD][::-1].hex() for at in range(0, len(image), WORD)]
    (folder / IMAGE).write_text("\n".join(lines) + "\n", encoding="ascii")


# Simulator ----------------------------------------------------------------------------------------

_FLAGS = (
    *("--cc", "--exe", "-O3", "--prefix", "Vsoc", "--top-module", "soc", "-o", "console"),
    *("--x-assign", "unique", "--x-initial", "unique", "--no-assert"),
    *("-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-TIMESCALEMOD"),
    # One C++ file: the wheel's makefile cannot use the precompiled header that splitting brings.
    *("--output-split", "0"),
)
# Models of a family's own cells, from Yosys, where the system uses some.
_CELLS = {"ice40": "ice40/cells_sim.v"}


def simulator(
    accelerator: Accelerator,
    variant: Variant,
    core: Core,
    board: Board,
    bug: str = "",
) -> Path:
    """Return a program that is the board's system with its serial line on input and output.

    `bug` is a planted bug of the unit or of shared RTL. +divisor must be SIM_DIVISOR.
    """
    image = firmware(accelerator, variant, core, board.manifest)
    files = [*_cells(board), *rtl(accelerator, variant, core, board.ram())]
    files = planted.plant(bug, accelerator.bugs(), files, BUILD / "planted")
    settings = {
        "RomWords": image.words,
        "RamWords": board.manifest.ram_words,
        "Divisor": SIM_DIVISOR,
        "ClockKhz": khz(board.manifest.clock_mhz),
    }
    flags = [*_FLAGS, *(f"-G{name}={value}" for name, value in settings.items())]
    flags.append("-DNO_ICE40_DEFAULT_ASSIGNMENTS")
    key = proc.digest(
        *(simulate.verilator_version(), proc.version_line("c++"), "\0".join(flags)),
        *(ctokens.digest([HARNESS]), image.folder / IMAGE),
        hdl.digest(
            files, "soc", (*hdl.VERILATOR, *(word[2:] for word in flags if word[:2] == "-D"))
        ),
    )[:24]
    log = BUILD / "logs" / f"console-{accelerator.name}-{variant.name}-{key}.log"
    roots = {"VERILATOR_ROOT": str(simulate.verilator_root())}

    def make(folder: Path) -> None:
        (folder / IMAGE).write_bytes((image.folder / IMAGE).read_bytes())
        program = simulate.verilator_root() / "bin" / "verilator"
        words: list[str | Path] = [program, *flags, "-Mdir", folder, *files, HARNESS]
        proc.run(words, timeout=simulate.BUILD_SECONDS, env=roots, log=log)
        make_words: list[str | Path] = ["make", "-C", folder, "-f", "Vsoc.mk", "OPT_FAST=-O2"]
        with simulate.runtime(folder, trace=False):
            proc.run(
                [*make_words, "VM_PARALLEL_BUILDS=0"],
                timeout=simulate.BUILD_SECONDS,
                env=roots,
                log=log,
            )
        for path in folder.iterdir():
            if path.name not in ("console", IMAGE):
                path.unlink()

    return simulate.cached(BUILD / "boards" / "models" / key, make) / "console"


def _cells(board: Board) -> list[Path]:
    """Return simulation models of the cells that the board's RAM instantiates."""
    name = _CELLS.get(board.manifest.family)
    if name is None or "SB_" not in board.ram().read_text(encoding="utf-8"):
        return []
    spec = find_spec("pyosys")
    if spec is None or not spec.submodule_search_locations:
        raise ToolError("the Python package 'pyosys' is not installed", "run `make setup`")
    return [_there(Path(next(iter(spec.submodule_search_locations))) / "share" / name)]


def khz(mhz: float) -> int:
    """Return a clock of `mhz` in kHz, for software."""
    return round(1000 * mhz)
