# SPDX-License-Identifier: Apache-2.0
"""Commands about silicon: synth, bitstream."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.cli.app import (
    ALL_CORES,
    INTEGRATE,
    MEASURE,
    Jobs,
    JsonFlag,
    app,
    err,
    out,
    progress_bar,
)
from aesforge.cli.tables import Form, Format, Wide, print_table


@app.command(rich_help_panel=MEASURE)
def synth(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME[/VARIANT]", help="Units; all variants of all if none."),
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option("--target", "-t", help="Flow, as above. Repeatable.")
    ] = None,
    inside: Annotated[
        list[str] | None,
        typer.Option(
            "--in", metavar="PLATFORM", help="Inside a platform instead of alone. Repeatable."
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every target, alone and inside every platform (days).")
    ] = False,
    seeds: Annotated[
        int, typer.Option(metavar="N", min=1, max=99, help="Place-and-route runs each.")
    ] = 5,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore kept records.")] = False,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish",
            help="Join the records to results/synthesis.jsonl, renew the pages made from it.",
        ),
    ] = False,
    scheduler: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Dask scheduler to use, such as tcp://host:8786.")
    ] = "",
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Synthesise units: LUTs, flip-flops, gates and the clock, on FPGAs and in standard cells.

    Targets: ecp5-85f, ecp5-85f-abc, ecp5-85f-8, ecp5-85f-8-timed, ecp5-85f-wide, ecp5-25f,
    ice40-hx8k, ice40-up5k, gowin-20k, nexus-40 (placed and routed, median of the seeds), xc7,
    xc4v, xc4v-wide (LUTs by Yosys), cmos, osu018 (gates). Finished records are kept in build/synth:
    an interrupted run continues there.
    """
    from aesforge.report import publish as publishing
    from aesforge.synth import synthesis as flows

    if every and (target or inside):
        raise UsageError(
            "--all names every target and scope already", "leave --target and --in out"
        )
    targets, scopes = flows.everywhere() if every else (target or [], inside or [])
    asked = flows.jobs(names or (), targets, scopes, seeds)
    if not asked:
        raise UsageError("nothing to synthesise: no variant of these fits there")
    if publish:
        publishing.require_regions()
    progress = progress_bar()
    with progress:
        bar = progress.add_task("synthesising", total=len(asked))

        def report(job: flows.Job, record: flows.SynthRecord | None) -> None:
            progress.update(bar, description=job.title)
            if record is not None:
                progress.advance(bar)
                if record.status == "failed":
                    told = f"failed: {job.title}: {record.reason}"
                    err.print(told, style="red", markup=False, soft_wrap=True)

        records = flows.run(asked, jobs, report, fresh=fresh, scheduler=scheduler)
    if as_json:
        for record in records:
            print(record.model_dump_json())
    else:
        print_table(flows.table(records), wide=wide, form=form)
    if publish:
        publishing.write(placed=records)
    bad = sum(record.status == "failed" for record in records)
    if bad:
        raise AesforgeError(f"{bad} of {len(records)} runs failed", "see the lines above")


@app.command(rich_help_panel=INTEGRATE)
def bitstream(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ACCEL[/VARIANT]", help="Units or peripherals; if none, lists the boards."
        ),
    ] = None,
    board: Annotated[
        str, typer.Option(help="Board, or BOARD/DEVICE; its first device if none is named.")
    ] = "",
    core: Annotated[
        str,
        typer.Option("--platform", metavar="CORE", help="Its core; the first if none is named."),
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Copy the bitstream there."),
    ] = None,
    mhz: Annotated[
        float | None,
        typer.Option(
            metavar="MHZ", min=1, max=400, help="Clock; a PLL makes any but the oscillator's."
        ),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=64, help="Placements to try until one meets the clock."
        ),
    ] = 4,
    simulate: Annotated[
        bool,
        typer.Option(
            "--simulate", help="Build nothing: the same system in simulation, its console here."
        ),
    ] = False,
    litex: Annotated[
        bool,
        typer.Option(
            "--litex",
            help="LiteX's own system for the board, with VexRiscv: a unit as its CFU, a peripheral"
            " on its bus. Its tools come from PyPI. 50 MHz unless asked otherwise.",
        ),
    ] = False,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish", help="Join the records to results/bitstreams.jsonl, renew docs/boards.md."
        ),
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
) -> None:
    """Build core, accelerator, memory and serial console for an FPGA board, with open tools.

    The clock is met or nothing is written. On the board: 115200 baud, 8N1; type ? for the commands
    (key, encrypt, decrypt, the examples of FIPS 197, cycles). No bitstream has run on a board here;
    `--simulate` runs the same system: aesforge bitstream --board ulx3s NAME --simulate
    """
    from aesforge.boards import bitstream as building
    from aesforge.boards import soc as systems
    from aesforge.catalog import manifest
    from aesforge.export import litex as litexing

    def say(text: str) -> None:
        err.print(text, markup=False, highlight=False, soft_wrap=True)

    if not names:
        print_table(building.boards_table(), wide=wide, form=form)
        return
    if not board:
        known = ", ".join(found.name for found in systems.boards())
        raise UsageError("no board is named", f"--board, one of {known}")
    chosen, host = systems.find_board(board), systems.find_core(core)
    if litex and simulate:
        raise UsageError(
            "--simulate is of the console", "LiteX's system: litex/simulate.sh of an export"
        )
    if litex:
        litexing.require_offered(chosen, core)
    if len(names) > 1 and (output or simulate):
        raise UsageError("--output and --simulate take one accelerator")
    records = []
    for name in names:
        unit, variant = manifest.choose(name)
        if simulate:
            building.talk(unit, variant, chosen, host)
            return
        if litex:
            built = litexing.build(unit, variant, chosen, clock_mhz=mhz, seeds=seeds, say=say)
        else:
            built = building.build(unit, variant, chosen, host, clock_mhz=mhz, seeds=seeds, say=say)
        records.append(built.record)
        file = built.file
        if output is not None:
            shutil.copyfile(built.file, output)
            file = output
        if as_json:
            print(built.record.model_dump_json())
        else:
            load = chosen.manifest.load.replace("FILE", str(file))
            out.print(f"{file}: load it with `{load}`", markup=False, soft_wrap=True)
    if publish:
        building.publish(records)
    if not as_json:
        print_table(building.table(records), wide=wide, form=form)
