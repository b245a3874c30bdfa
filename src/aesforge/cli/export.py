# SPDX-License-Identifier: Apache-2.0
"""The command that hands an accelerator out: export."""

from pathlib import Path
from typing import Annotated

import typer

from aesforge.cli.app import INTEGRATE, app, out


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
    pcpi (PicoRV32), cfu (VexRiscv, LiteX), cvxif (CV32E40X), nios, nios_comb. Hosts of
    accelerators on a bus or a stream: axil, apb, wishbone, axis.
    """
    from aesforge import export as exporting
    from aesforge.catalog import manifest

    accelerator, chosen = manifest.choose(name, variant)
    done = exporting.export(accelerator, chosen, host, folder, flat_file=flat, force=force)
    files = "1 RTL file" if len(done.rtl) == 1 else f"{len(done.rtl)} RTL files"
    out.print(
        f"{folder}: {files}, instantiate {done.top}; README.md says the rest",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
