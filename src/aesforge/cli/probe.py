# SPDX-License-Identifier: Apache-2.0
"""The command that looks for leaks: probe."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.cli.app import VERIFY, JsonFlag, app, progress_bar
from aesforge.cli.tables import Form, Format, Wide, print_table

if TYPE_CHECKING:
    from aesforge.synth.flow import Target


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
    outputs: Annotated[
        bool,
        typer.Option("--uniform", help="Instead: are shares at outputs uniform, with fresh masks?"),
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

    if outputs and (publish or transitions or wires):
        raise UsageError("--uniform is about outputs: leave the options about wires out")
    if publish:
        if bug:
            raise UsageError("--publish wants the circuit as it is", "leave --bug out")
        publishing.require_regions()
    chosen = [annotation.find(name) for name in names or annotation.discover()]
    if publish:
        probing.require_published(chosen)
    asked = [(path, to) for path in chosen for to in probing.targets(target or ())]
    if outputs:
        _uniform(asked, bug, as_json=as_json, wide=wide, form=form)
        return
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


def _uniform(
    asked: "Sequence[tuple[Path, Target]]", bug: str, *, as_json: bool, wide: bool, form: Form
) -> None:
    """Decide whether the shares that leave modules are uniform."""
    from aesforge.probing import uniform

    results = [uniform.uniform(path, to, bug=bug) for path, to in asked]
    if as_json:
        for row in uniform.json_rows(results):
            print(json.dumps(row))
    else:
        print_table(uniform.table(results), wide=wide, form=form)
    if refused := sum(len(result.refused) for result in results):
        raise AesforgeError(f"{refused} outputs are refused")
