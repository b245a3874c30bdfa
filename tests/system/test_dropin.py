# SPDX-License-Identifier: Apache-2.0
"""The drop-in promise: one folder more, no other edit, and everything knows the new accelerator.

An accelerator that discovery finds is copied under another name into a tree of its own.
"""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.catalog import manifest
from aesforge.catalog.platform import discover as discover_platforms
from tree_support import Tree, copy_renamed, make_tree

NAME = "dropped_unit"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A tree whose only accelerator is a renamed copy of the smallest one there is."""
    units = manifest.aes_units()  # cycles of others are those of AES in software
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


@pytest.fixture(scope="module")
def place(tree: Tree) -> tuple[str, str]:
    """The copy's first variant, and the smallest platform without a reason to leave it out."""
    found = manifest.load(tree.root / "accelerators" / NAME)
    hosts = sorted(discover_platforms(), key=lambda host: (len(host.core_files()), host.name))
    names = [host.name for host in hosts]
    host = next(name for name in names if found.manifest.skipped(f"platform:{name}") is None)
    return found.variant("").name, host


def test_it_is_built_and_tabled(tree: Tree, place: tuple[str, str]) -> None:
    """Core and firmware are built around it, cycles are counted, the table has its row."""
    words = ("bench", "--only", f"{NAME}/{place[0]}", "--platform", place[1])
    done = tree.run(*words, "--question", "speed", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(row["accelerator"], row["platform"]) for row in rows} == {(NAME, place[1])}
    assert all(row["status"] == "passed" and row["cycles"] > 0 for row in rows)
    assert {row["key_bits"] for row in rows} >= {128}
    table = tree.run(*words, "--question", "speed")
    assert table.returncode == 0, table.stderr
    assert NAME in table.stdout


def test_a_file_goes_through_it(tree: Tree, place: tuple[str, str], tmp_path: Path) -> None:
    """A file encrypted on the simulated core is what an independent library gives."""
    plain, key = bytes(range(160)), bytes(range(32))
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(plain)
    where = ("--accel", NAME, "--variant", place[0], "--platform", place[1])
    done = tree.run("run", str(source), str(target), *where, "--key", key.hex(), "--mode", "ecb")
    assert done.returncode == 0, done.stderr
    context = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    assert target.read_bytes() == context.update(plain) + context.finalize()


@pytest.mark.slow
def test_every_vector_passes(tree: Tree, place: tuple[str, str]) -> None:
    """The published vectors pass, and the row says so."""
    words = ("bench", "--only", f"{NAME}/{place[0]}", "--platform", place[1], "--mct", "1")
    done = tree.run(*words, "--question", "test", "--question", "speed", "--json", seconds=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows and all(row["verified"] for row in rows)


def test_nothing_outside_the_folder_was_touched(tree: Tree) -> None:
    """The tree holds links and the one folder."""
    own = [path for path in tree.root.iterdir() if not path.is_symlink()]
    assert sorted(path.name for path in own) == ["accelerators", "results"]
    assert [path.name for path in (tree.root / "accelerators").iterdir()] == [NAME]
    assert list((tree.root / "results").iterdir()) == []
    assert not any(Path(tree.root / "sw").rglob(f"*{NAME}*"))
