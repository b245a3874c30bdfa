# SPDX-License-Identifier: Apache-2.0
"""Time does not depend on keys and data, by construction: when nobody takes what is read, Yosys
removes every register and memory that holds a share, a text or a fresh bit, for nothing else has a
path from them.
"""

from pathlib import Path

import pytest

import masked_support as masked
from aesforge.base.errors import ToolError
from aesforge.build import codegen, library
from aesforge.catalog import manifest, planted

UNIT = manifest.load(Path(__file__).resolve().parent.parent)
TOP = "aes_masked_block"
# Registers whose values may decide when something happens.
CONTROL = {
    *("open_q", "keyed_q", "length_q", "mode_q"),
    *("written_q", "fed_q", "left_q", "readable_q", "read_q"),
    *("full_q", "second_q", "wants_q", "hold_q", "result_q", "gap_q"),
    *("begin_q", "seed_word_q", "push_q", "pop_q", "last_q", "key_start_q", "key_word_q"),
    *("seed_count_q", "seed_due_q", "seeding_q", "valid_q"),
    # of the cipher and the generator
    *("wipe_q", "loading_q", "prepare_q", "first_q", "out_valid_q", "words_q", "slot_q", "round_q"),
    *("out_word_q", "seeded_q"),
}
CONTROL_BITS = 110


def remaining(folder: Path, bug: str = "") -> set[str]:
    """Names of registers that Yosys has to keep, from the unit on. ToolError if many flip-flops or
    a memory are left."""
    made = codegen.generate(folder / "generated", UNIT, UNIT.variant("unit"))
    files = planted.plant(bug, UNIT.bugs(), library.with_shared(made.rtl, UNIT), folder)
    return masked.deciding(files, TOP, "rsp_rd_o", CONTROL_BITS, folder)


def test_nothing_that_decides_about_time_sees_data(tmp_path: Path) -> None:
    """Neither when a request is accepted nor when it is answered."""
    found = remaining(tmp_path)
    assert found <= CONTROL
    assert {"written_q", "slot_q"} <= found


@pytest.mark.slow
def test_a_planted_dependence_is_found(tmp_path: Path) -> None:
    """A request waits after an operand of ones: the register of the operand stays."""
    with pytest.raises(ToolError):
        remaining(tmp_path, "BUG_MB_TIME")
