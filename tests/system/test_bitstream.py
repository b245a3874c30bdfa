# SPDX-License-Identifier: Apache-2.0
"""Boards: the system is talked to over its simulated serial line; a bitstream is built (slow)."""

import hashlib
import itertools
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from typer.testing import CliRunner

from aesforge import cli, export
from aesforge.base import proc
from aesforge.base.errors import AesforgeError, ManifestError, ToolError, UsageError
from aesforge.base.paths import ROOT
from aesforge.boards import bitstream, soc
from aesforge.boards.soc import Core
from aesforge.build import codegen, library
from aesforge.catalog import manifest
from aesforge.catalog.manifest import FOR_SIMULATIONS, Accelerator, Variant
from aesforge.export import litex
from aesforge.records import record
from aesforge.verify import lint
from harness_support import SMALLEST
from marks_support import each_once, slow_unless
from platform_support import FIRMWARE

UNITS = manifest.aes_units()
PERIPHERALS = [found for found in manifest.on_cores() if found.manifest.kind == "mmio"]
MASTERS = [found for found in manifest.on_cores() if found.manifest.kind == "dma"]
VARIANT = SMALLEST.variant("")
CORES = soc.cores()
CLOCKS = 10_000_000  # a whole conversation takes a quarter of it
KEY = bytes(range(16))
PLAIN = "00112233445566778899aabbccddeeff"
MEANWHILE = ["encrypted", "used meanwhile", "used through the repetition", "no access to ROM"]
CIPHER = "69c4e0d86a7b0430d8cdb78070b4c55a"  # FIPS 197, appendix C.1


def core_name(core: Core) -> str:
    """For ids of tests."""
    return core.platform.name


def of(unit: Accelerator) -> Variant:
    """Return a unit's first variant."""
    return unit.variant("")


every_core = pytest.mark.parametrize("core", CORES, ids=core_name)


def fitting() -> list[object]:
    """The first variant of each accelerator that a core can be given, as parameters."""
    found: list[object] = []
    for core, unit in itertools.product(CORES, [*UNITS, *PERIPHERALS, *MASTERS]):
        for variant in unit.manifest.variant:
            try:
                soc.require_fit(unit, variant, core)
            except UsageError:
                continue
            name = f"{core.platform.name}-{unit.name}-{variant.name}"
            found.append(pytest.param(core, unit, variant, id=name))
            break
    return found


def say(
    lines: list[str],
    board: str,
    *,
    core: Core = CORES[0],
    unit: Accelerator = SMALLEST,
    variant: Variant = VARIANT,
    bug: str = "",
) -> subprocess.CompletedProcess[str]:
    """Talk to a board's system over its serial line."""
    chosen = soc.find_board(board)
    program = soc.simulator(unit, variant, core, chosen, bug)
    words = [str(program), f"+divisor={soc.SIM_DIVISOR}", f"+max={CLOCKS}"]
    return subprocess.run(
        words,
        cwd=program.parent,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=300,
    )


# The console --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("core", "board"),
    each_once(
        itertools.product(CORES, [board.name for board in soc.boards()]),
        lambda pair: [pair[0].platform.name, pair[1]],
    ),
)
def test_the_console_computes_fips_197(core: Core, board: str) -> None:
    """A key and a text typed in hexadecimal give the ciphertext of the standard, and back."""
    talk = ["t", f"k {KEY.hex()}", f"e {PLAIN}", f"d {CIPHER.upper()}", "b"]
    done = say(talk, board, core=core)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout
    assert f"{SMALLEST.name}/{VARIANT.name}: AES on the serial line" in said
    assert said.count(": right") == 7 and "WRONG" not in said
    assert re.search(r"key of 128 bits: \d+ cycles to set up for encryption, \d+ for dec", said)
    assert re.search(rf"^{CIPHER} \((\d+) cycles\)$", said, re.MULTILINE)
    assert re.search(rf"^{PLAIN} \((\d+) cycles\)$", said, re.MULTILINE)
    clock = soc.find_board(board).manifest.clock_mhz
    bulk = re.search(r"120 blocks in (\d+) cycles, (\S+) a block: (\S+) Mbit/s at (\S+) MHz", said)
    assert bulk is not None and float(bulk[4]) == clock
    assert float(bulk[2]) == pytest.approx(int(bulk[1]) / 120, abs=0.001)
    assert float(bulk[3]) == pytest.approx(128 * 120 * clock / int(bulk[1]), abs=0.001)


