# SPDX-License-Identifier: Apache-2.0
"""Papers: every row names what exists, tables keep published and measured apart, errors are clear.

Most tests use a small paper about a unit that is discovered, and records made up for it.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from aesforge.base.errors import AesforgeError, ManifestError, UsageError
from aesforge.base.paths import ROOT
from aesforge.catalog import manifest, platform
from aesforge.records.record import Figure, How, Record, write_lines
from aesforge.records.rows import BULK_BLOCKS
from aesforge.report import papers
from aesforge.report.papers import Evidence, Line, Paper

PAPERS = papers.discover()
PLATFORMS = [found.name for found in platform.discover()]
UNIT = next(unit for unit in manifest.units() if unit.manifest.proof)
SOFTWARE = next(a for a in manifest.discover() if not a.manifest.rtl and a.manifest.yardstick)
LABEL = f"{UNIT.name}/{UNIT.manifest.variant[0].name}"
SLOW = f"{SOFTWARE.name}/{SOFTWARE.manifest.variant[0].name}"

# The interface that scripts rely on (docs/json.md); a removed or renamed key breaks them.
STABLE_KEYS = [
    *("paper", "where", "what", "published", "unit", "derived", "corrected", "note", "differs"),
    *("status", "accelerator", "variant", "platform", "measured", "measured_unit", "how"),
]

HEAD = """# SPDX-License-Identifier: Apache-2.0
id = "small2004"
title = "A small paper"
authors = ["A. Nobody"]
year = 2004
venue = "Nowhere"
core = "a core"
reading = "Ours is another core."
"""


def measure(kind: str, **keys: object) -> str:
    """A paper with one row and one measure beside it."""
    keys = {"differs": "It is ours."} | keys
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    return "\n".join([HEAD, "[measure.it]", f'kind = "{kind}"', *lines, row(LABEL)]) + "\n"


def row(*of: str, more: str = "") -> str:
    """A row with the measure `it` of NAME/VARIANT."""
    head = '\n[[row]]\nwhere = "table 1"\nwhat = "a thing"\npublished = 120\nunit = "cycles"\n'
    return f"{head}{more}\nbeside = [{{ of = {json.dumps(of)}, measure = 'it' }}]\n"


COST = measure("cost", quantity="cycles", calls=["encrypt"], differs="")


def load(folder: Path, text: str, name: str = "small2004") -> Paper:
    """The paper that a text describes."""
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return papers.load(path)


def record_of(
    label: str, where: str, cycles: int, question: str = "speed", **counts: int
) -> Record:
    """A record: a block takes `cycles` with AES-128, 40 more with AES-256, key set-up half."""
    name, _, variant = label.partition("/")
    figures = [
        Figure(
            direction=direction,
            key_bits=bits,
            mode="ecb" if blocks else "key-setup",
            blocks=blocks,
            cycles=(cycles + (40 if bits == 256 else 0)) * blocks or cycles // 2,
            instructions=7,
        )
        for direction in ("encrypt", "decrypt")
        for bits in (128, 256)
        for blocks in (0, 1, BULK_BLOCKS)
    ]
    return Record(
        accelerator=name,
        kind="instruction",
        variant=variant,
        platform=where,
        question=question,
        status="passed",
        how=How(inputs_sha256="0" * 64),
        figures=figures if question == "speed" else [],
        counts=counts,
    )


def evidence(records: Iterable[Record] = ()) -> Evidence:
    """Evidence of made-up records alone."""
    return Evidence(records, kept=False)


def read(folder: Path, text: str, records: Iterable[Record]) -> list[Line]:
    """Lines of a paper."""
    return papers.lines(load(folder, text), evidence(records))


def aesforge(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run the tool and return what it printed."""
    return subprocess.run(
        [sys.executable, "-m", "aesforge", *words],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
        check=False,
    )


# --- the papers of the repository -----------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.id)
def test_every_row_names_what_exists(paper: Paper) -> None:
    """Accelerators, variants, platforms, directions, operations, proofs."""
    assert papers.problems(paper) == []


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.id)
def test_every_row_has_a_line(paper: Paper) -> None:
    """With no record at all each row is still there, and says what makes its record."""
    found = papers.lines(paper, evidence())
    assert {id(line.row) for line in found} == {id(row) for row in paper.row}
    for line in found:
        assert line.measured is not None or line.how, line.row.what
        assert (line.status == "alone") == bool(line.row.because)
    made, notes = papers.table(found, repeat=True)
    assert all(len(cells) == len(made.heads) for cells in made.rows)
    assert not [note for note in notes if note.count(" Nothing beside it") > 1]


