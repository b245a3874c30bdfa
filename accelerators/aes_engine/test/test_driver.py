# SPDX-License-Identifier: Apache-2.0
"""The C driver on a model of the registers: every length and alignment, sessions that take turns,
refusals, time-outs."""

import ctypes
import itertools
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.base import proc
from aesforge.base.paths import ROOT

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent
ECB, CBC, CTR = 0, 1, 2
ABSENT, UNSUPPORTED, LENGTH, BUSY, TIMEOUT, REFUSED = -1, -2, -3, -4, -5, -6
TAKEN = 0xFFFFFFFF  # in the first word of a device
SPACE = 256  # bytes, more than a device or a session has


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Driver, model and portable cipher as one library."""
    target = tmp_path_factory.mktemp("driver") / "driver.so"
    sources = [FOLDER / "sw/aes_engine.c", HERE / "engine_model.c"]
    sources += [ROOT / "sw/ref/portable/sw/kernel.c", ROOT / "sw/modes/aes_ghash.c"]
    includes = [f"-I{path}" for path in (FOLDER / "sw", ROOT / "sw/include")]
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"),
            *("-DAES_ENGINE_MODEL", "-DAES_ENGINE_WAITS=50u", *includes, *sources, "-o", target),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(target))


def opened(driver: ctypes.CDLL, fault: int = 0) -> tuple[int, ctypes.Array[ctypes.c_char]]:
    """Reset the model and open a device on it; status and device."""
    driver.model_reset(fault)
    device = ctypes.create_string_buffer(SPACE)
    return driver.aes_engine_open(device, None), device


def started(driver, device, mode, encrypt, key, iv):  # type: ignore[no-untyped-def]
    """Start a session; it."""
    session = ctypes.create_string_buffer(SPACE)
    status = driver.aes_engine_start(session, device, mode, int(encrypt), key, 8 * len(key), iv)
    assert status == 0
    return session


def expected(mode: int, encrypt: bool, key: bytes, iv: bytes, text: bytes) -> bytes:
    """What OpenSSL makes of a message."""
    chosen = {ECB: modes.ECB(), CBC: modes.CBC(iv), CTR: modes.CTR(iv)}[mode]
    cipher = Cipher(algorithms.AES(key), chosen)
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update(text)


def updated(driver, session, text, shift):  # type: ignore[no-untyped-def]
    """One piece through the driver, input and output off alignment; the result."""
    source = ctypes.create_string_buffer(bytes(shift) + text)
    target = ctypes.create_string_buffer(len(text) + 8)
    into = 3 - shift
    status = driver.aes_engine_update(
        session,
        ctypes.byref(source, shift),
        ctypes.byref(target, into),
        ctypes.c_size_t(len(text)),
    )
    assert status == 0
    return target.raw[into : into + len(text)]


@pytest.mark.parametrize("mode", [ECB, CBC, CTR])
@pytest.mark.parametrize("encrypt", [True, False])
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_messages(driver: ctypes.CDLL, mode: int, encrypt: bool, bits: int) -> None:
    """Lengths from nothing up, every alignment, a message in pieces."""
    rng = random.Random(bits + mode)
    status, device = opened(driver)
    assert status == 0
    lengths = range(0, 70) if mode == CTR else range(0, 97, 16)
    for length in lengths:
        key, iv, text = rng.randbytes(bits // 8), rng.randbytes(16), rng.randbytes(length)
        session = started(driver, device, mode, encrypt, key, iv)
        cut = length // 32 * 16
        result = updated(driver, session, text[:cut], length % 4)
        result += updated(driver, session, text[cut:], (length + 1) % 4)
        assert result == expected(mode, encrypt, key, iv, text)
        assert driver.aes_engine_finish(session) == 0
        assert session.raw.count(key[:8]) == 0


def test_sessions_take_turns(driver: ctypes.CDLL) -> None:
    """Two keys and modes in one engine: neither sees the other; a key is loaded on a change."""
    rng = random.Random(5)
    _, device = opened(driver)
    keys, ivs = [rng.randbytes(16), rng.randbytes(32)], [rng.randbytes(16), rng.randbytes(16)]
    texts = [rng.randbytes(160), rng.randbytes(160)]
    ways = [(CBC, True), (CTR, False)]
    sessions = [
        started(driver, device, *way, key, iv) for way, key, iv in zip(ways, keys, ivs, strict=True)
    ]
    results = [b"", b""]
    for piece in range(10):
        for number in (0, 1):
            part = texts[number][16 * piece : 16 * piece + 16]
            results[number] += updated(driver, sessions[number], part, piece % 4)
    for number, (mode, encrypt) in enumerate(ways):
        want = expected(mode, encrypt, keys[number], ivs[number], texts[number])
        assert results[number] == want
    loaded = ctypes.c_uint.in_dll(driver, "model_keys")
    assert loaded.value == 20
    updated(driver, sessions[1], bytes(16), 0)
    assert loaded.value == 20


def test_in_place(driver: ctypes.CDLL) -> None:
    """Input and output may be the same buffer."""
    _, device = opened(driver)
    key, text = bytes(range(16)), bytes(range(96))
    session = started(driver, device, ECB, True, key, None)
    buffer = ctypes.create_string_buffer(text)
    assert driver.aes_engine_update(session, buffer, buffer, ctypes.c_size_t(96)) == 0
    assert buffer.raw[:96] == expected(ECB, True, key, b"", text)


def test_waiting_by_a_function(driver: ctypes.CDLL) -> None:
    """With `wait` the driver looks at STATUS and does not let the bus wait."""
    rng = random.Random(6)
    _, device = opened(driver)
    wait = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
    place = 8 * 4 + ctypes.sizeof(ctypes.c_void_p)  # the last member
    ctypes.memmove(ctypes.byref(device, place), ctypes.byref(wait), ctypes.sizeof(ctypes.c_void_p))
    key, iv, text = rng.randbytes(24), rng.randbytes(16), rng.randbytes(80)
    session = started(driver, device, CBC, False, key, iv)
    assert updated(driver, session, text, 1) == expected(CBC, False, key, iv, text)


def test_errors(driver: ctypes.CDLL) -> None:
    """What cannot be done is said, within bounds, and leaves no key in the engine."""
    assert opened(driver, fault=1)[0] == ABSENT
    _, device = opened(driver)
    session = ctypes.create_string_buffer(SPACE)
    for mode, bits in ((ECB, 64), (3, 128), (-1, 128)):
        assert driver.aes_engine_start(session, device, mode, 1, bytes(32), bits, bytes(16)) == (
            UNSUPPORTED
        )
    session = started(driver, device, CBC, True, bytes(16), bytes(16))
    out = ctypes.create_string_buffer(64)
    assert driver.aes_engine_update(session, out, out, ctypes.c_size_t(15)) == LENGTH
    for fault, status in ((2, TIMEOUT), (3, REFUSED)):
        _, device = opened(driver, fault)
        session = started(driver, device, CBC, True, bytes(16), bytes(16))
        wipes = ctypes.c_uint.in_dll(driver, "model_wipes")
        before = wipes.value
        assert driver.aes_engine_update(session, out, out, ctypes.c_size_t(16)) == status
        assert wipes.value >= before + 2
        assert ctypes.c_uint.in_dll(driver, "model_accesses").value < 300


def test_a_call_inside_a_call_is_refused(driver: ctypes.CDLL) -> None:
    """From an interrupt handler, say; the outer call is not disturbed."""
    _, device = opened(driver)
    key, text = bytes(range(16)), bytes(range(64))
    outer = started(driver, device, ECB, True, key, None)
    inner = started(driver, device, ECB, True, bytes(16), None)
    busy = started(driver, device, ECB, True, bytes(16), None)
    assert driver.aes_engine_load(busy) == 0
    seen: list[int] = []
    turn = ctypes.c_uint32.from_buffer(device)
    free, turn.value = turn.value, TAKEN
    buffer = ctypes.create_string_buffer(16)
    seen.append(driver.aes_engine_update(inner, buffer, buffer, ctypes.c_size_t(16)))
    seen.append(driver.aes_engine_finish(inner))
    seen.append(driver.aes_engine_finish(busy))
    turn.value = free
    assert seen == [BUSY, 0, BUSY]
    assert not any(inner.raw) and not any(busy.raw)
    assert updated(driver, outer, text, 0) == expected(ECB, True, key, b"", text)


@pytest.mark.parametrize("encrypt", [True, False])
def test_whole_blocks_in_words(driver: ctypes.CDLL, encrypt: bool) -> None:
    """One session's aligned blocks take few accesses, another session's first call loads its key,
    a refusal wipes."""
    _, device = opened(driver)
    keys = [bytes(range(16)), bytes(range(32))]
    sessions = [started(driver, device, ECB, encrypt, key, None) for key in keys]
    assert driver.aes_engine_load(sessions[0]) == 0
    accesses = ctypes.c_uint.in_dll(driver, "model_accesses")
    for turn, blocks in ((0, 1), (0, 5), (1, 2), (0, 3), (0, 0)):
        text = bytes(random.Random(blocks).randbytes(16 * blocks))
        buffer = ctypes.create_string_buffer(text, max(1, len(text)))
        before = accesses.value
        count = ctypes.c_size_t(blocks)
        assert driver.aes_engine_blocks(sessions[turn], buffer, buffer, count) == 0
        assert buffer.raw[: len(text)] == expected(ECB, encrypt, keys[turn], b"", text)
        if turn == 0 and blocks in (1, 5):
            assert accesses.value - before == 8 * blocks + 2  # and two looks at OWNER
    assert driver.aes_engine_load(sessions[0]) == 0
    ctypes.c_int.in_dll(driver, "model_fault").value = 3
    buffer = ctypes.create_string_buffer(16)
    assert driver.aes_engine_blocks(sessions[0], buffer, buffer, ctypes.c_size_t(1)) == REFUSED


HANDLED = {
    "the same key": (ECB, True, 0),
    "another key": (ECB, True, 1),
    "another direction": (ECB, False, 1),
    "a chained message": (CBC, True, 2),
    "a counter": (CTR, True, 2),
}


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("handled", HANDLED)
def test_an_interrupt_may_use_the_engine(driver: ctypes.CDLL, handled: str, blocks: int) -> None:
    """Before every single access of a call, in place, and once more before a later one: the call's
    result is right, and the handler's is right or refused as a whole, what it left in the engine
    for later calls included."""
    rng = random.Random(9)
    mode, encrypt, number = HANDLED[handled]
    keys, iv = [rng.randbytes(16), rng.randbytes(32), rng.randbytes(24)], rng.randbytes(16)
    text, message = rng.randbytes(16 * blocks), rng.randbytes(96)
    whole = expected(mode, encrypt, keys[number], iv, message)
    interrupts = (ctypes.c_uint * 2).in_dll(driver, "model_interrupt")
    handler = ctypes.CFUNCTYPE(None)
    done: list[bytes] = []
    statuses: list[int] = []

    def handle() -> None:
        piece = ctypes.create_string_buffer(message[16 * len(done) :][:16], 16)
        if mode == ECB:
            status = driver.model_block(other, piece, piece)
        else:
            status = driver.aes_engine_update(other, piece, piece, ctypes.c_size_t(16))
        statuses.append(status)
        if status == 0:
            done.append(piece.raw)

    called = handler(handle)
    ctypes.c_void_p.in_dll(driver, "model_handler").value = ctypes.cast(
        called, ctypes.c_void_p
    ).value
    taken, refused = 0, 0
    for owns, again, at in itertools.product((True, False), range(12), range(1, 60)):
        _, device = opened(driver)
        session = started(driver, device, ECB, True, keys[0], None)
        other = session if number == 0 else started(driver, device, mode, encrypt, keys[number], iv)
        done.clear()
        statuses.clear()
        assert driver.aes_engine_load(session) == 0
        handle()
        assert driver.aes_engine_load(session) == 0
        handle()
        if owns:  # the engine is the session's, else the handler's
            assert driver.aes_engine_load(session) == 0
        now = ctypes.c_uint.in_dll(driver, "model_accesses").value
        interrupts[:] = [now + at, now + at + again if again else 0]
        buffer = ctypes.create_string_buffer(text, 16 * blocks)
        if blocks == 1:
            status = driver.model_block(session, buffer, buffer)
        else:
            status = driver.aes_engine_blocks(session, buffer, buffer, ctypes.c_size_t(blocks))
        assert status == 0
        assert buffer.raw == expected(ECB, True, keys[0], b"", text), at
        interrupts[:] = [0, 0]
        taken += len(done) > 2
        refused += statuses[-1] == BUSY
        handle()
        assert statuses[-1] == 0
        assert b"".join(done) == whole[: 16 * len(done)], at
    assert taken > 0 or blocks > 1  # several blocks keep everybody out from the first access on
    assert refused > 0


def test_another_message_under_the_same_key(driver: ctypes.CDLL) -> None:
    """The mode and the IV change, the key is not loaded again."""
    _, device = opened(driver)
    key, iv, text = bytes(range(24)), bytes(range(50, 66)), bytes(range(48))
    session = started(driver, device, ECB, True, key, None)
    assert updated(driver, session, text, 0) == expected(ECB, True, key, b"", text)
    wipes = ctypes.c_uint.in_dll(driver, "model_wipes").value
    for mode in (CBC, CTR, ECB, CBC):
        assert driver.aes_engine_restart(session, mode, iv) == 0
        assert updated(driver, session, text, 0) == expected(mode, True, key, iv, text)
    assert ctypes.c_uint.in_dll(driver, "model_wipes").value == wipes
    assert driver.aes_engine_restart(session, 3, iv) == UNSUPPORTED
    other = started(driver, device, CBC, False, key, iv)
    assert driver.aes_engine_restart(other, CTR, iv) == UNSUPPORTED
