# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser: filter, sort, plot, sources, phone, print; and planted defects.

The page judges designs by itself, so its verdicts are compared with those of `aesforge pick`. Each
check is a function that returns what is wrong; the defects at the end must make it say something.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from aesforge.base.paths import ROOT
from aesforge.report import explore, pick
from aesforge.report import page as html
from aesforge.report.explore import DesignPoint
from aesforge.report.pick import Budget, Choice
from explore_support import DEVICE, PLACED, RECORDS
from report_support import ON_A_PHONE, Opened, browser, opened, pages, width_problems

__all__ = ["browser", "pages"]  # fixtures

OPENS = 2_000  # milliseconds to a page that can be used

# As the form's fields have it, and as `aesforge pick` has it.
REQUESTS: list[dict[str, str]] = [
    {},
    {"minMbit": "20"},
    {"minMbit": "50", "way": "encrypt"},
    {"minMbit": "1000"},
    {"minMbit": "20", "maxSize": "299"},
    {"minMbit": "20", "maxSize": "299", "maxCode": "1999"},
    {"minMbit": "20", "mode": "ctr", "maxCode": "1500", "constant": "on"},
    {"mode": "gcm", "minMbit": "1"},
    {"mode": "gcm", "way": "decrypt"},
    {"mode": "block", "clock": "50", "minMbit": "30"},
    {"clock": "120", "minMbit": "30", "maxSize": "500"},
    {"bits": "256"},
    {"minMbit": "50", "constant": "on"},
    {"minMbit": "100", "mode": "block"},
    {"minMbit": "20", "bounds": "on"},
    {"minMbit": "50", "way": "encrypt", "bounds": "on"},
    {"mode": "gcm", "minMbit": "1", "bounds": "on", "constant": "on"},
    {"clock": "120", "minMbit": "30", "maxSize": "500", "bounds": "on"},
]


@pytest.fixture(scope="module")
def made(browser: Browser, pages: dict[str, Path]) -> Iterator[Opened]:
    """The page of the three designs, open."""
    found = opened(browser, pages["made"])
    yield found
    found.context.close()


@pytest.fixture(scope="module")
def published(browser: Browser, pages: dict[str, Path]) -> Iterator[Opened]:
    """The page of the published records, open."""
    found = opened(browser, pages["published"])
    yield found
    found.context.close()


# Checks: each returns what is wrong ---------------------------------------------------------------


def ask(page: Page, request: dict[str, str], device: str = "", core: str = "") -> None:
    """Fill the form in; what a request does not name is as after Reset, without a rate."""
    page.evaluate(
        """([request, device, core]) => {
          const form = document.getElementById("filter");
          const defaults = { way: "both", mode: "ecb", bits: "128", minMbit: "", maxSize: "" };
          const all = { ...defaults, maxCode: "", clock: "", core, ...request };
          if (device) all.device = device;
          form.elements.why.checked = true;
          for (const name of ["constant", "bounds"]) {
            form.elements[name].checked = all[name] === "on";
            delete all[name];
          }
          for (const [name, value] of Object.entries(all)) form.elements[name].value = value;
          form.dispatchEvent(new Event("input"));
        }""",
        [request, device, core],
    )


def answer(points: list[DesignPoint], request: dict[str, str]) -> Choice:
    """What `aesforge pick` says to the same request."""

    def limit(name: str) -> float | None:
        return float(request[name]) if name in request else None

    size, code = limit("maxSize"), limit("maxCode")
    fpga = explore.lut_name(points[0].device) != "GE"
    asked = Budget(
        request.get("mode", "ecb"),
        explore.way(request.get("way", "both")),
        min_mbit=limit("minMbit"),
        max_lut=int(size) if size is not None and fpga else None,
        max_gates=int(size) if size is not None and not fpga else None,
        max_code=int(code) if code is not None else None,
        clock_mhz=limit("clock"),
        constant_time="constant" in request,
        bounds="bounds" in request,
    )
    return pick.pick(points, asked)