def test_there_are_papers() -> None:
    """The discovery finds some, by year, each once."""
    assert len(PAPERS) >= 2
    assert [paper.year for paper in PAPERS] == sorted(paper.year for paper in PAPERS)
    assert len({paper.id for paper in PAPERS}) == len(PAPERS)


# --- measures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "keys", "value", "unit"),
    [
        ("cost", {"quantity": "cycles", "calls": ["encrypt"]}, 100, "cycles"),
        ("cost", {"quantity": "cycles", "calls": ["key-encrypt", "encrypt"]}, 150, "cycles"),
        ("cost", {"quantity": "instructions", "calls": ["encrypt"]}, 7, "instructions"),
        (
            "cost",
            {"quantity": "cycles", "calls": ["encrypt"], "blocks": "bulk"},
            100,
            "cycles, bulk",
        ),
        ("round", {"quantity": "cycles", "direction": "encrypt"}, 10, "cycles"),
        ("round", {"quantity": "cycles", "direction": "encrypt", "parts": 4}, 2.5, "cycles"),
        ("rate", {"direction": "encrypt", "mhz": 1000}, 1280, "Mbit/s at 1000 MHz, bulk"),
        ("speedup", {"over": SLOW, "calls": ["encrypt"]}, 8, "times"),
        (
            "speedup",
            {"over": SLOW, "calls": ["encrypt"], "over_calls": ["key-encrypt"], "repeat": 2},
            2,
            "times: key-encrypt over 2 x encrypt",
        ),
        ("count", {"question": "speed", "count": "table_bytes"}, 12, "bytes"),
        ("count", {"question": "test", "count": "KAT"}, 44, "KAT"),
    ],
)
def test_measures_of_cores(
    tmp_path: Path, kind: str, keys: dict[str, Any], value: float, unit: str
) -> None:
    """Each kind reads the record that it names, on every core that has one."""
    where = PLATFORMS[0]
    records = [
        record_of(LABEL, where, 100, table_bytes=12),
        record_of(SLOW, where, 800),
        record_of(LABEL, where, 0, "test", KAT=44),
    ]
    text = measure(kind, **keys)
    found = {line.platform: line for line in read(tmp_path, text, records)}
    assert set(found) == set(PLATFORMS)
    assert (found[where].measured, found[where].unit) == (value, unit)
    assert (found[where].status, found[where].how) == ("measured", "")
    for name in PLATFORMS[1:]:
        assert (found[name].status, found[name].measured) == ("no record", None)
        assert found[name].how.startswith(f"aesforge bench --only {LABEL} --question ")


