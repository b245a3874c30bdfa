# SPDX-License-Identifier: Apache-2.0
"""Record buffers of Mbed TLS on the host: where payloads lie, and what the heap gets back."""

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.stacks import tls

LARGEST_RECORD = 4096
PLAIN, WITH_NONCE = 8 + 5, 8 + 5 + 8  # bytes before a payload: counter, header, nonce
HEADER = "#include <stddef.h>\nvoid *mbedtls_calloc(size_t, size_t);\nvoid mbedtls_free(void *);\n"
HEAP = """
#include <stdlib.h>
#include "mbedtls/platform.h"
size_t asked;
void *given_back;
int empty;
void *mbedtls_calloc(size_t n, size_t size) {
  asked = n * size;
  return empty ? NULL : calloc(n, size);
}
void mbedtls_free(void *memory) {
  given_back = memory;
  free(memory);
}
"""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[ctypes.CDLL]:
    """records.c over the host's heap."""
    (tmp_path / "mbedtls").mkdir()
    (tmp_path / "mbedtls" / "platform.h").write_text(HEADER, encoding="utf-8")
    (tmp_path / "heap.c").write_text(HEAP, encoding="utf-8")
    flags = ("-std=gnu99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fPIC", "-shared")
    flags = (*flags, f"-DMBEDTLS_SSL_OUT_CONTENT_LEN={LARGEST_RECORD}u", f"-I{tmp_path}")
    path = tmp_path / "records.so"
    proc.run(["gcc", *flags, tls.RECORDS, tmp_path / "heap.c", "-o", path], timeout=60)
    made = ctypes.CDLL(str(path))
    made.record_calloc.restype = ctypes.c_void_p
    made.record_calloc.argtypes = (ctypes.c_size_t, ctypes.c_size_t)
    made.record_free.argtypes = (ctypes.c_void_p,)
    yield made


@pytest.mark.parametrize("size", [1, 100, LARGEST_RECORD - 1, LARGEST_RECORD, LARGEST_RECORD + 333])
def test_payloads_lie_on_words(library: ctypes.CDLL, size: int) -> None:
    """A record buffer is shifted, anything smaller is not; the heap gets back what it gave."""
    memory = library.record_calloc(1, size)
    if size >= LARGEST_RECORD:
        assert (memory + PLAIN) % 4 == (memory + WITH_NONCE) % 4 == 0
        assert ctypes.c_size_t.in_dll(library, "asked").value >= size + memory % 4
    else:
        assert memory % 4 == 0
        assert ctypes.c_size_t.in_dll(library, "asked").value == size
    assert ctypes.string_at(memory, size) == bytes(size)
    library.record_free(memory)
    assert ctypes.c_void_p.in_dll(library, "given_back").value == memory - memory % 4


def test_no_memory(library: ctypes.CDLL) -> None:
    """An empty heap, a size that overflows, and nothing to give back."""
    ctypes.c_int.in_dll(library, "empty").value = 1
    assert library.record_calloc(1, LARGEST_RECORD) is None
    assert library.record_calloc(1, ctypes.c_size_t(-1).value) is None
    assert ctypes.c_size_t.in_dll(library, "asked").value == ctypes.c_size_t(-1).value
    library.record_free(None)
    assert ctypes.c_void_p.in_dll(library, "given_back").value is None
