# SPDX-License-Identifier: Apache-2.0
"""Nothing is written twice: no two files have twelve like lines in a row, unless one says why.

symilar (part of pylint) compares texts line by line and needs no grammar. Lines without a word, a
closing brace for example, do not count. Neither do Python's imports and, in RTL, declarations of
ports and connections by name: the language has no shorter form that all four tools read. RTL made
from a template does not count, its template does.

A pair may stay where a change would make records stale that take days. Then a comment of one file
says so: `Written twice (other_file.sv): the reason`. A comment without its pair is an error too.
"""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.build import written
from tree_support import tracked_files

pytestmark = pytest.mark.quick

LIKE_LINES = 12
C = {".c", ".h", ".cpp", ".S", ".inc"}
RTL = {".sv", ".v", ".j2"}
LANGUAGES = (C, RTL, {".py"}, {".js", ".css"})  # compared each by itself, which is quicker
TESTS = {"test", "tests"}  # a case may look like another one

_FOUND = re.compile(r"^(\d+) similar lines in \d+ files\n((?:==.*\n)+)", re.MULTILINE)
_PLACE = re.compile(r"==(.*):\[\d+:\d+\]")
_MARK = re.compile(r"^\s*(?://|#) Written twice \(([\w./]+)\): \w", re.MULTILINE)
_PORT = re.compile(r"^\s*((input|output|inout)\b.*|\.\w+\s*(\(.*\))?\s*,?\s*)$")
_IMPORT = re.compile(r"^\s*(from \S+ )?import ")


def countable(path: Path) -> str:
    """Return a file's text with the lines blank that do not count."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix in RTL:
        lines = [line.partition("//")[0] for line in lines]
        lines = ["" if _PORT.match(line) else line for line in lines]
    elif path.suffix == ".py":
        lines = ["" if _IMPORT.match(line) else line for line in lines]
    return "\n".join(lines) + "\n"


def duplicates(files: Sequence[Path], root: Path, folder: Path) -> dict[tuple[str, ...], int]:
    """Return the sets of files that have LIKE_LINES like lines or more, with the number of these.

    `folder` gets copies of what counts.
    """
    found: dict[tuple[str, ...], int] = {}
    copies: dict[str, str] = {}
    for number, path in enumerate(files):
        copy = folder / f"{number}{path.suffix}"
        copy.write_text(countable(path), encoding="utf-8")
        copies[str(copy)] = path.relative_to(root).as_posix()
    for suffixes in LANGUAGES:
        chosen = [copy for copy in copies if Path(copy).suffix in suffixes]
        for lines, places in _FOUND.findall(_symilar(chosen) if len(chosen) > 1 else ""):
            pair = tuple(sorted(copies[place] for place in _PLACE.findall(places)))
            found[pair] = max(int(lines), found.get(pair, 0))
    return found


def _symilar(files: Sequence[str]) -> str:
    """Return what symilar prints of files."""
    done = subprocess.run(
        # It reports what has more lines than this.
        [
            sys.executable,
            "-m",
            "pylint.checkers.symilar",
            f"--duplicates={LIKE_LINES - 1}",
            *files,
        ],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0 and "TOTAL lines=" in done.stdout, done.stdout + done.stderr
    return done.stdout


def admitted(files: Sequence[Path], root: Path) -> set[tuple[str, ...]]:
    """Return the pairs of files of which one says that the other has the same lines, and why."""
    found: set[tuple[str, ...]] = set()
    for path in files:
        for name in _MARK.findall(path.read_text(encoding="utf-8")):
            others = [other for other in files if other.as_posix().endswith(f"/{name}")]
            assert len(others) == 1, f"{path}: {len(others)} files are called {name}"
            found.add(tuple(sorted(p.relative_to(root).as_posix() for p in (path, *others))))
    return found


def test_nothing_is_written_twice(tmp_path: Path) -> None:
    """What two units need is shared: a shape in sw/include (docs/architecture.md, section 3.1)."""
    made = set(map(written.target, written.templates()))
    files = [
        path
        for path in tracked_files(ROOT)
        if path.suffix in set().union(*LANGUAGES)
        and path not in made
        and not TESTS & set(path.relative_to(ROOT).parts)
    ]
    assert len(files) > 300 and {path.suffix for path in files} >= {".c", ".sv", ".py"}
    assert set(duplicates(files, ROOT, tmp_path)) == admitted(files, ROOT)


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (("a.c", "b.S"), "x[{0}] = y[{0}];"),
        (("a.sv", "b.sv"), "assign x{0} = y{0};  // {1}"),
        (("a.py", "b.py"), "x{0} = y({0})"),
        (("a.js", "b.css"), "x{0}(y);"),
    ],
)
def test_a_copy_is_found(tmp_path: Path, names: tuple[str, str], line: str) -> None:
    """Twelve lines are found, eleven are not; comments in RTL do not count."""
    for lines in (LIKE_LINES - 1, LIKE_LINES):
        for place, name in enumerate(names):
            body = "\n\n".join(line.format(i, place) for i in range(lines))
            (tmp_path / name).write_text(f"one{place}()\n{body}\n", encoding="utf-8")
        (tmp_path / "copies").mkdir(exist_ok=True)
        found = duplicates([tmp_path / name for name in names], tmp_path, tmp_path / "copies")
        assert found == ({names: LIKE_LINES} if lines == LIKE_LINES else {}), found


def test_ports_connections_and_imports_do_not_count(tmp_path: Path) -> None:
    """An assignment in their place would."""
    port, wire, name = "input logic [7:0] a{0},", "  .a{0}_i (b{0}),", "from a import b{0}"
    for suffix, line, like in (
        (".sv", port, False),
        (".sv", wire, False),
        (".sv", "wire [7:0] a{0} = 1;", True),
        (".py", name, False),
        (".py", "a.imported(b{0})", True),
    ):
        files = [tmp_path / f"{side}{suffix}" for side in "ab"]
        for file in files:
            text = "\n".join(line.format(i) for i in range(LIKE_LINES))
            file.write_text(f"{file.stem}x y;\n{text}\n", encoding="utf-8")
        (tmp_path / "copies").mkdir(exist_ok=True)
        assert bool(duplicates(files, tmp_path, tmp_path / "copies")) is like, line


def test_a_pair_is_admitted_by_a_reason(tmp_path: Path) -> None:
    """Of one of the two files; without a reason, or a file of that name, it is not."""
    texts = {"a.sv": "// Written twice (b.sv): a test.\n", "b.sv": "", "c.sv": ""}
    files = [tmp_path / name for name in texts]
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert admitted(files, tmp_path) == {("a.sv", "b.sv")}
    (tmp_path / "c.sv").write_text("// Written twice (b.sv):\n")
    assert admitted(files, tmp_path) == {("a.sv", "b.sv")}
    (tmp_path / "c.sv").write_text("// Written twice (d.sv): a test.\n")
    with pytest.raises(AssertionError, match=r"0 files are called d\.sv"):
        admitted(files, tmp_path)
