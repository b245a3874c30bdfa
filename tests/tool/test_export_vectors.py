# SPDX-License-Identifier: Apache-2.0
"""`make -C sw test` of an export: vectors of every mode and curve, on this machine."""

import re
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from aesforge import export
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.export import samples
from aesforge.export.request import render

SECONDS = 300.0
CELLS = [
    (unit, variant)
    for unit in manifest.discover()
    for variant in unit.manifest.variant
    if unit.manifest.is_unit and export.hosts_of(unit, variant)
]


def _chosen() -> list[tuple[Accelerator, Variant]]:
    """A set, a unit with curves, and one that enciphers only."""
    wanted = (
        lambda unit, variant: unit.manifest.kind == "set",
        lambda unit, variant: unit.manifest.has_ecc(variant),
        lambda unit, variant: "decrypt" not in variant.directions,
    )
    return [next(cell for cell in CELLS if test(*cell)) for test in wanted]


CHOSEN = _chosen()


def run(sw: Path) -> tuple[int, str]:
    """Run the vectors; return the exit status and the output."""
    done = subprocess.run(
        ["make", "-C", sw, "test"], capture_output=True, text=True, check=False, timeout=SECONDS
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("unit", "variant"),
    [pytest.param(*cell, marks=() if cell in CHOSEN else pytest.mark.slow) for cell in CELLS],
    ids=[f"{unit.name}-{variant.name}" for unit, variant in CELLS],
)
def test_every_vector_is_right(unit: Accelerator, variant: Variant, tmp_path: Path) -> None:
    """And is counted under its mode."""
    host = export.hosts_of(unit, variant)[0]
    done = export.export(unit, variant, host, tmp_path / "out")
    status, told = run(done.folder / "sw")
    assert status == 0, told
    rows = samples.rows(unit, variant)
    counted = re.findall(r"^(\S+) +\d+ of (\d+)$", told, re.M)
    asked = {mode: int(count) for mode, count in counted}
    assert asked == Counter(row.mode for row in rows)
    assert f"{len(rows)} of {len(rows)} vectors right" in told
    assert f"{len(rows)} vectors" in (done.folder / "README.md").read_text()
    assert ("xts" in asked) == ("decrypt" in variant.directions)
    assert ("p256_ecdh" in asked) == unit.manifest.has_ecc(variant)


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    """A wrong answer of each mode, and a forgery that is taken for valid."""
    unit, variant = next(cell for cell in CHOSEN if cell[0].manifest.has_ecc(cell[1]))
    done = export.export(unit, variant, export.hosts_of(unit, variant)[0], tmp_path / "out")
    table = done.folder / "sw" / "vectors.h"
    good = samples.rows(unit, variant)
    first = {row.mode: number for number, row in reversed(list(enumerate(good))) if row.valid}
    forged = next(n for n, row in enumerate(good) if row.mode == "gcm" and not row.valid)

    def told(changed: dict[int, samples.Row]) -> list[str]:
        rows = [changed.get(number, row) for number, row in enumerate(good)]
        table.write_text(render("vectors.h.j2", {"rows": rows}))
        status, lines = run(table.parent)
        assert (status != 0) == bool(changed)
        return re.findall(r"^WRONG: (\S+),", lines, re.M)

    assert told({}) == []
    assert told({n: spoilt(good[n]) for n in first.values()}) == list(first)[::-1]
    assert told({forged: replace(good[forged], valid=True)}) == ["gcm"]


def spoilt(row: samples.Row) -> samples.Row:
    """Change the first digit of the answer; of a verification, of the signature."""
    name = next(name for name in ("tag", "result", "key") if getattr(row, name))
    text: str = getattr(row, name)
    return replace(row, **{name: f"{int(text[0], 16) ^ 1:x}{text[1:]}"})
