# SPDX-License-Identifier: Apache-2.0
"""`aesforge probe --uniform`: against plain counting, on known circuits, and what it refuses."""

import itertools
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from aesforge.base.errors import UsageError
from aesforge.probing import annotation, uniform
from aesforge.probing.annotation import Annotation, Secret
from aesforge.probing.circuit import Cell, Circuit
from aesforge.synth.flow import TARGETS

pytestmark = pytest.mark.quick

AESFORGE = Path(sys.executable).with_name("aesforge")

SHARE0, SHARE1, FRESH0, FRESH1, KNOWN = range(10, 15)
INPUTS = {
    **{SHARE0: ("a0", 0), SHARE1: ("a1", 0), KNOWN: ("k", 0)},
    **{FRESH0: ("r", 0), FRESH1: ("r", 1)},
}
FOUND = Annotation(top="m", secret=[Secret(shares=["a0", "a1"])], random=["r"], public=["k"])
AND, XOR = 0b1000, 0b0110
ROUND = annotation.find("masked_round")


def decided(cells: dict[int, Cell], registers: dict[int, int], *nets: int) -> list[str]:
    """Return the verdict on an output for each value of the public input."""
    found = uniform.inspect(Circuit(cells, registers, INPUTS, {}), FOUND, {"y0_o": nets})
    return [output.reason or output.masks for output in found]


# Against plain counting ---------------------------------------------------------------------------


def random_circuit(rng: random.Random) -> tuple[Circuit, tuple[int, int]]:
    """Return three registers of sums and products, and two outputs after them."""
    cells: dict[int, Cell] = {}
    registers: dict[int, int] = {}
    known = [SHARE0, SHARE1, FRESH0, FRESH1, KNOWN]
    for at in range(3):
        cells[20 + at] = Cell(tuple(rng.sample(known, 3)), rng.choice((0b10010110, 0b01111000)))
        registers[30 + at] = 20 + at
    for net in (40, 41):
        sources = tuple(rng.sample([*registers, FRESH0, FRESH1, SHARE0], 3))
        cells[net] = Cell(sources, rng.choice((0b10010110, 0b10010110, 0b01111000)))
    return Circuit(cells, registers, INPUTS, {}), (40, 41)


def counted(found: Circuit, nets: tuple[int, int]) -> bool:
    """Tell whether outputs are uniform by fresh bits of two cycles for each value of the rest."""
    views: dict[tuple[int, ...], Counter[tuple[int, ...]]] = {}
    for bits in itertools.product((0, 1), repeat=2 * len(INPUTS)):
        now = dict(zip(INPUTS, bits[: len(INPUTS)], strict=True))
        before = dict(zip(INPUTS, bits[len(INPUTS) :], strict=True))

        def value(net: int, of: dict[int, int]) -> int:
            if net not in of:
                row = [value(other, of) for other in found.cells[net].inputs]
                of[net] = found.cells[net].table >> sum(b << at for at, b in enumerate(row)) & 1
            return of[net]

        held = {q: value(d, dict(before)) for q, d in found.registers.items()}
        seen = tuple(value(net, {**now, **held}) for net in nets)
        rest = tuple(v for of in (now, before) for net, v in of.items() if INPUTS[net][0] != "r")
        views.setdefault(rest, Counter())[seen] += 1
    return all(len(set(view.values())) == 1 and len(view) == 4 for view in views.values())


def test_verdicts_hold_when_counted() -> None:
    """Of random circuits: none is called uniform by fresh bits that is not."""
    rng = random.Random(5)
    verdicts: Counter[tuple[bool, bool]] = Counter()
    for _ in range(300):
        found, nets = random_circuit(rng)
        told = uniform.inspect(found, FOUND, {"y0_o": nets})
        said = all(output.masks.startswith("fresh") for output in told)
        verdicts[said, counted(found, nets)] += 1
    assert not verdicts[True, False], verdicts
    assert min(verdicts[True, True], verdicts[False, False]) >= 5, verdicts


# Known circuits -----------------------------------------------------------------------------------


def test_a_register_that_took_a_fresh_bit_masks() -> None:
    """Once; the same bit in two registers does not mask two outputs."""
    cells = {20: Cell((SHARE0, FRESH0), XOR), 21: Cell((KNOWN, FRESH0), XOR)}
    assert decided(cells, {30: 20}, 30) == ["fresh bits of the cycle before"]
    assert decided(cells, {30: 20, 31: 21}, 30, 31) == [
        "1 of 2 registers have no fresh bit of their own"
    ]


def test_sums_are_eliminated() -> None:
    """Three bits of two masks are not uniform, two are, though each has both."""
    cells = {
        20: Cell((SHARE0, FRESH0), XOR),
        21: Cell((KNOWN, FRESH1), XOR),
        40: Cell((30, 31), XOR),
    }
    held = {30: 20, 31: 21}
    assert decided(cells, held, 30, 40) == ["fresh bits of the cycle before"]
    assert decided(cells, held, 30, 31, 40) == ["1 of 3 bits have no mask of their own"]