def test_measures_of_the_unit_alone(tmp_path: Path) -> None:
    """The long test, synthesis, the manifest, a proof: one line, whatever the cores."""
    chain = measure("montecarlo", direction="encrypt")
    record = record_of(LABEL, "rtl", 0, "montecarlo", encrypt_128=4_000_000)
    (line,) = read(tmp_path, chain, [record])
    assert (line.measured, line.status) == (4_000_000, "measured")
    (line,) = read(tmp_path, chain, [])
    assert (line.status, line.how) == ("no record", f"aesforge montecarlo {LABEL}")

    gates = measure("synth", figure="ge")
    (line,) = read(tmp_path, gates, [])
    assert (line.status, line.platform) == ("no record", "synthesis")
    assert line.how == f"aesforge synth {LABEL}"
    flows = [record_of(LABEL, flow, 0, "synth", ge=ge) for flow, ge in (("a", 5), ("b", 6))]
    both = read(tmp_path, gates, flows)
    assert [line.measured for line in both] == [5, 6]
    printed = papers.table(both, repeat=True)[0].rows
    assert [row[-2] for row in printed] == ["GE, a", "GE, b"]

    (path,) = read(
        tmp_path, measure("synth", figure="ns"), [record_of(LABEL, "a", 0, "synth", ps=2500)]
    )
    assert (path.measured, path.unit) == (2.5, "ns")
    (chosen,) = read(tmp_path, measure("synth", figure="ge", flows=["b"]), flows)
    assert (chosen.platform, chosen.measured) == ("b", 6)
    (line,) = read(tmp_path, measure("synth", figure="ge", flows=["b", "c"]), [])
    assert (line.platform, line.how) == ("b, c", f"aesforge synth {LABEL} -t b -t c")
    counts = {"ge:part": 3, "lut:in core": 4}
    parts = [record_of(LABEL, "a", 0, "synth", ge=5, **counts)]
    (part,) = read(tmp_path, measure("synth", figure="ge", module="part"), parts)
    assert (part.measured, part.unit) == (3, "GE of part")
    (added,) = read(tmp_path, measure("synth", figure="lut", inside="core"), parts)
    assert (added.measured, added.unit) == (4, "LUT added to core")

    (line,) = read(tmp_path, measure("fact", fact="latency"), [])
    operations = UNIT.manifest.operations(UNIT.manifest.variant[0])
    slowest = max(UNIT.manifest.latency(op, UNIT.manifest.variant[0]) for op in operations)
    assert line.measured == slowest
    (line,) = read(tmp_path, measure("fact", fact="issue"), [])
    assert (line.measured, line.unit) == (slowest + 1, "cycles")

    name = UNIT.manifest.proof[0].name
    (line,) = read(tmp_path, measure("proof", proof=name), [])
    assert (line.status, line.measured) == ("proof", None)
    assert line.how == f"aesforge prove {UNIT.name}"


def test_a_failed_record_is_none(tmp_path: Path) -> None:
    """What failed is no measurement."""
    record = record_of(LABEL, PLATFORMS[0], 100).model_copy(update={"status": "failed"})
    text = COST
    assert {line.status for line in read(tmp_path, text, [record])} == {"no record"}


