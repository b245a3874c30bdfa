# SPDX-License-Identifier: Apache-2.0
"""The command line: `aesforge COMMAND`; each command is a function of the same name."""

import contextlib
import io
import os
import signal
import sys
from pathlib import Path

from aesforge.base.errors import AesforgeError, Interrupted
from aesforge.cli.app import app, err, reflow

# Each import registers commands: --help lists them in this order.
from aesforge.cli import units, verify, probe, ttest, bench, run, tls  # isort: skip
from aesforge.cli import synth, report, export  # isort: skip

for registered in app.registered_commands:
    if registered.callback and registered.callback.__doc__:
        registered.help = reflow(registered.callback.__doc__)

__all__ = [
    "app",
    "bench",
    "export",
    "main",
    "probe",
    "report",
    "run",
    "synth",
    "tls",
    "ttest",
    "units",
    "verify",
]

INTERRUPTED = 130  # 128 + SIGINT, as shells report it


def _on_stop(number: int, frame: object) -> None:
    """Ctrl-C and a polite request to end are one thing: children must not survive."""
    raise Interrupted


def _complain(text: str) -> None:
    """Print an error as one line; what is no printable character is shown as its code."""
    told = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    err.print(f"aesforge: {told}", style="red", markup=False, highlight=False, soft_wrap=True)


def _os_error(error: OSError) -> str:
    """Say what the operating system refuses, and what to do where the build folder is meant."""
    said = error.strerror or str(error) or type(error).__name__
    if not isinstance(error.filename, (str, bytes)):
        return f"{said}; finished records are kept"
    place = Path(os.fsdecode(error.filename))
    paths = sys.modules.get("aesforge.base.paths")  # which may be what failed
    if paths and (place.is_relative_to(paths.BUILD) or paths.BUILD.is_relative_to(place)):
        hint = "AESFORGE_BUILD names the build folder, which must be one that can be written"
        return f"{place}: {said} ({hint}); finished records are kept"
    return f"{place}: {said}; finished records are kept"


def main() -> None:
    """Run the tool: an error is one line and a non-zero exit status."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) is signal.SIG_DFL:  # not under nohup
            signal.signal(number, _on_stop)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a file's name may be no text
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # a full disk is an error too
    except AesforgeError as error:
        _complain(str(error))
        sys.exit(error.exit_status)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # the reader has seen enough
            _complain(_os_error(error))
        with contextlib.suppress(OSError):  # what could not be written is not tried again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(AesforgeError.exit_status)
    except (Interrupted, RuntimeError) as error:
        # A request that comes inside a lock of `threading` ends as the lock's own complaint.
        if not isinstance(error, Interrupted) and not isinstance(error.__context__, Interrupted):
            raise
        err.print("aesforge: interrupted; finished records are kept", soft_wrap=True)
        sys.exit(INTERRUPTED)
