# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: clear errors, exit statuses, nothing lost.

Builds are shared with everything else (build/); a test that must not see cached records uses a
build folder of its own. Nothing here names an accelerator or a platform: they are discovered.
"""

import importlib
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from aesforge import cli
from aesforge.base.errors import Interrupted
from aesforge.base.paths import BUILD, ROOT
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator
from aesforge.catalog.platform import Platform
from aesforge.cli.tables import print_bars
from aesforge.records.rows import BULK_BLOCKS
from harness_support import SMALLEST

KEY = "2b7e151628aed2a6abf7158809cf4f3c"  # FIPS 197, appendix A.1
IV = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"  # SP 800-38A, F.5
SECONDS = 600


def aesforge(
    *words: str | Path, env: dict[str, str] | None = None, seconds: float = SECONDS
) -> "subprocess.CompletedProcess[str]":
    """Run the tool and return what it printed."""
    return subprocess.run(
        [sys.executable, "-m", "aesforge", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=seconds,
        env={**os.environ, "COLUMNS": "200", **(env or {})},
        check=False,
    )


def assert_refused(done: "subprocess.CompletedProcess[str]", status: int, *texts: str) -> None:
    """One clear line, the right exit status, no traceback."""
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    for text in texts:
        assert text in done.stderr, done.stderr


@pytest.fixture(scope="module")
def unit() -> Accelerator:
    """An accelerator with hardware."""
    return SMALLEST


@pytest.fixture(scope="module")
def only(unit: Accelerator) -> str:
    """Its first variant, as the command line names it."""
    return f"{unit.name}/{unit.variant('').name}"


@pytest.fixture(scope="module")
def host() -> Platform:
    """The platform that simulates fastest: the one with the fewest RTL files."""
    return min(platform.discover(), key=lambda found: (len(found.core_files()), found.name))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the repository's sources, for tests that damage it."""
    folders = ("accelerators", "platforms", "rtl", "sw", "sim", "formal", "vectors", "setup")
    for name in folders:
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


def of_tree(tree: Path) -> dict[str, str]:
    """Environment that makes the tool use a copied tree."""
    return {"AESFORGE_ROOT": str(tree), "AESFORGE_BUILD": str(tree / "build")}


# --- help and listing -----------------------------------------------------------------------------


COMMANDS = sorted(
    found.name or found.callback.__name__ for found in cli.app.registered_commands if found.callback
)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches(command: str) -> None:
    """Every command explains itself and its options, in 80 columns, without ragged ends."""
    done = aesforge(command, "--help", env={"COLUMNS": "80"})
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) > 8
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if re.fullmatch(r"│ +\[required\] +│", line)], done.stdout


def test_no_command_prints_help() -> None:
    """Bare `aesforge` lists the commands."""
    assert "bench" in aesforge().stdout + aesforge().stderr


def test_list_names_everything_that_has_a_manifest() -> None:
    """Table and JSON agree with the folders."""
    folders = {path.parent.name for path in ROOT.glob("accelerators/*/accel.toml")}
    rows = [json.loads(line) for line in aesforge("list", "--json").stdout.splitlines()]
    assert folders <= {row["accelerator"] for row in rows}
    shown = aesforge("list").stdout
    assert all(name in shown for name in folders)


# --- refusals -------------------------------------------------------------------------------------


def test_unknown_names_list_what_there_is(unit: Accelerator, host: Platform) -> None:
    """Accelerators, variants, platforms and questions."""
    assert_refused(aesforge("bench", "--only", "nosuch"), 2, "nosuch", unit.name)
    assert_refused(aesforge("bench", "--only", f"{unit.name}/nosuch"), 2, "nosuch", "it has:")
    assert_refused(aesforge("bench", "--platform", "nosuch"), 2, "nosuch", host.name)
    assert_refused(aesforge("bench", "--question", "nosuch"), 2, "nosuch", "speed")
    assert_refused(aesforge("check", "nosuch"), 2, "nosuch", unit.name)


def test_publish_wants_default_settings(unit: Accelerator) -> None:
    """What was measured with other memory or fewer vectors must not be beside the rest."""
    one = ("bench", "--publish", "--only", unit.name)
    assert_refused(aesforge(*one, "--iwait", "1"), 2, "default settings")
    assert_refused(aesforge(*one, "--curve", "x25519"), 2, "ecc_ct only")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--key", "00" * 15), "the key has 15 bytes"),
        (("--key", "xyz"), "not hexadecimal"),
        (("--key", KEY, "--mode", "ofb"), "no mode 'ofb'"),
        (("--key", KEY, "--mode", "gcm"), "GCM needs an IV"),
        (("--key", KEY, "--mode", "cbc"), "CBC needs an IV"),
        (("--key", KEY, "--mode", "ctr", "--iv", "00"), "the IV has 1 bytes"),
        (("--key", KEY, "--mode", "ecb", "--iv", IV), "ECB takes no IV"),
    ],
)
def test_run_refuses_bad_arguments(
    unit: Accelerator, host: Platform, tmp_path: Path, options: tuple[str, ...], text: str
) -> None:
    """Wrong keys, modes and IVs, each with its reason."""
    source = tmp_path / "in"
    source.write_bytes(bytes(32))
    target = tmp_path / "out"
    where = ("--accel", unit.name, "--platform", host.name)
    assert_refused(aesforge("run", *where, *options, source, target), 2, text)
    assert not target.exists()


