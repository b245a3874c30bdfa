# SPDX-License-Identifier: Apache-2.0
"""Every operation changes the accumulator once, wherever it is, on every core (shadows.c)."""

import itertools
import json
from pathlib import Path

import pytest

from aesforge.build import simulate, system
from aesforge.catalog import manifest, platform
from aesforge.catalog.platform import Platform
from marks_support import each_once

HERE = Path(__file__).resolve().parent
UNIT = manifest.load(HERE.parent)
PLATFORMS = sorted(platform.discover(), key=lambda found: len(found.core_files()))
VARIANTS = ("ecc-aes", "fast")  # the two forms of the unit

# Wait states of fetch and data (random with a seed), and random delays around the unit.
CONFIGURATIONS = {
    "plain": ({}, False),
    "waits": ({"iwait": 1, "dwait": 2}, False),
    "random-waits": ({"iwait": 3, "dwait": 3, "seed": 11}, False),
    "random-delay": ({"iwait": 1, "dwait": 1, "seed": 7}, True),
}

# The hardest configuration in every test run, the others in the whole one.
EACH = [
    name if name == "random-waits" else pytest.param(name, marks=pytest.mark.slow)
    for name in CONFIGURATIONS
]

each_pair = pytest.mark.parametrize(
    ("found", "variant"),
    each_once(itertools.product(PLATFORMS, VARIANTS), lambda pair: [pair[0].name, pair[1]]),
)
every_platform = pytest.mark.parametrize("found", PLATFORMS, ids=lambda found: found.name)


def shadows(
    found: Platform, name: str, configuration: str, bug: str = "", *, macros: tuple[str, ...] = ()
) -> tuple[simulate.RunResult, dict[str, int]]:
    """Run the program in one configuration; return how it ended and its last line."""
    variant = UNIT.variant(name)
    waits, delay = CONFIGURATIONS[configuration]
    model = system.build_system_model(UNIT, variant, found, random_delay=delay, bug=bug)
    kernel = system.kernel_sources(UNIT, variant, found)
    program = simulate.Sources(
        (HERE / "shadows.c", HERE / "shadows.S"),
        defines=(*UNIT.manifest.macros(variant), f"SHADOWS_STEP={1 if not waits else 3}u", *macros),
        includes=(*kernel[0].includes, system.HARNESS),
    )
    firmware = simulate.build_firmware(found, [program, *kernel], name=f"shadows-{name}")
    result = simulate.run_model(model, firmware.image, max_cycles=20_000_000, **waits)
    lines = result.stdout.splitlines()
    return result, json.loads(lines[-1]) if lines else {}


@each_pair
@pytest.mark.parametrize("configuration", EACH)
def test_each_operation_counts_once(found: Platform, variant: str, configuration: str) -> None:
    """The sum is the expected one, interrupted or not."""
    result, last = shadows(found, variant, configuration)
    assert result.status == "exit" and result.exit == 0, result.stdout
    assert last["bad"] == 0
    assert last["inside"] > 150  # the routines were interrupted, not only what surrounds them


@every_platform
def test_an_operation_that_counts_twice_is_seen(found: Platform) -> None:
    """One operation more than there should be turns the program red."""
    result, last = shadows(found, "ecc-aes", "waits", macros=("SHADOWS_TWICE",))
    assert result.exit == 1 and last["bad"] > 0, result.stdout


@pytest.mark.parametrize(
    "found",
    [found for found in PLATFORMS if found.manifest.port == "pcpi"],
    ids=lambda found: found.name,
)
def test_a_port_that_starts_twice_is_seen(found: Platform) -> None:
    """An adapter that goes on asking until the answer comes turns it red.

    The other adapters have no planted bug that starts an operation twice on their core: they queue
    commands, and are proved to give each to the unit once.
    """
    result, last = shadows(found, "ecc-aes", "plain", "BUG_PCPI_REPEAT")
    assert result.exit == 1 and last["bad"] > 0, result.stdout
