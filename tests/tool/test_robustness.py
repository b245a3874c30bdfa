# SPDX-License-Identifier: Apache-2.0
"""Broken surroundings and broken files: one line that says what and what to do, no traceback."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aesforge.base import toml
from aesforge.base.errors import AesforgeError, ManifestError
from aesforge.base.paths import ROOT
from aesforge.boards import soc
from aesforge.catalog import manifest, platform
from aesforge.records import record
from aesforge.report import papers
from aesforge.verify import check, prove
from harness_support import SMALLEST
from tree_support import Tree, make_tree

HOST = platform.discover()[0]


def aesforge(*words: str | bytes, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run the tool with additional environment variables."""
    return subprocess.run(
        [sys.executable, "-m", "aesforge", *words],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
        env={**os.environ, "COLUMNS": "300", **settings},
        check=False,
    )


def assert_one_line(done: "subprocess.CompletedProcess[str]", *texts: str) -> None:
    """A failure that is reported in one line."""
    assert done.returncode not in (0, 130), done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    for text in texts:
        assert text in done.stderr, done.stderr


# --- surroundings ---------------------------------------------------------------------------------


def test_a_wrong_root_is_named() -> None:
    """The variable and its value; help needs no repository."""
    for named in ("/nosuch", "x" * 5000):
        assert_one_line(aesforge("list", AESFORGE_ROOT=named), named)
    assert_one_line(aesforge("list", AESFORGE_ROOT="/nosuch"), "AESFORGE_ROOT", "to a checkout")
    assert aesforge("run", "--help", AESFORGE_ROOT="/nosuch").returncode == 0


def test_a_wrong_build_folder_is_named(tmp_path: Path) -> None:
    """A file, and a place where nobody can make a folder."""
    file = tmp_path / "file"
    file.touch()
    asked = ("bench", "--only", SMALLEST.name, "--platform", HOST.name, "--question", "speed")
    for place in (str(file), str(file / "below"), "/proc/nosuch/build"):
        assert_one_line(aesforge(*asked, AESFORGE_BUILD=place), "AESFORGE_BUILD")


