# SPDX-License-Identifier: Apache-2.0
"""C and assembly that is written twice: no two files have twelve like lines in a row.

symilar (part of pylint) compares texts line by line and needs no grammar. Lines without a word, a
closing brace for example, do not count.
"""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from tree_support import tracked_files

pytestmark = pytest.mark.quick

LIKE_LINES = 12
SUFFIXES = {".c", ".h", ".cpp", ".S", ".inc"}
TESTS = {"test", "tests"}  # a case may look like another one

_FOUND = re.compile(r"^(\d+) similar lines in \d+ files\n((?:==.*\n)+)", re.MULTILINE)


def duplicates(files: Sequence[Path]) -> list[str]:
    """List the places that have LIKE_LINES like lines or more."""
    done = subprocess.run(
        # It reports what has more lines than this.
        [sys.executable, "-m", "pylint.checkers.symilar", f"--duplicates={LIKE_LINES - 1}", *files],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0 and "TOTAL lines=" in done.stdout, done.stdout + done.stderr
    return [f"{lines} lines: {places.split()}" for lines, places in _FOUND.findall(done.stdout)]


def test_nothing_is_written_twice() -> None:
    """What two units need is a shape in sw/include (docs/architecture.md, section 3.1)."""
    files = [
        path
        for path in tracked_files(ROOT)
        if path.suffix in SUFFIXES and not TESTS & set(path.relative_to(ROOT).parts)
    ]
    assert len(files) > 100
    assert duplicates(files) == []


def test_a_copy_is_found(tmp_path: Path) -> None:
    """Twelve lines are found, eleven are not."""
    for lines in (LIKE_LINES - 1, LIKE_LINES):
        body = "".join(f"  x[{i}] = y[{i}];\n\n" for i in range(lines))
        (tmp_path / "a.c").write_text("one();\n" + body, encoding="utf-8")
        (tmp_path / "b.S").write_text(body + "two();\n", encoding="utf-8")
        found = duplicates([tmp_path / "a.c", tmp_path / "b.S"])
        assert len(found) == (lines == LIKE_LINES), found
