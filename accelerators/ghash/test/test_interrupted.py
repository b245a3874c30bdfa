# SPDX-License-Identifier: Apache-2.0
"""The unit never hashes with a subkey that was here before: keys copied, cleared, interrupted."""

import ctypes
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESGCMSIV

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build import codegen
from aesforge.catalog import manifest
from aesforge.catalog.model_file import load_model

UNIT = manifest.load(Path(__file__).resolve().parents[1])
VARIANT = UNIT.variant("d4")
MODEL = load_model(UNIT.file("test/model.py"))
KEY_WORDS = 16
NUMBER = 4
UNNUMBERED = 0xFFFFFF
BAD_TAG = -4

# A handler that runs before the operation number `handler_at` of a call, as an interrupt would.
HANDLER = """
#include <stddef.h>
void (*handler)(void);
unsigned long operations, handler_at;
void each_operation(void);
void each_operation(void) {
  if (++operations == handler_at && handler != NULL) handler();
}
"""

Key = ctypes.Array[ctypes.c_uint32]


def compiled(folder: Path, kernel: str) -> ctypes.CDLL:
    """Kernel, emulation and modes for the host; every operation may be interrupted."""
    generated = codegen.generate(folder, UNIT, VARIANT)
    mine = folder / "ghash_visible.c"
    mine.write_text(kernel.replace("static struct {", "struct {"), encoding="utf-8")
    hook = folder / "handler.c"
    hook.write_text(HANDLER, encoding="utf-8")
    emulation = folder / "emul.c"
    lines = []
    for line in UNIT.file("sw/emul.c").read_text(encoding="utf-8").splitlines():
        lines += [line, "  each_operation();"] if line.startswith("uint32_t gh_") else [line]
    assert lines.count("  each_operation();") == len(UNIT.manifest.op)
    emulation.write_text("void each_operation(void);\n" + "\n".join(lines), encoding="utf-8")
    macros = ("ACCEL_EMULATE", *UNIT.manifest.macros(VARIANT))
    cipher = UNIT.kernel_files()[1:]
    modes = ROOT / "sw" / "modes"
    library = folder / "host.so"
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-shared", "-fPIC", *(f"-D{name}" for name in macros)),
            *(f"-I{place}" for place in (generated.include, ROOT / "sw" / "include", modes)),
            *(mine, emulation, hook, *cipher, modes / "aes_modes.c", modes / "aes_gcm.c"),
            modes / "aes_gcm_siv.c",
            *("-o", library),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(library))


