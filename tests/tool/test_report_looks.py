# SPDX-License-Identifier: Apache-2.0
"""What the reader of the report sees: the first screen, labels, a phone, links, files of tables.

Each check is a function that returns what is wrong with an open page.
"""

import csv
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, expect

from aesforge.base.paths import ROOT
from aesforge.bench.job import QUESTIONS
from aesforge.catalog import manifest
from aesforge.cli import tables
from aesforge.probing import ttest
from aesforge.records.record import How, Record
from aesforge.records.rows import Table
from aesforge.report import data, explore, figures
from explore_support import PLACED, RECORDS
from report_support import ON_A_PHONE, Opened, browser, opened, pages, width_problems

__all__ = ["browser", "pages"]  # fixtures

MARKS = 12  # of a picture, to be seen without scrolling
SCHEMES = ("light", "dark")
CONTRAST = 4.5  # of letters (WCAG 2.2, AA)

UNITS = [unit.name for unit in manifest.discover() if unit.manifest.kind != "software"]


@pytest.fixture(scope="module")
def desk(browser: Browser, pages: dict[str, Path]) -> Iterator[Opened]:
    """The page of the published records on a desk."""
    found = opened(browser, pages["published"], viewport={"width": 1280, "height": 800})
    yield found
    found.context.close()


@pytest.fixture(scope="module")
def phone(browser: Browser, pages: dict[str, Path]) -> Iterator[Opened]:
    """The same on a phone."""
    found = opened(browser, pages["published"], **ON_A_PHONE)
    yield found
    found.context.close()


def settle(page: Page) -> None:
    """Wait until nothing of the page changes any more."""
    page.evaluate(
        """async () => {
          for (let last = ""; last !== document.body.innerHTML; ) {
            last = document.body.innerHTML;
            await new Promise((resolve) => setTimeout(resolve, 250));
          }
        }"""
    )


def select(page: Page, name: str, value: str) -> None:
    """Choose in a field, and wait for the charts."""
    page.select_option(f'#filter [name="{name}"]', value)
    settle(page)


# The first screen ---------------------------------------------------------------------------------


def first_screen_problems(page: Page) -> list[str]:
    """Without scrolling there is a picture."""
    page.evaluate("window.scrollTo(0, 0)")
    seen = page.evaluate(
        """() => [...document.querySelectorAll("figure i, figure svg path")].filter((mark) => {
          const box = mark.getBoundingClientRect();
          return box.width > 4 && box.top >= 0 && box.bottom <= window.innerHeight;
        }).length"""
    )
    return [] if seen >= MARKS else [f"{seen} marks of a picture on the first screen"]


def test_a_picture_in_the_first_screen(desk: Opened, phone: Opened) -> None:
    """On a desk and on a phone."""
    assert first_screen_problems(desk.page) == []
    assert first_screen_problems(phone.page) == []


# As GitHub shows a page of Markdown, in what matters for its height.
SHEET = """
body { max-width: 900px; margin: 0 auto; padding: 16px; font: 16px/1.5 Helvetica, sans-serif }
table { display: block; width: max-content; max-width: 100%; overflow: auto }
table { border-collapse: collapse } td, th { border: 1px solid; padding: 6px 13px }
pre { padding: 16px; font-size: 85% } img { max-width: 100% }
"""
ROWS = 10  # of README's first table


def readme_problems(browser: Browser, text: str) -> list[str]:
    """At 1280 x 900 a README shows both commands, its picture and the whole first table."""
    body = MarkdownIt("commonmark").enable("table").render(text)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    place = ROOT / "build" / "report" / "readme.html"
    place.parent.mkdir(parents=True, exist_ok=True)
    base = f'<base href="{ROOT.as_uri()}/">'
    place.write_text(f"<!doctype html>{base}<style>{SHEET}</style>{body}", encoding="utf-8")
    page.goto(place.as_uri())
    heights = page.evaluate(
        """() => ["pre", "img", "table"].map((name) => {
          const found = document.querySelector(name);
          return [name, found ? found.getBoundingClientRect().bottom : Infinity];
        })"""
    )
    first, rows = page.inner_text("pre"), page.locator("table").first.locator("tbody tr").count()
    page.close()
    wrong = [f"{name} ends at {bottom}" for name, bottom in heights if bottom > 900]
    wrong += [f"no {name} in {first}" for name in ("make bench", "make test") if name not in first]
    return wrong + ([f"{rows} rows"] if rows > ROWS else [])