def test_a_full_disk_behind_standard_output() -> None:
    """An error, and not half a table with status 0."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "aesforge", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "aesforge: No space left on device; finished records are kept\n"


def test_names_that_are_no_text() -> None:
    """Bytes that are not UTF-8 and line ends are shown as codes."""
    assert_one_line(aesforge("check", b"\xff\n"), "there is no accelerator '\\udcff\\n'")


# --- records --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (b'{"accelerator": "\xff"}\n', "not UTF-8 at byte 17"),
        (b'{"accelerator"', "records.jsonl:1: not a record"),
        (b"[" * 100_000, "records.jsonl:1: not a record"),
        (b'{"counts": {"cycles": ' + b"9" * 400 + b"}}", "19 digits"),
        (b"\0", "records.jsonl:1: not a record"),
    ],
)
def test_broken_records(tmp_path: Path, held: bytes, told: str) -> None:
    """The file and the line, or the byte."""
    path = tmp_path / "records.jsonl"
    path.write_bytes(held)
    with pytest.raises(AesforgeError, match=told):
        record.read_published(path)


def test_broken_records_on_the_command_line(tmp_path: Path) -> None:
    """Through the whole tool."""
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"\xff\n")
    paper = papers.discover()[0].id
    assert_one_line(aesforge("papers", paper, "--records", str(path)), str(path), "not UTF-8")


@pytest.mark.parametrize("held", ["{", "[]", '{"a": 1}', "1"])
def test_damaged_results_in_the_build_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: str
) -> None:
    """They count as none: proofs and checks run again."""
    place = tmp_path / "kept.json"
    place.write_text(held)
    monkeypatch.setattr(prove, "_place", lambda run: place)
    proof = prove.Proof(name="a", top="a", sources=[])
    assert prove._load(prove._Run("sample", proof, "", ())) is None
    (tmp_path / "checks").mkdir()
    kept = tmp_path / "checks" / f"{SMALLEST.name}-key.json"
    kept.write_text(held)
    monkeypatch.setattr(check, "BUILD", tmp_path)
    monkeypatch.setattr(check, "_key", lambda step: "key")
    monkeypatch.setitem(check._CHECKS, "folder", lambda *_: ("pass", "again"))
    done = check._run(check._Step(SMALLEST.folder, "", "folder"))
    assert (done.status, done.detail, done.cached) == ("pass", "again", False)


# --- TOML -----------------------------------------------------------------------------------------

READERS: list[tuple[str, str, Callable[[Path], object]]] = [
    ("sample", "accel.toml", lambda path: manifest.load(path.parent)),
    ("sample", "platform.toml", lambda path: platform.load(path.parent)),
    ("sample", "board.toml", lambda path: soc.boards(path.parents[1])),
    (".", "proofs.toml", prove.load),
    (".", "paper2000.toml", papers.load),
]


@pytest.mark.parametrize(
    ("folder", "name", "reader"), READERS, ids=[name for _, name, _ in READERS]
)
def test_every_reader_of_toml(
    tmp_path: Path, folder: str, name: str, reader: Callable[[Path], object]
) -> None:
    """Each names the file and what is wrong with it."""
    path = tmp_path / folder / name
    path.parent.mkdir(exist_ok=True)
    for held, told in (
        (b"a = '\xff'", "not UTF-8 at byte 5"),
        (b"a = " + b"[" * 5000, "nested too deep"),
        (b"a = " + b"9" * 5000, "not valid TOML"),
        (b"a = \0", "not valid TOML"),
        (b'"line\\nend" = 1', "line"),
    ):
        path.write_bytes(held)
        with pytest.raises(ManifestError, match=told) as caught:
            reader(path)
        assert str(path) in caught.value.message
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ManifestError, match="no regular file"):
        reader(path)
    path.unlink()
    path.symlink_to("nowhere")
    with pytest.raises(ManifestError, match="is a link to nowhere, which does not exist"):
        reader(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(ManifestError, match="no regular file"):
        reader(path)


def test_files_that_a_folder_lists(tmp_path: Path) -> None:
    """A dangling link is an error, an editor's own is not."""
    for discover, entry in (
        (manifest.discover, "accelerators/gone"),
        (manifest.discover, "sw/ref/gone"),
        (platform.discover, "platforms/gone"),
        (papers.discover, "gone.toml"),
        (soc.boards, "gone"),
    ):
        link = tmp_path / entry
        link.parent.mkdir(parents=True, exist_ok=True)
        link.with_name(".#lock.toml").symlink_to("user@host:1")
        assert not discover(tmp_path)
        link.symlink_to("nowhere")
        with pytest.raises(ManifestError, match=f"{entry} is a link to nowhere"):
            discover(tmp_path)
        link.unlink()
        link.with_name(".#lock.toml").unlink()


def test_dangling_cures_are_an_error(tmp_path: Path) -> None:
    """A core without its cures would be another core."""
    folder = tmp_path / HOST.name
    folder.mkdir()
    (folder / "platform.toml").write_bytes((HOST.folder / "platform.toml").read_bytes())
    for name in HOST.manifest.sw.sources:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    assert platform.load(folder).name == HOST.name
    (folder / "cures.toml").symlink_to("nowhere")
    with pytest.raises(ManifestError, match=r"cures\.toml is a link to nowhere"):
        platform.load(folder)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A repository whose folders are links to this one's, with one accelerator."""
    made = make_tree(tmp_path)
    folder = tmp_path / "accelerators" / SMALLEST.name
    folder.mkdir()
    (folder / "accel.toml").write_bytes((SMALLEST.folder / "accel.toml").read_bytes())
    return made


def test_the_command_line_says_so(tree: Tree) -> None:
    """A FIFO does not hang the tool, a dangling link is no missing accelerator."""
    path = tree.root / "accelerators" / SMALLEST.name / "accel.toml"
    assert tree.run("list", seconds=60).returncode == 0  # links to whole folders are in order
    path.unlink()
    os.mkfifo(path)
    assert_one_line(tree.run("list", seconds=30), str(path), "no regular file")
    path.unlink()
    path.symlink_to("nowhere")
    assert_one_line(tree.run("list", seconds=30), str(path), "is a link to nowhere")


# --- paths ----------------------------------------------------------------------------------------

AWAY = ("../../../../../../../../etc/hostname", "/etc/hostname", "link/hostname")


