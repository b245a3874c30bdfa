# SPDX-License-Identifier: Apache-2.0
"""Published results: every page made from records says what the records say."""

import re
from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.bench import matrix
from aesforge.catalog import manifest
from aesforge.records import record
from aesforge.report import figures, publish
from aesforge.synth import synthesis


def test_pages_are_current() -> None:
    """results/tables.md and every generated region equal what the records and manifests give."""
    for path, text in publish.pages(record.read_published()):
        assert path.read_text(encoding="utf-8") == text, (
            f"{path.relative_to(ROOT)} is stale: publish what it is made from"
        )


def test_the_published_matrix_is_whole() -> None:
    """Every cell of the default matrix has its record, and none of them failed."""
    published = record.read_published()
    cells = {(r.accelerator, r.variant, r.platform, r.question) for r in published}
    wanted = {
        (job.accelerator.name, job.variant.name, job.platform.name, job.question)
        for job in matrix.matrix()
    }
    assert wanted <= cells
    assert matrix.failures(published) == []


def test_a_stale_region_is_seen(tmp_path: Path) -> None:
    """One changed figure in a page is a difference."""
    page = ROOT / "README.md"
    path, text = next(p for p in publish.pages(record.read_published()) if p[0] == page)
    assert path == page
    damaged = tmp_path / "README.md"
    damaged.write_text(text.replace("| 100 % |", "| 99 % |", 1))
    assert damaged.read_text() != text


# A figure of area, clock or rate; `Gbit/s per MHz` and what a network needs are none.
MEASURED = re.compile(r"[0-9] ?(LUTs?|ALUTs|flip-flops|GE|MHz|Mbit/s|kB|cycles an? (byte|block))\b")


def stray_figures(text: str) -> list[str]:
    """Return sentences outside generated regions that state a figure which is not a paper's."""
    outside = re.sub(r"<!-- generated: .*?<!-- /generated -->", "", text, flags=re.DOTALL)
    return [
        part
        for part in re.split(r"\n\n|(?<=\.)\s+", outside)
        if MEASURED.search(part) and "paper" not in part.lower()
    ]


def test_figures_of_a_unit_are_in_generated_regions() -> None:
    """A figure outside would stay when its record is renewed."""
    pages = [found.folder / "README.md" for found in manifest.units()]
    assert pages
    for page in pages:
        assert stray_figures(page.read_text(encoding="utf-8")) == [], page.parent.name
    region = "<!-- generated: figures -->\n\n1 2 LUTs\n\n<!-- /generated -->\n\n"
    assert stray_figures(region + "The paper's unit has 352 ALUTs.") == []
    assert stray_figures(region + "As the paper says. It takes 233 LUTs.") == ["It takes 233 LUTs."]


def test_a_page_without_its_region_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A region that somebody removed is named."""
    monkeypatch.setattr(publish, "ROOT", tmp_path)
    page = tmp_path / "README.md"
    page.write_text("no region here\n")
    with pytest.raises(AesforgeError, match="lacks the region 'gain'"):
        publish._with_regions(page, {"gain": "x"})


def test_encoding_tables_show_every_operation() -> None:
    """Documentation of encodings comes from the manifest."""
    for accelerator in manifest.discover():
        table = publish.encodings_table(accelerator)
        for operation in accelerator.manifest.op:
            assert f"`{operation.mnemonic}`" in table
            assert operation.encoding in table


def test_the_table_of_gains_is_short_and_compares_in_time() -> None:
    """Ten rows at most, software first, then the fastest; factors are of rates, not of cycles."""
    table = figures.gain_table(record.read_published(), synthesis.read_published())
    software, *units = table.rows
    assert software[0] == "best software" and software[4] == "100 %"
    assert 1 <= len(units) < figures.GAIN_ROWS
    for column in (5, 6):
        for row in units:
            rate, factor = re.findall(r"[\d.]+", row[column])
            assert abs(float(rate) / float(software[column]) - float(factor)) <= 0.1 + 0.1 * float(
                factor
            )
    rates = [float(row[6].split()[0]) for row in units]
    assert rates == sorted(rates, reverse=True)
    for row in units:
        assert abs(100 * float(row[3]) / float(software[3]) - float(row[4].split()[0])) <= 2


def test_an_area_row_joins_the_seeds_of_one_design() -> None:
    """One row for each design and target, with every seed counted."""
    placed = [entry for entry in synthesis.read_published() if entry.status == "passed"]
    name = placed[0].accelerator
    mine = [entry for entry in placed if entry.accelerator == name]
    table = figures.area_table(mine)
    designs = {(entry.variant, entry.scope, entry.target) for entry in mine}
    assert len(table.rows) == len(designs)
    clocked = [entry for entry in mine if entry.fmax_mhz is not None]
    assert sum(int(row[-1]) for row in table.rows if row[-1] != "-") == len(clocked)
