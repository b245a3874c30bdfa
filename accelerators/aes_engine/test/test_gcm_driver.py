# SPDX-License-Identifier: Apache-2.0
"""The GCM part of the C driver on the model of the registers: lengths, alignment, forged messages,
refusals."""

import ctypes
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.base import proc
from aesforge.base.paths import ROOT

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent
UNSUPPORTED, LENGTH, BUSY, REFUSED, TAG = -2, -3, -4, -6, -7
TAKEN = 0xFFFFFFFF  # in the first word of a device
SPACE = 256  # bytes, more than a device has
GUARD = 8


class Message(ctypes.Structure):
    """aes_engine_gcm_t."""

    _fields_ = (
        ("iv", ctypes.c_char_p),
        ("iv_bytes", ctypes.c_size_t),
        ("aad", ctypes.c_char_p),
        ("aad_bytes", ctypes.c_size_t),
    )


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Driver, model, portable cipher and hash as one library, under the sanitizer of undefined
    behaviour."""
    target = tmp_path_factory.mktemp("driver") / "gcm.so"
    sources = [
        *(FOLDER / "sw/aes_engine.c", FOLDER / "sw/aes_engine_gcm.c", HERE / "engine_model.c"),
        *(ROOT / "sw/ref/portable/sw/kernel.c", ROOT / "sw/modes/aes_ghash.c"),
    ]
    includes = [f"-I{path}" for path in (FOLDER / "sw", ROOT / "sw/include")]
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"),
            *("-fsanitize=undefined", "-fno-sanitize-recover", "-static-libubsan"),
            *("-DAES_ENGINE_MODEL", "-DAES_ENGINE_WAITS=50u", *includes, *sources, "-o", target),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(target))


def opened(driver: ctypes.CDLL, fault: int = 0) -> ctypes.Array[ctypes.c_char]:
    """Reset the model and open a device on it."""
    driver.model_reset(fault)
    device = ctypes.create_string_buffer(SPACE)
    assert driver.aes_engine_open(device, None) == 0
    return device


def call(  # type: ignore[no-untyped-def]
    driver, device, way, key, iv, aad, text, tag, shift=0, in_place=False
):
    """One message under a key of its own: see `message`."""
    under = (device, key, 8 * len(key))
    return message(driver, way, under, iv, aad, text, tag, shift, in_place)


def message(  # type: ignore[no-untyped-def]
    driver, way, under, iv, aad, text, tag, shift=0, in_place=False
):
    """One message; status, text and tag as they are afterwards. Nothing after them may change.

    `under` is what comes before the message: device and key, or a session.
    """
    given = Message(iv, len(iv), aad, len(aad))
    source = ctypes.create_string_buffer(
        bytes(shift) + text + bytes(GUARD), GUARD + shift + len(text)
    )
    target = ctypes.create_string_buffer(b"\xa5" * (len(text) + 2 * GUARD), len(text) + 2 * GUARD)
    tags = ctypes.create_string_buffer(tag + b"\x5a" * GUARD, len(tag) + GUARD)
    into = (target, 3 - shift) if not in_place else (source, shift)
    status = getattr(driver, f"aes_engine_gcm_{way}")(
        *under,
        ctypes.byref(given),
        ctypes.byref(source, shift),
        ctypes.byref(*into),
        ctypes.c_size_t(len(text)),
        tags,
        ctypes.c_size_t(len(tag)),
    )
    out = into[0].raw[into[1] : into[1] + len(text)]
    assert into[0].raw[into[1] + len(text) :][:5] in (b"\xa5" * 5, bytes(5))
    assert tags.raw[len(tag) :] == b"\x5a" * GUARD
    return status, out, tags.raw[: len(tag)]


def sealed(key: bytes, iv: bytes, aad: bytes, text: bytes) -> tuple[bytes, bytes]:
    """What OpenSSL makes of a message: text and tag."""
    both = AESGCM(key).encrypt(iv, text, aad)
    return both[:-16], both[-16:]


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_messages(driver: ctypes.CDLL, bits: int) -> None:
    """Every length of text to 66 bytes, with others of AAD, IV and tag, at every alignment."""
    rng = random.Random(bits)
    device = opened(driver)
    for length in range(67):
        key, text = rng.randbytes(bits // 8), rng.randbytes(length)
        iv = rng.randbytes(rng.choice([12, 12, 8, 16, 33]))
        aad = rng.randbytes(rng.choice([0, 1, 15, 16, 17, 40]))
        size = rng.choice([4, 8, 12, 13, 14, 15, 16])
        out, tag = sealed(key, iv, aad, text)
        args = (length % 4, length % 3 == 0)
        got = call(driver, device, "encrypt", key, iv, aad, text, bytes(size), *args)
        assert got == (0, out, tag[:size])
        got = call(driver, device, "decrypt", key, iv, aad, out, tag[:size], *args)
        assert got == (0, text, tag[:size])


def test_forged_messages(driver: ctypes.CDLL) -> None:
    """A bit changed anywhere: refused, and the output is as it was."""
    rng = random.Random(7)
    device = opened(driver)
    key, iv, aad, text = rng.randbytes(16), rng.randbytes(12), rng.randbytes(19), rng.randbytes(45)
    out, tag = sealed(key, iv, aad, text)
    for at in range(4):
        for _ in range(12):
            parts = [bytearray(part) for part in (iv, aad, out, tag)]
            parts[at][rng.randrange(len(parts[at]))] ^= 1 << rng.randrange(8)
            status, got, _ = call(driver, device, "decrypt", key, *map(bytes, parts))
            assert (status, got) == (TAG, b"\xa5" * 45)
    # Not the text that was verified: it was written, and is zero again.
    device = opened(driver, 5)
    status, got, _ = call(driver, device, "decrypt", key, iv, aad, out, tag)
    assert (status, got) == (TAG, bytes(45))


def test_refusals(driver: ctypes.CDLL) -> None:
    """What GCM, the instance or the moment does not allow."""
    device = opened(driver)
    base = (bytes(16), bytes(12), b"", bytes(20))
    for size in (0, 1, 3, 5, 9, 11, 17):
        assert call(driver, device, "encrypt", *base, bytes(size))[0] == LENGTH
    assert call(driver, device, "encrypt", bytes(16), b"", b"", b"", bytes(16))[0] == LENGTH
    assert (
        call(driver, device, "encrypt", bytes(8), bytes(12), b"", b"", bytes(16))[0] == UNSUPPORTED
    )
    turn = ctypes.c_uint32.from_buffer(device)
    free, turn.value = turn.value, TAKEN
    assert call(driver, device, "encrypt", *base, bytes(16))[:2] == (BUSY, b"\xa5" * 20)
    turn.value = free
    assert call(driver, device, "encrypt", *base, bytes(16))[0] == 0
    assert call(driver, opened(driver, 4), "encrypt", *base, bytes(16))[0] == UNSUPPORTED


def test_the_engine_is_wiped(driver: ctypes.CDLL) -> None:
    """After a message nobody owns the engine; a session goes on with its own key."""
    device = opened(driver)
    session = ctypes.create_string_buffer(SPACE)
    key, text = bytes(range(16)), bytes(32)
    assert driver.aes_engine_start(session, device, 2, 1, key, 128, bytes(16)) == 0
    first, second = ctypes.create_string_buffer(text), ctypes.create_string_buffer(text)
    size = ctypes.c_size_t(32)
    assert driver.aes_engine_update(session, first, first, size) == 0
    call(driver, device, "encrypt", bytes(16), bytes(12), b"aad", text, bytes(16))
    wipes = ctypes.c_uint.in_dll(driver, "model_wipes").value
    assert wipes >= 3
    assert driver.aes_engine_update(session, second, second, size) == 0
    both = ctypes.create_string_buffer(bytes(64))
    whole = ctypes.create_string_buffer(SPACE)
    assert driver.aes_engine_start(whole, device, 2, 1, key, 128, bytes(16)) == 0
    assert driver.aes_engine_update(whole, both, both, ctypes.c_size_t(64)) == 0
    assert first.raw[:32] + second.raw[:32] == both.raw[:64]


def started(  # type: ignore[no-untyped-def]
    driver, device, key, mode=0, encrypt=1, iv=None
):
    """A session."""
    session = ctypes.create_string_buffer(SPACE)
    assert driver.aes_engine_start(session, device, mode, encrypt, key, 8 * len(key), iv) == 0
    return session


def count(driver: ctypes.CDLL, name: str) -> int:
    """How often the model did something."""
    return ctypes.c_uint.in_dll(driver, f"model_{name}").value


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_a_session_keeps_its_key(driver: ctypes.CDLL, mode: int) -> None:
    """Messages in the middle of a session's own one, in every mode; the key is loaded once."""
    rng = random.Random(mode)
    key, iv = rng.randbytes(32), rng.randbytes(16)
    device = opened(driver)
    session = started(driver, device, key, mode, 1, iv)
    whole = started(driver, device, key, mode, 1, iv)
    text = rng.randbytes(16 * 12)
    expected = ctypes.create_string_buffer(text)
    assert driver.aes_engine_update(whole, expected, expected, ctypes.c_size_t(len(text))) == 0
    keys, got = count(driver, "keys"), b""
    for turn in range(12):
        args = (rng.randbytes(12), rng.randbytes(turn), rng.randbytes(5 * turn))
        out, tag = sealed(key, *args)
        place = (turn % 4, turn % 3 == 0)
        assert message(driver, "seal", (session,), *args, bytes(16), *place) == (0, out, tag)
        forward = (*args[:2], out, tag, *place)
        assert message(driver, "unseal", (session,), *forward) == (0, args[2], tag)
        # Words, as a kernel gives them: a session in ECB goes straight to the registers.
        block = ctypes.create_string_buffer(text[16 * turn : 16 * turn + 16])
        if mode == 0:
            accesses = count(driver, "accesses")
            assert driver.model_block(session, block, block) == 0
            assert count(driver, "accesses") == accesses + 10
        else:
            assert driver.aes_engine_update(session, block, block, ctypes.c_size_t(16)) == 0
        got += block.raw[:16]
    assert got == expected.raw[: len(text)]
    assert count(driver, "keys") == keys + 1