def test_records_kept_for_the_sources_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record of the sources as they are is shown where none is published."""
    kept = {PLATFORMS[0]: record_of(LABEL, PLATFORMS[0], 77)}
    monkeypatch.setattr(papers, "content_hash", lambda job: job.platform.name)
    monkeypatch.setattr(papers, "load_cached", kept.get)
    monkeypatch.setattr(papers.record, "kept", lambda folder, model: list(kept.values()))
    monkeypatch.setattr(papers.montecarlo, "kept", lambda unit, variant: {"encrypt_128": 5})

    def values(text: str, *published: Record) -> list[papers.Number | None]:
        found = papers.lines(load(tmp_path, text), Evidence(published))
        return [line.measured for line in found]

    nothing = [None] * (len(PLATFORMS) - 1)
    assert values(COST) == [77, *nothing]
    assert values(COST, record_of(LABEL, PLATFORMS[0], 99)) == [99, *nothing]
    chain = measure("montecarlo", direction="encrypt")
    assert values(chain) == [5]
    assert values(chain, record_of(LABEL, "rtl", 0, "montecarlo", encrypt_128=8)) == [8]


def test_chosen_platforms(tmp_path: Path) -> None:
    """A row may be beside some cores only."""
    text = COST
    chosen = text.replace("measure = 'it'", f'measure = "it", platforms = ["{PLATFORMS[-1]}"]')
    assert [line.platform for line in read(tmp_path, chosen, [])] == [PLATFORMS[-1]]


# --- tables ---------------------------------------------------------------------------------------


def test_published_and_measured_never_share_a_column(tmp_path: Path) -> None:
    """One line a row and unit of ours, a column for each core, notes below."""
    text = COST
    text += row(LABEL, SLOW, more='corrected = [7, 8]\nnote = "Odd."\nderived = "100 + 20"')
    found = read(tmp_path, text, [record_of(LABEL, PLATFORMS[0], 100)])
    made, notes = papers.table(found, repeat=False)
    heads = [name for name, _ in made.heads]
    assert heads[2] == "published" and set(PLATFORMS) < set(heads[3:])
    assert [cells[2] for cells in made.rows] == ["120", "120", ""]
    column = heads.index(PLATFORMS[0])
    assert [cells[column] for cells in made.rows] == ["100", "100", "no record"]
    assert notes == ["Odd. Not printed: 100 + 20. Read 7 to 8."]
    assert [cells[-1] for cells in made.rows] == ["", "[1]", ""]
    page = papers.markdown(found)
    assert page.count("| 120 |") == 3  # every line of a page is apart
    assert "- [1] Odd." in page
    assert "- no record: aesforge bench" in page


@pytest.mark.parametrize(
    ("value", "text"),
    [(12, "12"), (2.5, "2.5"), (1234.56, "1235"), ((3, 4.5), "3 to 4.5"), ("?", "?"), (None, "")],
)
def test_numbers(value: papers.Value | None, text: str) -> None:
    """As tables print them."""
    assert papers.number(value) == text


def test_strict() -> None:
    """A missing record is an error that says what makes it; a proof or a lone row is none."""
    paper = PAPERS[0]
    found = papers.lines(paper, evidence())
    with pytest.raises(AesforgeError, match="records are missing"):
        papers.require(found)
    papers.require([line for line in found if line.status != "no record"])


# --- what differs ---------------------------------------------------------------------------------


def test_a_difference_is_said(tmp_path: Path) -> None:
    """In the table a mark, below it the words, in JSON a key; of the measure and of the row."""
    text = measure("rate", direction="encrypt", mhz=100, differs="No such clock.")
    text += row(LABEL, more='note = "Odd."\ndiffers = "One block."')
    found = read(tmp_path, text, [])
    made, notes = papers.table(found, repeat=True)
    assert [cells[-1] for cells in made.rows] == ["differs [1]", "differs [2]"]
    assert notes == ["Differs: No such clock.", "Odd. Differs: No such clock. One block."]
    assert {papers.json_row(line)["differs"] for line in found} == {
        "No such clock.",
        "No such clock. One block.",
    }


@pytest.mark.parametrize(
    ("kind", "keys", "reason"),
    [
        ("cost", {"quantity": "instructions", "calls": ["encrypt"]}, "instructions beside cycles"),
        ("cost", {"quantity": "cycles", "calls": ["encrypt"], "blocks": "bulk"}, "cycles, bulk"),
        ("round", {"quantity": "cycles", "direction": "encrypt", "parts": 4}, "share of a round"),
        ("rate", {"direction": "encrypt", "mhz": 1000}, "1000 MHz"),
        ("speedup", {"over": SLOW, "calls": ["encrypt"]}, f"over {SLOW}"),
        ("synth", {"figure": "ge"}, "another device or library"),
        ("count", {"question": "speed", "count": "table_bytes"}, "bytes beside cycles"),
    ],
)
def test_a_difference_that_is_not_said(
    tmp_path: Path, kind: str, keys: dict[str, Any], reason: str
) -> None:
    """Kind, device, yardstick: a row without a word on it is an error; with one it is none."""
    silent = measure(kind, **keys, differs="")
    with pytest.raises(ManifestError, match=f"row 'a thing' needs 'differs': .*{reason}"):
        load(tmp_path, silent)
    load(tmp_path, silent.replace("\nbeside", "\ndiffers = 'So it is.'\nbeside"))
    load(tmp_path, silent.replace('differs = ""', 'differs = "So it is."'))


def test_scopes_that_differ(tmp_path: Path) -> None:
    """Two measures of a row that count different calls need a word, of one of them or the row."""
    other = '[measure.key]\nkind = "cost"\nquantity = "cycles"\ncalls = ["key-encrypt"]\n'
    also = f"beside = [{{ of = ['{LABEL}'], measure = 'key' }}, "
    text = COST.replace("beside = [", also).replace("\n[[row]]", f"\n{other}[[row]]", 1)
    with pytest.raises(ManifestError, match="differs in scope"):
        load(tmp_path, text)
    load(tmp_path, text.replace(other, other + 'differs = "The key."\n'))


@pytest.mark.parametrize(
    ("unit", "percent"), [("%", False), ("% faster", False), ("times", True), ("times less", True)]
)
def test_a_factor_is_never_beside_a_percentage(tmp_path: Path, unit: str, percent: bool) -> None:
    """A factor of 1.71 and 71 % say the same and look different."""
    text = measure("speedup", over=SLOW, calls=["encrypt"], percent=percent)
    with pytest.raises(ManifestError, match="a factor beside a percentage"):
        load(tmp_path, text.replace('unit = "cycles"', f'unit = "{unit}"'))
    right = measure("speedup", over=SLOW, calls=["encrypt"], percent=not percent)
    paper = load(tmp_path, right.replace('unit = "cycles"', f'unit = "{unit}"'))
    records = [record_of(LABEL, PLATFORMS[0], 100), record_of(SLOW, PLATFORMS[0], 171)]
    found = {line.platform: line for line in papers.lines(paper, evidence(records))}
    assert found[PLATFORMS[0]].measured == pytest.approx(1.71 if percent else 71)


def test_a_row_alone_has_nothing_that_differs(tmp_path: Path) -> None:
    """What is not there does not differ."""
    alone = COST.split("beside")[0].replace("[measure.it]", "[measure.it]", 1)
    alone = alone + 'because = "none"\ndiffers = "So it is."\n'
    with pytest.raises(ManifestError, match="nothing beside it that differs"):
        load(tmp_path, alone)


@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_a_speed_up_is_shown_in_each_scope(direction: str) -> None:
    """A quotient whose dividend leaves the key out and whose divisor has it: ours so, and alike."""
    found = [
        line
        for paper in PAPERS
        for line in papers.lines(paper, evidence())
        if line.row.what == f"speed-up of {direction}ion"
    ]
    assert {line.paper.id for line in found} == {"kale2021"}
    scopes: dict[str, set[tuple[str, ...]]] = {}
    for line in found:
        assert isinstance(line.measure, papers.Speedup) and line.measure.differs
        scopes.setdefault(line.ours, set()).add(tuple(line.measure.calls))
    assert len(scopes) == 2
    assert set(map(frozenset, scopes.values())) == {
        frozenset({(f"key-{direction}", direction), (direction,)})
    }


def own_figures(paper: Paper, found: Sequence[Line]) -> list[str]:
    """Return figures of records in a paper's texts, of three digits and more: they would age."""
    printed = [[row.published, row.corrected, row.derived] for row in paper.row]
    known = set(re.findall(r"[\d.]*\d", str(printed)))
    values = {papers.number(line.measured) for line in found if line.measured is not None}
    ours = {text for text in values if sum(map(str.isdigit, text)) >= 3} - known
    texts = [paper.reading, *(m.differs for m in paper.measure.values())]
    texts += [text for row in paper.row for text in (row.note, row.differs, row.because)]
    # The lengths of keys and blocks are no figures.
    figure = re.compile(r"(?<!AES-)(?<![\d.])\d[\d.]*\d(?![- ]bit)")
    told = [word for text in texts for word in figure.findall(text.replace(",", ""))]
    return sorted(ours & set(told))


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.id)
def test_a_paper_holds_no_figure_of_ours(paper: Paper) -> None:
    """Rows show the present values of records; a figure in a note would stay when they change."""
    found = papers.lines(paper, Evidence(papers.published_records(), kept=False))
    assert own_figures(paper, found) == []
    values = [papers.number(line.measured) for line in found if line.measured is not None]
    value = max(values, key=lambda text: sum(map(str.isdigit, text)))
    told = paper.row[0].model_copy(update={"note": f"Ours takes {value} cycles."})
    more = paper.model_copy(update={"row": [*paper.row, told]})
    assert own_figures(more, found) == [value]


