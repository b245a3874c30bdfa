# SPDX-License-Identifier: Apache-2.0
"""Fault campaigns: what is flipped, what is counted, and the error for an unknown operation."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError, ToolError, UsageError
from aesforge.build import gates, library
from aesforge.catalog import manifest
from aesforge.catalog.model_file import load_model
from aesforge.faults import campaign, netlist, outside, unit
from aesforge.faults.campaign import Result
from aesforge.faults.step import Job, Step
from aesforge.synth.flow import Design

EXAMPLE = Path(__file__).parent / "faults" / "faults_example.sv"
FILES = tuple(library.with_shared([EXAMPLE], None))
ON_BUS = [t.accelerator for t in campaign.targets([]) if t.accelerator.manifest.on_bus]
ABLE = next(a for a in ON_BUS if "apb" in getattr(load_model(a.file(campaign.HOST)), "HOSTS", {}))
MASTER = next(a for a in ON_BUS if a.manifest.kind == "dma")
UNITS = [t for t in campaign.targets([]) if t.accelerator.manifest.is_unit]
HASH = next(t for t in UNITS if t.accelerator.manifest.sw.cipher)
SMALL = min(
    (campaign.Target(ABLE, v) for v in ABLE.manifest.variant), key=lambda t: len(campaign.jobs(t))
)
WORD = 0x12345678
TURNED = (WORD << 5 | WORD >> 27) & 0xFFFFFFFF
READY, ALARM = 2, 1


def job(polls: int = 0) -> Job:
    """The example's operation; `polls` more reads of its status before the result."""
    status = Step("check", 4, READY, READY)
    steps = (
        Step("write", 0, WORD),
        Step("wait", 4, READY, READY, ALARM),
        *[status] * polls,
        Step("read", 0, TURNED),
        Step("check", 4, 0, ALARM),
    )
    return Job("turn", steps)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, tuple[Path, list[str]]]:
    """The campaign of the example without and with its guard."""
    made = {}
    for guarded in (0, 1):
        folder = tmp_path_factory.mktemp(f"guarded{guarded}")
        design = Design(FILES, "faults_example", params=(("Guarded", guarded),))
        made[guarded] = campaign.compile_program(design, folder, folder / "log")
    return made


def run(made: tuple[Path, list[str]], wanted: Job) -> Result:
    """A campaign."""
    return campaign.run_job(*made, wanted)


def test_every_flip_flop_is_there(programs: dict[int, tuple[Path, list[str]]]) -> None:
    """Those of the guard are registers of equal and inverse values: none is merged."""
    names = [gates.register_of(name) for name in programs[1][1]]
    wanted = {"word_q": 32, "twin_q": 32, "left_q": 3, "spare_q": 3, "alarm_q": 1}
    assert {name: names.count(name) for name in wanted} == wanted
    assert "twin_q" not in {gates.register_of(name) for name in programs[0][1]}


def test_a_word_without_guard_is_wrong(programs: dict[int, tuple[Path, list[str]]]) -> None:
    """Each flip between the write and the read counts; each cycle more adds one a bit."""
    short, long = run(programs[0], job()), run(programs[0], job(3))
    assert sum(short.outcomes.values()) == short.faults == short.cycles * short.flip_flops
    more = long.cycles - short.cycles
    assert more > 0
    assert long.wrong_in["word_q"] - short.wrong_in["word_q"] == 32 * more
    # A round that is left out is a result before its time.
    assert short.outcomes["early"] > 0 and short.wrong_in["left_q"] > 0
    # There is no guard: an alarm is a flip of that bit on its way to the host.
    assert short.outcomes["alert"] <= short.cycles
    # Flips of the bus's handshake make the host wait for ever.
    assert short.outcomes["nothing"] > 0


def test_a_guard_is_seen(programs: dict[int, tuple[Path, list[str]]]) -> None:
    """What was wrong is an alert; what is left is the bus's own registers."""
    found = run(programs[1], job(3))
    assert found.outcomes["alert"] > 0
    assert {"word_q", "left_q", "twin_q", "spare_q"} & set(found.wrong_in) == set()
    assert all(name.startswith(("u_slave", "s_axi")) for name in found.wrong_in)
    # Without the last look at the alarm the guard is worth nothing once the host has waited.
    blind = replace(job(3), steps=job(3).steps[:-1])
    assert run(programs[1], blind).wrong_in["word_q"] > 0


