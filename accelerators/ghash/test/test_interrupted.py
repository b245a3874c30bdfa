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
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.model_file import load_model

UNIT = manifest.load(Path(__file__).resolve().parents[1])
VARIANT = UNIT.variant("d4")
MODEL = load_model(UNIT.file("test/model.py"))
KEY_WORDS = 16
NUMBER = 4
UNNUMBERED = 0xFFFFFF
BAD_TAG = -4
BAD_KEY = -6

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


def compiled(
    folder: Path,
    kernel: str,
    variant: Variant = VARIANT,
    *more: Path,
    within: tuple[Accelerator, Variant] | None = None,
    defines: tuple[str, ...] = (),
) -> ctypes.CDLL:
    """Kernel, emulation and modes for the host; every operation may be interrupted.

    With the baseline's cipher, or that of a set, whose sources are in `more`.
    """
    generated = codegen.generate(folder, *(within or (UNIT, variant)))
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
    macros = ("ACCEL_EMULATE", *UNIT.manifest.macros(variant), *variant.defines, *defines)
    cipher = [] if within else UNIT.kernel_files()[1:]
    modes = ROOT / "sw" / "modes"
    library = folder / "host.so"
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-shared", "-fPIC", *(f"-D{name}" for name in macros)),
            *(f"-I{place}" for place in (generated.include, ROOT / "sw" / "include", modes)),
            *(mine, emulation, hook, *cipher, modes / "aes_modes.c"),
            *(modes / name for name in ("aes_gcm.c", "aes_gcm_message.c", "aes_gcm_siv.c")),
            *more,
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
        ("  if (UNLIKELY(number == UNNUMBERED)) {", "  if (0) {"),
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


# ---- a cipher's kernel that absorbs --------------------------------------------------------------

# The contract of aes_ctr_absorb over the portable kernel; a call against it fails.
ABSORBING = """
#include "accel_ops.h"
#include "aes_absorb.h"
typedef uint32_t __attribute__((may_alias)) word_t;
unsigned long absorbed;

static void absorb(const uint8_t *block) {
  const word_t *w = (const word_t *)(const void *)block;
  (void)gh_absorb(w[0], w[1], 0);
  (void)gh_absorb(w[2], w[3], 1);
}

int aes_ctr_absorb(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                   uint32_t counter[4]) {
  const unsigned most = ABSORB_GROUP == 1 ? 256u : 255u;
  if (nblocks == 0 || nblocks % ABSORB_GROUP != 0 || (counter[3] >> 24) + nblocks > most) return -1;
  for (size_t i = 0; i < nblocks; i++) {
    if (k->rounds == 0) return AES_ERR_KEY;
    (void)aes_ctr_blocks(k, counter, in + 16u * i, out + 16u * i, 1);
    absorb(out + 16u * i);
  }
  absorbed += nblocks;
  return AES_OK;
}

#if ABSORB_GROUP == 1
int aes_ctr_absorb_masked(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                          uint32_t counter[4], uint32_t mask[4]) {
  if (k->rounds == 0) return AES_ERR_KEY;
  (void)aes_encrypt_blocks(k, (const uint8_t *)counter, (uint8_t *)mask, 1);
  counter[3] += 1u << 24;
  return nblocks == 0 ? AES_OK : aes_ctr_absorb(k, in, out, nblocks, counter);
}
#endif
"""
IV, AAD = b"twelve bytes", b"thirteen here"
CONTEXT_BYTES = 1024


# What the ciphers' kernels ask for.
GROUPS = {
    cipher.name: cipher.manifest.sw.absorb_group
    for cipher in manifest.units()
    if cipher.manifest.sw.absorb_group is not None
}


def one_pass(folder: Path, variant: str, group: int, kernel: str) -> ctypes.CDLL:
    """The kernel beside such a cipher."""
    mine = folder / "absorbing.c"
    mine.write_text(ABSORBING, encoding="utf-8")
    defines = (f"ABSORB_GROUP={group}",)
    return compiled(folder, kernel, UNIT.variant(variant), mine, defines=defines)


