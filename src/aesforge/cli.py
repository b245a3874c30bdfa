# SPDX-License-Identifier: Apache-2.0
"""The command line: `aesforge COMMAND`; each command is a function of the same name."""

import contextlib
import io
import json
import os
import shutil
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable

from aesforge import __version__
from aesforge.errors import AesforgeError, Interrupted, UsageError

if TYPE_CHECKING:
    from aesforge.explore import DesignPoint
    from aesforge.prove import ProofResult
    from aesforge.rows import Table

ALL_CORES = os.cpu_count() or 1
TABLE_WIDTH = 160
INTERRUPTED = 130  # 128 + SIGINT, as shells report it

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,  # a key may be among them
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="AES acceleration for soft-core processors: build it, prove it, measure it on real cores.",
    epilog="First steps: `aesforge doctor`, `aesforge list`, `aesforge bench --only NAME`.",
)
out = Console()
err = Console(stderr=True)

Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Programs to run at the same time.")]
JsonFlag = Annotated[
    bool, typer.Option("--json", help="One JSON object a line on standard output.")
]


def _print_version(wanted: bool) -> None:
    if wanted:
        out.print(f"aesforge {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Options of every command."""


@app.command("list")
def list_command(as_json: JsonFlag = False) -> None:
    """List what has a manifest: accelerators, software baselines and platforms."""
    from aesforge import manifest, platform
    from aesforge.system import reason_to_skip

    accelerators, platforms = manifest.discover(), platform.discover()
    if as_json:
        for accelerator in accelerators:
            for variant in accelerator.manifest.variant:
                row = {
                    "accelerator": accelerator.name,
                    "kind": accelerator.manifest.kind,
                    "variant": variant.name,
                    "summary": variant.summary or accelerator.manifest.summary,
                    "operations": [op.mnemonic for op in accelerator.manifest.operations(variant)],
                    "directions": variant.directions,
                    "platforms": [
                        p.name for p in platforms if not reason_to_skip(accelerator, variant, p)
                    ],
                }
                print(json.dumps(row))
        return
    table = RichTable("name", "kind", "variants", "operations", "what it is", box=None)
    for accelerator in accelerators:
        found = accelerator.manifest
        table.add_row(
            found.name,
            found.kind,
            ", ".join(variant.name for variant in found.variant),
            ", ".join(operation.mnemonic for operation in found.op) or "-",
            escape(found.summary),
        )
    out.print(table)
    out.print()
    hosts = RichTable("platform", "port", "operands", "core", box=None)
    for host in platforms:
        found_host = host.manifest
        hosts.add_row(
            host.name, found_host.port, str(found_host.operands), escape(found_host.summary)
        )
    out.print(hosts)


@app.command()
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

    Of an accelerator behind a bus or a stream: lint, its benches, planted bugs.
    """
    from aesforge import check as checks
    from aesforge import manifest

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


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Name of the accelerator: a-z, 0-9, _.")],
) -> None:
    """Make accelerators/NAME from a template that passes `aesforge check NAME` as it is."""
    from aesforge import new as template
    from aesforge.paths import ROOT

    folder = template.create(name, ROOT)
    out.print(f"made {folder.relative_to(ROOT)}; next: aesforge check {name}")


@app.command()
def prove(
    names: Annotated[
        list[str] | None, typer.Argument(help="Accelerators or 'shared'; everything if none.")
    ] = None,
    bugs: Annotated[bool, typer.Option(help="Also see every planted bug refuted.")] = True,
    fast: Annotated[bool, typer.Option("--fast", help="Only the proofs marked fast.")] = False,
    publish: Annotated[
        bool, typer.Option("--publish", help="Join the results to results/proofs.jsonl.")
    ] = False,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Run the formal proofs of the shared RTL and of the units, and their planted bugs."""
    from aesforge import prove as proving

    if publish and (fast or not bugs):
        raise UsageError("--publish wants every proof with its bugs", "leave --fast, --no-bugs out")

    def report(result: "ProofResult", done: int, total: int) -> None:
        if not result.cached:
            what = f"{result.owner} {result.proof} {result.bug}".rstrip()
            err.print(f"[{done}/{total}] {what}: {result.verdict}", markup=False)

    results = proving.prove_all(names or [], bugs=bugs, fast_only=fast, jobs=jobs, progress=report)
    out.print(proving.render(results))
    if publish:
        proving.publish(names or [], results)
    if failed := [result for result in results if not result.passed]:
        raise AesforgeError(f"{len(failed)} of {len(results)} proofs or planted bugs failed")


@app.command()
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
            help="Only this question: test (vectors), speed, ct (constant time), gcm, irq,"
            " traffic, secrets, ecc (curves), ecc_ct. Repeatable."
        ),
    ] = None,
    iwait: Annotated[int, typer.Option(min=0, max=255, help="Wait states of fetches.")] = 0,
    dwait: Annotated[
        int, typer.Option(min=0, max=255, help="Wait states of loads and stores.")
    ] = 0,
    seed: Annotated[
        int, typer.Option(min=0, help="Random wait states up to the above; 0: fixed.")
    ] = 0,
    mct: Annotated[
        int,
        typer.Option(min=0, max=100, help="Outer iterations (of 100) of each Monte Carlo test."),
    ] = 1,
    every_vector: Annotated[
        bool, typer.Option("--every-vector", help="Software too runs all vectors, as units do.")
    ] = False,
    all_variants: Annotated[
        bool,
        typer.Option(
            "--all-variants", help="All software: further variants, and what is no yardstick."
        ),
    ] = False,
    curve: Annotated[
        list[str] | None,
        typer.Option(help="Of curves only functions that begin so, such as x25519. Repeatable."),
    ] = None,
    ecc_runs: Annotated[
        int, typer.Option(min=2, help="Random operands of each function, question ecc_ct.")
    ] = 200,
    max_cycles: Annotated[
        int | None, typer.Option(min=1, help="Watchdog: clock cycles that one question may take.")
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
    jobs: Jobs = ALL_CORES,
) -> None:
    """Measure every accelerator on every platform: vectors, cycles, constant time, interrupts.

    Finished records are kept in build/records: an interrupted run goes on where it stopped, and a
    second one with nothing changed takes seconds.
    """
    from aesforge import bench as benching
    from aesforge import publish as publishing
    from aesforge import rows
    from aesforge.measure import Job, Settings
    from aesforge.record import Record

    settings = Settings(
        *(iwait, dwait, seed, mct, every_vector), curves=tuple(curve or ()), ecc_runs=ecc_runs
    )
    if max_cycles is not None:
        settings = replace(settings, max_cycles=max_cycles)
    matrix = benching.matrix(
        only or (), platform or (), question or (), settings, all_variants=all_variants
    )
    if publish and replace(settings, curves=()) != Settings():
        raise UsageError("--publish needs default settings: records stand side by side")
    if publish and settings.curves and set(question or ()) != {"ecc_ct"}:
        raise UsageError("--publish takes --curve for the question ecc_ct only")
    started = time.monotonic()
    progress = Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    running: dict[str, None] = {}
    done = 0
    with progress:
        bar = progress.add_task("measuring", total=len(matrix))

        def report(job: Job, record: Record | None) -> None:
            nonlocal done
            if record is None:
                running[job.title] = None
            else:
                running.pop(job.title, None)
                done += 1
                progress.advance(bar)
                if record.status in ("failed", "error"):
                    err.print(f"{record.status}: {job.title}: {escape(record.reason)}", style="red")
                elif not err.is_terminal:
                    err.print(f"[{done}/{len(matrix)}] {job.title}: {record.status}", markup=False)
            progress.update(bar, description="; ".join(running) or "measuring")

        records = benching.run(matrix, jobs, report, fresh=fresh)
    records += rows.crossovers(records)
    if as_json:
        for row in rows.json_rows(records):
            print(json.dumps(row))
    else:
        names = list(dict.fromkeys(job.platform.name for job in matrix))
        for table in rows.curve_tables(records, names):
            print_table(table)
        for table in rows.gcm_tables(records, names):
            print_table(table)
        apart = (*benching.CURVE_QUESTIONS, "gcm")  # questions with tables of their own
        if all(job.question in apart for job in matrix):
            names = []
        else:
            print_table(rows.speed_table(records, names))
        for name in names:
            print_table(rows.detail_table(records, name))
    if publish:
        publishing.write(records)
    bad = benching.failures(records)
    seconds = time.monotonic() - started
    passed = sum(record.status == "passed" for record in records)
    err.print(f"{passed} passed, {len(bad)} failed in {seconds:.1f} s", highlight=False)
    if bad:
        raise AesforgeError(f"{len(bad)} of {len(records)} records failed", "see the lines above")


