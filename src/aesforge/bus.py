# SPDX-License-Identifier: Apache-2.0
"""Which shared parts of rtl/bus a file needs: no build depends on parts of other accelerators."""

import re
from pathlib import Path

from aesforge.paths import ROOT

LIBRARY = ROOT / "rtl" / "bus"


def parts(file: Path) -> list[Path]:
    """Files of rtl/bus whose modules a file instantiates, itself or through others, inner first."""
    text = file.read_text(encoding="utf-8")
    found: list[Path] = []
    for path in sorted(LIBRARY.glob("*.sv")):
        if path != file and re.search(rf"^\s*{path.stem}\s+(#|\w+\s*\()", text, re.MULTILINE):
            found += [part for part in (*parts(path), path) if part not in found]
    return found
