# SPDX-License-Identifier: Apache-2.0
"""Clearing a key leaves nothing of it, in memory or in the (emulated) unit that holds it."""

import ctypes
from pathlib import Path

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build import codegen
from aesforge.catalog import manifest

UNIT = manifest.load(Path(__file__).resolve().parents[1])
VARIANT = UNIT.variant("keyed")
STORE_WORDS = 60


def build(folder: Path, *without: str) -> ctypes.CDLL:
    """Compile kernel and emulation for the host; drop lines of the kernel that hold a text."""
    generated = codegen.generate(folder, UNIT, VARIANT)
    kernel = folder / "kernel.c"
    text = UNIT.file("sw/kernel.c").read_text(encoding="utf-8")
    for line in without:
        assert line in text
        text = text.replace(line, "")
    kernel.write_text(text, encoding="utf-8")
    library = folder / "host.so"
    macros = ("ACCEL_EMULATE", *UNIT.manifest.macros(VARIANT), *VARIANT.defines)
    includes = (generated.include, UNIT.folder / "sw", ROOT / "sw" / "include")
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-shared", "-fPIC", *(f"-D{name}" for name in macros)),
            *(f"-I{path}" for path in includes),
            *(kernel, UNIT.file("sw/emul.c"), "-o", library),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(library))


def left(library: ctypes.CDLL) -> tuple[bool, bool]:
    """Use a key, clear it, and tell whether something is left in memory and in the unit."""
    words = UNIT.manifest.key_words(VARIANT) + 1
    key = (ctypes.c_uint32 * words)()
    block = ctypes.create_string_buffer(16)
    data = bytes(range(32))
    assert library.aes_set_encrypt_key(key, data, 256) == 0
    library.aes_encrypt_blocks(key, block, block, ctypes.c_size_t(1))
    # Packing zeros gives the key word itself.
    held = [library.aesqk_pa(0, 0, k) for k in range(STORE_WORDS)]
    assert any(key) and all(held)
    library.aes_clear_key(key)
    unit = [library.aesqk_tag(0), *(library.aesqk_pa(0, 0, k) for k in range(STORE_WORDS))]
    return any(key), any(unit)


def test_nothing_is_left(tmp_path: Path) -> None:
    """Memory, key store and tag are zero."""
    assert left(build(tmp_path)) == (False, False)


def test_what_is_left_is_seen(tmp_path: Path) -> None:
    """A kernel that forgets one of the two is caught."""
    memory = "for (size_t i = 0; i < sizeof *k / sizeof *words; i++) words[i] = 0;"
    (tmp_path / "memory").mkdir()
    assert left(build(tmp_path / "memory", memory)) == (True, False)
    (tmp_path / "unit").mkdir()
    unit = "    load_words(&nothing, 0);\n    (void)aesqk_begin(0);\n"
    assert left(build(tmp_path / "unit", unit)) == (False, True)
