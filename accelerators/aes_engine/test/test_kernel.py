# SPDX-License-Identifier: Apache-2.0
"""The kernel contract over the driver on the model of the registers: every fault and every handler
at every access, sessions that are copied, overwritten and numbered."""

import ctypes
import re
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build import system

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent
MODES = [system.MODES, *system.GCM]
FLAGS = [
    *("gcc", "-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", "-fno-strict-aliasing", "-fPIC"),
    *("-DAES_ENGINE_MODEL", "-DAES_ENGINE_WAITS=50u"),
    *(f"-I{path}" for path in (FOLDER / "sw", ROOT / "sw/include")),
]
ENTRIES = re.compile(r"\b(aes_(?!engine)\w+)\(")
KEY_ERROR, LENGTH_ERROR, DEVICE_ERROR = -6, -3, -8
KEY_BYTES = 4 * 25  # aes_key_t: sw.key_words and the rounds
LAST = 0xFFFFFFFE  # the last number


def compiled(target: Path, sources: list[Path], options: list[str]) -> list[Path]:
    """Compile each source; the objects."""
    target.mkdir()
    objects = [target / f"{path.parent.name}_{path.stem}.o" for path in sources]
    for path, into in zip(sources, objects, strict=True):
        proc.run([*FLAGS, *options, "-c", path, "-o", into], timeout=120)
    return objects


def built(folder: Path, bench: str, option: str = "-DENGINE_GCM") -> list[Path]:
    """Kernel, driver, modes; and the model with the portable kernel under names of its own."""
    text = "".join(
        (ROOT / "sw" / name).read_text()
        for name in (
            *("include/aes_kernel.h", "include/aes_modes.h", "include/aes_gcm.h"),
            "modes/gcm_parts.h",
        )
    )
    renamed = [f"-D{name}=ref_{name}" for name in sorted(set(ENTRIES.findall(text)))]
    reference = [HERE / "engine_model.c", HERE / "kernel_expect.c"]
    reference += [ROOT / "sw/ref/portable/sw/kernel.c", *MODES]
    kernel = [HERE / bench if bench else FOLDER / "sw/kernel.c"]
    kernel += [FOLDER / "sw/aes_engine.c", FOLDER / "sw/aes_engine_gcm.c", *MODES]
    return compiled(folder / "reference", reference, renamed) + compiled(
        folder / "kernel", kernel, ["-DAES_KEY_WORDS=24", option]
    )


def test_faults_and_handlers(tmp_path: Path) -> None:
    """Never AES_OK with a wrong answer, no text on an error, and the next call is right."""
    program = tmp_path / "bench"
    proc.run(["gcc", *built(tmp_path, "kernel_bench.c"), "-o", program], timeout=120)
    said = proc.run([program], timeout=300, check=False).stdout
    print(said)
    numbers = dict(re.findall(r"(\w+) (\d+)", said.splitlines()[-1]))
    assert numbers["bad"] == "0", said
    assert int(numbers["faults"]) > 40_000
    assert int(numbers["operations"]) > 1_000_000


def test_alerts(tmp_path: Path) -> None:
    """A guarded engine that alerts at any access: AES_ERR_FAULT and zeros, or the right answer."""
    program = tmp_path / "bench"
    objects = built(tmp_path, "kernel_bench.c", "-DENGINE_GUARDED")
    proc.run(["gcc", *objects, "-o", program], timeout=120)
    said = proc.run([program], timeout=300, check=False).stdout
    print(said)
    numbers = dict(re.findall(r"(\w+) (\d+)", said.splitlines()[-1]))
    assert numbers["bad"] == "0", said
    assert int(numbers["alerts"]) > 1_000


@pytest.fixture
def kernel(tmp_path: Path) -> ctypes.CDLL:
    """The kernel as a library of its own: nobody has opened the engine yet."""
    target = tmp_path / "kernel.so"
    proc.run(["gcc", "-shared", *built(tmp_path, ""), "-o", target], timeout=120)
    library = ctypes.CDLL(str(target))
    library.model_reset(0)
    return library


