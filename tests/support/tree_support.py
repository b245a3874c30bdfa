# SPDX-License-Identifier: Apache-2.0
"""A second repository tree for tests that add accelerators: links to everything, its own folder."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from aesforge.base.paths import BUILD, ROOT
from aesforge.catalog.manifest import Accelerator

# What a tree needs besides accelerators/, whatever of it exists.
_LINKED = ("docs", "formal", "platforms", "rtl", "sim", "src", "sw", "vectors", "pyproject.toml")


@dataclass(frozen=True)
class Tree:
    """A tree with its own accelerators/ and results/; it shares the build folder."""

    root: Path

    def run(self, *words: str, seconds: float = 900) -> subprocess.CompletedProcess[str]:
        """Run `aesforge` on this tree and return status and output."""
        environment = {
            **os.environ,
            "AESFORGE_ROOT": str(self.root),
            "AESFORGE_BUILD": str(BUILD),
            "PYTHONPATH": str(ROOT / "src"),
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }
        return subprocess.run(
            [sys.executable, "-m", "aesforge", *words],
            env=environment,
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )


def make_tree(folder: Path) -> Tree:
    """Make a tree without accelerators in `folder`."""
    for name in _LINKED:
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    (folder / "accelerators").mkdir()
    (folder / "results").mkdir()
    return Tree(folder)


def tracked_files(folder: Path) -> list[Path]:
    """List the files of a folder that git tracks, or all of them outside a checkout."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = [name for name in done.stdout.split("\0") if name]
    if names:
        return [ROOT / name for name in names if (ROOT / name).is_file()]
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def copy_renamed(source: Accelerator, target: Path) -> None:
    """Copy an accelerator's folder under another name: file names, modules, packages, macros."""
    old, new = source.name, target.name

    def renamed(text: str) -> str:
        return text.replace(old, new).replace(old.upper(), new.upper())

    for path in tracked_files(source.folder):
        copy = target / renamed(str(path.relative_to(source.folder)))
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")


def replace_in(path: Path, old: str, new: str) -> None:
    """Change a file; the text that is replaced must be there exactly once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path}: {old!r} is there {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")
