# SPDX-License-Identifier: Apache-2.0
"""The report in Debian's Chromium, for tests that look at it."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from aesforge.build import simulate
from aesforge.report import explore
from aesforge.report import page as html
from explore_support import PLACED, RECORDS, placed

SECONDS = 60_000  # milliseconds that anything in the browser may take on a busy machine
PHONE = 390  # pixels
ON_A_PHONE: dict[str, object] = {
    "viewport": {"width": PHONE, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}


@dataclass
class Opened:
    """A page and everything that it complained of or asked the network for."""

    page: Page
    context: BrowserContext
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    program = shutil.which("chromium")
    assert program, "chromium is missing: run `make setup`"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The report of three made-up designs, and that of the published records."""

    def build(folder: Path) -> None:
        # A second device whose clock is not known.
        gates = [placed("small", "unit", 300, None, target="xc4v")]
        (folder / "made.html").write_text(html.build(RECORDS, [*PLACED, *gates], []))
        (folder / "published.html").write_text(html.build(*explore.read_published(), []))

    # Once in a test run: its workers have folders side by side.
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = simulate.cached(shared / "report-pages", build)
    return {name: folder / f"{name}.html" for name in ("made", "published")}


def opened(browser: Browser, path: Path, **options: object) -> Opened:
    """Open a file and wait until its charts are drawn, or ten seconds."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    found = Opened(context.new_page(), context)
    page = found.page
    page.set_default_timeout(SECONDS)
    page.on("console", lambda said: found.complaints.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.on("request", lambda asked: found.requests.append(asked.url))
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]", state="attached", timeout=10_000)
    return found


def width_problems(page: Page) -> list[str]:
    """A page must not be wider than its window; what is wide scrolls by itself."""
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return [f"{wide} pixels too wide"] if wide > 0 else []
