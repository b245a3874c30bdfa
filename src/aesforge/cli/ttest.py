# SPDX-License-Identifier: Apache-2.0
"""The command that compares toggles of two secrets: ttest."""

import json
from enum import StrEnum
from typing import Annotated

import typer

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.cli.app import VERIFY, JsonFlag, app, progress_bar
from aesforge.cli.tables import Form, Format, Wide, print_table


class Masks(StrEnum):
    """What the random ports of a masked module carry."""

    fresh = "fresh"
    constant = "constant"
    off = "off"


@app.command(rich_help_panel=VERIFY)
def ttest(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="Masked modules; all of rtl/ if none."),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", "-t", help="As for `probe`; cmos and ecp5-85f if none."),
    ] = None,
    traces: Annotated[
        int, typer.Option(metavar="N", help="Traces of each draw, alone and in a stream.")
    ] = 1_000_000,
    draws: Annotated[
        int, typer.Option(metavar="N", min=1, help="Draws of delays and of the fixed secret.")
    ] = 16,
    steps: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="Longest delay of a pin, in steps.")
    ] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first draw.")] = 1,
    masks: Annotated[
        Masks, typer.Option(help="Other than fresh, the test must fail: a control.")
    ] = Masks.fresh,
    bug: Annotated[str, typer.Option(help="Plant this bug of formal/bugs.toml first.")] = "",
    controls: Annotated[
        bool,
        typer.Option("--controls", help="Then also try what must fail: no masks, planted flaws."),
    ] = False,
    publish: Annotated[
        bool, typer.Option("--publish", help="Join to results/ttest.jsonl, renew docs/probing.md.")
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
) -> None:
    """Compare toggles of a masked module's mapped netlist: a fixed secret against random ones.

    Welch's t-test on simulated traces, with a random delay for each input pin (docs/probing.md).
    |t| of 4.5 or more for all wires together, or 6 for one wire, makes the exit status 1. What
    `probe` decides exactly this test only samples: a leak may pass. Some seconds for 10^6 traces.
    """
    from aesforge.probing import annotation, probe
    from aesforge.probing import ttest as testing
    from aesforge.report import publish as publishing

    settings = testing.Settings(traces, draws, steps, seed)
    testing.require(settings)
    asked_for = testing.Control(bug, masks.value)
    if asked_for != testing.Control() and (publish or controls):
        raise UsageError(
            "--publish and --controls want the circuit as it is", "leave --bug and --masks out"
        )
    if publish:
        publishing.require_regions()
    chosen = [annotation.find(name) for name in names or annotation.discover()]
    if publish:
        probe.require_published(chosen)
    wanted = [
        (path, to, control)
        for path in chosen
        for to in testing.targets(target or ())
        for control in (asked_for, *(testing.controls(path) if controls else ()))
    ]
    results = []
    progress = progress_bar()
    with progress:
        bar = progress.add_task("mapping", total=len(wanted) * draws * len(testing.OTHERS))
        for path, to, control in wanted:
            progress.update(bar, description=f"{path.name} {to.name} {control.name}")
            results.append(
                testing.ttest(path, to, control, settings, lambda: progress.advance(bar))
            )
    if as_json:
        for row in testing.json_rows(results):
            print(json.dumps(row))
    else:
        print_table(testing.table(results), wide=wide, form=form)
    for result in results:
        if result.control == asked_for and result.reason:
            raise AesforgeError(f"{result.module} on {result.target} leaks: {result.reason}")
    if publish:
        publishing.write(tested=[testing.make_record(result) for result in results])