def test_run_refuses_lengths_and_files(unit: Accelerator, host: Platform, tmp_path: Path) -> None:
    """CBC of a broken block, unreadable input, unwritable output."""
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(bytes(33))
    target.write_bytes(b"older result")
    where = ("--accel", unit.name, "--platform", host.name, "--key", KEY, "--iv", IV)
    done = aesforge("run", *where, "--mode", "cbc", source, target)
    assert_refused(done, 2, "CBC needs a multiple of 16 bytes, the input has 33")
    assert target.read_bytes() == b"older result"
    assert_refused(aesforge("run", *where, tmp_path / "nosuch", target), 2, "cannot read")
    assert_refused(aesforge("run", *where, tmp_path, target), 2, "cannot read")
    source.write_bytes(bytes(32))
    assert_refused(aesforge("run", *where, source, tmp_path / "no" / "out"), 2, "cannot write")


def test_a_broken_manifest_is_named(tree: Path, unit: Accelerator) -> None:
    """File, key and reason."""
    path = tree / "accelerators" / unit.name / "accel.toml"
    path.write_text(path.read_text().replace("summary =", "sumary =", 1))
    done = aesforge("list", env=of_tree(tree))
    assert_refused(done, 3, f"{unit.name}/accel.toml", "sumary")


def test_a_missing_compiler_is_named(unit: Accelerator, host: Platform, tmp_path: Path) -> None:
    """Nothing but the tool's own Python on the path."""
    env = {"PATH": str(tmp_path), "AESFORGE_BUILD": str(tmp_path / "build")}
    done = aesforge("bench", "--only", unit.name, "--platform", host.name, env=env)
    assert_refused(done, 4, "is not installed", "make setup")
    done = aesforge("doctor", env=env)
    assert_refused(done, 1, "missing", "gcc-riscv64-unknown-elf", "make setup")
    assert "apt-get install gcc-riscv64-unknown-elf" in done.stdout


# --- hung kernels and interruptions ---------------------------------------------------------------


def test_a_kernel_that_hangs_is_stopped(tree: Path, unit: Accelerator, host: Platform) -> None:
    """The watchdog ends it, the record says so, other records stay."""
    kernel = tree / "accelerators" / unit.name / unit.manifest.sw.kernel[0]
    text = kernel.read_text()
    at = text.index(") {\n") + len(") {")  # its first function: set-up or cipher calls it
    kernel.write_text(text[:at] + '\n  for (;;) { __asm__ volatile(""); }\n' + text[at:])
    kernel.write_text('#pragma GCC diagnostic ignored "-Wunused-parameter"\n' + kernel.read_text())
    env = {**of_tree(tree), "AESFORGE_BUILD": str(BUILD)}
    options = ("--only", unit.name, "--platform", host.name, "--question", "speed")
    done = aesforge("bench", *options, "--max-cycles", "300000", env=env)
    assert_refused(done, 1, "watchdog", "300000 cycles")
    done = aesforge("bench", *options)
    assert done.returncode == 0, done.stderr


def test_ctrl_c_keeps_finished_records(only: str, host: Platform, tmp_path: Path) -> None:
    """Exit status 130, no process left, the next run goes on."""
    build = tmp_path / "build"
    build.mkdir()
    for name in ("models", "firmware", "runtime", "generated"):  # share what was built
        (BUILD / name).mkdir(parents=True, exist_ok=True)
        (build / name).symlink_to(BUILD / name)
    command = ["bench", "--only", only, "--platform", host.name, "--jobs", "1"]
    command += ["--question", "speed", "--question", "ct", "--question", "test"]
    child = subprocess.Popen(
        [sys.executable, "-m", "aesforge", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "AESFORGE_BUILD": str(build)},
    )
    assert child.stderr is not None
    assert child.stderr.readline().startswith("measuring 3 cells: about ")
    first = child.stderr.readline()
    assert first.startswith("[1/") and " left)" in first, first
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    _, rest = child.communicate(timeout=60)
    assert child.returncode == 130, rest
    assert "interrupted; finished records are kept" in rest
    records = list((build / "records").glob("*.json"))
    assert records
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert str(build) not in running.stdout
    kept = json.loads(records[0].read_text())
    assert kept["status"] == "passed"


# --- the stable interface -------------------------------------------------------------------------