def test_a_mask_that_goes_on_is_refused() -> None:
    """In a later register, in an output of the cycle before, or in a register beside it."""
    cells = {20: Cell((SHARE0, FRESH0), XOR), 21: Cell((KNOWN, FRESH0), XOR)}
    assert decided(cells, {30: 20, 31: 30}, 30) == ["a register takes over from net 30"]
    cells[40] = Cell((30, FRESH0), XOR)
    assert decided(cells, {30: 20}, 40) == ["fresh bits of this cycle, which registers take too"]
    cells[40] = Cell((30, FRESH0), AND)
    found = Circuit(cells, {30: 20}, INPUTS, {})
    (output, _) = uniform.inspect(found, FOUND, {"y0_o": [30], "z0_o": [40]})
    assert output.reason == "a mask of the cycle before was in an output itself"
    cells[40] = Cell((31, KNOWN, 30), 0b01111000)
    assert decided(cells, {30: 20, 31: 21}, 40)[1].endswith("has a mask of another register")


def test_a_share_masks_where_no_fresh_bit_does() -> None:
    """Named by its port; for each value of a public input, that of the multiplexer's choice."""
    cells = {20: Cell((SHARE1, FRESH0), XOR), 40: Cell((SHARE0, 30, KNOWN), 0b11001010)}
    assert decided(cells, {30: 20}, 40) == ["a0", "fresh bits of the cycle before"]
    assert decided({40: Cell((SHARE0, SHARE1), AND)}, {}, 40) == [
        "1 of 1 bits have no mask of their own"
    ]


# Modules ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["cmos", "ecp5-85f"])
def test_the_round_gives_uniform_shares(target: str, tmp_path: Path) -> None:
    """The next state: by fresh bits, or by the block that enters; so does SubBytes."""
    found = uniform.uniform(ROUND, TARGETS[target], folder=tmp_path)
    assert found.refused == []
    masks = {(output.port, output.public): output.masks for output in found.outputs}
    before = "fresh bits of the cycle before"
    assert (
        masks["sub0_o", ""] == masks["state0_o", "mix_i"] == masks["state0_o", "final_i"] == before
    )
    assert masks["state0_o", "load_i"] == "data0_i"
    assert masks["state0_o", ""] == "fresh bits of this cycle, which registers take too"


@pytest.mark.parametrize(
    ("flaw", "told"),
    [
        ("BUG_MASKED_LAST_MASK", "registers have no fresh bit of their own"),
        ("BUG_MASKED_ROUND_ONE_SET", "registers have no fresh bit of their own"),
        ("BUG_MASKED_EMPTY_MASKS", "a mask of the cycle before was in an output itself"),
    ],
)
def test_masks_that_serve_twice_are_refused(flaw: str, told: str, tmp_path: Path) -> None:
    """Two bits, four S-boxes, or an empty column and an S-box with one mask."""
    found = uniform.uniform(ROUND, TARGETS["cmos"], bug=flaw, folder=tmp_path)
    reasons = [output.reason for output in found.refused if output.port == "sub0_o"]
    assert reasons and reasons[0].endswith(told)


def test_outputs_without_shares_are_an_error(tmp_path: Path) -> None:
    """Shares are found by the names of ports."""
    port = {"direction": "output", "bits": [2]}
    path = tmp_path / "netlist.json"
    path.write_text(json.dumps({"modules": {"m": {"ports": {"x0_o": port, "x1_o": port}}}}))
    assert uniform.shares(path, "m") == {"x0_o": [2]}
    path.write_text(json.dumps({"modules": {"m": {"ports": {"x0_o": port, "y_o": port}}}}))
    with pytest.raises(UsageError, match="m has no outputs that are shares"):
        uniform.shares(path, "m")


# The command --------------------------------------------------------------------------------------


def aesforge(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command line."""
    return subprocess.run([AESFORGE, *words], capture_output=True, text=True, timeout=240)


def test_the_command() -> None:
    """A table and status 0; a planted flaw: rows that say so, and status 1; no other options."""
    asked = ("probe", "aes_sbox_masked", "-t", "cmos", "--uniform")
    done = aesforge(*asked, "--wide")
    assert done.returncode == 0, done.stderr
    assert "uniform by fresh bits of the cycle before" in done.stdout
    done = aesforge(*asked, "--bug", "BUG_MASKED_LAST_MASK", "--json")
    assert done.returncode == 1 and "1 outputs are refused" in done.stderr
    row = json.loads(done.stdout)
    assert (row["port"], row["status"]) == ("data0_o", "failed")
    assert aesforge(*asked, "--transitions").returncode == 2
