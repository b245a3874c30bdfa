# SPDX-License-Identifier: Apache-2.0
"""The static array that is wolfSSL's heap, on the host: areas apart, contents kept, all reused."""

import ctypes
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.stacks import tls

ARENA = int(re.findall(r"^#define ARENA_BYTES (\d+)u", tls.ARENA.read_text(), re.MULTILINE)[0])
HEADER, ALIGNMENT = 8, 8


class Heap:
    """XMALLOC, XREALLOC and XFREE of the library; a place is an address, or None."""

    def __init__(self, library: ctypes.CDLL) -> None:
        for name in ("XMALLOC", "XREALLOC"):
            getattr(library, name).restype = ctypes.c_void_p
        self.library = library

    def take(self, size: int) -> int | None:
        """XMALLOC."""
        return self.library.XMALLOC(ctypes.c_size_t(size), None, 0)

    def resize(self, place: int | None, size: int) -> int | None:
        """XREALLOC."""
        return self.library.XREALLOC(ctypes.c_void_p(place), ctypes.c_size_t(size), None, 0)

    def give(self, place: int | None) -> None:
        """XFREE."""
        self.library.XFREE(ctypes.c_void_p(place), None, 0)


@pytest.fixture
def heap(tmp_path: Path) -> Iterator[Heap]:
    """A fresh arena."""
    flags = ("-std=gnu99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fPIC", "-shared")
    path = tmp_path / "arena.so"
    proc.run(["gcc", *flags, tls.ARENA, "-o", path], timeout=60)
    yield Heap(ctypes.CDLL(str(path)))


def test_the_whole_arena(heap: Heap) -> None:
    """One area has all of it, and nothing has more; what is given back is joined."""
    for size in (ARENA, ARENA - HEADER + 1, ctypes.c_size_t(-1).value):
        assert heap.take(size) is None
    for _ in range(2):
        whole = heap.take(ARENA - HEADER)
        assert whole is not None and heap.take(0) is None
        heap.give(whole)
        small = [heap.take(ARENA // 16 - HEADER) for _ in range(16)]
        assert None not in small and heap.take(1) is None
        for place in random.Random(1).sample(small, len(small)):
            heap.give(place)
    heap.give(None)


def test_areas_are_apart(heap: Heap) -> None:
    """Random sizes, given back in another order: no area changes one that is taken."""
    chance = random.Random(2)
    held: dict[int, bytes] = {}
    full = 0
    for _ in range(5000):
        place: int | None = None
        size = chance.choice((1, 8, 13, 100, 700, 4200))
        if held and chance.random() < 0.5:
            old = chance.choice(sorted(held))
            content = held.pop(old)
            assert ctypes.string_at(old, len(content)) == content
            if chance.random() < 0.7:
                heap.give(old)
                continue
            place = heap.resize(old, size)
            if place is None:
                held[old] = content
            else:
                kept = min(size, len(content))
                assert ctypes.string_at(place, kept) == content[:kept]
        else:
            place = heap.resize(None, size) if chance.random() < 0.2 else heap.take(size)
        if place is None:
            full += 1
            continue
        assert place % ALIGNMENT == 0
        held[place] = chance.randbytes(size)
        ctypes.memmove(place, held[place], size)
    assert full and len(held) > 5
    for place, content in held.items():
        assert ctypes.string_at(place, len(content)) == content
        heap.give(place)
    assert heap.take(ARENA - HEADER) is not None
