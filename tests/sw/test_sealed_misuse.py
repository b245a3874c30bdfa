# SPDX-License-Identifier: Apache-2.0
"""The interfaces of CCM, CMAC, XTS, key wrap and GCM-SIV, used wrongly; kernels that fail.

Every call is made in this process, on the portable kernel whose device fails when it is told to
(tests/sw/fuzz/faulty.c).
"""

import ctypes
import random
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers import modes as ciphers

from aesforge.base.paths import ROOT
from aesforge.catalog import manifest
from aesforge.reference import modes
from harness_support import compile_c

KEY_LENGTH, LENGTH, TAG, ORDER, NO_KEY, DEVICE, WEAK, OVERLAP = -1, -3, -4, -5, -6, -8, -9, -11
ROOM = 8192  # more than any key or context
RNG = random.Random("misuse")
KEY, NONCE, AAD, TEXT = (
    RNG.randbytes(16),
    b"twelve bytes",
    b"header",
    b"more than one block of text",
)
SIZE = len(TEXT)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The modes over a portable kernel that can fail, as a shared library."""
    portable = manifest.find("portable")
    folder = tmp_path_factory.mktemp("library")
    fuzz = ROOT / "tests" / "sw" / "fuzz"
    kernel = [fuzz / "faulty.c"]
    flags = ["-shared", "-fPIC", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    flags += [f"-I{fuzz}", "-Wno-conversion"]
    variant = portable.variant("")
    return ctypes.CDLL(str(compile_c(folder / "modes", portable, variant, flags, kernel=kernel)))


class Caller:
    """A key or context in a room of its own; lengths are Python integers."""

    def __init__(self, library: ctypes.CDLL, set_up: str = "", key: bytes = KEY) -> None:
        self.library = library
        self.room = ctypes.create_string_buffer(ROOM)
        if set_up:
            assert getattr(library, set_up)(self.room, key, 8 * len(key)) == 0

    def call(self, name: str, *arguments: object) -> int:
        """Call a function on this object."""
        words = [ctypes.c_size_t(a) if isinstance(a, int) else a for a in arguments]
        return int(getattr(self.library, name)(self.room, *words))


def buffer(size: int) -> "ctypes.Array[ctypes.c_char]":
    """Bytes that say whether something was written."""
    return ctypes.create_string_buffer(b"?" * size, size)


# --- contexts -------------------------------------------------------------------------------------


@pytest.fixture
def ccm(library: ctypes.CDLL) -> "Callable[..., tuple[Caller, int]]":
    """Start a message of CCM: the context and the status."""
    key = Caller(library, "aes_set_encrypt_key")

    def start(nonce: bytes = NONCE, aad: int = len(AAD), text: int = SIZE, tag: int = 16) -> object:
        context = Caller(library)
        lengths = (len(nonce), ctypes.c_uint64(aad), ctypes.c_uint64(text), tag)
        return context, context.call("aes_ccm_start", key.room, nonce, *lengths)

    start.key = key  # type: ignore[attr-defined]
    return start  # type: ignore[return-value]


def test_ccm_out_of_order(ccm: Callable[..., tuple[Caller, int]]) -> None:
    """Each call is refused in every phase but its own, and changes nothing."""
    out, tag = buffer(SIZE), buffer(16)
    calls: dict[str, tuple[object, ...]] = {
        "aad": (AAD, len(AAD)),
        "encrypt_update": (TEXT, out, SIZE),
        "encrypt_finish": (tag,),
        "verify_update": (TEXT, SIZE),
        "verify_finish": (tag,),
        "decrypt_update": (TEXT, out, SIZE),
        "decrypt_finish": (),
    }

    def refused(context: Caller, *names: str, status: int = ORDER) -> None:
        for name in names:
            before = context.room.raw
            assert context.call(f"aes_ccm_{name}", *calls[name]) == status, name
            assert context.room.raw == before
        assert (out.raw, tag.raw) == (b"?" * SIZE, b"?" * 16)

    ciphertext, right = modes.seal("ccm", KEY, NONCE, AAD, TEXT)
    context, status = ccm()
    assert status == 0
    refused(context, *[name for name in calls if name != "aad"])  # the AAD first
    assert context.call("aes_ccm_aad", AAD, len(AAD) + 1) == LENGTH
    assert context.call("aes_ccm_aad", AAD, len(AAD)) == 0
    refused(context, "encrypt_finish", "verify_finish", "decrypt_update", "decrypt_finish")
    assert context.call("aes_ccm_encrypt_update", TEXT, out, SIZE + 1) == LENGTH
    assert context.call("aes_ccm_verify_update", ciphertext, SIZE + 1) == LENGTH
    assert context.call("aes_ccm_aad", AAD, 1) == LENGTH
    assert context.call("aes_ccm_verify_update", ciphertext, SIZE - 1) == 0
    refused(context, "aad", "encrypt_update", "encrypt_finish", "verify_finish", "decrypt_update")
    assert context.call("aes_ccm_verify_update", ciphertext[-1:], 1) == 0
    assert context.call("aes_ccm_verify_finish", right) == 0
    refused(context, "aad", "encrypt_update", "encrypt_finish", "verify_update", "verify_finish")
    refused(context, "decrypt_finish")
    assert context.call("aes_ccm_decrypt_update", ciphertext, out, SIZE + 1) == LENGTH
    assert context.call("aes_ccm_decrypt_update", ciphertext, out, SIZE) == 0
    assert out.raw == TEXT
    assert context.call("aes_ccm_decrypt_finish") == 0
    assert not any(context.room.raw)
    out.raw = b"?" * SIZE
    refused(context, *calls)


def test_ccm_text_that_changes_between_the_two_times(
    ccm: Callable[..., tuple[Caller, int]],
) -> None:
    """Another ciphertext in the second pass is an error at its end."""
    ciphertext, tag = modes.seal("ccm", KEY, NONCE, AAD, TEXT)
    for second in (ciphertext, bytes(SIZE), ciphertext[:-1] + b"\0"):
        context, out = ccm()[0], buffer(SIZE)
        assert context.call("aes_ccm_aad", AAD, len(AAD)) == 0
        assert context.call("aes_ccm_verify_update", ciphertext, SIZE) == 0
        assert context.call("aes_ccm_verify_finish", tag) == 0
        assert context.call("aes_ccm_decrypt_update", second, out, SIZE) == 0
        same = second == ciphertext
        assert context.call("aes_ccm_decrypt_finish") == (0 if same else TAG)
        assert not any(context.room.raw)


def test_ccm_lengths(ccm: Callable[..., tuple[Caller, int]]) -> None:
    """Nonces, tags and texts that the standard lacks; the context is wiped."""
    most = {13: 2**16, 12: 2**24, 11: 2**32, 8: 2**56}
    for size, limit in most.items():
        assert ccm(bytes(size), text=limit - 1)[1] == 0
        context, status = ccm(bytes(size), text=limit)
        assert status == LENGTH
        assert not any(context.room.raw)
        assert context.call("aes_ccm_aad", AAD, len(AAD)) == ORDER
    assert ccm(bytes(7), text=2**64 - 1)[1] == 0
    assert [ccm(bytes(size))[1] for size in (0, 6, 14, 16)] == [LENGTH] * 4
    assert [ccm(tag=size)[1] for size in (0, 2, 3, 5, 15, 18)] == [LENGTH] * 6


def test_ccm_length_of_much_aad(ccm: Callable[..., tuple[Caller, int]]) -> None:
    """Ten bytes for 2^32 bytes of AAD and more: the state equals the standard's first blocks."""
    for aad in (2**32, 2**64 - 1):
        context, status = ccm(aad=aad)
        assert status == 0
        assert context.call("aes_ccm_aad", bytes(6), 6) == 0  # ends the block
        first = bytes([0x40 | 7 << 3 | 2]) + NONCE + SIZE.to_bytes(3, "big")
        second = b"\xff\xff" + aad.to_bytes(8, "big") + bytes(6)
        encryptor = Cipher(algorithms.AES(KEY), ciphers.CBC(bytes(16))).encryptor()
        state = (encryptor.update(first + second) + encryptor.finalize())[16:]
        assert state in context.room.raw


