# SPDX-License-Identifier: Apache-2.0
"""`aesforge ttest`: its numbers on small circuits, what it finds and what it refuses."""

import itertools
import json
import random
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.errors import ToolError, UsageError
from aesforge.probing import annotation, circuit, probe, toggles, ttest
from aesforge.probing.annotation import Annotation, Secret
from aesforge.probing.circuit import Cell, Circuit
from aesforge.probing.ttest import Control, Settings
from aesforge.synth.flow import TARGETS

pytestmark = pytest.mark.quick

AESFORGE = Path(sys.executable).with_name("aesforge")

SHARE0, SHARE1, FRESH, KNOWN = range(10, 14)
PORTS = {SHARE0: "a0", SHARE1: "a1", FRESH: "r", KNOWN: "k"}
INPUTS = {net: (port, 0) for net, port in PORTS.items()}
FOUND = Annotation(top="m", secret=[Secret(shares=["a0", "a1"])], random=["r"], public=["k"])
NOT, AND, XOR = 0b01, 0b1000, 0b0110
ALONE, STREAM = range(2)  # of the program


def program(found: Circuit, folder: Path) -> tuple[toggles.Netlist, Path]:
    """Compile the program of a circuit."""
    netlist = toggles.read(found, FOUND)
    return netlist, ttest.compile_program(toggles.c_text(netlist, found, FOUND), folder)


def lines(done: Path, *words: int) -> dict[tuple[str, ...], list[list[int]]]:
    """Return the numbers that a program prints, by kind, or by kind, cycle and number."""
    rows: dict[tuple[str, ...], list[list[int]]] = {}
    for line in proc.run([done, *map(str, words)], timeout=60).stdout.splitlines():
        kind, *rest = line.split()
        key = (kind,) if len(rest) == 1 else (kind, *rest[:2])
        rows.setdefault(key, []).append([int(word) for word in rest[len(key) - 1 :]])
    return rows


# Numbers ------------------------------------------------------------------------------------------


def test_random_numbers_are_the_published_ones(tmp_path: Path) -> None:
    """The first numbers of xoshiro256** from the state 1, 2, 3, 4, as its ports test them."""
    _, done = program(Circuit({}, {20: SHARE0}, INPUTS, {}), tmp_path)
    printed = proc.run([done, "numbers"], timeout=60).stdout.split()
    assert printed == [
        *("11520", "0", "1509978240", "1215971899390074240", "1216172134540287360"),
        *("607988272756665600", "16172922978634559625", "8476171486693032832"),
        *("10595114339597558777", "2904607092377533576"),
    ]


def test_expressions_are_their_tables() -> None:
    """All functions of up to three inputs, and random ones of up to six."""
    rng = random.Random(3)
    asked = [(table, n) for n in (1, 2, 3) for table in range(1 << (1 << n))]
    asked += [(rng.getrandbits(1 << n), n) for n in (4, 5, 6) for _ in range(30)]
    for table, inputs in asked:
        rows = 1 << inputs
        names = "ABCDEF"[:inputs]
        columns = {
            name: sum((row >> at & 1) << row for row in range(rows))
            for at, name in enumerate(names)
        }
        text = toggles.expression(table, names)
        value = eval(text, {"all_of": lambda bit: -bit, **columns})
        assert value & ((1 << rows) - 1) == table, (table, inputs, text)


def test_constants_leave_no_pins() -> None:
    """A cell of constants is one, and a LUT without its constant pins is smaller."""
    cells = {
        20: Cell((circuit.HIGH, circuit.LOW), XOR),
        21: Cell((SHARE0, 20, SHARE1, circuit.LOW), 0b1100_1010_0101_1000),
    }
    netlist = toggles.read(Circuit(cells, {22: 21}, INPUTS, {}), FOUND)
    assert netlist.cells == (21,)
    # Rows with pin 1 high and pin 3 low: 2, 3, 6, 7 of 0b0101_1000.
    assert netlist.functions[21] == Cell((SHARE0, SHARE1), 0b0110)


