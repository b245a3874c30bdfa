# SPDX-License-Identifier: Apache-2.0
"""The Monte Carlo test on RTL: every variant of every unit, and everything that can go wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.bench import montecarlo
from aesforge.bench.montecarlo import Leg, Result, Settings
from aesforge.build import codegen, new
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.model import mct
from tree_support import Tree, make_tree, replace_in

UNITS = manifest.aes_units()
# A set's own planted bugs mix up the answers of two units; a chain of blocks asks only one.
ALONE = [unit for unit in UNITS if unit.manifest.kind == "instruction"]
VARIANTS = [(unit, variant) for unit in UNITS for variant in unit.manifest.variant]
SHORT = Settings(outer=2, inner=100)

# What the Rijndael submission gives for I = 0, key and text zero, 10,000 blocks: E and D.
FIRST = {
    "encrypt": "c34c052cc0da8d73451afe5f03be297f",
    "decrypt": "44416ac2d1f53c583303917e6be9ebe0",
}


def quiet(leg: Leg, blocks: int) -> None:
    """Report nothing."""


def run(unit: Accelerator, variant: Variant, settings: Settings, bug: str = "") -> list[Result]:
    """Run a variant's legs from the beginning, one after another."""
    legs = montecarlo.legs(unit, variant, settings, bug)
    return [montecarlo.run_leg(leg, quiet, fresh=True) for leg in legs]


# --- what is right --------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_the_chain_is_that_of_the_submission(direction: manifest.Direction) -> None:
    """OpenSSL's chain gives the first published result."""
    last, penultimate = montecarlo.openssl(bytes(16), bytes(16), direction, montecarlo.INNER)
    assert last.hex() == FIRST[direction]
    assert montecarlo.openssl(bytes(16), penultimate, direction, 1) == (last, penultimate)


