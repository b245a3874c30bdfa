# SPDX-License-Identifier: Apache-2.0
"""Where the repository is and where generated things go."""

import os
from pathlib import Path

from aesforge.base.errors import UsageError


def _find_root() -> Path:
    """Return the repository: AESFORGE_ROOT, or the folder above that holds this package."""
    named = os.environ.get("AESFORGE_ROOT")
    candidates = [Path(named)] if named else [Path(__file__).resolve().parents[3], Path.cwd()]
    for candidate in candidates:
        if (candidate / "accelerators").is_dir() and (candidate / "platforms").is_dir():
            return candidate.resolve()
    if named:
        raise UsageError(
            f"AESFORGE_ROOT={named} is no aesforge repository: it has no accelerators/, platforms/",
            "set AESFORGE_ROOT to a checkout, or unset it inside one",
        )
    raise UsageError(
        "cannot find the aesforge repository",
        "run inside a checkout, or set AESFORGE_ROOT to one",
    )


def _find_build() -> Path:
    """Return where generated things go: AESFORGE_BUILD, or build/ of the repository."""
    folder = Path(os.environ.get("AESFORGE_BUILD") or ROOT / "build").absolute()
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"the build folder {folder} is no folder", "set AESFORGE_BUILD to one, or remove it"
        )
    return folder


ROOT = _find_root()
BUILD = _find_build()
