# SPDX-License-Identifier: Apache-2.0
"""Platforms: `platforms/<name>/platform.toml` and its files (docs/architecture.md, section 4)."""

import importlib.metadata
import importlib.util
from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from aesforge.base import toml
from aesforge.base.errors import ManifestError, ToolError, UsageError
from aesforge.base.files import state_of
from aesforge.base.paths import ROOT

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Paths = list[Annotated[str, Field(min_length=1)]]

_KEYS = "docs/architecture.md section 4 lists the keys"
_FILE, _CURES = "platform.toml", "cures.toml"


class _Table(BaseModel):
    """A TOML table: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CoreRtl(_Table):
    """RTL inside the package: `core` (globs allowed) and `incdirs`."""

    core: Paths = Field(min_length=1)
    incdirs: Paths = []


class Simulator(_Table):
    """Extra Verilator flags, and the wait states (cycles an access) that are worth asking for."""

    verilator: list[str] = []
    waits: list[Annotated[int, Field(ge=0, le=255)]] = Field(default=[0], min_length=1)


class PlatformSoftware(_Table):
    """Compiler flags of the core, and the platform's own start-up and HAL sources."""

    arch: list[str] = Field(min_length=1)
    sources: Paths = Field(min_length=1)


class PlatformManifest(_Table):
    """One soft core with its memory and the test bench's device."""

    name: Name
    summary: str = Field(min_length=1)
    port: Name
    operands: Annotated[int, Field(ge=1, le=3)]
    package: str = Field(min_length=1)
    module: str = Field(min_length=1)
    opcode: str = ""
    misaligned: bool = False  # loads and stores at any address work
    rtl: CoreRtl
    sim: Simulator = Simulator()
    sw: PlatformSoftware


