# SPDX-License-Identifier: Apache-2.0
"""The two shares in the mapped netlist of the whole unit: where they may meet, and where not.

No register of one share is in a cone with one of the other, except the two that hold a result:
their sum is what the core reads and what CBC goes on with. masked_support.py says what a side is.
"""

import re
from functools import cache
from pathlib import Path

import pytest

import masked_support as masked
from aesforge.base.paths import BUILD
from aesforge.build import codegen, library
from aesforge.catalog import manifest, planted
from aesforge.probing.circuit import Circuit

UNIT = manifest.load(Path(__file__).resolve().parent.parent)
TOP = "aes_masked_block"
# Registers of sums of shares: results are ciphertext or, in CTR, the text that the core reads.
SUMS = re.compile(r"iv_q\b|u_results\.words\b")


@cache
def whole(bug: str = "") -> Circuit:
    """Map the unit."""
    folder = BUILD / "probe" / f"{TOP}-{bug}"
    made = codegen.generate(folder, UNIT, UNIT.variant("unit"))
    sources = library.with_shared(made.rtl, UNIT)
    return masked.whole(planted.plant(bug, UNIT.bugs(), sources, folder), TOP, "cmos", bug)


def meeting(mapped: Circuit) -> set[str]:
    """Names of registers and inputs, bits left out, in cones that have both sides."""
    found = set()
    for cone in mapped.cones().values():
        if len(masked.sides(mapped, cone)) > 1:
            names = {mapped.name(net) for net in cone}
            found |= {re.sub(r"\[\d+\]$", "", name) for name in names if masked.side(name)}
    return found


def test_shares_meet_in_results_only() -> None:
    """And what crosses between the sides inside the cipher are its factors with a fresh bit."""
    mapped = whole()
    assert meeting(mapped) == {"result0_q", "result1_q"}
    cones = mapped.cones()
    crossing = 0
    for register, data in mapped.registers.items():
        cone = cones.get(data, frozenset((data,)))
        told, own = masked.sides(mapped, cone), masked.side(mapped.name(register))
        if not own:
            assert not told or SUMS.match(mapped.name(register)), mapped.name(register)
        elif told and own not in told:
            crossing += 1
    assert crossing == 4 * 2 * (4 + 2 + 2 + 4)


@pytest.mark.slow
def test_a_sum_of_the_key_stream_is_found() -> None:
    """The planted bug adds its shares before the text: no bench can see that."""
    assert "u_cipher.state0_q" in meeting(whole("BUG_MB_SUM_FIRST"))
