# SPDX-License-Identifier: Apache-2.0
"""Exports for tests: which accelerator goes to which host, and defects in what was exported."""

from pathlib import Path

import pytest

from aesforge import export
from aesforge.catalog import manifest, planted
from aesforge.export import front_ends, hosts
from harness_support import SMALLEST

SECONDS = 900.0

UNITS = manifest.units()
HOSTS = [host for host in hosts.discover() if "instruction" in host.kinds]
# LiteX's is another host's front end with more files: it has tests of its own.
BLOCK_HOSTS = [h for h in hosts.discover() if "instruction" not in h.kinds and not h.bus]
BLOCKS = [
    pytest.param(found, host, id=f"{found.name}-{host.name}")
    for found in manifest.discover()
    for host in BLOCK_HOSTS
    if found.manifest.kind in host.kinds and front_ends._front_end(found, host)
]
# One unit on every host: the smallest bench is the quickest.
EACH_HOST = export.hosts_of(SMALLEST, SMALLEST.variant(""))


def made(host: str, folder: Path, *, flat: bool = False) -> export.Exported:
    """Export the smallest unit."""
    return export.export(SMALLEST, SMALLEST.variant(""), host, folder, flat_file=flat)


def first_bug() -> planted.Bug:
    """Return a planted bug of the smallest unit's first variant."""
    name = next(bug.name for bug in SMALLEST.manifest.bug if not bug.variant)
    return SMALLEST.bugs()[name]


def plant(folder: Path, bug: planted.Bug) -> None:
    """Plant a bug in the exported copies of the files that it changes."""
    for path, text in bug.texts().items():
        assert (folder / "rtl" / path.name).read_text() == path.read_text()
        (folder / "rtl" / path.name).write_text(text)
