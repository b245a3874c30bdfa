# SPDX-License-Identifier: Apache-2.0
"""Hosts that an accelerator can be exported for: one folder of templates each.

`templates/hosts/<name>/host.toml` describes the host. The same folder holds `driver.sv.j2` (how the
test bench plays the host), `instance.sv.j2` (the lines to copy into a design), `notes.md.j2` (what
the README says of the core) and, if `wrapper` is set, `wrapper.sv.j2` (the module under the names
that the host's own tools expect). An instruction unit needs `rtl/adapters/fu_to_<name>.sv` too. A
bus or a stream has a `signature` and no `instance.sv.j2`; without an `address` no `driver.sv.j2`.
Everything in a folder `files`, and in the folder `shared` of the host that `shared` names, goes
into the export: templates (`*.j2`) filled, other files as they are. NAME in a file's name is the
accelerator's.
"""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from aesforge.base import toml
from aesforge.base.errors import ManifestError, UsageError
from aesforge.base.paths import ROOT
from aesforge.catalog.manifest import Accelerator, Kind

TEMPLATES = Path(__file__).parent / "templates"
FOLDER = TEMPLATES / "hosts"


class Host(BaseModel):
    """What host.toml says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    title: str = Field(min_length=1)
    kinds: list[Kind] = Field(min_length=1)  # accelerators that it takes
    units: str = ""  # the host that an instruction is exported for in its place
    bus: str = ""  # the host whose driver.sv.j2 plays this one too; empty: its own
    shared: str = ""  # the host whose folder `shared` is part of the export
    clock: str = ""  # the exported module's clock; empty: combinational
    reset: str = ""
    reset_active: Literal["low", "high"] = "low"
    wrapper: str = ""  # the module that tools of this host expect; empty: accel_<name>
    simulators: list[Literal["icarus", "verilator"]] = ["icarus", "verilator"]  # of the sources
    arch: list[str] = []  # compiler flags of a core with this port; empty: not RISC-V
    signature: str = ""  # bus or stream: a port that only front ends for this host have
    address: str = ""  # bus: the port with byte addresses of registers

    @property
    def top(self) -> str:
        """The module to instantiate."""
        return self.wrapper or f"accel_{self.name}"

    @property
    def driver(self) -> str:
        """The template of what plays this host in the bench."""
        return f"hosts/{self.bus or self.name}/driver.sv.j2"

    @property
    def files(self) -> list[Path]:
        """The folders whose files are part of an export."""
        shared = [FOLDER / self.shared / "shared"] if self.shared else []
        return [path for path in (*shared, FOLDER / self.name / "files") if path.is_dir()]


def load(name: str) -> Host:
    """Read one host's description; ManifestError says what is wrong with it."""
    path = FOLDER / name / "host.toml"
    found = toml.load(path, Host, "the other hosts' files show the keys")
    if found.name != name:
        raise ManifestError(f"{path}: name '{found.name}' differs from the folder's name")
    return found


def discover() -> list[Host]:
    """Load every host, sorted by name."""
    return [load(path.parent.name) for path in toml.below(FOLDER, "host.toml")]


def adapters(root: Path = ROOT) -> list[str]:
    """Names of the ports that have an adapter."""
    found = (root / "rtl" / "adapters").glob("fu_to_*.sv")
    return sorted(path.stem.removeprefix("fu_to_") for path in found)


def find(name: str) -> Host:
    """Return a host by name, or raise a UsageError that lists what there is."""
    known = [path.parent.name for path in toml.below(FOLDER, "host.toml")]
    if name not in known:
        raise UsageError(f"there is no host '{name}'", f"known: {', '.join(known)}")
    return load(name)


def find_for(accelerator: Accelerator, name: str) -> Host:
    """Return the host that an accelerator is exported for under this name; errors of `find`."""
    found = find(name)
    return load(found.units) if found.units and accelerator.manifest.is_unit else found
