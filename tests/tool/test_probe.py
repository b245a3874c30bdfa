# SPDX-License-Identifier: Apache-2.0
"""`aesforge probe`: verdicts against plain counting on random circuits, and what it refuses."""

import itertools
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aesforge.base.errors import ManifestError, ToolError, UsageError
from aesforge.probing import annotation, circuit, probe
from aesforge.probing.annotation import Annotation, Secret
from aesforge.probing.check import Checker, Undecided
from aesforge.probing.circuit import Cell, Circuit
from aesforge.synth.flow import TARGETS

pytestmark = pytest.mark.quick

AESFORGE = Path(sys.executable).with_name("aesforge")

SHARE0, SHARE1, FRESH, KNOWN = range(10, 14)
PORTS = {SHARE0: "a0", SHARE1: "a1", FRESH: "r", KNOWN: "k"}
INPUTS = {net: (port, 0) for net, port in PORTS.items()}
FOUND = Annotation(top="m", secret=[Secret(shares=["a0", "a1"])], random=["r"], public=["k"])
AND, XOR = 0b1000, 0b0110


# Against plain counting ---------------------------------------------------------------------------


def random_circuit(rng: random.Random, stages: int) -> Circuit:
    """Return gates of two or three inputs with registers after each stage."""
    cells: dict[int, Cell] = {}
    registers: dict[int, int] = {}
    known, number = list(INPUTS), 100
    for _ in range(stages):
        outputs = []
        for _ in range(rng.randint(3, 5)):
            inputs = tuple(rng.sample([*known, *outputs], rng.choice((2, 2, 3))))
            xor = sum((row.bit_count() & 1) << row for row in range(1 << len(inputs)))
            table = xor if rng.random() < 0.6 else rng.getrandbits(1 << len(inputs))
            cells[number] = Cell(inputs, table)
            outputs.append(number)
            number += 1
        known = [SHARE0, SHARE1, FRESH]
        for output in outputs:
            registers[number] = output
            known.append(number)
            number += 1
    cells[number] = Cell(tuple(rng.sample(known[3:], 3)), rng.getrandbits(8))
    return Circuit(cells, registers, INPUTS, {})


def counted(found: Circuit, sources: frozenset[int], ages: int, oldest: int) -> bool:
    """Tell whether the sources' distribution is the same for all secrets and public bits."""
    bits = [(net, age) for age in range(oldest + 1) for net in PORTS]
    lanes = 1 << len(bits)
    # Bit n of a table is the value where the bits of the ports are those of n.
    tables = {
        bit: sum(1 << lane for lane in range(lanes) if lane >> at & 1)
        for at, bit in enumerate(bits)
    }

    def value(net: int, age: int) -> int:
        if (net, age) not in tables:
            if net in found.registers:
                tables[net, age] = value(found.registers[net], age + 1)
            else:
                parts = [value(other, age) for other in found.cells[net].inputs]
                tables[net, age] = 0
                for row in range(1 << len(parts)):
                    if found.cells[net].table >> row & 1:
                        met = (1 << lanes) - 1
                        for at, part in enumerate(parts):
                            met &= part if row >> at & 1 else ~part
                        tables[net, age] |= met
        return tables[net, age]

    seen = [value(net, age) for net in sources for age in range(ages)]
    secrets = [tables[SHARE0, age] ^ tables[SHARE1, age] for age in range(oldest + 1)]
    public = [tables[KNOWN, age] for age in range(oldest + 1)]
    texts = [[f"{table:0{lanes}b}" for table in group] for group in (seen, secrets, public)]
    views: dict[str, dict[str, Counter[str]]] = {}
    for lane in range(lanes):
        view, secret, open_ = ("".join(text[lane] for text in group) for group in texts)
        views.setdefault(open_, {}).setdefault(secret, Counter())[view] += 1
    return all(len(set(map(str, map(sorted_items, of.values())))) == 1 for of in views.values())


def sorted_items(found: Counter[str]) -> list[tuple[str, int]]:
    """Return a distribution in an order of its own."""
    return sorted(found.items())


