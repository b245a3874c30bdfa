# SPDX-License-Identifier: Apache-2.0
"""RTL by name: which files a top module needs, in compile order.

A module or package is found by its name in rtl/, sim/, formal/ and the folders of one accelerator.
What instantiates and imports what is read from slang's syntax trees. Two files that declare one
name are an error, with one exception: a file without a module of its own name may be a stand-in for
another (formal/aes_sbox_any.sv for aes_sbox), which takes effect only where a manifest names it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from aesforge.base.errors import ManifestError
from aesforge.base.files import state_of
from aesforge.base.paths import ROOT
from aesforge.build import hdl
from aesforge.build.hdl import Module
from aesforge.catalog.manifest import Accelerator, Variant

SHARED = ("rtl", "sim", "formal")
OWN = ("rtl", "formal", "test")  # of an accelerator's folder

# Modules that nobody declares, so that tools stop where a parameter has a value that does not exist
# (docs/architecture.md, section 2): aesforge_unknown_impl and others of the kind.
MISSING = "aesforge_"


@dataclass(frozen=True)
class _Place:
    """A module and the file that declares it."""

    path: Path
    module: Module


class Library:
    """The modules and packages that can be found by name."""

    def __init__(self, folders: Sequence[Path], defines: tuple[str, ...] = ()) -> None:
        self.folders = folders
        self.defines = defines
        self._places: dict[str, _Place] = {}
        unnamed: list[tuple[_Place, ...]] = []
        for folder in folders:
            for path in sorted(folder.rglob("*.sv")):
                found = _declared(path, defines)
                if any(place.module.name == path.stem for place in found):
                    self._add(found)
                else:
                    unnamed.append(found)
        for found in unnamed:
            names = {place.module.name for place in found}
            if not any(self._places[name].path.stem == name for name in names & set(self._places)):
                self._add(found)

    def _add(self, found: Iterable[_Place]) -> None:
        for place in found:
            name = place.module.name
            if name.startswith(MISSING):
                continue
            other = self._places.setdefault(name, place)
            if other.path != place.path:
                raise ManifestError(
                    f"two files declare '{name}': {_shown(other.path)} and {_shown(place.path)}",
                    "rename one of them",
                )

    def files(
        self,
        tops: Iterable[str] = (),
        given: Sequence[Path] = (),
        *,
        elsewhere: Collection[str] = (),
        choices: Mapping[str, Collection[str]] | None = None,
        owner: str = "",
    ) -> list[Path]:
        """Return `given` and every file that these and the modules `tops` need, in compile order.

        What a file of `given` declares comes before what the folders hold. Names of `elsewhere`,
        and names without a lower-case letter, which are cells of FPGAs, are not looked for.
        `choices` says which instances of a module count, where its parameters are known.
        ManifestError, which names `owner` for a top, if there is no such module.
        """
        own = [place for path in given for place in _declared(path, self.defines)]
        places = self._places | {place.module.name: place for place in own}
        ordered: dict[Path, None] = {}
        seen: set[tuple[Path, str]] = set()

        def visit(place: _Place) -> None:
            if (at := (place.path, place.module.name)) in seen:
                return
            seen.add(at)
            chosen = (choices or {}).get(place.module.name)
            if chosen and (odd := set(chosen) - {name for name, _ in place.module.parts}):
                raise ManifestError(
                    f"{owner}: {place.module.name} instantiates no {', '.join(sorted(odd))}"
                )
            parts = [part for part in place.module.parts if chosen is None or part[0] in chosen]
            for name, line in (*place.module.packages, *parts):
                if name in places:
                    visit(places[name])
                elif not (name in elsewhere or name.startswith(MISSING) or name.isupper()):
                    raise self._missing(name, f"{_shown(place.path)}:{line}")
            ordered.setdefault(place.path)

        for place in own:
            visit(place)
        for top in tops:
            if top not in places:
                raise self._missing(top, owner)
            visit(places[top])
        return list(ordered)

    def require_params(self, top: str, names: Iterable[str], owner: str) -> None:
        """Refuse a parameter that a module does not have; tools could ignore its value."""
        if top not in self._places:
            raise self._missing(top, owner)
        has = self._places[top].module.params
        if unknown := sorted(set(names) - has):
            raise ManifestError(
                f"{owner}: module '{top}' has no parameter '{unknown[0]}'",
                f"its parameters: {', '.join(sorted(has)) or 'none'}",
            )

    def _missing(self, name: str, where: str) -> ManifestError:
        folders = ", ".join(_shown(folder) for folder in self.folders)
        start = f"{where}: " if where else ""
        return ManifestError(
            f"{start}no module or package '{name}' in {folders}",
            f"a file {name}.sv in one of these folders declares it",
        )


def library(accelerator: Accelerator | None = None, defines: Iterable[str] = ()) -> Library:
    """Return the shared modules, and those of an accelerator, as they are under `defines`."""
    folders = [ROOT / name for name in SHARED]
    if accelerator is not None:
        places = dict.fromkeys([accelerator.folder, *(u.folder for u in accelerator.units())])
        folders += [place / name for place in places for name in OWN]
    return Library(folders, tuple(dict.fromkeys(defines)))


def rtl_files(
    accelerator: Accelerator, top: str = "", variant: Variant | None = None
) -> list[Path]:
    """Return the RTL of an accelerator's module `top`, in compile order; rtl.top if none is named.

    Of a set: fu_join and its units, those of a variant if one is given.

    What is generated for a unit (its package of operations) is not part of it.
    """
    rtl = accelerator.manifest.rtl
    if rtl is None:
        return []
    found = library(accelerator)
    _require_params(accelerator, found)
    return found.files(
        [top] if top else _tops(accelerator, variant),
        elsewhere=_packages(accelerator),
        owner=f"{accelerator.name}/accel.toml",
    )


def _require_params(accelerator: Accelerator, where: Library) -> None:
    """Refuse parameters of a manifest that its modules do not have."""
    found, owner = accelerator.manifest, f"{accelerator.name}/accel.toml"
    assert found.rtl is not None
    for top in _variant_tops(accelerator):
        where.require_params(top, found.rtl.params, owner)
    for part in found.part:
        where.require_params(part.top, part.params, f"{owner}: part '{part.name}'")
    for bench in found.bench:
        top = bench.top or found.rtl.top
        where.require_params(top, bench.params, f"{owner}: bench '{bench.name}'")


def all_files(accelerator: Accelerator) -> list[Path]:
    """Return the RTL of every module that a manifest names as a top: of parts and benches too."""
    found = accelerator.manifest
    if found.rtl is None:
        return []
    tops = [*_tops(accelerator), *_variant_tops(accelerator), *(part.top for part in found.part)]
    tops += [bench.top for bench in found.bench if bench.top]
    every = library(accelerator)
    _require_params(accelerator, every)
    return every.files(
        tops, elsewhere=_packages(accelerator), owner=f"{accelerator.name}/accel.toml"
    )


def _tops(accelerator: Accelerator, variant: Variant | None = None) -> list[str]:
    """Return the top of an accelerator; of a set also those of its units."""
    units = accelerator.units()
    if variant is not None:
        units = [member.accelerator for member in accelerator.members(variant)]
    found = dict.fromkeys([accelerator, *units])
    return [unit.manifest.rtl.top for unit in found if unit.manifest.rtl is not None]


def _variant_tops(accelerator: Accelerator) -> list[str]:
    """Return the tops of an accelerator's variants, each once; rtl.top is the first."""
    rtl = accelerator.manifest.rtl
    assert rtl is not None
    others = (variant.top for variant in accelerator.manifest.variant if variant.top)
    return list(dict.fromkeys([rtl.top, *others]))


