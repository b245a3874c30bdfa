# SPDX-License-Identifier: Apache-2.0
"""A handler that uses the unit may run before any operation of a call, on any key."""

import ctypes
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build import codegen
from aesforge.catalog import manifest

UNIT = manifest.load(Path(__file__).resolve().parents[1])
VARIANT = UNIT.variant("d16")
HOOK = """
#include <stddef.h>
void (*handler)(void);
unsigned long operations, handler_at;
void each_operation(void);
void each_operation(void) {
  if (++operations == handler_at && handler != NULL) handler();
}
"""
TEXT = random.Random("text").randbytes(16 * 6)
MINE, THEIRS = bytes(range(32)), bytes(range(100, 116))
IV = bytes(range(7, 23))
NONCE, AAD = b"twelve bytes", b"thirteen byte"


def compiled(folder: Path, kernel: str) -> ctypes.CDLL:
    """Kernel, emulation and modes for the host; every operation may be interrupted."""
    generated = codegen.generate(folder, UNIT, VARIANT)
    mine, hook, emulation = folder / "mine.c", folder / "hook.c", folder / "emul.c"
    mine.write_text(kernel, encoding="utf-8")
    hook.write_text(HOOK, encoding="utf-8")
    lines = ["void each_operation(void);"]
    for line in UNIT.file("sw/emul.c").read_text(encoding="utf-8").splitlines():
        lines += [line, "  each_operation();"] if line.startswith("uint32_t ab_") else [line]
    emulation.write_text("\n".join(lines), encoding="utf-8")
    # ab_turn counts twice, because it is emulated by ab_put.
    assert lines.count("  each_operation();") == len(UNIT.manifest.op)
    library = folder / "host.so"
    modes_folder = ROOT / "sw" / "modes"
    places = (generated.include, ROOT / "sw" / "include", UNIT.folder / "sw")
    macros = ("ACCEL_EMULATE", *UNIT.manifest.macros(VARIANT))
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-shared", "-fPIC", *(f"-D{name}" for name in macros)),
            *(f"-I{place}" for place in places),
            *(mine, UNIT.file("sw/blocks.c"), UNIT.file("sw/gcm.c"), emulation, hook),
            *(modes_folder / name for name in ("aes_modes.c", "aes_gcm.c", "aes_gcm_message.c")),
            *("-o", library),
        ],
        timeout=300,
    )
    return ctypes.CDLL(str(library))