def test_cmac_out_of_order(library: ctypes.CDLL) -> None:
    """A context that was not started or has ended accepts only a start; tags have 4 to 16 bytes."""
    key = Caller(library, "aes_cmac_set_key")
    context, tag = Caller(library), buffer(16)
    right = modes.seal("cmac", KEY, b"", b"", TEXT)[1]

    def refused() -> None:
        assert context.call("aes_cmac_update", TEXT, SIZE) == ORDER
        assert context.call("aes_cmac_finish", tag, 16) == ORDER
        assert context.call("aes_cmac_verify_finish", right, 16) == ORDER
        assert not any(context.room.raw) and tag.raw == b"?" * 16

    refused()
    assert context.call("aes_cmac_start", key.room) == 0
    assert context.call("aes_cmac_update", None, 0) == 0
    assert context.call("aes_cmac_update", TEXT, SIZE) == 0
    for size in (0, 3, 17):
        before = context.room.raw
        assert context.call("aes_cmac_finish", tag, size) == LENGTH
        assert context.call("aes_cmac_verify_finish", right, size) == LENGTH
        assert context.room.raw == before
    assert context.call("aes_cmac_verify_finish", right, 16) == 0
    refused()
    assert context.call("aes_cmac_start", key.room) == 0
    assert context.call("aes_cmac_verify_finish", right, 16) == TAG
    refused()
    key.call("aes_cmac_clear_key")
    assert not any(key.room.raw)
    assert context.call("aes_cmac_start", key.room) == NO_KEY


