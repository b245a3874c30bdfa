# SPDX-License-Identifier: Apache-2.0
"""Commands that read published records: explore, pick, papers, report."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as RichTable

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.cli.app import CHOOSE, JsonFlag, app, out, print_table

if TYPE_CHECKING:
    from aesforge.report.explore import DesignPoint


@app.command(rich_help_panel=CHOOSE)
def explore(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME[/VARIANT]", help="Units or software; everything if none."),
    ] = None,
    device: Annotated[
        str, typer.Option(help="Device, or how its name begins; the first recorded if none.")
    ] = "",
    platform: Annotated[list[str] | None, typer.Option(help="Only this core. Repeatable.")] = None,
    mode: Annotated[str, typer.Option(help="block (one a call), ecb, cbc, ctr or gcm.")] = "ecb",
    direction: Annotated[
        str, typer.Option(help="encrypt, decrypt, or both: the slower one.")
    ] = "encrypt",
    key_bits: Annotated[int, typer.Option(help="128, 192 or 256.")] = 128,
    clock_mhz: Annotated[
        float | None, typer.Option(min=0.001, help="Your clock; a slower design keeps its own.")
    ] = None,
    front: Annotated[
        bool, typer.Option("--front", help="Only the Pareto fronts of area and time.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show every design point: cycles, throughput at the device's clock, area and code in one row.

    From published records alone (aesforge bench --publish, aesforge synth --publish). With --json
    every device unless one is named.
    """
    from aesforge.report import explore as joining

    found = _design_points(device, platform, mode, direction, key_bits, every=as_json)
    found = [p for p in found if not names or p.label in names or p.accelerator in names]
    if not found:
        raise UsageError(f"no speed is recorded of {', '.join(names or ['anything'])}")
    if clock_mhz is not None:
        found = [point.at(clock_mhz) for point in found]
    way = joining.way(direction)
    if front:
        found = joining.fronts(found, mode, way)
    if as_json:
        for row in joining.json_rows(found):
            print(json.dumps(row))
        return
    print_table(joining.table(found, mode, way))
    for text in joining.legend(found):
        out.print(f"  {text}", markup=False, highlight=False, soft_wrap=True)


@app.command(rich_help_panel=CHOOSE)
def pick(
    device: Annotated[
        str, typer.Option(help="Device, or how its name begins: ecp5, ice40, osu018.")
    ],
    platform: Annotated[list[str] | None, typer.Option(help="Only this core. Repeatable.")] = None,
    mode: Annotated[str, typer.Option(help="block (one a call), ecb, cbc, ctr or gcm.")] = "ecb",
    direction: Annotated[
        str, typer.Option(help="encrypt, decrypt, or both: the slower one, and code for both.")
    ] = "both",
    key_bits: Annotated[int, typer.Option(help="128, 192 or 256.")] = 128,
    min_mbit: Annotated[float | None, typer.Option(min=0, help="Mbit/s at least.")] = None,
    max_cycles: Annotated[float | None, typer.Option(min=0, help="Cycles a byte at most.")] = None,
    max_lut: Annotated[int | None, typer.Option(min=0, help="LUTs that the unit adds.")] = None,
    max_gates: Annotated[
        int | None, typer.Option(min=0, help="NAND2 equivalents (cmos, osu018).")
    ] = None,
    max_ff: Annotated[int | None, typer.Option(min=0, help="Flip-flops.")] = None,
    max_bram: Annotated[int | None, typer.Option(min=0, help="Block RAMs.")] = None,
    max_code: Annotated[
        int | None, typer.Option(min=0, help="Bytes of the kernel's code and tables.")
    ] = None,
    clock_mhz: Annotated[
        float | None, typer.Option(min=0.001, help="Your clock; what is slower falls out.")
    ] = None,
    constant_time: Annotated[
        bool, typer.Option("--constant-time", help="Only what was measured to be so.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as one JSON object.")] = False,
) -> None:
    """Pick the cheapest design that meets a budget; say why the others do not.

    Cheapest: fewest LUTs (or gates), then block RAMs, then bytes of code. If nothing fits the exit
    status is 1, and the answer says which constraint to relax and by how much.
    """
    from aesforge.report import explore as joining
    from aesforge.report import pick as picking

    found = _design_points(device, platform, mode, direction, key_bits, every=False)
    request = picking.Budget(
        mode,
        joining.way(direction),
        min_mbit,
        max_cycles,
        max_lut,
        max_gates,
        max_ff,
        max_bram,
        max_code,
        clock_mhz,
        constant_time,
    )
    answer = picking.pick(found, request)
    if as_json:
        print(json.dumps(picking.json_answer(answer)))
    else:
        for text in picking.summary(answer):
            out.print(text, markup=False, highlight=False, soft_wrap=True)
        if answer.fitting:
            print_table(picking.fitting_table(answer))
        if answer.others:
            print_table(picking.others_table(answer))
    if not answer.fitting:
        raise AesforgeError("nothing fits", "relax a constraint as said above")