def test_the_first_screen_of_the_readme(browser: Browser) -> None:
    """Two commands, a picture, the gain; a longer head or table is seen."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme_problems(browser, text) == []
    longer = text.replace("\n```sh\n", "\n" + "More words. " * 90 + "\n\n```sh\n", 1)
    assert any("table ends" in wrong for wrong in readme_problems(browser, longer))
    other = text.replace("make test ", "make tests", 1).replace("make bench ", "make ", 1)
    assert len(readme_problems(browser, other)) == 1


def glance_problems(page: Page) -> list[str]:
    """Each core's first picture: three figures, every accelerator, the numbers of the README."""
    wrong = []
    records, placed = explore.read_published()
    points = explore.points(records, placed)
    device = explore.usual_device(placed)
    for core in sorted({point.platform for point in points}):
        select(page, "core", core)
        table = f"#glance-{core}"
        text = page.inner_text(table)
        wrong += [f"{core}: no {name}" for name in UNITS if name not in text]
        on = [p for p in points if (p.platform, p.device) == (core, device)]
        whole = [p for p in on if p.clock_of == "whole" and p.verified]
        tiles = page.locator(".tiles strong").count()
        if tiles != (3 if whole else 0):
            wrong.append(f"{core}: {tiles} figures")
        for point in figures.fastest(on):
            row = page.inner_text(f'{table} tr[data-key="{point.label} {core}"]')
            if point.bound != ("\u2264" in row):
                wrong.append(f"{core}, {point.label}: a bound is not marked: {row}")
    return wrong


def test_the_first_picture_of_each_core(desk: Opened) -> None:
    """All accelerators; a bound is marked as one."""
    assert glance_problems(desk.page) == []


def test_the_first_picture_says_what_the_readme_says(desk: Opened) -> None:
    """One source: the table that the README has."""
    records, placed = explore.read_published()
    gain = figures.gain_table(records, placed)
    cores = {point.platform for point in explore.points(records, placed)}
    core = next(word for word in gain.title.split() if word in cores)
    select(desk.page, "core", core)
    shown = [dict(zip(*pair, strict=False)) for pair in csv_rows(desk.page, f"glance-{core}")]
    of = {row["accelerator / variant"]: row for row in shown}
    for row in gain.rows:
        wanted = dict(zip((name for name, _ in gain.heads), row, strict=True))
        # Two columns of the page: the clock, and in brackets the share that is left.
        wanted["core MHz"], _, kept = wanted["core MHz"].partition(" (")
        wanted["clock kept"] = kept.removesuffix(")").replace("\u00a0", " ") or "100 %"
        mine = of[wanted["accelerator / variant"]]
        assert {name: mine[name] for name in wanted} == {
            name: text.replace(",", "") for name, text in wanted.items()
        }


def csv_rows(page: Page, table: str) -> list[tuple[list[str], list[str]]]:
    """A table's heads and each of its rows, from the CSV that the page offers."""
    heads, *rows = csv.reader(io.StringIO(saved(page, table, "csv")))
    return [(heads, row) for row in rows]


def saved(page: Page, table: str, kind: str) -> str:
    """What the page offers as a file of a table."""
    # Chromium drops downloads beyond ten in a second.
    page.wait_for_timeout(150)
    with page.expect_download() as download:
        page.click(f'[data-save="{table}.{kind}"]')
    return Path(download.value.path()).read_text(encoding="utf-8")


# Labels -------------------------------------------------------------------------------------------


