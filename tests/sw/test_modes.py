# SPDX-License-Identifier: Apache-2.0
"""sw/modes/aes_modes.c on the host: any length, alignment and division, against OpenSSL."""

import ctypes
import random
import subprocess

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.base.paths import ROOT
from aesforge.catalog import manifest

SPARE = 16  # bytes around a buffer, to place it at any alignment


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The modes over the first software baseline, as a shared library."""
    baseline = next(a for a in manifest.discover() if a.manifest.kind == "software")
    target = tmp_path_factory.mktemp("modes") / "modes.so"
    sources = [ROOT / "sw" / "modes" / "aes_modes.c", *baseline.kernel_files()]
    defines = [f"-DAES_KEY_WORDS={baseline.manifest.sw.key_words}"]
    defines += [f"-D{word}" for word in baseline.manifest.variant[0].defines]
    flags = ["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    include = f"-I{ROOT / 'sw' / 'include'}"
    subprocess.run(["gcc", *flags, *defines, include, "-o", target, *sources], check=True)
    return ctypes.CDLL(str(target))


def expected(mode: str, decrypt: bool, key: bytes, iv: bytes, data: bytes) -> bytes:
    """What OpenSSL makes of it."""
    chosen = {"ecb": modes.ECB(), "cbc": modes.CBC(iv), "ctr": modes.CTR(iv)}[mode]
    cipher = Cipher(algorithms.AES(key), chosen)
    context = cipher.decryptor() if decrypt else cipher.encryptor()
    return context.update(data) + context.finalize()


def aligned_address(buffer: ctypes.Array[ctypes.c_char], offset: int) -> int:
    """Address inside a buffer with the given offset from a 16-byte boundary."""
    address = ctypes.addressof(buffer)
    return address + -address % SPARE + offset


def entry(library: ctypes.CDLL, mode: str, decrypt: bool) -> str:
    """Name of the function for a mode and direction."""
    return "aes_ctr" if mode == "ctr" else f"aes_{mode}_{'decrypt' if decrypt else 'encrypt'}"


@pytest.mark.parametrize("mode", ["ecb", "cbc", "ctr"])
@pytest.mark.parametrize("decrypt", [False, True])
@pytest.mark.parametrize("in_place", [False, True])
def test_equals_openssl(library: ctypes.CDLL, mode: str, decrypt: bool, in_place: bool) -> None:
    """Random keys, lengths, alignments and pieces; counters that carry far."""
    source = random.Random(f"{mode} {decrypt} {in_place}")
    for case in range(150):
        key = source.randbytes(source.choice([16, 24, 32]))
        iv = source.choice([source.randbytes(16), b"\xff" * 15 + bytes([source.randrange(256)])])
        size = source.randrange(700) if mode == "ctr" else 16 * source.randrange(40)
        data = source.randbytes(size)
        schedule = ctypes.create_string_buffer(4096)
        aligned_key = ctypes.create_string_buffer(key, 32)
        set_up = "aes_set_decrypt_key" if decrypt and mode != "ctr" else "aes_set_encrypt_key"
        assert getattr(library, set_up)(schedule, aligned_key, 8 * len(key)) == 0
        first = ctypes.create_string_buffer(size + 2 * SPARE)
        second = ctypes.create_string_buffer(size + 2 * SPARE)
        start = aligned_address(first, source.randrange(4))
        end = start if in_place else aligned_address(second, source.randrange(4))
        ctypes.memmove(start, data, size)
        chain = ctypes.create_string_buffer(iv, 16)
        at = 0
        while at < size:
            piece = min(size - at, 16 * source.randrange(1, 30))
            count = ctypes.c_size_t(piece if mode == "ctr" else piece // 16)
            pointers = ctypes.c_void_p(start + at), ctypes.c_void_p(end + at)
            function = getattr(library, entry(library, mode, decrypt))
            if mode == "ecb":
                function(schedule, *pointers, count)
            else:
                function(schedule, chain, *pointers, count)
            at += piece
        assert ctypes.string_at(end, size) == expected(mode, decrypt, key, iv, data), case


def test_wipe_clears_exactly_its_range(library: ctypes.CDLL) -> None:
    """Every start, every length: zeros inside, neighbours untouched."""
    for start in range(8):
        for size in range(20):
            buffer = ctypes.create_string_buffer(b"\xaa" * 64, 64)
            place = ctypes.c_void_p(ctypes.addressof(buffer) + start)
            library.aes_wipe(place, ctypes.c_size_t(size))
            assert buffer.raw == b"\xaa" * start + bytes(size) + b"\xaa" * (64 - start - size)


def test_sources_have_no_heap_and_no_libc() -> None:
    """The modes include contracts, what they share, and nothing else."""
    names = ("aes_modes", "aes_gcm", "aes_kernel", "blocks", "aes_forget_registers")
    names += ("aes_ccm", "aes_cmac", "aes_ctr", "aes_gcm_siv", "aes_kw", "aes_xts")
    names += ("aes_absorb", "aes_gcm_unverified", "aes_hot", "aesforge", "gcm_parts", "padded")
    allowed = {f'#include "{name}.h"' for name in names}
    for path in sorted((ROOT / "sw" / "modes").iterdir()):
        text = path.read_text(encoding="utf-8")
        assert {line for line in text.splitlines() if line.startswith("#include")} <= allowed