def _design_points(
    device: str,
    platforms: list[str] | None,
    mode: str,
    direction: str,
    key_bits: int,
    *,
    every: bool,
) -> "list[DesignPoint]":
    """Return the published design points of a device (`every` one if none is named)."""
    from aesforge.report import explore as joining

    joining.check(mode, direction, key_bits)
    records, placed = joining.read_published()
    found = joining.points(records, placed, key_bits)
    known = sorted({point.platform for point in found})
    if unknown := sorted(set(platforms or ()) - set(known)):
        raise UsageError(f"no records of a core '{unknown[0]}'", f"known: {', '.join(known)}")
    chosen = joining.devices(device, placed) if device else joining.usual_device(placed)
    return [
        point
        for point in found
        if (not platforms or point.platform in platforms)
        and (point.device == chosen or (every and not device))
    ]


@app.command(rich_help_panel=CHOOSE)
def papers(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Papers; a list of them if none.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every paper's tables.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown; with --all a whole page.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail if a row lacks the record beside it.")
    ] = False,
    records: Annotated[
        Path | None,
        typer.Option(help="Read this file of records only, not results/ and build/records."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show a paper's published tables, and beside each row what is measured here.

    Published and measured values are in separate columns. A row whose record is missing says how to
    make it.
    """
    from aesforge.report import papers as reading

    whole_page = every and markdown  # of published records: the same everywhere
    kept = records is None and not whole_page
    evidence = reading.Evidence(reading.published_records(records), kept=kept)
    chosen = reading.choose(ids or [])
    if not (ids or every or as_json or markdown or strict):
        overview = RichTable("paper", "year", "rows", "with ours", "title", box=None)
        for row in reading.summary(chosen, evidence):
            cells = (row[key] for key in ("id", "year", "rows", "with_ours", "title"))
            overview.add_row(*(escape(str(cell)) for cell in cells))
        out.print(overview)
        return
    tables = [reading.lines(paper, evidence) for paper in chosen]
    if whole_page:
        print(reading.page(chosen, evidence), end="")
    for found in [] if whole_page else tables:
        if as_json:
            for line in found:
                print(json.dumps(reading.json_row(line)))
        elif markdown:
            print(reading.markdown(found))
        else:
            made, notes = reading.table(found, repeat=False)
            print_table(made)
            for text in reading.footer(found, notes):
                out.print(f"  {text}", markup=False, highlight=False, soft_wrap=True)
            out.print()
    if strict:
        reading.require([line for found in tables for line in found])


@app.command(rich_help_panel=CHOOSE)
def report(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="HTML file to write.")
    ],
) -> None:
    """Write one self-contained HTML page: what fits, how fast, how it was verified.

    From published records (results/) and the proofs kept in the build folder; it needs no network.
    """
    from aesforge.report import page

    size = page.write(output)
    out.print(f"{output}: {size / 1e6:.2f} MB", highlight=False, soft_wrap=True)
