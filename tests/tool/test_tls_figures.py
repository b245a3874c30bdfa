# SPDX-License-Identifier: Apache-2.0
"""Figures of TLS connections: which one counts, what a record holds, and what a page shows."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from aesforge import cli
from aesforge.base import proc
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.report import publish, tls_chart
from aesforge.stacks import bearssl, mbedtls, own, tls, wolfssl
from aesforge.stacks import tls_figures as figures
from aesforge.stacks.agreed import SERVER, Agreed, Cipher, Role, Stack, Version
from aesforge.stacks.tls import PHASES, TEXT_BYTES, Result
from aesforge.synth import synthesis

UNIT = next(
    (unit, variant)
    for unit in manifest.discover()
    for variant in unit.manifest.variant
    if unit.manifest.kind == "instruction" and unit.manifest.has_ecc(variant)
)
CORE = platform.discover()[0]
WOLFSSL = Agreed(stack=Stack.wolfssl)


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


def test_own_crypto_is_what_a_unit_is_compared_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the same core and of the same stack; it has a clock as software has, the core's own."""

    def core_alone(unit: Accelerator, variant: Variant, core: Platform, placed: object) -> object:
        return 40.0 if unit.manifest.kind == "software" and core is CORE else None

    def own_record(name: str, core: Platform, handshake: int, data: int) -> Record:
        results = [connection(handshake, data)]
        return figures.record(*own.stack(Stack.wolfssl, name), core, WOLFSSL, results)

    monkeypatch.setattr(figures, "clock", core_alone)
    monkeypatch.setattr(
        figures.platforms, "find", lambda name: CORE if name == CORE.name else other
    )
    unit = figures.record(*UNIT, CORE, WOLFSSL, [connection(1000, 50)])
    other = platform.discover()[1]
    found = [
        unit,
        own_record(own.NAME, CORE, 16_400, 420),
        own_record(own.FIXED, CORE, 8_200, 420),
        own_record(own.SIZE, CORE, 24_600, 630),
        own_record(own.NAME, other, 99_000, 999),
        made(connection(1000, 50)),  # of another stack: there is no record of its own crypto
    ]
    lines = figures.page_table(found).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    shown = {(row[0], row[1]): row for row in cells if " / " in row[1]}
    name = f"{UNIT[0].name} / {UNIT[1].name}"
    ratios = [row[-4:] for row in cells if row[1:2] == [name]]  # of handshake, then of the data
    assert ratios == [["-"] * 4, ["16.4", "24.6", "8.4", "12.6"]]
    assert shown[CORE.name, "wolfssl / own"][-4:] == ["1.0", "1.5", "1.0", "1.5"]
    assert shown[CORE.name, "wolfssl / own-sp"][-4:] == ["2.0", "3.0", "1.0", "1.5"]
    assert shown[CORE.name, "wolfssl / own-size"][-4:] == ["0.7", "1.0", "0.7", "1.0"]
    assert shown[other.name, "wolfssl / own"][-4:] == ["1.0", "-", "1.0", "-"]
    assert shown[CORE.name, "wolfssl / own"][10] == "40.0"
    assert shown[other.name, "wolfssl / own"][10] == "-"


def test_each_agreement_has_its_place() -> None:
    """A client's record does not replace a server's; a second one of the same does."""
    server, client = made(connection(9, 9)), made(connection(9, 9), agreed=Agreed(Role.client))
    assert server.place != client.place
    assert server.place == made(connection(10, 10)).place
    page = figures.page_table([server, client])
    assert page.count("TLS 1.3 server") == page.count("TLS 1.3 client") == 1


def test_each_stack_has_its_place() -> None:
    """Records and tables of the default stack are named as they were before there was another."""
    older = Agreed(version=Version.tls12)
    records = {
        stack: made(connection(9, 9), agreed=Agreed(version=Version.tls12, stack=stack))
        for stack in Stack
    }
    assert records[Stack.mbedtls].question == "tls server 1.2 P-256 AES-128-GCM"
    assert records[Stack.bearssl].question == "tls server 1.2 P-256 AES-128-GCM bearssl"
    assert records[Stack.wolfssl].question == "tls server 1.2 P-256 AES-128-GCM wolfssl"
    assert records[Stack.mbedtls].place == made(connection(1, 1), agreed=older).place
    tools = {stack: entry.how.tools for stack, entry in records.items()}
    assert tools[Stack.mbedtls]["mbedtls"] == mbedtls.VERSION
    assert tools[Stack.bearssl]["bearssl"] == bearssl.version()
    assert tools[Stack.wolfssl]["wolfssl"] == wolfssl.SOURCE.version
    assert "mbedtls" not in tools[Stack.bearssl] | tools[Stack.wolfssl]
    page = figures.page_table(list(records.values()))
    titles = [line for line in page.splitlines() if line.startswith("**")]
    assert titles == [
        f"**TLS 1.2 server ({name}): ECDHE P-256, ECDSA P-256, AES-128-GCM**"
        for name in ("Mbed TLS", "BearSSL", "wolfSSL")
    ]