@app.command()
def montecarlo(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME[/VARIANT]", help="Units; the default variants if none."),
    ] = None,
    outer: Annotated[
        int, typer.Option(min=0, help="Outer iterations; 0: 400 with AES-128, 40 with longer keys.")
    ] = 0,
    inner: Annotated[int, typer.Option(min=2, help="Blocks in each outer iteration.")] = 10_000,
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
    jobs: Jobs = ALL_CORES,
) -> None:
    """Run Rijndael's Monte Carlo test on a unit's RTL: 4,000,000 blocks each way, against OpenSSL.

    The kernel runs on the host, each of its operations on the Verilated unit. Every outer
    iteration that agrees is kept: an interrupted run goes on there next time.
    """
    from aesforge import montecarlo as chains
    from aesforge import publish as publishing
    from aesforge import record

    if unknown := sorted(set(key_bits or ()) - set(chains.KEY_BITS)):
        raise UsageError(f"there is no AES-{unknown[0]}", "key sizes: 128, 192, 256")
    chosen = chains.choose(names or [])
    if publish and (outer or key_bits or inner != chains.INNER):
        raise UsageError("--publish needs default lengths: records stand side by side")
    sizes = tuple(b for b in chains.KEY_BITS if not key_bits or b in key_bits)
    settings = chains.Settings(outer, inner, sizes)
    legs = [leg for unit, variant in chosen for leg in chains.legs(unit, variant, settings)]
    progress = Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
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
        print_table(chains.table(results))
    bad = sum(entry.status != "passed" for entry in records)
    if bad:
        raise AesforgeError(f"{bad} of {len(records)} units failed", "see the lines above")
    if publish:
        known = record.read_published(chains.PUBLISHED) if chains.PUBLISHED.is_file() else []
        record.publish(record.joined(known, records), chains.PUBLISHED)
        publishing.renew()


