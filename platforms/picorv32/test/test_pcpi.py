# SPDX-License-Identifier: Apache-2.0
"""What the proofs of fu_to_pcpi assume of the core (formal/pcpi_host.sv), proved on its own RTL.

Yosys turns the assumptions into assertions, and ABC's PDR proves them for all time.
"""

import re
import subprocess
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.catalog import platform
from aesforge.synth import flow
from aesforge.verify import prove_abc

HERE = Path(__file__).parent
HOST = ROOT / "formal" / "pcpi_host.sv"
AHEAD = "if (Early != 0 && pcpi_valid_i) assume (payload_q[95:64] == pcpi_insn_i);"
SECONDS = 900.0


def verdict(host: str, folder: Path) -> str:
    """Return the last line of PDR on the core with the text of a host's assumptions."""
    (core,) = (p for p in platform.discover() if p.name == HERE.parent.name)
    (folder / "host.sv").write_text(host, encoding="utf-8")
    (cpu,) = core.core_files()
    commands = [
        f'read_verilog "{cpu}"',
        f'read_verilog -sv -formal "{HERE / "pcpi_core_props.sv"}" host.sv',
        "prep -top pcpi_core_props -flatten",
        "chformal -assume2assert",
        *("memory_map -formal", "async2sync", "formalff -clk2ff -ff2anyinit -hierarchy"),
        *("setundef -anyseq", "opt -full", "techmap", "opt -fast", "dffunmap", "aigmap"),
        *("opt_clean", "write_aiger -zinit core.aig"),
    ]
    flow.yosys(commands, folder, "core", folder / "log")
    done = subprocess.run(
        [prove_abc.PROGRAM, "-c", "read core.aig; fold; strash; pdr"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    return done.stdout.strip().splitlines()[-1]


def planted(find: str, replace: str) -> str:
    """Return the assumptions with one changed."""
    text = HOST.read_text(encoding="utf-8")
    assert text.count(find) == 1
    return text.replace(find, replace)


def test_an_instruction_is_shown_a_cycle_ahead(tmp_path: Path) -> None:
    """What `Registered` needs, alone."""
    text = HOST.read_text(encoding="utf-8")
    assert text.count(AHEAD) == 1
    lines = text.splitlines(keepends=True)
    alone = "".join(";\n" if "assume (" in line and AHEAD not in line else line for line in lines)
    assert verdict(alone, tmp_path).startswith("Property proved.")


@pytest.mark.slow
def test_all_that_is_assumed_holds(tmp_path: Path) -> None:
    """Two minutes: valid, instruction and operands stay, and valid falls after an answer."""
    assert verdict(HOST.read_text(encoding="utf-8"), tmp_path).startswith("Property proved.")


@pytest.mark.parametrize(
    ("find", "replace"),
    [
        ("if (answered_q) assume (!pcpi_valid_i);", "if (answered_q) assume (pcpi_valid_i);"),
        ("if (Early != 0 && pcpi_valid_i)", "if (Early != 0)"),
    ],
    ids=["valid stays after an answer", "an instruction never changes"],
)
def test_what_does_not_hold_is_refuted(find: str, replace: str, tmp_path: Path) -> None:
    """The core does something: no proof is empty."""
    found = verdict(planted(find, replace), tmp_path)
    assert re.match(r"Output \d+ of miter .* was asserted", found)