def overlaps(page: Page) -> list[str]:
    """Pairs of labels of the same chart that cover each other."""
    found: list[str] = page.evaluate(
        """() => {
          const wrong = [];
          for (const chart of document.querySelectorAll(".chart, .glance thead")) {
            const texts = [...chart.querySelectorAll("svg text, th span")]
              .filter((text) => text.textContent.trim() && text.getAttribute("opacity") !== "0")
              .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }))
              .filter(({ box }) => box.width > 0);
            texts.forEach(({ text, box: a }, at) => {
              for (const { text: other, box: b } of texts.slice(at + 1)) {
                const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (across > 1 && down > 2.5) wrong.push(`${chart.id}: ${text} / ${other}`);
              }
            });
          }
          return wrong;
        }"""
    )
    return found


def name_problems(page: Page) -> list[str]:
    """Each point of the area-time plot has a name, or a number with a name under the plot."""
    found: list[str] = page.evaluate(
        """() => {
          const panels = [...document.querySelectorAll("#pareto figure")];
          if (!panels.length) return ["no panels"];
          return panels.flatMap((panel) => {
            const dots = panel.querySelectorAll(".mark-symbol.role-mark path").length;
            const texts = [...panel.querySelectorAll(".mark-text.role-mark text")];
            const names = texts.map((text) => text.textContent).filter((t) => !/^best/.test(t));
            const key = panel.querySelectorAll(".key li").length;
            const name = panel.dataset.core;
            if (names.length !== dots) return [`${name}: ${names.length} names, ${dots} points`];
            if (new Set(names).size !== dots) return [`${name}: a name twice`];
            const numbered = names.every((text) => /^\\d+$/.test(text));
            return numbered && key !== dots ? [`${name}: ${key} names of ${dots} numbers`] : [];
          });
        }"""
    )
    return found


def test_no_label_covers_another_on_a_desk(desk: Opened) -> None:
    """In every chart, for each device and core; and each point has its name."""
    page = desk.page
    devices = page.eval_on_selector_all('[name="device"] option', "all => all.map(o => o.value)")
    for device in devices:
        select(page, "device", device)
        select(page, "core", "")
        if page.locator("#pareto figure").count():
            assert name_problems(page) == []
        assert overlaps(page) == []
    page.click("#filter button[type=reset]")
    settle(page)
    for mode in ("gcm", "block"):
        select(page, "mode", mode)
        assert (name_problems(page), overlaps(page)) == ([], [])
    page.click("#filter button[type=reset]")


def test_no_label_covers_another_on_a_phone(phone: Opened) -> None:
    """Numbers with a list of names there."""
    select(phone.page, "core", "")
    assert (name_problems(phone.page), overlaps(phone.page)) == ([], [])
    assert width_problems(phone.page) == []
    phone.page.click("#filter button[type=reset]")
    settle(phone.page)


def test_each_core_has_its_front_on_the_same_scale(desk: Opened) -> None:
    """A panel and a line for each core; the axes are equal."""
    page = desk.page
    select(page, "core", "")
    cores = page.eval_on_selector_all("#pareto figure", "all => all.map(f => f.dataset.core)")
    every = explore.points(*explore.read_published())
    assert sorted(cores) == sorted({point.platform for point in every})
    axes = page.eval_on_selector_all(
        "#pareto figure",
        """all => all.map((panel) => [...panel.querySelectorAll(".role-axis-label text")]
          .filter((text) => text.textContent)
          .map((text) => [text.textContent, text.getAttribute("transform")])
          .map(([text, place]) => [text, ...place.match(/[-\\d.]+/g)]))""",
    )
    for axis in axes[1:]:
        assert [text for text, *_ in axis] == [text for text, *_ in axes[0]]
        for (_, *place), (_, *first) in zip(axis, axes[0], strict=True):
            assert all(abs(float(a) - float(b)) < 2 for a, b in zip(place, first, strict=True))
    records, placed = explore.read_published()
    device = explore.usual_device(placed)
    here = [p for p in explore.points(records, placed) if p.device == device]
    wanted = {f"{p.label} {p.platform}" for p in explore.fronts(here, "ctr", "both", bounds=False)}
    page.check('[name="why"]')
    shown = page.eval_on_selector_all(
        "#points tbody tr:has(.dot.front)", "rows => rows.map((row) => row.dataset.key)"
    )
    assert set(shown) == wanted
    page.click("#filter button[type=reset]")
    settle(page)


