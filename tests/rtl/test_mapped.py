# SPDX-License-Identifier: Apache-2.0
"""Units with S-boxes in block RAM after mapping: the netlist passes the unit bench (slow).

The contents of the memories are constants of the RTL, so that a mapping must carry them to the
cells. The bench of `aesforge check` runs on what Yosys makes of a variant, with Yosys's models of
the cells. It has none of ECP5's block RAM: the model here is for two ports that only read,
or for one that writes and one that reads, both of 36 bits.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from aesforge.build import cocotb_sim
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.synth import flow
from aesforge.verify import unit_bench
from aesforge.verify.lint import UNIT_TOP

MODELS = {
    "ecp5-85f": "read_verilog -overwrite +/ecp5/cells_sim.v; read_verilog -sv -overwrite DP16KD.sv",
    "ice40-up5k": "read_verilog -overwrite -D NO_ICE40_DEFAULT_ASSIGNMENTS +/ice40/cells_sim.v",
}
BLOCKS = {"ecp5-85f": "DP16KD", "ice40-up5k": "SB_RAM40_4K"}

# Words of 18 bits in the places of 20; a port of 9 bits reads halves (Lattice FPGA-TN-02204 and the
# techmap of Yosys, brams_map_16kd.v).
_WORDS = 1024
_PORT = """
  wire [13:0] at_{s} = {{{address}}};
  reg  [17:0] word_{s};
  assign {{{outputs}}} = DATA_WIDTH_A == 36 ? wide_q[{low} +: 18] : word_{s};
  always @(posedge CLK{s}) if (CE{s}) begin
    if ((WE{s} && DATA_WIDTH_A != 36) || RST{s} || REGMODE_{s} != "NOREG")
      word_{s} <= 18'b0;  // no model of these
    else if (DATA_WIDTH_{s} == 9)
      word_{s} <= {{9'b0, words[20*at_{s}[13:4] + 9*at_{s}[3] +: 9]}};
    else if (DATA_WIDTH_{s} == 18) word_{s} <= words[20*at_{s}[13:4] +: 18];
    else word_{s} <= 18'b0;
  end
"""


# 36 bits: port A writes 9 of them for each of its lowest four address lines, port B reads.
_WIDE = """
  reg [35:0] wide [0:511];
  reg [35:0] wide_q;
  always @(posedge CLKA) if (CEA && WEA) begin
    if (ADA0) wide[at_A[13:5]][8:0]   <= data[8:0];
    if (ADA1) wide[at_A[13:5]][17:9]  <= data[17:9];
    if (ADA2) wide[at_A[13:5]][26:18] <= data[26:18];
    if (ADA3) wide[at_A[13:5]][35:27] <= data[35:27];
  end
  always @(posedge CLKB) if (CEB) wide_q <= wide[at_B[13:5]];
"""


def names(prefix: str, highest: int) -> str:
    """Names of a port's bits, from the highest to bit 0."""
    return ", ".join(f"{prefix}{bit}" for bit in range(highest, -1, -1))


def block_ram() -> str:
    """Return a model of ECP5's block RAM as a memory that is only read, through two ports."""
    written = f"  wire [35:0] data = {{{names('DIB', 17)}, {names('DIA', 17)}}};\n"
    ports, body = [], written + _WIDE
    for s in "AB":
        ports += [f"input {names(f'DI{s}', 17)}, {names(f'AD{s}', 13)}, {names(f'CS{s}', 2)}"]
        ports += [f"input CE{s}, OCE{s}, CLK{s}, WE{s}, RST{s}", f"output {names(f'DO{s}', 17)}"]
        body += _PORT.format(
            s=s, address=names(f"AD{s}", 13), outputs=names(f"DO{s}", 17), low=0 if s == "A" else 18
        )
    slices = [f"INITVAL_{at:02X}" for at in range(_WORDS // 16)]
    settings = [f"DATA_WIDTH_{s} = 18, REGMODE_{s} = 0, CSDECODE_{s} = 0" for s in "AB"]
    settings += [f"WRITEMODE_{s} = 0, CLK{s}MUX = 0" for s in "AB"]
    settings += ["RESETMODE = 0, ASYNC_RESET_RELEASE = 0, GSR = 0"]
    settings += [f"{name} = 320'b0" for name in slices]
    return (
        f"module DP16KD #(parameter {', '.join(settings)}) ({', '.join(ports)});\n"
        f"  wire [{20 * _WORDS - 1}:0] words = {{{', '.join(reversed(slices))}}};\n"
        f"{body}endmodule\n"
    )


def variants() -> list[tuple[Accelerator, Variant]]:
    """Return the variants with S-boxes in block RAM."""
    return [
        (unit, variant)
        for unit in manifest.units()
        for variant in unit.manifest.variant
        if "bram" in variant.params.values()
    ]


def netlist(sources: Sequence[Path], target: str, folder: Path, spoil: bool) -> Path:
    """Map accel_unit; return the netlist over models of the cells.

    With `spoil` the contents of the block RAMs are lost.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "DP16KD.sv").write_text(block_ram(), encoding="utf-8")
    design = flow.Design(tuple(sources), "accel_unit", wrapped=False)
    block = BLOCKS[target]
    lost = [f"setparam -set INITVAL_{at:02X} 320'b0 t:{block}" for at in range(64)]
    if target.startswith("ice40"):
        lost = [f"setparam -set INIT_{at:X} 256'b0 t:{block}" for at in range(16)]
    flow.yosys(
        [
            *design.read_commands(),
            *flow.TARGETS[target].synthesis("accel_unit"),
            "flatten",
            f"select -assert-min 1 t:{block}",
            *(lost if spoil else []),
            *("write_verilog -noexpr mapped.v", "design -reset", "read_verilog mapped.v"),
            *MODELS[target].split("; "),
            *("hierarchy -top accel_unit", "proc", "flatten -wb", "opt_clean"),
            "write_verilog -noattr net.v",
        ],
        folder,
        "map",
        folder / "log",
    )
    return folder / "net.v"


def outcome(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    chosen: tuple[Accelerator, Variant],
    target: str,
    *,
    spoil: bool = False,
) -> unit_bench.Outcome:
    """Run the unit bench on a variant's netlist."""
    build = cocotb_sim.build

    def mapped(sources: Sequence[Path], top: str, folder: Path) -> Path:
        unit = [path for path in sources if path != UNIT_TOP]
        found = netlist(unit, target, folder / "mapped", spoil)
        mixed = [found if path.stem == "accel_unit" else path for path in sources]
        return build(mixed, top, folder)

    monkeypatch.setattr(unit_bench, "BUILD", tmp_path)
    monkeypatch.setattr(unit_bench.cocotb_sim, "build", mapped)
    return unit_bench.rtl_equals_model(*chosen, samples=100)


@pytest.mark.slow
@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("chosen", variants(), ids=lambda found: f"{found[0].name}/{found[1].name}")
def test_the_netlist_passes_the_unit_bench(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    chosen: tuple[Accelerator, Variant],
    target: str,
) -> None:
    """Every operation, with pauses of both sides."""
    found = outcome(monkeypatch, tmp_path, chosen, target)
    assert found.status == "pass", found.detail


@pytest.mark.slow
@pytest.mark.parametrize("target", MODELS)
def test_lost_contents_are_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str
) -> None:
    """Block RAMs of zeros give wrong answers."""
    found = outcome(monkeypatch, tmp_path, variants()[0], target, spoil=True)
    assert found.status == "mismatch"
