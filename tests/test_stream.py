# SPDX-License-Identifier: Apache-2.0
"""Files through simulated streams: every variant of every stream accelerator, and refusals."""

import random
from pathlib import Path

import pytest

from aesforge import manifest, stream_sim
from aesforge.errors import SimulationError, UsageError
from aesforge.manifest import Accelerator, Variant
from aesforge.stream_sim import Traffic

STREAMS = [found for found in manifest.discover() if found.manifest.kind == "stream"]
VARIANTS = [(found, variant) for found in STREAMS for variant in found.manifest.variant]
BLOCKS = 5000


def traffics(accelerator: Accelerator, variant: Variant, rng: random.Random) -> list[Traffic]:
    """Return what a variant can take: full speed, then pauses on both sides."""
    rtl = accelerator.manifest.rtl
    assert rtl is not None
    params = {**rtl.params, **variant.params}
    bits = int(params.get("KeyBits", 0))
    slots = int(params.get("Slots", 1)) if params.get("Schedule") == "agile" else 1
    keys = tuple(
        rng.randbytes(bits // 8 if bits else rng.choice((16, 24, 32))) for _ in range(slots)
    )
    if params.get("Mode") == "ctr":
        return [
            Traffic(keys[:1], iv=rng.randbytes(16), idle=pause, stall=pause) for pause in (0, 30)
        ]
    decrypt = {"fwd": 0, "inv": 1}.get(str(params.get("Dir")), 2)
    return [Traffic(keys, decrypt=decrypt, switch=1, idle=pause, stall=pause) for pause in (0, 30)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accelerator", "variant"), VARIANTS, ids=[f"{a.name}-{v.name}" for a, v in VARIANTS]
)
def test_a_file_equals_openssl(accelerator: Accelerator, variant: Variant, tmp_path: Path) -> None:
    """Every variant, every slot and direction in turn, with and without pauses."""
    rng = random.Random(2008)
    source, target = tmp_path / "in", tmp_path / "out"
    program = stream_sim.build(accelerator, variant)
    for traffic in traffics(accelerator, variant, rng):
        source.write_bytes(rng.randbytes(16 * BLOCKS + (5 if traffic.iv else 0)))
        passed = stream_sim.run(program, source, target, traffic)
        assert target.read_bytes() == stream_sim.openssl(source.read_bytes(), traffic)
        if not traffic.idle:
            assert passed.cycles < passed.blocks + 100, "a bubble"


def test_only_streams_are_streamed() -> None:
    """A unit behind another port is refused."""
    other = next(found for found in manifest.discover() if found.manifest.kind == "instruction")
    with pytest.raises(UsageError, match="is no stream"):
        stream_sim.build(other, other.manifest.variant[0])


def test_half_a_block_needs_ctr(tmp_path: Path) -> None:
    """ECB takes whole blocks."""
    source = tmp_path / "in"
    source.write_bytes(bytes(17))
    with pytest.raises(UsageError, match="whole number of blocks"):
        stream_sim.run(Path("unused"), source, tmp_path / "out", Traffic((bytes(16),)))


def test_a_harness_that_fails_is_an_error(tmp_path: Path) -> None:
    """Exit status and last words of the harness reach the user."""
    source = tmp_path / "in"
    source.write_bytes(bytes(16))
    program = tmp_path / "stream"
    program.write_text("#!/bin/sh\necho 'error: nothing moves' >&2\nexit 101\n")
    program.chmod(0o755)
    with pytest.raises(SimulationError, match="status 101: error: nothing moves"):
        stream_sim.run(program, source, tmp_path / "out", Traffic((bytes(16),)))


def test_openssl_follows_slots_and_directions() -> None:
    """The oracle takes slot and direction of each block as the harness does."""
    keys = (bytes(16), bytes(range(16)))
    text = bytes(64)
    one = stream_sim.openssl(text, Traffic(keys[:1]))
    both = stream_sim.openssl(text, Traffic(keys, decrypt=2))
    assert both[:16] == one[:16]
    assert both[16:32] not in (one[16:32], both[48:64][::-1])
    assert both[16:32] == both[48:64]