def test_the_console_answers_mistakes() -> None:
    """A text without a key, wrong lengths, a digit that is none, a line too long, a backspace."""
    talk = ["e 00", f"k {KEY.hex()[2:]}", "k zz", f"k {KEY.hex()}", "e 0011", "x", "k " + "0" * 300]
    talk += ["?", f"e {PLAIN[:-2]}00\b\bff", ""]
    done = say(talk, soc.boards()[0].name)
    assert done.returncode == 0, done.stdout + done.stderr
    answers = [answer.strip() for answer in done.stdout.split("> ")][1:]
    wanted = (
        *("first a key", "a key has 32, 48 or 64", "a key has 32, 48 or 64", "key of 128 bits"),
        *("a text has 32, 64", "? lists the commands", "characters were lost", "k HEX   key"),
        *(CIPHER, ""),
    )
    for answer, part in zip(answers, wanted, strict=False):
        assert part in answer, (part, answer)


def test_the_cycles_are_those_of_the_published_records() -> None:
    """Without a cache one block takes what it takes on the simulated platform.

    The first core has none, and the board's memory never waits.
    """
    core = CORES[0].platform.name
    published = [
        figure.cycles
        for entry in record.read_published()
        if (entry.accelerator, entry.variant) == (SMALLEST.name, VARIANT.name)
        and (entry.platform, entry.question) == (core, "speed")
        for figure in entry.figures
        if (figure.direction, figure.key_bits, figure.mode, figure.blocks)
        == ("encrypt", 128, "ecb", 1)
    ]
    done = say([f"k {KEY.hex()}", f"e {PLAIN}"], soc.boards()[0].name)
    found = re.search(rf"^{CIPHER} \((\d+) cycles\)$", done.stdout, re.MULTILINE)
    assert found is not None and published
    assert int(found[1]) == pytest.approx(published[0], rel=0.01)


def test_planted_defects_are_seen() -> None:
    """A defect of the unit makes FIPS 197 wrong; one of the serial line breaks the conversation."""
    board = soc.boards()[0].name
    bug = next(bug.name for bug in SMALLEST.manifest.bug if not bug.variant)
    wrong = say(["t"], board, bug=bug)
    assert "FIPS 197: WRONG" in wrong.stdout and "FIPS 197: right" not in wrong.stdout
    mixed = say(["t"], board, bug="BUG_SOC_UART_ORDER")
    assert mixed.returncode != 0 and "FIPS 197" not in mixed.stdout


@pytest.mark.slow
def test_a_bit_taken_too_late_is_seen() -> None:
    """A receiver that looks at the next bit understands nothing."""
    board = soc.boards()[0].name
    talk = [f"k {KEY.hex()}", f"e {PLAIN}"]
    assert CIPHER not in say(talk, board, bug="BUG_SOC_UART_MIDDLE").stdout


