# SPDX-License-Identifier: Apache-2.0
"""Synthesis: what is counted, that it repeats, and everything that can go wrong on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError, ToolError, UsageError
from aesforge.base.paths import ROOT
from aesforge.catalog import manifest, planted, platform
from aesforge.records import record
from aesforge.synth import flow, synthesis
from aesforge.synth.flow import TARGETS, Design
from aesforge.synth.synthesis import Job, SynthRecord
from harness_support import SMALLEST

UNITS = manifest.units()
# Of the tests whose subject is the command: its variants are mapped in seconds.
TESTS = ROOT / "tests"

# A small unit: an adder with a register, whose cells can be told in advance.
ADDER = """
module {name} (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] a_i,
  input  logic [7:0] b_i,
  output logic [7:0] sum_o
);
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) sum_o <= 8'd0; else sum_o <= a_i ^ b_i;
endmodule
"""


@pytest.fixture
def xors(tmp_path: Path) -> Design:
    """Eight exclusive ors and eight flip-flops."""
    path = tmp_path / "xors.sv"
    path.write_text(ADDER.format(name="xors"), encoding="utf-8")
    return Design((path,), "xors")


def place(tmp_path: Path, name: str) -> tuple[Path, Path]:
    """Return an empty folder and the beginning of log names."""
    folder = tmp_path / name
    folder.mkdir()
    return folder, tmp_path / "logs" / name


@pytest.mark.parametrize("name", [name for name, found in TARGETS.items() if found.kind == "fpga"])
def test_the_wrapper_is_not_counted(tmp_path: Path, xors: Design, name: str) -> None:
    """Only the unit's own cells count; an inverter of the reset may be one more."""
    mapped = flow.map_design(xors, TARGETS[name], *place(tmp_path, "map"))
    found = flow.resources(TARGETS[name], mapped.cells)
    assert (found.lut4 if found.lut4 is not None else found.lut6) in (8, 9)
    assert (found.ff, found.bram, found.dsp) == (8, 0, 0)


@pytest.mark.parametrize("bug", ["", "BUG_SBOX_CANRIGHT"], ids=["same", "one wrong byte"])
@pytest.mark.parametrize("name", ["ecp5-85f", "ecp5-85f-abc"])
def test_the_netlist_computes_what_the_source_says(tmp_path: Path, name: str, bug: str) -> None:
    """A combined S-box in LUTs equals its source for all inputs; one wrong output byte is seen."""
    files = [ROOT / "rtl/field" / f"aes_{part}.sv" for part in ("inv_canright", "sbox_canright")]
    source = planted.plant(bug, planted.shared(), files, tmp_path / "planted")
    top = "aes_sbox_canright"
    folder, log = place(tmp_path, "map")
    commands = [
        *(f"read_verilog -sv {' '.join(map(str, files))}", f"hierarchy -top {top}"),
        *TARGETS[name].synthesis(top),
        *("techmap -map +/lattice/cells_sim_ecp5.v", "opt_clean", "design -stash mapped"),
        *(f"read_verilog -sv {' '.join(map(str, source))}", f"prep -flatten -top {top}"),
        f"design -copy-from mapped -as netlist {top}",
        f"miter -equiv -flatten -make_outputs {top} netlist miter",
        "sat -verify -prove trigger 0 miter",
    ]
    if bug:
        with pytest.raises(ToolError):
            flow.yosys(commands, folder, "equal", log)
        assert "proof did fail" in log.with_name(f"{log.name}-equal.log").read_text()
    else:
        flow.yosys(commands, folder, "equal", log)


def test_gates_are_transistors_over_four(tmp_path: Path, xors: Design) -> None:
    """An exclusive or has twelve transistors, a flip-flop sixteen."""
    mapped = flow.map_design(xors, TARGETS["cmos"], *place(tmp_path, "map"))
    assert mapped.gates == 8 * 12 / 4 + 8 * 16 / 4
    assert mapped.modules == {"xors": mapped.gates}


def test_standard_cells_are_timed(tmp_path: Path, xors: Design) -> None:
    """Area and path of eight gates and eight flip-flops are of their size."""
    mapped = flow.map_design(xors, TARGETS["osu018"], *place(tmp_path, "map"))
    assert mapped.gates is not None and 8 * 2 < mapped.gates < 8 * 12
    assert mapped.critical_path_ns is not None and 0.1 < mapped.critical_path_ns < 2.0


def test_carry_and_memory_cells_take_luts() -> None:
    """A carry cell takes two LUTs, a distributed RAM six."""
    cells = {"LUT4": 10, "CCU2C": 3, "TRELLIS_DPR16X4": 2, "TRELLIS_FF": 5, "DP16KD": 1}
    found = flow.resources(TARGETS["ecp5-85f"], cells)
    assert (found.lut4, found.ff, found.bram) == (10 + 6 + 12, 5, 1)


