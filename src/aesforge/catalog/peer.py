# SPDX-License-Identifier: Apache-2.0
"""The source package of a labelled peer, as its manifest declares it."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class PeerSource(BaseModel):
    """A Debian source package, fetched at build time and never copied into the repository."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    debian: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9+.-]+$")]
    version: str  # upstream version of the original tarball
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]  # of the original tarball
    files: list[str] = Field(min_length=1)  # C sources inside the unpacked tree
    includes: list[str] = []  # include folders inside the unpacked tree
    licence: str