def sealed(library: ctypes.CDLL, key: Key, *pieces: bytes) -> bytes:
    """Ciphertext and tag of a message in pieces of whole blocks."""
    g = ctypes.create_string_buffer(CONTEXT_BYTES)
    tag = ctypes.create_string_buffer(16)
    found = b""
    assert library.aes_gcm_start(g, key, IV, ctypes.c_size_t(len(IV))) == 0
    assert library.aes_gcm_aad(g, AAD, ctypes.c_size_t(len(AAD))) == 0
    for piece in pieces:
        out = (ctypes.c_uint32 * (len(piece) // 4))()
        source = ctypes.create_string_buffer(piece, len(piece))
        size = ctypes.c_size_t(len(piece))
        assert library.aes_gcm_encrypt_update(g, source, out, size) == 0
        found += bytes(out)
    assert library.aes_gcm_encrypt_finish(g, tag, ctypes.c_size_t(16)) == 0
    return found + tag.raw


def gcm_key(library: ctypes.CDLL, key: bytes) -> Key:
    """A prepared key."""
    k = (ctypes.c_uint32 * (UNIT.manifest.key_words(VARIANT) + 1 + KEY_WORDS))()
    assert library.aes_gcm_set_key(k, ctypes.create_string_buffer(key, 16), 128) == 0
    return k


def check_counters(library: ctypes.CDLL) -> None:
    """Messages that begin their second piece at, before and behind the counter's overflow."""
    key = gcm_key(library, FIRST)
    text = random.Random("long").randbytes(16 * 600)
    absorbed = ctypes.c_ulong.in_dll(library, "absorbed")
    for before in (0, 1, 2, *range(225, 258)):
        for blocks in (1, 11, 12, 13, 16, 17, 18, 30, 300):
            first, second = text[: 16 * before], text[16 * before : 16 * (before + blocks)]
            wanted = AESGCM(FIRST).encrypt(IV, first + second, AAD)
            absorbed.value = 0
            pieces = (first, second) if first else (second,)
            assert sealed(library, key, *pieces) == wanted, (before, blocks)
            assert absorbed.value != 0 or (before < 12 and blocks < 12)
            assert absorbed.value <= before + blocks


def check_interrupts(library: ctypes.CDLL) -> None:
    """A handler before each operation of a message seals another one, under its own key."""
    mine, theirs = gcm_key(library, FIRST), gcm_key(library, SECOND)
    text, other = TEXT[: 16 * 20], TEXT[: 16 * 14]
    operations = ctypes.c_ulong.in_dll(library, "operations")
    handler_at = ctypes.c_ulong.in_dll(library, "handler_at")
    state = (ctypes.c_uint32 * 4)()
    right_one, right_other = (
        AESGCM(k).encrypt(IV, m, AAD) for k, m in ((FIRST, text), (SECOND, other))
    )
    bad: list[bytes] = []
    runs = 0

    def interrupt() -> None:
        nonlocal runs
        runs += 1
        library.aes_unit_save(state)
        out = sealed(library, theirs, other)
        library.aes_unit_restore(state)
        if out != right_other:
            bad.append(out)

    operations.value = 0
    assert sealed(library, mine, text) == right_one
    last = operations.value
    callback = ctypes.CFUNCTYPE(None)(interrupt)
    ctypes.c_void_p.in_dll(library, "handler").value = ctypes.cast(callback, ctypes.c_void_p).value
    try:
        for at in range(1, last + 1):
            operations.value = 0
            handler_at.value = at
            assert sealed(library, mine, text) == right_one, at
    finally:
        ctypes.c_void_p.in_dll(library, "handler").value = None
    assert 2 * 20 < runs <= last
    assert not bad


@pytest.mark.parametrize("group", sorted(set(GROUPS.values())))
def test_one_pass(tmp_path: Path, group: int) -> None:
    """A message goes through cipher and unit together from any counter, interrupted or not."""
    library = one_pass(tmp_path, "d4", group, kernel_text())
    check_counters(library)
    check_interrupts(library)


# ---- whole messages ------------------------------------------------------------------------------

Message = tuple[bytes, bytes, bytes]  # IV, AAD, text


def in_one_call(library: ctypes.CDLL, key: Key, message: Message, tag: bytes = b"") -> bytes:
    """Ciphertext and tag; with a tag the text, or nothing if it is wrong."""
    iv, aad, text = message
    size = ctypes.c_size_t
    made = ctypes.create_string_buffer(tag, 16)
    out = (ctypes.c_uint32 * (len(text) // 4 + 1))()
    before = bytes(out)
    call = library.aes_gcm_decrypt if tag else library.aes_gcm_encrypt
    sources = [ctypes.create_string_buffer(data, len(data) + 1) for data in message]
    lengths = [size(len(iv)), size(len(aad))]
    places = (sources[0], lengths[0], sources[1], lengths[1], sources[2])
    status = call(key, *places, out, size(len(text)), made, size(16))
    if tag and status == BAD_TAG:
        assert bytes(out) == before
        return b""
    assert status == 0
    assert bytes(out)[len(text) :] == before[len(text) :]
    return bytes(out)[: len(text)] + (b"" if tag else made.raw)


def check_messages(library: ctypes.CDLL) -> None:
    """Lengths around a block and around the counter's overflows, sealed, opened and forged."""
    key = gcm_key(library, FIRST)
    whole = random.Random("message").randbytes(16 * 600)
    absorbed = ctypes.c_ulong.in_dll(library, "absorbed")
    sizes = (*range(34), 63, 64, 65, 16 * 253, *range(16 * 254, 16 * 255 + 2), 16 * 509, 16 * 511)
    for size in sizes:
        for aad in (0, 1, 13, 16, 17, 40, 8200) if size in (0, 5, 64) else (13,):
            message = (IV, whole[:aad], whole[:size])
            absorbed.value = 0
            found = in_one_call(library, key, message)
            assert found == AESGCM(FIRST).encrypt(IV, message[2], message[1]), (size, aad)
            assert absorbed.value == size // 16  # in the general function it would be otherwise
            text, tag = found[:size], found[size:]
            assert in_one_call(library, key, (IV, message[1], text), tag) == message[2], (size, aad)
            for byte in (0, 5, 10, 15):
                wrong = bytes(b ^ (at == byte) for at, b in enumerate(tag))
                assert in_one_call(library, key, (IV, message[1], text), wrong) == b""


def check_interrupted_messages(library: ctypes.CDLL) -> None:
    """A handler before each operation seals another message; one of them clears the key."""
    mine, theirs = gcm_key(library, FIRST), gcm_key(library, SECOND)
    operations = ctypes.c_ulong.in_dll(library, "operations")
    handler_at = ctypes.c_ulong.in_dll(library, "handler_at")
    state = (ctypes.c_uint32 * 4)()
    message, other = (IV, AAD, TEXT[:70]), (IV, AAD, TEXT[100:133])
    sealed_one = AESGCM(FIRST).encrypt(IV, message[2], AAD)
    sealed_other = AESGCM(SECOND).encrypt(IV, other[2], AAD)
    opened = (IV, AAD, sealed_one[:70])
    found: list[bytes] = []

    def interrupt() -> None:
        library.aes_unit_save(state)
        found.append(in_one_call(library, theirs, other))
        library.aes_unit_restore(state)

    callback = ctypes.CFUNCTYPE(None)(interrupt)
    tag, wrong = sealed_one[70:], sealed_one[70:-1] + bytes([sealed_one[-1] ^ 1])
    calls = ((message, b"", sealed_one), (opened, tag, message[2]), (opened, wrong, b""))
    for call, tag, wanted in calls:
        for _ in range(2):  # the first call may load the key
            operations.value = 0
            assert in_one_call(library, mine, call, tag) == wanted
        last = operations.value
        found.clear()
        pointer = ctypes.cast(callback, ctypes.c_void_p).value
        ctypes.c_void_p.in_dll(library, "handler").value = pointer
        try:
            for at in range(1, last + 1):
                operations.value, handler_at.value = 0, at
                assert in_one_call(library, mine, call, tag) == wanted, at
        finally:
            ctypes.c_void_p.in_dll(library, "handler").value = None
        assert len(found) >= last
        assert set(found) == {sealed_other}


def check_cleared(library: ctypes.CDLL) -> None:
    """A key that a handler clears before any operation fails the call, which leaves zeros.

    Nothing else may happen, except that a call has decrypted its text before.
    """
    operations = ctypes.c_ulong.in_dll(library, "operations")
    handler_at = ctypes.c_ulong.in_dll(library, "handler_at")
    state = (ctypes.c_uint32 * 4)()
    size = ctypes.c_size_t
    kept: list[Key] = []

    def interrupt() -> None:
        library.aes_unit_save(state)
        library.aes_gcm_clear_key(kept[-1])
        library.aes_unit_restore(state)

    callback = ctypes.CFUNCTYPE(None)(interrupt)
    sealed_one = AESGCM(FIRST).encrypt(IV, TEXT[:70], AAD)
    for opening in (False, True):
        for at in range(1, 50):
            kept.append(gcm_key(library, FIRST))
            operations.value, handler_at.value = 0, at
            pointer = ctypes.cast(callback, ctypes.c_void_p).value
            ctypes.c_void_p.in_dll(library, "handler").value = pointer
            text = ctypes.create_string_buffer(sealed_one[:70] if opening else TEXT[:70])
            out = (ctypes.c_uint32 * 18)()
            tag = ctypes.create_string_buffer(sealed_one[70:] if opening else bytes(16), 16)
            aad, iv = ctypes.create_string_buffer(AAD), ctypes.create_string_buffer(IV)
            call = library.aes_gcm_decrypt if opening else library.aes_gcm_encrypt
            lengths = size(12), size(len(AAD)), size(70), size(16)
            status = call(
                *(kept[-1], iv, lengths[0], aad, lengths[1], text, out, lengths[2]),
                *(tag, lengths[3]),
            )
            ctypes.c_void_p.in_dll(library, "handler").value = None
            if operations.value < at:
                assert status == 0
                break
            if opening and status == 0:  # the text was out already
                assert bytes(out)[:70] == TEXT[:70]
            else:
                assert status in (BAD_KEY, BAD_TAG) if opening else status == BAD_KEY, at
                assert not any(out), at


def test_messages(tmp_path: Path) -> None:
    """A message in one call, where the cipher's kernel takes any number of blocks."""
    library = one_pass(tmp_path, "d4", 1, kernel_text())
    check_messages(library)
    check_interrupted_messages(library)
    check_cleared(library)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size_t done = ROOM;", "size_t done = ROOM - 1u;"),
        ("swapped((uint32_t)done + 2u)", "swapped((uint32_t)done + 1u)"),
        ("swapped((uint32_t)nblocks + 2u)", "swapped((uint32_t)nblocks + 1u)"),
        ("<< 27 | (uint32_t)bytes >> 5 << 16", "<< 27"),
        ("(aad_bytes | bytes) < 0x2000u", "(aad_bytes | bytes) < 0x20000u"),
        ("gh_end(0) != number || rounds == 0u ||", "(gh_end(0) == 0u && 0) || rounds == 0u ||"),
        ("if (UNLIKELY(gh_end(0) != number) &&", "if ((gh_end(0), 0) &&"),
        ("pad(m->block, text + (m->bytes - rest), rest);", ""),
        ("return m->k->cipher.rounds != 0u ? AES_OK : AES_ERR_KEY;", "return AES_OK;"),
        ("(x2 ^ y2) | (x3 ^ y3);", "(x2 ^ y2);"),
        ("difference = m.block[0] | m.block[1] | m.block[2] | m.block[3];", "difference = 0;"),
    ],
)
def test_a_message_with_a_mistake_is_seen(tmp_path: Path, old: str, new: str) -> None:
    """Each of these mistakes gives a wrong message, or accepts a wrong one, somewhere."""
    text = kernel_text()
    assert text.count(old) == 1
    library = one_pass(tmp_path, "d4", 1, text.replace(old, new))
    with pytest.raises(AssertionError):
        check_messages(library)
        check_interrupted_messages(library)
        check_cleared(library)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("255u - (counter[3] >> 24)", "256u - (counter[3] >> 24)"),
        ("  if (gh_end(0) == number) {", "  if (gh_end(0) | 1u) {"),
        ("w[0] ^ state[0], w[1] ^ state[1], 0);", "w[0], w[1] ^ state[1], 0);"),
        ("out, HEAD + groups * ABSORB_GROUP);", "out, groups * ABSORB_GROUP);"),
    ],
    ids=["overflow", "whose key", "state", "hashed again"],
)
def test_a_pass_with_a_mistake_is_seen(tmp_path: Path, old: str, new: str) -> None:
    """Each of these mistakes gives a wrong message somewhere."""
    text = kernel_text()
    assert text.count(old) == 1
    library = one_pass(tmp_path, "d4", max(GROUPS.values()), text.replace(old, new))
    with pytest.raises(AssertionError):
        check_counters(library)
        check_interrupts(library)