def test_what_is_around_is_not_flipped(
    programs: dict[int, tuple[Path, list[str]]], tmp_path: Path
) -> None:
    """Without the bus slave's flip-flops: all others as with them, in an operation as long."""
    design = Design(FILES, "faults_example", params=(("Guarded", 0),))
    made = campaign.compile_program(design, tmp_path, tmp_path / "log", outside_of="u_slave")
    names = programs[0][1]
    assert made[1] == [name for name in names if not name.startswith("u_slave.")]
    assert 0 < len(made[1]) < len(names)
    found, whole = run(made, job(3)), run(programs[0], job(3))
    assert found.cycles == whole.cycles and found.faults < whole.faults
    inside = {name for name in whole.wrong_in if not name.startswith("u_slave")}
    assert found.wrong_in == {name: whole.wrong_in[name] for name in inside}
    gates_ = netlist.make(design, tmp_path / "again", tmp_path / "log")
    for prefix in ("nothing.", ""):
        with pytest.raises(ValueError, match="flip-flops begin with"):
            outside.apart(gates_, prefix)


def test_a_bus_master_has_a_memory() -> None:
    """Beside each of its tops; the memory is no part of what is flipped or of the variant."""
    tops = {MASTER.manifest.circuit(variant)[0] for variant in MASTER.manifest.variant}
    targets = [campaign.Target(MASTER, variant) for variant in MASTER.manifest.variant]
    assert len(tops) == 2
    assert {campaign.circuit(target)[0] for target in targets} == {"faults_system"}
    assert {campaign.circuit(target)[1]["Guarded"] for target in targets} == {0, 1}
    kept = campaign.targets([MASTER.name])
    circuits = [(str(c.accelerator.manifest.circuit(c.variant))) for c in kept]
    assert len(circuits) == len(set(circuits)) < len(targets)


# What makes a flip's end known before its end, each broken.
SHORT_CUTS = {
    "where the host is": ("    same &= now.at[g->step];\n", ""),
    "what the circuit took": ("same &= ~(now.taken[i] ^ all_of(g->taken[i]));", ";"),
    "one flip-flop": ("more |= i < FLIP_FLOPS ? other & v : v;", "more |= all_of(0);"),
    "what it led to": ("if (what == RIGHT) continue;", "continue;"),
    "what was wrong before": ("else if (in(now.wrong, copy))", "else if (in(now.early, copy))"),
    "what repeats": ("differ |= now.at[i] ^ before.at[i];", ";"),
    "an end before the right one": ("if (t + i + 1 < length) now.early", "now.early"),
}