def test_toggles_are_those_of_the_circuit(tmp_path: Path) -> None:
    """With unit delays: a sum and one with a late input toggle as often as theory says."""
    cells = {20: Cell((SHARE0, FRESH), XOR), 21: Cell((FRESH,), NOT), 22: Cell((SHARE0, 21), XOR)}
    netlist, done = program(Circuit(cells, {}, INPUTS, {}), tmp_path)
    early, late = (netlist.wires.index(net) for net in (20, 22))
    found = lines(done, 100_000, 5, 1, 0, STREAM)
    traces = found[("fixed",)][0][0] + found[("random",)][0][0]
    assert 100_000 <= traces < 100_512
    assert abs(found[("fixed",)][0][0] - traces / 2) < 1000

    def mean(kind: str, cycle: int, at: int) -> float:
        (row,) = found[kind, str(cycle), str(at)]
        return (row[0] + row[2]) / traces

    for cycle in range(2):
        # One toggle in half of the traces; where one input is late, one for each input.
        assert abs(mean("cell", cycle, early) - 0.5) < 0.01
        assert abs(mean("cell", cycle, late) - 1.0) < 0.01
        pulses = [sum(row) / traces for row in found["pulse", str(cycle), str(late)]]
        assert len(pulses) == 2 and all(abs(pulse - 0.5) < 0.01 for pulse in pulses)
        # Squares: 0, 1 or 2 toggles in 1/4, 1/2, 1/4 of the traces.
        (row,) = found["cell", str(cycle), str(late)]
        assert abs((row[1] + row[3]) / traces - 1.5) < 0.02
        steps = [mean("step", cycle, step) for step in range(3)]
        assert all(abs(a - b) < 0.01 for a, b in zip(steps, (0.0, 1.5, 0.5), strict=True))
        assert abs(mean("cycle", cycle, 0) - 2.0) < 0.02


@pytest.mark.parametrize("masks", range(3))
def test_a_register_has_the_secret_a_cycle_later(masks: int, tmp_path: Path) -> None:
    """What is unmasked is the fixed value in each fixed trace, in its cycle and in no other."""
    cells = {20: Cell((SHARE0, SHARE1), XOR)}
    _, done = program(Circuit(cells, {21: 20}, INPUTS, {}), tmp_path)
    for seed in range(1, 5):
        text = proc.run([done, "20000", str(seed), "4", str(masks), "0"], timeout=60).stdout
        secret = int(text.split("secret ")[1].split()[0])
        found = lines(done, 20_000, seed, 4, masks, ALONE)
        fixed = found[("fixed",)][0][0]
        for cycle, toggled in ((0, 0), (1, secret), (2, secret)):
            assert found["cell", str(cycle), "0"][0][0] == toggled * fixed
        assert abs(found["cell", "1", "0"][0][2] - found[("random",)][0][0] / 2) < 500
    (row,) = lines(done, 20_000, 1, 4, masks, STREAM)["cell", "0", "0"]
    assert abs(row[0] - fixed / 2) < 500


def test_equal_arguments_give_equal_numbers(tmp_path: Path) -> None:
    """And another seed other ones."""
    cells = {20: Cell((SHARE0, FRESH), XOR), 21: Cell((20, KNOWN, SHARE1), 0b10010110)}
    _, done = program(Circuit(cells, {22: 21}, INPUTS, {}), tmp_path)
    texts = [
        proc.run([done, "5000", seed, "4", "0", "1"], timeout=60).stdout for seed in ("7", "7", "8")
    ]
    assert texts[0] == texts[1] != texts[2]


def test_welch() -> None:
    """Against means and variances of the statistics module; constants that differ are the most."""
    rng = random.Random(1)
    one, other = ([rng.randint(0, 9) for _ in range(n)] for n in (200, 300))
    errors = statistics.variance(one) / 200 + statistics.variance(other) / 300
    right = abs(statistics.mean(one) - statistics.mean(other)) / errors**0.5
    sums = [(len(v), sum(v), sum(x * x for x in v)) for v in (one, other)]
    assert abs(ttest.welch(*sums) - right) < 1e-9
    assert ttest.welch((10, 10, 10), (20, 20, 20)) == 0.0
    assert ttest.welch((10, 10, 10), (20, 0, 0)) == ttest.MOST_T


def test_a_pipeline_has_its_cycles() -> None:
    """The longest path of registers, and two; a feedback path is an error."""
    found = toggles.read(Circuit({}, {20: SHARE0, 21: 20, 22: 21}, INPUTS, {}), FOUND)
    assert found.cycles == 5
    loop = Circuit({20: Cell((21, SHARE1), AND)}, {21: 20}, INPUTS, {21: "state_q"})
    with pytest.raises(ToolError, match="state_q is in a feedback path"):
        toggles.read(loop, FOUND)