def test_modules_are_multiplied_by_their_instances(tmp_path: Path) -> None:
    """Two instances count twice."""
    path = tmp_path / "pair.sv"
    path.write_text(
        ADDER.format(name="leaf")
        + "module pair (input logic clk_i, input logic rst_ni, input logic [7:0] a_i,\n"
        "  input logic [7:0] b_i, output logic [15:0] sum_o);\n"
        "  leaf u_low (.clk_i, .rst_ni, .a_i, .b_i, .sum_o(sum_o[7:0]));\n"
        "  leaf u_high (.clk_i, .rst_ni, .a_i(b_i), .b_i(~a_i), .sum_o(sum_o[15:8]));\n"
        "endmodule\n",
        encoding="utf-8",
    )
    mapped = flow.map_design(Design((path,), "pair"), TARGETS["cmos"], *place(tmp_path, "map"))
    assert mapped.modules["leaf"] == 2 * (8 * 12 + 8 * 16) / 4


def test_the_same_design_gives_the_same_figures(tmp_path: Path, xors: Design) -> None:
    """Mapping, placing and routing repeat to the last digit."""
    target = TARGETS["ecp5-25f"]
    figures = []
    for name in ("first", "second"):
        folder, log = place(tmp_path, name)
        mapped = flow.map_design(xors, target, folder, log)
        figures.append((mapped, flow.route(target, folder, 3, log)))
    assert figures[0] == figures[1]
    assert figures[0][1] > 100.0


@pytest.mark.parametrize("name", [name for name, found in TARGETS.items() if found.pins])
def test_devices_that_want_pins_are_routed(tmp_path: Path, xors: Design, name: str) -> None:
    """Every port has its pin, and the clock that is timed is the design's."""
    folder, log = place(tmp_path, "map")
    mapped = flow.map_design(xors, TARGETS[name], folder, log)
    assert flow.resources(TARGETS[name], mapped.cells).lut4
    assert 50.0 < flow.route(TARGETS[name], folder, 1, log) < 2000.0


def test_a_syntax_error_names_the_log(tmp_path: Path) -> None:
    """The reader's message is in the log that the error names."""
    path = tmp_path / "broken.sv"
    path.write_text("module broken (input logic clk_i;\nendmodule\n", encoding="utf-8")
    with pytest.raises(ToolError, match=r"log: .*broken-map\.log"):
        flow.map_design(Design((path,), "broken"), TARGETS["cmos"], *place(tmp_path, "broken"))


