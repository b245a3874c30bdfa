# SPDX-License-Identifier: Apache-2.0
"""What a compiler reads of C and C++: tokens, without comments, blanks and file names."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import ToolError

_TOKEN = re.compile(
    r"""
    (?P<skip>//(?:\\\n|[^\n])*|/\*.*?\*/|\\\n|[ \t\r\f\v]+)
  | (?P<line>\n)
  | (?P<token>
      R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"
    | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
    | (?:[uUL])?'(?:\\.|[^'\\\n])*'
    | \.?[0-9](?:[eEpP][+-]|'\w|[\w.])*
    | [A-Za-z_]\w*
    | <<=|>>=|\.\.\.|->\*|<=>
    | \+\+|--|->|<<|>>|<=|>=|==|!=|&&|\|\||\#\#|::
    | \+=|-=|\*=|/=|%=|&=|\|=|\^=
    | .
    )""",
    re.VERBOSE | re.DOTALL,
)
_LOCAL = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def digest(files: Iterable[Path]) -> str:
    """Return the SHA-256 of the tokens of files, whatever the files are called.

    A header beside a file that it includes by name counts with it. ToolError names a file that
    is missing.
    """
    return proc.digest(*sorted(_of(path, _read(path)) for path in _with_headers(files)))


def tokens(text: str) -> list[str]:
    """Return the tokens of a text; a line of the preprocessor ends with a token of its own."""
    return [token for token, _ in placed(text)]


def placed(text: str) -> list[tuple[str, int]]:
    """Return tokens with the places where they begin."""
    found: list[tuple[str, int]] = []
    begins, directive = True, False
    for match in _TOKEN.finditer(text):
        if match["line"]:
            if directive:
                found.append(("\n", match.start()))
            begins, directive = True, False
        elif token := match["token"]:
            directive = directive or (begins and token == "#")
            begins = False
            found.append((token, match.start()))
    return found


def _with_headers(files: Iterable[Path]) -> list[Path]:
    """Return files and the headers beside them that they include."""
    left, found = list(files), dict[Path, None]()
    while left:
        path = left.pop()
        if path in found:
            continue
        found[path] = None
        # Others are the compiler's, the simulator's, or generated.
        near = (path.parent / name for name in _LOCAL.findall(_read(path)))
        left += [header for header in near if header.is_file()]
    return list(found)


def _read(path: Path) -> str:
    """Read a source; its absence is an error, never an empty part of a hash."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ToolError(f"cannot read {path}, an input of the hash: {error}") from error


@lru_cache(maxsize=1024)
def _of(_path: Path, text: str) -> str:
    """Digest a text's tokens; an include of a header beside the file counts by its contents."""
    kept = _LOCAL.sub(lambda m: "" if (_path.parent / m[1]).is_file() else m[0], text)
    return proc.digest(*tokens(kept))