@app.command()
def synth(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME[/VARIANT]", help="Units; all variants of all if none."),
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option("--target", "-t", help="Flow; see below. Repeatable.")
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
    seeds: Annotated[int, typer.Option(min=1, max=99, help="Place-and-route runs each.")] = 5,
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
    jobs: Jobs = ALL_CORES,
) -> None:
    """Synthesise units: LUTs, flip-flops, gates and the clock, on FPGAs and in standard cells.

    Targets: ecp5-85f, ecp5-85f-abc, ecp5-85f-8, ecp5-85f-8-timed, ecp5-85f-wide, ecp5-25f,
    ice40-hx8k, ice40-up5k, gowin-20k, nexus-40 (placed and routed, median of the seeds), xc7, xc4v
    (LUTs by Yosys), cmos, osu018 (gates). Finished records are kept in build/synth: an interrupted
    run goes on there next time.
    """
    from aesforge import publish as publishing
    from aesforge import synth as flows

    if every and (target or inside):
        raise UsageError(
            "--all names every target and scope already", "leave --target and --in out"
        )
    targets, scopes = flows.everywhere() if every else (target or [], inside or [])
    asked = flows.jobs(names or (), targets, scopes, seeds)
    if not asked:
        raise UsageError("nothing to synthesise: no variant of these fits there")
    progress = Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
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
        print_table(flows.table(records))
    if publish:
        flows.publish(records)
        publishing.renew()
    bad = sum(record.status == "failed" for record in records)
    if bad:
        raise AesforgeError(f"{bad} of {len(records)} runs failed", "see the lines above")


def print_table(table: "Table") -> None:
    """Print a table whole: on a narrow terminal its lines run over rather than break in cells."""
    rich = RichTable(
        title=table.title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0
    )
    for name, right in table.heads:
        rich.add_column(name, justify="right" if right else "left", no_wrap=True)
    for row in table.rows:
        rich.add_row(*(escape(text) for text in row))
    columns = zip((name for name, _ in table.heads), *table.rows, strict=True)
    natural = sum(max(map(len, column)) + 3 for column in columns)
    Console(width=max(out.width, TABLE_WIDTH, natural)).print(rich)


