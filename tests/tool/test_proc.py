# SPDX-License-Identifier: Apache-2.0
"""The one way to run programs: bounded, logged, children killed, missing tools named."""

import sys
import time
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.errors import NoSuchRtl, ToolError

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time limits are those that a test gives, whatever the environment says."""
    monkeypatch.delenv(proc.PATIENCE, raising=False)


def test_output_and_log(tmp_path: Path) -> None:
    """Standard output, standard error, status and the log."""
    log = tmp_path / "logs" / "x.log"
    script = "import sys; print('out'); print('err', file=sys.stderr)"
    done = proc.run([sys.executable, "-c", script], timeout=60, log=log)
    assert (done.status, done.stdout, done.stderr) == (0, "out\n", "err\n")
    assert "exit status 0" in log.read_text()


def test_a_failure_names_the_line_and_the_log(tmp_path: Path) -> None:
    """The first line that looks like an error, and where the rest is."""
    log = tmp_path / "x.log"
    script = "import sys; print('hello'); sys.exit('x.c:3: error: no such thing')"
    with pytest.raises(ToolError, match=r"status 1: x\.c:3: error: no such thing") as caught:
        proc.run([sys.executable, "-c", script], timeout=60, log=log)
    assert str(log) in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        r"ERROR: Module `\aesforge_unknown_impl' referenced in module `\top' is not there.",
        "%Error: top.sv:3:5: Cannot find file containing module: 'aesforge_unknown_impl'",
        "top.sv:3: error: Unknown module type: aesforge_unknown_dir",
    ],
)
def test_parameters_without_rtl(line: str) -> None:
    """A module that is missing on purpose: what that means, not what a tool says of it."""
    fail = "import sys; print(sys.argv[1]); sys.exit(1)"
    with pytest.raises(NoSuchRtl, match="does not have this combination of parameters"):
        proc.run([sys.executable, "-c", fail, line], timeout=60)
    with pytest.raises(ToolError, match="another_module") as caught:
        told = line.replace("aesforge_unknown", "another_module")
        proc.run([sys.executable, "-c", fail, told], timeout=60)
    assert not isinstance(caught.value, NoSuchRtl)


@pytest.mark.parametrize("followed", [False, True])
def test_a_silent_hang_ends_with_its_children(tmp_path: Path, followed: bool) -> None:
    """The time bound holds without a line of output, and the grandchild dies too."""
    mark = tmp_path / "mark"
    inner = f"import time; time.sleep(4); open({str(mark)!r}, 'w')"
    script = (
        "import subprocess, sys, time;"
        f"subprocess.Popen([sys.executable, '-c', {inner!r}]); time.sleep(60)"
    )
    seen: list[str] = []
    started = time.monotonic()
    with pytest.raises(ToolError, match="did not finish within 2 s"):
        proc.run(
            [sys.executable, "-c", script], timeout=2, on_stderr=seen.append if followed else None
        )
    assert time.monotonic() - started < 20
    time.sleep(4)
    assert not mark.exists()


def test_patience_multiplies_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is too slow passes with it; what is no factor is an error."""
    script = "import time; time.sleep(1.5)"
    with pytest.raises(ToolError, match="AESFORGE_PATIENCE=4 waits four times as long"):
        proc.run([sys.executable, "-c", script], timeout=0.5)
    monkeypatch.setenv(proc.PATIENCE, "40")
    assert proc.run([sys.executable, "-c", script], timeout=0.5).status == 0
    for wrong in ("much", "0.5", "-1", "nan", "inf"):
        monkeypatch.setenv(proc.PATIENCE, wrong)
        with pytest.raises(ToolError, match=f"AESFORGE_PATIENCE={wrong} is no factor"):
            proc.run([sys.executable, "-c", script], timeout=5)


def test_lines_arrive_while_the_program_runs() -> None:
    """Progress is passed on line by line."""
    script = "import sys; [print(i, file=sys.stderr) for i in range(3)]"
    seen: list[str] = []
    proc.run([sys.executable, "-c", script], timeout=60, on_stderr=seen.append)
    assert seen == ["0", "1", "2"]


def test_a_missing_program_says_how_to_get_it() -> None:
    """Name and remedy."""
    with pytest.raises(ToolError, match=r"'nosuchprogram' is not installed \(run `make setup`"):
        proc.run(["nosuchprogram"], timeout=5)


def test_digest_separates_its_parts(tmp_path: Path) -> None:
    """Text moved from one part to the next changes the hash; files count by content."""
    file = tmp_path / "f"
    file.write_text("ab")
    assert proc.digest("ab", "c") != proc.digest("a", "bc")
    assert proc.digest(file) == proc.digest("ab")
