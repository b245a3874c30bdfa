# SPDX-License-Identifier: Apache-2.0
"""Commands that run units in simulation and count: bench, montecarlo."""

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.cli.app import ALL_CORES, MEASURE, Jobs, JsonFlag, app, err, out, progress_bar
from aesforge.cli.tables import Form, Format, Wide, print_table, print_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aesforge.bench.job import Job
    from aesforge.records.record import Record


@app.command(rich_help_panel=MEASURE)
def bench(
    only: Annotated[
        list[str] | None,
        typer.Option(help="Only this accelerator, or accelerator/variant. Repeatable."),
    ] = None,
    platform: Annotated[
        list[str] | None, typer.Option(help="Only this platform. Repeatable.")
    ] = None,
    question: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this question: test (vectors), speed, ct (constant time), gcm, modes (CCM,"
            " CMAC, XTS, GMAC, key wrap, GCM-SIV), sha256, irq, traffic, secrets, ecc (curves),"
            " ecc_ct."
            " Repeatable."
        ),
    ] = None,
    iwait: Annotated[
        int, typer.Option(metavar="N", min=0, max=255, help="Wait states of fetches.")
    ] = 0,
    dwait: Annotated[
        int, typer.Option(metavar="N", min=0, max=255, help="Wait states of loads and stores.")
    ] = 0,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Random wait states up to the above; 0: fixed.")
    ] = 0,
    mct: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=100, help="Outer iterations (of 100) of each Monte Carlo test."
        ),
    ] = 1,
    every_vector: Annotated[
        bool, typer.Option("--every-vector", help="Software too runs all vectors, as units do.")
    ] = False,
    all_variants: Annotated[
        bool,
        typer.Option("--all-variants", help="Every variant of all accelerators and software."),
    ] = False,
    curve: Annotated[
        list[str] | None,
        typer.Option(help="Only curve functions whose names begin so, such as x25519. Repeatable."),
    ] = None,
    ecc_runs: Annotated[
        int,
        typer.Option(metavar="N", min=2, help="Random operands of each function, question ecc_ct."),
    ] = 200,
    max_cycles: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Watchdog: clock cycles that one question may take."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore cached records.")] = False,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish",
            help="Join the records to results/, renew the generated regions of the docs.",
        ),
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Measure every accelerator on every platform: vectors, cycles, constant time, interrupts.

    Finished records are kept in build/records: an interrupted run continues where it stopped, and a
    second one with nothing changed takes seconds. With --only the published records of the best
    software and of the nearest units are shown beside what was measured here.
    """
    from aesforge.base.paths import BUILD
    from aesforge.bench import forecast
    from aesforge.bench import matrix as benching
    from aesforge.bench.job import Job, Settings
    from aesforge.records import record as kept
    from aesforge.records import rows
    from aesforge.records.record import Record
    from aesforge.report import local
    from aesforge.report import publish as publishing

    settings = Settings(
        *(iwait, dwait, seed, mct, every_vector), curves=tuple(curve or ()), ecc_runs=ecc_runs
    )
    if max_cycles is not None:
        settings = replace(settings, max_cycles=max_cycles)
    matrix = benching.matrix(
        only or (), platform or (), question or (), settings, all_variants=all_variants
    )
    if publish and replace(settings, curves=()) != Settings():
        raise UsageError("--publish needs default settings, so that records are comparable")
    if publish and settings.curves and set(question or ()) != {"ecc_ct"}:
        raise UsageError("--publish takes --curve for the question ecc_ct only")
    if publish:
        publishing.require_regions()  # not after hours of measuring
    BUILD.mkdir(parents=True, exist_ok=True)  # an error now, and not after the forecast
    known = kept.read_published() if kept.PUBLISHED.is_file() else []
    watch = forecast.Watch(matrix, known, jobs)
    expected = forecast.spoken(watch.seconds)
    told = f"measuring {len(matrix)} cells: about {expected} from nothing"
    err.print(f"{told}; what is kept takes seconds", highlight=False, soft_wrap=True)
    started = time.monotonic()
    progress = progress_bar(watch)
    running: dict[str, None] = {}
    done = 0
    with progress:
        bar = progress.add_task("measuring", total=len(matrix))

        def report(job: Job, record: Record | None) -> None:
            nonlocal done
            if record is None:
                running[job.title] = None
                watch.begin(job)
            else:
                running.pop(job.title, None)
                watch.end(job)
                done += 1
                progress.advance(bar)
                if record.status in ("failed", "error"):
                    err.print(f"{record.status}: {job.title}: {escape(record.reason)}", style="red")
                elif not err.is_terminal:
                    line = f"[{done}/{len(matrix)}] {job.title}: {record.status} ({watch.left})"
                    err.print(line, markup=False, highlight=False, soft_wrap=True)
            progress.update(bar, description="; ".join(running) or "measuring")

        records = benching.run(matrix, jobs, report, fresh=fresh)
    records += rows.crossovers(records)
    if as_json:
        for row in rows.json_rows(records):
            print(json.dumps(row))
    else:
        names = list(dict.fromkeys(job.platform.name for job in matrix))
        shown = records
        if only and replace(settings, curves=()) == Settings() and kept.PUBLISHED.is_file():
            shown = records + local.beside(records, kept.read_published())
        tables = [*rows.curve_tables(shown, names), *rows.gcm_tables(shown, names)]
        tables += rows.mode_tables(shown, names)
        tables += rows.hash_tables(shown, names)
        tables += rows.interrupt_tables(shown, names)
        # With tables of their own.
        apart = (*benching.CURVE_QUESTIONS, *benching.HASH_QUESTIONS, "gcm", "modes", "irq")
        if any(job.question not in apart for job in matrix):
            tables.append(rows.speed_table(shown, names))
            tables += [rows.detail_table(shown, name) for name in names]
        print_tables(tables, wide=wide, form=form)
    if publish:
        publishing.write(records)
    bad = benching.failures(records)
    seconds = time.monotonic() - started
    passed = sum(record.status == "passed" for record in records)
    err.print(f"{passed} passed, {len(bad)} failed in {seconds:.1f} s", highlight=False)
    if bad:
        raise AesforgeError(f"{len(bad)} of {len(records)} records failed", "see the lines above")


@app.command(rich_help_panel=MEASURE)
def montecarlo(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME[/VARIANT]", help="Units; the default variants if none."),
    ] = None,
    outer: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Outer iterations; 0: 400 with AES-128, 40 with longer keys."
        ),
    ] = 0,
    inner: Annotated[
        int, typer.Option(metavar="N", min=2, help="Blocks in each outer iteration.")
    ] = 10_000,
    key_bits: Annotated[
        list[int] | None, typer.Option(help="Only this key size: 128, 192, 256. Repeatable.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ignore what earlier runs have checked.")
    ] = False,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish",
            help="Join the records to results/montecarlo.jsonl, renew the pages made from it.",
        ),
    ] = False,
    as_json: JsonFlag = False,
    wide: Wide = False,
    form: Format = Form.table,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Run Rijndael's Monte Carlo test on a unit's RTL: 4,000,000 blocks each way, against OpenSSL.

    The kernel runs on the host, each of its operations on the Verilated unit. Every outer
    iteration that agrees is kept: an interrupted run continues there.
    """
    from aesforge.bench import montecarlo as chains
    from aesforge.report import publish as publishing

    if unknown := sorted(set(key_bits or ()) - set(chains.KEY_BITS)):
        raise UsageError(f"there is no AES-{unknown[0]}", "key sizes: 128, 192, 256")
    chosen = chains.choose(names or [])
    if publish and (outer or key_bits or inner != chains.INNER):
        raise UsageError("--publish needs default lengths, so that records are comparable")
    if publish:
        publishing.require_regions()
    sizes = tuple(b for b in chains.KEY_BITS if not key_bits or b in key_bits)
    settings = chains.Settings(outer, inner, sizes)
    legs = [leg for unit, variant in chosen for leg in chains.legs(unit, variant, settings)]
    progress = progress_bar()
    with progress:
        bar = progress.add_task("building", total=sum(leg.blocks for leg in legs))

        def report(leg: chains.Leg, blocks: int) -> None:
            progress.update(bar, advance=blocks, description=leg.title)

        results = chains.run(legs, jobs, report, fresh=fresh)
    records = chains.records(results)
    for result in results:
        if result.reason:
            told = f"{result.status}: {result.leg.title}: {result.reason}"
            err.print(told, style="red", markup=False, soft_wrap=True)
    if as_json:
        for row in chains.json_rows(results):
            print(json.dumps(row))
    else:
        print_table(chains.table(results), wide=wide, form=form)
    bad = sum(entry.status != "passed" for entry in records)
    if bad:
        raise AesforgeError(f"{bad} of {len(records)} units failed", "see the lines above")
    if publish:
        publishing.write(chains=records)


