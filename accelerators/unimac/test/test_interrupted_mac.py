# SPDX-License-Identifier: Apache-2.0
"""The accumulator survives an interrupt whose handler uses the unit, saved and restored."""

import itertools
from pathlib import Path

import pytest

from aesforge.build import simulate, system
from aesforge.catalog import manifest, platform
from aesforge.catalog.platform import Platform
from marks_support import each_once

UNIT = manifest.load(Path(__file__).resolve().parents[1])
PROGRAM = UNIT.file("test/interrupted_mac.c")
# The multiplier in two passes, and the one in a single pass.
HARDWARE = ("ecc-aes", "fast")
PLATFORMS = sorted(platform.discover(), key=lambda found: len(found.core_files()))


def run(found: Platform, name: str, *defines: str, **waits: int) -> int:
    """Run the program on a core with a variant of the unit; return its exit code."""
    variant = UNIT.variant(name)
    model = system.build_system_model(UNIT, variant, found)
    generated = system.generated(UNIT, variant, found)
    main = simulate.Sources(
        (PROGRAM, UNIT.file("sw/unit_state.c")),
        defines=(*UNIT.manifest.macros(variant), *variant.defines, *defines),
        includes=(generated.include,),
    )
    firmware = simulate.build_firmware(found, [main], name=f"interrupted-{name}")
    result = simulate.run_model(model, firmware.image, **waits)
    assert result.status == "exit", result.stdout
    return int(result.exit)


@pytest.mark.parametrize(
    ("found", "name"),
    each_once(itertools.product(PLATFORMS, HARDWARE), lambda pair: [pair[0].name, pair[1]]),
)
def test_saved_and_restored(found: Platform, name: str) -> None:
    """Every product is right, whatever cycle the interrupt comes in."""
    assert run(found, name, "SAVED") == 0


@pytest.mark.parametrize("found", PLATFORMS, ids=lambda found: found.name)
def test_with_wait_states(found: Platform) -> None:
    """The same where no offset means the same twice."""
    assert run(found, "ecc-aes", "SAVED", iwait=1, dwait=2, seed=7) == 0


@pytest.mark.parametrize("found", PLATFORMS, ids=lambda found: found.name)
def test_a_handler_that_saves_nothing_is_seen(found: Platform) -> None:
    """Without save and restore, products go wrong."""
    assert run(found, "ecc-aes") == 1
