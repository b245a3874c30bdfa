# SPDX-License-Identifier: Apache-2.0
"""The timing diagrams of the report, played against the RTL: what is drawn is what it does.

What the core drives in a drawing is driven into the adapter, with a unit on it that adds its
operands; what the adapter answers in each clock must be what is drawn.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.report import timing
from aesforge.report.timing import Interface, Signal

INTERFACES = timing.interfaces()
MODULES = [ROOT / "rtl/bus/fifo.sv"]
UNIT = "fu"  # the functional-unit port itself

# A unit that adds: combinational, or with a register and full handshake.
ADDER = """
module adder #(parameter Latency = 0) (
  input  logic clk_i, input logic rst_ni,
  input  logic req_valid_i, output logic req_ready_o,
  input  logic [31:0] req_rs1_i, input logic [31:0] req_rs2_i,
  output logic rsp_valid_o, input logic rsp_ready_i, output logic [31:0] rsp_rd_o
);
  if (Latency == 0) begin : gen_now
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
    assign rsp_rd_o = req_rs1_i + req_rs2_i;
  end else begin : gen_later
    logic full_q; logic [31:0] sum_q;
    assign req_ready_o = !full_q || rsp_ready_i;
    assign rsp_valid_o = full_q;
    assign rsp_rd_o = sum_q;
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni) full_q <= 1'b0;
      else if (req_ready_o) full_q <= req_valid_i;
    always_ff @(posedge clk_i) if (req_valid_i && req_ready_o) sum_q <= req_rs1_i + req_rs2_i;
  end
endmodule
"""

FU_PORTS = """
  input clk_i, input rst_ni, input req_valid_i, output req_ready_o, input [15:0] req_op_i,
  input [31:0] req_rs1_i, input [31:0] req_rs2_i, output rsp_valid_o, input rsp_ready_i,
  output [31:0] rsp_rd_o
"""


def expand(wave: str) -> str:
    """Write out what '.' repeats."""
    told = ""
    for what in wave:
        told += told[-1] if what == "." else what
    return told


def ports(interface: Interface) -> dict[str, int]:
    """Widths of the module's ports."""
    source = FU_PORTS
    if interface.port != UNIT:
        source = (ROOT / f"rtl/adapters/fu_to_{interface.port}.sv").read_text()
    found: dict[str, int] = {}
    for high, name in re.findall(
        r"(?:input|output)\s+(?:logic)?\s*(?:\[(\S+):0\])?\s*(\w+)", source
    ):
        found[name] = {"": 1, "IdW-1": 4}.get(high) or int(high) + 1
    return found


def driven(signal: Signal, at: int, interface: Interface) -> str:
    """What the core drives in a clock, as a Verilog constant; '-': something wild."""
    what = expand(signal.wave)[at]
    number = {"0": 0, "1": 1, "-": 0xFFFF_FFFF}.get(what)
    return str(interface.values[what] if number is None else number)


def bench(interface: Interface) -> str:
    """Return a test bench that prints every signal of the unit's side just before each edge."""
    widths = ports(interface)
    mine = [s for s in interface.signal if s.by == "core" and not s.wave.startswith("p")]
    theirs = [s for s in interface.signal if s.by == "unit"]
    declared = "\n".join(f"  logic [{width - 1}:0] {name};" for name, width in widths.items())
    clocked = "clk_i" in widths
    lines = []
    for at in range(interface.clocks):
        values = " ".join(f"{s.name} = {driven(s, at, interface)};" for s in mine)
        shown = ", ".join(s.name for s in theirs)
        spaced = " ".join(["%0d"] * len(theirs))
        lines.append(f'    {values} #8 $display("{spaced}", {shown}); #2;')
    steps = "\n".join(lines)
    tied = {"dec_match_i": _match(interface), "dec_rs2_i": "1", "dec_rs3_i": "0", "dec_op_i": "0"}
    ties = "\n".join(f"  assign {name} = {text};" for name, text in tied.items() if name in widths)
    if interface.port == UNIT:
        behind = f"adder #(.Latency({interface.latency})) u_dut (.*);".replace(
            ".*", ", ".join(f".{name}" for name in widths if name != "req_op_i")
        )
        reset = "rst_ni"
    else:
        params = ", ".join(f".{name}({value})" for name, value in interface.params.items())
        pins = ", ".join(f".{name}" for name in widths)
        clock = ".clk_i, .rst_ni" if clocked else ".clk_i(1'b0), .rst_ni(1'b1)"
        handshake = (
            ".req_valid_i(req_valid_o), .req_ready_o(req_ready_i),"
            " .rsp_valid_o(rsp_valid_i), .rsp_ready_i(rsp_ready_o),"
        )
        if "req_valid_o" not in widths:
            handshake = ".req_valid_i(1'b1), .req_ready_o(), .rsp_valid_o(), .rsp_ready_i(1'b1),"
        behind = (
            f"fu_to_{interface.port} #({params}) u_dut ({pins});\n"
            f"  adder #(.Latency({interface.latency})) u_unit ({clock}, {handshake}"
            " .req_rs1_i(req_rs1_o), .req_rs2_i(req_rs2_o), .rsp_rd_o(rsp_rd_i));"
        )
        reset = "rst_ni"
    begin = f"{reset} = 0; #3 {reset} = 1; #7;" if clocked else "#10;"
    ticks = "always begin clk_i = 0; #5 clk_i = 1; #5; end" if clocked else ""
    idle = " ".join(f"{s.name} = 0;" for s in mine)
    # Edges at 5, 15, ...: inputs change one unit after an edge, outputs are read one before.
    return (
        f"module bench;\n{declared}\n{ties}\n  {behind}\n  {ticks}\n"
        f"  initial begin\n    {idle} {begin} #6;\n{steps}\n    $finish;\n  end\nendmodule\n"
    )


