# SPDX-License-Identifier: Apache-2.0
"""What all commands share: the application, the two consoles, common options, tables."""

import os
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as RichTable

from aesforge import __version__

if TYPE_CHECKING:
    from aesforge.records.rows import Table

ALL_CORES = os.cpu_count() or 1
TABLE_WIDTH = 160

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

Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Programs to run at the same time.")]
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


def progress_bar() -> Progress:
    """Return a bar for long work: what runs, how much is done, since when, how long it takes."""
    return Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


def print_table(table: "Table") -> None:
    """Print a table whole: on a narrow terminal its lines run over rather than break in cells."""
    rich = RichTable(
        title=table.title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0
    )
    for name, right in table.heads:
        rich.add_column(name, justify="right" if right else "left", no_wrap=True)
    for row in table.rows:
        rich.add_row(*(escape(text) for text in row))
    columns = zip((name for name, _ in table.heads), *table.rows, strict=True)
    natural = sum(max(map(len, column)) + 3 for column in columns)
    Console(width=max(out.width, TABLE_WIDTH, natural)).print(rich)