def filter_problems(
    page: Page,
    every: Callable[[int], list[DesignPoint]],
    requests: Sequence[dict[str, str]] = REQUESTS,
) -> list[str]:
    """Compare what fits, in which order, and what to relax with `aesforge pick`."""
    wrong = []
    device = every(128)[0].device
    for request in requests:
        points = every(int(request.get("bits", "128")))
        expected = answer(points, request)
        ask(page, request, device)
        fits = page.eval_on_selector_all("#points tr.fits", "rows => rows.map(r => r.dataset.key)")
        wanted = [f"{v.point.label} {v.point.platform}" for v in expected.fitting]
        if [key.split()[0] for key in fits] != [key.split()[0] for key in wanted]:
            wrong.append(f"{request}: {fits}, not {wanted}")
        said = page.inner_text("#answer")
        if wanted and wanted[0].split()[0] not in said:
            wrong.append(f"{request}: the answer does not name {wanted[0]}: {said}")
        for verdict in [] if wanted else expected.relaxations:
            for miss in verdict.misses:
                value = f"{pick.allowed(miss.value or 0, miss.limit):g}"
                if not re.search(rf"to {re.escape(value)}\b", said):
                    wrong.append(f"{request}: no advice to go to {value}: {said}")
        if without := page.locator("#points tr.out:not(:has(.why))").count():
            wrong.append(f"{request}: {without} rows fall out without a reason")
    return wrong


def sort_problems(page: Page) -> list[str]:
    """Sort by each column of numbers, both ways."""
    wrong = []
    ask(page, {})
    for name in ("size", "cycles", "rate", "code"):
        for order, down in (("ascending", False), ("descending", True)):
            page.click(f'th[data-column="{name}"] button')
            head = page.query_selector(f'th[data-column="{name}"]')
            assert head is not None
            if head.get_attribute("aria-sort") != order:
                wrong.append(f"{name}: {head.get_attribute('aria-sort')}, not {order}")
            shown = numbers(page, name)
            if shown != sorted(shown, reverse=down):
                wrong.append(f"{name}, {order}: {shown}")
    return wrong


def numbers(page: Page, column: str) -> list[float]:
    """A column's numbers from above; no number: left out."""
    texts = page.evaluate(
        """(name) => {
          const heads = [...document.querySelectorAll("#points th")];
          const at = heads.findIndex((head) => head.dataset.column === name);
          const rows = [...document.querySelectorAll("#points tbody tr")];
          return rows.map((row) => row.children[at].innerText);
        }""",
        column,
    )
    found = (re.sub(r"[^\d.]", "", text.split("\n")[0]) for text in texts)
    return [float(text) for text in found if text]


def figure_problems(page: Page, points: list[DesignPoint]) -> list[str]:
    """Compare each row's rate and area with the design point's."""
    wrong = []
    ask(page, {"way": "encrypt"}, points[0].device)
    texts = page.eval_on_selector_all(
        "#points tr[data-key]",
        "rows => Object.fromEntries(rows.map(row => [row.dataset.key, row.innerText]))",
    )
    for point in points:
        rate, size = point.mbit("ecb"), point.area.size
        text = texts.get(f"{point.label} {point.platform}")
        if text is None:
            wrong.append(f"{point.label} on {point.platform} is missing")
            continue
        text = text.replace("\u202f", "")
        for value in (rate, size):
            if value is not None and not shows(text, value):
                wrong.append(f"{point.label} on {point.platform}: no {value:g} in {text!r}")
    return wrong


def shows(text: str, value: float) -> bool:
    """Whether a text has a number that is the value to three digits."""
    found = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]
    return any(abs(number - value) <= 0.006 * max(value, 0.1) for number in found)


def plot_problems(page: Page, points: list[DesignPoint]) -> list[str]:
    """Count the marks of the area-time plot and compare the front with the tool's."""
    wrong = []
    ask(page, {"way": "encrypt"}, points[0].device, points[0].platform)
    wanted = [p for p in points if p.area.size and p.platform == points[0].platform]
    page.wait_for_function(
        "n => document.querySelectorAll('#pareto .mark-symbol.role-mark path').length === n",
        arg=len(wanted),
        timeout=10_000,
    )
    fronts = explore.fronts(points, "ecb", bounds=False)
    front = {p.label for p in fronts if p.platform == points[0].platform}
    names = "rows => rows.filter(r => r.querySelector('.dot.front')).map(r => r.dataset.key)"
    shown = page.eval_on_selector_all("#points tbody tr", names)
    if {key.split()[0] for key in shown} != front:
        wrong.append(f"front {shown}, not {front}")
    for chart in ("breakdown", "lengths"):
        if not page.query_selector(f"#{chart} svg path"):
            wrong.append(f"{chart} is empty")
    return wrong


def source_problems(page: Page) -> list[str]:
    """Click a number of each column that has a source."""
    wrong = []
    ask(page, {})
    for column in ("size", "cycles", "rate"):
        page.evaluate(
            """(name) => {
              const heads = [...document.querySelectorAll("#points th")];
              const at = heads.findIndex((head) => head.dataset.column === name);
              for (const row of document.querySelectorAll("#points tbody tr")) {
                const number = row.children[at].querySelector("[data-source]");
                if (number) return number.click();
              }
            }""",
            column,
        )
        dialog = page.query_selector("dialog[open]")
        said = dialog.inner_text() if dialog else ""
        for text in ("aesforge", "SHA-256", "record"):
            if text not in said:
                wrong.append(f"{column}: the source does not say {text}: {said!r}")
        if dialog:
            page.click("dialog[open] button")
    return wrong