@every_core
def test_a_stopped_core_is_seen(core: Core, tmp_path: Path) -> None:
    """An instruction that nobody knows is a trap, and the simulation says so."""
    board = soc.find_board(soc.boards()[0].name)
    image = soc.firmware(SMALLEST, VARIANT, core, board.manifest)
    lines = (image.folder / soc.IMAGE).read_text().splitlines()
    with (image.folder / "firmware.elf").open("rb") as file:
        main = ELFFile(file).get_section_by_name(".symtab").get_symbol_by_name("main")[0]
        lines[main["st_value"] // 4] = "00000000"
    (tmp_path / soc.IMAGE).write_text("\n".join(lines))
    model = soc.simulator(SMALLEST, VARIANT, core, board)
    done = subprocess.run([model], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 103 and "the core stopped" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("core", "unit", "variant"), fitting())
def test_every_unit_computes_fips_197(core: Core, unit: Accelerator, variant: Variant) -> None:
    """Every unit that the port can feed and every peripheral, on a board with room for the code."""
    done = say(["t"], "ulx3s", core=core, unit=unit, variant=variant)
    assert "FIPS 197: right" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("core", slow_unless(lambda core: core is CORES[-1], CORES), ids=core_name)
def test_a_peripheral_computes_fips_197(core: Core) -> None:
    """The core waits for its registers: key, text and result pass them, in bulk too."""
    for unit in PERIPHERALS:
        done = say(["t", f"k {KEY.hex()}", "b"], "ulx3s", core=core, unit=unit, variant=of(unit))
        assert "FIPS 197: right" in done.stdout, done.stdout + done.stderr
        assert "120 blocks in " in done.stdout


# Bus masters --------------------------------------------------------------------------------------


def report(
    unit: Accelerator, core: Core, monkeypatch: pytest.MonkeyPatch, bug: str = ""
) -> list[str]:
    """Return what firmware/meanwhile.c reports in place of the console."""
    monkeypatch.setattr(soc, "CONSOLE", FIRMWARE / "meanwhile.c")
    return say([], "ulx3s", core=core, unit=unit, variant=of(unit), bug=bug).stdout.splitlines()


@pytest.mark.parametrize("core", slow_unless(lambda core: core is CORES[0], CORES), ids=core_name)
def test_the_core_uses_what_a_bus_master_works_on(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Accesses to unfinished blocks wait, at each address of RAM; ROM is a bus error."""
    for unit in MASTERS:
        assert report(unit, core, monkeypatch)[:4] == [f"{what}: right" for what in MEANWHILE]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "first"),
    [
        ("BUG_SOC_MASTER_STALL", 1),
        ("BUG_SOC_MASTER_TURN", 1),
        ("BUG_SOC_MASTER_REPEATED", 2),
        ("BUG_SOC_MASTER_OUTSIDE", 3),
    ],
)
def test_defects_between_core_and_bus_master_are_seen(
    bug: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each breaks what it should: `first` reports are right, the next one is not."""
    told = report(MASTERS[0], CORES[0], monkeypatch, bug)
    assert told[:first] == [f"{what}: right" for what in MEANWHILE[:first]]
    assert told[first : first + 1] != [f"{MEANWHILE[first]}: right"]


@pytest.mark.slow
@every_core
def test_a_bus_master_computes_fips_197(core: Core) -> None:
    """Key and text typed on the console, both directions, and many blocks in one job."""
    talk = ["t", f"k {KEY.hex()}", f"e {PLAIN}", f"d {CIPHER}", "b"]
    for unit in MASTERS:
        said = say(talk, "ulx3s", core=core, unit=unit, variant=of(unit)).stdout
        assert said.count(": right") == 7 and "WRONG" not in said
        assert re.search(rf"^{CIPHER} \(\d+ cycles\)$", said, re.MULTILINE)
        assert re.search(rf"^{PLAIN} \(\d+ cycles\)$", said, re.MULTILINE)
        assert "120 blocks in " in said


def test_only_bus_masters_share_the_ram() -> None:
    """Each kind of accelerator gets one of two systems; both have the same ports."""
    ram = soc.find_board("ulx3s").ram()
    for unit, system, other in (
        *((unit, "soc_dma.sv", "soc_block.sv") for unit in MASTERS),
        *((unit, "soc.sv", "soc_master.sv") for unit in (SMALLEST, *PERIPHERALS)),
    ):
        names = [path.name for path in soc.rtl(unit, of(unit), CORES[0], ram)]
        assert names[-1] == system and other not in names
        assert names.count("soc_ram_block.sv") == 1


@pytest.mark.parametrize("tool", lint.TOOLS)
def test_what_shares_the_ram_is_clean_in_every_tool(tool: str, tmp_path: Path) -> None:
    """Lint, with a bus master; the generated module around it has pins that are open."""
    ram = soc.find_board("ulx3s").ram()
    for unit in MASTERS:
        block = codegen.generate_peripheral(tmp_path, unit, of(unit))[1]
        given = [block, ram, soc.SHARED / "soc_master.sv"]
        files = library.with_shared(given, unit)
        found = lint.lint(tool, files, "soc_master", scratch=tmp_path)
        allowed = re.compile(r"PINCONNECTEMPTY: .*accel_block\.sv|DECLFILENAME: .*soc_ram_block")
        assert [text for text in found.messages if not allowed.search(text)] == []


@pytest.mark.slow
def test_a_bus_master_without_its_kind_of_ram_is_refused(tmp_path: Path) -> None:
    """The smallest board has none in its logic: one line, before placement."""
    smallest = min(soc.boards(), key=lambda board: board.device[0].luts).name
    out = tmp_path / "none.bin"
    for unit in MASTERS:
        done = command("--board", smallest, f"{unit.name}/fpga", "-o", str(out))
        assert done.returncode == 1 and not out.exists()
        assert "does not fit into the device, which has no RAM of the kind that" in done.stderr


def test_a_kernel_that_waits_for_interrupts_is_refused() -> None:
    """The system has none: one line, before anything is built."""
    every = [*PERIPHERALS, *MASTERS]
    asleep = [(u, v) for u in every for v in u.manifest.variant if v.name == "interrupt"]
    for unit, variant in asleep:
        with pytest.raises(UsageError, match=r"waits for interrupts, which this system does not"):
            soc.firmware(unit, variant, CORES[0], soc.find_board("ulx3s").manifest)
    assert asleep


# Boards -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [board.name for board in soc.boards()])
def test_a_board_is_whole(name: str, tmp_path: Path) -> None:
    """Its files are there, every port of its top module has a pin, and Yosys elaborates it."""
    board = soc.find_board(name)
    *sources, pins = board.files()
    text = sources[-1].read_text(encoding="utf-8")
    ports = re.findall(r"^  (?:input|output) +logic +(?:\[\d:0\] +)?(\w+)", text, re.MULTILINE)
    placed = pins.read_text(encoding="utf-8")
    assert ports and all(re.search(rf"\b{port}\b", placed) for port in ports)
    assert "Source" in placed and re.search(r"Source", (board.folder / "board.toml").read_text())
    clock = tmp_path / "soc_clock.sv"
    clock.write_text(bitstream._DIRECT, encoding="utf-8")
    core = CORES[0]
    image = soc.firmware(SMALLEST, VARIANT, core, board.manifest)
    shutil.copyfile(image.folder / soc.IMAGE, tmp_path / soc.IMAGE)
    files = [*soc.rtl(SMALLEST, VARIANT, core, board.ram()), *soc.board_rtl(board), clock]
    listed = " ".join(f'"{path}"' for path in files)
    commands = [f"read_verilog -sv {listed}", f"chparam -set RomWords {image.words} top"]
    family = bitstream.FAMILIES[board.manifest.family].command.split()[0].removeprefix("synth_")
    cells = f"read_verilog -lib +/{family}/cells_sim.v"
    bitstream.flow.yosys(
        [cells, *commands, "hierarchy -check -top top", "proc", "check -assert"],
        tmp_path,
        "read",
        tmp_path / "log",
    )


@pytest.mark.parametrize("tool", lint.TOOLS)
def test_the_serial_line_is_clean_in_every_tool(tool: str, tmp_path: Path) -> None:
    """Lint of what is on its own."""
    files = [ROOT / "rtl" / "bus" / "fifo.sv", soc.SHARED / "soc_uart.sv"]
    for top, sources in (("soc_uart", files), ("soc_ram", [soc.SHARED / "soc_ram_block.sv"])):
        if top == "soc_ram" and tool == "verilator":
            continue  # the file is named after the kind of RAM, the module after its place
        found = lint.lint(tool, sources, top, scratch=tmp_path / top)
        assert found.ok, found.messages


def test_unknown_board_and_damaged_files(tmp_path: Path) -> None:
    """Each is one line that says what there is, or which key is wrong."""
    with pytest.raises(
        UsageError, match=r"no board 'nosuch' \(known: .*icebreaker/up5k.*ulx3s/25f"
    ):
        soc.find_board("nosuch")
    with pytest.raises(UsageError, match="no board 'ulx3s/12x'"):
        soc.find_board("ulx3s/12x")
    good = (soc.BOARDS / "ulx3s" / "board.toml").read_text(encoding="utf-8")
    (tmp_path / "ulx3s").mkdir()
    place = tmp_path / "ulx3s" / "board.toml"
    for text, told in (
        (good.replace("family =", "familie ="), "familie: unknown key"),
        (good.replace('family = "ecp5"', 'family = "max10"'), "family"),
        (good.replace('name = "ulx3s"', 'name = "other"'), "differs from the folder"),
        (good.replace("[[device]]", "[[device"), "not valid TOML"),
    ):
        place.write_text(text, encoding="utf-8")
        with pytest.raises(ManifestError, match=told):
            soc.boards(tmp_path)
    place.write_text(good, encoding="utf-8")
    with pytest.raises(ManifestError, match=r"top\.sv does not exist"):
        soc.find_board("ulx3s", tmp_path).files()


# The command --------------------------------------------------------------------------------------


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the tool as a user does."""
    return subprocess.run(
        ["aesforge", "bitstream", *words],
        env=proc.environment(),
        input="t\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_the_command_teaches() -> None:
    """Help, the list of boards, and one line for each mistake."""
    shown = CliRunner().invoke(cli.app, ["bitstream", "--help"])
    assert "serial console" in shown.output and "--simulate" in shown.output
    listed = CliRunner().invoke(cli.app, ["bitstream"])
    assert all(board.name in listed.output for board in soc.boards())
    for words, status, told in (
        (["--board", "nosuch", SMALLEST.name], 2, "there is no board 'nosuch'"),
        ([SMALLEST.name], 2, "no board is named"),
        (["--board", "ulx3s", "nosuch"], 2, "nosuch"),
        (
            ["--board", "ulx3s", "--platform", "nosuch", SMALLEST.name],
            2,
            f"known: {CORES[0].platform.name}",
        ),
    ):
        done = command(*words)
        assert done.returncode == status and told in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


@every_core
def test_what_cannot_stand_on_a_board_is_refused(core: Core) -> None:
    """A stream, software, no AES, a third operand: one line that says why."""
    with_aes = {unit.name for unit in UNITS}
    for unit in (found for found in manifest.units() if found.name not in with_aes):
        with pytest.raises(UsageError, match=f"{unit.name} has no AES: the console has nothing"):
            soc.require_fit(unit, unit.variant(""), core)
    ported = {unit.name for unit in manifest.units()}
    ported |= {unit.name for unit in (*PERIPHERALS, *MASTERS)}
    others = [unit for unit in manifest.discover() if unit.name not in ported]
    assert others
    for unit in others:
        with pytest.raises(UsageError):
            soc.require_fit(unit, unit.variant(""), core)
    three = [
        (unit, variant)
        for unit in UNITS
        for variant in unit.manifest.variant
        if any("rs3" in op.parsed.registers for op in unit.manifest.operations(variant))
    ]
    for unit, variant in three:
        with pytest.raises(UsageError, match="reads 3 registers"):
            soc.require_fit(unit, variant, core)


def test_no_bitstream_has_what_is_for_simulations() -> None:
    """A known sequence in place of entropy would make the shares of a key worthless."""
    chosen = [
        (unit, variant)
        for unit in PERIPHERALS
        for variant in unit.manifest.variant
        if any(word.startswith(FOR_SIMULATIONS) for word in variant.defines)
    ]
    assert chosen
    for unit, variant in chosen:
        with pytest.raises(UsageError, match="needs entropy, which this system does not have"):
            bitstream.build(unit, variant, soc.find_board("ulx3s"), CORES[0])


def test_simulate_is_a_console() -> None:
    """`--simulate` passes what is typed to the simulated system."""
    done = command("--board", "ulx3s", SMALLEST.name, "--simulate")
    assert done.returncode == 0 and "FIPS 197: right" in done.stdout, done.stderr


# Bitstreams ---------------------------------------------------------------------------------------


def test_too_large_and_too_slow_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More LUTs than there are, code larger than the ROM, a clock that no placement reaches."""
    board = soc.find_board("icebreaker")
    wanted = bitstream.Wanted(SMALLEST, VARIANT, board, CORES[0], 12.0, 2)
    with pytest.raises(AesforgeError, match=r"takes 9000 LUTs, the device has 5280 \(choose a sm"):
        bitstream._require_room(wanted, bitstream.Resources(lut4=9000))
    with pytest.raises(AesforgeError, match="takes 31 block RAMs, the device has 30"):
        bitstream._require_room(wanted, bitstream.Resources(lut4=9, bram=31))
    small = board.manifest.model_copy(update={"rom_words": 256})
    with pytest.raises(UsageError, match="larger than the board's ROM of 1024 bytes"):
        soc.firmware(SMALLEST, VARIANT, CORES[0], small)
    (tmp_path / "report.json").write_text(json.dumps({"fmax": {"clk": {"achieved": 11.5}}}))
    placed = proc.Finished(0, "", "", 0.0)
    monkeypatch.setattr(proc, "run", lambda *words, **options: placed)
    with pytest.raises(AesforgeError, match=r"11.5 MHz is the best of 2 .* \(try --seeds 4\)"):
        bitstream._route(wanted, tmp_path, tmp_path / "log", lambda text: None)
    odd = "failed with status 1: ERROR: no valid mapping found for memory top.u_soc.u_x.words"
    told = bitstream._without_ram(wanted, ToolError(odd))
    assert told.exit_status == 1 and "no RAM of the kind that u_x.words needs" in str(told)
    other = ToolError("another")
    assert bitstream._without_ram(wanted, other) is other
    full = proc.Finished(1, "", "ERROR: Unable to place cell 'x', no BELs remaining\n", 0.0)
    monkeypatch.setattr(proc, "run", lambda *words, **options: full)
    with pytest.raises(AesforgeError, match="does not fit into the device: Unable to place"):
        bitstream._route(wanted, tmp_path, tmp_path / "log", lambda text: None)


def test_a_pll_gives_the_clock_or_says_which_one(tmp_path: Path) -> None:
    """The settings are the family's tool's; a clock that is only near is refused by its name."""
    for name, clock, near in (("ulx3s", 40.0, (12.0, "12.5")), ("icebreaker", 18.0, (12.5, ""))):
        board = soc.find_board(name)
        wanted = bitstream.Wanted(SMALLEST, VARIANT, board, CORES[0], clock, 1)
        text = bitstream._clock(wanted, tmp_path, tmp_path / name).read_text(encoding="utf-8")
        assert "module soc_pll" in text and "module soc_clock" in text
        wanted = replace(wanted, clock_mhz=near[0])
        with pytest.raises(AesforgeError, match=f"--mhz.* {near[1]}"):
            bitstream._clock(wanted, tmp_path, tmp_path / name)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "mhz"), [("icebreaker", "201"), ("ulx3s/25f", "200")])