def test_a_design_that_does_not_fit_is_a_failed_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More block RAMs than an UP5K has: the record says so, and is not kept."""
    path = tmp_path / "wide.sv"
    path.write_text(
        "module wide (input logic clk_i, input logic rst_ni, input logic write_i,\n"
        "  input logic [12:0] address_i, input logic [15:0] data_i, output logic [15:0] data_o);\n"
        "  logic [15:0] words [8191];\n"
        "  always_ff @(posedge clk_i) begin\n"
        "    if (write_i && rst_ni) words[address_i] <= data_i;\n"
        "    data_o <= words[address_i];\n"
        "  end\nendmodule\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(synthesis, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(synthesis, "design", lambda job, folder: Design((path,), "wide"))
    record = synthesis.measure(Job("wide", "", "unit", "ice40-up5k", 1))
    assert record.status == "failed" and record.reason
    assert not list((tmp_path / "cache").rglob("records/*.json"))


@pytest.mark.parametrize(
    ("names", "targets", "scopes"),
    [((), ("stratix",), ()), ((), (), ("nowhere",)), (("no_such_unit",), (), ())],
)
def test_unknown_names(
    names: tuple[str, ...], targets: tuple[str, ...], scopes: tuple[str, ...]
) -> None:
    """What there is, is listed."""
    with pytest.raises(UsageError, match="known"):
        synthesis.jobs(names, targets, scopes, 1)


def test_software_is_refused() -> None:
    """A baseline has no hardware."""
    software = next(found for found in manifest.discover() if found.manifest.rtl is None)
    with pytest.raises(UsageError, match="software"):
        synthesis.jobs((software.name,), (), (), 1)


def test_jobs_name_every_unit_once_for_its_hardware() -> None:
    """Seeds belong to placement alone."""
    asked = synthesis.jobs((), ("ecp5-85f", "cmos"), (), 2)
    hardware = {found.name for found in manifest.discover() if found.manifest.rtl is not None}
    assert {job.accelerator for job in asked} == hardware
    assert len(asked) == len(set(asked))
    assert {job.seed for job in asked if job.target == "ecp5-85f"} == {1, 2}
    assert {job.seed for job in asked if job.target == "cmos"} == {0}


@pytest.mark.parametrize("where", platform.discover(), ids=lambda found: found.name)
def test_systems_elaborate(tmp_path: Path, where: platform.Platform) -> None:
    """Each core is read whole, without and with a unit, and the unit adds cells."""
    unit = UNITS[0]
    variant = next(v for v in unit.manifest.variant if synthesis._fits(unit, v, where.name))
    counted = []
    for number, (name, of) in enumerate(((synthesis.NONE, ""), (unit.name, variant.name))):
        folder, log = place(tmp_path, str(number))
        found = synthesis.design(Job(name, of, where.name, "ecp5-85f", 1), folder)
        commands = [*found.read_commands(), "proc", "flatten", "tee -q -o stat.json stat -json"]
        flow.yosys(commands, folder, "read", log)
        counted.append(json.loads((folder / "stat.json").read_text())["design"]["num_cells"])
    assert 1000 < counted[0] < counted[1]


# Records ------------------------------------------------------------------------------------------


def entry(**values: object) -> SynthRecord:
    """Return a record of a design that nobody has made."""
    known: dict[str, object] = {
        **{"accelerator": "a", "variant": "v", "scope": "unit", "target": "ecp5-85f", "seed": 1},
        **{"status": "passed", "lut4": 100, "ff": 10, "fmax_mhz": 80.0, "recipe": "r"},
        **{"tool_versions": {}, "inputs_sha256": "0" * 64, "seconds": 1.0},
    }
    return SynthRecord.model_validate(known | values)


def test_points_are_medians_with_their_spread() -> None:
    """A failed seed is left out."""
    records = [entry(seed=n, fmax_mhz=mhz) for n, mhz in ((1, 70.0), (2, 90.0), (3, 75.0))]
    (point,) = synthesis.points([*records, entry(seed=4, status="failed", fmax_mhz=None)])
    assert (point.seeds, point.fmax_mhz, point.spread_mhz) == (3, 75.0, 10.0)


def test_records_of_parts_and_of_what_is_added() -> None:
    """A module counts with all its instances, a unit in a core less the core without a unit."""
    parts = {"$paramod$00ff\\mul": 3.4, "$paramod\\sbox\\Dir=1": 1.0, "sbox": 2.0}
    gates = {"gates": 9.0, "modules": parts, "lut4": None, "fmax_mhz": None}
    cells = entry(target="osu018", critical_path_ns=2.5, **gates)
    own = entry(target="cmos", **gates)  # each module without what is inside it
    inside = entry(scope="core", lut4=350)
    bare = entry(accelerator=synthesis.NONE, variant="", scope="core", lut4=300)
    other = [entry(scope="core", variant="w", lut4=400), entry(scope="lone", lut4=500)]
    found = synthesis.as_records([cells, own, entry(), inside, bare, *other])
    counts = {record.platform: record.counts for record in found}
    assert counts["osu018"] == {"ge": 9, "ps": 2500, "ge:mul": 3, "ge:sbox": 3}
    assert counts["cmos"] == {"ge": 9}
    assert {name: value for name, value in counts["ecp5-85f"].items() if ":" in name} == {
        "lut:in core": 50
    }


def test_publishing_joins(tmp_path: Path) -> None:
    """New records take the place of old ones; failed ones never."""
    path = tmp_path / "synthesis.jsonl"
    known = synthesis.joined([], [entry(seed=2), entry(seed=1)])
    known = synthesis.joined(known, [entry(seed=2, lut4=99), entry(seed=3, status="failed")])
    record.write_lines(known, path)
    assert [(r.seed, r.lut4) for r in synthesis.read_published(path)] == [(1, 100), (2, 99)]
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(AesforgeError, match=r"synthesis.jsonl:1: not a record"):
        synthesis.read_published(path)


def test_kept_records_are_used_and_damaged_ones_are_not(
    tmp_path: Path, xors: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a file counts as none."""
    monkeypatch.setattr(synthesis, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(synthesis, "design", lambda job, folder: xors)
    job = Job("xors", "", "unit", "cmos", 0)
    first = synthesis.measure(job)
    (kept,) = (tmp_path / "cache" / "records").glob("*.json")
    assert synthesis.measure(job) == first
    kept.write_text("half a rec", encoding="utf-8")
    again = synthesis.measure(job)
    assert (again.gates == first.gates and again.seconds != first.seconds) or again == first
    assert json.loads(kept.read_text(encoding="utf-8"))["gates"] == first.gates


# The command --------------------------------------------------------------------------------------


def command(*words: str, build: Path) -> subprocess.Popen[str]:
    """Start `aesforge synth` with a build folder of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "aesforge", "synth", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "AESFORGE_BUILD": str(build), "AESFORGE_ROOT": str(ROOT)},
    )


def test_the_command_prints_records(tmp_path: Path) -> None:
    """One object a line with the documented keys."""
    child = command(SMALLEST.name, "-t", "cmos", "--json", build=tmp_path)
    out, err = child.communicate(timeout=300)
    assert child.returncode == 0, err
    rows = [json.loads(line) for line in out.splitlines()]
    wanted = {"accelerator", "variant", "target", "seed", "lut4", "lut6", "ff", "bram"}
    wanted |= {"fmax_mhz", "gates", "critical_path_ns", "tool_versions"}
    assert rows and all(wanted <= set(row) for row in rows)
    assert all(row["gates"] > 100 and row["modules"] for row in rows)


def test_a_build_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """One line, no traceback."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    child = command(SMALLEST.name, "-t", "cmos", build=tmp_path / "file" / "build")
    _, err = child.communicate(timeout=300)
    assert child.returncode != 0
    assert "Traceback" not in err and "file" in err


def test_interrupted_runs_go_on(tmp_path: Path) -> None:
    """What was finished before Ctrl-C is not done again."""
    child = command(SMALLEST.name, "-t", "cmos", "-t", "ecp5-85f", "-j", "1", build=tmp_path)
    records = tmp_path / "synth" / "records"
    limit = time.monotonic() + 200
    while not list(records.glob("*.json")) and time.monotonic() < limit:
        time.sleep(0.1)
    kept = {path.name: path.stat().st_mtime_ns for path in records.glob("*.json")}
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 130 and kept
    again = command(SMALLEST.name, "-t", "cmos", build=tmp_path)
    again.communicate(timeout=300)
    assert again.returncode == 0
    assert all((records / name).stat().st_mtime_ns == at for name, at in kept.items())


# The cluster --------------------------------------------------------------------------------------


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with one worker process on this machine."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        local_directory=str(tmp_path / "dask"),
    ) as local:
        yield local.scheduler_address


