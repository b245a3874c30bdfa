# SPDX-License-Identifier: Apache-2.0
"""messages_bench.py on Verilator: what it finds right, and which planted bugs it sees."""

import json
from pathlib import Path

import pytest

from aesforge.build import cocotb_sim, codegen, library
from aesforge.catalog import manifest, planted
from aesforge.verify import cocotb_bench, unit_bench

UNIT = manifest.load(Path(__file__).resolve().parent.parent)
VARIANT = UNIT.variant("unit")


def verdict(folder: Path, bug: str = "") -> str:
    """Build the bench, with a planted bug if given, and run it: its verdict."""
    made = codegen.generate(folder / "generated", UNIT, VARIANT)
    sources = library.with_shared([*made.rtl, unit_bench.UNIT_TOP], UNIT)
    sources = planted.plant(bug, UNIT.bugs(), sources, folder / "planted")
    job = {
        "operations": [spec.to_json() for spec in unit_bench.specs(UNIT, VARIANT)],
        "models": [str(path) for path in UNIT.models(VARIANT)],
        "seed": unit_bench.SEED,
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    cocotb_sim.run(
        cocotb_sim.build(sources, unit_bench.UNIT_TOP.stem, folder),
        unit_bench.UNIT_TOP.stem,
        "messages_bench",
        seed=unit_bench.SEED,
        env={"AESFORGE_UNIT_BENCH": str(folder / "job.json")},
        seconds=600,
        search=[Path(__file__).parent],
    )
    return " ".join(cocotb_bench.verdict(folder / "results.xml"))


def test_messages(tmp_path: Path) -> None:
    """Every answer is the model's."""
    assert verdict(tmp_path) == "pass 1 tests"


@pytest.mark.slow
@pytest.mark.parametrize("bug", ["BUG_MB_LONE", "BUG_MB_CHAIN", "BUG_MB_KEEPS"])
def test_a_planted_bug_is_seen(tmp_path: Path, bug: str) -> None:
    """In the same requests."""
    assert verdict(tmp_path, bug).endswith("(Mismatch)")