def test_gates_are_on_one_scale(desk: Opened) -> None:
    """A bar is as long as its gates are many, whatever the unit."""
    bars = desk.page.evaluate(
        """() => {
          const bars = [...document.querySelectorAll("#modules .mark-rect.role-mark path")];
          return bars.map((bar) => bar.getBoundingClientRect().width);
        }"""
    )
    modules = data.collect(*explore.read_published(), [])["modules"]
    assert isinstance(modules, list)
    order = sorted(modules, key=lambda entry: float(entry["total"]))
    gates = [gates for entry in order for _, gates in entry["parts"]]
    assert len(bars) == len(gates)
    scale = max(bars) / max(gates)
    assert all(abs(bar - scale * gate) < 2 for bar, gate in zip(bars, gates, strict=True))


def toggle_problems(page: Page) -> list[str]:
    """Each test of the chosen netlist has its lines over the threshold where it says so."""
    of = page.input_value("#netlist")
    mine = [e for e in ttest.read_published() if f"{e.accelerator} on {e.platform}" == of]
    lines = [
        page.locator(f"#{chart} .mark-line.role-mark path").count() for chart in ("sums", "wires")
    ]
    wanted = [sum(len(entry.sums) for entry in mine), len(mine)]
    problems = [] if lines == wanted else [f"{lines} lines of {of}, not {wanted}"]
    (design,) = [entry for entry in mine if entry.variant == ttest.AS_IS]
    worst = max(design.worst["sum alone"], design.worst["sum stream"])
    told = page.inner_text("#toggles-said")
    missed = [e.variant for e in mine if e.status == "passed" and e is not design]
    for text in (f"{of}, as it is: largest |t| {worst:.1f}", *missed):
        if text not in told:
            problems.append(f"not said: {text}")
    return problems


def test_toggles_of_each_netlist_are_drawn(desk: Opened) -> None:
    """A line for each control, and for each cycle over time; a test left out is seen."""
    netlists = desk.page.locator("#netlist option").all_text_contents()
    assert len(netlists) >= 2
    for of in reversed(netlists):
        desk.page.select_option("#netlist", of)
        settle(desk.page)
        assert toggle_problems(desk.page) == []
    desk.page.evaluate("document.querySelector('#wires .mark-line.role-mark path').remove()")
    assert toggle_problems(desk.page)


def length_problems(page: Page) -> list[str]:
    """Each line of the chart of messages has its name at its end, and there are few."""
    counts = page.evaluate(
        """() => [".mark-line.role-mark path", ".mark-text.role-mark text"].map((marks) =>
          document.querySelectorAll("#lengths " + marks).length)"""
    )
    lines, names = counts
    said = page.locator("#lengths .mark-text.role-mark text").all_text_contents()
    named = [text for text in said if "from" not in text]
    return [] if 2 <= lines <= 12 and len(named) == lines else [f"{lines} lines, {names} names"]


def test_lines_have_their_names(desk: Opened, phone: Opened) -> None:
    """Not thirty grey ones."""
    assert length_problems(desk.page) == []
    assert length_problems(phone.page) == []


# A phone ------------------------------------------------------------------------------------------


def tooltip_problems(page: Page) -> list[str]:
    """What a touched point says is on the screen."""
    wrong = []
    dots = page.locator("#pareto .mark-symbol.role-mark path")
    for number in range(0, dots.count(), 5):
        dots.nth(number).scroll_into_view_if_needed()
        dots.nth(number).hover(force=True)
        page.wait_for_selector("#vg-tooltip-element.visible", state="attached")
        outside = page.evaluate(
            """() => {
              const box = document.getElementById("vg-tooltip-element").getBoundingClientRect();
              return box.left < 0 || box.top < 0 || box.right > window.innerWidth ||
                box.bottom > window.innerHeight;
            }"""
        )
        if outside:
            wrong.append(f"tooltip {number} is not on the screen")
    return wrong