def _packages(accelerator: Accelerator) -> set[str]:
    """Return the names of the generated packages of operations."""
    return {f"{unit.name}_ops_pkg" for unit in accelerator.units()}


def with_shared(
    given: Sequence[Path],
    accelerator: Accelerator | None,
    core: Sequence[Path] = (),
    stand_ins: Sequence[Path] = (),
    defines: Sequence[str] = (),
) -> list[Path]:
    """Return `given`, and what it needs of an accelerator and of shared RTL, in compile order.

    `core` is read before all that and not returned; `stand_ins` take the place of shared files.
    All are read with the macros `defines` ("NAME" or "NAME=VALUE").
    """
    elsewhere = {place.module.name for path in core for place in _declared(path, ())}
    found = library(accelerator, defines)
    return found.files([], [*stand_ins, *given], elsewhere=elsewhere)


def _declared(path: Path, defines: tuple[str, ...]) -> tuple[_Place, ...]:
    return tuple(_Place(path, module) for module in _modules(path, defines))


def _modules(path: Path, defines: tuple[str, ...]) -> tuple[Module, ...]:
    try:
        return _read(path, state_of(path), defines)
    except (OSError, UnicodeDecodeError) as error:
        raise ManifestError(f"cannot read {_shown(path)}: {error}") from error


@lru_cache(maxsize=4096)
def _read(path: Path, _version: tuple[int, ...], defines: tuple[str, ...]) -> tuple[Module, ...]:
    """Read a file once for each of its versions: a run asks for all of rtl/ once a system."""
    text = path.read_text(encoding="utf-8")
    # Macros that a text does not mention cannot change what it declares.
    return hdl.modules(text, tuple(word for word in defines if word.partition("=")[0] in text))


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
