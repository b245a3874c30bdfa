# SPDX-License-Identifier: Apache-2.0
"""Tables on a terminal, as CSV and as LaTeX: the one place that prints them."""

import csv
import io
import textwrap
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from rich.bar import Bar
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from aesforge.cli.app import err, out

if TYPE_CHECKING:
    from aesforge.records.rows import Table

_NARROWEST = 20  # a column of words is folded to no less than this
_GAP = 1  # between columns


class Form(StrEnum):
    """What a table is printed as."""

    table = "table"
    csv = "csv"
    latex = "latex"


Wide = Annotated[bool, typer.Option("--wide", help="Every column, however narrow the terminal is.")]
Format = Annotated[
    Form, typer.Option("--format", metavar="FORM", help="Tables as text (table), csv or latex.")
]

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


def print_tables(
    tables: Sequence["Table"],
    *,
    wide: bool = False,
    form: Form = Form.table,
    notes: Sequence[str] = (),
) -> None:
    """Print tables and what is to be said of them; without `notes` as CSV and LaTeX.

    A terminal that is too narrow gets the columns that fit and a line with the names of the others.
    Whatever is no terminal gets everything.
    """
    if form is Form.csv:
        print("\n".join(as_csv(table) for table in tables), end="")
        return
    if form is Form.latex:
        print("\n".join(as_latex(table) for table in tables), end="")
        return
    for table in tables:
        _print(table, wide=wide or not out.is_terminal)
    for text in notes:
        note = f"  {text}"
        if out.is_terminal:
            note = textwrap.fill(note, out.width, subsequent_indent="    ")
        out.print(note, markup=False, highlight=False, soft_wrap=True)


def fits(table: "Table", *, wide: bool = False, form: Form = Form.table) -> bool:
    """Tell whether every column will be printed."""
    if wide or form is not Form.table or not out.is_terminal:
        return True
    return fitted(table, out.width)[0].heads == table.heads


def print_bars(groups: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> None:
    """Print numbers of groups, the largest first, each with a bar; all bars have one scale."""
    every = [row for _, rows in groups for row in rows]
    largest = max((n for _, n in every), default=0)
    names = max((len(name) for name, _ in every), default=0)
    for title, rows in groups:
        total = sum(n for _, n in rows)
        if not total:
            continue
        grid = RichTable.grid(padding=(0, 1), expand=True)
        for justify in ("left", "right", "right"):
            grid.add_column(justify=justify, no_wrap=True)
        grid.add_column(ratio=1)
        for name, n in sorted(rows, key=lambda row: -row[1]):
            if n:
                grid.add_row(
                    name.ljust(names),
                    f"{n:,}".rjust(len(f"{largest:,}")),
                    f"{100 * n / total:3.0f} %",
                    Bar(largest, 0, n),
                )
        out.print(f"\n{title}", markup=False, highlight=False)
        out.print(grid)


def print_table(table: "Table", *, wide: bool = False, form: Form = Form.table) -> None:
    """Print one table."""
    print_tables([table], wide=wide, form=form)


def as_csv(table: "Table") -> str:
    """Return a table as CSV: heads, then rows."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(name for name, _ in table.heads)
    writer.writerows(table.rows)
    return text.getvalue()


def as_latex(table: "Table") -> str:
    """Return a table as LaTeX, for the package booktabs."""
    columns = "".join("r" if right else "l" for _, right in table.heads)
    lines = [tuple(name for name, _ in table.heads), *table.rows]
    head, *body = (" & ".join(cell.translate(_LATEX) for cell in line) + r" \\" for line in lines)
    rule = r"\midrule"
    inner = "\n".join(["\\toprule", head, rule, *body, "\\bottomrule"])
    title = table.title.replace("\n", " ")
    return f"% {title}\n\\begin{{tabular}}{{{columns}}}\n{inner}\n\\end{{tabular}}\n"


# On a terminal ------------------------------------------------------------------------------------


def _print(table: "Table", *, wide: bool) -> None:
    shown = table
    widths: list[int] = []
    broken = False
    if not wide:
        shown, widths, broken = fitted(table, out.width)
    rich = RichTable(
        *(), title=table.title or None, title_justify="left", title_style="bold",
        box=SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False,
    )  # fmt: skip
    for place, (name, right) in enumerate(shown.heads):
        width = widths[place] if widths else None
        head = Text(
            textwrap.fill(name, width, break_long_words=False) if broken and width else name
        )
        rich.add_column(
            head,
            justify="right" if right else "left",
            no_wrap=width is None or width >= _widest(shown, place),
            width=width,
            overflow="fold",
            vertical="top",
        )
    for number, row in enumerate(shown.rows):
        rich.add_row(*map(Text, row), style="bold" if number in table.marked else None)
    if wide:
        Console(width=10_000, file=out.file, no_color=out.no_color).print(rich, crop=False)
    else:
        out.print(rich)
    left_out = [name for name, _ in table.heads if name not in {n for n, _ in shown.heads}]
    if left_out:
        err.print(
            f"left out: {', '.join(left_out)}; --wide shows all columns",
            style="dim",
            markup=False,
            highlight=False,
        )


def fitted(table: "Table", width: int) -> tuple["Table", list[int], bool]:
    """Return the columns that fit into `width`, how wide each is, and whether heads are broken.

    First heads are broken at spaces, then columns of words are folded, then columns are left out:
    those in `table.spare`, the last first, then from the right. The first column stays.
    """
    whole = [_widest(table, place, heads=True) for place in range(len(table.heads))]
    if _total(whole) <= width:
        return table, whole, False
    order = [name for name in reversed(table.spare) if name in dict(table.heads)]
    rest = [name for name, _ in reversed(table.heads[1:]) if name not in order]
    for count in range(len(order) + len(rest) + 1):
        gone = {*order, *rest} if count > len(order) + len(rest) else {*(order + rest)[:count]}
        kept = [n for n, (name, _) in enumerate(table.heads) if name not in gone]
        shown = table.columns(kept)
        widths = _folded(shown, width)
        if widths is not None:
            return shown, widths, True
    return shown, [width], True


def _folded(table: "Table", width: int) -> list[int] | None:
    """Return the widths of columns with those of words as narrow as need be; None: too wide."""
    widths = [_widest(table, place) for place in range(len(table.heads))]
    while (over := _total(widths) - width) > 0:
        place = max(range(len(widths)), key=lambda n: 0 if table.heads[n][1] else widths[n])
        if table.heads[place][1] or widths[place] <= _NARROWEST:
            return None
        widths[place] = max(_NARROWEST, widths[place] - over)
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _widest(table: "Table", place: int, *, heads: bool = False) -> int:
    """Characters of a column's longest text; of its head the longest word unless `heads`."""
    head = table.heads[place][0]
    words = [head] if heads else head.split() or [""]
    return max(len(text) for text in (*words, *(row[place] for row in table.rows)))