def encrypted(kernel: ctypes.CDLL, k: object, text: bytes) -> tuple[int, bytes]:
    """Status and output of aes_encrypt_blocks."""
    words = (ctypes.c_uint32 * (len(text) // 4)).from_buffer_copy(text)
    status = kernel.aes_encrypt_blocks(k, words, words, ctypes.c_size_t(len(text) // 16))
    return status, bytes(words)


def wanted(key: bytes, text: bytes) -> tuple[int, bytes]:
    """What it should be."""
    return 0, Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(text)


def key_of(kernel: ctypes.CDLL, key: bytes) -> ctypes.Array[ctypes.c_char]:
    """A key, set up."""
    k = ctypes.create_string_buffer(KEY_BYTES)
    assert kernel.aes_set_encrypt_key(k, ctypes.create_string_buffer(key), 8 * len(key)) == 0
    return k


@pytest.mark.parametrize("blocks", [1, 3])
def test_an_assigned_key_is_the_new_one(kernel: ctypes.CDLL, blocks: int) -> None:
    """`*k = other`: the key that was there before is in the engine, and is not used."""
    keys, text = [bytes(range(16)), bytes(range(16, 32))], bytes(range(16 * blocks))
    other, k = key_of(kernel, keys[1]), key_of(kernel, keys[0])
    assert encrypted(kernel, k, text) == wanted(keys[0], text)
    ctypes.memmove(k, other, KEY_BYTES)
    assert encrypted(kernel, k, text) == wanted(keys[1], text)
    assert encrypted(kernel, other, text) == wanted(keys[1], text)


@pytest.mark.parametrize("blocks", [0, 1, 3])
def test_an_overwritten_key_is_refused(kernel: ctypes.CDLL, blocks: int) -> None:
    """Zeros in memory, by aes_wipe or in a new object; also before any set-up."""
    nothing, text = (KEY_ERROR, bytes(16 * blocks)), bytes(range(16 * blocks))
    k = ctypes.create_string_buffer(KEY_BYTES)
    assert encrypted(kernel, k, text) == nothing
    k = key_of(kernel, bytes(range(16)))
    kernel.aes_wipe(k, ctypes.c_size_t(KEY_BYTES))
    assert encrypted(kernel, k, text) == nothing
    key_of(kernel, bytes(range(16)))
    assert encrypted(kernel, k, text) == nothing


def test_a_cleared_key_leaves_the_engine(kernel: ctypes.CDLL) -> None:
    """Also if a copy of it is cleared; the copy that is left loads it again."""
    key, text = bytes(range(16)), bytes(range(32))
    k = key_of(kernel, key)
    copy = ctypes.create_string_buffer(k.raw, KEY_BYTES)
    kernel.aes_clear_key(copy)
    assert not any(copy.raw)
    assert kernel.model_holds_key() == 0
    assert encrypted(kernel, k, text) == wanted(key, text)
    assert kernel.model_holds_key() == 1


# In a process of its own, because a kernel that follows the words of such an object dies.
CLEAR = """
import ctypes, sys
kernel = ctypes.CDLL(sys.argv[1])
key = ctypes.create_string_buffer(b"\\xa5" * 512, 512)
assert kernel.aes_gcm_set_key(key, bytes(16), 100) == -1
kernel.aes_gcm_clear_key(key)
assert not any(key.raw[: int(sys.argv[2])])
"""


def test_a_key_whose_set_up_failed_may_be_cleared(kernel: ctypes.CDLL) -> None:
    """The length is refused before the driver has seen the object, whose words are any."""
    proc.run([sys.executable, "-c", CLEAR, kernel._name, str(KEY_BYTES)], timeout=60)


def test_numbers_run_out(kernel: ctypes.CDLL) -> None:
    """After the last number every call loads its key, wipes it, and is right."""
    keys, text = [bytes([i]) * 16 for i in range(4)], bytes(range(16))
    symbols = proc.run(["nm", kernel._name], timeout=60).stdout
    base = ctypes.cast(kernel.aes_encrypt_blocks, ctypes.c_void_p).value
    assert base is not None
    places = {name: int(at, 16) for at, _, name in re.findall(r"(\w+) (\w) (\w+)", symbols)}
    key_of(kernel, keys[0])
    device = base - places["aes_encrypt_blocks"] + places["device"]
    ctypes.c_uint32.from_address(device + 12).value = LAST - 3  # aes_engine_device_t.drawn
    made = [key_of(kernel, key) for key in keys]
    for _ in range(2):
        for k, key in zip(made, keys, strict=True):
            assert encrypted(kernel, k, text) == wanted(key, text)
    assert kernel.model_holds_key() == 0
    assert ctypes.c_uint32.from_address(device + 12).value == LAST


def test_lengths_that_overflow(kernel: ctypes.CDLL) -> None:
    """More bytes than a buffer can have."""
    k, words, iv = key_of(kernel, bytes(16)), bytes(16), ctypes.create_string_buffer(16)
    count = ctypes.c_size_t(2**60 + 1)
    assert kernel.aes_encrypt_blocks(k, words, words, count) == LENGTH_ERROR
    assert kernel.aes_cbc_encrypt(k, iv, words, words, count) == LENGTH_ERROR


@pytest.mark.parametrize("fault", [10, 11])
def test_a_refused_mode(kernel: ctypes.CDLL, fault: int) -> None:
    """A refusal or a reset at any access of a set-up: no block goes through the mode before."""
    key, text = bytes(range(16)), bytes(range(16))
    iv, out = ctypes.create_string_buffer(16), ctypes.create_string_buffer(48)
    words = (ctypes.c_uint32 * 4).from_buffer_copy(key)
    accesses = ctypes.c_uint.in_dll(kernel, "model_accesses")
    for at in range(30):
        kernel.model_reset(0)
        before = key_of(kernel, bytes(16))
        assert kernel.aes_cbc_encrypt(before, iv, out, out, ctypes.c_size_t(3)) == 0
        k = ctypes.create_string_buffer(KEY_BYTES)
        ctypes.c_uint.in_dll(kernel, "model_fault_at").value = accesses.value + at
        ctypes.c_int.in_dll(kernel, "model_fault").value = fault
        status = kernel.aes_set_encrypt_key(k, words, 128)
        ctypes.c_int.in_dll(kernel, "model_fault").value = 0
        if status == 0:
            for _ in range(2):  # a wiped chaining value hides CBC in the first block
                assert encrypted(kernel, k, text) == wanted(key, text), at
        else:
            assert status == DEVICE_ERROR
            assert not any(k.raw)
