# SPDX-License-Identifier: Apache-2.0
"""Deleting an accelerator's folder deletes the accelerator: nothing else in the repository asks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from aesforge.base.paths import BUILD, ROOT
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator
from tree_support import make_tree

RTL = [found for found in manifest.discover() if found.manifest.rtl is not None]

# In the tree without it: the commands that a reader tries first, the shared RTL by name, all pages.
SCRIPT = """
from aesforge.build import library
from aesforge.catalog import manifest, planted
from aesforge.report import publish
from aesforge.verify import lint, prove

shared = library.library()
for top in lint.shared_tops():
    assert shared.files([top.path.stem])[-1] == top.path
for found in manifest.discover():
    assert found.manifest.rtl is None or library.all_files(found)
for bug in planted.shared().values():
    bug.texts()
assert prove._asked((), bugs=True, fast_only=False)
pages = dict(publish.pages(publish.read()))
assert publish.TABLES in pages and publish.PAPERS in pages
print("all made")
"""


def without(gone: Accelerator, folder: Path) -> dict[str, str]:
    """Make a tree of links that lacks one accelerator; return the environment of its commands."""
    root = make_tree(folder).root
    for found in manifest.discover():
        place = found.folder.relative_to(ROOT)
        # A set goes with any of its units.
        names = {found.name, *(unit.name for unit in found.units())}
        if place.parts[0] == "accelerators" and gone.name not in names:
            (root / place).symlink_to(found.folder)
    (root / "results").rmdir()
    for name in ("README.md", "boards", "papers", "results", "synth"):
        (root / name).symlink_to(ROOT / name)
    added = {"AESFORGE_ROOT": str(root), "AESFORGE_BUILD": str(BUILD), "COLUMNS": "200"}
    return {**os.environ, **added, "PYTHONPATH": str(ROOT / "src")}


@pytest.mark.parametrize("gone", RTL, ids=lambda found: found.name)
def test_the_rest_works_without_it(gone: Accelerator, tmp_path: Path) -> None:
    """List, shared RTL, planted bugs, proofs and pages."""
    environment = without(gone, tmp_path)
    for words in (["-m", "aesforge", "list"], ["-c", SCRIPT]):
        done = subprocess.run(
            [sys.executable, *words],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all made\n")