# --- what can be wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('id = "small2004"', 'id = "other2004"', "differs from the file's name"),
        ('id = "small2004"', 'id = "Small"', "id: String should match"),
        ('title = "A small paper"', "", "title: Field required"),
        ("[[row]]", "[[row]]\ncolour = 1", "row.0.colour: unknown key"),
        ('unit = "cycles"\n', "", "unit: Field required"),
        ('kind = "cost"', 'kind = "coast"', "measure.it: Input tag 'coast'"),
        ("measure = 'it'", "measure = 'that'", "there is no measure 'that'"),
        ("beside =", "because = 'none'\nbeside =", "either beside or because"),
        ("[measure.it]", "[measure.it", "not valid TOML"),
        (LABEL, "nosuch", "String should match"),
    ],
)
def test_broken_papers(tmp_path: Path, old: str, new: str, reason: str) -> None:
    """One line that names the file, the key and the reason."""
    assert old in COST
    with pytest.raises(ManifestError) as error:
        load(tmp_path, COST.replace(old, new, 1))
    assert "small2004.toml" in str(error.value)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("kind", "keys", "problem"),
    [
        ("proof", {"proof": "nosuch"}, "has no proof 'nosuch'"),
        ("fact", {"fact": "latency", "ops": ["nosuch"]}, "has no nosuch"),
    ],
)
def test_rows_that_name_what_is_not_there(
    tmp_path: Path, kind: str, keys: dict[str, Any], problem: str
) -> None:
    """A row that could never be measured is an error, not an empty cell."""
    with pytest.raises(ManifestError, match=problem):
        read(tmp_path, measure(kind, **keys), [])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (LABEL, f"{UNIT.name}/nosuch", "no variant 'nosuch'"),
        ("measure = 'it'", "measure = 'it', platforms = ['nosuch']", "no platform 'nosuch'"),
    ],
)
def test_names_that_are_none(tmp_path: Path, old: str, new: str, problem: str) -> None:
    """Accelerator, variant, platform."""
    with pytest.raises(ManifestError, match=problem):
        read(tmp_path, COST.replace(old, new), [])


