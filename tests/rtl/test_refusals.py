# SPDX-License-Identifier: Apache-2.0
"""Parameters that do not exist together are refused: the design holds a module that nobody has.

Every such line of the RTL is reached by a case here, and by none of the modules' own defaults.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.build import elaborate, library
from aesforge.build.elaborate import Design, Params

REFUSAL = re.compile(r"^ *aesforge_\w+ +u_\w+ *\(\);", re.MULTILINE)

# Of shared RTL, by module: parameters that it refuses.
REFUSED: dict[str, list[dict[str, str | int]]] = {
    "aes_mixcolumn": [{"Dir": "up"}],
    "aes_sbox": [{"SboxImpl": "table"}],
    "aes_sbox_lut": [{"Dir": "up"}],
    "aes_sbox_canright": [{"Dir": "up"}],
    "aes_sbox_boyar_peralta": [{"Dir": "inverse"}],
    "aes_sbox_small": [{"Dir": "up"}],
    "aes_sbox_tower": [{"Dir": "up"}],
    "aes_gf8_inv": [{"SboxImpl": "small"}],
    "axis_delay": [{"SideImpl": "latch"}],
    "aes_pipe_core": [{"Schedule": "moving"}],
    "aes_pipe_round": [{"PipeRegs": 9}],
    "aes_pipe_keys": [{"Schedule": "moving"}],
    "aes_pipe_sbox": [{"SboxImpl": "small"}],
    "trivium": [{"Width": 60}],
    "aes_round_sbox": [{"Stages": 4}, {"Stages": 3, "SboxImpl": "lut"}],
    "aes_iter_channel": [{"Dir": "up"}],
    "aes_key_store": [{"Rounds": 3}],
    "aes_iter_unit": [
        {"Rounds": 3},
        {"Rounds": 2, "Interleave": 2},
        {"Rounds": 2, "Interleave": 3},
    ],
    "aes_iter": [{"Dir": "up"}],
    "aes_iter_lane": [
        {"Width": 64},
        {"Width": 32, "Rounds": 2},
        {"Width": 32, "Interleave": 2},
        {"Width": 64, "Rounds": 1, "Interleave": 1},
    ],
    "aes_iter_channel_guarded": [{"Dir": "up"}],
    "aes_key_store_guarded": [{"Rounds": 3}],
    "aes_iter_unit_guarded": [{"Rounds": 3}, {"Interleave": 2}],
    "aes_iter_guarded": [{"Dir": "up"}],
    "aes_iter_lane_guarded": [{"Width": 64}, {"Width": 32}],  # a narrow one has no parity
    "aes_tables": [{"PipeRegs": 2}],
    "aes_round": [{"Dir": "up"}],
    "fu_to_nios_comb": [{"Stateless": 0}, {"Registered": 1}],
}


@cache
def _places(path: Path) -> tuple[int, ...]:
    """Return where a file's refusals are."""
    return tuple(found.start() for found in REFUSAL.finditer(path.read_text(encoding="utf-8")))


@cache
def _files() -> dict[str, Path]:
    """Return the shared modules that refuse something, by name."""
    every = sorted((ROOT / "rtl").rglob("*.sv"))
    return {path.stem: path for path in every if _places(path)}


def _refused(name: str, params: dict[str, str | int]) -> set[int]:
    """Return the refusals of a module that its design holds."""
    path = _files()[name]
    chosen: Params = tuple(params.items())
    design = Design(tuple(library.library().files([name])), name, chosen)
    held = elaborate.held(design)
    return {at for at in _places(path) if held.holds(path, at + len("  "))}


def test_every_module_that_refuses_has_a_case() -> None:
    """The table has the modules that refuse something, and no other."""
    assert set(REFUSED) == set(_files())


@pytest.mark.parametrize("name", REFUSED)
def test_parameters_are_refused(name: str) -> None:
    """Each case is refused, each line that refuses has a case, and the defaults are accepted."""
    assert not _refused(name, {})
    reached: set[int] = set()
    for params in REFUSED[name]:
        found = _refused(name, params)
        assert found, params
        reached |= found
    assert reached == set(_places(_files()[name]))
