# SPDX-License-Identifier: Apache-2.0
"""SHA-256 on the cores with the unit: digests, and half the cycles that the C takes."""

from pathlib import Path

import pytest

from aesforge.build import simulate, system
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.reference import digests

HERE = Path(__file__).resolve().parent
UNIT = manifest.load(HERE.parent)
RUNS = [
    (variant, found)
    for variant in UNIT.manifest.variant
    for found in platform.discover()
    if not system.reason_to_skip(UNIT, variant, found)
]
# One cell is enough for `make test`: the question has a record of each. A small core is fast.
CELL = min(RUNS, key=lambda run: len(run[1].core_files()))


def ran(
    unit: Accelerator, variant: Variant, found: Platform, folder: Path, bug: str = ""
) -> digests.Judged:
    """What the core answers to every case of the question `sha256`."""
    firmware = system.build_system_firmware(unit, variant, found, "sha256")
    model = system.build_system_model(unit, variant, found, bug=bug)
    sent, back = folder / "in", folder / "out"
    cases = digests.cases()
    sent.write_bytes(digests.stream(cases))
    result = simulate.run_model(
        model, firmware.image, stream_in=sent, stream_out=back, max_cycles=200_000_000
    )
    assert result.status == "exit" and result.exit == 0, result.stderr
    return digests.judge(cases, back.read_bytes())


@pytest.mark.parametrize(
    ("variant", "found"),
    [
        pytest.param(
            *run,
            id="-".join(each.name for each in run),
            marks=() if run == CELL else pytest.mark.slow,
        )
        for run in RUNS
    ],
)
def test_digests_are_right_and_cheaper(variant: Variant, found: Platform, tmp_path: Path) -> None:
    """NIST's digests and OpenSSL's, in half the cycles of the C, equal for all of one length."""
    cipher = UNIT.cipher()
    assert cipher is not None
    with_unit = ran(UNIT, variant, found, tmp_path)
    in_c = ran(cipher, cipher.variant(""), found, tmp_path)
    for judged in (with_unit, in_c):
        assert not judged.reason and judged.counts["right"] > 100
        assert judged.counts["spread_max"] == 0
    assert 9 * with_unit.counts["4096_cycles"] < 5 * in_c.counts["4096_cycles"]


def test_a_planted_bug_gives_wrong_digests(tmp_path: Path) -> None:
    """The unit computes them: none is right."""
    judged = ran(UNIT, *CELL, tmp_path, bug="BUG_SHIFT")
    assert judged.counts["right"] == 0 and "digests wrong" in judged.reason
