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
from aesforge.bench import matrix, montecarlo
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator
from aesforge.records import record, rows
from aesforge.records.record import Record
from aesforge.report import papers
from aesforge.synth import synthesis
from aesforge.synth.synthesis import SynthRecord

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


def read() -> Published:
    """Return what is published now."""
    there = (
        record.PUBLISHED.is_file(),
        montecarlo.PUBLISHED.is_file(),
        synthesis.PUBLISHED.is_file(),
    )
    return Published(
        record.read_published() if there[0] else [],
        record.read_published(montecarlo.PUBLISHED) if there[1] else [],
        synthesis.read_published() if there[2] else [],
    )


def write(
    measured: Sequence[Record] = (),
    *,
    chains: Sequence[Record] = (),
    placed: Sequence[SynthRecord] = (),
) -> None:
    """Join records to the published ones and renew every page: all of it, or nothing.

    Measured records of what is no longer there go, and crossovers are derived anew.
    """
    known = read()
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
    )
    sets: tuple[tuple[Path, Sequence[BaseModel], bool], ...] = (
        (record.PUBLISHED, fresh.measured, True),
        (montecarlo.PUBLISHED, fresh.chains, bool(chains)),
        (synthesis.PUBLISHED, fresh.placed, bool(placed)),
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
    known = [*records, *published.chains, *synthesis.as_records(published.placed)]
    yield PAPERS, papers.page(papers.choose([]), papers.Evidence(known, kept=False))
    default = {(job.accelerator.name, job.variant.name) for job in matrix.matrix()}
    first = [entry for entry in records if (entry.accelerator, entry.variant) in default]
    texts = {"bench-table": rows.speed_table(first, platforms).markdown()}
    for name, prefixes in CURVE_PAGES.items():
        tables = rows.curve_tables(records, platforms, prefixes)
        texts[name] = "\n".join(table.markdown() for table in tables)
    for path, region, accelerator in _regions():
        if accelerator is not None:
            text = encodings_table(accelerator)
        else:
            text = texts[path.name if region == "curves" else region]
        yield _with_regions(path, {region: text})


def _regions() -> Iterator[tuple[Path, str, Accelerator | None]]:
    """Yield each page with a generated region, the region, and whose page it is."""
    yield ROOT / "README.md", "bench-table", None
    for name in CURVE_PAGES:
        yield ROOT / "docs" / name, "curves", None
    for accelerator in manifest.discover():
        page = accelerator.folder / "README.md"
        if page.is_file() and accelerator.manifest.op:
            yield page, "encodings", accelerator


def require_regions() -> None:
    """Raise unless every page has its generated region: `write` would fail after the work."""
    for path, region, _ in _regions():
        _with_regions(path, {region: ""})


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
        *(table.markdown() for table in rows.gcm_tables(records, platforms)),
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
