# SPDX-License-Identifier: Apache-2.0
"""Time does not depend on keys and data, by construction: when nobody takes what is read, Yosys
removes every register and memory that holds a key or data, for nothing else has a path from them.

Unlike a bounded proof this holds for accesses of any number. What it does not see is a word on the
bus in the cycle of its own write, whose bits registers of control take too; the benches do.
"""

from pathlib import Path

import pytest

from aesforge.build import library
from aesforge.catalog import manifest, planted
from aesforge.synth import flow

ENGINE = manifest.load(Path(__file__).resolve().parent.parent)
TOP = "aes_engine_core"
# Flip-flops whose values may decide when something happens: none of them takes a bit of a key, a
# block, a chaining value or a tag.
CONTROL = {
    *("key_len_q", "hold_q", "mode_q", "intr_q", "intr_enable_q", "gcm_decrypt_q", "gcm_open_q"),
    *("key_written_q", "key_busy_q", "wr_wait_q", "rd_wait_q", "written_q", "read_q"),
    *("inside_q", "step_q", "left_q", "valid_q", "ready_q", "ready_inv_q"),
    *("length_q", "wipe_index_q", "tag_secret_q"),
}
CONTROL_BRAM = CONTROL | {
    *("phase_q", "task_q", "round_q", "dec_q", "last_dec_q", "full_q", "fill_q", "drain_q"),
    *("out_valid_q", "wiping_q", "place_q", "seed_q", "boxed_q", "start_q", "gcm_busy_q"),
    *("key_valid_q", "hash_written_q", "tag_valid_q", "error_q", "wipe_q", "do_q", "iv_write_q"),
}
DATA = {"window_q", "state_q", "key_q", "rest_q", "other_q", "mask_q", "tag_given_q"}
CONTROL_BITS = 300  # more than either set, with what bears another name; keys and data: 3,000


def remaining(folder: Path, bug: str = "", *, observed: bool = False, impl: str = "") -> set[str]:
    """Last parts of the names of registers that Yosys has to keep; with `observed` somebody takes
    what is read. `impl` replaces SboxImpl. ToolError if many flip-flops or a memory are left."""
    sources = planted.plant(bug, ENGINE.bugs(), library.rtl_files(ENGINE, TOP), folder)
    files = " ".join(f'"{path}"' for path in sources)
    blind = (
        f"delete -port {TOP}/rd_data_o",
        "opt -full -purge",
        "tee -q -o names.txt select -list w:*_q",
        "select -assert-none t:$mem*",
        "simplemap t:$*dff*",
        f"select -assert-max {CONTROL_BITS} t:$_*DFF*",
    )
    taken = ("opt -full -purge", "tee -q -o names.txt select -list w:*_q")
    flow.yosys(
        [
            f"read_verilog -sv {files}",
            f"chparam -set Gcm 1 {TOP}",
            *([f'chparam -set Dir "shared" -set SboxImpl "{impl}" {TOP}'] if impl else []),
            f"hierarchy -check -top {TOP}",
            *("proc", "flatten"),
            *(taken if observed else blind),
        ],
        folder,
        "timing",
        folder / "log",
    )
    names = (folder / "names.txt").read_text(encoding="utf-8").split()
    return {name.rpartition("/")[2].rpartition(".")[2] for name in names}


@pytest.mark.parametrize(("impl", "control"), [("", CONTROL), ("bram", CONTROL_BRAM)])
def test_nothing_that_decides_about_time_sees_data(
    impl: str, control: set[str], tmp_path: Path
) -> None:
    """Handshakes, refusals, interrupt and idle output; GCM included."""
    assert remaining(tmp_path, impl=impl) <= control


@pytest.mark.slow
def test_the_registers_are_there(tmp_path: Path) -> None:
    """Where somebody takes what is read, keys and data stay: the names are not vain."""
    found = remaining(tmp_path, observed=True)
    assert found >= DATA
    assert "key_written_q" in found


@pytest.mark.slow
@pytest.mark.parametrize(("impl", "control"), [("", CONTROL), ("bram", CONTROL_BRAM)])
def test_a_planted_dependence_is_found(impl: str, control: set[str], tmp_path: Path) -> None:
    """A word of a key that is zero, in the byte order of CTRL, is refused."""
    assert remaining(tmp_path, "BUG_ENGINE_TIME", impl=impl) - control