# ---- the cipher's own kernel, where it is in C ---------------------------------------------------


def in_c() -> Iterator[tuple[Accelerator, Variant, Accelerator]]:
    """The sets with this unit and a cipher in C that absorbs, in one variant, and the cipher."""
    for found in manifest.units():
        for variant in found.manifest.variant if found.manifest.kind == "set" else []:
            units = [member.accelerator for member in found.members(variant)]
            ciphers = [unit for unit in units if unit.name in GROUPS]
            files = [path for unit in ciphers for path in unit.own_files()]
            if UNIT.name in [unit.name for unit in units] and [p.suffix for p in files] == [".c"]:
                yield found, variant, ciphers[0]
                break


SETS = list(in_c())
every_set = pytest.mark.parametrize("beside", SETS, ids=lambda beside: beside[0].name)

# Between the kernels: a call against the contract fails.
WATCHED = """
#include "aes_absorb.h"
unsigned long absorbed;
int cipher_ctr_absorb(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                      uint32_t counter[4]);

int aes_ctr_absorb(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks,
                   uint32_t counter[4]) {
  if (nblocks == 0 || nblocks % ABSORB_GROUP != 0 || (counter[3] >> 24) + nblocks > 255u) return -1;
  absorbed += nblocks;
  return cipher_ctr_absorb(k, in, out, nblocks, counter);
}
"""
SHAPE = "aes_by_four.h"