@pytest.mark.parametrize(("stages", "transitions"), [(1, False), (1, True), (2, False)])
def test_verdicts_are_those_of_counting(stages: int, transitions: bool) -> None:
    """On every cone of random circuits, many of them secure and many not."""
    rng = random.Random(1000 * stages + transitions)
    verdicts: Counter[bool] = Counter()
    for _ in range(10):
        found = random_circuit(rng, stages)
        checker = Checker(found, FOUND)
        for sources in sorted(set(found.cones().values()), key=sorted):
            right = counted(found, sources, 1 + transitions, stages + transitions)
            assert (not checker.leak(sources, transitions=transitions)) == right, sources
            verdicts[right] += 1
    assert min(verdicts[True], verdicts[False]) >= 4, verdicts


# Known circuits -----------------------------------------------------------------------------------


def reasons(found: Circuit, **settings: Any) -> dict[int, str]:
    """Return the verdict of each wire."""
    wires = probe.inspect(found, FOUND, **settings)
    return {net: wire.reason for net, wire in zip(sorted(found.cones()), wires, strict=True)}


def test_a_register_stops_glitches() -> None:
    """The sum of a share and a fresh bit is secure, and not beside the fresh bit."""
    cells = {20: Cell((SHARE0, FRESH), XOR), 22: Cell((21, SHARE1), XOR)}
    found = Circuit(cells, {21: 20}, INPUTS, {net: f"n{net}" for net in (20, 21, 22)})
    assert reasons(found) == {20: "", 21: "", 22: ""}
    joined = Circuit(
        {20: cells[20], 22: Cell((20, SHARE1), XOR)}, {}, INPUTS, {20: "n20", 22: "n22"}
    )
    assert reasons(joined) == {20: "", 22: "net 10, net 11 together depend on a secret"}


def test_transitions_join_two_cycles() -> None:
    """A register that holds one share, then the other, shows the secret to a transition."""
    # Share 1 is delayed by two cycles, share 0 by one; a public bit selects.
    select = Cell((30, 32, KNOWN), 0b11001010)
    cells = {40: select}
    late = {30: SHARE0, 31: SHARE1, 32: 31, 41: 40}
    found = Circuit(cells, late, INPUTS, {net: f"n{net}" for net in (30, 31, 32, 40, 41)})
    assert reasons(found)[41] == ""
    told = reasons(found, transitions=True)[41]
    assert told == "n41 together depend on a secret, now and a cycle before"


def test_a_large_bdd_is_refused() -> None:
    """What cannot be decided counts as refused, and the reason says so."""
    found = Circuit({20: Cell((SHARE0, SHARE1, FRESH), 0b10010110)}, {}, INPUTS, {})
    checker = Checker(found, FOUND, max_nodes=1)
    with pytest.raises(Undecided):
        checker.leak(found.cones()[20], transitions=False)
    told = probe.decide(found, checker, found.cones()[20])
    assert told == "undecided: a BDD of more than 1 nodes"


def test_a_feedback_path_is_an_error() -> None:
    """The values of a state have no end."""
    found = Circuit({20: Cell((21, SHARE1), AND)}, {21: 20}, INPUTS, {21: "state_q"})
    with pytest.raises(ToolError, match="state_q is in a feedback path"):
        probe.inspect(found, FOUND)


# Netlists -----------------------------------------------------------------------------------------


def module(kind: str, connections: dict[str, list[Any]], **parameters: str) -> dict[str, Any]:
    """Return a module with one cell as Yosys writes it."""
    cell = {"type": kind, "connections": connections, "parameters": parameters}
    port = {"direction": "input", "bits": [2, 3]}
    return {"cells": {"u_cell": cell}, "ports": {"a": port}, "netnames": {}}


