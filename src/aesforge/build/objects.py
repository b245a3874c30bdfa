# SPDX-License-Identifier: Apache-2.0
"""Objects of firmware, kept under what the compiler reads: programs share most of their files."""

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from aesforge.base import proc
from aesforge.base.paths import BUILD

KEPT = BUILD / "objects"

_INCLUDE = re.compile(rb"#[ \t]*include\b[ \t]*([^\r\n]*)")
_NAME = re.compile(rb'"([^"]+)"|<([^>]+)>')
# What reads files in another way than by name, or puts times into an object.
_OPAQUE = re.compile(
    rb"include_next|__has_include|#[ \t]*(?:embed|import)\b|\.incbin|^\s*\.include\b"
    rb"|\b__(?:DATE|TIME|TIMESTAMP)__",
    re.MULTILINE,
)
# What may put the places of files into an object.
_PLACED = re.compile(rb"\b__(?:FILE|BASE_FILE)__|\bassert\.h")


def compile_object(
    command: Sequence[str],
    source: Path,
    folders: Sequence[Path],
    target: Path,
    *,
    timeout: float,
    log: Path,
) -> None:
    """Compile `source` to `target`, or copy the object that the same texts and flags gave before.

    `command` is the compiler with all flags but -I, `folders` are those of -I in their order.
    ToolError if the compiler fails; nothing is kept then.
    """
    key = _key(command, source, folders)
    kept = KEPT / f"{source.stem}-{key}.o"
    if key and kept.is_file():
        shutil.copyfile(kept, target)
        return
    search = [f"-I{path}" for path in folders]
    proc.run([*command, *search, "-c", source, "-o", target], timeout=timeout, log=log)
    if key and key == _key(command, source, folders):  # nobody edited a file meanwhile
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=KEPT, delete=False) as copy:
            copy.write(target.read_bytes())
        Path(copy.name).replace(kept)


def _key(command: Sequence[str], source: Path, folders: Sequence[Path]) -> str:
    """Return a digest of flags and texts, or nothing if the texts do not name all that is read."""
    found = included(source, folders)
    if found is None or any(word.startswith(("-i", "-I", "@")) for word in command):
        return ""
    named = [part for name, path in found for part in (name, str(path is not None), path or "")]
    texts = [source, *(path for _, path in found if path)]
    placed = any(_PLACED.search(path.read_bytes()) for path in texts)
    places = [str(path) for path in texts] if placed else []
    words = proc.version_line(command[0]), "\0".join(command), source.name
    return proc.digest(*words, source, *named, *places)[:24]


def included(source: Path, folders: Sequence[Path]) -> list[tuple[str, Path | None]] | None:
    """List what a source and its headers include: name, and file unless it is the compiler's.

    Conditions are not evaluated: both branches count. None if a text reads more than it names.
    """
    found: list[tuple[str, Path | None]] = []
    left, seen = [source], {source}
    while left:
        path = left.pop()
        text = path.read_bytes()
        if _OPAQUE.search(text):
            return None
        for words in _INCLUDE.findall(text):
            named = _NAME.match(words)
            if named is None:
                return None  # a macro says what is included
            name = (named[1] or named[2]).decode()
            near = [path.parent] if named[1] else []
            file = next((at / name for at in [*near, *folders] if (at / name).is_file()), None)
            found.append((name, file))
            if file and file not in seen:
                seen.add(file)
                left.append(file)
    return found
