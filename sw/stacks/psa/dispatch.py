# SPDX-License-Identifier: Apache-2.0
"""Write Mbed TLS's dispatch with our driver in it: `python3 dispatch.py MBEDTLS OUT`.

MBEDTLS is the folder of Mbed TLS 3.5 (with library/ and include/); it is not changed. OUT gets
copies of the four files that its own generator makes from driver descriptions. Mbed TLS has calls
of a transparent test driver in them, as an example; each gets a call of ours beside it. OUT also
gets the files that include these, unchanged, because a compiler looks beside a file first.

Compile OUT/library/*.c in place of Mbed TLS's files with the same names, and put -IOUT/library and
-IOUT/include before Mbed TLS's folders.
"""

import json
import re
import sys
from pathlib import Path

MACRO = "AESFORGE_PSA_DRIVER"
TEST = re.compile(r"#\s*if \(?\s*defined\s*\(PSA_CRYPTO_DRIVER_TEST\)\s*\)?\s*$")
CALL = re.compile(r"\bmbedtls_test_transparent_(?:signature_(?=sign_hash|verify_hash))?(\w+)")
WRAPPERS = (
    "library/psa_crypto_driver_wrappers.h",
    "library/psa_crypto_driver_wrappers_no_static.c",
)
CONTEXTS = {
    "include/psa/crypto_driver_contexts_primitives.h": ("cipher",),
    "include/psa/crypto_driver_contexts_composites.h": ("mac", "aead"),
}


class Unexpected(Exception):
    """The file is not what this script knows."""


def entry_points() -> set[str]:
    """Return the entry points that the driver's description names."""
    text = Path(__file__).with_name("aesforge_transparent_driver.json").read_text(encoding="utf-8")
    return {name for part in json.loads(text)["capabilities"] for name in part["entry_points"]}


def block_end(lines: list[str], start: int) -> int:
    """Return the line of the #endif that belongs to the #if in line `start`."""
    depth = 0
    for at in range(start, len(lines)):
        if re.match(r"\s*#\s*if", lines[at]):
            depth += 1
        elif re.match(r"\s*#\s*endif", lines[at]):
            depth -= 1
            if depth == 0:
                return at
    raise Unexpected(f"no #endif for line {start + 1}")


def ours(block: list[str], known: set[str]) -> tuple[list[str], set[str]]:
    """Return a block for our driver, made from one for the test driver, and what it calls."""
    body = []
    for line in block:
        if "case MBEDTLS_TEST_OPAQUE_DRIVER_ID" in line:
            break
        body.append(line)
    called = {name for line in body for name in CALL.findall(line)}
    if not called or not called <= known:
        return [], set()
    text = CALL.sub(lambda match: f"aesforge_transparent_{match[1]}", "\n".join(body))
    text = text.replace("MBEDTLS_TEST_TRANSPARENT_DRIVER_ID", "AESFORGE_TRANSPARENT_DRIVER_ID")
    text = text.replace("transparent_test_driver_ctx", "aesforge_ctx")
    if "test" in text.lower():
        raise Unexpected(f"a call that is not understood: {text.strip()[:60]}")
    return [f"#if defined({MACRO})", *text.splitlines(), f"#endif /* {MACRO} */"], called


def wrappers(text: str, known: set[str]) -> tuple[str, set[str]]:
    """Return a file of wrappers with our calls, and the entry points that it calls."""
    lines = text.splitlines()
    result: list[str] = []
    called: set[str] = set()
    at = 0
    while at < len(lines):
        line = lines[at]
        result.append(line)
        at += 1
        if line.startswith("/* END-driver headers */"):
            result[-1:] = [f"#if defined({MACRO})", '#include "aesforge_psa.h"', "#endif", line]
        elif match := re.match(r"#define P256_TRANSPARENT_DRIVER_ID \((\d+)\)", line):
            number = int(match[1]) + 1
            result.append(f"#define AESFORGE_TRANSPARENT_DRIVER_ID ({number})")
        elif TEST.match(line):
            end = block_end(lines, at - 1)
            added, names = ours(lines[at:end], known)
            result += [*lines[at : end + 1], *added]
            called |= names
            at = end + 1
    joined = "\n".join(result) + "\n"
    if joined.count("AESFORGE_TRANSPARENT_DRIVER_ID (") != 1 or "aesforge_psa.h" not in joined:
        raise Unexpected("no place for the driver's header or number")
    return joined, called


def contexts(text: str, kinds: tuple[str, ...]) -> str:
    """Return a file of contexts with ours in the unions."""
    include = "#if defined(MBEDTLS_TEST_LIBTESTDRIVER1)"
    if include not in text:
        raise Unexpected("no place for the contexts' header")
    head = f'#if defined({MACRO})\n#include "aesforge_psa_types.h"\n#endif\n\n'
    text = text.replace(include, head + include, 1)
    for kind in kinds:
        end = f"}} psa_driver_{kind}_context_t;"
        member = f"#if defined({MACRO})\n    aesforge_{kind}_operation_t aesforge_ctx;\n#endif\n"
        if text.count(end) != 1:
            raise Unexpected(f"no union psa_driver_{kind}_context_t")
        text = text.replace(end, member + end)
    return text


def write(mbedtls: Path, out: Path) -> None:
    """Write the four files into `out`."""
    known = entry_points()
    called: set[str] = set()
    for name in WRAPPERS:
        text, names = wrappers((mbedtls / name).read_text(encoding="utf-8"), known)
        called |= names
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text, encoding="utf-8")
    for name, kinds in CONTEXTS.items():
        text = contexts((mbedtls / name).read_text(encoding="utf-8"), kinds)
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text, encoding="utf-8")
    include = f'#include "{Path(WRAPPERS[0]).name}"'
    for path in sorted((mbedtls / "library").glob("*.c")):
        if (
            include in (text := path.read_text(encoding="utf-8"))
            and not (out / "library" / path.name).exists()
        ):
            (out / "library" / path.name).write_text(text, encoding="utf-8")
    if missing := known - called:
        raise Unexpected(f"never called: {', '.join(sorted(missing))}")


def main() -> int:
    """Do what the arguments say."""
    if len(sys.argv) != 3:
        print("usage: python3 dispatch.py MBEDTLS OUT", file=sys.stderr)
        return 2
    try:
        write(Path(sys.argv[1]), Path(sys.argv[2]))
    except (OSError, Unexpected) as error:
        print(f"dispatch.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