def test_kept_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest five of one system, agreement and OpenSSL; not those of another."""
    monkeypatch.setattr(figures, "KEPT", tmp_path)
    monkeypatch.setattr(proc, "version_line", lambda *words: "OpenSSL 3")
    runs = [connection(100 + i, 50) for i in range(figures.CONNECTIONS + 2)]
    other = Agreed(cipher=Cipher.gcm256)
    inputs = runs[0].inputs_sha256
    for run in runs:
        figures.keep(SERVER, run)
    figures.keep(other, runs[0])
    assert figures.kept(inputs, SERVER) == runs[2:]
    assert figures.kept(inputs, other) == runs[:1]
    assert figures.kept("1" * 64, SERVER) == []
    monkeypatch.setattr(proc, "version_line", lambda *words: "OpenSSL 4")
    assert figures.kept(inputs, SERVER) == []


def test_publishing_repeats_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One connection and then `--publish`: four more; then none."""
    count = 0

    def connect(*what: object, **how: object) -> Result:
        nonlocal count
        count += 1
        return connection(1000 + count, 50)

    written: list[Record] = []
    monkeypatch.setattr(figures, "KEPT", tmp_path)
    monkeypatch.setattr(tls, "connect", connect)
    monkeypatch.setattr(tls, "build", lambda *what: SimpleNamespace(inputs_sha256="0" * 64))
    monkeypatch.setattr(publish, "write", lambda connected: written.extend(connected))
    unit = f"{UNIT[0].name}/{UNIT[1].name}"
    words = ["tls", "--accel", unit, "--platform", CORE.name, "--against", "none"]
    for more, total in (([], 1), (["--publish"], 5), (["--publish"], 5), ([], 6)):
        done = CliRunner().invoke(cli.app, [*words, "--stack", "bearssl", *more])
        assert done.exit_code == 0, done.output
        assert count == total
    assert [entry.counts["connections"] for entry in written] == [figures.CONNECTIONS] * 2
    assert written[0].counts["handshake"] == 1003
    assert written[0].question.endswith(" bearssl")


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
    assert cells[-9:-7] == ["1.0", "0.5"]
    rate = 8 * TEXT_BYTES / 1_000_000 * 50
    assert cells[-7:-4] == (["-"] * 3 if mhz is None else ["50.0", "80.0", f"{rate:.2f}"])


def test_the_clock_is_that_of_the_whole_system() -> None:
    """Software has the core's own; a unit that was not placed in a core has none."""
    soft = next(unit for unit in manifest.discover() if unit.manifest.kind == "software")
    clocks = [figures.clock(soft, soft.manifest.variant[0], core) for core in platform.discover()]
    assert [mhz for mhz in clocks if mhz is not None and mhz > 10]
    other = UNIT[1].model_copy(update={"name": "none-such"})
    assert figures.clock(UNIT[0], other, CORE) is None


def test_the_chart_shows_the_shortest_handshake_of_each_core() -> None:
    """Beside the stack's own crypto; a longer handshake makes another picture, no clock none."""
    published = record.read_published(figures.PUBLISHED)
    placed = synthesis.read_published()
    made = tls_chart.svg(published, placed)
    assert made == tls_chart.PICTURE.read_text(encoding="utf-8")
    for core in platform.discover():
        assert made.count(f">{core.name}, ") == 3  # own crypto, and the unit twice
    slower = [
        entry.model_copy(update={"counts": {name: 2 * n for name, n in entry.counts.items()}})
        for entry in published
    ]
    assert tls_chart.svg(slower, placed) != made
    assert " ms<" not in tls_chart.svg(published, [])