def test_a_bitstream_is_built(board: str, mhz: str, tmp_path: Path) -> None:
    """Timing met, file written as the record says; with an impossible clock nothing is written."""
    done = command("--board", board, SMALLEST.name, "--json", "-o", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["fmax_mhz"] >= told["clock_mhz"] and told["lut4"] > 1000
    assert (tmp_path / "out").stat().st_size == told["bytes"] > 10_000
    assert hashlib.sha256((tmp_path / "out").read_bytes()).hexdigest() == told["bitstream_sha256"]
    fast = command("--board", board, SMALLEST.name, "--mhz", mhz, "--seeds", "1", "-o", "fast")
    assert fast.returncode != 0 and f"{mhz} MHz are needed" in fast.stderr
    assert not Path("fast").exists()


@pytest.mark.slow
def test_a_system_of_litex_is_built() -> None:
    """From an export; file and clock are as recorded; a clock that is missed is an error."""
    board = soc.find_board("ulx3s")
    built = litex.build(SMALLEST, VARIANT, board)
    record = built.record
    assert record.system == litex.SYSTEM and record.fmax_mhz >= record.clock_mhz == litex.CLOCK_MHZ
    assert hashlib.sha256(built.file.read_bytes()).hexdigest() == record.bitstream_sha256
    assert record.bytes > 100_000 and record.lut4 > 5000 and record.bram > 20
    with pytest.raises(AesforgeError, match="MHz is the best of 1 placements, 100 MHz are needed"):
        litex.build(SMALLEST, VARIANT, board, clock_mhz=100.0, seeds=1)


def test_litex_is_offered_where_it_works() -> None:
    """Another board, another core, a unit without a CFU port, the console: one line each."""
    other = next(board.name for board in soc.boards() if not board.litex)
    other_core = next(x.platform.name for x in CORES if x.platform.manifest.port != litex.PORT)
    unfit = next(
        f"{unit.name}/{variant.name}"
        for unit in manifest.units()
        for variant in unit.manifest.variant
        if litex.PORT not in export.hosts_of(unit, variant)
    )
    for words, told in (
        (["--board", other, SMALLEST.name], f"LiteX's system is not offered on {other}"),
        (["--board", "ulx3s", "--platform", other_core, SMALLEST.name], "LiteX's system has"),
        (["--board", "ulx3s", "--simulate", SMALLEST.name], "--simulate is of the console"),
        (["--board", "ulx3s", unfit], f"port {litex.PORT}"),
    ):
        done = command("--litex", *words)
        assert done.returncode == 2 and told in done.stderr, done.stderr
        assert len(done.stderr.strip().splitlines()) <= 2


def test_the_page_shows_the_records(tmp_path: Path) -> None:
    """docs/boards.md is made from results/bitstreams.jsonl; another figure changes it."""
    published = bitstream.read_published()
    assert bitstream.page(published) == bitstream.PAGE.read_text(encoding="utf-8")
    stale = tmp_path / "boards.md"
    stale.write_text(bitstream.page(published).replace("MHz", "kHz"), encoding="utf-8")
    assert bitstream.page(published, stale) != stale.read_text(encoding="utf-8")


def test_records_join(tmp_path: Path) -> None:
    """A record takes the place of the one of the same build and leaves others alone."""
    kept = bitstream.read_published()[:2]
    assert len(kept) == 2
    path = tmp_path / "kept.jsonl"
    bitstream.publish(kept, path)
    bitstream.publish([kept[0].model_copy(update={"seed": 9})], path)
    assert [entry.seed for entry in bitstream.read_published(path)] == [9, kept[1].seed]
