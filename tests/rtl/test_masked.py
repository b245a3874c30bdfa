# SPDX-License-Identifier: Apache-2.0
"""rtl/masked: right on every input, secure on every target, and each planted flaw refused."""

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import simulator_support as simulator
from aesforge.base.errors import UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import library
from aesforge.model import columns, fips197, tower
from aesforge.probing import annotation, circuit, probe
from aesforge.probing.check import Checker
from aesforge.probing.circuit import Circuit
from aesforge.probing.probe import Wire
from aesforge.synth.flow import TARGETS, Target
from aesforge.verify import lint
from marks_support import slow_unless

HELPERS = Path(__file__).parent / "masked"
SBOX = ROOT / "rtl/masked/aes_sbox_masked.probe.toml"
COLUMN = ROOT / "rtl/masked/masked_column.probe.toml"
STAGES = 4  # cycles from an input to its output

# Planted flaws of the S-box that must be refused.
FLAWS = (
    "BUG_MASKED_BIT_TWICE",
    "BUG_MASKED_NO_REGISTER",
    "BUG_MASKED_MASK_REPEATED",
    "BUG_MASKED_DOM",
)


def sources() -> list[Path]:
    """Return the RTL of both modules in compile order."""
    return library.library().files(["masked_column"])


# Values -------------------------------------------------------------------------------------------


def simulate(scratch: Path, lines: Sequence[tuple[int, int, int]], bug: str = "") -> list[str]:
    """Return what masked_main.cpp prints for lines of (column, share 1, random)."""
    words = (
        f"{column ^ share:08x} {share:08x} "
        + " ".join(f"{fresh >> at & 0xFFFFFFFF:08x}" for at in range(0, 128, 32))
        for column, share, fresh in lines
    )
    simulation = simulator.program(
        HELPERS / "masked_main.cpp",
        *("masked_all", bug),
        wrapper=HELPERS / "masked_all.sv",
        module="masked_column",
    )
    return [" ".join(line) for line in simulator.run(simulation, scratch, words)]


def stimuli(sharings: int) -> list[tuple[int, int, int]]:
    """Return every byte in every row, each in so many random sharings."""
    rng = random.Random(46)
    bytes_of = [(0x01010101 * byte) ^ rng.getrandbits(32) & ~0xFF for byte in range(256)]
    return [
        (column, rng.getrandbits(32), rng.getrandbits(120))
        for _ in range(sharings)
        for column in bytes_of
    ]


def wrong(lines: Sequence[tuple[int, int, int]], printed: Sequence[str]) -> int:
    """Return how many outputs are not those of the model, in exactly as many lines."""
    assert len(printed) == len(lines)
    count = 0
    for (column, _, _), line in zip(lines, printed[STAGES - 1 :], strict=False):
        boxes = sum(fips197.SBOX[column >> 8 * row & 0xFF] << 8 * row for row in range(4))
        shares = [int(word, 16) for word in line.split()]
        count += shares[0] ^ shares[1] != columns.mix_word(boxes)
        count += shares[2] ^ shares[3] != fips197.SBOX[column & 0xFF]
    return count


def test_every_input_in_many_sharings(tmp_path: Path) -> None:
    """The sum of the output shares is the model's, and one share of it takes many values."""
    lines = stimuli(256)
    printed = simulate(tmp_path, lines)
    assert wrong(lines, printed) == 0
    of_zero = {line.split()[2] for line in printed[STAGES - 1 :: 256]}
    assert len(of_zero) > 128


@pytest.mark.parametrize("flaw", ["BUG_MASKED_NO_REGISTER", "BUG_MASKED_DOM"])
def test_a_flaw_keeps_the_values(flaw: str, tmp_path: Path) -> None:
    """Values do not show that masks are missing."""
    lines = stimuli(2)
    assert wrong(lines, simulate(tmp_path, lines, flaw)) == 0


def test_a_wrong_value_is_seen(tmp_path: Path) -> None:
    """A constant of the affine map that is wrong changes every output."""
    lines = stimuli(1)
    assert wrong(lines, simulate(tmp_path, lines, "BUG_MASKED_CONSTANT")) > 2 * 256 - 10


