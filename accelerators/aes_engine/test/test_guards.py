# SPDX-License-Identifier: Apache-2.0
"""Variant `hardened`: no flipped flip-flop gives a wrong result, and each countermeasure is needed.

The published campaign has every operation of the RTL as it is. Here the tables are logic
(sbox_rom_logic.sv), with the same registers.
"""

from pathlib import Path

import pytest

from aesforge.build import library
from aesforge.catalog import manifest, planted
from aesforge.faults import campaign
from aesforge.faults.campaign import Target
from aesforge.synth.flow import Design

HERE = Path(__file__).resolve().parent
ENGINE = manifest.load(HERE.parent)
HARDENED = Target(ENGINE, ENGINE.variant("hardened"))
ECB, CBC, CTR = "ecb-encrypt-128", "cbc-decrypt-128", "ctr-encrypt-128"

# The operation in which a countermeasure is missed: ECB unless named here.
NEEDS = {"BUG_GUARD_CHAIN": CBC, "BUG_GUARD_COUNT": CTR}
BUGS = [bug.name for bug in ENGINE.manifest.bug if bug.variant == "hardened"]


def flipped(operation: str, bug: str, folder: Path) -> campaign.Result:
    """The campaign of an operation, with a planted bug if one is named."""
    rtl = ENGINE.manifest.rtl
    assert rtl is not None
    files = [path for path in library.rtl_files(ENGINE) if path.stem != "aes_sbox_rom_guarded"]
    files = planted.plant(bug, ENGINE.bugs(), files, folder / "planted")
    params = tuple({**rtl.params, **HARDENED.variant.params}.items())
    design = Design((*files, HERE / "sbox_rom_logic.sv"), rtl.top, params=params)
    made = campaign.compile_program(design, folder, folder / "log")
    return campaign.run_job(*made, campaign.jobs(HARDENED, [operation])[0])


@pytest.mark.slow
@pytest.mark.parametrize("operation", [ECB, CBC, CTR])
def test_no_flip_is_silent(operation: str, tmp_path: Path) -> None:
    """Every flip-flop in every cycle: the right result, none, or an alert."""
    found = flipped(operation, "", tmp_path)
    assert found.silent == 0, found.wrong_in
    assert found.outcomes["alert"] > 0.1 * found.faults


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_each_countermeasure_is_needed(bug: str, tmp_path: Path) -> None:
    """Without it flips are silent."""
    assert flipped(NEEDS.get(bug, ECB), bug, tmp_path).silent > 0


def test_there_are_bugs() -> None:
    """One for each countermeasure."""
    assert len(BUGS) == 16
