# SPDX-License-Identifier: Apache-2.0
"""BearSSL: fetched at first use as the peer of that name is, and what is compiled of it."""

from pathlib import Path

from aesforge.base.errors import Absent
from aesforge.base.paths import ROOT
from aesforge.build import peers
from aesforge.catalog import manifest

DRIVER = ROOT / "sw" / "stacks" / "bearssl"
_PEER = "bearssl"


def sources() -> Path:
    """Return the folder of BearSSL, fetched if it is not there; Absent if it is not to be had."""
    source = manifest.find(_PEER).manifest.source
    if source is None:
        raise Absent("the manifest of the peer bearssl names no source")
    return peers.ensure(source)


def library() -> list[Path]:
    """Return the C files of the whole library; a linker takes what is needed."""
    return sorted((sources() / "src").rglob("*.c"))


def includes() -> list[Path]:
    """Return the folders of headers."""
    return [DRIVER, sources() / "inc"]
