# SPDX-License-Identifier: Apache-2.0
"""The C driver on a model of the registers: lengths, alignments, sessions, refusals, early ends,
interrupts."""

import ctypes
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.base import proc
from aesforge.base.paths import ROOT

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent
ECB, CBC, CTR = 0, 1, 2
ABSENT, UNSUPPORTED, LENGTH, BUSY, TIMEOUT, REFUSED, BUS, ABORTED, TAG, KEY = range(-1, -11, -1)
ARENA = 65536
DEVICE = ARENA - 1024  # the device, with its buffer, is in memory like everything else
SPACE = 256  # bytes, more than a session has
PORTABLE = ("sw/ref/portable/sw/kernel.c", "sw/modes/aes_ghash.c")  # of the model


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Driver, model and portable cipher as one library."""
    target = tmp_path_factory.mktemp("driver") / "driver.so"
    sources = [FOLDER / "sw/aes_dma.c", HERE / "dma_model.c", *(ROOT / path for path in PORTABLE)]
    includes = [f"-I{path}" for path in (FOLDER / "sw", ROOT / "sw/include")]
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"),
            *("-DAES_DMA_MODEL", "-DAES_DMA_WAITS=50u", *includes, *sources, "-o", target),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(target))


class Host:
    """A driver on a fresh model; memory is bytes at offsets of the arena."""

    def __init__(self, driver: ctypes.CDLL, fault: int = 0) -> None:
        self.driver = driver
        self.arena = (ctypes.c_uint8 * ARENA).in_dll(driver, "model_memory")
        driver.model_reset(fault)
        self.device = self.at(DEVICE)
        self.status = driver.aes_dma_open(self.device, None)

    def at(self, offset: int) -> ctypes.c_void_p:
        """A pointer into memory."""
        return ctypes.c_void_p(ctypes.addressof(self.arena) + offset)

    def count(self, name: str) -> int:
        """A counter of the model."""
        return ctypes.c_uint.in_dll(self.driver, f"model_{name}").value

    def start(
        self, mode: int, encrypt: bool, key: bytes, iv: bytes | None, wanted: int = 0
    ) -> ctypes.Array[ctypes.c_char]:
        """Start a session; it."""
        session = ctypes.create_string_buffer(SPACE)
        status = self.driver.aes_dma_start(
            session, self.device, mode, int(encrypt), key, 8 * len(key), iv
        )
        assert status == wanted
        return session

    def put(self, offset: int, data: bytes) -> None:
        """Write memory."""
        self.arena[offset : offset + len(data)] = list(data)

    def get(self, offset: int, length: int) -> bytes:
        """Read memory."""
        return bytes(self.arena[offset : offset + length])

    def update(
        self, session: ctypes.Array[ctypes.c_char], source: int, target: int, length: int
    ) -> int:
        """One piece of a message from one place to another."""
        size = ctypes.c_size_t(length)
        return int(self.driver.aes_dma_update(session, self.at(source), self.at(target), size))


def expected(mode: int, encrypt: bool, key: bytes, iv: bytes, text: bytes) -> bytes:
    """What OpenSSL makes of a message."""
    chosen = {ECB: modes.ECB(), CBC: modes.CBC(iv), CTR: modes.CTR(iv)}[mode]
    cipher = Cipher(algorithms.AES(key), chosen)
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update(text)


@pytest.mark.parametrize("mode", [ECB, CBC, CTR])
@pytest.mark.parametrize("encrypt", [True, False])
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_messages(driver: ctypes.CDLL, mode: int, encrypt: bool, bits: int) -> None:
    """Every alignment, in place and copied, in two pieces; nothing around is touched."""
    rng = random.Random(bits + mode)
    host = Host(driver)
    assert host.status == 0
    for length in [0, 16, 32, 96, 272, 800] + ([1, 5, 31, 77, 301] if mode == CTR else []):
        for shift, other in ((0, 0), (4, 8), (1, 3), (0, 2), (3, None), (8, None)):
            key, iv = rng.randbytes(bits // 8), rng.randbytes(16)
            if mode == CTR and shift == 4:
                iv = bytes(8) + b"\xff" * 8
            text, guard = rng.randbytes(length), rng.randbytes(8)
            source = 256 + shift
            target = source if other is None else 4096 + other
            host.put(target - 8, guard + bytes(length) + guard)
            host.put(source, text)
            session = host.start(mode, encrypt, key, iv)
            cut = length // 32 * 16
            assert host.update(session, source, target, cut) == 0
            assert host.update(session, source + cut, target + cut, length - cut) == 0
            assert host.get(target, length) == expected(mode, encrypt, key, iv, text)
            if target != source:
                assert host.get(target - 8, 8) == host.get(target + length, 8) == guard
                assert host.get(source, length) == text
            assert driver.aes_dma_finish(session) == 0
            assert session.raw.count(key[:8]) == 0


def test_sessions_take_turns(driver: ctypes.CDLL) -> None:
    """Two keys and modes: neither sees the other; a key is loaded when the owner changes."""
    rng = random.Random(5)
    host = Host(driver)
    keys, ivs = [rng.randbytes(16), rng.randbytes(32)], [rng.randbytes(16), rng.randbytes(16)]
    ways = [(CBC, True), (CTR, False)]
    sessions = [host.start(*way, key, iv) for way, key, iv in zip(ways, keys, ivs, strict=True)]
    texts = [rng.randbytes(160), rng.randbytes(160)]
    for number in (0, 1):
        host.put(1024 * number, texts[number])
    for piece in range(10):
        for number in (0, 1):
            place = 1024 * number + 16 * piece
            assert host.update(sessions[number], place, place, 16) == 0
    for number, (mode, encrypt) in enumerate(ways):
        want = expected(mode, encrypt, keys[number], ivs[number], texts[number])
        assert host.get(1024 * number, 160) == want
    assert host.count("keys") == 20
    assert host.update(sessions[1], 0, 0, 16) == 0
    assert host.count("keys") == 20


def test_a_job_in_the_background(driver: ctypes.CDLL) -> None:
    """Submit returns; every session has to wait for the end of the job, its own too."""
    host = Host(driver)
    key = bytes(range(16))
    mine, other = host.start(ECB, True, key, None), host.start(ECB, True, bytes(16), None)
    host.put(0, bytes(64))
    size = ctypes.c_size_t(64)
    assert driver.aes_dma_submit(mine, host.at(0), host.at(0), size) == 0
    assert driver.aes_dma_running(mine) == 1
    assert driver.aes_dma_submit(other, host.at(0), host.at(0), size) == BUSY
    assert driver.aes_dma_submit(mine, host.at(0), host.at(0), size) == BUSY
    assert driver.aes_dma_wait(mine) == 0
    assert host.update(mine, 0, 0, 64) == 0
    assert driver.aes_dma_running(mine) == 0
    once = expected(ECB, True, key, b"", bytes(64))
    assert host.get(0, 64) == expected(ECB, True, key, b"", once)
    assert driver.aes_dma_submit(other, host.at(0), host.at(0), size) == 0
    assert driver.aes_dma_finish(other) == 0


def test_interrupts_are_cleared(driver: ctypes.CDLL) -> None:
    """The handler's call says what happened and clears it."""
    host = Host(driver)
    driver.aes_dma_interrupts(host.device, 1)
    session = host.start(ECB, True, bytes(16), None)
    assert host.update(session, 0, 0, 16) == 0
    assert driver.aes_dma_acknowledge(host.device) == 1
    assert driver.aes_dma_acknowledge(host.device) == 0