# --- keys and lengths -----------------------------------------------------------------------------


def test_xts_keys(library: ctypes.CDLL) -> None:
    """Equal halves, other lengths, no key, a key of the other direction; no output but zeros."""
    key = RNG.randbytes(32)
    for name in ("aes_xts_set_encrypt_key", "aes_xts_set_decrypt_key"):
        other = "encrypt" if "decrypt" in name else "decrypt"
        same = name.removesuffix("_key").removeprefix("aes_xts_set_")
        holder, out = Caller(library, name, key), buffer(SIZE)
        assert holder.call(f"aes_xts_{other}", bytes(16), TEXT, out, SIZE) == NO_KEY
        assert out.raw == bytes(SIZE)
        assert holder.call(f"aes_xts_{same}", bytes(16), TEXT, out, SIZE) == 0
        for bad, bits, status in (
            (2 * KEY, 256, WEAK),
            (key, 128, KEY_LENGTH),
            (key, 384, KEY_LENGTH),
        ):
            assert holder.call(f"aes_xts_{same}", bytes(16), TEXT, out, SIZE) == 0
            assert getattr(library, name)(holder.room, bad, bits) == status
            assert holder.call(f"aes_xts_{same}", bytes(16), TEXT, out, SIZE) == NO_KEY
            assert getattr(library, name)(holder.room, key, 256) == 0
        for size in (0, 15, (1 << 24) + 1):
            out = buffer(SIZE)
            assert holder.call(f"aes_xts_{same}", bytes(16), TEXT, out, size) == LENGTH
            assert out.raw == b"?" * SIZE
        holder.call("aes_xts_clear_key")
        assert not any(holder.room.raw)


def test_xts_longest_data_unit(library: ctypes.CDLL) -> None:
    """2^20 blocks are taken, as OpenSSL enciphers them."""
    size = 1 << 24
    key, data = RNG.randbytes(32), RNG.randbytes(1 << 12) * (1 << 12)
    out = ctypes.create_string_buffer(size)
    assert (
        Caller(library, "aes_xts_set_encrypt_key", key).call(
            "aes_xts_encrypt", bytes(16), data, out, size
        )
        == 0
    )
    assert out.raw == modes.seal("xts", key, bytes(16), b"", data)[0]


def test_lengths_beyond_the_standards(library: ctypes.CDLL) -> None:
    """Refused before anything is read; nothing is written."""
    key, out, tag = Caller(library, "aes_set_encrypt_key"), buffer(16), buffer(16)
    plain_bytes = ctypes.c_size_t(7)
    none = (None, 0)
    for size in (2**57 + 8, 2**63, 2**64 - 8):
        assert key.call("aes_kw_wrap", None, out, size) == LENGTH
        assert key.call("aes_kw_unwrap_inverse", None, out, size) == LENGTH
    for size in (0, 2**32, 2**64 - 1):
        assert key.call("aes_kwp_wrap", None, out, size) == LENGTH
    for size in (0, 8, 17, 2**32 + 16, 2**64 - 8):
        place = ctypes.byref(plain_bytes)
        assert key.call("aes_kwp_unwrap_inverse", None, out, size, place) == LENGTH
        assert plain_bytes.value == 0
    for aad, text in ((2**36 + 1, 0), (0, 2**36 + 1)):
        for name in ("encrypt", "decrypt"):
            call = (NONCE, None, aad, None, out, text, tag)
            assert key.call(f"aes_gcm_siv_{name}", *call) == LENGTH
    wide = Caller(library, "aes_set_encrypt_key", RNG.randbytes(24))
    assert wide.call("aes_gcm_siv_encrypt", NONCE, *none, TEXT, out, 16, tag) == KEY_LENGTH
    assert (out.raw, tag.raw) == (b"?" * 16, b"?" * 16)