def column_problems(page: Page, name: str = "rate") -> list[str]:
    """A column of the table of designs is seen without scrolling it."""
    box = page.locator(f'#points th[data-column="{name}"]').bounding_box()
    right = box["x"] + box["width"] if box else 10_000
    width = page.evaluate("window.innerWidth")
    return [] if right <= width else [f"{name} ends at {right:.0f} of {width} pixels"]


def paper_problems(page: Page) -> list[str]:
    """The tables of papers scroll in their boxes, and the first column leaves room."""
    wrong = []
    page.evaluate("document.querySelectorAll('#papers details').forEach((d) => { d.open = true; })")
    for found in page.evaluate(
        """() => [...document.querySelectorAll("#papers .scroll")].map((box) => {
          box.scrollLeft = 100000;
          const cells = [...box.querySelectorAll("tbody tr:first-child td")];
          const [outer, first, last] = [box, cells[0], cells.at(-1)]
            .map((part) => part.getBoundingClientRect());
          return { part: first.width / outer.width, left: outer.right - last.right };
        })"""
    ):
        if found["part"] > 0.45:
            wrong.append(f"the first column takes {found['part']:.0%}")
        if found["left"] < -1:
            wrong.append("the last column cannot be reached")
    return wrong + width_problems(page)


def broken_names(page: Page) -> list[str]:
    """Names of designs that are folded elsewhere than after their slash."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("#points tbody td:first-child")].flatMap((cell) =>
          [...cell.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).filter((node) => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return range.getClientRects().length > 1;
          }).map((node) => node.data))"""
    )
    return found


def test_a_phone_shows_all(phone: Opened) -> None:
    """Tooltips, the rate, the tables of papers; nothing is wider than the screen."""
    page = phone.page
    assert tooltip_problems(page) == []
    assert column_problems(page) == []
    assert broken_names(page) == []
    assert paper_problems(page) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_letters_stand_out(browser: Browser, pages: dict[str, Path], scheme: str) -> None:
    """In light and dark, each colour of letters on each ground."""
    found = opened(browser, pages["made"], color_scheme=scheme)
    read = "name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()"
    colours = {
        name: found.page.evaluate(read, f"--{name}")
        for name in ("paper", "raised", "accent-wash", "warn-wash", "ink", "soft", "accent", "warn")
    }
    found.context.close()

    def light(colour: str) -> float:
        parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    pairs = [(of, on) for of in ("ink", "soft", "accent", "warn") for on in ("paper", "raised")]
    for letters, ground in [*pairs, ("ink", "accent-wash"), ("ink", "warn-wash")]:
        low, high = sorted((light(colours[letters]), light(colours[ground])))
        assert (high + 0.05) / (low + 0.05) >= CONTRAST, (letters, ground)


# The form and the address -------------------------------------------------------------------------


def form(page: Page) -> dict[str, str]:
    """What the form holds."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.getElementById("filter").elements]
          .filter((field) => field.name)
          .map((field) => [field.name, field.type === "checkbox" ? field.checked : field.value]))"""
    )
    return found


def change(page: Page) -> None:
    """Change every kind of field, the order, and the design."""
    page.select_option('[name="core"]', index=0)
    page.select_option('[name="mode"]', "ecb")
    page.select_option('[name="bits"]', "256")
    page.fill('[name="minMbit"]', "1.5")
    page.check('[name="constant"]')
    page.check('[name="why"]')
    page.click('#points th[data-column="code"] button')
    page.click('#points th[data-column="code"] button')
    page.evaluate("document.querySelectorAll('#points tbody tr')[2].click()")
    settle(page)


