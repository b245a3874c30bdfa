# SPDX-License-Identifier: Apache-2.0
"""The proof runner on small proofs of its own, and the fast proofs of shared RTL and units."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import ValidationError

from aesforge.base.errors import ManifestError, ToolError, UsageError
from aesforge.base.paths import ROOT
from aesforge.catalog import manifest, planted
from aesforge.catalog.manifest import Accelerator
from aesforge.catalog.planted import Bug, Edit
from aesforge.catalog.proof import Proof
from aesforge.records import record
from aesforge.verify import prove, prove_abc

COUNTER = """
module counter (input logic clk_i);
  logic [3:0] count_q = 4'd0;
  always_ff @(posedge clk_i) count_q <= (count_q == 4'd5) ? 4'd0 : count_q + 4'd1;
  always_comb assert (count_q < 4'd LIMIT);
endmodule
"""

WRAP = "(count_q == 4'd5) ? 4'd0 : count_q + 4'd1"

# No solver at hand factors in any time: the first primes above 2^64 over the golden ratio and
# above 2^63 times the root of two. (Primes near a power of two are found within a second.)
PRODUCT = 0x9E3779B97F4A7C55 * 0xB504F333F9DE6497
FACTORS = f"""
module counter (input logic clk_i, input logic [63:0] a_i, input logic [63:0] b_i);
  wire [127:0] product = {{64'd0, a_i}} * {{64'd0, b_i}};
  always_comb assert (a_i == 64'd1 || b_i == 64'd1 || product != 128'h{PRODUCT:032x});
endmodule
"""


@pytest.fixture(autouse=True)
def own_build(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """Keep the proofs of these tests out of the repository's build folder."""
    if "shared" not in request.node.name:
        monkeypatch.setattr(prove, "BUILD", tmp_path / "build")


def counter(folder: Path, limit: int = 6, **fields: object) -> Proof:
    """Return a proof about a counter from 0 to 5: it stays below `limit`."""
    (folder / "counter.sv").write_text(COUNTER.replace("LIMIT", str(limit)))
    settings = {"name": "counter", "top": "counter", "sources": ["counter.sv"], "mode": "prove"}
    return Proof.model_validate({**settings, "depth": 12, "bugs": ["BUG_STEP"], **fields})


def declared(folder: Path) -> dict[str, Bug]:
    """Return the counter's planted bugs: one that never wraps, and one that changes nothing."""
    found = {}
    for name, put in (("BUG_STEP", "count_q + 4'd1"), ("BUG_NONE", f"({WRAP})")):
        edit = Edit(file="counter.sv", find=WRAP, replace=put)
        found[name] = Bug(name, ((folder / "counter.sv", edit),))
    return found


def run_proofs(
    proofs: Sequence[Proof], jobs: int, bugs: bool = True, *, base: Path
) -> list[prove.ProofResult]:
    """Run proofs that may name the counter's planted bugs."""
    return prove.run_proofs(proofs, jobs, bugs, base=base, declared=declared(base))


def test_proof_holds_and_bug_is_caught(tmp_path: Path) -> None:
    """A true property is proved, its planted bug refuted; the second time both are remembered."""
    for cached in (False, True):
        results = run_proofs([counter(tmp_path)], 2, base=tmp_path)
        assert [(r.bug, r.outcome, r.passed, r.cached) for r in results] == [
            ("", "PASS", True, cached),
            ("BUG_STEP", "FAIL", True, cached),
        ]
    assert "counter.sv" in results[1].detail


@pytest.mark.parametrize(("mode", "depth"), [("prove", 12), ("bmc", 12)])
def test_abc_proves_and_refutes(tmp_path: Path, mode: str, depth: int) -> None:
    """Both modes of the bit-level engine hold and catch; Z3 replays the counterexample."""
    proof = counter(tmp_path, engine="abc", mode=mode, depth=depth)
    results = run_proofs([proof], 2, base=tmp_path)
    assert [(r.outcome, r.passed) for r in results] == [("PASS", True), ("FAIL", True)]
    assert "counter.sv" in results[1].detail
    (false,) = run_proofs(
        [counter(tmp_path, limit=5, engine="abc", mode=mode)], 1, bugs=False, base=tmp_path
    )
    assert (false.outcome, false.passed) == ("FAIL", False)
    assert "Assert failed" in false.detail


def test_abc_time_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that does not end has not passed, and is stopped."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "berkeley-abc"
    program.write_text(
        "#!/bin/sh\n"
        f'case "$2" in *bmc3*) echo $$ > {tmp_path}/pid; exec sleep 600 ;; esac\n'
        f'exec {shutil.which(prove_abc.PROGRAM)} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    proof = counter(tmp_path, engine="abc", timeout_s=8, mode="bmc")
    (result,) = run_proofs([proof], 1, bugs=False, base=tmp_path)
    assert (result.outcome, result.passed) == ("TIMEOUT", False)
    searching = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{searching}").exists():
            break
        time.sleep(0.1)
    else:
        pytest.fail(f"process {searching} still searches")


def test_abc_without_a_verdict_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither proved nor refuted, a shorter search, an unchecked invariant: never a pass."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "berkeley-abc"
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    for number, (mode, said) in enumerate(
        [
            ("prove", "Property UNDECIDED."),
            ("prove", ""),
            ("prove", "Property proved.  Time = 0.01 sec"),
            ("bmc", "No output asserted in 7 frames. Resource limit reached (timeout 1 sec)."),
        ]
    ):
        program.write_text(f"#!/bin/sh\necho '{said}'\n")
        program.chmod(0o755)
        proof = counter(tmp_path, limit=6 + number, engine="abc", mode=mode)
        for result in run_proofs([proof], 1, base=tmp_path):
            assert result.outcome in ("ERROR", "UNKNOWN"), said
            assert not result.passed


def test_abc_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the program the error says how to get it; proofs of the other engine go on."""
    monkeypatch.setattr(prove_abc, "PROGRAM", "absent-abc")
    prove._abc_version.cache_clear()
    with pytest.raises(ToolError, match="make setup"):
        run_proofs([counter(tmp_path, engine="abc")], 1, base=tmp_path)
    assert run_proofs([counter(tmp_path)], 1, bugs=False, base=tmp_path)[0].passed


def test_engine_is_part_of_the_key(tmp_path: Path) -> None:
    """A result of one engine is not that of the other, and each names its tools."""
    proofs = [counter(tmp_path), counter(tmp_path, engine="abc")]
    runs = prove._runs(proofs, False, tmp_path, "unit", (), {})
    assert len({prove._key(run) for run in runs}) == 2
    assert ["abc" in prove._tools(run.proof.engine) for run in runs] == [False, True]


def test_abc_limits(tmp_path: Path) -> None:
    """No cover, and a planted bug must show that the assumptions leave something."""
    with pytest.raises(ValidationError, match="no mode cover"):
        counter(tmp_path, engine="abc", mode="cover")
    with pytest.raises(ValidationError, match="planted bug"):
        counter(tmp_path, engine="abc", bugs=[])


def test_without_bugs(tmp_path: Path) -> None:
    """`bugs=False` runs the proofs alone."""
    assert len(run_proofs([counter(tmp_path)], 1, bugs=False, base=tmp_path)) == 1


def test_false_property_fails(tmp_path: Path) -> None:
    """A property that does not hold is reported with its place."""
    (result,) = run_proofs([counter(tmp_path, limit=5)], 1, bugs=False, base=tmp_path)
    assert not result.passed
    assert result.outcome == "FAIL"
    assert "Assert failed" in result.detail


def test_bug_that_changes_nothing_is_not_caught(tmp_path: Path) -> None:
    """A bug without an effect leaves the proof standing, and that is a failure."""
    results = run_proofs([counter(tmp_path, bugs=["BUG_NONE"])], 1, base=tmp_path)
    assert [result.passed for result in results] == [True, False]


def test_bug_deeper_than_the_search_is_not_caught(tmp_path: Path) -> None:
    """Running out of depth is no catch; `bug_depth` looks further than the proof needs."""
    shallow = counter(tmp_path, depth=3, mode="bmc")
    assert [r.passed for r in run_proofs([shallow], 1, base=tmp_path)] == [True, False]
    deep = counter(tmp_path, depth=3, mode="bmc", bug_depth=8)
    assert [r.passed for r in run_proofs([deep], 1, base=tmp_path)] == [True, True]


def test_source_that_does_not_parse_is_an_error_even_for_a_bug(tmp_path: Path) -> None:
    """A tool error is neither a proof nor a caught bug, and is not remembered."""
    proof = counter(tmp_path)
    (tmp_path / "counter.sv").write_text(f"module counter (input logic clk_i; {WRAP} endmodule\n")
    for _ in range(2):
        results = run_proofs([proof], 2, base=tmp_path)
        assert [(r.outcome, r.passed, r.cached) for r in results] == [("ERROR", False, False)] * 2
        assert all("ERROR" in result.detail for result in results)


def test_time_out(tmp_path: Path) -> None:
    """A run that takes too long is stopped and has not passed."""
    proof = counter(tmp_path, mode="bmc", timeout_s=5)
    (tmp_path / "counter.sv").write_text(FACTORS)
    (result,) = run_proofs([proof], 1, bugs=False, base=tmp_path)
    assert result.outcome == "TIMEOUT"
    assert not result.passed


def test_missing_source(tmp_path: Path) -> None:
    """A source that does not exist is named."""
    with pytest.raises(ManifestError, match=r"absent\.sv"):
        run_proofs([counter(tmp_path, sources=["absent.sv"])], 1, base=tmp_path)


def test_load_refuses_twins_and_unknown_keys(tmp_path: Path) -> None:
    """Names are unique; a misspelt key is an error, not ignored."""
    table = '[[proof]]\nname = "a"\ntop = "a"\nsources = ["a.sv"]\n'
    path = tmp_path / "proofs.toml"
    path.write_text(table + table)
    with pytest.raises(ManifestError, match="two proofs"):
        prove.load(path)
    path.write_text(table + "dept = 4\n")
    with pytest.raises(ManifestError, match="dept"):
        prove.load(path)
    with pytest.raises(ValidationError):
        Proof(name="A", top="a", sources=[])


def _processes(word: str) -> list[str]:
    """Return the command lines of processes with a word in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if word.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
    return found


def test_ctrl_c_ends_the_programs(tmp_path: Path) -> None:
    """Exit status 130 at once, and no solver left, in the middle of the longest proofs."""
    _, longest = max(
        (proof.timeout_s, found.name)
        for found in manifest.discover()
        for proof in found.manifest.proof
        if not proof.fast and {other.engine for other in found.manifest.proof} <= {"smt", "abc"}
    )
    build = str(tmp_path / "build")
    child = subprocess.Popen(
        [sys.executable, "-m", "aesforge", "prove", longest, "--no-bugs", "--jobs", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "AESFORGE_BUILD": build},
    )
    end = time.monotonic() + 120
    while not any("z3" in line.split()[0] for line in _processes(build) if line):
        assert child.poll() is None and time.monotonic() < end
        time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=15)
    assert child.returncode == 130, told
    assert "interrupted; finished records are kept" in told
    assert _processes(build) == []


def test_progress_is_told(tmp_path: Path) -> None:
    """Each result as it comes, with how many there are and will be."""
    told: list[tuple[str, int, int]] = []
    runs = prove._runs([counter(tmp_path)], True, tmp_path, "small", (), declared(tmp_path))
    prove._run_all(runs, 1, lambda result, done, total: told.append((result.verdict, done, total)))
    assert told == [("proved", 1, 2), ("caught", 2, 2)]


def test_unknown_accelerator() -> None:
    """A name that is neither an accelerator nor 'shared' is refused."""
    with pytest.raises(UsageError, match="no accelerator"):
        prove.prove_all(["no_such_unit"])


def test_render(tmp_path: Path) -> None:
    """The table says proved, caught and NOT CAUGHT."""
    results = run_proofs([counter(tmp_path, bugs=["BUG_STEP", "BUG_NONE"])], 2, base=tmp_path)
    cells = [str(cell) for cell in prove.render(results).columns[3]._cells]
    assert ["proved" in cells[0], "caught" in cells[1], "NOT CAUGHT" in cells[2]] == [True] * 3


def test_every_planted_bug_of_shared_rtl_has_a_proof() -> None:
    """Each planted bug of an adapter is caught by at least one proof."""
    sources = set((ROOT / "rtl/adapters").glob("*.sv"))
    found = {name for name, bug in planted.shared().items() if sources & set(bug.texts())}
    assert found
    assert found <= {bug for proof in prove.load(ROOT / prove.PROOFS_FILE) for bug in proof.bugs}


def test_a_proof_that_names_an_unknown_bug(tmp_path: Path) -> None:
    """Owner, proof and bug are named, before anything runs."""
    unknown = counter(tmp_path, bugs=["BUG_OTHER"])
    with pytest.raises(ManifestError, match="proof 'counter': there is no planted bug 'BUG_OTHER'"):
        run_proofs([unknown], 1, base=tmp_path)


def test_a_planted_bug_counts_by_what_is_read(tmp_path: Path) -> None:
    """The hash of its run covers the text that it puts in; a bug of no source is refused."""

    def key(put: str) -> str:
        edit = Edit(file="counter.sv", find=WRAP, replace=put)
        bug = Bug("BUG_STEP", ((tmp_path / "counter.sv", edit),))
        runs = prove._runs([counter(tmp_path)], True, tmp_path, "unit", (), {bug.name: bug})
        return prove._key(runs[1])

    assert key("count_q + 4'd1") == key("count_q  +  4'd1 /* no more */")
    assert key("count_q + 4'd1") != key("count_q + 4'd2")
    (tmp_path / "other.sv").write_text("module other;\nendmodule\n")
    elsewhere = Edit(file="other.sv", find="other", replace="another")
    bugs = {"BUG_STEP": Bug("BUG_STEP", ((tmp_path / "other.sv", elsewhere),))}
    with pytest.raises(ManifestError, match="BUG_STEP changes none of the files"):
        prove._runs([counter(tmp_path)], True, tmp_path, "unit", (), bugs)


@pytest.mark.parametrize(
    "proof",
    [p for p in prove.load(ROOT / prove.PROOFS_FILE) if p.fast and not p.each_unit],
    ids=lambda proof: f"shared-{proof.name}",
)
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_shared_proof(proof: Proof, every: bool) -> None:
    """The fast proofs of the shared RTL hold here and catch their planted bugs.

    A bug need not be searched for again that was caught, as published, with the very same inputs:
    sources, properties, script and tools.
    """
    runs = prove._runs([proof], True, ROOT, prove.SHARED, (), planted.shared())
    results = prove._run_all(runs if every else unpublished(runs), 2)
    assert results and results[0].bug == ""
    assert [(r.bug, r.outcome) for r in results if not r.passed] == []


def unpublished(runs: Sequence[prove._Run]) -> list[prove._Run]:
    """Return the proofs, and the planted bugs that no current published record says are caught."""
    caught = {entry.inputs_sha256 for entry in prove.read_published() if entry.outcome == "FAIL"}
    return [run for run in runs if not run.bug or prove._key(run) not in caught]


UNITS = manifest.units()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: f"shared-{unit.name}")
def test_proofs_of_every_unit(unit: Accelerator) -> None:
    """Handshake and timing of each unit's first variant; `aesforge prove` takes all, with bugs."""
    results = prove.prove_unit(unit, bugs=False)
    own = [name for proof in unit.manifest.proof for name in proof.instead_of]
    assert len(results) + own.count("unit_timing") >= 2
    assert [(r.proof, r.outcome, r.detail) for r in results if not r.passed] == []


def test_proofs_of_every_unit_are_seen_to_fail() -> None:
    """Each proof of every unit turns red with each of its saboteurs, on a unit of the tests."""
    unit = manifest.load(ROOT / "tests/fixtures/shapes")
    results = prove.prove_unit(unit, bugs=True)
    assert {r.bug for r in results} >= {"", "BUG_UNIT_DROPS", "BUG_UNIT_LEAKS"}
    assert [(r.proof, r.bug, r.outcome, r.detail) for r in results if not r.passed] == []


def test_published_results_count_while_they_are_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stand in for the build folder's; a changed source or an unknown one makes them void."""
    proof = counter(tmp_path)

    def asked(*_args: object, **_how: object) -> list[prove._Run]:
        return prove._runs([proof], True, tmp_path, "unit", (), declared(tmp_path))

    monkeypatch.setattr(prove, "_asked", asked)
    monkeypatch.setattr(prove, "PUBLISHED", tmp_path / "proofs.jsonl")
    assert prove.known() == []
    prove.publish([], prove.prove_all([]))
    first = prove.PUBLISHED.read_bytes()
    monkeypatch.setattr(prove, "BUILD", tmp_path / "empty")
    found = prove.known()
    assert [(r.owner, r.bug, r.passed, r.cached) for r in found] == [
        ("unit", "", True, True),
        ("unit", "BUG_STEP", True, True),
    ]
    assert [run.bug for run in unpublished(asked())] == [""]
    counter(tmp_path, limit=7)
    assert prove.known() == []
    assert [run.bug for run in unpublished(asked())] == ["", "BUG_STEP"]
    prove.publish([], prove.prove_all([]))
    assert len(prove.read_published()) == 2
    assert prove.PUBLISHED.read_bytes() != first
    (one, *_) = prove.read_published()
    other = one.model_copy(update={"owner": "other", "inputs_sha256": "0" * 64})
    record.write_lines([one, other], prove.PUBLISHED)
    prove.publish(["unit"], prove.prove_all([]))
    assert [entry.owner for entry in prove.read_published()] == ["other", "unit", "unit"]
