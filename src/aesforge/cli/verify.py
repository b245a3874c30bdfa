# SPDX-License-Identifier: Apache-2.0
"""Commands that look for mistakes: check, prove, faults, mutate."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.cli.app import (
    ALL_CORES,
    VERIFY,
    Jobs,
    JsonFlag,
    app,
    err,
    out,
    progress_bar,
)
from aesforge.cli.tables import Form, Format, Wide, print_table

if TYPE_CHECKING:
    from rich.progress import TaskID

    from aesforge.verify.prove import ProofResult


@app.command(rich_help_panel=VERIFY)
def check(
    names: Annotated[
        list[str] | None, typer.Argument(help="Accelerators; all of them if none.")
    ] = None,
    variant: Annotated[str, typer.Option(help="Only this variant.")] = "",
    bugs: Annotated[bool, typer.Option(help="Also see every planted bug caught.")] = True,
    proofs: Annotated[bool, typer.Option(help="Also run the unit's formal proofs.")] = False,
    slow: Annotated[bool, typer.Option(help="Also run the benches that take minutes.")] = False,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Check accelerators: encodings, lint in four tools, model = emulation = RTL, planted bugs.

    For an accelerator on a bus or a stream: lint, its benches, planted bugs.
    """
    from aesforge.catalog import manifest
    from aesforge.verify import check as checks

    chosen = [manifest.find(name) for name in names] if names else manifest.discover()
    failed = 0
    for accelerator in chosen:
        variants = [accelerator.variant(variant)] if variant else accelerator.manifest.variant
        results = checks.check(
            accelerator, variants, bugs=bugs, proofs=proofs, slow=slow, jobs=jobs
        )
        out.print(checks.render(accelerator, results))
        failed += sum(not result.passed for result in results)
    if failed:
        raise AesforgeError(f"{failed} checks failed")


@app.command(rich_help_panel=VERIFY)
def prove(
    names: Annotated[
        list[str] | None, typer.Argument(help="Accelerators or 'shared'; everything if none.")
    ] = None,
    bugs: Annotated[bool, typer.Option(help="Also see every planted bug refuted.")] = True,
    fast: Annotated[bool, typer.Option("--fast", help="Only the proofs marked fast.")] = False,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish", help="Join the results to results/proofs.jsonl, renew the pages."
        ),
    ] = False,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Run the formal proofs of the shared RTL and of the units, and their planted bugs."""
    from aesforge.report import publish as publishing
    from aesforge.verify import prove as proving

    if publish and (fast or not bugs):
        raise UsageError("--publish wants every proof with its bugs", "leave --fast, --no-bugs out")
    if publish:
        publishing.require_regions()

    def report(result: "ProofResult", done: int, total: int) -> None:
        if not result.cached:
            what = f"{result.owner} {result.proof} {result.bug}".rstrip()
            err.print(f"[{done}/{total}] {what}: {result.verdict}", markup=False)

    results = proving.prove_all(names or [], bugs=bugs, fast_only=fast, jobs=jobs, progress=report)
    out.print(proving.render(results))
    if publish:
        proving.publish(names or [], results)
        publishing.write()
    if failed := [result for result in results if not result.passed]:
        raise AesforgeError(f"{len(failed)} of {len(results)} proofs or planted bugs failed")


@app.command(rich_help_panel=VERIFY)
def faults(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME[/VARIANT]",
            help="Peripherals, streams, or units with state; default variants if none.",
        ),
    ] = None,
    operation: Annotated[
        list[str] | None,
        typer.Option(help="Only operations with this in their names (ecb, 256). Repeatable."),
    ] = None,
    bug: Annotated[str, typer.Option(help="Plant this bug of accel.toml first.")] = "",
    host: Annotated[str, typer.Option(help="Bus of the host: axil, apb, wishbone.")] = "axil",
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore kept results.")] = False,
    publish: Annotated[
        bool,
        typer.Option("--publish", help="Join the records to results/faults.jsonl, renew the page."),
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Flip each flip-flop in each cycle of an operation, and count what the host then sees.

    `wrong` and `early` are results that it takes for right ones (docs/faults.md). Each operation's
    result is kept in build/faults: an interrupted run continues there.
    """
    from aesforge.faults import campaign
    from aesforge.report import publish as publishing

    if publish and (operation or bug):
        raise UsageError("--publish wants every operation of the circuit as it is")
    if publish:
        publishing.require_regions()
    asked = campaign.targets(names or [], bug, host)
    chosen = [(target, campaign.jobs(target, operation or ())) for target in asked]
    for target in asked:
        campaign.circuit(target)  # no build before an unknown bus is noticed
    found: list[tuple[campaign.Target, campaign.Result]] = []
    records = []
    progress = progress_bar()
    with progress:
        bar = progress.add_task("", total=sum(len(wanted) for _, wanted in chosen))

        def report(target: campaign.Target, result: campaign.Result) -> None:
            progress.update(bar, advance=1, description=f"{target.name} {result.job.name}")

        for target, wanted in chosen:
            progress.update(bar, description=f"{target.name}: building")
            results = campaign.run(target, wanted, jobs, report, fresh=fresh)
            found += [(target, result) for result in results]
            records.append(campaign.make_record(target, results))
    if as_json:
        for row in campaign.json_rows(found):
            print(json.dumps(row))
    else:
        print_table(campaign.table(found), wide=wide, form=form)
    if publish:
        publishing.write(flipped=records)


@app.command(rich_help_panel=VERIFY)
def mutate(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Accelerators or 'shared'; everything if none."),
    ] = None,
    in_c: Annotated[
        bool,
        typer.Option("--c", help="Change kernels, emulations and modes instead of RTL."),
    ] = False,
    count: Annotated[
        int, typer.Option(metavar="N", min=1, help="Mutants of each accelerator.")
    ] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the choice.")] = 1,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish", help="Join the verdicts to results/mutants.jsonl, renew the page."
        ),
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Change one operator of RTL or C at a time: benches and proofs must notice each change.

    Survivors are an error, unless formal/equivalent.toml says why they make no difference. A
    mutant takes from seconds to the time of all proofs. What is stopped goes on where it was.
    'shared' changes adapters and bus modules, with --c the modes of operation.
    """
    from aesforge.report import publish as publishing
    from aesforge.verify import mutate as mutating

    code: mutating.Code = "c" if in_c else "rtl"
    chosen = mutating.targets(names or [], code)
    if publish:
        publishing.require_regions()
    found: list[mutating.Judged] = []
    records = []
    progress = progress_bar()
    for name in chosen:
        with progress:
            bar = progress.add_task(f"{name}: choosing", total=count)
            wanted = mutating.choose(name, count, seed, code)
            progress.update(bar, total=len(wanted), description=name)

            def ended(judged: mutating.Judged, bar: "TaskID" = bar, name: str = name) -> None:
                progress.update(bar, advance=1, description=f"{name} {judged.mutant.file}")

            judged = mutating.run(name, wanted, jobs, ended, code)
        found += judged
        if publish:
            records.append(mutating.make_record(name, count, seed, judged, code))
        if as_json:
            for row in mutating.json_rows(name, judged):
                print(json.dumps(row), flush=True)
        else:
            print_table(mutating.table(name, judged), wide=wide, form=form)
    if publish:
        publishing.write(mutated=records)
    bad = sum(judged.verdict in ("survived", "error") for judged in found)
    if bad:
        raise AesforgeError(f"{bad} of {len(found)} mutants were not killed", "see the lines above")