def test_ccm_texts_beyond_the_counter(library: ctypes.CDLL) -> None:
    """In one call too; the last length of each nonce that memory holds is taken."""
    key, tag = Caller(library, "aes_set_encrypt_key"), buffer(16)
    for nonce, most in ((13, 2**16), (12, 2**24)):
        text = bytes(most)
        for name in ("encrypt", "decrypt"):
            out = buffer(most)
            call = (bytes(nonce), nonce, None, 0, text, out, most, tag, 16)
            assert key.call(f"aes_ccm_{name}", *call) == LENGTH
            assert (out.raw, tag.raw) == (b"?" * most, b"?" * 16)
    out, size = buffer(2**16), 2**16 - 1
    nonce = bytes(13)
    assert key.call("aes_ccm_encrypt", nonce, 13, None, 0, text, out, size, tag, 16) == 0
    assert (out.raw[:size], tag.raw) == modes.seal("ccm", KEY, nonce, b"", bytes(size))


# Calls on one area: of the text from `source` on, to `target` and what follows it.
OVERLAPS: dict[str, tuple[str, tuple[object, ...], int]] = {
    "aes_ccm_encrypt": ("aes_set_encrypt_key", (NONCE, 12, AAD, 6, "in", "out", "n", "tag", 16), 0),
    "aes_ccm_decrypt": ("aes_set_encrypt_key", (NONCE, 12, AAD, 6, "in", "out", "n", "tag", 16), 0),
    "aes_xts_encrypt": ("aes_xts_set_encrypt_key", (bytes(16), "in", "out", "n"), 0),
    "aes_xts_decrypt": ("aes_xts_set_decrypt_key", (bytes(16), "in", "out", "n"), 0),
    "aes_kw_wrap": ("aes_set_encrypt_key", ("in", "out", "n"), 8),
    "aes_kw_unwrap": ("aes_set_decrypt_key", ("in", "out", "n"), -8),
    "aes_kw_wrap_inverse": ("aes_set_decrypt_key", ("in", "out", "n"), 8),
    "aes_kw_unwrap_inverse": ("aes_set_encrypt_key", ("in", "out", "n"), -8),
    "aes_kwp_wrap": ("aes_set_encrypt_key", ("in", "out", "n"), 8),
    "aes_kwp_unwrap": ("aes_set_decrypt_key", ("in", "out", "n", "size"), -8),
    "aes_kwp_wrap_inverse": ("aes_set_decrypt_key", ("in", "out", "n"), 8),
    "aes_kwp_unwrap_inverse": ("aes_set_encrypt_key", ("in", "out", "n", "size"), -8),
    "aes_gcm_siv_encrypt": ("aes_set_encrypt_key", (NONCE, AAD, 6, "in", "out", "n", "tag"), 0),
    "aes_gcm_siv_decrypt": ("aes_set_encrypt_key", (NONCE, AAD, 6, "in", "out", "n", "tag"), 0),
}


@pytest.mark.parametrize("name", OVERLAPS)
@pytest.mark.parametrize("size", [32, 320])
def test_buffers_that_overlap(library: ctypes.CDLL, name: str, size: int) -> None:
    """Shared bytes at two addresses are refused and stay; buffers that touch do not overlap."""
    set_up, words, growth = OVERLAPS[name]
    key = Caller(library, set_up, RNG.randbytes(32))
    written, source = size + growth, 1024
    area = buffer(2048)
    before = RNG.randbytes(2048)

    def status(target: int) -> int:
        area.raw = before
        places = {
            "in": ctypes.byref(area, source),
            "out": ctypes.byref(area, target),
            "n": size,
            "tag": bytes(16) if name.endswith("decrypt") else buffer(16),
            "size": ctypes.byref(ctypes.c_size_t()),
        }
        chosen = [places[w] if isinstance(w, str) else w for w in words]
        return key.call(name, *chosen)

    for target in (source - written + 1, source - 8, source - 1, source + 1, source + size - 1):
        assert status(target) == OVERLAP, target - source
        assert area.raw == before
    for target in (source - written, source, source + size):
        assert status(target) in (0, TAG)
        assert area.raw[:target] == before[:target]
        assert area.raw[target + written :] == before[target + written :]