def _match(interface: Interface) -> str:
    """A decoder that knows custom-0 alone."""
    return "1" if "nios" in interface.port else "dec_insn_o[6:0] == 7'h0b"


def played(interface: Interface, folder: Path, text: str | None = None) -> list[list[str]]:
    """Simulate a drawing; return the unit's signals, one list of numbers a clock."""
    source = folder / "bench.sv"
    source.write_text(ADDER + bench(interface))
    adapter = ROOT / f"rtl/adapters/fu_to_{interface.port}.sv"
    files = [*MODULES, source]
    if interface.port != UNIT:
        copy = folder / adapter.name
        copy.write_text(text or adapter.read_text())
        files.append(copy)
    model = folder / "bench.vvp"
    subprocess.run(["iverilog", "-g2012", "-s", "bench", "-o", model, *files], check=True)
    done = subprocess.run(
        ["vvp", "-n", model], capture_output=True, text=True, check=True, timeout=60
    )
    return [line.split() for line in done.stdout.splitlines() if re.match(r"[\dxz]", line)]


def differences(interface: Interface, clocks: list[list[str]]) -> list[str]:
    """Compare what was played with what is drawn."""
    found = []
    theirs = [signal for signal in interface.signal if signal.by == "unit"]
    assert len(clocks) == interface.clocks
    for place, signal in enumerate(theirs):
        for at, what in enumerate(expand(signal.wave)):
            if what != "-":
                wanted = {"0": 0, "1": 1}.get(what, interface.values.get(what))
                if clocks[at][place] != str(wanted):
                    found.append(f"{signal.name}, clock {at}: {clocks[at][place]}, not {wanted}")
    return found


needs_icarus = pytest.mark.skipif(not shutil.which("iverilog"), reason="no Icarus Verilog")


@needs_icarus
@pytest.mark.parametrize("interface", INTERFACES, ids=lambda found: found.title)
def test_a_drawing_is_what_the_rtl_does(interface: Interface, tmp_path: Path) -> None:
    """Level by level and value by value."""
    assert differences(interface, played(interface, tmp_path)) == []


@needs_icarus
@pytest.mark.parametrize("interface", INTERFACES, ids=lambda found: found.title)
def test_a_wrong_drawing_is_seen(interface: Interface, tmp_path: Path) -> None:
    """Each of the unit's levels turned over in turn is a difference."""
    clocks = played(interface, tmp_path)
    for place, signal in enumerate(interface.signal):
        if signal.by == "unit" and set(signal.wave) <= set("01"):
            for at in range(interface.clocks):
                wave = signal.wave[:at] + "10"[int(signal.wave[at])] + signal.wave[at + 1 :]
                wrong = signal.model_copy(update={"wave": wave})
                signals = [*interface.signal[:place], wrong, *interface.signal[place + 1 :]]
                changed = interface.model_copy(update={"signal": signals})
                assert len(differences(changed, clocks)) == 1


def test_every_adapter_is_drawn() -> None:
    """A new port brings its drawing."""
    adapters = {path.stem.removeprefix("fu_to_") for path in ROOT.glob("rtl/adapters/fu_to_*.sv")}
    assert {found.port for found in INTERFACES} == adapters | {UNIT}


def test_waves_are_of_one_length() -> None:
    """Every signal of a drawing has as many clocks, and its letters have values."""
    for interface in INTERFACES:
        for signal in interface.signal:
            assert len(signal.wave) == interface.clocks, f"{interface.title}: {signal.name}"
            letters = set(signal.wave) - set("01.-p")
            assert letters <= set(interface.values), f"{interface.title}: {signal.name}"
        assert timing.svg(interface).count("<g class=") == len(interface.signal)
