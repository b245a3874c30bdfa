# SPDX-License-Identifier: Apache-2.0
"""What the commands print and take: tables, CSV, LaTeX, help, names of variants."""

import csv
import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.catalog import manifest
from aesforge.cli import tables
from aesforge.cli.app import app, reflow
from aesforge.records import rows
from aesforge.records.rows import Table
from aesforge.report import explore, page, papers, pick

pytestmark = pytest.mark.quick


def of_paper(found: list[papers.Line]) -> tuple[Table, Table]:
    """A paper's table, and what a narrow terminal gets."""
    wide, _ = papers.table(found, repeat=False)
    return wide, papers.stacked(wide)


@pytest.fixture(scope="module")
def published() -> dict[str, list[Table]]:
    """Every command's tables, made from the published records."""
    records, placed = explore.read_published()
    device = explore.usual_device(placed)
    found = [p for p in explore.points(records, placed) if p.device == device]
    answer = pick.pick(found, pick.Budget(max_lut=1000))
    evidence = papers.Evidence(papers.published_records(), kept=False)
    chosen = papers.choose([])
    names = sorted({entry.platform for entry in records})
    bench = [rows.speed_table(records, names), *rows.gcm_tables(records, names)]
    return {
        "explore": [explore.table(found, "ecb")],
        "pick": [pick.fitting_table(answer), pick.others_table(answer)],
        "papers": [
            papers.overview(chosen, evidence),
            *(table for paper in chosen for table in of_paper(papers.lines(paper, evidence))),
        ],
        "bench": [*bench, *(rows.detail_table(records, name) for name in names)],
        "curves": rows.curve_tables(records, names),
    }


def printed(
    found: list[Table], width: int, monkeypatch: pytest.MonkeyPatch, *, terminal: bool = True
) -> tuple[str, str]:
    """What a terminal of a width shows: on standard output, and on standard error."""
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(
        tables, "out", Console(file=out, width=width, force_terminal=terminal, color_system=None)
    )
    monkeypatch.setattr(
        tables, "err", Console(file=err, width=width, force_terminal=terminal, color_system=None)
    )
    tables.print_tables(found)
    return out.getvalue(), err.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("command", ["explore", "pick", "papers", "bench", "curves"])
