# SPDX-License-Identifier: Apache-2.0
"""Read the TOML files of the repository; every error in one is a ManifestError."""

import os
import stat
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from aesforge.base.errors import ManifestError
from aesforge.base.paths import ROOT

Model = TypeVar("Model", bound=BaseModel)

# Folders of the repository whose files a manifest may name. Each may be a link to another place.
_FOLDERS = ("accelerators", "boards", "formal", "platforms", "rtl", "sim", "sw", "vectors")


def read(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file, which must be a regular one."""
    try:
        # Opening a FIFO without a writer would block.
        if not stat.S_ISREG(path.stat().st_mode):
            raise ManifestError(f"{path} is no regular file", "put a TOML file there")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        _require_no_dangling_link(path)
        raise ManifestError(f"cannot read {path}: {error.strerror}") from error
    except OSError as error:
        raise ManifestError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ManifestError(
            f"{path} is not UTF-8 at byte {error.start}", "save it as UTF-8"
        ) from error
    except RecursionError as error:
        raise ManifestError(
            f"{path} is not valid TOML: brackets are nested too deep", "correct the file"
        ) from error
    except ValueError as error:  # TOMLDecodeError, or of a number with thousands of digits
        raise ManifestError(f"{path} is not valid TOML: {error}", "correct the file") from error


def load(path: Path, model: type[Model], hint: str) -> Model:
    """Read a TOML file into a model; `hint` names the page that lists the keys."""
    data = read(path)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        # An unknown key is the likeliest cause of everything else that is wrong.
        first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
        where = ".".join(str(part) for part in first["loc"]) or "file"
        more = f" (+{error.error_count() - 1} more)" if error.error_count() > 1 else ""
        reason = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            reason = "unknown key"
        raise ManifestError(f"{path}: {where}: {reason}{more}", hint) from error


def below(folder: Path, name: str) -> Iterator[Path]:
    """Return the `name` of each folder directly below `folder` that has one, sorted.

    A link that leads nowhere is an error. What begins with a dot belongs to editors and the like.
    """
    for entry in _entries(folder):
        _require_no_dangling_link(entry)
        if entry.is_dir() and there(path := entry / name):
            yield path


def files(folder: Path) -> Iterator[Path]:
    """Return the TOML files directly in `folder`, sorted; a link that leads nowhere is an error."""
    for entry in _entries(folder):
        if entry.suffix == ".toml":
            _require_no_dangling_link(entry)
            yield entry


def there(path: Path) -> bool:
    """Tell whether a file is there; a link that leads nowhere is an error, and not absent."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise ManifestError(f"cannot read {path}: {error.strerror}") from error
    _require_no_dangling_link(path)
    return True


def require_inside(manifest: Path, named: Iterable[tuple[str, str]], *places: Path) -> None:
    """Refuse a path that leaves the manifest's folder and the repository, links resolved.

    `named` holds keys and paths: relative to the first of `places` that has the file, which is the
    manifest's folder by default.
    """
    home = manifest.parent
    allowed = [_real(home), ROOT, *(_real(ROOT / name) for name in _FOLDERS)]
    for key, name in named:
        _require_relative(manifest, key, name)
        paths = [place / name for place in places or (home,)]
        try:
            real = _real(next((path for path in paths if path.exists()), paths[0]))
        except OSError as error:  # a name that is too long, a folder that may not be read
            raise ManifestError(f"{manifest}: {key}: {error.strerror}: '{name[:99]}'") from error
        if not any(real.is_relative_to(folder) for folder in allowed):
            raise ManifestError(
                f"{manifest}: {key}: '{name}' leaves the repository",
                "name a file of the manifest's folder or of the repository",
            )


def require_below(manifest: Path, named: Iterable[tuple[str, str]], what: str) -> None:
    """Refuse a path, relative to `what`, that is absolute or goes up."""
    for key, name in named:
        _require_relative(manifest, key, name)
        if ".." in Path(name).parts:
            raise ManifestError(
                f"{manifest}: {key}: '{name}' leaves {what}", f"a path inside {what}"
            )


def _require_relative(manifest: Path, key: str, name: str) -> None:
    if Path(name).is_absolute() or not name.isprintable():
        raise ManifestError(f"{manifest}: {key}: '{name}' is no relative path", "name a file there")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ManifestError(f"cannot read {folder}: {error.strerror}") from error


def _require_no_dangling_link(path: Path) -> None:
    if path.is_symlink() and not path.exists():
        raise ManifestError(
            f"{path} is a link to {path.readlink()}, which does not exist",
            "mend the link or remove it",
        )