def kernel_text() -> str:
    """The kernel as it is."""
    return UNIT.file("sw/ghash.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The kernel as it is, compiled."""
    return compiled(tmp_path_factory.mktemp("hash"), kernel_text())


@pytest.fixture(autouse=True)
def quiet(library: ctypes.CDLL) -> Iterator[None]:
    """No handler but where a test sets one."""
    yield
    ctypes.c_void_p.in_dll(library, "handler").value = None


def expand(library: ctypes.CDLL, subkey: bytes) -> Key:
    """A prepared subkey."""
    k = (ctypes.c_uint32 * KEY_WORDS)()
    library.aes_ghash_set_key(k, ctypes.create_string_buffer(subkey, 16))
    return k


def hashed(library: ctypes.CDLL, k: Key, data: bytes, state: bytes = bytes(16)) -> bytes:
    """GHASH by the kernel."""
    words = ctypes.create_string_buffer(state, 16)
    source = ctypes.create_string_buffer(data, len(data))
    library.aes_ghash_blocks(k, words, source, ctypes.c_size_t(len(data) // 16))
    return words.raw


def right(subkey: bytes, data: bytes, state: bytes = bytes(16)) -> bytes:
    """GHASH by the standard's algorithms 1 and 2."""
    y = int.from_bytes(state, "big")
    for at in range(0, len(data), 16):
        x = y ^ int.from_bytes(data[at : at + 16], "big")
        y = MODEL.product(x, int.from_bytes(subkey, "big"))
    return y.to_bytes(16, "big")


FIRST, SECOND = bytes(range(1, 17)), bytes(range(50, 66))
TEXT = random.Random("text").randbytes(16 * 26)


@pytest.mark.parametrize("blocks", [0, 1, 2, 23, 24, 25, 26])
def test_lengths(library: ctypes.CDLL, blocks: int) -> None:
    """Pieces of any length, from any state."""
    k, data = expand(library, FIRST), TEXT[: 16 * blocks]
    assert hashed(library, k, data) == right(FIRST, data)
    assert hashed(library, k, data, SECOND) == right(FIRST, data, SECOND)


def test_keys_in_turn(library: ctypes.CDLL) -> None:
    """Copies, assignments and set-ups of several subkeys in random order."""
    source = random.Random("turns")
    keys = [(expand(library, FIRST), FIRST) for _ in range(3)]
    for _ in range(2000):
        at = source.randrange(3)
        k, subkey = keys[at]
        match source.randrange(4):
            case 0:
                subkey = source.randbytes(16)
                keys[at] = (expand(library, subkey), subkey)
            case 1:
                other = source.randrange(3)
                ctypes.memmove(k, keys[other][0], ctypes.sizeof(k))
                keys[at] = (k, keys[other][1])
            case _:
                data = source.randbytes(16 * source.randrange(1, 4))
                assert hashed(library, k, data) == right(subkey, data)


def test_no_number_is_left(library: ctypes.CDLL) -> None:
    """After 2^24 - 2 keys, or in a handler that interrupts the drawing, keys have no number."""
    numbers = (ctypes.c_uint32 * 2).in_dll(library, "numbers")
    before = bytes(numbers)
    try:
        numbers[1] = UNNUMBERED - 2
        keys = [(expand(library, subkey), subkey) for subkey in (FIRST, SECOND, TEXT[:16])]
        assert [k[NUMBER] for k, _ in keys] == [UNNUMBERED - 1, UNNUMBERED, UNNUMBERED]
        for _ in range(3):
            for k, subkey in keys:
                assert hashed(library, k, TEXT) == right(subkey, TEXT)
        assert numbers[0] == 1
    finally:
        ctypes.memmove(numbers, before, len(before))


@pytest.mark.parametrize("blocks", [1, 25])
@pytest.mark.parametrize("same", [False, True], ids=["another key", "the same key"])
def test_interrupted(library: ctypes.CDLL, blocks: int, same: bool) -> None:
    """A handler before each operation of a call saves, uses the unit, and restores.

    Twice for each: with the subkey in the unit, and with one that the call must load first.
    """
    mine, theirs, elsewhere = (expand(library, key) for key in (FIRST, SECOND, TEXT[:16]))
    data = TEXT[: 16 * blocks]
    operations = ctypes.c_ulong.in_dll(library, "operations")
    handler_at = ctypes.c_ulong.in_dll(library, "handler_at")
    state = (ctypes.c_uint32 * 4)()
    bad: list[bytes] = []
    runs = 0

    def interrupt() -> None:
        nonlocal runs
        runs += 1
        k, key = (mine, FIRST) if same else (theirs, SECOND)
        library.aes_unit_save(state)
        out = hashed(library, k, TEXT[:32])
        library.aes_unit_restore(state)
        if out != right(key, TEXT[:32]):
            bad.append(out)

    callback = ctypes.CFUNCTYPE(None)(interrupt)
    ctypes.c_void_p.in_dll(library, "handler").value = ctypes.cast(callback, ctypes.c_void_p).value
    wanted = right(FIRST, data)
    for loaded in (True, False):
        at, last = 1, 1
        while at <= last:
            handler_at.value = 0
            hashed(library, mine if loaded else elsewhere, TEXT[:16])
            operations.value = 0
            handler_at.value = at
            assert hashed(library, mine, data) == wanted
            last = max(last, operations.value) if at == 1 else last
            at += 1
        assert last > 2 * blocks
    assert runs > 4 * blocks
    assert not bad


def test_cleared(library: ctypes.CDLL) -> None:
    """After aes_gcm_clear_key neither memory nor the unit has the subkey, whoever loaded it."""
    key = (ctypes.c_uint32 * (UNIT.manifest.key_words(VARIANT) + 1 + KEY_WORDS))()
    out, tag = ctypes.create_string_buffer(32), ctypes.create_string_buffer(16)
    nothing = ctypes.c_size_t(0)
    assert library.aes_gcm_set_key(key, ctypes.create_string_buffer(FIRST, 16), 128) == 0
    status = library.aes_gcm_encrypt(
        *(key, b"twelve bytes", ctypes.c_size_t(12), None, nothing, TEXT[:32], out),
        *(ctypes.c_size_t(32), tag, ctypes.c_size_t(16)),
    )
    assert status == 0
    assert out.raw + tag.raw == AESGCM(FIRST).encrypt(b"twelve bytes", TEXT[:32], None)
    assert library.gh_end(0) != 0
    library.aes_gcm_clear_key(key)
    assert not any(key)
    assert not subkey_in_unit(library)


def subkey_in_unit(library: ctypes.CDLL) -> bool:
    """Whether the unit has a number or a subkey."""
    number = library.gh_end(0)
    # The block 1 shows the subkey: the highest bit of the first byte is the coefficient of x^0.
    library.gh_absorb(0x80, 0, 0)
    library.gh_absorb(0, 0, 1)
    return number != 0 or any(library.gh_read(0, word) for word in range(4))


def test_a_message_with_a_subkey_of_its_own(library: ctypes.CDLL) -> None:
    """GCM-SIV derives a subkey for each message; it leaves the unit with the message."""
    key = (ctypes.c_uint32 * (UNIT.manifest.key_words(VARIANT) + 1))()
    out, tag = ctypes.create_string_buffer(32), ctypes.create_string_buffer(16)
    assert library.aes_set_encrypt_key(key, ctypes.create_string_buffer(FIRST, 16), 128) == 0
    message = (b"twelve bytes", None, ctypes.c_size_t(0))
    assert library.aes_gcm_siv_encrypt(key, *message, TEXT[:32], out, ctypes.c_size_t(32), tag) == 0
    assert out.raw + tag.raw == AESGCMSIV(FIRST).encrypt(b"twelve bytes", TEXT[:32], None)
    assert not subkey_in_unit(library)
    # A forged message, too.
    forged = bytes([tag.raw[0] ^ 1]) + tag.raw[1:]
    assert (
        library.aes_gcm_siv_decrypt(key, *message, out, out, ctypes.c_size_t(32), forged) == BAD_TAG
    )
    assert not any(out.raw)
    assert not subkey_in_unit(library)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("while (absorb(y, state, w, n) != number) {", "while (absorb(y, state, w, n), 0) {"),
        ("    number = numbers.last + 1;", "    number = numbers.last;"),
        ("  if (number == UNNUMBERED) {", "  if (0) {"),
        ("  (void)gh_begin(state->word[0]);", "  (void)state;"),
    ],
    ids=["no look at the number", "a number given twice", "unnumbered", "nothing restored"],
)
def test_a_kernel_that_mistakes_keys_is_seen(tmp_path: Path, old: str, new: str) -> None:
    """Each of these mistakes gives a wrong hash somewhere."""
    text = kernel_text()
    assert text.count(old) == 1
    wrong = compiled(tmp_path, text.replace(old, new))
    with pytest.raises(AssertionError):
        test_keys_in_turn(wrong)
        test_no_number_is_left(wrong)
        test_interrupted(wrong, 25, same=True)
        test_interrupted(wrong, 25, same=False)