@pytest.mark.parametrize("stopped", [True, False])
def test_a_request_inside_a_lock(
    stopped: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `threading` makes of a request to end is that request; a fault of ours is none."""

    def app() -> None:
        try:
            if stopped:
                raise Interrupted
        finally:
            raise RuntimeError("release unlocked lock")

    monkeypatch.setattr(cli, "app", app)
    monkeypatch.setattr(cli.signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit if stopped else RuntimeError) as caught:
        cli.main()
    if stopped:
        assert caught.value.code == cli.INTERRUPTED
        assert "interrupted; finished records are kept" in capsys.readouterr().err


def test_bench_json_rows(unit: Accelerator, only: str, host: Platform) -> None:
    """The documented keys, with figures that make sense; a second run comes from the cache."""
    command = ("bench", "--only", only, "--platform", host.name, "--json")
    command += ("--question", "speed", "--question", "test")
    done = aesforge(*command)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    bulk = [row for row in rows if row["mode"] == "ecb" and row["blocks"] == BULK_BLOCKS]
    assert {row["key_bits"] for row in bulk} == {128, 192, 256}
    for row in bulk:
        assert row["accelerator"] == unit.name
        assert row["platform"] == host.name
        assert row["verified"] is True
        assert 0 < row["instructions_per_block"] < row["cycles_per_block"]
        assert row["code_bytes"] > 0
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    again = aesforge(*command)
    assert again.stdout == done.stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Of a processor: on a machine that does other work, the wall's clock says nothing.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime <= 5


def test_documented_keys_are_there(only: str, host: Platform) -> None:
    """docs/json.md lists exactly the keys that the rows have."""
    command = ("bench", "--only", only, "--platform", host.name, "--json")
    row = json.loads(aesforge(*command, "--question", "speed").stdout.splitlines()[0])
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    text = page.split("\n# ")[1]  # the first of its tables is this command's
    documented = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert documented == set(row)


# --- a wrong vector, seen through the whole chain -------------------------------------------------


def test_a_wrong_s_box_byte_turns_the_bench_red(tree: Path, host: Platform) -> None:
    """One wrong bit in the RTL: vectors fail, the exit status says so, no row is verified."""
    every = ((unit, bug) for unit in manifest.units() for bug in unit.manifest.bug)
    unit, planted = next((unit, bug) for unit, bug in every if "S-box" in bug.what)
    bug = unit.bugs()[planted.name]
    for path, text in bug.texts().items():
        (tree / "accelerators" / unit.name / path.relative_to(unit.folder)).write_text(text)
    chosen = f"{unit.name}/{unit.variant(planted.variant).name}"
    command = ("bench", "--only", chosen, "--platform", host.name, "--question", "test")
    done = aesforge(*command, "--json", env={**of_tree(tree), "AESFORGE_BUILD": str(BUILD)})
    assert_refused(done, 1, "vectors wrong")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows
    assert any(row["status"] == "failed" for row in rows)
    assert not any(row["verified"] for row in rows if row["status"] == "failed")


def test_bars_have_one_scale(capsys: pytest.CaptureFixture[str]) -> None:
    """The largest number fills the line, half of it half; nothing is drawn for nothing."""
    rows = [("one", 50), ("three", 100), ("none", 0)]
    print_bars([("first", rows), ("second", [("one", 25)]), ("empty", [("one", 0)])])
    lines = capsys.readouterr().out.splitlines()
    assert (lines[1], lines[5]) == ("first", "second") and "empty" not in lines
    three, one, other = lines[2], lines[3], lines[6]
    assert three.startswith("three 100  67 % █") and one.startswith("one    50  33 % █")
    assert other.startswith("one    25 100 % █")
    assert three.count("█") == pytest.approx(2 * one.count("█"), abs=2)
    assert one.count("█") == pytest.approx(2 * other.count("█"), abs=2)


@pytest.mark.parametrize(
    ("terminal", "pause", "lines"),
    [
        (False, 0.0, ["0:00:00: 0 of 3,000, first", "0:00:00: 1,500 of 3,000, first"]),
        (False, 60.0, []),
        (True, 0.0, []),
    ],
    ids=["log", "short", "terminal"],
)
def test_progress_in_a_log(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, pause: float, lines: list[str]
) -> None:
    """Without a terminal long work says a line a minute; with one, a bar that goes away."""
    shared = importlib.import_module("aesforge.cli.app")
    written = io.StringIO()
    monkeypatch.setattr(shared, "err", Console(file=written, force_terminal=terminal, width=80))
    monkeypatch.setattr(shared, "TELL_SECONDS", pause)
    with shared.progress_bar() as progress:
        bar = progress.add_task("", total=3000)
        progress.update(bar, description="first")
        progress.advance(bar, 1500)
    text = written.getvalue()
    assert [line for line in text.splitlines() if re.match(r"\d:\d\d:\d\d: ", line)] == lines
    assert (text != "") == (terminal or bool(lines))
