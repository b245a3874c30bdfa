# SPDX-License-Identifier: Apache-2.0
"""The engine on APB and Wishbone, in every tool: `aesforge check` lints the one on AXI4."""

from pathlib import Path

import pytest

from aesforge.build import library
from aesforge.catalog import manifest
from aesforge.verify import lint

ENGINE = manifest.load(Path(__file__).resolve().parent.parent)
TOPS = ("aes_engine_apb", "aes_engine_wb")


def sets() -> list[str]:
    """Variants whose RTL differs."""
    seen: list[dict[str, str | int]] = []
    names = []
    for variant in ENGINE.manifest.variant:
        if variant.params not in seen:
            seen.append(variant.params)
            names.append(variant.name)
    return names


FIRST, *OTHERS = sets()


@pytest.mark.parametrize(
    "name", [FIRST, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)
@pytest.mark.parametrize("top", TOPS)
@pytest.mark.parametrize("tool", lint.TOOLS)
def test_no_complaint(tool: str, top: str, name: str, tmp_path: Path) -> None:
    """No tool says anything about the top with a variant's parameters."""
    rtl = ENGINE.manifest.rtl
    assert rtl is not None
    found = lint.lint(
        tool,
        library.rtl_files(ENGINE, top),
        top,
        params={**rtl.params, **ENGINE.variant(name).params},
        scratch=tmp_path,
        what=top,
    )
    assert found.ok, found.messages
