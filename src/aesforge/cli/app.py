# SPDX-License-Identifier: Apache-2.0
"""What all commands share: the application, the two consoles, common options, tables."""

import os
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from aesforge import __version__

if TYPE_CHECKING:
    from rich.progress import Progress, Task
    from rich.text import Text

    from aesforge.bench.forecast import Watch

ALL_CORES = os.cpu_count() or 1

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

    What is left is said by `watch`; without one it is what the steps so far give.
    """
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

    left = [Left()] if watch else [TextColumn("left"), TimeRemainingColumn()]
    return Progress(
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
