# SPDX-License-Identifier: Apache-2.0
"""The drop-in promise for every kind: a renamed copy alone in a tree is listed, checked, tabled."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from aesforge.base.paths import BUILD, ROOT
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator
from tree_support import copy_renamed, make_tree

KINDS = ("instruction", "software", "mmio", "dma", "stream")
NAME = "dropped_copy"

# Folder and lint of the first variant; the source's published figures under the copy's name.
SCRIPT = """
import sys
from aesforge.catalog import manifest
from aesforge.programs import stream_sim
from aesforge.records import record
from aesforge.report import publish
from aesforge.synth import synthesis
from aesforge.verify import check

name, source = sys.argv[1:]
found = manifest.find(name)
variant = found.variant("")
steps = ["folder", *(["lint"] if found.manifest.rtl else [])]
for step in steps:
    done = check._run(check._Step(found.folder, "" if step == "folder" else variant.name, step))
    assert done.passed, done
if found.manifest.kind == "stream":
    assert stream_sim.shape(found, variant).sizes
records = [
    entry.model_copy(update={"accelerator": name})
    for entry in record.read_published()
    if entry.accelerator == source
]
platforms = sorted({entry.platform for entry in records})
assert (name in publish._tables_page(records, platforms)) == bool(found.manifest.sw.kernel)
if found.manifest.rtl:
    mapped = [e for e in synthesis.read_published() if e.accelerator == source]
    assert mapped
    table = synthesis.table([e.model_copy(update={"accelerator": name}) for e in mapped])
    assert name in table.markdown()
print("all seen")
"""


def smallest(kind: str) -> Accelerator:
    """Return the accelerator of a kind with the fewest variants."""
    found = [
        a for a in manifest.discover() if a.manifest.kind == kind and a.manifest.source is None
    ]
    return min(found, key=lambda a: (len(a.manifest.variant), a.name))


def run(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in a tree."""
    added = {"AESFORGE_ROOT": str(root), "AESFORGE_BUILD": str(BUILD), "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **added, "PYTHONPATH": str(ROOT / "src")},
        cwd=root,
        capture_output=True,
        text=True,
        timeout=3000,
        check=False,
    )


@pytest.fixture
def tree(kind: str, tmp_path: Path) -> Path:
    """A tree whose only accelerator is a copy of one of a kind."""
    root = make_tree(tmp_path).root
    (root / "results").rmdir()
    for name in ("README.md", "boards", "papers", "results", "synth"):
        (root / name).symlink_to(ROOT / name)
    copy_renamed(smallest(kind), root / "accelerators" / NAME)
    return root


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_is_listed_checked_and_tabled(kind: str, tree: Path) -> None:
    """No file outside the folder knows its name."""
    listed = run(tree, "-m", "aesforge", "list")
    assert listed.returncode == 0, listed.stderr
    assert NAME in listed.stdout
    done = run(tree, "-c", SCRIPT, NAME, smallest(kind).name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all seen\n")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_passes_its_benches(kind: str, tree: Path) -> None:
    """Every check of the first variant, planted bugs apart."""
    first = smallest(kind).variant("").name
    done = run(tree, "-m", "aesforge", "check", NAME, "--variant", first, "--no-bugs")
    assert done.returncode == 0, done.stdout + done.stderr
