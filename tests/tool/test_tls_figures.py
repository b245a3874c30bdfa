# SPDX-License-Identifier: Apache-2.0
"""Figures of TLS connections: which one counts, what a record holds, and what a page shows."""

import pytest

from aesforge.catalog import manifest, platform
from aesforge.records.record import Record
from aesforge.stacks import tls_figures as figures
from aesforge.stacks.agreed import SERVER, Agreed, Role
from aesforge.stacks.tls import PHASES, TEXT_BYTES, Result

UNIT = next(
    (unit, variant)
    for unit in manifest.discover()
    for variant in unit.manifest.variant
    if unit.manifest.kind == "instruction" and unit.manifest.has_ecc(variant)
)
CORE = platform.discover()[0]


def connection(handshake: int, data: int) -> Result:
    """One whose phases are the handshake's cycles in the first, and one in each other."""
    rest = (1,) * (len(PHASES) - 1)
    parts = (handshake - len(rest), *rest)
    return Result(handshake, data, parts, (data, *([0] * len(rest))), 1000, 500, "0" * 64)


def made(*results: Result, agreed: Agreed = SERVER) -> Record:
    """The record of some connections."""
    return figures.record(*UNIT, CORE, agreed, results)


def test_the_median_counts() -> None:
    """Each number's own median; the phases are those of one connection."""
    runs = [connection(h, d) for h, d in ((500, 9), (100, 8), (300, 7), (200, 1), (400, 2))]
    counts = made(*runs).counts
    ends = ("", "_min", "_max")
    assert [counts[f"handshake{end}"] for end in ends] == [300, 100, 500]
    assert [counts[f"data{end}"] for end in ends] == [7, 1, 9]
    assert counts["handshake: rest"] == 300 - len(PHASES) + 1
    assert counts["connections"] == 5
    assert figures.median(runs[:2]) == runs[1]


def test_each_agreement_has_its_place() -> None:
    """A client's record does not replace a server's; a second one of the same does."""
    server, client = made(connection(9, 9)), made(connection(9, 9), agreed=Agreed(Role.client))
    assert server.place != client.place
    assert server.place == made(connection(10, 10)).place
    page = figures.page_table([server, client])
    assert page.count("TLS 1.3 server") == page.count("TLS 1.3 client") == 1


@pytest.mark.parametrize("mhz", [None, 50.0])
def test_milliseconds_are_at_the_published_clock(
    mhz: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And are left out where no whole system is published."""
    monkeypatch.setattr(figures, "clock", lambda *what: mhz)
    entry = made(connection(4_000_000, 1_000_000))
    lines = [line for line in figures.page_table([entry]).splitlines() if CORE.name in line]
    assert len(lines) == 1
    cells = [cell.strip() for cell in lines[0].strip("|").split("|")]
    assert cells[:4] == [CORE.name, f"{UNIT[0].name} / {UNIT[1].name}", "4.00", "1.00"]
    rate = 8 * TEXT_BYTES / 1_000_000 * 50
    assert cells[-3:] == (["-"] * 3 if mhz is None else ["50.0", "80.0", f"{rate:.2f}"])


def test_the_clock_is_that_of_the_whole_system() -> None:
    """Software has the core's own; a unit that was not placed in a core has none."""
    soft = next(unit for unit in manifest.discover() if unit.manifest.kind == "software")
    clocks = [figures.clock(soft, soft.manifest.variant[0], core) for core in platform.discover()]
    assert [mhz for mhz in clocks if mhz is not None and mhz > 10]
    other = UNIT[1].model_copy(update={"name": "none-such"})
    assert figures.clock(UNIT[0], other, CORE) is None
