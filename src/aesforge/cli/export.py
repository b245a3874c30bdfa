# SPDX-License-Identifier: Apache-2.0
"""The commands that hand accelerators out: export one, or make a release of all."""

from pathlib import Path
from typing import Annotated

import typer

from aesforge.cli.app import ALL_CORES, INTEGRATE, Jobs, app, err, out, progress_bar


@app.command(rich_help_panel=INTEGRATE)
def export(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME[/VARIANT]", help="Accelerator, or a variant."),
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
    host: Annotated[str, typer.Option(help="What it is attached to, as above.")],
    variant: Annotated[str, typer.Option(help="Variant, if the name has none.")] = "",
    flat: Annotated[
        bool, typer.Option("--flat", help="One file of plain Verilog-2001 in place of the sources.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an earlier export; leave other files alone.")
    ] = False,
) -> None:
    """Write one accelerator as a folder ready to use in a design of your own.

    RTL, C, a FuseSoC core with lint and simulation, a self-checking bench, documentation of the
    operations, an instance to copy, constraints, and the measured figures. Hosts of instructions:
    pcpi (PicoRV32), cfu (VexRiscv), cvxif (CV32E40X), nios, nios_comb. Hosts of accelerators on a
    bus or a stream: axil, apb, wishbone, axis. litex takes all but streams: an instruction as a
    CFU, the rest as a Python module that adds it to a LiteX system.

    NAME alone stands for the variant with most Mbit/s in a core with that port, of those that were
    routed in one; if none was, for the first.
    """
    from aesforge import export as exporting
    from aesforge.catalog import manifest
    from aesforge.export import hosts
    from aesforge.report import figures

    accelerator, chosen = manifest.choose(name, variant)
    host = hosts.find_for(accelerator, host).name
    best = None if variant or "/" in name else figures.recommended(accelerator, host)
    if best is not None:
        chosen = accelerator.variant(best.variant)
    done = exporting.export(accelerator, chosen, host, folder, flat_file=flat, force=force)
    if best is not None:
        err.print(
            f"{best.label}: the fastest in {best.platform}, {best.clock_mhz:.0f} MHz with the core;"
            f" {name}/VARIANT takes another",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    files = "1 RTL file" if len(done.rtl) == 1 else f"{len(done.rtl)} RTL files"
    out.print(
        f"{folder}: {files}, instantiate {done.top}; README.md says the rest",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


@app.command(rich_help_panel=INTEGRATE)
def dist(
    folder: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")] = Path("dist"),
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[/VARIANT]", help="Bundles of this accelerator alone. Repeatable."
        ),
    ] = None,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Make a release: source archive, wheel of the tool, a bundle for each unit and host.

    A bundle is an export with its RTL as one file of Verilog-2001, of a default variant, zipped.
    SHA256SUMS has the hash of each file: `sha256sum -c SHA256SUMS`. The same sources give the same
    files. Bundles that are finished stay when the command is interrupted.
    """
    from aesforge.export import release

    bundles = release.bundles(only or [])
    progress = progress_bar()
    with progress:
        task = progress.add_task("bundles", total=len(bundles))

        def ended(bundle: release.Bundle, name: str) -> None:
            progress.advance(task)
            err.print(name, markup=False, highlight=False, soft_wrap=True)

        made = release.make(bundles, folder, jobs, ended)
    out.print(
        f"{folder}: {len(made)} files and SHA256SUMS", markup=False, highlight=False, soft_wrap=True
    )
