# SPDX-License-Identifier: Apache-2.0
"""Peers: how their sources are fetched, and their glue against the `cryptography` package."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest
from test_baselines import INCLUDE, ROOT, Kernel, expected, stream

from aesforge.base.errors import Absent, ToolError
from aesforge.build import peers
from aesforge.catalog.peer import PeerSource

MANIFESTS = sorted((ROOT / "sw" / "peers").glob("*/accel.toml"))


# Fetching, with a make-believe apt ----------------------------------------------------------------


def tarball(members: dict[str, bytes]) -> bytes:
    """A compressed tarball of plain files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


GOOD = tarball(
    {
        "lib-1.2/src/a.c": b"int a;\n",
        "lib-1.2/inc/a.h": b"extern int a;\n",
        "lib-1.2/../../outside.c": b"int no;\n",
        "../../../outside.c": b"int no;\n",
    }
)


def peer(content: bytes = GOOD, version: str = "1.2", file: str = "src/a.c") -> PeerSource:
    """What a manifest would say of the make-believe library."""
    return PeerSource(
        debian="lib",
        version=version,
        sha256=hashlib.sha256(content).hexdigest(),
        files=[file],
        includes=["inc"],
        licence="none",
    )


class Apt:
    """A folder of programs named like apt's, and the number of requests."""

    def __init__(self, folder: Path, etc: Path, served: bytes, offered: list[str]) -> None:
        self.log = folder / "asked"
        self.log.touch()
        (folder / "served").write_bytes(served)
        versions = "".join(f"echo 'Version: {version}'\n" for version in offered)
        scripts = {
            "apt-config": f"echo \"LIST='{etc}/sources.list'\"; echo \"PARTS='{etc}/parts/'\"",
            "apt-cache": f"echo cache >> {self.log}\n{versions}",
            "apt-get": f"""echo "$3" >> {self.log}
case "$3" in
  update) grep -q '^Dir::Etc::sourceparts' "$2" ;;
  source) cp {folder}/served lib_1.2.orig.tar.xz ;;
esac""",
        }
        for name, text in scripts.items():
            path = folder / name
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)

    @property
    def asked(self) -> list[str]:
        """Every request so far."""
        return self.log.read_text().split()


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty build folder."""
    monkeypatch.setattr(peers, "BUILD", tmp_path / "build")
    return tmp_path / "build"


def install(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    served: bytes = GOOD,
    offered: tuple[str, ...] = ("1.2-3",),
) -> Apt:
    """Put the make-believe apt in front of everything else."""
    etc, programs = tmp_path / "etc", tmp_path / "bin"
    (etc / "parts").mkdir(parents=True)
    programs.mkdir()
    (etc / "parts" / "a.sources").write_text("Types: deb\nURIs: file:/nowhere\nSuites: x\n")
    (etc / "sources.list").write_text("deb file:/nowhere x main\n")
    apt = Apt(programs, etc, served, list(offered))
    # The tool puts its own Python first, which has no apt.
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return apt


def test_fetched_once(tmp_path: Path, build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second request asks nobody; the lists are private copies for sources."""
    apt = install(tmp_path, monkeypatch)
    tree = peers.ensure(peer())
    assert (tree / "src" / "a.c").read_bytes() == b"int a;\n"
    assert apt.asked == ["update", "cache", "source"]
    assert peers.ensure(peer()) == tree
    assert apt.asked == ["update", "cache", "source"]
    entries = sorted((build / "peers" / "apt" / "sources.list.d").iterdir())
    assert [path.name for path in entries] == ["a.sources", "sources.list"]
    assert entries[0].read_text().startswith("Types: deb-src\n")
    assert entries[1].read_text() == "deb-src file:/nowhere x main\n"


