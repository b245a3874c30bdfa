# SPDX-License-Identifier: Apache-2.0
"""A TLS server on a simulated core: tls."""

import dataclasses
import json
from typing import Annotated

import typer

from aesforge.base.errors import UsageError
from aesforge.cli.app import MEASURE, JsonFlag, app, err
from aesforge.cli.tables import print_tables


@app.command(rich_help_panel=MEASURE)
def tls(
    accel: Annotated[str, typer.Option(metavar="NAME[/VARIANT]", help="Accelerator or software.")],
    platform: Annotated[str, typer.Option(help="Platform.")],
    against: Annotated[
        str,
        typer.Option(
            metavar="NAME[/VARIANT]",
            help="The same without the unit: software on the same core; none: leave it out."
            " Default: the first baseline.",
        ),
    ] = "",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, help="TCP port of 127.0.0.1; 0: any.")
    ] = 0,
    time_limit: Annotated[
        int,
        typer.Option(metavar="SECONDS", min=1, help="End a peer that is silent."),
    ] = 60,
    as_json: JsonFlag = False,
) -> None:
    """Let `openssl s_client` talk to a TLS 1.3 server on a simulated core, and count its cycles.

    The server is Mbed TLS with the unit's PSA driver. It is built here; its sources are fetched at
    first use, with Cargo. The client verifies certificate and host name and sends 16 KiB, which the
    server sends back. Simulated time stops while the core waits for the client.
    """
    from rich.progress import Progress, SpinnerColumn, TextColumn

    from aesforge.catalog import manifest
    from aesforge.catalog import platform as platforms
    from aesforge.stacks import tls as connection

    if port > 65535:
        raise UsageError(f"{port} is no port: 65535 is the last one")
    host = platforms.find(platform)
    chosen = [manifest.choose(accel)]
    if against != "none":
        other = manifest.choose(against) if against else connection.baseline()
        chosen += [other] if other != chosen[0] else []
    runs = []
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        bar = progress.add_task("", total=None)
        for accelerator, variant in chosen:
            label = f"{accelerator.name}/{variant.name} on {host.name}"

            def step(name: str, label: str = label) -> None:
                progress.update(bar, description=f"{label}: {name}")

            def cycles(done: int, label: str = label) -> None:
                progress.update(bar, description=f"{label}: {done:,} cycles")

            result = connection.serve(
                *(accelerator, variant, host),
                port=port,
                patience=time_limit,
                on_step=step,
                on_cycles=cycles,
            )
            runs.append((accelerator, variant, result))
            if as_json:
                named = {"accelerator": accelerator.name, "variant": variant.name}
                print(json.dumps({**named, "platform": host.name, **dataclasses.asdict(result)}))
    if as_json:
        return
    notes = [
        f"{accelerator.name}/{variant.name}: {result.code_bytes:,} bytes of code and constants,"
        f" {result.ram_bytes:,} of RAM without the stack."
        for accelerator, variant, result in runs
    ]
    if len(runs) == 2:
        (_, _, with_unit), (_, _, without) = runs
        notes.append(
            f"Without the unit: {without.handshake / with_unit.handshake:.1f} times the cycles of"
            f" the handshake, {without.bulk / with_unit.bulk:.1f} times those of the data."
        )
    print_tables([connection.table(host, runs)], notes=notes)