def test_a_session_after_errors(driver: ctypes.CDLL) -> None:
    """A forged message wipes the engine, so that its right tag is nowhere; the session goes on."""
    rng = random.Random(3)
    key, iv, text = rng.randbytes(24), rng.randbytes(12), rng.randbytes(37)
    device = opened(driver)
    session = started(driver, device, key)
    out, tag = sealed(key, iv, b"", text)
    for turn in range(4):
        wipes, keys = count(driver, "wipes"), count(driver, "keys")
        forged = bytes([tag[0] ^ 1 << turn]) + tag[1:]
        got = message(driver, "unseal", (session,), iv, b"", out, forged)
        assert got == (TAG, b"\xa5" * 37, forged)
        # The wipe afterwards, and before that the one of a session that has to load its key.
        assert count(driver, "wipes") == wipes + 2
        assert count(driver, "keys") == keys + 1
    assert message(driver, "unseal", (session,), iv, b"", out, tag) == (0, text, tag)
    assert message(driver, "seal", (session,), iv, b"", text, bytes(5))[0] == LENGTH
    decrypts = started(driver, device, key, 0, 0)
    got = message(driver, "seal", (decrypts,), iv, b"", text, bytes(16))
    assert got == (UNSUPPORTED, b"\xa5" * 37, bytes(16))
    assert message(driver, "seal", (session,), iv, b"", text, bytes(16)) == (0, out, tag)
    # Results that the engine refuses: nothing of the text stays.
    device = opened(driver, 3)
    session = started(driver, device, key)
    got = message(driver, "seal", (session,), iv, b"", text, bytes(16))
    assert got == (REFUSED, bytes(37), bytes(16))