def test_a_late_share_hides(tmp_path: Path) -> None:
    """A sum of both shares leaks only if they arrive together: why there is more than one draw."""
    cells = {20: Cell((SHARE0, SHARE1), XOR)}
    netlist, done = program(Circuit(cells, {}, INPUTS, {}), tmp_path)
    seen = set()
    for seed in range(1, 9):
        text = proc.run([done, "20000", str(seed), "2", "0", "0"], timeout=60).stdout
        seen.add((text.count("pulse 0 0"), ttest.parse(text, netlist).worst("wire") > 6))
    assert seen == {(1, True), (2, False)}


# What must fail -----------------------------------------------------------------------------------

SBOX = annotation.find("aes_sbox_masked")
FEW = Settings(traces=20_000, draws=2)


@pytest.mark.parametrize("target", ttest.DEFAULT_TARGETS)
def test_the_sbox_and_its_controls(target: str, tmp_path: Path) -> None:
    """Few traces: the S-box passes; without masks, with constant ones, or as DOM it does not."""

    def reason(control: Control) -> str:
        name = control.bug or control.masks
        found = ttest.ttest(SBOX, TARGETS[target], control, FEW, folder=tmp_path / name)
        return found.reason

    assert reason(Control()) == ""
    assert reason(Control(masks="constant"))
    assert reason(Control(masks="off"))
    assert reason(Control(bug="BUG_MASKED_DOM"))
    assert "seed" in reason(Control(bug="BUG_MASKED_NO_REGISTER"))


@pytest.mark.slow
def test_published_tests_are_those_of_today() -> None:
    """The S-box on cmos with all traces gives the published record, bit by bit."""
    found = ttest.make_record(ttest.ttest(SBOX, TARGETS["cmos"], Control(), Settings()))
    (entry,) = [entry for entry in ttest.read_published() if entry.place == found.place]
    assert entry.model_copy(update={"how": found.how}) == found
    assert entry.how.flags == found.how.flags
    assert entry.how.inputs_sha256 == found.how.inputs_sha256


def test_published_tests_are_whole() -> None:
    """Each netlist has its controls; without masks none passes, and as it is none leaks."""
    published = ttest.read_published()
    for module, target in {(entry.accelerator, entry.platform) for entry in published}:
        mine = [e for e in published if (e.accelerator, e.platform) == (module, target)]
        path = annotation.find(module)
        names = {Control().name, *(control.name for control in ttest.controls(path))}
        assert {entry.variant for entry in mine} == names
        verdicts = {entry.variant: entry.status for entry in mine}
        assert verdicts["as it is"] == "passed"
        assert verdicts["masks off"] == verdicts["constant randomness"] == "failed"
        for entry in mine:
            assert max(entry.wires) == max(entry.worst["wire alone"], entry.worst["wire stream"])
            limits = [entry.worst[f"sum {o}"] >= 4.5 for o in ttest.OTHERS]
            limits += [entry.worst[f"wire {o}"] >= 6 for o in ttest.OTHERS]
            assert (entry.status == "failed") == any(limits)


def test_controls_are_those_of_the_module() -> None:
    """A flaw in a file that the module does not have is none of its controls."""
    names = [control.name for control in ttest.controls(SBOX)]
    assert names[:2] == ["constant randomness", "masks off"]
    assert "BUG_MASKED_DOM" in names
    assert "BUG_MASKED_CONSTANT" not in names and "BUG_MASKED_ONE_SET" not in names
    column = [control.name for control in ttest.controls(annotation.find("masked_column"))]
    assert {*names, "BUG_MASKED_ONE_SET"} == set(column)


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
GOOD = 'top = "m"\nrandom = ["r"]\n[[secret]]\nshares = ["a0", "a1"]\n'


