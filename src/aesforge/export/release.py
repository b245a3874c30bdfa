# SPDX-License-Identifier: Apache-2.0
"""`aesforge dist`: what a release consists of.

The source archive and the wheel of the tool are made by hatchling, the project's build backend.
Bundles are flat exports, zipped. No file holds a time, a user or a path of the machine, so that the
same sources give the same bytes.
"""

import functools
import hashlib
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aesforge import __version__, export
from aesforge.base import files, pool, proc
from aesforge.base.errors import ToolError, UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant

SUMS = "SHA256SUMS"

_TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold
_MODE = 0o100644 << 16  # a regular file, in the upper half of the attributes
_ARCHIVE_SECONDS = 600.0


@dataclass(frozen=True)
class Bundle:
    """One export, by the names of its parts."""

    accelerator: str
    variant: str
    host: str

    @property
    def stem(self) -> str:
        """The name of the file and of the folder in it."""
        return f"aesforge-{__version__}-{self.accelerator}-{self.variant}-{self.host}"


def bundles(only: Sequence[str] = ()) -> list[Bundle]:
    """Return every default variant on every host that takes it, or what `only` names of them.

    An accelerator without a default variant is there with its first. NAME/VARIANT stands for that
    variant, whether it is a default or not. UsageError: no accelerator has the name, or no host
    takes the variant.
    """
    chosen: list[tuple[Accelerator, Variant]] = []
    for label in only or [one.name for one in manifest.discover() if one.manifest.rtl]:
        accelerator, variant = manifest.choose(label)
        defaults = [one for one in accelerator.manifest.variant if one.by_default]
        wanted = [variant] if "/" in label else defaults or [variant]
        chosen += [(accelerator, one) for one in wanted]
    found = [
        Bundle(accelerator.name, variant.name, host)
        for accelerator, variant in chosen
        for host in export.hosts_of(accelerator, variant)
    ]
    if not found:
        raise UsageError(
            f"no host takes {' or '.join(only)}", "`aesforge list` shows what there is"
        )
    return list(dict.fromkeys(found))


def make(
    wanted: Sequence[Bundle],
    folder: Path,
    jobs: int,
    ended: Callable[[Bundle, str], None] = lambda bundle, name: None,
) -> list[str]:
    """Write archives, bundles and the list of hashes; return the names of the files.

    `ended` is called with each bundle and its file's name. UsageError: the folder cannot be
    written. ToolError: an archive could not be made. Older files of the folder stay.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made = _archives(folder)
        work = functools.partial(_bundle, folder)
        made += pool.ordered(work, wanted, jobs, ended, processes=True)
        sums = [f"{_digest(folder / name)}  {name}\n" for name in sorted(made)]
        files.write_text(folder / SUMS, "".join(sums))
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}") from error
    return made


def _archives(folder: Path) -> list[str]:
    """Write the source archive and the wheel; return their names."""
    with tempfile.TemporaryDirectory(prefix="aesforge-dist-") as scratch:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel"]
        proc.run(
            [*command, "-d", scratch],
            timeout=_ARCHIVE_SECONDS,
            cwd=ROOT,
            log=BUILD / "logs" / "dist",
        )
        made = sorted(path.name for path in Path(scratch).iterdir())
        if len(made) != 2:
            raise ToolError(f"hatchling made {', '.join(made) or 'nothing'}, not two archives")
        for name in made:
            _place(Path(scratch) / name, folder)
    return made


def _bundle(folder: Path, bundle: Bundle) -> str:
    """Write one export as a zip file; return its name."""
    accelerator, variant = manifest.choose(bundle.accelerator, bundle.variant)
    with tempfile.TemporaryDirectory(prefix="aesforge-dist-") as scratch:
        made = Path(scratch) / bundle.stem
        export.export(accelerator, variant, bundle.host, made, flat_file=True)
        packed = Path(scratch) / f"{bundle.stem}.zip"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(made.rglob("*")):
                if path.is_file():
                    name = path.relative_to(scratch).as_posix()
                    entry = zipfile.ZipInfo(name, _TIME)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    entry.external_attr = _MODE | (path.stat().st_mode & 0o111) << 16
                    archive.writestr(entry, path.read_bytes())
        _place(packed, folder)
    return packed.name


def _place(source: Path, folder: Path) -> None:
    """Put a finished file into the folder in one step."""
    with files.replacing(folder / source.name) as stream:
        stream.write(source.read_bytes())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