def test_errors(driver: ctypes.CDLL) -> None:
    """What cannot be done is said, within bounds."""
    assert Host(driver, fault=1).status == ABSENT
    host = Host(driver)
    for mode, bits in ((ECB, 64), (3, 128), (-1, 128)):
        host.start(mode, True, bytes(bits // 8), bytes(16), wanted=UNSUPPORTED)
    session = host.start(CBC, True, bytes(16), bytes(16))
    assert host.update(session, 0, 0, 15) == LENGTH
    # Overlap in part, aligned (the device refuses) and not (the driver does).
    assert host.update(session, 0, 16, 32) == REFUSED
    assert host.update(session, 1, 17, 32) == REFUSED
    assert host.update(session, 0, 0, 32) == 0
    for fault, status in ((2, TIMEOUT), (3, BUS), (4, TIMEOUT)):
        host = Host(driver, fault)
        session = host.start(CBC, True, bytes(16), bytes(16))
        before = host.count("wipes")
        assert host.update(session, 0, 0, 32) == status
        assert host.count("wipes") > before
        assert host.count("accesses") < 300


def test_abort(driver: ctypes.CDLL) -> None:
    """An aborted job says so; one that was complete is none the worse."""
    host = Host(driver, fault=5)
    session = host.start(ECB, True, bytes(16), None)
    size = ctypes.c_size_t(64)
    assert driver.aes_dma_submit(session, host.at(0), host.at(0), size) == 0
    assert driver.aes_dma_abort(session) == ABORTED
    host = Host(driver)
    session = host.start(ECB, True, bytes(16), None)
    assert driver.aes_dma_submit(session, host.at(0), host.at(0), size) == 0
    assert driver.aes_dma_abort(session) == 0
    assert driver.aes_dma_abort(session) == 0


def test_another_key_and_mode_in_the_same_session(driver: ctypes.CDLL) -> None:
    """A session begun anew at the same place has its own key; another message keeps the key."""
    host = Host(driver)
    text, iv = bytes(range(64)), bytes(range(50, 66))
    session = host.start(ECB, True, bytes(16), None)
    for key in (bytes(16), bytes(range(16)), bytes(range(32))):
        assert driver.aes_dma_start(session, host.device, ECB, 1, key, 8 * len(key), None) == 0
        assert driver.aes_dma_load(session) == 0
        for mode in (ECB, CBC, CTR, ECB):
            assert driver.aes_dma_restart(session, mode, iv) == 0
            host.put(256, text)
            assert host.update(session, 256, 256, len(text)) == 0
            assert host.get(256, len(text)) == expected(mode, True, key, iv, text)
        assert driver.aes_dma_reset(host.device) == 0
        host.put(256, text)
        assert host.update(session, 256, 512, len(text)) == 0
        assert host.get(512, len(text)) == expected(ECB, True, key, iv, text)
    assert driver.aes_dma_restart(session, 3, iv) == UNSUPPORTED


def test_sessions_are_values(driver: ctypes.CDLL) -> None:
    """A session is known by its number: assigned, copied and wiped, each call is under the key that
    the memory holds."""
    rng = random.Random(11)
    keys, iv, text = [rng.randbytes(16), rng.randbytes(32)], rng.randbytes(16), rng.randbytes(64)
    host = Host(driver)
    one, two = (host.start(ECB, True, key, None) for key in keys)
    wants = [expected(ECB, True, key, b"", text) for key in keys]

    def right(session: ctypes.Array[ctypes.c_char], want: bytes) -> bool:
        host.put(256, text)
        return host.update(session, 256, 256, len(text)) == 0 and host.get(256, len(text)) == want

    assert right(one, wants[0])
    one.raw = two.raw
    assert right(one, wants[1])
    assert right(two, wants[1])
    # A copy of the key in another mode, and the mode that the other copy still has.
    copy = ctypes.create_string_buffer(two.raw, SPACE)
    assert driver.aes_dma_restart(copy, CBC, iv) == 0
    chained = expected(CBC, True, keys[1], iv, text * 2)
    assert right(copy, chained[:64])
    assert right(two, wants[1])
    assert right(copy, chained[64:])
    assert driver.aes_dma_finish(copy) == 0
    assert right(one, wants[1])
    # Wiped memory, and another key at its place.
    one.raw = bytes(SPACE)
    assert right(two, wants[1])
    assert host.update(one, 256, 256, 64) == KEY
    for call in ("load", "wait", "abort", "hold", "finish"):
        assert getattr(driver, f"aes_dma_{call}")(one) == KEY
    assert driver.aes_dma_restart(one, CTR, iv) == KEY
    assert driver.aes_dma_running(one) == 0
    two.raw = host.start(ECB, True, keys[0], None).raw
    assert right(two, wants[0])
    # Sessions of the device from before it was opened again have no number of later ones.
    old = host.start(ECB, True, keys[0], None)
    assert driver.aes_dma_load(old) == 0
    assert driver.aes_dma_open(host.device, None) == 0
    new = host.start(ECB, True, keys[1], None)
    assert driver.aes_dma_load(new) == 0
    assert right(old, wants[0])


@pytest.mark.parametrize("mode", [ECB, CBC])
def test_calls_while_a_job_is_under_way(driver: ctypes.CDLL, mode: int) -> None:
    """Refused without a change, for the session of the job and another: the job and the next piece
    of its message are right. Wait, finish, abort and reset end it."""
    rng = random.Random(12)
    key, iv, text = rng.randbytes(16), rng.randbytes(16), rng.randbytes(96)
    want, size = expected(mode, True, key, iv, text), ctypes.c_size_t(64)

    def begin() -> tuple[Host, list[ctypes.Array[ctypes.c_char]]]:
        host = Host(driver)
        sessions = [host.start(mode, True, key, iv), host.start(ECB, True, bytes(16), None)]
        host.put(256, text)
        place = host.at(256)
        assert driver.aes_dma_submit(sessions[0], place, place, size) == 0
        return host, sessions

    for number in (0, 1):
        host, sessions = begin()
        mine, chosen = sessions[0], sessions[number]
        free = host.at(1024)
        started = driver.aes_dma_start(chosen, host.device, ECB, 1, key, 128, None)
        assert started == (BUSY if number == 0 else 0)
        assert driver.aes_dma_load(chosen) == BUSY
        assert driver.aes_dma_restart(chosen, CTR, bytes(16)) == BUSY
        assert driver.aes_dma_submit(chosen, free, free, size) == BUSY
        assert driver.aes_dma_hold(chosen) == BUSY
        assert driver.aes_dma_message(chosen, CTR, bytes(16), free, free, size) == BUSY
        if number == 1:
            assert driver.aes_dma_wait(chosen) == driver.aes_dma_abort(chosen) == BUSY
            assert driver.aes_dma_finish(chosen) == 0
            assert chosen.raw == bytes(SPACE)
        assert driver.aes_dma_running(mine) == 1
        assert driver.aes_dma_wait(mine) == 0
        assert host.update(mine, 320, 320, 32) == 0
        assert host.get(256, 96) == want
    # Finish waits for the job.
    host, sessions = begin()
    assert driver.aes_dma_finish(sessions[0]) == 0
    assert (host.get(256, 64), sessions[0].raw) == (want[:64], bytes(SPACE))
    # A reset leaves no output, and the session hears of it once.
    host, sessions = begin()
    assert driver.aes_dma_reset(host.device) == 0
    assert host.get(256, 64) == bytes(64)
    assert driver.aes_dma_wait(sessions[0]) == ABORTED
    assert driver.aes_dma_restart(sessions[0], mode, iv) == 0
    host.put(256, text)
    assert host.update(sessions[0], 256, 256, 96) == 0
    assert host.get(256, 96) == want
    # A copy made meanwhile ends the job and goes on; the original hears of it.
    host, sessions = begin()
    copy = ctypes.create_string_buffer(sessions[0].raw, SPACE)
    assert driver.aes_dma_wait(copy) == 0
    assert host.update(sessions[0], 320, 320, 32) == ABORTED
    assert host.update(copy, 320, 320, 32) == 0
    assert host.get(256, 96) == want
    # One from before does not know the chaining value.
    host = Host(driver)
    mine = host.start(mode, True, key, iv)
    host.put(256, text)
    copy = ctypes.create_string_buffer(mine.raw, SPACE)
    assert driver.aes_dma_submit(mine, host.at(256), host.at(256), size) == 0
    assert driver.aes_dma_wait(copy) == (0 if mode == ECB else BUSY)
    assert driver.aes_dma_wait(mine) == (ABORTED if mode == ECB else 0)
    assert host.get(256, 64) == want[:64]


@pytest.mark.parametrize("fault", [3, 4])
def test_a_failed_job_leaves_nothing(driver: ctypes.CDLL, fault: int) -> None:
    """Zeros in the output, in pieces through the device's buffer too, and in that buffer."""
    for shift in (0, 1):
        host = Host(driver, fault)
        session = host.start(ECB, False, bytes(16), None)
        host.put(256, bytes(range(64)))
        host.put(1024, b"\xa5" * 72)
        assert host.update(session, 256, 1024 + shift, 64) in (BUS, TIMEOUT)
        assert host.get(1024 + shift, 64) == bytes(64)
        assert host.get(1024 + shift + 64, 7) == b"\xa5" * 7


# aes_dma_region as it is, and with the question for the owner in front of the claim.
CLAIM = "  device->turn = AES_DMA_TAKEN;\n  if (device->owner != id) {\n    device->turn = 0;\n"
EXCHANGED = ((CLAIM, "  if (device->owner != id) {\n"),)
BEHIND = "  aes_dma_write(base, AES_DMA_WORD(SRC), aes_dma_address(in));\n"


def stepped(folder: Path, *, exchanged: bool) -> ctypes.CDLL:
    """The driver, interruptible before each of its accesses to memory; in `folder`."""
    header = (FOLDER / "sw/aes_dma.h").read_text(encoding="utf-8")
    if exchanged:
        for old, new in (*EXCHANGED, (BEHIND, f"  device->turn = AES_DMA_TAKEN;\n{BEHIND}")):
            assert header.count(old) == 1
            header = header.replace(old, new)
    (folder / "aes_dma.h").write_text(header, encoding="utf-8")
    options = ["-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-DAES_DMA_MODEL"]
    options += [f"-I{path}" for path in (folder, FOLDER / "sw", ROOT / "sw/include")]
    # Copies: an #include looks first in the folder of the file itself.
    for name in ("aes_dma.c", "aes_dma_gcm.c", "aes_dma_gcm.h"):
        text = (FOLDER / "sw" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
    hooks = ["-fsanitize=thread", "--param=tsan-distinguish-volatile=1"]
    objects = []
    for source in (folder / "aes_dma.c", folder / "aes_dma_gcm.c", HERE / "dma_region.c"):
        objects.append(folder / f"{source.stem}.o")
        proc.run(["gcc", *options, *hooks, "-c", source, "-o", objects[-1]], timeout=120)
    sources = [HERE / "dma_steps.c", HERE / "dma_model.c", *(ROOT / path for path in PORTABLE)]
    target = folder / "driver.so"
    proc.run(["gcc", *options, "-shared", *sources, *objects, "-o", target], timeout=120)
    return ctypes.CDLL(str(target))


HANDLED = {
    "another key": (ECB, True, 1),
    "another direction": (ECB, False, 2),
    "a chained message": (CBC, True, 2),
    "a counter": (CTR, True, 1),
}


def interrupted(driver: ctypes.CDLL, handled: str, call: str) -> tuple[list[int], int, int]:
    """Interrupt a call before each of its accesses in turn: where a result was wrong, how often the
    handler was served and how often refused."""
    rng = random.Random(4)
    keys, iv = [rng.randbytes(16), rng.randbytes(32), rng.randbytes(24)], rng.randbytes(16)
    text, message = rng.randbytes(64), rng.randbytes(32)
    mode, encrypt, number = HANDLED[handled]
    whole = expected(mode, encrypt, keys[number], iv, message)
    statuses: list[int] = []

    def handle() -> None:
        statuses.append(host.update(other, 2048, 2048, 32))

    called = ctypes.CFUNCTYPE(None)(handle)
    place = ctypes.c_void_p.in_dll(driver, "steps_handler")
    place.value = ctypes.cast(called, ctypes.c_void_p).value
    wrong: list[int] = []
    served = refused = at = 0
    while True:
        at += 1
        host = Host(driver)
        session = host.start(ECB, True, keys[0], None)
        other = host.start(mode, encrypt, keys[number], iv)
        assert driver.aes_dma_load(session) == 0
        host.put(256, text)
        host.put(2048, message)
        statuses.clear()
        ctypes.c_uint.in_dll(driver, "steps_taken").value = 0
        left = ctypes.c_uint.in_dll(driver, "steps_interrupt")
        left.value = at
        size = ctypes.c_size_t(len(text))
        status = getattr(driver, call)(session, host.at(256), host.at(256), size)
        if left.value:  # the call has fewer accesses
            left.value = 0
            return wrong, served, refused
        assert status == 0
        if call == "model_gcm":
            sealed = AESGCM(keys[0]).encrypt(bytes(12), text, b"")
            right = host.get(256, len(sealed)) == sealed
        else:
            right = host.get(256, len(text)) == expected(ECB, True, keys[0], b"", text)
        if statuses == [BUSY]:
            refused += 1
            handle()
        else:
            served += 1
        right = right and statuses[-1] == 0 and host.get(2048, len(message)) == whole
        wrong += [] if right else [at]


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The driver, interruptible before each of its accesses to memory."""
    return stepped(tmp_path_factory.mktemp("steps"), exchanged=False)


@pytest.mark.parametrize("call", ["model_region", "aes_dma_update", "model_gcm"])
@pytest.mark.parametrize("handled", HANDLED)
def test_an_interrupt_may_use_the_device(steps: ctypes.CDLL, handled: str, call: str) -> None:
    """Before every single access of a call to memory, the device's words included: both results are
    right, or the handler is refused as a whole."""
    wrong, served, refused = interrupted(steps, handled, call)
    assert wrong == []
    assert served > 0 and refused > 0


def test_an_interrupt_in_front_of_the_claim_is_seen(tmp_path: Path) -> None:
    """If the owner were read before the claim, some interrupt would give a wrong result."""
    wrong, _, _ = interrupted(stepped(tmp_path, exchanged=True), "another key", "model_region")
    assert wrong != []


def test_a_key_forgotten_by_an_interrupt(steps: ctypes.CDLL) -> None:
    """Wherever in a call its session is forgotten: the memory is zero at once, the device holds no
    key when the call has returned, and the result is right or refused without any output."""
    key, text = bytes(range(16)), bytes(64)
    want = expected(ECB, True, key, b"", text)
    found: list[tuple[int, bool]] = []

    def handle() -> None:
        found.append((steps.aes_dma_finish(session), session.raw == bytes(SPACE)))

    called = ctypes.CFUNCTYPE(None)(handle)
    place = ctypes.c_void_p.in_dll(steps, "steps_handler")
    place.value = ctypes.cast(called, ctypes.c_void_p).value
    left = ctypes.c_uint.in_dll(steps, "steps_interrupt")
    for call in ("model_region", "aes_dma_update"):
        at = 0
        while True:
            at += 1
            found.clear()
            host = Host(steps)
            session = host.start(ECB, True, key, None)
            assert steps.aes_dma_load(session) == 0
            host.put(256, text)
            ctypes.c_uint.in_dll(steps, "steps_taken").value = 0
            left.value = at
            size = ctypes.c_size_t(len(text))
            status = getattr(steps, call)(session, host.at(256), host.at(256), size)
            if left.value:
                left.value = 0
                break
            assert found[0][0] in (0, BUSY) and found[0][1], at
            assert steps.model_key_valid() == 0, at
            assert status in (0, KEY), at
            assert (
                host.get(256, 64) == want if status == 0 else host.get(256, 64) in (text, want)
            ), at
        assert at > 5