@app.command()
def papers(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Papers; a list of them if none.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every paper's tables.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown; with --all a whole page.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail if a row lacks the record beside it.")
    ] = False,
    records: Annotated[
        Path | None,
        typer.Option(help="Read this file of records only, not results/ and build/records."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show a paper's published tables, and beside each row what is measured here.

    Published and measured stand in columns of their own. A row whose record is missing says how to
    make it.
    """
    from aesforge import papers as reading

    whole_page = every and markdown  # of published records: the same everywhere
    kept = records is None and not whole_page
    evidence = reading.Evidence(reading.published_records(records), kept=kept)
    chosen = reading.choose(ids or [])
    if not (ids or every or as_json or markdown or strict):
        overview = RichTable("paper", "year", "rows", "with ours", "title", box=None)
        for row in reading.summary(chosen, evidence):
            cells = (row[key] for key in ("id", "year", "rows", "with_ours", "title"))
            overview.add_row(*(escape(str(cell)) for cell in cells))
        out.print(overview)
        return
    tables = [reading.lines(paper, evidence) for paper in chosen]
    if whole_page:
        print(reading.page(chosen, evidence), end="")
    for found in [] if whole_page else tables:
        if as_json:
            for line in found:
                print(json.dumps(reading.json_row(line)))
        elif markdown:
            print(reading.markdown(found))
        else:
            made, notes = reading.table(found, repeat=False)
            print_table(made)
            for text in reading.footer(found, notes):
                out.print(f"  {text}", markup=False, highlight=False, soft_wrap=True)
            out.print()
    if strict:
        reading.require([line for found in tables for line in found])


@app.command()
def run(
    source: Annotated[str, typer.Argument(metavar="IN", help="File to read; -: standard input.")],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help="File to write, through links; -: standard output. May be IN."
        ),
    ],
    accel: Annotated[str, typer.Option(help="Accelerator or software baseline.")],
    platform: Annotated[str, typer.Option(help="Platform.")],
    key: Annotated[
        str | None,
        typer.Option(help="Key: 32, 48 or 64 hexadecimal digits. Others can see it: test keys."),
    ] = None,
    key_file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Read the key from this file; -: standard input. Hexadecimal digits, white space"
            " ignored; a file that holds anything else is the raw key of 16, 24 or 32 bytes.",
        ),
    ] = None,
    mode: Annotated[str, typer.Option(help="ecb, cbc, ctr or gcm.")] = "ctr",
    iv: Annotated[
        str,
        typer.Option(help="IV or first counter block: 32 hexadecimal digits; gcm: any, best 24."),
    ] = "",
    aad: Annotated[str, typer.Option(help="gcm: what is authenticated too, hexadecimal.")] = "",
    decrypt: Annotated[bool, typer.Option("--decrypt", "-d", help="Decrypt.")] = False,
    variant: Annotated[str, typer.Option(help="Variant; the first one if not given.")] = "",
    iwait: Annotated[int, typer.Option(min=0, max=255, help="Wait states of fetches.")] = 0,
    dwait: Annotated[
        int, typer.Option(min=0, max=255, help="Wait states of loads and stores.")
    ] = 0,
    vcd: Annotated[
        Path | None,
        typer.Option(
            help="Write waveforms to this file: large, and the key can be read from them."
        ),
    ] = None,
) -> None:
    """Encrypt or decrypt a file on a simulated core, byte for byte what OpenSSL gives.

    With gcm the 16-byte tag follows the ciphertext; if it is wrong, nothing is written.
    OUT is written when the whole result is there; an existing file keeps its mode and owner.
    --key shows in the shell's history and the list of processes: prefer --key-file.
    """
    from aesforge import files, manifest, run
    from aesforge import platform as platforms

    if (key is None) == (key_file is None):
        raise UsageError("one key is needed", "give either --key or --key-file")
    if source == key_file == "-":
        raise UsageError("key and input both are standard input", "give one of them as a file")
    given, made = _path(source, files.STDIN), _path(target, files.STDOUT)
    accelerator, host = manifest.find(accel), platforms.find(platform)
    chosen = accelerator.variant(variant)
    secret = key if key_file is None else run.read_key(_path(key_file, files.STDIN))
    what = run.message(mode, decrypt, secret or "", iv or None, aad)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        bar = progress.add_task(f"{accelerator.name} on {host.name}", total=None)
        took = run.run_file(
            accelerator,
            chosen,
            host,
            what,
            given,
            made,
            iwait=iwait,
            dwait=dwait,
            vcd=vcd,
            on_progress=lambda done, total: progress.update(bar, completed=done, total=total),
        )
    rate = f", {took.cycles / took.size:.1f} cycles/byte with start-up and I/O" if took.size else ""
    err.print(
        f"{took.size} bytes in {took.cycles} cycles{rate} ({took.seconds:.1f} s)", highlight=False
    )


def _path(name: str, standard: Path) -> Path:
    """Return the path that a command line names; - is a standard stream, ./- a file."""
    return standard if name == "-" else Path(name)


@app.command()
def explore(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME[/VARIANT]", help="Units or software; everything if none."),
    ] = None,
    device: Annotated[
        str, typer.Option(help="Device, or how its name begins; the first recorded if none.")
    ] = "",
    platform: Annotated[list[str] | None, typer.Option(help="Only this core. Repeatable.")] = None,
    mode: Annotated[str, typer.Option(help="block (one a call), ecb, cbc, ctr or gcm.")] = "ecb",
    direction: Annotated[
        str, typer.Option(help="encrypt, decrypt, or both: the slower one.")
    ] = "encrypt",
    key_bits: Annotated[int, typer.Option(help="128, 192 or 256.")] = 128,
    clock_mhz: Annotated[
        float | None, typer.Option(min=0.001, help="Your clock; a slower design keeps its own.")
    ] = None,
    front: Annotated[
        bool, typer.Option("--front", help="Only the Pareto fronts of area and time.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show every design point: cycles, throughput at the device's clock, area and code in one row.

    From published records alone (aesforge bench --publish, aesforge synth --publish). With --json
    every device unless one is named.
    """
    from aesforge import explore as joining

    found = _design_points(device, platform, mode, direction, key_bits, every=as_json)
    found = [p for p in found if not names or p.label in names or p.accelerator in names]
    if not found:
        raise UsageError(f"no speed is recorded of {', '.join(names or ['anything'])}")
    if clock_mhz is not None:
        found = [point.at(clock_mhz) for point in found]
    way = joining.way(direction)
    if front:
        found = joining.fronts(found, mode, way)
    if as_json:
        for row in joining.json_rows(found):
            print(json.dumps(row))
        return
    print_table(joining.table(found, mode, way))
    for text in joining.legend(found):
        out.print(f"  {text}", markup=False, highlight=False, soft_wrap=True)


@app.command()
def pick(
    device: Annotated[
        str, typer.Option(help="Device, or how its name begins: ecp5, ice40, osu018.")
    ],
    platform: Annotated[list[str] | None, typer.Option(help="Only this core. Repeatable.")] = None,
    mode: Annotated[str, typer.Option(help="block (one a call), ecb, cbc, ctr or gcm.")] = "ecb",
    direction: Annotated[
        str, typer.Option(help="encrypt, decrypt, or both: the slower one, and code for both.")
    ] = "both",
    key_bits: Annotated[int, typer.Option(help="128, 192 or 256.")] = 128,
    min_mbit: Annotated[float | None, typer.Option(min=0, help="Mbit/s at least.")] = None,
    max_cycles: Annotated[float | None, typer.Option(min=0, help="Cycles a byte at most.")] = None,
    max_lut: Annotated[int | None, typer.Option(min=0, help="LUTs that the unit adds.")] = None,
    max_gates: Annotated[
        int | None, typer.Option(min=0, help="NAND2 equivalents (cmos, osu018).")
    ] = None,
    max_ff: Annotated[int | None, typer.Option(min=0, help="Flip-flops.")] = None,
    max_bram: Annotated[int | None, typer.Option(min=0, help="Block RAMs.")] = None,
    max_code: Annotated[
        int | None, typer.Option(min=0, help="Bytes of the kernel's code and tables.")
    ] = None,
    clock_mhz: Annotated[
        float | None, typer.Option(min=0.001, help="Your clock; what is slower falls out.")
    ] = None,
    constant_time: Annotated[
        bool, typer.Option("--constant-time", help="Only what was measured to be so.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The answer as one JSON object.")] = False,
) -> None:
    """Pick the cheapest design that meets a budget; say why the others do not.

    Cheapest: fewest LUTs (or gates), then block RAMs, then bytes of code. If nothing fits the exit
    status is 1, and the answer says which constraint to relax and by how much.
    """
    from aesforge import explore as joining
    from aesforge import pick as picking

    found = _design_points(device, platform, mode, direction, key_bits, every=False)
    request = picking.Request(
        mode,
        joining.way(direction),
        min_mbit,
        max_cycles,
        max_lut,
        max_gates,
        max_ff,
        max_bram,
        max_code,
        clock_mhz,
        constant_time,
    )
    answer = picking.pick(found, request)
    if as_json:
        print(json.dumps(picking.json_answer(answer)))
    else:
        for text in picking.summary(answer):
            out.print(text, markup=False, highlight=False, soft_wrap=True)
        if answer.fitting:
            print_table(picking.fitting_table(answer))
        if answer.others:
            print_table(picking.others_table(answer))
    if not answer.fitting:
        raise AesforgeError("nothing fits", "relax a constraint as said above")


@app.command()
def report(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="HTML file to write.")
    ],
) -> None:
    """Write one self-contained HTML page: what fits, how fast, how it was verified.

    From published records (results/) and the proofs kept in the build folder; it needs no network.
    """
    from aesforge import report as reporting

    size = reporting.write(output)
    out.print(f"{output}: {size / 1e6:.2f} MB", highlight=False, soft_wrap=True)