def quiet(job: Job, record: SynthRecord | None) -> None:
    """Report nothing."""


def test_a_cluster_gives_the_same_figures(cluster: str) -> None:
    """The same sweep on either executor."""
    asked = synthesis.jobs((SMALLEST.name,), ("cmos",), (), 1)
    here = synthesis.run(asked, 1, quiet)
    there = synthesis.run(asked, 1, quiet, scheduler=cluster, fresh=True)
    drop = {"seconds"}
    assert [r.model_dump(exclude=drop) for r in there] == [r.model_dump(exclude=drop) for r in here]


def test_a_killed_worker(cluster: str) -> None:
    """One line says which job was lost; what ended before is kept."""
    from distributed import Client

    asked = synthesis.jobs((SMALLEST.name,), ("cmos", "xc7"), (), 1)
    with Client(cluster, set_as_default=False) as client:
        client.run_on_scheduler(_forbid_retries)
        (pid,) = client.run(os.getpid).values()
    ended: list[SynthRecord] = []

    def kill(job: Job, record: SynthRecord | None) -> None:
        """Stop the worker when its first job has ended."""
        assert record is not None
        ended.append(record)
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(AesforgeError, match=r"gave no result: KilledWorker; 1 of \d+ runs"):
        synthesis.run(asked, 1, kill, scheduler=cluster, fresh=True)
    assert synthesis.measure(asked[0]) == ended[0]


def _forbid_retries(dask_scheduler: object) -> None:
    """A worker's death is final."""
    dask_scheduler.allowed_failures = 0  # type: ignore[attr-defined]


def test_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address is named."""
    monkeypatch.setattr(synthesis, "CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match="no Dask scheduler answers"):
        synthesis.run([Job("a", "", "unit", "cmos", 0)], 1, quiet, scheduler="tcp://127.0.0.1:9")


def test_everywhere_is_every_target_and_scope() -> None:
    """`--all` leaves nothing out, and takes no narrower choice beside it."""
    targets, scopes = synthesis.everywhere()
    asked = synthesis.jobs((), targets, scopes, 1)
    assert {job.target for job in asked} == set(TARGETS)
    assert {job.scope for job in asked} == {synthesis.UNIT, *(p.name for p in platform.discover())}
    command = [sys.executable, "-m", "aesforge", "synth", "--all", "--target", "cmos"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "leave --target" in done.stderr) == (2, True)
