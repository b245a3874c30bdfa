# SPDX-License-Identifier: Apache-2.0
"""The peripheral on APB and Wishbone, in every tool: `aesforge check` lints the one on AXI4."""

from pathlib import Path

import pytest

from aesforge.build import library
from aesforge.catalog import manifest
from aesforge.verify import lint

UNIT = manifest.load(Path(__file__).resolve().parent.parent)


@pytest.mark.parametrize("top", ["aes_masked_apb", "aes_masked_wb"])
@pytest.mark.parametrize("tool", lint.TOOLS)
def test_no_complaint(tool: str, top: str, tmp_path: Path) -> None:
    """No tool says anything about the top, with the sideload port."""
    found = lint.lint(
        tool,
        library.rtl_files(UNIT, top),
        top,
        params={"Sideload": 1},
        scratch=tmp_path,
        what=top,
    )
    assert found.ok, found.messages
