# SPDX-License-Identifier: Apache-2.0
"""Published results: every page made from records says what the records say."""

from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.bench import matrix
from aesforge.catalog import manifest
from aesforge.records import record
from aesforge.report import publish


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
    damaged.write_text(text.replace("| all vectors |", "| some vectors |", 1))
    assert damaged.read_text() != text


def test_a_page_without_its_region_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A region that somebody removed is named."""
    monkeypatch.setattr(publish, "ROOT", tmp_path)
    page = tmp_path / "README.md"
    page.write_text("no region here\n")
    with pytest.raises(AesforgeError, match="lacks the region 'bench-table'"):
        publish._with_regions(page, {"bench-table": "x"})


def test_encoding_tables_show_every_operation() -> None:
    """Documentation of encodings comes from the manifest."""
    for accelerator in manifest.discover():
        table = publish.encodings_table(accelerator)
        for operation in accelerator.manifest.op:
            assert f"`{operation.mnemonic}`" in table
            assert operation.encoding in table