def test_reset_returns_to_the_start(browser: Browser, pages: dict[str, Path]) -> None:
    """Every field, the order, the design and the address."""
    found = opened(browser, pages["published"])
    page = found.page
    before = form(page), page.inner_text("#points"), page.inner_text("#answer"), page.url
    change(page)
    assert form(page) != before[0]
    page.click("#filter button[type=reset]")
    settle(page)
    assert (form(page), page.inner_text("#points"), page.inner_text("#answer"), page.url) == before
    found.context.close()


def test_the_address_keeps_what_was_asked(browser: Browser, pages: dict[str, Path]) -> None:
    """A link opens the page as it was, order and design too; one of a section does so as before."""
    found = opened(browser, pages["published"])
    change(found.page)
    found.page.click("nav a[href='#papers']")
    seen = form(found.page), found.page.inner_text("#points"), found.page.url
    marked = "document.querySelector('#points tr.chosen').dataset.key"
    chosen = found.page.evaluate(marked)
    found.context.close()
    again = opened(browser, pages["made"])
    again.page.goto(seen[2])
    again.page.reload()
    again.page.wait_for_selector("body[data-ready]", state="attached")
    settle(again.page)
    assert (form(again.page), again.page.inner_text("#points")) == seen[:2]
    assert again.page.evaluate(marked) == chosen
    again.page.goto(pages["published"].as_uri() + "#core=nosuch&mode=ecb&what=1")
    settle(again.page)
    assert form(again.page)["mode"] == "ecb"
    said = again.page.inner_text("#wrong")
    assert "core \u201cnosuch\u201d" in said and "what \u201c1\u201d" in said
    again.context.close()


@pytest.mark.parametrize(
    ("name", "text"),
    [("minMbit", "many"), ("maxSize", "-5"), ("maxCode", "1,000"), ("clock", "0")],
)
def test_a_bad_number_is_said(desk: Opened, name: str, text: str) -> None:
    """At its field and above the answer, with what was typed; it limits nothing."""
    page = desk.page
    page.fill(f'[name="{name}"]', text)
    assert text in page.inner_text(f'[data-wrong="{name}"]')
    assert text in page.inner_text("#wrong")
    assert page.get_attribute(f'[name="{name}"]', "aria-invalid") == "true"
    page.click("#filter button[type=reset]")
    # The page's policy forbids what `wait_for_function` would evaluate in it.
    expect(page.locator("#wrong")).to_have_text("")


# Tables, words and claims -------------------------------------------------------------------------


def table_problems(page: Page) -> list[str]:
    """Every table is offered as CSV and as LaTeX, which say the same as the terminal's."""
    wrong = []
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    names = page.eval_on_selector_all("main table", "all => all.map((table) => table.id)")
    for name in names:
        if page.locator(f'[data-save="{name}.csv"]').count() != 1:
            wrong.append(f"{name}: no CSV")
            continue
        heads, *rows = list(csv.reader(io.StringIO(saved(page, name, "csv"))))
        shown = page.eval_on_selector_all(
            f"#{name} tbody tr", "all => all.filter((row) => row.offsetParent).length"
        )
        if len(rows) != shown or any(len(row) != len(heads) for row in rows):
            wrong.append(f"{name}: {len(rows)} rows in the CSV, {shown} on the page")
        latex = saved(page, name, "tex")
        kinds = re.search(r"begin\{tabular\}\{([lr]+)\}", latex)
        title = re.match(r"% (.*)\n", latex)
        if not kinds or not title:
            wrong.append(f"{name}: {latex[:80]}")
            continue
        columns = tuple((head, kind == "r") for head, kind in zip(heads, kinds[1], strict=True))
        same = Table(title[1], columns, tuple(tuple(row) for row in rows))
        if tables.as_latex(same) != latex or tables.as_csv(same) != saved(page, name, "csv"):
            wrong.append(f"{name}: not as the terminal's")
    return wrong if len(names) >= 10 else [*wrong, f"{len(names)} tables"]


