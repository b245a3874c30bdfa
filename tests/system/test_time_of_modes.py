# SPDX-License-Identifier: Apache-2.0
"""Constant time of the modes on the cores: what the question "modes" measures, and what it finds.

The published records rest on 1,000 random inputs of each call; here a few, and modes whose time
depends on what they work on.
"""

import shutil
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.build import simulate, system
from aesforge.catalog import platform
from aesforge.catalog.platform import Platform
from aesforge.reference import modes
from harness_support import BASELINE

PLATFORMS = platform.discover()
VARIANT = BASELINE.variant("")
every_platform = pytest.mark.parametrize("found", PLATFORMS, ids=lambda found: found.name)


def times_of(
    found: Platform, folder: Path, monkeypatch: pytest.MonkeyPatch, runs: int, *wanted: str
) -> modes.Verdict:
    """Time modes whose C is in a folder."""
    sources = system.MORE_MODES["modes"]
    changed = tuple(folder / path.name for path in sources)
    monkeypatch.setitem(system.MORE_MODES, "modes", changed)
    firmware = system.build_system_firmware(BASELINE, VARIANT, found, "modes")
    checks = [one for one in modes.time_checks(runs) if not wanted or one.call.mode in wanted]
    model = system.build_system_model(BASELINE, VARIANT, found)
    stream_in, stream_out = folder / "in", folder / "out"
    stream_in.write_bytes(modes.stream(checks))
    result = simulate.run_model(
        model, firmware.image, stream_in=stream_in, stream_out=stream_out, max_cycles=2_000_000_000
    )
    result.require("the modes")
    return modes.judge(checks, stream_out.read_bytes())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the modes."""
    return Path(shutil.copytree(ROOT / "sw" / "modes", tmp_path / "modes"))


@pytest.mark.slow
@every_platform
def test_every_mode_takes_constant_time(
    found: Platform, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both directions and forgeries, with keys, nonces, texts and places of the flipped bit."""
    verdict = times_of(found, folder, monkeypatch, 5)
    assert (verdict.reason, verdict.varying) == ("", ())
    assert verdict.counts == {"timed": 49, "wrong": 0, "spread_max": 0}


EARLY = "    if (x[i] != y[i]) {\n      return 1;\n    }\n"
# What is planted: file, text, its replacement; the modes asked, and the steps that vary.
FAULTS: dict[str, tuple[str, str, str, dict[str, tuple[str, ...]]]] = {
    "a comparison of tags that ends early": (
        "blocks.h",
        "    bits |= (uint32_t)(x[i] ^ y[i]);\n",
        EARLY,
        {mode: ("forged",) for mode in ("ccm", "cmac", "gcm-siv")},
    ),
    "a comparison of GCM's tags that ends early": (
        "gcm_parts.h",
        "    for (; n >= 4u; n -= 4u",
        "    for (; n >= 4u && bits == 0u; n -= 4u",
        {"gmac": ("forged",)},
    ),
    "a branch on a mask": (
        "aes_xts.c",
        "  to[3] = d << 1 | c >> 31;\n",
        "  to[3] = d << 1 | c >> 31;\n  if (d & 1u) {\n"
        "    *(volatile uint32_t *)to = to[0];\n  }\n",
        {"xts": ("seal", "open")},
    ),
    "a branch on a wrapped key": (
        "aes_kw.c",
        "      add_step(block, ++step);\n",
        "      add_step(block, ++step);\n      if (block[2] & 1u) {\n"
        "        *(volatile uint32_t *)block = block[0];\n      }\n",
        {"kw": ("seal",), "kwp": ("seal",)},
    ),
    "a branch on a key that is unwrapped": (
        "aes_kw.c",
        "      add_step(block, step--);\n",
        "      add_step(block, step--);\n      if (block[1] & 1u) {\n"
        "        *(volatile uint32_t *)block = block[0];\n      }\n",
        {"kw": ("open", "forged"), "kwp": ("open", "forged")},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_time_that_depends_on_data_is_seen(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """The steps that vary, and no others; all answers are right."""
    name, old, new, steps = FAULTS[fault]
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    quick = next(one for one in PLATFORMS if one.manifest.port == "pcpi")
    verdict = times_of(quick, folder, monkeypatch, 20, *steps)
    assert verdict.reason == ""
    found = {what.rpartition(" by ")[0] for what in verdict.varying}
    asked = [one.name for one in modes.time_checks(1) if one.call.mode in steps]
    mode_of = {one.name: one.call.mode for one in modes.time_checks(1)}
    assert found == {f"{name}, {step}" for name in asked for step in steps[mode_of[name]]}
