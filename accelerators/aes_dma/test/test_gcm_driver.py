# SPDX-License-Identifier: Apache-2.0
"""The GCM part of the C driver on the model of the registers: lengths, alignment, forged messages,
refusals, errors, sessions in between."""

import ctypes
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.base import proc
from aesforge.base.paths import ROOT

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent
ECB, CTR = 0, 2
UNSUPPORTED, LENGTH, BUSY, TIMEOUT, REFUSED, BUS, TAG = -2, -3, -4, -5, -6, -7, -9
ARENA = 65536
DEVICE = ARENA - 1024
IV, AAD, IN, OUT = 256, 1024, 8192, 16384  # places in memory
SPACE = 256  # bytes, more than a session has
GUARD = bytes([0xA5]) * 8


class Message(ctypes.Structure):
    """aes_dma_gcm_t."""

    _fields_ = (
        ("iv", ctypes.c_void_p),
        ("iv_bytes", ctypes.c_size_t),
        ("aad", ctypes.c_void_p),
        ("aad_bytes", ctypes.c_size_t),
    )


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Driver, model, portable cipher and hash as one library, under the sanitizer of undefined
    behaviour."""
    target = tmp_path_factory.mktemp("driver") / "gcm.so"
    sources = [
        *(FOLDER / "sw/aes_dma.c", FOLDER / "sw/aes_dma_gcm.c", HERE / "dma_model.c"),
        *(ROOT / "sw/ref/portable/sw/kernel.c", ROOT / "sw/modes/aes_ghash.c"),
    ]
    includes = [f"-I{path}" for path in (FOLDER / "sw", ROOT / "sw/include")]
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"),
            *("-fsanitize=undefined", "-fno-sanitize-recover", "-static-libubsan"),
            *("-DAES_DMA_MODEL", "-DAES_DMA_WAITS=50u", *includes, *sources, "-o", target),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(target))


class Host:
    """A driver on a fresh model; memory is bytes at offsets of the arena."""

    def __init__(self, driver: ctypes.CDLL, key: bytes, fault: int = 0, mode: int = ECB) -> None:
        self.driver = driver
        self.arena = (ctypes.c_uint8 * ARENA).in_dll(driver, "model_memory")
        driver.model_reset(fault)
        self.device = self.at(DEVICE)
        assert driver.aes_dma_open(self.device, None) == 0
        self.session = self.start(key, mode)

    def at(self, offset: int) -> ctypes.c_void_p:
        """A pointer into memory."""
        return ctypes.c_void_p(ctypes.addressof(self.arena) + offset)

    def start(self, key: bytes, mode: int) -> ctypes.Array[ctypes.c_char]:
        """A session that encrypts."""
        session = ctypes.create_string_buffer(SPACE)
        assert (
            self.driver.aes_dma_start(session, self.device, mode, 1, key, 8 * len(key), bytes(16))
            == 0
        )
        return session

    def count(self, name: str) -> int:
        """A counter of the model."""
        return ctypes.c_uint.in_dll(self.driver, f"model_{name}").value

    def put(self, offset: int, data: bytes) -> None:
        """Write memory."""
        self.arena[offset : offset + len(data)] = list(data)

    def get(self, offset: int, length: int) -> bytes:
        """Read memory."""
        return bytes(self.arena[offset : offset + length])

    def call(  # type: ignore[no-untyped-def]
        self, way, iv, aad, text, tag, shift=0, into=OUT
    ) -> tuple[int, bytes, bytes]:
        """One message; status, text and tag as they are afterwards. Nothing around may change."""
        source, target = IN + shift, into + (3 * shift % 4 if into != IN else shift)
        self.put(IV + shift, iv)
        self.put(AAD + (shift + 1) % 4, aad)
        self.put(target - 8, GUARD + bytes([0xA5]) * len(text) + GUARD)
        self.put(source, text)
        message = Message(
            self.at(IV + shift).value, len(iv), self.at(AAD + (shift + 1) % 4).value, len(aad)
        )
        tags = ctypes.create_string_buffer(tag + GUARD, len(tag) + 8)
        size = ctypes.c_size_t(len(text))
        status = getattr(self.driver, f"aes_dma_gcm_{way}")(
            self.session,
            ctypes.byref(message),
            self.at(source),
            self.at(target),
            size,
            tags,
            ctypes.c_size_t(len(tag)),
        )
        assert self.get(target - 8, 8) == self.get(target + len(text), 8) == GUARD
        assert tags.raw[len(tag) :] == GUARD
        return status, self.get(target, len(text)), tags.raw[: len(tag)]


def sealed(key: bytes, iv: bytes, aad: bytes, text: bytes) -> tuple[bytes, bytes]:
    """What OpenSSL makes of a message: text and tag."""
    both = AESGCM(key).encrypt(iv, text, aad)
    return both[:-16], both[-16:]


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_messages(driver: ctypes.CDLL, bits: int) -> None:
    """Every length of text to 66 bytes and some beyond the buffer, with others of AAD, IV and tag,
    at every alignment, in place and apart."""
    rng = random.Random(bits)
    for number, length in enumerate([*range(67), 255, 256, 257, 700, 1024]):
        key, text = rng.randbytes(bits // 8), rng.randbytes(length)
        iv = rng.randbytes(rng.choice([12, 12, 8, 16, 33, 100]))
        aad = rng.randbytes(rng.choice([0, 1, 15, 16, 17, 40, 300]))
        size = rng.choice([4, 8, 12, 13, 14, 15, 16])
        out, tag = sealed(key, iv, aad, text)
        host = Host(driver, key, mode=number % 3)
        where = (number % 4, IN if number % 3 == 0 else OUT)
        assert host.call("encrypt", iv, aad, text, bytes(size), *where) == (0, out, tag[:size])
        got = host.call("decrypt", iv, aad, out, tag[:size], *where)
        assert got == (0, text, tag[:size])
        assert host.count("keys") == 1
        assert host.get(DEVICE, 512).count(text[:8]) == 0 or length < 8


def test_forged_messages(driver: ctypes.CDLL) -> None:
    """A bit changed anywhere: refused, and the output is as it was."""
    rng = random.Random(7)
    key, iv, aad, text = rng.randbytes(16), rng.randbytes(12), rng.randbytes(19), rng.randbytes(45)
    host = Host(driver, key)
    out, tag = sealed(key, iv, aad, text)
    for at in range(4):
        for turn in range(12):
            parts = [bytearray(part) for part in (iv, aad, out, tag)]
            parts[at][rng.randrange(len(parts[at]))] ^= 1 << rng.randrange(8)
            status, got, _ = host.call("decrypt", *map(bytes, parts), shift=turn % 4)
            assert (status, got) == (TAG, b"\xa5" * 45)
    assert host.call("decrypt", iv, aad, out, tag)[:2] == (0, text)
    # Not the text that was verified: it was written, and is zero again.
    host = Host(driver, key, 6)
    assert host.call("decrypt", iv, aad, out, tag)[:2] == (TAG, bytes(45))


def test_refusals(driver: ctypes.CDLL) -> None:
    """What GCM, the instance or the moment does not allow."""
    host = Host(driver, bytes(16))
    base = (bytes(12), b"", bytes(20))
    for size in (0, 1, 3, 5, 9, 11, 17):
        for way in ("encrypt", "decrypt"):
            assert host.call(way, *base, bytes(size))[:2] == (LENGTH, b"\xa5" * 20)
    assert host.call("encrypt", b"", b"", b"", bytes(16))[0] == LENGTH
    # Buffers that overlap in part.
    message = Message(host.at(IV).value, 12, None, 0)
    tag, size = ctypes.create_string_buffer(16), ctypes.c_size_t(32)
    where = (host.at(IN), host.at(IN + 16), size, tag, ctypes.c_size_t(16))
    assert driver.aes_dma_gcm_encrypt(host.session, ctypes.byref(message), *where) == REFUSED
    # Another session's job is under way.
    other = host.start(bytes(16), ECB)
    assert driver.aes_dma_submit(other, host.at(OUT), host.at(OUT), ctypes.c_size_t(64)) == 0
    assert host.call("encrypt", *base, bytes(16))[:2] == (BUSY, b"\xa5" * 20)
    assert driver.aes_dma_wait(other) == 0
    assert host.call("encrypt", *base, bytes(16))[0] == 0
    assert Host(driver, bytes(16), 7).call("encrypt", *base, bytes(16))[0] == UNSUPPORTED


@pytest.mark.parametrize("way", ["encrypt", "decrypt"])
@pytest.mark.parametrize(("fault", "wanted"), [(3, BUS), (4, TIMEOUT)])
def test_errors(driver: ctypes.CDLL, way: str, fault: int, wanted: int) -> None:
    """A bus error, a job that never ends: said within bounds, the device wiped, no text left."""
    host = Host(driver, bytes(16), fault)
    wipes = host.count("wipes")
    status, got, _ = host.call(way, bytes(12), b"", bytes(64), bytes(16))
    assert (status, got) == (wanted, bytes(64) if way == "encrypt" else b"\xa5" * 64)
    assert host.count("wipes") > wipes + 1
    assert host.count("accesses") < 500


def test_sessions_go_on(driver: ctypes.CDLL) -> None:
    """Messages between the pieces of sessions under the same key and another one."""
    rng = random.Random(3)
    keys, text = [rng.randbytes(16), rng.randbytes(32)], bytes(64)
    host = Host(driver, keys[0], mode=CTR)
    sessions = [host.session, host.start(keys[1], CTR)]
    out, tag = sealed(keys[0], bytes(12), b"aad", text)
    found = [b"", b""]
    for _ in range(3):
        for number in (0, 1):
            host.put(IN, bytes(32))
            size = ctypes.c_size_t(32)
            assert driver.aes_dma_update(sessions[number], host.at(IN), host.at(IN), size) == 0
            found[number] += host.get(IN, 32)
            assert host.call("encrypt", bytes(12), b"aad", text, bytes(16)) == (0, out, tag)
    for number in (0, 1):
        host.put(IN, bytes(96))
        whole = host.start(keys[number], CTR)
        assert driver.aes_dma_update(whole, host.at(IN), host.at(IN), ctypes.c_size_t(96)) == 0
        assert host.get(IN, 96) == found[number]
