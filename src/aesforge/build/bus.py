# SPDX-License-Identifier: Apache-2.0
"""Which shared parts of rtl/bus a file needs: no build depends on parts of other accelerators."""

import re
from pathlib import Path

from aesforge.base.paths import ROOT

LIBRARY = ROOT / "rtl" / "bus"


def parts(*files: Path) -> list[Path]:
    """Files of rtl/bus whose modules `files` instantiate, also through others, inner first."""
    found: list[Path] = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        for path in sorted(LIBRARY.glob("*.sv")):
            used = re.search(rf"^\s*{path.stem}\s+(#|\w+\s*\()", text, re.MULTILINE)
            if used and path != file:
                found += [part for part in (*parts(path), path) if part not in found]
    return found
