# SPDX-License-Identifier: Apache-2.0
"""Write the files that a user names atomically, keeping their owner and mode.

A private temporary file in the same folder replaces a regular file in one step.
Links are written through. A device, a FIFO or an open descriptor (/dev/stdout) is written in place.
"""

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

STDIN, STDOUT = Path("/dev/stdin"), Path("/dev/stdout")

_PRIVATE = 0o600
_NEW = 0o666  # less the umask
_MAX_LINKS = 40  # as many as Linux follows
_DESCRIPTORS = re.compile(r"/proc/(\d+)(/task/\d+)?/fd")


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `target` when the block ends without an exception.

    OSError names the target if it cannot be written; an older file stays unchanged.
    """
    try:
        found, number = _status(target), own_descriptor(target)
        if number is not None:
            # Opened again, a redirected file would be written from its beginning.
            with os.fdopen(os.dup(number), "wb") as stream:
                yield stream
        elif found is not None and not stat.S_ISREG(found.st_mode):
            with target.open("wb") as stream:
                yield stream
        else:
            real = Path(os.path.realpath(target))
            with _beside(real, found) as fresh:
                with fresh.open("wb") as stream:
                    yield stream
                if found is None:
                    fresh.chmod(_NEW & ~_umask())
                else:
                    shutil.copystat(real, fresh)  # mode and access lists; the times are undone
                    os.utime(fresh)
                fresh.replace(real)
    except OSError as error:
        if error.filename is None:  # of a write
            error.filename = str(target)
        raise


def state_of(path: Path) -> tuple[int, ...]:
    """Return what changes when a file is written; nothing if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def write_text(target: Path, text: str) -> None:
    """Replace the contents of a text file, UTF-8, in one step."""
    with replacing(target) as stream:
        stream.write(text.encode())


def write_together(texts: Mapping[Path, str]) -> None:
    """Replace text files: each is written in full beside its target before the first one moves."""
    with contextlib.ExitStack() as stack:
        for target, text in texts.items():
            stream = stack.enter_context(replacing(target))
            stream.write(text.encode())
            stream.flush()  # a full disk shows before anything is replaced


def require_writable(target: Path) -> None:
    """Raise now the OSError that `replacing` would raise at the end of the work."""
    found = _status(target)
    if own_descriptor(target) is not None:
        return
    if found is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    if found is None or stat.S_ISREG(found.st_mode):
        with _beside(Path(os.path.realpath(target)), found):
            pass
    elif stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))


def open_source(source: Path) -> BinaryIO:
    """Open a file to read; standard input and other open descriptors keep their position."""
    number = own_descriptor(source)
    return source.open("rb") if number is None else os.fdopen(os.dup(number), "rb")


def own_descriptor(path: Path) -> int | None:
    """Return the number of the open descriptor that a path such as /dev/stdout denotes."""
    place = path
    for _ in range(_MAX_LINKS):
        folder = Path(os.path.realpath(place.parent))
        if (match := _DESCRIPTORS.fullmatch(str(folder))) and place.name.isdecimal():
            return int(place.name) if int(match[1]) == os.getpid() else None
        place = folder / place.name
        try:
            place = folder / place.readlink()
        except OSError:
            return None
    return None


@contextlib.contextmanager
def _beside(real: Path, found: os.stat_result | None) -> Iterator[Path]:
    """Make an empty private file beside a regular one, with its owner; it is gone afterwards."""
    # The name is known before the file exists, so an interruption cannot leave the file.
    fresh = real.with_name(f".aesforge-{secrets.token_hex(8)}")
    try:
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
        mine = fresh.stat()
        if found and (mine.st_uid, mine.st_gid) != (found.st_uid, found.st_gid):
            os.chown(fresh, found.st_uid, found.st_gid)
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def _status(target: Path) -> os.stat_result | None:
    """Return what is at the end of all links; None if nothing is there."""
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _umask() -> int:
    """Return the umask. To set it for a moment would give other threads' files a wrong mode."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
