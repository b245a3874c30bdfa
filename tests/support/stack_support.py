# SPDX-License-Identifier: Apache-2.0
"""Kernels that drivers of TLS stacks run on, and drivers with a planted mistake."""

from pathlib import Path

from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from marks_support import slow_unless

# Kernels that run on the host, with AES in both directions.
KNOWN = [
    (accelerator, variant)
    for accelerator in manifest.discover()
    for variant in accelerator.manifest.variant
    if accelerator.manifest.kind in ("instruction", "set", "software")
    and accelerator.manifest.source is None
    and set(variant.directions) == {"encrypt", "decrypt"}
    and variant.by_default
]
# The baseline, and a unit that has curves and keeps state: others take minutes.
FEW = [
    next((a, v) for a, v in KNOWN if a.manifest.kind == "software"),
    next((a, v) for a, v in KNOWN if a.manifest.has_ecc(v) and v.state_words),
]
OTHERS = [pair for pair in KNOWN if pair not in FEW]
# As parameters: on the unit, and in the whole set on the baseline too.
FEW_EACH = slow_unless(lambda pair: pair is FEW[-1], FEW)


def pair_name(pair: tuple[Accelerator, Variant]) -> str:
    """Name a kernel in the name of a test."""
    return f"{pair[0].name}-{pair[1].name}"


def with_mistake(driver: Path, planted: tuple[str, str, str], folder: Path) -> list[Path]:
    """Copy a driver's files into `folder`; in the one that is named a text is replaced."""
    name, right, wrong = planted
    copies = []
    for path in sorted(driver.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        if path.name == name:
            assert text.count(right) == 1
            text = text.replace(right, wrong)
        copies.append(folder / path.name)
        copies[-1].write_text(text, encoding="utf-8")
    return copies