@pytest.mark.parametrize("guarded", [0, 1])
def test_short_cuts_change_nothing(
    programs: dict[int, tuple[Path, list[str]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    guarded: int,
) -> None:
    """Each flip-flop's outcomes are those of running every flip to its end."""
    design = Design(FILES, "faults_example", params=(("Guarded", guarded),))
    flags = (*campaign.FLAGS, "-DTO_THE_END")
    whole = campaign.compile_program(design, tmp_path, tmp_path / "log", flags)
    for wanted in (job(), job(3), job(40)):
        found, slow = run(programs[guarded], wanted), run(whole, wanted)
        assert found == slow and found.faults > 0
    if guarded:
        return
    text, seen = campaign.RUNNER.read_text(encoding="utf-8"), []
    for old, new in SHORT_CUTS.values():
        assert text.count(old) == 1, old
        broken = tmp_path / "runner.c"
        broken.write_text(text.replace(old, new), encoding="utf-8")
        for header in ("axil", "unit"):
            name = f"{header}_host.h"
            (tmp_path / name).write_text(campaign.RUNNER.with_name(name).read_text())
        monkeypatch.setattr(campaign, "RUNNER", broken)
        made = campaign.compile_program(design, tmp_path / "made", tmp_path / "log")
        every = [(run(programs[0], wanted), wanted) for wanted in (job(), job(3), job(40))]
        seen.append(any(run(made, wanted) != found for found, wanted in every))
    assert dict(zip(SHORT_CUTS, seen, strict=True)) == dict.fromkeys(SHORT_CUTS, True)


def test_an_operation_that_is_wrong_by_itself(programs: dict[int, tuple[Path, list[str]]]) -> None:
    """No campaign without a right operation: a wrong answer, an alert, an end that never comes."""
    for steps in (
        (Step("write", 0, WORD), Step("read", 0, TURNED)),
        (Step("check", 4, 0, READY),),
    ):
        with pytest.raises(ToolError, match="campaign"):
            run(programs[0], Job("wrong", steps))
    with pytest.raises(ToolError):
        run(programs[0], Job("endless", (Step("wait", 4, ALARM, ALARM),)))


def test_what_cannot_be_simulated(tmp_path: Path) -> None:
    """A loop of gates, a latch: an error that says so, not a wrong figure."""
    for body in (
        "assign y_o = ~(y_o & a_i); always_ff @(posedge clk_i) q <= a_i;",
        "always_latch if (a_i) y_o = clk_i; always_ff @(posedge clk_i) q <= a_i;",
        "assign y_o = q; always_ff @(posedge clk_i) q <= a_i; always_ff @(posedge a_i) p <= q;",
    ):
        path = tmp_path / "bad.sv"
        head = "module bad (input logic clk_i, input logic a_i, output logic y_o, output logic p);"
        path.write_text(f"{head}\n  logic q;\n  {body}\nendmodule\n")
        with pytest.raises(ToolError):
            netlist.make(Design((path,), "bad"), tmp_path / "out", tmp_path / "log")


def test_the_engine_is_tried() -> None:
    """Every operation that a variant has, by name; a record counts all of it."""
    names = [found.name for found in campaign.jobs(SMALL)]
    assert len(names) == len(set(names)) == 5 and "cbc-decrypt-128" in names
    every = [campaign.Target(ABLE, variant) for variant in ABLE.manifest.variant]
    listed = {found.name for target in every for found in campaign.jobs(target)}
    assert {"gcm-encrypt-256", "gcm-decrypt-192", "gcm-forged-128", "cbc-decrypt-256"} <= listed
    with pytest.raises(UsageError, match=r"no operation 'nosuch'.*ecb-encrypt-128"):
        campaign.jobs(SMALL, ["nosuch"])
    stateless = next(a for a in manifest.discover() if a.manifest.kind == "software")
    with pytest.raises(UsageError, match=rf"keeps no state, or has no .*known: .*{ABLE.name}"):
        campaign.targets([stateless.name])


def test_units_with_state_are_tried() -> None:
    """What a kernel asks of its unit, at every key length; a unit without state has nothing."""
    assert all(not t.accelerator.manifest.is_stateless(t.variant) for t in UNITS)
    able = next(t for t in UNITS if not t.accelerator.manifest.sw.cipher)
    for target in (able, HASH):
        names = [found.name for found in campaign.jobs(target)]
        assert len(names) == len(set(names))
        bits = {name.rpartition("-")[2] for name in names}
        assert bits == {str(number) for number in target.variant.key_bits}
    without = next(
        a for a in manifest.aes_units() if all(map(a.manifest.is_stateless, a.manifest.variant))
    )
    with pytest.raises(UsageError, match=f"{without.name} keeps no state"):
        campaign.targets([without.name])


def test_a_wrong_answer_of_a_unit(tmp_path: Path) -> None:
    """Of a wrong product of a hash unit the kernel makes a wrong tag, or refuses a right one."""
    encrypt, decrypt = campaign.jobs(HASH, ["gcm-encrypt-128", "gcm-decrypt-128"])
    assert {step.kind for step in encrypt.steps} == {"write", "read", "check"}
    assert "read" not in {step.kind for step in decrypt.steps}
    made = campaign.build(HASH)
    found = campaign.run_job(*made, decrypt)
    assert found.silent == 0 and found.outcomes["alert"] > 0
    silent = campaign.run_job(*made, encrypt)
    assert silent.outcomes["wrong"] > found.outcomes["alert"] // 2
    # An answer that the RTL does not give is no operation to start from.
    steps = (*encrypt.steps[:-1], replace(encrypt.steps[-1], kind="read", answer=WORD))
    with pytest.raises(ToolError, match="campaign"):
        campaign.run_job(*made, Job("wrong", steps))


def test_a_kernel_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """No campaign if the kernel does not give OpenSSL's answer."""
    monkeypatch.setattr(unit, "_sample", lambda *words: (unit.TEXT, bytes(32)))
    with pytest.raises(AesforgeError, match="the kernel on the emulated unit gives result"):
        campaign.jobs(UNITS[0])


def test_the_command() -> None:
    """A campaign of the engine as people run it; the same with a planted bug fails at once."""
    words = [sys.executable, "-m", "aesforge", "faults", SMALL.name]
    words += ["--operation", "ecb-encrypt-128"]
    done = subprocess.run([*words, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, done.stdout.splitlines())
    assert row["faults"] == row["cycles"] * row["flip_flops"]
    assert sum(row[name] for name in campaign.OUTCOMES) == row["faults"]
    assert row["wrong"] > 0 and row["early"] > 0
    refused = subprocess.run([*words, "--publish"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "every operation" in refused.stderr


def test_results_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run builds and flips nothing; another operation, `fresh` or a damaged file does."""
    ran: list[str] = []

    def flip(program: Path, names: list[str], wanted: Job) -> Result:
        ran.append(wanted.name)
        outcomes = {**dict.fromkeys(campaign.OUTCOMES, 0), "wrong": len(ran)}
        return Result(wanted, 1, 1, outcomes, {"b_q": 1, "a_q": 1})

    def build(target: campaign.Target) -> tuple[Path, list[str]]:
        ran.append("build")
        return tmp_path, ["b_q"]

    monkeypatch.setattr(campaign, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(campaign, "run_job", flip)
    monkeypatch.setattr(campaign, "build", build)
    monkeypatch.setattr(campaign, "_code", lambda target: ("circuit", "code"))
    first, second = job(), replace(job(2), name="longer")
    seen: list[str] = []

    def ended(target: campaign.Target, result: Result) -> None:
        seen.append(result.job.name)

    def run_it(*chosen: Job, fresh: bool = False) -> list[Result]:
        ran.clear()
        seen.clear()
        return campaign.run(SMALL, chosen, 1, ended, fresh=fresh)

    (one,) = run_it(first)
    assert ran == ["build", "turn"]
    assert run_it(first) == [one] and ran == [] and seen == ["turn"]
    assert list(run_it(first)[0].wrong_in) == ["b_q", "a_q"]
    both = run_it(first, second)
    assert ran == ["build", "longer"] and seen == ["turn", "longer"] and both[0] == one
    run_it(first, fresh=True)
    assert ran == ["build", "turn"]
    for path in (tmp_path / "kept").iterdir():
        path.write_text(path.read_text()[:-9])
    run_it(first)
    assert ran == ["build", "turn"]


def test_records_tell_the_whole() -> None:
    """Outcomes add up on the page."""
    outcomes = {"right": 5, "nothing": 1, "alert": 0, "wrong": 3, "early": 1}
    found = Result(job(), 5, 2, outcomes, {"left_q": 1, "u_a.genblk1.keys": 3})
    entry = campaign.make_record(SMALL, [found])
    assert entry.counts["turn_wrong"] == 3 and entry.counts["wrong in u_a.genblk1.keys"] == 3
    table = campaign.page_table([entry])
    assert f"| {ABLE.name} / {SMALL.variant.name} | 2 | 1 | 10 | 50.0 % | 10.0 % |" in table
    assert "| 0.0 % | 3 (30.00 %) | 1 |" in table
    assert "`u_a.keys` 3, `left_q` 1" in table


def test_another_bus_is_another_circuit() -> None:
    """Its module around the front end, a record and a row of its own; unknown ones are refused."""
    other = next(h for h in ("apb", "wishbone") if h in load_model(ABLE.file(campaign.HOST)).HOSTS)
    there = replace(SMALL, host=other)
    assert ABLE.manifest.rtl is not None
    assert campaign.circuit(SMALL)[0] == ABLE.manifest.rtl.top
    top, params = campaign.circuit(there)
    assert top != ABLE.manifest.rtl.top and params["Host"] == other
    assert "always" not in ABLE.file(f"test/{top}.sv").read_text()  # nothing of its own to flip
    found = Result(job(), 1, 1, {**dict.fromkeys(campaign.OUTCOMES, 0), "right": 1}, {"word_q": 2})
    one, two = (campaign.make_record(target, [found]) for target in (SMALL, there))
    assert one.place != two.place and one.how.inputs_sha256 != two.how.inputs_sha256
    assert f"| {ABLE.name} / {SMALL.variant.name} on {other} |" in campaign.page_table([one, two])
    row = campaign.json_rows([(there, found)])[0]
    assert row["host"] == other and json.loads(str(row["wrong_in"])) == {"word_q": 2}
    with pytest.raises(UsageError, match=rf"no campaign on 'pcpi' .known: axil, .*{other}"):
        campaign.circuit(replace(SMALL, host="pcpi"))


def test_a_campaign_that_is_cut_short(tmp_path: Path) -> None:
    """Fewer lines than flip-flops are an error, not a result."""
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho length 2\necho 0 2 0 0 0 0\n")
    program.chmod(0o755)
    with pytest.raises(AesforgeError, match="not complete"):
        campaign.run_job(program, ["a", "b"], job())