def test_matrices_are_the_derived_ones() -> None:
    """The RTL's maps are those that aesforge.model.tower derives."""
    text = (ROOT / "rtl/masked/aes_sbox_masked.sv").read_text()
    found = dict(re.findall(r"\b(\w+)\s*= 64'h([0-9a-f]{16});", text))
    derived = tower.canright_tower()
    assert int(found["ToTower"], 16) == tower.packed(derived.to_tower)
    assert int(found["OutForward"], 16) == tower.packed(derived.out_forward)


@pytest.mark.parametrize("tool", lint.TOOLS)
def test_readers_have_nothing_to_say(tool: str, tmp_path: Path) -> None:
    """All four tools read the modules without a warning."""
    files = [*sources(), HELPERS / "masked_all.sv"]
    assert lint.lint(tool, files, "masked_all", scratch=tmp_path).messages == ()


# Probes -------------------------------------------------------------------------------------------


@cache
def netlist(path: Path, target: str, bug: str = "") -> Circuit:
    """Map once for all tests."""
    design = probe.design(path, annotation.load(path), bug)
    folder = BUILD / "probe" / f"test-{path.name}-{target}-{bug}"
    return circuit.map_design(design, TARGETS[target], folder, folder / "log")


def refused(path: Path, target: str, bug: str = "", *, transitions: bool = False) -> list[Wire]:
    """Return the wires of a module that are not secure."""
    mapped, found = netlist(path, target, bug), annotation.load(path)
    wires = probe.inspect(mapped, found, transitions=transitions)
    assert len(wires) == len(mapped.wires()) > 300
    return [wire for wire in wires if wire.reason]


# A target of each kind of cell here; the others are slow.
QUICK_TARGETS = ("cmos", "ecp5-85f", "ecp5-85f-abc", "gowin-20k", "ice40-hx8k")


@pytest.mark.parametrize("target", slow_unless(QUICK_TARGETS.__contains__, probe.DEFAULT_TARGETS))
def test_the_sbox_is_secure(target: str) -> None:
    """With glitches and with transitions, on every target; no register is lost or added."""
    assert refused(SBOX, target) == []
    assert refused(SBOX, target, transitions=True) == []
    assert len(netlist(SBOX, target).registers) == 140


def test_the_column_is_secure() -> None:
    """Four S-boxes and MixColumns."""
    assert refused(COLUMN, "ecp5-85f") == []
    assert len(netlist(COLUMN, "ecp5-85f").registers) == 560


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_is_refused(flaw: str) -> None:
    """With glitches alone; the reason names wires that depend on a secret together."""
    found = refused(SBOX, "cmos", flaw)
    assert any(wire.reason.endswith("together depend on a secret") for wire in found)


def test_one_set_of_bits_for_four_sboxes_is_refused() -> None:
    """The outputs of MixColumns join products with the same masks; no BDD says more in time."""
    reasons = {}
    for bug in ("", "BUG_MASKED_ONE_SET"):
        mapped = netlist(COLUMN, "ecp5-85f", bug)
        checker = Checker(mapped, annotation.load(COLUMN))
        cones = mapped.cones()
        first = next(net for net in cones if mapped.name(net) == "data0_o[0]")
        reasons[bug] = probe.decide(mapped, checker, cones[first])
    assert reasons[""] == ""
    assert reasons["BUG_MASKED_ONE_SET"]


def test_bits_shared_between_stages_leak_with_transitions() -> None:
    """Two stages use the same fresh bits in one cycle: glitches alone do not show it."""
    assert refused(SBOX, "cmos", "BUG_MASKED_STAGES_SHARE") == []
    assert refused(SBOX, "cmos", "BUG_MASKED_STAGES_SHARE", transitions=True)


# Recipes that move registers ----------------------------------------------------------------------

MOVING = Target("moving", "", "synth_ecp5 -abc9 -nowidelut -dff")


def test_a_recipe_that_moves_registers_is_refused(tmp_path: Path) -> None:
    """Before anything is mapped; no target of the project is such a recipe."""
    design = probe.design(SBOX, annotation.load(SBOX))
    with pytest.raises(UsageError, match="-dff, which moves and merges registers"):
        circuit.map_design(design, MOVING, tmp_path, tmp_path / "log")
    for target in TARGETS.values():
        circuit.require_fixed_registers(target)
