# SPDX-License-Identifier: Apache-2.0
"""Whether a core keeps its clock, by a quick proxy: levels of LUTs in adapter, decoder and unit.

The host's ports are cut from the core, so that a path begins at an operand or a register and ends
at a result or a register. Routing decides the clock; these levels bound what it can do. The
records of `aesforge synth --in CORE` have the clock itself.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aesforge.build import integrate, library
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.synth import flow
from marks_support import slow_unless

TARGET = flow.TARGETS["ecp5-85f"]
# A block RAM of ECP5 takes 5.7 ns from clock to output without its output register, a LUT with its
# wires about 1.2 ns (cell timings of Project Trellis, speed grade 6).
BLOCK_RAM = 5
# A path of 82 MHz on ECP5 has about that many levels, one of 60 MHz has four more.
MOST = 10
SLOWER = 14

# A carry chain costs a level on its way in and one on its way out: from cell to cell a carry takes
# 0.07 ns (Project Trellis).
CARRY = ("CCU2C", "CIN", "COUT")

# Cells with a clock, and their inputs that reach an output without it.
CLOCKED: dict[str, tuple[str, ...]] = {
    "TRELLIS_FF": (),
    "DP16KD": (),
    "TRELLIS_DPR16X4": ("RAD",),
}

PORT = "pcpi"
# An S-box in the last byte of every result.
SLOW_FROM = "assign pcpi_rd_o = rsp_rd_i;"
SLOW_TO = """
  logic [7:0] late;
  aes_sbox #(.Dir("fwd")) u_late (.inv_i(1'b0), .data_i(rsp_rd_i[7:0]), .data_o(late));
  assign pcpi_rd_o = {rsp_rd_i[31:8], late};"""


def registered() -> list[tuple[Accelerator, Variant]]:
    """Return the variants whose S-boxes are in block RAM: those that promise the clock."""
    found = []
    for unit in manifest.units():
        for variant in unit.manifest.variant:
            operations = unit.manifest.operations(variant)
            most = max(len(operation.parsed.registers) for operation in operations)
            if "bram" in variant.params.values() and most <= 2:
                found.append((unit, variant))
    return found


def mapped(files: Sequence[Path], top: str, folder: Path) -> Mapping[str, Any]:
    """Return the top module of the mapped netlist."""
    design = flow.Design(tuple(files), top, wrapped=False)
    flow.yosys(
        [
            *design.read_commands(),
            *TARGET.synthesis(top),
            "flatten",
            "write_json net.json",
        ],
        folder,
        "depth",
        folder / "log",
    )
    modules = json.loads((folder / "net.json").read_text(encoding="utf-8"))["modules"]
    found: Mapping[str, Any] = modules[top]
    return found


def depth(module: Mapping[str, Any]) -> int:
    """Return the levels of the longest path between ports, registers and memories."""
    drivers: dict[int, tuple[str, list[int]]] = {}
    carried: dict[int, list[int]] = {}  # carry out: carry in
    ends: list[int] = []
    for cell in module["cells"].values():
        through: list[int] = []
        outputs: list[int] = []
        for port, wires in cell["connections"].items():
            bits = [bit for bit in wires if isinstance(bit, int)]
            if cell["port_directions"][port] == "output":
                outputs += bits
            elif cell["type"] in CLOCKED and port not in CLOCKED[cell["type"]]:
                ends += bits
            else:
                through += bits
        kind, carry_in, carry_out = CARRY
        if cell["type"] == kind:
            wires = cell["connections"]
            carried |= {bit: wires[carry_in] for bit in wires[carry_out] if isinstance(bit, int)}
        for bit in outputs:
            drivers[bit] = (cell["type"], through)
    for port in module["ports"].values():
        if port["direction"] == "output":
            ends += [bit for bit in port["bits"] if isinstance(bit, int)]

    @cache
    def level(bit: int) -> int:
        kind, sources = drivers.get(bit, ("", []))
        if kind == "DP16KD":
            return BLOCK_RAM
        free = carried.get(bit, [])
        return max((level(source) + (source not in free) for source in sources), default=0)

    return max(level(bit) for bit in ends)


def handed_out(folder: Path, chosen: tuple[Accelerator, Variant]) -> list[Path]:
    """Return adapter, decoder and unit as they are handed out, in compile order."""
    return integrate.hand_out(*chosen, PORT, folder / "out")


def bound(chosen: tuple[Accelerator, Variant]) -> int:
    """Return the levels that a variant may have: more with a register less, for slower cores."""
    unit, variant = chosen
    found = unit.manifest.rtl.params if unit.manifest.rtl else {}
    return SLOWER if {**found, **variant.params}.get("PipeRegs") == 0 else MOST


def own_circuit(chosen: tuple[Accelerator, Variant]) -> bool:
    """Tell whether a variant is its unit's or set's first: the others are much the same circuit."""
    mine = [found for found in registered() if found[0].name == chosen[0].name]
    return mine[0][1] is chosen[1]


@pytest.mark.parametrize(
    "chosen",
    slow_unless(own_circuit, registered()),
    ids=lambda found: f"{found[0].name}/{found[1].name}",
)
def test_the_core_keeps_its_clock(tmp_path: Path, chosen: tuple[Accelerator, Variant]) -> None:
    """No path through adapter, decoder and unit is longer than the core can spare."""
    module = mapped(handed_out(tmp_path, chosen), f"accel_{PORT}", tmp_path)
    assert depth(module) <= bound(chosen)


def test_a_slow_path_in_an_adapter_is_seen(tmp_path: Path) -> None:
    """An unregistered S-box between core and a unit whose answers are logic, not registers."""
    chosen = next(found for found in registered() if found[0].manifest.stateless)
    files = handed_out(tmp_path, chosen)
    adapter = next(path for path in files if path.stem == f"fu_to_{PORT}")
    text = adapter.read_text(encoding="utf-8")
    assert text.count(SLOW_FROM) == 1
    adapter.write_text(text.replace(SLOW_FROM, SLOW_TO), encoding="utf-8")
    module = mapped(library.with_shared(files, None), f"accel_{PORT}", tmp_path)
    assert depth(module) > MOST
