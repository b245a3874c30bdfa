# SPDX-License-Identifier: Apache-2.0
"""The command that looks for leaks: probe."""

import json
from typing import Annotated

import typer

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.cli.app import VERIFY, JsonFlag, app, progress_bar
from aesforge.cli.tables import Form, Format, Wide, print_table


@app.command(rich_help_panel=VERIFY)
def probe(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="Masked modules; all of rtl/ if none."),
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option("--target", "-t", help="Flow, as above. Repeatable.")
    ] = None,
    transitions: Annotated[
        bool, typer.Option("--transitions", help="Probes also see the values of the cycle before.")
    ] = False,
    bug: Annotated[str, typer.Option(help="Plant this bug of formal/bugs.toml first.")] = "",
    wires: Annotated[
        bool, typer.Option("--wires", help="List every wire, not only the refused ones.")
    ] = False,
    publish: Annotated[
        bool,
        typer.Option("--publish", help="Join to results/probing.jsonl, renew docs/probing.md."),
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
) -> None:
    """Decide for each wire of a masked module's mapped netlist whether a probe learns a secret.

    Exact, first order, with glitches (docs/probing.md). What cannot be decided is refused, and a
    refused wire makes the exit status 1. NAME.probe.toml beside the module says which ports are
    shares, fresh random bits and public. Targets: those of `aesforge synth`, without osu018.
    """
    from aesforge.probing import annotation
    from aesforge.probing import probe as probing
    from aesforge.report import publish as publishing

    if publish:
        if bug:
            raise UsageError("--publish wants the circuit as it is", "leave --bug out")
        publishing.require_regions()
    chosen = [annotation.find(name) for name in names or annotation.discover()]
    if publish and (other := sorted(set(chosen) - set(annotation.discover().values()))):
        raise UsageError(f"--publish is for modules of rtl/, which {other[0]} is not")
    asked = [(path, to) for path in chosen for to in probing.targets(target or ())]
    results = []
    progress = progress_bar()
    with progress:
        bar = progress.add_task("probing", total=len(asked))
        for path, to in asked:
            progress.update(bar, description=f"{path.name} {to.name}")
            results.append(probing.probe(path, to, transitions=transitions, bug=bug))
            progress.advance(bar)
    refused = sum(len(result.refused) for result in results)
    if as_json:
        for row in probing.json_rows(results):
            print(json.dumps(row))
    else:
        print_table(probing.table(results), wide=wide, form=form)
        if wires or refused:
            print_table(probing.wire_table(results, every=wires), wide=wide, form=form)
    if refused:
        raise AesforgeError(f"{refused} wires are refused")
    if publish:
        publishing.write(probed=[probing.make_record(result) for result in results])
