# SPDX-License-Identifier: Apache-2.0
"""The drop-in promise: one folder more, no other edit, and everything knows the new accelerator.

An accelerator that discovery finds is copied under another name into a tree of its own.
"""

import json
from pathlib import Path

import pytest

from aesforge import manifest
from aesforge.platform import discover as discover_platforms
from tree_support import Tree, copy_renamed, make_tree

NAME = "dropped_unit"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A tree whose only accelerator is a renamed copy of the smallest one there is."""
    units = [found for found in manifest.discover() if found.manifest.kind == "instruction"]
    source = min(units, key=lambda found: (len(found.manifest.op), found.name))
    made = make_tree(tmp_path_factory.mktemp("dropin"))
    copy_renamed(source, made.root / "accelerators" / NAME)
    return made


def test_it_is_discovered(tree: Tree) -> None:
    """`aesforge list` shows it with its variants."""
    done = tree.run("list")
    assert done.returncode == 0, done.stderr
    assert NAME in done.stdout


def test_it_is_checked(tree: Tree) -> None:
    """Every check of the first variant passes under the new name."""
    found = manifest.load(tree.root / "accelerators" / NAME)
    done = tree.run("check", NAME, "--variant", found.variant("").name, "--no-bugs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{NAME}: " in done.stdout


@pytest.mark.slow
def test_it_is_built_verified_and_tabled(tree: Tree) -> None:
    """On the first platform: firmware and core are built, vectors pass, the table has its row."""
    platform = discover_platforms()[0].name
    variant = manifest.load(tree.root / "accelerators" / NAME).variant("").name
    words = ("bench", "--only", f"{NAME}/{variant}", "--platform", platform, "--json")
    questions = ("--question", "test", "--question", "speed", "--mct", "1")
    done = tree.run(*words, *questions, seconds=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(row["accelerator"], row["platform"]) for row in rows} == {(NAME, platform)}
    assert all(row["status"] == "passed" and row["verified"] for row in rows)
    assert {row["key_bits"] for row in rows} == {128, 192, 256}
    assert all(row["cycles"] > 0 for row in rows)
    table = tree.run(*(word for word in words if word != "--json"), *questions, seconds=1800)
    assert table.returncode == 0, table.stderr
    assert NAME in table.stdout


def test_nothing_outside_the_folder_was_touched(tree: Tree) -> None:
    """The tree holds links and the one folder."""
    own = [path for path in tree.root.iterdir() if not path.is_symlink()]
    assert sorted(path.name for path in own) == ["accelerators", "results"]
    assert [path.name for path in (tree.root / "accelerators").iterdir()] == [NAME]
    assert list((tree.root / "results").iterdir()) == []
    assert not any(Path(tree.root / "sw").rglob(f"*{NAME}*"))
