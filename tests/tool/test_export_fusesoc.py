# SPDX-License-Identifier: Apache-2.0
"""Every target of an exported FuseSoC core, run as the export's README says."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from aesforge import export
from aesforge.catalog import planted
from aesforge.catalog.manifest import Accelerator
from aesforge.export import hosts
from export_support import BLOCKS, EACH_HOST, SECONDS, UNITS, first_bug, made, plant

SET = next(unit for unit in UNITS if unit.manifest.kind == "set")
OF_SET = export.hosts_of(SET, SET.variant(""))


def activated() -> Mapping[str, str]:
    """Return what `. .venv/bin/activate` makes of the environment, and nothing more."""
    there = {name: value for name, value in os.environ.items() if name != "VERILATOR_ROOT"}
    return {**there, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def fusesoc(done: export.Exported, target: str) -> subprocess.CompletedProcess[str]:
    """Run a target of the exported core."""
    command = ["fusesoc", "--cores-root", ".", "run", "--target", target, done.vlnv]
    return subprocess.run(
        command,
        cwd=done.folder,
        env=activated(),
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def targets(done: export.Exported) -> list[str]:
    """Names of the core's targets, as its README lists them."""
    (core,) = done.folder.glob("*.core")
    listed = re.findall(r"^  (\w+):$", core.read_text().partition("\ntargets:\n")[2], re.MULTILINE)
    readme = (done.folder / "README.md").read_text()
    (told,) = re.findall(r"^\| `\*\.core` \| FuseSoC: targets (.*) \|$", readme, re.MULTILINE)
    assert re.findall(r"`(\w+)`", told) == listed
    return listed


def all_run(done: export.Exported, says: str = "PASS") -> None:
    """Run every target; a bench says so."""
    for target in targets(done):
        run = fusesoc(done, target)
        assert run.returncode == 0, (target, run.stdout[-2000:], run.stderr[-2000:])
        assert target == "lint" or says in run.stdout, target


def lint_is_red(done: export.Exported) -> None:
    """The lint target sees a top module of another name."""
    top = done.folder / "rtl" / done.rtl[-1]
    text = top.read_text()
    top.write_text(text.replace(f"module {done.top}", "module nosuch", 1))
    assert fusesoc(done, "lint").returncode != 0
    top.write_text(text)


@pytest.mark.parametrize("flat", [False, True], ids=["sources", "flat"])
@pytest.mark.parametrize("host", ["pcpi", pytest.param("cfu", marks=pytest.mark.slow)])
def test_fusesoc(host: str, flat: bool, tmp_path: Path) -> None:
    """The core's lint and sim targets pass; with a defect planted, sim fails, and so does lint."""
    done = made(host, tmp_path / "out", flat=flat)
    linted = fusesoc(done, "lint")
    assert linted.returncode == 0, linted.stdout + linted.stderr
    good = fusesoc(done, "sim")
    assert good.returncode == 0 and "PASS" in good.stdout, good.stdout + good.stderr
    lint_is_red(done)
    if not flat:
        plant(done.folder, first_bug())
        bad = fusesoc(done, "sim")
        assert bad.returncode != 0 and "FAIL" in bad.stdout


@pytest.mark.parametrize("host", [host for host in EACH_HOST if host not in ("pcpi", "cfu")])
def test_fusesoc_lints(host: str, tmp_path: Path) -> None:
    """The lint target of the other hosts: nothing to say, and red with a port too many."""
    done = made(host, tmp_path / "out")
    good = fusesoc(done, "lint")
    assert good.returncode == 0, good.stdout + good.stderr
    lint_is_red(done)


@pytest.mark.slow
@pytest.mark.parametrize("host", EACH_HOST)
def test_fusesoc_with_verilator(host: str, tmp_path: Path) -> None:
    """The bench in Verilator, by the core's own target; red with a planted defect."""
    done = made(host, tmp_path / "out")
    target = "sim" if hosts.load(host).simulators == ["verilator"] else "sim_verilator"
    good = fusesoc(done, target)
    assert good.returncode == 0 and "PASS" in good.stdout, good.stdout + good.stderr
    plant(done.folder, first_bug())
    assert fusesoc(done, target).returncode != 0


def bug_of(found: Accelerator) -> planted.Bug:
    """Return a planted bug of a unit of the set's first variant."""
    member = found.members(found.variant(""))[0].accelerator
    name = next(bug.name for bug in member.manifest.bug if not bug.variant and not bug.bench)
    return member.bugs()[name]


@pytest.mark.parametrize(
    "host", [pytest.param(name, marks=[pytest.mark.slow] * (name != "cvxif")) for name in OF_SET]
)
def test_a_set_runs_every_target(host: str, tmp_path: Path) -> None:
    """Several units: large enough that Verilator would write many files; red with a defect."""
    done = export.export(SET, SET.variant(""), host, tmp_path / "out")
    all_run(done)
    lint_is_red(done)
    plant(done.folder, bug_of(SET))
    bad = fusesoc(done, "sim")
    assert bad.returncode != 0 and "FAIL" in bad.stdout


@pytest.mark.slow
@pytest.mark.parametrize("flat", [False, True], ids=["sources", "flat"])
@pytest.mark.parametrize(
    ("unit", "host"),
    [
        pytest.param(unit, host, id=f"{unit.name}-{host}")
        for unit in UNITS
        for host in export.hosts_of(unit, unit.variant(""))
    ],
)
def test_every_unit_runs_every_target(
    unit: Accelerator, host: str, flat: bool, tmp_path: Path
) -> None:
    """Units and sets on every host that takes them, in both forms."""
    all_run(export.export(unit, unit.variant(""), host, tmp_path / "out", flat_file=flat))


@pytest.mark.parametrize("flat", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("found", "host"),
    [
        cell if at == 0 else pytest.param(*cell.values, id=cell.id, marks=pytest.mark.slow)
        for at, cell in enumerate(BLOCKS)
    ],
)
def test_fusesoc_runs_a_block(
    found: Accelerator, host: hosts.Host, flat: bool, tmp_path: Path
) -> None:
    """Lint, and the bench where there is one: red with a wrong bit of the address."""
    done = export.export(found, found.variant(""), host.name, tmp_path / "out", flat_file=flat)
    all_run(done, f"PASS: {done.operations} reads")
    assert (len(targets(done)) > 1) == bool(host.address)
    if host.address and not flat:
        top = done.folder / "rtl" / done.rtl[-1]
        text = top.read_text()
        wired = f".{host.address}({host.address})"
        assert text.count(wired) == 1
        top.write_text(text.replace(wired, f".{host.address}({host.address} ^ 4)"))
        bad = fusesoc(done, "sim")
        assert bad.returncode != 0 and "FAIL" in bad.stdout
        top.write_text(text)
    lint_is_red(done)