def test_pieces_that_overlap(library: ctypes.CDLL, ccm: Callable[..., tuple[Caller, int]]) -> None:
    """The context is as it was, and goes on."""
    area = buffer(SIZE + 1)
    place, next_place = ctypes.byref(area), ctypes.byref(area, 1)
    area.raw = TEXT + b"?"
    ciphertext, right = modes.seal("ccm", KEY, NONCE, AAD, TEXT)
    context, tag = ccm()[0], buffer(16)
    assert context.call("aes_ccm_aad", AAD, len(AAD)) == 0
    before = context.room.raw
    assert context.call("aes_ccm_encrypt_update", place, next_place, SIZE) == OVERLAP
    assert (context.room.raw, area.raw) == (before, TEXT + b"?")
    assert context.call("aes_ccm_encrypt_update", place, place, SIZE) == 0
    assert context.call("aes_ccm_encrypt_finish", tag) == 0
    assert (area.raw, tag.raw) == (ciphertext + b"?", right)

    context = ccm()[0]
    assert context.call("aes_ccm_aad", AAD, len(AAD)) == 0
    assert context.call("aes_ccm_verify_update", place, SIZE) == 0
    assert context.call("aes_ccm_verify_finish", right) == 0
    before = context.room.raw
    assert context.call("aes_ccm_decrypt_update", place, next_place, SIZE) == OVERLAP
    assert (context.room.raw, area.raw) == (before, ciphertext + b"?")
    assert context.call("aes_ccm_decrypt_update", place, place, SIZE) == 0
    assert context.call("aes_ccm_decrypt_finish") == 0
    assert area.raw == TEXT + b"?"

    key, context = Caller(library, "aes_set_encrypt_key"), Caller(library)
    assert context.call("aes_ctr_start", key.room, bytes(16)) == 0
    before = context.room.raw
    assert context.call("aes_ctr_update", next_place, place, SIZE) == OVERLAP
    assert (context.room.raw, area.raw) == (before, TEXT + b"?")
    assert context.call("aes_ctr_update", place, place, SIZE) == 0
    encryptor = Cipher(algorithms.AES(KEY), ciphers.CTR(bytes(16))).encryptor()
    assert area.raw == encryptor.update(TEXT) + b"?"


def test_keys_that_are_none(library: ctypes.CDLL) -> None:
    """A cleared key: AES_ERR_KEY, and zeros in the output."""
    key = Caller(library)
    plain_bytes = ctypes.byref(ctypes.c_size_t())
    calls: list[tuple[str, int, tuple[object, ...]]] = [
        ("aes_ccm_encrypt", 16, (NONCE, 12, AAD, 6, TEXT, "out", 16, buffer(16), 16)),
        ("aes_ccm_decrypt", 16, (NONCE, 12, AAD, 6, TEXT, "out", 16, buffer(16), 16)),
        ("aes_gcm_siv_encrypt", 16, (NONCE, AAD, 6, TEXT, "out", 16, buffer(16))),
        ("aes_gcm_siv_decrypt", 16, (NONCE, AAD, 6, TEXT, "out", 16, buffer(16))),
        ("aes_kw_wrap", 24, (TEXT, "out", 16)),
        ("aes_kw_unwrap", 16, (TEXT, "out", 24)),
        ("aes_kwp_wrap", 24, (TEXT, "out", 9)),
        ("aes_kwp_unwrap", 16, (TEXT, "out", 24, plain_bytes)),
    ]
    for name, written, arguments in calls:
        out = buffer(32)
        assert key.call(name, *(out if a == "out" else a for a in arguments)) == NO_KEY, name
        assert out.raw == bytes(written) + b"?" * (32 - written), name
    state = buffer(16)
    assert key.call("aes_cbc_mac", state, TEXT, 1) == NO_KEY
    assert state.raw == bytes(16)


# --- a device that fails --------------------------------------------------------------------------


