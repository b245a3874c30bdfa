# SPDX-License-Identifier: Apache-2.0
"""Published results: every page made from records says what the records say."""

import hashlib
import itertools
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from aesforge.base import files
from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.bench import matrix
from aesforge.catalog import manifest, platform
from aesforge.records import record, rows
from aesforge.report import explore, figures, publish
from aesforge.report.explore import DesignPoint
from aesforge.synth import synthesis
from tree_support import Tree

# Folders that publishing writes to, or that another accelerator is added to.
_COPIED = ("accelerators", "docs", "results")
_LINKED = ("formal", "papers", "platforms", "rtl", "sim", "src", "sw", "vectors", "pyproject.toml")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A tree with every page, where publishing may write, and one accelerator more."""
    for name in _COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.svg"))
    for name in _LINKED:
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copyfile(ROOT / "README.md", tmp_path / "README.md")
    made = Tree(tmp_path)
    done = made.run("new", "fresh_unit")
    assert done.returncode == 0, done.stderr
    return made


def publish_one(tree: Tree, status: str = "passed") -> "subprocess.CompletedProcess[str]":
    """Publish a record of the tree's new accelerator, as `bench --publish` does when it has run."""
    entry = {
        **{"accelerator": "fresh_unit", "kind": "instruction", "variant": "full"},
        **{"platform": platform.discover()[0].name, "question": "speed", "status": status},
        **{"how": {"inputs_sha256": "0" * 64}, "counts": {"code_bytes": 1, "table_bytes": 0}},
    }
    program = (
        "import json, sys; from aesforge.report import publish;"
        " from aesforge.records.record import Record;"
        " publish.write([Record(**json.loads(sys.argv[1]))])"
    )
    return subprocess.run(
        [sys.executable, "-c", program, json.dumps(entry)],
        cwd=tree.root,
        env={**os.environ, "AESFORGE_ROOT": str(tree.root), "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def digests(folder: Path) -> dict[str, str]:
    """Hashes of everything that publishing could write."""
    found = [folder / "README.md", *(p for name in _COPIED for p in (folder / name).rglob("*"))]
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in found
        if path.is_file()
    }


def test_a_new_accelerator_publishes(tree: Tree) -> None:
    """What `aesforge new` writes is complete: its page and the tables show it."""
    page = tree.root / "accelerators" / "fresh_unit" / "README.md"
    done = publish_one(tree)
    assert done.returncode == 0, done.stderr
    assert "| `fresh_unit_sub4` |" in page.read_text(encoding="utf-8")
    assert "fresh_unit / full" in (tree.root / "results" / "tables.md").read_text(encoding="utf-8")


def test_a_failed_record_is_not_published(tree: Tree) -> None:
    """It takes no published record's place."""
    assert publish_one(tree).returncode == 0
    before = digests(tree.root)
    for status in ("failed", "error"):
        assert publish_one(tree, status).returncode == 0
        assert digests(tree.root) == before


def test_publishing_writes_everything_or_nothing(tree: Tree) -> None:
    """A page that cannot be made leaves records and pages as they were; bench says so first."""
    page = tree.root / "accelerators" / "fresh_unit" / "README.md"
    page.write_text("no region here\n", encoding="utf-8")
    before = digests(tree.root)
    done = publish_one(tree)
    assert done.returncode != 0
    assert "accelerators/fresh_unit/README.md lacks the region 'encodings'" in done.stderr
    assert digests(tree.root) == before
    early = tree.run("bench", "--only", "fresh_unit", "--publish", seconds=60)
    assert early.returncode == 1
    assert "lacks the region 'encodings'" in early.stderr
    assert digests(tree.root) == before


def test_a_full_disk_leaves_every_file(tmp_path: Path) -> None:
    """The second of two files cannot be written: the first stays."""
    first, second = tmp_path / "first", tmp_path / "none" / "second"
    first.write_text("old", encoding="utf-8")
    with pytest.raises(FileNotFoundError):
        files.write_together({first: "new", second: "new"})
    assert first.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [first]


def test_pages_are_current() -> None:
    """results/tables.md and every generated region equal what the records and manifests give."""
    for path, text in publish.pages(publish.read()):
        assert path.read_text(encoding="utf-8") == text, (
            f"{path.relative_to(ROOT)} is stale: publish what it is made from"
        )


def test_the_published_matrix_is_whole() -> None:
    """Every cell of the default matrix has its record, interrupts too, and none of them failed."""
    published = record.read_published()
    cells = {(r.accelerator, r.variant, r.platform, r.question) for r in published}
    wanted = {
        (job.accelerator.name, job.variant.name, job.platform.name, job.question)
        for job in (*matrix.matrix(), *matrix.matrix(questions=("irq",)))
    }
    assert wanted <= cells
    assert matrix.failures(published) == []


def test_a_mode_takes_little_more_than_the_cipher() -> None:
    """CTR and CBC decryption at 4 KiB, AES-128, in the default variants of units with AES.

    Text or counter is loaded, added and stored by the core: about ten instructions a block, of a
    cycle or, where a core has no pipeline, of up to six.
    """
    results = rows.Results(record.read_published())
    usual = {
        (u.name, v.name) for u in manifest.aes_units() for v in u.manifest.variant if v.by_default
    }
    compared = 0
    for cell in results.cells:
        for direction, mode in (("encrypt", "ctr"), ("decrypt", "cbc")):
            text, bare = (results.figure(cell, direction, m, 256) for m in (mode, "ecb"))
            if text is None or bare is None or (cell.accelerator, cell.variant) not in usual:
                continue
            pipelined = bare.cycles < 2 * bare.instructions
            beyond = (text.cycles - bare.cycles) / 256
            assert beyond <= (10 if pipelined else 60), (cell.label, cell.platform, mode)
            compared += 1
    assert compared >= 100


def test_addresses_decide_no_figure_of_curves() -> None:
    """Units that are equally fast without caches are so with caches, wherever their code lies."""
    curves = [r for r in record.read_published() if (r.question, r.status) == ("ecc", "passed")]
    cached = {p.name for p in platform.discover() if "cache" in p.manifest.summary}
    cached -= {p.name for p in platform.discover() if "no caches" in p.manifest.summary}
    assert cached and cached < {entry.platform for entry in curves}
    compared = 0
    for name in sorted({key for entry in curves for key in entry.counts if "_cycles" in key}):
        taken = {r.place[1:4]: r.counts[name] for r in curves if name in r.counts}
        units = sorted({place[:2] for place in taken})
        cores = sorted({place[2] for place in taken})
        for one, other in itertools.combinations(units, 2):
            ratio = {core: taken[(*one, core)] / taken[(*other, core)] for core in cores}
            if all(abs(ratio[core] - 1) < 0.01 for core in cores if core not in cached):
                compared += 1
                assert all(abs(ratio[core] - 1) < 0.05 for core in cached), (name, one, other)
    assert compared > 20


def test_a_stale_region_is_seen(tmp_path: Path) -> None:
    """One changed figure in a page is a difference."""
    page = ROOT / "README.md"
    path, text = next(p for p in publish.pages(publish.read()) if p[0] == page)
    assert path == page
    damaged = tmp_path / "README.md"
    damaged.write_text(text.replace("| 81 | 0 | 0 |", "| 82 | 0 | 0 |", 1))
    assert damaged.read_text() != text


# A figure of area, clock, rate or time; `Gbit/s per MHz`, what a network needs, and cycles that a
# circuit has by its construction are none.
MEASURED = re.compile(
    r"[0-9] ?((k?LUTs?|LUT4|ALUTs|flip-flops|GE|MHz|Mbit/s|kB|ns|c/B)\b|"
    r"cycles (an?|per) (byte|block)\b|cycles for (an?|one) block\b|% (more|less|faster|slower))"
)


def stray_figures(text: str) -> list[str]:
    """Return sentences outside generated regions that state a figure which is not a paper's."""
    outside = re.sub(r"<!-- generated: .*?<!-- /generated -->", "", text, flags=re.DOTALL)
    return [
        part
        for part in re.split(r"\n\n|(?<=\.)\s+", outside)
        if MEASURED.search(part) and "paper" not in part.lower()
    ]


def test_figures_of_a_unit_are_in_generated_regions() -> None:
    """A figure outside would stay when its record is renewed: of units, peripherals, baselines."""
    pages = [found.folder / "README.md" for found in manifest.discover()]
    assert pages
    for page in pages:
        assert stray_figures(page.read_text(encoding="utf-8")) == [], page.parent.name
    region = "<!-- generated: figures -->\n\n1 2 LUTs\n\n<!-- /generated -->\n\n"
    assert stray_figures(region + "The paper's unit has 352 ALUTs.") == []
    for told in ("233 LUTs", "1617 cycles a block", "233 cycles for one block", "3 % more"):
        assert stray_figures(f"{region}As the paper says. It takes {told}.") == [
            f"It takes {told}."
        ]


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
    at = {name: place for place, (name, _) in enumerate(table.heads)}
    rates, clock = [at[f"{m}, Mbit/s"] for m in ("CTR", "GCM")], at["core MHz"]
    # Before the columns of costs: a phone shows the first.
    assert rates == [1, 2] and clock == 3
    software, *units = table.rows
    assert software[0] == "best software"
    assert 1 <= len(units) < figures.GAIN_ROWS
    for column in rates:
        for row in units:
            rate, factor = re.findall(r"[\d.]+", row[column])
            assert abs(float(rate) / float(software[column]) - float(factor)) <= 0.1 + 0.1 * float(
                factor
            )
    gcm = [float(row[rates[1]].split()[0]) for row in units]
    assert gcm == sorted(gcm, reverse=True)
    for row in units:
        mhz, share = (float(word) for word in re.findall(r"\d+", row[clock]))
        assert abs(100 * mhz / float(software[clock]) - share) <= 2


def test_no_unit_with_more_gain_is_left_out() -> None:
    """A unit that is fast in one mode only has a row before one that is slow in both."""
    published, placed = record.read_published(), synthesis.read_published()
    table = figures.gain_table(published, placed)
    here = figures._gaining(p for p in explore.points(published, placed) if p.verified)
    best = [float(table.rows[0][column]) for column in (1, 2)]

    def factor(point: DesignPoint) -> float:
        rates = (point.mbit(mode) or 0.0 for mode in figures.GAIN_MODES)
        return max(rate / soft for rate, soft in zip(rates, best, strict=True))

    units = figures.fastest(p for p in here if p.clock_of == "whole")
    shown = {row[0] for row in table.rows[1:]}
    within = [factor(p) for p in units if f"{p.accelerator} / {p.variant}" in shown]
    without = [factor(p) for p in units if f"{p.accelerator} / {p.variant}" not in shown]
    assert len(within) == min(len(units), figures.GAIN_ROWS - 1)
    assert max(without, default=0.0) <= min(within)


def test_each_design_that_was_routed_in_a_core_has_a_row() -> None:
    """What its records say, beside the core alone: what it adds, its clock, its rates."""
    published, placed = record.read_published(), synthesis.read_published()
    device = explore.usual_device(placed)
    clocks: dict[tuple[str, str, str], list[float]] = {}
    for entry in placed:
        if entry.target == device and entry.fmax_mhz is not None:
            key = (entry.scope, entry.accelerator, entry.variant)
            clocks.setdefault(key, []).append(entry.fmax_mhz)
    rows = {
        (table.title.split()[2], *row[0].split(" / ")): dict(
            zip([head for head, _ in table.heads], row, strict=True)
        )
        for table in figures.core_tables(published, placed)
        for row in table.rows[1:]
    }
    timed = {(p.platform, p.accelerator, p.variant): p for p in explore.points(published, placed)}
    assert set(rows) == {
        key
        for key in clocks
        if key[1] != synthesis.NONE and key[0] != synthesis.UNIT and key in timed
    }
    for (core, name, variant), row in rows.items():
        mhz = statistics.median(clocks[core, name, variant])
        bare = statistics.median(clocks[core, synthesis.NONE, ""])
        assert abs(float(row["MHz inside"]) - mhz) <= 0.06
        assert abs(float(row["of the core's"].split()[0]) - 100 * mhz / bare) <= 0.6
        rate = 128 * mhz / float(row["cycles a block, CTR"])
        assert abs(float(row["CTR, Mbit/s"]) / rate - 1) <= 0.05


def test_choices_are_the_least_and_the_fastest() -> None:
    """For each core and way to attach; nothing smaller beats the software, nothing is faster.

    Of designs that were routed in the core if there are any, by Mbit/s, else by cycles.
    """
    published, placed = record.read_published(), synthesis.read_published()
    table = figures.choice_table(published, placed)
    device = explore.usual_device(placed)
    points = [p for p in explore.points(published, placed) if p.device == device and p.verified]
    cores = {p.platform for p in points}
    assert [row[:2] for row in table.rows] == [
        (core, way) for core in sorted(cores) for way in figures.ATTACHED
    ]
    for core, way, least, *fastest in table.rows:
        here = {p.label: p for p in points if p.platform == core}
        units = [p for p in here.values() if p.kind in figures.ATTACHED[way] and p.cycles("ctr")]
        routed = [p for p in units if p.clock_of == "whole"]
        unit = "Mbit/s" if routed else "c/B"

        def value(point: DesignPoint, mode: str, unit: str = unit) -> float:
            found = point.mbit(mode) if unit == "Mbit/s" else 1 / (point.cycles(mode) or 1e9)
            return found or 0.0

        soft = max(value(p, "ctr") for p in here.values() if p.kind == "software")
        smallest = here[least.partition(":")[0]]
        assert value(smallest, "ctr") > soft
        for other in routed or units:
            if other.area.lut and value(other, "ctr") > soft:
                assert (smallest.area.lut or 0) <= other.area.lut
        for mode, text in zip(figures.GAIN_MODES, fastest, strict=True):
            best = max(value(p, mode) for p in routed or units)
            assert value(here[text.partition(":")[0]], mode) == best
            shown = float(re.findall(r"([\d.]+) \S+$", text)[0])
            assert text.endswith(unit)
            assert abs(shown - (best if routed else 1 / best)) <= 0.5


def test_the_first_screen_of_the_readme() -> None:
    """What it is, two commands, one picture, the table, in this order; then the other parts."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (.*)", text, re.MULTILINE)
    assert heads[:4] == [
        *("Try it", "Which unit is for me", "Integrate it"),
        "What is protected, and what is not",
    ]
    assert heads[-1] == "Find your way"
    top = text[: text.index("## Try it")]
    assert top.count("![") == 1 and top.index("![") < top.index("<!-- generated: gain -->")
    commands = re.findall(r"^make \S+", top[: top.index("![")], re.MULTILINE)
    assert commands == ["make bench", "make test"]


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
