# SPDX-License-Identifier: Apache-2.0
"""TLS on a simulated core: tls."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from aesforge.base.errors import UsageError
from aesforge.cli.app import MEASURE, JsonFlag, app, err
from aesforge.cli.tables import print_bars, print_tables
from aesforge.stacks.agreed import OFFERED, Agreed, Cipher, Group, Role, Stack, Version


@app.command(rich_help_panel=MEASURE)
def tls(
    accel: Annotated[
        str,
        typer.Option(metavar="NAME[/VARIANT]", help="Unit, software or own."),
    ],
    platform: Annotated[str, typer.Option(help="Platform.")],
    against: Annotated[
        str,
        typer.Option(
            metavar="NAME[/VARIANT]",
            help="The same without the unit: software on the same core; own: the stack's own"
            " crypto; own-size: the same, all for size; none: leave it out. Default: the first"
            " baseline.",
        ),
    ] = "",
    role: Annotated[
        Role, typer.Option(metavar="ROLE", help="What the core is: server or client.")
    ] = Role.server,
    stack: Annotated[
        Stack,
        typer.Option(
            metavar="STACK", help="The core's software: mbedtls, wolfssl, or bearssl (TLS 1.2)."
        ),
    ] = Stack.mbedtls,
    version: Annotated[
        Version | None,
        typer.Option(
            "--tls", metavar="VERSION", help="1.3 or 1.2. Default: the newest of the stack."
        ),
    ] = None,
    group: Annotated[
        Group, typer.Option(metavar="GROUP", help="Group of the ephemeral keys: P-256 or X25519.")
    ] = Group.p256,
    cipher: Annotated[
        Cipher,
        typer.Option(metavar="CIPHER", help="AES-128-GCM, AES-256-GCM or AES-128-CCM."),
    ] = Cipher.gcm128,
    interactive: Annotated[
        bool,
        typer.Option(
            "--interactive",
            help="Type to the core on this terminal, and see the echo; Ctrl-D ends it.",
        ),
    ] = False,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, help="TCP port of 127.0.0.1; 0: any.")
    ] = 0,
    time_limit: Annotated[
        int,
        typer.Option(metavar="SECONDS", min=1, help="End a peer that is silent."),
    ] = 60,
    bug: Annotated[
        str,
        typer.Option(
            metavar="BUG", help="Plant this bug of accel.toml first, and see what becomes of it."
        ),
    ] = "",
    publish: Annotated[
        bool,
        typer.Option(
            "--publish",
            help="Join medians of five runs to results/tls.jsonl, renew the page. Earlier runs of"
            " the same system count.",
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Let OpenSSL talk TLS to a simulated core, and count the core's cycles.

    The core runs Mbed TLS, wolfSSL or BearSSL with the unit's driver, as server (to
    `openssl s_client`) or client (of `openssl s_server`). The stack is built here; its sources are
    fetched at first use, with Cargo or apt. The client verifies certificate and host name. OpenSSL
    sends 16 KiB, which the core sends back. Simulated time stops while the core waits.
    """
    from rich.progress import Progress, SpinnerColumn, TextColumn

    from aesforge.catalog import manifest
    from aesforge.catalog import platform as platforms
    from aesforge.catalog.manifest import Accelerator, Variant
    from aesforge.report import publish as publishing
    from aesforge.stacks import own
    from aesforge.stacks import tls as connection
    from aesforge.stacks import tls_figures as figures

    if port > 65535:
        raise UsageError(f"{port} is no port: 65535 is the last one")
    if interactive and role is not Role.server:
        raise UsageError("--interactive is for --role server")
    if interactive and publish:
        raise UsageError("--publish wants the usual text, not --interactive")
    if bug and (publish or interactive):
        raise UsageError("--bug is for the usual text, and is not published")
    if publish:
        publishing.require_regions()
    agreed = Agreed(role, version or OFFERED[stack][0], group, cipher, stack)
    agreed.require_offered()
    host = platforms.find(platform)

    def choose(name: str) -> tuple[Accelerator, Variant]:
        return own.stack(stack, name) if name in own.NAMES else manifest.choose(name)

    chosen = [choose(accel)]
    if against not in ("none", accel) and not interactive and not bug:
        other = choose(against) if against else connection.baseline()
        chosen += [other] if other != chosen[0] else []
    if interactive:
        err.print("type lines once the core is connected; Ctrl-D ends", highlight=False)
    runs = []
    records = []
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    with Progress(
        *columns, console=err, transient=True, disable=interactive or not err.is_terminal
    ) as progress:
        bar = progress.add_task("", total=None)
        for accelerator, variant in chosen:
            label = f"{accelerator.name}/{variant.name} on {host.name}"

            def step(name: str, label: str = label) -> None:
                progress.update(bar, description=f"{label}: {name}")

            def cycles(done: int, label: str = label) -> None:
                progress.update(bar, description=f"{label}: {done:,} cycles")

            results = []
            if publish:
                system = connection.build(accelerator, variant, host, agreed, step)
                results = figures.kept(system.inputs_sha256, agreed)
            while len(results) < (figures.CONNECTIONS if publish else 1):
                made = connection.connect(
                    *(accelerator, variant, host, agreed),
                    text=b"" if interactive else None,
                    peer=connection.console if interactive else None,
                    port=port,
                    patience=time_limit,
                    bug=bug,
                    on_step=step,
                    on_cycles=cycles,
                )
                results.append(made)
                if not interactive and not bug:
                    figures.keep(agreed, made)
            result = figures.median(results)
            records.append(figures.record(accelerator, variant, host, agreed, results))
            runs.append((accelerator, variant, result))
            if as_json:
                named = {"accelerator": accelerator.name, "variant": variant.name}
                parts = (named, {"platform": host.name}, asdict(agreed), asdict(result))
                print(json.dumps({key: value for part in parts for key, value in part.items()}))
    if publish:
        publishing.write(connected=records)
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
    print_tables([figures.table(host, agreed, runs)], notes=notes)
    print_bars(figures.shares(runs))