@pytest.mark.parametrize(
    ("direction", "bits"),
    [
        pytest.param(*key, marks=[] if key[1] == 128 else [pytest.mark.slow])
        for key in montecarlo.FINAL
    ],
)
def test_the_chain_ends_as_published(direction: manifest.Direction, bits: int) -> None:
    """400 outer iterations on OpenSSL give the last published result."""
    key, text = bytes(bits // 8), bytes(16)
    for _ in range(montecarlo.OUTER):
        last, penultimate = montecarlo.openssl(key, text, direction, montecarlo.INNER)
        key, text = mct.next_key(key, last, penultimate), last
    assert text.hex() == montecarlo.FINAL[direction, bits]


@pytest.mark.parametrize("bits", montecarlo.KEY_BITS)
def test_the_chain_is_that_of_aesavs(bits: int) -> None:
    """With 1000 blocks it is the chain that the CAVP files are checked with."""
    key, text = bytes(range(bits // 8)), bytes(16)
    done = mct.iterate(key, b"", text, encrypt=True)
    assert montecarlo.openssl(key, text, "encrypt", mct.INNER) == (done.last, done.penultimate)


# --- every unit -----------------------------------------------------------------------------------


# Hardware of the default matrix in every test run, what differs little from it in the whole one.
DEFAULT = {(unit.name, variant.name) for unit, variant in montecarlo.choose(())}
EACH = [
    pytest.param(
        *(unit, variant),
        id=f"{unit.name}-{variant.name}",
        marks=() if (unit.name, variant.name) in DEFAULT else pytest.mark.slow,
    )
    for unit, variant in VARIANTS
]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_build_is_of_what_the_kernel_reaches(unit: Accelerator) -> None:
    """Headers that the kernel does not include may change without a new run."""
    names = {path.name for path in montecarlo.kernel_sources(unit)}
    assert names >= {path.name for path in unit.kernel_files()} | {"aes_kernel.h"}
    assert "hal.h" not in names


@pytest.mark.parametrize(("accelerator", "variant"), EACH)
def test_every_variant(accelerator: Accelerator, variant: Variant) -> None:
    """All key sizes, both directions where there are both: every outer iteration agrees."""
    results = run(accelerator, variant, SHORT)
    assert len(results) == len(montecarlo.KEY_BITS) * len(variant.directions)
    for result in results:
        assert result.reason == ""
        assert (result.state.done, result.blocks) == (SHORT.outer, SHORT.outer * SHORT.inner)
        # A variant for other purposes may have a kernel in software.
        assert result.state.operations > 0 or not variant.by_default
    made = montecarlo.make_record(results)
    assert (made.question, made.platform, made.status) == ("montecarlo", "rtl", "passed")
    assert made.counts["encrypt_128"] == SHORT.outer * SHORT.inner


@pytest.mark.parametrize("unit", ALONE, ids=lambda unit: unit.name)
def test_a_planted_bug_is_found(unit: Accelerator) -> None:
    """The first bug of every unit that its kernel can notice: others are the unit bench's."""
    for bug in (bug for bug in unit.manifest.bug if bug.bench != "none"):
        results = run(unit, unit.variant(bug.variant), Settings(2, 20, (128,)), bug.name)
        if wrong := [result for result in results if result.reason]:
            break
    assert wrong, "no planted bug was noticed"
    for result in wrong:
        assert "outer iteration 0" in result.reason or "clocks" in result.reason


# --- a unit made for the purpose ------------------------------------------------------------------

PORT = """  assign rsp_valid_o = req_valid_i;
  assign req_ready_o = rsp_ready_i;
"""
# Answers two cycles after the request and takes the next one only then.
SLOW_PORT = """  logic [1:0] age_q;
  assign rsp_valid_o = age_q == 2'd2;
  assign req_ready_o = age_q == 2'd0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) age_q <= 2'd0;
    else if (rsp_valid_o) age_q <= rsp_ready_i ? 2'd0 : 2'd2;
    else if (req_valid_i || age_q != 2'd0) age_q <= age_q + 2'd1;
  end
"""


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A tree with one unit, the template's."""
    made = make_tree(tmp_path)
    new.create("tried_unit", made.root)
    return made


def rtl(tree: Tree) -> Path:
    """The unit's RTL."""
    return tree.root / "accelerators" / "tried_unit" / "rtl" / "tried_unit.sv"


def slow(tree: Tree) -> None:
    """Make the unit one that needs two cycles."""
    replace_in(rtl(tree), PORT, SLOW_PORT)
    replace_in(rtl(tree).parents[1] / "accel.toml", "latency = 0", "latency = 2")


def load(tree: Tree) -> tuple[Accelerator, Variant]:
    """The unit and its first variant."""
    unit = manifest.load(tree.root / "accelerators" / "tried_unit")
    return unit, unit.variant("")


def test_a_clocked_unit(tree: Tree) -> None:
    """Three clocks an operation, and the results of the combinational unit."""
    slow(tree)
    for result in run(*load(tree), Settings(2, 20, (128,))):
        assert result.reason == ""
        assert result.state.clocks == 3 * result.state.operations + 2  # two of the reset


@pytest.mark.parametrize(
    ("clocked", "old", "text", "reason"),
    [
        (False, "rsp_valid_o = req_valid_i", "rsp_valid_o = 1'b0", "no response in its own cycle"),
        (True, "age_q == 2'd2;", "1'b0;", "had no response within 4096 clocks"),
        (True, "req_ready_o = age_q == 2'd0", "req_ready_o = 1'b0", "answered before it was taken"),
    ],
)
def test_a_unit_that_hangs(tree: Tree, clocked: bool, old: str, text: str, reason: str) -> None:
    """A unit that never answers, or not in order, ends the run after a bounded number of clocks."""
    if clocked:
        slow(tree)
    replace_in(rtl(tree), old, text)
    done = tree.run("montecarlo", "tried_unit/full", "--outer", "2", "--inner", "20")
    assert done.returncode == 1
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_unit_fails_by_name_and_iteration(tree: Tree) -> None:
    """Exit status, message, JSON and record say what went wrong where."""
    replace_in(rtl(tree), ".inv_i (inv),", ".inv_i (inv && i != 3),")
    words = ("montecarlo", "tried_unit/full", "--outer", "2", "--inner", "20")
    done = tree.run(*words, "--key-bits", "128", "--json")
    assert done.returncode == 1
    assert "tried_unit/full decrypt 128: outer iteration 0" in done.stderr
    rows = {row["direction"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert (rows["encrypt"]["status"], rows["encrypt"]["blocks"]) == ("passed", 40)
    assert (rows["decrypt"]["status"], rows["decrypt"]["blocks"]) == ("failed", 0)
    assert "the unit gives" in rows["decrypt"]["reason"]


# --- lengths, checkpoints, interruption -----------------------------------------------------------


@pytest.fixture(scope="module")
def leg() -> Leg:
    """A leg of the first unit, with lengths that no other test has."""
    unit = UNITS[0]
    return Leg(unit, unit.manifest.variant[0], "encrypt", 128, 3, 37)


def test_the_published_end_is_asked_for(leg: Leg, monkeypatch: pytest.MonkeyPatch) -> None:
    """A complete run fails where the published result differs, whatever OpenSSL says."""
    monkeypatch.setattr(montecarlo, "OUTER", 2)
    monkeypatch.setattr(montecarlo, "INNER", leg.inner)
    result = montecarlo.run_leg(leg, quiet, fresh=True)
    assert (result.state.done, "the published one a04377ab" in result.reason) == (1, True)


def test_a_longer_run_goes_on_from_a_shorter_one(leg: Leg) -> None:
    """What was checked is not checked again, and the end is that of an uninterrupted run."""
    whole = montecarlo.run_leg(leg, quiet, fresh=True)
    longer = Leg(leg.accelerator, leg.variant, "encrypt", 128, 5, 37)
    seen: list[int] = []
    result = montecarlo.run_leg(longer, lambda _, blocks: seen.append(blocks))
    assert seen == [3 * 37, 37, 37]
    assert (whole.reason, result.reason, result.state.done) == ("", "", 5)
    again = montecarlo.run_leg(longer, quiet, fresh=True)
    kept = {"key", "text", "done"}
    assert again.state.model_dump(include=kept) == result.state.model_dump(include=kept)


def test_what_was_checked_can_be_read(leg: Leg) -> None:
    """Without running anything: blocks of the default lengths that agree."""
    first = Leg(leg.accelerator, leg.variant, "encrypt", 128, 1, montecarlo.INNER)
    done = montecarlo.run_leg(first, quiet)
    kept = montecarlo.kept(leg.accelerator, leg.variant)
    assert kept["encrypt_128"] == done.blocks >= montecarlo.INNER
    assert kept["encrypt_128_operations"] == done.state.operations


@pytest.mark.parametrize("damage", ["", "{}", '{"state": 1', "edited"])
def test_a_damaged_checkpoint_is_refused(leg: Leg, damage: str) -> None:
    """It is never taken for a result, nor thrown away silently."""
    montecarlo.run_leg(leg, quiet, fresh=True)
    path = montecarlo.checkpoint(leg)
    text = path.read_text(encoding="utf-8")
    edited = text.replace('"done":3', '"done":9')
    assert edited != text
    path.write_text(edited if damage == "edited" else damage, encoding="utf-8")
    with pytest.raises(AesforgeError, match=r"the checkpoint .* cannot be used.*--fresh"):
        montecarlo.run_leg(leg, quiet)
    (tried,) = montecarlo.run([leg], 1, quiet)
    assert (tried.status, "--fresh" in tried.reason) == ("error", True)
    assert montecarlo.run_leg(leg, quiet, fresh=True).reason == ""


def test_a_unit_that_cannot_be_built_does_not_stop_the_others(tree: Tree, leg: Leg) -> None:
    """Each leg has its result; the broken one says why, and where the log is."""
    unit, variant = load(tree)
    replace_in(rtl(tree), "assign inv", "assing inv")
    broken = Leg(unit, variant, "encrypt", 128, 1, 10)
    first, second = montecarlo.run([broken, leg], 1, quiet)
    assert (first.status, second.status) == ("error", "passed")
    assert "log: " in first.reason
    assert montecarlo.make_record([first]).status == "error"


def test_an_interrupted_run_goes_on(leg: Leg, tmp_path: Path) -> None:
    """Ctrl-C stops the children at once; the next run starts where this one was."""
    name = f"{leg.accelerator.name}/{leg.variant.name}"
    words = ["montecarlo", name, "--key-bits", "128", "--inner", "41", "--outer"]
    command = [sys.executable, "-m", "aesforge", *words]
    environment = {**os.environ, "AESFORGE_BUILD": str(BUILD), "COLUMNS": "200"}
    kept = f"{leg.accelerator.name}-{leg.variant.name}-encrypt-128-41-*.json"
    for old in (BUILD / "montecarlo").glob(kept):
        old.unlink()
    with subprocess.Popen(
        [*command, "10000000"], env=environment, stderr=subprocess.PIPE, text=True
    ) as running:
        deadline = time.monotonic() + 300
        while not list((BUILD / "montecarlo").glob(kept)) and time.monotonic() < deadline:
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=60)
    assert running.returncode == 130, stderr
    assert "interrupted" in stderr
    path = next((BUILD / "montecarlo").glob(kept))
    before = json.loads(path.read_text(encoding="utf-8"))["state"]["done"]
    assert before > 0
    done = subprocess.run(
        [*command, str(before + 1), "--json"], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout.splitlines()[0])
    assert (row["status"], row["blocks"]) == ("passed", 41 * (before + 1))


# --- choices --------------------------------------------------------------------------------------


def test_choices() -> None:
    """No name means RTL by default, a name all of a unit's, a name with variant that one."""
    default = [(unit, v) for unit in ALONE for v in unit.manifest.variant if v.by_default]
    chosen = [(unit.name, v.name) for unit, v in montecarlo.choose([])]
    rtl = [codegen.unit_sv(unit, v, False) for unit, v in default]
    first = [pair for place, pair in enumerate(default) if rtl[place] not in rtl[:place]]
    assert chosen == [(unit.name, v.name) for unit, v in first]
    unit = UNITS[0]
    one = unit.manifest.variant[0]
    assert [v for _, v in montecarlo.choose([unit.name])] == unit.manifest.variant
    assert [v for _, v in montecarlo.choose([f"{unit.name}/{one.name}"])] == [one]
    assert Settings().iterations(128) * montecarlo.INNER == 4_000_000


def test_refusals() -> None:
    """Names that are none, and software, which has no RTL."""
    software = next(a for a in manifest.discover() if a.manifest.rtl is None)
    hash_alone = next(a for a in manifest.units() if a.manifest.sw.cipher)
    for name, text in (
        ("nosuch", "no accelerator 'nosuch'"),
        (f"{UNITS[0].name}/nosuch", "no variant 'nosuch'"),
        (software.name, "is software"),
        (hash_alone.name, f"{hash_alone.name} has no AES.*units with AES: .*{UNITS[0].name}"),
    ):
        with pytest.raises(UsageError, match=text):
            montecarlo.choose([name])


@pytest.mark.parametrize(
    ("words", "text"),
    [(("--key-bits", "96"), "no AES-96"), (("--publish", "--outer", "2"), "default lengths")],
)
def test_wrong_options(words: tuple[str, ...], text: str) -> None:
    """One line and exit status 2."""
    done = subprocess.run(
        [sys.executable, "-m", "aesforge", "montecarlo", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200"},
    )
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert text in done.stderr
