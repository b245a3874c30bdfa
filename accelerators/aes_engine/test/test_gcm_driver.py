# SPDX-License-Identifier: Apache-2.0
"""The GCM part of the C driver on the model of the registers: lengths, alignment, forged messages,
refusals."""

import ctypes
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge import proc
from aesforge.paths import ROOT

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent
UNSUPPORTED, LENGTH, BUSY, REFUSED, TAG = -2, -3, -4, -6, -7
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
    """One message; status, text and tag as they are afterwards. Nothing behind them may change."""
    message = Message(iv, len(iv), aad, len(aad))
    source = ctypes.create_string_buffer(
        bytes(shift) + text + bytes(GUARD), GUARD + shift + len(text)
    )
    target = ctypes.create_string_buffer(b"\xa5" * (len(text) + 2 * GUARD), len(text) + 2 * GUARD)
    tags = ctypes.create_string_buffer(tag + b"\x5a" * GUARD, len(tag) + GUARD)
    into = (target, 3 - shift) if not in_place else (source, shift)
    status = getattr(driver, f"aes_engine_gcm_{way}")(
        device,
        key,
        8 * len(key),
        ctypes.byref(message),
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
    turn = ctypes.c_void_p.from_buffer(device, 3 * ctypes.sizeof(ctypes.c_void_p))
    turn.value = ctypes.addressof(device)
    assert call(driver, device, "encrypt", *base, bytes(16))[:2] == (BUSY, b"\xa5" * 20)
    turn.value = None
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