def test_luts_are_read() -> None:
    """Open inputs and constants included."""
    found = circuit.read_module(module("LUT4", {"A": [2], "B": [3], "Z": [9]}, INIT="0110"))
    assert found.cells[9] == Cell((2, 3, circuit.LOW, circuit.LOW), 6)
    found = circuit.read_module(module("LUT4", {"D": ["1"], "A": [2], "Z": [9]}, INIT="0x8000"))
    assert found.cells[9] == Cell((2, circuit.LOW, circuit.LOW, circuit.HIGH), 0x8000)


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        (module("DP16KD", {"Q": [9]}), "the cell DP16KD is not known"),
        (module("FDRE", {"C": [2], "D": [3], "Q": [9], "R": [3]}), "a FDRE that uses R"),
        (module("FDRE", {"C": [2], "D": [3], "Q": [9]}, IS_C_INVERTED="1"), "IS_C_INVERTED = 1"),
        (module("TRELLIS_FF", {"CLK": [2], "DI": [3], "Q": [9], "CE": [3]}), "that uses CE"),
    ],
)
def test_other_cells_are_errors(cell: dict[str, Any], told: str) -> None:
    """Block RAM, resets, enables, the other edge of the clock."""
    with pytest.raises(ToolError, match=told):
        circuit.read_module(cell)


def test_an_enable_that_is_always_on_is_none() -> None:
    """A constant of the netlist or of the cell's settings."""
    wires = {"CLK": [2], "DI": [3], "Q": [9], "LSR": ["0"]}
    for more in ({"CE": ["1"]}, {}):
        assert circuit.read_module(module("TRELLIS_FF", {**wires, **more})).registers == {9: 3}
    always = module("TRELLIS_FF", {**wires, "CE": ["0"]}, CEMUX="1 ")
    assert circuit.read_module(always).registers == {9: 3}


def test_loops_and_open_nets_are_errors() -> None:
    """Neither has a cone."""
    with pytest.raises(ToolError, match="combinational loop"):
        Circuit({20: Cell((21,), 1), 21: Cell((20,), 1)}, {}, INPUTS, {}).cones()
    with pytest.raises(ToolError, match="nothing drives the net x"):
        Circuit({20: Cell((21,), 1)}, {}, INPUTS, {21: "x"}).cones()


# Annotations --------------------------------------------------------------------------------------

GOOD = 'top = "m"\nrandom = ["r"]\n[[secret]]\nshares = ["a0", "a1"]\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD.replace('["r"]', '["a0"]'), "a0 is named twice"),
        (GOOD.replace(', "a1"', ""), "at least 2"),
        (GOOD + "third = 3\n", "unknown key"),
        ('top = "m"\n', "Field required"),
    ],
)
def test_mistakes_of_an_annotation_are_named(text: str, told: str, tmp_path: Path) -> None:
    """Before anything is mapped."""
    path = tmp_path / "m.probe.toml"
    path.write_text(text)
    with pytest.raises(ManifestError, match=told):
        annotation.load(path)


def test_every_port_has_a_meaning(tmp_path: Path) -> None:
    """A port that nothing names, or that does not exist, is an error."""
    path = tmp_path / "m.probe.toml"
    found = Circuit({}, {}, INPUTS, {})
    path.write_text(GOOD)
    with pytest.raises(ManifestError, match="nothing says what the input 'k' of m carries"):
        Checker(found, annotation.load(path))
    path.write_text(GOOD.replace('["r"]', '["r", "other"]'))
    with pytest.raises(ManifestError, match="m has no input 'other'"):
        Checker(found, annotation.load(path))


def test_names_are_found() -> None:
    """Modules of the repository by name, others by file; targets by name."""
    assert annotation.find("aes_sbox_masked").name == "aes_sbox_masked.probe.toml"
    assert annotation.find("elsewhere/m.probe.toml") == Path("elsewhere/m.probe.toml")
    with pytest.raises(UsageError, match="there is no masked module 'm'"):
        annotation.find("m")
    with pytest.raises(UsageError, match="there is no target 'asic'"):
        probe.targets(["asic"])


# The command --------------------------------------------------------------------------------------

RTL = """
module m (input logic clk_i, a0, a1, r, output logic y_o);
  logic a_q, b_q;
  always_ff @(posedge clk_i) begin
    a_q <= a0 ^ r;
    b_q <= a1;
  end
  assign y_o = a_q ^ b_q;
endmodule
"""


