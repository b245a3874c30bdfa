# SPDX-License-Identifier: Apache-2.0
"""Design points, fronts and choices, on records made for the purpose and on the published ones."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.report import explore, pick
from aesforge.report.explore import MODES, DesignPoint
from aesforge.report.pick import Budget
from aesforge.synth.synthesis import SynthRecord
from explore_support import DEVICE, PLACED, RECORDS, measured, placed


def named(found: list[DesignPoint]) -> dict[str, DesignPoint]:
    """Points by accelerator."""
    return {point.accelerator: point for point in found}


# The join -----------------------------------------------------------------------------------------


def test_figures_of_a_point() -> None:
    """Cycles a byte of each mode, rate at the clock, density, code."""
    point = named(explore.points(RECORDS, PLACED))["small"]
    assert point.cycles("ecb") == 400 / 16
    assert point.cycles("block") == 410 / 16
    assert point.cycles("gcm") == 4000 / 16
    assert point.cycles("gcm", "decrypt") is None
    assert point.mbit("ecb") == pytest.approx(8 * 100 / 25)  # the core's 100 MHz, not the unit's
    assert point.density("ecb") == pytest.approx(1000 * 32 / 300)
    assert (point.area.lut, point.area.ff, point.area_of) == (300, 150, "unit")
    assert point.system.lut == 2300
    assert point.energy_proxy("ecb") == pytest.approx(25 * (2300 + 1150) / 1000)
    assert point.bytes_of_code("ecb", "both") == 2000
    assert point.bytes_of_code("ctr", "both") == 1000  # CTR never decrypts
    assert point.verified and point.constant_time
    assert set(point.sources) == {"speed", "test", "ct", "gcm", "unit", "core"}


def test_a_clock_says_whose_it_is() -> None:
    """Whole before apart before unit; nothing is made up."""

    def clocks(records: list[SynthRecord]) -> dict[str, tuple[float | None, str]]:
        found = named(explore.points(RECORDS, records))
        return {name: (point.clock_mhz, point.clock_of) for name, point in found.items()}

    apart = clocks(PLACED)
    assert apart["small"] == (100.0, "apart")  # the core is slower
    assert apart["quick"] == (60.0, "apart")  # the unit is
    assert apart["plain"] == (100.0, "core")
    alone = clocks([entry for entry in PLACED if entry.scope == "unit"])
    assert alone["small"] == (200.0, "unit")  # median of the seeds
    assert alone["plain"] == (None, "")
    whole = clocks([*PLACED, placed("quick", "core", 3250, 55.0)])
    assert whole["quick"] == (55.0, "whole")
    gates = placed("small", "unit", 300, None, target="xc4v")
    assert clocks([gates])["small"] == (None, "")


def test_area_added_to_a_core() -> None:
    """With the whole system synthesised the cost is a difference, and says so."""
    found = named(explore.points(RECORDS, [*PLACED, placed("quick", "core", 3250, 55.0)]))
    assert (found["quick"].area.lut, found["quick"].area_of) == (1250, "added")
    assert found["quick"].system.lut == 3250
    assert (found["plain"].area.lut, found["plain"].area_of) == (0, "none")


def test_nothing_is_made_up_without_synthesis() -> None:
    """No record, no figure."""
    point = named(explore.points(RECORDS, []))["small"]
    assert (point.device, point.area_of, point.clock_of) == ("", "", "")
    assert point.mbit("ecb") is None and point.energy_proxy("ecb") is None
    assert named(explore.points(RECORDS, PLACED[3:]))["small"].known is False


def test_a_given_clock_never_raises_a_slower_one() -> None:
    """The user's clock counts where nothing is known, or the design is faster."""
    found = named(explore.points(RECORDS, PLACED))
    assert found["quick"].at(50).clock_mhz == 50
    assert found["quick"].at(80).clock_mhz == 60
    unknown = named(explore.points(RECORDS, []))["quick"].at(80)
    assert (unknown.clock_mhz, unknown.clock_of) == (80, "given")


def test_kernels_share_hardware() -> None:
    """Every published variant of equal RTL parameters finds the synthesised one."""
    records, silicon = explore.read_published()
    for point in explore.points(records, silicon):
        units = {p.variant for p in silicon if p.accelerator == point.accelerator}
        if point.kind != explore.SOFTWARE and point.known and point.variant not in units:
            assert point.hardware in units


# Fronts -------------------------------------------------------------------------------------------


def test_front_keeps_what_nothing_beats() -> None:
    """Against a plain search over random points."""
    base = explore.points(RECORDS, PLACED)[0]
    made = [
        replace(
            base,
            variant=f"v{number}",
            area=explore.Area(lut=number * 37 % 11),
            cycles_per_byte={"ecb": float(number * 53 % 13)},
        )
        for number in range(1, 60)
    ]
    costs = explore.cheap_and_fast("ecb")
    kept = explore.front([p for p in made if p.cycles_per_byte["ecb"]], costs)
    values = [(p.area.lut, p.cycles_per_byte["ecb"]) for p in made if p.cycles_per_byte["ecb"]]
    for point in kept:
        mine = (point.area.lut, point.cycles_per_byte["ecb"])
        assert mine[0] is not None
        assert not any(
            other != mine and other[0] <= mine[0] and other[1] <= mine[1]  # type: ignore[operator]
            for other in values
        )
    assert len(kept) >= len({min(values)})


