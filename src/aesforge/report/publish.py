# SPDX-License-Identifier: Apache-2.0
"""Publish records: results/ and the generated regions of README files and pages."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.bench import matrix
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator
from aesforge.records import record, rows
from aesforge.records.record import Record
from aesforge.report import papers

# Pages with figures of curves, and how the functions that they speak of begin.
CURVE_PAGES = {"ecc.md": ("x25519", "p256"), "ecc-binary.md": ("k233", "b233", "sect163")}
TABLES = ROOT / "results" / "tables.md"
PAPERS = ROOT / "results" / "papers.md"
_REGION = re.compile(r"(<!-- generated: (\S+) -->\n).*?(<!-- /generated -->)", re.DOTALL)


def write(records: Sequence[Record]) -> None:
    """Join records to the published ones; renew the tables and every generated region.

    Published records of what is no longer there go, and crossovers are derived anew.
    """
    known = record.read_published() if record.PUBLISHED.is_file() else []
    there = {(a.name, v.name) for a in manifest.discover() for v in a.manifest.variant}
    kept = [
        entry
        for entry in record.joined(known, records)
        if entry.question != "crossover" and (entry.accelerator, entry.variant) in there
    ]
    record.publish(kept + rows.crossovers(kept))
    renew()


def renew() -> None:
    """Write every page anew from what is published: synthesis and Monte Carlo tests are in some."""
    for path, text in pages(record.read_published()):
        record.write_atomically(path, text)


def pages(records: Sequence[Record]) -> Iterator[tuple[Path, str]]:
    """Yield every tracked page that is made from records or manifests, with its current text."""
    platforms = sorted({entry.platform for entry in records})
    yield TABLES, _tables_page(records, platforms)
    evidence = papers.Evidence(papers.published_records(), kept=False)
    yield PAPERS, papers.page(papers.choose([]), evidence)
    default = {(job.accelerator.name, job.variant.name) for job in matrix.matrix()}
    first = [entry for entry in records if (entry.accelerator, entry.variant) in default]
    headline = rows.speed_table(first, platforms).markdown()
    yield _with_regions(ROOT / "README.md", {"bench-table": headline})
    for name, prefixes in CURVE_PAGES.items():
        tables = rows.curve_tables(records, platforms, prefixes)
        text = "\n".join(table.markdown() for table in tables)
        yield _with_regions(ROOT / "docs" / name, {"curves": text})
    for accelerator in manifest.discover():
        page = accelerator.folder / "README.md"
        if page.is_file() and accelerator.manifest.op:
            yield _with_regions(page, {"encodings": encodings_table(accelerator)})


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