def made_points(bits: int) -> list[DesignPoint]:
    """The design points of the made-up page."""
    return [p for p in explore.points(RECORDS, PLACED, bits) if p.device == DEVICE]


# The page as it is --------------------------------------------------------------------------------


def test_filter(made: Opened) -> None:
    """The page's verdicts are those of `aesforge pick`."""
    assert filter_problems(made.page, made_points) == []


def test_filter_on_published_records(published: Opened) -> None:
    """The same on three devices that have records, a few requests each."""
    records, silicon = explore.read_published()
    by_bits = {bits: explore.points(records, silicon, bits) for bits in (128, 256)}
    devices = sorted({point.device for point in by_bits[128]})
    for device in (explore.usual_device(silicon), devices[0], devices[-1]):

        def every(bits: int, device: str = device) -> list[DesignPoint]:
            return [p for p in by_bits[bits] if p.device == device]

        assert filter_problems(published.page, every, REQUESTS[1::4]) == []


def test_figures(made: Opened, published: Opened) -> None:
    """What a row shows is what the design point has."""
    assert figure_problems(made.page, made_points(128)) == []
    records, silicon = explore.read_published()
    device = explore.usual_device(silicon)
    points = [p for p in explore.points(records, silicon) if p.device == device]
    assert figure_problems(published.page, points) == []


def test_sort(made: Opened, published: Opened) -> None:
    """Every column, both ways."""
    assert sort_problems(made.page) == []
    assert sort_problems(published.page) == []


def test_plot(made: Opened) -> None:
    """A mark for each design, the front marked, the other charts drawn."""
    assert plot_problems(made.page, made_points(128)) == []


def test_sources(made: Opened, published: Opened) -> None:
    """Every number says where it is from."""
    assert source_problems(made.page) == []
    assert source_problems(published.page) == []


def test_a_device_without_clock(made: Opened) -> None:
    """No rate is made up; a clock of one's own helps."""
    ask(made.page, {"minMbit": "1"}, "xc4v")
    assert "Nothing fits" in made.page.inner_text("#answer")
    assert "no clock known" in made.page.inner_text("#points")
    ask(made.page, {"minMbit": "5", "clock": "50"}, "xc4v")
    assert "small/only" in made.page.inner_text("#answer")
    assert "not checked" in made.page.inner_text("#answer")


def test_a_bad_number_is_marked(made: Opened) -> None:
    """Words in a field of numbers are no limit, and are seen."""
    ask(made.page, {"minMbit": "many"}, DEVICE)
    assert made.page.get_attribute('[name="minMbit"]', "aria-invalid") == "true"
    assert "The cheapest of 3" in made.page.inner_text("#answer")


def test_reset(made: Opened) -> None:
    """Back to the first budget and order."""
    ask(made.page, {"maxSize": "1"})
    made.page.click('th[data-column="code"] button')
    made.page.click("#filter button[type=reset]")
    made.page.wait_for_selector('th[data-column="code"][aria-sort="none"]')
    assert made.page.input_value('[name="maxSize"]') == ""


def test_everything_is_told(published: Opened) -> None:
    """Each design has its evidence, each unit its promises, each paper its table."""
    page = published.page
    evidence = page.inner_text("#evidence")
    for record in explore.read_published()[0]:
        if record.question == "speed" and record.status == "passed":
            assert f"{record.accelerator}/{record.variant}" in evidence
    assert page.locator("#promises > div").count() >= 1
    assert page.locator("#paper-list details").count() == len(
        list((ROOT / "papers").glob("*.toml"))
    )
    assert page.locator(".waves svg").count() >= 5


def test_nothing_is_complained_of_or_asked_for(made: Opened, published: Opened) -> None:
    """No message in the console, no request except for the file itself."""
    for found in (made, published):
        assert found.complaints == []
        assert [url for url in found.requests if not url.startswith(("file:", "data:"))] == []


def test_one_file_of_bounded_size(pages: dict[str, Path]) -> None:
    """Nothing is loaded from elsewhere, and the browser is told to refuse it."""
    text = pages["published"].read_text()
    assert len(text.encode()) <= html.MAX_BYTES
    assert "default-src 'none'" in text
    markup = re.sub(r"(<script[^>]*>).*?</script>", r"\1", text, flags=re.DOTALL)
    assert not re.search(r"\b(src|href)=\"(?!data:|#)", markup)
    assert "@import" not in markup and "url(" not in markup


