# SPDX-License-Identifier: Apache-2.0
"""Cures of a host's core as patches: one file a cure, made against the installed package.

They apply to a checkout of the core in the order of their numbers: paths are those of the core's
own repository, which its Python package holds in one folder.
"""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from aesforge.catalog import platform
from aesforge.catalog.platform import Platform

FOLDER = "patches"


@dataclass(frozen=True)
class Patched:
    """A core whose patches an export holds."""

    name: str  # of the platform
    version: str  # package and version that the patches were made against
    files: tuple[str, ...]  # in the order in which they apply


def write(port: str, out: Path) -> list[Patched]:
    """Write the cures of every core with a port below `out`; return the cores that have some."""
    found = []
    for host in platform.discover():
        if host.manifest.port == port and host.cures:
            names = tuple(_write(host, out))
            found.append(Patched(host.name, host.package_version, names))
    return found


def _write(host: Platform, out: Path) -> Iterator[str]:
    """Write a core's patches, each on top of those before it; yield their paths inside `out`."""
    done: list[str] = [cure.name for cure in host.cures]
    before = host.cured(done)
    for number, cure in enumerate(host.cures, 1):
        done.remove(cure.name)
        after = host.cured(done)
        path = host.package_folder / cure.file
        old = before.get(path) or path.read_text(encoding="utf-8")
        place = PurePosixPath(*PurePosixPath(cure.file).parts[1:])
        diff = difflib.unified_diff(
            old.splitlines(keepends=True),
            after[path].splitlines(keepends=True),
            f"a/{place}",
            f"b/{place}",
        )
        name = f"{FOLDER}/{host.name}/{number:02}-{cure.name}.patch"
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        text = f"{cure.reason.strip()}\n\n{''.join(diff)}"
        (out / name).write_text(text, encoding="utf-8")
        before = after
        yield name