@app.command()
def pictures() -> None:
    """Draw the diagrams of the pages anew from their sources, as SVG."""
    from aesforge import pictures as drawing
    from aesforge.paths import ROOT

    for path in drawing.write():
        out.print(path.relative_to(ROOT).as_posix(), highlight=False, soft_wrap=True)


def _design_points(
    device: str,
    platforms: list[str] | None,
    mode: str,
    direction: str,
    key_bits: int,
    *,
    every: bool,
) -> "list[DesignPoint]":
    """Return the published design points of a device (`every` one if none is named)."""
    from aesforge import explore as joining

    joining.check(mode, direction, key_bits)
    records, placed = joining.read_published()
    found = joining.points(records, placed, key_bits)
    known = sorted({point.platform for point in found})
    if unknown := sorted(set(platforms or ()) - set(known)):
        raise UsageError(f"no records of a core '{unknown[0]}'", f"known: {', '.join(known)}")
    chosen = joining.devices(device, placed) if device else joining.usual_device(placed)
    return [
        point
        for point in found
        if (not platforms or point.platform in platforms)
        and (point.device == chosen or (every and not device))
    ]


@app.command()
def export(
    name: Annotated[str, typer.Argument(metavar="ACCEL", help="Accelerator.")],
    folder: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
    host: Annotated[str, typer.Option(help="What it is attached to; see below.")],
    variant: Annotated[str, typer.Option(help="Variant; the first one if not given.")] = "",
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
    pcpi (PicoRV32), cfu (VexRiscv, LiteX), cvxif (CV32E40X), nios, nios_comb; of what stands behind
    a bus or a stream: axil, apb, wishbone, axis.
    """
    from aesforge import export as exporting
    from aesforge import manifest

    accelerator = manifest.find(name)
    done = exporting.export(
        accelerator, accelerator.variant(variant), host, folder, flat_file=flat, force=force
    )
    out.print(
        f"{folder}: {len(done.rtl)} RTL files, instantiate {done.top}; README.md says the rest",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


@app.command()
def bitstream(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ACCEL[/VARIANT]", help="Instruction accelerators; the boards if none."
        ),
    ] = None,
    board: Annotated[
        str, typer.Option(help="Board, or BOARD/DEVICE; its first device if none is named.")
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Copy the bitstream there."),
    ] = None,
    mhz: Annotated[
        float | None,
        typer.Option(min=1, max=400, help="Clock; another than the oscillator's comes from a PLL."),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, max=64, help="Placements to try until one meets the clock.")
    ] = 4,
    simulate: Annotated[
        bool,
        typer.Option(
            "--simulate", help="Build nothing: the same system in simulation, its console here."
        ),
    ] = False,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish", help="Join the records to results/bitstreams.jsonl, renew docs/boards.md."
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Build core, accelerator, memory and serial console for an FPGA board, with open tools.

    The clock is met or nothing is written. On the board: 115200 baud, 8N1; type ? for the commands
    (key, encrypt, decrypt, the examples of FIPS 197, cycles). No bitstream has run on a board here;
    `--simulate` runs the same system: aesforge bitstream --board ulx3s NAME --simulate
    """
    from aesforge import bitstream as building
    from aesforge import bitstream_system as systems
    from aesforge import manifest

    if not names:
        shown = RichTable("board", "devices", "LUTs", "clock, MHz", "what it is", box=None)
        for found in systems.boards():
            sizes = ", ".join(str(device.luts) for device in found.device)
            devices = ", ".join(device.name for device in found.device)
            shown.add_row(found.name, devices, sizes, f"{found.clock_mhz:g}", found.summary)
        out.print(shown)
        return
    if not board:
        known = ", ".join(found.name for found in systems.boards())
        raise UsageError("no board is named", f"--board, one of {known}")
    chosen = systems.find_board(board)
    if len(names) > 1 and (output or simulate):
        raise UsageError("--output and --simulate take one accelerator")
    records = []
    for name in names:
        unit_name, _, variant_name = name.partition("/")
        unit = manifest.find(unit_name)
        variant = unit.variant(variant_name)
        if simulate:
            building.talk(unit, variant, chosen)
            return
        built = building.build(
            unit,
            variant,
            chosen,
            clock_mhz=mhz,
            seeds=seeds,
            say=lambda text: err.print(text, markup=False, highlight=False, soft_wrap=True),
        )
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
        print_table(building.table(records))


@app.command()
def doctor(as_json: JsonFlag = False) -> None:
    """Say what is installed, what is missing and how to get it."""
    from aesforge.doctor import examine

    findings = examine()
    if as_json:
        for finding in findings:
            print(json.dumps(finding.__dict__))
    else:
        table = RichTable("", "needed", "version", "for", "get it with", box=None)
        for finding in findings:
            if finding.present and finding.purpose == "Python package":
                continue
            mark = "[green]ok[/]" if finding.present else "[red]missing[/]"
            remedy = "" if finding.present else finding.remedy
            table.add_row(mark, finding.name, finding.version, finding.purpose, remedy)
        out.print(table)
        good = sum(f.present for f in findings if f.purpose == "Python package")
        out.print(f"{good} pinned Python packages in place")
    if missing := [finding for finding in findings if not finding.present]:
        raise AesforgeError(
            f"{len(missing)} missing: {', '.join(f.name for f in missing)}", "make setup"
        )


def _on_stop(number: int, frame: object) -> None:
    """Ctrl-C and a polite request to end are one thing: children must not survive."""
    raise Interrupted


def _complain(text: str) -> None:
    """Print an error as one line; what is no printable character is shown as its code."""
    told = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    err.print(f"aesforge: {told}", style="red", markup=False, highlight=False, soft_wrap=True)


def _os_error(error: OSError) -> str:
    """Say what the operating system refuses, and what to do where the build folder is meant."""
    said = error.strerror or str(error) or type(error).__name__
    if not isinstance(error.filename, (str, bytes)):
        return f"{said}; finished records are kept"
    place = Path(os.fsdecode(error.filename))
    paths = sys.modules.get("aesforge.paths")  # which may be what failed
    if paths and (place.is_relative_to(paths.BUILD) or paths.BUILD.is_relative_to(place)):
        hint = "AESFORGE_BUILD names the build folder, which must be one that can be written"
        return f"{place}: {said} ({hint}); finished records are kept"
    return f"{place}: {said}; finished records are kept"


def main() -> None:
    """Run the tool: an error is one line and a non-zero exit status."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) is signal.SIG_DFL:  # not under nohup
            signal.signal(number, _on_stop)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a file's name may be no text
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # a full disk is an error too
    except AesforgeError as error:
        _complain(str(error))
        sys.exit(error.exit_status)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # the reader has seen enough
            _complain(_os_error(error))
        with contextlib.suppress(OSError):  # what could not be written is not tried again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(AesforgeError.exit_status)
    except (Interrupted, RuntimeError) as error:
        # A request that comes inside a lock of `threading` ends as the lock's own complaint.
        if not isinstance(error, Interrupted) and not isinstance(error.__context__, Interrupted):
            raise
        err.print("aesforge: interrupted; finished records are kept", soft_wrap=True)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