def kernel_text() -> str:
    """The kernel as it is."""
    return UNIT.file("sw/kernel.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The kernel as it is, compiled."""
    return compiled(tmp_path_factory.mktemp("block"), kernel_text())


def key_object(library: ctypes.CDLL, key: bytes) -> ctypes.Array[ctypes.c_uint32]:
    """A GCM key, which begins with the key of the cipher."""
    k = (ctypes.c_uint32 * (UNIT.manifest.key_words(VARIANT) + 1 + 16))()
    assert library.aes_gcm_set_key(k, ctypes.create_string_buffer(key, len(key)), 8 * len(key)) == 0
    return k


Call = Callable[[ctypes.CDLL, ctypes.Array[ctypes.c_uint32]], bytes]


def bulk(name: str, *, chained: bool) -> Call:
    """A call of the kernel contract on TEXT, in place."""

    def call(library: ctypes.CDLL, k: ctypes.Array[ctypes.c_uint32]) -> bytes:
        out = ctypes.create_string_buffer(TEXT, len(TEXT))
        chain = ctypes.create_string_buffer(IV, 16)
        arguments = (chain,) if chained else ()
        blocks = ctypes.c_size_t(len(TEXT) // 16)
        assert getattr(library, name)(k, *arguments, out, out, blocks) == 0
        return out.raw + (chain.raw if chained else b"")

    return call


def gcm(library: ctypes.CDLL, k: ctypes.Array[ctypes.c_uint32]) -> bytes:
    """A message with its tag; the last block is incomplete."""
    out, tag = ctypes.create_string_buffer(TEXT, len(TEXT)), ctypes.create_string_buffer(16)
    sizes = [ctypes.c_size_t(n) for n in (len(NONCE), len(AAD), len(TEXT) - 3, 16)]
    status = library.aes_gcm_encrypt(
        k, NONCE, sizes[0], AAD, sizes[1], out, out, sizes[2], tag, sizes[3]
    )
    assert status == 0
    return out.raw[: len(TEXT) - 3] + tag.raw


def openssl(mode: modes.Mode, *, decrypt: bool = False) -> bytes:
    """TEXT by another implementation, under MINE."""
    cipher = Cipher(algorithms.AES(MINE), mode)
    return (cipher.decryptor() if decrypt else cipher.encryptor()).update(TEXT)


_ENCRYPTED = openssl(modes.CBC(IV))
_COUNTER = IV[:12] + (int.from_bytes(IV[12:], "big") + len(TEXT) // 16).to_bytes(4, "big")
CALLS: dict[str, tuple[Call, bytes]] = {
    "ecb": (bulk("aes_encrypt_blocks", chained=False), openssl(modes.ECB())),
    "ecb inverse": (bulk("aes_decrypt_blocks", chained=False), openssl(modes.ECB(), decrypt=True)),
    "cbc": (bulk("aes_cbc_encrypt_blocks", chained=True), _ENCRYPTED + _ENCRYPTED[-16:]),
    "cbc inverse": (
        bulk("aes_cbc_decrypt_blocks", chained=True),
        openssl(modes.CBC(IV), decrypt=True) + TEXT[-16:],
    ),
    "ctr": (bulk("aes_ctr_blocks", chained=True), openssl(modes.CTR(IV)) + _COUNTER),
    "gcm": (gcm, AESGCM(MINE).encrypt(NONCE, TEXT[:-3], AAD)),
}


def interrupt_each(library: ctypes.CDLL, name: str, *, same: bool) -> int:
    """Interrupt a call before each operation, with its key in the unit and without. Count."""
    call, wanted = CALLS[name]
    mine, theirs = key_object(library, MINE), key_object(library, THEIRS)
    their_text = CALLS["gcm"][0](library, theirs)
    assert their_text == AESGCM(THEIRS).encrypt(NONCE, TEXT[:-3], AAD)
    state = (ctypes.c_uint32 * VARIANT.state_words)()
    bad: list[int] = []
    runs = 0

    def interrupt() -> None:
        nonlocal runs
        runs += 1
        library.aes_unit_save(state)
        right = gcm(library, mine if same else theirs) == (CALLS["gcm"][1] if same else their_text)
        library.aes_unit_restore(state)
        if not right or any(state):
            bad.append(runs)

    callback = ctypes.CFUNCTYPE(None)(interrupt)
    pointer = ctypes.c_void_p.in_dll(library, "handler")
    operations = ctypes.c_ulong.in_dll(library, "operations")
    handler_at = ctypes.c_ulong.in_dll(library, "handler_at")
    pointer.value = ctypes.cast(callback, ctypes.c_void_p).value
    try:
        for loaded in (True, False):
            at, last = 1, 1
            while at <= last:
                handler_at.value = 0
                gcm(library, mine if loaded else theirs)
                operations.value, handler_at.value = 0, at
                assert call(library, mine) == wanted
                last = operations.value if at == 1 else last
                at += 1
    finally:
        pointer.value = None
    assert bad == []
    return runs


@pytest.mark.parametrize("same", [False, True], ids=["another key", "the same key"])
@pytest.mark.parametrize("name", CALLS)
def test_interrupted(library: ctypes.CDLL, name: str, same: bool) -> None:
    """The interrupted call and the handler's are right at every operation."""
    assert interrupt_each(library, name, same=same) > 2 * 4 * len(TEXT) // 16


def test_keys_in_turn(library: ctypes.CDLL) -> None:
    """Copies, assignments and set-ups of several keys in random order."""
    source = random.Random("turns")
    keys = [(key_object(library, MINE), MINE) for _ in range(3)]
    for _ in range(300):
        at = source.randrange(3)
        match source.randrange(4):
            case 0:
                key = source.randbytes(source.choice((16, 24, 32)))
                keys[at] = (key_object(library, key), key)
            case 1:
                other = source.randrange(3)
                ctypes.memmove(keys[at][0], keys[other][0], ctypes.sizeof(keys[at][0]))
                keys[at] = (keys[at][0], keys[other][1])
            case _:
                k, key = keys[at]
                assert gcm(library, k) == AESGCM(key).encrypt(NONCE, TEXT[:-3], AAD)


def test_cleared(library: ctypes.CDLL) -> None:
    """After aes_clear_key neither memory nor the unit has the key."""
    k = key_object(library, MINE)
    gcm(library, k)
    library.aes_gcm_clear_key(k)
    assert not any(k)
    library.ab_mode(0, 1)
    library.ab_put(1, 2, 0)
    library.ab_put(3, 4, 1)
    assert [library.ab_get(0, word) for word in range(4)] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  if (key != NULL) {\n    ab_load(key);\n  }\n", ""),
        ("    set_pair(subkey, SET_SUBKEY);\n", ""),
        ("  set_pair(w + AT_CHAIN, SET_CHAIN);\n", ""),
        ("  (void)ab_put(w[AT_HALF], w[AT_HALF + 1], 0);\n", ""),
    ],
    ids=["no key", "no subkey", "no chain", "no half"],
)
def test_a_kernel_that_restores_too_little_is_seen(tmp_path: Path, old: str, new: str) -> None:
    """Each of these mistakes gives a wrong result somewhere."""
    text = kernel_text()
    assert text.count(old) == 1
    wrong = compiled(tmp_path, text.replace(old, new))
    with pytest.raises(AssertionError):
        for name in ("cbc", "ctr", "gcm"):
            interrupt_each(wrong, name, same=False)