def aesforge(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command line."""
    return subprocess.run([AESFORGE, *words], capture_output=True, text=True, timeout=240)


def test_a_module_of_a_user(tmp_path: Path) -> None:
    """A file beside its RTL: a table and status 0; a leak: where it is, status 1."""
    (tmp_path / "m.sv").write_text(RTL)
    path = tmp_path / "m.probe.toml"
    path.write_text(GOOD)
    few = ("-t", "cmos", "--traces", "20000", "--draws", "2")
    done = aesforge("ttest", str(path), *few, "--wide")
    assert done.returncode == 0, done.stderr
    assert "passes" in done.stdout
    (tmp_path / "m.sv").write_text(RTL.replace("a0 ^ r", "a0 ^ a1"))
    done = aesforge("ttest", str(path), *few, "--json")
    assert done.returncode == 1
    assert "m on cmos leaks: |t| of all wires in cycle" in done.stderr
    row = json.loads(done.stdout)
    assert (row["status"], row["variant"]) == ("failed", "as it is")
    assert row["wires"]["a_q"] == max(row["wires"].values()) > 100
    assert row["counts"] == {"wires": 4, "traces": 4 * 20_480}


def test_controls_are_tried(tmp_path: Path) -> None:
    """A user's module without its masks leaks; that is no error of the module."""
    (tmp_path / "m.sv").write_text(RTL)
    path = tmp_path / "m.probe.toml"
    path.write_text(GOOD)
    few = ("-t", "cmos", "--traces", "20000", "--draws", "2", "--json")
    done = aesforge("ttest", str(path), *few, "--controls")
    assert done.returncode == 0, done.stderr
    rows = {row["variant"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert set(rows) == {"as it is", "constant randomness", "masks off"}
    assert rows["constant randomness"]["status"] == rows["masks off"]["status"] == "failed"
    assert aesforge("ttest", str(path), *few, "--masks", "off").returncode == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("aes_sbox_masked", "--publish", "--masks", "off"), "leave --bug and --masks out"),
        (("aes_sbox_masked", "--controls", "--bug", "BUG_MASKED_DOM"), "leave --bug and --masks"),
        (("aes_sbox_masked", "--traces", "1000"), "--traces wants 1024 or more"),
        (("aes_sbox_masked", "-t", "osu"), "there is no target 'osu'"),
        (("nothing",), "there is no masked module 'nothing'"),
    ],
)
def test_mistakes_are_refused(words: tuple[str, ...], told: str) -> None:
    """Before anything is mapped."""
    done = aesforge("ttest", *words)
    assert done.returncode == 2 and told in done.stderr


def test_only_modules_of_the_repository_are_published(tmp_path: Path) -> None:
    """A user's module is refused before anything is mapped."""
    path = tmp_path / "m.probe.toml"
    path.write_text(GOOD)
    done = aesforge("ttest", str(path), "--publish")
    assert done.returncode == 2 and "--publish is for modules of rtl/" in done.stderr


def test_the_hash_covers_what_a_result_follows_from(tmp_path: Path) -> None:
    """RTL, annotation, target, masks and settings each change it."""
    path = tmp_path / "m.probe.toml"
    path.write_text(GOOD)
    usual, known = annotation.load(path), {"random": [], "public": ["r"]}
    hashes = []
    for text, found, target, masks, seed in (
        (RTL, usual, "cmos", "fresh", 1),
        (RTL.replace("a0 ^ r", "a0"), usual, "cmos", "fresh", 1),
        (RTL, usual.model_copy(update=known), "cmos", "fresh", 1),
        (RTL, usual, "xc7", "fresh", 1),
        (RTL, usual, "cmos", "off", 1),
        (RTL, usual, "cmos", "fresh", 2),
    ):
        (tmp_path / "m.sv").write_text(text)
        rtl = probe.design(path, found)
        (to,) = ttest.targets([target])
        control, settings = Control(masks=masks), Settings(seed=seed)
        hashes.append(ttest.inputs(rtl, to, found, control, settings))
    assert all(one != other for one, other in itertools.combinations(hashes, 2))


def test_the_page_shows_each_test(tmp_path: Path) -> None:
    """A row for each control, the module as it is first; what the test misses says so."""
    (tmp_path / "m.sv").write_text(RTL)
    path = tmp_path / "m.probe.toml"
    path.write_text(GOOD)
    records = [
        ttest.make_record(
            ttest.ttest(path, TARGETS["cmos"], control, Settings(2000, 1), folder=tmp_path / "made")
        )
        for control in (Control(masks="off"), Control())
    ]
    good, bad = ttest.page_table(records).splitlines()[2:]
    assert good.startswith("| `m` | cmos | as it is | 4 | ") and good.endswith(" | passes |")
    assert bad.startswith("| `m` | cmos | masks off | 4 | ") and bad.endswith(" | leaks |")


def test_too_few_traces() -> None:
    """No t without a number of traces in each class."""
    with pytest.raises(UsageError):
        ttest.require(Settings(traces=100))
