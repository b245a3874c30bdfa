# SPDX-License-Identifier: Apache-2.0
"""Time does not depend on keys and data, by construction: when nobody takes what is read, Yosys
removes every register and memory that holds a share, a text or a fresh bit, for nothing else has a
path from them. A word on the bus in the cycle of its own write is not seen here; the benches do.
"""

from pathlib import Path

import pytest

import masked_support as masked
from aesforge.base.errors import ToolError
from aesforge.build import library
from aesforge.catalog import manifest, planted

UNIT = manifest.load(Path(__file__).resolve().parent.parent)
TOP = "aes_masked_core"
# Registers whose values may decide when something happens.
CONTROL = {
    *("key_len_q", "mode_q", "pair_q", "intr_enable_q", "error_q", "seed_words_q", "seed_due_q"),
    "seed_gone_q",
    *("key_count_q", "begun_q", "second_share_q", "keyed_q", "side_q", "key_word_q"),
    *("written_q", "fed_q", "left_q"),
    *("readable_q", "read_q", "full_q", "second_q", "result_q", "iv_words_q", "mask_bytes_q"),
    # of the cipher and the generator
    *("wipe_q", "loading_q", "prepare_q", "first_q", "out_valid_q", "words_q", "slot_q", "round_q"),
    *("length_q", "out_word_q", "seeded_q", "valid_q"),
}
CONTROL_BITS = 150


def remaining(folder: Path, bug: str = "") -> set[str]:
    """Last parts of the names of registers that Yosys has to keep. ToolError if many flip-flops or
    a memory are left."""
    files = planted.plant(bug, UNIT.bugs(), library.rtl_files(UNIT, TOP), folder)
    return masked.deciding(
        files, TOP, "rd_data_o", CONTROL_BITS, folder, f"chparam -set Sideload 1 {TOP}"
    )


def test_nothing_that_decides_about_time_sees_data(tmp_path: Path) -> None:
    """Handshakes, refusals, interrupt, idle output and the sideload port's requests."""
    found = remaining(tmp_path)
    assert found <= CONTROL
    assert {"written_q", "slot_q"} <= found


@pytest.mark.slow
def test_a_planted_dependence_is_found(tmp_path: Path) -> None:
    """A word of text that is zero is refused: the memories of text stay."""
    with pytest.raises(ToolError):
        remaining(tmp_path, "BUG_SHARES_TIME")