@pytest.mark.parametrize(
    "text",
    [
        COST.replace(LABEL, "nosuch/full"),
        measure("speedup", over="nosuch/full", calls=["encrypt"]),
    ],
)
def test_an_accelerator_that_is_gone(tmp_path: Path, text: str) -> None:
    """Its rows are apart, so that a folder can be deleted; the repository's own papers say so."""
    paper = load(tmp_path, text)
    assert "no accelerator 'nosuch'" in papers.problems(paper)[0]
    (line,) = papers.lines(paper, papers.Evidence([]))
    assert (line.status, line.how) == ("alone", "what was compared with it is no longer here")


def test_rows_name_what_there_is() -> None:
    """Of the repository's own papers."""
    assert [found for paper in PAPERS for found in papers.problems(paper)] == []


def test_counts_that_are_none(tmp_path: Path) -> None:
    """A question's counts have names."""
    with pytest.raises(ManifestError, match="question speed has no count 'weight'"):
        load(tmp_path, measure("count", question="speed", count="weight"))


def test_unknown_paper() -> None:
    """It says which there are."""
    with pytest.raises(UsageError, match=rf"no paper 'nosuch2004'.*{PAPERS[0].id}"):
        papers.choose(["nosuch2004"])


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A file of records."""
    path = tmp_path / "records.jsonl"
    write_lines([record_of(LABEL, PLATFORMS[0], 100)], path)
    return path


def test_json(records: Path) -> None:
    """Stable keys, one line for each row and thing beside it."""
    done = aesforge("papers", PAPERS[0].id, "--json", "--records", str(records))
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(list(found) == STABLE_KEYS for found in rows)
    assert {found["paper"] for found in rows} == {PAPERS[0].id}
    assert {found["status"] for found in rows} <= {"measured", "proof", "no record", "alone"}


def test_list_tables_and_exit_status(records: Path) -> None:
    """Without an id a list; with one a table; --strict fails, an unknown id is refused."""
    listed = aesforge("papers")
    assert listed.returncode == 0, listed.stderr
    for paper in PAPERS:
        assert paper.id in listed.stdout
    shown = aesforge("papers", PAPERS[0].id, "--records", str(records))
    assert shown.returncode == 0, shown.stderr
    assert "published" in shown.stdout and "no record: aesforge bench --only" in shown.stdout
    page = aesforge("papers", "--all", "--markdown", "--records", str(records))
    assert page.stdout.count("| where | what | published |") == len(PAPERS)
    assert page.stdout.startswith(papers.PAGE_HEAD)
    assert all(f"## {paper.id}" in page.stdout for paper in PAPERS)
    strict = aesforge("papers", PAPERS[0].id, "--strict", "--records", str(records))
    assert (strict.returncode, "records are missing" in strict.stderr) == (1, True)
    unknown = aesforge("papers", "nosuch2004")
    assert (unknown.returncode, "Traceback" in unknown.stderr) == (2, False)
    assert "there is no paper 'nosuch2004'" in unknown.stderr
    nowhere = aesforge("papers", PAPERS[0].id, "--records", "nosuch.jsonl")
    assert (nowhere.returncode, "cannot read nosuch.jsonl" in nowhere.stderr) == (1, True)