class Cure(_Table):
    """A fault of the core: the text to replace in `file`, which must hold it exactly once."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    file: str = Field(min_length=1)
    reason: str = Field(min_length=1)
    test: str = Field(min_length=1)  # the test that fails without this cure
    find: str = Field(min_length=1)
    replace: str


class Cures(_Table):
    """platforms/<name>/cures.toml."""

    cure: list[Cure] = Field(min_length=1)


class Platform:
    """A platform's manifest, its folder, and the package of its core."""

    def __init__(self, folder: Path, manifest: PlatformManifest, cures: tuple[Cure, ...]) -> None:
        self.folder = folder
        self.manifest = manifest
        self.cures = cures

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.manifest.name

    @property
    def opcode(self) -> str:
        """The only major opcode that the port offers, or empty."""
        return self.manifest.opcode

    @cached_property
    def package_folder(self) -> Path:
        """Where the core's package is installed, or a ToolError that says how to get it."""
        try:
            spec = importlib.util.find_spec(self.manifest.module)
        except (ImportError, ValueError):  # a part of a package that is not there; no name at all
            spec = None
        if spec is None or not spec.submodule_search_locations:
            raise ToolError(
                f"platform {self.name}: Python package '{self.manifest.package}' is not installed",
                "run `make setup`",
            )
        return Path(next(iter(spec.submodule_search_locations)))

    @cached_property
    def package_version(self) -> str:
        """Name and version of the core's package, for records."""
        try:
            version = importlib.metadata.version(self.manifest.package)
        except importlib.metadata.PackageNotFoundError:
            version = "unknown"
        return f"{self.manifest.package} {version}"

    def core_files(self) -> list[Path]:
        """The core's RTL files in compile order; a glob gives its matches sorted by name."""
        files: list[Path] = []
        for pattern in self.manifest.rtl.core:
            try:
                matches = sorted(self.package_folder.glob(pattern))
            except (OSError, ValueError) as error:
                raise ManifestError(
                    f"{self.folder}/platform.toml: rtl.core: '{pattern[:99]}': {error}"
                ) from error
            if not matches:
                raise ManifestError(
                    f"{self.folder}/platform.toml: rtl.core:"
                    f" {self.package_version} has no '{pattern}'"
                )
            files += [path for path in matches if path not in files]
        return files

    def include_folders(self) -> list[Path]:
        """Include folders of the core."""
        folders = [self.package_folder / name for name in self.manifest.rtl.incdirs]
        for folder in folders:
            if not folder.is_dir():
                raise ManifestError(
                    f"{self.folder}/platform.toml: rtl.incdirs:"
                    f" {self.package_version} has no '{folder}'"
                )
        return folders

    def system_files(self) -> list[Path]:
        """The platform's own RTL: every SystemVerilog file of its folder, with the module top."""
        return [self._own("rtl", "top.sv"), *self._beside("top.sv")]

    def software_files(self) -> list[Path]:
        """Start-up code and HAL of the platform."""
        return [self._own("sw.sources", name) for name in self.manifest.sw.sources]

    def adapter(self) -> Path:
        """The adapter between the functional-unit port and the core's port."""
        path = ROOT / "rtl" / "adapters" / f"fu_to_{self.manifest.port}.sv"
        if not path.is_file():
            raise ManifestError(
                f"{self.folder}/platform.toml: port '{self.manifest.port}' has no adapter {path}"
            )
        return path

    def cured(self, without: Collection[str] = ()) -> dict[Path, str]:
        """Return path and mended text of each core file that a cure changes.

        `without` names cures to leave out (a test shows the fault). ManifestError if the text to
        replace does not occur exactly once, as after an update of the core.
        """
        unknown = set(without) - {cure.name for cure in self.cures}
        if unknown:
            raise UsageError(f"platform {self.name} has no cure {', '.join(sorted(unknown))}")
        texts: dict[Path, str] = {}
        for cure in self.cures:
            if cure.name in without:
                continue
            path = self.package_folder / cure.file
            if path not in texts:
                if not path.is_file():
                    raise ManifestError(
                        f"cure {cure.name}: {self.package_version} has no file '{cure.file}'"
                    )
                texts[path] = path.read_text(encoding="utf-8")
            count = texts[path].count(cure.find)
            if count != 1:
                raise ManifestError(
                    f"cure {cure.name}: {cure.file} of {self.package_version} holds the text to"
                    f" replace {count} times instead of once",
                    f"compare the file with {self.folder.name}/cures.toml",
                )
            texts[path] = texts[path].replace(cure.find, cure.replace)
        return texts

    def _beside(self, name: str) -> list[Path]:
        """The other SystemVerilog files: modules that the core looks for, say."""
        return [path for path in sorted(self.folder.glob("*.sv")) if path.name != name]

    def _own(self, key: str, name: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            raise ManifestError(f"{self.folder}/platform.toml: {key}: '{name}' does not exist")
        return path


_read: dict[Path, tuple[object, Platform]] = {}  # by folder: the state of its files when read


def load(folder: Path) -> Platform:
    """Read and validate the platform in `folder`; ManifestError says file, key and reason.

    Files that are as they were are read once.
    """
    cures = folder / _CURES
    now = state_of(folder / _FILE), toml.there(cures) and state_of(cures)
    if folder in _read and _read[folder][0] == now:
        return _read[folder][1]
    found = _load(folder)
    _read[folder] = now, found
    return found


def _load(folder: Path) -> Platform:
    path = folder / _FILE
    manifest = toml.load(path, PlatformManifest, _KEYS)
    if manifest.name != folder.name:
        raise ManifestError(f"{path}: name '{manifest.name}' differs from the folder's name")
    toml.require_inside(path, [("sw.sources", name) for name in manifest.sw.sources])
    core = [("rtl.core", name) for name in manifest.rtl.core]
    core += [("rtl.incdirs", name) for name in manifest.rtl.incdirs]
    toml.require_below(path, core, f"the package {manifest.package}")
    cures: tuple[Cure, ...] = ()
    if toml.there(place := folder / _CURES):
        cures = tuple(toml.load(place, Cures, _KEYS).cure)
        mended = [(f"cure {cure.name}: file", cure.file) for cure in cures]
        toml.require_below(place, mended, f"the package {manifest.package}")
        names = [cure.name for cure in cures]
        if twins := sorted({name for name in names if names.count(name) > 1}):
            raise ManifestError(f"{folder}/cures.toml: cure named twice: {', '.join(twins)}")
    return Platform(folder, manifest, cures)


def discover(root: Path = ROOT) -> list[Platform]:
    """Load every platform of the repository, sorted by name."""
    return [load(path.parent) for path in toml.below(root / "platforms", _FILE)]


def find(name: str) -> Platform:
    """Return one platform by name, or raise a UsageError that lists what there is."""
    found = toml.below(ROOT / "platforms", _FILE)
    folders = {path.parent.name: path.parent for path in found}
    if name not in folders:
        raise UsageError(f"there is no platform '{name}'", f"known: {', '.join(sorted(folders))}")
    return load(folders[name])
