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


def test_shares_meet_in_results_only() -> None:
    """And what crosses between the sides inside the cipher are its factors with a fresh bit."""
    mapped = whole()
    assert masked.meeting(mapped) == {"result0_q", "result1_q"}
    assert masked.crossing(mapped, SUMS) == 4 * 2 * (4 + 2 + 2 + 4)


@pytest.mark.slow
def test_a_sum_of_the_key_stream_is_found() -> None:
    """The planted bug adds its shares before the text: no bench can see that."""
    assert "u_cipher.state0_q" in masked.meeting(whole("BUG_MB_SUM_FIRST"))