def test_every_table_is_offered_as_a_file(desk: Opened) -> None:
    """CSV and LaTeX, offline."""
    assert table_problems(desk.page) == []


def test_columns_have_the_words_of_the_terminal(desk: Opened) -> None:
    """Those of `aesforge explore`."""
    desk.page.check('[name="why"]')
    heads = csv_rows(desk.page, "points")[0][0]
    points = explore.points(*explore.read_published())
    known = {name for name, _ in explore.table(points[:1], "ctr").heads}
    known |= {"LUT4", "Mbit/s per 1000 LUT4", "FF", "BRAM"}
    assert set(heads) <= known
    desk.page.uncheck('[name="why"]')


def test_all_accelerators_appear(desk: Opened) -> None:
    """In the first picture, in the list, in what was checked, and in the count."""
    page = desk.page
    for place in ("#glance", "#unit-list", "#evidence"):
        missing = [name for name in UNITS if name not in page.inner_text(place)]
        assert not missing, place
    assert page.inner_text("#lede").startswith(f"{len(UNITS)} accelerators")


def test_the_citation_is_there(desk: Opened) -> None:
    """As text, and as a file."""
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert desk.page.text_content("#citation") == cited
    with desk.page.expect_download() as download:
        desk.page.click("#save-citation")
    assert Path(download.value.path()).read_text(encoding="utf-8") == cited


def test_what_was_measured_is_no_untested_claim() -> None:
    """A unit with records of equal times claims them with the question that shows it."""
    records = explore.read_published()[0]
    steady = {r.accelerator for r in records if r.question == "ct" and r.status == "passed"}
    promises = data.collect(records, [], [])["promises"]
    assert isinstance(promises, list)
    claims = [
        (entry["accelerator"], claim["text"], claim["status"])
        for entry in promises
        for claim in entry["claims"]
        if entry["accelerator"] in steady and claim["text"].startswith("time independent of key")
    ]
    assert claims
    assert [claim for claim in claims if claim[2] != "shown"] == []
    assert "ct" in QUESTIONS


def test_interrupts_are_in_the_evidence(browser: Browser, tmp_path: Path) -> None:
    """A record of interrupts at every offset is told; without one nothing is."""
    from aesforge.report import page as html

    irq = Record(
        accelerator="small",
        kind="instruction",
        variant="only",
        platform="core",
        question="irq",
        status="passed",
        how=How(inputs_sha256="irq"),
        counts={"offsets": 4321, "fired": 4321, "inside": 4000, "refused": 0, "bad": 0},
    )
    path = tmp_path / "irq.html"
    path.write_text(html.build([*RECORDS, irq], PLACED, []))
    found = opened(browser, path)
    of = csv_rows(found.page, "evidence")
    rows = {row[0]: dict(zip(head, row, strict=True)) for head, row in of}
    assert rows["small/only"]["interrupts at every offset"] == "4321"
    assert rows["quick/only"]["interrupts at every offset"] == "not tested"
    found.context.close()


def test_variants_without_vectors_are_counted(browser: Browser, tmp_path: Path) -> None:
    """The sentence over the evidence says how many have all vectors right, as its table does."""
    from aesforge.report import page as html

    said = {}
    for name in ("", "small"):
        kept = [r for r in RECORDS if r.question != "test" or r.accelerator != name]
        path = tmp_path / f"without-{name}.html"
        path.write_text(html.build(kept, PLACED, []))
        found = opened(browser, path)
        said[name] = found.page.inner_text("#checked-said").split(" variants")[0]
        found.context.close()
    cells = {(r.accelerator, r.variant) for r in RECORDS}
    assert said == {
        "": f"{len(cells)} of {len(cells)}",
        "small": f"{len(cells) - 1} of {len(cells)}",
    }


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """One line, at once, and the exit status of a wrong call."""
    done = subprocess.run(
        [sys.executable, "-m", "aesforge", "report", "-o", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and "is a folder" in done.stderr
    assert list(tmp_path.iterdir()) == []
