# SPDX-License-Identifier: Apache-2.0
"""memcpy, memmove and memset of the TLS server, on the host: every alignment, length, overlap."""

import ctypes
from pathlib import Path

from aesforge.base import proc
from aesforge.stacks import tls

ROOM = 128
BEGIN = bytes(range(1, ROOM + 1))


def test_memory(tmp_path: Path) -> None:
    """The bytes that are asked for change, as Python's slices do, and no others."""
    names = [f"-D{name}=t_{name}" for name in ("memcpy", "memmove", "memset")]
    flags = ("-std=gnu99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fno-builtin", "-fPIC")
    path = tmp_path / "memory.so"
    proc.run(
        ["gcc", "-O2", *flags, *names, "-shared", tls.MEMORY, "-o", path],
        timeout=60,
    )
    library = ctypes.CDLL(str(path))
    area = (ctypes.c_char * ROOM)()
    base = ctypes.addressof(area)

    def call(name: str, to: int, second: int, count: int) -> bytes:
        area[:] = BEGIN
        function = getattr(library, f"t_{name}")
        function.restype = ctypes.c_void_p
        where = ctypes.c_void_p(base + to)
        other = ctypes.c_int(second) if name == "memset" else ctypes.c_void_p(base + second)
        assert function(where, other, ctypes.c_size_t(count)) == base + to
        return area.raw

    for count in (*range(24), 31, 40):
        for to in range(40, 48):
            wanted = BEGIN[:to] + b"\xa5" * count + BEGIN[to + count :]
            assert call("memset", to, 0x3A5, count) == wanted
            for source in range(4, 88):
                moved = BEGIN[:to] + BEGIN[source : source + count] + BEGIN[to + count :]
                assert call("memmove", to, source, count) == moved
                if source + count <= to or to + count <= source:
                    assert call("memcpy", to, source, count) == moved