@pytest.mark.parametrize("away", AWAY)
@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("sw.kernel", "kernel = [", "kernel = ['{}', "),
        ("sw.emul", 'emul = "sw/emul.c"', "emul = '{}'"),
        ("sw.ecc", 'emul = "sw/emul.c"', 'emul = "sw/emul.c"\necc = ["{}"]'),
        ("proof escape: sources", "", "[[proof]]\nname='escape'\ntop='a'\nsources=['{}']\n"),
    ],
)
def test_paths_that_leave_the_repository(
    tmp_path: Path, away: str, key: str, old: str, new: str
) -> None:
    """Manifest, key and path are named; up, absolute, or through a link."""
    folder = tmp_path / SMALLEST.name
    folder.mkdir()
    (folder / "link").symlink_to("/etc")
    text = (SMALLEST.folder / "accel.toml").read_text(encoding="utf-8")
    assert old in text
    path = folder / "accel.toml"
    changed = text.replace(old, new.format(away), 1) if old else text + new.format(away)
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        manifest.load(folder)
    assert str(caught.value).startswith(f"{path}: {key}: '{away}' ")


@pytest.mark.parametrize("name", ["rtl/more.sv", "sw/more.h", "more.svg"])
def test_links_that_leave_the_repository(tmp_path: Path, name: str) -> None:
    """No key names these files, but tools read them and exports copy them."""
    folder = tmp_path / SMALLEST.name
    shutil.copytree(SMALLEST.folder, folder)
    link = folder / name
    link.symlink_to(SMALLEST.folder / "README.md")
    manifest.load(folder)
    link.unlink()
    link.symlink_to("/etc/hostname")
    (folder / "accel.toml").touch()  # what was loaded is kept until the manifest changes
    with pytest.raises(ManifestError) as caught:
        manifest.load(folder)
    told = f"{folder / 'accel.toml'}: link: '{name}' leaves the repository"
    assert str(caught.value).startswith(told)


def test_benches_stay_too(tmp_path: Path) -> None:
    """Of accelerators on a bus or a stream: the bench's module."""
    block = next(found for found in manifest.discover() if found.manifest.bench)
    folder = tmp_path / block.name
    folder.mkdir()
    text = (block.folder / "accel.toml").read_text(encoding="utf-8")
    module = f'module = "{block.manifest.bench[0].module}"'
    changed = text.replace(module, "module = '/etc/hostname'", 1)
    (folder / "accel.toml").write_text(changed, encoding="utf-8")
    with pytest.raises(ManifestError, match="module: '/etc/hostname'"):
        manifest.load(folder)


def test_platforms_and_boards_stay_too(tmp_path: Path) -> None:
    """Sources, and what a platform names inside the core's package."""
    text = (HOST.folder / "platform.toml").read_text(encoding="utf-8")
    folder = tmp_path / HOST.name
    folder.mkdir()
    for key, old in (("sw.sources", "\nsources = ["), ("rtl.core", "\ncore = [")):
        for away in AWAY[:2]:
            changed = text.replace(old, f"{old}'{away}', ", 1)
            assert changed != text
            (folder / "platform.toml").write_text(changed, encoding="utf-8")
            with pytest.raises(ManifestError, match=f"{key}: '{away}'"):
                platform.load(folder)
    board = soc.boards()[0].name
    text = (ROOT / "boards" / board / "board.toml").read_text(encoding="utf-8")
    (tmp_path / "boards" / board).mkdir(parents=True)
    for key in ("pins", "ram"):
        lines = [
            f"{key} = '{AWAY[0]}'" if x.startswith(f"{key} =") else x for x in text.split("\n")
        ]
        (tmp_path / "boards" / board / "board.toml").write_text("\n".join(lines))
        with pytest.raises(ManifestError, match=f"{key}: '{AWAY[0]}'"):
            soc.boards(tmp_path / "boards")


def test_what_may_be_named(tmp_path: Path) -> None:
    """Files of the folder, linked or not, and of the repository."""
    home = tmp_path / "sample"
    home.mkdir()
    (home / "link").symlink_to(ROOT / "formal")
    path = home / "accel.toml"
    toml.require_inside(path, [("key", "a/b.sv"), ("key", "../sample/b"), ("key", "link/x.sv")])
    up = os.path.relpath(ROOT / "formal" / "x.sv", home.resolve())
    toml.require_inside(path, [("key", up)])
    toml.require_inside(path, [("key", "rtl/core/x.sv")], ROOT)
    with pytest.raises(ManifestError, match="File name too long"):
        toml.require_inside(path, [("key", "x" * 5000)])
