# SPDX-License-Identifier: Apache-2.0
"""Commands that read published records: compare, explore, pick, papers, report."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.cli.app import (
    ALL_CORES,
    CHOOSE,
    MEASURE,
    Jobs,
    JsonFlag,
    app,
    err,
    out,
    progress_bar,
)
from aesforge.cli.tables import Form, Format, Wide, fits, print_table, print_tables

if TYPE_CHECKING:
    from aesforge.report.explore import DesignPoint
    from aesforge.report.papers import Line


Local = Annotated[
    bool,
    typer.Option("--local", help="Also unpublished records of this build folder: bold, +."),
]
Bounds = Annotated[
    bool,
    typer.Option(
        "--bounds",
        help="Let upper bounds of clocks decide too: core and unit placed apart, shown as <=.",
    ),
]


@app.command(rich_help_panel=MEASURE)
def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help="Before: a commit, tag or branch.")],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="After; this working tree if none.")
    ] = "",
    most: Annotated[int, typer.Option(metavar="N", min=0, help="Cells to list.")] = 20,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail if a cell changed or is gone.")
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
) -> None:
    """Compare the published figures of two commits cell by cell: same, changed, new, gone.

    A cell is one value of a record in results/: cycles of a call, a count, LUTs, a clock, the
    outcome of a proof. With --json every cell that is not the same.
    """
    from aesforge.report import changes

    found = changes.compare(old, new)
    if as_json:
        for row in changes.json_rows(found):
            print(json.dumps(row))
    else:
        tables = [changes.summary(found), changes.listing(found, most)]
        print_tables([table for table in tables if table.rows], wide=wide, form=form)
    if strict and not all(one.kept for one in found):
        count = sum(len(one.changed) + len(one.gone) for one in found)
        raise AesforgeError(f"{count} published cells changed or are gone")


@app.command(rich_help_panel=MEASURE)
def stale(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Only records about these; all if none."),
    ] = None,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
    jobs: Jobs = ALL_CORES,
) -> None:
    """List published records that do not follow from the present tree.

    Use it after a change of RTL, C or tools: the listed figures no longer describe this tree.
    Firmware is compiled, nothing is measured. The exit status is 1 if a record is listed.
    """
    from aesforge.report import stale as checking

    every = checking.published(names or ())
    progress = progress_bar()
    with progress:
        bar = progress.add_task("hashing", total=len(every))

        def report(one: checking.Published, judged: list[checking.Judged]) -> None:
            progress.update(bar, advance=len(judged), description=f"{one.file}: {one.about[0]}")

        found = checking.judge(every, jobs, report)
    old = [one for one in found if one.state != "current"]
    if as_json:
        for row in checking.json_rows(found):
            print(json.dumps(row))
    else:
        tables = [checking.summary(found), checking.listing(found)]
        print_tables([table for table in tables if table.rows], wide=wide, form=form)
    if old:
        raise AesforgeError(
            f"{len(old)} of {len(found)} published records are of an earlier text",
            "measure them again, with --publish",
        )


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
        float | None,
        typer.Option(metavar="MHZ", min=0.001, help="Your clock; a slower design keeps its own."),
    ] = None,
    front: Annotated[
        bool, typer.Option("--front", help="Only the Pareto fronts of area and time.")
    ] = False,
    bounds: Bounds = False,
    local: Local = False,
    highlight: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[/VARIANT]", help="Rows to show bold. Repeatable."),
    ] = None,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
) -> None:
    """Show every design point: cycles, throughput at the device's clock, area and code in one row.

    From published records alone (aesforge bench --publish, aesforge synth --publish). With --json
    every device unless one is named.
    """
    from aesforge.report import explore as joining

    found, unpublished = _design_points(
        device, platform, mode, direction, key_bits, every=as_json, local=local
    )
    found = [p for p in found if not names or p.label in names or p.accelerator in names]
    if not found:
        raise UsageError(f"no speed is recorded of {', '.join(names or ['anything'])}")
    if clock_mhz is not None:
        found = [point.at(clock_mhz) for point in found]
    way = joining.way(direction)
    if front:
        found = joining.fronts(found, mode, way, bounds=bounds)
    if as_json:
        for row in joining.json_rows(found, bounds=bounds):
            print(json.dumps(row))
        return
    bold = {p.label for p in found if {p.label, p.accelerator} & set(highlight or ())}
    there = bold | {label.partition("/")[0] for label in bold}
    if missing := [name for name in highlight or () if name not in there]:
        raise UsageError(f"no row of '{missing[0]}' to highlight", "--local shows your records")
    shown = joining.table(found, mode, way, bounds=bounds, marked=bold, unpublished=unpublished)
    print_tables([shown], wide=wide, form=form, notes=joining.legend(found))


@app.command(rich_help_panel=CHOOSE)
def pick(
    device: Annotated[str, typer.Option(metavar="DEVICE", help="Device: ecp5, ice40.")],
    platform: Annotated[list[str] | None, typer.Option(help="Only this core. Repeatable.")] = None,
    mode: Annotated[str, typer.Option(help="block (one a call), ecb, cbc, ctr or gcm.")] = "ecb",
    direction: Annotated[
        str, typer.Option(help="encrypt, decrypt, or both: the slower one, and code for both.")
    ] = "both",
    key_bits: Annotated[int, typer.Option(help="128, 192 or 256.")] = 128,
    min_mbit: Annotated[
        float | None, typer.Option(metavar="N", min=0, help="Mbit/s at least.")
    ] = None,
    max_cycles: Annotated[
        float | None, typer.Option(metavar="N", min=0, help="Cycles a byte at most.")
    ] = None,
    max_lut: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="LUTs that the unit adds.")
    ] = None,
    max_gates: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="NAND2 equivalents (cmos, osu018).")
    ] = None,
    max_ff: Annotated[int | None, typer.Option(metavar="N", min=0, help="Flip-flops.")] = None,
    max_bram: Annotated[int | None, typer.Option(metavar="N", min=0, help="Block RAMs.")] = None,
    max_code: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Bytes of the kernel's code and tables.")
    ] = None,
    clock_mhz: Annotated[
        float | None,
        typer.Option(metavar="MHZ", min=0.001, help="Your clock; slower designs do not fit."),
    ] = None,
    constant_time: Annotated[
        bool, typer.Option("--constant-time", help="Only designs measured as constant time.")
    ] = False,
    bounds: Bounds = False,
    local: Local = False,
    why: Annotated[
        bool, typer.Option("--why", help="Also list the designs that do not fit, and why.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as one JSON object.")] = False,
    wide: Wide = False,
    form: Format = Form.table,
) -> None:
    """Pick the cheapest design that meets a budget; say why the others do not.

    Cheapest: fewest LUTs (or gates), then block RAMs, then bytes of code. If nothing fits the exit
    status is 1, and the answer says which constraint to relax and by how much.
    """
    from aesforge.report import explore as joining
    from aesforge.report import pick as picking

    found, unpublished = _design_points(
        device, platform, mode, direction, key_bits, every=False, local=local
    )
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
        bounds,
    )
    answer = picking.pick(found, request)
    if as_json:
        print(json.dumps(picking.json_answer(answer)))
    else:
        if form is Form.table:
            for text in picking.summary(answer):
                out.print(text, markup=False, highlight=False, soft_wrap=True)
        tables = [picking.fitting_table(answer, unpublished)] if answer.fitting else []
        if answer.others and why:
            tables.append(picking.others_table(answer))
        print_tables(tables, wide=wide, form=form)
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
    local: bool,
) -> "tuple[list[DesignPoint], set[str]]":
    """Return the design points of a device (`every` one if none is named), published ones.

    With `local` those of the build folder too, and the labels of these.
    """
    from aesforge.report import explore as joining

    joining.check(mode, direction, key_bits)
    records, placed = joining.read_published()
    labels: set[str] = set()
    if local:
        from aesforge.report import local as unpublished

        records, placed, labels = unpublished.join(records, placed)
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
    ], labels


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
    measure: Annotated[
        bool,
        typer.Option(
            "--measure",
            help="First run here what the rows name, benches and syntheses; fail if one differs.",
        ),
    ] = False,
    every_seed: Annotated[
        bool,
        typer.Option(
            "--every-seed", help="With --measure: every published seed, not the first of a design."
        ),
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="With --measure: ignore kept records.")
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Show a paper's published tables, and beside each row what is measured here.

    Published and measured values are in separate columns. A row whose record is missing says how to
    make it. With --measure every simulation and synthesis that a row names runs here first, says
    how long that takes, and is compared with the published record (`make papers`). Of the seeds of
    place-and-route the first is repeated.
    """
    from aesforge.report import papers as reading

    if (fresh or every_seed) and not measure:
        raise UsageError(f"{'--fresh' if fresh else '--every-seed'} is for --measure")
    if measure and records is not None:
        raise UsageError("--measure compares with results/: leave --records out")
    whole_page = every and markdown  # of published records: the same everywhere
    kept = records is None and not whole_page
    evidence = reading.Evidence(reading.published_records(records), kept=kept)
    chosen = reading.choose(ids or [])
    if not (ids or every or as_json or markdown or strict):
        print_table(reading.overview(chosen, evidence), wide=wide, form=form)
        return
    tables = [reading.lines(paper, evidence) for paper in chosen]
    wrong: list[str] = []
    if measure:
        named = [line for lines in tables for line in lines]
        wrong = _measured(named, jobs, fresh=fresh, every_seed=every_seed)
        evidence = reading.Evidence(reading.published_records(records), kept=kept)
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
            if not fits(made, wide=wide, form=form):
                made = reading.stacked(made)
            print_tables([made], wide=wide, form=form, notes=(*reading.footer(found, notes), ""))
    if strict:
        reading.require([line for found in tables for line in found])
    if wrong:
        raise AesforgeError(f"{len(wrong)} records are not as published", wrong[0])


def _measured(found: list["Line"], jobs: int, *, fresh: bool, every_seed: bool) -> list[str]:
    """Run what lines name and print each verdict; return what is not as published."""
    from aesforge.report import remake

    work = remake.work(found, every_seed=every_seed)
    err.print(work.summary, markup=False, highlight=False, soft_wrap=True)
    total = len(work.cells) + len(work.syntheses)
    done = 0

    def report(title: str, verdict: str, good: bool) -> None:
        nonlocal done
        done += 1
        line = f"[{done}/{total}] {title}: {verdict}"
        style = None if good else "red"
        err.print(line, style=style, markup=False, highlight=False, soft_wrap=True)

    return remake.remake(work, jobs, report, fresh=fresh)


@app.command(rich_help_panel=CHOOSE)
def report(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="HTML file to write.")
    ],
    local: Local = False,
) -> None:
    """Write one self-contained HTML page: what fits, how fast, how it was verified.

    From published records (results/) and the proofs kept in the build folder; it needs no network.
    """
    from aesforge.report import page

    size = page.write(output, local=local)
    out.print(f"{output}: {size / 1e6:.2f} MB", highlight=False, soft_wrap=True)