def failing_calls(library: ctypes.CDLL) -> "dict[str, Callable[[], tuple[int, bytes]]]":
    """Calls of every mode: each gives its status and what it has left in the output."""
    long = RNG.randbytes(24 * 16 * 2 + 5)
    xts_key = RNG.randbytes(32)
    sealed = {mode: modes.seal(mode, KEY, NONCE, AAD, long) for mode in ("ccm", "gcm-siv")}
    wrapped = {mode: modes.seal(mode, KEY, b"", b"", long[:40])[0] for mode in ("kw", "kwp")}
    mac = modes.seal("cmac", KEY, b"", b"", long)[1]

    def one(set_up: str, name: str, out: int, key: bytes, *arguments: object) -> object:
        def call() -> tuple[int, bytes]:
            place = buffer(out)
            holder = Caller(library)
            status = getattr(library, set_up)(holder.room, key, 8 * len(key))
            if status:
                return status, bytes(out)
            words = [place if a == "out" else a for a in arguments]
            status = holder.call(name, *words)
            return status, place.raw

        return call

    n = len(long)
    ccm, siv = sealed["ccm"], sealed["gcm-siv"]
    plain_bytes = ctypes.byref(ctypes.c_size_t())
    forth, back = "aes_set_encrypt_key", "aes_set_decrypt_key"
    made = {
        "ccm": one(
            forth, "aes_ccm_encrypt", n, KEY, NONCE, 12, AAD, 6, long, "out", n, buffer(16), 16
        ),
        "ccm back": one(
            forth, "aes_ccm_decrypt", n, KEY, NONCE, 12, AAD, 6, ccm[0], "out", n, ccm[1], 16
        ),
        "siv": one(forth, "aes_gcm_siv_encrypt", n, KEY, NONCE, AAD, 6, long, "out", n, buffer(16)),
        "siv back": one(
            forth, "aes_gcm_siv_decrypt", n, KEY, NONCE, AAD, 6, siv[0], "out", n, siv[1]
        ),
        "xts": one(
            "aes_xts_set_encrypt_key", "aes_xts_encrypt", n, xts_key, bytes(16), long, "out", n
        ),
        "xts back": one(
            "aes_xts_set_decrypt_key", "aes_xts_decrypt", n, xts_key, bytes(16), long, "out", n
        ),
        "kw": one(forth, "aes_kw_wrap", 48, KEY, long, "out", 40),
        "kw back": one(back, "aes_kw_unwrap", 40, KEY, wrapped["kw"], "out", 48),
        "kwp": one(forth, "aes_kwp_wrap", 48, KEY, long, "out", 40),
        "kwp back": one(back, "aes_kwp_unwrap", 40, KEY, wrapped["kwp"], "out", 48, plain_bytes),
        "kwp short": one(forth, "aes_kwp_wrap", 16, KEY, long, "out", 5),
        "cmac": one("aes_cmac_set_key", "aes_cmac", 0, KEY, long, n, buffer(16), 16),
        "cmac back": one("aes_cmac_set_key", "aes_cmac_verify", 0, KEY, long, n, mac, 16),
    }
    return made  # type: ignore[return-value]


def test_a_device_that_fails(library: ctypes.CDLL) -> None:
    """At every call of the kernel in turn: its status, and zeros. Without a failure, AES_OK."""
    failures = 0
    for name, call in failing_calls(library).items():
        for before in range(10_000):
            library.fuzz_fail_after(ctypes.c_uint32(before), DEVICE)
            status, out = call()
            if not library.fuzz_failed():
                assert status == 0, name
                break
            failures += 1
            assert status == DEVICE, (name, before)
            assert not any(out), (name, before)
        library.fuzz_fail_after(0, 0)
    assert failures > 100


def test_a_device_that_fails_in_a_message(library: ctypes.CDLL) -> None:
    """A context whose device failed is wiped, and so is what the call has written."""
    ciphertext, tag = modes.seal("ccm", KEY, NONCE, AAD, TEXT)
    key = Caller(library, "aes_set_encrypt_key")
    lengths = (12, ctypes.c_uint64(len(AAD)), ctypes.c_uint64(SIZE), 16)
    failures = 0
    for before in range(100):
        context, out = Caller(library), buffer(SIZE)
        steps: list[tuple[object, ...]] = [
            ("aes_ccm_start", key.room, NONCE, *lengths),
            ("aes_ccm_aad", AAD, len(AAD)),
            ("aes_ccm_verify_update", ciphertext, 20),
            ("aes_ccm_verify_update", ciphertext[20:], SIZE - 20),
            ("aes_ccm_verify_finish", tag),
            ("aes_ccm_decrypt_update", ciphertext, out, SIZE),
            ("aes_ccm_decrypt_finish",),
        ]
        library.fuzz_fail_after(ctypes.c_uint32(before), DEVICE)
        for name, *arguments in steps:
            status = context.call(str(name), *arguments)
            if status:
                assert (status, any(context.room.raw)) == (DEVICE, False)
                wiped = bytes(SIZE) if name == "aes_ccm_decrypt_update" else out.raw
                assert out.raw == wiped
                failures += 1
                break
        else:
            assert out.raw == TEXT
            break
    assert library.fuzz_failed() == 1 or failures
    library.fuzz_fail_after(0, 0)
    assert failures > 8
