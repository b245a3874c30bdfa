# SPDX-License-Identifier: Apache-2.0
"""SHA-256 on the cores with the unit (digests.c): digests, and fewer cycles than the C takes."""

import hashlib
import json
import random
import struct
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.build import simulate, system
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Variant
from aesforge.catalog.platform import Platform

HERE = Path(__file__).resolve().parent
UNIT = manifest.load(HERE.parent)
HASH = ROOT / "sw" / "hash"
RUNS = [
    (variant, found)
    for variant in UNIT.manifest.variant
    for found in platform.discover()
    if not system.reason_to_skip(UNIT, variant, found)
]
LENGTHS = (*range(54, 58), *range(62, 67), 0, 1, 119, 120, 128, 1000)


def messages() -> list[bytes]:
    """Messages around the end of a block."""
    rng = random.Random("digests")
    return [rng.randbytes(length) for length in LENGTHS]


def ran(
    variant: Variant, found: Platform, folder: Path, *, with_unit: bool = True, bug: str = ""
) -> tuple[list[bytes], dict[str, int]]:
    """The digests that the core computes, and what it prints."""
    groups = [
        simulate.Sources(
            (HERE / "digests.c", HASH / "sha256.c", HASH / "sha256_blocks.c", system.MODES),
            includes=(system.HARNESS,),
        )
    ]
    kernel = system.kernel_sources(UNIT, variant, found)
    # The cipher alone leaves the compression function to the C.
    own = UNIT.kernel_files(variant)[0]
    assert own.is_relative_to(UNIT.folder)
    for group in kernel:
        files = tuple(path for path in group.files if with_unit or path != own)
        macros = (*group.defines, *UNIT.manifest.macros(variant))
        groups.append(
            simulate.Sources(files, group.cflags, tuple(dict.fromkeys(macros)), group.includes)
        )
    firmware = simulate.build_firmware(found, groups, name=f"digests-{with_unit}")
    model = system.build_system_model(UNIT, variant, found, bug=bug)
    sent, back = folder / "in", folder / "out"
    sent.write_bytes(
        b"".join(struct.pack("<I", len(m)) + m + bytes(-len(m) % 4) for m in messages())
    )
    result = simulate.run_model(
        model, firmware.image, stream_in=sent, stream_out=back, max_cycles=20_000_000
    )
    assert result.status == "exit" and result.exit == 0, result.stderr
    answers = back.read_bytes()
    digests = [answers[at : at + 32] for at in range(0, len(answers), 32)]
    return digests, json.loads(result.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("variant", "found"),
    [
        pytest.param(
            *run,
            id="-".join(each.name for each in run),
            # On a core of many files the first variant is enough for `make test`.
            marks=pytest.mark.slow if run[0] != RUNS[0][0] and len(run[1].core_files()) > 1 else (),
        )
        for run in RUNS
    ],
)
def test_digests_are_right_and_cheaper(variant: Variant, found: Platform, tmp_path: Path) -> None:
    """With the unit and without: the digests of hashlib; the unit saves a fifth of the cycles."""
    right = [hashlib.sha256(message).digest() for message in messages()]
    with_unit, fast = ran(variant, found, tmp_path)
    in_c, slow = ran(variant, found, tmp_path, with_unit=False)
    print(f"{variant.name}, {found.name}: 8 blocks with the unit {fast}, in C {slow}")
    assert with_unit == right
    assert in_c == right
    assert 5 * fast["cycles"] < 4 * slow["cycles"]


def test_a_planted_bug_gives_wrong_digests(tmp_path: Path) -> None:
    """The unit computes them."""
    digests, _ = ran(*RUNS[0], tmp_path, bug="BUG_SHIFT")
    assert all(
        made != hashlib.sha256(m).digest() for made, m in zip(digests, messages(), strict=True)
    )
