# SPDX-License-Identifier: Apache-2.0
"""Clearing a key leaves nothing of it in memory, and nothing in the (emulated) accumulator."""

import ctypes
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build import codegen
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Variant

UNIT = manifest.load(Path(__file__).resolve().parents[1])
KERNELS = ("kernel.c", "otf.c", "soft.c", "unit_state.c", "emul.c")


def build(folder: Path, variant: Variant, *without: str) -> ctypes.CDLL:
    """Compile kernel and emulation for the host; drop lines of unit_state.c that hold a text."""
    generated = codegen.generate(folder, UNIT, variant)
    text = UNIT.file("sw/unit_state.c").read_text(encoding="utf-8")
    for line in without:
        assert line in text
        text = text.replace(line, "")
    state = folder / "unit_state.c"
    state.write_text(text, encoding="utf-8")
    sources = [state, *(UNIT.file(f"sw/{name}") for name in KERNELS if name != state.name)]
    library = folder / "host.so"
    macros = ("ACCEL_EMULATE", *UNIT.manifest.macros(variant), *variant.defines)
    includes = (generated.include, UNIT.folder / "sw", ROOT / "sw" / "include")
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-shared", "-fPIC", *(f"-D{name}" for name in macros)),
            *(f"-I{path}" for path in includes),
            *(*sources, "-o", library),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(library))


def left(library: ctypes.CDLL, variant: Variant) -> tuple[bool, bool]:
    """Use a key, clear it, and tell whether something is left in memory and in the unit."""
    words = UNIT.manifest.key_words(variant) + 1
    key = (ctypes.c_uint32 * words)()
    block = ctypes.create_string_buffer(16)
    assert library.aes_set_encrypt_key(key, bytes(range(1, 33)), 256) == 0
    library.aes_encrypt_blocks(key, block, block, ctypes.c_size_t(1))
    assert any(key)
    library.um_macu(0xFFFFFFFF, key[0] | 1)
    library.aes_clear_key(key)
    return any(key), any(library.um_shacr(0, 0) for _ in range(3))


@pytest.mark.parametrize("name", ["fast", "ecc-aes-otf", "int"])
def test_nothing_is_left(tmp_path: Path, name: str) -> None:
    """Memory and accumulator are zero."""
    variant = UNIT.variant(name)
    assert left(build(tmp_path, variant), variant) == (False, False)


def test_what_is_left_is_seen(tmp_path: Path) -> None:
    """A kernel that forgets one of the two is caught."""
    variant = UNIT.variant("fast")
    (tmp_path / "memory").mkdir()
    assert left(build(tmp_path / "memory", variant, "words[i] = 0"), variant) == (True, False)
    (tmp_path / "unit").mkdir()
    assert left(build(tmp_path / "unit", variant, "(void)um_mulu(0, 0)"), variant) == (False, True)