def aesforge(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command line."""
    return subprocess.run([AESFORGE, *words], capture_output=True, text=True, timeout=240)


def test_a_module_of_a_user(tmp_path: Path) -> None:
    """A file beside its RTL: a table and status 0; a leak: the wire, its cone, status 1."""
    (tmp_path / "m.sv").write_text(RTL)
    path = tmp_path / "m.probe.toml"
    path.write_text(GOOD)
    done = aesforge("probe", str(path), "-t", "cmos", "--wide")
    assert done.returncode == 0, done.stderr
    assert "secure" in done.stdout
    (tmp_path / "m.sv").write_text(RTL.replace("a0 ^ r", "a0 | (r & r & ~r)"))
    done = aesforge("probe", str(path), "-t", "cmos", "--json")
    assert done.returncode == 1
    assert "1 wires are refused" in done.stderr
    row = json.loads(done.stdout)
    assert row["status"] == "failed"
    (wire,) = row["refused_wires"]
    assert (wire["wire"], wire["cone"]) == ("y_o", ["a_q", "b_q"])
    assert set(row["how"]["tools"]) == {"yosys", "dd"}


def test_only_modules_of_the_repository_are_published(tmp_path: Path) -> None:
    """A user's module, and a planted flaw, are refused before anything is mapped."""
    (tmp_path / "m.sv").write_text(RTL)
    path = tmp_path / "m.probe.toml"
    path.write_text(GOOD)
    before = probe.PUBLISHED.read_bytes()
    done = aesforge("probe", str(path), "-t", "cmos", "--publish")
    assert done.returncode == 2 and "--publish is for modules of rtl/" in done.stderr
    done = aesforge("probe", "masked_column", "--bug", "BUG_MASKED_DOM", "--publish")
    assert done.returncode == 2 and "leave --bug out" in done.stderr
    assert probe.PUBLISHED.read_bytes() == before


def test_the_page_shows_each_verdict(tmp_path: Path) -> None:
    """A row for a module and target; what was not tried, and what is refused, says so."""
    (tmp_path / "m.sv").write_text(RTL)
    path = tmp_path / "m.probe.toml"
    path.write_text(GOOD)
    target = TARGETS["cmos"]
    good = probe.make_record(probe.probe(path, target, folder=tmp_path / "good"))
    both = probe.make_record(probe.probe(path, target, transitions=True, folder=tmp_path / "both"))
    (row,) = probe.page_table([good]).splitlines()[2:]
    assert row == "| `m` | cmos | - | 2 | 4 | secure | not tried |"
    (row,) = probe.page_table([good, both]).splitlines()[2:]
    assert row.endswith("| secure | secure |")
    (tmp_path / "m.sv").write_text(RTL.replace("a0 ^ r", "a0 | (r & r & ~r)"))
    bad = probe.make_record(probe.probe(path, target, folder=tmp_path / "bad"))
    (row,) = probe.page_table([bad, both]).splitlines()[2:]
    assert row.endswith("| 1 refused | secure |")


def test_the_hash_covers_what_a_verdict_follows_from(tmp_path: Path) -> None:
    """RTL, annotation, target and model each change it."""
    (tmp_path / "m.sv").write_text(RTL)
    path = tmp_path / "m.probe.toml"
    hashes = []
    for text, public, target, transitions in (
        (RTL, "[]", "cmos", False),
        (RTL.replace("a0 ^ r", "a0"), "[]", "cmos", False),
        (RTL, '["r"]', "cmos", False),
        (RTL, "[]", "xc7", False),
        (RTL, "[]", "cmos", True),
    ):
        (tmp_path / "m.sv").write_text(text)
        path.write_text(GOOD.replace('["r"]', "[]" if public != "[]" else '["r"]'))
        found = annotation.load(path)
        rtl = probe.design(path, found)
        (to,) = probe.targets([target])
        hashes.append(probe.inputs(rtl, to, found, transitions=transitions))
    assert all(one != other for one, other in itertools.combinations(hashes, 2))
