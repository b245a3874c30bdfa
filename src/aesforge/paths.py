# SPDX-License-Identifier: Apache-2.0
"""Where the repository is and where generated things go."""

import os
from pathlib import Path

from aesforge.errors import AesforgeError


def _find_root() -> Path:
    """Return the repository: AESFORGE_ROOT, or the folder above that holds this package."""
    named = os.environ.get("AESFORGE_ROOT")
    candidates = [Path(named)] if named else [Path(__file__).resolve().parents[2], Path.cwd()]
    for candidate in candidates:
        if (candidate / "accelerators").is_dir() and (candidate / "platforms").is_dir():
            return candidate.resolve()
    raise AesforgeError(
        "cannot find the aesforge repository",
        "run inside a checkout, or set AESFORGE_ROOT to one",
    )


ROOT = _find_root()
BUILD = Path(os.environ.get("AESFORGE_BUILD", ROOT / "build"))
