# SPDX-License-Identifier: Apache-2.0
"""Publish records: results/ and the generated regions of README files and pages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from aesforge.base import files
from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.bench import montecarlo
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator
from aesforge.faults import campaign
from aesforge.probing import probe, ttest
from aesforge.probing.ttest import TRecord
from aesforge.records import record, rows
from aesforge.records.record import Record
from aesforge.report import explore, figures, papers, protection, tls_chart
from aesforge.stacks import tls_figures
from aesforge.synth import synthesis
from aesforge.synth.synthesis import SynthRecord
from aesforge.verify import mutate, prove
from aesforge.verify.mutate import MutantsRecord
from aesforge.verify.prove import ProofRecord

# Pages with figures of curves, and how the functions that they speak of begin.
CURVE_PAGES = {"ecc.md": ("x25519", "p256"), "ecc-binary.md": ("k233", "b233", "sect163")}
TABLES = ROOT / "results" / "tables.md"
PAPERS = ROOT / "results" / "papers.md"
_REGION = re.compile(r"(<!-- generated: (\S+) -->\n).*?(<!-- /generated -->)", re.DOTALL)


@dataclass(frozen=True)
class Published:
    """The sets of records that pages are made from."""

    measured: Sequence[Record]
    chains: Sequence[Record]
    placed: Sequence[SynthRecord]
    flipped: Sequence[Record]
    probed: Sequence[Record]
    tested: Sequence[TRecord]
    connected: Sequence[Record]
    proved: Sequence[ProofRecord]
    mutated: Sequence[MutantsRecord]


def read() -> Published:
    """Return what is published now."""
    there = (
        record.PUBLISHED.is_file(),
        montecarlo.PUBLISHED.is_file(),
        synthesis.PUBLISHED.is_file(),
        campaign.PUBLISHED.is_file(),
        probe.PUBLISHED.is_file(),
        ttest.PUBLISHED.is_file(),
        tls_figures.PUBLISHED.is_file(),
    )
    return Published(
        record.read_published() if there[0] else [],
        record.read_published(montecarlo.PUBLISHED) if there[1] else [],
        synthesis.read_published() if there[2] else [],
        record.read_published(campaign.PUBLISHED) if there[3] else [],
        record.read_published(probe.PUBLISHED) if there[4] else [],
        ttest.read_published() if there[5] else [],
        record.read_published(tls_figures.PUBLISHED) if there[6] else [],
        prove.read_published(),
        mutate.read_published(),
    )


def write(
    measured: Sequence[Record] = (),
    *,
    chains: Sequence[Record] = (),
    placed: Sequence[SynthRecord] = (),
    flipped: Sequence[Record] = (),
    probed: Sequence[Record] = (),
    tested: Sequence[TRecord] = (),
    connected: Sequence[Record] = (),
    mutated: Sequence[MutantsRecord] = (),
) -> None:
    """Join records to the published ones and renew every page: all of it, or nothing.

    Measured records of what is no longer there go, and crossovers are derived anew. A record that
    failed is left out, and its command ends with an error: what is published stays.
    """
    known = read()
    measured = [entry for entry in measured if entry.status not in ("failed", "error")]
    there = {(a.name, v.name) for a in manifest.discover() for v in a.manifest.variant}
    kept = [
        entry
        for entry in record.joined(known.measured, measured)
        if entry.question != "crossover" and (entry.accelerator, entry.variant) in there
    ]
    fresh = Published(
        record.in_order(kept + rows.crossovers(kept)),
        record.in_order(record.joined(known.chains, chains)),
        synthesis.joined(known.placed, placed),
        record.in_order(record.joined(known.flipped, flipped)),
        record.in_order(record.joined(known.probed, probed)),
        ttest.joined(known.tested, tested),
        record.in_order(record.joined(known.connected, connected)),
        known.proved,
        mutate.joined(known.mutated, mutated),
    )
    sets: tuple[tuple[Path, Sequence[BaseModel], bool], ...] = (
        (record.PUBLISHED, fresh.measured, True),
        (montecarlo.PUBLISHED, fresh.chains, bool(chains)),
        (synthesis.PUBLISHED, fresh.placed, bool(placed)),
        (campaign.PUBLISHED, fresh.flipped, bool(flipped)),
        (probe.PUBLISHED, fresh.probed, bool(probed)),
        (ttest.PUBLISHED, fresh.tested, bool(tested)),
        (tls_figures.PUBLISHED, fresh.connected, bool(connected)),
        (mutate.PUBLISHED, fresh.mutated, bool(mutated)),
    )
    texts = {path: record.as_lines(found) for path, found, changed in sets if changed}
    texts.update(pages(fresh))
    for path in texts:
        path.parent.mkdir(parents=True, exist_ok=True)
    files.write_together(texts)


def pages(published: Published) -> Iterator[tuple[Path, str]]:
    """Yield every tracked page that is made from records or manifests, with its current text."""
    records = published.measured
    platforms = sorted({entry.platform for entry in records})
    yield TABLES, _tables_page(records, platforms)
    placed = published.placed
    known = [*records, *published.chains, *synthesis.as_records(placed)]
    yield PAPERS, papers.page(papers.choose([]), papers.Evidence(known, kept=False))
    front = {
        "gain": figures.gain_table(records, placed).markdown(),
        "choices": figures.choice_table(records, placed).markdown(),
        "units": figures.units_table(),
    }
    yield _with_regions(ROOT / "README.md", front)
    inside = "\n".join(made.markdown() for made in figures.core_tables(records, placed))
    yield _with_regions(ROOT / "docs" / "synthesis.md", {"cores": inside})
    for name, prefixes in CURVE_PAGES.items():
        tables = rows.curve_tables(records, platforms, prefixes)
        text = "\n".join(table.markdown() for table in tables)
        yield _with_regions(ROOT / "docs" / name, {"curves": text})
    costs = "\n".join(table.markdown() for table in rows.mode_tables(records, platforms))
    usual = {
        (a.name, v.name) for a in manifest.discover() for v in a.manifest.variant if v.by_default
    }
    units = [e for e in records if e.kind != explore.SOFTWARE]
    units = [e for e in units if (e.accelerator, e.variant) in usual]
    at_4_kib = "\n".join(table.markdown() for table in rows.long_tables(units, platforms))
    yield _with_regions(ROOT / "docs" / "modes.md", {"modes": costs, "long": at_4_kib})
    flips = campaign.page_table(published.flipped)
    yield _with_regions(ROOT / "docs" / "faults.md", {"faults": flips})
    verdicts = probe.page_table(published.probed)
    compared = ttest.page_table(published.tested)
    regions = {"probing": verdicts, "ttest": compared}
    yield _with_regions(ROOT / "docs" / "probing.md", regions)
    changed = mutate.page_table(published.mutated)
    yield _with_regions(ROOT / "docs" / "soundness.md", {"mutants": changed})
    connections = tls_figures.page_table(published.connected, placed)
    yield _with_regions(ROOT / "docs" / "tls.md", {"tls": connections})
    yield tls_chart.PICTURE, tls_chart.svg(published.connected, placed)
    software = [entry for entry in records if entry.kind == explore.SOFTWARE]
    bars = [rows.speed_table(software, platforms)]
    bars += [rows.detail_table(software, name) for name in platforms]
    text = "\n".join(table.markdown() for table in bars)
    yield _with_regions(ROOT / "docs" / "baselines.md", {"baselines": text})
    for accelerator in _with_pages():
        regions = {"figures": figures.unit_tables(accelerator, records, placed, platforms)}
        asked = [*records, *published.flipped, *published.probed]
        shown = protection.table(accelerator, asked, published.proved)
        regions["protection"] = shown.markdown()
        if accelerator.manifest.op:
            regions["encodings"] = encodings_table(accelerator)
        yield _with_regions(accelerator.folder / "README.md", regions)


def _with_pages() -> Iterator[Accelerator]:
    """Yield each accelerator that has a page."""
    for accelerator in manifest.discover():
        there = (accelerator.folder / "README.md").is_file()
        if there and accelerator.manifest.kind != explore.SOFTWARE:
            yield accelerator


def require_regions() -> None:
    """Raise unless every page of `pages` has its regions: `write` would fail after the work."""
    _with_regions(ROOT / "README.md", {"gain": "", "choices": "", "units": ""})
    for name in CURVE_PAGES:
        _with_regions(ROOT / "docs" / name, {"curves": ""})
    _with_regions(ROOT / "docs" / "baselines.md", {"baselines": ""})
    _with_regions(ROOT / "docs" / "modes.md", {"modes": "", "long": ""})
    _with_regions(ROOT / "docs" / "faults.md", {"faults": ""})
    _with_regions(ROOT / "docs" / "probing.md", {"probing": "", "ttest": ""})
    _with_regions(ROOT / "docs" / "tls.md", {"tls": ""})
    _with_regions(ROOT / "docs" / "soundness.md", {"mutants": ""})
    for accelerator in _with_pages():
        names = ["figures", "protection", *["encodings"] * bool(accelerator.manifest.op)]
        _with_regions(accelerator.folder / "README.md", dict.fromkeys(names, ""))


def _tables_page(records: Sequence[Record], platforms: Sequence[str]) -> str:
    """Return results/tables.md."""
    tools = {f"{name}: {version}" for entry in records for name, version in entry.how.tools.items()}
    parts = [
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "# Measured tables",
        "",
        "Made from `records.jsonl` by `aesforge bench --publish`; do not edit. Cycle-accurate",
        "simulation, zero-wait memory; every row's inputs, flags and tools are in its record.",
        "",
        rows.speed_table(records, platforms).markdown(),
        *(rows.detail_table(records, name).markdown() for name in platforms),
        *(table.markdown() for table in rows.long_tables(records, platforms)),
        *(table.markdown() for table in rows.gcm_tables(records, platforms)),
        *(table.markdown() for table in rows.mode_tables(records, platforms)),
        *(table.markdown() for table in rows.hash_tables(records, platforms)),
        *(table.markdown() for table in rows.interrupt_tables(records, platforms)),
        *(table.markdown() for table in rows.curve_tables(records, platforms)),
        "Measured with:",
        "",
        *(f"- {line}" for line in sorted(tools)),
        "",
    ]
    return "\n".join(parts)


def _with_regions(path: Path, contents: dict[str, str]) -> tuple[Path, str]:
    """Return a page with its generated regions renewed; each must be there."""
    text = path.read_text(encoding="utf-8")
    found = {name for _, name, _ in _REGION.findall(text)}
    if missing := set(contents) - found:
        raise AesforgeError(
            f"{path.relative_to(ROOT)} lacks the region '{sorted(missing)[0]}'",
            f"add <!-- generated: {sorted(missing)[0]} --> and <!-- /generated -->",
        )

    def renew(match: re.Match[str]) -> str:
        body = contents.get(match[2])
        return match[0] if body is None else f"{match[1]}\n{body}\n{match[3]}"

    return path, _REGION.sub(renew, text)


def encodings_table(accelerator: Accelerator) -> str:
    """Return the documentation table of an accelerator's operations."""
    lines = ["| instruction | encoding, bit 31 down | latency | result |", "|---|---|---:|---|"]
    for operation in accelerator.manifest.op:
        lines.append(
            f"| `{operation.mnemonic}` | `{operation.encoding}` | {operation.latency}"
            f" | {operation.semantics} |"
        )
    return "\n".join(lines) + "\n"