def test_it_opens_fast(browser: Browser, pages: dict[str, Path]) -> None:
    """The best of three: other work on the machine is not the page's."""
    times = []
    for _ in range(3):
        found = opened(browser, pages["published"])
        times.append(
            found.page.evaluate("performance.getEntriesByName('usable')[0].startTime"),
        )
        found.context.close()
    assert min(times) < OPENS


def test_phone(browser: Browser, pages: dict[str, Path]) -> None:
    """Readable at 390 pixels: nothing sticks out, letters are not small."""
    found = opened(browser, pages["published"], **ON_A_PHONE)
    assert width_problems(found.page) == []
    sizes = "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
    assert min(found.page.eval_on_selector_all("p, td, label, input, select", sizes)) >= 12
    found.context.close()


def test_print(browser: Browser, pages: dict[str, Path], tmp_path: Path) -> None:
    """In ink on white whatever the screen's colours, whole tables, on some sheets."""
    found = opened(browser, pages["published"], color_scheme="dark")
    page = found.page
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    hidden = "all => all.filter(e => getComputedStyle(e).display !== 'none').length"
    assert page.eval_on_selector_all("nav, button[type=reset]", hidden) == 0
    clipped = "all => all.filter(e => getComputedStyle(e).overflowX !== 'visible').length"
    assert page.eval_on_selector_all(".scroll", clipped) == 0
    sheet = page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    assert 4 <= sheet.count(b"/Type /Page\n") + sheet.count(b"/Type /Page ") <= 60
    found.context.close()


def test_equal_records_give_equal_pages(pages: dict[str, Path]) -> None:
    """Nothing of the day or the machine is in it."""
    again = html.build(*explore.read_published(), [])
    assert again == pages["published"].read_text()
    assert str(ROOT) not in again


# Planted defects ----------------------------------------------------------------------------------

DEFECTS: dict[str, tuple[str, str, Callable[[Page], list[str]]]] = {
    "bits for bytes": (
        "(8 * mhz) / cycles",
        "mhz / cycles",
        lambda page: figure_problems(page, made_points(128)),
    ),
    "the limit from the wrong side": (
        "most ? value > bound : value < bound",
        "value > bound",
        lambda page: filter_problems(page, made_points),
    ),
    "constant time not asked": (
        "asked.constant && !point.cell.constantTime",
        "false",
        lambda page: filter_problems(page, made_points),
    ),
    "advice rounded inwards": (
        "(value > limit ? Math.ceil : Math.floor)",
        "(value > limit ? Math.floor : Math.ceil)",
        lambda page: filter_problems(page, made_points),
    ),
    "a reason that is lost": (
        '<span class="why">',
        "<span>",
        lambda page: filter_problems(page, made_points),
    ),
    "the faster direction": (
        "Math.max(there, back)",
        "Math.min(there, back) / 2",
        lambda page: filter_problems(page, made_points),
    ),
    "sorted upwards only": ("sort.down ? -1 : 1", "1", sort_problems),
    "a front of everything": (
        "p.front = !group.some(",
        "p.front = group.some(",
        lambda page: plot_problems(page, made_points(128)),
    ),
    "a source that is lost": ("showModal()", "close()", source_problems),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_defect_is_seen(
    browser: Browser, pages: dict[str, Path], tmp_path: Path, name: str
) -> None:
    """The page with one line broken fails the check that is there for it."""
    old, new, check = DEFECTS[name]
    text = pages["made"].read_text()
    assert text.count(old) == 1, f"{name}: the line is not there once"
    broken = tmp_path / "broken.html"
    broken.write_text(text.replace(old, new))
    found = opened(browser, broken)
    assert check(found.page), f"{name}: not seen"
    found.context.close()


def test_a_broken_script_is_seen(browser: Browser, pages: dict[str, Path], tmp_path: Path) -> None:
    """An exception reaches the list of complaints."""
    broken = tmp_path / "broken.html"
    text = pages["made"].read_text().replace("renderPapers();\n  const", "nosuch();\n  const")
    broken.write_text(text)
    with pytest.raises(Exception, match="Timeout"):
        opened(browser, broken)


# The command --------------------------------------------------------------------------------------


def test_command(tmp_path: Path) -> None:
    """It writes the file; a place that cannot be written is said at once."""

    def run(target: Path) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "aesforge", "report", "-o", str(target)],
            capture_output=True,
            text=True,
            timeout=300,
            env={**os.environ, "COLUMNS": "200"},
            check=False,
        )

    done = run(tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
    done = run(tmp_path / "nosuch" / "report.html")
    assert done.returncode == 2 and "cannot write" in done.stderr
    assert "Traceback" not in done.stderr
