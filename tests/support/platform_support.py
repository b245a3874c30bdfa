# SPDX-License-Identifier: Apache-2.0
"""What the tests of the platforms share: a unit of their own, and firmware that uses it."""

from collections.abc import Collection, Sequence
from pathlib import Path

from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, simulate
from aesforge.catalog import platform
from aesforge.catalog.platform import Platform

TESTS = ROOT / "tests"
FIRMWARE = TESTS / "system" / "firmware"
_STAND_INS = TESTS / "rtl" / "stand_ins"
UNIT = (
    *(_STAND_INS / f"accel_{part}.sv" for part in ("traits_pkg", "decode", "unit")),
    *codegen.generate_peripheral(BUILD / "generated" / "none-block", None, None),
)
PLATFORMS = platform.discover()
CYCLES = 10_000_000


def model(
    found: Platform, *, delay: int = 0, trace: bool = False, without_cures: Collection[str] = ()
) -> Path:
    """Return the simulator with the tests' unit, after random delays up to `delay` cycles."""
    defines = [f"UNIT_DELAY={delay}"] if delay else []
    return simulate.build_model(
        found, UNIT, defines=defines, trace=trace, without_cures=without_cures
    )


def firmware(found: Platform, *names: str, custom: bool = True) -> simulate.Firmware:
    """Return a firmware made of tests/system/firmware/<names>; `custom` lets it use the unit."""
    defines = ["HAVE_MIX2"] if custom else []
    if custom and found.manifest.operands >= 3:
        defines.append("HAVE_MIX3")
    sources = simulate.Sources(tuple(FIRMWARE / name for name in names), defines=tuple(defines))
    return simulate.build_firmware(found, [sources], name=f"test-{Path(names[0]).stem}")


def words(*values: int) -> bytes:
    """Return 32-bit words, little-endian, as the stream device gives them."""
    return b"".join(value.to_bytes(4, "little") for value in values)


def run(
    executable: Path,
    made: simulate.Firmware,
    folder: Path,
    *,
    given: bytes | Sequence[int] = b"",
    iwait: int = 0,
    dwait: int = 0,
    seed: int = 0,
    max_cycles: int = CYCLES,
    memory: int = simulate.MEMORY_BYTES,
    vcd: Path | None = None,
) -> tuple[simulate.RunResult, bytes]:
    """Run a firmware with `given` (bytes, or words) as its input; return result and output."""
    source, target = folder / "in", folder / "out"
    source.write_bytes(given if isinstance(given, bytes) else words(*given))
    result = simulate.run_model(
        executable,
        made.image,
        stream_in=source,
        stream_out=target,
        max_cycles=max_cycles,
        memory=memory,
        iwait=iwait,
        dwait=dwait,
        seed=seed,
        vcd=vcd,
        seconds=300,
    )
    return result, target.read_bytes()