def test_nothing_leaves_the_tree(
    tmp_path: Path, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Members of a tarball that point outside are left out."""
    install(tmp_path, monkeypatch)
    tree = peers.ensure(peer())
    written = sorted(str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file())
    assert written == ["inc/a.h", "src/a.c"]
    assert not list(tmp_path.rglob("outside.c"))


def test_wrong_digest_is_an_error(
    tmp_path: Path, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something else than the manifest names is refused, and not kept."""
    install(tmp_path, monkeypatch, served=tarball({"lib-1.2/src/a.c": b"int evil;\n"}))
    with pytest.raises(ToolError, match="SHA-256"):
        peers.ensure(peer())
    assert not list((build / "peers").glob("lib-*"))


def test_other_version_is_absent(
    tmp_path: Path, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row says what is on offer instead."""
    apt = install(tmp_path, monkeypatch, offered=("2:1.3-1", "1.20-1"))
    with pytest.raises(Absent, match=r"1\.20-1, 2:1\.3-1, the manifest names 1\.2"):
        peers.ensure(peer())
    asked = apt.asked
    with pytest.raises(Absent):  # from memory: nothing is asked again so soon
        peers.ensure(peer())
    assert apt.asked == asked


def test_no_network_is_absent(tmp_path: Path, build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists without the package."""
    install(tmp_path, monkeypatch, offered=())
    with pytest.raises(Absent, match="no source package lib"):
        peers.ensure(peer())


def test_no_apt_is_absent(tmp_path: Path, build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system of another kind."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Absent, match="apt-config"):
        peers.ensure(peer())


def test_missing_file_is_an_error(
    tmp_path: Path, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest names a file that the library lacks."""
    install(tmp_path, monkeypatch)
    with pytest.raises(ToolError, match=r"no file 'src/b\.c'"):
        peers.ensure(peer(file="src/b.c"))


def test_source_entries() -> None:
    """Both formats; comments and doubles vanish."""
    one_line = "# deb x\ndeb [arch=any] u s main\ndeb-src u s main\n  deb u s main\n\n"
    assert peers.source_entries(one_line, False) == (
        "deb-src [arch=any] u s main\ndeb-src u s main\n"
    )
    stanza = "Types: deb deb-src\nURIs: u\n\ntypes: deb\nURIs: v\n"
    assert peers.source_entries(stanza, True) == (
        "Types: deb-src\nURIs: u\n\nTypes: deb-src\nURIs: v\n"
    )


# The real ones ------------------------------------------------------------------------------------


def variants() -> list[tuple[Path, str]]:
    """Folder and variant of every peer."""
    return [
        (path.parent, variant["name"])
        for path in MANIFESTS
        for variant in tomllib.loads(path.read_text())["variant"]
    ]


@pytest.mark.parametrize(
    ("folder", "variant"), variants(), ids=lambda v: v.name if isinstance(v, Path) else v
)
def test_glue(folder: Path, variant: str, tmp_path: Path) -> None:
    """The library with our contract equals `cryptography`."""
    manifest = tomllib.loads((folder / "accel.toml").read_text())
    source = PeerSource.model_validate(manifest["source"])
    try:
        tree = peers.ensure(source)
    except Absent as absent:
        pytest.skip(str(absent))
    sw = manifest["sw"]
    chosen = next(v for v in manifest["variant"] if v["name"] == variant)
    flags = [*sw["cflags"], "-std=gnu99", f"-I{INCLUDE}"]
    flags += [f"-D{d}" for d in (*chosen["defines"], f"AES_KEY_WORDS={sw['key_words']}")]
    ours = tmp_path / "kernel.o"
    kernel = [str(folder / name) for name in sw["kernel"]]
    strict = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
    command = ["gcc", "-fPIC", *flags]
    # Warnings in the library's headers are its authors' affair.
    system = [word for name in source.includes for word in ("-isystem", str(tree / name))]
    subprocess.run([*command, *strict, *system, "-c", "-o", str(ours), *kernel], check=True)
    library = tmp_path / "kernel.so"
    theirs = [str(tree / name) for name in source.files]
    command += [*system, "-w", "-shared", "-o", str(library)]
    subprocess.run([*command, str(ours), *theirs], check=True)
    peer_kernel = Kernel(library, sw["key_words"])
    for direction in ("encrypt", "decrypt"):
        for size in (16, 24, 32):
            for count in (0, 1, 2, 3, 8, 9):
                key, data = stream(f"{size}", size), stream(f"{count}", 16 * count)
                for in_place in (False, True):
                    result = peer_kernel.run(direction, key, data, in_place)
                    assert result == expected(direction, key, data)
        assert peer_kernel.schedule(direction, bytes(64), 160)[0] == -1