def beside_its_kernel(
    folder: Path,
    beside: tuple[Accelerator, Variant, Accelerator],
    mistake: tuple[str, str, str] | None = None,
) -> ctypes.CDLL:
    """Both kernels of a set and its emulations; in one file one text may be another."""
    found, chosen, cipher = beside
    texts = {
        "cipher.c": cipher.own_files()[0].read_text(encoding="utf-8"),
        SHAPE: (ROOT / "sw" / "include" / SHAPE).read_text(encoding="utf-8"),
        "watched.c": WATCHED,
    }
    if mistake is not None:
        name, old, new = mistake
        assert texts[name].count(old) == 1
        texts[name] = texts[name].replace(old, new)
    texts[SHAPE] = texts[SHAPE].replace("aes_ctr_absorb(", "cipher_ctr_absorb(")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    more = (folder / "cipher.c", folder / "watched.c", cipher.file(cipher.manifest.sw.emul))
    defines = tuple(chosen.defines)
    return compiled(folder, kernel_text(), VARIANT, *more, within=(found, chosen), defines=defines)


@every_set
def test_one_pass_of_a_set(
    tmp_path: Path, beside: tuple[Accelerator, Variant, Accelerator]
) -> None:
    """The same with a cipher's own kernel, on the emulated instructions of both units."""
    library = beside_its_kernel(tmp_path, beside)
    check_counters(library)
    check_interrupts(library)


@pytest.mark.parametrize(
    "mistake",
    [
        ("cipher.c", "gh_absorb(x.c2, x.c3, 1)", "gh_absorb(x.c3, x.c2, 1)"),
        (SHAPE, "if (absorbs) absorb_block", "if (absorbs && i != 12) absorb_block"),
        (SHAPE, "shared[FIRST_SUM] = y.c0;", "shared[FIRST_SUM] = y.c1;"),
        (SHAPE, "x.d = contribute_all(0, d, key);", "x.d = contribute_all(0, c, key);"),
        (SHAPE, "y.c3 = contribute(3, 3, x.c3, y.c3);", ""),
    ],
    ids=["words", "last block", "first round", "a counter twice", "a part that is equal in all"],
)
def test_a_mistake_of_the_set_is_seen(tmp_path: Path, mistake: tuple[str, str, str]) -> None:
    """Each of these mistakes of the cipher's kernel gives a wrong message."""
    library = beside_its_kernel(tmp_path, SETS[0], mistake)
    with pytest.raises(AssertionError):
        check_counters(library)