@app.command(rich_help_panel=MEASURE)
def reproduce(
    only: Annotated[
        list[str] | None,
        typer.Option(help="Only this accelerator, or accelerator/variant. Repeatable."),
    ] = None,
    platform: Annotated[
        list[str] | None, typer.Option(help="Only this platform. Repeatable.")
    ] = None,
    question: Annotated[
        list[str] | None,
        typer.Option(help="Questions to ask again; `speed` if none. Repeatable."),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Every published default variant on every core (an hour of one processor).",
        ),
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ignore cached records.")] = False,
    wide: Wide = False,
    form: Format = Form.table,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Print the published table at once, then measure its headline here and compare every figure.

    The headline is what README's first table rests on, and the fastest unit and software on each
    other core. A simulated core counts cycles, so that each figure must be equal; one that is not
    is an error. Cells are compared as they end. `aesforge bench` asks all questions, in hours.
    """
    from aesforge.bench import forecast
    from aesforge.bench import matrix as benching
    from aesforge.bench.job import Job
    from aesforge.bench.reproduce import Comparison, compare
    from aesforge.records import record as records
    from aesforge.records import rows
    from aesforge.records.record import Record

    matrix = benching.matrix(only or (), platform or (), question or ("speed",))
    published = records.read_published()
    shown_of = matrix
    if not (only or platform or question or every):
        matrix = _headline(published)
    wanted = {(job.accelerator.name, job.variant.name, job.platform.name) for job in shown_of}
    shown = [r for r in published if (r.accelerator, r.variant, r.platform) in wanted]
    names = list(dict.fromkeys(job.platform.name for job in shown_of))
    if shown:
        table = rows.speed_table(shown, names)
        titled = replace(table, title=f"Published, not measured here: {table.title}")
        print_table(titled, wide=wide, form=form)
    watch = forecast.Watch(matrix, published, jobs)
    told = f"measuring {len(matrix)} cells here, to compare with the published ones: about"
    expected = forecast.spoken(watch.seconds)
    err.print(f"{told} {expected} from nothing", highlight=False, soft_wrap=True)
    started = time.monotonic()
    found: list[Comparison] = []
    with progress_bar(watch) as progress:
        bar = progress.add_task("measuring", total=len(matrix))

        def report(job: Job, record: Record | None) -> None:
            progress.update(bar, description=job.title)
            if record is None:
                watch.begin(job)
                return
            watch.end(job)
            found.append(compare(record, published))
            progress.advance(bar)
            style = "red" if found[-1].differences else None
            line = f"[{len(found)}/{len(matrix)}] {found[-1].title}: {found[-1].verdict}"
            line += "" if err.is_terminal else f" ({watch.left})"
            err.print(line, style=style, markup=False, highlight=False, soft_wrap=True)

        benching.run(matrix, jobs, report, fresh=fresh)
    compared = [each for each in found if each.compared]
    same = [each for each in compared if each.same]
    figures = sum(len(each.measured.figures) for each in same)
    seconds = time.monotonic() - started
    out.print(
        f"reproduced {len(same)} of {len(compared)} records exactly: {figures} figures"
        f" in {seconds:.0f} s",
        highlight=False,
    )
    wrong = [each for each in found if each.differences or each.measured.status == "error"]
    if wrong:
        raise AesforgeError(f"{len(wrong)} of {len(found)} records differ", "see the lines above")


def _headline(published: "Sequence[Record]") -> "list[Job]":
    """Return the jobs of the headline, the longest first."""
    from aesforge.bench import forecast
    from aesforge.bench import matrix as benching
    from aesforge.report import figures
    from aesforge.synth import synthesis

    cells = figures.headline(published, synthesis.read_published())
    jobs: list[Job] = []
    for accelerator, variant, platform, question in sorted(cells):
        jobs += benching.matrix((f"{accelerator}/{variant}",), (platform,), (question,))
    return forecast.longest_first(jobs, published)