def test_no_line_runs_over(
    published: dict[str, list[Table]],
    command: str,
    width: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each line fits, the first column is whole, and what is left out is named."""
    for table in published[command]:
        shown, said = printed([table], width, monkeypatch)
        assert max(map(len, shown.splitlines())) <= width
        kept, _, _ = tables.fitted(table, width)
        named = {name for name, _ in kept.heads}
        gone = [name for name, _ in table.heads if name not in named]
        assert len(kept.heads) >= min(2, len(table.heads))
        for name in gone:
            assert name in " ".join(said.split())
        assert bool(gone) == ("--wide" in said)


def test_the_columns_that_choose_a_design_stay(published: dict[str, list[Table]]) -> None:
    """At 80 columns explore and pick keep what a choice rests on."""
    kept, _, _ = tables.fitted(published["explore"][0], 80)
    assert {"design", "core", "ecb c/B", "MHz", "Mbit/s"} <= {name for name, _ in kept.heads}
    kept, _, _ = tables.fitted(published["pick"][0], 80)
    assert {"design", "core", "area", "c/B", "Mbit/s"} <= {name for name, _ in kept.heads}


def test_a_narrow_terminal_shows_what_is_measured() -> None:
    """At 80 columns a paper's table has its values and ours, those of every core, every note."""
    evidence = papers.Evidence(papers.published_records(), kept=False)
    for paper in papers.choose([]):
        wide, narrow = of_paper(papers.lines(paper, evidence))
        kept, _, _ = tables.fitted(narrow, 80)
        assert {"what", "published", "ours", "on", "measured"} <= {name for name, _ in kept.heads}
        first = [name for name, _ in wide.heads].index("ours") + 1
        values = sorted(cell for row in wide.rows for cell in row[first:-2] if cell != "-")
        assert sorted(row[4] for row in narrow.rows if row[4] != "-") == values
        marks = [row[-1] for row in wide.rows if row[-1]]
        said = [row[0] for row in narrow.rows if row[0].endswith("]")]
        assert len(said) == len(marks)
        assert all(text.endswith(mark) for text, mark in zip(said, marks, strict=True))


@pytest.mark.parametrize(("width", "head"), [(80, "measured"), (400, "unit of ours")])
def test_papers_choose_the_table_that_fits(
    width: int, head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command asks how wide the terminal is."""
    text = io.StringIO()
    console = Console(file=text, width=width, force_terminal=True, color_system=None)
    monkeypatch.setattr(tables, "out", console)
    done = CliRunner().invoke(app, ["papers", papers.choose([])[0].id])
    assert done.exit_code == 0, done.output
    heads = text.getvalue().partition("\u2500")[0]
    assert head in heads and ("measured" in heads) == (width == 80)


def test_notes_are_folded_with_an_indent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line of a note runs over, and its second line does not look like a note of its own."""
    records, placed = explore.read_published()
    device = explore.usual_device(placed)
    found = [p for p in explore.points(records, placed) if p.device == device]
    text = io.StringIO()
    console = Console(file=text, width=60, force_terminal=True, color_system=None)
    monkeypatch.setattr(tables, "out", console)
    tables.print_tables([], notes=explore.legend(found))
    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= 60
    starts = [line for line in lines if not line.startswith("    ")]
    assert len(starts) == len(explore.legend(found)) < len(lines)


def test_a_pipe_gets_every_column(
    published: dict[str, list[Table]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal no width is known: every cell is there in one line."""
    (table,) = published["explore"]
    shown, said = printed([table], 80, monkeypatch, terminal=False)
    assert said == ""
    lines = shown.splitlines()
    for row in table.rows:
        assert any(all(cell in line for cell in row) for line in lines)


ODD = Table('10% of "x_1"', (("name", False), ("a & b", True)), (("x_1, y", "5%"), ("<z>", "-")))


def test_csv_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    """Heads and rows, quoted where they must be."""
    tables.print_table(ODD, form=tables.Form.csv)
    found = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert found == [["name", "a & b"], ["x_1, y", "5%"], ["<z>", "-"]]


def test_latex_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    """Every sign with a meaning in LaTeX is escaped; numbers are on the right."""
    tables.print_table(ODD, form=tables.Form.latex)
    shown = capsys.readouterr().out
    assert "\\begin{tabular}{lr}" in shown
    assert "name & a \\& b \\\\" in shown
    assert "x\\_1, y & 5\\% \\\\" in shown
    assert "\\textless{}z\\textgreater{} & - \\\\" in shown


def test_help_is_folded_by_the_terminal_alone() -> None:
    """A paragraph of help is one line: the source's line breaks would leave ragged ones."""
    for command in app.registered_commands:
        assert command.help
        for paragraph in command.help.split("\n\n"):
            assert "\n" not in paragraph, command.help
    assert reflow("a\nb\n\nc\n    d") == "a b\n\nc d"


def test_name_and_variant_are_one_word() -> None:
    """NAME/VARIANT, NAME with --variant, or both if they agree; the first variant if none."""
    unit = max(manifest.units(), key=lambda found: len(found.manifest.variant))
    first, *_, last = (variant.name for variant in unit.manifest.variant)
    assert manifest.choose(unit.name)[1].name == first
    for label, variant in ((f"{unit.name}/{last}", ""), (unit.name, last)):
        assert manifest.choose(label, variant)[1].name == last
    assert manifest.choose(f"{unit.name}/{last}", last)[1].name == last
    with pytest.raises(UsageError, match="two variants"):
        manifest.choose(f"{unit.name}/{last}", first)


def test_what_the_pages_pick_has_an_answer() -> None:
    """The first request that a reader types is one that something fits."""
    typed = set()
    for name in ("README.md", "docs/choosing.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        typed |= set(re.findall(r"aesforge pick((?: --[a-z-]+ [a-z0-9]+)+)", text))
    assert len(typed) >= 3
    for words in sorted(typed):
        done = CliRunner().invoke(app, ["pick", *words.split()])
        assert done.exit_code == 0 and "cheapest:" in done.output, words


def test_the_default_is_no_paper_form() -> None:
    """Who names no variant gets the one that is recommended, not one kept for a paper's table."""
    several = [found for found in manifest.on_cores() if len(found.manifest.variant) > 1]
    kept = [f.name for f in several if any("paper" in v.name for v in f.manifest.variant)]
    assert len(kept) > 2
    assert [f.name for f in several if "paper" in manifest.choose(f.name)[1].name] == []


def test_a_report_onto_a_folder_says_what_to_name(tmp_path: Path) -> None:
    """One line with the remedy, before any work; another one if the folder is missing."""
    with pytest.raises(UsageError, match=r"is a folder.*-o .*report\.html"):
        page.write(tmp_path)
    with pytest.raises(UsageError, match=r"there is no folder .*none"):
        page.write(tmp_path / "none" / "report.html")
