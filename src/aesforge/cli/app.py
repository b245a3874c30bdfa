# SPDX-License-Identifier: Apache-2.0
"""What all commands share: the application, the two consoles, common options, tables."""

import os
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from aesforge import __version__

if TYPE_CHECKING:
    from rich.progress import Progress, Task, TaskID
    from rich.text import Text

    from aesforge.bench.forecast import Watch

ALL_CORES = os.cpu_count() or 1
TELL_SECONDS = 60.0  # between lines of progress where there is no terminal

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,  # a key may be among them
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="AES acceleration for soft-core processors: build it, prove it, measure it on real cores.",
    epilog="First steps: `aesforge doctor`, `aesforge list`, `aesforge bench --only NAME`.",
)
# Panels of --help.
START, EXTEND, VERIFY = "Start", "Add an accelerator", "Verify"
MEASURE, CHOOSE, INTEGRATE = "Measure", "Choose", "Integrate"

out = Console()
err = Console(stderr=True)

Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", min=1, help="Programs to run at the same time.")
]
JsonFlag = Annotated[
    bool, typer.Option("--json", help="One JSON object a line on standard output.")
]


def _print_version(wanted: bool) -> None:
    if wanted:
        out.print(f"aesforge {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Options of every command."""


def progress_bar(watch: "Watch | None" = None) -> "Progress":
    """Return a bar for long work: what runs, how much is done, since when, how long it takes.

    What is left is said by `watch`; without one it is what the steps so far give. Where there is no
    terminal, the bar is a line a minute; with `watch` the command writes lines of its own.
    """
    from datetime import timedelta

    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Left(ProgressColumn):
        """The forecast of a watch."""

        def render(self, task: "Task") -> "Text":
            return Text(watch.left if watch and not task.finished else "")

    class Bar(Progress):
        """A bar, or lines in a log."""

        told = time.monotonic()

        def advance(self, task_id: "TaskID", advance: float = 1) -> None:
            super().advance(task_id, advance)
            self._tell(task_id)

        def update(self, task_id: "TaskID", **fields: Any) -> None:
            super().update(task_id, **fields)
            self._tell(task_id)

        def _tell(self, task_id: "TaskID") -> None:
            now = time.monotonic()
            if watch or err.is_terminal or now - self.told < TELL_SECONDS:
                return
            self.told = now
            task = next(task for task in self.tasks if task.id == task_id)
            done = f"{task.completed:,.0f} of {task.total or 0:,.0f}"
            since = timedelta(seconds=int(task.elapsed or 0))
            line = f"{since}: {done}, {task.description}"
            err.print(line, markup=False, highlight=False, soft_wrap=True)

    left = [Left()] if watch else [TextColumn("left"), TimeRemainingColumn()]
    return Bar(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *left,
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


def reflow(text: str) -> str:
    """Return help with each paragraph as one line, for the terminal's width to fold."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