def test_front_of_the_three() -> None:
    """Software, the small one and the quick one: each is best at something."""
    assert len(explore.fronts(explore.points(RECORDS, PLACED), "ecb")) == 3
    slower = [*RECORDS, *measured("worse", 410, 1000)]
    entries = [*PLACED, placed("worse", "unit", 301, 200.0)]
    kept = explore.fronts(explore.points(slower, entries), "ecb")
    assert {point.accelerator for point in kept} == {"small", "quick", "plain"}


# Choice -------------------------------------------------------------------------------------------


def chosen(request: Budget) -> pick.Choice:
    """The answer over the three, whose clocks are upper bounds."""
    return pick.pick(explore.points(RECORDS, PLACED), replace(request, bounds=True))


def test_the_cheapest_that_fits() -> None:
    """Software where it is fast enough, then the smallest unit, then the quick one."""
    for rate, wanted in ((5, "plain"), (20, "small"), (50, "quick")):
        assert chosen(Budget(min_mbit=rate)).fitting[0].point.accelerator == wanted


def test_an_upper_bound_decides_nothing_by_default() -> None:
    """A rate that no core and unit were seen to reach together does not answer a request."""
    request = Budget(min_mbit=20)
    answer = pick.pick(explore.points(RECORDS, PLACED), request)
    assert not answer.fitting
    assert any("--bounds" in line and "small/only" in line for line in pick.summary(answer))
    texts = {v.point.accelerator: "; ".join(m.text for m in v.misses) for v in answer.others}
    assert "upper bound only: aesforge synth small/only" in texts["small"]
    together = [*PLACED, placed("quick", "core", 3100, 50.0)]
    answer = pick.pick(explore.points(RECORDS, together), request)
    assert [v.point.accelerator for v in answer.fitting] == ["quick"]
    free = pick.pick(explore.points(RECORDS, together), Budget())
    assert [v.point.accelerator for v in free.fitting] == ["plain", "quick", "small"]


def test_an_upper_bound_is_marked_and_on_no_front() -> None:
    """`<=` before what rests on it; beside a measured clock it is on the front with --bounds."""
    together = [*PLACED, placed("quick", "core", 3100, 50.0)]
    found = explore.points(RECORDS, together)
    table = explore.table(found, "ecb", bounds=False)
    lines = {row[1]: row for row in table.rows}
    heads = [name for name, _ in table.heads]
    assert lines["small/only"][heads.index("MHz")] == "<=100.0"
    assert lines["quick/only"][heads.index("MHz")] == "50.0"
    assert [row[1] for row in table.rows] == ["plain/only", "quick/only", "small/only"]
    assert (lines["small/only"][0], lines["quick/only"][0]) == ("", "*")
    assert len(explore.fronts(found, "ecb", bounds=True)) == 3


def test_why_others_fall_out() -> None:
    """Each with the constraint, its value and its limit."""
    answer = chosen(Budget("ctr", min_mbit=20, max_lut=1000, max_code=1500, constant_time=True))
    assert [v.point.accelerator for v in answer.fitting] == ["small"]
    texts = {v.point.accelerator: "; ".join(m.text for m in v.misses) for v in answer.others}
    assert "time depends on data" in texts["quick"]
    assert "1100 LUT4, --max-lut 1000" in texts["quick"]
    assert "3000 bytes of code, --max-code 1500" in texts["quick"]
    assert "8 Mbit/s, --min-mbit 20" in texts["plain"]


@pytest.mark.parametrize(
    ("request_", "options"),
    [
        (Budget(min_mbit=100), [("--min-mbit",)]),
        (Budget(min_mbit=20, max_lut=299), [("--max-lut",), ("--min-mbit",)]),
        (Budget(min_mbit=20, max_lut=299, max_code=1999), [("--max-code", "--max-lut")]),
        (Budget(clock_mhz=120, min_mbit=30, max_lut=500), [("--clock-mhz",)]),
    ],
)
def test_an_impossible_request_says_what_to_relax(
    request_: Budget, options: list[tuple[str, ...]]
) -> None:
    """The advice, followed to the letter, makes something fit."""
    answer = chosen(request_)
    assert not answer.fitting
    assert [tuple(sorted(m.option for m in v.misses)) for v in answer.relaxations][:1] == options[
        :1
    ]
    fields = {
        "--min-mbit": "min_mbit",
        "--max-lut": "max_lut",
        "--max-code": "max_code",
        "--clock-mhz": "clock_mhz",
    }
    for verdict in answer.relaxations:
        changes = {}
        for miss in verdict.misses:
            assert f"{miss.option} from" in pick.relax(verdict)
            value = float(miss.advice.split(" to ")[1].split()[0])
            changes[fields[miss.option]] = value
        relaxed = pick.pick([verdict.point], replace(request_, bounds=True, **changes))
        assert relaxed.fitting, (pick.relax(verdict), relaxed.others)


