# SPDX-License-Identifier: Apache-2.0
"""The keyed unit never uses a key that was here before: keys copied, wiped, freed, interrupted."""

import ctypes
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build import codegen
from aesforge.build.system import GCM, MODES
from aesforge.catalog import manifest

UNIT = manifest.load(Path(__file__).resolve().parents[1])
VARIANT = UNIT.variant("keyed")
WORDS = UNIT.manifest.key_words(VARIANT) + 1  # of an aes_key_t
NO_KEY = -6
UNNUMBERED = 0xFFFFFFFF

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


def compiled(folder: Path, kernel: Path) -> ctypes.CDLL:
    """Kernel, emulation and modes for the host; every operation may be interrupted."""
    generated = codegen.generate(folder, UNIT, VARIANT)
    visible = folder / "visible.c"
    visible.write_text(
        kernel.read_text(encoding="utf-8").replace(
            "static struct {\n  volatile", "struct {\n  volatile"
        ),
        encoding="utf-8",
    )
    hook = folder / "handler.c"
    hook.write_text(HANDLER, encoding="utf-8")
    emulation = folder / "emul.c"
    text = UNIT.file("sw/emul.c").read_text(encoding="utf-8")
    lines = []
    for line in text.splitlines():
        lines.append(line)
        if line.lstrip().startswith("uint32_t aesqk_"):
            lines.append("  each_operation();" + " \\" * line.endswith("\\"))
    assert len(lines) == len(text.splitlines()) + 4  # the macro of the ciphering ones, three others
    emulation.write_text("void each_operation(void);\n" + "\n".join(lines), encoding="utf-8")
    macros = ("ACCEL_EMULATE", *UNIT.manifest.macros(VARIANT), *VARIANT.defines)
    places = (generated.include, UNIT.folder / "sw", ROOT / "sw" / "include", ROOT / "sw" / "modes")
    sources = [visible, emulation, hook]
    sources += [MODES, *GCM]
    library = folder / "host.so"
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-shared", "-fPIC", *(f"-D{name}" for name in macros)),
            *(f"-I{place}" for place in places),
            *(*sources, "-o", library),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The kernel as it is."""
    return compiled(tmp_path_factory.mktemp("keyed"), UNIT.file("sw/kernel.c"))


@pytest.fixture(autouse=True)
def quiet(library: ctypes.CDLL) -> Iterator[None]:
    """No handler but where a test sets one."""
    yield
    ctypes.c_void_p.in_dll(library, "handler").value = None


Key = ctypes.Array[ctypes.c_uint32]


def room() -> Key:
    """Memory for an expanded key."""
    return (ctypes.c_uint32 * WORDS)()


def expand(library: ctypes.CDLL, k: Key, key: bytes, direction: str = "encrypt") -> None:
    """Set a key up."""
    source = ctypes.create_string_buffer(key, 32)
    function = getattr(library, f"aes_set_{direction}_key")
    assert function(k, source, ctypes.c_uint(8 * len(key))) == 0


def crypt(library: ctypes.CDLL, k: Key, data: bytes, direction: str = "encrypt") -> bytes:
    """Blocks under a key."""
    source = ctypes.create_string_buffer(data, len(data))
    target = ctypes.create_string_buffer(b"?" * len(data), len(data))
    function = getattr(library, f"aes_{direction}_blocks")
    assert function(k, source, target, ctypes.c_size_t(len(data) // 16)) == 0
    return target.raw


def right(key: bytes, data: bytes, direction: str = "encrypt") -> bytes:
    """What OpenSSL makes of them."""
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    return (cipher.encryptor() if direction == "encrypt" else cipher.decryptor()).update(data)


FIRST, SECOND, TEXT = bytes(range(16)), bytes(range(50, 66)), bytes(range(112))


@pytest.mark.parametrize("blocks", [1, 6, 7])
def test_assigned(library: ctypes.CDLL, blocks: int) -> None:
    """`k = other` is the other key from then on, whatever the unit holds."""
    k, other, text = room(), room(), TEXT[: 16 * blocks]
    expand(library, k, FIRST)
    expand(library, other, SECOND)
    assert crypt(library, k, text) == right(FIRST, text)
    ctypes.memmove(k, other, ctypes.sizeof(k))
    assert crypt(library, k, text) == right(SECOND, text)
    assert crypt(library, other, text) == right(SECOND, text)


@pytest.mark.parametrize("blocks", [1, 6, 7])
@pytest.mark.parametrize("size", [16, 24, 32])
def test_wiped(library: ctypes.CDLL, blocks: int, size: int) -> None:
    """A key that was wiped like any memory, or never set up, is refused; no output is left."""
    k = room()
    data = ctypes.create_string_buffer(TEXT[: 16 * blocks], 16 * blocks)
    for used in (False, True):
        if used:
            expand(library, k, bytes(size))
            crypt(library, k, TEXT)
            library.aes_wipe(k, ctypes.c_size_t(ctypes.sizeof(k)))
        for name in ("encrypt", "decrypt"):
            data.raw = b"?" * (16 * blocks)
            function = getattr(library, f"aes_{name}_blocks")
            assert function(k, data, data, ctypes.c_size_t(blocks)) == NO_KEY
            assert not any(data.raw)


def test_freed_and_used_again(library: ctypes.CDLL) -> None:
    """A new key at the address of one that is gone, which the unit still holds."""
    source = random.Random("addresses")
    k = room()
    for _ in range(200):
        if source.random() < 0.5:
            ctypes.memset(k, source.randrange(256), ctypes.sizeof(k))  # whatever came between
        key = source.randbytes(source.choice([16, 24, 32]))
        direction = source.choice(["encrypt", "decrypt"])
        text = source.randbytes(16 * source.randrange(1, 9))
        expand(library, k, key, direction)
        assert crypt(library, k, text, direction) == right(key, text, direction)


def test_keys_in_turn(library: ctypes.CDLL) -> None:
    """Copies, assignments, wipes and set-ups of several keys in random order."""
    source = random.Random("turns")
    keys: list[tuple[Key, bytes | None, str]] = [(room(), None, "encrypt") for _ in range(3)]
    for _ in range(4000):
        at, other = source.randrange(3), source.randrange(3)
        k, key, direction = keys[at]
        match source.randrange(9):
            case 0:
                key, direction = source.randbytes(16), source.choice(["encrypt", "decrypt"])
                expand(library, k, key, direction)
                keys[at] = (k, key, direction)
            case 1:
                ctypes.memmove(k, keys[other][0], ctypes.sizeof(k))
                keys[at] = (k, *keys[other][1:])
            case 2:
                library.aes_clear_key(k)
                keys[at] = (k, None, direction)
            case 3:
                library.aes_wipe(k, ctypes.c_size_t(ctypes.sizeof(k)))
                keys[at] = (k, None, direction)
            case _ if key is not None:
                text = source.randbytes(16 * source.randrange(1, 8))
                assert crypt(library, k, text, direction) == right(key, text, direction)


def test_gcm_key_assigned(library: ctypes.CDLL) -> None:
    """The cipher and the hash of a GCM key go together."""
    sealed = {}
    size = ctypes.sizeof(room()) + 64
    keys = {key: ctypes.create_string_buffer(size) for key in (FIRST, SECOND)}
    nothing = ctypes.c_size_t(0)

    def seal(k: ctypes.Array[ctypes.c_char]) -> bytes:
        out, tag = ctypes.create_string_buffer(len(TEXT)), ctypes.create_string_buffer(16)
        status = library.aes_gcm_encrypt(
            *(k, b"twelve bytes", ctypes.c_size_t(12), None, nothing, TEXT, out),
            *(ctypes.c_size_t(len(TEXT)), tag, ctypes.c_size_t(16)),
        )
        assert status == 0
        return out.raw + tag.raw

    for key, k in keys.items():
        assert library.aes_gcm_set_key(k, ctypes.create_string_buffer(key, 16), 128) == 0
        sealed[key] = AESGCM(key).encrypt(b"twelve bytes", TEXT, None)
        assert seal(k) == sealed[key]
    ctypes.memmove(keys[FIRST], keys[SECOND], size)
    assert seal(keys[FIRST]) == sealed[SECOND]


def test_no_number_is_left(library: ctypes.CDLL) -> None:
    """After 2^31 keys, or in a handler that interrupts the drawing, keys go without a number."""
    numbers = (ctypes.c_uint32 * 2).in_dll(library, "numbers")
    before = bytes(numbers)
    try:
        numbers[1] = 0x7FFFFFFE
        for key in (FIRST, SECOND, bytes(32), bytes(24)):
            k, other = room(), room()
            expand(library, k, key)
            assert crypt(library, k, TEXT) == right(key, TEXT)
            expand(library, other, SECOND)
            assert crypt(library, other, TEXT) == right(SECOND, TEXT)
            assert crypt(library, k, TEXT) == right(key, TEXT)
        assert (numbers[0], numbers[1]) == (1, 0x80000000)
        assert k[60] == UNNUMBERED
        library.aes_clear_key(k)
        assert not any(library.aesqk_pa(0, 0, word) for word in range(60))
    finally:
        ctypes.memmove(numbers, before, len(before))


@pytest.mark.parametrize("blocks", [1, 7])
@pytest.mark.parametrize("same", [False, True], ids=["another key", "the same key"])
def test_interrupted(library: ctypes.CDLL, blocks: int, same: bool) -> None:
    """A handler before each operation of a call saves, uses the unit, and restores.

    Twice for each: with the key in the unit, and with one that the call must load first.
    """
    mine, theirs, elsewhere = room(), room(), room()
    text = TEXT[: 16 * blocks]
    expand(library, mine, FIRST)
    expand(library, theirs, SECOND)
    expand(library, elsewhere, bytes(32))
    operations = ctypes.c_ulong.in_dll(library, "operations")
    handler_at = ctypes.c_ulong.in_dll(library, "handler_at")
    state = (ctypes.c_uint32 * 4)()
    bad: list[bytes] = []

    def interrupt() -> None:
        k, key = (mine, FIRST) if same else (theirs, SECOND)
        library.aes_unit_save(state)
        out = crypt(library, k, TEXT[:16])
        library.aes_unit_restore(state)
        if out != right(key, TEXT[:16]):
            bad.append(out)

    callback = ctypes.CFUNCTYPE(None)(interrupt)
    ctypes.c_void_p.in_dll(library, "handler").value = ctypes.cast(callback, ctypes.c_void_p).value
    for loaded in (True, False):
        handler_at.value = 0
        at, last = 1, 1
        while at <= last:
            handler_at.value = 0
            crypt(library, mine if loaded else elsewhere, TEXT[:16])
            operations.value = 0
            handler_at.value = at
            assert crypt(library, mine, text) == right(FIRST, text)
            last = max(last, operations.value) if at == 1 else last
            at += 1
        assert last > 40 * blocks
    assert not bad


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#define ANOTHER_KEY (aesqk_tag(0) != tag || k->rounds == 0)", "#define ANOTHER_KEY 0"),
        ("tag = draw_number();", "tag = (uint32_t)(uintptr_t)k;"),
        ("    number = numbers.last + 1;", "    number = numbers.last;"),
    ],
)
def test_a_kernel_that_mistakes_keys_is_seen(tmp_path: Path, old: str, new: str) -> None:
    """No look at the tag, a number that is an address, a number given twice."""
    text = UNIT.file("sw/kernel.c").read_text(encoding="utf-8")
    assert text.count(old) == 1
    kernel = tmp_path / "kernel.c"
    kernel.write_text(text.replace(old, new), encoding="utf-8")
    wrong = compiled(tmp_path, kernel)
    with pytest.raises(AssertionError):
        test_assigned(wrong, 1)
        test_keys_in_turn(wrong)
