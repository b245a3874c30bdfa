# SPDX-License-Identifier: Apache-2.0
"""Variant `hardened`: no flipped flip-flop gives a wrong result; each countermeasure is needed.

The published campaign has every operation of the variant as it is. Here it has the fewest
registers: one direction, 128-bit keys, eight done-bits.
"""

import json
import re
from pathlib import Path

import pytest

from aesforge.build import library
from aesforge.catalog import manifest, planted
from aesforge.catalog.model_file import load_model
from aesforge.faults import campaign
from aesforge.faults.campaign import Target
from aesforge.synth import flow
from aesforge.synth.flow import Design

HERE = Path(__file__).resolve().parent
MASTER = manifest.load(HERE.parent)
HARDENED = Target(MASTER, MASTER.variant("hardened"))
FEWEST: dict[str, str | int] = {"Dir": "enc", "Has192": 0, "Has256": 0, "MaxBlocks": 8}
ECB, CBC, CTR = "ecb-encrypt-128", "cbc-encrypt-128", "ctr-encrypt-128"
TOUCHED, OUTSIDE = "touched-ecb-encrypt-128", "outside-ecb-encrypt-128"

# The operation in which a countermeasure is missed.
NEEDS = {
    "BUG_PARITY_SLOT": ECB,
    "BUG_PARITY_READ_ADDRESS": ECB,
    "BUG_PARITY_JOB": CTR,
    "BUG_PARITY_MODE": CBC,
    "BUG_PARITY_CHAIN": CBC,
    "BUG_PARITY_DONE": TOUCHED,
    "BUG_PARITY_STATE": ECB,
    "BUG_PARITY_KEYS": ECB,
    "BUG_ALERT_GATE": OUTSIDE,
    "BUG_ALERT_SLAVE": ECB,
}
BUGS = [bug.name for bug in MASTER.manifest.bug if bug.name in NEEDS]


def made(bug: str, folder: Path) -> tuple[Path, list[str]]:
    """The campaign's program, with a planted bug if one is named, and what it flips."""
    top, params = campaign.circuit(HARDENED)
    files = planted.plant(bug, MASTER.bugs(), library.rtl_files(MASTER, top), folder / "planted")
    design = Design(tuple(files), top, params=tuple({**params, **FEWEST}.items()))
    outside = str(load_model(MASTER.file(campaign.HOST)).OUTSIDE)
    return campaign.compile_program(design, folder, folder / "log", outside_of=outside)


def flipped(program: tuple[Path, list[str]], operation: str) -> campaign.Result:
    """The campaign of an operation."""
    return campaign.run_job(*program, campaign.jobs(HARDENED, [operation])[0])


@pytest.mark.slow
def test_no_flip_is_silent(tmp_path: Path) -> None:
    """Every flip-flop in every cycle: the right result, none, or an alert; no write elsewhere."""
    program = made("", tmp_path)
    for operation in (ECB, CBC, CTR, TOUCHED, OUTSIDE):
        found = flipped(program, operation)
        assert found.silent == 0, (operation, found.wrong_in)
        assert found.outcomes["alert"] > 0.1 * found.faults or operation == OUTSIDE


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_each_countermeasure_is_needed(bug: str, tmp_path: Path) -> None:
    """Without it flips are silent."""
    assert flipped(made(bug, tmp_path), NEEDS[bug]).silent > 0


def test_there_are_bugs() -> None:
    """One for each countermeasure that a campaign misses; benches have the others."""
    kinds = ("BUG_PARITY", "BUG_ALERT")
    guards = {bug.name: bug.bench for bug in MASTER.manifest.bug if bug.name.startswith(kinds)}
    assert {name for name, bench in guards.items() if bench == "none"} == set(NEEDS)
    assert set(guards.values()) == {"none", "alert", "dma_guarded"}


@pytest.mark.slow
def test_synthesis_keeps_the_parity_bits(tmp_path: Path) -> None:
    """Each parity bit that changes is a flip-flop of a netlist for ECP5, and no register's copy."""
    params = {**MASTER.manifest.circuit(HARDENED.variant)[1], **FEWEST}
    top = "aes_dma_core_guarded"
    design = Design(tuple(library.rtl_files(MASTER, top)), top, params=tuple(params.items()))
    script = [f"synth_ecp5 -abc9 -top {top}", "write_json net.json"]
    flow.yosys([*design.read_commands(), *script], tmp_path, "map", tmp_path / "log")
    module = json.loads((tmp_path / "net.json").read_text())["modules"][top]
    flops = [cell for cell in module["cells"].values() if cell["type"] == "TRELLIS_FF"]
    stored = {cell["connections"]["Q"][0] for cell in flops}
    parity, others = set[int](), set[int]()
    for name, net in module["netnames"].items():
        bits = {bit for bit in net["bits"] if isinstance(bit, int)}  # not constants
        if name.endswith("_p"):
            assert bits <= stored, name
            parity |= bits
        elif not re.search("_(LUT4|PFUMX|TRELLIS_FF|CCU2C)_", name):  # Yosys's own names
            others |= bits & stored
    assert len(parity) > 100
    assert not parity & others