def test_advice_is_rounded_outwards() -> None:
    """A rounded figure must let in what it was rounded from."""
    assert pick.allowed(22.149, 100) == 22.1
    assert pick.allowed(22.149, 3) == 22.2
    assert pick.allowed(1234, 1000) == 1234
    assert pick.allowed(0.012345, 1) == 0.0123


def test_without_a_clock_it_says_so() -> None:
    """A rate cannot be judged without one; with one given it can."""
    found = explore.points(RECORDS, [placed("small", "unit", 300, None, target="xc4v")])
    answer = pick.pick(found, Budget(min_mbit=1))
    assert not answer.fitting and not answer.relaxations
    assert any("give --clock-mhz" in m.text for v in answer.others for m in v.misses)
    assert any("not synthesised" in m.text for v in answer.others for m in v.misses)
    assert pick.pick(found, Budget(min_mbit=1, clock_mhz=50)).fitting


def test_what_is_not_verified_falls_out() -> None:
    """A figure of something that failed its vectors is no offer."""
    records = [record for record in RECORDS if record.question != "test"]
    answer = pick.pick(explore.points(records, PLACED), Budget())
    assert not answer.fitting
    assert all("not verified" in v.misses[0].text for v in answer.others)


# The command line ---------------------------------------------------------------------------------


def aesforge(*words: str, root: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    """Run the tool."""
    return subprocess.run(
        [sys.executable, "-m", "aesforge", *words],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "200", "AESFORGE_ROOT": str(root)},
        check=False,
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with the records above and nothing else."""
    for name in ("accelerators", "platforms", "results"):
        (tmp_path / name).mkdir()
    lines = [record.model_dump_json() for record in RECORDS]
    (tmp_path / "results" / "records.jsonl").write_text("\n".join(lines) + "\n")
    lines = [entry.model_dump_json() for entry in PLACED]
    (tmp_path / "results" / "synthesis.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_explore_prints_and_dumps(tree: Path) -> None:
    """Table, front and JSON agree."""
    done = aesforge("explore", "--mode", "ctr", root=tree)
    assert done.returncode == 0, done.stderr
    assert "small/only" in done.stdout and "upper bound" in done.stdout
    rows = [
        json.loads(line)
        for line in aesforge("explore", "--json", root=tree).stdout.split("\n")[:-1]
    ]
    assert {row["accelerator"] for row in rows} == {"small", "quick", "plain"}
    small = next(row for row in rows if row["accelerator"] == "small")
    assert small["mbit_s"]["ecb"] == 32 and small["clock_of"] == "apart"
    assert set(small["pareto"]) == set(MODES)
    assert "quick" not in aesforge("explore", "small", root=tree).stdout


def test_pick_answers_and_refuses(tree: Path) -> None:
    """Exit status 0 with an answer, 1 with advice, 2 for words that mean nothing."""
    done = aesforge(
        "pick", "--device", "ecp5", "--min-mbit", "20", "--mode", "ctr", "--bounds", root=tree
    )
    assert done.returncode == 0, done.stderr
    assert "cheapest: small/only on core, 300 LUT4" in done.stdout
    assert "does not fit" not in done.stdout.lower() and "--why" in done.stdout
    words = ("--device", "ecp5", "--min-mbit", "20", "--bounds", "--why")
    assert "8 Mbit/s, --min-mbit 20" in aesforge("pick", *words, root=tree).stdout
    done = aesforge("pick", "--device", "ecp5", "--min-mbit", "100", "--bounds", root=tree)
    assert done.returncode == 1
    assert "relax --min-mbit from 100 to 96 (-4 Mbit/s): quick/only on core fits" in done.stdout
    done = aesforge(
        "pick", "--device", "ecp5", "--min-mbit", "100", "--json", "--bounds", root=tree
    )
    answer = json.loads(done.stdout)
    assert answer["fits"] == [] and answer["relax"][0]["accelerator"] == "quick"
    for words, text in (
        (("--device", "nosuch"), "there is no device 'nosuch'"),
        (("--device", "ice40"), "aesforge synth -t ice40-hx8k --publish"),
        (("--device", "ecp5", "--mode", "xts"), "there is no mode 'xts'"),
        (("--device", "ecp5", "--direction", "up"), "there is no direction 'up'"),
        (("--device", "ecp5", "--key-bits", "64"), "there is no AES-64"),
        (("--device", "ecp5", "--platform", "nosuch"), "no records of a core 'nosuch'"),
    ):
        done = aesforge("pick", *words, root=tree)
        assert done.returncode == 2 and text in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_device_names() -> None:
    """Whole names, beginnings, and the first with records."""
    assert explore.devices("ecp5", PLACED) == DEVICE
    assert explore.devices(DEVICE, PLACED) == DEVICE
    with pytest.raises(UsageError):
        explore.devices("ecp", PLACED)
    assert explore.usual_device([]) == ""
