# SPDX-License-Identifier: Apache-2.0
"""Sources of third-party libraries, fetched as Debian source packages and never copied in.

A private copy of the system's list of package sources, under build/peers, adds source packages. So
the system's lists do not change and no root is needed. A tarball must have the SHA-256 that the
manifest names.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shlex
import shutil
import tarfile
import tempfile
import time
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import Absent, ToolError
from aesforge.base.paths import BUILD
from aesforge.catalog.peer import PeerSource

__all__ = ["PeerSource", "ensure", "source_entries"]

UPDATE_SECONDS = 180.0
FETCH_SECONDS = 180.0
RETRY_SECONDS = 600.0  # a source that was not to be had is not fetched again before this
LISTS_SECONDS = 86400.0  # lists older than this are read anew


def ensure(source: PeerSource) -> Path:
    """Return the unpacked tree of a peer, fetching it if needed.

    Absent if it is not available here (no apt, no network, another version); ToolError if the
    tarball is not the one that the manifest names.
    """
    home = BUILD / "peers"
    home.mkdir(parents=True, exist_ok=True)
    tree = home / f"{source.debian}-{source.version}-{source.sha256[:12]}"
    if tree.is_dir():
        return _complete(tree, source)
    with (home / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if tree.is_dir():
            return _complete(tree, source)
        marker = tree.with_name(tree.name + ".absent")
        if marker.exists() and time.time() - marker.stat().st_mtime < RETRY_SECONDS:
            raise Absent(marker.read_text(encoding="utf-8"))
        try:
            with tempfile.TemporaryDirectory(prefix=".new-", dir=home) as name:
                folder = Path(name)
                unpacked = _unpack(_fetch(source, home / "apt", folder), folder / "tree")
                unpacked.rename(tree)
        except Absent as absent:
            marker.write_text(str(absent), encoding="utf-8")
            raise
        marker.unlink(missing_ok=True)
    return _complete(tree, source)


def _complete(tree: Path, source: PeerSource) -> Path:
    """Return `tree` if it has everything that the manifest names, else raise a ToolError."""
    for name in source.files:
        if not (tree / name).is_file():
            raise ToolError(f"{source.debian} {source.version} has no file '{name}'")
    for name in source.includes:
        if not (tree / name).is_dir():
            raise ToolError(f"{source.debian} {source.version} has no folder '{name}'")
    return tree


# Fetching -----------------------------------------------------------------------------------------


def _fetch(source: PeerSource, apt: Path, folder: Path) -> Path:
    """Download the original tarball into `folder` and return it, its digest checked."""
    try:
        configuration = _private_apt(apt)
        version = _version(source, configuration)
        proc.run(
            [
                *("apt-get", "-c", configuration, "source", "--download-only", "--tar-only"),
                f"{source.debian}={version}",
            ],
            timeout=FETCH_SECONDS,
            cwd=folder,
            log=BUILD / "logs" / f"peer-{source.debian}.log",
        )
    except ToolError as error:
        raise Absent(f"the source of {source.debian} is not to be had: {error}") from error
    tarballs = sorted(folder.glob("*.orig.tar.*"))
    for tarball in tarballs:
        if hashlib.sha256(tarball.read_bytes()).hexdigest() == source.sha256:
            return tarball
    names = ", ".join(path.name for path in tarballs) or "nothing"
    raise ToolError(f"fetched {names} for {source.debian}, whose SHA-256 is not the manifest's")


def source_entries(text: str, deb822: bool) -> str:
    """Turn a list of binary package sources into one of source packages."""
    if deb822:
        return re.sub(r"(?mi)^types:.*$", "Types: deb-src", text)
    lines = []
    for line in text.splitlines():
        if match := re.match(r"\s*deb(?:-src)?\s+(.*)", line):
            lines.append(f"deb-src {match[1]}")
    return "\n".join(dict.fromkeys(lines)) + "\n"


def _private_apt(home: Path) -> Path:
    """Return an apt configuration of our own, with fresh lists of source packages."""
    names = ("LIST", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d")
    asked = proc.run(["apt-config", "shell", *names], timeout=60)
    places = dict(word.split("=", 1) for word in shlex.split(asked.stdout) if "=" in word)
    files = [Path(places.get("LIST", ""))]
    with contextlib.suppress(OSError):
        files += sorted(Path(places.get("PARTS", "")).iterdir())
    parts = home / "sources.list.d"
    shutil.rmtree(parts, ignore_errors=True)
    for folder in (parts, home / "lists" / "partial", home / "cache" / "archives" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    for path in files:
        if path.suffix not in (".list", ".sources") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        entries = source_entries(text, path.suffix == ".sources")
        (parts / path.name).write_text(entries, encoding="utf-8")
    configuration = home / "apt.conf"
    configuration.write_text(
        # Hooks belong to the system's own lists.
        "#clear APT::Update::Pre-Invoke;\n"
        "#clear APT::Update::Post-Invoke;\n"
        "#clear APT::Update::Post-Invoke-Success;\n"
        'Dir::Etc::sourcelist "/dev/null";\n'
        f'Dir::Etc::sourceparts "{parts}";\n'
        f'Dir::State::lists "{home / "lists"}";\n'
        f'Dir::Cache "{home / "cache"}";\n'
        # The build folder need not be readable for the user that apt would change to.
        'APT::Sandbox::User "root";\n'
        'Acquire::Retries "1";\n'
        'Acquire::http::Timeout "20";\n'
        'Acquire::https::Timeout "20";\n'
        'Acquire::Languages "none";\n',
        encoding="utf-8",
    )
    stamp = home / "updated"
    if not stamp.exists() or time.time() - stamp.stat().st_mtime > LISTS_SECONDS:
        # Some source may be unreachable: what matters is whether the package is found.
        done = proc.run(
            ["apt-get", "-c", configuration, "update"],
            timeout=UPDATE_SECONDS,
            log=BUILD / "logs" / "peer-update.log",
            check=False,
        )
        if done.status == 0:
            stamp.touch()
    return configuration


def _version(source: PeerSource, configuration: Path) -> str:
    """Return the newest package version on offer that holds the upstream version wanted."""
    shown = proc.run(
        ["apt-cache", "-c", configuration, "showsrc", "--only-source", source.debian],
        timeout=60,
        check=False,
    )
    offered = re.findall(r"^Version: (\S+)$", shown.stdout, re.MULTILINE)
    if not offered:
        raise Absent(
            f"no source package {source.debian} is on offer",
            f"no network, or the system's package sources lack it; log: "
            f"{os.path.relpath(BUILD / 'logs' / 'peer-update.log')}",
        )
    fitting = [v for v in offered if v.split(":", 1)[-1].rpartition("-")[0] == source.version]
    if not fitting:
        raise Absent(
            f"the system's package sources offer {source.debian} {', '.join(sorted(set(offered)))},"
            f" the manifest names {source.version}"
        )
    return str(fitting[0])


# Unpacking ----------------------------------------------------------------------------------------


def _unpack(tarball: Path, target: Path) -> Path:
    """Unpack the plain files of a tarball into `target`, without its outermost folder."""
    target.mkdir()
    root = target.resolve()
    try:
        with tarfile.open(tarball) as archive:
            for member in archive:
                _, _, name = member.name.removeprefix("./").partition("/")
                path = (root / name).resolve()
                if not member.isfile() or not name or not path.is_relative_to(root):
                    continue
                content = archive.extractfile(member)
                assert content is not None  # a plain file has contents
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("wb") as file:
                    shutil.copyfileobj(content, file)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise ToolError(f"cannot unpack {tarball.name}: {error}") from error
    return target
